"""percuss reproduce: files, verdicts, the page, patterns, wrong usage; docs/reproduction.md is current."""
import csv
import html.parser
import json
import os
import pathlib
import re
import tempfile
import unittest
import xml.etree.ElementTree

from program import DONE, OUTPUT, USAGE, percuss

QUICK = ["acary-fig5", "acary-fig7", "acary-fig8", "rattle-fig3", "rattle-fig7", "lobatto-fig4", "alpha-fig3",
         "acary-fig12"]
SOURCES = {"acary-fig8": "Acary, Fig. 8", "rattle-fig3": "Breuling, Capobianco, Eugster, Leine, Fig. 3",
           "lobatto-fig4": "Capobianco, Harsch, Leyendecker, Fig. 4", "alpha-fig3": "Brüls, Acary, Cardona, Fig. 3"}
PAGE = pathlib.Path("docs/reproduction.md")
README = pathlib.Path("README.md")
KINDS = ("published", "fitted", "independent", "exact", "words")


def items():
    return dict(line.split(None, 1) for line in percuss("list", "items").stdout.splitlines())


def section(text, name):
    """The part of a page about an item."""
    found = re.search(rf"^### {name}\n(.*?)(?=^### |\Z)", text, re.S | re.M)
    return found.group(1) if found else None


class Links(html.parser.HTMLParser):
    """Whatever a page asks for from elsewhere."""

    def __init__(self):
        super().__init__()
        self.found, self.pictures = [], 0

    def handle_starttag(self, tag, attributes):
        values = dict(attributes)
        for key in ("src", "href"):
            value = values.get(key, "")
            self.pictures += value.startswith("data:image/svg+xml")
            if value and not value.startswith(("#", "data:")):
                self.found.append(value)


def colours(path):
    """The colours of every label of a figure: in gnuplot's SVG a curve comes after its label."""
    found = {}
    for curve in re.split(r'<g id="gnuplot_plot_', path.read_text())[1:]:
        text = re.search(r"<text>(.*?)</text>", curve)
        if not text:  # dots: their label is that of a larger one
            continue
        label = re.sub(r"<[^>]*>", "", text.group(1))
        colour = re.search(r"<path stroke='rgb\((.*?)\)'|color='rgb\((.*?)\)'", curve)  # a line, or marks
        found.setdefault(label, set()).add("".join((colour.group(1) or colour.group(2)).split()))
    return found


