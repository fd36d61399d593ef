"""The same answer on every machine: no BLAS and no elementary function of the C library, which choose their kernels by the
processor."""
import json
import subprocess
import unittest

from program import PERCUSS, MODELS, percuss

# Kernels that any processor of x86-64 can execute.
KERNELS = ["Prescott", "Nehalem"]


# glibc as on a processor without fused multiply-add.
PLAIN = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-FMA,-FMA4,-AVX2"}


def summary(model, scheme, environment, *more):
    done = percuss("run", MODELS / f"{model}.yaml", "--scheme", scheme, "--quiet", "--json", *more, env=environment)
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
            runs = [summary("four-legged-table", scheme, {"OPENBLAS_CORETYPE": kernel}, "--until", "0.05") for kernel in KERNELS]
            self.assertEqual(runs[0], runs[1], scheme)

    def test_the_c_library_does_not_change_a_bit(self):
        """Bodies in the plane and in space, formulas, beams, found contacts, laws of time."""
        for model, scheme, until in (("slider-crank", "moreau-jean", "0.05"), ("slider-crank-minimal", "lobatto", "0.05"),
                                     ("slider-crank-spatial", "rattle", "0.005"), ("tippe-top", "generalized-alpha", "0.05"),
                                     ("flexible-pendulum", "generalized-alpha", "5e-4"), ("dominoes", "moreau-jean", "0.02"),
                                     ("vibrating-table", "moreau", "0.5"), ("gear-rattle", "rattle", "0.05"),
                                     ("flyball-governor", "lobatto", "0.05"), ("bend-45", "moreau-jean", "1")):
            runs = [summary(model, scheme, environment, "--until", until) for environment in ({}, PLAIN)]
            self.assertEqual(runs[0], runs[1], f"{model}, {scheme}")


if __name__ == "__main__":
    unittest.main()
