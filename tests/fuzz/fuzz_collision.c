// SPDX-License-Identifier: Apache-2.0
//
// Random pairs of every kind that a collider supports, of extreme sizes and poses: touches are well
// formed, distances and rays are numbers, nothing crashes. An input is a seed, and how wild its
// batches are: one input is many pairs, for a collider costs more than the fuzzer. At every million
// pairs, and at the end, their number is printed, and how often a collider was asked about one.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collider_pairs.h"
#include "sinew/math.h"
#include "sinew/sinew.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PAIRS = 32, BATCHES = 16, ROOM = 64, POINTS = 12, GRID = 4, MOST = 8 };

static const char *const plugins[] = { "primitive", "ccd", "gjk", "hfield" };
enum { NPLUGINS = sizeof plugins / sizeof *plugins };

typedef struct provider {
  char name[32];
  const sn_collider_ops *ops;
  void *self;
} provider;

static provider providers[MOST];
static int nproviders;
static unsigned long long pairs_done, asked;

// ------------------------------------------------------------------ colliders

static void tell(void) {
  fprintf(stderr, "%llu pairs, colliders asked %llu times\n", pairs_done, asked);
}

static void open_colliders(void) {
  static sn_error *error;
  static sn_engine *engine;
  error = sn_error_new();
  engine = sn_engine_open("", error);
  for (int i = 0; i < NPLUGINS; i++) {
    char path[1000];
    snprintf(path, sizeof path, "%s/plugins/%s.so", SN_TEST_BUILD, plugins[i]);
    if (sn_engine_load_plugin(engine, plugins[i], path, error) < 0) {
      fprintf(stderr, "%s\n", sn_error_text(error));
      abort();
    }
  }
  sn_provider_info info = { .size = sizeof info };
  for (int64_t i = 0; sn_engine_provider(engine, i, &info); i++) {
    if (strcmp(info.kind, SN_KIND_COLLIDER) != 0) {
      continue;
    }
    provider *p = &providers[nproviders++];
    snprintf(p->name, sizeof p->name, "%s", info.name);
    p->ops = info.ops;
    open_collider(engine, p->ops, 1, &p->self);
  }
  atexit(tell);
}

// ------------------------------------------------------------------ a batch

typedef struct batch_memory {
  sn_shape shape[2][PAIRS];
  double pos[2][PAIRS][3], mat[2][PAIRS][9], margin[PAIRS];
  double vert[2][3 * POINTS], height[GRID * GRID];
  sn_mesh_view mesh[2];
  sn_hfield_view field;
  sn_contact_point touch[PAIRS * ROOM];
} batch_memory;

static uint64_t state;
static double spread;   // decades of sizes on either side of 1

static double random_number(void) {
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(state >> 11) / (double)(UINT64_C(1) << 52) - 1;
}

static int one_in(int n) {
  return (int)((random_number() + 1) * 0.5 * n) == 0;
}

static double random_size(void) {
  return one_in(40) ? 0 : pow(10, spread * random_number());
}

// generic, at right angles, nearly so, or none at all
static void random_rotation(double *mat) {
  double quat[4];
  for (int i = 0; i < 4; i++) {
    quat[i] = random_number();
  }
  if (one_in(3)) {
    for (int i = 0; i < 4; i++) {
      quat[i] = round(quat[i]);
    }
    quat[0] += one_in(3) ? 1e-9 * random_number() : 0;
  }
  sn_normalize4(quat);
  sn_quat_mat(mat, quat);
}

static void random_assets(batch_memory *b) {
  for (int s = 0; s < 2; s++) {
    double flat[3] = { random_size(), random_size(), one_in(4) ? 0 : random_size() };
    for (int i = 0; i < 3 * POINTS; i++) {
      b->vert[s][i] = flat[i % 3] * (one_in(4) ? round(random_number()) : random_number());
    }
    b->mesh[s] = (sn_mesh_view){ .size = sizeof(sn_mesh_view),
                                 .nvert = one_in(6) ? 1 : POINTS,
                                 .vert = b->vert[s] };
  }
  for (int i = 0; i < GRID * GRID; i++) {
    b->height[i] = one_in(2) ? 0 : 0.5 + 0.5 * random_number();
  }
  b->field = (sn_hfield_view){
    .size = sizeof(sn_hfield_view), .nrow = GRID, .ncol = GRID, .data = b->height
  };
  for (int i = 0; i < 4; i++) {
    b->field.extent[i] = pow(10, spread * random_number());
  }
}

