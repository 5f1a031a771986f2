// SPDX-License-Identifier: Apache-2.0
//
// Convex polygons, cut by planes across the axes (Sutherland, Hodgman, Reentrant polygon clipping,
// 1974). Polygons that lie in the plane are left out: their corners are those of their neighbors.

#include <math.h>
#include <string.h>

#include "soup.h"

static sn_status reserve(const sn_host *host, int64_t npoly, int64_t npoint, soup *out) {
  *out = (soup){ 0 };
  out->count = host->alloc(host, (npoly + 1) * (int64_t)sizeof *out->count);
  out->point = host->alloc(host, (npoint + 1) * DIM * (int64_t)sizeof *out->point);
  if (!out->count || !out->point) {
    soup_free(host, out);
    return SN_ENOMEM;
  }
  return SN_OK;
}

void soup_free(const sn_host *host, soup *p) {
  host->free(host, p->count);
  host->free(host, p->point);
  *p = (soup){ 0 };
}

sn_status soup_new(const sn_host *host, const solid *s, soup *out) {
  sn_status status = reserve(host, s->nface, DIM * s->nface, out);
  for (int64_t f = 0; f < s->nface && status >= 0; f++) {
    out->count[out->npoly++] = DIM;
    for (int k = 0; k < DIM; k++) {
      memcpy(out->point + DIM * out->npoint++, s->vert + DIM * s->face[DIM * f + k],
             DIM * sizeof(double));
    }
  }
  return status;
}

// How far a corner is on the side that is kept.
static double beyond_plane(double x, double at, int side, double thin) {
  double d = side ? x - at : at - x;
  return fabs(d) > thin ? d : 0;
}

sn_status soup_cut(const sn_host *host, const soup *from, int axis, double at, double thin,
                   int side, soup *out) {
  // a convex polygon gains at most one corner
  sn_status status = reserve(host, from->npoly, from->npoint + from->npoly, out);
  const double *first = from->point;
  for (int64_t i = 0; i < from->npoly && status >= 0; first += DIM * from->count[i++]) {
    int32_t n = from->count[i], kept = 0, beyond = 0;
    for (int32_t k = 0; k < n; k++) {
      const double *p = first + DIM * k, *q = first + DIM * ((k + 1) % n);
      double a = beyond_plane(p[axis], at, side, thin), b = beyond_plane(q[axis], at, side, thin);
      double *to = out->point + DIM * (out->npoint + kept);
      beyond += a > 0;
      if (a >= 0) {
        memcpy(to, p, DIM * sizeof *to);
        to[axis] = a > 0 ? p[axis] : at;
        to += DIM;
        kept++;
      }
      if ((a > 0 && b < 0) || (a < 0 && b > 0)) {
        for (int j = 0; j < DIM; j++) {
          to[j] = p[j] + a / (a - b) * (q[j] - p[j]);
        }
        to[axis] = at;
        kept++;
      }
    }
    if (kept >= DIM && beyond) {
      out->count[out->npoly++] = kept;
      out->npoint += kept;
    }
  }
  return status;
}
