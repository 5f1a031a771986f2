# SPDX-License-Identifier: Apache-2.0
"""Plugins that are written in Python: to try things out, as each call costs microseconds.

    @sinew.controller("balance")
    def balance(m, d, ctrl, qfrc):
        ctrl[0] = -10 * d.qpos[1] - d.qvel[1]

A plugin is a function, for the main operation of its kind, or a class whose methods are operations
and whose __init__ has the parameters. Functions get a model and a simulation to read. What they get
to write (ctrl, qfrc ...) is copied back when they return. A model, a simulation or a problem that
is kept raises an error afterwards. An exception ends the step; d.step() raises it again, with its
traceback. Results must depend on the arguments only.
"""

import inspect
import sys

import numpy as np

from . import engine as engines
from . import fields, names
from ._library import InvalidError, ffi, keep_exception, lib, structure, text

EPLUGIN = lib.SN_EPLUGIN


class _Pointer:
    """What stands for an owner: memory of the caller of a plugin, until the plugin returns."""

    __slots__ = ("_pointer",)

    def __init__(self, pointer):
        self._pointer = pointer

    @property
    def pointer(self):
        if self._pointer is None:
            raise InvalidError("the arguments of a plugin are valid during its call only")
        return self._pointer


class _Call:
    """A call of a plugin: what it lends ends with it."""

    def __init__(self, view=None):
        self.lent, self.pointers = [], []
        if view is not None:
            self.d = PluginData(view)
            self.m = self.d.model
            self.pointers += [self.d._owner, self.m._owner]

    def array(self, pointer, *shape, kind="f8"):
        """A copy of memory of the caller, which is copied back at the end of the call."""
        memory = array(pointer, *shape, kind=kind)
        self.lent.append((memory, memory.copy()))
        return self.lent[-1][1]

    def __enter__(self):
        return self

    def __exit__(self, failed, *_):
        for pointer in self.pointers:
            pointer._pointer = None
        if failed is None:
            for memory, changed in self.lent:
                memory[...] = changed
        return False


class _Read:
    """Arrays of a plugin's arguments are copies: the memory is valid during the call only."""

    def _read(self, function, name, row, *arguments):
        found = structure("sn_view")
        function(*arguments, name.encode(), found)
        shape = (found.rows,) if row[2] == "1" else (found.rows, found.cols)
        made = np.empty(shape, fields.DTYPES[row[0]])
        if made.size:
            ffi.memmove(ffi.from_buffer(made, require_writable=True), found.p, made.nbytes)
        made.setflags(write=False)
        return made


class PluginModel(_Read, fields.ModelFields, names.ModelNames):
    """The model that a plugin gets. Its arrays are copies."""

    def __init__(self, pointer):
        self._owner = _Pointer(pointer)

    def _view(self, name, row, writable):
        return self._read(lib.sn_model_field, name, row, self._owner.pointer)

    def option(self, name):
        """An option, such as "timestep" or "gravity"."""
        option = structure("sn_option")
        lib.sn_model_get_option(self._owner.pointer, option)
        value = getattr(option, name)
        return np.array(list(value)) if isinstance(value, ffi.CData) else value


class PluginData(_Read, fields.DataFields, names.DataNames):
    """The simulation that a plugin gets. Its arrays are copies."""

    def __init__(self, view):
        self._owner = _Pointer(view.data)
        self._model = PluginModel(view.model.model)

    @property
    def model(self):
        """The model."""
        return self._model

    def _view(self, name, row, writable):
        return self._read(lib.sn_data_field, name, row, self._model._owner.pointer,
                          self._owner.pointer)

    def _copy(self, name, row):
        return self._view(name, row, False)


def array(pointer, *shape, kind="f8"):
    """Memory of the caller as an array, valid during the call."""
    if pointer == ffi.NULL or 0 in shape:
        return np.zeros(shape, kind)
    size = int(np.prod(shape)) * np.dtype(kind).itemsize
    return np.frombuffer(ffi.buffer(pointer, size), kind).reshape(shape)


# ---------------------------------------------------------------- operation tables

