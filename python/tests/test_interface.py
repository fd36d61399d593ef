"""The declarations are those of the headers, and everything in them is reachable."""
import ast
import os
import pathlib
import re
import subprocess

import pytest

import percuss
from percuss import _interface
from percuss._library import ffi
from percuss._left_out import LEFT_OUT
from percuss.system import _DEFINITIONS

PROJECT = pathlib.Path(__file__).resolve().parents[2]


@pytest.mark.skipif("PERCUSS_LAYOUT" not in os.environ, reason="the compiled layout comes with the build")
def test_sizes_and_offsets_are_the_compilers():
    printed = subprocess.run([os.environ["PERCUSS_LAYOUT"]], text=True, capture_output=True, check=True).stdout
    structs = fields = values = 0
    for name, *numbers in (line.split() for line in printed.splitlines()):
        if "." in name:
            struct, field = name.split(".")
            kind = dict(ffi.typeof(struct).fields)[field]
            assert [kind.offset, ffi.sizeof(kind.type)] == [int(n) for n in numbers], name
            fields += 1
        elif name.startswith("pc_"):
            assert ffi.sizeof(name) == int(numbers[0]), name
            structs += 1
        else:
            value = _interface.CONSTANTS.get(name)
            if value is None:
                value = next(vs.index(name) for vs in _interface.ENUMS.values() if name in vs)
            assert float(value) == float(numbers[0]), name
            values += 1
    assert structs >= 60 and fields >= 400 and values >= 60


def test_structures_have_no_other_fields():
    for struct, (_, listed) in _interface.STRUCTS.items():
        assert [name for name, _ in ffi.typeof(struct).fields] == [name for name, _, _ in listed]


def functions_of_the_headers():
    found = set()
    for header in (PROJECT / "include/percuss").glob("*.h"):
        found |= set(re.findall(r"PC_API\b[^;(]*?\b(pc_\w+)\(", " ".join(header.read_text().split())))
    return found


def functions_that_are_used():
    """lib.pc_* anywhere in the package, names given to addressof, and what the tables call."""
    used = set()
    for file in pathlib.Path(percuss.__file__).parent.glob("*.py"):
        if file.name in ("_interface.py", "_declarations.py", "_left_out.py"):
            continue
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Attribute) and node.attr.startswith("pc_"):
                used.add(node.attr)
            elif isinstance(node, ast.Constant) and re.fullmatch(r"pc_\w+_observe", str(node.value)):
                used.add(node.value)
    used |= {f"pc_add_{kind}" for kind in _DEFINITIONS}
    used |= {"pc_default_" + s[len("pc_"):] for s in _DEFINITIONS.values()}
    return used


def test_every_public_function_is_reachable_or_left_out_with_a_reason():
    public, used = functions_of_the_headers(), functions_that_are_used()
    assert public == set(_interface.FUNCTIONS)
    assert used <= public
    assert public - used == set(LEFT_OUT), "neither used nor left out, or both"
    assert all(len(reason) > 10 for reason in LEFT_OUT.values())


def test_versions_agree():
    assert percuss.version() == percuss.__version__


def test_every_public_name_has_help():
    for name in percuss.__all__:
        thing = getattr(percuss, name)
        if callable(thing):
            assert thing.__doc__, name


def test_methods_have_help_and_hints():
    for cls in (percuss.Model, percuss.Simulation, percuss.Result, percuss.System, percuss.Problem):
        for name, thing in vars(cls).items():
            if callable(thing) and not name.startswith("_"):
                assert thing.__doc__, f"{cls.__name__}.{name}"
