// SPDX-License-Identifier: Apache-2.0
//
// Renderer `svg`: vector images (Scalable Vector Graphics 1.1) and pixels without any graphics
// library. In: a scene. Out: a file of paths, the farthest first, and labels; or colors, depths and
// ids. Faces that no pixel shows are left out of the file. Start from here; faces.c has the shapes.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "svg.h"

enum { LARGEST_SIDE = 16384, SKY_STOPS = 8 };
enum { UNIT = 10 };   // of coordinates in a pixel: they are integers, independent of the locale

static sn_status svg_open(const void *self, int32_t how, void **canvas, sn_error *error) {
  if (how != SN_CANVAS_OFFSCREEN) {
    return sn_instance_fail(self, error, SN_EUNSUPPORTED,
                            "the renderer svg draws into no window; select the renderer opengl");
  }
  *canvas = sn_instance_alloc(self, 1, error);   // nothing is kept
  return *canvas ? SN_OK : SN_ENOMEM;
}

static sn_status make(const void *self, drawing *x, const sn_scene *scene, sn_image *image,
                      sn_error *error) {
  const int32_t w = image->width, h = image->height;
  *x = (drawing){ 0 };
  if (w < 1 || h < 1 || w > LARGEST_SIDE || h > LARGEST_SIDE) {
    return sn_instance_fail(self, error, SN_EINVAL,
                            "an image needs 1 to 16384 pixels on each side");
  }
  if (!drawing_make(x, scene, w, h) || !raster_fill(x, image)) {
    return sn_instance_fail(self, error, SN_ENOMEM, "out of memory for the faces of an image");
  }
  return SN_OK;
}

static sn_status svg_render(const void *self, void *canvas, const sn_scene *scene, sn_image *image,
                            sn_error *error) {
  drawing x;
  (void)canvas;
  const sn_status status = make(self, &x, scene, image, error);
  if (status >= 0 && image->rgb) {
    label_pixels(&x, image->rgb);
  }
  drawing_free(&x);
  return status;
}

// ------------------------------------------------------------------ files

static sn_status put(sn_sink *sink, const char *text) {
  return sink->write(sink, text, (int64_t)strlen(text));
}

static void name_color(const float *rgb, char *out) {
  int c[3];
  for (int k = 0; k < 3; k++) {
    c[k] = (int)(255 * fminf(fmaxf(rgb[k], 0), 1) + 0.5F);
  }
  snprintf(out, 8, "#%02x%02x%02x", (unsigned)c[0] & 255, (unsigned)c[1] & 255,
           (unsigned)c[2] & 255);
}

static sn_status put_head(const drawing *x, sn_sink *sink) {
  char text[512], color[8];
  const int w = UNIT * x->width, h = UNIT * x->height;
  snprintf(text, sizeof text,
           "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
           "viewBox=\"0 0 %d %d\">\n<defs><linearGradient id=\"sky\" x1=\"0\" y1=\"0\" "
           "x2=\"0\" y2=\"1\">\n",
           x->width, x->height, w, h);
  SN_TRY(put(sink, text));
  for (int i = 0; i <= SKY_STOPS; i++) {
    float rgb[3];
    drawing_sky(x, (float)(i * x->height) / SKY_STOPS, rgb);
    name_color(rgb, color);
    snprintf(text, sizeof text, "<stop offset=\"%d%%\" stop-color=\"%s\"/>\n", 100 * i / SKY_STOPS,
             color);
    SN_TRY(put(sink, text));
  }
  snprintf(text, sizeof text,
           "</linearGradient></defs>\n<rect width=\"%d\" height=\"%d\" fill=\"url(#sky)\"/>\n"
           "<g stroke-width=\"%d\" stroke-linejoin=\"round\">\n",
           w, h, UNIT);
  return put(sink, text);
}

static int to_units(float pixels) {
  return (int)lrintf(fminf(fmaxf(UNIT * pixels, -1e8F), 1e8F));
}

