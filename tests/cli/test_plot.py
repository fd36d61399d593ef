"""percuss plot: figures, the marks in them, and what is refused."""
import csv
import io
import json
import os
import re
import shutil
import stat
import struct
import unittest
import xml.etree.ElementTree as ElementTree

from program import DONE, MODEL, MODELS, OUTPUT, USAGE, ProgramTest, percuss, run_model


def png_size(path):
    head = path.read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n", head
    return struct.unpack(">II", head[16:24])


def svg_texts(path):
    """All pieces of text in an SVG file."""
    return [" ".join("".join(node.itertext()).split())
            for node in ElementTree.parse(path).iter() if node.tag.endswith("}text")]


def columns(result, *names):
    """Columns of a result by way of `percuss export`."""
    text = percuss("export", result, "--csv", "-", "--columns", ",".join(names)).stdout
    rows = list(csv.reader(io.StringIO(text)))[1:]
    return [[float(row[i]) for row in rows] for i in range(len(names) + 1)]


class PlotTest(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.result = cls.shared / "jean.h5"
        cls.other = cls.shared / "moreau.h5"
        cls.coarse = cls.shared / "coarse.h5"
        run_model("slider-crank", cls.result, "--scheme", "moreau-jean")
        run_model("slider-crank", cls.other, "--scheme", "moreau")
        run_model("slider-crank", cls.coarse, "--scheme", "moreau", "--dt", "2e-4")

    def draw(self, *words, name="figure.png", **how):
        path = self.here / name
        self.assertEqual(self.expect(DONE, "plot", *words, "-o", path, **how), "")
        self.assertEqual(self.files(), sorted({*self.files(), name}))
        self.assertFalse([other for other in self.files() if other.endswith(".part")])
        return path

    def fake_gnuplot(self, script):
        """An environment in which `gnuplot` is this shell script."""
        folder = self.here / "bin"
        folder.mkdir()
        program = folder / "gnuplot"
        program.write_text("#!/bin/sh\n" + script)
        program.chmod(program.stat().st_mode | stat.S_IXUSR)
        return {"PATH": f"{folder}:{os.environ['PATH']}"}

    def script_of(self, *words):
        """What gnuplot is told, which draws all the same."""
        kept = self.here / "script"
        env = self.fake_gnuplot(f"tee '{kept}' | '{shutil.which('gnuplot')}' \"$@\"\n")
        self.draw(*words, env=env)
        shutil.rmtree(self.here / "bin")
        return kept.read_text()

    # What is drawn

    def test_impacts_at_the_same_time_are_marked_once(self):
        # Two masses that bounce alike: some 40 instants, so that all are marked, but twice as many closings.
        model, result = self.here / "two.yaml", self.here / "two.h5"
        model.write_text("percuss: 1\ncoordinates: {x: 1, y: 1}\nkinetic: (x'^2 + y'^2)/2\npotential: 10*x + 10*y\n"
                         "contacts: {a: {gap: x, restitution: 0.97}, b: {gap: y, restitution: 0.97}}\n"
                         "simulate: {scheme: moreau-jean, dt: 0.01, until: 20}\n")
        summary = json.loads(self.expect(DONE, "run", model, "--out", result, "--quiet", "--json"))
        self.assertTrue(60 < summary["events"]["closed"] < 118, summary["events"])
        figures = []
        for word in ((), ("--impacts",), ("--no-impacts",)):
            self.expect(DONE, "plot", result, "--y", "x", *word, "-o", self.here / "two.svg")
            figures.append((self.here / "two.svg").read_text())
        self.assertEqual(figures[0], figures[1])
        self.assertNotEqual(figures[0], figures[2])

    def test_list_tells_names_and_units(self):
        lines = [line.split(maxsplit=1) for line in
                 self.expect(DONE, "plot", self.result, "--list").splitlines()]
        for line in (["time", "s"], ["crank.angle", "rad"], ["corner1.P_N", "N s"],
                     ["energy.total", "J"], ["iterations.solver"]):
            self.assertIn(line, lines)

    def test_list_of_several_results_tells_what_all_have(self):
        ball = self.here / "ball.h5"
        run_model("bouncing-ball", ball)
        names = self.expect(DONE, "plot", self.result, ball, "--list")
        self.assertIn("energy.kinetic", names)
        self.assertNotIn("crank.angle", names)

    def test_a_png_has_the_size_asked_for(self):
        self.assertEqual(png_size(self.draw(self.result, "--y", "crank.spin")), (1200, 720))
        self.assertEqual(png_size(self.draw(self.result, "--y", "crank.spin", "--size", "640x400")),
                         (640, 400))

    def test_more_panels_are_higher(self):
        two = png_size(self.draw(self.result, "--y", "crank.spin", "--y", "slider.x"))
        three = png_size(self.draw(self.result, "--y", "crank.spin", "--y", "slider.x", "--y",
                                   "corner1.gap,corner2.gap"))
        self.assertGreater(three[1], two[1])

    def test_axes_are_labelled_with_units(self):
        texts = svg_texts(self.draw(self.result, "--y", "crank.angle", name="figure.svg"))
        self.assertIn("crank.angle [rad]", texts)
        self.assertIn("t [s]", texts)
        self.assertIn("Slider-crank with clearance, absolute coordinates", texts)

    def test_names_that_share_a_panel_are_in_its_legend(self):
        texts = svg_texts(self.draw(self.result, "--y", "corner1.gap,corner3.gap", "--y",
                                    "crank.angle,slider.x", "--y", "energy.kinetic,energy.total",
                                    name="figure.svg"))
        for text in ("gap [m]", "corner1.gap", "corner3.gap", "crank.angle [rad]", "slider.x [m]",
                     "energy [J]", "energy.total"):
            self.assertIn(text, texts)

    def test_a_long_legend_is_there_in_full_and_below_the_title(self):
        names = [f"{body}.{end}" for body in ("crank", "rod", "slider")
                 for end in ("x", "y", "vx", "vy", "spin")]
        path = self.draw(self.result, self.other, "--y", ",".join(names), "--y", "crank.x",
                         name="figure.svg")
        texts = svg_texts(path)
        for name in (*(name.split(".")[0] for name in names), "moreau"):
            self.assertTrue([text for text in texts if text.startswith(name)], texts)
        self.assertEqual(len([text for text in texts if text.split(" ")[0] in names]), 15 + 1)
        small = self.draw(self.result, "--y", "crank.x", name="small.svg")
        height = lambda figure: float(ElementTree.parse(figure).getroot().get("height"))
        self.assertGreater(height(path), height(small) + 330)

    def test_a_phase_portrait_has_the_other_quantity_as_its_axis(self):
        texts = svg_texts(self.draw(self.result, "--x", "slider.x", "--y", "slider.y", "--impacts",
                                    name="figure.svg"))
        self.assertIn("slider.x [m]", texts)
        self.assertIn("slider.y [m]", texts)
        self.assertNotIn("t [s]", texts)

    def test_schemes_tell_overlaid_results_apart(self):
        texts = svg_texts(self.draw(self.result, self.other, "--y", "crank.spin",
                                    name="figure.svg"))
        self.assertIn("moreau-jean", texts)
        self.assertIn("moreau", texts)

    def test_schemes_have_their_own_colours_in_any_order(self):
        for results in ((self.result, self.other), (self.other, self.result)):
            script = self.script_of(*results, "--y", "crank.spin")
            colour = dict(re.findall(r"lc rgb '(#\w+)' dt solid title '(moreau[-\w]*)'", script))
            self.assertEqual(colour, {"#0072B2": "moreau-jean", "#56B4E9": "moreau"})

    def test_step_sizes_tell_results_of_one_scheme_apart(self):
        texts = svg_texts(self.draw(self.coarse, self.other, "--y", "crank.spin,rod.spin",
                                    name="figure.svg"))
        self.assertIn("moreau, dt = 0.0002 s", texts)
        self.assertIn("moreau, dt = 0.0001 s", texts)

    def test_paths_tell_equal_runs_apart(self):
        copy = self.here / "copy.h5"
        shutil.copy(self.result, copy)
        texts = svg_texts(self.draw(self.result, copy, "--y", "crank.spin", name="figure.svg"))
        self.assertIn(str(copy), texts)

    def test_any_title_is_taken_literally(self):
        title = "It's 50% `date` $x {y}_1^2 \"z\" \\n @ ü"
        texts = svg_texts(self.draw(self.result, "--y", "crank.spin", "--title", title,
                                    name="figure.svg"))
        self.assertIn(title, texts)
        self.draw(self.result, "--y", "crank.spin", "--title", "")

    def test_settings_of_the_user_do_not_matter(self):
        (self.here / ".gnuplot").write_text("this is no command\n")
        self.draw(self.result, "--y", "crank.spin", env={"HOME": str(self.here)})

    # The numbers that are drawn

    def impact_times(self):
        """By the definition: some contact's percussion is positive, and was 0 a row before."""
        time, *percussions = columns(self.result, *(f"corner{i}.P_N" for i in range(1, 5)))
        return [t for k, t in enumerate(time) if k > 0 and
                any(P[k] > 0 and P[k - 1] == 0 for P in percussions)]

    def test_impacts_are_marked_over_time(self):
        times, pixel = [], 0.08 / 1200
        for t in self.impact_times():
            if not times or t - times[-1] >= pixel:
                times.append(t)
        marks = [line.split() for line in self.script_of(self.result, "--y", "crank.spin")
                 .splitlines() if line.startswith("set arrow")]
        self.assertGreater(len(times), 10)
        self.assertEqual(len(marks), len(times))
        for mark, t in zip(marks, times):
            self.assertAlmostEqual(float(mark[4].rstrip(",")), t, delta=1e-9)

    def test_impacts_are_not_marked_where_not_wanted(self):
        self.assertNotIn("set arrow", self.script_of(self.result, "--y", "crank.spin",
                                                     "--no-impacts"))
        self.assertNotIn("set arrow", self.script_of(self.result, self.other, "--y", "crank.spin"))
        self.assertIn("set arrow", self.script_of(self.result, self.other, "--y", "crank.spin",
                                                  "--impacts"))

    def test_many_impacts_are_marked_on_demand_only(self):
        long = self.here / "long.h5"
        run_model("slider-crank", long, "--until", "0.4")
        self.assertNotIn("set arrow", self.script_of(long, "--y", "crank.spin"))
        self.assertGreater(self.script_of(long, "--y", "crank.spin", "--impacts")
                           .count("set arrow"), 59)

    def block(self, script, name):
        lines = script.split(f"${name} << END\n")[1].split("END\n")[0].splitlines()
        return [tuple(map(float, line.split())) for line in lines]

    def test_from_and_to_choose_the_rows(self):
        script = self.script_of(self.result, "--y", "crank.spin", "--from", "0.02", "--until", "0.03")
        points = self.block(script, "c0_0")
        self.assertAlmostEqual(points[0][0], 0.02, delta=1e-9)
        self.assertAlmostEqual(points[-1][0], 0.03, delta=1e-9)
        self.assertEqual(len(points), 101)

    def test_long_series_are_thinned_and_keep_their_peaks(self):
        long = self.here / "long.h5"
        run_model("slider-crank", long, "--dt", "1e-5", "--until", "0.2")
        _, percussion = columns(long, "corner3.P_N")
        points = self.block(self.script_of(long, "--y", "corner3.P_N", "--size", "300x300"), "c0_0")
        self.assertLessEqual(len(points), 4 * 301)
        self.assertAlmostEqual(max(y for _, y in points), max(percussion), delta=1e-8)

    # What is refused

    def test_usage_errors(self):
        figure = self.here / "figure.png"
        for words, says in [
                ([], "which result"),
                ([self.result, "-o", figure], "--y"),
                ([self.result, "--y", "crank.spin"], "-o"),
                ([self.result, "--y", "crank.spin", "-o"], "needs a value"),
                ([self.result, "--y", "crank.spin", "-o", "figure.pdf"], ".png or .svg"),
                ([self.result, "--y", "crank.spin", "-o", "png"], ".png or .svg"),
                ([self.result, "--y", "crank.spn", "-o", figure], "did you mean 'crank.spin'"),
                ([self.result, "--y", "crank.spin", "--x", "slider.xx", "-o", figure],
                 "did you mean 'slider.x'"),
                ([self.result, "--y", "crank.spin,,rod.spin", "-o", figure], "empty"),
                ([self.result, "--y", "", "-o", figure], "empty"),
                ([self.result, "--y", "crank.spin", "--size", "10x10", "-o", figure], "--size"),
                ([self.result, "--y", "crank.spin", "--size", "800", "-o", figure], "--size"),
                ([self.result, "--y", "crank.spin", "--size", "800x600x", "-o", figure], "--size"),
                ([self.result, "--y", "crank.spin", "--from", "x", "-o", figure], "--from"),
                ([self.result, "--y", "crank.spin", "--to", "nan", "-o", figure], "--to"),
                ([self.result, "--y", "crank.spin", "--from", "2", "--until", "1", "-o", figure],
                 "--from is after --until"),
                ([self.result, "--y", "crank.spin", "--from", "5", "-o", figure], "no rows"),
                ([self.result, "--y", "crank.spin", "--titel", "x", "-o", figure],
                 "did you mean '--title'"),
                ([self.result, "-y", "crank.spin", "-o", figure], "no option '-y'"),
                ([self.result] * 17 + ["--list"], "more than"),
                ([self.result, "-o", figure] + ["--y", "crank.spin"] * 13, "more than"),
                ([self.result, "-o", figure, "--y", ",".join(["crank.spin"] * 17)], "more than"),
        ]:
            with self.subTest(words=words):
                self.expect(USAGE, "plot", *words, says=says)
                self.assertEqual(self.files(), [])

    def test_what_is_no_result_is_refused(self):
        garbage = self.here / "garbage.h5"
        garbage.write_bytes(os.urandom(5000))
        cut = self.here / "cut.h5"
        cut.write_bytes(self.result.read_bytes()[:100000])
        figure = self.here / "figure.png"
        for path in (self.here / "none.h5", garbage, cut, MODELS / "slider-crank.yaml", self.here):
            with self.subTest(path=path):
                self.expect(MODEL, "plot", path, "--y", "crank.spin", "-o", figure, says=str(path))
                self.expect(MODEL, "plot", self.result, path, "--list", says=str(path))
        self.assertFalse(figure.exists())

    def test_a_figure_that_cannot_be_written(self):
        for out in (self.here / "none" / "figure.png", "/dev/null/figure.png"):
            self.expect(OUTPUT, "plot", self.result, "--y", "crank.spin", "-o", out, says=str(out))
        folder = self.here / "folder.png"
        folder.mkdir()
        self.expect(OUTPUT, "plot", self.result, "--y", "crank.spin", "-o", folder, says="directory")
        self.assertEqual(self.files(), ["folder.png"])

    @unittest.skipIf(os.geteuid() == 0, "root may write everything")
    def test_a_protected_figure_is_kept(self):
        figure = self.here / "figure.png"
        figure.write_text("precious")
        figure.chmod(0o444)
        self.expect(OUTPUT, "plot", self.result, "--y", "crank.spin", "-o", figure, says="denied")
        self.assertEqual(figure.read_text(), "precious")

    def test_a_link_stays_a_link(self):
        target = self.here / "target.png"
        target.write_text("old")
        (self.here / "link.png").symlink_to("target.png")
        path = self.draw(self.result, "--y", "crank.spin", name="link.png")
        self.assertTrue(path.is_symlink())
        self.assertEqual(png_size(target), (1200, 720))

    def test_without_gnuplot_the_package_is_named(self):
        self.expect(OUTPUT, "plot", self.result, "--y", "crank.spin", "-o",
                    self.here / "figure.png", env={"PATH": str(self.here)}, says="gnuplot-nox")
        self.assertEqual(self.files(), [])

    def test_nothing_half_drawn_is_left(self):
        figure = self.here / "figure.png"
        figure.write_text("precious")
        for script, says in [("printf '\\211PNG'; echo 'line 3: it broke' >&2; exit 1\n", "it broke"),
                             ("printf '\\211PNG'\n", "all of the figure"),
                             ("exit 0\n", "all of the figure"), ("kill -9 $$\n", "no reason")]:
            with self.subTest(script=script):
                env = self.fake_gnuplot(script)
                self.expect(OUTPUT, "plot", self.result, "--y", "crank.spin", "-o", figure, env=env,
                            says=says)
                shutil.rmtree(self.here / "bin")
                self.assertEqual(self.files(), ["figure.png"])
                self.assertEqual(figure.read_text(), "precious")

    def test_help_tells_the_options(self):
        page = self.expect(DONE, "plot", "--help")
        for text in ("-o, --out", "--impacts", "--size WxH", "--y NAME"):
            self.assertIn(text, page)

    def test_run_takes_the_letter_too(self):
        result = self.here / "ball.h5"
        self.assertEqual(percuss("run", MODELS / "bouncing-ball.yaml", "--quiet", "-o", result)
                         .returncode, DONE)
        self.assertTrue(result.exists())


if __name__ == "__main__":
    unittest.main()
