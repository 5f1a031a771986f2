# SPDX-License-Identifier: Apache-2.0
"""Plugins that are written in Python."""

import threading
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


def test_an_attribute_of_contacts_is_written_through():
    @sinew.contact("python_ice")
    def ice(m, d, contacts):
        contacts.friction = 1e-5
        for name in ("dist", "frictoin", "n"):
            with pytest.raises(AttributeError, match=name):
                setattr(contacts, name, 1)

    data = sinew.loads("""<mujoco><worldbody><geom type="plane" size="9 9 1"/>
      <body pos="0 0 0.09"><freejoint/><geom size="0.1"/></body></worldbody></mujoco>""").data()
    data.forward()
    assert data.contacts["friction"].tolist() == [[1e-5] * 5]


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


def test_activation_dynamics_against_its_closed_form():
    """A filter of first order, with a time constant that each actuator sets."""
    @sinew.dynamics("python_filter")
    def filtered(prm, ctrl, act, length, velocity, *, tau=0.5):
        assert act.shape == (len(ctrl), 1) and prm.shape[0] == len(ctrl)
        return (ctrl[:, None] - act) / tau[:, None]

    spec = sinew.Spec.loads(SLIDER % "")
    spec.actuator(0).set(dyntype="python_filter", name="slow")
    spec.add_actuator(name="fast", target="j", dyntype="python_filter", attributes="tau=0.1")
    data = spec.compile().data()
    data.ctrl = [1, 2]
    data.step(200)
    np.testing.assert_allclose(data.act, [1 - np.exp(-0.2 / 0.5), 2 * (1 - np.exp(-0.2 / 0.1))],
                               rtol=5e-3)
    sinew.check("python_filter")

    @sinew.dynamics("python_exact", states=2)
    class Exact:
        """Two filters in series, integrated exactly in the first."""
        def __init__(self, tau=0.1):
            self.tau = tau

        def rate(self, prm, ctrl, act, length, velocity):
            return np.column_stack([ctrl - act[:, 0], act[:, 0] - act[:, 1]]) / self.tau

        def advance(self, prm, ctrl, act, length, velocity, rate, h):
            after = act + h * rate
            after[:, 0] = ctrl + (act[:, 0] - ctrl) * np.exp(-h / self.tau)
            return after

        def reset(self, prm, length):
            return np.tile([0.25, 0.5], (len(length), 1))

    spec = sinew.Spec.loads(SLIDER % "")
    spec.actuator(0).dyntype = "python_exact"
    data = spec.compile().data()
    np.testing.assert_array_equal(data.act, [0.25, 0.5])
    data.ctrl[0] = 1
    data.step(100)
    assert data.act[0] == pytest.approx(1 - 0.75 * np.exp(-1), rel=1e-9)


def test_gains_with_attributes_and_derivatives():
    seen = []

    @sinew.bias("python_spring_damper")
    class SpringDamper:
        def value(self, prm, length, velocity, *, k=10.0, numbers=(1.0, 2.0), word="a",
                  body=sinew.Reference("body")):
            seen.append((list(k), [list(n) for n in numbers], word, list(body)))
            return -k * length - 2 * velocity

        def dvelocity(self, prm, length, velocity):
            return np.full(len(length), -2.0)

        def dlength(self, prm, length, velocity, *, k=10.0):
            return -k

    spec = sinew.Spec.loads(SLIDER % "")
    spec.actuator(0).set(biastype="python_spring_damper", attributes="k=40\nbody=b")
    data = spec.compile().data()
    data.qpos[0], data.qvel[0] = 0.5, 3
    data.forward()
    assert data.actuator_force[0] == pytest.approx(-40 * 0.5 - 2 * 3)
    assert seen[-1] == ([40], [[1, 2]], ["a"], [1])
    sinew.check("python_spring_damper")


