// SPDX-License-Identifier: Apache-2.0
//
// The inside of the MJCF loader. One mjcf_reader lives through one load:
//
//   mjcf.c      parse, include.c, check against the schema, then section by section:
//   settings.c  compiler, option, size, visual, statistic: the last definition wins
//   defaults.c  classes, each with a full set of dummy definitions
//   asset.c world.c relation.c actuator.c   definitions, added to the spec in document order
//
// Everything that is kept until the end lives in the arena.

#ifndef LOADERS_MJCF_MJCF_H
#define LOADERS_MJCF_MJCF_H

#include "mjcf/schema.h"
#include "sinew/loader.h"

#define MJCF_TRY(call)             \
  do {                             \
    sn_status try_status = (call); \
    if (try_status < 0) {          \
      return try_status;           \
    }                              \
  } while (0)

// A defaults class: the dummies that elements start from. All actuators share one.
typedef struct mjcf_class mjcf_class;
struct mjcf_class {
  const char *name;
  mjcf_class *next;
  sn_joint_def joint;
  sn_geom_def geom;
  sn_site_def site;
  sn_camera_def camera;
  sn_light_def light;
  sn_mesh_def mesh;
  sn_material_def material;
  sn_pair_def pair;
  sn_equality_def equality;
  sn_tendon_def tendon;
  sn_actuator_def actuator;
};

// The settings, and what of them only the loader needs.
typedef struct mjcf_settings {
  sn_compiler compiler;
  sn_option option;
  sn_size_hint size_hint;
  sn_statistic statistic;
  sn_visual visual;
  const char *meshdir, *texturedir;
} mjcf_settings;

// An actuator with the attributes of the shortcuts, which are not of the definition.
typedef struct mjcf_actuator {
  sn_actuator_def def;
  const char *joint, *jointinparent, *tendon, *cranksite, *slidersite, *site, *refsite, *body;
  double kp, kv, gain;
  double timeconst[2], area, diameter, bias[3];
  double range[2], force, scale, lmin, lmax, vmax, fpmax, fvmax;
} mjcf_actuator;

// A body with the attribute that is not of the definition.
typedef struct mjcf_body {
  sn_body_def def;
  const char *childclass;
} mjcf_body;

struct mjcf_reader {
  xml_reader xml;
  xml_document doc;
  const sn_builder *builder;
  sn_spec *spec;
  sn_source *source;
  sn_error *error;
  mjcf_settings settings;
  mjcf_class *classes;        // the first is the top-level class
  const mjcf_class *active;   // of childclass, or the top-level class
  int32_t body;               // owner of the elements being read
  sn_wrap_def *wrap;          // path of the tendon being read
  int64_t nwrap;
  sn_tuple_item *item;   // of the tuple being read
  int64_t nitem;
};

// ------------------------------------------------------------------ mjcf.c

// Reads every child by its row of e->children.
sn_status mjcf_read_children(mjcf_reader *r, const mjcf_element *e, const xml_node *node);
// The reader of what is understood and not built.
mjcf_read_fn mjcf_read_unbuilt;

// ------------------------------------------------------------------ include.c

// Replaces every include element by the content of its file.
sn_status mjcf_include_files(mjcf_reader *r);
// Part of a file name behind the last separator.
const char *mjcf_base_name(const char *path);

// ------------------------------------------------------------------ fill.c

// Checks names, counts and multiplicities of `node` and everything below.
sn_status mjcf_check(mjcf_reader *r, const mjcf_element *e, const xml_node *node);
// Writes the attributes of `node` into `def` as the rows say.
sn_status mjcf_fill(mjcf_reader *r, const mjcf_element *e, const xml_node *node, void *def);
sn_status mjcf_no_memory(mjcf_reader *r, const xml_node *node);

// ------------------------------------------------------------------ defaults.c

// What an element has when no class says anything.
void mjcf_default_class(mjcf_class *c);
sn_status mjcf_make_top_class(mjcf_reader *r, const xml_node *root);
// The class that an element starts from: its own, or the active one.
sn_status mjcf_find_class(mjcf_reader *r, const xml_node *node, const char *attr,
                          const mjcf_class **class);
mjcf_read_fn mjcf_read_default, mjcf_read_dummy, mjcf_read_dummy_actuator, mjcf_read_dummy_adhesion;

// ------------------------------------------------------------------ settings.c

// What the settings are when the file says nothing.
void mjcf_default_settings(mjcf_settings *s);
sn_status mjcf_settings_begin(mjcf_reader *r, const xml_node *root);
sn_status mjcf_settings_end(mjcf_reader *r);
mjcf_read_fn mjcf_read_setting, mjcf_read_compiler;

// ------------------------------------------------------------------ asset.c

mjcf_read_fn mjcf_read_texture, mjcf_read_material, mjcf_read_mesh, mjcf_read_hfield;

// ------------------------------------------------------------------ world.c

mjcf_read_fn mjcf_read_world, mjcf_read_body, mjcf_read_inertial, mjcf_read_joint,
    mjcf_read_freejoint, mjcf_read_geom, mjcf_read_site, mjcf_read_camera, mjcf_read_light;

// ------------------------------------------------------------------ relation.c

mjcf_read_fn mjcf_read_pair, mjcf_read_exclude, mjcf_read_equality, mjcf_read_tendon,
    mjcf_read_wrap, mjcf_read_sensor, mjcf_read_numeric, mjcf_read_text, mjcf_read_tuple,
    mjcf_read_tuple_item, mjcf_read_key, mjcf_read_removed;

// ------------------------------------------------------------------ actuator.c

// A shortcut: what it makes of the definition that it starts from.
typedef sn_status mjcf_shortcut_fn(mjcf_reader *r, const xml_node *node, mjcf_actuator *a);
typedef struct mjcf_shortcut {
  mjcf_shortcut_fn *apply;   // NULL: the element is `general`
} mjcf_shortcut;
extern const mjcf_shortcut mjcf_motor, mjcf_position, mjcf_velocity, mjcf_intvelocity, mjcf_damper,
    mjcf_cylinder, mjcf_muscle, mjcf_adhesion;

mjcf_read_fn mjcf_read_actuator;
// Fills `a`, whose def is set, from an element of the section or of a class.
sn_status mjcf_fill_actuator(mjcf_reader *r, const mjcf_element *e, const xml_node *node,
                             mjcf_actuator *a);

#endif
