# SPDX-License-Identifier: Apache-2.0
"""The enumerations: their words are those of MuJoCo, their numbers those of Sinew's headers."""

import enum
import math

from .. import _tables


def _enumeration(name, prefix, words, kind=enum.IntEnum):
    return kind(name, {f"{prefix}_{word}": value for word, value in words.items()}, module=__name__)


_ENUMS = _tables.ENUMS
mjtObj = _enumeration("mjtObj", "mjOBJ", _ENUMS["OBJECT"])
mjtGeom = _enumeration("mjtGeom", "mjGEOM", _ENUMS["GEOM"])
mjtJoint = _enumeration("mjtJoint", "mjJNT", _ENUMS["JOINT"])
mjtSensor = _enumeration("mjtSensor", "mjSENS", _ENUMS["SENSOR"])
mjtTrn = _enumeration("mjtTrn", "mjTRN", _ENUMS["TRN"])
mjtEq = _enumeration("mjtEq", "mjEQ", _ENUMS["EQUALITY"])
mjtCone = _enumeration("mjtCone", "mjCONE", _ENUMS["CONE"])
mjtState = _enumeration("mjtState", "mjSTATE", _ENUMS["STATE"], enum.IntFlag)
mjtDisableBit = _enumeration("mjtDisableBit", "mjDSBL", _ENUMS["DISABLE"], enum.IntFlag)
mjtEnableBit = _enumeration("mjtEnableBit", "mjENBL", _ENUMS["ENABLE"], enum.IntFlag)
mjtIntegrator = enum.IntEnum("mjtIntegrator", {"mjINT_EULER": 0, "mjINT_RK4": 1,
                                               "mjINT_IMPLICIT": 2, "mjINT_IMPLICITFAST": 3})
mjtSolver = enum.IntEnum("mjtSolver", {"mjSOL_PGS": 0, "mjSOL_CG": 1, "mjSOL_NEWTON": 2})
mjMINVAL = 1e-15
mjPI = math.pi
mjtWarning = enum.IntEnum("mjtWarning", {
    "mjWARN_INERTIA": 0, "mjWARN_CONTACTFULL": 1, "mjWARN_CNSTRFULL": 2, "mjWARN_VGEOMFULL": 3,
    "mjWARN_BADQPOS": 4, "mjWARN_BADQVEL": 5, "mjWARN_BADQACC": 6, "mjWARN_BADCTRL": 7})
mjtCamera = enum.IntEnum("mjtCamera", {"mjCAMERA_FREE": 0, "mjCAMERA_TRACKING": 1,
                                       "mjCAMERA_FIXED": 2, "mjCAMERA_USER": 3})
mjtFrame = _enumeration("mjtFrame", "mjFRAME", _ENUMS["FRAME"])
mjtLabel = _enumeration("mjtLabel", "mjLABEL", _ENUMS["LABEL"])
mjtVisFlag = _enumeration("mjtVisFlag", "mjVIS", {word.replace("PERTOBJECT", "PERTOBJ"): value
                                                  for word, value in _ENUMS["SHOW"].items()})
PROVIDERS = {"integrator": ("euler", "rk4", "implicit", "implicitfast"),
             "solver": ("pgs", "cg", "newton")}
KIND_OF = {value: word.lower() for word, value in _ENUMS["OBJECT"].items()}
__all__ = [name for name in globals() if name.startswith("mj")]
