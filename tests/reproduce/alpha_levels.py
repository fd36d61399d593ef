"""Generalized-alpha of Bruels, Acary and Cardona: the form (73) of Gear, Gupta and Leimkuhler for joints, and (65) with
contacts in all three sets (strategy 3), h^2 (1/2 - beta) in (65j): a second implementation for any M(q), without
friction; see formula_system.py. All equations of a step at once, Newton's method with differences."""
import numpy as np

from theta_projection import forces


class Coefficients:
    """Those of Chung and Hulbert (61)."""

    def __init__(self, rho):
        self.m, self.f = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
        self.gamma = 0.5 + self.f - self.m
        self.beta = 0.25 * (self.gamma + 0.5)**2
        self.share = (1 - self.f) / (1 - self.m)  # of a new acceleration in a


def newton(residual, x, tolerance):
    """The root of the residual nearest to x, by differences; their matrix is kept while it converges."""
    last, size, J = np.inf, np.inf, None
    for _ in range(40):
        r = residual(x)
        if J is None or size > last / 20:
            h = 1e-7 * np.maximum(1.0, np.abs(x))
            J = np.array([(residual(x + h * e) - r) / (h @ e) for e in np.eye(len(x))]).T
        dx = np.linalg.solve(J, r)
        last, size = size, np.abs(dx).max()
        x = x - dx
        if size < tolerance and size > last / 4:
            return x
    assert size < tolerance, f"a step was not solved ({size})"
    return x


def rates(system, t, q, v):
    return np.concatenate((system.joint_rates(t, q, v), system.gap_rates(t, q, v)))


def curvature(system, t, q, v):
    """g'' without W'v', along (1, v) by differences of fourth order."""
    at = lambda h: rates(system, t + h, q + h * v, v)
    h = 2e-3
    return (8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h)


def start(system, closed):
    """Accelerations and forces at t = 0 from (38)."""
    q, v, n = system.q, system.v, len(system.q)
    W_g, W_N, _ = system.directions(0.0, q)
    W = np.hstack((W_g, W_N[:, closed]))
    keep = np.concatenate((np.ones(system.joint_count, bool), closed))
    K = np.block([[np.real(system.mass(q)), -W], [W.T, np.zeros((W.shape[1],) * 2)]])
    x = np.linalg.solve(K, np.concatenate((forces(system, 0.0, q, v), -curvature(system, 0.0, q, v)[keep])))
    forces_at = np.zeros(len(keep))
    forces_at[keep] = x[n:]
    return x[:n], forces_at


def run_ggl(system, rho, dt, count):
    """(73). A row (q, v) per step, the start first."""
    c, n, g = Coefficients(rho), len(system.q), system.joint_count
    q, v = system.q, system.v
    a_dot, force = start(system, np.zeros(0, bool))
    a, rows = a_dot, [np.concatenate((q, v))]
    for k in range(count):
        t = (k + 1) * dt
        W = system.directions(k * dt, q)[0]

        def end(x):
            a_new = (1 - c.f) / (1 - c.m) * x[:n] + (c.f * a_dot - c.m * a) / (1 - c.m)              # (73g)
            return (q + dt * v + dt**2 * ((0.5 - c.beta) * a + c.beta * a_new) + W @ x[n + g:] * dt**2,  # (73e)
                    v + dt * ((1 - c.gamma) * a + c.gamma * a_new), a_new)                           # (73f)

        def residual(x):
            q1, v1, _ = end(x)
            return np.concatenate((np.real(system.mass(q1)) @ x[:n] - forces(system, t, q1, v1)
                                   - system.directions(t, q1)[0] @ x[n:n + g],                       # (73b)
                                   system.joints(t, q1) / dt**2,                                     # (73c)
                                   system.joint_rates(t, q1, v1) / dt))                              # (73d)

        x = newton(residual, np.concatenate((a_dot, force, np.zeros(g))), 1e-9)
        q1, v1, a = end(x)
        q, v, a_dot, force = q1, v1, x[:n], x[n:n + g]
        rows.append(np.concatenate((q, v)))
    return np.array(rows)


