// SPDX-License-Identifier: Apache-2.0
//
// EGL and OpenGL by the names of their functions and the numbers of their registries, so that the
// kit needs neither headers nor libraries of them to be built.

#include "context.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

enum {                             // of the registry of EGL
  EGL_NONE = 0x3038,
  EGL_EXTENSIONS = 0x3055,
  EGL_SURFACE_TYPE = 0x3033,
  EGL_PBUFFER_BIT = 0x0001,
  EGL_RENDERABLE_TYPE = 0x3040,
  EGL_OPENGL_BIT = 0x0008,
  EGL_OPENGL_API = 0x30A2,
  EGL_CONTEXT_MAJOR_VERSION = 0x3098,
  EGL_CONTEXT_MINOR_VERSION = 0x30FB,
  EGL_CONTEXT_OPENGL_PROFILE_MASK = 0x30FD,
  EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT = 0x0001,
  EGL_PLATFORM_SURFACELESS_MESA = 0x31DD
};
enum {                             // of that of OpenGL
  GL_SCISSOR_TEST = 0x0C11,
  GL_COLOR_BUFFER_BIT = 0x4000,
  GL_RGBA = 0x1908,
  GL_UNSIGNED_BYTE = 0x1401,
  GL_RGBA8 = 0x8058,
  GL_DEPTH_COMPONENT24 = 0x81A6,
  GL_PIXEL_PACK_BUFFER = 0x88EB,
  GL_FRAMEBUFFER = 0x8D40,
  GL_RENDERBUFFER = 0x8D41,
  GL_DRAW_FRAMEBUFFER_BINDING = 0x8CA6,
  GL_COLOR_ATTACHMENT0 = 0x8CE0,
  GL_DEPTH_ATTACHMENT = 0x8D00,
  GL_FRAMEBUFFER_COMPLETE = 0x8CD5
};

// The function NAME, whose parameters are TYPES.
#define CALL(result, name, types) ((result(*) types)kit_gl(name))

kit_gl_operation *kit_gl(const char *name) {
  typedef kit_gl_operation *getter(const char *name);
  static void *library;
  static getter *get;
  if (!library) {
    library = dlopen("libEGL.so.1", RTLD_LAZY | RTLD_LOCAL);
    void *found = library ? dlsym(library, "eglGetProcAddress") : NULL;
    memcpy(&get, &found, sizeof get);   // ISO C has no such conversion
  }
  kit_gl_operation *f = NULL;
  if (library && strncmp(name, "egl", 3) == 0) {
    void *found = dlsym(library, name);
    memcpy(&f, &found, sizeof f);
  }
  return f || !get ? f : get(name);
}

// ------------------------------------------------------------------ the context

// Mesa without a window system, which needs no card, or the default display.
static void *find_display(void) {
  const char *list = CALL(const char *, "eglQueryString", (void *, int32_t))(NULL, EGL_EXTENSIONS);
  kit_gl_operation *get = kit_gl("eglGetPlatformDisplayEXT");
  void *display = NULL;
  if (get && list && strstr(list, "EGL_MESA_platform_surfaceless")) {
    display = ((void *(*)(uint32_t, void *, const int32_t *))get)(EGL_PLATFORM_SURFACELESS_MESA,
                                                                  NULL, NULL);
  }
  return display ? display : CALL(void *, "eglGetDisplay", (void *))(NULL);
}

static int make_current(const kit_context *c, void *context) {
  return CALL(uint32_t, "eglMakeCurrent", (void *, void *, void *, void *))(c->display, NULL, NULL,
                                                                            context) != 0;
}

// The display stays initialized: it belongs to the process.
static int make_context(kit_context *c) {
  static const int32_t wish[] = { EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                                  EGL_OPENGL_BIT, EGL_NONE };
  static const int32_t version[] = { EGL_CONTEXT_MAJOR_VERSION,
                                     3,
                                     EGL_CONTEXT_MINOR_VERSION,
                                     3,
                                     EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                     EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                     EGL_NONE };
  void *config = NULL;
  int32_t n = 0;
  if (!kit_gl("eglQueryString")) {
    return 0;
  }
  c->display = find_display();
  if (!c->display ||
      !CALL(uint32_t, "eglInitialize", (void *, int32_t *, int32_t *))(c->display, NULL, NULL) ||
      !CALL(uint32_t, "eglBindAPI", (uint32_t))(EGL_OPENGL_API) ||
      !CALL(uint32_t, "eglChooseConfig", (void *, const int32_t *, void **, int32_t, int32_t *))(
          c->display, wish, &config, 1, &n) ||
      n < 1) {
    return 0;
  }
  c->context = CALL(void *, "eglCreateContext",
                    (void *, void *, void *, const int32_t *))(c->display, config, NULL, version);
  return c->context && make_current(c, c->context);
}

