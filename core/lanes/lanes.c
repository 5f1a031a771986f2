// SPDX-License-Identifier: Apache-2.0
//
// A step of several simulations in lanes: their states side by side, evaluation, integrator, and
// back. The integrator is the plugin of the model. It gets a stepper of one larger system, whose
// numbers are those of all simulations; an integrator that treats all numbers alike
// (SN_INTEGRATOR_LANES) advances each as it would alone.

#include "lanes/lanes.h"

#include <stdlib.h>
#include <string.h>

#include "base/finite.h"
#include "data/fields.h"
#include "dynamics/pattern.h"
#include "lanes/state.h"
#include "numerics/processor.h"
#include "sinew/math.h"
#include "step/pipeline.h"

static const si_lane_kernels *kernels(void) {
#ifdef __x86_64__
  if (si_processor_has_avx2()) {
    return &si_lane_kernels_avx2;
  }
#endif
  return &si_lane_kernels_base;
}

// ------------------------------------------------------------------ memory

static int64_t padded(int64_t bytes) {
  return (bytes + 63) & ~(int64_t)63;
}

void *si_lane_take(si_lane_place *p, int64_t n, size_t bytes) {
  void *at = p->base ? p->base + p->used : NULL;
  p->used += padded(n * (int64_t)bytes);
  return at;
}

static void place_all(si_lanes *l, si_lane_place *p) {
  const sn_model *m = l->m;
  si_extent extent[SI_NDATAFIELD];
  si_data_extents(m, extent);
  for (int i = 0; i < SI_NDATAFIELD; i++) {
    const int64_t n = extent[i].rows * extent[i].cols;
    l->field[i] = si_lane_take(p, n,
                               si_data_field_table[i].type == SN_REAL
                                   ? sizeof(si_lane)
                                   : (size_t)si_data_field_table[i].bytes);
  }
  l->A = si_lane_take(p, m->nM, sizeof *l->A);
  l->L = si_lane_take(p, m->nM, sizeof *l->L);
  l->Dinv = si_lane_take(p, m->nv, sizeof *l->Dinv);
  l->work = si_lane_take(p, 12 * m->nbody + 2 * m->nv + m->nu + 2 * m->na, sizeof *l->work);
  l->clamped = si_lane_take(p, m->nu, sizeof *l->clamped);
  l->npair = si_lane_count_pairs(m, NULL);
  l->pair = si_lane_take(p, l->npair, sizeof *l->pair);
  si_lane_place_numbers(l, p);
  const int64_t nbatch = m->bound.dynamics.n + m->bound.gain.n + m->bound.bias.n;
  si_lane_batch *batch = si_lane_take(p, nbatch, sizeof *batch);
  const int64_t nelement = si_lane_batch_elements(m);
  double *reals = si_lane_take(p, nelement * SI_LANE_ELEMENT, sizeof *reals);
  int32_t *ids = si_lane_take(p, nelement, sizeof *ids);
  if (p->base) {
    si_lane_count_pairs(m, l->pair);
    si_lane_make_batches(l, batch, reals, ids);
  }
}

// Integers, which follow from the model, and the poses of the world.
static void fill(si_lanes *l) {
  const sn_model *m = l->m;
  const si_pattern *tendon = &m->bound.patterns->tendon;
  const size_t nten = (size_t)m->ntendon * sizeof(int32_t);
  memcpy(l->ten_J_rownnz, tendon->nnz, nten);
  memcpy(l->ten_J_rowadr, tendon->adr, nten);
  memcpy(l->ten_J_colind, tendon->col, (size_t)tendon->n * sizeof(int32_t));
  int32_t adr = 0;
  for (int64_t i = 0; i < m->nu; i++) {
    const int32_t id = m->actuator_trnid[2 * i];
    const int is_tendon = m->actuator_trntype[i] == SN_TRN_TENDON;
    const int32_t *col = is_tendon ? tendon->col + tendon->adr[id] : m->jnt_dofadr + id;
    const int32_t n = is_tendon ? tendon->nnz[id] : 1;
    l->actuator_moment_rowadr[i] = adr;
    l->actuator_moment_rownnz[i] = n;
    memcpy(l->actuator_moment_colind + adr, col, (size_t)n * sizeof(int32_t));
    adr += n;
  }
  l->xquat[0] = l->xmat[0] = l->xmat[4] = l->xmat[8] = lane_all(1);
  lane_copy(l->ximat, l->xmat, 9);
}

si_lanes *si_lanes_new(const sn_model *m) {
  si_lanes *l = calloc(1, sizeof *l);
  si_lane_place p = { 0 };
  if (!l) {
    return NULL;
  }
  l->m = m;
  place_all(l, &p);
  l->bytes = p.used + (int64_t)sizeof *l;
  l->buffer = p.base = aligned_alloc(64, (size_t)p.used + 64);
  if (!l->buffer) {
    free(l);
    return NULL;
  }
  memset(p.base, 0, (size_t)p.used + 64);
  p.used = 0;
  place_all(l, &p);
  fill(l);
  l->view = (sn_data_view){ .size = sizeof(sn_data_view),
                            .fields = (const void *const *)l->field,
                            .model = &m->view };
  si_lanes_use(l, (const sn_model *const[]){ m, m, m, m });
  return l;
}

