# SPDX-License-Identifier: Apache-2.0
"""sinew.mujoco: each call against what sinew itself computes, or a closed form."""

import copy
import pathlib
import pickle
import re
import subprocess
import sys

import numpy as np
import pytest
import sinew
from conftest import PENDULUM
from sinew import mujoco


@pytest.fixture
def both():
    m = mujoco.MjModel.from_xml_string(PENDULUM)
    return m, mujoco.MjData(m)


def test_a_program(both, models):
    m, d = both
    plain = sinew.loads(PENDULUM).data()
    while d.time < 0.1:
        d.ctrl[:] = 0.2
        mujoco.mj_step(m, d)
        plain.ctrl[:] = 0.2
        plain.step()
    np.testing.assert_array_equal(d.qpos, plain.qpos)
    assert mujoco.MjModel.from_xml_path(str(models / "arm.xml")).nq > 0
    twin = copy.copy(d)
    mujoco.mj_step(m, twin, nstep=10)
    mujoco.mj_resetData(m, d)
    assert d.time == 0 and isinstance(twin, mujoco.MjData)
    mujoco.mj_resetDataKeyframe(m, d, 0)
    assert d.qpos[0] == 3


def test_a_model_and_its_simulation(both):
    m, d = both
    other = copy.copy(m)
    other.opt.gravity[:] = 0
    point, out = np.zeros(3), np.zeros((3, m.nv))
    for call, arguments in ((mujoco.mj_step, ()), (mujoco.mj_forward, ()), (mujoco.mj_comPos, ()),
                            (mujoco.mj_jac, (out, None, point, 1))):
        with pytest.raises(sinew.InvalidError, match="belongs to another model"):
            call(other, d, *arguments)
        with pytest.raises(TypeError, match="sinew.Model is needed, not NoneType"):
            call(None, d, *arguments)
        with pytest.raises(TypeError, match="sinew.Data is needed, not MjModel"):
            call(m, m, *arguments)
        with pytest.raises(TypeError, match="the model comes first"):
            call(d, m, *arguments)
    assert d.time == 0


def test_names(both):
    m, d = both
    assert mujoco.mj_name2id(m, mujoco.mjtObj.mjOBJ_BODY, "ball") == 2 == m.body("ball").id
    assert mujoco.mj_name2id(m, mujoco.mjtObj.mjOBJ_BODY, "none") == -1
    assert mujoco.mj_id2name(m, mujoco.mjtObj.mjOBJ_ACTUATOR, 0) == "motor"
    assert mujoco.mj_id2name(m, mujoco.mjtObj.mjOBJ_JOINT, 1) is None
    d.actuator("motor").ctrl[0] = 3
    assert d.ctrl[0] == 3
    d.joint("hinge").qpos[0] = 0.5
    mujoco.mj_forward(m, d)
    assert m.joint("hinge").qposadr[0] == 0 and d.jnt("hinge").qpos[0] == 0.5
    assert d.site("tip").xpos.shape == (3,) and m.body("arm").mass[0] == pytest.approx(1)
    assert m.geom("ball").type[0] == mujoco.mjtGeom.mjGEOM_SPHERE


def test_options(both):
    m, _ = both
    m.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
    assert m.opt.integrator == 1 and m.selected("integrator") == "rk4"
    for name, wrong in (("integrator", -1), ("integrator", 4), ("solver", 3)):
        with pytest.raises(ValueError, match=name):
            setattr(m.opt, name, wrong)
    assert m.opt.integrator == 1
    m.opt.gravity[2] = -1
    m.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    assert m.opt.gravity[2] == -1 and m.opt.disableflags == 16


