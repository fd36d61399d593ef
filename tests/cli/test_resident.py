#!/usr/bin/env python3
"""Memory that a run keeps in the machine: for each body and each contact, after the model was read."""
import json
import subprocess
import time
import unittest

from program import MODELS, PERCUSS, ProgramTest

BYTES_MOST = 2200  # for each body and each active contact; the allocator's part included


def anonymous_memory(process):
    """Resident memory [bytes] of a process without that of files, counted page by page; 0 once it has ended. What the kernel
    keeps as the peak of a process, ru_maxrss, may be off by a few hundred kB on several processors."""
    try:
        with open(f"/proc/{process.pid}/smaps_rollup", encoding="ascii") as file:
            return 1024 * sum(int(line.split()[1]) for line in file if line.startswith("Anonymous:"))
    except (FileNotFoundError, ProcessLookupError):
        return 0


def run(spheres):
    """(the most memory that was seen [bytes], bodies and active contacts) of spheres that lie in a heap."""
    words = ["run", MODELS / "spheres-in-a-box.yaml", "--set", f"N={spheres}", "--scheme", "moreau-jean",
             "--sweeps", 20, "--until", 0.7, "--json", "--quiet"]
    with subprocess.Popen([PERCUSS, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        seen = []
        while process.poll() is None:
            seen.append(anonymous_memory(process))
            time.sleep(0.02)
        out = process.stdout.read()
    assert process.returncode == 0 and len(seen) > 10, (process.returncode, len(seen))
    return max(seen), spheres + json.loads(out)["contacts"]["active"]["max"]


class Resident(ProgramTest):
    def test_spheres_in_a_box(self):
        (little, few), (much, many) = run(2000), run(5000)
        self.assertGreater(little, 2000 * few / 2)
        self.assertLess((much - little) / (many - few), BYTES_MOST)


if __name__ == "__main__":
    unittest.main()
