// SPDX-License-Identifier: Apache-2.0
//
// The compiler: order and addresses, laws and sensors, keyframes, and errors with place and cure.

#include "compile/compiling.h"
#include "suite.h"

// ------------------------------------------------------------------ the tree

// Bodies are added out of order; a model numbers them depth first, and everything follows.
START_TEST(depth_first) {
  int32_t a = add_body(0, "a"), b = add_body(0, "b"), a1 = add_body(a, "a1");
  int32_t b1 = add_body(b, "b1"), a11 = add_body(a1, "a11");
  add_joint(b, "jb", SN_JOINT_FREE);
  add_joint(a11, "ja11", SN_JOINT_BALL);
  add_joint(a1, "ja1", SN_JOINT_SLIDE);
  add_joint(a1, "ka1", SN_JOINT_HINGE);
  add_geom(b1, "gb1", SN_GEOM_SPHERE, 0.1, 0, 0);
  add_geom(0, "gw", SN_GEOM_PLANE, 1, 1, 1);
  add_geom(a1, "ga1", SN_GEOM_SPHERE, 0.1, 0, 0);
  add_geom(b, "gb", SN_GEOM_SPHERE, 0.1, 0, 0);
  add_geom(a11, "ga11", SN_GEOM_SPHERE, 0.1, 0, 0);
  compile();
  static const char *const bodies[] = { "world", "a", "a1", "a11", "b", "b1" };
  static const char *const joints[] = { "ja1", "ka1", "ja11", "jb" };
  static const char *const geoms[] = { "gw", "ga1", "ga11", "gb", "gb1" };
  for (int32_t i = 0; i < 6; i++) {
    ck_assert_str_eq(sn_name(model, "body", i), bodies[i]);
  }
  for (int32_t i = 0; i < 4; i++) {
    ck_assert_str_eq(sn_name(model, "joint", i), joints[i]);
  }
  for (int32_t i = 0; i < 5; i++) {
    ck_assert_str_eq(sn_name(model, "geom", i), geoms[i]);
  }
  ck_assert_int_eq(model->nv, 1 + 1 + 3 + 6);
  ck_assert_int_eq(model->nq, 1 + 1 + 4 + 7);
  ck_assert_int_eq(model->nM, (1 + 2 + 3 + 4 + 5) + (1 + 2 + 3 + 4 + 5 + 6));
  static const int32_t parents[] = { -1, 0, 1, 2, 3, -1, 5, 6, 7, 8, 9 };
  for (int i = 0; i < 11; i++) {
    ck_assert_int_eq(model->dof_parentid[i], parents[i]);
    ck_assert_int_eq(model->dof_treeid[i], i < 5 ? 0 : 1);
  }
  // a is fixed to the world, b1 to b
  static const int32_t weld[] = { 0, 0, 2, 3, 4, 4 }, root[] = { 0, 1, 1, 1, 4, 4 };
  for (int i = 0; i < 6; i++) {
    ck_assert_int_eq(model->body_weldid[i], weld[i]);
    ck_assert_int_eq(model->body_rootid[i], root[i]);
  }
  NEAR(model->body_subtreemass[1], 2 * model->body_mass[2], 1e-12);
  NEAR(model->qpos0[2], 1, 0);   // of the ball joint
}
END_TEST

// Mass times distance overflows: the compiler says which body.
START_TEST(overflow_is_warned_of) {
  int32_t body = add_body(0, "far");
  sn_body_def def = { .def_size = sizeof def };
  add_joint(body, "j", SN_JOINT_FREE);
  ck_assert_int_eq(sn_spec_get_body(spec, body, &def, error), SN_OK);
  def.inertial = 1;
  def.mass = def.pos[0] = 1e308;
  def.diaginertia[0] = def.diaginertia[1] = def.diaginertia[2] = 1;
  def.ipos[0] = def.ipos[1] = def.ipos[2] = 0;
  ck_assert_int_eq(sn_spec_set_body(spec, body, &def, error), SN_OK);
  compile();
  ck_assert_ptr_nonnull(sn_model_warning(model, 0));
  ck_assert_ptr_nonnull(strstr(sn_model_warning(model, 0), "body 1 'far': masses and distances"));
}
END_TEST

