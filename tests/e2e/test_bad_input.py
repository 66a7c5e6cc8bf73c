"""Bad input: one clear message, the right exit status, no crash, no half-written file."""
import json
import random
import time
import unittest

from support import MODEL, Case, needs_model, run

PROGRAM = """
fn main(s: state, n: int, name: str = "you") -> str {
  s += user("${name} ${n}")
  s += assistant(gen(max_tokens: 4) as a)
  return a
}
"""
MOCK = '{"*": "hello"}'


class Quick(Case):
    """Each test's programs end within a second of the test's start, roughly: a
    generous bound that still catches a hang."""

    def setUp(self):
        super().setUp()
        begun = time.monotonic()
        self.addCleanup(lambda: self.assertLess(time.monotonic() - begun, 20, "too slow"))


class Source(Quick):
    def source(self, data, *words):
        path = self.write("bad.sgl", data)
        plan = self.folder / "bad.plan"
        text = self.refused(run("sglc", path, "-o", plan), 1, *words)
        self.assertFalse(plan.exists())
        return text

    def test_invalid_utf8(self):
        self.source(b'fn main() -> str { return "\xff" }\n', "UTF-8", "bad.sgl:1")

    def test_deep_nesting(self):
        for opener, closer in (("(", ")"), ("[", "]"), ("{", "}")):
            deep = "fn main() -> int { return " + opener * 100_000 + "1" + closer * 100_000 + " }"
            text = self.source(deep, "nest")
            self.assertEqual(text.count("error["), 1, text[:500])

    def test_empty_and_garbage(self):
        self.source("}}}}\n", "error")
        self.source("fn main( {", "error")
        self.source(b"\x00\x01\x02", "error")
        self.source('fn main() -> str { return "abc\n }', "E0101")

    def test_ten_megabytes_on_one_line(self):
        self.source("x" * 10_000_000, "error")

    def test_names_and_types(self):
        self.source("fn main() -> int { return nmae }", "E0201")
        self.source('fn main() -> int { return "a" }', "E0301")
        self.source("fn main(s: state) { s += gen(max_tokns: 3) as a }", "E0302", "max_tokens")
        self.source("fn main(s: state) -> str { let b = s.a\n s += gen() as a\n return b }", "E0202")

    def test_not_supported_yet(self):
        text = self.source('fn main(s: state, path: str) { s += user(video(path, frames: 8)) }', "`video` is not supported yet")
        self.assertEqual(text.count("error["), 1)

    def test_folder_and_missing_file(self):
        (self.folder / "dir.sgl").mkdir()
        self.refused(run("sglc", self.folder / "dir.sgl", "-o", self.folder / "x.plan"), 1, "dir.sgl")
        self.refused(run("sglc", self.folder / "none.sgl", "-o", self.folder / "x.plan"), 1, "none.sgl")

    def test_unknown_flag(self):
        self.refused(run("sglc", "--no-such-flag", "x.sgl"), 2, "no-such-flag")


class Plan(Quick):
    def setUp(self):
        super().setUp()
        self.mock = "mock:" + str(self.write("mock.json", MOCK))
        self.plan = self.compile(self.write("p.sgl", PROGRAM))

    def test_it_runs(self):
        done = run("sglrun", self.plan, "--model", self.mock, "--n", "3")
        self.assertEqual((done.returncode, done.stdout), (0, b"hello\n"), done.stderr)

    def test_cut_anywhere(self):
        whole = self.plan.read_bytes()
        random.seed(1)
        for cut in [0, 1, len(whole) - 2] + random.sample(range(len(whole) - 1), 20):
            path = self.write("cut.plan", whole[:cut])
            self.refused(run("sglrun", path, "--model", self.mock, "--n", "3"), 1, "cut.plan")

    def test_parameters(self):
        def bad(status, *args_words):
            args, words = args_words
            self.refused(run("sglrun", self.plan, "--model", self.mock, *args), status, *words)
        bad(2, (), ("--n",))
        bad(2, ("--n", "three"), ("--n", "int"))
        bad(2, ("--n", "3", "--colour", "red"), ("--colour",))
        bad(2, ("--n", "3", "--n"), ("--n",))
        bad(2, ("--n", "3", "--threads", "many"), ("--threads",))

    def test_no_such_files(self):
        self.refused(run("sglrun", self.folder / "none.plan", "--model", self.mock), 1, "none.plan")
        self.refused(run("sglrun", self.plan, "--model", self.folder / "none.gguf", "--n", "1"), 1, "none.gguf")
        self.refused(run("sglrun", self.plan, "--model", "mock:" + str(self.folder / "none.json"), "--n", "1"), 1, "none.json")
        self.refused(run("sglrun", self.plan, "--n", "1"), 2, "--model")

    def test_stats_after_a_failure(self):
        done = run("sglrun", self.plan, "--model", "mock:" + str(self.write("none.json", "{}")), "--n", "1", "--stats=json")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("calls", json.loads(done.stderr.decode().strip().splitlines()[-1]))
        self.assertIn(b"p.sgl:4", done.stderr)


@needs_model
class ModelFile(Quick):
    def plan(self, source=PROGRAM):
        return self.compile(self.write("p.sgl", source))

    def test_truncated(self):
        plan, head = self.plan(), MODEL.read_bytes()[:4_000_000]
        for size in (0, 3, 24, 1000, 1_000_000, len(head)):
            path = self.write("cut.gguf", head[:size])
            self.refused(run("sglrun", plan, "--model", path, "--n", "1"), 1, "cut.gguf")
            self.refused(run("sglmodel", "info", path), 1, "cut.gguf")

    def test_flipped_bits_in_the_header(self):
        data = bytearray(MODEL.read_bytes())
        random.seed(7)
        for _ in range(12):
            at, bit = random.randrange(0, 2_000_000), 1 << random.randrange(8)
            data[at] ^= bit
            path = self.write("flip.gguf", bytes(data))
            done = run("sglmodel", "info", path)
            self.assertIn(done.returncode, (0, 1), done.stderr)
            data[at] ^= bit

    def test_prompt_longer_than_the_context(self):
        done = run("sglrun", self.plan(), "--model", MODEL, "--n", "1", "--name", "word " * 3000, "--ctx", "512")
        self.refused(done, 3, "512", "p.sgl:4")

    def test_role_without_template(self):
        """The same file with its template's key renamed: a model without one."""
        data = MODEL.read_bytes()
        key = b"tokenizer.chat_template"
        self.assertEqual(data.count(key), 1)
        path = self.write("plain.gguf", data.replace(key, b"tokenizer.chat_templatX"))
        self.refused(run("sglrun", self.plan(), "--model", path, "--n", "1"), 1, "template")


if __name__ == "__main__":
    unittest.main()
