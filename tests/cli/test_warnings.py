"""Warnings and doubts of a run: said where they are due, and only there."""
import json
import unittest

from program import DONE, FAILED, ProgramTest, percuss

# Mechanisms as people build them; nothing is wrong with any of them.
MECHANISMS = {
    "a wall that moves": """
coordinates: {x: 1}
kinetic: x'^2/2
contacts: {wall: {gap: x - t, restitution: 0.5}}
simulate: {scheme: moreau-jean, dt: 0.01, until: 2}
""",
    "Geneva wheel: the pin enters its slot": """
parameters: {a: 0.1, w: 3}
bodies:
  driver: {mass: 0.5, inertia: 2e-3, spin: w}
  wheel: {mass: 0.5, inertia: 2e-3, position: [2*a, 0]}
joints:
  axle: {revolute: {bodies: [ground, driver], at: [0, 0]}}
  shaft: {revolute: {bodies: [ground, wheel], at: [2*a, 0]}}
drives: {motor: {joint: axle, rate: w}}
contacts:
  upper: {point: [driver, [a, 0]], plane: {part: wheel, point: [0, 0.005], normal: [0, -1]}}
  lower: {point: [driver, [a, 0]], plane: {part: wheel, point: [0, -0.005], normal: [0, 1]}}
simulate: {scheme: rattle, dt: 1e-3, until: 0.2}
""",
    "cradle with gaps": """
space: line
bodies:
  a: {kind: point, mass: 1, position: [0], velocity: [1]}
  b: {kind: point, mass: 1, position: [0.1]}
  c: {kind: point, mass: 1, position: [0.2]}
forces: {hold: {spring: {points: [[ground, [0]], [c, [0]]], stiffness: 10, length: 0.2}}}
contacts:
  ab: {gap: b.x - a.x - 0.05, restitution: 1}
  bc: {gap: c.x - b.x - 0.05, restitution: 1}
simulate: {scheme: moreau-jean, dt: 1e-3, until: 1}
""",
    "rimless wheel": """
parameters: {l: 0.5, slope: 0.1}
gravity: [9.81*sin(slope), -9.81*cos(slope)]
bodies:
  wheel: {mass: 1, inertia: 0.1, position: [0, l*cos(pi/8)], angle: pi/8, velocity: [0.9*l*cos(pi/8), 0], spin: -0.9}
contacts:
  s0: {point: [wheel, [l*sin(0), -l*cos(0)]], plane: {point: [0, 0], normal: [0, 1]}, friction: 1}
  s1: {point: [wheel, [l*sin(pi/4), -l*cos(pi/4)]], plane: {point: [0, 0], normal: [0, 1]}, friction: 1}
  s7: {point: [wheel, [l*sin(-pi/4), -l*cos(-pi/4)]], plane: {point: [0, 0], normal: [0, 1]}, friction: 1}
simulate: {scheme: moreau-jean, dt: 1e-3, until: 0.5}
""",
    "cam that throws its follower": """
parameters: {w: 20, e: 0.01}
coordinates: {y: {value: e}}
kinetic: y'^2/2
potential: 9.81*y
contacts: {cam: {gap: y - e*cos(w*t), restitution: 0.3}}
simulate: {scheme: rattle, dt: 1e-4, until: 1}
""",
    "belt that drags a block": """
gravity: [0, -9.81]
bodies: {block: {kind: point, mass: 1, position: [0, 0]}}
forces: {hold: {spring: {points: [[ground, [0, 0]], block], stiffness: 100, length: 0}}}
contacts: {belt: {gap: block.y, slip: block.vx - 0.5, friction: 0.3}}
simulate: {scheme: moreau-jean, dt: 1e-3, until: 1}
""",
    "gripper": """
gravity: [0, -9.81]
bodies:
  part: {mass: 0.2, inertia: 1e-4, position: [0, 0]}
  left: {mass: 0.3, inertia: 1e-4, position: [-0.04, 0]}
  right: {mass: 0.3, inertia: 1e-4, position: [0.04, 0]}
joints:
  rail1: {prismatic: {bodies: [ground, left], at: [-0.04, 0], axis: [1, 0]}}
  rail2: {prismatic: {bodies: [ground, right], at: [0.04, 0], axis: [1, 0]}}
forces:
  push1: {force: {point: left, value: [5, 0]}}
  push2: {force: {point: right, value: [-5, 0]}}
contacts:
  grip1: {disc: part, radius: 0.03, plane: {part: left, point: [0.01, 0], normal: [1, 0]}, friction: 0.5}
  grip2: {disc: part, radius: 0.03, plane: {part: right, point: [-0.01, 0], normal: [-1, 0]}, friction: 0.5}
simulate: {scheme: moreau-jean, dt: 1e-3, until: 0.5}
""",
    "hopper": """
gravity: [0, -9.81]
bodies:
  foot: {kind: point, mass: 0.1, position: [0, 0.2]}
  body: {kind: point, mass: 1, position: [0, 0.7]}
forces: {leg: {spring: {points: [foot, body], stiffness: 500, damping: 2, length: 0.5}}}
contacts: {floor: {point: foot, plane: {point: [0, 0], normal: [0, 1]}, friction: 0.6}}
simulate: {scheme: moreau-jean, dt: 1e-3, until: 1}
""",
    "gear that is braked": """
bodies:
  a: {mass: 1, inertia: 0.01, spin: 10}
forces: {brake: {torque: {body: a, value: "-0.02*a.spin"}}}
joints: {axle: {revolute: {bodies: [ground, a], at: [0, 0]}}}
simulate: {scheme: generalized-alpha, dt: 0.01, until: 1}
""",
    "stop that holds a driven rod": """
gravity: [0, -9.81]
bodies: {rod: {mass: 1, inertia: 0.03, position: [0.3, 0]}}
joints: {pin: {revolute: {bodies: [ground, rod], at: [0, 0]}}}
contacts: {stop: {point: [rod, [0.3, 0]], plane: {point: [0, -0.2], normal: [0, 1]}, restitution: 0.4}}
simulate: {scheme: combined-projection, dt: 1e-3, until: 1}
""",
    "Hertz' contact": """
gravity: [0, -9.81]
bodies: {ball: {mass: 1, inertia: 0.004, position: [0, 0.12]}}
contacts:
  floor: {disc: ball, radius: 0.1, plane: {point: [0, 0], normal: [0, 1]}, compliance: {stiffness: 1e7, exponent: 1.5}}
simulate: {scheme: moreau-jean, dt: 1e-4, until: 0.3}
""",
}

