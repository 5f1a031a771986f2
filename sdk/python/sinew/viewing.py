# SPDX-License-Identifier: Apache-2.0
"""Seeing a simulation: a page in the browser that shows it while it runs, or replays it.

The page and its frames are those of `sinew view --web` and `sinew share` (sdk/web/web.h).
"""

from __future__ import annotations

import html
import http.server
import math
import os
import pathlib
import secrets
import threading
import time
import urllib.parse
import webbrowser
from typing import TYPE_CHECKING, Optional, Union

import numpy as np

from ._library import (FileError, InvalidError, OutOfMemory, Owner, encode, exception, ffi, lib,
                       text)
from .data import check_owner

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from .data import Data
    from .model import Model
    from .window import Window

FPS = 60
# of an installed package, of the build tree
FOLDERS = ("_runtime/share/sinew/web", "../../web")


def _folder():
    here = pathlib.Path(__file__).parent
    for folder in FOLDERS:
        if (here / folder / "page" / "index.html").exists():
            if not (here / folder / "three.min.js").exists():
                break
            return os.fsencode(here / folder)
    raise FileError("the parts of the page are missing: install the package libjs-three of Debian "
                    "before Sinew is built", "SN_EIO")


class _Page:
    """Frames of a model, and the page that shows them."""

    def __init__(self, model):
        self._owner = Owner(lib.py_page_new(), lib.py_page_free)
        self.model = model

    def add(self, data):
        """Appends the state of a simulation, after forward."""
        with data._use:
            status = lib.py_page_add(self._owner.pointer, self.model._owner.pointer,
                                     data._owner.pointer)
        if status < 0:
            raise exception(status, lib.sn_data_error(data._owner.pointer))

    def chunk(self):
        """The frames as bytes, which are then forgotten."""
        out, n = ffi.new("uint8_t **"), ffi.new("int64_t *")
        if lib.py_page_chunk(self._owner.pointer, self.model._owner.pointer, out, n) < 0:
            raise OutOfMemory("there is no memory for the page", "SN_ENOMEM")
        return bytes(ffi.buffer(out[0], n[0]))

    def write(self, data, title, live, fps):
        """The page with the frames, which are then forgotten; or of a running simulation."""
        out, n = ffi.new("uint8_t **"), ffi.new("int64_t *")
        message = ffi.new("char[1024]")
        with data._use:
            status = lib.py_page_write(self._owner.pointer, _folder(), self.model._owner.pointer,
                                       data._owner.pointer, encode(title), encode(live), fps, out,
                                       n, message)
        if status < 0:
            raise FileError(text(message) or "there is no memory for the page", "SN_EIO")
        return bytes(ffi.buffer(out[0], n[0]))


class Replay:
    """A run as one web page that replays it, without the network: r.save("run.html"), or, as the
    last expression of a notebook's cell, in the notebook.

        r = sinew.Replay(m)
        while d.time < 5:
            d.step()
            r.add(d)
        r
    """

    def __init__(self, model: Model, fps: float = 30, title: Optional[str] = None):
        if not 0 < fps < math.inf:
            raise InvalidError(f"the number of frames a second must be positive, not {fps}")
        self.model, self.fps, self.title = model, fps, title or model.name or "simulation"
        self._states, self._next = [], -math.inf

    @classmethod
    def of(cls, model: Model, states: ArrayLike, fps: float = 30, title: Optional[str] = None
           ) -> Replay:
        """A replay of an array of states, one for each frame: of Data.get_state, or a row of what
        sinew.rollout(..., states=sinew.State.INTEGRATION) returned in `states`."""
        made = cls(model, fps, title)
        for state in np.asarray(states):
            if np.isnan(state).all():   # the rollout ended before
                break
            made._states.append(np.array(state))
        return made

    def add(self, data: Data, always: bool = False) -> None:
        """Adds the present state, if the time of the next frame has come; always: in any case."""
        check_owner(self.model, data)
        now = data.time
        if now < self._next - 1.5 / self.fps:   # the simulation was reset
            self._next = -math.inf
        if always or now >= self._next - 1e-9:
            self._states.append(data.get_state())
            self._next = max(self._next, now - 1 / self.fps) + 1 / self.fps

    def __len__(self):
        return len(self._states)

    def to_html(self) -> str:
        """The page."""
        if not self._states:
            raise InvalidError("there is no frame; add one with Replay.add")
        data, page = self.model.data(), _Page(self.model)
        for state in self._states:
            data.set_state(state)
            data.forward()
            page.add(data)
        return page.write(data, self.title, None, self.fps).decode()

    def save(self, path: Union[str, os.PathLike]) -> None:
        """Writes the page to a file."""
        pathlib.Path(path).write_text(self.to_html(), encoding="utf-8")

    def _repr_html_(self):
        return (f'<iframe srcdoc="{html.escape(self.to_html())}" width="100%" height="480" '
                'style="border:0" allowfullscreen></iframe>')

    def __repr__(self):
        return f"<sinew.Replay: {len(self)} frames, {self.fps:g} a second>"


