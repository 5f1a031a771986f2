// SPDX-License-Identifier: Apache-2.0
//
// The asset section of the schema: textures, height fields, meshes, skins, materials.

#include "mjcf/read/read.h"
#include "mjcf/schema/schema.h"

// clang-format off

static const xml_word mesh_inertias[] = { { "convex", SN_MESH_CONVEX, 0 },
                                          { "exact", SN_MESH_EXACT, 0 },
                                          { "legacy", SN_MESH_LEGACY, 0 },
                                          { "shell", SN_MESH_SHELL, 0 },
                                          { NULL, 0, 0 } };
static const xml_word texture_types[] = { { "2d", SN_TEXTURE_2D, 0 },
                                          { "cube", SN_TEXTURE_CUBE, 0 },
                                          { "skybox", SN_TEXTURE_SKYBOX, 0 }, { NULL, 0, 0 } };
static const xml_word builtins[] = { { "none", SN_BUILTIN_NONE, 0 },
                                     { "gradient", SN_BUILTIN_GRADIENT, 0 },
                                     { "checker", SN_BUILTIN_CHECKER, 0 },
                                     { "flat", SN_BUILTIN_FLAT, 0 }, { NULL, 0, 0 } };
static const xml_word marks[] = { { "none", SN_MARK_NONE, 0 }, { "edge", SN_MARK_EDGE, 0 },
                                  { "cross", SN_MARK_CROSS, 0 }, { "random", SN_MARK_RANDOM, 0 },
                                  { NULL, 0, 0 } };

static const mjcf_attr texture_attrs[] = {
  MJCF_STRING(sn_texture_def, "name", name),
  MJCF_ONEOF(sn_texture_def, "type", type, texture_types),
  MJCF_STRING(sn_texture_def, "file", file),
  MJCF_INTN(sn_texture_def, "gridsize", gridsize, 2, 2),
  MJCF_STRING(sn_texture_def, "gridlayout", gridlayout),
  MJCF_STRING(sn_texture_def, "fileright", cubefile[0]),
  MJCF_STRING(sn_texture_def, "fileleft", cubefile[1]),
  MJCF_STRING(sn_texture_def, "fileup", cubefile[2]),
  MJCF_STRING(sn_texture_def, "filedown", cubefile[3]),
  MJCF_STRING(sn_texture_def, "filefront", cubefile[4]),
  MJCF_STRING(sn_texture_def, "fileback", cubefile[5]),
  MJCF_ONEOF(sn_texture_def, "builtin", builtin, builtins),
  MJCF_REALN(sn_texture_def, "rgb1", rgb1, 3, 3),
  MJCF_REALN(sn_texture_def, "rgb2", rgb2, 3, 3),
  MJCF_ONEOF(sn_texture_def, "mark", mark, marks),
  MJCF_REALN(sn_texture_def, "markrgb", markrgb, 3, 3),
  { .name = "random", .type = MJCF_REAL, MJCF_AT(sn_texture_def, random), .min = 1, .max = 1 },
  MJCF_INT1(sn_texture_def, "width", width),
  MJCF_INT1(sn_texture_def, "height", height),
  MJCF_ONEOF(sn_texture_def, "hflip", hflip, mjcf_bool),
  MJCF_ONEOF(sn_texture_def, "vflip", vflip, mjcf_bool),
  MJCF_END
};

static const mjcf_attr hfield_attrs[] = {
  MJCF_STRING(sn_hfield_def, "name", name),
  MJCF_STRING(sn_hfield_def, "file", file),
  MJCF_INT1(sn_hfield_def, "nrow", nrow),
  MJCF_INT1(sn_hfield_def, "ncol", ncol),
  MJCF_LIST(sn_hfield_def, "elevation", data),
  { .name = "size", .type = MJCF_REAL, MJCF_AT(sn_hfield_def, extent), .min = 4, .max = 4,
    .required = 1 },
  MJCF_END
};

const mjcf_attr mjcf_mesh_class_attrs[] = {
  MJCF_REALN(sn_mesh_def, "scale", scale, 3, 3),
  MJCF_ONEOF(sn_mesh_def, "inertia", inertia, mesh_inertias),
  MJCF_INT1(sn_mesh_def, "maxhullvert", maxhullvert),
  MJCF_END
};

