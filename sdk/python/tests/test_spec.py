# SPDX-License-Identifier: Apache-2.0
"""Specs: build, edit, attach, recompile."""

import copy
import pickle

import numpy as np
import pytest
import sinew
from sinew import _tables


@pytest.fixture
def arm():
    spec = sinew.Spec()
    spec.name = "arm"
    upper = spec.world.add_body(name="upper", pos=[0, 0, 1])
    upper.add_joint(name="shoulder", type="hinge", axis=[0, 1, 0], damping=0.1)
    upper.add_geom(name="rod", type="capsule", fromto=[0, 0, 0, 0, 0, -0.5], size=0.05)
    spec.add_actuator(name="motor", target=upper.name and "shoulder", gear=2)
    return spec


def test_what_is_built_equals_what_is_read(arm):
    read = sinew.loads("""<mujoco model="arm"><compiler angle="radian"/><worldbody>
      <body name="upper" pos="0 0 1"><joint name="shoulder" axis="0 1 0" damping="0.1"/>
      <geom name="rod" type="capsule" fromto="0 0 0 0 0 -0.5" size="0.05"/></body></worldbody>
      <actuator><motor name="motor" joint="shoulder" gear="2"/></actuator></mujoco>""")
    made = arm.compile()
    for name, row in _tables.MODEL.items():
        if row[0] == "real":
            np.testing.assert_array_equal(getattr(made, name), getattr(read, name), name)


def test_edit_and_keep_the_state(arm):
    model = arm.compile()
    data = model.data()
    data.joint("shoulder").qpos = 0.3
    data.step(10)
    hand = arm.body("upper").add_body(name="hand", pos=[0, 0, -0.5])
    hand.add_geom(type="sphere", size=0.1)
    hand.add_joint(name="wrist", axis=[0, 1, 0])
    arm.joint("shoulder").damping = 0.5
    newer, moved = arm.recompile(data)
    assert newer.nv == 2 and moved.joint("shoulder").qpos == data.qpos[0]
    assert moved.time == data.time and newer.joint("shoulder").damping == 0.5


