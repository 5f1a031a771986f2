# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # PD control
# Each joint of a robot arm is driven to a goal by a torque: proportional to the error, against the
# velocity, and with the gravity and Coriolis forces that the model knows.

# %%
import numpy as np
import sinew

m = sinew.loads("""<mujoco><compiler angle="radian"/><option timestep="0.002"/><worldbody>
  <geom type="plane" size="2 2 1" pos="0 0 -0.8"/><light pos="0 -1 2" dir="0 0.5 -1"/>
  <body><joint name="turn" axis="0 0 1"/><geom type="cylinder" size="0.06 0.05" mass="1"/>
    <body name="upper"><joint name="shoulder" axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.04" mass="2" contype="0"/>
      <body name="lower" pos="0.4 0 0"><joint name="elbow" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0.35 0 0" size="0.03" mass="1" contype="0"/></body>
    </body></body></worldbody>
  <actuator><motor joint="turn"/><motor joint="shoulder"/><motor joint="elbow"/></actuator>
  </mujoco>""")
d = m.data()

# %% [markdown]
# The gains follow from the inertia: with `kp = w^2` and `kd = 2 w` times the inertia matrix, each
# joint moves as a critically damped oscillator with the frequency w.

# %%
goal, w = np.array([1.0, -0.5, 1.2]), 6.0
replay = sinew.Replay(m)
times, errors = [], []
while d.time < 2:
    d.forward()
    acceleration = w ** 2 * (goal - d.qpos) - 2 * w * d.qvel
    d.ctrl = d.multiply_inertia(acceleration) + d.qfrc_bias
    d.step()
    replay.add(d)
    times.append(d.time)
    errors.append(goal - d.qpos)

# %% [markdown]
# The error of a critically damped oscillator that starts at rest is (1 + w t) e^(-w t).

# %%
t = np.array(times)[:, None]
expected = goal * (1 + w * t) * np.exp(-w * t)
print("largest difference from the closed form:", np.abs(errors - expected).max(), "rad")
assert np.abs(errors - expected).max() < 0.01 and np.abs(errors[-1]).max() < 1e-3
replay