class Table:
    """An operation table, its callbacks and its instances."""

    def __init__(self, kind, struct, name, target, flags=0, summary=None):
        self.kind, self.name, self.target = kind, name, target
        self.keep, self.instances = [], {}
        self.ops = ffi.new(f"{struct} *")
        head = self.ops.head
        head.size, head.flags = ffi.sizeof(struct), flags
        head.summary = self.string(summary or (inspect.getdoc(target) or name).splitlines()[0])
        self.parameters = self._parameters()
        head.params = self._params(self.parameters)
        members = dict(ffi.typeof("sn_ops").fields)
        head.create = self._callback(members["create"].type, self._create, EPLUGIN)
        head.destroy = self._callback(members["destroy"].type, self._destroy, None)

    def string(self, word):
        made = ffi.new("char[]", str(word).encode())
        self.keep.append(made)
        return made

    def _parameters(self):
        if not inspect.isclass(self.target):
            return {}
        signature = inspect.signature(self.target)
        for name, parameter in signature.parameters.items():
            if parameter.default is parameter.empty:
                raise InvalidError(f"{self.name}: the parameter '{name}' needs a default")
        return {name: p.default for name, p in signature.parameters.items()}

    def _params(self, parameters):
        made = ffi.new("sn_param[]", len(parameters) + 1)
        self.keep.append(made)
        for entry, (name, default) in zip(made, parameters.items()):
            kind, word = lib.SN_PARAM_TEXT, str(default)
            if isinstance(default, bool):
                kind, word = lib.SN_PARAM_BOOL, "true" if default else "false"
            elif isinstance(default, int):
                kind = lib.SN_PARAM_INT
            elif isinstance(default, float):
                kind, word = lib.SN_PARAM_REAL, repr(default)
            elif isinstance(default, (list, tuple, np.ndarray)):
                kind, word = lib.SN_PARAM_REALS, " ".join(repr(float(x)) for x in default)
            if kind in (lib.SN_PARAM_REAL, lib.SN_PARAM_REALS):
                entry.min, entry.max = -sys.float_info.max, sys.float_info.max
            elif kind == lib.SN_PARAM_INT:
                entry.min, entry.max = -2.0 ** 53, 2.0 ** 53
            entry.name, entry.default_value = self.string(name), self.string(word)
            entry.summary, entry.type = self.string(f"{name} of {self.name}"), kind
        return made

    def _callback(self, signature, function, failed):
        """A C function that keeps the exceptions of a Python function, and returns `failed`."""
        def guarded(*arguments):
            try:
                result = function(*arguments)
                return lib.SN_OK if result is None and failed is not None else result
            except BaseException as error:
                keep_exception(error)
                return failed
        made = ffi.callback(signature, guarded)
        self.keep.append(made)
        return made

    def operation(self, name, function, failed=EPLUGIN):
        """Fills an operation of the table, whose type is that of its member."""
        kind = dict(ffi.typeof(self.ops[0]).fields)[name].type
        setattr(self.ops, name, self._callback(kind, function, failed))

    def _create(self, host, values, out, error):
        if inspect.isclass(self.target):
            given = {}
            for value, (name, default) in zip(values[0:max(len(self.parameters), 1)],
                                              self.parameters.items()):
                if isinstance(default, bool):
                    given[name] = bool(value.integer)
                elif isinstance(default, int):
                    given[name] = value.integer
                elif isinstance(default, float):
                    given[name] = value.real
                elif isinstance(default, (list, tuple, np.ndarray)):
                    given[name] = np.array(ffi.unpack(value.reals, value.n))
                else:
                    given[name] = text(value.text)
            instance = self.target(**given)
        else:
            instance = self.target
        handle = ffi.new_handle(instance)
        self.instances[handle] = instance
        out[0] = handle

    def _destroy(self, pointer):
        for handle in [h for h in self.instances if ffi.cast("void *", h) == pointer]:
            del self.instances[handle]

    def call(self, pointer, name, *arguments):
        """Calls a method of the instance, or the function."""
        instance = ffi.from_handle(pointer)
        if not inspect.isclass(self.target):
            return instance(*arguments)
        return getattr(instance, name)(*arguments)


