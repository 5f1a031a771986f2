# SPDX-License-Identifier: Apache-2.0
"""The library behind the package: errors, owners of its memory, exceptions that cross C."""

import contextlib
import errno
import functools
import os
import sys
import threading
import warnings
import weakref
from typing import Optional

from . import _tables
from ._native import ffi, lib

NULL = ffi.NULL
INSIDE = (__package__, "contextlib")   # modules whose lines a warning does not name


class Error(Exception):
    """A failure that the library reports.

    `status` is the name of the status, such as "SN_EPARSE"; `message` says what is wrong; `file`,
    `line` and `column` say where, as far as that is known (None otherwise).
    """

    def __init__(self, message: str, status: Optional[str] = "SN_EINVAL",
                 file: Optional[str] = None, line: Optional[int] = None,
                 column: Optional[int] = None):
        where = ":".join(str(part) for part in (file, line, column) if part)
        super().__init__(f"{where}: {message}" if where else message)
        self.message, self.status = message, status
        self.file, self.line, self.column = file, line, column

    def __str__(self):
        return self.args[0]

    def __reduce__(self):
        return type(self), (self.message, self.status, self.file, self.line, self.column)


class InvalidError(Error, ValueError):
    """SN_EINVAL: an argument, a name or a value is invalid."""


class OutOfMemory(Error, MemoryError):
    """SN_ENOMEM: memory is exhausted, or a limit was exceeded."""


class FileError(Error):
    """SN_EIO: a file cannot be opened, read or written."""


class ParseError(Error, ValueError):
    """SN_EPARSE: a file is malformed."""


class CompileError(Error, ValueError):
    """SN_ECOMPILE: a spec cannot be compiled."""


class PluginError(Error):
    """SN_EPLUGIN: a plugin was rejected, or returned invalid results."""


class NotFound(Error, KeyError):
    """SN_ENOTFOUND: no object, field or provider has that name."""


class FileMissing(FileError, NotFound, FileNotFoundError):
    """SN_EIO or SN_ENOTFOUND: there is no such file."""


class Unsupported(Error, NotImplementedError):
    """SN_EUNSUPPORTED: recognized, but not supported."""


class Diverged(Error, ArithmeticError):
    """SN_EDIVERGED: the simulation diverged."""


class ModelWarning(UserWarning):
    """A property of a file or a model that changes what it means."""


class SimulationWarning(RuntimeWarning):
    """A simulation counted a warning: it diverged, a plugin failed, a constraint is too stiff."""


CLASSES = {"EINVAL": InvalidError, "ENOMEM": OutOfMemory, "EIO": FileError, "EPARSE": ParseError,
           "ECOMPILE": CompileError, "EPLUGIN": PluginError, "ENOTFOUND": NotFound,
           "EUNSUPPORTED": Unsupported, "EDIVERGED": Diverged}
STATUS = {value: CLASSES[name] for name, value in _tables.ENUMS[""].items() if name in CLASSES}

# { thread, or minus the number of rollouts: exceptions that were raised in Python code that the
# library called on it or for them, oldest first }
_raised = {}
running = []   # requests of rollouts
_early = []    # (addresses of models, an exception that was raised before a step of their rollouts)


def keep_exception(error):
    """Keeps an exception of a callback for the call that has led to it, on the same thread, or for
    the rollouts whose executor has called it on a thread of its own."""
    _keep(-lib.py_request() or threading.get_ident(), error)
    lib.py_set_raised(1)


def on_error(keep=keep_exception):
    """For ffi.callback(onerror=): keeps whatever a callback raises, also Ctrl-C before its first
    statement."""
    return lambda kind, error, trace: keep(error.with_traceback(trace))


def keep_early_exception(error, models):
    """The same for a callback that a thread of an executor may call before the first step of a
    rollout, when the number of the rollouts is not known: those of one of these models take it.
    models: addresses."""
    if is_foreign(threading.current_thread()) and any(r.address in models for r in running):
        if len(_early) < 100:
            _early.append((models, error))
    else:
        _keep(threading.get_ident(), error)
        lib.py_set_raised(1)


