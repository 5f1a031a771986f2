// SPDX-License-Identifier: Apache-2.0
//
// The world of the kit: how it is built, random states.

#include "world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/kinematics.h"
#include "sinew/passive.h"
#include "sinew/sensor.h"

// ------------------------------------------------------------------ building

// Limits exist, but no state reaches them: there are no constraint rows.
static const double unreached = 1e4;   // m, degrees

typedef struct maker {
  sn_spec *spec;
  sn_error *error;
  sn_status status;       // of the first failure; nothing is added after it
  const char *implements;   // the parameters that the model has, see sn_passive_ops; "": none
  int is_floating;
  int32_t stage;            // the last one in which a sensor may be evaluated
} maker;

#define ADD(m, kind, def, id)                                                      \
  ((m)->status = (m)->status < 0 ? (m)->status                                     \
                                 : sn_spec_add_##kind((m)->spec, def, NULL, id, (m)->error))

// A parameter of the model, if the provider implements it.
static double if_implemented(const maker *m, const char *parameter, double value) {
  return strstr(m->implements, parameter) ? value : 0;
}

static int32_t add_body(maker *m, const char *name, int32_t parent, double x, double y, double z) {
  sn_body_def def;
  int32_t id = 0;
  sn_default_body(&def);
  def.name = name;
  def.parent = parent;
  def.mocap = strcmp(name, "target") == 0;
  def.gravcomp = if_implemented(m, "body_gravcomp", 0.5);
  SN_SET(def.pos, x, y, z);
  ADD(m, body, &def, &id);
  return id;
}

static void add_joint(maker *m, const char *name, int32_t body, int type, double x, double y,
                      double z) {
  sn_joint_def def;
  sn_default_joint(&def);
  def.name = name;
  def.body = body;
  def.type = type;
  if (!m->is_floating || type != SN_JOINT_FREE) {
    def.stiffness = if_implemented(m, "dof_stiffness", 3);
    def.damping = if_implemented(m, "dof_damping", 0.4);
  }
  SN_SET(def.axis, x, y, z);
  if (type >= SN_JOINT_SLIDE) {
    def.limited = SN_TRUE;
    SN_SET(def.range, -unreached, unreached);
  }
  ADD(m, joint, &def, NULL);
}

static void add_camera(maker *m, int32_t body) {
  sn_camera_def def;
  sn_default_camera(&def);
  def.name = "eye";
  def.body = body;
  SN_SET(def.pos, 0.1, 0, 0.3);
  ADD(m, camera, &def, NULL);
}

// A geom and a site beside it, of the same name.
static void add_geom(maker *m, const char *name, int32_t body, int type, double x, double y,
                     double z) {
  sn_geom_def geom;
  sn_site_def site;
  sn_default_geom(&geom);
  sn_default_site(&site);
  geom.name = site.name = name;
  geom.body = site.body = body;
  geom.type = type;
  geom.group = body % 3;
  geom.fluid = if_implemented(m, "geom_fluid", 1) > 0;
  SN_SET(geom.size, 0.1, 0.2, 0.15);
  SN_SET(geom.pos, x, y, z);
  SN_SET(site.pos, x + 0.05, y - 0.1, z + 0.2);
  ADD(m, geom, &geom, NULL);
  ADD(m, site, &site, NULL);
}

static void add_motor(maker *m, const char *name, int type, const char *target) {
  sn_actuator_def def;
  sn_default_actuator(&def);
  def.name = name;
  def.trntype = type;
  def.target = target;
  ADD(m, actuator, &def, NULL);
}

static void add_tendons(maker *m) {
  const char *end = m->is_floating ? "cart" : "floor";
  const sn_wrap_def path[] = { { .type = SN_WRAP_SITE, .object = end },
                               { .type = SN_WRAP_SITE, .object = "hand" } };
  static const sn_wrap_def sum[] = { { .type = SN_WRAP_JOINT, .object = "wrist", .prm = 1 },
                                     { .type = SN_WRAP_JOINT, .object = "slider", .prm = -2 } };
  sn_tendon_def def;
  sn_default_tendon(&def);
  def.limited = SN_TRUE;
  SN_SET(def.range, -unreached, unreached);
  def.stiffness = if_implemented(m, "tendon_stiffness", 5);
  def.damping = if_implemented(m, "tendon_damping", 0.6);
  def.name = "rope";
  def.wrap = path;
  def.nwrap = 2;
  ADD(m, tendon, &def, NULL);
  def.name = "cable";
  def.wrap = sum;
  ADD(m, tendon, &def, NULL);
}

// Sensors for sensors that measure others: none in a later stage than that of the provider.
static void add_sensor(maker *m, const char *name, int32_t stage, int32_t dim) {
  sn_sensor_def def;
  sn_default_sensor(&def);
  def.name = name;
  def.type = "reading";
  def.stage = stage < m->stage ? stage : m->stage;
  def.dim = dim;
  ADD(m, sensor, &def, NULL);
}

static void add_sensors(maker *m) {
  add_sensor(m, "place", SN_STAGE_POSITION, 1);
  add_sensor(m, "speed", SN_STAGE_VELOCITY, 3);
  add_sensor(m, "push", SN_STAGE_ACCELERATION, 2);
}

// Kinds of elements that have no effect on the motion; the constraint is not active.
static void add_others(maker *m) {
  static const sn_tuple_item items[] = { { .objtype = "body", .object = "arm", .prm = 1 } };
  static const double numbers[] = { 1, 2 };
  sn_light_def light;
  sn_texture_def texture;
  sn_material_def material;
  sn_exclude_def exclude;
  sn_equality_def equality;
  sn_numeric_def numeric;
  sn_text_def text;
  sn_tuple_def tuple;
  sn_default_light(&light);
  sn_default_texture(&texture);
  sn_default_material(&material);
  sn_default_exclude(&exclude);
  sn_default_equality(&equality);
  sn_default_numeric(&numeric);
  sn_default_text(&text);
  sn_default_tuple(&tuple);
  light.name = "lamp";
  ADD(m, light, &light, NULL);
  texture.name = "stripes";
  texture.type = SN_TEXTURE_2D;
  texture.builtin = SN_BUILTIN_FLAT;
  texture.width = texture.height = 2;
  ADD(m, texture, &texture, NULL);
  material.name = "paint";
  ADD(m, material, &material, NULL);
  exclude.name = "apart";
  exclude.body1 = "arm";
  exclude.body2 = "slider";
  ADD(m, exclude, &exclude, NULL);
  equality.name = "gear";
  equality.type = SN_EQUALITY_JOINT;
  equality.active = 0;
  equality.obj1 = "wrist";
  equality.obj2 = "pole";
  ADD(m, equality, &equality, NULL);
  numeric.name = "numbers";
  numeric.data = (sn_reals){ numbers, 2 };
  ADD(m, numeric, &numeric, NULL);
  text.name = "note";
  text.data = "a text";
  ADD(m, text, &text, NULL);
  tuple.name = "group";
  tuple.item = items;
  tuple.nitem = 1;
  ADD(m, tuple, &tuple, NULL);
}

// A tetrahedron, two heights by two, a skin of one triangle, a pair of geoms.
static void add_shapes(maker *m) {
  static const double corners[] = { 0, 0, 0, 0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1 };
  static const double heights[] = { 0, 1, 1, 0 }, weights[] = { 1, 1, 1 };
  static const int32_t sides[] = { 0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3 }, vertices[] = { 0, 1, 2 };
  static const sn_bone_def bone = { .body = "arm",
                                    .bindquat = { 1, 0, 0, 0 },
                                    .vertid = { vertices, 3 },
                                    .vertweight = { weights, 3 } };
  sn_mesh_def mesh;
  sn_hfield_def hfield;
  sn_skin_def skin;
  sn_pair_def pair;
  sn_default_mesh(&mesh);
  sn_default_hfield(&hfield);
  sn_default_skin(&skin);
  sn_default_pair(&pair);
  mesh.name = "wedge";
  mesh.vert = (sn_reals){ corners, 12 };
  mesh.face = (sn_ints){ sides, 12 };
  ADD(m, mesh, &mesh, NULL);
  hfield.name = "hills";
  hfield.nrow = hfield.ncol = 2;
  SN_SET(hfield.extent, 1, 1, 0.1, 0.1);
  hfield.data = (sn_reals){ heights, 4 };
  ADD(m, hfield, &hfield, NULL);
  skin.name = "cloth";
  skin.vert = (sn_reals){ corners, 9 };
  skin.face = (sn_ints){ vertices, 3 };
  skin.bone = &bone;
  skin.nbone = 1;
  ADD(m, skin, &skin, NULL);
  pair.name = "touch";
  pair.geom1 = "hand";
  pair.geom2 = "cart";
  ADD(m, pair, &pair, NULL);
}

static void add_bodies(maker *m) {
  if (!m->is_floating) {
    add_geom(m, "floor", 0, SN_GEOM_PLANE, 0, 0, 0);
  }
  const int32_t base = add_body(m, "base", 0, 0, 0, 1);
  add_joint(m, "base", base, SN_JOINT_FREE, 0, 0, 1);
  add_geom(m, "base", base, SN_GEOM_BOX, 0, 0, 0);
  const int32_t arm = add_body(m, "arm", base, 0.3, 0, 0.1);
  add_joint(m, "shoulder", arm, SN_JOINT_BALL, 0, 0, 1);
  add_geom(m, "arm", arm, SN_GEOM_CAPSULE, 0.1, 0, 0.2);
  const int32_t hand = add_body(m, "hand", arm, 0.1, 0.1, 0.4);
  add_joint(m, "wrist", hand, SN_JOINT_HINGE, 1, 2, 0.5);
  add_geom(m, "hand", hand, SN_GEOM_SPHERE, 0, 0.1, 0.1);
  add_camera(m, hand);
  const int32_t slider = add_body(m, "slider", base, -0.3, 0, 0);
  add_joint(m, "slider", slider, SN_JOINT_SLIDE, 1, 0, 1);
  add_geom(m, "slider", slider, SN_GEOM_ELLIPSOID, 0, 0, 0.1);
  const int32_t cart = add_body(m, "cart", 0, 0, 1, 0.5);
  add_joint(m, "cart", cart, m->is_floating ? SN_JOINT_FREE : SN_JOINT_SLIDE, 1, 0, 0);
  add_geom(m, "cart", cart, SN_GEOM_BOX, 0, 0, 0);
  const int32_t pole = add_body(m, "pole", cart, 0, 0, 0.2);
  add_joint(m, "pole", pole, SN_JOINT_HINGE, 0, 1, 0);
  add_geom(m, "pole", pole, SN_GEOM_CYLINDER, 0, 0, 0.3);
  if (!m->is_floating) {
    add_geom(m, "target", add_body(m, "target", 0, 0.5, 0.5, 1), SN_GEOM_SPHERE, 0, 0, 0);
  }
}

static void add_world(maker *m) {
  sn_key_def key;
  sn_default_key(&key);
  key.name = "home";
  add_bodies(m);
  add_tendons(m);
  add_motor(m, "cart", SN_TRN_JOINT, "cart");
  add_motor(m, "pole", SN_TRN_JOINT, "pole");
  add_motor(m, "rope", SN_TRN_TENDON, "rope");
  add_motor(m, "wrist", SN_TRN_JOINT, "wrist");
  add_motor(m, "slider", SN_TRN_JOINT, "slider");
  add_sensors(m);
  add_others(m);
  add_shapes(m);
  ADD(m, key, &key, NULL);
}

static void add_pendulum(maker *m, const char *name, int type) {
  const int32_t body = add_body(m, name, 0, 0, 0, 0);
  add_joint(m, name, body, type, 0, 1, 0);
  add_geom(m, name, body, SN_GEOM_BOX, 0, 0, type == SN_JOINT_BALL ? 0 : -1);
}

static void add_pendulums(maker *m) {
  sn_actuator_def def;
  add_pendulum(m, "first", SN_JOINT_HINGE);
  add_pendulum(m, "second", SN_JOINT_HINGE);
  sn_default_actuator(&def);
  def.name = def.target = "first";
  def.dyntype = "decay";
  ADD(m, actuator, &def, NULL);
}

static void add_top(maker *m) {
  add_pendulum(m, "top", SN_JOINT_BALL);
}

static void add_jointed(maker *m) {
  add_geom(m, "floor", 0, SN_GEOM_PLANE, 0, 0, 0);
  const int32_t slider = add_body(m, "slider", 0, -0.3, 0, 1);
  add_joint(m, "slider", slider, SN_JOINT_SLIDE, 1, 0, 1);
  add_geom(m, "slider", slider, SN_GEOM_ELLIPSOID, 0, 0, 0.1);
  const int32_t hand = add_body(m, "hand", slider, 0.1, 0.1, 0.4);
  add_joint(m, "wrist", hand, SN_JOINT_HINGE, 1, 2, 0.5);
  add_geom(m, "hand", hand, SN_GEOM_SPHERE, 0, 0.1, 0.1);
  add_tendons(m);
}

static void (*const contents[])(maker *m) = { [KIT_WORLD] = add_world,
                                              [KIT_FLOATING] = add_world,
                                              [KIT_PENDULUMS] = add_pendulums,
                                              [KIT_TOP] = add_top,
                                              [KIT_JOINTED] = add_jointed };

// The element that names the provider: kind "sinew.controller/draft", type "controller/NAME".
static void add_provider(maker *m, const sn_provider_info *provider, const char *attributes) {
  const char *word = strchr(provider->kind, '.') + 1;
  char type[128];
  sn_force_def def;
  sn_default_force(&def);
  snprintf(type, sizeof type, "%.*s/%s", (int)strcspn(word, "/"), word, provider->name);
  def.type = type;
  def.attributes = attributes;
  ADD(m, force, &def, NULL);
}

static void add_settings(maker *m) {
  sn_size_hint hint;
  sn_option option;
  sn_default_size_hint(&hint);
  sn_default_option(&option);
  hint.nuserdata = 4;
  option.density = if_implemented(m, "density", 100);
  option.viscosity = if_implemented(m, "viscosity", 0.2);
  strcpy(option.integrator, "Euler");
  strcpy(option.solver, "none");
  m->status = m->status < 0 ? m->status : sn_spec_set_size_hint(m->spec, &hint, m->error);
  m->status = m->status < 0 ? m->status : sn_spec_set_option(m->spec, &option, m->error);
}

static const char *implemented(const kit *k) {
  const sn_passive_ops *ops = k->provider->ops;
  const int is_passive = strcmp(k->provider->kind, SN_KIND_PASSIVE) == 0;
  return is_passive && ops->implements ? ops->implements : "";
}

static int32_t last_stage(const kit *k) {
  const sn_sensor_ops *ops = k->provider->ops;
  return strcmp(k->provider->kind, SN_KIND_SENSOR) == 0 ? ops->stage : SN_STAGE_ACCELERATION;
}

static sn_model *make_model(const kit *k, const kit_world *w, const char *attributes,
                            sn_error *error) {
  const uint32_t named = 1;   // the flag SN_CONTROLLER_NAMED and those of other kinds
  maker m = { .spec = sn_spec_new(w->engine, error),
              .error = error,
              .implements = implemented(k),
              .is_floating = w->kind == KIT_FLOATING,
              .stage = last_stage(k) };
  if (!m.spec) {
    return NULL;
  }
  add_settings(&m);
  contents[w->kind](&m);
  if (attributes && ((const sn_ops *)k->provider->ops)->flags & named) {
    add_provider(&m, k->provider, attributes);
  }
  sn_model *model = m.status < 0 ? NULL : sn_compile(m.spec, error);
  sn_spec_free(m.spec);
  return model;
}

// ------------------------------------------------------------------ the world

static int make_world(kit *k, kit_world *w, int kind, const char *attributes, sn_error *error) {
  *w = (kit_world){ .engine = kit_world_engine(k, attributes || *implemented(k), error),
                    .kind = kind };
  w->model = w->engine ? make_model(k, w, attributes, error) : NULL;
  w->data = w->model ? sn_data_new(w->model, error) : NULL;
  if (!w->data) {
    return 0;
  }
  w->model_view = (sn_model_view){ .size = sizeof w->model_view,
                                   .model = w->model,
                                   .fields = w->model_fields };
  w->data_view = (sn_data_view){
    .size = sizeof w->data_view, .data = w->data, .fields = w->data_fields, .model = &w->model_view
  };
  kit_world_see_model(w);
  kit_world_move(k, w);
  return 1;
}

int kit_world_new(kit *k, kit_world *w, const char *attributes, sn_error *error) {
  return make_world(k, w, KIT_WORLD, attributes, error);
}

int kit_world_new_kind(kit *k, kit_world *w, int kind, sn_error *error) {
  return make_world(k, w, kind, NULL, error);
}

void kit_world_free(kit_world *w) {
  free(w->model_copies.memory);
  free(w->data_copies.memory);
  sn_data_free(w->data);
  sn_model_free(w->model);
  if (w->engine) {
    sn_engine_close(w->engine);
  }
  *w = (kit_world){ 0 };
}

static void draw(kit *k, double *out, int64_t n, double size) {
  for (int64_t i = 0; i < n; i++) {
    out[i] = size * kit_random(k);
  }
}

void kit_world_look(kit_world *w) {
  sn_forward(w->model, w->data);
  kit_world_see_data(w);
}

void kit_world_pull(kit *k, kit_world *w) {
  draw(k, snd_ctrl(w->data), snm_nu(w->model), 1);
  kit_world_look(w);
}

void kit_world_push(kit *k, kit_world *w) {
  draw(k, snd_qvel(w->data), snm_nv(w->model), 1);
  kit_world_pull(k, w);
}

void kit_world_move(kit *k, kit_world *w) {
  enum { MOST_DOFS = 64 };
  double along[MOST_DOFS];
  sn_reset(w->model, w->data);
  draw(k, along, snm_nv(w->model), 1);
  sn_integrate_position(w->model, snd_qpos(w->data), along, 0.7);
  draw(k, snd_mocap_pos(w->data), 3 * snm_nmocap(w->model), 1);
  draw(k, snd_userdata(w->data), 4, 1);
  snd_time(w->data)[0] = kit_between(k, 0, 2);
  kit_world_push(k, w);
}
