"""Result files: series, impacts, energies, tables, pictures."""
from __future__ import annotations

import contextlib
import dataclasses
import os
import shutil
import threading
import weakref
from typing import TYPE_CHECKING, Any, Iterator, Sequence

import numpy as np

from ._found import EVENT, FOUND, KINDS, contacts_of, pair_name, shapes_of_result
from ._library import call, ffi, lib, text
from .pictures import Picture, picture
from .summary import Summary, summarize_result

if TYPE_CHECKING:
    from .simulation import Simulation


class Table(np.ndarray):
    """A structured array that can become a table of pandas."""

    def to_pandas(self) -> Any:
        """A pandas.DataFrame; columns of several numbers become several columns."""
        import pandas

        columns = {}
        for name in self.dtype.names:
            values = np.asarray(self[name])
            if values.ndim == 1:
                columns[name] = values
            else:
                columns.update({f"{name}.{i + 1}": values[:, i] for i in range(values.shape[1])})
        return pandas.DataFrame(columns)


@dataclasses.dataclass(frozen=True)
class Energy:
    """Energies over time [J]."""

    t: np.ndarray
    kinetic: np.ndarray
    potential: np.ndarray

    @property
    def total(self) -> np.ndarray:
        return self.kinetic + self.potential


#: whose files are open
_OPEN: "weakref.WeakSet[Result]" = weakref.WeakSet()

#: Whoever opens, reads or closes one of them holds this. Who writes a file does not need it.
_LOCK = threading.RLock()

IMPACT = [("t", "f8"), ("row", "i8"), ("contact", "U132"), ("P_N", "f8"), ("P_F", "f8", 3), ("velocity_before", "f8"),
          ("velocity_after", "f8")]


