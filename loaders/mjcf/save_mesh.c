// SPDX-License-Identifier: Apache-2.0
//
// Saving meshes. The format names files in STL, OBJ and MSH; a mesh of any other file, such as the
// Collada files of robots, is written as vertices and faces, which every reader of the format
// understands.

#include <string.h>
#include <strings.h>

#include "mjcf/save.h"

static int is_of_format(const char *file) {
  static const char *const endings[] = { ".stl", ".obj", ".msh" };
  const char *dot = strrchr(file, '.');
  for (size_t i = 0; dot && i < sizeof endings / sizeof endings[0]; i++) {
    if (strcasecmp(dot, endings[i]) == 0) {
      return 1;
    }
  }
  return 0;
}

sn_status mjcf_save_meshes(mjcf_writer *w, const mjcf_element *e, const sn_mesh_def *fallback) {
  const sn_host *host = w->b->host;
  for (int32_t i = 0; i < (int32_t)w->b->count(w->spec, "mesh"); i++) {
    sn_mesh_def def;
    void *block = NULL;
    sn_default_mesh(&def);
    MJCF_TRY(w->b->get_mesh(w->spec, i, &def, w->error));
    if (def.bytes && !is_of_format(def.file ? def.file : "")) {
      MJCF_TRY(w->b->decode_mesh(w->spec, i, &def, w->error));
      block = (void *)(uintptr_t)def.vert.p;
    }
    mjcf_begin(w, e->name, 1);
    mjcf_write_rows(w, e, &def, fallback);
    mjcf_end(w);
    host->free(host, block);
  }
  return SN_OK;
}
