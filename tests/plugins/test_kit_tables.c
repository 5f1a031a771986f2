// SPDX-License-Identifier: Apache-2.0
//
// The conformance kit finds the faults of operation tables and of loaders.

#include <string.h>

#include "conformance.h"
#include "default_engine.h"
#include "sanitized.h"
#include "sinew/loader.h"

enum { SURE_OF_ALL = NKINDFAULTS, SILENT, CHANGES_BYTES, RUNS_ON };

// ------------------------------------------------------------------ a loader

static int32_t probe(const void *self, const uint8_t *bytes, int64_t n, const char *name) {
  (void)self, (void)name;
  return fault == SURE_OF_ALL ? 101 : n >= 5 && memcmp(bytes, "<toy>", 5) == 0 ? 50 : 0;
}

// A thread that runs after the loader is closed.
static void *run_on(void *context) {
  for (;;) {
    usleep(1000);
  }
  return context;
}

static void start_to_run(void) {
  static int is_started;
  pthread_t thread;
  if (!is_started && pthread_create(&thread, NULL, run_on, NULL) == 0) {
    pthread_detach(thread);
    is_started = 1;
  }
}

static sn_status load(const void *self, sn_source *source, const sn_builder *builder, sn_error *e) {
  const sn_host *host = source->context;
  (void)self, (void)builder;
  change_process();
  if (fault == RUNS_ON) {
    start_to_run();
  }
  if (fault == CHANGES_BYTES && source->count > 0) {
    ((uint8_t *)(uintptr_t)source->bytes)[0] ^= 1;
  }
  return fault == SILENT ? SN_EPARSE
                         : host->error(host, e, SN_EPARSE, source->name, 1, 1, "<toy> is missing");
}

#define LOADS .probe = probe, .load = load

static const sn_loader_ops loader = {
  .head = { .size = sizeof loader, .summary = "a toy" },
  LOADS,
};

// ------------------------------------------------------------------ tables

static sn_status create(const sn_host *host, const sn_value *values, void **self, sn_error *e) {
  (void)values, (void)self;
  return host->error(host, e, SN_EINVAL, NULL, 0, 0, "the device is not there");
}

static sn_status create_oddly(const sn_host *host, const sn_value *values, void **self,
                              sn_error *e) {
  (void)host, (void)values, (void)self, (void)e;
  return 12345;
}

static void destroy(void *self) {
  (void)self;
}

static const sn_param beyond[] = {
  { .name = "gain", .default_value = "3", .max = 1, .type = SN_PARAM_REAL, .summary = "a factor" },
  { .name = NULL },
};

// Neither has a range; the second takes two or three numbers, the third only numbers up to 1.
static const sn_param open_ranges[] = {
  { .name = "gain", .default_value = "3", .type = SN_PARAM_REAL, .summary = "a factor" },
  { .name = "gains",
    .default_value = "3 -4 5.5",
    .nmin = 2,
    .nmax = 3,
    .type = SN_PARAM_REALS,
    .summary = "factors" },
  { .name = "none", .default_value = "", .type = SN_PARAM_REALS, .summary = "factors" },
  { .name = NULL },
};
static const sn_param too_few[] = {
  { .name = "gains",
    .default_value = "3",
    .nmin = 2,
    .type = SN_PARAM_REALS,
    .summary = "factors" },
  { .name = NULL },
};
static const sn_param one_beyond[] = {
  { .name = "gains",
    .default_value = "0.5 3",
    .max = 1,
    .type = SN_PARAM_REALS,
    .summary = "factors" },
  { .name = NULL },
};

static sn_status check_values(const sn_host *host, const sn_value *values, void **self,
                              sn_error *e) {
  static int instance;
  const double *reals = values[1].reals;
  const int is_right = values[0].real == 3 && values[1].n == 3 && reals[0] == 3 && reals[1] == -4 &&
                       reals[2] == 5.5 && values[1].real == 3 && values[2].n == 0;
  *self = &instance;
  return is_right ? SN_OK : host->error(host, e, SN_EINVAL, NULL, 0, 0, "other values");
}

#ifndef SANITIZED   // the sanitizer finds it
// An instance that is lost when it is destroyed.
static sn_status create_lost(const sn_host *host, const sn_value *values, void **self,
                             sn_error *e) {
  static void *kept[64];
  static int n;
  (void)values, (void)e;
  kept[n % 64] = host->alloc(host, 100);
  *self = kept[n++ % 64];
  return SN_OK;
}
#endif

