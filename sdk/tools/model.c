// SPDX-License-Identifier: Apache-2.0
//
// The model that a user names, and files that are read whole.
//
// A model is looked for as
//
//   arms/arm         the file itself
//   arms/arm.xml     with the ending of a format
//   arm              a sample of Sinew (also x_xy/inv_pendulum) or of MuJoCo's package (humanoid)
//
// Standard input ("-", /dev/stdin) and descriptors that a shell hands over (/dev/fd/63, written as
// <(command)) become files in memory of the engine: its loaders read regular files only. Names in
// such a model are relative to the working folder.

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "command.h"
#include "common/grow.h"
#include "sinew/resource.h"
#include "sinew/suggest.h"

static const char *const endings[] = { "", ".xml", ".urdf", ".x_xy.xml", ".snb" };
enum { NENDINGS = sizeof endings / sizeof endings[0], LARGEST = 1 << 30 };

// ------------------------------------------------------------------ whole files

static int is_standard_input(const char *path) {
  return strcmp(path, "-") == 0 || strcmp(path, "/dev/stdin") == 0;
}

int is_descriptor(const char *path) {
  return is_standard_input(path) || strncmp(path, "/dev/fd/", 8) == 0;
}

// Nothing is opened but regular files and what was handed over: a FIFO would wait for a writer.
static FILE *open_whole(const options *o, const char *path) {
  static int read_before;
  if (is_standard_input(path)) {
    if (read_before++) {
      report_text(o, path, 0, 0, "standard input can be read once only");
      return NULL;
    }
    return stdin;
  }
  const int given = is_descriptor(path);
  struct stat info;
  const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | (given ? 0 : O_NONBLOCK));
  if (descriptor < 0) {
    report_text(o, path, 0, 0, "cannot be opened: %s", strerror(errno));
    return NULL;
  }
  FILE *file = fstat(descriptor, &info) == 0 && (given || S_ISREG(info.st_mode))
                   ? fdopen(descriptor, "rb")
                   : NULL;
  if (!file) {
    report_text(o, path, 0, 0, "cannot be read: it is not a regular file%s",
                S_ISFIFO(info.st_mode) ? "; `-` reads standard input" : "");
    close(descriptor);
  }
  return file;
}

char *read_whole(const options *o, const char *path, int64_t *count) {
  FILE *file = open_whole(o, path);
  char *bytes = NULL;
  size_t n = 0, got = 1;
  int64_t capacity = 0;
  while (file && got > 0 && n < LARGEST) {
    char *more = grow(bytes, (int64_t)n + 1, &capacity, 1 << 16, 1);
    if (!more) {
      break;
    }
    bytes = more;
    got = fread(bytes + n, 1, (size_t)capacity - n, file);
    n += got;
  }
  if (file && (ferror(file) || got > 0)) {
    report_text(o, path, 0, 0, "cannot be read: %s",
                ferror(file)   ? strerror(errno)
                : n >= LARGEST ? "it has more than 1 GiB"
                               : "there is not enough memory");
    free(bytes);
    bytes = NULL;
  }
  if (file && file != stdin) {
    fclose(file);
  }
  *count = (int64_t)n;
  return bytes;
}

// ------------------------------------------------------------------ files of models

int beside_program(char *out, size_t capacity, const char *relative) {
  char program[PATH_MAX];
  const ssize_t n = readlink("/proc/self/exe", program, sizeof program - 1);
  program[n > 0 ? n : 0] = '\0';
  char *slash = strrchr(program, '/');
  return slash && (size_t)snprintf(out, capacity, "%.*s/%s", (int)(slash - program), program,
                                   relative) < capacity;
}

// Of the build tree, else of the installation.
int sample_folder(char *out) {
  static const char *const places[] = { "models", SINEW_MODELS };
  char path[PATH_MAX];
  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
    if (beside_program(path, sizeof path, places[i]) && realpath(path, out)) {
      return 1;
    }
  }
  out[0] = '\0';
  return 0;
}

static int is_file(const char *path) {
  struct stat s;
  return stat(path, &s) == 0 && S_ISREG(s.st_mode);
}

