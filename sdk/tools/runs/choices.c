// SPDX-License-Identifier: Apache-2.0
//
// The choices that `sinew compare` compares: copies of its command line, each with the settings of
// one combination; see compare.h.

#include "compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// One of the lists on the command line, and what its values set.
typedef struct axis {
  const char *option;        // that gives the list
  const char *key;           // of --set, up to a `=` or the end; NULL: a profile
  const char *values;
  int is_named;              // a value says by itself what it is
} axis;

// Returns the number of axes.
static int read_axes(const options *o, axis *out) {
  int n = 0;
  if (o->solver) {
    out[n++] = (axis){ "solver", "solver", o->solver, 1 };
  }
  if (o->integrator) {
    out[n++] = (axis){ "integrator", "integrator", o->integrator, 1 };
  }
  if (o->collision) {
    out[n++] = (axis){ "collision", "convex", o->collision, 1 };
  }
  for (int i = 0; i < o->nvary; i++) {
    out[n++] = (axis){ "vary", o->vary[i], strchr(o->vary[i], '=') + 1, 0 };
  }
  if (o->profile && strchr(o->profile, ',')) {
    out[n++] = (axis){ "profile", NULL, o->profile, 1 };
  }
  return n;
}

static int64_t count_values(const char *values) {
  int64_t n = 1;
  for (const char *p = values; *p; p++) {
    n += *p == ',';
  }
  return n;
}

// Value number i of a list with commas.
static const char *value_at(const char *values, int64_t i, int *length) {
  for (; i > 0; i--) {
    values = strchr(values, ',') + 1;
  }
  *length = (int)strcspn(values, ",");
  return values;
}

static int add_setting(choice *c, const char *option, const char *text) {
  const char **more = realloc(c->o.set, (size_t)(c->o.nset + 1) * sizeof *more);
  char *copy = strdup(text);
  if (more) {
    c->o.set = more;
  }
  if (!more || !copy) {
    free(copy);
    return report(&c->o, NULL);
  }
  for (int i = 0; i < MOST_AXES; i++) {
    if (!c->owned[i]) {
      c->owned[i] = copy;
      break;
    }
  }
  c->o.set[c->o.nset++] = copy;
  c->listed[c->o.nlisted++] = option;
  c->o.listed = c->listed;
  return DONE;
}

// Of "box-box=gjk,primitive": the last pair that is named before `end`; NULL: none is.
static const char *last_pair(const char *values, const char *end) {
  const char *found = NULL, *start = values;
  for (const char *p = values; p < end; p++) {
    start = *p == ',' ? p + 1 : start;
    found = *p == '=' ? start : found;
  }
  return found;
}

// One value of an axis: as a setting, and in the name.
static int apply_value(choice *c, const axis *a, const char *value, int length) {
  const size_t used = strlen(c->name);
  char text[200];
  const int is_named = a->is_named, key_length = a->key ? (int)strcspn(a->key, "=") : 0;
  if (length == 0) {
    return usage_error(c->o.command, "--%s: the list '%s' has an empty value", a->option,
                       a->values);
  }
  snprintf(c->name + used, sizeof c->name - used, "%s%.*s%s%.*s", used ? " " : "",
           is_named ? 0 : key_length, a->key, is_named ? "" : "=", length, value);
  if (!a->key) {
    snprintf(c->profile, sizeof c->profile, "%.*s", length, value);
    c->o.profile = c->profile;
    return DONE;
  }
  // of colliders, a value may name its pair itself, which then holds for those behind it
  const int is_collider = key_length == 6 && strncmp(a->key, "convex", 6) == 0;
  const char *pair = is_collider ? last_pair(a->values, value + length) : NULL;
  const char *key = pair ? pair : a->key;
  const int has_pair = is_collider && memchr(value, '=', (size_t)length);
  snprintf(text, sizeof text, "%.*s%s%.*s", has_pair ? 0 : (int)strcspn(key, "="), key,
           has_pair ? "" : "=", length, value);
  return add_setting(c, a->option, text);
}

// A copy of the command line, whose settings can be added to.
static int start_choice(choice *c, const options *o, int index) {
  *c = (choice){ .o = *o };
  c->o.set = malloc((size_t)(o->nset + 1) * sizeof *c->o.set);
  c->o.quiet = o->quiet || index > 0;   // the same warnings are printed once
  if (!c->o.set) {
    return report(o, NULL);
  }
  memcpy(c->o.set, o->set, (size_t)o->nset * sizeof *c->o.set);
  return DONE;
}

static int check_varied(const options *o) {
  if (o->nvary > MOST_VARIED) {
    return usage_error(o->command, "--vary can be given %d times at most", MOST_VARIED);
  }
  for (int i = 0; i < o->nvary; i++) {
    const int length = (int)(strchr(o->vary[i], '=') - o->vary[i]);
    for (int j = 0; j < i; j++) {
      if (strncmp(o->vary[i], o->vary[j], (size_t)length + 1) == 0) {
        return usage_error(o->command,
                           "--vary %.*s is given twice; separate the values of a list by commas",
                           length, o->vary[i]);
      }
    }
  }
  return DONE;
}

int choices_make(comparison *all) {
  const options *o = all->o;
  axis axes[MOST_AXES];
  int64_t n = 1;
  if (check_varied(o) != DONE) {
    return USAGE;
  }
  const int naxes = read_axes(o, axes);
  for (int a = 0; a < naxes && n <= MOST_CHOICES; a++) {
    n *= count_values(axes[a].values);
  }
  if (naxes == 0 && !o->fine) {
    return usage_error(o->command, "nothing to compare: give --solver, --integrator, "
                                   "--collision, --profile, --vary or --fine");
  }
  if (n > MOST_CHOICES) {
    return usage_error(o->command, "these lists have more than %d combinations", MOST_CHOICES);
  }
  for (int64_t i = 0; i < n; i++) {
    choice *c = &all->choice[all->n++];
    int64_t rest = i, stride = n;
    int status = start_choice(c, o, all->n - 1);
    for (int a = 0; a < naxes && status == DONE; a++) {
      int length;
      stride /= count_values(axes[a].values);
      const char *value = value_at(axes[a].values, rest / stride, &length);
      rest %= stride;
      status = apply_value(c, &axes[a], value, length);
    }
    if (status != DONE) {
      return status;
    }
    if (naxes == 0) {
      snprintf(c->name, sizeof c->name, "as it is");
    }
  }
  return DONE;
}

int choices_add_fine(comparison *all) {
  choice *c = &all->choice[all->n], *first = &all->choice[0];
  char text[64];
  int status = start_choice(c, &first->o, all->n);
  all->reference = all->n++;
  c->o.quiet = 1;
  snprintf(c->name, sizeof c->name, "fine: 1/%lld of the step", (long long)all->o->fine);
  snprintf(text, sizeof text, "timestep=%.17g", first->timestep / (double)all->o->fine);
  return status == DONE ? add_setting(c, "fine", text) : status;
}

void choice_free(choice *c) {
  sn_data_free(c->copy);
  session_close(&c->s);
  free(c->qpos);
  free(c->qvel);
  free(c->time);
  for (int i = 0; i < NMEASURES; i++) {
    free(c->value[i]);
  }
  for (int i = 0; i < MOST_AXES; i++) {
    free(c->owned[i]);
  }
  free(c->o.set);
}
