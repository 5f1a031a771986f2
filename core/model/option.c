// SPDX-License-Identifier: Apache-2.0
//
// Options by name, as text: `--set` of the command line; and their ranges. Flags are set as
// "contact=off" or, as in MJCF, "contact=disable".

#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "model/model.h"
#include "sinew/number.h"
#include "sinew/suggest.h"

// ------------------------------------------------------------------ tables

typedef enum option_type { OPTION_REAL, OPTION_INT, OPTION_TEXT } option_type;

typedef struct option_row {
  const char *name;
  option_type type;
  int count;
  size_t offset;
} option_row;

static const option_row options[] = {
#define REAL_ROW(name, count, ...) { #name, OPTION_REAL, count, offsetof(sn_option, name) },
#define INT_ROW(name, value) { #name, OPTION_INT, 1, offsetof(sn_option, name) },
#define TEXT_ROW(name, value) { #name, OPTION_TEXT, 1, offsetof(sn_option, name) },
  SN_OPTIONS(REAL_ROW, INT_ROW, TEXT_ROW)
};
enum { NOPTIONS = sizeof options / sizeof options[0] };

typedef struct flag_row {
  const char *name;
  int64_t disable, enable;   // one of them is zero
} flag_row;

static const flag_row flags[] = {
  { "constraint", SN_DISABLE_CONSTRAINT, 0 },
  { "equality", SN_DISABLE_EQUALITY, 0 },
  { "frictionloss", SN_DISABLE_FRICTIONLOSS, 0 },
  { "limit", SN_DISABLE_LIMIT, 0 },
  { "contact", SN_DISABLE_CONTACT, 0 },
  { "passive", SN_DISABLE_PASSIVE, 0 },
  { "gravity", SN_DISABLE_GRAVITY, 0 },
  { "clampctrl", SN_DISABLE_CLAMPCTRL, 0 },
  { "warmstart", SN_DISABLE_WARMSTART, 0 },
  { "filterparent", SN_DISABLE_FILTERPARENT, 0 },
  { "actuation", SN_DISABLE_ACTUATION, 0 },
  { "refsafe", SN_DISABLE_REFSAFE, 0 },
  { "sensor", SN_DISABLE_SENSOR, 0 },
  { "eulerdamp", SN_DISABLE_EULERDAMP, 0 },
  { "override", 0, SN_ENABLE_OVERRIDE },
  { "energy", 0, SN_ENABLE_ENERGY },
  { "fwdinv", 0, SN_ENABLE_FWDINV },
  { "sensornoise", 0, SN_ENABLE_SENSORNOISE },
  { "multiccd", 0, SN_ENABLE_MULTICCD },
  { "exactequality", 0, SN_ENABLE_EXACTEQUALITY },
  { "sleep", 0, SN_ENABLE_SLEEP },
};
enum { NFLAGS = sizeof flags / sizeof flags[0] };

typedef struct keyword_row {
  const char *option, *word;
  int64_t value;
} keyword_row;

static const keyword_row keywords[] = {
  { "cone", "pyramidal", SN_CONE_PYRAMIDAL },
  { "cone", "elliptic", SN_CONE_ELLIPTIC },
  { "jacobian", "dense", SN_JACOBIAN_DENSE },
  { "jacobian", "sparse", SN_JACOBIAN_SPARSE },
  { "jacobian", "auto", SN_JACOBIAN_AUTO },
  { "inertia", "auto", SN_INERTIA_AUTO },
  { "inertia", "matrix", SN_INERTIA_MATRIX },
  { "inertia", "recursive", SN_INERTIA_RECURSIVE },
  { "compatibility", "none", SN_COMPATIBILITY_NONE },
  { "compatibility", "mujoco-2.2", SN_COMPATIBILITY_MUJOCO_2_2 },
  { "collision", "all", SN_COLLISION_ALL },
  { "collision", "predefined", SN_COLLISION_PAIR },
  { "collision", "dynamic", SN_COLLISION_DYNAMIC },
};

// What an option can be; those that are not listed can be any finite number.
typedef struct range_row {
  const char *name;
  double min, max;
} range_row;

static const range_row ranges[] = {
  { "timestep", 1e-12, 1e6 },
  { "impratio", 1e-10, 1e10 },
  { "tolerance", 0, 1e10 },
  { "noslip_tolerance", 0, 1e10 },
  { "mpr_tolerance", 0, 1e10 },
  { "density", 0, 1e10 },
  { "viscosity", 0, 1e10 },
  { "memory", 0, 0x1p60 },
  { "collision", 0, SN_NCOLLISIONMODES - 1 },
  { "cone", 0, SN_NCONETYPES - 1 },
  { "jacobian", 0, SN_NJACOBIANTYPES - 1 },
  { "inertia", 0, SN_NINERTIATYPES - 1 },
  { "compatibility", 0, SN_NCOMPATIBILITIES - 1 },
  { "iterations", 0, 1e6 },
  { "noslip_iterations", 0, 1e6 },
  { "mpr_iterations", 1, 1e6 },
  { "disableflags", 0, 0xffff },
  { "enableflags", 0, 0xffff },
  { "noise_seed", 0, 0x1p53 },
  { "disableactuator", 0, 0x7fffffff },
  { "bouncespeed", 0, 1e10 },
  { "sleep_tolerance", 0, 1e10 },
  { "threads", 0, 256 },
};

