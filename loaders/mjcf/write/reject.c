// SPDX-License-Identifier: Apache-2.0
//
// Saving: contact pairs and servos that the format cannot express; they are rejected.

#include <math.h>
#include <stdio.h>

#include "mjcf/write/write.h"

// A number that a pair of the file omits is that of default geoms; one that a pair of the spec
// omits is mixed from its two geoms, which the format cannot express. The first unset number, or
// NULL.
static const char *unset_of(const sn_pair_def *pair) {
  const struct {
    const char *name;
    const double *value;
    int n;
  } lists[] = { { "friction", pair->friction, 5 },
                { "solref", pair->solref, 2 },
                { "solimp", pair->solimp, 5 },
                { "margin", &pair->margin, 1 },
                { "gap", &pair->gap, 1 } };
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
    for (int k = 0; k < lists[i].n; k++) {
      if (isnan(lists[i].value[k])) {
        return lists[i].name;
      }
    }
  }
  return pair->condim == 0 ? "condim" : NULL;
}

sn_status mjcf_check_pairs(mjcf_writer *w) {
  for (int32_t i = 0; i < (int32_t)w->b->count(w->spec, "pair"); i++) {
    sn_pair_def pair;
    sn_default_pair(&pair);
    SN_TRY(w->b->get_pair(w->spec, i, &pair, w->error));
    const char *unset = unset_of(&pair);
    if (unset) {
      char text[640];
      snprintf(
          text, sizeof text,
          "pair '%.100s' (%d) of the geoms '%.100s' and '%.100s' leaves its %s unset, to be "
          "computed from the two geoms, which MJCF cannot express; set condim, friction, solref, "
          "solimp, margin and gap of the pair",
          pair.name ? pair.name : "", i, pair.geom1 ? pair.geom1 : "", pair.geom2 ? pair.geom2 : "",
          unset);
      return w->b->host->error(w->b->host, w->error, SN_EUNSUPPORTED, NULL, 0, 0, text);
    }
  }
  return SN_OK;
}

sn_status mjcf_reject_servo(mjcf_writer *w, int32_t id, const char *name) {
  char text[640];
  sn_location location = { NULL, 0, 0 };
  if (w->b->get_location) {
    w->b->get_location(w->spec, "actuator", id, &location);
  }
  snprintf(text, sizeof text,
           "actuator '%.100s' (%d): MJCF cannot express a damping ratio or an inherited range for "
           "actuators other than position and intvelocity (gain kp; bias 0, -kp and 0); set the "
           "compiled values instead: biasprm, ctrlrange, actrange",
           name ? name : "", id);
  return w->b->host->error(w->b->host, w->error, SN_EUNSUPPORTED, location.file, location.line,
                           location.column, text);
}
