// SPDX-License-Identifier: Apache-2.0
//
// A fixture: a screen without a monitor (Xvfb), a folder of its own as working folder, an engine,
// and a viewer of a model in it. The mouse and the keys come through the functions that the window
// calls (input.c).

#ifndef SN_TEST_SCREEN_H
#define SN_TEST_SCREEN_H

#include <GLFW/glfw3.h>
#include <dlfcn.h>
#include <link.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "default_engine.h"
#include "temporary_folder.h"
#include "viewer/parts.h"

static pid_t screen;
static sn_model *m;
static sn_data *d;
static sn_viewer *v;
static char before[4096];   // the working folder

static inline int have_screen(void) {
  return system("command -v Xvfb > /dev/null 2>&1") == 0;
}

// Xvfb finds a number that is free, and writes it once it listens.
static inline void open_screen(void) {
  int ends[2];
  char number[16] = ":", text[16];
  size_t n = 1;
  ck_assert_int_eq(pipe(ends), 0);
  snprintf(text, sizeof text, "%d", ends[1]);
  screen = fork();
  if (screen == 0) {
    close(ends[0]);
    execlp("Xvfb", "Xvfb", "-displayfd", text, "-screen", "0", "900x700x24", "-nolisten", "tcp",
           (char *)NULL);
    _exit(127);
  }
  close(ends[1]);
  while (n < sizeof number && read(ends[0], number + n, 1) == 1 && number[n] != '\n') {
    n++;
  }
  ck_assert_msg(n > 1 && n < sizeof number && number[n] == '\n', "Xvfb does not start");
  close(ends[0]);
  number[n] = '\0';
  setenv("DISPLAY", number, 1);
  unsetenv("WAYLAND_DISPLAY");
  open_folder();
  open_engine();
  ck_assert_ptr_nonnull(getcwd(before, sizeof before));
  ck_assert_int_eq(chdir(folder), 0);
}

static inline void close_screen(void) {
  sn_viewer_close(v);
  done_with(m, d);
  v = NULL;
  m = NULL;
  d = NULL;
  close_engine();
  ck_assert_int_eq(chdir(before), 0);
  close_folder();
  kill(screen, SIGTERM);
  waitpid(screen, NULL, 0);
}

static inline int keep_object(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size;
  (void)unused;
  if (strstr(info->dlpi_name, "_dri.so")) {
    dlopen(info->dlpi_name, RTLD_NOW | RTLD_NOLOAD | RTLD_NODELETE);
  }
  return 0;
}

// The driver, which leaks some bytes, stays loaded, so that house/lsan.supp knows it.
static inline void keep_driver(void) {
  dl_iterate_phdr(keep_object, NULL);
}

// Opens a small window, which takes less time to draw; paused.
static inline void view_file(const char *path, int is_passive) {
  m = sn_load(engine, path, error);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  d = data_of(m);
  const sn_viewer_request request = {
    .size = sizeof request, .flags = SN_VIEWER_PAUSED, .path = path, .width = 740, .height = 420
  };
  v = viewer_open(m, d, &request, is_passive, error);
  keep_driver();
  ck_assert_msg(v != NULL, "%s", sn_error_text(error));
}

static inline void view_text(const char *text) {
  put_text("model.xml", text);
  view_file(in_folder("model.xml"), 0);
}

static inline void frames(int n) {
  for (int i = 0; i < n; i++) {
    OK(viewer_frame(v, error));
  }
}

// ------------------------------------------------------------------ keys and mouse

static inline void press_key(int key, int mods) {
  input_key(v, key, 1, mods);
  frames(1);
  input_key(v, key, 0, 0);
  frames(1);
}

static inline void click(double x, double y) {
  input_move(v, x, y);
  frames(1);
  input_button(v, GLFW_MOUSE_BUTTON_LEFT, 1, 0);
  frames(1);
  input_button(v, GLFW_MOUSE_BUTTON_LEFT, 0, 0);
  frames(2);
}

// A place in the image, from 0 to 1.
static inline void move_to(double x, double y) {
  const image *p = &v->image;
  input_move(v, (double)(p->x + (float)x * p->width), (double)(p->y + (float)y * p->height));
  frames(1);
}

static inline void double_click(int button, int mods) {
  for (int i = 0; i < 2; i++) {
    input_button(v, button, 1, mods);
    input_button(v, button, 0, mods);
  }
  frames(1);
}

static inline void drag(int button, int mods, double x, double y) {
  input_button(v, button, 1, mods);
  move_to(x, y);
  input_button(v, button, 0, mods);
  v->mouse.pressed_at = 0;   // the next press is no double click
}

// Selects body 1 in the middle of the image, and pulls it up; the button stays down.
static inline void pull_body(void) {
  frames(1);
  for (int i = 0; i < 3; i++) {
    v->image.camera.lookat[i] = snd_xpos(v->d)[3 + i];
  }
  move_to(0.5, 0.5);
  double_click(GLFW_MOUSE_BUTTON_LEFT, 0);
  ck_assert_int_eq(v->image.pull.body, 1);
  v->mouse.pressed_at = 0;
  input_button(v, GLFW_MOUSE_BUTTON_RIGHT, 1, GLFW_MOD_CONTROL);
  move_to(0.8, 0.2);
}

// ------------------------------------------------------------------ widgets

static inline int find_widget(const char *path, gui_widget *out) {
  for (int i = 0; gui_widget_at(v->gui, i, out); i++) {
    if (strcmp(out->path, path) == 0) {
      return 1;
    }
  }
  return 0;
}

// Scrolls to a widget, whose section is open, if it is not visible.
static inline gui_widget show_widget(const char *path) {
  gui_widget w;
  gui_record(v->gui, 1);
  frames(1);
  if (!find_widget(path, &w) || !w.visible) {
    gui_reveal(v->gui, path);
    frames(2);
  }
  ck_assert_msg(find_widget(path, &w), "there is no widget %s", path);
  ck_assert_msg(w.visible, "%s is not visible", path);
  return w;
}

static inline void click_widget(const char *path) {
  const gui_widget w = show_widget(path);
  click((double)w.x, (double)w.y);
}

// Opens a list, and chooses one of its lines.
static inline void choose(const char *path, const char *name) {
  char line[256];
  click_widget(path);
  snprintf(line, sizeof line, "%s=%s", path, name);
  click_widget(line);
}

static inline void open_section(const char *path) {
  char below[200];
  gui_widget w;
  gui_record(v->gui, 1);
  frames(1);
  snprintf(below, sizeof below, "%s/", path);
  for (int i = 0; gui_widget_at(v->gui, i, &w); i++) {
    if (strncmp(w.path, below, strlen(below)) == 0) {
      return;
    }
  }
  click_widget(path);
}

#endif
