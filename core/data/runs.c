// SPDX-License-Identifier: Apache-2.0
//
// The list of runs: what the stages compute. Left out are roots that sleep, when their fields are
// complete, and what never moves, when it is computed:
//
//   bodies    0 | 1 2 | 3 4 5 | 6 | 7 8          1 2 and 6 hang from the world without a joint
//   runs            |   3 4 5     |   7 8
//
// What is left out depends on nothing that may change in a step. An edit of the model counts from
// sn_model_refresh on, which the number of refreshes shows.

#include "data/share.h"
#include "data/sleep.h"

// The dofs of a task: workers that share runs get a few tasks each, so that they end together, but
// none that takes less time than to share it.
static int32_t dofs_of_task(const sn_model *m, const sn_data *d) {
  enum { LEAST = 48, TASKS = 4 };
  if (!si_may_share(d)) {
    return INT32_MAX;
  }
  const int64_t n = m->nv / ((int64_t)TASKS * d->nworker);
  return n > LEAST ? (int32_t)n : LEAST;
}

// The poses of what does not move in a tree are known too, other fields of it depend on the center
// of mass of the tree. It is left out at the start of a run, as the base of a robot is.
static void add_run(const si_roots *roots, si_sleep *s, const si_place *begin,
                    const si_place *end) {
  const int32_t root = begin->body < end->body && s->is_fixed ? roots->of[begin->body] : -1;
  s->run[s->nrun] = (si_run){ *begin, *end };
  s->start[s->nrun++] = root >= 0 && roots->at[root].run.begin.body == begin->body
                            ? roots->at[root].moving
                            : *begin;
}

// Ends the run that starts at `begin` before `end`, and starts the next one at `next`.
static void cut(const si_roots *roots, si_sleep *s, si_place *begin, const si_place *end,
                const si_place *next) {
  if (begin->body < end->body) {
    add_run(roots, s, begin, end);
  }
  *begin = *next;
}

void si_runs_list(const sn_model *m, sn_data *d) {
  si_sleep *s = &d->sleep;
  const si_roots *roots = &m->bound.roots;
  const int32_t task = dofs_of_task(m, d), nfixed = s->is_fixed ? s->nfixed : 0;
  const int32_t nroot = s->nasleep > 0 || task < m->nv ? s->nroot : 0;
  const si_place end = { (int32_t)m->nbody, (int32_t)m->njnt,  (int32_t)m->nv,
                         (int32_t)m->nq,    (int32_t)m->ngeom, (int32_t)m->nsite };
  si_place begin = s->is_fixed ? roots->first : (si_place){ .body = 1 };
  const si_run *fixed = roots->fixed, *last = fixed + nfixed;
  s->nrun = 0;
  for (int32_t r = 0; r < nroot; r++) {
    const si_run *run = &roots->at[r].run;
    for (; fixed < last && fixed->begin.body < run->begin.body; fixed++) {
      cut(roots, s, &begin, &fixed->begin, &fixed->end);
    }
    if (s->count[r] >= 0 && s->computed[r]) {
      cut(roots, s, &begin, &run->begin, &run->end);
    } else if (run->begin.dof - begin.dof >= task) {
      cut(roots, s, &begin, &run->begin, &run->begin);
    }
  }
  for (; fixed < last; fixed++) {
    cut(roots, s, &begin, &fixed->begin, &fixed->end);
  }
  if (begin.body < end.body || s->nrun == 0) {
    add_run(roots, s, &begin, &end);
  }
}

// Not while a model is compiled, nor in a simulation that was made for other fixed bodies.
void si_runs_settle(const sn_model *m, sn_data *d) {
  si_sleep *s = &d->sleep;
  const si_roots *roots = &m->bound.roots;
  if (!s->is_fixed && roots->child && s->nfixed == roots->nfixed &&
      s->nmoment == roots->child[s->nfixed]) {
    s->is_fixed = 1;
    s->fixed_edits = m->edits;
    si_runs_list(m, d);
  }
}
