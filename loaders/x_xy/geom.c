// SPDX-License-Identifier: Apache-2.0
//
// Geoms: full lengths become halves, cylinders and capsules along x become shapes along z that
// are turned, and a color is numbers or a name of the format's table.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sinew/math.h"
#include "sinew/suggest.h"
#include "x_xy/x_xy.h"

typedef struct shape {
  const char *name;
  int32_t type;   // SN_GEOM_*; -1: the frame marker
  int32_t ndim;
  int32_t exact;     // more numbers are an error
  double scale[3];   // of dim, to sizes
  int32_t along_x;
} shape;

static const shape shapes[] = {
  { "box", SN_GEOM_BOX, 3, 0, { 0.5, 0.5, 0.5 }, 0 },
  { "sphere", SN_GEOM_SPHERE, 1, 1, { 1, 0, 0 }, 0 },
  { "cylinder", SN_GEOM_CYLINDER, 2, 0, { 1, 0.5, 0 }, 1 },
  { "capsule", SN_GEOM_CAPSULE, 2, 0, { 1, 0.5, 0 }, 1 },
  { "xyz", -1, 1, 0, { 1, 0, 0 }, 0 },
};
enum { NSHAPES = sizeof shapes / sizeof shapes[0] };

typedef struct color {
  const char *name;
  double rgba[4];
} color;

static const color colors[] = {
  { "self", { .7, .5, .1, 1 } },
  { "effector", { .7, .4, .1, 1 } },
  { "decoration", { .3, .5, .7, 1 } },
  { "eye", { 0, .2, 1, 1 } },
  { "target", { .6, .3, .3, 1 } },
  { "site", { .5, .5, .5, .3 } },
  { "red", { .8, .2, .2, 1 } },
  { "green", { .2, .8, .2, 1 } },
  { "blue", { .2, .2, .8, 1 } },
  { "yellow", { .8, .8, .2, 1 } },
  { "cyan", { .2, .8, .8, 1 } },
  { "magenta", { .8, .2, .8, 1 } },
  { "white", { .8, .8, .8, 1 } },
  { "gray", { .5, .5, .5, 1 } },
  { "brown", { .6, .3, .1, 1 } },
  { "orange", { .8, .5, .2, 1 } },
  { "pink", { .8, .75, .8, 1 } },
  { "purple", { .5, .2, .5, 1 } },
  { "lime", { .5, .8, .2, 1 } },
  { "gold", { .8, .84, .2, 1 } },
  { "black", { .1, .1, .1, 1 } },
  { "matplotlib_green", { 0, .502, 0, 1 } },
  { "matplotlib_blue", { .012, .263, .8745, 1 } },
  { "matplotlib_lightblue", { .482, .784, .9647, 1 } },
  { "matplotlib_salmon", { .98, .502, .447, 1 } },
  { "dustin_exp_blue", { 75. / 255, 93. / 255, 208. / 255, 1 } },
  { "dustin_exp_white", { 241. / 255, 239. / 255, 208. / 255, 1 } },
  { "dustin_exp_orange", { 227. / 255, 139. / 255, 61. / 255, 1 } },
};
enum { NCOLORS = sizeof colors / sizeof colors[0] };

static sn_status read_color(x_loader *l, const xml_node *node, double *rgba) {
  const xml_node *from;
  const xml_attr *attr = x_attr(l, node, "color", &from);
  const char *name = attr ? attr->value : "self";
  for (int i = 0; i < NCOLORS; i++) {
    if (strcmp(colors[i].name, name) == 0) {
      memcpy(rgba, colors[i].rgba, sizeof colors[i].rgba);
      return SN_OK;
    }
  }
  if (strchr("+-.0123456789", name[strspn(name, " \t\r\n")])) {
    rgba[3] = 1;
    return xml_read_reals(&l->r, from, attr, 3, 4, rgba, NULL);
  }
  char hint[SN_SUGGEST_TEXT];
  xml_nearest nearest = { NULL, 0 };
  for (int i = 0; i < NCOLORS; i++) {
    xml_offer(&nearest, name, colors[i].name);
  }
  return xml_fail(&l->r, SN_EPARSE, from, attr, "unknown color '%s'%s", name,
                  sn_suggest_text(hint, sizeof hint, nearest.best,
                                  "use 3 or 4 numbers from 0 to 1, or the name of a color"));
}

static sn_status read_shape(x_loader *l, const xml_node *node, const shape **out) {
  const xml_node *from;
  const xml_attr *attr = x_attr(l, node, "type", &from);
  if (!attr) {
    return xml_fail(&l->r, SN_EPARSE, node, NULL,
                    "'geom' requires the attribute 'type': box, sphere, cylinder, capsule or xyz");
  }
  for (int i = 0; i < NSHAPES; i++) {
    if (strcmp(shapes[i].name, attr->value) == 0) {
      *out = &shapes[i];
      return SN_OK;
    }
  }
  return xml_fail(&l->r, SN_EPARSE, from, attr,
                  "unknown geom type '%s'; the types are box, sphere, cylinder, capsule, xyz",
                  attr->value);
}

