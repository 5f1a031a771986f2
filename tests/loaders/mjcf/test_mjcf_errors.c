// SPDX-License-Identifier: Apache-2.0
//
// The MJCF loader: what it rejects, with place and words; that it knows the whole format; and that
// any bytes give a spec or an error, and give all memory back.

#include <sys/stat.h>
#include <unistd.h>

#include "loaders/mjcf/fake_builder.h"
#include "loaders/mjcf/mjcf_elements.h"
#include "sanitized.h"
#include "suite.h"

static const sn_loader_ops *mjcf;
static fake f;

static void setup(void) {
  mjcf = fake_loader(SN_TEST_BUILD "/loaders/parts/mjcf.so");
  ck_assert_ptr_nonnull(mjcf);
  fake_open(&f);
  f.files[0] = (fake_file){ "empty.xml", "<mujoco/>" };
  f.files[1] = (fake_file){ "broken.xml", "<mujoco>\n<geom>\n</mujoco>" };
  f.files[2] = (fake_file){ "typo.xml", "<x>\n  <geom>\n <joit/></geom></x>" };
  f.files[3] = (fake_file){ "loop.xml", "<x><geom/><include file='sub/../loop.xml'/></x>" };
  f.files[4] = (fake_file){ "back.xml", "<x>\n<include file='main.xml'/></x>" };
  f.files[5] = (fake_file){ "good.xml", "<x><geom/></x>" };
}

static void teardown(void) {
  ck_assert_int_eq(f.held, 0);
  ck_assert_int_eq(f.nopen, 0);
  fake_close(&f);
}

static sn_status load(const char *text) {
  return fake_load(&f, mjcf, "main.xml", text, (int64_t)strlen(text));
}

// a text, where the error is, and a part of its message
typedef struct mistake {
  const char *text;
  int32_t code, line, column;
  const char *part;
} mistake;

#define W(inside) "<mujoco>\n<worldbody>\n" inside "\n</worldbody>\n</mujoco>"
#define B(inside) "<mujoco>\n<worldbody><body>\n" inside "\n</body></worldbody>\n</mujoco>"
#define A(inside) "<mujoco>\n<actuator>\n" inside "\n</actuator>\n</mujoco>"
#define P SN_EPARSE
#define U SN_EUNSUPPORTED

