// SPDX-License-Identifier: Apache-2.0
//
// Writing elements: the schema read backwards. An attribute is written where its value differs
// from the default; an element, once it has an attribute or an element inside.

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mjcf/write/write.h"
#include "sinew/number.h"

// ------------------------------------------------------------------ text

static void put(mjcf_writer *w, const char *text, size_t n) {
  if (w->status >= 0) {
    w->status = w->sink->write(w->sink, text, (int64_t)n);
  }
}

static void puts_at(mjcf_writer *w, const char *text) {
  put(w, text, strlen(text));
}

static void indent(mjcf_writer *w, int depth) {
  for (int i = 0; i < depth; i++) {
    puts_at(w, "  ");
  }
}

static void put_escaped(mjcf_writer *w, const char *text) {
  static const char *const entity[128] = {
    ['&'] = "&amp;",  ['<'] = "&lt;",  ['>'] = "&gt;",  ['"'] = "&quot;",
    ['\n'] = "&#10;", ['\t'] = "&#9;", ['\r'] = "&#13;"
  };
  for (const char *p = text; *p; p++) {
    unsigned char c = (unsigned char)*p;
    if (c < 128 && entity[c]) {
      puts_at(w, entity[c]);
    } else {
      put(w, p, 1);
    }
  }
}

// ------------------------------------------------------------------ elements

// Writes the start of every element around that was held back.
static void reveal(mjcf_writer *w) {
  int first = w->depth;   // what is held back is inside of all that is not
  while (first > 0 && w->open[first - 1].state == MJCF_HELD) {
    first--;
  }
  for (int i = first; i < w->depth; i++) {
    if (i > 0 && w->open[i - 1].state == MJCF_STARTED) {
      puts_at(w, ">\n");
      w->open[i - 1].state = MJCF_FILLED;
    }
    indent(w, i - w->base);
    puts_at(w, "<");
    puts_at(w, w->open[i].name);
    w->open[i].state = MJCF_STARTED;
  }
}

void mjcf_begin(mjcf_writer *w, const char *name, int always) {
  if (w->depth >= MJCF_WRITE_DEPTH) {
    w->status = w->status < 0 ? w->status : SN_EUNSUPPORTED;
    w->lost++;
    return;
  }
  w->open[w->depth].name = name;
  w->open[w->depth++].state = MJCF_HELD;
  if (always) {
    reveal(w);
  }
}

void mjcf_end(mjcf_writer *w) {
  if (w->lost > 0) {
    w->lost--;
    return;
  }
  w->depth--;
  if (w->open[w->depth].state == MJCF_STARTED) {
    puts_at(w, "/>\n");
  } else if (w->open[w->depth].state == MJCF_FILLED) {
    indent(w, w->depth - w->base);
    puts_at(w, "</");
    puts_at(w, w->open[w->depth].name);
    puts_at(w, ">\n");
  }
}

void mjcf_begin_part(mjcf_writer *w, int32_t body) {
  sn_sink *file, *whole = w->nfile > 0 ? w->file[0].sink : w->sink;
  const char *name;
  char part[32];
  snprintf(part, sizeof part, "part%d", w->nparts + 1);
  if (!SN_HAS(whole, open) || !whole->open || w->nfile == MJCF_WRITE_FILES || w->status < 0 ||
      whole->open(whole, part, &file, &name) < 0) {
    return;
  }
  mjcf_begin(w, "include", 1);
  mjcf_write_text(w, "file", name);
  mjcf_end(w);
  w->file[w->nfile].sink = w->sink;
  w->file[w->nfile].base = w->base;
  w->file[w->nfile++].body = body;
  w->nparts++;
  w->sink = file;
  w->base = w->depth;
  mjcf_begin(w, "mujoco", 1);
}

void mjcf_end_part(mjcf_writer *w, int32_t body) {
  if (w->nfile > 0 && w->file[w->nfile - 1].body == body) {
    mjcf_end(w);
    w->nfile--;
    w->sink = w->file[w->nfile].sink;
    w->base = w->file[w->nfile].base;
  }
}

void mjcf_write_text(mjcf_writer *w, const char *name, const char *text) {
  reveal(w);
  puts_at(w, " ");
  puts_at(w, name);
  puts_at(w, "=\"");
  put_escaped(w, text);
  puts_at(w, "\"");
}

// ------------------------------------------------------------------ numbers

