# SPDX-License-Identifier: Apache-2.0
"""Plugins that are written in Python."""

import traceback

import numpy as np
import pytest
import sinew
from conftest import PENDULUM

SLIDER = """<mujoco><option gravity="0 0 0" timestep="0.001"/><worldbody><body name="b">
  <joint name="j" type="slide"/><geom size="0.1"/></body></worldbody>
  <actuator><motor joint="j"/></actuator>%s</mujoco>"""


@pytest.fixture(autouse=True)
def clean():
    """Plugins of a test are unknown to the next one."""
    yield
    sinew.engine._registered.clear()
    sinew.engine.reset()


def test_a_controller():
    @sinew.controller("python_pd")
    def pd(m, d, ctrl, qfrc):
        ctrl[0] = -100 * d.joint("hinge").qpos[0] - 20 * d.qvel[0]
        assert m.nu == 1 and qfrc.shape == (m.nv,)

    data = sinew.loads(PENDULUM).data()
    data.qpos[0] = 0.5
    data.step(2000)
    assert abs(data.qpos[0]) < 0.01
    assert data.ctrl[0] == 0 and data.ctrl_effective[0] != 0


def test_a_passive_force_against_its_closed_form():
    @sinew.passive("python_spring")
    class Spring:
        def __init__(self, stiffness=100.0):
            self.stiffness = stiffness

        def apply(self, m, d, qfrc):
            qfrc -= self.stiffness * d.qpos

    for stiffness in (100.0, 400.0):
        with sinew.configure(set={"plugin.python_spring.stiffness": stiffness}):
            model = sinew.loads(SLIDER % "")
        data = model.data()
        data.qpos[0] = 0.1
        frequency = np.sqrt(stiffness / model.body_mass[1])
        data.step(100)
        assert data.qpos[0] == pytest.approx(0.1 * np.cos(frequency * 0.1), abs=2e-3)
    with pytest.raises(sinew.Error):
        sinew.Engine(set={"plugin.python_spring.stifness": 1})


def test_a_sensor_and_an_actuator_law():
    @sinew.sensor("python_height", dim=2, stage="position", objects="body")
    def height(m, d, objid, refid):
        return [d.xipos[objid, 2], objid]

    @sinew.gain("python_gain")
    def gain(prm, length, velocity):
        return 2 * prm[:, 0] + 0 * length

    spec = sinew.Spec.loads(SLIDER % "")
    spec.add_sensor(name="height", type="python_height", objtype="body", object="b")
    actuator = spec.actuator(0)
    actuator.gaintype = "python_gain"
    actuator.gainprm = [3]
    model = spec.compile()
    data = model.data()
    data.qpos[0] = 0.25
    data.ctrl[0] = 1
    data.forward()
    np.testing.assert_allclose(data.sensor("height").data, [0.25, 1])
    assert data.actuator_force[0] == 6


def test_a_contact_modifier():
    @sinew.contact("python_ice")
    def ice(m, d, contacts):
        contacts.friction[:] = 1e-5
        assert contacts.n == len(contacts.dist)

    slope = """<mujoco><worldbody><geom type="plane" size="9 9 1" euler="0 20 0"/>
      <body pos="0 0 0.2"><freejoint/><geom type="box" size="0.1 0.1 0.1" euler="0 20 0"/></body>
      </worldbody></mujoco>"""
    data = sinew.loads(slope).data()
    data.step(500)
    assert data.qvel[0] > 1   # friction 1 would hold it


def test_a_solver_against_a_shipped_one():
    @sinew.solver("python_free")
    def free(problem):
        """Ignores all constraints."""
        return problem.qacc_smooth, np.zeros(problem.nefc), np.zeros(problem.nefc)

    @sinew.solver("python_newton")
    def wraps(problem):
        found = problem.solve("newton")
        return found["qacc"], found["force"], found["state"], found["iterations"]

    model = sinew.loads(PENDULUM)
    states = {}
    for name in ("newton", "python_newton", "python_free"):
        with model.options(solver=name):
            data = model.data()
            data.step(1000)
            states[name] = data.qpos.copy()
    np.testing.assert_allclose(states["python_newton"], states["newton"], atol=1e-9)
    assert states["python_free"][3] < -3 < states["newton"][3]   # falls through the floor


def test_an_exception_is_raised_by_the_step():
    @sinew.controller("python_fails")
    def fails(m, d, ctrl, qfrc):
        raise KeyError("mine")

    data = sinew.loads(PENDULUM).data()
    with pytest.raises(KeyError, match="mine") as caught:
        data.step()
    assert any(frame.name == "fails" for frame in traceback.extract_tb(caught.value.__traceback__))
    with pytest.raises(KeyError):
        data.step(10)
    with pytest.raises(KeyError):
        data.forward()


def test_what_a_plugin_keeps_does_not_dangle():
    kept = []

    @sinew.controller("python_keeps")
    def keeps(m, d, ctrl, qfrc):
        kept.append((d.qpos, m.body_mass, d, m, ctrl))

    data = sinew.loads(PENDULUM).data()
    data.qpos[0] = 0.5
    data.step()
    del data
    qpos, mass, d, m, ctrl = kept[0]
    assert qpos[0] == 0.5 and mass.sum() > 0 and len(ctrl) == 1
    for use in (lambda: d.qvel, lambda: d.ncon, lambda: m.nq, lambda: d.contact_dist,
                lambda: d.body("arm")):
        with pytest.raises(sinew.InvalidError, match="during its call"):
            use()


def test_the_conformance_kit_judges():
    @sinew.passive("python_drag")
    def drag(m, d, qfrc):
        qfrc -= 0.1 * d.qvel

    findings = sinew.check("python_drag")
    assert any(result for _, result, _ in findings)

    @sinew.passive("python_parameters")
    class Parameters:
        def __init__(self, real=0.1, integer=3, flag=True, word="a"):
            assert (real, integer, flag, word) == (0.1, 3, True, "a")

        def apply(self, m, d, qfrc):
            pass

    sinew.check("python_parameters")
    made = []

    @sinew.passive("python_numbers")
    class Numbers:
        def __init__(self, numbers=(1.0, 2.0)):
            made.append(list(numbers))

        def apply(self, m, d, qfrc):
            pass

    with sinew.configure(set={"plugin.python_numbers.numbers": "3 4 5"}):
        sinew.loads(SLIDER % "")
    assert made == [[3, 4, 5]]

    @sinew.passive("python_counts")
    def counts(m, d, qfrc, calls=[0]):
        calls[0] += 1
        qfrc += calls[0]

    with pytest.raises(AssertionError, match="same bits"):
        sinew.check("python_counts")
    with pytest.raises(sinew.InvalidError):
        sinew.check("nothing")
