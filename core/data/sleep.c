// SPDX-License-Identifier: Apache-2.0
//
// What sleeps. All of it follows from the counts, one a root (sleep.h), and is made again when they
// change: the marks of bodies and the list of runs (runs.c).

#include "data/sleep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/math.h"

// ------------------------------------------------------------------ the roots of a model

// The first element of the body and of those after it. Elements are in the order of their bodies.
static si_place place_of(const sn_model *m, int32_t body, const si_place *before) {
  si_place p = *before;
  p.body = body;
  while (p.joint < m->njnt && m->jnt_bodyid[p.joint] < body) {
    p.position += sn_joint_positions(m->jnt_type[p.joint]);
    p.dof += sn_joint_dofs(m->jnt_type[p.joint]);
    p.joint++;
  }
  while (p.geom < m->ngeom && m->geom_bodyid[p.geom] < body) {
    p.geom++;
  }
  while (p.site < m->nsite && m->site_bodyid[p.site] < body) {
    p.site++;
  }
  return p;
}

// How far from the frame of a body its geoms and its center of mass are at most.
static double reach_of_geoms(const sn_model *m, int64_t body) {
  double most = sn_norm3(m->body_ipos + 3 * body);
  for (int32_t k = 0; k < m->body_geomnum[body]; k++) {
    const int64_t g = m->body_geomadr[body] + k;
    most = fmax(most, sn_norm3(m->geom_pos + 3 * g) + fmax(0, m->geom_rbound[g]));
  }
  return most;
}

// A rotation about an axis moves no point of the body and its descendants by more than this, a
// radian. reach: nbody, scratch.
static void measure(const sn_model *m, double *reach, double *length) {
  for (int64_t b = 0; b < m->nbody; b++) {
    reach[b] = reach_of_geoms(m, b);
  }
  for (int64_t b = m->nbody - 1; b > 0; b--) {
    const int32_t parent = m->body_parentid[b];
    reach[parent] = fmax(reach[parent], sn_norm3(m->body_pos + 3 * b) + reach[b]);
  }
  for (int64_t i = 0; i < m->nv; i++) {
    const int32_t j = m->dof_jntid[i], type = m->jnt_type[j];
    const int turns = type == SN_JOINT_HINGE || type == SN_JOINT_BALL ||
                      (type == SN_JOINT_FREE && i - m->jnt_dofadr[j] >= 3);
    const double far = reach[m->dof_bodyid[i]] + sn_norm3(m->jnt_pos + 3 * (int64_t)j);
    length[i] = turns && far > 0 ? far : 1;
  }
}

typedef struct marking {
  si_root *at;
} marking;

static void keep_awake(void *context, int32_t root) {
  const marking *k = context;
  k->at[root].may_sleep = 0;
}

static void visit_body(const si_roots *roots, int32_t body, si_root_fn *visit, void *context) {
  if (body >= 0 && roots->of[body] >= 0) {
    visit(context, roots->of[body]);
  }
}

static void visit_tendon(const sn_model *m, int32_t t, const si_roots *roots, si_root_fn *visit,
                         void *context) {
  const int32_t end = m->tendon_adr[t] + m->tendon_num[t];
  for (int32_t e = m->tendon_adr[t]; e < end; e++) {
    const int32_t type = m->wrap_type[e], id = m->wrap_objid[e];
    const int32_t body = type == SN_WRAP_JOINT    ? m->jnt_bodyid[id]
                         : type == SN_WRAP_SITE   ? m->site_bodyid[id]
                         : type == SN_WRAP_PULLEY ? -1
                                                  : m->geom_bodyid[id];
    visit_body(roots, body, visit, context);
  }
}

static int32_t body_of_transmission(const sn_model *m, int32_t type, int32_t id) {
  return id < 0                                                 ? -1
         : type == SN_TRN_JOINT || type == SN_TRN_JOINTINPARENT ? m->jnt_bodyid[id]
         : type == SN_TRN_SITE || type == SN_TRN_SLIDERCRANK    ? m->site_bodyid[id]
                                                                : id;
}

