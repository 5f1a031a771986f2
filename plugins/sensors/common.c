// SPDX-License-Identifier: Apache-2.0
//
// Instances, binding, and motions of points.

#include "common.h"

sn_status sensors_create(const sn_host *host, const sn_value *values, void **self,
                         sn_error *error) {
  (void)values;
  instance *made = host->alloc(host, (int64_t)sizeof *made);
  if (!made) {
    return host->error(host, error, SN_ENOMEM, NULL, 0, 0, "no memory for a sensor type");
  }
  made->host = host;
  made->fields = host->query(host, SN_SERVICE_FIELDS);
  made->ray = host->query(host, SN_SERVICE_RAY);
  *self = made;
  return SN_OK;
}

void sensors_destroy(void *self) {
  instance *made = self;
  if (made) {
    made->host->free(made->host, made);
  }
}

// ------------------------------------------------------------------ binding

static const void *model_array(const instance *self, const sn_model_view *model, const char *name,
                               sn_status *status, sn_error *error) {
  sn_field field;
  if (*status < 0) {
    return NULL;
  }
  *status = self->fields->model_field(model, name, &field, error);
  return *status < 0 ? NULL : model->fields[field.index];
}

static sn_status resolve(bound_sensors *b, const sn_model_view *model, sn_error *error) {
  const instance *self = b->self;
  sn_status status = SN_OK;
#define MODEL_ARRAY(name) b->name = model_array(self, model, #name, &status, error);
  MODEL_FIELDS(MODEL_ARRAY, MODEL_ARRAY)
#undef MODEL_ARRAY
#define DATA_ARRAY(name)                                              \
  if (status >= 0) {                                                  \
    status = self->fields->data_field(model, #name, &b->name, error); \
  }
  DATA_FIELDS(DATA_ARRAY, DATA_ARRAY)
#undef DATA_ARRAY
  b->magnetic = self->fields->option(model, "magnetic");
  return status;
}

sn_status sensors_bind(const void *self, const sn_model_view *model, int64_t n,
                       const sn_sensor *sensors, void **bound, sn_error *error) {
  const instance *made = self;
  int64_t bytes = (int64_t)sizeof(bound_sensors) + n * (int64_t)sizeof(sensor);
  bound_sensors *b = made->host->alloc(made->host, bytes);
  if (!b) {
    return made->host->error(made->host, error, SN_ENOMEM, NULL, 0, 0, "no memory for sensors");
  }
  b->self = made;
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
    made->host->free(made->host, b);
    return status;
  }
  *bound = b;
  return SN_OK;
}

void sensors_unbind(const void *self, void *bound) {
  const sn_host *host = ((const instance *)self)->host;
  host->free(host, bound);
}

// ------------------------------------------------------------------ checks

sn_status sensors_ask(const void *self, const sn_model_view *model, const char *field, int32_t id,
                      int32_t *out, sn_error *error) {
  sn_status status = SN_OK;
  const int32_t *array = model_array(self, model, field, &status, error);
  *out = status < 0 ? 0 : array[id];
  return status;
}

sn_status sensors_refuse(const void *self, const char *why, sn_error *error) {
  const sn_host *host = ((const instance *)self)->host;
  return host->error(host, error, SN_ECOMPILE, NULL, 0, 0, why);
}

// ------------------------------------------------------------------ motions of points

// Velocities and accelerations of bodies are about the center of mass of their tree.
static void arm_of(const reader *r, int32_t body, const double *point, double *arm) {
  sn_sub3(arm, point, REALS(r, subtree_com) + 3 * r->model->body_rootid[body]);
}

void point_velocity(const reader *r, int32_t body, const double *point, double *out) {
  const double *cvel = REALS(r, cvel) + 6 * body;
  double arm[3], turn[3];
  arm_of(r, body, point, arm);
  sn_cross(turn, cvel, arm);
  sn_copy3(out, cvel);
  sn_add3(out + 3, cvel + 3, turn);
}

void point_acceleration(const reader *r, int32_t body, const double *point, double *out) {
  const double *cacc = REALS(r, cacc) + 6 * body;
  double arm[3], turn[3], vel[6];
  arm_of(r, body, point, arm);
  sn_cross(turn, cacc, arm);
  sn_copy3(out, cacc);
  sn_add3(out + 3, cacc + 3, turn);
  // the point moves on: w x v
  point_velocity(r, body, point, vel);
  sn_cross(turn, vel, vel + 3);
  sn_add3(out + 3, out + 3, turn);
}
