"""Contacts between shapes as structured arrays."""
from __future__ import annotations

from typing import Any

import numpy as np

from ._library import ffi, text

#: what r.found has of each contact
FOUND: list[Any] = [("t", "f8"), ("row", "i8"), ("shape", "i4", 2), ("feature", "u8"), ("P_N", "f8"), ("P", "f8", 3), ("spin", "f8"),
         ("point", "f8", 3), ("normal", "f8", 3), ("gap", "f8")]

#: names of shapes and their bodies
SHAPE = [("name", "U64"), ("body", "U64")]

EVENT = [("t", "f8"), ("step", "i8"), ("kind", "U6"), ("contact", "U132"), ("shape", "i4", 2), ("P_N", "f8"),
         ("P_F", "f8", 3), ("velocity_before", "f8"), ("velocity_after", "f8")]

KINDS = {1: "closed", 2: "opened"}


def _layout() -> np.dtype:
    """pc_shape_contact as numpy sees it."""
    key = ffi.offsetof("pc_shape_contact", "key")
    fields: dict[str, Any] = {"shape": (("i4", 2), key + ffi.offsetof("pc_contact_key", "shape")),
              "feature": ("u8", key + ffi.offsetof("pc_contact_key", "feature"))}
    for name, *kind in FOUND[4:]:
        fields[name] = (tuple(kind) if len(kind) > 1 else kind[0], ffi.offsetof("pc_shape_contact", name))
    return np.dtype({"names": list(fields), "formats": [f for f, _ in fields.values()],
                     "offsets": [o for _, o in fields.values()], "itemsize": ffi.sizeof("pc_shape_contact")})


LAYOUT = _layout()


def contacts_of(pointer: Any, count: int) -> np.ndarray:
    """A copy of `count` contacts in memory of C."""
    found = np.zeros(count, dtype=FOUND)
    if count:
        seen = np.frombuffer(ffi.buffer(pointer, count * LAYOUT.itemsize), dtype=LAYOUT)
        for name in LAYOUT.names:
            found[name] = seen[name]
    return found


def pair_name(shapes: Any, pair: Any) -> str:
    """As texts name a contact between shapes: "box - floor"."""
    return f"{shapes[pair[0]]} - {shapes[pair[1]]}"


def shape_table(names: Any) -> np.ndarray:
    table = np.zeros(len(names), dtype=SHAPE)
    for entry, (name, body) in zip(table, names):
        entry["name"], entry["body"] = name, body
    return table


def shapes_of_result(lib: Any, file: Any) -> np.ndarray:
    listed = [lib.pc_result_get_shape(file, i) for i in range(lib.pc_result_shape_count(file))]
    return shape_table([(text(s.name), text(s.body)) for s in listed])
