# SPDX-License-Identifier: Apache-2.0
"""Functions mj_*. Those of a model and a simulation check that they belong together."""

import functools

import numpy as np

from .._library import lib, text
from ..data import check_owner
from .enumerations import KIND_OF

__version__ = "3.2.0"   # of MuJoCo, whose interface these calls have

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
    return lib.sn_find(m._owner.pointer, KIND_OF[int(type)].encode(), name.encode())


def mj_id2name(m, type, id):
    """The name of an element; None if it has none."""
    return text(lib.sn_name(m._owner.pointer, KIND_OF[int(type)].encode(), id)) or None


def _target(out):
    """An array for results. They would be written to a copy of a list, and rounded to integers."""
    if not isinstance(out, np.ndarray) or out.dtype.kind != "f":
        raise TypeError("a NumPy array of floats is needed for the result, not "
                        f"{getattr(out, 'dtype', type(out).__name__)}")
    return out


def _put(out, values):
    if out is not None:
        _target(out)[...] = np.reshape(values, np.shape(out))


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
    _target(dst)[...] = 0
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
    _target(qfrc_target)[...] += d.apply_force(body, force, torque, point)


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
    """The version of MuJoCo whose interface these calls have."""
    return __version__


def mj_version():
    """The version of MuJoCo whose interface these calls have, as a number."""
    major, minor, patch = __version__.split(".")
    return int(major) * 100 + int(minor) * 10 + int(patch)


def mj_collision(m, d):
    """All that depends on positions."""
    d.forward_position()


mj_makeConstraint = mj_collision


def mj_fwdActuation(m, d):
    """Forward dynamics."""
    d.forward()


mj_fwdAcceleration = mj_fwdConstraint = mj_fwdActuation


def mj_getTotalmass(m):
    """The mass of all bodies."""
    return float(m.body_mass.sum())


def mj_saveModel(m, filename, buffer=None):
    """Writes the binary form of Sinew."""
    m.save(filename)


def mj_mulJacVec(m, d, res, vec):
    """res = J vec, for the constraint rows."""
    _put(res, d.constraint_jacobian() @ np.array(vec))


def mj_mulJacTVec(m, d, res, vec):
    """res = J' vec, for the constraint rows."""
    _put(res, d.constraint_jacobian().T @ np.array(vec))


def mj_ray(m, d, pnt, vec, geomgroup, flg_static, bodyexclude, geomid):
    """The distance of the first geom on a ray, in multiples of vec; -1: there is none. Its number
    is written to geomid."""
    groups = 0 if geomgroup is None else sum(1 << i for i, shown in enumerate(geomgroup) if shown)
    distance, geom = d.ray(pnt, vec, groups, bool(flg_static), int(bodyexclude))
    if geomid is not None:
        geomid[0] = geom
    return -1.0 if distance is None else distance


def mj_geomDistance(m, d, geom1, geom2, distmax, fromto):
    """The distance of two geoms, at most distmax; fromto (6) gets their nearest points."""
    distance, first, second = d.distance(geom1, geom2, distmax)
    _put(fromto, np.concatenate([first, second]))
    return min(distance, distmax)


def mj_objectVelocity(m, d, objtype, objid, res, flg_local):
    """The velocity of an element (angular, linear; 6) at its origin: global, or in its frame."""
    kind = KIND_OF[int(objtype)]
    if kind not in ("body", "xbody", "geom", "site"):
        raise NotImplementedError(f"mj_objectVelocity of a {kind}")
    prefix = {"body": "i", "xbody": "x"}.get(kind)
    where, frame = ((f"x{prefix}pos", f"x{prefix}mat") if kind == "body" else
                    ("xpos", "xmat") if kind == "xbody" else (f"{kind}_xpos", f"{kind}_xmat"))
    body = objid if prefix else int(getattr(m, f"{kind}_bodyid")[objid])
    jacp, jacr = d.jacobian(body, getattr(d, where)[objid])
    velocity = np.array([jacr @ d.qvel, jacp @ d.qvel])
    if flg_local:
        velocity = velocity @ getattr(d, frame)[objid].reshape(3, 3)
    _put(res, velocity)


def mjv_defaultFreeCamera(m, cam):
    """Sets a camera to look at the whole model."""
    from ..rendering import scene_camera
    found = scene_camera(m, None)
    cam.type, cam.fixedcamid, cam.trackbodyid = 0, -1, -1
    cam.lookat[:] = list(found.lookat)
    cam.distance, cam.azimuth, cam.elevation = found.distance, found.azimuth, found.elevation


def mjv_defaultCamera(cam):
    """Sets a camera to look at the origin from 2 m."""
    cam.__init__()


def mjv_defaultOption(opt):
    """Sets what is shown to the defaults."""
    opt.__init__()


def _of_both(function):
    """The function with a check of its first arguments. A simulation computes with its own model,
    and the edits of another one would do nothing."""
    @functools.wraps(function)
    def checked(m, d, *arguments, **named):
        if m is None or getattr(d, "_model", None) is not m:   # the usual case costs little
            check_owner(m, d)
        return function(m, d, *arguments, **named)
    return checked


for _name, _function in list(globals().items()):
    if _name.startswith("mj") and _function.__code__.co_varnames[:2] == ("m", "d"):
        globals()[_name] = _of_both(_function)

__all__ = [name for name in globals() if name.startswith(("mj", "set_mj"))]
