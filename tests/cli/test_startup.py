#!/usr/bin/env python3
"""What percuss loads when it starts: HDF5, which takes longer than a small run, only where it is needed."""
import os
import pathlib
import subprocess
import unittest

from program import MODELS, PERCUSS, ProgramTest


def loaded(*words):
    """The libraries that the loader was asked for, in the words of LD_DEBUG=libs."""
    done = subprocess.run([PERCUSS, *map(str, words)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          text=True, env={**os.environ, "LD_DEBUG": "libs"}, timeout=60, check=True)
    return done.stderr


def contains_hdf5():
    """Whether the program was linked to a static HDF5: then its version is among the program's texts."""
    return b"HDF5 library version" in pathlib.Path(PERCUSS).read_bytes()


class StartUp(ProgramTest):
    def test_hdf5_is_loaded_when_a_result_is_written_or_read(self):
        """Or never, by a program that contains it."""
        ball, result = MODELS / "bouncing-ball.yaml", self.here / "ball.h5"
        for words in (["--version"], ["run", ball, "--quiet"]):
            self.assertNotIn("hdf5", loaded(*words))
        for words in (["run", ball, "--quiet", "--out", result], ["export", result, "--csv", self.here / "ball.csv"]):
            libraries = loaded(*words)
            self.assertEqual("libhdf5" in libraries, not contains_hdf5(), words)


if __name__ == "__main__":
    unittest.main()
