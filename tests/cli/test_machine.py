"""The same answer on every machine: no BLAS, which chooses its kernels by the processor."""
import json
import subprocess
import unittest

from program import PERCUSS, MODELS, percuss

# Kernels that any processor of x86-64 can execute.
KERNELS = ["Prescott", "Nehalem"]


def summary(model, scheme, kernel):
    done = percuss("run", MODELS / f"{model}.yaml", "--scheme", scheme, "--until", "0.05", "--quiet",
                   "--json", env={"OPENBLAS_CORETYPE": kernel})
    assert done.returncode == 0, done.stderr
    numbers = json.loads(done.stdout)
    del numbers["wall"]
    return numbers


class Machine(unittest.TestCase):
    def test_the_program_is_not_linked_with_blas(self):
        libraries = subprocess.run(["ldd", PERCUSS], stdout=subprocess.PIPE, text=True, check=True)
        self.assertIn("libklu", libraries.stdout)
        for name in ("blas", "lapack", "cholmod"):
            self.assertNotIn(name, libraries.stdout)

    def test_kernels_do_not_change_a_bit(self):
        for scheme in ("rattle", "lobatto", "combined-projection", "generalized-alpha"):
            runs = [summary("four-legged-table", scheme, kernel) for kernel in KERNELS]
            self.assertEqual(runs[0], runs[1], scheme)


if __name__ == "__main__":
    unittest.main()
