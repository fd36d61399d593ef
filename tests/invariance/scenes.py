"""Random scenes whose every number knows its unit and its frame, so that a scene can be moved, turned, mirrored, measured
in other units, seen from a moving frame, and listed in another order.

A scene is in space; one in the plane is a scene in space of shapes that know the plane, turned about z alone."""
from __future__ import annotations

import copy
import itertools
import json
import math
import os
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

#: Lengths in the description of a shape, and corners in its frame.
LENGTHS = {"disc": ("disc",), "sphere": ("sphere",), "capsule": ("capsule", "length"), "cylinder": ("cylinder", "length"),
           "segment": ("segment",), "box": ("box",), "ellipsoid": ("ellipsoid",)}
CORNERS = ("polygon", "polyhedron", "polyline", "mesh")

PLANAR = ("disc", "box", "polygon", "capsule", "segment")
SPATIAL = ("sphere", "box", "capsule", "cylinder", "ellipsoid", "polyhedron")
GROUND = {2: ("half-plane", "polyline"), 3: ("half-space", "mesh")}


@dataclass
class Body:
    name: str
    shape: dict[str, Any]
    mass: float
    inertia: np.ndarray  # 3 x 3, in the body's frame
    x: np.ndarray
    q: np.ndarray  # quaternion [w, x, y, z] of the body's frame
    v: np.ndarray
    w: np.ndarray  # in the body's frame


@dataclass
class Scene:
    dimension: int
    bodies: list[Body]
    ground: dict[str, dict[str, Any]]  # shapes whose corners, points and normals are inertial
    gravity: np.ndarray
    dt: float
    joints: list[tuple[str, str, np.ndarray]] = field(default_factory=list)  # bodies, where they are pinned together
    springs: list[tuple[str, np.ndarray, str, np.ndarray, float, float, float]] = field(default_factory=list)
    friction: float | None = 0.3
    restitution: float = 0.5


# ---- rotations ---------------------------------------------------------------------------------------------------

def times(p: np.ndarray, q: np.ndarray) -> np.ndarray:
    w, v = p[0] * q[0] - p[1:] @ q[1:], p[0] * q[1:] + q[0] * p[1:] + np.cross(p[1:], q[1:])
    return np.concatenate([[w], v])


