// SPDX-License-Identifier: Apache-2.0
//
// Forces of a fluid on geoms. Each is taken for an ellipsoid with half axes r, in the frame of the
// geom, with the linear velocity v and the angular velocity w relative to the medium (density rho,
// viscosity beta). With products of half axes a_i = r_j r_k, the vector n_i = a_i^2 v_i (normal to
// the ellipsoid where the flow meets it) and
//
//   num = sum a_i^4 v_i^2 = |n|^2      den = sum a_i^2 v_i^2 = n.v      A = pi sqrt(num / den)
//
// where A is the area projected along v, and A_max = pi r_max r_mid:
//
//   added mass   f = p x w                     g = p x v + L x w      p = rho m v, L = rho I w
//   Magnus       f = c_M rho V w x v                                 V = 4/3 pi r_x r_y r_z
//   Kutta        f = c_K rho A cos(n, v) (n x v) x v / |n|
//                  = c_K rho pi sqrt(den / num) / |v| (v den - n |v|^2)
//   drag         f = -rho (c_blunt A + c_slender (A_max - A)) |v| v
//                g = -rho |k w| w              k_i = c_angular J_i + c_slender (J_max - J_i)
//   viscous      f = -6 pi beta r_eq v         g = -8 pi beta r_eq^3 w       r_eq = mean(r)
//
//   J_i = 8/15 pi r_i max(r_j, r_k)^4          J_max = 8/15 pi r_mid r_max^4
//
// The forces of added mass that are proportional to accelerations are left out, as in MuJoCo. Lamb,
// Hydrodynamics (1932); Andersen, Pesavento and Wang, J. Fluid Mech. 541 (2005), for lift and drag
// of falling plates.

#include <string.h>

#include "fluid.h"
#include "forces.h"
#include "sinew/math.h"

enum {
  NFLUID = 12,
  BLUNT = 1,
  SLENDER = 2,
  ANGULAR = 3,
  KUTTA = 4,
  MAGNUS = 5,
  MASS = 6,
  INERTIA = 9
};   // numbers of geom_fluid

static const double slowest = 1e-15;   // m/s; of a slower body the direction of motion is noise
// Lower limit of the denominators of lift and of the derivative of the projected area, in their
// own units. It reduces the lift of slow bodies of a few centimeters.
// Matches MuJoCo 2.2.2: fluid-slow-bodies
static const double faint = 1e-15;

typedef struct ellipsoid {
  fluid_part head;
  double r[3];                   // half axes
  double square[3];              // a^2
  double area_max, J_max, J[3];
  const double *coef;            // NFLUID, of the geom
} ellipsoid;

static void fill_ellipsoid(ellipsoid *e, int32_t type, const double *size, const double *coef) {
  const double round[3] = { size[0], size[0], size[0] };
  const double capsule[3] = { size[0], size[0], size[0] + size[1] };
  const double cylinder[3] = { size[0], size[0], size[1] };
  const double *r = type == SN_GEOM_SPHERE     ? round
                    : type == SN_GEOM_CAPSULE  ? capsule
                    : type == SN_GEOM_CYLINDER ? cylinder
                                               : size;
  e->coef = coef;
  sn_copy3(e->r, r);
  double largest = fmax(r[0], fmax(r[1], r[2])), smallest = fmin(r[0], fmin(r[1], r[2]));
  double mid = r[0] + r[1] + r[2] - largest - smallest;
  e->area_max = SN_PI * largest * mid;
  e->J_max = 8 * SN_PI / 15 * mid * pow(largest, 4);
  for (int i = 0; i < 3; i++) {
    double s = r[(i + 1) % 3], t = r[(i + 2) % 3];
    e->square[i] = s * t * s * t;
    e->J[i] = 8 * SN_PI / 15 * r[i] * pow(fmax(s, t), 4);
  }
}

// ------------------------------------------------------------------ small matrices

// Adds scale [a]x, so that B b = a x b, to the block of B at (row, col).
static void add_cross(double *B, int row, int col, const double *a, double scale) {
  double *m = B + 6 * row + col;
  m[1] -= scale * a[2];
  m[2] += scale * a[1];
  m[6] += scale * a[2];
  m[8] -= scale * a[0];
  m[12] -= scale * a[1];
  m[13] += scale * a[0];
}

