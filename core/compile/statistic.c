// SPDX-License-Identifier: Apache-2.0
//
// Statistics of a model in the configuration qpos0, where the spec does not set them.
//
//   meanmass   mean of the masses of the bodies
//   meansize   mean of the sizes of the bodies. The size of a body: how far its geoms, its joints
//              and the joints of its children reach from its center of mass
//   center     center of the box around everything: frames and centers of mass of bodies, joints,
//              sites, bounding spheres of geoms
//   extent     longest side of that box, or 2 m when it is flat along x, which is the reference's
//              test for a model of points; at least twice the mean size
//
// The world is no body here. A model of the world alone has mass 1 and size 0.2.

#include <math.h>

#include "compile/compile.h"
#include "dynamics/dynamics.h"
#include "sinew/math.h"

static const double least_size = 1e-5;   // m, of a body of points

// ------------------------------------------------------------------ sizes of bodies

static double geom_reach(const sn_model *m, const sn_data *d, int64_t i) {
  double reach = 0;
  int32_t g = m->body_geomadr[i];
  for (int32_t k = 0; k < m->body_geomnum[i]; k++, g++) {
    if (m->geom_rbound[g] > 0) {
      double distance = sn_dist3(d->geom_xpos + 3 * g, d->xipos + 3 * i);
      reach = fmax(reach, distance + m->geom_rbound[g]);
    }
  }
  return reach;
}

static double joint_reach(const sn_model *m, const sn_data *d, int64_t owner, int64_t i) {
  double reach = 0;
  int32_t j = m->body_jntadr[owner];
  for (int32_t k = 0; k < m->body_jntnum[owner]; k++, j++) {
    reach = fmax(reach, sn_dist3(d->xanchor + 3 * j, d->xipos + 3 * i));
  }
  return reach;
}

// size: nbody, written.
static double mean_size(const sn_model *m, const sn_data *d, double *size) {
  if (m->nbody < 2) {
    return 0.2;
  }
  for (int64_t i = 1; i < m->nbody; i++) {
    int32_t parent = m->body_parentid[i];
    size[i] = fmax(geom_reach(m, d, i), joint_reach(m, d, i, i));
    if (parent > 0) {
      size[parent] = fmax(size[parent], joint_reach(m, d, i, parent));
    }
  }
  double sum = 0;
  for (int64_t i = 1; i < m->nbody; i++) {
    sum += fmax(size[i], least_size);
  }
  return sum / (double)(m->nbody - 1);
}

// ------------------------------------------------------------------ the box

typedef struct box {
  double low[3], high[3];
} box;

static void enclose(box *all, const double *point, double radius) {
  for (int k = 0; k < 3; k++) {
    all->low[k] = fmin(all->low[k], point[k] - radius);
    all->high[k] = fmax(all->high[k], point[k] + radius);
  }
}

// What counts of a geom; of a plane a tenth of its size, or 1 m when it is infinite; of a height
// field a tenth of its largest size.
static double geom_radius(const sn_model *m, int64_t g) {
  const double *size = m->geom_size + 3 * g;
  if (m->geom_type[g] == SN_GEOM_HFIELD) {
    const double *extent = m->hfield_size + 4 * m->geom_dataid[g];
    return 0.1 * fmax(fmax(extent[0], extent[1]), fmax(extent[2], extent[3]));
  }
  if (m->geom_type[g] != SN_GEOM_PLANE) {
    return m->geom_rbound[g];
  }
  return size[0] <= 0 && size[1] <= 0 ? 1 : 0.1 * fmax(size[0], size[1]);
}

static box enclose_all(const sn_model *m, const sn_data *d) {
  const double far = 1e30;
  box all = { { far, far, far }, { -far, -far, -far } };
  for (int64_t i = 1; i < m->nbody; i++) {
    enclose(&all, d->xpos + 3 * i, 0);
    enclose(&all, d->xipos + 3 * i, 0);
  }
  for (int64_t i = 0; i < m->njnt; i++) {
    enclose(&all, d->xanchor + 3 * i, 0);
  }
  for (int64_t i = 0; i < m->nsite; i++) {
    enclose(&all, d->site_xpos + 3 * i, 0);
  }
  for (int64_t i = 0; i < m->ngeom; i++) {
    enclose(&all, d->geom_xpos + 3 * i, geom_radius(m, i));
  }
  return all;
}

// ------------------------------------------------------------------ all of it

static void set_unset(double *value, double computed) {
  if (isnan(*value)) {
    *value = computed;
  }
}

// context: the statistic of the model, where what is not given is computed.
static sn_status evaluate_statistic(const sn_model *m, sn_data *d, si_worker *w, void *context) {
  sn_statistic *stat = context;
  si_dyn_kinematics(m, d);
  si_mark mark = si_arena_mark(&w->scratch);
  double *size = si_arena_reals(&w->scratch, m->nbody), mass = 0;
  for (int64_t i = 0; i < m->nbody; i++) {
    size[i] = 0;
    mass += i ? m->body_mass[i] : 0;
  }
  set_unset(&stat->meanmass, m->nbody > 1 ? mass / (double)(m->nbody - 1) : 1);
  double reach = mean_size(m, d, size);
  set_unset(&stat->meansize, reach);
  si_arena_release(&w->scratch, mark);

  box all = enclose_all(m, d);
  double longest = 0;
  for (int k = 0; k < 3; k++) {
    int empty = all.low[k] > all.high[k];
    set_unset(&stat->center[k], empty ? 0 : (all.low[k] + all.high[k]) / 2);
    longest = empty ? longest : fmax(longest, all.high[k] - all.low[k]);
  }
  set_unset(&stat->extent, fmax(all.high[0] > all.low[0] ? longest : 2, 2 * reach));
  return SN_OK;
}

sn_status si_compile_statistic_fill(si_build *b) {
  sn_data *d = sn_data_new(b->m, b->error);
  sn_status status = d ? si_compile_evaluate(evaluate_statistic, b->m, d, &b->m->stat, b->error)
                       : SN_ENOMEM;
  sn_data_free(d);
  return status;
}
