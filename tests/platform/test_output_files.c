// SPDX-License-Identifier: Apache-2.0
//
// Files that are written: an old file is whole, or the new one is, whichever system call fails or
// is the last one of a killed process. The calls are this program's own, in front of the C
// library's.

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "default_engine.h"
#include "scenes.h"
#include "suite.h"
#include "temporary_folder.h"

// ------------------------------------------------------------------ system calls that fail

static int calls, fault_at, kills, no_nameless;   // fault_at 0: none
static int counting, spares_rename;

// 1 when this call is the one that fails; a killed process does not come back.
static int faulty(void) {
  if (!counting || ++calls != fault_at) {
    return 0;
  }
  if (kills) {
    kill(getpid(), SIGKILL);
  }
  errno = ENOSPC;
  return 1;
}

ssize_t write(int file, const void *bytes, size_t n) {
  if (faulty()) {
    return -1;
  }
  // half of it only, as a full disk or a signal would
  return syscall(SYS_write, file, bytes, counting && n > 1 ? n / 2 : n);
}

int fsync(int file) {
  return faulty() ? -1 : (int)syscall(SYS_fsync, file);
}

int linkat(int from, const char *old, int to, const char *new, int flags) {
  return faulty() ? -1 : (int)syscall(SYS_linkat, from, old, to, new, flags);
}

int rename(const char *old, const char *new) {
  return !spares_rename && faulty() ? -1
                                    : (int)syscall(SYS_renameat2, AT_FDCWD, old, AT_FDCWD, new, 0);
}

