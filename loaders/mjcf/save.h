// SPDX-License-Identifier: Apache-2.0
//
// The inside of saving MJCF: save.c walks the spec, save_value.c writes elements and attributes by
// the rows of the schema.

#ifndef LOADERS_MJCF_SAVE_H
#define LOADERS_MJCF_SAVE_H

#include "mjcf/mjcf.h"

enum { MJCF_WRITE_DEPTH = 500 };

enum { MJCF_HELD, MJCF_STARTED, MJCF_FILLED };   // not written, "<name", "<name>"

typedef struct mjcf_writer {
  const sn_builder *b;
  const sn_spec *spec;
  sn_sink *sink;
  sn_error *error;
  sn_status status;   // the first failure
  int32_t lost;       // elements below MJCF_WRITE_DEPTH
  int32_t depth;
  struct {
    const char *name;
    int32_t state;
  } open[MJCF_WRITE_DEPTH];
} mjcf_writer;

// An element around what follows. always: also when it stays empty.
void mjcf_begin(mjcf_writer *w, const char *name, int always);
void mjcf_end(mjcf_writer *w);
void mjcf_write_text(mjcf_writer *w, const char *name, const char *text);
void mjcf_write_reals(mjcf_writer *w, const char *name, const double *value, int64_t n);
// The attributes of an element's rows whose values differ from those of `fallback`.
void mjcf_write_rows(mjcf_writer *w, const mjcf_element *e, const void *def, const void *fallback);

// The operation `save` of loader.h.
sn_status mjcf_save(const void *self, const sn_builder *builder, sn_sink *sink, sn_error *error);

// The operation `describe` of loader.h. describe.c
sn_status mjcf_describe(const void *self, sn_sink *sink);

// save_mesh.c: every mesh, by this row.
sn_status mjcf_save_meshes(mjcf_writer *w, const mjcf_element *e, const sn_mesh_def *fallback);

// save_refuse.c: an error when numbers of a pair are mixed from its geoms.
sn_status mjcf_check_pairs(mjcf_writer *w);
// save_refuse.c: the error about a damping ratio or inherited range that no shortcut can say.
sn_status mjcf_refuse_servo(mjcf_writer *w, int32_t id, const char *name);

#endif
