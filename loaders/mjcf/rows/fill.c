// SPDX-License-Identifier: Apache-2.0
//
// From attributes to definitions, by the rows of the schema: the only place that knows the types.

#include <stdio.h>
#include <string.h>

#include "mjcf/rows/reader.h"

sn_status mjcf_no_memory(mjcf_reader *r, const xml_node *node) {
  return xml_fail(&r->xml, SN_ENOMEM, node, NULL, "%s: out of memory", node->name);
}

// ------------------------------------------------------------------ rows

// the name of a row as it is written in the file; NULL when the row is not of this element
static const char *row_name(const mjcf_element *e, const mjcf_attr *row) {
  if (!e->prefix) {
    return row->name;
  }
  size_t n = strlen(e->prefix);
  return strncmp(row->name, e->prefix, n) == 0 ? row->name + n : NULL;
}

static const mjcf_attr *find_row(const mjcf_element *e, const char *name, xml_nearest *nearest) {
  for (int i = 0; i < MJCF_GROUPS && e->attrs[i]; i++) {
    for (const mjcf_attr *row = e->attrs[i]; row->name; row++) {
      const char *written = row_name(e, row);
      if (written && strcmp(written, name) == 0) {
        return row;
      }
      if (written && nearest) {
        xml_offer(nearest, name, written);
      }
    }
  }
  return NULL;
}

int mjcf_has_attr(const mjcf_element *e, const char *name) {
  return find_row(e, name, NULL) != NULL;
}

static const mjcf_element *find_child(const mjcf_element *e, const char *name,
                                      xml_nearest *nearest) {
  for (const mjcf_element *c = e->children; c && c->name; c++) {
    if (strcmp(c->name, name) == 0) {
      return c;
    }
    if (nearest) {
      xml_offer(nearest, name, c->name);
    }
  }
  return NULL;
}

// ------------------------------------------------------------------ checking

// the rest of a message about an unknown name: what is near, or since when others know it
static const char *about(char *text, size_t size, const char *near, const char *since,
                         const char *left, const char *right) {
  text[0] = 0;
  if (since) {
    snprintf(text, size, "; it was introduced in version %s of the format and is not supported",
             since);
  } else if (near) {
    snprintf(text, size, "; did you mean %s%s%s?", left, near, right);
  }
  return text;
}

static sn_status check_attributes(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  sn_status status = SN_OK;
  char more[160];

  // every attribute is known
  for (const xml_attr *a = node->attrs; a; a = a->next) {
    xml_nearest nearest = { NULL, 0 };
    if (find_row(e, a->name, NULL)) {
      continue;
    }
    find_row(e, a->name, &nearest);
    const char *since = mjcf_since(node->name, a->name);
    status = xml_fail(&r->xml, since ? SN_EUNSUPPORTED : SN_EPARSE, node, a,
                      "%s: unknown attribute \"%.80s\"%s", node->name, a->name,
                      since || nearest.best
                          ? about(more, sizeof more, nearest.best, since, "\"", "\"")
                          : "; `sinew schema` lists the attributes");
  }

  // and those that must be there are
  for (int i = 0; i < MJCF_GROUPS && e->attrs[i]; i++) {
    for (const mjcf_attr *row = e->attrs[i]; row->name; row++) {
      if (row->required && row_name(e, row) && !xml_find_attr(node, row_name(e, row))) {
        status = xml_fail(&r->xml, SN_EPARSE, node, NULL, "%s: attribute \"%s\" is required",
                          node->name, row_name(e, row));
      }
    }
  }
  return status;
}

// the multiplicities of the rows of `e` among the children of `node`
static sn_status check_counts(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  for (const mjcf_element *c = e->children; c && c->name; c++) {
    if (c->count == '*' || c->count == 'R') {
      continue;
    }
    int32_t n = 0;
    for (const xml_node *child = node->first; child; child = child->next) {
      n += strcmp(child->name, c->name) == 0;
      if (n > 1) {
        return xml_fail(&r->xml, SN_EPARSE, child, NULL,
                        "%s: only one element of this name is allowed in <%s>", child->name,
                        node->name);
      }
    }
    if (c->count == '!' && n == 0) {
      return xml_fail(&r->xml, SN_EPARSE, node, NULL, "%s: element <%s> is required", node->name,
                      c->name);
    }
  }
  return SN_OK;
}

