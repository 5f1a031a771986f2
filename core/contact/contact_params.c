// SPDX-License-Identifier: Apache-2.0
//
// Parameters of a contact: those of its explicit pair, or mixed from the two geoms, as documented
// in "Contact parameters" of the modeling chapter; and the global override.
//
//   condim, friction, restitution   of the geom with higher priority, else the maximum
//   solref, solimp     of the geom with higher priority, else the mean weighted by solmix; but the
//                      element-wise minimum of solref when either is in the direct format
//   margin, gap, speculative   the maximum, whatever the priority

#include "contact/collision.h"

double si_mix_margin(const sn_model *m, int32_t geom1, int32_t geom2, int32_t pair) {
  if (si_is_override(m)) {
    return m->opt.o_margin;
  }
  return pair >= 0 ? m->pair_margin[pair] : sn_max(m->geom_margin[geom1], m->geom_margin[geom2]);
}

double si_mix_speculative(const sn_model *m, int32_t geom1, int32_t geom2) {
  const double one = m->geom_speculative[geom1], two = m->geom_speculative[geom2];
  return one > two ? one : two;
}

double si_mix_reach(const sn_model *m, int32_t geom1, int32_t geom2, int32_t pair) {
  if (pair >= 0) {
    return si_mix_margin(m, geom1, geom2, pair) + si_mix_speculative(m, geom1, geom2);
  }
  return sn_max(si_geom_reach(m, geom1), si_geom_reach(m, geom2));
}

static double solmix_weight(double mix1, double mix2) {
  double sum = mix1 + mix2;
  return mix1 < SN_TINY && mix2 < SN_TINY ? 0.5 : mix1 / sum;
}

static void expand_friction(double *out, const double *friction) {
  out[0] = out[1] = friction[0];
  out[2] = friction[1];
  out[3] = out[4] = friction[2];
}

static void mix_equal(const sn_model *m, int64_t g1, int64_t g2, si_contact_params *out) {
  const double *ref1 = m->geom_solref + SI_NREFERENCE * g1,
               *ref2 = m->geom_solref + SI_NREFERENCE * g2;
  const double *imp1 = m->geom_solimp + SI_NIMPEDANCE * g1,
               *imp2 = m->geom_solimp + SI_NIMPEDANCE * g2;
  double weight = solmix_weight(m->geom_solmix[g1], m->geom_solmix[g2]);
  int standard = ref1[0] > 0 && ref2[0] > 0;
  for (int k = 0; k < 2; k++) {
    out->solref[k] = standard ? weight * ref1[k] + (1 - weight) * ref2[k]
                              : sn_min(ref1[k], ref2[k]);
  }
  for (int k = 0; k < 5; k++) {
    out->solimp[k] = weight * imp1[k] + (1 - weight) * imp2[k];
  }
  double friction[3];
  for (int k = 0; k < 3; k++) {
    friction[k] = sn_max(m->geom_friction[3 * g1 + k], m->geom_friction[3 * g2 + k]);
  }
  expand_friction(out->friction, friction);
  out->restitution = sn_max(m->geom_restitution[g1], m->geom_restitution[g2]);
  int32_t dim1 = m->geom_condim[g1], dim2 = m->geom_condim[g2];
  out->dim = dim1 > dim2 ? dim1 : dim2;
}

static void mix_dynamic(const sn_model *m, int64_t g1, int64_t g2, si_contact_params *out) {
  if (m->geom_priority[g1] == m->geom_priority[g2]) {
    mix_equal(m, g1, g2, out);
    return;
  }
  int64_t winner = m->geom_priority[g1] > m->geom_priority[g2] ? g1 : g2;
  memcpy(out->solref, m->geom_solref + SI_NREFERENCE * winner, sizeof out->solref);
  memcpy(out->solimp, m->geom_solimp + SI_NIMPEDANCE * winner, sizeof out->solimp);
  expand_friction(out->friction, m->geom_friction + 3 * winner);
  out->restitution = m->geom_restitution[winner];
  out->dim = m->geom_condim[winner];
}

void si_mix(const sn_model *m, const si_candidate *candidate, si_contact_params *out) {
  int64_t g1 = candidate->geom1, g2 = candidate->geom2, pair = candidate->pair;
  double gap;
  if (pair >= 0) {
    gap = m->pair_gap[pair];
    out->dim = m->pair_dim[pair];
    out->restitution = m->pair_restitution[pair];
    memcpy(out->friction, m->pair_friction + 5 * pair, sizeof out->friction);
    memcpy(out->solref, m->pair_solref + SI_NREFERENCE * pair, sizeof out->solref);
    memcpy(out->solimp, m->pair_solimp + SI_NIMPEDANCE * pair, sizeof out->solimp);
  } else {
    gap = sn_max(m->geom_gap[g1], m->geom_gap[g2]);
    mix_dynamic(m, g1, g2, out);
  }
  out->includemargin = si_mix_margin(m, candidate->geom1, candidate->geom2, candidate->pair) - gap;
  out->speculative = si_mix_speculative(m, candidate->geom1, candidate->geom2);
  for (int k = 0; k < 5; k++) {
    out->friction[k] = sn_max(si_min_friction, out->friction[k]);
  }
  if (si_is_override(m)) {
    memcpy(out->solref, m->opt.o_solref, sizeof out->solref);
    memcpy(out->solimp, m->opt.o_solimp, sizeof out->solimp);
  }
}
