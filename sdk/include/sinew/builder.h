// SPDX-License-Identifier: Apache-2.0
//
// The functions with which a loader fills a spec.

#ifndef SINEW_BUILDER_H
#define SINEW_BUILDER_H

#include "sinew/spec.h"

SN_BEGIN_DECLS

// An application calls the same functions as sn_spec_add_body(spec, ...) and so on, declared in
// sinew.h. All are [load]. An operation that lies beyond `size` is newer than the host.
typedef struct sn_builder sn_builder;
struct sn_builder {
  uint32_t size;
  uint32_t reserved;
  sn_spec *spec;
  const sn_host *host;
  void *context;

  // Adds an element; *id receives its id. location may be NULL. SN_EINVAL: a number is out of
  // range, or the owner does not exist.
#define SN_BUILDER_ADD(kind)                                                                 \
  sn_status (*add_##kind)(sn_spec * spec, const sn_##kind##_def *def, const sn_location *location, \
                          int32_t *id, sn_error *error);
  SN_ELEMENTS_1_0(SN_BUILDER_ADD)

  // get: copies the definition of an element to *def, which must be initialized by
  // sn_default_<kind>() because its size is an input; strings and arrays still belong to the spec.
  // set: replaces the definition of an element.
#define SN_BUILDER_GET(kind)                                                                       \
  sn_status (*get_##kind)(const sn_spec *spec, int32_t id, sn_##kind##_def *def, sn_error *error); \
  sn_status (*set_##kind)(sn_spec * spec, int32_t id, const sn_##kind##_def *def, sn_error *error);
  SN_ELEMENTS_1_0(SN_BUILDER_GET)

  // Global settings.
#define SN_BUILDER_SETTING(kind)                                     \
  sn_status (*get_##kind)(const sn_spec *spec, sn_##kind *settings); \
  sn_status (*set_##kind)(sn_spec * spec, const sn_##kind *settings, sn_error *error);
  SN_SETTINGS_1_0(SN_BUILDER_SETTING)

  sn_status (*set_name)(sn_spec *spec, const char *name);                     // of the model
  int64_t (*count)(const sn_spec *spec, const char *kind);                    // -1: no such kind
  int32_t (*find)(const sn_spec *spec, const char *kind, const char *name);   // -1: none
  // Adds a warning to the result of loading (sn_spec_warning, sn_model_warning).
  sn_status (*warn)(sn_spec *spec, const sn_location *location, const char *text);
  const char *(*get_name)(const sn_spec *spec);   // of the model; "" none
  // The unit quaternion (4) of an orientation, whose angles have the unit of the compiler settings.
  // Returns NULL, or a message if the orientation is invalid.
  const char *(*orientation)(const sn_spec *spec, const sn_orient *orient, double *quat);
  // The inertia of every body as the compiler infers it from geoms, inertial and settings, by id
  // and in the frame of the body: mass (nbody), center of mass (nbody x 3), unit quaternion of the
  // principal axes (nbody x 4), principal moments (nbody x 3). It compiles the spec: call it once,
  // after the last change. It fails if the spec does not compile. [load]
  sn_status (*inertia)(sn_spec *spec, double *mass, double *ipos, double *iquat, double *moments,
                       sn_error *error);
  // The source location of an element; its file is NULL if it is not known. SN_EINVAL: there is no
  // such element.
  sn_status (*get_location)(const sn_spec *spec, const char *kind, int32_t id,
                            sn_location *location);
  // Stores the source location of the value of an option that selects a provider, such as "solver",
  // for the message if no provider has that name. SN_ENOTFOUND: there is no such option.
  sn_status (*locate_option)(sn_spec *spec, const char *option, const sn_location *location);
  // Adds a note to the result of loading (sn_spec_note, sn_model_note). A warning reports something
  // that changes the physical meaning of the file; a note is only information: strict mode turns
  // warnings into errors, but not notes.
  sn_status (*note)(sn_spec *spec, const sn_location *location, const char *text);
  // The definition of a mesh with the content of its file (vertices, normals, texture coordinates,
  // faces) in place of the file. The arrays are one block of memory, which starts at def->vert.p
  // and which the caller frees with host->free. SN_EINVAL: the mesh has no file.
  sn_status (*decode_mesh)(const sn_spec *spec, int32_t id, sn_mesh_def *def, sn_error *error);
  // Principal moments (3) in descending order and the unit quaternion (4) of the principal axes of
  // a symmetric matrix xx yy zz xy xz yz, as the compiler computes them for fullinertia.
  void (*principal_axes)(const double *matrix, double *moments, double *quat);
  // Reads another file, in whatever format a loader recognizes, and attaches it to a body as
  // sn_spec_attach does: the world of the part becomes that body, and its names and references get
  // the prefix. pos and orient move what is in the world of the part. With a name, a body without
  // joint is added first, at pos and orient, and the part is attached to that; free joints and
  // mocap bodies are possible in parts that are attached to the world itself, body 0, without a
  // name. With a subtree, only elements that do not refer to other bodies of the part are attached.
  // Keyframes are extended with reset values for elements that are added after this call.
  // source: the file that is being loaded; names of files in the part are relative to the part's
  // own file. Options, statistics and visual settings of the part are not used; a note reports its
  // options. Errors are located in the part, or at `location`, which may be NULL. SN_EINVAL: a file
  // that includes itself, directly or by others, or more than 32 levels. SN_ENOTFOUND: the part
  // does not have the body `subtree`. If it fails, nothing of the part is in the spec. [load]
  sn_status (*include)(sn_spec *spec, sn_source *source, const sn_include_def *def,
                       const sn_location *location, sn_error *error);

  // Elements and settings since 1.1.
  SN_ELEMENTS_1_1(SN_BUILDER_ADD)
  SN_ELEMENTS_1_1(SN_BUILDER_GET)
  SN_SETTINGS_1_1(SN_BUILDER_SETTING)
#undef SN_BUILDER_ADD
#undef SN_BUILDER_GET
#undef SN_BUILDER_SETTING
};

SN_END_DECLS

#endif
