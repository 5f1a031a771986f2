// SPDX-License-Identifier: Apache-2.0
//
// An abstract scene: the geoms, lights and the camera that a renderer draws. From a model, its
// data, options and a camera, sn_scene_update makes a list of geoms with their poses and colors,
// lights, and the camera that looks at them. Nothing is drawn: renderers (renderer.h) and programs
// do that.
//
//   sn_scene *scene = sn_scene_new(model, error);
//   sn_scene_options options = sn_scene_default_options();
//   sn_scene_camera camera = sn_scene_default_camera(model);
//   sn_scene_update(scene, model, data, &options, &camera, NULL, error);
//   for (int64_t i = 0; i < scene->ngeom; i++) { draw(&scene->geom[i]); }
//   sn_scene_free(scene);
//
// The functions are in the static library sinew_scene, which needs libsinew. The structs are all
// that a renderer reads; only programs call the functions. Lengths are in meters, frames are
// global, matrices are 3 x 3, row by row, with the axes of the object as columns. One thread at a
// time uses a scene.
//
// This interface is a draft: it may change in every minor version.

#ifndef SINEW_SCENE_H
#define SINEW_SCENE_H

#include "sinew/sinew.h"

SN_BEGIN_DECLS

// ------------------------------------------------------------------ what is drawn

// Shapes of drawn geoms. The first seven are geom types; a height field is drawn as a mesh.
enum {
  SN_DRAW_PLANE = SN_GEOM_PLANE,           // half sizes x, y (0: infinite), grid spacing / 2
  SN_DRAW_SPHERE = SN_GEOM_SPHERE,         // three radii, all equal
  SN_DRAW_CAPSULE = SN_GEOM_CAPSULE,       // radius, radius, half length of the cylinder
  SN_DRAW_ELLIPSOID = SN_GEOM_ELLIPSOID,   // three radii
  SN_DRAW_CYLINDER = SN_GEOM_CYLINDER,     // radius, radius, half length
  SN_DRAW_BOX = SN_GEOM_BOX,               // three half lengths
  SN_DRAW_MESH = SN_GEOM_MESH,   // three scale factors of the mesh with index `mesh`; height
                                 // fields and skins are meshes, too
  SN_DRAW_CONE = 16,             // radius, radius, height; base at the origin, tip along z
  SN_DRAW_ARROW = 17,            // radius, radius, length; from the origin along z
  SN_DRAW_LINE = 18,             // width in pixels, unused, length; from the origin along z
  SN_DRAW_TEXT = 19              // the label alone
};

enum {                    // sn_scene_geom.category
  SN_SCENE_STATIC = 1,    // of bodies that are welded to the world
  SN_SCENE_DYNAMIC = 2,   // of the other bodies
  SN_SCENE_DECOR = 4      // not elements of the model: contacts, forces, frames ...
};

// One geom to draw.
typedef struct sn_scene_geom {
  int32_t type;         // SN_DRAW_*
  int32_t mesh;         // index in sn_scene.mesh; -1: none
  int32_t texture;      // index in sn_scene.texture; -1: none
  int32_t texuniform;   // texrepeat is per meter, not per object
  int32_t object, id;   // SN_OBJECT_* and the id of the element that it shows; -1: none
  int32_t category;     // SN_SCENE_*
  int32_t group;        // of the element, 0 to 5
  float size[3], pos[3], mat[9];
  float rgba[4];
  float emission, specular, shininess, reflectance;   // 0 to 1
  float texrepeat[2];
  int32_t reserved;
  const char *label;   // NULL: none
} sn_scene_geom;
SN_LAYOUT(sn_scene_geom, 144);

// A mesh of triangles with a normal for each vertex. The vertices of skins change at each update.
typedef struct sn_scene_mesh {
  int64_t nvertex, nface;
  const float *vertex, *normal;   // nvertex x 3
  const float *texcoord;          // nvertex x 2; NULL: none
  const int32_t *face;            // nface x 3, counterclockwise from outside
  uint64_t version;               // changes whenever the vertices change
} sn_scene_mesh;
SN_LAYOUT(sn_scene_mesh, 56);

