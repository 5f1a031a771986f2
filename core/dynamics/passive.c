// SPDX-License-Identifier: Apache-2.0
//
// Forces that depend on position and velocity alone: the sum of what the bound plugins add, in
// the order of registration.

#include <math.h>
#include <string.h>

#include "dynamics/dynamics.h"
#include "host/finite.h"

static sn_status apply(const sn_binding *b, sn_data *d) {
  const sn_passive_ops *ops = b->provider->ops;
  sn_mark mark = sn_arena_mark(&d->scratch);
  sn_status status = ops->apply(b->provider->self, b->bound, &d->view, d->qfrc_passive,
                                sn_data_lend(d, b->provider));
  sn_data_watch(d, b->provider);
  sn_arena_release(&d->scratch, mark);
  return status;
}

static int apply_all(const sn_model *m, sn_data *d) {
  memset(d->qfrc_passive, 0, (size_t)m->nv * sizeof(double));
  int good = 1;
  for (int64_t k = 0; k < m->bound.passive.n; k++) {
    good &= apply(&m->bound.passive.at[k], d) >= 0;
  }
  return good && sn_all_finite(d->qfrc_passive, m->nv);
}

// Once more, one at a time: nonsense is taken back, with a warning that names the plugin.
static void apply_good(const sn_model *m, sn_data *d) {
  size_t bytes = (size_t)m->nv * sizeof(double);
  sn_mark mark = sn_arena_mark(&d->scratch);
  double *before = sn_arena_reals(&d->scratch, m->nv);
  memset(d->qfrc_passive, 0, bytes);
  for (int64_t k = 0; k < m->bound.passive.n; k++) {
    const sn_binding *b = &m->bound.passive.at[k];
    memcpy(before, d->qfrc_passive, bytes);
    sn_status status = apply(b, d);
    if (status < 0 || !sn_all_finite(d->qfrc_passive, m->nv)) {
      sn_data_warn(d, SN_WARN_PLUGIN, "the passive force '%s' %s", b->provider->name,
                   status < 0 ? "failed" : "is not finite");
      memcpy(d->qfrc_passive, before, bytes);
    }
  }
  sn_arena_release(&d->scratch, mark);
}

sn_status sn_dyn_passive(const sn_model *m, sn_data *d) {
  if (m->nv == 0) {
    return SN_OK;
  }
  if (m->bound.passive.n == 0 || m->opt.disableflags & SN_DISABLE_PASSIVE) {
    memset(d->qfrc_passive, 0, (size_t)m->nv * sizeof(double));
  } else if (!apply_all(m, d)) {
    apply_good(m, d);
  }
  return SN_OK;
}
