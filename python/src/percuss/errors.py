"""Exceptions: what the library says, with the place where it says it."""
from __future__ import annotations


class Error(Exception):
    """Something that percuss refuses or cannot do. The text is the library's.

    `path`, `line` and `column` tell the place in a file, where there is one (`line` counts from 1, 0 means
    none); `status` is the name of the library's status, such as "PC_BAD_MODEL".
    """

    def __init__(self, text: str, status: str = "", path: str | None = None, line: int = 0,
                 column: int = 0) -> None:
        self.text, self.status = text, status
        self.path, self.line, self.column = path, line, column
        place = path or ""
        if line:
            place += f"{':' if place else 'line '}{line}:{column}"
        super().__init__(f"{place}: {text}" if place else text)


class ArgumentError(Error, ValueError):
    """A value or a name that is not allowed."""


class ModelError(Error, ValueError):
    """A model, a problem or a result file that does not make sense or cannot be read."""


class StepError(Error, ArithmeticError):
    """A step that could not be solved; the simulation is at the last good state."""


class NotConverged(StepError):
    """A step could not be solved to its tolerance."""


class NotFinite(StepError):
    """An infinite number or a NaN appeared."""


class Singular(StepError):
    """A matrix that has to be inverted is singular."""


class Unstable(StepError):
    """The scheme makes energy without end: dt is too long for it."""


class CannotWrite(Error, OSError):
    """An output file could not be written."""


class Stopped(Error):
    """A run that was asked to stop."""


class ProgramError(Error):
    """The program `percuss` ended with an error; `code` is its exit code."""

    def __init__(self, text: str, code: int) -> None:
        super().__init__(text)
        self.code = code


BY_STATUS: dict[str, type[BaseException]] = {
    "PC_OUT_OF_MEMORY": MemoryError,
    "PC_BAD_ARGUMENT": ArgumentError,
    "PC_BAD_MODEL": ModelError,
    "PC_NOT_CONVERGED": NotConverged,
    "PC_NOT_FINITE": NotFinite,
    "PC_SINGULAR": Singular,
    "PC_CANNOT_WRITE": CannotWrite,
    "PC_STOPPED": Stopped,
    "PC_UNSTABLE": Unstable,
}
