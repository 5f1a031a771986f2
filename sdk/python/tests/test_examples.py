# SPDX-License-Identifier: Apache-2.0
"""The examples run; each ends with an assertion of its own."""

import runpy

import pytest
from conftest import ROOT

EXAMPLES = sorted(path for path in (ROOT / "sdk/python/examples").glob("*.py")
                  if path.stem != "benchmark")


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_example(path):
    runpy.run_path(str(path), run_name="__main__")
