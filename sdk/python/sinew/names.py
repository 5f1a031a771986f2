# SPDX-License-Identifier: Apache-2.0
"""Elements by name: d.body("torso").xpos, m.geom("floor").friction, d.sensor("touch").

elements.py says which arrays an element has.
"""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING

import numpy as np

from . import _tables
from ._library import InvalidError, NotFound, encode, lib, nearest, similar, text
from .elements import DATA_NAMES, MODEL_NAMES
from .fields import assign

class Element:
    """One element of a model or of a simulation. Its attributes are rows of arrays."""

    __slots__ = ("_holder", "_model", "_names", "kind", "id")

    def __init__(self, holder, model, names, kind, number):
        for slot, value in zip(Element.__slots__, (holder, model, names, kind, number)):
            object.__setattr__(self, slot, value)

    def __reduce__(self):   # an element of the holder, or of what the holder becomes
        return _element, (self._holder, self.kind, self.id)

    @property
    def name(self):
        """Its name; "" if it has none."""
        return text(lib.sn_name(self._model._owner.pointer, self.kind.encode(), self.id))

    def _part(self, name):
        try:
            field, rows = self._names[name]
        except KeyError:
            raise AttributeError(f"a {self.kind} has no '{name}'"
                                 + similar(name, self._names)) from None
        array = getattr(self._holder, field)
        part = _tables.PARTS[self.kind].get(rows)
        return array, slice(*self._rows(array, *part)) if part else self.id

    def _rows(self, array, how, first, count):
        """The first row of several, and the one after the last; see SN_MODEL_PARTS."""
        starts = getattr(self._model, first)
        start = int(starts[self.id])
        if start < 0:
            return 0, 0
        if how == "counted":
            return start, start + int(getattr(self._model, count)[self.id])
        if how == "packed":
            return start, int(starts[self.id + 1]) if self.id + 1 < len(starts) else len(array)
        return start, start + 1

    def _reason(self, name):
        """Why it has no rows of an array: what the model says of their number."""
        _, rows = self._names[name]
        how, first, count = _tables.PARTS[self.kind].get(rows, [None] * 3)
        field = {"counted": count, "single": first}.get(how)
        return f"; m.{field}[{self.id}] is {getattr(self._model, field)[self.id]}" if field else ""

    def __getattr__(self, name):
        array, part = self._part(name)
        return array[part]

    def __setattr__(self, name, value):
        array, part = self._part(name)
        if not array[part].size and np.size(value):
            raise InvalidError(f"{self.kind}.{name}: '{self.name}' has none{self._reason(name)}")
        assign(f"{self.kind}.{name}", array, part, value)

    def __dir__(self):
        return ["id", "kind", "name", *self._names]

    def __repr__(self):
        return f"<{self.kind} {self.id} '{self.name}'>"

    def __eq__(self, other):
        return (isinstance(other, Element) and self._holder is other._holder
                and (self.kind, self.id) == (other.kind, other.id))

    def __hash__(self):
        return hash((id(self._holder), self.kind, self.id))


def _element(holder, kind, number):
    return getattr(holder, kind)(number)


SHOWN = 30   # names in a message


def _known(key, names, kind):
    """The end of a message: the names that exist, similar ones first."""
    if not names:
        return f"; the model has no named {kind}"
    near = nearest(key, names, 5, 0.4)
    listed = near + [name for name in names if name not in near]
    more = len(listed) - SHOWN
    return f"; there is: {', '.join(listed[:SHOWN])}" + (f", and {more} more" if more > 0 else "")


def find(model, kind, key):
    """The id of an element by name or number."""
    count = getattr(model, _tables.ELEMENTS[kind][0])
    if isinstance(key, str):
        number = lib.sn_find(model._owner.pointer, kind.encode(), encode(key)) if key else -1
        if number >= 0:
            return number
        names = [n for n in (text(lib.sn_name(model._owner.pointer, kind.encode(), i))
                             for i in range(count)) if n]
        raise NotFound(f"no {kind} has the name '{key}'" + _known(key, names, kind), "SN_ENOTFOUND")
    number = operator.index(key)
    if not 0 <= number < count:
        raise NotFound(f"there is no {kind} {number}; the model has {count}", "SN_ENOTFOUND")
    return number


def accessors(table, holder_is_model):
    """The methods body(key), joint(key) ... of models and simulations."""

    def method(kind):
        def get(self, key):
            model = self if holder_is_model else self.model
            return Element(self, model, table[kind], kind, find(model, kind, key))
        get.__name__ = get.__qualname__ = kind
        get.__doc__ = (f"The {kind} with this name or number. Its attributes: "
                       f"{', '.join(n for n in table[kind])}.")
        return get

    return type("Names", (), {kind: method(kind) for kind in table})


if TYPE_CHECKING:
    from ._attributes import DataNames, ModelNames
else:
    ModelNames = accessors(MODEL_NAMES, True)
    DataNames = accessors(DATA_NAMES, False)
