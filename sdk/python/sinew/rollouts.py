# SPDX-License-Identifier: Apache-2.0
"""Rollouts: many simulations of one model on an executor, from and to NumPy arrays."""

from __future__ import annotations

import itertools
import operator
import threading
from typing import TYPE_CHECKING, Any, Callable, KeysView, Mapping, Optional, Sequence, Union

import numpy as np

from ._library import (NULL, InvalidError, Owner, call, check_kind, encode, exception, ffi, lib,
                       on_error, running, structure, take_early_exceptions, take_exceptions)
from .fields import address_of, reals
from .model import Model
from .plugins import Call, FeedbackData, PluginModel

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

# cffi makes a type at its first use, and two of them if two threads come first together
for _function in (lib.sn_rollout_measure, lib.sn_rollout):
    ffi.typeof(_function)
ffi.new("sn_rollout_request *")


class Rollouts:
    """The results of sinew.rollout: r["qpos"] is an array (rollouts, samples, numbers).

    states: (rollouts, samples, numbers of the state), if they were asked for. status: of each
    rollout, 0 or the status of its first failed step. reached: steps before that. failed: how many
    failed. Samples that were not reached are NaN.
    """

    def __init__(self, records: dict[str, np.ndarray], states: Optional[np.ndarray],
                 status: np.ndarray, reached: np.ndarray, failed: int, done: int):
        self._records = records
        self.states, self.status, self.reached = states, status, reached
        self.failed, self.done = failed, done

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._records:
            raise KeyError(f"'{name}' was not recorded; recorded: {', '.join(self._records)}")
        return self._records[name]

    def keys(self) -> KeysView[str]:
        """The names of what was recorded."""
        return self._records.keys()

    def __repr__(self):
        return f"<sinew.Rollouts: {len(self.status)}, {self.failed} failed>"


def _rows(value, n, what):
    """An array with a row for each rollout, or one for all."""
    array = np.ascontiguousarray(value, np.float64)
    if array.shape[0] not in (1, n):
        raise InvalidError(f"{what}: 1 or {n} rows are needed, got {array.shape[0]}")
    return array, ffi.from_buffer("double[]", array), array.shape[0] == 1 and n > 1


_numbers = itertools.count(1)


