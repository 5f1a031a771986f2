// SPDX-License-Identifier: Apache-2.0
//
// Draws items: those that follow each other with the same shape and texture in one call; infinite
// planes one by one.

#include <math.h>
#include <string.h>

#include "gl.h"

static void set_instance_attribute(GLuint index, GLint n, size_t offset) {
  glEnableVertexAttribArray(index);
  glVertexAttribPointer(index, n, GL_FLOAT, GL_FALSE, sizeof(instance), (void *)offset);
  glVertexAttribDivisor(index, 1);
}

// The instances from `first` on are those of the shape that is bound.
static void set_instances(canvas *c, int64_t first) {
  const size_t at = (size_t)first * sizeof(instance);
  glBindBuffer(GL_ARRAY_BUFFER, c->instance_buffer);
  for (GLuint k = 0; k < 3; k++) {
    set_instance_attribute(3 + k, 4, at + offsetof(instance, row) + k * 4 * sizeof(float));
  }
  set_instance_attribute(6, 4, at + offsetof(instance, scale));
  set_instance_attribute(7, 4, at + offsetof(instance, rgba));
  set_instance_attribute(8, 4, at + offsetof(instance, gloss));
  set_instance_attribute(9, 4, at + offsetof(instance, mapping));
  glEnableVertexAttribArray(10);
  glVertexAttribIPointer(10, 1, GL_INT, sizeof(instance), (void *)(at + offsetof(instance, id)));
  glVertexAttribDivisor(10, 1);
  set_instance_attribute(11, 2, at + offsetof(instance, slide));
}

static void pack3(float *out, const float *v, float w) {
  memcpy(out, v, 3 * sizeof *v);
  out[3] = w;
}

void set_lights(const viewpoint *p, const program *use) {
  const sn_scene *s = p->scene;
  float packed[6 * MAX_LIGHTS][4];
  const int n = s->nlight < MAX_LIGHTS ? (int)s->nlight : MAX_LIGHTS;
  memset(packed, 0, sizeof packed);
  for (int i = 0; i < n; i++) {
    const sn_scene_light *l = &s->light[i];
    const float cone = l->cutoff < 90 ? cosf(l->cutoff * 3.14159265F / 180) : -2;
    pack3(packed[6 * i], l->pos, (float)l->directional);
    pack3(packed[6 * i + 1], l->dir, l->exponent);
    pack3(packed[6 * i + 2], l->ambient, cone);
    pack3(packed[6 * i + 3], l->diffuse, (float)p->c->shadow_of[i]);
    pack3(packed[6 * i + 4], l->specular, 0);
    pack3(packed[6 * i + 5], l->attenuation, 0);
  }
  glUniform4fv(use->light, 6 * MAX_LIGHTS, packed[0]);
  glUniform1i(use->nlight, n);
  glUniformMatrix4fv(use->shadow_matrix, p->c->nshadow, GL_FALSE, p->c->shadow_matrix[0]);
}

static void set_surroundings(const viewpoint *p, const program *use, int pass) {
  const sn_scene *s = p->scene;
  const sn_scene_surroundings *a = &s->around;
  float around[4][4] = { { 0 } };
  if (pass == PASS_ID) {
    pack3(around[0], s->eye.forward, 0);
  } else {
    pack3(around[0], a->fogrgba, (float)a->fog * a->fogrgba[3]);
    around[1][0] = a->fogstart;
    around[1][1] = a->fogend > a->fogstart ? a->fogend : a->fogstart + 1;
    pack3(around[2], a->hazergba, (float)a->haze * a->hazergba[3]);
    around[3][1] = HAZE_END * s->eye.far;
    around[3][0] = around[3][1] * (1 - a->hazeratio);
  }
  glUniform4fv(use->around, 4, around[0]);
  glUniform4f(use->eye, p->eye[0], p->eye[1], p->eye[2], 1);
  glUniformMatrix4fv(use->view, 1, GL_FALSE, p->view);
  glUniform4fv(use->clip, 1, p->clip);
  glUniform1f(use->strength, p->strength);
}

static int texture_kind(const viewpoint *p, const item *i) {
  return i->texture < 0                                        ? TEXTURE_NONE
         : p->scene->texture[i->texture].type == SN_TEXTURE_2D ? TEXTURE_FLAT
                                                               : TEXTURE_CUBE;
}

static int same_batch(const item *a, const item *b) {
  return a->shape == b->shape && a->texture == b->texture && a->two_sided == b->two_sided &&
         a->is_clear == b->is_clear;
}

// Planes and meshes are lit at their vertices: on the long thin triangles of drawings of machines,
// normals between vertices would make highlights where there are none.
static int is_coarse(const item *i) {
  return i->is_plane || (i->shape >= NSHAPES && !i->two_sided);
}

static const program *start_batch(const viewpoint *p, int pass, const item *i, sn_error *error) {
  canvas *c = p->c;
  const int kind = pass == PASS_COLOR ? texture_kind(p, i) : TEXTURE_NONE;
  const program *use = program_use(c, pass, kind, !i->is_clear, is_coarse(i), error);
  if (!use) {
    return NULL;
  }
  set_surroundings(p, use, pass);
  if (pass == PASS_COLOR) {
    set_lights(p, use);
  }
  if (kind != TEXTURE_NONE) {
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(kind == TEXTURE_FLAT ? GL_TEXTURE_2D : GL_TEXTURE_CUBE_MAP,
                  c->texture[i->texture]);
  }
  const int cull = p->scene->around.cull && !i->two_sided;
  (cull ? glEnable : glDisable)(GL_CULL_FACE);
  return use;
}

sn_status draw_items(const viewpoint *p, int pass, int64_t first, int64_t end, sn_error *error) {
  canvas *c = p->c;
  for (int64_t i = first; i < end;) {
    const int is_alone = c->item[i].shape == SHAPE_ENDLESS;
    int64_t next = i + 1;
    while (next < end && !is_alone && same_batch(&c->item[i], &c->item[next])) {
      next++;
    }
    const shape *s = &c->shape[c->item[i].shape];
    if (!start_batch(p, pass, &c->item[i], error)) {
      return SN_EUNSUPPORTED;
    }
    glBindVertexArray(s->array);
    set_instances(c, i);
    if (is_alone) {
      infinite_plane_draw(p, &c->item[i].one);
    } else {
      glDrawElementsInstanced(GL_TRIANGLES, s->count, GL_UNSIGNED_INT, NULL, (GLsizei)(next - i));
    }
    i = next;
  }
  return SN_OK;
}
