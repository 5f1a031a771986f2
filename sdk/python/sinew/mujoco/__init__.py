# SPDX-License-Identifier: Apache-2.0
"""Calls of MuJoCo's Python package, for programs that are moved to Sinew.

    from sinew import mujoco      instead of      import mujoco

Programs that use only what docs/python_from_mujoco.md lists run with this one change. Any other
name raises an error with that name. New programs are shorter with sinew itself.
"""

from .enumerations import *
from .functions import *
from .functions import __version__
from .quaternions import *
from .rendering import MjvCamera, MjvOption, Renderer
from .structs import MjData, MjModel


class Missing(AttributeError, NotImplementedError):
    """A name of MuJoCo's package that this one does not have."""


def __getattr__(name):
    if name == "viewer":
        import importlib
        return importlib.import_module("sinew.mujoco.viewer")
    if name.startswith("__"):
        raise AttributeError(name)
    raise Missing(f"sinew.mujoco has no '{name}'; docs/python_from_mujoco.md lists what it has")
