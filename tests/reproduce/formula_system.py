"""Mechanical systems as functions of numpy arrays, for the second implementations beside this file. They share
nothing with the library but the text of a model, which percuss reads and these functions say again.

Derivatives are those of complex steps, f'(x) = Im f(x + i h) / h, exact to round-off: the functions of a system
must be analytic, and so sin, cos and polynomials only.
"""
import csv
import io
import pathlib
import subprocess
import tempfile

import numpy as np

STEP = 1e-40  # of complex differences; nothing cancels


def slope(f, x):
    """The matrix of derivatives of f at x, a row per component of f."""
    columns = []
    for k in range(len(x)):
        at = np.array(x, dtype=complex)
        at[k] += 1j * STEP
        columns.append(np.imag(np.atleast_1d(f(at))) / STEP)
    return np.array(columns).T


class Contact:
    """gap(t, q), slip(t, q, v) linear in v, the coefficients of friction and restitution."""

    def __init__(self, gap, slip, mu=0.0, e=0.0, e_slip=0.0):
        self.gap, self.slip, self.mu, self.e, self.e_slip = gap, slip, mu, e, e_slip


class System:
    """L = v' M(q) v / 2 - V(t, q), further forces f(t, q, v), joints g(t, q) = 0, constraints of
    velocity gamma(t, q, v) = 0, linear in v (of which only some of the schemes know), and contacts."""

    def __init__(self, mass, potential, q, v, force=None, joints=None, contacts=(), skates=None):
        self.mass, self.potential, self.contacts = mass, potential, list(contacts)
        self.force = force or (lambda t, q, v: np.zeros(len(q)))
        self.joints = joints or (lambda t, q: np.zeros(0, dtype=np.result_type(t, q)))
        self.q, self.v = np.array(q, float), np.array(v, float)
        self.joint_count = len(self.joints(0.0, self.q))
        self.skates = skates or (lambda t, q, v: np.zeros(0))
        self.skate_count = len(self.skates(0.0, self.q, self.v))

    def momentum(self, q, v):
        return np.real(self.mass(q)) @ v

    def lagrange_slope(self, t, q, v):
        """dL/dq"""
        return slope(lambda x: 0.5 * v @ self.mass(x) @ v - self.potential(t, x), q)[0]

    def gaps(self, t, q):
        return np.array([c.gap(t, q) for c in self.contacts])

    def directions(self, t, q):
        """W of joints, gaps and slips, a column each."""
        n, zero = len(q), np.zeros(len(q))
        joints = slope(lambda x: self.joints(t, x), q) if self.joint_count else np.zeros((0, n))
        normals = [slope(lambda x, c=c: c.gap(t, x), q)[0] for c in self.contacts]
        tangents = [slope(lambda x, c=c: c.slip(t, q, x), zero)[0] for c in self.contacts]
        return joints.T, np.array(normals).reshape(-1, n).T, np.array(tangents).reshape(-1, n).T

    def skate_directions(self, t, q):
        if not self.skate_count:
            return np.zeros((len(q), 0))
        return slope(lambda v: self.skates(t, q, v), np.zeros(len(q))).T

    def joint_rates(self, t, q, v):
        drift = np.imag(self.joints(t + 1j * STEP, q + 0j)) / STEP
        return self.directions(t, q)[0].T @ v + drift

    def gap_rates(self, t, q, v):
        drift = np.array([np.imag(c.gap(t + 1j * STEP, q + 0j)) / STEP for c in self.contacts])
        return self.directions(t, q)[1].T @ v + drift

    def slips(self, t, q, v):
        return np.array([c.slip(t, q, v) for c in self.contacts])


def percuss_states(program, model, columns, *options):
    """What percuss makes of the text of a model: a row per step, the start first, of the columns named."""
    with tempfile.TemporaryDirectory(prefix="percuss-") as folder:
        source, result = pathlib.Path(folder, "model.yaml"), pathlib.Path(folder, "result.h5")
        source.write_text(model, encoding="utf-8")
        subprocess.run([program, "run", source, "--out", result, "--quiet", *map(str, options)],
                       capture_output=True, text=True, check=True, timeout=300)
        text = subprocess.run([program, "export", result, "--csv", "-", "--columns", ",".join(columns)],
                              capture_output=True, text=True, check=True, timeout=300).stdout
    rows = list(csv.reader(io.StringIO(text)))
    return np.array([[float(x) for x in row[1:]] for row in rows[1:]])
