#!/usr/bin/env python3
"""percuss sweep: the same rows however they are done, and nothing lost or counted twice when something goes wrong."""
import csv
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
import unittest

try:
    import h5py
    import numpy as np
except ImportError:  # they are in the system's Python
    if sys.executable == "/usr/bin/python3":
        raise
    os.execv("/usr/bin/python3", ["/usr/bin/python3", *sys.argv])

from program import DONE, FAILED, MODELS, OUTPUT, PERCUSS, USAGE, MODEL, ProgramTest, figure, percuss

CRANK = [MODELS / "slider-crank-minimal.yaml", "--scheme", "moreau", "--dt", "1e-4", "--until", "0.02"]
COLLECT = ["--collect", "final.th1,max(corner1.P_N),count(corner1.closed),at(corner1.closed: time, last=3)"]
GRID = [*CRANK, "--set", "mu=0.01:0.1:12", *COLLECT, "--quiet"]


def lines(file):
    return [l for l in pathlib.Path(file).read_text().splitlines() if not l.startswith("#")]


def statuses(file):
    return [l.split(",")[-2] for l in lines(file)[1:]]


class Tables(ProgramTest):
    def sweep(self, name, *words):
        table = self.here / name
        self.expect(DONE, "sweep", *words, "--out", table)
        return table

    def test_rows_do_not_depend_on_threads_shares_or_format(self):
        one = self.sweep("1.csv", *GRID, "--threads", 1)
        self.assertEqual(len(lines(one)), 13)
        self.assertEqual(one.read_bytes(), self.sweep("3.csv", *GRID, "--threads", 3).read_bytes())
        shares = [self.sweep(f"s{k}.csv", *GRID, "--shard", f"{k}/4") for k in range(1, 5)]
        self.expect(DONE, "sweep", "--merge", *reversed(shares), "--out", self.here / "merged.csv")
        self.assertEqual((self.here / "merged.csv").read_bytes(), one.read_bytes())
        binary = self.sweep("1.h5", *GRID)
        self.expect(DONE, "sweep", "--merge", binary, "--out", self.here / "text.csv")
        self.assertEqual((self.here / "text.csv").read_bytes(), one.read_bytes())
        with h5py.File(binary) as f:
            rows = [l.split(",") for l in lines(one)[1:]]
            self.assertEqual([float(r[1]) for r in rows], list(f["values/mu"]))
            self.assertEqual([float(r[3]) for r in rows], list(f["values/max(corner1.P_N)"]))
            name = "at(corner1.closed: time, last=3)"
            self.assertEqual(len(f[f"lists/{name}/value"]), f[f"lists/{name}/end"][-1])

    def test_a_row_is_what_a_run_gives(self):
        table = self.sweep("t.csv", *GRID)
        row = lines(table)[6].split(",")
        done = percuss("run", *CRANK, "--set", f"mu={row[1]}", "--json", "--out", self.here / "r.h5")
        self.assertEqual(float(row[2]), json.loads(done.stdout)["final"]["th1"])
        with h5py.File(self.here / "r.h5") as f:
            impulse = f["series/corner1.P_N"][:]
            self.assertEqual(float(row[3]), impulse.max())
            closed = (impulse[1:] > 0) & (impulse[:-1] == 0)
            self.assertEqual(float(row[4]), closed.sum())
            self.assertEqual([float(x) for x in row[5].split()], list(f["time"][1:][closed][-3:]))

    def test_samples_are_reproducible(self):
        words = [*CRANK, "--set", "mu=normal(0.05,0.01)", "--set", "e=uniform(0.3,0.5)", "--samples", 40,
                 "--collect", "max(corner1.P_N)", "--quiet"]
        a, b = self.sweep("a.csv", *words), self.sweep("b.csv", *words, "--threads", 1)
        self.assertEqual(a.read_bytes(), b.read_bytes())
        c = self.sweep("c.csv", *words, "--seed", 1)
        self.assertNotEqual(lines(a), lines(c))
        d = self.sweep("d.csv", *words, "--sampling", "random")
        self.assertNotEqual(lines(a), lines(d))
        out = json.loads(self.expect(DONE, "sweep", *words, "--json", "--out", self.here / "e.csv"))
        values = np.array([float(l.split(",")[3]) for l in lines(a)[1:]])
        s = out["statistics"]["max(corner1.P_N)"]
        self.assertAlmostEqual(s["mean"], values.mean(), places=14)
        self.assertAlmostEqual(s["spread"], values.std(ddof=1), places=14)
        self.assertAlmostEqual(s["mean_error"], values.std(ddof=1) / np.sqrt(40), places=14)

    def test_failed_runs_are_rows_with_a_reason(self):
        model = self.here / "m.yaml"
        model.write_text("percuss: 1\nparameters: {k: 1}\ncoordinates: {x: 1}\nkinetic: x'^2/2\n"
                         "potential: log(k)*x^2/2\nsimulate: {scheme: moreau-jean, dt: 0.01, until: 0.1}\n")
        table = self.sweep("t.csv", model, "--set", "k=list:1,-1,2", "--collect", "final.x", "--keep", "0,2")
        self.assertEqual([s == "done" for s in statuses(table)], [True, False, True])
        self.assertIn("nan", lines(table)[2])
        self.assertGreater(len(lines(table)[2].split(",")[-1]), 10)
        self.assertEqual([p for p in self.files() if p.endswith("h5")], ["t-row0.h5", "t-row2.h5"])
        with h5py.File(self.here / "t-row2.h5") as f:
            self.assertEqual(f["q"][-1, 0], float(lines(table)[3].split(",")[2]))

    def test_a_doubtful_run_is_a_row_with_its_numbers_and_the_reason(self):
        """A thrown ellipsoid: in steps of 43.5 ms moreau trebles its energy, in steps of 0.1 ms it keeps it."""
        model = self.here / "m.yaml"
        model.write_text(
            "percuss: 1\nspace: spatial\nparameters: {coarse: 0}\ngravity: [0, 0, -9.81]\n"
            "bodies:\n  b: {mass: 1, inertia: [0.0114, 0.0206, 0.0292], position: [0, 0, 0.45],\n"
            "      orientation: [-1.9, 1.28, -0.1, -0.31], angular_velocity: [-13.3, 8.4, -15.4]}\n"
            "contacts:\n  c: {ellipsoid: b, semi_axes: [0.31, 0.22, 0.084], plane: {point: [0, 0, 0], "
            "normal: [0, 0, 1]}, friction: 0.11, restitution: 1}\n"
            "simulate: {scheme: moreau, dt: 1e-4 + coarse*0.0434, until: 0.5}\n")
        words = [model, "--set", "coarse=list:0,1,0", "--collect", "final.energy.total", "--quiet", "--json"]
        for name in ("t.csv", "t.h5"):
            out = json.loads(self.expect(DONE, "sweep", *words, "--keep", "failed", "--out", self.here / name))
            self.assertEqual([out[k] for k in ("rows", "done", "doubtful", "not_done", "missing")], [3, 2, 1, 0, 0])
        rows = list(csv.reader(lines(self.here / "t.csv")[1:]))
        self.assertEqual([r[3] for r in rows], ["done", "doubtful", "done"])
        self.assertIn("energy rises without work", rows[1][-1])
        self.assertEqual(rows[0][-1], "")
        self.assertGreater(float(rows[1][2]), 2 * float(rows[0][2]))
        self.assertEqual(out["statistics"]["final.energy.total"]["max"], float(rows[0][2]))
        self.assertEqual([p for p in self.files() if "row" in p], ["t-row1.h5"])
        with h5py.File(self.here / "t.h5") as f:
            words = f["statuses"].asstr()[()].splitlines()
            self.assertEqual([words[i] for i in f["status"]], ["done", "doubtful", "done"])
        self.expect(DONE, "sweep", "--merge", self.here / "t.h5", "--out", self.here / "text.csv")
        self.assertEqual(lines(self.here / "text.csv"), lines(self.here / "t.csv"))

    def boxes(self, table, *words):
        """The boxes of a figure: left, right, bottom, top [pixels]."""
        figure = self.here / "figure.svg"
        self.expect(DONE, "plot", table, "--y", "final.x", *words, "-o", figure)
        found = re.findall(r"<polygon [^>]*points = '([^']*)'", figure.read_text())
        corners = [[tuple(map(float, pair.split(","))) for pair in one.split()] for one in found]
        return [(min(x for x, _ in c), max(x for x, _ in c), max(y for _, y in c), min(y for _, y in c))
                for c in corners if len(c) == 4]

    def test_histograms_and_maps_have_the_right_boxes(self):
        model = self.here / "line.yaml"
        model.write_text("percuss: 1\nparameters: {a: 1, b: 0}\ncoordinates: {x: {value: a + b}}\nkinetic: x'^2/2\n"
                         "simulate: {scheme: moreau, dt: 0.1, until: 0.2}\n")
        collect = ["--collect", "final.x", "--quiet"]
        table = self.sweep("h.csv", model, "--set", "a=list:10,10.05,10.1,10.15,10.2,10.21,10.3,10.6,11", *collect)
        boxes = self.boxes(table, "--histogram")
        heights = [bottom - top for _, _, bottom, top in boxes]
        unit = min(heights)
        self.assertEqual([round(height / unit) for height in heights], [3, 2, 1, 1, 1, 1])
        self.assertEqual(len({left for left, _, _, _ in boxes}), 6)
        table = self.sweep("m.csv", model, "--set", "a=list:1,2,4", "--set", "b=list:0,10", *collect)
        sides = sorted({(left, right) for left, right, _, _ in self.boxes(table, "--x", "a", "--map", "b")})
        self.assertEqual(len(sides), 4)  # the last are the scale of colours
        del sides[3:]  # half way to the neighbours: 0.5 to 1.5, 1.5 to 3, 3 to 5
        for (_, right), (left, _) in zip(sides, sides[1:]):
            self.assertAlmostEqual(left, right, delta=0.1)
        for side, share in zip(sides, (2, 3, 4)):
            self.assertAlmostEqual((side[1] - side[0]) / (sides[0][1] - sides[0][0]), share / 2, delta=0.01)

    @figure
    def test_sections_of_the_vibrating_table(self):
        """One bounce in a period up to gamma = 1.5268, then the period doubles."""
        table = self.sweep("t.csv", MODELS / "vibrating-table.yaml", "--dt", "5e-4", "--until", 20, "--set",
                           "gamma=list:1.3,1.45,1.62", "--collect", "section(table.phase=0: ball, last=20)")
        for row, count in zip(lines(table)[1:], (1, 1, 2)):
            x = np.array([float(v) for v in row.split(",")[2].split()])
            self.assertEqual(len(x), 20)
            even, odd = x[::2], x[1::2]
            self.assertEqual(1 if abs(even.mean() - odd.mean()) < 2e-3 else 2, count, row)

    @figure
    def test_the_period_doubles_where_the_closed_form_says(self):
        """Behind the bifurcation the square of the distance between the branches is linear in gamma."""
        e = 0.5
        exact = np.hypot(np.pi * (1 - e) / (1 + e), 2 * (1 + e * e) / (1 + e) ** 2)
        table = self.sweep("t.csv", MODELS / "vibrating-table.yaml", "--dt", "5e-4", "--until", 30, "--set",
                           "gamma=1.54:1.62:9", "--collect", "section(table.phase=0: ball, last=100)")
        gamma, square = [], []
        for row in lines(table)[1:]:
            cells = row.split(",")
            x = np.array([float(v) for v in cells[2].split()])
            gamma.append(float(cells[1]))
            square.append((x[::2].mean() - x[1::2].mean()) ** 2)
        slope, start = np.polyfit(gamma, square, 1)
        self.assertLess(abs(-start / slope - exact), 5e-3)  # dt = 5e-4: 1.1e-3

    def test_grids_zips_and_names(self):
        table = self.sweep("g.csv", *CRANK, "--set", "mu=list:0.01,0.02", "--set", "e=0.4", "--set",
                           "d=log:0.052:0.054:3", "--collect", "steps,final.energy.total")
        self.assertEqual(lines(table)[0], "row,mu,d,steps,final.energy.total,status,note")
        self.assertEqual([l.split(",")[1] for l in lines(table)[1:]], ["0.01"] * 3 + ["0.02"] * 3)
        zipped = self.sweep("z.csv", *CRANK, "--set", "mu=list:0.01,0.02", "--set", "e=list:0.4,0.5", "--zip",
                            "--collect", "final.th1")
        self.assertEqual(len(lines(zipped)), 3)

    def test_what_is_wrong_is_said_before_anything_runs(self):
        out = ["--out", self.here / "t.csv"]
        self.expect(USAGE, "sweep", *CRANK, "--set", "nu=1:2:3", *COLLECT, *out, says="nu")
        self.expect(USAGE, "sweep", *CRANK, "--set", "mu=1:2", *COLLECT, *out, says="FIRST:LAST:COUNT")
        self.expect(USAGE, "sweep", *CRANK, "--set", "mu=1:2:3", "--collect", "final.th9", *out, says="th1")
        self.expect(USAGE, "sweep", *CRANK, "--set", "mu=1:2:3", *out, says="--collect")
        self.expect(USAGE, "sweep", *GRID, says="--out")
        self.expect(MODEL, "sweep", "nosuch.yaml", *COLLECT, *out, says="nosuch")
        self.expect(OUTPUT, "sweep", *GRID, "--out", self.here / "no" / "t.csv", says="No such file")
        self.assertEqual(self.files(), [])
        (self.here / "t.csv").write_text("my own numbers\n")
        self.expect(OUTPUT, "sweep", *GRID, *out, says="--force")
        self.assertEqual((self.here / "t.csv").read_text(), "my own numbers\n")


