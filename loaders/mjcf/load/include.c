// SPDX-License-Identifier: Apache-2.0
//
// Includes: the element is replaced by the children of the root of its file, whatever the root is
// called. Names are relative to the folder of the main file, in included files too. A file is
// included once; so inclusion ends.

#include "mjcf/load/load.h"
#include "mjcf/schema/schema.h"

#include <string.h>

#include "sinew/xml/file.h"

// A file that was read, by its name without "." and ".." where they can be undone.
typedef struct seen {
  const char *name;
  struct seen *next;
} seen;

// "./a//b/../c" becomes "a/c", in place
static void normalize(char *path) {
  char *to = path;
  int32_t absolute = path[0] == '/';
  for (const char *p = path; *p;) {
    size_t n = strcspn(p, "/");
    const char *next = p + n + (p[n] == '/');
    char *last = to;
    while (last > path + absolute && last[-1] != '/') {
      last--;
    }
    int32_t up = n == 2 && memcmp(p, "..", 2) == 0;
    int32_t undone = up && to > path + absolute && !(to - last == 2 && memcmp(last, "..", 2) == 0);
    if (undone) {
      to = last > path + absolute ? last - 1 : last;
    } else if (n > 0 && !(n == 1 && *p == '.')) {
      if (to > path + absolute) {
        *to++ = '/';
      } else if (absolute) {
        to = path + 1;
      }
      memmove(to, p, n);
      to += n;
    }
    p = next;
  }
  *to = 0;
}

// rejects a name that is in the list, and adds it
static sn_status enter(mjcf_reader *r, seen **files, const xml_node *node, const xml_attr *file) {
  char *name = xml_copy(&r->doc.arena, file->value, strlen(file->value));
  seen *entry = xml_alloc(&r->doc.arena, sizeof *entry);
  if (!name || !entry) {
    return mjcf_no_memory(r, node);
  }
  normalize(name);
  for (const seen *s = *files; s; s = s->next) {
    if (strcmp(s->name, name) == 0) {
      return xml_fail(
          &r->xml, SN_EPARSE, node, file,
          "include: \"%s\" is already part of the model; a file can be included only once",
          file->value);
    }
  }
  entry->name = name;
  entry->next = *files;
  *files = entry;
  return SN_OK;
}

static sn_status read_file(mjcf_reader *r, const xml_node *node, const xml_attr *file,
                           xml_node **root) {
  sn_source *child;
  if (r->source->open(r->source, file->value, &child, NULL) < 0) {
    const char *why = xml_file_trouble(&r->doc.arena, r->source, file->value);
    return xml_fail(
        &r->xml, SN_EIO, node, file,
        "include: cannot open \"%s\" (%s); names are relative to the folder of the main "
        "file, %s",
        file->value, why ? why : "out of memory", r->source->name);
  }
  xml_document doc = r->doc;
  sn_status status = xml_parse(&doc, child, r->error);
  r->source->close(child);
  r->doc.arena = doc.arena;
  *root = doc.root;
  return status;
}

// Replaces an include element; its content is looked at next, for includes in it.
static sn_status include(mjcf_reader *r, seen **files, xml_node **at) {
  xml_node *node = *at;
  SN_TRY(mjcf_check(r, &mjcf_include, node));
  const xml_attr *file = xml_find_attr(node, "file");
  if (!file->value[0]) {
    return xml_fail(&r->xml, SN_EPARSE, node, file, "include: file is empty");
  }
  SN_TRY(enter(r, files, node, file));
  xml_node *root = NULL;
  SN_TRY(read_file(r, node, file, &root));
  if (!root->first) {
    return xml_fail(&r->xml, SN_EPARSE, node, file, "include: \"%s\" is empty", file->value);
  }
  xml_splice(node, root);
  *at = root->first;
  return SN_OK;
}

static sn_status expand(mjcf_reader *r, seen **files, xml_node *root) {
  for (xml_walk walk = { .top = root }; xml_step(&walk);) {
    while (!walk.leaving && strcmp(walk.node->name, mjcf_include.name) == 0) {
      SN_TRY(include(r, files, &walk.node));
    }
    if (walk.depth > XML_MAX_DEPTH) {
      return xml_fail(
          &r->xml, SN_EPARSE, walk.node, NULL,
          "elements are nested more than %d levels deep, including included files, which is the "
          "limit",
          XML_MAX_DEPTH);
    }
  }
  return SN_OK;
}

sn_status mjcf_include_files(mjcf_reader *r) {
  const char *main_name = r->source->name ? r->source->name : "";
  seen main_file = { mjcf_base_name(main_name), NULL };
  seen *files = &main_file;
  return expand(r, &files, r->doc.root);
}
