// SPDX-License-Identifier: Apache-2.0
//
// Forward dynamics, in the documented order: positions, then velocities, then accelerations.
// A stage reads earlier fields of the data and writes those that fields_data.h names after it.

#include "step/pipeline.h"

#include "constraint/constraint.h"
#include "contact/contact.h"
#include "dynamics/dynamics.h"
#include "step/sensors.h"

sn_status si_position(const sn_model *m, sn_data *d) {
  d->computed = 0;
  si_dyn_kinematics(m, d);
  si_dyn_com(m, d);
  si_dyn_camlight(m, d);
  si_dyn_tendon(m, d);
  si_dyn_crb(m, d);
  si_dyn_factor(m, d);
  SN_TRY(si_collide(m, d));
  SN_TRY(si_constraint_make(m, d));
  si_dyn_transmission(m, d);
  return SN_OK;
}

sn_status si_velocities(const sn_model *m, sn_data *d) {
  d->computed &= ~(SI_HAS_SUBTREE | SI_HAS_ENERGY_VEL);
  si_dyn_velocity(m, d);
  si_dyn_comvel(m, d);
  SN_TRY(si_dyn_passive(m, d));
  si_constraint_reference(m, d);
  si_dyn_rne(m, d, NULL, d->qfrc_bias);
  return SN_OK;
}

sn_status si_accelerations(const sn_model *m, sn_data *d) {
  d->computed &= ~SI_HAS_BODY_FORCES;
  SN_TRY(si_dyn_actuation(m, d));
  si_dyn_smooth(m, d);
  return si_solve(m, d);
}

static void energy(const sn_model *m, sn_data *d, void (*compute)(const sn_model *, sn_data *)) {
  if (m->opt.enableflags & SN_ENABLE_ENERGY) {
    compute(m, d);
  }
}

sn_status si_forward_from(const sn_model *m, sn_data *d, int done, int skip_sensors) {
  if (done < SN_STAGE_POSITION) {
    SN_TRY(si_position(m, d));
    if (!skip_sensors) {
      SN_TRY(si_sense(m, d, SN_STAGE_POSITION));
      energy(m, d, si_dyn_energy_position);
    }
  }
  if (done < SN_STAGE_VELOCITY) {
    SN_TRY(si_velocities(m, d));
    if (!skip_sensors) {
      SN_TRY(si_sense(m, d, SN_STAGE_VELOCITY));
      energy(m, d, si_dyn_energy_velocity);
    }
  }
  SN_TRY(si_accelerations(m, d));
  return skip_sensors ? SN_OK : si_sense(m, d, SN_STAGE_ACCELERATION);
}

sn_status si_forward_all(const sn_model *m, sn_data *d, int skip_sensors) {
  return si_forward_from(m, d, 0, skip_sensors);
}

// ------------------------------------------------------------------ the public faces

// A stage as si_guarded calls it, and the function that applications call.
#define PUBLIC_STAGE(name, mask, call)                                          \
  static sn_status name##_stage(const sn_model *m, sn_data *d, void *context) { \
    (void)context;                                                              \
    return call;                                                                \
  }                                                                             \
  sn_status name(const sn_model *model, sn_data *data) {                        \
    return si_guarded(name##_stage, model, data, mask, NULL);                   \
  }

static sn_status body_forces(const sn_model *m, sn_data *d) {
  if (!(d->computed & SI_HAS_BODY_FORCES)) {
    si_dyn_rne_post(m, d);
    d->computed |= SI_HAS_BODY_FORCES;
  }
  return SN_OK;
}

static sn_status subtree(const sn_model *m, sn_data *d) {
  if (!(d->computed & SI_HAS_SUBTREE)) {
    si_dyn_subtree(m, d);
    d->computed |= SI_HAS_SUBTREE;
  }
  return SN_OK;
}

static sn_status both_energies(const sn_model *m, sn_data *d) {
  si_dyn_energy_position(m, d);
  si_dyn_energy_velocity(m, d);
  return SN_OK;
}

PUBLIC_STAGE(sn_forward, SI_EVALUATION_WRITES, si_forward_all(m, d, 0))
PUBLIC_STAGE(sn_forward_position, SI_EVALUATION_WRITES, si_position(m, d))
PUBLIC_STAGE(sn_forward_velocity, SI_EVALUATION_WRITES, si_velocities(m, d))
PUBLIC_STAGE(sn_body_forces, 0, body_forces(m, d))
PUBLIC_STAGE(sn_subtree_velocities, 0, subtree(m, d))
PUBLIC_STAGE(sn_compute_energy, 0, both_energies(m, d))