// Adds scale [a]x diag(k).
static void add_cross_diagonal(double *B, int row, int col, const double *a, const double *k,
                               double scale) {
  double cross[36] = { 0 };
  add_cross(cross, 0, 0, a, scale);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      B[6 * (row + i) + col + j] += cross[6 * i + j] * k[j];
    }
  }
}

// ------------------------------------------------------------------ terms
//
// Each adds its force [g; f] at velocity [w; v], and its derivative to B, unless B is NULL.

static void added_mass(const ellipsoid *e, double rho, const double *vel, double *force,
                       double *B) {
  const double *w = vel, *v = vel + 3;
  double m[3], I[3], p[3], L[3], t[3];
  sn_scale3(m, e->coef + MASS, rho);
  sn_scale3(I, e->coef + INERTIA, rho);
  for (int i = 0; i < 3; i++) {
    p[i] = m[i] * v[i];
    L[i] = I[i] * w[i];
  }
  sn_cross(t, p, w);
  sn_add3(force + 3, force + 3, t);
  sn_cross(t, p, v);
  sn_add3(force, force, t);
  sn_cross(t, L, w);
  sn_add3(force, force, t);
  if (B) {
    add_cross(B, 3, 0, p, 1);
    add_cross_diagonal(B, 3, 3, w, m, -1);
    add_cross(B, 0, 3, p, 1);
    add_cross_diagonal(B, 0, 3, v, m, -1);
    add_cross(B, 0, 0, L, 1);
    add_cross_diagonal(B, 0, 0, w, I, -1);
  }
}

static void magnus(const ellipsoid *e, double rho, const double *vel, double *force, double *B) {
  double volume = 4.0 / 3 * SN_PI * e->r[0] * e->r[1] * e->r[2];
  double scale = rho * volume * e->coef[MAGNUS], t[3];
  sn_cross(t, vel, vel + 3);
  sn_addscale3(force + 3, force + 3, scale, t);
  if (B) {
    add_cross(B, 3, 0, vel + 3, -scale);
    add_cross(B, 3, 3, vel, scale);
  }
}

// The ellipsoid as projected along v.
typedef struct projection {
  double speed, num, den;
} projection;

static projection project(const ellipsoid *e, const double *v) {
  projection s = { .speed = sn_norm3(v) };
  for (int i = 0; i < 3; i++) {
    s.num += e->square[i] * e->square[i] * v[i] * v[i];
    s.den += e->square[i] * v[i] * v[i];
  }
  return s;
}

static void kutta(const ellipsoid *e, double rho, const projection *s, const double *v,
                  double *force, double *B) {
  const double scale = e->coef[KUTTA] * rho * SN_PI, root = sqrt(s->num * s->den);
  double vv = s->speed * s->speed, u[3];
  for (int i = 0; i < 3; i++) {
    u[i] = v[i] * s->den - e->square[i] * v[i] * vv;
    force[3 + i] += scale * root / fmax(faint, s->speed * s->num) * u[i];
  }
  double q = scale * s->den / fmax(faint, s->speed * root), num = fmax(faint, s->num);
  for (int j = 0; B && j < 3; j++) {
    double a = e->square[j], dq = q * v[j] * (a / s->den - a * a / num - 1 / vv);
    for (int i = 0; i < 3; i++) {
      double du = 2 * v[i] * v[j] * (a - e->square[i]) + (i == j ? s->den - a * vv : 0);
      B[6 * (3 + i) + 3 + j] += u[i] * dq + q * du;
    }
  }
}

static void drag(const ellipsoid *e, double rho, const projection *s, const double *v,
                 double *force, double *B) {
  const double *c = e->coef;
  double area = SN_PI * sqrt(s->num / s->den), speed = s->speed;
  double k = rho * (c[BLUNT] * area + c[SLENDER] * (e->area_max - area));
  sn_addscale3(force + 3, force + 3, -k * speed, v);
  double root = fmax(faint, sqrt(s->num * s->den * s->den * s->den));
  double slope = rho * (c[BLUNT] - c[SLENDER]) * SN_PI / root;
  for (int j = 0; B && j < 3; j++) {
    double a = e->square[j];
    double dk = slope * a * v[j] * (a * s->den - s->num);
    for (int i = 0; i < 3; i++) {
      B[6 * (3 + i) + 3 + j] -= v[i] * (speed * dk + k * v[j] / speed) + (i == j) * k * speed;
    }
  }
}