def test_jacobians_and_matrices(both):
    m, d = both
    d.qpos[0] = 0.3
    mujoco.mj_forward(m, d)
    site = mujoco.mj_name2id(m, mujoco.mjtObj.mjOBJ_SITE, "tip")
    jacp, jacr = np.zeros((3, m.nv)), np.zeros((3, m.nv))
    mujoco.mj_jacSite(m, d, jacp, jacr, site)
    expected = d.jacobian("arm", d.site_xpos[site])
    np.testing.assert_array_equal(jacp, expected[0])
    mujoco.mj_jacBodyCom(m, d, jacp, None, 1)
    np.testing.assert_array_equal(jacp, d.jacobian("arm")[0])
    M = np.zeros((m.nv, m.nv))
    mujoco.mj_fullM(m, M, d.qM)
    np.testing.assert_array_equal(M, d.inertia())
    x, y = np.arange(1.0, m.nv + 1), np.zeros(m.nv)
    mujoco.mj_mulM(m, d, y, x)
    np.testing.assert_allclose(y, M @ x)
    mujoco.mj_solveM(m, d, y, y.copy())
    np.testing.assert_allclose(y, x)
    n = 2 * m.nv
    A, B = np.zeros((n, n)), np.zeros((n, m.nu))
    mujoco.mjd_transitionFD(m, d, 1e-6, True, A, B, None, None)
    np.testing.assert_array_equal(A, d.transition_fd()[0])
    d.ctrl[0] = 0.7
    mujoco.mj_forward(m, d)
    mujoco.mj_inverse(m, d)
    np.testing.assert_allclose(d.qfrc_inverse, d.qfrc_actuator, atol=1e-8)


def test_results_are_written_to_arrays_of_floats_only(both):
    m, d = both
    mujoco.mj_forward(m, d)
    for wrong, name in (([[0.0] * m.nv] * 3, "list"), (np.zeros((3, m.nv), int), "int64")):
        with pytest.raises(TypeError, match=f"array of floats .* not {name}"):
            mujoco.mj_jacBody(m, d, wrong, None, 1)
    with pytest.raises(TypeError, match="not list"):
        mujoco.mj_fullM(m, [[0.0] * m.nv] * m.nv, d.qM)
    with pytest.raises(TypeError, match="not list"):
        mujoco.mj_applyFT(m, d, [0, 0, 1], [0, 0, 0], [0, 0, 0], 1, [0.0] * m.nv)


def test_contacts_and_states(both):
    m, d = both
    mujoco.mj_step(m, d, nstep=2000)
    force = np.zeros(6)
    mujoco.mj_contactForce(m, d, 0, force)
    assert d.ncon == len(d.contact) and d.contact[0].geom1 == 0 and force[0] > 0
    spec = mujoco.mjtState.mjSTATE_INTEGRATION
    state = np.zeros(mujoco.mj_stateSize(m, spec))
    mujoco.mj_getState(m, d, state, spec)
    other = mujoco.MjData(m)
    mujoco.mj_setState(m, other, state, spec)
    assert other.hash() == d.hash()


def test_control_callback(both):
    m, d = both
    angles = []

    def control(model, data):
        angles.append(data.sensordata[0])
        data.ctrl[0] = 1
    mujoco.set_mjcb_control(control)
    try:
        mujoco.mj_step(m, d, 3)
    finally:
        mujoco.set_mjcb_control(None)
    plain = sinew.loads(PENDULUM).data()
    plain.ctrl[0] = 1
    plain.step(3)
    np.testing.assert_array_equal(d.qpos, plain.qpos)
    assert len(angles) == 3


def test_quaternions():
    rng = np.random.default_rng(2)
    for _ in range(20):
        a, b = rng.normal(size=4), rng.normal(size=4)
        mujoco.mju_normalize4(a), mujoco.mju_normalize4(b)
        A, B, AB, ab = np.zeros((3, 3)), np.zeros(9), np.zeros((3, 3)), np.zeros(4)
        mujoco.mju_quat2Mat(A, a), mujoco.mju_quat2Mat(B, b), mujoco.mju_mulQuat(ab, a, b)
        mujoco.mju_quat2Mat(AB, ab)
        np.testing.assert_allclose(A @ B.reshape(3, 3), AB, atol=1e-12)
        back = np.zeros(4)
        mujoco.mju_mat2Quat(back, A)
        np.testing.assert_allclose(abs(back @ a), 1, atol=1e-12)
        turn, half = np.zeros(3), np.zeros(4)
        mujoco.mju_subQuat(turn, ab, a)
        angle = np.linalg.norm(turn)
        mujoco.mju_axisAngle2Quat(half, turn / angle, angle)
        np.testing.assert_allclose(abs(half @ b), 1, atol=1e-12)