def take_early_exceptions(address):
    """The early exceptions of rollouts of a model, which are forgotten when no others of it run."""
    found = [error for models, error in _early if address in models]
    if not any(r.address == address for r in running):
        _early[:] = [(models, error) for models, error in _early if address not in models]
    return found


def is_foreign(thread):
    """Whether a thread was started by the library, not by Python."""
    return isinstance(thread, threading._DummyThread)


def _keep(key, error):
    errors = _raised.setdefault(key, [])
    if len(errors) < 100:
        errors.append(error)


def has_raised():
    """Whether an exception of this thread waits."""
    return bool(_raised) and threading.get_ident() in _raised


def take_exceptions(executors=False, number=0):
    """The exceptions of this thread and of the rollouts with a number, which are then forgotten.
    executors: also those of threads that Python has not started."""
    found = _raised.pop(-number, []) + _raised.pop(threading.get_ident(), [])
    lib.py_set_raised(0)
    if executors and _raised:
        started = {thread.ident for thread in threading.enumerate()
                   if not is_foreign(thread)}
        for key in list(_raised):   # not those of other rollouts, which may have begun meanwhile
            if key > 0 and key not in started:
                found += _raised.pop(key, [])
    return found


def text(pointer):
    """A string of the library; None for NULL."""
    return None if pointer == NULL else ffi.string(pointer).decode("utf-8", "replace")


def encode(word):
    """A string for the library; None becomes NULL."""
    return NULL if word is None else _checked(word, str(word).encode)


def encode_path(path):
    """The name of a file for the library."""
    return _checked(path, lambda: os.fsencode(path))


def _checked(word, encode):
    try:
        content = encode()
    except UnicodeEncodeError as error:
        raise InvalidError(f"{word!r} is not valid text: {error.reason}") from None
    if b"\0" in content:
        raise InvalidError(f"{word!r} contains a NUL character")
    return content


def exception(status, error=NULL, fallback="failed"):
    """The exception for a status and an sn_error. A cause that was raised in Python comes first."""
    if has_raised():
        return take_exceptions()[0]
    name = text(lib.sn_status_name(status))
    kind = STATUS.get(status, Error)
    if error == NULL or not lib.sn_error_code(error):
        return kind(f"{fallback} ({name})", name)
    message = text(lib.sn_error_message(error))
    if kind in (FileError, NotFound) and os.strerror(errno.ENOENT) in message:
        kind = FileMissing
    return kind(message, name, text(lib.sn_error_file(error)),
                lib.sn_error_line(error) or None, lib.sn_error_column(error) or None)


def call(function, *arguments):
    """Calls a function whose last argument is an sn_error; raises what it reports.

    Returns the status, or the pointer.
    """
    error = lib.sn_error_new()
    try:
        result = function(*arguments, error)
        if isinstance(result, int):
            failed, status = result < 0, result
        else:
            failed, status = result == NULL, lib.sn_error_code(error)
        if failed or has_raised():
            if not failed and not isinstance(result, int):
                lib_free(result)
            raise exception(status, error, getattr(function, "__name__", "the plugin failed"))
        return result
    finally:
        lib.sn_error_free(error)


@contextlib.contextmanager
def without_folder(folder):
    """Leaves a temporary folder out of errors."""
    try:
        yield
    except Error as error:
        if not folder:
            raise
        file = error.file and error.file.replace(folder, "")
        raise type(error)(error.message.replace(folder, ""), error.status, file, error.line,
                          error.column) from None


def lib_free(pointer):
    """Frees what `call` created, when it raises nevertheless."""
    free = {"sn_model *": lib.sn_model_free, "sn_data *": lib.sn_data_free,
            "sn_spec *": lib.sn_spec_free, "sn_problems *": lib.sn_problems_free}
    name = ffi.typeof(pointer).cname
    if name in free:
        free[name](pointer)


