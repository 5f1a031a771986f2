// SPDX-License-Identifier: Apache-2.0
//
// Kind sinew.renderer/draft: renderers. They draw a scene (scene.h): into arrays of colors, depths
// and ids, into a file of a format of their own, or into the OpenGL context of a program.
//
//   open    --> a canvas: what the renderer keeps from image to image
//   render  --> pixels           any thread, one call at a time for each canvas
//   write   --> bytes of a file  likewise
//   draw    --> the window of a program, whose context is current
//   close
//
// This kind is a draft: it may change in every minor version. A plugin that uses it must be
// compiled for the version of Sinew that loads it.

#ifndef SINEW_RENDERER_H
#define SINEW_RENDERER_H

#include "sinew/loader.h"
#include "sinew/scene.h"

SN_BEGIN_DECLS

#define SN_KIND_RENDERER "sinew.renderer/draft"

enum {                     // sn_ops.flags
  SN_RENDERER_OPENGL = 1   // draws into OpenGL contexts: `draw` may be called
};

enum {                       // how a canvas is opened
  SN_CANVAS_OFFSCREEN = 0,   // without a screen; for `render` and `write`
  SN_CANVAS_CURRENT = 1      // in the OpenGL context (3.3 core) that is current in this thread, in
                             // all further calls as well; for `draw` and `render`
};

// An image to be filled. Rows are stored from top to bottom. An array that is NULL is not filled.
// Depth and segment are those of the center of a pixel; the color may be averaged over it.
typedef struct sn_image {
  uint32_t size;
  int32_t width, height;   // pixels
  int32_t reserved;
  uint8_t *rgb;       // height x width x 3
  float *depth;       // height x width, m along the viewing axis to the nearest surface, of
                      // opaque or translucent geoms; the far plane where there is no surface
  int32_t *segment;   // height x width: index in scene->geom of the nearest geom, opaque or
                      // translucent; -1: none
} sn_image;
SN_LAYOUT(sn_image, 40);

// The operations of a renderer: at least one of render, write and draw.
typedef struct sn_renderer_ops {
  sn_ops head;
  // The file name extensions that `write` supports, ".svg|.eps"; NULL: none.
  const char *extensions;
  // [any] Opens a canvas. how: SN_CANVAS_*. SN_EUNSUPPORTED: this machine has no device or library
  // for it; the message says what to install.
  sn_status (*open)(const void *self, int32_t how, void **canvas, sn_error *error);
  void (*close)(const void *self, void *canvas);   // [any] once for each successful `open`
  // [any] optional. Draws the scene into the arrays of the image, whose size may differ
  // from call to call. The scene is valid during the call.
  sn_status (*render)(const void *self, void *canvas, const sn_scene *scene, sn_image *image,
                      sn_error *error);
  // [any] optional. Writes the scene as a file whose image is width x height points large.
  // extension: one of `extensions`.
  sn_status (*write)(const void *self, void *canvas, const sn_scene *scene, int32_t width,
                     int32_t height, const char *extension, sn_sink *sink, sn_error *error);
  // [any] optional; with SN_RENDERER_OPENGL. Draws the scene into the framebuffer that is bound,
  // in a rectangle with its lower left corner at x, y. It leaves the framebuffer bound; other state
  // of the context may change.
  sn_status (*draw)(const void *self, void *canvas, const sn_scene *scene, int32_t x, int32_t y,
                    int32_t width, int32_t height, sn_error *error);
} sn_renderer_ops;
SN_LAYOUT(sn_renderer_ops, 88);

// An entry for the plugin's list of providers (sn_provide, plugin.h).
#define SN_PROVIDE_RENDERER(name, ops) SN_PROVIDE(SN_KIND_RENDERER, name, sn_renderer_ops, ops)

SN_END_DECLS

#endif
