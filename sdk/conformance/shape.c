// SPDX-License-Identifier: Apache-2.0
//
// Tests shapes: the support function must be that of a convex solid within its box; volume and
// moments of inertia must be those of the solid, and rays must meet its surface.
//
// Volume and moments are summed over the tetrahedra between the origin and triangles of support
// points, whose directions are a grid on the sphere. That is an inscribed polyhedron; it converges
// with the square of the width of the grid, for shapes with edges and faces too.

#include "sinew/shape.h"

#include <math.h>
#include <string.h>

#include "conformance/world/world.h"

enum { RINGS = 200, SECTORS = 400, DIRECTIONS = 400 };
static const double solid_tolerance = 0.01;      // relative, of volume and moments
static const double support_tolerance = 1e-9;    // of the size of the box
static const double ray_tolerance = 1e-6;        // likewise

typedef struct shape {
  kit *k;
  const sn_shape_ops *ops;
  const void *data;
  sn_shape_info info;
  double size;   // of the box
} shape;

static double dot(const double *a, const double *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static void support_of(const shape *s, const double *direction, double *point) {
  KIT_CALL(s->ops, support)(s->k->self, s->data, direction, point);
}

static void draw_direction(kit *k, double *d) {
  double n;
  do {
    for (int i = 0; i < 3; i++) {
      d[i] = kit_random(k);
    }
    n = sqrt(dot(d, d));
  } while (!(n > 0.1 && n <= 1));
  for (int i = 0; i < 3; i++) {
    d[i] /= n;
  }
}

// ------------------------------------------------------------------ the support function

static void test_support(const shape *s) {
  double d[DIRECTIONS][3], p[DIRECTIONS][3], again[3], outside = 0, beyond = 0;
  int finite = 1, same = 1;
  for (int i = 0; i < DIRECTIONS; i++) {
    draw_direction(s->k, d[i]);
    if (i < 6) {   // along the axes, where components are zero
      memset(d[i], 0, sizeof d[i]);
      d[i][i / 2] = i % 2 ? -1 : 1;
    }
    support_of(s, d[i], p[i]);
    support_of(s, d[i], again);
    finite &= kit_finite(p[i], 3);
    same &= memcmp(again, p[i], sizeof again) == 0;
    for (int k = 0; k < 3; k++) {
      outside = fmax(outside, fabs(p[i][k]) - s->info.half[k]);
    }
  }
  for (int i = 0; i < DIRECTIONS * DIRECTIONS; i++) {
    const double *toward = d[i % DIRECTIONS];
    beyond = fmax(beyond, dot(toward, p[i / DIRECTIONS]) - dot(toward, p[i % DIRECTIONS]));
  }
  const double allowed = support_tolerance * s->size;
  kit_require(s->k, "finite", finite, "all support points are finite",
              "support points are not finite");
  kit_require(s->k, "same bits", same, "support called twice with the same direction",
              "support called twice with the same direction returns two points");
  kit_check(s->k, "box", outside <= allowed,
            "support points are outside of the box by %.2g m; %.2g is allowed", fmax(0, outside),
            allowed);
  kit_check(s->k, "support", beyond <= allowed,
            "a support point of another direction is farther by %.2g m; %.2g is allowed",
            fmax(0, beyond), allowed);
}

// ------------------------------------------------------------------ volume and inertia

typedef struct sums {
  double volume, square[3];   // integrals of 1 and of x^2, y^2, z^2
} sums;

static void add_tetrahedron(const double *a, const double *b, const double *c, sums *out) {
  const double volume = (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                         a[2] * (b[0] * c[1] - b[1] * c[0])) /
                        6;
  out->volume += volume;
  for (int k = 0; k < 3; k++) {
    const double sum = a[k] + b[k] + c[k];
    out->square[k] += volume / 20 * (sum * sum + a[k] * a[k] + b[k] * b[k] + c[k] * c[k]);
  }
}

// Row 0 and row RINGS are the poles. A small turn keeps the grid off the planes of symmetry.
static void grid_point(const shape *s, int ring, int sector, double *point) {
  const double pi = 3.14159265358979323846, turn = 0.3;
  const double polar = pi * ring / RINGS, around = 2 * pi * (sector + turn) / SECTORS;
  double d[3] = { sin(polar) * cos(around), sin(polar) * sin(around), cos(polar) };
  if (ring == 0 || ring == RINGS) {   // the same direction for all sectors, without signs of zeros
    d[0] = d[1] = 0;
  }
  support_of(s, d, point);
}

static sums sum_up(const shape *s) {
  sums out = { 0 };
  for (int i = 0; i < RINGS; i++) {
    for (int j = 0; j < SECTORS; j++) {
      double p[4][3];
      grid_point(s, i, j, p[0]);
      grid_point(s, i + 1, j, p[1]);
      grid_point(s, i + 1, (j + 1) % SECTORS, p[2]);
      grid_point(s, i, (j + 1) % SECTORS, p[3]);
      add_tetrahedron(p[0], p[1], p[2], &out);
      add_tetrahedron(p[0], p[2], p[3], &out);
    }
  }
  return out;
}

static void test_solid(const shape *s) {
  const sums found = sum_up(s);
  const double volume = s->info.volume;
  kit_check(s->k, "volume", fabs(found.volume - volume) <= solid_tolerance * volume,
            "volume is %.6g m^3, that of the support points %.6g; they may differ by %g", volume,
            found.volume, solid_tolerance * volume);
  for (int k = 0; k < 3; k++) {
    const double moment = (found.square[(k + 1) % 3] + found.square[(k + 2) % 3]) / found.volume;
    if (!(fabs(moment - s->info.inertia[k]) <= 2 * solid_tolerance * moment)) {
      kit_report(s->k, "inertia", KIT_FAILED,
                 "inertia[%d] is %.6g m^2, that of the solid %.6g; they may differ by %g", k,
                 s->info.inertia[k], moment, 2 * solid_tolerance * moment);
      return;
    }
  }
  kit_report(s->k, "inertia", KIT_PASSED, "that of a solid of mass 1");
}

// ------------------------------------------------------------------ rays

// From the center outward to the surface, and from outside to the same place.
static void test_rays(const shape *s) {
  double d[DIRECTIONS][3], inside = 0, differs = 0;
  int hits = 0;
  const double far = 3 * s->size, center[3] = { 0 };
  for (int i = 0; i < DIRECTIONS; i++) {
    draw_direction(s->k, d[i]);
  }
  for (int i = 0; i < DIRECTIONS; i++) {
    double start[3], back[3], p[3];
    const double t = KIT_CALL(s->ops, ray)(s->k->self, s->data, center, d[i]);
    for (int k = 0; k < 3; k++) {
      start[k] = far * d[i][k];
      back[k] = -d[i][k];
    }
    const double other = KIT_CALL(s->ops, ray)(s->k->self, s->data, start, back);
    hits += t > 0 && other > 0 && isfinite(t) && isfinite(other);
    differs = fmax(differs, fabs(far - other - t));
    for (int j = 0; j < DIRECTIONS; j++) {
      support_of(s, d[j], p);
      inside = fmax(inside, t * dot(d[i], d[j]) - dot(p, d[j]));
    }
    differs = fmax(differs,
                   KIT_CALL(s->ops, ray)(s->k->self, s->data, start, d[i]) == -1 ? 0 : far);
  }
  kit_check(
      s->k, "rays",
      hits == DIRECTIONS && inside <= ray_tolerance * s->size && differs <= ray_tolerance * s->size,
      "%d of %d rays meet the surface; a point where one does is outside of the solid by %.2g m, "
      "and a ray from outside meets it %.2g m from the one from the center; %.2g m is allowed",
      hits, DIRECTIONS, fmax(0, inside), differs, ray_tolerance * s->size);
}

// ------------------------------------------------------------------ tests

static int is_positive(const sn_shape_info *info) {
  const double *h = info->half, *I = info->inertia;
  return h[0] > 0 && h[1] > 0 && h[2] > 0 && info->volume > 0 && I[0] > 0 && I[1] > 0 && I[2] > 0;
}

static int test_values(kit *k, const kit_attributes *a) {
  shape s = { .k = k, .ops = k->provider->ops, .info = { .size = sizeof s.info } };
  sn_error *error = sn_error_new();
  void *data = NULL;
  const sn_status status = KIT_CALL(s.ops, make)(k->self, a->values, &s.info, &data, error);
  if (status < 0) {
    const char *message = sn_error_message(error);
    kit_check(k, "make", *message != 0, "make returns %s%s%s", sn_status_name(status),
              *message ? ": " : " without a message", message);
  } else if (!is_positive(&s.info)) {
    kit_report(k, "solid", KIT_FAILED,
               "half sizes, volume and inertia must be positive; make wrote half %g %g %g, volume "
               "%g, inertia %g %g %g",
               s.info.half[0], s.info.half[1], s.info.half[2], s.info.volume, s.info.inertia[0],
               s.info.inertia[1], s.info.inertia[2]);
  } else {
    s.data = data;
    s.size = sqrt(dot(s.info.half, s.info.half));
    test_support(&s);
    test_solid(&s);
    if (s.ops->ray) {
      test_rays(&s);
    }
  }
  if (data) {
    KIT_CALL(s.ops, drop)(k->self, data);
  }
  sn_error_free(error);
  return status >= 0;
}

void kit_shape(kit *k) {
  const sn_shape_ops *ops = k->provider->ops;
  sn_error *error = sn_error_new();
  kit_attributes a;
  kit_world w;
  const int failures = k->failures;
  int tests = 0;
  if (!kit_world_new(k, &w, NULL, error)) {
    kit_report(k, "make", KIT_FAILED, "the model of the kit: %s", sn_error_message(error));
  }
  for (int way = 0; way < KIT_NWAYS && w.data; way++) {
    const int set = kit_attributes_set(k, &w, ops->attributes, way, &a);
    tests += set && test_values(k, &a);
  }
  if (w.data && tests == 0 && k->failures == failures) {
    kit_report(k, "make", KIT_SKIPPED, "it accepted no attributes that were tried");
  }
  kit_world_free(&w);
  sn_error_free(error);
}
