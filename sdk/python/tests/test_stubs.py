# SPDX-License-Identifier: Apache-2.0
"""What a type checker knows: methods, arrays, elements by name, members of definitions."""

import subprocess
import sys

import pytest
import sinew

PROGRAM = """
import numpy as np
import sinew

m = sinew.load("model.xml")
d = m.data()
d.step(3)
d.ctrl = np.zeros(m.nu)
d.ctrl = [1, 2]
d.actuator("motor").ctrl = 1
geom = sinew.Spec().add_body(name="a").add_geom(type="box")
geom.size, geom.type, geom.shellinertia, geom.material = 0.1, "sphere", True, "red"
geom.size[0] = geom.mass + geom.type
geom.mass = geom.size = geom.type = geom.user = None
geom.body = geom.material = geom.fitscale = None
spec = sinew.Spec()
texture = spec.add_texture(gridsize=[1, 2], cubebytes=[b"left", None], cubefile=None)
texture.gridsize, texture.cubefile = np.ones(2, int), ["left", None]
texture.cubefile, texture.bytes = "left", None
spec.add_tendon(wrap=None).wrap = ({"object": name} for name in "ab")
texture.cubebytes = b"left"
height: float = float(d.qpos[2])
reveal_type(d.qpos)
reveal_type(d.time)
reveal_type(d.body("torso").xpos)
reveal_type(m.geom("floor"))
reveal_type(d.transition_fd())
reveal_type(geom.size)
reveal_type(m.opt)
d.qqpos
m.geom("floor").frictoin
d.step("three")
sinew.Spec().add_goem()
"""


def test_a_type_checker(tmp_path):
    pytest.importorskip("mypy")
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    done = subprocess.run([sys.executable, "-m", "mypy", "--cache-dir", tmp_path / "cache",
                           "--follow-imports=silent", program], capture_output=True, text=True,
                          env={"MYPYPATH": str(next(iter(sinew.__path__)) + "/.."),
                               "PATH": "/usr/bin:/bin"})
    revealed = [line for line in done.stdout.splitlines() if "Revealed" in line]
    errors = [line for line in done.stdout.splitlines() if ": error:" in line]
    for word, line in zip(("floating", "float", "floating", "ModelGeom", "ndarray", "floating",
                           "OptionSettings"), revealed):
        assert word in line, line
    for word, line in zip(("Iterable", "qqpos", "frictoin", "str", "add_goem"), errors):
        assert word in line, line
    assert (len(revealed), len(errors)) == (7, 5), done.stdout
