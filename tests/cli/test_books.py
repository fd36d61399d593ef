"""A cube spun on its corner, a cylinder that slides until it rolls, and a capsule laid on two supports: the momentum that a body has
gained is what the recorded impulses and its weight gave it, in every step, and where energy went adds up."""
import os

import h5py
import numpy

from terminal import FOLDER, check, finish, get, summary

G = 9.81
SCENES = {  # mass [kg], end [s], the body
    "cube": (1, 1.5, """{density: 1000, shape: {box: [0.1, 0.1, 0.1]}, position: [0, 0, 0.05*sqrt(3)],
    orientation: {axis: [1, -1, 0], angle: atan(sqrt(2))}, angular_velocity: [0, 0, 40]}
shapes: {floor: {half-space: [0, 0, 1]}}"""),
    "cylinder": (numpy.pi / 2, 1, """{density: 1000, shape: {cylinder: 0.05, length: 0.2}, position: [0, 0, 0.05],
    orientation: {axis: [1, 0, 0], angle: pi/2}, velocity: [1, 0, 0]}
shapes: {floor: {half-space: [0, 0, 1]}}"""),
    "capsule": (1000 * numpy.pi * 0.03**2 * (0.4 + 4 / 3 * 0.03), 1, """{density: 1000, shape: {capsule: 0.03, length: 0.4},
    position: [0.02, 0, 0.131], orientation: {axis: [0, 1, 0], angle: pi/2}, velocity: [0.2, 0, 0], angular_velocity: [0, 0, 0.5]}
shapes:
  left: {box: [0.05, 0.4, 0.1], position: [-0.15, 0, 0.05]}
  right: {box: [0.05, 0.4, 0.1], position: [0.15, 0, 0.05]}"""),
}


def write(name, until, body):
    path = os.path.join(FOLDER, name + ".yaml")
    with open(path, "w", encoding="utf-8") as file:
        file.write(f"""percuss: 1
space: spatial
gravity: [0, 0, -{G}]
materials: {{default: {{friction: 0.3, restitution: 0}}}}
bodies:
  body: {body}
simulate: {{scheme: moreau-jean, dt: 1e-3, until: {until}}}
""")
    return path


def unexplained(path, mass):
    """The largest part of a step's change of momentum that impulses and weight do not explain [N s]."""
    with h5py.File(path) as file:
        time, velocity = file["time"][:], file["u"][:, :3]
        offset, key, impulse = file["found/offset"][:], file["found/key"][:], file["found/P"][:]
        body = file["found/shape"]["body"].astype(str)
    sign = numpy.where(body[key[:, 0]] == "body", 1.0, -1.0)
    given = numpy.zeros((len(time), 3))
    numpy.add.at(given, numpy.repeat(numpy.arange(len(time)), numpy.diff(offset)), impulse * sign[:, None])
    given[1:, 2] -= mass * G * numpy.diff(time)
    return abs(mass * numpy.diff(velocity, axis=0) - given[1:]).max()


for name, (mass, until, body) in SCENES.items():
    model = write(name, until, body)
    for scheme in ("moreau", "moreau-jean", "direct-projection", "combined-projection", "rattle", "lobatto"):
        out = os.path.join(FOLDER, f"{name}-{scheme}.h5")
        s = summary("run", model, "--scheme", scheme, "--out", out)
        where = f"{name} under {scheme}"
        check(get(s, "status") == "done", f"{where}: {get(s, 'status')}")
        left = unexplained(out, mass)
        check(left < 1e-9, f"{where}: {left} N s of a step are not explained")
        lost = [get(s, "ledger.lost." + way) for way in ("impact", "friction", "scheme")]
        gone = get(s, "energy.initial") - get(s, "energy.final")
        check(abs(gone - sum(lost)) < 1e-11, f"{where}: {gone} J are gone, {sum(lost)} J are listed")
        if name == "cylinder":  # a third of its energy, if it rolls at two thirds of its speed
            check(abs(lost[1] - mass / 6) < 1e-10, f"{where}: friction takes {lost[1]} J")
        if name == "cube":  # it comes to rest on a face
            check(abs(get(s, "energy.final") - mass * G * 0.05) < 2e-3, f"{where}: {get(s, 'energy.final')} J at the end")
finish()
