// SPDX-License-Identifier: Apache-2.0
//
// The part of mesh processor `png` that reads files: their pixels, 8 bits a channel, gray or red
// green blue. Gray from a file in colors is its red channel; deeper channels keep their upper 8
// bits; alpha is left out.

#include <stdio.h>
#include <stdlib.h>

#include "decode.h"
#include "sinew/mesh.h"

enum { LARGEST = 1 << 15 };   // pixels along a side; more is a mistake or an attack

static sn_status reject(const sn_host *host, sn_error *error, const char *name, unsigned code) {
  char text[160];
  snprintf(text, sizeof text, "the PNG file cannot be read: %s", png_reason(code));
  return host->error(host, error, SN_EPARSE, name, 0, 0, text);
}

static sn_status png_image(const void *self, const void *bytes, int64_t count, const char *name,
                           int64_t channels, sn_mesh_sink *sink, const sn_host *host,
                           sn_error *error) {
  (void)self;
  if (channels != 1 && channels != 3) {
    return host->error(host, error, SN_EINVAL, name, 0, 0, "pixels have 1 or 3 channels");
  }

  // the size first: a short file may claim a huge image
  unsigned width = 0, height = 0;
  unsigned code = png_size(bytes, (size_t)count, &width, &height);
  if (code) {
    return reject(host, error, name, code);
  }
  if (width > LARGEST || height > LARGEST) {
    return host->error(host, error, SN_EPARSE, name, 0, 0,
                       "the image has more than 32768 pixels along a side");
  }

  // what the decoder takes it takes by itself: four bytes a pixel at most, then the channels
  if (SN_HAS(sink, reserve) && sink->reserve) {
    sn_status capacity = sink->reserve(sink, (int64_t)width * height * (channels + 4), error);
    if (capacity < 0) {
      return capacity;
    }
  }

  unsigned char *pixels = NULL;
  code = png_decode(bytes, (size_t)count, (int)channels, &pixels, &width, &height);
  sn_status status = code ? reject(host, error, name, code)
                          : sink->pixels(sink, width, height, channels, pixels);
  free(pixels);
  return status;
}

static const sn_mesh_ops png_ops = {
  .head = { .size = sizeof(sn_mesh_ops), .summary = "pixels of PNG files" },
  .extensions = "",
  .images = "png",
  .image = png_image,
};

static const sn_provide provides[] = {
  SN_PROVIDE_MESH("png", &png_ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "png", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "images from PNG files", .provides = provides)
