"""Bad input at the terminal: one clear error with its place, the right exit code, no file left that
looks like a result. Every kind of trouble that a person meets, one after the other."""
import fcntl
import os
import re
import shutil
import subprocess
import sys

from terminal import FOLDER, PROGRAM, check, expect, finish, percuss, summary

cases = 0


def path(name):
    return os.path.join(FOLDER, name)


def write(name, content):
    with open(path(name), "wb") as file:
        file.write(content if isinstance(content, bytes) else content.encode())
    return path(name)


def refuse(text, place, *fragments, code=3, options=()):
    """A model that `run` and `check` refuse at `place`, "line:column" (or None: in the whole file)."""
    global cases
    cases += 1
    model, out = write("model.yaml", text), path("out.h5")
    said = f"{model}:{place}: " if place else "percuss: "
    printed, _ = expect(["run", model, "-o", out, *options], code, said, *fragments)
    check(printed == "", f"{fragments}: nothing on standard output")
    check(not os.path.exists(out), f"{fragments}: no result is left")
    if not options:
        expect(["check", model], code, said, *fragments)


def fail(words, code, *fragments):
    """A command that must not work."""
    global cases
    cases += 1
    before = set(os.listdir(FOLDER))
    printed, _ = expect(words, code, *fragments)
    check(set(os.listdir(FOLDER)) == before, f"{words}: no file is left behind")
    return printed


HEAD = "percuss: 1\n"
BODY = HEAD + "bodies: {a: {mass: 1, inertia: 1}}\n"
SIMULATE = "simulate: {dt: 1e-3, until: 1}\n"
CONTACT = BODY + "contacts: {floor: {point: [a, [0, 0]], plane: {point: [0, 0], normal: [0, 1]}, %s}}\n"
FORMULA = HEAD + "parameters: {m: 1, zero: 0}\ncoordinates: {x: 1, y: 0}\nkinetic: %s\n" + SIMULATE

# malformed YAML, truncated files, garbage
refuse("", "1:1", "empty")
refuse("percuss: 1\nbodies: {a: {mass: 1\n", "3:1", "not valid YAML")
refuse("percuss: 1\nbodies:\n\ta: 1\n", "3:1", "not valid YAML")
refuse("percuss: 1\ntitle: 'never closed\n", "3:1", "not valid YAML")
refuse("percuss: 1\n  title: x\n title: y\n", "2:8", "not valid YAML")
refuse(BODY + "]\n", "3:1", "not valid YAML")
refuse(b"percuss: 1\ntitle: \xff\xfe\n", "2:8", "not a text")
refuse(b"percuss: 1\ntitle: a\0b\n", "2:9", "not a text")
refuse(bytes(range(256)) * 40, "1:1", "not a text")
refuse(b"\x89HDF\r\n\x1a\n" + bytes(2000), "1:1", "not a text")
refuse(b"\x7fELF\x02\x01\x01" + bytes(200), "1:1", "not a text")
refuse(HEAD + "---\n" + HEAD, "2:1", "a second document")
whole = open("models/slider-crank.yaml", "rb").read()
for share in (0.2, 0.45, 0.7):  # cut in the middle of a word or of a line
    model, out = write("cut.yaml", whole[:int(len(whole) * share)]), path("cut.h5")
    code, _, err = percuss("run", model, "-o", out)
    cases += 1
    check(code in (2, 3) and err.startswith("percuss: ") and not os.path.exists(out),
          f"cut to {share}: {code} {err}")

# size: deep nesting, alias bombs, a line of 1 MB
refuse(HEAD + "title: " + "[" * 5000 + "\n", "2:71", "nest")
refuse(HEAD + "a: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\n", "2:4", "anchors")
refuse(HEAD + "title: *bomb\n", "2:8", "aliases")
refuse(HEAD + "x" * 1000000 + ": 1\n", "2:1000001", "a simple key that begins at line 2")
refuse(HEAD + "title: [" + "x, " * 350000 + "\n", "3:1", "not valid YAML")
refuse(HEAD + "parameters: {a: " + "(" * 100000 + "1" + ")" * 100000 + "}\n", "2:17", "")
refuse(HEAD + "parameters: {a: " + "1+" * 300000 + "1}\n", "2:17", "longer than 65536 characters")

