// SPDX-License-Identifier: Apache-2.0
//
// Frames: coordinate transformations around elements of a body, one in another. Nothing is left of
// a frame once its elements have taken it over:
//
//   x_body = p + R(q) x_frame,   q_body = q q_frame
//
// A frame inside a body is relative to that body; a body inside a frame is moved by it, and what is
// inside of the body is not.

#include <math.h>

#include "mjcf/read/read.h"
#include "sinew/math.h"

// The quaternion of an orientation in the units of the file.
static sn_status resolve(mjcf_reader *r, const xml_node *node, const sn_orient *orient,
                         double *quat) {
  const char *wrong = r->builder->orientation(r->spec, orient, quat);
  return wrong ? xml_fail(&r->xml, SN_EPARSE, node, NULL, "%s: %s", node->name, wrong) : SN_OK;
}

sn_status mjcf_read_frame(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  mjcf_frame_def def = { .name = NULL };
  const mjcf_class *class;
  double quat[4];
  sn_default_orient(&def.orient);
  SN_TRY(mjcf_fill(r, e, node, &def));
  SN_TRY(mjcf_find_class(r, node, "childclass", &class));
  SN_TRY(resolve(r, node, &def.orient, quat));
  if (r->settings.compiler.global) {
    return xml_fail(&r->xml, SN_EUNSUPPORTED, node, NULL,
                    "frame: not supported with coordinate=\"global\"");
  }

  // this frame in the one around it
  const mjcf_frame frame = r->frame;
  mjcf_frame *f = &r->frame;
  if (frame.given) {
    sn_mul_pose(f->pos, f->quat, frame.pos, frame.quat, def.pos, quat);
  } else {
    sn_copy3(f->pos, def.pos);
    sn_copy4(f->quat, quat);
  }
  f->given = 1;
  r->active = class;
  return SN_OK;
}

sn_status mjcf_in_frame(mjcf_reader *r, const xml_node *node, double *pos, sn_orient *orient) {
  const mjcf_frame *f = &r->frame;
  double out[3], quat[4];
  if (!f->given) {
    return SN_OK;
  }
  sn_rotate(out, pos, f->quat);
  sn_add3(pos, f->pos, out);
  if (orient) {
    SN_TRY(resolve(r, node, orient, quat));
    sn_default_orient(orient);
    sn_mul_quat(orient->quat, f->quat, quat);
  }
  return SN_OK;
}

void mjcf_turn_in_frame(const mjcf_reader *r, double *direction) {
  double out[3];
  if (r->frame.given) {
    sn_rotate(out, direction, r->frame.quat);
    sn_copy3(direction, out);
  }
}

sn_status mjcf_shape_in_frame(mjcf_reader *r, const xml_node *node, double *pos, sn_orient *orient,
                              double *fromto) {
  if (isnan(fromto[0])) {
    return mjcf_in_frame(r, node, pos, orient);
  }
  SN_TRY(mjcf_in_frame(r, node, fromto, NULL));
  return mjcf_in_frame(r, node, fromto + 3, NULL);
}
