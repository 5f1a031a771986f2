// SPDX-License-Identifier: Apache-2.0
//
// Every pair of types, by every collider that serves it and by the reference engine, on the same
// random poses: time a pair, touches, and how far the deepest touch is from the truth.
//
// The truth is the largest separation over all directions, by brute force. For a unit direction n
// the shapes are apart by at least min n.b - max n.a; the largest of these is the distance, or,
// negative, minus the depth. It is sought on a net of directions and from every normal that a
// collider reported, each followed by a pattern search; no collider is trusted. A height field is
// the nearest of its prisms.

#include "bench.h"

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/collider.h"
#include "sinew/math.h"

enum { POSES = 10000, FIELD_POSES = 1000, ROOM = 64, NET = 400, TURNS = 3, MESH_POINTS = 30 };
static const double margin = 0.02;

static const char *const type_names[SN_NGEOMTYPES] = { "plane",     "hfield",   "sphere", "capsule",
                                                       "ellipsoid", "cylinder", "box",    "mesh" };

typedef struct posed {
  double pos[2][3], mat[2][9], size[2][3];
} posed;

typedef struct workload {
  int type[2], n;
  posed *pose;
  sn_shape *shape[2];
  double *margin, *truth, *net;
  sn_mesh_view mesh;
  sn_hfield_view field;
  double *height;   // of the field
  mjModel *m;
  mjData *d;
} workload;

