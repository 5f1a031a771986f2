// SPDX-License-Identifier: Apache-2.0
//
// Volume and inertia of the solid shapes, of uniform density, about their centers.
//
//   sphere    V = 4/3 pi r^3              I = 2/5 m r^2
//   ellipsoid V = 4/3 pi a b c            I_x = m (b^2 + c^2) / 5
//   cylinder  V = pi r^2 l                I_z = m r^2 / 2,   I_x = m (3 r^2 + l^2) / 12
//   box       V = 8 a b c                 I_x = m (b^2 + c^2) / 3
//   capsule   a cylinder and two half spheres, of mass m_s together, whose centers of mass lie
//             3/8 r beyond its ends: I_x = cylinder + sphere + m_s l (2 l + 3 r) / 8
//
// r radius, l length, a b c half sizes, m mass. Planes, height fields and meshes have none here.
// The order of the operations matters for the axes of symmetric bodies, see principal_axes.c.

#include "compile/compile.h"
#include "sinew/math.h"

typedef struct solid {
  double (*volume)(const double *size);
  void (*inertia)(const double *size, double mass, double *inertia);
} solid;

static double sphere_volume(const double *s) {
  return 4 * SN_PI * s[0] * s[0] * s[0] / 3;
}

static void sphere_inertia(const double *s, double mass, double *I) {
  I[0] = I[1] = I[2] = 2 * mass * s[0] * s[0] / 5;
}

static double ellipsoid_volume(const double *s) {
  return 4 * SN_PI * s[0] * s[1] * s[2] / 3;
}

// The moments of shapes with three half sizes: m (b^2 + c^2) / part
static void moments(const double *s, double mass, double part, double *I) {
  double a = s[0] * s[0], b = s[1] * s[1], c = s[2] * s[2];
  I[0] = mass * (b + c) / part;
  I[1] = mass * (a + c) / part;
  I[2] = mass * (a + b) / part;
}

static void ellipsoid_inertia(const double *s, double mass, double *I) {
  moments(s, mass, 5, I);
}

static double cylinder_volume(const double *s) {
  return SN_PI * s[0] * s[0] * (2 * s[1]);
}

static void cylinder_inertia(const double *s, double mass, double *I) {
  double r = s[0], length = 2 * s[1];
  I[0] = I[1] = mass * (3 * r * r + length * length) / 12;
  I[2] = mass * r * r / 2;
}

static double capsule_volume(const double *s) {
  double r = s[0], length = 2 * s[1];
  return SN_PI * (r * r * length + 4 * r * r * r / 3);
}

static void capsule_inertia(const double *s, double mass, double *I) {
  double r = s[0], length = 2 * s[1], ball[3];
  double ends = mass * 4 * r / (4 * r + 3 * length), middle = mass - ends;
  cylinder_inertia(s, middle, I);
  sphere_inertia(s, ends, ball);
  I[0] += ball[0] + ends * length * (3 * r + 2 * length) / 8;
  I[1] = I[0];
  I[2] += ball[2];
}

static double box_volume(const double *s) {
  return 8 * s[0] * s[1] * s[2];
}

static void box_inertia(const double *s, double mass, double *I) {
  moments(s, mass, 3, I);
}

static const solid solids[SN_NGEOMTYPES] = {
  [SN_GEOM_SPHERE] = { sphere_volume, sphere_inertia },
  [SN_GEOM_CAPSULE] = { capsule_volume, capsule_inertia },
  [SN_GEOM_ELLIPSOID] = { ellipsoid_volume, ellipsoid_inertia },
  [SN_GEOM_CYLINDER] = { cylinder_volume, cylinder_inertia },
  [SN_GEOM_BOX] = { box_volume, box_inertia },
};

double si_shape_volume(int32_t type, const double *size) {
  return solids[type].volume ? solids[type].volume(size) : 0;
}

void si_shape_inertia(int32_t type, const double *size, double mass, double *inertia) {
  sn_zero3(inertia);
  if (solids[type].inertia) {
    solids[type].inertia(size, mass, inertia);
  }
}
