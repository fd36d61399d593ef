"""The oscillator with a stop of Acary, example 2, under the Moreau-Jean scheme (18) with theta = 1/2: a second
implementation. Linear, so that a step is solved by hand:

    m (v' - v) = -dt k (q + dt (v + v')/4) + P,    q' = q + dt (v + v')/2

    moreau_jean_oscillator.py DT UNTIL

prints the largest error of q against the exact motion: arcs of sines, each e times the one before.
"""
import math
import sys

STIFFNESS, RESTITUTION = 4 * math.pi**2, 0.5


def exact(t):
    omega = math.sqrt(STIFFNESS)
    impacts = math.floor(omega * t / math.pi + 0.5)
    return RESTITUTION**impacts * abs(math.cos(omega * t))


def main(dt, until):
    q, v, error = 1.0, 0.0, 0.0
    share = dt**2 * STIFFNESS / 4
    for n in range(1, math.floor(until / dt + 1e-9) + 1):
        v_new = ((1 - share) * v - dt * STIFFNESS * q) / (1 + share)
        if q <= 1e-10:
            v_new = max(v_new, -RESTITUTION * v)
        q, v = q + dt * (v + v_new) / 2, v_new
        error = max(error, abs(q - exact(n * dt)))
    print(f"{until:g} error {error!r}")


if __name__ == "__main__":
    main(float(sys.argv[1]), float(sys.argv[2]))
