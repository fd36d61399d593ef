"""A motion must not depend on where the origin is, on the orientation and the handedness of the axes, on the units of length, mass and time, on
the velocity of the frame, or on the order in which bodies are listed.

Random scenes (scenes.py): each pair of shapes runs into each other, under one scheme of the eight in turn, and piles fall, under all of them. PERCUSS_SEEDS=N draws N
times as many, so that 8 give all pairs under all schemes.

*Units.* Lengths, masses and times are multiplied by powers of two from 2^-20 to 2^20 (1e-6 to 1e6), which is exact. Every sum and product of a run is then
multiplied by a power of two as well, and where no decision depends on a unit all bits have to be the same: that is asked of collisions under the schemes of EXACT. Where
equations of different units meet in one elimination, its pivots may be others, which is round-off.

*Round-off.* A coordinate of size X is known to eps X, and a velocity, where it is a difference of such coordinates over a step, to eps X/dt; besides, a step is solved to
a tolerance, a share `--tol` of the velocities at hand. What that comes to is measured: in three runs of the scene as it is, all coordinates and velocities at the start are disturbed by + or - what round-off and the
tolerance may add up to in all steps. To first order the response to such a disturbance of n numbers is a sum of n terms with random signs, whose root mean square is at least 1/sqrt(n) of
their largest sum; with the largest of three responses in its place, the bound is n times that."""
from __future__ import annotations

import hashlib
import itertools
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

sys.path.insert(0, str(Path(__file__).parent))

import percuss  # noqa: E402
import scenes  # noqa: E402
from scenes import GROUND, PLANAR, SPATIAL, Scene  # noqa: E402

EPS = float(np.finfo(float).eps)
SEEDS = int(os.environ.get("PERCUSS_SEEDS", "1"))
STEPS = 40
TOLERANCE = 1e-10  # of a step: the default of --tol
#: Schemes in which no decision depends on a unit and no equations of different units meet in one elimination: the same bits in all units.
EXACT = ("moreau", "moreau-jean")
SCHEMES = list(percuss.schemes())
PAIRS = ([(2, *p) for p in itertools.combinations_with_replacement(PLANAR, 2)]
         + [(2, a, b) for a in PLANAR for b in GROUND[2]]
         + [(3, *p) for p in itertools.combinations_with_replacement(SPATIAL, 2)]
         + [(3, a, b) for a in SPATIAL for b in GROUND[3]])


