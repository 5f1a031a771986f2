# SPDX-License-Identifier: Apache-2.0
"""What wrong arguments and missing files are answered with: an exception that names them."""

import copy
import logging
import os
import pickle
import warnings

import numpy as np
import pytest
import sinew
from conftest import PENDULUM


def test_a_missing_file(tmp_path):
    for load in (sinew.load, sinew.Spec.load, sinew.Problems):
        with pytest.raises(FileNotFoundError, match="nothing.xml") as caught:
            load(tmp_path / "nothing.xml")
        assert isinstance(caught.value, sinew.Error)
        assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
    with pytest.raises(FileNotFoundError) as caught:
        sinew.loads('<mujoco>\n<asset><mesh name="t" file="t.obj"/></asset></mujoco>')
    assert (caught.value.file, caught.value.line) == ("model.xml", 2)
    with pytest.raises(sinew.FileError) as caught:
        sinew.load(tmp_path)
    assert not isinstance(caught.value, FileNotFoundError)
    with pytest.raises(sinew.Error) as caught:
        sinew.Model.from_bytes(b"no model")
    assert "/tmp" not in str(caught.value)


def test_names_with_nul_and_invalid_text(data, model):
    spec = sinew.Spec()
    for word in ("arm\0", "\udc80"):
        for use in (lambda: model.body(word), lambda: setattr(spec, "name", word),
                    lambda: spec.world.add_body(name=word), lambda: spec.body(word),
                    lambda: setattr(model.opt, "solver", word), lambda: model.set(word, 1)):
            with pytest.raises(sinew.InvalidError):
                use()
    for use in (sinew.load, sinew.Spec.load, model.save, spec.save, sinew.Problems):
        with pytest.raises(sinew.InvalidError, match="NUL"):
            use("arm\0.xml")


def test_ids_and_counts_are_integers(data, model):
    for wrong in (1.0, 1.7, float("nan"), "1", None):
        with pytest.raises(TypeError):
            data.step(wrong)
    for use in (model.body, data.jacobian, data.contact_force, sinew.Spec().body,
                lambda n: data.apply_force(n, [1, 0, 0]),
                lambda n: data.ray([0, 0, 1], [0, 0, -1], without=n)):
        with pytest.raises(TypeError):
            use(1.7)
        with pytest.raises(sinew.NotFound, match="99"):
            use(99)
        with pytest.raises(sinew.NotFound):
            use(-7)
    assert data.jacobian(np.int32(1))[0].shape == (3, model.nv)
    with pytest.raises(TypeError, match="Model"):
        sinew.Data("model")
    for use in (lambda: setattr(model.opt, "iterations", 3.7),
                lambda: sinew.Spec().world.add_geom(type=3.7)):
        with pytest.raises(TypeError):
            use()


def test_unknown_bits_of_a_state(data, model):
    for mask in (1 << 30, -1, int(sinew.State.INTEGRATION) | 1 << 30):
        for use in (data.get_state, data.hash, model.state_size,
                    lambda bits: data.set_state([], bits)):
            with pytest.raises(sinew.InvalidError, match="sinew.State"):
                use(mask)
        with pytest.raises(sinew.InvalidError, match="sinew.State"):
            sinew.rollout(model, nsteps=1, states=mask)
    assert data.get_state(0).size == 0


@pytest.mark.parametrize("wrong", [
    {"every": 0}, {"every": -1}, {"control_every": 0, "controls": np.zeros((1, 3, 1))},
    {"seed": -1}, {"stop": {"qpos:0:0": 5}}, {"vary": {"body_mass:arm": 1.0}}])
def test_wrong_arguments_of_rollouts(model, wrong):
    with pytest.raises(sinew.InvalidError, match=next(iter(wrong))):
        sinew.rollout(model, **{"nsteps": 3, **wrong})


