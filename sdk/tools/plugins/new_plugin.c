// SPDX-License-Identifier: Apache-2.0
//
// sinew plugins new: a folder with a plugin that builds, passes its check and runs. Its files are
// templates, installed beside the command:
//
//   template/common/   files of all kinds: CMakeLists.txt, Makefile, README.md, an ini, a model
//   template/KIND/     my_plugin.c, and files that replace those of common; a model of its own
//                      replaces model.xml. In C++ my_plugin.cpp takes the place of my_plugin.c
//
// In names and contents my_plugin becomes the name of the plugin. @KIND@ and @MODEL@ are the kind
// and the name of the model, @RUN@ the command that shows what the plugin does, from the keyframe
// of the model, if it has one. @LIBDIR@ is the folder of the library, where the build files look
// for Sinew if it is nowhere else. What depends on the language is in the table `languages`. A kind
// is added as a folder with its two sources.

#include "plugins.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sinew/suggest.h"
#include "tools/command.h"
#include "tools/json/json.h"

static const char placeholder[] = "my_plugin";

typedef struct language {
  const char *name, *suffix;
  const char *word, *standard;   // of CMake
  const char *std, *compiler, *flags, *warnings;   // of make
} language;

static const language languages[] = {
  // C17 would only warn of a view in place of its fields, which a step then reads as numbers
  { "c", "c", "C", "17", "c17", "CC", "CFLAGS", " -Werror=incompatible-pointer-types" },
  // C++ would warn of each member that is left zero
  { "c++", "cpp", "CXX", "20", "c++20", "CXX", "CXXFLAGS", " -Wno-missing-field-initializers" },
};
enum { NLANGUAGES = sizeof languages / sizeof languages[0] };

typedef struct project {
  const options *o;
  const language *language;
  const char *kind, *name, *folder;
  char templates[PATH_MAX], common[PATH_MAX], own[PATH_MAX];   // folders of templates
  char libdir[PATH_MAX];
  char model[NAME_MAX + 1];
  char run[NAME_MAX + 64];   // the command that shows what the plugin does
  json *j;       // NULL: text
  int is_made;   // the folder is new
} project;

// ------------------------------------------------------------------ templates

// The folder of the templates, in `out`; if there is none, where it should be, in `path`. In the
// build tree it is beside the program.
static int has_templates(char *path, char *out) {
  static const char *const places[] = { "template", SINEW_TEMPLATES };
  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
    if (beside_program(path, PATH_MAX, places[i]) && realpath(path, out)) {
      return 1;
    }
  }
  return 0;
}

static int find_templates(project *p) {
  char path[PATH_MAX];
  if (!has_templates(path, p->templates)) {
    return report_text(p->o, NULL, 0, 0,
                       "the templates of plugins are not installed; they belong into %s", path);
  }
  if (!beside_program(path, sizeof path, SINEW_LIBDIR) || !realpath(path, p->libdir)) {
    p->libdir[0] = '\0';
  }
  return DONE;
}

static int join(char *out, const char *folder, const char *name) {
  return (size_t)snprintf(out, PATH_MAX, "%s/%s", folder, name) < PATH_MAX;
}

static int is_hidden(const char *name) {
  return name[0] == '.';
}

typedef struct names {
  struct dirent **entry;
  int n;
} names;

static int keep_visible(const struct dirent *entry) {
  return !is_hidden(entry->d_name) && strcmp(entry->d_name, "common") != 0;
}

static names list_folder(const char *path) {
  names l = { NULL, 0 };
  l.n = scandir(path, &l.entry, keep_visible, alphasort);
  l.n = l.n > 0 ? l.n : 0;
  return l;
}

static void free_names(names *l) {
  for (int i = 0; i < l->n; i++) {
    free(l->entry[i]);
  }
  free(l->entry);
}