static void random_pair(batch_memory *b, int i, const int *type) {
  double reach = 0;
  for (int s = 0; s < 2; s++) {
    sn_shape *x = &b->shape[s][i];
    *x = (sn_shape){ .type = type[s], .id = i, .pos = b->pos[s][i], .mat = b->mat[s][i] };
    double common = random_size();
    for (int k = 0; k < 3; k++) {
      x->size[k] = one_in(2) ? common : random_size();
      b->pos[s][i][k] = 0;
    }
    random_rotation(b->mat[s][i]);
    x->mesh = type[s] == SN_GEOM_MESH ? &b->mesh[s] : NULL;
    x->hfield = type[s] == SN_GEOM_HFIELD ? &b->field : NULL;
    reach = one_in(2) ? reach + x->size[0] : fmax(reach, sn_norm3(x->size));
  }
  if (one_in(4)) {
    memcpy(b->mat[1][i], b->mat[0][i], sizeof b->mat[0][i]);
  }
  // concentric, near, or anywhere; sometimes far from the origin
  double away = one_in(8) ? 0 : one_in(8) ? random_size() : reach * (random_number() + 1);
  double far = one_in(8) ? pow(10, spread) : 0;
  for (int k = 0; k < 3; k++) {
    double step = away * (one_in(3) ? round(random_number()) : random_number());
    b->pos[0][i][k] = far * random_number();
    b->pos[1][i][k] = b->pos[0][i][k] + step;
  }
  b->margin[i] = one_in(2) ? 0 : 0.1 * reach * fabs(random_number());
}

// ------------------------------------------------------------------ what must hold

static int finite3(const double *x) {
  return isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
}

static void fail(const provider *p, const batch_memory *b, int pair, const char *what) {
  const sn_shape *x = &b->shape[0][pair], *y = &b->shape[1][pair];
  fprintf(stderr, "%s, %s-%s: %s\n", p->name, type_names[x->type], type_names[y->type], what);
  for (int s = 0; s < 2; s++) {
    const sn_shape *z = &b->shape[s][pair];
    fprintf(stderr, "  size %.17g %.17g %.17g  pos %.17g %.17g %.17g\n", z->size[0], z->size[1],
            z->size[2], z->pos[0], z->pos[1], z->pos[2]);
  }
  abort();
}

static void *no_scratch(sn_scratch *scratch, int64_t bytes, int64_t alignment) {
  (void)scratch;
  (void)bytes;
  (void)alignment;
  fprintf(stderr, "a collider that needs scratch memory: give it some here\n");
  abort();
}

static void check_batch(const provider *p, batch_memory *b) {
  sn_scratch scratch = { .size = sizeof scratch, .alloc = no_scratch };
  sn_batch batch = { .size = sizeof batch,
                     .flags = one_in(2) ? SN_BATCH_MULTICONTACT : 0,
                     .n = PAIRS,
                     .first = b->shape[0],
                     .second = b->shape[1],
                     .margin = b->margin,
                     .tolerance = 1e-6,
                     .iterations = 50 };
  sn_contact_list out = { .size = sizeof out, .capacity = PAIRS * ROOM, .point = b->touch };
  if (p->ops->collide(p->self, &batch, &out, &scratch) != SN_OK || out.count > out.capacity) {
    fail(p, b, 0, "the batch failed");
  }
  int last = 0;
  for (int64_t i = 0; i < out.count; i++) {
    const sn_contact_point *t = &out.point[i];
    if (t->pair < last || t->pair >= PAIRS) {
      fail(p, b, 0, "pairs are out of order");
    }
    last = t->pair;
    if (!isfinite(t->dist) || !finite3(t->pos) || !finite3(t->tangent)) {
      fail(p, b, last, "not finite");
    }
    if (!(fabs(sn_norm3(t->normal) - 1) < 1e-9)) {
      fail(p, b, last, "the normal is not of unit length");
    }
    if (!(t->dist <= b->margin[last])) {
      fail(p, b, last, "beyond the margin");
    }
  }
  for (int i = 0; i < PAIRS; i++) {
    double distance = 0, point[6];
    if (p->ops->distance &&
        p->ops->distance(p->self, &b->shape[0][i], &b->shape[1][i], 1e3, &distance, point,
                         point + 3, &scratch) >= 0 &&
        (!isfinite(distance) || !finite3(point) || !finite3(point + 3))) {
      fail(p, b, i, "the distance is not finite");
    }
    double axis[3] = { random_number(), random_number(), random_number() };
    sn_normalize3(axis);
    double along = -1;
    if (p->ops->ray && p->ops->ray(p->self, &b->shape[0][i], b->pos[1][i], axis, &along) >= 0 &&
        isnan(along)) {
      fail(p, b, i, "the ray is not a number");
    }
  }
  asked += PAIRS;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static batch_memory b;
  uint8_t head[10] = { 0 };
  memcpy(head, data, size < sizeof head ? size : sizeof head);
  if (!nproviders) {
    open_colliders();
  }
  memcpy(&state, head + 2, sizeof state);
  spread = 6 * head[1] / 255.0;
  for (int pass = 0; pass < BATCHES; pass++) {
    int type[2] = { (int)(4 * (random_number() + 1)), (int)(4 * (random_number() + 1)) };
    if (type[0] > type[1]) {
      int swap = type[0];
      type[0] = type[1];
      type[1] = swap;
    }
    random_assets(&b);
    for (int i = 0; i < PAIRS; i++) {
      random_pair(&b, i, type);
    }
    int judged = 0;
    for (int i = 0; i < nproviders; i++) {
      if (supports(providers[i].ops, type[0], type[1])) {
        check_batch(&providers[i], &b);
        judged = 1;
      }
    }
    pairs_done += judged ? PAIRS : 0;
    if (judged && pairs_done % 1000000 < PAIRS) {
      tell();
    }
  }
  return 0;
}