def _decorator(kind, struct, fill, main):
    def register(name, engine=None, **settings):
        def decorate(target):
            if inspect.isclass(target) and not hasattr(target, main):
                raise InvalidError(f"{name}: the class needs a method '{main}'")
            table = Table(kind, struct, name, target, summary=settings.pop("summary", None))
            fill(table, main, **settings)
            if engine is None:
                engines.register(kind, name, table)
            else:
                engine.add((kind, name, table))
            return target
        return decorate
    return register


def _named(table, named, flag):
    if named:
        table.ops.head.flags |= flag


def _bind(table):
    """Functions look names up themselves; `bound` must only not be NULL."""
    def bind(self, model, values, out, error):
        out[0] = ffi.cast("void *", 1)
    table.operation("bind", bind)
    table.operation("unbind", lambda self, bound: None, None)


# ---------------------------------------------------------------- the kinds

def _fill_controller(table, main, named=False):
    _named(table, named, lib.SN_CONTROLLER_NAMED)
    _bind(table)

    def control(self, bound, view, state, controls, scratch):
        with _Call(view) as c:
            table.call(self, main, c.m, c.d, c.array(controls.ctrl, c.m.nu),
                       c.array(controls.qfrc, c.m.nv))
    table.operation("control", control)


def _fill_passive(table, main, named=False, internal=False):
    _named(table, named, lib.SN_PASSIVE_NAMED)
    _named(table, internal, lib.SN_PASSIVE_INTERNAL)
    _bind(table)

    def apply(self, bound, view, state, qfrc, scratch):
        with _Call(view) as c:
            table.call(self, main, c.m, c.d, c.array(qfrc, c.m.nv))
    table.operation("apply", apply)


CONTACT_FIELDS = {"geom1": (1, "i4"), "geom2": (1, "i4"), "pos": (3, "f8"), "frame": (9, "f8"),
                  "dist": (1, "f8"), "margin": (1, "f8"), "friction": (5, "f8"),
                  "solref": (2, "f8"), "solimp": (5, "f8"), "dim": (1, "i4"),
                  "velocity": (5, "f8"), "keep": (1, "i4"), "restitution": (1, "f8")}
CONTACT_INPUTS = ("geom1", "geom2", "pos", "frame", "dist")


class Contacts:
    """All contacts of an evaluation: arrays with a row for each, of which margin, friction, solref,
    solimp, dim, velocity, keep and restitution may be changed; see sinew/contact.h."""

    def __init__(self, call, contacts):
        self.n = contacts.n
        for name, (columns, kind) in CONTACT_FIELDS.items():
            shape = (self.n,) if columns == 1 else (self.n, columns)
            if name in CONTACT_INPUTS:
                made = array(getattr(contacts, name), *shape, kind=kind).copy()
                made.setflags(write=False)
            else:
                made = call.array(getattr(contacts, name), *shape, kind=kind)
            setattr(self, name, made)


def _fill_contact(table, main, named=False):
    _named(table, named, lib.SN_CONTACT_NAMED)
    _bind(table)

    def modify(self, bound, view, contacts, scratch):
        with _Call(view) as c:
            table.call(self, main, c.m, c.d, Contacts(c, contacts))
    table.operation("modify", modify)


def _fill_sensor(table, main, dim=1, stage="position", datatype="real", objects="",
                 references="", needs=""):
    from . import enums
    ops = table.ops
    ops.stage, ops.dim = enums.number("STAGE", stage), dim
    ops.datatype = enums.number("DATA", datatype)
    ops.objects, ops.references = table.string(objects), table.string(references)
    ops.needs = table.string(needs)
    bound_sensors = {}

    def bind(self, model, n, sensors, out, error):
        handle = ffi.new_handle([(s.objid, s.refid, s.adr, s.dim) for s in sensors[0:n]])
        bound_sensors[handle] = True
        out[0] = handle

    def unbind(self, bound):
        for handle in [h for h in bound_sensors if ffi.cast("void *", h) == bound]:
            del bound_sensors[handle]

    def evaluate(self, bound, view, state, sensordata, scratch):
        with _Call(view) as c:
            for objid, refid, adr, size in ffi.from_handle(bound):
                values = table.call(self, main, c.m, c.d, objid, refid)
                array(sensordata + adr, size)[:] = values
    table.operation("bind", bind)
    table.operation("unbind", unbind, None)
    table.operation("evaluate", evaluate)


