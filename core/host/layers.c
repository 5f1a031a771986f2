// SPDX-License-Identifier: Apache-2.0
//
// The layers of the configuration: which inis count, and in which order.
//
//   installed   beside the library, or a file that says `root = true` in its place
//   profile     NAME.ini in the folder profiles/ beside the user's or the installed one
//   user        $XDG_CONFIG_HOME/sinew/sinew.ini, or ~/.config/sinew/sinew.ini
//   named       by the caller, else by $SINEW_CONFIG
//
// They are read from the strongest to the weakest, for the strong ones say whether the weak ones
// count and which profile it is; then their lines are joined from the weakest on. Files of the
// working folder are never searched: it may be one that was unpacked to look at a model, and an ini
// names code to run.

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "host/engine_state.h"
#include "platform/file.h"
#include "platform/folder.h"
#include "platform/object.h"

// ------------------------------------------------------------------ places

char *si_layers_installed(void) {
  static const char *const names[] = { "sinew/sinew.ini", "sinew.ini" };
  const char *own = si_object_own_path(), *slash = own ? strrchr(own, '/') : NULL;
  char *written = slash ? strndup(own, (size_t)(slash - own)) : NULL;
  char *folder = written ? realpath(written, NULL) : NULL;   // without bin/../lib
  char *found = NULL;
  for (size_t i = 0; folder && !found && i < sizeof names / sizeof names[0]; i++) {
    char *path = si_text("%s/%s", folder, names[i]);
    found = path && si_file_exists(path) ? path : NULL;
    if (!found) {
      free(path);
    }
  }
  free(written);
  free(folder);
  return found ? found : strdup(SN_DEFAULT_CONFIG);
}

// NULL: there is no home, or the program has the rights of another user.
static char *users_place(void) {
  const char *xdg = secure_getenv("XDG_CONFIG_HOME"), *home = secure_getenv("HOME");
  return xdg && xdg[0] == '/'     ? si_text("%s/sinew/sinew.ini", xdg)
         : home && home[0] == '/' ? si_text("%s/.config/sinew/sinew.ini", home)
                                  : NULL;
}

// $NAME, if it counts and is not empty.
static const char *environment(const sn_engine_request *request, const char *name) {
  const char *value = request->flags & SN_ENGINE_ALONE ? NULL : secure_getenv(name);
  return value && value[0] ? value : NULL;
}

// ------------------------------------------------------------------ one layer

// What is known of the layers while they are read.
typedef struct layers {
  sn_engine *engine;
  const sn_engine_request *request;
  si_layer installed, profile, user, named;
  char *home;   // the user's ini, which may not exist
} layers;

static sn_status read_layer(si_layer *layer, int32_t which, const char *path, sn_error *error) {
  layer->layer = which;
  // a path that does not resolve stays as it is, for the message when it is opened
  layer->file = realpath(path, NULL);
  layer->file = layer->file ? layer->file : strdup(path);
  return layer->file ? si_config_read(layer, error) : si_no_memory(error);
}

static sn_status read_named(layers *l, sn_error *error) {
  const char *path = l->request->config ? l->request->config
                                        : environment(l->request, "SINEW_CONFIG");
  return path ? read_layer(&l->named, SI_LAYER_NAMED, path, error) : SN_OK;
}

static sn_status read_user(layers *l, sn_error *error) {
  const int wanted = !l->named.is_root && l->home && si_file_exists(l->home);
  return wanted ? read_layer(&l->user, SI_LAYER_USER, l->home, error) : SN_OK;
}

static sn_status read_installed(layers *l, sn_error *error) {
  if (l->named.is_root || l->user.is_root) {
    return SN_OK;
  }
  char *path = si_layers_installed();
  if (!path) {
    return si_no_memory(error);
  }
  sn_status status = SN_OK;
  if (si_file_exists(path)) {
    status = read_layer(&l->installed, SI_LAYER_INSTALLED, path, error);
  } else if (!l->named.file && !l->user.file) {
    status = si_fail(error, SN_ENOTFOUND,
                     "no sinew.ini was found; searched: $SINEW_CONFIG, %s, %s; name one with "
                     "--config or $SINEW_CONFIG (the working folder is not searched), or install "
                     "Sinew",
                     l->home ? l->home : "(no XDG_CONFIG_HOME)", path);
  }
  free(path);
  return status;
}

// ------------------------------------------------------------------ the profile

// profiles/NAME.ini beside a file. NULL: there is none.
static char *profile_beside(const char *file, const char *name) {
  const char *slash = file ? strrchr(file, '/') : NULL;
  char *path = slash ? si_text("%.*s/profiles/%s.ini", (int)(slash - file), file, name) : NULL;
  if (path && !si_file_exists(path)) {
    free(path);
    path = NULL;
  }
  return path;
}

enum { MOST_PROFILES = 32 };
typedef struct names {
  char *name[MOST_PROFILES];
  int n;
} names;

static void add_name(void *context, const char *file, int32_t is_folder) {
  names *list = context;
  const char *end = strrchr(file, '.');
  if (!is_folder && end && strcmp(end, ".ini") == 0 && list->n < MOST_PROFILES) {
    list->name[list->n] = strndup(file, (size_t)(end - file));
    list->n += list->name[list->n] != NULL;
  }
}

