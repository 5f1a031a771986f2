// SPDX-License-Identifier: Apache-2.0
//
// Composite objects and skins against the reference engine. Objects of every type are written by
// a generator of random numbers, with all of their parts, among other elements; every array and
// every name of the compiled models must agree. Skins are compared as the map from bodies to
// vertices that they are, since the reference keeps weights that are zero but for rounding.

#include <stdarg.h>

#include "default_engine.h"
#include "reference/same_model.h"
#include "suite.h"

// ------------------------------------------------------------------ skins

static const int32_t *ints(const sn_model *m, const char *name) {
  sn_view view = { .size = sizeof view };
  ck_assert_int_eq(sn_model_field(m, name, &view), SN_OK);
  return view.p;
}

static const double *reals(const sn_model *m, const char *name) {
  sn_view view = { .size = sizeof view };
  ck_assert_int_eq(sn_model_field(m, name, &view), SN_OK);
  return view.p;
}

static void same_reals(const char *xml, const char *what, const double *got, const float *ref,
                       int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    ck_assert_msg(fabs(got[i] - ref[i]) <= 1e-6 * (1 + fabs((double)ref[i])),
                  "%s: %s[%lld] is %.9g instead of %.9g", xml, what, (long long)i, got[i],
                  (double)ref[i]);
  }
}

static void same_ints(const char *xml, const char *what, const int32_t *got, const int *ref,
                      int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    ck_assert_msg(got[i] == ref[i], "%s: %s[%lld] is %d instead of %d", xml, what, (long long)i,
                  got[i], ref[i]);
  }
}

// Weights of one bone as a row over all vertices of the skin.
static void bone_row(double *row, int nvert, const int32_t *id, const double *weight,
                     const float *weight_ref, int n) {
  memset(row, 0, (size_t)nvert * sizeof *row);
  for (int k = 0; k < n; k++) {
    row[id[k]] += weight ? weight[k] : (double)weight_ref[k];
  }
}

static void compare_bones(const char *xml, const sn_model *m, const mjModel *ref) {
  const int32_t *adr = ints(m, "skin_bonevertadr"), *num = ints(m, "skin_bonevertnum");
  const int32_t *id = ints(m, "skin_bonevertid");
  const double *weight = reals(m, "skin_bonevertweight");
  for (int s = 0; s < ref->nskin; s++) {
    int nvert = ref->skin_vertnum[s];
    double *ours = calloc((size_t)nvert, sizeof *ours);
    double *theirs = calloc((size_t)nvert, sizeof *theirs);
    ck_assert(ours && theirs);
    for (int b = ref->skin_boneadr[s]; b < ref->skin_boneadr[s] + ref->skin_bonenum[s]; b++) {
      int at = ref->skin_bonevertadr[b];
      bone_row(ours, nvert, id + adr[b], weight + adr[b], NULL, num[b]);
      bone_row(theirs, nvert, ref->skin_bonevertid + at, NULL, ref->skin_bonevertweight + at,
               ref->skin_bonevertnum[b]);
      for (int v = 0; v < nvert; v++) {
        ck_assert_msg(fabs(ours[v] - theirs[v]) < 2e-6,
                      "%s: bone %d moves vertex %d by %.9g instead of %.9g", xml, b, v, ours[v],
                      theirs[v]);
      }
    }
    free(ours);
    free(theirs);
  }
}

