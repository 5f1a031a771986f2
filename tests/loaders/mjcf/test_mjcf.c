// SPDX-License-Identifier: Apache-2.0
//
// What the MJCF loader makes of good files. Classes and actuators have files of their own.

#include "loaders/mjcf/mjcf_text.h"
#include "model_file.h"
#include "suite.h"

// ------------------------------------------------------------------ settings

START_TEST(probe) {
  const char *yes[] = { "<mujoco/>", "<?xml version='1.0'?>\n<!-- <robot> -->\n<mujoco model='a'>",
                        "\xef\xbb\xbf  <!DOCTYPE mujoco><mujoco\n>",
                        "<!DOCTYPE mujoco [<!ENTITY a 'b'><!ENTITY c 'd'>]><mujoco>" };
  const char *no[] = { "",
                       "<",
                       "<robot name='a'/>",
                       "<mujocoinclude/>",
                       "mujoco",
                       "<!-- <mujoco/>",
                       "\x7f"
                       "ELF" };
  for (size_t i = 0; i < sizeof yes / sizeof *yes; i++) {
    ck_assert_int_eq(mjcf->probe(NULL, (const uint8_t *)yes[i], (int64_t)strlen(yes[i]), "a"), 100);
  }
  for (size_t i = 0; i < sizeof no / sizeof *no; i++) {
    ck_assert_int_eq(mjcf->probe(NULL, (const uint8_t *)no[i], (int64_t)strlen(no[i]), "a"), 0);
  }
}
END_TEST

START_TEST(settings_start_from_the_spec) {
  f.option.timestep = 0.25;
  load("<mujoco/>");
  ck_assert_double_eq(f.option.timestep, 0.25);
  ck_assert_int_eq(f.compiler.degree, 1);   // of the format, not of the spec
  ck_assert_int_eq(f.compiler.global, 0);
  ck_assert_int_eq(f.compiler.autolimits, 1);   // the default since version 3.0
  ck_assert_str_eq(f.option.solver, "newton");
}
END_TEST

START_TEST(settings) {
  load(model_file("loaders/mjcf/settings"));
  ck_assert_str_eq(f.model, "m");
  ck_assert_double_eq(f.option.timestep, 0.02);   // the last one wins
  CHECK_REALS(f.option.gravity, 1, 2, 3);
  CHECK_REALS(f.option.o_solref, 0.5, 1);
  ck_assert_str_eq(f.option.solver, "pgs");
  ck_assert_str_eq(f.option.integrator, "rk4");
  ck_assert_int_eq(f.option.cone, SN_CONE_ELLIPTIC);
  ck_assert_int_eq(f.option.jacobian, 1);
  ck_assert_int_eq(f.option.collision, SN_COLLISION_PAIR);
  ck_assert_int_eq(f.option.iterations, 7);
  ck_assert_int_eq(f.option.disableflags, SN_DISABLE_CONTACT);
  ck_assert_int_eq(f.option.enableflags, SN_ENABLE_ENERGY);
  ck_assert_int_eq(f.compiler.degree, 0);
  ck_assert_int_eq(f.compiler.global, 1);
  ck_assert_int_eq(f.compiler.inertiafromgeom, 1);
  ck_assert_int_eq(f.compiler.inertiagroup_min, 1);
  ck_assert_int_eq(f.compiler.inertiagroup_max, 4);
  ck_assert_str_eq(f.compiler.eulerseq, "zyx");
  ck_assert_str_eq(f.compiler.meshdir, "somewhere");
  ck_assert_double_eq(f.compiler.boundmass, 0.5);
  ck_assert_int_eq(f.compiler.lr_mode, 3);
  ck_assert_double_eq(f.compiler.lr_accel, 3);
  ck_assert_int_eq(f.size_hint.njmax, 100);
  ck_assert_int_eq(f.size_hint.nuser_geom, 3);
  ck_assert_int_eq(f.visual.headlight_active, 0);
  CHECK_REALS(f.visual.headlight_ambient, 1, 2, 3);
  CHECK_REALS(f.visual.rgba_fog, 0, 1, 0, 1);
  ck_assert_double_eq(f.visual.global_fovy, 30);
  ck_assert_double_eq(f.statistic.extent, 2);
  CHECK_REALS(f.statistic.center, 1, 2, 3);
  ck_assert(isnan(f.statistic.meanmass));
}
END_TEST

