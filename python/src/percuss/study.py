"""Families of runs: compare schemes, measure convergence, sweep parameters.

They are done by the program percuss, on the text of the model: what acts in Python (controllers, extensions,
systems) is not part of it.
"""
from __future__ import annotations

import contextlib
import os
import tempfile
from typing import Any, Iterator, Sequence

import numpy as np

from ._library import call, ffi, lib, text
from ._program import percuss, percuss_json
from .errors import ArgumentError
from .model import Model
from .pictures import words
from .result import Table


@contextlib.contextmanager
def model_file(model: "Model | str | os.PathLike[str]") -> Iterator[list[str]]:
    """The words of the command line for a model: a file and --set options."""
    if not isinstance(model, Model):
        model = Model(model)
    if model._system is not None or model._extensions:
        raise ArgumentError("a model with functions in Python cannot be handed to the program percuss; simulate it here")
    sets = [w for name, value in model._overridden.items() for w in ("--set", f"{name}={_number(value)}")]
    if model.path is not None:
        yield [model.path, *sets]
        return
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "model.yaml")
        model.save(path)
        yield [path, *sets]


def _number(value: Any) -> str:
    return value if isinstance(value, str) else repr(float(value))


def _values(value: Any) -> str:
    """What a sweep takes for a parameter."""
    if isinstance(value, str):
        return value
    return _number(value) if np.ndim(value) == 0 else "list:" + ",".join(_number(v) for v in value)


def flat(value: Any, prefix: str = "") -> dict[str, Any]:
    """Nested objects as dotted keys."""
    if not isinstance(value, dict):
        return {prefix: value}
    found: dict[str, Any] = {}
    for key, inner in value.items():
        found |= flat(inner, f"{prefix}.{key}" if prefix else key)
    return found


class Comparison(dict):
    """What each scheme makes of a model: {scheme: {key: value}}, with the keys of `percuss compare --json`."""

    def to_pandas(self) -> Any:
        """A table with a row for each scheme."""
        import pandas

        return pandas.DataFrame.from_dict({name: dict(row) for name, row in self.items()}, orient="index")

    def __repr__(self) -> str:
        lines = [f"{'scheme':20} {'status':10} {'energy change':>14} {'penetration':>12} {'distance':>12}"]
        for name, row in self.items():
            numbers = [row.get(k) for k in ("energy.change", "penetration.max", "distance")]
            shown = [f"{x:12.4g}" if isinstance(x, (int, float)) else f"{'-':>12}" for x in numbers]
            lines.append(f"{name:20} {row.get('status', ''):10}   {' '.join(shown)}")
        return "\n".join(lines)


def compare(model: "Model | str", schemes: Sequence[str] | None = None, **options: Any) -> Comparison:
    """Runs a model under several schemes (all, if none are named): `percuss compare`, whose options are keywords:
    compare(m, dt=1e-4, until=0.1, threads=2)."""
    chosen = [] if schemes is None else ["--schemes", ",".join(schemes)]
    with model_file(model) as file:
        rows = percuss_json("compare", *file, *chosen, *words(options))
    return Comparison({name: flat(row) for name, row in rows.items()})


class Convergence:
    """Errors of a scheme over dt, and the order of convergence."""

    def __init__(self, found: dict[str, Any]) -> None:
        self.dt = np.array(found["dt"])
        self.error = {k: np.array([np.nan if e is None else e for e in v]) for k, v in found["error"].items()}
        self.order = {k: np.nan if v is None else v for k, v in found["order"].items()}

    def to_pandas(self) -> Any:
        import pandas

        return pandas.DataFrame(self.error, index=pandas.Index(self.dt, name="dt"))

    def __repr__(self) -> str:
        names = list(self.error)
        lines = ["dt        " + "".join(f"{n:>12}" for n in names)]
        lines += [f"{dt:<10.3g}" + "".join(f"{self.error[n][i]:12.3e}" for n in names) for i, dt in enumerate(self.dt)]
        return "\n".join(lines + ["order     " + "".join(f"{self.order[n]:12.2f}" for n in names)])


def converge(model: "Model | str", scheme: str | None = None, dt: Sequence[float] = (), **options: Any) -> Convergence:
    """Errors against a reference for several steps `dt`: `percuss converge`, whose options are keywords."""
    if len(dt) < 2:
        raise ArgumentError("converge takes two or more steps: dt=[1e-3, 5e-4]")
    chosen = ["--dt", ",".join(repr(float(h)) for h in dt)] + ([] if scheme is None else ["--scheme", scheme])
    with model_file(model) as file:
        return Convergence(percuss_json("converge", *file, *chosen, *words(options)))


def is_table(path: str | os.PathLike[str]) -> bool:
    """Whether a file is a table of `percuss sweep`."""
    return bool(lib.pc_is_table(os.fsencode(path)))


def read_table(path: str | os.PathLike[str]) -> Table:
    """A table of `percuss sweep`, CSV or HDF5: a structured array with `row`, a column for each parameter and each
    collected value, `status` and `note`. Lists of values (section(...), at(...)) are arrays."""
    made = ffi.new("pc_table_content **")
    call(lib.pc_table_read, os.fsencode(path), made)
    try:
        return _table(made[0])
    finally:
        lib.pc_table_free(made[0])


def _table(content: Any) -> Table:
    columns = [content.column[k] for k in range(content.column_count)]
    first = np.array(ffi.unpack(content.first, content.count * len(columns) + 1), dtype=int)
    numbers = np.array(ffi.unpack(content.number, int(first[-1]))) if first[-1] else np.zeros(0)
    kinds = [(text(c.name), object if c.is_list else float) for c in columns]
    table = np.zeros(content.count, dtype=[("row", int), *kinds, ("status", "U16"), ("note", object)])
    for i in range(content.count):
        cells = [numbers[a:b] for a, b in zip(first[i * len(columns):], first[i * len(columns) + 1:][:len(columns)])]
        values = [cell if c.is_list else (cell[0] if len(cell) else np.nan) for c, cell in zip(columns, cells)]
        table[i] = (content.row[i], *values, text(content.status[i]), text(content.note[i]))
    return table.view(Table)


def sweep(model: "Model | str", collect: Sequence[str] | str, set: Any = None, *, out: Any = None, **options: Any) -> Table:
    """Runs a model for many values of its parameters: `percuss sweep`, whose options are keywords.

        sweep("vibrating-table", set={"gamma": "1:2:400"}, collect=["final.ball", "max(table.P_N)"], threads=2)

    `set` maps parameters to what the command takes: "a:b:n", "list:1,2,3", "normal(0.3,0.02)" with samples=N, or a list
    of numbers. Returns the table, with a row for each run; `out` keeps it as a file (.csv or .h5).
    """
    collected = collect if isinstance(collect, str) else ",".join(collect)
    with model_file(model) as file, tempfile.TemporaryDirectory() as folder:
        path = os.fspath(out) if out is not None else os.path.join(folder, "table.csv")
        chosen = [w for name, value in (set or {}).items() for w in ("--set", f"{name}={_values(value)}")]
        percuss("sweep", *file, *chosen, "--collect", collected, "--out", path, "--quiet", *words(options))
        return read_table(path)
