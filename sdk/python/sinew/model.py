# SPDX-License-Identifier: Apache-2.0
"""Compiled models."""

from __future__ import annotations

import contextlib
import functools
import operator
import os
import pathlib
import tempfile
import threading
import warnings
import weakref
from typing import TYPE_CHECKING, Any, Iterator, Mapping, Optional, Union

from . import _tables
from . import engine as engines
from ._library import (NULL, InvalidError, Lock, ModelWarning, Owner, call, check_name, encode,
                       encode_path, ffi, lib, text, warn, without_folder)
from .fields import DTYPES, ModelFields, address_of, look_up, numbers, out, view
from .names import ModelNames
from .settings import settings_of

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike

    from ._attributes import OptionSettings, StatisticSettings, VisualSettings
    from .data import Data

    Path = Union[str, os.PathLike]

ALL_STATE = functools.reduce(operator.or_, _tables.ENUMS["STATE"].values())


REFRESHED = ("one thread refreshes the model (m.refresh) while another one uses it; let them wait "
             "for each other, with a lock around both, or use a copy of the model, copy.copy(m)")


class _Users:
    """Who uses a model: `with users:` around a call that needs the model as it is. A refresh must
    be alone; the call that begins second gets a RuntimeError. simulations: their py_simulation,
    which have a flag of their own, so that a step costs nothing more."""

    __slots__ = ("simulations",)
    calls = []       # (thread, users, whether it must be alone), of all models
    _lock = Lock()   # of `calls`, held for a moment only

    def __init__(self):
        self.simulations = weakref.WeakSet()

    def _begin(self, alone):
        with self._lock:
            if any(users is self and (alone or other) for _, users, other in self.calls):
                raise RuntimeError(REFRESHED)
            self.calls.append((threading.get_ident(), self, alone))

    def _end(self, alone):
        with self._lock:
            self.calls.remove((threading.get_ident(), self, alone))

    def __enter__(self):
        self._begin(False)

    def __exit__(self, *_):
        self._end(False)
        return False

    @contextlib.contextmanager
    def none(self):
        """Keeps all away."""
        self._begin(True)   # no simulation is made from now on
        held = []
        try:
            for simulation in list(self.simulations):
                if lib.py_enter_refresh(simulation) < 0:
                    raise RuntimeError(REFRESHED)
                held.append(simulation)
            yield
        finally:
            for simulation in held:
                lib.py_leave(simulation)
            self._end(True)


def _after_fork():
    """In a child process: calls of other threads are gone."""
    _Users.calls[:] = [call for call in _Users.calls if call[0] == threading.get_ident()]


os.register_at_fork(after_in_child=_after_fork)


