// SPDX-License-Identifier: Apache-2.0
//
// Shapes on the card: unit shapes, subdivided as the scene says, and the meshes of the scene.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/grow.h"
#include "gl.h"

// Vertices and triangles while a shape is made.
typedef struct builder {
  vertex *v;
  uint32_t *index;
  int64_t nv, ni, most_v, most_i;
  int failed;
} builder;

static uint32_t add_vertex(builder *b, vertex v) {
  vertex *grown = grow(b->v, b->nv + 1, &b->most_v, 256, sizeof *grown);
  if (!grown) {
    b->failed = 1;
    return 0;
  }
  b->v = grown;
  b->v[b->nv] = v;
  return (uint32_t)b->nv++;
}

static void add_triangle(builder *b, uint32_t i, uint32_t j, uint32_t k) {
  uint32_t *grown = grow(b->index, b->ni + 3, &b->most_i, 768, sizeof *grown);
  if (!grown) {
    b->failed = 1;
    return;
  }
  b->index = grown;
  b->index[b->ni++] = i;
  b->index[b->ni++] = j;
  b->index[b->ni++] = k;
}

// A grid of (rows + 1) x (cols + 1) vertices, which the function places; counterclockwise seen from
// where rows go up and columns to the right.
static void add_grid(builder *b, int rows, int cols,
                     vertex (*place)(float u, float v, float parameter), float parameter) {
  const uint32_t first = (uint32_t)b->nv, across = (uint32_t)cols + 1;
  for (int r = 0; r <= rows; r++) {
    for (int c = 0; c <= cols; c++) {
      add_vertex(b, place((float)c / (float)cols, (float)r / (float)rows, parameter));
    }
  }
  for (uint32_t r = 0; r < (uint32_t)rows; r++) {
    for (uint32_t c = 0; c < (uint32_t)cols; c++) {
      const uint32_t i = first + r * across + c;
      add_triangle(b, i, i + 1, i + across);
      add_triangle(b, i + 1, i + across + 1, i + across);
    }
  }
}

// ------------------------------------------------------------------ unit shapes

static const float pi = 3.14159265F;

// Part of a sphere, from one latitude (of the parameter) up by a right angle; shift is the side.
static vertex on_sphere(float u, float v, float lower) {
  const float a = 2 * pi * u, e = (lower + v) * pi / 2;
  const float x = cosf(e) * cosf(a), y = cosf(e) * sinf(a), z = sinf(e);
  return (vertex){ .point = { x, y, z },
                   .shift = lower < 0 ? -1.0F : 1.0F,
                   .normal = { x, y, z },
                   .uv = { u, (lower + v + 1) / 2 } };
}

static vertex on_side(float u, float v, float slope) {
  const float a = 2 * pi * u, r = 1 - slope * v;   // slope 0: a cylinder, 1: a cone
  const float z = slope > 0 ? v : 2 * v - 1, x = cosf(a), y = sinf(a);
  return (vertex){ .point = { r * x, r * y, z }, .normal = { x, y, slope }, .uv = { u, v } };
}

// The side of a capsule: vertices at its two ends.
static vertex on_capsule_side(float u, float v, float unused) {
  vertex p = on_side(u, v, 0);
  (void)unused;
  p.shift = v < 0.5F ? -1.0F : 1.0F;
  p.point[2] = 0;
  return p;
}

// A disk, whose height is the parameter; faces up, or down below zero.
static vertex on_disk(float u, float v, float z) {
  const float up = z > 0.5F ? 1.0F : -1.0F, a = up * 2 * pi * u, r = 1 - v;
  return (vertex){ .point = { r * cosf(a), r * sinf(a), z }, .normal = { 0, 0, up } };
}

static vertex on_plane(float u, float v, float unused) {
  (void)unused;
  return (vertex){ .point = { 2 * u - 1, 2 * v - 1, 0 }, .normal = { 0, 0, 1 }, .uv = { u, v } };
}