def test_what_is_missing_has_its_name():
    with pytest.raises(NotImplementedError, match="mj_printModel"):
        mujoco.mj_printModel
    assert not hasattr(mujoco, "MjvScene")


def test_images(both):
    m, d = both
    mujoco.mj_forward(m, d)
    try:
        renderer = mujoco.Renderer(m, 48, 64)
    except (sinew.NotFound, sinew.Unsupported) as error:
        pytest.skip(str(error))
    with renderer:
        camera, option = mujoco.MjvCamera(), mujoco.MjvOption()
        mujoco.mjv_defaultFreeCamera(m, camera)
        renderer.update_scene(d, camera, option)
        np.testing.assert_array_equal(renderer.render(), d.render(width=64, height=48))
        renderer.enable_depth_rendering()
        np.testing.assert_array_equal(renderer.render(), d.render(width=64, height=48,
                                                                  depth=True).depth)
        renderer.disable_depth_rendering()
        renderer.enable_segmentation_rendering()
        ids = renderer.render()
        assert ids.shape == (48, 64, 2) and {-1, 0} <= set(ids[..., 0].ravel())
        assert set(ids[..., 1].ravel()) == {-1, mujoco.mjtObj.mjOBJ_GEOM}
        option.geomgroup[:] = 0
        option.flags[mujoco.mjtVisFlag.mjVIS_JOINT] = True
        renderer.update_scene(d, camera, option)
        assert (renderer.render() == -1).all()


def test_warnings(both):
    m, d = both
    assert d.warning[mujoco.mjtWarning.mjWARN_BADQACC].number == 0
    d.qvel[0] = 1e12
    with pytest.warns(sinew.SimulationWarning):
        mujoco.mj_step(m, d)
    assert d.warning[mujoco.mjtWarning.mjWARN_BADQVEL].number == 1
    assert d.warning.number.sum() == 1 and len(list(d.warning)) == 8


def test_velocities_rays_and_more_quaternions(both):
    m, d = both
    d.qpos[0], d.qvel[0] = 0.4, 2
    mujoco.mj_forward(m, d)
    velocity = np.zeros(6)
    site = m.site("tip").id
    mujoco.mj_objectVelocity(m, d, mujoco.mjtObj.mjOBJ_SITE, site, velocity, 0)
    expected = np.cross([0, 2, 0], d.site_xpos[site])
    np.testing.assert_allclose(velocity, [0, 2, 0, *expected], atol=1e-12)
    mujoco.mj_objectVelocity(m, d, mujoco.mjtObj.mjOBJ_SITE, site, velocity, 1)
    np.testing.assert_allclose(velocity[3:], [-2, 0, 0], atol=1e-12)
    geom = np.zeros(1, np.int32)
    distance = mujoco.mj_ray(m, d, [3, 0, 0], [0, 0, -1], None, 1, -1, geom)
    assert distance == pytest.approx(2) and geom[0] == m.geom("floor").id
    points = np.zeros(6)
    gap = mujoco.mj_geomDistance(m, d, m.geom("ball").id, m.geom("floor").id, 10, points)
    assert gap == pytest.approx(0.1) and points[2] - points[5] == pytest.approx(0.1)
    assert mujoco.mj_getTotalmass(m) == m.body_mass.sum()
    quat = np.array([1.0, 0, 0, 0])
    for _ in range(10):
        mujoco.mju_quatIntegrate(quat, [0, 0, 0.3], 0.1)
    np.testing.assert_allclose(quat, [np.cos(0.15), 0, 0, np.sin(0.15)])
    fixed, moving = np.zeros(4), np.zeros(4)
    mujoco.mju_euler2Quat(moving, [0.1, 0.2, 0.3], "xyz")
    mujoco.mju_euler2Quat(fixed, [0.3, 0.2, 0.1], "ZYX")
    np.testing.assert_allclose(moving, fixed)


