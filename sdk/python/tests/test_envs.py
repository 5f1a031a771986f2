# SPDX-License-Identifier: Apache-2.0
"""Environments: their interface, that seeds decide everything, and that many give the same numbers
as one."""

import copy
import pickle
import subprocess
import sys
import textwrap

import numpy as np
import pytest
import sinew

NAMES = ["CartPole", "Hopper", "Cheetah", "Humanoid", "Quadruped"]


def episode(env, seed, steps, actions):
    observation, info = env.reset(seed=seed)
    assert env.observation_space.contains(observation) and isinstance(info, dict)
    seen = [observation]
    for k in range(steps):
        observation, reward, terminated, truncated, info = env.step(actions[k])
        assert isinstance(reward, float) and type(terminated) is type(truncated) is bool
        seen.append(np.append(observation, reward))
        if terminated or truncated:
            break
    return np.concatenate(seen)


@pytest.mark.parametrize("name", NAMES)
def test_seeds_decide_everything(name):
    env, other = sinew.envs.make(name), sinew.envs.make(f"sinew/{name}-v0")
    env.action_space.seed(3)
    actions = [env.action_space.sample() for _ in range(60)]
    assert all(env.action_space.contains(action) for action in actions)
    first = episode(env, 5, 60, actions)
    np.testing.assert_array_equal(first, episode(other, 5, 60, actions))
    np.testing.assert_array_equal(first, episode(env, 5, 60, actions))
    different = episode(env, 6, 60, actions)
    assert first.shape != different.shape or not np.array_equal(first, different)
    # without a seed an episode goes on with the random numbers of before
    assert not np.array_equal(env.reset()[0], env.reset()[0])


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("executor", ["serial", "threads"])
def test_many_are_as_one_bit_for_bit(name, executor):
    n, steps = 4, 80
    envs = sinew.envs.make_vec(name, n, executor=executor, max_episode_steps=50)
    envs.action_space.seed(2)
    actions = [envs.action_space.sample() for _ in range(steps)]
    ones = [sinew.envs.make(name, max_episode_steps=50) for _ in range(n)]
    together, _ = envs.reset(seed=10)
    alone = np.array([env.reset(seed=10 + i)[0] for i, env in enumerate(ones)])
    np.testing.assert_array_equal(together, alone)
    ended = np.zeros(n, bool)
    count = 0
    for action in actions:
        together, reward, terminated, truncated, info = envs.step(action)
        for i, env in enumerate(ones):
            if ended[i]:   # this step begins another episode
                expected, got = (env.reset()[0], 0.0, False, False), {}
            else:
                *expected, got = env.step(action[i])
            np.testing.assert_array_equal(together[i], expected[0])
            assert (reward[i], terminated[i], truncated[i]) == tuple(expected[1:])
            assert all(info[key][i] == value and info["_" + key][i] for key, value in got.items())
        ended = terminated | truncated
        count += ended.sum()
    assert count >= n   # every environment has ended an episode, of 50 steps at most


def test_rewards_are_what_they_say():
    env = sinew.envs.make("Cheetah", ctrl_cost=0.5)
    env.reset(seed=0)
    before = env.data.qpos[0]
    _, reward, _, _, info = env.step(np.full(6, 0.5))
    speed = (env.data.qpos[0] - before) / (4 * env.model.opt.timestep)
    assert info["forward"] == pytest.approx(speed) and info["ctrl"] == -0.5 * 6 * 0.25
    assert reward == pytest.approx(speed - 0.75)
    with pytest.raises(TypeError, match="ctrl_price"):
        sinew.envs.make("Cheetah", ctrl_price=1)
    with pytest.raises(sinew.NotFound, match="Hopper"):
        sinew.envs.make("Hoper")
    with pytest.raises(sinew.InvalidError, match="shape"):
        env.step([1, 2])


def test_what_falls_ends_and_what_stands_does_not():
    quadruped = sinew.envs.make("Quadruped")
    quadruped.reset(seed=1)
    stand = quadruped.model.key_ctrl[0]
    for _ in range(200):
        _, _, terminated, _, _ = quadruped.step(stand)
        assert not terminated
    humanoid = sinew.envs.make("Humanoid")
    humanoid.reset(seed=1)
    ends = [humanoid.step(np.zeros(18))[2] for _ in range(300)]
    assert any(ends) and not any(ends[:10])


def test_a_simulation_that_diverges_ends_its_episode():
    env, envs = sinew.envs.make("Hopper"), sinew.envs.make_vec("Hopper", 2)
    env.reset(seed=0), envs.reset(seed=0)
    state = env.data.get_state()
    first = env.model.state_size(sinew.State.TIME)
    state[first + env.model.nq] = 1e12   # a velocity
    env.reset(options={"state": state})
    envs.states[1] = state
    observation, reward, terminated, _, info = env.step(np.zeros(3))
    assert terminated and info["diverged"] and reward == 0 and np.isfinite(observation).all()
    observations, rewards, ends, _, infos = envs.step(np.zeros((2, 3)))
    np.testing.assert_array_equal(observations[1], observation)
    assert list(infos["diverged"]) == [False, True] and ends[1] and not ends[0]


def test_images_of_environments():
    env = sinew.envs.make("CartPole", render_mode="rgb_array", width=64, height=48)
    env.reset(seed=0)
    try:
        assert env.render().shape == (48, 64, 3)
    except (sinew.Unsupported, sinew.NotFound) as error:
        pytest.skip(str(error))
    assert sinew.envs.make("CartPole").render() is None
    with pytest.raises(sinew.InvalidError, match="render_mode"):
        sinew.envs.make("CartPole", render_mode="ansi")


