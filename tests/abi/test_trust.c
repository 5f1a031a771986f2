// SPDX-License-Identifier: Apache-2.0
//
// Whose files are run: a plugin, the folders above it and the libraries that it brings are accepted
// when no other user can change them. Each test has a folder of its own in /tmp, which everybody
// may write and which has the sticky bit. What needs other users runs as root only.

#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "abi/objects.h"
#include "host/engine.h"
#include "platform/trust.h"
#include "suite.h"

enum { STRANGER = 12345 };

static sn_error *error;

static void set_up(void) {
  umask(022);
  open_folder();
  ck_assert_int_eq(chmod(folder, 0755), 0);
  error = sn_error_new();
}

static void tear_down(void) {
  close_folder();
  sn_error_free(error);
}

static void copy_file(const char *from, const char *name, mode_t mode) {
  copy_part(from, name, -1);
  ck_assert_int_eq(chmod(in_folder(name), mode), 0);
}

static void make_folder(const char *name) {
  ck_assert_int_eq(mkdir(in_folder(name), 0755), 0);
}

static void copy_object(const char *object, const char *name) {
  char from[512];
  snprintf(from, sizeof from, OBJECTS "%s", object);
  copy_file(from, name, 0644);
}

// The status of loading it into an engine with nothing else; the error has the reason.
static sn_status load(const char *name) {
  si_error_clear(error);
  sn_engine *engine = sn_engine_open("", error);
  ck_assert_ptr_nonnull(engine);
  sn_status status = sn_engine_load_plugin(engine, "victim", in_folder(name), error);
  sn_engine_close(engine);
  return status;
}

static void accept(const char *name) {
  ck_assert_msg(load(name) == SN_OK, "%s", sn_error_text(error));
}

static void reject(const char *name, const char *reason, const char *culprit) {
  ck_assert_msg(load(name) == SN_EPLUGIN, "%s was accepted, where '%s' was expected", name, reason);
  ck_assert_msg(strstr(sn_error_message(error), reason) != NULL, "wanted '%s', got '%s'", reason,
                sn_error_text(error));
  ck_assert_msg(strstr(sn_error_message(error), culprit) != NULL, "wanted '%s', got '%s'", culprit,
                sn_error_text(error));
}

// Runs `body` as this user in a process of its own; true when it returned 1.
static int as_user(uid_t uid, gid_t gid, int (*body)(void)) {
  pid_t child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0) {
    const int changed = setgroups(0, NULL) == 0 && setgid(gid) == 0 && setuid(uid) == 0;
    _exit(changed && body() ? 0 : 1);
  }
  int status;
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// ------------------------------------------------------------------ folders

START_TEST(folders_up_to_the_root_are_checked) {
  make_folder("a");
  make_folder("a/b");
  make_folder("a/b/c");
  copy_object("good.so", "a/b/c/good.so");
  ck_assert_int_eq(symlink(in_folder("a/b"), in_folder("link")), 0);
  accept("a/b/c/good.so");
  accept("link/c/good.so");

  ck_assert_int_eq(chmod(in_folder("a"), 0777), 0);
  reject("a/b/c/good.so", "other users can write in the folder", in_folder("a "));
  reject("link/c/good.so", "other users can write in the folder", in_folder("a "));
  ck_assert_int_eq(chmod(in_folder("a"), 0775), 0);
  ck_assert_int_eq(chown(in_folder("a"), (uid_t)-1, geteuid() == 0 ? STRANGER : (gid_t)-1), 0);
  if (geteuid() == 0) {
    reject("a/b/c/good.so", "other users can write in the folder", in_folder("a "));
  }

  // the sticky bit keeps others from replacing what is ours
  ck_assert_int_eq(chmod(in_folder("a"), 01777), 0);
  accept("a/b/c/good.so");
  ck_assert_int_eq(chmod(in_folder("a"), 0755), 0);
  if (geteuid() == 0) {
    ck_assert_int_eq(chown(in_folder("a"), STRANGER, STRANGER), 0);
    reject("a/b/c/good.so", "belongs to another user (uid 12345)", in_folder("a "));
    ck_assert_int_eq(chown(in_folder("a"), 0, 0) | chown(in_folder("a/b"), STRANGER, 0), 0);
    ck_assert_int_eq(chmod(in_folder("a"), 01777), 0);
    reject("a/b/c/good.so", "belongs to another user (uid 12345)", in_folder("a/b "));
  }
}
END_TEST

