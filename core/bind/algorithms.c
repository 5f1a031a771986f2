// SPDX-License-Identifier: Apache-2.0
//
// The solver, the post-solver and the integrator of a model: those that sn_model_parse_option set,
// else those of sn_select and the configuration, else those of the model's options. They are
// resolved again when an option of the model changes.

#include <string.h>

#include "bind/bind.h"
#include "host/limits.h"
#include "model/model_call.h"

static const char *effective(const sn_model *m, const char *what, int32_t chosen,
                             const char *option) {
  const char *selected = m->chosen & chosen ? NULL : si_engine_selected(m->engine, what);
  return selected ? selected : option;
}

static int is_post_solver(const si_provider *p) {
  return (((const sn_solver_ops *)p->ops)->head.flags & SN_SOLVER_POST) != 0;
}

// The post-solver, which improves the result of the main solver: the selected one, else the first.
static const si_provider *find_post_solver(const sn_model *m, sn_error *error) {
  const char *name = si_engine_selected(m->engine, "post_solver");
  const uint32_t role = SN_SOLVER_POST;
  const si_provider *p = name ? si_engine_find_among(m->engine, SN_KIND_SOLVER, name, role, role,
                                                     error)
                              : si_engine_each(m->engine, SN_KIND_SOLVER, 0);
  for (int64_t i = 1; !name && p && !is_post_solver(p); i++) {
    p = si_engine_each(m->engine, SN_KIND_SOLVER, i);
  }
  if (!p && !name) {
    si_fail(error, SN_ENOTFOUND,
            "noslip_iterations is set, but no loaded plugin provides a "
            "post-solver; add one to [plugins] of the configuration");
  }
  if (p && !is_post_solver(p)) {
    si_fail(error, SN_EINVAL, "'%s' is a main solver, not a post-solver", name);
    return NULL;
  }
  return p;
}

// The numbers that an integrator keeps in each simulation.
static sn_status integrator_states(const sn_model *m, const si_provider *p, int64_t *n,
                                   sn_error *error) {
  const sn_integrator_ops *ops = p->ops;
  si_watch call;
  si_model_enter(&call, m, p, "states");
  *n = ops->states ? ops->states(p->self, &m->view) : 0;
  SN_TRY(si_watch_end(&call, SN_OK, error));
  if (*n < 0 || *n > SN_MAX_STATES) {
    return si_fail(error, SN_EPLUGIN,
                   "the integrator '%s' declares %lld state variables; the number must be from 0 "
                   "to %d",
                   p->name, (long long)*n, SN_MAX_STATES);
  }
  return si_limit_states(m->engine, p, *n, error);
}

static sn_status bind_integrator(const sn_model *m, const si_provider *p, void **bound,
                                 sn_error *error) {
  const sn_integrator_ops *ops = p->ops;
  *bound = NULL;
  if (!ops->bind) {
    return SN_OK;
  }
  si_watch call;
  si_model_enter(&call, m, p, "bind");
  return si_watch_end(&call, ops->bind(p->self, &m->view, bound, error), error);
}

void si_unbind_integrator(sn_model *m) {
  const si_provider *p = m->bound.integrator;
  if (m->bound.integrator_bound) {
    const sn_integrator_ops *ops = p->ops;
    si_bind_end(m, p, ops->unbind, m->bound.integrator_bound);
    m->bound.integrator_bound = NULL;
  }
}

sn_status si_model_bind_algorithms(sn_model *m, sn_error *error) {
  const char *solver = effective(m, "solver", SI_CHOSEN_SOLVER, m->opt.solver);
  const char *integrator = effective(m, "integrator", SI_CHOSEN_INTEGRATOR, m->opt.integrator);
  const si_provider *s = si_engine_find_among(m->engine, SN_KIND_SOLVER, solver, SN_SOLVER_POST, 0,
                                              error);
  const si_provider *i = s ? si_engine_find(m->engine, SN_KIND_INTEGRATOR, integrator, error)
                           : NULL;
  if (!i) {
    return SN_ENOTFOUND;
  }
  if (is_post_solver(s)) {
    return si_fail(error, SN_EINVAL,
                   "'%s' is a post-solver, not a main solver; set noslip_iterations to "
                   "run it after the main solver",
                   solver);
  }
  const si_provider *post_solver = NULL;
  if (m->opt.noslip_iterations > 0) {
    post_solver = find_post_solver(m, error);
    if (!post_solver) {
      return SN_ENOTFOUND;
    }
  }
  int64_t nstate;
  void *bound;
  SN_TRY(integrator_states(m, i, &nstate, error));
  SN_TRY(bind_integrator(m, i, &bound, error));
  si_unbind_integrator(m);
  m->nintegratorstate = nstate;
  m->bound.solver = s;
  m->bound.integrator = i;
  m->bound.integrator_bound = bound;
  m->bound.post_solver = post_solver;
  return si_bind_warn_omitted(m, error);
}
