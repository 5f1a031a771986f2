// SPDX-License-Identifier: Apache-2.0
//
// Penetration depth by the expanding polytope algorithm (van den Bergen, Proximity queries and
// penetration depth computation on 3D game objects, 2001). A polytope of points of the Minkowski
// difference contains the origin. The distance of its nearest face is a lower bound of the depth;
// the support point beyond that face gives an upper bound, and is the next vertex: the faces that
// are visible from it are removed, and new ones join their horizon with it.
//
//          ._______.                 ._______.
//         /         \               /         '.
//        /     o    |  ---> x      /     o      x
//        \          |              \          .'
//         '---------'               '--------'
//
// Curved shapes would need ever smaller faces. There a coarse polytope finds the directions near
// which the depth may be least, and polish.c does the rest.

#include "gjk.h"

// How the constants were tested: ten times more and ten times less, each alone, on the poses of the
// conformance kit. All its requirements are still met, with the same errors, unless noted; where a
// comment says so, single results change within the tolerances.

// A polytope of n vertices has 2 n - 4 faces. With 40 vertices the depth of a capsule in an
// ellipsoid is wrong by 3e-4 m.
enum { MOST_VERTICES = 160, MOST_FACES = 2 * MOST_VERTICES };
// Part of the scale: a thinner difference has no volume. No result changes.
static const double flat_difference = 1e-11;
// Length: the square of the area of a triangle of this size is near the smallest double.
static const double tiny_difference = 1e-75;
// Part of the scale: how far above a face a point must be to be visible, a few units of rounding.
// A tenth of it changes results, ten times as much does not.
static const double coplanar = 1e-15;
// Part of the scale: a projection this near to a face is on it. Ten times as much changes results.
static const double foot_tolerance = 1e-9;
// Part of the scale: the gap between the bounds below which polishing is tried. It decides how many
// faces are made before Newton's method is near enough; more or less changes results.
static const double polish_gap = 1e-2;
// Part of the gap at which polishing failed: when it is tried again. Not tested.
static const double repolish_ratio = 0.1;
// Cosine between directions that share a minimum, of smooth shapes: 0.3 does as well.
static const double same_minimum_smooth = 0.8;
// The same for other shapes, and how much deeper than a face the minimum may be, part of the scale;
// 0.999 and 0.99999, and more or less depth, change results.
static const double same_minimum = 0.9999, same_minimum_depth = 1e-3;

typedef struct face {
  int32_t vertex[3], next[3];   // next[i]: the face beyond the edge from vertex i to i + 1
  double normal[3], dist;       // the plane
} face;

enum { FACE_FREE = 0, FACE_HIDDEN = 1, FACE_VISIBLE = 2 };   // from the vertex that is being added

typedef struct polytope {
  const minkowski *m;
  int32_t nvertex, nface, nfree;
  double key[MOST_FACES];   // the lower bound; INFINITY: no face, or not worth expanding
  face at[MOST_FACES];
  vertex vertex[MOST_VERTICES];
  int32_t free[MOST_FACES];
  uint8_t state[MOST_FACES];   // FACE_*
  // the best direction so far
  double upper, normal[3];
  int32_t corner[3];
  int polished;         // `best` is of polish.c
  separation best;
  double polish_below;   // the gap below which polishing is tried
} polytope;

// ------------------------------------------------------------------ faces

// Whether a face is so near to the polished minimum that there is no other minimum near it.
static int shares_minimum(const polytope *p, const face *f) {
  double cosine = sn_dot3(f->normal, p->best.normal);
  return p->m->smooth
             ? cosine > same_minimum_smooth
             : cosine > same_minimum && -p->best.dist - f->dist < same_minimum_depth * p->m->scale;
}

static int32_t add_face(polytope *p, int32_t a, int32_t b, int32_t c) {
  int32_t index = p->nfree ? p->free[--p->nfree] : p->nface++;
  face *f = &p->at[index];
  const double *w = p->vertex[a].w;
  double ab[3], ac[3];
  f->vertex[0] = a;
  f->vertex[1] = b;
  f->vertex[2] = c;
  sn_sub3(ab, p->vertex[b].w, w);
  sn_sub3(ac, p->vertex[c].w, w);
  sn_cross(f->normal, ab, ac);
  double area = sn_norm3(f->normal);
  p->state[index] = FACE_HIDDEN;
  if (!(area > 0)) {
    f->dist = p->key[index] = INFINITY;
    return index;
  }
  sn_scale3(f->normal, f->normal, 1 / area);
  f->dist = p->key[index] = sn_dot3(f->normal, w);
  if (p->polished && shares_minimum(p, f)) {
    p->key[index] = INFINITY;
  }
  return index;
}

