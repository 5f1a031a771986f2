// SPDX-License-Identifier: Apache-2.0
//
// Every pair of types, by every collider that supports it, the default first, and by the reference
// engine, on the same random poses: touches, how far the distance of the deepest touch is from the
// truth, and time a pair. All in one run, so that times can be compared.
//
// The truth is the brute force of the conformance kit, sdk/conformance/collision/separation.c. It
// asks no collider and is proven to `proof`. A height field is the nearest of its prisms.

#include "bench.h"

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collider_pairs.h"
#include "conformance/collision/separation.h"
#include "sinew/math.h"

enum { POSES = 10000, ROOM = 64, TURNS = 3, MESH_POINTS = 30 };
static const double margin = 0.02, proof = 1e-10;

typedef struct posed {
  double pos[2][3], mat[2][9], size[2][3];
} posed;

typedef struct workload {
  int type[2], n;
  posed *pose;
  sn_shape *shape[2];
  double *margin, *truth;
  sn_mesh_view mesh;
  sn_hfield_view field;
  double *height;   // of the field
  mjModel *m;
  mjData *d;
} workload;

typedef struct result {
  double *dist;     // n; the deepest touch, INFINITY: none
  double seconds;   // a pair
  double touches;   // a touching pair
  int most;
} result;

// ------------------------------------------------------------------ random poses

static uint64_t random_state;

static double random_number(void) {
  random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (double)(random_state >> 11) / (double)(UINT64_C(1) << 52) - 1;
}

static void random_direction(double *v) {
  do {
    for (int k = 0; k < 3; k++) {
      v[k] = random_number();
    }
  } while (!(sn_norm3(v) > 0.1 && sn_norm3(v) < 1));
  sn_normalize3(v);
}

static void random_rotation(double *mat) {
  double quat[4];
  for (int i = 0; i < 4; i++) {
    quat[i] = random_number();
  }
  sn_normalize4(quat);
  sn_quat_mat(mat, quat);
}

// how far a shape reaches
static double reach_of(int type, const double *size) {
  return type == SN_GEOM_SPHERE                                ? size[0]
         : type == SN_GEOM_CAPSULE || type == SN_GEOM_CYLINDER ? size[0] + size[1]
         : type == SN_GEOM_MESH                                ? 0.3
                                                               : sn_norm3(size);
}

// Bounded shapes at 0.2 to 0.9 of the sum of their reaches; before a plane or a height field at
// a height of up to the reach.
static void make_poses(workload *w) {
  random_state = 1;
  for (int i = 0; i < w->n; i++) {
    posed *p = &w->pose[i];
    double reach[2], away[3];
    for (int s = 0; s < 2; s++) {
      random_rotation(p->mat[s]);
      for (int k = 0; k < 3; k++) {
        p->size[s][k] = w->type[s] == SN_GEOM_PLANE ? 1 : 0.15 + 0.1 * random_number();
        p->pos[s][k] = random_number();
      }
      reach[s] = reach_of(w->type[s], p->size[s]);
    }
    if (w->type[0] == SN_GEOM_PLANE || w->type[0] == SN_GEOM_HFIELD) {
      const double local[3] = { 0.3 * random_number(), 0.3 * random_number(),
                                (w->type[0] == SN_GEOM_HFIELD ? 0.15 : 0) +
                                    reach[1] * (0.5 + 0.6 * random_number()) };
      sn_mul_mat_vec3(away, p->mat[0], local);
    } else {
      random_direction(away);
      sn_scale3(away, away, (reach[0] + reach[1]) * (0.55 + 0.35 * random_number()));
    }
    sn_add3(p->pos[1], p->pos[0], away);
    for (int s = 0; s < 2; s++) {
      w->shape[s][i] = (sn_shape){
        .type = w->type[s], .id = s, .pos = p->pos[s], .mat = p->mat[s]
      };
      sn_copy3(w->shape[s][i].size, p->size[s]);
      w->shape[s][i].mesh = w->type[s] == SN_GEOM_MESH ? &w->mesh : NULL;
      w->shape[s][i].hfield = w->type[s] == SN_GEOM_HFIELD ? &w->field : NULL;
    }
    w->margin[i] = margin;
  }
}

// ------------------------------------------------------------------ colliders

