"""Shapes for contacts that are found, with their mass, and files of triangles."""
from __future__ import annotations

import dataclasses
import os
from typing import Any, Sequence

import numpy as np

from ._interface import ENUMS
from ._library import call, ffi, lib, text
from .errors import ArgumentError

_KINDS = [k for k in ENUMS["pc_geometry_kind"] if not k.endswith("_KINDS")]


def kinds() -> dict[str, int]:
    """The kinds of shapes and the dimension of each, under the end of their names in percuss/geometry.h."""
    return {name[len("PC_GEOMETRY_"):].lower(): lib.pc_geometry_kind_dimension(i) for i, name in enumerate(_KINDS)}


@dataclasses.dataclass
class Mass:
    """Mass [kg], centre [m] and inertia [kg m^2] of something; they can be added, at other places."""

    mass: float
    centre: np.ndarray
    inertia: np.ndarray

    @classmethod
    def _of(cls, m: Any) -> "Mass":
        return cls(m.mass, np.array(list(m.centre)), np.array(list(m.inertia)).reshape(3, 3))

    def _c(self) -> Any:
        return ffi.new("pc_mass_properties *", {"mass": self.mass, "centre": list(self.centre),
                                                "inertia": list(np.ravel(self.inertia))})

    def __add__(self, other: "Mass") -> "Mass":
        return self.plus(other, pose())

    def plus(self, other: "Mass", at: Any) -> "Mass":
        """The sum with another one that is given in the frame `at`, a percuss.pose()."""
        total = self._c()
        lib.pc_mass_add(total, other._c(), ffi.new("pc_pose *", at))
        return Mass._of(total)

    def scaled(self, mass: float) -> "Mass":
        """The same with another mass."""
        made = self._c()
        lib.pc_mass_scale(made, mass)
        return Mass._of(made)


def pose(position: Sequence[float] = (0, 0, 0), angle: float | None = None,
         quaternion: Sequence[float] | None = None) -> Any:
    """A frame: in the plane turned by an angle [rad], in space by a quaternion, scalar first."""
    x = list(position) + [0.0] * (3 - len(position))
    if quaternion is not None:
        return lib.pc_pose_in_space(ffi.new("double[3]", x), ffi.new("double[4]", list(quaternion)))
    if angle is None:
        return lib.pc_pose_in_space(ffi.new("double[3]", x), ffi.new("double[4]", [1, 0, 0, 0]))
    return lib.pc_pose_in_plane(x[0], x[1], angle)


def pose_of_plane(dimension: int, point: Sequence[float], normal: Sequence[float]) -> Any:
    """The frame of a half-space or half-plane with this point on its surface and this normal towards free space."""
    length = float(np.linalg.norm(normal))
    if not length > 0:
        raise ArgumentError("the normal has no direction")
    padded = [list(v) + [0.0] * (3 - len(v)) for v in (point, [n / length for n in normal])]
    return lib.pc_pose_of_plane(dimension, ffi.new("double[3]", padded[0]), ffi.new("double[3]", padded[1]))


class Geometry:
    """A shape: `Geometry("box", size=[1, 2, 3])`; `geometry.kinds()` lists the kinds.

    radius, length [m], size: full lengths of a box, semi-axes of an ellipsoid [m]; corners, n x 2 or n x 3, of a polygon,
    polyline, polyhedron or mesh; triangles, n x 3 corners of a mesh, counterclockwise seen from free space.
    """

    def __init__(self, kind: str, *, radius: float = 0.0, length: float = 0.0, size: Sequence[float] = (),
                 corners: Any = (), triangles: Any = ()) -> None:
        names = list(kinds())
        if kind.replace("-", "_") not in names:
            raise ArgumentError(f"'{kind}' is no kind of shape; there are {', '.join(names)}")
        definition = ffi.new("pc_geometry_def *")
        definition.kind = names.index(kind.replace("-", "_"))
        definition.radius, definition.length = radius, length
        for i, value in enumerate(size):
            definition.size[i] = value
        numbers = np.ascontiguousarray(corners, dtype=float)
        indices = np.ascontiguousarray(triangles, dtype=np.int32)
        definition.corner_count, definition.triangle_count = len(numbers), len(indices)
        if len(numbers):
            definition.corner = ffi.from_buffer("double[]", numbers)
        if len(indices):
            definition.triangle = ffi.from_buffer("int[]", indices)
        made = ffi.new("pc_geometry **")
        call(lib.pc_geometry_create, definition, made)
        self._pointer: Any = ffi.gc(made[0], lib.pc_geometry_destroy)

    @property
    def info(self) -> dict[str, Any]:
        """Kind, dimension, radius, length, size and corners."""
        return describe(self._pointer)

    def mass(self, density: float) -> Mass:
        """Of constant density [kg/m^3], in the plane [kg/m^2]."""
        found = ffi.new("pc_mass_properties *")
        call(lib.pc_geometry_mass, self._pointer, density, found)
        return Mass._of(found)

    def _hand_over(self, system: Any) -> int:
        """The system's from now on."""
        if self._pointer is None:
            raise ArgumentError("the shape belongs to a system already: use its collider again, or make another")
        pointer, self._pointer = self._pointer, None
        ffi.gc(pointer, None)
        found = ffi.new("pc_geometry_id *")
        call(lib.pc_add_geometry, system, pointer, found)
        return found.index


def describe(pointer: Any) -> dict[str, Any]:
    info = lib.pc_geometry_describe(pointer)
    corners = np.array(ffi.unpack(info.corner, 3 * info.corner_count)).reshape(-1, 3) if info.corner_count else np.zeros((0, 3))
    return {"kind": text(lib.pc_geometry_kind_name(info.kind)), "dimension": lib.pc_geometry_kind_dimension(info.kind),
            "radius": info.radius, "length": info.length, "size": list(info.size), "corners": corners}


def read_triangles(path: str | os.PathLike[str]) -> tuple[np.ndarray, np.ndarray]:
    """Corners (n x 3) and triangles (n x 3) of an STL or OBJ file, in the unit of the file."""
    found = ffi.new("pc_triangles *")
    call(lib.pc_triangles_read, os.fsencode(path), found)
    try:
        corners = np.array(ffi.unpack(found.corner, 3 * found.corner_count)).reshape(-1, 3)
        return corners, np.array(ffi.unpack(found.triangle, 3 * found.triangle_count)).reshape(-1, 3)
    finally:
        lib.pc_triangles_release(found)