typedef struct sn_scene_texture {
  int32_t type;            // SN_TEXTURE_*; a cube has six square images, one below the other:
                           // +x, -x, +y, -y, +z, -z
  int32_t width, height;   // of the whole image
  int32_t reserved;
  const uint8_t *rgb;   // height x width x 3, first row on top
} sn_scene_texture;
SN_LAYOUT(sn_scene_texture, 24);

typedef struct sn_scene_light {
  float pos[3], dir[3];   // dir: unit vector, the direction in which it shines
  float ambient[3], diffuse[3], specular[3];
  float attenuation[3];     // 1 / (a0 + a1 r + a2 r^2), for positional lights
  float cutoff, exponent;   // half angle of the cone, degrees; 180: no cone
  int32_t directional;
  int32_t castshadow;
  int32_t headlight;
  int32_t id;   // of the model; -1: the headlight
} sn_scene_light;
SN_LAYOUT(sn_scene_light, 96);

// The camera of an image: it looks along `forward`.
typedef struct sn_scene_eye {
  float pos[3], forward[3], up[3];   // unit vectors, orthogonal
  float fovy;                        // vertical field of view, degrees
  float near, far;                   // clipping planes, m
} sn_scene_eye;
SN_LAYOUT(sn_scene_eye, 48);

// Settings of the whole image.
typedef struct sn_scene_surroundings {
  int32_t skybox;   // index in `texture`; -1: black
  int32_t shadow, reflection, fog, haze, wireframe, additive, cull;   // 1: on, 0: off
  int32_t shadowsize;              // pixels of a shadow map along a side; 0: no shadows
  int32_t samples;                 // per pixel, antialiasing; 0: 1
  int32_t slices, stacks, quads;   // subdivisions of round shapes, and of the sides of flat ones
  float linewidth;                 // pixels, of wireframes
  float fogstart, fogend;          // m
  float hazeratio;                 // fraction of the distance to the horizon that haze covers
  float shadowclip, shadowscale;   // m, half width of the shadow of a directional light; fraction
                                   // of the cone of a spotlight in which it casts shadows
  float extent, center[3];         // of the model, m
  float fogrgba[4], hazergba[4];
  int32_t reserved;
} sn_scene_surroundings;
SN_LAYOUT(sn_scene_surroundings, 128);

// A scene. It belongs to the library; all pointers are valid until the next update.
typedef struct sn_scene {
  uint32_t size;
  uint32_t reserved;
  uint64_t id;   // unique for each sn_scene_new. While it is unchanged, so are the meshes
                 // and textures, except meshes with a new version
  int64_t ngeom, nlight, nmesh, ntexture;
  const sn_scene_geom *geom;
  const sn_scene_light *light;
  const sn_scene_mesh *mesh;
  const sn_scene_texture *texture;
  sn_scene_eye eye;
  sn_scene_surroundings around;
} sn_scene;
SN_LAYOUT(sn_scene, 256);

// ------------------------------------------------------------------ options

