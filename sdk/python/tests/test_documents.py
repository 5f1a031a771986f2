# SPDX-License-Identifier: Apache-2.0
"""What the pages show of Python works: the blocks of a page are run in order, in one program."""

import re

import pytest
from conftest import ROOT

PAGES = [page for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
         if "```python" in page.read_text()]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_blocks_of_a_page(page, tmp_path, monkeypatch):
    (tmp_path / "samples").symlink_to(ROOT / "samples")
    monkeypatch.chdir(tmp_path)
    names = {"__name__": "page"}
    text = page.read_text()
    for block in re.finditer(r"^```python\n(.*?)^```", text, re.M | re.S):
        line = text.count("\n", 0, block.start(1))
        exec(compile("\n" * line + block[1], str(page), "exec"), names)


@pytest.fixture(autouse=True)
def clean():
    """Plugins of a page are unknown to the next one."""
    yield
    import sinew
    sinew.engine._registered.clear()
    sinew.engine.reset()
