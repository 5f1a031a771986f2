// SPDX-License-Identifier: Apache-2.0
//
// A scene: its memory, and the order in which an update fills it.

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "common/grow.h"
#include "parts.h"

sn_status scene_fail(const sn_model *m, sn_error *error, sn_status code, const char *text) {
  const sn_host *host = sn_engine_host(sn_model_engine(m));
  return error ? host->error(host, error, code, NULL, 0, 0, text) : code;
}

int scene_in_group(uint32_t mask, int32_t group) {
  const int32_t k = group < 0 ? 0 : group > 5 ? 5 : group;
  return (int)(mask >> k & 1u);
}

int scene_is_static(const sn_model *m, int32_t body) {
  return snm_body_weldid(m)[body] == 0;
}

// ------------------------------------------------------------------ geoms

sn_scene_geom *scene_new_geom(scenery *s, int32_t type, int32_t category) {
  sn_scene_geom *geoms = grow(s->geom, s->out.ngeom + 1, &s->capacity, 256, sizeof *geoms);
  if (!geoms) {
    s->out_of_memory = 1;
    return NULL;
  }
  s->geom = geoms;
  s->out.geom = geoms;
  sn_scene_geom *g = &s->geom[s->out.ngeom++];
  *g = (sn_scene_geom){ .type = type,
                        .mesh = -1,
                        .texture = -1,
                        .object = SN_OBJECT_UNKNOWN,
                        .id = -1,
                        .category = category,
                        .size = { 1, 1, 1 },
                        .mat = { 1, 0, 0, 0, 1, 0, 0, 0, 1 },
                        .rgba = { 1, 1, 1, 1 },
                        .specular = 0.5F,
                        .shininess = 0.5F,
                        .texrepeat = { 1, 1 } };
  return g;
}

void scene_set_pose(sn_scene_geom *g, const double *pos, const double *mat) {
  for (int i = 0; i < 3; i++) {
    g->pos[i] = (float)pos[i];
  }
  for (int i = 0; i < 9; i++) {
    g->mat[i] = (float)mat[i];
  }
}

void scene_set_size(sn_scene_geom *g, double x, double y, double z) {
  g->size[0] = (float)x;
  g->size[1] = (float)y;
  g->size[2] = (float)z;
}

void scene_set_rgba(sn_scene_geom *g, const double *rgba) {
  for (int i = 0; i < 4; i++) {
    g->rgba[i] = (float)rgba[i];
  }
}

static int is_default_color(const double *rgba) {
  return rgba[0] == 0.5 && rgba[1] == 0.5 && rgba[2] == 0.5 && rgba[3] == 1;
}

void scene_set_look(const update *u, sn_scene_geom *g, int32_t matid, const double *rgba) {
  const sn_model *m = u->m;
  scene_set_rgba(g, rgba);
  if (matid < 0) {
    return;
  }
  if (is_default_color(rgba)) {
    scene_set_rgba(g, snm_mat_rgba(m) + 4 * matid);
  }
  g->emission = (float)snm_mat_emission(m)[matid];
  g->specular = (float)snm_mat_specular(m)[matid];
  g->shininess = (float)snm_mat_shininess(m)[matid];
  g->reflectance = (float)snm_mat_reflectance(m)[matid];
  g->texture = u->options->show[SN_SHOW_TEXTURE] ? snm_mat_texid(m)[matid] : -1;
  g->texuniform = snm_mat_texuniform(m)[matid];
  g->texrepeat[0] = (float)snm_mat_texrepeat(m)[2 * matid];
  g->texrepeat[1] = (float)snm_mat_texrepeat(m)[2 * matid + 1];
}

void sn_scene_connect(sn_scene_geom *g, int32_t type, double width, const double *from,
                      const double *to) {
  double axis[3], quat[4], mat[9], pos[3];
  sn_sub3(axis, to, from);
  const double length = sn_norm3(axis);
  const double up[3] = { 0, 0, 1 };
  sn_z_to_quat(quat, length > 0 ? axis : up);
  sn_quat_mat(mat, quat);
  const int centered = type == SN_DRAW_CAPSULE || type == SN_DRAW_CYLINDER;
  for (int i = 0; i < 3; i++) {
    pos[i] = centered ? (from[i] + to[i]) / 2 : from[i];
  }
  g->type = type;
  scene_set_pose(g, pos, mat);
  scene_set_size(g, width, width, centered ? length / 2 : length);
}