typedef struct provider {
  const char *name;
  const sn_collider_ops *ops;
  void *self;
} provider;

typedef struct memory {
  sn_scratch scratch;
  char *at;
  size_t used, size;
} memory;

static void *take(sn_scratch *scratch, int64_t bytes, int64_t alignment) {
  memory *m = (memory *)scratch;
  size_t align = (size_t)alignment, start = (m->used + align - 1) / align * align;
  if (start + (size_t)bytes > m->size) {
    fprintf(stderr, "bench: a collider wants more scratch memory than there is\n");
    exit(1);
  }
  m->used = start + (size_t)bytes;
  return m->at + start;
}

static void summarize(result *r, int n, const int *count) {
  int touching = 0, touches = 0;
  r->most = 0;
  for (int i = 0; i < n; i++) {
    touching += count[i] > 0;
    touches += count[i];
    r->most = count[i] > r->most ? count[i] : r->most;
  }
  r->touches = touching ? (double)touches / touching : 0;
}

static void run_sinew(const workload *w, const provider *p, result *r) {
  memory mem = { .scratch = { .size = sizeof mem.scratch, .alloc = take }, .size = 1 << 26 };
  int *count = calloc((size_t)w->n, sizeof *count);
  sn_contact_list out = { .size = sizeof out, .capacity = (int64_t)ROOM * w->n };
  out.point = malloc((size_t)out.capacity * sizeof *out.point);
  mem.at = malloc(mem.size);
  sn_batch batch = { .size = sizeof batch,
                     .n = w->n,
                     .first = w->shape[0],
                     .second = w->shape[1],
                     .margin = w->margin,
                     .tolerance = w->m->opt.mpr_tolerance,
                     .iterations = w->m->opt.mpr_iterations };
  r->seconds = INFINITY;
  for (int turn = 0; turn < TURNS; turn++) {
    double start = thread_clock();
    mem.used = 0;
    p->ops->collide(p->self, &batch, &out, &mem.scratch);
    r->seconds = fmin(r->seconds, (thread_clock() - start) / w->n);
  }
  for (int i = 0; i < w->n; i++) {
    r->dist[i] = INFINITY;
  }
  for (int64_t t = 0; t < out.count; t++) {
    count[out.point[t].pair]++;
    r->dist[out.point[t].pair] = fmin(r->dist[out.point[t].pair], out.point[t].dist);
  }
  summarize(r, w->n, count);
  free(count);
  free(out.point);
  free(mem.at);
}

static void run_reference(const workload *w, result *r) {
  mjfCollision collide = mjCOLLISIONFUNC[w->type[0]][w->type[1]];
  mjContact contact[ROOM + 8];
  int *count = calloc((size_t)w->n, sizeof *count);
  memset(contact, 0, sizeof contact);
  r->seconds = INFINITY;
  for (int turn = 0; turn < TURNS && collide; turn++) {
    double start = thread_clock();
    for (int i = 0; i < w->n; i++) {
      const posed *p = &w->pose[i];
      memcpy(w->d->geom_xpos, p->pos, sizeof p->pos);
      memcpy(w->d->geom_xmat, p->mat, sizeof p->mat);
      memcpy(w->m->geom_size, p->size, sizeof p->size);
      count[i] = collide(w->m, w->d, contact, 0, 1, margin);
      r->dist[i] = INFINITY;
      for (int k = 0; k < count[i]; k++) {
        r->dist[i] = fmin(r->dist[i], contact[k].dist);
      }
    }
    r->seconds = fmin(r->seconds, (thread_clock() - start) / w->n);
  }
  summarize(r, w->n, count);
  free(count);
}

// ------------------------------------------------------------------ a model with two geoms

