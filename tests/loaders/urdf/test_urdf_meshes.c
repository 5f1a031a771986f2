// SPDX-License-Identifier: Apache-2.0
//
// Where the loader of URDF finds meshes: beside the file, above it, in packages; and what it says
// when there is none.

#include "loaders/urdf/urdf_text.h"
#include "suite.h"

// A tetrahedron in STL.
static void write_mesh(const char *name) {
  static const float corner[4][3] = { { 0, 0, 0 }, { 1, 0, 0 }, { 0, 1, 0 }, { 0, 0, 1 } };
  static const int face[4][3] = { { 0, 2, 1 }, { 0, 1, 3 }, { 0, 3, 2 }, { 1, 2, 3 } };
  unsigned char bytes[84 + 4 * 50] = { 0 };
  bytes[80] = 4;
  for (int f = 0; f < 4; f++) {
    for (int v = 0; v < 3; v++) {
      memcpy(bytes + 84 + 50 * f + 12 + 12 * v, corner[face[f][v]], 12);
    }
  }
  make_file(name, bytes, sizeof bytes);
}

#define MESH(more, name) \
  R(more                 \
    "<link name='a'>" SHAPE("collision", "<mesh filename='" name "' scale='1 2 3'/>") "</link>")

// Loads folder/robots/urdf/robot.urdf; its one mesh has this name.
static void finds(const char *text, const char *mesh) {
  sn_model *m = sn_load(engine, write_file("robots/urdf/robot.urdf", text), error);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  ck_assert_int_eq(snm_nmesh(m), 1);
  ck_assert_str_eq(sn_name(m, "mesh", 0), mesh);
  sn_model_free(m);
}

START_TEST(meshes_are_found) {
  char folders[512];
  write_mesh("robots/urdf/beside.stl");
  write_mesh("robots/urdf/sub/below.stl");
  write_mesh("robots/meshes/up.stl");
  write_mesh("elsewhere/pkg/meshes/ros.stl");
  write_mesh("prefix/share/pkg2/meshes/ament.stl");
  write_mesh("given/pkg3/given.stl");

  finds(MESH("", "beside.stl"), "beside");
  finds(MESH("", "package://any/where/beside.stl"), "beside");   // strippath
  finds(MESH("", "sub/below.stl"), "below");
  finds(MESH("<mujoco><compiler strippath='false'/></mujoco>", "sub/below.stl"), "below");
  finds(MESH("<mujoco><compiler meshdir='sub'/></mujoco>", "below.stl"), "below");
  finds(MESH("", "../meshes/up.stl"), "up");
  // upwards: the folder of that name itself, and one that holds it
  finds(MESH("", "package://robots/meshes/up.stl"), "up");
  finds(MESH("", "model://robots/meshes/up.stl"), "up");
  finds(MESH("", "package://elsewhere/pkg/meshes/ros.stl"), "ros");

  char text[900];
  snprintf(text, sizeof text, MESH("", "file://%s/robots/meshes/up.stl"), folder);
  finds(text, "up");

  snprintf(folders, sizeof folders, "/nowhere:%s/elsewhere/", folder);
  setenv("ROS_PACKAGE_PATH", folders, 1);
  finds(MESH("", "package://pkg/meshes/ros.stl"), "ros");
  snprintf(folders, sizeof folders, "%s/elsewhere/pkg", folder);   // the package itself
  setenv("ROS_PACKAGE_PATH", folders, 1);
  finds(MESH("", "package://pkg/meshes/ros.stl"), "ros");
  unsetenv("ROS_PACKAGE_PATH");

  snprintf(folders, sizeof folders, "%s/prefix", folder);
  setenv("AMENT_PREFIX_PATH", folders, 1);
  finds(MESH("", "package://pkg2/meshes/ament.stl"), "ament");
  unsetenv("AMENT_PREFIX_PATH");
}
END_TEST

START_TEST(package_path_parameter) {
  char lines[700];
  close_engine();
  open_engine("");
  snprintf(lines, sizeof lines, "[plugin.urdf]\npackage_path = /nowhere:%s/../given_urdf\n",
           folder);
  again(lines);
  write_mesh("../given_urdf/pkg3/given.stl");
  sn_model *m = model_of(MESH("", "package://pkg3/given.stl"));
  ck_assert_str_eq(sn_name(m, "mesh", 0), "given");
  sn_model_free(m);
  ck_assert_int_eq(system("rm -r '" SN_TEST_BUILD "/given_urdf'"), 0);
}
END_TEST

START_TEST(mesh_missing_lists_every_path_tried) {
  again("[plugin.urdf]\n");
  setenv("ROS_PACKAGE_PATH", "/ros/one:/ros/two", 1);
  setenv("AMENT_PREFIX_PATH", "/ament", 1);
  const char *text = MESH("", "package://pkg/meshes/none.stl");
  rejected(text, 2, 0, "tried none.stl");
  rejected(text, 2, 0, "/ros/one/pkg/meshes/none.stl");
  rejected(text, 2, 0, "/ros/two/pkg/meshes/none.stl");
  rejected(text, 2, 0, "/ament/share/pkg/meshes/none.stl");
  rejected(text, 2, 0, "and each folder above it");
  rejected(text, 2, 0, folder);
  rejected(text, 2, 0, "package_path");
  unsetenv("ROS_PACKAGE_PATH");
  unsetenv("AMENT_PREFIX_PATH");
  rejected(MESH("", "sub/none.stl"), 2, 0, "tried none.stl, sub/none.stl");
}
END_TEST