static const mistake mistakes[] = {
  // text
  { "", P, 0, 0, "not well-formed" },
  { "hello", P, 1, 0, "not well-formed" },
  { "<!-- -->", P, 1, 1, "no element" },
  { "\xff\xfe<\0", P, 1, 1, "UTF-16" },
  { W("<geom></body>"), P, 3, 7,
    "</body> does not match the start tag <geom> in line 3, column 1" },
  { W("<!-- <a> --><body><![CDATA[</a>]]>"), P, 4, 1, "</worldbody> does not match the start" },
  { "<mujoco>\n <worldbody>\n", P, 2, 2, "the element <worldbody> has no end tag </worldbody>" },
  { "</mujoco>", P, 1, 1, "the end tag </mujoco> has no start tag" },
  { "<mujoco>\n</mujoco", P, 2, 1, "lacks its '>'" },
  { W("<geom name='a' name='b'/>"), P, 3, 16, "\"name\" of <geom> is specified twice" },
  { W("<geom name='a'\n size/>"), P, 4, 2, "in <geom>, expected an attribute" },
  { W("<geom size=1/>"), P, 3, 7, "in <geom>, expected an attribute" },
  { W("<geom name='\xe4'/>"), P, 3, 7, "UTF-8" },
  { "<!DOCTYPE mujoco [<!ENTITY a 'b'>]>\n<mujoco model='&lt;&a;'/>", P, 2, 9,
    "\"&a\" does not begin" },
  { W("<geom name='&#65;b & c'/>"), P, 3, 7, "write &amp;" },
  { W("<geom size='1&#0;00'/>"), P, 3, 7, "\"&#0\" does not begin" },
  { W("<geom name='A&#99999999999;Z'/>"), P, 3, 7, "\"&#99999999999\" does not begin" },
  { W("<geom name='&#1114112;'/>"), P, 3, 7, "does not begin" },
  { W("<geom name='&#xd800;'/>"), P, 3, 7, "does not begin" },
  { W("<geom name='&#xFFFE;'/>"), P, 3, 7, "does not begin" },
  { W("<geom name='&#31;'/>"), P, 3, 7, "does not begin" },
  { W("<geom name='&#;'/>"), P, 3, 7, "does not begin" },
  { W("<geom name='&#x;'/>"), P, 3, 7, "does not begin" },
  { W("<geom name='&#65x;'/>"), P, 3, 7, "does not begin" },
  { W("<geom name='&#6a;'/>"), P, 3, 7, "does not begin" },
  { W("<geom name='&#X41;'/>"), P, 3, 7, "does not begin" },
  { W("<geom name='&#65'/>"), P, 3, 7, "does not begin" },
  { W("<geom name='\xc1\x81'/>"), P, 3, 7, "UTF-8" },           // an A of two bytes
  { W("<geom name='\xe0\x81\x81'/>"), P, 3, 7, "UTF-8" },       // of three
  { W("<geom name='\xed\xa0\x80'/>"), P, 3, 7, "UTF-8" },       // a surrogate
  { W("<geom name='\xf4\x90\x80\x80'/>"), P, 3, 7, "UTF-8" },   // above the last
  { W("<geom name='\xf8\x88\x80\x80\x80'/>"), P, 3, 7, "UTF-8" },
  { "<robot/>", P, 1, 1, "not <mujoco>" },
  // numbers of settings
  { "<mujoco>\n<option cone='elliptic' impratio='1e11'/></mujoco>", P, 2, 25, "1e-10 to 1e+10" },
  { "<mujoco>\n<option ccd_iterations='0'/></mujoco>", P, 2, 9, "from 1 to 1000000" },
  { "<mujoco>\n<size nuser_geom='2000000'/></mujoco>", P, 2, 7,
    "must be from -1 to 1000000, not 2000000" },
  { "<mujoco>\n<size nuser_cam='-2'/></mujoco>", P, 2, 7, "from -1 to 1000000, not -2" },
  { "<mujoco>\n<option iterations='1000001'/></mujoco>", P, 2, 9, "to 1000000, not 1000001" },
  { "<mujoco>\n<size nuser_body='1000001'/></mujoco>", P, 2, 7,
    "must be from -1 to 1000000, not 1000001" },
  // attributes of plugins
  { "<mujoco><extension>\n<force type='m'><config key='a=b' value='1'/></force></extension></mujoco>",
    P, 2, 17, "must not contain '='" },
  { "<mujoco><extension>\n<force type='m'><config key='a' value='1&#10;b=2'/></force></extension>"
    "</mujoco>",
    P, 2, 17, "a line break" },
  { "<mujoco><extension>\n<force/></extension></mujoco>", P, 2, 1, "\"type\" is required" },
  { "<mujoco><sensor>\n<plugin objname='s'/></sensor></mujoco>", P, 2, 1, "\"type\" is required" },
  // names
  { W("<geo/>"), P, 3, 1, "<worldbody> cannot contain <geo>; did you mean <geom>?" },
  { W("  <geom/> <xyzzyx/>"), P, 3, 11, "<worldbody> cannot contain <xyzzyx>" },
  { W("<!-- \xc3\xa4 --> <geom siz='1'/>"), P, 3, 18,
    "unknown attribute \"siz\"; did you mean \"size\"?" },
  { "<mujoco>\n<geom/></mujoco>", P, 2, 1, "<mujoco> cannot contain <geom>" },
  { "<mujoco foo='1'/>", P, 1, 9, "foo" },
  { W("<geom>\n <site/></geom>"), P, 4, 2, "<geom> cannot contain <site>" },
  { "<mujoco><worldbody pos='0 0 0'/></mujoco>", P, 1, 20, "pos" },
  // numbers
  { B("<geom pos='1 2'/>"), P, 3, 7, "geom: pos takes 3 numbers, found 2: \"1 2\"" },
  { B("<geom size='1 2 3 4'/>"), P, 3, 7, "size takes 1 to 3 numbers, found 4" },
  { B("<geom size=''/>"), P, 3, 7, "size takes 1 to 3 numbers, found 0" },
  { B("<geom pos='1 2 3x'/>"), P, 3, 7, "expected a number, found \"3x\"" },
  { B("<geom pos='1,2,3'/>"), P, 3, 7, "found 1" },
  { B("<geom pos='0x10 0 0'/>"), P, 3, 7, "found \"0x10\"" },
  { B("<geom pos='nan 0 0'/>"), P, 3, 7, "found \"nan\"" },
  { B("<geom pos='0 1e999 0'/>"), P, 3, 7, "found \"1e999\"" },
  { B("<geom user=''/>"), P, 3, 7, "at least 1" },
  { B("<geom group='1.5'/>"), P, 3, 7, "expected an integer, found \"1.5\"" },
  { B("<geom group='9999999999'/>"), P, 3, 7, "expected an integer" },
  { "<mujoco><option iterations='5abc'/></mujoco>", P, 1, 17, "5abc" },
  // words
  { B("<geom type='spere'/>"), P, 3, 7,
    "expected one of: plane, hfield, sphere, capsule, ellipsoid, "
    "cylinder, box, mesh, user; did you mean \"sphere\"?" },
  { "<mujoco>\n<compiler angle='Degree'/></mujoco>", P, 2, 11, "radian, degree" },
  { "<mujoco>\n<compiler strippath='True'/></mujoco>", P, 2, 11, "false, true" },
  { "<mujoco>\n<option><flag contact='off'/></option></mujoco>", P, 2, 15, "enable, disable" },
  { "<mujoco>\n<compiler eulerseq='abc'/></mujoco>", P, 2, 11, "eulerseq" },
  { "<mujoco>\n<option solver=''/></mujoco>", P, 2, 9, "solver" },
  // orientation
  { B("<geom quat='1 0 0 0' euler='1 2 3'/>"), P, 3, 22, "quat and euler" },
  { B("<inertial pos='0 0 0' mass='1' quat='1 0 0 0' fullinertia='1 1 1 0 0 0'/>"), P, 3, 47,
    "fullinertia" },
  // what must be there, and how often
  { B("<inertial mass='1'/>"), P, 3, 1, "inertial: attribute \"pos\" is required" },
  { B("<inertial pos='0 0 0'/>"), P, 3, 1, "\"mass\"" },
  { B("<inertial pos='0 0 0' mass='1'/>\n<inertial pos='0 0 0' mass='1'/>"), P, 4, 1, "only one" },
  { "<mujoco><sensor>\n<touch/></sensor></mujoco>", P, 2, 1, "\"site\" is required" },
  { "<mujoco><sensor>\n<touch site=''/></sensor></mujoco>", P, 2, 8, "site is empty" },
  { "<mujoco><sensor>\n<framepos objtype='body' objname='a' reftype='body'/></sensor></mujoco>", P,
    2, 1, "refname is not" },
  { "<mujoco><sensor><framepos objtype='bod' objname='a'/></sensor></mujoco>", P, 1, 27, "xbody" },
  // the world
  { W("<joint/>"), P, 3, 1, "the world does not move" },
  { W("<freejoint/>"), P, 3, 1, "the world does not move" },
  { W("<inertial pos='0 0 0' mass='1'/>"), P, 3, 1, "the world does not move" },
  // classes
  { W("<geom class='no'/>"), P, 3, 7, "no default class \"no\"" },
  { W("<body childclass='mian'/>"), P, 3, 7, "did you mean \"main\"" },
  { "<mujoco><default>\n<default/></default></mujoco>", P, 2, 1, "must have a name" },
  { "<mujoco><default><default class='a'/>\n<default class='a'/></default></mujoco>", P, 2, 10,
    "twice" },
  { "<mujoco><default>\n<default class='main'/></default></mujoco>", P, 2, 10, "twice" },
  { "<mujoco><default><geom/>\n<geom/></default></mujoco>", P, 2, 1, "only one" },
  { "<mujoco><default>\n<geom name='a'/></default></mujoco>", P, 2, 7, "name" },
  // includes
  { W("<include file='none.xml'/>"), SN_EIO, 3, 10, "cannot open \"none.xml\"" },
  { W("<include/>"), P, 3, 1, "\"file\" is required" },
  { W("<include file=''/>"), P, 3, 10, "empty" },
  { W("<include file='empty.xml'/>"), P, 3, 10, "is empty" },
  { W("<include file='good.xml'><geom/></include>"), P, 3, 26, "<include> cannot contain <geom>" },
  { W("<include file='good.xml'/><include file='./good.xml'/>"), P, 3, 36, "already part" },
  { W("<include file='main.xml'/>"), P, 3, 10, "already part" },
  { W("<include file='loop.xml'/>"), P, 1, 20, "already part" },
  { W("<include file='back.xml'/>"), P, 2, 10, "already part" },
  { W("<include file='broken.xml'/>"), P, 3, 1, "end tag" },
  { W("<include file='typo.xml'/>"), P, 3, 2, "<geom> cannot contain <joit>" },
  // assets
  { "<mujoco><asset>\n<mesh file='no.stl'/></asset></mujoco>", SN_EIO, 2, 7,
    "cannot open \"no.stl\"" },
  { "<mujoco><compiler meshdir='d'/><asset>\n<mesh file='no.stl'/></asset></mujoco>", SN_EIO, 2, 7,
    "cannot open \"d/no.stl\"" },
  { "<mujoco><asset>\n<mesh/></asset></mujoco>", P, 2, 1, "\"name\" is required" },
  { "<mujoco><asset>\n<mesh name='a'/></asset></mujoco>", P, 2, 1, "neither" },
  { "<mujoco><asset>\n<mesh file='a.stl' vertex='1 2 3'/></asset></mujoco>", P, 2, 1, "both" },
  { "<mujoco><asset>\n<texture builtin='flat'/></asset></mujoco>", P, 2, 1,
    "\"name\" is required" },
  { "<mujoco><asset>\n<material/></asset></mujoco>", P, 2, 1, "\"name\" is required" },
  { "<mujoco><asset>\n<hfield name='a'/></asset></mujoco>", P, 2, 1, "\"size\" is required" },
  // actuators
  { A("<motor/>"), P, 3, 1, "no transmission" },
  { A("<motor joint='a' tendon='b'/>"), P, 3, 18, "both joint and tendon" },
  { A("<motor joint='a' refsite='b'/>"), P, 3, 18, "requires site" },
  { A("<motor joint='a' cranklength='1'/>"), P, 3, 18, "requires cranksite" },
  { A("<motor body='a'/>"), P, 3, 8, "body" },
  { A("<damper joint='a'/>"), P, 3, 1, "\"ctrlrange\" is required" },
  { A("<damper joint='a' ctrlrange='-1 1'/>"), P, 3, 19, "negative" },
  { A("<damper joint='a' ctrlrange='0 1' kv='-1'/>"), P, 3, 35, "negative" },
  { A("<adhesion body='a' ctrlrange='0 1' gain='-1'/>"), P, 3, 36, "negative" },
  // the rest
  { "<mujoco><tendon>\n<spatial/></tendon></mujoco>", P, 2, 1,
    "the tendon is empty; add two sites" },
  { "<mujoco><custom>\n<numeric name='a'/></custom></mujoco>", P, 2, 1, "size" },
  { "<mujoco><custom>\n<numeric name='a' size='1' data='1 2'/></custom></mujoco>", P, 2, 28,
    "2 numbers" },
  { "<mujoco><custom>\n<text name='a' data=''/></custom></mujoco>", P, 2, 16, "data is empty" },
  { "<mujoco><custom>\n<tuple name='a'/></custom></mujoco>", P, 2, 1, "empty" },
  // known, not built
  { "<mujoco><equality>\n<distance/></equality></mujoco>", U, 2, 1, "2.2.2" },
};

