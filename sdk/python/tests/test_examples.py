# SPDX-License-Identifier: Apache-2.0
"""The examples run, as scripts and as notebooks; each ends with an assertion of its own."""

import json
import pathlib
import runpy
import shutil
import subprocess
import sys

import pytest
from conftest import ROOT

FOLDER = ROOT / "sdk/python/examples"
EXAMPLES = sorted(path for path in FOLDER.glob("*.py") if path.stem != "benchmark")


@pytest.fixture(autouse=True)
def clean(monkeypatch):
    """Plugins of an example are unknown to the next one; plots open no window."""
    monkeypatch.setenv("MPLBACKEND", "Agg")
    yield
    import sinew
    sinew.engine._registered.clear()
    sinew.engine.reset()


@pytest.fixture(scope="module")
def notebooks(tmp_path_factory):
    out = tmp_path_factory.mktemp("notebooks")
    subprocess.run([sys.executable, ROOT / "sdk/python/notebooks.py", out, *EXAMPLES], check=True)
    shutil.copy(FOLDER / "acrobot.xml", out)
    return out


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example(path):
    runpy.run_path(str(path), run_name="__main__")


@pytest.mark.parametrize("name", [path.stem for path in EXAMPLES])
def test_notebook(name, notebooks, monkeypatch):
    made = json.loads((notebooks / f"{name}.ipynb").read_text())
    assert made["cells"][0]["cell_type"] == "markdown"
    assert made["cells"][0]["source"][0].startswith("# ")
    monkeypatch.chdir(notebooks)
    names = {"__name__": "__main__"}
    for cell in made["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), f"{name}.ipynb", "exec"), names)


def test_notebooks_are_valid(notebooks):
    nbformat = pytest.importorskip("nbformat")
    for path in pathlib.Path(notebooks).glob("*.ipynb"):
        nbformat.validate(nbformat.read(path, as_version=4))


def test_a_notebook_in_a_kernel(notebooks, monkeypatch):
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    path = ":".join(str(pathlib.Path(p).resolve()) for p in sys.path if p)
    monkeypatch.setenv("PYTHONPATH", path)
    made = nbformat.read(notebooks / "pd_control.ipynb", as_version=4)
    nbclient.NotebookClient(made, timeout=120, kernel_name="python3",
                            resources={"metadata": {"path": str(notebooks)}}).execute()
    last = made.cells[-1].outputs[-1]
    assert "<iframe" in last["data"]["text/html"]   # the replay, inline