static sn_status unknown_profile(const layers *l, const char *const *places, int nplace,
                                 const char *name, const sn_location *location, sn_error *error) {
  names list = { .n = 0 };
  for (int i = 0; i < nplace; i++) {
    const char *slash = places[i] ? strrchr(places[i], '/') : NULL;
    char *folder = slash ? si_text("%.*s/profiles", (int)(slash - places[i]), places[i]) : NULL;
    if (folder) {
      si_folder_sorted(folder, add_name, &list);
    }
    free(folder);
  }
  char cure[SI_SUGGESTION];
  si_fail_at(error, SN_ENOTFOUND, location,
             "there is no profile '%s'%s; a profile is a file NAME.ini in the folder profiles "
             "beside %s%s%s",
             name,
             list.n > 0 ? si_suggest(cure, sizeof cure, name, "available",
                                     (const char *const *)list.name, list.n)
                        : "",
             places[1], l->home ? " or " : "", l->home ? l->home : "");
  for (int i = 0; i < list.n; i++) {
    free(list.name[i]);
  }
  return SN_ENOTFOUND;
}

// location: of the line that selects it; no file: the caller or the environment does.
static const char *profile_name(const layers *l, sn_location *location) {
  const char *asked = l->request->profile ? l->request->profile
                                          : environment(l->request, "SINEW_PROFILE");
  const si_layer *by = l->named.profile ? &l->named : l->user.profile ? &l->user : &l->installed;
  *location = (sn_location){ asked ? NULL : by->profile_file, asked ? 0 : by->profile_line, 0 };
  return asked ? asked : by->profile;
}

static sn_status read_profile(layers *l, sn_error *error) {
  sn_location location;
  const char *name = profile_name(l, &location);
  if (!name || !name[0] || strcmp(name, "none") == 0) {
    return SN_OK;
  }
  char *installed = si_layers_installed(), *path = NULL;
  if (!installed) {
    return si_no_memory(error);
  }
  const char *const places[] = { l->home, installed };
  if (strchr(name, '/')) {
    si_fail_at(error, SN_EINVAL, &location,
               "'%s' is not the name of a profile; a file is named with --config or $SINEW_CONFIG",
               name);
    free(installed);
    return SN_EINVAL;
  }
  for (int i = 0; i < 2 && !path; i++) {
    path = profile_beside(places[i], name);
  }
  sn_status status = path ? read_layer(&l->profile, SI_LAYER_PROFILE, path, error)
                          : unknown_profile(l, places, 2, name, &location, error);
  free(installed);
  free(path);
  return status;
}

// ------------------------------------------------------------------ all of them

static void free_layer(si_layer *layer) {
  si_config_free(layer->entry, layer->nentry);
  free(layer->file);
  free(layer->profile);
  free(layer->profile_file);
  *layer = (si_layer){ .nentry = 0 };
}

// Moves the lines of a layer behind those of the weaker ones.
static sn_status join(sn_engine *engine, si_layer *layer, int32_t which, sn_error *error) {
  for (int64_t i = 0; i < layer->nentry; i++) {
    layer->entry[i].layer = which;
    si_config_warn_removed(engine, &layer->entry[i]);
    SN_TRY(si_config_put(&engine->entry, &engine->nentry, &layer->entry[i], error));
  }
  free(layer->entry);
  layer->entry = NULL;
  layer->nentry = 0;
  layer->layer = which;
  engine->layer[engine->nlayer++] = *layer;
  *layer = (si_layer){ .nentry = 0 };
  return SN_OK;
}

static sn_status join_all(layers *l, sn_error *error) {
  si_layer *order[4];
  int n = 0;
  si_layer *root = l->named.is_root ? &l->named : l->user.is_root ? &l->user : &l->installed;
  si_layer *const rest[] = { &l->profile, &l->user, &l->named };
  order[n++] = root;
  for (int i = 0; i < 3; i++) {
    if (rest[i] != root) {
      order[n++] = rest[i];
    }
  }
  for (int i = 0; i < n; i++) {
    // the same file may be that of two layers: it counts once, as the weaker one
    int is_new = order[i]->file != NULL;
    for (int64_t k = 0; is_new && k < l->engine->nlayer; k++) {
      is_new = strcmp(l->engine->layer[k].file, order[i]->file) != 0;
    }
    if (is_new) {
      SN_TRY(join(l->engine, order[i], i == 0 ? SI_LAYER_INSTALLED : order[i]->layer, error));
    }
  }
  return SN_OK;
}

// The file that messages name as the one to change.
static sn_status set_config(const layers *l, sn_error *error) {
  sn_engine *engine = l->engine;
  const si_layer *last = &engine->layer[engine->nlayer - 1];
  const char *file = last->layer != SI_LAYER_NAMED && last->layer != SI_LAYER_USER && l->home &&
                             !engine->layer[0].is_root
                         ? l->home
                         : last->file;
  engine->config = strdup(file);
  return engine->config ? SN_OK : si_no_memory(error);
}

static sn_status read_all(layers *l, sn_error *error) {
  SN_TRY(read_named(l, error));
  SN_TRY(read_user(l, error));
  SN_TRY(read_installed(l, error));
  SN_TRY(read_profile(l, error));
  SN_TRY(join_all(l, error));
  return set_config(l, error);
}

sn_status si_layers_read(sn_engine *engine, const sn_engine_request *request, sn_error *error) {
  layers l = { .engine = engine, .request = request };
  l.home = request->flags & SN_ENGINE_ALONE ? NULL : users_place();
  sn_status status = read_all(&l, error);
  free_layer(&l.installed);
  free_layer(&l.profile);
  free_layer(&l.user);
  free_layer(&l.named);
  free(l.home);
  return status;
}

void si_layers_free(sn_engine *engine) {
  for (int64_t i = 0; i < engine->nlayer; i++) {
    free_layer(&engine->layer[i]);
  }
  si_config_free(engine->entry, engine->nentry);
  free(engine->config);
}
