"""How far a run is: a line on a terminal, a bar in a notebook, nothing elsewhere."""
from __future__ import annotations

import sys
import time
from typing import Any

DELAY = 0.5  #: a run that is shorter shows nothing [s]
PERIOD = 0.1  #: between two looks [s]


def notebook() -> Any:
    """The display function of a notebook, or None."""
    try:
        shell = sys.modules["IPython"].get_ipython()
        if shell is None or "IPKernelApp" not in shell.config:
            return None
        from IPython.display import display

        return display
    except (KeyError, ImportError, AttributeError):
        return None


class _Html:
    def __init__(self, done: float, words: str) -> None:
        self.done, self.words = done, words

    def __repr__(self) -> str:
        return self.words

    def _repr_html_(self) -> str:
        return f"<progress value='{self.done:.4f}' max='1' style='width:20em'></progress> {self.words}"


class Progress:
    """Of a run from `first` to `last` step. `wanted`: True, False, or None: where somebody is looking."""

    def __init__(self, first: int, last: int, wanted: bool | None) -> None:
        self.first, self.last = first, last
        self.display = None if wanted is False else notebook()
        terminal = wanted if wanted is not None else sys.stderr is not None and sys.stderr.isatty()
        self.terminal = bool(terminal) and self.display is None
        self.began = time.monotonic()
        self.due = self.began + (0 if wanted else DELAY)
        self.handle: Any = None
        self.shown = False

    def see(self, step: int, t: float) -> None:
        now = time.monotonic()
        if now < self.due or not (self.terminal or self.display):
            return
        self.due = now + PERIOD
        self.show(step, t, now)

    def show(self, step: int, t: float, now: float) -> None:
        done = (step - self.first) / max(self.last - self.first, 1)
        left = (now - self.began) * (1 - done) / done if done > 0 else float("nan")
        words = f"{100 * done:3.0f} %  t = {t:.4g} s  {left:.0f} s left"
        if self.display:
            picture = _Html(done, words)
            if self.handle is None:
                self.handle = self.display(picture, display_id=True)
            else:
                self.handle.update(picture)
        else:
            width = 24
            bar = "#" * int(width * done)
            sys.stderr.write(f"\r[{bar:{width}}] {words}   ")
            sys.stderr.flush()
        self.shown = True

    def end(self, step: int, t: float) -> None:
        """The bar goes from a terminal and stays, filled, in a notebook."""
        if not self.shown:
            return
        if self.display:
            self.show(step, t, time.monotonic())
        else:
            sys.stderr.write("\r" + " " * 70 + "\r")
            sys.stderr.flush()
