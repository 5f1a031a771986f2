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

// A camera with the lens that its field of view follows from.
typedef struct mjcf_camera {
  sn_camera_def def;
  double resolution[2];   // pixels
  double sensorsize[2];   // of the image plane, m; 0: fovy is what is written
  double focal[2];        // m
  double focalpixel[2];   // the same in pixels; takes the place of focal
} mjcf_camera;

// A defaults class: the dummies that elements start from. All actuators share one.
typedef struct mjcf_class mjcf_class;
struct mjcf_class {
  const char *name;
  mjcf_class *next;
  const mjcf_class *outer;   // while its section is read: the one around it
  sn_joint_def joint;
  sn_geom_def geom;
  sn_site_def site;
  mjcf_camera camera;
  sn_light_def light;
  sn_mesh_def mesh;
  sn_material_def material;
  sn_pair_def pair;
  sn_equality_def equality;
  sn_tendon_def tendon;
  sn_actuator_def actuator;
  double kv;   // of position and intvelocity, whose definition has it among other numbers
};

// The settings, and what of them only the loader needs.
typedef struct mjcf_settings {
  sn_compiler compiler;
  sn_option option;
  sn_size_hint size_hint;
  sn_statistic statistic;
  sn_visual visual;
  const char *meshdir, *texturedir, *assetdir;
  const char *memory;   // of size: what the arena starts with, which grows anyway
} mjcf_settings;

// An actuator with the attributes of the shortcuts, which are not of the definition.
typedef struct mjcf_actuator {
  sn_actuator_def def;
  const char *joint, *jointinparent, *tendon, *cranksite, *slidersite, *site, *refsite, *body;
  double kp, kv, gain;
  double class_kv;          // what kv of position and intvelocity is when nothing is said
  double class_dampratio;   // and dampratio, which takes the place of kv
  double inheritrange;
  double timeconst[2], area, diameter, bias[3];
  double range[2], force, scale, lmin, lmax, vmax, fpmax, fvmax;
} mjcf_actuator;

// A body with the attribute that is not of the definition.
typedef struct mjcf_body {
  sn_body_def def;
  const char *childclass;
} mjcf_body;

// An equality with the attributes that say that its objects are sites.
typedef struct mjcf_equality {
  sn_equality_def def;
  const char *site1, *site2;
} mjcf_equality;

// One line of what is said to a plugin.
typedef struct mjcf_config {
  const char *key, *value;
} mjcf_config;

// A frame around elements of a body: a meta-element, which its elements take over.
typedef struct mjcf_frame {
  double pos[3], quat[4];
  int32_t given;   // 0: there is none
  int32_t reserved;
} mjcf_frame;

enum { MJCF_COLLECT = 10 };   // errors that are reported together

// Stands in for the host while problems are collected: everything but `error` is the host's.
typedef struct mjcf_collector {
  sn_host host;
  const sn_host *real;
  struct mjcf_reader *reader;
  int64_t n;   // found; the first MJCF_COLLECT are kept
  struct {
    sn_status code;
    int32_t line, column;
    const char *file, *text;
  } at[MJCF_COLLECT];
} mjcf_collector;

enum { MJCF_TOLD = 64 };

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
  int32_t reserved;
  mjcf_frame frame;   // around the elements being read
  mjcf_collector collector;
  sn_wrap_def *wrap;   // path of the tendon being read
  int64_t nwrap;
  sn_tuple_item *item;   // of the tuple being read
  int64_t nitem;
  sn_bone_def *bone;   // of the skin being read
  int64_t nbone;
  struct mjcf_composite *composite;   // the object being read
  const mjcf_attr *told[MJCF_TOLD];   // rows without effect that a warning is about
  int32_t ntold;
  int32_t reserved1;
  sn_place solver, integrator;   // where the last of the options was
};

// ------------------------------------------------------------------ range.c

// Is a number of a setting in its range? What has none, always.
sn_status mjcf_check_range(mjcf_reader *r, const xml_node *node, const xml_attr *a, double value);

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
sn_status mjcf_check(mjcf_reader *r, const mjcf_element *e, xml_node *node);
// Writes the attributes of `node` into `def` as the rows say.
sn_status mjcf_fill(mjcf_reader *r, const mjcf_element *e, const xml_node *node, void *def);
sn_status mjcf_no_memory(mjcf_reader *r, const xml_node *node);

