// SPDX-License-Identifier: Apache-2.0
//
// Tests a type of sensors, bound to several objects of the kit's world, sensors included: each
// sensor writes its own values and no others, which do not depend on what a later stage computes; a
// state may be evaluated twice at the same time.

#include "sinew/sensor.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"

enum {
  MOST_WORDS = 24,
  STATES = 5,
  MOST_SENSORS = 72,
  OF_A_KIND = 3,
  OPEN_DIM = 2,
  GAP = 3,
  LARGEST = 1 << 16
};
static const double unit_tolerance = 1e-9;   // of the length of an axis or a quaternion
static const double foreign = -8.125e37;     // the values of other sensors

typedef struct findings {
  kit_calls calls;
  int sensors, bound, silent, mixed_sizes;
  int64_t states;
  char sizes[160], own[160], finite[128], unit[160], stage[160], twice[96];
} findings;

typedef struct bound_type {
  const void *bound;
  int n;
  sn_sensor sensor[MOST_SENSORS];
  int64_t nstate, nvalue;   // of all sensors; values with those of other sensors before and between
  double *state, *values;   // before the call; first those of the sensors of the model
} bound_type;

__attribute__((format(printf, 2, 3))) static void find(char (*text)[160], const char *format, ...) {
  va_list list;
  if (**text) {
    return;
  }
  va_start(list, format);
  vsnprintf(*text, sizeof *text, format, list);
  va_end(list);
}

// ------------------------------------------------------------------ the sensors

// Sizes of a sensor, where its values and its state are. False: they are impossible.
static int set_sizes(kit *k, const kit_world *w, sn_sensor *s, bound_type *b, findings *f) {
  const sn_sensor_ops *ops = k->provider->ops;
  int32_t dim[2], nstate[2] = { 0 };
  sn_error *error = sn_error_new();
  sn_status status = SN_OK;
  for (int i = 0; i < 2; i++) {
    dim[i] = ops->dim == 0 && !ops->sizes ? OPEN_DIM : ops->dim;
    if (ops->sizes && status >= 0) {
      status = KIT_CALL(ops, sizes)(k->self, &w->model_view, s, &dim[i], &nstate[i], error);
    }
  }
  f->silent |= status < 0 && !*sn_error_message(error);
  sn_error_free(error);
  if (status < 0) {
    return 0;   // not a sensor of this type
  }
  if (dim[0] != dim[1] || nstate[0] != nstate[1]) {
    find(&f->sizes, "called twice, sizes gives %d values and %d state variables, then %d and %d",
         dim[0], nstate[0], dim[1], nstate[1]);
  } else if (dim[0] < 1 || (ops->dim > 0 && dim[0] != ops->dim) || nstate[0] < 0 ||
             dim[0] > LARGEST || nstate[0] > LARGEST) {
    find(&f->sizes,
         "sizes gives %d values and %d state variables; `dim` of the table is %d, and each number "
         "is at most %d here",
         dim[0], nstate[0], ops->dim, LARGEST);
  }
  if (*f->sizes) {
    return 0;
  }
  s->dim = dim[0];
  s->nstate = nstate[0];
  s->adr = (int32_t)b->nvalue + GAP;
  s->stateadr = (int32_t)b->nstate;
  return 1;
}

static void add_sensor(kit *k, const kit_world *w, sn_sensor s, bound_type *b, findings *f) {
  const sn_sensor_ops *ops = k->provider->ops;
  sn_error *error = sn_error_new();
  s.id = (int32_t)snm_nsensor(w->model) + b->n;
  if (b->n < MOST_SENSORS && set_sizes(k, w, &s, b, f)) {
    const sn_status status = ops->check ? KIT_CALL(ops, check)(k->self, &w->model_view, &s, error)
                                        : SN_OK;
    f->silent |= status < 0 && !*sn_error_message(error);
    if (status >= 0) {
      b->sensor[b->n++] = s;
      b->nvalue = s.adr + s.dim;
      b->nstate += s.nstate;
    }
  }
  sn_error_free(error);
}

