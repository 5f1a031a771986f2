// SPDX-License-Identifier: Apache-2.0
//
// Volume, center of mass and inertia of triangle meshes.
//
// A triangle of area A, with unit normal n and centroid g, and an apex o span a tetrahedron of
// signed volume
//
//   v = A n . (g - o) / 3                  centroid (3 g + o) / 4
//
// The signed tetrahedra of a closed surface add up to the body that it encloses, wherever the apex
// is. Positive and boxed count all of them positive, which is right when every triangle is seen
// from the apex at its inner side, as in convex bodies; the apex is then the center of the surface,
// and the center of mass for the moments. Second moments about the origin, of a uniform
//
//   tetrahedron (0, a, b, c)   v/20 S
//   triangle (a, b, c)         A/12 S
//
//   S = 2 (aa' + bb' + cc') + ab' + ba' + ac' + ca' + bc' + cb'
//
// and the inertia is tr(P) 1 - P.
//
// Boxed takes the volume of the box that has this inertia where some tetrahedra are seen from one
// side and some from the other. Where all are seen from the same side, as in a convex body, turned
// inside out or not, the enclosed volume is taken: a tetrahedron of 1/6 m^3 of water weighs
// 166.7 kg, its box 232.4 kg. Always boxed takes the box there too.
// Matches MuJoCo 2.2.2: mesh-box-volume
//
// In single precision, edges, centroids and S are rounded to it, for the reason in mesh.h.
// Matches MuJoCo 2.2.2: mesh-single-precision, mesh-inertia-order
//
// Reference: Tonon, Explicit exact formulas for the 3-D tetrahedron inertia tensor, 2004.

#include <math.h>

#include "assets/mesh.h"
#include "sinew/math.h"
#include "sinew/numerics/principal_axes.h"

typedef struct triangle {
  double corner[3][3], centroid[3];
  double normal[3], area;
} triangle;

static inline double rounded(const si_mesh_result *mesh, double x) {
  return mesh->single ? si_single(x) : x;
}

// Relative to a point. Corners are in the order in which they were before a mirror.
static void read_triangle(const si_mesh_result *mesh, int64_t f, const double *from, triangle *t) {
  const int32_t *face = mesh->face + 3 * f;
  const int32_t corner[3] = { face[0], face[mesh->mirrored ? 2 : 1], face[mesh->mirrored ? 1 : 2] };
  const double side = mesh->mirrored ? -1 : 1;
  double u[3], v[3];
  for (int i = 0; i < 3; i++) {
    const double *vert = mesh->vert + 3 * (int64_t)corner[i];
    for (int k = 0; k < 3; k++) {
      t->corner[i][k] = rounded(mesh, vert[k] - from[k]);
    }
  }
  for (int k = 0; k < 3; k++) {
    const double a = t->corner[0][k], b = t->corner[1][k], c = t->corner[2][k];
    u[k] = rounded(mesh, b - a);
    v[k] = rounded(mesh, c - a);
    t->centroid[k] = rounded(mesh, rounded(mesh, rounded(mesh, a + b) + c) / 3);
  }
  sn_cross(t->normal, u, v);
  double twice = sn_norm3(t->normal);
  t->area = 0.5 * twice;
  for (int k = 0; k < 3 && twice > 0; k++) {
    t->normal[k] /= side * twice;
  }
}

static double signed_volume(const double *apex, const triangle *t) {
  double to[3];
  sn_sub3(to, t->centroid, apex);
  return sn_dot3(to, t->normal) * t->area / 3;
}

static double volume_from(const double *apex, const triangle *t, int exact) {
  double volume = signed_volume(apex, t);
  return exact ? volume : fabs(volume);
}

// Moments are computed for the density of water; the thresholds for small moments are meant for it.
static const double density = 1000;

// Symmetric matrices are xx yy zz xy xz yz.
static const int row[6] = { 0, 1, 2, 0, 0, 1 }, col[6] = { 0, 1, 2, 1, 2, 2 };

#define S_OF(a, b, c)                                                                        \
  (2 * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j]) + a[i] * b[j] + a[j] * b[i] + a[i] * c[j] + \
   a[j] * c[i] + b[i] * c[j] + b[j] * c[i])

// P += weight S
static void add_moments(const si_mesh_result *mesh, const triangle *t, double weight, double *P) {
  const double *a = t->corner[0], *b = t->corner[1], *c = t->corner[2];
  float p[3], q[3], r[3];
  for (int k = 0; k < 3; k++) {
    p[k] = (float)a[k];
    q[k] = (float)b[k];
    r[k] = (float)c[k];
  }
  for (int k = 0; k < 6; k++) {
    const int i = row[k], j = col[k];
    P[k] += weight * (mesh->single ? S_OF(p, q, r) : S_OF(a, b, c));
  }
}

#undef S_OF