// The roots that an actuator moves.
static void visit_actuator(const sn_model *m, int32_t i, const si_roots *roots, si_root_fn *visit,
                           void *context) {
  const int32_t type = m->actuator_trntype[i], *id = m->actuator_trnid + 2 * (int64_t)i;
  if (type == SN_TRN_TENDON) {
    visit_tendon(m, id[0], roots, visit, context);
    return;
  }
  visit_body(roots, body_of_transmission(m, type, id[0]), visit, context);
  if (type == SN_TRN_SITE || type == SN_TRN_SLIDERCRANK) {
    visit_body(roots, body_of_transmission(m, type, id[1]), visit, context);
  }
}

static void visit_equality(const sn_model *m, int32_t i, const si_roots *roots, si_root_fn *visit,
                           void *context) {
  const int32_t type = m->eq_type[i], id[2] = { m->eq_obj1id[i], m->eq_obj2id[i] };
  for (int k = 0; k < 2 && type != SN_EQUALITY_PLUGIN; k++) {
    if (id[k] >= 0 && type == SN_EQUALITY_TENDON) {
      visit_tendon(m, id[k], roots, visit, context);
    } else if (id[k] >= 0) {
      visit_body(roots, type == SN_EQUALITY_JOINT ? m->jnt_bodyid[id[k]] : id[k], visit, context);
    }
  }
  const si_plugin_equality *plugin = m->bound.equality ? &m->bound.equality[i] : NULL;
  for (int32_t k = 0; plugin && plugin->provider && k < plugin->ndof; k++) {
    visit_body(roots, m->dof_bodyid[plugin->dof[k]], visit, context);
  }
}

// Policies: one body of a root that must stay awake keeps all of it awake, and an actuator too,
// unless a body was given another policy.
static void apply_policies(const sn_model *m, si_roots *roots) {
  marking k = { roots->at };
  for (int32_t i = 0; i < m->nu; i++) {
    visit_actuator(m, i, roots, keep_awake, &k);
  }
  for (int32_t r = 0; r < roots->n; r++) {
    si_root *root = &roots->at[r];
    int never = m->body_mocapid[root->run.begin.body] >= 0, allowed = 0, init = 0;
    for (int32_t b = root->run.begin.body; b < root->run.end.body; b++) {
      never |= m->body_sleep[b] == SN_SLEEP_NEVER;
      allowed |= m->body_sleep[b] >= SN_SLEEP_ALLOWED;
      init |= m->body_sleep[b] == SN_SLEEP_INIT;
    }
    root->may_sleep = !never && (allowed || root->may_sleep);
    root->sleeps = root->may_sleep && init;
  }
}

// Tendons with armature couple what they connect through M, as no force does: it stays awake.
static void keep_coupled_awake(const sn_model *m, si_roots *roots) {
  marking k = { roots->at };
  for (int32_t t = 0; t < (int32_t)m->ntendon; t++) {
    if (m->tendon_armature[t] != 0) {
      visit_tendon(m, t, roots, keep_awake, &k);
    }
  }
}

// One more child of the world that never moves, with what hangs from it.
static void add_fixed(si_roots *roots, const si_place *begin, const si_place *end) {
  si_run *last = roots->nfixed > 0 ? &roots->fixed[roots->nfixed - 1] : NULL;
  if (last && last->end.body == begin->body) {
    last->end = *end;
  } else {
    roots->child[roots->nfixed + 1] = roots->child[roots->nfixed];
    roots->fixed[roots->nfixed++] = (si_run){ *begin, *end };
  }
  roots->child[roots->nfixed]++;
}

