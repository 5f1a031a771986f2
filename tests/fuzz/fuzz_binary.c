// SPDX-License-Identifier: Apache-2.0
//
// Binary models with altered numbers. The length and the hash of the header are made to fit after
// each mutation, so that what is read is judged by its contents: it is rejected with a reason, or
// it is simulated, asked for rays and distances, and leaves its arrays nowhere.
//
// The seeds are small models that the compiler makes when the fuzzer starts. Most mutations alter
// one number of one array, with values that are likely to be wrong.

#include <math.h>

#include "api/binary.h"
#include "api/load.h"
#include "base/hash.h"
#include "data/data.h"
#include "fuzzing.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t capacity, unsigned int seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t capacity);

// no array of more than 64 MiB: malloc then says that there is no memory
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
  return "allocator_may_return_null=1:max_allocation_size_mb=64";
}

enum { HEADER = 32, LENGTH_AT = 16, HASH_AT = 24, STEPS = 3, MOST_DOFS = 80, MOST_ELEMENTS = 200 };
enum { MOST_ITERATIONS = 10 };
static const double arena_limit = 16 << 20;   // bytes

// ------------------------------------------------------------------ seeds

#define SEED(name) SN_TEST_SOURCE "/tests/models/fuzz/" name ".xml"
static const char *const seed_file[] = { SEED("assets"), SEED("elements"), SEED("elliptic") };
enum { NSEEDS = sizeof seed_file / sizeof *seed_file };

typedef struct image {
  uint8_t *p;
  size_t n;
} image;

static image seeds[NSEEDS];

static sn_status keep(sn_sink *sink, const void *bytes, int64_t count) {
  image *b = sink->context;
  b->p = realloc(b->p, b->n + (size_t)count);
  memcpy(b->p + b->n, bytes, (size_t)count);
  b->n += (size_t)count;
  return SN_OK;
}

static void make_seeds(fuzzed *f) {
  for (int i = 0; i < NSEEDS; i++) {
    sn_model *model = sn_load(f->engine, seed_file[i], f->error);
    fuzz_demand(model != NULL, sn_error_text(f->error));
    sn_sink sink = { .size = sizeof sink, .context = &seeds[i], .write = keep };
    fuzz_demand(si_model_write(model, &sink, f->error) >= 0, sn_error_text(f->error));
    sn_model_free(model);
  }
}

static fuzzed *the_engine(void) {
  static fuzzed f;
  if (!f.engine) {
    f.error = sn_error_new();
    f.engine = sn_engine_open(SN_TEST_BUILD "/sinew.ini", f.error);
    fuzz_demand(f.engine != NULL, sn_error_text(f.error));
    sn_engine_set_log(f.engine, NULL, NULL);
    make_seeds(&f);
  }
  return &f;
}

// Models are longer than what libFuzzer starts with.
int LLVMFuzzerInitialize(int *argc, char ***argv) {
  static char longest[] = "-max_len=200000", control[] = "-len_control=0";
  char **more = calloc((size_t)*argc + 3, sizeof *more);
  more[0] = (*argv)[0];
  more[1] = longest;   // the caller's options come later and take precedence
  more[2] = control;
  memcpy(more + 3, *argv + 1, (size_t)(*argc - 1) * sizeof *more);
  *argc += 2;
  *argv = more;
  return 0;
}

// ------------------------------------------------------------------ mutation

static uint64_t state;

static uint64_t random_below(uint64_t n) {
  state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (state >> 20) % n;
}

static void put_real(uint8_t *at) {
  static const double odd[] = { 0,   -0.0, 1,     -1,       1e-300, -1e-300, 1e300, -1e300,
                                0.5, 1e16, -1e16, INFINITY, NAN,    1e-8,    2,     -2 };
  const double x = odd[random_below(sizeof odd / sizeof *odd)];
  memcpy(at, &x, sizeof x);
}

static void put_int(uint8_t *at) {
  static const int32_t odd[] = {
    0, 1, -1, 2, 3, 4, 5, 6, 7, 8, -2, 100, INT32_MAX, INT32_MIN, 65536
  };
  const int32_t x = odd[random_below(sizeof odd / sizeof *odd)];
  memcpy(at, &x, sizeof x);
}