START_TEST(other_plugins_are_named_as_they_are) {
  load("<mujoco><option solver='admm' integrator='org.example.verlet'/></mujoco>");
  ck_assert_str_eq(f.option.solver, "admm");
  ck_assert_str_eq(f.option.integrator, "org.example.verlet");
}
END_TEST

// ------------------------------------------------------------------ the tree

START_TEST(tree) {
  load("<mujoco>\n"
       " <worldbody>\n"
       "  <geom type='plane' size='1 1 .1'/>\n"
       "  <body name='a' pos='1 2 3' euler='0 90 0' mocap='true' user='1 2'>\n"
       "   <freejoint name='root' group='2'/>\n"
       "   <body name='b'><joint name='j' type='slide' axis='1 0 0' limited='auto'\n"
       "     range='-1 1' damping='.5'/>\n"
       "    <inertial pos='0 0 1' mass='2' fullinertia='1 2 3 0 0 0'/></body>\n"
       "   <geom name='g' type='capsule' fromto='0 0 0 0 0 1' size='.1' fluidshape='ellipsoid'/>\n"
       "   <site name='s' type='box' zaxis='1 0 0'/>\n"
       "   <camera name='c' mode='targetbody' target='b' fovy='60'/>\n"
       "   <light name='l' directional='true' castshadow='false'/>\n"
       "  </body>\n"
       " </worldbody>\n"
       " <worldbody><body name='c'/></worldbody>\n"
       "</mujoco>");
  ck_assert_int_eq(f.nbody, 4);
  ck_assert_str_eq(f.body[1].name, "a");
  ck_assert_int_eq(f.body[1].parent, 0);
  ck_assert_int_eq(f.body[1].mocap, 1);
  ck_assert_int_eq(f.body[1].inertial, 0);
  CHECK_REALS(f.body[1].pos, 1, 2, 3);
  CHECK_REALS(f.body[1].orient.euler, 0, 90, 0);
  ck_assert_int_eq(f.body[1].user.n, 2);
  ck_assert_int_eq(f.body[2].parent, 1);
  ck_assert_int_eq(f.body[2].inertial, 1);
  ck_assert_double_eq(f.body[2].mass, 2);
  CHECK_REALS(f.body[2].ipos, 0, 0, 1);
  CHECK_REALS(f.body[2].fullinertia, 1, 2, 3, 0, 0, 0);
  ck_assert_str_eq(f.body[3].name, "c");
  ck_assert_int_eq(f.body[3].parent, 0);
  ck_assert_int_eq(f.body_place[2].line, 6);
  ck_assert_int_eq(f.body_place[2].column, 4);
  ck_assert_str_eq(f.body_place[2].file, "folder/main.xml");

  ck_assert_int_eq(f.njoint, 2);
  ck_assert_int_eq(f.joint[0].type, SN_JOINT_FREE);
  ck_assert_int_eq(f.joint[0].body, 1);
  ck_assert_int_eq(f.joint[0].group, 2);
  ck_assert_int_eq(f.joint[1].type, SN_JOINT_SLIDE);
  ck_assert_int_eq(f.joint[1].body, 2);
  ck_assert_int_eq(f.joint[1].limited, SN_AUTO);
  CHECK_REALS(f.joint[1].range, -1, 1);

  ck_assert_int_eq(f.ngeom, 2);
  ck_assert_int_eq(f.geom[0].type, SN_GEOM_PLANE);
  ck_assert_int_eq(f.geom[0].body, 0);
  ck_assert_int_eq(f.geom[1].type, SN_GEOM_CAPSULE);
  ck_assert_int_eq(f.geom[1].body, 1);
  ck_assert_int_eq(f.geom[1].fluid, 1);
  CHECK_REALS(f.geom[1].fromto, 0, 0, 0, 0, 0, 1);
  CHECK_REALS(f.site[0].orient.zaxis, 1, 0, 0);
  ck_assert_int_eq(f.camera[0].mode, SN_TRACK_TARGETBODY);
  ck_assert_str_eq(f.camera[0].target, "b");
  ck_assert_int_eq(f.light[0].directional, 1);
  ck_assert_int_eq(f.light[0].castshadow, 0);
}
END_TEST

