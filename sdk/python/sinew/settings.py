# SPDX-License-Identifier: Apache-2.0
"""Settings structs (options, compiler, statistic, visual) as objects with attributes."""

import contextlib
import operator

import numpy as np

from . import _tables
from ._library import InvalidError, encode, ffi, lib, similar, structure, text
from .fields import index, integers, put_reals, reals

UNLOCKED = contextlib.nullcontext()


class _Attribute:
    """Where a value belongs: an attribute of an element of a spec, or of settings."""

    def __init__(self, owner, kind, name):
        self.owner, self.key, self.lock = owner, name, owner._lock
        self.name = f"{kind}.{name}"

    def read(self):
        return getattr(self.owner, self.key)

    def store(self, value):
        setattr(self.owner, self.key, value)


class _Item:
    """Where a value belongs: an item of a list or a dict that belongs somewhere itself."""

    def __init__(self, owner, key):
        self.owner, self.key, self.lock = owner, key, owner._place.lock
        self.name = f"{owner._place.name}[{key!r}]"

    def read(self):
        try:
            return _present(self.owner)[self.key]
        except LookupError:
            return None

    def store(self, value):
        self.owner[self.key] = value


def _present(known):
    """The present value of what was read earlier: changes start from this, so that they keep what
    was changed in another way in between. An item of a list must still be the same one."""
    place = known._place
    now = place.read()
    if (type(now) is not type(known)
            or getattr(now, "shape", None) != getattr(known, "shape", None)
            or isinstance(place.owner, list) and now != known):
        raise InvalidError(f"{place.name}: it has changed since it was read; read it again")
    return now


class _Array(np.ndarray):
    """Numbers of a setting or of an element of a spec: assigning to an item changes them there."""

    def __array_finalize__(self, origin):
        self._place = None

    def __setitem__(self, key, value):
        place = self._place
        if place is None:   # computed from one, or a part of one
            if not self.flags.writeable:
                raise ValueError("this is a part of an array; assign to the array itself")
            np.ndarray.__setitem__(self, key, value)
            return
        value = (integers if self.dtype.kind == "i" else reals)(value, place.name)
        with place.lock:
            changed = np.array(_present(self))
            changed[key] = value
            place.store(changed)
        self.setflags(write=True)
        np.ndarray.__setitem__(self, ..., changed)
        self.setflags(write=False)


def _in_place(function):
    def change(self, other):
        now = self if self._place is None else _present(self)
        self[...] = function(np.array(now), other)
        return self
    return change


for _name in ("add", "sub", "mul", "truediv"):
    setattr(_Array, f"__i{_name}__", _in_place(getattr(operator, _name)))


def _storing(method):
    """A method of a list or a dict that changes a copy, which is then stored, first."""
    def change(self, *arguments, **named):
        place = self._place
        with place.lock:
            changed = self.plain(_present(self))
            result = method(changed, *arguments, **named)
            place.store(changed)
            now = place.read()
        self._take(now if type(now) is type(self) else changed)
        return self if result is changed else result
    return change


def _storing_all(kind, names):
    """A class whose methods of these names store what they have changed."""
    for name in names.split():
        if hasattr(kind.plain, name):
            setattr(kind, name, _storing(getattr(kind.plain, name)))
    return kind


class _Values:
    """Values of an element of a spec: changing them changes the element."""

    def __init__(self, values, place):
        self._place = place
        self._take(values)

    def __reduce__(self):   # copies are values of their own
        return self.plain, (self.plain(self),)


class _List(_Values, list):
    plain = list

    def _take(self, values):
        list.__setitem__(self, slice(None), [_placed(value, _Item(self, index))
                                             for index, value in enumerate(values)])


class _Dict(_Values, dict):
    plain = dict

    def _take(self, values):
        made = {key: _placed(value, _Item(self, key)) for key, value in values.items()}
        dict.clear(self)
        dict.update(self, made)


_storing_all(_List, "__setitem__ __delitem__ __iadd__ __imul__ append clear extend insert pop "
                    "remove reverse sort")
_storing_all(_Dict, "__setitem__ __delitem__ __ior__ clear pop popitem setdefault update")


def _placed(value, place):
    if isinstance(value, (list, dict)):
        return (_List if isinstance(value, list) else _Dict)(value, place)
    if not isinstance(value, np.ndarray):
        return value
    array = np.array(value).view(_Array)
    array._place = place
    array.setflags(write=False)
    return array


def stored(value, owner, kind, name):
    """The value of an attribute, of which items can be assigned to: this sets the attribute.
    Arrays, lists and dicts, also within each other; other values as they are."""
    return _placed(value, _Attribute(owner, kind, name))


class Settings:
    """One struct of settings. Reading an attribute asks the library; setting one changes it there.

    Integers that are a choice can be set by the word that MJCF has for it (cone = "elliptic").
    """

    __slots__ = ("_kind", "_get", "_set", "_parse", "_lock")

    def __init__(self, kind, get, put, parse=None, lock=UNLOCKED):
        for name, value in zip(Settings.__slots__, (kind, get, put, parse, lock)):
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
        return stored(np.array(list(value)), self, self._kind, name)

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


def settings_of(owner, whose, kind, put=None, parse=None, lock=UNLOCKED):
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
    return Settings(kind, get, store, parse if put else store, lock)