static void remove_face(polytope *p, int32_t index) {
  p->state[index] = FACE_FREE;
  p->key[index] = INFINITY;
  p->free[p->nfree++] = index;
}

static void start_polytope(polytope *p, const minkowski *m, const simplex *s) {
  static const int32_t corner[4][3] = { { 1, 3, 2 }, { 0, 2, 3 }, { 0, 3, 1 }, { 0, 1, 2 } };
  double ab[3], ac[3], ad[3], cross[3];
  p->m = m;
  p->nvertex = 4;
  p->nface = p->nfree = 0;
  p->upper = INFINITY;
  p->polished = 0;
  p->polish_below = m->curved ? polish_gap * m->scale : 0;
  memcpy(p->vertex, s->at, sizeof s->at);
  sn_sub3(ab, s->at[1].w, s->at[0].w);
  sn_sub3(ac, s->at[2].w, s->at[0].w);
  sn_sub3(ad, s->at[3].w, s->at[0].w);
  sn_cross(cross, ab, ac);
  if (sn_dot3(cross, ad) > 0) {   // vertex 3 must be behind face 0 1 2
    vertex swap = p->vertex[0];
    p->vertex[0] = p->vertex[1];
    p->vertex[1] = swap;
  }
  for (int i = 0; i < 4; i++) {
    add_face(p, corner[i][0], corner[i][1], corner[i][2]);
  }
  // face i is opposite to vertex i: beyond the edge from j to k is the face opposite to the third
  // vertex
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 3; k++) {
      p->at[i].next[k] = corner[i][(k + 2) % 3];
    }
  }
}

// ------------------------------------------------------------------ adding a vertex

static inline int is_visible(const polytope *p, int32_t f, const double *w) {
  return sn_dot3(p->at[f].normal, w) - p->at[f].dist > coplanar * p->m->scale;
}

// Lists and marks the faces that are visible from w: `first` is one, the others are connected to
// it.
static int32_t find_visible(polytope *p, int32_t first, const double *w, int32_t *visible) {
  int32_t n = 1;
  visible[0] = first;
  p->state[first] = FACE_VISIBLE;
  for (int32_t i = 0; i < n; i++) {
    for (int k = 0; k < 3; k++) {
      int32_t g = p->at[visible[i]].next[k];
      if (p->state[g] == FACE_HIDDEN && is_visible(p, g, w)) {
        p->state[g] = FACE_VISIBLE;
        visible[n++] = g;
      }
    }
  }
  return n;
}

// The edges between visible and hidden faces: one closed loop.
typedef struct horizon {
  int32_t n;
  struct {
    int32_t from, to, beyond;   // vertices; the hidden face
  } edge[MOST_VERTICES];
  int32_t edge_from[MOST_VERTICES];   // by vertex: the edge that starts there, -1: none
} horizon;

// Returns 0 when the edges form no simple loop, for lack of precision.
static int find_horizon(const polytope *p, const int32_t *visible, int32_t nvisible, horizon *h) {
  h->n = 0;
  memset(h->edge_from, 0xff, (size_t)p->nvertex * sizeof *h->edge_from);
  for (int32_t i = 0; i < nvisible; i++) {
    const face *f = &p->at[visible[i]];
    for (int k = 0; k < 3; k++) {
      if (p->state[f->next[k]] == FACE_VISIBLE) {
        continue;
      }
      int32_t from = f->vertex[k];
      if (h->n == MOST_VERTICES || h->edge_from[from] >= 0) {
        return 0;
      }
      h->edge_from[from] = h->n;
      h->edge[h->n].from = from;
      h->edge[h->n].to = f->vertex[(k + 1) % 3];
      h->edge[h->n++].beyond = f->next[k];
    }
  }
  return 1;
}

