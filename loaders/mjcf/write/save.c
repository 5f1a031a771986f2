// SPDX-License-Identifier: Apache-2.0
//
// Saving: a spec as canonical MJCF, without classes and includes, every attribute that is not the
// format's default. Loading it gives the same spec, up to the order in which kinds alternate.
//
// What the format cannot say is an error that names it.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mjcf/write/write.h"

// ------------------------------------------------------------------ settings

static void write_settings(mjcf_writer *w, const mjcf_element *e, const mjcf_settings *s,
                           const mjcf_settings *defaults) {
  mjcf_begin(w, e->name, 0);
  mjcf_write_rows(w, e, (const char *)s + e->target, (const char *)defaults + e->target);
  for (const mjcf_element *c = e->children; c && c->name; c++) {
    write_settings(w, c, s, defaults);
  }
  mjcf_end(w);
}

static sn_status save_settings(mjcf_writer *w) {
  mjcf_settings s, defaults;
  mjcf_default_settings(&s);
  mjcf_default_settings(&defaults);
#define GET(kind) SN_TRY(w->b->get_##kind(w->spec, &s.kind));
  SN_SETTINGS(GET)
#undef GET
  // written always, for versions of the format differ in the default
  defaults.compiler.autolimits = -1;

  // files are named by their whole paths
  s.compiler.meshdir[0] = s.compiler.texturedir[0] = 0;
  s.compiler.strippath = 0;
  for (const mjcf_element *e = mjcf_root.children; e->name; e++) {
    if (e->pass == 0) {
      write_settings(w, e, &s, &defaults);
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ assets

static sn_status save_skins(mjcf_writer *w, const mjcf_element *asset) {
  sn_skin_def defaults, def;
  const sn_bone_def none = { 0 };
  const mjcf_element *e = mjcf_find_element(asset->children, "skin");
  sn_default_skin(&defaults);
  sn_default_skin(&def);
  for (int32_t i = 0; i < (int32_t)w->b->count(w->spec, "skin"); i++) {
    SN_TRY(w->b->get_skin(w->spec, i, &def, w->error));
    mjcf_begin(w, "skin", 1);
    mjcf_write_rows(w, e, &def, &defaults);
    for (int64_t k = 0; k < def.nbone; k++) {
      mjcf_write_element(w, mjcf_find_element(e->children, "bone"), &def.bone[k], &none);
    }
    mjcf_end(w);
  }
  return SN_OK;
}

static sn_status save_hfields(mjcf_writer *w, const mjcf_element *asset) {
  sn_hfield_def defaults, def;
  const mjcf_element *e = mjcf_find_element(asset->children, "hfield");
  sn_default_hfield(&defaults);
  sn_default_hfield(&def);
  for (int32_t i = 0; i < (int32_t)w->b->count(w->spec, "hfield"); i++) {
    SN_TRY(w->b->get_hfield(w->spec, i, &def, w->error));
    double *turned = malloc((size_t)def.data.n * sizeof *turned + 1);
    if (!turned) {
      return w->b->host->error(w->b->host, w->error, SN_ENOMEM, NULL, 0, 0,
                               "out of memory while saving");
    }
    mjcf_turn_rows(&def.data, def.nrow, turned);
    mjcf_write_element(w, e, &def, &defaults);
    free(turned);
  }
  return SN_OK;
}

static sn_status save_assets(mjcf_writer *w, const mjcf_class *top) {
  const mjcf_element *asset = mjcf_section("asset");
  sn_texture_def texture;
  sn_default_texture(&texture);
  mjcf_begin(w, "asset", 0);
  MJCF_SAVE_ALL(w, asset, texture, &texture);
  SN_TRY(save_hfields(w, asset));
  SN_TRY(mjcf_save_meshes(w, mjcf_find_element(asset->children, "mesh"), &top->mesh));
  SN_TRY(save_skins(w, asset));
  MJCF_SAVE_ALL(w, asset, material, &top->material);
  mjcf_end(w);
  return SN_OK;
}

static sn_status save_custom(mjcf_writer *w) {
  const mjcf_element *custom = mjcf_section("custom"),
                     *e = mjcf_find_element(custom->children, "tuple");
  sn_numeric_def numeric;
  sn_text_def text;
  sn_tuple_def defaults, tuple;
  const sn_tuple_item none = { 0 };
  sn_default_numeric(&numeric);
  sn_default_text(&text);
  sn_default_tuple(&defaults);
  sn_default_tuple(&tuple);
  mjcf_begin(w, "custom", 0);
  MJCF_SAVE_ALL(w, custom, numeric, &numeric);
  MJCF_SAVE_ALL(w, custom, text, &text);
  for (int32_t i = 0; i < (int32_t)w->b->count(w->spec, "tuple"); i++) {
    SN_TRY(w->b->get_tuple(w->spec, i, &tuple, w->error));
    mjcf_begin(w, "tuple", 1);
    mjcf_write_rows(w, e, &tuple, &defaults);
    for (int64_t k = 0; k < tuple.nitem; k++) {
      mjcf_write_element(w, mjcf_find_element(e->children, "element"), &tuple.item[k], &none);
    }
    mjcf_end(w);
  }
  mjcf_end(w);
  return SN_OK;
}

static sn_status save_keys(mjcf_writer *w) {
  sn_key_def defaults;
  const mjcf_element *keyframe = mjcf_section("keyframe");
  sn_default_key(&defaults);
  mjcf_begin(w, "keyframe", 0);
  MJCF_SAVE_ALL(w, keyframe, key, &defaults);
  mjcf_end(w);
  return SN_OK;
}

// ------------------------------------------------------------------ the document

static sn_status save_document(mjcf_writer *w) {
  mjcf_class top;
  mjcf_default_class(&top);
  mjcf_begin(w, "mujoco", 1);
  const char *name = w->b->get_name(w->spec);
  if (name && *name) {
    mjcf_write_text(w, "model", name);
  }
  SN_TRY(save_settings(w));
  SN_TRY(mjcf_save_looks(w, &top));
  SN_TRY(save_custom(w));
  SN_TRY(save_assets(w, &top));
  SN_TRY(mjcf_save_world(w, &top));
  SN_TRY(mjcf_save_contact(w, &top));
  SN_TRY(mjcf_save_equalities(w, &top));
  SN_TRY(mjcf_save_tendons(w, &top));
  SN_TRY(mjcf_save_actuators(w, &top));
  SN_TRY(mjcf_save_sensors(w));
  SN_TRY(save_keys(w));
  SN_TRY(mjcf_save_forces(w));
  mjcf_end(w);
  return w->status;
}

sn_status mjcf_save(const void *self, const sn_builder *builder, sn_sink *sink, sn_error *error) {
  (void)self;
  mjcf_writer *w = builder->host->alloc(builder->host, sizeof *w);
  if (!w) {
    return builder->host->error(builder->host, error, SN_ENOMEM, NULL, 0, 0,
                                "out of memory while saving");
  }
  *w = (mjcf_writer){ .b = builder, .spec = builder->spec, .sink = sink, .error = error };
  sn_status status = save_document(w);
  if (status >= 0 && w->idle > 0 && builder->note) {
    char text[300];
    snprintf(
        text, sizeof text,
        "the limits of actuator forces of %d joint%s are not written: no actuator moves them, and "
        "versions of MuJoCo before 2.3 do not know these limits; with plugin.urdf.actuators=motor "
        "a URDF robot gets motors with these limits",
        w->idle, w->idle == 1 ? "" : "s");
    status = builder->note(builder->spec, NULL, text);
  }
  builder->host->free(builder->host, w);
  return status;
}
