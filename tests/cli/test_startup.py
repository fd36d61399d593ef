#!/usr/bin/env python3
"""What percuss loads when it starts: HDF5, which takes longer than a small run, only where it is needed."""
import os
import subprocess
import unittest

from program import MODELS, PERCUSS, ProgramTest


def loaded(*words):
    """The libraries that the loader was asked for, in the words of LD_DEBUG=libs."""
    done = subprocess.run([PERCUSS, *map(str, words)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                          text=True, env={**os.environ, "LD_DEBUG": "libs"}, timeout=60, check=True)
    return done.stderr


class StartUp(ProgramTest):
    def test_hdf5_is_loaded_when_a_result_is_written_or_read(self):
        ball, result = MODELS / "bouncing-ball.yaml", self.here / "ball.h5"
        self.assertNotIn("hdf5", loaded("--version"))
        self.assertNotIn("hdf5", loaded("run", ball, "--quiet"))
        self.assertIn("hdf5", loaded("run", ball, "--quiet", "--out", result))
        self.assertIn("hdf5", loaded("export", result, "--csv", self.here / "ball.csv"))


if __name__ == "__main__":
    unittest.main()
