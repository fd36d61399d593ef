#!/usr/bin/env python3
"""Writes calls of every public function with arguments that it should refuse, for test_misuse.c.

usage: misuse.py OUTPUT.h HEADER...
Reads the declarations of the headers, so that no function is forgotten: each pointer is NULL in turn, each index, number or
kind is far out of range, and all pointers are NULL at once. What is left is valid. A type that VALID does not know is an
error: add it.
"""
import pathlib
import re
import sys

# Valid arguments, in terms of what test_misuse.c prepares; {} is the type. What is not listed: a pointer is to zeroed memory of
# the caller, a structure that begins with "pc_default_" has such a function.
VALID = {
    "pc_error*": "&misuse.error",
    "const pc_system*": "misuse.system",
    "pc_system*": "misuse.open_system",
    "const pc_sim*": "misuse.sim",
    "pc_sim*": "misuse.sim",
    "const pc_observation*": "pc_sim_observation(misuse.sim)",
    "const pc_result*": "misuse.result",
    "pc_result*": "misuse.result",
    "const pc_model*": "misuse.model",
    "pc_model*": "misuse.model",
    "const pc_history*": "misuse.history",
    "pc_history*": "misuse.history",
    "pc_recorder*": "misuse.recorder",
    "pc_table*": "misuse.table",
    "pc_solver*": "misuse.solver",
    "const pc_fclib*": "misuse.fclib",
    "pc_fclib*": "misuse.fclib",
    "const pc_problem*": "&misuse.problem",
    "const pc_geometry*": "misuse.geometry",
    "pc_geometry*": "misuse.geometry",
    "const pc_sim_def*": "&misuse.sim_def",
    "const pc_recorder_def*": "&misuse.recorder_def",
    "const pc_table_def*": "&misuse.table_def",
    "const pc_table_row*": "&misuse.table_row",
    "const pc_output_at*": "&misuse.output_at",
    "const char*": '"x"',
    "FILE*": "misuse.file",
    "pc_observer*": "misuse_observe",
    "pc_part_id": "(pc_part_id){0}",
    "pc_joint_id": "(pc_joint_id){0}",
    "pc_material_id": "(pc_material_id){0}",
    "int": "0",
    "long": "0",
    "double": "0.5",
    "size_t": "1",
}
# Of single arguments.
VALID_ARGUMENT = {
    ("pc_history_observe", "history"): "misuse.history",
    ("pc_recorder_observe", "recorder"): "misuse.recorder",
    ("pc_result_read", "count"): "1",
    ("pc_result_write_csv", "every"): "1",
    ("pc_result_write_found_csv", "every"): "1",
    ("pc_result_write_vtk", "every"): "1",
    ("pc_result_write_vtk", "go_on"): "misuse_go_on",
    ("pc_check", "until"): "0.01",
    ("pc_model_evaluate", "expression"): '"1"',
    ("pc_solver_create", "name"): '"auto"',
}
# What a caller alone can know: how long an array is, and how much work is wanted.
UNKNOWABLE = {
    ("pc_check_run", "capacity"), ("pc_model_read", "override_count"), ("pc_model_read_text", "override_count"),
    ("pc_model_read_extended", "override_count"), ("pc_model_read_text_extended", "override_count"),
    ("pc_result_write_csv", "series_count"), ("pc_set_given", "count"), ("pc_sim_run_steps", "count"), ("pc_sim_run", "until"),
    ("pc_result_read_found", "first"), ("pc_result_read_found", "count"),
}  # fmt: skip
POINTERS = {"pc_observer*"}
INVALID = {
    "int": ["-1", "-7", "INT_MAX", "INT_MIN"],
    "long": ["-1", "LONG_MAX", "LONG_MIN"],
    "double": ["NAN", "INFINITY", "-INFINITY", "1e300", "-1e300", "0"],
    "pc_part_id": ["(pc_part_id){-2}", "(pc_part_id){INT_MAX}"],
    "pc_joint_id": ["(pc_joint_id){-1}", "(pc_joint_id){INT_MAX}"],
    "pc_material_id": ["(pc_material_id){-1}", "(pc_material_id){INT_MAX}"],
    "size_t": [],
}


def parameters(text):
    """Pairs of a type and a name."""
    depth, part, parts = 0, "", []
    for c in text:
        depth += (c == "(") - (c == ")")
        if c == "," and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += c
    for part in [*parts, part]:
        part = part.strip()
        if part in ("", "void"):
            continue
        if function := re.fullmatch(r"int \(\*(\w+)\)\(void\* user\)", part):
            yield "int (*)(void*)", function[1]
            continue
        name = re.search(r"(\w+)((\[\w*\])?)$", part)
        kind = part[: name.start()].strip()
        yield kind + ("*" if name[2] else ""), name[1]


def functions(paths):
    for path in paths:
        text = re.sub(r"/\*.*?\*/|//[^\n]*", "", pathlib.Path(path).read_text(), flags=re.S)
        for found in re.finditer(r"\bPC_API\s+([^;{]*?);", text):
            declaration = " ".join(found[1].split())
            name, arguments = re.fullmatch(r".*?[\s*](pc_\w+)\s*\((.*)\)", declaration).groups()
            yield name, list(parameters(arguments))


def is_pointer(kind):
    return kind.endswith("*") or "(*)" in kind


def valid(function, kind, name, defaults):
    if (function, name) in VALID_ARGUMENT:
        return VALID_ARGUMENT[function, name]
    if kind in VALID:
        return VALID[kind]
    plain = kind.removeprefix("const ").removesuffix("*")
    if f"pc_default_{plain.removeprefix('pc_').removesuffix('_def')}_def" in defaults and kind.startswith("const "):
        return f"&(const {plain}[]){{pc_default_{plain.removeprefix('pc_')}()}}[0]"
    if is_pointer(kind):
        return "misuse_memory()"
    if re.fullmatch(r"pc_\w+", kind):  # an enumeration
        return f"({kind})0"
    sys.exit(f"misuse.py: which valid value has '{kind}' of {function}?")


def main():
    output, *headers = sys.argv[1:]
    known = list(functions(headers))
    defaults = {name for name, _ in known}
    lines, table = [], []
    for name, arguments in known:
        good = [valid(name, kind, argument, defaults) for kind, argument in arguments]
        calls = []
        for i, (kind, argument) in enumerate(arguments):
            bad = ["NULL"] if is_pointer(kind) else INVALID.get(kind, [f"({kind})-1", f"({kind})INT_MAX"])
            if (name, argument) in UNKNOWABLE:
                continue
            calls += [(f"{argument} = {value}", [*good[:i], value, *good[i + 1 :]]) for value in bad]
        if sum(is_pointer(kind) for kind, _ in arguments) > 1:
            nothing = ["NULL" if is_pointer(kind) else value for (kind, _), value in zip(arguments, good)]
            calls.append(("all pointers NULL", nothing))
        for what, values in [*calls, ("what is valid", good)]:
            number = len(table)
            lines.append(f"static void misuse_{number}(void)\n{{\n  (void){name}({', '.join(values)});\n}}\n")
            table.append(f'    {{"{name}: {what}", misuse_{number}}},')
    text = "\n".join(lines) + "\nstatic const misuse_call misuse_calls[] = {\n" + "\n".join(table) + "\n};\n"
    pathlib.Path(output).write_text(text)


main()
