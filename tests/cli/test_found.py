"""Contacts between shapes in result files: resumed and killed runs, subdivided steps, export."""
import csv
import io
import json
import os
import signal
import subprocess
import sys
import time

from terminal import FOLDER, PROGRAM, check, finish, get, percuss, summary

COMPARE = sys.argv[2]


def path(name):
    return os.path.join(FOLDER, name)


def check_same(a, b, what):
    done = subprocess.run([COMPARE, a, b], capture_output=True, text=True)
    check(done.returncode == 0, f"{what}: {done.stdout.strip()} {done.stderr.strip()}")


# Half a run and the rest of it are the whole run, to the last bit.
for scheme, every in (("moreau-jean", 1), ("moreau", 3), ("direct-projection", 1), ("combined-projection", 2),
                      ("rattle", 1), ("lobatto", 1), ("generalized-alpha", 1), ("schatzman-paoli", 1)):
    words = ["run", "dominoes", "--set", "N=4", "--scheme", scheme, "--dt", 1e-3, "--every", every]
    if scheme == "schatzman-paoli":
        words += ["--frictionless"]
    whole, cut = path("whole.h5"), path("cut.h5")
    summary(*words, "--until", 0.2, "--out", whole)
    summary(*words, "--until", 0.1, "--out", cut)
    s = summary(*words, "--until", 0.2, "--resume", cut)
    check(get(s, "resumed.step") > 0, f"{scheme}: resumed")
    check_same(whole, cut, f"{scheme}, every {every}")

# A contact radius: the row of spin.
with open(path("top.yaml"), "w") as f:
    f.write("percuss: 1\nspace: spatial\ngravity: [0, 0, -9.81]\n"
            "materials: {default: {friction: 0.4, contact_radius: 0.01}}\n"
            "bodies:\n  ball: {density: 1000, shape: {sphere: 0.1}, position: [0, 0, 0.1], angular_velocity: [0, 0, 20]}\n"
            "shapes:\n  floor: {half-space: [0, 0, 1]}\n"
            "simulate: {scheme: moreau-jean, dt: 1e-3, until: 0.2}\n")
whole, cut = path("top.h5"), path("cut-top.h5")
summary("run", path("top.yaml"), "--out", whole)
summary("run", path("top.yaml"), "--until", 0.1, "--out", cut)
summary("run", path("top.yaml"), "--resume", cut)
check_same(whole, cut, "with spin")
code, text, _ = percuss("export", whole, "--found", "-", "--every", 10)
rows = list(csv.DictReader(io.StringIO(text)))
check(code == 0 and len(rows) == 20, f"a contact in each row but the first: {len(rows)}")
weight = 1000 * 4 / 3 * 3.14159265358979 * 1e-3 * 9.81 * 1e-3
check(all(abs(float(r["P.z [N s]"]) - weight) < 1e-9 for r in rows), "the floor carries the ball")
check(all(float(r["spin [N s]"]) < -1e-3 * weight for r in rows), "and slows its spin")

# Steps that are subdivided, because a fast body would pass through a plate.
with open(path("fast.yaml"), "w") as f:
    f.write("percuss: 1\nmaterials: {default: {restitution: 0.5}}\n"
            "bodies:\n"
            "  left: {mass: 1, shape: {disc: 0.05}, position: [-0.4, 0], velocity: [33, 0]}\n"
            "  right: {mass: 1, shape: {disc: 0.05}, position: [0.4, 0]}\n"
            "shapes:\n  wall: {half-plane: [-1, 0], point: [0.6, 0]}\n  back: {half-plane: [1, 0], point: [-0.6, 0]}\n"
            "simulate: {scheme: moreau-jean, dt: 1e-2, until: 0.5}\n")
words = ["run", path("fast.yaml"), "--on-failure", "halve", "--quiet", "--json"]
whole, cut = path("fast.h5"), path("cut-fast.h5")
code, out, error = percuss(*words, "--out", whole)
check(code == 0 and json.loads(out)["steps_halved"] > 0, f"steps are subdivided: {error}")
for until in (0.05, 0.13, 0.31):
    check(percuss(*words, "--until", until, "--out", cut)[0] == 0, f"until {until}")
    check(percuss(*words, "--resume", cut)[0] == 0, f"and on from {until}")
    check_same(whole, cut, f"subdivided steps, from {until} s on")

# A model with more values than a summary lists still tells its outputs.
s = summary("run", "dominoes", "--set", "N=200", "--dt", 1e-3, "--until", 0.002)
check(get(s, "final.dominoes.fallen") == 0, "outputs of a large model are listed")
check("1200 values are not listed" in get(s, "final.note"), f"and the others counted: {get(s, 'final.note')}")

# Bodies that turn by much in the step in which they hit a thin wall: corners get there that were far from it at the start. They
# do not get behind it, or the run says so.
SCHEMES = ("moreau", "moreau-jean", "direct-projection", "combined-projection", "rattle", "lobatto", "generalized-alpha",
           "schatzman-paoli")