void si_lanes_use(si_lanes *l, const sn_model *const *models) {
  l->differ = 0;
  for (int w = 0; w < SI_LANES; w++) {
    l->models[w] = models[w];
    l->differ |= models[w] != l->m;
  }
  si_lane_use_numbers(l);
  si_lane_use_parameters(l);
  si_lane_use_models(l);
}

void si_lanes_free(si_lanes *l) {
  if (l) {
    free(l->buffer);
    free(l);
  }
}

int64_t si_lanes_bytes(const si_lanes *l) {
  return l->bytes;
}

// ------------------------------------------------------------------ from simulations and back

void si_lane_gather(si_lane *to, int64_t n, int lane, const double *from) {
  for (int64_t i = 0; i < n; i++) {
    to[i][lane] = from[i];
  }
}

void si_lane_scatter(const si_lane *from, int64_t n, int lane, double *to) {
  for (int64_t i = 0; i < n; i++) {
    to[i] = from[i][lane];
  }
}

static int has_xfrc(const sn_model *m, const sn_data *d) {
  for (int64_t i = 6; i < 6 * m->nbody; i++) {
    if (d->xfrc_applied[i] != 0) {
      return 1;
    }
  }
  return 0;
}

static void read_simulation(si_lanes *l, int lane, const sn_data *d) {
  const sn_model *m = l->m;
  si_lane_gather(l->qpos, m->nq, lane, d->qpos);
  si_lane_gather(l->qvel, m->nv, lane, d->qvel);
  si_lane_gather(l->qacc_warmstart, m->nv, lane, d->qacc_warmstart);
  si_lane_gather(l->act, m->na, lane, d->act);
  si_lane_gather(l->ctrl, m->nu, lane, d->ctrl);
  si_lane_gather(l->qfrc_applied, m->nv, lane, d->qfrc_applied);
}

static void write_simulation(const si_lanes *l, int lane, sn_data *d) {
  const sn_model *m = l->m;
  si_lane_scatter(l->qpos, m->nq, lane, d->qpos);
  si_lane_scatter(l->qvel, m->nv, lane, d->qvel);
  si_lane_scatter(l->act, m->na, lane, d->act);
  si_lane_scatter(l->qacc, m->nv, lane, d->qacc);
  si_lane_scatter(l->qacc_warmstart, m->nv, lane, d->qacc_warmstart);
  d->time[0] = l->now;
}

// A lane without a simulation repeats the first one.
static void read_all(si_lanes *l, sn_data *const *d, uint32_t wanted) {
  for (int w = 0; w < SI_LANES; w++) {
    const sn_data *from = wanted >> w & 1 ? d[w] : l->first;
    const int together = from->time[0] == l->first->time[0] && from->sleep.nasleep == 0;
    const int covers = together && l->usable[w] && !has_xfrc(l->m, from);
    l->covered[w] = wanted >> w & 1 && covers ? -1 : 0;
    read_simulation(l, w, from);
  }
  l->now = l->first->time[0];
  l->time[0] = lane_all(l->now);
  si_lane_check_numbers(l, l->time, 1, HUGE_VAL);
  si_lane_check_numbers(l, l->qpos, l->m->nq, SI_LARGEST);
  si_lane_check_numbers(l, l->qvel, l->m->nv, SI_LARGEST);
}

// ------------------------------------------------------------------ an evaluation

static sn_status evaluate(si_lanes *l) {
  const sn_model *m = l->m;
  const si_lane_kernels *k = kernels();
  k->position(l);
  si_lane_check_position(l);
  k->velocity(l);
  SN_TRY(si_lane_passive(l));
  SN_TRY(si_lane_actuation(l));
  for (int64_t i = 0; i < m->nv; i++) {
    l->qfrc_smooth[i] = l->qfrc_passive[i] - l->qfrc_bias[i] + l->qfrc_applied[i] +
                        l->qfrc_actuator[i];
    l->qacc[i] = l->qfrc_smooth[i];
  }
  k->solve(l, 0, l->qacc);
  si_lane_constrain(l);
  si_lane_check_numbers(l, l->qacc, m->nv, SI_LARGEST);
  return SN_OK;
}

// ------------------------------------------------------------------ the stepper

static sn_status stepper_evaluate(sn_stepper *s) {
  si_lanes *l = s->context;
  l->time[0] = lane_all(l->now);
  const sn_status status = evaluate(l);
  l->w->evaluation = l->w->evaluation < 0 ? l->w->evaluation : status;
  return status;
}

static void stepper_advance_position(sn_stepper *s, const double *v, double h) {
  for (int64_t i = 0; i < s->nq; i++) {
    s->qpos[i] += h * v[i];
  }
}