static const mjcf_attr mesh_attrs[] = {
  MJCF_STRING(sn_mesh_def, "name", name),
  MJCF_IN_CLASS,
  MJCF_STRING(sn_mesh_def, "file", file),
  MJCF_LIST(sn_mesh_def, "vertex", vert),
  MJCF_LIST(sn_mesh_def, "normal", normal),
  MJCF_LIST(sn_mesh_def, "texcoord", texcoord),
  MJCF_INTLIST(sn_mesh_def, "face", face),
  MJCF_REALN(sn_mesh_def, "refpos", refpos, 3, 3),
  MJCF_NO_EFFECT("material", "it only affects viewers; set the material of the geoms instead"),
  MJCF_REALN(sn_mesh_def, "refquat", refquat, 4, 4),
  MJCF_ONEOF(sn_mesh_def, "smoothnormal", smoothnormal, mjcf_bool),
  MJCF_END
};

static const mjcf_attr skin_attrs[] = {
  MJCF_STRING(sn_skin_def, "name", name),
  MJCF_STRING(sn_skin_def, "file", file),
  MJCF_STRING(sn_skin_def, "material", material),
  MJCF_REALN(sn_skin_def, "rgba", rgba, 4, 4),
  MJCF_REAL1(sn_skin_def, "inflate", inflate),
  MJCF_LIST(sn_skin_def, "vertex", vert),
  MJCF_LIST(sn_skin_def, "texcoord", texcoord),
  MJCF_INTLIST(sn_skin_def, "face", face),
  MJCF_INT1(sn_skin_def, "group", group),
  MJCF_END
};

static const mjcf_attr bone_attrs[] = {
  MJCF_NAMED(sn_bone_def, "body", body),
  { .name = "bindpos", .type = MJCF_REAL, MJCF_AT(sn_bone_def, bindpos), .min = 3, .max = 3,
    .required = 1 },
  { .name = "bindquat", .type = MJCF_REAL, MJCF_AT(sn_bone_def, bindquat), .min = 4, .max = 4,
    .required = 1 },
  { .name = "vertid", .type = MJCF_INTS, MJCF_AT(sn_bone_def, vertid), .required = 1 },
  { .name = "vertweight", .type = MJCF_REALS, MJCF_AT(sn_bone_def, vertweight), .required = 1 },
  MJCF_END
};

static const mjcf_attr material_names[] = {
  MJCF_STRING(sn_material_def, "name", name),
  MJCF_IN_CLASS,
  MJCF_END
};

const mjcf_attr mjcf_material_attrs[] = {
  MJCF_STRING(sn_material_def, "texture", texture),
  MJCF_REALN(sn_material_def, "texrepeat", texrepeat, 2, 2),
  MJCF_ONEOF(sn_material_def, "texuniform", texuniform, mjcf_bool),
  MJCF_REAL1(sn_material_def, "emission", emission),
  MJCF_REAL1(sn_material_def, "specular", specular),
  MJCF_REAL1(sn_material_def, "shininess", shininess),
  MJCF_REAL1(sn_material_def, "reflectance", reflectance),
  MJCF_REALN(sn_material_def, "rgba", rgba, 4, 4),
  MJCF_NO_EFFECT("metallic", "it only affects viewers; materials do not support it"),
  MJCF_NO_EFFECT("roughness", "it only affects viewers; materials do not support it"),
  MJCF_END
};

static const mjcf_element skin_children[] = {
  { .name = "bone", .attrs = { bone_attrs }, .count = '*', .read = mjcf_read_bone },
  MJCF_END
};

static const mjcf_attr model_attrs[] = {
  MJCF_STRING(mjcf_model_def, "name", name),
  MJCF_NAMED(mjcf_model_def, "file", file),
  MJCF_STRING(mjcf_model_def, "content_type", content_type),
  MJCF_END
};

const mjcf_element mjcf_asset_children[] = {
  { .name = "texture", .attrs = { texture_attrs }, .count = '*', .read = mjcf_read_texture },
  { .name = "hfield", .attrs = { hfield_attrs }, .count = '*', .read = mjcf_read_hfield },
  { .name = "mesh", .attrs = { mesh_attrs, mjcf_mesh_class_attrs }, .count = '*',
    .read = mjcf_read_mesh },
  { .name = "skin", .attrs = { skin_attrs }, .children = skin_children, .count = '*',
    .read = mjcf_read_skin },
  { .name = "material", .attrs = { material_names, mjcf_material_attrs }, .count = '*',
    .read = mjcf_read_material },
  { .name = "model", .attrs = { model_attrs }, .count = '*', .read = mjcf_read_model },
  MJCF_END
};
