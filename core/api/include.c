// SPDX-License-Identifier: Apache-2.0
//
// A file as a part of the model that is being loaded: read into a spec of its own by the loader
// that recognizes it, then attached to a body.
//
// The limits of the model apply to all parts together. While a part is read its spec counts the
// bytes of those that include it, and has their deadline.

#include <stdio.h>
#include <string.h>

#include "api/load.h"
#include "base/sized.h"

static int is_moved(const sn_include_def *def) {
  const double *q = def->orient.quat;
  return def->pos[0] != 0 || def->pos[1] != 0 || def->pos[2] != 0 ||
         si_orient_given(&def->orient) || !(q[0] == 1 && q[1] == 0 && q[2] == 0 && q[3] == 0);
}

// The body that the part is attached to: that of the definition, or one that is added in it.
static sn_status place_part(sn_spec *spec, const sn_include_def *def, const sn_location *location,
                            int32_t *body, sn_error *error) {
  *body = def->body;
  if (!is_moved(def) && !(def->name && def->name[0])) {
    return SN_OK;
  }
  sn_body_def frame;
  sn_default_body(&frame);
  frame.name = def->name;
  frame.parent = def->body;
  frame.orient = def->orient;
  memcpy(frame.pos, def->pos, sizeof frame.pos);
  return spec->builder.add_body(spec, &frame, location, body, error);
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

static sn_status attach_part(sn_spec *spec, const sn_spec *part, const sn_include_def *def,
                             const char *file, const sn_location *location, sn_error *error) {
  int32_t body;
  const int64_t before = spec->list[SI_ELEMENT_body].n;
  SN_TRY(place_part(spec, def, location, &body, error));
  sn_status status = sn_spec_attach(spec, body, part, def->prefix, error);
  status = status < 0 ? status : take_texts(spec, part, file, location);
  if (status < 0 && spec->list[SI_ELEMENT_body].n > before) {
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
  const sn_status sized = si_copy_in(&def, sizeof def, theirs, sizeof def);
  if (sized < 0) {
    return si_fail(error, sized,
                   sized == SN_EINVAL ? "include: initialize the definition by sn_default_include"
                                      : "include: the definition has members that are newer than "
                                        "this engine");
  }
  if (!def.file || !def.file[0]) {
    return si_fail(error, SN_EINVAL, "include: the name of the file is empty");
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
