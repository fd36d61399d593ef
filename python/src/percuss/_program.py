"""The program percuss, for what is not in the library: comparisons, convergence, sweeps, pictures."""
from __future__ import annotations

import json
import subprocess
from typing import Any

from ._library import program
from .errors import ArgumentError, ModelError, ProgramError

_BY_CODE = {2: ArgumentError, 3: ModelError}


def percuss(*arguments: str) -> str:
    """What it prints; an exit code other than 0 is an exception with what it says."""
    command = [program(), *arguments]
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        output, said = child.communicate()
    except BaseException:  # Ctrl-C: it stops, too, and leaves nothing half written
        child.terminate()
        child.wait()
        raise
    if child.returncode == 0:
        return output
    lines = said.strip().splitlines() or [f"percuss {arguments[0]} ended with exit code {child.returncode}"]
    reason = lines[-1].removeprefix("percuss: ")
    kind = _BY_CODE.get(child.returncode)
    raise kind(reason) if kind else ProgramError(reason, child.returncode)


def percuss_json(*arguments: str) -> Any:
    return json.loads(percuss(*arguments, "--json", "--quiet"))
