"""Every command of the README and of docs/ runs as it stands, and every link leads somewhere.

A command is a line of a ```sh block, a line of four spaces that begins with a program's name, or code
in a sentence that begins with `percuss `. A ```yaml block behind `<!-- file: NAME -->` is written to
that file first. Each page runs in a folder of its own, from top to bottom. Commands of percuss are
run, unless they show a form (MODEL, FIG, ...): then the subcommand must exist. Of the others each must
be accounted for below, so that none is forgotten. The tutorial has a test of its own (test_tutorial.py),
which runs everything in it and compares what comes out.
"""
import json
import os
import pathlib
import re
import subprocess
import tempfile

from terminal import PROGRAM, check, finish

ROOT = pathlib.Path.cwd()
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
PROGRAMS = ("percuss", "make", "sudo", "cmake", "ctest", "cc", "gcc", "clang", "git", "h5dump",
            "paraview", "python3", "pkg-config", "tools/", "build/")
FORM = re.compile(r"\b[A-Z]{3,}\b|\.\.\.|\[")  # MODEL, RESULT.h5, [options]
PRESETS = {preset["name"] for preset in
           json.loads((ROOT / "CMakePresets.json").read_text())["configurePresets"]}
ELSEWHERE = {  # what this test cannot run, and which does
    "h5dump": "test_snippets.py",
    "cc main.c $(pkg-config --cflags --libs percuss-io) -o my-program": "tests/install",
    "paraview motion/bodies.pvd": "needs a screen; test_export.py reads the files",
}


def spans(line):
    """Commands of percuss in a sentence; `percuss run` alone is a name, not a command."""
    for code in re.findall(r"`(percuss [^`]+)`", line):
        if " " in code.removeprefix("percuss ") and not code.endswith("|"):
            yield "sentence", code


def pieces(text):
    """(kind, content) in the order of the page: files and commands."""
    name, block, lines = None, None, []
    for line in re.sub(r"\\\n\s*", " ", text).splitlines():
        marker = re.match(r"<!-- file: (\S+) -->", line)
        if marker:
            name = marker.group(1)
        elif line.startswith("```") and block is None:
            block, lines = line[3:].strip(), []
        elif line.startswith("```"):
            if block == "yaml" and name:
                yield "file", (name, "\n".join(lines) + "\n")
            if block == "sh":
                yield from (("command", part) for part in lines if part.strip())
            name, block = None, None
        elif block is not None:
            lines.append(line)
        elif line.startswith("    ") and line[4:].startswith(PROGRAMS):
            yield "command", line.strip()
        else:
            yield from spans(line)


def shows_a_form(command):
    return FORM.search(re.sub(r"'[^']*'", "", command))


def answer(command, folder):
    path = os.pathsep.join([str(pathlib.Path(PROGRAM).resolve().parent), os.environ["PATH"]])
    return subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True,
                          timeout=300, env={**os.environ, "PATH": path})


def try_command(command, folder):
    """What went wrong, or None."""
    words = command.split()
    if words[0] == "percuss" and shows_a_form(command):
        done = answer(f"percuss help {words[1]}", folder)
    elif words[0] == "percuss":
        done = answer(command, folder)
    elif words[0] in ("make", "sudo"):  # the target is there; what it does, the tests do
        done = answer("make -n " + " ".join(w for w in words if w not in ("sudo", "make")), ROOT)
    elif "--preset" in words:
        missing = [b for a, b in zip(words, words[1:]) if a == "--preset" and b not in PRESETS]
        return f"no preset {missing}" if missing else None
    elif command in ELSEWHERE or words[0] in ELSEWHERE:
        return None
    else:
        return "is run by no test"
    return f"exit {done.returncode}: {done.stderr.strip()}" if done.returncode else None


def run_page(page):
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        for kind, content in pieces(page.read_text()):
            if kind == "file":
                pathlib.Path(folder, content[0]).write_text(content[1])
                continue
            command = content if kind == "sentence" else re.split(r"  #|   ", content)[0].strip()
            wrong = try_command(command, folder)
            count += 1
            check(wrong is None, f"{page.relative_to(ROOT)}: {command}: {wrong}")
    return count


def dead_links(page):
    for target in re.findall(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", page.read_text()):
        if not re.match(r"[a-z]+:", target) and not (page.parent / target).exists():
            yield target


total = sum(run_page(page) for page in PAGES if page.name != "tutorial.md")
print(total, "commands")
check(total >= 80, "the pages have commands")
for page in PAGES:
    check(not list(dead_links(page)), f"{page.relative_to(ROOT)}: links {list(dead_links(page))}")
finish()
