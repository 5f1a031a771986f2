// SPDX-License-Identifier: Apache-2.0
//
// The part of mesh processor `decompose` that works: convex decomposition of a mesh, so that a
// concave mesh collides with its actual shape and not with its convex hull.
//
//   the mesh, turned so that its largest flat sides are across the axes
//   -> one piece, in the box around it
//   -> while too much is empty: the piece whose hull encloses most emptiness is cut in two
//   -> the hulls of the pieces
//
// A piece is what of the solid lies in a box. Its hull needs no new surface where it was cut: the
// extreme points of a solid in a box are points of the solid's surface, cut to the box, and the
// corners of the box that are inside the solid. The emptiness of a piece is the volume of its hull
// without that of the solid in its box. Of the planes across the axes, at even steps and where the
// surface has flat sides, the one is taken whose two hulls are smallest, and, among those that are
// as good, of nearly the same size.
//
// All of it depends on the mesh alone, so the same mesh has the same pieces.
//
// Reference: Mamou, Ghorbel, A simple and efficient approach for 3D mesh approximate convex
// decomposition, 2009, for the measure and the greedy order; there pieces are clusters of
// triangles.

#include <math.h>
#include <string.h>

#include "parameters.h"
#include "sinew/math.h"
#include "soup.h"

enum { STEPS = 8, FLATS = 8 };   // planes across an axis: at even steps, at flat sides

typedef struct piece {
  box in;
  soup part;
  hull hull;
  double empty;   // volume
  int whole;      // no plane makes it better
} piece;

typedef struct work {
  const sn_host *host;
  solid solid;
  double frame[9];   // rows: the axes of the work
  double *vert;      // turned
  double rounding;   // of a coordinate
  int64_t n;
  piece piece[PIECES_MOST];
} work;

// How thick a side across an axis may be, as rounding made it: corners are in single precision, and
// may be far from the origin.
static double thickness(const work *w, int axis) {
  const double few = 1e-6;   // of the size
  return fmax(few * (w->solid.bounds.high[axis] - w->solid.bounds.low[axis]), w->rounding);
}

// ------------------------------------------------------------------ one piece

static void piece_free(const sn_host *host, piece *p) {
  soup_free(host, &p->part);
  hull_free(host, &p->hull);
}

// Hull and emptiness of a piece that has its box and its part of the surface.
static sn_status measure(const work *w, piece *p) {
  enum { CORNERS = 8 };
  int64_t n = p->part.npoint;
  double *point = w->host->alloc(w->host, DIM * (n + CORNERS) * (int64_t)sizeof *point);
  if (!point) {
    return SN_ENOMEM;
  }
  memcpy(point, p->part.point, (size_t)(DIM * n) * sizeof *point);
  for (int corner = 0; corner < CORNERS; corner++) {
    if (solid_has_corner(&w->solid, &p->in, corner)) {
      for (int k = 0; k < DIM; k++) {
        point[DIM * n + k] = corner >> k & 1 ? p->in.high[k] : p->in.low[k];
      }
      n++;
    }
  }
  sn_status status = hull_of_points(w->host, n, point, &p->hull);
  p->empty = fmax(0, p->hull.volume - solid_volume(&w->solid, &p->in));
  w->host->free(w->host, point);
  return status == SN_EINVAL ? SN_OK : status;   // too thin for a hull: nothing is there
}

static sn_status half(const work *w, const piece *from, int axis, double at, int side, piece *out) {
  *out = (piece){ .in = from->in };
  (side ? out->in.low : out->in.high)[axis] = at;
  sn_status status = soup_cut(w->host, &from->part, axis, at, thickness(w, axis), side, &out->part);
  status = status < 0 ? status : measure(w, out);
  if (status < 0) {
    piece_free(w->host, out);
  }
  return status;
}

// ------------------------------------------------------------------ the best plane

// Where the flat sides across an axis are, the largest first.
static int find_flats(const piece *p, int axis, double thin, double *at) {
  double area[FLATS] = { 0 }, size = p->in.high[axis] - p->in.low[axis];
  int n = 0;
  const double *first = p->part.point;
  for (int64_t i = 0; i < p->part.npoly; first += DIM * p->part.count[i++]) {
    double low = INFINITY, high = -INFINITY, twice = 0;
    int x = (axis + 1) % DIM, y = (axis + 2) % DIM;
    for (int32_t k = 0; k < p->part.count[i]; k++) {
      const double *a = first + DIM * k, *b = first + DIM * ((k + 1) % p->part.count[i]);
      low = fmin(low, a[axis]);
      high = fmax(high, a[axis]);
      twice += a[x] * b[y] - a[y] * b[x];
    }
    if (high - low > thin || low - p->in.low[axis] < 1e-3 * size ||
        p->in.high[axis] - high < 1e-3 * size) {
      continue;
    }
    // one that is known, or a new one, or instead of the smallest
    int known = -1, least = 0;
    for (int k = 0; k < n; k++) {
      known = fabs(at[k] - low) < 1e-4 * size ? k : known;
      least = area[k] < area[least] ? k : least;
    }
    int k = known >= 0 ? known : n < FLATS ? n++ : area[least] < fabs(twice) ? least : -1;
    if (k >= 0) {
      at[k] = low;
      area[k] = known >= 0 ? area[k] + fabs(twice) : fabs(twice);
    }
  }
  return n;
}

