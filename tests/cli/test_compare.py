"""percuss compare: the same numbers as `run`, schemes that fail, the figure, wrong usage."""
import json
import math
import pathlib
import re
import unittest

from program import DONE, FAILED, MODEL, USAGE, ProgramTest, figure, percuss

BALL = ["compare", "bouncing-ball", "--dt", 0.01, "--until", 2, "--schemes", "moreau,moreau-jean"]


def run_summary(*words):
    done = percuss("run", *words, "--json", "--quiet")
    assert done.returncode == DONE, done.stderr
    return json.loads(done.stdout)


class Compare(ProgramTest):

    def compare(self, *words, code=DONE):
        return json.loads(self.expect(code, "compare", *words, "--json", "--quiet"))

    def test_numbers_are_those_of_run(self):
        words = ["slider-crank", "--dt", 1e-4, "--until", 0.02]
        found = self.compare(*words, "--schemes", "moreau,moreau-jean")
        self.assertEqual(list(found), ["moreau", "moreau-jean"])
        reference = run_summary("slider-crank", "--scheme", "lobatto", "--stages", 3, "--dt", 1e-5,
                                "--until", 0.02)["final"]
        for scheme, numbers in found.items():
            run = run_summary(*words, "--scheme", scheme)
            self.assertEqual(numbers["status"], "done")
            self.assertEqual(numbers["penetration"]["max"], run["penetration"]["max"])
            for level, largest in numbers["constraint"].items():
                self.assertEqual(largest, run["constraint"][level])
            self.assertEqual(numbers["energy"]["final"], run["energy"]["final"])
            self.assertEqual(numbers["energy"]["change"],
                             run["energy"]["final"] - run["energy"]["initial"])
            stage = numbers["iterations"]["stage"]
            self.assertEqual(numbers["iterations"]["avg"], run["iterations"][stage]["avg"])
            self.assertEqual((numbers["reference"]["scheme"], numbers["reference"]["dt"]), ("lobatto", 1e-5))
            for body, values in numbers["final"].items():
                for name, value in values.items():
                    self.assertEqual(value, run["final"][body][name])
            distance = max(abs(run["final"][body][name] - reference[body][name])
                           for body in ("crank", "rod", "slider") for name in reference[body])
            self.assertAlmostEqual(numbers["distance"] / distance, 1, places=12)

    @figure
    def test_the_table_of_the_readme_is_current(self):
        """Penetration and drift as the README prints them: one digit, or none below 1e-9 m."""
        found = self.compare("slider-crank", "--frictionless", "--repeat", 1)
        rows = re.findall(r"^\| \[`([a-z-]+)`\].*", pathlib.Path("README.md").read_text(), re.M)
        self.assertEqual(rows, list(found))
        for line in pathlib.Path("README.md").read_text().splitlines():
            name = re.match(r"\| \[`([a-z-]+)`\]", line)
            if not name:
                continue
            cells, numbers = [cell.strip() for cell in line.split("|")], found[name.group(1)]
            for cell, value in ((cells[3], numbers["penetration"]["max"]),
                                (cells[4], numbers["constraint"]["position"]["max"])):
                if cell.startswith("none"):
                    self.assertLess(value, 1e-9, line)
                else:
                    self.assertEqual(f"{value:.0e}", f"{float(cell):.0e}", line)

    @figure
    def test_the_cost_is_the_best_of_several_runs(self):
        words = ["slider-crank", "--until", 0.01, "--schemes", "moreau,lobatto"]
        once, often = (self.compare(*words, "--repeat", n) for n in (1, 40))
        for found in (once, often):
            # Processor time of a step: of stages with Newton's method it is many times that of none.
            self.assertGreater(found["lobatto"]["cost"]["per_step"],
                               2 * found["moreau"]["cost"]["per_step"])
            for numbers in found.values():
                self.assertGreater(numbers["cost"]["per_step"], 1e-8)
        self.assertIn("best of up to 40 runs",
                      self.expect(DONE, "compare", *words, "--repeat", 40))
        for wrong in ("0", "-1", "x", "1.5", "100000"):
            self.expect(USAGE, "compare", *words, "--repeat", wrong, says="--repeat")

    def test_all_schemes_are_the_default_and_exit_code_is_zero(self):
        listed = percuss("list", "schemes").stdout
        found = self.compare("bouncing-ball")
        for scheme, numbers in found.items():
            self.assertIn(scheme, listed)
            self.assertIn(numbers["status"], ("done", "refused", "failed"))
        self.assertEqual(found["moreau-jean"]["status"], "done")

    def test_small_step_of_the_same_scheme_is_no_distance_away(self):
        found = self.compare("bouncing-ball", "--schemes", "moreau-jean", "--dt", 0.01,
                             "--reference-dt", 0.01, "--reference", "moreau-jean")
        self.assertEqual(found["moreau-jean"]["distance"], 0)

    def test_scheme_that_fails_has_a_reason_and_the_others_go_on(self):
        # One iteration of the Newton loop is not enough for moreau-jean; moreau has no such loop.
        words = ["slider-crank", "--schemes", "moreau,moreau-jean", "--until", 0.02,
                 "--max-iterations", 1]
        found = self.compare(*words)
        self.assertEqual(found["moreau"]["status"], "done")
        self.assertIsNone(found["moreau"]["distance"])  # the reference fails too
        self.assertEqual(found["moreau-jean"]["status"], "failed")
        self.assertIn("step ", found["moreau-jean"]["reason"])
        out = self.expect(DONE, "compare", *words)
        self.assertIn("moreau-jean: failed: ", out)
        self.assertIn("distance: none", out)

    def test_inaccurate_steps_are_told(self):
        words = ["slider-crank", "--schemes", "moreau,moreau-jean", "--until", 0.02,
                 "--max-iterations", 1, "--on-failure", "continue"]
        out = self.expect(DONE, "compare", *words)
        self.assertIn("moreau-jean: 200 of 200 steps did not meet their tolerance, the first is step 1\n", out)
        self.assertIn("the reference: ", out)
        self.assertNotIn("moreau: 200", out)
        self.assertEqual(self.compare(*words)["moreau-jean"]["steps_inaccurate"], 200)

    def test_no_scheme_left_is_a_failure(self):
        bad = self.here / "root.yaml"
        bad.write_text("percuss: 1\ncoordinates: {x: {velocity: 1}}\nkinetic: x'^2/2\n"
                       "forces: {x: sqrt(1 - x)}\n")
        out = self.expect(FAILED, "compare", bad, "--dt", 0.01, "--until", 10, says="no scheme")
        self.assertIn("moreau: failed: ", out)

    def test_table_has_a_line_per_scheme(self):
        lines = self.expect(DONE, *BALL).splitlines()
        self.assertEqual([line.split()[0] for line in lines[1:lines.index("")]], ["moreau", "moreau-jean"])
        for line in lines[1:lines.index("")]:
            self.assertEqual(len(line), len(lines[0]))
        self.assertLessEqual(max(map(len, lines[:lines.index("")])), 100)
        self.assertIn("; uncertainty ", lines[-1])

    def test_the_reference_is_the_most_accurate_scheme(self):
        """Against the exact swing of a pendulum: its uncertainty bounds the error of the reference."""
        model = self.here / "swing.yaml"
        model.write_text("percuss: 1\ncoordinates: {x: {value: 1}}\nkinetic: x'^2/2\npotential: 2*x^2\n"
                         "simulate: {scheme: moreau-jean, dt: 0.01, until: 3}\n")
        exact = {"x": math.cos(6), "x'": -2 * math.sin(6)}
        for scheme in ("lobatto", "moreau-jean", None):
            words = ["--reference", scheme] if scheme else []
            found = self.compare(model, "--schemes", "moreau,rattle", "--repeat", 1, *words)
            reference = found["rattle"]["reference"]
            stages = ["--stages", 3] if reference["scheme"] == "lobatto" else []
            final = run_summary(model, "--scheme", reference["scheme"], "--dt", 1e-3, *stages)["final"]
            error = max(abs(final[name] - exact[name]) for name in exact)
            self.assertLessEqual(error, 1.01 * reference["uncertainty"] + 1e-12)
            self.assertEqual(reference["scheme"], scheme or "lobatto")
        self.assertLess(reference["uncertainty"], 1e-9)

    def test_the_uncertainty_bounds_the_error_after_impacts(self):
        """Against exact motions, with impacts anywhere in their steps. From two runs it did not in a third of the cases."""
        def ball(until, f, e, q0):
            t, q, v = 0, q0, 0
            while True:
                flight = (-v - math.sqrt(v * v - 2 * f * q)) / f
                if t + flight > until:
                    left = until - t
                    return {"q": q + v * left + f * left * left / 2, "q'": v + f * left}
                t, q, v = t + flight, 0, -e * (v + f * flight)

        def oscillator(until, k, e):
            w = math.sqrt(k)
            factor = (-e)**math.floor((w * until + math.pi / 2) / math.pi)
            return {"q": factor * math.cos(w * until), "q'": -factor * w * math.sin(w * until)}

        cases = [("bouncing-ball", ball, until, {"f": f, "e": e, "q0": 1})
                 for until, f, e in ((1.2, -2, 0.5), (1.3, -2.3, 0.6), (1.35, -3, 0.8), (1.62, -2.6, 0.7))]
        cases += [("oscillator", oscillator, until, {"k": k, "e": e})
                  for until, k, e in ((0.5, 39, 0.5), (0.71, 23, 0.7), (1.13, 51, 0.8), (1.9, 31, 0.6))]
        for model, exact, until, values in cases:
            sets = [word for name, value in values.items() for word in ("--set", f"{name}={value}")]
            for steps in (40, 53):
                dt = until / steps
                found = self.compare(model, *sets, "--until", until, "--dt", dt, "--schemes", "moreau", "--repeat", 1)
                reference = found["moreau"]["reference"]
                stages = ["--stages", 3] if reference["scheme"] == "lobatto" else []
                final = run_summary(model, *sets, "--until", until, "--dt", reference["dt"],
                                    "--scheme", reference["scheme"], *stages)["final"]
                error = max(abs(final[name] - value) for name, value in exact(until, **values).items())
                with self.subTest(model=model, until=until, steps=steps):
                    self.assertLessEqual(error, reference["uncertainty"])
                    self.assertLess(reference["uncertainty"], 0.3)

    def test_setting_is_for_the_schemes_that_read_it(self):
        words = ["bouncing-ball", "--schemes", "moreau,moreau-jean"]
        plain, other = self.compare(*words), self.compare(*words, "--theta", 1)
        self.assertEqual(plain["moreau"]["final"], other["moreau"]["final"])
        self.assertNotEqual(plain["moreau-jean"]["final"], other["moreau-jean"]["final"])
        self.expect(USAGE, "compare", "bouncing-ball", "--schemes", "moreau", "--theta", 1,
                    says="--theta")

    def test_figure_has_all_schemes(self):
        path = self.here / "a.svg"
        self.expect(DONE, *BALL, "-o", path)
        svg = path.read_text()
        for text in ("moreau<", "moreau-jean<", "Bouncing ball"):
            self.assertIn(text, svg)
        self.expect(DONE, *BALL, "-o", path, "--y", "q,floor.gap", "--y", "floor.P_N")
        self.assertIn("floor.P_N", path.read_text())
        self.expect(DONE, *BALL, "-o", self.here / "b.png", "--threads", 2)
        self.assertEqual((self.here / "b.png").read_bytes()[:4], b"\x89PNG")

    def test_threads_change_nothing_but_the_times(self):
        def without_times(tree):
            return {key: without_times(value) if isinstance(value, dict) else value
                    for key, value in tree.items() if key not in ("wall", "cost")}
        words = ["slider-crank", "--until", 0.005, "--frictionless"]
        found = [without_times(self.compare(*words, "--threads", n)) for n in (1, 2, 5, 64)]
        self.assertEqual(len(found[0]), 8)
        for other in found[1:]:
            self.assertEqual(list(other), list(found[0]))  # in the same order
            self.assertEqual(other, found[0])

    def test_wrong_usage(self):
        ball = ["compare", "bouncing-ball"]
        for words, says in (
            (["compare"], "which model"),
            ([*ball, "--schemes", "moreau,euler"], "no scheme 'euler'"),
            ([*ball, "--schemes", "moreau,moreau"], "twice"),
            ([*ball, "--schemes", "moreau,"], "empty"),
            ([*ball, "--reference-dt", 0.03], "does not divide"),
            ([*ball, "--reference-dt", 0.1], "does not divide"),
            ([*ball, "--dt", 5], "not reached"),
            ([*ball, "--y", "q"], "-o"),
            ([*ball, "--y", "flor.gap", "-o", "a.png"], "did you mean 'floor.gap'"),
            ([*ball, "-o", "a.gif"], ".png or .svg"),
            ([*ball, "--dt", 1e-9, "-o", "a.png"], "GB"),
        ):
            self.assertEqual(self.expect(USAGE, *words, says=says), "")
        self.expect(MODEL, "compare", "nosuch.yaml", says="nosuch.yaml")


if __name__ == "__main__":
    unittest.main()