def test_a_controller_with_states_and_attributes():
    """The integral of an error brings a mass to its set point in spite of a constant force."""
    @sinew.controller("python_pid", named=True, states=1)
    class Pid:
        def control(self, m, d, ctrl, qfrc, state, *, kp=1.0, ki=1.0, goal=0.0):
            qfrc[0] += kp * (goal - d.qpos[0]) - 10 * d.qvel[0] + ki * state[0]

        def advance(self, m, d, h, state, *, goal=0.0):
            state[0] += h * (goal - d.qpos[0])

        def reset(self, state):
            state[0] = 0.5

    spec = sinew.Spec.loads(SLIDER % "")
    spec.add_force(name="pid", type="controller/python_pid", attributes="kp=100\nki=50\ngoal=0.3")
    model = spec.compile()
    data = model.data()
    data.qfrc_applied[0] = 7
    saved = data.get_state()
    data.step(20000)
    assert data.qpos[0] == pytest.approx(0.3, abs=1e-4)
    final = data.hash()
    data.state = saved   # the state of the plugin is a part of it
    data.step(20000)
    assert data.hash() == final
    with pytest.raises(sinew.InvalidError, match="advance"):
        @sinew.controller("python_wrong", states=1)
        def wrong(m, d, ctrl, qfrc, state):
            pass


def test_a_passive_force_with_its_derivative():
    """With d force / d velocity an implicit integrator is stable where the step times the damping
    is far above the mass."""
    class Brake:
        def apply(self, m, d, qfrc):
            qfrc -= 1e5 * d.qvel

    class Known(Brake):
        def derivative(self, m, d):
            return -1e5 * np.eye(m.nv)

    speeds = []
    for target in (Brake, Known):
        sinew.passive("python_brake")(target)
        data = sinew.loads(SLIDER % "").data()
        with data.model.options(integrator="implicitfast"):
            data.qvel[0] = 1
            with np.errstate(all="ignore"):
                data.step(3)
        speeds.append(abs(data.qvel[0]))
    assert speeds[0] > 1 > 0.01 > speeds[1]


def test_a_sensor_with_a_state():
    @sinew.sensor("python_largest", objects="body", states=1)
    class Largest:
        """The largest height so far."""
        def evaluate(self, m, d, objid, refid, state, *, scale=1.0):
            state[0] = max(state[0], d.xpos[objid, 2])
            return scale * state[0]

        def reset(self, m, d, state):
            state[0] = d.xpos[m.nbody - 1, 2] - 0.25

    spec = sinew.Spec.loads(SLIDER % "")
    spec.add_sensor(name="s", type="python_largest", objtype="body", object="b",
                    attributes="scale=2")
    data = spec.compile().data()
    found = []
    for position in (-0.5, 0.5, 0.1):
        data.qpos[0] = position
        data.forward()
        found.append(data.sensor("s").data[0])
    assert found == [-0.5, 1.0, 1.0]


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


def failing():
    """A model whose passive force fails, and a sound one."""
    @sinew.passive("fails", named=True)
    def fails(m, d, qfrc):
        raise ZeroDivisionError("mine")

    spec = sinew.Spec.loads(SLIDER % "")
    spec.add_force(type="fails")
    return spec.compile(), sinew.loads(SLIDER % "")


def test_an_exception_stays_on_its_thread():
    bad, good = (model.data() for model in failing())
    stop, sound = threading.Event(), []

    def steps():
        try:
            while not stop.is_set():
                good.step()
            sound.append(True)
        except BaseException as error:
            sound.append(error)
    thread = threading.Thread(target=steps)
    thread.start()
    for _ in range(500):
        with pytest.raises(ZeroDivisionError):
            bad.step()
    stop.set()
    thread.join()
    assert sound == [True]


@pytest.mark.parametrize("executor", ["serial", "threads"])
def test_an_exception_stays_with_its_rollouts(executor):
    bad, good = failing()
    stop, sound = threading.Event(), []

    def rollouts():
        try:
            while not stop.is_set():
                sinew.rollout(good, n=4, nsteps=20, executor=executor)
            sound.append(True)
        except BaseException as error:
            sound.append(error)
    thread = threading.Thread(target=rollouts)
    thread.start()
    data = good.data()
    for _ in range(20):
        with pytest.raises(ZeroDivisionError):
            sinew.rollout(bad, n=4, nsteps=3, executor=executor)
        data.step()
    stop.set()
    thread.join()
    assert sound == [True]


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
    with pytest.raises(sinew.NotFound, match="nothing"):
        sinew.check("nothing")


