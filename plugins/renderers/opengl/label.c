// SPDX-License-Identifier: Apache-2.0
//
// Labels: white letters with a black edge above where their geoms are, over everything else. All
// strokes of an image, edges first, are quadrilaterals of one call.

#include <math.h>
#include <stdlib.h>

#include "common/grow.h"
#include "gl.h"
#include "stroke_font.h"

enum { CORNERS = 6 };           // of two triangles
static const float edge = 1;    // pixels

typedef struct label_corner {
  float place[2], shade;
} label_corner;

// Strokes of a label while they are made.
typedef struct writing {
  const viewpoint *p;
  float start[2];   // pixels, from the lower left corner
  float unit;       // pixels
  float half;       // of the width of a stroke, pixels
  float shade;
  int failed;       // no memory
} writing;

static label_corner *new_corners(canvas *c) {
  label_corner *grown = grow(c->label, c->nlabel + CORNERS, &c->label_capacity, 4096,
                             sizeof *grown);
  if (!grown) {
    return NULL;
  }
  c->label = grown;
  c->nlabel += CORNERS;
  return c->label + c->nlabel - CORNERS;
}

// A stroke with square ends.
static void add_stroke(void *context, const float *from, const float *to) {
  static const float sides[CORNERS][2] = { { -1, -1 }, { 1, -1 }, { 1, 1 },
                                           { -1, -1 }, { 1, 1 },  { -1, 1 } };
  writing *w = context;
  const float dx = to[0] - from[0], dy = to[1] - from[1], length = sqrtf(dx * dx + dy * dy);
  const float x = length > 0 ? dx / length : 1, y = length > 0 ? dy / length : 0;
  label_corner *corner = new_corners(w->p->c);
  w->failed |= !corner;
  for (int i = 0; i < CORNERS && corner; i++) {
    const float *end = sides[i][0] < 0 ? from : to;
    const float along = w->half * sides[i][0], across = w->half * sides[i][1];
    const float px = w->start[0] + w->unit * end[0] + along * x - across * y;
    const float py = w->start[1] + w->unit * end[1] + along * y + across * x;
    corner[i].place[0] = 2 * px / (float)w->p->width - 1;
    corner[i].place[1] = 2 * py / (float)w->p->height - 1;
    corner[i].shade = w->shade;
  }
}

// Pixels from the lower left corner. False: not in front of the camera.
static int project(const viewpoint *p, const float *point, float *out) {
  float clip[4];
  for (int i = 0; i < 4; i++) {
    clip[i] = p->view[i] * point[0] + p->view[4 + i] * point[1] + p->view[8 + i] * point[2] +
              p->view[12 + i];
  }
  if (clip[3] < p->scene->eye.near) {
    return 0;
  }
  out[0] = (clip[0] / clip[3] + 1) / 2 * (float)p->width;
  out[1] = (clip[1] / clip[3] + 1) / 2 * (float)p->height;
  return 1;
}

static int write_labels(const viewpoint *p, float shade) {
  writing w = { .p = p, .unit = letters_unit(p->height), .shade = shade };
  w.half = letters_width(w.unit) / 2 + (shade > 0 ? 0 : edge);
  for (int64_t i = 0; i < p->scene->ngeom; i++) {
    const sn_scene_geom *g = &p->scene->geom[i];
    if (g->label && *g->label && project(p, g->pos, w.start)) {
      w.start[0] = roundf(w.start[0] - w.unit * letters_trace(g->label, NULL, NULL) / 2) + 0.5F;
      w.start[1] = roundf(w.start[1]) + 0.5F;
      letters_trace(g->label, add_stroke, &w);
    }
  }
  return !w.failed;
}

static void make_buffer(canvas *c) {
  glGenVertexArrays(1, &c->label_array);
  glGenBuffers(1, &c->label_buffer);
  glBindVertexArray(c->label_array);
  glBindBuffer(GL_ARRAY_BUFFER, c->label_buffer);
  glEnableVertexAttribArray(0);
  glVertexAttribPointer(0, 3, GL_FLOAT, GL_FALSE, sizeof(label_corner), NULL);
}

sn_status labels_draw(const viewpoint *p, sn_error *error) {
  canvas *c = p->c;
  c->nlabel = 0;
  if (!write_labels(p, 0) || !write_labels(p, 1)) {
    return renderer_fail(c->self, error, SN_ENOMEM, "out of memory for the labels of an image");
  }
  if (c->nlabel == 0) {
    return SN_OK;
  }
  if (!program_use(c, PASS_LABEL, 0, 0, 0, error)) {
    return SN_EUNSUPPORTED;
  }
  if (!c->label_array) {
    make_buffer(c);
  }
  glBindVertexArray(c->label_array);
  glBindBuffer(GL_ARRAY_BUFFER, c->label_buffer);
  glBufferData(GL_ARRAY_BUFFER, (GLsizeiptr)((size_t)c->nlabel * sizeof *c->label), c->label,
               GL_STREAM_DRAW);
  glDisable(GL_DEPTH_TEST);
  glDisable(GL_CULL_FACE);
  glDrawArrays(GL_TRIANGLES, 0, (GLsizei)c->nlabel);
  return SN_OK;
}

void labels_free(canvas *c) {
  glDeleteVertexArrays(1, &c->label_array);
  glDeleteBuffers(1, &c->label_buffer);
}
