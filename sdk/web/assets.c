// SPDX-License-Identifier: Apache-2.0
//
// The assets of a model for the page: triangles as binary arrays, textures as PNG; see web.h.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/scene.h"
#include "tools/render/png.h"
#include "web.h"

int web_blob(json *j, const char *key, const void *p, int64_t n) {
  char *text = web_base64(p, n);
  if (text) {
    json_text(j, key, text);
  }
  free(text);
  return text != NULL;
}

// ------------------------------------------------------------------ numbers in fewer bytes

static int put_floats(json *j, const char *key, const double *p, int64_t n) {
  web_bytes b = { 0 };
  for (int64_t i = 0; i < n; i++) {
    web_put_float(&b, p[i]);
  }
  const int ok = !b.failed && web_blob(j, key, b.p, b.n);
  web_bytes_free(&b);
  return ok;
}

// unit vectors, in four bytes each: WebGL wants attributes at multiples of four
static int put_normals(json *j, const char *key, const double *p, int64_t n) {
  web_bytes b = { 0 };
  for (int64_t i = 0; i < n; i++) {
    int8_t part[4] = { 0 };
    for (int k = 0; k < 3; k++) {
      part[k] = (int8_t)lrint(127 * fmax(-1, fmin(1, p[3 * i + k])));
    }
    web_put(&b, part, sizeof part);
  }
  const int ok = !b.failed && web_blob(j, key, b.p, b.n);
  web_bytes_free(&b);
  return ok;
}

// indices below `most`; the page knows from the number of vertices how long they are
static int put_indices(json *j, const char *key, const int32_t *p, int64_t n, int64_t most) {
  web_bytes b = { 0 };
  for (int64_t i = 0; i < n; i++) {
    const uint16_t half = (uint16_t)p[i];
    if (most > 0xffff) {
      web_put_word(&b, (uint32_t)p[i]);
    } else {
      web_put(&b, &half, sizeof half);
    }
  }
  const int ok = !b.failed && web_blob(j, key, b.p, b.n);
  web_bytes_free(&b);
  return ok;
}

// ------------------------------------------------------------------ shapes

static int put_mesh(json *j, const sn_model *m, int32_t i) {
  const int64_t first = snm_mesh_vertadr(m)[i], n = snm_mesh_vertnum(m)[i];
  const int64_t tex = snm_mesh_texcoordadr(m)[i];
  json_object(j, NULL);
  json_integer(j, "vertices", n);
  int ok = put_floats(j, "position", snm_mesh_vert(m) + 3 * first, 3 * n) &&
           put_normals(j, "normal", snm_mesh_normal(m) + 3 * first, n) &&
           put_indices(j, "face", snm_mesh_face(m) + 3 * (int64_t)snm_mesh_faceadr(m)[i],
                       3 * (int64_t)snm_mesh_facenum(m)[i], n);
  if (ok && tex >= 0) {
    ok = put_floats(j, "uv", snm_mesh_texcoord(m) + 2 * tex, 2 * n);
  }
  json_end(j);
  return ok;
}

// Geoms with shapes of plugins, in the order of the geoms.
static int put_shape_of_plugin(json *j, const sn_model *m, int32_t geom) {
  enum { NUMBERS = 9 * SN_SCENE_SHAPE_FACES };
  double *vertex = malloc(2 * NUMBERS * sizeof *vertex), *normal = vertex ? vertex + NUMBERS : NULL;
  int32_t *face = malloc(3 * SN_SCENE_SHAPE_FACES * sizeof *face);
  int64_t n = 0;
  int ok = vertex && face && sn_scene_trace_shape(m, geom, vertex, normal, &n, NULL) >= 0;
  for (int32_t i = 0; ok && i < 3 * n; i++) {
    face[i] = i;
  }
  json_object(j, NULL);
  json_integer(j, "vertices", 3 * n);
  ok = ok && put_floats(j, "position", vertex, 9 * n) && put_normals(j, "normal", normal, 3 * n) &&
       put_indices(j, "face", face, 3 * n, 3 * n);
  json_end(j);
  free(vertex);
  free(face);
  return ok;
}

static int put_hfield(json *j, const sn_model *m, int32_t i) {
  const int64_t rows = snm_hfield_nrow(m)[i], cols = snm_hfield_ncol(m)[i];
  json_object(j, NULL);
  json_integer(j, "rows", rows);
  json_integer(j, "cols", cols);
  json_vector(j, "size", snm_hfield_size(m) + 4 * i, 4);
  const int ok = put_floats(j, "data", snm_hfield_data(m) + snm_hfield_adr(m)[i], rows * cols);
  json_end(j);
  return ok;
}

