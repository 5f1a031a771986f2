# SPDX-License-Identifier: Apache-2.0
# %% [markdown]
# # System identification
# System identification: the mass and the damping of a pendulum from a measured motion, by
# Gauss-Newton steps whose derivatives are rollouts.

# %%
import pathlib

import numpy as np
import sinew

here = pathlib.Path(__file__).parent if "__file__" in globals() else pathlib.Path()

m = sinew.load(here / "acrobot.xml")
names = ("body_mass:lower", "dof_damping:shoulder")
controls = np.random.default_rng(1).uniform(-5, 5, (1, 20, m.nu))


def motion(parameters):
    """The angles (rollouts, samples x 2) for rows of parameters."""
    vary = {name: parameters[:, k] for k, name in enumerate(names)}
    r = sinew.rollout(m, controls=controls, control_every=10, vary=vary, record=["qpos"], every=5,
                      n=len(parameters))
    return r["qpos"].reshape(len(parameters), -1)


# %% [markdown]
# A measurement with noise, and steps that lead to it: the three rollouts of a step are the motion
# and its change with each parameter.

# %%
true = np.array([1.3, 0.05])
measured = motion(true[None])[0] + np.random.default_rng(2).normal(0, 1e-4, 80)
guess = np.array([1.0, 0.02])
for _ in range(10):
    h = 1e-5
    moved = motion(guess + h * np.vstack([np.zeros(2), np.eye(2)]))
    derivative = (moved[1:] - moved[0]).T / h
    guess = guess + np.linalg.lstsq(derivative, measured - moved[0], rcond=None)[0]
print("mass, damping:", guess, "; the true ones:", true)
np.testing.assert_allclose(guess, true, rtol=0.05)
