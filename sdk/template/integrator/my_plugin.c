// SPDX-License-Identifier: Apache-2.0
//
// A template for integrators: a two-step method of order 2, which evaluates the forces once in a
// step. From the acceleration a at the start of the step, and a_past at the start of the previous
// one, of length h_past, it extrapolates the mean acceleration of the step (Adams and Bashforth):
//
//   mean = a + h / (2 h_past) (a - a_past)      v <- v + h mean      q <- q + h (v + h/2 mean)
//
// The same is done with activations. What the method remembers is part of the state of the
// simulation, so that copies and saved states continue with the same bits:
//
//   state[PAST]              h_past, s; 0: there was no earlier step
//   state[ACC ...]           a_past, of each dof
//   state[layout.rate ...]   the rate of each activation
//
// Replace the method by your own, and declare its order, its number of evaluations and its states.

#include "sinew/instance.h"
#include "sinew/integrator.h"

enum { PAST, ACC };   // in the state

// What the steps of one model need.
typedef struct layout {
  int64_t rate, size;   // in the state
} layout;

static layout find_layout(const void *self, const sn_model_view *model) {
  const sn_fields_service *fields = ((const sn_instance *)self)->fields;
  const int64_t rate = ACC + fields->size_of(model, "nv");
  return (layout){ .rate = rate, .size = rate + fields->size_of(model, "na") };
}

static int64_t states(const void *self, const sn_model_view *model) {
  return find_layout(self, model).size;
}

// Types and addresses of joints would be looked up here as well, with the functions sn_lookup_*.
static sn_status bind(const void *self, const sn_model_view *model, void **bound, sn_error *error) {
  const layout found = find_layout(self, model);
  return sn_instance_keep(self, &found, sizeof found, bound, error);
}

// The mean rate of the step. weight: h / (2 h_past), or 0. The rate becomes that of the past.
static double extrapolate(double rate, double *past, double weight) {
  const double mean = rate + weight * (rate - *past);
  *past = rate;
  return mean;
}

static sn_status step(const void *self, sn_stepper *s, sn_scratch *scratch) {
  const layout *l = (const layout *)s->bound;
  const double h = s->h, weight = s->state[PAST] > 0 ? h / (2 * s->state[PAST]) : 0;
  double *middle;   // velocity
  (void)self;
  SN_ALLOC(middle, scratch, s->nv);
  for (int64_t i = 0; i < s->nv; i++) {
    const double mean = extrapolate(s->qacc[i], &s->state[ACC + i], weight);
    middle[i] = s->qvel[i] + 0.5 * h * mean;
    s->qvel[i] += h * mean;
  }
  s->advance_position(s, middle, h);
  for (int64_t i = 0; i < s->na; i++) {
    s->act[i] += h * extrapolate(s->act_dot[i], &s->state[l->rate + i], weight);
  }
  s->clamp_activation(s);
  s->state[PAST] = h;
  *s->time += h;
  return SN_OK;
}

// ------------------------------------------------------------------ the plugin

static const sn_integrator_ops ops = {
  .head = { .size = sizeof(sn_integrator_ops),
            .summary = "two-step method of Adams and Bashforth",
            .create = sn_instance_create,
            .destroy = sn_instance_destroy },
  .order = 2,
  .evaluations = 1,
  .step = step,
  .states = states,
  .bind = bind,
  .unbind = sn_instance_unbind,
};

static const sn_provide provides[] = {
  SN_PROVIDE_INTEGRATOR("my_plugin", &ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "org.example.my_plugin", .version = "1.0", .license = "Apache-2.0",
          .summary = "an integrator", .provides = provides)
