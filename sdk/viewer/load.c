// SPDX-License-Identifier: Apache-2.0
//
// Another model takes the place of the one that is shown: its file changed, another file was
// dropped, or engine settings changed that a model takes when it is made (colliders, the profile).
// The state goes with it as far as elements have the same names. If anything fails the old model
// goes on.

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "parts.h"

static const double check_time = 0.2;   // s between looks at the files

int load_is_offered(const sn_viewer *v) {
  return !v->is_passive;
}

// ------------------------------------------------------------------ files

static int look_at(stamp *s) {
  struct stat now;
  if (stat(s->path, &now) != 0) {   // an editor is replacing it
    return 0;
  }
  const int changed = now.st_size != s->size || now.st_mtim.tv_sec != s->modified.tv_sec ||
                      now.st_mtim.tv_nsec != s->modified.tv_nsec;
  s->size = now.st_size;
  s->modified = now.st_mtim;
  return changed;
}

static void watch_file(sn_viewer *v, const char *path) {
  files *f = &v->files;
  for (int64_t i = 0; i < f->n; i++) {
    if (strcmp(f->stamp[i].path, path) == 0) {
      return;
    }
  }
  stamp *more = realloc(f->stamp, (size_t)(f->n + 1) * sizeof *more);
  if (more) {
    f->stamp = more;
    more[f->n] = (stamp){ .path = strdup(path) };
    if (more[f->n].path) {
      look_at(&more[f->n++]);
    }
  }
}

static void note_file(void *context, const char *path, const uint8_t *bytes, int64_t count) {
  (void)bytes;
  (void)count;
  watch_file(context, path);
}

void load_watch(sn_viewer *v) {
  if (v->path && load_is_offered(v)) {
    watch_file(v, v->path);
    for (int64_t i = 0; i < v->ask.nfile; i++) {
      watch_file(v, v->ask.file[i]);
    }
  }
}

static void forget_files(sn_viewer *v) {
  for (int64_t i = 0; i < v->files.n; i++) {
    free(v->files.stamp[i].path);
  }
  v->files.n = 0;
}

// What the panels of the last frame want: it is done here, where nothing is being drawn.
static void load_wanted(sn_viewer *v) {
  if (v->wants_reload && v->path) {
    load_file(v, v->path);
  }
  if (v->wants_rebuild) {
    load_rebuild(v);
  }
  if (*v->wants_profile) {
    load_profile(v, v->wants_profile);
  }
  v->wants_reload = v->wants_rebuild = 0;
  v->wants_profile[0] = '\0';
}

// A file that is still being written changes again, and is waited for.
void load_check(sn_viewer *v) {
  files *f = &v->files;
  const double now = viewer_now();
  int changed = 0;
  load_wanted(v);
  if (now - f->checked < check_time) {
    return;
  }
  f->checked = now;
  for (int64_t i = 0; i < f->n; i++) {
    changed |= look_at(&f->stamp[i]);
  }
  if (!changed && f->changed && v->path) {
    load_file(v, v->path);
  }
  f->changed = changed;
}

// ------------------------------------------------------------------ taking a model

static void drop_own(sn_viewer *v, sn_model *m, sn_data *d, sn_engine *engine, int owned) {
  if (owned) {
    sn_data_free(d);
    sn_model_free(m);
  }
  if (engine != v->own_engine) {
    sn_engine_close(engine);
  }
}

static void drop_keys(sn_viewer *v) {
  save_close(v);
  v->next_key = 0;
}

// What refers to elements of the model before.
static void forget_elements(sn_viewer *v, const sn_model *before) {
  sn_scene_camera *c = &v->image.camera;
  if (c->mode == SN_CAMERA_FIXED && c->camera >= snm_ncam(v->m)) {
    c->mode = SN_CAMERA_FREE;
  }
  if (c->mode == SN_CAMERA_TRACK && c->body >= snm_nbody(v->m)) {
    c->mode = SN_CAMERA_FREE;
  }
  if (!save_transfer(v, before)) {
    drop_keys(v);   // out of memory
  }
  v->plots.count = v->plots.timed = 0;
  v->plots.sensor_of = 0;
  sn_data_free(v->plots.twin);
  v->plots.twin = NULL;
  history_open(v);
}

// The state that `reset` goes to becomes that of the new model.
static int start_of(const sn_model *m, double **start, sn_error *error) {
  sn_data *fresh = sn_data_new(m, error);
  *start = malloc((size_t)sn_state_size(m, SN_STATE_INTEGRATION) * sizeof **start + 1);
  if (fresh && *start) {
    sn_state_get(m, fresh, SN_STATE_INTEGRATION, *start);
  }
  sn_data_free(fresh);
  return fresh && *start;
}

