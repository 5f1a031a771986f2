// SPDX-License-Identifier: Apache-2.0
//
// A model as JSON for the page; see web.h. Nodes are listed once, bodies first, then cameras and
// lights, those that move in the order in which they are in a chunk.

#include <string.h>

#include "web.h"

// ------------------------------------------------------------------ nodes

static void put_node(json *j, const sn_model *m, sn_data *d, int32_t kind, const char *word,
                     int32_t id) {
  double pose[7];
  web_pose(d, kind, id, pose);
  json_object(j, NULL);
  json_text(j, "name", sn_name(m, word, id));
  json_bool(j, "moves", web_moves(m, kind, id));
  json_vector(j, "pose", pose, 7);
  if (kind == SN_OBJECT_BODY) {
    json_integer(j, "root", snm_body_rootid(m)[id]);
    json_real(j, "mass", snm_body_mass(m)[id]);
  }
  if (kind == SN_OBJECT_CAMERA) {
    json_real(j, "fovy", snm_cam_fovy(m)[id]);
  }
  if (kind == SN_OBJECT_LIGHT) {
    json_bool(j, "directional", snm_light_directional(m)[id]);
    json_bool(j, "castshadow", snm_light_castshadow(m)[id]);
    json_bool(j, "active", snm_light_active(m)[id]);
    json_real(j, "cutoff", snm_light_cutoff(m)[id]);
    json_vector(j, "ambient", snm_light_ambient(m) + 3 * id, 3);
    json_vector(j, "diffuse", snm_light_diffuse(m) + 3 * id, 3);
    json_vector(j, "specular", snm_light_specular(m) + 3 * id, 3);
  }
  json_end(j);
}

static void put_nodes(json *j, const sn_model *m, sn_data *d) {
  json_list(j, "bodies");
  for (int32_t i = 0; i < snm_nbody(m); i++) {
    put_node(j, m, d, SN_OBJECT_BODY, "body", i);
  }
  json_end(j);
  json_list(j, "cameras");
  for (int32_t i = 0; i < snm_ncam(m); i++) {
    put_node(j, m, d, SN_OBJECT_CAMERA, "camera", i);
  }
  json_end(j);
  json_list(j, "lights");
  for (int32_t i = 0; i < snm_nlight(m); i++) {
    put_node(j, m, d, SN_OBJECT_LIGHT, "light", i);
  }
  json_end(j);
}

// ------------------------------------------------------------------ what is attached to nodes

static void put_shape(json *j, const char *name, int32_t type, int32_t body, int32_t material,
                      int32_t group, const double *size, const double *pos, const double *quat,
                      const double *rgba) {
  json_text(j, "name", name);
  json_integer(j, "type", type);
  json_integer(j, "body", body);
  json_integer(j, "material", material);
  json_integer(j, "group", group);
  json_vector(j, "size", size, 3);
  json_vector(j, "pos", pos, 3);
  json_vector(j, "quat", quat, 4);
  json_vector(j, "rgba", rgba, 4);
}

static void put_shapes(json *j, const sn_model *m) {
  int32_t nuser = 0;   // shapes of plugins
  json_list(j, "geoms");
  for (int32_t i = 0; i < snm_ngeom(m); i++) {
    json_object(j, NULL);
    put_shape(j, sn_name(m, "geom", i), snm_geom_type(m)[i], snm_geom_bodyid(m)[i],
              snm_geom_matid(m)[i], snm_geom_group(m)[i], snm_geom_size(m) + 3 * i,
              snm_geom_pos(m) + 3 * i, snm_geom_quat(m) + 4 * i, snm_geom_rgba(m) + 4 * i);
    json_integer(j, "data", snm_geom_type(m)[i] == SN_GEOM_USER ? nuser++ : snm_geom_dataid(m)[i]);
    json_end(j);
  }
  json_end(j);
  json_list(j, "sites");
  for (int32_t i = 0; i < snm_nsite(m); i++) {
    json_object(j, NULL);
    put_shape(j, sn_name(m, "site", i), snm_site_type(m)[i], snm_site_bodyid(m)[i],
              snm_site_matid(m)[i], snm_site_group(m)[i], snm_site_size(m) + 3 * i,
              snm_site_pos(m) + 3 * i, snm_site_quat(m) + 4 * i, snm_site_rgba(m) + 4 * i);
    json_end(j);
  }
  json_end(j);
  json_list(j, "tendons");
  for (int32_t i = 0; i < snm_ntendon(m); i++) {
    json_object(j, NULL);
    json_text(j, "name", sn_name(m, "tendon", i));
    json_integer(j, "material", snm_tendon_matid(m)[i]);
    json_integer(j, "group", snm_tendon_group(m)[i]);
    json_real(j, "width", snm_tendon_width(m)[i]);
    json_vector(j, "rgba", snm_tendon_rgba(m) + 4 * i, 4);
    json_end(j);
  }
  json_end(j);
}

