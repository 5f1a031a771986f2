#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes notebooks of scripts: notebooks.py OUT SCRIPT...

A line `# %%` begins a cell of code, `# %% [markdown]` a cell of text, whose lines are comments. So
the scripts are the only source; the build makes the notebooks, in build/PRESET/python/notebooks.
"""

import json
import pathlib
import re
import sys


def cells(script):
    """[(kind, text)] of a script."""
    parts = re.split(r"^# %%(.*)\n", script, flags=re.M)
    yield "code", parts[0]
    for mark, text in zip(parts[1::2], parts[2::2]):
        if "[markdown]" in mark:
            yield "markdown", re.sub(r"^# ?", "", text, flags=re.M)
        else:
            yield "code", text


def notebook(script):
    """The notebook, as of nbformat 4.5."""
    made = []
    for number, (kind, text) in enumerate(cells(script)):
        text = re.sub(r"^# SPDX.*\n", "", text).strip("\n")
        if text:
            cell = {"cell_type": kind, "id": f"cell{number}", "metadata": {},
                    "source": text.splitlines(keepends=True)}
            if kind == "code":
                cell.update(execution_count=None, outputs=[])
            made.append(cell)
    return {"cells": made, "nbformat": 4, "nbformat_minor": 5,
            "metadata": {"kernelspec": {"display_name": "Python 3", "language": "python",
                                        "name": "python3"},
                         "language_info": {"name": "python"},
                         "license": "Apache-2.0"}}


def main():
    out = pathlib.Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    for script in map(pathlib.Path, sys.argv[2:]):
        content = json.dumps(notebook(script.read_text()), indent=1, ensure_ascii=False)
        (out / script.with_suffix(".ipynb").name).write_text(content + "\n")


if __name__ == "__main__":
    main()
