// SPDX-License-Identifier: Apache-2.0
//
// Cables: chains of bodies along a curve, one from each point to the next, joined by ball joints,
// so that their length does not change.
//
//   p0 ---B_first--- p1 ---B_1--- p2 ---B_2--- p3 ---B_last--- p4
//
// A body starts at its first point and its x axis points to the second. Names end in first, last
// or the number of the body; only the geoms are all numbered. Neighbors do not collide. A site is
// at both ends.
//
// The points are given as vertices, or as three functions of the position s = i / (count - 1):
//
//   s  size0 s      cos(s)  size1 cos(pi size2 s)      sin(s)  size1 sin(pi size2 s)      0  0
//
// quat turns the points of functions; vertices are where they are.
//
// Frames do not twist: from one body to the next they turn by the smallest rotation that takes the
// one x axis to the other (Bishop, There is more than one way to frame a curve, 1975). In the
// first frame z is normal to the first two links; where these are parallel the frame is turned
// by the smallest rotation from the parent's, or with x < 0 from the parent's turned about z.

#include <math.h>
#include <string.h>

#include "mjcf/composite/composite.h"
#include "sinew/math.h"

static const double PARALLEL = 1e-7;    // sine between directions that count as parallel
static const double TOGETHER = 1e-14;   // m, distance of points that count as the same

// ------------------------------------------------------------------ points

// One coordinate of a point of the curve; 0: it is none of the functions.
static int evaluate(const mjcf_composite *c, const char *function, size_t length, double s,
                    double *out) {
  const double angle = SN_PI * c->size[2] * s;
  const struct {
    const char *name;
    double value;
  } functions[] = { { "s", c->size[0] * s },
                    { "cos(s)", c->size[1] * cos(angle) },
                    { "sin(s)", c->size[1] * sin(angle) },
                    { "0", 0 } };
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    if (strlen(functions[i].name) == length && strncmp(functions[i].name, function, length) == 0) {
      *out = functions[i].value;
      return 1;
    }
  }
  return 0;
}

// Points of the functions in `curve`, turned by quat; those left out are zero.
static sn_status read_curve(mjcf_reader *r, mjcf_composite *c) {
  static const char space[] = " \t\r\n";
  const xml_attr *a = xml_find_attr(c->node, "curve");
  int32_t n = c->count[0];
  double *point = xml_alloc(&r->doc.arena, (size_t)n * 3 * sizeof *point);
  if (!point) {
    return mjcf_no_memory(r, c->node);
  }
  memset(point, 0, (size_t)n * 3 * sizeof *point);
  int k = 0;
  for (const char *p = c->curve + strspn(c->curve, space); *p; k++, p += strspn(p, space)) {
    size_t length = strcspn(p, space);
    if (k == 3) {
      return xml_fail(&r->xml, SN_EPARSE, c->node, a, "composite: curve takes three functions");
    }
    for (int32_t i = 0; i < n; i++) {
      if (!evaluate(c, p, length, i / (n - 1.0), &point[3 * i + k])) {
        return xml_fail(
            &r->xml, SN_EPARSE, c->node, a,
            "composite: each function of curve must be s, cos(s), sin(s) or 0, not \"%.*s\"",
            length < 40 ? (int)length : 40, p);
      }
    }
    p += length;
  }
  for (int32_t i = 0; i < n; i++) {
    double straight[3];
    sn_copy3(straight, point + 3 * (int64_t)i);
    sn_rotate(point + 3 * (int64_t)i, straight, c->quat);
  }
  c->vertex = (sn_reals){ point, 3 * (int64_t)n };
  return SN_OK;
}

static sn_status check_quat(mjcf_reader *r, mjcf_composite *c) {
  const double *q = c->quat;
  const double square = q[0] * q[0] + sn_dot3(q + 1, q + 1);
  if (!(square > TOGETHER) || isinf(square)) {
    return xml_fail(&r->xml, SN_EPARSE, c->node, xml_find_attr(c->node, "quat"),
                    "composite: quat must not have length %g", sqrt(square));
  }
  sn_normalize4(c->quat);
  return SN_OK;
}