START_TEST(file_in_a_sticky_folder_is_the_owners) {
  make_folder("open");
  ck_assert_int_eq(chmod(in_folder("open"), 01777), 0);
  copy_object("good.so", "open/good.so");
  accept("open/good.so");
  if (geteuid() == 0) {
    ck_assert_int_eq(chown(in_folder("open/good.so"), STRANGER, STRANGER), 0);
    reject("open/good.so", "belongs to another user", "good.so");
  }
}
END_TEST

// Whether p/sinew, a copy of the command, rejects a file.
static int command_rejects(const char *file) {
  char command[512], told[4096];
  snprintf(command, sizeof command, "LD_LIBRARY_PATH=%s %s/p/sinew plugins check %s/%s 2>&1",
           SN_TEST_BUILD, folder, folder, file);
  FILE *output = popen(command, "r");
  ck_assert_ptr_nonnull(output);
  told[fread(told, 1, sizeof told - 1, output)] = '\0';
  pclose(output);
  const int rejected = strstr(told, "is rejected") != NULL;
  ck_assert_msg(rejected || strstr(told, "requirements met") != NULL, "%s", told);
  return rejected;
}

// Who can write in the folder of the program can replace the program: its plugins are no further
// danger.
START_TEST(folders_of_the_program_itself_are_not_judged) {
  make_folder("p");
  make_folder("p/plugins");
  make_folder("elsewhere");
  copy_file(SN_TEST_BUILD "/sinew", "p/sinew", 0755);
  copy_object("good.so", "p/plugins/good.so");
  copy_object("good.so", "elsewhere/good.so");
  ck_assert_int_eq(chmod(in_folder("p"), 0777) | chmod(in_folder("elsewhere"), 0777), 0);
  ck_assert(!command_rejects("p/plugins/good.so"));
  ck_assert(command_rejects("elsewhere/good.so"));
}
END_TEST

// ------------------------------------------------------------------ groups

// A row of the accounts whose group has its name and no other member; NULL: there is none.
static const struct passwd *user_with_private_group(void) {
  const struct passwd *user;
  setpwent();
  while ((user = getpwent())) {
    const struct group *group = getgrgid(user->pw_gid);
    if (user->pw_uid != 0 && group && strcmp(group->gr_name, user->pw_name) == 0 &&
        !group->gr_mem[0]) {
      break;
    }
  }
  return user;
}

static int loads(void) {
  return load("home/good.so") == SN_OK;
}

static void give(const char *name, uid_t uid, gid_t gid, mode_t mode) {
  ck_assert_int_eq(chown(in_folder(name), uid, gid), 0);
  ck_assert_int_eq(chmod(in_folder(name), mode), 0);
}

START_TEST(private_groups_are_the_user) {
  const struct passwd *user = geteuid() == 0 ? user_with_private_group() : NULL;
  if (!user) {
    return;
  }
  const uid_t uid = user->pw_uid;
  const gid_t gid = user->pw_gid;
  make_folder("home");
  copy_object("good.so", "home/good.so");
  give("home", uid, gid, 0775);
  give("home/good.so", uid, gid, 0664);
  ck_assert_msg(as_user(uid, gid, loads), "files of umask 002 are rejected");

  // a group with other members, and everybody
  give("home/good.so", uid, STRANGER, 0664);
  ck_assert(!as_user(uid, gid, loads));
  give("home/good.so", uid, gid, 0666);
  ck_assert(!as_user(uid, gid, loads));
  give("home/good.so", uid, gid, 0664);
  give("home", uid, STRANGER, 0775);
  ck_assert(!as_user(uid, gid, loads));

  // no other user is in that group, nor is root
  give("home", uid, gid, 0775);
  give("home/good.so", 0, gid, 0664);
  ck_assert(as_user(uid, gid, loads));
  ck_assert(!as_user(STRANGER, STRANGER, loads));
  reject("home/good.so", "belongs to another user", in_folder("home "));
}
END_TEST

