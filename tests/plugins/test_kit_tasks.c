// SPDX-License-Identifier: Apache-2.0
//
// The conformance kit finds what is wrong with the tasks that an operation shares with other
// threads: with those of a passive force, which is the same for all kinds.

#include "conformance.h"
#include "sinew/passive.h"

enum {
  IN_ORDER = NKINDFAULTS,   // a task needs the result of the one before
  OF_ONE_THREAD,            // a task is right on the thread of the operation only
  COUNTS_THREADS,
  TAKE_MEMORY,
  NEST
};

enum { NPART = 5 };
typedef struct sum {   // of parts that tasks compute
  sn_scratch *scratch;
  pthread_t caller;
  double part[NPART];
} sum;

static const sn_tasks_service *service;

static void add_nothing(void *context, int64_t k) {
  (void)context, (void)k;
}

static void add_part(void *context, int64_t k) {
  sum *s = context;
  s->part[k] = 1.0 / (double)(k + 1);
  if (fault == IN_ORDER && k > 0) {
    s->part[k] += s->part[k - 1];
  } else if (fault == OF_ONE_THREAD) {
    s->part[k] += !pthread_equal(pthread_self(), s->caller);
  } else if (fault == TAKE_MEMORY) {
    s->part[k] += !s->scratch->alloc(s->scratch, 8, 8);
  } else if (fault == NEST) {
    service->run(s->scratch, 2, add_nothing, NULL);
  }
}

static sn_status apply(const void *self, const void *bound, const sn_data_view *data,
                       const double *state, double *qfrc, sn_scratch *scratch) {
  sum s = { .scratch = scratch, .caller = pthread_self() };
  (void)self, (void)bound, (void)data, (void)state;
  const int threads = service->nthread(scratch);
  SN_TRY(service->run(scratch, NPART, add_part, &s));
  for (int i = 0; i < NPART; i++) {
    qfrc[0] += s.part[i];
  }
  qfrc[0] += fault == COUNTS_THREADS ? threads : 0;
  return SN_OK;
}

static sn_status create(const sn_host *host, const sn_value *values, void **self, sn_error *e) {
  (void)values, (void)self, (void)e;
  service = host->query(host, SN_SERVICE_TASKS);
  return service ? SN_OK : SN_ENOTFOUND;
}

static void destroy(void *self) {
  (void)self;
}

static sn_status bind(const void *self, const sn_model_view *model, const sn_value *values,
                      void **bound, sn_error *e) {
  static int bound_to_all;
  (void)self, (void)model, (void)values, (void)e;
  *bound = &bound_to_all;
  return SN_OK;
}

static void unbind(const void *self, void *bound) {
  (void)self, (void)bound;
}

static const sn_passive_ops ops = {
  .head = { .size = sizeof ops,
            .flags = SN_PASSIVE_NAMED,
            .summary = "a toy",
            .create = create,
            .destroy = destroy },
  .bind = bind,
  .unbind = unbind,
  .apply = apply,
};

#define TOY SN_KIND_PASSIVE, &ops
static const planted faults[] = {
  { TOY, NO_FAULT, NULL, NULL, NULL },
  { TOY, IN_ORDER, "tasks", "with its tasks in reverse order, apply: qfrc differs", NULL },
  { TOY, OF_ONE_THREAD, "tasks", "with its tasks on two threads, apply: qfrc differs", NULL },
  { TOY, COUNTS_THREADS, "tasks", "with one thread for its tasks, apply: qfrc differs", NULL },
  { TOY, TAKE_MEMORY, "tasks", "a task of apply takes scratch memory", NULL },
  { TOY, NEST, "tasks", "a task of apply runs tasks itself", NULL },
};

START_TEST(kit_finds_the_fault) {
  fault = faults[_i].fault;
  expect_finding(&faults[_i]);
}
END_TEST

// The service of the host is the engine's again.
START_TEST(host_is_as_before) {
  sn_error *error = sn_error_new();
  sn_engine *engine = sn_engine_open("", error);
  const sn_host *host = sn_engine_host(engine);
  const sn_provider_info provider = {
    .size = sizeof provider, .kind = SN_KIND_PASSIVE, .name = "toy", .ops = &ops
  };
  const void *before = host->query(host, SN_SERVICE_TASKS);
  kit_findings f = { .p = NULL };
  fault = NO_FAULT;
  ck_assert_int_eq(kit_test(engine, &provider, take_finding, &f), 0);
  ck_assert_ptr_eq(host->query(host, SN_SERVICE_TASKS), before);
  ck_assert_ptr_ne(service, before);
  sn_engine_close(engine);
  sn_error_free(error);
}
END_TEST

TESTS() {
  EACH(kit_finds_the_fault, 0, (int)(sizeof faults / sizeof faults[0]));
  TEST(host_is_as_before);
}