// The word of the list "a|b|c" at a place; NULL: there are fewer. Texts of the static table live
// on.
static const char *word_at(const char *list, int place, char *word, size_t capacity) {
  for (; list && *list; place--) {
    const size_t n = strcspn(list, "|");
    if (place == 0) {
      snprintf(word, capacity, "%.*s", (int)n, list);
      return word;
    }
    list += n + (list[n] == '|');
  }
  return NULL;
}

typedef struct words {
  char object[MOST_WORDS][16], reference[MOST_WORDS][16];
  int nobject, nreference;
} words;

static void read_words(const sn_sensor_ops *ops, words *out) {
  *out = (words){ .nobject = 0 };
  while (out->nobject < MOST_WORDS &&
         word_at(ops->objects, out->nobject, out->object[out->nobject], 16)) {
    out->nobject++;
  }
  while (out->nreference < MOST_WORDS &&
         word_at(ops->references, out->nreference, out->reference[out->nreference], 16)) {
    out->nreference++;
  }
}

static void refer(const kit_world *w, const words *of, int kind, sn_sensor *s) {
  s->reftype = of->reference[kind % of->nreference];
  s->refid = *sn_name(w->model, s->reftype, 2) ? 2 : 0;
}

// Sensors on some objects of each kind. The second one of them has a reference, and so have all if
// the type requires one.
static void add_sensors(kit *k, const kit_world *w, const words *of, const sn_value *values,
                        bound_type *b, findings *f) {
  b->nvalue = snm_nsensordata(w->model);
  if (of->nobject == 0) {
    add_sensor(k, w, (sn_sensor){ .objid = -1, .refid = -1, .values = values }, b, f);
    add_sensor(k, w, (sn_sensor){ .objid = -1, .refid = -1, .values = values }, b, f);
  }
  for (int kind = 0; kind < of->nobject; kind++) {
    const char *type = of->object[kind];
    const int32_t first = strstr(type, "body") != NULL;   // not the world
    int found = 0;
    for (int32_t id = first; found < OF_A_KIND && *sn_name(w->model, type, id); id++) {
      sn_sensor s = { .objid = id, .refid = -1, .objtype = type, .values = values };
      const int before = b->n;
      if (of->nreference > 0 && found == 1) {
        refer(w, of, kind, &s);
      }
      add_sensor(k, w, s, b, f);
      if (of->nreference > 0 && b->n == before && s.refid < 0) {
        refer(w, of, kind, &s);
        add_sensor(k, w, s, b, f);
      }
      found += b->n > before;
    }
  }
  b->nvalue += GAP;
}

// ------------------------------------------------------------------ calls

enum { VALUES, STATE };

static sn_status run_evaluate(const kit_call *call, sn_scratch *scratch) {
  const sn_sensor_ops *ops = call->kit->provider->ops;
  const bound_type *b = call->context;
  return KIT_CALL(ops, evaluate)(call->kit->self, b->bound, &call->world->data_view,
                                 call->output[STATE].memory, call->output[VALUES].memory, scratch);
}

static sn_status run_reset(const kit_call *call, sn_scratch *scratch) {
  const sn_sensor_ops *ops = call->kit->provider->ops;
  const bound_type *b = call->context;
  (void)scratch;
  return KIT_CALL(ops, reset)(call->kit->self, b->bound, &call->world->data_view,
                              call->output[0].memory);
}

static kit_call evaluate(const kit_world *w, const bound_type *b, const double *state) {
  memcpy(b->values, snd_sensordata(w->data), (size_t)snm_nsensordata(w->model) * sizeof(double));
  return (kit_call){ .operation = "evaluate",
                     .run = run_evaluate,
                     .context = b,
                     .world = w,
                     .noutput = 2,
                     .output = { [VALUES] = { "sensordata", 8 * b->nvalue, b->values, NULL },
                                 [STATE] = { "state", 8 * b->nstate, state, NULL } } };
}

static void test_reset(kit *k, const kit_world *w, bound_type *b, findings *f) {
  kit_call call = { .operation = "reset",
                    .run = run_reset,
                    .context = b,
                    .world = w,
                    .noutput = 1,
                    .output = { { "state", 8 * b->nstate, b->state, NULL } } };
  if (kit_calls_make(k, &f->calls, &call)) {
    memcpy(b->state, call.output[0].memory, (size_t)(8 * b->nstate));
  }
  kit_call_free(&call);
}

// ------------------------------------------------------------------ values

