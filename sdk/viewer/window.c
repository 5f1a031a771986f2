// SPDX-License-Identifier: Apache-2.0
//
// The window of the system, by GLFW: X11 or Wayland. Only this file knows it, but for the names of
// keys.

#include <GLFW/glfw3.h>
#include <stdio.h>
#include <string.h>

#include "parts.h"

enum { WIDTH = 1280, HEIGHT = 800 };

static int open_windows;        // GLFW is initialized while there are some
static char glfw_reason[512];   // the latest error of GLFW

static void remember(int code, const char *text) {
  (void)code;
  snprintf(glfw_reason, sizeof glfw_reason, "%s", text);
}

// ------------------------------------------------------------------ events

static sn_viewer *viewer_of(GLFWwindow *w) {
  return glfwGetWindowUserPointer(w);
}

static void on_key(GLFWwindow *w, int key, int scancode, int action, int mods) {
  (void)scancode;
  input_key(viewer_of(w), key, action != GLFW_RELEASE, mods);
}

static void on_char(GLFWwindow *w, unsigned int codepoint) {
  input_char(viewer_of(w), codepoint);
}

static void on_move(GLFWwindow *w, double x, double y) {
  input_move(viewer_of(w), x, y);
}

static void on_button(GLFWwindow *w, int button, int action, int mods) {
  input_button(viewer_of(w), button, action == GLFW_PRESS, mods);
}

static void on_wheel(GLFWwindow *w, double dx, double dy) {
  input_wheel(viewer_of(w), dx, dy);
}

static void on_drop(GLFWwindow *w, int n, const char **path) {
  if (n > 0) {
    input_drop(viewer_of(w), path[0]);
  }
}

static const char *get_clipboard(void *context) {
  const sn_viewer *v = context;
  const char *text = glfwGetClipboardString(v->window.glfw);
  return text ? text : "";
}

static void set_clipboard(void *context, const char *text) {
  const sn_viewer *v = context;
  glfwSetClipboardString(v->window.glfw, text);
}

void window_copy(sn_viewer *v, const char *text) {
  set_clipboard(v, text);
}

// ------------------------------------------------------------------ opening

static sn_status fail(sn_viewer *v, sn_error *error, const char *what) {
  char text[1024];
  snprintf(text, sizeof text,
           "%s: %s; a window needs a display (DISPLAY or WAYLAND_DISPLAY) with OpenGL 3.3; without "
           "one, `sinew view --web` and `sinew render` show the model",
           what, *glfw_reason ? glfw_reason : "no reason given");
  const sn_host *host = sn_engine_host(sn_model_engine(v->m));
  return error ? host->error(host, error, SN_EUNSUPPORTED, NULL, 0, 0, text) : SN_EUNSUPPORTED;
}

static const char *title_of(const sn_viewer *v) {
  const char *name = sn_model_name(v->m);
  return v->ask.title ? v->ask.title : *name ? name : "Sinew";
}

static void place(int *width, int *height) {
  const GLFWvidmode *mode = glfwGetVideoMode(glfwGetPrimaryMonitor());
  *width = *width > 0 ? *width : WIDTH;
  *height = *height > 0 ? *height : HEIGHT;
  if (mode && *width > mode->width) {
    *width = mode->width;
  }
  if (mode && *height > mode->height) {
    *height = mode->height;
  }
}

// Of a pixel, as the model says.
static int samples(const sn_viewer *v) {
  sn_visual visual = { .def_size = sizeof visual };
  sn_model_get_visual(v->m, &visual);
  const int64_t n = visual.quality_offsamples;
  return n < 0 ? 0 : n > 16 ? 16 : (int)n;
}

static double refresh_time(void) {
  GLFWmonitor *monitor = glfwGetPrimaryMonitor();
  const GLFWvidmode *mode = monitor ? glfwGetVideoMode(monitor) : NULL;
  return mode && mode->refreshRate > 0 ? 1.0 / mode->refreshRate : 1.0 / 60;
}

static void listen(sn_viewer *v, GLFWwindow *w) {
  glfwSetWindowUserPointer(w, v);
  glfwSetKeyCallback(w, on_key);
  glfwSetCharCallback(w, on_char);
  glfwSetCursorPosCallback(w, on_move);
  glfwSetMouseButtonCallback(w, on_button);
  glfwSetScrollCallback(w, on_wheel);
  glfwSetDropCallback(w, on_drop);
}

sn_status window_open(sn_viewer *v, sn_error *error) {
  window *w = &v->window;
  int width = v->ask.width, height = v->ask.height;
  float scale = 1, unused;
  *glfw_reason = '\0';
  glfwSetErrorCallback(remember);
  if (!glfwInit()) {
    return fail(v, error, "no window can be opened");
  }
  open_windows++;
  place(&width, &height);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_SAMPLES, samples(v));
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "sinew");   // GLFW ignores one without the other
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "sinew");
  w->glfw = glfwCreateWindow(width, height, title_of(v), NULL, NULL);
  if (!w->glfw) {
    return fail(v, error, "no window can be opened");
  }
  listen(v, w->glfw);
  glfwMakeContextCurrent(w->glfw);
  glfwSwapInterval(1);
  glfwGetWindowContentScale(w->glfw, &scale, &unused);
  w->refresh = refresh_time();
  v->gui = gui_open(scale > 0.5F ? scale : 1);
  if (!v->gui) {
    return fail(v, error, "the panels cannot be drawn");
  }
  gui_clipboard(v->gui, get_clipboard, set_clipboard, v);
  window_poll(v);
  return SN_OK;
}

void window_close(sn_viewer *v) {
  window *w = &v->window;
  if (w->glfw) {
    glfwMakeContextCurrent(w->glfw);
    gui_close(v->gui);
    glfwDestroyWindow(w->glfw);
    w->glfw = NULL;
  }
  if (open_windows > 0 && --open_windows == 0) {
    glfwTerminate();
  }
}

// ------------------------------------------------------------------ a frame

void window_poll(sn_viewer *v) {
  window *w = &v->window;
  int pixels;
  glfwMakeContextCurrent(w->glfw);
  glfwPollEvents();
  glfwGetWindowSize(w->glfw, &w->width, &w->height);
  glfwGetFramebufferSize(w->glfw, &pixels, NULL);
  w->pixels = w->width > 0 ? (float)pixels / (float)w->width : 1;
  v->closing |= glfwWindowShouldClose(w->glfw);
}

void window_swap(sn_viewer *v) {
  glfwSwapBuffers(v->window.glfw);
}

void window_toggle_full(sn_viewer *v) {
  window *w = &v->window;
  GLFWmonitor *monitor = glfwGetPrimaryMonitor();
  const GLFWvidmode *mode = monitor ? glfwGetVideoMode(monitor) : NULL;
  if (w->is_full) {
    glfwSetWindowMonitor(w->glfw, NULL, w->place[0], w->place[1], w->place[2], w->place[3], 0);
    w->is_full = 0;
  } else if (mode) {
    glfwGetWindowPos(w->glfw, &w->place[0], &w->place[1]);
    glfwGetWindowSize(w->glfw, &w->place[2], &w->place[3]);
    glfwSetWindowMonitor(w->glfw, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
    w->is_full = 1;
  }
}
