// SPDX-License-Identifier: Apache-2.0
//
// The context of one compilation, which all its parts and the assets share: the spec, the model
// that is made of it, the numbering between them, limits, and the element that an error is about.

#ifndef SI_CONTEXT_CONTEXT_H
#define SI_CONTEXT_CONTEXT_H

#include "host/limits.h"
#include "model/model.h"
#include "spec/numbering.h"

// What files and plugins gave, until the model has it. assets/mesh.h
typedef struct si_assets {
  int64_t nmesh, ntexture, nhfield;
  struct si_mesh_part *mesh;        // by id in the model
  struct si_mesh_result *texture;   // the pixels, as in the model; none where it is built in
  struct si_mesh_result *hfield;    // vert: heights, one number each; width x height
} si_assets;

typedef struct si_build {
  const sn_spec *given;   // as the caller made it
  sn_spec *spec;          // that is compiled: the same, or what its reductions left of it
  sn_engine *engine;
  sn_error *error;
  sn_option option;   // of the spec, with the settings of the engine
  sn_model size;   // while measuring: only the sizes are used
  sn_model *m;     // while filling
  si_numbering number[SI_NELEMENTS];
  int32_t *body_last;    // nbody: the last dof that moves a body; -1: none
  int32_t *dof_parent;   // nv: the next dof towards the root
  si_assets assets;
  sn_shape_info *shape;   // ngeom: of shapes of plugins
  double bytes;           // taken for assets and arrays, beside those of the spec
  si_deadline deadline;   // when compiling must have ended
} si_build;

// Adds to the bytes of a build for the sake of an element (kind -1: of the whole), or rejects.
sn_status si_build_take(si_build *b, double bytes, int32_t kind, int64_t id);
// Fails if so many more bytes would exceed the limit; does not count them yet.
sn_status si_build_ahead(si_build *b, double bytes, int32_t kind, int64_t id);
// Bytes counted for the file until now, including its definitions.
double si_build_bytes(const si_build *b);

// ------------------------------------------------------------------ elements

// The definition of an element by its id in the model.
const void *si_build_def(const si_build *b, int32_t kind, int64_t id);
#define SI_DEF(b, kind, id) ((const sn_##kind##_def *)si_build_def(b, SI_ELEMENT_##kind, id))

// An error about an element of the model: "geom 'floor': ...", with its place.
sn_status si_build_fail(si_build *b, sn_status code, int32_t kind, int64_t id, const char *format,
                        ...) SN_PRINTF(5, 6);
#define SI_FAIL(b, kind, id, ...) si_build_fail(b, SN_ECOMPILE, SI_ELEMENT_##kind, id, __VA_ARGS__)
// A warning about an element, for the model's list.
sn_status si_build_warn(si_build *b, int32_t kind, int64_t id, const char *format, ...)
    SN_PRINTF(4, 5);
// The same as si_build_fail for an error that a plugin has filled: adds the element to it.
sn_status si_build_blame(si_build *b, sn_status code, int32_t kind, int64_t id);

// The id in the model of an element that another one refers to by name.
sn_status si_build_refer(si_build *b, int32_t kind, int64_t id, int32_t wanted, const char *name,
                         int32_t *out);
#define SI_REFER(b, kind, id, wanted, name, out) \
  si_build_refer(b, SI_ELEMENT_##kind, id, SI_ELEMENT_##wanted, name, out)
// Objects of any kind of a sensor or tuple: the kind is a word.
sn_status si_build_refer_word(si_build *b, int32_t kind, int64_t id, const char *word,
                              const char *name, int32_t *out);

// A part of the compilation: it measures (adds to the sizes) or fills (writes its arrays).
typedef sn_status si_build_part(si_build *b);

#endif
