// SPDX-License-Identifier: Apache-2.0
//
// ffmpeg gets the pixels through a socket, which, unlike a pipe, raises no signal where it ends
// early. It is in a process group of its own: Ctrl-C, which a terminal sends to all of a group,
// ends the frames, and ffmpeg completes the file.
//
// ffmpeg writes into a file without a name, as most formats need one in which it can go back. Once
// it is complete it is copied to where it belongs, which has the old video until then.

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

static const struct {
  const char *ending, *format;
} formats[] = { { ".mp4", "mp4" },
                { ".webm", "webm" },
                { ".mkv", "matroska" },
                { ".mov", "mov" },
                { ".gif", "gif" } };

const char *encoder_format(const char *path) {
  const size_t n = strlen(path);
  for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
    const size_t k = strlen(formats[i].ending);
    if (n > k && strcasecmp(path + n - k, formats[i].ending) == 0) {
      return formats[i].format;
    }
  }
  return NULL;
}

static int is_gif(const char *path) {
  const char *format = encoder_format(path);
  return format && strcmp(format, "gif") == 0;
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
  char file[64];
  const int gif = is_gif(path);
  snprintf(file, sizeof file, "/proc/%d/fd/%d", (int)getpid(), fileno(e->made));
  const char *arguments[] = {
    "ffmpeg", "-hide_banner", "-loglevel", "error", "-y",
    "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", size, "-r", rate, "-i", "-",
    "-pix_fmt", gif ? "rgb8" : "yuv420p", "-vf", gif ? "null" : EVEN,
    "-f", encoder_format(path), file, NULL
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

static int start(encoder *e, const char *path, int width, int height, int fps) {
  char size[32], rate[16];
  int ends[2];
  snprintf(size, sizeof size, "%dx%d", width, height);
  snprintf(rate, sizeof rate, "%d", fps);
  e->made = tmpfile();
  if (!e->made || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
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

static void forget(encoder *e) {
  if (e->made) {
    fclose(e->made);
  }
  e->made = NULL;
  e->output = NULL;
}

const char *encoder_start(encoder *e, const char *path, int width, int height, int fps,
                          sn_error *error) {
  *e = (encoder){ .output = sn_output_open(path, error) };
  if (!e->output) {
    return sn_error_text(error);
  }
  const int wrong = start(e, path, width, height, fps);
  if (!wrong) {
    return NULL;
  }
  sn_output_close(e->output, SN_EIO, error);
  forget(e);
  snprintf(e->message, sizeof e->message,
           "videos need the program ffmpeg, which cannot be started: %s; install it (on Debian: "
           "apt-get install ffmpeg), or write images",
           strerror(wrong));
  return e->message;
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

// False: it cannot be read. The output remembers a write that failed.
static int copy(FILE *from, sn_sink *to) {
  char bytes[1 << 14];
  size_t n;
  while ((n = fread(bytes, 1, sizeof bytes, from)) > 0 && to->write(to, bytes, (int64_t)n) >= 0) {}
  return !ferror(from);
}

const char *encoder_end(encoder *e, int is_whole, sn_error *error) {
  int how = 0;
  if (!e->process) {
    return NULL;
  }
  close(e->input);
  while (waitpid(e->process, &how, 0) < 0 && errno == EINTR) {}
  e->process = 0;
  const char *wrong = NULL;
  if (!WIFEXITED(how) || WEXITSTATUS(how) != 0) {
    wrong = "ffmpeg could not make the video";
  } else if (is_whole && !copy(e->made, sn_output_sink(e->output))) {
    wrong = "the video cannot be copied to its place";
  }
  const sn_status status = is_whole && !wrong ? SN_OK : SN_EIO;
  if (sn_output_close(e->output, status, error) < 0 && status >= 0) {
    wrong = sn_error_text(error);
  }
  forget(e);
  return wrong;
}
