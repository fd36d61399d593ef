"""percuss animate: films that are well-formed, that move as the result does, and what is refused."""
import math
import os
import re
import shutil
import unittest
import xml.etree.ElementTree as ElementTree

from program import DONE, MODEL, MODELS, OUTPUT, USAGE, ProgramTest, percuss, run_model

SVG = "{http://www.w3.org/2000/svg}"

BOX = """percuss: 1
title: A box & a ball on a spring, in <space>
space: spatial
gravity: [0, 0, -9.81]
bodies:
  box: {mass: 1, inertia: [0.01, 0.02, 0.02], position: [0, 0, 0.3], angular_velocity: [3, 1, 2]}
  ball: {mass: 1, inertia: [0.004, 0.004, 0.004], position: [0.8, 0, 0.5]}
  egg: {mass: 1, inertia: [0.004, 0.004, 0.004], position: [-0.8, 0, 0.5]}
joints:
  arm: {revolute: {bodies: [box, ball], at: [0.4, 0, 0.4], axis: [0, 1, 0]}}
forces:
  spring: {spring: {points: [ball, [ground, [1, 0, 1]]], stiffness: 30}}
contacts:
CORNERS
  sphere: {sphere: ball, radius: 0.1, plane: {point: [0, 0, 0], normal: [0, 0, 1]}, friction: 0.2}
  shell: {ellipsoid: egg, semi_axes: [0.2, 0.1, 0.15],
          plane: {point: [0, 0, 0], normal: [0, 0, 1]}, friction: 0.2}
simulate: {scheme: moreau-jean, dt: 1e-3, until: 0.4}
""".replace("CORNERS", "\n".join(
    f"  c{i}: {{point: [box, [{x}, {y}, {z}]], plane: {{point: [0, 0, 0], normal: [0, 0, 1]}},"
    " friction: 0.3}"
    for i, (x, y, z) in enumerate((x, y, z) for x in (-0.2, 0.2) for y in (-0.1, 0.1)
                                  for z in (-0.05, 0.05))))


def film(path):
    """The root of a film; it must be well-formed and must need nothing from elsewhere."""
    text = path.read_text()
    assert not re.search(r"href|<image|url\((?!#)", text)
    return ElementTree.fromstring(text)


def animations(root):
    return [node for tag in ("animate", "animateTransform") for node in root.iter(SVG + tag)]


def lengths(root):
    """How many values the animations have; the cursor of the time has two."""
    return {len(node.get("values").split(";")) for node in animations(root)
            if node.get("attributeName") != "cx"}


def pin_positions(root):
    """Where the pins (white circles with a dark edge) are in every frame [pixels]."""
    pins = []
    for group in root.iter(SVG + "g"):
        circle, motion = group.find(SVG + "circle"), group.find(SVG + "animateTransform")
        if circle is not None and circle.get("r") == "5.5":
            values = motion.get("values") if motion is not None else re.search(
                r"translate\((.*)\)", group.get("transform")).group(1)
            pins.append([tuple(map(float, value.split())) for value in values.split(";")])
    return pins


