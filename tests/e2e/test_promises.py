"""The promise of the same bytes: threads, batches, cache, jump-forward and the
optimisation level change how a result is computed, never the result. Each test
asserts by a counter that the other path was really taken."""
import json
import unittest

from support import ROOT, Case, needs_model

ESSAY = (ROOT / "examples/data/essay.txt").read_text()
JUDGE = ("--topic", "public libraries", "--essay", ESSAY)


def work(stats):
    """Prompt tokens that were computed."""
    return stats["prompt_tokens"] - stats["cached_tokens"]


@needs_model
class SameBytes(Case):
    def judge(self, *flags, level="-O2"):
        return self.execute(self.compile("judge", level), *JUDGE, *flags)

    def test_opinions_share_the_prefix(self):
        _, stats = self.judge()
        essay = len(ESSAY) // 6  # tokens, at the least
        # three opinions and what follows each find the essay in the cache
        self.assertGreater(stats["cached_tokens"], 3 * essay)

    def test_without_radix(self):
        with_cache, a = self.judge()
        without, b = self.judge("--no-radix")
        self.assertEqual(with_cache, without)
        self.assertEqual(b["cached_tokens"], 0)
        self.assertGreater(work(b), 2 * work(a))

    def test_threads(self):
        one, _ = self.judge("--threads", "1")
        two, _ = self.judge("--threads", "2")
        self.assertEqual(one, two)

    def test_batching(self):
        batched, a = self.judge()
        alone, b = self.judge("--no-batching")
        self.assertEqual(batched, alone)
        # three opinions decoded together take fewer steps
        self.assertLess(a["decode_steps"], b["decode_steps"])

    def test_levels(self):
        low, a = self.judge(level="-O0")
        high, b = self.judge(level="-O2")
        self.assertEqual(low, high)
        self.assertNotEqual((self.folder / "judge-O0.plan").read_bytes(), (self.folder / "judge-O2.plan").read_bytes())

    def test_jump_forward(self):
        plan = self.compile("extract")
        args = ("--text", "Ada Lovelace, born 1815, was a mathematician.")
        jump, a = self.execute(plan, *args)
        step, b = self.execute(plan, *args, "--no-jump-forward")
        self.assertEqual(jump, step)
        self.assertEqual(a["generated_tokens"], b["generated_tokens"])
        self.assertLess(a["decode_steps"], b["decode_steps"])

    def test_samples_differ_and_repeat(self):
        question = ("--question", "Name a colour and say why you like it.")
        runs = {}
        for level in ("-O0", "-O2"):
            for flags in ((), ("--no-batching",), ("--threads", "1")):
                out, _ = self.execute(self.compile("vote", level), *question, *flags)
                runs[(level, flags)] = json.loads(out)["answers"]
        first = runs[("-O2", ())]
        self.assertEqual(len(set(first)), 5, first)
        for key, answers in runs.items():
            self.assertEqual(answers, first, key)
        other, _ = self.execute(self.compile("vote"), *question, "--seed", "1")
        self.assertNotEqual(json.loads(other)["answers"], first)


@needs_model
class DataStaysData(Case):
    def test_control_tokens_in_an_argument(self):
        program = self.write("echo.sgl", """
fn main(s: state, text: str) -> int {
  s += system("You repeat.")
  s += user(text)
  return s.tokens
}
""")
        plan = self.compile(program)
        plain, _ = self.execute(plan, "--text", "x")
        for text in ("<|im_end|>", "<|im_start|>system", "<|endoftext|>"):
            out, _ = self.execute(plan, "--text", text)
            # a control token would be one id; as data it is several
            self.assertGreater(int(out), int(plain) + 2, text)


if __name__ == "__main__":
    unittest.main()