static sn_status unknown_child(mjcf_reader *r, const xml_node *child) {
  char more[160];
  xml_nearest nearest = { NULL, 0 };
  find_child(child->parent->rule, child->name, &nearest);
  const char *since = mjcf_since(child->name, NULL);
  return xml_fail(&r->xml, since ? SN_EUNSUPPORTED : SN_EPARSE, child, NULL,
                  "<%s> cannot contain <%.80s>%s", child->parent->name, child->name,
                  about(more, sizeof more, nearest.best, since, "<", ">"));
}

// Goes on after a problem, so that all of them are found. Nodes get their rules on the way in.
sn_status mjcf_check(mjcf_reader *r, const mjcf_element *e, xml_node *top) {
  sn_status worst = SN_OK;
  for (xml_walk walk = { .top = top }; xml_step(&walk);) {
    xml_node *node = walk.node;
    sn_status status;
    if (!walk.leaving) {
      node->rule = node == top ? e : find_child(node->parent->rule, node->name, NULL);
    }
    if (!node->rule) {
      status = walk.leaving ? SN_OK : unknown_child(r, node);
      walk.pass = 1;
    } else if (walk.leaving) {
      status = check_counts(r, node->rule, node);
    } else {
      status = check_attributes(r, node->rule, node);
      if (node->text) {
        sn_location location = xml_location(node);
        SN_TRY(r->builder->warn(r->spec, &location, XML_TEXT_IGNORED));
      }
    }
    worst = worst < 0 ? worst : status;
  }
  return worst;
}

// ------------------------------------------------------------------ values

static void store_int(char *p, uint32_t bytes, int64_t value) {
  if (bytes == sizeof(int64_t)) {
    memcpy(p, &value, sizeof value);
  } else {
    int32_t narrow = (int32_t)value;
    memcpy(p, &narrow, sizeof narrow);
  }
}

static sn_status fill_ints(mjcf_reader *r, const mjcf_attr *row, const xml_node *node,
                           const xml_attr *a, char *p) {
  enum { MOST = 3 };
  int32_t value[MOST];
  int64_t n;
  SN_TRY(xml_read_ints(&r->xml, node, a, row->min, row->max, value, &n));
  uint32_t bytes = row->bytes / (uint32_t)row->max;
  for (int64_t i = 0; i < n; i++) {
    store_int(p + (size_t)i * bytes, bytes, value[i]);
  }
  return row->max == 1 ? mjcf_check_range(r, node, a, value[0]) : SN_OK;
}

static sn_status fill_bit(mjcf_reader *r, const mjcf_attr *row, const xml_node *node,
                          const xml_attr *a, char *p) {
  const xml_word *word;
  SN_TRY(xml_read_word(&r->xml, node, a, row->words, &word));
  int64_t flags;
  memcpy(&flags, p, sizeof flags);
  flags = word->value ? flags | row->bit : flags & ~row->bit;
  memcpy(p, &flags, sizeof flags);
  return SN_OK;
}

static sn_status fill_bits(mjcf_reader *r, const mjcf_attr *row, const xml_node *node,
                           const xml_attr *a, char *p) {
  int32_t value[64];
  int64_t n = 0, bits = 0;
  if (xml_count(a->value) > 0) {
    SN_TRY(xml_read_ints(&r->xml, node, a, 1, 64, value, &n));
  }
  for (int64_t i = 0; i < n; i++) {
    if (value[i] < 0 || value[i] >= row->max) {
      return xml_fail(&r->xml, SN_EPARSE, node, a, "%s: %s takes integers from 0 to %d, found %d",
                      node->name, a->name, row->max - 1, value[i]);
    }
    bits |= (int64_t)1 << value[i];
  }
  memcpy(p, &bits, sizeof bits);
  return SN_OK;
}

static sn_status fill_text(mjcf_reader *r, const mjcf_attr *row, const xml_node *node,
                           const xml_attr *a, char *p) {
  if (row->words) {
    const xml_word *word;
    SN_TRY(xml_read_word(&r->xml, node, a, row->words, &word));
  }
  const char *text = a->value[0] ? a->value : NULL;
  if (!text && row->required) {
    return xml_fail(&r->xml, SN_EPARSE, node, a, "%s: %s is empty", node->name, a->name);
  }
  memcpy(p, &text, sizeof text);
  return SN_OK;
}

