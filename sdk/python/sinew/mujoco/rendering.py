# SPDX-License-Identifier: Apache-2.0
"""Renderer, MjvCamera, MjvOption: images, by sinew.Renderer."""

import numpy as np

from .. import rendering
from .._library import NULL, lib, text
from ..data import check_owner
from .enumerations import mjtCamera, mjtFrame, mjtLabel, mjtObj, mjtVisFlag


class MjvCamera:
    """Where an image is taken from."""

    def __init__(self):
        self.type, self.fixedcamid, self.trackbodyid = mjtCamera.mjCAMERA_FREE, -1, -1
        self.lookat, self.distance = np.zeros(3), 2.0
        self.azimuth, self.elevation = 90.0, -45.0

    def _of(self, model):
        if self.type == mjtCamera.mjCAMERA_FIXED:
            return int(self.fixedcamid)
        made = {"lookat": self.lookat, "distance": self.distance, "azimuth": self.azimuth,
                "elevation": self.elevation}
        if self.type == mjtCamera.mjCAMERA_TRACKING:
            made["body"] = int(self.trackbodyid)
        return made


class MjvOption:
    """What is shown."""

    def __init__(self):
        defaults = lib.sn_scene_default_options()
        self.flags = np.array([defaults.show[i] for i in range(len(mjtVisFlag))], np.uint8)
        self.frame, self.label = mjtFrame.mjFRAME_NONE, mjtLabel.mjLABEL_NONE
        for kind in rendering.GROUPS:
            mask = getattr(defaults, kind)
            setattr(self, kind[:-1] + "group", np.array([mask >> i & 1 for i in range(6)],
                                                        np.uint8))

    def _words(self):
        words = rendering.words(lambda index: lib.sn_scene_show_word(index, NULL, NULL))
        return {"show": [word for word, on in zip(words, self.flags) if on],
                "hide": [word for word, on in zip(words, self.flags) if not on],
                "frame": text(lib.sn_scene_frame_word(int(self.frame))),
                "label": text(lib.sn_scene_label_word(int(self.label))),
                "groups": {kind: np.nonzero(getattr(self, kind[:-1] + "group"))[0]
                           for kind in rendering.GROUPS}}


class Renderer:
    """Images of a model: r.update_scene(d, camera="side"); pixels = r.render()."""

    def __init__(self, model, height=240, width=320, max_geom=10000):
        self.model, self.height, self.width = model, height, width
        self._renderer, self._data, self._mode = rendering.Renderer(model), None, "rgb"
        self._camera, self._shown = None, {}

    def update_scene(self, data, camera=-1, scene_option=None):
        """Takes what the latest step or forward of the simulation computed."""
        check_owner(self.model, data)
        self._data = data.copy()
        if isinstance(camera, MjvCamera):
            camera = camera._of(self.model)
        self._camera = None if camera == -1 else camera
        self._shown = {} if scene_option is None else scene_option._words()

    def render(self, *, out=None):
        """The image: (height, width, 3) bytes; depths, or (ids, types) if these are enabled."""
        if self._data is None:
            raise RuntimeError("update_scene must be called before render")
        made = self._renderer.render(self._data, self._camera, self.width, self.height,
                                     self._mode == "depth", self._mode == "segment", **self._shown)
        if self._mode == "depth":
            made = made.depth
        elif self._mode == "segment":
            geom = int(mjtObj.mjOBJ_GEOM)
            ids = np.where(made.segment >= 0, made.segment, -1)
            made = np.stack([ids, np.where(ids >= 0, geom, -1)], axis=-1).astype(np.int32)
        if out is not None:
            out[...] = made
            return out
        return made

    def enable_depth_rendering(self):
        """render returns depths (height, width), m."""
        self._mode = "depth"

    def enable_segmentation_rendering(self):
        """render returns ids and types (height, width, 2)."""
        self._mode = "segment"

    def disable_depth_rendering(self):
        """render returns colors."""
        self._mode = "rgb"

    disable_segmentation_rendering = disable_depth_rendering

    def close(self):
        """Frees the canvas."""
        self._renderer = self._data = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
        return False