static double cost(const piece *low, const piece *high) {
  const double balance = 0.05;
  double a = low->hull.volume, b = high->hull.volume;
  return a + b + balance * fabs(a - b);
}

// Both halves of a piece, in place of the best so far if they are better.
static sn_status try_plane(const work *w, const piece *p, int axis, double at, piece best[2]) {
  piece two[2] = { { .whole = 0 } };
  SN_TRY(half(w, p, axis, at, 0, &two[0]));
  sn_status status = half(w, p, axis, at, 1, &two[1]);
  int both = status >= 0 && two[0].part.npoly > 0 && two[1].part.npoly > 0;
  int first = best[0].part.npoly == 0;
  if (both && (first || cost(&two[0], &two[1]) < cost(&best[0], &best[1]))) {
    for (int side = 0; side < 2; side++) {
      piece worse = best[side];
      best[side] = two[side];
      two[side] = worse;
    }
  }
  piece_free(w->host, &two[0]);
  piece_free(w->host, &two[1]);
  return status;
}

// The best halves of all planes across all axes; empty ones: no plane leaves two.
static sn_status best_cut(const work *w, const piece *p, piece best[2]) {
  for (int axis = 0; axis < DIM; axis++) {
    double at[STEPS + FLATS], size = p->in.high[axis] - p->in.low[axis];
    int n = find_flats(p, axis, thickness(w, axis), at);
    for (int k = 1; k < STEPS; k++) {
      at[n++] = p->in.low[axis] + size * k / STEPS;
    }
    for (int k = 0; k < n; k++) {
      SN_TRY(try_plane(w, p, axis, at[k], best));
    }
  }
  return SN_OK;
}

// Cuts until little is empty. limit: most pieces.
static sn_status cut_all(work *w, double tolerance, int64_t limit) {
  double enough = tolerance * solid_volume(&w->solid, &w->solid.bounds);
  while (w->n < limit) {
    double empty = 0;
    int64_t worst = -1;
    for (int64_t i = 0; i < w->n; i++) {
      empty += w->piece[i].empty;
      if (!w->piece[i].whole && (worst < 0 || w->piece[i].empty > w->piece[worst].empty)) {
        worst = i;
      }
    }
    if (empty <= enough || worst < 0) {
      break;
    }
    piece two[2] = { { .whole = 0 } };
    sn_status status = best_cut(w, &w->piece[worst], two);
    if (status < 0 || two[0].part.npoly == 0) {
      piece_free(w->host, &two[0]);
      piece_free(w->host, &two[1]);
      SN_TRY(status);
      w->piece[worst].whole = 1;
      continue;
    }
    piece_free(w->host, &w->piece[worst]);
    w->piece[worst] = two[0];
    w->piece[w->n++] = two[1];
  }
  return SN_OK;
}

// ------------------------------------------------------------------ the frame

enum { NORMALS = 48 };

// The largest triangles' normals; length: area.
static int large_normals(const solid *s, double (*normal)[DIM], double *area) {
  int n = 0;
  for (int64_t f = 0; f < s->nface; f++) {
    const double *a = s->vert + DIM * s->face[DIM * f], *b = s->vert + DIM * s->face[DIM * f + 1];
    const double *c = s->vert + DIM * s->face[DIM * f + 2];
    double u[DIM], v[DIM], across[DIM];
    sn_sub3(u, b, a);
    sn_sub3(v, c, a);
    sn_cross(across, u, v);
    double size = sn_norm3(across);
    if (n == NORMALS && size <= area[n - 1]) {
      continue;
    }
    int k = n < NORMALS ? n++ : n - 1;
    for (; k > 0 && area[k - 1] < size; k--) {
      area[k] = area[k - 1];
      sn_copy3(normal[k], normal[k - 1]);
    }
    area[k] = size;
    sn_normalize3(across);
    sn_copy3(normal[k], across);
  }
  return n;
}

