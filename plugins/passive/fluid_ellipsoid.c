// SPDX-License-Identifier: Apache-2.0
//
// Forces of a fluid on geoms, each as an ellipsoid with half axes r, in the frame of the geom,
// with velocity v and w relative to the medium (density rho, viscosity beta). With products of
// half axes a_i = r_j r_k and the vectors n_i = a_i^2 v_i (a normal of the ellipsoid) and
//
//   num = sum a_i^4 v_i^2 = |n|^2      den = sum a_i^2 v_i^2 = n.v      A = pi sqrt(num / den)
//
// where A is the area seen along v, and A_max = pi r_max r_mid:
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
// The accelerations of the added mass are left out, as documented. Lamb, Hydrodynamics (1932);
// Andersen, Pesavento and Wang, J. Fluid Mech. 541 (2005), for lift and drag of falling plates.

#include <stddef.h>

#include "fluid.h"
#include "forces.h"

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

static const double slowest = 1e-15;   // speed in m/s below which a direction means nothing
// Lower limit of the denominators of lift and of the derivative of the projected area, in their
// own units. It reduces the lift of slow bodies of a few centimeters.
// Matches MuJoCo 2.2.2: fluid-slow-bodies
static const double faint = 1e-15;

typedef struct ellipsoid {
  int32_t geom, body;
  double r[3];           // half axes
  double a[3];           // products of the other two, squared
  double area, middle;   // A_max; J_max
  double turn[3];        // J
  const double *fluid;   // NFLUID
} ellipsoid;

typedef struct ellipsoids {
  tree tree;
  medium fluid;
  sn_field geom_xpos, geom_xmat;
  int64_t n;
  ellipsoid *at;
} ellipsoids;

// ------------------------------------------------------------------ binding

static ellipsoid describe(int32_t geom, int32_t body, int32_t type, const double *size,
                          const double *fluid) {
  ellipsoid e = { .geom = geom, .body = body, .fluid = fluid };
  const double round[3] = { size[0], size[0], size[0] };
  const double capsule[3] = { size[0], size[0], size[0] + size[1] };
  const double cylinder[3] = { size[0], size[0], size[1] };
  const double *r = type == SN_GEOM_SPHERE     ? round
                    : type == SN_GEOM_CAPSULE  ? capsule
                    : type == SN_GEOM_CYLINDER ? cylinder
                                               : size;
  sn_copy3(e.r, r);
  double largest = fmax(r[0], fmax(r[1], r[2])), smallest = fmin(r[0], fmin(r[1], r[2]));
  double mid = r[0] + r[1] + r[2] - largest - smallest;
  e.area = SN_PI * largest * mid;
  e.middle = 8 * SN_PI / 15 * mid * pow(largest, 4);
  for (int i = 0; i < 3; i++) {
    double s = r[(i + 1) % 3], t = r[(i + 2) % 3];
    e.a[i] = s * t * s * t;
    e.turn[i] = 8 * SN_PI / 15 * r[i] * pow(fmax(s, t), 4);
  }
  return e;
}

static sn_status fluid_bind(const void *self, const sn_model_view *model, const sn_value *values,
                            void **bound, sn_error *error) {
  (void)values;
  finder f = { .self = self, .model = model, .error = error };
  ellipsoids found = { .tree = find_tree(&f),
                       .fluid = find_medium(&f),
                       .geom_xpos = find_data(&f, "geom_xpos"),
                       .geom_xmat = find_data(&f, "geom_xmat") };
  const int32_t *bodyid = find_ints(&f, "geom_bodyid"), *type = find_ints(&f, "geom_type");
  const double *fluid = find_reals(&f, "geom_fluid"), *size = find_reals(&f, "geom_size");
  int64_t ngeom = find_size(&f, "ngeom");
  if (f.status < 0) {
    return f.status;
  }
  *bound = NULL;
  for (int64_t g = 0; g < ngeom; g++) {
    found.n += fluid[NFLUID * g] > 0;
  }
  if (found.n == 0) {
    return SN_OK;
  }
  int64_t bytes = (int64_t)sizeof found + found.n * (int64_t)sizeof(ellipsoid);
  ellipsoids *s = instance_alloc(self, bytes, error);
  if (!s) {
    return SN_ENOMEM;
  }
  *s = found;
  s->at = (ellipsoid *)(s + 1);
  s->n = 0;
  for (int32_t g = 0; g < (int32_t)ngeom; g++) {
    if (fluid[NFLUID * g] > 0) {
      s->at[s->n++] = describe(g, bodyid[g], type[g], size + 3 * g, fluid + NFLUID * g);
    }
  }
  *bound = s;
  return SN_OK;
}

