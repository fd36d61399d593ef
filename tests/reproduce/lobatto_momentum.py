"""The scheme of Capobianco, Harsch and Leyendecker in momentum form for any number of stages: (47), (49) to (59) as the residual (61), (66), (69), with the signs of (47d), (47b) in (61) and the multiplier R^{i-1} in (69).
A second implementation, dense and slow, of formulas for any M(q); see formula_system.py."""
import numpy as np
from numpy.polynomial import legendre


def coefficients(s):
    """c, A, b of Lobatto IIIA and the A of IIIB, (46)."""
    inner = legendre.legroots(legendre.legder([0] * (s - 1) + [1]))
    c = np.concatenate(([0.0], np.sort(inner) / 2 + 0.5, [1.0]))
    powers = np.array([c**k for k in range(s)])
    A = np.array([np.linalg.solve(powers, [x**(k + 1) / (k + 1) for k in range(s)]) for x in c])
    b = A[-1]
    return c, A, b, b[None, :] - (b[:, None] * A).T / b[:, None]


def prox_ball(radius, x):
    return np.clip(x, -radius, radius)


class Step:
    """The residual of one step from (t, q, v). `active`: "paper" is (67), "stages" closes by any stage."""

    def __init__(self, system, method, dt, state, active, r):
        self.system, self.method, self.dt, self.active = system, method, dt, active
        self.t, self.q, self.v = state
        self.s, self.n = len(method[0]), len(self.q)
        self.bilateral = system.joint_count + system.skate_count
        self.r_gap, self.r_velocity = r / dt, r
        self.start_rates = system.gap_rates(self.t, self.q, self.v)
        self.start_slips = system.slips(self.t, self.q, self.v)
        self.start_momentum = system.momentum(self.q, self.v)

    def split(self, x):
        s, n, g, k = self.s, self.n, self.bilateral, len(self.system.contacts)
        V, v, R = x[:s * n].reshape(s, n), x[s * n:(s + 1) * n], x[(s + 1) * n:].reshape(s, g + 2 * k)
        return V, v, R[:, :g], R[:, g:g + k], R[:, g + k:]

    def unknowns(self):
        s, g, k = self.s, self.bilateral, len(self.system.contacts)
        return np.concatenate((np.tile(self.v, s + 1), np.zeros(s * (g + 2 * k))))

    def residual(self, x):
        system, dt = self.system, self.dt
        c, A, b, A_hat = self.method
        V, v, R_g, R_N, R_F = self.split(x)
        t, Q = self.t + c * dt, self.q + dt * A @ V                                    # (62)
        F = []
        for i in range(self.s):                                                        # (63)
            W_g, W_N, W_F = system.directions(t[i], Q[i])
            W_g = np.hstack((W_g, system.skate_directions(t[i], Q[i])))
            F.append(dt * (system.lagrange_slope(t[i], Q[i], V[i]) + system.force(t[i], Q[i], V[i]))
                     + W_g @ R_g[i] + W_N @ R_N[i] + W_F @ R_F[i])
        F = np.array(F)
        Pi = np.array([system.momentum(Q[i], V[i]) for i in range(self.s)])
        out = [(Pi - self.start_momentum - A_hat @ F).ravel(),
               system.momentum(Q[-1], v) - self.start_momentum - b @ F]                # (61)
        for i in range(1, self.s):
            out += [system.joints(t[i], Q[i]), system.skates(t[i], Q[i], V[i])]               # (50), (51)
        out += [system.joint_rates(t[-1], Q[-1], v), system.skates(t[-1], Q[-1], v)]
        gaps = np.array([system.gaps(t[i], Q[i]) for i in range(1, self.s)])
        P_N, P_F = b @ R_N, b @ R_F                                                    # (55), (59)
        xi_N = system.gap_rates(t[-1], Q[-1], v)
        xi_F = system.slips(t[-1], Q[-1], v)
        for k, contact in enumerate(system.contacts):
            closed = self.r_gap * gaps[:, k] - R_N[:-1, k] <= 0
            out.append(R_N[:-1, k] + np.minimum(0, self.r_gap * gaps[:, k] - R_N[:-1, k]))    # (66)
            xi = xi_N[k] + contact.e * self.start_rates[k]                                    # (68)
            on = closed[-1] if self.active == "paper" else closed.any()                       # (67)
            out.append([P_N[k] + (min(0, self.r_velocity * xi - P_N[k]) if on else 0)])
            for i in range(1, self.s):                                                        # (69)
                slip = contact.slip(t[i], Q[i], V[i])
                out.append([R_F[i - 1, k] + prox_ball(contact.mu * max(0, R_N[i - 1, k]),
                                                      self.r_velocity * slip - R_F[i - 1, k])])
            xi = xi_F[k] + contact.e_slip * self.start_slips[k]
            out.append([P_F[k] + prox_ball(contact.mu * max(0, P_N[k]), self.r_velocity * xi - P_F[k])])
        return np.concatenate(out)


def newton(step, x):
    """Semismooth Newton with differences, their matrix kept while it converges; None where it does not."""
    size, h, J = np.inf, 1e-7, None
    for _ in range(40):
        r = step.residual(x)
        last, size = size, np.abs(r).max()
        if size < 1e-12 and size > last / 4:  # as far as round-off lets it go
            return x
        if J is None or size > last / 20:
            J = np.array([(step.residual(x + e) - r) / h for e in h * np.eye(len(x))]).T
        try:
            x = x - np.linalg.solve(J, r)
        except np.linalg.LinAlgError:
            return None
    return x if size < 1e-12 else None


def run(system, s, dt, count, active="stages"):
    """A row (q, v) per step, the start first, and the percussions P_N of the steps."""
    method = coefficients(s)
    t, q, v = 0.0, system.q, system.v
    rows, percussions, last = [np.concatenate((q, v))], [], None
    for n in range(count):
        for r in (1, 0.1, 10, 0.01, 100):
            step = Step(system, method, dt, (t, q, v), active, r)
            x = None
            for start in ((step.unknowns(),) if last is None else (step.unknowns(), last)):
                x = newton(step, start)
                if x is not None:
                    break
            if x is not None:
                break
        else:
            raise ArithmeticError(f"step {n + 1} was not solved")
        V, v_new, _, R_N, _ = step.split(x)
        last = x
        t, q, v = (n + 1) * dt, q + dt * method[2] @ V, v_new
        rows.append(np.concatenate((q, v)))
        percussions.append(method[2] @ R_N)
    return np.array(rows), np.array(percussions)
