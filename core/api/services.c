// SPDX-License-Identifier: Apache-2.0
//
// What a plugin can ask of the host: services by id, the log, memory, errors.

#include <stdlib.h>
#include <string.h>

#include "api/plugin_part.h"
#include "api/rollout_job.h"
#include "base/random.h"
#include "base/sized.h"
#include "constraint/constraint.h"
#include "contact/contact.h"
#include "data/fields.h"
#include "dynamics/dynamics.h"
#include "host/engine_state.h"
#include "sinew/numerics/tree.h"

static const sn_inertia_service inertia_service = {
  .size = sizeof(sn_inertia_service),
  .multiply = sn_tree_multiply,
  .solve = sn_tree_solve,
};

static const struct {
  const char *id;
  const void *table;
} services[] = {
  { SN_SERVICE_INERTIA, &inertia_service },
  { SN_SERVICE_FIELDS, &si_fields_service_table },
  { SN_SERVICE_RANDOM, &si_random_service_table },
  { SN_SERVICE_TASKS, &si_tasks_service_table },
  { SN_SERVICE_RAY, &si_ray_service_table },
  { SN_SERVICE_KINEMATICS, &si_kinematics_service_table },
  { SN_SERVICE_CONTACT_FORCE, &si_contact_force_service_table },
  { SN_SERVICE_JOB, &si_job_service_table },
  { SN_SERVICE_PART, &si_part_service_table },
};

static const void *host_query(const sn_host *host, const char *service) {
  (void)host;
  for (size_t i = 0; service && i < sizeof services / sizeof services[0]; i++) {
    if (strcmp(services[i].id, service) == 0) {
      return services[i].table;
    }
  }
  return NULL;
}

// An error names the operation that runs: the plugin does not know what it is called here.
static void host_log(const sn_host *host, int32_t level, const char *topic, const char *text) {
  const sn_engine *engine = (const sn_engine *)host;
  sn_operation_info running = { .size = sizeof running };
  if (level >= SN_LOG_ERROR && sn_running_operation(&running)) {
    char title[SI_PROVIDER_TITLE];
    si_engine_log(engine, level, topic, "%s: its operation '%s': %s",
                  si_provider_title(si_now.provider, title), running.operation, text ? text : "");
  } else {
    si_log_text(engine, level, topic, text);
  }
}

static void *host_alloc(const sn_host *host, int64_t bytes) {
  (void)host;
  return bytes < 0 ? NULL : calloc(1, bytes ? (size_t)bytes : 1);
}

static void host_free(const sn_host *host, void *memory) {
  (void)host;
  free(memory);
}

static sn_status host_error(const sn_host *host, sn_error *error, sn_status code, const char *file,
                            int32_t line, int32_t column, const char *text) {
  (void)host;
  const sn_location location = { file, line, column };
  return si_fail_at(error, code, &location, "%s", text ? text : "");
}

enum { FIRST_REQUEST = 24 };   // bytes of the request of ABI 1.0, which no caller has less of

sn_engine *sn_engine_open_with(const sn_engine_request *request, sn_error *error) {
  const sn_host host = {
    .size = sizeof(sn_host),
    .abi_major = SN_ABI_MAJOR,
    .abi_minor = SN_ABI_MINOR,
    .version = SN_VERSION,
    .query = host_query,
    .log = host_log,
    .alloc = host_alloc,
    .free = host_free,
    .error = host_error,
  };
  sn_engine_request own = { 0 };
  if (si_copy_in(&own, sizeof own, request, FIRST_REQUEST) != SN_OK ||
      (own.flags & ~(uint32_t)(SN_ENGINE_TOLERANT | SN_ENGINE_ALONE | SN_ENGINE_CHECKING |
                               SN_ENGINE_CACHING))) {
    si_fail(error, SN_EINVAL,
            "sn_engine_open_with: the request has no size, or members or flags that this version "
            "does not know");
    return NULL;
  }
  return si_engine_open(&host, &own, error);
}

sn_engine *sn_engine_open(const char *config, sn_error *error) {
  const sn_engine_request request = { .size = sizeof request, .config = config };
  return sn_engine_open_with(&request, error);
}