// The name of a package is what its package.xml says, whatever its folder is called.
START_TEST(packages_are_known_by_their_package_xml) {
  static const char xml[] = "<package format='2'>\n <name> my_robot </name></package>";
  const char *const text = MESH("", "package://my_robot/meshes/t.stl");
  static const char *const places[] = { "robots", "stack/some-folder", "other/deep/folder" };
  for (int i = 0; i < 3; i++) {
    char path[100], whole[600];
    again("");
    snprintf(path, sizeof path, "%s/package.xml", places[i]);
    write_file(path, xml);
    snprintf(path, sizeof path, "%s/meshes/t.stl", places[i]);
    write_mesh(path);
    if (i < 2) {   // above the robot's file, or around it
      finds(text, "t");
    }
    snprintf(whole, sizeof whole, "%s/%s", folder, i == 2 ? "other" : places[i]);
    setenv("ROS_PACKAGE_PATH", whole, 1);   // the package, or a folder above it
    sn_model_free(model_of(text));
    unsetenv("ROS_PACKAGE_PATH");
  }
  // a package that is there without the file says where it is
  again("[plugin.urdf]\n");
  write_file("p/package.xml", xml);
  rejected(text, 2, 0, "the package \"my_robot\" is in ./p; tried");
  write_file("p/package.xml", "<package><name>my_robot2</name></package>");
  rejected(text, 2, 0,
           "the package \"my_robot\" was not found: there is no folder of that name, and no folder "
           "whose package.xml declares it, in package_path (empty), ROS_PACKAGE_PATH (not set)");
  write_file("p/package.xml", "this is no XML");
  rejected(text, 2, 0, "was not found");
}
END_TEST

START_TEST(folders_above_are_looked_in) {
  write_mesh("robots/meshes/up.stl");
  finds(MESH("", "meshes/up.stl"), "up");
  char *text = strdup(MESH("", "package://unknown/meshes/up.stl"));
  finds(text, "up");
  sn_spec *spec = sn_spec_load(engine, write_file("robots/urdf/robot.urdf", text), error);
  ck_assert(warned(spec, "the package \"unknown\" is not known; its files are taken from"));
  sn_spec_free(spec);
  free(text);
}
END_TEST

START_TEST(shapes_without_their_mesh_are_left_out_on_request) {
  static const char text[] = R(
      "<link name='a'>" UNIT SHAPE("collision", "<mesh filename='package://gone/a.stl'/>")
          SHAPE("collision", "<mesh filename='package://gone/b.stl'/>")
              SHAPE("collision", "<mesh filename='c.stl'/>") "</link>");
  again("[plugin.urdf]\n");
  rejected(text, 2, 0, "plugin.urdf.missing_meshes=skip");
  again("[plugin.urdf]\nmissing_meshes = skip\n");
  sn_spec *spec = spec_of(text);
  ck_assert_msg(spec != NULL, "%s", sn_error_text(error));
  ck_assert(warned(spec, "the package \"gone\" was not found"));
  ck_assert(warned(spec, "(2 times; here first)"));
  ck_assert(warned(spec, "there is no file \"c.stl\"; tried c.stl"));
  ck_assert_int_eq(sn_spec_count(spec, "geom"), 0);
  ck_assert_ptr_null(sn_spec_warning(spec, 2));
  sn_spec_free(spec);
  // what is only shown is a note
  again("[plugin.urdf]\n");
  spec = spec_of(
      R(VISIBLE "<link name='a'>" UNIT SHAPE("visual", "<mesh filename='c.stl'/>") "</link>"));
  ck_assert_msg(spec != NULL, "%s", sn_error_text(error));
  ck_assert(noted(spec, "the shape is not shown"));
  sn_spec_free(spec);
}
END_TEST

START_TEST(mesh_that_cannot_be_read_is_not_missing) {
  again("[plugin.urdf]\n");
  char path[600];
  snprintf(path, sizeof path, "%s/d.stl", folder);
  mkdir(path, 0700);
  rejected(MESH("", "d.stl"), 2, 0, "exists but cannot be read: cannot read");
  rejected(MESH("", "d.stl"), 2, 0, "it is a folder");
  rejected(MESH("", "file:///dev/zero"), 2, 0, "it is not a regular file");
  // another place may have it
  write_mesh("pkg/d.stl");
  sn_model_free(model_of(MESH("", "package://pkg/d.stl")));
}
END_TEST