// folder/name with one of the endings; folder "": the name alone
static int find_in(const char *folder, const char *name, char *path, size_t capacity) {
  for (int i = 0; i < NENDINGS; i++) {
    if ((size_t)snprintf(path, capacity, "%s%s%s%s", folder, *folder ? "/" : "", name, endings[i]) <
            capacity &&
        is_file(path)) {
      return 1;
    }
  }
  return 0;
}

// A sample of Sinew, or one that Debian installs with MuJoCo, which has a folder for each.
static int find_sample(const char *samples, const char *name, char *path, size_t capacity) {
  static const char mujoco[] = "/usr/share/mujoco/model";
  char folder[PATH_MAX];
  if (name[0] == '/') {
    return 0;
  }
  int found = *samples && find_in(samples, name, path, capacity);
  DIR *d = found ? NULL : opendir(mujoco);
  for (const struct dirent *e; d && !found && (e = readdir(d));) {
    if (e->d_name[0] != '.') {
      snprintf(folder, sizeof folder, "%s/%s", mujoco, e->d_name);
      found = find_in(folder, name, path, capacity);
    }
  }
  if (d) {
    closedir(d);
  }
  return found;
}

// Whether a folder of the path is a file: then that is an archive, "robots.zip/arm.xml".
static int leads_into_file(const char *path) {
  char part[PATH_MAX];
  for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
    snprintf(part, sizeof part, "%.*s", (int)(slash - path), path);
    if (is_file(part)) {
      return 1;
    }
  }
  return 0;
}

// ------------------------------------------------------------------ similar names

typedef struct near {
  char name[NAME_MAX + 1], folder[PATH_MAX];
  int32_t distance;
} near;

static void find_near(const char *folder, const char *base, near *best) {
  char word[NAME_MAX + 1];
  DIR *d = opendir(*folder ? folder : ".");
  for (const struct dirent *e; d && (e = readdir(d));) {
    for (int i = 1; i < NENDINGS; i++) {
      const size_t n = strlen(e->d_name), m = strlen(endings[i]);
      if (n <= m || strcmp(e->d_name + n - m, endings[i]) != 0) {
        continue;
      }
      snprintf(word, sizeof word, "%.*s", (int)(n - m), e->d_name);
      const int32_t whole = sn_suggest_near(base, e->d_name), stem = sn_suggest_near(base, word);
      const int32_t distance = stem < whole ? stem : whole;
      if (distance < best->distance ||
          (distance == best->distance && distance < SN_SUGGEST_FAR &&
           strcmp(e->d_name, best->name) < 0 && strcmp(folder, best->folder) == 0)) {
        best->distance = distance;
        snprintf(best->name, sizeof best->name, "%s", e->d_name);
        snprintf(best->folder, sizeof best->folder, "%s", folder);
      }
    }
  }
  if (d) {
    closedir(d);
  }
}

// "arm, chain, ...": the samples of Sinew without their endings.
static const char *list_samples(const char *samples, char *out, size_t capacity) {
  struct dirent **entry = NULL;
  const int n = scandir(samples, &entry, NULL, alphasort);
  size_t used = 0;
  snprintf(out, capacity, "not installed");
  for (int i = 0; i < n; i++) {
    const char *ending = strstr(entry[i]->d_name, ".xml");
    if (ending && !ending[4] && used < capacity) {
      const int written = snprintf(out + used, capacity - used, "%s%.*s", used ? ", " : "",
                                   (int)(ending - entry[i]->d_name), entry[i]->d_name);
      used += written > 0 ? (size_t)written : 0;
    }
    free(entry[i]);
  }
  free(entry);
  return out;
}

