// SPDX-License-Identifier: Apache-2.0
//
// sinew complete -- WORD...: what the last word can become, for the completion of shells. The words
// are those of the command line after `sinew`. Prints one candidate a line, with a tab and its
// meaning where it has one; a last line `:files` or `:folders` asks the shell for names of files.
//
// What can follow is read from the tables of --help: commands, options, and the operands in the
// usage of a command ("list | inspect NAME | check [NAME | FILE.so]"). Words in small letters are
// typed as they are; each placeholder in capital letters is a row of `placeholders`.
//
// Only plugins of the installed and the user's configuration are loaded: the code of a file that is
// named on the line runs when the line does, not before.

#include <dirent.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "complete.h"
#include "sinew/collider.h"
#include "sinew/executor.h"
#include "sinew/integrator.h"
#include "sinew/loader.h"
#include "sinew/mesh.h"
#include "sinew/renderer.h"
#include "sinew/solver.h"
#include "tools/plugins/plugins.h"

// ------------------------------------------------------------------ candidates

void offer(const line *l, const char *head, const char *candidate, const char *meaning) {
  char whole[512];
  snprintf(whole, sizeof whole, "%s%s", head, candidate);
  if (strncmp(whole, l->word, strlen(l->word)) == 0) {
    printf("%.*s%s%s%s\n", l->nprefix, l->prefix, whole, meaning && *meaning ? "\t" : "",
           meaning ? meaning : "");
  }
}

sn_engine *engine_of(line *l) {
  if (!l->engine && l->error) {
    l->engine = session_engine(&l->o, SN_ENGINE_TOLERANT, l->error);
  }
  return l->engine;
}

void offer_some(line *l, const char *head, const char *kind, int post_solver) {
  sn_provider_info p = { .size = sizeof p };
  for (int64_t i = 0; engine_of(l) && sn_engine_provider(l->engine, i, &p); i++) {
    const sn_solver_ops *solver = strcmp(p.kind, SN_KIND_SOLVER) == 0 ? p.ops : NULL;
    if (!kind ? strcmp(p.name, p.plugin ? p.plugin : "") != 0   // which is offered by itself
              : strcmp(p.kind, kind) == 0 &&
                    (!solver || !(solver->head.flags & SN_SOLVER_POST) == !post_solver)) {
      offer(l, head, p.name, p.summary);
    }
  }
}

// kind NULL: all.
static void offer_providers(line *l, const char *head, const char *kind) {
  offer_some(l, head, kind, 0);
}

// What selects a provider by name, in [select], with --set or as an option of its own.
static const struct {
  const char *name, *kind;
} selections[] = {
  { "solver", SN_KIND_SOLVER },      { "integrator", SN_KIND_INTEGRATOR },
  { "executor", SN_KIND_EXECUTOR },  { "post_solver", SN_KIND_SOLVER },
  { "decomposition", SN_KIND_MESH }, { "collision", SN_KIND_COLLIDER },
  { "convex", SN_KIND_COLLIDER },    { "renderer", SN_KIND_RENDERER },
};
enum { NSELECTIONS = sizeof selections / sizeof selections[0] };

const char *kind_selected(const char *name) {
  for (int i = 0; i < NSELECTIONS; i++) {
    if (strcmp(selections[i].name, name) == 0) {
      return selections[i].kind;
    }
  }
  return strchr(name, '-') ? SN_KIND_COLLIDER : NULL;   // a pair of geom types
}

// ------------------------------------------------------------------ placeholders

static void offer_file(line *l, const char *head) {
  (void)l;
  (void)head;
  puts(":files");
}

static void offer_folder(line *l, const char *head) {
  (void)l;
  (void)head;
  puts(":folders");
}

static void offer_formats(line *l, const char *head) {
  offer_providers(l, head, SN_KIND_LOADER);
}

static void offer_kind(void *context, const char *kind) {
  offer(context, "", kind, NULL);
}

static void offer_kinds(line *l, const char *head) {
  (void)head;
  each_template(offer_kind, l);
}

