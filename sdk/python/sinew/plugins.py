# SPDX-License-Identifier: Apache-2.0
"""Plugins that are written in Python: to try things out, as each call costs microseconds.

    @sinew.controller("balance")
    def balance(m, d, ctrl, qfrc, *, gain=10.0):
        ctrl[0] = -gain * d.qpos[1] - d.qvel[1]

A plugin is a function, for the main operation of its kind, or a class whose methods are operations
and whose __init__ has the parameters. Parameters of the main operation that can only be given by
name are attributes, which a model sets. Functions get a model and a simulation to read. What they
get to write (ctrl, qfrc ...) is copied back when they return. A model, a simulation or a problem
that is kept raises an error afterwards. An exception ends the step; d.step() raises it again, with
its traceback. Results must depend on the arguments only. kinds.py has the kinds.
"""

from __future__ import annotations

import functools
import inspect
import sys
from typing import Optional

import numpy as np

from . import engine as engines
from . import data as simulations
from . import fields, names, settings
from ._library import (NULL, InvalidError, NotFound, entries, ffi, keep_early_exception,
                       keep_exception, lib, on_error, take_exceptions, text)

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


class Call:
    """A call of a plugin: what it lends ends with it."""

    def __init__(self, view=None):
        self.lent, self.pointers = [], []
        if view is not None:
            self.lend(PluginData(view.model.model, view.data))

    def lend(self, data):
        """Lends a simulation and its model."""
        self.d, self.m = data, data.model
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

    def _view(self, name, row, writable):
        made = fields.copied(*self._look_up(name, row), fields.DTYPES[row[0]])
        made.setflags(write=False)
        return made


class PluginModel(_Read, fields.ModelFields, names.ModelNames):
    """The model that a plugin gets. Its arrays are copies."""

    def __init__(self, pointer):
        self._owner = _Pointer(pointer)

    def _look_up(self, name, row):
        return fields.look_up(lib.sn_model_field, self._owner.pointer, name=name, row=row)

    @property
    def name(self) -> str:
        """Its name; "" if it has none."""
        return text(lib.sn_model_name(self._owner.pointer))

    @property
    def opt(self) -> settings.Settings:
        """Options, to read: m.opt.timestep, m.opt.gravity ..."""
        return settings.settings_of(self._owner, "model", "option")

    @property
    def stat(self) -> settings.Settings:
        """Statistics."""
        return settings.settings_of(self._owner, "model", "statistic")

    def __repr__(self):
        return "<the sinew.Model of a plugin's call>"


class PluginData(_Read, fields.DataFields, names.DataNames):
    """The simulation that a plugin gets. Its arrays are copies."""

    def __init__(self, model, data):
        self._owner = _Pointer(data)
        self._model = PluginModel(model)

    @property
    def model(self) -> PluginModel:
        """The model."""
        return self._model

    @property
    def contacts(self) -> np.ndarray:
        """The contacts as a structured array, as Data.contacts."""
        return simulations.contacts(self._look_up)

    @property
    def warnings(self) -> dict[str, int]:
        """Warnings since the last reset."""
        return simulations.warning_counts(self._owner.pointer)

    def _look_up(self, name, row):
        return fields.look_up(lib.sn_data_field, self._model._owner.pointer, self._owner.pointer,
                              name=name, row=row)

    def _copy(self, name, row):
        return self._view(name, row, False)

    def __repr__(self):
        return "<the sinew.Data of a plugin's call>"


class FeedbackData(PluginData):
    """The simulation that the feedback of a rollout gets. What is written to its inputs (ctrl,
    qfrc_applied, mocap_pos ...) is copied back."""

    def __init__(self, model, data, call):
        super().__init__(model, data)
        self._call = call
        call.lend(self)

    def _view(self, name, row, writable):
        if "input" not in row[3]:
            return super()._view(name, row, writable)
        pointer, shape = self._look_up(name, row)
        return self._call.array(pointer, *shape, kind=fields.DTYPES[row[0]])


def array(pointer, *shape, kind="f8"):
    """Memory of the caller as an array, valid during the call."""
    if pointer == NULL or 0 in shape:
        return np.zeros(shape, kind)
    size = int(np.prod(shape)) * np.dtype(kind).itemsize
    return np.frombuffer(ffi.buffer(pointer, size), kind).reshape(shape)


# ---------------------------------------------------------------- operation tables

