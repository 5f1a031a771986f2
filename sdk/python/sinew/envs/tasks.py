# SPDX-License-Identifier: Apache-2.0
"""What the environments want: observations, rewards, when an episode ends.

A task is written for many environments at once: qpos is (n, nq), qvel (n, nv), action (n, nu), and
results have n rows. Env uses it with n = 1, VectorEnv with all of its environments, so that both
give the same numbers.
"""

from __future__ import annotations

import operator
import pathlib
from typing import TYPE_CHECKING, Any

import numpy as np

from .._library import InvalidError

if TYPE_CHECKING:
    from ..model import Model

FOLDER = pathlib.Path(__file__).parent


class Task:
    """The model of an environment, and what is good in it.

    frame_skip: time steps for each action. max_episode_steps: actions until an episode is
    truncated. noise: of the initial position and velocity, uniform up to this.
    """

    file = ""
    frame_skip, max_episode_steps, noise = 4, 1000, 0.01
    key = None      # a keyframe where episodes begin
    hidden = 0      # numbers of qpos that are not observed, because nothing depends on them

    def __init__(self, model: Model, /, **settings: Any):
        self.model = model
        known = self.settings()
        for name, value in settings.items():
            if name not in known:
                raise TypeError(f"{type(self).__name__} has no setting '{name}'; it has "
                                + ", ".join(known))
            setattr(self, name, value)
        if operator.index(self.frame_skip) < 1:
            raise InvalidError("frame_skip: a positive number of steps is needed, not "
                               f"{self.frame_skip}")
        self.dt = self.frame_skip * model.opt.timestep

    @classmethod
    def settings(cls) -> list[str]:
        """The names of its settings: the numbers and names that the class has, except for what
        belongs to its file."""
        return sorted(name for name in dir(cls) if not name.startswith("_")
                      and name not in ("file", "hidden") and not callable(getattr(cls, name)))

    def observe(self, qpos: np.ndarray, qvel: np.ndarray) -> np.ndarray:
        """The observation: (n, numbers)."""
        return np.hstack([qpos[:, self.hidden:], qvel])

    def judge(self, before: np.ndarray, qpos: np.ndarray, qvel: np.ndarray, action: np.ndarray
              ) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        """(reward, its terms): arrays of n numbers. before: qpos before the action."""
        raise NotImplementedError

    def ended(self, qpos: np.ndarray, qvel: np.ndarray) -> np.ndarray:
        """Whether the episode has ended: n flags."""
        return np.zeros(len(qpos), bool)


class CartPole(Task):
    """Keeps a pole upright, and the cart near the middle."""

    file = "cart_pole.xml"
    max_episode_steps, noise = 500, 0.05
    largest_angle, largest_distance = 0.4, 1.8

    def judge(self, before: np.ndarray, qpos: np.ndarray, qvel: np.ndarray, action: np.ndarray
              ) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        upright = np.cos(qpos[:, 1])
        center = -0.1 * qpos[:, 0] ** 2
        return upright + center, {"upright": upright, "center": center}

    def ended(self, qpos: np.ndarray, qvel: np.ndarray) -> np.ndarray:
        return ((np.abs(qpos[:, 1]) > self.largest_angle)
                | (np.abs(qpos[:, 0]) > self.largest_distance))


class _Runner(Task):
    """Moves along x: forward speed, minus what the controls cost, plus a reward for not falling."""

    hidden = 1
    forward_weight, ctrl_cost, healthy_reward = 1.0, 1e-3, 1.0

    def judge(self, before: np.ndarray, qpos: np.ndarray, qvel: np.ndarray, action: np.ndarray
              ) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        forward = self.forward_weight * (qpos[:, 0] - before[:, 0]) / self.dt
        ctrl = -self.ctrl_cost * np.square(action).sum(axis=1)
        healthy = self.healthy_reward * ~self.ended(qpos, qvel)
        return forward + ctrl + healthy, {"forward": forward, "ctrl": ctrl, "healthy": healthy}


class Hopper(_Runner):
    """Hops forward on one leg."""

    file = "hopper.xml"
    lowest, largest_pitch = 0.65, 0.6     # m of the hip, rad

    def ended(self, qpos: np.ndarray, qvel: np.ndarray) -> np.ndarray:
        # the model is drawn with the hip at this height
        height = self.model.body_pos[1, 2] + qpos[:, 1]
        return (height < self.lowest) | (np.abs(qpos[:, 2]) > self.largest_pitch)


class Cheetah(_Runner):
    """Runs forward. An episode ends after its steps only."""

    file = "cheetah.xml"
    noise, ctrl_cost, healthy_reward = 0.05, 0.1, 0.0


def _up(qpos):
    """The vertical component of the z axis of a free body."""
    return 1 - 2 * (qpos[:, 4] ** 2 + qpos[:, 5] ** 2)


class Humanoid(_Runner):
    """Walks forward on two legs."""

    file = "humanoid.xml"
    hidden = 2
    forward_weight, ctrl_cost, healthy_reward = 1.25, 0.1, 5.0
    lowest = 0.85   # m of the chest

    def ended(self, qpos: np.ndarray, qvel: np.ndarray) -> np.ndarray:
        return (qpos[:, 2] < self.lowest) | (_up(qpos) < 0.3)


class Quadruped(_Runner):
    """Trots forward on four legs with position servos. The controls cost as far as they are from
    those with which it stands."""

    file, key = "quadruped.xml", "stand"
    hidden = 2
    ctrl_cost, healthy_reward, noise = 0.05, 0.5, 0.02
    lowest = 0.15   # m of the trunk

    def judge(self, before: np.ndarray, qpos: np.ndarray, qvel: np.ndarray, action: np.ndarray
              ) -> tuple[np.ndarray, dict[str, np.ndarray]]:
        return super().judge(before, qpos, qvel, action - self.model.key_ctrl[0])

    def ended(self, qpos: np.ndarray, qvel: np.ndarray) -> np.ndarray:
        return (qpos[:, 2] < self.lowest) | (_up(qpos) < 0.5)


TASKS = {task.__name__: task for task in (CartPole, Hopper, Cheetah, Humanoid, Quadruped)}