static int open_model(workload *w) {
  char xml[6000], why[300] = "", path[] = "bench.xml";
  int n = snprintf(xml, sizeof xml, "<mujoco><asset><mesh name='m' vertex='");
  random_state = 7;
  for (int i = 0; i < MESH_POINTS; i++) {
    double v[3];
    random_direction(v);
    n += snprintf(xml + n, sizeof xml - (size_t)n, "%.6f %.6f %.6f ", 0.25 * v[0], 0.2 * v[1],
                  0.15 * v[2]);
  }
  n += snprintf(xml + n, sizeof xml - (size_t)n,
                "'/><hfield name='h' nrow='9' ncol='9' size='0.6 0.6 0.25 0.1'/></asset>"
                "<worldbody>");
  for (int s = 0; s < 2; s++) {
    n += snprintf(xml + n, sizeof xml - (size_t)n, "<geom type='%s' size='1 1 1' %s/>",
                  type_names[w->type[s]],
                  w->type[s] == SN_GEOM_MESH     ? "mesh='m'"
                  : w->type[s] == SN_GEOM_HFIELD ? "hfield='h'"
                                                 : "");
  }
  n += snprintf(xml + n, sizeof xml - (size_t)n,
                "<geom type='mesh' mesh='m'/><geom type='hfield' hfield='h'/>"
                "</worldbody></mujoco>");
  mjVFS *vfs = malloc(sizeof *vfs);
  mj_defaultVFS(vfs);
  mj_makeEmptyFileVFS(vfs, path, n);
  memcpy(vfs->filedata[0], xml, (size_t)n);
  w->m = mj_loadXML(path, vfs, why, sizeof why);
  mj_deleteVFS(vfs);
  free(vfs);
  if (!w->m) {
    fprintf(stderr, "bench: %s\n", why);
    return 0;
  }
  w->d = mj_makeData(w->m);
  return 1;
}

static void open_shapes(workload *w) {
  const mjModel *m = w->m;
  size_t nvert = (size_t)m->mesh_vertnum[0],
         cells = (size_t)(m->hfield_nrow[0] * m->hfield_ncol[0]);
  double *vert = malloc(3 * nvert * sizeof *vert);
  for (size_t i = 0; i < 3 * nvert; i++) {
    vert[i] = m->mesh_vert[i];
  }
  w->mesh = (sn_mesh_view){ .size = sizeof(sn_mesh_view),
                            .nvert = m->mesh_vertnum[0],
                            .nface = m->mesh_facenum[0],
                            .vert = vert,
                            .face = m->mesh_face,
                            .ngraph = m->nmeshgraph,
                            .graph = m->mesh_graph };
  w->height = malloc(cells * sizeof *w->height);
  for (size_t i = 0; i < cells; i++) {
    m->hfield_data[i] = (float)(0.5 + 0.5 * random_number());
    w->height[i] = m->hfield_data[i];
  }
  w->field = (sn_hfield_view){ .size = sizeof(sn_hfield_view),
                               .nrow = m->hfield_nrow[0],
                               .ncol = m->hfield_ncol[0],
                               .data = w->height };
  memcpy(w->field.extent, m->hfield_size, sizeof w->field.extent);
}

static int open_workload(workload *w, int first, int second) {
  *w = (workload){ .type = { first, second }, .n = POSES };
  if (!open_model(w)) {
    return 0;
  }
  size_t n = (size_t)w->n;
  w->pose = malloc(n * sizeof *w->pose);
  w->shape[0] = malloc(n * sizeof *w->shape[0]);
  w->shape[1] = malloc(n * sizeof *w->shape[1]);
  w->margin = malloc(n * sizeof *w->margin);
  w->truth = malloc(n * sizeof *w->truth);
  open_shapes(w);
  make_poses(w);
  return 1;
}

static void close_workload(workload *w) {
  union {
    const double *from;
    double *to;
  } vert = { .from = w->mesh.vert };
  free(vert.to);
  free(w->height);
  free(w->pose);
  free(w->shape[0]);
  free(w->shape[1]);
  free(w->margin);
  free(w->truth);
  mj_deleteData(w->d);
  mj_deleteModel(w->m);
}

// ------------------------------------------------------------------ the table

enum { MOST = 8 };

// One row: worst and mean error of the deepest touch, and pairs that were missed, or touch when
// they do not.
static void report(const workload *w, const char *name, const char *served, const result *r) {
  double worst = 0, sum = 0, slack = 1e-5;
  int n = 0, wrong = 0;
  for (int i = 0; i < w->n; i++) {
    int touches = r->dist[i] <= margin;
    if (touches && w->truth[i] <= margin + slack) {
      double error = fabs(r->dist[i] - w->truth[i]);
      worst = fmax(worst, error);
      sum += error;
      n++;
    } else {
      wrong += touches ? w->truth[i] > margin + slack : w->truth[i] < margin - slack;
    }
  }
  printf("| %s-%s | %s%s | %.2f | %d | %.1e | %.1e | %d | %.0f |\n", type_names[w->type[0]],
         type_names[w->type[1]], name, served, r->touches, r->most, worst, n ? sum / n : 0, wrong,
         1e9 * r->seconds);
  fflush(stdout);
}

