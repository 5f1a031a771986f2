// SPDX-License-Identifier: Apache-2.0
//
// Tests convex hulls and convex decompositions. A hull is a closed surface with its triangles
// outward that has all points behind it, whatever their scale; its vertex graph has the edges of
// the triangles; it has at most as many vertices as allowed; points without a hull are an error.
// Pieces are closed and convex, and cover the solid.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mesh_result.h"
#include "sinew/math.h"

enum { MOST_POINTS = 200 };
static const double hull_tolerance = 1e-10;   // of the size of the points
// Pieces may be computed by sampling the solid. Up to this part of its size they may be concave,
// and a point of the solid may be outside of all.
static const double piece_tolerance = 1e-5, cover_tolerance = 0.05;

// ------------------------------------------------------------------ surfaces

// Largest distance from the origin of the box around the points, m: sizes and rounding follow it.
static double reach_of(const double *point, int64_t n) {
  double most = 0;
  for (int64_t i = 0; i < 3 * n; i++) {
    most = fmax(most, fabs(point[i]));
  }
  return most;
}

// Whether the points are behind the triangle a b c. The distance times twice its area is compared,
// so that thin triangles, whose normals are not exact, are judged by what they say.
static int all_behind(const double *a, const double *b, const double *c, const double *point,
                      int64_t n, double size, double tolerance) {
  double u[3], v[3], normal[3], to[3];
  const double rounding = 1e-14 * size * size * size;
  sn_sub3(u, b, a);
  sn_sub3(v, c, a);
  sn_cross(normal, u, v);
  for (int64_t i = 0; i < n; i++) {
    sn_sub3(to, point + 3 * i, a);
    if (sn_dot3(normal, to) > tolerance * size * sn_norm3(normal) + rounding) {
      return 0;
    }
  }
  return 1;
}

// The number of triangles with the directed edge from -> to.
static int edges(const int32_t *face, int64_t nface, int32_t from, int32_t to) {
  int n = 0;
  for (int64_t f = 0; f < nface; f++) {
    for (int k = 0; k < 3; k++) {
      n += face[3 * f + k] == from && face[3 * f + (k + 1) % 3] == to;
    }
  }
  return n;
}

static double volume_of(const double *vert, const int32_t *face, int64_t nface) {
  double sum = 0, normal[3];
  for (int64_t f = 0; f < nface; f++) {
    sn_cross(normal, vert + 3 * face[3 * f], vert + 3 * face[3 * f + 1]);
    sum += sn_dot3(normal, vert + 3 * face[3 * f + 2]) / 6;
  }
  return sum;
}

const char *mesh_surface_fault(const double *vert, int64_t nvert, const int32_t *face,
                               int64_t nface, int convex, const double *point, int64_t n,
                               double tolerance) {
  const double size = reach_of(vert, nvert);
  for (int64_t i = 0; i < 3 * nface; i++) {
    if (face[i] < 0 || face[i] >= nvert) {
      return "a triangle has a vertex that does not exist";
    }
  }
  for (int64_t i = 0; i < 3 * nface; i++) {
    const int32_t from = face[i], to = face[i / 3 * 3 + (i + 1) % 3];
    if (edges(face, nface, from, to) != 1 || edges(face, nface, to, from) != 1) {
      return "it is not closed: an edge does not have two triangles of opposite directions";
    }
  }
  if (nface < 4 || !(volume_of(vert, face, nface) > 0)) {
    return nface < 4 ? "there are fewer than 4 triangles" : "its triangles are not outward";
  }
  for (int64_t f = 0; f < nface && convex; f++) {
    const double *a = vert + 3 * face[3 * f], *b = vert + 3 * face[3 * f + 1],
                 *c = vert + 3 * face[3 * f + 2];
    for (int64_t i = 0; i < 3 * nface; i++) {
      if (!all_behind(a, b, c, vert + 3 * face[i], 1, size, tolerance)) {
        return "it is not convex";
      }
    }
    if (!all_behind(a, b, c, point, n, size, tolerance)) {
      return "a point is outside";
    }
  }
  return NULL;
}

