// SPDX-License-Identifier: Apache-2.0
//
// Binary models with altered numbers. The length and the hash of the header are made to fit after
// each mutation, so that what is read is judged by its contents: it is refused with a reason, or it
// is simulated, asked for rays and distances, and leaves its arrays nowhere.
//
// The seeds are small models that the compiler makes when the fuzzer starts. Most mutations alter
// one number of one array, with values that are likely to be wrong.

#include <math.h>

#include "api/load.h"
#include "base/hash.h"
#include "fuzzing.h"
#include "model/data.h"

int LLVMFuzzerInitialize(int *argc, char ***argv);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned int seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t room);

// no array of more than 64 MiB: malloc then says that there is no memory
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
  return "allocator_may_return_null=1:max_allocation_size_mb=64";
}

enum { HEADER = 32, LENGTH_AT = 16, HASH_AT = 24, STEPS = 3, MOST_DOFS = 80, MOST_ELEMENTS = 200 };
enum { MOST_ITERATIONS = 10 };
static const double arena_limit = 16 << 20;   // bytes

// ------------------------------------------------------------------ seeds

static const char *const seed_text[] = {
  // a height field, meshes, pairs, a texture
  "<mujoco><asset><mesh name='tet' vertex='0 0 0 .2 0 0 0 .2 0 0 0 .2'/>"
  "<hfield name='hills' nrow='4' ncol='5' size='1 1 .2 .1' elevation='0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 1 0 "
  "1 0 1'/><texture name='checks' type='2d' builtin='checker' width='8' height='8'/>"
  "<material name='tiles' texture='checks'/></asset><worldbody>"
  "<geom name='ground' type='hfield' hfield='hills' material='tiles'/>"
  "<body pos='.1 .1 .3'><freejoint/><geom name='box' type='box' size='.1 .1 .1'/></body>"
  "<body pos='.4 .1 .3'><freejoint/><geom name='tet' type='mesh' mesh='tet'/></body>"
  "<body pos='-.4 .1 .3'><freejoint/><geom name='pill' type='capsule' size='.1 .1'/></body>"
  "<body pos='-.4 -.5 .3'><freejoint/><geom type='ellipsoid' size='.1 .2 .1'/></body>"
  "</worldbody><contact><pair geom1='box' geom2='pill'/></contact></mujoco>",
  // joints, tendons, equalities, actuators, sensors
  "<mujoco><option timestep='0.002'/><worldbody><camera name='eye' mode='targetbody' target='arm'/>"
  "<light pos='0 0 3'/><geom type='plane' size='5 5 .1'/>"
  "<body name='mocap' mocap='true' pos='0 0 3'><geom size='.05' contype='0' conaffinity='0'/></body>"
  "<body name='free' pos='0 0 .1'><freejoint/><geom type='cylinder' size='.1 .1'/>"
  "<site name='s0' pos='.1 0 0'/></body>"
  "<body name='arm' pos='1 0 1'><joint name='ball' type='ball' damping='.1' limited='true' "
  "range='0 1'/><geom type='capsule' size='.05 .2'/><site name='s1' pos='0 0 .3'/>"
  "<body name='fore' pos='0 0 .4'><joint name='hinge' axis='0 1 0' range='-90 90' limited='true' "
  "stiffness='1' frictionloss='.1'/><geom name='wrapped' type='cylinder' size='.05 .2'/>"
  "<site name='s2' pos='.2 0 .2'/><body pos='0 0 .4'><joint name='slide' type='slide'/>"
  "<geom size='.1'/><site name='s3'/></body></body></body></worldbody>"
  "<tendon><spatial name='t0' limited='true' range='0 1'><site site='s1'/>"
  "<geom geom='wrapped' sidesite='s2'/><site site='s2'/><pulley divisor='2'/><site site='s2'/>"
  "<site site='s3'/></spatial>"
  "<fixed name='t1'><joint joint='hinge' coef='1'/><joint joint='slide' coef='-1'/></fixed></tendon>"
  "<equality><weld body1='free' body2='mocap' solref='.5 1'/><connect body1='arm' anchor='0 0 0'/>"
  "<joint joint1='hinge' joint2='slide'/><tendon tendon1='t0' tendon2='t1'/></equality>"
  "<actuator><motor joint='hinge'/><motor site='s0' refsite='s1' gear='1 0 0 0 0 1'/>"
  "<position tendon='t0'/><adhesion body='free' ctrlrange='0 1'/>"
  "<muscle joint='slide' lengthrange='0 1'/><general joint='slide' dyntype='filter' dynprm='.1'/></actuator>"
  "<sensor><jointpos joint='hinge'/><framepos objtype='site' objname='s1'/><touch site='s0'/>"
  "<tendonpos tendon='t1'/><rangefinder site='s1'/><subtreecom body='arm'/></sensor>"
  "<custom><numeric name='n' data='1 2'/><tuple name='u'><element objtype='body' objname='arm' "
  "prm='1'/></tuple></custom><keyframe><key time='1'/></keyframe></mujoco>",
  // the other solver, cones and integrator
  "<mujoco><option solver='PGS' cone='elliptic' integrator='RK4' density='1.2' viscosity='.1'/>"
  "<worldbody><geom type='plane' size='0 0 .1'/>"
  "<body pos='0 0 .1'><joint type='slide' axis='0 0 1'/><joint type='ball'/>"
  "<geom size='.1 .1 .1' type='box' condim='6' fluidshape='ellipsoid'/></body>"
  "<body pos='1 0 .1'><freejoint/><geom size='.1' condim='4'/></body></worldbody></mujoco>",
};
enum { NSEEDS = sizeof seed_text / sizeof *seed_text };

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
    char name[16];
    snprintf(name, sizeof name, "seed%d.xml", i);
    fuzz_demand(sn_engine_add_resource(f->engine, name, seed_text[i], (int64_t)strlen(seed_text[i]),
                                       f->error) >= 0,
                sn_error_text(f->error));
    sn_model *model = sn_load(f->engine, name, f->error);
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
  more[1] = longest;   // what the caller says comes later and wins
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

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t room, unsigned int seed) {
  the_engine();
  state = seed;
  random_below(2);
  const image *origin = &seeds[random_below(NSEEDS)];
  const int fresh = size < HEADER + 64 || !si_model_is_binary(data, (int64_t)size) ||
                    random_below(50) == 0;
  if (fresh && origin->n <= room) {
    memcpy(data, origin->p, origin->n);
    size = origin->n;
  }
  if (size < HEADER + 64) {
    return LLVMFuzzerMutate(data, size, room);
  }
  if (random_below(20) == 0) {   // what libFuzzer thinks of, lengths too
    size = HEADER + LLVMFuzzerMutate(data + HEADER, size - HEADER, room - HEADER);
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
  sn_ray(m, d, from, down, UINT32_MAX, 1, -1, &geom);
  sn_ray(m, d, from, aside, UINT32_MAX, 1, -1, &geom);
  for (int32_t i = 0; i < (int32_t)at_most(m->ngeom, 6); i++) {
    for (int32_t k = 0; k < i; k++) {
      double fromto[6];
      sn_geom_distance(m, d, i, k, 10, fromto);
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
              "refused without a reason");
  if (m && is_small(m)) {
    simulate(f, m);
  }
  sn_model_free(m);
  return 0;
}
