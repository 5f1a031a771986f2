// SPDX-License-Identifier: Apache-2.0
//
// The part of mesh processor `qhull` that works: the convex hull of points, with the graph of its
// vertices, by Quickhull.
//
//   points --qhull--> facets --orient--> triangles --count edges--> graph (layout in mesh.h)
//
// The vertices of the hull, the facets at each, and their corners are in the order in which qhull
// lists them: this decides at which one hill climbing ends where several vertices are equally far
// in a direction.
// Matches MuJoCo 2.2.2: hull-vertex-order
//
// Facets of more than three vertices are split (option Qt). Qhull decides all of it by the points
// alone, so the same points give the same hull.
//
// Reference: Barber, Dobkin, Huhdanpaa, The Quickhull algorithm for convex hulls, 1996.

#include <libqhull_r/qhull_ra.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/mesh.h"

enum { DIM = 3, LEAST = 4 };

// One hull in the making. Triangles are numbers of points.
typedef struct hull {
  int64_t npoint, nvert, nface;
  int32_t *face;     // 3 nface
  int32_t *number;   // npoint: of point i among the hull's vertices; -1: it is inside
  int32_t *seen;     // nvert: by which vertex as a neighbor
  int32_t *graph;
} hull;

// ------------------------------------------------------------------ what cannot be a hull

static const char *unfit(int64_t n, const double *points, int64_t limit) {
  if (n < LEAST) {
    return "a convex hull needs at least 4 vertices that are not in one plane; give the mesh "
           "thickness, or use a primitive geom";
  }
  if (n > INT32_MAX / (3 * DIM)) {
    return "there are too many points";
  }
  if (limit != 0 && limit < LEAST) {
    return "a hull has at least 4 vertices; raise the limit";
  }
  double low[DIM], high[DIM];
  memcpy(low, points, sizeof low);
  memcpy(high, points, sizeof high);
  for (int64_t i = 0; i < DIM * n; i++) {
    if (!isfinite(points[i])) {
      return "a coordinate is not finite";
    }
    low[i % DIM] = fmin(low[i % DIM], points[i]);
    high[i % DIM] = fmax(high[i % DIM], points[i]);
  }
  for (int k = 0; k < DIM; k++) {
    if (low[k] == high[k]) {
      return "all points lie in one plane, so the hull has no volume";
    }
  }
  return NULL;
}

// ------------------------------------------------------------------ qhull

// The first line of what qhull has to say.
static const char *reason(int code, char *text) {
  if (code == qh_ERRsingular) {
    return "the points lie in one plane, within rounding, so the hull has no volume";
  }
  text[strcspn(text, "\n")] = '\0';
  return text[0] ? text : "qhull failed";
}

// Runs qhull, which keeps `points`. Whatever it has to say, of its memory too, goes to `messages`.
static int run(qhT *qh, int64_t n, double *points, int64_t limit, FILE *messages) {
  char command[64] = "qhull Qt";
  if (limit > 0) {
    // beside the first simplex
    snprintf(command, sizeof command, "qhull Qt TA%lld", (long long)(limit - LEAST));
  }
  return qh_new_qhull(qh, DIM, (int)n, points, False, command, NULL, messages);
}

// Frees what qhull took. Its own function leaves two tables when memory ran out before they were
// set up, which LASTsize tells.
static void end(qhT *qh) {
  int held, total;
  qh_freeqhull(qh, !qh_ALL);
  if (qh->qhmem.LASTsize == 0) {
    free(qh->qhmem.freelists);
    free(qh->qhmem.sizetable);
  }
  qh_memfreeshort(qh, &held, &total);
}

// ------------------------------------------------------------------ triangles

// The triangles of the facets, turned outward. Returns 0 when a facet is no triangle.
static int read_facets(qhT *qh, hull *h) {
  facetT *facet;
  int64_t f = 0;
  FORALLfacets {
    int32_t corner[DIM];
    int n = 0;
    vertexT *vertex, **vertexp;
    FOREACHvertex_(facet->vertices) {
      int64_t i = qh_pointid(qh, vertex->point);
      if (n == DIM || i < 0 || i >= h->npoint) {
        return 0;
      }
      corner[n++] = (int32_t)i;
    }
    if (n != DIM || f == h->nface) {
      return 0;
    }
    // qhull's orientation of a facet, seen from outside, is clockwise unless toporient
    int swap = facet->toporient ^ qh_ORIENTclock;
    int32_t *out = h->face + DIM * f++;
    out[0] = corner[swap ? 1 : 0];
    out[1] = corner[swap ? 0 : 1];
    out[2] = corner[2];
  }
  return f == h->nface;
}

// ------------------------------------------------------------------ graph

// Returns 0 when a vertex is no point, or a corner of a triangle no vertex.
static int number_vertices(qhT *qh, hull *h) {
  vertexT *vertex;
  memset(h->number, -1, (size_t)h->npoint * sizeof *h->number);
  FORALLvertices {
    int64_t i = qh_pointid(qh, vertex->point);
    if (i < 0 || i >= h->npoint || h->number[i] >= 0) {
      return 0;
    }
    h->number[i] = (int32_t)h->nvert++;
  }
  for (int64_t k = 0; k < DIM * h->nface; k++) {
    if (h->number[h->face[k]] < 0) {
      return 0;
    }
  }
  return 1;
}

