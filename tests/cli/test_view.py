"""percuss view: what is in the page, without a browser (tests/web has one)."""
import base64
import json
import math
import re
import struct
import unittest

from program import DONE, MODEL, OUTPUT, USAGE, ProgramTest, percuss, run_model

FORMAT = {"f": 4, "d": 8, "I": 4}


def unpack(text, kind):
    data = base64.b64decode(text, validate=True)
    return struct.unpack(f"<{len(data) // FORMAT[kind]}{kind}", data)


def data_of(path):
    """The results in a page."""
    text = path.read_text()
    found = re.search(r'<script id="percuss-data" type="application/json">(.*?)</script>', text, re.S)
    return json.loads(found.group(1))


def columns(result, *names):
    """Columns of a result by their names, from the CSV export."""
    text = percuss("export", result, "--csv", "-", "--columns", ",".join(names)).stdout.splitlines()
    rows = [list(map(float, line.split(","))) for line in text[1:]]
    return list(zip(*rows))


def many_balls(count):
    """A model of balls above a floor."""
    side = math.ceil(count ** 0.5)
    lines = ["percuss: 1", "space: spatial", "gravity: [0, 0, -9.81]", "bodies:"]
    lines += [f"  b{i}: {{mass: 1, inertia: [0.1, 0.1, 0.1], position: [{i % side}, {i // side}, 1.2],"
              f" angular_velocity: [{i % 7}, 1, 0]}}" for i in range(count)]
    lines += ["contacts:"]
    lines += [f"  c{i}: {{sphere: b{i}, radius: 0.4, plane: {{point: [0, 0, 0], normal: [0, 0, 1]}},"
              " friction: 0.3, restitution: 0.5}" for i in range(count)]
    return "\n".join(lines + ["simulate: {scheme: moreau-jean, dt: 1e-2, until: 10}", ""])


