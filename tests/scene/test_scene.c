// SPDX-License-Identifier: Apache-2.0
//
// The scene: what is listed for a model, cameras, picking, perturbations. Expected values are
// closed forms.

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "default_engine.h"
#include "sinew/math.h"
#include "sinew/scene.h"
#include "suite.h"

static const char robot[] =
    "<mujoco><statistic extent='2' center='0 0 1' meansize='0.1' meanmass='2'/>"
    "<visual><global azimuth='30' elevation='-20'/><map znear='0.02' zfar='20'/></visual><asset>"
    "<texture name='sky' type='skybox' builtin='flat' width='4' height='4' rgb1='1 0 0'/>"
    "<texture name='t' type='2d' builtin='checker' width='8' height='8'/>"
    "<material name='shiny' texture='t' rgba='1 0 0 1' reflectance='0.3' specular='0.25'/>"
    "</asset><worldbody>"
    "<light pos='0 0 3' dir='0 0 -1'/><light active='false'/>"
    "<camera name='side' pos='0 -3 1' xyaxes='1 0 0 0 0 1' fovy='30'/>"
    "<geom name='floor' type='plane' size='0 0 1' material='shiny'/>"
    "<geom name='ghost' type='sphere' size='1' rgba='1 1 1 0'/>"
    "<body name='ball' pos='0 0 1'><freejoint/><geom name='b' type='sphere' size='0.25' mass='2' "
    "rgba='0 1 0 1'/><geom name='far' type='box' size='0.1 0.2 0.3' pos='0 0 3' group='4' mass='0' "
    "contype='0' conaffinity='0'/>"
    "<site name='s' pos='0 0 0.25' size='0.02'/></body>"
    "<body name='hand' mocap='true' pos='2 0 1'><geom type='box' size='0.1 0.1 0.1' contype='0' "
    "conaffinity='0'/></body>"
    "</worldbody></mujoco>";

typedef struct shown {
  sn_model *m;
  sn_data *d;
  sn_scene *scene;
  sn_scene_options options;
  sn_scene_camera camera;
} shown;

static void show(shown *x) {
  OK(sn_scene_update(x->scene, x->m, x->d, &x->options, &x->camera, NULL, error));
}

static shown start(const char *text) {
  shown x = { .m = model_of(text) };
  x.d = data_of(x.m);
  OK(sn_forward(x.m, x.d));
  x.scene = sn_scene_new(x.m, error);
  ck_assert_ptr_nonnull(x.scene);
  x.options = sn_scene_default_options();
  x.camera = sn_scene_default_camera(x.m);
  show(&x);
  return x;
}

static void end(shown *x) {
  sn_scene_free(x->scene);
  done_with(x->m, x->d);
}

static int64_t count_of(const shown *x, int32_t object) {
  int64_t n = 0;
  for (int64_t i = 0; i < x->scene->ngeom; i++) {
    n += x->scene->geom[i].object == object;
  }
  return n;
}

static const sn_scene_geom *geom_of(const shown *x, const char *name) {
  const int32_t id = sn_find(x->m, "geom", name);
  for (int64_t i = 0; i < x->scene->ngeom; i++) {
    if (x->scene->geom[i].object == SN_OBJECT_GEOM && x->scene->geom[i].id == id) {
      return &x->scene->geom[i];
    }
  }
  return NULL;
}

START_TEST(elements) {
  shown x = start(robot);
  ck_assert_int_eq(count_of(&x, SN_OBJECT_GEOM), 3);   // not the invisible one, not group 4
  ck_assert_int_eq(count_of(&x, SN_OBJECT_SITE), 1);
  ck_assert_int_eq(x.scene->ngeom, 4);
  const sn_scene_geom *floor = geom_of(&x, "floor"), *ball = geom_of(&x, "b");
  ck_assert_int_eq(floor->category, SN_SCENE_STATIC);
  ck_assert_int_eq(ball->category, SN_SCENE_DYNAMIC);
  ck_assert_float_eq(floor->rgba[0], 1);   // the color of the material, as the geom has none
  ck_assert_float_eq(floor->rgba[1], 0);
  ck_assert_float_eq(floor->reflectance, 0.3F);
  ck_assert_int_eq(floor->texture, 1);
  ck_assert_float_eq(ball->pos[2], 1);
  ck_assert_float_eq(ball->size[2], 0.25F);
  ck_assert_int_eq(x.scene->nlight, 2);   // the headlight, and the one that is on
  ck_assert_int_eq(x.scene->light[0].headlight, 1);
  ck_assert_int_eq(x.scene->around.skybox, 0);
  x.options.geoms = 1u << 4;
  x.options.show[SN_SHOW_TEXTURE] = 0;
  show(&x);
  ck_assert_int_eq(count_of(&x, SN_OBJECT_GEOM), 1);
  ck_assert_float_eq(geom_of(&x, "far")->size[1], 0.2F);
  end(&x);
}
END_TEST

