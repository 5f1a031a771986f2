# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # Sampling control
# Predictive sampling: random controls are rolled out in parallel, and the best one is used. The
# pole hangs at first, and the cart swings it up and keeps it there.

# %%
import numpy as np
import sinew

m = sinew.loads("""<mujoco><compiler angle="radian"/><option timestep="0.01"/><worldbody>
  <body><joint name="slide" type="slide" axis="1 0 0" range="-2 2" limited="true" damping="0.1"/>
    <geom type="box" size="0.1 0.05 0.05" mass="1" contype="0"/>
    <body name="pole"><joint name="hinge" axis="0 1 0" damping="0.01"/>
      <geom type="capsule" fromto="0 0 0 0 0 0.6" size="0.02" mass="0.2" contype="0"/></body>
  </body></worldbody><actuator><motor joint="slide" gear="20"/></actuator></mujoco>""")
d = m.data()
d.qpos[1] = np.pi
rng = np.random.default_rng(0)
samples, horizon, knots = 64, 80, 8
plan = np.zeros(knots)

# %% [markdown]
# Each plan is a row of knots; a rollout of all samples takes a few milliseconds.

# %%
replay = sinew.Replay(m)
while d.time < 5:
    noise = rng.normal(0, 0.5, (samples, knots))
    noise[0] = 0
    controls = np.clip(plan + noise, -1, 1)[:, :, None]
    r = sinew.rollout(m, controls=controls, initial=d.get_state(), record=["qpos", "qvel"],
                      nsteps=horizon, control_every=horizon // knots, every=4, executor="threads")
    x, angle = r["qpos"][:, :, 0], r["qpos"][:, :, 1]
    cost = (4 * (1 - np.cos(angle)) + x ** 2 + 0.02 * r["qvel"][:, :, 1] ** 2).sum(axis=1)
    plan = controls[np.argmin(cost), :, 0]
    d.ctrl[0] = plan[0]
    d.step(5)
    replay.add(d)
print(f"after 5 s: angle {np.cos(d.qpos[1]):.3f} (cosine), cart at {d.qpos[0]:.2f} m")
assert np.cos(d.qpos[1]) > 0.9
replay