# keys: unknown, duplicate, missing; wrong types; names that do not exist
refuse(BODY + "gravty: [0, 1]\n", "3:1", "did you mean 'gravity'?")
refuse(BODY + "simulate: {dt: 1, dtt: 2}\n", "3:19", "unknown key 'dtt'")
refuse(HEAD + "bodies: {a: {mass: 1, inertia: 1}, a: {mass: 1, inertia: 1}}\n", "2:36", "second time")
refuse(HEAD + "bodies: {a: {mass: 1, mass: 2, inertia: 1}}\n", "2:23", "second time")
refuse("title: x\n", "1:1", "'percuss: 1' is missing")
refuse(HEAD + "bodies: {a: {inertia: 1}}\n", "2:13", "'mass' is missing")
refuse("percuss: 7\n", "1:10", "version 1")
refuse(HEAD + "bodies: 3\n", "2:9", "expected a mapping")
refuse(BODY + "gravity: fast\n", "3:10", "list of 2 numbers")
refuse(BODY + "record: [a.z]\n", "3:10", "a.z")
refuse(BODY + "record: [ab]\n", "3:10", "ab")
refuse(BODY + "joints: [fixed: {bodies: [a, c]}]\n", "3:30", "no body 'c'")
refuse(BODY + "simulate: {scheme: euler}\n", "3:20", "euler")

# numbers and expressions
refuse(HEAD + "parameters: {a: b, b: a}\n", "2:17", "in a circle: a -> b -> a")
refuse(HEAD + "parameters: {a: 1/0}\n", "2:17", "infinite")
refuse(HEAD + "parameters: {a: 0/0}\n", "2:17", "not a")
refuse(HEAD + "parameters: {a: sqrt(-1)}\n", "2:17", "not a")
refuse(HEAD + "parameters: {a: .nan}\n", "2:17", "finite")
refuse(HEAD + "parameters: {a: .inf}\n", "2:17", "finite")
refuse(HEAD + "parameters: {a: 1e999}\n", "2:17", "")
refuse(HEAD + "parameters: {a: 2 +}\n", "2:20", "expected a number")
refuse(HEAD + "bodies: {a: {mass: -1, inertia: 1}}\n", "2:20", "must be positive")
refuse(HEAD + "bodies: {a: {mass: 0, inertia: 1}}\n", "2:20", "must be positive")
refuse(HEAD + "bodies: {a: {mass: .inf, inertia: 1}}\n", "2:20", "finite")
refuse(HEAD + "bodies: {a: {mass: 1, inertia: -1}}\n", "2:32", "must be positive")
SPATIAL = HEAD + "space: spatial\nbodies: {a: {mass: 1, inertia: %s}}\n"
refuse(SPATIAL % "[1, -1, 1]", "3:10", "not positive definite")
refuse(SPATIAL % "[[1, 2, 0], [2, 1, 0], [0, 0, 1]]", "3:10", "not positive definite", "-1, 1, 3")
refuse(SPATIAL % "[1, 1, 3]", "3:10", "exceeds the sum")
refuse(SPATIAL % "[1, 1]", "3:32", "three rows of three numbers")
refuse(SPATIAL % "[1, 1, 1], orientation: [0, 0, 0, 0]", "3:56", "the quaternion is zero")
refuse(CONTACT % "friction: -0.1", "3:90", "must not be negative")
refuse(CONTACT % "restitution: 1.5", "3:93", "from 0 to 1")
refuse(CONTACT % "restitution: -0.5", "3:93", "from 0 to 1")
refuse(CONTACT % "friction: .nan", "3:90", "finite")
refuse(BODY + "simulate: {dt: 0, until: 1}\n", "3:16", "dt")
refuse(BODY + "simulate: {dt: -1, until: 1}\n", "3:16", "dt")
refuse(BODY + "simulate: {dt: .nan, until: 1}\n", "3:16", "must be positive")
refuse(BODY + "simulate: {dt: 1, until: -1}\n", "3:26", "until")
refuse(FORMULA % "m*(x'^2 - y'^2)", None, "mass matrix", "a motion with y' has negative kinetic energy")
refuse(FORMULA % "m*x'^2", None, "mass matrix", "inverted: y' has no mass")
refuse(FORMULA % "m*y'^2", None, "mass matrix", "inverted: x' has no mass")
refuse(FORMULA % "m*y'^2*x + zero*x'^2", None, "inverted: x' has no mass")
refuse(FORMULA % "m*(x' + y')^2", None, "mass matrix", "a motion with y' has no kinetic energy")
refuse(BODY + "coordinates: {x: 1, y: 0}\nkinetic: x'^2\n" + SIMULATE, None, "inverted: y' has no mass")
refuse(HEAD + "coordinates: {" + ", ".join(f"x{i}: 0" for i in range(59)) + "}\nkinetic: "
       + " + ".join(f"(x{i}' + x{i + 1}')^2" for i in range(57)) + " + x58'^2\n" + SIMULATE,
       None, "a motion with x57' has no kinetic energy")  # 58 in a chain of 57
