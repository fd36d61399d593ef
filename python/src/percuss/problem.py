"""Contact problems: y = A z + b with the laws of contact, solved by the library."""
from __future__ import annotations

import dataclasses
import os
from typing import Any, Sequence

import numpy as np

from ._interface import ENUMS
from ._library import call, ffi, lib, text
from .errors import ArgumentError

METHODS = [name[len("PC_METHOD_"):].lower() for name in ENUMS["pc_method"] if not name.endswith("COUNT")]


@dataclasses.dataclass(frozen=True)
class Solution:
    """An answer and how good it is."""

    z: np.ndarray       #: the unknowns: impulses of contacts and equalities (velocities first in a global problem)
    y: np.ndarray       #: A z + b: the velocities
    residual: float     #: of the whole problem, see `percuss/solver.h`
    converged: bool     #: all islands meet the tolerance
    accepted: bool      #: all islands meet the acceptance limit
    iterations: int
    solver: str         #: the method that gave the answer with the largest residual
    islands: int
    inaccurate: int     #: islands that are accepted without having converged
    answered: dict[str, int]  #: islands by the method that gave their answer


class Problem:
    """A problem with nodes of several rows each: contacts first, then equalities.

    A: the matrix (n x n; a scipy.sparse matrix will do), b: n numbers. mu: a friction coefficient for each contact, or
    one for all. dimension: rows of a contact, 1 (no friction), 2, 3, or 4 (with drilling), or one number for each.
    equalities: how many equality nodes follow, or the list of their sizes; each of size 1 if a number is given.
    """

    def __init__(self, A: Any, b: Any, mu: Any = 0.0, dimension: Any = 3, equalities: Any = 0) -> None:
        self.b = np.ascontiguousarray(b, dtype=float).reshape(-1)
        self.about: dict[str, Any] = {}
        sizes_of_equalities = [1] * equalities if isinstance(equalities, (int, np.integer)) else list(equalities)
        rows = len(self.b) - sum(sizes_of_equalities)
        sizes = self._contact_sizes(rows, dimension)
        self.contact_count = len(sizes)
        self.sizes = np.array(sizes + sizes_of_equalities, dtype=int)
        self.mu = np.broadcast_to(np.asarray(mu, float), (self.contact_count,))
        self._fill(A)

    @staticmethod
    def _contact_sizes(rows: int, dimension: Any) -> list[int]:
        if np.ndim(dimension):
            sizes = [int(d) for d in dimension]
        elif rows % int(dimension):
            raise ArgumentError(f"{rows} rows of contacts do not fall into contacts of {dimension}")
        else:
            sizes = [int(dimension)] * (rows // int(dimension))
        if sum(sizes) != rows:
            raise ArgumentError(f"the contacts have {sum(sizes)} rows, b leaves {rows} for them")
        return sizes

    def _fill(self, A: Any) -> None:
        n, nodes = len(self.b), len(self.sizes)
        if tuple(A.shape if hasattr(A, "shape") else np.shape(A)) != (n, n):
            raise ArgumentError(f"A is {np.shape(A)}, b has {n} numbers")
        first = np.concatenate([[0], np.cumsum(self.sizes)])
        pattern = self._pattern(A, first)
        place, value, size = [], [], 0
        dense = A.tocsr() if hasattr(A, "tocsr") else np.asarray(A, dtype=float)
        start = [0]
        for k in range(nodes):
            for j in pattern[k]:
                block = dense[first[k]:first[k + 1], first[j]:first[j + 1]]
                block = block.toarray() if hasattr(block, "toarray") else block
                place.append(size)
                size += block.size
                value.append(np.ravel(block))
            start.append(len(place))
        self._value = np.ascontiguousarray(np.concatenate(value) if value else np.zeros(1))
        self._hold = [ffi.new("pc_problem_node[]", self._nodes()), ffi.new("int[]", [int(x) for x in first]),
                      ffi.new("int[]", start), ffi.new("int[]", [j for row in pattern for j in row] or [0]),
                      ffi.new("size_t[]", place or [0])]
        made = ffi.new("pc_problem *")
        made.node_count = nodes
        made.node, made.row, made.start, made.column, made.place = self._hold
        made.value, made.b = ffi.from_buffer("double[]", self._value), ffi.from_buffer("double[]", self.b)
        self._made, self._A, self._owner, self.guess = made, dense, None, None
        call(lib.pc_problem_check, made)

    def _nodes(self) -> list[tuple[int, float]]:
        contact = ENUMS["pc_problem_node_kind"].index("PC_NODE_CONTACT")
        equality = ENUMS["pc_problem_node_kind"].index("PC_NODE_EQUALITY")
        return [(contact, float(self.mu[k])) if k < self.contact_count else (equality, 0.0)
                for k in range(len(self.sizes))]

    def _pattern(self, A: Any, first: np.ndarray) -> list[list[int]]:
        """For each node the nodes whose block is not zero, symmetric, with the diagonal."""
        owner = np.repeat(np.arange(len(self.sizes)), self.sizes)
        rows, columns = A.nonzero() if hasattr(A, "tocsr") else np.nonzero(np.asarray(A))
        pairs = set(zip(owner[rows].tolist(), owner[columns].tolist()))
        pairs |= {(j, i) for i, j in pairs} | {(k, k) for k in range(len(self.sizes))}
        pattern: list[list[int]] = [[] for _ in self.sizes]
        for i, j in sorted(pairs):
            pattern[i].append(j)
        return pattern

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> "Problem":
        """A problem from a file of FCLib; `about` tells its form and sizes, `guess` is what solutions begin with, or None."""
        made = ffi.new("pc_fclib **")
        call(lib.pc_fclib_read, os.fsencode(path), made)
        self = cls.__new__(cls)
        self._owner = ffi.gc(made[0], lib.pc_fclib_free)
        self._made = lib.pc_fclib_problem(self._owner)
        about = lib.pc_fclib_describe(self._owner)
        self.about = {"form": "global" if about.is_global else "local", "contacts": about.contact_count,
                      "dimension": about.dimension, "velocities": about.velocity_count,
                      "equalities": about.equality_count, "title": text(about.title)}
        self.contact_count = about.contact_count
        n = self._made.row[self._made.node_count]
        self.b = np.array(ffi.unpack(self._made.b, n)) if n else np.zeros(0)
        self._A = None
        guess = lib.pc_fclib_guess(self._owner)
        self.guess = None if guess == ffi.NULL else np.array(ffi.unpack(guess, n))
        return self

    def __len__(self) -> int:
        """The number of unknowns."""
        return len(self.b)

    def apply(self, z: Any) -> np.ndarray:
        """A z + b."""
        p, z = self._made, np.asarray(z, dtype=float)
        if self._A is not None:
            return np.asarray(self._A @ z).reshape(-1) + self.b
        y = self.b.copy()
        for k in range(p.node_count):
            r0, r1 = p.row[k], p.row[k + 1]
            for i in range(p.start[k], p.start[k + 1]):
                c0, c1 = p.row[p.column[i]], p.row[p.column[i] + 1]
                size = (r1 - r0) * (c1 - c0)
                block = np.frombuffer(ffi.buffer(p.value + p.place[i], 8 * size)).reshape(r1 - r0, c1 - c0)
                y[r0:r1] += block @ z[c0:c1]
        return y

    def residual(self, z: Any) -> float:
        """The one measure of all solvers, without unit."""
        z = np.ascontiguousarray(z, dtype=float)
        if len(z) != len(self):
            raise ArgumentError(f"{len(z)} numbers for a problem of {len(self)}")
        return lib.pc_problem_residual(self._made, ffi.from_buffer("double[]", z))

    def solve(self, solver: str | None = None, *, tol: float | None = None, acceptance: float | None = None,
              max_iterations: int | None = None, guess: Any = None) -> Solution:
        """Solves it; see `percuss.solve`."""
        settings = ffi.new("pc_solver_settings *", lib.pc_default_solver_settings())
        for field, value in (("tolerance", tol), ("acceptance", acceptance), ("max_iterations", max_iterations)):
            if value is not None:
                setattr(settings, field, value)
        made = ffi.new("pc_solver **")
        call(lib.pc_solver_create, ffi.NULL if solver is None else solver.encode(), settings, made)
        owner = ffi.gc(made[0], lib.pc_solver_destroy)
        guess = self.guess if guess is None else guess
        z = np.zeros(len(self)) if guess is None else np.array(guess, dtype=float)
        if len(z) != len(self):
            raise ArgumentError(f"the guess has {len(z)} numbers, the problem {len(self)}")
        info = ffi.new("pc_solver_info *")
        call(lib.pc_solver_solve, owner, self._made, ffi.from_buffer("double[]", z), info)
        answered = {m: info.answered[i] for i, m in enumerate(METHODS) if info.answered[i]}
        return Solution(z, self.apply(z), self.residual(z), bool(info.converged), bool(info.accepted), info.iterations,
                        text(info.solver), info.island_count, info.inaccurate_count, answered)

    def write_solution(self, z: Any, path: str | os.PathLike[str]) -> None:
        """Writes a problem that was read, with its solution, as a file of FCLib."""
        if self._owner is None:
            raise ArgumentError("only a problem that was read from a file of FCLib can be written as one")
        z = np.ascontiguousarray(z, dtype=float)
        with open(path, "wb") as file:
            call(lib.pc_fclib_write_solution, self._owner, ffi.from_buffer("double[]", z), file)


def solver_friction_max(name: str) -> int:
    """The largest friction dimension that a solver takes."""
    return lib.pc_solver_friction_max(name.encode())


def solve(A: Any, b: Any = None, mu: Any = 0.0, *, dimension: Any = 3, equalities: Any = 0, solver: str | None = None,
          tol: float | None = None, acceptance: float | None = None, max_iterations: int | None = None,
          guess: Any = None) -> Solution:
    """Solves a contact problem: 0 <= y_N, z_N >= 0, y_N z_N = 0, and Coulomb's law for the tangents, y = A z + b.

        solve("problem.hdf5")                     a file of FCLib, local or global
        solve(A, b, mu=0.3, dimension=3)          numpy arrays; see Problem

    A contact sticks, slips or is open; equalities have y = 0. `solver` is one of percuss.solvers() (default "auto"). The
    answer is judged by its residual; one that has not converged is returned, and says so.
    """
    if isinstance(A, Problem):
        problem = A
    elif isinstance(A, (str, os.PathLike)):
        problem = Problem.read(A)
    elif b is None:
        raise TypeError("solve() takes a file, a Problem, or A and b")
    else:
        problem = Problem(A, b, mu, dimension, equalities)
    return problem.solve(solver, tol=tol, acceptance=acceptance, max_iterations=max_iterations, guess=guess)
