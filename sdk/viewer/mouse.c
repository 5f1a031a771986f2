// SPDX-License-Identifier: Apache-2.0
//
// The mouse on the image: the camera, selecting, pulling. As in MuJoCo's viewer.

#include <GLFW/glfw3.h>
#include <math.h>

#include "parts.h"

static const double double_click = 0.35;    // s
static const double same_place = 4;         // pixels
static const double wheel_step = 0.05;      // of the height of the image

static const struct {
  const char *gesture, *meaning;
} gestures[] = {
  { "left drag", "turn the camera; with Shift about the vertical axis alone" },
  { "right drag", "move the camera in the image's plane; with Shift horizontally" },
  { "wheel, middle drag", "nearer, farther" },
  { "left double-click", "select the body there; nothing: select none" },
  { "right double-click", "look at this point" },
  { "Ctrl + right double-click", "the camera follows this body" },
  { "Ctrl + right drag", "pull the selected body; with Shift horizontally" },
  { "Ctrl + left drag", "turn the selected body; with Shift about the vertical axis alone" },
  { "drop a file", "open this model" },
};

int mouse_help_at(int index, const char **gesture, const char **meaning) {
  if (index < 0 || index >= (int)(sizeof gestures / sizeof gestures[0])) {
    return 0;
  }
  *gesture = gestures[index].gesture;
  *meaning = gestures[index].meaning;
  return 1;
}

// ------------------------------------------------------------------ the selection

void mouse_end_pull(sn_viewer *v) {
  sn_perturbation *pull = &v->image.pull;
  if (pull->translate || pull->rotate) {
    pull->translate = pull->rotate = 0;
    sn_scene_apply_perturbation(v->m, v->d, pull);   // no force remains
  }
}

void mouse_select(sn_viewer *v, int32_t body, int32_t geom) {
  sn_perturbation *pull = &v->image.pull;
  mouse_end_pull(v);
  *pull = sn_scene_no_perturbation(v->m);
  pull->body = body;
  pull->geom = geom;
}

// ------------------------------------------------------------------ double clicks

typedef struct place {
  double x, y, aspect;   // in the image, from 0 to 1
} place;

static place place_of(const sn_viewer *v) {
  const image *p = &v->image;
  return (place){ (v->mouse.x - (double)p->x) / (double)p->width,
                  (v->mouse.y - (double)p->y) / (double)p->height,
                  (double)p->width / (double)p->height };
}

static void select_there(sn_viewer *v) {
  image *p = &v->image;
  const place at = place_of(v);
  mouse_end_pull(v);
  // where it fails, nothing is selected
  sn_scene_select(p->scene, v->m, v->d, &p->options, at.aspect, at.x, at.y, &p->pull, NULL);
}

// Looks at a point, or follows the body there.
static void look_there(sn_viewer *v, int follow) {
  image *p = &v->image;
  const place at = place_of(v);
  double distance, point[3];
  int32_t geom;
  if (sn_scene_pick(p->scene, v->m, v->d, &p->options, at.aspect, at.x, at.y, &geom, &distance,
                    point, NULL) != SN_OK ||
      geom < 0) {
    return;
  }
  const int32_t body = snm_geom_bodyid(v->m)[geom];
  if (follow && body > 0) {
    p->camera.mode = SN_CAMERA_TRACK;
    p->camera.body = body;
  } else if (p->camera.mode != SN_CAMERA_FIXED) {
    p->camera.mode = SN_CAMERA_FREE;
    for (int i = 0; i < 3; i++) {
      p->camera.lookat[i] = point[i];
    }
  }
}

static int is_double_click(sn_viewer *v, int button) {
  mouse *m = &v->mouse;
  const double now = viewer_now();
  const int is = button == m->pressed_button && now - m->pressed_at < double_click &&
                 fabs(m->x - m->pressed_x) < same_place && fabs(m->y - m->pressed_y) < same_place;
  m->pressed_at = is ? 0 : now;
  m->pressed_button = button;
  m->pressed_x = m->x;
  m->pressed_y = m->y;
  return is;
}

void mouse_pressed(sn_viewer *v, int button, int mods) {
  const int control = (mods & GLFW_MOD_CONTROL) != 0;
  if (is_double_click(v, button)) {
    if (button == GLFW_MOUSE_BUTTON_LEFT && !control) {
      select_there(v);
    } else if (button == GLFW_MOUSE_BUTTON_RIGHT) {
      look_there(v, control);
    }
    return;
  }
  if (control && button != GLFW_MOUSE_BUTTON_MIDDLE && v->image.pull.body > 0) {
    sn_scene_start_perturbation(v->m, v->d, &v->image.pull, button == GLFW_MOUSE_BUTTON_RIGHT,
                                button == GLFW_MOUSE_BUTTON_LEFT);
  }
}

// ------------------------------------------------------------------ dragging

static int movement(const sn_viewer *v) {
  const int shift = (v->mouse.mods & GLFW_MOD_SHIFT) != 0;
  return v->mouse.down[GLFW_MOUSE_BUTTON_RIGHT] ? (shift ? SN_MOVE_PAN_HORIZONTAL : SN_MOVE_PAN)
         : v->mouse.down[GLFW_MOUSE_BUTTON_LEFT]
             ? (shift ? SN_MOVE_ROTATE_HORIZONTAL : SN_MOVE_ROTATE)
             : SN_MOVE_ZOOM;
}

void mouse_moved(sn_viewer *v, double dx, double dy) {
  image *p = &v->image;
  const int move = movement(v);
  if ((p->pull.translate || p->pull.rotate) && move != SN_MOVE_ZOOM) {
    sn_scene_move_perturbation(p->scene, v->m, v->d, &p->pull, move, dx, dy);
    if (v->pace.paused && snm_body_mocapid(v->m)[p->pull.body] >= 0) {
      sn_scene_apply_perturbation(v->m, v->d, &p->pull);   // it moves without steps
    }
  } else {
    sn_scene_move_camera(p->scene, &p->camera, move, dx, dy);
  }
}

void mouse_released(sn_viewer *v, int button) {
  (void)button;
  mouse_end_pull(v);
}

void mouse_wheel(sn_viewer *v, double dy) {
  sn_scene_move_camera(v->image.scene, &v->image.camera, SN_MOVE_ZOOM, 0, -wheel_step * dy);
}
