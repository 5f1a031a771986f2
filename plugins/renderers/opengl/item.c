// SPDX-License-Identifier: Apache-2.0
//
// From the geoms of a scene to items, sorted: opaque ones by shape and texture, so that equal ones
// are drawn together; then translucent ones, the farthest first.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/grow.h"
#include "gl.h"

static item *new_item(canvas *c) {
  int64_t capacity = c->item_capacity;   // of items, as long as the instances have less
  item *items = grow(c->item, c->nitem + 1, &capacity, 256, sizeof *items);
  c->item = items ? items : c->item;
  instance *instances = items ? grow(c->instances, c->nitem + 1, &c->item_capacity, 256,
                                     sizeof *instances)
                              : NULL;
  if (!instances) {
    return NULL;
  }
  c->instances = instances;
  item *i = &c->item[c->nitem++];
  memset(i, 0, sizeof *i);
  return i;
}

// ------------------------------------------------------------------ places

static void set_pose(instance *one, const float *pos, const float *mat) {
  for (int k = 0; k < 3; k++) {
    memcpy(one->row[k], mat + 3 * k, 3 * sizeof(float));
    one->row[k][3] = pos[k];
  }
}

static void set_scale(instance *one, float x, float y, float z, float half) {
  const float scale[4] = { x, y, z, half };
  memcpy(one->scale, scale, sizeof scale);
}

// An infinite plane: a square around the point below the camera that reaches the far plane, moved
// by whole quads, so that the light at its vertices does not depend on the camera.
static void set_infinite_plane(item *i, const viewpoint *p, const sn_scene_geom *g) {
  const sn_scene_eye *eye = &p->scene->eye;
  const float quad = 2 * eye->far / ENDLESS_QUADS;
  float local[2], pos[3];
  for (int axis = 0; axis < 2; axis++) {
    local[axis] = 0;
    for (int k = 0; k < 3; k++) {
      local[axis] += g->mat[3 * k + axis] * (eye->pos[k] - g->pos[k]);
    }
    local[axis] = g->size[axis] > 0 ? 0 : quad * roundf(local[axis] / quad);
  }
  for (int k = 0; k < 3; k++) {
    pos[k] = g->pos[k] + g->mat[3 * k] * local[0] + g->mat[3 * k + 1] * local[1];
  }
  set_pose(&i->one, pos, g->mat);
  set_scale(&i->one, g->size[0] > 0 ? g->size[0] : eye->far, g->size[1] > 0 ? g->size[1] : eye->far,
            1, 0);
  memcpy(i->one.slide, local, sizeof local);   // m, until set_mapping
}

int is_infinite_plane(const sn_scene_geom *g) {
  return g->type == SN_DRAW_PLANE && (g->size[0] <= 0 || g->size[1] <= 0);
}

// The part of an arrow that is its head.
static const float head_part = 0.25F, head_width = 1.75F;

static int32_t shape_of(canvas *c, const sn_scene_geom *g) {
  switch (g->type) {
    case SN_DRAW_PLANE: return shape_of_plane(c, g->size[0], g->size[1], 2 * g->size[2]);
    case SN_DRAW_CAPSULE: return SHAPE_CAPSULE;
    case SN_DRAW_CYLINDER:
    case SN_DRAW_ARROW:
    case SN_DRAW_LINE: return SHAPE_CYLINDER;
    case SN_DRAW_BOX: return SHAPE_BOX;
    case SN_DRAW_CONE: return SHAPE_CONE;
    case SN_DRAW_MESH: return NSHAPES + g->mesh;
    default: return SHAPE_SPHERE;
  }
}

// ------------------------------------------------------------------ looks