// Rows of accounts: is group 1000 the primary group of another user than 1000?
static int shared_in(const char *rows) {
  FILE *accounts = fmemopen((void *)(uintptr_t)rows, strlen(rows), "r");
  ck_assert_ptr_nonnull(accounts);
  const int shared = si_trust_group_is_shared(accounts, 1000, 1000);
  fclose(accounts);
  return shared;
}

START_TEST(accounts_are_read_to_the_end) {
  static char rows[100000];
  ck_assert(!shared_in("root:x:0:0:root:/root:/bin/sh\nme:x:1000:1000::/home/me:/bin/sh\n"));
  ck_assert(shared_in("me:x:1000:1000::/home/me:/bin/sh\nyou:x:1001:1000::/home/you:/bin/sh\n"));
  ck_assert(shared_in("you:x:1001:1000::/home/you:/bin/sh"));
  ck_assert(!shared_in("+::::::\n:::\nyou\nyou:x:1001\nyou:x:1001:10000::/:/bin/sh\n"));

  // a user after a row that is longer than the buffers of getpwent_r
  int n = snprintf(rows, sizeof rows, "long:x:1002:1002:");
  memset(rows + n, 'x', 70000);
  snprintf(rows + n + 70000, 200, ":/home/long:/bin/sh\nyou:x:1001:1000::/home/you:/bin/sh\n");
  ck_assert(shared_in(rows));
  memcpy(strstr(rows, "you:x:1001:1000"), "you:x:1001:1001", 15);
  ck_assert(!shared_in(rows));

  // what cannot be read
  FILE *closed = fopen("/dev/null", "w");
  ck_assert_ptr_nonnull(closed);
  ck_assert(si_trust_group_is_shared(closed, 1000, 1000));
  fclose(closed);
}
END_TEST

START_TEST(access_control_lists_are_other_users) {
  // version 2; owner rw, user 12345 rw, group r, mask rw, others r: the mode is 0664
  const uint16_t short_of[5][2] = { { 1, 6 }, { 2, 6 }, { 4, 4 }, { 0x10, 6 }, { 0x20, 4 } };
  const struct passwd *user = geteuid() == 0 ? user_with_private_group() : NULL;
  uint8_t list[4 + 5 * 8] = { 2 };
  if (!user) {
    return;
  }
  for (int i = 0; i < 5; i++) {
    const uint32_t id = short_of[i][0] == 2 ? STRANGER : UINT32_MAX;
    memcpy(list + 4 + 8 * i, short_of[i], 4);
    memcpy(list + 8 + 8 * i, &id, 4);
  }
  make_folder("home");
  copy_object("good.so", "home/good.so");
  give("home", user->pw_uid, user->pw_gid, 0775);
  give("home/good.so", user->pw_uid, user->pw_gid, 0664);
  if (setxattr(in_folder("home/good.so"), "system.posix_acl_access", list, sizeof list, 0) != 0) {
    return;   // a file system without them
  }
  struct stat s;
  ck_assert_int_eq(stat(in_folder("home/good.so"), &s), 0);
  ck_assert_uint_eq(s.st_mode & 0777, 0664);
  ck_assert(!as_user(user->pw_uid, user->pw_gid, loads));
}
END_TEST

// ------------------------------------------------------------------ a namespace

static int write_map(const char *file, unsigned id) {
  char line[64];
  const int n = snprintf(line, sizeof line, "%u %u 1\n", id, id);
  int d = open(file, O_WRONLY);
  const int done = d >= 0 && write(d, line, (size_t)n) == n;
  if (d >= 0) {
    close(d);
  }
  return done;
}

// Where only this user is known, root, who owns / and /tmp, is not.
static int loads_in_namespace(void) {
  return unshare(CLONE_NEWUSER) != 0 || !write_map("/proc/self/uid_map", STRANGER) || loads();
}

START_TEST(owners_outside_of_a_namespace) {
  if (geteuid() != 0) {
    return;
  }
  make_folder("home");
  copy_object("good.so", "home/good.so");
  give("home/good.so", STRANGER, STRANGER, 0644);
  give("home", STRANGER, STRANGER, 0755);
  ck_assert(as_user(STRANGER, STRANGER, loads_in_namespace));
}
END_TEST

