// SPDX-License-Identifier: Apache-2.0
//
// The work that is done under faults: an engine of all plugins that ship, a model of each format,
// everything that allocates or reads and writes files.

#include <dirent.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance/resource/archive.h"
#include "faults.h"
#include "sinew/sinew.h"

const char *const work_kinds[] = { "mjcf", "urdf", "x_xy", "binary", "scene", "kept", NULL };

static char folder[64];
static int keeps;   // models were kept
static const char *const files[] = { "mjcf.xml",   "part.xml",  "urdf.xml",  "x_xy.xml",
                                     "binary.snb", "tet.stl",   "tet.obj",   "hills.png",
                                     "saved.snb",  "saved.xml", "scene.xml", "parts.zip",
                                     NULL };

// ------------------------------------------------------------------ the files

// parts of other formats, one of them in an archive where such are read
#define SCENE(first)                                                         \
  "<scene><part file='" first "' prefix='a_' pos='0 0 1'/>"                  \
  "<part file='x_xy.xml' prefix='b_' name='stand' euler='0 0 10'/></scene>"
static const char scene[] = SCENE("parts.zip/folder/robot.urdf");
static const char scene_without_archive[] = SCENE("urdf.xml");

static const char obj[] =
    "v 0 0 0\nv .2 0 0\nv 0 .2 0\nv 0 0 .2\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

// 4 x 4 pixels, 8 bits of gray
static const uint8_t png[] = { 137, 80,  78,  71,  13,  10,  26,  10, 0,   0,   0,   13,  73,  72,
                               68,  82,  0,   0,   0,   4,   0,   0,  0,   4,   8,   0,   0,   0,
                               0,   140, 154, 193, 162, 0,   0,   0,  26,  73,  68,  65,  84,  120,
                               218, 99,  96,  176, 169, 216, 194, 32, 18,  208, 115, 130, 65,  35,
                               101, 193, 29,  16,  239, 3,   0,   62, 148, 7,   129, 87,  172, 6,
                               87,  0,   0,   0,   0,   73,  69,  78, 68,  174, 66,  96,  130 };

static const char *path_of(const char *name) {
  static char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  return path;
}

static void end(const char *what) {
  perror(what);
  exit(2);
}

static void put_file(const char *name, const void *bytes, size_t n) {
  FILE *f = fopen(path_of(name), "wb");
  if (!f || fwrite(bytes, 1, n, f) != n || fclose(f) != 0) {
    end(name);
  }
}

// A file of tests/models/faults.
static void put_model(const char *name) {
  static char text[1 << 14];
  char from[PATH_MAX];
  snprintf(from, sizeof from, SN_TEST_SOURCE "/tests/models/faults/%s", name);
  FILE *f = fopen(from, "rb");
  const size_t n = f ? fread(text, 1, sizeof text, f) : 0;
  if (n == 0 || fclose(f) != 0) {
    end(from);
  }
  put_file(name, text, n);
}

// The tetrahedron of `obj`, as a binary STL file.
static void put_stl(void) {
  static const float corner[4][3] = { { 0, 0, 0 }, { .2f, 0, 0 }, { 0, .2f, 0 }, { 0, 0, .2f } };
  static const int face[4][3] = { { 0, 2, 1 }, { 0, 1, 3 }, { 0, 3, 2 }, { 1, 2, 3 } };
  uint8_t bytes[84 + 4 * 50] = { 0 }, *at = bytes + 84;
  bytes[80] = 4;
  for (int i = 0; i < 4; i++, at += 50) {
    for (int k = 0; k < 3; k++) {
      memcpy(at + 12 + 12 * k, corner[face[i][k]], 12);
    }
  }
  put_file("tet.stl", bytes, sizeof bytes);
}

