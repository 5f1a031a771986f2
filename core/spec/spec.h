// SPDX-License-Identifier: Apache-2.0
//
// The storage of a spec. Each element is one block of memory: the definition struct, then
// everything that it points to.
//
//   [ sn_geom_def | "floor\0" | "grid\0" | user numbers ... ]
//
// The tables of correspondence.h list what a definition points to, and which of its numbers may be
// unset; copying and checking walk them.

#ifndef SI_SPEC_SPEC_H
#define SI_SPEC_SPEC_H

#include <stddef.h>

#include "base/error.h"
#include "host/engine.h"
#include "host/limits.h"
#include "spec/correspondence.h"

// ------------------------------------------------------------------ shapes of definitions

// SI_ELEMENT_* of a word ("xbody" is a body); -1: no such kind.
int32_t si_element_of(const char *kind);

// Bytes that a definition needs with all that it points to.
size_t si_shape_bytes(const si_struct_shape *shape, const void *def);
// Copies a definition into a block of that size.
void si_shape_copy(const si_struct_shape *shape, const void *def, void *block);
// Are its numbers finite and its counts consistent? what: "geom 'floor'".
sn_status si_shape_check(const si_struct_shape *shape, const void *def, const char *what,
                         const sn_location *location, sn_error *error);
// A struct whose def_size may be another version's, as one of ours of `size` bytes.
sn_status si_shape_import(void *ours, size_t size, const void *theirs, const char *what,
                          const sn_location *location, sn_error *error);
// The same over a struct that is complete: members that theirs is too short for keep their values.
sn_status si_shape_update(void *ours, size_t size, const void *theirs, const char *what,
                          const sn_location *location, sn_error *error);
// And back, as much as the caller's struct holds; zero where it is longer.
sn_status si_shape_export(void *theirs, const void *ours, size_t size, const char *what,
                          sn_error *error);

// ------------------------------------------------------------------ the spec

typedef struct si_element {
  void *def;
  sn_location location;   // file is interned in the spec
} si_element;

typedef struct si_elements {
  si_element *at;
  int64_t n, capacity;
  int32_t *by_name;   // ids of the named elements, sorted by name, then id
  int64_t nnamed;
  int32_t sorted;   // by_name is up to date
  int32_t reserved;
} si_elements;

typedef struct si_texts {
  char **at;
  int64_t n, capacity;
} si_texts;

// Where an option that names a plugin was read, as long as it has that name.
enum { SI_PLACED_SOLVER, SI_PLACED_INTEGRATOR, SI_NPLACED };
typedef struct si_located {
  char name[SN_NAME_MAX];
  sn_location location;   // file is interned in the spec
} si_located;

struct sn_spec {
  sn_engine *engine;
  sn_builder builder;
  char *name;
  si_elements list[SI_NELEMENTS];
#define SN_X(kind) sn_##kind kind;
  SN_SETTINGS(SN_X)
#undef SN_X
  si_texts files;
  si_texts warnings, notes;
  si_located placed[SI_NPLACED];
  int64_t nbyte;          // of all definitions
  int once;               // it is freed when it has been compiled, and nothing reads it before
  si_deadline deadline;   // while a file is loaded; end 0: there is none
  struct si_key_marked *marked;   // where keyframes were complete, see keyframe.h; NULL: no keys
};

// A spec with nothing but the world. Its builder has these operations, with this spec and the
// engine's host.
sn_spec *si_spec_make(sn_engine *engine, const sn_builder *operations, sn_error *error);

// The name of an element, "" when it has none. Every definition has its name at the same place.
const char *si_element_name(const si_element *element);
// "geom 'floor'" or "geom 3"; returns buffer.
const char *si_element_title(const sn_spec *spec, int32_t kind, int64_t id, char *buffer,
                             size_t size);
// The first byte of a name that is not UTF-8, or is a control character; -1: none. NULL is a name.
// name.c
int64_t si_name_fault(const char *name);
// Frees a definition that the spec holds no more.
void si_spec_drop_def(sn_spec *spec, int32_t kind, void *def);
// Brings by_name up to date.
sn_status si_spec_sort(sn_spec *spec, int32_t kind);

