// SPDX-License-Identifier: Apache-2.0
//
// Element `mujoco` of a robot: compiler, option and size as in MJCF, with the defaults that suit
// URDF: fixed links are fused, visual shapes are discarded, folders of mesh files are stripped.
// The attributes are the settings of options.h by their own names, but for a few that MJCF calls
// otherwise or that URDF fixes.

#include <ctype.h>
#include <stddef.h>
#include <string.h>

#include "urdf/urdf.h"

typedef struct setting {
  const char *name;
  const xml_word *words;   // NULL: a number
  size_t offset;
  int64_t count;
  enum { REAL, WHOLE, TEXT, FOLDER, FIXED, BIT } type;
  int32_t bit;
} setting;

// ------------------------------------------------------------------ words

static const xml_word bools[] = { { "false", 0, 0 }, { "true", 1, 0 }, { NULL, 0, 0 } };
static const xml_word from_geom[] = {
  { "false", SN_FALSE, 0 }, { "true", SN_TRUE, 0 }, { "auto", SN_AUTO, 0 }, { NULL, 0, 0 }
};
static const xml_word collisions[] = { { "all", SN_COLLISION_ALL, 0 },
                                       { "predefined", SN_COLLISION_PAIR, 0 },
                                       { "dynamic", SN_COLLISION_DYNAMIC, 0 },
                                       { NULL, 0, 0 } };
static const xml_word cones[] = { { "pyramidal", SN_CONE_PYRAMIDAL, 0 },
                                  { "elliptic", SN_CONE_ELLIPTIC, 0 },
                                  { NULL, 0, 0 } };
static const xml_word jacobians[] = {
  { "dense", 0, 0 }, { "sparse", 1, 0 }, { "auto", 2, 0 }, { NULL, 0, 0 }
};
static const xml_word inertias[] = {
  { "auto", 0, 0 }, { "matrix", 1, 0 }, { "recursive", 2, 0 }, { NULL, 0, 0 }
};
static const xml_word switches[] = { { "disable", 0, 0 }, { "enable", 1, 0 }, { NULL, 0, 0 } };

// ------------------------------------------------------------------ settings

#define ROW(T, attribute, member, kind, n, w) \
  { .name = attribute, .type = kind, .words = w, .offset = offsetof(T, member), .count = n }
#define NO_ROW(name, ...)

#define R(name, n, ...) ROW(sn_compiler, #name, name, REAL, n, NULL),
#define T(name, value) ROW(sn_compiler, #name, name, TEXT, 1, NULL),
#define I(name, value) ROW(sn_compiler, #name, name, WHOLE, 1, bools),
static const setting compiler_settings[] = {
  // before the table, whose rows of these names are then not met
  ROW(sn_compiler, "inertiafromgeom", inertiafromgeom, WHOLE, 1, from_geom),
  ROW(sn_compiler, "inertiagrouprange", inertiagroup_min, WHOLE, 2, NULL),
  ROW(sn_compiler, "meshdir", meshdir, FOLDER, 1, NULL),
  { .name = "coordinate", .type = FIXED },
  { .name = "angle", .type = FIXED },
  { .name = "eulerseq", .type = FIXED },
  { .name = "texturedir", .type = FIXED },
  SN_COMPILER(R, I, T){ .name = NULL },
};
#undef R
#undef T
#undef I
_Static_assert(offsetof(sn_compiler, inertiagroup_max) ==
                   offsetof(sn_compiler, inertiagroup_min) + sizeof(int64_t),
               "one range");

#define R(name, n, ...) ROW(sn_option, #name, name, REAL, n, NULL),
#define T(name, value) ROW(sn_option, #name, name, TEXT, 1, NULL),
#define I(name, value) ROW(sn_option, #name, name, WHOLE, 1, NULL),
static const setting option_settings[] = {
  ROW(sn_option, "collision", collision, WHOLE, 1, collisions),
  ROW(sn_option, "cone", cone, WHOLE, 1, cones),
  ROW(sn_option, "jacobian", jacobian, WHOLE, 1, jacobians),
  ROW(sn_option, "inertia", inertia, WHOLE, 1, inertias),
  SN_OPTIONS(R, I, T){ .name = NULL },
};
#undef R
#undef T
#undef I

#define R(name, n, ...) ROW(sn_size_hint, #name, name, REAL, n, NULL),
#define I(name, value) ROW(sn_size_hint, #name, name, WHOLE, 1, NULL),
static const setting size_settings[] = { SN_SIZE_HINTS(R, I, NO_ROW){ .name = NULL } };
#undef R
#undef I

