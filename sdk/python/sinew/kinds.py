# SPDX-License-Identifier: Apache-2.0
"""The kinds of plugins that can be written in Python: how a function becomes an operation table.

A kind is a function that fills the table of its header (controller.h, passive.h ...) with callbacks
that call the Python function with arrays; plugins.py has what they share.
"""

from __future__ import annotations

import inspect
import operator
from typing import Any, Callable, Optional, TypeVar

import numpy as np

from . import _tables, enums
from . import engine as engines
from ._library import NULL, InvalidError, ffi, lib
from .fields import DTYPES, address_of
from .plugins import Call, Table, _attributes, array, given


_Target = TypeVar("_Target")   # a function or a class


def _decorator(kind, struct, fill, main, doc):
    def register(name: str, engine: Optional[engines.Engine] = None, **settings: Any
                 ) -> Callable[[_Target], _Target]:
        word = kind.decode().split(".")[-1].split("/")[0]
        if not isinstance(name, str):
            raise TypeError(f'the name of the plugin is missing: @sinew.{word}("name")')
        if not name:
            raise InvalidError("a plugin needs a name")
        states = operator.index(settings.get("states", 0))
        if not 0 <= states < 2 ** 31:
            raise InvalidError(f"{name}: states: 0 or a positive number is needed, not {states}")

        def decorate(target):
            if inspect.isclass(target) and not hasattr(target, main):
                raise InvalidError(f"{name}: the class needs a method '{main}'")
            words = dict(settings)
            known = ["summary", *list(inspect.signature(fill).parameters)[2:]]
            for word in words:
                if word not in known:
                    raise TypeError(f"{name}: this kind has no setting '{word}'; it has "
                                    + ", ".join(known))
            table = Table(kind, struct, name, target, summary=words.pop("summary", None))
            table.attributes = _attributes(table.method(main))
            if table.attributes:
                if not hasattr(table.ops, "attributes"):
                    raise InvalidError(f"{name}: this kind has no attributes; use parameters of "
                                       "the class")
                table.ops.attributes = table.params(table.attributes)
            fill(table, main, **words)
            if engine is None:
                engines.register(kind, name, table)
            else:
                engine.add((kind, name, table))
            return target
        return decorate
    register.__doc__ = doc
    return register


def _flag(table, value, flag):
    if value:
        table.ops.head.flags |= flag


def _bind(table, make):
    """make(...): what is kept for a model, from the arguments of `bind`."""
    def bind(this, model, *arguments):
        *arguments, out, _ = arguments
        kept = make(*arguments)
        handle = ffi.new_handle(kept)
        table.bound[handle] = (address_of(model.model), kept)
        out[0] = handle

    def unbind(this, bound):
        for handle in [h for h in table.bound if ffi.cast("void *", h) == bound]:
            del table.bound[handle]
    table.operation("bind", bind)
    table.operation("unbind", unbind, None)


def _bind_attributes(table):
    """For kinds whose attributes are set once for a model."""
    _bind(table, lambda values: given(values, table.attributes))


def _has(table, name):
    return inspect.isclass(table.target) and hasattr(table.target, name)


def _reset(table, call, this, state, attributes):
    """Calls `reset(state)`, or `reset(m, d, state)`."""
    positional = [p for p in inspect.signature(table.method("reset")).parameters.values()
                  if p.kind is p.POSITIONAL_OR_KEYWORD]
    lent = (call.m, call.d) if len(positional) == 4 else ()
    table.call(this, "reset", *lent, state, **attributes)


def _states(table, count):
    """The state of a controller or a passive force: `advance` is required, `reset` is optional."""
    if not count:
        return
    if not _has(table, "advance"):
        raise InvalidError(f"{table.name}: with states, a class with a method 'advance' is needed")
    table.operation("states", lambda this, bound: count, 0)

    def advance(this, bound, view, h, state, scratch):
        with Call(view) as c:
            table.call(this, "advance", c.m, c.d, h, c.array(state, count),
                       **ffi.from_handle(bound))
    table.operation("advance", advance)
    if _has(table, "reset"):
        def reset(this, bound, view, state):
            with Call(view) as c:
                _reset(table, c, this, c.array(state, count), ffi.from_handle(bound))
        table.operation("reset", reset)


def _state(pointer, count):
    """The state as a further argument, a copy."""
    return (array(pointer, count).copy(),) if count else ()


def _fill_controller(table, main, named=False, states=0):
    _flag(table, named, lib.SN_CONTROLLER_NAMED)
    _bind_attributes(table)
    _states(table, states)

    def control(this, bound, view, state, controls, scratch):
        with Call(view) as c:
            table.call(this, main, c.m, c.d, c.array(controls.ctrl, c.m.nu),
                       c.array(controls.qfrc, c.m.nv), *_state(state, states),
                       **ffi.from_handle(bound))
    table.operation("control", control)