// A fan of new faces from the horizon to vertex v. Returns 0 when the loop is not closed.
static int add_fan(polytope *p, const horizon *h, int32_t v) {
  int32_t made[MOST_VERTICES];
  for (int32_t i = 0; i < h->n; i++) {
    made[i] = add_face(p, h->edge[i].from, h->edge[i].to, v);
  }
  // each is next to the hidden face beyond its edge, and to the new face of the edge that follows
  for (int32_t i = 0; i < h->n; i++) {
    face *f = &p->at[made[i]], *g = &p->at[h->edge[i].beyond];
    int32_t after = h->edge_from[h->edge[i].to];
    if (after < 0) {
      return 0;
    }
    f->next[0] = h->edge[i].beyond;
    f->next[1] = made[after];
    p->at[made[after]].next[2] = made[i];
    for (int k = 0; k < 3; k++) {
      if (g->vertex[k] == h->edge[i].to) {
        g->next[k] = made[i];
      }
    }
  }
  return 1;
}

// Expands the polytope to vertex v, from which face `first` is visible. Returns 0 for lack of
// precision, or of room for faces.
static int expand(polytope *p, int32_t first, int32_t v) {
  int32_t visible[MOST_FACES];
  horizon h;
  const int32_t nvisible = find_visible(p, first, p->vertex[v].w, visible);
  if (!find_horizon(p, visible, nvisible, &h) ||
      p->nface - p->nfree - nvisible + h.n > MOST_FACES) {
    return 0;
  }
  for (int32_t i = 0; i < nvisible; i++) {
    remove_face(p, visible[i]);
  }
  return add_fan(p, &h, v);
}

// ------------------------------------------------------------------ bounds

static void keep_direction(polytope *p, const face *f, double height) {
  if (height < p->upper) {
    p->upper = height;
    p->polished = 0;
    sn_copy3(p->normal, f->normal);
    memcpy(p->corner, f->vertex, sizeof p->corner);
  }
}

// Finds the least depth near the normal of a face. Faces that share this minimum need no expanding.
static int polish_face(polytope *p, const face *f, const vertex *top, double gap) {
  separation found;
  simplex s = { .n = 3 }, corner = { .n = 1, .at = { *top } };
  for (int i = 0; i < 3; i++) {
    s.at[i] = p->vertex[f->vertex[i]];
  }
  p->polish_below = repolish_ratio * gap;
  if ((!polish(p->m, f->normal, &s, &found) && !polish(p->m, f->normal, &corner, &found)) ||
      -found.dist > p->upper) {
    return 0;
  }
  p->upper = -found.dist;
  p->best = found;
  p->polished = 1;
  p->polish_below = polish_gap * p->m->scale;
  for (int32_t i = 0; i < p->nface; i++) {
    if (p->state[i] != FACE_FREE && shares_minimum(p, &p->at[i])) {
      p->key[i] = INFINITY;
    }
  }
  return 1;
}

// For when the least depth is known, but not the witness points: the polytope has only a part of a
// flat side of the difference, and the projection of the origin is on another part. If the shapes
// are moved apart along the normal, they are nearest where they were deepest.
static int witness_apart(const polytope *p, separation *out) {
  const double apart = 0.1;   // part of the scale; any clear distance will do
  minkowski moved = *p->m;
  simplex s;
  separation found;
  double way = p->upper + apart * moved.scale;
  sn_addscale3(moved.pos, moved.pos, way, p->normal);
  if (core_distance(&moved, INFINITY, &s, &found) != GJK_DISJOINT) {
    return 0;
  }
  sn_copy3(out->a, found.a);
  sn_addscale3(out->b, found.b, -way, p->normal);
  return 1;
}

static void answer(const polytope *p, separation *out) {
  if (p->polished) {
    *out = p->best;
    return;
  }
  simplex s = { .n = 3 };
  subsimplex nearest;
  double foot[3];
  // the projection of the origin on the supporting plane of the difference: of shapes with the same
  // center the face may be below that plane
  sn_scale3(foot, p->normal, p->upper);
  for (int i = 0; i < 3; i++) {
    s.at[i] = p->vertex[p->corner[i]];
    sn_sub3(s.at[i].w, s.at[i].w, foot);
  }
  simplex_nearest(&s, &nearest);
  double off = foot_tolerance * p->m->scale;
  if (nearest.square <= off * off || !witness_apart(p, out)) {
    simplex_reduce(&s, &nearest);
    simplex_witness(&s, out->a, out->b);
  }
  out->dist = -p->upper;
  sn_copy3(out->normal, p->normal);
}

// ------------------------------------------------------------------ growing

