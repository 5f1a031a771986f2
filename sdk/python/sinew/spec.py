# SPDX-License-Identifier: Apache-2.0
"""Specs: models that are built and edited in code, and compiled."""

from __future__ import annotations

import bisect
import contextlib
import operator
import os
import pathlib
import tempfile
from typing import TYPE_CHECKING, Any, Iterator, Mapping, Optional, Union

import numpy as np

from . import _tables, definitions
from . import engine as engines
from ._library import (NULL, InvalidError, NotFound, Owner, call, check_name, encode, encode_path,
                       ffi, lib, locked, similar, text, without_folder)
from .model import Model, _texts
from .settings import settings_of, stored

if TYPE_CHECKING:
    from ._attributes import BodyDefinition, SpecMembers
    from .data import Data

    Path = Union[str, os.PathLike]
else:
    class SpecMembers:
        """The methods of each kind, which are added at the end of this file."""

KINDS = tuple(_tables.SPEC)
IN_BODIES = tuple(kind for kind in KINDS if "body" in _tables.SPEC[kind])   # geom, joint ...


class SpecElement:
    """An element of a spec. Its attributes are the members of its definition (spec.h): reading one
    asks the spec, setting one changes it, and so does assigning to an item of an array or a list:
    geom.size[0] = 0.1, tendon.wrap[1]["prm"] = -1. None is the default.

    A body has methods to add what belongs to it: torso.add_geom(type="sphere", size=0.1). When
    elements were removed, the other ones have new numbers and can still be used.
    """

    __slots__ = ("_spec", "kind", "_id", "_removals", "_known_name")

    def __init__(self, spec, kind, number):
        with spec._lock:
            struct, _ = spec._definition(kind, number)
            values = (spec, kind, number, len(spec._removals), text(struct.name))
        for slot, value in zip(self.__slots__, values):
            object.__setattr__(self, slot, value)

    def __reduce__(self):   # an element of the spec, or of what the spec becomes
        return SpecElement, (self._spec, self.kind, self.id)

    @property
    def _lock(self):
        return self._spec._lock

    @property
    @locked
    def id(self):
        """Its number, from 0 for each kind."""
        removals = self._spec._removals
        for gone in removals[self._removals:]:
            numbers = gone.get(self.kind, ())
            if self._id in numbers:
                raise NotFound(f"this {self.kind} was removed", "SN_ENOTFOUND")
            object.__setattr__(self, "_id", self._id - bisect.bisect(numbers, self._id))
            object.__setattr__(self, "_removals", self._removals + 1)
        return self._id

    @property
    @locked
    def _birth(self):
        """The number that it would have if nothing had been removed: one for each element."""
        number = self._id
        for gone in reversed(self._spec._removals[:self._removals]):
            for removed in gone.get(self.kind, ()):
                number += removed <= number
        return number

    def __eq__(self, other):
        return (isinstance(other, SpecElement) and self._spec is other._spec
                and (self.kind, self._birth) == (other.kind, other._birth))

    def __hash__(self):
        return hash((id(self._spec), self.kind, self._birth))

    @locked
    def __getattr__(self, name):
        if name.startswith("add_") and self.kind == "body":
            kind = name[len("add_"):]
            if kind == "body":
                return lambda **values: self._spec.add("body", **{"parent": self, **values})
            if kind in IN_BODIES:
                return lambda **values: self._spec.add(kind, **{"body": self, **values})
        struct, _ = self._spec._definition(self.kind, self.id)
        if name in definitions.ORIENTATIONS and name not in _tables.SPEC[self.kind]:
            value = definitions.get_orientation(struct.orient)
            value = value if isinstance(value, dict) else {"quat": value}
            return stored(value.get(name), self, self.kind, name)
        if name not in _tables.SPEC[self.kind]:
            raise AttributeError(f"a {self.kind} has no '{name}'"
                                 + similar(name, _tables.SPEC[self.kind]))
        return stored(definitions.get(self.kind, struct, name), self, self.kind, name)

    def __setattr__(self, name, value):
        self.set(**{name: value})

    @locked
    def set(self, **values: Any) -> None:
        """Sets several attributes at once."""
        self._spec._own(values.values())
        struct, keep = self._spec._definition(self.kind, self.id)
        for name, value in values.items():
            definitions.put(self.kind, struct, name, value, keep)
        name = text(struct.name)   # the spec frees the strings of the old definition
        call(getattr(lib, f"sn_spec_set_{self.kind}"), self._spec._owner.pointer, self.id, struct)
        object.__setattr__(self, "_known_name", name)

    @locked
    def remove(self, cascade: bool = False) -> None:
        """Removes it; cascade: and what depends on it. Otherwise a dependent is an error."""
        self._spec._remove(self.kind, self.id, cascade)

    @locked
    def to_dict(self) -> dict[str, Any]:
        """All attributes."""
        struct, _ = self._spec._definition(self.kind, self.id)
        return {name: definitions.get(self.kind, struct, name) for name in _tables.SPEC[self.kind]}

    def __dir__(self):
        adds = [f"add_{kind}" for kind in ("body",) + IN_BODIES] if self.kind == "body" else []
        return ["id", "kind", "remove", "set", "to_dict", *adds, *_tables.SPEC[self.kind]]

    def __repr__(self):
        return f"<{self.kind} {self._id} '{self._known_name or ''}' of a spec>"


