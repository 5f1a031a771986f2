# SPDX-License-Identifier: Apache-2.0
"""Simulations: arrays, names, steps, states, threads, memory."""

import copy
import gc
import pickle
import threading
import sys
import warnings

import numpy as np
import pytest
import sinew
import sinew.mujoco
from conftest import ROOT
from sinew import _tables


def test_a_pendulum_swings_with_its_period(model, data):
    # T = 2 pi sqrt(I / (m g c)), with the inertia about the hinge and the distance of the center
    data.forward()
    inertia = data.inertia()[0, 0]
    distance = -data.body("arm").xipos[2]
    period = 2 * np.pi * np.sqrt(inertia / (1 * 9.81 * distance))
    data.joint("hinge").qpos = 0.001
    turns, before = [], 0.0
    while len(turns) < 3:
        data.step()
        now = float(data.qvel[0])
        if before < 0 <= now or before > 0 >= now:
            turns.append(data.time)
        before = now
    assert 2 * (turns[2] - turns[1]) == pytest.approx(period, rel=2e-3)


def test_every_array_has_the_shape_and_type_of_its_table(model, data):
    data.step()
    sizes = {"one": 1, "two": 2, **{name: getattr(model, name) for name in _tables.SIZES},
             **{name: getattr(data, name) for name in _tables.COUNTS}}
    for tables, holder in ((_tables.MODEL, model), (_tables.DATA, data), (_tables.STEP, data)):
        for name, (kind, rows, cols, *_) in tables.items():
            array = getattr(holder, name)
            if rows == "one":
                assert isinstance(array, float)
                continue
            cols = eval(cols, {}, sizes)
            assert array.shape == ((sizes[rows],) if cols == 1 else (sizes[rows], cols)) or (
                array.shape == (sizes[rows], 1)), name
            assert array.dtype == {"real": "f8", "int": "i4"}.get(kind, "u1"), name


def test_arrays_are_views(model, data):
    assert data.qpos is data.qpos
    data.qpos[0] = 0.5
    data.forward()
    assert data.sensor("angle").data[0] == 0.5
    xpos = data.xpos
    before = xpos.copy()
    data.step(100)
    assert not np.array_equal(xpos, before)
    data.qpos = np.zeros(model.nq)
    assert data.qpos[0] == 0 and data.qpos is data.qpos


def test_results_are_read_only(model, data):
    with pytest.raises(ValueError):
        data.xpos[0] = 1
    with pytest.raises(ValueError):
        model.geom_type[0] = 99
    with pytest.raises(AttributeError):
        data.efc_force = 1
    with pytest.raises(AttributeError):
        data.qposs = 1
    with pytest.raises(AttributeError):
        data.ncon = 3


def test_arrays_stay_valid_when_everything_else_is_gone(model):
    data = model.data()
    data.step(2000)
    kept = [data.qpos, data.xpos, data.efc_force, model.body_mass, data.contacts["pos"]]
    expected = [array.copy() for array in kept]
    del data, model
    gc.collect()
    churn = [np.full(1000, 7.0) for _ in range(1000)]
    for array, numbers in zip(kept, expected):
        np.testing.assert_array_equal(array, numbers)
    assert len(churn) == 1000


def test_arrays_that_move_are_copies(data):
    data.step(2000)
    assert data.ncon > 0
    first = data.contact_dist
    kept = first.copy()
    data.reset()
    data.step(500)
    np.testing.assert_array_equal(first, kept)


def test_memory_is_freed_without_the_garbage_collector(model):
    gc.disable()
    try:
        data = model.data()
        data.step()
        owner = data._owner
        arrays = data.qpos, data.xpos, data.qvel
        import weakref
        gone = weakref.ref(owner)
        del owner, data
        assert gone() is not None
        del arrays
        assert gone() is None
    finally:
        gc.enable()


def test_names(model, data):
    data.forward()
    assert model.geom("rod").id == model.body("arm").geomadr
    np.testing.assert_allclose(data.site("tip").xpos, [0, 0, -1], atol=1e-12)
    assert data.sensor("at").data.shape == (3,)
    np.testing.assert_allclose(data.sensor("at").data, data.site("tip").xpos)
    assert data.joint(1).qpos.shape == (7,) and data.joint(1).qvel.shape == (6,)
    assert data.body("ball").qvel.shape == (6,)
    data.actuator("motor").ctrl = 2
    assert data.ctrl[0] == 2
    data.forward()
    assert data.actuator("motor").force == 2
    assert model.body("arm").mass == pytest.approx(1)
    model.geom("floor").friction = [0.3, 0.01, 0.001]
    assert model.geom_friction[0, 0] == 0.3
    assert model.joint("hinge").range[1] == 3
    assert model.geom("rod").name == "rod" and model.body(1).name == "arm"
    with pytest.raises(sinew.NotFound, match="hing"):
        data.joint("hing")
    with pytest.raises(LookupError):
        data.body(99)
    with pytest.raises(AttributeError, match="xpos"):
        data.body("arm").xpo
    assert "xpos" in dir(data.body("arm"))


