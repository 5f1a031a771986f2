# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # Write a plugin
# What an engine lacks can be tried in Python: here a passive force, a wind that drags each degree
# of freedom to its own speed. It is judged by the conformance kit, and then simulated.

# %%
import numpy as np
import sinew


@sinew.passive("wind")
class Wind:
    """A drag force toward the speed of the wind."""

    def __init__(self, speed=2.0, coefficient=3.0):   # parameters: [plugin.wind] of an ini
        self.speed, self.coefficient = speed, coefficient

    def apply(self, m, d, qfrc):
        qfrc += self.coefficient * (self.speed - d.qvel)

    def derivative(self, m, d):                       # for implicit integrators
        return -self.coefficient * np.eye(m.nv)


for requirement, result, detail in sinew.check("wind"):
    if result is not None:
        print("met" if result else "NOT MET", " ", requirement)

# %% [markdown]
# A body of mass 1.5 kg on a slide: its speed is u (1 - e^(-c t / m)).

# %%
with sinew.configure(set={"plugin.wind.speed": 4}):
    m = sinew.loads("""<mujoco><option timestep="0.001" gravity="0 0 0"/><worldbody>
      <body><joint type="slide" axis="1 0 0"/><geom size="0.1" mass="1.5"/></body>
      </worldbody></mujoco>""")
d = m.data()
d.step(1000)
expected = 4 * (1 - np.exp(-3 / 1.5))
print("speed after 1 s:", d.qvel[0], "m/s; closed form:", expected)
assert abs(d.qvel[0] - expected) < 0.01
