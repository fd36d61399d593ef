"""Whether the checks of `percuss reproduce` can fail. In every model of every item the friction, the restitution, each
mass and each moment of inertia is changed by 30 % to 100 %, where the model file has it, one at a time; the item must
differ in a value in which it did not: the shortest runs come first, and it ends where one does (`--until-differs`). What has
no influence is listed below with the reason, and then the item must give the same numbers and curves. Other parameters
(stiffnesses, gravity, starts) are tried too, by `--set`.

    test_sensitivity.py PERCUSS [--all]      (--all: all bodies of the items that take long)"""
import csv
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

PERCUSS = sys.argv.pop(1)
ALL = "--all" in sys.argv
if ALL:
    sys.argv.remove("--all")
MODELS = pathlib.Path("models").resolve()

# ---- Changes of a model file ----------------------------------------------------------------------------------------
VALUE = r"(\[[^\]]*\]|[^,}\n#]+)"  # of a key in a model file: a list, or one expression
MORE = "1.5*"

# Masses of models that are formulas and have no parameter for it.
FORMULAS = {
    "bouncing-ball": [("kinetic: q'^2/2", "kinetic: 1.5*q'^2/2")],
    "vibrating-table": [("kinetic: ball'^2/2", "kinetic: 1.5*ball'^2/2"), ("potential: g*ball", "potential: 1.5*g*ball")],
}


def larger(value):
    value = value.strip()
    if value.startswith("["):
        return "[" + ", ".join(f"{MORE}({entry.strip()})" for entry in value[1:-1].split(",")) + "]"
    return f"{MORE}({value})"


def section(text, name):
    """Where the lines of a section begin and end."""
    found = re.search(rf"^{name}:[^\n]*\n((?:(?: .*|#.*)?\n)*)", text, re.M)
    return found.span(1) if found else None


def changed_bodies(text):
    """Of each body its mass (or density) and its inertia."""
    span = section(text, "bodies")
    if not span:
        return
    names = list(re.finditer(r"^  ([\w()-]+):", text[span[0]:span[1]], re.M))
    ends = [span[0] + name.start() for name in names[1:]] + [span[1]]
    for name, end in zip(names, ends):
        begin = span[0] + name.end()
        body = text[begin:end]
        keys = ["density"] if "density:" in body else ["mass", "inertia"]
        for key in keys:
            value = re.search(rf"\b{key}: {VALUE}", body)
            if value:
                yield (f"{name.group(1)}.{key}",
                       text[:begin + value.start(1)] + larger(value.group(1)) + text[begin + value.end(1):])


def changed_parameters(text):
    """Masses and moments of inertia of a model that is a formula."""
    span = section(text, "parameters")
    if not span or section(text, "bodies"):
        return
    for value in re.finditer(r"^  ([mJ][A-Z0-9]?): ([^#\n]+)", text[span[0]:span[1]], re.M):
        begin, end = span[0] + value.start(2), span[0] + value.end(2)
        yield value.group(1), f"{text[:begin]}{larger(value.group(2))}  {text[end:]}"


def changed_contacts(text):
    """Friction half as large again; restitution less by 40 %, or more by 0.3 where it is small."""
    friction = re.sub(r"\bfriction: \{mu: ([^,}]+)", rf"friction: {{mu: {MORE}(\1)", text)
    friction = re.sub(r"\bfriction: ([^,}\n{]+)(?=[,}\n])", rf"friction: {MORE}(\1)", friction)
    if friction != text:
        yield "friction", friction
    restitution = re.sub(rf"\brestitution: {VALUE}", r'restitution: "if((\1) - 0.2, 0.6*(\1), (\1) + 0.3)"', text)
    if restitution != text:
        yield "restitution", restitution


def changed_formula(name, text):
    if name in FORMULAS:
        for old, new in FORMULAS[name]:
            assert old in text, (name, old)
            text = text.replace(old, new)
        yield "mass", text


