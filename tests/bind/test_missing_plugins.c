// SPDX-License-Identifier: Apache-2.0
//
// Messages about providers: which plugin is not loaded, which parameters a provider has;
// and that a model's attributes for them are written back.

#include "model_file.h"
#include "random_state.h"
#include "suite.h"

static void own_error(void) {
  error = sn_error_new();
}

static void free_error(void) {
  sn_error_free(error);
}

// The engine with all of its plugins, for a test that wants it; it brings its own error.
static void begin(void) {
  free_error();
  open_engine();
}

static void end(void) {
  close_engine();
  own_error();
}

// A copy of the configuration of the build without the line of one plugin. It lies beside it, so
// that paths mean the same.
static sn_engine *engine_without(const char *key) {
  char line[512], path[512];
  snprintf(path, sizeof path, SN_TEST_BUILD "/without_%s.ini", key);
  FILE *from = fopen(SN_TEST_BUILD "/sinew.ini", "r"), *to = fopen(path, "w");
  ck_assert(from && to);
  size_t n = strlen(key);
  while (fgets(line, sizeof line, from)) {
    if (strncmp(line, key, n) != 0 || !strchr(" =", line[n])) {
      fputs(line, to);
    }
  }
  fclose(from);
  fclose(to);
  sn_engine *e = sn_engine_open(path, error);
  ck_assert_msg(e != NULL, "%s", sn_error_text(error));
  remove(path);
  return e;
}

static const char *message_of(sn_engine *e, const char *xml) {
  static int number;
  char name[32];
  snprintf(name, sizeof name, "missing%d.xml", number++);
  ck_assert_int_ge(sn_engine_add_resource(e, name, xml, (int64_t)strlen(xml), error), 0);
  ck_assert_ptr_null(sn_load(e, name, error));
  return sn_error_text(error);
}

#define HAS(text, part) ck_assert_msg(strstr(text, part) != NULL, "%s", text)
#define BODY "<worldbody><body><joint name='j'/><geom size='1'/><site name='s'/></body></worldbody>"

START_TEST(sensor_missing_names_its_plugin) {
  sn_engine *e = engine_without("sensors");
  const char *text = message_of(e, "<mujoco>" BODY "\n<sensor>\n<gyro name='turn' site='s'/>"
                                   "</sensor></mujoco>");
  HAS(text, ".xml:3:1: sensor 'turn': no sensor is named 'gyro'");
  HAS(text, "/plugins/sensors.so provides it");
  HAS(text, "[plugins]");

  // no plugin is named for what none provides
  text = message_of(e, "<mujoco>" BODY "<sensor><plugin type='giro' objtype='site' objname='s'/>"
                       "</sensor></mujoco>");
  HAS(text, "no sensor is named 'giro'");
  ck_assert_ptr_null(strstr(text, "provides it"));
  sn_engine_close(e);
}
END_TEST

START_TEST(law_missing_names_its_plugin) {
  sn_engine *e = engine_without("actuators");
  const char *text = message_of(e, "<mujoco>" BODY "<actuator>\n<muscle name='m' joint='j'/>"
                                   "</actuator></mujoco>");
  HAS(text, ".xml:2:1: actuator 'm': no dynamics is named 'muscle'");
  HAS(text, "/plugins/actuators.so provides it");
  sn_engine_close(e);
}
END_TEST

// Every sensor, law and force of a plugin that is left out is missed by name, with the place where
// it is asked for and the file that has it.
static void write_sensor(char *xml, size_t capacity, const char *name, const char *objects) {
  static const char *const kinds[][2] = {
    { "site", "s" }, { "joint", "j" }, { "tendon", "t" }, { "actuator", "m" }, { "body", "b" }
  };
  char object[128] = "", element[64];
  for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
    if (strcmp(objects, kinds[k][0]) == 0) {
      snprintf(object, sizeof object, "%s='%s'", kinds[k][0], kinds[k][1]);
    }
  }
  if (strchr(objects, '|')) {
    snprintf(object, sizeof object, "objtype='body' objname='b'%s",
             strcmp(name, "user") ? "" : " dim='1' datatype='real' needstage='pos'");
  }
  snprintf(element, sizeof element, "%s", name);
  if (strcmp(name, "camera") == 0) {   // not a type of MJCF
    snprintf(element, sizeof element, "plugin type='camera'");
    strcpy(object, "objtype='camera' objname='c'");
  }
  snprintf(xml, capacity,
           "<mujoco><worldbody><body name='b'><joint name='j'/><geom size='1'/><site name='s'/>"
           "<camera name='c'/></body></worldbody><tendon><fixed name='t'><joint joint='j' "
           "coef='1'/></fixed></tendon><actuator><motor name='m' joint='j'/></actuator>\n<sensor>"
           "\n  <%s name='x' %s/></sensor></mujoco>",
           element, object);
}

