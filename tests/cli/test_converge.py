"""percuss converge: errors recomputed from result files, orders that are known, wrong usage."""
import csv
import json
import math
import os
import subprocess
import unittest

from program import (DONE, FAILED, MODEL, MODELS, OUTPUT, PERCUSS, USAGE, ProgramTest, figure, percuss,
                     run_model)

BALL = ["converge", MODELS / "bouncing-ball.yaml", "--scheme", "moreau-jean", "--until", 4]


def table(path):
    """The columns of a result by their names, without units."""
    target = path.with_suffix(".csv")
    names = percuss("plot", path, "--list").stdout.split("\n")
    names = [line.split()[0] for line in names if line]
    done = percuss("export", path, "--csv", target, "--columns", ",".join(names))
    assert done.returncode == DONE, done.stderr
    rows = list(csv.reader(target.read_text().splitlines()))
    heads = [head.split(" [")[0] for head in rows[0]]
    return {head: [float(row[i]) for row in rows[1:]] for i, head in enumerate(heads)}


def combine(norm, dt, errors):
    """`errors`: a list over the times of lists over the components."""
    largest = [max(map(abs, e)) for e in errors]
    return {
        "max": max(largest),
        "l1": sum(largest) / len(largest),
        "l2": math.sqrt(sum(x * x for x in largest) / len(largest)),
        "rattle": max(dt * sum(abs(e[k]) for e in errors) for k in range(len(errors[0]))),
        "lobatto": dt * sum(abs(x) for e in errors for x in e),
    }[norm]