// Providers and plugins, except where a new one is named.
static void offer_plugins(line *l, const char *head) {
  if (l->noperand > 0 && strcmp(l->operand[0], "new") == 0) {
    return;
  }
  offer_providers(l, head, NULL);
  sn_plugin_info p = { .size = sizeof p };
  for (int64_t i = 0; engine_of(l) && sn_engine_plugin(l->engine, i, &p); i++) {
    offer(l, head, p.key, p.summary);
  }
}

// The fields that a command prints, which are those of any model: here of an empty one.
static void offer_fields(line *l, const char *head) {
  sn_spec *spec = engine_of(l) ? sn_spec_new(l->engine, l->error) : NULL;
  sn_model *m = spec ? sn_compile(spec, l->error) : NULL;
  sn_data *d = m ? sn_data_new(m, l->error) : NULL;
  const int of_both = strcmp(l->c->name, "fields") == 0;
  const int of_model = of_both || strcmp(l->c->name, "inspect") == 0;
  sn_view v = { .size = sizeof v };
  for (int64_t i = 0; d && of_model && sn_model_field_at(m, i, &v); i++) {
    offer(l, head, v.name, v.meaning);
  }
  for (int64_t i = 0; d && (of_both || !of_model) && sn_data_field_at(m, d, i, &v); i++) {
    offer(l, head, v.name, v.meaning);
  }
  sn_data_free(d);
  sn_model_free(m);
  sn_spec_free(spec);
}

// --record: see record.h.
static void offer_recorded(line *l, const char *head) {
  offer(l, head, "all", "each step, and the start");
  offer(l, head, "last", "the last step");
  offer(l, head, "every", "every 10, every 0.01s");
  offer_fields(l, head);
}

// Formats that can be written.
static void offer_written(line *l, const char *head) {
  sn_provider_info p = { .size = sizeof p };
  for (int64_t i = 0; engine_of(l) && sn_engine_provider(l->engine, i, &p); i++) {
    if (strcmp(p.kind, SN_KIND_LOADER) == 0 && ((const sn_loader_ops *)p.ops)->save) {
      offer(l, head, p.name, p.summary);
    }
  }
  offer(l, head, "binary", "loads faster");
}

// Files, and the sample that a word is the start of.
static void offer_models(line *l, const char *head) {
  char folder[PATH_MAX];
  struct dirent **entry = NULL;
  const int n = *l->word && sample_folder(folder) ? scandir(folder, &entry, NULL, alphasort) : 0;
  for (int i = 0; i < n; i++) {
    char *end = strrchr(entry[i]->d_name, '.');
    if (end && strcmp(end, ".xml") == 0) {
      *end = '\0';
      offer(l, head, entry[i]->d_name, "sample");
    }
    free(entry[i]);
  }
  free(entry);
  offer_file(l, head);
}

// The first operand that is a model, if it loads within two seconds. Standard input is not read.
static sn_model *load_operand(line *l) {
  session s = { .o = &l->o, .error = l->error, .engine = engine_of(l) };
  char path[PATH_MAX];
  for (int i = 0; s.engine && i < l->noperand; i++) {
    if (!is_descriptor(l->operand[i]) &&
        model_find(&s, l->operand[i], 0, path, sizeof path) == DONE) {
      sn_engine_set(s.engine, "limits.time", "2", NULL);
      return sn_load(s.engine, path, l->error);
    }
  }
  return NULL;
}

static void offer_keyframes(line *l, const char *head) {
  sn_model *m = load_operand(l);
  for (int32_t i = 0; m && i < snm_nkey(m); i++) {
    const char *name = sn_name(m, "key", i);
    offer(l, head, name ? name : "", NULL);
  }
  sn_model_free(m);
}

// The columns of the tables on the line.
static void offer_columns(line *l, const char *head) {
  char *names = NULL;
  size_t capacity = 0;
  for (int i = 0; i < l->noperand; i++) {
    FILE *f = is_descriptor(l->operand[i]) ? NULL : fopen(l->operand[i], "re");
    const ssize_t n = f ? getline(&names, &capacity, f) : 0;
    for (char *p = names; n > 0 && p;) {
      char *name = strsep(&p, ",\n");
      if (*name) {
        offer(l, head, name, NULL);
      }
    }
    if (f) {
      fclose(f);
    }
  }
  free(names);
}

