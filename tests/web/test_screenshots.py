"""The screenshots of the viewer in docs/images/view are current: made again in a browser, they are the same but for noise
of fonts and smoothing. `test_screenshots.py PERCUSS --make FOLDER` makes them."""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import browser

browser.require()

from program import DONE, ProgramTest, percuss, run_model
from test_pictures import pixels

SHOTS = pathlib.Path("docs/images/view")
PAGES = {  # model: options of the run, the time that is shown [s], options of the window
    "slider-crank": ([], 0.0296, {}),
    "tippedisk": (["--until", "1.5"], 0.4, {}),
    "flexible-slider-crank": (["--until", "0.03"], 0.012, {"dark": True}),
    "dominoes": (["--until", "0.8"], 0.7, {}),
    "spheres-in-a-box": (["--set", "N=64", "--until", "0.4"], 0.4, {}),
}
TILE = 40           # pixels
MEAN_NOISE = 0.02   # mean difference of all pixels, of full white
TILE_NOISE = 0.30   # the same of the worst tile: a text that another font draws


def take(folder):
    with tempfile.TemporaryDirectory(prefix="percuss-") as work:
        for model, (run, time, how) in PAGES.items():
            result, page = pathlib.Path(work) / f"{model}.h5", pathlib.Path(work) / f"{model}.html"
            run_model(model, result, *run)
            done = percuss("view", result, "-o", page)
            assert done.returncode == DONE, done.stderr
            window = browser.Browser(1100, 720)
            try:
                window.open(page)
                if how.get("dark"):
                    window.run("percuss.app.switchTheme()")
                window.seek(time)
                window.wait_until_idle()
                window.screenshot(folder / f"{model}.png")
            finally:
                window.close()


def differences(made, kept):
    """The mean difference of two pictures and that of their worst tile, of full white."""
    (a, step), (b, other) = pixels(made), pixels(kept)
    assert (len(a), len(a[0]), step) == (len(b), len(b[0]), other)
    total, worst, width = 0, 0, TILE * step
    for top in range(0, len(a), TILE):
        for left in range(0, len(a[0]), width):
            here = count = 0
            for x, y in zip(a[top:top + TILE], b[top:top + TILE]):
                if x[left:left + width] != y[left:left + width]:
                    here += sum(abs(p - q) for p, q in zip(x[left:left + width], y[left:left + width]))
                count += len(x[left:left + width])
            total += here
            worst = max(worst, here / count / 255)
    return total / len(a) / len(a[0]) / 255, worst


class Screenshots(ProgramTest):
    def test_they_are_current(self):
        take(self.here)
        self.assertEqual(self.files(), sorted(path.name for path in SHOTS.iterdir()))
        for name in self.files():
            mean, worst = differences(self.here / name, SHOTS / name)
            self.assertLessEqual(mean, MEAN_NOISE, name)
            self.assertLessEqual(worst, TILE_NOISE, name)


if __name__ == "__main__":
    if "--make" in sys.argv:
        SHOTS.mkdir(parents=True, exist_ok=True)
        take(SHOTS)
    else:
        unittest.main()