static void angular_drag(const ellipsoid *e, double rho, const double *w, double *force,
                         double *B) {
  double k[3], kw[3];
  for (int i = 0; i < 3; i++) {
    k[i] = e->coef[ANGULAR] * e->J[i] + e->coef[SLENDER] * (e->J_max - e->J[i]);
    kw[i] = k[i] * w[i];
  }
  double n = sn_norm3(kw);
  sn_addscale3(force, force, -rho * n, w);
  for (int j = 0; B && n > 0 && j < 3; j++) {
    for (int i = 0; i < 3; i++) {
      B[6 * i + j] -= rho * (w[i] * kw[j] * k[j] / n + (i == j) * n);
    }
  }
}

static void viscous(const ellipsoid *e, double beta, const double *vel, double *force, double *B) {
  double spin, slide;
  fluid_viscous(beta, (e->r[0] + e->r[1] + e->r[2]) / 3, &spin, &slide);
  for (int i = 0; i < 3; i++) {
    force[i] -= spin * vel[i];
    force[3 + i] -= slide * vel[3 + i];
    if (B) {
      B[7 * i] -= spin;
      B[7 * (3 + i)] -= slide;
    }
  }
}

static void ellipsoid_resist(const fluid_part *part, double rho, double beta, const double *vel,
                             double *force, double *B) {
  const ellipsoid *e = (const ellipsoid *)part;
  memset(force, 0, 6 * sizeof(double));
  if (B) {
    memset(B, 0, 36 * sizeof(double));
  }
  viscous(e, beta, vel, force, B);
  added_mass(e, rho, vel, force, B);
  magnus(e, rho, vel, force, B);
  angular_drag(e, rho, vel, force, B);
  projection s = project(e, vel + 3);
  if (s.speed > slowest && s.num > 0) {
    kutta(e, rho, &s, vel + 3, force, B);
    drag(e, rho, &s, vel + 3, force, B);
  }
  // the share of the model in the forces on this geom
  for (int i = 0; i < 6; i++) {
    force[i] *= e->coef[0];
  }
  for (int i = 0; B && i < 36; i++) {
    B[i] *= e->coef[0];
  }
}

// ------------------------------------------------------------------ binding

static sn_status fluid_bind(const void *self, const sn_model_view *model, const sn_value *values,
                            void **bound, sn_error *error) {
  (void)values;
  sn_lookup l = sn_lookup_start(self, model, error);
  fluid found = fluid_find(&l, "geom_xpos", "geom_xmat");
  found.resist = ellipsoid_resist;
  found.bytes = sizeof(ellipsoid);
  const int32_t *bodyid = sn_lookup_ints(&l, "geom_bodyid");
  const int32_t *type = sn_lookup_ints(&l, "geom_type");
  const double *coef = sn_lookup_reals(&l, "geom_fluid");
  const double *size = sn_lookup_reals(&l, "geom_size");
  SN_TRY(l.status);
  int64_t ngeom = sn_lookup_size(&l, "ngeom"), n = 0;
  for (int64_t g = 0; g < ngeom; g++) {
    n += coef[NFLUID * g] > 0;
  }
  if (n == 0) {
    return SN_OK;
  }
  fluid *f = fluid_new(self, &found, n, error);
  if (!f) {
    return SN_ENOMEM;
  }
  for (int32_t g = 0; g < (int32_t)ngeom; g++) {
    if (coef[NFLUID * g] > 0) {
      fill_ellipsoid(fluid_add(f, g, bodyid[g]), type[g], size + 3 * g, coef + NFLUID * g);
    }
  }
  *bound = f;
  return SN_OK;
}

const sn_passive_ops fluid_ellipsoid_ops = {
  .head = { .size = sizeof(sn_passive_ops),
            .summary =
                "drag, lift and added mass of geoms with fluidshape ellipsoid, by their fluidcoef "
                "and the options density, viscosity, wind",
            .create = sn_instance_create,
            .destroy = sn_instance_destroy },
  .implements = "geom_fluid",
  .bind = fluid_bind,
  .unbind = sn_instance_unbind,
  .apply = fluid_apply,
  .derivative = fluid_derive,
  .apply_lanes = fluid_apply_lanes,
};