// There is no such model: names what is similar to it.
static int report_missing(const session *s, const char *name, const char *samples) {
  const char *slash = strrchr(name, '/');
  char folder[PATH_MAX] = "", inner[PATH_MAX + NAME_MAX];
  if (slash) {
    snprintf(folder, sizeof folder, "%.*s", slash > name ? (int)(slash - name) : 1, name);
  }
  near best = { .distance = SN_SUGGEST_FAR };
  find_near(folder, slash ? slash + 1 : name, &best);
  if (*samples) {
    snprintf(inner, sizeof inner, "%s%s%.200s", samples, *folder ? "/" : "", folder);
    find_near(inner, slash ? slash + 1 : name, &best);
  }
  if (best.distance == SN_SUGGEST_FAR) {
    char list[400];
    return report_text(
        s->o, NULL, 0, 0,
        "cannot open '%s': there is no such file, and no sample of that name; samples "
        "are %s",
        name, list_samples(samples, list, sizeof list));
  }
  // a sample without the folder of the samples
  const size_t n = strlen(samples);
  const int is_sample = n > 0 && strncmp(best.folder, samples, n) == 0;
  const char *shown = best.folder + (is_sample ? n + (best.folder[n] == '/') : 0);
  return report_text(s->o, NULL, 0, 0,
                     "cannot open '%s': there is no such file, and no sample of that name; did you "
                     "mean %s'%s%s%s'?",
                     name, is_sample ? "the sample " : "", shown, *shown ? "/" : "", best.name);
}

// ------------------------------------------------------------------ the model

// The bytes of a model from standard input or a descriptor, which can be read once only, but
// `compare` loads the model for each choice. They are kept until the program ends. NULL after
// reporting.
static const char *descriptor_bytes(const options *o, const char *name, int64_t *count) {
  static char *bytes, of[32];
  static int64_t n;
  if (!bytes || strcmp(of, name) != 0) {
    free(bytes);
    snprintf(of, sizeof of, "%s", name);
    bytes = read_whole(o, name, &n);
  }
  *count = n;
  return bytes;
}

// Puts what a descriptor gives into memory of the engine, in the working folder.
static int take_descriptor(session *s, const char *name, int whole, char *path, size_t capacity) {
  char base[PATH_MAX] = "";
  int64_t count;
  const char *bytes = descriptor_bytes(s->o, name, &count);
  if (!bytes) {
    return FAILED;
  }
  whole = whole && getcwd(base, sizeof base - 1);
  snprintf(path, capacity, "%s%s%s%.20s", base, whole ? "/" : "",
           is_standard_input(name) ? "standard input" : "descriptor ",
           is_standard_input(name) ? "" : name + strlen("/dev/fd/"));
  const sn_status status = sn_engine_add_resource(s->engine, path, bytes, count, s->error);
  return status < 0 ? report(s->o, s->error) : DONE;
}

// The path as it is, or from the root on.
static int found(int whole, char *path, size_t capacity) {
  char *real = whole ? realpath(path, NULL) : NULL;
  if (real && strlen(real) < capacity) {
    strcpy(path, real);
  }
  free(real);
  return DONE;
}

// Whether a plugin opens names that start like this one: "package://arm/arm.urdf", "zip:arm.xml".
static int is_resource(const session *s, const char *name) {
  sn_provider_info p = { .size = sizeof p };
  for (int64_t i = 0; sn_engine_provider(s->engine, i, &p); i++) {
    if (strcmp(p.kind, SN_KIND_RESOURCE) != 0) {
      continue;
    }
    const char *prefix = ((const sn_resource_ops *)p.ops)->prefixes;
    for (; *prefix; prefix += strcspn(prefix, "|"), prefix += *prefix == '|') {
      const size_t n = strcspn(prefix, "|");
      if (n > 0 && strncmp(name, prefix, n) == 0) {
        return 1;
      }
    }
  }
  return strstr(name, "://") != NULL;
}

int model_find(session *s, const char *name, int whole, char *path, size_t capacity) {
  char samples[PATH_MAX] = "";
  struct stat info;
  if (is_descriptor(name)) {
    return take_descriptor(s, name, whole, path, capacity);
  }
  if (find_in("", name, path, capacity)) {
    if (strcmp(path, name) != 0) {
      note(s->o, "the model is %s", path);
    }
    return found(whole, path, capacity);
  }
  // the library opens what is not a plain file that can be read (a folder, a file in an archive,
  // package://...), and reports why it cannot
  if (stat(name, &info) == 0 || (errno != ENOENT && errno != ENOTDIR) || is_resource(s, name) ||
      strlen(name) >= capacity || leads_into_file(name)) {
    snprintf(path, capacity, "%s", name);
    return DONE;
  }
  sample_folder(samples);
  if (find_sample(samples, name, path, capacity)) {
    note(s->o, "the model is %s", path);
    return found(whole, path, capacity);
  }
  return report_missing(s, name, samples);
}