static void find_roots(const sn_model *m, si_roots *roots) {
  si_place at = place_of(m, 1, &(si_place){ 0 });
  roots->of[0] = -1;
  roots->first = at;
  for (int32_t b = 1; b < (int32_t)m->nbody; b = at.body) {
    int32_t end = b;
    while (end < m->nbody && m->body_rootid[end] == b) {
      end++;
    }
    end = end > b ? end : b + 1;
    const si_place next = place_of(m, end, &at);
    const int32_t root = next.dof > at.dof ? roots->n++ : -1;
    for (int32_t k = b; k < end; k++) {
      roots->of[k] = root;
      roots->is_carried[k] = m->body_weldid[k] == 0 && m->body_mocapid[b] >= 0;
    }
    if (root >= 0) {
      int32_t first = b;
      while (m->body_mocapid[b] < 0 && m->body_dofnum[first] == 0) {
        first++;
      }
      roots->at[root] = (si_root){ { at, next }, place_of(m, first, &at), .may_sleep = 1 };
    } else if (m->body_mocapid[b] < 0) {
      add_fixed(roots, &at, &next);
    }
    at = next;
  }
}

// Centers of mass of subtrees are taken as moving: that of the world does.
static int is_fixed_view(const sn_model *m, const si_roots *roots, int32_t body, int32_t mode,
                         int32_t target) {
  const int fixed = m->body_weldid[body] == 0 && !roots->is_carried[body];
  if (mode == SN_TRACK_TARGETBODY && target >= 0) {
    return fixed && m->body_weldid[target] == 0 && !roots->is_carried[target];
  }
  return fixed && mode != SN_TRACK_TRACKCOM && mode != SN_TRACK_TARGETBODYCOM;
}

static void find_moving_views(const sn_model *m, si_roots *roots) {
  for (int32_t i = 0; i < (int32_t)m->ncam; i++) {
    if (!is_fixed_view(m, roots, m->cam_bodyid[i], m->cam_mode[i], m->cam_targetbodyid[i])) {
      roots->cam[roots->ncam++] = i;
    }
  }
  for (int32_t i = 0; i < (int32_t)m->nlight; i++) {
    if (!is_fixed_view(m, roots, m->light_bodyid[i], m->light_mode[i], m->light_targetbodyid[i])) {
      roots->light[roots->nlight++] = i;
    }
  }
}

sn_status si_roots_new(const sn_model *m, si_roots *out, sn_error *error) {
  const size_t nbody = (size_t)m->nbody + 1;
  si_roots_free(out);
  double *reach = calloc(nbody, sizeof *reach);
  out->at = calloc(nbody, sizeof *out->at);
  out->of = calloc(nbody, sizeof *out->of);
  out->is_carried = calloc(nbody, sizeof *out->is_carried);
  out->length = calloc((size_t)m->nv + 1, sizeof *out->length);
  out->fixed = calloc(nbody, sizeof *out->fixed);
  out->child = calloc(nbody, sizeof *out->child);
  out->cam = calloc((size_t)m->ncam + 1, sizeof *out->cam);
  out->light = calloc((size_t)m->nlight + 1, sizeof *out->light);
  if (!reach || !out->at || !out->of || !out->is_carried || !out->length || !out->fixed ||
      !out->child || !out->cam || !out->light) {
    free(reach);
    return si_fail(error, SN_ENOMEM, "out of memory while binding a model");
  }
  find_roots(m, out);
  find_moving_views(m, out);
  measure(m, reach, out->length);
  apply_policies(m, out);
  keep_coupled_awake(m, out);
  free(reach);
  return SN_OK;
}

void si_roots_free(si_roots *roots) {
  free(roots->at);
  free(roots->of);
  free(roots->is_carried);
  free(roots->length);
  free(roots->fixed);
  free(roots->child);
  free(roots->cam);
  free(roots->light);
  *roots = (si_roots){ 0 };
}

// ------------------------------------------------------------------ runs

