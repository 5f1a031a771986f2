# SPDX-License-Identifier: Apache-2.0
"""MjModel and MjData."""

import numpy as np

from .._library import InvalidError, lib
from ..data import CONTACT, Data
from ..model import Model
from ..names import DATA_NAMES, MODEL_NAMES, Element, find
from ..settings import Settings
from ..spec import Spec
from .enumerations import PROVIDERS, mjtWarning


class _Options(Settings):
    """Options whose integrator and solver are the integers of MuJoCo."""

    __slots__ = ()

    def __getattr__(self, name):
        value = super().__getattr__(name)
        if name in PROVIDERS:
            return PROVIDERS[name].index(value) if value in PROVIDERS[name] else value
        return value

    def __setattr__(self, name, value):
        if name in PROVIDERS and not isinstance(value, str):
            if not 0 <= value < len(PROVIDERS[name]):
                raise InvalidError(f"opt.{name}: a number from 0 to {len(PROVIDERS[name]) - 1} is "
                                   f"needed, not {value}")
            value = PROVIDERS[name][value]
        super().__setattr__(name, value)


class _Element(Element):
    """An element whose attributes are arrays, also those of one number."""

    __slots__ = ()

    def _part(self, name):
        array, part = super()._part(name)
        if isinstance(part, int) and array.ndim == 1:
            part = slice(part, part + 1)
        return array, part


def _methods(table, of_model):
    short = {"jnt": "joint", "cam": "camera", "tex": "texture", "mat": "material",
             "eq": "equality", "ten": "tendon", "keyframe": "key"}

    def method(kind):
        def get(self, key=""):
            model = self if of_model else self.model
            return _Element(self, model, table[kind], kind, find(model, kind, key))
        get.__doc__ = (f"The {kind} with this name or number. Any other name, or none, raises a "
                       "KeyError that lists the names.")
        return get
    made = {kind: method(kind) for kind in MODEL_NAMES}
    made.update({word: made[kind] for word, kind in short.items()})
    return type("Names", (), made)


class MjModel(_methods(MODEL_NAMES, True), Model):
    """A model; see sinew.Model."""

    @classmethod
    def from_xml_path(cls, filename, assets=None):
        """Loads a file of any format that Sinew reads. assets: files in memory, { name: bytes }."""
        if assets:
            with open(filename, encoding="utf-8") as file:
                return cls.from_xml_string(file.read(), assets)
        return cls(filename)

    @classmethod
    def from_xml_string(cls, xml, assets=None):
        """Loads a text. assets: files that it refers to, { name: bytes }."""
        spec = Spec.loads(xml, files=assets)
        made = spec.compile()
        made.__class__ = cls
        return made

    @classmethod
    def from_binary_path(cls, filename, assets=None):
        """Loads a binary file of Sinew."""
        return cls(filename)

    @property
    def opt(self):
        """The options."""
        plain = super().opt
        return _Options("option", plain._get, plain._set, plain._parse)

    def __copy__(self):
        made = super().__copy__()
        made.__class__ = MjModel
        return made


class _Warning:
    """The statistics of one warning."""

    __slots__ = ("number", "lastinfo")

    def __init__(self, number):
        self.number, self.lastinfo = number, 0


# of mjtWarning: those of Sinew; there is no limit of contacts, constraints and drawn geoms
_WARNINGS = {mjtWarning.mjWARN_INERTIA: lib.SN_WARN_INERTIA,
             mjtWarning.mjWARN_BADQPOS: lib.SN_WARN_BADQPOS,
             mjtWarning.mjWARN_BADQVEL: lib.SN_WARN_BADQVEL,
             mjtWarning.mjWARN_BADQACC: lib.SN_WARN_BADQACC,
             mjtWarning.mjWARN_BADCTRL: lib.SN_WARN_BADCTRL}


class _Warnings:
    """The statistics of all warnings."""

    def __init__(self, data):
        self._data = data

    def __getitem__(self, kind):
        kind = mjtWarning(kind)
        return _Warning(lib.sn_data_warning_count(self._data._owner.pointer, _WARNINGS[kind])
                        if kind in _WARNINGS else 0)

    def __len__(self):
        return len(mjtWarning)

    def __iter__(self):
        return (self[kind] for kind in mjtWarning)

    @property
    def number(self):
        """All counts."""
        return np.array([one.number for one in self])


_CONTACT = np.dtype(CONTACT.descr + [("geom", "i4", (2,))])


class MjData(_methods(DATA_NAMES, False), Data):
    """A simulation; see sinew.Data."""

    @property
    def contact(self):
        """The contacts: d.contact[0].geom1, d.contact.dist; d.contact.geom: both geoms (n, 2)."""
        found = self.contacts
        made = np.recarray(len(found), _CONTACT)
        for name in CONTACT.names:
            made[name] = found[name]
        made.geom = np.stack([found["geom1"], found["geom2"]], axis=1)
        return made

    @property
    def warning(self):
        """Counts of warnings: d.warning[mujoco.mjtWarning.mjWARN_BADQACC].number."""
        return _Warnings(self)

    def copy(self):
        made = super().copy()
        made.__class__ = MjData
        return made

    __copy__ = copy
