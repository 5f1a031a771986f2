// SPDX-License-Identifier: Apache-2.0
//
// Copying back, number by number: each real number of a model that has one of everything is edited,
// copied back and compiled again. It comes back, or the edit is rejected and the spec stays as it
// was; what does neither is listed with the reason.

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "data/data.h"
#include "default_engine.h"
#include "model_file.h"
#include "settings.h"
#include "spec/spec.h"
#include "suite.h"

// ------------------------------------------------------------------ what does not come back

enum {
  ALL = 0,
  SOME,
  REJECTED,
  FOLLOWS
};   // come back; rejected, the others come back; left alone

static const struct {
  const char *field;
  int fate;
  const char *reason;
} exceptions[] = {
  { "qpos0", SOME, "of a ball joint it is the identity" },
  { "qpos_spring", SOME, "of a free joint the position is that of the body" },
  { "body_pos", SOME, "the world does not move" },
  { "body_quat", SOME, "the world does not turn" },
  { "body_ipos", SOME, "the world has no mass" },
  { "body_iquat", SOME, "the world has no mass" },
  { "body_mass", SOME, "the world has no mass" },
  { "body_inertia", SOME, "the world has no mass" },
  { "jnt_pos", SOME, "a free joint has none" },
  { "jnt_axis", SOME, "free and ball joints have none" },
  { "jnt_range", SOME, "that of a ball joint begins at 0" },
  { "jnt_stiffness", REJECTED, "it is the largest dof_stiffness" },
  { "dof_solref", SOME, "the dofs of a joint share one" },
  { "dof_solimp", SOME, "the dofs of a joint share one" },
  { "geom_pos", SOME, "a mesh says where its geom is" },
  { "geom_quat", SOME, "a mesh says where its geom is" },
  { "geom_size", SOME, "a mesh or a height field says how large its geom is" },
  { "geom_fluid", SOME, "only the coefficients of the ellipsoid model are given" },
  { "mesh_vert", REJECTED, "it is moved to the axes of the mesh" },
  { "mesh_normal", REJECTED, "it is moved to the axes of the mesh" },
  { "mesh_texcoord", REJECTED, "a mesh may come from a file" },
  { "skin_bonevertweight", REJECTED, "one alone: the weights of a vertex have the sum 1" },
  { "hfield_data", SOME, "heights reach from 0 to 1" },
  { "eq_data", SOME, "the second anchor follows from the first; sites say both" },
  { "eq_frame", REJECTED, "it is that of a site" },
  { "tendon_lengthspring", SOME, "the first length is not larger than the second" },
  { "wrap_prm", SOME, "only joints and pulleys have a number" },
  { "body_subtreemass", FOLLOWS, "from body_mass" },
  { "body_invweight0", FOLLOWS, "from masses at qpos0" },
  { "dof_invweight0", FOLLOWS, "from masses at qpos0" },
  { "dof_M0", FOLLOWS, "from masses at qpos0" },
  { "geom_rbound", FOLLOWS, "from geom_size" },
  { "cam_poscom0", FOLLOWS, "from cam_pos" },
  { "cam_pos0", FOLLOWS, "from cam_pos" },
  { "cam_mat0", FOLLOWS, "from cam_quat" },
  { "light_poscom0", FOLLOWS, "from light_pos" },
  { "light_pos0", FOLLOWS, "from light_pos" },
  { "light_dir0", FOLLOWS, "from light_dir" },
  { "tendon_length0", FOLLOWS, "from qpos0" },
  { "tendon_invweight0", FOLLOWS, "from masses at qpos0" },
  { "actuator_acc0", FOLLOWS, "from masses at qpos0" },
  { "actuator_length0", FOLLOWS, "from qpos0" },
};

static int fate_of(const char *field) {
  for (size_t i = 0; i < sizeof exceptions / sizeof exceptions[0]; i++) {
    if (strcmp(exceptions[i].field, field) == 0) {
      return exceptions[i].fate;
    }
  }
  return ALL;
}

// ------------------------------------------------------------------ the test

static double *numbers_of(const sn_model *m, int64_t field) {
  sn_view view = { .size = sizeof view };
  ck_assert(sn_model_field_at(m, field, &view));
  return view.p;
}

static void normalize(double *p, int64_t n) {
  double sum = 0;
  for (int64_t k = 0; k < n; k++) {
    sum += p[k] * p[k];
  }
  for (int64_t k = 0; k < n; k++) {
    p[k] /= sqrt(sum);
  }
}

static int ends_with(const char *text, const char *end) {
  size_t n = strlen(text), k = strlen(end);
  return n >= k && strcmp(text + n - k, end) == 0;
}

// Another number that makes sense there: what has unit length keeps it.
static void edit(const sn_model *m, const sn_view *view, double *p, int64_t i) {
  p[i] = 0.93 * p[i] + 0.021;
  if (ends_with(view->name, "quat")) {
    normalize(p + i / 4 * 4, 4);
  } else if (ends_with(view->name, "_axis") || ends_with(view->name, "_dir")) {
    normalize(p + i / 3 * 3, 3);
  }
  for (int32_t j = 0; ends_with(view->name, "qpos") && j < m->njnt; j++) {
    int32_t q = m->jnt_qposadr[j] + (m->jnt_type[j] == SN_JOINT_FREE ? 3 : 0);
    if (m->jnt_type[j] <= SN_JOINT_BALL) {
      normalize(p + q, 4);
    }
  }
}

