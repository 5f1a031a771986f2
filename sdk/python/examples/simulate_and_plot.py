# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # Simulate and plot
# A double pendulum without friction: its motion is chaotic, its energy is conserved.

# %%
import numpy as np
import sinew

m = sinew.loads("""<mujoco><compiler angle="radian"/>
  <option timestep="0.001" integrator="RK4"><flag energy="enable"/></option>
  <default><joint axis="0 1 0"/><geom type="capsule" size="0.02" contype="0"/></default>
  <worldbody><light pos="0 -1 1" dir="0 1 -1"/>
    <body><joint/><geom fromto="0 0 0 0 0 -0.4" rgba="0.8 0.3 0.2 1"/>
      <body name="lower" pos="0 0 -0.4"><joint/><geom fromto="0 0 0 0 0 -0.4"/>
        <site name="tip" pos="0 0 -0.4"/></body></body></worldbody></mujoco>""")
d = m.data()
d.qpos = [2.0, 1.0]
replay = sinew.Replay(m)
times, tip, energy = [], [], []
while d.time < 5:
    d.step()
    replay.add(d)
    times.append(d.time)
    tip.append(d.site("tip").xpos.copy())
    energy.append(d.energy.sum())
tip, energy = np.array(tip), np.array(energy)
print(f"the energy changes by {np.ptp(energy):.2g} J of {np.ptp(d.energy):.3g} J")
assert np.ptp(energy) < 1e-5

# %% [markdown]
# Two pendulums that start a millionth of a radian apart: rollouts of both, and their distance.

# %%
start = np.array([m.data().get_state()] * 2)
angle = m.state_size(sinew.State.TIME)   # the state begins with the time, and then the positions
start[:, angle:angle + 2] = [[2.0, 1.0], [2.0, 1.0 + 1e-6]]
r = sinew.rollout(m, initial=start, nsteps=10000, every=10, record=["qpos"])
distance = np.abs(r["qpos"][0] - r["qpos"][1]).max(axis=1)
print(f"their distance grows from 1e-06 to {distance.max():.2g} rad")
assert distance.max() > 1e-3

# %% [markdown]
# With matplotlib, where it is installed, plots of both.

# %%
try:
    import matplotlib.pyplot as plt
except ImportError:
    print("no plots: matplotlib is not installed")
else:
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4))
    left.plot(tip[:, 0], tip[:, 2])
    left.set(title="path of the tip", xlabel="x, m", ylabel="z, m", aspect="equal")
    right.semilogy(0.01 * np.arange(1, len(distance) + 1), distance)
    right.set(title="distance of two pendulums", xlabel="time, s", ylabel="rad")
    plt.show()
replay
