// SPDX-License-Identifier: Apache-2.0
//
// ffmpeg gets the pixels through a socket, which, unlike a pipe, raises no signal where it ends
// early.

#include "encoder.h"

#include <errno.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

// clang-format off
static int spawn(encoder *e, int input, const char *path, const char *size, const char *rate) {
  char file[4200];
  const size_t n = strlen(path);
  const int is_gif = n > 4 && strcmp(path + n - 4, ".gif") == 0;
  snprintf(file, sizeof file, "file:%s", path);   // neither an option nor another protocol
  const char *arguments[] = {
    "ffmpeg", "-hide_banner", "-loglevel", "error", "-y",
    "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", size, "-r", rate, "-i", "-",
    "-pix_fmt", is_gif ? "rgb8" : "yuv420p", "-vf", "crop=trunc(iw/2)*2:trunc(ih/2)*2", file, NULL
  };
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input, 0);
  const int wrong = posix_spawnp(&e->process, "ffmpeg", &actions, NULL,
                                 (char *const *)(uintptr_t)arguments, environ);
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
