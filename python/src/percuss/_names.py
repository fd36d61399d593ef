"""Keys of the library as keywords of Python."""
from __future__ import annotations

import difflib
import keyword
from typing import Any, Collection


def to_python(key: str) -> str:
    """`from` cannot be a keyword of a call: it is `from_`."""
    return key + "_" if keyword.iskeyword(key) else key


def to_library(method: str, known: Collection[str], given: dict[str, Any]) -> dict[str, Any]:
    """The keys that are meant; one that there is not is a TypeError with a suggestion."""
    found = {}
    for name, value in given.items():
        key = name[:-1] if name.endswith("_") and name[:-1] in known else name
        if key not in known:
            near = difflib.get_close_matches(key, known, 1)
            hint = f"did you mean '{near[0]}'?" if near else f"it has {', '.join(known)}"
            raise TypeError(f"{method}() has no key '{name}'; {hint}")
        found[key] = value
    return found
