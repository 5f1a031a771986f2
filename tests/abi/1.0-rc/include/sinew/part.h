// SPDX-License-Identifier: Apache-2.0
//
// Plugins in two files, for those that need a large library: the plugin of the configuration, which
// is loaded with every engine, has only the tables, and a part, which is linked with the library,
// is loaded when an operation first needs it.
//
//   plugins/reader.so         provides ("sinew.mesh/1", "reader"): extensions, parameters; its
//                             decode calls that of the part
//   plugins/parts/reader.so   provides the same, and does the work; linked with the library
//
// The descriptor of the plugin names the part, .part = "parts/reader.so", so that `sinew plugins
// doctor` can try it.
//
// A part is a plugin of its own, except that no line of a configuration names it: it has a
// descriptor, but no rows in the registry, no init and no instances. Its operations are called with
// the instance of the first file, so both are compiled with one declaration of it.
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