// Edits one number. 1: it came back, -1: it was rejected, 0: it was left alone; whatever followed.
static int go_and_come_back(const sn_spec *spec, int64_t field, int64_t i) {
  sn_spec *copy = sn_spec_copy(spec, error);
  sn_model *m = compiled(copy), *before = compiled(copy);
  sn_view view = { .size = sizeof view };
  ck_assert(sn_model_field_at(m, field, &view));
  edit(m, &view, numbers_of(m, field), i);
  int rejected = sn_spec_update(copy, m, error) < 0, same = 1, left = 1;
  ck_assert(!rejected || sn_error_text(error)[0]);
  sn_model *again = compiled(copy);
  const double *now = numbers_of(m, field), *was = numbers_of(before, field),
               *back = numbers_of(again, field);
  for (int64_t k = 0; k < view.rows * view.cols; k++) {
    same &= now[k] == was[k] || fabs(back[k] - now[k]) <= 1e-9 * fmax(1, fabs(now[k]));
    left &= memcmp(back + k, was + k, sizeof *was) == 0;
  }
  ck_assert_msg(same || left, "%s[%lld]: neither as before nor as edited", view.name, (long long)i);
  sn_model_free(again);
  sn_model_free(before);
  sn_model_free(m);
  sn_spec_free(copy);
  return rejected ? -1 : same;
}

START_TEST(edit_of_every_number_comes_back_or_is_rejected) {
  sn_spec *spec = good_spec(model_file("compile/one_of_everything"));
  sn_model *m = compiled(spec);
  sn_view view = { .size = sizeof view };
  for (int64_t field = 0; sn_model_field_at(m, field, &view); field++) {
    const int fate = fate_of(view.name);
    int64_t back = 0, rejected = 0, n = view.type == SN_REAL ? view.rows * view.cols : 0;
    for (int64_t i = 0; i < n; i++) {
      int came = go_and_come_back(spec, field, i);
      back += came == 1;
      rejected += came == -1;
      ck_assert_msg(came != 0 || fate == FOLLOWS, "%s[%lld] is lost", view.name, (long long)i);
      ck_assert_msg(came != -1 || fate == SOME || fate == REJECTED, "%s[%lld]: %s", view.name,
                    (long long)i, sn_error_text(error));
    }
    ck_assert_msg(n == 0 || fate != SOME || (back > 0 && rejected > 0), "%s: %lld back", view.name,
                  (long long)back);
    ck_assert_msg(fate != REJECTED || back == 0, "%s comes back", view.name);
  }
  sn_model_free(m);
  sn_spec_free(spec);
}
END_TEST

// ------------------------------------------------------------------ what hangs together

START_TEST(edit_rejected_changes_nothing) {
  sn_spec *spec = good_spec(model_file("compile/one_of_everything"));
  sn_model *m = compiled(spec);
  array_of(m, "geom_friction")[0] = 0.25;
  array_of(m, "mesh_vert")[0] += 1;
  ck_assert_int_eq(sn_spec_update(spec, m, error), SN_EUNSUPPORTED);
  ck_assert_msg(strstr(sn_error_text(error), "mesh_vert") != NULL, "%s", sn_error_text(error));
  sn_model *n = compiled(spec);
  ck_assert_double_eq(snm_geom_friction(n)[0], 1);
  sn_model_free(n);
  sn_model_free(m);
  sn_spec_free(spec);
}
END_TEST

// A range that did not count does not begin to.
START_TEST(edited_ranges_count_as_before) {
  sn_spec *spec = good_spec("<mujoco><compiler autolimits='true'/><worldbody><body><joint/>"
                            "<geom size='1'/></body></worldbody></mujoco>");
  sn_model *m = compiled(spec);
  array_of(m, "jnt_range")[1] = 2;
  OK(sn_spec_update(spec, m, error));
  sn_model *n = compiled(spec);
  ck_assert_int_eq(snm_jnt_limited(n)[0], 0);
  ck_assert_double_eq(snm_jnt_range(n)[1], 2);
  sn_model_free(n);
  sn_model_free(m);
  sn_spec_free(spec);
}
END_TEST

// Inertia that geoms overrule does not begin to count where another body's is edited.
START_TEST(overruled_inertia_stays_so) {
  sn_spec *spec = good_spec("<mujoco><compiler inertiafromgeom='true'/><worldbody>"
                            "<body><inertial pos='0 0 0' mass='1' diaginertia='1 1 1'/>"
                            "<geom size='1'/></body><body pos='3 0 0'><geom size='1'/></body>"
                            "</worldbody></mujoco>");
  sn_model *m = compiled(spec);
  array_of(m, "body_mass")[2] = 7;
  OK(sn_spec_update(spec, m, error));
  sn_model *n = compiled(spec);
  ck_assert_double_eq(snm_body_mass(n)[1], snm_body_mass(m)[1]);
  ck_assert_double_eq(snm_body_mass(n)[2], 7);
  sn_model_free(n);
  sn_model_free(m);
  sn_spec_free(spec);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  TEST(edit_of_every_number_comes_back_or_is_rejected);
  TEST(edit_rejected_changes_nothing);
  TEST(edited_ranges_count_as_before);
  TEST(overruled_inertia_stays_so);
}
