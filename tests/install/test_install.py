#!/usr/bin/env python3
"""The installed percuss, as its users meet it.

usage: test_install.py CMAKE SOURCE BUILD CC CXX   (BUILD holds a finished build)
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

CMAKE, SOURCE, BUILD, CC, CXX = sys.argv[1:6]
CONSUMER = pathlib.Path(SOURCE, "tests/install/consumer")
WORK = pathlib.Path(tempfile.mkdtemp(prefix="percuss-install-"))
PREFIX = WORK / "prefix"


def run(*command, check=True, **options):
    done = subprocess.run([str(c) for c in command], text=True, capture_output=True, **options)
    if check and done.returncode != 0:
        raise AssertionError(f"{command} ended with {done.returncode}\n{done.stdout}{done.stderr}")
    return done


def configure(name, *options, check=True):
    return run(CMAKE, "-S", CONSUMER, "-B", WORK / name, "-G", "Ninja", "--fresh",
               f"-DCMAKE_C_COMPILER={CC}", f"-DCMAKE_CXX_COMPILER={CXX}", *options, check=check)


def find(version, check=True):
    return configure(f"find-{version}", f"-DCMAKE_PREFIX_PATH={PREFIX}",
                     f"-DPERCUSS_WANTED={version}", check=check)


def setUpModule():
    run(CMAKE, "--install", BUILD, "--prefix", PREFIX)


def tearDownModule():
    shutil.rmtree(WORK)


def version():
    """Of the installed headers: (major, minor, patch)."""
    text = (PREFIX / "include/percuss/version.h").read_text()
    return tuple(int(n) for n in re.search(r'"(\d+)\.(\d+)\.(\d+)"', text).groups())


def minor():
    return "{}.{}".format(*version())


def model():
    return PREFIX / "share/percuss/models/slider-crank.yaml"


def program_says():
    done = run(PREFIX / "bin/percuss", "run", "slider-crank", "--json", cwd=WORK)
    return json.loads(done.stdout)["final"]["slider"]["angle"]


class Libraries(unittest.TestCase):
    def check_programs(self, ball, crank):
        height = float(run(ball).stdout)
        self.assertLess(abs(height), 0.01, "the ball rests on the floor")
        self.assertEqual(float(run(crank, model()).stdout), program_says())

    def test_programs_find_the_package_with_cmake(self):
        find(minor())
        folder = WORK / f"find-{minor()}"
        run(CMAKE, "--build", folder)
        self.check_programs(folder / "ball", folder / "crank")

    def test_programs_find_the_package_with_pkg_config(self):
        config = next(PREFIX.rglob("percuss.pc")).parent
        environment = dict(os.environ, PKG_CONFIG_PATH=str(config))
        for compiler, name, package in ((CC, "ball.c", "percuss"), (CXX, "crank.cpp", "percuss-io")):
            flags = run("pkg-config", "--cflags", "--libs", f"{package} >= {minor()}",
                        env=environment).stdout.split()
            run(compiler, CONSUMER / name, "-o", WORK / name.split(".")[0], *flags,
                f"-Wl,-rpath,{config.parent}")
        self.check_programs(WORK / "ball", WORK / "crank")

    def test_other_versions_are_refused(self):
        major, its_minor, patch = version()
        for wanted in ("99", "0.0.1", f"{major}.{its_minor + 1}", f"{major + 1}.0",
                       f"{major}.{its_minor}.{patch + 1}"):
            done = find(wanted, check=False)
            self.assertNotEqual(done.returncode, 0, wanted)
            self.assertIn("compatible with requested version", " ".join(done.stderr.split()))
        find(f"{major}.{its_minor}.{patch}")

    def test_another_project_can_contain_percuss(self):
        configure("inside", f"-DPERCUSS_SOURCE={SOURCE}")
        tests = run("ctest", "-N", cwd=WORK / "inside/percuss")
        self.assertIn("Total Tests: 0", tests.stdout)

    def test_symbols_are_those_of_the_public_headers(self):
        public = set()
        for header in (PREFIX / "include/percuss").glob("*.h"):
            text = " ".join(header.read_text().split())
            public |= set(re.findall(r"PC_API\b[^;(]*?\b(pc_\w+)\(", text))
        sibling = set()
        for header in pathlib.Path(SOURCE, "src").rglob("*.h"):
            text = " ".join(header.read_text().split())
            sibling |= set(re.findall(r"PC_SIBLING_API\b[^;(]*?\b(pc_\w+)\(", text))
        self.assertEqual((public, sibling), self.exported())

    def exported(self):
        """The symbols with the version of the interface, and those between the two libraries."""
        found = (set(), set())
        for name in ("libpercuss.so", "libpercuss-io.so"):
            library = next(PREFIX.rglob(name))
            for line in run("nm", "-D", "--defined-only", library).stdout.splitlines():
                _, kind, symbol = line.split()
                name, _, version = symbol.partition("@@")
                if kind != "A":  # the versions themselves
                    found[version.startswith("PERCUSS_PRIVATE_")].add(name)
        return found

    def test_libraries_have_versions(self):
        for name in ("libpercuss", "libpercuss-io"):
            library = next(PREFIX.rglob(f"{name}.so"))
            self.assertTrue(library.resolve().name.startswith(f"{name}.so.{minor()}."))
            header = run("readelf", "-d", library).stdout
            self.assertRegex(header, rf"soname: \[{name}\.so\.{minor()}\]")


class Program(unittest.TestCase):
    def test_program_finds_its_models(self):
        listed = run(PREFIX / "bin/percuss", "list", "models", cwd=WORK).stdout
        for file in pathlib.Path(SOURCE, "models").glob("*.yaml"):
            self.assertRegex(listed, rf"(?m)^{file.stem} ")

    def test_destdir_is_honoured(self):
        stage = WORK / "stage"
        run(CMAKE, "--install", BUILD, "--prefix", "/opt/percuss",
            env=dict(os.environ, DESTDIR=str(stage)))
        self.assertTrue((stage / "opt/percuss/bin/percuss").exists())

    def test_man_page_has_every_option_and_no_warning(self):
        page = PREFIX / "share/man/man1/percuss.1"
        shown = page.read_text().replace("\\-", "-")
        for command in self.commands():
            for option in self.options(command):
                self.assertRegex(shown, rf"\\fB(-\w, )?{option}\\fR")
        if shutil.which("groff"):
            done = run("groff", "-man", "-Tutf8", "-ww", page)
            self.assertEqual(done.stderr, "")

    def test_completion_completes(self):
        self.assertEqual(self.complete("percuss", "ru"), ["run"])
        self.assertEqual(self.complete("percuss", "run", "x", "--sch"), ["--scheme"])
        self.assertIn("moreau-jean", self.complete("percuss", "run", "x", "--scheme", "mor"))
        self.assertIn("schemes", self.complete("percuss", "list", "sch"))
        self.assertIn("run", self.complete("percuss", "help", "r"))
        for command in self.commands():
            for option in self.options(command):
                self.assertIn(option, self.complete("percuss", command, "x", "--"))

    def commands(self):
        names = set(re.findall(r"(?m)^  percuss (\w+)", run(PREFIX / "bin/percuss", "help").stdout))
        self.assertIn("run", names)
        return names

    def options(self, command):
        """The long options that 'percuss help COMMAND' lists."""
        page = run(PREFIX / "bin/percuss", "help", command).stdout
        return re.findall(r"(?m)^  (?:-\w, )?(--[\w-]+)", page)

    def complete(self, *words):
        script = PREFIX / "share/bash-completion/completions/percuss"
        quoted = " ".join(f"'{w}'" for w in words)
        return run("bash", "-c", f"source {script}; COMP_WORDS=({quoted}); "
                   f"COMP_CWORD={len(words) - 1}; _percuss; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
                   cwd=WORK).stdout.split()


class Python(unittest.TestCase):
    """The package finds the libraries beside it, wherever the tree is."""

    def test_package_runs_where_it_was_installed(self):
        cache = pathlib.Path(BUILD, "CMakeCache.txt").read_text()
        python = re.search(r"PERCUSS_PYTHON_EXECUTABLE:INTERNAL=(.*)", cache)
        if not python:
            self.skipTest("no Python with cffi")
        package = next(PREFIX.rglob("percuss/__init__.py")).parent
        environment = {k: v for k, v in os.environ.items() if not k.startswith(("PERCUSS", "LD_"))}
        environment["PYTHONPATH"] = str(package.parent)
        code = ("import percuss; s = percuss.Model('slider-crank').simulate(record=False).run(); "
                "print(percuss.library_path); print(repr(s['slider.angle'])); "
                "print(percuss.compare('bouncing-ball', ['moreau'], repeat=1)['moreau']['status'])")
        library, angle, status = run(python[1], "-c", code, env=environment, cwd=WORK).stdout.split()
        self.assertTrue(pathlib.Path(library).resolve().is_relative_to(PREFIX.resolve()))
        self.assertEqual(float(angle), program_says())
        self.assertEqual(status, "done")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