// A flat texture is repeated as often along the object, from its edge on; or along each two meters,
// MuJoCo's unit being a half length of 1, with its middle in the middle of the object. Its first
// row is at the largest y.
static void set_mapping(const viewpoint *p, item *i, const sn_scene_geom *g) {
  float *m = i->one.mapping;
  const float *size = g->size, *repeat = g->texrepeat;
  m[0] = MAP_UV;
  m[1] = m[2] = 1;
  if (g->texture < 0) {
    return;
  }
  if (p->scene->texture[g->texture].type != SN_TEXTURE_2D) {   // looked up by direction
    m[0] = MAP_LOCAL;
    for (int k = 0; k < 3; k++) {
      m[1 + k] = g->texuniform || size[k] <= 0 || g->type == SN_DRAW_MESH ? 1 : 1 / size[k];
    }
  } else if (g->type != SN_DRAW_MESH || !p->scene->mesh[g->mesh].texcoord) {
    m[0] = MAP_PLANE;
    for (int k = 0; k < 2; k++) {
      const int by_length = g->texuniform || size[k] <= 0;
      m[1 + k] = (k ? -1 : 1) * repeat[k] / (by_length ? 2 : 2 * size[k]);
      i->one.slide[k] = i->one.slide[k] * m[1 + k] + 0.5F * (by_length ? 1 : repeat[k]);
    }
  } else {
    m[1] = repeat[0];
    m[2] = repeat[1];
  }
}

static float depth_of(const viewpoint *p, const sn_scene_geom *g) {
  const sn_scene_eye *eye = &p->scene->eye;
  float depth = 0;
  for (int k = 0; k < 3; k++) {
    depth += eye->forward[k] * (g->pos[k] - eye->pos[k]);
  }
  return depth;
}

// The size of a pixel at that depth, m.
static float pixel_at(const viewpoint *p, float depth) {
  return 2 * tanf(p->scene->eye.fovy * 3.14159265F / 360) * fabsf(depth) / (float)p->height;
}

static void place_item(const viewpoint *p, item *i, const sn_scene_geom *g) {
  const float *s = g->size;
  if (is_infinite_plane(g)) {
    i->shape = SHAPE_ENDLESS;
    set_infinite_plane(i, p, g);
    return;
  }
  set_pose(&i->one, g->pos, g->mat);
  if (g->type == SN_DRAW_CAPSULE) {
    set_scale(&i->one, s[0], s[0], s[0], s[2]);
  } else if (g->type == SN_DRAW_PLANE) {
    set_scale(&i->one, s[0], s[1], 1, 0);
  } else if (g->type == SN_DRAW_ARROW || g->type == SN_DRAW_LINE) {
    const int is_line = g->type == SN_DRAW_LINE;
    const float radius = is_line ? s[0] * pixel_at(p, i->depth) / 2 : s[0];
    const float length = is_line ? s[2] : s[2] * (1 - head_part);
    for (int k = 0; k < 3; k++) {
      i->one.row[k][3] += g->mat[3 * k + 2] * length / 2;
    }
    set_scale(&i->one, radius, radius, length / 2, 0);
  } else {
    set_scale(&i->one, s[0], s[1], s[2], 0);
  }
}

// Planes are translucent from behind.
static int is_behind(const viewpoint *p, const sn_scene_geom *g) {
  float height = 0;
  for (int k = 0; k < 3; k++) {
    height += g->mat[3 * k + 2] * (p->scene->eye.pos[k] - g->pos[k]);
  }
  return g->type == SN_DRAW_PLANE && height < 0;
}

static item *add_item(const viewpoint *p, int64_t index) {
  const sn_scene_geom *g = &p->scene->geom[index];
  item *i = new_item(p->c);
  if (!i) {
    return NULL;
  }
  i->shape = shape_of(p->c, g);
  i->is_plane = g->type == SN_DRAW_PLANE;
  i->texture = g->texture;
  i->depth = depth_of(p, g);
  i->is_clear = g->rgba[3] < 1 || is_behind(p, g);
  i->two_sided = g->type == SN_DRAW_PLANE || g->object == SN_OBJECT_SKIN;
  i->reflectance = g->reflectance;
  const float gloss[4] = { g->emission, g->specular, g->shininess,
                           (float)(i->is_plane + is_infinite_plane(g)) };
  memcpy(i->one.rgba, g->rgba, sizeof i->one.rgba);
  i->one.rgba[3] = 1 - (1 - g->rgba[3]) * (1 - g->rgba[3]);   // of both sides of a body
  memcpy(i->one.gloss, gloss, sizeof gloss);
  i->one.id = (int32_t)index;
  place_item(p, i, g);
  set_mapping(p, i, g);
  return i;
}

