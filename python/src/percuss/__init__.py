"""percuss: nonsmooth multibody dynamics. Bodies with joints, contact, impact and Coulomb friction.

    import percuss
    s = percuss.Model("slider-crank", mu=0.1).simulate("rattle", dt=1e-4)
    s.run(until=0.08)
    r = s.result
    r["slider.x"], r.impacts, r.summary
"""
from __future__ import annotations

from ._interface import VERSION as __version__
from ._kinds import KINDS as kinds
from ._library import lib as _lib
from ._library import library_path, text as _text
from ._settings import schemes, settings, solvers
from .checking import Assembly, Report, Verdict, assemble, check
from .errors import (ArgumentError, CannotWrite, Error, ModelError, NotConverged, NotFinite, ProgramError, Singular,
                     StepError, Stopped, Unstable)
from .geometry import Geometry, Mass, pose, pose_of_plane, read_triangles
from .model import Model
from .pictures import Picture
from .problem import Problem, Solution, solve
from .result import Energy, Result, Table
from .simulation import Simulation, State
from .study import Comparison, Convergence, compare, converge, is_table, read_table, sweep
from .summary import Summary
from .system import GROUND, Contact, Joint, Part, System


def version() -> str:
    """The version of the library."""
    return _text(_lib.pc_version_text())


__all__ = ["ArgumentError", "Assembly", "CannotWrite", "Comparison", "Contact", "Convergence", "Energy", "Error", "GROUND", "Geometry", "Joint", "Mass",
           "Model", "ModelError",
           "NotConverged", "NotFinite", "Part", "Picture", "Problem", "ProgramError", "Report", "Result", "Simulation",
           "Singular", "Solution", "State", "StepError", "Stopped", "Summary", "System", "Table", "Unstable", "Verdict",
           "assemble", "check",
           "compare", "converge", "is_table", "kinds", "library_path", "pose", "pose_of_plane", "read_table",
           "read_triangles", "schemes", "settings", "solve", "solvers", "sweep",
           "version"]
