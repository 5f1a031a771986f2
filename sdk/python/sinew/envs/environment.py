# SPDX-License-Identifier: Apache-2.0
"""One environment."""

from __future__ import annotations

import operator
import warnings
from typing import TYPE_CHECKING, Any, Mapping, Optional

import numpy as np

from .._library import InvalidError, SimulationWarning
from ..model import load
from .spaces import EnvBase, box
from .tasks import FOLDER, Task

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

FPS_MODES = ("rgb_array", "human")


def start(task, rng):
    """A random initial position and velocity of a task."""
    model = task.model
    data = model.data()
    data.reset(task.key)
    noise = rng.uniform(-task.noise, task.noise, (2, model.nv))
    data.qpos = model.integrate(data.qpos, noise[0])
    data.qvel = noise[1]
    return data.get_state()


def spaces(task):
    """The spaces of (actions, observations)."""
    model = task.model
    ranges = np.where(model.actuator_ctrllimited[:, None] != 0, model.actuator_ctrlrange,
                      [-np.inf, np.inf])
    size = task.observe(np.zeros((1, model.nq)), np.zeros((1, model.nv))).shape[1]
    return box(ranges[:, 0], ranges[:, 1]), box(np.full(size, -np.inf), np.full(size, np.inf))


def check_action(action, space, what):
    """An action as doubles. A wrong shape and numbers that are not finite are errors, as the policy
    that makes them is broken; what is beyond the space is brought to its bounds."""
    action = np.asarray(action, np.float64)
    if action.shape != space.shape:
        raise InvalidError(f"{what}: shape {space.shape} is needed, got {action.shape}")
    if not np.isfinite(action).all():
        raise InvalidError(f"{what}: the numbers must be finite, got {action}")
    return np.clip(action, space.low, space.high)


def check_options(options, known):
    """The options of `reset`; those that nothing uses are errors."""
    for name in options or ():
        if name not in known:
            raise InvalidError(f"options: there is no '{name}'; there is: {', '.join(known)}")
    return options or {}


def episode_length(given, task):
    """The number of steps until an episode is truncated."""
    if given is None:
        return task.max_episode_steps
    if operator.index(given) < 1:
        raise InvalidError(f"max_episode_steps must be positive, not {given}")
    return given


def make_task(kind, settings):
    """A task with its model."""
    return kind(load(FOLDER / kind.file), **settings)


class Env(EnvBase):
    """An environment of a task, with the interface of gymnasium.Env.

    kind: a class of tasks.py, or one of your own with the same methods. render_mode: "rgb_array":
    `render` returns an image; "human": a page in the browser shows each step. Everything follows
    from the seed of `reset`. data is the simulation.
    """

    metadata = {"render_modes": list(FPS_MODES), "render_fps": 50}
    spec = None

    def __init__(self, kind: type[Task], render_mode: Optional[str] = None,
                 max_episode_steps: Optional[int] = None, width: int = 480, height: int = 360,
                 camera: str = "side", **settings: Any):
        if render_mode not in (None, *FPS_MODES):
            raise InvalidError(f"render_mode is one of {', '.join(FPS_MODES)} or None, not "
                               f"'{render_mode}'")
        self.task = make_task(kind, settings)
        self.model = self.task.model
        self.data = self.model.data()
        self.render_mode, self.size, self.camera = render_mode, (width, height), camera
        self.metadata = {**self.metadata, "render_fps": round(1 / self.task.dt)}
        self.action_space, self.observation_space = spaces(self.task)
        self.max_episode_steps = episode_length(max_episode_steps, self.task)
        self.np_random = np.random.Generator(np.random.PCG64())
        self._steps, self._viewer = None, None

    @property
    def unwrapped(self) -> Env:
        """The environment itself."""
        return self

    def _observe(self):
        return self.task.observe(self.data.qpos[None], self.data.qvel[None])[0]

    def reset(self, *, seed: Optional[int] = None, options: Optional[Mapping[str, Any]] = None
              ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begins an episode: (observation, info). seed: of all that follows; None: goes on with the
        random numbers of before. options: {"state": of Data.get_state}, where to begin."""
        if seed is not None:
            self.np_random = np.random.Generator(np.random.PCG64(seed))
        state = check_options(options, ["state"]).get("state")
        self.data.set_state(start(self.task, self.np_random) if state is None else state)
        self._steps = 0
        self._show()
        return self._observe(), {}

    def step(self, action: ArrayLike) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Makes frame_skip time steps: (observation, reward, terminated, truncated, info). info has
        the terms of the reward, and whether the simulation has diverged, which ends the episode. An
        action beyond the action space is brought to its bounds; one with NaN is an error."""
        if self._steps is None:
            raise InvalidError("an episode has not begun; call reset before step")
        action = check_action(action, self.action_space, "action")
        data, before = self.data, self.data.qpos[None].copy()
        data.ctrl = action
        resets = data._simulation.diverged
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", SimulationWarning)   # it ends the episode
            data.step(self.task.frame_skip)
        diverged = data._simulation.diverged != resets
        if diverged:
            data.reset()
        self._steps += 1
        qpos, qvel = data.qpos[None], data.qvel[None]
        reward, terms = self.task.judge(before, qpos, qvel, action[None])
        ended = diverged or bool(self.task.ended(qpos, qvel)[0])
        self._show()
        info = {**{name: float(value[0]) for name, value in terms.items()}, "diverged": diverged}
        return (self._observe(), 0.0 if diverged else float(reward[0]), ended,
                self._steps >= self.max_episode_steps, info)

    def _show(self):
        if self.render_mode == "human":
            if self._viewer is None:
                from ..viewing import view
                self._viewer = view(self.model, self.data)
            self._viewer.sync(realtime=True)

    def render(self) -> Optional[np.ndarray]:
        """An image of the present state, in the mode "rgb_array"."""
        if self.render_mode == "rgb_array":
            return self.data.render(self.camera, *self.size)
        return None

    def close(self) -> None:
        """Ends the page of the mode "human"."""
        if self._viewer is not None:
            self._viewer.close()
            self._viewer = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
        return False

    def __repr__(self):
        return f"<sinew.envs.Env {type(self.task).__name__}>"