static int put_bone(json *j, const sn_model *m, int32_t b, int64_t nvert) {
  const int64_t first = snm_skin_bonevertadr(m)[b], n = snm_skin_bonevertnum(m)[b];
  json_object(j, NULL);
  json_integer(j, "body", snm_skin_bonebodyid(m)[b]);
  json_vector(j, "pos", snm_skin_bonebindpos(m) + 3 * b, 3);
  json_vector(j, "quat", snm_skin_bonebindquat(m) + 4 * b, 4);
  const int ok = put_indices(j, "vertex", snm_skin_bonevertid(m) + first, n, nvert) &&
                 put_floats(j, "weight", snm_skin_bonevertweight(m) + first, n);
  json_end(j);
  return ok;
}

static int put_skin(json *j, const sn_model *m, int32_t i) {
  const int64_t first = snm_skin_vertadr(m)[i], n = snm_skin_vertnum(m)[i];
  const int64_t tex = snm_skin_texcoordadr(m)[i];
  json_object(j, NULL);
  json_text(j, "name", sn_name(m, "skin", i));
  json_integer(j, "material", snm_skin_matid(m)[i]);
  json_integer(j, "group", snm_skin_group(m)[i]);
  json_vector(j, "rgba", snm_skin_rgba(m) + 4 * i, 4);
  json_real(j, "inflate", snm_skin_inflate(m)[i]);
  json_integer(j, "vertices", n);
  int ok = put_floats(j, "position", snm_skin_vert(m) + 3 * first, 3 * n) &&
           put_indices(j, "face", snm_skin_face(m) + 3 * (int64_t)snm_skin_faceadr(m)[i],
                       3 * (int64_t)snm_skin_facenum(m)[i], n);
  if (ok && tex >= 0) {
    ok = put_floats(j, "uv", snm_skin_texcoord(m) + 2 * tex, 2 * n);
  }
  json_list(j, "bones");
  for (int32_t b = 0; ok && b < snm_skin_bonenum(m)[i]; b++) {
    ok = put_bone(j, m, snm_skin_boneadr(m)[i] + b, n);
  }
  json_end(j);
  json_end(j);
  return ok;
}

// ------------------------------------------------------------------ looks

static int put_texture(json *j, const sn_model *m, int32_t i) {
  const uint32_t width = (uint32_t)snm_tex_width(m)[i], height = (uint32_t)snm_tex_height(m)[i];
  unsigned char *png = NULL;
  size_t size = 0;
  const char *wrong = png_encode(snm_tex_rgb(m) + snm_tex_adr(m)[i], width, height, &png, &size);
  json_object(j, NULL);
  json_integer(j, "type", snm_tex_type(m)[i]);
  const int ok = !wrong && web_blob(j, "png", png, (int64_t)size);
  json_end(j);
  free(png);
  return ok;
}

static int put_material(json *j, const sn_model *m, int32_t i) {
  json_object(j, NULL);
  json_integer(j, "texture", snm_mat_texid(m)[i]);
  json_bool(j, "uniform", snm_mat_texuniform(m)[i]);
  json_vector(j, "repeat", snm_mat_texrepeat(m) + 2 * i, 2);
  json_real(j, "emission", snm_mat_emission(m)[i]);
  json_real(j, "specular", snm_mat_specular(m)[i]);
  json_real(j, "shininess", snm_mat_shininess(m)[i]);
  json_vector(j, "rgba", snm_mat_rgba(m) + 4 * i, 4);
  json_end(j);
  return 1;
}

static int put_shapes_of_plugins(json *j, const sn_model *m) {
  int ok = 1;
  json_list(j, "shapes");
  for (int32_t i = 0; ok && i < snm_ngeom(m); i++) {
    ok = snm_geom_type(m)[i] != SN_GEOM_USER || put_shape_of_plugin(j, m, i);
  }
  json_end(j);
  return ok;
}

int web_assets(json *j, const sn_model *m) {
  static const struct {
    const char *key, *count;
    int (*put)(json *j, const sn_model *m, int32_t i);
  } lists[] = { { "meshes", "nmesh", put_mesh },
                { "hfields", "nhfield", put_hfield },
                { "skins", "nskin", put_skin },
                { "textures", "ntex", put_texture },
                { "materials", "nmat", put_material } };
  int ok = put_shapes_of_plugins(j, m);
  for (size_t k = 0; k < sizeof lists / sizeof lists[0]; k++) {
    json_list(j, lists[k].key);
    for (int32_t i = 0; ok && i < sn_size(m, lists[k].count); i++) {
      ok = lists[k].put(j, m, i);
    }
    json_end(j);
  }
  return ok;
}
