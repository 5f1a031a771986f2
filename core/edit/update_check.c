// SPDX-License-Identifier: Apache-2.0
//
// After edits of a model went back into a spec: do they come out of it again? Three models are
// compared, what the spec made before (fresh), the edited one, and what the spec makes now (again).
// Every real number in which the edited one differs from the fresh one must be in the new one. What
// follows from other numbers is left out: programs update it, they do not edit it.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "edit/update.h"
#include "model/field_rules.h"

// index: of the field
static int is_compared(int64_t index, const sn_view *view) {
  return view->type == SN_REAL && view->rows * view->cols > 0 &&
         si_model_field_rules[index].kind != SI_RULE_DERIVED;
}

int si_update_edited(const update *u) {
  sn_view was = { .size = sizeof was }, now = { .size = sizeof now };
  for (int64_t i = 0; sn_model_field_at(u->fresh, i, &was); i++) {
    sn_model_field_at(u->m, i, &now);
    if (is_compared(i, &was) &&
        memcmp(was.p, now.p, (size_t)(was.rows * was.cols) * sizeof(double)) != 0) {
      return 1;
    }
  }
  return 0;
}

// ------------------------------------------------------------------ rows

// The first edited number of a row that does not come back; -1: none. What counts as the same is
// rounding, of the numbers and of what was done to them.
static int64_t lost_in(const double *was, const double *now, const double *again, int64_t n) {
  const double rounding = 1e-9, share = 1e-6;
  double size = 0, change = 0;
  for (int64_t i = 0; i < n; i++) {
    size = fmax(size, fabs(now[i]));
    change = fmax(change, fabs(now[i] - was[i]));
  }
  for (int64_t i = 0; i < n; i++) {
    if (now[i] != was[i] && now[i] != again[i] &&
        !(fabs(again[i] - now[i]) <= rounding * size + share * change)) {
      return i;
    }
  }
  return -1;
}

// The kind of element whose fields have this prefix.
static const struct {
  const char *prefix;
  int32_t kind;
} owners[] = {
  { "body_", SI_ELEMENT_body },         { "jnt_", SI_ELEMENT_joint },
  { "geom_", SI_ELEMENT_geom },         { "site_", SI_ELEMENT_site },
  { "cam_", SI_ELEMENT_camera },        { "light_", SI_ELEMENT_light },
  { "mat_", SI_ELEMENT_material },      { "pair_", SI_ELEMENT_pair },
  { "eq_", SI_ELEMENT_equality },       { "tendon_", SI_ELEMENT_tendon },
  { "actuator_", SI_ELEMENT_actuator }, { "sensor_", SI_ELEMENT_sensor },
  { "key_", SI_ELEMENT_key },
};

static sn_status blame(const update *u, const char *field, int64_t row, const char *change) {
  for (size_t i = 0; i < sizeof owners / sizeof owners[0]; i++) {
    const int32_t kind = owners[i].kind;
    if (strncmp(field, owners[i].prefix, strlen(owners[i].prefix)) == 0 &&
        row < u->number[kind].n) {
      const int32_t id = u->number[kind].spec[row];
      char what[256];
      return si_fail_at(u->error, SN_EUNSUPPORTED, &u->spec->list[kind].at[id].location,
                        "%s: %s %s", si_element_title(u->spec, kind, id, what, sizeof what), field,
                        change);
    }
  }
  return si_fail(u->error, SN_EUNSUPPORTED, "row %lld of %s %s", (long long)row, field, change);
}

sn_status si_spec_update_check(const update *u, const sn_model *again) {
  sn_view was = { .size = sizeof was }, now = { .size = sizeof now },
          then = { .size = sizeof then };
  for (int64_t i = 0; sn_model_field_at(u->fresh, i, &was); i++) {
    if (!sn_model_field_at(u->m, i, &now) || !sn_model_field_at(again, i, &then) ||
        !is_compared(i, &was)) {
      continue;
    }
    const double *a = was.p, *b = now.p, *c = then.p;
    for (int64_t row = 0; row < was.rows; row++) {
      const int64_t at = row * was.cols, k = lost_in(a + at, b + at, c + at, was.cols);
      if (k >= 0) {
        char change[256];
        const char *source = si_model_field_source((int32_t)i);
        snprintf(
            change, sizeof change,
            "[%lld] was edited from %.9g to %.9g, which the spec cannot express: recompiled, it "
            "would be %.9g; edit %s%s",
            (long long)k, a[at + k], b[at + k], c[at + k],
            source ? source : "the quantities that it is computed from",
            source ? "" : ", and use quaternions and axes of unit length");
        return blame(u, was.name, row, change);
      }
    }
  }
  return SN_OK;
}
