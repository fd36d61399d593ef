"""On a terminal: progress with the time left, and Ctrl-C, in every command that takes its time."""
import os
import pty
import re
import resource
import select
import signal
import subprocess
import time

from terminal import FOLDER, PROGRAM, check, finish, percuss

LONG = ["slider-crank", "--dt", "1e-7"]  # 800 000 steps


def path(name):
    return os.path.join(FOLDER, name)


def on_terminal(words, seen=None, seconds=300):
    """Types the command on a terminal, and Ctrl-C once the pattern `seen` has appeared there. Returns
    (exit code, all that was on the screen)."""
    child, terminal = pty.fork()
    if child == 0:
        os.execv(PROGRAM, [PROGRAM, *map(str, words)])
    screen, typed, end = b"", False, time.time() + seconds
    while time.time() < end:
        if not select.select([terminal], [], [], 0.1)[0]:
            continue
        try:
            screen += os.read(terminal, 65536)
        except OSError:  # the program has closed it
            break
        if seen and not typed and re.search(seen, screen.decode()):
            os.write(terminal, b"\x03")
            typed = True
    else:
        os.kill(child, signal.SIGKILL)
    os.close(terminal)
    status = os.waitpid(child, 0)[1]
    return (os.WEXITSTATUS(status) if os.WIFEXITED(status) else -os.WTERMSIG(status)), screen.decode()


