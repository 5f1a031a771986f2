// SPDX-License-Identifier: Apache-2.0
//
// Tendons, transmissions, actuator shortcuts and length ranges side by side with the reference
// engine, in random states and stepped: what models in practice seldom have together.

#include "model_file.h"
#include "reference/laws.h"
#include "suite.h"

// bodies to wrap around and to pull at; every text below goes into it
#define WORLD                                                                                    \
  "<default><geom contype='0' conaffinity='0'/></default><worldbody>"                            \
  "<geom name='floor' type='plane' size='3 3 .1' contype='1'/>"                                  \
  "<site name='w0' pos='0 0 1.3'/><site name='w1' pos='.3 .2 1'/>"                               \
  "<geom name='ball' size='.08' pos='.15 .05 1.1'/>"                                             \
  "<geom name='bar' type='cylinder' size='.06 .3' pos='.15 0 .9' euler='80 10 0'/>"              \
  "<site name='side' pos='.15 .3 1.1'/><site name='in' pos='.15 .05 1.11'/>"                     \
  "<body name='a' pos='.1 .1 1'><joint name='ball' type='ball' damping='.2'/>"                   \
  "<geom type='capsule' size='.03' fromto='0 0 0 .3 .1 0'/><site name='a0' pos='.2 .1 .1' "      \
  "euler='10 20 30'/><site name='a1' pos='-.1 0 .1'/>"                                           \
  "<geom name='ring' type='cylinder' size='.05 .1' pos='.2 0 0' euler='0 20 0'/>"                \
  "<site name='hub' pos='.2 0 0.01'/>"                                                           \
  "<body name='b' pos='.3 .1 0'><joint name='h' axis='1 2 0' range='-20 30' limited='true' "     \
  "armature='.01'/><joint name='s' type='slide' axis='0 0 1' range='-.05 .05' limited='true' "   \
  "damping='2'/><geom type='box' size='.05 .03 .1'/><site name='b0' pos='.1 .2 .1' "             \
  "euler='20 140 10'/><site name='b1' pos='.1 -.1 .1'/></body></body>"                           \
  "<body name='f' pos='-.4 0 .11'><freejoint name='free'/><geom name='foot' type='box' "         \
  "size='.1 .1 .1' contype='1' conaffinity='1'/><site name='f0' pos='0 0 .1'/>"                  \
  "<body name='g' pos='0 0 .3'><joint name='turn' type='ball'/><geom size='.05'/></body></body>" \
  "</worldbody>"

#define TENDONS                                                                                \
  "<tendon>"                                                                                   \
  "<spatial name='plain' limited='true' range='.1 .3' stiffness='3' damping='.3'>"             \
  "<site site='w0'/><site site='a0'/></spatial>"                                               \
  "<spatial name='over' frictionloss='.4'><site site='w0'/><geom geom='ball'/>"                \
  "<site site='b0'/></spatial>"                                                                \
  "<spatial name='around' stiffness='5' springlength='.3'><site site='w1'/>"                   \
  "<geom geom='bar' sidesite='side'/><site site='a1'/></spatial>"                              \
  "<spatial name='inside'><site site='w0'/><geom geom='ball' sidesite='in'/>"                  \
  "<site site='a0'/></spatial>"                                                                \
  "<spatial name='through'><site site='b0'/><geom geom='ring' sidesite='hub'/>"                \
  "<site site='w1'/></spatial>"                                                                \
  "<spatial name='pulley' limited='true' range='0 .7' margin='.05'><site site='w0'/>"          \
  "<geom geom='bar'/><site site='a0'/><site site='b1'/><pulley divisor='2'/><site site='b1'/>" \
  "<geom geom='ring' sidesite='side'/><site site='w1'/><pulley divisor='3'/><site site='f0'/>" \
  "<site site='a1'/></spatial>"                                                                \
  "<fixed name='mix' limited='true' range='-.1 .1' frictionloss='.2' stiffness='2' "           \
  "damping='.1'><joint joint='h' coef='.6'/><joint joint='s' coef='-2'/></fixed>"              \
  "</tendon>"

