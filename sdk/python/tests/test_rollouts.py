# SPDX-License-Identifier: Apache-2.0
"""Rollouts and saved problems."""

import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
import sinew
from conftest import ROOT
from sinew import rollouts


def test_rollouts_are_simulations(models):
    model = sinew.load(models / "cart_pole.xml")
    rng = np.random.default_rng(1)
    controls = rng.uniform(-1, 1, (5, 40, model.nu))
    made = sinew.rollout(model, controls=controls, record=["qpos", "xpos:pole"], every=10,
                         states=sinew.State.INTEGRATION)
    assert made["qpos"].shape == (5, 4, model.nq) and made["xpos:pole"].shape == (5, 4, 3)
    for i in range(5):
        data = model.data()
        for step in range(40):
            data.ctrl = controls[i, step]
            data.step()
        np.testing.assert_array_equal(made["qpos"][i, -1], data.qpos)
        other = model.data()
        other.state = made.states[i, -1]
        assert other.hash(sinew.State.FULLPHYSICS) == data.hash(sinew.State.FULLPHYSICS)
    assert made.failed == 0 and made.done == 5 and (made.reached == 40).all()


def test_every_executor_gives_the_same_bits(models):
    model = sinew.load(models / "figure.xml")
    masses = np.linspace(1, 2, 8)
    runs = [sinew.rollout(model, nsteps=50, n=8, vary={"body_mass:head": masses}, seed=3,
                          record=["qpos"], executor=name)["qpos"] for name in ("serial", "threads")]
    np.testing.assert_array_equal(*runs)
    assert np.ptp(runs[0][:, -1, 2]) > 0


def test_initial_states_and_limits(models):
    model = sinew.load(models / "cart_pole.xml")
    data = model.data()
    data.qvel[0] = 5
    made = sinew.rollout(model, initial=data.get_state(), n=2, nsteps=100, record=["qpos"],
                         stop={"qpos:0:0": (-0.1, 0.1)})
    assert 0 < made.reached[0] < 100 and np.isnan(made["qpos"][0, -1]).all()
    with pytest.raises(sinew.InvalidError, match="initial"):
        sinew.rollout(model, initial=[1, 2], nsteps=3)
    with pytest.raises(sinew.InvalidError, match="controls"):
        sinew.rollout(model, controls=np.zeros((2, 3, 7)))
    with pytest.raises(sinew.Error, match="nothing"):
        sinew.rollout(model, nsteps=3, record=["nothing"])


def test_progress_and_cancel(models):
    model = sinew.load(models / "cart_pole.xml")
    seen = []
    made = sinew.rollout(model, n=20, nsteps=5,
                         progress=lambda done, n: seen.append((done, n)) or done >= 3)
    assert seen[-1][1] == 20 and made.done < 20

    def fail(done, n):
        raise KeyError("mine")
    with pytest.raises(KeyError, match="mine"):
        sinew.rollout(model, n=3, nsteps=5, progress=fail)


def test_feedback_is_a_closed_loop(models):
    model = sinew.load(models / "cart_pole.xml")
    start = model.data()
    start.qpos[1] = 0.1

    def balance(m, d, rollout, step):
        d.ctrl[0] = 4 * d.qpos[1] + d.qvel[1] + 0.3 * d.qpos[0] + 0.5 * d.qvel[0]
        return rollout == 2 and step >= 50

    runs = [sinew.rollout(model, initial=start.get_state(), n=3, nsteps=500, record=["qpos"],
                          feedback=balance, executor=name) for name in ("serial", "threads")]
    np.testing.assert_array_equal(runs[0]["qpos"], runs[1]["qpos"])
    data = start.copy()
    for _ in range(500):
        balance(model, data, 0, 0)
        data.step()
    np.testing.assert_array_equal(runs[0]["qpos"][0, -1], data.qpos)
    assert abs(data.qpos[1]) < 0.1 and list(runs[0].reached) == [500, 500, 50]
    kept = []

    def fails(m, d, rollout, step):
        kept.append(d)
        raise KeyError("mine")
    with pytest.raises(KeyError, match="mine"):
        sinew.rollout(model, n=3, nsteps=5, feedback=fails)
    with pytest.raises(sinew.InvalidError, match="during its call"):
        kept[0].qvel


def test_ctrl_c_ends_rollouts(models):
    model = sinew.load(models / "figure.xml")
    threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        sinew.rollout(model, n=4, nsteps=10 ** 9)
    assert time.monotonic() - start < 60


