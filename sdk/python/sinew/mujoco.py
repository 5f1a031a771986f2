# SPDX-License-Identifier: Apache-2.0
"""Calls of MuJoCo's Python package, for programs that are moved to Sinew.

    from sinew import mujoco      instead of      import mujoco

Programs that use only what docs/python_from_mujoco.md lists run with this one change. Any other
name raises an error with that name. New programs are shorter with sinew itself.
"""

import enum
import math

import numpy as np

from . import _tables
from ._library import lib, text
from .data import Data
from .model import Model
from .names import DATA_NAMES, KINDS, MODEL_NAMES, Element, find
from .settings import Settings
from .spec import Spec

__version__ = text(lib.sn_version())


class Missing(AttributeError, NotImplementedError):
    """A name of MuJoCo's package that this one does not have."""


def __getattr__(name):
    if name.startswith("__"):
        raise AttributeError(name)
    raise Missing(f"sinew.mujoco has no '{name}'; docs/python_from_mujoco.md lists what it has")


# ---------------------------------------------------------------- enumerations

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
_PROVIDERS = {"integrator": ("euler", "rk4", "implicit", "implicitfast"),
              "solver": ("pgs", "cg", "newton")}
_KIND_OF = {value: word.lower() for word, value in _ENUMS["OBJECT"].items()}


# ---------------------------------------------------------------- models and simulations

class _Options(Settings):
    """Options whose integrator and solver are the integers of MuJoCo."""

    __slots__ = ()

    def __getattr__(self, name):
        value = super().__getattr__(name)
        if name in _PROVIDERS:
            return _PROVIDERS[name].index(value) if value in _PROVIDERS[name] else value
        return value

    def __setattr__(self, name, value):
        if name in _PROVIDERS and not isinstance(value, str):
            value = _PROVIDERS[name][value]
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
        def get(self, key):
            model = self if of_model else self.model
            return _Element(self, model, table[kind], kind, find(model, kind, key))
        get.__doc__ = f"The {kind} with this name or number."
        return get
    made = {kind: method(kind) for kind in KINDS}
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


class MjData(_methods(DATA_NAMES, False), Data):
    """A simulation; see sinew.Data."""

    @property
    def contact(self):
        """The contacts: d.contact[0].geom1, d.contact.dist."""
        return self.contacts.view(np.recarray)

    def copy(self):
        made = super().copy()
        made.__class__ = MjData
        return made

    __copy__ = copy


# ---------------------------------------------------------------- functions

_control = None


def set_mjcb_control(callback):
    """callback(m, d) is called by mj_step before each step, after positions and velocities were
    computed; None: none. In each step once, also with integrators that evaluate several times."""
    global _control
    _control = callback


def mj_step(m, d, nstep=1):
    """Makes nstep time steps."""
    if _control is None:
        d.step(nstep)
        return
    for _ in range(nstep):
        mj_step1(m, d)
        d.step()


def mj_step1(m, d):
    """What depends on positions and velocities; then the control callback."""
    d.forward_position()
    d.forward_velocity()
    if _control is not None:
        _control(m, d)


def mj_step2(m, d):
    """The step, with the controls that were set after mj_step1."""
    d.step()


def mj_forward(m, d):
    """Forward dynamics."""
    if _control is not None:
        mj_step1(m, d)
    d.forward()


def mj_inverse(m, d):
    """Inverse dynamics: d.qfrc_inverse from d.qacc."""
    d.inverse()


def mj_kinematics(m, d):
    """All that depends on positions."""
    d.forward_position()


def mj_fwdPosition(m, d):
    """All that depends on positions."""
    d.forward_position()


def mj_fwdVelocity(m, d):
    """All that depends on velocities."""
    d.forward_velocity()


def mj_comPos(m, d):
    """Nothing: mj_kinematics has computed it."""


def mj_resetData(m, d):
    """Resets the state."""
    d.reset()


def mj_resetDataKeyframe(m, d, key):
    """Resets to a keyframe."""
    d.reset(key)


def mj_name2id(m, type, name):
    """The number of an element; -1: there is none."""
    return lib.sn_find(m._owner.pointer, _KIND_OF[int(type)].encode(), name.encode())


def mj_id2name(m, type, id):
    """The name of an element; None if it has none."""
    return text(lib.sn_name(m._owner.pointer, _KIND_OF[int(type)].encode(), id)) or None


def _put(out, values):
    if out is not None:
        np.asarray(out)[...] = np.reshape(values, np.shape(out))


def mj_jac(m, d, jacp, jacr, point, body):
    """Jacobians (3 x nv) of a global point of a body; either may be None."""
    for out, values in zip((jacp, jacr), d.jacobian(body, point)):
        _put(out, values)


def mj_jacBody(m, d, jacp, jacr, body):
    """Jacobians of the origin of a body."""
    mj_jac(m, d, jacp, jacr, d.xpos[body], body)


def mj_jacBodyCom(m, d, jacp, jacr, body):
    """Jacobians of the center of mass of a body."""
    mj_jac(m, d, jacp, jacr, None, body)


def mj_jacSite(m, d, jacp, jacr, site):
    """Jacobians of a site."""
    mj_jac(m, d, jacp, jacr, d.site_xpos[site], int(m.site_bodyid[site]))


def mj_jacGeom(m, d, jacp, jacr, geom):
    """Jacobians of the center of a geom."""
    mj_jac(m, d, jacp, jacr, d.geom_xpos[geom], int(m.geom_bodyid[geom]))


