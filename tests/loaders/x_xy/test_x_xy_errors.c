// SPDX-License-Identifier: Apache-2.0
//
// What the loader of x_xy rejects, with its place, in elements and in a file of joints; and what it
// passes over and lists.

#include "loaders/x_xy/x_xy_text.h"
#include "settings.h"
#include "suite.h"

static void setup(void) {
  open_engine("");
}

// ------------------------------------------------------------------ mistakes

#define BODY(attributes) X("<body name='a' joint='rx' " attributes "/>")
#define JOINT(joint, attributes) X("<body name='a' joint='" joint "' " attributes "/>")
#define GEOM(attributes) X("<body name='a' joint='rx'>\n<geom " attributes "/></body>")

static const mistake mistakes[] = {
  // the document
  { "<x_xy>", 1, 0, "" },
  { "<x_xy/>", 1, 1, "no 'worldbody'" },
  { "<x_xy><worldbody/></x_xy>", 1, 7, "at least one body" },
  { "<x_xy><worldbody/><worldbody/></x_xy>", 1, 19, "at most once" },
  { "<x_xy><options/><options/><worldbody/></x_xy>", 1, 17, "at most once" },
  { "<x_xy><defaults><geom/><geom/></defaults><worldbody/></x_xy>", 1, 24, "at most once" },
  { X("<bodi/>"), 3, 1, "no element 'bodi'; did you mean 'body'?" },
  { X("<options/>"), 3, 1, "'options' is not allowed in 'worldbody'" },
  { BODY("colour='red'"), 3, 27, "no attribute 'colour'" },
  { "<x_xy version='1'/>", 1, 7, "no attribute 'version'" },
  { "<x_xy model='a' name='b'><worldbody/></x_xy>", 1, 17, "both specify the name of the model" },
  { "<X_xy><worldbody/></X_xy>", 0, 0, "root element is <X_xy>" },
  { "<x_xy><options dt='0'/><worldbody/></x_xy>", 1, 16, "must be positive" },
  { "<x_xy><options gravity='0 1'/><worldbody/></x_xy>", 1, 16, "takes 3 numbers, found 2" },
  // bodies
  { X("<body joint='rx'/>"), 3, 1, "needs a name" },
  { X("<body name='a'/>"), 3, 1, "requires the attribute 'joint'" },
  { X("<body name='world' joint='rx'>" BOX "</body>"), 3, 0, "another body has the same name" },
  { X("<body name='a' joint='rx'><worldbody/></body>"), 3, 27, "is not allowed in 'body'" },
  { X("<body name='a' joint='rw'/>"), 3, 16, "no joint 'rw'; did you mean" },
  { X("<body name='a' joint='rx'>" BOX "</body>\n<body name='a' joint='rx'>" BOX "</body>"), 4, 1,
    "another body has the same name" },
  { BODY("quat='1 0 0 0' euler='0 0 0'"), 3, 1, "both specify the orientation" },
  { "<x_xy><defaults><body euler='0 0 0'/></defaults><worldbody>\n"
    "<body name='a' joint='rx' quat='1 0 0 0'/></worldbody></x_xy>",
    2, 1, "both specify the orientation" },
  { BODY("quat='0 0 0 0'"), 3, 27, "zeros" },
  { BODY("quat='1 0 0'"), 3, 27, "takes 4 numbers, found 3" },
  { BODY("pos='1 two 3'"), 3, 27, "two" },
  { BODY("pos_min='0 0 0'"), 3, 1, "'pos_max' is missing" },
  { BODY("pos_max='0 0 0'"), 3, 1, "'pos_min' is missing" },
  { BODY("pos_min='1 2 3' pos_max='1 2 3'"), 3, 0, "are equal" },
  { BODY("pos_min='0 2 0' pos_max='1 1 0'"), 3, 0, "number 2 of 'pos_max' is less than" },
  { BODY("damping='1 2'"), 3, 27, "takes 1 number, found 2" },
  { JOINT("p3d", "armature='1'"), 3, 0, "takes 3 numbers, found 1" },
  { JOINT("spherical", "spring_stiff='1 2 3 4'"), 3, 0, "takes 3 numbers, found 4" },
  { JOINT("spherical", "spring_zero='1 0 0'"), 3, 0, "takes 4 numbers, found 3" },
  { JOINT("spherical", "spring_zero='1 1 0 0'"), 3, 0, "length must be 1" },
  { JOINT("free", "spring_zero='2 0 0 0 1 2 3'"), 3, 0, "length must be 1" },
  { JOINT("frozen", "damping='1'"), 3, 0, "no degrees of freedom" },
  { "<x_xy><defaults><body damping='1'/></defaults><worldbody>\n"
    "<body name='a' joint='frozen'/></worldbody></x_xy>",
    1, 23, "no degrees of freedom" },
  // geoms
  { GEOM("mass='1' dim='1'"), 4, 1, "requires the attribute 'type'" },
  { GEOM("type='cube' mass='1' dim='1'"), 4, 7, "unknown geom type 'cube'" },
  { GEOM("type='box' dim='1 1 1'"), 4, 1, "requires the attribute 'mass'" },
  { GEOM("type='box' mass='1'"), 4, 1, "requires 'dim' with 3 numbers" },
  { GEOM("type='box' mass='1' dim='1 1'"), 4, 27, "found 2" },
  { GEOM("type='box' mass='1' dim='1 0 1'"), 4, 27, "must be positive" },
  { GEOM("type='sphere' mass='1' dim='1 1'"), 4, 30, "takes 1 number, found 2" },
  { GEOM("type='capsule' mass='1' dim='1'"), 4, 31, "found 1" },
  { GEOM("type='sphere' mass='1' dim='1' size='1'"), 4, 38, "remove one" },
  { GEOM("type='box' mass='-1' dim='1 1 1'"), 4, 18, "must not be negative" },
  { GEOM("type='box' mass='1' dim='1 1 1' color='grean'"), 4, 39, "did you mean 'green'" },
  { GEOM("type='box' mass='1' dim='1 1 1' color='1 2'"), 4, 39, "found 2" },
  { GEOM("type='box' mass='1' dim='1 1 1' quat='1 0 0 0' euler='0 0 0'"), 4, 1,
    "both specify the orientation" },
  // markers
  { X("<body name='a' joint='rx'>" BOX "<omc/></body>"), 3, 0,
    "requires the attribute 'pos_marker'" },
  { X("<body name='a' joint='rx'>" BOX "<omc pos_marker='1'/>\n<omc pos_marker='2'/></body>"), 4, 1,
    "at most one 'omc'" },
  { X("<body name='a' joint='rx'>" BOX "<omc pos_marker='a'/></body>"), 3, 0, "a" },
};
enum { NMISTAKES = sizeof mistakes / sizeof mistakes[0] };

