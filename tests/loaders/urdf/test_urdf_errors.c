// SPDX-License-Identifier: Apache-2.0
//
// What the loader of URDF does not take: what is left out is listed, or rejected on request, and
// every mistake is rejected with its place.

#include "loaders/urdf/urdf_text.h"
#include "suite.h"

// ------------------------------------------------------------------ what is left out

#define FOREIGN                                                                               \
  R(LINK("a") LINK("b")                                                                       \
        JOINT("j", "revolute", "a", "b",                                                      \
              "<calibration rising='0'/>") "<gazebo reference='a'><x/></gazebo>\n<gazebo/>\n" \
                                           "<link name='c' kind='soft'/>")

static int count(const char *(*list)(const sn_spec *, int64_t), const sn_spec *spec) {
  int n = 0;
  while (list(spec, n)) {
    n++;
  }
  return n;
}

START_TEST(omissions_are_listed_once) {
  sn_spec *spec = spec_of(FOREIGN);
  ck_assert_msg(spec != NULL, "%s", sn_error_text(error));
  ck_assert(noted(spec, "<gazebo> in <robot> is not simulated and is ignored (2 times"));
  ck_assert(noted(spec, "<calibration> in <joint>"));
  ck_assert(noted(spec, "attribute \"kind\" of <link>"));
  ck_assert(noted(
      spec, "the root link \"a\" is fixed to the world; set plugin.urdf.floating_base to auto"));
  ck_assert(noted(spec, "the root link \"c\""));
  ck_assert(warned(spec, "2 links are not the child of any joint"));
  ck_assert_int_eq(count(sn_spec_note, spec), 5);
  ck_assert_int_eq(count(sn_spec_warning, spec), 1);
  sn_model *m = sn_compile(spec, error);
  ck_assert_ptr_nonnull(strstr(sn_model_note(m, 0), "<calibration>"));
  ck_assert_ptr_nonnull(strstr(sn_model_warning(m, 0), "2 links"));
  ck_assert_ptr_null(sn_model_note(m, 5));
  sn_model_free(m);
  sn_spec_free(spec);
}
END_TEST

START_TEST(elements_without_meaning_are_listed) {
  sn_spec *spec = spec_of(
      R(LINK("a") "<link name='b'>" UNIT "<collision name='c'><geometry><sphere radius='1'/>"
                  "</geometry></collision></link>" JOINT("j", "fixed", "a", "b",
                                                         "<dynamics damping='1'/>")));
  ck_assert_msg(spec != NULL, "%s", sn_error_text(error));
  ck_assert(noted(spec, "the dynamics of a fixed joint have no effect"));
  ck_assert(noted(spec, "names of shapes are ignored"));
  ck_assert_ptr_null(sn_spec_warning(spec, 0));
  sn_spec_free(spec);
}
END_TEST

// What looks like a word of URDF may change the motion; what is far from all belongs to others.
START_TEST(misspelled_names_are_warned_of) {
  sn_spec *spec = spec_of(R("<link name='a'><inertal/>" UNIT "</link>" LINK("b") JOINT(
      "j", "revolute", "a", "b", "<limit loweer='1' gear_velocity='3'/><safety_controller/>")));
  ck_assert_msg(spec != NULL, "%s", sn_error_text(error));
  ck_assert(warned(spec, "<inertal> in <link>"));
  ck_assert(warned(spec, "did you mean \"lower\"?"));
  ck_assert(noted(spec, "\"gear_velocity\" of <limit> is not part of URDF and is ignored"));
  ck_assert(!noted(spec, "did you mean"));
  ck_assert(noted(spec, "<safety_controller> in <joint>"));
  ck_assert_int_eq(count(sn_spec_warning, spec), 2);
  sn_spec_free(spec);
}
END_TEST

#define TALKING                                                                 \
  "<mujoco>one<compiler>two</compiler></mujoco><link name='a'>three</link>four" \
  "<transmission>five<joint name='j'><hardwareInterface>EffortJointInterface"   \
  "</hardwareInterface></joint></transmission>"