START_TEST(static_geoms_apart) {
  shown x = start(robot);
  x.options.show[SN_SHOW_STATIC] = 0;
  show(&x);
  ck_assert_ptr_null(geom_of(&x, "floor"));
  ck_assert_ptr_nonnull(geom_of(&x, "b"));
  x.options.show[SN_SHOW_TRANSPARENT] = 1;
  show(&x);
  ck_assert_float_eq(geom_of(&x, "b")->rgba[3], 0.3F);   // visual/map alpha
  end(&x);
}
END_TEST

START_TEST(cameras) {
  shown x = start(robot);
  const sn_scene_eye *eye = &x.scene->eye;
  const double a = 30 * M_PI / 180, e = -20 * M_PI / 180;
  const double forward[3] = { cos(e) * cos(a), cos(e) * sin(a), sin(e) };
  for (int k = 0; k < 3; k++) {   // 1.5 extents from the center
    ck_assert_double_eq_tol((double)eye->forward[k], forward[k], 1e-6);
    ck_assert_double_eq_tol((double)eye->pos[k], (k == 2) - 3 * forward[k], 1e-6);
  }
  ck_assert_float_eq(eye->near, 0.04F);
  ck_assert_float_eq(eye->far, 40);
  ck_assert_float_eq(eye->fovy, 45);
  OK(sn_scene_find_camera(x.m, "side", &x.camera, error));
  show(&x);
  ck_assert_float_eq(eye->pos[1], -3);
  ck_assert_float_eq_tol(eye->forward[1], 1, 1e-6F);
  ck_assert_float_eq_tol(eye->up[2], 1, 1e-6F);
  ck_assert_float_eq(eye->fovy, 30);
  ck_assert_int_eq(sn_scene_find_camera(x.m, "front", &x.camera, error), SN_ENOTFOUND);
  ck_assert_ptr_nonnull(strstr(sn_error_text(error), "side"));
  OK(sn_scene_find_camera(x.m, "0", &x.camera, error));
  ck_assert_int_eq(x.camera.camera, 0);
  end(&x);
}
END_TEST

// What is under the mouse stays there while the camera is moved with it: a point at the distance of
// the point that the camera looks at.
START_TEST(panning_follows_the_mouse) {
  shown x = start(robot);
  double before[3], after[3];
  sn_copy3(before, x.camera.lookat);
  sn_scene_move_camera(x.scene, &x.camera, SN_MOVE_PAN, 0, 0.25);
  sn_copy3(after, x.camera.lookat);
  const double height = 2 * tan(45 * M_PI / 360) * 3;   // of the image at that distance
  ck_assert_double_eq_tol(sn_dist3(before, after), 0.25 * height, 1e-6);
  sn_scene_move_camera(x.scene, &x.camera, SN_MOVE_ZOOM, 0, log(2));
  ck_assert_double_eq_tol(x.camera.distance, 6, 1e-12);
  sn_scene_move_camera(x.scene, &x.camera, SN_MOVE_ROTATE, 0.5, -3);
  ck_assert_double_eq(x.camera.azimuth, -60);
  ck_assert_double_eq(x.camera.elevation, 90);
  end(&x);
}
END_TEST