static sn_status check_number(const char *name, double value, sn_error *error) {
  if (!isfinite(value)) {
    return si_fail(error, SN_EINVAL, "option '%s' must be finite, not %g", name, value);
  }
  for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
    if (strcmp(ranges[i].name, name) == 0 && !(value >= ranges[i].min && value <= ranges[i].max)) {
      return si_fail(error, SN_EINVAL, "option '%s' must be from %g to %g, not %g", name,
                     ranges[i].min, ranges[i].max, value);
    }
  }
  return SN_OK;
}

sn_status si_option_check(const sn_option *option, sn_error *error) {
  for (int i = 0; i < NOPTIONS; i++) {
    const char *at = (const char *)option + options[i].offset;
    for (int k = 0; options[i].type == OPTION_REAL && k < options[i].count; k++) {
      double value;
      memcpy(&value, at + (size_t)k * sizeof value, sizeof value);
      SN_TRY(check_number(options[i].name, value, error));
    }
    if (options[i].type == OPTION_INT) {
      int64_t value;
      memcpy(&value, at, sizeof value);
      SN_TRY(check_number(options[i].name, (double)value, error));
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ values

// As many numbers as fit; returns how many there are, -1: the text is no numbers.
static int read_reals(const char *text, int count, double *out) {
  const char *p = text;
  int n = 0;
  while (*p && n < count) {
    const char *end = sn_read_number(p, &out[n]);
    if (end == p) {
      break;
    }
    n++;
    p = end + strspn(end, " ,\t");
  }
  return *p ? -1 : n;
}

static sn_status parse_reals(const char *name, const char *text, int count, double *out,
                             sn_error *error) {
  if (read_reals(text, count, out) != count) {
    return si_fail(error, SN_EINVAL, "option '%s' takes %d number%s, not '%s'", name, count,
                   count > 1 ? "s" : "", text);
  }
  return SN_OK;
}

// "pyramidal, elliptic"; "": an integer without keywords.
static void list_keywords(const char *name, char *out, size_t capacity) {
  size_t used = 0;
  out[0] = '\0';
  for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++) {
    if (strcmp(keywords[i].option, name) == 0 && used < capacity) {
      const int n = snprintf(out + used, capacity - used, "%s%s", used ? ", " : "",
                             keywords[i].word);
      used += n > 0 ? (size_t)n : 0;
    }
  }
}

static sn_status parse_int(const char *name, const char *text, int64_t *out, sn_error *error) {
  for (size_t i = 0; i < sizeof keywords / sizeof keywords[0]; i++) {
    if (strcmp(keywords[i].option, name) == 0 && strcasecmp(keywords[i].word, text) == 0) {
      *out = keywords[i].value;
      return SN_OK;
    }
  }
  char *end, words[128];
  errno = 0;
  long long value = strtoll(text, &end, 10);
  if (end == text || *end || errno) {
    list_keywords(name, words, sizeof words);
    return si_fail(error, SN_EINVAL, "option '%s' takes %s%s, not '%s'", name,
                   *words ? "one of these: " : "an integer", words, text);
  }
  *out = value;
  return SN_OK;
}

// ------------------------------------------------------------------ by type

static sn_status set_flag(sn_option *option, const flag_row *flag, const char *text,
                          sn_error *error) {
  static const char *const words[2][5] = { { "disable", "off", "no", "false", "0" },
                                           { "enable", "on", "yes", "true", "1" } };
  int on = 0, off = 0;
  for (int i = 0; i < 5; i++) {
    off |= strcasecmp(text, words[0][i]) == 0;
    on |= strcasecmp(text, words[1][i]) == 0;
  }
  if (!on && !off) {
    return strcmp(flag->name, "gravity") == 0
               ? si_fail(error, SN_EINVAL,
                         "'gravity' takes three numbers, or on or off as a flag, not '%s'", text)
               : si_fail(error, SN_EINVAL, "flag '%s' takes on or off (enable, disable), not '%s'",
                         flag->name, text);
  }
  int64_t *word = flag->disable ? &option->disableflags : &option->enableflags;
  int64_t bit = flag->disable ? flag->disable : flag->enable;
  int raise = flag->disable ? off : on;
  *word = raise ? *word | bit : *word & ~bit;
  return SN_OK;
}

static sn_status set_text(sn_option *option, const option_row *row, const char *text,
                          int32_t *chosen, sn_error *error) {
  if (strlen(text) >= SN_NAME_MAX) {
    return si_fail(error, SN_EINVAL,
                   "the name '%s' is longer than the name of any provider can "
                   "be",
                   text);
  }
  strcpy((char *)option + row->offset, text);
  *chosen = strcmp(row->name, "solver") == 0 ? SI_CHOSEN_SOLVER : SI_CHOSEN_INTEGRATOR;
  return SN_OK;
}

// ------------------------------------------------------------------ by name

static sn_status unknown(const char *name, sn_error *error) {
  const char *names[NOPTIONS + NFLAGS];
  int64_t n = 0;
  for (int i = 0; i < NOPTIONS; i++) {
    names[n++] = options[i].name;
  }
  for (int i = 0; i < NFLAGS; i++) {
    names[n++] = flags[i].name;
  }
  char hint[SN_SUGGEST_TEXT];
  const char *near = si_nearest(name, names, n);
  return si_fail(error, SN_ENOTFOUND, "models have no option or flag '%s'%s", name,
                 sn_suggest_text(hint, sizeof hint, near, NULL));
}

// Both a flag and an option are called gravity: several numbers mean the option.
static int means_flag(const char *name, const char *value) {
  double numbers[3];
  return strcmp(name, "gravity") != 0 || read_reals(value, 3, numbers) != 3;
}

static sn_status set_numbers(sn_option *option, const option_row *row, const char *value,
                             sn_error *error) {
  char *target = (char *)option + row->offset;
  if (row->type == OPTION_REAL) {
    double parsed[8];
    SN_TRY(parse_reals(row->name, value, row->count, parsed, error));
    memcpy(target, parsed, (size_t)row->count * sizeof(double));
  } else {
    int64_t parsed = 0;
    SN_TRY(parse_int(row->name, value, &parsed, error));
    memcpy(target, &parsed, sizeof parsed);
  }
  return SN_OK;
}

sn_status si_option_parse(sn_option *option, const char *name, const char *value, int32_t *chosen,
                          sn_error *error) {
  *chosen = 0;
  for (int i = 0; i < NFLAGS; i++) {
    if (strcmp(flags[i].name, name) == 0 && means_flag(name, value)) {
      return set_flag(option, &flags[i], value, error);
    }
  }
  for (int i = 0; i < NOPTIONS; i++) {
    if (strcmp(options[i].name, name) == 0) {
      return options[i].type == OPTION_TEXT ? set_text(option, &options[i], value, chosen, error)
                                            : set_numbers(option, &options[i], value, error);
    }
  }
  return unknown(name, error);
}

sn_status si_option_configure(sn_option *option, const sn_engine *engine, sn_error *error) {
  const char *key, *value;
  sn_location location;
  for (int64_t i = 0; si_engine_option(engine, i, &key, &value, &location); i++) {
    sn_error inner = { 0 };
    int32_t chosen = 0;
    sn_status status = si_option_parse(option, key, value, &chosen, &inner);
    if (status >= 0 && chosen) {
      status = si_fail(&inner, SN_EINVAL, "write it in the section [select]");
    }
    status = status < 0 ? status : si_option_check(option, &inner);
    if (status < 0) {
      return si_fail_at(error, status, &location, "[option] %s: %s", key, sn_error_message(&inner));
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ pyramidal cones

static sn_status note_pyramids(sn_model *m, const char *where, sn_error *error) {
  char text[2 * SI_ERROR_TEXT];
  for (int64_t i = 0; i < m->nnote; i++) {
    if (strstr(m->note[i], "cone pyramidal")) {
      return SN_OK;
    }
  }
  snprintf(text, sizeof text,
           "%scone pyramidal: friction is up to 29 %% weaker between the two tangents; set cone to "
           "elliptic for the same friction in all directions",
           where);
  return si_model_add_note(m, text, error);
}

sn_status si_model_note_cone(sn_model *m, sn_error *error) {
  return m->opt.cone == SN_CONE_PYRAMIDAL ? note_pyramids(m, "option: ", error) : SN_OK;
}

sn_status si_model_note_configured_cone(sn_model *m, sn_error *error) {
  const char *key, *value;
  sn_location location;
  char where[SI_ERROR_TEXT] = "";
  for (int64_t i = 0; si_engine_option(m->engine, i, &key, &value, &location); i++) {
    if (strcmp(key, "cone") == 0) {
      snprintf(where, sizeof where, "%s:%d: [option] ", location.file ? location.file : "",
               (int)location.line);
    }
  }
  return *where && m->opt.cone == SN_CONE_PYRAMIDAL ? note_pyramids(m, where, error) : SN_OK;
}

// ------------------------------------------------------------------ the list

const char *sn_option_name(int64_t index) {
  if (index >= 0 && index < NOPTIONS) {
    return options[index].name;
  }
  for (int i = 0; index >= NOPTIONS && i < NFLAGS; i++) {
    if (strcmp(flags[i].name, "gravity") != 0 && index-- == NOPTIONS) {   // gravity is in `options`
      return flags[i].name;
    }
  }
  return NULL;
}

const char *sn_option_choice(const char *name, int64_t index) {
  static const char *const states[] = { "enable", "disable" };
  for (size_t i = 0; name && i < sizeof keywords / sizeof keywords[0]; i++) {
    if (strcmp(keywords[i].option, name) == 0 && index-- == 0) {
      return keywords[i].word;
    }
  }
  for (int i = 0; name && i < NFLAGS; i++) {
    if (strcmp(flags[i].name, name) == 0 && index >= 0 && index < 2) {
      return states[index];
    }
  }
  return NULL;
}
