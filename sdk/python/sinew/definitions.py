# SPDX-License-Identifier: Apache-2.0
"""Definition structs of spec.h to and from Python values, by the table of their members."""

import operator

import numpy as np

from . import _tables, enums
from ._library import NULL, InvalidError, encode, ffi, similar, text
from .fields import integers

ORIENTATIONS = tuple(name for name, _ in ffi.typeof("sn_orient").fields)   # quat, axisangle ...


LIMITED = {"auto": 2, None: 2, "false": 0, "true": 1}


def enumeration(kind, member):
    """The prefix of the enumeration of an integer member, "GEOM"; None if it has none."""
    field = _tables.SPEC[kind][member][1]
    comment = _tables.SPEC_COMMENTS[kind].get(member, "")
    for meaning in (_tables.MODEL.get(field, ("",) * 6)[5], comment):
        if meaning.startswith("SN_") and "*" in meaning:
            return meaning[3:].split("_*")[0]
    return None


def integer(kind, member, value):
    if not isinstance(value, str):
        return operator.index(value)
    prefix = enumeration(kind, member)
    if prefix is None:
        raise InvalidError(f"{kind}.{member}: an integer is needed, got '{value}'")
    return enums.number(prefix, value, f"{kind}.{member}")


def reals(value, name):
    return np.asarray(value, np.float64)


SEQUENCES = ("struct sn_reals", "struct sn_ints")


def put_sequence(where, value, name, keep):
    """Sets an sn_reals or sn_ints."""
    number = ffi.typeof(where.p).item.cname
    convert = reals if number == "double" else integers
    array = np.ascontiguousarray(convert([] if value is None else value, name)).reshape(-1)
    keep.append(array)
    where.p = ffi.from_buffer(f"{number}[]", array) if array.size else NULL
    where.n = array.size


def string(value, keep):
    if value is None:
        return NULL
    made = ffi.new("char[]", encode(getattr(value, "name", value)))
    keep.append(made)
    return made


def orientation(value, where):
    """A quaternion, or a dict with one of quat, axisangle, euler, xyaxes, zaxis."""
    alternatives = value if isinstance(value, dict) else {"quat": value}
    for name, numbers in alternatives.items():
        if name not in ORIENTATIONS:
            raise InvalidError(f"an orientation has no '{name}'" + similar(name, ORIENTATIONS))
        for other in ORIENTATIONS[1:]:
            count = len(getattr(where, other))
            setattr(where, other, [float("nan")] * count)
        put_numbers(where, name, numbers)


def check_length(member, given, old):
    """Rejects more values than a fixed array has; fewer change the first ones."""
    if len(given) > len(old):
        raise InvalidError(f"{member}: at most {len(old)} values, got {len(given)}")


def put_numbers(struct, member, value):
    """A number or a fixed array of numbers; a shorter list changes the first ones."""
    old = getattr(struct, member)
    try:
        given = [float(x) for x in np.ravel(float("nan") if value is None else value)]
    except (TypeError, ValueError):
        raise InvalidError(f"{member}: numbers are needed, got {value!r:.60}") from None
    if not isinstance(old, ffi.CData):
        if len(given) != 1:
            raise InvalidError(f"{member}: one number is needed, got {value!r:.60}")
        setattr(struct, member, given[0])
        return
    check_length(member, given, old)
    for index, number in enumerate(given if value is not None else given * len(old)):
        old[index] = number


def items(struct_name, members, keep, where):
    """An array of small structs (wrap, item, bone) from a list of dicts."""
    made = ffi.new(f"{struct_name}[]", len(members))
    keep.append(made)
    fields = dict(ffi.typeof(struct_name).fields)
    for element, values in zip(made, members):
        for name, value in values.items():
            if name not in fields:
                known = [field for field in fields if not field.startswith("reserved")]
                raise InvalidError(f"an item of {where} has no '{name}'; it has "
                                   + ", ".join(known))
            kind = fields[name].type
            if kind.cname == "char *":
                setattr(element, name, string(value, keep))
            elif kind.cname in SEQUENCES:
                put_sequence(getattr(element, name), value, name, keep)
            elif kind.kind == "array":
                put_numbers(element, name, value)
            elif name == "type" and isinstance(value, str):
                setattr(element, name, enums.number("WRAP", value, "type"))
            else:
                setattr(element, name, value)
    return made