// Checks the values of all attributes of what mjcf_check has looked at, too.
sn_status mjcf_check_values(mjcf_reader *r, xml_node *node);

// ------------------------------------------------------------------ collect.c

// From here on, problems that xml_fail reports are kept.
void mjcf_collect_begin(mjcf_reader *r);
// Reports what was kept as one error; SN_OK when there is nothing.
sn_status mjcf_collect_end(mjcf_reader *r);

// ------------------------------------------------------------------ newer.c

// The version in which an element, or with `attr` one of its attributes, came into the format;
// NULL: with 2.2.2 or before, or never.
const char *mjcf_since(const char *element, const char *attr);

// ------------------------------------------------------------------ frame.c, replicate.c

mjcf_read_fn mjcf_read_frame;
// Moves what is said in the present frame into the body's: a position; with orient, also that;
// NULL: there is none. A direction. A shape, by its frame or by the two ends of its axis.
sn_status mjcf_in_frame(mjcf_reader *r, const xml_node *node, double *pos, sn_orient *orient);
void mjcf_turn_in_frame(const mjcf_reader *r, double *direction);
sn_status mjcf_shape_in_frame(mjcf_reader *r, const xml_node *node, double *pos, sn_orient *orient,
                              double *fromto);
// Replaces every replicate element by frames with copies of its content.
sn_status mjcf_replicate(mjcf_reader *r);
// Rows of both, filled by frame.c and replicate.c.
typedef struct mjcf_frame_def {
  const char *name, *childclass;
  double pos[3];
  sn_orient orient;
} mjcf_frame_def;
typedef struct mjcf_replicate_def {
  const char *sep;
  int32_t count;
  int32_t reserved;
  double offset[3];
  sn_orient orient;
} mjcf_replicate_def;

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
mjcf_read_fn mjcf_read_setting, mjcf_read_compiler, mjcf_read_option, mjcf_read_size;

// ------------------------------------------------------------------ asset.c

// Heights are written from the far row (largest y) to the near one and kept the other way round:
// turns them, into `turned`, of as many numbers.
void mjcf_turn_rows(sn_reals *heights, int64_t nrow, double *turned);
mjcf_read_fn mjcf_read_texture, mjcf_read_material, mjcf_read_mesh, mjcf_read_hfield;
// Opens the file that an attribute names, as folder (may be NULL) and strippath say. The caller
// closes it.
sn_status mjcf_open_file(mjcf_reader *r, const xml_node *node, const xml_attr *a,
                         const char *folder, sn_source **child);
// An asset without a name is called like its file, without folder and extension.
sn_status mjcf_name_of_file(mjcf_reader *r, const xml_node *node, const char *file,
                            const char **name);

// ------------------------------------------------------------------ skin.c

mjcf_read_fn mjcf_read_skin, mjcf_read_bone;

// ------------------------------------------------------------------ composite.c

mjcf_read_fn mjcf_read_composite, mjcf_read_composite_joint, mjcf_read_composite_tendon,
    mjcf_read_composite_part, mjcf_read_composite_pin, mjcf_read_composite_plugin, mjcf_read_plugin;

// ------------------------------------------------------------------ world.c

mjcf_read_fn mjcf_read_world, mjcf_read_body, mjcf_read_inertial, mjcf_read_joint,
    mjcf_read_freejoint, mjcf_read_geom, mjcf_read_site, mjcf_read_camera, mjcf_read_light;

// ------------------------------------------------------------------ relation.c

mjcf_read_fn mjcf_read_pair, mjcf_read_exclude, mjcf_read_equality, mjcf_read_tendon,
    mjcf_read_wrap, mjcf_read_sensor, mjcf_read_numeric, mjcf_read_text, mjcf_read_tuple,
    mjcf_read_tuple_item, mjcf_read_key, mjcf_read_removed;

// ------------------------------------------------------------------ plugin.c

// The config elements in an element, as the definitions have them; NULL when there is none.
sn_status mjcf_read_configs(mjcf_reader *r, const mjcf_element *e, const xml_node *node,
                            const char **attributes);
mjcf_read_fn mjcf_read_force;

// ------------------------------------------------------------------ actuator.c

// Which of the shortcuts that damping ratios and inherited ranges go with has these laws?
typedef enum mjcf_servo { MJCF_NO_SERVO, MJCF_POSITION, MJCF_INTVELOCITY } mjcf_servo;
mjcf_servo mjcf_servo_of(const sn_actuator_def *d);

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
