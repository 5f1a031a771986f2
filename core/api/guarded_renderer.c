// SPDX-License-Identifier: Apache-2.0
//
// Calls of the operations of renderers; see guarded_renderer.h. A renderer gets copies of the
// structs that it may only read, and a sink that rejects what is no memory.

#include "api/guarded_renderer.h"

#include <math.h>
#include <stdlib.h>

#include "host/calling.h"
#include "sinew/renderer.h"

struct si_guarded_renderer {
  sn_renderer_ops ops;   // first; what is optional is NULL as in those of the plugin
  const si_provider *provider;
};

static const sn_renderer_ops *ops_of(const void *self, const void **own) {
  const si_provider *p = ((const si_guarded_renderer *)self)->provider;
  *own = p->self;
  return p->ops;
}

static si_call enter(const void *self, const char *operation) {
  return si_call_enter(((const si_guarded_renderer *)self)->provider, operation);
}

static sn_status blame(const void *self, const char *operation, const char *wrong,
                       sn_error *error) {
  char title[SI_PROVIDER_TITLE];
  return si_fail(error, SN_EPLUGIN, "%s: its operation '%s' %s",
                 si_provider_title(((const si_guarded_renderer *)self)->provider, title), operation,
                 wrong);
}

static sn_status open_canvas(const void *self, int32_t how, void **canvas, sn_error *error) {
  const void *own;
  const sn_renderer_ops *ops = ops_of(self, &own);
  *canvas = NULL;
  si_error_clear(error);   // a failure without a message must not show an earlier one
  const si_call call = enter(self, "open");
  const sn_status returned = ops->open(own, how, canvas, error);
  const sn_status status = si_call_leave(&call, returned, error);
  if (status < 0 && returned >= 0 && si_status_is_known(returned)) {   // it is open
    ops->close(own, *canvas);
  }
  *canvas = status < 0 ? NULL : *canvas;
  return status;
}

static void close_canvas(const void *self, void *canvas) {
  const void *own;
  const sn_renderer_ops *ops = ops_of(self, &own);
  const si_call call = enter(self, "close");
  ops->close(own, canvas);
  si_call_leave(&call, SN_OK, NULL);
}

static const char *find_wrong(const sn_scene *scene, const sn_image *image) {
  const int64_t n = (int64_t)image->width * image->height;
  for (int64_t i = 0; i < n && image->depth; i++) {
    if (!isfinite(image->depth[i])) {
      return "wrote a depth that is not finite";
    }
  }
  for (int64_t i = 0; i < n && image->segment; i++) {
    if (image->segment[i] < -1 || image->segment[i] >= scene->ngeom) {
      return "wrote a segment that is neither a geom of the scene nor -1";
    }
  }
  return NULL;
}

static sn_status render(const void *self, void *canvas, const sn_scene *scene, sn_image *image,
                        sn_error *error) {
  const void *own;
  const sn_renderer_ops *ops = ops_of(self, &own);
  sn_scene shown = *scene;
  sn_image lent = *image;
  si_error_clear(error);
  const si_call call = enter(self, "render");
  SN_TRY(si_call_leave(&call, ops->render(own, canvas, &shown, &lent, error), error));
  const char *wrong = find_wrong(scene, image);
  return wrong ? blame(self, "render", wrong, error) : SN_OK;
}

static sn_status write_bytes(sn_sink *sink, const void *bytes, int64_t count) {
  sn_sink *to = sink->context;
  return count < 0 || (count > 0 && !bytes) ? SN_EINVAL : to->write(to, bytes, count);
}

static sn_status write_file(const void *self, void *canvas, const sn_scene *scene, int32_t width,
                            int32_t height, const char *extension, sn_sink *sink, sn_error *error) {
  const void *own;
  const sn_renderer_ops *ops = ops_of(self, &own);
  sn_scene shown = *scene;
  sn_sink checked = { .size = sizeof checked, .context = sink, .write = write_bytes };
  si_error_clear(error);
  const si_call call = enter(self, "write");
  return si_call_leave(
      &call, ops->write(own, canvas, &shown, width, height, extension, &checked, error), error);
}

static sn_status draw(const void *self, void *canvas, const sn_scene *scene, int32_t x, int32_t y,
                      int32_t width, int32_t height, sn_error *error) {
  const void *own;
  const sn_renderer_ops *ops = ops_of(self, &own);
  sn_scene shown = *scene;
  si_error_clear(error);
  const si_call call = enter(self, "draw");
  return si_call_leave(&call, ops->draw(own, canvas, &shown, x, y, width, height, error), error);
}

si_guarded_renderer *si_guarded_renderer_new(const si_provider *provider) {
  const sn_renderer_ops *ops = provider->ops;
  si_guarded_renderer *g = calloc(1, sizeof *g);
  if (g) {
    g->provider = provider;
    g->ops = (sn_renderer_ops){
      .head = ops->head,
      .extensions = ops->extensions,
      .open = open_canvas,
      .close = close_canvas,
      .render = ops->render ? render : NULL,
      .write = ops->write ? write_file : NULL,
      .draw = ops->draw ? draw : NULL,
    };
  }
  return g;
}