static void write_law(char *xml, size_t capacity, const char *attribute, const char *name) {
  snprintf(xml, capacity,
           "<mujoco>" BODY "<actuator>\n\n  <general name='x' joint='j' %s='%s'/>"
           "</actuator></mujoco>",
           attribute, name);
}

START_TEST(implementation_missing_is_named) {
  static const struct {
    const char *kind, *word, *attribute, *plugin;
  } kinds[] = { { SN_KIND_SENSOR, "sensor", NULL, "sensors" },
                { SN_KIND_DYNAMICS, "dynamics", "dyntype", "actuators" },
                { SN_KIND_GAIN, "gain", "gaintype", "actuators" },
                { SN_KIND_BIAS, "bias", "biastype", "actuators" } };
  int tried = 0;
  for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
    begin();
    sn_engine *e = engine_without(kinds[k].plugin);
    const si_provider *p;
    for (int64_t i = 0; (p = si_engine_each(engine, kinds[k].kind, i)); i++, tried++) {
      char xml[2048], part[128];
      if (kinds[k].attribute) {
        write_law(xml, sizeof xml, kinds[k].attribute, p->name);
      } else {
        write_sensor(xml, sizeof xml, p->name, ((const sn_sensor_ops *)p->ops)->objects);
      }
      const char *text = message_of(e, xml);
      snprintf(part, sizeof part, ".xml:3:3: %s 'x': no ",
               kinds[k].attribute ? "actuator" : "sensor");
      // the first law that is missed may be the gain that a general actuator has by default
      if (strcmp(kinds[k].kind, SN_KIND_BIAS) != 0) {
        char named[128];
        snprintf(named, sizeof named, "no %s is named '%s'", kinds[k].word, p->name);
        HAS(text, named);
      }
      HAS(text, part);
      snprintf(part, sizeof part, "/plugins/%s.so provides it", kinds[k].plugin);
      HAS(text, part);
    }
    sn_engine_close(e);
    end();
  }
  ck_assert_int_ge(tried, 37 + 4 + 3 + 2);
}
END_TEST

// Springs have no name in a model; they are missed all the same.
START_TEST(missing_forces_are_named) {
#define HELD(option, body, joint, geom)                                                    \
  "<mujoco>" option "<worldbody>\n<body name='b' " body ">\n<joint name='j' " joint "/>\n" \
  "<geom name='g' type='box' size='1 1 1' " geom                                           \
  "/></body></worldbody><tendon>\n<fixed name='t' " TENDON                                 \
  "><joint joint='j' coef='1'/></fixed></tendon></mujoco>"
#define TENDON ""
  static const char *const rows[][2] = {
    { HELD("", "", "stiffness='1'", ""), ":3:1: joint 'j': its stiffness" },
    { HELD("", "", "damping='1'", ""), ":3:1: joint 'j': its damping" },
    { HELD("", "gravcomp='1'", "", ""), ":2:1: body 'b': its gravcomp" },
    { HELD("<option density='1'/>", "", "", ""), "option density" },
    { HELD("<option viscosity='1'/>", "", "", "fluidshape='ellipsoid'"), "option viscosity" },
#undef TENDON
#define TENDON "stiffness='1'"
    { HELD("", "", "", ""), ":5:1: tendon 't': its stiffness" },
#undef TENDON
#define TENDON "damping='1'"
    { HELD("", "", "", ""), ":5:1: tendon 't': its damping" },
  };
  sn_engine *e = engine_without("passive");
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    const char *text = message_of(e, rows[i][0]);
    HAS(text, rows[i][1]);
    HAS(text, "provide passive forces: ");
    HAS(text, "/plugins/passive.so; add it");
  }
  sn_engine_close(e);
}
END_TEST

