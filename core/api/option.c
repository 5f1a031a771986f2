// SPDX-License-Identifier: Apache-2.0
//
// Options and settings of a compiled model. Solver and integrator are resolved at once, so that a
// wrong name is an error here.

#include <string.h>

#include "base/plain.h"
#include "bind/bind.h"
#include "spec/spec.h"

// The one way in which options of a model change: checked, and the algorithms resolved again when
// they may be others. chosen: SI_CHOSEN_* that now win over the configuration. All or nothing.
static sn_status change(sn_model *m, const sn_option *option, int32_t chosen, sn_error *error) {
  const sn_option old = m->opt;
  const int32_t old_chosen = m->chosen;
  SN_TRY(si_option_check(option, error));
  m->opt = *option;
  m->chosen |= chosen;
  const int same = m->chosen == old_chosen && strcmp(old.solver, option->solver) == 0 &&
                   strcmp(old.integrator, option->integrator) == 0 &&
                   old.noslip_iterations == option->noslip_iterations;
  SI_PLAIN_LOCALE;
  sn_status status = same ? SN_OK : si_model_bind_algorithms(m, error);
  if (status < 0) {
    m->opt = old;
    m->chosen = old_chosen;
  }
  return status;
}

sn_status sn_model_get_option(const sn_model *m, sn_option *option) {
  return si_shape_export(option, &m->opt, sizeof m->opt, "option", NULL);
}

sn_status sn_model_get_statistic(const sn_model *m, sn_statistic *statistic) {
  return si_shape_export(statistic, &m->stat, sizeof m->stat, "statistic", NULL);
}

sn_status sn_model_get_visual(const sn_model *m, sn_visual *visual) {
  return si_shape_export(visual, &m->vis, sizeof m->vis, "visual", NULL);
}

sn_status sn_model_set_option(sn_model *m, const sn_option *option, sn_error *error) {
  sn_option ours = m->opt;
  SN_TRY(si_shape_update(&ours, sizeof ours, option, "option", NULL, error));
  if (!memchr(ours.solver, 0, SN_NAME_MAX) || !memchr(ours.integrator, 0, SN_NAME_MAX)) {
    return si_fail(error, SN_EINVAL,
                   "the name of a solver or integrator does not end within %d bytes", SN_NAME_MAX);
  }
  const int32_t chosen = (strcmp(ours.solver, m->opt.solver) != 0 ? SI_CHOSEN_SOLVER : 0) |
                         (strcmp(ours.integrator, m->opt.integrator) != 0 ? SI_CHOSEN_INTEGRATOR
                                                                          : 0);
  const int had_pyramids = m->opt.cone == SN_CONE_PYRAMIDAL;
  SN_TRY(change(m, &ours, chosen, error));
  return had_pyramids ? SN_OK : si_model_note_cone(m, error);
}

sn_status sn_model_parse_option(sn_model *m, const char *name, const char *value, sn_error *error) {
  sn_option changed = m->opt;
  int32_t chosen;
  const sn_status status = si_option_parse(&changed, name, value, &chosen, error);
  const si_provider *owner = status == SN_ENOTFOUND ? si_engine_parameter_owner(m->engine, name)
                                                    : NULL;
  if (owner) {
    return si_fail(error, SN_ENOTFOUND,
                   "'%s' is not an option of a model, but a parameter of a plugin: set "
                   "'plugin.%s.%s'",
                   name, owner->name, name);
  }
  SN_TRY(status);
  SN_TRY(change(m, &changed, chosen, error));
  return strcmp(name, "cone") == 0 ? si_model_note_cone(m, error) : SN_OK;
}