def test_one_name_is_a_record(model):
    run = sinew.rollout(model, nsteps=3, record="qpos")
    assert run["qpos"].shape == (1, 3, model.nq)
    with pytest.raises(KeyError, match="qvel.*qpos"):
        run["qvel"]
    with pytest.raises(TypeError, match="Model"):
        sinew.rollout(None, nsteps=3)
    varied = [sinew.rollout(model, nsteps=3, vary={"body_mass:arm": np.array([1, 2], kind)},
                            record="qpos")["qpos"] for kind in ("i1", "u8", "f4", "f8", ">f8")]
    for other in varied[1:]:
        np.testing.assert_array_equal(varied[0], other)


ROBOT = """<robot name="r"><link name="a"><visual><geometry><box size="1 1 1"/></geometry></visual>
<foo/></link></robot>"""


def test_a_message_is_logged_once(caplog):
    with caplog.at_level(logging.INFO, "sinew"):
        sinew.loads(ROBOT, name="a.urdf")
    messages = [record.getMessage() for record in caplog.records if record.levelno == logging.INFO]
    assert any("foo" in message for message in messages)
    assert len(messages) == len(set(messages)) and not any("/tmp" in m for m in messages)
    spec = sinew.Spec.loads(ROBOT, "a.urdf")
    assert spec.notes and not any("/tmp" in note for note in spec.notes)
    assert spec.notes == spec.compile().notes


def test_a_divergence_is_reported_once_with_its_reason(data, capfd):
    data.qpos[0] = np.nan
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        data.step()
    assert len(caught) == 1 and "qpos[0] of joint 'hinge' is nan" in str(caught[0].message)
    assert not logging.getLogger("sinew").propagate or capfd.readouterr().err == ""
    assert any(isinstance(h, logging.NullHandler) for h in logging.getLogger("sinew").handlers)


def test_os_errors_have_their_classes():
    """A FileNotFoundError is an OSError, and so caught by programs that know nothing of Sinew."""
    try:
        sinew.load("no such file")
    except OSError as error:
        assert os.strerror(2) in str(error)


class Raises(logging.Handler):
    def emit(self, record):
        raise KeyboardInterrupt


def test_ctrl_c_in_a_log_handler_is_not_lost(data):
    """The interpreter handles signals between any two of its instructions, also within callbacks of
    the library."""
    handler = Raises()
    logging.getLogger("sinew").addHandler(handler)
    try:
        data.qpos[0] = np.nan
        with pytest.raises(KeyboardInterrupt):
            data.step()
    finally:
        logging.getLogger("sinew").removeHandler(handler)
    data.reset()
    data.step()


def test_ctrl_c_ends_a_check(monkeypatch):
    from sinew import plugins

    def interrupted(pointer):
        if reporting:
            raise KeyboardInterrupt
        return before(pointer)
    before, reporting = plugins.text, []
    entries = plugins.lib.py_check

    class Library:
        def __getattr__(self, name):
            return getattr(before_lib, name)

        def py_check(self, *arguments):
            reporting.append(True)
            try:
                return entries(*arguments)
            finally:
                reporting.clear()
    before_lib = plugins.lib
    monkeypatch.setattr(plugins, "lib", Library())
    monkeypatch.setattr(plugins, "text", interrupted)
    with pytest.raises(KeyboardInterrupt):
        sinew.check("newton", kind="solver")


def test_what_cannot_be_pickled():
    for what in (sinew.current(), sinew.Problems()):
        with pytest.raises(TypeError, match="models, specs and simulations"):
            pickle.dumps(what)


COPIES = [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))]


@pytest.mark.parametrize("make", COPIES, ids=["copy", "deepcopy", "pickle"])
def test_copies_of_elements_and_settings(data, model, make):
    data.step(10)
    body = make(data.body("arm"))
    assert (body.id, body.name) == (1, "arm")
    np.testing.assert_array_equal(make(data.joint("hinge")).qpos, data.joint("hinge").qpos)
    np.testing.assert_array_equal(make(model.geom("rod")).size, model.geom("rod").size)
    spec = sinew.Spec()
    spec.world.add_body(name="b", mass=2)
    made = make(spec.body("b"))
    assert (made.id, made.name, made.mass) == (1, "b", 2)
    made.mass = 3   # a copy of the element is one of the same spec, other copies have their own
    assert spec.body("b").mass == (3 if make is copy.copy else 2)
    for settings in (model.opt, model.stat, spec.option):
        with pytest.raises(TypeError, match="settings belong to a model or a spec"):
            make(settings)


