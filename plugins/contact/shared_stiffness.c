// SPDX-License-Identifier: Apache-2.0
//
// Stiffness of a pair of geoms that does not depend on how many contact points it has. Each contact
// point of the soft contact model is a spring with the regularization R = (1 - d) / d A of its
// impedance d, so n points carry a load with 1/n of the depth. Here R is that of one point times
// n / points:
//
//   d' / (1 - d') = d / (1 - d)  points / n
//
// and solref changes with it, so that the reference acceleration -b v - k d r stays:
//
//   b = 2 / (dmax timeconst)               timeconst' = timeconst  dmax / dmax'
//   k = 1 / (dmax timeconst dampratio)^2   dampratio' = dampratio  sqrt(dmax' / dmax)
//
// n is the participation ratio of the depths w of the points, (sum w)^2 / sum w^2: their number if
// they are equally deep. A point that has only just touched counts for nothing yet, so that forces
// do not jump when it joins.

#include <math.h>
#include <stddef.h>

#include "modifiers.h"

enum { GEOM, POINTS };   // attributes

typedef struct sharing {
  int32_t geom;   // -1: all
  int32_t reserved;
  double points;
} sharing;

static sn_status sharing_bind(const void *self, const sn_model_view *model, const sn_value *values,
                              void **bound, sn_error *error) {
  (void)model;
  const sharing s = { .geom = (int32_t)values[GEOM].integer, .points = values[POINTS].real };
  return sn_instance_keep(self, &s, sizeof s, bound, error);
}

// How many contact points of a pair carry, between 1 and their number: those from `begin` to `end`.
static double participation(const sn_contacts *contacts, int64_t begin, int64_t end) {
  double sum = 0, squares = 0;
  for (int64_t i = begin; i < end; i++) {
    const double depth = fmax(0, contacts->margin[i] - contacts->dist[i]);
    sum += depth;
    squares += depth * depth;
  }
  return squares > 0 ? sum * sum / squares : 1;
}

static double soften(double impedance, double ratio) {
  const double d = sn_clamp(impedance, 1e-4, 0.9999);   // as rows are made
  return d * ratio / (d * ratio + 1 - d);
}

// ratio: points / n.
static void share(double *solref, double *solimp, double ratio) {
  const double before = solimp[1];
  solimp[0] = soften(solimp[0], ratio);
  solimp[1] = soften(solimp[1], ratio);
  const double change = solimp[1] / sn_clamp(before, 1e-4, 0.9999);
  if (solref[0] > 0) {
    solref[0] /= change;
    solref[1] *= sqrt(change);
  } else {   // stiffness and damping
    solref[0] *= change;
    solref[1] *= change;
  }
}

static sn_status sharing_modify(const void *self, const void *bound, const sn_data_view *data,
                                sn_contacts *contacts, sn_scratch *scratch) {
  const sharing *s = bound;
  (void)self, (void)data, (void)scratch;
  for (int64_t begin = 0, end; begin < contacts->n; begin = end) {
    for (end = begin + 1; end < contacts->n && contacts->geom1[end] == contacts->geom1[begin] &&
                          contacts->geom2[end] == contacts->geom2[begin];) {
      end++;
    }
    if (s->geom >= 0 && modifier_side(contacts, begin, s->geom) == 0) {
      continue;
    }
    const double ratio = s->points / participation(contacts, begin, end);
    for (int64_t i = begin; i < end; i++) {
      share(contacts->solref + 2 * i, contacts->solimp + 5 * i, ratio);
    }
  }
  return SN_OK;
}

static const sn_param attributes[] = {
  { .name = "geom",
    .default_value = "",
    .choices = "geom",
    .type = SN_PARAM_REFERENCE,
    .summary = "geom whose contacts are changed; empty: all contacts" },
  { .name = "points",
    .default_value = "1",
    .type = SN_PARAM_REAL,
    .min = 1e-3,
    .max = 1e3,
    .summary = "number of contact points whose joint stiffness a pair of geoms has" },
  { .name = NULL },
};

const sn_contact_ops shared_stiffness_ops = {
  .head = { .size = sizeof(sn_contact_ops),
            .flags = SN_CONTACT_NAMED,
            .summary = "stiffness of a pair of geoms whatever its number of contact points",
            .create = sn_instance_create,
            .destroy = sn_instance_destroy },
  .attributes = attributes,
  .bind = sharing_bind,
  .unbind = sn_instance_unbind,
  .modify = sharing_modify,
};
