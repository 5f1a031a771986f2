// SPDX-License-Identifier: Apache-2.0
//
// Orientations: five ways to say one, all to a unit quaternion (w, x, y, z).
//
//   quat        normalized
//   axisangle   rotation about an axis of any length
//   euler       rotations about the axes of eulerseq: lower case about axes that move with the
//               frame, upper case about those of the parent
//   xyaxes      x; y made orthogonal to x; z = x cross y
//   zaxis       the minimal rotation of z to the axis

#include <ctype.h>
#include <math.h>
#include <string.h>

#include "sinew/math.h"
#include "spec/spec.h"

// An axis shorter than this has no direction.
static int too_short(double length) {
  return length < 1e-14;
}

// Divides by the length, be it one but for rounding: even that decides the principal axes of
// symmetric bodies, see principal_axes.c.
static void make_unit(double *quat) {
  double length = sqrt(quat[0] * quat[0] + quat[1] * quat[1] + quat[2] * quat[2] +
                       quat[3] * quat[3]);
  for (int i = 0; i < 4; i++) {
    quat[i] /= length;
  }
}

static double angle_of(const sn_compiler *compiler, double angle) {
  return compiler->degree ? angle / 180 * SN_PI : angle;
}

static const char *from_axisangle(const double *a, const sn_compiler *compiler, double *quat) {
  double axis[3];
  sn_copy3(axis, a);
  if (too_short(sn_norm3(axis))) {
    return "the axis of axisangle is zero; set it to a nonzero vector, or remove axisangle";
  }
  sn_unit3(axis);
  sn_axisangle_quat(quat, axis, angle_of(compiler, a[3]));
  return NULL;
}

static const char *from_euler(const double *euler, const sn_compiler *compiler, double *quat) {
  sn_identity_quat(quat);
  for (int i = 0; i < 3; i++) {
    char letter = compiler->eulerseq[i];
    int axis = tolower((unsigned char)letter) - 'x';
    if (axis < 0 || axis > 2) {
      return "the compiler's eulerseq must be three letters of x y z X Y Z";
    }
    double turn[4] = { 0, 0, 0, 0 };
    double half = 0.5 * angle_of(compiler, euler[i]);
    turn[0] = cos(half);
    turn[1 + axis] = sin(half);
    if (islower((unsigned char)letter)) {
      sn_mul_quat(quat, quat, turn);
    } else {
      sn_mul_quat(quat, turn, quat);
    }
    make_unit(quat);
  }
  make_unit(quat);   // the first time leaves a last bit
  return NULL;
}

static const char *from_xyaxes(const double *xy, double *quat) {
  double x[3], y[3], z[3];
  sn_copy3(x, xy);
  sn_copy3(y, xy + 3);
  if (too_short(sn_norm3(x))) {
    return "the x axis of xyaxes is zero; set it to a nonzero vector, or remove xyaxes";
  }
  sn_unit3(x);
  sn_addscale3(y, y, -sn_dot3(x, y), x);
  if (too_short(sn_norm3(y))) {
    return "the axes of xyaxes are parallel, or the second is zero; specify two that are not "
           "parallel";
  }
  sn_unit3(y);
  sn_cross(z, x, y);
  sn_unit3(z);
  const double mat[9] = { x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2] };
  sn_mat_quat(quat, mat);
  make_unit(quat);
  return NULL;
}

static const char *from_zaxis(const double *z, double *quat) {
  if (too_short(sn_norm3(z))) {
    return "zaxis is zero; set it to a nonzero vector, or remove zaxis";
  }
  sn_z_to_quat(quat, z);
  return NULL;
}

int si_orient_given(const sn_orient *o) {
  return !isnan(o->axisangle[0]) + !isnan(o->euler[0]) + !isnan(o->xyaxes[0]) + !isnan(o->zaxis[0]);
}

static int count_set(const double *p, int n) {
  int set = 0;
  for (int i = 0; i < n; i++) {
    set += !isnan(p[i]);
  }
  return set;
}

static int is_partly_set(const double *p, int n) {
  const int set = count_set(p, n);
  return set && set < n;
}

const char *si_orient_quat(const sn_orient *o, const sn_compiler *compiler, double *quat) {
  if (is_partly_set(o->axisangle, 4) || is_partly_set(o->euler, 3) || is_partly_set(o->xyaxes, 6) ||
      is_partly_set(o->zaxis, 3)) {
    return "an orientation is specified in part; set all of its numbers";
  }
  if (si_orient_given(o) > 1) {
    return "its orientation is specified more than once; set only one of axisangle, euler, xyaxes, "
           "zaxis";
  }
  if (!isnan(o->axisangle[0])) {
    return from_axisangle(o->axisangle, compiler, quat);
  }
  if (!isnan(o->euler[0])) {
    return from_euler(o->euler, compiler, quat);
  }
  if (!isnan(o->xyaxes[0])) {
    return from_xyaxes(o->xyaxes, quat);
  }
  if (!isnan(o->zaxis[0])) {
    return from_zaxis(o->zaxis, quat);
  }
  sn_copy4(quat, o->quat);
  sn_unit4(quat);
  return NULL;
}

// ------------------------------------------------------------------ fromto

int si_fromto_given(const double *fromto) {
  return count_set(fromto, 6) > 0;
}

const char *si_orient_fromto(const double *fromto, int32_t type, double *pos, double *quat,
                             double *size) {
  int round = type == SN_GEOM_CAPSULE || type == SN_GEOM_CYLINDER;
  if (!round && type != SN_GEOM_ELLIPSOID && type != SN_GEOM_BOX) {
    return "fromto is for capsules, cylinders, ellipsoids and boxes";
  }
  if (is_partly_set(fromto, 6)) {
    return "fromto needs six numbers";
  }
  // z points from the second end to the first
  double z[3];
  sn_sub3(z, fromto, fromto + 3);
  double length = sn_norm3(z);
  if (too_short(length)) {
    return "the two ends of fromto coincide; move one of them, or set pos";
  }
  sn_add3(pos, fromto, fromto + 3);
  sn_scale3(pos, pos, 0.5);
  sn_z_to_quat(quat, z);

  // half the length is along z; what is thick has the radius on both other axes
  size[round ? 1 : 2] = 0.5 * length;
  if (!round) {
    size[1] = size[0];
  }
  return NULL;
}
