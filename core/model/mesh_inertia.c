// SPDX-License-Identifier: Apache-2.0
//
// Volume, center of mass and inertia of triangle meshes.
//
// A triangle (a, b, c) and an apex o span a tetrahedron of signed volume
//
//   v = (a - o) . ((b - o) x (c - o)) / 6
//
// The signed tetrahedra of a closed surface add up to the body that it encloses, wherever the apex
// is. Positive and boxed count all of them positive, which is right when every triangle is seen
// from the apex at its inner side, as in convex bodies; the apex is then the center of the surface,
// and the center of mass for the moments. Moments about the apex, of a uniform
//
//   tetrahedron (o, a, b, c)   v/20 (aa' + bb' + cc' + ss')      s = a + b + c, relative to o
//   triangle (a, b, c)         A/12 (aa' + bb' + cc' + ss')
//
// and the inertia is tr(P) 1 - P.
//
// Reference: Tonon, Explicit exact formulas for the 3-D tetrahedron inertia tensor, 2004.

#include <math.h>

#include "model/mesh.h"
#include "sinew/math.h"

// Corners of triangle f relative to a point.
static void corners(const sn_mesh_result *mesh, int64_t f, const double *from, double p[3][3]) {
  for (int k = 0; k < 3; k++) {
    sn_sub3(p[k], mesh->vert + 3 * (int64_t)mesh->face[3 * f + k], from);
  }
}

static double area_of(double p[3][3]) {
  double u[3], v[3], n[3];
  sn_sub3(u, p[1], p[0]);
  sn_sub3(v, p[2], p[0]);
  sn_cross(n, u, v);
  return 0.5 * sn_norm3(n);
}

static double volume_of(double p[3][3], int exact) {
  double n[3];
  sn_cross(n, p[1], p[2]);
  double volume = sn_dot3(p[0], n) / 6;
  return exact ? volume : fabs(volume);
}

// P += weight (aa' + bb' + cc' + ss'), as xx yy zz xy xz yz.
static void add_moments(double p[3][3], double weight, double *P) {
  static const int row[6] = { 0, 1, 2, 0, 0, 1 }, col[6] = { 0, 1, 2, 1, 2, 2 };
  double s[3];
  for (int k = 0; k < 3; k++) {
    s[k] = p[0][k] + p[1][k] + p[2][k];
  }
  for (int k = 0; k < 6; k++) {
    int i = row[k], j = col[k];
    P[k] += weight * (p[0][i] * p[0][j] + p[1][i] * p[1][j] + p[2][i] * p[2][j] + s[i] * s[j]);
  }
}

// What counts as nothing beside the diagonal of an inertia is told for a mesh of water.
static const double density = 1000;

// Principal axes and moments of a unit mass, from the moments of `mass`, which is of density one.
static void finish(const double *P, double mass, sn_solid *out) {
  double full[6], trace = P[0] + P[1] + P[2], *I = out->inertia;
  for (int k = 0; k < 6; k++) {
    full[k] = density * ((k < 3 ? trace : 0) - P[k]);
  }
  sn_principal_axes(full, I, out->quat);
  sn_frame_axes(full, out->frame);
  sn_scale3(I, I, 1 / (density * mass));
  // of a flat body the largest is the sum of the others, which rounding must not exceed
  if (I[0] > I[1] + I[2] && I[0] < (1 + 1e-9) * (I[1] + I[2])) {
    I[0] = I[1] + I[2];
  }
}

void sn_inertia_box(const double *inertia, double *half) {
  for (int k = 0; k < 3; k++) {
    double sum = inertia[(k + 1) % 3] + inertia[(k + 2) % 3] - inertia[k];
    half[k] = sqrt(1.5 * fmax(0, sum));
  }
}

// Area and center of the surface.
static double surface(const sn_mesh_result *mesh, double *center) {
  const double *from = mesh->vert;   // near the mesh, for accuracy
  double area = 0, sum[3] = { 0 }, p[3][3];
  for (int64_t f = 0; f < mesh->nface; f++) {
    corners(mesh, f, from, p);
    double a = area_of(p);
    area += a;
    for (int k = 0; k < 3; k++) {
      sn_addscale3(sum, sum, a / 3, p[k]);
    }
  }
  sn_copy3(center, from);
  if (area > 0) {
    sn_addscale3(center, center, 1 / area, sum);
  }
  return area;
}

void sn_mesh_shell(const sn_mesh_result *mesh, sn_solid *out) {
  double p[3][3], P[6] = { 0 };
  *out = (sn_solid){ .quat = { 1, 0, 0, 0 }, .frame = { 1, 0, 0, 0 } };
  out->volume = surface(mesh, out->pos);
  if (!(out->volume > 0)) {
    return;
  }
  for (int64_t f = 0; f < mesh->nface; f++) {
    corners(mesh, f, out->pos, p);
    add_moments(p, area_of(p) / 12, P);
  }
  finish(P, out->volume, out);
}

// A body is thinner than this share of its surface times its size: it has no volume.
static const double flat = 1e-12;

void sn_mesh_solid(const sn_mesh_result *mesh, int how, sn_solid *out) {
  const int exact = how == SN_SOLID_EXACT;
  double apex[3], center[3] = { 0 }, p[3][3], P[6] = { 0 }, volume = 0, size = 0;
  *out = (sn_solid){ .quat = { 1, 0, 0, 0 }, .frame = { 1, 0, 0, 0 } };
  double area = surface(mesh, apex);

  // volume and center of mass; that of a tetrahedron is a quarter of the way from the apex
  for (int64_t f = 0; f < mesh->nface; f++) {
    corners(mesh, f, apex, p);
    double v = volume_of(p, exact);
    volume += v;
    for (int k = 0; k < 3; k++) {
      sn_addscale3(center, center, v / 4, p[k]);
      size = fmax(size, sn_norm3(p[k]));
    }
  }
  out->volume = volume;
  if (!(volume > flat * area * size)) {
    out->volume = volume < -flat * area * size ? volume : 0;
    return;
  }
  sn_addscale3(out->pos, apex, 1 / volume, center);

  // moments about the center of mass; boxed has another volume from there
  double weight = 0;
  for (int64_t f = 0; f < mesh->nface; f++) {
    corners(mesh, f, out->pos, p);
    double v = volume_of(p, exact);
    weight += v;
    add_moments(p, v / 20, P);
  }
  finish(P, weight, out);
  if (how == SN_SOLID_BOXED) {
    double half[3];
    sn_inertia_box(out->inertia, half);
    out->volume = 8 * half[0] * half[1] * half[2];
  }
}

void sn_mesh_solid_of_hull(const sn_mesh_result *mesh, sn_solid *out) {
  // nvert, nface, then for each vertex two numbers, for each edge one, and the triangles
  sn_mesh_result hull = *mesh;
  const int64_t nvert = mesh->graph[0], nface = mesh->graph[1];
  hull.nface = nface;
  hull.face = mesh->graph + 2 + 3 * nvert + 3 * nface;
  sn_mesh_solid(&hull, SN_SOLID_POSITIVE, out);
}
