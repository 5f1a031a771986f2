# SPDX-License-Identifier: Apache-2.0
"""The window viewer (sinew/viewer.h) for Python: a library of its own, which is loaded when a
window is opened, so that nothing else of the package needs a display."""

from __future__ import annotations

import ctypes
import pathlib

from ._library import NULL, Unsupported, exception, lib
from .data import check_owner
from .fields import address_of
from .viewing import Pace

# of the build tree: a wheel has no window viewer
PLACE = "../.."


def _load():
    here = pathlib.Path(__file__).parent
    for path in sorted((here / PLACE).glob("libsinew_viewer.so*")):
        try:
            found = ctypes.CDLL(str(path))
            for name in ("open", "run"):
                getattr(found, f"sn_viewer_{name}").argtypes = [ctypes.c_void_p] * 4
            found.sn_viewer_open.restype = ctypes.c_void_p
            for name in ("runs", "close"):
                getattr(found, f"sn_viewer_{name}").argtypes = [ctypes.c_void_p]
            found.sn_viewer_draw.argtypes = [ctypes.c_void_p] * 2
            return found
        except (OSError, AttributeError) as error:
            raise Unsupported(f"the window viewer cannot be loaded: {error}; without "
                              "window=True sinew.view uses the browser",
                              "SN_EUNSUPPORTED") from None
    raise Unsupported("this package has no window viewer, since a wheel needs no graphics library; "
                      "without window=True sinew.view shows the simulation in the browser. For a "
                      "window, build Sinew from its sources where GLFW is installed (on Debian: "
                      "apt-get install libglfw3-dev), and put build/release/python on $PYTHONPATH",
                      "SN_EUNSUPPORTED")


class Window:
    """A simulation in a window; see sinew.view. The main thread of the program must use it."""

    def __init__(self, model, data):
        check_owner(model, data)
        self.model, self.data = model, data
        self._library, self._error, self._viewer = _load(), lib.sn_error_new(), None
        self._pace, self._open = Pace(), True

    def _addresses(self):
        return [address_of(p) for p in (self.model._owner.pointer, self.data._owner.pointer, NULL,
                                        self._error)]

    def _check(self, status):
        if status < 0:
            self._open = False
            raise exception(status, self._error, "the window viewer failed")
        return status

    def is_running(self) -> bool:
        """False when the window was closed."""
        return self._open

    __bool__ = is_running

    def sync(self, realtime: bool = False) -> int:
        """Draws the present state, and does what the mouse and the keys ask for. realtime: waits
        until the clock has come as far as the simulation. Returns whether the program should step:
        0 while the user has paused it."""
        if not self._open:
            return 0
        if self._viewer is None:
            self._viewer = self._library.sn_viewer_open(*self._addresses())
            if not self._viewer:
                self._check(lib.sn_error_code(self._error) or lib.SN_EUNSUPPORTED)
        with self.data._use:
            self._open = self._check(self._library.sn_viewer_draw(
                self._viewer, address_of(self._error))) > 0
        if realtime:
            self._pace.wait(self.data.time)
        return int(self._library.sn_viewer_runs(self._viewer)) if self._open else 0

    def run(self) -> None:
        """Active: simulates at the speed of the clock until the window is closed."""
        with self.data._use:
            self._check(self._library.sn_viewer_run(*self._addresses()))
        self._open = False

    def close(self) -> None:
        """Closes the window."""
        self._open = False
        if self._viewer:
            self._library.sn_viewer_close(self._viewer)
            self._viewer = None

    def __del__(self):
        if getattr(self, "_error", None) is not None:
            lib.sn_error_free(self._error)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
        return False

    def __repr__(self):
        return "<sinew.Window>"