#define BIT_ROW(attribute, flags, mask)                                                      \
  {                                                                                          \
    .name = attribute, .type = BIT, .words = switches, .offset = offsetof(sn_option, flags), \
    .bit = mask                                                                              \
  }
static const setting flag_settings[] = {
  BIT_ROW("constraint", disableflags, SN_DISABLE_CONSTRAINT),
  BIT_ROW("equality", disableflags, SN_DISABLE_EQUALITY),
  BIT_ROW("frictionloss", disableflags, SN_DISABLE_FRICTIONLOSS),
  BIT_ROW("limit", disableflags, SN_DISABLE_LIMIT),
  BIT_ROW("contact", disableflags, SN_DISABLE_CONTACT),
  BIT_ROW("passive", disableflags, SN_DISABLE_PASSIVE),
  BIT_ROW("gravity", disableflags, SN_DISABLE_GRAVITY),
  BIT_ROW("clampctrl", disableflags, SN_DISABLE_CLAMPCTRL),
  BIT_ROW("warmstart", disableflags, SN_DISABLE_WARMSTART),
  BIT_ROW("filterparent", disableflags, SN_DISABLE_FILTERPARENT),
  BIT_ROW("actuation", disableflags, SN_DISABLE_ACTUATION),
  BIT_ROW("refsafe", disableflags, SN_DISABLE_REFSAFE),
  BIT_ROW("sensor", disableflags, SN_DISABLE_SENSOR),
  BIT_ROW("override", enableflags, SN_ENABLE_OVERRIDE),
  BIT_ROW("energy", enableflags, SN_ENABLE_ENERGY),
  BIT_ROW("fwdinv", enableflags, SN_ENABLE_FWDINV),
  BIT_ROW("sensornoise", enableflags, SN_ENABLE_SENSORNOISE),
  BIT_ROW("multiccd", enableflags, SN_ENABLE_MULTICCD),
  BIT_ROW("exactequality", enableflags, SN_ENABLE_EXACTEQUALITY),
  BIT_ROW("sleep", enableflags, SN_ENABLE_SLEEP),
  { .name = NULL },
};

// The range of lengths is of actuators, which URDF has not; the other names are MJCF's own words.
static int is_hidden(const char *name) {
  static const char *const hidden[] = { "global",           "degree",       "inertiagroup_min",
                                        "inertiagroup_max", "disableflags", "enableflags" };
  for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; i++) {
    if (strcmp(hidden[i], name) == 0) {
      return 1;
    }
  }
  return strncmp(name, "lr_", 3) == 0;
}

// ------------------------------------------------------------------ reading

static sn_status read_whole(urdf_reader *r, const xml_node *node, const xml_attr *a,
                            const setting *s, int64_t *out) {
  const xml_word *word;
  if (s->words) {
    SN_TRY(xml_read_word(&r->xml, node, a, s->words, &word));
    *out = word->value;
    return s->words != cones || word->value != SN_CONE_PYRAMIDAL
               ? SN_OK
               : urdf_note_that(
                     r, node, a,
                     "%s: cone pyramidal: friction is up to 29 %% weaker between the two "
                     "tangents; set cone to elliptic for the same friction in all "
                     "directions",
                     node->name);
  }
  int32_t given[2];
  SN_TRY(xml_read_ints(&r->xml, node, a, s->count, s->count, given, NULL));
  for (int64_t i = 0; i < s->count; i++) {
    out[i] = given[i];
  }
  return SN_OK;
}

// Names of plugins are lower case here.
static sn_status read_text(urdf_reader *r, const xml_node *node, const xml_attr *a, int is_name,
                           char *out) {
  size_t n = strlen(a->value);
  if (n >= SN_NAME_MAX) {
    return xml_fail(&r->xml, SN_EPARSE, node, a, "%s: %s is longer than %d bytes", node->name,
                    a->name, SN_NAME_MAX - 1);
  }
  for (size_t i = 0; i <= n; i++) {
    out[i] = is_name ? (char)tolower((unsigned char)a->value[i]) : a->value[i];
  }
  return SN_OK;
}

static sn_status read_one(urdf_reader *r, const xml_node *node, const xml_attr *a, const setting *s,
                          void *settings, int is_option) {
  void *out = (char *)settings + s->offset;
  if (s->type == REAL) {
    return xml_read_reals(&r->xml, node, a, s->count, s->count, out, NULL);
  }
  if (s->type == WHOLE) {
    return read_whole(r, node, a, s, out);
  }
  if (s->type == TEXT) {
    return read_text(r, node, a, is_option, out);
  }
  if (s->type == FOLDER) {
    // kept in the settings as far as there is room; the loader uses its own
    r->meshdir = a->value;
    return strlen(a->value) < SN_NAME_MAX ? read_text(r, node, a, 0, out) : SN_OK;
  }
  if (s->type == FIXED) {
    return urdf_note_that(r, node, a,
                          "%s: %s is fixed by URDF (local frames, radians, fixed-axis rpy, "
                          "no textures) and is ignored",
                          node->name, a->name);
  }
  const xml_word *word;
  SN_TRY(xml_read_word(&r->xml, node, a, s->words, &word));
  int set = s->offset == offsetof(sn_option, disableflags) ? !word->value : word->value;
  int64_t *flags = out;
  *flags = set ? *flags | s->bit : *flags & ~(int64_t)s->bit;
  return SN_OK;
}

