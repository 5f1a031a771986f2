// SPDX-License-Identifier: Apache-2.0
//
// The request of `sinew rollout`; see study.h.

#include "study.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "common/hash.h"
#include "sinew/number.h"
#include "tools/runs/record.h"

enum { USUAL_TIME = 10 };   // seconds of a rollout, if the command does not say

// ------------------------------------------------------------------ hashes

uint64_t study_mix(uint64_t hash, const void *bytes, int64_t n) {
  const char *p = bytes;
  for (int64_t i = 0; i < n; i += 8) {
    uint64_t word = 0;
    memcpy(&word, p + i, n - i < 8 ? (size_t)(n - i) : 8);
    // splitmix64 (Steele and others 2014): a multiplication alone carries no bit downward, so that
    // the signs of two numbers would cancel
    hash = (hash ^ word) + 0x9e3779b97f4a7c15u;
    hash = (hash ^ hash >> 30) * 0xbf58476d1ce4e5b9u;
    hash = (hash ^ hash >> 27) * 0x94d049bb133111ebu;
    hash ^= hash >> 31;
  }
  return hash;
}

static uint64_t mix_text(uint64_t hash, const char *text) {
  return study_mix(hash, text ? text : "", text ? (int64_t)strlen(text) + 1 : 0);
}

// Does this plugin provide executors alone?
static int is_executor(const study *t, const char *path) {
  sn_provider_info p = { .size = sizeof p };
  int is_one = 0;
  for (int64_t i = 0; sn_engine_provider(t->s.engine, i, &p); i++) {
    if (p.path && strcmp(p.path, path) == 0) {
      if (strcmp(p.kind, SN_KIND_EXECUTOR) != 0) {
        return 0;
      }
      is_one = 1;
    }
  }
  return is_one;
}

// The bytes of the plugins that are loaded: one that was built again may compute something else.
static uint64_t mix_plugins(uint64_t hash, const study *t) {
  sn_plugin_info p = { .size = sizeof p };
  for (int64_t i = 0; sn_engine_plugin(t->s.engine, i, &p); i++) {
    FILE *file = p.path && p.status == SN_OK && !is_executor(t, p.path) ? fopen(p.path, "rb")
                                                                        : NULL;
    uint64_t bytes[512];
    for (size_t n; file && (n = fread(bytes, 1, sizeof bytes, file)) > 0;) {
      hash = study_mix(hash, bytes, (int64_t)n);
    }
    if (file) {
      fclose(file);
    }
  }
  return hash;
}

// Executors, and where plugins lie and models are kept, change no result.
static int matters(const study *t, const sn_config_info *c) {
  sn_provider_info p = { .size = sizeof p };
  if (strcmp(c->section, "plugins") == 0 || strcmp(c->section, "cache") == 0 ||
      strcmp(c->key, "executor") == 0) {
    return 0;
  }
  for (int64_t i = 0; sn_engine_provider(t->s.engine, i, &p); i++) {
    if (strcmp(p.kind, SN_KIND_EXECUTOR) == 0 && strncmp(c->section, "plugin.", 7) == 0 &&
        strcmp(c->section + 7, p.name) == 0) {
      return 0;
    }
  }
  return 1;
}

// Everything that all rollouts depend on: library, plugins, configuration, model, request.
static uint64_t common_key(const study *t) {
  const sn_rollout_request *q = &t->q;
  const sn_option option = model_options(t->s.model);
  uint64_t hash = mix_plugins(mix_text(mix_text(HASH_START, "key 2"), sn_version()), t);
  sn_config_info c = { .size = sizeof c };
  for (int64_t i = 0; sn_engine_config(t->s.engine, i, &c); i++) {
    if (matters(t, &c)) {
      hash = mix_text(mix_text(mix_text(hash, c.section), c.key), c.value);
    }
  }
  sn_view v = { .size = sizeof v };
  static const int64_t bytes[] = { [SN_REAL] = 8, [SN_INT] = 4, [SN_BYTE] = 1, [SN_CHAR] = 1 };
  for (int64_t i = 0; sn_model_field_at(t->s.model, i, &v); i++) {
    hash = study_mix(hash, v.p, v.p ? v.rows * v.cols * bytes[v.type] : 0);
  }
  hash = study_mix(hash, &option, sizeof option);
  const int64_t numbers[] = { q->nstep, q->every, (int64_t)q->flags, (int64_t)q->initial_mask };
  hash = study_mix(hash, numbers, sizeof numbers);
  for (int64_t k = 0; k < q->nrecord; k++) {
    hash = mix_text(hash, q->record[k].name);
  }
  for (int64_t k = 0; k < q->nvary; k++) {
    hash = mix_text(hash, q->vary[k].name);
  }
  for (int64_t k = 0; k < q->nstop; k++) {
    hash = study_mix(mix_text(hash, q->stop[k].name), &q->stop[k].min, 16);
  }
  hash = study_mix(hash, q->initial,
                   q->initial ? 8 * sn_state_size(t->s.model, q->initial_mask) : 0);
  return study_mix(hash, t->sequence, t->sequence ? 8 * q->nstep * snm_nu(t->s.model) : 0);
}