def _fill_passive(table, main, named=False, internal=False, states=0):
    _flag(table, named, lib.SN_PASSIVE_NAMED)
    _flag(table, internal, lib.SN_PASSIVE_INTERNAL)
    _bind_attributes(table)
    _states(table, states)

    def apply(this, bound, view, state, qfrc, scratch):
        with Call(view) as c:
            table.call(this, main, c.m, c.d, c.array(qfrc, c.m.nv), *_state(state, states),
                       **ffi.from_handle(bound))
    table.operation("apply", apply)
    if _has(table, "derivative"):
        def derivative(this, bound, view, state, pattern, D, scratch):
            with Call(view) as c:
                full = np.empty((c.m.nv, c.m.nv))
                found = table.result(this, "derivative", c.m, c.d, *_state(state, states),
                                     **ffi.from_handle(bound))
                table.put(full, found, "derivative")
            for i in range(pattern.nrow):
                for k in range(pattern.adr[i], pattern.adr[i] + pattern.nnz[i]):
                    D[k] += full[i, pattern.col[k]]
        table.operation("derivative", derivative)


class Contacts:
    """All contacts of an evaluation: arrays with a row for each, of which margin, friction, solref,
    solimp, dim, velocity, keep and restitution may be changed; see sinew/contact.h."""

    def __init__(self, call, contacts):
        self.__dict__["n"] = contacts.n
        for name, (kind, columns, writable) in _tables.CONTACTS.items():
            shape = (self.n,) if columns == 1 else (self.n, columns)
            if writable:
                made = call.array(getattr(contacts, name), *shape, kind=DTYPES[kind])
            else:
                made = array(getattr(contacts, name), *shape, kind=DTYPES[kind]).copy()
                made.setflags(write=False)
            self.__dict__[name] = made

    def __setattr__(self, name, value):
        if name not in _tables.CONTACTS or not _tables.CONTACTS[name][2]:
            raise AttributeError(f"contacts.{name} cannot be set")
        getattr(self, name)[...] = value


def _fill_contact(table, main, named=False):
    _flag(table, named, lib.SN_CONTACT_NAMED)
    _bind_attributes(table)

    def modify(this, bound, view, contacts, scratch):
        with Call(view) as c:
            table.call(this, main, c.m, c.d, Contacts(c, contacts), **ffi.from_handle(bound))
    table.operation("modify", modify)


def _fill_sensor(table, main, dim=1, stage="position", datatype="real", objects="",
                 references="", needs="", states=0):
    ops = table.ops
    ops.stage, ops.dim = enums.number("STAGE", stage, "stage"), dim
    ops.datatype = enums.number("DATA", datatype, "datatype")
    ops.objects, ops.references = table.string(objects), table.string(references)
    ops.needs = table.string(needs)
    _bind(table, lambda n, sensors: [(s.objid, s.refid, s.adr, s.dim, s.stateadr,
                                      given(s.values, table.attributes)) for s in sensors[0:n]])

    def evaluate(this, bound, view, state, sensordata, scratch):
        with Call(view) as c:
            for objid, refid, adr, size, at, attributes in ffi.from_handle(bound):
                own = (c.array(state + at, states),) if states else ()
                found = table.result(this, main, c.m, c.d, objid, refid, *own, **attributes)
                table.put(array(sensordata + adr, size), found, main)
    table.operation("evaluate", evaluate)
    if states:
        def sizes(this, model, sensor, size, count, error):
            count[0] = states
        table.operation("sizes", sizes)
        if _has(table, "reset"):
            def reset(this, bound, view, state):
                with Call(view) as c:
                    for _, _, _, _, at, attributes in ffi.from_handle(bound):
                        _reset(table, c, this, c.array(state + at, states), attributes)
            table.operation("reset", reset)


# ---------------------------------------------------------------- actuators

def _bind_actuators(table):
    """Attributes of actuators: an array with a number for each of the batch, or a list."""
    def values(n, actuators):
        rows = [given(a.values, table.attributes) for a in actuators[0:n]]
        return {name: np.array([row[name] for row in rows])
                if not isinstance(default, (str, list, tuple, np.ndarray))
                else [row[name] for row in rows]
                for name, default in table.attributes.items()}
    _bind(table, values)


def _of(batch):
    return ffi.from_handle(ffi.cast("void *", batch.bound)) if batch.bound != NULL else {}


def _parameters(batch):
    return array(batch.prm, batch.n, lib.SN_NACTPRM).copy()