class _Life:
    """The life of an object of the library: it is freed when its owner and everything that must be
    freed before it are gone, in whatever order the garbage collector finds them."""

    __slots__ = ("pointer", "free", "users", "after")

    def __init__(self, pointer, free, after):
        self.pointer, self.free, self.after, self.users = pointer, free, after, 1
        with _counting:
            for life in after:
                life.users += 1

    def release(self):
        with _counting:
            self.users -= 1
            last = self.users == 0
        if last:
            self.free(self.pointer)
            for life in self.after:
                life.release()


_counting = threading.RLock()   # a garbage collection may release within a release


class Lock:
    """The lock of an object that one thread at a time may use: other threads wait. The thread that
    holds it may take it again."""

    __slots__ = ("_held", "__weakref__")

    def __init__(self):
        self._held = threading.RLock()
        _locks.add(self)

    def __enter__(self):
        self._held.acquire()

    def __exit__(self, *_):
        self._held.release()
        return False

    def after_fork(self):
        if self._held.acquire(blocking=False):
            self._held.release()
        else:   # by a thread that does not exist in this process
            self._held = threading.RLock()


_locks = weakref.WeakSet()


def locked(method):
    """A method of an object with a `_lock`, which it holds during the call."""
    @functools.wraps(method)
    def run(self, *arguments, **named):
        with self._lock:
            return method(self, *arguments, **named)
    return run


def _after_fork():
    """In a child process: other threads, which may have held a lock, are gone."""
    global _counting
    _counting = threading.RLock()
    for lock in list(_locks):
        lock.after_fork()
    for kept in (_raised, running, _early):   # of threads that are gone
        kept.clear()


os.register_at_fork(after_in_child=_after_fork)


class Owner:
    """Owns an object of the library. keep: what must outlive it; owners among that are freed later.

    Arrays refer to owners, not to the objects of Python that have them: an array stays valid when
    its simulation is gone, and nothing refers back to it, so that memory is freed without the
    garbage collector.
    """

    __slots__ = ("pointer", "life", "keep", "__weakref__")

    def __reduce__(self):
        raise TypeError("memory of the library cannot be pickled; models, specs and simulations "
                        "can be")

    def __init__(self, pointer, free, *keep):
        self.pointer, self.keep = pointer, keep
        self.life = _Life(pointer, free, [k.life for k in keep if isinstance(k, Owner)])

    def __del__(self):
        self.life.release()


def structure(name, **members):
    """A struct of the library that starts with its size."""
    made = ffi.new(name + " *")
    first = ffi.typeof(name).fields[0][0]
    setattr(made, first, ffi.sizeof(name))
    for member, value in members.items():
        setattr(made, member, value)
    return made


def entries(function, name, *arguments):
    """All entries of a listing: function(*arguments, index, struct) until it returns 0."""
    index = 0
    while True:
        info = structure(name)
        if not function(*arguments, index, info):
            return
        yield info
        index += 1


def nearest(word, words, n=3, cutoff=0.5):
    """The words that resemble one that does not exist, the most similar first."""
    import difflib
    return difflib.get_close_matches(str(word), [str(w) for w in words], n, cutoff)


def similar(word, words):
    """The words that resemble one that does not exist, as the end of a message; "" if none do."""
    near = nearest(word, words)
    return f"; similar: {', '.join(near)}" if near else ""


def check_name(what, name, names):
    """Rejects a name that does not exist: "there is no limit 'tme'; similar: time"."""
    if name not in names:
        raise InvalidError(f"there is no {what} {name!r}"
                           + (similar(name, names) or f"; there is: {', '.join(names)}"))


def check_kind(value, kind):
    """Rejects an object of another class."""
    if not isinstance(value, kind):
        raise TypeError(f"a sinew.{kind.__name__} is needed, not {type(value).__name__}")


def warn(message, kind):
    """Warns at the line of the program that called the package, however deep in it this is."""
    frame, level = sys._getframe(1), 2
    while frame.f_back and str(frame.f_globals.get("__name__")).split(".")[0] in INSIDE:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, kind, stacklevel=level)
