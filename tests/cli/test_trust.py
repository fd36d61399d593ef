"""What must not mislead or do harm: forged lines, other people's files, requests to end, absurd numbers, damage."""
import json
import math
import signal
import struct
import subprocess
import time
import unittest
import xml.dom.minidom

from program import DONE, MODEL, MODELS, OUTPUT, PERCUSS, USAGE, ProgramTest, percuss, run_model

INTERRUPTED = 130
FORGED = r'''percuss: 1
title: "calm\nstatus: forged\e[31m\u0085\x7f\u202e\u2028 \u00e9\u2014"
bodies: {ball: {kind: point, mass: 1, position: [0, 1]}}
gravity: [0, -9.81]
contacts: {floor: {point: ball, plane: {point: [0, 0], normal: [0, 1]}}}
simulate: {scheme: moreau-jean, dt: 0.01, until: 0.6}
'''
TITLE = "calm\nstatus: forged\x1b[31m\x85\x7f\u202e\u2028 é—"
CONTROL = [chr(c) for c in (*range(0x20), *range(0x7f, 0xa0), 0x202e, 0x2028) if chr(c) not in "\n\t"]  # layout


class Titles(ProgramTest):
    def setUp(self):
        super().setUp()
        self.model = self.here / "forged.yaml"
        self.model.write_text(FORGED)

    def check_plain(self, text):
        self.assertEqual([c for c in CONTROL if c in text], [])

    def test_lines_are_not_forged(self):
        for command in ("run", "check"):
            text = percuss(command, self.model).stdout
            self.check_plain(text)
            self.assertNotIn("status: forged", text.splitlines())
            self.assertIn(r"calm\nstatus: forged\x1b[31m\x85\x7f\u202e\u2028 é—", text)

    def test_json_holds_the_title_itself(self):
        text = percuss("run", self.model, "--json").stdout
        self.check_plain(text)
        self.assertEqual(json.loads(text)["title"], TITLE)

    def test_drawings_stay_valid(self):
        result, film, figure = (self.here / name for name in ("r.h5", "film.svg", "figure.svg"))
        self.expect(DONE, "run", self.model, "--out", result, "--quiet")
        self.expect(DONE, "animate", result, "-o", film)
        self.expect(DONE, "plot", result, "--y", "ball.y", "--title", TITLE, "-o", figure)
        for svg in (film, figure):
            xml.dom.minidom.parse(str(svg))
            self.check_plain(svg.read_text())

    def test_pages_hold_the_title_itself(self):
        result, page = self.here / "r.h5", self.here / "page.html"
        self.expect(DONE, "run", self.model, "--out", result, "--quiet")
        self.expect(DONE, "view", result, "-o", page)
        text = page.read_text()
        start = text.index('type="application/json">') + len('type="application/json">')
        data = text[start:text.index("</script>", start)]
        self.check_plain(data)
        self.assertEqual(json.loads(data)[0]["title"], TITLE)

    def test_exported_rows_are_plain(self):
        result = self.here / "r.h5"
        self.expect(DONE, "run", self.model, "--out", result, "--quiet")
        self.check_plain(self.expect(DONE, "export", result, "--csv", "-"))

    def test_complaints_are_one_line(self):
        done = percuss("run", "no\nsuch\x1b[31m model")
        self.assertEqual(len(done.stderr.splitlines()), 1)
        self.check_plain(done.stderr)


class Files(ProgramTest):
    def test_a_file_that_is_no_result_is_replaced_by_force_only(self):
        notes = self.here / "notes.txt"
        notes.write_text("keep me\n")
        model = MODELS / "bouncing-ball.yaml"
        self.expect(OUTPUT, "run", model, "--out", notes, "--quiet", says=("no result of percuss", "--force"))
        self.assertEqual(notes.read_text(), "keep me\n")
        self.expect(DONE, "run", model, "--out", notes, "--quiet", "--force")
        self.expect(DONE, "run", model, "--out", notes, "--quiet")  # now it is one

    def test_tables_replace_tables_only(self):
        result, notes, table = (self.here / name for name in ("r.h5", "notes.txt", "r.csv"))
        notes.write_text("keep me\n")
        table.write_text("old\n")
        run_model("bouncing-ball", result)
        self.expect(OUTPUT, "export", result, "--csv", notes, says=("would be lost", ".csv"))
        self.assertEqual(notes.read_text(), "keep me\n")
        self.expect(DONE, "export", result, "--csv", table)
        self.assertIn("time", table.read_text())
        self.expect(DONE, "export", result, "--csv", self.here / "new.txt")

    def test_an_empty_file_is_replaced(self):
        (self.here / "empty.h5").touch()
        run_model("bouncing-ball", self.here / "empty.h5")

    def test_damage_is_an_error_with_the_name_of_the_dataset(self):
        result = self.here / "r.h5"
        run_model("bouncing-ball", result)
        whole = percuss("export", result, "--csv", "-", "--columns", "time").stdout
        pattern = bytearray()  # the first times, as the file holds them
        for line in whole.splitlines()[1:6]:
            pattern += struct.pack("<d", float(line.split(",")[0]))
        data = bytearray(result.read_bytes())
        at = data.find(pattern)
        self.assertGreater(at, 0)
        data[at + 20] ^= 1
        result.write_bytes(data)
        self.expect(MODEL, "export", result, "--csv", "-", "--columns", "time", says="'time'")

    def test_a_damaged_file_is_not_resumed_and_says_what_is_damaged(self):
        """A bit anywhere among the events, which lie behind the series of a short run: none is taken for a full disc."""
        result = self.here / "r.h5"
        run_model("bouncing-ball", result)
        whole = result.read_bytes()
        named = 0
        for at in range(len(whole) // 2, len(whole), len(whole) // 150):
            data = bytearray(whole)
            data[at] ^= 4
            result.write_bytes(data)
            done = percuss("run", MODELS / "bouncing-ball.yaml", "--resume", result, "--until", "6", "--quiet")
            self.assertIn(done.returncode, (DONE, MODEL), done.stderr)
            named += "/ledger/events is missing or damaged" in done.stderr
        self.assertGreater(named, 3)


class Requests(ProgramTest):
    def stop(self, number, **how):
        out = self.here / "r.h5"
        words = [PERCUSS, "run", str(MODELS / "bouncing-ball.yaml"), "--dt", "1e-8", "--until", "5", "--every",
                 "1000", "--out", str(out), "--json", "--quiet"]
        run = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **how)
        while not out.exists():
            time.sleep(0.05)
        time.sleep(0.3)
        run.send_signal(number)
        return run, out

    def test_sigterm_and_sighup_are_like_ctrl_c(self):
        for number in (signal.SIGTERM, signal.SIGHUP):
            run, out = self.stop(number)
            text = run.communicate(timeout=60)[0]
            self.assertEqual(run.returncode, INTERRUPTED)
            self.assertEqual(json.loads(text)["status"], "interrupted")
            self.expect(DONE, "export", out, "--csv", "-", "--columns", "time")
            out.unlink()

    def test_what_is_ignored_stays_ignored(self):
        def ignore():
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
        run, _ = self.stop(signal.SIGHUP, preexec_fn=ignore)
        time.sleep(0.3)
        self.assertIsNone(run.poll())
        run.terminate()
        run.communicate(timeout=60)
        self.assertEqual(run.returncode, INTERRUPTED)