START_TEST(picking) {
  shown x = start(robot);
  int32_t geom;
  double point[3];
  OK(sn_scene_find_camera(x.m, "side", &x.camera, error));
  show(&x);
  // the ball fills the middle of the image: the nearest point is 3 - 0.25 away
  double distance;
  OK(sn_scene_pick(x.scene, x.m, x.d, &x.options, 1, 0.5, 0.5, &geom, &distance, point, error));
  ck_assert_double_eq_tol(distance, 2.75, 1e-6);
  ck_assert_int_eq(geom, sn_find(x.m, "geom", "b"));
  ck_assert_double_eq_tol(point[1], -0.25, 1e-6);
  // above it nothing; below it the floor, 1 m lower, in a known direction
  OK(sn_scene_pick(x.scene, x.m, x.d, &x.options, 2, 0.5, 0.01, &geom, &distance, point, error));
  ck_assert_int_eq(distance < 0, 1);
  OK(sn_scene_pick(x.scene, x.m, x.d, &x.options, 2, 0.5, 0.99, &geom, &distance, point, error));
  ck_assert_double_eq_tol(distance, hypot(1, 1 / (0.98 * tan(15 * M_PI / 180))), 1e-5);
  x.camera = sn_scene_default_camera(x.m);
  show(&x);
  OK(sn_scene_pick(x.scene, x.m, x.d, &x.options, 1, 0.3, 0.9, &geom, &distance, point, error));
  ck_assert_int_eq(geom, sn_find(x.m, "geom", "floor"));
  ck_assert_double_eq_tol(point[2], 0, 1e-6);
  sn_perturbation p;
  OK(sn_scene_select(x.scene, x.m, x.d, &x.options, 1, 0.5, 0.5, &p, error));
  ck_assert_int_ge(p.geom, 0);
  ck_assert_int_eq(p.body, sn_find(x.m, "body", "ball"));
  ck_assert_double_eq_tol(sn_norm3(p.localpos), 0.25, 1e-6);
  end(&x);
}
END_TEST

// Without gravity, a ball that is pulled at its center moves as a critically damped oscillator:
// x(t) = X (1 - (1 + w t) exp(-w t)), w = sqrt(stiffness).
START_TEST(pulling_is_critically_damped) {
  shown x = start("<mujoco><option gravity='0 0 0' timestep='0.0005'/><visual><map stiffness='25'/>"
                  "</visual><worldbody><body name='ball'><freejoint/><geom size='0.1' mass='3'/>"
                  "</body></worldbody></mujoco>");
  sn_perturbation p = sn_scene_no_perturbation(x.m);
  p.body = 1;
  sn_scene_start_perturbation(x.m, x.d, &p, 1, 0);
  ck_assert_double_eq(p.stiffness, 25);
  p.refpos[0] = 0.4;
  for (int i = 0; i < 800; i++) {
    sn_scene_apply_perturbation(x.m, x.d, &p);
    OK(sn_step(x.m, x.d));
  }
  const double wt = 5 * 0.4;
  ck_assert_double_eq_tol(snd_qpos(x.d)[0], 0.4 * (1 - (1 + wt) * exp(-wt)), 1e-3);
  p.translate = 0;
  sn_scene_apply_perturbation(x.m, x.d, &p);
  ck_assert_double_eq(snd_xfrc_applied(x.d)[6], 0);
  end(&x);
}
END_TEST

START_TEST(mocap_bodies_move) {
  shown x = start(robot);
  sn_perturbation p = sn_scene_no_perturbation(x.m);
  p.body = sn_find(x.m, "body", "hand");
  p.localpos[0] = 0.1;
  sn_scene_start_perturbation(x.m, x.d, &p, 1, 1);
  ck_assert_double_eq(p.refpos[0], 2.1);
  sn_axisangle_quat(p.refquat, (const double[]){ 0, 0, 1 }, M_PI / 2);
  sn_scene_apply_perturbation(x.m, x.d, &p);
  // the selected point stays, the body turns around it
  ck_assert_double_eq_tol(snd_mocap_pos(x.d)[0], 2.1, 1e-12);
  ck_assert_double_eq_tol(snd_mocap_pos(x.d)[1], -0.1, 1e-12);
  end(&x);
}
END_TEST

