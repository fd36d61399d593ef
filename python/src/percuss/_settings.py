"""Schemes, solvers and their settings, from the library's tables."""
from __future__ import annotations

import dataclasses
from typing import Any, Mapping

from ._library import call, ffi, lib, text
from .errors import ArgumentError
from .model import edit_distance


@dataclasses.dataclass(frozen=True)
class Setting:
    """A setting of the schemes."""

    name: str
    values: str
    help: str
    schemes: tuple[str, ...]  #: those that read it; () means all
    flag: bool


def _names(list_: Any) -> list[str]:
    names: list[str] = []
    while list_[len(names)]:
        names.append(text(list_[len(names)]))
    return names


def schemes() -> dict[str, str]:
    """The time-stepping schemes, each with a line about it."""
    return {n: text(lib.pc_scheme_summary(n.encode())) for n in _names(lib.pc_scheme_names())}


def solvers() -> dict[str, str]:
    """The contact solvers, each with a line about it."""
    return {n: text(lib.pc_solver_summary(n.encode())) for n in _names(lib.pc_solver_names())}


def settings() -> dict[str, Setting]:
    """The settings of the schemes: keywords of Model.simulate, with `_` for `-`."""
    found = {}
    for i in range(lib.pc_setting_count()):
        s = lib.pc_setting_at(i)
        name = text(s.key).replace("-", "_")
        found[name] = Setting(name, text(s.values), text(s.help), tuple(text(s.schemes).split()), bool(s.flag))
    return found


def _words(value: Any) -> str:
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, (tuple, list)):
        return ",".join(_words(v) for v in value)
    return value if isinstance(value, str) else repr(value.item() if hasattr(value, "item") else value)


def check_scheme(name: str) -> None:
    known = schemes()
    if name not in known:
        near = min(known, key=lambda n: edit_distance(n, name))
        hint = f"; did you mean '{near}'?" if edit_distance(near, name) <= 3 else ""
        raise ArgumentError(f"there is no scheme '{name}'{hint} There are: {', '.join(known)}")


def apply(to: Any, scheme: str, given: Mapping[str, Any]) -> dict[str, str]:
    """Sets what is given; returns it in the words of the command line, by its keys."""
    known, words = settings(), {}
    for name, value in given.items():
        if name not in known:
            near = min(known, key=lambda n: edit_distance(n, name))
            raise TypeError(f"there is no setting '{name}'; did you mean '{near}'? percuss.settings() lists all")
        readers = known[name].schemes
        if readers and scheme not in readers:
            raise ArgumentError(f"'{name}' does nothing in scheme '{scheme}'; it is for: {', '.join(readers)}")
        key = name.replace("_", "-")
        words[key] = _words(value)
    texts = [(ffi.new("char[]", k.encode()), ffi.new("char[]", v.encode())) for k, v in words.items()]
    call(lib.pc_set_given, to, scheme.encode(), ffi.new("pc_given_setting[]", texts), len(texts))
    return words


def new_settings(values: Any) -> Any:
    """A structure of its own."""
    return ffi.new("pc_scheme_settings *", values)