def _fill_force(table, main):
    """A gain or a bias: values of a batch of actuators."""
    _bind_actuators(table)

    def fill(name):
        def operation(this, batch, out, scratch):
            n = batch.n
            found = table.result(this, name, _parameters(batch), array(batch.length, n).copy(),
                                 array(batch.velocity, n).copy(), **_of(batch))
            table.put(array(out, n), found, name)
        table.operation(name, operation)
    fill(main)
    for name in ("dvelocity", "dlength"):
        if _has(table, name):
            fill(name)


def _fill_dynamics(table, main, states=1):
    """Activation dynamics: rates of a batch of actuators."""
    _bind_actuators(table)
    table.operation("states", lambda this, prm: states, 0)

    def inputs(batch):
        n = batch.n
        return (_parameters(batch), array(batch.ctrl, n, max(batch.nctrl, 1))[:, 0].copy(),
                array(batch.act, n, states).copy(), array(batch.length, n).copy(),
                array(batch.velocity, n).copy())

    def put(to, batch, found, name):
        if np.size(found) == batch.n * states:   # also in one dimension
            found = np.reshape(found, (batch.n, states))
        table.put(array(to, batch.n, states), found, name)

    def rate(this, batch, out, scratch):
        put(out, batch, table.result(this, main, *inputs(batch), **_of(batch)), main)
    table.operation("rate", rate)
    if _has(table, "advance"):
        def advance(this, batch, rate, h, after, scratch):
            found = table.result(this, "advance", *inputs(batch),
                                 array(rate, batch.n, states).copy(), h, **_of(batch))
            put(after, batch, found, "advance")
        table.operation("advance", advance)
    if _has(table, "reset"):
        def reset(this, batch, act):
            found = table.result(this, "reset", _parameters(batch),
                                 array(batch.length, batch.n).copy(), **_of(batch))
            put(act, batch, found, "reset")
        table.operation("reset", reset)


# ---------------------------------------------------------------- solvers

def _fill_solver(table, main, flags=0):
    table.ops.head.flags |= flags

    def solve(this, problem, solution, scratch):
        from .problems import Problem
        lent = Problem(table, problem)
        try:
            found = table.result(this, main, lent)
        finally:
            lent._lent = None
        if not isinstance(found, (tuple, list)) or len(found) not in (3, 4):
            raise TypeError(f"'{table.name}': a solver returns (qacc, force, state[, iterations]), "
                            f"not {type(found).__name__}")
        table.put(array(solution.qacc, problem.nv), found[0], main)
        table.put(array(solution.force, problem.nefc), found[1], main)
        table.put(array(solution.state, problem.nefc, kind="i4"), found[2], main)
        solution.iterations = found[3] if len(found) > 3 else 1
        return lib.SN_OK
    table.operation("solve", solve)


def _kind(name):
    return ffi.string(getattr(lib, f"SN_KIND_{name}"))


controller = _decorator(
    _kind("CONTROLLER"), "sn_controller_ops", _fill_controller, "control",
    "@controller(name, named=False, states=0): f(m, d, ctrl, qfrc[, state]) writes controls and "
    "adds forces.")
passive = _decorator(
    _kind("PASSIVE"), "sn_passive_ops", _fill_passive, "apply",
    "@passive(name, named=False, internal=False, states=0): f(m, d, qfrc[, state]) adds its force "
    "to qfrc (nv).")
contact = _decorator(
    _kind("CONTACT"), "sn_contact_ops", _fill_contact, "modify",
    "@contact(name, named=False): f(m, d, contacts) changes contacts; see kinds.Contacts.")
sensor = _decorator(
    _kind("SENSOR"), "sn_sensor_ops", _fill_sensor, "evaluate",
    "@sensor(name, dim=1, stage=..., objects=..., states=0): f(m, d, objid, refid[, state]) "
    "returns the values.")
dynamics = _decorator(
    _kind("DYNAMICS"), "sn_dynamics_ops", _fill_dynamics, "rate",
    "@dynamics(name, states=1): f(prm, ctrl, act, length, velocity) returns the rates (n, states) "
    "of the activations of a batch of actuators.")
gain = _decorator(
    _kind("GAIN"), "sn_force_ops", _fill_force, "value",
    "@gain(name): f(prm, length, velocity) returns the gains of a batch of actuators.")
bias = _decorator(
    _kind("BIAS"), "sn_force_ops", _fill_force, "value",
    "@bias(name): f(prm, length, velocity) returns the biases of a batch of actuators.")
solver = _decorator(
    _kind("SOLVER"), "sn_solver_ops", _fill_solver, "solve",
    "@solver(name): f(problem) returns (qacc, force, state[, iterations]).")
