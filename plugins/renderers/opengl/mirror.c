// SPDX-License-Identifier: Apache-2.0
//
// Reflections: for each face that reflects, the scene is drawn once more as a camera behind the
// face sees it, mirrored in its plane and weakened by the reflectance, and the face is added to
// that. The stencil keeps it within the visible part of the face:
//
//   mark    stencil where the face is what is seen
//   empty   black and infinitely far there
//   fill    the mirrored scene
//   add     the color of the face, and its depths again
//
// The sky is not reflected, nor are reflections.

#include <string.h>

#include "gl.h"

// The plane of a face: its normal and the distance of the origin; false: seen from behind.
static int plane_of(const viewpoint *p, const item *face, float *plane) {
  float above = 0;
  plane[3] = 0;
  for (int k = 0; k < 3; k++) {
    plane[k] = face->one.row[k][2];
    plane[3] -= plane[k] * face->one.row[k][3];
    above += plane[k] * p->eye[k];
  }
  return above + plane[3] > 0;
}

// A framebuffer without stencil would show the reflections everywhere.
static int has_stencil(void) {
  GLint frame = 0, kind = GL_NONE;
  glGetIntegerv(GL_DRAW_FRAMEBUFFER_BINDING, &frame);
  glGetFramebufferAttachmentParameteriv(GL_DRAW_FRAMEBUFFER,
                                        frame ? GL_STENCIL_ATTACHMENT : GL_STENCIL,
                                        GL_FRAMEBUFFER_ATTACHMENT_OBJECT_TYPE, &kind);
  return kind != GL_NONE;
}

// All items but the one that reflects.
static sn_status draw_others(const viewpoint *from, int pass, int64_t first, int64_t end,
                             int64_t but, sn_error *error) {
  const int64_t middle = but < first ? first : but > end ? end : but;
  SN_TRY(draw_items(from, pass, first, middle, error));
  return draw_items(from, pass, middle + (middle == but), end, error);
}

static int64_t first_clear(const canvas *c) {
  int64_t n = 0;
  while (n < c->nitem && !c->item[n].is_clear) {
    n++;
  }
  return n;
}

static sn_status fill(const viewpoint *from, int64_t but, sn_error *error) {
  const canvas *c = from->c;
  const int64_t opaque = first_clear(c);
  glEnable(GL_CLIP_DISTANCE0);
  glFrontFace(GL_CW);   // mirrored
  SN_TRY(draw_others(from, PASS_COLOR, 0, opaque, but, error));
  glDepthMask(GL_FALSE);
  glEnable(GL_BLEND);
  glBlendFunc(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA);
  SN_TRY(draw_others(from, PASS_COLOR, opaque, c->nitem, but, error));
  glDepthMask(GL_TRUE);
  glDisable(GL_BLEND);
  glDisable(GL_CLIP_DISTANCE0);
  glFrontFace(GL_CCW);
  return SN_OK;
}

// The scene as it is seen in the plane.
static viewpoint mirrored(const viewpoint *p, const float *plane, float strength) {
  viewpoint from = *p;
  float reflect[16];
  matrix_reflect(reflect, plane);
  matrix_multiply(from.view, p->view, reflect);
  for (int k = 0; k < 3; k++) {
    from.eye[k] = reflect[k] * p->eye[0] + reflect[4 + k] * p->eye[1] + reflect[8 + k] * p->eye[2] +
                  reflect[12 + k];
  }
  memcpy(from.clip, plane, sizeof from.clip);
  from.strength = strength;
  return from;
}

static sn_status draw_mirror(const viewpoint *p, int64_t at, const float *plane, sn_error *error) {
  const item *face = &p->c->item[at];
  const viewpoint from = mirrored(p, plane, face->reflectance);

  // mark
  glClear(GL_STENCIL_BUFFER_BIT);
  glEnable(GL_STENCIL_TEST);
  glStencilFunc(GL_ALWAYS, 1, 1);
  glStencilOp(GL_KEEP, GL_KEEP, GL_REPLACE);
  glColorMask(0, 0, 0, 0);
  glDepthMask(GL_FALSE);
  glDepthFunc(GL_LEQUAL);
  glEnable(GL_POLYGON_OFFSET_FILL);   // faces of boxes are other triangles than the box
  glPolygonOffset(-1, -2);
  SN_TRY(draw_items(p, PASS_DEPTH, at, at + 1, error));
  glDisable(GL_POLYGON_OFFSET_FILL);
  glColorMask(1, 1, 1, 1);
  glDepthMask(GL_TRUE);

  // empty
  glStencilFunc(GL_EQUAL, 1, 1);
  glStencilOp(GL_KEEP, GL_KEEP, GL_KEEP);
  glDepthFunc(GL_ALWAYS);
  glDepthRange(1, 1);
  SN_TRY(draw_items(p, PASS_DEPTH, at, at + 1, error));
  glDepthRange(0, 1);
  glDepthFunc(GL_LEQUAL);

  SN_TRY(fill(&from, face->mirror, error));

  // add
  glDepthFunc(GL_ALWAYS);
  glEnable(GL_BLEND);
  glBlendFunc(GL_ONE, GL_ONE);
  SN_TRY(draw_items(p, PASS_COLOR, face->mirror, face->mirror + 1, error));
  glDisable(GL_BLEND);
  glDepthFunc(GL_LEQUAL);
  glDisable(GL_STENCIL_TEST);
  return SN_OK;
}

// Planes that reflect get their color with the reflection: before that, only their depth is drawn.
void mirrors_prepare(const viewpoint *p) {
  const canvas *c = p->c;
  float plane[4];
  const int drawn = has_stencil();
  for (int64_t k = 0; k < c->nface && drawn; k++) {
    item *i = &c->item[c->item[c->nitem + k].mirror];
    i->is_covered = i->is_plane && plane_of(p, &c->item[c->nitem + k], plane);
  }
}

sn_status mirrors_draw(const viewpoint *p, sn_error *error) {
  const canvas *c = p->c;
  float plane[4];
  if (!has_stencil()) {
    return SN_OK;
  }
  for (int64_t k = 0; k < c->nface; k++) {
    const int64_t at = c->nitem + k;
    if (plane_of(p, &c->item[at], plane)) {
      SN_TRY(draw_mirror(p, at, plane, error));
    }
  }
  return SN_OK;
}
