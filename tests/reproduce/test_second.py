"""percuss and second implementations, step by step, on mechanisms that no paper has: masses that depend on positions,
joints and walls that move, forces of velocity and time, impacts, sliding, closed contact. All numbers agree to 1e-9,
most to 1e-12."""
import sys
import unittest

import numpy as np

import alpha_levels
import lobatto_momentum
import schatzman_paoli
import theta_projection
from formula_system import Contact, System, percuss_states

PERCUSS = sys.argv.pop(1)
SAME = 1e-9


class Pendulum:
    """A double pendulum in angles, damped and driven, whose tip hits a wall that moves, with friction."""

    columns = ("a", "b", "a'", "b'")

    def __init__(self, e, e_slip=0.0, push=0.0):
        self.text = f"""percuss: 1
parameters: {{m1: 0.9, m2: 1.6, l1: 1.1, l2: 0.7, g: 9.3, mu: 0.25, e: {e}, es: {e_slip}}}
coordinates: {{a: {{value: 0.05, velocity: 0.7}}, b: {{value: 0.3, velocity: 1}}}}
kinetic: (m1 + m2)*l1^2*a'^2/2 + m2*l2^2*b'^2/2 + m2*l1*l2*a'*b'*cos(a - b)
potential: -(m1 + m2)*g*l1*cos(a) - m2*g*l2*cos(b)
forces: {{a: {push} - 0.05*a' + 0.4*cos(3*t)*b, b: -0.05*a'*b'}}
contacts:
  wall: {{gap: "0.45 + 0.02*sin(5*t) - l1*sin(a) - l2*sin(b)", slip: "-l1*sin(a)*a' - l2*sin(b)*b'",
         friction: mu, restitution: e, restitution_tangential: es}}
simulate: {{scheme: lobatto, dt: 0.02, until: 0.8}}
"""
        m1, m2, l1, l2, g = 0.9, 1.6, 1.1, 0.7, 9.3

        def mass(q):
            both = m2 * l1 * l2 * np.cos(q[0] - q[1])
            return np.array([[(m1 + m2) * l1**2, both], [both, m2 * l2**2]])

        self.system = System(
            mass, lambda t, q: -(m1 + m2) * g * l1 * np.cos(q[0]) - m2 * g * l2 * np.cos(q[1]),
            [0.05, 0.3], [0.7, 1],
            force=lambda t, q, v: np.array([push - 0.05 * v[0] + 0.4 * np.cos(3 * t) * q[1], -0.05 * v[0] * v[1]]),
            contacts=[Contact(lambda t, q: 0.45 + 0.02 * np.sin(5 * t) - l1 * np.sin(q[0]) - l2 * np.sin(q[1]),
                              lambda t, q, v: -l1 * np.sin(q[0]) * v[0] - l2 * np.sin(q[1]) * v[1],
                              0.25, e, e_slip)])


class Cart:
    """A cart on a spring that carries a pendulum whose rope is wound up and down (a joint); the cart runs against a
    stop, the pendulum falls on a floor, slides there and rests."""

    columns = ("x", "a", "r", "x'", "a'", "r'")

    def __init__(self, e, mu, contacts=True):
        law = f"restitution: {e}"
        law2 = f"restitution: {e / 2}"
        if mu is not None:
            law += f", slip: 0.1*a', friction: {mu / 2}"
            law2 += f", slip: x' + r'*sin(a) + r*cos(a)*a', friction: {mu}"
        self.text = """percuss: 1
parameters: {m1: 1.4, m2: 0.6, g: 9.7, k: 30}
coordinates: {x: {velocity: 0.8}, a: {value: 0.7, velocity: -0.5}, r: {value: 0.8, velocity: 0.15}}
kinetic: m1*x'^2/2 + m2/2*((x' + r'*sin(a) + r*cos(a)*a')^2 + (r'*cos(a) - r*sin(a)*a')^2)
potential: -m2*g*r*cos(a) + k*x^2/2
forces: {x: -0.3*x'}
constraints: {rope: r - 0.8 - 0.05*sin(3*t)}
simulate: {scheme: lobatto, dt: 0.01, until: 0.6}
"""
        if contacts:
            self.text += f"contacts:\n  stop: {{gap: 0.12 - x, {law}}}\n  floor: {{gap: 0.79 - r*cos(a), {law2}}}\n"

        def mass(q):
            s, c = np.sin(q[1]), np.cos(q[1])
            J = np.array([[1, q[2] * c, s], [0, -q[2] * s, c]])
            return 0.6 * J.T @ J + np.diag([1.4, 0, 0])

        laws = [Contact(lambda t, q: 0.12 - q[0], lambda t, q, v: 0.1 * v[1], (mu or 0) / 2, e),
                Contact(lambda t, q: 0.79 - q[2] * np.cos(q[1]),
                        lambda t, q, v: v[0] + v[2] * np.sin(q[1]) + q[2] * np.cos(q[1]) * v[1], mu or 0, e / 2)]
        self.system = System(
            mass, lambda t, q: -0.6 * 9.7 * q[2] * np.cos(q[1]) + 30 * q[0]**2 / 2, [0, 0.7, 0.8], [0.8, -0.5, 0.15],
            force=lambda t, q, v: np.array([-0.3 * v[0], 0, 0]),
            joints=lambda t, q: np.array([q[2] - 0.8 - 0.05 * np.sin(3 * t)]), contacts=laws if contacts else ())


