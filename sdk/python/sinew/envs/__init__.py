# SPDX-License-Identifier: Apache-2.0
"""Environments for reinforcement learning, with the interface of Gymnasium.

    env = sinew.envs.make("Hopper")                  one environment
    envs = sinew.envs.make_vec("Hopper", 64)         64 of them, on top of rollouts
    observation, info = env.reset(seed=1)
    observation, reward, terminated, truncated, info = env.step(action)

Gymnasium is not needed. Where it is installed, environments and spaces are its own classes, and
gymnasium.make("sinew/Hopper-v0") makes the same environments. tasks.py has what each one wants.
"""

from __future__ import annotations

from typing import Any

from .._library import NotFound, similar
from .._gymnasium import register
from .environment import Env
from .spaces import Box, gymnasium
from .tasks import TASKS, Task
from .vector import VectorEnv


def make(name: str, **settings: Any) -> Env:
    """An environment by name: "CartPole", "Hopper", "Cheetah", "Humanoid", "Quadruped". settings:
    those of Env, and of the task, such as ctrl_cost=0.1."""
    return Env(_task(name), **settings)


def make_vec(name: str, num_envs: int, **settings: Any) -> VectorEnv:
    """Several environments of one kind at once, on an executor: see VectorEnv."""
    return VectorEnv(_task(name), num_envs, **settings)


def _task(name):
    short = name[len("sinew/"):] if name.startswith("sinew/") else name
    short = short[:-len("-v0")] if short.endswith("-v0") else short
    if short not in TASKS:
        raise NotFound(f"there is no environment '{name}'; there is: {', '.join(TASKS)}"
                       + similar(short, TASKS), "SN_ENOTFOUND")
    return TASKS[short]


if gymnasium is not None:
    register()

__all__ = ["Box", "Env", "TASKS", "Task", "VectorEnv", "make", "make_vec"]