static void offer_profiles_of(line *l, const char *head, const char *ini) {
  char path[PATH_MAX];
  const char *slash = strrchr(ini, '/');
  if (!slash || (size_t)snprintf(path, sizeof path, "%.*s/profiles", (int)(slash - ini), ini) >=
                    sizeof path) {
    return;
  }
  struct dirent **entry = NULL;
  const int n = scandir(path, &entry, NULL, alphasort);
  for (int i = 0; i < n; i++) {
    char *end = strrchr(entry[i]->d_name, '.');
    if (end && strcmp(end, ".ini") == 0) {
      *end = '\0';
      offer(l, head, entry[i]->d_name, NULL);
    }
    free(entry[i]);
  }
  free(entry);
}

// The user's profiles may be there without an ini of the user.
static void offer_users_profiles(line *l, const char *head) {
  const char *xdg = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
  const int has_xdg = xdg && xdg[0] == '/';
  char ini[PATH_MAX];
  if ((has_xdg || (home && home[0] == '/')) &&
      snprintf(ini, sizeof ini, "%s/%ssinew/sinew.ini", has_xdg ? xdg : home,
               has_xdg ? "" : ".config/") < (int)sizeof ini) {
    offer_profiles_of(l, head, ini);
  }
}

static void offer_profiles(line *l, const char *head) {
  sn_layer_info layer = { .size = sizeof layer };
  offer_users_profiles(l, head);
  for (int64_t i = 0; engine_of(l) && sn_engine_layer(l->engine, i, &layer); i++) {
    // a profile is beside one of the others
    if (strcmp(layer.name, "profile") != 0 && strcmp(layer.name, "user") != 0) {
      offer_profiles_of(l, head, layer.path);
    }
  }
  offer(l, head, "none", NULL);
}

static void offer_languages(line *l, const char *head) {
  offer(l, head, "c", "C17");
  offer(l, head, "c++", "C++20");
}

static void offer_shard(line *l, const char *head) {
  offer(l, head, "auto", "according to the job array of a scheduler");
}

// ------------------------------------------------------------------ images

static void offer_sizes(line *l, const char *head) {
  offer(l, head, "640x480", NULL);
  offer(l, head, "1280x720", NULL);
  offer(l, head, "1920x1080", NULL);
}

static void offer_shows(line *l, const char *head) {
  const char *word, *meaning;
  for (int32_t i = 0; (word = sn_scene_show_word(i, NULL, &meaning)); i++) {
    offer(l, head, word, meaning);
  }
}

static void offer_labels(line *l, const char *head) {
  for (int32_t i = 0; sn_scene_label_word(i); i++) {
    offer(l, head, sn_scene_label_word(i), NULL);
  }
}

static void offer_frames(line *l, const char *head) {
  for (int32_t i = 0; sn_scene_frame_word(i); i++) {
    offer(l, head, sn_scene_frame_word(i), NULL);
  }
}

static void offer_groups(line *l, const char *head) {
  static const char *const kinds[] = {
    "geom=", "site=", "joint=", "tendon=", "actuator=", "skin="
  };
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    offer(l, head, kinds[i], NULL);
  }
}

static void offer_cameras(line *l, const char *head) {
  offer(l, head, "free", "sees the whole model");
}

// ------------------------------------------------------------------ tables