static sn_status read_sizes(x_loader *l, const xml_node *node, const shape *s, double *size) {
  const xml_node *from, *from_size;
  const xml_attr *dim = x_attr(l, node, "dim", &from), *as = x_attr(l, node, "size", &from_size);
  if (dim && as && from == from_size) {
    return xml_fail(&l->r, SN_EPARSE, from, as,
                    "'size' and 'dim' have the same meaning; remove one");
  }
  if (as && (!dim || from != node)) {   // the element's own comes before a default
    const sn_location location = { from_size->file, as->line, as->column };
    l->b->warn(l->b->spec, &location, "'size' is read as 'dim': full lengths");
    dim = as;
    from = from_size;
  }
  size[0] = 1;
  if (!dim && s->type < 0) {
    return SN_OK;
  }
  if (!dim) {
    return xml_fail(&l->r, SN_EPARSE, node, NULL, "a %s requires 'dim' with %d number%s", s->name,
                    s->ndim, s->ndim > 1 ? "s" : "");
  }
  double given[8];
  SN_TRY(xml_read_reals(&l->r, from, dim, s->ndim, s->exact ? s->ndim : 8, given, NULL));
  for (int i = 0; i < s->ndim; i++) {
    if (!(given[i] > 0)) {
      return xml_fail(&l->r, SN_EPARSE, from, dim, "lengths in 'dim' must be positive, got %g",
                      given[i]);
    }
    size[i] = given[i] * s->scale[i];
  }
  return SN_OK;
}

// Three bars from the origin: x red, y green, z blue. Without mass.
static sn_status add_marker(x_loader *l, const xml_node *node, int32_t body, double length) {
  static const char *const idle[] = { "mass", "pos", "euler", "quat" };
  const sn_location location = xml_location(node);
  for (size_t i = 0; i < sizeof idle / sizeof idle[0]; i++) {
    const xml_attr *attr = xml_find_attr(node, idle[i]);
    if (attr) {
      const sn_location at = { node->file, attr->line, attr->column };
      char text[100];
      snprintf(text, sizeof text,
               "'%s' of an xyz has no effect; an xyz only marks the body's frame", idle[i]);
      l->b->warn(l->b->spec, &at, text);
    }
  }
  for (int axis = 0; axis < 3; axis++) {
    sn_geom_def d;
    int32_t id;
    sn_default_geom(&d);
    d.body = body;
    d.type = SN_GEOM_CAPSULE;
    d.contype = d.conaffinity = 0;
    d.mass = 0;
    d.size[0] = length / 6;
    sn_zero3(d.fromto);
    sn_zero3(d.fromto + 3);
    d.fromto[3 + axis] = length;
    sn_zero3(d.rgba);
    d.rgba[axis] = 1;
    SN_TRY(l->b->add_geom(l->b->spec, &d, &location, &id, l->r.error));
  }
  return SN_OK;
}

sn_status x_add_geom(x_loader *l, const xml_node *node, int32_t body, double *mass) {
  const shape *s = NULL;
  double quat[4], sizes[3] = { 0 };
  SN_TRY(read_shape(l, node, &s));
  SN_TRY(read_sizes(l, node, s, sizes));
  if (s->type < 0) {
    return add_marker(l, node, body, sizes[0]);
  }

  sn_geom_def d;
  sn_default_geom(&d);
  d.body = body;
  d.type = s->type;
  d.contype = d.conaffinity = l->params->collide;
  sn_copy3(d.size, sizes);
  SN_TRY(x_read_pose(l, node, d.pos, quat));
  if (s->along_x) {
    const double x_to_z[4] = { sqrt(0.5), 0, sqrt(0.5), 0 };
    sn_mul_quat(quat, quat, x_to_z);
  }
  sn_copy4(d.orient.quat, quat);
  SN_TRY(read_color(l, node, d.rgba));

  const xml_node *from;
  const xml_attr *attr = x_attr(l, node, "mass", &from);
  if (!attr) {
    return xml_fail(
        &l->r, SN_EPARSE, node, NULL,
        "a %s requires the attribute 'mass'; set it to 0 for a geom that is only visible", s->name);
  }
  SN_TRY(xml_read_reals(&l->r, from, attr, 1, 1, &d.mass, NULL));
  if (!(d.mass >= 0)) {
    return xml_fail(&l->r, SN_EPARSE, from, attr, "a mass must not be negative, got %g", d.mass);
  }
  *mass += d.mass;
  const sn_location location = xml_location(node);
  int32_t id;
  return l->b->add_geom(l->b->spec, &d, &location, &id, l->r.error);
}