// A range in radians that was probably meant in degrees. Joints of several turns have no warning.
START_TEST(degrees_for_radians_are_warned_of) {
  static const struct {
    int32_t type, degree;
    double range[2];
    int warns;
  } joints[] = {
    { SN_JOINT_HINGE, 0, { -45, 45 }, 1 },
    { SN_JOINT_BALL, 0, { 0, 90 }, 1 },
    { SN_JOINT_HINGE, 1, { -45, 45 }, 0 },
    { SN_JOINT_HINGE, 0, { -9.42, 9.42 }, 0 },
    { SN_JOINT_HINGE, 0, { -20 * SN_PI, 20 * SN_PI }, 0 },
    { SN_JOINT_HINGE, 0, { -1000, 1000 }, 0 },
    { SN_JOINT_SLIDE, 0, { -45, 45 }, 0 },
  };
  sn_joint_def joint;
  sn_default_joint(&joint);
  joint.body = add_body(0, "a");
  joint.name = "j";
  joint.type = joints[_i].type;
  joint.limited = 1;
  memcpy(joint.range, joints[_i].range, sizeof joint.range);
  add_geom(joint.body, NULL, SN_GEOM_SPHERE, 0.1, 0, 0);
  OK(sn_spec_add_joint(spec, &joint, NULL, NULL, error));
  spec->compiler.degree = joints[_i].degree;
  compile();
  const char *warning = sn_model_warning(model, 0);
  ck_assert_int_eq(warning != NULL, joints[_i].warns);
  ck_assert(!warning || (strstr(warning, "joint 'j'") && strstr(warning, "if degrees are meant")));
}
END_TEST

// A time constant and damping ratio: x'' + d/I x' + k/I x decays with exp(-t/T) at z <= 1.
START_TEST(spring_of_a_time_constant) {
  int32_t a = add_body(0, "a");
  sn_joint_def joint;
  sn_default_joint(&joint);
  joint.body = a;
  SN_SET(joint.springdamper, 0.25, 0.8);
  OK(sn_spec_add_joint(spec, &joint, NULL, NULL, error));
  add_geom(a, NULL, SN_GEOM_BOX, 0.1, 0.2, 0.3);
  compile();
  double I = model->dof_M0[0], d = model->dof_damping[0], k = model->jnt_stiffness[0];
  NEAR(d / (2 * I), 1 / 0.25, 1e-12);
  NEAR(d / (2 * sqrt(k * I)), 0.8, 1e-12);
}
END_TEST

// A weld without a pose and a connect hold at qpos0: both anchors are one global point.
START_TEST(equality_holds_at_the_start) {
  sn_body_def body;
  int32_t ids[2];
  for (int k = 0; k < 2; k++) {
    sn_default_body(&body);
    body.name = k ? "b" : "a";
    SN_SET(body.pos, 1 + k, 2, 3 * k);
    SN_SET(body.orient.quat, 0.8, 0.1, -0.4 * k, 0.2);
    OK(sn_spec_add_body(spec, &body, NULL, &ids[k], error));
    add_geom(ids[k], NULL, SN_GEOM_SPHERE, 0.1, 0, 0);
    add_joint(ids[k], NULL, SN_JOINT_FREE);
  }
  sn_equality_def eq;
  sn_default_equality(&eq);
  eq.obj1 = "a";
  eq.obj2 = "b";
  SN_SET(eq.anchor, 0.3, -0.2, 0.1);
  eq.type = SN_EQUALITY_CONNECT;
  OK(sn_spec_add_equality(spec, &eq, NULL, NULL, error));
  eq.type = SN_EQUALITY_WELD;
  OK(sn_spec_add_equality(spec, &eq, NULL, NULL, error));
  compile();
  const double *pos = model->body_pos, *quat = model->body_quat;
  const double *connect = model->eq_data, *weld = model->eq_data + 11;
  double p[3], q[3], turn[4];
  sn_rotate(p, connect, quat + 4);
  sn_add3(p, p, pos + 3);
  sn_rotate(q, connect + 3, quat + 8);
  sn_add3(q, q, pos + 6);
  NEAR(sn_dist3(p, q), 0, 1e-14);
  sn_rotate(p, weld, quat + 8);
  sn_add3(p, p, pos + 6);
  sn_rotate(q, weld + 3, quat + 4);
  sn_add3(q, q, pos + 3);
  NEAR(sn_dist3(p, q), 0, 1e-14);
  sn_mul_quat(turn, quat + 4, weld + 6);
  same_rotation(turn, quat + 8);
}
END_TEST

