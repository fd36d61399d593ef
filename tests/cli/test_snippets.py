"""The snippets of docs/results.md: they run as they stand, and see the numbers that percuss sees."""
import csv
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys

from terminal import FOLDER, check, finish, percuss, summary

SKIPPED = 77
page = pathlib.Path("docs/results.md").read_text()


def has_h5py(python):
    return subprocess.run([python, "-c", "import h5py"], capture_output=True).returncode == 0


def block(language):
    blocks = re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)
    return next(b for b in blocks if "/found" not in b and "found[" not in b)


python = next((p for p in (sys.executable, "/usr/bin/python3") if os.path.exists(p) and has_h5py(p)), None)
if not python:
    print("no Python with h5py")
    sys.exit(SKIPPED)

result = os.path.join(FOLDER, "result.h5")
summary("run", "slider-crank", "--until", "0.01", "-o", result)
code, text, _ = percuss("export", result, "--csv", "-", "--columns", "crank.angle,corner1.P_N")
rows = [[float(x) for x in row] for row in list(csv.reader(io.StringIO(text)))[1:]]
check(code == 0 and len(rows) > 10, "there are rows to compare with")

tail = ("\nprint('---')\n"
        "for row in zip(t, angle, P_N['corner1']): print(*(float(x).hex() for x in row))\n")
done = subprocess.run([python, "-c", block("python") + tail], cwd=FOLDER, capture_output=True, text=True)
check(done.returncode == 0, f"the Python snippet: {done.stderr}")
model, _, numbers = done.stdout.partition("---\n")
check(model.strip() == pathlib.Path("models/slider-crank.yaml").read_text().strip(), "the model's text")
seen = [[float.fromhex(x) for x in line.split()] for line in numbers.splitlines()]
check(seen == rows, "h5py and percuss see the same bits")

# Contacts between shapes.
summary("run", "dominoes", "--set", "N=3", "--until", "0.1", "-o", result)
snippet = next(b for b in re.findall(r"```python\n(.*?)```", page, re.DOTALL) if "found" in b)
done = subprocess.run([python, "-c", snippet], cwd=FOLDER, capture_output=True, text=True)
check(done.returncode == 0, f"the Python snippet of contacts between shapes: {done.stderr}")
code, text, _ = percuss("export", result, "--found", "-")
table = list(csv.DictReader(io.StringIO(text)))
last = [r for r in table if r["row"] == table[-1]["row"]]
seen = [line.split() for line in done.stdout.splitlines()]
check(code == 0 and len(last) > 4, "there are contacts to compare with")
check([(r["body"], r["other body"]) for r in last] == [(a, b) for a, b, _ in seen], "the same bodies")
check(all(abs(float(r["P_N [N s]"]) - float(P)) < 1e-15 for r, (_, _, P) in zip(last, seen)), "the same impulses")
summary("run", "slider-crank", "--until", "0.01", "-o", result)

octave = shutil.which("octave-cli")
if octave:
    tail = "\nprintf('%.17g %.17g %.17g\\n', [time; angle; P_N]);\n"
    done = subprocess.run([octave, "--no-gui", "--quiet", "--eval", block("octave") + tail], cwd=FOLDER,
                          capture_output=True, text=True)
    seen = [[float(x) for x in line.split()] for line in done.stdout.splitlines()]
    check(seen == rows, f"Octave and percuss see the same bits: {done.stdout[:200]} {done.stderr[:200]}")
else:
    print("no Octave")

for line in block("sh").splitlines():
    done = subprocess.run(line, shell=True, cwd=FOLDER, capture_output=True, text=True)
    check(done.returncode == 0 and len(done.stdout) > 100, f"{line}: {done.stderr}")

finish()
