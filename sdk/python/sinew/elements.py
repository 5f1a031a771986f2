# SPDX-License-Identifier: Apache-2.0
"""Which arrays an element has: those with a row for each element of its kind, and parts of those of
which it has several rows. They have their full names and names without the prefix of the kind. All
follows from the tables of sinew/fields_model.h."""

from . import _tables


def attributes(tables):
    """{ kind: { attribute: (field, rows) } } for the tables of one object."""
    found = {}
    for kind, (count, prefix, also) in _tables.ELEMENTS.items():
        names = found[kind] = {
            field: (field, row[1]) for field, row in tables.items()
            if row[1] == count or row[1] in _tables.PARTS[kind]}
        for omitted in (f"{prefix}_", also):
            for field, row in list(names.items()):
                short = field[len(omitted):]
                if field.startswith(omitted) and short.isidentifier() and short[0] != "_":
                    names.setdefault(short, row)
    return found


MODEL_NAMES = attributes(_tables.MODEL)
DATA_NAMES = attributes(_tables.DATA)
