// SPDX-License-Identifier: Apache-2.0
//
// A film is made by the program ffmpeg, which gets the pixels of each frame through a pipe. Frame k
// is the state at the time k / fps after the first one, or at the nearest step.

#include "film.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/runs/replay.h"
#include "tools/runs/simulate.h"

extern char **environ;

enum { DEFAULT_FPS = 30 };

int is_film(const char *path) {
  static const char *const endings[] = { ".mp4", ".webm", ".mkv", ".mov", ".gif" };
  const size_t n = path ? strlen(path) : 0;
  for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
    const size_t k = strlen(endings[i]);
    if (n > k && strcmp(path + n - k, endings[i]) == 0) {
      return 1;
    }
  }
  return 0;
}

typedef struct film {
  shown x;
  pid_t encoder;
  int pipe;   // to it
  int64_t fps, frame;
  double start, last, step;   // s: the time of frame 0, of the last state, a step
} film;

// ------------------------------------------------------------------ ffmpeg

static int start_encoder(film *f) {
  char size[32], rate[32];
  int ends[2];
  const options *o = f->x.o;
  const char *out = o->out;
  snprintf(size, sizeof size, "%dx%d", f->x.image.width, f->x.image.height);
  snprintf(rate, sizeof rate, "%lld", (long long)f->fps);
  const int is_gif = strcmp(out + strlen(out) - 4, ".gif") == 0;
  const char *arguments[] = { "ffmpeg",
                              "-hide_banner",
                              "-loglevel",
                              "error",
                              "-y",
                              "-f",
                              "rawvideo",
                              "-pix_fmt",
                              "rgb24",
                              "-s",
                              size,
                              "-r",
                              rate,
                              "-i",
                              "-",
                              "-pix_fmt",
                              is_gif ? "rgb8" : "yuv420p",
                              "-vf",
                              "crop=trunc(iw/2)*2:trunc(ih/2)*2",
                              out,
                              NULL };
  if (pipe(ends) != 0) {
    return report_text(o, NULL, 0, 0, "no pipe to ffmpeg: %s", strerror(errno));
  }
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], 0);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  const int wrong = posix_spawnp(&f->encoder, "ffmpeg", &actions, NULL,
                                 (char *const *)(uintptr_t)arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[0]);
  f->pipe = ends[1];
  if (wrong) {
    close(f->pipe);
    f->encoder = 0;
    return report_text(o, out, 0, 0,
                       "films need the program ffmpeg, which cannot be started: %s; install it (on "
                       "Debian: apt-get install ffmpeg), or write pictures",
                       strerror(wrong));
  }
  return DONE;
}

// status: that of the frames.
static int end_encoder(const film *f, int status) {
  int how = 0;
  if (!f->encoder) {
    return status;
  }
  close(f->pipe);
  while (waitpid(f->encoder, &how, 0) < 0 && errno == EINTR) {}
  if (status == DONE && (!WIFEXITED(how) || WEXITSTATUS(how) != 0)) {
    return report_text(f->x.o, f->x.o->out, 0, 0, "ffmpeg could not write the film");
  }
  return status;
}

static int write_frame(const film *f) {
  const uint8_t *p = f->x.image.rgb;
  size_t left = 3 * (size_t)f->x.image.width * (size_t)f->x.image.height;
  while (left > 0) {
    const ssize_t n = write(f->pipe, p, left);
    if (n < 0 && errno != EINTR) {
      return FAILED;
    }
    p += n > 0 ? n : 0;
    left -= n > 0 ? (size_t)n : 0;
  }
  return DONE;
}

// ------------------------------------------------------------------ frames

// All frames whose time has come: several, where steps are longer than frames.
static int add_frames(void *context, const sn_model *m, sn_data *d) {
  film *f = context;
  const double time = snd_time(d)[0], half = f->step / 2 * (1 - 1e-6);
  if (f->frame == 0 || time < f->last) {   // also after a reset of a run that diverged
    f->start = time - (double)f->frame / (double)f->fps;
  }
  f->last = time;
  const int status = shown_draw(&f->x, m, d);
  while (status == DONE && (double)f->frame / (double)f->fps < time - f->start + half) {
    if (write_frame(f) != DONE) {
      return report_text(f->x.o, f->x.o->out, 0, 0, "ffmpeg ended before the film");
    }
    f->frame++;
  }
  return status;
}

static int alloc_frame(film *f) {
  sn_image *image = &f->x.image;
  image->rgb = calloc((size_t)image->width * (size_t)image->height, 3);
  return image->rgb ? DONE
                    : report_text(f->x.o, NULL, 0, 0, "out of memory for a film of %d x %d pixels",
                                  image->width, image->height);
}

int film_make(const options *o) {
  film f = { .fps = o->fps ? o->fps : DEFAULT_FPS };
  replay p;
  int status = replay_open(&p, o, -1);
  status = status == DONE ? shown_open(&f.x, o, &p.s) : status;
  status = status == DONE ? alloc_frame(&f) : status;
  status = status == DONE ? start_encoder(&f) : status;
  void (*before)(int) = signal(SIGPIPE, SIG_IGN);   // where ffmpeg ends early, write says so
  if (status == DONE) {
    f.step = model_options(p.s.model).timestep;
    signals_catch();
    status = replay_run(&p, (double)f.fps, &f, add_frames);
  }
  status = end_encoder(&f, status);
  signal(SIGPIPE, before);
  if (status == DONE) {
    fprintf(report_stream(o), "%s: %lld frames, %g s\n", o->out, (long long)f.frame,
            (double)f.frame / (double)f.fps);
  }
  shown_close(&f.x);
  replay_close(&p);
  return status;
}
