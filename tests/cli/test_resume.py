"""percuss run --resume: runs that are killed or interrupted go on, to the last bit."""
import fcntl
import os
import shutil
import signal
import subprocess
import sys
import time

from terminal import FOLDER, PROGRAM, check, expect, finish, get, percuss, summary

COMPARE = sys.argv[2]


def path(name):
    return os.path.join(FOLDER, name)


def check_same(a, b, what):
    done = subprocess.run([COMPARE, a, b], capture_output=True, text=True)
    check(done.returncode == 0, f"{what}: {done.stdout.strip()} {done.stderr.strip()}")


def start(words, file, grows_by):
    """Starts a run and waits until its file has grown by so many bytes, that is, was flushed."""
    before = os.path.getsize(file) if os.path.exists(file) else 0
    run = subprocess.Popen([PROGRAM, *map(str, words)], stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True)
    deadline = time.time() + 60
    while run.poll() is None and time.time() < deadline:
        if os.path.exists(file) and os.path.getsize(file) > before + grows_by:
            break
        time.sleep(0.001)
    return run


# Killed without warning, again and again; then on to the end.
model = ["run", "slider-crank", "--dt", 2e-6, "--set", "mu=0.02", "--theta", 0.6]
for every in (1, 3):
    words = [*model, "--every", every]
    whole, cut = path(f"whole{every}.h5"), path(f"cut{every}.h5")
    until = 0.12 if every == 1 else 0.3
    summary(*words, "--out", whole, "--until", until)
    killed = 0
    run = start([*words, "--out", cut, "--until", until], cut, 2500000)
    for again in range(3):
        time.sleep(0.01 * again)  # once while it writes, then later
        if run.poll() is None:
            run.send_signal(signal.SIGKILL)
            killed += 1
        run.communicate()
        check(run.returncode == -signal.SIGKILL, f"killed, not {run.returncode}")
        dump = subprocess.run(["h5dump", "-H", cut], capture_output=True, text=True)
        check(dump.returncode == 0, f"the file of a killed run opens: {dump.stderr}")
        if again < 2:
            run = start([*words, "--resume", cut, "--until", until], cut, 2500000)
    s = summary(*words, "--resume", cut, "--until", until)
    check(killed == 3, f"{killed} kills came in time")
    check(get(s, "resumed.from") > 0 and get(s, "status") == "done", "resumed, done")
    check(get(s, "resumed.step") + get(s, "steps") == round(until / 2e-6), "the steps that were left")
    check_same(whole, cut, f"killed, every {every}")

# Interrupted with Ctrl-C: the file is closed, the exit code is 130.
words = [*model, "--every", 3]
whole, cut = path("whole3.h5"), path("interrupted.h5")
run = start([*words, "--out", cut, "--until", 0.3], cut, 2500000)
run.send_signal(signal.SIGINT)
out, err = run.communicate()
check(run.returncode == 130 and "\ninterrupted: moreau-jean" in out, f"interrupted: {run.returncode} {err}")
s = summary(*words, "--resume", cut, "--until", 0.3)
check(get(s, "resumed.step") % 3 == 0 and get(s, "resumed.step") > 0, "from a row on the grid")
check_same(whole, cut, "interrupted")

# A run that ended is extended; one that is complete is left alone.
for every in (1, 6):
    words = ["run", "bouncing-ball", "--every", every]
    whole, cut = path("ball.h5"), path("extended.h5")
    a = summary(*words, "--out", whole, "--until", 4)
    summary(*words, "--out", cut, "--until", 1.75)
    b = summary(*words, "--resume", cut, "--until", 4)
    check(get(a, "final") == get(b, "final"), "the same final values")
    check_same(whole, cut, f"extended, every {every}")
    before = open(cut, "rb").read()
    c = summary(*words, "--resume", cut, "--until", 3)
    check(get(c, "status") == "done" and get(c, "steps") == 0 and get(c, "time") == 4, "nothing to do")
    check(get(c, "final") == get(a, "final") and "nothing more" in get(c, "resumed.note"), "says so")
    check_same(whole, cut, "complete")