sn_scene_geom *scene_new_link(scenery *s, int32_t type, double width, const double *from,
                              const double *to, const double *rgba) {
  sn_scene_geom *g = scene_new_geom(s, type, SN_SCENE_DECOR);
  if (g) {
    sn_scene_connect(g, type, width, from, to);
    scene_set_rgba(g, rgba);
  }
  return g;
}

sn_status sn_scene_add(sn_scene *public, const sn_scene_geom *geom) {
  scenery *s = (scenery *)public;
  sn_scene_geom *g = scene_new_geom(s, geom->type, geom->category);
  if (!g) {
    return SN_ENOMEM;
  }
  *g = *geom;
  return SN_OK;
}

// ------------------------------------------------------------------ a scene

sn_scene *sn_scene_new(const sn_model *model, sn_error *error) {
  static atomic_uint_fast64_t count;
  scenery *s = calloc(1, sizeof *s);
  if (!s) {
    scene_fail(model, error, SN_ENOMEM, "out of memory for a scene");
    return NULL;
  }
  s->model = model;
  s->out.size = sizeof(sn_scene);
  s->out.id = atomic_fetch_add(&count, 1) + 1;
  s->visual = (sn_visual){ .def_size = sizeof(sn_visual) };
  s->statistic = (sn_statistic){ .def_size = sizeof(sn_statistic) };
  sn_status status = sn_model_get_visual(model, &s->visual);
  status = status < 0 ? status : sn_model_get_statistic(model, &s->statistic);
  status = status < 0 ? status : scene_make_assets(s, error);
  s->light = calloc((size_t)snm_nlight(model) + 1, sizeof *s->light);
  if (status < 0 || !s->light) {
    if (status >= 0) {
      scene_fail(model, error, SN_ENOMEM, "out of memory for the lights of a scene");
    }
    sn_scene_free(&s->out);
    return NULL;
  }
  s->out.light = s->light;
  s->out.mesh = s->mesh;
  s->out.texture = s->texture;
  return &s->out;
}

void sn_scene_free(sn_scene *public) {
  scenery *s = (scenery *)public;
  if (s) {
    scene_free_assets(s);
    free(s->geom);
    free(s->light);
    free(s->labels);
    free(s);
  }
}

// ------------------------------------------------------------------ camera and surroundings

static void set_vector(float *to, const double *from, int n) {
  for (int i = 0; i < n; i++) {
    to[i] = (float)from[i];
  }
}

static void look_from(sn_scene_eye *eye, const double *lookat, const sn_scene_camera *camera) {
  const double a = camera->azimuth * M_PI / 180, e = camera->elevation * M_PI / 180;
  const double forward[3] = { cos(e) * cos(a), cos(e) * sin(a), sin(e) };
  const double up[3] = { -sin(e) * cos(a), -sin(e) * sin(a), cos(e) };
  double pos[3];
  sn_addscale3(pos, lookat, -camera->distance, forward);
  set_vector(eye->pos, pos, 3);
  set_vector(eye->forward, forward, 3);
  set_vector(eye->up, up, 3);
}

static void look_through(sn_scene_eye *eye, const sn_model *m, const sn_data *d, int32_t camera) {
  sn_data *data = (sn_data *)(uintptr_t)d;   // the accessor of a constant data
  const double *pos = snd_cam_xpos(data) + 3 * camera, *mat = snd_cam_xmat(data) + 9 * camera;
  for (int i = 0; i < 3; i++) {
    eye->pos[i] = (float)pos[i];
    eye->forward[i] = (float)-mat[3 * i + 2];
    eye->up[i] = (float)mat[3 * i + 1];
  }
  eye->fovy = (float)snm_cam_fovy(m)[camera];
}

