// SPDX-License-Identifier: Apache-2.0
//
// The spec: everything that is given is copied, what comes back is what went in, other versions'
// structs are understood or rejected, and wrong input is rejected where it is given.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spec/spec.h"
#include "suite.h"

static sn_error *error;
static sn_spec *spec;

static void setup(void) {
  error = sn_error_new();
  spec = sn_spec_new(NULL, error);
  ck_assert_ptr_nonnull(spec);
}

static void teardown(void) {
  sn_spec_free(spec);
  sn_error_free(error);
}

#define OK(call) ck_assert_msg((call) >= 0, "%s: %s", #call, sn_error_text(error))
#define REJECTED(call, code, word)                                                          \
  do {                                                                                     \
    ck_assert_int_eq((call), (code));                                                      \
    ck_assert_msg(strstr(sn_error_text(error), word) != NULL, "%s", sn_error_text(error)); \
  } while (0)

START_TEST(world_is_body_zero) {
  sn_body_def world;
  sn_default_body(&world);
  ck_assert_int_eq(sn_spec_count(spec, "body"), 1);
  OK(sn_spec_get_body(spec, 0, &world, error));
  ck_assert_str_eq(world.name, "world");
  ck_assert_int_eq(sn_spec_find(spec, "body", "world"), 0);
  ck_assert_int_eq(sn_spec_find(spec, "xbody", "world"), 0);
  ck_assert_int_eq(sn_spec_count(spec, "planet"), -1);

  // its name stays, whatever is set
  world.name = "earth";
  OK(sn_spec_set_body(spec, 0, &world, error));
  ck_assert_int_eq(sn_spec_find(spec, "body", "world"), 0);
}
END_TEST

// A definition keeps nothing of the caller's memory, down to the strings of nested items.
START_TEST(everything_is_copied) {
  char name[] = "rope", site[] = "hook", file[] = "a.xml";
  double user[] = { 1, 2, 3 };
  sn_wrap_def wrap[2] = { { .type = SN_WRAP_SITE, .object = site },
                          { .type = SN_WRAP_PULLEY, .prm = 2 } };
  sn_tendon_def tendon;
  sn_default_tendon(&tendon);
  tendon.name = name;
  tendon.wrap = wrap;
  tendon.nwrap = 2;
  tendon.user = (sn_reals){ user, 3 };
  const sn_location location = { file, 7, 9 };
  int32_t id;
  OK(sn_spec_add_tendon(spec, &tendon, &location, &id, error));
  memset(name, '#', sizeof name - 1);
  memset(site, '#', sizeof site - 1);
  memset(file, '#', sizeof file - 1);
  memset(user, 0, sizeof user);
  memset(wrap, 0, sizeof wrap);

  sn_tendon_def back;
  sn_default_tendon(&back);
  OK(sn_spec_get_tendon(spec, id, &back, error));
  ck_assert_str_eq(back.name, "rope");
  ck_assert_int_eq(back.nwrap, 2);
  ck_assert_str_eq(back.wrap[0].object, "hook");
  ck_assert_ptr_null(back.wrap[0].sidesite);
  ck_assert_double_eq(back.wrap[1].prm, 2);
  ck_assert_int_eq(back.user.n, 3);
  ck_assert_double_eq(back.user.p[2], 3);
  ck_assert_str_eq(spec->list[SI_ELEMENT_tendon].at[id].location.file, "a.xml");

  // replaced by its own copy, it is the same
  OK(sn_spec_set_tendon(spec, id, &back, error));
  sn_default_tendon(&back);
  OK(sn_spec_get_tendon(spec, id, &back, error));
  ck_assert_str_eq(back.wrap[0].object, "hook");
  ck_assert_double_eq(back.user.p[1], 2);
}
END_TEST