START_TEST(text_and_what_follows_the_root_are_listed) {
  again("[plugin.urdf]\ntransmissions = true\n");
  sn_spec *spec = spec_of(R(TALKING LINK("b") JOINT("j", "revolute", "a", "b", "")) "\n<foo/>");
  ck_assert_msg(spec != NULL, "%s", sn_error_text(error));
  ck_assert(noted(spec, "text between elements has no meaning and is ignored (5 times; here "
                        "first)"));
  ck_assert(warned(spec, "content after the end of the root element is ignored"));
  ck_assert_ptr_null(sn_spec_warning(spec, 1));
  sn_spec_free(spec);
  again("[plugin.urdf]\nstrict = true\n");
  sn_model_free(model_of(R(LINK("a") "hello")));
  rejected(R(LINK("a")) "\nhello<foo/>", 0, 0, "content after the end");
  sn_model_free(model_of(TWO("revolute", "") "\n<!-- this is nothing -->\n"));
}
END_TEST

#define MISSPELT                                                                      \
  "<mujoco><compiler><lengthrange/></compiler><option><flags gravity='disable'/>"     \
  "</option></mujoco><link name='a'/><transmission name='t' kind='x'><joint name='j'" \
  " role='k'/><actuator name='m' id='1'/></transmission>"

START_TEST(misspelled_elements_are_listed) {
  again("[plugin.urdf]\ntransmissions = true\n");
  sn_spec *spec = spec_of(R(MISSPELT LINK("b") JOINT("j", "revolute", "a", "b", "")));
  ck_assert_msg(spec != NULL, "%s", sn_error_text(error));
  ck_assert(warned(spec, "<lengthrange> in <compiler> of a robot is ignored"));
  ck_assert(warned(spec, "<flags> in <option> of a robot is ignored"));
  ck_assert(noted(spec, "attribute \"kind\" of <transmission> is not part of URDF"));
  ck_assert(noted(spec, "attribute \"role\" of <joint> is not part of URDF"));
  ck_assert(noted(spec, "attribute \"id\" of <actuator> is not part of URDF"));
  ck_assert_int_eq(count(sn_spec_warning, spec), 2);
  sn_spec_free(spec);
}
END_TEST

START_TEST(strict_makes_errors_of_it) {
  again("[plugin.urdf]\nstrict = true\n");
  rejected(FOREIGN, 7, 1, "2 links are not the child of any joint");
  rejected(TWO("revolute", "<limit lower='1' upper='-1'/>"), 4, 0, "the joint is not limited");
  // nothing that matters is lost
  sn_model_free(model_of(TWO("revolute", "<limit velocity='1'/><calibration rising='0'/>")));
  sn_model_free(model_of(TWO("fixed", "<limit lower='-1' upper='1'/>")));
}
END_TEST

// ------------------------------------------------------------------ mistakes

#define VISUAL(inside) R("<link name='a'><collision>\n" inside "</collision></link>")