START_TEST(global_coordinates_leave_positions_open) {
  load("<mujoco><worldbody><body/></worldbody><compiler coordinate='global'/>"
       "<worldbody><body pos='1 0 0'/></worldbody></mujoco>");
  ck_assert(isnan(f.body[1].pos[0]));
  ck_assert_double_eq(f.body[2].pos[0], 1);
}
END_TEST

// ------------------------------------------------------------------ includes

START_TEST(includes) {
  f.files[0] = (fake_file){ "parts/a.xml",
                            "<mujocoinclude>\n<include file='b.xml'/>\n<geom name='a'/>\n"
                            "</mujocoinclude>" };
  f.files[1] = (fake_file){ "b.xml", "<x><geom name='b'/></x>" };
  f.files[2] = (fake_file){ "angle.xml", "<mujoco model='no'><compiler angle='radian'/></mujoco>" };
  load("<mujoco model='yes'><compiler angle='degree'/><worldbody><geom name='0'/>"
       "<include file='parts/a.xml'/><geom name='z'/></worldbody>"
       "<include file='angle.xml'/></mujoco>");
  ck_assert_int_eq(f.ngeom, 4);
  ck_assert_str_eq(f.geom[1].name, "b");   // found from the main file's folder
  ck_assert_str_eq(f.geom[2].name, "a");
  ck_assert_str_eq(f.geom[3].name, "z");
  ck_assert_str_eq(f.geom_place[2].file, "parts/a.xml");
  ck_assert_int_eq(f.geom_place[2].line, 3);
  ck_assert_str_eq(f.geom_place[1].file, "b.xml");
  ck_assert_int_eq(f.compiler.degree, 0);
  ck_assert_str_eq(f.model, "yes");
}
END_TEST

// ------------------------------------------------------------------ assets

START_TEST(assets) {
  f.files[0] = (fake_file){ "m/cube.stl", "solid" };
  f.files[1] = (fake_file){ "t/a.png", "png" };
  f.files[2] = (fake_file){ "m/h.png", "height" };
  load("<mujoco><compiler meshdir='m' texturedir='t/' strippath='true'/>"
       "<default><mesh scale='2 2 2'/></default>"
       "<asset><mesh file='else/where/cube.stl'/>"
       "<mesh name='v' vertex='0 0 0 1 0 0 0 1 0 0 0 1' face='0 1 2' scale='1 2 3'/>"
       "<texture file='a.png' type='2d'/><texture type='skybox' builtin='gradient' rgb1='0 0 1'/>"
       "<texture name='six' fileright='a.png' fileback='a.png'/>"
       "<material name='mat' texture='a' texrepeat='2 3' rgba='1 0 0 1'/>"
       "<hfield file='h.png' size='1 2 3 4'/></asset></mujoco>");
  ck_assert_str_eq(f.mesh[0].name, "cube");
  ck_assert_str_eq(f.mesh[0].file, "m/cube.stl");
  ck_assert_int_eq(f.mesh[0].nbytes, 5);
  CHECK_REALS(f.mesh[0].scale, 2, 2, 2);
  ck_assert_int_eq(f.mesh[1].vert.n, 12);
  ck_assert_int_eq(f.mesh[1].face.n, 3);
  ck_assert_int_eq(f.mesh[1].face.p[2], 2);
  CHECK_REALS(f.mesh[1].scale, 1, 2, 3);
  ck_assert_str_eq(f.texture[0].name, "a");
  ck_assert_int_eq(f.texture[0].nbytes, 3);
  ck_assert_int_eq(f.texture[1].type, SN_TEXTURE_SKYBOX);
  ck_assert_int_eq(f.texture[1].builtin, SN_BUILTIN_GRADIENT);
  ck_assert_int_eq(f.texture[2].ncubebytes[0], 3);
  ck_assert_int_eq(f.texture[2].ncubebytes[1], 0);
  ck_assert_int_eq(f.texture[2].ncubebytes[5], 3);
  CHECK_REALS(f.material[0].texrepeat, 2, 3);
  ck_assert_str_eq(f.hfield[0].name, "h");
  ck_assert_int_eq(f.hfield[0].nbytes, 6);
  CHECK_REALS(f.hfield[0].extent, 1, 2, 3, 4);
}
END_TEST

// ------------------------------------------------------------------ relations

