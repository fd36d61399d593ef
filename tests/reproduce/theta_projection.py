"""The projected schemes of Acary, (28) with the forecasts (61) and (62), projected in the loop or after it, and (65)
to (70): a second implementation for any M(q), friction in the plane and joints; see formula_system.py. Where the
library has Newton's method and contact solvers, fixed points and trials of all modes stand here."""
import itertools

import numpy as np

from formula_system import slope

FREE, STICK, FORWARD, BACKWARD = range(4)
TIE = 1e-10  # a gap up to this is closed [m]: the library's --activation-tol


def forces(system, t, q, v):
    """h of M v' = h: dL/dq + f - M' v."""
    rate = slope(lambda x: (system.mass(x) @ v), q) @ v
    return system.lagrange_slope(t, q, v) + system.force(t, q, v) - rate


def solve_laws(A, b, joints, on, contacts):
    """Percussions (joints, normals, slips) with A P + b obeying the laws, b holding the restitution. All modes of the
    contacts that are `on` are tried."""
    k = len(contacts)
    best, found = np.inf, None
    for modes in itertools.product(range(4), repeat=sum(on)):
        mode = np.zeros(k, int)
        mode[list(np.flatnonzero(on))] = modes
        lhs, rhs = A.copy(), -b
        for i in range(k):
            N, F = joints + i, joints + k + i
            if mode[i] == FREE:
                lhs[N], rhs[N] = np.eye(len(b))[N], 0
            if mode[i] != STICK:
                lhs[F], rhs[F] = np.eye(len(b))[F], 0
            if mode[i] in (FORWARD, BACKWARD):
                lhs[F, N] = contacts[i].mu * (1 if mode[i] == FORWARD else -1)
        try:
            P = np.linalg.solve(lhs, rhs)
        except np.linalg.LinAlgError:
            continue
        y, worst = A @ P + b, 0.0
        for i in np.flatnonzero(on):
            N, F = joints + i, joints + k + i
            worst = max(worst, -P[N], -y[N] if mode[i] == FREE else 0)
            worst = max(worst, abs(P[F]) - contacts[i].mu * P[N] if mode[i] == STICK else 0)
            worst = max(worst, -y[F] if mode[i] == FORWARD else y[F] if mode[i] == BACKWARD else 0)
        if worst < best:
            best, found = worst, P
    assert best < 1e-11, f"no solution of the contact laws ({best})"
    return found


def project(system, t, base, held, may):
    """q = base + W tau with tau >= 0, g >= 0, g tau = 0 for contacts in `may`, g = 0 for joints and those in `held`."""
    q, joints = base.copy(), system.joint_count
    for _ in range(200):
        W_g, W_N, _ = system.directions(t, q)
        W = np.hstack((W_g, W_N))
        g = np.concatenate((np.atleast_1d(system.joints(t, q)), system.gaps(t, q))) + W.T @ (base - q)
        A, found = W.T @ W, None
        free = [i for i in range(len(may)) if may[i] and not held[i]]
        for chosen in itertools.product((0, 1), repeat=len(free)):
            rows = list(range(joints)) + [joints + i for i in range(len(may)) if held[i]]
            rows += [joints + i for i, c in zip(free, chosen) if c]
            tau = np.zeros(len(g))
            if rows:
                tau[rows] = np.linalg.lstsq(A[np.ix_(rows, rows)], -g[rows], rcond=None)[0]
            left = g + A @ tau
            if all(tau[joints + i] >= 0 and left[joints + i] >= -1e-15 for i in free):
                found = tau
                break
        assert found is not None, "no projection"
        last, q = q, base + W @ found
        if np.abs(q - last).max() < 1e-16:
            break
    return q


