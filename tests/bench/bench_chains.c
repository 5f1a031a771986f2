// SPDX-License-Identifier: Apache-2.0
//
// ./dev bench chains: hanging chains of hinges, 10 to 1000 links, of one tree: how the time of a
// step grows with the length, with M by recursion along the links and by its entries. The chains:
//
//   free       damped hinges, nothing touches
//   limits     the same, and every joint has a range, of which some joints are at the end
//   contacts   the last three links lie on a plane
//
// The exponent is the slope of log time over log n, by least squares.

#include <math.h>
#include <stdio.h>

#include "bench.h"

static const double length = 0.1, radius = 0.02;
static const double seconds = 0.5;   // of processor time a measurement
enum { NSIZES = 5, MOST_BY_ENTRIES = 300, SETTLE = 30, LYING = 3 };
static const int sizes[NSIZES] = { 10, 30, 100, 300, 1000 };

typedef struct chain_kind {
  const char *name;
  int limited, touching;
} chain_kind;

static const chain_kind kinds[] = { { "free", 0, 0 }, { "limits", 1, 0 }, { "contacts", 0, 1 } };

// Link i of n, below the one before; the axes alternate.
static sn_status add_link(sn_spec *spec, const chain_kind *k, int i, int n, int32_t *body,
                          sn_error *error) {
  sn_body_def def;
  sn_joint_def joint;
  sn_geom_def geom;
  sn_default_body(&def);
  sn_default_joint(&joint);
  sn_default_geom(&geom);
  // the links that lie on the plane point along it
  const int lying = k->touching && i >= n - LYING, turn = k->touching && i == n - LYING;
  def.parent = *body;
  def.pos[2] = i > 0 && !(lying && !turn) ? -length : 0;
  def.pos[0] = lying && !turn ? length : 0;
  sn_status status = sn_spec_add_body(spec, &def, NULL, body, error);
  joint.body = geom.body = *body;
  joint.type = SN_JOINT_HINGE;
  joint.axis[0] = i % 2;
  joint.axis[1] = !(i % 2);
  joint.axis[2] = 0;
  joint.damping = 0.001;
  if (k->limited) {
    joint.limited = SN_TRUE;
    joint.range[0] = i % 50 == 0 ? 0.001 : -1;   // radians: the spec is compiled as it is
    joint.range[1] = 1;
  }
  geom.type = SN_GEOM_CAPSULE;
  geom.size[0] = radius;
  geom.fromto[0] = geom.fromto[1] = geom.fromto[2] = 0;
  geom.fromto[3] = lying ? length : 0;
  geom.fromto[4] = 0;
  geom.fromto[5] = lying ? 0 : -length;
  geom.contype = 0;
  geom.conaffinity = lying;
  status = status < 0 ? status : sn_spec_add_joint(spec, &joint, NULL, NULL, error);
  return status < 0 ? status : sn_spec_add_geom(spec, &geom, NULL, NULL, error);
}

static sn_status add_plane(sn_spec *spec, int n, sn_error *error) {
  sn_geom_def plane;
  sn_default_geom(&plane);
  plane.type = SN_GEOM_PLANE;
  plane.size[0] = plane.size[1] = plane.size[2] = 1;
  plane.pos[2] = -length * (n - LYING) - radius + 0.0001;
  plane.contype = 1;
  plane.conaffinity = 0;
  return sn_spec_add_geom(spec, &plane, NULL, NULL, error);
}

static sn_model *build(sn_engine *engine, const chain_kind *k, int n, const char *inertia,
                       sn_error *error) {
  sn_spec *spec = sn_spec_new(engine, error);
  if (!spec) {
    return NULL;
  }
  int32_t body = 0;
  sn_status status = k->touching ? add_plane(spec, n, error) : SN_OK;
  for (int i = 0; i < n && status >= 0; i++) {
    status = add_link(spec, k, i, n, &body, error);
  }
  sn_model *m = status < 0 ? NULL : sn_compile(spec, error);
  sn_spec_free(spec);
  if (m && sn_model_parse_option(m, "inertia", inertia, error) < 0) {
    sn_model_free(m);
    m = NULL;
  }
  return m;
}

sn_model *bench_chain(sn_engine *engine, int n, sn_error *error) {
  return build(engine, &kinds[0], n, "auto", error);
}

// Seconds of a step; 0: it does not work.
static double measure(sn_engine *engine, const chain_kind *k, int n, const char *inertia,
                      double *rows) {
  sn_error *error = sn_error_new();
  sn_model *m = build(engine, k, n, inertia, error);
  sn_data *d = m ? sn_data_new(m, error) : NULL;
  double time = 0;
  sn_status status = d ? SN_OK : sn_error_code(error);
  for (int i = 0; i < SETTLE && status >= 0; i++) {
    status = sn_step(m, d);
  }
  int steps = 0;
  const double start = thread_clock();
  *rows = 0;
  while (status >= 0 && (time < seconds || steps < 5)) {
    status = sn_step(m, d);
    *rows += d ? (double)snd_nefc(d) : 0;
    steps++;
    time = thread_clock() - start;
  }
  *rows /= steps > 0 ? steps : 1;
  if (status < 0) {
    printf("%10s %6d  %s\n", k->name, n, sn_error_text(d ? sn_data_error(d) : error));
  }
  sn_data_free(d);
  if (m) {
    sn_model_free(m);
  }
  sn_error_free(error);
  return status < 0 ? 0 : time / steps;
}

static int measure_kind(sn_engine *engine, const chain_kind *k) {
  double x[NSIZES], y[NSIZES];
  for (int i = 0; i < NSIZES; i++) {
    double rows, none;
    const double time = measure(engine, k, sizes[i], "auto", &rows);
    if (!(time > 0)) {
      return 0;
    }
    const double other = sizes[i] <= MOST_BY_ENTRIES ? measure(engine, k, sizes[i], "matrix", &none)
                                                     : 0;
    printf("%10s %6d %8.1f %12.2f %12.3f", k->name, sizes[i], rows, 1e6 * time,
           1e6 * time / sizes[i]);
    printf(other > 0 ? " %12.2f\n" : "            -\n", 1e6 * other);
    fflush(stdout);
    x[i] = log(sizes[i]);
    y[i] = log(time);
  }
  printf("%10s exponent %.2f\n", k->name, bench_slope(NSIZES, x, y));
  return 1;
}

int bench_chains(sn_engine *engine) {
  int ok = 1;
  printf("%10s %6s %8s %12s %12s %12s\n", "chain", "links", "rows", "step, us", "step/n, us",
         "by entries");
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    ok &= measure_kind(engine, &kinds[i]);
  }
  return ok;
}
