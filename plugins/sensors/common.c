// SPDX-License-Identifier: Apache-2.0
//
// See common.h.

#include "common.h"

sn_status sensors_create(const sn_host *host, const sn_value *values, void **self,
                         sn_error *error) {
  (void)values;
  SN_TRY(sn_instance_new(host, sizeof(instance), self, error));
  ((instance *)*self)->ray = host->query(host, SN_SERVICE_RAY);
  return SN_OK;
}

// ------------------------------------------------------------------ binding

static sn_status resolve(bound_sensors *b, const sn_model_view *model, sn_error *error) {
  sn_lookup l = sn_lookup_start(b->self, model, error);
#define MODEL_REALS(name) b->name = sn_lookup_reals(&l, #name);
#define MODEL_INTS(name) b->name = sn_lookup_ints(&l, #name);
#define DATA_REALS(name) b->name = sn_lookup_data(&l, #name);
#define DATA_INTS(name) b->name = sn_lookup_data_ints(&l, #name);
  MODEL_FIELDS(MODEL_REALS, MODEL_INTS)
  DATA_FIELDS(DATA_REALS, DATA_INTS)
#undef MODEL_REALS
#undef MODEL_INTS
#undef DATA_REALS
#undef DATA_INTS
  b->magnetic = sn_lookup_option(&l, "magnetic");
  return l.status;
}

sn_status sensors_bind(const void *self, const sn_model_view *model, int64_t n,
                       const sn_sensor *sensors, void **bound, sn_error *error) {
  bound_sensors *b = sn_instance_alloc(self, sizeof *b + (size_t)n * sizeof(sensor), error);
  if (!b) {
    return SN_ENOMEM;
  }
  b->self = self;
  b->n = n;
  b->at = (sensor *)(b + 1);
  for (int64_t i = 0; i < n; i++) {
    b->at[i] = (sensor){ .id = sensors[i].id,
                         .objid = sensors[i].objid,
                         .refid = sensors[i].refid,
                         .adr = sensors[i].adr,
                         .object = frame_kind_find(sensors[i].objtype),
                         .reference = sensors[i].refid < 0 ? NULL
                                                           : frame_kind_find(sensors[i].reftype) };
  }
  sn_status status = resolve(b, model, error);
  if (status < 0) {
    sn_instance_unbind(self, b);
    return status;
  }
  *bound = b;
  return SN_OK;
}

sn_status sensors_require(const void *self, const sn_model_view *model, const sn_sensor *at,
                          const char *field, int32_t first, int32_t last, const char *why,
                          sn_error *error) {
  sn_lookup l = sn_lookup_start(self, model, error);
  const int32_t *array = sn_lookup_ints(&l, field);
  SN_TRY(l.status);
  int32_t value = array[at->objid];
  return first <= value && value <= last ? SN_OK : sn_instance_fail(self, error, SN_ECOMPILE, why);
}

int64_t sensors_count(const reader *r, const char *name) {
  return r->model->self->base.fields->count_of(r->data, name);
}

// ------------------------------------------------------------------ motions of points

// From the center of mass of the tree, to which velocities and accelerations of bodies refer, to a
// point.
static void arm_of(const reader *r, int32_t body, const double *point, double *arm) {
  sn_sub3(arm, point, REALS(r, subtree_com) + 3 * r->model->body_rootid[body]);
}

void point_velocity(const reader *r, int32_t body, const double *point, double *out) {
  const double *cvel = REALS(r, cvel) + 6 * body;
  double arm[3], turning[3];
  arm_of(r, body, point, arm);
  sn_cross(turning, cvel, arm);
  sn_copy3(out, cvel);
  sn_add3(out + 3, cvel + 3, turning);
}

void point_acceleration(const reader *r, int32_t body, const double *point, double *out) {
  const double *cacc = REALS(r, cacc) + 6 * body;
  double arm[3], turning[3], vel[6];
  arm_of(r, body, point, arm);
  sn_cross(turning, cacc, arm);
  sn_copy3(out, cacc);
  sn_add3(out + 3, cacc + 3, turning);
  // w x v, from the motion of the point with its body
  point_velocity(r, body, point, vel);
  sn_cross(turning, vel, vel + 3);
  sn_add3(out + 3, out + 3, turning);
}