START_TEST(mistake_has_a_place) {
  const mistake *m = &mistakes[_i];
  sn_status status = load(m->text);
  ck_assert_msg(status == m->code && f.code == m->code && f.line == m->line &&
                    f.column == m->column && strstr(f.message, m->part),
                "%s\nexpected %d at %d:%d: %s\nfound %d at %d:%d: %s", m->text, m->code, m->line,
                m->column, m->part, status, f.line, f.column, f.message);
}
END_TEST

START_TEST(error_names_the_included_file) {
  ck_assert_int_eq(load(W("<include file='typo.xml'/>")), SN_EPARSE);
  ck_assert_str_eq(f.file, "typo.xml");
  ck_assert_int_eq(load(W("<include file='none.xml'/>")), SN_EIO);
  ck_assert_str_eq(f.file, "main.xml");
}
END_TEST

// Of a long path the second problem shows the end.
START_TEST(long_paths) {
  char path[200];
  memset(path, 'd', sizeof path);
  strcpy(path + sizeof path - 10, "/arm.xml");
  const char *text = "<mujoco><worldbody><geom a='1'/><geom b='1'/></worldbody></mujoco>";
  ck_assert_int_eq(fake_load(&f, mjcf, path, text, (int64_t)strlen(text)), SN_EPARSE);
  ck_assert_ptr_nonnull(strstr(f.message, "\n...ddd"));
  ck_assert_ptr_nonnull(strstr(f.message, "d/arm.xml:1:"));
}
END_TEST

