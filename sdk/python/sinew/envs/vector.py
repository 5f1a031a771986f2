# SPDX-License-Identifier: Apache-2.0
"""Many environments of one kind at once: each step is one rollout of all of them."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any, Mapping, Optional, Sequence, Union

import numpy as np

from .. import _tables
from .._library import InvalidError
from ..rollouts import Stepper
from .environment import (check_action, check_options, episode_length, make_task, spaces,
                          start)
from .spaces import VectorBase, auto_reset, batch
from .tasks import Task

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

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
        if operator.index(num_envs) < 1:
            raise InvalidError(f"num_envs: a positive number is needed, not {num_envs}")
        self.task = make_task(kind, settings)
        self.model, self.num_envs = self.task.model, num_envs
        self.single_action_space, self.single_observation_space = spaces(self.task)
        self.action_space = batch(self.single_action_space, num_envs)
        self.observation_space = batch(self.single_observation_space, num_envs)
        self.max_episode_steps = episode_length(max_episode_steps, self.task)
        self._stepper = Stepper(self.model, num_envs, self.task.frame_skip, executor)
        self._randoms = [np.random.Generator(np.random.PCG64()) for _ in range(num_envs)]
        self._steps = np.zeros(num_envs, np.int64)
        self._ended = np.zeros(num_envs, bool)
        self._begun = False

    @property
    def states(self) -> np.ndarray:
        """The states (num_envs, numbers), as Data.get_state returns them."""
        return self._stepper.states

    def _start(self, i, state=None):
        self.states[i] = start(self.task, self._randoms[i]) if state is None else state
        self._steps[i], self._ended[i] = 0, False

    def _observe(self):
        return self.task.observe(self._stepper.qpos, self._stepper.qvel)

    def reset(self, *, seed: Union[None, int, Sequence[Optional[int]]] = None,
              options: Optional[Mapping[str, Any]] = None) -> tuple[np.ndarray, dict[str, Any]]:
        """Begins an episode in each environment: (observations, info). seed: environment i gets
        seed + i; or one for each. options: {"state": of Data.get_state, one for all or one for
        each}, where to begin."""
        states = check_options(options, ["state"]).get("state")
        if states is not None:
            states = np.broadcast_to(np.asarray(states, np.float64), self.states.shape)
        seeds = ([None if seed is None else seed + i for i in range(self.num_envs)]
                 if seed is None or np.ndim(seed) == 0 else list(seed))
        if len(seeds) != self.num_envs:
            raise InvalidError(f"seed: {self.num_envs} are needed, got {len(seeds)}")
        for i, one in enumerate(seeds):
            if one is not None:
                self._randoms[i] = np.random.Generator(np.random.PCG64(one))
            self._start(i, None if states is None else states[i])
        self._begun = True
        return self._observe(), {}

    def step(self, actions: ArrayLike) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray,
                                                dict[str, Any]]:
        """One action in each environment: (observations, rewards, terminated, truncated, info)."""
        if not self._begun:
            raise InvalidError("an episode has not begun; call reset before step")
        actions = check_action(actions, self.action_space, "actions")
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

    def close(self, **_: Any) -> None:
        """Nothing remains to be done."""
        self.closed = True

    def __reduce__(self):
        raise TypeError("a VectorEnv cannot be copied or pickled; make another one, and set its "
                        "states with reset(options={\"state\": envs.states})")

    @property
    def unwrapped(self) -> VectorEnv:
        """The environments themselves."""
        return self

    def __repr__(self):
        return f"<sinew.envs.VectorEnv of {self.num_envs} {type(self.task).__name__}>"
