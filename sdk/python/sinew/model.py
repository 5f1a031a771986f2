# SPDX-License-Identifier: Apache-2.0
"""Compiled models."""

from __future__ import annotations

import contextlib
import os
import pathlib
import tempfile
import warnings
from typing import TYPE_CHECKING, Any, Mapping, Optional, Union

from . import engine as engines
from ._library import (NULL, InvalidError, ModelWarning, Owner, call, encode, ffi, lib, structure,
                       text)
from .fields import DTYPES, ModelFields, address_of, numbers, out, view
from .names import ModelNames
from .settings import Settings

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike

    from ._attributes import OptionSettings, StatisticSettings, VisualSettings
    from .data import Data

    Path = Union[str, os.PathLike]


class Model(ModelFields, ModelNames):
    """A compiled model: constant arrays, which any number of simulations may use.

    Its arrays are views of the library's memory. Real numbers may be edited between steps; after
    edits of masses, poses, sizes and integers call `refresh` (see sn_model_refresh). `opt`, `stat`
    and `vis` are its options, statistics and visual settings.
    """

    def __init__(self, source, engine=None):
        """Loads a file; see sinew.load."""
        engine = engine or engines.current()
        self._adopt(call(lib.sn_load, engine._owner.pointer, os.fsencode(source)), engine)
        self._report(2)

    @classmethod
    def _of(cls, pointer, engine, folder=""):
        made = cls.__new__(cls)
        made._adopt(pointer, engine, folder)
        made._report(3)
        return made

    def _adopt(self, pointer, engine, folder=""):
        self._owner = Owner(pointer, lib.sn_model_free, engine._owner)
        self._engine = engine
        self._folder = folder   # that messages name, if the model was read from a text

    def _report(self, level):
        for message in self.warnings:
            warnings.warn(message, ModelWarning, stacklevel=level + 1)
        for message in self.notes:
            engines.log.info("%s", message)

    def _view(self, name, row, writable):
        found = structure("sn_view")
        lib.sn_model_field(self._owner.pointer, name.encode(), found)
        shape = (found.rows,) if row[2] == "1" else (found.rows, found.cols)
        return view(self._owner, address_of(found.p), DTYPES[row[0]], shape, writable)

    # ------------------------------------------------------------ what it is

    @property
    def name(self) -> str:
        """Its name; "" if it has none."""
        return text(lib.sn_model_name(self._owner.pointer))

    @property
    def engine(self) -> engines.Engine:
        """The engine that made it."""
        return self._engine

    @property
    def warnings(self) -> list[str]:
        """What loading and compiling warned of; each is also issued with `warnings` once."""
        return [message.replace(self._folder, "") for message in
                _texts(lib.sn_model_warning, self._owner.pointer)]

    @property
    def notes(self) -> list[str]:
        """Information from loading that does not affect the motion."""
        return [message.replace(self._folder, "") for message in
                _texts(lib.sn_model_note, self._owner.pointer)]

    @property
    def opt(self) -> OptionSettings:
        """Options: m.opt.timestep, m.opt.gravity, m.opt.solver = "cg" ..."""
        return self._settings("option", lib.sn_model_set_option, self.set)

    @property
    def stat(self) -> StatisticSettings:
        """Statistics; read-only."""
        return self._settings("statistic")

    @property
    def vis(self) -> VisualSettings:
        """Visual settings; read-only."""
        return self._settings("visual")

    def _settings(self, kind, put=None, parse=None):
        def get():
            made = ffi.new(f"sn_{kind} *")
            made.def_size = ffi.sizeof(f"sn_{kind}")
            getattr(lib, f"sn_model_get_{kind}")(self._owner.pointer, made)
            return made

        def store(changed):
            if put is None:
                raise AttributeError(f"the {kind} settings of a model are read-only; set them in "
                                     "its spec")
            call(put, self._owner.pointer, changed)
        return Settings(kind, get, store, parse)

    def set(self, name: str, value: Any) -> None:
        """Sets an option or a flag by name, with a word or a number as text, as --set does:
        m.set("cone", "elliptic"), m.set("contact", "disable")."""
        if not isinstance(value, str):
            value = " ".join(repr(float(x)) for x in value) if hasattr(value, "__len__") else str(
                value)
        call(lib.sn_model_parse_option, self._owner.pointer, encode(name), encode(value))

    @contextlib.contextmanager
    def options(self, **values):
        """Changes options for a while: with m.options(timestep=0.001, solver="cg"): ..."""
        before = self._settings("option")._get()
        try:
            for name, value in values.items():
                setattr(self.opt, name, value)
            yield self
        finally:
            call(lib.sn_model_set_option, self._owner.pointer, before)

    def selected(self, what: str) -> Optional[str]:
        """The provider that simulations use: "solver", "integrator", "post_solver"; or None."""
        return text(lib.sn_model_selected(self._owner.pointer, encode(what)))

    def refresh(self) -> None:
        """Computes again what depends on edited arrays; see sn_model_refresh."""
        call(lib.sn_model_refresh, self._owner.pointer)

    # ------------------------------------------------------------ simulations, files

    def data(self) -> Data:
        """A new simulation, in the reset state."""
        from .data import Data
        return Data(self)

    def save(self, path: Path) -> None:
        """Writes the binary form, which loads faster."""
        call(lib.sn_model_save, self._owner.pointer, os.fsencode(path))

    def to_bytes(self) -> bytes:
        """The binary form."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "model.snm")
            self.save(path)
            return path.read_bytes()

    @classmethod
    def from_bytes(cls, content: bytes, engine: Optional[engines.Engine] = None) -> Model:
        """A model from its binary form."""
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder, "model.snm")
            path.write_bytes(content)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", ModelWarning)   # issued when it was first loaded
                return cls(path, engine)

    def __reduce__(self):
        return _unpickle, (type(self), self.to_bytes(), self._selected())

    def __copy__(self):
        return _unpickle(type(self), self.to_bytes(), self._selected(), self._engine)

    def _selected(self):
        """The providers that the binary form does not contain."""
        return {what: self.selected(what) for what in ("solver", "integrator")}

    def __deepcopy__(self, memo):
        return self.__copy__()

    # ------------------------------------------------------------ positions

    def integrate(self, qpos: ArrayLike, velocity: ArrayLike, h: float = 1.0) -> np.ndarray:
        """The position that is reached from qpos with a velocity (nv) in the time h."""
        start, _ = numbers(qpos, self.nq, "qpos")
        result = start.copy()
        _, v = numbers(velocity, self.nv, "velocity")
        lib.sn_integrate_position(self._owner.pointer, ffi.from_buffer("double[]", result), v, h)
        return result

    def difference(self, start: ArrayLike, end: ArrayLike, h: float = 1.0) -> np.ndarray:
        """The velocity (nv) that leads from one position to another in the time h."""
        _, a = numbers(start, self.nq, "start")
        _, b = numbers(end, self.nq, "end")
        result, pointer = out(self.nv)
        lib.sn_differentiate_position(self._owner.pointer, pointer, h, a, b)
        return result

    def state_size(self, mask: int = lib.SN_STATE_INTEGRATION) -> int:
        """Numbers in a state of this mask (sinew.State)."""
        return lib.sn_state_size(self._owner.pointer, mask)

    def __repr__(self):
        return f"<sinew.Model '{self.name}': nq {self.nq}, nv {self.nv}, nu {self.nu}>"


def _unpickle(kind, content, selected, engine=None):
    made = kind.from_bytes(content, engine)
    for what, name in selected.items():
        if name is not None and made.selected(what) != name:
            made.set(what, name)
    return made


def _texts(function, pointer):
    found = []
    while True:
        message = function(pointer, len(found))
        if message == NULL:
            return found
        found.append(text(message))


def load(source: Path, engine: Optional[engines.Engine] = None) -> Model:
    """Loads a model: a path of an MJCF, URDF, x_xy or binary file.

    Errors have the file, line and column (sinew.Error); warnings of the loader are issued with
    `warnings` as sinew.ModelWarning. engine: instead of the current one.
    """
    return Model(source, engine)


def loads(content: Union[str, bytes], name: str = "model.xml",
          engine: Optional[engines.Engine] = None,
          files: Optional[Mapping[str, Union[str, bytes]]] = None) -> Model:
    """Loads a model from a text or bytes. name: its extension selects the format. files: further
    files that it refers to, { name: bytes }."""
    from .spec import Spec
    if not isinstance(content, (str, bytes)):
        raise InvalidError("a text or bytes are needed; sinew.load reads files")
    return Spec.loads(content, name, engine, files).compile()
