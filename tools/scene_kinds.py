"""The kinds of scenes that tools/random-scenes draws from.

A kind is a function of a random generator and of whether the scheme takes friction. It returns the dimension of space and
the sections of a model file, each a list of lines; gravity and `simulate` are added by the caller. What moves is held or caught
at heights where its potential energy is not negative, so that no more than the initial energy and the work of drives is
available."""
import math

def law(r, friction=True):
    """Restitution 0, 1 or between; friction from none to far more than any material has."""
    e = r.choice([0, 0, 1, r.random(), r.random()])
    text = f"restitution: {e:.4g}"
    if friction and r.random() < 0.75:
        text += f", friction: {r.choice([0.1, r.random(), 3 * r.random()]):.4g}"
    return text


def vector(r, size, scale):
    return "[" + ", ".join(f"{scale * r.uniform(-1, 1):.4g}" for _ in range(size)) + "]"


def floor(size, normal=None):
    up = [0] * (size - 1) + [1]
    return f"{{point: {[0] * size}, normal: {normal or up}}}"


def discs(r, friction):
    """Discs that fall on a floor between walls and on each other."""
    count, both = r.randint(1, 5), law(r, friction)
    bodies, contacts, radii = [], [], []
    for i in range(count):
        radius, mass = r.uniform(0.03, 0.15), 10 ** r.uniform(-1, 1)
        radii.append(radius)
        bodies.append(f"  d{i}: {{mass: {mass:.4g}, inertia: {mass * radius ** 2 / 2:.4g}, position: "
                      f"[{r.uniform(-0.3, 0.3):.4g}, {0.2 + 0.35 * i:.4g}], velocity: {vector(r, 2, 2)}, "
                      f"spin: {r.uniform(-20, 20):.4g}}}")
        for name, at, n in (("floor", [0, 0], [0, 1]), ("left", [-0.5, 0], [1, 0]), ("right", [0.5, 0], [-1, 0])):
            contacts.append(f"  {name}{i}: {{disc: d{i}, radius: {radius:.4g}, plane: {{point: {at}, "
                            f"normal: {n}}}, {both}}}")
        for k in range(i):
            contacts.append(f"  pair{k}-{i}: {{disc: d{k}, radius: {radii[k]:.4g}, other: d{i}, "
                            f"other_radius: {radius:.4g}, {both}}}")
    return 2, {"bodies": bodies, "contacts": contacts}


def chain(r, friction):
    """Hinged rods whose ends meet a floor, free or hung up."""
    count, both, hung = r.randint(1, 4), law(r, friction), r.random() < 0.3
    x, y, angle, bodies, joints, contacts = 0.0, r.uniform(0.3, 1.5), r.uniform(-3, 3), [], [], []
    y += count * 0.5
    for i in range(count):
        length, mass = r.uniform(0.2, 0.5), 10 ** r.uniform(-1, 0.5)
        angle += r.uniform(-1, 1)
        dx, dy = length / 2 * math.cos(angle), length / 2 * math.sin(angle)
        bodies.append(f"  r{i}: {{mass: {mass:.4g}, inertia: {mass * length ** 2 / 12:.4g}, position: "
                      f"[{x + dx:.17g}, {y + dy:.17g}], angle: {angle:.17g}}}")
        if i or hung:
            joints.append(f"  h{i}: {{revolute: {{bodies: [{f'r{i - 1}' if i else 'ground'}, r{i}], "
                          f"at: [{x:.17g}, {y:.17g}]}}}}")
        for name, side in (("a", -1), ("b", 1)):
            contacts.append(f"  {name}{i}: {{point: [r{i}, [{side * length / 2:.17g}, 0]], "
                            f"plane: {floor(2)}, {both}}}")
        x, y = x + 2 * dx, y + 2 * dy
    return 2, {"bodies": bodies, "joints": joints, "contacts": contacts}