// Consecutive faces of one color are one path. An opaque one has an outline of its color, which
// closes the gaps that antialiasing leaves between neighbors.
static sn_status put_faces(const drawing *x, sn_sink *sink) {
  char text[256], color[8], last[8] = "";
  const face *before = NULL;
  for (int64_t i = 0; i < x->n; i++) {
    const face *f = &x->face[i];
    if (!f->is_visible) {
      continue;
    }
    name_color(f->rgb, color);
    if (!before || strcmp(color, last) != 0 || before->geom != f->geom) {
      const int percent = (int)(100 * f->alpha + 0.5F);
      snprintf(text, sizeof text, "%s<path fill=\"%s\" ", before ? "\"/>\n" : "", color);
      SN_TRY(put(sink, text));
      if (f->alpha < 1) {
        snprintf(text, sizeof text, "fill-opacity=\"%d%%\" d=\"", percent);
      } else {
        snprintf(text, sizeof text, "stroke=\"%s\" d=\"", color);
      }
      SN_TRY(put(sink, text));
    }
    for (int k = 0; k < f->n; k++) {
      snprintf(text, sizeof text, "%s%d %d%s", k ? "L" : "M", to_units(f->corner[k][0]),
               to_units(f->corner[k][1]), k + 1 < f->n ? "" : "Z");
      SN_TRY(put(sink, text));
    }
    memcpy(last, color, sizeof last);
    before = f;
  }
  return put(sink, before ? "\"/>\n</g>\n" : "</g>\n");
}

static sn_status put_escaped(sn_sink *sink, const char *text) {
  for (; *text; text++) {
    const unsigned char c = (unsigned char)*text;
    const char *name = c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : NULL;
    SN_TRY(name    ? put(sink, name)
           : c < 32 ? put(sink, " ")   // no control character is allowed
                    : sink->write(sink, text, 1));
  }
  return SN_OK;
}

static sn_status put_labels(const drawing *x, sn_sink *sink) {
  char text[192];
  SN_TRY(put(sink, "<g font-family=\"sans-serif\" font-size=\"120\" fill=\"white\" "
                   "stroke=\"black\" stroke-width=\"25\" paint-order=\"stroke\" "
                   "text-anchor=\"middle\">\n"));
  for (int64_t i = 0; i < x->scene->ngeom; i++) {
    const sn_scene_geom *g = &x->scene->geom[i];
    float corner[3];
    if (!g->label || !*g->label || !drawing_project(x, g->pos, corner)) {
      continue;
    }
    snprintf(text, sizeof text, "<text x=\"%d\" y=\"%d\">", to_units(corner[0]),
             to_units(corner[1]));
    SN_TRY(put(sink, text));
    SN_TRY(put_escaped(sink, g->label));
    SN_TRY(put(sink, "</text>\n"));
  }
  return put(sink, "</g>\n</svg>\n");
}

static sn_status svg_write(const void *self, void *canvas, const sn_scene *scene, int32_t width,
                           int32_t height, const char *extension, sn_sink *sink, sn_error *error) {
  drawing x;
  sn_image image = { .size = sizeof image, .width = width, .height = height };
  (void)canvas, (void)extension;
  sn_status status = make(self, &x, scene, &image, error);
  status = status < 0 ? status : put_head(&x, sink);
  status = status < 0 ? status : put_faces(&x, sink);
  status = status < 0 ? status : put_labels(&x, sink);
  drawing_free(&x);
  return status;
}

static const sn_renderer_ops ops = {
  .head = { .size = sizeof(sn_renderer_ops),
            .summary = "vector images and pixels, without a graphics library",
            .create = sn_instance_create,
            .destroy = sn_instance_destroy },
  .extensions = ".svg",
  .open = svg_open,
  .close = sn_instance_unbind,
  .render = svg_render,
  .write = svg_write,
};

static const sn_provide provides[] = {
  SN_PROVIDE_RENDERER("svg", &ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "svg", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "vector images, without a graphics library", .provides = provides)