def test_members_of_every_form(arm):
    geom = arm.geom("rod")
    assert geom.type == sinew.enums.Geom.CAPSULE and geom.body == 1
    geom.set(friction=[0.5], rgba=[1, 0, 0, 1], user=[1, 2, 3], mass=2)
    np.testing.assert_array_equal(geom.friction, [0.5, 0.005, 0.0001])
    np.testing.assert_array_equal(geom.user, [1, 2, 3])
    body = arm.add_body(name="turned", parent="upper", euler=[0, 0, 0.1])
    assert body.euler[2] == 0.1 and body.axisangle is None
    body.quat = [1, 0, 0, 0]
    assert body.euler is None and body.quat[0] == 1
    joint = body.add_joint(type="ball", limited=True, range=[0, 1])
    assert joint.limited == 1
    body.add_geom(size=0.1)
    arm.add_site(name="from", body="turned"), arm.add_site(name="to")
    tendon = arm.add_tendon(name="string", wrap=[{"type": "site", "object": "from"},
                                                 {"type": "pulley", "prm": 2},
                                                 {"type": "site", "object": "to"}])
    assert [wrap["object"] for wrap in tendon.wrap] == ["from", None, "to"]
    arm.add_mesh(name="tetra", vert=[[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    body.add_geom(type="mesh", mesh="tetra")
    arm.add_numeric(name="numbers", data=[1, 2], length=-1)
    arm.add_tuple(name="things", item=[{"objtype": "body", "object": "upper", "prm": 1.5}])
    tendon.wrap = [{"type": "site", "object": "from"}, {"type": "site", "object": "to"}]
    model = arm.compile()
    assert model.nmesh == 1 and model.tendon("string").num == 2
    np.testing.assert_array_equal(model.numeric("numbers").data, [1, 2])
    with pytest.raises(sinew.InvalidError, match="friction"):
        geom.frictoin = 1
    with pytest.raises(ValueError, match="capsule"):
        geom.type = "ball"
    with pytest.raises(sinew.InvalidError):
        geom.friction = [1, 2, 3, 4]


def test_defaults(arm):
    with arm.defaults(geom={"friction": [0.1], "rgba": [0, 1, 0, 1]}, joint={"damping": 3}):
        body = arm.world.add_body(name="other")
        first = body.add_geom(size=0.1)
        second = body.add_geom(size=0.1, friction=[0.9])
        joint = body.add_joint()
    third = body.add_geom(size=0.1)
    assert [g.friction[0] for g in (first, second, third)] == [0.1, 0.9, 1]
    assert joint.damping == 3 and first.rgba[1] == 1


def test_blocks_of_defaults_end_by_themselves(arm):
    with arm.defaults(geom={"mass": 1}), arm.defaults(geom={"mass": 2}):
        with arm.defaults(geom={"mass": 1}):
            assert arm.world.add_geom(size=0.1).mass == 1
        assert arm.world.add_geom(size=0.1).mass == 2
        with arm.defaults(geom={"friction": np.array([0.1, 0, 0])}):
            with arm.defaults(geom={"friction": np.array([0.2, 0, 0])}):
                pass
            assert arm.world.add_geom(size=0.1).friction[0] == 0.1


def test_attach_and_remove(arm):
    whole = sinew.Spec()
    base = whole.world.add_body(name="base")
    base.add_geom(size=0.1)
    for prefix in ("left_", "right_"):
        whole.attach(base, arm, prefix)
    model = whole.compile()
    assert model.body("left_upper").parentid == model.body("base").id == 1
    assert model.nu == 2
    left, right = whole.body("left_upper"), whole.body("right_upper")
    unnamed = whole.world.add_geom(size=0.1)
    with pytest.raises(sinew.InvalidError):
        left.remove()
    left.remove(cascade=True)
    assert right.name == "right_upper" and whole.compile().nu == 1
    with pytest.raises(sinew.NotFound):
        left.pos
    assert unnamed.size[0] == 0.1


def test_elements_are_equal_if_they_are_one(arm):
    assert arm.world in arm.elements("body") and arm.world != arm.body("upper")
    assert arm.body("upper") != arm.geom("rod") != arm.copy().geom("rod")
    first, second, third = (arm.world.add_geom(name=name, size=0.1) for name in "abc")
    kept = {first, second, third, arm.geom("b")}
    assert len(kept) == 3
    second.remove()
    assert third in kept and arm.geom("c") in kept and arm.geom("c") == third != second
    assert second in kept and arm.world.add_geom(name="d", size=0.1) not in kept


def test_text_copy_and_pickle(arm):
    text = arm.to_text()
    assert "shoulder" in text
    assert arm.copy().to_text() == text == pickle.loads(pickle.dumps(arm)).to_text()
    assert sinew.Spec.loads(text).to_text() == text


def test_every_sample_survives_a_dict(models):
    for path in sorted(models.glob("*.xml")):
        spec = sinew.Spec.load(path)
        again = sinew.Spec.from_dict(spec.to_dict())
        first, second = spec.compile().data(), again.compile().data()
        first.step(20), second.step(20)
        assert first.hash() == second.hash(), path


def test_edits_of_a_model_return_to_its_spec(arm):
    model = arm.compile()
    model.geom("rod").friction = [0.2, 0.1, 0.1]
    arm.update(model)
    assert arm.geom("rod").friction[0] == 0.2


def test_settings(arm):
    arm.option.timestep = 0.01
    arm.option.integrator = "rk4"
    arm.compiler.degree = 1
    model = arm.compile()
    assert model.opt.timestep == 0.01 and model.selected("integrator") == "rk4"
    assert arm.statistic.to_dict().keys() >= {"extent", "center"}


def test_arrays_of_settings(arm):
    model = arm.compile()
    for opt in (arm.option, model.opt):
        opt.gravity = [1, 2, 3]
        opt.gravity *= 2
        opt.gravity += [0, 0, 1]
        opt.gravity[0] -= 1
        assert opt.gravity.tolist() == [1, 4, 7]
        for wrong in ([1, 2], [1, 2, 3, 4], 1):
            with pytest.raises(sinew.InvalidError, match="3 numbers"):
                opt.gravity = wrong
        assert opt.gravity.tolist() == [1, 4, 7]


def test_elements_of_another_spec_are_rejected(arm):
    other = sinew.Spec()
    body = other.world.add_body(name="upper")
    for use in (lambda: arm.add_geom(body=body, size=0.1), lambda: arm.attach(body, other, "x_"),
                lambda: setattr(arm.body("upper"), "parent", body),
                lambda: arm.add_body(parent=other.world)):
        with pytest.raises(sinew.InvalidError, match="another spec"):
            use()


def test_errors_of_references(arm):
    arm.geom("rod").material = "none"
    with pytest.raises(sinew.Error, match="none"):
        arm.compile()
    with pytest.raises(sinew.NotFound):
        arm.body("missing")
    with pytest.raises(KeyError):
        arm.geom("")
    with pytest.raises(sinew.InvalidError, match="gem"):
        arm.add("gem")


@pytest.mark.parametrize("name", ["../escape.xml", "a/../../escape.xml", "/tmp/escape.xml", "..",
                                  ".", ""])
def test_files_in_memory_stay_in_their_folder(name, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "here"))
    (tmp_path / "here").mkdir()
    absolute = tmp_path / "absolute.xml"
    with pytest.raises(sinew.InvalidError, match="relative name"):
        sinew.loads("<mujoco/>", name=name)
    with pytest.raises(sinew.InvalidError, match="relative name"):
        sinew.loads("<mujoco/>", files={name: b"content"})
    with pytest.raises(sinew.InvalidError, match="relative name"):
        sinew.loads("<mujoco/>", name=str(absolute))
    assert [path.name for path in tmp_path.rglob("*")] == ["here"]


def test_files_in_memory_may_be_in_folders():
    text = '<mujoco><include file="parts/a.xml"/></mujoco>'
    part = '<mujoco><worldbody><body name="a"><geom size="1"/></body></worldbody></mujoco>'
    assert sinew.loads(text, files={"parts/a.xml": part}).body("a").id == 1
    # the loader itself refers to the parent folder of a model in a folder
    text = '<mujoco><include file="../parts/a.xml"/></mujoco>'
    assert sinew.loads(text, "models/m.xml", files={"models/../parts/a.xml": part}).nbody == 2


def test_writing_to_arrays_of_elements_changes_the_spec():
    s = sinew.Spec()
    body = s.world.add_body(name="b", pos=[1, 2, 3])
    g = body.add_geom(size=0.1)
    g.size[0] = 5
    g.rgba[:] = 0
    g.rgba[1:3] = [0.25, 0.75]
    body.pos[2] = 7
    body.pos += [1, 0, 0]
    body.pos *= 2
    body.quat[:] = [0, 1, 0, 0]
    assert body.pos.tolist() == [4, 4, 14]
    m = s.compile()
    assert m.geom_size[0, 0] == 5 and m.geom_rgba[0].tolist() == [0, 0.25, 0.75, 0]
    assert m.body_pos[1].tolist() == [4, 4, 14] and m.body_quat[1].tolist() == [0, 1, 0, 0]
    body.euler = [0, 0, 1]
    body.euler[2] = 2
    assert body.euler.tolist() == [0, 0, 2] == body.orient["euler"].tolist()
    mesh = s.add_mesh(name="m", vert=[0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1],
                      face=[0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3])
    mesh.vert[11] = 2
    mesh.face[:3] = [2, 1, 0]
    assert mesh.vert[11] == 2 and mesh.face[:4].tolist() == [2, 1, 0, 0]
    with pytest.raises(ValueError, match="integers"):
        mesh.face[0] = 1.5
    assert mesh.face[0] == 2


def test_writing_to_lists_of_elements_changes_the_spec():
    s = sinew.Spec()
    arm = s.world.add_body(name="arm")
    arm.add_geom(size=1)
    for name, axis in zip("abc", np.eye(3)):
        arm.add_joint(name=name, axis=axis)
    t = s.add_tendon(name="t", wrap=[{"type": "joint", "object": "a", "prm": 1}])
    t.wrap[0]["prm"] = -2
    t.wrap.append({"type": "joint", "object": "b", "prm": 3})
    kept = t.wrap
    kept += [{"type": "joint", "object": "c"}]
    kept[-1]["prm"] = 4
    kept[0].update(prm=-1)
    assert [(w["object"], w["prm"]) for w in t.wrap] == [("a", -1), ("b", 3), ("c", 4)]
    assert [(w["object"], w["prm"]) for w in kept] == [("a", -1), ("b", 3), ("c", 4)]
    assert s.compile().wrap_prm.tolist() == [-1, 3, 4]
    with pytest.raises(sinew.InvalidError, match="tendon.wrap .*sidesite"):
        kept[0]["coef"] = 1
    assert "coef" not in kept[0] and len(t.wrap) == len(kept) == 3
    del kept[1]
    assert t.wrap.pop()["object"] == "c" and len(t.wrap) == 1

    texture = s.add_texture(name="sky", type="cube", cubefile=["left.png"])
    texture.cubefile[1] = "right.png"
    assert texture.cubefile[:3] == ["left.png", "right.png", None]
    skin = s.add_skin(name="skin", bone=[{"body": "arm", "vertid": [0, 1], "vertweight": [1, 1]}])
    skin.bone[0]["bindpos"][2] = 0.5
    skin.bone[0]["vertweight"][1] = 0.25
    assert skin.bone[0]["bindpos"] == [0, 0, 0.5] and skin.bone[0]["vertweight"] == [1, 0.25]

    with pytest.raises(sinew.InvalidError, match="bone.bindpos: 3 numbers"):
        skin.bone[0]["bindpos"] = [0, 0, 0, 0]
    assert pickle.loads(pickle.dumps(s)).skin("skin").bone == skin.bone

    mine = copy.deepcopy(skin.bone)
    mine[0]["bindpos"][2] = 9
    assert pickle.loads(pickle.dumps(skin.bone)) == skin.bone and type(mine) is list
    assert skin.bone[0]["bindpos"] == [0, 0, 0.5]


def test_changes_keep_what_was_changed_in_another_way(arm):
    model = arm.compile()
    for opt in (arm.option, model.opt):
        kept = opt.gravity
        opt.gravity = [0, 0, -1]
        kept[0] = 2
        assert opt.gravity.tolist() == kept.tolist() == [2, 0, -1]
        opt.gravity = [1, 1, 1]
        kept *= 3
        assert opt.gravity.tolist() == kept.tolist() == [3, 3, 3]
    geom = arm.geom("rod")
    first, second = geom.rgba, geom.rgba
    first[0], second[1] = 0.25, 0.75
    assert geom.rgba.tolist() == second.tolist() == [0.25, 0.75, 0.5, 1]

    sites = [{"type": "site", "object": name} for name in "ab"]
    tendon = arm.add_tendon(name="t", wrap=sites)
    first, second = tendon.wrap, tendon.wrap
    first.append({"type": "pulley", "prm": 2})
    second[0]["prm"] = -1
    assert [wrap["prm"] for wrap in tendon.wrap] == [-1, 0, 2]
    assert second == tendon.wrap != first
    second.append({"type": "site", "object": "c"})
    first.pop()
    assert first == tendon.wrap and len(first) == 3


def test_values_that_moved_must_be_read_again(arm):
    tendon = arm.add_tendon(wrap=[{"type": "site", "object": name} for name in "ab"])
    kept = tendon.wrap
    item = kept[0]
    item["prm"] = 4
    item["prm"] = 5
    kept.insert(0, {"type": "site", "object": "c"})
    before = tendon.wrap
    with pytest.raises(sinew.InvalidError, match=r"^tendon.wrap\[0\]: .*read it again"):
        item["prm"] = 6
    last = kept[2]
    tendon.wrap.clear()
    assert [wrap["prm"] for wrap in before] == [0, 5, 0]
    with pytest.raises(sinew.InvalidError, match=r"tendon.wrap\[2\]: .*read it again"):
        last["prm"] = 6
    mesh = arm.add_mesh(name="m", vert=np.zeros(12))
    vert = mesh.vert
    mesh.vert = np.zeros(15)
    with pytest.raises(sinew.InvalidError, match="mesh.vert: .*read it again"):
        vert[0] = 1
    body = arm.body("upper")
    body.euler = [0, 0, 1]
    euler, orient = body.euler, body.orient
    body.quat = [1, 0, 0, 0]
    for use in (lambda: euler.__setitem__(0, 1), lambda: orient.update(euler=[1, 0, 0]),
                lambda: orient["euler"].__setitem__(0, 1)):
        with pytest.raises(sinew.InvalidError, match="read it again"):
            use()
    assert body.orient.tolist() == [1, 0, 0, 0]


def test_what_is_computed_from_arrays_of_elements_is_apart(arm):
    body = arm.body("upper")
    before = body.pos.tolist()
    moved, kept = body.pos + 1, body.pos.copy()
    moved[0] = kept[0] = 9
    assert body.pos.tolist() == before and moved[0] == kept[0] == 9
    with pytest.raises(ValueError, match="part of an array"):
        body.pos[:2][0] = 9


@pytest.mark.parametrize("wrong", [[0.9, 1, 2], [2 ** 40, 1, 2], [-2 ** 31 - 1, 1, 2],
                                   [2 ** 70, 1, 2], ["a", "b", "c"]])
def test_lists_of_integers_are_neither_rounded_nor_wrapped(wrong):
    s = sinew.Spec()
    with pytest.raises(sinew.InvalidError, match="mesh.face: integers"):
        s.add_mesh(name="m", face=wrong)
    with pytest.raises(sinew.InvalidError, match="texture.gridsize: integers"):
        s.add_texture(name="t", type="cube", gridsize=wrong[:2])


def test_values_of_elements_that_do_not_fit_are_rejected_by_name():
    s = sinew.Spec()
    for use, words in ((lambda: s.world.add_geom(type="spere"), "geom.type.*spere.*sphere"),
                       (lambda: s.add_texture(gridsize=[1, 2, 3]), "gridsize: at most 2"),
                       (lambda: s.add_texture(cubefile=["a"] * 7), "cubefile: at most 6"),
                       (lambda: s.world.add_joint(limited="maybe"), "limited.*auto.*maybe")):
        with pytest.raises(sinew.InvalidError, match=words) as caught:
            use()
        assert isinstance(caught.value, ValueError)
    assert s.add_texture(type="cube", gridsize=[3]).gridsize.tolist()[0] == 3


def test_only_sizes_and_parameters_may_have_fewer_numbers():
    s = sinew.Spec()
    body = s.world.add_body()
    for add, values, words in ((s.world.add_body, {"quat": [.5, .5]}, "body.quat: 4 numbers"),
                               (s.world.add_body, {"euler": [1]}, "body.euler: 3 numbers"),
                               (body.add_joint, {"axis": [1]}, "joint.axis: 3 numbers"),
                               (body.add_joint, {"range": 1}, "joint.range: 2 numbers"),
                               (body.add_geom, {"pos": [1, 2]}, "geom.pos: 3 numbers"),
                               (body.add_geom, {"rgba": [1, 0, 0]}, "geom.rgba: 4 numbers")):
        with pytest.raises(sinew.InvalidError, match=words):
            add(**values)
    geom = body.add_geom(size=[2], friction=[3, 1], solimp=[0.8])
    assert geom.size[0] == 2 and geom.friction.tolist() == [3, 1, 0.0001]
    assert geom.solimp.tolist() == [0.8, 0.95, 0.001, 0.5, 2]
    assert s.add_actuator(gear=2, gainprm=[5]).gear.tolist() == [2, 0, 0, 0, 0, 0]


def test_none_is_the_default():
    s = sinew.Spec()
    body = s.world.add_body(euler=[1, 0, 0], quat=None)
    geom = body.add_geom(type="box", size=[1, 2, 3], mass=2, user=[1], friction=2, material="m")
    geom.set(type=None, size=None, mass=None, user=None, friction=None, material=None)
    plain = body.add_geom()
    for name in ("type", "size", "mass", "user", "friction", "material"):
        np.testing.assert_array_equal(getattr(geom, name), getattr(plain, name), name)
    assert body.euler.tolist() == [1, 0, 0]
    body.euler = None
    assert body.euler is None
    texture = s.add_texture(cubebytes=[b"a", None, b"bc"], cubefile=["f"], bytes=b"x")
    assert texture.cubebytes == [b"a", b"", b"bc", b"", b"", b""]
    texture.cubebytes = [b"", b"d"]
    assert texture.cubebytes == [b"", b"d", b"bc", b"", b"", b""]
    texture.set(cubebytes=None, cubefile=None, bytes=None)
    assert (texture.cubebytes, texture.cubefile, texture.bytes) == ([b""] * 6, [None] * 6, b"")
    tendon = s.add_tendon(wrap=({"type": "site", "object": name} for name in "ab"))
    assert [wrap["object"] for wrap in tendon.wrap] == ["a", "b"]
    tendon.wrap = None
    assert tendon.wrap == []


def test_elements_without_names_can_be_removed():
    s = sinew.Spec()
    kept = s.world.add_geom(size=0.5)
    removed = [s.world.add_geom(size=0.1 + 0.01 * index) for index in range(9)]
    last = s.world.add_geom(size=0.7)
    for index in (4, 0, 8, 1, 7, 2, 3, 6, 5):
        removed[index].remove()
        assert kept.size[0] == 0.5 and last.size[0] == 0.7
    assert s.count("geom") == 2 and last.id == 1
    with pytest.raises(sinew.NotFound, match="removed"):
        removed[4].remove()
    for element in s.elements("geom"):
        element.remove()
    assert s.count("geom") == 0


def test_elements_without_names_survive_the_removal_of_bodies():
    s = sinew.Spec()
    bodies = [s.world.add_body(mass=1 + index, diaginertia=[1, 1, 1]) for index in range(4)]
    inner = bodies[1].add_body(mass=9, diaginertia=[1, 1, 1])
    geoms = [body.add_geom(size=0.1 * (1 + index)) for index, body in
             enumerate([*bodies, inner, s.world]) for _ in range(2)]
    camera, light = s.world.add_camera(name="eye", mode="targetbody"), bodies[3].add_light()
    bodies[1].remove(cascade=True)
    assert [body.mass for body in bodies[:1] + bodies[2:]] == [1, 3, 4]
    for index, geom in enumerate(geoms):
        if index // 2 in (1, 4):
            with pytest.raises(sinew.NotFound, match="removed"):
                geom.id
        else:
            assert geom.size[0] == 0.1 * (1 + index // 2)
    with pytest.raises(sinew.NotFound, match="removed"):
        inner.mass
    assert camera.id == 0 and light.body == bodies[3].id == 3
    assert not any(element.name for element in s.elements("geom"))
    for body in (bodies[0], bodies[2], bodies[3]):
        body.remove(cascade=True)
    assert s.count("body") == 1 and s.count("geom") == 2 and geoms[-1].id == 1
