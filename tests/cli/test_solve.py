"""percuss solve: problems of FCLib as a person types it, and what is refused."""
import json
import os
import pathlib
import subprocess
import sys
import unittest

try:
    import h5py
    import numpy as np
except ImportError:  # they are in the system's Python
    if sys.executable == "/usr/bin/python3":
        raise
    os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])

MAKE_FCLIB = sys.argv.pop(2)

from program import DONE, FAILED, MODEL, MODELS, OUTPUT, USAGE, ProgramTest, percuss  # noqa: E402


def write_frictionless(path, W, q):
    """A problem of FCLib in local form: contacts without friction in the plane."""
    rows = [(2 * k, [(2 * j, W[k][j]) for j in range(len(q)) if W[k][j]]) for k in range(len(q))]
    entries = [row for k, row in rows for row in (row, [(k + 1, 1.0)])]
    starts = [sum(len(e) for e in entries[:i]) for i in range(len(entries) + 1)]
    with h5py.File(path, "w") as f:
        local = f.create_group("fclib_local")
        for name, number in (("nzmax", starts[-1]), ("nz", -2), ("m", 2 * len(q)), ("n", 2 * len(q))):
            local["W/" + name] = np.array([number], dtype="i4")
        local["W/p"] = np.array(starts, dtype="i4")
        local["W/i"] = np.array([j for e in entries for j, _ in e], dtype="i4")
        local["W/x"] = np.array([x for e in entries for _, x in e])
        local["spacedim"] = np.array([2], dtype="i4")
        local["vectors/mu"] = np.zeros(len(q))
        local["vectors/q"] = np.array([x for value in q for x in (value, 0.0)])


