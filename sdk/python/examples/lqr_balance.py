# SPDX-License-Identifier: Apache-2.0
"""An acrobot, driven at the elbow alone, balances upright: a linear quadratic regulator from the
derivatives of a step."""

import pathlib

import numpy as np
import sinew


def regulator(A, B, Q, R, tolerance=1e-10):
    """The gain K that minimizes the sum of x' Q x + u' R u, by iterating the Riccati equation."""
    P = Q
    while True:
        K = np.linalg.solve(R + B.T @ P @ B, B.T @ P @ A)
        after = Q + A.T @ P @ (A - B @ K)
        if np.abs(after - P).max() < tolerance * np.abs(after).max():
            return K
        P = after


m = sinew.load(pathlib.Path(__file__).with_name("acrobot.xml"))
d = m.data()
A, B = d.transition_fd()
K = regulator(A, B, np.eye(2 * m.nv), np.eye(m.nu))
print("eigenvalues of a step:", np.abs(np.linalg.eigvals(A)).max(), "open,",
      np.abs(np.linalg.eigvals(A - B @ K)).max(), "closed")

d.qpos = [0.02, -0.03]
while d.time < 5:
    x = np.concatenate([m.difference(m.qpos0, d.qpos), d.qvel])
    d.ctrl = -K @ x
    d.step()
print("angles after 5 s:", d.qpos)
assert np.abs(d.qpos).max() < 1e-3