# Models of percuss of such kinds, and how long they run here [s].
SHIPPED = {"cam-follower": 0.1, "geneva-wheel": 0.2, "newtons-cradle": 0.2, "woodpecker": 0.02, "rattleback": 0.1,
           "tippe-top": 0.05, "vibrating-table": 0.5, "gear-rattle": 0.05, "gripper": 0.2, "painleve-rod": 0.1,
           "four-bar-clearance": 0.05, "flyball-governor": 0.2, "rolling-disc": 0.2, "contensou-puck": 0.05,
           "dominoes": 0.05}

ELLIPSOID = """percuss: 1
space: spatial
gravity: [0, 0, -9.81]
bodies:
  b: {mass: 1, inertia: [0.0114, 0.0206, 0.0292], position: [0, 0, 0.45], orientation: [-1.9, 1.28, -0.1, -0.31],
      angular_velocity: [-13.3, 8.4, -15.4]}
contacts:
  c: {ellipsoid: b, semi_axes: [0.31, 0.22, 0.084], plane: {point: [0, 0, 0], normal: [0, 0, 1]}, friction: 0.11,
      restitution: 1}
simulate: {scheme: moreau, dt: 0.0435, until: 0.5}
"""

# A joint that is there twice, and a spring that vibrates several thousand times in a step.
COARSE = """percuss: 1
bodies: {rod: {mass: 1, inertia: 0.01, position: [0.5, 0]}}
joints:
  pin: {revolute: {bodies: [ground, rod], at: [0, 0]}}
  again: {revolute: {bodies: [ground, rod], at: [0, 0]}}
forces: {s: {spring: {points: [[ground, [1, 1]], rod], stiffness: 1e6, length: 0.1}}}
simulate: {scheme: moreau-jean, dt: 0.5, until: 5}
"""

LOOSE = """percuss: 1
gravity: [0, -9.81]
bodies: {rod: {mass: 1, inertia: 0.01, position: [0.5, 0], velocity: [1, 0]}}
joints: {pin: {revolute: {bodies: [ground, rod], at: [0, 0]}}}
simulate: {scheme: moreau-jean, dt: 1e-3, until: 0.1}
"""


