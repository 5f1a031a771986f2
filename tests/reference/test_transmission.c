// SPDX-License-Identifier: Apache-2.0
//
// Tendons, transmissions, actuator shortcuts and length ranges side by side with the reference
// engine, in random states and stepped: what models in practice seldom have together.

#include "model_file.h"
#include "reference/laws.h"
#include "suite.h"

// ------------------------------------------------------------------ comparing

// Rows of a sparse matrix against a dense one.
static void same_rows(const char *what, const sn_model *m, const double *value, const int32_t *nnz,
                      const int32_t *adr, const int32_t *col, const double *dense, int64_t n) {
  double *row = calloc((size_t)m->nv, sizeof *row);
  for (int64_t i = 0; i < n; i++) {
    memset(row, 0, (size_t)m->nv * sizeof *row);
    for (int32_t k = 0; k < nnz[i]; k++) {
      row[col[adr[i] + k]] += value[adr[i] + k];
    }
    same(what, row, dense + i * m->nv, m->nv, 1e-5);
  }
  free(row);
}

// The points of the paths, as a viewer draws them.
static void compare_points(const pair *p) {
  const sn_model *m = p->model;
  const sn_data *d = p->data;
  for (int64_t t = 0; t < m->ntendon; t++) {
    int32_t adr = d->ten_wrapadr[t], n = d->ten_wrapnum[t];
    ck_assert_int_eq(n, p->d->ten_wrapnum[t]);
    ck_assert_int_eq(adr, p->d->ten_wrapadr[t]);
    for (int32_t k = adr; k < adr + n; k++) {
      ck_assert_int_eq(d->wrap_obj[k], p->d->wrap_obj[k]);
      if (d->wrap_obj[k] > -2) {   // a pulley is nowhere
        same("wrap_xpos", d->wrap_xpos + 3 * k, p->d->wrap_xpos + 3 * k, 3, 1e-5);
      }
    }
  }
}

// A path inside a geom is found by iteration, to a tolerance of each engine.
static void compare_lengths(const pair *p) {
  const sn_model *m = p->model;
  const sn_data *d = p->data;
  same("ten_length", d->ten_length, p->d->ten_length, m->ntendon, 1e-5);
  same("ten_velocity", d->ten_velocity, p->d->ten_velocity, m->ntendon, 1e-5);
  same_rows("ten_J", m, d->ten_J, d->ten_J_rownnz, d->ten_J_rowadr, d->ten_J_colind, p->d->ten_J,
            m->ntendon);
  same("actuator_length", d->actuator_length, p->d->actuator_length, m->nu, 1e-5);
  same("actuator_velocity", d->actuator_velocity, p->d->actuator_velocity, m->nu, 1e-5);
  same_rows("actuator_moment", m, d->actuator_moment, d->actuator_moment_rownnz,
            d->actuator_moment_rowadr, d->actuator_moment_colind, p->d->actuator_moment, m->nu);
}

// States of their own, and states that the reference makes, with limits and contacts active.
static void compare(const char *xml) {
  pair p = pair_of(xml, "<option jacobian='dense' tolerance='1e-14' iterations='200'/>");
  same("acc0", p.model->actuator_acc0, p.m->actuator_acc0, p.model->nu, 1e-8);
  same("lengthrange", p.model->actuator_lengthrange, p.m->actuator_lengthrange, 2 * p.model->nu,
       1e-5);
  copy(p.model->actuator_lengthrange, p.m->actuator_lengthrange, 2 * p.model->nu);
  int wrapped = 0, limited = 0;
  for (uint32_t seed = 1; seed <= 6; seed++) {
    share(&p, seed);
    for (int i = 0; i < 200; i++) {
      if (i % 20 == 0) {
        copy(p.data->qpos, p.d->qpos, p.model->nq);
        copy(p.data->qvel, p.d->qvel, p.model->nv);
        copy(p.data->act, p.d->act, p.model->na);
        copy(p.data->ctrl, p.d->ctrl, p.model->nu);
        copy(p.data->qacc_warmstart, p.d->qacc_warmstart, p.model->nv);
        mj_forward(p.m, p.d);
        ck_assert_int_ge(sn_forward(p.model, p.data), 0);
        compare_lengths(&p);
        compare_points(&p);
        compare_state(&p, 1e-7);
        same("qfrc_constraint", p.data->qfrc_constraint, p.d->qfrc_constraint, p.model->nv, 1e-7);
        wrapped += p.d->ten_wrapnum[1] > 2 || p.d->ten_wrapnum[2] > 2;
        limited += p.d->nefc > p.d->ne + p.d->nf;
      }
      mj_step(p.m, p.d);
    }
  }
  ck_assert_int_gt(wrapped, 3);
  ck_assert_int_gt(limited, 5);
  close_pair(&p);
}