// A box of this size has the equivalent inertia box of this size.
START_TEST(inertia_boxes) {
  shown x = start(
      "<mujoco><worldbody><body><freejoint/><geom type='box' size='0.1 0.2 0.3'/></body>"
      "</worldbody></mujoco>");
  x.options.show[SN_SHOW_INERTIA] = 1;
  x.options.label = SN_LABEL_BODY;
  x.options.frame = SN_FRAME_BODY;
  show(&x);
  ck_assert_int_eq(x.scene->ngeom, 1 + 1 + 3 + 1);
  float sum = 0, product = 1;
  for (int k = 0; k < 3; k++) {
    sum += x.scene->geom[1].size[k];
    product *= x.scene->geom[1].size[k];
  }
  ck_assert_float_eq_tol(sum, 0.6F, 1e-5F);
  ck_assert_float_eq_tol(product, 0.006F, 1e-6F);
  ck_assert_str_eq(x.scene->geom[5].label, "body 1");
  end(&x);
}
END_TEST

// Contact forces as arrows: together they carry the weight, each as long as visual/map says.
START_TEST(contact_forces) {
  shown x = start("<mujoco><statistic meanmass='2'/><visual><map force='0.5'/></visual><worldbody>"
                  "<geom type='plane' size='1 1 1'/><body pos='0 0 0.0999'><freejoint/><geom "
                  "type='box' size='0.1 0.1 0.1' mass='2'/></body></worldbody></mujoco>");
  for (int i = 0; i < 500; i++) {
    OK(sn_step(x.m, x.d));
  }
  OK(sn_forward(x.m, x.d));
  x.options.show[SN_SHOW_CONTACTFORCE] = 1;
  x.options.show[SN_SHOW_CONTACTSPLIT] = 1;
  show(&x);
  double length = 0;
  for (int64_t i = 2; i < x.scene->ngeom; i++) {
    const sn_scene_geom *g = &x.scene->geom[i];
    ck_assert_int_eq(g->type, SN_DRAW_ARROW);
    length += (double)(g->size[2] * g->mat[8]);
  }
  ck_assert_double_eq_tol(length, 2 * 9.81 * 0.5 / 2, 0.02);
  end(&x);
}
END_TEST

// At the bind pose a skin is where it was; a rotation of its only bone rotates it.
START_TEST(skins) {
  shown x = start(
      "<mujoco><asset><skin name='k' vertex='0 0 0  1 0 0  0 1 0' face='0 1 2'><bone "
      "body='b' bindpos='0.5 0 0' bindquat='1 0 0 0' vertid='0 1 2' vertweight='1 1 1'/>"
      "</skin></asset><worldbody><body name='b' pos='0.5 0 0'><freejoint/><geom "
      "size='0.1'/></body></worldbody></mujoco>");
  const sn_scene_mesh *skin = &x.scene->mesh[x.scene->geom[1].mesh];
  ck_assert_int_eq(x.scene->geom[1].object, SN_OBJECT_SKIN);
  ck_assert_float_eq(skin->vertex[3], 1);
  ck_assert_float_eq(skin->vertex[7], 1);
  ck_assert_float_eq(skin->normal[2], 1);
  const uint64_t version = skin->version;
  sn_axisangle_quat(snd_qpos(x.d) + 3, (const double[]){ 0, 0, 1 }, M_PI / 2);
  OK(sn_forward(x.m, x.d));
  show(&x);
  ck_assert_uint_gt(skin->version, version);
  ck_assert_float_eq_tol(skin->vertex[3], 0.5F, 1e-6F);   // 1 - 0.5 along x is now along y
  ck_assert_float_eq_tol(skin->vertex[4], 0.5F, 1e-6F);
  end(&x);
}
END_TEST

// The rod of a slider-crank has its length.
START_TEST(slidercranks) {
  shown x = start(
      "<mujoco><worldbody><site name='s' zaxis='1 0 0'/><body pos='1 0 0'><joint "
      "axis='0 1 0'/><geom size='0.1'/><site name='c' pos='0 0 0.3'/></body></worldbody>"
      "<actuator><general cranksite='c' slidersite='s' cranklength='0.5'/></actuator>"
      "</mujoco>");
  ck_assert_int_eq(count_of(&x, SN_OBJECT_ACTUATOR), 2);
  const sn_scene_geom *slider = &x.scene->geom[x.scene->ngeom - 2], *rod = slider + 1;
  ck_assert_float_eq_tol(rod->size[2], 0.25F, 1e-6F);
  ck_assert_float_eq_tol(2 * slider->size[2], 0.6F, 1e-6F);   // 1 - sqrt(0.25 - 0.09)
  end(&x);
}
END_TEST