static void stepper_advance_activation(sn_stepper *s, const double *act_dot, double h) {
  si_lanes *l = s->context;
  const sn_status status = si_lane_advance_activation(l, act_dot, h);
  l->w->evaluation = l->w->evaluation < 0 ? l->w->evaluation : status;
}

static void stepper_clamp_activation(sn_stepper *s) {
  si_lane_clamp_activation(s->context);
}

static void stepper_subtract(sn_stepper *s, const double *from, const double *to, double *v) {
  for (int64_t i = 0; i < s->nv; i++) {
    v[i] = (to[i] - from[i]) / 1;
  }
}

static void stepper_dexpinv(sn_stepper *s, const double *u, const double *v, double *out) {
  (void)u;
  memmove(out, v, (size_t)s->nv * sizeof *out);
}

// M qacc is qfrc_smooth + qfrc_constraint.
static sn_status stepper_implicit(sn_stepper *s, uint32_t which, double h, double *out) {
  si_lanes *l = s->context;
  const int damped = lane_any(l->damped) && !(l->m->opt.disableflags & SN_DISABLE_EULERDAMP);
  if (which & ~(uint32_t)SN_DERIV_DAMPING) {
    return SN_EUNSUPPORTED;
  }
  if (!which || !damped) {
    memcpy(out, l->qacc, (size_t)s->nv * sizeof *out);
    return SN_OK;
  }
  for (int64_t i = 0; i < l->m->nv; i++) {
    l->work[i] = l->qfrc_smooth[i] + l->qfrc_constraint[i];
  }
  kernels()->solve(l, h, l->work);
  // Where nothing is damped the result is qacc itself: solving for it again may round differently.
  for (int64_t i = 0; i < l->m->nv; i++) {
    l->work[i] = lane_select(l->damped, l->work[i], l->qacc[i]);
  }
  memcpy(out, l->work, (size_t)s->nv * sizeof *out);
  return SN_OK;
}

static sn_status integrate(si_lanes *l) {
  const sn_model *m = l->m;
  const si_provider *p = m->bound.integrator;
  sn_stepper s = { .size = sizeof s,
                   .context = l,
                   .h = m->opt.timestep,
                   .nq = m->nq * SI_LANES,
                   .nv = m->nv * SI_LANES,
                   .na = m->na * SI_LANES,
                   .time = &l->now,
                   .qpos = (double *)l->qpos,
                   .qvel = (double *)l->qvel,
                   .act = (double *)l->act,
                   .qacc = (const double *)l->qacc,
                   .act_dot = (const double *)l->act_dot,
                   .evaluate = stepper_evaluate,
                   .advance_position = stepper_advance_position,
                   .advance_activation = stepper_advance_activation,
                   .implicit = stepper_implicit,
                   .clamp_activation = stepper_clamp_activation,
                   .subtract = stepper_subtract,
                   .dexpinv = stepper_dexpinv };
  memcpy(l->qacc_warmstart, l->qacc, (size_t)m->nv * sizeof(si_lane));
  l->w->evaluation = SN_OK;
  const double before = l->now;
  const si_call call = si_worker_enter(l->w, p, "step");
  const sn_status status = si_worker_leave(
      l->w, &call, ((const sn_integrator_ops *)p->ops)->step(p->self, &s, si_worker_lend(l->w)));
  SN_TRY(status);
  SN_TRY(l->w->evaluation);
  return l->now > before ? SN_OK : SN_EPLUGIN;   // sn_step says what is wrong
}

// ------------------------------------------------------------------ a step

typedef struct step_request {
  si_lanes *l;
  sn_data *const *d;
  uint32_t wanted, done;
} step_request;

static sn_status step(const sn_model *m, sn_data *d, si_worker *w, void *context) {
  (void)m;
  step_request *r = context;
  si_lanes *l = r->l;
  l->d = r->d;
  l->first = d;
  l->w = w;
  read_all(l, r->d, r->wanted);
  SN_TRY(evaluate(l));
  if (lane_bits(l->covered)) {
    SN_TRY(integrate(l));
  }
  r->done = lane_bits(l->covered);
  for (int k = 0; k < SI_LANES; k++) {
    if (r->done >> k & 1) {
      write_simulation(l, k, r->d[k]);
    }
  }
  return SN_OK;
}

// A failure, of a plugin or for want of memory, is one of sn_step too, which reports it.
uint32_t si_lanes_step(si_lanes *l, sn_data *const *d, uint32_t wanted) {
  step_request r = { l, d, wanted, 0 };
  int first = 0;
  while (first < SI_LANES - 1 && !(wanted >> first & 1)) {
    first++;
  }
  if (!(lane_bits(l->usable) & wanted) || l->unsupported || d[first]->worker[0].checker) {
    return 0;
  }
  const sn_status status = si_guarded(step, l->models[first], d[first], 0, &r);
  l->unsupported = status == SN_EUNSUPPORTED;
  return status < 0 ? 0 : r.done;
}
