// SPDX-License-Identifier: Apache-2.0
//
// A film is made by the program ffmpeg, which gets the pixels of each frame through a pipe. Frame k
// is the state at the time k / fps, or at the nearest step.

#include "film.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

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
  shown *x;
  pid_t encoder;
  int pipe;   // to it
  int64_t fps, frame;
  double step;   // s
  int status;
} film;

// ------------------------------------------------------------------ ffmpeg

static int start_encoder(film *f, const session *s) {
  char size[32], rate[32];
  int ends[2];
  const char *out = s->o->out;
  snprintf(size, sizeof size, "%dx%d", f->x->image.width, f->x->image.height);
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
    return report_text(s->o, NULL, 0, 0, "no pipe to ffmpeg: %s", strerror(errno));
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
    return report_text(s->o, out, 0, 0,
                       "films need the program ffmpeg, which cannot be started: %s; install it (on "
                       "Debian: apt-get install ffmpeg), or write pictures",
                       strerror(wrong));
  }
  return DONE;
}

static int end_encoder(film *f, const session *s) {
  int how = 0;
  if (!f->encoder) {
    return FAILED;
  }
  close(f->pipe);
  while (waitpid(f->encoder, &how, 0) < 0 && errno == EINTR) {}
  if (f->status == DONE && (!WIFEXITED(how) || WEXITSTATUS(how) != 0)) {
    return report_text(s->o, s->o->out, 0, 0, "ffmpeg could not write the film");
  }
  return f->status;
}

static int write_frame(const film *f) {
  const uint8_t *p = f->x->image.rgb;
  size_t left = 3 * (size_t)f->x->image.width * (size_t)f->x->image.height;
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

static int64_t step_of(const film *f, int64_t frame) {
  return llround((double)frame / (double)f->fps / f->step);
}

static int64_t next_frame(void *context, int64_t step) {
  const film *f = context;
  const int64_t at = step_of(f, f->frame);
  return at > step ? at : step;
}

// All frames whose time has come: several, where steps are longer than frames.
static int add_frames(void *context, session *s, int64_t step) {
  film *f = context;
  const sn_status status = sn_forward(s->model, s->data);
  f->status = status < 0 ? report_data(s->o, s->data, status) : shown_draw(f->x, s);
  while (f->status == DONE && step_of(f, f->frame) <= step) {
    if (write_frame(f) != DONE) {
      f->status = report_text(s->o, s->o->out, 0, 0, "ffmpeg ended before the film");
    }
    f->frame++;
  }
  return f->status == DONE;
}

int film_make(shown *x, session *s) {
  film f = { .x = x, .fps = s->o->fps ? s->o->fps : DEFAULT_FPS };
  summary sum = { 0 };
  int status = session_steps(s, -1, -1, &sum.planned);
  f.step = model_options(s->model).timestep;
  if (status != DONE) {
    return status;
  }
  status = start_encoder(&f, s);
  if (status != DONE) {
    return status;
  }
  signal(SIGPIPE, SIG_IGN);   // where ffmpeg ends early, write says so
  signals_catch();
  if (add_frames(&f, s, 0)) {
    const plan p = { .context = &f, .next = next_frame, .observe = add_frames };
    status = simulate(s, &sum, &p);
    f.status = f.status == DONE ? status : f.status;
  }
  status = end_encoder(&f, s);
  if (status == DONE) {
    note(s->o, "%s: %lld frames, %g s", s->o->out, (long long)f.frame, sum.simulated);
  }
  return status;
}