int open(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(list, int) : 0;
  va_end(list);
  if (no_nameless && (flags & O_TMPFILE) == O_TMPFILE) {
    errno = EOPNOTSUPP;   // as on a network file system
    return -1;
  }
  return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

// ------------------------------------------------------------------ a folder

static char path[96];
static const char old_text[] = "what was there\n";
static sn_model *model;
static sn_data *data;
static sn_spec *spec;
static sn_problems *problems;

static void write_text(const char *to, const char *text) {
  FILE *f = fopen(to, "w");
  ck_assert_ptr_nonnull(f);
  fputs(text, f);
  fclose(f);
}

static char *read_text(const char *from, size_t *n) {
  char *text = NULL;
  FILE *f = fopen(from, "r"), *sink = open_memstream(&text, n);
  ck_assert(f && sink);
  for (int c = getc(f); c != EOF; c = getc(f)) {
    putc(c, sink);
  }
  fclose(f);
  fclose(sink);
  return text;
}

static int is_old(void) {
  size_t n;
  char *text = read_text(path, &n);
  const int same = strcmp(text, old_text) == 0;
  free(text);
  return same;
}

// how many files the folder has
static int files_in_folder(void) {
  char command[128];
  int n = 0;
  snprintf(command, sizeof command, "ls -A %s | wc -l", folder);
  FILE *pipe = popen(command, "r");
  ck_assert(pipe && fscanf(pipe, "%d", &n) == 1);
  pclose(pipe);
  return n;
}

static void setup(void) {
  open_folder();
  snprintf(path, sizeof path, "%s/file", folder);
  open_engine();
  spec = sn_spec_load(engine, SAMPLE("stack"), NULL);
  model = sn_load(engine, SAMPLE("stack"), NULL);
  data = sn_data_new(model, NULL);
  problems = sn_problems_new(NULL);
  ck_assert(spec && data && problems && sn_forward(model, data) >= 0);
  ck_assert_int_ge(sn_problems_add(problems, model, data, NULL), 0);
  calls = fault_at = kills = no_nameless = counting = spares_rename = 0;
}

static void teardown(void) {
  close_folder();
  sn_problems_free(problems);
  sn_data_free(data);
  sn_model_free(model);
  sn_spec_free(spec);
  close_engine();
}

// ------------------------------------------------------------------ who writes

static sn_status save_model(void) {
  return sn_model_save(model, path, error);
}

static sn_status save_spec(void) {
  return sn_spec_save(spec, "mjcf", path, error);
}

static sn_status save_problems(void) {
  return sn_problems_save(problems, path, error);
}

static sn_status (*const writers[])(void) = { save_model, save_spec, save_problems };
enum { NWRITERS = sizeof writers / sizeof writers[0] };

static sn_status count_and(sn_status (*writer)(void)) {
  calls = 0;
  counting = 1;
  sn_status status = writer();
  counting = 0;
  return status;
}

// ------------------------------------------------------------------ faults

// Each writer, where the file system knows files without a name and where it does not.
START_TEST(failed_calls_keep_the_old_file) {
  sn_status (*writer)(void) = writers[_i / 2];
  no_nameless = _i % 2;
  fault_at = 0;
  ck_assert_int_ge(count_and(writer), 0);
  size_t n, m;
  char *good = read_text(path, &n);
  const int ncalls = calls;
  ck_assert_int_ge(ncalls, no_nameless ? 3 : 4);   // write, fsync, linkat, rename
  for (fault_at = 1; fault_at <= ncalls; fault_at++) {
    write_text(path, old_text);
    ck_assert_int_eq(count_and(writer), SN_EIO);
    ck_assert_msg(is_old(), "call %d of %d: the old file is not as it was", fault_at, ncalls);
    ck_assert_int_eq(files_in_folder(), 1);
    ck_assert_str_eq(sn_error_file(error), path);
    ck_assert_ptr_nonnull(strstr(sn_error_message(error), strerror(ENOSPC)));
  }
  // and where there is no old file, there is none afterwards
  for (fault_at = 1; fault_at <= ncalls; fault_at++) {
    unlink(path);
    ck_assert_int_eq(count_and(writer), SN_EIO);
    ck_assert_int_eq(files_in_folder(), 0);
  }
  ck_assert_int_ge(count_and(writer), 0);
  char *again = read_text(path, &m);
  ck_assert_uint_eq(m, n);
  ck_assert_mem_eq(again, good, n);
  free(again);
  free(good);
}
END_TEST

START_TEST(killed_processes_keep_the_old_file) {
  sn_status (*writer)(void) = writers[_i / 2];
  no_nameless = _i % 2;
  kills = 1;
  int killed = 1, n = 0;
  for (fault_at = 1; killed; fault_at++, n++) {
    write_text(path, old_text);
    pid_t child = fork();
    if (child == 0) {
      _exit(count_and(writer) < 0);
    }
    int status;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    killed = WIFSIGNALED(status);
    ck_assert(killed || WEXITSTATUS(status) == 0);
    ck_assert_msg(is_old() == killed, "killed at call %d: the old file is not as it was", fault_at);
  }
  ck_assert_int_ge(n, 4);
}
END_TEST

// A deep tree is several files: when the disk is full at any of them, all old ones stay.
START_TEST(parts_are_replaced_together) {
  static const char *const parts[] = { "deep.xml", "deep.part1.xml", "deep.part2.xml" };
  enum { NPARTS = sizeof parts / sizeof parts[0], DEPTH = 200 };
  sn_spec *deep = sn_spec_new(engine, error);
  for (int32_t i = 0; i < DEPTH; i++) {
    sn_body_def body;
    sn_default_body(&body);
    body.parent = i;
    OK(sn_spec_add_body(deep, &body, NULL, NULL, error));
  }
  char file[NPARTS][96];
  for (int i = 0; i < NPARTS; i++) {
    snprintf(file[i], sizeof file[i], "%s/%s", folder, parts[i]);
    write_text(file[i], old_text);
  }
  no_nameless = _i;
  spares_rename = 1;
  sn_status status = SN_EIO;
  for (fault_at = 1; status < 0; fault_at++) {
    calls = 0;
    counting = 1;
    status = sn_spec_save(deep, "mjcf", file[0], error);
    counting = 0;
    for (int i = 0; i < NPARTS; i++) {
      size_t n;
      char *text = read_text(file[i], &n);
      ck_assert_msg((strcmp(text, old_text) == 0) == (status < 0), "%s, call %d", parts[i],
                    fault_at);
      free(text);
    }
    ck_assert_int_eq(files_in_folder(), NPARTS);
  }
  ck_assert_int_gt(fault_at, 6);   // each is written, flushed
  sn_spec_free(deep);
}
END_TEST

// ------------------------------------------------------------------ what stays

START_TEST(permissions) {
  struct stat s;
  no_nameless = _i;
  umask(027);
  ck_assert_int_ge(save_model(), 0);
  ck_assert(stat(path, &s) == 0 && (s.st_mode & 0777) == 0640);
  ck_assert_int_eq(chmod(path, 0604), 0);
  ck_assert_int_ge(save_model(), 0);
  ck_assert(stat(path, &s) == 0 && (s.st_mode & 0777) == 0604);
}
END_TEST

START_TEST(symbolic_links_stay) {
  char link[96], target[128];
  snprintf(link, sizeof link, "%s/link", folder);
  write_text(path, old_text);
  ck_assert_int_eq(symlink("file", link), 0);
  ck_assert_int_ge(sn_model_save(model, link, NULL), 0);
  ssize_t n = readlink(link, target, sizeof target);
  ck_assert(n == 4 && memcmp(target, "file", 4) == 0);
  ck_assert(!is_old());
  // a link to nothing makes the file that it names; a failure leaves none
  unlink(path);
  fault_at = 1;
  counting = 1;
  calls = 0;
  ck_assert_int_eq(sn_model_save(model, link, NULL), SN_EIO);
  counting = 0;
  ck_assert_int_ne(access(path, F_OK), 0);
  ck_assert_int_ge(sn_model_save(model, link, NULL), 0);
  ck_assert_int_eq(access(path, F_OK), 0);
  ck_assert_int_eq(files_in_folder(), 2);
}
END_TEST

START_TEST(rejections_keep_the_old_file) {
  write_text(path, old_text);
  ck_assert_int_lt(sn_spec_save(spec, "urdf", path, error), 0);   // which writes no files
  ck_assert_ptr_nonnull(strstr(sn_error_message(error), "cannot write"));
  ck_assert(is_old());
  sn_output *output = sn_output_open(path, error);
  ck_assert_ptr_nonnull(output);
  sn_sink *sink = sn_output_sink(output);
  ck_assert_int_ge(sink->write(sink, "new", 3), 0);
  ck_assert_int_eq(sn_output_close(output, SN_ECOMPILE, error), SN_ECOMPILE);
  ck_assert(is_old());
  ck_assert_int_eq(files_in_folder(), 1);
  ck_assert_int_eq(sn_output_close(NULL, SN_EIO, NULL), SN_EIO);
}
END_TEST

// Only the owner may change the folder: the file is written in place, by who may change that.
START_TEST(folders_of_others) {
  if (geteuid() != 0) {
    return;   // only root can be somebody else for a while
  }
  write_text(path, old_text);
  ck_assert(chmod(folder, 0755) == 0 && chmod(path, 0666) == 0);
  ck_assert_int_eq(seteuid(65534), 0);
  sn_status allowed = save_model();
  char beside[96];
  snprintf(beside, sizeof beside, "%s/new", folder);
  sn_status forbidden = sn_model_save(model, beside, error);
  ck_assert_int_eq(seteuid(0), 0);
  ck_assert_int_ge(allowed, 0);
  ck_assert(!is_old());
  ck_assert_int_eq(forbidden, SN_EIO);
  ck_assert_ptr_nonnull(strstr(sn_error_message(error), strerror(EACCES)));
  // an old file that may not be written is not replaced, although the folder would allow it
  write_text(path, old_text);
  ck_assert(chmod(folder, 0777) == 0 && chmod(path, 0644) == 0);
  ck_assert_int_eq(seteuid(65534), 0);
  forbidden = save_model();
  ck_assert_int_eq(seteuid(0), 0);
  ck_assert_int_eq(forbidden, SN_EIO);
  ck_assert(is_old());
}
END_TEST

// In a folder with the sticky bit, like /tmp, a file of another user cannot be replaced, but it can
// be written by users who have the permission.
START_TEST(sticky_folders) {
  if (geteuid() != 0) {
    return;
  }
  write_text(path, old_text);
  ck_assert(chmod(folder, 01777) == 0 && chmod(path, 0666) == 0);
  ck_assert_int_eq(seteuid(65534), 0);
  sn_status allowed = save_model();
  ck_assert_int_eq(seteuid(0), 0);
  ck_assert_msg(allowed >= 0, "%s", sn_error_text(error));
  ck_assert(!is_old());
  ck_assert_int_eq(files_in_folder(), 1);
  struct stat s;
  ck_assert(stat(path, &s) == 0 && s.st_uid == 0);
}
END_TEST

// The text that a sink gets is that of the file, in one piece.
static sn_status compare_text(sn_sink *sink, const void *bytes, int64_t n) {
  const char **text = sink->context;
  ck_assert_int_eq(n, (int64_t)strlen(*text));
  ck_assert_mem_eq(bytes, *text, (size_t)n);
  *text = NULL;
  return SN_OK;
}

static sn_status reject_bytes(sn_sink *sink, const void *bytes, int64_t n) {
  (void)sink;
  (void)bytes;
  (void)n;
  return SN_EIO;
}

START_TEST(spec_to_a_sink) {
  size_t n;
  ck_assert_int_ge(save_spec(), 0);
  char *text = read_text(path, &n), *seen = text;
  sn_sink sink = { .size = sizeof sink, .context = &seen, .write = compare_text };
  OK(sn_spec_write(spec, "mjcf", &sink, error));
  ck_assert_ptr_null(seen);
  sink.write = reject_bytes;
  ck_assert_int_eq(sn_spec_write(spec, "mjcf", &sink, error), SN_EIO);
  ck_assert_int_eq(sn_spec_write(spec, "nonsense", &sink, error), SN_ENOTFOUND);
  free(text);
}
END_TEST

// ------------------------------------------------------------------ what is no regular file

START_TEST(special_files) {
  ck_assert_int_eq(sn_model_save(model, "/dev/full", error), SN_EIO);
  ck_assert_str_eq(sn_error_file(error), "/dev/full");
  ck_assert_ptr_nonnull(strstr(sn_error_message(error), strerror(ENOSPC)));
  ck_assert_int_eq(sn_model_save(model, folder, error), SN_EIO);
  ck_assert_ptr_nonnull(strstr(sn_error_message(error), strerror(EISDIR)));
  ck_assert_int_eq(sn_model_save(model, "/nowhere/at/all", error), SN_EIO);
  ck_assert_ptr_nonnull(strstr(sn_error_message(error), strerror(ENOENT)));
  ck_assert_int_eq(sn_model_save(model, "", error), SN_EIO);
  ck_assert_int_ge(sn_model_save(model, "/dev/null", NULL), 0);
  struct stat s;
  ck_assert(stat("/dev/null", &s) == 0 && S_ISCHR(s.st_mode));

  // a descriptor: what comes after goes behind
  int file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
  char name[32];
  snprintf(name, sizeof name, "/dev/fd/%d", file);
  ck_assert_int_eq((int)write(file, "before ", 7), 7);
  sn_output *output = sn_output_open(name, NULL);
  ck_assert_ptr_nonnull(output);
  ck_assert_int_ge(sn_output_sink(output)->write(sn_output_sink(output), "between ", 8), 0);
  ck_assert_int_ge(sn_output_close(output, SN_OK, NULL), 0);
  ck_assert_int_eq((int)write(file, "after", 5), 5);
  close(file);
  size_t n;
  char *text = read_text(path, &n);
  ck_assert_str_eq(text, "before between after");
  free(text);
}
END_TEST

START_TEST(fifo) {
  ck_assert_int_eq(mkfifo(path, 0600), 0);
  pid_t child = fork();
  if (child == 0) {
    _exit(save_model() < 0);
  }
  size_t n;
  free(read_text(path, &n));
  int status;
  ck_assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && !WEXITSTATUS(status));
  ck_assert_uint_gt(n, 1000);
  struct stat s;
  ck_assert(stat(path, &s) == 0 && S_ISFIFO(s.st_mode));

  // nothing waits for a FIFO to be written, where files are read
  ck_assert_ptr_null(sn_problems_load(path, error));
  ck_assert_ptr_nonnull(strstr(sn_error_message(error), "not a regular file"));
  ck_assert_ptr_null(sn_load(engine, path, error));
  ck_assert_ptr_nonnull(strstr(sn_error_message(error), "not a regular file"));
  ck_assert_ptr_null(sn_problems_load(folder, error));
  ck_assert_ptr_nonnull(strstr(sn_error_message(error), "a folder"));
  ck_assert_ptr_null(sn_problems_load("/nowhere/at/all", error));
  ck_assert_ptr_nonnull(strstr(sn_error_message(error), strerror(ENOENT)));
}
END_TEST

TESTS() {
  FIXTURE(setup, teardown);
  EACH(failed_calls_keep_the_old_file, 0, 2 * NWRITERS);
  EACH(killed_processes_keep_the_old_file, 0, 2 * NWRITERS);
  EACH(permissions, 0, 2);
  TEST(symbolic_links_stay);
  TEST(rejections_keep_the_old_file);
  TEST(folders_of_others);
  TEST(sticky_folders);
  EACH(parts_are_replaced_together, 0, 2);
  TEST(spec_to_a_sink);
  TEST(special_files);
  TEST(fifo);
}