def matrix(q: np.ndarray) -> np.ndarray:
    w, x, y, z = q / math.sqrt(q @ q)
    return np.array([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
                     [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
                     [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def about_z(angle: float) -> np.ndarray:
    return np.array([math.cos(angle / 2), 0, 0, math.sin(angle / 2)])


# ---- what a scene is made of ---------------------------------------------------------------------------------------

def rounded(x: Any) -> np.ndarray:
    """To a grid of 2^-20, so that adding a number such as 2^18 is exact."""
    return np.round(np.asarray(x, dtype=float) * 2**20) / 2**20


def random_shape(kind: str, random: np.random.Generator) -> dict[str, Any]:
    def lengths(n: int) -> Any:
        found = rounded(random.uniform(0.2, 0.6, n))
        return found.tolist() if n > 1 else float(found[0])
    if kind in ("polygon", "polyhedron"):
        n = 2 if kind == "polygon" else 3
        angles = np.sort(random.uniform(0, 2 * math.pi, 6))
        corners = np.c_[np.cos(angles), np.sin(angles)] if n == 2 else random.normal(size=(10, 3))
        corners = rounded(0.4 * corners / np.linalg.norm(corners, axis=1)[:, None])
        if n == 2 and max(np.diff(np.r_[angles, angles[0] + 2 * math.pi])) > 2.6:
            return random_shape(kind, random)
        return {kind: corners.tolist()}
    if kind in ("capsule", "cylinder"):
        return {kind: lengths(1) / 2, "length": lengths(1)}
    if kind == "box":
        return {kind: lengths(3)}
    if kind == "ellipsoid":
        return {kind: lengths(3)}
    return {kind: lengths(1)}


def radius(shape: dict[str, Any]) -> float:
    """Of a ball about the origin of the shape's frame that holds it."""
    kind = next(iter(shape))
    if kind in CORNERS:
        return max(float(np.linalg.norm(c)) for c in shape[kind])
    if kind == "box":
        return float(np.linalg.norm(shape["box"])) / 2
    if kind == "capsule":
        return shape["capsule"] + shape["length"] / 2
    if kind == "cylinder":
        return math.hypot(shape["cylinder"], shape["length"] / 2)
    return float(np.max(shape[kind]))


def random_body(name: str, kind: str, dimension: int, random: np.random.Generator) -> Body:
    shape = random_shape(kind, random)
    if dimension == 2 and kind == "box":
        shape = {"box": shape["box"][:2]}
    mass = float(rounded(random.uniform(0.5, 2)))
    moments = rounded(0.03 * mass * random.uniform(1, 1.8, 3))
    q = about_z(random.uniform(-3, 3)) if dimension == 2 else random.normal(size=4)
    spin = random.normal(size=3) * [dimension == 3, dimension == 3, 1]
    return Body(name, shape, mass, np.diag(moments), np.zeros(3), q, np.zeros(3), rounded(spin))


def flat(x: np.ndarray, dimension: int) -> np.ndarray:
    return x * [1, 1, dimension == 3]


def collision(a: str, b: str, dimension: int, random: np.random.Generator) -> Scene:
    """Two bodies without weight that run into each other, or a body and a shape of the ground."""
    bodies = [random_body(n, k, dimension, random) for n, k in (("a", a), ("b", b)) if k not in GROUND[dimension]]
    direction = flat(random.normal(size=3), dimension)
    direction /= np.linalg.norm(direction)
    ground = {}
    for i, body in enumerate(bodies):
        away = (1 - 2 * i) * direction
        reach = radius(body.shape)
        body.x = rounded(away * (reach + 0.02) + flat(random.uniform(-0.1, 0.1, 3), dimension))
        body.v = rounded(-2 * away + flat(random.uniform(-0.5, 0.5, 3), dimension))
    if len(bodies) == 1:
        ground["ground"] = random_ground(b, direction, random)
    return Scene(dimension, bodies, ground, np.zeros(3), 2.0**-7)


def random_ground(kind: str, normal: np.ndarray, random: np.random.Generator) -> dict[str, Any]:
    """Its free side is that of the normal, from the origin on."""
    if kind in ("half-plane", "half-space"):
        return {kind: normal, "point": np.zeros(3)}
    side = np.cross(normal, [0, 0, 1] if kind == "polyline" else random.normal(size=3))
    side /= np.linalg.norm(side)
    if kind == "polyline":  # free space is on the left
        return {kind: [rounded(s * side + random.uniform(-0.1, 0.1) * normal) for s in (-3, -0.7, 0.1, 0.6, 3)]}
    other = np.cross(normal, side)
    corner = [[rounded(i * side + j * other + random.uniform(-0.1, 0.1) * normal) for j in (-2.0, -0.3, 0.4, 2.0)]
              for i in (-2.0, -0.2, 0.3, 2.0)]
    triangles = []
    for i, j in itertools.product(range(3), range(3)):
        a, b, c, d = corner[i][j], corner[i + 1][j], corner[i + 1][j + 1], corner[i][j + 1]
        triangles += [[a, b, c], [a, c, d]]
    turned = np.cross(side, other) @ normal < 0
    return {kind: [t[::-1] if turned else t for t in triangles]}


def pile(dimension: int, random: np.random.Generator, with_ground: bool) -> Scene:
    """Five bodies of all kinds that fall on a tilted floor; two of them pinned together, a spring between two others."""
    kinds = random.permutation(PLANAR[:4] if dimension == 2 else SPATIAL)
    bodies = [random_body(f"b{i}", kinds[i % len(kinds)], dimension, random) for i in range(5)]
    up = flat(np.array([0.2, 1, 0]) if dimension == 2 else np.array([0.2, -0.1, 1]), dimension)
    up /= np.linalg.norm(up)
    height = 0.0
    for body in bodies:
        reach = radius(body.shape)
        height += reach
        body.x = rounded(height * up + flat(random.uniform(-0.2, 0.2, 3), dimension))
        body.v = rounded(flat(random.uniform(-1, 1, 3), dimension) - (1 if with_ground else 2 * height) * up)
        height += reach
    scene = Scene(dimension, bodies, {}, rounded(-9.81 * flat(np.array([0, 1.0, 0] if dimension == 2 else [0, 0, 1.0]), dimension)),
                  2.0**-8)
    if with_ground:
        scene.ground["ground"] = random_ground(GROUND[dimension][0], up, random)
    scene.joints.append(("b1", "b2", rounded((bodies[1].x + bodies[2].x) / 2)))
    bodies[2].v, bodies[2].w = bodies[1].v.copy(), np.zeros(3)
    bodies[1].w = np.zeros(3)
    scene.springs.append(("b3", rounded(flat(np.array([0.1, 0, 0.05]), dimension)), "b4",
                          rounded(flat(np.array([0, -0.1, 0.05]), dimension)), 64.0, 0.5, 0.75))
    return scene


# ---- transformations -----------------------------------------------------------------------------------------------

def scaled(s: Scene, length: float, mass: float, time: float) -> Scene:
    """In other units."""
    s = copy.deepcopy(s)
    for b in s.bodies:
        b.mass, b.inertia = b.mass * mass, b.inertia * (mass * length**2)
        b.x, b.v, b.w = b.x * length, b.v * (length / time), b.w / time
        _scale_shape(b.shape, length)
    for shape in s.ground.values():
        _scale_shape(shape, length)
    s.gravity, s.dt = s.gravity * (length / time**2), s.dt * time
    s.joints = [(a, b, x * length) for a, b, x in s.joints]
    s.springs = [(a, x * length, b, y * length, k * (mass / time**2), c * (mass / time), l * length)
                 for a, x, b, y, k, c, l in s.springs]
    return s


def _scale_shape(shape: dict[str, Any], length: float) -> None:
    kind = next(iter(shape))
    for key in LENGTHS.get(kind, CORNERS if kind in CORNERS else ("point",)):
        if key in shape:
            shape[key] = (np.asarray(shape[key]) * length).tolist()


def _map_ground(s: Scene, point: Any, direction: Any) -> None:
    for shape in s.ground.values():
        for key, value in shape.items():
            if key in CORNERS or key == "point":
                shape[key] = np.apply_along_axis(point, -1, np.asarray(value))
            else:
                shape[key] = direction(np.asarray(value))


def moved(s: Scene, by: np.ndarray) -> Scene:
    s = copy.deepcopy(s)
    for b in s.bodies:
        b.x = b.x + by
    s.joints = [(a, b, x + by) for a, b, x in s.joints]
    _map_ground(s, lambda x: x + by, lambda n: n)
    return s


def turned(s: Scene, q: np.ndarray) -> Scene:
    s, R = copy.deepcopy(s), matrix(q)
    for b in s.bodies:
        b.x, b.v, b.q = R @ b.x, R @ b.v, times(q, b.q)
    s.gravity = R @ s.gravity
    s.joints = [(a, b, R @ x) for a, b, x in s.joints]
    _map_ground(s, lambda x: R @ x, lambda n: R @ n)
    return s


MIRROR = np.array([-1.0, 1, 1])


def mirrored(s: Scene) -> Scene:
    """In the plane x = 0; the bodies' frames, too, stay right-handed: theirs are mirrored in their own x = 0."""
    s = copy.deepcopy(s)
    for b in s.bodies:
        b.x, b.v = b.x * MIRROR, b.v * MIRROR
        b.q, b.w = b.q * [1, 1, -1, -1], b.w * [1, -1, -1]
        b.inertia = b.inertia * np.outer(MIRROR, MIRROR)
        kind = next(iter(b.shape))
        if kind in CORNERS:
            corners = [[-c[0], *c[1:]] for c in b.shape[kind]]
            b.shape[kind] = corners[::-1] if kind == "polygon" else corners
    s.gravity = s.gravity * MIRROR
    s.joints = [(a, b, x * MIRROR) for a, b, x in s.joints]
    s.springs = [(a, x * MIRROR, b, y * MIRROR, k, c, l) for a, x, b, y, k, c, l in s.springs]
    _map_ground(s, lambda x: x * MIRROR, lambda n: n * MIRROR)
    for shape in s.ground.values():
        if "polyline" in shape:
            shape["polyline"] = shape["polyline"][::-1]
        if "mesh" in shape:
            shape["mesh"] = np.asarray(shape["mesh"])[:, ::-1]
    return s


def boosted(s: Scene, by: np.ndarray) -> Scene:
    assert not s.ground
    s = copy.deepcopy(s)
    for b in s.bodies:
        b.v = b.v + by
    return s


def listed_otherwise(s: Scene, random: np.random.Generator) -> Scene:
    s = copy.deepcopy(s)
    order = random.permutation(len(s.bodies))
    while len(order) > 1 and (order == np.arange(len(order))).all():
        order = random.permutation(len(order))
    s.bodies = [s.bodies[i] for i in order]
    s.joints = [(b, a, x) for a, b, x in s.joints]
    return s


def disturbed(s: Scene, x: float, v: float, random: np.random.Generator) -> Scene:
    """Every coordinate by x or -x, every velocity by v or -v; angles and rates by as much at a lever of 1."""
    s = copy.deepcopy(s)

    def signs(n: int) -> np.ndarray:
        return random.choice([-1.0, 1.0], n)
    for b in s.bodies:
        b.x, b.v = b.x + flat(x * signs(3), s.dimension), b.v + flat(v * signs(3), s.dimension)
        turn = signs(3) * [s.dimension == 3, s.dimension == 3, 1]
        b.q = times(np.concatenate([[1], x / 2 * turn]), b.q)
        b.w = b.w + v * signs(3) * [s.dimension == 3, s.dimension == 3, 1]
    return s


# ---- the model file --------------------------------------------------------------------------------------------------

def model(s: Scene, folder: str) -> str:
    """Its text, in which JSON has every digit; meshes are files of the folder."""
    plane = s.dimension == 2

    def vector(x: Any) -> list[float]:
        return [float(c) for c in (x[:2] if plane else x)]

    def shape_of(shape: dict[str, Any], name: str) -> dict[str, Any]:
        shape = {k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in shape.items()}
        if "polyline" in shape:
            shape["polyline"] = [c[:2] for c in np.asarray(shape["polyline"]).tolist()]
        if "mesh" in shape:
            path = os.path.join(folder, name + ".obj")
            with open(path, "w", encoding="utf-8") as file:
                for i, triangle in enumerate(np.asarray(shape["mesh"]).tolist()):
                    file.writelines(f"v {x!r} {y!r} {z!r}\n" for x, y, z in triangle)
                    file.write(f"f {3 * i + 1} {3 * i + 2} {3 * i + 3}\n")
            shape["mesh"] = path
        for key in ("half-plane", "half-space", "point"):
            if key in shape:
                shape[key] = vector(shape[key])
        return shape

    document: dict[str, Any] = {"percuss": 1, "space": "planar" if plane else "spatial", "gravity": vector(s.gravity),
                                "materials": {"default": {"restitution": s.restitution}}, "bodies": {}}
    if s.friction is not None:
        document["materials"]["default"]["friction"] = s.friction
    for b in s.bodies:
        listed = {"mass": b.mass, "position": vector(b.x), "velocity": vector(b.v), "shape": shape_of(b.shape, b.name)}
        if plane:
            listed |= {"inertia": float(b.inertia[2, 2]), "angle": 2 * math.atan2(b.q[3], b.q[0]), "spin": float(b.w[2])}
        else:
            I = b.inertia
            listed |= {"inertia": [float(I[i, j]) for i, j in ((0, 0), (1, 1), (2, 2), (0, 1), (0, 2), (1, 2))],
                       "orientation": b.q.tolist(), "angular_velocity": b.w.tolist()}
        document["bodies"][b.name] = listed
    if s.ground:
        document["shapes"] = {name: shape_of(shape, name) for name, shape in s.ground.items()}
    if s.joints:
        kind = "revolute" if plane else "spherical"
        document["joints"] = {f"j{i}": {kind: {"bodies": [a, b], "at": vector(x)}} for i, (a, b, x) in enumerate(s.joints)}
    if s.springs:
        document["forces"] = {f"s{i}": {"spring": {"points": [[a, vector(x)], [b, vector(y)]], "stiffness": k, "damping": c,
                                                   "length": l}}
                              for i, (a, x, b, y, k, c, l) in enumerate(s.springs)}
    return json.dumps(document)
