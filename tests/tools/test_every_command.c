// SPDX-License-Identifier: Apache-2.0
//
// Every command in unfavorable conditions: a full disk, a reader that goes away, a folder that
// cannot be written, a locale with a decimal comma, no home, Ctrl-C. The commands and the lines
// that are tried are those of the command's own table, the examples of `sinew help --json`.

#include <signal.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "german_locale.h"
#include "suite.h"
#include "temporary_folder.h"
#include "tools/calling.h"

enum { MOST_LINES = 128 };

// An example, as it is or with --json.
typedef struct example {
  char line[512];
  char command[32];
  int has_steps;   // the command simulates
  int is_simple;   // one call, without a pipe
  int is_json;
} example;

static example examples[MOST_LINES];
static int nexamples;

// ------------------------------------------------------------------ the table

static int accepts(const output *o, const json_node *command, const char *option) {
  const json_node *list = member(o, command, "options");
  for (int32_t i = list->first; i; i = o->doc.node[i].next) {
    if (strcmp(member(o, &o->doc.node[i], "name")->text, option) == 0) {
      return 1;
    }
  }
  return 0;
}

static void add_line(const output *o, const json_node *command, const char *line, int as_json) {
  ck_assert_int_lt(nexamples, MOST_LINES);
  example *e = &examples[nexamples++];
  snprintf(e->line, sizeof e->line, "%s%s", line, as_json ? " --json" : "");
  snprintf(e->command, sizeof e->command, "%s", member(o, command, "name")->text);
  e->has_steps = accepts(o, command, "steps");
  if (strcmp(e->command, "render") == 0) {   // small images take less time to draw
    const char *size = strstr(line, " --size "), *rest = size ? size + strlen(" --size ") : "";
    snprintf(e->line, sizeof e->line, "%.*s --size 64x48%s%s",
             (int)(size ? size - line : (ptrdiff_t)strlen(line)), line, rest + strcspn(rest, " "),
             as_json ? " --json" : "");
  }
  e->is_simple = strncmp(line, "sinew ", 6) == 0 && !strpbrk(line, "|&;");
  e->is_json = as_json || strstr(line, " --json") != NULL;
}

// Each command has examples; those that can print JSON are tried so as well.
static void read_table(void) {
  output o = call("help --json");
  expect(&o, 0);
  const json_node *commands = member(&o, root(&o), "commands");
  ck_assert_int_ge(commands->count, 10);
  nexamples = 0;
  for (int32_t i = commands->first; i; i = o.doc.node[i].next) {
    const json_node *command = &o.doc.node[i], *lines = member(&o, command, "examples");
    ck_assert_msg(lines->count > 0, "sinew %s has no example", member(&o, command, "name")->text);
    for (int32_t k = lines->first; k; k = o.doc.node[k].next) {
      const char *line = o.doc.node[k].text;
      add_line(&o, command, line, 0);
      if (accepts(&o, command, "json") && !strstr(line, "--json") && !strstr(line, "--out -")) {
        add_line(&o, command, line, 1);
      }
    }
  }
  done(&o);
}

static void open_table(void) {
  open_folder();
  read_table();
}

// ------------------------------------------------------------------ trying

static char work[96];   // where the examples run

// Runs "before LINE after" in an empty folder, with the command of the build tree.
static output try(const example *e, const char *before, const char *after) {
  char line[2048];
  snprintf(line, sizeof line, "PATH=%s:$PATH; export PATH; cd %s && %s { %s; } %s", SN_TEST_BUILD,
           work, before, e->line, after);
  return run_line(line);
}

static void empty_work(void) {
  char line[256];
  snprintf(work, sizeof work, "%s/work", folder);
  snprintf(line, sizeof line, "rm -rf %s; mkdir %s", work, work);
  ck_assert_int_eq(system(line), 0);
}

// What an example does where nothing is in its way.
typedef struct usual {
  output o;
  int writes;   // it leaves files
} usual;