START_TEST(transmissions_agree) {
  // Sites with a reference site are not turned in their bodies, and no joint moves both: there the
  // reference differs, see dynamics/test_site_transmission.c.
  compare(model_of_files("reference/tendons", "reference/transmissions"));
}
END_TEST

// Tendons that no joint changes, always or as they stand, have no rows.
START_TEST(idle_tendons_agree) {
  pair p = pair_of(model_file("reference/idle_tendons"), "<option jacobian='dense'/>");
  mj_forward(p.m, p.d);
  ck_assert_int_ge(sn_forward(p.model, p.data), 0);
  ck_assert_int_eq(p.d->nefc, 2);
  ck_assert_int_eq(p.data->nefc, 2);
  same("qacc", p.data->qacc, p.d->qacc, p.model->nv, 1e-10);
  close_pair(&p);
}
END_TEST

START_TEST(shortcuts_agree) {
  compare(model_of_files("reference/tendons", "reference/shortcuts"));
}
END_TEST

// ------------------------------------------------------------------ defaults

// Shortcuts share one dummy in a class, so that what one says in the defaults is there for
// another; with attributes of the class and of the element.
static const struct {
  const char *name, *in_class, *own;
} kinds[] = {
  { "general", "dyntype='filter' gainprm='.5 .6' biasprm='.1 .2 .3' dynprm='.7'", "gainprm='3'" },
  { "motor", "gear='2 3' forcerange='-3 3'", "ctrlrange='-1 1'" },
  { "position", "kp='7' ctrlrange='-1 2'", "gear='3'" },
  { "velocity", "kv='4'", "forcerange='-1 1'" },
  { "intvelocity", "kp='6' actrange='-1 1'", "actrange='-2 1'" },
  { "damper", "kv='3' ctrlrange='0 2'", "ctrlrange='0 1'" },
  { "cylinder", "timeconst='.3' area='2' bias='1 2 3'", "diameter='.4'" },
  { "muscle", "timeconst='.02 .05' force='30' lmax='1.9' fpmax='1.5'", "range='.6 1.2'" },
  { "adhesion", "gain='4' ctrlrange='0 3'", "ctrlrange='0 1'" },
};
enum { NKINDS = sizeof kinds / sizeof kinds[0] };

static int load_both(const char *xml, mjModel **ref, sn_model **own);

