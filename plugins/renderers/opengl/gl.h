// SPDX-License-Identifier: Apache-2.0
//
// What the files of the renderer share: a canvas, and one function for each thing that an image
// needs.
//
//   geoms of the scene --> items (shape, texture, instance) --> batches --> passes
//
// A shape is a set of triangles on the card, of unit size; an instance places and colors it. All
// items with the same shape and texture are drawn by one call.

#ifndef OPENGL_GL_H
#define OPENGL_GL_H

#include <epoxy/gl.h>

#include "opengl.h"

enum { MAX_LIGHTS = 16, MAX_SHADOWS = 4 };
enum { ENDLESS_QUADS = 190 };   // of an infinite plane, from one far end to the other; even
#define HAZE_END 0.7F           // where infinite planes end in the haze, by the far plane
enum { MAX_PLANES = 32 };       // planes of other subdivisions

// Unit shapes, before the meshes of the scene.
enum {
  SHAPE_SPHERE,
  SHAPE_CAPSULE,
  SHAPE_CYLINDER,
  SHAPE_BOX,
  SHAPE_CONE,
  SHAPE_PLANE,
  SHAPE_ENDLESS,
  NSHAPES
};

// A vertex: its place is point * scale + (0, 0, shift * half), see instance.
typedef struct vertex {
  float point[3], shift;
  float normal[3];
  float uv[2];
} vertex;

typedef struct shape {
  GLuint array, vertices, indices;
  int32_t count;      // of indices
  uint64_t version;   // of the mesh of the scene
} shape;

enum { TEXTURE_NONE, TEXTURE_FLAT, TEXTURE_CUBE, NTEXTURES };

// How texture coordinates are made; see the vertex shader.
enum { MAP_UV = 0, MAP_PLANE = 1, MAP_LOCAL = 2 };

// One copy of a shape.
typedef struct instance {
  float row[3][4];   // rotation and position
  float scale[4];    // of the point, and the half length of capsules
  float rgba[4];
  float gloss[4];     // emission, specular, shininess, planes: 1, infinite ones: 2
  float mapping[4];   // MAP_*, factors
  int32_t id;         // index of the geom in the scene
  float slide[2];     // added to coordinates of textures
  int32_t reserved;
} instance;

typedef struct item {
  int32_t shape, texture;   // texture -1: none
  int32_t two_sided, is_clear, is_plane;
  int32_t mirror;   // index of the item that this is the reflecting face of
  int32_t is_covered;   // all that is seen of it reflects
  float depth;   // along the view, for sorting
  float reflectance;
  instance one;
} item;

// Where pixels go.
typedef struct target {
  GLuint frame, buffer[3];   // color or id, view depth, depth
  int32_t width, height, samples;
} target;

enum { PASS_COLOR, PASS_ID, PASS_DEPTH, PASS_SKY, PASS_LABEL, NPASSES };

typedef struct program {
  GLuint id;
  GLint view, eye, light, nlight, shadow_matrix, around, clip, strength;
} program;

// All that a renderer keeps from image to image.
typedef struct canvas {
  drawing head;
  const void *self;
  int32_t how;               // SN_CANVAS_*
  void *display, *context;   // of EGL
  uint64_t scene;            // whose meshes and textures these are
  shape *shape;              // NSHAPES, and those of the scene
  int64_t nshape;
  int32_t slices, stacks, quads;   // of the unit shapes
  float plane[MAX_PLANES][2];      // half lengths of planes in quads: see shape_of_plane
  int32_t nplane;
  GLuint *texture;
  int64_t ntexture;
  program program[NPASSES][NTEXTURES][MAX_SHADOWS + 1][2];   // shadow maps; lit at vertices
  item *item;       // nitem that are drawn, then nface of mirrors: see item.c
  int64_t nitem, nface, item_capacity;
  instance *instances;
  GLuint instance_buffer;
  GLuint shadow_maps, shadow_frame;
  int32_t shadow_size, shadow_layers;
  int32_t shadow_wanted;   // the size where the driver has memory for it
  int32_t shadow_of[MAX_LIGHTS];   // layer; -1: none
  float shadow_matrix[MAX_SHADOWS][16];
  int32_t nshadow;
  struct label_corner *label;      // nlabel of the strokes of labels
  int64_t nlabel, label_capacity;
  GLuint label_array, label_buffer;
  target smooth, plain, ids;   // multisampled color, one sample, ids and depths
} canvas;

