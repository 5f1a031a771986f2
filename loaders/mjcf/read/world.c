// SPDX-License-Identifier: Apache-2.0
//
// The kinematic tree. r->body, r->active and r->frame say whose elements are being read, which
// class they start from and in which frame they stand; the readers of bodies and frames set them
// for what is inside, and they are restored on the way out.

#include "mjcf/read/read.h"
#include "sinew/math.h"

#include <string.h>

// A body or frame that is being read, and what to return to.
typedef struct level level;
struct level {
  level *outer;   // of a list of spare ones: the next
  int32_t body;
  const mjcf_class *active;
  mjcf_frame frame;
};

static sn_status enter(mjcf_reader *r, level **open, level **spare, const xml_node *node) {
  level *l = *spare;
  if (l) {
    *spare = l->outer;
  } else {
    l = xml_alloc(&r->doc.arena, sizeof *l);
  }
  if (!l) {
    return mjcf_no_memory(r, node);
  }
  *l = (level){ *open, r->body, r->active, r->frame };
  *open = l;
  return SN_OK;
}

static void leave(mjcf_reader *r, level **open, level **spare) {
  level *l = *open;
  r->body = l->body;
  r->active = l->active;
  r->frame = l->frame;
  *open = l->outer;
  l->outer = *spare;
  *spare = l;
}

sn_status mjcf_read_world(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  level *open = NULL, *spare = NULL;
  r->body = 0;
  r->active = r->classes;
  for (xml_walk walk = { .top = (xml_node *)(uintptr_t)node }; xml_step(&walk);) {
    if (walk.node == node) {
      continue;
    }

    // bodies and frames have the elements of the world
    const mjcf_element *c = e->children;
    while (strcmp(c->name, walk.node->name) != 0) {
      c++;
    }
    const int holds = c->children == e->children;
    if (walk.leaving && holds) {
      leave(r, &open, &spare);
    } else if (!walk.leaving) {
      SN_TRY(holds ? enter(r, &open, &spare, walk.node) : SN_OK);
      SN_TRY(c->read(r, c, walk.node));
      walk.pass = !holds;
    }
  }
  return SN_OK;
}

// the inertial frame is part of the body's definition, so it is read ahead of the other children
static sn_status fill_inertial(mjcf_reader *r, const mjcf_element *e, const xml_node *body,
                               sn_body_def *def) {
  const xml_node *node = xml_find_child(body, "inertial");
  if (!node) {
    return SN_OK;
  }
  const mjcf_element *row = e->children;
  while (strcmp(row->name, node->name) != 0) {
    row++;
  }
  def->inertial = 1;
  return mjcf_fill(r, row, node, def);
}

sn_status mjcf_read_body(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  mjcf_body body = { .childclass = NULL };
  const mjcf_class *class;
  sn_default_body(&body.def);
  body.def.parent = r->body;
  SN_TRY(mjcf_fill(r, e, node, &body));
  SN_TRY(mjcf_find_class(r, node, "childclass", &class));
  if (r->settings.compiler.global && !xml_find_attr(node, "pos")) {
    SN_SET_UNSET(body.def.pos);
  }
  SN_TRY(mjcf_in_frame(r, node, body.def.pos, &body.def.orient));
  SN_TRY(fill_inertial(r, e, node, &body.def));

  sn_location location = xml_location(node);
  int32_t id;
  SN_TRY(r->builder->add_body(r->spec, &body.def, &location, &id, r->error));

  // for what is inside
  r->body = id;
  r->active = class;
  r->frame.given = 0;
  return SN_OK;
}

// ------------------------------------------------------------------ elements of a body

static sn_status not_in_world(mjcf_reader *r, const xml_node *node) {
  return r->body > 0
             ? SN_OK
             : xml_fail(&r->xml, SN_EPARSE, node, NULL,
                        "<%s> is not allowed in <worldbody>: the world does not move", node->name);
}

sn_status mjcf_read_inertial(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  (void)e;
  if (r->frame.given) {
    return xml_fail(&r->xml, SN_EPARSE, node, NULL,
                    "inertial: must be a child of the body, not of a frame");
  }
  return not_in_world(r, node);
}

