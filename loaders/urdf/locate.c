// SPDX-License-Identifier: Apache-2.0
//
// Where a mesh file is. A name is tried in this order, relative to the folder of the robot's file:
//
//   any, with strippath    MESHDIR/BASE, the name without its folders
//   package://PKG/REST     in each folder of the parameter package_path, of $ROS_PACKAGE_PATH, of
//   model://PKG/REST       $AMENT_PREFIX_PATH (with share/): FOLDER/PKG/REST, and FOLDER/REST when
//                          FOLDER itself is called PKG; then of the plugins that provide files of
//                          packages; then the same from the robot's folder up;
//                          then the package whose package.xml says the name PKG (package.c); then,
//                          PKG unknown, REST from the robot's folder up, with a warning
//   file:///PATH           PATH
//   other                  MESHDIR/NAME, NAME, and NAME in each folder above the robot's file
//
// A file that exists and cannot be read is passed over, and reported when no other is found.

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "urdf/urdf.h"

enum { MOST_PATH = 4096, MOST_UP = 64 };

// One search. What was tried is written down for the message.
typedef struct search {
  urdf_reader *r;
  sn_source *found;
  const char *package;   // where the package of the name is; NULL: not known
  size_t used;
  char tried[1100];
  char unreadable[500];   // why the first file that is there could not be read; "": none
} search;

const char *urdf_base_name(const char *path) {
  const char *slash = strrchr(path, '/'), *back = strrchr(path, '\\');
  const char *last = back && (!slash || back > slash) ? back : slash;
  return last ? last + 1 : path;
}

int urdf_next_folder(const char **list, const char **folder, size_t *length) {
  while (*list && **list) {
    size_t n = strcspn(*list, ":");
    *folder = *list;
    *list += n + ((*list)[n] == ':');
    while (n > 1 && (*folder)[n - 1] == '/') {
      n--;
    }
    *length = n;
    if (n > 0 && n + 8 < MOST_PATH) {
      return 1;
    }
  }
  return 0;
}

int urdf_can_list(const sn_source *source) {
  return source->size > offsetof(sn_source, list) && source->list;
}

static int can_look(const sn_source *source) {
  return source->size > offsetof(sn_source, check) && source->check;
}

static int is_written(const char *list, const char *text, size_t n) {
  for (const char *p = strstr(list, text); p; p = strstr(p + 1, text)) {
    if ((p == list || p[-1] == ' ') && (p[n] == ',' || p[n] == '\0')) {
      return 1;
    }
  }
  return 0;
}

static void write_down(search *s, const char *text) {
  size_t n = strlen(text), capacity = sizeof s->tried - s->used;
  if (is_written(s->tried, text, n)) {
    return;
  }
  if (n + 3 < capacity) {
    s->used += (size_t)snprintf(s->tried + s->used, capacity, "%s%s", s->used ? ", " : "", text);
  } else if (s->used && strcmp(s->tried + s->used - 3, "...") != 0 && capacity > 3) {
    s->used += (size_t)snprintf(s->tried + s->used, capacity, "...");
  }
}

