// SPDX-License-Identifier: Apache-2.0
//
// The MJCF loader: what it makes of good files. It runs against a builder that only remembers.
// Expected numbers of actuators were learned from an engine that reads the same format.

#include <check.h>

#include "fake_builder.h"

static const sn_loader_ops *mjcf;
static fake f;

static void setup(void) {
  mjcf = fake_loader(SN_TEST_BUILD "/loaders/mjcf.so");
  ck_assert_ptr_nonnull(mjcf);
  fake_open(&f);
}

static void teardown(void) {
  ck_assert_int_eq(f.held, 0);
  ck_assert_int_eq(f.nopen, 0);
  fake_close(&f);
}

static void load(const char *text) {
  sn_status status = fake_load(&f, mjcf, "folder/main.xml", text, (int64_t)strlen(text));
  ck_assert_msg(status == SN_OK, "%d:%d: %s", f.line, f.column, f.message);
}

static void check_reals(const double *found, const double *expected, int n) {
  for (int i = 0; i < n; i++) {
    ck_assert_double_eq_tol(found[i], expected[i], 1e-12);
  }
}

#define CHECK_REALS(found, ...)                       \
  check_reals(found, (const double[]){ __VA_ARGS__ }, \
              (int)(sizeof(const double[]){ __VA_ARGS__ } / sizeof(double)))

// ------------------------------------------------------------------ settings