START_TEST(equality_and_tendons) {
  load("<mujoco><default><equality solref='0.1' active='false'/><tendon width='0.5'/></default>"
       "<equality><connect body1='a' anchor='1 2 3'/><weld body1='a' body2='b' torquescale='2'/>"
       "<joint joint1='j' polycoef='1 2 3 4 5' active='true'/><tendon tendon1='t'/></equality>"
       "<tendon><spatial name='t' springlength='0.7' limited='true' range='0 1'>"
       "<site site='s1'/><geom geom='g' sidesite='q'/><pulley divisor='2'/><site site='s2'/>"
       "</spatial><fixed><joint joint='j' coef='-2'/></fixed></tendon></mujoco>");
  ck_assert_int_eq(f.equality[0].type, SN_EQUALITY_CONNECT);
  ck_assert_int_eq(f.equality[0].active, 0);
  CHECK_REALS(f.equality[0].anchor, 1, 2, 3);
  CHECK_REALS(f.equality[0].solref, 0.1, 1);
  ck_assert_int_eq(f.equality[1].type, SN_EQUALITY_WELD);
  ck_assert_str_eq(f.equality[1].obj2, "b");
  CHECK_REALS(f.equality[1].relpose, 0, 0, 0, 0, 0, 0, 0);
  ck_assert_double_eq(f.equality[1].torquescale, 2);
  ck_assert_int_eq(f.equality[2].type, SN_EQUALITY_JOINT);
  ck_assert_int_eq(f.equality[2].active, 1);
  CHECK_REALS(f.equality[2].polycoef, 1, 2, 3, 4, 5);
  ck_assert_int_eq(f.equality[3].type, SN_EQUALITY_TENDON);
  ck_assert_int_eq(f.ntendon, 2);
  ck_assert_double_eq(f.tendon[0].width, 0.5);
  ck_assert_double_eq(f.tendon[0].springlength[0], 0.7);
  ck_assert(isnan(f.tendon[0].springlength[1]));
  ck_assert_int_eq(f.tendon[0].nwrap, 4);
  ck_assert_int_eq(f.tendon[0].wrap[1].type, SN_WRAP_SPHERE);
  ck_assert_str_eq(f.tendon[0].wrap[1].sidesite, "q");
  ck_assert_int_eq(f.tendon[0].wrap[2].type, SN_WRAP_PULLEY);
  ck_assert_double_eq(f.tendon[0].wrap[2].prm, 2);
  ck_assert_int_eq(f.tendon[1].wrap[0].type, SN_WRAP_JOINT);
  ck_assert_double_eq(f.tendon[1].wrap[0].prm, -2);
}
END_TEST

START_TEST(sensors_custom_and_keys) {
  load("<mujoco><sensor><touch name='t' site='s' cutoff='2' noise='3' user='4'/>"
       "<jointpos joint='j'/><subtreecom body='b'/><clock/>"
       "<framepos objtype='xbody' objname='b' reftype='site' refname='s'/>"
       "<user objtype='geom' objname='g' datatype='axis' needstage='vel' dim='3'/></sensor>"
       "<custom><numeric name='n' size='3' data='1'/><text name='x' data='&lt;y&gt;'/>"
       "<tuple name='u'><element objtype='body' objname='b' prm='5'/></tuple></custom>"
       "<keyframe><key name='k' time='1' qpos='1 2 3' mquat='1 0 0 0'/></keyframe></mujoco>");
  ck_assert_str_eq(f.sensor[0].type, "touch");
  ck_assert_str_eq(f.sensor[0].objtype, "site");
  ck_assert_str_eq(f.sensor[0].object, "s");
  ck_assert_double_eq(f.sensor[0].noise, 3);
  ck_assert_str_eq(f.sensor[1].objtype, "joint");
  ck_assert_str_eq(f.sensor[2].objtype, "body");
  ck_assert_ptr_null(f.sensor[3].objtype);
  ck_assert_str_eq(f.sensor[4].objtype, "xbody");
  ck_assert_str_eq(f.sensor[4].reftype, "site");
  ck_assert_int_eq(f.sensor[5].dim, 3);
  ck_assert_int_eq(f.sensor[5].datatype, 2);
  ck_assert_int_eq(f.sensor[5].stage, 2);
  ck_assert_int_eq(f.numeric[0].length, 3);
  ck_assert_int_eq(f.numeric[0].data.n, 1);
  ck_assert_str_eq(f.text[0].data, "<y>");
  ck_assert_int_eq(f.tuple[0].nitem, 1);
  ck_assert_double_eq(f.tuple[0].item[0].prm, 5);
  ck_assert_int_eq(f.key[0].qpos.n, 3);
  ck_assert_double_eq(f.key[0].qpos.p[2], 3);
  ck_assert_int_eq(f.key[0].qvel.n, 0);
}
END_TEST

