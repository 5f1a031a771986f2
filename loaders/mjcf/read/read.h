// SPDX-License-Identifier: Apache-2.0
//
// Readers of elements: what the schema's rows name as their `read`. Each fills a definition, or one
// of the structs below, by its rows and hands it to the builder:
//
//   settings.c  compiler, option, size, visual, statistic: the last definition wins
//   defaults.c  classes, each with a full set of dummy definitions
//   asset.c world.c relation.c actuator.c   definitions, added to the spec in document order
//   attach.c    other files as parts of the model, added at the end

#ifndef LOADERS_MJCF_READ_READ_H
#define LOADERS_MJCF_READ_READ_H

#include "mjcf/rows/reader.h"

// A camera with the lens that its field of view follows from.
typedef struct mjcf_camera {
  sn_camera_def def;
  double resolution[2];   // pixels
  double sensorsize[2];   // of the image plane, m; 0: fovy is what is written
  double focal[2];        // m
  double focalpixel[2];   // the same in pixels; takes the place of focal
} mjcf_camera;

// A defaults class: the dummies that elements start from. All actuators share one.
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

// An actuator with the attributes of the shortcuts, which are not of the definition.
typedef struct mjcf_actuator {
  sn_actuator_def def;
  const char *joint, *jointinparent, *tendon, *cranksite, *slidersite, *site, *refsite, *body;
  double kp, kv, gain;
  double class_kv;          // default of kv for position and intvelocity
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

// One attribute for a plugin, as a line "key=value".
typedef struct mjcf_config {
  const char *key, *value;
} mjcf_config;

// ------------------------------------------------------------------ frame.c

mjcf_read_fn mjcf_read_frame;
// Converts from the present frame to that of the body: a position; with orient, also that;
// NULL: there is none. A direction. A shape, by its frame or by the two ends of its axis.
sn_status mjcf_in_frame(mjcf_reader *r, const xml_node *node, double *pos, sn_orient *orient);
void mjcf_turn_in_frame(const mjcf_reader *r, double *direction);
sn_status mjcf_shape_in_frame(mjcf_reader *r, const xml_node *node, double *pos, sn_orient *orient,
                              double *fromto);
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

// The settings of a file without any.
void mjcf_default_settings(mjcf_settings *s);
sn_status mjcf_settings_begin(mjcf_reader *r, const xml_node *root);
sn_status mjcf_settings_end(mjcf_reader *r);
mjcf_read_fn mjcf_read_setting, mjcf_read_compiler, mjcf_read_option, mjcf_read_size;
mjcf_read_fn mjcf_read_view;

// ------------------------------------------------------------------ asset.c

// Part of a file name behind the last separator.
const char *mjcf_base_name(const char *path);

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

// ------------------------------------------------------------------ world.c

mjcf_read_fn mjcf_read_world, mjcf_read_body, mjcf_read_inertial, mjcf_read_joint,
    mjcf_read_freejoint, mjcf_read_geom, mjcf_read_site, mjcf_read_camera, mjcf_read_light;

// ------------------------------------------------------------------ attach.c

// Rows of a model among the assets and of its attachment, filled by attach.c.
typedef struct mjcf_model_def {
  const char *name, *file, *content_type;
} mjcf_model_def;
typedef struct mjcf_attach_def {
  const char *model, *body, *prefix;
} mjcf_attach_def;
mjcf_read_fn mjcf_read_model, mjcf_read_attach;
// Adds the parts, after all other elements: what belongs to no body comes behind that of the file
// itself, and bodies come where their element is.
sn_status mjcf_attach_parts(mjcf_reader *r);

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

// The shortcut with this dynamics, gain and bias that supports damping ratios and inherited ranges.
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
