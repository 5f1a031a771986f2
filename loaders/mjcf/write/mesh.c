// SPDX-License-Identifier: Apache-2.0
//
// Saving meshes. The format names files in binary STL, OBJ and MSH; a mesh of any other file, such
// as the Collada files of robots, is written as vertices and faces, which every reader of the
// format understands.

#include <string.h>
#include <strings.h>

#include "mjcf/write/write.h"

// A header of 80 bytes, the number of triangles, and 50 bytes for each of them.
static int is_binary_stl(const sn_mesh_def *def) {
  int64_t count = 0;
  for (int k = 3; k >= 0 && def->nbytes >= 84; k--) {
    count = 256 * count + def->bytes[80 + k];
  }
  return def->nbytes == 84 + 50 * count;
}

static int is_of_format(const sn_mesh_def *def) {
  const char *dot = strrchr(def->file ? def->file : "", '.');
  return dot && (strcasecmp(dot, ".obj") == 0 || strcasecmp(dot, ".msh") == 0 ||
                 (strcasecmp(dot, ".stl") == 0 && is_binary_stl(def)));
}

sn_status mjcf_save_meshes(mjcf_writer *w, const mjcf_element *e, const sn_mesh_def *defaults) {
  const sn_host *host = w->b->host;
  for (int32_t i = 0; i < (int32_t)w->b->count(w->spec, "mesh"); i++) {
    sn_mesh_def def;
    void *block = NULL;
    sn_default_mesh(&def);
    SN_TRY(w->b->get_mesh(w->spec, i, &def, w->error));
    if (def.bytes && !is_of_format(&def)) {
      SN_TRY(w->b->decode_mesh(w->spec, i, &def, w->error));
      block = (void *)(uintptr_t)def.vert.p;
    }
    mjcf_begin(w, e->name, 1);
    mjcf_write_rows(w, e, &def, defaults);
    mjcf_end(w);
    host->free(host, block);
  }
  return SN_OK;
}
