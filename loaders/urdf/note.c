// SPDX-License-Identifier: Apache-2.0
//
// What the file says and the model does not hold, each once with its number. It is a warning where
// it changes how the robot moves, and an error with the parameter `strict`; else it is a note.

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "urdf/urdf.h"

enum { MOST_NOTES = 200 };   // that are compared with each other

static sn_status keep(urdf_reader *r, const xml_node *node, const xml_attr *attr, const char *text,
                      int32_t is_warning) {
  for (urdf_note *n = r->notes; n && r->nnotes < MOST_NOTES; n = n->next) {
    if (n->is_warning == is_warning && strcmp(n->text, text) == 0) {
      n->count++;
      return SN_OK;
    }
  }
  urdf_note *note = xml_alloc(&r->doc.arena, sizeof *note);
  char *copy = xml_copy(&r->doc.arena, text, strlen(text));
  if (!note || !copy) {
    return urdf_no_memory(r, node);
  }
  *note = (urdf_note){
    .text = copy, .location = xml_location(node), .count = 1, .is_warning = is_warning
  };
  if (attr) {
    note->location.line = attr->line;
    note->location.column = attr->column;
  }
  *r->last_note = note;
  r->last_note = &note->next;
  r->nnotes++;
  return SN_OK;
}

sn_status urdf_note_that(urdf_reader *r, const xml_node *node, const xml_attr *attr,
                         const char *format, ...) {
  char text[1000];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return keep(r, node, attr, text, 0);
}

sn_status urdf_leave(urdf_reader *r, const xml_node *node, const xml_attr *attr, const char *format,
                     ...) {
  char text[1000];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return r->params->strict ? xml_fail(&r->xml, SN_EUNSUPPORTED, node, attr,
                                      "%s (an error because plugin.urdf.strict is true)", text)
                           : keep(r, node, attr, text, 1);
}

sn_status urdf_tell_notes(urdf_reader *r) {
  for (const urdf_note *n = r->notes; n; n = n->next) {
    char text[1100];
    snprintf(text, sizeof text, n->count > 1 ? "%s (%lld times; here first)" : "%s", n->text,
             (long long)n->count);
    const int as_warning = n->is_warning || !r->b->note;
    SN_TRY((as_warning ? r->b->warn : r->b->note)(r->b->spec, &n->location, text));
  }
  return SN_OK;
}
