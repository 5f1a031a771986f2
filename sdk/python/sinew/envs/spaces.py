# SPDX-License-Identifier: Apache-2.0
"""The spaces of actions and observations: those of Gymnasium, or a box of our own without it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Optional

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

try:
    import gymnasium
except ImportError:
    gymnasium = None


class _Box:
    """Arrays with bounds for each number: what gymnasium.spaces.Box is, as far as it is needed."""

    def __init__(self, low: ArrayLike, high: ArrayLike, shape: Optional[tuple[int, ...]] = None,
                 dtype: type = np.float64, seed: Optional[int] = None):
        shape = np.shape(low) if shape is None else tuple(shape)
        self.low = np.broadcast_to(np.asarray(low, dtype), shape).copy()
        self.high = np.broadcast_to(np.asarray(high, dtype), shape).copy()
        self.shape, self.dtype = shape, np.dtype(dtype)
        self.seed(seed)

    def seed(self, seed: Optional[int] = None) -> list[Optional[int]]:
        """Seeds `sample`."""
        self._random = np.random.default_rng(seed)
        return [seed]

    def sample(self) -> np.ndarray:
        """Random numbers: uniform between bounds, normal where there are none."""
        bounded = np.isfinite(self.low) & np.isfinite(self.high)
        low, high = (np.where(bounded, end, 0) for end in (self.low, self.high))
        return np.where(bounded, self._random.uniform(low, high),
                        self._random.normal(size=self.shape)).astype(self.dtype)

    def contains(self, x: ArrayLike) -> bool:
        """Whether x is in the box."""
        x = np.asarray(x)
        return x.shape == self.shape and bool(np.all((x >= self.low) & (x <= self.high)))

    __contains__ = contains

    def __eq__(self, other):
        return (isinstance(other, _Box) and self.shape == other.shape
                and np.array_equal(self.low, other.low) and np.array_equal(self.high, other.high))

    def __repr__(self):
        return f"Box({self.low.min()}, {self.high.max()}, {self.shape}, {self.dtype})"


Box = _Box if gymnasium is None else gymnasium.spaces.Box
EnvBase = object if gymnasium is None else gymnasium.Env
VectorBase = object if gymnasium is None else gymnasium.vector.VectorEnv


def auto_reset():
    """The value of metadata["autoreset_mode"] for: the step after the end of an episode resets."""
    mode = getattr(getattr(gymnasium, "vector", None), "AutoresetMode", None)
    return mode.NEXT_STEP if mode is not None else "NextStep"


def box(low, high):
    """A box with these bounds."""
    low = np.asarray(low, np.float64)
    return Box(low, np.asarray(high, np.float64), low.shape, np.float64)


def batch(space, n):
    """The box of n of these."""
    return box(np.tile(space.low, (n, *[1] * len(space.shape))),
               np.tile(space.high, (n, *[1] * len(space.shape))))