static void check_unit(const sn_sensor_ops *ops, const sn_sensor *s, const double *x, findings *f) {
  const int is_axis = ops->datatype == SN_DATA_AXIS;
  double square = 0;
  if (!is_axis && ops->datatype != SN_DATA_QUATERNION) {
    return;
  }
  for (int32_t i = 0; i < s->dim; i++) {
    square += x[i] * x[i];
  }
  if (s->dim != (is_axis ? 3 : 4) || !(fabs(sqrt(square) - 1) <= unit_tolerance)) {
    find(&f->unit, "a sensor of %s has %d values of length %.9g; it needs %d of length 1",
         is_axis ? "SN_DATA_AXIS" : "SN_DATA_QUATERNION", s->dim, sqrt(square), is_axis ? 3 : 4);
  }
}

// Which sensor has this number of sensordata; -1: another type.
static int owner(const bound_type *b, int64_t at) {
  for (int i = 0; i < b->n; i++) {
    if (at >= b->sensor[i].adr && at < b->sensor[i].adr + b->sensor[i].dim) {
      return i;
    }
  }
  return -1;
}

static void check_values(const kit *k, const bound_type *b, const double *values, findings *f) {
  const sn_sensor_ops *ops = k->provider->ops;
  // perhaps written by an application
  const int is_open = (ops->dim == 0 && !ops->sizes) || ops->head.flags & SN_OPS_WEAK;
  for (int64_t i = 0; i < b->nvalue; i++) {
    const int at = owner(b, i);
    const int written = values[i] != b->values[i];
    if (at < 0 && written) {
      find(&f->own, "evaluate writes sensordata[%lld], a value of another sensor", (long long)i);
    } else if (at >= 0 && !written && !is_open) {
      find(&f->own, "evaluate does not write value %lld of a sensor of %d values",
           (long long)(i - b->sensor[at].adr), b->sensor[at].dim);
    } else if (at >= 0 && !isfinite(values[i])) {
      snprintf(f->finite, sizeof f->finite,
               "evaluate writes %g to value %lld of a sensor of %d values; it must be finite",
               values[i], (long long)(i - b->sensor[at].adr), b->sensor[at].dim);
    }
  }
  for (int i = 0; i < b->n && !is_open; i++) {
    check_unit(ops, &b->sensor[i], values + b->sensor[i].adr, f);
  }
}

// Whether a call gives the same values (and state) as another.
static int same(const kit_call *a, const kit_call *b) {
  return memcmp(a->output[VALUES].memory, b->output[VALUES].memory,
                (size_t)a->output[VALUES].bytes) == 0 &&
         memcmp(a->output[STATE].memory, b->output[STATE].memory, (size_t)a->output[STATE].bytes) ==
             0;
}

// What the stages after that of the sensor compute is changed.
static void test_stage(kit *k, kit_world *w, const bound_type *b, const kit_call *first,
                       findings *f) {
  const sn_sensor_ops *ops = k->provider->ops;
  kit_call later = evaluate(w, b, b->state);
  if (ops->stage == SN_STAGE_POSITION) {
    kit_world_push(k, w);
  } else {
    kit_world_pull(k, w);
  }
  if (kit_calls_make(k, &f->calls, &later) && !same(first, &later)) {
    find(&f->stage, ops->stage == SN_STAGE_POSITION
                        ? "its stage is SN_STAGE_POSITION, but it depends on velocities or controls"
                        : "its stage is SN_STAGE_VELOCITY, but it depends on controls");
  }
  kit_call_free(&later);
}

static void test_state(kit *k, kit_world *w, bound_type *b, findings *f) {
  const sn_sensor_ops *ops = k->provider->ops;
  kit_call first = evaluate(w, b, b->state);
  if (kit_calls_make(k, &f->calls, &first)) {
    const double *state = first.output[STATE].memory;
    kit_call again = evaluate(w, b, state);
    check_values(k, b, first.output[VALUES].memory, f);
    if (kit_judge_finite("evaluate", "state", state, b->nstate, f->finite, sizeof f->finite) &&
        b->nstate > 0 && kit_calls_make(k, &f->calls, &again) && !same(&first, &again)) {
      snprintf(f->twice, sizeof f->twice,
               "evaluate, called again at the same time with its new state, gives another result");
    }
    kit_call_free(&again);
    if (ops->stage != SN_STAGE_ACCELERATION && !*f->calls.failure[KIT_REPEAT]) {
      test_stage(k, w, b, &first, f);
    }
    memcpy(b->state, state, (size_t)(8 * b->nstate));
  }
  kit_call_free(&first);
}

