// SPDX-License-Identifier: Apache-2.0
//
// Plugins in two files, for plugins that need a large library. The first file is the plugin that
// the configuration names; it is loaded with every engine and has only the tables. The second file,
// the part, is linked with the library and is loaded when an operation first needs it.
//
//   plugins/reader.so         provides ("sinew.mesh/1", "reader"): extensions, parameters; its
//                             decode calls that of the part
//   plugins/parts/reader.so   provides the same, and does the work; linked with the library
//
// The descriptor of the plugin names the part, .part = "parts/reader.so", so that `sinew plugins
// doctor` can check that it loads.
//
// A part is a plugin of its own, except that no line of a configuration names it: it has a
// descriptor, but no entries in the registry, no init and no instances. Its operations are called
// with the instance of the first file, so both files must be compiled with the same declaration of
// the instance.
//
// sinew_add_plugin(reader_part PART reader ...) of sdk/cmake builds a part.

#ifndef SINEW_PART_H
#define SINEW_PART_H

#include "sinew/plugin.h"

SN_BEGIN_DECLS

#define SN_SERVICE_PART "sinew.part/1"
// The service SN_SERVICE_PART.
typedef struct sn_part_service {
  uint32_t size;
  uint32_t reserved;
  // [any] The operations of a provider of a part, by kind and name. inside: the address of a
  // function or constant of the plugin that calls; file: the path of the part, relative to the
  // folder of that plugin's file. The part is loaded at the first call, with the checks that all
  // plugins pass, and stays loaded; *ops is valid as long as the process. Keep it: each call checks
  // the file again. SN_ENOTFOUND: a library that the part needs is not installed; SN_EIO: there is
  // no such file; SN_EPLUGIN: it is rejected, or lacks the provider.
  sn_status (*ops)(const sn_host *host, const void *inside, const char *file, const char *kind,
                   const char *name, const void **ops, sn_error *error);
} sn_part_service;
SN_LAYOUT(sn_part_service, 16);

// [any] The same, with an error where the engine lacks the service.
static inline sn_status sn_part_ops(const sn_host *host, const void *inside, const char *file,
                                    const char *kind, const char *name, const void **ops,
                                    sn_error *error) {
  const sn_part_service *parts = (const sn_part_service *)host->query(host, SN_SERVICE_PART);
  return parts ? parts->ops(host, inside, file, kind, name, ops, error)
               : host->error(host, error, SN_EUNSUPPORTED, NULL, 0, 0,
                             "this engine lacks the service " SN_SERVICE_PART);
}

SN_END_DECLS

#endif
