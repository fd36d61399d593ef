"""Writes the program that a page of the documentation contains: extract_program.py PAGE NAME OUT."""
import pathlib
import re
import sys

page, name, out = sys.argv[1:]
found = re.search(rf"<!-- program: {re.escape(name)} -->\n```c\n(.*?)```", pathlib.Path(page).read_text(), re.S)
if not found:
    sys.exit(f"{page} has no program {name}")
pathlib.Path(out).write_text(found.group(1))