def points(r, friction):
    """Point masses in a wedge of two planes, in the plane or in space."""
    size, count = r.choice([2, 3]), r.randint(1, 4)
    bodies, contacts = [], []
    for i in range(count):
        position = [r.uniform(-0.3, 0.3) for _ in range(size - 1)] + [r.uniform(0.7, 2)]
        bodies.append(f"  p{i}: {{kind: point, mass: {10 ** r.uniform(-1, 1):.4g}, position: "
                      f"{[round(v, 4) for v in position]}, velocity: {vector(r, size, 3)}}}")
        for side in (-1, 1):
            normal = [side * r.uniform(0.1, 1)] + [0] * (size - 2) + [1]
            contacts.append(f"  w{i}{'a' if side < 0 else 'b'}: {{point: p{i}, plane: "
                            f"{floor(size, [round(v, 4) for v in normal])}, {law(r, friction)}}}")
    return size, {"bodies": bodies, "contacts": contacts}


def box(r, friction):
    """A rectangle whose corners meet a floor and a wall."""
    a, b, mass, both = r.uniform(0.05, 0.4), r.uniform(0.05, 0.4), 10 ** r.uniform(-1, 1), law(r, friction)
    bodies = [f"  box: {{mass: {mass:.4g}, inertia: {mass * (a * a + b * b) / 3:.4g}, position: "
              f"[0, {r.uniform(0.6, 1.5):.4g}], angle: {r.uniform(-3, 3):.4g}, velocity: {vector(r, 2, 3)}, "
              f"spin: {r.uniform(-10, 10):.4g}}}"]
    contacts = []
    for i, (x, y) in enumerate(((a, b), (-a, b), (-a, -b), (a, -b))):
        contacts.append(f"  f{i}: {{point: [box, [{x:.4g}, {y:.4g}]], plane: {floor(2)}, {both}}}")
        contacts.append(f"  w{i}: {{point: [box, [{x:.4g}, {y:.4g}]], plane: {{point: [-1.2, 0], "
                        f"normal: [1, 0]}}, {both}}}")
    return 2, {"bodies": bodies, "contacts": contacts}


def ellipsoid(r, friction):
    a = sorted((r.uniform(0.05, 0.4) for _ in range(3)), reverse=True)
    m = 10 ** r.uniform(-1, 1)
    inertia = [m / 5 * (a[1] ** 2 + a[2] ** 2), m / 5 * (a[0] ** 2 + a[2] ** 2), m / 5 * (a[0] ** 2 + a[1] ** 2)]
    q = [r.gauss(0, 1) for _ in range(4)]
    bodies = [f"  e: {{mass: {m:.4g}, inertia: [{', '.join(f'{v:.4g}' for v in inertia)}], position: "
              f"[0, 0, {r.uniform(0.45, 1):.4g}], orientation: [{', '.join(f'{v:.4g}' for v in q)}], "
              f"velocity: {vector(r, 3, 2)}, angular_velocity: {vector(r, 3, 20)}}}"]
    contacts = [f"  c: {{ellipsoid: e, semi_axes: [{', '.join(f'{v:.4g}' for v in a)}], plane: {floor(3)}, "
                f"{law(r, friction)}}}"]
    return 3, {"bodies": bodies, "contacts": contacts}


def spheres(r, friction):
    count, both = r.randint(1, 4), law(r, friction)
    bodies, contacts, radii = [], [], []
    for i in range(count):
        radius, mass = r.uniform(0.03, 0.15), 10 ** r.uniform(-1, 1)
        radii.append(radius)
        inertia = mass * radius ** 2 * 0.4
        bodies.append(f"  s{i}: {{mass: {mass:.4g}, inertia: [{inertia:.4g}, {inertia:.4g}, {inertia:.4g}], "
                      f"position: [{r.uniform(-0.1, 0.1):.4g}, {r.uniform(-0.1, 0.1):.4g}, {0.2 + 0.35 * i:.4g}], "
                      f"velocity: {vector(r, 3, 1)}, angular_velocity: {vector(r, 3, 20)}}}")
        contacts.append(f"  f{i}: {{sphere: s{i}, radius: {radius:.4g}, plane: {floor(3)}, {both}}}")
        for k in range(i):
            contacts.append(f"  t{k}-{i}: {{sphere: s{k}, radius: {radii[k]:.4g}, other: s{i}, "
                            f"other_radius: {radius:.4g}, {both}}}")
    return 3, {"bodies": bodies, "contacts": contacts}


