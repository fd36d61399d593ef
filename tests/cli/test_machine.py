"""The same answer on every machine: no BLAS and no elementary function of the C library, which choose their kernels by the
processor."""
import json
import pathlib
import re
import subprocess
import unittest

from program import PERCUSS, MODELS, ProgramTest, percuss

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


def loaded(*words):
    """The libraries that a command loads, HDF5 on demand too, as the loader tells."""
    done = percuss(*words, env={"LD_DEBUG": "files"})
    assert done.returncode == 0, done.stderr
    return [line.split()[-1] for line in done.stderr.splitlines() if "calling init" in line]


# What IEEE 754 defines to the last bit, or what is a choice between numbers.
EXACT = {"sqrt", "fabs", "floor", "ceil", "trunc", "round", "rint", "nearbyint", "lround", "llround", "lrint", "fmod", "remainder",
         "frexp", "ldexp", "scalbn", "modf", "copysign", "nextafter", "fmin", "fmax"}

# For `percuss check` and its advice on dt alone: eigenvalues, in long double, which has other digits on other processors.
ADVICE = {"eigen_general.c.o", "eigen_symmetric.c.o", "krylov.c.o", "quadratic_eigen.c.o", "saddle_lu.c.o", "sparse_rates.c.o"}


def functions_of_libm():
    """The names that the C library's libm exports."""
    listed = subprocess.run(["ldd", PERCUSS], stdout=subprocess.PIPE, text=True, check=True).stdout
    library = re.search(r"libm\.so\.6 => (\S+)", listed).group(1)
    names = subprocess.run(["nm", "-D", "--defined-only", library], stdout=subprocess.PIPE, text=True, check=True).stdout
    return {line.split()[-1].split("@")[0] for line in names.splitlines()}


class Machine(ProgramTest):
    def test_the_libraries_use_nothing_of_libm_but_what_is_exact(self):
        libm = functions_of_libm()
        self.assertTrue({"hypot", "pow", "sin", "fma"} <= libm)
        found = set()
        for library in ("libpercuss.a", "libpercuss-io.a"):
            names = subprocess.run(["nm", "-A", "-u", pathlib.Path(PERCUSS).parent / library], stdout=subprocess.PIPE, text=True,
                                   check=True).stdout
            for line in names.splitlines():
                place, _, name = line.split()[0], *line.split()[-2:]
                unit = place.split(":")[1]
                if name in libm - EXACT and unit not in ADVICE:
                    found.add((unit, name))
        self.assertEqual(found, set())

    def test_the_program_is_not_linked_with_blas(self):
        libraries = subprocess.run(["ldd", PERCUSS], stdout=subprocess.PIPE, text=True, check=True)
        self.assertIn("libklu", libraries.stdout)
        for name in ("blas", "lapack", "cholmod"):
            self.assertNotIn(name, libraries.stdout)

    def test_no_blas_is_loaded_while_it_runs(self):
        for words in (("run", MODELS / "cantilever.yaml", "--until", "0.01", "--out", self.here / "c.h5"),
                      ("run", MODELS / "four-legged-table.yaml", "--until", "0.01", "--scheme", "lobatto"),
                      ("check", MODELS / "cantilever.yaml"),
                      ("reproduce", "rattle-fig2", "--out", self.here)):
            libraries = loaded(*words, *([] if words[0] == "check" else ["--quiet"]))
            self.assertTrue(any("libklu" in name for name in libraries), libraries)
            for name in libraries:
                self.assertNotRegex(name, "blas|lapack|mkl|cholmod")

    def test_kernels_do_not_change_a_bit_of_a_check(self):
        said = [percuss("check", MODELS / "cantilever.yaml", env={"OPENBLAS_CORETYPE": kernel}).stdout for kernel in KERNELS]
        self.assertIn("vibration", said[0])
        self.assertEqual(said[0], said[1])

    def test_nothing_changes_a_bit_of_the_reproduction(self):
        """Each scheme, in the plane and in space, bars and beams: the verdicts with all their digits, and the curves."""
        items = ["acary-fig2", "acary-fig8", "acary-fig9", "acary-fig16", "acary-fig26", "rattle-table1", "lobatto-fig6",
                 "alpha-fig5", "alpha-fig14", "benchmarks-bricard", "benchmarks-tops"]
        made = []
        for i, environment in enumerate([{"OPENBLAS_CORETYPE": kernel} for kernel in KERNELS] + [PLAIN]):
            done = percuss("reproduce", *items, "--out", self.here / str(i), "--quiet", env=environment)
            self.assertEqual(done.returncode, 0, done.stderr)
            made.append({path.name: path.read_text() for item in items for path in (self.here / str(i)).glob(f"{item}.*")})
        self.assertGreaterEqual(len(made[0]), 3 * len(items) - 1)  # a table has no curves
        self.assertEqual(made[0], made[1])
        self.assertEqual(made[0], made[2])

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
