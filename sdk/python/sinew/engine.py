# SPDX-License-Identifier: Apache-2.0
"""Engines: which plugins are loaded, what is selected, and with which parameters.

Most programs need no engine of their own: functions use the current one, which is opened at the
first use with the configuration of the user. `with sinew.configure(...)` uses another one for a
while.
"""

from __future__ import annotations

import contextlib
import contextvars
import logging
import os
import threading
from typing import Any, Mapping, Optional, Union

from ._library import (NULL, InvalidError, Lock, Owner, call, check_name, encode, encode_path,
                       entries, ffi, lib, locked, on_error, structure, text)

log = logging.getLogger("sinew")
log.addHandler(logging.NullHandler())   # what is worth a warning is one already
LEVELS = (logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR)

# (block, its engine) of the blocks that are open in this thread or task, the innermost last
_open = contextvars.ContextVar("sinew_engines", default=())
_lock = threading.RLock()
_latest = threading.local()
_default = None
_registered = []   # (kind, name, table): plugins written in Python, for every engine


@ffi.callback("sn_log_fn", onerror=on_error())
def _log(context, level, topic, message):
    words = text(message)
    _latest.message = words
    log.log(LEVELS[min(max(level, 0), 3)], "%s: %s", text(topic), words)


def latest_message(start):
    """The latest message of this thread if it begins with these words, which is then forgotten; or
    None."""
    message = getattr(_latest, "message", None) or ""
    _latest.message = None
    return message if message.startswith(start) else None


class Engine:
    """Plugins and their configuration; see docs/configuration.md.

    config: a file that completes the configuration, or "" for no plugins at all. profile: a
    profile by name, such as "mujoco-2.2", or "none". select: {"solver": "cg"}. set: values as in an
    ini, {"plugin.newton.linesearch_iterations": 50}. plugins: {name: path} of more shared objects.
    tolerant: plugins that cannot be loaded are left out. alone: neither environment variables nor
    files of the user are read. caching: compiled models are kept in files, see docs/cache.md.

    Threads may share an engine. One at a time uses it or a spec of it, or loads or compiles a
    model; others wait. Simulations do not wait for it.
    """

    LIMITS = ("memory", "elements", "time")

    def __init__(self, config: Union[None, str, os.PathLike] = None,
                 profile: Optional[str] = None, select: Optional[Mapping[str, str]] = None,
                 set: Optional[Mapping[str, Any]] = None,
                 plugins: Optional[Mapping[str, Union[str, os.PathLike]]] = None,
                 tolerant: bool = False, alone: bool = False, caching: bool = False):
        path = NULL if config is None else ffi.new("char[]", encode_path(config))
        name = NULL if profile is None else ffi.new("char[]", encode(profile))
        request = structure("sn_engine_request", config=path, profile=name,
                            flags=tolerant * lib.SN_ENGINE_TOLERANT + alone * lib.SN_ENGINE_ALONE
                            + caching * lib.SN_ENGINE_CACHING)
        engine = call(lib.sn_engine_open_with, request)
        self._owner = Owner(engine, lib.sn_engine_close, *_registered)
        self._lock = Lock()
        self.profile = profile
        lib.sn_engine_set_log(engine, _log, NULL)
        for key, value in (plugins or {}).items():
            call(lib.sn_engine_load_plugin, engine, encode(key), encode_path(value))
        for kind, name, table in _registered:
            call(lib.sn_engine_add, engine, kind, encode(name), table.ops)
        for key, value in (set or {}).items():
            self.set(key, value)
        for what, name in (select or {}).items():
            self.select(what, name)

    @locked
    def set(self, key: str, value: Any) -> None:
        """Sets one value, as a line `key = value` of a configuration would; see sn_engine_set."""
        if isinstance(value, bool):
            value = "yes" if value else "no"
        call(lib.sn_engine_set, self._owner.pointer, encode(key), encode(value))

    @locked
    def select(self, what: str, name: str) -> None:
        """Selects a provider: "solver", "integrator", "executor", "box-box" ...; see sn_select."""
        call(lib.sn_select, self._owner.pointer, encode(what), encode(name))

    @locked
    def add(self, plugin: tuple[bytes, str, Any]) -> None:
        """Registers a plugin that is written in Python with this engine alone."""
        kind, name, table = plugin
        call(lib.sn_engine_add, self._owner.pointer, kind, encode(name), table.ops)
        self._owner.keep += (table,)

    @locked
    def add_file(self, name: str, content: bytes) -> None:
        """Adds a file in memory, which models can refer to by its name."""
        content = bytes(content)
        call(lib.sn_engine_add_resource, self._owner.pointer, encode(name), content, len(content))

    @locked
    def limit(self, name: str) -> float:
        """The value of a limit: "memory", "elements", "time"; infinity for none."""
        check_name("limit", name, self.LIMITS)
        return lib.sn_engine_limit(self._owner.pointer, encode(name))

    @locked
    def serve(self, executor: Optional[str] = None) -> bool:
        """For executors of several processes, such as "mpi": call it in all of them before the
        model is loaded. False in the process that calls rollout, and with executors of one process.
        In the others it works until the engine of that one is freed, with the last reference to the
        engine, its models and results; then it returns True. executor: a name; None: the selected
        one. See sn_rollout_serve.
        """
        served = ffi.new("int32_t *")
        name = NULL if executor is None else encode(executor)
        call(lib.sn_rollout_serve, self._owner.pointer, name, served)
        return bool(served[0])

    @property
    @locked
    def providers(self) -> list[dict[str, Any]]:
        """What the plugins provide: a list of dicts with kind, name, summary, plugin ..."""
        names = ("kind", "name", "summary", "plugin", "version", "license", "path")
        return [{name: text(getattr(info, name)) for name in names}
                for info in entries(lib.sn_engine_provider, "sn_provider_info",
                                    self._owner.pointer)]

    @property
    @locked
    def plugins(self) -> list[dict[str, Any]]:
        """The plugins of the configuration, loaded or left out: a list of dicts."""
        names = ("key", "path", "origin", "reason", "name", "version", "license", "summary")
        return [{"loaded": info.status == 0, **{name: text(getattr(info, name)) for name in names}}
                for info in entries(lib.sn_engine_plugin, "sn_plugin_info", self._owner.pointer)]

    @property
    @locked
    def config(self) -> dict[str, tuple[str, str]]:
        """Every value of the configuration: { "section.key": (value, origin) }."""
        return {f"{text(info.section)}.{text(info.key)}": (text(info.value), text(info.origin))
                for info in entries(lib.sn_engine_config, "sn_config_info", self._owner.pointer)}

    def __repr__(self):
        return f"<sinew.Engine with {len(self.plugins)} plugins>"


