"""Builds the wheel (PEP 517): pure Python, one for all versions, without a compiler or a network.

Nothing has to be installed for it: the package is put together by build.py, in an interpreter that sees
cffi as the user's does, and the wheel is a zip file with four texts about it.
"""
from __future__ import annotations

import base64
import hashlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import zipfile

HERE = pathlib.Path(__file__).resolve().parent


def put_together(folder: pathlib.Path) -> str:
    """pip hides what is installed from a build; what the package needs to run, cffi, is all it takes."""
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYTHONNOUSERSITE")}
    done = subprocess.run([sys.executable, HERE / "build.py", folder], env=environment, text=True,
                          capture_output=True)
    if done.returncode:
        sys.exit(f"percuss: its declarations cannot be generated:\n{done.stderr}"
                 "Python needs cffi for it (Debian: python3-cffi).")
    text = (folder / "percuss/_interface.py").read_text()
    return re.search(r"VERSION = '([\d.]+)'", text)[1]


def metadata(version: str) -> str:
    return (f"Metadata-Version: 2.1\nName: percuss\nVersion: {version}\n"
            "Summary: Nonsmooth multibody dynamics: contact, impact and friction\n"
            "License: Apache-2.0\nRequires-Python: >=3.9\n"
            "Requires-Dist: cffi >=1.15\nRequires-Dist: numpy >=1.21\n"
            "Provides-Extra: all\n"
            'Requires-Dist: pandas ; extra == "all"\nRequires-Dist: xarray ; extra == "all"\n'
            'Requires-Dist: matplotlib ; extra == "all"\n'
            "Description-Content-Type: text/markdown\n\n" + (HERE / "README.md").read_text())


def digest(data: bytes) -> str:
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(data).digest()).decode().rstrip("=")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    with tempfile.TemporaryDirectory() as folder:
        version = put_together(pathlib.Path(folder))
        info = f"percuss-{version}.dist-info"
        content = {f"percuss/{p.name}": p.read_bytes()
                   for p in sorted(pathlib.Path(folder, "percuss").iterdir()) if p.is_file()}
    content[f"{info}/METADATA"] = metadata(version).encode()
    content[f"{info}/WHEEL"] = (b"Wheel-Version: 1.0\nGenerator: percuss\nRoot-Is-Purelib: true\n"
                                b"Tag: py3-none-any\n")
    content[f"{info}/LICENSE"] = (HERE.parent / "LICENSE").read_bytes()
    record = "".join(f"{name},{digest(data)},{len(data)}\n" for name, data in content.items())
    content[f"{info}/RECORD"] = (record + f"{info}/RECORD,,\n").encode()
    name = f"percuss-{version}-py3-none-any.whl"
    with zipfile.ZipFile(pathlib.Path(wheel_directory, name), "w", zipfile.ZIP_DEFLATED) as wheel:
        for path, data in content.items():
            wheel.writestr(zipfile.ZipInfo(path, (2020, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)
    return name


def get_requires_for_build_wheel(config_settings=None):
    return []


def build_sdist(sdist_directory, config_settings=None):
    raise NotImplementedError("percuss is built from its repository: its headers are part of the source")