class Method:
    def __init__(self, theta, dt, forecast="explicit", gamma=0.0, after=False, combined=False):
        self.theta, self.dt, self.forecast, self.gamma = theta, dt, forecast, gamma
        self.after, self.combined = after, combined

    def iterate(self, system, state, on):
        """The step with the contacts `on`: q and v at the end, and P. Without contacts in `project after`,
        and where nothing is to be projected, q is that of (18b)."""
        t, q0, v0 = state
        th, dt, j, k = self.theta, self.dt, system.joint_count, len(system.contacts)
        q, v, P = q0 + dt * v0, v0.copy(), np.zeros(j + 2 * k)
        e = np.concatenate((np.zeros(j), [c.e for c in system.contacts], [c.e_slip for c in system.contacts]))
        before = np.concatenate((np.zeros(j), system.gap_rates(t, q0, v0), system.slips(t, q0, v0)))
        for _ in range(300):
            q_th, v_th = (1 - th) * q0 + th * q, (1 - th) * v0 + th * v
            M = np.real(system.mass(q_th))
            v_smooth = v0 + np.linalg.solve(M, dt * forces(system, t + th * dt, q_th, v_th))
            W = np.hstack(system.directions(t + dt, q))
            rates = np.concatenate((system.joint_rates(t + dt, q, v_smooth), system.gap_rates(t + dt, q, v_smooth),
                                    system.slips(t + dt, q, v_smooth)))
            P = solve_laws(W.T @ np.linalg.solve(M, W), rates + e * before, j, on, system.contacts)
            v_new = v_smooth + np.linalg.solve(M, W @ P)
            base = q0 + dt * ((1 - th) * v0 + th * v_new)
            q_new = base if self.after else self.projected(system, t + dt, base, on, P)
            change = max(np.abs(q_new - q).max(), np.abs(v_new - v).max())
            q, v = q_new, v_new
            if change < 1e-15:
                break
        if self.after:
            q = self.projected(system, t + dt, q, on, P)
        return q, v, P

    def projected(self, system, t, base, on, P):
        j, k = system.joint_count, len(system.contacts)
        if not self.combined:
            return project(system, t, base, np.zeros(k, bool), np.ones(k, bool))
        return project(system, t, base, on & (P[j:j + k] > 0), on)                        # (68)

    def active(self, system, state):
        t, q, v = state
        gap, rate = system.gaps(t, q), system.gap_rates(t, q, v)
        if self.forecast == "explicit":
            return gap + self.gamma * self.dt * rate <= TIE                               # (61)
        free = system.gap_rates(t, q, self.free_velocity(system, state))
        return gap + self.dt * (self.theta * free + (1 - self.theta) * rate) <= TIE       # (62)

    def free_velocity(self, system, state):
        """One iteration (48) from v_k without contacts, the joints' rows at the start of the step."""
        t, q, v = state
        c, n, h = self.theta * self.dt, len(q), 1e-6
        at = lambda x: forces(system, t + c, q + c * v + x[:n], v + x[n:])
        K = np.array([(at(x) - at(-x)) / (2 * h) for x in h * np.eye(2 * n)]).T
        matrix = np.real(system.mass(q + c * v)) - c * K[:, n:] - c**2 * K[:, :n]             # (47)
        W = system.directions(t, q)[0]
        saddle = np.block([[matrix, -W], [W.T, np.zeros((W.shape[1],) * 2)]])
        rhs = np.concatenate((self.dt * at(np.zeros(2 * n)), -system.joint_rates(t, q, v)))
        return v + np.linalg.solve(saddle, rhs)[:n]

    def step(self, system, state):
        if not self.combined:
            return self.iterate(system, state, self.active(system, state))
        on = np.zeros(len(system.contacts), bool)
        while True:
            q, v, P = self.iterate(system, state, on)
            more = on | (system.gaps(state[0] + self.dt, q) <= TIE)                       # (66)
            if (more == on).all():
                return q, v, P
            on = more


def run(system, method, count):
    """A row (q, v) per step, the start first, and the percussions P_N of the steps."""
    t, q, v = 0.0, system.q, system.v
    rows, percussions = [np.concatenate((q, v))], []
    for n in range(count):
        q, v, P = method.step(system, (t, q, v))
        t = (n + 1) * method.dt
        rows.append(np.concatenate((q, v)))
        percussions.append(P[system.joint_count:system.joint_count + len(system.contacts)])
    return np.array(rows), np.array(percussions)