class Spec(SpecMembers):
    """An editable description of a model.

        s = sinew.Spec()
        arm = s.world.add_body(name="arm", pos=[0, 0, 1])
        arm.add_joint(name="hinge", type="hinge", axis=[0, 1, 0])
        arm.add_geom(type="capsule", fromto=[0, 0, 0, 0, 0, -0.5], size=0.05)
        m = s.compile()

    Units are SI, angles radians (degrees if s.compiler.degree is set). References are names or
    elements. s.option, s.compiler, s.visual, s.statistic, s.size_hint are its settings.

    Threads may share a spec: each call is complete before that of another thread begins.
    """

    def __init__(self, engine: Optional[engines.Engine] = None):
        self._engine = engine or engines.current()
        with self._lock:
            self._adopt(call(lib.sn_spec_new, self._engine._owner.pointer))

    @property
    def _lock(self):
        return self._engine._lock   # of the engine: it allows one call at a time for all its specs

    def _adopt(self, pointer):
        self._owner = Owner(pointer, lib.sn_spec_free, self._engine._owner)
        self._removals = []   # of each removal: { kind: numbers of what was removed, sorted }
        self._folder = ""   # that messages name, if the spec was read from a text
        self._defaults = []

    @classmethod
    def _of(cls, pointer, engine):
        made = cls.__new__(cls)
        made._engine = engine
        made._adopt(pointer)
        return made

    @classmethod
    def load(cls, path: Path, engine: Optional[engines.Engine] = None) -> Spec:
        """Reads a file of any format that a loader knows."""
        return cls._read(path, engine or engines.current())

    @classmethod
    def _read(cls, path, engine, folder=""):
        with engine._lock, without_folder(folder):
            made = cls._of(call(lib.sn_spec_load, engine._owner.pointer, encode_path(path)), engine)
        made._folder = folder
        for note in made.notes:
            engines.log.info("%s", note)
        return made

    @classmethod
    def loads(cls, content: Union[str, bytes], name: str = "model.xml", engine:
              Optional[engines.Engine] = None, files: Optional[Mapping[str, Union[str, bytes]]] =
              None) -> Spec:
        """Reads a text or bytes; name: its extension selects the format; files: further files that
        it refers to, { name: bytes }."""
        with tempfile.TemporaryDirectory() as folder:
            for path, part in {**(files or {}), name: content}.items():
                where = _inside(folder, path)
                where.parent.mkdir(parents=True, exist_ok=True)
                where.write_bytes(part.encode() if isinstance(part, str) else bytes(part))
            return cls._read(pathlib.Path(folder, name), engine or engines.current(),
                             folder + os.sep)

    # ------------------------------------------------------------ elements

    @locked
    def _definition(self, kind, number=None):
        struct = ffi.new(f"sn_{kind}_def *")
        getattr(lib, f"sn_default_{kind}")(struct)
        if number is not None:
            call(getattr(lib, f"sn_spec_get_{kind}"), self._owner.pointer, number, struct)
        return struct, []

    @locked
    def add(self, kind: str, **values: Any) -> SpecElement:
        """Adds an element of a kind ("body", "geom" ...) and returns it. Values that are not given
        have their documented defaults, or those of `with spec.defaults(...)`."""
        check_name("kind", kind, KINDS)
        struct, keep = self._definition(kind)
        given = {}
        for layer in self._defaults:
            given.update(layer.get(kind, {}))
        given.update(values)
        self._own(given.values())
        for owner in ("body", "parent"):
            if isinstance(given.get(owner), str) and owner in _tables.SPEC[kind]:
                given[owner] = self.find("body", given[owner])
        for name, value in given.items():
            definitions.put(kind, struct, name, value, keep)
        number = ffi.new("int32_t *")
        call(getattr(lib, f"sn_spec_add_{kind}"), self._owner.pointer, struct, NULL, number)
        return SpecElement(self, kind, number[0])

    @contextlib.contextmanager
    def defaults(self, **kinds: Mapping[str, Any]) -> Iterator[Spec]:
        """Defaults of the elements that are added in a block:
        with s.defaults(geom={"friction": [1, 0.01, 0.001]}, joint={"damping": 0.1}): ..."""
        for kind in kinds:
            check_name("kind", kind, KINDS)
        self._defaults.append(kinds)
        try:
            yield self
        finally:
            self._defaults[:] = [layer for layer in self._defaults if layer is not kinds]

    def _own(self, values):
        """Rejects elements of other specs: their numbers mean others here."""
        for value in values:
            if isinstance(value, SpecElement) and value._spec is not self:
                raise InvalidError(f"{value!r}: it belongs to another spec")

    @locked
    def _find(self, kind, name):
        return lib.sn_spec_find(self._owner.pointer, kind.encode(), encode(name)) if name else -1

    @locked
    def find(self, kind: str, key: Union[int, str]) -> SpecElement:
        """The element of a kind with this name or number."""
        number = self._find(kind, key) if isinstance(key, str) else operator.index(key)
        if number < 0 or number >= self.count(kind):
            names = [element.name or "" for element in self.elements(kind)]
            raise NotFound(f"no {kind} has the name '{key}'" + similar(key, names), "SN_ENOTFOUND")
        return SpecElement(self, kind, number)

    @locked
    def count(self, kind: str) -> int:
        """The number of elements of a kind; "body" includes the world."""
        check_name("kind", kind, KINDS)
        return lib.sn_spec_count(self._owner.pointer, kind.encode())

    @locked
    def elements(self, kind: str) -> list[SpecElement]:
        """All elements of a kind."""
        return [SpecElement(self, kind, number) for number in range(self.count(kind))]

    @property
    def world(self) -> BodyDefinition:
        """Body 0."""
        return SpecElement(self, "body", 0)

    @locked
    def _remove(self, kind, number, cascade):
        counts = {part: self.count(part) for part in KINDS}
        before = self.copy() if cascade else self
        call(lib.sn_spec_remove, self._owner.pointer, kind.encode(), number, int(cascade))
        gone = {part: range(count) for part, count in counts.items() if not self.count(part)}
        gone[kind] = [number]
        unclear = [part for part, count in counts.items()
                   if count - self.count(part) != len(gone.get(part, ()))]
        if unclear:
            gone.update(before._cascade(kind, number, unclear))
        self._removals.append(gone)

    def _cascade(self, kind, number, parts):
        """Removes an element with its dependents, in a copy that nobody else uses. Returns the
        numbers of what is removed, for some kinds: those whose names are missing afterwards."""
        named = {}
        for part in parts:
            for element in self.elements(part):
                if not element._known_name:
                    element.name = f"sinew: number {element.id}"
            named[part] = [element._known_name for element in self.elements(part)]
        call(lib.sn_spec_remove, self._owner.pointer, kind.encode(), number, 1)
        left = {part: {element._known_name for element in self.elements(part)} for part in parts}
        return {part: [index for index, name in enumerate(names) if name not in left[part]]
                for part, names in named.items()}

    def attach(self, body: Union[str, SpecElement], part: Spec, prefix: str = "") -> None:
        """Copies all elements of another spec into a body of this one; names get the prefix."""
        self._own([body])
        first, second = sorted((self._lock, part._lock), key=id)   # in one order for all threads
        with first, second:
            number = self.find("body", body).id if isinstance(body, str) else body.id
            call(lib.sn_spec_attach, self._owner.pointer, number, part._owner.pointer,
                 encode(prefix))

    # ------------------------------------------------------------ settings

    @property
    @locked
    def name(self) -> str:
        """The name of the model."""
        return text(lib.sn_spec_name(self._owner.pointer))

    @name.setter
    @locked
    def name(self, value):
        if lib.sn_spec_set_name(self._owner.pointer, encode(value)) < 0:
            raise InvalidError(f"not a valid name: {value!r}")

    @property
    @locked
    def warnings(self) -> list[str]:
        """Warnings from loading."""
        return _texts(lib.sn_spec_warning, self._owner.pointer, self._folder)

    @property
    @locked
    def notes(self) -> list[str]:
        """Information from loading that does not affect the motion."""
        return _texts(lib.sn_spec_note, self._owner.pointer, self._folder)

    def _settings(self, kind):
        def put(changed):
            with self._lock:
                call(getattr(lib, f"sn_spec_set_{kind}"), self._owner.pointer, changed)
        return settings_of(self._owner, "spec", kind, put, lock=self._lock)

    # ------------------------------------------------------------ compile, write, copy

    def compile(self) -> Model:
        """Compiles a model. The spec does not change."""
        with self._lock, without_folder(self._folder):
            pointer = call(lib.sn_compile, self._owner.pointer)
        return Model._of(pointer, self._engine, self._folder, self.notes)

    def recompile(self, data: Data) -> tuple[Model, Data]:
        """Compiles, and transfers the state of a simulation of an earlier model: (model, data)."""
        model = self.compile()
        return model, data.transfer(model)

    @locked
    def update(self, model: Model) -> None:
        """Copies edits of a model that was compiled from this spec back to it."""
        call(lib.sn_spec_update, self._owner.pointer, model._owner.pointer)

    @locked
    def save(self, path: Path, format: str = "mjcf") -> None:
        """Writes a file in the format of a loader."""
        call(lib.sn_spec_save, self._owner.pointer, encode(format), encode_path(path))

    def to_text(self, format: str = "mjcf") -> str:
        """The text in the format of a loader."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "model")
            self.save(path, format)
            return path.read_text()

    @locked
    def copy(self) -> Spec:
        """A complete copy."""
        return Spec._of(call(lib.sn_spec_copy, self._owner.pointer), self._engine)

    __copy__ = copy

    def __deepcopy__(self, memo):
        return self.copy()

    @locked
    def to_dict(self) -> dict[str, Any]:
        """Everything in it, as Python values."""
        return {"name": self.name,
                "settings": {kind: self._settings(kind).to_dict() for kind in _tables.SETTINGS},
                "elements": {kind: [element.to_dict() for element in self.elements(kind)]
                             for kind in KINDS}}

    @classmethod
    def from_dict(cls, content: Mapping[str, Any], engine: Optional[engines.Engine] = None) -> Spec:
        """A spec from what to_dict returned."""
        made = cls(engine)
        made.name = content["name"]
        for kind, values in content["settings"].items():
            settings = made._settings(kind)
            for name, value in values.items():
                setattr(settings, name, value)
        for kind, elements in content["elements"].items():
            for number, values in enumerate(elements):
                if kind == "body" and number == 0:
                    continue
                made.add(kind, **values)
        return made

    def __reduce__(self):
        return Spec.from_dict, (self.to_dict(),)

    def __repr__(self):
        return f"<sinew.Spec '{self.name}': {self.count('body')} bodies>"


def _inside(folder, path):
    """The place of a file in a temporary folder, which it must not leave."""
    name = os.path.normpath(os.fspath(path))
    if os.path.isabs(name) or name.split(os.sep)[0] in (os.pardir, os.curdir) or "\0" in name:
        raise InvalidError(f"not a relative name of a file in memory: {os.fspath(path)!r}")
    return pathlib.Path(folder, name)


def _settings_property(kind):
    return property(lambda self: self._settings(kind),
                    doc=f"The settings sn_{kind}; see sinew/options.h.")


def _adder(kind):
    def add(self, **values):
        return self.add(kind, **values)
    add.__name__ = add.__qualname__ = f"add_{kind}"
    add.__doc__ = f"Adds a {kind}: {', '.join(_tables.SPEC[kind])}."
    return add


def _finder(kind):
    def find(self, key):
        return self.find(kind, key)
    find.__name__ = find.__qualname__ = kind
    find.__doc__ = f"The {kind} with this name or number."
    return find


for _kind in _tables.SETTINGS:
    setattr(Spec, _kind, _settings_property(_kind))
for _kind in KINDS:
    setattr(Spec, f"add_{_kind}", _adder(_kind))
    setattr(Spec, _kind, _finder(_kind))