// Visualization flags: SN_SHOW_<NAME>, its name on command lines, its key in MuJoCo's viewer (""
// without one), whether it is on by default, and its meaning.
#define SN_SCENE_SHOWS(X)                                                                     \
  X(CONVEXHULL, "convex-hull", "H", 0, "convex hulls in place of meshes")                     \
  X(TEXTURE, "texture", "X", 1, "textures")                                                   \
  X(JOINT, "joint", "J", 0, "joints: axes of hinges and slides, ball and free joints")        \
  X(CAMERA, "camera", "Q", 0, "cameras")                                                      \
  X(ACTUATOR, "actuator", "U", 0, "actuators, colored by control or activation")              \
  X(ACTIVATION, "activation", ",", 0,                                                         \
    "colors of actuators and muscles by activation, not control")                             \
  X(LIGHT, "light", "Z", 0, "lights")                                                         \
  X(TENDON, "tendon", "V", 1, "tendons and their wrapping")                                   \
  X(RANGEFINDER, "rangefinder", "Y", 1, "rays of rangefinders that hit something")            \
  X(CONSTRAINT, "constraint", "E", 0, "points of connect and weld constraints")               \
  X(INERTIA, "inertia", "I", 0, "equivalent inertia of bodies, as boxes")                     \
  X(ELLIPSOID, "ellipsoid", "", 0, "inertia as ellipsoids, not as boxes")                     \
  X(PERTFORCE, "perturbation-force", "B", 0, "forces applied to bodies")                      \
  X(PERTOBJECT, "perturbation-object", "O", 1, "the perturbed body and its target")           \
  X(CONTACTPOINT, "contact", "C", 0, "contact points")                                        \
  X(CONTACTFORCE, "contact-force", "F", 0, "contact forces")                                  \
  X(CONTACTSPLIT, "split-force", "P", 0, "contact forces split into normal force and friction") \
  X(FRICTIONCONE, "friction-cone", "", 0, "friction cones of contacts")                       \
  X(SENSOR, "sensor", "", 0, "sites of sensors")                                              \
  X(TRANSPARENT, "transparent", "T", 0, "moving geoms translucent")                           \
  X(AUTOCONNECT, "auto-connect", "A", 0, "joints and bodies connected by lines")              \
  X(COM, "center-of-mass", "M", 0, "centers of mass of the trees")                            \
  X(SELECT, "select", "", 0, "the selected point")                                            \
  X(STATIC, "static", "D", 1, "geoms of static bodies")                                       \
  X(SKIN, "skin", ";", 1, "skins")                                                            \
  X(SHADOW, "shadow", "S", 1, "shadows")                                                      \
  X(WIREFRAME, "wireframe", "W", 0, "wireframe")                                              \
  X(REFLECTION, "reflection", "R", 1, "reflections")                                          \
  X(ADDITIVE, "additive", "L", 0, "additive blending")                                        \
  X(SKYBOX, "skybox", "K", 1, "the skybox")                                                   \
  X(FOG, "fog", "G", 0, "fog")                                                                \
  X(HAZE, "haze", "/", 1, "haze at the horizon, with a skybox")                               \
  X(CULL, "cull", "", 1, "back-face culling")

#define SN_SHOW_ENUM(name, word, key, value, meaning) SN_SHOW_##name,
enum { SN_SCENE_SHOWS(SN_SHOW_ENUM) SN_NSHOWS };
#undef SN_SHOW_ENUM
enum { SN_SHOWS_CAPACITY = 64 };

enum {   // sn_scene_options.label
  SN_LABEL_NONE = 0,
  SN_LABEL_BODY = 1,
  SN_LABEL_JOINT = 2,
  SN_LABEL_GEOM = 3,
  SN_LABEL_SITE = 4,
  SN_LABEL_CAMERA = 5,
  SN_LABEL_LIGHT = 6,
  SN_LABEL_TENDON = 7,
  SN_LABEL_ACTUATOR = 8,
  SN_LABEL_CONSTRAINT = 9,
  SN_LABEL_SKIN = 10,
  SN_LABEL_SELECTION = 11,
  SN_LABEL_POINT = 12,
  SN_LABEL_CONTACTFORCE = 13
};
enum { SN_NLABELS = 14 };

enum {   // sn_scene_options.frame
  SN_FRAME_NONE = 0,
  SN_FRAME_BODY = 1,
  SN_FRAME_GEOM = 2,
  SN_FRAME_SITE = 3,
  SN_FRAME_CAMERA = 4,
  SN_FRAME_LIGHT = 5,
  SN_FRAME_CONTACT = 6,
  SN_FRAME_WORLD = 7
};
enum { SN_NFRAMES = 8 };