// Writes the neighbors of vertex i from *at on. Returns 0 when there are more in all than the
// 3 nface of a closed surface.
static int write_neighbors(qhT *qh, hull *h, const vertexT *of, int32_t i, int32_t *edge,
                           int64_t *at) {
  facetT *neighbor, **neighborp;
  vertexT *vertex, **vertexp;
  h->seen[i] = i;
  FOREACHneighbor_(of) {
    FOREACHvertex_(neighbor->vertices) {
      int32_t other = h->number[qh_pointid(qh, vertex->point)];
      if (h->seen[other] != i) {
        if (*at >= i + DIM * h->nface) {
          return 0;
        }
        h->seen[other] = i;
        edge[(*at)++] = other;
      }
    }
  }
  return 1;
}

static int fill_graph(qhT *qh, hull *h) {
  const int64_t n = h->nvert, f = h->nface;
  int32_t *start = h->graph + 2, *point = start + n, *edge = point + n, i = 0;
  int64_t at = 0;
  vertexT *vertex;
  h->graph[0] = (int32_t)n;
  h->graph[1] = (int32_t)f;
  memset(h->seen, -1, (size_t)n * sizeof *h->seen);
  memset(edge, -1, (size_t)(n + DIM * f) * sizeof *edge);
  FORALLvertices {
    point[i] = (int32_t)qh_pointid(qh, vertex->point);
    start[i] = (int32_t)at;
    if (!write_neighbors(qh, h, vertex, i, edge, &at)) {
      return 0;
    }
    at++;   // the end of the list
    i++;
  }
  memcpy(edge + n + DIM * f, h->face, (size_t)(DIM * f) * sizeof *edge);
  return 1;
}

// Qhull ends the process when memory fails it outside of this jump. Returns its code; 0: good.
static int find_neighbors(qhT *qh) {
  int code = setjmp(qh->errexit);
  if (code == 0) {
    qh->NOerrexit = False;
    qh_vertexneighbors(qh);
  }
  qh->NOerrexit = True;
  return code;
}

// SN_EINVAL: the facets are no closed surface of triangles.
static sn_status make_graph(qhT *qh, hull *h) {
  if (!read_facets(qh, h) || !number_vertices(qh, h)) {
    return SN_EINVAL;
  }
  if (find_neighbors(qh) != 0) {
    return SN_ENOMEM;
  }
  return fill_graph(qh, h) ? SN_OK : SN_EINVAL;
}

// ------------------------------------------------------------------ the operation

static sn_status give(qhT *qh, int64_t npoint, sn_mesh_sink *sink, const sn_host *host,
                      sn_error *error) {
  hull h = { .npoint = npoint, .nface = qh->num_facets };
  const int64_t nvert = qh->num_vertices, ngraph = 2 + 3 * nvert + 2 * DIM * h.nface;
  h.face = host->alloc(host, (DIM * h.nface + 1) * (int64_t)sizeof *h.face);
  h.number = host->alloc(host, npoint * (int64_t)sizeof *h.number);
  h.seen = host->alloc(host, nvert * (int64_t)sizeof *h.seen);
  h.graph = host->alloc(host, ngraph * (int64_t)sizeof *h.graph);
  sn_status status = SN_ENOMEM;
  if (h.face && h.number && h.seen && h.graph) {
    status = make_graph(qh, &h);
    if (status >= 0) {
      status = sink->faces(sink, h.nface, h.face);
      status = status < 0 ? status : sink->graph(sink, ngraph, h.graph);
    } else if (status == SN_EINVAL) {
      status = host->error(host, error, SN_EINVAL, NULL, 0, 0,
                           "the points are too close to a plane or a line for a hull of triangles");
    }
  }
  if (status == SN_ENOMEM) {
    host->error(host, error, SN_ENOMEM, NULL, 0, 0, "out of memory for a convex hull");
  }
  host->free(host, h.graph);
  host->free(host, h.seen);
  host->free(host, h.number);
  host->free(host, h.face);
  return status;
}

static sn_status qhull_hull(const void *self, int64_t nvert, const double *vert, int64_t limit,
                            sn_mesh_sink *sink, const sn_host *host, sn_error *error) {
  (void)self;
  const char *wrong = unfit(nvert, vert, limit);
  if (wrong) {
    return host->error(host, error, SN_EINVAL, NULL, 0, 0, wrong);
  }
  char *text = NULL;
  size_t size = 0;
  FILE *messages = open_memstream(&text, &size);
  double *points = host->alloc(host, DIM * nvert * (int64_t)sizeof *points);
  qhT *qh = host->alloc(host, (int64_t)sizeof *qh);
  int code = qh_ERRmem;
  sn_status status = SN_ENOMEM;
  if (points && qh && messages) {
    memcpy(points, vert, (size_t)(DIM * nvert) * sizeof *points);
    qh_zero(qh, messages);
    code = run(qh, nvert, points, limit, messages);
    status = code == 0 ? give(qh, nvert, sink, host, error) : SN_EINVAL;
    end(qh);
  }
  if (messages) {
    fclose(messages);   // only now: qhull writes to it until the end
  }
  if (code == qh_ERRmem) {
    status = host->error(host, error, SN_ENOMEM, NULL, 0, 0, "out of memory for a convex hull");
  } else if (code != 0) {
    status = host->error(host, error, SN_EINVAL, NULL, 0, 0,
                         reason(code, text ? text : (char[1]){ 0 }));
  }
  free(text);
  host->free(host, qh);
  host->free(host, points);
  return status;
}

static const sn_mesh_ops qhull_ops = {
  .head = { .size = sizeof(sn_mesh_ops), .summary = "convex hulls by Quickhull" },
  .extensions = "",
  .hull = qhull_hull,
  .images = "",
};

static const sn_provide provides[] = {
  SN_PROVIDE_MESH("qhull", &qhull_ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "qhull", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "convex hulls of meshes with qhull", .provides = provides)