// ------------------------------------------------------------------ points

typedef struct cloud {
  const char *name;
  int64_t n;
  double point[3 * MOST_POINTS];
} cloud;

static void add_point(cloud *c, double x, double y, double z) {
  double *p = c->point + 3 * c->n++;
  p[0] = x;
  p[1] = y;
  p[2] = z;
}

static void scale(cloud *c, double factor, double shift) {
  for (int64_t i = 0; i < 3 * c->n; i++) {
    c->point[i] = factor * c->point[i] + shift;
  }
}

enum { CUBE, BALL, SPHERE, ROD, SMALL, LARGE, FAR, TWICE, NCLOUDS };

static void make_cloud(kit *k, cloud *c, int which) {
  static const char *const names[NCLOUDS] = {
    "a cube with points inside",  "points in a ball",
    "points on a sphere",         "a rod, 1000 times as long as thick",
    "a ball of 0.1 mm",           "a ball of 10 km",
    "a ball far from the origin", "a cube whose corners are there twice"
  };
  *c = (cloud){ .name = names[which] };
  for (int i = 0; i < 8 && (which == CUBE || which == TWICE); i++) {
    add_point(c, i & 1, i >> 1 & 1, i >> 2 & 1);
    if (which == TWICE) {
      add_point(c, i & 1, i >> 1 & 1, i >> 2 & 1);
    }
  }
  while (c->n < (which == SPHERE ? MOST_POINTS : 40) && which != TWICE) {
    double p[3] = { kit_random(k), kit_random(k), kit_random(k) };
    if (which == CUBE) {
      add_point(c, 0.5 + 0.4 * p[0], 0.5 + 0.4 * p[1], 0.5 + 0.4 * p[2]);
    } else if (sn_norm3(p) <= 1 && sn_norm3(p) > 0.1) {
      const double r = which == SPHERE ? sn_norm3(p) : 1;
      add_point(c, p[0] / r * (which == ROD ? 1000 : 1), p[1] / r, p[2] / r);
    }
  }
  scale(c, which == SMALL ? 1e-4 : which == LARGE ? 1e4 : 1, which == FAR ? 100 : 0);
}

// ------------------------------------------------------------------ hulls

// What is wrong with a vertex graph; NULL: nothing. Layout: see mesh.h.
static const char *graph_fault(const mesh_result *m, int64_t npoint) {
  const int64_t n = m->ngraph > 1 ? m->graph[0] : 0, f = m->ngraph > 1 ? m->graph[1] : 0;
  if (n < 4 || n > npoint || f != m->nface || m->ngraph != 2 + 3 * n + 6 * f) {
    return "the size of the vertex graph does not match its first numbers and the triangles";
  }
  const int32_t *start = m->graph + 2, *vertex = start + n, *edge = vertex + n;
  if (memcmp(edge + n + 3 * f, m->face, (size_t)(3 * f) * sizeof *edge) != 0) {
    return "the triangles of the vertex graph differ from those of the faces";
  }
  int64_t neighbors = 0;
  for (int64_t i = 0; i < n; i++) {
    if (start[i] < 0 || start[i] >= n + 3 * f || vertex[i] < 0 || vertex[i] >= npoint) {
      return "the vertex graph has an index out of range";
    }
    const int32_t *e = edge + start[i], *end = edge + n + 3 * f;
    for (const int32_t *first = e; e < end && *e >= 0; e++, neighbors++) {
      if (*e >= n || edges(m->face, f, vertex[i], vertex[*e]) != 1) {
        return "the vertex graph has an edge that no triangle has";
      }
      for (const int32_t *other = first; other < e; other++) {
        if (*other == *e) {
          return "the vertex graph has the same neighbor twice";
        }
      }
    }
    if (e == end) {
      return "a list of neighbors in the vertex graph does not end with -1";
    }
  }
  return neighbors == 3 * f ? NULL : "the vertex graph lacks an edge of a triangle";
}