// Takes a model, of an engine that becomes the viewer's own, or NULL: of the engine before. Both
// belong to the viewer then; they are freed if it fails.
static int take(sn_viewer *v, sn_model *m, sn_engine *engine) {
  mouse_end_pull(v);   // its force would go to the new model
  const sn_viewer before = *v;
  double *start = NULL;
  sn_data *d = sn_data_transfer(m, v->m, v->d, v->error);
  if (!d || !start_of(m, &start, v->error)) {
    sn_data_free(d);
    sn_model_free(m);
    sn_engine_close(engine);
    free(start);
    return 0;
  }
  v->m = m;
  v->d = d;
  v->image.canvas = NULL;
  v->image.scene = NULL;
  if (image_open(v, v->error) < 0) {
    image_close(v);
    v->m = before.m;
    v->d = before.d;
    v->image = before.image;
    sn_data_free(d);
    sn_model_free(m);
    sn_engine_close(engine);
    free(start);
    return 0;
  }
  const sn_renderer_ops *ops = before.image.ops;
  ops->close(before.image.self, before.image.canvas);
  sn_scene_free(before.image.scene);
  v->own_engine = engine ? engine : before.own_engine;
  v->owns_model = 1;
  free(v->start);
  v->start = start;
  forget_elements(v, before.m);
  drop_own(v, before.m, before.d, before.own_engine, before.owns_model);
  sn_forward(v->m, v->d);
  return 1;
}

// ------------------------------------------------------------------ loading

static sn_model *read_model(sn_viewer *v, sn_engine *engine, const char *path) {
  sn_engine_watch_files(engine, note_file, v);
  sn_model *m = sn_load(engine, path, v->error);
  sn_engine_watch_files(engine, NULL, NULL);
  if (m && v->ask.loaded && v->ask.loaded(v->ask.context, m, v->error) < 0) {
    sn_model_free(m);
    m = NULL;
  }
  return m;
}

// The model as it is, from its own bytes. *wrong: 0, or the errno of the temporary file.
static sn_model *copy_model(sn_viewer *v, sn_engine *engine, int *wrong) {
  char path[] = "/tmp/sinew-view-XXXXXX";
  const int file = mkstemp(path);
  sn_model *m = NULL;
  if (file < 0) {
    *wrong = errno;
    return NULL;
  }
  close(file);
  if (sn_model_save(v->m, path, v->error) >= 0) {
    m = sn_load(engine, path, v->error);
  }
  unlink(path);
  return m;
}

// Of a temporary file, or else of v->error.
static void complain(sn_viewer *v, const char *what, int wrong) {
  if (wrong) {
    viewer_complain(v, "%s: no file can be made in /tmp: %s", what, strerror(wrong));
  } else {
    viewer_complain_of(v, what);
  }
}

void load_file(sn_viewer *v, const char *path) {
  const int same = v->path && strcmp(v->path, path) == 0;
  char *name = strdup(path);
  sn_model *m = name ? read_model(v, sn_model_engine(v->m), name) : NULL;
  if (!m || !take(v, m, NULL)) {
    snprintf(v->broken, sizeof v->broken, "%s", sn_error_text(v->error));
    free(name);
    return;
  }
  v->broken[0] = '\0';
  if (!same) {
    forget_files(v);
    watch_file(v, name);
    v->image.camera = sn_scene_default_camera(v->m);
    drop_keys(v);
  }
  free(v->path);
  v->path = name;
  viewer_say(v, "%s %s", same ? "loaded again:" : "opened", name);
}

void load_profile(sn_viewer *v, const char *name) {
  const sn_engine_request request = { .size = sizeof request,
                                      .config = v->ask.config,
                                      .profile = name };
  sn_engine *engine = sn_engine_open_with(&request, v->error);
  sn_model *m = NULL;
  int wrong = 0;
  if (engine && (!v->ask.prepare || v->ask.prepare(v->ask.context, engine, v->error) >= 0)) {
    m = v->path ? read_model(v, engine, v->path) : copy_model(v, engine, &wrong);
  }
  if (!m) {
    sn_engine_close(engine);
    complain(v, "the profile cannot be used", wrong);
  } else if (!take(v, m, engine)) {
    viewer_complain_of(v, "the profile cannot be used");
  } else {
    viewer_say(v, "profile: %s", name);
  }
}

void load_rebuild(sn_viewer *v) {
  int wrong = 0;
  sn_model *m = copy_model(v, sn_model_engine(v->m), &wrong);
  if (!m || !take(v, m, NULL)) {
    complain(v, "the model cannot be made again", wrong);
  }
}

void load_close(sn_viewer *v) {
  forget_files(v);
  free(v->files.stamp);
  sn_data_free(v->plots.twin);
  if (v->owns_model) {
    sn_data_free(v->d);
    sn_model_free(v->m);
  }
  sn_engine_close(v->own_engine);
}
