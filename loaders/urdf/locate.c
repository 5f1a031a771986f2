// SPDX-License-Identifier: Apache-2.0
//
// Where a mesh file is. A name is tried in this order, relative to the folder of the robot's file:
//
//   any, with strippath    MESHDIR/BASE, the name without its folders
//   package://PKG/REST     in each folder of the parameter package_path, of $ROS_PACKAGE_PATH, of
//   model://PKG/REST       $AMENT_PREFIX_PATH (with share/): FOLDER/PKG/REST, and FOLDER/REST when
//                          FOLDER itself is called PKG; then the same from the robot's folder up
//   file:///PATH           PATH
//   other                  MESHDIR/NAME, NAME

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "urdf/urdf.h"

enum { MOST_PATH = 4096, MOST_UP = 64 };

// One search. What was tried is written down for the message.
typedef struct search {
  urdf_reader *r;
  sn_source *found;
  size_t used;
  char tried[1400];
} search;

const char *urdf_base_name(const char *path) {
  const char *slash = strrchr(path, '/'), *back = strrchr(path, '\\');
  const char *last = back && (!slash || back > slash) ? back : slash;
  return last ? last + 1 : path;
}

static void write_down(search *s, const char *text) {
  size_t n = strlen(text), room = sizeof s->tried - s->used;
  if (n + 3 < room) {
    s->used += (size_t)snprintf(s->tried + s->used, room, "%s%s", s->used ? ", " : "", text);
  } else if (s->used && strcmp(s->tried + s->used - 3, "...") != 0 && room > 3) {
    s->used += (size_t)snprintf(s->tried + s->used, room, "...");
  }
}

// Is there folder/name? tell: write it down.
static int try_file(search *s, const char *folder, const char *name, int tell) {
  char path[MOST_PATH];
  size_t n = strlen(folder);
  const char *between = n > 0 && folder[n - 1] != '/' ? "/" : "";
  int length = snprintf(path, sizeof path, "%s%s%s", folder, between, name);
  if (length < 0 || (size_t)length >= sizeof path || path[0] == '\0') {
    return 0;
  }
  if (s->r->source->open(s->r->source, path, &s->found, NULL) >= 0) {
    return 1;
  }
  if (tell) {
    write_down(s, path);
  }
  return 0;
}

static int try_mesh_folder(search *s, const char *name) {
  const char *folder = s->r->meshdir;
  return (folder[0] && name[0] != '/' && try_file(s, folder, name, 1)) ||
         ((!folder[0] || name[0] == '/') && try_file(s, "", name, 1));
}

// ------------------------------------------------------------------ packages

typedef struct package {
  const char *name, *rest;
  size_t length;   // of name
} package;

// folder/PKG/REST, or folder/REST when the folder is the package. own: what the folder is called.
static int try_package(search *s, const package *p, const char *folder, const char *own,
                       size_t own_length, int tell) {
  char name[MOST_PATH];
  int length = snprintf(name, sizeof name, "%.*s/%s", (int)p->length, p->name, p->rest);
  if (length < 0 || (size_t)length >= sizeof name) {
    return 0;
  }
  return (own_length == p->length && strncmp(own, p->name, own_length) == 0 &&
          try_file(s, folder, p->rest, tell)) ||
         try_file(s, folder, name, tell);
}

// Folders separated by ':'. below: "" or "share".
static int try_list(search *s, const package *p, const char *list, const char *below) {
  char folder[MOST_PATH];
  for (; list && *list; list += strcspn(list, ":"), list += *list == ':') {
    int n = (int)strcspn(list, ":");
    while (n > 1 && list[n - 1] == '/') {
      n--;
    }
    if (n == 0 || n + 8 > MOST_PATH) {
      continue;
    }
    snprintf(folder, sizeof folder, "%.*s%s%s", n, list, below[0] ? "/" : "", below);
    const char *own = urdf_base_name(folder);
    if (try_package(s, p, folder, own, strlen(own), 1)) {
      return 1;
    }
  }
  return 0;
}

// From the folder of the robot's file to the root. Names are relative, as files in memory need.
static int try_upwards(search *s, const package *p) {
  char here[MOST_PATH] = "", up[3 * MOST_UP + 1] = "", told[MOST_PATH + 64];
  char *real = realpath(s->r->source->name, NULL);   // NULL: a file in memory
  snprintf(here, sizeof here, "%s%s", real ? "" : "/", real ? real : s->r->source->name);
  free(real);
  size_t length = (size_t)(urdf_base_name(here) - here);
  snprintf(told, sizeof told, "%.*s and each folder above it", (int)length, here);
  for (int k = 0; k < MOST_UP && length > 0; k++) {
    // here[0 .. length) ends with '/'; the last part is what the folder is called
    size_t end = length - 1, start = end;
    while (start > 0 && here[start - 1] != '/') {
      start--;
    }
    if (try_package(s, p, k ? up : ".", here + start, end - start, 0)) {
      return 1;
    }
    length = start;
    strcat(up, "../");
  }
  write_down(s, told);
  return 0;
}

static int try_packages(search *s, const char *name) {
  package p = { .name = name, .length = strcspn(name, "/") };
  p.rest = name + p.length + (name[p.length] == '/');
  if (p.length == 0 || p.rest[0] == '\0') {
    return 0;
  }
  return try_list(s, &p, s->r->params->package_path, "") ||
         try_list(s, &p, secure_getenv("ROS_PACKAGE_PATH"), "") ||
         try_list(s, &p, secure_getenv("AMENT_PREFIX_PATH"), "share") || try_upwards(s, &p);
}

// ------------------------------------------------------------------ any name

static const char *behind(const char *name, const char *scheme) {
  size_t n = strlen(scheme);
  return strncmp(name, scheme, n) == 0 ? name + n : NULL;
}

static int try_all(search *s, const char *name) {
  const char *base = urdf_base_name(name), *packaged = behind(name, "package://");
  const char *local = behind(name, "file://");
  packaged = packaged ? packaged : behind(name, "model://");
  if (s->r->compiler.strippath && try_mesh_folder(s, base)) {
    return 1;
  }
  if (packaged) {
    return try_packages(s, packaged);
  }
  if (local) {
    return try_file(s, "", local, 1);
  }
  return (!s->r->compiler.strippath || strcmp(base, name) != 0) &&
         (try_mesh_folder(s, name) ||
          (s->r->meshdir[0] && name[0] != '/' && try_file(s, "", name, 1)));
}

sn_status urdf_open_mesh(urdf_reader *r, const xml_node *node, const xml_attr *attr,
                         sn_source **file) {
  search s = { .r = r };
  if (!try_all(&s, attr->value)) {
    char text[1900];
    int packaged = strstr(attr->value, "package://") || strstr(attr->value, "model://");
    snprintf(text, sizeof text,
             "mesh: there is no file \"%.200s\"; tried %s (relative to the folder "
             "of the robot's file)%s",
             attr->value, s.used ? s.tried : "nothing",
             packaged ? "; say where packages are in [plugin.urdf] package_path or "
                        "ROS_PACKAGE_PATH"
                      : "");
    return r->xml.host->error(r->xml.host, r->xml.error, SN_EIO, node->file, attr->line,
                              attr->column, text);
  }
  *file = s.found;
  return SN_OK;
}