// The faces of a height field look outward: their signed volume is that under the surface.
START_TEST(height_fields_are_closed) {
  shown x = start("<mujoco><asset><hfield name='h' nrow='3' ncol='4' size='2 1 0.5 0.1'/></asset>"
                  "<worldbody><geom type='hfield' hfield='h'/></worldbody></mujoco>");
  const sn_scene_mesh *mesh = &x.scene->mesh[x.scene->geom[0].mesh];
  double volume = 0;
  for (int64_t f = 0; f < mesh->nface; f++) {
    double p[3][3], cross[3];
    for (int k = 0; k < 9; k++) {
      p[k / 3][k % 3] = (double)mesh->vertex[3 * mesh->face[3 * f + k / 3] + k % 3];
    }
    sn_cross(cross, p[1], p[2]);
    volume += sn_dot3(p[0], cross) / 6;
  }
  ck_assert_double_eq_tol(volume, 4 * 2 * 0.1, 1e-6);   // flat: the base alone
  end(&x);
}
END_TEST

// Every switch works, and everything can be shown at once.
START_TEST(everything) {
  shown x = start(robot);
  const int64_t before = x.scene->ngeom;
  for (int i = 0; i < SN_NSHOWS; i++) {
    x.options.show[i] = 1;
  }
  for (int k = 0; k < SN_NLABELS; k++) {
    x.options.label = k;
    x.options.frame = k % SN_NFRAMES;
    show(&x);
    ck_assert_int_gt(x.scene->ngeom, before);
    ck_assert_ptr_nonnull(sn_scene_label_word(k));
  }
  ck_assert_ptr_null(sn_scene_label_word(SN_NLABELS));
  ck_assert_ptr_null(sn_scene_show_word(SN_NSHOWS, NULL, NULL));
  sn_scene_geom mine = { .type = SN_DRAW_SPHERE, .mesh = -1, .texture = -1 };
  const int64_t n = x.scene->ngeom;
  ck_assert_int_eq(sn_scene_add(x.scene, &mine), SN_OK);
  ck_assert_int_eq(x.scene->ngeom, n + 1);
  x.camera.mode = SN_CAMERA_FIXED;
  x.camera.camera = 7;
  ck_assert_int_eq(sn_scene_update(x.scene, x.m, x.d, &x.options, &x.camera, NULL, error),
                   SN_EINVAL);
  end(&x);
}
END_TEST

// A mesh that collides with nothing has no hull: it is shown itself where hulls are.
START_TEST(meshes_without_hulls) {
  shown x = start("<mujoco><asset><mesh name='m' vertex='0 0 0 1 0 0 0 1 0 0 0 1'/></asset>"
                  "<worldbody><geom name='bare' type='mesh' mesh='m' contype='0' conaffinity='0'/>"
                  "</worldbody></mujoco>");
  x.options.show[SN_SHOW_CONVEXHULL] = 1;
  show(&x);
  const sn_scene_geom *g = geom_of(&x, "bare");
  ck_assert_ptr_nonnull(g);
  ck_assert_int_eq(x.scene->mesh[g->mesh].nface, 4);
  end(&x);
}
END_TEST

TESTS() {
  FIXTURE(open_engine, close_engine);
  TEST(elements);
  TEST(static_geoms_apart);
  TEST(cameras);
  TEST(panning_follows_the_mouse);
  TEST(picking);
  TEST(pulling_is_critically_damped);
  TEST(mocap_bodies_move);
  TEST(inertia_boxes);
  TEST(contact_forces);
  TEST(skins);
  TEST(slidercranks);
  TEST(height_fields_are_closed);
  TEST(meshes_without_hulls);
  TEST(everything);
}
