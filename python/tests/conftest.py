"""What the tests share."""
import json
import os
import pathlib
import subprocess

import pytest

PROJECT = pathlib.Path(__file__).resolve().parents[2]


@pytest.fixture
def models():
    return PROJECT / "models"


@pytest.fixture
def program():
    """Runs the program percuss; returns what `--json` says."""
    import percuss._library as library

    def run(*arguments):
        done = subprocess.run([library.program(), *map(str, arguments)], text=True, capture_output=True, cwd=PROJECT)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout) if "--json" in arguments else done.stdout

    return run


@pytest.fixture
def sanitized():
    """Whether a sanitizer slows everything down."""
    return "PERCUSS_SANITIZED" in os.environ
