// SPDX-License-Identifier: Apache-2.0
//
// What toy plugins share that act in every model and keep nothing of it, and a toy collider that
// requests memory.

#ifndef SN_TEST_TOY_PLUGIN_H
#define SN_TEST_TOY_PLUGIN_H

#include "sinew/actuator.h"
#include "sinew/collider.h"
#include "sinew/controller.h"
#include "sinew/passive.h"
#include "sinew/sensor.h"

static int toy_bound;   // NULL would mean that a plugin has nothing to do

// Of passive forces, controllers, contact modifiers and constraints.
static inline sn_status toy_bind(const void *self, const sn_model_view *model,
                                 const sn_value *values, void **bound, sn_error *e) {
  (void)self, (void)model, (void)values, (void)e;
  *bound = &toy_bound;
  return SN_OK;
}

static inline sn_status toy_bind_sensors(const void *self, const sn_model_view *model, int64_t n,
                                         const sn_sensor *sensors, void **bound, sn_error *e) {
  (void)self, (void)model, (void)n, (void)sensors, (void)e;
  *bound = &toy_bound;
  return SN_OK;
}

static inline void toy_unbind(const void *self, void *bound) {
  (void)self, (void)bound;
}

// The operations of a passive force with one function.
#define TOY_FORCE(function)                      \
  {                                              \
    .head = { .size = sizeof(sn_passive_ops) },  \
    .bind = toy_bind, .unbind = toy_unbind,      \
    .apply = function                            \
  }

// ------------------------------------------------------------------ operations that do nothing

static inline sn_status idle_apply(const void *self, const void *bound, const sn_data_view *data,
                                   const double *state, double *qfrc, sn_scratch *scratch) {
  (void)self, (void)bound, (void)data, (void)state, (void)qfrc, (void)scratch;
  return SN_OK;
}

static inline sn_status idle_control(const void *self, const void *bound, const sn_data_view *data,
                                     const double *state, sn_controls *controls,
                                     sn_scratch *scratch) {
  (void)self, (void)bound, (void)data, (void)state, (void)controls, (void)scratch;
  return SN_OK;
}

static inline sn_status idle_advance(const void *self, const void *bound, const sn_data_view *data,
                                     double h, double *state, sn_scratch *scratch) {
  (void)self, (void)bound, (void)data, (void)h, (void)state, (void)scratch;
  return SN_OK;
}

static inline sn_status idle_rate(const void *self, const sn_actuators *batch, double *act_dot,
                                  sn_scratch *scratch) {
  (void)self, (void)batch, (void)act_dot, (void)scratch;
  return SN_OK;
}

static inline sn_status idle_evaluate(const void *self, const void *bound, const sn_data_view *data,
                                      double *state, double *sensordata, sn_scratch *scratch) {
  (void)self, (void)bound, (void)data, (void)state, (void)sensordata, (void)scratch;
  return SN_OK;
}

// ------------------------------------------------------------------ a collider

// What it requests to compute a distance.
static int64_t toy_request = INT64_MAX / 8, toy_alignment = 64;

static inline sn_status toy_collide(const void *self, const sn_batch *batch, sn_contact_list *out,
                                    sn_scratch *scratch) {
  (void)self, (void)batch, (void)out, (void)scratch;
  return SN_OK;
}

static inline sn_status toy_distance(const void *self, const sn_shape *first,
                                     const sn_shape *second, double limit, double *distance,
                                     double *point1, double *point2, sn_scratch *scratch) {
  (void)self, (void)first, (void)second, (void)limit, (void)point1, (void)point2;
  *distance = 1;
  return scratch->alloc(scratch, toy_request, toy_alignment) ? SN_OK : SN_ENOMEM;
}

#define TOY_COLLIDER(list)                                               \
  {                                                                      \
    .head = { .size = sizeof(sn_collider_ops) }, .pairs = list,          \
    .max_points = 1, .collide = toy_collide, .distance = toy_distance    \
  }

#endif
