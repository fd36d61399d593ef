"""Reads the public headers of percuss: declarations for cffi, and what their comments say.

It understands what include/percuss/*.h are written in and no more: `typedef struct`, `typedef enum`,
other typedefs, unnamed enums, functions marked PC_API, `#define` of a number, and `///` comments (in
front of what they explain) and `///<` comments (behind it).
"""
from __future__ import annotations

import dataclasses
import pathlib
import re


@dataclasses.dataclass
class Field:
    name: str
    type: str
    doc: str


@dataclasses.dataclass
class Interface:
    version: str = ""
    declarations: list[str] = dataclasses.field(default_factory=list)
    #: by name; the type of a function is its declaration
    functions: dict[str, Field] = dataclasses.field(default_factory=dict)
    #: structure -> (comment, fields)
    structs: dict[str, tuple[str, list[Field]]] = dataclasses.field(default_factory=dict)
    #: enumeration -> names of its values, which are 0, 1, 2, ...
    enums: dict[str, list[str]] = dataclasses.field(default_factory=dict)
    #: `#define` of numbers, and the values of enumerations without a name
    constants: dict[str, float] = dataclasses.field(default_factory=dict)


def in_order(folder: pathlib.Path) -> list[pathlib.Path]:
    """The headers, each behind those that it includes."""
    done: list[pathlib.Path] = []

    def visit(path: pathlib.Path) -> None:
        if path in done:
            return
        for name in re.findall(r'#include "percuss/(\w+\.h)"', path.read_text()):
            if (folder / name).exists():
                visit(folder / name)
        done.append(path)

    for path in sorted(folder.glob("*.h")):
        visit(path)
    return done


def preprocess(text: str, constants: dict[str, float]) -> list[str]:
    """Lines of a C compiler on Unix: nothing is defined beforehand; numbers go into `constants`."""
    lines, keep = [], [True]
    for line in text.replace("\\\n", " ").split("\n"):
        word = re.match(r"\s*#\s*(\w+)\s*(.*)", line)
        if not word:
            if all(keep):
                lines.append(line)
            continue
        directive, rest = word.groups()
        if directive in ("if", "ifdef", "ifndef"):
            keep.append(directive == "ifndef")
        elif directive == "else":
            keep[-1] = not keep[-1]
        elif directive == "endif":
            keep.pop()
        elif directive == "define" and all(keep):
            number = re.fullmatch(r"(PC_\w+)\s+\(?(-?[\d.]+(?:e[-+]?\d+)?)\)?\s*", rest)
            if number:
                constants[number[1]] = float(number[2])
    return lines


def enumerators(body: str) -> dict[str, int]:
    """Names and values of what stands between the braces of an enumeration; values are integers or follow the one before."""
    found: dict[str, int] = {}
    value = -1
    for name, _, given in (entry.partition("=") for entry in body.split(",") if entry.strip()):
        value = int(given, 0) if given.strip() else value + 1
        found[name.strip()] = value
    return found


class Reader:
    """Goes through the lines of a header, statement by statement."""

    def __init__(self, found: Interface) -> None:
        self.found = found
        self.doc: list[str] = []  # comments that wait for what they explain
        self.code = ""            # the statement that has begun
        self.struct: str | None = None
        self.struct_doc = ""
        self.fields: list[Field] = []
        self.body: list[str] = []  # of the structure, as it stands there
        self.last: Field | None = None  # what a comment behind explains

    def line(self, line: str) -> None:
        code, _, comment = line.partition("//")
        if comment.startswith("/<"):
            self.take(code)
            if self.last:
                self.last.doc = f"{self.last.doc} {comment[2:].strip()}".strip()
        elif comment.startswith("/") and not code.strip():
            text = comment[1:].strip()
            if text.startswith(("@", "\\")):
                self.doc = []
            else:
                self.doc.append(text)
        else:
            self.take(re.sub(r"/\*.*?\*/", "", code))
            if not line.strip() and not self.code and self.struct is None:
                self.doc = []

    def take(self, code: str) -> None:
        for piece in re.findall(r"[^;{},]*[;{},]|[^;{},]+$", code):
            self.code = f"{self.code} {piece.strip()}".strip()
            end = piece.strip()[-1:]
            if end == "{" and self.struct is None and "typedef struct" in self.code:
                self.struct = re.search(r"struct (\w+)", self.code)[1]
                self.struct_doc, self.fields, self.body, self.code = self.comment(), [], [], ""
            elif end == ";" and (self.struct is not None or self.braces() == 0):
                self.statement(self.code.rstrip(";").strip())
                self.code = ""

    def braces(self) -> int:
        return self.code.count("{") - self.code.count("}")

    def comment(self) -> str:
        text, self.doc = "\n".join(self.doc).strip(), []
        return text

    def statement(self, code: str) -> None:
        if self.struct is not None and code.startswith("}"):
            self.end_of_struct()
        elif self.struct is not None:
            self.field(code)
        elif code.startswith("PC_API"):
            self.function(code[len("PC_API"):].strip())
        elif "enum" in code and "{" in code:
            self.enumeration(code)
        elif code and code != "}" and not code.startswith('extern "C"'):
            self.declare(code)
        self.doc = []

    def declare(self, code: str) -> None:
        self.found.declarations.append(code + ";")

    def enumeration(self, code: str) -> None:
        name = re.search(r"enum (\w+)?", code)[1]
        values = enumerators(code[code.index("{") + 1:code.rindex("}")])
        if name is None:
            self.found.constants |= values
        elif list(values.values()) == list(range(len(values))):
            self.found.enums[name] = list(values)
        else:
            raise ValueError(f"enum {name}: the package takes the place of a value for the value, from 0 on")
        self.declare(code)

    def function(self, code: str) -> None:
        name = re.search(r"(pc_\w+)\s*\(", code)[1]
        self.last = self.found.functions[name] = Field(name, code, self.comment())
        self.declare(code)

    def field(self, code: str) -> None:
        doc = self.comment()
        self.body.append(code + ";")
        if "(*" in code:
            name = re.search(r"\(\*(\w+)\)", code)[1]
            added = [Field(name, code.replace(name, "", 1), doc)]
        else:
            first, *more = [part.strip() for part in code.split(",")]
            kind, name, size = re.fullmatch(r"(.*?[\s*])(\w+)((?:\[\w+\])*)", first).groups()
            added = [Field(name, kind.strip() + size, doc)]
            for other in more:
                stars, name, size = re.fullmatch(r"(\**)(\w+)((?:\[\w+\])*)", other).groups()
                added.append(Field(name, kind.replace("*", "").strip() + stars + size, doc))
        self.fields += added
        self.last = added[-1]

    def end_of_struct(self) -> None:
        lines = "".join(f"  {line}\n" for line in self.body)
        self.declare(f"typedef struct {self.struct} {{\n{lines}}} {self.struct}")
        self.found.structs[self.struct] = (self.struct_doc, self.fields)
        self.struct = None


def read(folder: pathlib.Path, version: str) -> Interface:
    """What the headers in `folder` declare."""
    found = Interface(version=version)
    for path in in_order(folder):
        reader = Reader(found)
        for line in preprocess(path.read_text(), found.constants):
            reader.line(line)
    return found


def project_version(project: pathlib.Path) -> str:
    """The one number of the project, in CMakeLists.txt."""
    return re.search(r"project\(percuss VERSION ([\d.]+)", (project / "CMakeLists.txt").read_text())[1]