int si_all_asleep(const sn_model *m, const sn_data *d, int32_t n, const int32_t *dof) {
  for (int32_t k = 0; k < n; k++) {
    if (!si_dof_asleep(m, d, dof[k])) {
      return 0;
    }
  }
  return n > 0;
}

static void list_spans(const sn_model *m, sn_data *d) {
  si_sleep *s = &d->sleep;
  s->nspan = 0;
  for (int32_t r = 0; r < s->nroot && s->nasleep > 0; r++) {
    const si_run *run = &m->bound.roots.at[r].run;
    si_run *last = s->nspan > 0 ? &s->span[s->nspan - 1] : NULL;
    if (s->count[r] < 0) {
      continue;
    }
    if (last && last->end.body == run->begin.body) {
      last->end = run->end;
    } else {
      s->span[s->nspan++] = *run;
    }
  }
}

void si_sleep_update(const sn_model *m, sn_data *d) {
  si_sleep *s = &d->sleep;
  s->nasleep = 0;
  for (int32_t r = 0; r < s->nroot; r++) {
    const si_run *run = &m->bound.roots.at[r].run;
    const int32_t asleep = s->count[r] >= 0 && !s->suspended;
    s->nasleep += asleep;
    s->computed[r] = asleep ? s->computed[r] : 0;
    for (int32_t b = run->begin.body; b < run->end.body; b++) {
      d->body_asleep[b] = asleep;
    }
    for (int32_t i = run->begin.dof; i < run->end.dof && s->count[r] < 0; i++) {
      s->force[i] = SI_NO_FORCE;
    }
  }
  s->version++;
  list_spans(m, d);
  si_runs_list(m, d);
}

// ------------------------------------------------------------------ memory

static int64_t take(int64_t *offset, int64_t bytes) {
  const int64_t at = *offset;
  *offset += (bytes + 7) / 8 * 8;
  return at;
}

int64_t si_sleep_place(const sn_model *m, void *at, si_sleep *out) {
  const si_roots *roots = &m->bound.roots;
  const int64_t n = roots->n, ints = (int64_t)sizeof(int32_t);
  const int64_t nmoment = roots->child ? roots->child[roots->nfixed] : 0;
  int64_t bytes = 0;
  const int64_t count = take(&bytes, n * ints), computed = take(&bytes, n * ints);
  const int64_t eq = take(&bytes, m->neq * ints);
  const int64_t force = take(&bytes, m->nv * (int64_t)sizeof(double));
  const int64_t qpos = take(&bytes, m->nq * (int64_t)sizeof(double));
  const int64_t ctrl = take(&bytes, m->nu * (int64_t)sizeof(double));
  const int64_t moment = take(&bytes, 3 * nmoment * (int64_t)sizeof(double));
  const int64_t run = take(&bytes, (n + roots->nfixed + 1) * (int64_t)sizeof(si_run));
  const int64_t start = take(&bytes, (n + roots->nfixed + 1) * (int64_t)sizeof(si_place));
  const int64_t span = take(&bytes, n * (int64_t)sizeof(si_run));
  if (at) {
    char *base = at;
    out->nroot = (int32_t)n;
    out->nfixed = roots->nfixed;
    out->nmoment = (int32_t)nmoment;
    out->count = (int32_t *)(void *)(base + count);
    out->computed = (int32_t *)(void *)(base + computed);
    out->eq_enabled = (int32_t *)(void *)(base + eq);
    out->force = (double *)(void *)(base + force);
    out->qpos = (double *)(void *)(base + qpos);
    out->ctrl = (double *)(void *)(base + ctrl);
    out->moment = (double *)(void *)(base + moment);
    out->run = (si_run *)(void *)(base + run);
    out->start = (si_place *)(void *)(base + start);
    out->span = (si_run *)(void *)(base + span);
  }
  return bytes;
}

