// SPDX-License-Identifier: Apache-2.0
//
// Element `inertial`: mass, center, and the matrix of inertia about the center. A matrix belongs to
// a rigid body when its eigenvalues, the principal moments, are positive and no two of them are
// less than the third. Others are rejected with the cure; or repaired, when the parameter `inertia`
// asks, or when the compiler's balanceinertia does: then all moments become their mean. A matrix of
// zeros is one of a link without mass; see massless.c.
//
// The repair changes as little as possible. Moments that rigid bodies have are a convex cone:
//
//   C = { I1 >= I2 >= I3,  I1 <= I2 + I3 }      (I3 >= 0 follows)
//
// Its axes kept, the matrix gets the moments of f + C that are nearest to its own, where f, the
// moment of the mass at a distance of 1 mm, keeps them positive. The nearest point of C lies
// inside, on the facet I1 = I2 + I3, on its edge I1 = I2, I3 = 0, or is 0.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sinew/math.h"
#include "sinew/numerics/symmetric.h"
#include "urdf/urdf.h"

static void print_matrix(const double *m, char *out, size_t size) {
  snprintf(out, size, "[%g %g %g; %g %g %g; %g %g %g]", m[0], m[3], m[4], m[3], m[1], m[5], m[4],
           m[5], m[2]);
}

// Two moments may be less than the third by this part of it: rounding of the file's digits.
static const double slack = 1e-12;

// The nearest point of the cone C, in place; see above.
static void project(double *I) {
  int a = 0, c = 0;   // the largest, the least
  for (int i = 1; i < 3; i++) {
    a = I[i] > I[a] ? i : a;
    c = I[i] <= I[c] ? i : c;
  }
  c = a == c ? (a + 1) % 3 : c;
  const int b = 3 - a - c;
  const double excess = I[a] - I[b] - I[c];
  if (excess <= 0) {
    return;
  }
  if (2 * I[c] + I[a] - I[b] >= 0) {
    I[a] -= excess / 3;
    I[b] += excess / 3;
    I[c] += excess / 3;
    return;
  }
  I[a] = I[b] = fmax(0, 0.5 * (I[a] + I[b]));
  I[c] = 0;
}

double urdf_least_moment(double mass) {
  static const double gyration = 1e-6;   // m^2
  static const double without = 1e-9;    // kg m^2, of a body without mass
  return mass > 0 ? mass * gyration : without;
}

static sn_status repair(urdf_reader *r, const xml_node *node, const double *m, const double *axes,
                        const double *I, sn_body_def *body) {
  const double least = urdf_least_moment(body->mass);
  double now[3];
  for (int i = 0; i < 3; i++) {
    now[i] = I[i] - least;
  }
  project(now);
  for (int i = 0; i < 3; i++) {
    now[i] += least;
  }
  static const int row[6] = { 0, 1, 2, 0, 0, 1 }, column[6] = { 0, 1, 2, 1, 2, 2 };
  for (int k = 0; k < 6; k++) {
    double sum = 0;
    for (int i = 0; i < 3; i++) {
      sum += axes[3 * row[k] + i] * now[i] * axes[3 * column[k] + i];
    }
    body->fullinertia[k] = sum;
  }
  if (m[3] == 0 && m[4] == 0 && m[5] == 0) {
    sn_copy3(body->diaginertia, now);
    for (int k = 0; k < 6; k++) {
      body->fullinertia[k] = NAN;
    }
  }
  return urdf_leave(
      r, node, NULL,
      "link \"%.200s\": the principal moments %g %g %g are not those of a rigid body "
      "(none may exceed the sum of the other two); they are changed to %g %g %g about the same "
      "axes, as plugin.urdf.inertia = repair requests",
      body->name ? body->name : "", I[0], I[1], I[2], now[0], now[1], now[2]);
}

