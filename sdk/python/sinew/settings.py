# SPDX-License-Identifier: Apache-2.0
"""Settings structs (options, compiler, statistic, visual) as objects with attributes."""

import contextlib
import operator

import numpy as np

from . import _tables
from ._library import InvalidError, encode, ffi, lib, similar, structure, text
from .fields import index, integers, put_reals, reals


class _Array(np.ndarray):
    """Numbers of a setting or of an element of a spec: assigning to an item changes them there."""

    def __array_finalize__(self, origin):
        self._store = None

    def __setitem__(self, key, value):
        if self._store is None:   # computed from one, or a part of one
            if not self.flags.writeable:
                raise ValueError("this is a part of an array; assign to the array itself")
            np.ndarray.__setitem__(self, key, value)
            return
        value = (integers if self.dtype.kind == "i" else reals)(value, "array")
        changed = np.array(self)
        changed[key] = value
        self._store(changed)
        self.setflags(write=True)
        np.ndarray.__setitem__(self, key, value)
        self.setflags(write=False)


def _in_place(function):
    def change(self, other):
        self[...] = function(np.array(self), other)
        return self
    return change


for _name in ("add", "sub", "mul", "truediv"):
    setattr(_Array, f"__i{_name}__", _in_place(getattr(operator, _name)))


def _storing(method):
    """A method of a list or a dict that changes a copy, which is then stored, first."""
    def change(self, *arguments, **named):
        changed = self.plain(self)
        result = method(changed, *arguments, **named)
        self._store(changed)
        self._take(changed)
        return self if result is changed else result
    return change


def _storing_all(kind, names):
    """A class whose methods of these names store what they have changed."""
    for name in names.split():
        if hasattr(kind.plain, name):
            setattr(kind, name, _storing(getattr(kind.plain, name)))
    return kind


class _List(list):
    """Values of an element of a spec: changing them changes the element."""

    plain = list

    def __init__(self, values, store):
        self._store = store
        self._take(values)

    def _take(self, values):
        def part(index, value):
            return stored(value, lambda changed: self.__setitem__(index, changed))
        list.__setitem__(self, slice(None), [part(*pair) for pair in enumerate(values)])

    def __reduce__(self):   # copies are values of their own
        return list, (list(self),)


class _Dict(dict):
    """The same for a dict."""

    plain = dict

    def __init__(self, values, store):
        self._store = store
        self._take(values)

    def _take(self, values):
        def part(key, value):
            return stored(value, lambda changed: self.__setitem__(key, changed))
        dict.clear(self)
        dict.update(self, {key: part(key, value) for key, value in values.items()})

    def __reduce__(self):
        return dict, (dict(self),)


_storing_all(_List, "__setitem__ __delitem__ __iadd__ __imul__ append clear extend insert pop "
                    "remove reverse sort")
_storing_all(_Dict, "__setitem__ __delitem__ __ior__ clear pop popitem setdefault update")


def stored(value, store):
    """A value of which items can be assigned to: then store(changed value) is called. Arrays, lists
    and dicts, also within each other; other values as they are."""
    if isinstance(value, (list, dict)):
        return (_List if isinstance(value, list) else _Dict)(value, store)
    if not isinstance(value, np.ndarray):
        return value
    array = np.array(value).view(_Array)
    array._store = store
    array.setflags(write=False)
    return array


class Settings:
    """One struct of settings. Reading an attribute asks the library; setting one changes it there.

    Integers that are a choice can be set by the word that MJCF has for it (cone = "elliptic").
    """

    __slots__ = ("_kind", "_get", "_set", "_parse")

    def __init__(self, kind, get, put, parse=None):
        for name, value in zip(Settings.__slots__, (kind, get, put, parse)):
            object.__setattr__(self, name, value)

    def __reduce__(self):
        raise TypeError(f"the {self._kind} settings belong to a model or a spec; copy that, or "
                        "take their values with to_dict()")

    def _row(self, name):
        try:
            return _tables.SETTINGS[self._kind][name]
        except KeyError:
            raise AttributeError(f"{self._kind} has no '{name}'"
                                 + similar(name, _tables.SETTINGS[self._kind])) from None

    def __getattr__(self, name):
        letter, _ = self._row(name)
        settings = self._get()   # owns the memory of its members
        value = getattr(settings, name)
        if letter == "T":
            return text(value)
        if not isinstance(value, ffi.CData):
            return value
        return stored(np.array(list(value)), lambda changed: setattr(self, name, changed))

    def __setattr__(self, name, value):
        letter, _ = self._row(name)
        if letter == "I" and isinstance(value, str):
            if self._parse is None:
                raise InvalidError(f"{self._kind}.{name}: an integer is needed, got '{value}'")
            self._parse(name, value)
            return
        changed = self._get()
        if letter == "T":
            word = encode(value)
            if len(word) >= len(getattr(changed, name)):
                raise InvalidError(f"{self._kind}.{name}: '{value}' is too long")
            setattr(changed, name, word)
        elif letter == "I":
            setattr(changed, name, index(value, f"{self._kind}.{name}"))
        else:
            put_reals(changed, name, value, f"{self._kind}.{name}")
        self._set(changed)

    def to_dict(self):
        """All settings, by name."""
        return {name: getattr(self, name) if letter != "R" else
                np.array(getattr(self, name)).tolist()
                for name, (letter, _) in _tables.SETTINGS[self._kind].items()}

    def __dir__(self):
        return ["to_dict", *_tables.SETTINGS[self._kind]]

    def __repr__(self):
        return f"<{self._kind}: {self.to_dict()}>"


def settings_of(owner, whose, kind, put=None, parse=None, lock=contextlib.nullcontext()):
    """The settings of a "model" or a "spec". put: the function that sets them; None: they are
    read-only."""
    def get():
        made = structure(f"sn_{kind}")
        with lock:
            getattr(lib, f"sn_{whose}_get_{kind}")(owner.pointer, made)
        return made

    def store(changed, *_):
        if put is None:
            raise AttributeError(f"the {kind} settings of this {whose} are read-only")
        put(changed)
    return Settings(kind, get, store, parse if put else store)