# a stand-in with the parts of Gymnasium's interface that are used, for machines without it
STAND_IN = """
import sys, types
import numpy as np

def module(name, **members):
    made = sys.modules[name] = types.ModuleType(name)
    made.__dict__.update(members)
    return made

class Box:
    def __init__(self, low, high, shape, dtype):
        self.low, self.high, self.shape, self.dtype = low, high, shape, dtype
class Env:
    _np_random = None
    @property
    def np_random(self): return self._np_random
    @np_random.setter
    def np_random(self, value): self._np_random = value
class VectorEnv: pass
class AutoresetMode: NEXT_STEP = "NextStep"
registry = {}
def register(id, entry_point, vector_entry_point=None, kwargs=None):
    registry[id] = (entry_point, vector_entry_point, kwargs)
spaces = module("gymnasium.spaces", Box=Box)
vector = module("gymnasium.vector", VectorEnv=VectorEnv, AutoresetMode=AutoresetMode)
registration = module("gymnasium.envs.registration", registry=registry, register=register)
envs = module("gymnasium.envs", registration=registration)
module("gymnasium", Env=Env, spaces=spaces, vector=vector, envs=envs)
"""


def test_gymnasium_gets_its_own_classes():
    program = STAND_IN + textwrap.dedent("""
        import importlib
        import sinew
        assert not registry
        sinew.envs
        assert set(registry) == {f"sinew/{name}-v0" for name in sinew.envs.TASKS}, registry
        for entry, vector_entry, kwargs in registry.values():
            place, name = entry.split(":")
            env = getattr(importlib.import_module(place), name)(**kwargs)
            assert isinstance(env, Env) and isinstance(env.action_space, Box)
            env.reset(seed=1)
            place, name = vector_entry.split(":")
            many = getattr(importlib.import_module(place), name)(num_envs=2, **kwargs)
            assert isinstance(many, VectorEnv) and many.metadata["autoreset_mode"] == "NextStep"
            many.reset(seed=1)
        """)
    path = [p for p in sys.path if p]
    subprocess.run([sys.executable, "-c", f"import sys; sys.path[:0] = {path!r}\n" + program],
                   check=True)


def test_gymnasium_itself():
    gymnasium = pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env
    check_env(sinew.envs.make("Hopper"), skip_render_check=True)
    for name in NAMES:
        assert gymnasium.make(f"sinew/{name}-v0").reset(seed=1)[0].shape
        gymnasium.make_vec(f"sinew/{name}-v0", num_envs=2).reset(seed=1)


@pytest.mark.parametrize("name", ["CartPole", "Humanoid"])
def test_actions_that_are_not_in_the_space(name):
    env, envs = sinew.envs.make(name), sinew.envs.make_vec(name, 2)
    size = env.action_space.shape
    for one, shape in ((env, size), (envs, (2, *size))):
        with pytest.raises(sinew.InvalidError, match="reset"):
            one.step(np.zeros(shape))
        one.reset(seed=1)
        for value in (np.nan, np.inf):
            wrong = np.zeros(shape)
            wrong.flat[-1] = value
            with pytest.raises(sinew.InvalidError, match="finite"):
                one.step(wrong)
        # what is too large is as the bound itself, also in the reward
        ends = [one.step(np.full(shape, value)) for value in (1e300,)]
        one.reset(seed=1)
        bound = one.step(one.action_space.high)
        np.testing.assert_array_equal(ends[0][0], bound[0])
        np.testing.assert_array_equal(ends[0][1], bound[1])
        assert np.isfinite(bound[1]).all()


def test_options_and_settings_that_nothing_uses():
    env, envs = sinew.envs.make("Hopper"), sinew.envs.make_vec("Hopper", 2)
    for one in (env, envs):
        with pytest.raises(sinew.InvalidError, match="stat'.*state"):
            one.reset(seed=1, options={"stat": 1})
        assert one.reset(seed=1, options={})[0].shape
    state = env.data.get_state()
    state[1:4] += 0.25
    first = env.reset(options={"state": state})[0]
    np.testing.assert_array_equal(envs.reset(options={"state": state})[0], [first, first])
    for make in (sinew.envs.make, lambda *a, **k: sinew.envs.make_vec(*a, 2, **k)):
        for wrong in ({"judge": 1}, {"model": None}, {"file": "x"}, {"ctrl_price": 1}):
            with pytest.raises(TypeError, match="Hopper.*ctrl_cost"):
                make("Hopper", **wrong)
        with pytest.raises(sinew.InvalidError, match="max_episode_steps"):
            make("Hopper", max_episode_steps=0)
        with pytest.raises(sinew.InvalidError, match="^frame_skip: a positive number"):
            make("Hopper", frame_skip=0)
        task = make("Hopper", frame_skip=8).task
        assert task.dt == 8 * task.model.opt.timestep


def test_wrong_numbers_and_executors_of_several():
    for number in (0, -1):
        with pytest.raises(sinew.InvalidError, match="^num_envs: a positive number is needed"):
            sinew.envs.make_vec("Hopper", number)
    with pytest.raises(TypeError):
        sinew.envs.make_vec("Hopper", 2.5)
    with pytest.raises(sinew.NotFound, match="no executor is named 'zz'; available: serial"):
        sinew.envs.make_vec("Hopper", 2, executor="zz")


def test_several_cannot_be_copied():
    envs = sinew.envs.make_vec("CartPole", 2)
    for make in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="make another one"):
            make(envs)
    envs.reset(seed=1)
    other = sinew.envs.make_vec("CartPole", 2)
    other.reset(options={"state": envs.states})
    np.testing.assert_array_equal(other.states, envs.states)