// A file that is there says why it cannot be read; one in another encoding, what to do.
START_TEST(unreadable_file_says_why) {
  char folder[] = "/tmp/sinew-XXXXXX", path[64], text[200];
  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/a.stl", folder);
  ck_assert_int_eq(mkdir(path, 0700), 0);
  snprintf(text, sizeof text, "<mujoco><asset><mesh file='%s'/></asset></mujoco>", path);
  ck_assert_int_eq(load(text), SN_EIO);
  ck_assert_msg(strstr(f.message, "a.stl\" (it is a folder)") != NULL, "%s", f.message);
  ck_assert_int_eq(rmdir(path), 0);
  ck_assert_int_eq(load(text), SN_EIO);
  ck_assert_msg(strstr(f.message, "(No such file or directory)") != NULL, "%s", f.message);
  ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

START_TEST(zero_bytes_are_rejected) {
  const char text[] = "<mujoco>\n\0</mujoco>";
  ck_assert_int_eq(fake_load(&f, mjcf, "main.xml", text, sizeof text - 1), SN_EPARSE);
  ck_assert_int_eq(f.line, 2);
  ck_assert_int_eq(f.column, 1);
}
END_TEST

// `depth` bodies inside each other
static char *nested(int depth) {
  char *text = calloc(1, 64 + 16 * (size_t)depth), *p = text;
  p += sprintf(p, "<mujoco><worldbody>");
  for (int i = 0; i < depth; i++) {
    p += sprintf(p, "<body>");
  }
  for (int i = 0; i < depth; i++) {
    p += sprintf(p, "</body>");
  }
  sprintf(p, "</worldbody></mujoco>");
  return text;
}

START_TEST(paths) {
  load(W("<body name='arm'><body><geom naem='x'/></body></body>"));
  ck_assert_ptr_nonnull(
      strstr(f.message, "did you mean \"name\"? (in mujoco/worldbody/body 'arm'/body/geom)"));
  char text[4000] = "<mujoco><worldbody>", *p = text + strlen(text);
  for (int i = 0; i < 50; i++) {
    p += sprintf(p, "<body name='a quite long name of body number %d'>", i);
  }
  sprintf(p, "<geom naem='x'/>%s", "</body>");
  for (int i = 1; i < 50; i++) {
    strcat(p, "</body>");
  }
  strcat(p, "</worldbody></mujoco>");
  load(text);
  ck_assert_ptr_nonnull(strstr(f.message, " (in .../body 'a quite long name of body number 4"));
  ck_assert_ptr_nonnull(strstr(f.message, "body number 49'/geom)"));
}
END_TEST

START_TEST(attributes_are_bounded) {
  char *text = calloc(1, 40000), *p = text;
  p += sprintf(p, "<mujoco\n>\n <geom");
  for (int i = 0; i < 1001; i++) {
    p += sprintf(p, " a%d='<>'", i);
  }
  sprintf(p, "/></mujoco>");
  ck_assert_int_eq(load(text), SN_EPARSE);
  ck_assert_int_eq(f.line, 3);
  ck_assert_int_eq(f.column, 2);
  ck_assert_ptr_nonnull(strstr(f.message, "more than 1000 attributes"));
  free(text);
}
END_TEST

enum { MOST_DEPTH = 10000 };   // of elements; two are around the bodies

// Deeper than tinyxml2 reads, up to the limit of the loaders.
START_TEST(depth_up_to_the_limit) {
  static const int depths[] = { 90, 1000, MOST_DEPTH - 2 };
  for (size_t i = 0; i < sizeof depths / sizeof *depths; i++) {
    const int n = depths[i];
    char *text = nested(n);
    const int64_t before = f.nbody;
    ck_assert_int_eq(load(text), SN_OK);
    ck_assert_int_eq(f.nbody, before + n);
    ck_assert_int_eq(f.body[before + n - 1].parent, before + n - 2);
    free(text);
  }
  char *text = nested(MOST_DEPTH - 1);
  ck_assert_int_eq(load(text), SN_EPARSE);
  ck_assert_str_eq(f.message, "elements are nested more than 10000 levels deep, the limit");
  ck_assert_int_eq(f.line, 1);
  ck_assert_int_eq(f.column, 1 + (int)strlen("<mujoco><worldbody>") + 6 * (MOST_DEPTH - 2));
  free(text);
  text = nested(100000);
  ck_assert_int_eq(load(text), SN_EPARSE);
  free(text);
}
END_TEST

// `depth` times `open`, then `inside`, then `depth` times `close`, between two texts.
static char *repeated(const char *before, const char *open, int depth, const char *inside,
                      const char *close, const char *after) {
  const size_t size = strlen(before) + strlen(inside) + strlen(after) + 1 +
                      (size_t)depth * (strlen(open) + strlen(close));
  char *text = malloc(size), *p = text;
  ck_assert_ptr_nonnull(text);
  p = stpcpy(p, before);
  for (int i = 0; i < depth; i++) {
    p = stpcpy(p, open);
  }
  p = stpcpy(p, inside);
  for (int i = 0; i < depth; i++) {
    p = stpcpy(p, close);
  }
  strcpy(p, after);
  return text;
}

// What is nested besides bodies: nothing of it is read by recursion.
START_TEST(depth_of_other_elements) {
  enum { DEPTH = MOST_DEPTH - 10 };
  const char *world = "<mujoco><worldbody>", *end = "</worldbody></mujoco>";
  char *text = repeated(world, "<frame pos='1 0 0'>", DEPTH, "<body/>", "</frame>", end);
  ck_assert_int_eq(load(text), SN_OK);
  ck_assert_double_eq(f.body[1].pos[0], DEPTH);
  free(text);
  text = repeated("<mujoco><worldbody><replicate count='2' offset='1 0 0'>", "<body>", DEPTH,
                  "<site name='s'/>", "</body>", "</replicate></worldbody></mujoco>");
  ck_assert_int_eq(load(text), SN_OK);
  ck_assert_int_eq(f.nbody, 2 + 2 * DEPTH);
  ck_assert_int_eq(f.nsite, 2);
  free(text);
  text = repeated("<mujoco><default>", "<x><y/>", DEPTH, "", "</x>", "</default></mujoco>");
  ck_assert_int_eq(load(text), SN_EPARSE);
  free(text);

  // classes with names of their own, each in the one before
  static char deep[64 * DEPTH];
  char *p = stpcpy(deep, "<mujoco><default><geom size='3'/>");
  for (int i = 0; i < DEPTH; i++) {
    p += sprintf(p, "<default class='c%d'>", i);
  }
  for (int i = 0; i < DEPTH; i++) {
    p = stpcpy(p, "</default>");
  }
  sprintf(p, "</default><worldbody><geom class='c%d'/></worldbody></mujoco>", DEPTH - 1);
  ck_assert_int_eq(load(deep), SN_OK);
  ck_assert_double_eq(f.geom[0].size[0], 3);
}
END_TEST

// A class that follows a deeper one starts from its own parent.
START_TEST(classes_beside_nested_ones) {
  ck_assert_int_eq(
      load("<mujoco><default><default class='a'><geom size='1'/><default class='b'>"
           "<geom size='2'/></default><default class='c'/></default><default class='d'/></default>"
           "<worldbody><geom class='b'/><geom class='c'/><geom class='d' size='4'/></worldbody>"
           "</mujoco>"),
      SN_OK);
  ck_assert_double_eq(f.geom[0].size[0], 2);
  ck_assert_double_eq(f.geom[1].size[0], 1);
}
END_TEST

START_TEST(depth_through_includes) {
  // each file is nested, and includes the next
  static char name[8][16], *text[8];
  for (int files = 4; files <= 8; files += 4) {
    for (int i = 0; i < files; i++) {
      char next[40];
      snprintf(name[i], sizeof name[i], "%d.xml", i);
      snprintf(next, sizeof next, "<include file='%d.xml'/>", i + 1);
      text[i] = repeated("<x>", "<body>", 1500, i + 1 < files ? next : "<geom size='1'/>",
                         "</body>", "</x>");
      f.files[i] = (fake_file){ name[i], text[i] };
    }
    if (files == 4) {
      ck_assert_int_eq(load(W("<include file='0.xml'/>")), SN_OK);
      ck_assert_int_eq(f.nbody, 6001);
    } else {
      ck_assert_int_eq(load(W("<include file='0.xml'/>")), SN_EPARSE);
      ck_assert_ptr_nonnull(
          strstr(f.message, "nested more than 10000 levels deep, including included files"));
      ck_assert_str_eq(f.file, "6.xml");
    }
    for (int i = 0; i < files; i++) {
      free(text[i]);
    }
  }
}
END_TEST

// ------------------------------------------------------------------ the whole format

// writes a file whose innermost element is `path`, with `inside` in its tag, `times` times
static void write_element(char *text, const char *path, const char *inside, int times) {
  char names[8][32] = { "" };
  int n = 0;
  for (const char *p = path; *p; n++) {
    size_t length = strcspn(p, "/");
    snprintf(names[n], sizeof names[n], "%.*s", (int)length, p);
    p += length + (p[length] == '/');
  }
  // the table's first body is the world, which has no attributes
  if (strcmp(names[0], "body") == 0) {
    strcpy(names[0], "worldbody");
    if (n == 1) {
      strcpy(names[n++], "body");
    }
  }
  text += sprintf(text, "<mujoco>");
  for (int i = 0; i < n - 1; i++) {
    const char *required = strcmp(names[i], "tuple") == 0 ? " name='t'"
                           : strcmp(names[i], "composite") == 0
                               ? " type='grid' count='2' spacing='1'"
                               : "";
    text += sprintf(text, "<%s%s>", names[i], required);
  }
  for (int i = 0; i < times; i++) {
    text += sprintf(text, "<%s %s/>", names[n - 1], inside);
  }
  for (int i = n - 2; i >= 0; i--) {
    text += sprintf(text, "</%s>", names[i]);
  }
  sprintf(text, "</mujoco>");
}

START_TEST(every_attribute_is_known) {
  const char *path = mjcf_elements[_i][0];
  char text[1024], inside[128];
  for (const char *p = mjcf_elements[_i][2]; *p;) {
    size_t length = strcspn(p, " ");
    snprintf(inside, sizeof inside, "%.*s='?'", (int)length, p);
    write_element(text, path, inside, 1);
    load(text);
    ck_assert_msg(!strstr(f.message, "no attribute") && !strstr(f.message, "no element"), "%s: %s",
                  text, f.message);
    p += length + (p[length] == ' ');
  }

  // and others are not
  write_element(text, path, "zz='1'", 1);
  ck_assert_int_eq(load(text), SN_EPARSE);
  ck_assert_msg(strstr(f.message, "zz") != NULL, "%s: %s", text, f.message);
}
END_TEST

START_TEST(multiplicities) {
  char text[1024];
  write_element(text, mjcf_elements[_i][0], "", 2);
  sn_status status = load(text);
  int only_one = status == SN_EPARSE && strstr(f.message, "only one") != NULL;
  int required = status == SN_EPARSE && strstr(f.message, "is required") != NULL;
  ck_assert_msg(only_one || required || mjcf_elements[_i][1][0] != '?', "%s: %s", text, f.message);
  ck_assert_msg(!only_one || mjcf_elements[_i][1][0] == '?', "%s: %s", text, f.message);
}
END_TEST

// ------------------------------------------------------------------ any bytes

START_TEST(any_bytes) {
  static const char seed[] =
      "<?xml version='1.0'?><!-- c --><mujoco model='m'><compiler angle='radian' eulerseq='xyz'>"
      "<lengthrange mode='all'/></compiler><option timestep='1e-3' solver='CG'><flag contact="
      "'enable'/></option><default class='a'><geom size='1 2' euler='1 2 3'/><default class='b'>"
      "<position kp='3'/></default></default><worldbody><body name='x' pos='1 2 3' childclass='b'>"
      "<inertial pos='0 0 0' mass='1'/><joint/><geom type='box'/><body><freejoint/></body></body>"
      "<include file='good.xml'/></worldbody><tendon><spatial><site site='&amp;'/></spatial>"
      "</tendon>"
      "<actuator><muscle joint='j'/></actuator><sensor><touch site='s'/></sensor><keyframe><key "
      "qpos='1 2 3'/></keyframe></mujoco>";
  static const char pieces[] = "<>/='\" &;![]-?a0.\n\xe4";
  char text[sizeof seed];
  uint64_t random = 12345;
  int accepted = 0, rejected = 0;
  for (int round = 0; round < SOME(20000); round++) {
    memcpy(text, seed, sizeof seed);
    size_t count = sizeof seed - 1;

    // one to four changes: a byte, a hole, an early end
    random = random * 6364136223846793005u + 1442695040888963407u;
    for (int k = 0; k <= (int)(random >> 62); k++) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      size_t at = (size_t)(random >> 40) % count;
      size_t what = (size_t)(random >> 20) % 16;
      if (what == 0) {
        count = at + 1;
      } else if (what < 4) {
        size_t hole = (size_t)(random >> 8) % 20 % (count - at);
        memmove(text + at, text + at + hole, count - at - hole);
        count -= hole;
      } else {
        text[at] = pieces[(size_t)(random >> 30) % (sizeof pieces - 1)];
      }
    }
    text[count] = 0;
    f.code = SN_OK;
    f.message[0] = 0;
    sn_status status = fake_load(&f, mjcf, "main.xml", text, (int64_t)count);
    ck_assert_int_eq(status, f.code);
    ck_assert(status == SN_OK || f.message[0]);
    ck_assert_int_eq(f.held, 0);
    ck_assert_int_eq(f.nopen, 0);
    accepted += status == SN_OK;
    rejected += status < 0;
    if (round % 100 == 99) {
      fake_close(&f);
      fake_open(&f);
      f.files[0] = (fake_file){ "good.xml", "<x><geom/></x>" };
    }
  }
  ck_assert_int_gt(accepted, SOME(100));
  ck_assert_int_gt(rejected, SOME(10000));
}
END_TEST

TESTS() {
  const int nelement = (int)(sizeof mjcf_elements / sizeof *mjcf_elements);
  FIXTURE(setup, teardown);
  EACH(mistake_has_a_place, 0, (int)(sizeof mistakes / sizeof *mistakes));
  TEST(attributes_are_bounded);
  TEST(paths);
  TEST(error_names_the_included_file);
  TEST(long_paths);
  TEST(zero_bytes_are_rejected);
  TEST(unreadable_file_says_why);
  TEST(depth_up_to_the_limit);
  TEST(depth_through_includes);
  TEST(depth_of_other_elements);
  TEST(classes_beside_nested_ones);
  EACH(every_attribute_is_known, 0, nelement);
  EACH(multiplicities, 0, nelement);
  TEST(any_bytes);
}
