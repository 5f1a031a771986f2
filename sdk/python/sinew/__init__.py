# SPDX-License-Identifier: Apache-2.0
"""Sinew, a physics engine for articulated bodies with contact.

    import sinew
    m = sinew.load("humanoid.xml")
    d = m.data()
    while d.time < 10:
        d.ctrl[:] = 0.1
        d.step()
    print(d.body("torso").xpos)

docs/python.md is the guide. Field names and physics are those of docs/notation.md and
docs/computation.md.
"""

from . import enums
from ._library import (CompileError, Diverged, Error, FileError, FileMissing, InvalidError,
                       ModelWarning, NotFound, OutOfMemory, ParseError, PluginError,
                       SimulationWarning, Unsupported)
from ._library import lib as _lib
from ._library import text as _text
from .data import Data
from .engine import Engine, configure, current, profile, select
from .enums import State
from .kinds import bias, contact, controller, dynamics, gain, passive, sensor, solver
from .model import Model, load, loads
from .plugins import Reference, check
from .problems import Problems
from .rendering import Image, Renderer, save_video
from .rollouts import Rollouts, rollout
from .spec import Spec
from .viewing import Replay, Viewer, view

__version__ = _text(_lib.sn_version())
__all__ = ["CompileError", "Data", "Diverged", "Engine", "Error", "FileError", "FileMissing",
           "Image", "InvalidError", "Model", "ModelWarning", "NotFound", "OutOfMemory",
           "ParseError", "PluginError", "Problems", "Reference", "Renderer", "Replay", "Rollouts",
           "SimulationWarning", "Spec", "State", "Unsupported", "Viewer", "bias", "check",
           "configure", "contact", "controller", "current", "dynamics", "enums", "envs", "gain",
           "load", "loads", "mujoco", "passive", "profile", "rollout", "save_video", "select",
           "sensor", "solver", "view"]


def __getattr__(name):
    """Imports sinew.envs and sinew.mujoco at their first use."""
    if name not in ("envs", "mujoco"):
        raise AttributeError(f"module 'sinew' has no attribute '{name}'")
    import importlib
    return importlib.import_module(f"sinew.{name}")