def material(r, friction):
    return {"materials": [f"  default: {{{law(r, friction)}}}"]}


def found_planar(r, friction, shape):
    """Bodies with shapes that fall between walls."""
    bodies = []
    for i in range(r.randint(1, 6)):
        bodies.append(f"  b{i}: {{density: {10 ** r.uniform(2, 3.5):.4g}, shape: {shape(r)}, position: "
                      f"[{r.uniform(-0.3, 0.3):.4g}, {0.25 + 0.4 * i:.4g}], angle: {r.uniform(-3, 3):.4g}, "
                      f"velocity: {vector(r, 2, 2)}, spin: {r.uniform(-10, 10):.4g}}}")
    shapes = ["  floor: {half-plane: [0, 1]}", "  left: {half-plane: [1, 0], point: [-0.6, 0]}",
              "  right: {half-plane: [-1, 0], point: [0.6, 0]}"]
    return 2, {**material(r, friction), "bodies": bodies, "shapes": shapes}


def found_discs(r, friction):
    return found_planar(r, friction, lambda r: f"{{disc: {r.uniform(0.03, 0.15):.4g}}}")


def found_boxes(r, friction):
    return found_planar(r, friction, lambda r: f"{{box: [{r.uniform(0.05, 0.25):.4g}, {r.uniform(0.05, 0.25):.4g}]}}")


def found_capsules(r, friction):
    return found_planar(r, friction,
                        lambda r: f"{{capsule: {r.uniform(0.02, 0.06):.4g}, length: {r.uniform(0.05, 0.2):.4g}}}")


def found_polygons(r, friction):
    def polygon(r):
        n, size = r.randint(3, 7), r.uniform(0.05, 0.15)
        angles = sorted((k + r.uniform(-0.3, 0.3)) * 2 * math.pi / n for k in range(n))
        return "{polygon: [" + ", ".join(f"[{size * math.cos(a):.4g}, {size * math.sin(a):.4g}]" for a in angles) + "]}"
    return found_planar(r, friction, polygon)


def found_polyline(r, friction):
    """Discs on a ground with corners."""
    size, sections = found_discs(r, friction)
    heights = [r.uniform(0, 0.15) for _ in range(6)]
    corners = ", ".join(f"[{-0.75 + 0.3 * k:.4g}, {h:.4g}]" for k, h in enumerate(heights))  # free space is on the left
    sections["shapes"][0] = f"  floor: {{polyline: [{corners}]}}"
    sections["shapes"].append("  below: {half-plane: [0, 1]}")
    return size, sections


def found_spatial(r, friction, shape):
    bodies = []
    for i in range(r.randint(1, 4)):
        q = [r.gauss(0, 1) for _ in range(4)]
        bodies.append(f"  b{i}: {{density: {10 ** r.uniform(2, 3.5):.4g}, shape: {shape(r)}, position: "
                      f"[{r.uniform(-0.1, 0.1):.4g}, {r.uniform(-0.1, 0.1):.4g}, {0.25 + 0.4 * i:.4g}], orientation: "
                      f"[{', '.join(f'{v:.4g}' for v in q)}], velocity: {vector(r, 3, 1)}, "
                      f"angular_velocity: {vector(r, 3, 10)}}}")
    return 3, {**material(r, friction), "bodies": bodies, "shapes": ["  floor: {half-space: [0, 0, 1]}"]}


def found_spheres(r, friction):
    return found_spatial(r, friction, lambda r: f"{{sphere: {r.uniform(0.03, 0.15):.4g}}}")


def found_bricks(r, friction):
    return found_spatial(r, friction, lambda r: "{box: [" + ", ".join(f"{r.uniform(0.05, 0.2):.4g}" for _ in range(3)) + "]}")


