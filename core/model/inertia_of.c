// SPDX-License-Identifier: Apache-2.0
//
// Volume and inertia of the solid shapes, of uniform density, about their centres.
//
//   sphere    V = 4/3 pi r^3              I = 2/5 r^2
//   ellipsoid V = 4/3 pi a b c            I_x = (b^2 + c^2) / 5
//   cylinder  V = 2 pi r^2 h              I_z = r^2 / 2,   I_x = (3 r^2 + 4 h^2) / 12
//   box       V = 8 a b c                 I_x = (b^2 + c^2) / 3
//   capsule   a cylinder and two half spheres whose centres of mass lie 3/8 r beyond its ends:
//             I_x = cylinder + sphere + m_s (h^2 + 3/4 h r),   m_s the mass of both halves
//
// r radius, h half length, a b c half sizes, moments a unit mass. Planes, height fields and
// meshes have none here.

#include <math.h>
#include <string.h>

#include "model/compile.h"
#include "sinew/math.h"

typedef struct solid {
  double (*volume)(const double *size);
  void (*inertia)(const double *size, double *inertia);
} solid;

static double cube(double x) {
  return x * x * x;
}

static double sphere_volume(const double *s) {
  return 4.0 / 3 * SN_PI * cube(s[0]);
}

static void sphere_inertia(const double *s, double *I) {
  I[0] = I[1] = I[2] = 0.4 * s[0] * s[0];
}

static double ellipsoid_volume(const double *s) {
  return 4.0 / 3 * SN_PI * s[0] * s[1] * s[2];
}

static void ellipsoid_inertia(const double *s, double *I) {
  for (int i = 0; i < 3; i++) {
    double b = s[(i + 1) % 3], c = s[(i + 2) % 3];
    I[i] = (b * b + c * c) / 5;
  }
}

static double cylinder_volume(const double *s) {
  return 2 * SN_PI * s[0] * s[0] * s[1];
}

static void cylinder_inertia(const double *s, double *I) {
  I[0] = I[1] = (3 * s[0] * s[0] + 4 * s[1] * s[1]) / 12;
  I[2] = s[0] * s[0] / 2;
}

static double capsule_volume(const double *s) {
  return cylinder_volume(s) + sphere_volume(s);
}

static void capsule_inertia(const double *s, double *I) {
  double r = s[0], h = s[1], whole = capsule_volume(s);
  double middle = cylinder_volume(s) / whole, ends = sphere_volume(s) / whole;
  double tube[3], ball[3];
  cylinder_inertia(s, tube);
  sphere_inertia(s, ball);
  for (int i = 0; i < 3; i++) {
    I[i] = middle * tube[i] + ends * ball[i];
  }
  I[0] += ends * (h * h + 0.75 * h * r);
  I[1] = I[0];
}

static double box_volume(const double *s) {
  return 8 * s[0] * s[1] * s[2];
}

static void box_inertia(const double *s, double *I) {
  for (int i = 0; i < 3; i++) {
    double b = s[(i + 1) % 3], c = s[(i + 2) % 3];
    I[i] = (b * b + c * c) / 3;
  }
}

static const solid solids[SN_NGEOMTYPES] = {
  [SN_GEOM_SPHERE] = { sphere_volume, sphere_inertia },
  [SN_GEOM_CAPSULE] = { capsule_volume, capsule_inertia },
  [SN_GEOM_ELLIPSOID] = { ellipsoid_volume, ellipsoid_inertia },
  [SN_GEOM_CYLINDER] = { cylinder_volume, cylinder_inertia },
  [SN_GEOM_BOX] = { box_volume, box_inertia },
};

double sn_shape_volume(int32_t type, const double *size) {
  return solids[type].volume ? solids[type].volume(size) : 0;
}

void sn_shape_inertia(int32_t type, const double *size, double *inertia) {
  sn_zero3(inertia);
  if (solids[type].inertia) {
    solids[type].inertia(size, inertia);
  }
}

// ------------------------------------------------------------------ principal axes

// One rotation in the plane (p, q) that makes a_pq zero, by the angle with cosine c and sine s;
// accumulated into the columns of v.
static void rotate_plane(double a[3][3], double v[3][3], int p, int q, double c, double s) {
  for (int k = 0; k < 3; k++) {
    double x = a[k][p], y = a[k][q];
    a[k][p] = c * x - s * y;
    a[k][q] = s * x + c * y;
  }
  for (int k = 0; k < 3; k++) {
    double x = a[p][k], y = a[q][k];
    a[p][k] = c * x - s * y;
    a[q][k] = s * x + c * y;
    x = v[k][p];
    y = v[k][q];
    v[k][p] = c * x - s * y;
    v[k][q] = s * x + c * y;
  }
}

// Always in the plane of the largest off-diagonal number; quadratic convergence, so a few rotations
// suffice. Ends at an angle of which 1 - cosine is below `still`, and at numbers below `zero` of
// the trace.
static void diagonalize(double a[3][3], double v[3][3], double still, double zero) {
  enum { MOST = 150 };
  const double scale = fabs(a[0][0]) + fabs(a[1][1]) + fabs(a[2][2]);
  for (int i = 0; i < MOST; i++) {
    double xy = fabs(a[0][1]), xz = fabs(a[0][2]), yz = fabs(a[1][2]);
    int p = yz > xy && yz > xz ? 1 : 0, q = p == 0 && xy >= xz ? 1 : 2;
    if (fabs(a[p][q]) <= zero * scale) {
      return;
    }
    double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
    double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
    double c = 1 / sqrt(t * t + 1);
    if (1 - c < still) {
      return;
    }
    rotate_plane(a, v, p, q, c, t * c);
  }
}

// A quarter turn that exchanges the axes k and k + 1 when the second has the larger value.
static void sort_axes(int k, double *value, double axis[3][3]) {
  if (value[k + 1] > value[k]) {
    double smaller = value[k], turned[3];
    sn_scale3(turned, axis[k], -1);
    value[k] = value[k + 1];
    value[k + 1] = smaller;
    sn_copy3(axis[k], axis[k + 1]);
    sn_copy3(axis[k + 1], turned);
  }
}

static void find_axes(const double *full, double still, double zero, double *inertia,
                      double *quat) {
  double a[3][3] = { { full[0], full[3], full[4] },
                     { full[3], full[1], full[5] },
                     { full[4], full[5], full[2] } };
  double v[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
  diagonalize(a, v, still, zero);

  // in descending order by quarter turns, which keep the frame right-handed
  double axis[3][3];
  for (int i = 0; i < 3; i++) {
    inertia[i] = a[i][i];
    for (int k = 0; k < 3; k++) {
      axis[i][k] = v[k][i];
    }
  }
  sort_axes(0, inertia, axis);
  sort_axes(1, inertia, axis);
  sort_axes(0, inertia, axis);
  const double *x = axis[0], *y = axis[1], *z = axis[2];
  const double mat[9] = { x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2] };
  sn_mat_quat(quat, mat);
}

void sn_principal_axes(const double *full, double *inertia, double *quat) {
  find_axes(full, 0, 1e-18, inertia, quat);
}

void sn_frame_axes(const double *full, double *quat) {
  double inertia[3];
  find_axes(full, 1e-12, 1e-14, inertia, quat);
}