refuse(FORMULA % "m*(x'^2 + y'^2)/zero", "4:10", "division by zero")
model = write("good.yaml", BODY + SIMULATE)
fail(["run", model, "--dt", 2, "-o", path("out.h5")], 2, "too large")  # longer than the run
fail(["run", model, "--dt", 1e-18, "-o", path("out.h5")], 2, "too many steps")  # 10^18 of them
fail(["run", model, "--until", 1e18, "-o", path("out.h5")], 2, "too many steps")

# files: missing, unreadable, unwritable
fail(["run", path("none.yaml")], 3, path("none.yaml"), "No such file")
fail(["check", path("none.yaml")], 3, "No such file")
fail(["run", FOLDER], 3, FOLDER)
fail(["run", path("good.yaml") + "/x"], 3, "Not a directory")
fail(["run", "/dev/null"], 3, "empty")
fail(["run", model, "-o", path("no/such/out.h5")], 4, path("no/such/out.h5"), "No such file")
fail(["run", model, "-o", FOLDER], 4, "directory")
fail(["run", model, "-o", "/dev/full"], 4, "/dev/full")
fail(["run", model, "-o", model + "/out.h5"], 4, "Not a directory")
# result files: of another kind, cut short, damaged
result = path("result.h5")
summary("run", "bouncing-ball", "-o", result)
commands = (["plot", None, "--list"], ["plot", None, "--y", "q", "-o", path("figure.svg")],
            ["export", None, "--csv", path("out.csv")], ["export", None, "--vtk", path("vtk")],
            ["run", "bouncing-ball", "--resume", None])


def refuse_result(file, *fragments):
    for words in commands:
        fail([file if word is None else word for word in words], 3, file, *fragments)