static usual run_usually(const example *e) {
  char line[256];
  usual u = { 0 };
  empty_work();
  u.o = try(e, "", "2>/dev/null");
  ck_assert_msg(u.o.status == 0, "%s: status %d", e->line, u.o.status);
  if (e->is_json) {
    ck_assert_msg(number(&u.o, root(&u.o), "ok") == 1, "%s", e->line);
  }
  snprintf(line, sizeof line, "ls -A %s", work);
  output list = run_line(line);
  u.writes = list.n > 0;
  done(&list);
  return u;
}

#define FOR_EACH_EXAMPLE(e) for (example *e = examples; e < examples + nexamples; e++)

// ------------------------------------------------------------------ conditions

START_TEST(help_of_each) {
  const char *last = "";
  FOR_EACH_EXAMPLE(e) {
    if (strcmp(e->command, last) == 0) {
      continue;
    }
    last = e->command;
    output o = call("%s --help", e->command);
    expect(&o, 0);
    ck_assert_ptr_nonnull(strstr(o.text, "usage: sinew"));
    ck_assert_ptr_nonnull(strstr(o.text, "Examples:"));
    done(&o);
    o = call("%s --help 2>&1 >/dev/full", e->command);
    expect(&o, 1);
    ck_assert_ptr_nonnull(strstr(o.text, "No space left on device"));
    done(&o);
  }
}
END_TEST

// What is printed does not fit: the status and a message say it.
static void expect_full_output(const example *e, const usual *u) {
  if (u->o.n > 0) {
    empty_work();
    output o = try(e, "", "2>&1 >/dev/full");
    ck_assert_msg(o.status == 1, "%s: status %d: %s", e->line, o.status, o.text);
    ck_assert_msg(strstr(o.text, "No space left on device") != NULL, "%s: %s", e->line, o.text);
    ck_assert_msg(strstr(o.text, "standard output") || strstr(o.text, "/dev/stdout"), "%s: %s",
                  e->line, o.text);
    done(&o);
  }
}

// A reader that has gone away ends the command by SIGPIPE, and no message.
static void expect_closed_pipe(const example *e, const usual *u) {
  if (u->o.n > 0) {
    char after[512];
    int ends[2];
    empty_work();
    ck_assert_int_eq(pipe(ends), 0);
    close(ends[0]);   // the command inherits the other end
    snprintf(after, sizeof after, ">&%d 2>%s/said; echo $?; grep -i -e cannot -e error %s/said",
             ends[1], folder, folder);
    output o = try(e, "", after);
    close(ends[1]);
    ck_assert_msg(strcmp(o.text, "141\n") == 0, "%s: %s", e->line, o.text);
    done(&o);
  }
}

// An example that cannot write ends with status 1 and a reason.
static void expect_reason(const example *e, const output *o, const char *const *reasons) {
  ck_assert_msg(o->status == 1, "%s: status %d: %s", e->line, o->status, o->text);
  int found = 0;
  for (int i = 0; reasons[i]; i++) {
    found |= strstr(o->text, reasons[i]) != NULL;
  }
  ck_assert_msg(found, "%s: %s", e->line, o->text);
}

// Not even root can create files in /sys.
static void expect_read_only(const example *e, const usual *u) {
  static const char *const reasons[] = { "Permission denied", "Operation not permitted",
                                         "Read-only file system", "No such file", NULL };
  strcpy(work, "/sys");
  output o = try(e, "", "2>&1");
  if (u->writes) {
    expect_reason(e, &o, reasons);
  } else {
    ck_assert_msg(o.status == 0, "%s: status %d: %s", e->line, o.status, o.text);
  }
  done(&o);
}

// A file system of 64 kB without capacity for more. Returns 0 where it cannot be mounted, which
// needs root; the limit of file sizes in test_standard_output.c does not.
static int mount_full_disk(const char *disk) {
  char line[256];
  ck_assert_int_eq(mkdir(disk, 0755), 0);
  if (mount("tmpfs", disk, "tmpfs", 0, "size=64k,mode=755") != 0) {
    return 0;
  }
  snprintf(line, sizeof line, "dd if=/dev/zero of=%s/filled bs=4k count=64 2>/dev/null", disk);
  ck_assert_int_ne(system(line), 0);
  return 1;
}

