"""The scheme of Schatzman and Paoli, Acary (20) to (22), in positions q_k-1, q_k, q_k+1 as it is printed: a second
implementation for any M(q), joints and contacts without friction; see formula_system.py. The library solves it in
mean velocities, by Newton's method and contact solvers; here stand fixed points and trials of all modes."""
import itertools

import numpy as np

from theta_projection import forces


def start(system, dt):
    """q_-1 = q_0 - h v_0 + h^2/2 a_0, a_0 with the forces of the joints; no contact is closed."""
    q, v, joints = system.q, system.v, system.joint_count
    W, M = system.directions(0.0, q)[0], np.real(system.mass(q))
    h = 1e-4
    along = [system.joint_rates(x, q + x * v, v) for x in (-2 * h, -h, h, 2 * h)]
    drift = (along[0] - 8 * along[1] + 8 * along[2] - along[3]) / (12 * h)  # d/dt (W'v + drift) without a
    smooth = np.linalg.solve(M, forces(system, 0.0, q, v))
    force = np.linalg.solve(W.T @ np.linalg.solve(M, W), -drift - W.T @ smooth) if joints else np.zeros(0)
    return q - dt * v + dt**2 / 2 * (smooth + np.linalg.solve(M, W @ force))


def complementary(A, b, joints):
    """p with A p + b = 0 for the joints, and 0 <= A p + b _|_ p >= 0 for the others, of all sets the least wrong one."""
    best, found = np.inf, None
    for chosen in itertools.product((0, 1), repeat=len(b) - joints):
        rows = list(range(joints)) + [joints + i for i in np.flatnonzero(chosen)]
        p = np.zeros(len(b))
        if rows:
            p[rows] = np.linalg.solve(A[np.ix_(rows, rows)], -b[rows])
        worst = max([0, *(-p[joints:]), *(-(A @ p + b)[joints:])])
        if worst < best:
            best, found = worst, p
    return found


def step(system, theta, dt, t, now, before, v_now):
    """q_k+1 of q_k and q_k-1. `v_now`: v_k of (20b) to the letter; None: the means of the steps."""
    e = np.concatenate((np.zeros(system.joint_count), [c.e for c in system.contacts]))
    following, p = 2 * now - before, np.zeros(len(e))
    for _ in range(400):
        v_late = (following - before) / (2 * dt)                                        # (20b)
        if v_now is None:  # v_late belongs to t_k, (q_k+1 - q_k) / h to t_k + h/2
            v_theta = v_late + 2 * theta * ((following - now) / dt - v_late)
        else:
            v_theta = (1 - theta) * v_now + theta * v_late
        q_theta = (1 - theta) * now + theta * following
        M = np.real(system.mass(following))
        impulse = dt**2 * forces(system, t + theta * dt, q_theta, v_theta)
        W, gap = [], []
        for i, e_i in enumerate(e):                                                     # (22)
            q_e = (following + e_i * before) / (1 + e_i)
            t_e = (t + dt + e_i * (t - dt)) / (1 + e_i)
            W_g, W_N, _ = system.directions(t_e, q_e)
            W.append(np.hstack((W_g, W_N))[:, i])
            gap.append(np.concatenate((np.atleast_1d(np.real(system.joints(t_e, q_e))), system.gaps(t_e, q_e)))[i])
        W = np.array(W).T
        free = 2 * now - before + np.linalg.solve(M, impulse)                           # (20a)
        A = W.T @ np.linalg.solve(M, W)
        p = complementary(A, (1 + e) * gap + W.T @ (free - following), system.joint_count)
        last, following = following, free + np.linalg.solve(M, W @ p)
        if np.abs(following - last).max() < 1e-16:
            break
    return following, p


def run(system, theta, dt, count, central=False):
    """A row (q, v) per step, the start first, and the percussions p / h of the contacts."""
    now, before, v = system.q, start(system, dt), system.v
    rows, percussions = [np.concatenate((now, v))], []
    for k in range(count):
        following, p = step(system, theta, dt, k * dt, now, before, v if central else None)
        v = (following - before) / (2 * dt) if central else (following - now) / dt
        before, now = now, following
        rows.append(np.concatenate((now, v)))
        percussions.append(p[system.joint_count:] / dt)
    return np.array(rows), np.array(percussions)
