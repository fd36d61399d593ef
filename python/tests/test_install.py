"""`pip install ./python` without a network: one wheel without compiled parts, which runs."""
import os
import pathlib
import subprocess
import sys

import pytest

PROJECT = pathlib.Path(__file__).resolve().parents[2]
pip = pytest.importorskip("pip")


def run(*command, **environment):
    done = subprocess.run([str(c) for c in command], text=True, capture_output=True, env={**os.environ, **environment})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def without_sanitizer():
    """pip is no program of ours."""
    return {"LD_PRELOAD": "", "PYTHONPATH": ""}


def test_pip_installs_it_offline(tmp_path):
    run(sys.executable, "-m", "pip", "install", "--no-index", "--prefix", tmp_path, PROJECT / "python", **without_sanitizer())
    package = next(tmp_path.rglob("percuss/__init__.py")).parent
    assert (package / "_declarations.py").exists() and (package / "py.typed").exists()
    assert not [p for p in package.iterdir() if p.suffix not in (".py", ".pyi", ".typed", "")]
    about = next(tmp_path.rglob("percuss-*.dist-info/WHEEL")).read_text()
    assert "Root-Is-Purelib: true" in about and "Tag: py3-none-any" in about
    said = run(sys.executable, "-c", "import percuss; print(percuss.__file__, percuss.version()); "
               "print(percuss.Model('slider-crank').simulate('rattle', dt=1e-4).run(until=0.001).steps)",
               PYTHONPATH=str(package.parent))
    assert str(package) in said and said.splitlines()[-1] == "10"


def test_without_its_libraries_it_says_what_to_do(tmp_path):
    done = subprocess.run([sys.executable, "-c", "import percuss"], text=True, capture_output=True,
                          env={**os.environ, "PERCUSS_LIBRARY": str(tmp_path), "LD_PRELOAD": ""})
    assert done.returncode == 1 and "PERCUSS_LIBRARY" in done.stderr.splitlines()[-1]
