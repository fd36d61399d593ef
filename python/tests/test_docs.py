"""docs/python.md is a notebook: its cells run from top to bottom and print what stands below them."""
import contextlib
import importlib.util
import io
import pathlib
import re

import percuss
from percuss._program import percuss as program

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs/python.md"
CELL = re.compile(r"(?:<!-- needs: (?P<needs>[\w.]+) -->\n)?```python\n(?P<code>.*?)```\n(?:```text\n(?P<text>.*?)```)?", re.S)


def have(thing):
    """A package, or a command of the program."""
    if thing in ("sweep", "view"):
        return f"percuss {thing}" in program("help")
    try:
        return importlib.util.find_spec(thing) is not None
    except ModuleNotFoundError:
        return False


def test_the_page_runs_as_it_stands(monkeypatch, tmp_path):

    names, run = {"__name__": "page"}, 0
    for cell in CELL.finditer(PAGE.read_text()):
        if cell["needs"] and not have(cell["needs"]):
            continue
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(cell["code"], str(PAGE), "exec"), names)
        if cell["text"] is not None:
            assert printed.getvalue() == cell["text"], cell["code"]
        run += 1
    assert run >= 14


def test_every_public_name_is_documented():
    page = PAGE.read_text()
    missing = [name for name in ("Model", "System", "Result", "check", "compare", "converge", "sweep", "solve", "schemes",
                                 "settings", "ModelError", "NotConverged") if name not in page]
    assert not missing and percuss.__doc__
