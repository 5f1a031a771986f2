// SPDX-License-Identifier: Apache-2.0
//
// Meshes and textures of a scene. The meshes are, in this order: those of the model, their convex
// hulls, height fields, skins, shapes of plugins.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"

// Arrays of a mesh. False: out of memory.
static int alloc_mesh(sn_scene_mesh *mesh, int64_t nvertex, int64_t nface, int has_texcoord) {
  mesh->nvertex = nvertex;
  mesh->nface = nface;
  mesh->vertex = calloc((size_t)(3 * nvertex) + 1, sizeof(float));
  mesh->normal = calloc((size_t)(3 * nvertex) + 1, sizeof(float));
  mesh->texcoord = has_texcoord ? calloc((size_t)(2 * nvertex) + 1, sizeof(float)) : NULL;
  mesh->face = calloc((size_t)(3 * nface) + 1, sizeof(int32_t));
  mesh->version = 1;
  return mesh->vertex && mesh->normal && mesh->face && (mesh->texcoord || !has_texcoord);
}

static void free_mesh(sn_scene_mesh *mesh) {
  free((float *)(uintptr_t)mesh->vertex);
  free((float *)(uintptr_t)mesh->normal);
  free((float *)(uintptr_t)mesh->texcoord);
  free((int32_t *)(uintptr_t)mesh->face);
}

// The arrays belong to the scene: what renderers get is constant.
static float *writable(const float *x) {
  return (float *)(uintptr_t)x;
}

static int32_t *writable_faces(const sn_scene_mesh *mesh) {
  return (int32_t *)(uintptr_t)mesh->face;
}

static void to_float(const float *out, const double *in, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    writable(out)[i] = (float)in[i];
  }
}

// ------------------------------------------------------------------ meshes of the model

static int make_mesh(sn_scene_mesh *mesh, const sn_model *m, int32_t i) {
  const int64_t v = snm_mesh_vertadr(m)[i], n = snm_mesh_vertnum(m)[i], f = snm_mesh_facenum(m)[i];
  const int32_t t = snm_mesh_texcoordadr(m)[i];
  if (!alloc_mesh(mesh, n, f, t >= 0)) {
    return 0;
  }
  to_float(mesh->vertex, snm_mesh_vert(m) + 3 * v, 3 * n);
  to_float(mesh->normal, snm_mesh_normal(m) + 3 * v, 3 * n);
  if (t >= 0) {
    to_float(mesh->texcoord, snm_mesh_texcoord(m) + 2 * t, 2 * n);
  }
  memcpy(writable_faces(mesh), snm_mesh_face(m) + 3 * snm_mesh_faceadr(m)[i],
         (size_t)(3 * f) * sizeof(int32_t));
  return 1;
}

// The graph of a hull: numbers of its vertices and faces, addresses and global ids of the vertices,
// edges, and the global ids of the faces' vertices.
static int make_hull(sn_scene_mesh *mesh, const sn_model *m, int32_t i) {
  const double *vert = snm_mesh_vert(m) + 3 * (int64_t)snm_mesh_vertadr(m)[i];
  if (snm_mesh_graphnum(m)[i] <= 0) {
    return alloc_mesh(mesh, 0, 0, 0);
  }
  const int32_t *graph = snm_mesh_graph(m) + snm_mesh_graphadr(m)[i];
  const int64_t nvert = graph[0], nface = graph[1];
  const int32_t *faces = graph + 2 + 2 * nvert + nvert + 3 * nface;
  if (!alloc_mesh(mesh, 3 * nface, nface, 0)) {
    return 0;
  }
  for (int64_t f = 0; f < nface; f++) {   // flat faces: each with vertices of its own
    const double *p[3];
    double a[3], b[3], normal[3];
    for (int k = 0; k < 3; k++) {
      p[k] = vert + 3 * (int64_t)faces[3 * f + k];
      to_float(mesh->vertex + 9 * f + 3 * k, p[k], 3);
      writable_faces(mesh)[3 * f + k] = (int32_t)(3 * f + k);
    }
    sn_sub3(a, p[1], p[0]);
    sn_sub3(b, p[2], p[0]);
    sn_cross(normal, a, b);
    sn_normalize3(normal);
    for (int k = 0; k < 3; k++) {
      to_float(mesh->normal + 9 * f + 3 * k, normal, 3);
    }
  }
  return 1;
}

// ------------------------------------------------------------------ height fields

typedef struct grid {
  sn_scene_mesh *mesh;
  const double *height, *size;
  int64_t nrow, ncol, nvertex, nface;
} grid;

static void grid_point(const grid *g, int64_t row, int64_t col, double *p) {
  p[0] = g->size[0] * (2 * (double)col / (double)(g->ncol - 1) - 1);
  p[1] = g->size[1] * (2 * (double)row / (double)(g->nrow - 1) - 1);
  p[2] = g->size[2] * g->height[row * g->ncol + col];
}

