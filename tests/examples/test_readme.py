#!/usr/bin/env python3
"""The README's ten lines of C run the README's ten lines of model, and print what percuss computes.

usage: test_readme.py PROGRAM PERCUSS README
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile


def output(folder, *command):
    return subprocess.run(command, check=True, text=True, cwd=folder, stdout=subprocess.PIPE).stdout


def main(program, percuss, readme):
    model = re.search(r"<!-- file: slope.yaml -->\n```yaml\n(.*?)```",
                      pathlib.Path(readme).read_text(), re.S).group(1)
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "slope.yaml").write_text(model)
        printed = output(folder, program)
        summary = output(folder, percuss, "run", "slope.yaml", "--until", "1.5", "--json", "--quiet")
    wanted = f"x = {json.loads(summary)['final']['x']:g} m\n"
    print(f"prints {printed}percuss says {wanted}", end="")
    return 0 if printed == wanted else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