// An instance that starts a thread and does not end it when it is destroyed.
static sn_status create_thread(const sn_host *host, const sn_value *values, void **self,
                               sn_error *e) {
  (void)host, (void)values, (void)self, (void)e;
  change_process();
  return SN_OK;
}

static const sn_loader_ops no_size = { .head = { .summary = "a toy" }, LOADS };
static const sn_loader_ops starts = {
  .head = { .size = sizeof loader,
            .summary = "a toy",
            .create = create_thread,
            .destroy = destroy },
  LOADS,
};
static const sn_loader_ops no_summary = { .head = { .size = sizeof loader }, LOADS };
static const sn_loader_ops no_destroy = {
  .head = { .size = sizeof loader, .summary = "a toy", .create = create },
  LOADS,
};
static const sn_loader_ops rejects = {
  .head = { .size = sizeof loader, .summary = "a toy", .create = create, .destroy = destroy },
  LOADS,
};
static const sn_loader_ops odd = {
  .head = { .size = sizeof loader, .summary = "a toy", .create = create_oddly, .destroy = destroy },
  LOADS,
};
static const sn_loader_ops bad_default = {
  .head = { .size = sizeof loader, .summary = "a toy", .params = beyond },
  LOADS,
};

#define WITH_PARAMS(list) \
  { .head = { .size = sizeof loader, .summary = "a toy", .params = list }, LOADS }
static const sn_loader_ops few = WITH_PARAMS(too_few);
static const sn_loader_ops one = WITH_PARAMS(one_beyond);
static const sn_loader_ops lists = {
  .head = { .size = sizeof loader,
            .summary = "a toy",
            .params = open_ranges,
            .create = check_values,
            .destroy = destroy },
  LOADS,
};
#ifndef SANITIZED
static const sn_loader_ops loses = {
  .head = { .size = sizeof loader, .summary = "a toy", .create = create_lost, .destroy = destroy },
  LOADS,
};
#endif

// ------------------------------------------------------------------ what is found

#define LOADER(ops) SN_KIND_LOADER, &(ops)
static const planted faults[] = {
  { LOADER(loader), NO_FAULT, NULL, NULL, NULL },
  { LOADER(loader), SURE_OF_ALL, "probe", "from 0 to 100", NULL },
  { LOADER(loader), SILENT, "any input", "errors had no message", NULL },
  { LOADER(loader), CHANGES_BYTES, "inputs", "changed the bytes of", NULL },
  { LOADER(loader), CHANGES_UMASK, "process", "load changed the umask", NULL },
  { LOADER(loader), CLOSES_OUTPUT, "process", "closed or replaced standard output", NULL },
  { LOADER(loader), RUNS_ON, "process", "still runs after everything was closed", NULL },
  { LOADER(starts), LEAVES_THREADS, "instances", "and a thread are lost with each create",
    "|process|" },
  { LOADER(no_size), NO_FAULT, "table", "head.size is 0 bytes", NULL },
  { LOADER(no_summary), NO_FAULT, "table", "head.summary is missing", NULL },
  { LOADER(no_destroy), NO_FAULT, "table", "only one of create and destroy", NULL },
  { LOADER(rejects), NO_FAULT, "table", "the device is not there", NULL },
  { LOADER(odd), NO_FAULT, "table", "create returns 12345, which is not a status", NULL },
  { LOADER(bad_default), NO_FAULT, "table", "parameter 'gain' does not allow its default '3'",
    NULL },
  { LOADER(few), NO_FAULT, "table", "parameter 'gains' does not allow its default '3'", NULL },
  { LOADER(one), NO_FAULT, "table", "parameter 'gains' does not allow its default '0.5 3'", NULL },
  { LOADER(lists), NO_FAULT, NULL, NULL, NULL },
#ifndef SANITIZED
  { LOADER(loses), NO_FAULT, "instances", "bytes are lost with each create and destroy", NULL },
#endif
};
enum { NFAULTS = sizeof faults / sizeof faults[0] };

START_TEST(kit_finds_the_fault) {
  fault = faults[_i].fault;
  expect_finding(&faults[_i]);
}
END_TEST

START_TEST(each_requirement_has_a_fault) {
  open_engine();
  fault = NO_FAULT;
  expect_covered(engine, SN_KIND_LOADER, faults, NFAULTS, sizeof faults[0]);
  close_engine();
}
END_TEST

TESTS() {
  EACH(kit_finds_the_fault, 0, NFAULTS);
  TEST(each_requirement_has_a_fault);
}