@pytest.mark.parametrize("name", ["newton", "not a name", ""])
def test_a_name_that_is_taken_or_invalid_is_rejected_at_once(name):
    def solve(problem):
        return problem.qacc_smooth, np.zeros(problem.nefc), np.zeros(problem.nefc)

    before = list(sinew.engine._registered)
    with pytest.raises(sinew.InvalidError):
        sinew.solver(name)(solve)
    assert sinew.engine._registered == before
    sinew.loads(PENDULUM).data().step()
    for _ in range(2):   # the later one replaces the earlier one of the program
        sinew.solver("python_twice")(solve)
    assert len(sinew.engine._registered) == len(before) + 1


def test_a_plugin_reads_options_and_contacts():
    seen = []

    @sinew.controller("python_reads")
    def reads(m, d, ctrl, qfrc):
        seen.append((m.opt.timestep, m.opt.gravity.tolist(), m.opt.solver, m.name, m.stat.extent,
                     d.contacts, d.warnings, repr(m), repr(d)))
        with pytest.raises(AttributeError, match="read-only"):
            m.opt.timestep = 1
        with pytest.raises(AttributeError, match="read-only"):
            m.opt.solver = "cg"

    model = sinew.loads(PENDULUM)
    data = model.data()
    data.qpos[3] = -1.95   # the ball touches the floor
    data.forward()
    step, gravity, solver, name, extent, contacts, counts, *_ = seen[-1]
    assert (step, solver, name, counts) == (0.001, model.opt.solver, "pendulum", {})
    assert gravity == model.opt.gravity.tolist() and extent == model.stat.extent
    assert len(contacts) == 1 and contacts.dtype == data.contacts.dtype
    np.testing.assert_array_equal(contacts["dist"], data.contacts["dist"])
    np.testing.assert_array_equal(contacts["frame"], data.contacts["frame"])


def test_a_plugin_that_steps_its_own_simulation():
    simulations = []

    @sinew.controller("python_steps")
    def steps(m, d, ctrl, qfrc):
        simulations[0].step()

    simulations.append(sinew.loads(PENDULUM).data())
    for use in (lambda d: d.step(), lambda d: d.step(5), lambda d: d.forward()):
        with pytest.raises(RuntimeError, match="within a step.*m and d"):
            use(simulations[0])


def nothing(*arguments, **also):
    pass


@pytest.mark.parametrize("kind", ["sensor", "gain", "bias", "dynamics", "solver"])
@pytest.mark.parametrize("result, error", [(None, "nothing.*return"), (np.zeros((7, 3)), "shape")])
def test_a_result_that_is_missing_or_wrong_is_an_error(kind, result, error):
    def wrong(*arguments):
        return result

    also = {"objects": "body"} if kind == "sensor" else {}
    getattr(sinew, kind)(f"python_wrong_{kind}", **also)(wrong)
    name = f"python_wrong_{kind}"
    spec = sinew.Spec.loads(SLIDER % "")
    if kind == "sensor":
        spec.add_sensor(name="s", type=name, objtype="body", object="b")
    elif kind != "solver":
        spec.actuator(0).set(**{{"dynamics": "dyntype"}.get(kind, f"{kind}type"): name})
    else:
        spec = sinew.Spec.loads(PENDULUM)
        spec.option.solver = name
    data = spec.compile().data()
    if kind == "solver":
        data.qpos[3] = -1.95
        error = error if result is None else "qacc, force"
    with pytest.raises((TypeError, ValueError), match=f"(?s){name}.*{error}"):
        data.step()