class Table:
    """An operation table, its callbacks and its instances."""

    def __init__(self, kind, struct, name, target, flags=0, summary=None):
        self.kind, self.name, self.target = kind, name, target
        self.keep, self.instances = [], {}
        self.bound = {}   # { handle: (address of a model, what `bind` keeps for it) }
        self.ops = ffi.new(f"{struct} *")
        head = self.ops.head
        head.size, head.flags = ffi.sizeof(struct), flags
        head.summary = self.string(summary or (inspect.getdoc(target) or name).splitlines()[0])
        self.parameters = self._parameters()
        head.params = self.params(self.parameters)
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

    def params(self, parameters):
        """The declaration of parameters or attributes with these defaults."""
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
            elif isinstance(default, Reference):
                kind, word = lib.SN_PARAM_REFERENCE, default.name
                entry.choices = self.string(default.kinds)
            if kind in (lib.SN_PARAM_REAL, lib.SN_PARAM_REALS):
                entry.min, entry.max = -sys.float_info.max, sys.float_info.max
            elif kind == lib.SN_PARAM_INT:
                entry.min, entry.max = -2.0 ** 53, 2.0 ** 53
            entry.name, entry.default_value = self.string(name), self.string(word)
            entry.summary, entry.type = self.string(f"{name} of {self.name}"), kind
        return made

    def _callback(self, signature, function, failed, keep=keep_exception):
        """A C function that keeps the exceptions of a Python function, and returns `failed`."""
        def guarded(*arguments):
            result = function(*arguments)
            return lib.SN_OK if result is None and failed is not None else result
        made = ffi.callback(signature, guarded, onerror=on_error(keep),
                            **{} if failed is None else {"error": failed})
        self.keep.append(made)
        return made

    def operation(self, name, function, failed=EPLUGIN):
        """Fills an operation of the table, whose type is that of its member. A rollout resets its
        simulation before its first step."""
        kind = dict(ffi.typeof(self.ops[0]).fields)[name].type
        def keep(error):
            if name == "reset":
                keep_early_exception(error, self.models())
            else:
                keep_exception(error)
        setattr(self.ops, name, self._callback(kind, function, failed, keep))

    def models(self):
        """The addresses of the models that it is bound to."""
        return frozenset(model for model, _ in self.bound.values())

    def _create(self, host, values, out, error):
        instance = self.target
        if inspect.isclass(self.target):
            instance = self.target(**given(values, self.parameters))
        handle = ffi.new_handle(instance)
        self.instances[handle] = instance
        out[0] = handle

    def _destroy(self, pointer):
        for handle in [h for h in self.instances if ffi.cast("void *", h) == pointer]:
            del self.instances[handle]

    def method(self, name):
        """The Python function of an operation; None: the class has none."""
        return getattr(self.target, name, None) if inspect.isclass(self.target) else self.target

    def call(self, pointer, name, *arguments, **attributes):
        """Calls a method of the instance, or the function, with those attributes that it takes."""
        instance = ffi.from_handle(pointer)
        function = getattr(instance, name) if inspect.isclass(self.target) else instance
        takes = _attributes(self.method(name))
        return function(*arguments, **{key: value for key, value in attributes.items()
                                       if key in takes})

    def result(self, pointer, name, *arguments, **attributes):
        """The same for a method that must return something."""
        found = self.call(pointer, name, *arguments, **attributes)
        if found is None:
            raise TypeError(f"{self._where(name)} returned nothing; is a 'return' missing?")
        return found

    def put(self, to, found, name):
        """Writes what a method has returned to an array."""
        try:
            to[...] = found
        except (TypeError, ValueError) as error:
            raise type(error)(f"{self._where(name)} returned numbers of shape {np.shape(found)}; "
                              f"{to.shape} is needed ({error})") from None

    def _where(self, name):
        function = self.method(name)
        return f"'{self.name}': {getattr(function, '__qualname__', name)}"


@functools.lru_cache(maxsize=None)
def _attributes(function):
    """{ name: default } of the parameters of a function that can only be given by name."""
    if function is None:
        return {}
    found = {}
    for name, parameter in inspect.signature(function).parameters.items():
        if parameter.kind is parameter.KEYWORD_ONLY:
            if parameter.default is parameter.empty:
                raise InvalidError(f"the attribute '{name}' needs a default")
            found[name] = parameter.default
    return found


def given(values, parameters):
    """The values of parameters or attributes that the host passes, by name."""
    found = {}
    for value, (name, default) in zip(values[0:len(parameters)] if parameters else (),
                                      parameters.items()):
        if isinstance(default, bool):
            found[name] = bool(value.integer)
        elif isinstance(default, (int, Reference)):
            found[name] = value.integer
        elif isinstance(default, float):
            found[name] = value.real
        elif isinstance(default, (list, tuple, np.ndarray)):
            found[name] = np.array(ffi.unpack(value.reals, value.n))
        else:
            found[name] = text(value.text)
    return found


class Reference:
    """The default of an attribute that names an element: the function gets its id, -1 for none.
    kinds: "site|body"."""

    def __init__(self, kinds: str, name: str = ""):
        self.kinds, self.name = kinds, name


def check(name: str, kind: Optional[str] = None, engine: Optional[engines.Engine] = None
          ) -> list[tuple[str, Optional[bool], str]]:
    """Judges a provider with the conformance kit, as `sinew plugins check` does.

    Returns a list of (requirement, result, detail), where the result is True, False, or None for
    what was not tested; raises AssertionError with the failures. name: of a provider of the engine;
    kind, such as "solver", where several kinds have one of that name.
    """
    engine = engine or engines.current()
    chosen = [info for info in entries(lib.sn_engine_provider, "sn_provider_info",
                                       engine._owner.pointer)
              if text(info.name) == name and (kind is None or f".{kind}/" in text(info.kind))]
    if not chosen:
        raise NotFound(f"no provider has the name '{name}'" + (f" and the kind '{kind}'" if kind
                                                              else ""), "SN_ENOTFOUND")
    if len(chosen) > 1:
        kinds = ", ".join(text(info.kind) for info in chosen)
        raise InvalidError(f"{len(chosen)} providers have the name '{name}'; give a kind: {kinds}")
    findings = []

    @ffi.callback("py_finding", onerror=on_error())
    def report(context, requirement, result, detail):
        findings.append((text(requirement), (True, False, None)[result], text(detail)))

    lib.py_check(engine._owner.pointer, chosen[0], report, NULL)
    errors = take_exceptions(executors=True)
    for error in errors:
        if isinstance(error, KeyboardInterrupt):
            raise error
    failed = [f"{requirement}: {detail}" for requirement, result, detail in findings
              if result is False]
    if failed:
        raise AssertionError(f"{name}: " + "; ".join(failed)) from (errors[0] if errors else None)
    return findings
