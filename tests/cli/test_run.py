"""percuss run, as a person types it."""
import math
import os

from terminal import FOLDER, check, expect, finish, get, percuss, summary

# The keys that scripts rely on.
s = summary("run", "models/slider-crank.yaml", "--scheme", "moreau-jean", "--dt", 1e-4, "--until", 0.01)
for key in ("model scheme dt steps time status penetration.max constraint.position.max "
            "constraint.velocity.max impact.residual.max friction.residual.max energy.initial "
            "energy.final energy.max.increase iterations.newton.max iterations.newton.avg "
            "contacts.active.max events.closed events.opened wall.seconds wall.per_step "
            "final.crank.angle final.rod.spin final.slider.x final.corner1.gap "
            "final.corner1.P_N final.corner1.P_F final.base.P.1").split():
    check(get(s, key) is not None, f"no key {key}")
check(get(s, "steps") == 100 and get(s, "status") == "done", "100 steps, done")
check(math.isclose(get(s, "time"), 0.01), "time")

# The same keys as lines.
code, out, err = percuss("run", "slider-crank", "--dt", "1e-4", "--until", "0.01", "--full")
lines = dict(line.split(": ", 1) for line in out.splitlines())
check(code == 0 and err == "", "nothing on standard error without a terminal")
check(float(lines["final.rod.spin"]) == get(s, "final.rod.spin"), "lines and JSON agree to the last bit")

# Where the energy went: at its first impact the ball loses three quarters of its 2 J.
code, out, err = percuss("run", "bouncing-ball", "--dt", "0.01", "--until", "1.5")
check("impacts 1.51 J (75 %)" in out, f"shares of the energy: {[line for line in out.splitlines() if 'impacts' in line]}")

# Velocities of formula coordinates, parameters from the command line.
t = summary("run", "models/slider-crank-minimal.yaml", "--scheme", "moreau", "--until", 0.01, "--set", "mu=0.02")
u = summary("run", "models/slider-crank-minimal.yaml", "--scheme=moreau", "--until=0.01")
check(get(t, "final.th1'") is not None and get(t, "final.corner4.P_N") is not None, "th1' and corner4.P_N")
check(get(t, "final.th1'") != get(u, "final.th1'"), "--set changes the motion")
v = summary("run", "models/slider-crank-minimal.yaml", "--scheme", "moreau", "--until", 0.01, "--set", "mu=0.04/2")
check(get(t, "final.th1'") == get(v, "final.th1'"), "--set takes expressions")

# Every solver, every option of the scheme; one thread or many.
base = get(summary("run", "slider-crank-minimal", "--until", 0.05), "final.th1")
for extra in (["--solver", "nsgs"], ["--solver", "prox"], ["--solver", "lemke"], ["--threads", 1], ["--threads", 7]):
    other = get(summary("run", "slider-crank-minimal", "--until", 0.05, *extra), "final.th1")
    same = other == base if "--threads" in extra else abs(other - base) < 1e-9
    check(same, f"{extra}: {other} instead of {base}")
for extra in (["--theta", 1], ["--evaluation", "trapezoid"], ["--forecast", "free"], ["--gamma", 1]):
    other = summary("run", "slider-crank-minimal", "--until", 0.05, *extra)
    check(abs(get(other, "final.th1") - base) < 0.2, f"{extra}")

# A file is written, and only where it should be.
out_file = os.path.join(FOLDER, "run.h5")
summary("run", "bouncing-ball", "--out", out_file, "--every", 10)
check(os.path.getsize(out_file) > 1000, "result file")
expect(["run", "bouncing-ball", "--out", "/nonexistent/x.h5"], 4, "/nonexistent/x.h5")
expect(["run", "nosuch.yaml", "--out", os.path.join(FOLDER, "none.h5")], 3, "nosuch.yaml")
check(not os.path.exists(os.path.join(FOLDER, "none.h5")), "no result file for a bad model")

# A run that fails says where, prints what it has and exits with 1.
bad = os.path.join(FOLDER, "root.yaml")
with open(bad, "w") as f:
    f.write("percuss: 1\ncoordinates: {x: {velocity: 1}}\nkinetic: x'^2/2\nforces: {x: sqrt(1 - x)}\n")
out, err = expect(["run", bad, "--dt", 0.01, "--until", 10], 1, "step ", "t = ", "h of formula")
check("\nfailed: " in out and "\nfinal     x " in out, "the summary so far")

# Model errors have file, line, column, what was expected and a suggestion.
good = open("models/slider-crank.yaml").read()
cases = {
    "unknown key": (good.replace("gravity:", "gravty:", 1), "did you mean 'gravity'"),
    "nan": (good.replace("mass: m1", "mass: .nan", 1), "mass"),
    "negative": (good.replace("mass: m1", "mass: -1", 1), "mass"),
    "no such body": (good.replace("bodies: [ground, crank]", "bodies: [ground, crunk]", 1), "crank"),
    "truncated": (good[: len(good) // 2], ""),
    "empty": ("", ""),
    "list": ("- 1\n- 2\n", ""),
    "deep": ("a: " + "[" * 20000, ""),
    "restitution": (good.replace("restitution: e", "restitution: 1.5", 1), "restitution"),
    "twice": (good + "\n" + good, ""),
    "cycle": (good.replace("l1: 0.153", "l1: l2", 1).replace("l2: 0.306", "l2: l1", 1), "l1"),
    "type": (good.replace("mass: m1", "mass: [1, 2]", 1), "number"),
    "division": (good.replace("mass: m1", "mass: 1/0", 1), ""),
    "missing": (good.replace("mass: m1, ", "", 1), "mass"),
}
for name, (text, fragment) in cases.items():
    check(text != good, f"{name}: the test changes nothing")
    path = os.path.join(FOLDER, name.replace(" ", "-") + ".yaml")
    with open(path, "w") as f:
        f.write(text)
    out, err = expect(["run", path, "--until", 0.001], 3, path + ":", fragment)
    check(out == "", f"{name}: nothing on standard output")

# A constraint on angles is an angle; one on lengths, or with a length as its factor, is a length.
units = os.path.join(FOLDER, "units.yaml")
with open(units, "w") as f:
    f.write("percuss: 1\nbodies: {a: {mass: 1, inertia: 1, spin: 3}, b: {mass: 1, inertia: 1, position: [0.3, 0]}}\n"
            "joints: {axle: {revolute: {bodies: [ground, a], at: [0, 0]}}}\n"
            "constraints: {motor: a.angle - 3*t, lift: b.y, rolls: b.x - 0.1*b.angle - 0.3}\n"
            "simulate: {dt: 0.01, until: 0.1}\n")
file = os.path.join(FOLDER, "units.h5")
expect(["run", units, "-o", file, "--quiet"], 0)
listed = dict(line.split(None, 1) for line in percuss("plot", file, "--list")[1].splitlines() if " " in line)
for name, unit in {"motor.position": "rad", "motor.velocity": "rad/s", "motor.P": "N m s", "lift.position": "m",
                   "rolls.position": "m"}.items():
    check(listed[name].strip() == unit, f"{name} is in {listed[name]}")

finish()