for space, shape, wall, speed, e in (("planar", "box: [0.04, 0.03]", "[0.002, 2]", 30, 0),
                                     ("planar", "box: [0.04, 0.03]", "[0.002, 2]", 30, 0.5),
                                     ("planar", "polygon: [[0.03, 0], [-0.02, 0.02], [-0.02, -0.02]]", "[0.002, 2]", 400, 0.5),
                                     ("spatial", "box: [0.04, 0.03, 0.03]", "[0.002, 2, 2]", 100, 0.5)):
    more = "" if space == "planar" else ", 0"
    turn = ("angle: 0.3, spin: 20" if space == "planar" else
            "orientation: [0.9, 0.2, 0.1, 0.3], angular_velocity: [20, -10, 30]")
    with open(path("turning.yaml"), "w") as f:
        f.write(f"percuss: 1\nspace: {space}\ngravity: [0, 0{more}]\nmaterials: {{default: {{restitution: {e}}}}}\nbodies:\n"
                f"  body: {{density: 1000, shape: {{{shape}}}, position: [0, 0{more}], velocity: [{speed}, 0{more}], {turn}}}\n"
                f"  wall: {{fixed: true, shape: {{box: {wall}}}, position: [1, 0{more}]}}\n"
                f"simulate: {{scheme: rattle, dt: 1e-3, until: {2 / speed + 0.01}}}\n")
    for scheme in SCHEMES:
        for way in ("stop", "halve"):
            code, text, error = percuss("run", path("turning.yaml"), "--scheme", scheme, "--on-failure", way, "--json", "--quiet")
            s = json.loads(text)
            check(get(s, "final.body.x") < 1, f"{space} {shape} at {speed} m/s, {scheme}, {way}: x = {get(s, 'final.body.x')}")
            check(get(s, "status") != "failed" or "try a smaller dt" in error or "unstable" in error, error)

# Who passes by without touching does not pass through, though the normal turns round.
with open(path("by.yaml"), "w") as f:
    f.write("percuss: 1\nbodies:\n"
            "  a: {density: 1000, shape: {disc: 0.02}, position: [0, 0], velocity: [200, 0]}\n"
            "  b: {density: 1000, shape: {disc: 0.02}, position: [0.9, 0.05]}\n"
            "simulate: {scheme: moreau-jean, dt: 1e-3, until: 0.008}\n")
for scheme in SCHEMES:
    s = summary("run", path("by.yaml"), "--scheme", scheme)
    check(get(s, "status") == "done" and get(s, "final.b.vx") == 0, f"{scheme}: {get(s, 'status')}")

# A body that begins deep in the ground is lifted by more than its coordinates.
with open(path("sunk.yaml"), "w") as f:
    f.write("percuss: 1\ngravity: [0, -9.81]\nbodies:\n  a: {density: 1000, shape: {disc: 0.1}, position: [0, 0.04]}\n"
            "shapes: {floor: {half-plane: [0, 1]}}\nsimulate: {scheme: moreau-jean, dt: 1e-3, until: 0.01}\n")
for scheme in ("direct-projection", "combined-projection"):
    code, text, error = percuss("run", path("sunk.yaml"), "--scheme", scheme, "--json", "--quiet")
    s = json.loads(text)
    check(code == 0 and abs(get(s, "final.a.y") - 0.1) < 1e-9, f"{scheme}: {error}")

# Killed without warning.
words = ["run", "dominoes", "--set", "N=3", "--dt", 2e-5, "--until", 0.25]
whole, cut = path("all.h5"), path("killed.h5")
summary(*words, "--out", whole)
run = subprocess.Popen([PROGRAM, *map(str, words), "--out", cut, "--quiet"], stdout=subprocess.DEVNULL)
deadline = time.time() + 60
while run.poll() is None and time.time() < deadline:
    if os.path.exists(cut) and os.path.getsize(cut) > 8000000:
        break
    time.sleep(0.001)
run.send_signal(signal.SIGKILL)
run.wait()
check(run.returncode == -signal.SIGKILL, "killed in time")
code, text, error = percuss("export", cut, "--found", "-", "--every", 100)
check(code == 0 and len(text.splitlines()) > 10, f"what is there can be read: {error}")
s = summary(*words, "--resume", cut)
check(get(s, "resumed.step") > 0, "it goes on from where it was")
check_same(whole, cut, "killed")

# What cannot be.
code, _, error = percuss("export", whole, "--found", path("a.csv"), "--csv", path("b.csv"))
check(code == 2 and "one at a time" in error, error)
ball = path("ball.h5")
summary("run", "bouncing-ball", "--out", ball)
code, _, error = percuss("export", ball, "--found", "-")
check(code != 0 and "has no shapes" in error, error)
finish()
