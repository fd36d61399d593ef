"""The pendulum in a ring of Acary, section 6.3, under the Moreau-Jean scheme (18) with theta = 1/2 and W at
the end of the step: a second implementation that shares nothing with the library. The rod has x, y and an angle,
the ring its spin; gravity is constant, so that the step is a fixed point of W alone.

    moreau_jean_ring.py DT UNTIL

prints "time name value" for the states that acary-fig20 compares with, and the largest penetration until 0.1 s.
"""
import math
import sys

RADIUS, J_RING, MASS, J_ROD = 1.0, 0.8, 5.0, 1.0
MU, GRAVITY, GAP, SPIN = 0.3, 9.81, 1e-2, 10.0
HALF = math.sqrt(12 * J_ROD / MASS) / 2
INVERSE = (1 / MASS, 1 / MASS, 1 / J_ROD, 1 / J_RING)
TIMES = (0.2, 0.5, 1, 2)


def gap(q):
    return RADIUS - math.hypot(q[0] - HALF * math.sin(q[2]), q[1] + HALF * math.cos(q[2]))


def rows(q):
    """Directions of the normal and the sliding velocity in (x', y', spin of the rod, spin of the ring)."""
    arm = (-HALF * math.sin(q[2]), HALF * math.cos(q[2]))
    point = (q[0] + arm[0], q[1] + arm[1])
    distance = math.hypot(*point)
    out = (point[0] / distance, point[1] / distance)
    along = (-out[1], out[0])

    def turning(direction):
        return arm[0] * direction[1] - arm[1] * direction[0]

    return ((-out[0], -out[1], -turning(out), 0.0), (along[0], along[1], turning(along), -RADIUS))


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def contact(v_free, normal, along):
    """Velocities after the step: open, stick or slip, e = 0."""
    def product(a, b):
        return sum(x * y * i for x, y, i in zip(a, b, INVERSE))

    def after_impulse(force):
        return [v + i * f for v, i, f in zip(v_free, INVERSE, force)]

    if dot(normal, v_free) >= 0:
        return v_free
    a, b, c = product(normal, normal), product(normal, along), product(along, along)
    r, s = -dot(normal, v_free), -dot(along, v_free)
    determinant = a * c - b * b
    P_N, P_F = (r * c - s * b) / determinant, (a * s - b * r) / determinant
    if P_N >= 0 and abs(P_F) <= MU * P_N:
        return after_impulse([P_N * n + P_F * t for n, t in zip(normal, along)])
    for way in (1, -1):  # the sign of the sliding velocity
        P_N = r / (a - way * MU * b)
        v = after_impulse([P_N * (n - way * MU * t) for n, t in zip(normal, along)])
        if P_N >= 0 and way * dot(along, v) >= 0:
            return v
    raise ArithmeticError("no mode of the contact is possible")


def main(dt, until):
    q, v = [0.0, GAP - RADIUS - HALF, 0.0], [0.0, 0.0, 0.0, SPIN]
    deepest = 0.0
    for n in range(1, round(until / dt) + 1):
        v_free = [v[0], v[1] - dt * GRAVITY, v[2], v[3]]
        active, q_new, v_new = gap(q) <= 1e-10, q, v_free
        for _ in range(100):
            before = q_new
            v_new = contact(v_free, *rows(q_new)) if active else v_free
            q_new = [a + dt * (b + c) / 2 for a, b, c in zip(q, v, v_new)]
            if max(abs(a - b) for a, b in zip(q_new, before)) < 1e-15:
                break
        q, v = q_new, v_new
        if n * dt < 0.1 + dt / 4:
            deepest = min(deepest, gap(q))
        if any(abs(n * dt - t) < dt / 4 for t in TIMES):
            for name, value in zip(("rod.x", "rod.y", "rod.angle", "ring.spin"), (*q, v[3])):
                print(f"{n * dt:.9g} {name} {value!r}")
    print(f"0.1 penetration {-deepest!r}")


if __name__ == "__main__":
    main(float(sys.argv[1]), float(sys.argv[2]))
