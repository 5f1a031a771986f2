# SPDX-License-Identifier: Apache-2.0
"""launch and launch_passive, by sinew.view, whose page has its own camera and buttons."""

import contextlib
import time

from .. import viewing
from .rendering import MjvCamera, MjvOption


class Handle:
    """The handle of launch_passive. cam and opt are kept, but the page has its own."""

    def __init__(self, viewer):
        self._viewer = viewer
        self.m, self.d = viewer.model, viewer.data
        self.cam, self.opt, self.perturb = MjvCamera(), MjvOption(), None

    def is_running(self):
        """False when the page was closed."""
        return self._viewer.is_running()

    def sync(self, state_only=False):
        """Shows the present state."""
        self._viewer.sync()

    def lock(self):
        """A context manager: nothing else uses the simulation, so it does nothing."""
        return contextlib.nullcontext()

    def close(self):
        """Ends the page."""
        self._viewer.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
        return False


def launch_passive(model, data, *, key_callback=None, show_left_ui=True, show_right_ui=True):
    """Shows a simulation that the program steps. key_callback is not called: the page has buttons.
    """
    return Handle(viewing.view(model, data))


def launch(model, data=None, **_):
    """Shows a simulation and steps it, until the page is closed."""
    with viewing.view(model, data) as viewer:
        while not viewer._watched and viewer.is_running():   # the browser is being started
            time.sleep(0.05)
        viewer.run()