def test_an_exception_of_a_plugin_is_not_a_warning_of_the_next_step():
    engine, fails = sinew.Engine(), [False]

    @sinew.controller("python_sometimes", engine=engine)
    def control(m, d, ctrl, qfrc):
        if fails:
            if fails.pop():
                raise KeyError("broken")
    text = '<mujoco><worldbody><body><freejoint/><geom size=".1"/></body></worldbody></mujoco>'
    data = sinew.loads(text, engine=engine).data()
    for step in (data.step, data.forward, lambda: data.step(3)):
        fails[:] = [True]
        with pytest.raises(KeyError, match="broken"):
            step()
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            data.step()
            data.step(2)
    data.qvel[0] = np.nan   # other warnings remain
    with pytest.warns(sinew.SimulationWarning, match="qvel"):
        data.step()


def test_the_argument_that_is_wrong(data):
    for name in ("force", "torque", "point"):
        given = {"force": [0, 0, 1], name: [1, 2]}
        with pytest.raises(sinew.InvalidError, match=f"^{name}: 3 numbers are needed, got 2"):
            data.apply_force(1, **given)


@pytest.mark.parametrize("record", ["qpos", ["qpos", "xpos", "ncon"]])
def test_results_of_rollouts_that_no_memory_can_have(model, record):
    with pytest.raises(sinew.InvalidError, match="^results of the rollout request"):
        sinew.rollout(model, n=1, nsteps=2 ** 62, record=record)


def test_a_text_for_a_path_and_a_path_for_a_text(tmp_path):
    path = tmp_path / "m.xml"
    path.write_text("<mujoco/>")
    with pytest.raises(sinew.InvalidError, match="sinew.loads"):
        sinew.load(path.read_text())
    with pytest.raises(sinew.InvalidError, match="sinew.load reads it"):
        sinew.loads(str(path))


def test_misspelled_names_are_errors_with_similar_ones(model):
    spec = sinew.Spec()
    for use, hint in ((lambda: model.engine.limit("memroy"), "there is no limit 'memroy'; similar: "
                       "memory"),
                      (lambda: model.selected("solvr"), "there is no selection 'solvr'; similar: "
                       "solver"),
                      (lambda: model.selected("nope"), "there is no selection 'nope'; there is: "
                       "solver, integrator, post_solver"),
                      (lambda: spec.count("goem"), "there is no kind 'goem'; similar: geom"),
                      (lambda: spec.elements("goem"), "there is no kind 'goem'; similar: geom"),
                      (lambda: spec.add("goem"), "there is no kind 'goem'; similar: geom")):
        with pytest.raises(sinew.InvalidError) as caught:
            use()
        assert str(caught.value).startswith(hint)
    assert model.selected("post_solver") is None


def test_none_is_no_number(model, data):
    for use, name in ((lambda: setattr(data, "qpos", None), "qpos"),
                      (lambda: setattr(data, "time", None), "time"),
                      (lambda: setattr(data.joint("hinge"), "qpos", None), "joint.qpos"),
                      (lambda: setattr(data, "qvel", [None] * model.nv), "qvel"),
                      (lambda: data.solve_inertia([None] * model.nv), "x"),
                      (lambda: sinew.rollout(model, controls=[[None]]), "controls"),
                      (lambda: sinew.rollout(model, nsteps=1, vary={"body_mass:arm": [1, None]}),
                       "vary, body_mass:arm")):
        with pytest.raises(sinew.InvalidError, match=f"^{name}: numbers are needed, got .*None"):
            use()
    assert np.isfinite(data.qpos).all() and data.time == 0