static const struct {
  const char *name;
  void (*offer)(line *l, const char *head);
} placeholders[] = {
  { "MODEL", offer_models },    { "FILE", offer_file },    { "FILE.so", offer_file },
  { "INI", offer_file },      { "FOLDER", offer_folder }, { "FORMAT", offer_formats },
  { "KIND", offer_kinds },    { "NAME", offer_plugins }, { "FIELD", offer_fields },
  { "COLUMN", offer_columns },   { "COLUMN,...", offer_columns },
  { "F.npy", offer_file },   { "WxH", offer_sizes },
  { "WORD", offer_fields },   { "FILE.json", offer_file },
  { "LANGUAGE", offer_languages },
  { "FILE.npy", offer_file },
}, values[] = {
  { "key", offer_keyframes },
  { "profile", offer_profiles },
  { "record", offer_recorded },
  { "format", offer_written },
  { "shard", offer_shard },
  { "camera", offer_cameras },
  { "show", offer_shows },
  { "hide", offer_shows },
  { "label", offer_labels },
  { "frame", offer_frames },
  { "groups", offer_groups },
};

static void offer_placeholder(line *l, const char *head, const char *name, size_t n) {
  for (size_t i = 0; i < sizeof placeholders / sizeof placeholders[0]; i++) {
    if (strlen(placeholders[i].name) == n && strncmp(placeholders[i].name, name, n) == 0) {
      placeholders[i].offer(l, head);
    }
  }
}

// ------------------------------------------------------------------ options

// By its name or its letter, of n characters.
static int find_option(const command *c, const char *name, size_t n, option_help *out) {
  for (int i = 0; option_at(c, i, out); i++) {
    if ((strlen(out->name) == n && strncmp(out->name, name, n) == 0) ||
        (n == 1 && out->letter == *name)) {
      return 1;
    }
  }
  return 0;
}

static void offer_options(const line *l) {
  option_help row;
  for (int i = 0; option_at(l->c, i, &row); i++) {
    offer(l, "--", row.name, row.meaning);
  }
}

// The value of an option: by its name, else by its placeholder.
static void offer_value(line *l, const option_help *row) {
  const char *comma = strrchr(l->word, ','), *kind = kind_selected(row->name);
  char head[512] = "";
  // of a list, what is before its last item
  if (comma && (strchr(row->value, ',') || strcmp(row->value, "WHAT") == 0)) {
    snprintf(head, sizeof head, "%.*s", (int)(comma + 1 - l->word), l->word);
  }
  // of "box-box=gjk", what is before the name
  const char *equals = strcmp(row->name, "collision") == 0 ? strrchr(l->word, '=') : NULL;
  if (equals && equals > comma) {
    snprintf(head, sizeof head, "%.*s", (int)(equals + 1 - l->word), l->word);
  }
  if (strncmp(row->value, "NAME=", 5) == 0) {
    offer_settings(l);
    return;
  }
  if (kind) {
    offer_providers(l, head, kind);
    return;
  }
  for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
    if (strcmp(values[i].name, row->name) == 0) {
      values[i].offer(l, head);
      return;
    }
  }
  offer_placeholder(l, head, row->value, strlen(row->value));
}

// ------------------------------------------------------------------ operands

// The words of one operand in a usage, "[NAME | FILE.so]": offered, or compared with an operand.
static int visit_choices(line *l, const char *slot, size_t n, const char *operand) {
  int matches = 0;
  for (size_t i = 0; i < n;) {
    const size_t length = strcspn(slot + i, " |[].");
    size_t word = length;
    if (length > 0 && strncmp(slot + i + length, ".so", 3) == 0) {
      word += 3;
    }
    const int is_placeholder = word > 0 && slot[i] >= 'A' && slot[i] <= 'Z';
    if (word > 0 && operand) {
      matches = matches || is_placeholder ||
                (strlen(operand) == word && strncmp(operand, slot + i, word) == 0);
    } else if (is_placeholder) {
      offer_placeholder(l, "", slot + i, word);
    } else if (word > 0) {
      char text[64];
      snprintf(text, sizeof text, "%.*s", (int)word, slot + i);
      offer(l, "", text, NULL);
    }
    i += word + (word == 0);
  }
  return matches;
}

// Length of the operand that starts at p: up to a space outside of brackets.
static size_t slot_length(const char *p) {
  size_t n = 0;
  for (int depth = 0; p[n] && (depth > 0 || p[n] != ' '); n++) {
    depth += p[n] == '[' ? 1 : p[n] == ']' ? -1 : 0;
  }
  return n;
}