def changes_of(name):
    text = (MODELS / f"{name}.yaml").read_text()
    return dict([*changed_bodies(text), *changed_parameters(text), *changed_contacts(text), *changed_formula(name, text)])


# ---- What has no influence, and why ---------------------------------------------------------------------------------
SLIDER = "the slider starts without a tilt, and both corners of a side touch its wall together: it does not turn"
FALLS = "it falls without a spin: nothing slips, nothing turns, and m cancels"
NO_INFLUENCE = {
    "impacting-bar restitution": {"acary-fig11": "its law is at position level and has no restitution"},
    "flyball-governor shaft.mass": {"benchmarks-governor": "the shaft turns about its own axis"},
    "n-four-bar coupler(i).inertia": {"benchmarks-four-bars": "couplers stay horizontal"},
    "slider-crank-iftomm crank.mass": {"benchmarks-crank": "the crank turns about its centre of mass"},
    "slider-crank-iftomm slider.inertia": {"benchmarks-crank": "the slider is guided: it does not turn"},
    "rattleback friction": {"benchmarks-tops": "mu is 100: it rolls, and what it could slip with is of no concern"},
    "ring-pendulum ring.mass": {"acary-fig20": "the ring turns about its centre"},
    "rotating-ball ball.mass": dict.fromkeys(["rattle-fig2", "lobatto-fig3"], FALLS),
    "rotating-ball ball.inertia": dict.fromkeys(["rattle-fig2", "lobatto-fig3"], FALLS),
    "rotating-ball friction": dict.fromkeys(["rattle-fig2", "lobatto-fig3"], FALLS),
    "slope mass.mass": dict.fromkeys(["rattle-table1", "lobatto-fig8", "lobatto-fig9"],
                                     "weight, normal force and friction are all in proportion to m, and the item has"
                                     " motions and counts only"),
    "slider-crank-minimal J3": dict.fromkeys(["flores-fig10", "flores-fig11", "acary-fig23", "acary-fig24", "acary-fig25",
                                              "acary-fig26", "acary-table3", "acary-newton-euler", "acary-coupled",
                                              "acary-symmetry"], SLIDER),
    "slider-crank-newton-euler slider.inertia": {"acary-newton-euler": SLIDER},
    "slider-crank slider.inertia": {"acary-fig30": SLIDER},  # with phi3 = 0; that of RATTLE and Lobatto starts with a tilt
    "slider-crank-clearance slider.inertia": dict.fromkeys(["acary-fig27", "acary-fig28", "acary-fig29", "acary-fig30"], SLIDER),
    "slider-roller slider.inertia": {"acary-fig8": "the slider is guided: it does not turn"},
    "slider-roller roller.mass": {"acary-fig8": "the roller turns about a fixed axle through its centre"},
    "tippedisk restitution": dict.fromkeys(["rattle-table1", "rattle-fig10"],
                                           "the disc starts on the floor, at rest normal to it, and never leaves it"),
}
# Where the gap is not held closed, round-off and the error of the scheme open and close it: not the same to the last digits.
# Whether a projection to 1e-10 m takes one more iteration is round-off in some steps of 13 800.
# What a few sweeps leave turns the slider.
ITS_OWN_ERROR = {"tippedisk restitution": ["moreau"],
                 "slider-crank-minimal J3": [*(f"as printed: Algorithm 2, {dt}, projection" for dt in ("1e-5", "1e-6")), "sweeps",
                                             "Newton-Euler minus minimal"]}

# What takes long: only these items of a model, and only these bodies, without --all. Figs. 28 to 30 have the model in space of
# Fig. 27 with other plays; the bodies of one kind are alike.
ITEMS = {} if ALL else {"slider-crank-spatial": ["acary-fig27"]}
BODIES = {} if ALL else {
    "acary-fig27": ["rod", "slider"], "acary-fig28": ["rod"], "acary-fig29": ["rod"], "acary-fig30": ["rod"],
    "benchmarks-bricard": ["rod1", "rod4"], "benchmarks-governor": ["shaft", "arm1", "slider"],
}
# This one takes half a minute. Until the pins touch its values are of one parameter each: all of them are changed at once.
# What comes after is told in words, which hold with other masses of the other bodies as well; the kinetic energy is that of
# all bodies.
BREAKER = "acary-circuit-breaker"
BREAKER_VALUES = ["speed of the handle", "spin of the handle", "speed of the plate", "spin of the plate",
                  "speed of the moving contact", "spin of the trip bar"]