// Such a model simulates; a warning names the plugin to load.
START_TEST(pairs_that_nobody_serves_are_warned_of) {
  static const char *const few[] = { "loaders/mjcf", "plugins/newton", "plugins/euler" };
  engine = sn_engine_open("", error);
  for (int i = 0; i < 3; i++) {
    char path[512];
    snprintf(path, sizeof path, SN_TEST_BUILD "/%s.so", few[i]);
    OK(sn_engine_load_plugin(engine, few[i], path, error));
  }
  sn_model *m = model_of("<mujoco><worldbody><geom name='floor' type='plane' size='1 1 1'/>"
                         "<geom type='plane' size='1 1 1'/>"
                         "<body><freejoint/><geom name='ball' size='.1'/></body>"
                         "<body><freejoint/><geom name='crate' type='box' size='1 1 1' "
                         "contype='0' conaffinity='0'/></body></worldbody>"
                         "<contact><pair geom1='ball' geom2='crate'/></contact></mujoco>");
  HAS(warning_with(m, "plane-sphere"), "primitive.so");
  HAS(warning_with(m, "sphere-box"), "explicit pair");
  ck_assert_str_eq(warning_with(m, "plane-box"), "");     // the filters part them
  ck_assert_str_eq(warning_with(m, "plane-plane"), "");   // never touch, by the documented filters
  sn_model_free(m);
  sn_engine_close(engine);
}
END_TEST

// Every function declares its numbers, and their defaults make the row that models have.
START_TEST(laws_describe_their_numbers) {
  begin();
  sn_provider_info p = { .size = sizeof p };
  int described = 0;
  for (int64_t i = 0; sn_engine_provider(engine, i, &p); i++) {
    const sn_param *numbers = NULL;
    double first = strcmp(p.kind, SN_KIND_BIAS) != 0;
    if (strcmp(p.kind, SN_KIND_DYNAMICS) == 0) {
      numbers = ((const sn_dynamics_ops *)p.ops)->numbers;
    } else if (strcmp(p.kind, SN_KIND_GAIN) == 0 || !first) {
      numbers = ((const sn_force_ops *)p.ops)->numbers;
    }
    for (const sn_param *q = numbers; q && q->name; q++) {
      ck_assert_msg(q->summary && q->summary[0], "%s of %s", q->name, p.name);
      CLOSE(atof(q->default_value), q == numbers ? first : 0, 0);
      described++;
    }
  }
  ck_assert_int_ge(described, 20);
  end();
}
END_TEST

START_TEST(inspect_prints_them) {
  static const struct {
    const char *name, *parts[3];
  } rows[] = {
    { "muscle", { "timeconst_act", "fpmax", "real" } },
    { "touch", { "sinew.sensor/1", "no parameters", "sensors.so" } },
    { "gravcomp", { "sinew.passive/1", "no parameters", "gravity compensation" } },
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    char command[512], text[16384];
    snprintf(command, sizeof command, SN_TEST_BUILD "/sinew plugins inspect %s", rows[i].name);
    FILE *output = popen(command, "r");
    ck_assert_ptr_nonnull(output);
    text[fread(text, 1, sizeof text - 1, output)] = '\0';
    ck_assert_int_eq(pclose(output), 0);
    for (int k = 0; k < 3; k++) {
      HAS(text, rows[i].parts[k]);
    }
  }
}
END_TEST

// ------------------------------------------------------------------ written back