class Warnings(ProgramTest):
    def write(self, text):
        path = self.here / "model.yaml"
        path.write_text(text)
        return path

    def test_nothing_is_said_where_nothing_is_wrong(self):
        for name, text in MECHANISMS.items():
            with self.subTest(name):
                path = self.write("percuss: 1\n" + text)
                done = percuss("run", path, "--json", "--quiet")
                self.assertEqual((done.returncode, done.stderr), (DONE, ""))
                summary = json.loads(done.stdout)
                self.assertEqual((summary["status"], summary["warnings"]), ("done", []))
                said = percuss("check", path).stdout
                for false in ("nothing will move", "remove the contact", "flies freely"):
                    self.assertNotIn(false, said)

    def test_nothing_is_said_of_models_of_percuss(self):
        for name, until in SHIPPED.items():
            with self.subTest(name):
                done = percuss("run", name, "--until", until, "--json", "--quiet")
                self.assertEqual((done.returncode, done.stderr), (DONE, ""))
                summary = json.loads(done.stdout)
                self.assertEqual((summary["status"], summary["warnings"]), ("done", []))

    def test_redundant_joints_and_a_step_that_is_far_too_long(self):
        done = percuss("run", self.write(COARSE), "--json")
        warnings = json.loads(done.stdout)["warnings"]
        for text in ("times what is suggested (vibration)", "joint 'again' is redundant"):
            self.assertEqual(sum(text in warning for warning in warnings), 1, text)
            self.assertIn(text, done.stderr)

    def test_a_doubtful_run_says_why(self):
        path = self.write(ELLIPSOID)
        done = percuss("run", path, "--json")
        summary = json.loads(done.stdout)
        self.assertEqual((done.returncode, summary["status"]), (DONE, "doubtful"))
        self.assertTrue(any("energy rises without work" in w for w in summary["warnings"]))
        self.assertIn("energy rises without work", done.stderr)
        text = percuss("run", path).stdout
        self.assertIn("\ndoubtful: moreau", text)
        self.assertIn("warning   energy rises without work", text)
        self.assertLessEqual(len(text.splitlines()), 25)

    def test_strict(self):
        self.assertEqual(percuss("run", self.write(ELLIPSOID), "--strict").returncode, FAILED)
        self.assertEqual(percuss("run", "pendulum", "--strict", "--until", 0.1).returncode, DONE)

    def test_what_check_would_say_about_the_start(self):
        done = percuss("run", self.write(LOOSE), "--json")
        summary = json.loads(done.stdout)
        self.assertEqual((done.returncode, summary["status"], len(summary["warnings"])), (DONE, "done", 1))
        self.assertIn("'pin' does not admit the initial velocities", summary["warnings"][0])
        self.assertIn("'pin' does not admit the initial velocities", done.stderr)
        lines = percuss("run", self.write(LOOSE), "--full").stdout.splitlines()
        self.assertTrue(any(line.startswith("warnings.1: joint 'pin'") for line in lines))

    def surface(self, name, facets):
        """An STL file of triangles."""
        line = lambda p: "vertex {} {} {}".format(*p)
        text = "".join("facet normal 0 0 0\nouter loop\n" + "\n".join(map(line, f)) + "\nendloop\nendfacet\n" for f in facets)
        (self.here / name).write_text(f"solid s\n{text}endsolid s\n")

    def prism(self, name, corners, triangles):
        """That of a prism of height 1: the triangles of its polygon, by numbers of corners, and its sides."""
        facets = []
        for a, b, c in triangles:
            a, b, c = corners[a], corners[b], corners[c]
            facets += [((*a, 0), (*c, 0), (*b, 0)), ((*a, 1), (*b, 1), (*c, 1))]
        for a, b in zip(corners, corners[1:] + corners[:1]):
            facets += [((*a, 0), (*b, 0), (*b, 1)), ((*a, 0), (*b, 1), (*a, 1))]
        self.surface(name, facets)

    def test_a_hull_that_stands_for_a_concave_surface(self):
        """An L of area 3, whose hull has 3.5; a convex prism; and a funnel, open, whose tip is within its hull."""
        self.prism("l.stl", [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)], [(0, 1, 2), (0, 2, 3), (0, 3, 5), (3, 4, 5)])
        self.prism("t.stl", [(0, 0), (2, 0), (0, 2)], [(0, 1, 2)])
        a, b, c, tip, far = (0, 0, 0), (2, 0, 0), (0, 2, 0), (0.5, 0.5, -0.5), (0.5, 0.5, -2)
        self.surface("open.stl", [(a, b, tip), (b, c, tip), (c, a, tip), (a, b, far)])
        text = """percuss: 1
space: spatial
gravity: [0, 0, -9.81]
bodies: {b: {density: 1000, shape: {%s: %s}, position: [0, 0, 2]}}
shapes: {floor: {half-space: [0, 0, 1]}}
simulate: {dt: 0.001, until: 0.01}
"""
        for file, says in (("l.stl", "shape 'b' is concave: the shape is its convex hull, with 17 % more volume"), ("t.stl", None),
                           ("open.stl", "a part of which is open")):
            path = self.write(text % ("polyhedron", file))
            for command in ("check", "run"):
                said = " ".join(percuss(command, path).stdout.split())
                self.assertIn(says, said) if says else self.assertNotIn("concave", said)
        done = percuss("run", self.write(text % ("mesh", "l.stl")))
        self.assertIn("as a polyhedron its convex hull does", done.stderr)

    def test_a_stop_of_an_angle_has_its_units(self):
        """A rod falls on a stop at -0.5 rad: it rests there with m g a cos(0.5) = 8.6 N m, after an impact of 2.4 N m s."""
        result = self.here / "r.h5"
        path = self.write("""percuss: 1
gravity: [0, -9.81]
bodies: {rod: {mass: 2, inertia: 0.1, position: [0.5, 0]}}
joints: {pin: {revolute: {bodies: [ground, rod], at: [0, 0]}}}
limits: {stop: {joint: pin, min: -0.5}}
record: [pin.angle, stop-min, load: stop-min.force_N]
simulate: {scheme: moreau-jean, dt: 1e-3, until: 1}
""")
        text = percuss("run", path, "--out", result).stdout
        self.assertRegex(text, r"penetration 4\.\d+ mrad \(stop-min")
        self.assertRegex(text, r"stop-min +1 +2\.\d+ N m s .* 8\.[56]\d* N m\n")
        units = dict(line.split()[:1] + [" ".join(line.split()[1:])] for line in percuss("plot", result, "--list").stdout.splitlines()
                     if line.startswith("stop-min"))
        self.assertEqual([units["stop-min." + k] for k in ("gap", "gap_velocity", "P_N")], ["rad", "rad/s", "N m s"])
        self.assertIn("stop-min.gap [rad]", percuss("export", result, "--csv", "-").stdout.splitlines()[0])
        d = json.loads(percuss("run", path, "--json", "--quiet").stdout)
        self.assertEqual(d["penetration"]["max"], 0)
        self.assertAlmostEqual(d["penetration"]["angle"]["max"], 4.4e-3, 4)
        self.assertIn("rad/s", d["event"]["1"])

    def test_a_joint_that_comes_apart(self):
        text = """percuss: 1
gravity: [0, -9.81]
bodies: {rod: {mass: 1, inertia: 0.0833, position: [0.5, 0]}}
joints: {pin: {revolute: {bodies: [ground, rod], at: [0, 0]}}}
simulate: {scheme: %s, dt: 0.02, until: 10}
"""
        for scheme, status in (("moreau", "doubtful"), ("rattle", "done")):
            self.assertEqual(json.loads(percuss("run", self.write(text % scheme), "--json", "--quiet").stdout)["status"], status)
        self.assertIn("joint 'pin' is 0.348 m apart", percuss("run", self.write(text % "moreau")).stdout)

    def test_a_body_that_turns_far_in_a_step(self):
        text = """percuss: 1
space: spatial
bodies: {wheel: {mass: 1, inertia: [0.1, 0.1, 0.1], angular_velocity: [0, 0, 120]}}
joints: {hub: {revolute: {bodies: [ground, wheel], at: [0, 0, 0], axis: [0, 0, 1]}}}
simulate: {dt: 0.01, until: 0.1}
"""
        for options, warned in ((["moreau-jean"], 1), (["rattle"], 1), (["moreau-jean", "--rotation", "exact"], 0),
                                (["lobatto"], 0), (["rattle", "--dt", 1e-3], 0)):
            warnings = json.loads(percuss("run", self.write(text), "--json", "--scheme", *options).stdout)["warnings"]
            self.assertEqual(len(warnings), warned, options)
            self.assertTrue(all("'wheel' turns by 1.2 rad in a step" in w for w in warnings))

    def test_a_driven_mechanism_in_space(self):
        text = """percuss: 1
space: spatial
bodies: {wheel: {mass: 1, inertia: [0.1, 0.1, 0.1]}}
joints: {hub: {revolute: {bodies: [ground, wheel], at: [0, 0, 0], axis: [0, 0, 1]}}}
drives: {motor: {joint: hub, %s}}
record: [hub]
simulate: {dt: 0.01, until: 0.1}
"""
        for drive, freedom in (("rate: t", "0 degrees of freedom: 6 velocities, 6 rows of joints"),
                               ("torque: 1 - hub.angle", "1 degree of freedom: 6 velocities, 5 rows of joints")):
            checked = percuss("check", self.write(text % drive)).stdout
            self.assertIn(freedom, checked)
            self.assertNotIn("warning", checked)
            lines = percuss("run", self.write(text % drive)).stdout.splitlines()
            final = next(line for line in lines if line.startswith("final"))
            self.assertTrue(final.startswith("final     hub.angle "), final)


if __name__ == "__main__":
    unittest.main()
