"""Rod and slider of Acary's slider-crank in space, hinged to each other and otherwise free, as they are until the pin
first touches its ring: a second implementation, from Newton's and Euler's equations with the forces of the hinge, in
rotation matrices and by Runge and Kutta's method of order 4.

    hinged_rod.py TILT UNTIL        (spin of both about x at the start [rad/s], end [s])

Prints "time name value" of the spins in the frames of the bodies, and of the height of the rod's centre above the
plane."""
import sys

HALF = 0.153  # half the length of the rod [m]: its centre to the hinge
MASS = {"rod": 0.038, "slider": 0.076}
INERTIA = {"rod": (1e-5, 5.9e-4, 5.9e-4), "slider": (2.7e-6, 2.7e-6, 2.7e-6)}
GRAVITY = (0.0, -9.81, 0.0)


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def times(matrix, vector):
    return [sum(x * y for x, y in zip(row, vector)) for row in matrix]


def tilde(a):
    return [[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]]


def product(a, b):
    return [[sum(x * y for x, y in zip(row, column)) for column in zip(*b)] for row in a]


def solve(matrix, right):
    rows = [row[:] + [value] for row, value in zip(matrix, right)]
    for i in range(len(rows)):
        pivot = max(range(i, len(rows)), key=lambda k: abs(rows[k][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for k in range(i + 1, len(rows)):
            factor = rows[k][i] / rows[i][i]
            rows[k] = [x - factor * y for x, y in zip(rows[k], rows[i])]
    x = [0.0] * len(rows)
    for i in reversed(range(len(rows))):
        x[i] = (rows[i][-1] - sum(rows[i][j] * x[j] for j in range(i + 1, len(rows)))) / rows[i][i]
    return x


def accelerations(turn, spin):
    """Of the rod's centre and both spins. Unknowns: acceleration of the rod (3) and the slider (3), in space; rates of
    both spins (3, 3), in the bodies; force of the hinge on the rod (3), in space, and its torque along the rod's x and y,
    which the slider's equal turned about the hinge's axis."""
    rod, slider = turn["rod"], turn["slider"]
    arm = [HALF, 0, 0]
    matrix, right = [], []

    def row(entries, value):
        matrix.append([0.0] * 17)
        for column, entry in entries:
            matrix[-1][column] += entry
        right.append(value)

    for i in range(3):  # Newton: rod and slider
        row([(i, MASS["rod"]), (12 + i, -1)], MASS["rod"] * GRAVITY[i])
        row([(3 + i, MASS["slider"]), (12 + i, 1)], MASS["slider"] * GRAVITY[i])
    back = [list(column) for column in zip(*rod)]
    lever = product(tilde(arm), back)  # moment of the force about the rod's centre, in its frame
    to_slider = product([list(column) for column in zip(*slider)], rod)
    for i in range(3):  # Euler: rod and slider
        gyroscopic = cross(spin["rod"], [J * w for J, w in zip(INERTIA["rod"], spin["rod"])])[i]
        row([(6 + i, INERTIA["rod"][i])] + [(12 + k, -lever[i][k]) for k in range(3)] +
            ([(15 + i, -1)] if i < 2 else []), -gyroscopic)
        gyroscopic = cross(spin["slider"], [J * w for J, w in zip(INERTIA["slider"], spin["slider"])])[i]
        row([(9 + i, INERTIA["slider"][i])] + [(15 + k, to_slider[i][k]) for k in range(2)], -gyroscopic)
    offset = product(rod, tilde(arm))  # a point of the hinge: a_rod - R arm~ alpha + R w x (w x arm) = a_slider
    central = times(rod, cross(spin["rod"], cross(spin["rod"], arm)))
    for i in range(3):
        row([(i, 1), (3 + i, -1)] + [(6 + k, -offset[i][k]) for k in range(3)], -central[i])
    # Both have the spins across the hinge in common: w_rod = Q w_slider in x and y, Q = R_rod' R_slider.
    common = [list(column) for column in zip(*to_slider)]
    change = times(common, spin["slider"])
    turned = cross([a - b for a, b in zip(spin["rod"], change)], change)  # Q' = -(w_rod - Q w_slider)~ Q
    for i in range(2):
        row([(6 + i, 1)] + [(9 + k, -common[i][k]) for k in range(3)], -turned[i])
    x = solve(matrix, right)
    return x[0:3], {"rod": x[6:9], "slider": x[9:12]}


def rates(state):
    place, velocity, turn, spin = state
    acceleration, spin_rate = accelerations(turn, spin)
    return velocity, acceleration, {b: product(turn[b], tilde(spin[b])) for b in turn}, spin_rate


def moved(state, rate, dt):
    """state + dt rate, whatever it is made of."""
    if isinstance(state, dict):
        return {key: moved(state[key], rate[key], dt) for key in state}
    if isinstance(state, (list, tuple)):
        return [moved(x, y, dt) for x, y in zip(state, rate)]
    return state + dt * rate


def step(state, dt):
    k1 = rates(state)
    k2 = rates(moved(state, k1, dt / 2))
    k3 = rates(moved(state, k2, dt / 2))
    k4 = rates(moved(state, k3, dt))
    for k, weight in ((k1, 1), (k2, 2), (k3, 2), (k4, 1)):
        state = moved(state, k, weight * dt / 6)
    return state


def main():
    tilt, until = float(sys.argv[1]), float(sys.argv[2])
    unit = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
    state = [[0.306, 0.0, 0.0], [0.0, 11.475, 0.0], {"rod": unit, "slider": unit},
             {"rod": [tilt, 0.0, -75.0], "slider": [tilt, 0.0, 0.0]}]
    steps = 50
    for _ in range(steps):
        state = step(state, until / steps)
    for body in ("rod", "slider"):
        for i, axis in enumerate("xyz"):
            print(f"{until:g} {body}.w{axis} {state[3][body][i]:.15g}")
    print(f"{until:g} rod.z {state[0][2]:.15g}")


main()