static void write_numbers(mjcf_writer *w, const char *name, const double *reals,
                          const int32_t *ints, int64_t n) {
  char text[64];
  reveal(w);
  puts_at(w, " ");
  puts_at(w, name);
  puts_at(w, "=\"");
  for (int64_t i = 0; i < n; i++) {
    int length = 0;
    if (reals) {
      length = sn_write_number(text, reals[i], 0);
    } else if (ints) {
      length = snprintf(text, sizeof text, "%d", ints[i]);
    }
    put(w, " ", i > 0);
    put(w, text, (size_t)length);
  }
  puts_at(w, "\"");
}

// ------------------------------------------------------------------ rows

static int64_t load_int(const char *p, uint32_t bytes) {
  int64_t wide;
  int32_t narrow;
  memcpy(&wide, p, bytes == sizeof wide ? sizeof wide : 0);
  if (bytes == sizeof wide) {
    return wide;
  }
  memcpy(&narrow, p, sizeof narrow);
  return narrow;
}

static void write_ints(mjcf_writer *w, const mjcf_attr *row, const char *p) {
  enum { MOST = 3 };
  int32_t value[MOST];
  uint32_t bytes = row->bytes / (uint32_t)row->max;
  for (int32_t i = 0; i < row->max; i++) {
    value[i] = (int32_t)load_int(p + (uint32_t)i * bytes, bytes);
  }
  write_numbers(w, row->name, NULL, value, row->max);
}

static void write_word(mjcf_writer *w, const mjcf_attr *row, int64_t value) {
  for (const xml_word *word = row->words; word->word; word++) {
    if (word->value == value) {
      mjcf_write_text(w, row->name, word->word);
      return;
    }
  }
}

static void write_buffer(mjcf_writer *w, const mjcf_attr *row, const char *p) {
  for (const xml_word *word = row->words; word && word->word; word++) {
    if (strcmp(row->names[word->value], p) == 0) {
      mjcf_write_text(w, row->name, word->word);
      return;
    }
  }
  mjcf_write_text(w, row->name, p);
}

static void write_pointer(mjcf_writer *w, const mjcf_attr *row, const char *p,
                          const char *defaults) {
  if (row->type == MJCF_TEXT) {
    const char *text, *same;
    memcpy(&text, p, sizeof text);
    memcpy(&same, defaults, sizeof same);
    if (text && *text && (row->required || !same || strcmp(text, same) != 0)) {
      mjcf_write_text(w, row->name, text);
    }
  } else if (row->type == MJCF_REALS) {
    sn_reals list;
    memcpy(&list, p, sizeof list);
    if (list.n > 0) {
      write_numbers(w, row->name, list.p, NULL, list.n);
    }
  } else {
    sn_ints list;
    memcpy(&list, p, sizeof list);
    if (list.n > 0) {
      write_numbers(w, row->name, NULL, list.p, list.n);
    }
  }
}

// The numbers of a row up to the first that is not set.
static int64_t count_set(const mjcf_attr *row, const char *p) {
  const double *value = (const double *)(const void *)p;
  int64_t n = 0;
  while (n < row->max && !isnan(value[n])) {
    n++;
  }
  return n;
}

static void write_bits(mjcf_writer *w, const mjcf_attr *row, int64_t bits) {
  int32_t list[64];
  int64_t n = 0;
  for (int32_t i = 0; i < 63; i++) {
    if (bits >> i & 1) {
      list[n++] = i;
    }
  }
  write_numbers(w, row->name, NULL, list, n);
}

// Those of them that must be written: what follows is as in `fallback`, which reading leaves alone.
static int64_t count_needed(const mjcf_attr *row, const char *p, const char *defaults) {
  int64_t n = count_set(row, p);
  const size_t one = sizeof(double);
  while (n > row->min &&
         memcmp(p + (size_t)(n - 1) * one, defaults + (size_t)(n - 1) * one, one) == 0) {
    n--;
  }
  return n;
}