#define SENSORS                                                                          \
  "<sensor><tendonpos tendon='pulley'/><tendonvel tendon='over'/><tendonlimitpos "       \
  "tendon='plain'/><tendonlimitvel tendon='plain'/><tendonlimitfrc tendon='plain'/>"     \
  "<tendonlimitfrc tendon='mix'/><jointlimitfrc joint='h'/><rangefinder site='f0'/>"     \
  "<framexaxis objtype='site' objname='a0'/><frameyaxis objtype='geom' objname='ring'/>" \
  "<framezaxis objtype='body' objname='b'/></sensor>"

// Sites with a reference site are not turned in their bodies, and no joint moves both: there the
// reference differs, see dynamics/test_site_transmission.c.
static const char transmissions[] =
    "<mujoco>" WORLD TENDONS "<actuator>"
    "<motor name='m0' joint='h' gear='3'/><motor joint='ball' gear='1 -2 .5'/>"
    "<motor joint='free' gear='1 2 3 .1 .2 .3'/><motor joint='turn' gear='.3 .2 .1'/>"
    "<motor jointinparent='turn' gear='.3 .2 .1'/><motor jointinparent='ball' gear='1 0 2'/>"
    "<motor jointinparent='free' gear='1 2 3 .1 .2 .3'/><motor jointinparent='s' gear='-2'/>"
    "<motor tendon='over' gear='2'/><motor tendon='pulley'/><motor tendon='mix' gear='-1.5'/>"
    "<motor cranksite='b0' slidersite='w0' cranklength='.9' gear='2'/>"
    "<motor cranksite='w1' slidersite='a0' cranklength='1.2'/>"
    "<motor site='b0' gear='1 2 3 .1 .2 .3'/><motor site='f0' gear='0 0 0 1 0 -1'/>"
    "<motor site='b1' refsite='f0' gear='1 .2 .3 .1 .5 .6'/>"
    "<motor site='a1' refsite='w1' gear='1 -.2 .3 .4 .5 .6'/>"
    "<motor site='f0' refsite='b1' gear='1 0 0 0 1 0'/>"
    "</actuator>" SENSORS "</mujoco>";

static const char shortcuts[] =
    "<mujoco>"
    "<default><geom contype='0' conaffinity='0'/><general gainprm='.8 1.1' biasprm='.5 -1 -.2' "
    "ctrlrange='-1 1' ctrllimited='true'/><default class='servo'><position kp='7' "
    "forcerange='-4 4' forcelimited='true'/></default><default class='slow'><intvelocity kp='9' "
    "actrange='-.3 .3'/></default><default class='red'><muscle force='20' timeconst='.02 .06'/>"
    "</default></default>" WORLD TENDONS "<actuator>"
    "<general joint='h'/><general joint='s' biastype='affine' gaintype='affine'/>"
    "<motor tendon='mix'/><position joint='h' kp='5'/><position class='servo' joint='s'/>"
    "<velocity tendon='plain' kv='2'/><damper joint='h' kv='3' ctrlrange='0 1'/>"
    "<adhesion body='f' ctrlrange='0 1' gain='30'/><adhesion body='b' ctrlrange='0 2'/>"
    "<general joint='h' dyntype='filter' dynprm='.2'/>"
    "<general joint='s' dyntype='filter' dynprm='.1' actlimited='true' actrange='-.2 .2'/>"
    "<intvelocity joint='s' kp='4' actrange='-1 1'/><intvelocity class='slow' tendon='mix'/>"
    "<cylinder tendon='over' timeconst='.1' diameter='.2' bias='1 -2 -.5'/>"
    "<cylinder joint='s' area='3'/>"
    "<muscle tendon='around'/><muscle class='red' tendon='over' range='.6 1.2'/>"
    "<muscle joint='s' lengthrange='-2 2' lmin='.1' lmax='1.8' vmax='2' fpmax='1.1' fvmax='1.4' scale='50'/>"
    "<muscle tendon='pulley' lengthrange='.5 1.5' force='10'/>"
    "<general tendon='plain' lengthrange='.1 .4' dyntype='muscle' gaintype='muscle' biastype='muscle' dynprm='.01 .04' "
    "gainprm='.75 1.05 30 200 .5 1.6 1.5 1.3 1.2' biasprm='.75 1.05 30 200 .5 1.6 1.5 1.3 1.2' "
    "ctrlrange='0 1'/>"
    "</actuator>" SENSORS "</mujoco>";

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
  compare(transmissions);
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
  compare(shortcuts);
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