START_TEST(mesh_of_one_file_and_scale_is_shared) {
  write_mesh("t.stl");
  sn_model *m = model_of(
      R("<link name='a'>" SHAPE("collision", "<mesh filename='t.stl'/>")
            SHAPE("collision", "<mesh filename='t.stl'/>")
                SHAPE("collision", "<mesh filename='t.stl' scale='1 1 2'/>") "</link>"));
  ck_assert_int_eq(snm_nmesh(m), 2);
  ck_assert_str_eq(sn_name(m, "mesh", 1), "t1");
  sn_model_free(m);
}
END_TEST

// Whatever the tree is, as the reference does.
START_TEST(meshes_are_numbered_as_links_are_written) {
  write_mesh("hand.stl");
  write_mesh("base.stl");
  sn_model *m = model_of(R("<link name='hand'>" SHAPE(
      "collision",
      "<mesh filename='hand.stl'/>") "</link>"
                                     "<link name='base'>" SHAPE(
                                         "collision",
                                         "<mesh filename='base.stl'/>") "</link>"
                                                                        "<joint name='j' type='revolute'><parent link='base'/><child link='hand'/>"
                                                                        "<axis xyz='0 0 1'/><limit lower='-1' upper='1' effort='1' velocity='1'/></joint>"));
  ck_assert_str_eq(sn_name(m, "mesh", 0), "hand");
  ck_assert_int_eq(snm_geom_dataid(m)[0], 1);
  ck_assert_int_eq(snm_geom_dataid(m)[1], 0);
  sn_model_free(m);
}
END_TEST

// ------------------------------------------------------------------ archives

// t.obj, a tetrahedron, stored; made with Python's zipfile
static const uint8_t archive[] = {
  80, 75, 3,  4,   20, 0,   0,  0,   0,  0,   0,   0,   33,  0,  228, 250, 161, 111, 64,  0,
  0,  0,  64, 0,   0,  0,   5,  0,   0,  0,   116, 46,  111, 98, 106, 118, 32,  48,  32,  48,
  32, 48, 10, 118, 32, 49,  32, 48,  32, 48,  10,  118, 32,  48, 32,  49,  32,  48,  10,  118,
  32, 48, 32, 48,  32, 49,  10, 102, 32, 49,  32,  51,  32,  50, 10,  102, 32,  49,  32,  50,
  32, 52, 10, 102, 32, 50,  32, 51,  32, 52,  10,  102, 32,  49, 32,  52,  32,  51,  10,  80,
  75, 1,  2,  20,  3,  20,  0,  0,   0,  0,   0,   0,   0,   33, 0,   228, 250, 161, 111, 64,
  0,  0,  0,  64,  0,  0,   0,  5,   0,  0,   0,   0,   0,   0,  0,   0,   0,   0,   0,   128,
  1,  0,  0,  0,   0,  116, 46, 111, 98, 106, 80,  75,  5,   6,  0,   0,   0,   0,   1,   0,
  1,  0,  51, 0,   0,  0,   99, 0,   0,  0,   0,   0
};

// A model that names a mesh in an archive keeps a name that is good in every folder.
START_TEST(meshes_of_archives_are_found_from_anywhere) {
  static const char *const models[] = {
    R("<link name='a'>" UNIT
      "<collision><geometry><mesh filename='a.zip/t.obj'/></geometry></collision>"
      "</link>"),
    "<mujoco><asset><mesh file='a.zip/t.obj'/></asset><worldbody><geom type='mesh' mesh='t'/>"
    "</worldbody></mujoco>",
  };
  char before[512], want[600];
  make_file("a.zip", archive, sizeof archive);
  write_file("m.xml", models[_i]);
  ck_assert_ptr_nonnull(getcwd(before, sizeof before));
  ck_assert_int_eq(chdir(folder), 0);
  char *here = realpath(".", NULL);
  snprintf(want, sizeof want, "%s/a.zip/t.obj", here);
  sn_spec *spec = sn_spec_load(engine, "m.xml", error);
  ck_assert_int_eq(chdir(before), 0);
  free(here);
  if (!spec && sn_error_code(error) == SN_EUNSUPPORTED) {
    return;   // built without minizip
  }
  ck_assert_msg(spec != NULL, "%s", sn_error_text(error));
  sn_mesh_def mesh;
  sn_default_mesh(&mesh);
  ck_assert_int_ge(sn_spec_get_mesh(spec, 0, &mesh, error), 0);
  ck_assert_str_eq(mesh.file, want);
  sn_spec_free(spec);
}
END_TEST

TESTS() {
  FIXTURE(setup, close_engine);
  TEST(meshes_are_found);
  TEST(package_path_parameter);
  TEST(mesh_missing_lists_every_path_tried);
  TEST(packages_are_known_by_their_package_xml);
  TEST(folders_above_are_looked_in);
  TEST(shapes_without_their_mesh_are_left_out_on_request);
  TEST(mesh_that_cannot_be_read_is_not_missing);
  TEST(mesh_of_one_file_and_scale_is_shared);
  TEST(meshes_are_numbered_as_links_are_written);
  EACH(meshes_of_archives_are_found_from_anywhere, 0, 2);
}
