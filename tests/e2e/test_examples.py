"""Every program of examples/ on the real model: its result has the declared type."""
import json
import unittest

from support import ROOT, Case, needs_model

ESSAY = (ROOT / "examples/data/essay.txt").read_text()


@needs_model
class Examples(Case):
    def test_judge(self):
        out, stats = self.execute(self.compile("judge"), "--topic", "public libraries", "--essay", ESSAY)
        report = json.loads(out)
        if report is not None:
            self.assertEqual(list(report), ["summary", "grade", "score"])
            self.assertIn(report["grade"], "ABCD")
            self.assertIn(report["score"], range(11))
            self.assertLessEqual(len(report["summary"]), 300)
            # one select, three opinions, one to three reports
            self.assertIn(stats["calls"], (5, 6, 7))
        else:
            self.assertIn(stats["calls"], (1, 7))

    def test_chat(self):
        out, stats = self.execute(self.compile("chat"), "--questions", '["Who was Ada Lovelace?", "When did she live?"]')
        answers = json.loads(out)
        self.assertEqual(len(answers), 2)
        self.assertTrue(all(answers))
        self.assertEqual(stats["calls"], 2)
        # the second turn finds the first one in the cache
        self.assertGreater(stats["cached_tokens"], 20)

    def test_classify(self):
        for review in ("Great fun from start to end.", "Two hours of my life that I want back."):
            out, stats = self.execute(self.compile("classify"), "--review", review)
            self.assertIn(json.loads(out), ("positive", "negative", "mixed"))
            self.assertEqual(stats["calls"], 1)

    def test_extract(self):
        out, stats = self.execute(self.compile("extract"), "--text", "Ada Lovelace, born 1815, was a mathematician.")
        person = json.loads(out)
        self.assertEqual(list(person), ["name", "born", "field", "alive"])
        self.assertIn(person["born"], range(1000, 2101))
        self.assertIn(person["field"], ("mathematics", "physics", "biology", "other"))
        self.assertIn(person["alive"], (True, False))
        self.assertGreater(stats["forced_tokens"], 0)

    def test_skeleton(self):
        out, stats = self.execute(self.compile("skeleton"), "--question", "Why do people keep gardens?")
        self.assertEqual(stats["calls"], 6)
        self.assertTrue(out.startswith(b"1. ") and b"\n3. " in out, out)

    def test_vote(self):
        out, _ = self.execute(self.compile("vote"), "--question", "What is 7 times 6?")
        vote = json.loads(out)
        self.assertEqual(len(vote["answers"]), 5)
        self.assertIn(vote["winner"], vote["answers"])


if __name__ == "__main__":
    unittest.main()
