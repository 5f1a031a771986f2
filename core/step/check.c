// SPDX-License-Identifier: Apache-2.0
//
// Divergence: positions, velocities or accelerations that are not finite or exceed 1e10, a time
// or a pose of a mocap body that is not finite. As documented, a warning is counted and the state
// is reset; in functions that do not reset, the number is an error.

#include <math.h>
#include <string.h>

#include "base/finite.h"
#include "data/address.h"
#include "step/pipeline.h"

enum { PLACE = 192 };   // bytes of a name such as "qacc[3] of joint 'knee'"

// Index of the first number that is not within the limit, -1 when all are.
static inline int64_t first_bad(const double *x, int64_t n, double limit) {
  for (int64_t i = 0; i < n; i++) {
    if (!(fabs(x[i]) < limit)) {
      return i;
    }
  }
  return -1;
}

// x: the bad number.
static const char *reset(const sn_model *m, sn_data *d, si_worker *w, const double *x,
                         int32_t warning) {
  char place[PLACE];
  si_data_address_name(m, d, (const uint8_t *)x, place, sizeof place);
  // before the first step, a program or a keyframe has set the number
  const char *cure = d->time[0] > 0 || warning == SN_WARN_BADQACC
                         ? "A smaller timestep, softer contacts or more damping may help"
                         : "Set it to a number between -1e10 and 1e10";
  si_worker_warn(w, warning, "%s is %.3g; the %s. %s", place, *x,
                 d->ends ? "rollout ends here" : "simulation was reset", cure);
  si_data_merge(d);
  int64_t counts[SN_NWARNINGS], total = d->nwarning;
  memcpy(counts, d->warning, sizeof counts);
  si_keep_applied(m, d, w);
  si_data_reset(m, d);
  memcpy(d->warning, counts, sizeof counts);
  d->nwarning = total;
  return sn_data_warning_name(warning);
}

static inline const char *check(const sn_model *m, sn_data *d, si_worker *w, const double *x,
                                int64_t n, double limit, int32_t warning) {
  const int64_t bad = first_bad(x, n, limit);
  return bad < 0 ? NULL : reset(m, d, w, x + bad, warning);
}

// After a reset all is good, so that at most one is reported.
const char *si_check_state(const sn_model *m, sn_data *d, si_worker *w) {
  const char *bad = check(m, d, w, d->time, 1, HUGE_VAL, SN_WARN_BADTIME);
  bad = bad ? bad : check(m, d, w, d->qpos, m->nq, SI_LARGEST, SN_WARN_BADQPOS);
  bad = bad ? bad : check(m, d, w, d->mocap_pos, 3 * m->nmocap, HUGE_VAL, SN_WARN_BADQPOS);
  bad = bad ? bad : check(m, d, w, d->mocap_quat, 4 * m->nmocap, HUGE_VAL, SN_WARN_BADQPOS);
  return bad ? bad : check(m, d, w, d->qvel, m->nv, SI_LARGEST, SN_WARN_BADQVEL);
}

const char *si_check_acceleration(const sn_model *m, sn_data *d, si_worker *w) {
  return check(m, d, w, d->qacc, m->nv, SI_LARGEST, SN_WARN_BADQACC);
}

// ------------------------------------------------------------------ an error instead

static sn_status reject(const sn_model *m, const sn_data *d, si_worker *w, const double *x,
                        int64_t n, double limit) {
  int64_t bad = first_bad(x, n, limit);
  if (bad < 0) {
    return SN_OK;
  }
  char place[PLACE];
  si_data_address_name(m, d, (const uint8_t *)(x + bad), place, sizeof place);
  return si_fail(&w->error, SN_EDIVERGED,
                 "%s is %g: the derivatives of a step do not exist in this state", place, x[bad]);
}

sn_status si_reject_state(const sn_model *m, sn_data *d, si_worker *w) {
  SN_TRY(reject(m, d, w, d->time, 1, HUGE_VAL));
  SN_TRY(reject(m, d, w, d->qpos, m->nq, SI_LARGEST));
  SN_TRY(reject(m, d, w, d->mocap_pos, 3 * m->nmocap, HUGE_VAL));
  SN_TRY(reject(m, d, w, d->mocap_quat, 4 * m->nmocap, HUGE_VAL));
  SN_TRY(reject(m, d, w, d->qvel, m->nv, SI_LARGEST));
  SN_TRY(reject(m, d, w, d->act, m->na, HUGE_VAL));
  return reject(m, d, w, d->ctrl, m->nu, SI_LARGEST);
}

sn_status si_reject_acceleration(const sn_model *m, sn_data *d, si_worker *w) {
  return reject(m, d, w, d->qacc, m->nv, SI_LARGEST);
}
