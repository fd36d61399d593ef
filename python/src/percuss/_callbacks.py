"""Python functions that the library calls."""
from __future__ import annotations

import inspect
from typing import Any, Callable, Sequence

import numpy as np

from ._interface import STRUCTS
from ._library import ffi
from .errors import ArgumentError


class Guard:
    """Keeps the first exception that a Python function has raised below the library, to be raised again when
    the call into the library has come back."""

    def __init__(self) -> None:
        self.error: BaseException | None = None

    def note(self, kind: Any, error: BaseException, trace: Any) -> None:
        if self.error is None:
            self.error = error.with_traceback(trace)

    def check(self, cause: BaseException | None = None) -> None:
        """Raises what was kept."""
        if self.error is not None:
            error, self.error = self.error, None
            raise error from cause


class Functions:
    """The C functions of one element or system: they live as long as this object."""

    def __init__(self, guard: Guard) -> None:
        self.guard = guard
        self.kept: list[Any] = []

    def keep(self, thing: Any) -> Any:
        self.kept.append(thing)
        return thing

    def make(self, signature: str, function: Callable[..., Any], error: Any = None) -> Any:
        """A C function of this type; if the Python one raises, `error` is its value."""
        if error is None:
            made = ffi.callback(signature, function, onerror=self.guard.note)
        else:
            made = ffi.callback(signature, function, error=error, onerror=self.guard.note)
        return self.keep(made)


def numbers(pointer: Any, count: int) -> np.ndarray:
    """Numbers of the library for the time of a call, without a copy."""
    return np.frombuffer(ffi.buffer(pointer, 8 * count), dtype=float) if count else np.zeros(0)


def field_type(struct: str, field: str) -> str:
    """The type of a function in a structure."""
    return next(kind for name, kind, _ in STRUCTS[struct][1] if name == field)


def accepts(function: Callable[..., Any]) -> int | None:
    """How many positional arguments a function takes; None: any number."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):
        return None
    if any(p.kind is p.VAR_POSITIONAL for p in parameters):
        return None
    return sum(p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD) for p in parameters)


class Forces:
    """Generalized forces as users return them: None, a number, as many numbers as there are velocities, or a
    mapping from velocities' names to numbers."""

    def __init__(self, names: Sequence[str]) -> None:
        self.index = {name: i for i, name in enumerate(names)}
        self.count = len(names)

    def put(self, value: Any, into: np.ndarray) -> None:
        if value is None:
            return
        if isinstance(value, dict):
            for name, force in value.items():
                if name not in self.index:
                    raise ArgumentError(f"'{name}' is no velocity here; there are {', '.join(self.index)}")
                into[self.index[name]] += force
            return
        array = np.asarray(value, dtype=float)
        if array.size != self.count or array.ndim > 1:
            raise ArgumentError(f"the function returned {array.size} numbers (shape {array.shape}); it must be one for "
                                f"each of the {self.count} velocities {', '.join(list(self.index)[:12])}"
                                f"{' ...' if self.count > 12 else ''}, or a mapping from their names to numbers")
        into += array.reshape(-1)
