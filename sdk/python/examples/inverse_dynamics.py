# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # Inverse dynamics
# Computed torque: an acrobot with two motors follows a path, with the forces of inverse dynamics
# and a PD controller for what remains.

# %%
import pathlib

import numpy as np
import sinew

here = pathlib.Path(__file__).parent if "__file__" in globals() else pathlib.Path()

spec = sinew.Spec.load(here / "acrobot.xml")
spec.actuator("elbow").ctrllimited = False
spec.add_actuator(name="shoulder", target="shoulder")
m = spec.compile()
d, plan = m.data(), m.data()

# %% [markdown]
# `plan` is a second simulation: its inverse dynamics gives the forces for an acceleration that also
# corrects the error.

# %%
worst = 0.0
d.qpos = [0.5, 0.0]
d.qvel = [0.0, 0.5]
while d.time < 4:
    t = d.time
    wanted = np.array([0.5 * np.cos(t), 0.5 * np.sin(t)])
    rate = np.array([-0.5 * np.sin(t), 0.5 * np.cos(t)])
    plan.qpos, plan.qvel = d.qpos, d.qvel
    force = plan.inverse(-wanted + 100 * (wanted - d.qpos) + 20 * (rate - d.qvel))
    d.actuator("shoulder").ctrl, d.actuator("elbow").ctrl = force
    d.step()
    worst = max(worst, np.abs(d.qpos - [0.5 * np.cos(d.time), 0.5 * np.sin(d.time)]).max())
print(f"largest error of an angle: {worst:.2g} rad")
assert worst < 0.01