void si_sleep_note_inputs(const sn_model *m, sn_data *d) {
  si_sleep *s = &d->sleep;
  if (m->nu > 0) {
    memcpy(s->ctrl, d->ctrl, (size_t)m->nu * sizeof(double));
  }
  if (m->neq > 0) {
    memcpy(s->eq_enabled, d->eq_enabled, (size_t)m->neq * sizeof(int32_t));
  }
  s->option = m->opt;
  s->edits = m->edits;
}

static void lie_down(const sn_model *m, sn_data *d, int32_t root) {
  const si_run *run = &m->bound.roots.at[root].run;
  const int32_t dof = run->begin.dof, q = run->begin.position;
  const size_t dofs = (size_t)(run->end.dof - dof) * sizeof(double);
  memset(d->qvel + dof, 0, dofs);
  memset(d->qacc + dof, 0, dofs);
  memset(d->qacc_warmstart + dof, 0, dofs);
  memcpy(d->sleep.qpos + q, d->qpos + q, (size_t)(run->end.position - q) * sizeof(double));
  for (int32_t i = dof; i < run->end.dof; i++) {
    d->sleep.force[i] = SI_NO_FORCE;
  }
  d->sleep.computed[root] = 0;
}

void si_sleep_reset(const sn_model *m, sn_data *d) {
  si_sleep *s = &d->sleep;
  s->suspended = 0;
  s->is_fixed = 0;
  const int sleeps = si_may_sleep(m, d);
  for (int32_t r = 0; r < s->nroot; r++) {
    s->count[r] = sleeps && m->bound.roots.at[r].sleeps ? r : SI_AWAKE;
    if (s->count[r] >= 0) {
      lie_down(m, d, r);
    }
  }
  si_sleep_note_inputs(m, d);
  si_sleep_update(m, d);
}

void si_sleep_copy(const sn_model *m, sn_data *to, const sn_data *from) {
  to->sleep.option = from->sleep.option;
  to->sleep.edits = from->sleep.edits;
  to->sleep.suspended = 0;
  to->sleep.is_fixed = from->sleep.is_fixed;
  to->sleep.fixed_edits = from->sleep.fixed_edits;
  si_sleep_update(m, to);
}

// ------------------------------------------------------------------ a saved state

// Each root that sleeps names the next one, and each is named once.
static int is_consistent(si_sleep *s) {
  int32_t *named = s->computed;
  memset(named, 0, (size_t)s->nroot * sizeof *named);
  for (int32_t r = 0; r < s->nroot; r++) {
    const int32_t next = s->count[r];
    if (next >= s->nroot || next < SI_AWAKE || (next >= 0 && (s->count[next] < 0 || named[next]))) {
      return 0;
    }
    if (next >= 0) {
      named[next] = 1;
    }
  }
  return 1;
}

void si_sleep_restore(const sn_model *m, sn_data *d, uint32_t mask) {
  si_sleep *s = &d->sleep;
  if (!(mask & SN_STATE_SLEEP) || !si_may_sleep(m, d)) {
    return;
  }
  const int consistent = is_consistent(s);
  for (int32_t r = 0; r < s->nroot; r++) {
    s->count[r] = consistent ? s->count[r] : SI_AWAKE;
    s->computed[r] = 0;
  }
  if (m->nq > 0) {
    memcpy(s->qpos, d->qpos, (size_t)m->nq * sizeof(double));
  }
  si_sleep_note_inputs(m, d);
  si_sleep_update(m, d);
}

// ------------------------------------------------------------------ sleeping and waking

static void wake_group(si_sleep *s, int32_t root) {
  while (s->count[root] >= 0) {
    const int32_t next = s->count[root];
    s->count[root] = SI_AWAKE;
    root = next;
  }
}

void si_sleep_wake(sn_data *d, int32_t root) {
  wake_group(&d->sleep, root);
}

void si_sleep_wake_all(const sn_model *m, sn_data *d) {
  for (int32_t r = 0; r < d->sleep.nroot; r++) {
    wake_group(&d->sleep, r);
  }
  si_sleep_update(m, d);
}

