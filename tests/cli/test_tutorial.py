"""The tutorial as a newcomer walks it: in an empty folder, block after block, exactly as written.

A ```sh block goes to the shell as it stands. It must end with exit code 0, or with that of an
`<!-- exit: N -->` line before it. A ```text block behind it is its output: the same words, the same
numbers to 6 digits. Numbers below 1e-8 are round-off and only need to stay there; rows of times are
not compared.
"""
import os
import pathlib
import re
import subprocess
import tempfile

from terminal import PROGRAM, check, finish

PAGE = pathlib.Path.cwd() / "docs" / "tutorial.md"
BLOCK = re.compile(r"(?:<!-- exit: (\d+) -->\n)?```sh\n(.*?)```\n(?:```text\n(.*?)```\n)?", re.S)
ROUND_OFF = 1e-8


def same_word(got, want):
    try:
        a, b = float(got), float(want)
    except ValueError:
        return got == want
    return abs(a - b) <= 1e-6 * abs(b) or (abs(a) < ROUND_OFF and abs(b) < ROUND_OFF)


COST = re.compile(r" [\d.]+ [nµm]s(?=  )")  # processor time of a step, in a table


def same_line(got, want):
    if re.match(r"[a-z]+(-[a-z]+)* .*  ", want):
        got, want = COST.sub("", got), COST.sub("", want)
    if any(want.startswith(times) and got.startswith(times) for times in ("wall.", "cost.")):
        return True
    got, want = got.split("; took ")[0].split(), want.split("; took ")[0].split()  # nor are times
    return len(got) == len(want) and all(map(same_word, got, want))


def walk():
    count = 0
    path = os.pathsep.join([str(pathlib.Path(PROGRAM).resolve().parent), os.environ["PATH"]])
    with tempfile.TemporaryDirectory() as folder:
        for code, command, text in BLOCK.findall(PAGE.read_text()):
            done = subprocess.run(["sh"], input=command, cwd=folder, text=True, timeout=300,
                                  stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False,
                                  env={**os.environ, "PATH": path})
            name = command.strip().splitlines()[-1]
            check(done.returncode == int(code or 0),
                  f"{name}: exit {done.returncode}: {done.stdout}")
            got, want = done.stdout.splitlines(), text.splitlines()
            check(len(got) == len(want), f"{name}: prints {done.stdout}")
            for a, b in zip(got, want):
                check(same_line(a, b), f"{name}:\n  prints {a}\n  page   {b}")
            count += 1
    return count


check(walk() >= 10, "the tutorial has commands")
finish()