// Is there folder/name? tell: write it down.
static int try_file(search *s, const char *folder, const char *name, int tell) {
  sn_source *source = s->r->source;
  char path[MOST_PATH];
  size_t n = strlen(folder);
  const char *between = n > 0 && folder[n - 1] != '/' ? "/" : "";
  int length = snprintf(path, sizeof path, "%s%s%s", folder, between, name);
  if (length < 0 || (size_t)length >= sizeof path || path[0] == '\0') {
    return 0;
  }
  if (source->open(source, path, &s->found, NULL) >= 0) {
    return 1;
  }
  char why[sizeof s->unreadable];
  if (!s->unreadable[0] && can_look(source) &&
      source->check(source, path, why, sizeof why) == SN_EIO) {
    memcpy(s->unreadable, why, sizeof why);
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

// ------------------------------------------------------------------ upwards

typedef int try_fn(search *s, const char *folder, const char *own, size_t own_length,
                   const void *what);

// From the folder of the robot's file to the root. Folders are relative, as files in memory need;
// own: what the folder is called.
static int try_upwards(search *s, try_fn *try, const void *what) {
  char here[MOST_PATH] = "", up[3 * MOST_UP + 1] = "", tried[MOST_PATH + 64];
  char *real = realpath(s->r->source->name, NULL);   // NULL: a file in memory
  snprintf(here, sizeof here, "%s%s", real ? "" : "/", real ? real : s->r->source->name);
  free(real);
  size_t length = (size_t)(urdf_base_name(here) - here);
  snprintf(tried, sizeof tried, "%.*s and each folder above it", (int)length, here);
  for (int k = 0; k < MOST_UP && length > 0; k++) {
    // here[0 .. length) ends with '/'; the last part is what the folder is called
    size_t end = length - 1, start = end;
    while (start > 0 && here[start - 1] != '/') {
      start--;
    }
    if (try(s, k ? up : ".", here + start, end - start, what)) {
      return 1;
    }
    length = start;
    strcat(up, "../");
  }
  write_down(s, tried);
  return 0;
}

static int try_plain(search *s, const char *folder, const char *own, size_t own_length,
                     const void *what) {
  (void)own;
  (void)own_length;
  return try_file(s, folder, what, 0);
}

// ------------------------------------------------------------------ packages

typedef struct package {
  const char *name, *rest;
  size_t length;   // of name
} package;

// folder/PKG/REST, or folder/REST when the folder is the package.
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

static int try_package_above(search *s, const char *folder, const char *own, size_t own_length,
                             const void *what) {
  return try_package(s, what, folder, own, own_length, 0);
}

// below: "" or "/share".
static int try_list(search *s, const package *p, const char *list, const char *below) {
  char path[MOST_PATH];
  const char *folder;
  size_t length;
  while (urdf_next_folder(&list, &folder, &length)) {
    snprintf(path, sizeof path, "%.*s%s", (int)length, folder, below);
    const char *own = urdf_base_name(path);
    if (try_package(s, p, path, own, strlen(own), 1)) {
      return 1;
    }
  }
  return 0;
}

// whole: the name with its scheme, which a plugin may answer for; name: without it.
static sn_status try_packages(search *s, const xml_node *node, const char *whole, const char *name,
                              int *found) {
  package p = { .name = name, .length = strcspn(name, "/") };
  p.rest = name + p.length + (name[p.length] == '/');
  if (p.length == 0 || p.rest[0] == '\0') {
    return SN_OK;
  }
  *found = try_list(s, &p, s->r->params->package_path, "") ||
           try_list(s, &p, secure_getenv("ROS_PACKAGE_PATH"), "") ||
           try_list(s, &p, secure_getenv("AMENT_PREFIX_PATH"), "/share") ||
           try_file(s, "", whole, 0) || try_upwards(s, try_package_above, &p);
  if (*found) {
    return SN_OK;
  }
  SN_TRY(urdf_find_package(s->r, p.name, p.length, &s->package));
  if (s->package) {
    *found = try_file(s, s->package, p.rest, 1);
    return SN_OK;
  }
  *found = try_upwards(s, try_plain, p.rest);
  return *found ? urdf_leave(s->r, node, NULL,
                             "the package \"%.*s\" is not known; its files are taken from the "
                             "folders above the robot's file",
                             (int)p.length, p.name)
                : SN_OK;
}

// ------------------------------------------------------------------ any name

static const char *behind(const char *name, const char *scheme) {
  size_t n = strlen(scheme);
  return strncmp(name, scheme, n) == 0 ? name + n : NULL;
}

static const char *packaged_name(const char *name) {
  const char *packaged = behind(name, "package://");
  return packaged ? packaged : behind(name, "model://");
}

static sn_status try_all(search *s, const xml_node *node, const char *name, int *found) {
  const char *base = urdf_base_name(name), *packaged = packaged_name(name);
  const char *local = behind(name, "file://");
  *found = s->r->compiler.strippath && try_mesh_folder(s, base);
  if (*found) {
    return SN_OK;
  }
  if (packaged) {
    return try_packages(s, node, name, packaged, found);
  }
  if (local) {
    *found = try_file(s, "", local, 1);
    return SN_OK;
  }
  *found = ((!s->r->compiler.strippath || strcmp(base, name) != 0) &&
            (try_mesh_folder(s, name) ||
             (s->r->meshdir[0] && name[0] != '/' && try_file(s, "", name, 1)))) ||
           (name[0] != '/' && try_upwards(s, try_plain, name));
  return SN_OK;
}

// ------------------------------------------------------------------ what is missing

// Which package, and where it is or was sought; "" for a name of another kind.
static void describe_package(const search *s, const char *name, char *out, size_t size) {
  const char *packaged = packaged_name(name);
  const char *ros = secure_getenv("ROS_PACKAGE_PATH"), *ament = secure_getenv("AMENT_PREFIX_PATH");
  const int length = packaged ? (int)strcspn(packaged, "/") : 0;
  out[0] = '\0';
  if (packaged && s->package) {
    snprintf(out, size, "the package \"%.*s\" is in %.400s; ", length < 200 ? length : 200,
             packaged, s->package);
  } else if (packaged) {
    snprintf(
        out, size,
        "the package \"%.*s\" was not found: there is no folder of that name, and no folder whose "
        "package.xml declares it, in package_path (%.100s), ROS_PACKAGE_PATH (%.100s), "
        "AMENT_PREFIX_PATH (%.100s) or any folder above %.200s; ",
        length < 200 ? length : 200, packaged,
        s->r->params->package_path[0] ? s->r->params->package_path : "empty", ros ? ros : "not set",
        ament ? ament : "not set", s->r->source->name);
  }
}

static sn_status reject(search *s, const xml_node *node, const xml_attr *attr, int visual) {
  urdf_reader *r = s->r;
  char text[2600], where[1000];
  if (!attr->value[0]) {
    snprintf(text, sizeof text, "mesh: the file name is empty");
  } else if (s->unreadable[0]) {
    snprintf(text, sizeof text, "mesh: the file \"%.200s\" exists but cannot be read: %s",
             attr->value, s->unreadable);
  } else {
    describe_package(s, attr->value, where, sizeof where);
    snprintf(text, sizeof text,
             "mesh: there is no file \"%.200s\"; %stried %s (relative to the folder of the robot's "
             "file)",
             attr->value, where, s->used ? s->tried : "nothing");
  }
  if (packaged_name(attr->value) && !s->package && !s->unreadable[0] &&
      (visual || r->params->skip_missing)) {
    // reported once for the package, not for each of its files
    where[strlen(where) - 2] = '\0';
    snprintf(text, sizeof text, "mesh: %s", where);
  }
  if (visual) {
    return urdf_note_that(r, node, attr, "%.900s; the shape is not shown", text);
  }
  if (r->params->skip_missing) {
    return urdf_leave(r, node, attr, "%.900s; the shape is omitted (missing_meshes = skip)", text);
  }
  const size_t n = strlen(text);
  snprintf(
      text + n, sizeof text - n, "%s",
      s->unreadable[0] ? ""
      : packaged_name(attr->value)
          ? "; list the folders of packages in plugin.urdf.package_path or ROS_PACKAGE_PATH, or "
            "omit such shapes with plugin.urdf.missing_meshes=skip"
          : "; plugin.urdf.missing_meshes=skip omits such shapes");
  return r->xml.host->error(r->xml.host, r->xml.error, SN_EIO, node->file, attr->line, attr->column,
                            text);
}

sn_status urdf_open_mesh(urdf_reader *r, const xml_node *node, const xml_attr *attr, int visual,
                         sn_source **file) {
  search s = { .r = r };
  int found = 0;
  *file = NULL;
  sn_status status = attr->value[0] ? try_all(&s, node, attr->value, &found) : SN_OK;
  if (status < 0 && s.found) {
    r->source->close(s.found);
  } else if (status >= 0 && found) {
    *file = s.found;
  }
  return status < 0 || found ? status : reject(&s, node, attr, visual);
}