static int64_t grid_vertex(grid *g, const double *p, const double *normal, double u, double v) {
  const double uv[2] = { u, v };
  to_float(g->mesh->vertex + 3 * g->nvertex, p, 3);
  to_float(g->mesh->normal + 3 * g->nvertex, normal, 3);
  to_float(g->mesh->texcoord + 2 * g->nvertex, uv, 2);
  return g->nvertex++;
}

static void grid_face(grid *g, int64_t a, int64_t b, int64_t c) {
  int32_t *face = writable_faces(g->mesh) + 3 * g->nface++;
  face[0] = (int32_t)a;
  face[1] = (int32_t)b;
  face[2] = (int32_t)c;
}

// Normal of the surface, by differences with the neighbors.
static void grid_normal(const grid *g, int64_t row, int64_t col, double *normal) {
  double a[3], b[3], c[3], d[3];
  grid_point(g, row, col > 0 ? col - 1 : 0, a);
  grid_point(g, row, col < g->ncol - 1 ? col + 1 : col, b);
  grid_point(g, row > 0 ? row - 1 : 0, col, c);
  grid_point(g, row < g->nrow - 1 ? row + 1 : row, col, d);
  sn_sub3(b, b, a);
  sn_sub3(d, d, c);
  sn_cross(normal, b, d);
  sn_normalize3(normal);
}

static void grid_surface(grid *g) {
  double p[3], normal[3];
  for (int64_t r = 0; r < g->nrow; r++) {
    for (int64_t c = 0; c < g->ncol; c++) {
      grid_point(g, r, c, p);
      grid_normal(g, r, c, normal);
      grid_vertex(g, p, normal, (double)c / (double)(g->ncol - 1),
                  (double)r / (double)(g->nrow - 1));
    }
  }
  for (int64_t r = 0; r + 1 < g->nrow; r++) {
    for (int64_t c = 0; c + 1 < g->ncol; c++) {
      const int64_t v = r * g->ncol + c;
      grid_face(g, v, v + 1, v + g->ncol);
      grid_face(g, v + 1, v + g->ncol + 1, v + g->ncol);
    }
  }
}

// One side, from the surface down to the base: n points (row, col) along the edge, the outside on
// the right.
static void grid_side(grid *g, int64_t row, int64_t col, int64_t drow, int64_t dcol, int64_t n) {
  const double normal[3] = { (double)drow, (double)-dcol, 0 };
  for (int64_t i = 0; i < n; i++) {
    double p[3];
    grid_point(g, row + i * drow, col + i * dcol, p);
    const int64_t top = grid_vertex(g, p, normal, 0, 0);
    p[2] = -g->size[3];
    grid_vertex(g, p, normal, 0, 0);
    if (i > 0) {
      grid_face(g, top - 2, top - 1, top + 1);
      grid_face(g, top - 2, top + 1, top);
    }
  }
}

static void grid_base(grid *g) {
  const double x = g->size[0], y = g->size[1], z = -g->size[3], down[3] = { 0, 0, -1 };
  const double corner[4][3] = { { -x, -y, z }, { -x, y, z }, { x, y, z }, { x, -y, z } };
  const int64_t first = g->nvertex;
  for (int k = 0; k < 4; k++) {
    grid_vertex(g, corner[k], down, 0, 0);
  }
  grid_face(g, first, first + 1, first + 2);
  grid_face(g, first, first + 2, first + 3);
}

static int make_hfield(sn_scene_mesh *mesh, const sn_model *m, int32_t i) {
  grid g = { .mesh = mesh,
             .height = snm_hfield_data(m) + snm_hfield_adr(m)[i],
             .size = snm_hfield_size(m) + 4 * i,
             .nrow = snm_hfield_nrow(m)[i],
             .ncol = snm_hfield_ncol(m)[i] };
  const int64_t around = 2 * (g.nrow + g.ncol);
  if (!alloc_mesh(mesh, g.nrow * g.ncol + 2 * around + 4,
                  2 * (g.nrow - 1) * (g.ncol - 1) + 2 * (around - 4) + 2, 1)) {
    return 0;
  }
  grid_surface(&g);
  grid_side(&g, 0, 0, 0, 1, g.ncol);
  grid_side(&g, 0, g.ncol - 1, 1, 0, g.nrow);
  grid_side(&g, g.nrow - 1, g.ncol - 1, 0, -1, g.ncol);
  grid_side(&g, g.nrow - 1, 0, -1, 0, g.nrow);
  grid_base(&g);
  return 1;
}

// ------------------------------------------------------------------ skins

