"""Models built by calls: each call is an element of a model file.

The methods come from the library's tables of kinds, with their keys, defaults and help, so that
`help(percuss.Model.revolute)` says what `percuss list elements revolute` says. What they make is the text of
a model file: it can be kept (`Model.text`), and all that works on model files works on it.
"""
from __future__ import annotations

import inspect
import json
import re
from typing import Any

import numpy as np

from ._kinds import KINDS, Kind
from ._names import to_library, to_python
from .errors import ArgumentError

_PLAIN = re.compile(r"[A-Za-z][\w.-]*")
_WORDS = {"true", "false", "null", "yes", "no", "on", "off", "y", "n"}  # which YAML may take for others


class Default:
    """What a key is if it is not given; it shows the library's words for it."""

    def __init__(self, words: str) -> None:
        self.words = words

    def __repr__(self) -> str:
        return self.words


def scalar(value: Any) -> str:
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    if isinstance(value, str):
        plain = _PLAIN.fullmatch(value) and value.lower() not in _WORDS
        return value if plain else json.dumps(value)
    raise ArgumentError(f"{value!r} cannot stand in a model file; it takes numbers, texts, lists and mappings")


def flow(value: Any) -> str:
    """A value in one line of YAML."""
    if isinstance(value, dict):
        items = (f"{scalar(str(k))}: {flow(v)}" for k, v in value.items() if v is not None)
        return "{" + ", ".join(items) + "}"
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(flow(v) for v in value) + "]"
    return scalar(value)


def to_yaml(document: dict[str, Any]) -> str:
    """The text of a model file."""
    lines = []
    for section, value in document.items():
        if isinstance(value, dict) and value and section != "simulate":
            lines.append(f"{section}:")
            lines += [f"  {scalar(str(k))}: {flow(v)}" for k, v in value.items()]
        elif value is not None and value != {} and value != []:
            lines.append(f"{section}: {flow(value)}")
    return "\n".join(lines) + "\n"


def _method_name(kind: Kind) -> str:
    special = {("bodies", "rigid"): "rigid", ("bodies", "point"): "point_mass",
               ("contacts", "formula"): "formula_contact", ("constraints", "velocity"): "velocity_constraint",
               ("joints", "planar"): "planar"}
    return special.get((kind.section, kind.name), kind.name.replace("-", "_"))


def _entry(kind: Kind, keys: dict[str, Any]) -> Any:
    """What stands under the name of an element in the file."""
    if kind.section in ("joints", "forces"):
        return {kind.name: keys}
    if kind.section == "bodies":
        return keys if kind.name == "rigid" else {"kind": kind.name, **keys}
    return keys


def _merge(kinds: list[Kind]) -> dict[str, Any]:
    """The keys of kinds that share a method (in the plane and in space), those on top level alone."""
    keys: dict[str, Any] = {}
    for kind in kinds:
        for key in kind.keys:
            if "." not in key.name and not (kind.section == "bodies" and key.name == "kind"):
                keys.setdefault(key.name, []).append((kind, key))
    return keys


def _signature(kinds: list[Kind]) -> inspect.Signature:
    parameter, empty = inspect.Parameter, inspect.Parameter.empty
    listed = [parameter("self", parameter.POSITIONAL_OR_KEYWORD),
              parameter("name", parameter.POSITIONAL_OR_KEYWORD, annotation="str")]
    for name, uses in _merge(kinds).items():
        needed = len(uses) == len(kinds) and all(key.required for _, key in uses)
        words = next((key.presence for _, key in uses if not key.required), "none")
        listed.append(parameter(to_python(name), parameter.KEYWORD_ONLY, annotation="Any",
                                default=empty if needed else Default(words)))
    return inspect.Signature(listed, return_annotation="str")


def _documentation(kinds: list[Kind]) -> str:
    lines = []
    for kind in kinds:
        lines += [f"{kind.help[0].upper()}{kind.help[1:]} (`{kind.section}` of a model file).", ""]
        width = max([len(key.name) for key in kind.keys], default=0)
        lines += [f"    {key.name:{width}}  {key.help} ({key.type}; {key.presence})" for key in kind.keys]
        lines.append("")
    return "\n".join(lines + ["Returns the name."])


