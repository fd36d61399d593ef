"""A system with more quantities than a result lists one by one: a bar of 100 000 elements (200 007
quantities) is recorded, listed, exported, resumed; what is left out is said."""
import os
import re
import subprocess
import sys

from terminal import FOLDER, check, expect, finish, get, percuss, summary

COMPARE = sys.argv[2]
ELEMENTS = 100000
bar = open("models/impacting-bar.yaml").read()


def path(name):
    return os.path.join(FOLDER, name)


def write(name, text):
    with open(path(name), "w") as file:
        file.write(text)
    return path(name)


def members(file, group):
    """The datasets in a group, as h5dump sees them."""
    done = subprocess.run(["h5dump", "-n", file], capture_output=True, text=True)
    check(done.returncode == 0, done.stderr)
    return re.findall(rf"dataset +/{group}/(\S+)", done.stdout)


def table(file, columns):
    code, out, err = percuss("export", file, "--csv", "-", "--columns", columns)
    check(code == 0 and err == "", f"export {columns}: {err}")
    return [[float(x) for x in line.split(",")] for line in out.splitlines()[1:]]


# Without a `record:` list everything counts as recorded: no dataset for each, no line for each.
everything = write("everything.yaml", re.sub(r"(?m)^record:.*\n", "", bar))
words = ["run", everything, "--set", f"N={ELEMENTS}", "--dt", 1e-8]
whole, cut = path("whole.h5"), path("cut.h5")
a = summary(*words, "--until", 4e-8, "-o", whole)
check(get(a, "steps") == 4 and list(get(a, "final")) == ["note"], "no list of final values")
for fragment in (str(2 * (ELEMENTS + 1) + 3), "record:", "--out", "percuss export"):
    check(fragment in get(a, "final.note"), f"the note has no {fragment}: {get(a, 'final.note')}")
check(members(whole, "series") == [], "/series is empty")

code, out, _ = percuss("plot", whole, "--list")
listed = {line.split()[0] for line in out.splitlines()}
check(code == 0 and {"time", "bar.root.x", "bar.1.x", f"bar.{ELEMENTS - 1}.vx", "bar.tip.x", "wall.P_N",
                     "energy.total"} <= listed, "all quantities are listed")
check(len(listed) > 2 * ELEMENTS, f"{len(listed)} quantities")

rows = table(whole, f"bar.17.x,bar.{ELEMENTS - 1}.vx,bar.tip.x,wall.gap")
check(len(rows) == 5, f"{len(rows)} rows")
for t, x, vx, tip, gap in rows:  # no wave has come yet: free flight, with v0 = -0.1
    check(abs(x - (1 + 5e-5 - 17 / ELEMENTS - 0.1 * t)) < 1e-12, f"bar.17.x at {t}")
    check(abs(vx + 0.1) < 1e-9 and tip == gap and abs(gap - (5e-5 - 0.1 * t)) < 1e-15, f"the tip at {t}")

figure = path("figure.svg")
expect(["plot", whole, "--y", "bar.17.x,bar.tip.x", "-o", figure], 0)
check("bar.17.x" in open(figure).read(), "a column of a large dataset is drawn")
for command in (["plot", whole, "--y", f"bar.{ELEMENTS}.x", "-o", path("none.svg")],
                ["export", whole, "--csv", path("none.csv"), "--columns", f"bar.{ELEMENTS}.x"]):
    expect(command, 2, f"has no 'bar.{ELEMENTS}.x'", "did you mean 'bar.10000.x'", "--list")
check(not os.path.exists(path("none.svg")) and not os.path.exists(path("none.csv")), "no half files")

csv = path("all.csv")
expect(["export", whole, "--csv", csv, "--every", 4], 0)
lines = open(csv).read().splitlines()
check(len(lines) == 3 and lines[0].count(",") == 2 * (ELEMENTS + 1) + 3, "all columns in the CSV file")

expect(["export", whole, "--vtk", path("vtk"), "--every", 4], 0)
check(sorted(os.listdir(path("vtk"))) == ["bodies.pvd", "step-00000000.vtp", "step-00000004.vtp"], "VTK")
with open(path("vtk/step-00000004.vtp")) as file:
    text = file.read()
check(f'NumberOfPoints="{ELEMENTS + 1}"' in text, "a point for every node")
first = text.split('Name="position"')[1].split("\n")[1]
check(float(first.split()[0]) == table(whole, "bar.root.x")[4][1], "the nodes are where they are")

# The same bits, when the run is cut and resumed.
summary(*words, "--until", 2e-8, "-o", cut)
b = summary(*words, "--until", 4e-8, "--resume", cut)
check(get(b, "resumed.step") == 2 and get(b, "energy.final") == get(a, "energy.final"), "resumed")
same = subprocess.run([COMPARE, whole, cut], capture_output=True, text=True)
check(same.returncode == 0, f"resumed to the same bits: {same.stdout} {same.stderr}")
expect([*words, "--until", 4e-8, "--every", 2, "--resume", cut], 2, "every=1", "every=2")

# With a `record:` list these quantities, and only these, are in /series and in the summary; the state
# is complete all the same.
listing = write("listing.yaml", re.sub(r"(?m)^record:.*$", "record: [bar.tip.x, bar.17.x, wall]", bar))
words[1], file = listing, path("listing.h5")
c = summary(*words, "--until", 4e-8, "-o", file)
check(members(file, "series") == ["bar.17.x", "bar.tip.x", "wall.P_N", "wall.gap", "wall.gap_velocity"],
      f"/series: {members(file, 'series')}")
check(get(c, "final.bar.17.x") == rows[4][1] and get(c, "final.note") is None, "final values")
header = percuss("export", file, "--csv", "-")[1].splitlines()[0]
check(header.count(",") == 5 and "bar.17.x [m]" in header, f"the recorded columns: {header}")
check(table(file, "bar.18.x,bar.17.x") == table(whole, "bar.18.x,bar.17.x"), "what is not in the list")
expect(["export", file, "--csv", "-", "--columns", "bar.18.y"], 2, "did you mean 'bar.18.x'", "--list")

finish()