START_TEST(plugin_settings_are_written_back) {
  begin();
  sn_spec *spec = sn_spec_load(engine, MODEL("bind/settings_of_plugins"), error);
  ck_assert_msg(spec != NULL, "%s", sn_error_text(error));
  static const char path[] = SN_TEST_BUILD "/written_back.xml";
  ck_assert_msg(sn_spec_save(spec, "mjcf", path, error) >= 0, "%s", sn_error_text(error));
  sn_spec *again = sn_spec_load(engine, path, error);
  ck_assert_msg(again != NULL, "%s", sn_error_text(error));
  remove(path);

  sn_actuator_def a;
  sn_sensor_def s;
  sn_force_def f;
  sn_joint_def j;
  sn_tendon_def t;
  sn_body_def b;
  sn_pair_def p;
  sn_option o;
  sn_default_actuator(&a);
  sn_default_sensor(&s);
  sn_default_force(&f);
  sn_default_joint(&j);
  sn_default_tendon(&t);
  sn_default_body(&b);
  sn_default_pair(&p);
  sn_default_option(&o);
  ck_assert_int_ge(sn_spec_get_actuator(again, 0, &a, error), 0);
  ck_assert_str_eq(a.attributes, "timeconst=.25\nbias_velocity=-3\n");
  ck_assert_int_eq(a.actearly, 1);
  ck_assert_int_ge(sn_spec_get_sensor(again, 0, &s, error), 0);
  ck_assert_str_eq(s.type, "any");
  ck_assert_str_eq(s.attributes, "a=x=\"y\"\n");
  ck_assert_str_eq(s.refobject, "world");
  ck_assert_int_ge(sn_spec_get_force(again, 0, &f, error), 0);
  ck_assert_str_eq(f.attributes, "site1=s\n");
  ck_assert_int_ge(sn_spec_get_joint(again, 0, &j, error), 0);
  CLOSE(j.dof_damping[2], 3, 0);
  CLOSE(j.dof_armature[1], 5, 0);
  CLOSE(j.springquat[1], 1, 0);
  ck_assert(isnan(j.dof_stiffness[0]));
  ck_assert_int_ge(sn_spec_get_joint(again, 1, &j, error), 0);
  CLOSE(j.stiffness, 2, 0);   // its one degree of freedom has the stiffness of the joint
  ck_assert(isnan(j.dof_stiffness[0]));
  ck_assert_int_ge(sn_spec_get_tendon(again, 0, &t, error), 0);
  CLOSE(t.springlength[1], 2, 0);
  ck_assert_int_ge(sn_spec_get_body(again, 1, &b, error), 0);
  CLOSE(b.gravcomp, 0.5, 0);
  ck_assert_int_ge(sn_spec_get_pair(again, 0, &p, error), 0);
  ck_assert(p.friction[0] == 2 && p.friction[1] == 1);
  ck_assert_int_ge(sn_spec_get_option(again, &o), 0);
  ck_assert_str_eq(o.integrator, "implicitfast");
  sn_spec_free(again);
  sn_spec_free(spec);
  end();
}
END_TEST

START_TEST(names_reach_the_rows) {
  begin();
  sn_model *m = model_of("<mujoco>" BODY "<actuator><general joint='j' dyntype='filterexact' "
                         "gainprm='7' biastype='affine' biasprm='1 2'><config key='timeconst' "
                         "value='.25'/><config key='bias_velocity' value='-3'/></general>"
                         "</actuator></mujoco>");
  static const double bias[3] = { 1, 2, -3 };
  CLOSE(m->actuator_dynprm[0], 0.25, 0);
  CLOSE(m->actuator_gainprm[0], 7, 0);
  for (int k = 0; k < 3; k++) {
    CLOSE(m->actuator_biasprm[k], bias[k], 0);
  }
  sn_model_free(m);
  HAS(message_of(engine,
                 "<mujoco>" BODY "<extension><force type='gravcomp'/></extension></mujoco>"),
      "acts in every model and cannot be listed");
  end();
}
END_TEST

TESTS() {
  FIXTURE(own_error, free_error);
  TEST(sensor_missing_names_its_plugin);
  TEST(law_missing_names_its_plugin);
  TEST(implementation_missing_is_named);
  TEST(missing_forces_are_named);
  TEST(pairs_that_nobody_serves_are_warned_of);
  TEST(laws_describe_their_numbers);
  TEST(inspect_prints_them);
  TEST(plugin_settings_are_written_back);
  TEST(names_reach_the_rows);
}
