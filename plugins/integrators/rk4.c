// SPDX-License-Identifier: Apache-2.0
//
// The classical Runge-Kutta method of order 4, on the manifold of positions:
//
//   x = (q, v, w, t)     F(x) = (v, a, w', 1)
//   F1 = F(x)   F2 = F(x + h/2 F1)   F3 = F(x + h/2 F2)   F4 = F(x + h F3)
//   x <- x + h/6 (F1 + 2 F2 + 2 F3 + F4)
//
// A sum with a position is q + h v on the manifold, always from the q at the start of the step. A
// stage at the displacement u from there has its angular velocity in another frame, so that it is
// the rate u' = dexp^-1(u) v which is summed: then the order is 4 on ball and free joints too
// (H. Munthe-Kaas, Runge-Kutta methods on Lie groups, BIT 38, 1998). Without this correction it is
// 2 there; joints with one degree of freedom do not need it.
// Activations are summed without clamping and clamped to their range at the end of the step. The
// exact solutions of dynamics (`advance`) are not used: they assume the rate at the start of the
// step.

#include <string.h>

#include "sinew/instance.h"
#include "sinew/integrator.h"

enum { STAGES = 4 };

static const double node[STAGES] = { 0, 0.5, 0.5, 1 };   // time of the stage, in h
static const double weight[STAGES] = { 1.0 / 6, 1.0 / 3, 1.0 / 3, 1.0 / 6 };

typedef struct rk4 {
  const sn_host *host;
  int corrected;   // rates of rotations are those of displacements
} rk4;

typedef struct vectors {
  double *qpos, *qvel, *act;   // the state at the start
  double time;
  double *v, *a, *w;      // rates of position, velocity and activation in the latest stage
  double *dv, *da, *dw;   // weighted sums
  double *u;              // displacement of the latest stage from qpos; NULL: rates are velocities
} vectors;

static void copy(double *to, const double *from, int64_t n) {
  if (n > 0) {
    memcpy(to, from, (size_t)n * sizeof(double));
  }
}

static sn_status start(const sn_stepper *s, int corrected, vectors *x, sn_scratch *scratch) {
  *x = (vectors){ .time = *s->time };
  SN_ALLOC(x->qpos, scratch, s->nq);
  SN_ALLOC(x->qvel, scratch, s->nv);
  SN_ALLOC(x->act, scratch, s->na);
  SN_ALLOC(x->v, scratch, s->nv);
  SN_ALLOC(x->a, scratch, s->nv);
  SN_ALLOC(x->w, scratch, s->na);
  SN_ALLOC(x->dv, scratch, s->nv);
  SN_ALLOC(x->da, scratch, s->nv);
  SN_ALLOC(x->dw, scratch, s->na);
  if (corrected) {
    SN_ALLOC(x->u, scratch, s->nv);
    memset(x->u, 0, (size_t)s->nv * sizeof(double));
  }
  copy(x->qpos, s->qpos, s->nq);
  copy(x->qvel, s->qvel, s->nv);
  copy(x->act, s->act, s->na);
  memset(x->dv, 0, (size_t)s->nv * sizeof(double));
  memset(x->da, 0, (size_t)s->nv * sizeof(double));
  memset(x->dw, 0, (size_t)s->na * sizeof(double));
  return SN_OK;
}

// Adds F of the present state, weighted, to the sums.
static void collect(sn_stepper *s, vectors *x, double factor) {
  if (x->u) {
    s->dexpinv(s, x->u, s->qvel, x->v);
  } else {
    copy(x->v, s->qvel, s->nv);
  }
  copy(x->a, s->qacc, s->nv);
  copy(x->w, s->act_dot, s->na);
  for (int64_t i = 0; i < s->nv; i++) {
    x->dv[i] += factor * x->v[i];
    x->da[i] += factor * x->a[i];
  }
  for (int64_t i = 0; i < s->na; i++) {
    x->dw[i] += factor * x->w[i];
  }
}

// state = start + h (v, a, w, 1)
static void set_state(sn_stepper *s, const vectors *x, double h, const double *v, const double *a,
                      const double *w) {
  copy(s->qpos, x->qpos, s->nq);
  for (int64_t i = 0; i < s->nv; i++) {
    s->qvel[i] = x->qvel[i] + h * a[i];
  }
  for (int64_t i = 0; i < s->na; i++) {
    s->act[i] = x->act[i] + h * w[i];
  }
  s->advance_position(s, v, h);
  *s->time = x->time + h;
}

// The displacement that set_state makes with the rates of the latest stage.
static void displace(const sn_stepper *s, vectors *x, double h) {
  for (int64_t i = 0; x->u && i < s->nv; i++) {
    x->u[i] = h * x->v[i];
  }
}

static sn_status rk4_step(const void *self, sn_stepper *s, sn_scratch *scratch) {
  const rk4 *method = self;
  vectors x;
  SN_TRY(start(s, method->corrected, &x, scratch));
  collect(s, &x, weight[0]);
  for (int stage = 1; stage < STAGES; stage++) {
    const double h = node[stage] * s->h;
    displace(s, &x, h);
    set_state(s, &x, h, x.v, x.a, x.w);
    SN_TRY(s->evaluate(s));
    collect(s, &x, weight[stage]);
  }
  set_state(s, &x, s->h, x.dv, x.da, x.dw);
  s->clamp_activation(s);
  return SN_OK;
}

// ------------------------------------------------------------------ operations

static const sn_param params[] = {
  { .name = "rotation_group",
    .default_value = "true",
    .type = SN_PARAM_BOOL,
    .summary = "order 4 on ball and free joints too; otherwise the stages are summed in one frame, "
               "which has order 2 there, as in MuJoCo 2.2.2" },
  { .name = NULL },
};

static sn_status create(const sn_host *host, const sn_value *values, void **self, sn_error *error) {
  rk4 *method = sn_host_alloc(host, sizeof *method, error);
  if (!method) {
    return SN_ENOMEM;
  }
  *method = (rk4){ .host = host, .corrected = values[0].integer != 0 };
  *self = method;
  return SN_OK;
}

static void destroy(void *self) {
  const rk4 *method = self;
  method->host->free(method->host, self);
}

static const sn_integrator_ops rk4_ops = {
  .head = { .size = sizeof(sn_integrator_ops),
            .flags = SN_INTEGRATOR_LANES,
            .summary = "Runge-Kutta of order 4, on the group of rotations",
            .params = params,
            .create = create,
            .destroy = destroy },
  .order = 4,
  .evaluations = STAGES,
  .step = rk4_step,
};

static const sn_provide provides[] = {
  SN_PROVIDE_INTEGRATOR("rk4", &rk4_ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "rk4", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "the Runge-Kutta integrator of order 4", .provides = provides)