void each_template(void (*each)(void *context, const char *kind), void *context) {
  char path[PATH_MAX], templates[PATH_MAX];
  if (!has_templates(path, templates)) {
    return;
  }
  names kinds = list_folder(templates);
  for (int i = 0; i < kinds.n; i++) {
    each(context, kinds.entry[i]->d_name);
  }
  free_names(&kinds);
}

static int is_folder(const char *path) {
  struct stat s;
  return stat(path, &s) == 0 && S_ISDIR(s.st_mode);
}

static int find_kind(project *p) {
  enum { MOST = 64 };
  const char *words[MOST];
  int known = 0, n = 0;
  char list[512] = "available: ", hint[512 + SN_SUGGEST_TEXT];
  names kinds = list_folder(p->templates);
  for (; n < kinds.n && n < MOST; n++) {
    words[n] = kinds.entry[n]->d_name;
    known = known || strcmp(words[n], p->kind) == 0;
    const size_t used = strlen(list);
    snprintf(list + used, sizeof list - used, "%s%s", n ? ", " : "", words[n]);
  }
  sn_suggest_text(hint, sizeof hint, nearest_word(p->kind, words, n), list);
  free_names(&kinds);
  if (!known) {
    return usage_error(p->o->command, "there is no template for the kind '%s'%s", p->kind, hint);
  }
  return join(p->own, p->templates, p->kind) && join(p->common, p->templates, "common")
             ? DONE
             : report_text(p->o, p->templates, 0, 0, "the path is too long");
}

// ------------------------------------------------------------------ names

// A name of a file, of a target of make and CMake, and of a provider.
static int check_name(const project *p) {
  static const char *const reserved[] = { "all",  "build",   "check",   "clean", "common", "help",
                                          "run",  "install", "package", "sinew", "test" };
  const size_t n = strlen(p->name);
  int good = n >= 2 && n <= 48 && islower((unsigned char)p->name[0]);
  for (size_t i = 0; i < n; i++) {
    good = good && (islower((unsigned char)p->name[i]) || isdigit((unsigned char)p->name[i]) ||
                    p->name[i] == '_');
  }
  for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; i++) {
    good = good && strcmp(p->name, reserved[i]) != 0;
  }
  return good
             ? DONE
             : usage_error(p->o->command,
                           "'%s' cannot be the name of a plugin: a name has 2 to 48 characters "
                           "of a-z, 0-9 and _, begins with a letter, and is none of the words all, "
                           "build, check, clean, common, help, install, package, run, sinew and "
                           "test",
                           p->name);
}

static int find_language(project *p) {
  const char *name = p->o->language ? p->o->language : languages[0].name;
  for (int i = 0; i < NLANGUAGES; i++) {
    if (strcmp(languages[i].name, name) == 0) {
      p->language = &languages[i];
      return DONE;
    }
  }
  return usage_error(p->o->command, "--language is c or c++, not '%s'", name);
}

// A name that a loaded plugin or provider has already would be rejected when the plugin is loaded.
static int check_free(const project *p) {
  sn_error *error = sn_error_new();
  sn_engine *engine = session_engine(p->o, SN_ENGINE_TOLERANT, error);
  sn_provider_info info = { .size = sizeof info };
  int status = DONE;
  for (int64_t i = 0; engine && status == DONE && sn_engine_provider(engine, i, &info); i++) {
    const size_t n = strlen(p->kind);   // "solver" of "sinew.solver/1"
    const char *word = strchr(info.kind, '.');
    const int same_kind = word && strncmp(word + 1, p->kind, n) == 0 && word[1 + n] == '/';
    if (strcmp(info.plugin, p->name) == 0 || (same_kind && strcmp(info.name, p->name) == 0)) {
      status = usage_error(p->o->command,
                           "there is already a provider of the kind %s named '%s', of plugin '%s'; "
                           "choose another name",
                           p->kind, p->name, info.plugin);
    }
  }
  sn_engine_close(engine);
  sn_error_free(error);
  return status;
}