// ------------------------------------------------------------------ libraries

static const char *const bringing[] = { "brings", "brings_old" };

START_TEST(libraries_are_checked_like_the_plugin) {
  char object[64];
  snprintf(object, sizeof object, "%s.so", bringing[_i]);
  make_folder("lib");
  copy_object(object, "brings.so");
  copy_object("libbrought.so", "lib/libbrought.so");
  copy_object("libdeeper.so", "lib/libdeeper.so");

  ck_assert_int_eq(chmod(in_folder("lib/libbrought.so"), 0666), 0);
  reject("brings.so", "needs the library libbrought.so", "other users can write it");
  ck_assert_int_eq(chmod(in_folder("lib/libbrought.so"), 0644), 0);
  ck_assert_int_eq(chmod(in_folder("lib"), 0777), 0);
  reject("brings.so", "needs the library libbrought.so", in_folder("lib and"));
  ck_assert_int_eq(chmod(in_folder("lib"), 0755), 0);

  // the library of the library
  ck_assert_int_eq(chmod(in_folder("lib/libdeeper.so"), 0646), 0);
  reject("brings.so", "needs the library libdeeper.so", "other users can write it");
  ck_assert_int_eq(chmod(in_folder("lib/libdeeper.so"), 0644), 0);
  copy_file("/dev/null", "lib/libdeeper.so", 0644);
  reject("brings.so", "needs the library libdeeper.so", "not a shared object");
  copy_object("libdeeper.so", "lib/libdeeper.so");
  accept("brings.so");
}
END_TEST

START_TEST(missing_libraries_cannot_be_put_there) {
  make_folder("lib");
  copy_object("brings.so", "brings.so");
  ck_assert_int_eq(load("brings.so"), SN_ENOTFOUND);   // by the dynamic linker
  ck_assert_ptr_nonnull(strstr(sn_error_message(error), "cannot be loaded"));
  ck_assert_int_eq(chmod(in_folder("lib"), 01777), 0);
  reject("brings.so", "other users could create the library", in_folder("lib/libbrought.so"));
}
END_TEST

// Folders for some processors, which the dynamic linker looks into first.
START_TEST(preferred_folders_are_checked) {
  static const char *const inner[] = { "lib/glibc-hwcaps", "lib/tls" };
  static const char *const innermost[] = { "lib/glibc-hwcaps/x86-64-v2", "lib/tls/x86_64" };
  char library[128], deeper[128];   // which the first finds beside itself
  snprintf(library, sizeof library, "%s/libbrought.so", innermost[_i]);
  snprintf(deeper, sizeof deeper, "%s/libdeeper.so", innermost[_i]);
  make_folder("lib");
  make_folder(inner[_i]);
  make_folder(innermost[_i]);
  copy_object("brings.so", "brings.so");
  copy_object("libbrought.so", "lib/libbrought.so");
  copy_object("libdeeper.so", "lib/libdeeper.so");
  ck_assert_int_eq(chmod(in_folder(innermost[_i]), 0777), 0);
  reject("brings.so", "other users can write in the folder", in_folder(innermost[_i]));
  ck_assert_int_eq(chmod(in_folder(innermost[_i]), 0755), 0);
  copy_object("libbrought.so", library);
  copy_object("libdeeper.so", deeper);
  ck_assert_int_eq(chmod(in_folder(library), 0666), 0);
  reject("brings.so", "other users can write it", in_folder(library));
  ck_assert_int_eq(chmod(in_folder(library), 0644), 0);
  accept("brings.so");
}
END_TEST

START_TEST(working_folder_holds_no_libraries) {
  char *here = getcwd(NULL, 0);
  make_folder("lib");
  copy_object("brings_here.so", "brings_here.so");
  copy_object("libbrought.so", "lib/libbrought.so");
  copy_object("libdeeper.so", "lib/libdeeper.so");
  ck_assert_int_eq(chdir(folder), 0);
  reject("brings_here.so", "leads to a file in the working folder", "libbrought.so");
  ck_assert_int_eq(chdir(here), 0);
  free(here);
}
END_TEST

// ------------------------------------------------------------------ further files of a folder