typedef struct result {
  double *dist;   // n; the deepest touch, INFINITY: none
  double (*normal)[3];
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

// ------------------------------------------------------------------ the truth

// A convex body of the truth: a shape, or points.
typedef struct body {
  const sn_shape *shape;
  int npoint;
  const double *point;   // local
} body;

// the largest n.x over a body
static double top_of(const body *b, const double *n) {
  double d[3], top = -INFINITY;
  const double *s = b->shape->size;
  sn_mul_matT_vec3(d, b->shape->mat, n);
  for (int i = 0; i < b->npoint; i++) {
    top = fmax(top, sn_dot3(d, b->point + 3 * i));
  }
  double across = hypot(d[0], d[1]);
  double of_type[SN_NGEOMTYPES] = {
    [SN_GEOM_SPHERE] = s[0],
    [SN_GEOM_CAPSULE] = s[0] + s[1] * fabs(d[2]),
    [SN_GEOM_ELLIPSOID] = sqrt(s[0] * s[0] * d[0] * d[0] + s[1] * s[1] * d[1] * d[1] +
                               s[2] * s[2] * d[2] * d[2]),
    [SN_GEOM_CYLINDER] = s[0] * across + s[1] * fabs(d[2]),
    [SN_GEOM_BOX] = s[0] * fabs(d[0]) + s[1] * fabs(d[1]) + s[2] * fabs(d[2]),
  };
  return sn_dot3(n, b->shape->pos) + (b->npoint ? top : of_type[b->shape->type]);
}

static double separation(const body *a, const body *b, const double *n) {
  const double back[3] = { -n[0], -n[1], -n[2] };
  return -top_of(b, back) - top_of(a, n);
}

// from a direction to the best one near it
static double climb(const body *a, const body *b, const double *start, double step, double best) {
  enum { AROUND = 8 };
  double n[3], t[3], u[3], phase = 0;
  sn_copy3(n, start);
  while (step > 1e-9) {
    double found[3] = { 0 }, top = best;
    sn_zero3(t);
    t[fabs(n[0]) < 0.5 ? 0 : 1] = 1;
    sn_cross(u, n, t);
    sn_normalize3(u);
    sn_cross(t, u, n);
    phase += 0.7;
    for (int i = 0; i < AROUND; i++) {
      double angle = phase + 2 * SN_PI * i / AROUND, x[3];
      sn_addscale3(x, n, step * cos(angle), t);
      sn_addscale3(x, x, step * sin(angle), u);
      sn_normalize3(x);
      double value = separation(a, b, x);
      if (value > top) {
        top = value;
        sn_copy3(found, x);
      }
    }
    if (top > best) {
      best = top;
      sn_copy3(n, found);
      step *= 1.3;
    } else {
      step *= 0.6;
    }
  }
  return best;
}

// hint: n directions
static double brute(const workload *w, const body *a, const body *b, int nhint, double (*hint)[3]) {
  double best = -INFINITY, start[3] = { 1, 0, 0 };
  for (int i = 0; i < NET; i++) {
    double value = separation(a, b, w->net + 3 * i);
    if (value > best) {
      best = value;
      sn_copy3(start, w->net + 3 * i);
    }
  }
  best = climb(a, b, start, 0.15, best);
  for (int i = 0; i < nhint; i++) {
    best = fmax(best, climb(a, b, hint[i], 1e-4, separation(a, b, hint[i])));
  }
  return best;
}

// the two prisms of a cell of the field: 6 points each
static void cell_prisms(const sn_hfield_view *f, int64_t row, int64_t col, double prism[2][18]) {
  static const int corner[2][3][2] = { { { 0, 0 }, { 1, 0 }, { 1, 1 } },
                                       { { 0, 0 }, { 1, 1 }, { 0, 1 } } };
  for (int t = 0; t < 2; t++) {
    for (int i = 0; i < 3; i++) {
      int64_t r = row + corner[t][i][0], c = col + corner[t][i][1];
      double *low = prism[t] + 3 * i, *high = low + 9;
      low[0] = high[0] = (2 * (double)c / (double)(f->ncol - 1) - 1) * f->size[0];
      low[1] = high[1] = (2 * (double)r / (double)(f->nrow - 1) - 1) * f->size[1];
      low[2] = -f->size[3];
      high[2] = f->data[r * f->ncol + c] * f->size[2];
    }
  }
}

static double field_truth(const workload *w, int i, const body *b, int nhint, double (*hint)[3]) {
  const sn_hfield_view *f = &w->field;
  double best = INFINITY, prism[2][18];
  for (int64_t r = 0; r + 1 < f->nrow; r++) {
    for (int64_t c = 0; c + 1 < f->ncol; c++) {
      cell_prisms(f, r, c, prism);
      for (int t = 0; t < 2; t++) {
        body a = { .shape = &w->shape[0][i], .npoint = 6, .point = prism[t] };
        double far = -INFINITY;
        for (int k = 0; k < NET && far < fmin(best, margin); k += 8) {
          far = fmax(far, separation(&a, b, w->net + 3 * k));
        }
        if (far < fmin(best, margin)) {
          best = fmin(best, brute(w, &a, b, nhint, hint));
        }
      }
    }
  }
  return best;
}

static double truth_of(const workload *w, int i, int nhint, double (*hint)[3]) {
  const sn_shape *s[2] = { &w->shape[0][i], &w->shape[1][i] };
  body b[2];
  for (int k = 0; k < 2; k++) {
    b[k] = (body){ .shape = s[k] };
    if (s[k]->type == SN_GEOM_MESH) {
      b[k].npoint = (int)w->mesh.nvert;
      b[k].point = w->mesh.vert;
    }
  }
  if (s[0]->type == SN_GEOM_PLANE) {
    const double down[3] = { -s[0]->mat[2], -s[0]->mat[5], -s[0]->mat[8] };
    return -top_of(&b[1], down) + sn_dot3(down, s[0]->pos);
  }
  return s[0]->type == SN_GEOM_HFIELD ? field_truth(w, i, &b[1], nhint, hint)
                                      : brute(w, &b[0], &b[1], nhint, hint);
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

static int names_type(const char *name, int type) {
  return strcmp(name, "convex") == 0 ? type >= SN_GEOM_SPHERE : strcmp(name, type_names[type]) == 0;
}

static int serves(const sn_collider_ops *ops, int first, int second) {
  for (const sn_collider_pair *p = ops->pairs; p->first; p++) {
    if (names_type(p->first, first) && names_type(p->second, second)) {
      return 1;
    }
  }
  return 0;
}

static void keep_deepest(result *r, int64_t pair, double dist, const double *normal) {
  if (dist < r->dist[pair]) {
    r->dist[pair] = dist;
    sn_copy3(r->normal[pair], normal);
  }
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
  memory mem = { .scratch = { .size = sizeof mem.scratch, .take = take }, .size = 1 << 26 };
  int *count = calloc((size_t)w->n, sizeof *count);
  sn_touches out = { .size = sizeof out, .capacity = (int64_t)ROOM * w->n };
  out.touch = malloc((size_t)out.capacity * sizeof *out.touch);
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
    double start = wall_clock();
    mem.used = 0;
    p->ops->collide(p->self, &batch, &out, &mem.scratch);
    r->seconds = fmin(r->seconds, (wall_clock() - start) / w->n);
  }
  for (int i = 0; i < w->n; i++) {
    r->dist[i] = INFINITY;
  }
  for (int64_t t = 0; t < out.count; t++) {
    count[out.touch[t].pair]++;
    keep_deepest(r, out.touch[t].pair, out.touch[t].dist, out.touch[t].normal);
  }
  summarize(r, w->n, count);
  free(count);
  free(out.touch);
  free(mem.at);
}

static void run_reference(const workload *w, result *r) {
  mjfCollision collide = mjCOLLISIONFUNC[w->type[0]][w->type[1]];
  mjContact contact[ROOM + 8];
  int *count = calloc((size_t)w->n, sizeof *count);
  memset(contact, 0, sizeof contact);
  r->seconds = INFINITY;
  for (int turn = 0; turn < TURNS && collide; turn++) {
    double start = wall_clock();
    for (int i = 0; i < w->n; i++) {
      const posed *p = &w->pose[i];
      memcpy(w->d->geom_xpos, p->pos, sizeof p->pos);
      memcpy(w->d->geom_xmat, p->mat, sizeof p->mat);
      memcpy(w->m->geom_size, p->size, sizeof p->size);
      count[i] = collide(w->m, w->d, contact, 0, 1, margin);
      r->dist[i] = INFINITY;
      for (int k = 0; k < count[i]; k++) {
        keep_deepest(r, i, contact[k].dist, contact[k].frame);
      }
    }
    r->seconds = fmin(r->seconds, (wall_clock() - start) / w->n);
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
  w->mesh = (sn_mesh_view){ .nvert = m->mesh_vertnum[0],
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
  w->field = (sn_hfield_view){ .nrow = m->hfield_nrow[0],
                               .ncol = m->hfield_ncol[0],
                               .data = w->height };
  memcpy(w->field.size, m->hfield_size, sizeof w->field.size);
  w->net = malloc(3 * NET * sizeof *w->net);
  for (int i = 0; i < NET; i++) {
    // a spiral from pole to pole
    double z = 1 - (2.0 * i + 1) / NET, r = sqrt(1 - z * z), turn = 2.399963229728653 * i;
    w->net[3 * i] = r * cos(turn);
    w->net[3 * i + 1] = r * sin(turn);
    w->net[3 * i + 2] = z;
  }
}

static int open_workload(workload *w, int first, int second) {
  *w = (workload){ .type = { first, second }, .n = first == SN_GEOM_HFIELD ? FIELD_POSES : POSES };
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
  free(w->net);
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

// worst error of the deepest touch; mean error; pairs that were missed, or touch when they do not
static void report(const workload *w, const char *name, const result *r) {
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
  printf("| %s-%s | %s | %.2f | %d | %.1e | %.1e | %d | %.0f |\n", type_names[w->type[0]],
         type_names[w->type[1]], name, r->touches, r->most, worst, n ? sum / n : 0, wrong,
         1e9 * r->seconds);
  fflush(stdout);
}

static int bench_pair(const provider *providers, int nprovider, int first, int second) {
  workload w;
  result r[MOST];
  const char *name[MOST];
  int n = 0;
  if (!open_workload(&w, first, second)) {
    return 0;
  }
  for (int i = 0; i <= nprovider && n < MOST; i++) {
    int reference = i == nprovider;
    if (reference ? !mjCOLLISIONFUNC[first][second] : !serves(providers[i].ops, first, second)) {
      continue;
    }
    r[n] = (result){ .dist = malloc((size_t)w.n * sizeof *r[n].dist),
                     .normal = malloc((size_t)w.n * sizeof *r[n].normal) };
    name[n] = reference ? "reference" : providers[i].name;
    reference ? run_reference(&w, &r[n]) : run_sinew(&w, &providers[i], &r[n]);
    n++;
  }
  for (int i = 0; i < w.n && n; i++) {
    double hint[MOST][3];
    int nhint = 0;
    for (int k = 0; k < n; k++) {
      if (r[k].dist[i] <= margin) {
        sn_copy3(hint[nhint++], r[k].normal[i]);
      }
    }
    w.truth[i] = truth_of(&w, i, nhint, hint);
  }
  for (int k = 0; k < n; k++) {
    report(&w, name[k], &r[k]);
    free(r[k].dist);
    free(r[k].normal);
  }
  if (n == 0) {
    printf("| %s-%s | nobody | | | | | | |\n", type_names[first], type_names[second]);
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
    sn_value values[16] = { 0 };
    for (int k = 0; info.params && info.params[k].name && k < 16; k++) {
      values[k] = (sn_value){ .real = strtod(info.params[k].fallback, NULL),
                              .integer = strtoll(info.params[k].fallback, NULL, 10),
                              .text = info.params[k].fallback };
    }
    if (p.ops->head.create &&
        p.ops->head.create(sn_engine_host(engine), values, &p.self, NULL) < 0) {
      continue;
    }
    list[n++] = p;
  }
  return n;
}

int bench_collision(sn_engine *engine) {
  provider providers[MOST];
  int n = find_providers(engine, providers), ok = 1;
  printf("%d random poses a pair (%d with height fields), margin %g; sizes 0.05 to 0.25\n\n", POSES,
         FIELD_POSES, margin);
  puts("| pair | collider | touches | most | worst error, m | mean error, m | wrong | ns a pair |");
  puts("|---|---|---|---|---|---|---|---|");
  for (int i = 0; i < SN_NGEOMTYPES; i++) {
    for (int j = i; j < SN_NGEOMTYPES; j++) {
      ok &= bench_pair(providers, n, i, j);
    }
  }
  for (int i = 0; i < n; i++) {
    if (providers[i].ops->head.destroy) {
      providers[i].ops->head.destroy(providers[i].self);
    }
  }
  return ok;
}