uint64_t study_seed(const study *t, int64_t row) {
  return t->q.seed ? sn_rollout_seed(t->q.seed, t->q.first + row) : 0;
}

static void make_keys(study *t) {
  const sn_rollout_request *q = &t->q;
  const uint64_t common = common_key(t);
  const int64_t controls = q->nstep * snm_nu(t->s.model);
  for (int64_t i = 0; i < q->n; i++) {
    const uint64_t seed = study_seed(t, i);
    uint64_t hash = study_mix(common, &seed, sizeof seed);
    for (int64_t k = 0; k < q->nvary; k++) {
      hash = study_mix(hash, q->vary[k].values + i * q->vary[k].width, 8 * q->vary[k].width);
    }
    if (t->map) {
      hash = study_mix(hash, q->control + i * controls, 8 * controls);
    }
    t->key[i] = hash ? hash : 1;
  }
}

void study_count(study *t, int64_t row, const uint64_t *words) {
  const int64_t start = STORE_STATUS;
  t->ncounted += !t->counted[row];
  t->counted[row] = 1;
  t->failed += (int64_t)words[STORE_STATUS] < 0;
  t->invalid += (int64_t)words[STORE_STATUS] == SN_EINVAL;
  t->diverged += (int64_t)words[STORE_STATUS] == SN_EDIVERGED;
  int64_t width = STORE_FIXED + t->q.nresult;
  for (int64_t k = 0; k < t->q.nvary; k++) {
    width += t->q.vary[k].width;
  }
  t->hash[row] = study_mix(HASH_START, words + start, 8 * (width - start));
}

uint64_t study_hash(const study *t) {
  return study_mix(HASH_START, t->hash, 8 * t->q.n);
}

// ------------------------------------------------------------------ --record, --stop

static int64_t count_items(const char *text) {
  int64_t n = 1;
  for (const char *p = text; *p; p++) {
    n += *p == ',';
  }
  return n;
}

// Cuts a text at its commas; returns the next item, NULL at the end.
static char *next_item(char **text) {
  char *item = *text;
  if (item) {
    char *comma = strchr(item, ',');
    *text = comma ? comma + 1 : NULL;
    if (comma) {
      *comma = 0;
    }
  }
  return item;
}

// The default leaves out what the model does not have.
static int read_records(study *t) {
  static const struct {
    const char *name, *size;
  } usual[] = {
    { "qpos", "nq" }, { "qvel", "nv" }, { "act", "na" }, { "sensordata", "nsensordata" }
  };
  const options *o = t->s.o;
  t->names = strdup(o->record ? o->record : "");
  t->q.record = calloc((size_t)count_items(t->names ? t->names : "") + 4, sizeof *t->q.record);
  if (!t->names || !t->q.record) {
    return report(o, NULL);
  }
  char *rest = o->record ? t->names : NULL;
  for (char *item; (item = next_item(&rest));) {
    if (!*item) {
      return usage_error(o->command, "--record '%s': an item is empty", o->record);
    }
    if (record_names_steps(item)) {
      return usage_error(o->command,
                         "--record '%s': these are steps, not an array; all rollouts record the "
                         "same steps: every Nth, with --every N",
                         item);
    }
    for (int64_t k = 0; k < t->q.nrecord; k++) {
      if (strcmp(t->q.record[k].name, item) == 0) {
        return usage_error(o->command, "--record %s is given twice", item);
      }
    }
    t->q.record[t->q.nrecord++].name = item;
  }
  for (size_t i = 0; !o->record && i < sizeof usual / sizeof usual[0]; i++) {
    if (sn_size(t->s.model, usual[i].size) > 0) {
      t->q.record[t->q.nrecord++].name = usual[i].name;
    }
  }
  return DONE;
}

// "NAME=MIN:MAX", either may be missing
static int read_limit(study *t, char *item, sn_rollout_limit *out) {
  char *equals = strrchr(item, '='), *p = equals ? equals + 1 : item;
  *out = (sn_rollout_limit){ .name = item, .min = -HUGE_VAL, .max = HUGE_VAL };
  if (equals && equals > item) {
    *equals = 0;
    const char *end = sn_read_number(p, &out->min);
    out->min = end == p ? -HUGE_VAL : out->min;
    if (*end == ':') {
      const char *last = sn_read_number(end + 1, &out->max);
      out->max = last == end + 1 ? HUGE_VAL : out->max;
      if (!*last) {
        return DONE;
      }
    }
  }
  return usage_error(t->s.o->command, "--stop '%s': write NAME=MIN:MAX, NAME=MIN: or NAME=:MAX",
                     t->s.o->stop);
}