class _Handler(http.server.BaseHTTPRequestHandler):
    """Answers only to addresses that begin with the secret token of the viewer."""

    protocol_version = "HTTP/1.0"   # a stream ends with its connection

    def log_message(self, *arguments):
        pass

    def _path(self):
        path = urllib.parse.urlsplit(self.path)
        start = f"/{self.server.viewer._token}/"
        return (path.path[len(start):] if path.path.startswith(start) else None), path.query

    def _answer(self, code, content=b"", kind="text/plain"):
        self.send_response(code)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(content)

    def do_GET(self):
        viewer = self.server.viewer
        path, _ = self._path()
        if path == "":
            self._answer(200, viewer._html, "text/html; charset=utf-8")
        elif path == "frames":
            self._stream(viewer)
        else:
            self._answer(404)

    def do_POST(self):
        path, query = self._path()
        if path != "do":
            self._answer(404)
            return
        self.server.viewer._act(dict(urllib.parse.parse_qsl(query)))
        self._answer(204)

    def _stream(self, viewer):
        self.send_response(200)
        self.send_header("Content-Type", "application/octet-stream")
        self.end_headers()
        viewer._watch(1)
        try:
            seen = -1
            while True:
                seen, chunk = viewer._wait(seen)
                if chunk is None:
                    break
                self.wfile.write(len(chunk).to_bytes(4, "little") + chunk)
        except OSError:   # the page was closed
            pass
        finally:
            viewer._watch(-1)


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True


class Pace:
    """Keeps a simulation from being ahead of the clock."""

    def __init__(self):
        self._start = None   # the clock at the time 0 of the simulation

    def begin(self):
        """Begins anew, after a reset or a pause."""
        self._start = None

    def wait(self, moment):
        """Waits until the clock has come as far as the simulation. After half a second of
        difference, which is a pause, a reset, or a simulation that is too slow, it begins anew."""
        now = time.monotonic()
        ahead = 0.0 if self._start is None else moment - (now - self._start)
        if self._start is None or not -0.5 < ahead < 0.5:
            self._start = now - moment
        elif ahead > 0:
            time.sleep(ahead)


