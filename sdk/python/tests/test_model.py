# SPDX-License-Identifier: Apache-2.0
"""Loading, errors, warnings, options, engines."""

import copy
import logging
import pickle

import numpy as np
import pytest
import sinew


def test_load_a_file(models):
    model = sinew.load(models / "cart_pole.xml")
    assert model.name == "cart and pole" and (model.nq, model.nv, model.nu) == (2, 2, 2)
    assert sinew.load(str(models / "cart_pole.xml")).nq == 2


def test_errors_have_file_line_and_column(tmp_path):
    path = tmp_path / "bad.xml"
    path.write_text("<mujoco>\n<worldbody>\n  <geom size='-1'/>\n</worldbody></mujoco>")
    with pytest.raises(sinew.CompileError) as caught:
        sinew.load(path)
    error = caught.value
    assert error.file == str(path) and error.line == 3 and error.column
    assert str(error).startswith(f"{path}:3:{error.column}: ")
    assert error.status == "SN_ECOMPILE" and isinstance(error, ValueError)
    again = pickle.loads(pickle.dumps(error))
    assert str(again) == str(error) and again.line == 3

    with pytest.raises(sinew.Error) as caught:
        sinew.loads("<mujoco><worldbody>\n<geo/></worldbody></mujoco>")
    assert caught.value.file == "model.xml" and caught.value.line == 2
    with pytest.raises(sinew.Error) as caught:
        sinew.loads("<mujoco><worldbody>\n<geom size='-1'/></worldbody></mujoco>", "mine.xml")
    assert str(caught.value).startswith("mine.xml:2:1: ")
    with pytest.raises(sinew.NotFound):
        sinew.load("does not exist.xml")


def test_warnings_and_notes(caplog):
    text = """<mujoco><worldbody><body><joint/><geom size="0.1"/></body></worldbody>
      <actuator><general joint="none"/></actuator></mujoco>"""
    with pytest.raises(sinew.Error):
        sinew.loads(text)
    bad = """<mujoco><worldbody><body><joint damping="-1"/><geom size="0.1"/></body></worldbody>
      </mujoco>"""
    with pytest.warns(sinew.ModelWarning, match="damping"):
        model = sinew.loads(bad)
    assert len(model.warnings) == 1 and model.notes == []
    assert model.warnings[0].startswith("model.xml:")


def test_log_messages_reach_logging(caplog, models):
    with caplog.at_level(logging.DEBUG, logger="sinew"):
        sinew.Engine()
    assert any(record.name == "sinew" for record in caplog.records)


def test_options(model):
    assert model.opt.timestep == 0.001
    model.opt.timestep = 0.002
    model.opt.gravity[2] = -1
    np.testing.assert_array_equal(model.opt.gravity, [0, 0, -1])
    model.opt.gravity = [0, 1, 2]
    np.testing.assert_array_equal(model.opt.gravity, [0, 1, 2])
    model.opt.cone = "elliptic"
    assert model.opt.cone == sinew.enums.Cone.ELLIPTIC
    model.set("contact", "disable")
    assert model.opt.disableflags & sinew.enums.Disable.CONTACT
    with model.options(solver="cg", timestep=0.01):
        assert model.selected("solver") == "cg" and model.opt.timestep == 0.01
    assert model.selected("solver") == "newton" and model.opt.timestep == 0.002
    with model.options(iterations=5, gravity=[0, 0, 9]):
        model.opt.timestep, model.opt.iterations = 0.003, 6
    assert (model.opt.timestep, model.opt.iterations, model.opt.gravity[1]) == (0.003, 100, 1)
    with pytest.raises(AttributeError, match="timestep"), model.options(iterations=5, timestp=1):
        pass
    assert model.opt.iterations == 100
    model.opt.timestep = 0.002
    with pytest.raises(sinew.NotFound, match="newton"):
        model.opt.solver = "nothing"
    with pytest.raises(sinew.InvalidError):
        model.opt.timestep = -1
    with pytest.raises(AttributeError, match="timestep"):
        model.opt.timestp
    with pytest.raises(AttributeError):
        model.opt.timestp = 1
    gravity = np.array(model.opt.gravity)
    gravity[0] = 5
    assert model.opt.gravity[0] == 0
    with pytest.raises(ValueError):
        model.opt.gravity[:2][0] = 1   # would change a copy
    assert model.stat.meanmass > 0 and model.vis.global_fovy == 45