// Which elements a scene shows. Bit k of a group mask shows the elements of group k, 0 to 5.
typedef struct sn_scene_options {
  uint32_t size;
  int32_t label;                                              // SN_LABEL_*
  int32_t frame;                                              // SN_FRAME_*
  uint32_t geoms, sites, joints, tendons, actuators, skins;   // masks of groups
  uint32_t reserved;
  int32_t show[SN_SHOWS_CAPACITY];   // 0 or 1, by SN_SHOW_*
} sn_scene_options;
SN_LAYOUT(sn_scene_options, 296);

// The defaults: groups 0 to 2, no labels, no frames. [any]
sn_scene_options sn_scene_default_options(void);
// A row of the tables above, by index from 0: the name on command lines, the key, the meaning.
// NULL: there are no more. [any]
const char *sn_scene_show_word(int32_t show, const char **key, const char **meaning);
const char *sn_scene_label_word(int32_t label);   // "none", "body" ...
const char *sn_scene_frame_word(int32_t frame);

// ------------------------------------------------------------------ cameras

enum {                   // sn_scene_camera.mode
  SN_CAMERA_FREE = 0,    // looks at `lookat` from `distance`
  SN_CAMERA_TRACK = 1,   // the same, and follows the center of mass of a body's tree
  SN_CAMERA_FIXED = 2    // a camera of the model
};

// The viewpoint of an image.
typedef struct sn_scene_camera {
  uint32_t size;
  int32_t mode;     // SN_CAMERA_*
  int32_t camera;   // SN_CAMERA_FIXED: its id
  int32_t body;     // SN_CAMERA_TRACK: the id of the body
  double lookat[3], distance;
  double azimuth, elevation;   // degrees; of the viewing direction
} sn_scene_camera;
SN_LAYOUT(sn_scene_camera, 64);

// The camera that looks at the whole model, from statistic and visual/global. [any]
sn_scene_camera sn_scene_default_camera(const sn_model *model);
// A camera by name or number; "free": sn_scene_default_camera. SN_ENOTFOUND: the error lists those
// that exist. [any]
sn_status sn_scene_find_camera(const sn_model *model, const char *name, sn_scene_camera *camera,
                               sn_error *error);

enum {   // what a movement of the mouse changes
  SN_MOVE_ROTATE = 0,
  SN_MOVE_ROTATE_HORIZONTAL = 1,
  SN_MOVE_PAN = 2,
  SN_MOVE_PAN_HORIZONTAL = 3,
  SN_MOVE_ZOOM = 4
};
// Moves a free or tracking camera. dx, dy: of the mouse, as fractions of the height of the window,
// downward positive. [any]
void sn_scene_move_camera(const sn_scene *scene, sn_scene_camera *camera, int32_t move, double dx,
                          double dy);

// ------------------------------------------------------------------ selecting and perturbing

// A body that is held by a spring, and what is selected. size is set by sn_scene_no_perturbation.
typedef struct sn_perturbation {
  uint32_t size;
  int32_t body;                     // selected; 0: none
  int32_t geom, skin;               // selected; -1: none
  int32_t translate, rotate;        // whether the springs act
  double localpos[3];               // the selected point, in the frame of the body
  double refpos[3], refquat[4];     // where the point and the body are pulled to
  double stiffness, stiffnessrot;   // 1/s^2; initially those of visual/map
} sn_perturbation;
SN_LAYOUT(sn_perturbation, 120);

// A perturbation without a selected body, with the stiffnesses of the model. [any]
sn_perturbation sn_scene_no_perturbation(const sn_model *model);
// The first visible geom at a point of the image: x, y from 0 to 1, from the upper left corner;
// aspect: width / height. Writes the id of the geom (-1: none), its distance from the camera (m;
// -1: none) and the point (3, global). Status and error are those of sn_ray; after an error *geom
// is -1, too. After sn_scene_update. [step]
sn_status sn_scene_pick(const sn_scene *scene, const sn_model *model, const sn_data *data,
                        const sn_scene_options *options, double aspect, double x, double y,
                        int32_t *geom, double *distance, double *point, sn_error *error);
