"""The numbers of kind "independent" in the items of the slider-crank are what the second implementations
beside this file give, to as many digits as the checks ask for; the checks themselves compare percuss with them."""
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import unittest

PERCUSS, LOBATTO = sys.argv.pop(1), sys.argv.pop(1)
HERE = pathlib.Path(__file__).parent


def numbers(*command):
    """The values of lines "time name value"."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=True,
                          timeout=300)
    return [float(line.split()[2]) for line in done.stdout.splitlines()]


class Independent(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        done = subprocess.run([PERCUSS, "reproduce", "flores-*", "rattle-fig5", "lobatto-fig6",
                               "acary-newton-euler", "acary-fig20", "acary-fig2", "acary-fig27", "acary-fig30",
                               "--out", cls.folder.name, "--quiet"],
                              capture_output=True, text=True, check=False, timeout=300)
        assert done.returncode == 0, done.stderr

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def compare(self, item, given, only=""):
        """All independent numbers of an item, or those whose description begins with `only`, are given."""
        values = json.loads(pathlib.Path(self.folder.name, f"{item}.json").read_text())["values"]
        mine = [value for value in values
                if value["kind"] == "independent" and value["what"].startswith(only)]
        self.assertGreaterEqual(len(mine), 3)
        for value in mine:
            nearest = min(given, key=lambda number: abs(number - value["expected"]))
            self.assertAlmostEqual(nearest, value["expected"], delta=0.1 * value["tolerance"],
                                   msg=value["what"])
            self.assertEqual(value["verdict"], "agrees", value)

    def test_moreau_in_minimal_coordinates(self):
        given = [x for step in ((1e-5, 0.14), (1e-4, 0.2))
                 for x in numbers(sys.executable, HERE / "moreau_slider_crank.py", *step)]
        self.compare("flores-fig10", given)
        self.compare("flores-fig11", given)

    def test_rattle_in_absolute_coordinates(self):
        self.compare("rattle-fig5", numbers(LOBATTO, 2, 1e-4, 0.0838, 0.017))

    def test_lobatto_in_absolute_coordinates(self):
        self.compare("lobatto-fig6", numbers(LOBATTO, 3, 1e-4, 0.0838, 0.017))

    def test_moreau_jean_on_the_ring(self):
        self.compare("acary-fig20", numbers(sys.executable, HERE / "moreau_jean_ring.py", 5e-4, 2))

    def test_moreau_jean_on_the_oscillator(self):
        steps = [0.01 / math.sqrt(2) / halves for halves in (1, 8, 128)]
        self.compare("acary-fig2", [x for dt in steps for x in numbers(
            sys.executable, HERE / "moreau_jean_oscillator.py", repr(dt), 2)], "oscillator")

    def test_rattle_without_a_tilt_of_the_slider(self):
        given = numbers(LOBATTO, 2, 1e-5, 0.14, 0)
        self.compare("acary-newton-euler", given, "rattle")
        self.compare("acary-fig30", given, "ideal pin")

    def test_a_rod_that_leaves_the_plane(self):
        given = numbers(sys.executable, HERE / "hinged_rod.py", 1, 4.5e-4)
        for item in ("acary-fig27", "acary-fig30"):  # 28 and 29 have the same numbers
            self.compare(item, given, "tilted, free")


if __name__ == "__main__":
    unittest.main()