class Reproduce(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.out = pathlib.Path(cls.folder.name, "out")
        cls.done = percuss("reproduce", *QUICK, "--out", cls.out)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_all_papers_have_their_items(self):
        found = items()
        self.assertGreaterEqual(len(found), 44)
        for name, title in found.items():
            self.assertRegex(name, r"^(flores|acary|rattle|lobatto|alpha|benchmarks)-((fig|table)\d+|[a-z-]+)$")
            self.assertGreater(len(title), 15)
        for name in ("acary-table3", "rattle-table1", "rattle-fig8", "lobatto-fig9", "alpha-fig6"):
            self.assertIn(name, found)

    def test_the_last_line_counts(self):
        self.assertEqual(self.done.returncode, DONE, self.done.stderr)
        agree, differ = re.fullmatch(r"(\d+) agree, (\d+) differ",
                                     self.done.stdout.splitlines()[-1]).groups()
        self.assertEqual(int(agree) + int(differ), len(QUICK))
        verdicts = [json.loads((self.out / f"{name}.json").read_text()) for name in QUICK]
        self.assertEqual(int(agree), sum(v["verdict"] == "agrees" for v in verdicts))

    def test_verdicts_are_what_their_numbers_say(self):
        for name in QUICK:
            verdict = json.loads((self.out / f"{name}.json").read_text())
            self.assertEqual(verdict["item"], name)
            for value in verdict["values"]:
                ours, expected = value["ours"], value["expected"]
                holds = {"near": lambda: abs(ours - expected) <= value["tolerance"],
                         "at most": lambda: ours <= expected,
                         "at least": lambda: ours >= expected}[value["relation"]]()
                self.assertIn(value["kind"], KINDS, value)
                self.assertEqual("fitted" in value, value["kind"] == "fitted", value)
                if value["verdict"] == "note":
                    continue
                self.assertEqual(value["verdict"], "agrees" if holds else "differs", value)
                if not holds:
                    self.assertGreater(len(value["why"]), 60, value)
            agrees = all(v["verdict"] != "differs" for v in verdict["values"])
            self.assertEqual(verdict["verdict"], "agrees" if agrees else "differs")

    def test_pictures_and_points(self):
        for name in QUICK:
            root = xml.etree.ElementTree.parse(self.out / f"{name}.svg").getroot()
            self.assertTrue(root.tag.endswith("svg"))
            text = "".join(root.itertext())
            self.assertRegex(text, r"\[(s|ms)\]", name)  # axes have units
            self.assertIn("(a)", text, name)
            rows = list(csv.DictReader((self.out / f"{name}.csv").read_text().splitlines()))
            self.assertGreater(len(rows), 50)
            self.assertEqual(list(rows[0]), ["panel", "curve", "x", "y"])
            float(rows[-1]["x"])

    def test_figures_name_their_paper(self):
        for name, source in SOURCES.items():
            text = "".join(xml.etree.ElementTree.parse(self.out / f"{name}.svg").getroot().itertext())
            self.assertIn(source, " ".join(text.split()), name)
            self.assertEqual(json.loads((self.out / f"{name}.json").read_text())["source"], source)

    def test_what_is_clipped_is_said(self):
        for name, clipped in (("rattle-fig7", ["clipped; in full to 7.1", "clipped; in full from -2.1"]), ("rattle-fig3", [])):
            text = "".join(xml.etree.ElementTree.parse(self.out / f"{name}.svg").getroot().itertext())
            said = re.findall(r"clipped; in full (?:from [-\d.]+ ?)?(?:to [-\d.]+)?", " ".join(text.split()))
            self.assertEqual([words.strip() for words in said], clipped, name)

    def test_notes_of_clipping_are_outside_of_the_frames(self):
        text = (self.out / "rattle-fig7.svg").read_text()
        number = r"([\d.]+)"
        frames = re.findall(rf"<path stroke='rgb\( 85,  85,  85\)' *d='M{number},{number} L{number},{number} L{number},", text)
        notes = re.findall(rf'translate\({number},{number}\)"[^>]*>\s*<text><tspan[^>]*>clipped; in full', text)
        self.assertEqual((len(set(frames)), len(notes)), (6, 2))
        for x, y in [tuple(map(float, note)) for note in notes]:
            for left, top, _, bottom, right in [tuple(map(float, frame)) for frame in frames]:
                self.assertFalse(left < x < right and top < y < bottom, "a note among the curves")

    def test_marks_of_y_have_space(self):
        for name in QUICK:
            text = (self.out / f"{name}.svg").read_text()
            marks = {}  # by the place of their right ends
            for x, y in re.findall(r'translate\(([\d.]+),([\d.]+)\)"[^>]*text-anchor="end"', text):
                marks.setdefault(x, []).append(float(y))
            for heights in marks.values():
                heights.sort()
                for above, below in zip(heights, heights[1:]):
                    self.assertGreater(below - above, 1.6 * 17, name)  # 17: the size of their font

    def test_what_changes_from_step_to_step_is_no_filled_area(self):
        """A line through values that alternate would cross its panel hundreds of times; here it is dots."""
        text = (self.out / "alpha-fig3.svg").read_text()
        for line in re.findall(r"<path[^>]*? d='(M[^']*)'", text):
            heights = [float(y) for y in re.findall(r",([\d.]+)", line)]
            turns = sum(abs(a - b) > 50 and abs(b - c) > 50 and (a - b) * (b - c) < 0
                        for a, b, c in zip(heights, heights[1:], heights[2:]))
            self.assertLess(turns, 10)

    def test_figures_as_png(self):
        out = pathlib.Path(self.folder.name, "png")
        done = percuss("reproduce", "rattle-fig2", "--out", out, "--png", "--quiet")
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assertEqual((out / "rattle-fig2.png").read_bytes()[:8], b"\x89PNG\r\n\x1a\n")

    def test_changed_models_are_named(self):
        out = pathlib.Path(self.folder.name, "changed")
        done = percuss("reproduce", "rattle-fig3", "--out", out, "--set", "mu=0.3", "--quiet")
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assertEqual(json.loads((out / "rattle-fig3.json").read_text())["changed"], "mu=0.3")
        for page in ("index.html", "reproduction.md"):
            self.assertIn("mu=0.3", (out / page).read_text())

    def test_it_ends_where_a_value_differs(self):
        """With a change, after the shortest run that shows it; without one all is done, and the numbers are the same."""
        words = ["reproduce", "rattle-fig7", "--until-differs", "--quiet"]
        changed, as_it_is, whole = (pathlib.Path(self.folder.name, name) for name in ("ended", "not-ended", "whole"))
        done = percuss(*words, "--set", "mu=0.9", "--out", changed)
        self.assertEqual(done.returncode, 0, done.stderr)
        values = json.loads((changed / "rattle-fig7.json").read_text())["values"]
        found = {value["verdict"] for value in values}
        self.assertLessEqual({"differs", "left out"}, found)
        self.assertFalse((changed / "rattle-fig7.svg").exists())
        self.assertNotIn("left out", done.stdout)  # it neither agrees nor differs
        done = percuss(*words, "--out", as_it_is)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("1 agree, 0 differ", done.stdout)
        percuss("reproduce", "rattle-fig7", "--quiet", "--out", whole)
        for ending in ("svg", "csv", "json"):
            self.assertEqual(*((place / f"rattle-fig7.{ending}").read_text() for place in (as_it_is, whole)))

    def test_a_label_has_one_colour_in_all_panels(self):
        out = pathlib.Path(self.folder.name, "colours")
        done = percuss("reproduce", "alpha-fig2", "--out", out)
        self.assertEqual(done.returncode, DONE, done.stderr)
        found = colours(out / "alpha-fig2.svg")
        self.assertEqual(sorted(found), ["P", "PV", "PV, shifted", "PVA", "V", "V, shifted"])
        for label, several in found.items():
            self.assertEqual(len(several), 1, label)
        self.assertEqual(len(set.union(*found.values())), 6)

    def test_accelerations_have_their_sign(self):
        # The paper: oscillations at the frequency of the step for all but PVA.
        rows = list(csv.DictReader((self.out / "alpha-fig3.csv").read_text().splitlines()))
        values = {name: [float(row["y"]) for row in rows if row["panel"] == "2" and row["curve"] == name]
                  for name in ("P", "PVA")}
        self.assertTrue(all(a * b < 0 for a, b in zip(values["P"][:10], values["P"][1:11])))
        self.assertAlmostEqual(max(map(abs, values["P"])), 85.6, delta=0.1)
        self.assertLess(max(map(abs, values["PVA"])), 1e-9)

    def test_one_page_with_everything(self):
        text = (self.out / "index.html").read_text()
        links = Links()
        links.feed(text)
        self.assertEqual(links.found, [])
        self.assertEqual(links.pictures, len(QUICK))
        for name in QUICK:
            self.assertIn(f'id="{name}"', text)
        self.assertIn("Why: ", text)  # acary-fig12 differs

    def test_the_documentation_is_current(self):
        made, kept = (self.out / "reproduction.md").read_text(), PAGE.read_text()
        for name in QUICK:
            self.assertEqual(self.verdicts(section(kept, name)), self.verdicts(section(made, name)),
                             f"{name}: run 'make reproduction'")
        self.assertEqual(re.findall(r"^### (\S+)", kept, re.M), list(items()),
                         "run 'make reproduction'")
        self.assertNotIn("no reason is known", kept)

    @staticmethod
    def verdicts(text):
        """Values, what was published, the verdicts, and ours unless it is round-off."""
        rows = [line.split(" | ") for line in text.splitlines() if line.startswith("| ")]
        return [(*row[:3], row[3] if re.match(r"-?\d+(\.\d+)?$", row[3]) else "", row[-1])
                for row in rows]

    def test_values_are_counted_by_kind(self):
        line = self.done.stdout.splitlines()[-2]
        values = [v for name in QUICK
                  for v in json.loads((self.out / f"{name}.json").read_text())["values"]]
        for kind in KINDS:
            mine = [v["verdict"] == "agrees" for v in values
                    if v["kind"] == kind and v["verdict"] != "note"]
            self.assertIn(f"{kind} {sum(mine)} of {len(mine)}", line)

    def test_what_was_found_by_trial_is_fitted(self):
        """The Newton tolerance of Table 3 is printed, and another one gives its counts."""
        out = pathlib.Path(self.folder.name, "fitted")
        self.assertEqual(percuss("reproduce", "acary-table3", "--out", out, "--quiet").returncode, DONE)
        values = json.loads((out / "acary-table3.json").read_text())["values"]
        page = section((out / "reproduction.md").read_text(), "acary-table3")
        for value in values:
            if "as printed" in value["what"]:
                self.assertIn(value["kind"], ("published", "words"))
            else:
                self.assertEqual(value["kind"], "fitted")
                self.assertIn(f"| {value['what']} | fitted: {value['fitted']} | ", page)
        fitted = next(v["fitted"] for v in values if v["what"] == "Algorithm 1, 1e-4, Newton: average")
        self.assertIn("tol=1e-6 (printed: 1e-10)", fitted)

    def test_the_readme_has_the_counts_of_the_page(self):
        page, readme = PAGE.read_text(), " ".join(README.read_text().split())
        agree, differ = re.search(r"\*\*(\d+) items agree, (\d+) differ", page).groups()
        self.assertIn(f"{agree} of {int(agree) + int(differ)} tables and figures agree", readme)
        for kind in KINDS:
            agree, of = re.search(rf"^\| {kind} \| .* \| (\d+) \| (\d+) \|$", page, re.M).groups()
            self.assertIn(f"{kind} {agree} of {of}", readme, kind)

    def test_threads_change_nothing(self):
        again = pathlib.Path(self.folder.name, "again")
        done = percuss("reproduce", "rattle-fig3", "lobatto-fig4", "--out", again, "--threads", 1)
        self.assertEqual(done.returncode, DONE, done.stderr)
        for name in ("rattle-fig3", "lobatto-fig4"):
            for ending in ("json", "csv", "svg"):
                self.assertEqual((again / f"{name}.{ending}").read_bytes(),
                                 (self.out / f"{name}.{ending}").read_bytes())

    def test_patterns_select(self):
        again = pathlib.Path(self.folder.name, "pattern")
        done = percuss("reproduce", "rattle-fig[23]", "--out", again, "--quiet")
        self.assertEqual(done.returncode, DONE, done.stderr)
        self.assertEqual(sorted(p.stem for p in again.glob("*.json")), ["rattle-fig2", "rattle-fig3"])

    def test_wrong_usage(self):
        done = percuss("reproduce", "acary-table4", "--out", "x")
        self.assertEqual(done.returncode, USAGE)
        self.assertIn("did you mean 'acary-table3'", done.stderr)
        self.assertEqual(percuss("reproduce", "rattle-fig2").returncode, USAGE)
        self.assertEqual(percuss("reproduce", "--nothing").returncode, USAGE)
        self.assertEqual(percuss("reproduce", "nothing-*", "--out", "x").returncode, USAGE)

    def test_a_folder_that_cannot_be_written(self):
        taken = pathlib.Path(self.folder.name, "taken")
        taken.write_text("a file")
        done = percuss("reproduce", "rattle-fig2", "--out", taken)
        self.assertEqual(done.returncode, OUTPUT)
        self.assertIn("taken", done.stderr)
        self.assertEqual(taken.read_text(), "a file")

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_a_folder_of_somebody_else(self):
        locked = pathlib.Path(self.folder.name, "locked")
        locked.mkdir(mode=0o500)
        done = percuss("reproduce", "rattle-fig2", "--out", locked)
        self.assertEqual(done.returncode, OUTPUT)
        self.assertIn("cannot write into", done.stderr)

    def test_without_gnuplot_nothing_is_begun(self):
        out = pathlib.Path(self.folder.name, "undrawn")
        done = percuss("reproduce", "rattle-fig2", "--out", out, env={"PATH": self.folder.name})
        self.assertEqual(done.returncode, OUTPUT)
        self.assertIn("gnuplot is not installed", done.stderr)
        self.assertFalse(out.exists())
        done = percuss("reproduce", "rattle-table1", "--out", out, env={"PATH": self.folder.name})
        self.assertEqual(done.returncode, DONE, done.stderr)  # a table needs none


if __name__ == "__main__":
    unittest.main()