START_TEST(test_probe) {
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

START_TEST(test_settings_start_from_the_spec) {
  f.option.timestep[0] = 0.25;
  load("<mujoco/>");
  ck_assert_double_eq(f.option.timestep[0], 0.25);
  ck_assert_int_eq(f.compiler.degree, 1);   // of the format, not of the spec
  ck_assert_int_eq(f.compiler.global, 0);
  ck_assert_int_eq(f.compiler.autolimits, 1);   // the default since version 3.0
  ck_assert_str_eq(f.option.solver, "newton");
}
END_TEST

START_TEST(test_settings) {
  load("<mujoco model='m'>"
       "<option timestep='0.01' gravity='1 2 3' o_solref='0.5' solver='PGS' integrator='RK4' "
       "cone='elliptic' jacobian='sparse' collision='predefined' iterations='7'>"
       "<flag contact='disable' gravity='disable' energy='enable' warmstart='enable'/></option>"
       "<compiler angle='radian' coordinate='global' inertiafromgeom='true' eulerseq='zyx' "
       "inertiagrouprange='1 4' meshdir='somewhere' boundmass='0.5'>"
       "<lengthrange mode='all' accel='3'/></compiler>"
       "<size njmax='100' nuser_geom='3'/>"
       "<visual><headlight active='0' ambient='1 2 3'/><rgba fog='0 1 0 1'/>"
       "<global fovy='30'/></visual>"
       "<statistic extent='2' center='1 2 3'/>"
       "<option timestep='0.02'><flag gravity='enable'/></option></mujoco>");
  ck_assert_str_eq(f.model, "m");
  ck_assert_double_eq(f.option.timestep[0], 0.02);   // the last one wins
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
  ck_assert_double_eq(f.compiler.boundmass[0], 0.5);
  ck_assert_int_eq(f.compiler.lr_mode, 3);
  ck_assert_double_eq(f.compiler.lr_accel[0], 3);
  ck_assert_int_eq(f.size_hint.njmax, 100);
  ck_assert_int_eq(f.size_hint.nuser_geom, 3);
  ck_assert_int_eq(f.visual.headlight_active, 0);
  CHECK_REALS(f.visual.headlight_ambient, 1, 2, 3);
  CHECK_REALS(f.visual.rgba_fog, 0, 1, 0, 1);
  ck_assert_double_eq(f.visual.global_fovy[0], 30);
  ck_assert_double_eq(f.statistic.extent[0], 2);
  CHECK_REALS(f.statistic.center, 1, 2, 3);
  ck_assert(isnan(f.statistic.meanmass[0]));
}
END_TEST

START_TEST(test_other_plugins_are_named_as_they_are) {
  load("<mujoco><option solver='admm' integrator='org.example.verlet'/></mujoco>");
  ck_assert_str_eq(f.option.solver, "admm");
  ck_assert_str_eq(f.option.integrator, "org.example.verlet");
}
END_TEST

// ------------------------------------------------------------------ the tree

START_TEST(test_tree) {
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

START_TEST(test_global_coordinates_leave_positions_open) {
  load("<mujoco><worldbody><body/></worldbody><compiler coordinate='global'/>"
       "<worldbody><body pos='1 0 0'/></worldbody></mujoco>");
  ck_assert(isnan(f.body[1].pos[0]));
  ck_assert_double_eq(f.body[2].pos[0], 1);
}
END_TEST

// ------------------------------------------------------------------ classes

START_TEST(test_classes) {
  load("<mujoco><worldbody><geom size='1'/><geom class='sub'/>"
       "<body childclass='sub'><geom type='ellipsoid'/><geom rgba='0 0 1 0'/>"
       "<geom class='top'/><body><geom/></body></body></worldbody>"
       "<default class='top'><default class='sub'><geom rgba='0 1 0 1' friction='2'/></default>"
       "<geom rgba='1 0 0 1' size='3 4 5' friction='3 4'/><joint damping='9' user='1 2 3'/>"
       "</default></mujoco>");
  CHECK_REALS(f.geom[0].rgba, 1, 0, 0, 1);
  CHECK_REALS(f.geom[0].size, 1, 4, 5);   // the numbers given, the rest of the class
  CHECK_REALS(f.geom[0].friction, 3, 4, 0.0001);
  CHECK_REALS(f.geom[1].rgba, 0, 1, 0, 1);
  CHECK_REALS(f.geom[1].friction, 2, 4, 0.0001);   // the class inherits what comes after it
  CHECK_REALS(f.geom[2].rgba, 0, 1, 0, 1);
  ck_assert_int_eq(f.geom[2].type, SN_GEOM_ELLIPSOID);
  CHECK_REALS(f.geom[3].rgba, 0, 0, 1, 0);
  CHECK_REALS(f.geom[4].rgba, 1, 0, 0, 1);
  CHECK_REALS(f.geom[5].rgba, 0, 1, 0, 1);   // childclass reaches grandchildren
}
END_TEST

START_TEST(test_top_level_sections_are_one_class) {
  load("<mujoco><default class='a'><geom size='1'/><default class='s'/></default>"
       "<default class='b'><geom friction='2'/></default>"
       "<worldbody><geom class='b'/><geom class='s'/></worldbody></mujoco>");
  ck_assert_double_eq(f.geom[0].size[0], 1);
  ck_assert_double_eq(f.geom[0].friction[0], 2);
  ck_assert_double_eq(f.geom[1].size[0], 1);
  ck_assert_double_eq(f.geom[1].friction[0], 1);   // s was copied before
}
END_TEST

START_TEST(test_free_joint_and_classes) {
  load(
      "<mujoco><default><joint damping='3' group='2' armature='2'/></default>"
      "<worldbody><body><freejoint/></body><body><joint type='free'/></body></worldbody></mujoco>");
  ck_assert_double_eq(f.joint[0].damping, 0);
  ck_assert_int_eq(f.joint[0].group, 0);
  ck_assert_double_eq(f.joint[1].damping, 3);
  ck_assert_int_eq(f.joint[1].type, SN_JOINT_FREE);
}
END_TEST

START_TEST(test_limits_are_automatic) {
  load("<mujoco><worldbody><body><joint range='0 1'/><joint limited='false'/></body></worldbody>"
       "<tendon><fixed><joint joint='j' coef='1'/></fixed></tendon>"
       "<actuator><motor joint='j'/></actuator></mujoco>");
  ck_assert_int_eq(f.joint[0].limited, SN_AUTO);
  ck_assert_int_eq(f.joint[1].limited, SN_FALSE);
  ck_assert_int_eq(f.tendon[0].limited, SN_AUTO);
  ck_assert_int_eq(f.actuator[0].ctrllimited, SN_AUTO);
  ck_assert_int_eq(f.actuator[0].forcelimited, SN_AUTO);
  ck_assert_int_eq(f.actuator[0].actlimited, SN_AUTO);
}
END_TEST

START_TEST(test_orientations_of_classes) {
  load("<mujoco><default><geom euler='0 0 90'/></default>"
       "<worldbody><geom axisangle='1 0 0 9'/><geom quat='0 1 0 0'/></worldbody></mujoco>");
  CHECK_REALS(f.geom[0].orient.euler, 0, 0, 90);   // the stronger alternative
  ck_assert(isnan(f.geom[0].orient.axisangle[0]));
  CHECK_REALS(f.geom[1].orient.euler, 0, 0, 90);
}
END_TEST

START_TEST(test_pairs_have_numbers_of_their_own) {
  load("<mujoco><default><geom friction='7'/></default><contact><pair geom1='a' geom2='b'/>"
       "<pair geom1='a' geom2='b' friction='2' condim='6'/>"
       "<exclude body1='x' body2='y'/></contact></mujoco>");
  ck_assert_int_eq(f.pair[0].condim, 3);
  CHECK_REALS(f.pair[0].friction, 1, 1, 0.005, 0.0001, 0.0001);
  CHECK_REALS(f.pair[0].solref, 0.02, 1);
  ck_assert_double_eq(f.pair[0].margin, 0);
  CHECK_REALS(f.pair[1].friction, 2, 1, 0.005, 0.0001, 0.0001);
  ck_assert_str_eq(f.exclude[0].body2, "y");
}
END_TEST

// ------------------------------------------------------------------ includes

START_TEST(test_includes) {
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

START_TEST(test_assets) {
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

START_TEST(test_equality_and_tendons) {
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

START_TEST(test_sensors_custom_and_keys) {
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

START_TEST(test_plugins_are_spoken_to) {
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

START_TEST(test_newer_attributes) {
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

// ------------------------------------------------------------------ actuators

START_TEST(test_transmissions) {
  load("<mujoco><actuator><motor joint='j' gear='2 3'/><motor jointinparent='j'/>"
       "<motor tendon='t'/><motor cranksite='c' slidersite='s' cranklength='1'/>"
       "<motor site='s' refsite='q'/><adhesion body='b' ctrlrange='0 1' gain='3'/></actuator>"
       "</mujoco>");
  for (int i = 0; i < 6; i++) {
    ck_assert_int_eq(f.actuator[i].trntype, i == 2   ? SN_TRN_TENDON
                                            : i == 3 ? SN_TRN_SLIDERCRANK
                                                     : i);
  }
  CHECK_REALS(f.actuator[0].gear, 2, 3, 0, 0, 0, 0);
  ck_assert_str_eq(f.actuator[3].target, "c");
  ck_assert_str_eq(f.actuator[3].refsite, "s");
  ck_assert_str_eq(f.actuator[4].refsite, "q");
  ck_assert_double_eq(f.actuator[5].gainprm[0], 3);
  ck_assert_int_eq(f.actuator[5].ctrllimited, SN_TRUE);
}
END_TEST

// one actuator after a class; laws, and the first three parameters of each
typedef struct shortcut {
  const char *class, *actuator;
  const char *dynamics, *gain, *bias;
  double dynprm[3], gainprm[3], biasprm[3];
} shortcut;

#define FULL                                                                   \
  "<general gainprm='5 6 7' biasprm='1 2 3' dynprm='4 5 6' biastype='affine' " \
  "gaintype='affine' dyntype='filter'/>"
#define J "joint='j'"

// clang-format off
static const shortcut shortcuts[] = {
  { "", "<general " J "/>", "none", "fixed", "none", { 1 }, { 1 }, { 0 } },
  { "", "<motor " J "/>", "none", "fixed", "none", { 1 }, { 1 }, { 0 } },
  { "", "<position " J "/>", "none", "fixed", "affine", { 1 }, { 1 }, { 0, -1 } },
  { "", "<position " J " kp='7'/>", "none", "fixed", "affine", { 1 }, { 7 }, { 0, -7 } },
  { "", "<velocity " J " kv='8'/>", "none", "fixed", "affine", { 1 }, { 8 }, { 0, 0, -8 } },
  { "", "<intvelocity " J " kp='2' actrange='-1 1'/>",
    "integrator", "fixed", "affine", { 1 }, { 2 },
    { 0, -2 } },
  { "", "<damper " J " ctrlrange='0 1' kv='3'/>",
    "none", "affine", "none", { 1 }, { 0, 0, -3 }, { 0 } },
  { "", "<cylinder " J " timeconst='3' area='2' bias='1 2 3'/>", "filter", "fixed", "affine", { 3 },
    { 2 }, { 1, 2, 3 } },
  { "", "<cylinder " J " area='2' diameter='2'/>", "filter", "fixed", "affine", { 1 },
    { 3.14159265358979323846 }, { 0 } },
  { "", "<muscle " J "/>", "muscle", "muscle", "muscle", { 0.01, 0.04 }, { 0.75, 1.05, -1 },
    { 0.75, 1.05, -1 } },
  // what the class says and the shortcut does not
  { FULL, "<general " J "/>", "filter", "affine", "affine", { 4, 5, 6 }, { 5, 6, 7 }, { 1, 2, 3 } },
  { FULL, "<motor " J "/>", "none", "fixed", "none", { 4, 5, 6 }, { 1, 6, 7 }, { 1, 2, 3 } },
  { FULL, "<position " J "/>", "none", "fixed", "affine", { 4, 5, 6 }, { 5, 6, 7 }, { 0, -5, 0 } },
  { FULL, "<velocity " J " kv='9'/>",
    "none", "fixed", "affine", { 4, 5, 6 }, { 9, 6, 7 }, { 0, 0, -9 } },
  { FULL, "<cylinder " J "/>", "filter", "fixed", "affine", { 4, 5, 6 }, { 5, 6, 7 }, { 1, 2, 3 } },
  { FULL, "<damper " J " ctrlrange='0 1'/>",
    "none", "affine", "none", { 4, 5, 6 }, { 0 }, { 1, 2, 3 } },
  { FULL, "<adhesion body='b' ctrlrange='0 1'/>",
    "none", "fixed", "none", { 4, 5, 6 }, { 1 }, { 0 } },
  { FULL, "<muscle " J " timeconst='1 2'/>", "muscle", "muscle", "muscle", { 1, 2, 6 }, { 5, 6, 7 },
    { 5, 6, 7 } },
  { "<general gainprm='0.3'/>", "<muscle " J "/>", "muscle", "muscle", "muscle", { 0.01, 0.04 },
    { 0.3, 1.05, -1 }, { 0.3, 1.05, -1 } },
  // shortcuts in classes: in order, the last one wins; general changes what it gives
  { "<position kp='3'/><velocity kv='2'/>", "<general " J "/>",
    "none", "fixed", "affine", { 1 }, { 2 },
    { 0, 0, -2 } },
  { "<position kp='3'/><velocity kv='2'/>", "<position " J "/>", "none", "fixed", "affine", { 1 },
    { 2 }, { 0, -2 } },
  { "<position kp='3'/><general gear='2'/>", "<general " J "/>", "none", "fixed", "affine", { 1 },
    { 3 }, { 0, -3 } },
  { "<muscle force='100'/>", "<motor " J "/>", "none", "fixed", "none", { 0.01, 0.04 },
    { 1, 1.05, 100 }, { 0.75, 1.05, 100 } },
  { "<cylinder diameter='2'/>", "<cylinder " J " area='7'/>", "filter", "fixed", "affine", { 1 },
    { 7 }, { 0 } },
};
// clang-format on

START_TEST(test_shortcuts) {
  const shortcut *s = &shortcuts[_i];
  char text[1024];
  snprintf(text, sizeof text, "<mujoco><default>%s</default><actuator>%s</actuator></mujoco>",
           s->class, s->actuator);
  load(text);
  const sn_actuator_def *d = &f.actuator[0];
  ck_assert_str_eq(d->dyntype, s->dynamics);
  ck_assert_str_eq(d->gaintype, s->gain);
  ck_assert_str_eq(d->biastype, s->bias);
  check_reals(d->dynprm, s->dynprm, 3);
  check_reals(d->gainprm, s->gainprm, 3);
  check_reals(d->biasprm, s->biasprm, 3);
}
END_TEST

START_TEST(test_shortcuts_limit) {
  load("<mujoco><actuator><damper joint='j' ctrlrange='0 2'/><intvelocity joint='j' "
       "actrange='0 1'/><motor joint='j' ctrllimited='auto' forcelimited='true'/></actuator>"
       "</mujoco>");
  ck_assert_int_eq(f.actuator[0].ctrllimited, SN_TRUE);
  ck_assert_int_eq(f.actuator[1].actlimited, SN_TRUE);
  ck_assert_int_eq(f.actuator[2].ctrllimited, SN_AUTO);
  ck_assert_int_eq(f.actuator[2].forcelimited, SN_TRUE);
}
END_TEST

// ------------------------------------------------------------------ text

START_TEST(test_forms_of_text) {
  load("\xef\xbb\xbf<?xml version='1.0'?>\r\n<!DOCTYPE mujoco>\r\n<!-- <geom> -->\r\n<mujoco>\r\n"
       "<worldbody><![CDATA[ ]]>\r\n\t<geom\r\n  name = \"\xc3\xa4 &amp; &#98;\" "
       "size='\t1e-2\n+.5  2. '\r\n/>"
       "<site/>\r\n</worldbody></mujoco>\r\n");
  ck_assert_str_eq(f.geom[0].name, "\xc3\xa4 & b");
  CHECK_REALS(f.geom[0].size, 0.01, 0.5, 2);
  ck_assert_int_eq(f.geom_place[0].line, 6);
  ck_assert_int_eq(f.geom_place[0].column, 2);
  ck_assert_int_eq(f.site_place[0].line, 9);
  ck_assert_int_eq(f.site_place[0].column, 3);
  ck_assert_int_eq(f.nwarning, 0);
}
END_TEST

START_TEST(test_stray_text_is_a_warning) {
  load("<mujoco><worldbody>oops<geom/></worldbody></mujoco><mujoco/>");
  ck_assert_int_eq(f.nwarning, 2);
  ck_assert_int_eq(f.ngeom, 1);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("mjcf");
  TCase *c = tcase_create("good files");
  tcase_add_checked_fixture(c, setup, teardown);
  tcase_add_test(c, test_probe);
  tcase_add_test(c, test_settings_start_from_the_spec);
  tcase_add_test(c, test_settings);
  tcase_add_test(c, test_other_plugins_are_named_as_they_are);
  tcase_add_test(c, test_tree);
  tcase_add_test(c, test_global_coordinates_leave_positions_open);
  tcase_add_test(c, test_classes);
  tcase_add_test(c, test_top_level_sections_are_one_class);
  tcase_add_test(c, test_free_joint_and_classes);
  tcase_add_test(c, test_limits_are_automatic);
  tcase_add_test(c, test_orientations_of_classes);
  tcase_add_test(c, test_pairs_have_numbers_of_their_own);
  tcase_add_test(c, test_includes);
  tcase_add_test(c, test_assets);
  tcase_add_test(c, test_equality_and_tendons);
  tcase_add_test(c, test_sensors_custom_and_keys);
  tcase_add_test(c, test_plugins_are_spoken_to);
  tcase_add_test(c, test_newer_attributes);
  tcase_add_test(c, test_transmissions);
  tcase_add_loop_test(c, test_shortcuts, 0, (int)(sizeof shortcuts / sizeof *shortcuts));
  tcase_add_test(c, test_shortcuts_limit);
  tcase_add_test(c, test_forms_of_text);
  tcase_add_test(c, test_stray_text_is_a_warning);
  suite_add_tcase(suite, c);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