class Motion:
    """Where the bodies of a scene are after some steps, and what they have touched, by their names."""

    def __init__(self, scene: Scene, scheme: str, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        path = folder / "scene.yaml"
        path.write_text(scenes.model(scene, str(folder)), encoding="utf-8")
        m = percuss.Model(path)
        frictionless = {"frictionless": True} if scheme == "schatzman-paoli" else {}
        s = m.simulate(scheme, scene.dt, **frictionless)
        names = sorted(b.name for b in scene.bodies)
        shapes = [c.name for c in m.colliders]
        self.failed = ""
        self.touched: list[tuple[Any, ...]] = []
        for _ in range(STEPS):
            try:
                s.step()
            except percuss.Error as error:
                self.failed = type(error).__name__
                break
            pairs = sorted({tuple(sorted((shapes[c["shape"][0]], shapes[c["shape"][1]]))) for c in s.found if c["P_N"] > 0})
            self.touched.append(tuple(pairs))
        plane = scene.dimension == 2
        axes = "xy" if plane else "xyz"
        self.x = np.array([[s[f"{n}.{a}"] for a in axes] + [0.0] * plane for n in names])
        self.v = np.array([[s[f"{n}.v{a}"] for a in axes] + [0.0] * plane for n in names])
        if plane:
            self.q = np.array([scenes.about_z(s[f"{n}.angle"]) for n in names])
            self.w = np.array([[0, 0, s[f"{n}.spin"]] for n in names])
        else:
            self.q = np.array([[s[f"{n}.q{a}"] for a in "wxyz"] for n in names])
            self.w = np.array([[s[f"{n}.w{a}"] for a in axes] for n in names])
        self.R = np.array([scenes.matrix(q) for q in self.q])
        self.t = s.t
        self.verdict = sorted(d.kind for d in s.verdict.doubts)
        self.contacts = [(tuple(shapes[i] for i in c["shape"]), c["P"].copy(), c["normal"].copy(), float(c["gap"]))
                         for c in s.found]

    def in_units(self, length: float, mass: float, time: float) -> "Motion":
        self.x, self.v, self.w = self.x / length, self.v / (length / time), self.w * time
        self.contacts = [(pair, P / (mass * length / time), n, gap / length) for pair, P, n, gap in self.contacts]
        return self

    def difference(self, base: "Motion") -> np.ndarray:
        """The largest one of positions, orientations, velocities and rates."""
        return np.array([np.max(np.abs(getattr(self, name) - getattr(base, name))) for name in ("x", "R", "v", "w")])


def generator(*what: Any) -> np.random.Generator:
    return np.random.default_rng(int.from_bytes(hashlib.sha256(repr(what).encode()).digest()[:8], "little"))


def random_scene(dimension: int, a: str, b: str, seed: int) -> tuple[Scene, np.random.Generator]:
    random = generator(dimension, a, b, seed)
    if a == "pile":
        return scenes.pile(dimension, random, b == "ground"), random
    return scenes.collision(a, b, dimension, random), random


class Bound:
    """How far a motion may be from that of the scene as it is, whose coordinates have the size `reach`."""

    def __init__(self, scene: Scene, scheme: str, base: Motion, folder: Path, random: np.random.Generator,
                 reach: float, speed: float = 0) -> None:
        speed = max(speed, max(float(np.linalg.norm(b.v)) for b in scene.bodies), float(np.linalg.norm(scene.gravity)) * STEPS * scene.dt)
        x = (STEPS + 1) * EPS * reach
        v = x / scene.dt + STEPS * TOLERANCE * speed
        runs = [Motion(scenes.disturbed(scene, x, v, random), scheme, folder) for _ in range(3)]
        numbers = len(scene.bodies) * (6 if scene.dimension == 2 else 12)
        self.is_certain = all(r.failed == base.failed and r.touched == base.touched for r in runs)
        self.is_judged = all(r.verdict == base.verdict for r in runs)
        self.of = numbers * np.max([r.difference(base) for r in runs], axis=0)

    def check(self, base: Motion, other: Motion) -> None:
        """Where round-off decides about a contact, or whether a step can be solved, it may do so here."""
        if self.is_certain:
            assert (other.failed, other.touched) == (base.failed, base.touched)
        if self.is_judged:
            assert other.verdict == base.verdict
        found = other.difference(base)
        assert (found <= self.of).all(), f"off by {found}, {self.of} at most"


def has_same_bits(base: Motion, other: Motion) -> bool:
    return (other.failed == base.failed and other.touched == base.touched and other.verdict == base.verdict
            and all(np.array_equal(getattr(base, name), getattr(other, name)) for name in "xqvw")
            and all(p == p2 and g == g2 and np.array_equal(P, P2) and np.array_equal(n, n2)
                    for (p, P, n, g), (p2, P2, n2, g2) in itertools.zip_longest(base.contacts, other.contacts)))


UNITS = [(2.0**20, 1, 1), (2.0**-20, 1, 1), (1, 2.0**20, 1), (1, 2.0**-20, 1), (1, 1, 2.0**20), (1, 1, 2.0**-20)]
PILES = [(d, "pile", g) for d in (2, 3) for g in ("free", "ground")]


def cases() -> list[Any]:
    """Every pair with one scheme of the eight for each seed, in turn, and the piles with all."""
    listed = [(d, a, b, SCHEMES[(i + seed) % len(SCHEMES)], seed)
              for seed in range(SEEDS) for i, (d, a, b) in enumerate(PAIRS)]
    listed += [(d, a, b, scheme, seed) for seed in range(SEEDS) for d, a, b in PILES for scheme in SCHEMES]
    return [pytest.param(*c, id="-".join(map(str, c))) for c in listed]


each_case = pytest.mark.parametrize("dimension, a, b, scheme, seed", cases())


@each_case
def test_units(dimension: int, a: str, b: str, scheme: str, seed: int, tmp_path: Path) -> None:
    scene, random = random_scene(dimension, a, b, seed)
    base = Motion(scene, scheme, tmp_path)
    assert a == "pile" or seed > 0 or any(base.touched)  # further seeds may pass each other
    bound = None
    for units in UNITS:
        other = Motion(scenes.scaled(scene, *units), scheme, tmp_path).in_units(*units)
        if has_same_bits(base, other):
            continue
        assert not (scheme in EXACT and a != "pile"), f"not the same bits: {other.difference(base)}"
        bound = bound or Bound(scene, scheme, base, tmp_path, random, 4)
        bound.check(base, other)


@each_case
def test_origin(dimension: int, a: str, b: str, scheme: str, seed: int, tmp_path: Path) -> None:
    scene, random = random_scene(dimension, a, b, seed)
    base = Motion(scene, scheme, tmp_path)
    for size in (2.0**5, 2.0**18):  # up to 1e6 sizes of the shapes, of 0.2 to 0.6
        by = scenes.flat(size * np.array([1, -0.5, 0.75]), dimension)
        other = Motion(scenes.moved(scene, by), scheme, tmp_path)
        other.x = other.x - by
        Bound(scene, scheme, base, tmp_path, random, 2 * size).check(base, other)


@each_case
def test_axes(dimension: int, a: str, b: str, scheme: str, seed: int, tmp_path: Path) -> None:
    scene, random = random_scene(dimension, a, b, seed)
    base = Motion(scene, scheme, tmp_path)
    bound = Bound(scene, scheme, base, tmp_path, random, 4)
    for q in (scenes.about_z(random.uniform(-3, 3)), random.normal(size=4) if dimension == 3 else scenes.about_z(np.pi / 2)):
        q = q / np.sqrt(q @ q)
        other = Motion(scenes.turned(scene, q), scheme, tmp_path)
        R = scenes.matrix(q).T
        other.x, other.v, other.R = other.x @ R.T, other.v @ R.T, R @ other.R
        bound.check(base, other)
    other = Motion(scenes.mirrored(scene), scheme, tmp_path)
    S = scenes.MIRROR
    other.x, other.v, other.R = other.x * S, other.v * S, other.R * np.outer(S, S)
    other.w = other.w * [1, -1, -1]
    bound.check(base, other)


@each_case
def test_order(dimension: int, a: str, b: str, scheme: str, seed: int, tmp_path: Path) -> None:
    scene, random = random_scene(dimension, a, b, seed)
    base = Motion(scene, scheme, tmp_path)
    bound = Bound(scene, scheme, base, tmp_path, random, 4)
    bound.check(base, Motion(scenes.listed_otherwise(scene, random), scheme, tmp_path))


@each_case
def test_moving_frame(dimension: int, a: str, b: str, scheme: str, seed: int, tmp_path: Path) -> None:
    scene, random = random_scene(dimension, a, b, seed)
    if scene.ground:
        pytest.skip("the ground has a velocity")
    base = Motion(scene, scheme, tmp_path)
    by = scenes.flat(np.array([64.0, -32, 48]), dimension)
    other = Motion(scenes.boosted(scene, by), scheme, tmp_path)
    other.x, other.v = other.x - by * other.t, other.v - by
    base.verdict = other.verdict = []  # of energies, which are others in another frame
    Bound(scene, scheme, base, tmp_path, random, 4 + 100 * STEPS * scene.dt, 100).check(base, other)