static int read_limits(study *t) {
  const options *o = t->s.o;
  if (!o->stop) {
    return DONE;
  }
  t->limits = strdup(o->stop);
  sn_rollout_limit *list = calloc((size_t)count_items(o->stop), sizeof *list);
  t->q.stop = list;
  if (!t->limits || !list) {
    return report(o, NULL);
  }
  char *rest = t->limits;
  int status = DONE;
  for (char *item; status == DONE && (item = next_item(&rest));) {
    status = read_limit(t, item, &list[t->q.nstop++]);
  }
  return status;
}

// ------------------------------------------------------------------ rows

// Which of all rollouts: --n, or as many as --inputs or the lists of --vary have.
static int choose_rows(study *t, int64_t inputs) {
  const options *o = t->s.o;
  const int64_t combinations = vary_combinations(o, t->varied);
  t->n = o->n > 0 ? o->n : inputs >= 0 ? inputs : combinations > 1 ? combinations : 0;
  if (t->n == 0) {
    return usage_error(o->command, "--n is missing; specify the number of rollouts");
  }
  if (inputs >= 0 && inputs < t->n) {
    return report_text(o, o->inputs, 0, 0, "it has controls of %lld rollouts instead of %lld",
                       (long long)inputs, (long long)t->n);
  }
  t->q.first = study_shard_start(t->n, t->shard, t->nshard);
  t->q.n = study_shard_start(t->n, t->shard + 1, t->nshard) - t->q.first;
  return DONE;
}

static int draw_values(study *t) {
  const sn_host *host = sn_engine_host(t->s.engine);
  const sn_random_service *random = host->query(host, SN_SERVICE_RANDOM);
  for (int64_t k = 0; k < t->q.nvary; k++) {
    const int64_t width = t->q.vary[k].width;
    double *values = malloc((size_t)(t->q.n * width + 1) * sizeof *values);
    if (!values) {
      return report(t->s.o, NULL);
    }
    t->q.vary[k].values = values;
    for (int64_t i = 0; i < t->q.n; i++) {
      vary_values(&t->varied[k], random, (uint64_t)t->s.o->seed, t->q.first + i, width,
                  values + i * width);
    }
  }
  return DONE;
}

static int reserve(study *t) {
  const size_t n = (size_t)t->q.n + 1;
  int64_t width = STORE_FIXED + t->q.nresult;
  for (int64_t k = 0; k < t->q.nvary; k++) {
    width += t->q.vary[k].width;
  }
  t->key = calloc(n, sizeof *t->key);
  t->hash = calloc(n, sizeof *t->hash);
  t->skip = calloc(n, 1);
  t->counted = calloc(n, 1);
  t->record = calloc((size_t)width, sizeof *t->record);
  return t->key && t->hash && t->skip && t->counted && t->record ? DONE : report(t->s.o, NULL);
}

// ------------------------------------------------------------------ all of it

// One state for all, and the controls.
static int read_start(study *t) {
  const options *o = t->s.o;
  int64_t sequence = -1, inputs = -1, steps = -1;
  int status = session_start(&t->s);
  status = status == DONE ? input_apply(&t->s, o->input, &t->sequence, &sequence) : status;
  status = status == DONE && o->inputs ? study_map_inputs(t, o->inputs, &inputs, &steps) : status;
  status = status == DONE
               ? session_steps(&t->s, USUAL_TIME, o->inputs ? steps : sequence, &t->q.nstep)
               : status;
  status = status == DONE ? choose_rows(t, inputs) : status;
  if (status != DONE) {
    return status;
  }
  if (o->steps < 0 && o->time < 0 && !o->inputs && sequence < 0) {
    note(o, "each rollout lasts %d s, %lld steps; --time or --steps sets another length",
         USUAL_TIME, (long long)t->q.nstep);
  }
  if (!o->every && !o->out) {
    t->q.every = t->q.nstep;   // for the hash
  }
  t->q.initial_mask = SN_STATE_INTEGRATION;
  t->initial = malloc((size_t)sn_state_size(t->s.model, t->q.initial_mask) * sizeof(double));
  if (!t->initial) {
    return report(o, NULL);
  }
  sn_state_get(t->s.model, t->s.data, t->q.initial_mask, t->initial);
  t->q.initial = t->initial;
  t->q.flags = SN_ROLLOUT_STOP | SN_ROLLOUT_SAME_INITIAL;
  if (o->inputs) {
    if (steps != t->q.nstep) {
      return report_text(
          o, o->inputs, 0, 0,
          "it has controls of %lld steps instead of %lld; use --steps %lld, or a %s array",
          (long long)steps, (long long)t->q.nstep, (long long)steps,
          steps < t->q.nstep ? "longer" : "shorter");
    }
    t->q.control += t->q.first * t->q.nstep * snm_nu(t->s.model);
  } else if (t->sequence) {
    t->q.control = t->sequence;
    t->q.flags |= SN_ROLLOUT_SAME_CONTROL;
  }
  return DONE;
}