refuse_result(path("none.h5"), "No such file")
refuse_result(write("text.h5", "percuss: 1\n"), "not a result of percuss")
refuse_result(write("empty.h5", ""), "not a result of percuss")
refuse_result(write("zeros.h5", bytes(100000)), "not a result of percuss")
data = open(result, "rb").read()
refuse_result(write("short.h5", data[:len(data) // 2]), "damaged")
refuse_result(write("short.h5", data[:40]), "not a result of percuss")
refuse_result(write("version.h5", data[:8] + b"\0" + data[9:]), "not a result of percuss")
root = int.from_bytes(data[36:44], "little")  # as the superblock says
refuse_result(write("root.h5", data[:root + 60] + b"?" + data[root + 61:]))
refuse_result(write("header.h5", data[:root] + b"\1" + data[root + 1:]), "not a result of percuss")
# a changed bit in each kind of structure that HDF5 has (headers, indices of chunks and of names): found,
# or of no consequence; and no memory is lost (a sanitizer would say so)
large = path("large.h5")
summary("run", "slider-crank", "-o", large)
data = open(large, "rb").read()
KINDS = (b"OHDR", b"EAHD", b"EAIB", b"EADB", b"FRHP", b"FHIB", b"FHDB", b"BTHD", b"BTIN", b"BTLF", b"FSHD", b"FSSE")
present = [kind for kind in KINDS if kind in data]
check(len(present) >= 6, f"kinds of structure: {present}")
resumed_codes = []
headers = [place.start() for place in re.finditer(b"OHDR", data)]
places = [(kind, data.index(kind) + 6) for kind in present]
for kind, place in places + [(b"OHDR", place + 40) for place in headers[1:4] + headers[5::12]]:
    damaged = write("damaged.h5", data[:place] + bytes([data[place] ^ 1]) + data[place + 1:])
    cases += 1
    code, _, err = percuss("export", damaged, "--csv", path("damaged.csv"))
    check(code == 0 and err == "" or code == 3 and err.startswith("percuss: '") and err.count("\n") == 1,
          f"{kind}: {code} {err}")
    check((code == 0) == os.path.exists(path("damaged.csv")), f"{kind}: no half file")
    if kind == b"OHDR":  # of a dataset, a group, a text
        code, _, err = percuss("run", "slider-crank", "--resume", damaged, "--until", 0.081)
        check(code == 0 and err == "" or code == 3 and damaged in err, f"resume: {code} {err}")
        resumed_codes.append(code)
    if os.path.exists(path("damaged.csv")):
        os.unlink(path("damaged.csv"))
check(resumed_codes.count(3) >= 3, f"what cannot be read is not resumed: {resumed_codes}")
os.unlink(large)
for python in (sys.executable, "/usr/bin/python3"):  # of another version: one with h5py writes it
    other = shutil.copy(result, path("other.h5"))
    done = subprocess.run([python, "-c", "import h5py, sys\n"
                           "with h5py.File(sys.argv[1], 'r+', libver=('v110', 'v110')) as f:\n"
                           "    f.attrs.modify('format_version', 3)", other], capture_output=True)
    if done.returncode == 0:
        refuse_result(other, "version 3", "this percuss", "version 4")
        break
for file in sorted(os.listdir("fuzz/corpus/result")):
    if file not in ("ball", "ball-long", "slider-crank"):
        code, _, err = percuss("plot", os.path.join("fuzz/corpus/result", file), "--list")
        cases += 1
        check(code == 3 and err.startswith("percuss: "), f"{file}: {code} {err}")

# somebody else has the file
with open(result) as held:
    fcntl.flock(held, fcntl.LOCK_EX)
    fail(["run", "bouncing-ball", "-o", result], 4, "another program")
    fail(["run", "bouncing-ball", "--resume", result], 4, "another program")
    fail(["plot", result, "--list"], 3, "another program")

# no permission: as a user who is not root and owns nothing here
os.chmod(FOLDER, 0o755)
shutil.copy(PROGRAM, path("percuss"))  # where any user finds it
other = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 else []


def forbid(words, code, *fragments):
    """A command that another user may not do; a folder that he may read, not write, is his place."""
    global cases
    cases += 1
    before = {file: open(path(file), "rb").read() for file in os.listdir(FOLDER) if file.endswith(".h5")}
    names = set(os.listdir(FOLDER))
    done = subprocess.run([*other, path("percuss"), *words], capture_output=True, text=True, cwd="/")
    check(done.returncode == code, f"{words}: exit {done.returncode}, not {code}: {done.stderr}")
    for fragment in ("percuss: ", "Permission denied", *fragments):
        check(fragment in done.stderr, f"{words}: does not say '{fragment}': {done.stderr}")
    check(done.stderr.count("\n") == 1, f"{words}: one line: {done.stderr}")
    check(set(os.listdir(FOLDER)) == names, f"{words}: no file is left behind")
    for file, content in before.items():
        check(open(path(file), "rb").read() == content, f"{words}: {file} is as it was")


ball, secret, locked = (path(name) for name in ("ball.yaml", "secret.yaml", "secret.h5"))
shutil.copy("models/bouncing-ball.yaml", ball)
shutil.copy(ball, secret)
shutil.copy(result, locked)
moving = path("moving.h5")  # has bodies
summary("run", "rocking-block", "--every", 20, "-o", moving)
for file, mode in ((ball, 0o444), (result, 0o444), (secret, 0), (locked, 0)):
    os.chmod(file, mode)
if not other:  # the folder is ours: it takes a mode of its own to keep us out
    os.chmod(FOLDER, 0o555)
for command in ("run", "check", "compare"):
    forbid([command, secret], 3, secret)
forbid(["converge", secret, "--dt", "0.1,0.05"], 3, secret)
for words in commands[:-1]:
    forbid([locked if word is None else word for word in words], 3, locked)
forbid(["run", ball, "--resume", locked], 4, locked)  # it would write there
forbid(["animate", locked, "-o", path("film.svg")], 3, locked)
forbid(["run", ball, "-o", path("new.h5")], 4, path("new.h5"))
forbid(["run", ball, "-o", result], 4, result)
forbid(["run", ball, "--resume", result, "--until", "9"], 4, result)
forbid(["plot", result, "--y", "q", "-o", path("figure.svg")], 4, path("figure.svg"))
forbid(["export", result, "--csv", path("out.csv")], 4, path("out.csv"))
forbid(["export", moving, "--vtk", path("vtk")], 4, path("vtk"))
forbid(["animate", result, "-o", path("film.svg")], 4, path("film.svg"))
forbid(["compare", ball, "--schemes", "moreau", "--until", "0.2", "-o", path("c.svg")], 4, path("c.svg"))
forbid(["converge", ball, "--dt", "0.1,0.05", "-o", path("c.svg")], 4, path("c.svg"))
forbid(["reproduce", "rattle-fig2", "--out", path("reproduced")], 4, path("reproduced"))
os.chmod(FOLDER, 0o755)
for file in (ball, result, secret, locked):
    os.chmod(file, 0o644)

# no space: a limit of the file's size; a disk that is full from the first byte, or in the middle
limited = subprocess.run(["bash", "-c", f'ulimit -f 100; trap "" XFSZ; "{PROGRAM}" run slider-crank '
                          f'-o "{path("large.h5")}"'], capture_output=True, text=True)
cases += 1
check(limited.returncode == 4 and "File too large" in limited.stderr and
      not os.path.exists(path("large.h5")), f"no space: {limited.returncode} {limited.stderr}")
disk = path("disk")
os.mkdir(disk)
SMALL_DISK = """
mount -t tmpfs -o size=$1 tmpfs "$2" || exit 99
cd "$2"
shift 2
"$@"
code=$?
ls -A >&2
exit $code"""


def on_small_disk(size, *words):
    """The command in a file system of this size; (exit code, standard error and what files there are).
    Without the right to mount one: None."""
    done = subprocess.run(["unshare", "-rm", "bash", "-c", SMALL_DISK, "-", size, disk, path("percuss"),
                           *map(str, words)], capture_output=True, text=True)
    return None if done.returncode == 99 or "unshare" in done.stderr else (done.returncode, done.stderr)


crank = os.path.abspath("models/slider-crank.yaml")
if on_small_disk("1m", "--version"):
    for size, words, files in (
            ("64k", ["run", crank, "-o", "x.h5"], ""),
            ("2m", ["run", crank, "--dt", 1e-6, "-o", "x.h5"], "x.h5\n"),  # closed with what fits
            ("4k", ["export", result, "--csv", "x.csv"], ""),
            ("8k", ["export", moving, "--vtk", "vtk"], ""),
            ("4k", ["plot", result, "--y", "q", "-o", "x.svg"], ""),
            ("4k", ["animate", result, "-o", "x.svg"], ""),
            ("4k", ["compare", ball, "--schemes", "moreau", "--until", 0.2, "-o", "x.svg"], ""),
            ("4k", ["converge", ball, "--dt", "0.1,0.05", "-o", "x.svg"], "")):
        cases += 1
        code, said = on_small_disk(size, *words)
        full = "No space left on device" in said or "is the disk full?" in said  # gnuplot does not say
        check(code == 4 and full, f"{words} on {size}: {code} {said}")
        check(said.split("\n", 1)[1] == files, f"{words} on {size}: no half file is left: {said}")
    code, said = on_small_disk("2m", "run", crank, "--dt", 1e-6, "-o", "x.h5")
    check("--resume continues the run" in said, f"the remedy: {said}")
else:
    print("no small disks: this user may not mount one")

# standard output: full, a pipe whose reader is gone, closed
outputs = (["--version"], ["help"], ["help", "run"], ["run", "--help"], ["help", "--man"],
           ["help", "--completion"], ["list", "schemes"], ["list", "solvers"], ["list", "models"],
           ["list", "elements"], ["list", "elements", "revolute"], ["list", "items"],
           ["run", "bouncing-ball"], ["run", "bouncing-ball", "--json"],
           ["check", "bouncing-ball"], ["check", "bouncing-ball", "--json"],
           ["compare", "bouncing-ball", "--schemes", "moreau", "--until", "0.2"],
           ["compare", "bouncing-ball", "--schemes", "moreau", "--until", "0.2", "--json"],
           ["converge", "bouncing-ball", "--dt", "0.1,0.05"],
           ["converge", "bouncing-ball", "--dt", "0.1,0.05", "--json"],
           ["reproduce", "rattle-fig2", "--out", path("reproduced")],
           ["plot", result, "--list"], ["export", result, "--csv", "-"])


def without_output(words, how):
    """Runs it with a standard output that takes nothing; (exit code, standard error)."""
    def close():
        os.close(1)
    command = [PROGRAM, *words]
    if how == "full":
        with open("/dev/full", "w") as full:
            done = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True)
    elif how == "pipe":
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, text=True)
        os.close(writer)
    else:
        done = subprocess.run(command, preexec_fn=close, stderr=subprocess.PIPE, text=True)
    return done.returncode, done.stderr


REASONS = {"full": "No space left on device", "pipe": "Broken pipe", "closed": "Bad file descriptor"}
for words in outputs:
    for how, reason in REASONS.items():
        code, err = without_output(words, how)
        cases += 1
        check(code == 4, f"{words} {how}: exit {code}")
        check(err == f"percuss: cannot write to standard output: {reason}\n", f"{words} {how}: {err}")
out = path("piped.h5")  # whatever becomes of the summary, the file is complete
done = subprocess.run(["bash", "-c", f'"{PROGRAM}" run bouncing-ball -o "{out}" >/dev/full'],
                      capture_output=True)
a, b = percuss("export", out, "--csv", "-"), percuss("export", result, "--csv", "-")
check(done.returncode == 4 and a == b and a[0] == 0, "the result is complete all the same")

print(cases, "cases")
check(cases >= 150, f"{cases} cases, at least 150 are wanted")
finish()
