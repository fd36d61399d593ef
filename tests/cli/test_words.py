"""tools/check-words finds what it is to find, and leaves ordinary words alone; the tree has none of its findings."""
import importlib.machinery
import importlib.util
import pathlib
import unittest

PATH = pathlib.Path("tools/check-words").resolve()
loader = importlib.machinery.SourceFileLoader("check_words", str(PATH))
words = importlib.util.module_from_spec(importlib.util.spec_from_loader("check_words", loader))
loader.exec_module(words)


class Words(unittest.TestCase):
    def found(self, text, name="src/steps/some.c"):
        return [what for _, what in words.findings(name, text)]

    def test_words_of_the_list_are_found(self):
        for text in ("/* a watch over the energy */", "/* a standstill of the loop */", "enum { PC_LIGHT };", "/* what a joint owes */",
                     "/* contacts yield in turn */", "/* a contradiction of the laws */", "/* tried in vain */", "/* a lot of them */",
                     "static void push(double* v)", "/* a step in pieces */", "/* a step is cut */", "/* the contact stage */",
                     "double left = s->rest[i];", "/* it knows no friction */", "/* changes them at a blow */", "/* rooms for arrays */",
                     "/* have been done again */", "/* does not stand its dt */", "/* the patience of a solver */", "x" * 101):
            self.assertEqual(len(self.found(text)), 1, text)

    def test_ordinary_words_are_not(self):
        for text in ("/* a body at rest, and the rest of it */", "/* a light body beside a heavy one */", "/* momenta of all bodies */",
                     "/* beams that bend, discs that are pushed apart */", "/* the stages of Lobatto's tableau */", "/* shortcut, cutoff */",
                     "static int push(pc_pool* pool)", "x" * 100):
            self.assertEqual(self.found(text), [], text)
        self.assertEqual(self.found("    yield value", "tools/some.py"), [])
        self.assertEqual(self.found("A house of cards", "models/card-house.yaml"), [])

    def test_pages_introduce_percussions(self):
        self.assertEqual(len(self.found("A percussion is ...", "docs/page.md")), 1)
        self.assertEqual(self.found("An impulse (percussion) is ... Percussions are ...", "docs/page.md"), [])

    def test_the_tree_has_none(self):
        self.assertEqual(words.check(), 0)


if __name__ == "__main__":
    unittest.main()