class AnimateTest(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.result = cls.shared / "crank.h5"
        run_model("slider-crank", cls.result, "--until", "0.04")

    def animate(self, result, *options, out="film.svg"):
        path = self.here / out
        self.assertEqual(self.expect(DONE, "animate", result, "-o", path, *options), "")
        return path

    def test_frames_are_as_many_as_asked_for(self):
        root = film(self.animate(self.result, "--frames", "41"))
        self.assertEqual(lengths(root), {41})
        root = film(self.animate(self.result, "--speed", "0.02", "--fps", "20"))
        self.assertEqual(lengths(root), {41})  # 2 s at 20 frames per second
        self.assertEqual({node.get("dur") for node in animations(root)}, {"2s"})
        self.assertEqual({node.get("repeatCount") for node in animations(root)}, {"indefinite"})

    def test_pins_are_where_the_bodies_hold_them(self):
        root = film(self.animate(self.result, "--frames", "41", "--width", "1000"))
        base, crank, wrist = pin_positions(root)
        self.assertEqual(len(base), 1)  # it does not move
        scale = math.dist(crank[0], base[0]) / 0.153
        # Coordinates are rounded to 0.1 pixel: a distance is wrong by 0.14 at most, the scale alike.
        for a, b in zip(crank, wrist):
            self.assertAlmostEqual(math.dist(a, base[0]) / scale, 0.153, delta=0.3 / scale)
            self.assertAlmostEqual(math.dist(a, b) / scale, 0.306, delta=0.45 / scale)
        rows = percuss("export", self.result, "--csv", "-", "--columns", "crank.angle",
                       "--every", "10").stdout.splitlines()[1:]
        self.assertEqual(len(rows), 41)
        for row, (x, y) in zip(rows, crank):
            angle = float(row.split(",")[1])
            self.assertAlmostEqual((x - base[0][0]) / scale, 0.153 * math.cos(angle), delta=3e-4)
            self.assertAlmostEqual((base[0][1] - y) / scale, 0.153 * math.sin(angle), delta=3e-4)

    def test_percussions_have_arrows_and_impacts_have_ticks(self):
        root = film(self.animate(self.result))
        arrows = [node for node in root.iter(SVG + "path") if node.get("class") == "percussion"]
        self.assertEqual(len(arrows), 4)
        self.assertTrue(any(arrow.find(SVG + "animate") is not None for arrow in arrows))
        impacts, = [node for node in root.iter(SVG + "path") if node.get("class") == "impacts"]
        self.assertGreater(impacts.get("d").count("v"), 3)

    def test_arrows_stay_on_the_page(self):
        # A bar that hits a wall at the left end of all that moves: the arrow comes from outside.
        result = self.here / "bar.h5"
        run_model("elastic-bar", result)
        root = film(self.animate(result, "--frames", "30"))
        arrow, = [node for node in root.iter(SVG + "path") if node.get("class") == "percussion"]
        numbers = re.findall(r"-?[\d.]+", arrow.find(SVG + "animate").get("values"))
        self.assertGreaterEqual(min(map(float, numbers)), 0)

    def test_arcs_have_their_angle(self):
        films = []
        for angle in (1, 3):
            model, result = self.here / "arc.yaml", self.here / f"arc{angle}.h5"
            model.write_text(
                "percuss: 1\nspace: spatial\ngravity: [0, 0, -9.81]\n"
                "bodies: {lever: {mass: 1, inertia: [0.1, 0.02, 0.1], position: [0.3, 0, 0]}}\n"
                "contacts: {near: {arc: [lever, [-0.3, 0, 0]], radius: 0.2, axis: [0, 1, 0], from: [0, 0, 1], "
                f"angle: {angle}, cylinder: {{axis: [0, 1, 0], radius: 0.01}}}}}}\n"
                "simulate: {scheme: rattle, dt: 1e-3, until: 0.01}\n")
            self.expect(DONE, "run", model, "--out", result, "--quiet")
            films.append(self.animate(result, "--frames", "3").read_text())
        paths = [set(re.findall(r' d="(M[^"]*)"', text)) for text in films]
        self.assertNotEqual(max(paths[0], key=len), max(paths[1], key=len))

    def test_arrows_fade(self):
        # After an impact a fifth less in every frame.
        result = self.here / "ball.h5"
        run_model("bouncing-ball", result, "--dt", "0.01", "--until", "1.4")
        root = film(self.animate(result, "--frames", "60"))
        arrow, = [node for node in root.iter(SVG + "path") if node.get("class") == "percussion"]
        heights = [[float(x) for x in re.findall(r"-?[\d.]+", value)][1::2]
                   for value in arrow.find(SVG + "animate").get("values").split(";")]
        lengths = [max(y) - min(y) for y in heights]
        first = lengths.index(max(lengths))
        self.assertGreater(lengths[first], 50)
        for k in range(first, first + 6):
            self.assertAlmostEqual(lengths[k + 1] / lengths[k], 0.8, delta=0.02)

    def test_arrows_between_shapes_grow_where_they_are(self):
        # A ball bounces along a floor: its arrows appear on the floor below it, and nothing flies in from elsewhere.
        (self.here / "ball.yaml").write_text(
            "percuss: 1\ngravity: [0, -9.81]\nmaterials: {default: {restitution: 0.7}}\n"
            "bodies: {ball: {density: 1000, shape: {disc: 0.05}, position: [0, 0.3], velocity: [1, 0]}}\n"
            "shapes: {floor: {half-plane: [0, 1]}}\nsimulate: {scheme: moreau-jean, dt: 1e-3, until: 1}\n")
        result = self.here / "ball.h5"
        self.expect(DONE, "run", self.here / "ball.yaml", "--out", result, "--quiet")
        root = film(self.animate(result, "--frames", "60"))
        arrow, = [node for node in root.iter(SVG + "path") if node.get("class") == "percussion"]
        moving = arrow.find(SVG + "animate")
        times = [float(t) for t in moving.get("keyTimes").split(";")]
        paths = [[float(x) for x in re.findall(r"-?[\d.]+", value)] for value in moving.get("values").split(";")]
        self.assertEqual((times[0], times[-1], len(times)), (0, 1, len(paths)))
        self.assertEqual(times, sorted(set(times)))
        self.assertLess(len(times), 60)
        tips = [(path[0], path[1]) for path in paths]
        floor = max(y for _, y in tips)
        self.assertTrue(all(floor - y < 1 for _, y in tips), tips)  # it sinks in by a fraction of a pixel
        seen = [max(abs(x - y) for x, y in zip(path, path[:2] * 7)) > 0 for path in paths]
        for i in range(1, len(paths)):  # what appears was there before, too small to be seen
            if seen[i] and not seen[i - 1]:
                self.assertEqual(tips[i], tips[i - 1])

    def test_material_is_behind_the_wall_also_where_y_points_down(self):
        # Gravity along +y, a wall with normal +x: hatched on its left side on the page too.
        result = self.here / "pendulum.h5"
        run_model("bouncing-pendulum", result, "--until", "0.4")
        root = film(self.animate(result, "--frames", "3"))
        hatched = [re.findall(r"[\d.]+", node.get("d")) for node in root.iter(SVG + "path")
                   if node.get("fill") == "url(#hatch)" and "M-" not in node.get("d")]
        (wall,) = [[float(x) for x in numbers] for numbers in hatched if len(numbers) == 8]
        self.assertAlmostEqual(wall[0], wall[2])          # the surface
        self.assertAlmostEqual(wall[4], wall[0] - 12)     # and what is behind it

    def test_the_clock_shows_the_time_of_the_rows(self):
        root = film(self.animate(self.result, "--frames", "5", "--from", "0.01", "--until", "0.03"))
        self.assertEqual(list(root.iter(SVG + "svg")), [root])  # one element, so one time for all
        strips = [node for node in root.iter(SVG + "g") if node.get("class") == "digit"]
        digits = [[-int(value.split()[1]) // 24
                   for value in strip.find(SVG + "animateTransform").get("values").split(";")]
                  for strip in strips]
        shown = ["".join("0123456789 "[digit] for digit in frame) for frame in zip(*digits)]
        self.assertEqual(shown, ["10", "15", "20", "25", "30"])  # ms

    def test_one_frame_is_a_still_picture(self):
        root = film(self.animate(self.result, "--frames", "1", "--from", "0.02"))
        self.assertEqual(animations(root), [])
        self.assertIn("Slider-crank", root.find(SVG + "title").text)

    def test_the_clock_of_a_still_picture_is_not_rounded(self):
        root = film(self.animate(self.result, "--frames", "1", "--from", "0.0123"))
        strips = [node.get("transform") for node in root.iter(SVG + "g")
                  if node.get("class") == "digit"]
        digits = [-int(re.search(r"translate\(0 (-?\d+)\)", text).group(1)) // 24 for text in strips]
        shown = "".join("0123456789 "[digit] for digit in digits)
        self.assertEqual(shown.strip()[:3], "123")  # 12.3 ms

    def test_the_model_is_rebuilt_with_what_was_set(self):
        long = self.here / "long.h5"
        run_model("slider-crank", long, "--until", "0.01", "--set", "l1=0.2")
        base, crank, wrist = pin_positions(film(self.animate(long)))
        self.assertAlmostEqual(math.dist(crank[0], wrist[0]) / math.dist(crank[0], base[0]),
                               0.306 / 0.2, delta=2e-3)

    def test_every_model_has_a_film(self):
        for path in sorted(MODELS.glob("*.yaml")):
            with self.subTest(model=path.stem):
                result = self.here / "model.h5"
                brief = {"impacting-bar": "2e-4", "circuit-breaker": "1e-4", "circuit-breaker-planar": "1e-3",
                         "slider-crank-spatial": "2e-3", "brick-wall": "0.01"}
                run_model(path.stem, result, "--until", brief.get(path.stem, "0.3"))
                root = film(self.animate(result, "--frames", "9", "--title", path.stem))
                self.assertLessEqual(max(lengths(root)), 9)
                self.assertGreater(len(list(root.iter(SVG + "path"))), 3)
                self.assertNotIn("nan", (self.here / "film.svg").read_text().lower()
                                 .replace(path.stem, ""))

    def test_a_bar_shows_its_strain(self):
        bar = self.here / "bar.h5"
        run_model("impacting-bar", bar, "--set", "N=50", "--until", "8e-4")
        root = film(self.animate(bar, "--frames", "20"))
        cells = [node for node in root.iter(SVG + "animate") if node.get("attributeName") == "fill"]
        self.assertEqual(len(cells), 25)
        colours = cells[-1].get("values").split(";")
        self.assertEqual(len(colours), 20)
        self.assertEqual(colours[0], "#F6F6F6")  # before the impact
        self.assertGreater(len(set(colours)), 2)

    def test_bodies_in_space(self):
        model = self.here / "box.yaml"
        model.write_text(BOX)
        result = self.here / "box.h5"
        self.assertEqual(percuss("run", model, "--out", result, "--quiet").returncode, DONE)
        root = film(self.animate(result, "--frames", "12"))
        self.assertEqual(lengths(root), {12})
        blue = [node for node in root.iter(SVG + "path")
                if node.get("stroke") == "#0072B2" and node.get("stroke-width") == "2.5"
                and node.get("fill") == "none"]
        self.assertEqual(len(blue), 12)  # edges of a box
        side = (self.here / "film.svg").read_text()
        self.animate(result, "--frames", "12", "--view", "0,90")
        self.assertNotEqual((self.here / "film.svg").read_text(), side)

    def test_a_page_has_a_player(self):
        path = self.animate(self.result, "--frames", "7", out="film.html")
        text = path.read_text()
        self.assertTrue(text.startswith("<!DOCTYPE html>"))
        for piece in ("setCurrentTime", "pauseAnimations", 'type="range"', 'id="play"', 'class="time"'):
            self.assertIn(piece, text)
        picture = text[text.index("<svg"):text.index("</svg>") + len("</svg>")]
        self.assertEqual(lengths(ElementTree.fromstring(picture)), {7})
        self.assertNotIn("src=", text)

    def test_the_same_result_makes_the_same_film(self):
        first = self.animate(self.result).read_bytes()
        self.assertEqual(self.animate(self.result).read_bytes(), first)

    @unittest.skipUnless(shutil.which("rsvg-convert"), "needs rsvg-convert")
    def test_pictures_of_pixels(self):
        data = self.animate(self.result, "--width", "400", out="film.png").read_bytes()
        self.assertEqual(data[:8], b"\x89PNG\r\n\x1a\n")
        self.assertEqual(int.from_bytes(data[16:20], "big"), 400)
        self.expect(DONE, "animate", self.result, "-o", self.here / "f-%03d.png", "--frames", "3")
        frames = [(self.here / f"f-00{k}.png").read_bytes() for k in (1, 2, 3)]
        self.assertEqual(len(set(frames)), 3)

    @unittest.skipUnless(shutil.which("rsvg-convert") and shutil.which("ffmpeg"), "needs ffmpeg")
    def test_films_of_pixels(self):
        for kind, mark in (("gif", b"GIF89a"), ("mp4", b"ftyp"), ("webm", b"webm")):
            data = self.animate(self.result, "--frames", "4", "--width", "201", out=f"film.{kind}").read_bytes()
            self.assertIn(mark, data[:64], kind)

    def test_what_is_missing_is_named(self):
        self.expect(OUTPUT, "animate", self.result, "-o", self.here / "film.png", env={"PATH": str(self.here)},
                    says=["rsvg-convert is not installed", "librsvg2-bin"])

    def test_drawings_of_formulas(self):
        result = self.here / "ball.h5"
        run_model("bouncing-ball", result)
        text = percuss("export", result, "--csv", "-", "--columns", "q").stdout.splitlines()[1:]
        root = film(self.animate(result, "--frames", "81"))
        circle, = [node for node in root.iter(SVG + "g") if node.find(SVG + "circle") is not None
                   and node.find(SVG + "animateTransform") is not None]
        ys = [float(v.split()[1]) for v in circle.find(SVG + "animateTransform").get("values").split(";")]
        q = [float(line.split(",")[1]) for line in text]
        scale = (ys[0] - max(ys)) / (q[0] - q[ys.index(max(ys))])
        for y, height in zip(ys, q):
            self.assertAlmostEqual(y, ys[0] + scale * (height - q[0]), delta=0.3)

    # What is refused

    def test_a_drawing_with_the_name_of_a_body_takes_the_place_of_its_outline(self):
        """Of the wheel with eight points of contact and the driver with two; their corners are not those of a hull."""
        text = (MODELS / "geneva-wheel.yaml").read_text()
        areas = {}
        for name, drawn in (("named", text), ("other", text.replace("  wheel: {polygon:", "  rotor: {polygon:"))):
            (self.here / f"{name}.yaml").write_text(drawn)
            run_model(self.here / name, self.here / f"{name}.h5", "--until", "0.01")
            still = film(self.animate(self.here / f"{name}.h5", "--frames", "1", out=f"{name}.svg"))
            areas[name] = sum("Z" in path.get("d") for path in still.iter(SVG + "path"))
        self.assertEqual(areas["other"], areas["named"] + 1)

    def test_a_long_title_fits_and_numbers_have_prefixes(self):
        def sizes(title):
            root = film(self.animate(self.result, "--frames", "2", "--width", "420", "--title", title))
            bold, = [node for node in root.iter(SVG + "text") if node.get("font-weight") == "bold"]
            return float(bold.get("font-size")), " ".join(node.text or "" for node in root.iter(SVG + "text"))
        self.assertEqual(sizes("Short")[0], 18)
        size, below = sizes("A title of so many words that it would not fit on a narrow page")
        self.assertLess(size, 12)
        self.assertIn("dt = 100 \u00b5s", below)

    def test_on_a_narrow_page_nothing_reaches_into_the_legend(self):
        """Arrows, here from above, stay below the legend of the impulses and above the line of time, whatever the width."""
        result = self.here / "cam.h5"
        run_model("cam-follower", result, "--until", "0.05")
        for width in (240, 420, 640, 800):
            root = film(self.animate(result, "--frames", "9", "--width", str(width)))
            legend, = [node for node in root.iter(SVG + "text") if (node.text or "").startswith("impulses, the largest")]
            subtitle, = [node for node in root.iter(SVG + "text") if (node.text or "").startswith("rattle")]
            arrows = [node for node in root.iter(SVG + "path") if node.get("class") == "percussion"]
            self.assertGreater(len(arrows), 0)
            below = [float(y) for node in arrows for one in [node.get("d"), *(a.get("values") for a in node.iter(SVG + "animate"))]
                     for y in re.findall(r"-?[\d.]+[ ,]?(-?[\d.]+)", one)]
            self.assertGreater(min(below), float(legend.get("y")) + 3, width)
            self.assertLess(max(below), float(root.get("height")) - 62, width)
            self.assertNotEqual((legend.get("y"), legend.get("text-anchor")), (subtitle.get("y"), None))

    def test_a_still_picture_shows_what_the_film_shows(self):
        """A line of `draw:` that moves is a body, also where there is only one frame; one that does not is hatched."""
        result = self.here / "minimal.h5"
        run_model("slider-crank-minimal", result, "--until", "0.01")
        counts = []
        for frames in ("1", "7"):
            root = film(self.animate(result, "--frames", frames))
            counts.append((sum(node.get("stroke-width") == "16" for node in root.iter(SVG + "path")),
                           sum(node.get("fill") == "url(#hatch)" for node in root.iter(SVG + "path"))))
        self.assertEqual(counts, [(2, 2), (2, 2)])  # crank and rod; two walls

    def test_a_stop_for_the_tip_of_a_beam_is_near_the_tip(self):
        """The beam does not pass through the stop, which is drawn only where the tip comes near to it."""
        result = self.here / "beam.h5"
        run_model("flexible-pendulum", result, "--dt", "5e-5", "--until", "0.34", "--every", "20")
        root = film(self.animate(result, "--frames", "20"))
        wall, = [node for node in root.iter(SVG + "path") if node.get("stroke") == "#777777"]
        x, top, _, bottom = map(float, re.findall(r"-?[\d.]+", wall.get("d")))
        beam, = [node for node in root.iter(SVG + "path") if node.get("stroke-width") == "6"]
        first = [tuple(map(float, p)) for p in re.findall(r"(-?[\d.]+) (-?[\d.]+)", beam.get("d"))]
        self.assertGreater(first[-1][0], x)  # the tip is beyond the stop, the pin before it
        self.assertLess(max(y for _, y in first), min(top, bottom))

    def test_usage_errors(self):
        out = self.here / "film.svg"
        for words, says in [
                ([], "which result"),
                ([self.result], "which file"),
                ([self.result, "-o", self.here / "film.avi"], "a film ends in .svg, .html, .mp4"),
                ([self.result, "-o", self.here / "film%.png"], "no pattern"),
                ([self.result, "-o", self.here / "film.mov"], ".svg, .html"),
                ([self.result, "-o", self.here / "film"], ".svg, .html"),
                ([self.result, self.result, "-o", out], "one word too many"),
                ([self.result, "-o", out, "--fps", "0"], "--fps"),
                ([self.result, "-o", out, "--fps", "1000"], "--fps"),
                ([self.result, "-o", out, "--speed", "-1"], "--speed"),
                ([self.result, "-o", out, "--speed", "1e-9"], "frames are too many"),
                ([self.result, "-o", out, "--frames", "0"], "--frames"),
                ([self.result, "-o", out, "--width", "10"], "--width"),
                ([self.result, "-o", out, "--view", "10"], "AZIMUTH,ELEVATION"),
                ([self.result, "-o", out, "--view", "10,100"], "AZIMUTH,ELEVATION"),
                ([self.result, "-o", out, "--from", "x"], "--from"),
                ([self.result, "-o", out, "--from", "0.02", "--until", "0.01"], "--from"),
                ([self.result, "-o", out, "--from", "7"], "no rows"),
                ([self.result, "-o", out, "--speeed", "1"], "did you mean '--speed'"),
        ]:
            with self.subTest(words=words):
                self.expect(USAGE, "animate", *words, says=says)
                self.assertEqual(self.files(), [])

    def test_what_is_no_result_is_refused(self):
        for path in (self.here / "none.h5", MODELS / "slider-crank.yaml"):
            self.expect(MODEL, "animate", path, "-o", self.here / "film.svg", says=str(path))
        self.assertEqual(self.files(), [])

    def test_formulas_without_contacts_have_nothing_to_draw(self):
        model = self.here / "swing.yaml"
        model.write_text("percuss: 1\ncoordinates: {q: 1}\nkinetic: q'^2/2\npotential: q^2/2\n"
                         "simulate: {scheme: moreau-jean, dt: 0.1, until: 1}\n")
        result = self.here / "swing.h5"
        self.assertEqual(percuss("run", model, "--out", result, "--quiet").returncode, DONE)
        self.expect(MODEL, "animate", result, "-o", self.here / "film.svg", says="neither bodies")

    def test_what_cannot_be_written(self):
        (self.here / "folder.svg").mkdir()
        for out in ("none/film.svg", "folder.svg"):
            self.expect(OUTPUT, "animate", self.result, "-o", self.here / out, says=out)
        if os.path.exists("/dev/full"):
            os.symlink("/dev/full", self.here / "full.svg")
            self.expect(OUTPUT, "animate", self.result, "-o", self.here / "full.svg", says="full")


if __name__ == "__main__":
    unittest.main()