// One alternative of the usage; the operands before the word decide whether it is the right one.
// Returns where the next one starts.
static const char *visit_alternative(line *l, const char *p) {
  int index = 0, fits = 1;
  while (*p && strncmp(p, "| ", 2) != 0) {
    const size_t n = slot_length(p);
    const int repeats = n > 3 && strncmp(p + n - 3, "...", 3) == 0;
    int taken = 0;
    for (; fits && index < l->noperand && (repeats || !taken); index++) {
      fits = visit_choices(l, p, n, l->operand[index]);
      taken = 1;
    }
    if (fits && index == l->noperand && (repeats || !taken)) {
      visit_choices(l, p, n, NULL);
      fits = 0;
    }
    p += n + (p[n] == ' ');
  }
  return *p ? p + 2 : p;
}

static void offer_operands(line *l) {
  for (const char *p = l->c->operands; *p;) {
    p = visit_alternative(l, p);
  }
}

// ------------------------------------------------------------------ the line

static void offer_commands(const line *l, int with_general) {
  const command *c;
  for (int i = 0; (c = command_at(i)); i++) {
    if (!c->hidden) {
      offer(l, "", c->name, c->summary);
    }
  }
  if (with_general) {
    offer(l, "", "help", "explains a command");
    offer(l, "", "version", "prints the version");
    offer(l, "", "--help", NULL);
    offer(l, "", "--version", NULL);
  }
}

// The words before the last one. Returns the option whose value the last one is.
static int take_words(line *l, int n, const char *const *word, option_help *pending) {
  int only_operands = 0, has_pending = 0;
  for (int i = 1; i < n - 1; i++) {
    if (only_operands || word[i][0] != '-' || !word[i][1]) {
      l->operand[l->noperand++] = word[i];
    } else if (strcmp(word[i], "--") == 0) {
      only_operands = 1;
    } else {
      const int is_long = word[i][1] == '-';
      const size_t length = is_long ? strcspn(word[i] + 2, "=") : 1;
      const char *name = word[i] + 1 + is_long;
      if (!find_option(l->c, name, length, pending) || !pending->value || name[length]) {
        continue;   // a flag, or its value is in this word
      }
      if (++i == n - 1) {
        has_pending = 1;
      } else if (strcmp(pending->name, "profile") == 0) {
        l->o.profile = word[i];
      }
    }
  }
  return has_pending;
}

static void complete_argument(line *l, int n, const char *const *word) {
  option_help option;
  if (take_words(l, n, word, &option)) {
    offer_value(l, &option);
    return;
  }
  const char *equals = strchr(l->word, '=');
  if (strncmp(l->word, "--", 2) == 0 && equals &&
      find_option(l->c, l->word + 2, (size_t)(equals - l->word - 2), &option) && option.value) {
    l->prefix = l->word;
    l->nprefix = (int)(equals + 1 - l->word);
    l->word = equals + 1;
    offer_value(l, &option);
  } else if (l->word[0] == '-') {
    offer_options(l);
  } else {
    offer_operands(l);
  }
}

static int complete(const options *o) {
  const int n = o->noperand;
  line l = { .operand = calloc((size_t)n + 1, sizeof *l.operand),
             .word = n ? o->operand[n - 1] : "",
             .prefix = "",
             .error = sn_error_new() };
  if (l.operand && n < 2) {
    offer_commands(&l, 1);
  } else if (l.operand && strcmp(o->operand[0], "help") == 0) {
    offer_commands(&l, 0);
  } else if (l.operand && (l.c = command_named(o->operand[0]))) {
    l.o.command = l.c;
    complete_argument(&l, n, o->operand);
  }
  sn_engine_close(l.engine);
  sn_error_free(l.error);
  free(l.operand);
  return DONE;
}

const command complete_command = {
  .name = "complete",
  .operands = "-- [WORD]...",
  .summary = "prints what the last word of a command line can become",
  .accepts = "",
  .story = "For the completion of shells.\n",
  .examples = "sinew complete -- run --set cone=\n",
  .min = 0,
  .max = -1,
  .hidden = 1,
  .run = complete,
};