class _Request:
    """A request and everything that it points to."""

    def __init__(self, model):
        self.model, self.address = model, address_of(model._owner.pointer)
        self.keep = []
        self.raised = []   # in Python code that the rollouts called
        self.number = next(_numbers)
        self.c = structure("sn_rollout_request")
        self.cancel = ffi.new("int32_t *")
        self.c.cancel = self.cancel
        self.lock = threading.Lock()

    def fail(self, error):
        """Ends the rollouts because of an exception in Python code that they have called."""
        self.raised.append(error)
        self.cancel[0] = 1

    def text(self, word):
        made = ffi.new("char[]", encode(word))
        self.keep.append(made)
        return made

    def set_controls(self, controls, nsteps, every):
        nu = self.model.nu
        array = reals(controls, "controls")
        if array.ndim == 2:
            array = array[None]
        if array.ndim != 3 or array.shape[2] != nu:
            raise InvalidError(f"controls: shape (rollouts, steps, {nu}) is needed, got "
                               f"{np.shape(controls)}")
        array, pointer, same = _rows(array, self.c.n or array.shape[0], "controls")
        self.c.nstep = nsteps or array.shape[1] * every
        if -(-self.c.nstep // every) != array.shape[1]:
            raise InvalidError(f"controls: {-(-self.c.nstep // every)} rows are needed for "
                               f"{self.c.nstep} steps, got {array.shape[1]}")
        self.keep.append(array)
        self.c.control, self.c.control_every = pointer, every
        self.c.flags |= lib.SN_ROLLOUT_SAME_CONTROL * same

    def set_initial(self, initial, mask):
        size = self.model.state_size(mask)
        array = np.atleast_2d(reals(initial, "initial"))
        if array.shape[1] != size:
            raise InvalidError(f"initial: {size} numbers in each row are needed, got "
                               f"{array.shape[1]}")
        array, pointer, same = _rows(array, self.c.n, "initial")
        self.keep.append(array)
        self.c.initial, self.c.initial_mask = pointer, mask
        self.c.flags |= lib.SN_ROLLOUT_SAME_INITIAL * same

    def set_executor(self, executor):
        """By name, so that nothing depends on what another thread selects from now on. Also numbers
        the steps of plugins of Python, which threads of the executor call."""
        engine = self.model.engine
        if executor is None:
            executor = engine.config.get("select.executor", (None,))[0]
        if executor is not None:
            self.c.executor = self.text(executor)
        if engine._owner.keep and executor in ("threads", "auto"):
            self.c.before_step = ffi.cast(ffi.typeof(self.c.before_step),
                                          ffi.addressof(lib, "py_before_step"))
            self.c.context = ffi.cast("void *", self.number)

    def set_feedback(self, feedback):
        @ffi.callback("sn_status(void *, sn_model *, sn_data *, int64_t, int64_t)",
                      error=lib.SN_EPLUGIN, onerror=on_error(self.fail))
        def before(context, model, data, rollout, step):
            lib.py_set_request(self.number)
            with Call() as c:
                d = FeedbackData(model, data, c)
                return int(bool(feedback(d.model, d, rollout, step)))
        self.keep.append(before)
        self.c.before_step = ffi.cast(ffi.typeof(self.c.before_step), before)

    def set_names(self, record, vary, stop):
        records = ffi.new("sn_rollout_record[]", max(len(record), 1))
        for made, name in zip(records, record):
            made.name = self.text(name)
        variations = ffi.new("sn_rollout_variation[]", max(len(vary), 1))
        for made, (name, values) in zip(variations, vary.items()):
            array = np.asarray(reals(values, f"vary, {name}"), order="C")   # a number stays one
            if array.shape[:1] != (self.c.n,):
                raise InvalidError(f"vary, {name}: {self.c.n} rows are needed, got {array.shape}")
            self.keep.append(array)
            made.name, made.values = self.text(name), ffi.from_buffer("double[]", array)
        limits = ffi.new("sn_rollout_limit[]", max(len(stop), 1))
        for made, (name, limit) in zip(limits, stop.items()):
            if np.shape(limit) != (2,):
                raise InvalidError(f"stop, {name}: a range (low, high) is needed, got {limit!r}")
            made.name, (made.min, made.max) = self.text(name), limit
        self.keep += [records, variations, limits]
        self.c.record, self.c.nrecord = records, len(record)
        self.c.vary, self.c.nvary = variations, len(vary)
        self.c.stop, self.c.nstop = limits, len(stop)
        if lib.sn_camera_sensors_recorded(self.model._owner.pointer, self.c):
            from .rendering import camera_sensors
            self.keep.append(camera_sensors(self.model))
            self.c.before_sample = ffi.cast(ffi.typeof(self.c.before_sample),
                                            ffi.addressof(lib, "sn_camera_sensors_sample"))
            self.c.sample_context = self.keep[-1].pointer
        call(lib.sn_rollout_measure, self.model._owner.pointer, self.c)
        for made, (name, values) in zip(variations, vary.items()):
            if np.size(values) != self.c.n * made.width:
                raise InvalidError(f"vary, {name}: {made.width} numbers for each rollout are "
                                   f"needed, got {np.shape(values)}")


def rollout(model: Model, controls: Optional[ArrayLike] = None,
            initial: Optional[ArrayLike] = None, vary: Optional[Mapping[str, ArrayLike]] = None,
            record: Union[str, Sequence[str]] = (), executor: Optional[str] = None,
            n: Optional[int] = None, nsteps: Optional[int] = None, seed: int = 0, every: int = 1,
            control_every: int = 1, stop: Optional[Mapping[str, tuple[float, float]]] = None,
            stop_at_failure: bool = False, initial_mask: Optional[int] = None,
            states: Optional[int] = None, progress: Optional[Callable[[int, int], Any]] = None,
            feedback: Optional[Callable[[PluginModel, FeedbackData, int, int], Any]] = None
            ) -> Rollouts:
    """Runs many simulations of a model; see sinew/rollout.h and docs/rollouts.md.

    controls: (rollouts, steps, nu), or (steps, nu) for all. initial: a state for each rollout, or
    one for all, as Data.get_state(initial_mask) returns. vary: {"body_mass:torso": values}, a value
    or a row for each rollout. record: a name, or several, such as "qpos", "xpos:torso",
    "sensordata:gyro". executor: "serial", "threads" ... every: steps between samples. stop:
    {"qpos:slide": (low, high)} ends a rollout that leaves the range. states: a mask of the states
    to return after each sample. progress: called with (done, n); a true result cancels. feedback:
    called with (m, d, rollout, step) before each step, to set inputs (d.ctrl ...) from the state; a
    true result ends this rollout. It runs under the interpreter's lock, and m and d are valid
    during the call. Results have the same bits on every executor. Ctrl-C ends the call within a
    step. Simulations and buffers of a call are kept with the model for the next one.
    """
    check_kind(model, Model)
    for name, value in (("every", every), ("control_every", control_every)):
        if operator.index(value) < 1:
            raise InvalidError(f"{name}: a positive number of steps is needed, not {value}")
    if not 0 <= operator.index(seed) < 2 ** 64:
        raise InvalidError(f"seed: 0 to 2^64 - 1, not {seed}")
    record = [record] if isinstance(record, str) else list(record)
    request = _Request(model)
    vary, stop = dict(vary or {}), dict(stop or {})
    if n is None:
        sizes = [np.shape(value)[0] for value in vary.values() if np.ndim(value)]
        sizes += [np.shape(initial)[0]] if initial is not None and np.ndim(initial) == 2 else []
        sizes += [np.shape(controls)[0]] if controls is not None and np.ndim(controls) == 3 else []
        n = max(sizes, default=1)
    request.c.n, request.c.nstep = n, nsteps or 0
    request.c.seed, request.c.every = seed, every
    if stop_at_failure:
        request.c.flags |= lib.SN_ROLLOUT_STOP
    if controls is not None:
        request.set_controls(controls, nsteps, control_every)
    elif not nsteps:
        raise InvalidError("without controls the number of steps, nsteps, is needed")
    if initial is not None:
        request.set_initial(initial, lib.SN_STATE_INTEGRATION if initial_mask is None
                            else initial_mask)
    request.set_executor(executor)
    request.set_names(record, vary, stop)
    if feedback is not None:
        request.set_feedback(feedback)
    return _run(request, n, record, states, progress)


def _run(request, n, record, states, progress):
    c = request.c
    results = np.full((n, c.nresult), np.nan)
    status, reached = np.zeros(n, np.int32), np.zeros(n, np.int64)
    made = None
    request.keep += [results, status, reached]
    if states is not None:
        made = np.full((n, c.nsample, request.model.state_size(states)), np.nan)
        request.keep.append(made)
        c.result_mask = states
        c.states = ffi.from_buffer("double[]", made) if made.size else NULL
    c.results = ffi.from_buffer("double[]", results) if results.size else NULL
    c.status = ffi.from_buffer("int32_t[]", status)
    c.reached = ffi.from_buffer("int64_t[]", reached)
    if progress is not None:
        @ffi.callback("int32_t(void *, int64_t, int64_t)", error=1, onerror=on_error(request.fail))
        def report(context, done, total):
            return int(bool(progress(done, total)))
        request.keep.append(report)
        c.progress = report
    with request.model._users:
        _wait(request)
    parts = {}
    for name, part in zip(record, c.record[0:len(record)]):
        block = results[:, part.offset:part.offset + c.nsample * part.width]
        parts[name] = block.reshape(n, c.nsample, part.width)
    return Rollouts(parts, made, status, reached, c.failed, c.done)


def _wait(request):
    """Runs the request in a thread, so that the main one sees Ctrl-C."""
    outcome, finished = [], threading.Event()
    error = Owner(lib.sn_error_new(), lib.sn_error_free)

    def work():   # refers to the request, so that its arrays live as long as the thread
        try:
            if not request.cancel[0]:
                outcome.append(_rollout(request, error.pointer))
        finally:
            finished.set()

    worker = threading.Thread(target=work, name="sinew.rollout")
    interrupt = None
    try:
        worker.start()
        while not finished.wait(0.1):
            pass
    except BaseException as caught:
        interrupt = caught
        request.cancel[0] = 1
    while worker.ident is not None and not finished.is_set():
        try:
            finished.wait(0.1)
        except BaseException as caught:   # another Ctrl-C: the worker still uses the arrays
            interrupt = interrupt or caught
            request.cancel[0] = 1
    if worker.ident is not None:
        worker.join()   # a program may fork now, without a thread that ends meanwhile
    if interrupt is not None:
        raise interrupt
    _raise_failure(request, outcome[0], error.pointer)


def _rollout(request, error):
    """Runs a request on this thread, and collects the exceptions of its plugins."""
    running.append(request)
    try:
        code = lib.sn_rollout(request.model._owner.pointer, request.c, error)
        alone = len(running) == 1   # then it has all exceptions of executors
    finally:
        lib.py_set_request(0)
        running.remove(request)
    request.raised += take_exceptions(alone, request.number)
    request.raised += take_early_exceptions(request.address)
    return code


def _raise_failure(request, code, error):
    if request.raised:
        first = request.raised[0]
        request.raised = []
        raise first
    if code < 0 and code != lib.SN_ECANCELED:
        raise exception(code, error, "sn_rollout")


class Stepper:
    """The same rollouts again and again, each from where it ended: n simulations that go on
    together. `states` are those of Data.get_state; qpos and qvel are views of them."""

    def __init__(self, model, n, nsteps, executor=None):
        if operator.index(n) < 1:
            raise InvalidError(f"the number of simulations must be positive, not {n}")
        self.model, self.nsteps = model, nsteps
        mask = lib.SN_STATE_INTEGRATION
        state = model.data().get_state()
        self.states = np.tile(state, (n, 1))
        self._after = np.empty((n, 1, len(state)))
        self._control = np.zeros((n, 1, model.nu))
        self._status, self._skip = np.zeros(n, np.int32), np.zeros(n, np.uint8)
        self.qpos, self.qvel = (self._part(mask, part, size) for part, size in
                                ((lib.SN_STATE_QPOS, model.nq), (lib.SN_STATE_QVEL, model.nv)))
        self._request = request = _Request(model)
        c = request.c
        c.n, c.nstep, c.every, c.control_every = n, nsteps, nsteps, nsteps
        c.flags, c.initial_mask, c.result_mask = lib.SN_ROLLOUT_STOP, mask, mask
        c.initial = ffi.from_buffer("double[]", self.states)
        if model.nu:
            c.control = ffi.from_buffer("double[]", self._control)
        c.states = ffi.from_buffer("double[]", self._after)
        c.status = ffi.from_buffer("int32_t[]", self._status)
        c.skip = ffi.from_buffer("uint8_t[]", self._skip)
        request.set_executor(executor)
        call(lib.sn_rollout_measure, model._owner.pointer, c)
        self.step(0.0, skip=True)   # fails if there is no such executor

    def _part(self, mask, part, size):
        # a state is its parts in the order of their bits
        first = self.model.state_size(mask & (part - 1))
        return self.states[:, first:first + size]

    def step(self, controls, skip=False):
        """Makes the steps with these controls (n, nu), except in simulations to skip. Returns which
        of them diverged; these are in the reset state."""
        with self._request.lock, self.model._users:
            self._control[:, 0] = controls
            self._skip[:] = skip
            error = Owner(lib.sn_error_new(), lib.sn_error_free)
            _raise_failure(self._request, _rollout(self._request, error.pointer), error.pointer)
            ran = self._skip == 0
            failed = ran & (self._status != 0)
            kept = ran & ~failed
            self.states[kept] = self._after[kept, 0]
            if failed.any():
                self.states[failed] = self.model.data().get_state()
            return failed