BREAKER_OTHERS = ["rod", "hook", "plunger", "needle"]
BREAKER_RUN = ["--scheme", "combined-projection", "--metric", "mass", "--dt", "2e-6", "--until", "9e-3"]  # the tripped one
NOTICED_FROM = 1e-9  # what the kinetic energy may be off

# ---- Other parameters ---------------------------------------------------------------------------------------------------
OTHERS = [
    ("J2=8.9e-4", ["flores-fig10", "acary-fig25", "acary-table3"]),  # of 5.9e-4: the misprint of Acary's Table 2
    ("f=-2.6", ["acary-fig2", "acary-fig3", "acary-fig4", "acary-fig6"]),  # of -2
    ("k=52", ["acary-fig2", "acary-fig3"]),  # of 39.5
    ("q0=1.3", ["acary-fig7"]),  # of 1
    ("theta0=0.3", ["acary-fig9"]),  # of 0.2
    ("torque=0.043", ["benchmarks-andrews"]),  # of 0.033
    ("omega0=7.8", ["benchmarks-crank"]),  # of 6
    ("g=13", ["acary-fig9", "rattle-fig8", "rattle-percussions", "lobatto-fig9", "benchmarks-bricard",
              "benchmarks-table", "benchmarks-woodpecker"]),  # of 9.81 or 10
    ("E=300e9", ["acary-fig11", "acary-fig12", "acary-fig13", "acary-fig14", "acary-fig15", "acary-fig16", "acary-fig17",
                 "acary-fig18"]),  # of 210e9
    ("E=1250", ["alpha-fig14", "alpha-fig15", "alpha-fig16"]),  # of 900
    ("E=2.8e11", ["alpha-fig10", "alpha-fig11"]),  # of 2.1e11
    ("v=1.4", ["benchmarks-four-bars"]),  # of 1
    ("spin=-7", ["benchmarks-tops"]),  # of -5 and 180
]
# Items that differ from their paper as they are.
DIFFER = ["acary-fig5", "acary-fig7", "acary-fig12", "acary-fig20", "acary-fig25", "acary-fig28", "acary-table3", "alpha-fig2",
          "alpha-fig10", "alpha-fig12", "alpha-fig15", "rattle-table1"]


def heavier(text, names):
    """The breaker with other masses and inertias of bodies; each is a line of its own."""
    def change(line):
        for key in ("mass", "inertia"):
            line = re.sub(rf"\b{key}: {VALUE}", lambda value: f"{key}: {larger(value.group(1))}", line)
        return line
    return re.sub(rf"^  (?:{names}): {{mass: .*", lambda line: change(line.group(0)), text, flags=re.M)


def body_of(change):
    return change.split(".")[0] if "." in change else None


def is_tried(model, name, body):
    return name in ITEMS.get(model, [name]) and (body is None or body in BODIES.get(name, [body]))


def differing(verdict):
    return {value["what"] for value in verdict["values"] if value["verdict"] == "differs"}


def read_curves(path):
    """The points of all curves, by panel and name; a table has none."""
    curves = {}
    with open(path, newline="") as file:
        for row in csv.DictReader(file):
            if "curve" in row:
                curves.setdefault((row["panel"], row["curve"]), []).append((float(row["x"]), float(row["y"])))
    return curves


ROUND_OFF = 1e-9  # in the units of the figures: m, mm, rad/s


def box(points):
    return [extreme(point[i] for point in points) for i in (0, 1) for extreme in (min, max)]