// ------------------------------------------------------------------ pairs

// What a pair leaves unset is mixed from its geoms, and pairs are sorted by their bodies.
START_TEST(pairs_are_mixed_and_sorted) {
  int32_t a = add_body(0, "a"), b = add_body(0, "b");
  sn_geom_def geom;
  sn_default_geom(&geom);
  geom.size[0] = 0.1;
  geom.body = a;
  geom.name = "ga";
  geom.condim = 4;
  geom.margin = 0.3;
  geom.solmix = 3;
  SN_SET(geom.friction, 0.5, 0.1, 0.2);
  SN_SET(geom.solref, 0.1, 0.5);
  OK(sn_spec_add_geom(spec, &geom, NULL, NULL, error));
  sn_default_geom(&geom);
  geom.size[0] = 0.1;
  geom.body = b;
  geom.name = "gb";
  OK(sn_spec_add_geom(spec, &geom, NULL, NULL, error));
  add_geom(0, "gw", SN_GEOM_PLANE, 1, 1, 1);

  sn_pair_def pair;
  sn_default_pair(&pair);
  pair.geom1 = "gb";
  pair.geom2 = "ga";
  pair.gap = 0.05;
  OK(sn_spec_add_pair(spec, &pair, NULL, NULL, error));
  pair.name = "floor";
  pair.geom2 = "gw";
  OK(sn_spec_add_pair(spec, &pair, NULL, NULL, error));
  compile();
  ck_assert_str_eq(sn_name(model, "pair", 0), "floor");
  ck_assert_int_eq(model->pair_geom1[0], 0);
  ck_assert_int_eq(model->pair_signature[1], (2 << 16) + 3);
  ck_assert_int_eq(model->pair_geom1[1], 1);
  ck_assert_int_eq(model->pair_dim[1], 4);
  NEAR(model->pair_margin[1], 0.3, 0);
  NEAR(model->pair_gap[1], 0.05, 0);
  NEAR(model->pair_solref[2], 0.75 * 0.1 + 0.25 * 0.02, 1e-15);
  NEAR(model->pair_friction[5], 1, 0);
  NEAR(model->pair_friction[7], 0.1, 0);
}
END_TEST

// ------------------------------------------------------------------ actuators and sensors

static void add_actuator(const char *name, const char *joint, const char *dyntype, double states) {
  sn_actuator_def actuator;
  sn_default_actuator(&actuator);
  actuator.name = name;
  actuator.target = joint;
  actuator.dyntype = dyntype;
  actuator.dynprm[0] = states;
  OK(sn_spec_add_actuator(spec, &actuator, NULL, NULL, error));
}

START_TEST(laws_decide) {
  int32_t a = add_body(0, "a");
  add_joint(a, "turn", SN_JOINT_HINGE);
  add_geom(a, NULL, SN_GEOM_SPHERE, 0.1, 0, 0);
  add_actuator("plain", "turn", "none", 0);
  add_actuator("two", "turn", "states", 2);
  add_actuator("three", "turn", "states", 3);
  compile();
  static const int32_t adr[] = { -1, 0, 2 }, num[] = { 0, 2, 3 };
  for (int i = 0; i < 3; i++) {
    ck_assert_int_eq(model->actuator_actadr[i], adr[i]);
    ck_assert_int_eq(model->actuator_actnum[i], num[i]);
  }
  ck_assert_int_eq(model->na, 5);
  ck_assert_str_eq(model->names + model->actuator_dynname[2], "states");
  NEAR(model->actuator_acc0[0], model->dof_invweight0[0], 1e-9);

  add_actuator("late", "turn", "none", 0);
  rejected(SN_ECOMPILE, "actuator 'late'", "before");
}
END_TEST