// ------------------------------------------------------------------ one file

// The text that stands for what is at `at`, and how much it replaces; NULL: nothing.
static const char *replacement(const project *p, const char *at, size_t *n) {
  const struct {
    const char *key, *value;
  } table[] = { { placeholder, p->name },
                { "@KIND@", p->kind },
                { "@MODEL@", p->model },
                { "@RUN@", p->run },
                { "@LIBDIR@", p->libdir },
                { "@SUFFIX@", p->language->suffix },
                { "@LANGUAGE@", p->language->word },
                { "@STANDARD@", p->language->standard },
                { "@STD@", p->language->std },
                { "@COMPILER@", p->language->compiler },
                { "@FLAGS@", p->language->flags },
                { "@WARNINGS@", p->language->warnings } };
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    *n = strlen(table[i].key);
    if (strncmp(at, table[i].key, *n) == 0) {
      return table[i].value;
    }
  }
  return NULL;
}

static void substitute(const project *p, const char *text, FILE *to) {
  while (*text) {
    size_t n;
    const char *value = replacement(p, text, &n);
    if (value) {
      fputs(value, to);
      text += n;
    } else {
      fputc(*text++, to);
    }
  }
}

static char *read_text(const char *path) {
  FILE *f = fopen(path, "re");
  char *text = NULL;
  size_t capacity = 0;
  if (!f) {
    return NULL;
  }
  const ssize_t n = getdelim(&text, &capacity, '\0', f);
  fclose(f);
  if (n < 0) {
    free(text);
    return NULL;
  }
  return text;
}

static int copy_file(const project *p, const char *folder, const char *name) {
  char from[PATH_MAX], to[PATH_MAX], new_name[NAME_MAX + 64];
  const char *at = strstr(name, placeholder), *rest = at ? at + strlen(placeholder) : "";
  const int before = at ? (int)(at - name) : (int)strlen(name);
  snprintf(new_name, sizeof new_name, "%.*s%s%s", before, name, at ? p->name : "", rest);
  char *text = join(from, folder, name) ? read_text(from) : NULL;
  if (!text || !join(to, p->folder, new_name)) {
    free(text);
    return report_text(p->o, NULL, 0, 0, "cannot read the template %s: %s", from, strerror(errno));
  }
  FILE *f = fopen(to, "wxe");
  if (f) {
    substitute(p, text, f);
  }
  free(text);
  const int failed = !f || ferror(f) != 0;
  if ((f && fclose(f) != 0) || failed) {
    return report_text(p->o, NULL, 0, 0, "cannot write %s: %s", to, strerror(errno));
  }
  if (p->j) {
    json_text(p->j, NULL, new_name);
  } else if (!p->o->quiet) {
    printf("  %s\n", new_name);
  }
  return DONE;
}

// ------------------------------------------------------------------ the folder

static int is_model(const char *name) {
  return strncmp(name, "model.", 6) == 0;
}

// Whether the kind has this file itself.
static int has_own(const project *p, const char *name) {
  char path[PATH_MAX];
  struct stat s;
  return join(path, p->own, name) && stat(path, &s) == 0;
}

static int is_replaced(const project *p, const char *name) {
  return (is_model(name) && strcmp(name, p->model) != 0) || has_own(p, name);
}

// Whether this file of the kind is the source for another language.
static int is_foreign(const project *p, const char *name) {
  const int in_cpp = strcmp(p->language->suffix, "cpp") == 0;
  return strcmp(name, in_cpp ? "my_plugin.c" : "my_plugin.cpp") == 0;
}

static int make_folder(project *p) {
  if (mkdir(p->folder, 0777) == 0) {
    p->is_made = 1;
    return DONE;
  }
  const int reason = errno, existed = reason == EEXIST;
  names there = list_folder(p->folder);
  const int empty = existed && is_folder(p->folder) && there.n == 0;
  free_names(&there);
  return empty ? DONE
               : report_text(p->o, NULL, 0, 0, "cannot make the folder %s: %s", p->folder,
                             existed ? "it exists and is not empty" : strerror(reason));
}