static sn_status fill_buffer(mjcf_reader *r, const mjcf_attr *row, const xml_node *node,
                             const xml_attr *a, char *p) {
  const char *text = a->value;
  for (const xml_word *w = row->words; w && w->word; w++) {
    if (strcmp(w->word, text) == 0) {
      text = row->names[w->value];
    }
  }
  size_t n = strlen(text);
  if (n == 0 || n >= row->bytes) {
    return xml_fail(&r->xml, SN_EPARSE, node, a, "%s: %s takes 1 to %u characters, found %zu",
                    node->name, a->name, (unsigned)row->bytes - 1, n);
  }
  memcpy(p, text, n + 1);
  return SN_OK;
}

static sn_status fill_list(mjcf_reader *r, const mjcf_attr *row, const xml_node *node,
                           const xml_attr *a, char *p) {
  int64_t n = xml_count(a->value);
  if (row->type == MJCF_REALS) {
    double *value = xml_alloc(&r->doc.arena, (size_t)n * sizeof(double) + 1);
    sn_reals list = { value, n };
    if (!value) {
      return mjcf_no_memory(r, node);
    }
    SN_TRY(xml_read_reals(&r->xml, node, a, 1, INT64_MAX, value, NULL));
    memcpy(p, &list, sizeof list);
  } else {
    int32_t *value = xml_alloc(&r->doc.arena, (size_t)n * sizeof(int32_t) + 1);
    sn_ints list = { value, n };
    if (!value) {
      return mjcf_no_memory(r, node);
    }
    SN_TRY(xml_read_ints(&r->xml, node, a, 1, INT64_MAX, value, NULL));
    memcpy(p, &list, sizeof list);
  }
  return SN_OK;
}

// Said once a row; the rows stay where they are while a file is read. word: "" is any.
static sn_status fill_nothing(mjcf_reader *r, const mjcf_attr *row, const xml_node *node,
                              const char *word) {
  char text[256];
  for (int32_t i = 0; i < r->nwarned; i++) {
    if (r->warned[i] == row) {
      return SN_OK;
    }
  }
  if (r->nwarned < MJCF_WARNED) {
    r->warned[r->nwarned++] = row;
  }
  snprintf(text, sizeof text, "%s: %s%s%s has no effect: %s", node->name, row->name,
           word[0] ? " " : "", word, row->why);
  sn_location location = xml_location(node);
  return r->builder->warn(r->spec, &location, text);
}

static sn_status note_word(mjcf_reader *r, const mjcf_attr *row, const xml_node *node,
                           const char *word) {
  char text[256];
  snprintf(text, sizeof text, "%s: %s %s: %s", node->name, row->name, word, row->why);
  sn_location location = xml_location(node);
  return r->builder->note(r->spec, &location, text);
}

static sn_status fill_one(mjcf_reader *r, const mjcf_attr *row, const xml_node *node,
                          const xml_attr *a, char *p) {
  const xml_word *word;
  switch (row->type) {
    case MJCF_REAL:
      for (int32_t i = 0; row->fresh && i < row->max; i++) {
        ((double *)(void *)p)[i] = SN_UNSET;
      }
      SN_TRY(xml_read_reals(&r->xml, node, a, row->min, row->max, (double *)(void *)p, NULL));
      return row->max == 1 ? mjcf_check_range(r, node, a, *(double *)(void *)p) : SN_OK;
    case MJCF_INT: return fill_ints(r, row, node, a, p);
    case MJCF_WORD:
      SN_TRY(xml_read_word(&r->xml, node, a, row->words, &word));
      store_int(p, row->bytes, word->value);
      return word->inert == 1   ? fill_nothing(r, row, node, word->word)
             : word->inert == 2 ? note_word(r, row, node, word->word)
                                : SN_OK;
    case MJCF_BIT: return fill_bit(r, row, node, a, p);
    case MJCF_BITS: return fill_bits(r, row, node, a, p);
    case MJCF_TEXT: return fill_text(r, row, node, a, p);
    case MJCF_BUFFER: return fill_buffer(r, row, node, a, p);
    case MJCF_REALS:
    case MJCF_INTS: return fill_list(r, row, node, a, p);
    case MJCF_CLASS: return SN_OK;
    case MJCF_NOTHING: return fill_nothing(r, row, node, "");
  }
  return SN_OK;
}

