#!/usr/bin/env python3
"""Memory that a run keeps in the machine: for each body and each contact, after the model was read."""
import json
import os
import subprocess
import unittest

from program import MODELS, PERCUSS, ProgramTest

BYTES_MOST = 2000  # for each body and each active contact; the allocator's part included


def run(spheres):
    """(the peak of the resident memory [bytes], bodies and active contacts) of spheres that lie in a heap."""
    words = ["run", MODELS / "spheres-in-a-box.yaml", "--set", f"N={spheres}", "--scheme", "moreau-jean",
             "--sweeps", 20, "--until", 0.7, "--json", "--quiet"]
    process = subprocess.Popen([PERCUSS, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    out = process.stdout.read()
    process.stdout.close()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return 1024 * usage.ru_maxrss, spheres + json.loads(out)["contacts"]["active"]["max"]


class Resident(ProgramTest):
    def test_spheres_in_a_box(self):
        (little, few), (much, many) = run(2000), run(5000)  # both have more than Python, which forks
        self.assertLess((much - little) / (many - few), BYTES_MOST)


if __name__ == "__main__":
    unittest.main()
