// SPDX-License-Identifier: Apache-2.0
//
// Convex hulls of points by Quickhull, as vertices and outward triangles.
//
// Reference: Barber, Dobkin, Huhdanpaa, The Quickhull algorithm for convex hulls, 1996.

#include <libqhull_r/qhull_ra.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "soup.h"

void hull_free(const sn_host *host, hull *h) {
  host->free(host, h->vert);
  host->free(host, h->face);
  *h = (hull){ 0 };
}

// Six times the volume of the tetrahedron on a triangle and a point.
static double tetrahedron(const double *o, const double *a, const double *b, const double *c) {
  double u[DIM], v[DIM], w[DIM];
  for (int k = 0; k < DIM; k++) {
    u[k] = a[k] - o[k];
    v[k] = b[k] - o[k];
    w[k] = c[k] - o[k];
  }
  return u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) +
         u[2] * (v[0] * w[1] - v[1] * w[0]);
}

// Copies triangles and the points that they use, numbered anew. 0: a facet is no triangle.
static int read_hull(qhT *qh, const double *point, int32_t *number, hull *h) {
  facetT *facet;
  FORALLfacets {
    int32_t corner[DIM];
    int n = 0;
    vertexT *vertex, **vertexp;
    FOREACHvertex_(facet->vertices) {
      if (n == DIM) {
        return 0;
      }
      int id = qh_pointid(qh, vertex->point);
      if (number[id] < 0) {
        memcpy(h->vert + DIM * h->nvert, point + DIM * id, DIM * sizeof *point);
        number[id] = (int32_t)h->nvert++;
      }
      corner[n++] = number[id];
    }
    // qhull's orientation of a facet, seen from outside, is clockwise unless toporient
    int swap = facet->toporient ^ qh_ORIENTclock;
    int32_t *out = h->face + DIM * h->nface++;
    out[0] = corner[swap ? 1 : 0];
    out[1] = corner[swap ? 0 : 1];
    out[2] = corner[2];
    if (n != DIM) {
      return 0;
    }
  }
  for (int64_t f = 0; f < h->nface; f++) {
    const int32_t *v = h->face + DIM * f;
    h->volume += tetrahedron(h->vert, h->vert + DIM * v[0], h->vert + DIM * v[1],
                             h->vert + DIM * v[2]) /
                 6;
  }
  return h->volume > 0;
}

static sn_status give(const sn_host *host, qhT *qh, int64_t n, const double *point, hull *h) {
  int32_t *number = host->alloc(host, n * (int64_t)sizeof *number);
  h->vert = host->alloc(host, DIM * ((int64_t)qh->num_vertices + 1) * (int64_t)sizeof *h->vert);
  h->face = host->alloc(host, DIM * ((int64_t)qh->num_facets + 1) * (int64_t)sizeof *h->face);
  sn_status status = SN_ENOMEM;
  if (number && h->vert && h->face) {
    memset(number, 0xff, (size_t)n * sizeof *number);
    status = read_hull(qh, point, number, h) ? SN_OK : SN_EINVAL;
  }
  host->free(host, number);
  return status;
}

sn_status hull_of_points(const sn_host *host, int64_t n, const double *point, hull *out) {
  *out = (hull){ 0 };
  if (n <= DIM) {
    return SN_EINVAL;
  }
  double *copy = host->alloc(host, DIM * n * (int64_t)sizeof *copy);
  qhT *qh = host->alloc(host, (int64_t)sizeof *qh);
  char *text = NULL;
  size_t size = 0;
  FILE *messages = open_memstream(&text, &size);
  sn_status status = SN_ENOMEM;
  if (copy && qh && messages) {
    memcpy(copy, point, (size_t)(DIM * n) * sizeof *copy);
    qh_zero(qh, messages);
    char command[] = "qhull Qt";
    int code = qh_new_qhull(qh, DIM, (int)n, copy, False, command, NULL, messages);
    status = code == 0 ? give(host, qh, n, copy, out) : code == qh_ERRmem ? SN_ENOMEM : SN_EINVAL;
    int held, total;
    qh_freeqhull(qh, !qh_ALL);
    qh_memfreeshort(qh, &held, &total);
  }
  if (messages) {
    fclose(messages);
  }
  free(text);
  host->free(host, qh);
  host->free(host, copy);
  if (status < 0) {
    hull_free(host, out);
  }
  return status;
}