def test_edited_masses(model):
    data = model.data()
    model.body("arm").mass = 2
    model.refresh()
    data.forward()
    assert data.qfrc_bias.size and model.body_subtreemass[1] == 2
    model.geom_pos[1] = float("nan")
    with pytest.raises(sinew.InvalidError, match="geom_pos"):
        model.refresh()


def test_models_are_copied_and_pickled(model):
    for twin in (pickle.loads(pickle.dumps(model)), copy.copy(model), copy.deepcopy(model),
                 sinew.Model.from_bytes(model.to_bytes())):
        first, second = model.data(), twin.data()
        first.step(50), second.step(50)
        assert first.hash() == second.hash()
        assert twin.body("arm").mass == model.body("arm").mass


@pytest.mark.parametrize("what,name", [("solver", "cg"), ("integrator", "rk4")])
def test_a_pickle_keeps_what_is_selected(model, what, name):
    setattr(model.opt, what, name)
    for twin in (pickle.loads(pickle.dumps(model)), copy.copy(model),
                 pickle.loads(pickle.dumps(model.data())).model):
        assert twin.selected(what) == name
        first, second = model.data(), twin.data()
        first.step(50), second.step(50)
        assert first.hash() == second.hash()


def test_engines(models):
    assert "newton" in {p["name"] for p in sinew.current().providers
                        if p["kind"].startswith("sinew.solver")}
    assert all(plugin["loaded"] for plugin in sinew.current().plugins)
    with sinew.select(solver="cg"):
        model = sinew.load(models / "cart_pole.xml")
    assert model.selected("solver") == "cg"
    assert sinew.load(models / "cart_pole.xml").selected("solver") == "newton"
    with sinew.profile("mujoco-2.2") as engine:
        assert engine is sinew.current()
        compatible = sinew.load(models / "cart_pole.xml")
    assert compatible.engine is engine is not sinew.current()
    with pytest.raises(sinew.NotFound):
        sinew.Engine(select={"solver": "nothing"})
    with pytest.raises(sinew.Error):
        sinew.Engine(config="/does/not/exist.ini")
    engine = sinew.Engine(set={"limits.elements": 2, "plugin.newton.linesearch_iterations": 20})
    assert engine.limit("elements") == 2
    assert engine.config["plugin.newton.linesearch_iterations"][0] == "20"
    with pytest.raises(sinew.OutOfMemory):
        sinew.load(models / "figure.xml", engine)


def test_blocks_of_engines_end_in_any_order():
    outer, inner = sinew.select(solver="cg"), sinew.select(solver="pgs")
    before, _, within = sinew.current(), outer.__enter__(), inner.__enter__()
    outer.__exit__()
    assert sinew.current() is within
    inner.__exit__()
    assert sinew.current() is before

    def in_a_block():
        with sinew.select(solver="cg"):
            yield

    held = in_a_block()
    next(held)
    with sinew.select(solver="pgs") as within:
        held.close()
        assert sinew.current() is within
    assert sinew.current() is before


def test_a_block_of_an_engine_may_be_entered_within_itself():
    block = sinew.select(solver="cg")
    with block as first:
        with block as second:
            assert sinew.current() is second
        assert sinew.current() is first


def test_a_model_keeps_its_engine():
    model = sinew.Model.from_bytes(sinew.loads("<mujoco/>").to_bytes(), sinew.Engine())
    data = model.data()
    del model
    data.step()
    assert data.time > 0


def test_every_field_is_documented():
    from sinew import _tables
    for name in list(_tables.DATA) + list(_tables.STEP) + list(_tables.COUNTS):
        assert getattr(sinew.Data, name).__doc__
    for name in list(_tables.MODEL) + list(_tables.SIZES):
        assert getattr(sinew.Model, name).__doc__
