// SPDX-License-Identifier: Apache-2.0
//
// OpenGL without a screen: a context of EGL that has no window. The displays are tried in this
// order: the cards of the machine, Mesa without a window system (its software rasterizer needs
// no card), the default display. Displays belong to the process and stay initialized.
//
// A context is current only during a call, so that a canvas can be used from any thread.

#include <dlfcn.h>
#include <epoxy/egl.h>
#include <stdio.h>
#include <string.h>

#include "gl.h"

sn_status renderer_fail(const void *self, sn_error *error, sn_status code, const char *text) {
  return sn_instance_fail(self, error, code, text);
}

sn_status driver_status(const canvas *c, sn_error *error) {
  const GLenum wrong = glGetError();
  char text[160];
  if (wrong == GL_NO_ERROR) {
    return SN_OK;
  }
  if (wrong == GL_OUT_OF_MEMORY) {
    return renderer_fail(c->self, error, SN_ENOMEM,
                         "the driver of OpenGL is out of memory; choose a smaller image, or "
                         "smaller textures, meshes or visual/quality of the model");
  }
  snprintf(text, sizeof text, "a call of OpenGL failed with error 0x%04x", (unsigned)wrong);
  return renderer_fail(c->self, error, SN_EPLUGIN, text);
}

static const EGLint context_wish[] = { EGL_CONTEXT_MAJOR_VERSION,
                                       3,
                                       EGL_CONTEXT_MINOR_VERSION,
                                       3,
                                       EGL_CONTEXT_OPENGL_PROFILE_MASK,
                                       EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT,
                                       EGL_NONE };

// A context of a display. False: it has none of this version.
static int try_display(canvas *c, EGLDisplay display) {
  EGLint major, minor, n = 0;
  EGLConfig config = NULL;
  static const EGLint wish[] = { EGL_SURFACE_TYPE, EGL_PBUFFER_BIT, EGL_RENDERABLE_TYPE,
                                 EGL_OPENGL_BIT, EGL_NONE };
  if (display == EGL_NO_DISPLAY || !eglInitialize(display, &major, &minor) ||
      !eglBindAPI(EGL_OPENGL_API) || !eglChooseConfig(display, wish, &config, 1, &n) || n < 1) {
    return 0;
  }
  EGLContext context = eglCreateContext(display, config, EGL_NO_CONTEXT, context_wish);
  if (context == EGL_NO_CONTEXT) {
    return 0;
  }
  if (!eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, context)) {
    eglDestroyContext(display, context);
    return 0;
  }
  c->display = display;
  c->context = context;
  return 1;
}

static int client_has(const char *extension) {
  const char *list = eglQueryString(EGL_NO_DISPLAY, EGL_EXTENSIONS);
  return list && strstr(list, extension) != NULL;
}

static int try_cards(canvas *c) {
  EGLDeviceEXT device[16];
  EGLint n = 0;
  if (!client_has("EGL_EXT_device_enumeration") || !client_has("EGL_EXT_platform_device") ||
      !eglQueryDevicesEXT(16, device, &n)) {
    return 0;
  }
  for (EGLint i = 0; i < n; i++) {
    const char *has = eglQueryDeviceStringEXT(device[i], EGL_EXTENSIONS);
    const int is_software = has && strstr(has, "EGL_MESA_device_software");
    if (!is_software &&
        try_display(c, eglGetPlatformDisplayEXT(EGL_PLATFORM_DEVICE_EXT, device[i], NULL))) {
      return 1;
    }
  }
  return 0;
}

static int try_surfaceless(canvas *c) {
  return client_has("EGL_MESA_platform_surfaceless") &&
         try_display(c, eglGetPlatformDisplayEXT(EGL_PLATFORM_SURFACELESS_MESA,
                                                 (void *)EGL_DEFAULT_DISPLAY, NULL));
}

// libepoxy aborts the process if it cannot load one of these. They stay loaded.
static int libraries_exist(void) {
  return dlopen("libEGL.so.1", RTLD_LAZY | RTLD_LOCAL) &&
         (dlopen("libOpenGL.so.0", RTLD_LAZY | RTLD_LOCAL) ||
          dlopen("libGL.so.1", RTLD_LAZY | RTLD_LOCAL));
}

sn_status context_open(canvas *c, sn_error *error) {
  if (c->how == SN_CANVAS_CURRENT) {
    return epoxy_gl_version() >= 33
               ? SN_OK
               : renderer_fail(c->self, error, SN_EUNSUPPORTED,
                               "the current OpenGL context is older than version 3.3");
  }
  if (!libraries_exist()) {
    return renderer_fail(c->self, error, SN_EUNSUPPORTED,
                         "the libraries of OpenGL, libEGL.so.1 and libOpenGL.so.0, are not "
                         "installed (on Debian libegl1 and libopengl0, and libgl1-mesa-dri for "
                         "Mesa's software rasterizer)");
  }
  if (try_cards(c) || try_surfaceless(c) || try_display(c, eglGetDisplay(EGL_DEFAULT_DISPLAY))) {
    return SN_OK;
  }
  return renderer_fail(c->self, error, SN_EUNSUPPORTED,
                       "no OpenGL 3.3 without a screen; install the driver of the card, or Mesa's "
                       "software rasterizer (on Debian libegl1 and libgl1-mesa-dri)");
}

sn_status context_enter(canvas *c, sn_error *error) {
  if (c->how == SN_CANVAS_CURRENT ||
      eglMakeCurrent(c->display, EGL_NO_SURFACE, EGL_NO_SURFACE, c->context)) {
    return SN_OK;
  }
  return renderer_fail(c->self, error, SN_EPLUGIN,
                       "the OpenGL context of this canvas cannot be made current; is it in use in "
                       "another thread?");
}

void context_leave(canvas *c) {
  if (c->how != SN_CANVAS_CURRENT) {
    eglMakeCurrent(c->display, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
  }
}

void context_close(canvas *c) {
  if (c->context) {
    context_leave(c);
    eglDestroyContext(c->display, c->context);
  }
}