// Opens it after `near`; *whole is the canonical path.
static int open_near(si_trusted *near, const char *name, char *whole) {
  char *found = NULL;
  si_error_clear(error);
  const int file = si_trust_open_near(near, in_folder(name), "plugin", &found, error);
  snprintf(whole, 512, "%s", found ? found : "");
  free(found);
  return file;
}

static void accept_near(si_trusted *near, const char *name, const char *real) {
  char whole[512], expected[512];
  struct stat opened, named;
  const int file = open_near(near, name, whole);
  ck_assert_msg(file >= 0, "%s", sn_error_text(error));
  snprintf(expected, sizeof expected, "%s", in_folder(real));
  ck_assert_str_eq(whole, expected);
  ck_assert_int_eq(fstat(file, &opened) | stat(expected, &named), 0);
  ck_assert_uint_eq(opened.st_ino, named.st_ino);
  close(file);
}

static void reject_near(si_trusted *near, const char *name, const char *reason) {
  char whole[512];
  ck_assert_int_lt(open_near(near, name, whole), 0);
  ck_assert_msg(strstr(sn_error_message(error), reason) != NULL, "%s", sn_error_text(error));
}

// The folder is not checked again, but each file in it is, and symbolic links lead elsewhere.
START_TEST(each_file_of_a_folder_is_checked) {
  make_folder("a");
  make_folder("b");
  make_folder("open");
  copy_object("good.so", "a/first.so");
  copy_object("good.so", "a/second.so");
  copy_object("good.so", "a/unsafe.so");
  copy_object("good.so", "b/third.so");
  copy_object("good.so", "b/first.so");
  copy_object("good.so", "open/taken.so");
  ck_assert_int_eq(chmod(in_folder("a/unsafe.so"), 0666), 0);
  ck_assert_int_eq(chmod(in_folder("open"), 0777), 0);
  ck_assert_int_eq(symlink("a", in_folder("link")), 0);
  ck_assert_int_eq(symlink("../b/third.so", in_folder("a/third.so")), 0);
  ck_assert_int_eq(symlink("../open/taken.so", in_folder("a/taken.so")), 0);

  si_trusted near = { 0 };
  accept_near(&near, "a/first.so", "a/first.so");
  ck_assert_str_eq(near.folder, in_folder("a"));
  accept_near(&near, "a/second.so", "a/second.so");
  reject_near(&near, "a/unsafe.so", "other users can write it");
  reject_near(&near, "a/missing.so", "No such file");
  reject_near(&near, "a/..", "is not a regular file");
  reject_near(&near, "a/taken.so", "other users can write in the folder");
  accept_near(&near, "a/second.so", "a/second.so");
  accept_near(&near, "a/third.so", "b/third.so");
  accept_near(&near, "a/first.so", "a/first.so");
  accept_near(&near, "link/second.so", "a/second.so");
  accept_near(&near, "link/first.so", "a/first.so");
  accept_near(&near, "link/../b/third.so", "b/third.so");
  si_trusted_free(&near);
  ck_assert_ptr_null(near.folder);
  accept_near(NULL, "link/first.so", "a/first.so");
}
END_TEST

// ------------------------------------------------------------------ the file that was checked

START_TEST(file_replaced_while_it_is_loaded) {
  copy_object("replaced.so", "replaced.so");
  reject("replaced.so", "changed while it was being loaded", "replaced.so");
}
END_TEST

// a process for each: a library that was loaded once is not looked for again
TESTS_IN_PROCESSES() {
  FIXTURE(set_up, tear_down);
  TEST(folders_up_to_the_root_are_checked);
  TEST(file_in_a_sticky_folder_is_the_owners);
  TEST(folders_of_the_program_itself_are_not_judged);
  TEST(private_groups_are_the_user);
  TEST(accounts_are_read_to_the_end);
  TEST(access_control_lists_are_other_users);
  TEST(owners_outside_of_a_namespace);
  EACH(libraries_are_checked_like_the_plugin, 0, 2);
  TEST(missing_libraries_cannot_be_put_there);
  EACH(preferred_folders_are_checked, 0, 2);
  TEST(working_folder_holds_no_libraries);
  TEST(each_file_of_a_folder_is_checked);
  TEST(file_replaced_while_it_is_loaded);
}