static sn_status set_eye(const update *u, const sn_scene_camera *camera, sn_error *error) {
  scenery *s = u->s;
  sn_scene_eye *eye = &s->out.eye;
  eye->fovy = (float)s->visual.global_fovy;
  eye->near = (float)(s->visual.map_znear * s->statistic.extent);
  eye->far = (float)(s->visual.map_zfar * s->statistic.extent);
  if (camera->mode == SN_CAMERA_FREE) {
    look_from(eye, camera->lookat, camera);
    return SN_OK;
  }
  if (camera->mode == SN_CAMERA_TRACK && camera->body >= 0 && camera->body < snm_nbody(u->m)) {
    look_from(eye, snd_subtree_com(u->d) + 3 * camera->body, camera);
    return SN_OK;
  }
  if (camera->mode == SN_CAMERA_FIXED && camera->camera >= 0 && camera->camera < snm_ncam(u->m)) {
    look_through(eye, u->m, u->d, camera->camera);
    return SN_OK;
  }
  return scene_fail(u->m, error, SN_EINVAL,
                    "the model has no such camera, or no such body to track");
}

static int32_t find_skybox(const sn_model *m) {
  for (int32_t i = 0; i < snm_ntex(m); i++) {
    if (snm_tex_type(m)[i] == SN_TEXTURE_SKYBOX) {
      return i;
    }
  }
  return -1;
}

static void set_surroundings(const update *u) {
  const scenery *s = u->s;
  const int32_t *show = u->options->show;
  const sn_visual *v = &s->visual;
  const double extent = s->statistic.extent;
  sn_scene_surroundings a = { .skybox = show[SN_SHOW_SKYBOX] ? find_skybox(u->m) : -1,
                              .shadow = show[SN_SHOW_SHADOW] && v->quality_shadowsize > 0,
                              .reflection = show[SN_SHOW_REFLECTION],
                              .fog = show[SN_SHOW_FOG],
                              .wireframe = show[SN_SHOW_WIREFRAME],
                              .additive = show[SN_SHOW_ADDITIVE],
                              .cull = show[SN_SHOW_CULL],
                              .shadowsize = (int32_t)v->quality_shadowsize,
                              .samples = (int32_t)v->quality_offsamples,
                              .slices = (int32_t)v->quality_numslices,
                              .stacks = (int32_t)v->quality_numstacks,
                              .quads = (int32_t)v->quality_numquads,
                              .linewidth = (float)v->global_linewidth,
                              .fogstart = (float)(v->map_fogstart * extent),
                              .fogend = (float)(v->map_fogend * extent),
                              .hazeratio = (float)v->map_haze,
                              .shadowclip = (float)(v->map_shadowclip * extent),
                              .shadowscale = (float)v->map_shadowscale,
                              .extent = (float)extent };
  a.haze = show[SN_SHOW_HAZE] && a.skybox >= 0;
  set_vector(a.center, s->statistic.center, 3);
  set_vector(a.fogrgba, v->rgba_fog, 4);
  set_vector(a.hazergba, v->rgba_haze, 4);
  u->s->out.around = a;
}

void sn_scene_name_segment(const sn_scene *scene, int32_t *segment, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    if (segment[i] >= 0) {
      const sn_scene_geom *g = &scene->geom[segment[i]];
      segment[i] = g->object == SN_OBJECT_GEOM ? g->id : -2;
    }
  }
}

// ------------------------------------------------------------------ an update

sn_status sn_scene_update(sn_scene *public, const sn_model *model, sn_data *data,
                          const sn_scene_options *options, const sn_scene_camera *camera,
                          const sn_perturbation *perturbation, sn_error *error) {
  scenery *s = (scenery *)public;
  const update u = {
    .s = s, .m = model, .d = data, .options = options, .perturbation = perturbation
  };
  if (model != s->model) {
    return scene_fail(model, error, SN_EINVAL, "the scene belongs to another model");
  }
  if (!SN_HAS(options, show) || !SN_HAS(camera, elevation)) {
    return scene_fail(
        model, error, SN_EINVAL,
        "the size of options or camera is not set; start from sn_scene_default_options and "
        "sn_scene_default_camera");
  }
  s->out.ngeom = 0;
  s->out.nlight = 0;
  s->nlabels = 0;
  s->out_of_memory = 0;
  SN_TRY(set_eye(&u, camera, error));
  set_surroundings(&u);
  scene_add_elements(&u);
  scene_add_decor(&u);
  scene_add_contacts(&u);
  scene_add_frames(&u);
  scene_add_lights(s, data);
  scene_add_labels(&u);
  return s->out_of_memory ? scene_fail(model, error, SN_ENOMEM, "out of memory for a scene")
                          : SN_OK;
}
