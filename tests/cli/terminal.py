"""What the command-line tests share: type a command, look at what comes out."""
import json
import subprocess
import sys
import tempfile

PROGRAM = sys.argv[1]
FOLDER = tempfile.mkdtemp(prefix="percuss-test-")
failures = []


def percuss(*words, stdin=None, timeout=120):
    """Runs the program; returns (exit code, standard output, standard error)."""
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True,
                          timeout=timeout, input=stdin)
    return done.returncode, done.stdout, done.stderr


def summary(*words, warning=None):
    """The summary of a run that must succeed, as a dictionary. It says nothing on standard error, or this warning only."""
    code, out, err = percuss(*words, "--json", "--quiet")
    check(code == 0, f"{words}: exit {code}: {err.strip()}")
    if warning is None:
        check(err == "", f"{words}: says something on standard error: {err.strip()}")
    else:
        check(err.startswith("percuss: warning: ") and warning in err and err.count("\n") == 1,
              f"{words}: does not say '{warning}', and nothing else: {err.strip()}")
    return json.loads(out) if out else {}


def get(tree, key):
    """tree["a"]["b"] for "a.b"; None if there is no such key."""
    for part in key.split("."):
        if not isinstance(tree, dict) or part not in tree:
            return None
        tree = tree[part]
    return tree


def check(holds, text):
    if not holds:
        failures.append(text)
        print("FAILED:", text)


def expect(words, code, *fragments):
    """A command that must end with this exit code and say these things on standard error."""
    got, out, err = percuss(*words)
    check(got == code, f"{' '.join(map(str, words))}: exit {got}, not {code}: {err.strip()}")
    for fragment in fragments:
        check(fragment in err, f"{' '.join(map(str, words))}: does not say '{fragment}': {err.strip()}")
    if code != 0:
        check(len(err) < 2000 and err.count("\n") <= 3, f"{words}: says too much")
    return out, err


def finish():
    import shutil
    shutil.rmtree(FOLDER, ignore_errors=True)
    print(f"{len(failures)} failures")
    sys.exit(1 if failures else 0)