def found_round(r, friction):
    """Capsules, cylinders and ellipsoids."""
    def shape(r):
        length, radius = r.uniform(0.05, 0.15), r.uniform(0.03, 0.1)
        return r.choice([f"{{capsule: {radius:.4g}, length: {length:.4g}}}", f"{{cylinder: {radius:.4g}, length: {length:.4g}}}",
                         f"{{ellipsoid: [{radius:.4g}, {length:.4g}, {r.uniform(0.03, 0.1):.4g}]}}"])
    return found_spatial(r, friction, shape)


def hanging_chain(r, friction):
    """Rods on pins, with friction or stops in some of them."""
    count, x, y, angle = r.randint(1, 5), 0.0, 3.0, r.uniform(-3, 3)
    bodies, joints, limits = [], [], []
    for i in range(count):
        length, mass = r.uniform(0.2, 0.5), 10 ** r.uniform(-1, 0.5)
        angle += r.uniform(-1, 1)
        dx, dy = length / 2 * math.cos(angle), length / 2 * math.sin(angle)
        bodies.append(f"  r{i}: {{mass: {mass:.4g}, inertia: {mass * length ** 2 / 12:.4g}, position: "
                      f"[{x + dx:.17g}, {y + dy:.17g}], angle: {angle:.17g}}}")
        joints.append(f"  h{i}: {{revolute: {{bodies: [{f'r{i - 1}' if i else 'ground'}, r{i}], at: [{x:.17g}, {y:.17g}]}}}}")
        if r.random() < 0.5:
            limits.append(f"  s{i}: {{joint: h{i}, min: {-r.uniform(0.2, 2):.4g}, max: {r.uniform(0.2, 2):.4g}, "
                          f"restitution: {r.choice([0, r.random()]):.4g}}}")
        x, y = x + 2 * dx, y + 2 * dy
    forces = [f"  drag: {{joint-friction: {{joint: h0, bound: {10 ** r.uniform(-2, 1):.4g}}}}}"] if friction and r.random() < 0.4 else []
    return 2, {"bodies": bodies, "joints": joints, "limits": limits, "forces": forces}


def spatial_chain(r, friction):
    """Rods on ball, universal and revolute joints."""
    bodies, joints, z = [], [], 3.0
    for i in range(r.randint(1, 4)):
        length, mass = r.uniform(0.2, 0.5), 10 ** r.uniform(-1, 0.5)
        inertia = mass * length ** 2 / 12
        bodies.append(f"  r{i}: {{mass: {mass:.4g}, inertia: [{inertia:.4g}, {inertia:.4g}, {inertia / 20:.4g}], position: "
                      f"[0, 0, {z - length / 2:.17g}]}}")
        axis, other = r.choice([("[1, 0, 0]", "[0, 1, 0]"), ("[0, 1, 0]", "[1, 0, 0]")])
        pair = f"bodies: [{f'r{i - 1}' if i else 'ground'}, r{i}], at: [0, 0, {z:.17g}]"
        joints.append(f"  j{i}: " + r.choice([f"{{spherical: {{{pair}}}}}", f"{{revolute: {{{pair}, axis: {axis}}}}}",
                                              f"{{universal: {{{pair}, axis: {axis}, second_axis: {other}}}}}"]))
        z -= length
    forces = [f"  push: {{force: {{point: r0, value: [{r.uniform(-20, 20):.4g}*step(0.1 - t), {r.uniform(-20, 20):.4g}*step(0.1 - t), 0]}}}}"]
    return 3, {"bodies": bodies, "joints": joints, "forces": forces}


