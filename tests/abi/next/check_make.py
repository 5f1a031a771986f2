#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""check_make.py SOURCE_TREE

make.py removes the copies of sources that were moved or deleted, leaves unchanged files as they
are, and touches nothing else.
"""

import os
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.dont_write_bytecode = True
sys.path.insert(0, HERE)
import make  # noqa: E402

with tempfile.TemporaryDirectory() as folder:
    def at(*path):
        return os.path.join(folder, *path)

    assert make.main(sys.argv[1], folder) == 0
    before = os.stat(at("core", "step", "step.c"))
    for path in ("core/model/moved.h", "core/gone/gone.c", "include/sinew/moved.h", "libsinew.so"):
        os.makedirs(os.path.dirname(at(path)), exist_ok=True)
        with open(at(path), "w", encoding="utf-8"):
            pass
    assert make.main(sys.argv[1], folder) == 0
    for path in ("core/model/moved.h", "core/gone/gone.c", "include/sinew/moved.h"):
        assert not os.path.exists(at(path)), f"{path} is still there"
    assert os.path.exists(at("libsinew.so"))
    after = os.stat(at("core", "step", "step.c"))
    assert before.st_mtime_ns == after.st_mtime_ns, "an unchanged file was written"