START_TEST(bytes_and_bones) {
  const uint8_t bytes[] = { 1, 2, 3, 4, 5 };
  sn_texture_def texture;
  sn_default_texture(&texture);
  texture.cubefile[4] = "front.png";
  texture.cubebytes[4] = bytes;
  texture.ncubebytes[4] = sizeof bytes;
  int32_t id;
  OK(sn_spec_add_texture(spec, &texture, NULL, &id, error));
  OK(sn_spec_get_texture(spec, id, &texture, error));
  ck_assert_ptr_ne(texture.cubebytes[4], bytes);
  ck_assert_int_eq(texture.cubebytes[4][4], 5);
  ck_assert_int_eq(texture.cubebytes[4][5], 0);   // parsers find a zero after the end
  ck_assert_str_eq(texture.cubefile[4], "front.png");
  ck_assert_ptr_null(texture.cubefile[0]);

  const int32_t vertices[] = { 3, 1 };
  const double weights[] = { 0.25, 0.75 };
  const sn_bone_def bones[2] = {
    { .body = "a" }, { .body = "b", .vertid = { vertices, 2 }, .vertweight = { weights, 2 } }
  };
  sn_skin_def skin;
  sn_default_skin(&skin);
  skin.bone = bones;
  skin.nbone = 2;
  OK(sn_spec_add_skin(spec, &skin, NULL, &id, error));
  OK(sn_spec_get_skin(spec, id, &skin, error));
  ck_assert_str_eq(skin.bone[1].body, "b");
  ck_assert_int_eq(skin.bone[1].vertid.p[0], 3);
  ck_assert_double_eq(skin.bone[1].vertweight.p[1], 0.75);
}
END_TEST

START_TEST(definitions_of_other_versions) {
  sn_site_def site;
  sn_default_site(&site);
  site.name = "a";

  // a shorter one, of an older plugin: what it does not know is zero
  sn_site_def old = site;
  const double user[] = { 4 };
  old.user = (sn_reals){ user, 1 };
  old.def_size = (uint32_t)offsetof(sn_site_def, user);
  int32_t id;
  OK(sn_spec_add_site(spec, &old, NULL, &id, error));
  sn_site_def back;
  sn_default_site(&back);
  OK(sn_spec_get_site(spec, id, &back, error));
  ck_assert_int_eq(back.user.n, 0);

  // and it gets no more than it has room for
  unsigned char capacity[sizeof site + 8];
  memset(capacity, 0xee, sizeof capacity);
  uint32_t length = old.def_size;
  memcpy(capacity, &length, sizeof length);
  OK(sn_spec_get_site(spec, id, (sn_site_def *)(void *)capacity, error));
  ck_assert_int_eq(capacity[old.def_size], 0xee);

  // a longer one is accepted if its additional members are zero
  struct {
    sn_site_def site;
    double more;
  } newer = { site, 0 };
  newer.site.name = "b";
  newer.site.def_size = sizeof newer;
  OK(sn_spec_add_site(spec, &newer.site, NULL, &id, error));
  newer.more = 1;
  REJECTED(sn_spec_add_site(spec, &newer.site, NULL, &id, error), SN_EUNSUPPORTED, "newer version");

  site.def_size = 0;
  REJECTED(sn_spec_add_site(spec, &site, NULL, &id, error), SN_EINVAL, "sn_default_");
}
END_TEST

START_TEST(wrong_input) {
  const sn_location location = { "m.xml", 3, 5 };
  sn_geom_def geom;
  sn_default_geom(&geom);
  geom.name = "ball";
  geom.body = 4;
  REJECTED(sn_spec_add_geom(spec, &geom, &location, NULL, error), SN_EINVAL, "no body 4");
  ck_assert_str_eq(sn_error_file(error), "m.xml");
  ck_assert_int_eq(sn_error_line(error), 3);
  ck_assert_int_eq(sn_error_column(error), 5);
  ck_assert_ptr_nonnull(strstr(sn_error_message(error), "geom 'ball'"));

  geom.body = 0;
  geom.size[1] = INFINITY;
  REJECTED(sn_spec_add_geom(spec, &geom, &location, NULL, error), SN_EINVAL, "size[1]");
  geom.size[1] = 0;
  geom.mass = SN_UNSET;   // this one may be unset
  OK(sn_spec_add_geom(spec, &geom, &location, NULL, error));
  geom.density = SN_UNSET;
  REJECTED(sn_spec_add_geom(spec, &geom, &location, NULL, error), SN_EINVAL, "density");

  sn_key_def key;
  sn_default_key(&key);
  key.qpos.n = 3;
  REJECTED(sn_spec_add_key(spec, &key, NULL, NULL, error), SN_EINVAL, "qpos");

  sn_body_def body;
  sn_default_body(&body);
  body.parent = 1;   // itself
  REJECTED(sn_spec_add_body(spec, &body, NULL, NULL, error), SN_EINVAL, "before its children");
  REJECTED(sn_spec_get_geom(spec, 9, &geom, error), SN_EINVAL, "no geom 9");
}
END_TEST

