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

// One rotation in the plane (p, q) that makes a_pq zero; accumulated into the columns of v.
static void rotate_plane(double a[3][3], double v[3][3], int p, int q) {
  double theta = (a[q][q] - a[p][p]) / (2 * a[p][q]);
  double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
  double c = 1 / sqrt(t * t + 1), s = t * c;
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

// Sweeps until the off-diagonal part has vanished; quadratic convergence, so a few suffice.
static void diagonalize(double a[3][3], double v[3][3]) {
  enum { MAX_SWEEPS = 50 };
  const double scale = fabs(a[0][0]) + fabs(a[1][1]) + fabs(a[2][2]);
  for (int sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    double off = fabs(a[0][1]) + fabs(a[0][2]) + fabs(a[1][2]);
    if (off <= 1e-18 * scale || off == 0) {
      return;
    }
    for (int p = 0; p < 2; p++) {
      for (int q = p + 1; q < 3; q++) {
        if (a[p][q] != 0) {
          rotate_plane(a, v, p, q);
        }
      }
    }
  }
}

void sn_principal_axes(const double *full, double *inertia, double *quat) {
  double a[3][3] = { { full[0], full[3], full[4] },
                     { full[3], full[1], full[5] },
                     { full[4], full[5], full[2] } };
  double v[3][3] = { { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
  diagonalize(a, v);

  // in descending order; equal values keep their place
  int order[3] = { 0, 1, 2 };
  for (int pass = 0; pass < 2; pass++) {
    for (int i = 0; i < 2; i++) {
      if (a[order[i + 1]][order[i + 1]] > a[order[i]][order[i]]) {
        int swap = order[i];
        order[i] = order[i + 1];
        order[i + 1] = swap;
      }
    }
  }
  // the third column completes a right-handed frame
  double x[3], y[3], z[3];
  for (int k = 0; k < 3; k++) {
    inertia[k] = a[order[k]][order[k]];
    x[k] = v[k][order[0]];
    y[k] = v[k][order[1]];
  }
  sn_cross(z, x, y);
  const double mat[9] = { x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2] };
  sn_mat_quat(quat, mat);
}