def _fill_force(table, main):
    """A gain or a bias: values of a batch of actuators."""
    def value(self, batch, out, scratch):
        n = batch.n
        array(out, n)[:] = table.call(self, main, array(batch.prm, n, lib.SN_NACTPRM).copy(),
                                      array(batch.length, n).copy(),
                                      array(batch.velocity, n).copy())
    table.operation("value", value)


def _fill_solver(table, main, flags=0):
    table.ops.head.flags |= flags

    def solve(self, problem, solution, scratch):
        from .problems import Problem
        given = Problem(table, problem)
        try:
            found = table.call(self, main, given)
        finally:
            given._lent = None
        qacc, force, state = found[:3]
        array(solution.qacc, problem.nv)[:] = qacc
        array(solution.force, problem.nefc)[:] = force
        array(solution.state, problem.nefc, kind="i4")[:] = state
        solution.iterations = found[3] if len(found) > 3 else 1
        return lib.SN_OK
    table.operation("solve", solve)


def _kind(name):
    return ffi.string(getattr(lib, f"SN_KIND_{name}"))


controller = _decorator(_kind("CONTROLLER"), "sn_controller_ops", _fill_controller, "control")
passive = _decorator(_kind("PASSIVE"), "sn_passive_ops", _fill_passive, "apply")
contact = _decorator(_kind("CONTACT"), "sn_contact_ops", _fill_contact, "modify")
sensor = _decorator(_kind("SENSOR"), "sn_sensor_ops", _fill_sensor, "evaluate")
gain = _decorator(_kind("GAIN"), "sn_force_ops", _fill_force, "value")
bias = _decorator(_kind("BIAS"), "sn_force_ops", _fill_force, "value")
solver = _decorator(_kind("SOLVER"), "sn_solver_ops", _fill_solver, "solve")
controller.__doc__ = "@controller(name): f(m, d, ctrl, qfrc) writes controls and adds forces."
passive.__doc__ = "@passive(name): f(m, d, qfrc) adds its force to qfrc (nv)."
contact.__doc__ = "@contact(name): f(m, d, contacts) changes contacts; see Contacts."
sensor.__doc__ = "@sensor(name, dim=1, stage=...): f(m, d, objid, refid) returns the values."
gain.__doc__ = "@gain(name): f(prm, length, velocity) returns the gains of a batch of actuators."
bias.__doc__ = "@bias(name): f(prm, length, velocity) returns the biases of a batch of actuators."
solver.__doc__ = "@solver(name): f(problem) returns (qacc, force, state[, iterations])."


def check(name, kind=None, engine=None):
    """Judges a provider with the conformance kit, as `sinew plugins check` does.

    Returns a list of (requirement, result, detail), where the result is True, False, or None for
    what was not tested; raises AssertionError with the failures. name: of a provider of the engine;
    kind, such as "solver", where several kinds have one of that name.
    """
    engine = engine or engines.current()
    from ._library import entries, raised
    chosen = [info for info in entries(lib.sn_engine_provider, "sn_provider_info",
                                       engine._owner.pointer)
              if text(info.name) == name and (kind is None or f".{kind}/" in text(info.kind))]
    if len(chosen) != 1:
        raise InvalidError(f"{len(chosen)} providers have the name '{name}'"
                           + ("" if kind else "; give its kind"))
    findings = []

    @ffi.callback("py_finding")
    def report(context, requirement, result, detail):
        findings.append((text(requirement), (True, False, None)[result], text(detail)))

    lib.py_check(engine._owner.pointer, chosen[0], report, ffi.NULL)
    lib.py_raised = 0
    errors = list(raised)
    raised.clear()
    failed = [f"{requirement}: {detail}" for requirement, result, detail in findings
              if result is False]
    if failed:
        raise AssertionError(f"{name}: " + "; ".join(failed)) from (errors[0] if errors else None)
    return findings