// ------------------------------------------------------------------ orientation

// A quaternion of zeros is read as the identity, with a warning; MuJoCo 3 rejects it.
// Matches MuJoCo 2.2.2: zero-quaternion
static sn_status check_quat(mjcf_reader *r, const xml_node *node, const double *quat) {
  char text[160];
  if (!xml_find_attr(node, "quat") || quat[0] != 0 || quat[1] != 0 || quat[2] != 0 ||
      quat[3] != 0) {
    return SN_OK;
  }
  snprintf(text, sizeof text,
           "%.40s: quat is zero, which is not a rotation; the identity, 1 0 0 0, is used",
           node->name);
  sn_location location = xml_location(node);
  return r->builder->warn(r->spec, &location, text);
}

// At most one alternative in an element. When a default class sets one and the element another,
// the first of euler, zaxis, xyaxes, axisangle, quat counts.
// Matches MuJoCo 2.2.2: orientation-precedence
static sn_status orient(mjcf_reader *r, const xml_node *node, sn_orient *o) {
  static const char *const names[] = { "quat",  "axisangle", "xyaxes",
                                       "zaxis", "euler",     "fullinertia" };
  const xml_attr *first = NULL;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const xml_attr *a = xml_find_attr(node, names[i]);
    if (a && first) {
      return xml_fail(&r->xml, SN_EPARSE, node, a,
                      "%s: %s and %s both specify the orientation; remove one", node->name,
                      first->name, a->name);
    }
    first = a ? a : first;
  }
  SN_TRY(check_quat(r, node, o->quat));

  struct {
    double *p;
    int n;
  } weaker[] = { { o->euler, 3 }, { o->zaxis, 3 }, { o->xyaxes, 6 }, { o->axisangle, 4 } };
  int found = 0;
  for (size_t i = 0; i < sizeof weaker / sizeof *weaker; i++) {
    if (found) {
      sn_unset_reals(weaker[i].p, weaker[i].n);
    }
    found |= !isnan(weaker[i].p[0]);
  }
  return SN_OK;
}

// ------------------------------------------------------------------ all attributes

sn_status mjcf_fill(mjcf_reader *r, const mjcf_element *e, const xml_node *node, void *def) {
  for (const xml_attr *a = node->attrs; a; a = a->next) {
    const mjcf_attr *row = find_row(e, a->name, NULL);
    SN_TRY(fill_one(r, row, node, a, (char *)def + row->offset));
  }
  return e->orient ? orient(r, node, (sn_orient *)(void *)((char *)def + e->orient)) : SN_OK;
}

// ------------------------------------------------------------------ reading, checking

sn_status mjcf_read_children(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  for (const xml_node *child = node->first; child; child = child->next) {
    const mjcf_element *c = e->children;
    while (strcmp(c->name, child->name) != 0) {
      c++;
    }
    SN_TRY(c->read(r, c, child));
  }
  return SN_OK;
}

static sn_status check_values(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  sn_status worst = SN_OK;
  union {
    double align;
    char bytes[2048];
  } value;
  for (const xml_attr *a = node->attrs; a; a = a->next) {
    const mjcf_attr *row = find_row(e, a->name, NULL);
    memset(&value, 0, sizeof value);
    if (row && row->bytes <= sizeof value) {
      sn_status status = fill_one(r, row, node, a, value.bytes);
      worst = worst < 0 ? worst : status;
    }
  }
  return worst;
}

sn_status mjcf_check_values(mjcf_reader *r, xml_node *top) {
  sn_status worst = SN_OK;
  for (xml_walk walk = { .top = top }; xml_step(&walk);) {
    if (!walk.leaving && walk.node->rule) {
      sn_status status = check_values(r, walk.node->rule, walk.node);
      worst = worst < 0 ? worst : status;
    }
  }
  return worst;
}