def put(kind, struct, member, value, keep):
    """Sets a member of a definition. keep: what must live as long as the struct is used."""
    if member in ORIENTATIONS and member not in _tables.SPEC[kind]:
        member, value = "orient", {member: value}
    if member not in _tables.SPEC[kind]:
        raise InvalidError(f"{kind} has no '{member}'"
                           + similar(member, list(_tables.SPEC[kind]) + list(ORIENTATIONS)))
    form, _, _, about, _ = _tables.SPEC[kind][member]
    if form in ("TEXT", "NAME"):
        setattr(struct, member, string(value, keep))
    elif form == "TEXTS":
        words = [value] if isinstance(value, str) else list(value)
        check_length(f"{kind}.{member}", words, getattr(struct, member))
        for index, word in enumerate(words):
            getattr(struct, member)[index] = string(word, keep)
    elif form in ("INT", "OWNER", "FLAG"):
        old = getattr(struct, member)
        if isinstance(old, ffi.CData):
            given = integers(value, f"{kind}.{member}").reshape(-1)
            check_length(f"{kind}.{member}", given, old)
            for index, number in enumerate(given):
                old[index] = int(number)
        else:
            setattr(struct, member, integer(kind, member, getattr(value, "id", value)))
    elif form == "LIMITED":
        choice = LIMITED.get(value, value)
        if choice not in (0, 1, 2):
            raise InvalidError(f"{kind}.{member}: one of auto, false, true is needed, got "
                               f"{value!r}")
        setattr(struct, member, int(choice))
    elif form == "REAL":
        put_numbers(struct, member, value)
    elif form == "ORIENT":
        orientation(value, getattr(struct, member))
    elif form in ("REALS", "INTS"):
        put_sequence(getattr(struct, member), value, f"{kind}.{member}", keep)
    elif form == "BYTES":
        put_bytes(struct, member, about, value, keep)
    else:
        pointed = dict(ffi.typeof(f"sn_{kind}_def").fields)[member].type.item
        made = items(pointed.cname, value, keep, f"{kind}.{member}")
        setattr(struct, member, made)
        setattr(struct, about, len(made))


def put_bytes(struct, member, count, value, keep):
    if isinstance(getattr(struct, count), ffi.CData):   # one for each side of a cube
        check_length(member, value, getattr(struct, count))
        for index, content in enumerate(value):
            if not content:
                continue
            part = ffi.from_buffer("uint8_t[]", bytes(content))
            keep.append(part)
            getattr(struct, member)[index] = part
            getattr(struct, count)[index] = len(part)
        return
    part = ffi.from_buffer("uint8_t[]", bytes(value))
    keep.append(part)
    setattr(struct, member, part if value else NULL)
    setattr(struct, count, len(part))


def get(kind, struct, member):
    """The value of a member, in the form that `put` takes."""
    form, _, _, about, _ = _tables.SPEC[kind][member]
    value = getattr(struct, member)
    if form in ("TEXT", "NAME"):
        return text(value)
    if form == "TEXTS":
        return [text(word) for word in value]
    if form == "ORIENT":
        return get_orientation(value)
    if form in ("REALS", "INTS"):
        return np.array(ffi.unpack(value.p, value.n) if value.n else [],
                        np.float64 if form == "REALS" else np.int32)
    if form == "BYTES":
        counts = getattr(struct, about)
        if isinstance(counts, ffi.CData):
            return [bytes(ffi.buffer(p, n)) if n else b"" for p, n in zip(value, counts)]
        return bytes(ffi.buffer(value, counts)) if counts else b""
    if form == "ITEMS":
        return [get_item(value[index]) for index in range(getattr(struct, about))]
    return np.array(list(value)) if isinstance(value, ffi.CData) else value


def get_orientation(value):
    """The quaternion, or a dict with the alternative that is set."""
    for name in ORIENTATIONS[1:]:
        numbers = np.array(list(getattr(value, name)))
        if not np.isnan(numbers).any():
            return {name: numbers}
    return np.array(list(value.quat))


def get_item(struct):
    made = {}
    for name, field in ffi.typeof(struct).fields:
        value = getattr(struct, name)
        if name.startswith("reserved"):
            continue
        if field.type.cname == "char *":
            made[name] = text(value)
        elif field.type.cname in SEQUENCES:
            made[name] = ffi.unpack(value.p, value.n) if value.n else []
        else:
            made[name] = list(value) if isinstance(value, ffi.CData) else value
    return made
