// SPDX-License-Identifier: Apache-2.0
//
// Divergence: positions, velocities or accelerations that are not finite or larger than any
// simulation means. As documented, a warning is counted and the state is reset.

#include <string.h>

#include "pipeline/pipeline.h"

static const double largest = 1e10;

// Index of the first bad number, -1 when all are good.
static int64_t first_bad(const double *x, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    if (!(x[i] > -largest && x[i] < largest)) {
      return i;
    }
  }
  return -1;
}

static int check(const sn_model *m, sn_data *d, const double *x, int64_t n, int32_t warning) {
  int64_t bad = first_bad(x, n);
  if (bad < 0) {
    return 0;
  }
  sn_data_warn(d, warning,
               "element %lld is %g; the simulation was reset. A smaller timestep, "
               "softer contacts or more damping may help",
               (long long)bad, x[bad]);
  int64_t counts[SN_NWARNINGS], total = d->nwarning;
  memcpy(counts, d->warning, sizeof counts);
  sn_reset(m, d);
  memcpy(d->warning, counts, sizeof counts);
  d->nwarning = total;
  sn_fail(&d->error, SN_EDIVERGED, "%s; the simulation was reset", sn_warning_name(warning));
  return 1;
}

int sn_check_state(const sn_model *m, sn_data *d) {
  return check(m, d, d->qpos, m->nq, SN_WARN_BADQPOS) ||
         check(m, d, d->qvel, m->nv, SN_WARN_BADQVEL);
}

int sn_check_acceleration(const sn_model *m, sn_data *d) {
  return check(m, d, d->qacc, m->nv, SN_WARN_BADQACC);
}
