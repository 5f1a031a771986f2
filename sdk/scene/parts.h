// SPDX-License-Identifier: Apache-2.0
//
// What the files of the scene library share: the scene with its memory, and one function for each
// part of it.

#ifndef SCENE_PARTS_H
#define SCENE_PARTS_H

#include "sinew/math.h"
#include "sinew/scene.h"

// A scene with all that is behind it. The public part is the first member.
typedef struct scenery {
  sn_scene out;
  const sn_model *model;
  sn_visual visual;
  sn_statistic statistic;
  sn_scene_geom *geom;   // capacity of them
  int64_t capacity;
  int32_t out_of_memory;
  int32_t reserved;
  sn_scene_light *light;
  sn_scene_mesh *mesh;   // see assets.c
  int64_t first_shape;   // index of the first shape of a plugin
  sn_scene_texture *texture;
  char *labels;   // texts of labels
  int64_t nlabels, labels_capacity;
} scenery;

// What an update works with.
typedef struct update {
  scenery *s;
  const sn_model *m;
  sn_data *d;
  const sn_scene_options *options;
  const sn_perturbation *perturbation;   // NULL: none
} update;

// assets.c
sn_status scene_make_assets(scenery *s, sn_error *error);
void scene_free_assets(scenery *s);
// The index in `mesh` of a mesh of the model, its hull or a height field.
int32_t scene_mesh_of(const scenery *s, int32_t type, int32_t dataid, int hull);
// skin.c
void scene_add_skins(const update *u);

// elements.c: what belongs to the model
void scene_add_elements(const update *u);
// decor.c, force.c, names.c: what explains it
void scene_add_decor(const update *u);
void scene_add_contacts(const update *u);
void scene_add_frames(const update *u);
void scene_add_labels(const update *u);
// lights.c
void scene_add_lights(scenery *s, sn_data *d);

// A new geom at the end of the list: white, at the origin, without element; NULL: no memory.
sn_scene_geom *scene_new_geom(scenery *s, int32_t type, int32_t category);
// The same for decoration of a color, from point to point.
sn_scene_geom *scene_new_link(scenery *s, int32_t type, double width, const double *from,
                              const double *to, const double *rgba);
void scene_set_pose(sn_scene_geom *g, const double *pos, const double *mat);
void scene_set_size(sn_scene_geom *g, double x, double y, double z);
void scene_set_rgba(sn_scene_geom *g, const double *rgba);
// Color, gloss and texture: those of the material, unless the element has a color of its own.
void scene_set_look(const update *u, sn_scene_geom *g, int32_t matid, const double *rgba);
// Is bit k of the mask set, k being the group, at least 0 and at most 5?
int scene_in_group(uint32_t mask, int32_t group);
int scene_is_static(const sn_model *m, int32_t body);
sn_status scene_fail(const sn_model *m, sn_error *error, sn_status code, const char *text);

#endif