def test_an_unknown_setting_of_a_plugin():
    with pytest.raises(TypeError, match="python_q.*nmaed.*named"):
        sinew.passive("python_q", nmaed=True)(nothing)


def test_fields_of_contacts_are_those_of_the_header():
    from sinew import _tables
    from sinew._library import ffi
    members = [name for name, _ in ffi.typeof("sn_contacts").fields]
    assert ["size", "reserved", "n", *_tables.CONTACTS] == members
    for name, (_, columns, _) in _tables.CONTACTS.items():
        row = _tables.STEP.get(f"contact_{name}")
        assert row is None or columns == int(row[2])


def register_reset(name, function):
    """A controller that does nothing, but that its reset calls a function."""
    @sinew.controller(name, named=True, states=1)
    class Resets:
        def control(self, m, d, ctrl, qfrc, state):
            pass

        def advance(self, m, d, h, state):
            pass

        def reset(self, state):
            function()


def slider_with(controller):
    spec = sinew.Spec.loads(SLIDER % "")
    spec.add_force(type=f"controller/{controller}")
    return spec


@pytest.mark.parametrize("executor", ["serial", "threads"])
def test_an_exception_before_the_first_step(executor):
    """With variations `reset` is called by the thread that runs a rollout, before it steps."""
    raising = []

    def reset():
        if raising:
            raise KeyError("before the first step")
    register_reset("python_resets", reset)
    with sinew.configure(set={"plugin.threads.workers": 4}):
        bad = slider_with("python_resets").compile()
        good = sinew.loads(SLIDER % "")
    stop, sound = threading.Event(), []
    vary = {"body_mass:b": np.linspace(1, 2, 16)}

    def others():   # on the same threads, so that their numbers are known to these
        try:
            while not stop.is_set():
                sinew.rollout(good, n=16, nsteps=20, executor=executor)
            sound.append(True)
        except BaseException as error:
            sound.append(error)
    thread = threading.Thread(target=others)
    thread.start()
    try:
        for _ in range(10):
            sinew.rollout(bad, n=16, nsteps=5, vary=vary, executor=executor)
            bad.refresh()   # frees what rollouts have kept with the model
            raising.append(True)
            with pytest.raises(KeyError, match="before the first step"):
                sinew.rollout(bad, n=16, nsteps=5, vary=vary, executor=executor)
            raising.clear()
    finally:
        stop.set()
        thread.join()
    assert sound == [True]
    assert not sinew._library._raised and not sinew._library._early


@pytest.mark.parametrize("executor", ["serial", "threads"])
def test_a_model_is_freed_by_a_plugin_of_another(executor):
    """Garbage collection may free any model, and what rollouts keep with it, while one is bound."""
    old = []

    register_reset("python_collects", old.clear)
    spec = slider_with("python_collects")
    vary = {"body_mass:b": [1, 2]}
    model, other = spec.compile(), spec.compile()
    sinew.rollout(other, n=2, nsteps=2, vary=vary, executor=executor)
    old.append(other)
    del other
    sinew.rollout(model, n=2, nsteps=2, vary=vary, executor=executor)
    assert not old


def test_a_decorator_without_a_name_is_an_error_at_once():
    for kind in ("controller", "passive", "contact", "sensor", "dynamics", "gain", "bias",
                 "solver"):
        with pytest.raises(TypeError, match=f"@sinew.{kind}\\(\"name\"\\)"):
            getattr(sinew, kind)(nothing)
    with pytest.raises(TypeError, match="name"):
        sinew.passive(7)


def test_settings_of_plugins_that_do_not_fit_are_rejected_at_once():
    for kind in (sinew.controller, sinew.passive, sinew.sensor, sinew.dynamics):
        with pytest.raises(sinew.InvalidError, match="python_r: states.*-1"):
            kind("python_r", states=-1)
        with pytest.raises(TypeError):
            kind("python_r", states=1.5)
    with pytest.raises(sinew.InvalidError, match="stage: 'zzz' is none of: .*position"):
        sinew.sensor("python_r", stage="zzz")(nothing)
