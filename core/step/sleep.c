// SPDX-License-Identifier: Apache-2.0
//
// The rules of sleeping, with the flag sleep. Of roots see data/sleep.h.
//
// Falling asleep, at the end of a step: roots that constraints connect, directly or through others,
// fall asleep together, when each of them was at rest at the end of SI_SLEEP_STEPS steps in a row.
// At rest is a root whose velocities, those of rotations times the distance that they reach, are
// below sleep_tolerance, to which no force is applied, and that no mocap body touches or holds.
// Its velocities become zero. From then on it is held: its acceleration is zero, and the constraint
// forces are those that balance the others.
//
// Waking, with all that fell asleep together:
//   1  before a step or an evaluation: its positions were changed, its velocities or the forces
//      applied to it are not zero, the control of an actuator that moves it or the activity of an
//      equality constraint of it changed, or options or arrays of the model
//   2  after collision detection: a contact with a mocap body or with something awake, or a row of
//      another constraint with something awake. Contacts and rows are then made once more
//   3  at the end of an evaluation, for the next one: the sum of its other forces is not, to the
//      last bit, that with which it fell asleep: an activation, a spring to something awake, a
//      plugin
//
// All of this depends on the state alone, so a run that is continued from a saved state goes on as
// it would have.

#include <math.h>
#include <string.h>

#include "constraint/constraint.h"
#include "contact/contact.h"
#include "data/sleep.h"
#include "dynamics/dynamics.h"
#include "step/pipeline.h"

// ------------------------------------------------------------------ waking

typedef struct waking {
  sn_data *d;
  int any;
} waking;

static void wake(void *context, int32_t root) {
  waking *k = context;
  si_sleep_wake(k->d, root);
  k->any = 1;
}

void si_sleep_wake_edited(const sn_model *m, sn_data *d) {
  if (!si_may_sleep(m, d)) {
    if (si_any_asleep(d)) {
      si_sleep_wake_all(m, d);
    }
    return;
  }
  if (si_any_asleep(d)) {
    waking k = { d, 0 };
    si_sleep_edits(m, d, wake, &k);
    if (k.any) {
      si_sleep_update(m, d);
    }
  }
  si_sleep_note_inputs(m, d);
}

static int wake_body(const sn_model *m, sn_data *d, int32_t body) {
  if (!d->body_asleep[body]) {
    return 0;
  }
  si_sleep_wake(d, m->bound.roots.of[body]);
  return 1;
}

// Pairs of things that rest are not collided, and rows that only touch what sleeps are not made: so
// whatever is here and sleeps is touched by something else.
int si_sleep_wake_touched(const sn_model *m, sn_data *d) {
  int any = 0;
  if (!si_any_asleep(d)) {
    return 0;
  }
  for (int64_t i = 0; i < d->ncon; i++) {
    if (d->contact_exclude[i] == 0) {
      any |= wake_body(m, d, m->geom_bodyid[d->contact_geom1[i]]);
      any |= wake_body(m, d, m->geom_bodyid[d->contact_geom2[i]]);
    }
  }
  for (int64_t b = 0; b < d->nblock; b++) {
    const int32_t row = d->block[b].row, adr = d->efc_J_rowadr[row];
    for (int32_t k = 0; k < d->efc_J_rownnz[row]; k++) {
      any |= wake_body(m, d, m->dof_bodyid[d->efc_J_colind[adr + k]]);
    }
  }
  if (any) {
    si_sleep_update(m, d);
  }
  return any;
}

// Rule 3. The force is known from the first evaluation on, in which the root sleeps.
static int is_pushed(const sn_model *m, sn_data *d, int32_t root) {
  const si_place from = m->bound.roots.at[root].run.begin, to = m->bound.roots.at[root].run.end;
  for (int32_t i = from.dof; i < to.dof; i++) {
    if (d->sleep.force[i] == SI_NO_FORCE) {
      d->sleep.force[i] = d->qfrc_smooth[i];
    } else if (d->sleep.force[i] != d->qfrc_smooth[i]) {
      return 1;
    }
  }
  return 0;
}

