#!/usr/bin/env python3
"""Benchmarks as ratios: ours and a named peer, in one run, on this machine.

  run.py engine --bin build/bin --model FILE --peers DIR [--threads N] [--pairs 5] [--ik] [--output FILE]

`engine` compares `sglmodel bench` with llama.cpp (and, with --ik, ik_llama.cpp)
on the same GGUF file and the same number of threads. The peers are built for
this machine from the sources that PyPI packages ship (peers/setup_peers.sh). A
ratio is the median of alternating pairs; both sides' medians are printed. Use it
on a quiet machine: a pair in which other processes took a core is marked.
"""
import argparse
import datetime
import json
import pathlib
import re
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE / "peers"))
from peerlib import Meter, cpu_features, cpu_model, load_peer, undisturbed, wait_quiet  # noqa: E402

# measure -> arguments of llama-bench; the shared one has a program of its own
MEASURES = {
    "prefill_1024": ["-p", "1024", "-n", "0"],
    "decode_128_depth_0": ["-p", "0", "-n", "128"],
    "decode_128_depth_1024": ["-p", "0", "-n", "128", "-d", "1024"],
    "shared_1024_x16_decode_64": None,
}


def command(args, limit=300, both=False):
    done = subprocess.run([str(a) for a in args], capture_output=True, text=True, timeout=limit, stdin=subprocess.DEVNULL)
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, args))}\nended with status {done.returncode}: {done.stderr[-500:]}")
    return done.stdout + (done.stderr if both else "")


def ours(a, measure):
    out = command([a.bin / "sglmodel", "bench", a.model, "--threads", a.threads, "--json", "--only", measure, "--repeat", 1])
    return json.loads(out)[measure]


def llama_cpp(a, peer, measure):
    if MEASURES[measure]:
        out = command([peer["llama-bench"], "-m", a.model, "-t", a.threads, "-r", 1, "-o", "json", *MEASURES[measure]])
        return json.loads(out[out.index("["):])[0]["avg_ts"]
    out = command([peer["llama-batched-bench"], "-m", a.model, "-t", a.threads, "-tb", a.threads, "-c", 1024 + 16 * 64 + 64, "-b", 2048,
                   "-ub", 512, "-npp", 1024, "-ntg", 64, "-npl", 16, "-pps", "--output-format", "jsonl", "--kv-unified"])
    return next(json.loads(x[x.index("{"):])["speed_tg"] for x in out.splitlines() if '"speed_tg"' in x)


def ik_llama_cpp(a, peer, measure):
    best = ["-fa", 1, "-rtr", 1, "-thp", 1, "-mqkv", 1, "-muge", 1]
    if MEASURES[measure]:
        depth = ["-p", 0, "-n", 0, "-gp", "1024,128"] if "depth_1024" in measure else MEASURES[measure]
        out = command([peer["llama-bench"], "-m", a.model, "-t", a.threads, "-r", 1, "-o", "json", *best, *depth])
        return json.loads(out[out.index("["):])[-1]["avg_ts"]
    table = command([peer["llama-batched-bench"], "-m", a.model, "-t", a.threads, "-tb", a.threads, "-c", 2200, "-b", 2048, "-ub", 512,
                     "-npp", 1024, "-ntg", 64, "-npl", 16, "-pps", "-fa", "on", "-rtr"], both=True)
    return next(float(x.split("|")[8]) for x in table.splitlines() if re.match(r"\|\s+1024 \|\s+64 \|\s+16 \|", x))


def engine(a):
    setup = HERE / "peers" / ("setup_ik.sh" if a.ik else "setup_peers.sh")
    command([setup, a.peers] + ([] if a.ik else ["--no-model"]), limit=3600)
    peer = load_peer(a.peers, a.ik)
    name = "ik_llama.cpp" if a.ik else "llama.cpp"
    report = {"date": datetime.date.today().isoformat(), "cpu": cpu_model(), "features": cpu_features(), "peer": name,
              "peer_version": peer.get("llama_cpp") or peer.get("package"), "threads": a.threads, "model": pathlib.Path(a.model).name, "results": {}}
    print(f"{name} {report['peer_version']}; {report['cpu']}; {a.threads} thread(s); {report['model']}", file=sys.stderr)
    for measure in MEASURES:
        if a.only not in measure:
            continue
        mine, theirs, clean = [], [], True
        for _ in range(a.pairs):
            wait_quiet(a.wait_quiet)
            meter = Meter()
            mine.append(ours(a, measure))
            theirs.append((ik_llama_cpp if a.ik else llama_cpp)(a, peer, measure))
            clean &= undisturbed(a.threads, meter.stop())
        ratio = statistics.median(m / t for m, t in zip(mine, theirs))
        report["results"][measure] = {"ours": mine, "peer": theirs, "ratio": round(ratio, 3), "clean": clean}
        print(f"{measure:28} ours {statistics.median(mine):8.1f} tokens/s   {name} {statistics.median(theirs):8.1f}   ratio {ratio:5.2f}x"
              + ("" if clean else "   (disturbed)"), file=sys.stderr, flush=True)
    text = json.dumps(report, indent=1) + "\n"
    if a.output:
        pathlib.Path(a.output).write_text(text)
    else:
        print(text, end="")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=["engine"])
    parser.add_argument("--bin", type=pathlib.Path, required=True)
    parser.add_argument("--model", required=True)
    parser.add_argument("--peers", required=True, help="folder for the peers (built there once)")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--only", default="", help="measures with this in their name")
    parser.add_argument("--ik", action="store_true", help="against ik_llama.cpp")
    parser.add_argument("--wait-quiet", type=float, default=20)
    parser.add_argument("--output")
    engine(parser.parse_args())


if __name__ == "__main__":
    main()
