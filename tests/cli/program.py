"""Running percuss as a person does, in a directory that is removed afterwards.

The path of the program is the first argument; the project's root is the working directory.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PERCUSS = sys.argv.pop(1)  # the rest is unittest's
MODELS = pathlib.Path.cwd() / "models"

DONE, FAILED, USAGE, MODEL, OUTPUT = range(5)  # exit codes


# Long runs whose subject is a figure; shorter tests run the same code.
figure = unittest.skipIf(os.environ.get("PERCUSS_SANITIZED"), "a figure, which takes long under the sanitizers")


def percuss(*words, env=None, stdout=subprocess.PIPE):
    """Runs `percuss words...` and returns what subprocess.run does."""
    command = [PERCUSS, *map(str, words)]
    return subprocess.run(command, stdout=stdout, stderr=subprocess.PIPE, text=True,
                          env={**os.environ, **(env or {})}, timeout=120, check=False)


def run_model(model, out, *options):
    """A result of `model`."""
    done = percuss("run", MODELS / f"{model}.yaml", "--out", out, "--quiet", *options)
    assert done.returncode == DONE, done.stderr
    return done


class ProgramTest(unittest.TestCase):
    """A test with a directory of its own, and one for all tests of the class."""

    @classmethod
    def setUpClass(cls):
        cls.shared_folder = tempfile.TemporaryDirectory(prefix="percuss-")
        cls.shared = pathlib.Path(cls.shared_folder.name)

    @classmethod
    def tearDownClass(cls):
        cls.shared_folder.cleanup()

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="percuss-")
        self.addCleanup(folder.cleanup)
        self.here = pathlib.Path(folder.name)

    def expect(self, code, *words, says=(), **how):
        """Runs it and checks the exit code, and that the complaint contains all of `says`."""
        done = percuss(*words, **how)
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertEqual(bool(done.stderr), code != DONE, done.stderr)
        for text in [says] if isinstance(says, str) else says:
            self.assertIn(text, done.stderr)
        return done.stdout

    def files(self):
        return sorted(path.name for path in self.here.iterdir())