def time_of_a_run():
    """Processor time [s] of the slider-crank with a step of 1 µs, with this build."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    check(percuss("run", "slider-crank", "--dt", "1e-6")[0] == 0, "a run to be timed")
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def step_for(took, seconds):
    """A step with which it takes this processor time [s], whatever the build, as an option."""
    return f"{1e-6 * took / seconds:.2g}"


PROGRESS = r"\d+ %   t = \S+ s   \d+ s left"
PROGRESS_OF_MANY = r"\d+ %   of \d+ runs   \d+ s left"


def has_terminals():
    try:
        for end in os.openpty():
            os.close(end)
    except OSError as error:
        print(f"no progress and no Ctrl-C on a terminal, since there is none: {error}")
        return False
    return True


def test_on_terminals():
    # Progress: on a terminal, with what is left; wiped at the end; not with --quiet, not without a terminal.
    # It begins after 0.2 s.
    took = time_of_a_run()
    words = ["run", "slider-crank", "--dt", step_for(took, 0.8)]
    code, screen = on_terminal(words)
    check(code == 0 and re.search(PROGRESS, screen), f"progress of a run: {code} {screen[:200]}")
    shown = [int(x) for x in re.findall(r"(\d+) %   t = ", screen)]
    check(shown == sorted(shown) and shown[-1] <= 100, f"percentages ascend: {shown}")
    check(re.search(r"\r {40,}\rSlider-crank", screen), "the line is wiped before the summary")
    code, screen = on_terminal([*words, "--quiet"])
    check(code == 0 and " left" not in screen, "--quiet")
    check(percuss(*words)[2] == "", "no progress without a terminal")
    # a comparison takes some 130 times as long as a run: its reference has smaller steps, and is computed twice
    compare = ["compare", "slider-crank", "--dt", step_for(took, 0.012), "--schemes", "moreau-jean", "--repeat", 1]
    for command in (compare,
                    ["converge", "slider-crank", "--dt", "4e-5,2e-5", "--reference-dt", step_for(took, 1.5)],
                    ["reproduce", "acary-table3", "--out", path("reproduced")]):
        code, screen = on_terminal(command)
        check(code == 0 and re.search(PROGRESS_OF_MANY, screen), f"progress of {command}: {code} {screen[:200]}")
    code, screen = on_terminal([*compare, "--quiet"])
    check(code == 0 and " left" not in screen, "compare --quiet")

    # Ctrl-C: the summary so far, a closed file.
    out = path("cut.h5")
    code, screen = on_terminal(["run", *LONG, "-o", out], PROGRESS)
    check(code == 130 and "interrupted: moreau-jean, " in screen and "final     " in screen, f"run: {code}")
    check(screen.rstrip().splitlines()[-1].startswith("percuss: stopped after step "), screen[-200:])
    steps = int(re.search(r"(\d+) steps of", screen).group(1))
    code, csv, err = percuss("export", out, "--csv", "-", "--columns", "slider.x")
    check(code == 0 and csv.count("\n") == steps + 2, f"{steps} steps and the start are in the file: {err}")

    # Ctrl-C in a comparison: the table of those that are through, and no figure.
    figure = path("figure.svg")
    code, screen = on_terminal(["compare", *LONG, "--schemes", "moreau,rattle", "-o", figure], PROGRESS_OF_MANY)
    check(code == 130 and "rattle: interrupted: " in screen, f"compare: {code} {screen[-500:]}")
    check("percuss: interrupted: " in screen and not os.path.exists(figure), "compare says so")
    code, screen = on_terminal(["converge", *LONG[:1], "--dt", "2e-6,1e-6", "--reference-dt", "1e-7", "-o", figure],
                               PROGRESS_OF_MANY)
    check(code == 130 and "percuss: interrupted before an error could be computed" in screen, f"converge: {code}")
    # with a reference from before, the largest step is through while the smallest is at work
    reference = path("reference.h5")
    check(percuss("run", "slider-crank", "-o", reference)[0] == 0, "a reference")
    code, screen = on_terminal(["converge", "slider-crank", "--dt", "8e-4,4e-4,1e-7", "--threads", 2, "--reference",
                                reference], r"[1-9] %   of 3 runs")
    check(code == 130 and re.search(r"(?m)^800 µs +\d", screen) and re.search(r"(?m)^400 µs +\d", screen) and
          "only 2 of the steps" in screen, f"converge with some steps: {code} {screen[-600:]}")
    folder = path("items")
    code, screen = on_terminal(["reproduce", "--out", folder], PROGRESS_OF_MANY)
    check(code == 130 and os.listdir(folder) == [], f"reproduce: {code} {screen[-200:]}")


if has_terminals():  # a bare chroot has none
    test_on_terminals()

# Ctrl-C while a file is written: it goes, and the one that was there stays.
out = path("run.h5")
check(percuss("run", "slider-crank", "--dt", "1e-6", "-o", out)[0] == 0, "a result")
tools = path("tools")
os.mkdir(tools)
with open(os.path.join(tools, "gnuplot"), "w") as script:
    script.write("#!/bin/sh\ntouch " + path("drawing") + "\nexec sleep 60\n")
os.chmod(script.name, 0o755)
slow = {**os.environ, "PATH": tools + os.pathsep + os.environ["PATH"]}


def interrupt_when(ready, words):
    """Starts it, waits, interrupts; (exit code, standard error)."""
    child = subprocess.Popen([PROGRAM, *map(str, words)], env=slow, stdout=subprocess.PIPE,
                             stderr=subprocess.PIPE, text=True, start_new_session=True)
    end = time.time() + 60
    while time.time() < end and child.poll() is None and not ready():
        pass  # no sleep: the first moments of a file are those when it could be forgotten
    os.killpg(child.pid, signal.SIGINT)  # as a terminal does: the program and what it has started
    return child.communicate()[1], child.returncode


def parts():
    return [name for name in os.listdir(FOLDER) if name.endswith(".part")]


for name, ready, words in (
        *[("old.csv", lambda: parts() != [], ["export", out, "--csv", path("old.csv")])] * 20,
        ("old.svg", lambda: os.path.exists(path("drawing")), ["plot", out, "--y", "slider.x", "-o", path("old.svg")])):
    with open(path(name), "w") as file:
        file.write("as it was\n")
    err, code = interrupt_when(ready, words)
    check(code == 130 and err == "percuss: interrupted\n", f"{words}: {code} {err}")
    check(open(path(name)).read() == "as it was\n" and parts() == [], f"{words}: no half file")

# The folder of an export to ParaView holds what it held.
folder = path("vtk")
os.mkdir(folder)
err, code = interrupt_when(lambda: os.listdir(folder) != [], ["export", out, "--vtk", folder])
check(code == 130 and err == f"percuss: stopped: '{folder}' is as it was\n", f"export --vtk: {code} {err}")
check(os.listdir(folder) == [], f"export --vtk: no half folder: {os.listdir(folder)}")

finish()
