// SPDX-License-Identifier: Apache-2.0
//
// The thrust of a propeller that turns with the speed u (the control), near the ground z = 0:
//
//   thrust = c |u| u f(h)     so that     gain = c |u| f(h)
//
// h is the height of the hub, a site that the model names. The ground effect f is
//
//   formula   1 / (1 - (R / 4h)^2)   Cheeseman and Bennett, The effect of the ground on a
//                                    helicopter rotor in forward flight, ARC R&M 3021 (1955);
//                                    below h = R / 2 it is the value there, 4/3
//   table     measured factors at increasing heights, interpolated linearly, constant outside
//
// c is a number of the parameters of the gain. The rest are attributes: the name of a site, a text,
// numbers and arrays. `bind` gets their values and keeps what the steps need.

#include <math.h>
#include <stddef.h>

#include "sinew/actuator.h"
#include "sinew/instance.h"

enum { COEFFICIENT };                                      // of the parameters
enum { HUB, GROUND_EFFECT, RADIUS, HEIGHTS, FACTORS };     // attributes

typedef struct propeller {
  int32_t site;
  double radius;           // of the formula
  int64_t n;               // entries of the table; 0: the formula is used
  const double *height;    // n, ascending, m
  const double *factor;    // n
} propeller;

// In one block of memory: the struct, n propellers, and the numbers of all tables.
typedef struct propellers {
  sn_field site_xpos;
  propeller at[];
} propellers;

// ------------------------------------------------------------------ one model

static sn_status check_table(const void *self, const sn_value *values, sn_error *error) {
  const sn_value *h = &values[HEIGHTS], *f = &values[FACTORS];
  int ascending = 1;
  for (int64_t i = 1; i < h->n; i++) {
    ascending &= h->reals[i] > h->reals[i - 1];
  }
  return ascending && h->n == f->n
             ? SN_OK
             : sn_instance_fail(self, error, SN_EINVAL,
                                "propeller: heights must increase, and factors must be as many");
}

static int is_formula(const sn_actuator *actuator) {
  return strcmp(actuator->values[GROUND_EFFECT].text, "formula") == 0;
}

// Copies a table to `storage`, which is moved on.
static void keep_table(const sn_value *values, propeller *p, double **storage) {
  const size_t bytes = (size_t)values[HEIGHTS].n * sizeof(double);
  p->n = values[HEIGHTS].n;
  memcpy(*storage, values[HEIGHTS].reals, bytes);
  memcpy(*storage + p->n, values[FACTORS].reals, bytes);
  p->height = *storage;
  p->factor = *storage + p->n;
  *storage += 2 * p->n;
}

static sn_status propeller_bind(const void *self, const sn_model_view *model, int64_t n,
                                const sn_actuator *actuators, void **bound, sn_error *error) {
  sn_lookup l = sn_lookup_start(self, model, error);
  const sn_field site_xpos = sn_lookup_data(&l, "site_xpos");
  SN_TRY(l.status);
  size_t numbers = 0;
  for (int64_t i = 0; i < n; i++) {
    SN_TRY(check_table(self, actuators[i].values, error));
    numbers += 2 * (size_t)actuators[i].values[HEIGHTS].n;
  }
  const size_t head = sizeof(propellers) + (size_t)n * sizeof(propeller);
  propellers *p = sn_instance_alloc(self, head + numbers * sizeof(double), error);
  if (!p) {
    return SN_ENOMEM;
  }
  double *storage = (double *)(void *)((char *)p + head);
  p->site_xpos = site_xpos;
  for (int64_t i = 0; i < n; i++) {
    const sn_value *values = actuators[i].values;
    p->at[i] = (propeller){ .site = (int32_t)values[HUB].integer, .radius = values[RADIUS].real };
    if (!is_formula(&actuators[i])) {
      keep_table(values, &p->at[i], &storage);
    }
  }
  *bound = p;
  return SN_OK;
}

// ------------------------------------------------------------------ one step

static double formula(double radius, double height) {
  const double ratio = radius / (4 * fmax(height, radius / 2));
  return 1 / (1 - ratio * ratio);
}

static double interpolate(const propeller *p, double height) {
  int64_t k = 0;
  while (k < p->n && p->height[k] < height) {
    k++;
  }
  if (k == 0 || k == p->n) {
    return p->factor[k == 0 ? 0 : p->n - 1];
  }
  const double t = (height - p->height[k - 1]) / (p->height[k] - p->height[k - 1]);
  return p->factor[k - 1] + t * (p->factor[k] - p->factor[k - 1]);
}

static sn_status propeller_value(const void *self, const sn_actuators *b, double *out,
                                 sn_scratch *scratch) {
  (void)self;
  (void)scratch;
  const propellers *bound = b->bound;
  const double *xpos = sn_field_reals(b->data->fields, bound->site_xpos);
  for (int64_t i = 0; i < b->n; i++) {
    const propeller *p = &bound->at[i];
    const double height = xpos[3 * p->site + 2];
    const double effect = p->n > 0 ? interpolate(p, height) : formula(p->radius, height);
    out[i] = b->prm[i * SN_NACTPRM + COEFFICIENT] * fabs(b->ctrl[i * b->nctrl]) * effect;
  }
  return SN_OK;
}

// ------------------------------------------------------------------ the plugin

static const sn_param numbers[] = {
  { .name = "coefficient",
    .default_value = "1e-5",
    .type = SN_PARAM_REAL,
    .max = 1e9,
    .summary = "c of the thrust c |u| u, N s^2" },
  { .name = NULL },
};

static const sn_param attributes[] = {
  { .name = "hub",
    .choices = "site",
    .type = SN_PARAM_REFERENCE,
    .summary = "site whose height above z = 0 counts" },
  { .name = "ground_effect",
    .default_value = "table",
    .choices = "table|formula",
    .type = SN_PARAM_TEXT,
    .summary = "how the thrust depends on the height" },
  { .name = "radius",
    .default_value = "0.1",
    .type = SN_PARAM_REAL,
    .min = 1e-6,
    .max = 1e3,
    .summary = "R of the formula, m" },
  { .name = "heights",
    .default_value = "0",
    .type = SN_PARAM_REALS,
    .nmin = 1,
    .summary = "of the table, increasing, m" },
  { .name = "factors",
    .default_value = "1",
    .type = SN_PARAM_REALS,
    .nmin = 1,
    .summary = "of the table, one for each height" },
  { .name = NULL },
};

static const sn_force_ops ops = {
  .head = { .size = sizeof(sn_force_ops),
            .summary = "thrust of a propeller near the ground",
            .create = sn_instance_create,
            .destroy = sn_instance_destroy },
  .value = propeller_value,
  .numbers = numbers,
  .attributes = attributes,
  .bind = propeller_bind,
  .unbind = sn_instance_unbind,
};

static const sn_provide provides[] = {
  SN_PROVIDE_GAIN("propeller", &ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "org.example.propeller", .version = "1.0", .license = "Apache-2.0",
          .summary = "a propeller near the ground", .provides = provides)