static sn_status read_settings(urdf_reader *r, const xml_node *node, const setting *rows,
                               void *settings, int is_option) {
  SN_TRY(urdf_check_text(r, node));
  for (const xml_attr *a = node->attrs; a; a = a->next) {
    const setting *s = rows;
    xml_nearest near = { NULL, 0 };
    for (; s->name && (strcmp(s->name, a->name) != 0 || is_hidden(s->name)); s++) {
      if (!is_hidden(s->name)) {
        xml_offer(&near, a->name, s->name);
      }
    }
    if (!s->name) {
      SN_TRY(urdf_leave(r, node, a, "%s has no attribute \"%.80s\"; it is ignored%s%s%s",
                        node->name, a->name, near.best ? "; did you mean \"" : "",
                        near.best ? near.best : "", near.best ? "\"?" : ""));
    } else {
      SN_TRY(read_one(r, node, a, s, settings, is_option));
    }
  }
  for (const xml_node *n = node->first; n; n = n->next) {
    if (rows != option_settings || strcmp(n->name, "flag") != 0) {
      SN_TRY(urdf_leave(r, n, NULL, "<%.60s> in <%s> of a robot is ignored", n->name, node->name));
    }
  }
  return SN_OK;
}

static sn_status read_option(urdf_reader *r, const xml_node *node) {
  sn_option option;
  sn_default_option(&option);
  SN_TRY(r->b->get_option(r->b->spec, &option));
  SN_TRY(read_settings(r, node, option_settings, &option, 1));
  const xml_node *flag;
  SN_TRY(urdf_only(r, node, "flag", &flag));
  if (flag) {
    SN_TRY(read_settings(r, flag, flag_settings, &option, 1));
  }
  return r->b->set_option(r->b->spec, &option, r->xml.error);
}

static sn_status read_size(urdf_reader *r, const xml_node *node) {
  sn_size_hint size;
  sn_default_size_hint(&size);
  SN_TRY(r->b->get_size_hint(r->b->spec, &size));
  SN_TRY(read_settings(r, node, size_settings, &size, 0));
  return r->b->set_size_hint(r->b->spec, &size, r->xml.error);
}

static sn_status read_compiler(urdf_reader *r, const xml_node *node) {
  return read_settings(r, node, compiler_settings, &r->compiler, 0);
}

static const struct {
  const char *name;
  sn_status (*read)(urdf_reader *r, const xml_node *node);
} sections[] = { { "compiler", read_compiler }, { "option", read_option }, { "size", read_size } };
enum { NSECTIONS = sizeof sections / sizeof sections[0] };

static sn_status read_sections(urdf_reader *r, const xml_node *mujoco) {
  SN_TRY(urdf_check_text(r, mujoco));
  for (int i = 0; i < NSECTIONS; i++) {
    const xml_node *node;
    SN_TRY(urdf_only(r, mujoco, sections[i].name, &node));
    if (node) {
      SN_TRY(sections[i].read(r, node));
    }
  }
  for (const xml_node *n = mujoco->first; n; n = n->next) {
    int known = 0;
    for (int i = 0; i < NSECTIONS; i++) {
      known |= strcmp(sections[i].name, n->name) == 0;
    }
    if (!known) {
      SN_TRY(urdf_leave(r, n, NULL,
                        "<%.60s> in <mujoco> of a robot is ignored; it may hold "
                        "compiler, option and size",
                        n->name));
    }
  }
  return SN_OK;
}

sn_status urdf_read_extension(urdf_reader *r, const xml_node *robot) {
  sn_default_compiler(&r->compiler);
  SN_TRY(r->b->get_compiler(r->b->spec, &r->compiler));
  r->compiler.degree = 0;
  r->compiler.fusestatic = r->compiler.discardvisual = r->compiler.strippath = 1;
  const xml_node *mujoco;
  SN_TRY(urdf_only(r, robot, "mujoco", &mujoco));
  if (mujoco) {
    SN_TRY(read_sections(r, mujoco));
  }
  return r->b->set_compiler(r->b->spec, &r->compiler, r->xml.error);
}
