// SPDX-License-Identifier: Apache-2.0
//
// The robots of tests/robots, written as MJCF, in the reference engine: it loads each, with the
// same sizes, masses and joints.

#include <math.h>
#include <mujoco/mujoco.h>

#include "loading.h"
#include "reference/same_model.h"
#include "robots/table.h"
#include "suite.h"

static char path[600], written[600];

static int has_plugin(const char *name) {
  char file[600];
  snprintf(file, sizeof file, SN_TEST_BUILD "/plugins/%s.so", name);
  return access(file, R_OK) == 0;
}

// Writes the robot as MJCF; returns its model.
static sn_model *convert(const robot_row *row) {
  char lines[300], packages[600];
  snprintf(lines, sizeof lines, "%s%s", row->lines[0] ? "[plugin.urdf]\n" : "", row->lines);
  snprintf(path, sizeof path, SN_TEST_SOURCE "/tests/robots/%s", row->file);
  open_engine(lines);
  snprintf(written, sizeof written, "%s/written.xml", folder);
  if (row->packages) {
    snprintf(packages, sizeof packages, SN_TEST_SOURCE "/tests/robots/%s", row->packages);
    setenv("ROS_PACKAGE_PATH", packages, 1);
  }
  sn_spec *spec = sn_spec_load(engine, path, error);
  ck_assert_msg(spec != NULL, "%s: %s", row->file, sn_error_text(error));
  fuse_as_the_reference(spec);
  sn_model *m = sn_compile(spec, error);
  ck_assert_msg(m != NULL, "%s: %s", row->file, sn_error_text(error));
  ck_assert_msg(sn_spec_save(spec, "mjcf", written, error) >= 0, "%s: %s", row->file,
                sn_error_text(error));
  sn_spec_free(spec);
  return m;
}

// ------------------------------------------------------------------ comparing

// Principal axes are searched for there, to 1e-7; vertices of meshes have single precision.
static void same(const char *file, const char *what, const double *got, const double *want,
                 int64_t n, double tolerance) {
  for (int64_t i = 0; i < n; i++) {
    ck_assert_msg(fabs(got[i] - want[i]) <= tolerance * fmax(1, fabs(want[i])),
                  "%s: %s[%lld] is %.12g instead of %.12g", file, what, (long long)i, got[i],
                  want[i]);
  }
}

static void same_as_ours(const char *file, const sn_model *a, const mjModel *b) {
  ck_assert_msg(snm_nq(a) == b->nq && snm_nv(a) == b->nv && snm_nbody(a) == b->nbody &&
                    snm_ngeom(a) == b->ngeom && snm_neq(a) == b->neq && snm_nu(a) == b->nu,
                "%s: other sizes", file);
  for (int i = 1; i < b->nbody; i++) {
    const char *name = mj_id2name(b, mjOBJ_BODY, i);
    ck_assert_str_eq(sn_name(a, "body", i), name ? name : "");
  }
  same(file, "body_mass", snm_body_mass(a), b->body_mass, b->nbody, 1e-6);
  same(file, "body_ipos", snm_body_ipos(a), b->body_ipos, 3 * b->nbody, 1e-6);
  same(file, "body_pos", snm_body_pos(a), b->body_pos, 3 * b->nbody, 1e-12);
  same(file, "body_inertia", snm_body_inertia(a), b->body_inertia, 3 * b->nbody, 1e-6);
  for (int g = 0; g < b->ngeom; g++) {   // it gives a mesh without volume no size
    const double *size = b->geom_size + 3 * g;
    if (size[0] != 0 || size[1] != 0 || size[2] != 0) {
      same(file, "geom_size", snm_geom_size(a) + 3 * g, size, 3, 1e-6);
    }
  }
  same(file, "jnt_axis", snm_jnt_axis(a), b->jnt_axis, 3 * b->njnt, 1e-12);
  same(file, "jnt_range", snm_jnt_range(a), b->jnt_range, 2 * b->njnt, 1e-12);
  same(file, "dof_damping", snm_dof_damping(a), b->dof_damping, b->nv, 1e-12);
  same(file, "qpos0", snm_qpos0(a), b->qpos0, b->nq, 1e-12);
}

START_TEST(converted_robots_load_in_the_reference) {
  const robot_row *row = &robots[_i];
  char why[1000] = "";
  if (row->rejected || ((row->flags & ROBOT_ASSIMP) && !has_plugin("assimp"))) {
    return;
  }
  sn_model *m = convert(row);
  mjModel *b = mj_loadXML(written, NULL, why, sizeof why);
  ck_assert_msg(b != NULL, "%s: %s", row->file, why);
  same_as_ours(row->file, m, b);
  mj_deleteModel(b);
  sn_model_free(m);
  close_engine();
}
END_TEST

TESTS() {
  EACH(converted_robots_load_in_the_reference, 0, NROBOTS);
}