class Model(ModelFields, ModelNames):
    """A compiled model: constant arrays, which any number of simulations may use.

    Its arrays are views of the library's memory. Real numbers may be edited between steps; after
    edits of masses, poses, sizes and integers call `refresh` (see sn_model_refresh), while no other
    thread uses the model or its simulations. `opt`, `stat` and `vis` are its options, statistics
    and visual settings.
    """

    def __init__(self, source: Path, engine: Optional[engines.Engine] = None):
        """Loads a file; see sinew.load."""
        engine = engine or engines.current()
        with engine._lock:
            pointer = call(lib.sn_load, engine._owner.pointer, encode_path(source))
        self._adopt(pointer, engine)
        self._report()

    @classmethod
    def _of(cls, pointer, engine, folder, known):
        """Of a spec. known: its notes, which were logged when it was read."""
        made = cls.__new__(cls)
        made._adopt(pointer, engine, folder)
        made._report(known)
        return made

    def _adopt(self, pointer, engine, folder=""):
        self._owner = Owner(pointer, lib.sn_model_free, engine._owner)
        self._engine = engine
        self._folder = folder   # that messages name, if the model was read from a text
        self._users = _Users()

    def _report(self, known=()):
        for message in self.warnings:
            warn(message, ModelWarning)
        for message in self.notes:
            if message not in known:
                engines.log.info("%s", message)

    def _view(self, name, row, writable):
        pointer, shape = look_up(lib.sn_model_field, self._owner.pointer, name=name, row=row)
        return view(self._owner, address_of(pointer), DTYPES[row[0]], shape, writable)

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
        return _texts(lib.sn_model_warning, self._owner.pointer, self._folder)

    @property
    def notes(self) -> list[str]:
        """Information from loading that does not affect the motion."""
        return _texts(lib.sn_model_note, self._owner.pointer, self._folder)

    @property
    def opt(self) -> OptionSettings:
        """Options: m.opt.timestep, m.opt.gravity, m.opt.solver = "cg" ..."""
        return settings_of(self._owner, "model", "option", self._set_option, self.set)

    @property
    def stat(self) -> StatisticSettings:
        """Statistics; read-only."""
        return settings_of(self._owner, "model", "statistic")

    @property
    def vis(self) -> VisualSettings:
        """Visual settings; read-only."""
        return settings_of(self._owner, "model", "visual")

    def set(self, name: str, value: Any) -> None:
        """Sets an option or a flag by name, with a word or a number as text, as --set does:
        m.set("cone", "elliptic"), m.set("contact", "disable")."""
        if not isinstance(value, str):
            value = " ".join(repr(float(x)) for x in value) if hasattr(value, "__len__") else str(
                value)
        with self._engine._lock:
            call(lib.sn_model_parse_option, self._owner.pointer, encode(name), encode(value))

    def _set_option(self, changed):
        with self._engine._lock:
            call(lib.sn_model_set_option, self._owner.pointer, changed)

    @contextlib.contextmanager
    def options(self, **values: Any) -> Iterator[Model]:
        """Changes options for a while: with m.options(timestep=0.001, solver="cg"): ...

        All threads see the change, so only one of them can do this at a time; another one gets a
        RuntimeError, and may use a copy of the model."""
        lock = self.__dict__.setdefault("_options_lock", threading.RLock())
        if not lock.acquire(blocking=False):
            raise RuntimeError("another thread has changed the options of this model for a while; "
                               "use a copy of the model, copy.copy(m), in each thread")
        before, changed = self.opt._get(), []
        try:
            for name, value in values.items():
                setattr(self.opt, name, value)
                changed.append(name)
            yield self
        finally:
            try:
                now = self.opt._get()   # what else was set in the block remains
                for name in changed:
                    setattr(now, name, getattr(before, name))
                self._set_option(now)
            finally:
                lock.release()

    def selected(self, what: str) -> Optional[str]:
        """The provider that simulations use: "solver", "integrator", "post_solver"; or None."""
        check_name("selection", what, ("solver", "integrator", "post_solver"))
        return text(lib.sn_model_selected(self._owner.pointer, encode(what)))

    def refresh(self) -> None:
        """Computes again what depends on edited arrays; see sn_model_refresh. RuntimeError: another
        thread uses the model, such as a step or a rollout, or one of its plugins calls this."""
        with self._engine._lock, self._users.none():
            call(lib.sn_model_refresh, self._owner.pointer)

    # ------------------------------------------------------------ simulations, files

    def data(self) -> Data:
        """A new simulation, in the reset state."""
        from .data import Data
        return Data(self)

    def save(self, path: Path) -> None:
        """Writes the binary form, which loads faster."""
        with self._users:
            call(lib.sn_model_save, self._owner.pointer, encode_path(path))

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
            with warnings.catch_warnings(), without_folder(folder + os.sep):
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
        return lib.sn_state_size(self._owner.pointer, state_mask(mask))

    def __repr__(self):
        return f"<sinew.Model '{self.name}': nq {self.nq}, nv {self.nv}, nu {self.nu}>"


def state_mask(mask):
    """A sum of sinew.State; other bits are an error."""
    bits = operator.index(mask)
    if bits & ~ALL_STATE:
        raise InvalidError(f"mask: {bits:#x} is not a sum of sinew.State, whose bits are "
                           f"{ALL_STATE:#x}")
    return bits


def _unpickle(kind, content, selected, engine=None):
    made = kind.from_bytes(content, engine)
    for what, name in selected.items():
        if name is not None and made.selected(what) != name:
            made.set(what, name)
    return made


def _texts(function, pointer, folder):
    """All messages of a list, without the name of a temporary folder."""
    found = []
    while True:
        message = function(pointer, len(found))
        if message == NULL:
            return found
        found.append(text(message).replace(folder, ""))


def load(source: Path, engine: Optional[engines.Engine] = None) -> Model:
    """Loads a model: a path of an MJCF, URDF, x_xy or binary file.

    Errors have the file, line and column (sinew.Error); warnings of the loader are issued with
    `warnings` as sinew.ModelWarning. engine: instead of the current one.
    """
    if isinstance(source, str) and source.lstrip().startswith("<"):
        raise InvalidError("this is the text of a model, not a path; sinew.loads reads it")
    return Model(source, engine)


def loads(content: Union[str, bytes], name: str = "model.xml",
          engine: Optional[engines.Engine] = None,
          files: Optional[Mapping[str, Union[str, bytes]]] = None) -> Model:
    """Loads a model from a text or bytes. name: its extension selects the format. files: further
    files that it refers to, { name: bytes }."""
    from .spec import Spec
    if not isinstance(content, (str, bytes)):
        raise InvalidError("a text or bytes are needed; sinew.load reads files")
    if isinstance(content, str) and os.path.isfile(content):
        raise InvalidError(f"{content!r} is a file, not the text of a model; sinew.load reads it")
    return Spec.loads(content, name, engine, files).compile()
