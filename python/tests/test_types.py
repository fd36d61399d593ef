"""The type hints hold, in the package and in what users write."""
import pathlib
import subprocess
import sys

import pytest

import percuss

pytest.importorskip("mypy")

SCRIPT = """
import percuss
m = percuss.Model("slider-crank", mu=0.1)
s = m.simulate("rattle", dt=1e-4).run(until=0.01)
x: float = s["slider.x"]
names: list[str] = s.result.names
body: str = percuss.Model().body("b", mass=1, inertia=1)
"""


def test_types(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    package = pathlib.Path(percuss.__file__).parent
    done = subprocess.run([sys.executable, "-m", "mypy", "--ignore-missing-imports", "--no-site-packages",
                           "--no-error-summary", "--cache-dir", tmp_path / "cache", package, tmp_path / "script.py"],
                          text=True, capture_output=True, env={"PATH": "/usr/bin:/bin"}, cwd=package.parent)
    assert done.returncode == 0, done.stdout + done.stderr