def distance(points, others):
    """How far a curve is from another one, of its size: by their extremes, and where x grows by the values at the points that
    both have. Which points of a curve are written depends on the last digits; what is smaller than ROUND_OFF has no others."""
    bounds = box(others)
    size = [max(abs(bounds[2 * i]), abs(bounds[2 * i + 1]), ROUND_OFF) for i in (0, 1)]
    far = [abs(x - y) / size[i // 2] for i, (x, y) in enumerate(zip(box(points), bounds))]
    if all(a[0] < b[0] for curve in (points, others) for a, b in zip(curve, curve[1:])):
        known = {f"{x:.9g}": y for x, y in others}
        shared = [abs(y - known[f"{x:.9g}"]) / size[1] for x, y in points if f"{x:.9g}" in known]
        assert len(shared) > len(points) / 10 - 1, "hardly a point in common"
        far += shared
    return max(far)


class Sensitivity(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        listed = subprocess.run([PERCUSS, "list", "items"], capture_output=True, text=True, check=True).stdout
        cls.items = [line.split()[0] for line in listed.splitlines() if line.strip() and BREAKER not in line]
        cls.unchanged = cls.reproduce("unchanged", cls.items)
        cls.users = {}
        for name, verdict in cls.unchanged.items():
            for model in verdict["models"]:
                cls.users.setdefault(model, []).append(name)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def reproduce(cls, folder, names, *options, model=None, text=None):
        """The verdicts of items by name, each until it differs; the text takes the place of a model's file."""
        place = pathlib.Path(cls.folder.name, folder)
        (place / "models").mkdir(parents=True)
        for file in MODELS.iterdir():
            (place / "models" / file.name).symlink_to(file)
        if model:
            (place / "models" / f"{model}.yaml").unlink()
            (place / "models" / f"{model}.yaml").write_text(text)
        done = subprocess.run([PERCUSS, "reproduce", *names, "--out", "out", "--quiet", "--until-differs", *options],
                              capture_output=True, text=True, check=False, timeout=600, cwd=place)
        assert done.returncode == 0, f"{folder}: {done.stderr}"
        return {name: json.loads((place / "out" / f"{name}.json").read_text()) for name in names}

    def curves(self, folder, name):
        return read_curves(pathlib.Path(self.folder.name, folder, "out", f"{name}.csv"))

    def expect_noticed(self, name, verdict):
        self.assertTrue(differing(verdict) - differing(self.unchanged[name]), "no value of the item notices it")

    def expect_equal(self, folder, name, verdict, except_for):
        self.assertEqual(differing(verdict), differing(self.unchanged[name]))
        for value, other in zip(verdict["values"], self.unchanged[name]["values"]):
            if not any(word in value["what"] for word in except_for):
                # Orders of convergence are slopes through errors, and the smallest errors are round-off.
                self.assertAlmostEqual(value["ours"], other["ours"], delta=1e-4 * abs(other["ours"]) + 1e-9,
                                       msg=value["what"])
        kept = self.curves("unchanged", name)
        for key, points in self.curves(folder, name).items():
            if not any(word in key[1] for word in except_for):
                self.assertLess(distance(points, kept[key]), 1e-3, key)

    def test_the_models_as_they_are_agree(self):
        for name, verdict in self.unchanged.items():
            self.assertEqual(verdict["verdict"], "differs" if name in DIFFER else "agrees", name)
            self.assertNotIn("changed", verdict)
            for value in verdict["values"]:  # no value differs only because a run that it needs was still to come
                self.assertNotEqual(value["verdict"], "left out", f"{name}: {value['what']}")

    def test_every_change_is_noticed(self):
        tried = set()
        listed = {(change, name) for change, names in NO_INFLUENCE.items() for name in names
                  if is_tried(change.split()[0], name, body_of(change.split()[1]))}
        for model, users in self.users.items():
            for change, text in changes_of(model).items():
                names = [name for name in users if is_tried(model, name, body_of(change))]
                if not names:
                    continue
                folder = f"{model} {change}"
                for name, verdict in self.reproduce(folder, names, model=model, text=text).items():
                    tried.add((folder, name))
                    with self.subTest(change=folder, item=name):
                        if (folder, name) in listed:
                            self.expect_equal(folder, name, verdict, ITS_OWN_ERROR.get(folder, []))
                        else:
                            self.expect_noticed(name, verdict)
        self.assertEqual(listed - tried, set(), "listed, and not tried")
        self.assertEqual(set(self.items) - {name for _, name in tried}, set())
        self.assertGreaterEqual(len(tried), 250)

    def differing_breaker(self, folder, text):
        verdict = self.reproduce(folder, [BREAKER], model="circuit-breaker", text=text)[BREAKER]
        return differing(verdict)

    def test_the_circuit_breaker(self):
        """Each change has values of its own that notice it, and no other value differs before."""
        text = (MODELS / "circuit-breaker.yaml").read_text()
        friction = self.differing_breaker("breaker friction", dict(changed_contacts(text))["friction"])
        self.assertTrue(friction)
        for what in friction:
            self.assertIn("latch without friction", what)
        bodies = self.differing_breaker("breaker bodies", heavier(text, r"[\w-]+"))
        self.assertEqual(len(bodies), len(BREAKER_VALUES))
        for words in BREAKER_VALUES:
            self.assertTrue(any(words in what for what in bodies), words)
        others = self.differing_breaker("breaker others", heavier(text, "|".join(BREAKER_OTHERS)))
        self.assertEqual(len(others), 1)
        self.assertIn("kinetic energy", others.pop())

    def test_every_body_of_the_circuit_breaker_moves_and_turns(self):
        """30 % of a mass or an inertia are more than what the item's kinetic energy may be off: of each body the motion of
        its centre and its spin have a larger share of the energy, each by itself, in some state."""
        result = str(pathlib.Path(self.folder.name, "breaker.h5"))
        text = (MODELS / "circuit-breaker.yaml").read_text()
        bodies = re.findall(r"^  ([\w-]+): \{mass: ([^,]+), inertia: \[([^\]]*)\]", text, re.M)
        names = [f"{name}.{axis}" for name, _, _ in bodies for axis in ("vx", "vy", "vz", "wx", "wy", "wz")]
        subprocess.run([PERCUSS, "run", "circuit-breaker", *BREAKER_RUN, "--out", result, "--quiet"], check=True,
                       capture_output=True)
        lines = subprocess.run([PERCUSS, "export", result, "--csv", "-", "--columns", ",".join(names + ["energy.kinetic"])],
                               check=True, capture_output=True, text=True).stdout.splitlines()[1:]
        states = [[float(x) for x in line.split(",")[1:]] for line in lines]
        self.assertEqual(len(bodies), 8)
        for i, (name, mass, inertia) in enumerate(bodies):
            xx, yy, zz, xy, xz, yz = map(float, inertia.split(","))
            moves = turns = 0
            for state in (state for state in states if state[-1] > 0):
                v, (p, q, r) = state[6 * i:6 * i + 3], state[6 * i + 3:6 * i + 6]
                spin = xx * p * p + yy * q * q + zz * r * r + 2 * (xy * p * q + xz * p * r + yz * q * r)
                moves = max(moves, float(mass) * sum(x * x for x in v) / 2 / state[-1])
                turns = max(turns, spin / 2 / state[-1])
            with self.subTest(body=name):
                self.assertGreater(0.3 * moves, 1000 * NOTICED_FROM)
                self.assertGreater(0.3 * turns, 1000 * NOTICED_FROM)

    def test_other_parameters(self):
        for change, names in OTHERS:
            for name, verdict in self.reproduce(f"other {change}", names, "--set", change).items():
                with self.subTest(change=change, item=name):
                    self.assertEqual(verdict["changed"], change)
                    self.expect_noticed(name, verdict)

    def test_a_parameter_that_no_model_has(self):
        done = subprocess.run([PERCUSS, "reproduce", "rattle-fig2", "--out", self.folder.name,
                               "--set", "nothing=1"], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn("no model of these items has a parameter 'nothing'", done.stderr)


if __name__ == "__main__":
    unittest.main()