START_TEST(laws_reject) {
  int32_t a = add_body(0, "a");
  add_joint(a, "turn", SN_JOINT_HINGE);
  add_geom(a, NULL, SN_GEOM_SPHERE, 0.1, 0, 0);
  sn_actuator_def actuator;
  sn_default_actuator(&actuator);
  actuator.name = "m";
  actuator.target = "turn";
  const sn_location location = { "m.xml", 8, 2 };
  int32_t id;
  OK(sn_spec_add_actuator(spec, &actuator, &location, &id, error));

  // a plugin's own words, with the place of the element
  actuator.gainprm[0] = -1;
  OK(sn_spec_set_actuator(spec, id, &actuator, error));
  rejected(SN_ECOMPILE, "m.xml:8:2", "gain must not be negative");
  actuator.gaintype = "fixd";
  OK(sn_spec_set_actuator(spec, id, &actuator, error));
  rejected(SN_ENOTFOUND, "actuator 'm'", "fixed");
  actuator.gaintype = "long";
  OK(sn_spec_set_actuator(spec, id, &actuator, error));
  rejected(SN_ECOMPILE, "actuator 'm'", "lengthrange");   // the toys do not move
  sn_compiler c = { .def_size = sizeof c };
  OK(sn_spec_get_compiler(spec, &c));
  c.lr_timestep = 0;
  OK(sn_spec_set_compiler(spec, &c, error));
  rejected(SN_ECOMPILE, "lengthrange", "timestep 0");
  c.lr_timestep = 0.01;
  OK(sn_spec_set_compiler(spec, &c, error));
  SN_SET(actuator.lengthrange, 1, 2);
  actuator.actlimited = SN_TRUE;
  SN_SET(actuator.actrange, 0, 1);
  OK(sn_spec_set_actuator(spec, id, &actuator, error));
  rejected(SN_ECOMPILE, "activation", "none");
  actuator.actlimited = SN_FALSE;
  actuator.target = "trn";
  OK(sn_spec_set_actuator(spec, id, &actuator, error));
  rejected(SN_ECOMPILE, "no joint 'trn'", "did you mean 'turn'");
}
END_TEST

START_TEST(sensors_are_placed) {
  int32_t a = add_body(0, "a");
  add_geom(a, NULL, SN_GEOM_SPHERE, 0.1, 0, 0);
  add_site(a, "s");
  sn_sensor_def sensor;
  sn_default_sensor(&sensor);
  sensor.type = "open";
  sensor.dim = 3;
  sensor.stage = SN_STAGE_VELOCITY;
  sensor.datatype = SN_DATA_AXIS;
  int32_t id;
  OK(sn_spec_add_sensor(spec, &sensor, NULL, NULL, error));
  sn_default_sensor(&sensor);
  sensor.type = "frame";
  sensor.name = "f";
  sensor.objtype = "site";
  sensor.object = "s";
  sensor.refobject = "s";   // its type accepts one kind, which need not be specified
  sensor.attributes = "key=value";
  OK(sn_spec_add_sensor(spec, &sensor, NULL, &id, error));
  compile();
  ck_assert_int_eq(model->nsensordata, 7);
  ck_assert_int_eq(model->nsensorstate, 2);
  ck_assert_int_eq(model->sensor_needstage[0], SN_STAGE_VELOCITY);
  ck_assert_int_eq(model->sensor_datatype[0], SN_DATA_AXIS);
  ck_assert_int_eq(model->sensor_adr[1], 3);
  ck_assert_int_eq(model->sensor_refid[1], 0);
  ck_assert_str_eq(model->names + model->sensor_reftypename[1], "site");
  ck_assert_str_eq(model->names + model->sensor_attradr[1], "key=value");

  // its attributes are checked against what it declares
  sensor.attributes = "key=a=b\ngain=much\n";
  OK(sn_spec_set_sensor(spec, id, &sensor, error));
  rejected(SN_EINVAL, "sensor 'f'", "'gain' must be a number, not 'much'");
  sensor.attributes = "gian=2";
  OK(sn_spec_set_sensor(spec, id, &sensor, error));
  rejected(SN_ENOTFOUND, "sensor 'f'", "did you mean 'gain'");
  sensor.attributes = NULL;
  sensor.type = "open";   // which measures nothing in particular
  OK(sn_spec_set_sensor(spec, id, &sensor, error));
  rejected(SN_ECOMPILE, "sensor 'f'",
           "type 'open' takes no object, but 's' is specified; remove it");
  sensor.type = "frame";

  sensor.cutoff = 1;
  OK(sn_spec_set_sensor(spec, id, &sensor, error));
  rejected(SN_ECOMPILE, "sensor 'f'", "cutoff");
  sensor.cutoff = 0;
  sensor.objtype = "geom";
  OK(sn_spec_set_sensor(spec, id, &sensor, error));
  rejected(SN_ECOMPILE, "sensor 'f'", "'frame' must be a site|body; 's' is specified as a geom");
  sensor.type = "fram";
  OK(sn_spec_set_sensor(spec, id, &sensor, error));
  rejected(SN_ENOTFOUND, "sensor 'f'", "frame");
}
END_TEST