def test_a_program_runs_unchanged(tmp_path, models):
    program = tmp_path / "program.py"
    program.write_text("import sys\nimport mujoco\nimport mujoco.viewer\n"
                       "m = mujoco.MjModel.from_xml_path(sys.argv[1])\nd = mujoco.MjData(m)\n"
                       "mujoco.mj_step(m, d, 10)\nprint(d.time, mujoco.__version__ >= '3.1.0')\n")
    path = [p for p in sys.path if p]
    start = f"import sys; sys.path[:0] = {path!r}; import runpy"
    done = subprocess.run([sys.executable, "-c", start + "\nrunpy.run_module('sinew.mujoco', "
                           "run_name='__main__', alter_sys=True)", str(program),
                           str(models / "arm.xml")], capture_output=True, text=True)
    assert done.stdout.split()[1:] == ["True"] and float(done.stdout.split()[0]) > 0, done.stderr


def test_pickles_keep_their_classes(both):
    m, d = both
    model, data = pickle.loads(pickle.dumps((m, d)))
    assert type(model) is mujoco.MjModel and type(data) is mujoco.MjData
    assert type(data.model) is mujoco.MjModel and type(copy.copy(m)) is mujoco.MjModel
    np.testing.assert_array_equal(data.qpos, d.qpos)


def test_a_name_that_is_missing_or_unknown_is_a_key_error_that_lists_the_names(both):
    for element in (*both, sinew.loads(PENDULUM)):
        names = [sinew.loads(PENDULUM).body(index).name for index in (1, 2)]
        with pytest.raises(KeyError) as caught:
            element.body("elbow")
        assert isinstance(caught.value, sinew.NotFound)
        assert all(name in str(caught.value) for name in ("elbow", *names))
    m, d = both
    for missing in (m.geom, m.body, d.joint, d.jnt, m.camera):
        with pytest.raises(KeyError, match="has the name ''; "):
            missing()
    many = sinew.Spec()
    for index in range(100):
        many.world.add_geom(name=f"part{index}", size=0.1)
    with pytest.raises(KeyError, match="part29.*70 more"):
        many.compile().geom("")


def test_the_page_lists_every_name_once():
    page = (pathlib.Path(__file__).resolve().parents[3] / "docs" / "python_from_mujoco.md"
            ).read_text()
    rows = [line for line in page.splitlines() if line.startswith("|") and "github" not in line]
    listed = re.findall(r"`((?:mj|Mj|set_mj|Rend)\w+)", "\n".join(rows))
    has = [name for name in dir(mujoco) if re.match("mj|Mj|set_mj|Rend", name)]
    assert set(has) <= set(listed) and all(hasattr(mujoco, name) for name in listed)
    steps = [name for name in listed if name.startswith("mj_")]
    assert len(steps) == len(set(steps))


def test_both_geoms_of_contacts():
    m = mujoco.MjModel.from_xml_string("""<mujoco><worldbody><geom size="1 1 1" type="plane"/>
        <body pos="0 0 0.1"><freejoint/><geom size="0.2"/></body></worldbody></mujoco>""")
    d = mujoco.MjData(m)
    assert d.contact.geom.shape == (0, 2)
    mujoco.mj_forward(m, d)
    assert d.contact.geom.tolist() == [[0, 1]] and d.contact[0].geom.tolist() == [0, 1]
    assert d.contact[0].geom1 == 0 and d.contact[0].dist == pytest.approx(-0.1)
