// SPDX-License-Identifier: Apache-2.0
//
// Sensors: calls the bound plugins of a stage with all sensors of their type, then noise, then
// cutoff, each by the documented kind of data:
//
//                noise                                   cutoff c > 0
//   real         added                                   clamped to [-c, c]
//   positive     added, then at least zero (negative     at most c
//                means no reading, and stays)
//   axis         added, then normalized                  none
//   quaternion   turned by a random rotation vector      none
//
// Noise is a function of the option noise_seed, the sensor, the time and nothing else, so that a
// simulation that is resumed from a saved state continues with the same numbers. Values that
// the application writes get no noise: it would accumulate.

#include "step/sensors.h"
#include "base/finite.h"
#include "base/random.h"

#include <math.h>
#include <string.h>

#include "sinew/math.h"
#include "step/pipeline.h"

// ------------------------------------------------------------------ noise and cutoff

static void add(double *v, const double *noise, int32_t n) {
  for (int32_t i = 0; i < n; i++) {
    v[i] += noise[i];
  }
}

// A negative number means that there is no reading.
static void noisy_positive(double *v, const double *noise, int32_t n) {
  for (int32_t i = 0; i < n; i++) {
    v[i] = v[i] < 0 ? v[i] : fmax(0, v[i] + noise[i]);
  }
}

static void noisy_axis(double *v, const double *noise, int32_t n) {
  add(v, noise, n);
  if (n == 3) {
    sn_normalize3(v);
  }
}

static void noisy_quaternion(double *v, const double *noise, int32_t n) {
  if (n == 4) {
    sn_integrate_quat(v, noise, 1);
  }
}

static void (*const noisy[])(double *v, const double *noise, int32_t n) = {
  [SN_DATA_REAL] = add,
  [SN_DATA_POSITIVE] = noisy_positive,
  [SN_DATA_AXIS] = noisy_axis,
  [SN_DATA_QUATERNION] = noisy_quaternion,
};

static void disturb(const sn_model *m, sn_data *d, si_worker *w, int32_t id) {
  double *v = d->sensordata + m->sensor_adr[id], sigma = m->sensor_noise[id];
  int32_t n = m->sensor_dim[id];
  uint64_t moment;
  memcpy(&moment, d->time, sizeof moment);
  si_mark mark = si_arena_mark(&w->scratch);
  double *noise = si_arena_reals(&w->scratch, n);
  si_random_service_table.normal((uint64_t)m->opt.noise_seed, (uint64_t)id, moment, n, noise);
  for (int32_t i = 0; i < n; i++) {
    noise[i] *= sigma;
  }
  noisy[m->sensor_datatype[id]](v, noise, n);
  si_arena_release(&w->scratch, mark);
}

static void cut(const sn_model *m, sn_data *d, int32_t id) {
  double *v = d->sensordata + m->sensor_adr[id], cutoff = m->sensor_cutoff[id];
  int32_t type = m->sensor_datatype[id];
  double low = type == SN_DATA_REAL ? -cutoff : -HUGE_VAL;
  if (type != SN_DATA_REAL && type != SN_DATA_POSITIVE) {
    return;
  }
  for (int32_t i = 0; i < m->sensor_dim[id]; i++) {
    v[i] = sn_clamp(v[i], low, cutoff);
  }
}

// ------------------------------------------------------------------ plugins

// The states of the sensors of one type: in place when they follow one another, else a copy.
static double *gather_states(const sn_model *m, sn_data *d, si_worker *w, const si_binding *b) {
  if (b->nstate == 0) {
    return NULL;
  }
  const int32_t first = b->id[0], last = b->id[b->n - 1];
  const int32_t begin = m->sensor_stateadr[first];
  if (m->sensor_stateadr[last] + si_sensor_states(m, last) == begin + b->nstate) {
    return d->sensor_state + begin;
  }
  double *state = si_arena_reals(&w->scratch, b->nstate), *to = state;
  for (int64_t i = 0; i < b->n; i++) {
    const int32_t n = si_sensor_states(m, b->id[i]);
    memcpy(to, d->sensor_state + m->sensor_stateadr[b->id[i]], (size_t)n * sizeof(double));
    to += n;
  }
  return state;
}