// ------------------------------------------------------------------ keyframes, names, errors

START_TEST(keyframes) {
  int32_t a = add_body(0, "a");
  add_joint(a, "turn", SN_JOINT_BALL);
  add_geom(a, NULL, SN_GEOM_SPHERE, 0.1, 0, 0);
  sn_body_def mocap;
  sn_default_body(&mocap);
  mocap.mocap = 1;
  SN_SET(mocap.pos, 7, 8, 9);
  OK(sn_spec_add_body(spec, &mocap, NULL, NULL, error));
  const double qpos[] = { 2, 0, 0, 2 };
  sn_key_def key;
  sn_default_key(&key);
  key.name = "k";
  key.qpos = (sn_reals){ qpos, 4 };
  int32_t id;
  OK(sn_spec_add_key(spec, &key, NULL, &id, error));
  compile();
  NEAR(model->key_qpos[0], sqrt(0.5), 1e-15);
  NEAR(model->key_mpos[1], 8, 0);
  NEAR(model->key_mquat[0], 1, 0);
  key.qpos.n = 3;
  OK(sn_spec_set_key(spec, id, &key, error));
  rejected(SN_ECOMPILE, "key 'k'", "the model needs 4");
}
END_TEST

START_TEST(names_are_unique) {
  sn_site_def site;
  sn_default_site(&site);
  site.name = "s";
  const sn_location first = { "a.xml", 1, 2 }, second = { "b.xml", 3, 4 };
  OK(sn_spec_add_site(spec, &site, &first, NULL, error));
  OK(sn_spec_add_site(spec, &site, &second, NULL, error));
  rejected(SN_ECOMPILE, "b.xml:3:4", "a.xml:1:2");
}
END_TEST

typedef struct mistake {
  const char *word1, *word2;
  sn_status code;
  void (*make)(void);
} mistake;

static void moving_without_mass(void) {
  add_joint(add_body(0, "a"), "j", SN_JOINT_HINGE);
}

static void mass_without_inertia(void) {
  sn_body_def body;
  int32_t id;
  sn_default_body(&body);
  body.name = "a";
  body.inertial = 1;
  body.mass = 2;
  OK(sn_spec_add_body(spec, &body, NULL, &id, error));
  add_joint(id, "j", SN_JOINT_HINGE);
}

static void free_joint_below(void) {
  int32_t a = add_body(0, "a"), b = add_body(a, "b");
  add_geom(b, NULL, SN_GEOM_SPHERE, 0.1, 0, 0);
  add_joint(b, "j", SN_JOINT_FREE);
}

static void too_many_dofs(void) {
  int32_t a = add_body(0, "a");
  add_geom(a, NULL, SN_GEOM_SPHERE, 0.1, 0, 0);
  add_joint(a, "j", SN_JOINT_FREE);
  add_joint(a, "k", SN_JOINT_HINGE);
}

