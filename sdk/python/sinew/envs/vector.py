# SPDX-License-Identifier: Apache-2.0
"""Many environments of one kind at once: each step is one rollout of all of them."""

from __future__ import annotations

from typing import Any, Mapping, Optional, Sequence, Union

import numpy as np

from .. import _tables
from .._library import InvalidError
from ..rollouts import Stepper
from .environment import make_task, spaces, start
from .spaces import VectorBase, auto_reset, batch
from .tasks import Task

STATE = _tables.ENUMS["STATE"]


class VectorEnv(VectorBase):
    """num_envs environments of a task, with the interface of gymnasium.vector.VectorEnv.

    Observations, actions and rewards are arrays with a row for each environment. An environment
    whose episode has ended begins another one in the next step, which ignores its action and gives
    the reward 0. executor: as in sinew.rollout. Environment i behaves as one Env that was reset
    with the seed seed + i, bit for bit, on every executor.
    """

    metadata = {"render_modes": [], "autoreset_mode": auto_reset()}
    render_mode, spec, closed = None, None, False

    def __init__(self, kind: type[Task], num_envs: int, executor: str = "threads",
                 max_episode_steps: Optional[int] = None, **settings: Any):
        self.task = make_task(kind, settings)
        self.model, self.num_envs = self.task.model, num_envs
        self.single_action_space, self.single_observation_space = spaces(self.task)
        self.action_space = batch(self.single_action_space, num_envs)
        self.observation_space = batch(self.single_observation_space, num_envs)
        self.max_episode_steps = max_episode_steps or self.task.max_episode_steps
        self._stepper = Stepper(self.model, num_envs, self.task.frame_skip, executor)
        self._randoms = [np.random.Generator(np.random.PCG64()) for _ in range(num_envs)]
        self._steps = np.zeros(num_envs, np.int64)
        self._ended = np.zeros(num_envs, bool)

    @property
    def states(self):
        """The states (num_envs, numbers), as Data.get_state returns them."""
        return self._stepper.states

    def _start(self, i):
        self.states[i] = start(self.task, self._randoms[i])
        self._steps[i], self._ended[i] = 0, False

    def _observe(self):
        return self.task.observe(self._stepper.qpos, self._stepper.qvel)

    def reset(self, *, seed: Union[None, int, Sequence[Optional[int]]] = None,
              options: Optional[Mapping[str, Any]] = None):
        """Begins an episode in each environment: (observations, info). seed: environment i gets
        seed + i; or one for each."""
        seeds = ([None if seed is None else seed + i for i in range(self.num_envs)]
                 if seed is None or np.ndim(seed) == 0 else list(seed))
        if len(seeds) != self.num_envs:
            raise InvalidError(f"seed: {self.num_envs} are needed, got {len(seeds)}")
        for i, one in enumerate(seeds):
            if one is not None:
                self._randoms[i] = np.random.Generator(np.random.PCG64(one))
            self._start(i)
        return self._observe(), {}

    def step(self, actions):
        """One action in each environment: (observations, rewards, terminated, truncated, info)."""
        actions = np.asarray(actions, np.float64)
        if actions.shape != self.action_space.shape:
            raise InvalidError(f"actions: shape {self.action_space.shape} is needed, got "
                               f"{actions.shape}")
        begins = self._ended.copy()
        for i in np.nonzero(begins)[0]:
            self._start(i)
        before = self._stepper.qpos.copy()
        diverged = self._stepper.step(actions, skip=begins)
        self._steps += ~begins
        qpos, qvel = self._stepper.qpos, self._stepper.qvel
        reward, terms = self.task.judge(before, qpos, qvel, actions)
        reward = np.where(begins | diverged, 0.0, reward)
        terminated = (diverged | self.task.ended(qpos, qvel)) & ~begins
        truncated = (self._steps >= self.max_episode_steps) & ~begins
        self._ended = terminated | truncated
        info = {"diverged": diverged, "_diverged": ~begins}
        for name, value in terms.items():
            info[name], info["_" + name] = value, ~begins
        return self._observe(), reward, terminated, truncated, info

    def close(self, **_):
        """Nothing remains to be done."""
        self.closed = True

    @property
    def unwrapped(self):
        """The environments themselves."""
        return self

    def __repr__(self):
        return f"<sinew.envs.VectorEnv of {self.num_envs} {type(self.task).__name__}>"