static sn_status balance(urdf_reader *r, const xml_node *node, const char *matrix, const double *I,
                         sn_body_def *body) {
  double bound = fmax(0, r->compiler.boundinertia), mean = 0;
  for (int i = 0; i < 3; i++) {
    mean += fmax(I[i], bound) / 3;
  }
  body->diaginertia[0] = body->diaginertia[1] = body->diaginertia[2] = mean;
  return urdf_leave(r, node, NULL,
                    "the inertia %s, with principal moments %g %g %g, is not that of a rigid body; "
                    "balanceinertia sets them to %g",
                    matrix, I[0], I[1], I[2], mean);
}

static sn_status set_matrix(urdf_reader *r, const xml_node *node, const double *m,
                            sn_body_def *body) {
  int diagonal = m[3] == 0 && m[4] == 0 && m[5] == 0;
  double I[3], axes[9];
  sn_symmetric_axes(m, I, axes);
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
  if (r->compiler.balanceinertia) {
    return balance(r, node, matrix, I, body);
  }
  if (r->params->repair) {
    return repair(r, node, m, axes, I, body);
  }
  return xml_fail(&r->xml, SN_EPARSE, node, NULL,
                  "the inertia %s, with principal moments %g %g %g, is not that of a rigid body: "
                  "they must be positive, and none greater than the sum of the other two; correct "
                  "the numbers, or set plugin.urdf.inertia to repair, or add <mujoco><compiler "
                  "balanceinertia=\"true\"/></mujoco> to the robot, which sets all to their mean",
                  matrix, top, sum - top - low, low);
}

// The matrix is symmetric: some files give the products below its diagonal, too.
static sn_status check_below(urdf_reader *r, const xml_node *inertia, const double *above) {
  static const char *const below[3][2] = { { "iyx", "ixy" }, { "izx", "ixz" }, { "izy", "iyz" } };
  for (int i = 0; i < 3; i++) {
    double product = above[i];
    SN_TRY(urdf_reals(r, inertia, below[i][0], 0, 1, &product));
    if (product != above[i]) {
      SN_TRY(urdf_leave(r, inertia, xml_find_attr(inertia, below[i][0]),
                        "%s is %g and %s is %g, but an inertia matrix is symmetric; %s is used",
                        below[i][0], product, below[i][1], above[i], below[i][1]));
    }
  }
  return SN_OK;
}

sn_status urdf_read_inertial(urdf_reader *r, const xml_node *link, sn_body_def *body) {
  const xml_node *inertial, *mass, *inertia;
  SN_TRY(urdf_only(r, link, "inertial", &inertial));
  if (!inertial) {
    return SN_OK;
  }
  SN_TRY(urdf_only(r, inertial, "mass", &mass));
  SN_TRY(urdf_only(r, inertial, "inertia", &inertia));
  if (!mass || (!inertia && !r->params->repair)) {
    return xml_fail(&r->xml, SN_EPARSE, inertial, NULL,
                    "inertial needs both <mass value> and "
                    "<inertia ixx ixy ixz iyy iyz izz>; <%s> is missing",
                    mass ? "inertia" : "mass");
  }
  body->inertial = 1;
  SN_TRY(urdf_reals(r, mass, "value", 1, 1, &body->mass));
  if (body->mass < 0) {
    return xml_fail(&r->xml, SN_EPARSE, mass, NULL, "a mass must not be negative, got %g",
                    body->mass);
  }
  SN_TRY(urdf_origin(r, inertial, body->ipos, body->iorient.quat));
  if (!inertia) {
    return SN_OK;   // zeros, repaired where the link moves
  }
  static const char *const names[6] = { "ixx", "iyy", "izz", "ixy", "ixz", "iyz" };
  double m[6];
  for (int i = 0; i < 6; i++) {
    SN_TRY(urdf_reals(r, inertia, names[i], 1, 1, &m[i]));
  }
  SN_TRY(check_below(r, inertia, m + 3));
  return set_matrix(r, inertia, m, body);
}