START_TEST(mistakes_are_rejected_with_their_place) {
  is_rejected(&mistakes[_i]);
}
END_TEST

// What the original ignores is ignored, with a note.
START_TEST(attributes_without_meaning_are_listed) {
  sn_spec *spec = spec_of(X("<body name='a' joint='rx'>" BOX
                            "<geom type='xyz' pos='what' mass='1'/>"
                            "<geom type='sphere' mass='1' dim='1'><body name='b' joint='rx'/>"
                            "</geom></body>"));
  ck_assert_msg(spec != NULL, "%s", sn_error_text(error));
  ck_assert(warned(spec, "'mass' of an xyz has no effect"));
  ck_assert(warned(spec, "'pos' of an xyz has no effect"));
  ck_assert(warned(spec, "a body inside a geom or an omc is ignored"));
  sn_model *m = sn_compile(spec, error);
  ck_assert_int_eq(snm_nbody(m), 2);
  ck_assert(!signbit(option_of(m).gravity[0]));
  sn_model_free(m);
  sn_spec_free(spec);
}
END_TEST

#define EDGED "<geom type='box' mass='1' dim='1 1 1' edge_color='nonsense'/>"

START_TEST(omissions_are_listed) {
  sn_spec *spec = spec_of("<x_xy><defaults geom='1' body='2'/><worldbody>hello"
                          "<body name='a' joint='rx'>" EDGED EDGED
                          "<omc name='x' pos_marker='2'/></body></worldbody></x_xy>\n\n<foo/>");
  ck_assert_msg(spec != NULL, "%s", sn_error_text(error));
  ck_assert(warned(spec, "text between elements has no meaning and is ignored"));
  ck_assert(warned(spec, ":3:0: content after the end of the root element is ignored"));
  ck_assert(warned(spec, "'name' of 'omc' has no effect: the site is called BODY.omcN"));
  ck_assert(warned(spec, "'geom' of 'defaults' has no effect: write <geom .../> inside it"));
  ck_assert(warned(spec, "'body' of 'defaults' has no effect"));
  ck_assert(warned(spec, "'edge_color' of 'geom' has no effect: edges are not drawn"));
  ck_assert_ptr_null(sn_spec_warning(spec, 6));   // each once
  sn_spec_free(spec);

  spec = spec_of(X("<body name='a' joint='rx'>" BOX "</body>") "<foo/>");
  ck_assert(warned(spec, ":5:0: content after the end of the root element is ignored"));
  sn_spec_free(spec);
  spec = spec_of(X("<body name='a' joint='rx'>" BOX "</body>") "\n<!-- this is nothing -->\n");
  ck_assert_ptr_null(sn_spec_warning(spec, 0));
  sn_spec_free(spec);
}
END_TEST

// ------------------------------------------------------------------ a file of joints

static const struct {
  const char *text;
  int32_t line;
  const char *part;
} wrong_joints[] = {
  { "a = ", 1, "expected joints after" },
  { "\n= rx", 2, "expected one name of less than 64 characters before '='" },
  { "a b = rx", 1, "before '='" },
  { "rx = ry", 1, "there is another joint \"rx\"" },
  { "a = rx\na = ry", 2, "another joint \"a\"" },
  { "hello", 1, "NAME = JOINT" },
  { "a = rr", 1, "not \"rr\"" },
  { "a = spherical rx", 1, "spherical must be the last part" },
  { "a = p3d p3d px", 1, "at most six" },
  { "a = r:1,2", 1, "three numbers" },
  { "a = r:1,2,3,4", 1, "three numbers" },
  { "a = p:0,0,0", 1, "must not be zero" },
  { "a = p:x,0,0", 1, "three numbers" },
};
enum { NWRONG_JOINTS = sizeof wrong_joints / sizeof wrong_joints[0] };

START_TEST(joint_file_rejected_with_its_line) {
  close_engine();
  open_engine("[plugin.x_xy]\njoints = more.txt\n");
  write_file("more.txt", wrong_joints[_i].text);
  rejected(X("<body name='a' joint='rx'>" BOX "</body>"), wrong_joints[_i].line, 0,
           wrong_joints[_i].part);
  ck_assert_str_eq(sn_error_file(error), "more.txt");
}
END_TEST

TESTS() {
  FIXTURE(setup, close_engine);
  EACH(mistakes_are_rejected_with_their_place, 0, NMISTAKES);
  TEST(attributes_without_meaning_are_listed);
  TEST(omissions_are_listed);
  EACH(joint_file_rejected_with_its_line, 0, NWRONG_JOINTS);
}
