// SPDX-License-Identifier: Apache-2.0
//
// Records what the window shows: the program ffmpeg gets the pixels of 30 frames a second through
// a socket, which, unlike a pipe, raises no signal where ffmpeg ends early.

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "parts.h"

extern char **environ;

enum { FPS = 30 };

static int spawn(film *f, int input) {
  char size[32], rate[16];
  pid_t pid = 0;
  snprintf(size, sizeof size, "%dx%d", f->width, f->height);
  snprintf(rate, sizeof rate, "%d", FPS);
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
                              "-vf",
                              "crop=trunc(iw/2)*2:trunc(ih/2)*2",
                              "-pix_fmt",
                              "yuv420p",
                              f->path,
                              NULL };
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, 0);
  const int wrong = posix_spawnp(&pid, "ffmpeg", &actions, NULL,
                                 (char *const *)(uintptr_t)arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  f->pid = wrong ? 0 : pid;
  return wrong;
}

static void start(sn_viewer *v) {
  film *f = &v->film;
  int ends[2];
  const float pixels = v->window.pixels;
  *f = (film){ .width = (int)(v->picture.width * pixels),
               .height = (int)(v->picture.height * pixels) };
  save_name(v, ".mp4", f->path, sizeof f->path);
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    viewer_complain(v, "no film: %s", strerror(errno));
    return;
  }
  const int wrong = spawn(f, ends[0]);
  close(ends[0]);
  f->pipe = ends[1];
  if (wrong) {
    close(f->pipe);
    viewer_complain(v,
                    "films need the program ffmpeg, which cannot be started: %s; install it (on "
                    "Debian: apt-get install ffmpeg)",
                    strerror(wrong));
    return;
  }
  f->next = viewer_now();
  viewer_say(v, "recording: %s; Ctrl+R ends the film", f->path);
}

static void stop(sn_viewer *v, const char *why) {
  film *f = &v->film;
  int how = 0;
  close(f->pipe);
  while (waitpid(f->pid, &how, 0) < 0 && errno == EINTR) {}
  f->pid = 0;
  if (!WIFEXITED(how) || WEXITSTATUS(how) != 0) {
    viewer_complain(v, "ffmpeg could not write the film '%s'", f->path);
  } else {
    viewer_say(v, "film: %s, %d frames%s", f->path, f->frames, why);
  }
}

static int send_all(int to, const uint8_t *p, size_t left) {
  while (left > 0) {
    const ssize_t n = send(to, p, left, MSG_NOSIGNAL);
    if (n < 0 && errno != EINTR) {
      return 0;
    }
    p += n > 0 ? n : 0;
    left -= n > 0 ? (size_t)n : 0;
  }
  return 1;
}

// All frames whose time has come: several, where drawing takes longer.
void film_add(sn_viewer *v) {
  film *f = &v->film;
  int width, height;
  const double now = viewer_now();
  if (!f->pid || now < f->next) {
    return;
  }
  uint8_t *rgb = save_pixels(v, &width, &height);
  int ok = rgb != NULL;
  if (width != f->width || height != f->height) {
    stop(v, "; it ends because the size of the picture changed");
    free(rgb);
    return;
  }
  for (; ok && f->next <= now; f->next += 1.0 / FPS) {
    ok = send_all(f->pipe, rgb, 3 * (size_t)width * (size_t)height);
    f->frames += ok;
  }
  free(rgb);
  if (!ok) {
    stop(v, "; it ended early");
  }
}

void film_toggle(sn_viewer *v, int32_t unused) {
  (void)unused;
  if (v->film.pid) {
    stop(v, "");
  } else if (v->picture.frames > 0) {
    start(v);
  }
}

void film_close(sn_viewer *v) {
  if (v->film.pid) {
    stop(v, "");
  }
}
