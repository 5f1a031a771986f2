// SPDX-License-Identifier: Apache-2.0
//
// The files of the renderer `svg`: a scene becomes faces (faces.c), in pixels of the image; those
// fill arrays of pixels (raster.c, with the labels of label.c) or become paths (svg.c).

#ifndef SVG_SVG_H
#define SVG_SVG_H

#include "sinew/instance.h"
#include "sinew/renderer.h"

enum { CORNERS = 5 };   // of a quadrilateral that the near plane cuts

// A convex polygon in the image.
typedef struct face {
  int32_t n, geom;
  float corner[CORNERS][3];   // x to the right, y down, pixels; depth along the view, m
  float depth;                // the mean of the corners'
  float rgb[3], alpha;        // lit
  int32_t is_ground;          // of a plane seen from above: nothing is behind it
  int32_t is_visible;         // in some pixel, after raster_fill
} face;

typedef struct drawing {
  const sn_scene *scene;
  int32_t width, height;   // pixels
  float right[3], focal;   // of the camera; pixels
  face *face;              // n: the opaque ones first, then translucent ones; the farthest first
  int64_t n, nopaque, capacity;
  int failed;   // out of memory
} drawing;

// The faces of a scene. 0: out of memory. To be freed in any case.
int drawing_make(drawing *x, const sn_scene *scene, int32_t width, int32_t height);
void drawing_free(drawing *x);
// A point in the image, as a corner. 0: it is before the near plane.
int drawing_project(const drawing *x, const float *point, float *corner);
// The color of the sky in a row of the image, in the middle; black without a sky.
void drawing_sky(const drawing *x, float row, float *rgb);

// The color of a texture, 0 to 1: of a flat one at u, v, which repeat; of a cube, in a direction.
void texture_flat(const sn_scene_texture *t, float u, float v, float *rgb);
void texture_cube(const sn_scene_texture *t, const float *direction, float *rgb);

// Fills the arrays of the image, and marks the faces that are visible. 0: out of memory.
int raster_fill(drawing *x, sn_image *image);
// Writes the labels over the pixels.
void label_pixels(const drawing *x, uint8_t *rgb);

#endif
