// SPDX-License-Identifier: Apache-2.0
//
// Forward dynamics, in the documented order: positions, then velocities, then accelerations.
// A stage reads earlier fields of the data and writes those that fields_data.h names after it.

#include "step/pipeline.h"

#include "constraint/constraint.h"
#include "contact/contact.h"
#include "dynamics/dynamics.h"
#include "step/sensors.h"

void si_position_smooth(const sn_model *m, sn_data *d, si_worker *w) {
  d->computed = 0;
  si_dyn_kinematics(m, d);
  si_dyn_com(m, d);
  si_dyn_camlight(m, d);
  si_dyn_tendon(m, d, w);
  si_dyn_crb(m, d);
  si_dyn_factor(m, d, w);
}

sn_status si_position(const sn_model *m, sn_data *d, si_worker *w) {
  si_position_smooth(m, d, w);
  SN_TRY(si_collide(m, d, w));
  SN_TRY(si_constraint_make(m, d, w));
  si_constraint_islands(m, d, w);
  si_dyn_transmission(m, d, w);   // adhesion depends on the contacts
  return SN_OK;
}

sn_status si_velocities(const sn_model *m, sn_data *d, si_worker *w) {
  d->computed &= ~(SI_HAS_SUBTREE | SI_HAS_ENERGY_VEL);
  si_dyn_velocity(m, d);
  si_dyn_comvel(m, d);
  SN_TRY(si_dyn_passive(m, d, w));
  si_constraint_reference(m, d);
  si_dyn_rne(m, d, w, NULL, d->qfrc_bias);
  return SN_OK;
}

sn_status si_accelerations(const sn_model *m, sn_data *d, si_worker *w) {
  d->computed &= ~SI_HAS_BODY_FORCES;
  SN_TRY(si_dyn_actuation(m, d, w));
  si_dyn_smooth(m, d);
  return si_solve(m, d, w);
}

sn_status si_forward_from(const sn_model *m, sn_data *d, si_worker *w, int done, int skip_sensors) {
  if (done < SN_STAGE_POSITION) {
    SN_TRY(si_position(m, d, w));
    if (!skip_sensors) {
      SN_TRY(si_sense(m, d, w, SN_STAGE_POSITION));
      if (m->opt.enableflags & SN_ENABLE_ENERGY) {
        si_dyn_energy_position(m, d);
      }
    }
  }
  if (done < SN_STAGE_VELOCITY) {
    SN_TRY(si_velocities(m, d, w));
    if (!skip_sensors) {
      SN_TRY(si_sense(m, d, w, SN_STAGE_VELOCITY));
      if (m->opt.enableflags & SN_ENABLE_ENERGY) {
        si_dyn_energy_velocity(m, d, w);
      }
    }
  }
  SN_TRY(si_accelerations(m, d, w));
  return skip_sensors ? SN_OK : si_sense(m, d, w, SN_STAGE_ACCELERATION);
}

sn_status si_forward_all(const sn_model *m, sn_data *d, si_worker *w, int skip_sensors) {
  return si_forward_from(m, d, w, 0, skip_sensors);
}

// ------------------------------------------------------------------ quantities on request

void si_need_body_forces(const sn_model *m, sn_data *d) {
  if (!(d->computed & SI_HAS_BODY_FORCES)) {
    si_dyn_rne_post(m, d);
    d->computed |= SI_HAS_BODY_FORCES;
  }
}

void si_need_subtree_velocities(const sn_model *m, sn_data *d) {
  if (!(d->computed & SI_HAS_SUBTREE)) {
    si_dyn_subtree(m, d);
    d->computed |= SI_HAS_SUBTREE;
  }
}

// ------------------------------------------------------------------ public functions

static sn_status forward(const sn_model *m, sn_data *d, si_worker *w, void *context) {
  (void)context;
  return si_forward_all(m, d, w, 0);
}

static sn_status position(const sn_model *m, sn_data *d, si_worker *w, void *context) {
  (void)context;
  return si_position(m, d, w);
}

static sn_status velocity(const sn_model *m, sn_data *d, si_worker *w, void *context) {
  (void)context;
  return si_velocities(m, d, w);
}

static sn_status body_forces(const sn_model *m, sn_data *d, si_worker *w, void *context) {
  (void)w;
  (void)context;
  si_need_body_forces(m, d);
  return SN_OK;
}

static sn_status subtree_velocities(const sn_model *m, sn_data *d, si_worker *w, void *context) {
  (void)w;
  (void)context;
  si_need_subtree_velocities(m, d);
  return SN_OK;
}

static sn_status energy(const sn_model *m, sn_data *d, si_worker *w, void *context) {
  (void)context;
  si_dyn_energy_position(m, d);
  si_dyn_energy_velocity(m, d, w);
  return SN_OK;
}

sn_status sn_forward(const sn_model *model, sn_data *data) {
  return si_guarded(forward, model, data, SI_EVALUATION_WRITES, NULL);
}

sn_status sn_forward_position(const sn_model *model, sn_data *data) {
  return si_guarded(position, model, data, SI_EVALUATION_WRITES, NULL);
}

sn_status sn_forward_velocity(const sn_model *model, sn_data *data) {
  return si_guarded(velocity, model, data, SI_EVALUATION_WRITES, NULL);
}

sn_status sn_body_forces(const sn_model *model, sn_data *data) {
  return si_guarded(body_forces, model, data, 0, NULL);
}

sn_status sn_subtree_velocities(const sn_model *model, sn_data *data) {
  return si_guarded(subtree_velocities, model, data, 0, NULL);
}

sn_status sn_compute_energy(const sn_model *model, sn_data *data) {
  return si_guarded(energy, model, data, 0, NULL);
}