class LongTest(ProgramTest):
    """A table of a few hundred rows."""

    LONG = [MODELS / "slider-crank-minimal.yaml", "--scheme", "moreau", "--dt", "1e-4", "--until", "0.3", "--set",
            "mu=0.01:0.1:300", *COLLECT, "--quiet"]

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.whole = cls.shared / "whole.csv"
        percuss("sweep", *cls.LONG, "--out", cls.whole)


class Trouble(LongTest):
    """The table truncated in every way."""

    def kill_after(self, seconds, table, *words, how=signal.SIGKILL):
        """Sends the signal so long after the table has its first bytes, however slow the machine is."""
        run = subprocess.Popen([PERCUSS, *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while run.poll() is None and not (table.exists() and table.stat().st_size):
            time.sleep(0.01)
        time.sleep(seconds)
        run.send_signal(how)
        run.communicate()
        return run.returncode

    def test_killed_again_and_again_and_resumed(self):
        for name in ("t.csv", "t.h5"):
            table = self.here / name
            words = ["sweep", *self.LONG]
            self.kill_after(0.4, table, *words, "--out", table)
            for _ in range(2):
                self.kill_after(0.3, table, *words, "--resume", table)
            self.expect(DONE, *words, "--resume", table)
            self.expect(DONE, "sweep", "--merge", table, "--out", self.here / "text.csv")
            self.assertEqual((self.here / "text.csv").read_bytes(), self.whole.read_bytes())

    def test_interrupted_it_keeps_what_is_complete(self):
        table = self.here / "t.csv"
        code = self.kill_after(0.3, table, "sweep", *self.LONG, "--out", table, how=signal.SIGINT)
        if code != DONE:
            self.assertEqual(code, 130)
        self.expect(DONE, "sweep", *self.LONG, "--resume", table)
        self.assertEqual(table.read_bytes(), self.whole.read_bytes())

    def test_a_truncated_line_is_computed_again(self):
        table = self.here / "t.csv"
        data = self.whole.read_bytes()
        for size in (len(data) // 2, len(data) - 1, len(data) // 3 + 7):
            table.write_bytes(data[:size])
            self.expect(DONE, "sweep", *self.LONG, "--resume", table)
            self.assertEqual(table.read_bytes(), data)

    def test_gaps_are_filled_and_rows_sorted(self):
        table = self.here / "t.csv"
        text = self.whole.read_text().splitlines(keepends=True)
        head = [l for l in text if not l[0].isdigit()]
        rows = [l for l in text if l[0].isdigit()]
        table.write_text("".join(head + rows[200:] + rows[:100]))
        self.expect(DONE, "sweep", *self.LONG, "--resume", table)
        self.assertEqual(table.read_bytes(), self.whole.read_bytes())

    def test_another_sweep_is_not_mixed_in(self):
        table = self.here / "t.csv"
        shutil.copy(self.whole, table)
        other = [w if w != "0.3" else "0.2" for w in self.LONG]
        self.expect(USAGE, "sweep", *other, "--resume", table, says=["until: 0.3", "until: 0.2"])
        self.assertEqual(table.read_bytes(), self.whole.read_bytes())
        self.expect(MODEL, "sweep", *self.LONG, "--resume", self.here / "none.csv", says="none.csv")

    def test_merging_counts_nothing_twice_and_says_what_is_missing(self):
        part = self.here / "part.csv"
        self.expect(DONE, "sweep", *self.LONG, "--shard", "1/3", "--out", part)
        self.expect(FAILED, "sweep", "--merge", part, part, "--out", self.here / "m.csv", says="200 rows are missing")
        self.assertEqual(len(lines(self.here / "m.csv")), 101)
        self.expect(DONE, "sweep", *self.LONG, "--resume", self.here / "m.csv")
        self.assertEqual((self.here / "m.csv").read_bytes(), self.whole.read_bytes())
        part.write_text(part.read_text().replace("done", "failed", 1))
        self.expect(USAGE, "sweep", "--merge", part, self.whole, "--out", self.here / "n.csv", says="twice")

    def test_a_full_disk_loses_nothing_that_was_written(self):
        table = self.here / "t.csv"
        limit = len(self.whole.read_bytes()) // 2

        def small_disk():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

        done = subprocess.run([PERCUSS, "sweep", *map(str, self.LONG), "--out", table], preexec_fn=small_disk,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, OUTPUT, done.stderr)
        self.assertIn("t.csv", done.stderr)
        self.assertTrue(self.whole.read_bytes().startswith(table.read_bytes()))
        self.assertGreater(len(lines(table)), 100)
        self.expect(DONE, "sweep", *self.LONG, "--resume", table)
        self.assertEqual(table.read_bytes(), self.whole.read_bytes())


MPI = ["mpirun", "--allow-run-as-root", "--oversubscribe", "--mca", "btl_base_warn_component_unused", "0"]
# Open MPI loses memory of its own; everything else the sanitizer looks for stays.
MPI_ENVIRONMENT = dict(os.environ, ASAN_OPTIONS=":".join(filter(None, [os.environ.get("ASAN_OPTIONS"), "detect_leaks=0"])))
HAS_MPI = shutil.which("mpirun") and (pathlib.Path(PERCUSS).parent / "libpercuss-mpi.so").exists()


@unittest.skipUnless(HAS_MPI, "no MPI")
class Processes(LongTest):
    """The same under mpirun, and with processes that die."""

    def mpi(self, ranks, *words):
        return subprocess.run([*MPI, "-n", str(ranks), PERCUSS, *map(str, words)], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, timeout=120, env=MPI_ENVIRONMENT)

    def test_processes_share_the_rows(self):
        for name in ("t.csv", "t.h5"):
            done = self.mpi(2, "sweep", *self.LONG, "--out", self.here / name)
            self.assertEqual(done.returncode, DONE, done.stderr)
            self.expect(DONE, "sweep", "--merge", self.here / name, "--out", self.here / "text.csv")
            self.assertEqual((self.here / "text.csv").read_bytes(), self.whole.read_bytes())
            self.assertEqual(len(list(self.here.glob("*part*"))), 0)

    def test_rows_of_a_process_that_died_are_completed(self):
        table = self.here / "t.csv"
        run = subprocess.Popen([*MPI, "-n", "3", PERCUSS, "sweep", *map(str, self.LONG), "--out", str(table)],
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
                               env=MPI_ENVIRONMENT)
        time.sleep(0.9)
        children = subprocess.run(["pgrep", "-P", str(run.pid)], stdout=subprocess.PIPE, text=True).stdout.split()
        if len(children) > 1:
            os.kill(int(children[-1]), signal.SIGKILL)
        run.communicate()
        done = self.mpi(2, "sweep", *self.LONG, "--resume", table) if table.exists() or list(
            self.here.glob("t.part-*")) else self.mpi(2, "sweep", *self.LONG, "--out", table)
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assertEqual(table.read_bytes(), self.whole.read_bytes())


if __name__ == "__main__":
    unittest.main()
