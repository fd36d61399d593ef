"""percuss solve: problems of FCLib as a person types it, and what is refused."""
import json
import pathlib
import subprocess
import sys
import unittest

MAKE_FCLIB = sys.argv.pop(2)

from program import DONE, FAILED, MODEL, MODELS, OUTPUT, USAGE, ProgramTest, percuss  # noqa: E402


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

    def test_a_solver_by_name_works_alone(self):
        for solver in ("newton", "nsgs", "ipm", "prox"):
            done = percuss("solve", self.problem(), "--solver", solver, "--tol", "1e-6", "--json")
            summary = json.loads(done.stdout)
            self.assertEqual(done.returncode, DONE if summary["status"] == "solved" else FAILED)
            self.assertLessEqual(set(summary["answered"]), {solver, "direct"})
            self.assertEqual(summary["solver"], solver)

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
        self.assertIn("status: ", done.stdout)
        self.assertTrue(out.exists())  # the best that was found

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