static void compare_skins(const char *xml, const sn_model *m, const mjModel *ref) {
  sn_view view = { .size = sizeof view };
  ck_assert_int_eq(sn_model_field(m, "skin_vert", &view), SN_OK);
  ck_assert_msg(view.rows == ref->nskinvert, "%s: %lld vertices of skins instead of %d", xml,
                (long long)view.rows, ref->nskinvert);
  ck_assert_int_eq(sn_model_field(m, "skin_bonebodyid", &view), SN_OK);
  ck_assert_msg(view.rows == ref->nskinbone, "%s: %lld bones instead of %d", xml,
                (long long)view.rows, ref->nskinbone);
#define INTS(name, n) same_ints(xml, #name, ints(m, #name), ref->name, n)
#define REALS(name, n) same_reals(xml, #name, reals(m, #name), ref->name, n)
  INTS(skin_matid, ref->nskin);
  INTS(skin_group, ref->nskin);
  INTS(skin_vertadr, ref->nskin);
  INTS(skin_vertnum, ref->nskin);
  INTS(skin_texcoordadr, ref->nskin);
  INTS(skin_faceadr, ref->nskin);
  INTS(skin_facenum, ref->nskin);
  INTS(skin_boneadr, ref->nskin);
  INTS(skin_bonenum, ref->nskin);
  INTS(skin_bonebodyid, ref->nskinbone);
  INTS(skin_face, 3 * ref->nskinface);
  REALS(skin_rgba, 4 * ref->nskin);
  REALS(skin_inflate, ref->nskin);
  REALS(skin_vert, 3 * ref->nskinvert);
  REALS(skin_texcoord, 2 * ref->nskintexvert);
  REALS(skin_bonebindpos, 3 * ref->nskinbone);
  REALS(skin_bonebindquat, 4 * ref->nskinbone);
  compare_bones(xml, m, ref);
}

static void compare(const char *xml) {
  char why[1024] = "";
  mjModel *ref = load_reference(xml, why);
  ck_assert_msg(ref != NULL, "%s: %s", xml, why);
  sn_model *m = model_of(xml);
  same_model(xml, m, ref);
  compare_skins(xml, m, ref);
  sn_model_free(m);
  mj_deleteModel(ref);
}

// ------------------------------------------------------------------ the generator

enum { MOST = 1 << 16 };

typedef struct writer {
  char text[MOST];
  size_t n;
  uint64_t state;
} writer;

static uint32_t random_bits(writer *w) {
  w->state = w->state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(w->state >> 33);
}

static int below(writer *w, int n) {
  return (int)(random_bits(w) % (uint32_t)n);
}

// 0.01 ... 1 in steps
static double positive(writer *w) {
  return 0.01 * (1 + below(w, 100));
}