class Result:
    """A result file: `r["slider.x"]` is a series, `r.t` the times.

    A file of a run that was killed holds what was written before. If a simulation goes on with the file, the result stays
    what it was.
    """

    def __init__(self, path: str | os.PathLike[str], *, _simulation: "Simulation | None" = None,
                 _keep: Any = None) -> None:
        self.path = os.fspath(path)
        self._keep = _keep  # a temporary file that goes with the last who knows it
        self._file: Any = None
        self._cache: dict[str, np.ndarray] = {}
        self._summary = None if _simulation is None else _simulation.summary
        with self._open() as file:
            self._length = lib.pc_result_length(file)
            self._series = {}
            for i in range(lib.pc_result_series_count(file)):
                series = lib.pc_result_series(file, i)
                self._series[text(series.name)] = (i, text(series.unit), bool(series.recorded))
            #: the names of the contacts
            self.contacts = [text(lib.pc_result_contact(file, i)) for i in range(lib.pc_result_contact_count(file))]
            #: the shapes of the model, name and body of each: contacts between them refer to these
            self.shapes = shapes_of_result(lib, file)
            #: the text of the model file, or ""
            self.model = text(lib.pc_result_model(file))
            lines = text(lib.pc_result_options(file)).splitlines()
        #: the options of the run
        self.options: dict[str, str] = dict(line.split("=", 1) for line in lines if "=" in line)

    @contextlib.contextmanager
    def _open(self) -> Iterator[Any]:
        """The file, for as long as it is read; nobody closes it meanwhile."""
        with _LOCK:
            if self._file is None:
                made = ffi.new("pc_result **")
                call(lib.pc_result_open, os.fsencode(self.path), made)
                self._file = ffi.gc(made[0], _close)
                _OPEN.add(self)
            yield self._file

    # ---- numbers -----------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        """The number of recorded states."""
        return self._length

    @property
    def names(self) -> list[str]:
        """The series of the file."""
        return list(self._series)

    @property
    def recorded(self) -> list[str]:
        """Those that the model asked for."""
        return [name for name, (_, _, recorded) in self._series.items() if recorded]

    @property
    def units(self) -> dict[str, str]:
        return {name: unit for name, (_, unit, _) in self._series.items()}

    def __contains__(self, name: object) -> bool:
        return name in self._series

    def __iter__(self) -> Iterator[str]:
        return iter(self._series)

    def __getitem__(self, name: str) -> np.ndarray:
        """A series, one number for each recorded state; a list of names gives a column for each."""
        if isinstance(name, (list, tuple)):
            with self._open():
                return np.stack([self[n] for n in name], axis=1)
        if name not in self._cache:
            self._cache[name] = self._read(name)
        return self._cache[name]

    def _read(self, name: str) -> np.ndarray:
        values = np.empty(len(self))
        with self._open() as file:
            index = lib.pc_result_find(file, name.encode())
            if index < 0:
                near = min(self._series, key=lambda n: lib.pc_edit_distance(n.encode(), name.encode()))
                raise KeyError(f"the result has no series '{name}'; the nearest is '{near}'")
            call(lib.pc_result_read, file, index, 0, len(self), ffi.from_buffer("double[]", values))
        values.flags.writeable = False
        return values

    @property
    def t(self) -> np.ndarray:
        """The times of the recorded states [s]."""
        return self["time"]

    @property
    def energy(self) -> Energy:
        """Kinetic, potential and total energy over time."""
        with self._open():
            return Energy(self.t, self["energy.kinetic"], self["energy.potential"])

    def table(self, name: str) -> np.ndarray:
        """A table of the file as it stands there, such as "q", "contacts/P_F": a row for each recorded state
        (docs/results.md lists the tables)."""
        with self._open() as file:
            width = lib.pc_result_table_width(file, name.encode())
            if width < 0:
                raise KeyError(f"the result has no table '{name}'")
            values = np.empty((len(self), width))
            call(lib.pc_result_read_table, file, name.encode(), 0, len(self), width, ffi.from_buffer("double[]", values))
        return values

    @property
    def P_N(self) -> np.ndarray:
        """The normal impulses (percussions) of all contacts over each step [N s], a column for each contact."""
        values = np.empty((len(self), len(self.contacts)))
        if values.size:
            with self._open() as file:
                call(lib.pc_result_read_P_N, file, 0, len(self), ffi.from_buffer("double[]", values))
        return values

    @property
    def impacts(self) -> Table:
        """Contacts that close: t [s], row, contact, P_N and P_F [N s], gap velocity before and after [m/s]. A contact
        closes in a row where its impulse is positive and was zero in the row before. Contacts between shapes are named by
        them, "box - floor"; their P_F is a vector in the inertial frame."""
        made, count = ffi.new("pc_impact **"), ffi.new("int *")
        with self._open() as file:
            call(lib.pc_result_impacts, file, made, count)
            listed = [(i.row, i.contact, i.found) for i in made[0][0:count[0]] if i.row < len(self)]
            lib.free(made[0])
            table = np.zeros(len(listed), dtype=IMPACT).view(Table)
            if any(contact < 0 for _, contact, _ in listed):
                found, velocities = self.found, self._closings()
            for entry, (row, contact, number) in zip(table, listed):
                if contact >= 0:
                    self._describe(entry, row, self.contacts[contact])
                else:
                    self._describe_found(entry, found[number], velocities)
        return table

    def _closings(self) -> dict[Any, tuple[float, float]]:
        """Velocities before and after the closing of contacts between shapes, by time, shapes and feature."""
        events, features = self._read_events()
        return {(e["t"], *e["shape"], f): (e["velocity_before"], e["velocity_after"])
                for e, f in zip(events, features) if e["kind"] == "closed"}

    def _describe_found(self, entry: Any, contact: Any, velocities: dict[Any, tuple[float, float]]) -> None:
        entry["t"], entry["row"] = contact["t"], contact["row"]
        entry["contact"] = pair_name(self.shapes["name"], contact["shape"])
        entry["P_N"], entry["P_F"] = contact["P_N"], contact["P"] - contact["P_N"] * contact["normal"]
        key = (contact["t"], *contact["shape"], contact["feature"])
        entry["velocity_before"], entry["velocity_after"] = velocities.get(key, (np.nan, np.nan))

    @property
    def found(self) -> Table:
        """Contacts between shapes that carry an impulse, of all recorded states one after the other: t [s], row, shape
        (numbers of two `shapes`), feature (which features of them), P_N and P, the impulse on the body of the first shape
        in inertial components [N s], spin [N s], point [m], normal (from the second shape to the first) and gap [m]."""
        if "/found" not in self._cache:
            self._cache["/found"] = self._read_found()
        return self._cache["/found"].view(Table)

    @property
    def found_offsets(self) -> np.ndarray:
        """Which of `found` belong to a state: those of row k are found[offsets[k]:offsets[k + 1]]."""
        offsets = np.empty(len(self) + 1, dtype=np.dtype("l"))
        with self._open() as file:
            call(lib.pc_result_found_offsets, file, 0, len(self), ffi.from_buffer("long[]", offsets))
        return offsets

    def _read_found(self) -> np.ndarray:
        offsets = self.found_offsets
        count = int(offsets[-1])
        made = ffi.new("pc_shape_contact[]", max(count, 1))
        with self._open() as file:
            call(lib.pc_result_read_found, file, 0, count, made)
        found = contacts_of(made, count)
        found["row"] = np.repeat(np.arange(len(self)), np.diff(offsets))
        found["t"] = self.t[found["row"]]
        found.flags.writeable = False
        return found

    @property
    def balance(self) -> Any:
        """Where the energy went, from the first row to the last [J]: work, impact, friction, scheme (pc_balance in
        percuss/simulate.h)."""
        sums = ffi.new("pc_balance *")
        with self._open() as file:
            call(lib.pc_result_balance, file, 1, len(self) - 1, sums)
        return sums[0]

    @property
    def events(self) -> Table:
        """Contacts that closed or opened in any step, recorded or not: t [s], step, kind, contact, shape (of a contact
        between shapes, else -1), P_N and P_F [N s], gap velocity before and after [m/s]."""
        return self._read_events()[0].view(Table)

    def _read_events(self) -> tuple[np.ndarray, list[int]]:
        """And their features."""
        count = ffi.new("long *")
        with self._open() as file:
            call(lib.pc_result_event_count, file, count)
            made = ffi.new("pc_event[]", max(count[0], 1))
            call(lib.pc_result_read_events, file, 0, count[0], made)
        table = np.zeros(count[0], dtype=EVENT)
        for entry, e in zip(table, made):
            is_found = e.contact < 0
            entry["t"], entry["step"], entry["kind"] = e.t, e.step, KINDS[e.kind]
            entry["shape"] = list(e.key.shape) if is_found else -1
            entry["contact"] = pair_name(self.shapes["name"], e.key.shape) if is_found else self.contacts[e.contact]
            entry["P_N"], entry["P_F"] = e.P_N, list(e.P_F)
            entry["velocity_before"], entry["velocity_after"] = e.velocity_before, e.velocity_after
        return table, [made[i].key.feature for i in range(count[0])]

    def _describe(self, entry: Any, row: int, name: str) -> None:
        entry["t"], entry["row"], entry["contact"] = self.t[row], row, name
        entry["P_N"] = self[f"{name}.P_N"][row]
        friction = [f"{name}.P_F"] if f"{name}.P_F" in self else [f"{name}.P_F.{k}" for k in (1, 2, 3)]
        for k, series in enumerate(s for s in friction if s in self):
            entry["P_F"][k] = self[series][row]
        entry["velocity_before"] = entry["velocity_after"] = np.nan
        if f"{name}.gap_velocity" in self:  # unless the model's `record:` leaves it out
            velocity = self[f"{name}.gap_velocity"]
            entry["velocity_before"], entry["velocity_after"] = velocity[row - 1], velocity[row]

    @property
    def summary(self) -> Summary:
        """What the run amounts to: of a simulation that was just run everything, of a file what it tells."""
        return self._summary if self._summary is not None else summarize_result(self)

    # ---- export --------------------------------------------------------------------------------------------

    def save(self, path: str | os.PathLike[str]) -> "Result":
        """Copies the file; the result of a simulation in memory is gone with it otherwise."""
        shutil.copyfile(self.path, path)
        return Result(path)

    def to_dict(self, names: Sequence[str] | None = None) -> dict[str, np.ndarray]:
        """Series by their names: those that the model records, or all that are named."""
        with self._open():
            return {name: self[name] for name in (["time"] + self.recorded if names is None else names)}

    def to_pandas(self, names: Sequence[str] | None = None) -> Any:
        """A pandas.DataFrame over time."""
        import pandas

        columns = {k: v for k, v in self.to_dict(names).items() if k != "time"}
        return pandas.DataFrame(columns, index=pandas.Index(self.t, name="time"))

    def to_xarray(self, names: Sequence[str] | None = None) -> Any:
        """An xarray.Dataset over time, with units."""
        import xarray

        data = {k: ("time", v, {"units": self.units[k]}) for k, v in self.to_dict(names).items() if k != "time"}
        return xarray.Dataset(data, coords={"time": ("time", self.t, {"units": "s"})},
                              attrs={"model": self.model, **{f"option.{k}": v for k, v in self.options.items()}})

    def to_csv(self, path: str | os.PathLike[str], names: Sequence[str] | None = None, every: int = 1) -> None:
        """Writes series as comma-separated columns with 17 digits."""
        wanted = list(self.to_dict(names)) if names is None else list(names)
        indices = ffi.new("int[]", [self._index(n) for n in wanted])
        with open(path, "wb") as to, self._open() as file:
            call(lib.pc_result_write_csv, file, indices, len(wanted), every, to)

    def to_found_csv(self, path: str | os.PathLike[str], every: int = 1) -> None:
        """Writes the contacts between shapes as comma-separated columns, a line for each contact of each state."""
        with open(path, "wb") as to, self._open() as file:
            call(lib.pc_result_write_found_csv, file, every, to)

    def to_vtk(self, folder: str | os.PathLike[str], every: int = 1) -> None:
        """Writes the bodies for ParaView into a folder."""
        with self._open() as file:
            call(lib.pc_result_write_vtk, file, os.fsencode(folder), every, ffi.NULL, ffi.NULL)

    def _index(self, name: str) -> int:
        if name not in self._series:
            self._read(name)  # which says what is wrong
        return self._series[name][0]

    # ---- pictures ----------------------------------------------------------------------------------------------

    def plot(self, *names: "str | Sequence[str]", x: str = "time", ax: Any = None, **options: Any) -> Any:
        """Draws series over time, or over another one: each argument is a panel, a list of names shares one.

        With matplotlib it returns the axes. Without it the program percuss draws an SVG, which a notebook shows.
        """
        panels = [[n] if isinstance(n, str) else list(n) for n in (names or self.recorded[:2])]
        for name in [x] + [n for panel in panels for n in panel]:
            self._index(name)
        try:
            import matplotlib.pyplot as plt
        except ImportError:
            more = [word for panel in panels for word in ("--y", ",".join(panel))]
            return picture("plot", self.path, "svg", *more, "--x", x, **options)
        if ax is None:
            _, ax = plt.subplots(len(panels), sharex=True, squeeze=False)
            ax = ax[:, 0]
        for axes, panel in zip(np.atleast_1d(ax), panels):
            for name in panel:
                axes.plot(self[x], self[name], label=name, **options)
            axes.set_ylabel(", ".join(sorted({self.units[n] for n in panel})))
            axes.legend()
        np.atleast_1d(ax)[-1].set_xlabel(f"{x} [{self.units[x]}]")
        return ax

    def film(self, path: str | os.PathLike[str] | None = None, **options: Any) -> Picture:
        """Draws the mechanism moving, by `percuss animate`: a page that a notebook shows, kept at `path` if one is
        given (.html or .svg). Options are those of the command: film(speed=0.1, width=600)."""
        return picture("animate", self.path, "html", keep=path, **options)

    def view(self, path: str | os.PathLike[str] | None = None, **options: Any) -> Picture:
        """The interactive viewer, by `percuss view`: a page that a notebook shows, kept at `path` if one is given."""
        return picture("view", self.path, "html", keep=path, **options)

    def __hash__(self) -> int:
        return id(self)

    def __repr__(self) -> str:
        return f"<Result {self.path}, {len(self)} states, {len(self._series)} series>"


def _close(pointer: Any) -> None:
    with _LOCK:
        lib.pc_result_close(pointer)


def let_go(path: str) -> None:
    """Closes a file that somebody wants to write; who reads it opens it again."""
    with _LOCK:
        for result in list(_OPEN):
            if result._file is not None and os.path.samefile(result.path, path):
                pointer, result._file = result._file, None
                _OPEN.discard(result)
                ffi.release(pointer)
