"""percuss export: text columns, files for ParaView, and what is refused."""
import csv
import io
import json
import math
import os
import unittest
import xml.etree.ElementTree as ElementTree

from program import DONE, MODEL, MODELS, OUTPUT, USAGE, ProgramTest, percuss, run_model


def table(text):
    """Header and rows of a CSV text; the rows as numbers."""
    header, *rows = csv.reader(io.StringIO(text))
    return header, [[float(cell) for cell in row] for row in rows]


def arrays(path):
    """The data arrays of a .vtp file by their names: texts, or lists of numbers."""
    found = {}
    for node in ElementTree.parse(path).iter("DataArray"):
        cells = (node.text or "").split()
        if node.get("type") == "String":
            codes = bytes(int(cell) for cell in cells)
            found[node.get("Name")] = codes.decode().split("\0")[:-1]
        else:
            found[node.get("Name")] = [float(cell) for cell in cells]
    return found


class ExportTest(ProgramTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.result = cls.shared / "crank.h5"
        summary = run_model("slider-crank", cls.result, "--until", "0.03", "--json")
        cls.final = json.loads(summary.stdout)["final"]

    # CSV

    def test_the_last_row_is_the_final_state_to_the_last_bit(self):
        header, rows = table(self.expect(DONE, "export", self.result, "--csv", "-"))
        self.assertEqual(header[:2], ["time [s]", "crank.x [m]"])
        self.assertEqual(len(rows), 301)
        last = dict(zip(header, rows[-1]))
        self.assertEqual(last["crank.spin [rad/s]"], self.final["crank"]["spin"])
        self.assertEqual(last["corner1.P_N [N s]"], self.final["corner1"]["P_N"])
        self.assertEqual(last["slider.y [m]"], self.final["slider"]["y"])

    def test_columns_and_every_choose(self):
        header, rows = table(self.expect(DONE, "export", self.result, "--csv", "-", "--columns",
                                         "slider.x,energy.kinetic,energy.potential,energy.total",
                                         "--every", "100", "--columns", "iterations.solver"))
        self.assertEqual(header, ["time [s]", "slider.x [m]", "energy.kinetic [J]",
                                  "energy.potential [J]", "energy.total [J]", "iterations.solver"])
        self.assertEqual(len(rows), 4)
        for k, row in enumerate(rows):
            self.assertAlmostEqual(row[0], 0.01 * k, delta=1e-12)
            self.assertEqual(row[4], row[2] + row[3])

    def test_time_is_there_once(self):
        header, _ = table(self.expect(DONE, "export", self.result, "--csv", "-", "--columns",
                                      "time,slider.x"))
        self.assertEqual(header, ["time [s]", "slider.x [m]"])

    def test_a_file_is_what_standard_output_is(self):
        path = self.here / "columns.csv"
        path.write_text("old")
        self.assertEqual(self.expect(DONE, "export", self.result, "--csv", path), "")
        self.assertEqual(path.read_text(), self.expect(DONE, "export", self.result, "--csv", "-"))
        self.assertEqual(self.files(), ["columns.csv"])

    def test_a_model_with_a_record_list_exports_that_and_has_the_rest(self):
        model = self.here / "model.yaml"
        text = (MODELS / "slider-crank.yaml").read_text()
        model.write_text(text + "record: [slider.angle, corner2.gap]\n")
        result = self.here / "result.h5"
        self.assertEqual(percuss("run", model, "--out", result, "--until", "0.01", "--quiet")
                         .returncode, DONE)
        header, few = table(self.expect(DONE, "export", result, "--csv", "-"))
        self.assertEqual(header, ["time [s]", "slider.angle [rad]", "corner2.gap [m]"])
        _, more = table(self.expect(DONE, "export", result, "--csv", "-", "--columns",
                                    "corner2.gap,crank.spin"))
        self.assertEqual([row[2] for row in few], [row[1] for row in more])

    # VTK

    def test_paraview_files_hold_the_motion(self):
        folder = self.here / "motion"
        self.expect(DONE, "export", self.result, "--vtk", folder, "--every", "60")
        _, rows = table(self.expect(DONE, "export", self.result, "--csv", "-", "--every", "60",
                                    "--columns", "slider.x,slider.y,slider.vx,slider.vy,"
                                    "slider.angle,slider.spin,corner2.P_N"))
        collection = ElementTree.parse(folder / "bodies.pvd").getroot()
        self.assertEqual(collection.get("type"), "Collection")
        steps = list(collection.iter("DataSet"))
        self.assertEqual([float(step.get("timestep")) for step in steps], [row[0] for row in rows])
        self.assertEqual(len(list(folder.iterdir())), len(steps) + 1)
        for step, row in zip(steps, rows):
            got = arrays(folder / step.get("file"))
            time, x, y, vx, vy, angle, spin, P_N = row
            self.assertEqual(got["name"], ["crank", "rod", "slider"])
            self.assertEqual(got["position"][6:], [x, y, 0])
            self.assertEqual(got["velocity"][6:], [vx, vy, 0])
            self.assertEqual(got["angle"][2], angle)
            self.assertEqual(got["spin"][2], spin)
            self.assertEqual(got["TimeValue"], [time])
            self.assertEqual(got["corner2.P_N"], [P_N])
            for value, want in zip(got["axis"][6:], [math.cos(angle), math.sin(angle), 0]):
                self.assertAlmostEqual(value, want, delta=1e-15)

    def test_counts_in_a_file_fit_its_arrays(self):
        folder = self.here / "motion"
        self.expect(DONE, "export", self.result, "--vtk", folder, "--every", "300")
        path = folder / "step-00000300.vtp"
        root = ElementTree.parse(path).getroot()
        self.assertEqual(root.get("type"), "PolyData")
        piece = root.find("PolyData/Piece")
        points = int(piece.get("NumberOfPoints"))
        self.assertEqual(points, 3)
        self.assertEqual(piece.get("NumberOfVerts"), "3")
        got = arrays(path)
        self.assertEqual(got["connectivity"], [0, 1, 2])
        self.assertEqual(got["offsets"], [1, 2, 3])
        for node in piece.find("PointData"):
            values = got[node.get("Name")]
            self.assertEqual(len(values), points * int(node.get("NumberOfComponents")))

    def test_other_files_in_the_folder_stay(self):
        folder = self.here / "motion"
        folder.mkdir()
        (folder / "notes.txt").write_text("mine")
        (folder / "bodies.pvd").write_text("old")
        self.expect(DONE, "export", self.result, "--vtk", folder, "--every", "300")
        self.assertEqual(sorted(path.name for path in folder.iterdir()),
                         ["bodies.pvd", "notes.txt", "step-00000000.vtp", "step-00000300.vtp"])
        self.assertNotEqual((folder / "bodies.pvd").read_text(), "old")

    def test_without_bodies_there_is_nothing_for_paraview(self):
        ball = self.here / "ball.h5"
        run_model("bouncing-ball", ball)
        self.expect(MODEL, "export", ball, "--vtk", self.here / "motion", says="no bodies")
        self.assertEqual(self.files(), ["ball.h5"])

    # What is refused

    def test_usage_errors(self):
        out = self.here / "out"
        for words, says in [
                ([], "which result"),
                ([self.result], "--found FILE or --vtk DIR"),
                ([self.result, "--csv", out, "--vtk", out], "one at a time"),
                ([self.result, self.result, "--csv", out], "one word too many"),
                ([self.result, "--csv", ""], "empty"),
                ([self.result, "--vtk", ""], "empty"),
                ([self.result, "--csv", out, "--columns", "crank.sipn"],
                 "did you mean 'crank.spin'"),
                ([self.result, "--csv", out, "--columns", "a,"], "empty"),
                ([self.result, "--vtk", out, "--columns", "crank.spin"], "--columns is for --csv"),
                ([self.result, "--csv", out, "--every", "0"], "--every"),
                ([self.result, "--csv", out, "--every", "1.5"], "--every"),
                ([self.result, "--csv", out, "--every", "9" * 30], "--every"),
                ([self.result, "--cvs", out], "did you mean '--csv'"),
                ([self.result, "-o", out], "no option '-o'"),
        ]:
            with self.subTest(words=words):
                self.expect(USAGE, "export", *words, says=says)
                self.assertEqual(self.files(), [])

    def test_what_is_no_result_is_refused(self):
        for path in (self.here / "none.h5", MODELS / "slider-crank.yaml"):
            for how in ("--csv", "--vtk"):
                self.expect(MODEL, "export", path, how, self.here / "out", says=str(path))
        self.assertEqual(self.files(), [])

    def test_what_cannot_be_written(self):
        (self.here / "folder").mkdir()
        (self.here / "file").write_text("precious")
        for how, out in [("--csv", "none/out.csv"), ("--csv", "folder"), ("--vtk", "none/motion"),
                         ("--vtk", "file"), ("--vtk", "file/motion")]:
            with self.subTest(out=out):
                self.expect(OUTPUT, "export", self.result, how, self.here / out, says=out)
        self.assertEqual(self.files(), ["file", "folder"])
        self.assertEqual((self.here / "file").read_text(), "precious")

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
    def test_a_full_disk_is_noticed(self):
        self.expect(OUTPUT, "export", self.result, "--csv", "/dev/full", says="/dev/full")
        with open("/dev/full", "w", encoding="utf-8") as full:
            done = percuss("export", self.result, "--csv", "-", stdout=full)
        self.assertEqual(done.returncode, OUTPUT)
        self.assertIn("standard output", done.stderr)

    def test_what_is_read_is_not_overwritten(self):
        for name in ("result", "film.svg", "film.html"):
            (self.here / name).write_bytes(self.result.read_bytes())
        (self.here / "link").symlink_to(self.here / "result")
        for name in ("model", "model.png"):
            (self.here / name).write_bytes((MODELS / "bouncing-ball.yaml").read_bytes())
        before = {name: (self.here / name).read_bytes() for name in self.files()}
        for words in ("export result --csv result", "export result --csv link",
                      "export link --csv ./result", "animate film.svg -o film.svg",
                      "animate film.html -o film.html", "plot result film.svg --y crank.x -o film.svg",
                      "run model -o model", "compare model.png --y q -o model.png",
                      "converge model.png --dt 0.1,0.05 -o model.png"):
            with self.subTest(words=words):
                words = [self.here / word if word.lstrip("./") in before else word
                         for word in words.split()]
                self.expect(USAGE, *words, says="would be lost")
                self.assertEqual({name: (self.here / name).read_bytes() for name in self.files()},
                                 before)

    def test_a_wrong_column_leaves_the_old_file(self):
        path = self.here / "columns.csv"
        path.write_text("precious")
        self.expect(USAGE, "export", self.result, "--csv", path, "--columns", "nothing")
        self.assertEqual(path.read_text(), "precious")


SHAPES = """percuss: 1
space: spatial
gravity: [0, 0, -9.81]
bodies:
  ball: {density: 1, shape: {sphere: 0.2}, position: [0, 0, 0.5]}
  brick: {density: 1, shape: {box: [0.2, 0.3, 0.4]}, position: [1, 0, 1], orientation: [1, 0, 0, 0.5]}
  pill: {density: 1, shape: {capsule: 0.1, length: 0.4}, position: [2, 0, 1]}
  can: {density: 1, shape: {cylinder: 0.1, length: 0.3}, position: [3, 0, 1]}
  egg: {density: 1, shape: {ellipsoid: [0.1, 0.2, 0.3]}, position: [4, 0, 1]}
  wedge: {density: 1, shape: {polyhedron: [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]}, position: [5, 0, 1]}
shapes:
  floor: {half-space: [0, 0, 1]}
simulate: {scheme: moreau-jean, dt: 1e-3, until: 0.01}
"""


class Surfaces(ProgramTest):
    """Shapes for ParaView: closed surfaces, each around the volume of its shape, where the body is."""

    def read(self, path):
        piece = ElementTree.parse(path).getroot().find("PolyData/Piece")
        arrays = {a.get("Name"): [float(x) for x in a.text.split()] for a in piece.iter("DataArray")
                  if a.get("Name") not in ("connectivity", "offsets")}
        for cells in ("Lines", "Polys", "Verts"):
            for a in piece.findall(f"{cells}/DataArray"):
                arrays[f"{cells}.{a.get('Name')}"] = [int(x) for x in a.text.split()]
        return piece, arrays

    def volumes(self, arrays):
        """Of each shape: the divergence theorem over triangles of its polygons; and the centre of its corners."""
        xyz = arrays["position"]
        point = [xyz[3 * i:3 * i + 3] for i in range(len(xyz) // 3)]
        volume, begin = {}, 0
        for end, shape in zip(arrays["Polys.offsets"], arrays["shape"]):
            p = [point[i] for i in arrays["Polys.connectivity"][begin:end]]
            for a, b, c in ((p[0], p[k], p[k + 1]) for k in range(1, len(p) - 1)):
                cross = [b[1] * c[2] - b[2] * c[1], b[2] * c[0] - b[0] * c[2], b[0] * c[1] - b[1] * c[0]]
                volume[int(shape)] = volume.get(int(shape), 0) + sum(x * y for x, y in zip(a, cross)) / 6
            begin = end
        return volume

    def test_surfaces(self):
        model, result, folder = self.here / "shapes.yaml", self.here / "shapes.h5", self.here / "vtk"
        model.write_text(SHAPES)
        self.expect(DONE, "run", model, "--quiet", "--out", result)
        self.expect(DONE, "export", result, "--vtk", folder, "--every", 5)
        steps = ElementTree.parse(folder / "shapes.pvd").getroot().findall("Collection/DataSet")
        self.assertEqual([s.get("file") for s in steps], [f"shapes-{k:08d}.vtp" for k in (0, 5, 10)])
        piece, arrays = self.read(folder / steps[2].get("file"))
        self.assertEqual(len(arrays["position"]), 3 * int(piece.get("NumberOfPoints")))
        self.assertEqual(len(arrays["Polys.offsets"]), int(piece.get("NumberOfPolys")))
        self.assertEqual(arrays["Polys.offsets"][-1], len(arrays["Polys.connectivity"]))
        volume = self.volumes(arrays)
        pi = math.pi
        exact = [4 / 3 * pi * 0.2**3, 0.2 * 0.3 * 0.4, 4 / 3 * pi * 0.1**3 + pi * 0.01 * 0.4, pi * 0.01 * 0.3,
                 4 / 3 * pi * 0.006, 1 / 6]
        for shape, want in enumerate(exact):
            self.assertLess(volume[shape], want * (1 + 1e-6), shape)
            self.assertGreater(volume[shape], want * (1 - (1e-6 if shape in (1, 5) else 0.06)), shape)
        low = min(arrays["position"][2:8:3])
        self.assertAlmostEqual(low, 0.3 - 9.81 * (0.01**2 + 0.01 * 1e-3) / 2, delta=1e-4)  # it falls

    def test_contacts(self):
        result, folder = self.here / "dominoes.h5", self.here / "vtk"
        run_model("dominoes", result, "--set", "N=2", "--until", "0.01")
        self.expect(DONE, "export", result, "--vtk", folder, "--every", 10)
        piece, arrays = self.read(folder / "contacts-00000010.vtp")
        self.assertEqual(piece.get("NumberOfPoints"), "3")  # the first stands on its edge
        self.assertEqual(len(arrays["impulse"]), 9)
        weight = 800 * 0.05 * 0.008 * 9.81 * 5e-4
        self.assertAlmostEqual(arrays["impulse"][4] + arrays["impulse"][7], weight, delta=1e-9)
        self.assertEqual(arrays["shapes"], [0, 2, 1, 2, 1, 2])
        self.assertEqual(sorted(p.name for p in folder.glob("*.pvd")), ["bodies.pvd", "contacts.pvd", "shapes.pvd"])


if __name__ == "__main__":
    unittest.main()
