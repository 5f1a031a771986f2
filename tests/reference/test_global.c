// SPDX-License-Identifier: Apache-2.0
//
// Global coordinates beside the reference engine: frames that are given, inferred from an inertial
// frame, inferred from geoms; everything that is in bodies; anchors of equalities.

#include <math.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "data/data.h"
#include "model_file.h"
#include "spec/spec.h"
#include "suite.h"

static void near(const char *what, const double *ours, const double *theirs, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    ck_assert_msg(fabs(ours[i] - theirs[i]) < 1e-10, "%s[%lld]: %.17g, the reference has %.17g",
                  what, (long long)i, ours[i], theirs[i]);
  }
}
#define NEAR(field, n) near(#field, m->field, r->field, n)

static void same_model(const char *text) {
  char path[] = "/tmp/sinew-global-XXXXXX.xml", message[500] = "";
  int fd = mkstemps(path, 4);
  ck_assert_int_ge(fd, 0);
  ck_assert(write(fd, text, strlen(text)) == (ssize_t)strlen(text));
  close(fd);
  mjModel *r = mj_loadXML(path, NULL, message, sizeof message);
  ck_assert_msg(r != NULL, "%s", message);

  sn_error *error = sn_error_new();
  sn_engine *engine = sn_engine_open(NULL, error);
  sn_model *m = engine ? sn_load(engine, path, error) : NULL;
  unlink(path);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  NEAR(body_pos, 3 * m->nbody);
  NEAR(body_quat, 4 * m->nbody);
  NEAR(body_ipos, 3 * m->nbody);
  NEAR(body_mass, m->nbody);
  NEAR(body_inertia, 3 * m->nbody);
  NEAR(jnt_pos, 3 * m->njnt);
  NEAR(jnt_axis, 3 * m->njnt);
  NEAR(geom_pos, 3 * m->ngeom);
  NEAR(geom_quat, 4 * m->ngeom);
  NEAR(geom_size, 3 * m->ngeom);
  NEAR(site_pos, 3 * m->nsite);
  NEAR(site_quat, 4 * m->nsite);
  NEAR(cam_pos, 3 * m->ncam);
  NEAR(cam_quat, 4 * m->ncam);
  NEAR(light_pos, 3 * m->nlight);
  NEAR(light_dir, 3 * m->nlight);
  NEAR(eq_data, 11 * m->neq);
  NEAR(qpos0, m->nq);
  mj_deleteModel(r);
  sn_model_free(m);
  sn_engine_close(engine);
  sn_error_free(error);
}

START_TEST(frames_given_and_inferred) {
  same_model(model_file("reference/global_coordinates"));
}
END_TEST

START_TEST(inertia_from_geoms) {
  same_model(model_file("reference/explicit_inertia"));
}
END_TEST

START_TEST(frames_with_nothing_to_infer_from) {
  static const char text[] =
      "<mujoco><compiler coordinate='global'/><worldbody><body name='n'><body pos='0 0 1'><joint/>"
      "<geom size='.1'/></body></body></worldbody></mujoco>";
  sn_error *error = sn_error_new();
  sn_engine *engine = sn_engine_open(NULL, error);
  ck_assert_int_ge(sn_engine_add_resource(engine, "n.xml", text, (int64_t)strlen(text), error), 0);
  ck_assert_ptr_null(sn_load(engine, "n.xml", error));
  ck_assert_ptr_nonnull(strstr(sn_error_text(error), "body 'n': its position is not specified"));
  sn_engine_close(engine);
  sn_error_free(error);
}
END_TEST

TESTS() {
  TEST(frames_given_and_inferred);
  TEST(inertia_from_geoms);
  TEST(frames_with_nothing_to_infer_from);
}
