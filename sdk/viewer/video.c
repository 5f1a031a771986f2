// SPDX-License-Identifier: Apache-2.0
//
// Records what the window shows, 30 frames a second.

#include <stdlib.h>

#include "parts.h"

enum { FPS = 30 };

static void start(sn_viewer *v) {
  video *f = &v->video;
  const float pixels = v->window.pixels;
  int width, height;
  *f = (video){ .width = (int)(v->image.width * pixels),
                .height = (int)(v->image.height * pixels) };
  save_name(v, ".mp4", f->path, sizeof f->path);
  const char *wrong = encoder_start(&f->encoder, f->path, f->width, f->height, FPS, v->error);
  if (wrong) {
    viewer_complain(v, "no video: %s", wrong);
    return;
  }
  f->next = viewer_now();
  width = f->width;
  height = f->height;
  encoder_size(f->path, &width, &height);
  viewer_say(v, "recording: %s, %d x %d pixels; Ctrl+R ends the video", f->path, width, height);
}

static void stop(sn_viewer *v, const char *why) {
  video *f = &v->video;
  const char *wrong = encoder_end(&f->encoder, 1, v->error);
  if (wrong) {
    viewer_complain(v, "no video: %s", wrong);
  } else {
    viewer_say(v, "video: %s, %d frame%s%s", f->path, f->frames, f->frames == 1 ? "" : "s", why);
  }
}

// All frames whose time has come: several, where drawing takes longer.
void video_add(sn_viewer *v) {
  video *f = &v->video;
  int width, height;
  const double now = viewer_now();
  if (!f->encoder.process || now < f->next) {
    return;
  }
  uint8_t *rgb = save_pixels(v, &width, &height);
  int ok = rgb != NULL;
  if (width != f->width || height != f->height) {
    stop(v, "; it ends because the size of the image changed");
    free(rgb);
    return;
  }
  for (; ok && f->next <= now; f->next += 1.0 / FPS) {
    ok = encoder_add(&f->encoder, rgb, width, height);
    f->frames += ok;
  }
  free(rgb);
  if (!ok) {
    stop(v, "; it ended early");
  }
}

void video_toggle(sn_viewer *v, int32_t unused) {
  (void)unused;
  if (v->video.encoder.process) {
    stop(v, "");
  } else if (v->image.frames > 0) {
    start(v);
  }
}

void video_close(sn_viewer *v) {
  if (v->video.encoder.process) {
    stop(v, "");
  }
}