static int wake_pushed(const sn_model *m, sn_data *d) {
  int any = 0;
  for (int32_t r = 0; r < d->sleep.nroot; r++) {
    if (d->sleep.count[r] >= 0 && is_pushed(m, d, r)) {
      si_sleep_wake(d, r);
      any = 1;
    }
  }
  return any;
}

void si_sleep_balance(const sn_data *d) {
  for (int32_t k = 0; k < d->sleep.nspan; k++) {
    for (int32_t i = d->sleep.span[k].begin.dof; i < d->sleep.span[k].end.dof; i++) {
      d->qfrc_constraint[i] = -d->qfrc_smooth[i];
    }
  }
}

void si_sleep_hold(const sn_model *m, sn_data *d) {
  if (!si_any_asleep(d)) {
    return;
  }
  int same = 1;
  si_sleep_balance(d);
  for (int32_t k = 0; k < d->sleep.nspan; k++) {
    const int32_t dof = d->sleep.span[k].begin.dof;
    const size_t bytes = (size_t)(d->sleep.span[k].end.dof - dof) * sizeof(double);
    memset(d->qacc + dof, 0, bytes);
    same &= memcmp(d->sleep.force + dof, d->qfrc_smooth + dof, bytes) == 0;
  }
  if (!same && wake_pushed(m, d)) {
    si_sleep_update(m, d);
  }
  si_sleep_settle(m, d);
}

// ------------------------------------------------------------------ falling asleep

static int32_t find(int32_t *set, int32_t root) {
  while (set[root] != root) {
    root = set[root] = set[set[root]];
  }
  return root;
}

static void join(int32_t *set, int32_t a, int32_t b) {
  a = find(set, a);
  b = find(set, b);
  set[a > b ? a : b] = a < b ? a : b;
}

// Roots that are connected by constraints, as sets; those that a mocap body touches or holds are
// marked as busy.
static void join_islands(const sn_model *m, const sn_data *d, int32_t *set, int32_t *busy) {
  const si_roots *roots = &m->bound.roots;
  for (int64_t k = 0; k < d->nisland; k++) {
    const si_island *island = &d->island[k];
    for (int32_t i = 1; i < island->ndof; i++) {
      join(set, roots->of[m->dof_bodyid[island->dof[0]]], roots->of[m->dof_bodyid[island->dof[i]]]);
    }
  }
  for (int64_t i = 0; i < d->ncon; i++) {
    const int32_t b1 = m->geom_bodyid[d->contact_geom1[i]], r1 = roots->of[b1];
    const int32_t b2 = m->geom_bodyid[d->contact_geom2[i]], r2 = roots->of[b2];
    if (r1 >= 0 && roots->is_carried[b2]) {
      busy[r1] = 1;
    }
    if (r2 >= 0 && roots->is_carried[b1]) {
      busy[r2] = 1;
    }
  }
  for (int64_t i = 0; i < d->ne; i++) {
    const int32_t eq = d->efc_id[i], type = m->eq_type[eq];
    const int holds = type == SN_EQUALITY_CONNECT || type == SN_EQUALITY_WELD;
    if (holds && (roots->is_carried[m->eq_obj1id[eq]] || roots->is_carried[m->eq_obj2id[eq]])) {
      busy[roots->of[m->dof_bodyid[d->efc_J_colind[d->efc_J_rowadr[i]]]]] = 1;
    }
  }
}

static int is_at_rest(const sn_model *m, const sn_data *d, const si_root *root) {
  const si_place from = root->run.begin, to = root->run.end;
  for (int32_t i = from.dof; i < to.dof; i++) {
    if (!(fabs(d->qvel[i]) * m->bound.roots.length[i] < m->opt.sleep_tolerance)) {
      return 0;
    }
  }
  return !si_any_applied(d, &root->run);
}

