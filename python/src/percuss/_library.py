"""The shared libraries: where they are, how they are called, what their errors become."""
from __future__ import annotations

import os
import pathlib
import shutil
import sys
from typing import Any

import numpy as np

from ._declarations import ffi
from ._interface import ENUMS, VERSION
from ._place import LIBRARY
from .errors import BY_STATUS, Error

_MINOR = ".".join(VERSION.split(".")[:2])
_NAME = f"libpercuss-io.so.{_MINOR}"  # which brings libpercuss along
_HERE = pathlib.Path(__file__).resolve().parent


def _candidates() -> list[str]:
    """Where the library may be, the likeliest first; the loader's own places last."""
    found = []
    given = os.environ.get("PERCUSS_LIBRARY")
    if given:
        found.append(given if os.path.isfile(given) else os.path.join(given, _NAME))
        return found
    for folder in os.environ.get("LD_LIBRARY_PATH", "").split(":"):
        if folder and os.path.exists(os.path.join(folder, _NAME)):
            found.append(os.path.abspath(os.path.join(folder, _NAME)))
    if LIBRARY is not None:
        found.append(str(_HERE / LIBRARY / _NAME))
    for prefix in (sys.prefix, "/usr/local"):
        found += sorted(str(p) for p in pathlib.Path(prefix, "lib").glob(f"*/{_NAME}"))
        found.append(str(pathlib.Path(prefix, "lib", _NAME)))
    found = [path for path in found if os.path.exists(path)]
    return found + [_NAME]


def _load() -> tuple[Any, str]:
    reasons = []
    for path in _candidates():
        try:
            return ffi.dlopen(path), path
        except OSError as error:
            reasons.append(str(error))
    raise ImportError(
        f"the libraries of percuss {_MINOR} were not found ({'; '.join(reasons)}). Install them with "
        "'make install' in the repository of percuss, or name their folder in the environment variable "
        "PERCUSS_LIBRARY.")


def _real_path(path: str) -> str:
    """Where the loader has found the library."""
    if os.path.isabs(path):
        return path
    try:
        lines = pathlib.Path("/proc/self/maps").read_text().splitlines()
    except OSError:
        return path
    return next((line.split(None, 5)[5] for line in lines if "/libpercuss-io.so" in line), path)


lib, library_path = _load()
library_path = _real_path(library_path)


def text(pointer: Any) -> str:
    """A text of the library; "" for NULL."""
    return ffi.string(pointer).decode("utf-8", "replace") if pointer else ""


def _check_version() -> None:
    found = text(lib.pc_version_text())
    if found.split(".")[:2] != VERSION.split(".")[:2]:
        raise ImportError(f"the package is that of percuss {VERSION}, the library {library_path} is {found}")


_check_version()

_STATUS = ENUMS["pc_status"]


def new_error() -> Any:
    return ffi.new("pc_error *")


def fail(status: int, error: Any, path: str | None = None) -> BaseException:
    """The exception for a status that is not PC_OK."""
    name = _STATUS[status]
    kind = BY_STATUS[name]
    said = text(error.text) or text(lib.pc_status_text(status))
    if not issubclass(kind, Error):
        return kind(said)
    return kind(said, name, path, error.line, error.column)


def check(status: int, error: Any, path: str | None = None) -> None:
    if status != 0:
        raise fail(status, error, path)


def call(function: Any, *arguments: Any, path: str | None = None) -> None:
    """Calls what returns a status and takes an error as its last argument."""
    error = new_error()
    check(function(*arguments, error), error, path)


def enum(name: str, word: str) -> int:
    """The value of an enumeration by the end of its name: "bore" of pc_surface_kind."""
    known = ENUMS[name]
    for value, full in enumerate(known):
        if full == word or full.lower().endswith("_" + word.lower().replace("-", "_")):
            return value
    choices = ", ".join(k.rpartition("_")[2].lower() for k in known)
    raise BY_STATUS["PC_BAD_ARGUMENT"](f"'{word}' is none of {choices}", "PC_BAD_ARGUMENT")


class _Memory:
    """Numbers of the library as numpy sees them; whoever owns them lives as long as the array."""

    def __init__(self, address: int, count: int, owner: Any) -> None:
        self.owner = owner
        self.__array_interface__ = {"version": 3, "typestr": "<f8", "shape": (count,),
                                    "data": (address, True)}


def view(pointer: Any, count: int, owner: Any) -> np.ndarray:
    """A live view of `count` numbers, read-only."""
    if count == 0:
        return np.zeros(0)
    return np.asarray(_Memory(int(ffi.cast("uintptr_t", pointer)), count, owner))


def copy(pointer: Any, count: int) -> np.ndarray:
    """A copy of `count` numbers."""
    return np.frombuffer(ffi.buffer(pointer, 8 * count), dtype=float).copy() if count else np.zeros(0)


def doubles(values: Any) -> tuple[Any, np.ndarray]:
    """A pointer to numbers, and the array that holds them."""
    array = np.ascontiguousarray(values, dtype=float)
    return ffi.cast("double *", array.ctypes.data), array


def program() -> str:
    """The program `percuss`: PERCUSS_PROGRAM, that beside the library, or that of the PATH."""
    given = os.environ.get("PERCUSS_PROGRAM")
    if given:
        return given
    folder = pathlib.Path(library_path).resolve().parent
    for candidate in (folder / "percuss", folder.parent / "bin/percuss", folder.parent.parent / "bin/percuss"):
        if os.path.isabs(library_path) and candidate.is_file() and os.access(candidate, os.X_OK):
            return str(candidate)
    found = shutil.which("percuss")
    if found:
        return found
    raise Error("the program 'percuss' was not found: install it, or name it in the environment variable "
                "PERCUSS_PROGRAM")


def model_folders() -> list[pathlib.Path]:
    """Where the models that come with percuss may be."""
    folder = pathlib.Path(library_path).resolve().parent
    places = [pathlib.Path("models")]
    if os.path.isabs(library_path):
        places += [folder.parent.parent / "models", folder.parent / "share/percuss/models",
                   folder.parent.parent / "share/percuss/models"]
    return [p for p in places + [pathlib.Path("/usr/local/share/percuss/models")] if p.is_dir()]
