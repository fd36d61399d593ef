"""Texts and files made to break what percuss writes or reads: pictures stay well-formed, columns stay columns, damaged files
and full limits are told apart by exit codes."""
import csv
import io
import json
import resource
import subprocess
import unittest
import xml.etree.ElementTree as ElementTree

from program import DONE, MODEL, OUTPUT, PERCUSS, ProgramTest, percuss

FALLING = """percuss: 1
title: {title}
gravity: [0, -9.81]
bodies: {{b: {{mass: 1, inertia: 1, position: [0, 1], shape: {{disc: 0.1}}}}}}
shapes: {{f: {{half-plane: [0, 1]}}}}
simulate: {{scheme: moreau-jean, dt: 1e-2, until: 0.1}}
record:
  centre: {{value: b.y, unit: {unit}}}
"""

TABLE = "# percuss sweep table 1\n# units: ,m\n# lists: 0\nrow,a,status,note\n0,1,done,\n1,1,done,\n2,1,done,\n"


class FaultsTest(ProgramTest):
    def run_falling(self, title="x", unit="m"):
        """A result of a model with these texts, written as JSON strings, which YAML reads."""
        model, result = self.here / "falling.yaml", self.here / "falling.h5"
        model.write_text(FALLING.format(title=json.dumps(title), unit=json.dumps(unit)))
        self.expect(DONE, "run", model, "--out", result)
        return result

    def test_units_do_not_break_columns(self):
        for unit in ("a,b", 'a"b', "a\nb", "a\r\nb,c", "[m]"):
            result = self.run_falling(unit=unit)
            text = percuss("export", result, "--csv", "-").stdout
            rows = list(csv.reader(io.StringIO(text)))
            self.assertEqual({len(row) for row in rows}, {8}, unit)
            self.assertEqual(len(text.splitlines()), 12, unit)
            clean = unit.replace("\r", " ").replace("\n", " ")
            self.assertEqual(rows[0][-1], f"centre [{clean}]")

    def test_titles_do_not_break_pictures(self):
        for title in ("a]]>b", "]]]>", "<b>&amp;\"'", "a\x01b\x7fc\x85d", "\ufffe\uffff", "]]></text><script/>", "%s \\n {/:Bold x}"):
            result = self.run_falling(title=title, unit="]]>")
            for command, more in (("plot", ("--y", "b.y,centre")), ("animate", ())):
                picture = self.here / f"{command}.svg"
                self.expect(DONE, command, result, *more, "-o", picture)
                names = {node.tag.rpartition("}")[2] for node in ElementTree.parse(picture).iter()}
                self.assertNotIn("script", names if command == "plot" else set(), title)

    def test_zero_bytes_in_tables_are_told(self):
        table = self.here / "t.csv"
        table.write_text(TABLE)
        self.expect(DONE, "plot", table, "--list")
        table.write_bytes(TABLE.encode() + b"-1,1,done,\0\n")
        self.expect(MODEL, "plot", table, "--list", says="line 8 contains a zero byte")
        model = self.here / "m.yaml"
        model.write_text("percuss: 1\ntables: {pins: t.csv}\nbodies: {b: {kind: point, mass: pins(0,0)}}\n"
                         "simulate: {dt: 1e-3, until: 0.01}\n")
        table.write_bytes(b"1,2\n\0\n3,4\n")
        self.expect(MODEL, "run", model, says="t.csv:2: the line contains a zero byte")

    def test_a_limit_on_the_size_of_files_is_no_signal(self):
        """Bytes that a file may have, from none to less than the result takes."""
        model = self.here / "falling.yaml"
        self.run_falling()
        for limit in (0, 1, 4096, 20000, 100000):
            for words in (["run", model, "--out", self.here / "limited.h5"],
                          ["plot", self.here / "falling.h5", "--y", "b.y", "-o", self.here / "limited.svg"],
                          ["export", self.here / "falling.h5", "--csv", self.here / "limited.csv"]):
                done = subprocess.run([PERCUSS, *map(str, words)], capture_output=True, text=True, check=False,
                                      preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
                self.assertIn(done.returncode, (DONE, OUTPUT), f"{words} with {limit} bytes: {done.stderr}")
                if limit < 100 and done.returncode == OUTPUT:
                    self.assertTrue(done.stderr, words)
                if limit == 0:
                    self.assertEqual(done.returncode, OUTPUT, words)


if __name__ == "__main__":
    unittest.main()