class Converge(ProgramTest):

    def converge(self, *words):
        return json.loads(self.expect(DONE, *words, "--json", "--quiet"))

    def test_bouncing_ball_under_moreau_jean_is_of_order_one(self):
        found = self.converge(*BALL, "--dt", "0.02,0.01,0.005", "--reference-dt", 1e-4)
        self.assertEqual(list(found), ["dt", "error", "order", "spread"])
        self.assertEqual(found["dt"], [0.02, 0.01, 0.005])
        for group in ("error", "order", "spread"):  # there is no friction, hence no P_F
            self.assertEqual(list(found[group]), ["q", "u", "P_N"])
        self.assertEqual([len(e) for e in found["error"].values()], [3, 3, 3])
        self.assertAlmostEqual(found["order"]["q"], 1, delta=0.1)
        self.assertLess(found["spread"]["q"], 0.1)
        # At the impacts velocities differ by a jump, however small the step.
        self.assertGreater(min(found["error"]["u"]), 1)
        for norm in ("l1", "rattle", "lobatto"):
            found = self.converge(*BALL, "--dt", "0.02,0.01,0.005", "--norm", norm)
            for part in ("q", "u", "P_N"):
                self.assertAlmostEqual(found["order"][part], 1, delta=0.15, msg=f"{norm} {part}")

    def test_smooth_motion_is_of_order_two(self):
        found = self.converge("converge", "oscillator", "--dt", "0.02,0.01,0.005", "--until", 0.2)
        for part in ("q", "u"):
            self.assertAlmostEqual(found["order"][part], 2, delta=0.02)
        self.assertEqual(found["error"]["P_N"], [0, 0, 0])
        self.assertIsNone(found["order"]["P_N"])

    def test_order_and_spread_are_those_of_least_squares(self):
        found = self.converge(*BALL, "--dt", "0.04,0.02,0.01,0.005")
        x = [math.log(dt) for dt in found["dt"]]
        y = [math.log(e) for e in found["error"]["q"]]
        x0, y0 = sum(x) / 4, sum(y) / 4
        xx = sum((a - x0) ** 2 for a in x)
        order = sum((a - x0) * (b - y0) for a, b in zip(x, y)) / xx
        rest = sum((b - y0 - order * (a - x0)) ** 2 for a, b in zip(x, y))
        self.assertAlmostEqual(found["order"]["q"], order, places=10)
        self.assertAlmostEqual(found["spread"]["q"], math.sqrt(rest / 2 / xx), places=10)
        found = self.converge(*BALL, "--dt", "0.02,0.01")
        self.assertIsNone(found["spread"]["q"])  # a line through two points fits always

    def test_errors_are_those_of_result_files_in_every_norm(self):
        steps, small, parts = (1e-3, 5e-4), 1e-4, (10, 5)
        tables = {}
        for dt in (*steps, small):
            out = self.here / f"{dt}.h5"
            run_model("slider-crank-minimal", out, "--dt", dt, "--until", 0.02)
            tables[dt] = table(out)
        names = list(tables[small])
        columns = {"q": ["th1", "th2", "th3"], "u": ["th1'", "th2'", "th3'"],
                   "P_N": [n for n in names if n.endswith(".P_N")],
                   "P_F": [n for n in names if n.endswith(".P_F")]}
        self.assertEqual([len(v) for v in columns.values()], [3, 3, 4, 4])
        ref = tables[small]

        def reference(part, name, n, m):
            if part in ("P_N", "P_F"):
                return sum(ref[name][(n - 1) * m + 1:n * m + 1])
            return ref[name][n * m]

        for norm in ("max", "l1", "l2", "rattle", "lobatto"):
            found = self.converge("converge", "slider-crank-minimal", "--dt", "1e-3,5e-4", "--until",
                                  0.02, "--reference-dt", small, "--norm", norm)
            for i, (dt, m) in enumerate(zip(steps, parts)):
                run = tables[dt]
                for part, group in columns.items():
                    errors = [[run[name][n] - reference(part, name, n, m) for name in group]
                              for n in range(1, len(run["time"]))]
                    expected = combine(norm, dt, errors)
                    self.assertGreater(expected, 0)
                    self.assertAlmostEqual(found["error"][part][i] / expected, 1, places=9)
                if norm == "rattle":  # increments of the coarse and of the small step, as they are
                    errors = [[run[name][n] - ref[name][n * m] for name in columns["P_N"]]
                              for n in range(1, len(run["time"]))]
                    self.assertAlmostEqual(
                        found["error"]["P_N_paper"][i] / combine(norm, dt, errors), 1, places=9)
            self.assertEqual("P_F_paper" in found["error"], norm == "rattle")

    def test_stored_reference_gives_what_a_run_does(self):
        out = self.here / "reference.h5"
        run_model("slider-crank-minimal", out, "--dt", 1e-4, "--until", 0.02)
        words = ["converge", "slider-crank-minimal", "--dt", "1e-3,5e-4", "--until", 0.02]
        stored = self.converge(*words, "--reference", out)
        self.assertEqual(stored, self.converge(*words, "--reference-dt", 1e-4))
        # In closed contact the percussions of many small steps add up to those of a large one.
        slope = self.here / "slope.h5"
        run_model("slope", slope, "--scheme", "rattle", "--dt", 1e-3, "--until", 0.2, "--tol", 1e-14)
        sliding = ["converge", "slope", "--scheme", "rattle", "--dt", "0.02,0.01", "--until", 0.2]
        closed = self.converge(*sliding, "--reference", slope)
        self.assertEqual(closed, self.converge(*sliding, "--reference-dt", 1e-3))
        self.assertLess(closed["error"]["P_N"][1], 1e-4)
        # With holes between its rows, percussions cannot be summed up.
        run_model("slider-crank-minimal", out, "--dt", 1e-4, "--until", 0.02, "--every", 5)
        thinned = self.converge(*words, "--reference", out)
        self.assertEqual(list(thinned["error"]), ["q", "u"])
        self.assertEqual(thinned["error"]["q"], stored["error"]["q"])
        self.expect(USAGE, *words[:-1], 0.03, "--reference", out, says="ends at 0.02")
        self.expect(MODEL, "converge", "oscillator", "--dt", "1e-3,5e-4", "--until", 0.01,
                    "--reference", out, says="another model")
        self.expect(MODEL, *words, "--reference", self.here / "none.h5", says="none.h5")

    def test_errors_of_the_ball_against_its_exact_motion(self):
        """Against Ballard's motion, coded here once more; the reference figures of the four schemes."""
        def exact(t):  # q, q' of the ball with f = -2, e = 1/2 from q = 1: impacts at 1, 2, 2.5, ...
            if t >= 3:
                return 0.0, 0.0
            start, speed = -1.0, 2.0  # as if it had come from the floor
            while t >= start + speed:
                start, speed = start + speed, speed / 2
            return speed * (t - start) - (t - start) ** 2, speed - 2 * (t - start)

        dts = [0.1 / math.sqrt(2) / 2 ** j for j in range(4)]
        steps = ",".join(map(repr, dts))
        for scheme, coarse, fine in (
                ("schatzman-paoli", 0.1345, 0.01757), ("moreau-jean", 0.2766, 0.03596),
                ("direct-projection", 0.1603, 0.02360), ("combined-projection", 0.05698, 0.00757)):
            ball = ["converge", "bouncing-ball", "--scheme", scheme, "--until", 4, "--dt", steps]
            found = self.converge(*ball, "--reference", "exact")
            self.assertAlmostEqual(found["error"]["q"][0] / coarse, 1, delta=5e-4)
            self.assertAlmostEqual(found["error"]["q"][3] / fine, 1, delta=5e-4)
            out = self.here / "run.h5"
            run_model("bouncing-ball", out, "--scheme", scheme, "--dt", dts[1], "--until", 4)
            run = table(out)
            at = [exact(t) for t in run["time"]]
            errors = {"q": [[q - x] for q, (x, _) in zip(run["q"], at)][1:],
                      "u": [[u - v] for u, (_, v) in zip(run["q'"], at)][1:],
                      # what the percussion has to be: change of momentum less that of the weight
                      "P_N": [[P - (b[1] - a[1] + 2 * dts[1])]
                              for P, a, b in zip(run["floor.P_N"][1:], at, at[1:])]}
            for norm in ("max", "l1", "l2", "rattle", "lobatto"):
                found = self.converge(*ball, "--reference", "exact", "--norm", norm)
                self.assertEqual(list(found["error"]), ["q", "u", "P_N"])
                for part, e in errors.items():
                    self.assertAlmostEqual(found["error"][part][1] / combine(norm, dts[1], e), 1,
                                           delta=1e-9)

    @figure
    def test_orders_of_acary_figure_2(self):
        """Positions 1 in all norms; velocities, wrong by a jump for O(dt): 0 in max, 1 in l1, 1/2 in l2.

        Combined projection is not in the figure. Its errors depend so much on where in a step the
        impacts fall that eight steps give its velocities no order worth testing."""
        schemes = ("schatzman-paoli", "moreau-jean", "direct-projection", "combined-projection")
        for model, longest, until in (("bouncing-ball", 0.1, 4), ("oscillator", 0.01, 2)):
            steps = ",".join(repr(longest / math.sqrt(2) / 2 ** j) for j in range(8))
            for scheme in schemes:
                for norm, order, near in (("max", 0, 0.05), ("l1", 1, 0.15), ("l2", 0.5, 0.05)):
                    found = self.converge("converge", model, "--scheme", scheme, "--until", until,
                                          "--dt", steps, "--reference", "exact", "--norm", norm)
                    about = f"{model} under {scheme} in {norm}: {found['order']}"
                    self.assertAlmostEqual(found["order"]["q"], 1, delta=0.1, msg=about)
                    if scheme != "combined-projection":
                        self.assertAlmostEqual(found["order"]["u"], order, delta=near, msg=about)

    def test_errors_of_many_stages_are_not_those_of_the_iteration(self):
        """Lobatto's Fig. 9, case 1, as one types it: no floor above round-off, and --tol has its say."""
        out = self.here / "slope.h5"
        run_model("slope", out, "--set", "m=1", "--scheme", "lobatto", "--stages", 6, "--dt", 3.2e-3,
                  "--until", 1.6, "--tol", 1e-14)
        words = ["converge", "slope", "--set", "m=1", "--scheme", "lobatto", "--until", 1.6,
                 "--norm", "lobatto", "--reference", out, "--dt", "0.0032,0.0064,0.0128,0.0256"]
        found = self.converge(*words, "--stages", 3)
        self.assertAlmostEqual(found["order"]["q"], 4, delta=0.02)
        self.assertAlmostEqual(found["error"]["q"][0] / 2.905e-12, 1, delta=0.02)
        self.assertAlmostEqual(found["error"]["q"][3] / 1.188e-8, 1, delta=0.02)
        found = self.converge(*words, "--stages", 5)
        self.assertLess(max(found["error"]["q"]), 1e-12)
        found = self.converge(*words, "--stages", 5, "--tol", 1e-10)
        self.assertGreater(max(found["error"]["q"]), 1e-11)

    @figure
    def test_exact_motion_of_other_parameters(self):
        """Without accumulation, with sticking, with damping: the small-step errors agree."""
        for words in (["bouncing-ball", "--set", "e=1"], ["bouncing-ball", "--set", "e=0"],
                      ["bouncing-ball", "--set", "v0=1", "--set", "f=-3", "--set", "e=0.7"],
                      ["oscillator", "--set", "e=0.9", "--set", "v0=-2"],
                      ["oscillator", "--set", "c=2", "--set", "m=3", "--set", "q0=0.3"]):
            words = ["converge", *words, "--until", 1.9, "--norm", "l1", "--dt"]
            one = self.converge(*words, "0.007,0.0037", "--reference", "exact")
            other = self.converge(*words, "0.007,0.0037", "--reference-dt", 1e-5)
            for a, b in zip(one["error"]["q"], other["error"]["q"]):
                self.assertAlmostEqual(a / b, 1, delta=0.03, msg=str(words))

    def test_exact_motion_is_compared_as_far_as_it_is_given(self):
        model = self.here / "two.yaml"
        text = ("percuss: 1\nparameters: {g: 10}\ncoordinates: {x: {velocity: 1}, y: 1}\n"
                "kinetic: (x'^2 + y'^2)/2\npotential: g*y + x^2/2\n")
        model.write_text(text + "exact: {x: sin(t)}\n")
        words = ["converge", model, "--dt", "0.1,0.05,0.025", "--until", 1, "--reference", "exact"]
        found = self.converge(*words)
        self.assertEqual(list(found["error"]), ["q"])
        self.assertAlmostEqual(found["order"]["q"], 2, delta=0.01)
        self.assertIn("the exact motion", self.expect(DONE, *words))
        model.write_text(text + "exact: {x: log(t - 1/2)}\n")
        self.expect(MODEL, *words, says=["exact x", "not a finite number at t = 0 s"])
        model.write_text(text)
        self.expect(MODEL, *words, says=["two.yaml", "no 'exact:'"])
        model.write_text(text + "exact: {z: 1}\n")
        self.expect(MODEL, *words, says=["two.yaml:6:9", "'z' is no coordinate"])
        self.expect(USAGE, *words, "--reference-dt", 1e-3, says="exclude")

    def test_reference_keeps_only_what_is_compared(self):
        """16 000 states of 1000 elements would be 256 MB."""
        words = [PERCUSS, "converge", str(MODELS / "impacting-bar.yaml"), "--set", "N=1000", "--dt",
                 "1e-5,5e-6", "--until", "4e-5", "--reference-dt", "2.5e-9"]
        with subprocess.Popen(words, stdout=subprocess.DEVNULL) as child:
            _, status, used = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(child.returncode, DONE)
        self.assertLess(used.ru_maxrss, 160_000)  # KB

    def test_steps_between_the_reference_s_are_interpolated(self):
        words = ["converge", "oscillator", "--dt", "0.02,0.01", "--until", 0.2]
        exact = self.converge(*words, "--reference-dt", 1e-4)
        between = self.converge(*words, "--reference-dt", 0.7e-4)
        for a, b in zip(exact["error"]["q"], between["error"]["q"]):
            self.assertAlmostEqual(a / b, 1, places=3)

    def test_threads_change_nothing(self):
        words = [*BALL, "--dt", "0.04,0.02,0.01,0.005"]
        for form in ([], ["--json"]):
            outputs = {self.expect(DONE, *words, *form, "--threads", n) for n in (1, 2, 4, 64)}
            self.assertEqual(len(outputs), 1)

    def test_table_has_a_line_per_step_and_says_what_the_reference_is(self):
        out = self.expect(DONE, *BALL, "--dt", "0.02,0.01,0.005", "--reference-dt", 1e-3)
        lines = out.splitlines()
        self.assertEqual([line.split()[0] for line in lines[:6]],
                         ["dt", "20", "10", "5", "order", "spread"])
        self.assertIn("dt = 1 ms", lines[-1])

    def test_figure(self):
        for name, begin in (("a.png", b"\x89PNG"), ("a.svg", b"<?xml")):
            path = self.here / name
            self.expect(DONE, *BALL, "--dt", "0.02,0.01", "-o", path)
            self.assertEqual(path.read_bytes()[:len(begin)], begin)
        svg = (self.here / "a.svg").read_text()
        for text in ("slope 1", "slope 2", "Bouncing ball", "P_N, order"):
            self.assertIn(text, svg)
        self.expect(OUTPUT, *BALL, "--dt", "0.02,0.01", "-o", "/nonexistent/a.png",
                    says="/nonexistent/a.png")
        self.assertEqual(self.files(), ["a.png", "a.svg"])

    def test_wrong_usage(self):
        ball = ["converge", "bouncing-ball"]
        two = ["--dt", "0.02,0.01"]
        for words, says in (
            (["converge"], "which model"),
            (ball, "two steps"),
            ([*ball, "--dt", "0.1"], "two steps"),
            ([*ball, "--dt", "0.1,0.1"], "twice"),
            ([*ball, "--dt", "0.1,"], "positive"),
            ([*ball, "--dt", "0.1,-1"], "positive"),
            ([*ball, "--dt", "0.1,nan"], "positive"),
            ([*ball, "--dt", "0.1,5"], "not reached"),
            ([*ball, "--dt", "0.1,1e-30"], "too small"),
            ([*ball, *two, "--norm", "l3"], "rattle"),
            ([*ball, *two, "--scheme", "moreau-jan"], "did you mean 'moreau-jean'"),
            ([*ball, *two, "--scheme", "moreau", "--theta", 1], "moreau-jean"),
            ([*ball, *two, "--theta", 7], "0.5 to 1"),
            ([*ball, *two, "--reference-dt", "0.01"], "not smaller"),
            ([*ball, *two, "--reference-dt", "1e-3,1e-4"], "more than 1"),
            ([*ball, *two, "--reference-dt", "1e-3", "--reference", "x.h5"], "exclude"),
            ([*ball, "--dt", "2e-8,1e-8"], "GB"),
            ([*ball, *two, "--threads", 0], "--threads"),
            ([*ball, *two, "-o", "a.pdf"], ".png or .svg"),
            ([*ball, *two, "--set", "nosuch=1"], "nosuch"),
        ):
            self.assertEqual(self.expect(USAGE, *words, says=says), "")
        self.expect(MODEL, "converge", "nosuch.yaml", *two, says="nosuch.yaml")

    def test_run_that_fails_says_which(self):
        bad = self.here / "root.yaml"
        bad.write_text("percuss: 1\ncoordinates: {x: {velocity: 1}}\nkinetic: x'^2/2\n"
                       "forces: {x: sqrt(1 - x)}\n")
        out = self.expect(FAILED, "converge", bad, "--dt", "0.02,0.01", "--until", 10,
                          says=["0 ms failed", "t = "])
        self.assertEqual(out, "")


if __name__ == "__main__":
    unittest.main()
