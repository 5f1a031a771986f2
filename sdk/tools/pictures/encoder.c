// SPDX-License-Identifier: Apache-2.0
//
// ffmpeg gets the pixels through a socket, which, unlike a pipe, raises no signal where it ends
// early. It is in a process group of its own: Ctrl-C, which a terminal sends to all of a group,
// ends the frames, and ffmpeg completes the file.

#include "encoder.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

#define EVEN "crop=trunc(iw/2)*2:trunc(ih/2)*2"

static int is_gif(const char *path) {
  const size_t n = strlen(path);
  return n > 4 && strcasecmp(path + n - 4, ".gif") == 0;
}

// colors of half the resolution need even sizes
void encoder_size(const char *path, int *width, int *height) {
  const int unit = is_gif(path) ? 1 : 2;
  *width -= *width % unit;
  *height -= *height % unit;
}

int encoder_most_fps(const char *path) {
  return is_gif(path) ? 50 : 10000;   // programs show frames of less than 0.02 s slowly
}

// clang-format off
static int spawn(encoder *e, int input, const char *path, const char *size, const char *rate) {
  char file[4200];
  const int gif = is_gif(path);
  snprintf(file, sizeof file, "file:%s", path);   // neither an option nor another protocol
  const char *arguments[] = {
    "ffmpeg", "-hide_banner", "-loglevel", "error", "-y",
    "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", size, "-r", rate, "-i", "-",
    "-pix_fmt", gif ? "rgb8" : "yuv420p", "-vf", gif ? "null" : EVEN, file, NULL
  };
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, 0);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  const int wrong = posix_spawnp(&e->process, "ffmpeg", &actions, &attributes,
                                 (char *const *)(uintptr_t)arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return wrong;
}
// clang-format on

int encoder_start(encoder *e, const char *path, int width, int height, int fps) {
  char size[32], rate[16];
  int ends[2];
  *e = (encoder){ 0 };
  snprintf(size, sizeof size, "%dx%d", width, height);
  snprintf(rate, sizeof rate, "%d", fps);
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return errno;
  }
  const int wrong = spawn(e, ends[0], path, size, rate);
  close(ends[0]);
  if (wrong) {
    close(ends[1]);
    e->process = 0;
    return wrong;
  }
  e->input = ends[1];
  return 0;
}

int encoder_add(const encoder *e, const uint8_t *rgb, int width, int height) {
  size_t left = 3 * (size_t)width * (size_t)height;
  while (left > 0) {
    const ssize_t n = send(e->input, rgb, left, MSG_NOSIGNAL);
    if (n < 0 && errno != EINTR) {
      return 0;
    }
    rgb += n > 0 ? n : 0;
    left -= n > 0 ? (size_t)n : 0;
  }
  return 1;
}

int encoder_end(encoder *e) {
  int how = 0;
  if (!e->process) {
    return 1;
  }
  close(e->input);
  while (waitpid(e->process, &how, 0) < 0 && errno == EINTR) {}
  e->process = 0;
  return WIFEXITED(how) && WEXITSTATUS(how) == 0;
}
