// SPDX-License-Identifier: Apache-2.0
//
// What the user does goes to the panels first; what they do not want is for the image.

#include <GLFW/glfw3.h>

#include "parts.h"

void input_key(sn_viewer *v, int key, int down, int mods) {
  gui_key(v->gui, key, down, mods);
  v->mouse.mods = mods;
  if (down && !gui_wants_keys(v->gui)) {
    keys_press(v, key, mods);
  }
}

void input_char(sn_viewer *v, unsigned int codepoint) {
  gui_char(v->gui, codepoint);
}

void input_move(sn_viewer *v, double x, double y) {
  mouse *m = &v->mouse;
  const double dx = x - m->x, dy = y - m->y;
  m->x = x;
  m->y = y;
  gui_mouse_move(v->gui, x, y);
  if (m->on_image && v->image.height > 0) {
    mouse_moved(v, dx / (double)v->image.height, dy / (double)v->image.height);
  }
}

static int is_on_image(const sn_viewer *v) {
  const image *p = &v->image;
  return v->mouse.x >= (double)p->x && v->mouse.x < (double)(p->x + p->width) &&
         v->mouse.y >= (double)p->y && v->mouse.y < (double)(p->y + p->height);
}

void input_button(sn_viewer *v, int button, int down, int mods) {
  mouse *m = &v->mouse;
  if (button < 0 || button > 2) {
    return;
  }
  m->mods = mods;
  m->down[button] = down;
  if (!down) {
    gui_mouse_button(v->gui, button, 0);
    if (m->on_image) {
      mouse_released(v, button);
    }
    m->on_image = m->on_image && (m->down[0] || m->down[1] || m->down[2]);
  } else if (m->on_image || (is_on_image(v) && !gui_wants_mouse(v->gui))) {
    m->on_image = 1;
    mouse_pressed(v, button, mods);
  } else {
    gui_mouse_button(v->gui, button, 1);
  }
}

void input_wheel(sn_viewer *v, double dx, double dy) {
  if (is_on_image(v) && !gui_wants_mouse(v->gui)) {
    mouse_wheel(v, dy);
  } else {
    gui_wheel(v->gui, dx, dy);
  }
}

void input_drop(sn_viewer *v, const char *path) {
  if (load_is_offered(v)) {
    load_file(v, path);
  } else {
    viewer_complain(v,
                    "the program that opened this window steps its own model: '%s' is not "
                    "loaded",
                    path);
  }
}
