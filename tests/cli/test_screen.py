"""What a person reads fits on one screen: 25 lines of a digest for every model, 100 columns for every command."""
import re
import unittest

from program import DONE, FAILED, MODELS, ProgramTest, percuss

LINES, COLUMNS = 25, 100
ALL = sorted(path.stem for path in MODELS.glob("*.yaml"))
# A number of more than five digits, or with an exponent where a prefix would do.
RAW = re.compile(r"(?<![\w.])-?(?:[1-9]\d*\.\d{5,}|0\.0*[1-9]\d{5,})|\de[+-]?\d+ (?:m|s|J|N|N s|%)(?!\w)")


class Screen(ProgramTest):
    def fits(self, text, lines=LINES):
        self.assertLessEqual(len(text.splitlines()), lines, text)
        for line in text.splitlines():
            # Commands and paths are to be copied: they are not broken.
            if not line.startswith(("next ", "result ")):
                self.assertLessEqual(len(line), COLUMNS, line)
            self.assertEqual(line, line.rstrip())

    def steps(self, model, count):
        """The end of so many steps."""
        text = (MODELS / f"{model}.yaml").read_text()
        return count * float(re.search(r"\bdt: ([0-9.e+-]+)", text[text.index("simulate:"):]).group(1))

    def test_the_digest_of_every_model(self):
        for model in ALL:
            with self.subTest(model):
                done = percuss("run", model, "--until", self.steps(model, 12), "--on-failure", "continue")
                self.assertEqual(done.returncode, DONE, done.stderr)
                self.fits(done.stdout)
                self.assertIsNone(RAW.search(done.stdout), done.stdout)
                self.assertRegex(done.stdout.splitlines()[-1], "^next +percuss ")

    def test_the_check_of_every_model(self):
        for model in ALL:
            with self.subTest(model):
                done = percuss("check", model)
                self.assertEqual(done.returncode, DONE, done.stderr)
                self.fits(done.stdout)
                self.assertRegex(done.stdout.splitlines()[-1], "^next +percuss run ")

    def test_a_digest_with_everything(self):
        """Many warnings, redundant joints, long names, steps that are not solved."""
        bodies = "\n".join(f"  a-body-with-a-rather-long-name-{i}: {{mass: 1, inertia: 1, position: [{i}, 0], velocity: [{i + 1}, 1]}}"
                           for i in range(30))
        joints = "\n".join(f"  a-joint-with-a-rather-long-name-{i}-{k}: {{fixed: {{bodies: [ground, a-body-with-a-rather-long-name-{i}]}}}}"
                           for i in range(30) for k in range(2))
        model = self.here / "a model with a long path that is copied as it is.yaml"
        model.write_text(f"percuss: 1\ntitle: {'A very long title ' * 9}\ngravity: [0, -9.81]\nbodies:\n{bodies}\njoints:\n{joints}\n"
                         "simulate: {scheme: moreau-jean, dt: 1e-3, until: 5e-3}\n")
        for command, code in (("run", (DONE, FAILED)), ("check", (DONE, FAILED))):
            done = percuss(command, model)
            self.assertIn(done.returncode, code, done.stderr)
            self.fits(done.stdout)
            self.assertIn("warning", done.stdout)
            self.assertIn("--full", done.stdout)

    def test_a_comparison_of_all_schemes(self):
        out = self.expect(DONE, "compare", "slider-crank", "--until", "0.01", "--repeat", "1")
        self.fits(out)
        self.assertIn("schatzman-paoli: refused:", out)  # a long reason
        rows = [line for line in out.splitlines() if line.startswith("generalized-alpha ")]
        self.assertEqual(len({len(line) for line in rows[:1] + [out.splitlines()[0]]}), 1)  # columns are aligned

    def test_convergence_and_sweeps(self):
        self.fits(self.expect(DONE, "converge", "bouncing-ball", "--scheme", "moreau-jean", "--dt", "0.02,0.01,0.005", "--norm", "max"))
        for values in (["mu=0:0.1:4"], ["mu=uniform(0,0.1)", "--samples", "4"]):
            out = self.expect(DONE, "sweep", "slider-crank", "--until", "2e-3", "--set", *values, "--collect",
                              "final.crank.angle,max(slider.vx),penetration.max,min(corner1.gap)", "-o", self.here / "t.csv", "--force", "--quiet")
            self.fits(out)
            self.assertIsNone(RAW.search(out), out)

    def test_help(self):
        commands = re.findall(r"^  percuss (\w+)", self.expect(DONE, "help"), re.M)
        self.assertIn("run", commands)
        self.fits(self.expect(DONE, "help"), 60)
        for command in commands:
            page = self.expect(DONE, "help", command)
            self.fits(page, 150)
            if command != "help":
                self.assertRegex(page, r"\A.*\n.*\n\nexamples:\n  percuss " + command)


    def test_lists(self):
        for words in (["schemes"], ["solvers"], ["models"], ["elements"], ["items"], ["elements", "revolute"], ["elements", "beam"]):
            self.fits(self.expect(DONE, "list", *words), 100)


if __name__ == "__main__":
    unittest.main()