// The error of sn_rollout_measure, with the option whose quantities it rejects.
static int report_request(study *t) {
  static const char *const names[] = { "record", "vary", "stop" };
  sn_error *error = t->s.error;
  for (int i = 0; i < 3; i++) {
    sn_rollout_request q = t->q;
    q.nrecord = i == 0 ? q.nrecord : 0;
    q.nvary = i == 1 ? q.nvary : 0;
    q.nstop = i == 2 ? q.nstop : 0;
    if (sn_rollout_measure(t->s.model, &q, error) < 0) {
      return report_text(t->s.o, NULL, 0, 0, "--%s: %s", names[i], sn_error_message(error));
    }
  }
  sn_rollout_measure(t->s.model, &t->q, error);
  return report(t->s.o, error);
}

static int make_request(study *t) {
  const options *o = t->s.o;
  t->q.size = sizeof t->q;
  t->q.every = o->every > 0 ? o->every : 1;
  t->q.seed = (uint64_t)o->seed;
  t->q.vary = calloc((size_t)o->nvary + 1, sizeof *t->q.vary);
  if (!t->q.vary) {
    return report(o, NULL);
  }
  for (int k = 0; k < o->nvary; k++) {
    t->q.vary[t->q.nvary++].name = t->varied[k].name;
  }
  int status = read_records(t);
  status = status == DONE ? read_limits(t) : status;
  status = status == DONE ? read_start(t) : status;
  if (status == DONE && sn_rollout_measure(t->s.model, &t->q, t->s.error) < 0) {
    status = report_request(t);
  }
  status = status == DONE ? draw_values(t) : status;
  status = status == DONE ? reserve(t) : status;
  if (status == DONE) {
    make_keys(t);
  }
  return status;
}

static int check_format(study *t) {
  static const char *const endings[NFORMATS] = { ".npy", ".npz", ".csv" };
  const options *o = t->s.o;
  const char *dot = o->out ? strrchr(o->out, '.') : NULL;
  for (int i = 0; dot && i < NFORMATS; i++) {
    if (strcmp(dot, endings[i]) == 0) {
      t->format = i;
      return DONE;
    }
  }
  return o->out ? usage_error(o->command, "--out '%s': the name must end in .npy, .npz or .csv",
                              o->out)
                : DONE;
}

// Images of camera sensors are drawn if they are recorded.
static int draw_cameras(study *t) {
  if (!sn_camera_sensors_recorded(t->s.model, &t->q)) {
    return DONE;
  }
  t->cameras = sn_camera_sensors_new(t->s.model, t->s.error);
  t->q.before_sample = sn_camera_sensors_sample;
  t->q.sample_context = t->cameras;
  return t->cameras ? DONE : report(t->s.o, t->s.error);
}

int study_open(study *t, const options *o) {
  t->s.o = o;
  t->varied = calloc((size_t)o->nvary + 1, sizeof *t->varied);
  int status = t->varied ? vary_read(o, t->varied) : report(o, NULL);
  status = status == DONE ? check_format(t) : status;
  status = status == DONE ? study_read_shard(o, &t->shard, &t->nshard) : status;
  if (status == DONE && t->nshard > 1 && !o->out) {
    status = usage_error(o->command, "--shard needs --out");
  }
  status = status == DONE ? session_open(&t->s, o) : status;
  if (status == DONE && sn_rollout_serve(t->s.engine, o->executor, &t->served, t->s.error) < 0) {
    status = report(o, t->s.error);
  }
  if (t->served) {
    return status;
  }
  status = status == DONE ? session_load(&t->s, o->operand[0]) : status;
  status = status == DONE ? make_request(t) : status;
  return status == DONE ? draw_cameras(t) : status;
}

void study_close(study *t) {
  for (int64_t k = 0; t->q.vary && k < t->q.nvary; k++) {
    free((void *)(uintptr_t)t->q.vary[k].values);
  }
  free(t->q.vary);
  free(t->q.record);
  free((void *)(uintptr_t)t->q.stop);
  vary_free(t->s.o, t->varied);
  free(t->varied);
  free(t->initial);
  free(t->sequence);
  free(t->names);
  free(t->limits);
  free(t->key);
  free(t->hash);
  free(t->skip);
  free(t->counted);
  free(t->record);
  store_free(&t->store);
  if (t->map) {
    munmap(t->map, t->nmap);
  }
  sn_camera_sensors_free(t->cameras);
  session_close(&t->s);
}
