# SPDX-License-Identifier: Apache-2.0
"""Images of simulations, without a screen: colors, depths and ids as NumPy arrays."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import tempfile
from typing import TYPE_CHECKING, Any, Iterable, Mapping, NamedTuple, Optional, Union

import numpy as np

from . import _tables
from ._library import (NULL, FileError, InvalidError, NotFound, Owner, Unsupported, call, encode,
                       ffi, lib, similar, text)
from .data import check_owner
from .fields import integers, numbers

if TYPE_CHECKING:
    from .data import Data
    from .model import Model

GROUPS = ("geoms", "sites", "joints", "tendons", "actuators", "skins")
NGROUPS = 6   # of the elements of a model
GEOM, NO_GEOM = _tables.ENUMS["OBJECT"]["GEOM"], -2
Camera = Union[str, int, Mapping[str, Any]]


class Image(NamedTuple):
    """What Data.render returns if depths or ids are asked for; None for what is not."""

    rgb: np.ndarray                 # (height, width, 3), uint8, the upper row first
    depth: Optional[np.ndarray]     # (height, width), float32, m along the viewing axis
    segment: Optional[np.ndarray]   # (height, width), int32: ids of geoms; -1: nothing is there,
                                    # -2: not a geom


def words(function):
    """The words of a table of the scene, in order."""
    found = []
    while function(len(found)) != NULL:
        found.append(text(function(len(found))))
    return found


def _index(what, word, known):
    if word not in known:
        raise NotFound(f"{what}: there is no '{word}'" + similar(word, known), "SN_ENOTFOUND")
    return known.index(word)


def scene_options(show=(), hide=(), label=None, frame=None, groups=None):
    """The struct for words of docs/rendering.md; groups: {"geoms": (0, 1, 3)}."""
    options = ffi.new("sn_scene_options *", lib.sn_scene_default_options())
    shows = words(lambda index: lib.sn_scene_show_word(index, NULL, NULL))
    for value, names in ((1, show), (0, hide)):
        for word in names.replace(",", " ").split() if isinstance(names, str) else names:
            options.show[_index("show", word, shows)] = value
    if label is not None:
        options.label = _index("label", label, words(lib.sn_scene_label_word))
    if frame is not None:
        options.frame = _index("frame", frame, words(lib.sn_scene_frame_word))
    for kind, given in (groups or {}).items():
        kind = GROUPS[_index("groups", kind, GROUPS)]
        chosen = integers(given, f"groups: {kind}").reshape(-1)
        if not ((chosen >= 0) & (chosen < NGROUPS)).all():
            raise InvalidError(f"groups: {kind}: numbers from 0 to {NGROUPS - 1} are needed, got "
                               f"{given}")
        setattr(options, kind, sum({1 << int(number) for number in chosen}))
    return options


def _view_of(name, value):
    """The number or numbers of a free camera."""
    given, _ = numbers(value, 3 if name == "lookat" else 1, f"camera: {name}")
    if not np.isfinite(given).all() or (name == "distance" and given[0] <= 0):
        form = "a positive number is" if name == "distance" else "finite numbers are"
        raise InvalidError(f"camera: {name}: {form} needed, got {value}")
    return given.tolist() if name == "lookat" else given[0]


def scene_camera(model, camera):
    """The struct for a camera of the model by name or number, or of a dict with lookat, distance,
    azimuth, elevation, and body: what it follows."""
    made = ffi.new("sn_scene_camera *", lib.sn_scene_default_camera(model._owner.pointer))
    if camera is None:
        return made
    if isinstance(camera, Mapping):
        for name, value in camera.items():
            if name == "body":
                made.mode, made.body = lib.SN_CAMERA_TRACK, model.body(value).id
            elif name in ("lookat", "distance", "azimuth", "elevation"):
                setattr(made, name, _view_of(name, value))
            else:
                raise InvalidError(f"a camera has no '{name}'; it has lookat, distance, azimuth, "
                                   "elevation, body")
        return made
    call(lib.sn_scene_find_camera, model._owner.pointer, encode(camera), made)
    return made


def camera_sensors(model):
    """What draws the camera sensors of a model; see sinew/camera_sensor.h."""
    with model.engine._lock:
        return Owner(call(lib.sn_camera_sensors_new, model._owner.pointer),
                     lib.sn_camera_sensors_free, model._owner)


class Renderer:
    """A scene of a model and a renderer's canvas for it. Data.render keeps one; a Renderer of one's
    own is only needed to select another renderer by its name. One thread at a time may use it."""

    def __init__(self, model: Model, name: Optional[str] = None):
        engine = model.engine._owner
        ops, self._self = ffi.new("void **"), ffi.new("void **")
        with model.engine._lock:
            call(lib.sn_engine_use, engine.pointer, lib.SN_KIND_RENDERER, encode(name), ops,
                 self._self)
        self._ops = ops = ffi.cast("sn_renderer_ops *", ops[0])
        if ops.render == NULL:
            raise Unsupported("the selected renderer writes files and makes no pixels; select "
                              "another one", "SN_EUNSUPPORTED")
        canvas, instance = ffi.new("void **"), self._self[0]
        call(ops.open, instance, lib.SN_CANVAS_OFFSCREEN, canvas)
        self._canvas = Owner(canvas[0], lambda pointer: ops.close(instance, pointer), engine)
        self._scene = Owner(call(lib.sn_scene_new, model._owner.pointer), lib.sn_scene_free,
                            model._owner)
        self.model = model

    def render(self, data: Data, camera: Optional[Camera] = None, width: int = 640,
               height: int = 480, depth: bool = False, segment: bool = False, **show: Any
               ) -> Union[np.ndarray, Image]:
        """See Data.render; data is drawn with what its latest step or forward computed."""
        if not (1 <= width <= 16384 and 1 <= height <= 16384):
            raise InvalidError(f"an image has 1 to 16384 pixels in each direction, not {width} x "
                               f"{height}")
        check_owner(self.model, data)
        rgb = np.zeros((height, width, 3), np.uint8)
        depths = np.zeros((height, width), np.float32) if depth else None
        ids = np.zeros((height, width), np.int32) if segment else None
        image = ffi.new("sn_image *", {"size": ffi.sizeof("sn_image"), "width": width,
                                       "height": height, "rgb": ffi.from_buffer("uint8_t[]", rgb)})
        if depth:
            image.depth = ffi.from_buffer("float[]", depths)
        if segment:
            image.segment = ffi.from_buffer("int32_t[]", ids)
        options, eye = scene_options(**show), scene_camera(self.model, camera)
        scene = self._scene.pointer
        with data._use:
            call(lib.sn_scene_update, scene, self.model._owner.pointer, data._owner.pointer,
                 options, eye, NULL)
            call(self._ops.render, self._self[0], self._canvas.pointer, scene, image)
        if segment:
            ids = self._ids()[ids]
        return Image(rgb, depths, ids) if depth or segment else rgb

    def _ids(self):
        """The id of the geom for each index in the scene; the last one is for -1."""
        scene = self._scene.pointer
        part = np.dtype({"names": ["object", "id"], "formats": ["i4", "i4"],
                         "offsets": [ffi.offsetof("sn_scene_geom", "object"),
                                     ffi.offsetof("sn_scene_geom", "id")],
                         "itemsize": ffi.sizeof("sn_scene_geom")})
        ids = np.full(scene.ngeom + 1, -1, np.int32)
        if scene.ngeom:
            size = scene.ngeom * ffi.sizeof("sn_scene_geom")
            drawn = np.frombuffer(ffi.buffer(scene.geom, size), part)
            ids[:-1] = np.where(drawn["object"] == GEOM, drawn["id"], NO_GEOM)
        return ids


def _images(frames):
    """Images of one size, as contiguous arrays."""
    shape = None
    for index, frame in enumerate(frames):
        image = np.asarray(frame)
        if image.ndim != 3 or image.shape[2] != 3 or 0 in image.shape:
            raise InvalidError(f"image {index}: shape (height, width, 3) is needed, as of "
                               f"Data.render, got {image.shape}")
        if image.dtype != np.uint8:
            raise InvalidError(f"image {index}: bytes (uint8) from 0 to 255 are needed, got "
                               f"{image.dtype}")
        shape = shape or image.shape
        if image.shape != shape:
            raise InvalidError(f"image {index}: its size {image.shape[:2]} differs from that "
                               f"of the first one, {shape[:2]}")
        yield np.ascontiguousarray(image)


def save_video(frames: Iterable[np.ndarray], path: Union[str, os.PathLike], fps: float = 30
               ) -> None:
    """Writes images of one size as a video, with the program ffmpeg; the ending of the path says
    in which format: .mp4, .webm, .gif ... Formats other than .gif have even sizes: the last column
    or row of others is left out."""
    if shutil.which("ffmpeg") is None:
        raise Unsupported("videos need the program ffmpeg; install it (on Debian: apt-get install "
                          "ffmpeg)", "SN_EUNSUPPORTED")
    images = _images(frames)
    first = next(images, None)
    if first is None:
        raise InvalidError("there is no image; a video needs at least one")
    if not 0 < fps < float("inf"):
        raise InvalidError(f"fps: a positive number of images a second is needed, not {fps}")
    height, width = first.shape[:2]
    target = os.path.abspath(os.fsdecode(path))   # no option and no protocol of ffmpeg
    existed = os.path.lexists(target)
    is_gif = target.lower().endswith(".gif")
    pixels = "rgb8" if is_gif else "yuv420p"
    size = "null" if is_gif else "crop=trunc(iw/2)*2:trunc(ih/2)*2"
    command = ["ffmpeg", "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s",
               f"{width}x{height}", "-r", str(fps), "-i", "-", "-pix_fmt", pixels, "-vf",
               size, target]
    try:
        _encode(command, itertools.chain([first], images), path)
    except BaseException:
        if not existed and os.path.lexists(target):
            os.unlink(target)
        raise


def _close(pipe):
    """Closes a pipe whose reader may have ended before it has read everything."""
    try:
        pipe.close()
    except BrokenPipeError:
        pass


def _encode(command, images, path):
    """Runs ffmpeg with images as its input."""
    with tempfile.TemporaryFile() as said, subprocess.Popen(
            command, stdin=subprocess.PIPE, stderr=said) as encoder:
        try:
            for image in images:
                encoder.stdin.write(image.tobytes())
            encoder.stdin.close()
        except BrokenPipeError:   # ffmpeg has ended, and says why
            _close(encoder.stdin)
        except BaseException:
            encoder.kill()
            _close(encoder.stdin)
            raise
        if encoder.wait():
            said.seek(0)
            reason = said.read().decode(errors="replace").strip() or "ffmpeg does not say why"
            raise FileError(f"the video cannot be written: {reason}", "SN_EIO", os.fspath(path))