static void same_actuator(const char *what, const sn_model *m, const mjModel *ref) {
  char text[128];
#define SAME(field, n)                                                                           \
  snprintf(text, sizeof text, "%s: " #field, what);                                              \
  for (int k = 0; k < (n); k++) {                                                                \
    ck_assert_msg((double)m->field[k] == (double)ref->field[k], "%s[%d] is %g, not %g", text, k, \
                  (double)m->field[k], (double)ref->field[k]);                                   \
  }
  SAME(actuator_dyntype, 1)
  SAME(actuator_gaintype, 1)
  SAME(actuator_biastype, 1)
  SAME(actuator_dynprm, 10)
  SAME(actuator_gainprm, 10)
  SAME(actuator_biasprm, 10)
  SAME(actuator_gear, 6)
  SAME(actuator_ctrllimited, 1)
  SAME(actuator_ctrlrange, 2)
  SAME(actuator_forcelimited, 1)
  SAME(actuator_forcerange, 2)
  SAME(actuator_actlimited, 1)
  SAME(actuator_actrange, 2)
#undef SAME
}

// Element k in a class that sets something for i, then for j. Both engines may reject it.
START_TEST(shortcuts_meet_in_defaults) {
  int loaded = 0;
  for (int j = 0; j < NKINDS; j++) {
    const int i = (j + _i + 1) % NKINDS;
    char xml[2048], what[96];
    mjModel *ref;
    sn_model *m;
    snprintf(what, sizeof what, "<%s> after %s, %s", kinds[_i].name, kinds[i].name, kinds[j].name);
    snprintf(xml, sizeof xml,
             "<mujoco><compiler autolimits='true'/><default><%s %s/><default class='c'><%s %s/>"
             "</default></default><worldbody><body name='b'><joint name='j' range='-1 1'/>"
             "<geom size='.1'/></body></worldbody><actuator><%s class='c' %s %s/></actuator>"
             "</mujoco>",
             kinds[i].name, kinds[i].in_class, kinds[j].name, kinds[j].in_class, kinds[_i].name,
             strcmp(kinds[_i].name, "adhesion") ? "joint='j' lengthrange='-1 1'" : "body='b'",
             kinds[_i].own);
    if (load_both(xml, &ref, &m)) {
      same_actuator(what, m, ref);
      mj_deleteModel(ref);
      sn_model_free(m);
      loaded++;
    }
  }
  ck_assert_int_ge(loaded, 2);
}
END_TEST

// ------------------------------------------------------------------ length ranges

#define ALL                                                                         \
  "<motor joint='h'/><muscle tendon='T'/><muscle tendon='U' lengthrange='.2 .3'/>"  \
  "<muscle joint='k'/><muscle joint='b' gear='-2'/><muscle tendon='T' gear='2.5'/>" \
  "<muscle cranksite='s' slidersite='w' cranklength='.5'/>"

// Attributes of <lengthrange>, and actuators.
typedef struct reach {
  const char *settings, *actuators;
} reach;

static const reach reaches[] = {
  { "", ALL },
  { "mode='none'", ALL },
  { "mode='muscleuser'", ALL },
  { "mode='all'", ALL },
  { "uselimit='true'", "<muscle joint='k' gear='2'/>" },
  { "uselimit='true'", "<muscle tendon='U' gear='2'/>" },
  { "useexisting='false'", ALL },
  { "accel='5'", ALL },
  { "accel='100' timeconst='.5'", ALL },
  { "maxforce='2'", ALL },
  { "timestep='.002' inttotal='8' inteval='1' tolrange='.01'", ALL },
};
enum { NREACHES = sizeof reaches / sizeof reaches[0] };

static const char *text_of(const reach *r, const char *compiler) {
  char more[1024];
  snprintf(more, sizeof more, "<compiler %s><lengthrange %s/></compiler><actuator>%s</actuator>",
           compiler, r->settings, r->actuators);
  return model_file_with("reference/reach", more);
}

// In both engines, or in none: then 0.
static int load_both(const char *xml, mjModel **ref, sn_model **own) {
  static mjVFS files;
  static int number;
  char message[1024], name[32];
  snprintf(name, sizeof name, "reach%d.xml", number++);
  mj_defaultVFS(&files);
  int n = (int)strlen(xml), index = mj_makeEmptyFileVFS(&files, "model.xml", n);
  memcpy(files.filedata[index], xml, (size_t)n);
  *ref = mj_loadXML("model.xml", &files, message, sizeof message);
  mj_deleteVFS(&files);
  ck_assert_int_ge(sn_engine_add_resource(engine, name, xml, n, error), 0);
  *own = sn_load(engine, name, error);
  ck_assert_msg(!*ref == !*own, "%s\n%s", *ref ? "" : message, sn_error_text(error));
  return *ref != NULL;
}

START_TEST(ranges_agree) {
  mjModel *ref;
  sn_model *m;
  ck_assert_msg(load_both(text_of(&reaches[_i], ""), &ref, &m), "%s", sn_error_text(error));
  for (int64_t i = 0; i < 2 * m->nu; i++) {
    CLOSE(m->actuator_lengthrange[i], ref->actuator_lengthrange[i], 1e-7);
  }
  mj_deleteModel(ref);
  sn_model_free(m);
}
END_TEST

START_TEST(lengthrange_missing_is_rejected) {
  static const reach endless[] = { { "", "<muscle joint='spin'/>" },
                                   { "inttotal='1' tolrange='.5'", "<muscle tendon='T'/>" } };
  mjModel *ref;
  sn_model *m;
  ck_assert(!load_both(text_of(&endless[_i], ""), &ref, &m));
  ck_assert_msg(strstr(sn_error_text(error), "did not converge") != NULL, "%s",
                sn_error_text(error));
}
END_TEST

// Who does the work does not matter.
START_TEST(threads_change_nothing) {
  double found[2][14];
  static const char *const compiler[] = { "usethread='true'", "usethread='false'" };
  for (int k = 0; k < 2; k++) {
    char name[16];
    const char *text = text_of(&reaches[0], compiler[k]);
    snprintf(name, sizeof name, "%d.xml", k);
    ck_assert_int_ge(sn_engine_add_resource(engine, name, text, (int64_t)strlen(text), error), 0);
    sn_model *m = sn_load(engine, name, error);
    ck_assert_msg(m != NULL, "%s", sn_error_text(error));
    memcpy(found[k], m->actuator_lengthrange, sizeof found[k]);
    sn_model_free(m);
  }
  ck_assert_mem_eq(found[0], found[1], sizeof found[0]);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  TEST(transmissions_agree);
  TEST(shortcuts_agree);
  TEST(idle_tendons_agree);
  EACH(shortcuts_meet_in_defaults, 0, NKINDS);
  EACH(ranges_agree, 0, NREACHES);
  EACH(lengthrange_missing_is_rejected, 0, 2);
  TEST(threads_change_nothing);
}