// The collider that the configuration gives a pair to; "": none.
static void find_default(const sn_engine *engine, int first, int second, char name[64]) {
  char pair[64];
  sn_config_info info = { .size = sizeof info };
  snprintf(pair, sizeof pair, "%s-%s", type_names[first], type_names[second]);
  name[0] = '\0';
  for (int64_t i = 0; sn_engine_config(engine, i, &info); i++) {
    if (strcmp(info.section, "collision") == 0 && strcmp(info.key, pair) == 0) {
      snprintf(name, 64, "%s", info.value);
    }
  }
}

static void bench_reference(const workload *w) {
  result r = { .dist = malloc((size_t)w->n * sizeof *r.dist) };
  run_reference(w, &r);
  report(w, "reference", "", &r);
  free(r.dist);
}

static int bench_pair(const sn_engine *engine, const provider *providers, int nprovider, int first,
                      int second) {
  workload w;
  char chosen[64];
  int n = 0;
  find_default(engine, first, second, chosen);
  if (!open_workload(&w, first, second)) {
    return 0;
  }
  for (int i = 0; *chosen && i < w.n; i++) {
    w.truth[i] = separation(&w.shape[0][i], &w.shape[1][i], proof, margin + 1e-3, NULL);
  }
  // the default, then the others
  for (int turn = 0; turn < 2; turn++) {
    for (int i = 0; i < nprovider; i++) {
      int is_default = strcmp(providers[i].name, chosen) == 0;
      if (is_default == turn || !supports(providers[i].ops, first, second)) {
        continue;
      }
      result r = { .dist = malloc((size_t)w.n * sizeof *r.dist) };
      run_sinew(&w, &providers[i], &r);
      report(&w, providers[i].name, is_default ? ", default" : "", &r);
      free(r.dist);
      n++;
    }
  }
  if (mjCOLLISIONFUNC[first][second]) {
    bench_reference(&w);
  }
  if (n == 0) {
    printf("| %s-%s | none | | | | | | |\n", type_names[first], type_names[second]);
  }
  close_workload(&w);
  return 1;
}

static int find_providers(sn_engine *engine, provider *list) {
  sn_provider_info info = { .size = sizeof info };
  int n = 0;
  for (int64_t i = 0; n < MOST && sn_engine_provider(engine, i, &info); i++) {
    if (strcmp(info.kind, SN_KIND_COLLIDER) != 0) {
      continue;
    }
    provider p = { .name = info.name, .ops = info.ops };
    if (!open_collider(engine, p.ops, 1, &p.self)) {
      continue;
    }
    list[n++] = p;
  }
  return n;
}

// The processor, as Linux names it.
static void tell_machine(void) {
  char line[256], model[200] = "unknown";
  FILE *file = fopen("/proc/cpuinfo", "r");
  while (file && fgets(line, sizeof line, file) &&
         sscanf(line, "model name : %199[^\n]", model) != 1) {}
  if (file) {
    fclose(file);
  }
  printf("%s, one thread\n", model);
}

int bench_collision(sn_engine *engine) {
  provider providers[MOST];
  int n = find_providers(engine, providers), ok = 1;
  tell_machine();
  printf("%d random poses a pair, margin %g, sizes 0.05 to 0.25; the truth is proven to %g m\n\n",
         POSES, margin, proof);
  puts("| pair | collider | touches | most | worst error, m | mean error, m | wrong | ns a pair |");
  puts("|---|---|---|---|---|---|---|---|");
  for (int i = 0; i < SN_GEOM_USER; i++) {
    for (int j = i; j < SN_GEOM_USER; j++) {
      ok &= bench_pair(engine, providers, n, i, j);
    }
  }
  for (int i = 0; i < n; i++) {
    close_collider(providers[i].ops, providers[i].self);
  }
  return ok;
}