class Viewer:
    """A simulation that is shown in a browser, on this machine alone. See sinew.view.

    url: the address of the page. paused: whether "run / pause" was pressed; `run` obeys it, and a
    program that steps itself may.
    """

    def __init__(self, model: Model, data: Data, port: int = 0, title: Optional[str] = None):
        check_owner(model, data)
        self.model, self.data, self.paused = model, data, False
        self._steps, self._reset, self._ctrl = 0, None, {}
        self._page, self._news = _Page(model), threading.Condition()
        self._number, self._chunk, self._closed = 0, None, False
        self._watching, self._watched, self._left = 0, False, 0.0
        self._last, self._pace = -math.inf, Pace()
        self._token = secrets.token_hex(16)
        self._html = self._page.write(data._snapshot(), title or model.name or "simulation", "./",
                                      FPS)
        self._server = _Server(("127.0.0.1", port), _Handler)
        self._server.viewer = self
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/{self._token}/"
        threading.Thread(target=self._server.serve_forever, name="sinew.view", daemon=True).start()
        self._show()

    # ------------------------------------------------------------ from the threads of the server

    def _watch(self, change):
        with self._news:
            self._watching += change
            self._watched = True
            self._left = time.monotonic()

    def _wait(self, seen):
        with self._news:
            self._news.wait_for(lambda: self._closed or self._number != seen, 10)
            return self._number, None if self._closed else self._chunk

    def _act(self, what):
        with self._news:
            self.paused ^= "pause" in what
            if "step" in what:
                self.paused, self._steps = True, self._steps + 1
            if "reset" in what:
                word = what["reset"]
                known = word.isascii() and word.isdigit() and int(word) < self.model.nkey
                self._reset = (int(word) if known else None,)
            try:
                index, value = int(what.get("ctrl", -1)), float(what.get("value", "nan"))
            except ValueError:
                return
            if 0 <= index < self.model.nu and math.isfinite(value):
                self._ctrl[index] = value

    # ------------------------------------------------------------ from the program

    def is_running(self) -> bool:
        """False after `close`, and 2 seconds after the last page was closed."""
        with self._news:
            gone = (self._watched and not self._watching
                    and time.monotonic() - self._left > 2)
            return not (self._closed or gone)

    __bool__ = is_running

    def sync(self, realtime: bool = False) -> int:
        """Shows the present state, at most 60 times a second, and does what was pressed in the
        page: resets, and controls that were moved. realtime: waits until the clock has come as far
        as the time of the simulation. Returns the number of single steps that were asked for."""
        with self._news:
            steps, reset, ctrl = self._steps, self._reset, self._ctrl
            self._steps, self._reset, self._ctrl = 0, None, {}
        if reset is not None:
            self.data.reset(*reset)
            self._pace.begin()
        for index, value in ctrl.items():
            self.data.ctrl[index] = value
        now = time.monotonic()
        if now - self._last >= 1 / FPS or steps or reset:
            self._last = now
            self._show()
        if realtime:
            self._pace.wait(self.data.time)
        return steps

    def _show(self):
        self._page.add(self.data._snapshot())
        chunk = self._page.chunk()
        with self._news:
            self._number, self._chunk = self._number + 1, chunk
            self._news.notify_all()

    def run(self, seconds: float = math.inf) -> None:
        """Active: steps in real time, as the buttons of the page say, until the page is closed,
        Ctrl-C, or the time of the simulation has come so far."""
        h = self.model.opt.timestep
        end = self.data.time + seconds
        try:
            while self.is_running() and self.data.time < end:
                paused = self.paused
                count = self.sync(realtime=not paused)
                if paused:
                    self._pace.begin()
                    time.sleep(1 / FPS)
                else:
                    count = max(1, round(min(1 / FPS, end - self.data.time) / h))
                if count:
                    self.data.step(count)
            self._show()
        except KeyboardInterrupt:
            pass

    def close(self) -> None:
        """Ends the page."""
        with self._news:
            self._closed = True
            self._news.notify_all()
        self._server.shutdown()
        self._server.server_close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
        return False

    def _repr_html_(self):
        return (f'<iframe src="{self.url}" width="100%" height="480" style="border:0" '
                'allowfullscreen></iframe>')

    def __repr__(self):
        return f"<sinew.Viewer at {self.url}>"


def view(model: Model, data: Optional[Data] = None, port: int = 0, browser: bool = True,
         title: Optional[str] = None, window: bool = False) -> Union[Viewer, Window]:
    """Shows a simulation while it runs.

    Passive, the program steps:

        with sinew.view(m, d) as v:
            while v.is_running():
                d.step()
                v.sync(realtime=True)

    Active, the viewer steps, in real time, until its page is closed: sinew.view(m, d).run().
    window: in a window, with the mouse, instead of the browser: the main thread must use it.
    browser: the page is opened in the browser; otherwise its address is `v.url`, and in a notebook
    the viewer itself is shown in the cell. port: 0: any that is free.
    """
    data = data if data is not None else model.data()
    if window:
        from .window import Window
        return Window(model, data)
    viewer = Viewer(model, data, port, title)
    if browser:
        webbrowser.open(viewer.url)
    return viewer