// ------------------------------------------------------------------ what is not of version 2.2

START_TEST(plugins_are_spoken_to) {
  load("<mujoco><actuator><general joint='j' dyntype='dcmotor' actearly='true'>"
       "<config key='resistance' value='2.5'/><config key='note' value=''/></general>"
       "<general joint='j'/></actuator>"
       "<sensor><plugin type='imu' name='i' objtype='site' objname='s' reftype='body' refname='b' "
       "cutoff='1' noise='2' user='3 4' dim='2'><config key='a' value='x=y'/></plugin></sensor>"
       "<extension><force type='magnet' name='m'><config key='site' value='s &lt; t'/></force>"
       "<force type='wind'/></extension></mujoco>");
  ck_assert_str_eq(f.message, "");
  ck_assert_str_eq(f.actuator[0].dyntype, "dcmotor");
  ck_assert_int_eq(f.actuator[0].actearly, 1);
  ck_assert_str_eq(f.actuator[0].attributes, "resistance=2.5\nnote=\n");
  ck_assert_ptr_null(f.actuator[1].attributes);
  ck_assert_str_eq(f.sensor[0].type, "imu");
  ck_assert_str_eq(f.sensor[0].objtype, "site");
  ck_assert_str_eq(f.sensor[0].refobject, "b");
  ck_assert_int_eq(f.sensor[0].dim, 2);
  ck_assert_str_eq(f.sensor[0].attributes, "a=x=y\n");
  ck_assert_int_eq(f.nforce, 2);
  ck_assert_str_eq(f.force[0].type, "magnet");
  ck_assert_str_eq(f.force[0].name, "m");
  ck_assert_str_eq(f.force[0].attributes, "site=s < t\n");
  ck_assert_ptr_null(f.force[1].attributes);
  ck_assert_int_eq(f.force_place[1].line, 1);
}
END_TEST

START_TEST(newer_attributes) {
  load("<mujoco><option integrator='implicitfast'/><worldbody><body gravcomp='0.5'>"
       "<joint type='ball' dof_damping='1 2 3' springquat='0 1 0 0' dof_armature='4'/></body>"
       "</worldbody><tendon><fixed springlength='1 2' armature='3'><joint joint='j' coef='1'/>"
       "</fixed></tendon></mujoco>");
  ck_assert_str_eq(f.message, "");
  ck_assert_str_eq(f.option.integrator, "implicitfast");
  ck_assert_double_eq(f.body[1].gravcomp, 0.5);
  CHECK_REALS(f.joint[0].dof_damping, 1, 2, 3);
  ck_assert(isnan(f.joint[0].dof_damping[3]) && isnan(f.joint[0].dof_stiffness[0]));
  CHECK_REALS(f.joint[0].springquat, 0, 1, 0, 0);
  ck_assert_double_eq(f.joint[0].dof_armature[0], 4);
  CHECK_REALS(f.tendon[0].springlength, 1, 2);
  ck_assert_double_eq(f.tendon[0].armature, 3);
}
END_TEST

// ------------------------------------------------------------------ text

START_TEST(forms_of_text) {
  load("\xef\xbb\xbf<?xml version='1.0'?>\r\n<!DOCTYPE mujoco>\r\n<!-- <geom> -->\r\n<mujoco>\r\n"
       "<worldbody><![CDATA[ ]]>\r\n\t<geom\r\n  name = \"\xc3\xa4 &amp; &#98;\" "
       "size='\t1e-2\n+.5  2. '\r\n/>"
       "<site name='&amp;&#x41;&quot;&apos;'/>\r\n</worldbody></mujoco>\r\n");
  ck_assert_str_eq(f.site[0].name, "&A\"'");
  ck_assert_str_eq(f.geom[0].name, "\xc3\xa4 & b");
  CHECK_REALS(f.geom[0].size, 0.01, 0.5, 2);
  ck_assert_int_eq(f.geom_place[0].line, 6);
  ck_assert_int_eq(f.geom_place[0].column, 2);
  ck_assert_int_eq(f.site_place[0].line, 9);
  ck_assert_int_eq(f.site_place[0].column, 3);
  ck_assert_int_eq(f.nwarning, 0);
}
END_TEST

