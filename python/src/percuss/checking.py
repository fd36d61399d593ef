"""Looking at a model before it runs."""
from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING, Any, Mapping

import numpy as np

from ._interface import STRUCTS
from ._library import call, copy, ffi, lib, text
from ._settings import apply, check_scheme, new_settings
from .model import Model


def _value(value: Any) -> Any:
    if not isinstance(value, ffi.CData):
        return value
    kind = ffi.typeof(value)
    if kind.item.cname == "char":
        return text(value)
    return value if kind.kind == "pointer" else list(value)


class Entry:
    """A joint, a contact, a warning, a tally: the fields of a structure of the library."""

    if TYPE_CHECKING:
        def __getattr__(self, field: str) -> Any: ...

    def __init__(self, struct: str, from_: Any) -> None:
        for name, _, _ in STRUCTS[struct][1]:
            setattr(self, name, _value(getattr(from_, name)))

    def __repr__(self) -> str:
        return f"<{', '.join(f'{k}={v!r}' for k, v in self.__dict__.items())}>"


class Assembly:
    """Initial values that fit joints, drives and contacts: `q` and `u`, the attributes of pc_assemble_report
    (percuss/assemble.h), and `changes`, those coordinates and velocities that differ: {name: (before, after)}."""

    if TYPE_CHECKING:
        def __getattr__(self, field: str) -> Any: ...

    def __init__(self, model: Model, report: Any) -> None:
        for name, _, _ in STRUCTS["pc_assemble_report"][1]:
            if name not in ("q", "u"):
                setattr(self, name, _value(getattr(report, name)))
        self.q, self.u = copy(report.q, model.sizes["q"]), copy(report.u, model.sizes["u"])
        before, after = dict(zip("qu", model.rough_start)), {"q": self.q, "u": self.u}
        self.changes = {x.name: (float(before[x.kind][x.index]), float(after[x.kind][x.index]))
                        for x in model.quantities
                        if x.kind in after and before[x.kind][x.index] != after[x.kind][x.index]}

    def __repr__(self) -> str:
        lines = [f"assembled in {self.iterations} iterations",
                 f"largest violation of positions: {self.position_before:.3g} before, {self.position_after:.3g} after",
                 f"largest violation of velocities: {self.velocity_before:.3g} before, {self.velocity_after:.3g} after"]
        return "\n".join(lines + [f"{name}: {a:.10g} -> {b:.10g}" for name, (a, b) in self.changes.items()])


def assemble(model: "Model | str | os.PathLike[str]") -> Assembly:
    """Initial values that fit joints, drives and contacts, from those of the model: `percuss check --assemble`. The model
    stays as it is; `s.q = a.q; s.u = a.u` starts a simulation from them. NotConverged names what cannot be assembled."""
    if not isinstance(model, Model):
        model = Model(model)
    made = lib.pc_model_assembly(model._handle.model) if model._handle.model else ffi.NULL
    if made:  # a file with `assemble: true` was assembled when it was read
        return Assembly(model, made)
    report = ffi.new("pc_assemble_report *")
    try:
        call(lib.pc_assemble, model._handle.system, report)
        return Assembly(model, report)
    finally:
        lib.pc_assemble_free(report)


class Verdict:
    """Whether the result of a run is plausible: the fields of pc_verdict (percuss/simulate.h); `doubts` are the
    reasons not to, each with `text` and `remedy`. It is true where there is none."""

    if TYPE_CHECKING:
        def __getattr__(self, field: str) -> Any: ...

    def __init__(self, verdict: Any) -> None:
        for name, _, _ in STRUCTS["pc_verdict"][1]:
            if name != "doubt":
                setattr(self, name, _value(getattr(verdict, name)))
        self.doubts = [Entry("pc_warning", verdict.doubt[i]) for i in range(verdict.doubt_count)]

    def __bool__(self) -> bool:
        return not self.doubts

    def __repr__(self) -> str:
        return "\n".join(["doubtful", *(f"{d.text}; {d.remedy}" for d in self.doubts)]) if self.doubts else "no doubts"


