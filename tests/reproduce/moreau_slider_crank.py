"""Moreau's midpoint scheme on the slider-crank in minimal coordinates: a second implementation, written from
the equations of Flores, Leine, Glocker (71) to (113) and sharing nothing with the library. Equations of motion
and gaps are written out by hand; the contact laws of a step are solved by trying all modes of the closed
corners (open, stick, slip either way) until one satisfies its inequalities.

    moreau_slider_crank.py DT UNTIL

prints "time name value" for the states that flores-fig10 and flores-fig11 compare with, and the first
percussions, how often the corners 1 and 3 close, the largest violation and the time of two revolutions.
"""
import itertools
import math
import sys

L1, L2, A, B, D = 0.153, 0.306, 0.05, 0.025, 0.052
M1, M2, M3 = 0.038, 0.038, 0.076
J1, J2, J3 = 7.4e-5, 5.9e-4, 2.7e-6
MU, E, GRAVITY = 0.01, 0.4, 9.81
SIDES = ((-1, 1), (1, 1), (-1, -1), (1, -1))  # of the corners 1 to 4: left or right, above or below
CLOSED = 1e-10  # [m]
TIMES = (0.002, 0.003, 0.005, 0.01, 0.02, 0.05, 0.07, 0.1, 0.14, 0.2)
OPEN, STICK, FORWARD, BACKWARD = range(4)


def solve(matrix, right):
    """Gaussian elimination with row pivots; None if singular."""
    size = len(right)
    rows = [list(row) + [x] for row, x in zip(matrix, right)]
    for i in range(size):
        pivot = max(range(i, size), key=lambda k: abs(rows[k][i]))
        if rows[pivot][i] == 0:
            return None
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for k in range(i + 1, size):
            factor = rows[k][i] / rows[i][i]
            rows[k] = [a - factor * b for a, b in zip(rows[k], rows[i])]
    x = [0.0] * size
    for i in reversed(range(size)):
        x[i] = (rows[i][size] - sum(rows[i][j] * x[j] for j in range(i + 1, size))) / rows[i][i]
    return x


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def dynamics(q, u):
    """Mass matrix (90) to (94) and forces (95), (96)."""
    c, s = math.cos(q[0] - q[1]), math.sin(q[0] - q[1])
    both = L1 * L2 * (M2 / 2 + M3)
    mass = [[J1 + L1**2 * (M1 / 4 + M2 + M3), both * c, 0],
            [both * c, J2 + L2**2 * (M2 / 4 + M3), 0],
            [0, 0, J3]]
    force = [-both * s * u[1]**2 - GRAVITY * L1 * (M1 / 2 + M2 + M3) * math.cos(q[0]),
             both * s * u[0]**2 - GRAVITY * L2 * (M2 / 2 + M3) * math.cos(q[1]), 0]
    return mass, force


def gaps(q):
    height = L1 * math.sin(q[0]) + L2 * math.sin(q[1])
    return [D / 2 - v * (height + h * A * math.sin(q[2]) + v * B * math.cos(q[2])) for h, v in SIDES]


def directions(q, corner):
    """Generalised directions of the normal and of the friction force of a corner."""
    h, v = SIDES[corner]
    up = [L1 * math.cos(q[0]), L2 * math.cos(q[1]), h * A * math.cos(q[2]) - v * B * math.sin(q[2])]
    along = [-L1 * math.sin(q[0]), -L2 * math.sin(q[1]), -h * A * math.sin(q[2]) - v * B * math.cos(q[2])]
    return [-v * x for x in up], along


def try_modes(modes, mass, u_free, u_before, rows):
    """What a choice of modes leads to: how far it violates its inequalities, velocities, percussions."""
    columns, equations = [], []
    for (normal, along), mode in zip(rows, modes):
        if mode == OPEN:
            continue
        friction = {STICK: 0, FORWARD: -MU, BACKWARD: MU}[mode]
        columns.append(solve(mass, [a + friction * b for a, b in zip(normal, along)]))
        equations.append((normal, -dot(normal, u_free) - E * dot(normal, u_before)))
        if mode == STICK:
            columns.append(solve(mass, along))
            equations.append((along, -dot(along, u_free)))
    found = solve([[dot(row, c) for c in columns] for row, _ in equations], [r for _, r in equations])
    if found is None:
        return None
    u = [x + sum(f * c[i] for f, c in zip(found, columns)) for i, x in enumerate(u_free)]
    worst, P, k = 0.0, [], 0
    for (normal, along), mode in zip(rows, modes):
        P_N = 0.0
        if mode == OPEN:
            worst = max(worst, -(dot(normal, u) + E * dot(normal, u_before)))
        else:
            P_N, k = found[k], k + 1
            worst = max(worst, -P_N)
        if mode == STICK:
            worst, k = max(worst, abs(found[k]) - MU * P_N), k + 1
        if mode in (FORWARD, BACKWARD):
            worst = max(worst, dot(along, u) * (1 if mode == BACKWARD else -1))
        P.append(P_N)
    return worst, u, P


def impact(mass, u_free, u_before, rows):
    """Velocities and percussions after a step with closed corners."""
    best = None
    for modes in itertools.product((STICK, FORWARD, BACKWARD, OPEN), repeat=len(rows)):
        result = try_modes(modes, mass, u_free, u_before, rows)
        if result and (best is None or result[0] < best[0]):
            best = result
        if best and best[0] < 1e-12:
            break
    assert best[0] < 1e-9, best
    return best[1:]


def main(dt, until):
    q, u = [0.0, 0.0, 0.0], [150.0, -75.0, 0.0]
    violation, first, two = 0.0, None, None
    pressed, closings = set(), [0] * len(SIDES)
    for n in range(1, round(until / dt) + 1):
        middle = [a + dt / 2 * b for a, b in zip(q, u)]
        mass, force = dynamics(middle, u)
        u_new = [a + b for a, b in zip(u, solve(mass, [dt * f for f in force]))]
        closed = [k for k, gap in enumerate(gaps(middle)) if gap <= CLOSED]
        was_pressed, pressed = pressed, set()
        if closed:
            u_new, P = impact(mass, u_new, u, [directions(middle, k) for k in closed])
            first = first or dict(zip(closed, P))
            pressed = {k for k, P_N in zip(closed, P) if P_N > 0}
        for k in pressed - was_pressed:
            closings[k] += 1
        before, u = q[0], u_new
        q = [a + dt / 2 * b for a, b in zip(middle, u)]
        if two is None and q[0] >= 4 * math.pi:
            two = dt * (n - 1 + (4 * math.pi - before) / (q[0] - before))
        violation = max(violation, -min(gaps(q)))
        if any(abs(n * dt - t) < dt / 4 for t in TIMES):
            for name, value in zip(("th1'", "th2'", "corner1.gap", "corner3.gap"),
                                   (u[0], u[1], gaps(q)[0], gaps(q)[2])):
                print(f"{n * dt:.9g} {name} {value!r}")
    for corner, P in first.items():
        print(f"0 corner{corner + 1}.P_N {P!r}")
    for corner in (0, 2):
        print(f"0 corner{corner + 1}.closings {closings[corner]}")
    print(f"0 violation {violation!r}\n0 revolutions {two!r}")


if __name__ == "__main__":
    main(float(sys.argv[1]), float(sys.argv[2]))
