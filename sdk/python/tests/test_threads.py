# SPDX-License-Identifier: Apache-2.0
"""Threads, processes that fork, and context managers that several threads use."""

import multiprocessing
import os
import threading

import numpy as np
import pytest
import sinew
from conftest import PENDULUM


# a thread of an executor may be between two jobs when the process forks
forks = pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="the locks of the "
                           "sanitizer's allocator stay locked in a child, if a thread held one")


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


@forks
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


@forks
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


@forks
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


# ---------------------------------------------------------------- objects that threads share

def in_threads(*functions):
    """Runs functions at the same time; the errors that they raised."""
    raised = []

    def run(function):
        try:
            function()
        except BaseException as error:
            raised.append(error)
    threads = [threading.Thread(target=run, args=(f,)) for f in functions]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return raised


def test_a_spec_in_several_threads():
    spec = sinew.Spec()
    bodies = 400

    def add(prefix):
        for i in range(bodies):
            body = spec.world.add_body(name=f"{prefix}{i}", mass=1)
            body.add_geom(size=0.1)
            body.pos = [0, 0, i]

    def read():
        for _ in range(30):
            copy = spec.copy()
            names = [element.name for element in copy.elements("body")]
            assert len(names) == copy.count("body")
            spec.body("world").to_dict()
    assert not in_threads(lambda: add("a"), lambda: add("b"), read, read)
    assert spec.count("body") == 2 * bodies + 1 and spec.count("geom") == 2 * bodies
    for prefix in "ab":
        for i in (0, bodies - 1):
            np.testing.assert_array_equal(spec.body(f"{prefix}{i}").pos, [0, 0, i])


def test_two_specs_that_attach_each_other():
    engines = [sinew.Engine(), sinew.Engine()]
    first, second = (sinew.Spec(engine) for engine in engines)

    def attach(to, part):
        for i in range(200):
            to.attach("world", part, f"p{i}-")
    assert not in_threads(lambda: attach(first, second), lambda: attach(second, first))


def test_an_engine_in_several_threads():
    engine = sinew.Engine()

    def use(name):
        for i in range(100):
            engine.add_file(f"{name}{i}", b"x" * 1000)
            engine.set("plugin.newton.linesearch_iterations", 20 + i)
            engine.select("solver", "cg" if i % 2 else "newton")
            assert engine.config["select.solver"][0] in ("cg", "newton")
            assert engine.providers
    assert not in_threads(*(lambda k=k: use(f"file{k}-") for k in range(3)))


def test_loading_with_one_engine_in_several_threads():
    engine, made = sinew.Engine(), []

    def load():
        for _ in range(20):
            data = sinew.loads(PENDULUM, engine=engine).data()
            data.qpos[0] = 0.5
            data.step(20)
            made.append(data.qpos[0])
    assert not in_threads(load, load, load)
    assert len(made) == 60 and len(set(made)) == 1


def test_an_engine_that_is_used_while_a_process_forks():
    """The thread that has the lock does not exist in the child."""
    engine = sinew.Engine()
    taken, release = threading.Event(), threading.Event()

    def hold():
        with engine._lock:
            taken.set()
            release.wait(60)
    thread = threading.Thread(target=hold)
    thread.start()
    taken.wait(60)
    try:
        assert in_child(lambda: engine.select("solver", "cg")) == 0
    finally:
        release.set()
        thread.join()


def test_problems_in_several_threads():
    model, problems, steps = sinew.loads(PENDULUM), sinew.Problems(), 200

    def add():
        data = model.data()
        data.qpos[0] = 3.1   # beyond the range: a limit
        data.forward()
        assert data.nefc > 0
        for _ in range(steps):
            problems.add(data)

    def read():
        while len(problems) < 3 * steps:
            if len(problems):
                assert problems[len(problems) - 1].J.shape[1] == model.nv
    assert not in_threads(add, add, add, read)
    assert len(problems) == 3 * steps


def test_refresh_while_another_thread_steps():
    """Whoever comes second gets an error; nothing else happens to either."""
    model = sinew.loads(PENDULUM)
    data = [model.data(), model.data()]
    stop, refused = threading.Event(), []

    def step(d):
        while not stop.is_set():
            try:
                d.step(50)
            except RuntimeError as error:
                refused.append(str(error))

    def refresh():
        try:
            for _ in range(2000):
                try:
                    model.refresh()
                except RuntimeError as error:
                    refused.append(str(error))
        finally:
            stop.set()
    assert not in_threads(lambda: step(data[0]), lambda: step(data[1]), refresh)
    assert refused and all("m.refresh" in words for words in refused)
    model.refresh()   # nobody uses it now
    for d in data:
        d.step()


def test_refresh_during_a_rollout_or_from_a_plugin():
    model, refused = sinew.loads(PENDULUM), []

    def refresh():
        try:
            model.refresh()
        except RuntimeError as error:
            refused.append(str(error))
    sinew.rollout(model, n=2, nsteps=2, progress=lambda done, n: refresh())
    assert refused and all("m.refresh" in words for words in refused)
    del refused[:]
    engine = sinew.Engine()

    def force(m, d, ctrl, qfrc):
        refresh()
    sinew.controller("refreshes", engine=engine)(force)
    model = sinew.loads(PENDULUM, engine=engine)
    del refused[:]   # of steps while the model was compiled
    model.data().step()
    assert refused