// ------------------------------------------------------------------ tests

static void test_bound(kit *k, kit_world *w, bound_type *b, findings *f) {
  const sn_sensor_ops *ops = k->provider->ops;
  b->state = calloc((size_t)(b->nstate + b->nvalue), sizeof *b->state);
  b->values = b->state + b->nstate;
  if (!b->state) {
    return;
  }
  for (int64_t i = 0; i < b->nvalue; i++) {
    b->values[i] = foreign;
  }
  if (ops->reset && b->nstate > 0) {
    test_reset(k, w, b, f);
  }
  for (int i = 0; i < STATES; i++) {
    kit_world_move(k, w);
    test_state(k, w, b, f);
  }
  free(b->state);
}

static void test_way(kit *k, kit_world *w, const kit_attributes *a, findings *f) {
  const sn_sensor_ops *ops = k->provider->ops;
  bound_type b = { .n = 0 };
  words of;
  void *bound = NULL;
  sn_error *error = sn_error_new();
  read_words(ops, &of);
  add_sensors(k, w, &of, a->values, &b, f);
  const sn_status status = b.n == 0 ? SN_ENOTFOUND
                                    : KIT_CALL(ops, bind)(k->self, &w->model_view, b.n, b.sensor,
                                                          &bound, error);
  f->silent |= b.n > 0 && status < 0 && !*sn_error_message(error);
  if (status >= 0) {
    b.bound = bound;
    f->bound++;
    f->sensors += b.n;
    f->states = b.nstate > f->states ? b.nstate : f->states;
    test_bound(k, w, &b, f);
    KIT_CALL(ops, unbind)(k->self, bound);
  }
  sn_error_free(error);
}

static void report(kit *k, const findings *f) {
  kit_check(k, "values", !*f->own, "%s",
            *f->own ? f->own : "each sensor writes its own values and no others");
  kit_check(k, "finite", !*f->finite, "%s", *f->finite ? f->finite : "all numbers are finite");
  kit_check(k, "unit length", !*f->unit, "%s",
            *f->unit ? f->unit : "axes and quaternions have length 1");
  kit_check(k, "stage", !*f->stage, "%s",
            *f->stage ? f->stage : "the values do not depend on what a later stage computes");
  if (f->states > 0) {
    kit_check(k, "evaluated twice", !*f->twice, "%s",
              *f->twice ? f->twice
                        : "called again at the same time, it gives the same values and state");
  }
  kit_calls_report(k, &f->calls);
}

void kit_sensor(kit *k) {
  const sn_sensor_ops *ops = k->provider->ops;
  findings f = { .sensors = 0 };
  kit_world w;
  kit_attributes a;
  sn_error *error = sn_error_new();
  if (!ops->bind || !ops->unbind || !ops->evaluate) {
    kit_report(k, "operations", KIT_FAILED, "bind, unbind or evaluate is missing");
  } else if (!kit_world_new(k, &w, NULL, error)) {
    kit_report(k, "bind", KIT_FAILED, "the model of the kit: %s", sn_error_message(error));
    kit_world_free(&w);
  } else {
    for (int way = 0; way < KIT_NWAYS; way++) {
      if (kit_attributes_set(k, &w, ops->attributes, way, &a)) {
        test_way(k, &w, &a, &f);
      }
    }
    kit_world_free(&w);
    kit_check(k, "sizes", !*f.sizes, "%s", *f.sizes ? f.sizes : "valid, and the same in two calls");
    kit_check(k, "rejections", !f.silent, "%s",
              f.silent ? "sizes, check or bind rejects a sensor without a message"
                       : "each rejection of a sensor has a message");
    if (f.bound > 0) {
      report(k, &f);
    } else if (!*f.sizes && !f.silent) {
      kit_report(k, "bind", KIT_SKIPPED, "it accepts no object of the model of the kit");
    }
  }
  sn_error_free(error);
}
