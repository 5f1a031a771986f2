// SPDX-License-Identifier: Apache-2.0
//
// A plugin of toys for the tests of the host, and engines of an ini in a folder of their own.

#ifndef SN_TEST_HOST_TOYS_H
#define SN_TEST_HOST_TOYS_H

#include <check.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/engine.h"

static char folder[64], ini[128];
static sn_error *error;
static char calls[256];   // what the plugin below was asked, in order

// ------------------------------------------------------------------ a plugin of the application

typedef struct instance {
  const sn_host *host;
  sn_value values[4];
  char text[32];
} instance;

static sn_status toy_create(const sn_host *host, const sn_value *values, void **self, sn_error *e) {
  (void)e;
  instance *t = host->alloc(host, sizeof *t);
  ck_assert_ptr_nonnull(t);
  t->host = host;
  memcpy(t->values, values, sizeof t->values);
  snprintf(t->text, sizeof t->text, "%s", values[3].text);
  *self = t;
  strcat(calls, "create ");
  return SN_OK;
}

static void toy_destroy(void *self) {
  instance *t = self;
  t->host->free(t->host, t);
  strcat(calls, "destroy ");
}

static sn_status toy_solve(const void *self, const sn_problem *problem, sn_solution *solution,
                           sn_scratch *scratch) {
  (void)self, (void)problem, (void)solution, (void)scratch;
  return SN_OK;
}

static sn_status toy_step(const void *self, sn_stepper *stepper, sn_scratch *scratch) {
  (void)self, (void)stepper, (void)scratch;
  return SN_OK;
}

static sn_status toy_collide(const void *self, const sn_batch *batch, sn_contact_list *out,
                             sn_scratch *scratch) {
  (void)self, (void)batch, (void)scratch;
  out->count = 0;
  return SN_OK;
}

static const sn_param toy_params[] = {
  { .name = "iterations",
    .default_value = "50",
    .summary = "limit",
    .min = 1,
    .max = 1000,
    .type = SN_PARAM_INT },
  { .name = "tolerance",
    .default_value = "1e-8",
    .summary = "stop below",
    .min = 0,
    .max = 1,
    .type = SN_PARAM_REAL },
  { .name = "warm",
    .default_value = "true",
    .summary = "start from before",
    .type = SN_PARAM_BOOL },
  { .name = "method",
    .default_value = "exact",
    .choices = "exact|fast|coarse",
    .summary = "how",
    .type = SN_PARAM_TEXT },
  { .name = NULL },
};

static const sn_solver_ops newton_ops = {
  .head = { .size = sizeof(sn_solver_ops),
            .summary = "a toy",
            .params = toy_params,
            .create = toy_create,
            .destroy = toy_destroy },
  .solve = toy_solve,
};

static const sn_solver_ops plain_ops = {
  .head = { .size = sizeof(sn_solver_ops) },
  .solve = toy_solve,
};

static const sn_solver_ops polish_ops = {
  .head = { .size = sizeof(sn_solver_ops), .flags = SN_SOLVER_POST },
  .solve = toy_solve,
};

static const sn_integrator_ops euler_ops = {
  .head = { .size = sizeof(sn_integrator_ops) },
  .step = toy_step,
};

static const sn_collider_pair toy_pairs[] = { { "convex", "convex" },
                                              { "plane", "convex" },
                                              { NULL, NULL } };
static const sn_collider_ops ccd_ops = {
  .head = { .size = sizeof(sn_collider_ops) },
  .pairs = toy_pairs,
  .collide = toy_collide,
};

static const sn_provide toy_provides[] = {
  SN_PROVIDE_SOLVER("newton", &newton_ops),
  SN_PROVIDE_SOLVER("cg", &plain_ops),
  SN_PROVIDE_INTEGRATOR("euler", &euler_ops),
  SN_PROVIDE_COLLIDER("ccd", &ccd_ops),
  SN_PROVIDE_COLLIDER("primitive", &ccd_ops),
  SN_PROVIDE_SOLVER("polish", &polish_ops),
  { NULL, NULL, NULL },
};

static sn_status toy_init(const sn_host *host, sn_error *e) {
  (void)e;
  ck_assert_uint_eq(host->abi_major, SN_ABI_MAJOR);
  strcat(calls, "init ");
  return SN_OK;
}

static void toy_fini(const sn_host *host) {
  ck_assert_uint_eq(host->abi_major, SN_ABI_MAJOR);
  strcat(calls, "fini ");
}

static const sn_plugin toy_plugin = {
  .magic = SN_PLUGIN_MAGIC,
  .size = sizeof(sn_plugin),
  .abi_major = SN_ABI_MAJOR,
  .real_size = sizeof(double),
  .name = "toys",
  .version = "2.5",
  .license = "MIT",
  .provides = toy_provides,
  .init = toy_init,
  .fini = toy_fini,
};

static const sn_plugin *toy_entry(void) {
  return &toy_plugin;
}

// ------------------------------------------------------------------ fixture

static void set_up(void) {
  umask(022);
  strcpy(folder, "/tmp/sinew-host-XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(ini, sizeof ini, "%s/sinew.ini", folder);
  error = sn_error_new();
  calls[0] = '\0';
}

static void tear_down(void) {
  char command[128];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  ck_assert_int_eq(system(command), 0);
  sn_error_free(error);
}

static sn_engine *open_with(const char *text) {
  FILE *f = fopen(ini, "w");
  ck_assert_ptr_nonnull(f);
  fputs(text, f);
  fclose(f);
  return sn_engine_open(ini, error);
}

// An engine of this ini with the toys, not yet frozen.
static sn_engine *open_toys(const char *text) {
  sn_engine *engine = open_with(text);
  ck_assert_msg(engine != NULL, "%s", sn_error_text(error));
  ck_assert_msg(sn_engine_add_static(engine, toy_entry, error) == SN_OK, "%s",
                sn_error_text(error));
  return engine;
}

static void expect_in(const char *file, const char *reason, int line) {
  ck_assert_msg(strstr(sn_error_message(error), reason) != NULL, "wanted '%s', got '%s'", reason,
                sn_error_text(error));
  ck_assert_int_eq(sn_error_line(error), line);
  if (line) {
    ck_assert_str_eq(sn_error_file(error), file);
  }
}

static void expect(const char *reason, int line) {
  expect_in(ini, reason, line);
}

#endif