static void put(writer *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void put(writer *w, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  w->n += (size_t)vsnprintf(w->text + w->n, MOST - w->n, format, arguments);
  va_end(arguments);
  ck_assert_uint_lt(w->n, MOST);
}

// the attribute, now and then, with `n` numbers
static void maybe(writer *w, const char *name, int n) {
  if (below(w, 3) == 0) {
    put(w, " %s=\"", name);
    for (int i = 0; i < n; i++) {
      put(w, "%s%g", i ? " " : "", positive(w));
    }
    put(w, "\"");
  }
}

static void maybe_solimp(writer *w, const char *name) {
  if (below(w, 3) == 0) {
    put(w, " %s=\"%g %g %g\"", name, 0.9 * positive(w), 0.9 * positive(w), positive(w));
  }
}

static void put_constrained(writer *w, const char *element, const char *kind) {
  put(w, "<%s kind=\"%s\"", element, kind);
  maybe(w, "stiffness", 1);
  maybe(w, "damping", 1);
  maybe(w, "margin", 1);
  maybe(w, "frictionloss", 1);
  maybe(w, "solreffix", 1 + below(w, 2));
  maybe(w, "solreflimit", 2);
  maybe(w, "solreffriction", 2);
  maybe_solimp(w, "solimpfix");
  maybe_solimp(w, "solimplimit");
  maybe_solimp(w, "solimpfriction");
  if (below(w, 3) == 0) {
    put(w, " range=\"-%g %g\"", positive(w), 1 + positive(w));
  }
  if (below(w, 3) == 0) {
    put(w, " group=\"%d\"", below(w, 5));
  }
  if (element[0] == 'j') {
    maybe(w, "armature", 1);
  } else {
    maybe(w, "rgba", 4);
    maybe(w, "width", 1);
    put(w, "%s", below(w, 3) ? "" : " material=\"m\"");
  }
  put(w, "/>");
}

static void put_geom(writer *w, int shape) {
  static const char *const shapes[] = { "sphere", "capsule", "ellipsoid" };
  put(w, "<geom size=\"%g %g %g\"", positive(w), positive(w), positive(w));
  if (shape || below(w, 2)) {
    put(w, " type=\"%s\"", shapes[shape]);
  }
  if (below(w, 4) == 0) {
    put(w, " contype=\"%d\" conaffinity=\"%d\" condim=\"%d\" priority=\"%d\"", below(w, 4),
        below(w, 4), 1 + 2 * below(w, 2), below(w, 3));
  }
  if (below(w, 3) == 0) {
    put(w, " group=\"%d\"", below(w, 5));
  }
  maybe(w, "mass", 1);
  maybe(w, "density", 1);
  maybe(w, "rgba", 4);
  maybe(w, "friction", 1 + below(w, 3));
  maybe(w, "solmix", 1);
  maybe(w, "solref", 2);
  maybe_solimp(w, "solimp");
  maybe(w, "margin", 1);
  maybe(w, "gap", 1);
  put(w, "%s/>", below(w, 3) ? "" : " material=\"m\"");
}

static void put_skin(writer *w, int subgrid) {
  put(w, "<skin texcoord=\"%s\"", below(w, 2) ? "true" : "false");
  maybe(w, "rgba", 4);
  maybe(w, "inflate", 1);
  put(w, "%s", below(w, 2) ? "" : " material=\"m\"");
  if (below(w, 3) == 0) {
    put(w, " group=\"%d\"", below(w, 6));
  }
  if (subgrid > 0) {
    put(w, " subgrid=\"%d\"", subgrid);
  }
  put(w, "/>");
}

// What a type may have, and how many points along each axis at least and at most.
typedef struct kind {
  const char *name;
  int dim, least, most;
  int shapes;     // of the geom
  int is_chain;   // its parent is one of its points
} kind;

static const kind kinds[] = {
  { "particle", 3, 1, 4, 1, 0 }, { "grid", 1, 1, 5, 1, 0 },     { "grid", 2, 2, 5, 1, 0 },
  { "rope", 1, 2, 6, 3, 1 },     { "loop", 1, 2, 7, 3, 1 },     { "cloth", 2, 2, 5, 3, 1 },
  { "box", 3, 2, 5, 3, 0 },      { "cylinder", 3, 2, 5, 3, 0 }, { "ellipsoid", 3, 2, 5, 3, 0 },
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static void put_parts(writer *w, const kind *k, const int *count) {
  put_geom(w, below(w, k->shapes));
  for (int i = 0; i < 2; i++) {
    if (below(w, 2)) {
      put_constrained(w, "joint", "main");
    }
    if (below(w, 3) == 0) {
      put_constrained(w, "tendon", "main");
    }
  }
  if (k->is_chain && below(w, 3) == 0) {
    put_constrained(w, "joint", "twist");
  }
  if (k->is_chain && below(w, 3) == 0) {
    put_constrained(w, "joint", "stretch");
  }
  if (k->dim == 2) {
    if (below(w, 2)) {
      put_constrained(w, "tendon", "shear");
    }
    if (below(w, 2)) {
      put(w, "<site size=\"%g\" group=\"%d\" rgba=\".1 .2 .3 .4\"/>", positive(w), below(w, 4));
    }
    if (below(w, 2)) {
      put(w, "<pin coord=\"%d %d\"/><pin coord=\"0 1\"/>", below(w, 3), below(w, 3));
    }
  }
  if (strcmp(k->name, "grid") == 0 && k->dim == 1) {
    return;   // a grid with a skin has two dimensions
  }
  if (below(w, 2)) {
    int fine = k->dim == 2 && count[0] > 2 && count[1] > 2;
    put_skin(w, fine ? below(w, 4) : 0);
  }
}

static void put_composite(writer *w, const kind *k, const char *prefix, const int *count) {
  put(w, "<composite type=\"%s\" count=\"%d %d %d\" spacing=\"%g\" prefix=\"%s\"", k->name,
      count[0], count[1], count[2], positive(w), prefix);
  maybe(w, "offset", 3);
  maybe(w, "flatinertia", 1);
  maybe(w, "solrefsmooth", 1 + below(w, 2));
  maybe_solimp(w, "solimpsmooth");
  put(w, ">");
  put_parts(w, k, count);
  put(w, "</composite>");
}

// a composite in a body, with neighbors before and behind it
static void put_object(writer *w, int index) {
  const kind *k = &kinds[below(w, KINDS)];
  char prefix[16] = "";
  if (index || below(w, 2)) {
    snprintf(prefix, sizeof prefix, "o%d", index);
  }
  int count[3] = { 1, 1, 1 };
  for (int i = 0; i < k->dim; i++) {
    count[i] = k->least + below(w, k->most - k->least + 1);
  }
  for (int i = 0; i < 2; i++) {   // counts of 1 come last
    for (int j = i + 1; j < 3; j++) {
      if (count[i] == 1) {
        int swap = count[i];
        count[i] = count[j];
        count[j] = swap;
      }
    }
  }
  if (k->is_chain) {
    put(w, "<body name=\"%sB%d", prefix, below(w, count[0]));
    put(w, k->dim == 2 ? "_%d\"" : "\"", below(w, count[1]));
  } else {
    put(w, "<body name=\"parent%d\"", index);
  }
  put(w, " pos=\"%g %g 1\">%s", positive(w), positive(w), below(w, 3) ? "<freejoint/>" : "");
  put(w, "<geom size=\".1\" name=\"before%d\"/><body pos=\"0 0 1\"><geom size=\".2\"/></body>",
      index);
  put_composite(w, k, prefix, count);
  put(w,
      "<body pos=\"0 1 1\"><joint/><geom size=\".3\"/></body><geom size=\".1 .2 .3\" "
      "type=\"box\"/><site name=\"behind%d\"/></body>",
      index);
}

static void generate(writer *w, int seed) {
  w->n = 0;
  w->state = (uint64_t)seed * 977 + 5;
  put(w, "<mujoco><compiler autolimits=\"true\" angle=\"%s\"/>", below(w, 2) ? "radian" : "degree");
  // classes that do not act on composites
  put(w, "<default><geom density=\"7\" group=\"1\"/><joint damping=\"3\" group=\"2\"/>"
         "<tendon width=\".5\"/><equality solref=\"5 6\"/><site group=\"4\"/></default>");
  // what refers to the world may stand before it
  put(w, "<equality><joint joint1=\"last\"/></equality><tendon><fixed name=\"own\"><joint "
         "joint=\"last\" coef=\"2\"/></fixed></tendon><contact><exclude body1=\"end\" "
         "body2=\"world\"/></contact><worldbody>");
  int objects = 1 + below(w, 2);
  for (int i = 0; i < objects; i++) {
    put_object(w, i);
  }
  put(w, "<body name=\"end\" pos=\"3 3 3\"><joint name=\"last\"/><geom size=\".1\"/></body>"
         "</worldbody><asset><material name=\"m\"/><skin name=\"flat\" vertex=\"0 0 0 1 0 0 0 1 "
         "0\" face=\"0 1 2\" texcoord=\"0 0 1 0 0 1\"><bone body=\"end\" bindpos=\"1 2 3\" "
         "bindquat=\"2 0 0 1\" vertid=\"0 1 2 1\" vertweight=\"1 2 3 4\"/><bone body=\"world\" "
         "bindpos=\"0 0 0\" bindquat=\"1 0 0 0\" vertid=\"2\" vertweight=\"5\"/></skin></asset>"
         "</mujoco>");
}

enum { SEEDS = 40, EACH = 10 };

START_TEST(composites_agree) {
  writer *w = malloc(sizeof *w);
  ck_assert_ptr_nonnull(w);
  for (int i = 0; i < EACH; i++) {
    generate(w, _i * EACH + i);
    compare(w->text);
  }
  free(w);
}
END_TEST

// ------------------------------------------------------------------ what is rejected

#define WORLD(text) "<mujoco><worldbody>" text "</worldbody></mujoco>"
#define IN(name, text) WORLD("<body name='" name "'><freejoint/>" text "</body>")
#define GEOM "<geom size='.01'/></composite>"
#define SKIN(numbers, bones)                                                            \
  "<mujoco><asset><skin " numbers ">" bones "</skin></asset><worldbody><body name='b'>" \
  "<geom size='1'/></body></worldbody></mujoco>"
#define THREE "vertex='0 0 0 1 0 0 0 1 0' face='0 1 2'"
#define BONE(id, weight) \
  "<bone body='b' bindpos='1 2 3' bindquat='1 0 0 1' vertid='" id "' vertweight='" weight "'/>"

static const char *const rejected[] = {
  // counts
  WORLD("<composite type='particle' count='0' spacing='1'>" GEOM),
  WORLD("<composite type='particle' count='1 3 1' spacing='1'>" GEOM),
  WORLD("<composite type='particle' count='3' spacing='0'>" GEOM),
  WORLD("<composite type='grid' count='3 3 3' spacing='1'>" GEOM),
  WORLD("<composite type='box' count='3 3' spacing='1'>" GEOM),
  IN("B0", "<composite type='rope' count='3 3' spacing='1'>" GEOM),
  IN("B0", "<composite type='rope' count='1' spacing='1'>" GEOM),
  IN("B0", "<composite type='loop' count='1' spacing='1'>" GEOM),
  IN("B0_0", "<composite type='cloth' count='3' spacing='1'>" GEOM),
  // the parent's name
  IN("b", "<composite type='rope' count='4' spacing='1'>" GEOM),
  IN("B", "<composite type='rope' count='4' spacing='1'>" GEOM),
  IN("B4", "<composite type='rope' count='4' spacing='1'>" GEOM),
  IN("B-1", "<composite type='rope' count='4' spacing='1'>" GEOM),
  IN("B1", "<composite type='rope' count='4' spacing='1' prefix='Q'>" GEOM),
  IN("B1", "<composite type='cloth' count='4 4' spacing='1'>" GEOM),
  IN("B1_4", "<composite type='cloth' count='4 4' spacing='1'>" GEOM),
  WORLD("<composite type='rope' count='4' spacing='1'>" GEOM),
  // parts
  WORLD("<composite type='grid' count='3' spacing='1'><skin/>" GEOM),
  WORLD("<composite type='grid' count='3' spacing='1'><tendon kind='shear'/>" GEOM),
  WORLD("<composite type='grid' count='3 2' spacing='1'><skin subgrid='1'/>" GEOM),
  WORLD("<composite type='grid' count='3 2' spacing='1'><skin group='6'/>" GEOM),
  WORLD("<composite type='grid' count='3 2' spacing='1'><skin material='none'/>" GEOM),
  WORLD("<composite type='grid' count='3 2' spacing='1'><joint kind='odd'/>" GEOM),
  WORLD("<composite type='grid' count='3 2' spacing='1'><geom type='box' size='1 1 1'/>"
        "</composite>"),
  WORLD("<composite type='grid' count='3 2' spacing='1'></composite>"),
  "<mujoco><compiler coordinate='global'/><worldbody><composite type='grid' count='2' "
  "spacing='1'>" GEOM "</worldbody></mujoco>",
  // skins
  SKIN("", ""),
  SKIN(THREE, ""),
  SKIN("vertex='0 0 0 1 0 0 0 1' face='0 1 2'", BONE("0 1 2", "1 1 1")),
  SKIN("vertex='0 0 0 1 0 0 0 1 0' face='0 1'", BONE("0 1 2", "1 1 1")),
  SKIN(THREE " texcoord='0 0 1 0'", BONE("0 1 2", "1 1 1")),
  SKIN(THREE " group='6'", BONE("0 1 2", "1 1 1")),
  SKIN(THREE " material='none'", BONE("0 1 2", "1 1 1")),
  SKIN(THREE " file='a.skn'", BONE("0 1 2", "1 1 1")),
  SKIN("file='a.skn'", ""),
  SKIN(THREE, BONE("0 1 3", "1 1 1")),
  SKIN(THREE, BONE("0 1", "1 1 1")),
  SKIN(THREE, BONE("0 1", "1 1")),
  SKIN(THREE, BONE("0 1 2", "1 -1 1")),
  SKIN(THREE, BONE("0 1 2", "1 1 1") BONE("0 1 2", "1 -1 1")),
};
enum { NREJECTED = sizeof rejected / sizeof rejected[0] };

START_TEST(composites_rejected_by_both) {
  char why[1024] = "";
  mjModel *ref = load_reference(rejected[_i], why);
  ck_assert_msg(ref == NULL, "the reference takes %s", rejected[_i]);
  reject_text(rejected[_i], "");
  ck_assert_msg(strlen(sn_error_message(error)) > 20, "%s: %s", rejected[_i], sn_error_text(error));
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  EACH(composites_agree, 0, SEEDS);
  EACH(composites_rejected_by_both, 0, NREJECTED);
}