// The cone at the end of an arrow.
static int add_head(const viewpoint *p, int64_t index) {
  const sn_scene_geom *g = &p->scene->geom[index];
  const float length = g->size[2], from = length * (1 - head_part);
  item *i = add_item(p, index);
  if (!i) {
    return 0;
  }
  i->shape = SHAPE_CONE;
  set_pose(&i->one, g->pos, g->mat);
  for (int k = 0; k < 3; k++) {
    i->one.row[k][3] += g->mat[3 * k + 2] * from;
  }
  set_scale(&i->one, head_width * g->size[0], head_width * g->size[0], length - from, 0);
  return 1;
}

// ------------------------------------------------------------------ mirrors

// The item that reflects with the smallest id above `after`, of n; -1: there is none.
static int64_t next_mirror(const canvas *c, int64_t n, int32_t after) {
  int64_t found = -1;
  for (int64_t k = 0; k < n; k++) {
    const item *i = &c->item[k];
    const int reflects = i->reflectance > 0 && !i->is_clear &&
                         (i->is_plane || i->shape == SHAPE_BOX);
    if (reflects && i->one.id > after && (found < 0 || i->one.id < c->item[found].one.id)) {
      found = k;
    }
  }
  return found;
}

// The faces that reflect, behind the items: planes as they are, of boxes the one toward +z. The
// first ones of the scene are chosen.
static int add_faces(canvas *c) {
  const int64_t n = c->nitem;
  const int32_t most = ((const renderer *)c->self)->mirrors;
  int32_t last = -1;
  for (int64_t k; c->nface < most && (k = next_mirror(c, n, last)) >= 0;) {
    const int is_box = c->item[k].shape == SHAPE_BOX;
    item *face = new_item(c);
    last = c->item[k].one.id;
    if (!face) {
      return 0;
    }
    *face = c->item[k];
    face->mirror = (int32_t)k;
    if (is_box) {
      face->shape = SHAPE_PLANE;
      for (int i = 0; i < 3; i++) {
        face->one.row[i][3] += face->one.row[i][2] * face->one.scale[2];
      }
    }
    c->instances[c->nitem - 1] = face->one;
    c->nface++;
  }
  c->nitem = n;
  return 1;
}

// ------------------------------------------------------------------ order

static int compare_items(const void *left, const void *right) {
  const item *a = left, *b = right;
  if (a->is_clear != b->is_clear) {
    return a->is_clear - b->is_clear;
  }
  if (a->is_clear) {
    return a->depth > b->depth ? -1 : a->depth < b->depth;
  }
  return a->shape != b->shape       ? a->shape - b->shape
         : a->texture != b->texture ? a->texture - b->texture
                                    : a->one.id - b->one.id;
}

int items_make(canvas *c, const viewpoint *p) {
  c->nitem = 0;
  c->nface = 0;
  for (int64_t i = 0; i < p->scene->ngeom; i++) {
    const sn_scene_geom *g = &p->scene->geom[i];
    if (g->type == SN_DRAW_TEXT || (g->type == SN_DRAW_MESH && g->mesh < 0)) {
      continue;
    }
    if (!add_item(p, i) || (g->type == SN_DRAW_ARROW && !add_head(p, i))) {
      return 0;
    }
  }
  if (c->nitem > 0) {
    qsort(c->item, (size_t)c->nitem, sizeof *c->item, compare_items);
  }
  for (int64_t i = 0; i < c->nitem; i++) {
    c->instances[i] = c->item[i].one;
  }
  return add_faces(c);
}

void items_free(canvas *c) {
  free(c->item);
  free(c->instances);
}
