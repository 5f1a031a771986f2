// SPDX-License-Identifier: Apache-2.0
//
// Where a ROS package is that no folder is called after: the <name> in its package.xml says it.
// Looked at are, in this order,
//
//   each folder of the parameter package_path, of $ROS_PACKAGE_PATH, of $AMENT_PREFIX_PATH (in
//   share/), the folders in it, and those in them;
//   the folder of the robot's file and those above it, each with the folders in it and in them
//
// A package is not looked into further. The search ends after MOST_FOLDERS folders, and goes no
// further up than MOST_UP; the root of the disk is not listed. What was found is kept.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "urdf/urdf.h"

enum { MOST_FOLDERS = 3000, MOST_UP = 6, MOST_DEPTH = 2, MOST_PATH = 4096, MOST_NAME = 256 };

typedef struct crawl {
  urdf_reader *r;
  const char *name;
  size_t length;
  int64_t looked;      // folders so far
  const char *found;   // in the arena
  int no_memory;
} crawl;

// ------------------------------------------------------------------ package.xml

// Does the text, blanks around it left out, say the name?
static int says(const char *text, const char *name, size_t length) {
  static const char blanks[] = " \t\r\n";
  text += strspn(text, blanks);
  return strncmp(text, name, length) == 0 && text[length + strspn(text + length, blanks)] == '\0';
}

// 1: the folder is the package. 0: another one. -1: it is none.
static int is_package(crawl *c, const char *folder) {
  char path[MOST_PATH + 16];
  sn_source *source = c->r->source, *file = NULL;
  snprintf(path, sizeof path, "%s/package.xml", folder);
  c->looked++;
  if (source->open(source, path, &file, NULL) < 0) {
    return -1;
  }
  xml_document doc = { .arena = { .host = c->r->xml.host } };
  int found = 0;
  if (xml_parse(&doc, file, NULL) >= 0) {
    const xml_node *name = xml_find_child(doc.root, "name");
    found = name && name->text && says(name->text, c->name, c->length);
  }
  xml_arena_free(&doc.arena);
  source->close(file);
  return found;
}

// ------------------------------------------------------------------ folders

typedef struct names {
  char *list;   // each ends with a zero
  size_t used, size;
  const sn_host *host;
} names;

static void keep_folder(void *context, const char *name, int32_t is_folder) {
  names *n = context;
  const size_t length = strlen(name) + 1;
  if (!is_folder || length > MOST_NAME) {
    return;
  }
  if (n->used + length > n->size) {
    const size_t size = 2 * n->size + 4096;
    char *more = n->host->alloc(n->host, (int64_t)size);
    if (!more) {
      return;   // what there is no memory for is not looked at
    }
    memcpy(more, n->list ? n->list : "", n->used);
    n->host->free(n->host, n->list);
    n->list = more;
    n->size = size;
  }
  memcpy(n->list + n->used, name, length);
  n->used += length;
}

static void look_in(crawl *c, const char *folder, int depth) {
  char child[MOST_PATH];
  names n = { .host = c->r->xml.host };
  if (c->found || c->looked >= MOST_FOLDERS) {
    return;
  }
  const int package = is_package(c, folder);
  if (package > 0) {
    c->found = xml_copy(&c->r->doc.arena, folder, strlen(folder));
    c->no_memory |= !c->found;
  }
  // the folder that the search starts in may hold others though it is a package itself
  const int ends = package >= 0 && depth < MOST_DEPTH;
  if (c->found || ends || depth == 0 || !urdf_can_list(c->r->source)) {
    return;
  }
  c->r->source->list(c->r->source, folder, &n, keep_folder);
  for (size_t i = 0; i < n.used && !c->found; i += strlen(n.list + i) + 1) {
    const int length = snprintf(child, sizeof child, "%s/%s", folder, n.list + i);
    if (length > 0 && (size_t)length < sizeof child) {
      look_in(c, child, depth - 1);
    }
  }
  n.host->free(n.host, n.list);
}

static void look_in_list(crawl *c, const char *list, const char *below) {
  const char *folder;
  size_t length;
  while (!c->found && urdf_next_folder(&list, &folder, &length)) {
    char path[MOST_PATH];
    const int n = snprintf(path, sizeof path, "%.*s%s", (int)length, folder, below);
    if (n > 0 && (size_t)n < sizeof path) {
      look_in(c, path, MOST_DEPTH);
    }
  }
}

static void look_above(crawl *c) {
  char up[3 * MOST_UP + 4] = ".", *real = realpath(c->r->source->name, NULL);
  // how many folders there are above the file, the root left out
  const char *path = real ? real : c->r->source->name;
  int above = 0;
  for (const char *p = path; *p; p++) {
    above += *p == '/';
  }
  above += real ? -1 : 1;
  free(real);
  for (int k = 0; k < MOST_UP && k < above && !c->found; k++) {
    look_in(c, up, MOST_DEPTH);
    snprintf(up + (k ? strlen(up) : 0), sizeof up - (k ? strlen(up) : 0), k ? "/.." : "..");
  }
}

sn_status urdf_find_package(urdf_reader *r, const char *name, size_t length, const char **folder) {
  *folder = NULL;
  for (const urdf_package *p = r->packages; p; p = p->next) {
    if (strlen(p->name) == length && strncmp(p->name, name, length) == 0) {
      *folder = p->folder;
      return SN_OK;
    }
  }
  crawl c = { .r = r, .name = name, .length = length };
  look_in_list(&c, r->params->package_path, "");
  look_in_list(&c, secure_getenv("ROS_PACKAGE_PATH"), "");
  look_in_list(&c, secure_getenv("AMENT_PREFIX_PATH"), "/share");
  if (!c.found) {
    look_above(&c);
  }
  urdf_package *kept = xml_alloc(&r->doc.arena, sizeof *kept);
  char *copy = xml_copy(&r->doc.arena, name, length);
  if (c.no_memory || !kept || !copy) {
    return urdf_no_memory(r, r->robot);
  }
  *kept = (urdf_package){ .next = r->packages, .name = copy, .folder = c.found };
  r->packages = kept;
  *folder = c.found;
  return SN_OK;
}