static void add_box(builder *b, int quads) {
  for (int axis = 0; axis < 3; axis++) {
    for (int side = 0; side < 2; side++) {
      const int64_t first = b->nv;
      add_grid(b, quads, quads, on_plane, 0);
      for (int64_t i = first; i < b->nv && !b->failed; i++) {
        const vertex p = b->v[i];
        const float x = side ? p.point[0] : -p.point[0], y = p.point[1], s = side ? 1 : -1;
        float *q = b->v[i].point, *n = b->v[i].normal;
        q[axis] = s;
        q[(axis + 1) % 3] = x;
        q[(axis + 2) % 3] = y;
        n[0] = n[1] = n[2] = 0;
        n[axis] = s;
      }
    }
  }
}

static void build(builder *b, int kind, int slices, int stacks, int quads) {
  const int half = stacks / 2 > 2 ? stacks / 2 : 2;
  if (kind == SHAPE_SPHERE || kind == SHAPE_CAPSULE) {
    add_grid(b, half, slices, on_sphere, -1);
    add_grid(b, half, slices, on_sphere, 0);
    if (kind == SHAPE_CAPSULE) {
      add_grid(b, 1, slices, on_capsule_side, 0);
    }
  } else if (kind == SHAPE_CYLINDER) {
    add_grid(b, 1, slices, on_side, 0);
    add_grid(b, 1, slices, on_disk, -1);
    add_grid(b, 1, slices, on_disk, 1);
  } else if (kind == SHAPE_CONE) {
    add_grid(b, stacks, slices, on_side, 1);
    add_grid(b, 1, slices, on_disk, 0);
  } else if (kind == SHAPE_BOX) {
    add_box(b, 1);
  } else if (kind == SHAPE_ENDLESS) {
    add_grid(b, ENDLESS_QUADS, ENDLESS_QUADS, on_plane, 0);
  } else {
    add_grid(b, quads, quads, on_plane, 0);
  }
}

// ------------------------------------------------------------------ on the card

static void set_attribute(GLuint index, GLint n, size_t offset) {
  glEnableVertexAttribArray(index);
  glVertexAttribPointer(index, n, GL_FLOAT, GL_FALSE, sizeof(vertex), (void *)offset);
}

static void upload(shape *s, const vertex *v, int64_t nv, const uint32_t *index, int64_t ni) {
  if (!s->array) {
    glGenVertexArrays(1, &s->array);
    glGenBuffers(1, &s->vertices);
    glGenBuffers(1, &s->indices);
  }
  glBindVertexArray(s->array);
  glBindBuffer(GL_ARRAY_BUFFER, s->vertices);
  glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)nv * sizeof *v), v, GL_STATIC_DRAW);
  glBindBuffer(GL_ELEMENT_ARRAY_BUFFER, s->indices);
  glBufferData(GL_ELEMENT_ARRAY_BUFFER, (GLsizeiptr)((size_t)ni * sizeof *index), index,
               GL_STATIC_DRAW);
  set_attribute(0, 4, offsetof(vertex, point));
  set_attribute(1, 3, offsetof(vertex, normal));
  set_attribute(2, 2, offsetof(vertex, uv));
  s->count = (int32_t)ni;
}

static int make_unit(canvas *c, int kind) {
  builder b = { 0 };
  build(&b, kind, c->slices, c->stacks, c->quads);
  if (!b.failed) {
    upload(&c->shape[kind], b.v, b.nv, b.index, b.ni);
  }
  free(b.v);
  free(b.index);
  return !b.failed;
}

static int make_mesh(shape *s, const sn_scene_mesh *mesh) {
  vertex *v = calloc((size_t)mesh->nvertex + 1, sizeof *v);
  if (!v) {
    return 0;
  }
  for (int64_t i = 0; i < mesh->nvertex; i++) {
    memcpy(v[i].point, mesh->vertex + 3 * i, sizeof v[i].point);
    memcpy(v[i].normal, mesh->normal + 3 * i, sizeof v[i].normal);
    if (mesh->texcoord) {
      memcpy(v[i].uv, mesh->texcoord + 2 * i, sizeof v[i].uv);
    }
  }
  upload(s, v, mesh->nvertex, (const uint32_t *)mesh->face, 3 * mesh->nface);
  s->version = mesh->version;
  free(v);
  return 1;
}

