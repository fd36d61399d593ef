"""Pictures, films and pages that the program percuss makes, and what a notebook shows of them."""
from __future__ import annotations

import base64
import os
import pathlib
import shutil
import subprocess
import tempfile
from typing import Any

from ._program import percuss
from .errors import ArgumentError, Error


class Picture:
    """An SVG or a page: shown by a notebook, `save` keeps it, `text` is its source."""

    def __init__(self, data: str, kind: str, height: int = 520) -> None:
        self.text, self.kind, self.height = data, kind, height

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes what the ending of the name says: .svg or .html, as the picture is; of an SVG also .png and .pdf, for which
        the program rsvg-convert is needed (Debian: librsvg2-bin)."""
        kind = pathlib.Path(path).suffix.lstrip(".").lower()
        if kind == self.kind:
            pathlib.Path(path).write_text(self.text)
        elif self.kind == "svg" and kind in ("png", "pdf"):
            self._convert(path, kind)
        else:
            endings = "'.svg', '.png' or '.pdf'" if self.kind == "svg" else f"'.{self.kind}'"
            raise ArgumentError(f"'{os.fspath(path)}': the name must end in {endings}")

    def _convert(self, path: str | os.PathLike[str], kind: str) -> None:
        converter = shutil.which("rsvg-convert")
        if converter is None:
            raise Error(f"rsvg-convert is needed for '{os.fspath(path)}' and is not there: install librsvg2-bin, or save as .svg")
        done = subprocess.run([converter, "--format", kind], input=self.text.encode(), capture_output=True, check=False)
        if done.returncode != 0:
            raise Error(f"rsvg-convert fails: {done.stderr.decode(errors='replace').strip()}")
        pathlib.Path(path).write_bytes(done.stdout)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        if self.kind == "svg":
            return {"image/svg+xml": self.text, "text/plain": repr(self)}
        page = base64.b64encode(self.text.encode()).decode()
        frame = (f'<iframe src="data:text/html;base64,{page}" width="100%" height="{self.height}" '
                 f'style="border:0"></iframe>')
        return {"text/html": frame, "text/plain": repr(self)}

    def __repr__(self) -> str:
        return f"<Picture, {self.kind}, {len(self.text)} characters>"


def words(options: dict[str, Any]) -> list[str]:
    """Options of the command line: width=600 is --width 600, impacts=True is --impacts."""
    listed = []
    for name, value in options.items():
        option = "--" + name.rstrip("_").replace("_", "-")
        if value is True:
            listed.append(option)
        elif value is not None and value is not False:
            listed += [option, ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)]
    return listed


def picture(command: str, result: str, kind: str, *arguments: str, keep: str | os.PathLike[str] | None = None,
            height: int = 520, **options: Any) -> Picture:
    """Runs a command of percuss that writes a picture of a result file."""
    if keep is not None:
        kind = pathlib.Path(keep).suffix.lstrip(".") or kind
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, f"picture.{kind}")
        percuss(command, result, *arguments, "-o", path, *words(options))
        made = Picture(pathlib.Path(path).read_text(), kind, height)
    if keep is not None:
        made.save(keep)
    return made