// The robot and its mesh.
static void put_archive(void) {
  static const archive_file parts[] = {
    { "folder/robot.urdf",
      "<robot name='arm'><link name='world'/><link name='base'><inertial><mass value='1'/>"
      "<inertia ixx='.1' iyy='.1' izz='.1' ixy='0' ixz='0' iyz='0'/></inertial><collision><geometry>"
      "<mesh filename='package://any/tet.obj'/></geometry></collision></link>"
      "<joint name='j' type='continuous'><parent link='world'/><child link='base'/></joint>"
      "</robot>",
      0, 0 },
    { "package.xml", "<package><name>any</name></package>", 0, 0 },
    { "tet.obj", obj, 0, 0 },
  };
  uint8_t bytes[4096];
  put_file("parts.zip", bytes, (size_t)archive_write(parts, 3, bytes, sizeof bytes));
}

// ------------------------------------------------------------------ calls that may fail

typedef struct work {
  sn_engine *engine;
  sn_error *error;
  outcome *out;
} work;

// A failing call has a code and a message, where there was memory for an error object.
static void look_at(work *w, const sn_error *error) {
  w->out->failed++;
  w->out->empty += error && (sn_error_code(error) >= 0 || !sn_error_message(error)[0]);
}

// Calls again when it failed, which x indicates.
#define TWICE(w, x, call, failure, error) \
  do {                                    \
    x = call;                             \
    if (failure) {                        \
      look_at(w, error);                  \
      x = call;                           \
      if (failure) {                      \
        look_at(w, error);                \
        (w)->out->repeated++;             \
      }                                   \
    }                                     \
  } while (0)

#define GET(w, x, call) TWICE(w, x, call, !(x), (w)->error)
#define DO(w, x, call, error) TWICE(w, x, call, (x) < 0, error)

static void simulate(work *w, const sn_model *m, uint64_t *hash) {
  sn_data *d;
  sn_status status;
  GET(w, d, sn_data_new(m, w->error));
  for (int i = 0; d && i < 3; i++) {
    DO(w, status, sn_step(m, d), sn_data_error(d));
  }
  if (d) {
    DO(w, status, sn_forward(m, d), sn_data_error(d));
    DO(w, status, sn_inverse(m, d), sn_data_error(d));
    *hash = sn_state_hash(m, d, SN_STATE_INTEGRATION);
  }
  sn_data_free(d);
}

static void save_and_read(work *w, const sn_model *m, uint64_t *hash) {
  sn_status status;
  sn_model *again = NULL;
  DO(w, status, sn_model_save(m, path_of("saved.snb"), w->error), w->error);
  if (status >= 0) {
    GET(w, again, sn_load(w->engine, path_of("saved.snb"), w->error));
  }
  if (again) {
    simulate(w, again, hash);
  }
  sn_model_free(again);
}

static void edit(work *w, const char *path) {
  sn_spec *spec, *copy = NULL;
  sn_model *m = NULL;
  sn_status status;
  GET(w, spec, sn_spec_load(w->engine, path, w->error));
  if (spec) {
    GET(w, copy, sn_spec_copy(spec, w->error));
  }
  if (copy) {
    DO(w, status, sn_spec_save(copy, "mjcf", path_of("saved.xml"), w->error), w->error);
    GET(w, m, sn_compile(copy, w->error));
  }
  if (m) {
    DO(w, status, sn_spec_update(copy, m, w->error), w->error);
  }
  sn_model_free(m);
  sn_spec_free(copy);
  sn_spec_free(spec);
}

// Removes the models that are kept, as far as that succeeds. How many there were.
static int clear_kept(void) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/kept", folder);
  DIR *d = opendir(path);
  int n = 0;
  for (const struct dirent *e; d && (e = readdir(d));) {
    if (e->d_name[0] != '.') {
      unlinkat(dirfd(d), e->d_name, 0);
      n++;
    }
  }
  if (d) {
    closedir(d);
  }
  return n;
}

