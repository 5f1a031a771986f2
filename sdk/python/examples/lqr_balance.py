# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # LQR balance
# An acrobot, driven at the elbow alone, balances upright: a linear quadratic regulator from the
# derivatives of a step.

# %%
import pathlib

import numpy as np
import sinew

here = pathlib.Path(__file__).parent if "__file__" in globals() else pathlib.Path()


def regulator(A, B, Q, R, tolerance=1e-10):
    """The gain K that minimizes the sum of x' Q x + u' R u, by iterating the Riccati equation."""
    P = Q
    while True:
        K = np.linalg.solve(R + B.T @ P @ B, B.T @ P @ A)
        after = Q + A.T @ P @ (A - B @ K)
        if np.abs(after - P).max() < tolerance * np.abs(after).max():
            return K
        P = after


# %% [markdown]
# The derivatives of a step at the upright position give a discrete linear system, which is not
# stable by itself.

# %%
m = sinew.load(here / "acrobot.xml")
d = m.data()
A, B = d.transition_fd()
K = regulator(A, B, np.eye(2 * m.nv), np.eye(m.nu))
print("eigenvalues of a step:", np.abs(np.linalg.eigvals(A)).max(), "open,",
      np.abs(np.linalg.eigvals(A - B @ K)).max(), "closed")

# %% [markdown]
# The nonlinear model, with the gain of the linear one.

# %%
replay = sinew.Replay(m)
d.qpos = [0.02, -0.03]
while d.time < 5:
    x = np.concatenate([m.difference(m.qpos0, d.qpos), d.qvel])
    d.ctrl = -K @ x
    d.step()
    replay.add(d)
print("angles after 5 s:", d.qpos)
assert np.abs(d.qpos).max() < 1e-3
replay