def mj_fullM(m, dst, M):
    """The dense inertia matrix (nv x nv) from d.qM."""
    dst = np.asarray(dst)
    dst[...] = 0
    for i in range(m.nv):
        j, k = i, int(m.dof_Madr[i])
        while j >= 0:
            dst[i, j] = dst[j, i] = M[k]
            j, k = int(m.dof_parentid[j]), k + 1


def mj_mulM(m, d, res, vec):
    """res = M vec."""
    _put(res, d.multiply_inertia(vec))


def mj_solveM(m, d, x, y):
    """x = M^-1 y, for each row."""
    _put(x, np.array([d.solve_inertia(row) for row in np.atleast_2d(y)]))


def mj_contactForce(m, d, id, result):
    """Force and torque (6) of a contact in its frame."""
    _put(result, d.contact_force(id))


def mj_applyFT(m, d, force, torque, point, body, qfrc_target):
    """Adds the generalized force of a force and a torque at a point of a body."""
    qfrc_target += d.apply_force(body, force, torque, point)


def mj_integratePos(m, qpos, qvel, dt):
    """Moves qpos along a velocity."""
    _put(qpos, m.integrate(qpos, qvel, dt))


def mj_differentiatePos(m, qvel, dt, qpos1, qpos2):
    """The velocity that leads from qpos1 to qpos2."""
    _put(qvel, m.difference(qpos1, qpos2, dt))


def mjd_transitionFD(m, d, eps, flg_centered, A, B, C=None, D=None):
    """Derivatives of a step by finite differences; any of the matrices may be None."""
    for out, values in zip((A, B, C, D), d.transition_fd(eps, bool(flg_centered), True)):
        _put(out, values)


def mj_stateSize(m, sig):
    """Numbers in a state."""
    return m.state_size(int(sig))


def mj_getState(m, d, state, sig):
    """Copies a state out."""
    _put(state, d.get_state(int(sig)))


def mj_setState(m, d, state, sig):
    """Sets a state."""
    d.set_state(state, int(sig))


def mj_setConst(m, d):
    """Computes again what depends on edited arrays of the model."""
    m.refresh()


def mj_rnePostConstraint(m, d):
    """Computes cacc, cfrc_int, cfrc_ext."""
    d.body_forces()


def mj_subtreeVel(m, d):
    """Computes subtree_linvel, subtree_angmom."""
    d.subtree_velocities()


def mj_energyPos(m, d):
    """Computes the energy."""
    d.compute_energy()


mj_energyVel = mj_energyPos


def mj_versionString():
    """The version of Sinew."""
    return __version__


# ---------------------------------------------------------------- quaternions, w x y z

def mju_mulQuat(res, quat1, quat2):
    """res = quat1 quat2."""
    (a, *u), (b, *v) = np.array(quat1, float), np.array(quat2, float)
    u, v = np.array(u), np.array(v)
    res[0], res[1:] = a * b - u @ v, a * v + b * u + np.cross(u, v)


def mju_negQuat(res, quat):
    """The conjugate."""
    res[:] = np.array(quat) * [1, -1, -1, -1]


def mju_quat2Mat(res, quat):
    """The rotation matrix (9)."""
    w, x, y, z = np.array(quat, float)
    _put(res, [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
               [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
               [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]])


def mju_rotVecQuat(res, vec, quat):
    """A vector, rotated."""
    matrix = np.zeros((3, 3))
    mju_quat2Mat(matrix, quat)
    res[:] = matrix @ np.array(vec)


def mju_axisAngle2Quat(res, axis, angle):
    """The rotation by an angle about a unit axis."""
    res[0], res[1:] = math.cos(angle / 2), math.sin(angle / 2) * np.array(axis)


def mju_mat2Quat(quat, mat):
    """The quaternion of a rotation matrix (9): the largest of the four is computed first, from the
    diagonal."""
    R = np.reshape(np.array(mat, float), (3, 3))
    trace = np.trace(R)
    squares = np.array([1 + trace, *(1 + 2 * np.diag(R) - trace)]) / 4
    k = int(np.argmax(squares))
    outer = np.zeros((4, 4))
    outer[0, 1:] = [R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]]
    outer[1, 2:], outer[2, 3] = [R[0, 1] + R[1, 0], R[0, 2] + R[2, 0]], R[1, 2] + R[2, 1]
    outer = (outer + outer.T) / 4 + np.diag(squares)
    quat[:] = outer[k] / math.sqrt(squares[k])


def mju_normalize4(quat):
    """Scales to length 1; returns the length."""
    length = float(np.linalg.norm(quat))
    quat[:] = np.array(quat) / length if length > mjMINVAL else [1, 0, 0, 0]
    return length


def mju_quat2Vel(res, quat, dt):
    """The angular velocity that makes a rotation in the time dt."""
    w, *v = np.array(quat, float)
    sine = np.linalg.norm(v)
    angle = 2 * math.atan2(sine, w)
    if angle > math.pi:
        angle -= 2 * math.pi
    res[:] = np.zeros(3) if sine < mjMINVAL else np.array(v) / sine * angle / dt


def mju_subQuat(res, qa, qb):
    """The rotation vector from qb to qa, in the frame of qb."""
    inverse, difference = np.zeros(4), np.zeros(4)
    mju_negQuat(inverse, qb)
    mju_mulQuat(difference, inverse, qa)
    mju_quat2Vel(res, difference, 1)