// A model is kept, and then taken: the second of the two.
static sn_model *load_kept(work *w, const char *path) {
  sn_model *first, *m = NULL;
  sn_status status;
  char kept[PATH_MAX];
  snprintf(kept, sizeof kept, "%s/kept", folder);
  clear_kept();
  DO(w, status, sn_engine_set(w->engine, "cache.folder", kept, w->error), w->error);
  DO(w, status, sn_engine_set(w->engine, "cache.models", "yes", w->error), w->error);
  GET(w, first, sn_load(w->engine, path, w->error));
  if (first) {
    GET(w, m, sn_load(w->engine, path, w->error));
  }
  sn_model_free(first);
  return m;
}

void work_do(const char *kind, outcome *out) {
  work w = { .out = out };
  sn_model *m = NULL;
  char path[PATH_MAX];
  uint64_t hash[2] = { 0 };
  const int is_kept = strcmp(kind, "kept") == 0;
  keeps |= is_kept;
  snprintf(path, sizeof path, "%s/%s.%s", folder, is_kept ? "mjcf" : kind,
           strcmp(kind, "binary") ? "xml" : "snb");
  *out = (outcome){ 0 };
  w.error = sn_error_new();
  w.error = w.error ? w.error : sn_error_new();
  GET(&w, w.engine, sn_engine_open(SN_TEST_BUILD "/sinew.ini", w.error));
  if (w.engine && strcmp(kind, "scene") == 0) {
    sn_status status;
    DO(&w, status,
       sn_engine_load_plugin(w.engine, "scene", SN_TEST_BUILD "/samples/scene.so", w.error),
       w.error);
  }
  if (w.engine && is_kept) {
    m = load_kept(&w, path);
  } else if (w.engine) {
    GET(&w, m, sn_load(w.engine, path, w.error));
  }
  if (m) {
    simulate(&w, m, &hash[0]);
    save_and_read(&w, m, &hash[1]);
  }
  if (w.engine && strcmp(kind, "binary") != 0 && !is_kept) {
    edit(&w, path);
  }
  out->hash = hash[0] && hash[1] ? hash[0] ^ (hash[1] * 31) : 0;
  sn_model_free(m);
  sn_engine_close(w.engine);
  sn_error_free(w.error);
}

// ------------------------------------------------------------------ begin and end

void work_prepare(void) {
  const char *parent = getenv("TMPDIR");
  snprintf(folder, sizeof folder, "%.40s/sinew-XXXXXX", parent ? parent : "/tmp");
  if (!mkdtemp(folder)) {
    end(folder);
  }
  put_model("mjcf.xml");
  put_model("part.xml");
  put_model("urdf.xml");
  put_model("x_xy.xml");
  put_file("tet.obj", obj, sizeof obj - 1);
  put_file("hills.png", png, sizeof png);
  put_stl();
  put_archive();
  if (access(SN_TEST_BUILD "/plugins/zip.so", F_OK) == 0) {
    put_file("scene.xml", scene, sizeof scene - 1);
  } else {
    put_file("scene.xml", scene_without_archive, sizeof scene_without_archive - 1);
  }

  usleep(300000);   // files that have just changed are not kept

  // the binary model is made in another process, so that this one is as new
  const pid_t child = fork();
  if (child == 0) {
    sn_error *error = sn_error_new();
    sn_engine *engine = sn_engine_open(SN_TEST_BUILD "/sinew.ini", error);
    sn_model *m = engine ? sn_load(engine, path_of("mjcf.xml"), error) : NULL;
    if (!m || sn_model_save(m, path_of("binary.snb"), error) < 0) {
      fprintf(stderr, "%s\n", sn_error_text(error));
      _exit(2);
    }
    _exit(0);
  }
  int status = 1;
  if (child < 0 || waitpid(child, &status, 0) < 0 || status != 0) {
    end("binary.snb");
  }
}

void work_clean(void) {
  outcome out;
  if (keeps) {
    work_do("kept", &out);
    if (clear_kept() != 1) {
      fprintf(stderr, "no model was kept\n");
      exit(2);
    }
    rmdir(path_of("kept"));
  }
  for (const char *const *name = files; *name; name++) {
    unlink(path_of(*name));
  }
  rmdir(folder);
}
