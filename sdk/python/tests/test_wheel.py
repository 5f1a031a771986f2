# SPDX-License-Identifier: Apache-2.0
"""What a wheel contains: setup.py."""

import os
import pathlib
import runpy
import shutil
import sys

import pytest

INI = """; a solver
newton = plugins/newton.so
; where MPI is installed
mpi       = plugins/mpi.so optional
opengl    = plugins/opengl.so optional
"""
SETUP = pathlib.Path(__file__).resolve().parents[1] / "setup.py"


@pytest.fixture
def parts(monkeypatch):
    """The functions of setup.py."""
    setuptools = pytest.importorskip("setuptools")
    pytest.importorskip("wheel.bdist_wheel")
    monkeypatch.setattr(setuptools, "setup", lambda **_: None)
    return runpy.run_path(str(SETUP))


def test_plugins_that_need_the_machine_are_left_out(tmp_path, parts):
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


INSTALLED = "SINEW_INSTALLED" in os.environ


@pytest.mark.skipif(not INSTALLED, reason="the package is not installed")
def test_an_installed_wheel_has_notices():
    import sinew
    notices = list((pathlib.Path(sinew.__file__).parent / "licenses").glob("*.txt"))
    assert len(notices) > 3
    for notice in notices:
        assert "opyright" in notice.read_text()


@pytest.mark.skipif(INSTALLED, reason="the libraries are in the wheel, and no files of packages")
@pytest.mark.skipif(shutil.which("dpkg") is None, reason="not a system with dpkg")
def test_notices_of_other_libraries_are_in_the_wheel(tmp_path, parts, monkeypatch):
    import sinew._native
    monkeypatch.delenv("SINEW_NOTICES", raising=False)
    here = pathlib.Path(sinew._native.__file__).parent
    plugins = [path for path in (here.parent.parent / "plugins").rglob("*.so")
               if path.name not in parts["LEFT_OUT"]]
    others = parts["libraries"]([sinew._native.__file__, *plugins])
    assert others
    parts["copy_notices"](others.values(), tmp_path / "licenses")
    notices = {path.stem: path.read_text() for path in (tmp_path / "licenses").glob("*.txt")}
    for path in others.values():
        package = parts["package_of"](path)
        assert "Copyright" in notices[package] or "copyright" in notices[package]
    for content in notices.values():   # licenses that notices only name are there too
        for name in ("LGPL-2.1", "GPL-3", "Apache-2.0"):
            if f"/usr/share/common-licenses/{name}" in content:
                assert (tmp_path / "licenses" / name).stat().st_size > 1000


def test_a_library_without_a_notice_is_an_error(tmp_path, parts, monkeypatch):
    monkeypatch.delenv("SINEW_NOTICES", raising=False)
    unknown = tmp_path / "libunknown.so"
    unknown.write_bytes(pathlib.Path(sys.executable).read_bytes()[:100])
    with pytest.raises(SystemExit, match="libunknown.so.*SINEW_NOTICES"):
        parts["copy_notices"]([unknown], tmp_path / "licenses")
    given = tmp_path / "given"
    given.mkdir()
    (given / "unknown.txt").write_text("Copyright")
    monkeypatch.setenv("SINEW_NOTICES", str(given))
    parts["copy_notices"]([unknown], tmp_path / "others")
    assert (tmp_path / "others" / "unknown.txt").read_text() == "Copyright"