static void moving_plane(void) {
  int32_t a = add_body(0, "a");
  add_geom(a, NULL, SN_GEOM_SPHERE, 0.1, 0, 0);
  add_geom(a, "p", SN_GEOM_PLANE, 1, 1, 1);
  add_joint(a, "j", SN_JOINT_FREE);
}

static void flat_box(void) {
  add_geom(0, "g", SN_GEOM_BOX, 1, 1, 0);
}

static void no_radius(void) {
  add_geom(0, "g", SN_GEOM_CAPSULE, 0, 0, 0);
}

static void no_material(void) {
  sn_geom_def geom;
  sn_default_geom(&geom);
  geom.name = "g";
  geom.size[0] = 1;
  geom.material = "stel";
  sn_material_def material;
  sn_default_material(&material);
  material.name = "steel";
  OK(sn_spec_add_material(spec, &material, NULL, NULL, error));
  OK(sn_spec_add_geom(spec, &geom, NULL, NULL, error));
}

static void lonely_geom(void) {
  add_geom(0, "g", SN_GEOM_SPHERE, 1, 0, 0);
  add_site(0, "s");
  const sn_wrap_def wrap[2] = { { .type = SN_WRAP_SITE, .object = "s" },
                                { .type = SN_WRAP_SPHERE, .object = "g" } };
  sn_tendon_def tendon;
  sn_default_tendon(&tendon);
  tendon.name = "t";
  tendon.wrap = wrap;
  tendon.nwrap = 2;
  OK(sn_spec_add_tendon(spec, &tendon, NULL, NULL, error));
}

static void empty_mesh(void) {
  sn_mesh_def mesh;
  sn_default_mesh(&mesh);
  mesh.name = "m";
  OK(sn_spec_add_mesh(spec, &mesh, NULL, NULL, error));
}

static void moving_mocap(void) {
  sn_body_def body;
  int32_t id;
  sn_default_body(&body);
  body.name = "m";
  body.mocap = 1;
  OK(sn_spec_add_body(spec, &body, NULL, &id, error));
  add_geom(id, NULL, SN_GEOM_SPHERE, 0.1, 0, 0);
  add_joint(id, "j", SN_JOINT_HINGE);
}

static void huge_size(void) {
  sn_size_hint hint = { .def_size = sizeof hint };
  sn_default_size_hint(&hint);
  hint.nuser_geom = INT64_MAX;
  OK(sn_spec_set_size_hint(spec, &hint, error));
}

static const mistake mistakes[] = {
  { "body 'a'", "inertial", SN_ECOMPILE, moving_without_mass },
  { "joint 'j'", "a child of the world", SN_ECOMPILE, free_joint_below },
  { "body 'a'", "more than 6", SN_ECOMPILE, too_many_dofs },
  { "geom 'p'", "without joints", SN_ECOMPILE, moving_plane },
  { "body 'a'",
    "it moves and has mass 2, but its moments of inertia are 0 0 0; specify diaginertia",
    SN_ECOMPILE, mass_without_inertia },
  { "geom 'g'", "the half size z of a box, the third number of size, is missing or 0", SN_ECOMPILE,
    flat_box },
  { "geom 'g'", "size is missing or 0; the size of a capsule is: radius, half length", SN_ECOMPILE,
    no_radius },
  { "geom 'g'", "did you mean 'steel'?", SN_ECOMPILE, no_material },
  { "tendon 't'", "between two sites", SN_ECOMPILE, lonely_geom },
  { "mesh 'm'", "at least 4", SN_ECOMPILE, empty_mesh },
  { "body 'm'", "have no joints; remove its joints", SN_ECOMPILE, moving_mocap },
  { "size", "from 0 to 1000000", SN_ECOMPILE, huge_size },
};
enum { NMISTAKES = sizeof mistakes / sizeof mistakes[0] };

START_TEST(mistakes_are_named) {
  const mistake *m = &mistakes[_i];
  m->make();
  rejected(m->code, m->word1, m->word2);
}
END_TEST