class Sleigh:
    """A sleigh on a runner, its centre of mass ahead of it, that is pushed and runs against a wall."""

    columns = ("x", "y", "a", "x'", "y'", "a'")

    def __init__(self, e):
        start = 2 * np.cos(0.3), 2 * np.sin(0.3)
        self.text = f"""percuss: 1
parameters: {{m: 1.3, J: 0.4, l: 0.35, e: {e}}}
coordinates: {{x: {{velocity: {float(start[0])!r}}}, y: {{velocity: {float(start[1])!r}}}, a: {{value: 0.3, velocity: 0.9}}}}
kinetic: m/2*((x' - l*sin(a)*a')^2 + (y' + l*cos(a)*a')^2) + J/2*a'^2
forces: {{x: 1.5*cos(2*t) + 3, a: -0.2*a'}}
constraints: {{runner: {{velocity: y'*cos(a) - x'*sin(a)}}}}
contacts: {{wall: {{gap: 0.7 - x, slip: y', friction: 0.05, restitution: e}}}}
simulate: {{scheme: lobatto, dt: 0.02, until: 1}}
"""

        def mass(q):
            s, c, m, l = np.sin(q[2]), np.cos(q[2]), 1.3, 0.35
            return np.array([[m, 0, -m * l * s], [0, m, m * l * c], [-m * l * s, m * l * c, m * l**2 + 0.4]])

        self.system = System(
            mass, lambda t, q: 0 * q[0], [0, 0, 0.3], [*start, 0.9],
            force=lambda t, q, v: np.array([1.5 * np.cos(2 * t) + 3, 0, -0.2 * v[2]]),
            skates=lambda t, q, v: np.array([v[1] * np.cos(q[2]) - v[0] * np.sin(q[2])]),
            contacts=[Contact(lambda t, q: 0.7 - q[0], lambda t, q, v: v[1], 0.05, e)])


def impacts(P):
    """Steps with a percussion after one without, and the longest run of steps with one."""
    on = (P > 0).astype(int)
    first = int((np.diff(on, axis=0, prepend=0) > 0).sum())
    longest = max(len(run) for column in on.T for run in "".join(map(str, column)).split("0"))
    return first, longest


