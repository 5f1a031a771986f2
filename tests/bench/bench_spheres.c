// SPDX-License-Identifier: Apache-2.0
//
// Free spheres in a box: how time and memory of a step grow with their number. They start apart, in
// a lattice, and fall; the number of contacts a sphere is about the same for all numbers.

#include <math.h>
#include <stdio.h>

#include "bench.h"

enum { STEPS = 40, SETTLE = 60 };
static const double radius = 0.05, spacing = 0.11;

typedef struct scene_builder {
  sn_spec *spec;
  sn_error *error;
  sn_status status;
} scene_builder;

static void add_wall(scene_builder *b, const double *pos, const double *size) {
  sn_geom_def def;
  sn_default_geom(&def);
  def.type = SN_GEOM_BOX;
  for (int k = 0; k < 3; k++) {
    def.pos[k] = pos[k];
    def.size[k] = size[k];
  }
  b->status = b->status < 0 ? b->status : sn_spec_add_geom(b->spec, &def, NULL, NULL, b->error);
}

static void add_sphere(scene_builder *b, double x, double y, double z) {
  sn_body_def body;
  sn_joint_def joint;
  sn_geom_def geom;
  int32_t id = 0;
  sn_default_body(&body);
  sn_default_joint(&joint);
  sn_default_geom(&geom);
  body.pos[0] = x;
  body.pos[1] = y;
  body.pos[2] = z;
  b->status = b->status < 0 ? b->status : sn_spec_add_body(b->spec, &body, NULL, &id, b->error);
  joint.body = geom.body = id;
  joint.type = SN_JOINT_FREE;
  geom.type = SN_GEOM_SPHERE;
  geom.size[0] = radius;
  b->status = b->status < 0 ? b->status : sn_spec_add_joint(b->spec, &joint, NULL, NULL, b->error);
  b->status = b->status < 0 ? b->status : sn_spec_add_geom(b->spec, &geom, NULL, NULL, b->error);
}

// a lattice as wide as it is deep, ten layers high
sn_model *bench_spheres_model(sn_engine *engine, int n, sn_error *error) {
  scene_builder b = { .spec = sn_spec_new(engine, error), .error = error };
  if (!b.spec) {
    return NULL;
  }
  int side = (int)ceil(sqrt(n / 10.0));
  double half = 0.5 * spacing * side, thick = 0.5;
  const double pos[5][3] = { { 0, 0, -thick },
                             { half + thick, 0, 1 },
                             { -half - thick, 0, 1 },
                             { 0, half + thick, 1 },
                             { 0, -half - thick, 1 } };
  for (int i = 0; i < 5; i++) {
    const double size[3] = { i == 1 || i == 2 ? thick : half, i > 2 ? thick : half,
                             i ? 1.0 : thick };
    add_wall(&b, pos[i], size);
  }
  for (int i = 0; i < n; i++) {
    int layer = i / (side * side), row = i / side % side, column = i % side;
    // a little out of line, so that they do not stand on each other
    double off = 0.004 * sin(12.9898 * i);
    add_sphere(&b, (column - 0.5 * (side - 1)) * spacing + off,
               (row - 0.5 * (side - 1)) * spacing - off, radius + 0.001 + layer * spacing);
  }
  sn_model *m = b.status < 0 ? NULL : sn_compile(b.spec, error);
  sn_spec_free(b.spec);
  return m;
}

static int measure(sn_engine *engine, int n) {
  sn_error *error = sn_error_new();
  sn_model *m = bench_spheres_model(engine, n, error);
  sn_data *d = m ? sn_data_new(m, error) : NULL;
  int ok = d != NULL;
  if (ok) {
    sn_status status = SN_OK;
    for (int i = 0; i < SETTLE && status >= 0; i++) {
      status = sn_step(m, d);
    }
    double contacts = 0, position = 0, start = thread_clock();
    for (int i = 0; i < STEPS && status >= 0; i++) {
      status = sn_step(m, d);
      contacts += (double)snd_ncon(d) / STEPS;
    }
    double step = (thread_clock() - start) / STEPS;
    start = thread_clock();
    for (int i = 0; i < STEPS && status >= 0; i++) {
      status = sn_forward_position(m, d);
    }
    position = (thread_clock() - start) / STEPS;
    int64_t total, used;
    sn_data_memory(d, &total, &used);
    printf("%8d %10.0f %12.3f %12.3f %12.2f %12.2f%s\n", n, contacts, 1e3 * step, 1e3 * position,
           1e6 * step / n, (double)total / n / 1024, status < 0 ? "  diverged" : "");
    fflush(stdout);
  } else {
    printf("%8d  %s\n", n, sn_error_text(error));
  }
  sn_data_free(d);
  if (m) {
    sn_model_free(m);
  }
  sn_error_free(error);
  return ok;
}

int bench_spheres(sn_engine *engine) {
  static const int numbers[] = { 100, 300, 1000, 3000, 10000 };
  int ok = 1;
  printf("\n%8s %10s %12s %12s %12s %12s\n", "spheres", "contacts", "step, ms", "positions, ms",
         "step/n, us", "memory/n, KB");
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    ok &= measure(engine, numbers[i]);
  }
  return ok;
}
