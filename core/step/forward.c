// SPDX-License-Identifier: Apache-2.0
//
// Forward dynamics, in the documented order: positions, then velocities, then accelerations.
// A stage reads earlier fields of the data and writes those that fields_data.h names after it.

#include "step/pipeline.h"

#include "constraint/constraint.h"
#include "contact/contact.h"
#include "data/sleep.h"
#include "dynamics/dynamics.h"
#include "step/sensors.h"

void si_position_smooth(const sn_model *m, sn_data *d, si_worker *w) {
  d->computed = 0;
  SI_TIMED(w, kinematics, si_dyn_kinematics(m, d));
  SI_TIMED(w, com, si_dyn_com(m, d));
  SI_TIMED(w, camlight, si_dyn_camlight(m, d));
  SI_TIMED(w, tendon, si_dyn_tendon(m, d));
  SI_TIMED(w, inertia, si_dyn_inertia(m, d, w));
  SI_TIMED(w, factor, si_dyn_factor(m, d, w));
  if (!d->sleep.is_fixed) {
    si_runs_settle(m, d);
  }
}

sn_status si_position(const sn_model *m, sn_data *d, si_worker *w) {
  int woken;
  si_position_smooth(m, d, w);
  do {
    woken = 0;
    SI_TRY_TIMED(w, collide, si_collide(m, d, w));
    SI_TRY_TIMED(w, constraint, si_constraint_make(m, d, w));
    if (si_any_asleep(d)) {
      SI_TIMED(w, sleep, woken = si_sleep_wake_touched(m, d));
    }
  } while (woken);
  SI_TIMED(w, island, si_constraint_islands(m, d, w));
  SI_TIMED(w, transmission, si_dyn_transmission(m, d, w));   // adhesion depends on the contacts
  return SN_OK;
}

sn_status si_velocities(const sn_model *m, sn_data *d, si_worker *w) {
  d->computed &= ~(SI_HAS_SUBTREE | SI_HAS_ENERGY_VEL);
  SI_TIMED(w, velocity, si_dyn_velocity(m, d));
  SI_TIMED(w, comvel, si_dyn_comvel(m, d));
  SI_TRY_TIMED(w, passive, si_dyn_passive(m, d, w));
  SI_TIMED(w, reference, si_constraint_reference(m, d, w));
  SI_TIMED(w, rne, si_dyn_rne(m, d, w, NULL, d->qfrc_bias));
  return SN_OK;
}

sn_status si_accelerations(const sn_model *m, sn_data *d, si_worker *w) {
  d->computed &= ~SI_HAS_BODY_FORCES;
  SI_TRY_TIMED(w, control, si_dyn_control(m, d, w));
  SI_TRY_TIMED(w, actuation, si_dyn_actuation(m, d, w));
  SI_TIMED(w, smooth, si_dyn_smooth(m, d));
  SI_TRY_TIMED(w, solve, si_solve(m, d, w));
  if (si_sleep_in_use(m, d)) {
    SI_TIMED(w, sleep, si_sleep_hold(m, d));
  }
  return SN_OK;
}

static int wants_energy(const sn_model *m) {
  return (m->opt.enableflags & SN_ENABLE_ENERGY) != 0;
}

sn_status si_forward_position(const sn_model *m, sn_data *d, si_worker *w, int skip_sensors) {
  SN_TRY(si_position(m, d, w));
  if (!skip_sensors) {
    SI_TRY_TIMED(w, sensors, si_sense(m, d, w, SN_STAGE_POSITION));
  }
  if (!skip_sensors && wants_energy(m)) {
    SI_TIMED(w, energy, si_dyn_energy_position(m, d));
  }
  return SN_OK;
}

sn_status si_forward_from(const sn_model *m, sn_data *d, si_worker *w, int done, int skip_sensors) {
  const int sense = !skip_sensors;
  if (done < SN_STAGE_POSITION) {
    SN_TRY(si_forward_position(m, d, w, skip_sensors));
  }
  if (done < SN_STAGE_VELOCITY) {
    SN_TRY(si_velocities(m, d, w));
    if (sense) {
      SI_TRY_TIMED(w, sensors, si_sense(m, d, w, SN_STAGE_VELOCITY));
    }
    if (sense && wants_energy(m)) {
      SI_TIMED(w, energy, si_dyn_energy_velocity(m, d, w));
    }
  }
  SN_TRY(si_accelerations(m, d, w));
  if (sense) {
    SI_TRY_TIMED(w, sensors, si_sense(m, d, w, SN_STAGE_ACCELERATION));
  }
  return SN_OK;
}

sn_status si_forward_all(const sn_model *m, sn_data *d, si_worker *w, int skip_sensors) {
  return si_forward_from(m, d, w, 0, skip_sensors);
}

// ------------------------------------------------------------------ quantities on request

void si_need_body_forces(const sn_model *m, sn_data *d, si_worker *w) {
  if (!(d->computed & SI_HAS_BODY_FORCES)) {
    SI_TIMED(w, rnepost, si_dyn_rne_post(m, d));
    d->computed |= SI_HAS_BODY_FORCES;
  }
}

void si_need_subtree_velocities(const sn_model *m, sn_data *d, si_worker *w) {
  if (!(d->computed & SI_HAS_SUBTREE)) {
    SI_TIMED(w, subtree, si_dyn_subtree(m, d));
    d->computed |= SI_HAS_SUBTREE;
  }
}

// ------------------------------------------------------------------ public functions

static sn_status forward(const sn_model *m, sn_data *d, si_worker *w, void *context) {
  (void)context;
  si_runs_forget(m, d);
  if (si_sleep_in_use(m, d)) {
    SI_TIMED(w, sleep, si_sleep_wake_edited(m, d));
  }
  return si_forward_all(m, d, w, 0);
}

static sn_status position(const sn_model *m, sn_data *d, si_worker *w, void *context) {
  (void)context;
  si_runs_forget(m, d);
  if (si_sleep_in_use(m, d)) {
    SI_TIMED(w, sleep, si_sleep_wake_edited(m, d));
  }
  return si_position(m, d, w);
}

static sn_status velocity(const sn_model *m, sn_data *d, si_worker *w, void *context) {
  (void)context;
  return si_velocities(m, d, w);
}

static sn_status body_forces(const sn_model *m, sn_data *d, si_worker *w, void *context) {
  (void)context;
  si_need_body_forces(m, d, w);
  return SN_OK;
}

static sn_status subtree_velocities(const sn_model *m, sn_data *d, si_worker *w, void *context) {
  (void)context;
  si_need_subtree_velocities(m, d, w);
  return SN_OK;
}

static sn_status energy(const sn_model *m, sn_data *d, si_worker *w, void *context) {
  (void)context;
  SI_TIMED(w, energy, si_dyn_energy_position(m, d));
  SI_TIMED(w, energy, si_dyn_energy_velocity(m, d, w));
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