def test_parts_of_arrays_that_belong_to_an_element():
    model = sinew.load(ROOT / "tests" / "models" / "compile" / "one_of_everything.xml")
    data = model.data()
    np.testing.assert_array_equal(data.joint("k").qpos, data.qpos[-4:])     # ball, the last one
    np.testing.assert_array_equal(model.joint("k").damping, [0.3] * 3)
    assert data.joint("j").qpos.shape == data.joint("hj").qvel.shape == (1,)
    np.testing.assert_array_equal(model.body("a").armature, model.dof_armature[:6])
    assert data.body("a").mocap_pos.shape == (0, 3) and data.body("mo").mocap_pos.shape == (1, 3)
    np.testing.assert_array_equal(model.hfield("h").data, model.hfield_data)
    np.testing.assert_array_equal(model.skin("cover").vert, model.skin_vert)
    np.testing.assert_array_equal(model.texture("t").rgb, model.tex_rgb)
    for sensor in map(data.sensor, range(model.nsensor)):
        assert len(sensor.data) == model.sensor_dim[sensor.id]


@pytest.mark.parametrize("kind, name, attribute, message", [
    ("body", "arm", "mocap_pos", "body.mocap_pos: 'arm' has none; m.body_mocapid[1] is -1"),
    ("actuator", "motor", "act", "actuator.act: 'motor' has none; m.actuator_actnum[0] is 0"),
    ("key", "up", "act", "key.act: 'up' has none")])
def test_what_an_element_does_not_have_cannot_be_set(model, data, kind, name, attribute, message):
    element = getattr(model if kind == "key" else data, kind)(name)
    with pytest.raises(sinew.InvalidError) as caught:
        setattr(element, attribute, 1)
    assert str(caught.value) == message
    setattr(element, attribute, getattr(element, attribute))   # nothing to nothing


def test_contacts_are_a_structured_array(model, data):
    data.step(2000)
    contacts = data.contacts
    assert len(contacts) == data.ncon > 0
    for name in contacts.dtype.names:
        np.testing.assert_array_equal(contacts[name], getattr(data, f"contact_{name}"))
    normal = sum(data.contact_force(i)[0] for i in range(len(contacts)))
    # the ball rests: the floor carries its weight
    assert normal == pytest.approx(model.body("ball").mass * 9.81, rel=1e-3)


def test_a_state_continues_bit_for_bit(model, data):
    data.ctrl[0] = 0.3
    data.step(100)
    state, copied = data.get_state(), data.copy()
    pickled = pickle.loads(pickle.dumps(data))
    data.step(200)
    other = model.data()
    other.state = state
    for twin in (other, copied, copy.deepcopy(other), pickled):
        twin.step(200 if twin.time < 0.2 else 1)
    other.state, expected = state, data.hash()
    other.step(200)
    assert other.hash() == copied.hash() == pickled.hash() == expected
    assert data.hash(sinew.State.TIME) == other.hash(sinew.State.TIME)
    with pytest.raises(sinew.InvalidError):
        other.state = state[:-1]


def test_reset_to_a_keyframe(data):
    data.step(10)
    data.reset("up")
    assert data.qpos[0] == 3 and data.time == 0
    data.reset()
    assert data.qpos[0] == 0
    with pytest.raises(sinew.NotFound):
        data.reset("down")


@pytest.mark.parametrize("act", [
    lambda d: d.step(), lambda d: d.step(2), lambda d: d.forward(), lambda d: d._snapshot(),
    lambda d: sinew.mujoco.mj_step(d.model, d)])
def test_a_warning_names_the_line_of_the_program(data, act):
    data.qpos[0] = np.nan
    with warnings.catch_warnings(record=True) as found:
        warnings.simplefilter("always")
        act(data)
    assert (found[0].filename, found[0].lineno) == (__file__, act.__code__.co_firstlineno)


def test_a_divergence_warns(data):
    data.qpos[0] = 1e20
    with pytest.warns(sinew.SimulationWarning, match="bad qpos"):
        data.step()
    assert data.warnings == {"bad qpos": 1}
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        data.step(10)
        data.qvel[0] = 1e20
        with pytest.raises(sinew.SimulationWarning):
            data.step()