static void count_rest(const sn_model *m, sn_data *d, const int32_t *busy) {
  for (int32_t r = 0; r < d->sleep.nroot; r++) {
    const si_root *root = &m->bound.roots.at[r];
    int32_t *count = &d->sleep.count[r];
    if (*count >= 0) {
      continue;
    }
    const int rests = root->may_sleep && !busy[r] && is_at_rest(m, d, root);
    *count = !rests ? SI_AWAKE : *count < SI_SLEEPY ? *count + 1 : SI_SLEEPY;
  }
}

// The counts of each set that is ready become a list. last: nroot, scratch.
static int link_sets(sn_data *d, int32_t *set, const int32_t *busy, int32_t *last) {
  int any = 0;
  for (int32_t r = 0; r < d->sleep.nroot; r++) {
    const int32_t first = find(set, r);
    if (busy[first] || d->sleep.count[r] >= 0) {
      continue;
    }
    any = 1;
    if (first != r) {
      d->sleep.count[last[first]] = r;
    }
    d->sleep.count[r] = first;
    last[first] = r;
  }
  return any;
}

// What slept before stays where it is, to the last bit.
static void keep_still(sn_data *d) {
  for (int32_t k = 0; k < d->sleep.nspan; k++) {
    const si_place from = d->sleep.span[k].begin, to = d->sleep.span[k].end;
    memcpy(d->qpos + from.position, d->sleep.qpos + from.position,
           (size_t)(to.position - from.position) * sizeof(double));
    memset(d->qvel + from.dof, 0, (size_t)(to.dof - from.dof) * sizeof(double));
  }
}

static void begin_lists(const sn_model *m, sn_data *d, const int32_t *set) {
  for (int32_t r = 0; r < d->sleep.nroot; r++) {
    if (d->sleep.count[r] >= 0 && !d->body_asleep[m->bound.roots.at[r].run.begin.body] &&
        set[r] == r) {
      si_sleep_begin(m, d, r);
    }
  }
  si_sleep_update(m, d);
}

void si_sleep_fall(const sn_model *m, sn_data *d, si_worker *w) {
  if (!si_may_sleep(m, d)) {
    return;
  }
  const int32_t n = d->sleep.nroot;
  keep_still(d);
  if (d->sleep.nasleep == n) {
    return;
  }
  si_mark mark = si_arena_mark(&w->scratch);
  int32_t *set = si_arena_ints(&w->scratch, n), *busy = si_arena_ints(&w->scratch, n);
  int32_t *last = si_arena_ints(&w->scratch, n);
  for (int32_t r = 0; r < n; r++) {
    set[r] = r;
    busy[r] = 0;
  }
  join_islands(m, d, set, busy);
  count_rest(m, d, busy);
  for (int32_t r = 0; r < n; r++) {   // one that is not ready keeps all of its set awake
    busy[find(set, r)] |= d->sleep.count[r] < SI_SLEEPY;
  }
  if (link_sets(d, set, busy, last)) {
    begin_lists(m, d, set);
  }
  si_arena_release(&w->scratch, mark);
}

// ------------------------------------------------------------------ on request

sn_status sn_wake(const sn_model *model, sn_data *data, int32_t body) {
  SN_TRY(si_require_idle(data));
  if (data->model != model) {
    return si_fail(&data->error, SN_EINVAL, "this data belongs to another model");
  }
  if (body < -1 || body >= model->nbody) {
    return si_fail(&data->error, SN_EINVAL,
                   "there is no body %d to wake; the model has bodies 0 to %lld, and -1 wakes all",
                   body, (long long)model->nbody - 1);
  }
  const int32_t root = body >= 0 && data->sleep.nasleep > 0 ? model->bound.roots.of[body] : -1;
  if (body < 0) {
    si_sleep_wake_all(model, data);
  } else if (root >= 0) {
    si_sleep_wake(data, root);
    si_sleep_update(model, data);
  }
  return SN_OK;
}