sn_status composite_cable_points(mjcf_reader *r, mjcf_composite *c) {
  enum { MOST_POINTS = 200000 };
  SN_TRY(check_quat(r, c));
  const xml_attr *vertex = xml_find_attr(c->node, "vertex");
  const xml_attr *count = xml_find_attr(c->node, "count");
  if (vertex && count) {
    return xml_fail(&r->xml, SN_EPARSE, c->node, vertex,
                    "composite: both vertex and count are specified; remove one");
  }
  if (vertex) {
    if (c->vertex.n % 3 != 0 || c->vertex.n < 6 || c->vertex.n > 3 * MOST_POINTS) {
      return xml_fail(
          &r->xml, SN_EPARSE, c->node, vertex,
          "composite: vertex takes three numbers for each of 2 to %d points, found %lld "
          "numbers",
          MOST_POINTS, (long long)c->vertex.n);
    }
    c->count[0] = (int32_t)(c->vertex.n / 3);
    return xml_find_attr(c->node, "quat")
               ? r->builder->warn(
                     r->spec, &c->location,
                     "quat has no effect on vertices; it rotates the points of a curve only")
               : SN_OK;
  }
  if (!count || !c->curve) {
    return xml_fail(&r->xml, SN_EPARSE, c->node, NULL,
                    "composite: a cable needs the attribute vertex, or count and curve");
  }
  if (c->count[0] < 2 || c->count[0] > MOST_POINTS || c->count[1] != 1 || c->count[2] != 1) {
    return xml_fail(&r->xml, SN_EPARSE, c->node, count,
                    "composite: a cable has 2 to %d points in one dimension", MOST_POINTS);
  }
  return read_curve(r, c);
}

// ------------------------------------------------------------------ frames

// The axes of a body of the cable; z is their cross product.
typedef struct frame {
  double x[3], y[3];
} frame;

// Turns a frame by the smallest rotation that takes its x to `to`; about z where they are opposite.
static void turn(frame *f, const double *to) {
  double axis[3], across[3];
  sn_cross(axis, f->x, to);
  double sine = sn_norm3(axis), cosine = sn_dot3(f->x, to);
  if (sine > PARALLEL) {   // the formula of Rodrigues
    sn_scale3(axis, axis, 1 / sine);
    sn_cross(across, axis, f->y);
    double along = (1 - cosine) * sn_dot3(axis, f->y);
    for (int i = 0; i < 3; i++) {
      f->y[i] = cosine * f->y[i] + sine * across[i] + along * axis[i];
    }
  } else if (cosine < 0) {
    sn_scale3(f->y, f->y, -1);
  }
  sn_copy3(f->x, to);

  // rounding does not add up along the cable
  double slip = sn_dot3(f->y, to);
  for (int i = 0; i < 3; i++) {
    f->y[i] -= slip * to[i];
  }
  sn_normalize3(f->y);
}

// The frame of the first link; `next` is the direction of the second, NULL: there is none.
static frame first_frame(const double *to, const double *next) {
  frame f;
  double z[3] = { 0, 0, 0 };
  if (next) {
    sn_cross(z, to, next);
  }
  double sine = sn_norm3(z);
  if (sine > PARALLEL) {
    sn_scale3(z, z, 1 / sine);
    sn_copy3(f.x, to);
    sn_cross(f.y, z, to);
    return f;
  }
  double side = to[0] > 0 ? 1 : -1;
  f = (frame){ { side, 0, 0 }, { 0, side, 0 } };
  turn(&f, to);
  return f;
}

static void frame_quat(const frame *f, double *quat) {
  double z[3];
  sn_cross(z, f->x, f->y);
  const double mat[9] = { f->x[0], f->y[0], z[0], f->x[1], f->y[1], z[1], f->x[2], f->y[2], z[2] };
  sn_mat_quat(quat, mat);
}

// Direction and length of a link.
static sn_status link_of(mjcf_reader *r, const mjcf_composite *c, int32_t i, double *to,
                         double *length) {
  const double *p = c->vertex.p + 3 * (int64_t)i;
  sn_sub3(to, p + 3, p);
  *length = sn_norm3(to);
  if (!(*length > TOGETHER) || isinf(*length)) {
    return xml_fail(&r->xml, SN_EPARSE, c->node, NULL,
                    "composite: points %d and %d of the cable (numbered 0 to %d) are too %s", i,
                    i + 1, c->count[0] - 1, isinf(*length) ? "far apart" : "close to each other");
  }
  sn_scale3(to, to, 1 / *length);
  return SN_OK;
}

// ------------------------------------------------------------------ one link

typedef struct cable_link {
  int32_t i;      // its number
  int32_t body;   // set when it has one
  double length;
  double before;    // length of the link before it
  double quat[4];   // in the link before it
} cable_link;

// B_first, B_1, ..., B_last
static const char *name_of(mjcf_reader *r, const mjcf_composite *c, const char *word,
                           const cable_link *l) {
  const int32_t coord[1] = { l->i };
  char text[16];
  int numbered = l->i > 0 && l->i < c->count[0] - 2;
  stpcpy(stpcpy(text, word), numbered ? "_" : l->i == 0 ? "_first" : "_last");
  return composite_name(r, c, text, numbered, coord);
}

static sn_status add_body(mjcf_reader *r, const mjcf_composite *c, cable_link *l, int32_t parent,
                          const double *pos, const double *quat) {
  sn_body_def def;
  sn_default_body(&def);
  def.name = name_of(r, c, "B", l);
  if (!def.name) {
    return SN_ENOMEM;
  }
  def.parent = parent;
  sn_copy3(def.pos, pos);
  sn_copy4(def.orient.quat, quat);
  if (l->i == 0) {
    SN_TRY(mjcf_in_frame(r, c->node, def.pos, &def.orient));
  }
  return composite_add_body(r, c, &def, &l->body);
}