START_TEST(numbers_of_characters) {
  load("<mujoco><worldbody><geom name='&#9;&#x7F;&#xd7Ff;&#xe000;&#65533;&#x10000;&#x10fFFF;'/>"
       "<site name='\x7f\xc2\x80\xed\x9f\xbf\xee\x80\x80\xf0\x90\x80\x80\xf4\x8f\xbf\xbf'/>"
       "</worldbody></mujoco>");
  ck_assert_str_eq(f.geom[0].name, "\t\x7f\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbd"
                                   "\xf0\x90\x80\x80\xf4\x8f\xbf\xbf");
  ck_assert_str_eq(f.site[0].name, "\x7f\xc2\x80\xed\x9f\xbf\xee\x80\x80\xf0\x90\x80\x80"
                                   "\xf4\x8f\xbf\xbf");
}
END_TEST

// Each number is read in the time of its own length.
START_TEST(long_lists) {
  enum { N = 400000 };
  static const char head[] = "<mujoco><custom><numeric name='n' data='",
                    tail[] = "'/></custom></mujoco>";
  char *text = malloc(sizeof head + 4 * (size_t)N + sizeof tail);
  char *p = stpcpy(text, head);
  for (int i = 0; i < N; i++) {
    p = stpcpy(p, ".25 ");
  }
  strcpy(p, tail);
  load(text);
  free(text);
  ck_assert_int_eq(f.numeric[0].data.n, N);
}
END_TEST

START_TEST(stray_text_is_a_warning) {
  load("<mujoco><worldbody>oops<geom/></worldbody></mujoco><mujoco/>");
  ck_assert_int_eq(f.nwarning, 2);
  ck_assert_int_eq(f.ngeom, 1);
}
END_TEST

// What cameras see from, to and by: impossible numbers are read, with a warning at the last one.
static const struct {
  const char *text, *warning;
} views[] = {
  { "<visual>\n<map znear='5' zfar='1'/></visual>", "znear to zfar, which are 5 and 1" },
  { "<visual><map znear='5'/></visual><visual>\n<map zfar='5'/></visual>", "which are 5 and 5" },
  { "<visual>\n<map znear='0'/></visual>", "which are 0 and 50" },
  { "\n<statistic extent='1e-300'/>", "times the extent, which is 1e-300" },
  { "\n<statistic extent='-1'/>", "times the extent, which is -1" },
  { "\n<statistic extent='1e300'/>", "times the extent, which is 1e+300" },
  { "<statistic extent='1e-300'/><visual><map znear='1e299' zfar='1e300'/></visual>", NULL },
  { "<visual><map znear='60'/></visual><visual><map zfar='100'/></visual>", NULL },
  { "<statistic meansize='0'/>", NULL },
};

START_TEST(cameras_that_see_nothing) {
  char text[256];
  snprintf(text, sizeof text, "<mujoco>%s<worldbody/></mujoco>", views[_i].text);
  load(text);
  ck_assert_int_eq(f.nwarning, views[_i].warning != NULL);
  if (views[_i].warning) {
    ck_assert_msg(strstr(f.warning, views[_i].warning) != NULL, "%s", f.warning);
    ck_assert_int_eq(f.warning_line, 2);
  }
}
END_TEST

TESTS() {
  FIXTURE(setup, teardown);
  TEST(probe);
  TEST(settings_start_from_the_spec);
  TEST(settings);
  TEST(other_plugins_are_named_as_they_are);
  TEST(tree);
  TEST(global_coordinates_leave_positions_open);
  TEST(includes);
  TEST(assets);
  TEST(equality_and_tendons);
  TEST(sensors_custom_and_keys);
  TEST(plugins_are_spoken_to);
  TEST(newer_attributes);
  TEST(forms_of_text);
  TEST(numbers_of_characters);
  TEST(long_lists);
  TEST(stray_text_is_a_warning);
  EACH(cameras_that_see_nothing, 0, sizeof views / sizeof views[0]);
}