// ------------------------------------------------------------------ numbers of a row

static void put_values(json *j, const sn_model *m) {
  json_list(j, "sensors");
  for (int32_t i = 0; i < snm_nsensor(m); i++) {
    json_object(j, NULL);
    json_text(j, "name", sn_name(m, "sensor", i));
    json_text(j, "type", snm_names(m) + snm_sensor_typename(m)[i]);
    json_integer(j, "dim", snm_sensor_dim(m)[i]);
    json_end(j);
  }
  json_end(j);
  json_list(j, "actuators");
  for (int32_t i = 0; i < snm_nu(m); i++) {
    json_object(j, NULL);
    json_text(j, "name", sn_name(m, "actuator", i));
    json_bool(j, "limited", snm_actuator_ctrllimited(m)[i]);
    json_vector(j, "range", snm_actuator_ctrlrange(m) + 2 * i, 2);
    json_end(j);
  }
  json_end(j);
  json_list(j, "keys");
  for (int32_t i = 0; i < snm_nkey(m); i++) {
    json_text(j, NULL, sn_name(m, "key", i));
  }
  json_end(j);
}

// ------------------------------------------------------------------ the model

static void put_look(json *j, const sn_model *m) {
  sn_visual v = { .def_size = sizeof v };
  sn_statistic s = { .def_size = sizeof s };
  sn_model_get_visual(m, &v);
  sn_model_get_statistic(m, &s);
  json_object(j, "look");
  json_real(j, "extent", s.extent);
  json_vector(j, "center", s.center, 3);
  json_real(j, "meansize", s.meansize);
  json_real(j, "meanmass", s.meanmass);
  json_real(j, "fovy", v.global_fovy);
  json_real(j, "azimuth", v.global_azimuth);
  json_real(j, "elevation", v.global_elevation);
  json_real(j, "near", v.map_znear);
  json_real(j, "far", v.map_zfar);
  json_real(j, "shadowclip", v.map_shadowclip);
  json_integer(j, "shadowsize", v.quality_shadowsize);
  json_real(j, "force", v.map_force);
  json_real(j, "contactwidth", v.scale_contactwidth);
  json_real(j, "contactheight", v.scale_contactheight);
  json_real(j, "forcewidth", v.scale_forcewidth);
  json_vector(j, "contactpoint", v.rgba_contactpoint, 4);
  json_vector(j, "contactforce", v.rgba_contactforce, 4);
  json_bool(j, "headlight", v.headlight_active != 0);
  json_vector(j, "ambient", v.headlight_ambient, 3);
  json_vector(j, "diffuse", v.headlight_diffuse, 3);
  json_vector(j, "specular", v.headlight_specular, 3);
  json_end(j);
}

int web_model(FILE *file, const sn_model *m, sn_data *d, const web_request *request) {
  sn_option option = { .def_size = sizeof option };
  json j;
  sn_model_get_option(m, &option);
  json_start(&j, file);
  json_text(&j, "title", request->title);
  json_text(&j, "version", sn_version());
  json_text(&j, "live", request->live);
  json_real(&j, "fps", request->fps);
  json_real(&j, "timestep", option.timestep);
  put_look(&j, m);
  put_nodes(&j, m, d);
  put_shapes(&j, m);
  put_values(&j, m);
  const int ok = web_assets(&j, m);
  return json_finish(&j) && ok;
}
