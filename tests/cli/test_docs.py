"""Every command of the README and of docs/ runs as it stands.

A line of four spaces or within a ```sh block that begins with `percuss ` is a command, unless it
shows a form (MODEL, FIG, ...). A ```yaml block behind `<!-- file: NAME -->` is written to that file
first. Each page runs in a folder of its own, from top to bottom. The tutorial has a test of its own
(test_tutorial.py), which runs everything in it.
"""
import os
import pathlib
import re
import subprocess
import tempfile

from terminal import PROGRAM, check, finish

ROOT = pathlib.Path.cwd()
FORM = re.compile(r"\b[A-Z]{3,}\b|\.\.\.|\[")  # MODEL, RESULT.h5, [options]


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
                yield from (("command", part) for part in lines)
            name, block = None, None
        elif block is not None:
            lines.append(line)
        elif line.startswith("    percuss "):
            yield "command", line.strip()


def run_page(page):
    count = 0
    with tempfile.TemporaryDirectory() as folder:
        path = os.pathsep.join([str(pathlib.Path(PROGRAM).parent), os.environ["PATH"]])
        for kind, content in pieces(page.read_text()):
            if kind == "file":
                pathlib.Path(folder, content[0]).write_text(content[1])
                continue
            command = content.split("  #")[0].split("   ")[0].strip()
            if not command.startswith("percuss ") or FORM.search(command):
                continue
            done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True,
                                  timeout=300, env={**os.environ, "PATH": path})
            count += 1
            check(done.returncode == 0,
                  f"{page.relative_to(ROOT)}: {command}: exit {done.returncode}: {done.stderr.strip()}")
    return count


PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
total = sum(run_page(page) for page in PAGES if page.name != "tutorial.md")
print(total, "commands")
check(total >= 5, "the pages have commands")
finish()
