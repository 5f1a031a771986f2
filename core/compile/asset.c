// SPDX-License-Identifier: Apache-2.0
//
// Textures and materials.

#include <stdlib.h>
#include <string.h>

#include "assets/mesh.h"
#include "compile/compile.h"

static int64_t texture_height(const sn_texture_def *t) {
  return t->type == SN_TEXTURE_2D ? t->height : 6 * (int64_t)t->width;
}

static sn_status add_pixels(si_build *b, int64_t id, int64_t width, int64_t height) {
  b->size.ntexdata += 3 * width * height;
  if (b->size.ntexdata > INT32_MAX) {
    return SI_FAIL(b, texture, id, "the textures together are larger than 2 GB");
  }
  return si_build_ahead(b, 3.0 * (double)(width * height), SI_ELEMENT_texture, id);
}

static sn_status measure_texture(si_build *b, int64_t i) {
  const sn_texture_def *t = SI_DEF(b, texture, i);
  if (t->builtin < 0 || t->builtin >= SN_NBUILTINS || t->mark < 0 || t->mark >= SN_NMARKS) {
    return SI_FAIL(b, texture, i,
                   "its builtin or mark is not one of the SN_TEXTURE_* and SN_MARK_* values");
  }
  if (t->type != SN_TEXTURE_SKYBOX && (!t->name || !t->name[0])) {
    return SI_FAIL(b, texture, i, "it has no name, so that nothing can refer to it; set its name");
  }
  si_mesh_result *image = &b->assets.texture[i];
  if (t->builtin == SN_BUILTIN_NONE) {
    SN_TRY(si_texture_read(b, i, image));
    return add_pixels(b, i, image->width, image->height);
  }
  enum { LARGEST = 1 << 14 };   // pixels; more is a mistake
  if (t->width < 1 || t->width > LARGEST || texture_height(t) < 1 ||
      texture_height(t) > 6 * LARGEST) {
    return SI_FAIL(b, texture, i, "a built-in texture requires a width%s from 1 to %d",
                   t->type == SN_TEXTURE_2D ? " and a height" : "", LARGEST);
  }
  return add_pixels(b, i, t->width, texture_height(t));
}

sn_status si_compile_asset_measure(si_build *b) {
  b->size.nmat = b->number[SI_ELEMENT_material].n;
  b->size.ntex = b->number[SI_ELEMENT_texture].n;
  b->assets.texture = calloc((size_t)b->size.ntex + 1, sizeof *b->assets.texture);
  if (!b->assets.texture) {
    return si_fail(b->error, SN_ENOMEM, "out of memory while compiling");
  }
  for (int64_t i = 0; i < b->size.ntex; i++) {
    si_mesh_result_init(&b->assets.texture[i]);
    b->assets.ntexture = i + 1;
    SN_TRY(measure_texture(b, i));
  }
  for (int64_t i = 0; i < b->size.nmat; i++) {
    const sn_material_def *material = SI_DEF(b, material, i);
    if (!material->name || !material->name[0]) {
      return SI_FAIL(b, material, i,
                     "it has no name, so that nothing can refer to it; set its name");
    }
  }
  return SN_OK;
}

sn_status si_compile_asset_fill(si_build *b) {
  sn_model *m = b->m;
  int64_t address = 0;
  for (int64_t i = 0; i < m->ntex; i++) {
    const sn_texture_def *t = SI_DEF(b, texture, i);
    si_mesh_result *image = &b->assets.texture[i];
    m->tex_width[i] = image->pixels ? (int32_t)image->width : t->width;
    m->tex_height[i] = (int32_t)(image->pixels ? image->height : texture_height(t));
    m->tex_adr[i] = (int32_t)address;
    int64_t size = 3 * (int64_t)m->tex_width[i] * m->tex_height[i];
    if (image->pixels) {
      memcpy(m->tex_rgb + address, image->pixels, (size_t)size);
      si_mesh_result_free(image);   // what follows may need as much memory
    } else {
      si_texture_builtin(t, m->tex_width[i], m->tex_height[i], m->tex_rgb + address);
    }
    address += size;
  }
  return SN_OK;
}