def four_bar(r, friction):
    """A closed loop, driven by a motor or left to fall; a stop, friction in a pin."""
    crank, rocker, base = r.uniform(0.1, 0.25), r.uniform(0.25, 0.5), r.uniform(0.4, 0.6)
    y = 2.0
    a, b = (0.0, y + crank), (base, y + rocker)
    rod, tilt = math.hypot(b[0] - a[0], b[1] - a[1]), math.atan2(b[1] - a[1], b[0] - a[0])
    bodies = [f"  crank: {{mass: {10 ** r.uniform(-1, 0.5):.4g}, inertia: 2e-3, position: [0, {y + crank / 2:.17g}]}}",
              f"  rod: {{mass: {10 ** r.uniform(-1, 0.5):.4g}, inertia: {0.1 * rod ** 2:.4g}, position: "
              f"[{base / 2:.17g}, {(a[1] + b[1]) / 2:.17g}], angle: {tilt:.17g}}}",
              f"  rocker: {{mass: {10 ** r.uniform(-1, 0.5):.4g}, inertia: 0.01, position: [{base:.17g}, {y + rocker / 2:.17g}]}}"]
    joints = [f"  base: {{revolute: {{bodies: [ground, crank], at: [0, {y}]}}}}",
              f"  pin1: {{revolute: {{bodies: [crank, rod], at: [{a[0]:.17g}, {a[1]:.17g}]}}}}",
              f"  pin2: {{revolute: {{bodies: [rod, rocker], at: [{b[0]:.17g}, {b[1]:.17g}]}}}}",
              f"  pivot: {{revolute: {{bodies: [ground, rocker], at: [{base:.17g}, {y}]}}}}"]
    sections = {"bodies": bodies, "joints": joints}
    drive = r.random()
    if drive < 0.3:
        sections["drives"] = [f"  motor: {{joint: base, torque: \"{r.uniform(1, 40):.4g}*(1 - base.angle) - {r.uniform(0, 4):.4g}*base.rate\"}}"]
    elif drive < 0.5:
        sections["drives"] = [f"  motor: {{joint: base, angle: \"{r.uniform(0.1, 0.5):.4g}*(1 - cos({r.uniform(1, 8):.4g}*t))\"}}"]
    if friction and r.random() < 0.5:
        sections["forces"] = [f"  drag: {{joint-friction: {{joint: pivot, bound: {r.uniform(0.1, 2):.4g}}}}}"]
    if r.random() < 0.5:
        sections["limits"] = [f"  stop: {{joint: pivot, max: {r.uniform(0.1, 0.6):.4g}, restitution: {r.random():.4g}}}"]
    return 2, sections


def table_drive(r, friction):
    """A sledge on a rail, pushed by a force from a table, against stops."""
    rows = ", ".join(f"[{k * 0.2:.4g}, {r.uniform(-10, 10):.4g}]" for k in range(8))
    sections = {"tables": [f"  force: [{rows}]"],
                "bodies": [f"  sledge: {{mass: {10 ** r.uniform(-1, 1):.4g}, inertia: 1, position: [0, 1], velocity: [{r.uniform(0.5, 2):.4g}, 0]}}"],
                "joints": ["  rail: {prismatic: {bodies: [ground, sledge], axis: [1, 0]}}"],
                "drives": ["  push: {joint: rail, force: \"table(t, force)\"}"],
                "limits": [f"  stops: {{joint: rail, min: -0.3, max: 0.3, restitution: {r.choice([0, 1, r.random()]):.4g}}}"]}
    if friction and r.random() < 0.5:
        sections["forces"] = [f"  drag: {{joint-friction: {{joint: rail, bound: {r.uniform(0.1, 5):.4g}}}}}"]
    return 2, sections


def springs(r, friction):
    """Point masses on springs and dampers that fall on a floor."""
    count, both, bodies, contacts, forces = r.randint(2, 5), law(r, friction), [], [], []
    at = [(r.uniform(-0.5, 0.5), r.uniform(0.3, 1.2)) for _ in range(count)]
    for i, (x, y) in enumerate(at):
        bodies.append(f"  p{i}: {{kind: point, mass: {10 ** r.uniform(-1, 1):.4g}, position: [{x:.17g}, {y:.17g}], velocity: {vector(r, 2, 1)}}}")
        contacts.append(f"  f{i}: {{point: p{i}, plane: {floor(2)}, {both}}}")
        for k in range(i):
            length = math.dist(at[i], at[k])
            forces.append(f"  s{k}-{i}: {{spring: {{points: [p{k}, p{i}], stiffness: {10 ** r.uniform(0, 4):.4g}, "
                          f"damping: {r.choice([0, 10 ** r.uniform(-2, 1)]):.4g}, length: {length:.17g}}}}}")
    return 2, {"bodies": bodies, "forces": forces, "contacts": contacts}


