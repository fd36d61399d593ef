"""percuss animate: well-formed films with all frames, what moves and what stands, wrong usage."""
import pathlib
import re
import tempfile
import unittest
import xml.etree.ElementTree

from program import DONE, MODEL, OUTPUT, USAGE, percuss, run_model

SVG = "{http://www.w3.org/2000/svg}"


def films(root, attribute):
    """The frames of everything whose `attribute` moves."""
    return [a.get("values").split(";") for a in root.iter(SVG + "animate")
            if a.get("attributeName") == attribute]


class Animate(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.place = pathlib.Path(cls.folder.name)
        cls.result = cls.place / "crank.h5"
        run_model("slider-crank", cls.result)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def animate(self, result, *options, ending="svg"):
        out = self.place / f"film.{ending}"
        done = percuss("animate", result, "-o", out, *options)
        self.assertEqual(done.returncode, DONE, done.stderr)
        return out.read_text()

    def test_slider_crank(self):
        text = self.animate(self.result, "--frames", 60, "--duration", 5)
        self.assertLess(len(text), 300_000)
        self.assertNotRegex(text, r"nan|inf\b|href|<script")
        root = xml.etree.ElementTree.fromstring(text)
        moving = films(root, "points")
        self.assertTrue(all(len(frames) == 60 for frames in moving))
        # crank and rod are lines, the slider has four corners, a percussion is a wedge
        self.assertEqual(sorted(len(frames[0].split()) for frames in moving),
                         [2, 2, 3, 3, 3, 3, 4])
        self.assertEqual(len(root.findall(f".//{SVG}polygon")), 4 + 1 + 2)  # with the two walls
        self.assertTrue(all(a.get("dur") == "5s" for a in root.iter(SVG + "animate")))

    def test_the_crank_has_its_length_in_all_frames(self):
        root = xml.etree.ElementTree.fromstring(self.animate(self.result))
        lengths = []
        for frames in films(root, "points"):
            if len(frames[0].split()) != 2:
                continue
            ends = [[tuple(map(float, p.split(","))) for p in f.split()] for f in frames]
            size = [((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5 for a, b in ends]
            self.assertLess(max(size) - min(size), 0.4)  # pixels, rounded to tenths
            lengths.append(sum(size) / len(size))
        self.assertAlmostEqual(max(lengths) / min(lengths), 2, delta=0.01)  # 0.306 m, 0.153 m

    def test_set_values_are_those_of_the_run(self):
        result = self.place / "long.h5"
        run_model("rocking-block", result, "--set", "L=3", "--until", 0.1)
        root = xml.etree.ElementTree.fromstring(self.animate(result, "--frames", 3))
        block = [f for f in films(root, "points") if len(f[0].split()) == 4][0][0]
        points = [tuple(map(float, p.split(","))) for p in block.split()]
        sides = sorted(((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5
                       for a, b in zip(points, points[1:]))
        self.assertAlmostEqual(sides[-1] / sides[0], 2, delta=0.02)  # 3 m by 1.5 m

    def test_space_bars_and_beams(self):
        for model, until in (("tippedisk", 0.05), ("impacting-bar", 1e-4),
                             ("flexible-pendulum", 1e-3), ("ring-pendulum", 0.2)):
            result = self.place / f"{model}.h5"
            run_model(model, result, "--until", until)
            text = self.animate(result, "--frames", 10)
            self.assertNotRegex(text, r"nan|inf\b")
            self.assertGreaterEqual(len(films(xml.etree.ElementTree.fromstring(text), "points")), 1)

    def test_a_page_with_a_player(self):
        text = self.animate(self.result, "--frames", 20, ending="html")
        self.assertRegex(text, r"(?s)<!DOCTYPE html>.*<svg .*</svg>.*<script>.*</html>")
        self.assertEqual(re.findall(r'(?:src|href)="', text), [])
        svg = text[text.index("<svg"):text.rindex("</svg>") + 6]
        xml.etree.ElementTree.fromstring(svg)

    def test_part_of_the_time(self):
        text = self.animate(self.result, "--from", 0.02, "--to", 0.03)
        self.assertIn("0.02 to 0.03 s in 8 s", text)

    def test_wrong_usage(self):
        out = self.place / "x.svg"
        for words in ([self.result], [self.result, "-o", self.place / "x.gif"], ["-o", out],
                      [self.result, "-o", out, "--frames", 1], [self.result, "-o", out, "--from", 1],
                      [self.result, "-o", out, "--duration", 0], [self.result, out, "-o", out]):
            self.assertEqual(percuss("animate", *words).returncode, USAGE, words)
        self.assertFalse(out.exists())

    def test_nothing_to_draw(self):
        result = self.place / "ball.h5"
        run_model("bouncing-ball", result)
        done = percuss("animate", result, "-o", self.place / "x.svg")
        self.assertEqual(done.returncode, MODEL)
        self.assertIn("no bodies", done.stderr)
        self.assertEqual(percuss("animate", self.place / "none.h5", "-o", "x.svg").returncode, MODEL)

    def test_a_place_that_cannot_be_written(self):
        done = percuss("animate", self.result, "-o", self.place / "none" / "x.svg")
        self.assertEqual(done.returncode, OUTPUT)


if __name__ == "__main__":
    unittest.main()