static int32_t nearest_face(const polytope *p) {
  int32_t nearest = 0;
  for (int32_t i = 1; i < p->nface; i++) {
    nearest = p->key[i] < p->key[nearest] ? i : nearest;
  }
  return nearest;
}

static void grow(polytope *p, separation *out) {
  const minkowski *m = p->m;
  for (int64_t k = 0; k < m->iterations + MOST_VERTICES; k++) {
    int32_t f = nearest_face(p);
    if (!(p->key[f] < p->upper - m->tolerance) || p->nvertex == MOST_VERTICES) {
      break;
    }
    vertex *w = &p->vertex[p->nvertex];
    const face *at = &p->at[f];
    *m->a.hint = p->vertex[at->vertex[0]].hint_a;
    *m->b.hint = p->vertex[at->vertex[0]].hint_b;
    minkowski_support(m, at->normal, w);
    double height = sn_dot3(at->normal, w->w), gap = height - at->dist;
    keep_direction(p, at, height);
    if (gap < p->polish_below && polish_face(p, at, w, gap) && p->key[f] == INFINITY) {
      continue;
    }
    if (gap <= m->tolerance || !is_visible(p, f, w->w) || !expand(p, f, p->nvertex++)) {
      break;
    }
  }
  answer(p, out);
}

// ------------------------------------------------------------------ the first polytope

// The one of two opposite support points that is farther from the plane through `from`.
static double farther(const minkowski *m, const double *direction, const double *from,
                      vertex *out) {
  vertex w[2];
  double back[3], to[3], height[2];
  sn_scale3(back, direction, -1);
  minkowski_support(m, direction, &w[0]);
  minkowski_support(m, back, &w[1]);
  for (int i = 0; i < 2; i++) {
    sn_sub3(to, w[i].w, from);
    height[i] = fabs(sn_dot3(to, direction));
  }
  *out = w[height[1] > height[0]];
  return sn_max(height[0], height[1]);
}

// Unit directions across the simplex in which to look for the next vertex. Returns their number;
// normal: the direction to separate in if the difference has no extent along any of them.
static int directions_across(const minkowski *m, const simplex *s, double direction[3][3],
                             double *normal) {
  double axis[3], to[3];
  if (s->n == 1) {
    memset(direction, 0, 9 * sizeof **direction);
    direction[0][0] = direction[1][1] = direction[2][2] = 1;
    sn_copy3(normal, m->pos);
    sn_normalize3(normal);
    return 3;
  }
  double *u = direction[0], *v = direction[1];
  sn_sub3(axis, s->at[1].w, s->at[0].w);
  if (s->n == 3) {
    sn_sub3(to, s->at[2].w, s->at[0].w);
    sn_cross(u, axis, to);
    sn_normalize3(u);
    sn_copy3(normal, u);
    return 1;
  }
  sn_normalize3(axis);
  sn_zero3(u);
  u[fabs(axis[0]) < 0.5 ? 0 : 1] = 1;
  sn_cross(v, axis, u);
  sn_normalize3(v);
  sn_cross(u, v, axis);
  sn_copy3(normal, u);
  return 2;
}

// An overlap of shapes whose difference has no volume, within rounding: any motion along its normal
// separates them.
static void flat_answer(const minkowski *m, const simplex *s, const double *normal,
                        separation *out) {
  out->dist = 0;
  simplex_witness(s, out->a, out->b);
  sn_scale3(out->normal, normal, sn_dot3(normal, m->pos) < 0 ? -1 : 1);
}

// Adds vertices until the simplex is a tetrahedron. Returns 0 when there is none: `out` is set.
static int make_tetrahedron(const minkowski *m, simplex *s, separation *out) {
  const simplex origin = *s;
  const double least = sn_max(flat_difference * m->scale, tiny_difference);
  double direction[3][3], normal[3];
  while (s->n < 4) {
    int n = directions_across(m, s, direction, normal);
    double best = 0;
    for (int k = 0; k < n; k++) {
      vertex w;
      double height = farther(m, direction[k], s->at[0].w, &w);
      if (height > best) {
        best = height;
        s->at[s->n] = w;
      }
    }
    if (!(best > least)) {
      flat_answer(m, &origin, normal, out);
      return 0;
    }
    s->n++;
  }
  return 1;
}

void core_depth(const minkowski *m, simplex *s, separation *out) {
  polytope p;
  if (make_tetrahedron(m, s, out)) {
    start_polytope(&p, m, s);
    grow(&p, out);
  }
}
