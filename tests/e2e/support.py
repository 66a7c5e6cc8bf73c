"""What the end-to-end tests share: the three programs as a user runs them.

Paths come from the environment that CTest sets: SGL_BIN (build/bin) and
SGL_TEST_MODEL. Without the model the tests that need it are skipped, and the
count of skipped tests is printed.
"""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
BIN = pathlib.Path(os.environ.get("SGL_BIN", ROOT / "build/bin"))
MODEL = pathlib.Path(os.environ.get("SGL_TEST_MODEL") or
                     pathlib.Path.home() / ".cache/sgl/models/SmolLM2-135M-Instruct.Q4_1.gguf")

needs_model = unittest.skipUnless(MODEL.exists(), f"no model at {MODEL}: run ./dev model")


def run(program, *args, stdin=None, timeout=300, cwd=None):
    """Runs one of the programs; never raises on a failing status."""
    return subprocess.run([str(BIN / program), *map(str, args)], input=stdin, capture_output=True,
                          timeout=timeout, cwd=cwd or ROOT)


class Case(unittest.TestCase):
    """A folder of its own for each test, and helpers that compile and run."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write(self, name, data):
        path = self.folder / name
        path.write_bytes(data.encode() if isinstance(data, str) else data)
        return path

    def compile(self, source, *flags):
        """Compiles a file of examples/ by its name, or a path; gives the plan's path."""
        path = source if isinstance(source, pathlib.Path) else ROOT / "examples" / f"{source}.sgl"
        plan = self.folder / f"{path.stem}{''.join(flags)}.plan"
        done = run("sglc", path, "-o", plan, *flags)
        self.assertEqual(done.returncode, 0, done.stderr.decode())
        return plan

    def execute(self, plan, *args, status=0, model=None):
        """Runs a plan; gives (stdout as bytes, the object of --stats=json)."""
        done = run("sglrun", plan, "--model", model or MODEL, "--stats=json", *args)
        self.assertEqual(done.returncode, status, done.stderr.decode())
        return done.stdout, json.loads(done.stderr.decode().strip().splitlines()[-1])

    def refused(self, done, status, *words):
        """One clear message: the status, no crash, all words in it, nothing on stdout."""
        text = done.stderr.decode(errors="replace")
        self.assertEqual(done.returncode, status, text)
        for word in words:
            self.assertIn(word, text)
        self.assertEqual(done.stdout, b"")
        for sign in ("terminate called", "Sanitizer", "Stack dump", "Assertion", "Segmentation"):
            self.assertNotIn(sign, text)
        return text
