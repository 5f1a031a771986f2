# SPDX-License-Identifier: Apache-2.0
"""Functions mju_*: vectors and quaternions, w x y z."""

import math

import numpy as np

from .enumerations import mjMINVAL

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
    res[...] = np.reshape([[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
               [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
               [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]], np.shape(res))


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


def mju_normalize3(vec):
    """Scales to length 1; returns the length."""
    length = float(np.linalg.norm(vec))
    vec[:] = np.array(vec) / length if length > mjMINVAL else [1, 0, 0]
    return length


def mju_norm3(vec):
    """The length."""
    return float(np.linalg.norm(vec))


def mju_norm(vec):
    """The length."""
    return float(np.linalg.norm(vec))


def mju_dist3(pos1, pos2):
    """The distance of two points."""
    return float(np.linalg.norm(np.subtract(pos1, pos2)))


def mju_cross(res, a, b):
    """res = a x b."""
    res[:] = np.cross(a, b)


def mju_mulMatVec3(res, mat, vec):
    """res = mat vec, 3 x 3."""
    res[:] = np.reshape(mat, (3, 3)) @ np.array(vec)


def mju_mulMatTVec3(res, mat, vec):
    """res = mat' vec, 3 x 3."""
    res[:] = np.reshape(mat, (3, 3)).T @ np.array(vec)


def mju_quatIntegrate(quat, vel, scale):
    """Turns quat by the angular velocity vel, in its own frame, for the time scale."""
    rate = float(np.linalg.norm(vel))
    if rate > mjMINVAL:
        turn = np.zeros(4)
        mju_axisAngle2Quat(turn, np.array(vel) / rate, rate * scale)
        mju_mulQuat(quat, np.array(quat), turn)


def mju_euler2Quat(quat, euler, seq):
    """The quaternion of three angles about the axes seq: small letters turn about the axes that
    move, capitals about those that are fixed."""
    total, turn = np.array([1.0, 0, 0, 0]), np.zeros(4)
    for angle, letter in zip(euler, seq):
        mju_axisAngle2Quat(turn, np.eye(3)["xyz".index(letter.lower())], angle)
        first, second = (total, turn) if letter.islower() else (turn, total)
        mju_mulQuat(total, first.copy(), second.copy())
    quat[:] = total


__all__ = [name for name in globals() if name.startswith("mju_")]
