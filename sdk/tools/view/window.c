// SPDX-License-Identifier: Apache-2.0
//
// sinew view MODEL: loads the library of the viewer, which needs GLFW, Dear ImGui and OpenGL, only
// now, so that the command works where they are missing.

#include "window.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/viewer.h"

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
#define LIBRARY "libsinew_viewer.so." TEXT(SN_ABI_MAJOR)

typedef sn_status run_fn(sn_model *model, sn_data *data, const sn_viewer_request *request,
                         sn_error *error);

typedef struct view {
  session s;
  char path[PATH_MAX];
  char **file;   // those that the model was made of
  int64_t nfile;
} view;

// ------------------------------------------------------------------ the library

static int load_library(const options *o, run_fn **run) {
  static const char *const places[] = { LIBRARY, SINEW_LIBDIR "/" LIBRARY };
  char path[PATH_MAX];
  void *object = NULL;
  for (size_t i = 0; i < sizeof places / sizeof places[0] && !object; i++) {
    if (beside_program(path, sizeof path, places[i])) {
      object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
  }
  void *symbol = object ? dlsym(object, "sn_viewer_run") : NULL;
  memcpy(run, &symbol, sizeof symbol);
  return symbol ? DONE
                : report_text(o, NULL, 0, 0,
                              "the viewer cannot be loaded: %s; it is built where libglfw3-dev, "
                              "libimgui-dev and libepoxy-dev are installed; without it, use "
                              "--web, or `sinew render`",
                              dlerror());
}

// ------------------------------------------------------------------ what the window calls

static void note_file(void *context, const char *path, const uint8_t *bytes, int64_t count) {
  view *w = context;
  char **more = realloc(w->file, (size_t)(w->nfile + 1) * sizeof *more);
  (void)bytes;
  (void)count;
  if (more) {
    w->file = more;
    more[w->nfile] = strdup(path);
    w->nfile += more[w->nfile] != NULL;
  }
}

static sn_status failed(int status) {
  return status == DONE ? SN_OK : SN_EINVAL;
}

static sn_status prepare(void *context, sn_engine *engine, sn_error *error) {
  const view *w = context;
  session s = { .o = w->s.o, .engine = engine, .error = error };
  return failed(session_prepare(&s));
}

static sn_status loaded(void *context, sn_model *model, sn_error *error) {
  const view *w = context;
  session s = { .o = w->s.o, .engine = sn_model_engine(model), .model = model, .error = error };
  return failed(session_set_options(&s));
}

// ------------------------------------------------------------------ the subcommand

static int load(view *w) {
  const options *o = w->s.o;
  if (is_descriptor(o->operand[0])) {
    return session_load(&w->s, o->operand[0]);
  }
  const int status = model_find(&w->s, o->operand[0], 0, w->path, sizeof w->path);
  if (status != DONE) {
    return status;
  }
  sn_engine_watch_files(w->s.engine, note_file, w);
  const int found = session_load(&w->s, w->path);
  sn_engine_watch_files(w->s.engine, NULL, NULL);
  return found;
}

static int show(view *w, run_fn *run) {
  const options *o = w->s.o;
  const sn_viewer_request request = { .size = sizeof request,
                                      .path = *w->path ? w->path : NULL,
                                      .nfile = w->nfile,
                                      .file = (const char *const *)w->file,
                                      .time = o->time > 0 ? o->time : 0,
                                      .config = o->config,
                                      .context = w,
                                      .prepare = prepare,
                                      .loaded = loaded };
  return run(w->s.model, w->s.data, &request, w->s.error) < 0 ? report(o, w->s.error) : DONE;
}

int view_in_window(const options *o) {
  view w = { .s = { .o = o } };
  run_fn *run = NULL;
  int status = load_library(o, &run);
  status = status == DONE ? session_open(&w.s, o) : status;
  status = status == DONE ? load(&w) : status;
  status = status == DONE ? session_start(&w.s) : status;
  status = status == DONE ? input_apply(&w.s, o->input, NULL, NULL) : status;
  status = status == DONE ? show(&w, run) : status;
  for (int64_t i = 0; i < w.nfile; i++) {
    free(w.file[i]);
  }
  free(w.file);
  session_close(&w.s);
  return status;
}