def current() -> Engine:
    """The engine that functions use when none is given."""
    chosen = _open.get()
    return chosen[-1][1] if chosen else default()


def default():
    """The engine of the program, opened at the first call."""
    global _default
    with _lock:
        if _default is None:
            _default = Engine()
        return _default


def reset():
    """Opens the engine of the program again at its next use. Existing models keep theirs."""
    global _default
    with _lock:
        _default = None


def register(kind, name, table):
    """Makes a plugin that is written in Python known to engines that are opened from now on.

    The engine of the program is opened again if it has a model already, because its registries are
    closed then; existing models keep the old one. A plugin that an engine rejects, as one with the
    name of another provider, is an error, and is not kept.
    """
    with _lock:
        before = list(_registered)
        _registered[:] = [r for r in before if r[:2] != (kind, name)]
        try:
            Engine().add((kind, name, table))
        except BaseException:
            _registered[:] = before
            raise
        _registered.append((kind, name, table))
        reset()


class configure(contextlib.ContextDecorator):
    """Uses an engine of its own within `with sinew.configure(profile="mujoco-2.2"):`.

    The arguments are those of Engine; words that are none of them select providers:
    configure(solver="cg", executor="threads"). Models that are loaded in the block keep its engine.
    A block acts on the thread or the asynchronous task that has entered it, and on no other.
    """

    NAMES = ("config", "profile", "set", "plugins", "tolerant", "alone")

    def __init__(self, engine: Optional[Engine] = None, **settings: Any):
        if engine is not None and settings:
            raise InvalidError("either an engine or its settings, not both")
        select = dict(settings.pop("select", {}))
        known = {key: settings.pop(key) for key in self.NAMES if key in settings}
        select.update(settings)
        self._settings = {**known, "select": select}
        self._engine = engine

    def __enter__(self):
        engine = self._engine or Engine(**self._settings)
        _open.set(_open.get() + ((self, engine),))
        return engine

    def __exit__(self, *_):
        blocks = _open.get()   # of which another one may be the innermost: a generator ends late
        mine = [index for index, (block, _) in enumerate(blocks) if block is self][-1:]
        _open.set(tuple(pair for index, pair in enumerate(blocks) if index not in mine))
        return False


def _after_fork():
    """In a child process: another thread may have held the lock."""
    global _lock
    _lock = threading.RLock()


os.register_at_fork(after_in_child=_after_fork)


def profile(name: str) -> configure:
    """`with sinew.profile("mujoco-2.2"):` loads models with a profile."""
    return configure(profile=name)


def select(**names: str) -> configure:
    """`with sinew.select(solver="cg", integrator="rk4"):` loads models with these providers."""
    return configure(select={key.replace("__", "-"): value for key, value in names.items()})