// ------------------------------------------------------------------ the framebuffer

typedef void names(int32_t n, uint32_t *name);
typedef void remove_names(int32_t n, const uint32_t *name);
typedef void bind(uint32_t target, uint32_t name);

static uint32_t attach(const kit_context *c, uint32_t attachment, uint32_t format) {
  uint32_t buffer = 0;
  ((names *)kit_gl("glGenRenderbuffers"))(1, &buffer);
  ((bind *)kit_gl("glBindRenderbuffer"))(GL_RENDERBUFFER, buffer);
  CALL(void, "glRenderbufferStorage", (uint32_t, uint32_t, int32_t, int32_t))
  (GL_RENDERBUFFER, format, c->width, c->height);
  CALL(void, "glFramebufferRenderbuffer", (uint32_t, uint32_t, uint32_t, uint32_t))
  (GL_FRAMEBUFFER, attachment, GL_RENDERBUFFER, buffer);
  return buffer;
}

static int make_framebuffer(kit_context *c) {
  ((names *)kit_gl("glGenFramebuffers"))(1, &c->framebuffer);
  ((bind *)kit_gl("glBindFramebuffer"))(GL_FRAMEBUFFER, c->framebuffer);
  c->color = attach(c, GL_COLOR_ATTACHMENT0, GL_RGBA8);
  c->depth = attach(c, GL_DEPTH_ATTACHMENT, GL_DEPTH_COMPONENT24);
  return CALL(uint32_t, "glCheckFramebufferStatus", (uint32_t))(GL_FRAMEBUFFER) ==
         GL_FRAMEBUFFER_COMPLETE;
}

int kit_context_open(kit_context *c, int32_t width, int32_t height) {
  *c = (kit_context){ .width = width, .height = height };
  if (make_context(c) && kit_gl("glGenFramebuffers") && make_framebuffer(c)) {
    return 1;
  }
  kit_context_close(c);
  return 0;
}

void kit_context_close(kit_context *c) {
  if (c->framebuffer) {
    const uint32_t buffers[] = { c->color, c->depth };
    ((remove_names *)kit_gl("glDeleteFramebuffers"))(1, &c->framebuffer);
    ((remove_names *)kit_gl("glDeleteRenderbuffers"))(2, buffers);
  }
  if (c->context) {
    make_current(c, NULL);
    CALL(uint32_t, "eglDestroyContext", (void *, void *))(c->display, c->context);
  }
  *c = (kit_context){ .width = 0 };
}

void kit_context_clear(const kit_context *c, uint8_t level) {
  const float x = (float)level / 255;
  ((bind *)kit_gl("glBindFramebuffer"))(GL_FRAMEBUFFER, c->framebuffer);
  CALL(void, "glDisable", (uint32_t))(GL_SCISSOR_TEST);
  CALL(void, "glColorMask", (uint8_t, uint8_t, uint8_t, uint8_t))(1, 1, 1, 1);
  CALL(void, "glClearColor", (float, float, float, float))(x, x, x, 1);
  CALL(void, "glClear", (uint32_t))(GL_COLOR_BUFFER_BIT);
}

int kit_context_is_bound(const kit_context *c) {
  int32_t bound = 0;
  CALL(void, "glGetIntegerv", (uint32_t, int32_t *))(GL_DRAW_FRAMEBUFFER_BINDING, &bound);
  return (uint32_t)bound == c->framebuffer;
}

void kit_context_read(const kit_context *c, uint8_t *rgba) {
  ((bind *)kit_gl("glBindFramebuffer"))(GL_FRAMEBUFFER, c->framebuffer);
  ((bind *)kit_gl("glBindBuffer"))(GL_PIXEL_PACK_BUFFER, 0);
  CALL(void, "glReadPixels", (int32_t, int32_t, int32_t, int32_t, uint32_t, uint32_t, void *))
  (0, 0, c->width, c->height, GL_RGBA, GL_UNSIGNED_BYTE, rgba);
}
