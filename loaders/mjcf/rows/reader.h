// SPDX-License-Identifier: Apache-2.0
//
// The state of one load: the document, the settings, the classes, and the position in the document.
// What is kept until the end is allocated in the arena of the document.
//
// The functions below check and fill by the rows of the schema and know no element by its name.

#ifndef LOADERS_MJCF_ROWS_READER_H
#define LOADERS_MJCF_ROWS_READER_H

#include "mjcf/rows/rows.h"
#include "sinew/loader.h"

// The settings, and what of them only the loader needs.
typedef struct mjcf_settings {
  sn_compiler compiler;
  sn_option option;
  sn_size_hint size_hint;
  sn_statistic statistic;
  sn_visual visual;
  const char *meshdir, *texturedir, *assetdir;
  const char *memory;   // of size: what the arena starts with, which grows anyway
} mjcf_settings;

// A frame around elements of a body: a meta-element, which its elements take over.
typedef struct mjcf_frame {
  double pos[3], quat[4];
  int32_t given;   // 0: there is none
  int32_t reserved;
} mjcf_frame;

// A defaults class. read/read.h
typedef struct mjcf_class mjcf_class;

enum { MJCF_COLLECT = 10 };   // errors that are reported together

// Stands in for the host while problems are collected: everything but `error` is the host's.
typedef struct mjcf_collector {
  sn_host host;
  const sn_host *real;
  struct mjcf_reader *reader;
  int64_t n;   // found; the first MJCF_COLLECT are kept
  struct {
    sn_status code;
    int32_t line, column;
    const char *file, *text;
  } at[MJCF_COLLECT];
} mjcf_collector;

// A model that an asset names, and one that is attached. read/attach.c
typedef struct mjcf_model mjcf_model;
typedef struct mjcf_attachment mjcf_attachment;

enum { MJCF_WARNED = 64 };

struct mjcf_reader {
  xml_reader xml;
  xml_document doc;
  const sn_builder *builder;
  sn_spec *spec;
  sn_source *source;
  sn_error *error;
  mjcf_settings settings;
  mjcf_class *classes;        // the first is the top-level class
  const mjcf_class *active;   // of childclass, or the top-level class
  int32_t body;               // owner of the elements being read
  int32_t reserved;
  mjcf_frame frame;   // around the elements being read
  mjcf_collector collector;
  sn_wrap_def *wrap;   // path of the tendon being read
  int64_t nwrap;
  sn_tuple_item *item;   // of the tuple being read
  int64_t nitem;
  sn_bone_def *bone;   // of the skin being read
  int64_t nbone;
  struct mjcf_composite *composite;   // the object being read
  mjcf_model *models;                 // in the order of the file
  mjcf_attachment *attachments;
  const mjcf_attr *warned[MJCF_WARNED];   // rows without effect that a warning is about
  int32_t nwarned;
  int32_t reserved1;
  sn_location solver, integrator;   // where the last of the options was
  sn_location planes;               // where the last znear, zfar or extent was
};

// ------------------------------------------------------------------ range.c

// Is a number of a setting in its range? What has none, always.
sn_status mjcf_check_range(mjcf_reader *r, const xml_node *node, const xml_attr *a, double value);

// ------------------------------------------------------------------ fill.c

// Whether elements of this row can have the attribute.
int mjcf_has_attr(const mjcf_element *e, const char *name);
// Checks names, counts and multiplicities of `node` and everything below.
sn_status mjcf_check(mjcf_reader *r, const mjcf_element *e, xml_node *node);
// Writes the attributes of `node` into `def` as the rows say.
sn_status mjcf_fill(mjcf_reader *r, const mjcf_element *e, const xml_node *node, void *def);
sn_status mjcf_no_memory(mjcf_reader *r, const xml_node *node);

// Checks the values of all attributes of what mjcf_check has looked at, too.
sn_status mjcf_check_values(mjcf_reader *r, xml_node *node);

// Reads every child by its row of e->children.
sn_status mjcf_read_children(mjcf_reader *r, const mjcf_element *e, const xml_node *node);

// ------------------------------------------------------------------ collect.c

// From here on, problems that xml_fail reports are kept.
void mjcf_collect_begin(mjcf_reader *r);
// Reports what was kept as one error; SN_OK when there is nothing.
sn_status mjcf_collect_end(mjcf_reader *r);

// ------------------------------------------------------------------ newer.c

// The version in which an element, or with `attr` one of its attributes, came into the format;
// NULL: with 2.2.2 or before, or never.
const char *mjcf_since(const char *element, const char *attr);

#endif