class ViewTest(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.result = cls.shared / "crank.h5"
        run_model("slider-crank", cls.result, "--until", "0.04")

    def view(self, *words, out="view.html"):
        path = self.here / out
        self.assertEqual(self.expect(DONE, "view", *words, "-o", path), "")
        return path

    def test_the_page_asks_for_nothing(self):
        text = self.view(self.result).read_text()
        self.assertNotRegex(text[:20000], r"<(script|link|img)\b[^>]*\b(src|href)\s*=\s*[\"'](?!data:|blob:|#)")
        self.assertIn("default-src 'none'", text)
        self.assertLess(len(text), 3e6)

    def test_poses_are_those_of_the_result(self):
        data, = data_of(self.view(self.result))
        time, poses = unpack(data["time"], "d"), unpack(data["poses"], "f")
        self.assertEqual(len(poses), data["frames"] * data["numbers"])
        t, x, y, angle = columns(self.result, "rod.x", "rod.y", "rod.angle")
        rod, = [track for track in data["tracks"] if track["name"] == "rod"]
        self.assertEqual(rod["kind"], "planar")
        for k, now in enumerate(time):
            row = min(range(len(t)), key=lambda i: abs(t[i] - now))
            for value, i in zip((x, y, angle), range(3)):
                self.assertAlmostEqual(poses[k * data["numbers"] + rod["at"] + i], value[row], delta=1e-6)

    def test_rotations_in_space_are_those_of_the_result(self):
        result = self.here / "disk.h5"
        run_model("tippedisk", result, "--until", "0.3")
        data, = data_of(self.view(result))
        time, poses = unpack(data["time"], "d"), unpack(data["poses"], "f")
        t, *q = columns(result, "disk.qw", "disk.qx", "disk.qy", "disk.qz")
        for k, now in enumerate(time):
            row = min(range(len(t)), key=lambda i: abs(t[i] - now))
            v = poses[k * data["numbers"] + 3:k * data["numbers"] + 6]
            angle = math.hypot(*v)
            mine = [math.cos(angle / 2)] + [math.sin(angle / 2) / angle * c if angle else 0 for c in v]
            dot = sum(a * value[row] for a, value in zip(mine, q))
            self.assertAlmostEqual(abs(dot), 1, delta=1e-6)

    def test_impulses_of_frames_add_up(self):
        data, = data_of(self.view(self.result))
        c = data["contacts"]
        self.assertEqual(c["left_out"], 0)
        contact, impulse = unpack(c["contact"], "I"), unpack(c["impulse"], "f")
        for k, name in enumerate(c["names"]):
            drawn = sum(impulse[3 * i + 1] for i, own in enumerate(contact) if own == k)
            _, P_N = columns(self.result, f"{name}.P_N")
            self.assertAlmostEqual(abs(drawn), sum(P_N), delta=1e-5 * max(P_N) + 1e-9)

    def test_quantities_keep_their_peaks(self):
        fine = self.here / "fine.h5"
        run_model("slider-crank", fine, "--until", "0.04", "--dt", "1e-5")
        data, = data_of(self.view(fine))
        names = [name for name, _ in data["series"]["names"]]
        for name in ("corner1.P_N", "corner2.P_N", "corner3.P_N", "corner1.gap_velocity", "slider.vx", "rod.spin"):
            values = unpack(data["series"]["values"][names.index(name)], "f")
            _, kept = columns(fine, name)
            self.assertLess(len(values), len(kept))
            for extreme in (min, max):
                self.assertAlmostEqual(extreme(values), extreme(kept), delta=1e-6 * max(map(abs, kept)), msg=name)

    def test_the_digest_and_the_impacts(self):
        data, = data_of(self.view(self.result))
        t, gap, P_N = columns(self.result, "corner1.gap", "corner1.P_N")
        closings = sum(b > 0 and not a > 0 for a, b in zip(P_N, P_N[1:]))
        line, = [line for line in data["digest"]["contacts"] if line[0] == "corner1"]
        self.assertEqual(line[1], closings)
        self.assertAlmostEqual(line[2], max(P_N), delta=1e-9)
        contact = unpack(data["impacts"]["contact"], "I")
        self.assertEqual(sum(data["contact_names"][k] == "corner1" for k in contact), closings)
        self.assertGreaterEqual(data["digest"]["penetration"][1], -min(gap) * (1 - 1e-8))
        times = unpack(data["impacts"]["time"], "d")
        self.assertEqual(sorted(times), list(times))

    def test_quantities_can_be_chosen(self):
        data, = data_of(self.view(self.result, "--y", "crank.spin,corner1.gap"))
        self.assertEqual(data["series"]["names"], [["crank.spin", "rad/s"], ["corner1.gap", "m"]])
        self.expect(USAGE, "view", self.result, "-o", self.here / "x.html", "--y", "crank.spon", says="crank.spin")

    def test_several_results(self):
        other = self.here / "rattle.h5"
        run_model("slider-crank", other, "--until", "0.03", "--scheme", "rattle")
        first, second = data_of(self.view(self.result, other))
        self.assertEqual([first["file"], second["file"]], ["crank.h5", "rattle.h5"])
        self.assertIn("scheme=rattle", second["digest"]["options"])

    def test_texts_of_a_model_cannot_leave_the_data(self):
        model = self.here / "evil.yaml"
        model.write_text("percuss: 1\ntitle: '</script><script>alert(1)</script>'\n"
                         "coordinates: {x: 1}\nkinetic: x'^2/2\npotential: x\n"
                         "contacts: {floor: {gap: x}}\nsimulate: {scheme: moreau, dt: 0.01, until: 0.1}\n")
        self.expect(DONE, "run", model, "--out", self.here / "evil.h5", "--quiet")
        data, = data_of(self.view(self.here / "evil.h5"))
        self.assertEqual(data["title"], "</script><script>alert(1)</script>")

    def test_a_hundred_bodies_for_ten_seconds_are_below_3_MB(self):
        model, result = self.here / "balls.yaml", self.here / "balls.h5"
        model.write_text(many_balls(100))
        self.expect(DONE, "run", model, "--out", result, "--quiet")
        page = self.view(result)
        data, = data_of(page)
        self.assertEqual(data["frames"], 601)
        self.assertLess(page.stat().st_size, 3e6)

    def test_what_is_refused(self):
        self.expect(USAGE, "view", says="which result")
        self.expect(USAGE, "view", self.result, says="-o VIEW.html")
        self.expect(USAGE, "view", self.result, "-o", self.here / "x.txt", says=".html")
        self.expect(USAGE, "view", self.result, "-o", self.here / "x.html", "--from", "2", "--until", "1", says="--from")
        self.expect(USAGE, "view", self.result, "-o", self.here / "x.html", "--fps", "0", says="positive")
        self.expect(MODEL, "view", self.here / "none.h5", "-o", self.here / "x.html", says="none.h5")
        self.expect(OUTPUT, "view", self.result, "-o", self.here / "no" / "x.html", says="no")
        self.assertEqual(self.files(), [])


if __name__ == "__main__":
    unittest.main()
