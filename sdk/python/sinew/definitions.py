# SPDX-License-Identifier: Apache-2.0
"""Definition structs of spec.h to and from Python values, by the table of their members."""

import re
from collections.abc import Mapping

import numpy as np

from . import _tables, enums
from ._library import NULL, InvalidError, encode, ffi, lib, similar, text
from .fields import index, integers, put_reals, reals

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
        return index(value, f"{kind}.{member}")
    prefix = enumeration(kind, member)
    if prefix is None:
        raise InvalidError(f"{kind}.{member}: an integer is needed, got '{value}'")
    return enums.number(prefix, value, f"{kind}.{member}")


SEQUENCES = ("struct sn_reals", "struct sn_ints")
# sizes and parameters, of which the first ones may be given
SHORTER = re.compile("size|friction|solref|solimp|fluidcoef|prm$|gear|springlength|^dof_")


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


def orientation(value, where, name):
    """A quaternion, or a dict with one of quat, axisangle, euler, xyaxes, zaxis; None: not that."""
    alternatives = value if isinstance(value, dict) else {"quat": value}
    for given, numbers in alternatives.items():
        if given not in ORIENTATIONS:
            raise InvalidError(f"an orientation has no '{given}'" + similar(given, ORIENTATIONS))
        for other in ORIENTATIONS[1:]:
            if numbers is not None or other == given:
                setattr(where, other, [float("nan")] * len(getattr(where, other)))
        if numbers is not None:
            put_reals(where, given, numbers, f"{name}.{given}")


def check_length(name, given, old):
    """Rejects more values than a fixed array has; fewer change the first ones."""
    if len(given) > len(old):
        raise InvalidError(f"{name}: at most {len(old)} values, got {len(given)}")


def put_first(old, given, name):
    """Sets the first values of a fixed array."""
    check_length(name, given, old)
    for place, value in enumerate(given):
        old[place] = value


def listed(value, name, content):
    """A list of several values; content: what they are."""
    if isinstance(value, (str, bytes, Mapping)) or not hasattr(value, "__iter__"):
        raise InvalidError(f"{name}: a list of {content} is needed, got {value!r:.60}")
    return list(value)


def content(value, name, keep):
    try:
        made = ffi.from_buffer("uint8_t[]", bytes(memoryview(value)))
    except TypeError:
        raise InvalidError(f"{name}: bytes are needed, got {value!r:.60}") from None
    keep.append(made)
    return made


def items(struct_name, members, keep, where):
    """An array of small structs (wrap, item, bone) from a list of dicts."""
    members = listed(members, where, "dicts")
    made = ffi.new(f"{struct_name}[]", len(members))
    keep.append(made)
    fields = dict(ffi.typeof(struct_name).fields)
    for element, values in zip(made, members):
        if not isinstance(values, Mapping):
            raise InvalidError(f"{where}: a list of dicts is needed, an item is {values!r:.60}")
        for member, value in values.items():
            name = f"{where}.{member}"
            if member not in fields:
                known = [field for field in fields if not field.startswith("reserved")]
                raise InvalidError(f"an item of {where} has no '{member}'; it has "
                                   + ", ".join(known))
            kind = fields[member].type
            if kind.cname == "char *":
                setattr(element, member, string(value, keep))
            elif kind.cname in SEQUENCES:
                put_sequence(getattr(element, member), value, name, keep)
            elif kind.kind == "array" or kind.cname == "double":
                put_reals(element, member, value, name)
            elif member == "type" and isinstance(value, str):
                setattr(element, member, enums.number("WRAP", value, name))
            else:
                setattr(element, member, index(value, name))
    return made


def put(kind, struct, member, value, keep):
    """Sets a member of a definition; None: to its default. keep: what must live as long as the
    struct is used."""
    if member in ORIENTATIONS and member not in _tables.SPEC[kind]:
        member, value = "orient", {member: value}
    if member not in _tables.SPEC[kind]:
        raise InvalidError(f"{kind} has no '{member}'"
                           + similar(member, list(_tables.SPEC[kind]) + list(ORIENTATIONS)))
    form, _, _, about, _ = _tables.SPEC[kind][member]
    name, old = f"{kind}.{member}", getattr(struct, member)
    if form == "LIMITED":
        choice = LIMITED.get(value) if isinstance(value, (str, type(None))) else value
        if choice not in (0, 1, 2):
            raise InvalidError(f"{name}: one of auto, false, true is needed, got {value!r}")
        setattr(struct, member, int(choice))
    elif value is None:
        default = ffi.new(f"sn_{kind}_def *")
        getattr(lib, f"sn_default_{kind}")(default)
        for part in (member, about) if form in ("BYTES", "ITEMS") else (member,):
            setattr(struct, part, getattr(default, part))
    elif form in ("TEXT", "NAME"):
        setattr(struct, member, string(value, keep))
    elif form == "TEXTS":
        words = [value] if isinstance(value, str) else listed(value, name, "texts")
        put_first(old, [string(word, keep) for word in words], name)
    elif form in ("INT", "OWNER", "FLAG") and isinstance(old, ffi.CData):
        put_first(old, integers(value, name).reshape(-1).tolist(), name)
    elif form in ("INT", "OWNER", "FLAG"):
        setattr(struct, member, integer(kind, member, getattr(value, "id", value)))
    elif form == "REAL" and SHORTER.search(member) and isinstance(old, ffi.CData):
        put_first(old, reals(value, name).reshape(-1).tolist(), name)
    elif form == "REAL":
        put_reals(struct, member, value, name)
    elif form == "ORIENT":
        orientation(value, old, kind)
    elif form in ("REALS", "INTS"):
        put_sequence(old, value, name, keep)
    elif form == "BYTES" and ffi.typeof(old).kind == "array":   # one for each side of a cube
        parts = [content(b"" if part is None else part, name, keep)
                 for part in listed(value, name, "bytes")]
        put_first(old, [part if len(part) else NULL for part in parts], name)
        put_first(getattr(struct, about), [len(part) for part in parts], name)
    else:
        made = (content(value, name, keep) if form == "BYTES" else
                items(ffi.typeof(old).item.cname, value, keep, name))
        setattr(struct, member, made if len(made) else NULL)
        setattr(struct, about, len(made))


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