static int copy_all(const project *p) {
  const char *const folders[] = { p->own, p->common };
  int status = DONE;
  for (int k = 0; k < 2; k++) {
    names files = list_folder(folders[k]);
    for (int i = 0; i < files.n && status == DONE; i++) {
      const char *name = files.entry[i]->d_name;
      if (k == 0 ? !is_foreign(p, name) : !is_replaced(p, name)) {
        status = copy_file(p, folders[k], name);
      }
    }
    free_names(&files);
  }
  return status;
}

// Kinds whose effect is not in the summary of `run`.
static const struct {
  const char *kind, *command, *rest;
} commands[] = {
  { "sensor", "state", " sensordata" },
  { "executor", "rollout", " --n 8 --steps 100" },
  { "renderer", "render", " -o build/image.png" },
};

// The model, and the command that uses it.
static void find_model(project *p) {
  char path[PATH_MAX];
  strcpy(p->model, "model.xml");
  names files = list_folder(p->own);
  for (int i = 0; i < files.n; i++) {
    if (is_model(files.entry[i]->d_name)) {
      strcpy(p->model, files.entry[i]->d_name);
    }
  }
  free_names(&files);
  char *text = join(path, p->own, p->model) ? read_text(path) : NULL;
  const char *key = text && strstr(text, "<keyframe>") ? " --key 0" : "", *verb = "run";
  const char *rest = "";
  for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
    if (strcmp(commands[i].kind, p->kind) == 0) {
      verb = commands[i].command;
      rest = commands[i].rest;
    }
  }
  snprintf(p->run, sizeof p->run, "%s %s%s%s", verb, p->model, key, rest);
  free(text);
}

// The folder was empty: all files in it are of a project that could not be written.
static void remove_project(const project *p) {
  char path[PATH_MAX];
  names files = list_folder(p->folder);
  for (int i = 0; i < files.n; i++) {
    if (join(path, p->folder, files.entry[i]->d_name)) {
      unlink(path);
    }
  }
  free_names(&files);
  if (p->is_made) {
    rmdir(p->folder);
  }
}

static int write_project(project *p) {
  json j;
  p->j = p->o->json ? &j : NULL;
  if (p->j) {
    json_start(&j, stdout);
    json_bool(&j, "ok", 1);
    json_text(&j, "folder", p->folder);
    json_list(&j, "files");
  } else if (!p->o->quiet) {
    printf("%s, a plugin of kind %s:\n", p->folder, p->kind);
  }
  const int status = copy_all(p);
  if (status != DONE) {
    remove_project(p);
    return status;
  }
  if (p->j) {
    json_end(&j);
    return json_finish(&j) ? DONE : FAILED;
  }
  if (p->o->quiet) {
    return DONE;
  }
  printf("next:\n  cd %s\n  make\n  make check\n  make run\n", p->folder);
  if (!p->libdir[0]) {
    printf("This `sinew` is not installed: set PKG_CONFIG_PATH to the folder of sinew.pc, then run "
           "make.\n");
  }
  return DONE;
}

int new_plugin(const options *o) {
  if (o->noperand < 3) {
    return usage_error(o->command, "new takes a KIND and a NAME");
  }
  project p = { .o = o,
                .kind = o->operand[1],
                .name = o->operand[2],
                .folder = o->operand[o->noperand > 3 ? 3 : 2] };
  int status = find_templates(&p);
  status = status == DONE ? find_kind(&p) : status;
  status = status == DONE ? check_name(&p) : status;
  status = status == DONE ? find_language(&p) : status;
  status = status == DONE ? check_free(&p) : status;
  status = status == DONE ? make_folder(&p) : status;
  if (status != DONE) {
    return status;
  }
  find_model(&p);
  return write_project(&p);
}