void si_sleep_begin(const sn_model *m, sn_data *d, int32_t first) {
  int32_t root = first;
  do {
    lie_down(m, d, root);
    root = d->sleep.count[root];
  } while (root != first);
}

void si_sleep_settle(const sn_model *m, sn_data *d) {
  int changed = 0;
  for (int32_t r = 0; r < d->sleep.nroot; r++) {
    const int complete = d->sleep.count[r] >= 0;
    changed |= complete != d->sleep.computed[r];
    d->sleep.computed[r] = complete;
  }
  if (changed) {
    si_runs_list(m, d);
  }
}

void si_sleep_suspend(const sn_model *m, sn_data *d) {
  if (si_any_asleep(d)) {
    d->sleep.suspended = 1;
    si_sleep_update(m, d);
  }
}

void si_sleep_resume(const sn_model *m, sn_data *d) {
  if (d->sleep.suspended) {
    d->sleep.suspended = 0;
    si_sleep_update(m, d);
  }
}

// ------------------------------------------------------------------ edits

int si_any_nonzero(const double *x, int64_t n) {
  int any = 0;
  for (int64_t i = 0; i < n; i++) {
    any |= x[i] != 0;
  }
  return any;
}

int si_any_applied(const sn_data *d, const si_run *run) {
  const si_place b = run->begin, e = run->end;
  return si_any_nonzero(d->qfrc_applied + b.dof, e.dof - b.dof) ||
         si_any_nonzero(d->xfrc_applied + 6 * (int64_t)b.body, 6 * (int64_t)(e.body - b.body));
}

// Its own state and the forces that are applied to it.
static int is_edited(const sn_data *d, const si_run *run) {
  const si_place b = run->begin, e = run->end;
  return si_any_nonzero(d->qvel + b.dof, e.dof - b.dof) || si_any_applied(d, run) ||
         memcmp(d->qpos + b.position, d->sleep.qpos + b.position,
                (size_t)(e.position - b.position) * sizeof(double)) != 0;
}

static int is_any_edited(const sn_data *d) {
  for (int32_t k = 0; k < d->sleep.nspan; k++) {
    if (is_edited(d, &d->sleep.span[k])) {
      return 1;
    }
  }
  return 0;
}

void si_sleep_edits(const sn_model *m, const sn_data *d, si_root_fn *wake, void *context) {
  const si_sleep *s = &d->sleep;
  const int of_model = s->edits != m->edits || memcmp(&s->option, &m->opt, sizeof m->opt) != 0;
  const int any = of_model || is_any_edited(d);
  for (int32_t r = 0; r < s->nroot && any; r++) {
    if (s->count[r] >= 0 && (of_model || is_edited(d, &m->bound.roots.at[r].run))) {
      wake(context, r);
    }
  }
  for (int32_t i = 0; i < (int32_t)m->nu; i++) {
    if (d->ctrl[i] != s->ctrl[i]) {
      visit_actuator(m, i, &m->bound.roots, wake, context);
    }
  }
  for (int32_t i = 0; i < (int32_t)m->neq; i++) {
    if (d->eq_enabled[i] != s->eq_enabled[i]) {
      visit_equality(m, i, &m->bound.roots, wake, context);
    }
  }
}

typedef struct counting {
  const si_sleep *sleep;
  double *out;
} counting;

static void count_awake(void *context, int32_t root) {
  const counting *k = context;
  while (k->out[root] >= 0) {
    k->out[root] = SI_AWAKE;
    root = k->sleep->count[root];
  }
}

void si_sleep_counts(const sn_model *m, const sn_data *d, double *out) {
  for (int32_t r = 0; r < d->sleep.nroot; r++) {
    out[r] = d->sleep.count[r];
  }
  if (si_any_asleep(d)) {
    counting k = { &d->sleep, out };
    si_sleep_edits(m, d, count_awake, &k);
  }
}