def beam(r, friction):
    """An elastic beam that falls on a floor with its ends."""
    angle, both = r.uniform(-1.5, 1.5), law(r, friction)
    x, y, height = math.cos(angle), math.sin(angle), r.uniform(1.1, 1.5)
    bodies = [f"  beam: {{kind: beam, elements: {r.randint(1, 6)}, root: [0, {height:.4g}], tip: [{x:.17g}, {height + y:.17g}], "
              f"area: 1e-4, inertia: 8e-10, density: {r.uniform(1000, 8000):.4g}, modulus: {10 ** r.uniform(6, 10):.4g}, "
              f"damping: {r.choice([0, 1e-3]):.4g}, velocity: {vector(r, 2, 1)}}}"]
    contacts = [f"  {end}: {{point: beam.{end}, plane: {floor(2)}, {both}}}" for end in ("root", "tip")]
    return 2, {"bodies": bodies, "contacts": contacts}


def formula_pendulum(r, friction):
    """Two pendulums in angles, with stops."""
    m = [10 ** r.uniform(-1, 1) for _ in range(2)]
    l = [r.uniform(0.2, 1) for _ in range(2)]
    e = r.choice([0, 1, r.random()])
    g = f"9.81*({m[0] + m[1]:.4g}*{l[0]:.4g}*(1 - cos(a)) + {m[1]:.4g}*{l[1]:.4g}*(1 - cos(b)))"
    kinetic = (f"{(m[0] + m[1]) / 2 * l[0] ** 2:.6g}*a'^2 + {m[1] / 2 * l[1] ** 2:.6g}*b'^2 + "
               f"{m[1] * l[0] * l[1]:.6g}*cos(a - b)*a'*b'")
    return 0, {"coordinates": [f"  a: {{value: {r.uniform(-2, 2):.4g}, velocity: {r.uniform(-3, 3):.4g}}}",
                               f"  b: {{value: {r.uniform(-2, 2):.4g}, velocity: {r.uniform(-3, 3):.4g}}}"],
               "kinetic": kinetic, "potential": g,
               "contacts": [f"  low: {{gap: a + {r.uniform(2.1, 3):.4g}, restitution: {e:.4g}}}",
                            f"  high: {{gap: {r.uniform(2.1, 3):.4g} - a, restitution: {e:.4g}}}"]}


def formula_oscillator(r, friction):
    """Masses in a row on springs between walls, by formulas."""
    k, d = 10 ** r.uniform(0, 4), r.choice([0, 10 ** r.uniform(-2, 1)])
    e = r.choice([0, 1, r.random()])
    sections = {"coordinates": [f"  x: {{value: 0.1, velocity: {r.uniform(-2, 2):.4g}}}", f"  y: {{value: 0.3, velocity: {r.uniform(-2, 2):.4g}}}"],
                "kinetic": f"{10 ** r.uniform(-1, 1):.4g}*x'^2 + {10 ** r.uniform(-1, 1):.4g}*y'^2",
                "potential": f"{k:.4g}*(y - x - 0.2)^2",
                "forces": [f"  x: -{d:.4g}*x'"],
                "contacts": [f"  left: {{gap: x, restitution: {e:.4g}}}", f"  middle: {{gap: y - x - 0.05, restitution: {e:.4g}}}",
                             f"  right: {{gap: 0.5 - y, restitution: {e:.4g}}}"]}
    return 0, sections


