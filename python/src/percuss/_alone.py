"""Objects of the library that belong to one thread at a time: a second thread gets an exception."""
from __future__ import annotations

import contextlib
import functools
import threading
from typing import Any, Callable, Iterator, TypeVar

from .errors import Error

T = TypeVar("T")


class Alone:
    """Who uses an object: one thread, as often as it likes; and whether the library is at work on it."""

    def __init__(self, what: str) -> None:
        self.what, self.lock, self.moving = what, threading.RLock(), False

    def enter(self, moves: bool) -> None:
        if not self.lock.acquire(blocking=False):
            raise Error(f"{self.what} is in use by another thread; it belongs to one thread at a time: make one for each")
        if moves and self.moving:
            self.lock.release()
            raise Error(f"{self.what} cannot be changed by a function that it calls itself")

    @contextlib.contextmanager
    def at_work(self) -> Iterator[None]:
        """While the library is at work on it and may call functions of Python."""
        self.moving = True
        try:
            yield
        finally:
            self.moving = False


def _guard(method: Callable[..., Any], moves: bool) -> Callable[..., Any]:
    @functools.wraps(method)
    def guarded(self: Any, *arguments: Any, **keywords: Any) -> Any:
        alone: Alone = self._alone
        alone.enter(moves)
        try:
            return method(self, *arguments, **keywords)
        finally:
            alone.lock.release()
    return guarded


def one_thread(asks: str, changes: str) -> Callable[[type[T]], type[T]]:
    """A class whose methods and properties of these names refuse a second thread; those that change the object refuse a
    function that the library calls, too. Its objects have an Alone as `_alone`."""
    def guard(owner: type[T]) -> type[T]:
        for moves, names in ((False, asks), (True, changes)):
            for name in names.split():
                found = owner.__dict__[name]
                if isinstance(found, property):
                    assert found.fget is not None
                    found = property(_guard(found.fget, False), found.fset and _guard(found.fset, True), None, found.__doc__)
                else:
                    found = _guard(found, moves)
                setattr(owner, name, found)
        return owner
    return guard