sn_status mjcf_read_freejoint(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  SN_TRY(not_in_world(r, node));
  sn_joint_def def;   // classes do not act on it
  sn_default_joint(&def);
  def.type = SN_JOINT_FREE;
  def.body = r->body;
  SN_TRY(mjcf_fill(r, e, node, &def));
  sn_location location = xml_location(node);
  int32_t id;
  return r->builder->add_joint(r->spec, &def, &location, &id, r->error);
}

// a definition that starts from its class: filled, owned by the body, moved by a frame, added
#define BEGIN_IN_BODY(kind)                            \
  const mjcf_class *class;                             \
  SN_TRY(mjcf_find_class(r, node, "class", &class)); \
  sn_##kind##_def def = class->kind;                   \
  def.body = r->body;                                  \
  SN_TRY(mjcf_fill(r, e, node, &def))
#define ADD_TO_BODY(kind)           \
  sn_location location = xml_location(node); \
  int32_t id;                       \
  return r->builder->add_##kind(r->spec, &def, &location, &id, r->error)

sn_status mjcf_read_joint(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  SN_TRY(not_in_world(r, node));
  BEGIN_IN_BODY(joint);
  SN_TRY(mjcf_in_frame(r, node, def.pos, NULL));
  mjcf_turn_in_frame(r, def.axis);
  ADD_TO_BODY(joint);
}

sn_status mjcf_read_geom(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  BEGIN_IN_BODY(geom);
  SN_TRY(mjcf_shape_in_frame(r, node, def.pos, &def.orient, def.fromto));
  SN_TRY(mjcf_read_configs(r, e, node, &def.attributes));
  ADD_TO_BODY(geom);
}

sn_status mjcf_read_site(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  BEGIN_IN_BODY(site);
  SN_TRY(mjcf_shape_in_frame(r, node, def.pos, &def.orient, def.fromto));
  ADD_TO_BODY(site);
}

// An image plane of height h behind a lens of focal length f sees the angle 2 atan(h / 2f), also
// where its principal point is beside the middle. A focal length of 0 counts as none: 180 degrees.
static sn_status look_through_lens(mjcf_reader *r, const xml_node *node, mjcf_camera *camera) {
  const double height = camera->sensorsize[1], pixels = camera->resolution[1];
  double focal = camera->focal[1];
  if (camera->focalpixel[1] != 0 && pixels > 0) {
    focal = camera->focalpixel[1] * height / pixels;
  }
  if (camera->sensorsize[0] > 0 && height > 0 && focal >= 0) {
    camera->def.fovy = 2 * atan2(0.5 * height, focal) * 180 / SN_PI;
    return SN_OK;
  }
  const int given = camera->sensorsize[0] != 0 || height != 0 || camera->focal[0] != 0 ||
                    camera->focal[1] != 0 || camera->focalpixel[0] != 0 ||
                    camera->focalpixel[1] != 0;
  const sn_location location = xml_location(node);
  return !given
             ? SN_OK
             : r->builder->warn(
                   r->spec, &location,
                   "camera: a lens requires a positive sensorsize and a focal length that is not "
                   "negative; fovy is used instead");
}

sn_status mjcf_read_camera(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  const mjcf_class *class;
  SN_TRY(mjcf_find_class(r, node, "class", &class));
  mjcf_camera camera = class->camera;
  camera.def.body = r->body;
  SN_TRY(mjcf_fill(r, e, node, &camera));
  SN_TRY(look_through_lens(r, node, &camera));
  SN_TRY(mjcf_in_frame(r, node, camera.def.pos, &camera.def.orient));
  const sn_camera_def def = camera.def;
  ADD_TO_BODY(camera);
}

sn_status mjcf_read_light(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  BEGIN_IN_BODY(light);
  SN_TRY(mjcf_in_frame(r, node, def.pos, NULL));
  mjcf_turn_in_frame(r, def.dir);
  ADD_TO_BODY(light);
}
