// SPDX-License-Identifier: Apache-2.0
//
// The inside of saving MJCF: save.c, tree.c and relation.c walk the spec, plain.c
// puts definitions into the plainest words, value.c writes elements and attributes by the rows
// of the schema.

#ifndef LOADERS_MJCF_WRITE_WRITE_H
#define LOADERS_MJCF_WRITE_WRITE_H

#include "mjcf/read/read.h"
#include "mjcf/schema/schema.h"

// Elements that a file nests. Readers of XML have limits, that of version 2.2.2 one of 100; bodies
// that are deeper go to files of their own, which the element include brings in.
enum { MJCF_FILE_DEPTH = 90 };

enum {
  MJCF_WRITE_FILES = XML_MAX_DEPTH / MJCF_FILE_DEPTH + 2,   // that include each other
  MJCF_WRITE_DEPTH = XML_MAX_DEPTH + MJCF_WRITE_FILES       // each has a root
};

enum { MJCF_HELD, MJCF_STARTED, MJCF_FILLED };   // not written, "<name", "<name>"

typedef struct mjcf_writer {
  const sn_builder *b;
  const sn_spec *spec;
  sn_sink *sink;   // of the present file
  sn_error *error;
  sn_status status;   // the first failure
  int32_t lost;       // elements below MJCF_WRITE_DEPTH
  int32_t idle;       // joints whose limit of actuator forces bounds nothing
  int32_t depth;
  int32_t base;     // depth around the present file
  int32_t nparts;   // files so far, but for the first
  int32_t nfile;    // open files but for the present one:
  struct {
    sn_sink *sink;
    int32_t base, body;   // what the file inside of it is in
  } file[MJCF_WRITE_FILES];
  struct {
    const char *name;
    int32_t state;
  } open[MJCF_WRITE_DEPTH];
} mjcf_writer;

// An element around what follows. always: also when it stays empty.
void mjcf_begin(mjcf_writer *w, const char *name, int always);
void mjcf_end(mjcf_writer *w);
void mjcf_write_text(mjcf_writer *w, const char *name, const char *text);
// The attributes of an element's rows whose values differ from those of `fallback`.
void mjcf_write_rows(mjcf_writer *w, const mjcf_element *e, const void *def, const void *defaults);

// What follows, until the end of the same body, goes to a file of its own, which the present one
// includes; where the sink opens none, to the present one.
void mjcf_begin_part(mjcf_writer *w, int32_t body);
void mjcf_end_part(mjcf_writer *w, int32_t body);
// One element with its attributes, and no elements inside.
void mjcf_write_element(mjcf_writer *w, const mjcf_element *e, const void *def,
                        const void *defaults);
// Lines of parameters for a plugin, as elements inside of the one that is open.
sn_status mjcf_save_configs(mjcf_writer *w, const char *lines);
// The error that the format cannot express something.
sn_status mjcf_save_fail(mjcf_writer *w, const char *kind, const char *name, const char *why);
// The row of a name in a list, and of a section in the root.
const mjcf_element *mjcf_find_element(const mjcf_element *list, const char *name);
const mjcf_element *mjcf_section(const char *name);

// Every element of a kind, by the row of that name in a section.
#define MJCF_SAVE_ALL(w, in, kind, defaults)                                         \
  for (int32_t i = 0; i < (int32_t)(w)->b->count((w)->spec, #kind); i++) {           \
    sn_##kind##_def def;                                                             \
    sn_default_##kind(&def);                                                         \
    SN_TRY((w)->b->get_##kind((w)->spec, i, &def, (w)->error));                    \
    mjcf_write_element(w, mjcf_find_element((in)->children, #kind), &def, defaults); \
  }

// tree.c, relation.c: sections of the document, with elements that differ from `top`.
sn_status mjcf_save_world(mjcf_writer *w, const mjcf_class *top);
sn_status mjcf_save_contact(mjcf_writer *w, const mjcf_class *top);
sn_status mjcf_save_equalities(mjcf_writer *w, const mjcf_class *top);
sn_status mjcf_save_tendons(mjcf_writer *w, const mjcf_class *top);
sn_status mjcf_save_actuators(mjcf_writer *w, const mjcf_class *top);
sn_status mjcf_save_sensors(mjcf_writer *w);
sn_status mjcf_save_forces(mjcf_writer *w);
// The classes that the tendons need, for looks that only a class can say.
sn_status mjcf_save_looks(mjcf_writer *w, const mjcf_class *top);

// The operation `save` of loader.h.
sn_status mjcf_save(const void *self, const sn_builder *builder, sn_sink *sink, sn_error *error);

// mesh.c: every mesh, by this row.
sn_status mjcf_save_meshes(mjcf_writer *w, const mjcf_element *e, const sn_mesh_def *defaults);

// plain.c: the plainest words for what a definition means.
void mjcf_plain_body(const mjcf_writer *w, sn_body_def *body);
void mjcf_plain_joint(mjcf_writer *w, sn_joint_def *joint);
void mjcf_plain_tendon(sn_tendon_def *tendon);
void mjcf_plain_actuator(sn_actuator_def *actuator);
// reject.c: an error when numbers of a pair are mixed from its geoms.
sn_status mjcf_check_pairs(mjcf_writer *w);
// reject.c: the error about a damping ratio or inherited range that no shortcut can say.
sn_status mjcf_reject_servo(mjcf_writer *w, int32_t id, const char *name);

#endif
