// SPDX-License-Identifier: Apache-2.0
//
// Calls of the operations of shapes; see guarded_shape.h. The support function writes into memory
// of the host: three numbers, and one behind them that must keep its value.

#include "contact/guarded_shape.h"

#include <string.h>

#include "base/finite.h"
#include "contact/contact.h"
#include "host/calling.h"
#include "platform/fpenv.h"

enum { FAULT_NONE, FAULT_NOT_FINITE, FAULT_BEHIND, FAULT_FPENV, FAULT_RAY };

typedef struct fault {
  int what;   // FAULT_*
  const si_guarded_shape *shape;
  const char *operation;
  double direction[3], point[3];   // of a ray: its direction, and its distance in point[0]
} fault;

static _Thread_local fault first __attribute__((tls_model("initial-exec")));

static const double behind = -7.25e-77;   // no result of a computation, by chance

static void note(int what, const si_guarded_shape *s, const char *operation,
                 const double *direction, const double *result, size_t n) {
  if (what && !first.what) {
    first = (fault){ .what = what, .shape = s, .operation = operation };
    memcpy(first.direction, direction, sizeof first.direction);
    memcpy(first.point, result, n * sizeof *result);
  }
}

// A direction that is not finite is the fault of the collider, or of the pose.
static void check_point(const si_guarded_shape *s, const double *direction, const double *point,
                        uint32_t fpenv) {
  const int what = si_fpenv_word() != fpenv                                  ? FAULT_FPENV
                   : memcmp(point + 3, &behind, sizeof behind) != 0            ? FAULT_BEHIND
                   : !si_all_finite(point, 3) && si_all_finite(direction, 3) ? FAULT_NOT_FINITE
                                                                             : FAULT_NONE;
  note(what, s, "support", direction, point, 3);
}

// The operation of the shape runs within that of the collider, and is over when that is.
static si_running enter(const si_guarded_shape *s, const char *operation) {
  const si_running outer = si_now;
  si_now = (si_running){ s->provider, operation, outer.frame };
  return outer;
}

static void support(const void *self, const void *data, const double *direction, double *point) {
  const si_guarded_shape *s = self;
  double room[4] = { NAN, NAN, NAN, behind };
  const uint32_t fpenv = si_fpenv_word();
  const si_running outer = enter(s, "support");
  ((const sn_shape_ops *)s->provider->ops)->support(s->provider->self, data, direction, room);
  si_now = outer;
  check_point(s, direction, room, fpenv);
  if (si_fpenv_word() != fpenv) {
    si_fpenv_set_word(fpenv);   // or the collider would be named for it
  }
  memcpy(point, room, 3 * sizeof *room);
}

static double ray(const void *self, const void *data, const double *origin,
                  const double *direction) {
  const si_guarded_shape *s = self;
  const uint32_t fpenv = si_fpenv_word();
  const si_running outer = enter(s, "ray");
  const double distance =
      ((const sn_shape_ops *)s->provider->ops)->ray(s->provider->self, data, origin, direction);
  si_now = outer;
  const int is_wrong = !isfinite(distance) && si_all_finite(origin, 3) &&
                       si_all_finite(direction, 3);
  if (si_fpenv_word() != fpenv) {
    si_fpenv_set_word(fpenv);
    note(FAULT_FPENV, s, "ray", direction, &distance, 1);
  }
  note(is_wrong ? FAULT_RAY : FAULT_NONE, s, "ray", direction, &distance, 1);
  return distance;
}

void si_guarded_shape_init(si_guarded_shape *s, const si_provider *provider, const void *data,
                           int64_t geom) {
  const sn_shape_ops *ops = provider->ops;
  *s = (si_guarded_shape){ .provider = provider, .geom = geom };
  s->guarded = (sn_shape_ops){ .head = { .size = sizeof s->guarded, .summary = ops->head.summary },
                               .support = support,
                               .ray = ops->ray ? ray : NULL };
  s->face = (sn_user_shape){
    .size = sizeof s->face, .type = provider->name, .ops = &s->guarded, .self = s, .data = data
  };
}

void si_guarded_shapes_start(void) {
  first.what = FAULT_NONE;
}

sn_status si_guarded_shapes_end(const sn_model *m, sn_error *error) {
  const fault f = first;
  if (!f.what) {
    return SN_OK;
  }
  first.what = FAULT_NONE;
  char subject[SI_PROVIDER_TITLE], geom[SI_GEOM_TITLE];
  si_provider_title(f.shape->provider, subject);
  si_geom_title(m, f.shape->geom, geom);
  if (f.what == FAULT_FPENV) {
    return si_fail(error, SN_EPLUGIN,
                   "%s: its operation '%s' changed the floating-point environment (%s); do not "
                   "load this plugin",
                   subject, f.operation, geom);
  }
  if (f.what == FAULT_RAY) {
    return si_fail(error, SN_EPLUGIN,
                   "%s: its operation 'ray' returned the distance %g, which is not finite, in the "
                   "direction (%g %g %g) (%s); correct the plugin",
                   subject, f.point[0], f.direction[0] + 0.0, f.direction[1] + 0.0,
                   f.direction[2] + 0.0, geom);
  }
  return f.what == FAULT_BEHIND
             ? si_fail(error, SN_EPLUGIN,
                       "%s: its operation 'support' wrote past the 3 numbers of 'point' (%s)",
                       subject, geom)
             : si_fail(error, SN_EPLUGIN,
                       "%s: its operation 'support' returned the point (%g %g %g), which is not "
                       "finite, in the direction (%g %g %g) (%s); correct the plugin",
                       subject, f.point[0], f.point[1], f.point[2], f.direction[0] + 0.0,
                       f.direction[1] + 0.0, f.direction[2] + 0.0, geom);   // without -0
}