def test_a_warning_in_a_program_without_a_name():
    program = {"__name__": None, "sinew": sinew, "text": PENDULUM.replace(
        'axis="0 1 0"', 'axis="0 1 0" damping="-1"')}
    exec("model = sinew.loads(text)", program)   # Python ignores warnings of such a program
    assert "damping" in program["model"].warnings[0]


def test_errors_of_values_name_the_attribute(model, data):
    with pytest.raises(ValueError, match="^qpos: .*shape"):
        data.qpos = [1, 2, 3]
    with pytest.raises(ValueError, match="^geom.rgba: .*shape"):
        model.geom("rod").rgba = [1, 0, 0]
    with pytest.raises(ValueError, match="^qacc: "):
        data.inverse([1, 2])
    with pytest.raises(AttributeError, match="similar: .*qpos"):
        data.qposs = 1
    with pytest.raises(TypeError, match=r"^body\(\) missing .*'key'"):
        data.body()
    spec = sinew.Spec()
    with pytest.raises(TypeError, match=r"^add_body\(\) takes"):
        spec.add_body("arm")
    with pytest.raises(sinew.InvalidError, match="pos: numbers are needed, got '0 0 1'"):
        spec.world.add_body(pos="0 0 1")
    with pytest.raises(sinew.InvalidError, match="mass: one number is needed"):
        spec.world.add_geom(size=1, mass=[1, 2])
    generator = (number for number in [1.0])
    for use, words in (
            (lambda: setattr(data, "time", [1, 2]), "time: "),
            (lambda: setattr(data, "time", "x"), "time: numbers"),
            (lambda: setattr(data, "qpos", {}), "qpos: numbers"),
            (lambda: setattr(data, "qpos", None), "qpos: numbers"),
            (lambda: setattr(model.geom("rod"), "rgba", "x"), "geom.rgba: numbers"),
            (lambda: setattr(model.geom("rod"), "contype", 1.5), "geom.contype: integers"),
            (lambda: setattr(model.opt, "timestep", "x"), "option.timestep: numbers"),
            (lambda: setattr(model.opt, "timestep", [1, 2]), "option.timestep: one number"),
            (lambda: model.opt.gravity.__setitem__(0, "x"), "option.gravity: numbers"),
            (lambda: spec.add_tendon(wrap="ab"), "tendon.wrap: a list of dicts.*'ab'"),
            (lambda: spec.add_tendon(wrap=[None]), "tendon.wrap: a list of dicts.*None"),
            (lambda: spec.add_tendon(wrap={"prm": 1}), "tendon.wrap: a list of dicts"),
            (lambda: spec.add_tendon(wrap=[{"prm": "x"}]), "tendon.wrap.prm: numbers"),
            (lambda: spec.add_skin(bone=[{"vertweight": "x"}]), "skin.bone.vertweight: numbers"),
            (lambda: spec.add_mesh(vert="abc"), "mesh.vert: numbers"),
            (lambda: spec.add_mesh(vert=[None]), "mesh.vert: numbers"),
            (lambda: spec.add_mesh(face="abc"), "mesh.face: integers"),
            (lambda: spec.world.add_geom(user="x"), "geom.user: numbers"),
            (lambda: spec.world.add_geom(user=generator), "geom.user: numbers"),
            (lambda: spec.world.add_joint(limited=[1]), "joint.limited: one of auto"),
            (lambda: spec.add_texture(cubefile=5), "texture.cubefile: a list"),
            (lambda: spec.add_texture(cubebytes=b"abc"), "texture.cubebytes: a list"),
            (lambda: spec.add_texture(bytes=5), "texture.bytes: bytes")):
        with pytest.raises(ValueError, match=f"^{words}"):
            use()
    for use, words in ((lambda: setattr(model.opt, "iterations", 1.5), "option.iterations: "),
                       (lambda: spec.world.add_geom(type=1.5), "geom.type: "),
                       (lambda: spec.add_tendon(wrap=[{"type": 1.5}]), "tendon.wrap.type: ")):
        with pytest.raises(TypeError, match=f"^{words}an integer is needed, got 1.5"):
            use()
