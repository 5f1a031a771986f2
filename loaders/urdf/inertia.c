// SPDX-License-Identifier: Apache-2.0
//
// Element `inertial`: mass, center, and the matrix of inertia about the center. A matrix belongs to
// a rigid body when its eigenvalues, the principal moments, are positive and no two of them are
// less than the third. Others are refused with the cure, or repaired when the compiler's
// balanceinertia asks: all moments become their mean. A matrix of zeros is one of a link without
// mass, which the model's compiler judges.
//
// Eigenvalues in closed form: Smith, Eigenvalues of a symmetric 3x3 matrix, CACM 4 (1961).

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sinew/math.h"
#include "urdf/urdf.h"

// xx yy zz xy xz yz to moments in descending order.
static void eigenvalues(const double *m, double *out) {
  double mean = (m[0] + m[1] + m[2]) / 3;
  double a = m[0] - mean, b = m[1] - mean, c = m[2] - mean, d = m[3], e = m[4], f = m[5];
  double p = sqrt((a * a + b * b + c * c + 2 * (d * d + e * e + f * f)) / 6);
  if (p < SN_TINY * fabs(mean) || p == 0) {
    out[0] = out[1] = out[2] = mean;
    return;
  }
  // det(B) / 2 of B = (m - mean) / p is the cosine of three times the angle
  double half = 0.5 * (a / p * (b / p * (c / p) - f / p * (f / p)) -
                       d / p * (d / p * (c / p) - f / p * (e / p)) +
                       e / p * (d / p * (f / p) - b / p * (e / p)));
  double phi = acos(fmax(-1, fmin(1, half))) / 3;
  out[0] = mean + 2 * p * cos(phi);
  out[2] = mean + 2 * p * cos(phi + 2 * SN_PI / 3);
  out[1] = 3 * mean - out[0] - out[2];
}

static void print_matrix(const double *m, char *out, size_t size) {
  snprintf(out, size, "[%g %g %g; %g %g %g; %g %g %g]", m[0], m[3], m[4], m[3], m[1], m[5], m[4],
           m[5], m[2]);
}

// Two moments may be less than the third by this part of it: rounding of the file's digits.
static const double slack = 1e-12;

static sn_status set_matrix(urdf_reader *r, const xml_node *node, const double *m,
                            sn_body_def *body) {
  int diagonal = m[3] == 0 && m[4] == 0 && m[5] == 0;
  double I[3];
  if (diagonal) {
    sn_copy3(I, m);
  } else {
    eigenvalues(m, I);
  }
  double top = fmax(I[0], fmax(I[1], I[2])), low = fmin(I[0], fmin(I[1], I[2]));
  double sum = I[0] + I[1] + I[2];
  double least = diagonal ? 0 : slack * top;
  int physical = low >= 0 && sum - top >= top * (1 - slack) && (diagonal || low > least);
  if (physical) {
    if (diagonal) {
      sn_copy3(body->diaginertia, m);
    } else {
      memcpy(body->fullinertia, m, 6 * sizeof(double));
    }
    return SN_OK;
  }
  char matrix[256];
  print_matrix(m, matrix, sizeof matrix);
  if (!r->compiler.balanceinertia) {
    return xml_fail(&r->xml, SN_EPARSE, node, NULL,
                    "no rigid body has the inertia %s, with principal moments %g %g %g: they must "
                    "be positive, and two not less than the third; mend the numbers, or add "
                    "<mujoco><compiler balanceinertia=\"true\"/></mujoco> to the robot, which "
                    "sets all to their mean",
                    matrix, I[0], I[1], I[2]);
  }
  double bound = fmax(0, r->compiler.boundinertia[0]), mean = 0;
  for (int i = 0; i < 3; i++) {
    mean += fmax(I[i], bound) / 3;
  }
  body->diaginertia[0] = body->diaginertia[1] = body->diaginertia[2] = mean;
  return urdf_leave(r, node, NULL,
                    "the inertia %s with principal moments %g %g %g is of no rigid "
                    "body; balanceinertia sets them to %g",
                    matrix, I[0], I[1], I[2], mean);
}

sn_status urdf_read_inertial(urdf_reader *r, const xml_node *link, sn_body_def *body) {
  const xml_node *inertial, *mass, *inertia;
  URDF_TRY(urdf_only(r, link, "inertial", &inertial));
  if (!inertial) {
    return SN_OK;
  }
  URDF_TRY(urdf_only(r, inertial, "mass", &mass));
  URDF_TRY(urdf_only(r, inertial, "inertia", &inertia));
  if (!mass || !inertia) {
    return xml_fail(&r->xml, SN_EPARSE, inertial, NULL,
                    "inertial needs both <mass value> and "
                    "<inertia ixx ixy ixz iyy iyz izz>; <%s> is missing",
                    mass ? "inertia" : "mass");
  }
  body->inertial = 1;
  URDF_TRY(urdf_reals(r, mass, "value", 1, 1, &body->mass));
  if (body->mass < 0) {
    return xml_fail(&r->xml, SN_EPARSE, mass, NULL, "a mass must not be negative, got %g",
                    body->mass);
  }
  URDF_TRY(urdf_origin(r, inertial, body->ipos, body->iorient.quat));
  static const char *const names[6] = { "ixx", "iyy", "izz", "ixy", "ixz", "iyz" };
  double m[6];
  for (int i = 0; i < 6; i++) {
    URDF_TRY(urdf_reals(r, inertia, names[i], 1, 1, &m[i]));
  }
  return set_matrix(r, inertia, m, body);
}
