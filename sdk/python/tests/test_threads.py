# SPDX-License-Identifier: Apache-2.0
"""Threads, processes that fork, and context managers that several threads use."""

import multiprocessing
import os
import threading

import numpy as np
import pytest
import sinew
from conftest import PENDULUM


def in_child(function, seconds=60):
    """Runs a function in a child process that is made with fork; its exit code."""
    child = os.fork()
    if child == 0:
        import signal
        signal.alarm(seconds)
        try:
            function()
            os._exit(0)
        except BaseException:
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


# of one of the executors; a module's function, since a pool finds it by name
MODEL = {}


def run_all(executor):
    return sinew.rollout(MODEL["model"], nsteps=20, n=8, record="qpos", executor=executor)["qpos"]


@pytest.mark.parametrize("executor", ["serial", "threads"])
def test_a_child_process_may_use_an_executor_that_has_threads(executor):
    with sinew.configure(set={"plugin.threads.workers": 4}):
        MODEL["model"] = sinew.loads(PENDULUM)
    expected = run_all(executor)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        for found in pool.map_async(run_all, [executor] * 4).get(60):
            np.testing.assert_array_equal(found, expected)

    def grandchild():
        assert in_child(lambda: run_all(executor)) == 0
        run_all(executor)
        data = MODEL["model"].data()
        data.step(3)
    assert in_child(grandchild) == 0
    np.testing.assert_array_equal(run_all(executor), expected)


@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="the locks of the "
                    "sanitizer's allocator stay locked in a child, if a thread held one")
def test_a_fork_while_rollouts_run():
    with sinew.configure(set={"plugin.threads.workers": 4}):
        MODEL["model"] = sinew.loads(PENDULUM)
    stop = threading.Event()
    thread = threading.Thread(target=lambda: sinew.rollout(
        MODEL["model"], nsteps=1000, n=10 ** 6, executor="threads",
        progress=lambda done, n: stop.is_set()))
    thread.start()
    try:
        for _ in range(20):
            assert in_child(lambda: run_all("threads")) == 0
    finally:
        stop.set()
        thread.join()


def test_a_child_process_ends_with_its_engine():
    """The engine is closed in the child: its threads are not waited for."""
    program = f"""
import gc, os, sinew
with sinew.configure(set={{"plugin.threads.workers": 4}}):
    m = sinew.loads({PENDULUM!r})
sinew.rollout(m, nsteps=3, n=8, executor="threads")
child = os.fork()
del m
gc.collect()
if child:
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
"""
    import subprocess
    import sys
    path = [p for p in sys.path if p]
    subprocess.run([sys.executable, "-c", f"import sys; sys.path[:0] = {path!r}\n" + program],
                   check=True, timeout=60)


def test_one_configuration_in_two_threads():
    """The blocks end in another order than that in which they began."""
    chosen = sinew.configure(profile="mujoco-2.2")
    first, second = threading.Barrier(2, timeout=60), threading.Barrier(2, timeout=60)
    seen = []

    def use(early):
        try:
            with chosen:
                first.wait()
                seen.append(sinew.current().profile)
                if not early:
                    second.wait()
            seen.append(sinew.current().profile)
            if early:
                second.wait()
        except BaseException as error:
            seen.append(error)
    threads = [threading.Thread(target=use, args=(early,)) for early in (True, False)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(seen, key=str) == [None, None, "mujoco-2.2", "mujoco-2.2"]


def test_options_of_one_model_in_two_threads(model):
    step, found = model.opt.timestep, []
    with model.options(timestep=0.5), model.options(iterations=3):
        def other():
            try:
                with model.options(timestep=0.25):
                    pass
            except RuntimeError as error:
                found.append(str(error))
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
    assert "another thread" in found[0] and model.opt.timestep == step
    with pytest.raises(AttributeError):
        with model.options(nothing=1):
            pass
    with model.options(timestep=0.25):
        assert model.opt.timestep == 0.25