// The same spec gives the same bytes.
START_TEST(compile_twice_gives_the_same_bytes) {
  int32_t a = add_body(0, "a");
  add_joint(a, "j", SN_JOINT_FREE);
  add_geom(a, "g", SN_GEOM_CAPSULE, 0.1, 0.3, 0);
  add_geom(a, "h", SN_GEOM_BOX, 0.1, 0.3, 0.2);
  compile();
  sn_model *again = sn_compile(spec, error);
  ck_assert_ptr_nonnull(again);
  ck_assert_int_eq(again->nbuffer, model->nbuffer);
  ck_assert_mem_eq(again->buffer, model->buffer, (size_t)model->nbuffer);
  sn_model_free(again);
}
END_TEST

// One number a dof has no holes; those at the end are the joint's number.
START_TEST(dof_numbers_have_no_holes) {
  add_joint(add_body(0, "b"), "j", SN_JOINT_BALL);
  add_geom(1, NULL, SN_GEOM_SPHERE, 1, 0, 0);
  sn_joint_def joint;
  sn_default_joint(&joint);
  OK(sn_spec_get_joint(spec, 0, &joint, error));
  joint.name = "j";   // the spec's own is gone where it is set
  joint.damping = 7;
  joint.dof_damping[0] = 1;
  OK(sn_spec_set_joint(spec, 0, &joint, error));
  compile();
  ck_assert_double_eq(model->dof_damping[0], 1);
  ck_assert_double_eq(model->dof_damping[2], 7);
  joint.dof_damping[2] = 3;
  OK(sn_spec_set_joint(spec, 0, &joint, error));
  rejected(SN_ECOMPILE, "joint 'j': dof_damping[1] is unset", "set both");
  joint.dof_damping[2] = SN_UNSET;
  joint.springquat[0] = 1;
  OK(sn_spec_set_joint(spec, 0, &joint, error));
  rejected(SN_ECOMPILE, "joint 'j'", "springquat takes four numbers");
}
END_TEST

// What a file asks for is in proportion to what it says.
START_TEST(user_numbers_of_all_elements_have_a_limit) {
  sn_size_hint hint;
  sn_default_size_hint(&hint);
  hint.nuser_geom = 1000000;
  OK(sn_spec_set_size_hint(spec, &hint, error));
  int32_t body = add_body(0, "b");
  for (int i = 0; i < 200; i++) {
    add_geom(body, NULL, SN_GEOM_SPHERE, 1, 0, 0);
  }
  rejected(SN_ECOMPILE, "nuser_geom is 1000000, for each of 200", "limited to 100000000");
}
END_TEST

// Rows of M are as long as their dofs are deep: in a chain their number grows with its square.
START_TEST(degrees_of_freedom_have_a_limit) {
  enum { BODIES = 10923 };   // of six degrees of freedom: 65538
  int32_t body = 0;
  for (int i = 0; i < BODIES; i++) {
    char name[20];
    snprintf(name, sizeof name, "b%d", i + 1);
    body = add_body(body, name);
    for (int k = 0; k < 6; k++) {
      add_joint(body, NULL, k < 3 ? SN_JOINT_SLIDE : SN_JOINT_HINGE);
    }
  }
  rejected(
      SN_ECOMPILE, "body 'b10923'",
      "too many degrees of freedom: 65538, of which 65538 are in the chain that ends here; the "
      "inertia matrix would have 2147647491 entries");
}
END_TEST

TESTS() {
  FIXTURE(setup, teardown);
  TEST(dof_numbers_have_no_holes);
  TEST(user_numbers_of_all_elements_have_a_limit);
  TEST(degrees_of_freedom_have_a_limit);
  TEST(depth_first);
  TEST(overflow_is_warned_of);
  EACH(degrees_for_radians_are_warned_of, 0, 7);
  TEST(spring_of_a_time_constant);
  TEST(equality_holds_at_the_start);
  TEST(pairs_are_mixed_and_sorted);
  TEST(laws_decide);
  TEST(laws_reject);
  TEST(sensors_are_placed);
  TEST(keyframes);
  TEST(names_are_unique);
  EACH(mistakes_are_named, 0, NMISTAKES);
  TEST(compile_twice_gives_the_same_bytes);
}