// One number of the body: of arrays of small numbers, or any.
static void alter(uint8_t *data, size_t size) {
  uint8_t *at = data + HEADER + random_below(size - HEADER - 8);
  const uint64_t how = random_below(8);
  int32_t word;
  if (how < 3) {
    put_int(at);
  } else if (how < 6) {
    put_real(at);
  } else {
    memcpy(&word, at, sizeof word);
    word = how == 6 ? (int32_t)((uint32_t)word ^ (1u << random_below(32)))
                    : (int32_t)((uint32_t)word + (uint32_t)random_below(9) - 4);
    memcpy(at, &word, sizeof word);
  }
}

static void seal(uint8_t *data, size_t size) {
  const uint64_t length = size - HEADER;
  const uint64_t hash = si_hash_words(SI_HASH_START, data + HEADER, length);
  memcpy(data + LENGTH_AT, &length, sizeof length);
  memcpy(data + HASH_AT, &hash, sizeof hash);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t capacity, unsigned int seed) {
  the_engine();
  state = seed;
  random_below(2);
  const image *origin = &seeds[random_below(NSEEDS)];
  const int fresh = size < HEADER + 64 || !si_model_is_binary(data, (int64_t)size) ||
                    random_below(50) == 0;
  if (fresh && origin->n <= capacity) {
    memcpy(data, origin->p, origin->n);
    size = origin->n;
  }
  if (size < HEADER + 64) {
    return LLVMFuzzerMutate(data, size, capacity);
  }
  if (random_below(20) == 0) {   // what libFuzzer thinks of, lengths too
    size = HEADER + LLVMFuzzerMutate(data + HEADER, size - HEADER, capacity - HEADER);
  } else {
    for (uint64_t n = 1 + random_below(3); n > 0; n--) {
      alter(data, size);
    }
  }
  seal(data, size);
  return size;
}

// ------------------------------------------------------------------ what is done with a model

static int64_t at_most(int64_t value, int64_t most) {
  return value < most ? value : most;
}

static int is_small(const sn_model *m) {
  return m->nv <= MOST_DOFS &&
         m->nbody + m->ngeom + m->nsite + m->ntendon + m->nsensor + m->nu + m->neq + m->nwrap <=
             MOST_ELEMENTS;
}

static void ask(const sn_model *m, sn_data *d) {
  const double from[3] = { 0.05, 0.02, 3 }, down[3] = { 0, 0, -1 }, aside[3] = { 1, 0.1, -0.4 };
  int32_t geom = -1;
  double distance;
  sn_ray(m, d, from, down, UINT32_MAX, 1, -1, &distance, &geom, NULL);
  sn_ray(m, d, from, aside, UINT32_MAX, 1, -1, &distance, &geom, NULL);
  for (int32_t i = 0; i < (int32_t)at_most(m->ngeom, 6); i++) {
    for (int32_t k = 0; k < i; k++) {
      double fromto[6];
      sn_geom_distance(m, d, i, k, 10, &distance, fromto);
    }
  }
}

static void simulate(fuzzed *f, sn_model *m) {
  sn_option option = { .def_size = sizeof option };
  sn_model_get_option(m, &option);
  option.memory = arena_limit;
  option.iterations = at_most(option.iterations, MOST_ITERATIONS);
  option.noslip_iterations = at_most(option.noslip_iterations, MOST_ITERATIONS);
  option.mpr_iterations = at_most(option.mpr_iterations, MOST_ITERATIONS);
  si_error_clear(f->error);
  fuzz_demand(sn_model_set_option(m, &option, f->error) >= 0, sn_error_text(f->error));
  sn_data *d = sn_data_new(m, f->error);
  if (!d) {
    fuzz_demand(sn_error_message(f->error)[0] != 0, "no data without a reason");
    return;
  }
  for (int64_t i = 0; i < m->nu; i++) {
    d->ctrl[i] = 0.1;
  }
  for (int i = 0; i < STEPS; i++) {
    fuzz_demand(sn_step(m, d) >= 0 || sn_error_message(sn_data_error(d))[0] != 0,
                "a step fails without a reason");
  }
  if (sn_forward(m, d) >= 0) {
    sn_inverse(m, d);
    ask(m, d);
    sn_body_forces(m, d);
  }
  if (m->nkey > 0 && sn_reset_key(m, d, 0) >= 0) {
    sn_step(m, d);
  }
  sn_data_free(d);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzzed *f = the_engine();
  si_error_clear(f->error);
  sn_model *m = si_model_load(f->engine, data, (int64_t)size, "altered.snb", f->error);
  fuzz_demand(m != NULL || (sn_error_code(f->error) < 0 && sn_error_message(f->error)[0] != 0),
              "rejected without a reason");
  if (m && is_small(m)) {
    simulate(f, m);
  }
  sn_model_free(m);
  return 0;
}