static void fluid_unbind(const void *self, void *bound) {
  const sn_host *host = ((const instance *)self)->host;
  host->free(host, bound);
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
// Each adds its force [g; f] at velocity [w; v], and to B its derivative; B NULL: not wanted.

static void added_mass(const ellipsoid *e, double rho, const double *vel, double *force,
                       double *B) {
  const double *w = vel, *v = vel + 3;
  double m[3], I[3], p[3], L[3], t[3];
  sn_scale3(m, e->fluid + MASS, rho);
  sn_scale3(I, e->fluid + INERTIA, rho);
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
  double scale = rho * volume * e->fluid[MAGNUS], t[3];
  sn_cross(t, vel, vel + 3);
  sn_addscale3(force + 3, force + 3, scale, t);
  if (B) {
    add_cross(B, 3, 0, vel + 3, -scale);
    add_cross(B, 3, 3, vel, scale);
  }
}

// Where the ellipsoid is seen from along v.
typedef struct view {
  double speed, num, den;
} view;

static view look(const ellipsoid *e, const double *v) {
  view seen = { .speed = sn_norm3(v) };
  for (int i = 0; i < 3; i++) {
    seen.num += e->a[i] * e->a[i] * v[i] * v[i];
    seen.den += e->a[i] * v[i] * v[i];
  }
  return seen;
}

static void kutta(const ellipsoid *e, double rho, const view *s, const double *v, double *force,
                  double *B) {
  const double scale = e->fluid[KUTTA] * rho * SN_PI, root = sqrt(s->num * s->den);
  double vv = s->speed * s->speed, u[3];
  for (int i = 0; i < 3; i++) {
    u[i] = v[i] * s->den - e->a[i] * v[i] * vv;
    force[3 + i] += scale * root / fmax(faint, s->speed * s->num) * u[i];
  }
  double q = scale * s->den / fmax(faint, s->speed * root), num = fmax(faint, s->num);
  for (int j = 0; B && j < 3; j++) {
    double a = e->a[j], dq = q * v[j] * (a / s->den - a * a / num - 1 / vv);
    for (int i = 0; i < 3; i++) {
      double du = 2 * v[i] * v[j] * (a - e->a[i]) + (i == j ? s->den - a * vv : 0);
      B[6 * (3 + i) + 3 + j] += u[i] * dq + q * du;
    }
  }
}

static void drag(const ellipsoid *e, double rho, const view *s, const double *v, double *force,
                 double *B) {
  const double *c = e->fluid;
  double area = SN_PI * sqrt(s->num / s->den), speed = s->speed;
  double k = rho * (c[BLUNT] * area + c[SLENDER] * (e->area - area));
  sn_addscale3(force + 3, force + 3, -k * speed, v);
  double root = fmax(faint, sqrt(s->num * s->den * s->den * s->den));
  double slope = rho * (c[BLUNT] - c[SLENDER]) * SN_PI / root;
  for (int j = 0; B && j < 3; j++) {
    double a = e->a[j];
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
    k[i] = e->fluid[ANGULAR] * e->turn[i] + e->fluid[SLENDER] * (e->middle - e->turn[i]);
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
  double mean = (e->r[0] + e->r[1] + e->r[2]) / 3;
  double spin = 8 * SN_PI * beta * mean * mean * mean, slide = 6 * SN_PI * beta * mean;
  for (int i = 0; i < 3; i++) {
    force[i] -= spin * vel[i];
    force[3 + i] -= slide * vel[3 + i];
    if (B) {
      B[7 * i] -= spin;
      B[7 * (3 + i)] -= slide;
    }
  }
}

// All of them, at a local velocity; force and B (36, or NULL) are set.
static void resist(const ellipsoid *e, double rho, double beta, const double *vel, double *force,
                   double *B) {
  memset(force, 0, 6 * sizeof(double));
  if (B) {
    memset(B, 0, 36 * sizeof(double));
  }
  viscous(e, beta, vel, force, B);
  added_mass(e, rho, vel, force, B);
  magnus(e, rho, vel, force, B);
  angular_drag(e, rho, vel, force, B);
  view seen = look(e, vel + 3);
  if (seen.speed > slowest && seen.num > 0) {
    kutta(e, rho, &seen, vel + 3, force, B);
    drag(e, rho, &seen, vel + 3, force, B);
  }
  // the geom takes part to this fraction
  for (int i = 0; i < 6; i++) {
    force[i] *= e->fluid[0];
  }
  for (int i = 0; B && i < 36; i++) {
    B[i] *= e->fluid[0];
  }
}

// ------------------------------------------------------------------ operations

// A geom in its present state: axes, place relative to the origin, local force and derivative.
static const double *evaluate(const ellipsoids *s, const sn_data_view *data, const ellipsoid *e,
                              double *r, double *force, double *B) {
  const double *R = sn_field_reals(data->fields, s->geom_xmat) + 9 * e->geom;
  double vel[6];
  sn_sub3(r, sn_field_reals(data->fields, s->geom_xpos) + 3 * e->geom,
          tree_origin(&s->tree, data, e->body));
  fluid_velocity(vel, R, r, sn_field_reals(data->fields, s->tree.cvel) + 6 * e->body,
                 s->fluid.wind);
  resist(e, *s->fluid.density, *s->fluid.viscosity, vel, force, B);
  return R;
}

static sn_status fluid_apply(const void *self, const void *bound, const sn_data_view *data,
                             double *qfrc, sn_scratch *scratch) {
  (void)self;
  (void)scratch;
  const ellipsoids *s = bound;
  for (int64_t i = 0; i < s->n && !medium_is_empty(&s->fluid); i++) {
    double r[3], force[6], wrench[6];
    const double *R = evaluate(s, data, &s->at[i], r, force, NULL);
    fluid_wrench(wrench, R, r, force);
    tree_apply(&s->tree, data, s->at[i].body, wrench, qfrc);
  }
  return SN_OK;
}

static sn_status fluid_derive(const void *self, const void *bound, const sn_data_view *data,
                              const sn_sparse *pattern, double *D, sn_scratch *scratch) {
  (void)self;
  const ellipsoids *s = bound;
  if (medium_is_empty(&s->fluid)) {
    return SN_OK;
  }
  double *sum = sn_take_reals(scratch, 36 * s->tree.nbody);
  memset(sum, 0, 36 * (size_t)s->tree.nbody * sizeof(double));
  for (int64_t i = 0; i < s->n; i++) {
    double r[3], force[6], B[36];
    const double *R = evaluate(s, data, &s->at[i], r, force, B);
    fluid_matrix(sum + 36 * s->at[i].body, R, r, B);
  }
  tree_derive(&s->tree, data, sum, pattern, D);
  return SN_OK;
}

const sn_passive_ops fluid_ellipsoid_ops = {
  .head = { .size = sizeof(sn_passive_ops),
            .summary =
                "drag, lift and added mass of geoms with fluidshape ellipsoid, by their fluidcoef "
                "and the options density, viscosity, wind",
            .create = instance_create,
            .destroy = instance_destroy },
  .bind = fluid_bind,
  .unbind = fluid_unbind,
  .apply = fluid_apply,
  .derive = fluid_derive,
};
