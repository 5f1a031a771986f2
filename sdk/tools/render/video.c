// SPDX-License-Identifier: Apache-2.0
//
// Frame k of a video is the state at the time k / fps after the first one, or at the nearest step.

#include "video.h"

#include <stdlib.h>

#include "encoder.h"
#include "tools/runs/replay.h"
#include "tools/runs/simulate.h"

enum { DEFAULT_FPS = 30 };

int is_video(const char *path) {
  return path && encoder_format(path) != NULL;
}

typedef struct video {
  shown x;
  encoder encoder;
  int64_t fps, frame;
  double start, last, step;   // s: the time of frame 0, of the last state, a step
} video;

// ------------------------------------------------------------------ frames

// All frames whose time has come: several, where steps are longer than frames.
static int add_frames(void *context, const sn_model *m, sn_data *d) {
  video *f = context;
  const double time = snd_time(d)[0], half = f->step / 2 * (1 - 1e-6);
  if (f->frame == 0 || time < f->last) {   // also after a reset of a run that diverged
    f->start = time - (double)f->frame / (double)f->fps;
  }
  f->last = time;
  const int status = shown_draw(&f->x, m, d);
  while (status == DONE && (double)f->frame / (double)f->fps < time - f->start + half) {
    if (!encoder_add(&f->encoder, f->x.image.rgb, f->x.image.width, f->x.image.height)) {
      return report_text(f->x.o, f->x.o->out, 0, 0, "ffmpeg ended before the video");
    }
    f->frame++;
  }
  return status;
}

static int alloc_frame(video *f) {
  sn_image *image = &f->x.image;
  image->rgb = calloc((size_t)image->width * (size_t)image->height, 3);
  return image->rgb ? DONE
                    : report_text(f->x.o, NULL, 0, 0, "out of memory for a video of %d x %d pixels",
                                  image->width, image->height);
}

static int check_video(const video *f) {
  const options *o = f->x.o;
  int width = f->x.image.width, height = f->x.image.height;
  encoder_size(o->out, &width, &height);
  if (width == 0 || height == 0) {
    return usage_error(o->command,
                       "--size: a video such as %s is at least 2x2 pixels; '%s' is less", o->out,
                       o->size);
  }
  if (f->fps > encoder_most_fps(o->out)) {
    return usage_error(o->command, "--fps: a video such as %s has at most %d frames a second",
                       o->out, encoder_most_fps(o->out));
  }
  if (width < f->x.image.width || height < f->x.image.height) {
    warn(o, "%s: videos of this format have even sizes: %d x %d pixels, the last %s left out",
         o->out, width, height,
         width == f->x.image.width    ? "row is"
         : height == f->x.image.height ? "column is"
                                       : "column and row are");
  }
  return DONE;
}

static int start_video(video *f, sn_error *error) {
  const char *wrong = encoder_start(&f->encoder, f->x.o->out, f->x.image.width, f->x.image.height,
                                    (int)f->fps, error);
  return wrong ? report_text(f->x.o, NULL, 0, 0, "%s", wrong) : DONE;
}

int video_make(const options *o) {
  video f = { .fps = o->fps ? o->fps : DEFAULT_FPS };
  replay p;
  int status = replay_open(&p, o, -1);
  status = status == DONE ? shown_open(&f.x, o, &p.s) : status;
  status = status == DONE ? check_video(&f) : status;
  status = status == DONE ? alloc_frame(&f) : status;
  signals_catch();   // an interrupted video ends there
  status = status == DONE ? start_video(&f, p.s.error) : status;
  if (status == DONE) {
    f.step = model_options(p.s.model).timestep;
    status = replay_run(&p, (double)f.fps, &f, add_frames);
  }
  const char *wrong = encoder_end(&f.encoder, status == DONE, p.s.error);
  if (wrong && status == DONE) {
    status = report_text(o, NULL, 0, 0, "%s", wrong);
  }
  if (status == DONE) {
    fprintf(report_stream(o), "%s: %lld frame%s, %g s%s\n", o->out, (long long)f.frame,
            f.frame == 1 ? "" : "s", (double)f.frame / (double)f.fps,
            signals_came() ? ", interrupted" : "");
  }
  shown_close(&f.x);
  replay_close(&p);
  return status;
}