def test_a_second_ctrl_c_waits_for_the_end_too(models):
    """The worker must be gone before the arrays that it writes to are freed."""
    started = threading.Event()

    engine = sinew.Engine()

    @sinew.passive("slow", engine, named=True)
    def slow(m, d, qfrc):
        started.set()
        time.sleep(0.8)

    spec = sinew.Spec.load(models / "cart_pole.xml", engine)
    spec.add_force(type="slow")
    model = spec.compile()

    def interrupt():
        started.wait()
        for _ in range(2):
            time.sleep(0.2)
            os.kill(os.getpid(), signal.SIGINT)
    threading.Thread(target=interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        sinew.rollout(model, n=4, nsteps=1000, executor="serial")
    assert "sinew.rollout" not in [thread.name for thread in threading.enumerate()]


def test_an_interrupted_rollout_leaves_no_exception_behind(models):
    """An exception of the feedback is not raised by the next call, if Ctrl-C came first."""
    model = sinew.load(models / "cart_pole.xml")

    def fails(m, d, rollout, step):
        os.kill(os.getpid(), signal.SIGINT)
        time.sleep(0.5)   # the main thread sees the signal meanwhile
        raise KeyError("mine")
    with pytest.raises(KeyboardInterrupt):
        sinew.rollout(model, n=1, nsteps=5, feedback=fails)
    model.data().step()


def test_problems(models, tmp_path):
    data = sinew.load(models / "figure.xml").data()
    data.step(200)
    data.forward()
    problems = sinew.Problems()
    problems.add(data)
    problems.save(tmp_path / "one")
    again = sinew.Problems(tmp_path / "one")
    assert len(again) == 1
    problem = again[0]
    np.testing.assert_array_equal(problem.J, data.constraint_jacobian())
    newton, cg = problem.solve("newton"), problem.solve("cg")
    assert newton["cost"] <= cg["cost"] + 1e-6 and newton["residual"][0] < 1e-6
    np.testing.assert_allclose(newton["qacc"], data.qacc, atol=1e-6)
    # at the solution the forces explain the acceleration
    np.testing.assert_allclose(problem.J.T @ newton["force"],
                               data.multiply_inertia(newton["qacc"] - problem.qacc_smooth),
                               atol=1e-6)
    with pytest.raises(IndexError):
        again[1]
    with pytest.raises(sinew.NotFound):
        problem.solve("nothing")


def test_rollouts_keep_the_executor_that_was_selected(model, monkeypatch):
    model.engine.select("executor", "serial")
    prepare, started = rollouts._Request.set_names, set()

    def select_another(request, *arguments):
        prepare(request, *arguments)
        model.engine.select("executor", "threads")

    def feedback(m, d, rollout, step):
        started.add(threading.current_thread().name)
        time.sleep(0.001)
    monkeypatch.setattr(rollouts._Request, "set_names", select_another)
    sinew.rollout(model, n=32, nsteps=3, feedback=feedback)
    assert started == {"sinew.rollout"}
    sinew.rollout(model, n=32, nsteps=3, feedback=feedback)
    assert len(started) > 1     # as the other thread has selected


@pytest.mark.skipif(not shutil.which("mpirun"), reason="Open MPI is not installed")
def test_processes_of_mpi4py(models, tmp_path):
    """Each rank has what one process computes, and the program ends."""
    pytest.importorskip("mpi4py")
    if not any(p["kind"] == "sinew.executor/1" and p["name"] == "mpi"
               for p in sinew.engine.current().providers):
        pytest.skip("the plugin mpi is not loaded")
    model = sinew.load(models / "figure.xml")
    one = sinew.rollout(model, nsteps=200, every=50, record="xpos:trunk:2", executor="serial",
                        vary={"body_mass:trunk": np.linspace(8, 12, 64)})
    expected = one["xpos:trunk:2"].mean(axis=0).ravel().tolist()
    (tmp_path / "figure.xml").symlink_to(models / "figure.xml")
    path = os.pathsep.join([str(pathlib.Path(sinew.__file__).parents[1]),
                            os.environ.get("PYTHONPATH", "")])
    made = subprocess.run(["mpirun", "--oversubscribe", "--allow-run-as-root", "-n", "3",
                           sys.executable, ROOT / "samples/cluster/rollouts_mpi.py"], cwd=tmp_path,
                          env={**os.environ, "PYTHONPATH": path}, text=True, capture_output=True,
                          timeout=300)
    assert made.returncode == 0, made.stderr
    # mpirun may put the end of a line after the line of another rank
    lines = re.findall(r"rank \d of 3: \[.*?\]", made.stdout)
    assert sorted(lines) == [f"rank {i} of 3: {expected}" for i in range(3)]
