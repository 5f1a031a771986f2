// SPDX-License-Identifier: Apache-2.0
//
// A file as a part of the model that is being loaded: read into a spec of its own by the loader
// that recognizes it, reduced to the subtree that is wanted, moved to its place, then attached to a
// body.
//
// The limits of the model apply to all parts together. While a part is read its spec counts the
// bytes of those that include it, and has their deadline.

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "api/load.h"
#include "base/sized.h"
#include "files/files.h"

static int is_moved(const sn_include_def *def) {
  const double *q = def->orient.quat;
  return def->pos[0] != 0 || def->pos[1] != 0 || def->pos[2] != 0 ||
         si_orient_given(&def->orient) || !(q[0] == 1 && q[1] == 0 && q[2] == 0 && q[3] == 0);
}

// The body that the part is attached to: that of the definition, or one that is added in it.
// Without the latter, what is in the world of the part is moved.
static sn_status place_part(sn_spec *spec, sn_spec *part, const sn_include_def *def,
                            const sn_location *location, int32_t *body, sn_error *error) {
  *body = def->body;
  if (def->name && def->name[0]) {
    sn_body_def frame;
    sn_default_body(&frame);
    frame.name = def->name;
    frame.parent = def->body;
    frame.orient = def->orient;
    memcpy(frame.pos, def->pos, sizeof frame.pos);
    return spec->builder.add_body(spec, &frame, location, body, error);
  }
  double quat[4];
  const char *wrong = si_orient_quat(&def->orient, &spec->compiler, quat);
  if (wrong) {
    return si_fail(error, SN_EINVAL, "include: %s", wrong);
  }
  return is_moved(def) ? si_spec_move_world(part, def->pos, quat, error) : SN_OK;
}

// Removes what is not inside of the subtree.
static sn_status cut_part(sn_spec *part, const sn_include_def *def, const char *file,
                          sn_error *error) {
  if (!def->subtree || !def->subtree[0]) {
    return SN_OK;
  }
  const int32_t body = sn_spec_find(part, "body", def->subtree);
  if (body < 0) {
    return si_fail(error, SN_ENOTFOUND, "the file '%s' has no body '%s'", file, def->subtree);
  }
  return body > 0 ? si_spec_keep_body(part, body, error) : SN_OK;
}

// What the loader of the part reported; and settings of the part that have no effect.
static sn_status take_texts(sn_spec *spec, const sn_spec *part, const char *file,
                            const sn_location *location) {
  sn_option option;
  sn_default_option(&option);
  for (int64_t i = 0; i < part->warnings.n; i++) {
    SN_TRY(si_spec_warn(spec, NULL, part->warnings.at[i]));
  }
  for (int64_t i = 0; i < part->notes.n; i++) {
    SN_TRY(si_spec_add_note(spec, NULL, part->notes.at[i]));
  }
  if (memcmp(&option, &part->option, sizeof option) == 0) {
    return SN_OK;
  }
  char text[600];
  snprintf(text, sizeof text,
           "the options of the included file '%.400s' are not used; those of this model apply",
           file);
  return si_spec_add_note(spec, location, text);
}

static sn_status attach_part(sn_spec *spec, sn_spec *part, const sn_include_def *def,
                             const char *file, const sn_location *location, sn_error *error) {
  int32_t body;
  const int64_t before = spec->list[SI_ELEMENT_body].n;
  SN_TRY(cut_part(part, def, file, error));
  SN_TRY(take_texts(spec, part, file, location));
  SN_TRY(place_part(spec, part, def, location, &body, error));
  sn_status status = si_spec_attach_at(spec, body, part, def->prefix, before,
                                       def->at ? def->at : before, error);
  if (status < 0 && body != def->body) {
    // nothing refers to the body of the frame, which is the last one
    si_elements *list = &spec->list[SI_ELEMENT_body];
    si_spec_drop_def(spec, SI_ELEMENT_body, list->at[--list->n].def);
    list->sorted = 0;
  }
  return status;
}

static sn_status include_source(sn_spec *spec, sn_source *source, const sn_include_def *def,
                                const sn_location *location, sn_error *error) {
  sn_spec *part = sn_spec_new(spec->engine, error);
  if (!part) {
    return SN_ENOMEM;
  }
  const int64_t own = part->nbyte;
  part->nbyte += spec->nbyte;
  part->deadline = spec->deadline;
  sn_status status = si_spec_read(part, source, error);
  part->nbyte = own;
  status = status < 0 ? status : attach_part(spec, part, def, source->name, location, error);
  sn_spec_free(part);
  return status;
}

static sn_status include_def(sn_spec *spec, sn_source *source, const sn_include_def *theirs,
                             const sn_location *location, sn_error *error) {
  sn_include_def def;
  const sn_status sized = si_copy_in(&def, sizeof def, theirs, offsetof(sn_include_def, subtree));
  if (sized < 0) {
    return si_fail(error, sized,
                   sized == SN_EINVAL ? "include: initialize the definition by sn_default_include"
                                      : "include: the definition has members that are newer than "
                                        "this engine");
  }
  if (!def.file || !def.file[0]) {
    return si_fail(error, SN_EINVAL, "include: the name of the file is empty");
  }
  if (def.at != 0 && (def.at <= def.body || def.at > spec->list[SI_ELEMENT_body].n)) {
    return si_fail(error, SN_EINVAL,
                   "include: bodies of the part cannot have ids from %d on; the ids after body %d, "
                   "to which it is attached, are possible, up to %lld",
                   def.at, def.body, (long long)spec->list[SI_ELEMENT_body].n);
  }
  sn_source *part = NULL;
  SN_TRY(si_source_open_part(spec->engine, source, def.file, &part, error));
  const sn_status status = include_source(spec, part, &def, location, error);
  part->close(part);
  return status;
}

sn_status si_spec_include(sn_spec *spec, sn_source *source, const sn_include_def *def,
                          const sn_location *location, sn_error *error) {
  sn_error inner = { 0 };
  const sn_status status = include_def(spec, source, def, location, &inner);
  if (status >= 0) {
    return status;
  }
  if (inner.file[0]) {
    si_error_assign(error, &inner);
    return status;
  }
  return si_fail_at(error, status, location, "%s", inner.message);
}