START_TEST(finding) {
  sn_numeric_def numeric;
  sn_default_numeric(&numeric);
  char name[16];
  for (int i = 0; i < 100; i++) {
    snprintf(name, sizeof name, "n%d", (i * 37) % 100);
    numeric.name = name;
    OK(sn_spec_add_numeric(spec, &numeric, NULL, NULL, error));
  }
  for (int sorted = 0; sorted < 2; sorted++) {
    for (int i = 0; i < 100; i++) {
      snprintf(name, sizeof name, "n%d", (i * 37) % 100);
      ck_assert_int_eq(sn_spec_find(spec, "numeric", name), i);
    }
    ck_assert_int_eq(sn_spec_find(spec, "numeric", "n100"), -1);
    ck_assert_int_eq(sn_spec_find(spec, "numeric", ""), -1);
    OK(si_spec_sort(spec, SI_ELEMENT_numeric));
  }
}
END_TEST

START_TEST(settings_and_builder) {
  const sn_builder *b = sn_spec_builder(spec);
  sn_option option = { .def_size = sizeof option };
  OK(b->get_option(spec, &option));
  ck_assert_double_eq(option.timestep, 0.002);
  ck_assert_str_eq(option.solver, "newton");
  option.timestep = 0.01;
  OK(b->set_option(spec, &option, error));
  sn_option again = { .def_size = sizeof again };
  OK(sn_spec_get_option(spec, &again));
  ck_assert_double_eq(again.timestep, 0.01);

  const sn_location location = { "w.xml", 1, 2 };
  OK(b->warn(spec, &location, "odd"));
  ck_assert_str_eq(sn_spec_warning(spec, 0), "w.xml:1:2: odd");
  ck_assert_ptr_null(sn_spec_warning(spec, 1));
  OK(b->note(spec, &location, "known"));
  ck_assert_str_eq(sn_spec_note(spec, 0), "w.xml:1:2: known");
  ck_assert_ptr_null(sn_spec_note(spec, 1));
  ck_assert_ptr_null(sn_spec_warning(spec, 1));

  // a copy has both
  sn_spec *copy = sn_spec_copy(spec, error);
  ck_assert_str_eq(sn_spec_warning(copy, 0), "w.xml:1:2: odd");
  ck_assert_str_eq(sn_spec_note(copy, 0), "w.xml:1:2: known");
  sn_spec_free(copy);

  // every function is there
  const void *const *slots = (const void *const *)(const void *)b;
  for (size_t i = 1; i < sizeof *b / sizeof *slots; i++) {
    if (i * sizeof *slots != offsetof(sn_builder, host) &&
        i * sizeof *slots != offsetof(sn_builder, context)) {
      ck_assert_ptr_nonnull(slots[i]);
    }
  }
}
END_TEST

// A name is what files can hold.
START_TEST(names_are_text) {
  static const char *const good[] = {
    "a", "a b", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\xa6\xbe", ""
  };
  static const char *const bad[] = {
    "\xff",     "a\n",  "\x01",  "\xc0\xaf",     "\xed\xa0\x80",
    "\xe2\x82", "\x80", "a\x7f", "\xef\xbf\xbf", "\xf5\x80\x80\x80"
  };
  sn_body_def body;
  sn_default_body(&body);
  int32_t id = -1;
  for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
    body.name = good[i];
    ck_assert_int_ge(sn_spec_add_body(spec, &body, NULL, &id, error), 0);
    ck_assert_int_ge(sn_spec_set_name(spec, good[i]), 0);
  }
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    body.name = bad[i];
    ck_assert_msg(sn_spec_add_body(spec, &body, NULL, NULL, error) == SN_EINVAL, "name %zu", i);
    ck_assert_ptr_nonnull(strstr(sn_error_text(error), "of its name is"));
    ck_assert_int_eq(sn_spec_set_body(spec, id, &body, error), SN_EINVAL);
    ck_assert_int_eq(sn_spec_set_name(spec, bad[i]), SN_EINVAL);
  }
  ck_assert_str_eq(sn_spec_name(spec), "");
}
END_TEST

TESTS() {
  FIXTURE(setup, teardown);
  TEST(names_are_text);
  TEST(world_is_body_zero);
  TEST(everything_is_copied);
  TEST(bytes_and_bones);
  TEST(definitions_of_other_versions);
  TEST(wrong_input);
  TEST(finding);
  TEST(settings_and_builder);
}
