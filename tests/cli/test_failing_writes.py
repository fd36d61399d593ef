"""Whatever write fails, from the first or the hundredth on: the program says that it cannot write and ends with 4. If one fails
alone, nothing crashes, and what is not whole is told.

The library that makes writes fail is the last argument."""
import os
import shutil
import subprocess
import sys
import unittest

FAILING = os.path.abspath(sys.argv.pop())

from program import DONE, OUTPUT, PERCUSS, ProgramTest  # noqa: E402
from program import MODEL as DAMAGED  # noqa: E402

MODEL = "models/bouncing-ball.yaml"


class FailingWritesTest(ProgramTest):
    def each_write(self, *words, begin=lambda: None):
        """Returns how many writes there are."""
        for n in [*range(20), *(int(20 * 1.25**k) for k in range(14))]:
            for once in ({}, {"FAIL_ONCE": "1"}):
                begin()
                done = subprocess.run([PERCUSS, *map(str, words)], capture_output=True, text=True, timeout=60, check=False,
                                      env={**os.environ, "LD_PRELOAD": FAILING, "FAIL_WRITE": str(n), **once})
                if not once and done.returncode == DONE:
                    return n
                # HDF5 does not tell of every write that fails once; then the file is found to be damaged.
                self.assertIn(done.returncode, (DONE, OUTPUT, DAMAGED) if once else (OUTPUT,), f"write {n}: {done.stderr}")
                self.assertEqual(bool(done.stderr), done.returncode != DONE)
        return n

    def test_a_run(self):
        self.assertGreater(self.each_write("run", MODEL, "--until", "0.05", "--out", self.here / "a.h5"), 50)

    def test_a_resume(self):
        part, out = self.here / "part.h5", self.here / "a.h5"
        self.expect(DONE, "run", MODEL, "--until", "0.2", "--out", part)
        count = self.each_write("run", MODEL, "--resume", out, "--until", "0.3", begin=lambda: shutil.copy(part, out))
        self.assertGreater(count, 50)

    def test_a_sweep(self):
        for table in ("a.csv", "a.h5"):
            words = ("--set", "e=0.1:0.9:3", "--collect", "final.q", "--until", "0.05", "--out", self.here / table)
            self.assertGreater(self.each_write("sweep", MODEL, *words, begin=lambda: (self.here / table).unlink(missing_ok=True)), 2)


if __name__ == "__main__":
    unittest.main()