static sn_status call_hull(kit *k, const cloud *c, int64_t limit, mesh_result *m, sn_error *error) {
  const sn_mesh_ops *ops = k->provider->ops;
  mesh_result_init(m, 0);
  const sn_status status = KIT_CALL(ops, hull)(k->self, c->n, c->point, limit, &m->sink,
                                               sn_engine_host(k->engine), error);
  return kit_status(k, "hull", status);
}

// The points that are vertices of triangles.
static int64_t used_vertices(const mesh_result *m, int64_t n) {
  int64_t count = 0;
  for (int64_t i = 0; i < n; i++) {
    int used = 0;
    for (int64_t c = 0; c < 3 * m->nface && !used; c++) {
      used = m->face[c] == i;
    }
    count += used;
  }
  return count;
}

typedef struct hull_findings {
  int64_t hulls, changed, unequal, no_error, silent;
  char surface[200], graph[200], limit[120], failed[120];
  const char *degenerate;
} hull_findings;

static void say(char *to, size_t capacity, const char *where, const char *what) {
  if (!*to) {
    snprintf(to, capacity, "%s: %s", where, what);
  }
}

// With a limit the hull is that of a subset, so that other points may be outside.
static void test_cloud(kit *k, const cloud *c, int64_t limit, hull_findings *f) {
  const cloud before = *c;
  mesh_result m, again;
  sn_error *error = sn_error_new();
  const sn_status status = call_hull(k, c, limit, &m, error);
  call_hull(k, c, limit, &again, error);
  f->hulls++;
  f->unequal += m.hash != again.hash;
  f->changed += memcmp(&before, c, sizeof before) != 0;
  if (status < 0) {
    say(f->failed, sizeof f->failed, c->name, sn_error_message(error));
  } else {
    const char *fault = mesh_surface_fault(c->point, c->n, m.face, m.nface, 1, c->point,
                                           limit > 0 ? 0 : c->n, hull_tolerance);
    const char *graph = fault ? NULL : graph_fault(&m, c->n);
    if (fault) {
      say(f->surface, sizeof f->surface, c->name, fault);
    }
    if (graph) {
      say(f->graph, sizeof f->graph, c->name, graph);
    }
    if (limit > 0 && used_vertices(&m, c->n) > limit && !*f->limit) {
      snprintf(f->limit, sizeof f->limit, "%lld vertices, of which %lld are allowed",
               (long long)used_vertices(&m, c->n), (long long)limit);
    }
  }
  mesh_result_free(&m);
  mesh_result_free(&again);
  sn_error_free(error);
}

enum { NONE, ONE, THREE, PLANE, TILTED, LINE, SAME, NAN_IN_IT, INFINITE, NDEGENERATE };

static void make_degenerate(kit *k, cloud *c, int which) {
  static const char *const names[NDEGENERATE] = { "no points",
                                                  "one point",
                                                  "three points",
                                                  "points in a plane",
                                                  "points in a tilted plane",
                                                  "a line",
                                                  "the same point",
                                                  "a NaN",
                                                  "an infinite coordinate" };
  static const int64_t counts[NDEGENERATE] = { 0, 1, 3, 12, 12, 12, 12, 12, 12 };
  *c = (cloud){ .name = names[which] };
  while (c->n < counts[which]) {
    const double x = kit_random(k), y = kit_random(k), z = kit_random(k);
    switch (which) {
      case PLANE: add_point(c, x, y, 7); break;
      case TILTED: add_point(c, x, y, 0.3 * x - 0.7 * y + 0.1); break;
      case LINE: add_point(c, x, 2 * x, -x); break;
      case SAME: add_point(c, 1, 2, 3); break;
      default: add_point(c, x, y, z); break;
    }
  }
  if (which == NAN_IN_IT || which == INFINITE) {
    c->point[7] = which == INFINITE ? INFINITY : NAN;
  }
}

static void test_degenerate(kit *k, hull_findings *f) {
  for (int which = 0; which < NDEGENERATE; which++) {
    cloud c;
    mesh_result m;
    sn_error *error = sn_error_new();
    make_degenerate(k, &c, which);
    const sn_status status = call_hull(k, &c, 0, &m, error);
    if (status >= 0 || !*sn_error_message(error)) {
      f->no_error += status >= 0;
      f->silent += status < 0;
      f->degenerate = c.name;
    }
    mesh_result_free(&m);
    sn_error_free(error);
  }
}

