# SPDX-License-Identifier: Apache-2.0
"""Arrays of models and simulations, and the attributes that give access to them.

An array of constant size is a view of the library's memory, made at the first access and kept:
later accesses cost an attribute. It keeps the memory alive by itself. What changes its address with
each step (contacts, constraint rows) is copied at each access, so that no array can dangle.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

import numpy as np

from . import _tables
from ._library import InvalidError, ffi, lib, similar, structure

DTYPES = {"real": np.dtype("f8"), "int": np.dtype("i4"), "byte": np.dtype("u1"),
          "char": np.dtype("u1")}
# integers of a model that may be edited: others are addresses and kinds, on which memory depends
EDITABLE = ("bits", "any", "flag")


class _Memory:
    """Memory of the library for NumPy, with its owner."""

    __slots__ = ("owner", "__array_interface__")


def view(owner, address, dtype, shape, writable):
    """An array on memory of the library that stays valid as long as the owner."""
    memory = _Memory()
    memory.owner = owner
    if address == 0:
        return np.zeros(shape, dtype)
    memory.__array_interface__ = {"version": 3, "shape": shape, "typestr": dtype.str,
                                  "data": (address, not writable)}
    return np.asarray(memory)


def address_of(pointer):
    """The address as a number."""
    return int(ffi.cast("uintptr_t", pointer))


def look_up(function, *arguments, name, row):
    """Where a field is, by sn_model_field or sn_data_field: (pointer, shape)."""
    found = structure("sn_view")
    function(*arguments, name.encode(), found)
    return found.p, (found.rows,) if row[2] == "1" else (found.rows, found.cols)


def copied(pointer, shape, dtype):
    """A copy of memory of the library."""
    made = np.empty(shape, dtype)
    if made.size:
        ffi.memmove(ffi.from_buffer(made, require_writable=True), pointer, made.nbytes)
    return made


def reals(value, name):
    """An array of doubles. name: what messages call it, here and in the functions below."""
    try:
        array = np.asarray(value)
        if array.dtype.kind == "O":   # Python's other numbers
            array = np.frompyfunc(float, 1, 1)(array)
        elif array.dtype.kind not in "biuf":
            raise TypeError
        return np.asarray(array, np.float64)
    except (TypeError, ValueError):
        raise InvalidError(f"{name}: numbers are needed, got {value!r:.60}") from None


def numbers(value, count, name="array"):
    """A contiguous array of `count` doubles, and its pointer for the library."""
    array = np.ascontiguousarray(reals(value, name)).reshape(-1)
    if array.size != count:
        needed = "one number is" if count == 1 else f"{count} numbers are"
        raise InvalidError(f"{name}: {needed} needed, got {array.size}")
    return array, ffi.from_buffer("double[]", array)


def put_reals(struct, member, value, name):
    """Sets a member that is a double or an array of constant size."""
    old = getattr(struct, member)
    if isinstance(old, ffi.CData):
        setattr(struct, member, numbers(value, len(old), name)[0].tolist())
    else:
        setattr(struct, member, numbers(value, 1, name)[0].item())


def index(value, name):
    """An integer; other numbers are not rounded."""
    try:
        return operator.index(value)
    except TypeError:
        raise TypeError(f"{name}: an integer is needed, got {value!r:.60}") from None


def integers(value, name):
    """An array of int32; other numbers are not rounded, and larger ones not wrapped."""
    array = np.asarray(value)
    limits = np.iinfo(np.int32)
    if array.size and (array.dtype.kind not in "iub" or array.min() < limits.min
                       or array.max() > limits.max):
        raise InvalidError(f"{name}: integers from {limits.min} to {limits.max} are needed, got "
                           f"{value!r:.60}")
    return array.astype(np.int32)


def out(*shape):
    """A new array of doubles, and its pointer for the library."""
    array = np.zeros(shape)
    return array, ffi.from_buffer("double[]", array, require_writable=True)


def describe(row, extra=""):
    """A docstring from a row of a table of fields."""
    kind, rows, cols, _, unit, meaning = row
    shape = f"({rows})" if cols == "1" else f"({rows}, {cols})"
    return f"{meaning}; {kind} {shape}" + (f", {unit}" if unit else "") + extra


class Field:
    """An attribute that is an array of constant size; the array replaces it in the object."""

    def __init__(self, name, row, writable):
        self.name, self.row, self.writable = name, row, writable
        self.__doc__ = describe(row, "" if writable else "; read-only")

    def __get__(self, instance, kind=None):
        if instance is None:
            return self
        found = instance._view(self.name, self.row, self.writable)
        instance.__dict__[self.name] = found
        return found


class Scalar:
    """An attribute that is a field of one number."""

    def __init__(self, name, row, writable):
        self.name, self.row, self.writable = name, row, writable
        self.__doc__ = f"{row[5]}; {row[4]}"

    def _array(self, instance):
        found = instance.__dict__.get(self.name)
        if found is None:
            found = instance.__dict__[self.name] = instance._view(self.name, self.row,
                                                                  self.writable)
        return found

    def __get__(self, instance, kind=None):
        return self if instance is None else self._array(instance).item()

    def __set__(self, instance, value):
        assign(self.name, self._array(instance), ..., value)


class StepField:
    """An attribute that is a copy of an array whose address changes with each step."""

    def __init__(self, name, row):
        self.name, self.row = name, row
        self.__doc__ = describe(row, "; a copy")

    def __get__(self, instance, kind=None):
        return self if instance is None else instance._copy(self.name, self.row)

    def __set__(self, instance, value):
        raise AttributeError(f"{self.name} is computed by each step and cannot be set")


class Number:
    """An attribute that is a size of a model or a count of a simulation."""

    def __init__(self, name, meaning, accessor, part):
        self.name, self.accessor, self.part = name, accessor, part
        self.__doc__ = meaning

    def __get__(self, instance, kind=None):
        if instance is None:
            return self
        return self.accessor(getattr(instance, self.part).pointer)

    def __set__(self, instance, value):
        raise AttributeError(f"{self.name} is computed and cannot be set")


def assign(name, array, part, value):
    """array[part] = value, with the name in errors."""
    given = (reals if array.dtype.kind == "f" else integers)(value, name)
    try:
        array[part] = given
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


class Fields:
    """Objects with arrays: setting an attribute that is an array changes its numbers."""

    _allowed = ()

    def __setattr__(self, name, value):
        kind = getattr(type(self), name, None)
        if isinstance(kind, Field):
            assign(name, getattr(self, name), ..., value)
        elif kind is not None or name.startswith("_"):
            object.__setattr__(self, name, value)
        else:
            raise AttributeError(f"{type(self).__name__} has no attribute '{name}'"
                                 + similar(name, dir(type(self))))


def _model_fields():
    made = {}
    for name, row in _tables.MODEL.items():
        made[name] = Field(name, row, row[0] == "real" or row[3] in EDITABLE)
    for name, meaning in _tables.SIZES.items():
        made[name] = Number(name, meaning, getattr(lib, f"snm_{name}"), "_owner")
    return type("ModelFields", (Fields,), made)


def _data_fields():
    made = {}
    for name, row in _tables.DATA.items():
        written = {part.strip() for part in row[3].split(",")} & {"state", "input"}
        form = Scalar if row[1] == "one" else Field
        made[name] = form(name, row, bool(written) or name == "qacc")   # sn_inverse reads qacc
    for name, row in _tables.STEP.items():
        made[name] = StepField(name, row)
    for name, (_, meaning) in _tables.COUNTS.items():
        made[name] = Number(name, meaning, getattr(lib, f"snd_{name}"), "_owner")
    return type("DataFields", (Fields,), made)


if TYPE_CHECKING:
    from ._attributes import DataFields, ModelFields
else:
    ModelFields = _model_fields()
    DataFields = _data_fields()