def run_levels(system, rho, dt, count, factor=5.0):
    """(65) with strategy 3. The sets go by nu + dt^2 beta s lambda and Lambda + dt gamma s lambda, the impulses of this
    step alone. Rows as above, and the total impulses of the contacts over each step."""
    c, n, g, m = Coefficients(rho), len(system.q), system.joint_count, len(system.contacts)
    q, v, r = system.q, system.v, g + m
    a_dot, force = start(system, system.gaps(0.0, system.q) <= 0)
    a, rows, impulses = a_dot, [np.concatenate((q, v))], []
    e = np.array([contact.e for contact in system.contacts])
    joint = np.ones(g, bool)
    for k in range(count):
        t, before = (k + 1) * dt, system.gap_rates(k * dt, q, v)

        def end(x):
            a_new = c.share * x[:n] + (c.f * a_dot - c.m * a) / (1 - c.m)                            # (65l)
            return (q + dt * v + dt**2 * ((0.5 - c.beta) * a + c.beta * a_new + x[n + r:2 * n + r]),    # (65j)
                    v + dt * ((1 - c.gamma) * a + c.gamma * a_new + x[2 * (n + r):3 * n + 2 * r]), a_new)  # (65k)

        def parts(x):
            return x[:n], x[n:n + r], x[n + r:2 * n + r], x[2 * n + r:2 * (n + r)], x[2 * (n + r):-r], x[-r:]

        def levels(x):
            q1, v1, _ = end(x)
            W = np.hstack(system.directions(t, q1)[:2])
            law = rates(system, t, q1, v1)
            law[g:] += e * before
            return (W, W.T @ x[:n] + curvature(system, t, q1, v1), law,
                    np.concatenate((np.atleast_1d(system.joints(t, q1)), system.gaps(t, q1))))

        def residual(x, A, B, S):
            q1, v1, _ = end(x)
            M = np.real(system.mass(q1))
            W, curve, law, gap = levels(x)
            a1, lam, U, nu, w, Lam = parts(x)
            return np.concatenate((M @ a1 - forces(system, t, q1, v1) - W @ lam, np.where(S, curve, lam),   # (65a-c)
                                   M @ U - W @ nu, np.where(A, gap / dt**2, nu),                            # (65d-f)
                                   M @ w - W @ Lam, np.where(B, law / dt, Lam)))                            # (65g-i)

        x = np.concatenate((a_dot, force, np.zeros(2 * (n + r))))
        sets = None
        for _ in range(30):
            W, curve, law, gap = levels(x)
            _, lam, _, nu, _, Lam = parts(x)
            mass = factor / np.einsum("ik,ik->k", W, np.linalg.solve(np.real(system.mass(end(x)[0])), W))
            A = nu + c.beta * c.share * lam - mass * gap / dt**2 >= 0                                # (55)
            B = A & (Lam + c.gamma * c.share * lam - mass * law / dt >= 0)                           # (56)
            S = B & (lam - mass * curve >= 0)                                                        # (57)
            A[:g] = B[:g] = S[:g] = joint
            if sets is not None and all((one == two).all() for one, two in zip(sets, (A, B, S))):
                break
            sets = (A.copy(), B.copy(), S.copy())
            x = newton(lambda y: residual(y, *sets), x, 1e-8)
        else:
            raise ArithmeticError(f"the sets of step {k + 1} do not come to rest")
        q1, v1, a = end(x)
        impulses.append(dt * (x[-r:] + c.gamma * c.share * x[n:n + r])[g:])
        q, v, a_dot, force = q1, v1, x[:n], x[n:n + r]
        rows.append(np.concatenate((q, v)))
    return np.array(rows), np.array(impulses)