# Every model, stopped in the middle of it.
for model in ("block-on-incline", "four-legged-table", "oscillator", "rocking-block", "rotating-ball",
              "slider-crank-minimal", "slider-roller"):
    for scheme in ("moreau", "moreau-jean"):
        words = ["run", model, "--scheme", scheme, "--dt", 1e-3, "--every", 4]
        whole, cut = path("model.h5"), path("resumed.h5")
        summary(*words, "--out", whole, "--until", 0.4)
        summary(*words, "--out", cut, "--until", 0.1995)
        summary(*words, "--resume", cut, "--until", 0.4)
        check_same(whole, cut, f"{model} under {scheme}")

# A run that makes energy without end is stopped at the same step, and its steps count as inaccurate.
for on_failure, code in (("stop", 1), ("continue", 1)):
    words = ["run", "elastic-bar", "--scheme", "moreau", "--every", 7, "--on-failure", on_failure]
    whole, cut = path("unstable.h5"), path("unstable-cut.h5")
    _, whole_error = expect([*words, "--out", whole, "--until", 1], code)
    summary(*words, "--out", cut, "--until", 0.0165, warning="moreau can be unstable above 0.00096 s")
    _, cut_error = expect([*words, "--resume", cut, "--until", 1], code)
    check(whole_error == cut_error, f"stopped by {whole_error}, resumed by {cut_error}")
    check_same(whole, cut, f"unstable, {on_failure}")
    expect([*words, "--resume", cut, "--until", 1], code, whole_error)
    check_same(whole, cut, f"unstable, {on_failure}, once more")

# What does not fit is refused, and says what and how; the file stays as it is.
words = ["run", "bouncing-ball", "--every", 6, "--set", "e=0.7"]
file = path("refused.h5")
summary(*words, "--out", file, "--until", 2)
before = open(file, "rb").read()
resume = ["--resume", file, "--until", 3]
expect(["run", "bouncing-ball", "--every", 6, *resume], 2, "set:e=0.7", "record a new file")
expect(["run", "bouncing-ball", "--every", 6, "--set", "e=0.8", *resume], 2, "set:e=0.7", "set:e=0.8")
expect(["run", "bouncing-ball", "--set", "e=0.7", *resume], 2, "every=6", "every=1")
expect([*words, *resume, "--dt", 0.01], 2, "dt=0.05", "dt=0.01")
expect([*words, *resume, "--scheme", "moreau"], 2, "scheme=moreau-jean", "scheme=moreau")
expect([*words, *resume, "--theta", 1], 2, "theta=1")
expect([*words, *resume, "--out", path("other.h5")], 2, "--resume", "--out")
expect(["run", "oscillator", "--every", 6, *resume], 2, "another model")
check(not os.path.exists(path("other.h5")), "no file where there should be none")
check(open(file, "rb").read() == before, "a refused file is not touched")
summary("run", "bouncing-ball", "--set", "e=0.1", "--set", "e=0.7", "--every", 6, *resume)

# No such file, no result, no permission.
expect(["run", "bouncing-ball", "--resume", path("none.h5")], 3, path("none.h5"))
with open(path("text.h5"), "w") as f:
    f.write("percuss: 1\n")
expect(["run", "bouncing-ball", "--resume", path("text.h5")], 3, "not a result of percuss")
shutil.copy(file, path("short.h5"))
os.truncate(path("short.h5"), 5000)
expect([*words, "--resume", path("short.h5"), "--until", 4], 3, path("short.h5"))
with open(file) as f:
    fcntl.flock(f, fcntl.LOCK_EX)
    expect([*words, "--resume", file, "--until", 4], 4, "another program")
if os.geteuid() != 0:
    os.chmod(file, 0o400)
    expect([*words, "--resume", file, "--until", 4], 4, file)

finish()