// Nothing is left of what could not be written.
static void expect_full_disk(const example *e, const usual *u, const char *disk) {
  static const char *const reasons[] = { "No space left on device", NULL };
  char line[256];
  if (u->writes) {
    strcpy(work, disk);
    output o = try(e, "", "2>&1");
    expect_reason(e, &o, reasons);
    done(&o);
    snprintf(line, sizeof line, "find %s -type f ! -name filled -size +0", disk);
    o = run_line(line);
    ck_assert_msg(o.n == 0, "%s: it left %s", e->line, o.text);
    done(&o);
    snprintf(line, sizeof line, "find %s -mindepth 1 -depth ! -name filled -delete", disk);
    ck_assert_int_eq(system(line), 0);
  }
}

START_TEST(no_place_for_output) {
  char disk[96];
  snprintf(disk, sizeof disk, "%s/disk", folder);
  const int has_disk = mount_full_disk(disk);
  int prints = 0, writes = 0;
  FOR_EACH_EXAMPLE(e) {
    usual u = run_usually(e);
    prints += u.o.n > 0;
    writes += u.writes;
    expect_full_output(e, &u);
#ifdef __SANITIZE_ADDRESS__   // which sees no more than in the usual run
    if (!u.writes) {
      done(&u.o);
      continue;
    }
#endif
    if (!e->is_json) {   // what is printed makes no difference
      expect_closed_pipe(e, &u);
      expect_read_only(e, &u);
    }
    if (has_disk) {
      expect_full_disk(e, &u, disk);
    }
    done(&u.o);
  }
  if (has_disk) {
    umount(disk);
  }
  ck_assert_int_gt(prints, 10);
  ck_assert_int_gt(writes, 3);
}
END_TEST

#ifndef __SANITIZE_ADDRESS__   // the same code as above

// The same is printed in other circumstances, unless two usual runs differ, as of times.
static int prints_same(const example *e, const output *usual_text, const char *before) {
  empty_work();
  output o = try(e, before, "2>/dev/null");
  ck_assert_msg(o.status == 0, "%s: status %d", e->line, o.status);
  const int is_same = strcmp(usual_text->text, o.text) == 0;
  if (!is_same) {
    usual again = run_usually(e);
    ck_assert_msg(strcmp(usual_text->text, again.o.text) != 0, "%s: %.500s\ninstead of\n%.500s",
                  e->line, o.text, usual_text->text);
    done(&again.o);
    if (e->is_json) {
      root(&o);
    }
  }
  done(&o);
  return is_same;
}

START_TEST(decimal_comma_and_no_home) {
  setenv("XDG_CACHE_HOME", in_folder("cache"), 1);   // which `sinew config` prints
  const char *before = "unset HOME XDG_CONFIG_HOME SINEW_CONFIG SINEW_PROFILE;";
  if (find_german()) {
    before = "unset HOME XDG_CONFIG_HOME SINEW_CONFIG SINEW_PROFILE; export LC_ALL=de_DE.UTF-8; "
             "export LD_PRELOAD=" SN_TEST_BUILD "/tests/set_locale.so;";
  }
  int n = 0;
  FOR_EACH_EXAMPLE(e) {
    usual u = run_usually(e);
    n += prints_same(e, &u.o, before);
    done(&u.o);
  }
  ck_assert_int_gt(n, 10);
}
END_TEST

#endif

// ------------------------------------------------------------------ Ctrl-C

// The example with very many steps.
static void lengthen(const example *e, char *out, size_t capacity) {
  char copy[sizeof e->line], *word, *rest = copy;
  size_t used = (size_t)snprintf(out, capacity, "exec");
  strcpy(copy, e->line);
  while ((word = strsep(&rest, " "))) {
    if (strcmp(word, "--steps") == 0 || strcmp(word, "--time") == 0) {
      strsep(&rest, " ");
    } else {
      used += (size_t)snprintf(out + used, capacity - used, " %s", word);
    }
  }
  snprintf(out + used, capacity - used, " --steps 1000000000");
}