class Second(unittest.TestCase):
    def compare(self, model, rows, *options):
        theirs = percuss_states(PERCUSS, model.text, model.columns, "--tol", 1e-13, "--residual", "scaled", *options)
        self.assertGreaterEqual(len(theirs), len(rows))
        apart = np.abs(theirs[:len(rows)] - rows).max(axis=1)
        self.assertLess(apart.max(), SAME, f"step {int((apart > SAME).argmax())}")

    def lobatto(self, model, s, dt, count, active, first, longest):
        rows, P = lobatto_momentum.run(model.system, s, dt, count, active)
        seen = impacts(P)
        self.assertTrue(seen[0] >= first and seen[1] >= longest, seen)
        self.compare(model, rows, "--stages", s, "--dt", dt, "--active-set", active)

    def test_lobatto_rebounds(self):
        for s, active in ((2, "stages"), (3, "paper"), (4, "stages"), (5, "stages")):
            with self.subTest(s=s, active=active):
                self.lobatto(Pendulum(0.35, 0.15), s, 0.04 if s > 3 else 0.025, 20, active, 1, 1)

    def test_lobatto_slides_on_the_wall(self):
        for s in (2, 3, 4):
            with self.subTest(s=s):
                self.lobatto(Pendulum(0, push=9), s, 0.03, 20, "paper", 1, 8)

    def test_lobatto_with_a_joint_and_two_contacts(self):
        self.lobatto(Cart(0.4, 0.3), 2, 0.02, 30, "paper", 3, 1)
        self.lobatto(Cart(0, 0.3), 3, 0.02, 25, "stages", 2, 8)

    def test_lobatto_with_a_constraint_of_velocities(self):
        for s, dt, e in ((2, 0.02, 0.4), (2, 0.02, 0), (3, 0.01, 0.4), (4, 0.01, 0.4), (4, 0.005, 0.4)):
            with self.subTest(s=s, dt=dt, e=e):
                model = Sleigh(e)
                rows, P = lobatto_momentum.run(model.system, s, dt, round(0.4 / dt))
                self.assertGreaterEqual(impacts(P)[0], 1)
                self.compare(model, rows, "--stages", s, "--dt", dt, "--velocity-constraints", "paper")
                with self.assertRaises(AssertionError):  # the moments that are the default are another scheme
                    self.compare(model, rows, "--stages", s, "--dt", dt)

    def test_rattle_in_momentum_form(self):
        model = Cart(0.4, 0.3)
        rows, _ = lobatto_momentum.run(model.system, 2, 0.02, 25, "paper")
        self.compare(model, rows, "--scheme", "rattle", "--form", "momentum", "--dt", 0.02)
        with self.assertRaises(AssertionError):  # (25) of RATTLE's paper is another scheme
            self.compare(model, rows, "--scheme", "rattle", "--dt", 0.02)

    def projected(self, options, **how):
        for model in (Pendulum(0.35, 0.15), Pendulum(0, push=9), Cart(0.4, 0.3)):
            for theta in (0.5, 0.7):
                method = theta_projection.Method(theta, 0.01, **how)
                rows, P = theta_projection.run(model.system, method, 60)
                self.assertGreaterEqual(impacts(P)[0], 1)
                with self.subTest(model=type(model).__name__, theta=theta):
                    self.compare(model, rows, "--theta", theta, "--dt", 0.01, "--metric", "identity", *options)

    def test_direct_projection(self):
        self.projected(("--scheme", "direct-projection"))
        self.projected(("--scheme", "direct-projection", "--gamma", 1, "--coupled"), gamma=1.0)

    def test_projection_after_the_loop(self):
        self.projected(("--scheme", "direct-projection", "--project", "after"), after=True)
        self.projected(("--scheme", "direct-projection", "--project", "after", "--forecast", "free"),
                       after=True, forecast="free")

    def test_free_forecast(self):
        self.projected(("--scheme", "direct-projection", "--forecast", "free"), forecast="free")

    def test_combined_projection(self):
        self.projected(("--scheme", "combined-projection"), combined=True)
        self.projected(("--scheme", "combined-projection", "--project", "after"), combined=True, after=True)

    def test_schatzman_paoli(self):
        """(20a) with M(q_k+1); the means of the steps as velocities, or (20b) to the letter."""
        for model in (Pendulum(0.35), Pendulum(0, push=9), Cart(0.4, None)):
            for theta in (0.5, 0.8):
                positions = []
                for velocity in ("mean", "central"):
                    with self.subTest(model=type(model).__name__, theta=theta, velocity=velocity):
                        rows, P = schatzman_paoli.run(model.system, theta, 0.01, 60, velocity == "central")
                        positions.append(rows[:, :len(model.system.q)])
                        self.assertGreaterEqual(impacts(P)[0], 1)
                        self.compare(model, rows, "--scheme", "schatzman-paoli", "--frictionless", "--dt", 0.01,
                                     "--theta", theta, "--velocity", velocity)
                self.assertGreater(np.abs(positions[0] - positions[1]).max(), 1e-4)

    def test_gear_gupta_leimkuhler(self):
        model = Cart(0, None, contacts=False)
        for rho in (1, 0.8, 0.3):
            with self.subTest(rho=rho):
                rows = alpha_levels.run_ggl(model.system, rho, 0.02, 30)
                self.compare(model, rows, "--scheme", "generalized-alpha", "--constraints", "ggl", "--rho", rho,
                             "--dt", 0.02)

    def test_all_levels_of_alpha(self):
        for model, longest in ((Cart(0.4, None), 1), (Cart(0, None), 8)):
            for rho in (0.9, 0.5):
                with self.subTest(rho=rho):
                    rows, P = alpha_levels.run_levels(model.system, rho, 0.01, 50)
                    self.assertGreaterEqual(impacts(P)[1], longest)
                    self.assertGreaterEqual(impacts(P)[0], 2)
                    self.compare(model, rows, "--scheme", "generalized-alpha", "--rho", rho, "--dt", 0.01)

    def test_another_coefficient_is_noticed(self):
        model, other = Cart(0.4, 0.3), Cart(0.4, 0.303)
        rows, _ = theta_projection.run(model.system, theta_projection.Method(0.5, 0.01), 45)
        with self.assertRaises(AssertionError):
            self.compare(other, rows, "--scheme", "direct-projection", "--metric", "identity")


if __name__ == "__main__":
    unittest.main()