// Selects the body of the geom at a point of the image, with the errors of sn_scene_pick;
// perturbation->geom is -1 if there is no geom, and after an error. [step]
sn_status sn_scene_select(const sn_scene *scene, const sn_model *model, const sn_data *data,
                          const sn_scene_options *options, double aspect, double x, double y,
                          sn_perturbation *perturbation, sn_error *error);
// Starts to pull the selected body; the target starts at the present pose of the body. [step]
void sn_scene_start_perturbation(const sn_model *model, sn_data *data,
                                 sn_perturbation *perturbation, int32_t translate, int32_t rotate);
// Moves the target with the mouse, in the plane of the image or in a vertical plane. move:
// SN_MOVE_ROTATE ... SN_MOVE_PAN_HORIZONTAL. [step]
void sn_scene_move_perturbation(const sn_scene *scene, const sn_model *model, sn_data *data,
                                sn_perturbation *perturbation, int32_t move, double dx, double dy);
// Before a step: writes force and torque of the springs to xfrc_applied of the body, critically
// damped and in proportion to its mass; a mocap body is moved to the target instead. Without an
// active spring the row of the body is cleared. [step]
void sn_scene_apply_perturbation(const sn_model *model, sn_data *data,
                                 const sn_perturbation *perturbation);

// ------------------------------------------------------------------ scenes

// A scene of a model, with its meshes and textures. The model must outlive it. NULL on failure.
// [load]
sn_scene *sn_scene_new(const sn_model *model, sn_error *error);
void sn_scene_free(sn_scene *scene);
// Fills the scene with the geoms, lights and camera of the current state. After sn_forward, sn_step
// or sn_forward_position: forces are those of the last evaluation. perturbation may be NULL.
// SN_EINVAL: no such camera or body. [step]
sn_status sn_scene_update(sn_scene *scene, const sn_model *model, sn_data *data,
                          const sn_scene_options *options, const sn_scene_camera *camera,
                          const sn_perturbation *perturbation, sn_error *error);
// Adds a geom that is not part of the model to the scene, until the next update. The label is not
// copied.
sn_status sn_scene_add(sn_scene *scene, const sn_scene_geom *geom);
// Replaces each of n indices of scene->geom by the id of the model's geom, or by -2 if it shows no
// geom of the model; -1 remains. For sn_image.segment of a renderer (renderer.h). [any]
void sn_scene_name_segment(const sn_scene *scene, int32_t *segment, int64_t n);
// Sets type, size and pose of a geom so that it extends from one point to another. type:
// SN_DRAW_CAPSULE, CYLINDER, CONE, ARROW or LINE.
void sn_scene_connect(sn_scene_geom *geom, int32_t type, double width, const double *from,
                      const double *to);

// ------------------------------------------------------------------ lines and surfaces

typedef void sn_scene_piece(void *context, const double *from, const double *to);
// Calls `piece` for each straight segment of the path of a tendon, from its start to its end; an
// arc on a sphere or cylinder consists of several segments. After sn_forward_position. [step]
void sn_scene_trace_tendon(const sn_model *model, sn_data *data, int32_t tendon,
                           sn_scene_piece *piece, void *context);

enum { SN_SCENE_SHAPE_FACES = 2 * 28 * 56 };   // largest number of triangles of a plugin's shape
// The surface of a geom with a shape of a plugin (SN_GEOM_USER), in its frame: triangles,
// counterclockwise from outside, each with three vertices of its own. vertex, normal:
// 3 SN_SCENE_SHAPE_FACES x 3; *nface: how many triangles there are. The status and the error of
// sn_geom_support. [load]
sn_status sn_scene_trace_shape(const sn_model *model, int32_t geom, double *vertex, double *normal,
                               int64_t *nface, sn_error *error);

SN_END_DECLS

#endif
