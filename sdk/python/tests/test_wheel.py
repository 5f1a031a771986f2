# SPDX-License-Identifier: Apache-2.0
"""What a wheel contains: setup.py."""

import pathlib
import runpy

import pytest

INI = """; a solver
newton = plugins/newton.so
; where MPI is installed
mpi       = plugins/mpi.so optional
opengl    = plugins/opengl.so optional
"""
SETUP = pathlib.Path(__file__).resolve().parents[1] / "setup.py"


def test_plugins_that_need_the_machine_are_left_out(tmp_path, monkeypatch):
    setuptools = pytest.importorskip("setuptools")
    pytest.importorskip("wheel.bdist_wheel")
    monkeypatch.setattr(setuptools, "setup", lambda **_: None)
    parts = runpy.run_path(str(SETUP))
    installed = tmp_path / "installed"
    for name in ("plugins/newton.so", "plugins/mpi.so", "web_server.so", "sinew.ini"):
        path = installed / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(INI)
    parts["copy_plugins"](installed, tmp_path / "wheel")
    found = {str(path.relative_to(tmp_path / "wheel")) for path in
             (tmp_path / "wheel").rglob("*") if path.is_file()}
    assert found == {"plugins/newton.so", "sinew.ini"}
    assert (tmp_path / "wheel" / "sinew.ini").read_text() == """; a solver
newton = plugins/newton.so
opengl    = plugins/opengl.so optional
"""