def clearance(r, friction):
    """A slider-crank with play in its crank pin and its guide."""
    play, both, pin = 10 ** r.uniform(-4.5, -2.5), law(r, friction), law(r, friction)
    w, y = r.uniform(5, 100), 1.0
    l1, l2 = 0.153, 0.306
    bodies = [f"  crank: {{mass: 0.038, inertia: 7.4e-5, position: [{l1 / 2}, {y}], velocity: [0, {w * l1 / 2:.17g}], spin: {w:.17g}}}",
              f"  rod: {{mass: 0.038, inertia: 5.9e-4, position: [{l1 + l2 / 2}, {y}], velocity: [0, {w * l1 / 2:.17g}], spin: {-w * l1 / l2:.17g}}}",
              f"  slider: {{mass: 0.076, inertia: 2.7e-6, position: [{l1 + l2}, {y}]}}"]
    joints = [f"  base: {{revolute: {{bodies: [ground, crank], at: [0, {y}]}}}}",
              f"  wrist: {{revolute: {{bodies: [rod, slider], at: [{l1 + l2}, {y}]}}}}"]
    contacts = [f"  pin: {{disc: [rod, [{-l2 / 2}, 0]], radius: {0.01 - play:.6g}, other: [crank, [{l1 / 2}, 0]], other_radius: 0.01, "
                f"inside: true, {pin}}}"]
    for i, (x, side) in enumerate(((-0.05, 1), (0.05, 1), (-0.05, -1), (0.05, -1))):
        contacts.append(f"  corner{i}: {{point: [slider, [{x}, {0.025 * side}]], plane: {{point: [0, {y + 0.026 * side}], "
                        f"normal: [0, {-side}]}}, {both}}}")
    return 2, {"bodies": bodies, "joints": joints, "contacts": contacts}


def gears(r, friction):
    """Two wheels coupled by teeth, a rack, a spring."""
    sections = {"bodies": [f"  w{i}: {{mass: 1, inertia: {10 ** r.uniform(-2, 0):.4g}, position: [{i}, 1], spin: {[1, -1][i] * 6 / [2, 3][i]:.17g}}}" for i in range(2)],
                "joints": [f"  a{i}: {{revolute: {{bodies: [ground, w{i}], at: [{i}, 1]}}}}" for i in range(2)]
                + ["  mesh: {gear: {joints: [a0, a1], teeth: [20, 30]}}"],
                "forces": [f"  back: {{rotational-spring: {{bodies: [ground, w0], stiffness: {10 ** r.uniform(-1, 2):.4g}, damping: {r.random():.4g}}}}}"],
                "limits": [f"  stop: {{joint: a1, min: {-r.uniform(0.2, 2):.4g}, restitution: {r.random():.4g}}}"]}
    return 2, sections


def rolling(r, friction):
    """A disc that rolls, with a pendulum on its axle."""
    radius, v, mass = r.uniform(0.1, 0.4), r.uniform(-2, 2), 10 ** r.uniform(-1, 1)
    l = r.uniform(0.2, 1)
    bodies = [f"  disc: {{mass: {mass:.4g}, inertia: {mass * radius ** 2 / 2:.4g}, position: [0, {radius:.17g}], velocity: [{v:.17g}, 0], spin: {-v / radius:.17g}}}",
              f"  bob: {{mass: {10 ** r.uniform(-1, 0):.4g}, inertia: 1e-3, position: [0, {radius + l:.17g}], velocity: [{v:.17g}, 0]}}"]
    joints = [f"  roll: {{rolling: {{disc: disc, radius: {radius:.17g}, plane: {floor(2)}}}}}",
              f"  pin: {{revolute: {{bodies: [disc, bob], at: [0, {radius:.17g}]}}}}"]
    return 2, {"bodies": bodies, "joints": joints}


def vibrating_floor(r, friction):
    """A ball above a floor that moves by a law of time: work that the ledger knows."""
    A, w = 10 ** r.uniform(-3, -1), r.uniform(5, 60)
    return 0, {"coordinates": [f"  y: {{value: {r.uniform(0.2, 1):.4g}, velocity: 0}}"], "kinetic": "y'^2/2", "potential": "9.81*y",
               "contacts": [f"  table: {{gap: \"y - {A:.4g}*sin({w:.4g}*t) + {A:.4g}\", restitution: {r.choice([0, r.random()]):.4g}}}"]}


KINDS = [discs, chain, points, box, ellipsoid, spheres, found_discs, found_boxes, found_capsules, found_polygons, found_polyline,
         found_spheres, found_bricks, found_round, hanging_chain, spatial_chain, four_bar, table_drive, springs, beam,
         formula_pendulum, formula_oscillator, clearance, gears, rolling, vibrating_floor]
