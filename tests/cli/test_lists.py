"""The tables that docs/extending.md names agree with each other: what is in one of them is in all."""
import fnmatch
import pathlib
import re
import subprocess

from terminal import PROGRAM, check, finish

ROOT = pathlib.Path.cwd()
THROUGH_MODELS = {"pc_add_clearance": "clearance:", "pc_add_held": "sample:"}  # tested in model files of C tests


def lines(*words):
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, check=True).stdout.splitlines()


def names(what):
    return [line.split()[0] for line in lines("list", what) if line.strip()]


def text(path):
    return (ROOT / path).read_text()


def sources_are_built():
    """Every .c file of a module is in the list of its folder."""
    for folder in sorted({path.parent for path in (ROOT / "src").rglob("*.c")}):
        lists = [p for p in (folder / "CMakeLists.txt", folder.parent / "CMakeLists.txt") if p.exists()]
        known = set(re.findall(r"[\w/]+\.c\b", " ".join(p.read_text() for p in lists)))
        for path in sorted(folder.glob("*.c")):
            check(path.name in known or f"{folder.name}/{path.name}" in known, f"{path.relative_to(ROOT)} is in no CMakeLists.txt")


def schemes_are_described():
    for scheme in names("schemes"):
        check((ROOT / f"docs/theory/{scheme}.md").exists(), f"scheme {scheme} has no page in docs/theory")
        check(scheme in text("docs/choosing-a-scheme.md"), f"scheme {scheme} is not in choosing-a-scheme.md")
        check(scheme in text("README.md"), f"scheme {scheme} is not in the README")
        check(f'"{scheme}"' in text("src/draw/palette.c"), f"scheme {scheme} has no colour")


def solvers_are_described():
    for solver in names("solvers"):
        page = "README" if solver == "auto" else solver
        check((ROOT / f"docs/solvers/{page}.md").exists(), f"solver {solver} has no page in docs/solvers")


def commands_are_described():
    page = text("docs/cli.md")
    for line in lines("help"):
        if match := re.match(r"  percuss ([a-z]+) ", line):
            check(f"percuss {match[1]}" in page, f"command {match[1]} is not in docs/cli.md")
            check((ROOT / f"src/cli/command_{match[1]}.c").exists(), f"command {match[1]} has no file of its own")


def elements_are_described_and_tested():
    pages = text("docs/model-file.md") + text("docs/shapes.md")
    for line in lines("list", "elements"):
        section, kind = line.split()[:2]
        check(re.search(rf"\b{kind}\b", pages), f"{section}: {kind} is in no page")
    tested = "".join(path.read_text() for path in (ROOT / "tests").rglob("*.c"))
    for adder in re.findall(r"PC_API pc_status (pc_add_\w+)\(", text("include/percuss/elements.h")):
        check(adder in tested or re.search(THROUGH_MODELS.get(adder, "$^"), tested), f"{adder} is in no test")


def sources_are_tested():
    """Every .c file has a test of its name, or a line of tests/README.md says which tests cover it; no line is idle."""
    rows = [[cell.strip() for cell in line.split("|")[1:3]] for line in text("tests/README.md").splitlines() if line.startswith("| ")][1:]
    patterns = {}
    for sources, tests in rows:
        folder, _, first = sources.partition("/")
        for name in first.split():
            patterns[f"{folder}/{name}"] = False
        for test in tests.split():
            check((ROOT / "tests" / test).exists(), f"tests/README.md names {test}, which does not exist")
    for path in sorted((ROOT / "src").rglob("*.c")):
        source = path.relative_to(ROOT / "src").with_suffix("").as_posix()
        own = list((ROOT / "tests" / source.split("/")[0]).rglob(f"test_{path.stem}.c"))
        matching = [] if own else [p for p in patterns if fnmatch.fnmatchcase(source, p)]
        check(own or matching, f"src/{source}.c has no test of its own and no line in tests/README.md")
        for pattern in matching:
            patterns[pattern] = True
    for pattern, used in patterns.items():
        check(used, f"tests/README.md: '{pattern}' matches no source without a test of its own")


def mutations_are_current():
    """The text of every line of tools/mutations.txt is in its file, once: tools/mutate could not start otherwise."""
    for number, line in enumerate(text("tools/mutations.txt").splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            file, mutated = line.split(" | ")[:2]
            count = text(file).count(mutated.strip()) if (ROOT / file).exists() else 0
            check(count == 1, f"tools/mutations.txt:{number}: '{mutated.strip()}' is {count} times in {file}")


sources_are_built()
sources_are_tested()
mutations_are_current()
schemes_are_described()
solvers_are_described()
commands_are_described()
elements_are_described_and_tested()
finish()