def _make(method: str, kinds: list[Kind]) -> Any:
    keys = list(_merge(kinds))
    needed = [name for name, p in _signature(kinds).parameters.items()
              if p.kind is p.KEYWORD_ONLY and p.default is p.empty]  # as keywords

    def add(self: Any, name: str, **given: Any) -> str:
        missing = [key for key in needed if key not in given]
        given = to_library(method, keys, given)
        if missing:
            raise TypeError(f"{method}() needs {', '.join(missing)}")
        return self.add(kinds[0].section, name, _entry(kinds[0], given))

    add.__name__ = method
    add.__qualname__ = f"Model.{method}"
    add.__doc__ = _documentation(kinds)
    add.__signature__ = _signature(kinds)  # type: ignore[attr-defined]
    return add


def _by_method() -> dict[str, list[Kind]]:
    methods: dict[str, list[Kind]] = {}
    for kind in KINDS:
        if kind.section != "record":
            methods.setdefault(_method_name(kind), []).append(kind)
    return methods


class Builder:
    """The sections of a model file, filled by calls."""

    def __init__(self) -> None:
        self._document: dict[str, Any] = {}

    def _changed(self) -> None:
        """A call has added something."""

    def add(self, section: str, name: str, value: Any) -> str:
        """Adds an entry to a section of the model file, in the words of the file: what the methods for
        elements do. Returns the name."""
        entries = self._document.setdefault(section, {})
        if name in entries:
            raise ArgumentError(f"{section}: there is a '{name}' already")
        entries[name] = value
        self._changed()
        return name

    def body(self, name: str, kind: str = "rigid", **keys: Any) -> str:
        """Adds a body: rigid (the default), point, bar or beam, with the keys of `rigid`, `point_mass`, `bar`
        or `beam`. Returns the name."""
        methods = {"rigid": "rigid", "point": "point_mass", "bar": "bar", "beam": "beam"}
        if kind not in methods:
            raise ArgumentError(f"'{kind}' is no kind of body; there are {', '.join(methods)}")
        return getattr(self, methods[kind])(name, **keys)

    def contact(self, name: str, **keys: Any) -> str:
        """Adds a contact; its kind follows from its keys, as in a model file:

            m.contact("floor", disc=ball, radius=0.1, plane={"point": [0, 0], "normal": [0, 1]}, friction=0.3)

        The methods `point_plane`, `disc_plane`, `disc_disc`, ... list the keys of each kind. Returns the name.
        """
        known = [key.name for kind in KINDS if kind.section == "contacts" for key in kind.keys if "." not in key.name]
        return self.add("contacts", name, to_library("contact", sorted(set(known)), keys))

    def shape(self, name: str, **keys: Any) -> str:
        """Adds a shape to a body, or to the ground; its kind follows from its keys, as in a model file:

            m.shape("floor", half_plane=[0, 1])
            m.shape("rim", disc=0.1, body=wheel, material="rubber")

        The methods `disc`, `box`, `sphere`, ... list the keys of each kind. Returns the name.
        """
        known = [key.name for kind in KINDS if kind.section == "shapes" for key in kind.keys if "." not in key.name]
        return self.add("shapes", name, to_library("shape", sorted(set(known)), keys))

    def point(self, name: str, body: str, at: Any = None) -> str:
        """Gives a point of a body a name; its position and velocity are recorded. Returns the name."""
        return self.add("points", name, body if at is None else [body, at])

    def constraint(self, name: str, formula: str) -> str:
        """Adds a formula in the coordinates that stays zero. Returns the name."""
        return self.add("constraints", name, formula)

    def generalized_force(self, coordinate: str, formula: Any) -> None:
        """Adds the force on a coordinate of formulas."""
        self.add("forces", coordinate, formula)

    def kinetic(self, formula: str) -> None:
        """Sets the kinetic energy of the coordinates of formulas."""
        self._document["kinetic"] = formula
        self._changed()

    def potential(self, formula: str) -> None:
        """Sets the potential energy of formulas."""
        self._document["potential"] = formula
        self._changed()

    def parameter(self, name: str, value: Any) -> str:
        """Adds a parameter: a number or an expression. Returns the name, for use in expressions."""
        self._document.setdefault("parameters", {})[name] = value
        self._changed()
        return name

    def record(self, *names: str, **outputs: Any) -> None:
        """Says what is recorded: quantities by their names, and own outputs as formulas. Without it everything
        is recorded."""
        listed = self._document.setdefault("record", [])
        listed += list(names) + [{name: value} for name, value in outputs.items()]
        self._changed()


for _name, _kinds in _by_method().items():
    if not hasattr(Builder, _name):
        setattr(Builder, _name, _make(_name, _kinds))
