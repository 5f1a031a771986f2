// SPDX-License-Identifier: Apache-2.0
//
// sinew cache: the compiled models that are kept in files: where, how many, removing them.

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "tools/json/json.h"

typedef struct contents {
  const char *models, *folder, *size;   // the settings
  int64_t n, bytes;
} contents;

static void read_settings(const session *s, contents *c) {
  sn_config_info info = { .size = sizeof info };
  for (int64_t i = 0; sn_engine_config(s->engine, i, &info); i++) {
    if (strcmp(info.section, "cache") == 0) {
      const char **to = strcmp(info.key, "models") == 0   ? &c->models
                        : strcmp(info.key, "folder") == 0 ? &c->folder
                                                          : &c->size;
      *to = info.value;
    }
  }
}

// Sixteen hexadecimal digits and the ending: the folder may have files of other programs.
static int is_kept(const char *name) {
  return strspn(name, "0123456789abcdef") == 16 && strcmp(name + 16, ".sinew-model") == 0;
}

// Counts the files, or removes them: the count is then of those. A folder that is not there is
// empty.
static int visit(const session *s, contents *c, int removes) {
  DIR *folder = opendir(c->folder);
  int status = DONE;
  if (!folder && c->folder[0] == '/' && errno != ENOENT) {
    return report_text(s->o, c->folder, 0, 0, "cannot be opened: %s", strerror(errno));
  }
  for (const struct dirent *e; folder && status == DONE && (e = readdir(folder));) {
    struct stat info;
    if (!is_kept(e->d_name) || fstatat(dirfd(folder), e->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0) {
      continue;
    }
    if (removes && unlinkat(dirfd(folder), e->d_name, 0) != 0 && errno != ENOENT) {
      status = report_text(s->o, c->folder, 0, 0, "%s cannot be removed: %s", e->d_name,
                           strerror(errno));
    }
    c->n++;
    c->bytes += info.st_size;
  }
  if (folder) {
    closedir(folder);
  }
  return status;
}

static int print(const session *s, const contents *c, int removed) {
  const double megabytes = 1e-6 * (double)c->bytes;
  const char *models = c->n == 1 ? "model" : "models";
  if (s->o->json) {
    json j;
    json_start(&j, stdout);
    json_bool(&j, "ok", 1);
    json_bool(&j, "cleared", removed);
    json_text(&j, "models", c->models);
    json_text(&j, "folder", c->folder);
    json_text(&j, "size", c->size);
    json_integer(&j, "files", c->n);
    json_integer(&j, "bytes", c->bytes);
    return json_finish(&j) ? DONE : FAILED;
  }
  if (removed) {
    printf("removed     %lld %s, %.1f MB\n", (long long)c->n, models, megabytes);
    return DONE;
  }
  printf("kept        %lld %s, %.1f MB of at most %s\n", (long long)c->n, models, megabytes,
         c->size);
  printf("folder      %s\n", c->folder);
  printf("in use      %s\n", c->models);
  return DONE;
}

static int cache(const options *o) {
  const int removes = o->noperand > 0;
  if (removes && strcmp(o->operand[0], "clear") != 0) {
    return usage_error(o->command, "unknown action '%s'; the only action is 'clear'",
                       o->operand[0]);
  }
  session s;
  contents c = { .models = "", .folder = "", .size = "" };
  int status = session_open(&s, o);
  if (status == DONE) {
    read_settings(&s, &c);
    c.models = c.folder[0] == '/' ? c.models : "no";   // no folder is known
    status = visit(&s, &c, removes);
  }
  status = status == DONE ? print(&s, &c, removes) : status;
  session_close(&s);
  return status;
}

const command cache_command = {
  .name = "cache",
  .operands = "[clear]",
  .summary = "shows how many compiled models are kept in files, and removes them",
  .accepts = "json",
  .story =
      "A command that loads a model keeps it in a file as it was compiled. The next one takes it\n"
      "from there, which is faster, as long as nothing has changed that it depends on: its files,\n"
      "the configuration, the library and the plugins. The results are the same. The option\n"
      "--no-cache, or the setting `--set cache.models=no`, turns this off.\n",
  .examples = "sinew cache\n"
              "sinew cache clear\n",
  .min = 0,
  .max = 1,
  .run = cache,
};