static const mistake mistakes[] = {
  { R("<xacro:macro name='m'/>" LINK("a")), 2, 1, "xacro FILE.xacro > robot.urdf" },
  { R(LINK("a") "<link name='b'><xacro:insert_block name='b'/></link>"), 3, 16,
    "xacro:insert_block\" is part of xacro" },
  { R(LINK("${side}_a")), 2, 7, "${side}_a\" is part of xacro" },
  { R("<link name='a'>" SHAPE("collision", "<mesh filename='$(find p)/a.stl'/>") "</link>"), 2, 0,
    "is part of xacro" },
  { "<robot>", 1, 0, "" },
  { "<robot name='\x1c'><link name='a'/></robot>", 1, 8, "control characters" },
  { R("<link/>"), 2, 1, "attribute \"name\" is required" },
  { R(LINK("a") LINK("a")), 3, 1, "another link \"a\", in line 2" },
  { R(LINK("a") LINK("b") "<joint name='j'/>"), 4, 1, "attribute \"type\" is required" },
  { R(LINK("a") LINK("b") "<joint name='j' type='revolut'/>"), 4, 17,
    "did you mean 'revolute'? The types are revolute, continuous" },
  { R(LINK("a") LINK("b") "<joint name='j' type='fixed'><child link='b'/></joint>"), 4, 1,
    "needs <parent link" },
  { R(LINK("a") "<joint name='j' type='fixed'><parent link='a'/>\n<child link='aa'/></joint>"), 4,
    8, "joint \"j\" refers to the link \"aa\", which does not exist; did you mean 'a'?" },
  { R(LINK("a") LINK("b") JOINT("j", "fixed", "a", "b", "") JOINT("k", "fixed", "a", "b", "")), 5,
    1, "child of two joints, this one and the one in line 4" },
  { R(LINK("a") LINK("b") LINK("c") JOINT("j", "fixed", "b", "c", "")
          JOINT("k", "fixed", "c", "b", "")),
    3, 1, "loop of joints" },
  { R(LINK("a") LINK("world") JOINT("j", "fixed", "a", "world", "")), 4, 1, "the fixed world" },
  { TWO("revolute", "\n<axis xyz='0 0 0'/>"), 5, 1, "the axis is zero" },
  { TWO("revolute", "\n<axis/>"), 5, 1, "\"xyz\" is required" },
  { TWO("revolute", "\n<limit lower='x'/>"), 5, 8, "expected a number" },
  { TWO("revolute", "\n<axis xyz='1e308 1e308 0'/>"), 5, 1,
    "too small or too large to compute its direction" },
  { TWO("revolute", "\n<dynamics damping='inf'/>"), 5, 11, "damping must be finite, got inf" },
  { R("<link name='a'>\n" INERTIA("1", "1", "1", "1", "-inf") "</link>"), 3, 0,
    "ixy must be finite" },
  { TWO("revolute", "\n<limit/><limit/>"), 5, 9, "only once" },
  { R("<link name='a'>\n<inertial><mass value='1'/></inertial></link>"), 3, 1,
    "<inertia> is missing" },
  { R("<link name='a'>\n" INERTIA("-1", "1", "1", "1", "0") "</link>"), 3, 0, "not be negative" },
  { R("<link name='a'><inertial><mass value='1'/>\n<inertia ixx='1'/></inertial></link>"), 3, 1,
    "\"iyy\" is required" },
  { VISUAL(""), 2, 16, "needs <geometry>" },
  { VISUAL("<geometry><cone/></geometry>"), 3, 1, "one of <box>" },
  { VISUAL("<geometry><box size='1 1'/></geometry>"), 3, 16, "takes 3 numbers" },
  { VISUAL("<geometry><sphere radius='0'/></geometry>"), 3, 19, "must be positive" },
  { VISUAL("<geometry><cylinder radius='1'/></geometry>"), 3, 11, "\"length\" is required" },
  { VISUAL("<geometry><mesh/></geometry>"), 3, 11, "\"filename\" is required" },
  { VISUAL("<origin xyz='1 2'/><geometry><sphere radius='1'/></geometry>"), 3, 9,
    "takes 3 numbers" },
  { R("<mujoco/><mujoco/>" LINK("a")), 2, 10, "only once" },
  { R("<mujoco><compiler fusestatic='0'/></mujoco>" LINK("a")), 2, 19, "expected one of: false" },
  { R("<mujoco><option cone='round'/></mujoco>" LINK("a")), 2, 17, "expected one of: pyramidal" },
  { R("<mujoco><option><flag gravity='off'/></option></mujoco>" LINK("a")), 2, 23,
    "expected one of: disable" },
};
enum { NMISTAKES = sizeof mistakes / sizeof mistakes[0] };

START_TEST(mistakes_are_rejected_with_their_place) {
  again("[plugin.urdf]\n");   // nothing is repaired
  is_rejected(&mistakes[_i]);
}
END_TEST

START_TEST(wrong_mimics_and_transmissions_are_rejected) {
  again("[plugin.urdf]\ntransmissions = true\n");
  rejected(TWO("revolute", "\n<mimic/>"), 5, 1, "\"joint\" is required");
  rejected(R(LINK("a") "<transmission>\n<joint name='j'/></transmission>"), 4, 8, "no joint \"j\"");
  rejected(R(LINK("a") LINK("b") JOINT(
               "j", "revolute", "a", "b",
               "") "<transmission><joint name='j'/>\n<mechanicalReduction>0</mechanicalReduction>"
                   "</transmission>"),
           6, 1, "the mechanical reduction is 0");
  rejected(R(LINK("a") LINK("b") JOINT(
               "j", "revolute", "a", "b",
               "") "<transmission><joint name='j'/>\n<mechanicalReduction>x</mechanicalReduction>"
                   "</transmission>"),
           6, 1, "expected a number");
}
END_TEST

TESTS() {
  FIXTURE(setup, close_engine);
  TEST(omissions_are_listed_once);
  TEST(elements_without_meaning_are_listed);
  TEST(misspelled_names_are_warned_of);
  TEST(text_and_what_follows_the_root_are_listed);
  TEST(misspelled_elements_are_listed);
  TEST(strict_makes_errors_of_it);
  EACH(mistakes_are_rejected_with_their_place, 0, NMISTAKES);
  TEST(wrong_mimics_and_transmissions_are_rejected);
}
