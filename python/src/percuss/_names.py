"""Keys of the library as keywords of Python."""
from __future__ import annotations

import difflib
import keyword
from typing import Any, Collection


def to_python(key: str) -> str:
    """`half-plane` and `from` cannot be keywords of a call: they are `half_plane` and `from_`."""
    name = key.replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def to_library(method: str, known: Collection[str], given: dict[str, Any]) -> dict[str, Any]:
    """The keys that are meant; one that there is not is a TypeError with a suggestion."""
    keys = {to_python(key): key for key in known}
    for name in given:
        if name not in keys:
            near = difflib.get_close_matches(name, keys, 1)
            hint = f"did you mean '{near[0]}'?" if near else f"it has {', '.join(keys)}"
            raise TypeError(f"{method}() has no key '{name}'; {hint}")
    return {keys[name]: value for name, value in given.items()}
