// SPDX-License-Identifier: Apache-2.0
//
// Loading a shared object:
//
//   trusted file -> whole ELF -> its libraries -> dlopen -> same file -> function

#include "platform/object.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platform/elf.h"

// The dynamic linker opened the path again: was it the file that is open here? A file that takes
// another's place, or is written, has another number or another time of change. Opening the
// descriptor by its path in /proc would name every plugin so, in debuggers and to $ORIGIN, and two
// plugins with the same number would be one to the dynamic linker.
static sn_status check_same(int descriptor, const struct stat *before, const char *plugin,
                            const char *path, sn_error *error) {
  struct stat open_now, named_now;
  if (fstat(descriptor, &open_now) == 0 && stat(path, &named_now) == 0 &&
      named_now.st_dev == before->st_dev && named_now.st_ino == before->st_ino &&
      named_now.st_size == before->st_size && open_now.st_size == before->st_size &&
      memcmp(&open_now.st_mtim, &before->st_mtim, sizeof before->st_mtim) == 0 &&
      memcmp(&open_now.st_ctim, &before->st_ctim, sizeof before->st_ctim) == 0) {
    return SN_OK;
  }
  return si_fail(error, SN_EPLUGIN,
                 "plugin '%s' is rejected: %s changed while it was being loaded; try again when it "
                 "is complete",
                 plugin, path);
}

// What the dynamic linker says of a library that a plugin needs and that is not installed.
#define NO_LIBRARY "cannot open shared object file"

// What to do about a message of the dynamic linker.
static const char *remedy(const char *message) {
  static const struct {
    const char *part, *remedy;
  } table[] = {
    { "Too many open files", SI_RAISE_FILES },
    { "Error 24", SI_RAISE_FILES },   // the same, EMFILE
    { NO_LIBRARY,
      "; install the package with this library, or link the plugin with a run path to its folder, "
      "-Wl,-rpath,'$ORIGIN'" },
    { "cannot dynamically load", "; it is a program, and a plugin is a shared object" },
    { "undefined symbol: sn_",
      "; plugins do not call the library: use the services of the host, and link with "
      "-Wl,-z,defs" },
    { "undefined symbol",
      "; link the plugin with the library that defines it; -Wl,-z,defs finds this when it is "
      "built" },
    { "version `", "; it was built on a newer system: build it again on this one" },
  };
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    if (strstr(message, table[i].part)) {
      return table[i].remedy;
    }
  }
  return "";
}

// The file at `path`, open as `descriptor`.
static sn_status map(int descriptor, const char *plugin, const char *path, void **object,
                     sn_error *error) {
  struct stat before;
  if (fstat(descriptor, &before) != 0) {
    return si_fail(error, SN_EIO, "cannot examine the plugin %s: %s", path, strerror(errno));
  }
  si_elf elf;
  SN_TRY(si_elf_open(descriptor, path, &elf, error));
  const sn_status libraries = si_needed_check(&elf, path, error);
  si_elf_close(&elf);
  SN_TRY(libraries);
  *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!*object) {
    const char *message = dlerror();
    message = message ? message : "no reason given";
    const char *cure = remedy(message);
    const sn_status status = strcmp(cure, SI_RAISE_FILES) == 0 ? SN_ENOMEM
                             : strstr(message, NO_LIBRARY)     ? SN_ENOTFOUND
                                                               : SN_EPLUGIN;
    return si_fail(error, status, "plugin '%s' cannot be loaded: %s%s", plugin, message, cure);
  }
  return check_same(descriptor, &before, plugin, path, error);
}

sn_status si_object_load(const si_object_request *what, char **canonical, void (**function)(void),
                         sn_error *error) {
  const int descriptor = si_trust_open_near(what->near, what->path, "plugin", canonical, error);
  SN_TRY(descriptor);
  void *object = NULL;
  sn_status status = map(descriptor, what->plugin, *canonical, &object, error);
  close(descriptor);
  SN_TRY(status);
  void *address = dlsym(object, what->symbol);
  if (!address) {
    return si_fail(error, SN_EPLUGIN,
                   "plugin '%s' is rejected: %s does not export the function %s; its source must "
                   "define it with SN_PLUGIN, or in C++ with SN_PLUGIN_OF",
                   what->plugin, *canonical, what->symbol);
  }
  // POSIX: the address of a function fits a pointer to an object
  memcpy(function, &address, sizeof address);
  return SN_OK;
}

const char *si_object_path(const void *address) {
  Dl_info info;
  return dladdr(address, &info) ? info.dli_fname : NULL;
}

const char *si_object_own_path(void) {
  static const char marker;
  return si_object_path(&marker);
}