static int make_skin(sn_scene_mesh *mesh, const sn_model *m, int32_t i) {
  const int64_t n = snm_skin_vertnum(m)[i], f = snm_skin_facenum(m)[i];
  const int32_t t = snm_skin_texcoordadr(m)[i];
  if (!alloc_mesh(mesh, n, f, t >= 0)) {
    return 0;
  }
  if (t >= 0) {
    to_float(mesh->texcoord, snm_skin_texcoord(m) + 2 * t, 2 * n);
  }
  memcpy(writable_faces(mesh), snm_skin_face(m) + 3 * snm_skin_faceadr(m)[i],
         (size_t)(3 * f) * sizeof(int32_t));
  return 1;
}

// ------------------------------------------------------------------ shapes of plugins

static sn_status make_shape(sn_scene_mesh *mesh, const sn_model *m, int32_t geom, sn_error *error) {
  enum { NUMBERS = 9 * SN_SCENE_SHAPE_FACES };
  double *vertex = malloc(2 * NUMBERS * sizeof *vertex);
  int64_t n = 0;
  sn_status status = vertex ? sn_scene_trace_shape(m, geom, vertex, vertex + NUMBERS, &n, error)
                            : SN_ENOMEM;
  if (status >= 0 && alloc_mesh(mesh, 3 * n, n, 0)) {
    to_float(mesh->vertex, vertex, 9 * n);
    to_float(mesh->normal, vertex + NUMBERS, 9 * n);
    for (int64_t i = 0; i < 3 * n; i++) {
      writable_faces(mesh)[i] = (int32_t)i;
    }
  } else if (status >= 0) {
    status = SN_ENOMEM;
  }
  free(vertex);
  return status;
}

static sn_status make_shapes(sn_scene_mesh *mesh, const sn_model *m, sn_error *error) {
  for (int32_t i = 0; i < snm_ngeom(m); i++) {
    if (snm_geom_type(m)[i] == SN_GEOM_USER) {
      SN_TRY(make_shape(mesh++, m, i, error));
    }
  }
  return SN_OK;
}

static int64_t count_shapes(const sn_model *m) {
  int64_t n = 0;
  for (int64_t i = 0; i < snm_ngeom(m); i++) {
    n += snm_geom_type(m)[i] == SN_GEOM_USER;
  }
  return n;
}

// ------------------------------------------------------------------ all

static void make_textures(scenery *s, const sn_model *m) {
  for (int32_t i = 0; i < s->out.ntexture; i++) {
    s->texture[i] = (sn_scene_texture){ .type = snm_tex_type(m)[i],
                                        .width = snm_tex_width(m)[i],
                                        .height = snm_tex_height(m)[i],
                                        .rgb = snm_tex_rgb(m) + snm_tex_adr(m)[i] };
  }
}

int32_t scene_mesh_of(const scenery *s, int32_t type, int32_t dataid, int hull) {
  const int32_t n = (int32_t)snm_nmesh(s->model);
  return dataid < 0                                        ? -1
         : type == SN_GEOM_HFIELD                          ? 2 * n + dataid
         : type == SN_GEOM_USER                            ? (int32_t)s->first_shape + dataid
         : hull && snm_mesh_graphnum(s->model)[dataid] > 0 ? n + dataid
                                                           : dataid;
}

sn_status scene_make_assets(scenery *s, sn_error *error) {
  const sn_model *m = s->model;
  const int64_t nmesh = snm_nmesh(m), nhfield = snm_nhfield(m), nskin = snm_nskin(m);
  s->first_shape = 2 * nmesh + nhfield + nskin;
  s->out.nmesh = s->first_shape + count_shapes(m);
  s->out.ntexture = snm_ntex(m);
  s->mesh = calloc((size_t)s->out.nmesh + 1, sizeof *s->mesh);
  s->texture = calloc((size_t)s->out.ntexture + 1, sizeof *s->texture);
  int good = s->mesh && s->texture;
  for (int32_t i = 0; good && i < nmesh; i++) {
    good = make_mesh(&s->mesh[i], m, i) && make_hull(&s->mesh[nmesh + i], m, i);
  }
  for (int32_t i = 0; good && i < nhfield; i++) {
    good = make_hfield(&s->mesh[2 * nmesh + i], m, i);
  }
  for (int32_t i = 0; good && i < nskin; i++) {
    good = make_skin(&s->mesh[2 * nmesh + nhfield + i], m, i);
  }
  const sn_status status = good ? make_shapes(s->mesh + s->first_shape, m, error) : SN_ENOMEM;
  if (status < 0) {
    return status == SN_ENOMEM
               ? scene_fail(m, error, status, "out of memory for the meshes of a scene")
               : status;
  }
  make_textures(s, m);
  return SN_OK;
}

void scene_free_assets(scenery *s) {
  for (int64_t i = 0; s->mesh && i < s->out.nmesh; i++) {
    free_mesh(&s->mesh[i]);
  }
  free(s->mesh);
  free(s->texture);
}