// Rows: the normal that most area has, one across it that most has, and their product.
static void find_frame(const solid *s, double *frame) {
  const double same = 0.996, right = 0.087;   // cosines: within 5 degrees
  double normal[NORMALS][DIM], area[NORMALS];
  int n = large_normals(s, normal, area);
  memset(frame, 0, 9 * sizeof *frame);
  frame[0] = frame[4] = frame[8] = 1;
  for (int row = 0; row < 2; row++) {
    double most = 0;
    int best = -1;
    for (int i = 0; i < n; i++) {
      double sum = 0;
      for (int j = 0; j < n; j++) {
        sum += fabs(sn_dot3(normal[i], normal[j])) > same ? area[j] : 0;
      }
      if (sum > most * (1 + 1e-9) && (row == 0 || fabs(sn_dot3(normal[i], frame)) < right)) {
        most = sum;
        best = i;
      }
    }
    if (best >= 0) {
      sn_copy3(frame + 3 * row, normal[best]);
    } else {
      sn_zero3(frame + 3 * row);
      frame[3 * row + (row && fabs(frame[0]) > 0.5 ? 1 : 0)] = 1;
    }
  }
  sn_addscale3(frame + 3, frame + 3, -sn_dot3(frame, frame + 3), frame);
  sn_normalize3(frame + 3);
  sn_cross(frame + 6, frame, frame + 3);
}

// ------------------------------------------------------------------ the operation

static sn_status start(work *w, int64_t nvert, const double *vert) {
  const double steps = 8 * 0x1p-24;   // of single precision
  find_frame(&w->solid, w->frame);
  w->vert = w->host->alloc(w->host, (DIM * nvert + 1) * (int64_t)sizeof *w->vert);
  if (!w->vert) {
    return SN_ENOMEM;
  }
  for (int64_t i = 0; i < nvert; i++) {
    sn_mul_mat_vec3(w->vert + DIM * i, w->frame, vert + DIM * i);
    w->rounding = fmax(w->rounding, steps * sn_norm3(vert + DIM * i));
  }
  w->solid.vert = w->vert;
  SN_TRY(solid_measure(w->host, &w->solid));
  piece *whole = &w->piece[w->n++];
  whole->in = w->solid.bounds;
  SN_TRY(soup_new(w->host, &w->solid, &whole->part));
  return measure(w, whole);
}

static sn_status give(work *w, sn_mesh_sink *sink) {
  for (int64_t i = 0; i < w->n; i++) {
    hull *h = &w->piece[i].hull;
    if (h->nvert == 0) {
      continue;
    }
    for (int64_t k = 0; k < h->nvert; k++) {
      double v[DIM];
      sn_mul_matT_vec3(v, w->frame, h->vert + DIM * k);
      sn_copy3(h->vert + DIM * k, v);
    }
    SN_TRY(sink->piece(sink));
    SN_TRY(sink->vertices(sink, h->nvert, h->vert));
    SN_TRY(sink->faces(sink, h->nface, h->face));
  }
  return SN_OK;
}

static sn_status decompose_mesh(const void *self, int64_t nvert, const double *vert, int64_t nface,
                                const int32_t *face, int64_t limit, sn_mesh_sink *sink,
                                const sn_host *host, sn_error *error) {
  const decompose *d = self;
  work *w = host->alloc(host, (int64_t)sizeof *w);
  if (!w) {
    return host->error(host, error, SN_ENOMEM, NULL, 0, 0, "out of memory for convex pieces");
  }
  w->host = host;
  w->solid = (solid){ .nvert = nvert, .nface = nface, .vert = vert, .face = face };
  int64_t most = limit > 0 && limit < d->max_pieces ? limit : d->max_pieces;
  sn_status status = nface > 0 ? start(w, nvert, vert) : SN_EINVAL;
  if (status == SN_EINVAL) {
    host->error(host, error, status, NULL, 0, 0,
                "its surface is not closed, so it has no convex decomposition; close it, or "
                "disable convex decomposition");
  }
  status = status < 0 ? status : cut_all(w, d->tolerance, most);
  status = status < 0 ? status : give(w, sink);
  if (status == SN_ENOMEM) {
    host->error(host, error, status, NULL, 0, 0, "out of memory for convex pieces");
  }
  for (int64_t i = 0; i < w->n; i++) {
    piece_free(host, &w->piece[i]);
  }
  solid_free(host, &w->solid);
  host->free(host, w->vert);
  host->free(host, w);
  return status;
}

static const sn_mesh_ops decompose_ops = {
  .head = { .size = sizeof(sn_mesh_ops), .summary = "convex pieces of concave meshes" },
  .extensions = "",
  .decompose = decompose_mesh,
  .images = "",
};

static const sn_provide provides[] = {
  SN_PROVIDE_MESH("decompose", &decompose_ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "decompose", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "convex pieces of concave meshes", .provides = provides)