def test_two_threads_cannot_step_one_simulation(models):
    data = sinew.load(models / "figure.xml").data()
    refused, done = [], threading.Event()

    def other():
        while not done.is_set():
            try:
                data.contact_dist, data.forward()
            except RuntimeError as error:
                refused.append(str(error))

    thread = threading.Thread(target=other)
    thread.start()
    made = 0
    while not refused or made < 100:
        try:
            data.step(50)
            made += 50
        except RuntimeError as error:
            refused.append(str(error))
    done.set()
    thread.join()
    assert {word.split(";")[0] for word in refused} == {"another thread uses this simulation"}


def test_the_lock_of_the_interpreter_is_released(models):
    data = sinew.load(models / "figure.xml").data()
    counted, done = [0], threading.Event()

    def count():
        while not done.is_set():
            counted[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    data.step(1)
    before = counted[0]
    sinew._library.lib.py_step(data._simulation, 1 << 40)   # about a tenth of a second in C
    after = counted[0]
    done.set()
    thread.join()
    assert after > before + 100


def test_jacobians_against_finite_differences(model, data):
    data.qpos[0], data.qvel[:] = 0.4, 0.0
    data.forward()
    point = np.array(data.site("tip").xpos)
    linear, angular = data.jacobian("arm", point)
    h = 1e-6
    for dof in range(model.nv):
        velocity = np.eye(model.nv)[dof]
        other = model.data()
        other.qpos = model.integrate(data.qpos, velocity, h)
        other.forward()
        moved = (other.site("tip").xpos - point) / h
        np.testing.assert_allclose(linear[:, dof], moved, atol=1e-5)
    np.testing.assert_allclose(angular[:, 0], [0, 1, 0], atol=1e-12)
    force = data.apply_force("arm", force=[1, 2, 3], point=point)
    np.testing.assert_allclose(force, linear.T @ [1, 2, 3], atol=1e-12)


def test_inertia_and_inverse_dynamics(model, data):
    data.qpos[0], data.qvel[:], data.ctrl[0] = 0.4, 0.3, 0.7
    data.forward()
    matrix = data.inertia()
    x = np.arange(1.0, model.nv + 1)
    np.testing.assert_allclose(data.multiply_inertia(x), matrix @ x, rtol=1e-12)
    np.testing.assert_allclose(data.solve_inertia(matrix @ x), x, rtol=1e-9)
    qacc = data.qacc.copy()
    found = data.inverse(qacc)
    np.testing.assert_allclose(found, data.qfrc_actuator, atol=1e-8)


def test_derivatives_of_a_pendulum(model, data):
    data.qpos[0] = 0.2
    A, B = data.transition_fd()
    n = 2 * model.nv
    assert A.shape == (n, n) and B.shape == (n, 1)
    h = model.opt.timestep
    data.forward()
    inertia = data.inertia()[0, 0]
    assert B[model.nv, 0] == pytest.approx(h / inertia, rel=1e-5)
    assert len(data.transition_fd(sensors=True)) == 4
    assert data.qpos[0] == 0.2


def test_positions_on_the_rotation_group(model):
    start = model.qpos0.copy()
    velocity = np.linspace(-1, 1, model.nv)
    end = model.integrate(start, velocity, 0.3)
    np.testing.assert_allclose(model.difference(start, end, 0.3), velocity, atol=1e-12)


def test_rays_and_distances(model, data):
    data.forward()
    x, geom = data.ray([3, 3, 1], [0, 0, -2])
    assert x == pytest.approx(1.5) and geom == model.geom("floor").id
    assert data.ray([3, 3, 1], [0, 0, 1]) == (None, -1)
    distance, first, second = data.distance("rod", "ball")
    assert distance == pytest.approx(np.linalg.norm(first - second))


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


def test_memory_does_not_grow_over_a_million_steps():
    model = sinew.loads("""<mujoco><worldbody><body><joint axis="0 1 0"/>
      <geom size="0.1" pos="0 0 -1"/></body></worldbody></mujoco>""")
    data = model.data()
    for _ in range(10000):
        data.step()
        data.qpos, data.efc_force
    before = resident()
    for _ in range(1000000):
        data.step()
        data.qpos
    data.contacts
    assert resident() < before + 1000000   # a byte a step would show


def test_memory_does_not_grow_over_loads(model):
    def round_trip():
        data = model.data()
        data.step()
        return data.qpos, data.contacts, model.body("arm").mass

    for _ in range(50):
        round_trip()
    before = resident()
    for _ in range(500):
        round_trip()
    assert resident() < before + 500 * 2000   # a simulation has tens of kilobytes
