// SPDX-License-Identifier: Apache-2.0
//
// Assets. Files are opened here, through the source, and go into the definitions as bytes; what is
// in them is the compiler's business.

#include "mjcf/read/read.h"

#include <string.h>

#include "sinew/xml/file.h"

const char *mjcf_base_name(const char *path) {
  const char *base = path;
  for (const char *p = path; *p; p++) {
    base = *p == '/' || *p == '\\' ? p + 1 : base;
  }
  return base;
}

// the files of one asset, open until it is added
enum { MOST_FILES = 7 };
typedef struct asset_files {
  sn_source *source;
  sn_source *open[MOST_FILES];
  int32_t count;
} asset_files;

static void close_files(asset_files *files) {
  while (files->count > 0) {
    files->source->close(files->open[--files->count]);
  }
}

// Declares `files`, which are closed at the end of the block.
#define OPEN_FILES __attribute__((cleanup(close_files))) asset_files files = { .count = 0 }

sn_status mjcf_open_file(mjcf_reader *r, const xml_node *node, const xml_attr *a,
                         const char *folder, sn_source **child) {
  // folder/file, but for absolute names
  const char *name = r->settings.compiler.strippath ? mjcf_base_name(a->value) : a->value;
  size_t n = folder && name[0] != '/' ? strlen(folder) : 0;
  char *path = xml_alloc(&r->doc.arena, n + strlen(name) + 2);
  if (!path) {
    return mjcf_no_memory(r, node);
  }
  if (n > 0) {
    memcpy(path, folder, n);
    n += folder[n - 1] != '/';
    path[n - 1] = '/';
  }
  strcpy(path + n, name);
  // a name such as "package://arm/hand.stl", which a plugin answers for, has its own folder
  const int named = n > 0 && strchr(name, ':');
  if (r->source->open(r->source, path, child, NULL) < 0 &&
      !(named && r->source->open(r->source, name, child, NULL) >= 0)) {
    const char *why = xml_file_trouble(&r->doc.arena, r->source, path);
    return xml_fail(&r->xml, SN_EIO, node, a,
                    "%s: cannot open \"%s\" (%s); names are relative to the folder of the main "
                    "file, %s",
                    node->name, path, why ? why : "out of memory", r->source->name);
  }
  return SN_OK;
}

// opens the file of attribute `attr`, if there is one, as folder and strippath say; the definition
// keeps the name under which it was found, so that the file is found again from anywhere
static sn_status open_file(mjcf_reader *r, asset_files *files, const xml_node *node,
                           const char *attr, const char *folder, const char **file,
                           const uint8_t **bytes, int64_t *count) {
  const xml_attr *a = xml_find_attr(node, attr);
  if (!a || !a->value[0]) {
    return SN_OK;
  }
  sn_source *child;
  SN_TRY(mjcf_open_file(r, node, a, folder, &child));
  files->source = r->source;
  files->open[files->count++] = child;
  *bytes = child->bytes;
  *count = child->count;
  *file = xml_file_name(&r->doc.arena, child->name);
  return *file ? SN_OK : mjcf_no_memory(r, node);
}

sn_status mjcf_name_of_file(mjcf_reader *r, const xml_node *node, const char *file,
                            const char **name) {
  if (*name || !file) {
    return SN_OK;
  }
  const char *base = mjcf_base_name(file);
  const char *dot = strrchr(base, '.');
  *name = xml_copy(&r->doc.arena, base, dot && dot > base ? (size_t)(dot - base) : strlen(base));
  return *name ? SN_OK : mjcf_no_memory(r, node);
}

static sn_status needs_name(mjcf_reader *r, const xml_node *node, const char *name) {
  return name ? SN_OK
              : xml_fail(&r->xml, SN_EPARSE, node, NULL, "%s: attribute \"name\" is required",
                         node->name);
}

// ------------------------------------------------------------------ textures, materials

