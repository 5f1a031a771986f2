// SPDX-License-Identifier: Apache-2.0
//
// Framebuffers for images without a window.

#include "gl.h"

void target_free(target *t) {
  glDeleteFramebuffers(1, &t->frame);
  glDeleteRenderbuffers(3, t->buffer);
  *t = (target){ 0 };
}

static void attach(target *t, int i, GLenum format, GLenum point) {
  glBindRenderbuffer(GL_RENDERBUFFER, t->buffer[i]);
  if (t->samples > 1) {
    glRenderbufferStorageMultisample(GL_RENDERBUFFER, t->samples, format, t->width, t->height);
  } else {
    glRenderbufferStorage(GL_RENDERBUFFER, format, t->width, t->height);
  }
  glFramebufferRenderbuffer(GL_FRAMEBUFFER, point, GL_RENDERBUFFER, t->buffer[i]);
}

// A new framebuffer of this size, bound; false: the old one has it and is bound.
static int start(target *t, int32_t width, int32_t height, int32_t samples) {
  if (t->frame && t->width == width && t->height == height && t->samples == samples) {
    glBindFramebuffer(GL_FRAMEBUFFER, t->frame);
    return 0;
  }
  target_free(t);
  t->width = width;
  t->height = height;
  t->samples = samples;
  glGenFramebuffers(1, &t->frame);
  glGenRenderbuffers(3, t->buffer);
  glBindFramebuffer(GL_FRAMEBUFFER, t->frame);
  return 1;
}

static sn_status finish(canvas *c, target *t, sn_error *error) {
  if (glCheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE) {
    return SN_OK;
  }
  target_free(t);
  return renderer_fail(c->self, error, SN_EUNSUPPORTED,
                       "the driver has no framebuffer for images of this size");
}

sn_status target_color(canvas *c, target *t, int32_t width, int32_t height, int32_t samples,
                       sn_error *error) {
  GLint most = 1;
  glGetIntegerv(GL_MAX_SAMPLES, &most);
  samples = samples > most ? most : samples > 1 ? samples : 0;
  if (!start(t, width, height, samples)) {
    return SN_OK;
  }
  attach(t, 0, GL_RGBA8, GL_COLOR_ATTACHMENT0);
  attach(t, 2, GL_DEPTH24_STENCIL8, GL_DEPTH_STENCIL_ATTACHMENT);
  return finish(c, t, error);
}

sn_status target_ids(canvas *c, target *t, int32_t width, int32_t height, sn_error *error) {
  static const GLenum buffers[2] = { GL_COLOR_ATTACHMENT0, GL_COLOR_ATTACHMENT1 };
  if (!start(t, width, height, 0)) {
    return SN_OK;
  }
  attach(t, 0, GL_R32I, GL_COLOR_ATTACHMENT0);
  attach(t, 1, GL_R32F, GL_COLOR_ATTACHMENT1);
  attach(t, 2, GL_DEPTH_COMPONENT24, GL_DEPTH_ATTACHMENT);
  glDrawBuffers(2, buffers);
  return finish(c, t, error);
}
