// SPDX-License-Identifier: Apache-2.0
//
// A context of OpenGL 3.3 without a window, as a program has it in which a renderer draws, and a
// framebuffer in it. The libraries are loaded when they are needed; nothing is linked.

#ifndef SINEW_CONFORMANCE_RENDERER_CONTEXT_H
#define SINEW_CONFORMANCE_RENDERER_CONTEXT_H

#include <stdint.h>

typedef struct kit_context {
  void *display, *context;
  uint32_t framebuffer, color, depth;
  int32_t width, height;   // pixels of the framebuffer
} kit_context;

// An operation of OpenGL; NULL: there is none.
typedef void kit_gl_operation(void);
kit_gl_operation *kit_gl(const char *name);

// Makes the context and its framebuffer current in this thread. False: this machine has none.
int kit_context_open(kit_context *c, int32_t width, int32_t height);
void kit_context_close(kit_context *c);
// Binds the framebuffer and gives each pixel the color `level` in red, green and blue.
void kit_context_clear(const kit_context *c, uint8_t level);
// Is the framebuffer bound, to draw to?
int kit_context_is_bound(const kit_context *c);
// Reads red, green, blue and alpha of each pixel; rows from bottom to top.
void kit_context_read(const kit_context *c, uint8_t *rgba);

#endif