// Principal axes and moments of a unit mass, from the second moments.
static void finish(const double *P, si_solid *out) {
  double *I = out->inertia;
  const double full[6] = { P[1] + P[2], P[0] + P[2], P[0] + P[1], -P[3], -P[4], -P[5] };
  sn_principal_axes(full, I, out->quat);
  sn_frame_axes(full, out->frame);
  sn_scale3(I, I, 1 / (density * out->volume));
  // of a flat body the largest is the sum of the others, which rounding must not exceed
  if (I[0] > I[1] + I[2] && I[0] < (1 + 1e-9) * (I[1] + I[2])) {
    I[0] = I[1] + I[2];
  }
}

void si_inertia_box(const double *inertia, double *half) {
  for (int k = 0; k < 3; k++) {
    double sum = inertia[(k + 1) % 3] + inertia[(k + 2) % 3] - inertia[k];
    half[k] = sqrt(1.5 * fmax(0, sum));
  }
}

// ------------------------------------------------------------------ surface

static const double origin[3];

// Area and center.
static double surface(const si_mesh_result *mesh, double *center) {
  double area = 0, sum[3] = { 0 };
  triangle t;
  for (int64_t f = 0; f < mesh->nface; f++) {
    read_triangle(mesh, f, origin, &t);
    area += t.area;
    sn_addscale3(sum, sum, t.area, t.centroid);
  }
  for (int k = 0; k < 3; k++) {
    center[k] = area > 0 ? sum[k] / area : 0;
  }
  return area;
}

void si_mesh_shell(const si_mesh_result *mesh, si_solid *out) {
  double P[6] = { 0 };
  triangle t;
  *out = (si_solid){ .quat = { 1, 0, 0, 0 }, .frame = { 1, 0, 0, 0 } };
  out->volume = surface(mesh, out->pos);
  if (!(out->volume > 0)) {
    return;
  }
  for (int64_t f = 0; f < mesh->nface; f++) {
    read_triangle(mesh, f, out->pos, &t);
    add_moments(mesh, &t, density * t.area / 12, P);
  }
  finish(P, out);
}

// ------------------------------------------------------------------ solid

// A body is thinner than this share of its surface times its size: it has no volume, but what
// rounding to single precision makes of a flat one.
static const double flat = 1e-7;

// Volume and center; below 0: the triangles are inside out.
static double enclosed(const si_mesh_result *mesh, int exact, double *center) {
  double apex[3], sum[3] = { 0 }, d[3], volume = 0, size = 0;
  const double area = surface(mesh, apex);
  triangle t;
  for (int64_t f = 0; f < mesh->nface; f++) {
    read_triangle(mesh, f, origin, &t);
    double v = volume_from(apex, &t, exact);
    volume += v;
    for (int k = 0; k < 3; k++) {
      sum[k] += v * (0.75 * t.centroid[k] + 0.25 * apex[k]);
    }
    sn_sub3(d, t.centroid, apex);
    size = fmax(size, sn_norm3(d));
  }
  if (!(fabs(volume) > flat * area * size)) {
    return 0;
  }
  for (int k = 0; k < 3; k++) {
    center[k] = sum[k] / volume;
  }
  return volume;
}

// What single precision makes of a volume, as a part of it.
static const double volume_rounding = 1e-6;

void si_mesh_solid(const si_mesh_result *mesh, int how, si_solid *out) {
  const int exact = how == SI_SOLID_EXACT;
  double P[6] = { 0 }, volume = 0, inside = 0;
  triangle t;
  *out = (si_solid){ .quat = { 1, 0, 0, 0 }, .frame = { 1, 0, 0, 0 } };
  out->volume = enclosed(mesh, exact, out->pos);
  if (!(out->volume > 0)) {
    return;
  }
  for (int64_t f = 0; f < mesh->nface; f++) {
    read_triangle(mesh, f, out->pos, &t);
    double v = volume_from(origin, &t, exact);
    volume += v;
    inside += signed_volume(origin, &t);
    add_moments(mesh, &t, density * v / 20, P);
  }
  out->volume = volume;   // from there it is another one, but for exact
  finish(P, out);
  const int concave = fabs(inside) < (1 - volume_rounding) * volume;
  if (how == SI_SOLID_ALWAYS_BOXED || (how == SI_SOLID_BOXED && concave)) {
    double half[3];
    si_inertia_box(out->inertia, half);
    out->volume = 8 * half[0] * half[1] * half[2];
  }
}

void si_mesh_solid_of_hull(const si_mesh_result *mesh, si_solid *out) {
  // nvert, nface, then for each vertex two numbers, for each edge one, and the triangles
  si_mesh_result hull = *mesh;
  const int64_t nvert = mesh->graph[0], nface = mesh->graph[1];
  hull.nface = nface;
  hull.face = mesh->graph + 2 + 3 * nvert + 3 * nface;
  si_mesh_solid(&hull, SI_SOLID_POSITIVE, out);
}
