"""The viewer's page in a real browser: it loads, plays, scrubs, picks, overlays, prints, and asks for nothing."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import browser

browser.require()

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from program import DONE, ProgramTest, percuss, run_model
from test_view import many_balls


class Viewer(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.browser = browser.Browser()
        cls.crank = cls.shared / "crank.html"
        cls.make("slider-crank", cls.crank)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        super().tearDownClass()

    @classmethod
    def make(cls, model, page, *options):
        result = page.with_suffix(".h5")
        run_model(model, result, *options)
        done = percuss("view", result, "-o", page)
        assert done.returncode == DONE, done.stderr

    def open(self, page):
        self.browser.requests()
        self.browser.messages()
        self.browser.open(page)

    def tearDown(self):
        """Whatever was done: no console error, no request but for the page itself."""
        self.assertEqual(self.browser.messages(), [])
        self.assertEqual([url for url in self.browser.requests() if not url.startswith("file:")], [])

    def ink(self):
        """How many pixels of the picture differ from the paper."""
        return self.browser.run("""(() => {
            const viewport = percuss.app.viewport, gl = viewport.renderer.getContext();
            viewport.render(percuss.time);
            const w = gl.drawingBufferWidth, h = gl.drawingBufferHeight, p = new Uint8Array(4 * w * h);
            gl.readPixels(0, 0, w, h, gl.RGBA, gl.UNSIGNED_BYTE, p);
            let count = 0;
            for (let i = 0; i < p.length; i += 4) count += p[i] !== p[0] || p[i + 1] !== p[1] || p[i + 2] !== p[2];
            return count;
        })()""")

    def key(self, *keys):
        self.browser.driver.find_element(By.TAG_NAME, "body").send_keys(*keys)
        self.browser.wait_until_idle()

    def test_it_loads_and_draws(self):
        self.open(self.crank)
        self.assertGreater(self.ink(), 2000)
        self.assertEqual(self.browser.run("document.getElementById('message').hidden"), True)
        self.assertIn("Slider-crank", self.browser.driver.title)

    def test_every_model_loads(self):
        for model in ("tippedisk", "flexible-slider-crank", "bouncing-ball", "elastic-bar", "circuit-breaker", "rattleback"):
            with self.subTest(model):
                page = self.shared / f"{model}.html"
                steps = {"circuit-breaker": ["--until", "2e-5"], "flexible-slider-crank": ["--until", "0.01"]}
                self.make(model, page, *steps.get(model, []))
                self.open(page)
                self.assertGreater(self.ink(), 500)

    def test_scrubbing_moves_the_bodies_and_the_cursor(self):
        self.open(self.crank)
        time = self.browser.driver.find_element(By.ID, "time")
        before = self.browser.run("percuss.picture()")
        self.browser.run("(arguments[0].value = 0.5, arguments[0].dispatchEvent(new Event('input')))", time)
        self.browser.wait_until_idle()
        self.assertAlmostEqual(self.browser.run("percuss.time"), 0.04, delta=1e-9)
        self.assertNotEqual(self.browser.run("percuss.picture()"), before)
        self.assertIn("40.0", self.browser.driver.find_element(By.ID, "clock").text)

    def test_the_crank_is_drawn_where_the_result_has_it(self):
        self.open(self.crank)
        self.browser.seek(0.05)
        shown = self.browser.run("Array.from(percuss.app.viewport.mechanisms[0].motion.position.slice(0, 2))")
        text = percuss("export", self.crank.with_suffix(".h5"), "--csv", "-", "--columns", "crank.x,crank.y").stdout
        row = min((list(map(float, line.split(","))) for line in text.splitlines()[1:]), key=lambda r: abs(r[0] - 0.05))
        for a, b in zip(shown, row[1:]):
            self.assertAlmostEqual(a, b, delta=1e-4)

    def test_playing_and_keys(self):
        self.open(self.crank)
        self.key(" ")
        self.browser.wait_until_idle()
        self.browser.wait_until_idle()
        self.key(" ")
        first = self.browser.run("percuss.time")
        self.assertGreater(first, 0)
        self.key(Keys.ARROW_RIGHT)
        self.assertGreater(self.browser.run("percuss.time"), first)
        self.key(Keys.HOME)
        self.assertEqual(self.browser.run("percuss.time"), 0)
        self.key("]")
        impacts = self.browser.run("Array.from(percuss.app.results[0].impacts.time)")
        self.assertAlmostEqual(self.browser.run("percuss.time"), impacts[0], delta=1e-12)
        self.key("d")
        self.assertTrue(self.browser.run("document.documentElement.classList.contains('dark')"))
        self.key("d")

    def test_a_click_on_an_impact_goes_there(self):
        self.open(self.crank)
        button = self.browser.driver.find_elements(By.CSS_SELECTOR, "#impacts button")[3]
        self.browser.run("arguments[0].click()", button)
        self.browser.wait_until_idle()
        self.assertAlmostEqual(self.browser.run("percuss.time"),
                               self.browser.run("percuss.app.results[0].impacts.time[3]"), delta=1e-12)

    def test_contacts_between_shapes_are_lit_and_listed(self):
        """Dominoes: every one stands on the floor by two contacts; impacts go to where one hits the next."""
        page = self.shared / "dominoes.html"
        if not page.exists():
            self.make("dominoes", page, "--set", "N=5", "--until", "0.3")
        self.open(page)
        self.browser.run("percuss.seek(0.01)")
        self.browser.wait_until_idle()
        shown = self.browser.run("[percuss.app.viewport.mechanisms[0].shown.length, percuss.app.viewport.mechanisms[0].arrows.count]")
        self.assertEqual(shown[0], 9)  # the first one stands on its edge
        self.assertGreaterEqual(shown[1], 8)
        panel = self.browser.run("document.getElementById('digest').textContent")
        self.assertIn("domino3 - ground", panel)
        self.assertIn("friction", panel)
        names = self.browser.run("[...document.querySelectorAll('#impacts button b')].map(b => b.textContent)")
        self.assertIn("domino0 - domino1", names)
        button = names.index("domino0 - domino1")
        self.browser.run(f"document.querySelectorAll('#impacts button')[{button}].click()")
        self.browser.wait_until_idle()
        self.assertGreater(self.browser.run("percuss.time"), 0.05)
        self.assertGreater(self.ink(), 1000)

    def test_a_click_on_a_body_picks_it(self):
        self.open(self.crank)
        self.browser.seek(0.03)
        x, y = self.place_of("slider")
        canvas = self.browser.driver.find_element(By.ID, "canvas")
        area = canvas.rect
        ActionChains(self.browser.driver).move_to_element_with_offset(
            canvas, int(x - area["x"] - area["width"] / 2), int(y - area["y"] - area["height"] / 2) + 12).click().perform()
        self.browser.wait_until_idle()
        self.assertIn("slider", self.browser.driver.find_element(By.ID, "picked").text)
        self.key("t", "f")
        self.assertEqual(self.browser.run("percuss.app.viewport.traces.length"), 1)
        before = self.place_of("slider")
        self.browser.seek(0.05)
        after = self.place_of("slider")
        self.assertAlmostEqual(before[0], after[0], delta=1.5)  # the camera follows it
        self.assertAlmostEqual(before[1], after[1], delta=1.5)

    def place_of(self, name):
        """Where the centre of a body is in the window [pixels]."""
        return self.browser.run("""(() => {
            const s = percuss.app.viewport, k = percuss.app.results[0].tracks.findIndex(t => t.name === arguments[0]);
            const at = s.controls.target.clone().fromArray(s.mechanisms[0].motion.position, 3 * k).project(s.camera);
            const area = s.canvas.getBoundingClientRect();
            return [area.left + (at.x + 1) / 2 * area.width, area.top + (1 - at.y) / 2 * area.height];
        })()""", name)

    def test_bodies_in_space_are_picked(self):
        page = self.shared / "sphere.html"
        self.make("rolling-sphere-turning-slip", page)
        self.open(page)
        self.assertEqual(self.browser.run("percuss.pick(...arguments[0])", self.place_of("ball")), "ball")

    def test_plots_can_be_added(self):
        self.open(self.crank)
        before = len(self.browser.driver.find_elements(By.CSS_SELECTOR, ".plot canvas"))
        self.assertTrue(self.browser.run("percuss.plot('rod.spin')"))
        self.assertFalse(self.browser.run("percuss.plot('no.such')"))
        self.assertEqual(len(self.browser.driver.find_elements(By.CSS_SELECTOR, ".plot canvas")), before + 1)

    def test_results_are_overlaid(self):
        page, other = self.shared / "two.html", self.shared / "rattle.h5"
        run_model("slider-crank", other, "--scheme", "rattle")
        self.assertEqual(percuss("view", self.crank.with_suffix(".h5"), other, "-o", page).returncode, DONE)
        self.open(page)
        self.assertEqual(self.browser.run("percuss.app.viewport.mechanisms.length"), 2)
        self.assertIn("rattle", self.browser.driver.find_element(By.ID, "results").text)
        self.browser.seek(0.07)
        both = self.ink()
        self.browser.run("document.querySelectorAll('#results input')[1].click()")
        self.browser.wait_until_idle()
        self.assertLess(self.ink(), both)
        colours = "[...document.querySelectorAll('.swatch')].map(s => s.style.background)"
        light = self.browser.run(colours)
        self.key("d")
        self.assertEqual(len(set(light + self.browser.run(colours))), 4)  # lighter on dark paper
        self.key("d")
        self.assertEqual(self.browser.run(colours), light)

    def test_marks_are_no_larger_than_bodies(self):
        """Dominoes of 8 mm: the mark of a contact covers none of them; a crank drawn by links has marks of full size."""
        page = self.shared / "row.html"
        self.make("dominoes", page, "--set", "N=30", "--until", "0.02")
        self.open(page)
        size, width, full = self.browser.run("""(() => {
            const v = percuss.app.viewport, m = v.mechanisms[0];
            return [m.lit.material.size, m.bodyWidth / v.metresPerPixel, m.lit.size];
        })()""")
        self.assertAlmostEqual(self.browser.run("percuss.app.viewport.mechanisms[0].bodyWidth"), 0.008, delta=1e-6)
        self.assertLess(width, 10)
        self.assertLessEqual(size, max(1.1 * width, 0.3 * full) + 1e-9)
        self.open(self.crank)
        self.assertEqual(self.browser.run("percuss.app.viewport.mechanisms[0].lit.material.size"), full)

    def test_arrows_are_in_the_picture(self):
        page = self.shared / "rod.html"
        self.make("painleve-rod", page)
        self.open(page)
        low = self.browser.run("""(() => {
            const v = percuss.app.viewport, m = v.mechanisms[0], area = [1, -1];
            m.tails(v.arrowPixels * v.metresPerPixel, p => { const at = p.clone().project(v.camera);
                area[0] = Math.min(area[0], at.y); area[1] = Math.max(area[1], Math.abs(at.x)); });
            return area;
        })()""")
        self.assertGreater(low[0], -1)
        self.assertLess(low[1], 1)

    def test_the_first_plot_is_of_something_that_moves(self):
        for model, options, name in (("cam-follower", ["--until", "0.05"], "cam.angle"), ("flyball-governor", ["--until", "0.1"], "shaft.qw"),
                                     ("rolling-disc", ["--until", "0.2"], "disc.x")):
            page = self.shared / f"{model}.html"
            self.make(model, page, *options)
            self.open(page)
            names = self.browser.run("percuss.app.plots.plots.map(p => p.names[0])")
            self.assertEqual(names[-1], name)

    def test_ticks_differ(self):
        """A bar that moves by a few hundredths of a millimetre, a metre from the origin."""
        page = self.shared / "bar.html"
        self.make("impacting-bar", page)
        self.open(page)
        texts = self.browser.run("percuss.app.plots.plots.at(-1).chart.axes[1]._values")
        self.assertGreater(len(texts), 1)
        self.assertEqual(len(set(texts)), len(texts))

    def test_plots_share_the_window(self):
        self.open(self.crank)
        self.browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 1000, "height": 640, "deviceScaleFactor": 1, "mobile": False})
        self.browser.wait_until_idle()
        self.browser.wait_until_idle()
        box = self.browser.run("[document.getElementById('plots').scrollHeight, document.getElementById('plots').clientHeight]")
        self.assertLessEqual(box[0], box[1] + 1)
        self.browser.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {"width": 1280, "height": 860, "deviceScaleFactor": 1, "mobile": False})

    def test_names_do_not_cover_each_other(self):
        page = self.shared / "row.html"
        if not page.exists():
            self.make("dominoes", page, "--set", "N=30", "--until", "0.02")
        self.open(page)
        self.key("n")
        areas = self.browser.run("[...document.querySelectorAll('#labels span')].filter(s => !s.hidden).map(s => { const r = s.getBoundingClientRect();"
                                 " return [r.left, r.top, r.right, r.bottom]; })")
        self.assertGreater(len(areas), 2)
        for i, a in enumerate(areas):
            for b in areas[:i]:
                self.assertFalse(a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3])

    def test_it_can_be_printed(self):
        self.open(self.crank)
        self.browser.run("window.dispatchEvent(new Event('beforeprint'))")
        self.assertTrue(self.browser.run("document.getElementById('print').src.startsWith('data:image/png')"))
        self.browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        shown = self.browser.run("['print', 'canvas', 'transport'].map(id => getComputedStyle(document.getElementById(id)).display)")
        self.assertEqual(shown[:2], ["block", "none"])
        pdf = self.browser.driver.execute_cdp_cmd("Page.printToPDF", {})
        self.assertGreater(len(pdf["data"]), 10000)
        self.browser.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})

    def test_fingers_and_speed(self):
        self.open(self.crank)
        send, area = self.browser.driver.execute_cdp_cmd, self.browser.driver.find_element(By.ID, "canvas").rect
        x, y = area["x"] + area["width"] / 2, area["y"] + area["height"] / 2
        before = self.browser.run("percuss.app.viewport.controls.target.x")
        send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [{"x": x, "y": y}]})
        for k in range(1, 6):
            send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [{"x": x + 20 * k, "y": y}]})
        send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
        self.browser.wait_until_idle()
        self.assertLess(self.browser.run("percuss.app.viewport.controls.target.x"), before)  # the picture went to the right
        speed = self.browser.run("percuss.app.speed")
        self.key("+")
        self.assertGreater(self.browser.run("percuss.app.speed"), speed)

    def test_it_works_in_a_frame_of_a_notebook(self):
        text = self.crank.read_text()
        outer = self.shared / "notebook.html"
        quoted = text.replace("&", "&amp;").replace('"', "&quot;")
        outer.write_text(f'<!DOCTYPE html><iframe sandbox="allow-scripts" width=900 height=600 srcdoc="{quoted}"></iframe>')
        self.open(outer)
        self.browser.driver.switch_to.frame(0)
        self.browser.wait_until_idle()
        self.assertGreater(self.ink(), 2000)
        self.browser.driver.switch_to.default_content()

    def test_a_narrow_screen(self):
        self.open(self.crank)
        emulate = self.browser.driver.execute_cdp_cmd
        emulate("Emulation.setDeviceMetricsOverride", {"width": 400, "height": 800, "deviceScaleFactor": 2, "mobile": True})
        self.browser.wait_until_idle()
        self.browser.wait_until_idle()
        self.assertLessEqual(self.browser.run("document.documentElement.scrollWidth"), 400)
        self.assertGreater(self.ink(), 2000)
        emulate("Emulation.setDeviceMetricsOverride", {"width": 1280, "height": 860, "deviceScaleFactor": 1, "mobile": False})

    def test_ten_thousand_balls_play(self):
        model, page = self.here / "balls.yaml", self.here / "balls.html"
        model.write_text(many_balls(10000).replace("until: 10", "until: 0.6"))
        result = self.here / "balls.h5"
        self.assertEqual(percuss("run", model, "--out", result, "--quiet").returncode, DONE)
        self.assertEqual(percuss("view", result, "-o", page).returncode, DONE)
        self.open(page)
        # What the program itself does for a frame; the drawing is the graphics card's, which is not here.
        cost = self.browser.run("""(() => {
            const m = percuss.app.viewport.mechanisms[0], t = percuss.app.until / 2, start = performance.now();
            for (let k = 0; k < 10; k++) m.update(t * (1 + k / 100), 0.1);
            return (performance.now() - start) / 10;
        })()""")
        self.assertLess(cost, 50)  # [ms], on a slow shared processor; some 8 on a desktop
        self.assertLessEqual(self.browser.run("percuss.app.viewport.renderer.info.render.calls"), 12)


if __name__ == "__main__":
    unittest.main()
