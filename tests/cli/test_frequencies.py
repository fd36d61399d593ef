"""`percuss check`: the rates and frequencies of damped motions on either side of the size up to which all eigenvalues are
computed, against matrices that are set up here and numpy's eigenvalues of them."""
import json
import math
import os
import random
import sys

try:
    import numpy as np
except ImportError:  # it is in the system's Python
    if sys.executable == "/usr/bin/python3":
        raise
    os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])

import unittest  # noqa: E402

from program import DONE, ProgramTest, percuss  # noqa: E402


def rates(M, K, C):
    """The largest |lambda| and the largest imaginary part of lambda^2 M + lambda C + K = 0."""
    n = len(M)
    A = np.zeros((2 * n, 2 * n))
    A[:n, n:] = np.eye(n)
    A[n:, :n] = -np.linalg.solve(M, K)
    A[n:, n:] = -np.linalg.solve(M, C)
    values = np.linalg.eigvals(A)
    return max(abs(values)), max(values.imag)


class FrequenciesTest(ProgramTest):
    def check(self, text):
        path = self.shared / "model.yaml"
        path.write_text(text)
        done = percuss("check", path, "--json")
        self.assertEqual(done.returncode, DONE, done.stderr)
        report = json.loads(done.stdout)
        return report["rate"]["max"], report["dt"]["vibration"], report["velocities"]

    def expect(self, text, M, K, C):
        rate, dt, velocities = self.check(text)
        largest, frequency = rates(M, K, C)
        self.assertAlmostEqual(rate, largest, delta=5e-3 * largest)
        self.assertAlmostEqual(2 * math.pi / 50 / dt, frequency, delta=5e-3 * frequency)
        return velocities

    def chain(self, count, seed, damping):
        """Masses on a line, each with a spring and a damper to the next one, of any stiffness."""
        source = random.Random(seed)
        M, K, C = (np.zeros((count, count)) for _ in range(3))
        lines = ["percuss: 1", "space: line", "bodies:"]
        for i in range(count):
            M[i, i] = 10**source.uniform(-1, 1)
            lines.append(f"  m{i}: {{kind: point, mass: {M[i, i]!r}, position: {i + 1}}}")
        lines.append("forces:")
        for i in range(count):
            k, c = 10**source.uniform(0, 4), damping * 10**source.uniform(-2, 2)
            first = f"[ground, 0]" if i == 0 else f"m{i - 1}"
            lines.append(f"  s{i}: {{spring: {{points: [{first}, m{i}], stiffness: {k!r}, damping: {c!r}}}}}")
            at = [i] if i == 0 else [i - 1, i]
            for matrix, value in ((K, k), (C, c)):
                matrix[np.ix_(at, at)] += value * (np.array([[1, -1], [-1, 1]]) if i else np.array([[1]]))
        return "\n".join(lines) + "\n", M, K, C

    def test_springs_and_dampers_of_any_size(self):
        for count in (150, 260):
            for seed, damping in ((1, 0.01), (2, 1), (3, 10), (4, 1000)):
                with self.subTest(count=count, damping=damping):
                    self.assertEqual(self.expect(*self.chain(count, seed, damping)), count)

    def hanging_links(self, count, damping):
        """Links that hang below each other, their joints' forces all the stiffness they have but for a spring in the
        middle; in their angles against the vertical."""
        length, mass, g, stiffness, middle = 0.1, 0.3, 9.81, 40.0, count // 2
        text = f"""percuss: 1
gravity: [0, -{g}]
bodies:
  link(i): {{repeat: {{i: {count}}}, mass: {mass}, inertia: {mass * length**2 / 12!r}, position: [0, "-{length}*(i + 0.5)"]}}
joints:
  top: {{revolute: {{bodies: [ground, link0], at: [0, 0]}}}}
  pin(i): {{repeat: {{i: {count}}}, when: i > 0, revolute: {{bodies: [link(i-1), link(i)], at: [0, "-{length}*i"]}}}}
forces:
  strut: {{spring: {{points: [[ground, [5, {-length * (middle + 0.5)!r}]], link{middle}], stiffness: {stiffness}, damping: {damping}}}}}
"""
        J = length * (np.tril(np.ones((count, count)), -1) + 0.5 * np.eye(count))  # centres of mass
        below = np.arange(count - 1, -1, -1)
        M = mass * J.T @ J + mass * length**2 / 12 * np.eye(count)
        at = np.outer(J[middle], J[middle])
        return text, M, np.diag(mass * g * length * (below + 0.5)) + stiffness * at, damping * at

    def test_links_that_hang(self):
        for count, velocities in ((60, 180), (100, 300)):
            for damping in (0, 30):
                with self.subTest(count=count, damping=damping):
                    self.assertEqual(self.expect(*self.hanging_links(count, damping)), velocities)


if __name__ == "__main__":
    unittest.main()
