# SPDX-License-Identifier: Apache-2.0
"""The package of the build tree, unless one is on the path already: build/PRESET/python, of the
preset in $SINEW_BUILD or release."""

import os
import pathlib
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILD = pathlib.Path(os.environ.get("SINEW_BUILD", ROOT / "build" / "release"))
if (BUILD / "python").exists() and "SINEW_INSTALLED" not in os.environ:
    sys.path.insert(0, str(BUILD / "python"))

MODELS = ROOT / "samples" / "models"

PENDULUM = """<mujoco model="pendulum"><compiler angle="radian"/>
<option timestep="0.001"/><worldbody><geom name="floor" type="plane" size="5 5 0.1" pos="0 0 -2"/>
  <body name="arm" pos="0 0 0"><joint name="hinge" axis="0 1 0" range="-3 3"/>
    <geom name="rod" type="capsule" fromto="0 0 0 0 0 -1" size="0.02" mass="1"/>
    <site name="tip" pos="0 0 -1"/></body>
  <body name="ball" pos="1 0 -1.8"><freejoint/><geom name="ball" size="0.1"/></body>
</worldbody>
<actuator><motor name="motor" joint="hinge"/></actuator>
<sensor><jointpos name="angle" joint="hinge"/><framepos name="at" objtype="site" objname="tip"/>
</sensor>
<keyframe><key name="up" qpos="3 1 0 -1.8 1 0 0 0"/></keyframe></mujoco>"""


@pytest.fixture
def model():
    import sinew
    return sinew.loads(PENDULUM)


@pytest.fixture
def data(model):
    return model.data()


@pytest.fixture
def models():
    """The folder of the sample models."""
    return MODELS