// Whether a process has become sinew and has a handler of SIGINT. The shell that starts it has a
// handler too.
static int catches(pid_t pid) {
  char path[64], text[4096], name[64] = "";
  unsigned long long caught = 0;
  snprintf(path, sizeof path, "/proc/%d/status", (int)pid);
  FILE *f = fopen(path, "r");
  while (f && fgets(text, sizeof text, f)) {
    sscanf(text, "Name: %63s", name);
    sscanf(text, "SigCgt: %llx", &caught);
  }
  if (f) {
    fclose(f);
  }
  return strcmp(name, "sinew") == 0 && (caught >> (SIGINT - 1)) & 1;
}

static int is_running(pid_t pid, int *status) {
  return waitpid(pid, status, WNOHANG) == 0;
}

// Starts a line, interrupts it when it simulates, and returns the status of the process.
static int interrupt(const char *line) {
  // without the handler of the test itself, which the child would have until the shell starts
  void (*own)(int) = signal(SIGINT, SIG_DFL);
  const pid_t pid = fork();
  if (pid != 0) {
    signal(SIGINT, own);
  }
  if (pid == 0) {
    char whole[2048];
    snprintf(whole, sizeof whole, "PATH=%s:$PATH; export PATH; cd %s; %s >../printed 2>../said",
             SN_TEST_BUILD, work, line);
    execl("/bin/sh", "sh", "-c", whole, (char *)NULL);
    _exit(127);
  }
  int status = 0, running = 1;
  for (int i = 0; i < 6000 && (running = is_running(pid, &status)) && !catches(pid); i++) {
    usleep(10000);
  }
  if (running) {
    usleep(50000);
    kill(pid, SIGINT);
    waitpid(pid, &status, 0);
  }
  return status;
}

// Ends with 130 and with what was computed.
START_TEST(interrupted) {
  int n = 0;
  FOR_EACH_EXAMPLE(e) {
    if (!e->is_simple || !e->has_steps || strstr(e->line, "problem solve")) {
      continue;
    }
    char line[1024];
    empty_work();
    lengthen(e, line, sizeof line);
    const int status = interrupt(line);
    ck_assert_msg(WIFEXITED(status) && WEXITSTATUS(status) == 130, "%s: status %x", line, status);
    snprintf(line, sizeof line, "cat %s/printed", folder);
    output o = run_line(line);
    ck_assert_msg(o.n > 0, "%s: it printed nothing", e->line);
    if (e->is_json) {
      ck_assert_msg(number(&o, root(&o), "interrupted") == 1, "%s", e->line);
    }
    done(&o);
    n++;
  }
  ck_assert_int_gt(n, 4);
}
END_TEST

// A command that does not simulate is done, or ended by the signal, without parts of files.
START_TEST(interrupted_at_once) {
  FOR_EACH_EXAMPLE(e) {
    if (!e->is_simple || e->has_steps) {
      continue;
    }
    char line[1024];
    empty_work();
    snprintf(line, sizeof line,
             "PATH=%s:$PATH; export PATH; cd %s; timeout -s INT "
             "--preserve-status 0.005 %s >/dev/null 2>&1",
             SN_TEST_BUILD, work, e->line);
    output o = run_line(line);
    ck_assert_msg(o.status == 0 || o.status == 130, "%s: status %d", e->line, o.status);
    done(&o);
    snprintf(line, sizeof line, "find %s -name '.sinew-*'", work);
    o = run_line(line);
    ck_assert_msg(o.n == 0, "%s: it left %s", e->line, o.text);
    done(&o);
  }
}
END_TEST

TESTS() {
  FIXTURE(open_table, close_folder);
  TEST(help_of_each);
  TEST(no_place_for_output);
#ifndef __SANITIZE_ADDRESS__
  TEST(decimal_comma_and_no_home);
#endif
  TEST(interrupted);
  TEST(interrupted_at_once);
}