class Report:
    """Degrees of freedom, consistency of the initial values, forces at the start, a sensible dt, warnings.

    Its attributes are the fields of pc_check_report (percuss/check.h): `dof`, `rank`, `consistent`, `start.position_max`, `step.dt`,
    `step.reason`, ...; `dt` is `step.dt`. `joints`, `contacts` and `warnings` are lists, the first two also mappings by name. Of shapes:
    `shape_count`, `pair_count` (that may touch in the first step), `shapes_closed_count` and `overlaps`, the deepest first.
    """

    if TYPE_CHECKING:
        def __getattr__(self, field: str) -> Any: ...

    def __init__(self, report: Any) -> None:
        lists = {"joint", "contact", "found", "warning", "start", "acceleration", "step", "warning_capacity"}
        for name, _, _ in STRUCTS["pc_check_report"][1]:
            if name not in lists:
                setattr(self, name, _value(getattr(report, name)))
        self.consistent = bool(report.consistent)
        self.start, self.step = Entry("pc_check_start", report.start), Entry("pc_check_step", report.step)
        self.acceleration = Entry("pc_check_acceleration", report.acceleration)
        values = report.acceleration.value
        self.acceleration.value = copy(values, report.u_count) if values else np.zeros(0)
        self.dt = self.step.dt
        self.joints = self._entries("pc_check_joint", report.joint, report.joint_count, lib.pc_check_find_joint, report)
        self.contacts = self._entries("pc_check_contact", report.contact, report.contact_count,
                                      lib.pc_check_find_contact, report)
        self.shape_count, self.pair_count = report.found.shape_count, report.found.pair_count
        self.shapes_closed_count = report.found.closed_count
        self.overlaps = [Entry("pc_check_overlap", report.found.overlap[i]) for i in range(report.found.overlap_count)]
        self.warnings = [Entry("pc_warning", report.warning[i]) for i in range(report.warning_count)]

    @staticmethod
    def _entries(struct: str, listed: Any, count: int, find: Any, report: Any) -> Mapping[str, Entry]:
        names = [text(listed[i].name) for i in range(count)]
        return {name: Entry(struct, find(ffi.addressof(report), name.encode()) or listed[i])
                for i, name in enumerate(names)}

    def __repr__(self) -> str:
        lines = [f"{'consistent' if self.consistent else 'NOT consistent'}: {self.dof} degrees of freedom, "
                 f"{self.q_count} coordinates, {self.rank} of {self.g_count + self.gamma_count} joint rows independent",
                 f"contacts: {self.contact_count}, {self.closed_count} closed",
                 f"largest residual: position {self.start.position_max:.3g}, velocity {self.start.velocity_max:.3g}, "
                 f"penetration {self.start.penetration_max:.3g}"]
        if not math.isnan(self.dt):
            lines.append(f"a sensible dt: {self.dt:.3g} s ({self.step.reason})")
        return "\n".join(lines + [f"warning: {w.text}; {w.remedy}" for w in self.warnings])


def check(model: "Model | str | os.PathLike[str]", scheme: str | None = None, until: float | None = None,
          **settings: Any) -> Report:
    """Looks at a model before it runs, without running it: `percuss check`. Scheme, end time and settings are those of
    the run that is planned, for warnings about them."""
    if not isinstance(model, Model):
        model = Model(model)
    values = new_settings(model.settings())
    name = scheme or model.scheme or text(lib.pc_default_sim_def().scheme)
    check_scheme(name)
    apply(values, name, settings)
    report = ffi.new("pc_check_report *")
    try:
        call(lib.pc_check, model._handle.system, values, model.until if until is None else until, report)
        return Report(report[0])
    finally:
        lib.pc_check_free(report)
