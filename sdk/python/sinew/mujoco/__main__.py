# SPDX-License-Identifier: Apache-2.0
"""python3 -m sinew.mujoco SCRIPT [ARGUMENT...]: runs a program for MuJoCo's package unchanged:
`import mujoco` and `import mujoco.viewer` import sinew.mujoco there."""

import runpy
import sys
from pathlib import Path

from sinew import mujoco
from sinew.mujoco import viewer


def main():
    if len(sys.argv) < 2:
        sys.exit("usage: python3 -m sinew.mujoco SCRIPT [ARGUMENT...]")
    sys.modules.update({"mujoco": mujoco, "mujoco.viewer": viewer})
    del sys.argv[0]
    sys.path[0] = str(Path(sys.argv[0]).resolve().parent)
    runpy.run_path(sys.argv[0], run_name="__main__")


main()