static void report_text(kit *k, const char *requirement, const char *fault, const char *passed) {
  kit_check(k, requirement, !*fault, "%s", *fault ? fault : passed);
}

void kit_hull(kit *k) {
  static const int64_t limits[] = { 4, 5, 20, 100 };
  hull_findings f = { .hulls = 0 };
  cloud c;
  for (int which = 0; which < NCLOUDS; which++) {
    make_cloud(k, &c, which);
    test_cloud(k, &c, 0, &f);
  }
  make_cloud(k, &c, SPHERE);
  for (int i = 0; i < 4; i++) {
    test_cloud(k, &c, limits[i], &f);
  }
  test_degenerate(k, &f);
  report_text(k, "hulls", f.failed, "all points with a hull got one");
  report_text(k, "surface", f.surface, "closed, convex, outward, with all points behind it");
  report_text(k, "vertex graph", f.graph, "its edges are those of the triangles");
  report_text(k, "limit", f.limit, "no more vertices than allowed");
  kit_check(k, "degenerate", f.no_error == 0 && f.silent == 0, "%s%s",
            f.degenerate ? f.degenerate : "points without a hull are an error with a reason",
            f.no_error ? ": it succeeded"
            : f.silent ? ": an error without a message"
                       : "");
  kit_check(k, "same bits", f.unequal == 0, "%lld hulls, each twice", (long long)f.hulls);
  kit_check(k, "inputs", f.changed == 0, "the points were %s",
            f.changed ? "changed" : "not changed");
}

// ------------------------------------------------------------------ pieces

// A prism over the polygon of n corners (x, y), counter-clockwise, between z = 0 and 1; `caps`: its
// triangles.
typedef struct prism {
  const char *name;
  int64_t n, ncap;
  double corner[8][2];
  int32_t cap[6][3];
} prism;

static const prism cube = {
  "a cube", 4, 2, { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 1 } }, { { 0, 1, 2 }, { 0, 2, 3 } }
};
static const prism angle = { "an L",
                             6,
                             4,
                             { { 0, 0 }, { 2, 0 }, { 2, 1 }, { 1, 1 }, { 1, 2 }, { 0, 2 } },
                             { { 0, 1, 3 }, { 1, 2, 3 }, { 0, 3, 5 }, { 3, 4, 5 } } };

typedef struct solid {
  int64_t nvert, nface;
  double vert[3 * 16];
  int32_t face[3 * 32];
} solid;

static void add_face(solid *s, int32_t a, int32_t b, int32_t c) {
  int32_t *f = s->face + 3 * s->nface++;
  f[0] = a;
  f[1] = b;
  f[2] = c;
}

static void make_solid(const prism *p, solid *s) {
  const int32_t n = (int32_t)p->n;
  *s = (solid){ .nvert = 2 * n };
  for (int32_t i = 0; i < 2 * n; i++) {
    s->vert[3 * i] = p->corner[i % n][0];
    s->vert[3 * i + 1] = p->corner[i % n][1];
    s->vert[3 * i + 2] = i < n ? 0 : 1;
  }
  for (int64_t i = 0; i < p->ncap; i++) {
    const int32_t *t = p->cap[i];
    add_face(s, t[0], t[2], t[1]);
    add_face(s, n + t[0], n + t[1], n + t[2]);
  }
  for (int32_t i = 0; i < n; i++) {
    const int32_t next = (i + 1) % n;
    add_face(s, i, next, n + next);
    add_face(s, i, n + next, n + i);
  }
}

static int64_t piece_end(const int64_t *first, const mesh_result *m, int64_t i, int64_t all) {
  return i + 1 < m->npiece ? first[i + 1] : all;
}

