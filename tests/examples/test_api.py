#!/usr/bin/env python3
"""The programs of docs/api.md: all C code on the page is in the source of an example, as it
stands, and the examples print what the page says.

usage: test_api.py BEARING RESULT PROJECT
"""
import pathlib
import re
import subprocess
import sys
import tempfile


def output(*command):
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE).stdout


def squeezed(text):
    return re.sub(r"\s+", " ", text).strip()


def main(bearing, result, project):
    project = pathlib.Path(project)
    page = (project / "docs" / "api.md").read_text()
    sources = squeezed("".join((project / "examples" / name).read_text()
                               for name in ("bearing.c", "result.c")))
    wrong = []
    blocks = re.findall(r"```c\n(.*?)```", page, re.S)
    wrong += [f"not in an example:\n{block}" for block in blocks if squeezed(block) not in sources]
    with tempfile.TemporaryDirectory() as folder:
        printed = [output(bearing),
                   output(result, str(project / "models" / "rotating-ball.yaml"), f"{folder}/ball.h5")]
    wanted = re.findall(r"```text\n(.*?)```", page, re.S)
    wrong += [f"prints\n{got}instead of\n{want}" for got, want in zip(printed, wanted) if got != want]
    bad = subprocess.run([result, f"{project}/README.md", "/dev/null"], check=False, text=True,
                         stderr=subprocess.PIPE)
    if bad.returncode != 1 or "README.md:" not in bad.stderr:
        wrong.append(f"a bad model: exit {bad.returncode}: {bad.stderr}")
    print("\n".join(wrong) or f"{len(blocks)} blocks of C, {len(wanted)} outputs agree")
    return 1 if wrong or len(blocks) < 5 or len(wanted) != 2 else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
