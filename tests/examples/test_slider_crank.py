#!/usr/bin/env python3
"""The example and the model file are one mechanism: every quantity agrees to the last bit.

usage: test_slider_crank.py EXAMPLE PERCUSS MODEL
"""
import json
import subprocess
import sys


def output(*command):
    return subprocess.run(command, check=True, text=True, stdout=subprocess.PIPE).stdout


def flat(value, name=""):
    if not isinstance(value, dict):
        return {name: float(value)}
    return {k: v for key, inner in value.items()
            for k, v in flat(inner, f"{name}.{key}" if name else key).items()}


def main(example, percuss, model):
    pairs = (line.split(": ") for line in output(example).splitlines())
    got = {name: float(number) for name, number in pairs}
    summary = json.loads(output(percuss, "run", model, "--scheme", "moreau-jean", "--dt", "1e-4",
                                "--until", "0.08", "--json", "--quiet"))
    want = flat(summary["final"])
    different = [f"{name}: {got.get(name)!r}, in the model file {want.get(name)!r}"
                 for name in sorted(got.keys() | want.keys()) if got.get(name) != want.get(name)]
    print("\n".join(different) or f"{len(want)} quantities agree")
    return 1 if different or not want else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