class Forces(ProgramTest):
    FORCES = "rod.ax,pin.lambda.1,pin.acceleration.2"

    def run_to(self, until, *more):
        self.expect(DONE, "run", MODELS / "pendulum.yaml", "--until", until, "--record", self.FORCES, "--quiet", *more)

    def export(self, file):
        return self.expect(DONE, "export", self.here / file, "--csv", "-", "--columns", "time," + self.FORCES)

    def test_they_are_recorded_exported_and_drawn(self):
        self.run_to("0.1", "--out", self.here / "a.h5")
        first = [float(word) for word in self.export("a.h5").splitlines()[-51].split(",")]
        ax = -10 * math.cos(math.pi / 6) / 1.1 * math.sin(math.pi / 6) - 100 * math.cos(math.pi / 6)
        self.assertAlmostEqual(first[1], ax, 9)
        self.assertAlmostEqual(abs(first[2]), abs(ax), 9)
        self.assertAlmostEqual(first[3], 0, 9)
        self.expect(DONE, "plot", self.here / "a.h5", "--y", "pin.lambda.1", "-o", self.here / "a.svg")

    def test_a_part_is_recorded_with_all_of_its_quantities(self):
        """As `record: [pin]` in a model: what exists only if it is asked for is among them."""
        for name, has in (("pin", ["pin.angle", "pin.rate", "pin.force"]), ("rod", ["rod.x", "rod.spin"])):
            self.run_to("0.01", "--record", name, "--out", self.here / "a.h5")
            listed = self.expect(DONE, "plot", self.here / "a.h5", "--list")
            for quantity in has:
                self.assertIn(quantity, listed)
        self.expect(USAGE, "run", MODELS / "pendulum.yaml", "--record", "pi", says="no 'pi'")

    def test_a_run_that_goes_on_has_the_same_bits(self):
        for scheme in ("generalized-alpha", "moreau-jean"):
            self.run_to("0.2", "--scheme", scheme, "--out", self.here / "whole.h5")
            self.run_to("0.1", "--scheme", scheme, "--out", self.here / "part.h5")
            self.run_to("0.2", "--scheme", scheme, "--resume", self.here / "part.h5")
            self.assertEqual(self.export("whole.h5"), self.export("part.h5"))

    def test_other_names_are_refused(self):
        self.expect(USAGE, "run", MODELS / "pendulum.yaml", "--record", "rod.az", says=("no 'rod.az'", "did you mean"))
        self.run_to("0.01", "--out", self.here / "a.h5")
        self.expect(USAGE, "run", MODELS / "pendulum.yaml", "--resume", self.here / "a.h5", "--until", "0.02", says="record")

    def test_sweeps_collect_them(self):
        self.expect(DONE, "sweep", MODELS / "bouncing-ball.yaml", "--set", "f=list:-2,-3", "--until", "6", "--dt", "0.01",
                    "--collect", "final.floor.lambda_N,min(q'')", "-o", self.here / "t.csv", "--quiet")
        rows = [line.split(",") for line in (self.here / "t.csv").read_text().splitlines() if line[0] in "01"]
        self.assertEqual([row[2:4] for row in rows], [["2", "-2"], ["3", "-3"]])


class Numbers(ProgramTest):
    def test_absurd_steps_are_refused_with_the_reason(self):
        model = MODELS / "bouncing-ball.yaml"
        self.expect(USAGE, "run", model, "--dt", "1e300", says="at most 1e12")
        self.expect(USAGE, "run", model, "--dt", "1e-13", says=("too many steps", "1e+12", "12 days"))
        self.expect(USAGE, "run", model, "--until", "1e300", says="too many steps")
        (self.here / "m.yaml").write_text("percuss: 1\ncoordinates: {x: 1}\nkinetic: x'^2/2\nsimulate: {dt: 1e300}\n")
        self.expect(MODEL, "run", self.here / "m.yaml", "--until", "1", says="at most 1e12")


if __name__ == "__main__":
    unittest.main()
