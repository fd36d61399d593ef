"""The tables of kinds: what a model file can hold, as the library tells it."""
from __future__ import annotations

import dataclasses

from ._library import ffi, lib, text


@dataclasses.dataclass(frozen=True)
class Key:
    """A key of an element in a model file."""

    name: str
    type: str
    presence: str  #: "required" or the default as a text
    help: str

    @property
    def required(self) -> bool:
        return self.presence == "required"


@dataclasses.dataclass(frozen=True)
class Kind:
    """A kind of element of a model file, such as `revolute` of the section `joints`."""

    section: str
    name: str
    help: str
    keys: tuple[Key, ...]


def _keys(index: int) -> tuple[Key, ...]:
    keys, key = [], ffi.new("pc_element_key *")
    while lib.pc_model_element_key(index, len(keys), key):
        keys.append(Key(text(key.key), text(key.type), text(key.presence), text(key.help)))
    return tuple(keys)


def _read() -> list[Kind]:
    kinds: list[Kind] = []
    while True:
        kind = lib.pc_model_element_kind(len(kinds))
        if not kind:
            return kinds
        kinds.append(Kind(text(kind.section), text(kind.name), text(kind.help), _keys(len(kinds))))


KINDS = _read()
