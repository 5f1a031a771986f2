// SPDX-License-Identifier: Apache-2.0
//
// Triangle meshes to test with: boxes, tetrahedra, bodies of revolution, clouds of points. One at a
// time, in vert and face.

#ifndef SN_TEST_MESH_SHAPES_H
#define SN_TEST_MESH_SHAPES_H

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/math.h"
#include "sinew/spec.h"

enum { MOST = 40000 };
static double vert[3 * MOST];
static int32_t face[3 * MOST];
static int64_t nvert, nface;

// Numbers in [0, 1), the same each time.
static inline double uniform(void) {
  static uint64_t state = 1;
  state = state * 6364136223846793005u + 1442695040888963407u;
  return (double)(state >> 11) / 9007199254740992.0;
}

static inline void point(double x, double y, double z) {
  const double p[3] = { x, y, z };
  memcpy(vert + 3 * nvert++, p, sizeof p);
}

// Without an area where two corners are one: left out.
static inline void triangle(int64_t a, int64_t b, int64_t c) {
  if (a != b && b != c && c != a) {
    const int32_t f[3] = { (int32_t)a, (int32_t)b, (int32_t)c };
    memcpy(face + 3 * nface++, f, sizeof f);
  }
}

static inline void quad(int64_t a, int64_t b, int64_t c, int64_t d) {
  triangle(a, b, c);
  triangle(a, c, d);
}

// Half sizes a b c about x y z.
static inline void make_box(double a, double b, double c, double x, double y, double z) {
  nvert = nface = 0;
  for (int i = 0; i < 8; i++) {
    point(x + (i & 1 ? a : -a), y + (i & 2 ? b : -b), z + (i & 4 ? c : -c));
  }
  quad(0, 2, 3, 1), quad(4, 5, 7, 6), quad(0, 1, 5, 4);
  quad(2, 6, 7, 3), quad(0, 4, 6, 2), quad(1, 3, 7, 5);
}

// Regular, edge 2 sqrt 2.
static inline void make_tetrahedron(void) {
  nvert = nface = 0;
  point(1, 1, 1), point(1, -1, -1), point(-1, 1, -1), point(-1, -1, 1);
  triangle(0, 1, 2), triangle(0, 3, 1), triangle(0, 2, 3), triangle(1, 3, 2);
}

// Around z: m corners (radius, height), clockwise, in n steps; on the axis one vertex for all.
static inline void revolve(int m, double (*corner)[2], int n, int closed) {
  static int32_t at[MOST];
  nvert = nface = 0;
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < m; k++) {
      double angle = 2 * SN_PI * i / n, r = corner[k][0];
      at[i * m + k] = i > 0 && r == 0 ? at[k] : (int32_t)nvert;
      if (at[i * m + k] == nvert) {
        point(r * cos(angle), r * sin(angle), corner[k][1]);
      }
    }
  }
  for (int i = 0; i < n; i++) {
    int next = (i + 1) % n;
    for (int k = 0; k < m - !closed; k++) {
      int other = (k + 1) % m;
      quad(at[i * m + k], at[next * m + k], at[next * m + other], at[i * m + other]);
    }
  }
}

// A ring of n steps; its section has m corners.
static inline void make_torus(double R, double r, int m, int n) {
  double(*corner)[2] = malloc((size_t)m * sizeof *corner);
  ck_assert_ptr_nonnull(corner);
  for (int k = 0; k < m; k++) {
    corner[k][0] = R + r * cos(2 * SN_PI * k / m);
    corner[k][1] = r * sin(2 * SN_PI * k / m);
  }
  revolve(m, corner, n, 1);
  free(corner);
}

static inline void make_cloud(int n) {
  nvert = nface = 0;
  for (int i = 0; i < n; i++) {
    point(uniform() + 2, 2 * uniform() - 1, 3 * uniform());
  }
}

// The mesh "m": what is in vert and face.
static inline sn_mesh_def mesh_def(void) {
  sn_mesh_def mesh;
  sn_default_mesh(&mesh);
  mesh.name = "m";
  mesh.vert = (sn_reals){ vert, 3 * nvert };
  mesh.face = (sn_ints){ face, 3 * nface };
  return mesh;
}

#endif