static void scatter_states(const sn_model *m, sn_data *d, const si_binding *b,
                           const double *state) {
  if (!state || state == d->sensor_state + m->sensor_stateadr[b->id[0]]) {
    return;
  }
  for (int64_t i = 0; i < b->n; i++) {
    const int32_t n = si_sensor_states(m, b->id[i]);
    memcpy(d->sensor_state + m->sensor_stateadr[b->id[i]], state, (size_t)n * sizeof(double));
    state += n;
  }
}

// Values that are not finite become zero, with a warning that names the plugin; of a simulation
// that has diverged itself there is nothing to tell.
static void check_values(const sn_model *m, sn_data *d, si_worker *w, const si_binding *b) {
  for (int64_t i = 0; i < b->n; i++) {
    double *value = d->sensordata + m->sensor_adr[b->id[i]];
    const int64_t n = m->sensor_dim[b->id[i]];
    if (si_all_finite(value, n)) {
      continue;
    }
    if (si_all_finite(d->qpos, m->nq) && si_all_finite(d->qvel, m->nv) &&
        si_all_finite(d->qacc, m->nv)) {
      si_worker_warn_result(w, b->provider, "evaluate", SN_OK, NULL, si_first_not_finite(value, n),
                            "the values of this sensor are set to zero");
    }
    memset(value, 0, (size_t)n * sizeof(double));
  }
}

static void declare_outputs(const sn_model *m, sn_data *d, si_worker *w, const si_binding *b,
                            double *state) {
  si_worker_output(w, "state", state, b->nstate * (int64_t)sizeof *state);
  for (int64_t i = 0; i < b->n; i++) {
    si_worker_output(w, "sensordata", d->sensordata + m->sensor_adr[b->id[i]],
                     m->sensor_dim[b->id[i]] * (int64_t)sizeof(double));
  }
}

static void evaluate(const sn_model *m, sn_data *d, si_worker *w, const si_binding *b) {
  const sn_sensor_ops *ops = b->provider->ops;
  if (b->needs & SI_HAS_BODY_FORCES) {
    si_need_body_forces(m, d, w);
  }
  if (b->needs & SI_HAS_SUBTREE) {
    si_need_subtree_velocities(m, d, w);
  }
  si_mark mark = si_arena_mark(&w->scratch);
  double *state = gather_states(m, d, w, b);
  if (w->checker) {
    declare_outputs(m, d, w, b, state);
  }
  const si_call call = si_worker_enter(w, b->provider, "evaluate");
  sn_status status = ops->evaluate(b->provider->self, b->bound, &d->view, state, d->sensordata,
                                   si_worker_lend(w));
  status = si_worker_leave(w, &call, status);
  scatter_states(m, d, b, state);
  si_arena_release(&w->scratch, mark);
  if (status < 0) {
    si_worker_warn_result(w, b->provider, "evaluate", status, NULL, NULL,
                          "its sensors may keep older values");
  }
  check_values(m, d, w, b);
}

static int is_standin(const si_binding *b) {
  return (((const sn_sensor_ops *)b->provider->ops)->head.flags & SN_OPS_WEAK) != 0;
}

sn_status si_sense(const sn_model *m, sn_data *d, si_worker *w, int stage) {
  const si_bindings *list = &m->bound.sensor[stage];
  if (list->n == 0 || m->opt.disableflags & SN_DISABLE_SENSOR) {
    return SN_OK;
  }
  int wanted = (m->opt.enableflags & SN_ENABLE_SENSORNOISE) != 0;
  for (int64_t k = 0; k < list->n; k++) {
    const si_binding *b = &list->at[k];
    int noise = wanted && !is_standin(b);
    evaluate(m, d, w, b);
    for (int64_t i = 0; i < b->n; i++) {
      if (noise && m->sensor_noise[b->id[i]] > 0) {
        disturb(m, d, w, b->id[i]);
      }
      if (m->sensor_cutoff[b->id[i]] > 0) {
        cut(m, d, b->id[i]);
      }
    }
  }
  return SN_OK;
}
