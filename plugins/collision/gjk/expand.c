// SPDX-License-Identifier: Apache-2.0
//
// Depth of an overlap (van den Bergen, Proximity queries and penetration depth computation on 3D
// game objects, 2001). A polytope of points of the difference holds the origin. Its face nearest to
// the origin is a lower bound of the depth; the farthest point beyond that face an upper bound, and
// the next vertex: the faces that see it go, and new ones join their rim with it.
//
//          ._______.                 ._______.
//         /         \               /         '.
//        /     o    |  ---> x      /     o      x
//        \          |              \          .'
//         '---------'               '--------'
//
// Curved shapes would need ever smaller faces: there a coarse polytope tells near which directions
// the depth may be least, and polish.c does the rest.

#include "gjk.h"

enum { MOST_VERTICES = 160, MOST_FACES = 2 * MOST_VERTICES };
static const double flat_difference = 1e-11;   // of the scale
static const double tiny_difference = 1e-75;   // the squares of areas of less are zero
static const double coplanar = 1e-15;          // of the scale
static const double foot_tolerance = 1e-9;     // of the scale: a foot this near is on the face
// of the scale: the gap at which the last digits are asked for, and when again
static const double coarse = 1e-2, patience = 0.1;
// cosine between directions that share a minimum, of smooth shapes, and of others; and of these how
// much deeper than a face it may be, parts of the scale
static const double valley_smooth = 0.8, valley = 0.9999, valley_depth = 1e-3;

typedef struct face {
  int32_t vertex[3], next[3];   // next[i]: the face beyond the edge from vertex i to i + 1
  double normal[3], dist;       // the plane
} face;

typedef struct polytope {
  const difference *m;
  int32_t nvertex, nface, nfree;
  double key[MOST_FACES];   // the lower bound; INFINITY: no face, or no need to look there
  face at[MOST_FACES];
  vertex vertex[MOST_VERTICES];
  int32_t free[MOST_FACES];
  uint8_t alive[MOST_FACES];
  // the best direction so far
  double upper, normal[3];
  int32_t corner[3];
  int polished;   // `best` is of polish.c
  nearest best;
  double enough;   // a gap at which it is worth trying
} polytope;

// ------------------------------------------------------------------ faces

// Whether the polished minimum is the only one near a face.
static int in_valley(const polytope *p, const face *f) {
  double cosine = sn_dot3(f->normal, p->best.normal);
  return p->m->smooth ? cosine > valley_smooth
                      : cosine > valley && -p->best.dist - f->dist < valley_depth * p->m->scale;
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
  p->alive[index] = 1;
  if (!(area > 0)) {
    f->dist = p->key[index] = INFINITY;
    return index;
  }
  sn_scale3(f->normal, f->normal, 1 / area);
  f->dist = p->key[index] = sn_dot3(f->normal, w);
  if (p->polished && in_valley(p, f)) {
    p->key[index] = INFINITY;
  }
  return index;
}

static void start_polytope(polytope *p, const difference *m, const simplex *s) {
  static const int32_t corner[4][3] = { { 1, 3, 2 }, { 0, 2, 3 }, { 0, 3, 1 }, { 0, 1, 2 } };
  double ab[3], ac[3], ad[3], cross[3];
  p->m = m;
  p->nvertex = 4;
  p->nface = p->nfree = 0;
  p->upper = INFINITY;
  p->polished = 0;
  p->enough = m->curved ? coarse * m->scale : 0;
  memcpy(p->vertex, s->at, sizeof s->at);
  sn_sub3(ab, s->at[1].w, s->at[0].w);
  sn_sub3(ac, s->at[2].w, s->at[0].w);
  sn_sub3(ad, s->at[3].w, s->at[0].w);
  sn_cross(cross, ab, ac);
  if (sn_dot3(cross, ad) > 0) {   // face 0 1 2 must not see vertex 3
    vertex swap = p->vertex[0];
    p->vertex[0] = p->vertex[1];
    p->vertex[1] = swap;
  }
  for (int i = 0; i < 4; i++) {
    add_face(p, corner[i][0], corner[i][1], corner[i][2]);
  }
  // face i lacks vertex i: beyond the edge from j to k is the face that lacks the third vertex
  for (int i = 0; i < 4; i++) {
    for (int k = 0; k < 3; k++) {
      p->at[i].next[k] = corner[i][(k + 2) % 3];
    }
  }
}

// ------------------------------------------------------------------ growing

static inline int sees(const polytope *p, int32_t f, const double *w) {
  return sn_dot3(p->at[f].normal, w) - p->at[f].dist > coplanar * p->m->scale;
}