// What one image is drawn with.
typedef struct viewpoint {
  canvas *c;
  const sn_scene *scene;
  int32_t width, height;
  float view[16];   // view times projection, by columns
  float eye[3];
  float clip[4];    // plane; what is below is cut off; zero: none
  float strength;   // by which colors are multiplied
} viewpoint;

// context.c
sn_status context_open(canvas *c, sn_error *error);
sn_status context_enter(canvas *c, sn_error *error);   // makes it current
void context_leave(canvas *c);
void context_close(canvas *c);
sn_status renderer_fail(const void *self, sn_error *error, sn_status code, const char *text);
sn_status driver_status(const canvas *c, sn_error *error);   // of the calls since the last one

// program.c
const program *program_use(canvas *c, int pass, int texture, int shadow, int coarse,
                           sn_error *error);
void programs_free(canvas *c);

// shape.c
int shapes_make(canvas *c, const sn_scene *scene);   // false: out of memory
int shapes_are_of(const canvas *c, const sn_scene *scene);
// Renews meshes that have changed. False: out of memory.
int shapes_update(canvas *c, const sn_scene *scene);
void shapes_free(canvas *c);
// The shape of a plane whose quads have the sides `spacing`, from the middle on.
int32_t shape_of_plane(canvas *c, float half_x, float half_y, float spacing);
// texture.c
int textures_make(canvas *c, const sn_scene *scene);   // false: out of memory
void textures_free(canvas *c);

// item.c
int is_infinite_plane(const sn_scene_geom *g);             // an infinite plane
int items_make(canvas *c, const viewpoint *p);   // false: out of memory
void items_free(canvas *c);

// infinite_plane.c: draws the part of an infinite plane that is in the image; its shape is bound.
void infinite_plane_draw(const viewpoint *p, const instance *one);

// draw.c
// Draws the items from first to end with the programs of a pass.
sn_status draw_items(const viewpoint *p, int pass, int64_t first, int64_t end, sn_error *error);
void set_lights(const viewpoint *p, const program *use);

// shadow.c
sn_status shadows_draw(const viewpoint *p, sn_error *error);
void shadows_free(canvas *c);

// mirror.c
// Adds what planes and upper faces of boxes reflect to the image that has been drawn.
void mirrors_prepare(const viewpoint *p);
sn_status mirrors_draw(const viewpoint *p, sn_error *error);

// label.c
sn_status labels_draw(const viewpoint *p, sn_error *error);
void labels_free(canvas *c);

// frame.c
sn_status frame_color(viewpoint *p, sn_error *error);   // into the bound framebuffer
sn_status frame_ids(viewpoint *p, sn_error *error);

// target.c
sn_status target_color(canvas *c, target *t, int32_t width, int32_t height, int32_t samples,
                       sn_error *error);
sn_status target_ids(canvas *c, target *t, int32_t width, int32_t height, sn_error *error);
void target_free(target *t);

// matrix.c: 4 x 4, by columns
void matrix_multiply(float *out, const float *a, const float *b);
void matrix_perspective(float *out, float fovy, float aspect, float near, float far);
void matrix_orthographic(float *out, float half, float near, float far);
void matrix_reflect(float *out, const float *plane);   // in the plane x . plane + plane[3] = 0
void matrix_look(float *out, const float *pos, const float *forward, const float *up);

#endif