// A point of the solid, drawn in one of the triangles of the cap.
static void draw_inside(kit *k, const prism *p, double *out) {
  const int32_t *t = p->cap[(int)kit_between(k, 0, (double)p->ncap)];
  double a = kit_between(k, 0, 1), b = kit_between(k, 0, 1);
  if (a + b > 1) {
    a = 1 - a;
    b = 1 - b;
  }
  for (int i = 0; i < 2; i++) {
    out[i] = (1 - a - b) * p->corner[t[0]][i] + a * p->corner[t[1]][i] + b * p->corner[t[2]][i];
  }
  out[2] = kit_between(k, 0, 1);
}

static int is_covered(const mesh_result *m, const double *point) {
  for (int64_t i = 0; i < m->npiece; i++) {
    const double *vert = m->vert + 3 * m->first_vert[i];
    int inside = 1;
    for (int64_t f = m->first_face[i]; f < piece_end(m->first_face, m, i, m->nface); f++) {
      const int32_t *t = m->face + 3 * f;
      inside = inside && all_behind(vert + 3 * t[0], vert + 3 * t[1], vert + 3 * t[2], point, 1, 2,
                                    cover_tolerance);
    }
    if (inside) {
      return 1;
    }
  }
  return 0;
}

// What is wrong with the pieces; NULL: nothing.
static const char *pieces_fault(kit *k, const prism *p, const mesh_result *m, int64_t limit) {
  if (m->npiece < 1 || (limit > 0 && m->npiece > limit)) {
    return m->npiece < 1 ? "there are no pieces" : "there are more pieces than allowed";
  }
  if (p->n == 4 && m->npiece != 1) {
    return "a convex mesh has more than one piece";
  }
  for (int64_t i = 0; i < m->npiece; i++) {
    const int64_t vert = m->first_vert[i], face = m->first_face[i];
    const char *fault = mesh_surface_fault(
        m->vert + 3 * vert, piece_end(m->first_vert, m, i, m->nvert) - vert, m->face + 3 * face,
        piece_end(m->first_face, m, i, m->nface) - face, 1, NULL, 0, piece_tolerance);
    if (fault) {
      return fault;
    }
  }
  for (int i = 0; i < 200; i++) {
    double point[3];
    draw_inside(k, p, point);
    if (!is_covered(m, point)) {
      return "a point of the mesh is in no piece";
    }
  }
  return NULL;
}

static void test_solid(kit *k, const prism *p, int64_t limit, char *fault, size_t capacity,
                       int *unequal, int *changed) {
  const sn_mesh_ops *ops = k->provider->ops;
  const sn_host *host = sn_engine_host(k->engine);
  solid s, before;
  mesh_result m, again;
  sn_error *error = sn_error_new();
  make_solid(p, &s);
  before = s;
  mesh_result_init(&m, 0);
  mesh_result_init(&again, 0);
  const sn_status returned = KIT_CALL(ops, decompose)(k->self, s.nvert, s.vert, s.nface, s.face,
                                                      limit, &m.sink, host, error);
  const sn_status status = kit_status(k, "decompose", returned);
  KIT_CALL(ops, decompose)
  (k->self, s.nvert, s.vert, s.nface, s.face, limit, &again.sink, host, error);
  *unequal |= m.hash != again.hash;
  *changed |= memcmp(&before, &s, sizeof s) != 0;
  const char *what = status < 0 ? sn_error_message(error) : pieces_fault(k, p, &m, limit);
  if (what) {
    say(fault, capacity, p->name, what);
  }
  mesh_result_free(&m);
  mesh_result_free(&again);
  sn_error_free(error);
}

void kit_decompose(kit *k) {
  char fault[224] = "";
  int unequal = 0, changed = 0;
  test_solid(k, &cube, 0, fault, sizeof fault, &unequal, &changed);
  for (int64_t limit = 0; limit <= 2; limit++) {
    test_solid(k, &angle, limit, fault, sizeof fault, &unequal, &changed);
  }
  report_text(k, "pieces", fault, "closed, convex, not too many, and they cover the mesh");
  kit_check(k, "same bits", !unequal, "the same mesh twice");
  kit_check(k, "inputs", !changed, "the mesh was %s", changed ? "changed" : "not changed");
}
