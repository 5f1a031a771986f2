// SPDX-License-Identifier: Apache-2.0
//
// After an application edited the arrays of a compiled model: what follows from them is made again,
// first the arrays that are computed of others, then what plugins and the stages of a step keep.

#include "edit/refresh.h"

#include <stdlib.h>
#include <string.h>

#include "base/plain.h"
#include "compile/compile.h"
#include "dynamics/pattern.h"
#include "model/validate.h"

static si_build begin(sn_model *m, sn_error *error) {
  si_build b = { .engine = m->engine, .error = error, .m = m };
  b.deadline = si_limit_start(m->engine);
  si_subtree_masses(m);
  for (int64_t g = 0; g < m->ngeom; g++) {
    m->geom_rbound[g] = si_geom_bound(m->geom_type[g], m->geom_size + 3 * g);
  }
  return b;
}

static sn_status compute(sn_model *m, sn_error *error) {
  si_build b = begin(m, error);
  SN_TRY(si_patterns_new(m, &m->bound.patterns, error));   // for the evaluation of qpos0
  return si_recompute_set0(&b, NULL, NULL);
}

sn_status si_refresh_quantities(sn_model *m, sn_data *data, double *zeros, sn_error *error) {
  si_build b = begin(m, error);
  m->edits++;
  return si_recompute_set0(&b, data, zeros);
}

// Binding warns of what it warned of before.
static void drop_known_warnings(sn_model *m, int64_t known) {
  for (int64_t i = known; i < m->nwarning;) {
    int64_t k = 0;
    while (k < known && strcmp(m->warning[k], m->warning[i]) != 0) {
      k++;
    }
    if (k == known) {
      i++;
      continue;
    }
    free(m->warning[i]);
    m->nwarning--;
    memmove(m->warning + i, m->warning + i + 1, (size_t)(m->nwarning - i) * sizeof *m->warning);
  }
}

// The old binding is released when the new one is complete.
sn_status si_refresh_all(sn_model *m, sn_error *error) {
  si_model_free_kept(m);
  const si_bound old = m->bound;
  const int64_t nstate = m->nforcestate;
  m->bound = (si_bound){ 0 };
  m->nforcestate = 0;
  sn_status status = compute(m, error);
  status = status < 0 ? status : si_model_bind(m, error);
  if (status >= 0 && m->nforcestate != nstate) {
    status = si_fail(error, SN_EUNSUPPORTED,
                     "the edit changes the number of states of passive forces from %lld to %lld, "
                     "and simulations of the model may exist; edit the spec and compile it",
                     (long long)nstate, (long long)m->nforcestate);
  }
  const si_bound made = m->bound;
  m->bound = status < 0 ? made : old;
  si_model_unbind(m);
  m->bound = status < 0 ? old : made;
  m->nforcestate = nstate;
  m->edits += status >= 0;
  return status;
}

sn_status sn_model_refresh(sn_model *model, sn_error *error) {
  si_error_clear(error);
  SN_TRY(si_model_validate(model, NULL, error));
  const size_t bytes = (size_t)model->nbuffer;
  const int64_t nwarning = model->nwarning;
  void *arrays = malloc(bytes + 1);
  if (!arrays) {
    return si_fail(error, SN_ENOMEM, "out of memory while refreshing a model");
  }
  memcpy(arrays, model->buffer, bytes);
  SI_PLAIN_LOCALE;
  sn_status status = si_refresh_all(model, error);
  if (status < 0) {
    memcpy(model->buffer, arrays, bytes);
  }
  drop_known_warnings(model, nwarning);
  free(arrays);
  return status;
}