// More than these are not seen, and a million would exhaust memory.
enum { FINEST = 512 };

static int within(int32_t n, int least) {
  return n < least ? least : n > FINEST ? FINEST : n;
}

int shapes_make(canvas *c, const sn_scene *scene) {
  const sn_scene_surroundings *around = &scene->around;
  const int64_t n = NSHAPES + scene->nmesh + MAX_PLANES;
  c->shape = calloc((size_t)n, sizeof *c->shape);
  if (!c->shape) {
    return 0;
  }
  c->nshape = n;
  c->slices = within(around->slices, 3);
  c->stacks = within(around->stacks, 2);
  c->quads = within(around->quads, 1);
  int good = 1;
  for (int kind = 0; kind < NSHAPES && good; kind++) {
    good = make_unit(c, kind);
  }
  for (int64_t i = 0; i < scene->nmesh && good; i++) {
    good = make_mesh(&c->shape[NSHAPES + i], &scene->mesh[i]);
  }
  return good;
}

int shapes_are_of(const canvas *c, const sn_scene *scene) {
  const sn_scene_surroundings *around = &scene->around;
  return c->scene == scene->id && c->slices == within(around->slices, 3) &&
         c->stacks == within(around->stacks, 2) && c->quads == within(around->quads, 1);
}

int shapes_update(canvas *c, const sn_scene *scene) {
  int good = 1;
  for (int64_t i = 0; i < scene->nmesh && good; i++) {
    shape *s = &c->shape[NSHAPES + i];
    good = s->version == scene->mesh[i].version || make_mesh(s, &scene->mesh[i]);
  }
  return good;
}

// ------------------------------------------------------------------ planes

// Lines at the middle, at each quad from there, and at the edges; -1 to 1. How many.
static int grid_lines(float half, float *line) {
  const int each = 2 * half > ENDLESS_QUADS ? ENDLESS_QUADS / 2 : (int)ceilf(half);
  const float step = half > (float)each ? 1 / (float)each : 1 / half;
  for (int k = -each; k <= each; k++) {
    const float x = (float)k * step;
    line[k + each] = x < -1 ? -1 : x > 1 ? 1 : x;
  }
  return 2 * each + 1;
}

static int make_plane(shape *s, float half_x, float half_y) {
  float x[ENDLESS_QUADS + 1], y[ENDLESS_QUADS + 1];
  const int nx = grid_lines(half_x, x), ny = grid_lines(half_y, y);
  builder b = { 0 };
  add_grid(&b, ny - 1, nx - 1, on_plane, 0);
  for (int64_t i = 0; i < b.nv && !b.failed; i++) {
    b.v[i].point[0] = x[i % nx];
    b.v[i].point[1] = y[i / nx];
  }
  if (!b.failed) {
    upload(s, b.v, b.nv, b.index, b.ni);
  }
  free(b.v);
  free(b.index);
  return !b.failed;
}

int32_t shape_of_plane(canvas *c, float half_x, float half_y, float spacing) {
  const float x = half_x / spacing, y = half_y / spacing;
  const int64_t first = c->nshape - MAX_PLANES;
  if (!(spacing > 0) || !(x > 0) || !(y > 0)) {
    return SHAPE_PLANE;
  }
  for (int32_t i = 0; i < c->nplane; i++) {
    if (c->plane[i][0] == x && c->plane[i][1] == y) {
      return (int32_t)first + i;
    }
  }
  if (c->nplane == MAX_PLANES || !make_plane(&c->shape[first + c->nplane], x, y)) {
    return SHAPE_PLANE;
  }
  c->plane[c->nplane][0] = x;
  c->plane[c->nplane][1] = y;
  return (int32_t)first + c->nplane++;
}

void shapes_free(canvas *c) {
  for (int64_t i = 0; i < c->nshape; i++) {
    glDeleteVertexArrays(1, &c->shape[i].array);
    glDeleteBuffers(1, &c->shape[i].vertices);
    glDeleteBuffers(1, &c->shape[i].indices);
  }
  free(c->shape);
  c->shape = NULL;
  c->nshape = 0;
  c->nplane = 0;
}