// Lists and marks the faces that see w, of which `first` is one and leads to the others.
static int32_t list_seen(polytope *p, int32_t first, const double *w, int32_t *seen) {
  int32_t nseen = 1;
  seen[0] = first;
  p->alive[first] = 2;
  for (int32_t i = 0; i < nseen; i++) {
    for (int k = 0; k < 3; k++) {
      int32_t g = p->at[seen[i]].next[k];
      if (p->alive[g] == 1 && sees(p, g, w)) {
        p->alive[g] = 2;
        seen[nseen++] = g;
      }
    }
  }
  return nseen;
}

// Replaces the faces that see vertex v, of which `first` is one, by a fan around it. 0: numbers are
// too coarse for that, or there is no room.
static int expand(polytope *p, int32_t first, int32_t v) {
  int32_t seen[MOST_FACES], rim[MOST_VERTICES], around = 0;
  const int32_t nseen = list_seen(p, first, p->vertex[v].w, seen);
  // rim[a]: the vertex after a along the rim, which must be one loop
  struct {
    int32_t from, to, beyond;
  } edge[MOST_VERTICES];
  memset(rim, 0xff, (size_t)p->nvertex * sizeof *rim);
  for (int32_t i = 0; i < nseen; i++) {
    const face *f = &p->at[seen[i]];
    for (int k = 0; k < 3; k++) {
      if (p->alive[f->next[k]] == 2) {
        continue;
      }
      int32_t from = f->vertex[k];
      if (around == MOST_VERTICES || rim[from] >= 0) {
        return 0;
      }
      rim[from] = around;
      edge[around].from = from;
      edge[around].to = f->vertex[(k + 1) % 3];
      edge[around++].beyond = f->next[k];
    }
  }
  if (p->nface - p->nfree - nseen + around > MOST_FACES) {
    return 0;
  }
  for (int32_t i = 0; i < nseen; i++) {
    p->alive[seen[i]] = 0;
    p->key[seen[i]] = INFINITY;
    p->free[p->nfree++] = seen[i];
  }
  int32_t made[MOST_VERTICES];
  for (int32_t i = 0; i < around; i++) {
    made[i] = add_face(p, edge[i].from, edge[i].to, v);
  }
  for (int32_t i = 0; i < around; i++) {
    face *f = &p->at[made[i]], *g = &p->at[edge[i].beyond];
    int32_t after = rim[edge[i].to];
    if (after < 0) {
      return 0;
    }
    f->next[0] = edge[i].beyond;
    f->next[1] = made[after];
    p->at[made[after]].next[2] = made[i];
    for (int k = 0; k < 3; k++) {
      if (g->vertex[k] == edge[i].to) {
        g->next[k] = made[i];
      }
    }
  }
  return 1;
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

// The least depth near the normal of a face; faces of the same valley need no more looking at.
static int polish_face(polytope *p, const face *f, const vertex *top, double gap) {
  nearest found;
  simplex s = { .n = 3 }, corner = { .n = 1, .at = { *top } };
  for (int i = 0; i < 3; i++) {
    s.at[i] = p->vertex[f->vertex[i]];
  }
  p->enough = patience * gap;
  if ((!polish(p->m, f->normal, &s, &found) && !polish(p->m, f->normal, &corner, &found)) ||
      -found.dist > p->upper) {
    return 0;
  }
  p->upper = -found.dist;
  p->best = found;
  p->polished = 1;
  p->enough = coarse * p->m->scale;
  for (int32_t i = 0; i < p->nface; i++) {
    if (p->alive[i] && in_valley(p, &p->at[i])) {
      p->key[i] = INFINITY;
    }
  }
  return 1;
}

// The least depth is known, but not the points: of a flat side of the difference only a part was
// found, and the foot of the origin is on another. Drawn apart along the normal, the shapes are
// nearest where they were deepest.
static int draw_apart(const polytope *p, nearest *out) {
  const double apart = 0.1;   // of the scale
  difference moved = *p->m;
  simplex s;
  nearest found;
  double way = p->upper + apart * moved.scale;
  sn_addscale3(moved.pos, moved.pos, way, p->normal);
  if (core_distance(&moved, INFINITY, &s, &found) != GJK_APART) {
    return 0;
  }
  sn_copy3(out->a, found.a);
  sn_addscale3(out->b, found.b, -way, p->normal);
  return 1;
}

static void answer(const polytope *p, nearest *out) {
  if (p->polished) {
    *out = p->best;
    return;
  }
  simplex s = { .n = 3 };
  part nearest_part;
  double foot[3];
  // the foot of the origin on the plane that supports the difference: of shapes with one center the
  // face may lie below it
  sn_scale3(foot, p->normal, p->upper);
  for (int i = 0; i < 3; i++) {
    s.at[i] = p->vertex[p->corner[i]];
    sn_sub3(s.at[i].w, s.at[i].w, foot);
  }
  simplex_nearest(&s, &nearest_part);
  double off = foot_tolerance * p->m->scale;
  if (nearest_part.square <= off * off || !draw_apart(p, out)) {
    simplex_keep(&s, &nearest_part);
    simplex_witness(&s, out->a, out->b);
  }
  out->dist = -p->upper;
  sn_copy3(out->normal, p->normal);
}

static void grow(polytope *p, nearest *out) {
  for (int64_t k = 0; k < p->m->iterations + MOST_VERTICES; k++) {
    int32_t f = 0;
    for (int32_t i = 1; i < p->nface; i++) {
      f = p->key[i] < p->key[f] ? i : f;
    }
    if (!(p->key[f] < p->upper - p->m->tolerance) || p->nvertex == MOST_VERTICES) {
      break;
    }
    vertex *w = &p->vertex[p->nvertex];
    const face *at = &p->at[f];
    *p->m->a.start = p->vertex[at->vertex[0]].top_a;
    *p->m->b.start = p->vertex[at->vertex[0]].top_b;
    difference_support(p->m, at->normal, w);
    double height = sn_dot3(at->normal, w->w), gap = height - at->dist;
    keep_direction(p, at, height);
    if (gap < p->enough && polish_face(p, at, w, gap) && p->key[f] == INFINITY) {
      continue;
    }
    if (gap <= p->m->tolerance || !sees(p, f, w->w) || !expand(p, f, p->nvertex++)) {
      break;
    }
  }
  answer(p, out);
}

// ------------------------------------------------------------------ the first polytope

// The farther of two opposite support points, by distance from the plane through `from`.
static double farther(const difference *m, const double *direction, const double *from,
                      vertex *out) {
  vertex w[2];
  double back[3], to[3], height[2];
  sn_scale3(back, direction, -1);
  difference_support(m, direction, &w[0]);
  difference_support(m, back, &w[1]);
  for (int i = 0; i < 2; i++) {
    sn_sub3(to, w[i].w, from);
    height[i] = fabs(sn_dot3(to, direction));
  }
  *out = w[height[1] > height[0]];
  return fmax(height[0], height[1]);
}

// An overlap of shapes whose difference has no volume, or none that numbers can tell: they part
// along its normal at once.
static void flat_answer(const difference *m, const simplex *s, const double *normal, nearest *out) {
  out->dist = 0;
  simplex_witness(s, out->a, out->b);
  sn_scale3(out->normal, normal, sn_dot3(normal, m->pos) < 0 ? -1 : 1);
}

// Adds vertices until the simplex is a tetrahedron. 0: it never is one; the answer is given.
static int fill(const difference *m, simplex *s, nearest *out) {
  const simplex origin = *s;
  const double least = fmax(flat_difference * m->scale, tiny_difference);
  double u[3] = { 0 }, v[3], axis[3] = { 0 }, to[3];
  if (s->n == 1) {
    double best = 0;
    for (int k = 0; k < 3; k++) {
      vertex w;
      double x[3] = { k == 0, k == 1, k == 2 };
      double height = farther(m, x, s->at[0].w, &w);
      if (height > best) {
        best = height;
        s->at[1] = w;
      }
    }
    if (!(best > least)) {
      sn_copy3(u, m->pos);
      sn_normalize3(u);
      flat_answer(m, &origin, u, out);
      return 0;
    }
    s->n = 2;
  }
  if (s->n == 2) {
    sn_sub3(axis, s->at[1].w, s->at[0].w);
    sn_normalize3(axis);
    u[fabs(axis[0]) < 0.5 ? 0 : 1] = 1;
    sn_cross(v, axis, u);
    sn_normalize3(v);
    sn_cross(u, v, axis);
    vertex w;
    double first = farther(m, u, s->at[0].w, &s->at[2]);
    double second = farther(m, v, s->at[0].w, &w);
    if (!(fmax(first, second) > least)) {
      flat_answer(m, &origin, u, out);
      return 0;
    }
    if (second > first) {
      s->at[2] = w;
    }
    s->n = 3;
  }
  if (s->n == 3) {
    sn_sub3(axis, s->at[1].w, s->at[0].w);
    sn_sub3(to, s->at[2].w, s->at[0].w);
    sn_cross(u, axis, to);
    sn_normalize3(u);
    if (!(farther(m, u, s->at[0].w, &s->at[3]) > least)) {
      flat_answer(m, &origin, u, out);
      return 0;
    }
    s->n = 4;
  }
  return 1;
}

void core_depth(const difference *m, simplex *s, nearest *out) {
  polytope p;
  if (fill(m, s, out)) {
    start_polytope(&p, m, s);
    grow(&p, out);
  }
}