static sn_status fill_texture(mjcf_reader *r, const xml_node *node, asset_files *files,
                              sn_texture_def *def) {
  static const char *const sides[] = { "fileright", "fileleft",  "fileup",
                                       "filedown",  "filefront", "fileback" };
  const char *folder = r->settings.texturedir;
  if (def->gridlayout && (int64_t)strlen(def->gridlayout) > 12) {
    return xml_fail(&r->xml, SN_EPARSE, node, xml_find_attr(node, "gridlayout"),
                    "texture: gridlayout has at most 12 letters");
  }
  SN_TRY(mjcf_name_of_file(r, node, def->file, &def->name));
  if (def->type != SN_TEXTURE_SKYBOX) {   // nothing refers to the sky
    SN_TRY(needs_name(r, node, def->name));
  }
  SN_TRY(open_file(r, files, node, "file", folder, &def->file, &def->bytes, &def->nbytes));
  for (int i = 0; i < 6; i++) {
    SN_TRY(open_file(r, files, node, sides[i], folder, &def->cubefile[i], &def->cubebytes[i],
                     &def->ncubebytes[i]));
  }
  return SN_OK;
}

sn_status mjcf_read_texture(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  sn_texture_def def;
  sn_default_texture(&def);
  SN_TRY(mjcf_fill(r, e, node, &def));
  OPEN_FILES;
  SN_TRY(fill_texture(r, node, &files, &def));
  sn_location location = xml_location(node);
  int32_t id;
  return r->builder->add_texture(r->spec, &def, &location, &id, r->error);
}

sn_status mjcf_read_material(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  const mjcf_class *class;
  SN_TRY(mjcf_find_class(r, node, "class", &class));
  sn_material_def def = class->material;
  SN_TRY(mjcf_fill(r, e, node, &def));
  SN_TRY(needs_name(r, node, def.name));
  sn_location location = xml_location(node);
  int32_t id;
  return r->builder->add_material(r->spec, &def, &location, &id, r->error);
}

// ------------------------------------------------------------------ meshes, height fields

sn_status mjcf_read_mesh(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  const mjcf_class *class;
  SN_TRY(mjcf_find_class(r, node, "class", &class));
  sn_mesh_def def = class->mesh;
  SN_TRY(mjcf_fill(r, e, node, &def));
  SN_TRY(mjcf_name_of_file(r, node, def.file, &def.name));
  SN_TRY(needs_name(r, node, def.name));
  if (!def.file == !def.vert.p) {
    return xml_fail(&r->xml, SN_EPARSE, node, NULL, "mesh: %s; specify one of them",
                    def.file ? "both file and vertex are specified"
                             : "neither file nor vertex is specified");
  }
  OPEN_FILES;
  SN_TRY(
      open_file(r, &files, node, "file", r->settings.meshdir, &def.file, &def.bytes, &def.nbytes));
  sn_location location = xml_location(node);
  int32_t id;
  return r->builder->add_mesh(r->spec, &def, &location, &id, r->error);
}

void mjcf_turn_rows(sn_reals *heights, int64_t nrow, double *turned) {
  if (nrow < 1 || heights->n % nrow != 0) {
    return;   // the compiler says what is wrong
  }
  const int64_t ncol = heights->n / nrow;
  for (int64_t i = 0; i < heights->n; i++) {
    turned[i] = heights->p[(nrow - 1 - i / ncol) * ncol + i % ncol];
  }
  heights->p = turned;
}

sn_status mjcf_read_hfield(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  sn_hfield_def def;
  sn_default_hfield(&def);
  SN_TRY(mjcf_fill(r, e, node, &def));
  SN_TRY(mjcf_name_of_file(r, node, def.file, &def.name));
  SN_TRY(needs_name(r, node, def.name));
  double *turned = xml_alloc(&r->doc.arena, (size_t)def.data.n * sizeof *turned + 1);
  if (!turned) {
    return mjcf_no_memory(r, node);
  }
  mjcf_turn_rows(&def.data, def.nrow, turned);
  OPEN_FILES;
  SN_TRY(
      open_file(r, &files, node, "file", r->settings.meshdir, &def.file, &def.bytes, &def.nbytes));
  sn_location location = xml_location(node);
  int32_t id;
  return r->builder->add_hfield(r->spec, &def, &location, &id, r->error);
}
