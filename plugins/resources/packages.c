// SPDX-License-Identifier: Apache-2.0
//
// Files of packages, as robots of ROS name them: "package://PKG/REST", "model://PKG/REST". A list
// of folders is searched in order,
//
//   FOLDER/PKG/REST, and FOLDER/REST where FOLDER itself is called PKG
//
// for each folder of the parameter `path`, of $ROS_PACKAGE_PATH, and of $AMENT_PREFIX_PATH with
// share/ behind it.

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sinew/instance.h"
#include "sinew/resource.h"

enum { MOST_PATH = 4096 };

static const char prefixes[] = "package://|model://";

typedef struct packages {
  sn_instance base;   // first
  char *path;         // "FOLDER:FOLDER"
} packages;

// ------------------------------------------------------------------ candidates

// Calls `each` with every path where a file or folder of a package may be, until it returns
// something other than 0, which is returned. name: with its prefix.
typedef int visit_fn(void *context, const char *path);

static int visit_folder(const char *folder, size_t n, const char *below, const char *name,
                        visit_fn *each, void *context) {
  char path[MOST_PATH];
  const size_t package = strcspn(name, "/");
  while (n > 1 && folder[n - 1] == '/') {
    n--;
  }
  int length = snprintf(path, sizeof path, "%.*s%s/%s", (int)n, folder, below, name);
  int found = length > 0 && (size_t)length < sizeof path ? each(context, path) : 0;
  const int is_package = !below[0] && n > package && folder[n - package - 1] == '/' &&
                         strncmp(folder + n - package, name, package) == 0;
  if (!found && is_package) {
    length = snprintf(path, sizeof path, "%.*s%s", (int)n, folder, name + package);
    found = length > 0 && (size_t)length < sizeof path ? each(context, path) : 0;
  }
  return found;
}

static int visit_list(const char *list, const char *below, const char *name, visit_fn *each,
                      void *context) {
  int found = 0;
  while (list && *list && !found) {
    const size_t n = strcspn(list, ":");
    found = n > 0 ? visit_folder(list, n, below, name, each, context) : 0;
    list += n + (list[n] == ':');
  }
  return found;
}

static int visit_all(const packages *s, const char *name, visit_fn *each, void *context) {
  const char *rest = strstr(name, "://") + 3;
  int found = visit_list(s->path, "", rest, each, context);
  found = found ? found : visit_list(secure_getenv("ROS_PACKAGE_PATH"), "", rest, each, context);
  return found ? found
               : visit_list(secure_getenv("AMENT_PREFIX_PATH"), "/share", rest, each, context);
}

// ------------------------------------------------------------------ files

typedef struct package_file {
  const sn_host *host;
  int descriptor;
  int64_t count;
} package_file;

typedef struct search {
  int descriptor;
  int64_t count;
  char trouble[MOST_PATH + 100];   // why the first file that is there cannot be read
} search;

static int try_file(void *context, const char *path) {
  search *s = context;
  struct stat info;
  const int file = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  const int is_there = file >= 0 && fstat(file, &info) == 0;
  if (is_there && S_ISREG(info.st_mode)) {
    s->descriptor = file;
    s->count = info.st_size;
    return 1;
  }
  if (!s->trouble[0] && (is_there || (errno != ENOENT && errno != ENOTDIR))) {
    snprintf(s->trouble, sizeof s->trouble, "cannot read %s: %s", path,
             !is_there               ? strerror(errno)
             : S_ISDIR(info.st_mode) ? "it is a folder"
                                     : "it is not a regular file");
  }
  if (file >= 0) {
    close(file);
  }
  return 0;
}

static sn_status reject(const packages *s, const search *found, const char *name, sn_error *error) {
  char text[1500];
  const char *ros = secure_getenv("ROS_PACKAGE_PATH"), *ament = secure_getenv("AMENT_PREFIX_PATH");
  if (found->trouble[0]) {
    return sn_instance_fail(s, error, SN_EIO, found->trouble);
  }
  const char *package = strstr(name, "://") + 3;
  const size_t length = strcspn(package, "/");
  snprintf(text, sizeof text,
           "no package '%.*s' with this file is in path of [plugin.packages] (%.300s), "
           "ROS_PACKAGE_PATH (%.300s) or AMENT_PREFIX_PATH (%.300s); add the folder that the "
           "package is in to one of them",
           length < 200 ? (int)length : 200, package, s->path[0] ? s->path : "empty",
           ros ? ros : "not set", ament ? ament : "not set");
  return sn_instance_fail(s, error, SN_ENOTFOUND, text);
}

