"""Kills a run at random moments, again and again, and resumes it until it is through.

usage: stress_resume.py PERCUSS COMPARE_RESULTS [SECONDS]   (in the project's root)

After each kill the file must open with at least the rows that it had, unless nothing was flushed yet;
each finished file must hold the bits of the uninterrupted run. Not a part of the tests: it takes as
long as one likes. tests/record/test_kill.c tries every write of a run instead of random moments.
"""
import os
import random
import subprocess
import sys
import tempfile
import time

program, compare = sys.argv[1:3]
seconds = float(sys.argv[3]) if len(sys.argv) > 3 else 60
folder = tempfile.mkdtemp(prefix="percuss-stress-")
whole, cut = os.path.join(folder, "whole.h5"), os.path.join(folder, "cut.h5")
words = [program, "run", "slider-crank", "--dt", "2e-6", "--until", "0.02", "--quiet"]
kills = refused = runs = 0


def rows():
    """Rows that can be read, or None."""
    done = subprocess.run([program, "export", cut, "--csv", "-", "--columns", "slider.x"],
                          capture_output=True, text=True)
    return done.stdout.count("\n") - 1 if done.returncode == 0 else None


def killed_run(option):
    """True if the run was killed before its end."""
    run = subprocess.Popen([*words, option, cut], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        run.wait(random.uniform(0.005, 0.6) * whole_time)
    except subprocess.TimeoutExpired:
        run.kill()
        run.communicate()
        return True
    assert run.returncode == 0, run.stderr.read()
    return False


began = time.time()
subprocess.run([*words, "-o", whole], stdout=subprocess.DEVNULL, check=True)
whole_time = time.time() - began
end = time.time() + seconds
while time.time() < end:
    had = 0
    while killed_run("--resume" if had else "-o"):
        kills += 1
        has = rows()
        assert (has or 0) >= had, f"{has} rows, {had} were there before"
        refused += has is None
        had = has or 0
    assert subprocess.run([compare, whole, cut], stdout=subprocess.DEVNULL).returncode == 0
    os.unlink(cut)
    runs += 1
print(f"{kills} kills in {runs} runs, {refused} of them before the file was made")