// The joint at the first point; what moves freely has neither friction nor limits.
static sn_status add_joint(mjcf_reader *r, const mjcf_composite *c, const cable_link *l) {
  if (l->i == 0 && c->initial == COMPOSITE_FIXED) {
    return SN_OK;
  }
  int32_t id;
  sn_joint_def def = c->joint[COMPOSITE_MAIN].def;
  def.name = name_of(r, c, "J", l);
  if (!def.name) {
    return SN_ENOMEM;
  }
  def.body = l->body;
  def.type = SN_JOINT_BALL;
  if (l->i == 0 && c->initial == COMPOSITE_FREE) {
    def.type = SN_JOINT_FREE;
    def.limited = SN_FALSE;
    def.damping = def.armature = def.frictionloss = 0;
  }
  if (l->i > 0) {   // the first joint is none of the cable's own
    SN_TRY(composite_elastic(r, c, (l->before + l->length) / 2, l->quat, &def));
  }
  return r->builder->add_joint(r->spec, &def, &c->location, &id, r->error);
}

// The geom from point to point: round ones lie along z of their own, boxes along x.
static sn_status add_geom(mjcf_reader *r, mjcf_composite *c, const cable_link *l) {
  const int32_t coord[1] = { l->i };
  if (c->geom.type == SN_GEOM_BOX) {
    c->geom.size[0] = c->geom.pos[0] = 0.5 * l->length;
  } else {
    SN_SET(c->geom.fromto, 0, 0, 0, l->length, 0, 0);
  }
  return composite_add_geom(r, c, l->body, coord, NULL);
}

static sn_status add_site(mjcf_reader *r, const mjcf_composite *c, const cable_link *l, double x) {
  int32_t id;
  sn_site_def def = c->site;
  def.name = name_of(r, c, "S", l);
  if (!def.name) {
    return SN_ENOMEM;
  }
  def.body = l->body;
  def.pos[0] = x;
  return r->builder->add_site(r->spec, &def, &c->location, &id, r->error);
}

static sn_status exclude(mjcf_reader *r, const mjcf_composite *c, const cable_link *before,
                         const cable_link *l) {
  int32_t id;
  sn_exclude_def def;
  sn_default_exclude(&def);
  def.body1 = name_of(r, c, "B", before);
  def.body2 = name_of(r, c, "B", l);
  return def.body1 && def.body2
             ? r->builder->add_exclude(r->spec, &def, &c->location, &id, r->error)
             : SN_ENOMEM;
}

static sn_status dress(mjcf_reader *r, mjcf_composite *c, const cable_link *l) {
  int last = l->i == c->count[0] - 2;
  SN_TRY(add_joint(r, c, l));
  SN_TRY(add_geom(r, c, l));
  // a cable of one link has the site of its end only: the names are the same
  return last ? add_site(r, c, l, l->length) : l->i == 0 ? add_site(r, c, l, 0) : SN_OK;
}

// ------------------------------------------------------------------ the cable

// A text of the model names the cable, for programs that look for one.
static sn_status add_text(mjcf_reader *r, const mjcf_composite *c) {
  int32_t id;
  sn_text_def def;
  sn_default_text(&def);
  mjcf_composite named = *c;
  named.prefix = "composite_";
  def.name = composite_name(r, &named, c->prefix, 0, NULL);
  named.prefix = "rope_";
  def.data = composite_name(r, &named, c->prefix, 0, NULL);
  return def.name && def.data ? r->builder->add_text(r->spec, &def, &c->location, &id, r->error)
                              : SN_ENOMEM;
}

sn_status composite_cable(mjcf_reader *r, mjcf_composite *c) {
  double to[3], next[3], pos[3], before[4], length;
  cable_link last = { .body = c->parent };
  int32_t n = c->count[0] - 1;
  frame f;
  SN_TRY(link_of(r, c, 0, to, &length));
  if (n > 1) {
    SN_TRY(link_of(r, c, 1, next, &last.length));
  }
  f = first_frame(to, n > 1 ? next : NULL);
  sn_add3(pos, c->vertex.p, c->offset);
  sn_identity_quat(before);
  for (int32_t i = 0; i < n; i++) {
    cable_link l = { .i = i, .before = last.length };
    double quat[4], back[4];
    SN_TRY(link_of(r, c, i, to, &l.length));
    if (i > 0) {
      turn(&f, to);
      SN_SET(pos, last.length, 0, 0);
    }
    frame_quat(&f, quat);
    sn_conj_quat(back, before);
    sn_mul_quat(l.quat, back, quat);
    SN_TRY(add_body(r, c, &l, last.body, pos, l.quat));
    SN_TRY(dress(r, c, &l));
    if (i > 0) {
      SN_TRY(exclude(r, c, &last, &l));
    }
    sn_copy4(before, quat);
    last = l;
  }
  return add_text(r, c);
}