static sn_status package_open(const void *self, const sn_source *archive, const char *name,
                              void **file, int64_t *count, sn_error *error) {
  const packages *s = self;
  search found = { .descriptor = -1 };
  (void)archive;   // it recognizes none
  const int in_package = strchr(strstr(name, "://") + 3, '/') != NULL;
  if (!in_package || !visit_all(s, name, try_file, &found)) {
    return reject(s, &found, name, error);
  }
  package_file *f = sn_instance_alloc(self, sizeof *f, error);
  if (!f) {
    close(found.descriptor);
    return SN_ENOMEM;
  }
  *f = (package_file){ s->base.host, found.descriptor, found.count };
  *file = f;
  *count = f->count;
  return SN_OK;
}

static sn_status package_read(const void *self, void *file, uint8_t *bytes, sn_error *error) {
  const package_file *f = file;
  int64_t n = 0;
  ssize_t got = 1;
  while (n < f->count && got > 0) {
    got = read(f->descriptor, bytes + n, (size_t)(f->count - n));
    n += got > 0 ? got : 0;
    got = got < 0 && errno == EINTR ? 1 : got;
  }
  return n == f->count
             ? SN_OK
             : sn_instance_fail(self, error, SN_EIO,
                                got < 0 ? strerror(errno) : "it was truncated while it was read");
}

static void package_close(const void *self, void *file) {
  package_file *f = file;
  (void)self;
  close(f->descriptor);
  f->host->free(f->host, f);
}

// ------------------------------------------------------------------ folders

typedef struct listing {
  void *context;
  sn_status (*each)(void *context, const char *name, int32_t is_folder);
  sn_status status;
} listing;

static int list_folder(void *context, const char *path) {
  listing *l = context;
  DIR *folder = opendir(path);
  if (!folder) {
    return 0;
  }
  l->status = SN_OK;
  for (const struct dirent *e; l->status >= 0 && (e = readdir(folder));) {
    char child[MOST_PATH];
    struct stat info;
    const int n = snprintf(child, sizeof child, "%s/%s", path, e->d_name);
    if (n > 0 && (size_t)n < sizeof child && stat(child, &info) == 0) {
      l->status = l->each(l->context, e->d_name, S_ISDIR(info.st_mode));
    }
  }
  closedir(folder);
  return 1;
}

static sn_status package_list(const void *self, const sn_source *archive, const char *folder,
                              void *context,
                              sn_status (*each)(void *context, const char *name,
                                                int32_t is_folder)) {
  listing l = { context, each, SN_ENOTFOUND };
  (void)archive;
  visit_all(self, folder, list_folder, &l);
  return l.status;
}

// ------------------------------------------------------------------ the plugin

static sn_status package_create(const sn_host *host, const sn_value *values, void **self,
                                sn_error *error) {
  SN_TRY(sn_instance_new(host, sizeof(packages), self, error));
  packages *s = *self;
  const size_t n = strlen(values[0].text) + 1;
  s->path = sn_host_alloc(host, n, error);
  if (!s->path) {
    sn_instance_destroy(s);
    return SN_ENOMEM;
  }
  memcpy(s->path, values[0].text, n);
  return SN_OK;
}

static void package_destroy(void *self) {
  packages *s = self;
  s->base.host->free(s->base.host, s->path);
  sn_instance_destroy(s);
}

static const sn_param params[] = {
  { .name = "path",
    .default_value = "",
    .type = SN_PARAM_TEXT,
    .summary = "folders of packages, FOLDER:FOLDER, before those of ROS_PACKAGE_PATH" },
  { .name = NULL },
};

static const sn_resource_ops package_ops = {
  .head = { .size = sizeof(sn_resource_ops),
            .summary = "files of packages, package://arm/arm.urdf",
            .params = params,
            .create = package_create,
            .destroy = package_destroy },
  .prefixes = prefixes,
  .open = package_open,
  .read = package_read,
  .close = package_close,
  .list = package_list,
};

static const sn_provide provides[] = {
  SN_PROVIDE_RESOURCE("packages", &package_ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "sinew.packages", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "files of packages", .provides = provides)