static void write_row(mjcf_writer *w, const mjcf_attr *row, const char *p, const char *defaults) {
  int differs = row->required || memcmp(p, defaults, row->bytes) != 0;
  double first = 0;
  switch (row->type) {
    case MJCF_REAL:
      memcpy(&first, p, sizeof first);
      if (differs && !isnan(first)) {
        write_numbers(w, row->name, (const double *)(const void *)p, NULL,
                      count_needed(row, p, defaults));
      }
      return;
    case MJCF_INT:
      if (differs) {
        write_ints(w, row, p);
      }
      return;
    case MJCF_WORD:
      if (differs) {
        write_word(w, row, load_int(p, row->bytes));
      }
      return;
    case MJCF_BIT: {
      int64_t bit = load_int(p, sizeof(int64_t)) & row->bit;
      if (bit != (load_int(defaults, sizeof(int64_t)) & row->bit)) {
        write_word(w, row, bit != 0);
      }
      return;
    }
    case MJCF_BITS:
      if (differs) {
        write_bits(w, row, load_int(p, sizeof(int64_t)));
      }
      return;
    case MJCF_BUFFER:
      if (differs && *p) {
        write_buffer(w, row, p);
      }
      return;
    case MJCF_TEXT:
    case MJCF_REALS:
    case MJCF_INTS: write_pointer(w, row, p, defaults); return;
    case MJCF_CLASS:
    case MJCF_NOTHING: return;
  }
}

// An alternative orientation replaces quat, which is then not written.
static int is_replaced_quat(const mjcf_element *e, const mjcf_attr *row, const char *def) {
  if (!e->orient || row->offset != e->orient) {
    return 0;
  }
  const sn_orient *o = (const sn_orient *)(const void *)(def + e->orient);
  return !isnan(o->axisangle[0]) || !isnan(o->euler[0]) || !isnan(o->xyaxes[0]) ||
         !isnan(o->zaxis[0]);
}

void mjcf_write_rows(mjcf_writer *w, const mjcf_element *e, const void *def, const void *defaults) {
  size_t prefix = e->prefix ? strlen(e->prefix) : 0;
  for (int g = 0; g < MJCF_GROUPS && e->attrs[g]; g++) {
    for (const mjcf_attr *row = e->attrs[g]; row->name; row++) {
      if (row->alias || is_replaced_quat(e, row, def) ||
          (prefix && strncmp(row->name, e->prefix, prefix) != 0)) {
        continue;
      }
      mjcf_attr named = *row;
      named.name += prefix;
      write_row(w, &named, (const char *)def + row->offset, (const char *)defaults + row->offset);
    }
  }
}

// ------------------------------------------------------------------ whole elements

const mjcf_element *mjcf_find_element(const mjcf_element *list, const char *name) {
  for (; list->name; list++) {
    if (strcmp(list->name, name) == 0) {
      return list;
    }
  }
  return NULL;
}

const mjcf_element *mjcf_section(const char *name) {
  return mjcf_find_element(mjcf_root.children, name);
}

void mjcf_write_element(mjcf_writer *w, const mjcf_element *e, const void *def,
                        const void *defaults) {
  mjcf_begin(w, e->name, 1);
  mjcf_write_rows(w, e, def, defaults);
  mjcf_end(w);
}

sn_status mjcf_save_fail(mjcf_writer *w, const char *kind, const char *name, const char *why) {
  char text[512];
  snprintf(text, sizeof text, "%s '%.300s': MJCF cannot express %s", kind, name ? name : "", why);
  return w->b->host->error(w->b->host, w->error, SN_EUNSUPPORTED, NULL, 0, 0, text);
}

// Writes the elements of lines, which are changed.
static sn_status save_configs(mjcf_writer *w, char *lines) {
  for (char *at = lines; *(at += strspn(at, "\n"));) {
    char *const line = at;
    at += strcspn(at, "\n");
    const int is_last = *at == '\0';
    *at = '\0';
    char *sign = strchr(line, '=');
    if (!sign || sign == line) {
      return mjcf_save_fail(w, "config", line, "attributes that are not of the form key=value");
    }
    *sign = '\0';
    mjcf_begin(w, "config", 1);
    mjcf_write_text(w, "key", line);
    mjcf_write_text(w, "value", sign + 1);
    mjcf_end(w);
    at += !is_last;
  }
  return SN_OK;
}

sn_status mjcf_save_configs(mjcf_writer *w, const char *lines) {
  if (!lines) {
    return SN_OK;
  }
  char *copy = strdup(lines);
  const sn_status status = copy ? save_configs(w, copy)
                                : w->b->host->error(w->b->host, w->error, SN_ENOMEM, NULL, 0, 0,
                                                    "out of memory while saving");
  free(copy);
  return status;
}