// Element k in a class that says something of i, then of j. Both engines may refuse it.
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

#define REACH(settings, actuator)                                                                \
  "<mujoco><compiler><lengthrange " settings "/></compiler><worldbody>"                          \
  "<site name='w' pos='0 0 1.2'/>"                                                               \
  "<body pos='0 0 1'><joint name='h' axis='0 1 0' range='-60 80' limited='true'/>"               \
  "<geom type='capsule' size='.03' fromto='0 0 0 .4 0 0'/>"                                      \
  "<geom name='wrap' type='cylinder' size='.07 .1' euler='90 0 0' contype='0' conaffinity='0'/>" \
  "<site name='s' pos='.3 0 .05'/><body pos='.4 0 0'><joint name='k' axis='0 1 0' "              \
  "range='-120 10' limited='true' damping='1' frictionloss='1'/><joint name='b' type='slide' "   \
  "axis='1 0 0' range='-.05 .1' limited='true'/><geom type='capsule' size='.03' "                \
  "fromto='0 0 0 .3 0 0'/><site name='t' pos='.2 0 .04'/></body></body>"                         \
  "<body pos='-1 0 1'><joint name='spin' axis='0 0 1'/><geom size='.1' pos='.2 0 0'/></body>"    \
  "</worldbody><tendon><spatial name='T'><site site='w'/><geom geom='wrap'/><site site='s'/>"    \
  "</spatial><spatial name='U' range='.2 .5' limited='true'><site site='w'/><site site='s'/>"    \
  "<pulley divisor='2'/><site site='s'/><site site='t'/></spatial></tendon><actuator>" actuator  \
  "</actuator></mujoco>"
#define ALL                                                                         \
  "<motor joint='h'/><muscle tendon='T'/><muscle tendon='U' lengthrange='.2 .3'/>"  \
  "<muscle joint='k'/><muscle joint='b' gear='-2'/><muscle tendon='T' gear='2.5'/>" \
  "<muscle cranksite='s' slidersite='w' cranklength='.5'/>"

static const char *const reaches[] = {
  REACH("", ALL),
  REACH("mode='none'", ALL),
  REACH("mode='muscleuser'", ALL),
  REACH("mode='all'", ALL),
  REACH("uselimit='true'", "<muscle joint='k' gear='2'/>"),
  REACH("uselimit='true'", "<muscle tendon='U' gear='2'/>"),
  REACH("useexisting='false'", ALL),
  REACH("accel='5'", ALL),
  REACH("accel='100' timeconst='.5'", ALL),
  REACH("maxforce='2'", ALL),
  REACH("timestep='.002' inttotal='8' inteval='1' tolrange='.01'", ALL),
};
enum { NREACHES = sizeof reaches / sizeof reaches[0] };

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
  ck_assert_msg(load_both(reaches[_i], &ref, &m), "%s", sn_error_text(error));
  for (int64_t i = 0; i < 2 * m->nu; i++) {
    CLOSE(m->actuator_lengthrange[i], ref->actuator_lengthrange[i], 1e-7);
  }
  mj_deleteModel(ref);
  sn_model_free(m);
}
END_TEST

START_TEST(lengthrange_missing_is_refused) {
  static const char *const xml[] = { REACH("", "<muscle joint='spin'/>"),
                                     REACH("inttotal='1' tolrange='.5'", "<muscle tendon='T'/>") };
  mjModel *ref;
  sn_model *m;
  ck_assert(!load_both(xml[_i], &ref, &m));
  ck_assert_msg(strstr(sn_error_text(error), "did not converge") != NULL, "%s",
                sn_error_text(error));
}
END_TEST

// Who does the work does not matter.
START_TEST(threads_change_nothing) {
  double found[2][14];
  static const char *const compiler[] = { "usethread='true'", "usethread='false'" };
  for (int k = 0; k < 2; k++) {
    char text[8192], name[16];
    const char *rest = strstr(reaches[0], "><lengthrange");
    snprintf(text, sizeof text, "<mujoco><compiler %s%s", compiler[k], rest);
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
  EACH(lengthrange_missing_is_refused, 0, 2);
  TEST(threads_change_nothing);
}