// The functions sn_spec_add_... and sn_spec_set_... of a kind by its number.
sn_status si_spec_add_element(sn_spec *spec, int32_t kind, const void *def,
                              const sn_location *location, int32_t *id, sn_error *error);
sn_status si_spec_set_element(sn_spec *spec, int32_t kind, int32_t id, const void *def,
                              sn_error *error);
// What a part of a model needs. remove.c: removes all but a body and what is inside of it, which
// becomes a child of the world. place.c: moves what is in the world into a frame; gives the bodies
// from `first` on the ids from `to` on, to <= first, and writes what each body was before to `old`
// (all bodies). attach.c: sn_spec_attach, after which the bodies from `first` on are moved like
// that.
sn_status si_spec_keep_body(sn_spec *spec, int32_t body, sn_error *error);
sn_status si_spec_move_world(sn_spec *spec, const double *pos, const double *quat, sn_error *error);
sn_status si_spec_move_bodies(sn_spec *spec, int64_t first, int64_t to, int32_t *old,
                              sn_error *error);
sn_status si_spec_attach_at(sn_spec *spec, int32_t body, const sn_spec *part, const char *prefix,
                            int64_t first, int64_t to, sn_error *error);
// attach_check.c: why an element of `part` would be something else under the settings of the host's
// compiler, NULL: it would not; and that the mass of all of part does not get lost.
const char *si_attach_changes(const sn_spec *host, const sn_spec *part, int32_t kind, int64_t id);
sn_status si_attach_mass(const sn_spec *host, const sn_spec *part, sn_error *error);
// The name of a plugin in an option, and where it was read; its file is NULL if that is not known.
const char *si_spec_located(const sn_spec *spec, int which, sn_location *location);
sn_status si_spec_copy_locations(sn_spec *spec, const sn_spec *from);
// As in sn_builder.
sn_status si_spec_get_place(const sn_spec *spec, const char *kind, int32_t id,
                            sn_location *location);
sn_status si_spec_locate_option(sn_spec *spec, const char *option, const sn_location *location);
// The offset of the id of the owning body in a definition; -1: elements of this kind have none.
ptrdiff_t si_element_owner(int32_t kind);
// Space for any definition struct, aligned.
typedef union si_any_def {
#define SN_X(kind) sn_##kind##_def kind;
  SN_ELEMENTS(SN_X)
#undef SN_X
} si_any_def;

// attach_units.c: makes an element of `part` mean in the host what it means in part. NULL, or what
// is wrong with it.
const char *si_attach_translate(const sn_spec *host, const sn_spec *part, int32_t kind,
                                si_any_def *def);

// Calls `visit` for each name in a definition that is the name of another element of `kind`; it
// may be changed. need: the element means nothing without what it names.
typedef void si_reference_fn(void *context, const char **name, int32_t kind, int32_t need);
void si_element_references(const sn_spec *spec, int32_t kind, void *def, si_reference_fn *visit,
                           void *context);
// The same for the names in the attributes of an actuator, sensor, constraint or named force, which
// its plugin declares as references. *changed: the lines with the names as `visit` changed them,
// freed with free; NULL: it changed none. SN_ENOMEM. attribute_links.c
sn_status si_attribute_references(const sn_spec *spec, int32_t kind, void *def,
                                  si_reference_fn *visit, void *context, char **changed);

// ------------------------------------------------------------------ orientations (orient.c)

// The unit quaternion of an orientation; NULL, or what is wrong with it.
const char *si_orient_quat(const sn_orient *orient, const sn_compiler *compiler, double *quat);
// Is one of the alternatives to quat given?
int si_orient_given(const sn_orient *orient);
// Is any of the six numbers of a segment given? If only some are, si_orient_fromto says so.
int si_fromto_given(const double *fromto);
// Frame and size of a shape whose z axis goes along a segment. NULL, or what is wrong.
const char *si_orient_fromto(const double *fromto, int32_t type, double *pos, double *quat,
                             double *size);

// ------------------------------------------------------------------ texts

// Adds a warning to those of the spec.
sn_status si_spec_warn(sn_spec *spec, const sn_location *location, const char *text);
// The same for its notes.
sn_status si_spec_add_note(sn_spec *spec, const sn_location *location, const char *text);

#endif