class SolveTest(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for form in ("local", "global"):
            for where in ("plane", "space"):
                for joints in (0, 20):
                    path = cls.problem(form, where, joints)
                    subprocess.run([MAKE_FCLIB, path, form, where, str(joints)], check=True)

    @classmethod
    def problem(cls, form="local", where="space", joints=0):
        return cls.shared / f"{form}-{where}-{joints}.hdf5"

    def test_every_form_is_solved(self):
        for form in ("local", "global"):
            for where in ("plane", "space"):
                for joints in (0, 20):
                    text = self.expect(DONE, "solve", self.problem(form, where, joints), "--json")
                    summary = json.loads(text)
                    self.assertEqual(summary["form"], form)
                    self.assertEqual(summary["status"], "solved")
                    self.assertEqual(summary["solver"], "auto")
                    self.assertLessEqual(summary["residual"], 1e-12)
                    self.assertEqual(summary["dimension"], 2 if where == "plane" else 3)
                    self.assertEqual(sum(summary["answered"].values()), summary["islands"])

    def test_the_digest_and_all_keys(self):
        lines = self.expect(DONE, "solve", self.problem("local", "plane", 20)).splitlines()
        self.assertLess(len(lines), 8)
        self.assertRegex(lines[1], r"^solved: auto, residual \S+ \(tolerance 1e-12\), \d+ iterations?; took ")
        self.assertRegex(lines[2], r"^problem   \d+ contacts? in the plane, local form, \d+ rows, \d+ equalities$")
        keys = dict(line.split(": ", 1) for line in self.expect(DONE, "solve", self.problem(), "--full").splitlines())
        summary = json.loads(self.expect(DONE, "solve", self.problem(), "--json"))
        self.assertEqual((keys["status"], float(keys["residual"])), ("solved", summary["residual"]))

    def test_a_solver_by_name_works_alone(self):
        for solver in ("newton", "nsgs", "ipm", "prox"):
            done = percuss("solve", self.problem(), "--solver", solver, "--tol", "1e-6", "--json")
            summary = json.loads(done.stdout)
            self.assertEqual(done.returncode, DONE if summary["status"] == "solved" else FAILED)
            self.assertLessEqual(set(summary["answered"]), {solver, "direct"})
            self.assertEqual(summary["solver"], solver)

    def test_a_guess_in_the_file_is_what_solvers_begin_with(self):
        W, q = [[2.0, -1.0, 0.0], [-1.0, 2.0, -1.0], [0.0, -1.0, 2.0]], [-1.0, -2.0, -3.0]
        path = self.here / "guess.hdf5"
        solution = np.linalg.solve(W, [1.0, 2.0, 3.0])  # all contacts close
        iterations = []
        for guess in (None, np.stack([solution, np.zeros(3)], axis=1).ravel()):
            write_frictionless(path, W, q)
            if guess is not None:
                with h5py.File(path, "a") as f:
                    f["guess"] = guess
            summary = json.loads(self.expect(DONE, "solve", path, "--solver", "nsgs", "--json"))
            iterations.append(summary["iterations"])
        self.assertGreater(iterations[0], iterations[1])
        self.assertLessEqual(iterations[1], 2)
        for wrong, why in ((np.zeros(5), "neither one number for each row"), (np.full(6, np.nan), "not finite")):
            write_frictionless(path, W, q)
            with h5py.File(path, "a") as f:
                f["guess"] = wrong
            self.assertIn(why, percuss("solve", path).stderr)
            self.expect(MODEL, "solve", path)

    def test_iterations_are_limited(self):
        for solver in ("nsgs", "ipm", "prox"):
            done = percuss("solve", self.problem(), "--solver", solver, "--max-iterations", "2", "--json")
            summary = json.loads(done.stdout)
            self.assertEqual((done.returncode, summary["status"]), (FAILED, "failed"), solver)
            self.assertLessEqual(summary["iterations"], 2 * summary["islands"], solver)

    def test_a_table_of_all(self):
        text = self.expect(DONE, "solve", self.problem("local", "plane"), "--solver", "all", "--tol",
                           "1e-8")
        for solver in ("auto", "newton", "nsgs", "ipm", "lemke", "prox"):
            self.assertIn(f"\n{solver}", text)
        text = self.expect(DONE, "solve", self.problem(), "--solver", "all", "--json")
        solvers = json.loads(text)["solvers"]
        self.assertEqual(solvers["lemke"]["status"], "not for this problem")
        self.assertIn("dimension", solvers["lemke"]["reason"])
        self.assertEqual(solvers["ipm"]["status"], "solved")

    def test_the_answer_is_written_and_is_a_problem_again(self):
        out = self.here / "solution.hdf5"
        self.expect(DONE, "solve", self.problem(), "-o", out)
        self.assertEqual(self.files(), ["solution.hdf5"])
        again = json.loads(self.expect(DONE, "solve", out, "--json"))
        first = json.loads(self.expect(DONE, "solve", self.problem(), "--json"))
        self.assertEqual(again["residual"], first["residual"])
        dump = subprocess.run(["h5dump", "-n", out], capture_output=True, text=True, check=False)
        if dump.returncode == 0:
            for name in ("/solution/r", "/solution/u", "/fclib_local/W/x"):
                self.assertIn(name, dump.stdout)

    def test_too_few_iterations_are_a_failure(self):
        says = ("nsgs", "stopped after", "1.00e-12")
        out = self.here / "best.hdf5"
        done = percuss("solve", self.problem(), "--solver", "nsgs", "--max-iterations", "1", "-o", out)
        self.assertEqual(done.returncode, FAILED)
        for text in says:
            self.assertIn(text, done.stderr)
        self.assertIn("\nfailed: nsgs, residual ", done.stdout)
        self.assertTrue(out.exists())  # the best that was found

    def test_the_residual_is_that_of_the_whole_problem(self):
        """A contact with an impulse of 1 beside a chain of contacts with 1e-9: what two sweeps leave of
        the chain is large for the chain, but far below the tolerance of the problem."""
        path = self.here / "two-islands.hdf5"
        chain = 60
        W = np.zeros((1 + chain, 1 + chain))
        W[0, 0] = 1.0
        W[1:, 1:] = 2 * np.eye(chain) - np.eye(chain, k=1) - np.eye(chain, k=-1)
        write_frictionless(path, W, [-1.0] + chain * [-1e-9])
        limits = ("--solver", "nsgs", "--max-iterations", "2", "--json")
        whole = json.loads(self.expect(DONE, "solve", path, "--tol", "1e-8", *limits))
        self.assertEqual((whole["status"], whole["islands"]), ("solved", 2))
        self.assertGreater(whole["residual"], 1e-12)
        done = percuss("solve", path, "--tol", "1e-12", *limits)
        self.assertEqual((done.returncode, json.loads(done.stdout)["status"]), (FAILED, "inaccurate"))

    def test_usage(self):
        self.expect(USAGE, "solve", says="which problem")
        self.expect(USAGE, "solve", self.problem(), "more", says="one word too many")
        self.expect(USAGE, "solve", self.problem(), "--solver", "newtno", says=("newtno", "newton"))
        for tolerance in ("0", "-1", "x", "", "nan", "2"):
            self.expect(USAGE, "solve", self.problem(), "--tol", tolerance, says="--tol")
        for count in ("0", "-1", "1.5", "", "99999999999999999999"):
            self.expect(USAGE, "solve", self.problem(), "--max-iterations", count,
                        says="--max-iterations")
        self.expect(USAGE, "solve", self.problem(), "--solver", "lemke", says="dimension 0 to 1")
        self.expect(USAGE, "solve", self.problem(), "-o", "", says="empty")
        self.expect(USAGE, "solve", self.problem(), "-o", self.problem())

    def test_what_is_no_problem(self):
        self.expect(MODEL, "solve", self.here / "nothing.hdf5", says="No such file")
        self.expect(MODEL, "solve", self.here, says="Is a directory")
        self.expect(MODEL, "solve", MODELS / "slider-crank.yaml", says="not an HDF5 file")
        short = self.here / "short.hdf5"
        short.write_bytes(pathlib.Path(self.problem()).read_bytes()[:3000])
        self.expect(MODEL, "solve", short, says="short.hdf5")

    def test_output_that_cannot_be_written(self):
        self.expect(OUTPUT, "solve", self.problem(), "-o", self.here / "no" / "where.hdf5",
                    says="where.hdf5")


if __name__ == "__main__":
    unittest.main()
