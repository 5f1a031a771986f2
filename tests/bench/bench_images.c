// SPDX-License-Identifier: Apache-2.0
//
// Images a second, without a screen, of the renderer `opengl` and of the reference engine: from a
// state to the pixels in memory, scene included, in 640 x 480 with the settings of the model. Both
// draw through EGL, on the same card or with the same software, in blocks that alternate. Times are
// those of the processor, of all threads: what an image takes on a machine that is shared.

#include <EGL/egl.h>
#include <EGL/eglext.h>
#include <mujoco/mujoco.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "crowds.h"
#include "sinew/renderer.h"

enum { WIDTH = 640, HEIGHT = 480, BLOCKS = 5, MOST_GEOMS = 20000 };
static const double block_seconds = 0.4;
static uint8_t pixels[3 * WIDTH * HEIGHT];

typedef struct ours {
  sn_model *model;
  sn_data *data;
  sn_scene *scene;
  const sn_renderer_ops *ops;
  const void *self;
  void *canvas;
} ours;

typedef struct theirs {
  EGLDisplay display;
  EGLContext context;
  mjModel *model;
  mjData *data;
  mjvScene scene;
  mjrContext renderer;
} theirs;

static double process_clock(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// ------------------------------------------------------------------ Sinew

static int open_ours(ours *o, sn_engine *engine, const char *path, sn_error *error) {
  const void *ops = NULL;
  o->model = sn_load(engine, path, error);
  o->data = o->model ? sn_data_new(o->model, error) : NULL;
  o->scene = o->data ? sn_scene_new(o->model, error) : NULL;
  if (!o->scene || sn_engine_use(engine, SN_KIND_RENDERER, "opengl", &ops, &o->self, error) < 0) {
    return 0;
  }
  o->ops = ops;
  return o->ops->open(o->self, SN_CANVAS_OFFSCREEN, &o->canvas, error) >= 0 &&
         sn_forward(o->model, o->data) >= 0;
}

static int draw_ours(ours *o, sn_error *error) {
  const sn_scene_options options = sn_scene_default_options();
  const sn_scene_camera camera = sn_scene_default_camera(o->model);
  sn_image image = { .size = sizeof image, .width = WIDTH, .height = HEIGHT, .rgb = pixels };
  return sn_scene_update(o->scene, o->model, o->data, &options, &camera, NULL, error) >= 0 &&
         o->ops->render(o->self, o->canvas, o->scene, &image, error) >= 0;
}

static void close_ours(ours *o) {
  if (o->canvas) {
    o->ops->close(o->self, o->canvas);
  }
  sn_scene_free(o->scene);
  sn_data_free(o->data);
  sn_model_free(o->model);
}

// ------------------------------------------------------------------ the reference engine

static int open_context(theirs *t) {
  const PFNEGLGETPLATFORMDISPLAYEXTPROC get = (PFNEGLGETPLATFORMDISPLAYEXTPROC)eglGetProcAddress(
      "eglGetPlatformDisplayEXT");
  const EGLint wanted[] = { EGL_DEPTH_SIZE,
                            24,
                            EGL_STENCIL_SIZE,
                            8,
                            EGL_SURFACE_TYPE,
                            EGL_PBUFFER_BIT,
                            EGL_RENDERABLE_TYPE,
                            EGL_OPENGL_BIT,
                            EGL_NONE };
  EGLConfig config;
  EGLint n;
  t->display = get ? get(EGL_PLATFORM_SURFACELESS_MESA, EGL_DEFAULT_DISPLAY, NULL)
                   : eglGetDisplay(EGL_DEFAULT_DISPLAY);
  if (!eglInitialize(t->display, NULL, NULL) ||
      !eglChooseConfig(t->display, wanted, &config, 1, &n) || n < 1) {
    return 0;
  }
  eglBindAPI(EGL_OPENGL_API);
  t->context = eglCreateContext(t->display, config, EGL_NO_CONTEXT, NULL);
  return t->context != EGL_NO_CONTEXT;
}

static int enter(const theirs *t) {
  return eglBindAPI(EGL_OPENGL_API) &&
         eglMakeCurrent(t->display, EGL_NO_SURFACE, EGL_NO_SURFACE, t->context);
}

static int open_theirs(theirs *t, const char *path, char *why, int size) {
  t->model = mj_loadXML(path, NULL, why, size);
  if (!t->model || !open_context(t) || !enter(t)) {
    return 0;
  }
  t->data = mj_makeData(t->model);
  t->model->vis.global.offwidth = WIDTH;
  t->model->vis.global.offheight = HEIGHT;
  mjv_defaultScene(&t->scene);
  mjv_makeScene(t->model, &t->scene, MOST_GEOMS);
  mjr_defaultContext(&t->renderer);
  mjr_makeContext(t->model, &t->renderer, mjFONTSCALE_100);
  mjr_setBuffer(mjFB_OFFSCREEN, &t->renderer);
  mj_forward(t->model, t->data);
  return 1;
}

static void draw_theirs(theirs *t) {
  const mjrRect view = { 0, 0, WIDTH, HEIGHT };
  mjvOption option;
  mjvCamera camera;
  mjv_defaultOption(&option);
  mjv_defaultCamera(&camera);
  mjv_defaultFreeCamera(t->model, &camera);
  mjv_updateScene(t->model, t->data, &option, NULL, &camera, mjCAT_ALL, &t->scene);
  mjr_render(view, &t->scene, &t->renderer);
  mjr_readPixels(pixels, NULL, view, &t->renderer);
}

static void close_theirs(theirs *t) {
  if (t->data && enter(t)) {
    mjr_freeContext(&t->renderer);
    mjv_freeScene(&t->scene);
    eglMakeCurrent(t->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
    eglDestroyContext(t->display, t->context);
  }
  mj_deleteData(t->data);
  mj_deleteModel(t->model);
}

// ------------------------------------------------------------------ blocks

// Seconds of an image.
static double time_ours(ours *o, int n, sn_error *error) {
  const double start = process_clock();
  for (int i = 0; i < n; i++) {
    if (!draw_ours(o, error)) {
      return -1;
    }
  }
  return (process_clock() - start) / n;
}

static double time_theirs(theirs *t, int n) {
  const double start = process_clock();
  for (int i = 0; i < n; i++) {
    draw_theirs(t);
  }
  return (process_clock() - start) / n;
}

static int compare_reals(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static int measure(const char *name, ours *o, theirs *t, sn_error *error) {
  double mine[BLOCKS], other[BLOCKS], ratio[BLOCKS];
  enter(t);
  time_theirs(t, 2);
  if (time_ours(o, 2, error) < 0 || !enter(t)) {
    return 0;
  }
  const double once = time_theirs(t, 2);
  const int n = once * 2 < block_seconds ? (int)(block_seconds / once) : 2;
  for (int k = 0; k < BLOCKS; k++) {
    mine[k] = time_ours(o, n, error);
    if (mine[k] < 0 || !enter(t)) {
      return 0;
    }
    other[k] = time_theirs(t, n);
    ratio[k] = other[k] / mine[k];
  }
  qsort(mine, BLOCKS, sizeof *mine, compare_reals);
  qsort(other, BLOCKS, sizeof *other, compare_reals);
  qsort(ratio, BLOCKS, sizeof *ratio, compare_reals);
  printf("%-16s %6lld %10.1f %10.1f %8.2f [%5.2f %5.2f]\n", name, (long long)o->scene->ngeom,
         1 / mine[BLOCKS / 2], 1 / other[BLOCKS / 2], ratio[BLOCKS / 2], ratio[0],
         ratio[BLOCKS - 1]);
  fflush(stdout);
  return 1;
}

static int run(sn_engine *engine, const char *name, const char *path) {
  char why[300] = "no OpenGL through EGL";
  sn_error *error = sn_error_new();
  ours o = { 0 };
  theirs t = { 0 };
  int good = open_ours(&o, engine, path, error);
  if (good && open_theirs(&t, path, why, sizeof why)) {
    good = measure(name, &o, &t, error);
  } else if (good) {
    fprintf(stderr, "%s: the reference engine: %s\n", name, why);
    good = 0;
  }
  if (sn_error_code(error)) {
    fprintf(stderr, "%s: %s\n", name, sn_error_text(error));
  }
  close_ours(&o);
  close_theirs(&t);
  sn_error_free(error);
  return good;
}

static void print_head(void) {
  printf("%-16s %6s %10s %10s\n%-16s %6s %10s %10s %8s %13s\n", "", "", "images/s", "images/s",
         "model", "geoms", "Sinew", "ref.", "ratio", "range");
}

static int run_robot(sn_engine *engine) {
  char path[64];
  if (!crowd_write(&mesh_robot, path)) {
    fprintf(stderr, "%s: it could not be written\n", mesh_robot.name);
    return 0;
  }
  const int good = run(engine, mesh_robot.name, path);
  remove(path);
  return good;
}

int bench_images(sn_engine *engine, int nfile, char **file) {
  static const struct {
    const char *name, *path;
  } models[] = {
    { "humanoid", "/usr/share/mujoco/model/humanoid/humanoid.xml" },
    { "22_humanoids", "/usr/share/mujoco/model/humanoid/22_humanoids.xml" },
    { "mug", "/usr/share/mujoco/model/mug/mug.xml" },
    { "cloth", "/usr/share/mujoco/model/composite/cloth.xml" },
  };
  int good = 1;
  print_head();
  for (size_t i = 0; i < sizeof models / sizeof models[0] && nfile == 0; i++) {
    good &= run(engine, models[i].name, models[i].path);
  }
  good &= nfile > 0 || run_robot(engine);
  for (int i = 0; i < nfile; i++) {
    const char *slash = strrchr(file[i], '/');
    good &= run(engine, slash ? slash + 1 : file[i], file[i]);
  }
  return good;
}
