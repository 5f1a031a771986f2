# SPDX-License-Identifier: Apache-2.0
"""The documented integers of sinew/enums.h: sinew.enums.Geom.BOX, Joint.HINGE, State.QPOS ..."""

import enum

from . import _tables
from ._library import InvalidError, similar

BITS = ("DISABLE", "ENABLE", "STATE", "ENGINE")


def _make():
    for name, values in _tables.ENUMS.items():
        if len(values) < 2 or not name:
            continue
        kind = enum.IntFlag if name in BITS else enum.IntEnum
        title = name.title()
        globals()[title] = kind(title, values, module=__name__)


_make()


def number(prefix, word, what):
    """The number of a word: number("GEOM", "box", "geom.type"). what: the name in a message."""
    values = {key.lower(): value for key, value in _tables.ENUMS[prefix].items()}
    try:
        return values[word.lower()]
    except (KeyError, AttributeError):
        raise InvalidError(f"{what}: {word!r} is none of: {', '.join(values)}"
                           + similar(word, values)) from None
