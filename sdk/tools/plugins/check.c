// SPDX-License-Identifier: Apache-2.0
//
// sinew plugins check: the requirements of each kind, with the kit in sdk/conformance. Every
// provider is tested in a process of its own, which sends its findings through memory that both
// processes share, because an operation may close every file descriptor: one that crashes, ends the
// process or does not return is a finding, and the next provider is tested.

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "conformance/kit.h"
#include "plugins.h"
#include "tools/json/json.h"

typedef struct finding {
  int32_t result;   // KIT_*, or ALL_TESTED after the last
  char requirement[48];
  char detail[256];
} finding;
enum { ALL_TESTED = -1 };

typedef struct findings {
  const options *o;
  const sn_provider_info *provider;
  json *j;   // NULL: text
  int passed, failed, skipped;
  int nloader,
      is_sampled;   // loaders that were tested; whether one recognized the file of --sample
} findings;

static void show(findings *f, int result, const char *requirement, const char *detail) {
  static const char *const words[] = { "ok", "FAILED", "not tested" };
  static const style colors[] = { GREEN, RED, YELLOW };
  enum { START = 62, END = 100 };
  f->passed += result == KIT_PASSED;
  f->failed += result == KIT_FAILED;
  f->skipped += result == KIT_SKIPPED;
  f->is_sampled |= result != KIT_SKIPPED && strcmp(requirement, "sample") == 0;
  if (f->o->quiet && !f->j && result != KIT_FAILED) {
    return;
  }
  if (!f->j) {
    printf("%s%-10s%s ", styled(stdout, colors[result]), words[result], styled(stdout, PLAIN));
    const int column = 11 + printf("%-20s %-14s %-14s ", f->provider->kind, f->provider->name,
                                   requirement);
    print_wrapped(column, START, END, detail);
    return;
  }
  json_object(f->j, NULL);
  json_text(f->j, "kind", f->provider->kind);
  json_text(f->j, "name", f->provider->name);
  json_text(f->j, "requirement", requirement);
  json_text(f->j, "result", words[result]);
  json_text(f->j, "detail", detail);
  json_end(f->j);
}

// ------------------------------------------------------------------ the process that tests

enum { MOST_SENT = 64 };

// What the process that tests leaves in memory that both processes share.
typedef struct channel {
  kit_progress progress;
  volatile int32_t stack_overflow;
  _Atomic uint32_t sent, taken;     // how many findings; finding i is in the place i % MOST_SENT
  finding finding[MOST_SENT];
} channel;

static channel *shared;

static void wait_ms(void) {
  nanosleep(&(struct timespec){ .tv_nsec = 1000000 }, NULL);
}

// Waits for a place. Without a reader, nothing can be sent.
static void post(const finding *f) {
  const uint32_t n = atomic_load(&shared->sent);
  for (const pid_t reader = getppid(); n - atomic_load(&shared->taken) == MOST_SENT;) {
    if (getppid() != reader) {
      _exit(FAILED);
    }
    wait_ms();
  }
  shared->finding[n % MOST_SENT] = *f;
  atomic_store(&shared->sent, n + 1);
}

// False: there is none.
static int take(finding *f) {
  const uint32_t n = atomic_load(&shared->taken);
  if (atomic_load(&shared->sent) == n) {
    return 0;
  }
  *f = shared->finding[n % MOST_SENT];
  atomic_store(&shared->taken, n + 1);
  return 1;
}

static pid_t tester;   // the process that tests; a plugin may start others

static void post_finding(void *context, const char *requirement, int result, const char *detail) {
  finding f = { .result = result };
  (void)context;
  if (getpid() != tester) {
    return;   // of a copy of the process
  }
  snprintf(f.requirement, sizeof f.requirement, "%s", requirement);
  snprintf(f.detail, sizeof f.detail, "%s", detail);
  post(&f);
}

static void post_process(const char *detail) {
  post_finding(NULL, "process", KIT_FAILED, detail);
}

// What a plugin changed of the process, or left behind.
static void test_process(const char *folder) {
  char now[PATH_MAX];
  int status;
  if (strcmp(folder, getcwd(now, sizeof now) ? now : "") != 0) {
    post_process("an operation changed the working folder of the process");
  }
  const pid_t child = waitpid(-1, &status, WNOHANG);
  if (child >= 0) {
    post_process("an operation started a process and did not wait for its end");
  }
}

// The process ends when the one that reads does, even by SIGKILL.
static void end_with(pid_t reader) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != reader) {
    _exit(FAILED);   // it has ended already
  }
}

// printed: where standard output and error go meanwhile.
static _Noreturn void test(sn_engine *engine, const sn_provider_info *p, int printed) {
  char folder[PATH_MAX];
  tester = getpid();
  sn_engine_set_log(engine, NULL, NULL);   // messages are no output of the plugin
  if (!getcwd(folder, sizeof folder)) {
    folder[0] = '\0';
  }
  if (printed >= 0) {
    dup2(printed, STDOUT_FILENO);
    dup2(printed, STDERR_FILENO);
  }
  kit_file = printed;
  kit_test(engine, p, post_finding, NULL);
  fflush(NULL);
  if (getpid() != tester) {
    _exit(DONE);   // a copy of the process that an operation made
  }
  test_process(folder);
  post(&(finding){ .result = ALL_TESTED });
  _exit(DONE);
}

// ------------------------------------------------------------------ the process that reads

typedef struct testing {
  pid_t pid;
  int has_ended, status;
  double limit;          // seconds without a call of an operation and without a finding
  char last[48];         // the requirement of the last one
} testing;

enum { ENDED, SILENT, INTERRUPTED, COMPLETE };

static int has_ended(testing *t) {
  t->has_ended = t->has_ended || waitpid(t->pid, &t->status, WNOHANG) != 0;
  return t->has_ended;
}

// Shows findings until there are no more. Why there are none: one of the four above.
static int read_findings(findings *all, testing *t) {
  uint32_t ncall = 0;
  for (double since = wall_clock();;) {
    finding f;
    const int is_last = has_ended(t);   // asked before: what it sent is there
    if (signals_came()) {
      return INTERRUPTED;
    }
    if (!take(&f)) {
      if (is_last) {
        return ENDED;
      }
      const uint32_t now = atomic_load(&shared->progress.ncall);
      if (now != ncall) {
        ncall = now;
        since = wall_clock();
      }
      if (wall_clock() > since + t->limit) {
        return SILENT;
      }
      wait_ms();
      continue;
    }
    if (f.result == ALL_TESTED) {
      return COMPLETE;
    }
    f.requirement[sizeof f.requirement - 1] = f.detail[sizeof f.detail - 1] = '\0';
    show(all, f.result, f.requirement, f.detail);
    strcpy(t->last, f.requirement);
    since = wall_clock();
  }
}

// A process that sends nothing more, but does not end, is ended.
static void end(testing *t) {
  for (const double since = wall_clock(); !has_ended(t) && wall_clock() < since + t->limit;) {
    wait_ms();
  }
  if (!t->has_ended) {
    kill(t->pid, SIGKILL);
    while (waitpid(t->pid, &t->status, 0) < 0 && errno == EINTR) {}
  }
}

// The finding about a process that did not come to its end.
static void show_ending(findings *all, const testing *t, int why) {
  char operation[64] = "an operation", what[160], text[256];
  if (shared->progress.operation) {
    snprintf(operation, sizeof operation, "the operation '%s'", shared->progress.operation);
  }
  if (why == SILENT) {
    snprintf(what, sizeof what, "%s did not return within %g s", operation, t->limit);
  } else if (WIFSIGNALED(t->status)) {
    snprintf(what, sizeof what, "%s ended the process by signal %d (%s%s)", operation,
             WTERMSIG(t->status), strsignal(WTERMSIG(t->status)),
             shared->stack_overflow ? ", stack overflow" : "");
  } else {
    snprintf(what, sizeof what, "%s ended the process with exit status %d", operation,
             WEXITSTATUS(t->status));
  }
  snprintf(text, sizeof text, "%s%s%s%s", what, *t->last ? ", after the test of '" : "", t->last,
           *t->last ? "'" : "");
  show(all, KIT_FAILED, "process", text);
}

// What the operations printed, from a file without a name: the first line is a finding. If the
// process did not come to its end, all of it is shown, because it may be the report of a tool.
static void show_printed(findings *all, int printed, int is_complete) {
  char text[4096], detail[256];
  ssize_t n = printed < 0 ? 0 : pread(printed, text, sizeof text - 1, 0);
  if (n <= 0) {
    return;
  }
  text[n] = '\0';
  snprintf(detail, sizeof detail, "an operation printed '%.*s'; a message is sent with host->log",
           (int)strcspn(text, "\n"), text);
  if (is_complete) {
    show(all, KIT_FAILED, "process", detail);
    return;
  }
  for (off_t at = 0; (n = pread(printed, text, sizeof text, at)) > 0; at += n) {
    fwrite(text, 1, (size_t)n, stderr);
  }
}

// The longest that a call of an operation may take, in s: limits.time, if it is set.
static double longest_call(const sn_engine *engine) {
  enum { LONGEST = 60 };   // no call of a plugin of Sinew takes 1 s
  sn_config_info c = { .size = sizeof c };
  for (int64_t i = 0; sn_engine_config(engine, i, &c); i++) {
    if (strcmp(c.section, "limits") == 0 && strcmp(c.key, "time") == 0 &&
        strcmp(c.origin, "default") != 0) {
      return sn_engine_limit(engine, "time");
    }
  }
  return LONGEST;
}

static int check_provider(findings *all, sn_engine *engine, const sn_provider_info *p) {
  testing t = { .limit = longest_call(engine) };
  all->provider = p;
  memset(shared, 0, sizeof *shared);
  const int printed = memfd_create("printed", MFD_CLOEXEC);   // -1: it is not known
  fflush(NULL);   // what is not written yet would be written twice
  const pid_t checking = getpid();
  if ((t.pid = fork()) < 0) {
    return report_text(all->o, NULL, 0, 0, "cannot start a process: %s", strerror(errno));
  }
  if (t.pid == 0) {
    end_with(checking);
    test(engine, p, printed);
  }
  const int why = read_findings(all, &t);
  if (why == SILENT || why == INTERRUPTED) {
    kill(t.pid, SIGKILL);
  }
  end(&t);
  if (why == SILENT || why == ENDED) {
    show_ending(all, &t, why);
  }
  show_printed(all, printed, why == COMPLETE);
  if (printed >= 0) {
    close(printed);
  }
  return DONE;
}

static int open_channel(const options *o) {
  void *memory = mmap(NULL, sizeof(channel), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1,
                      0);
  if (memory == MAP_FAILED) {
    return report_text(o, NULL, 0, 0, "cannot share memory with a process: %s", strerror(errno));
  }
  shared = memory;
  kit_tested = &shared->progress;
  stack_overflow = &shared->stack_overflow;
  return DONE;
}

// ------------------------------------------------------------------ all of them

// The file of --sample, for the life of the process.
static int read_sample(const options *o) {
  if (!o->sample) {
    return DONE;
  }
  int64_t n = 0;
  uint8_t *bytes = (uint8_t *)read_whole(o, o->sample, &n);
  uint8_t *ended = bytes ? realloc(bytes, (size_t)n + 1) : NULL;
  if (!ended) {
    free(bytes);
    return bytes ? report(o, NULL) : FAILED;
  }
  ended[n] = 0;
  kit_loader_sample = (kit_sample){ o->sample, ended, n, .is_for_any = o->noperand == 1 };
  return DONE;
}

// With --sample and no NAME, the loaders.
static int is_checked(const options *o, const sn_provider_info *p, const char *word) {
  const int is_any = !o->sample || o->noperand > 1 || strcmp(p->kind, SN_KIND_LOADER) == 0;
  return is_any && (!word || is_selected(p, word));
}

// The file of --sample was tested with no loader.
static int unused_sample(const findings *f) {
  return f->nloader == 0
             ? report_text(f->o, NULL, 0, 0, "--sample is for loaders, and '%s' has none",
                           f->o->operand[f->o->noperand - 1])
             : report_text(f->o, f->o->sample, 0, 0,
                           "no configured loader recognizes it; name one to see why: "
                           "sinew plugins check NAME --sample FILE");
}

static int check_all(const session *s, const char *word) {
  json j;
  findings f = { .o = s->o, .j = s->o->json ? &j : NULL };
  sn_provider_info p = { .size = sizeof p };
  int any = 0, status = read_sample(s->o);
  status = status == DONE ? open_channel(s->o) : status;
  if (status != DONE) {
    return status;
  }
  json_start(&j, stdout);
  json_list(&j, "findings");
  signals_catch();
  for (int64_t i = 0; status == DONE && !signals_came() && sn_engine_provider(s->engine, i, &p);
       i++) {
    if (is_checked(s->o, &p, word)) {
      status = check_provider(&f, s->engine, &p);
      f.nloader += strcmp(p.kind, SN_KIND_LOADER) == 0;
      any = 1;
    }
  }
  if (status != DONE) {
    return status;
  }
  if (!any && !signals_came()) {
    return word ? unknown_plugin(s, word,
                                 "`sinew plugins list` lists those that are loaded; " FILE_HINT)
                : report_text(s->o, NULL, 0, 0,
                              "there is nothing to check, because no plugin is loaded");
  }
  if (s->o->sample && !f.is_sampled && !f.failed && !signals_came()) {
    return unused_sample(&f);
  }
  if (s->o->json) {
    json_end(&j);
    json_bool(&j, "ok", f.failed == 0);
    json_integer(&j, "passed", f.passed);
    json_integer(&j, "failed", f.failed);
    json_integer(&j, "skipped", f.skipped);
    json_bool(&j, "interrupted", signals_came());
    json_finish(&j);
  } else {
    printf("%d requirements met, %d failed, %d not tested\n", f.passed, f.failed, f.skipped);
  }
  return f.failed ? FAILED : signals_status(DONE);
}

// a shared object by itself, in an engine with nothing else
static int check_file(const options *o) {
  char name[64], path[PATH_MAX];
  options alone = *o;
  session s;
  alone.config = "";
  int status = session_open(&s, &alone);
  if (status == DONE) {
    plugin_name(o->operand[1], name, sizeof name);
    const char *absolute = realpath(o->operand[1], path) ? path : o->operand[1];
    if (sn_engine_load_plugin(s.engine, name, absolute, s.error) < 0) {
      status = report(o, s.error);
    }
  }
  status = status == DONE ? check_all(&s, NULL) : status;
  session_close(&s);
  return status;
}

int names_plugin_file(const char *word) {
  size_t n = strlen(word);
  return strchr(word, '/') || (n > 3 && strcmp(word + n - 3, ".so") == 0);
}

int check_plugins(const options *o) {
  const char *word = o->noperand > 1 ? o->operand[1] : NULL;
  if (o->noperand > 2) {
    return usage_error(o->command, "check takes one operand");
  }
  if (word && names_plugin_file(word)) {
    return check_file(o);
  }
  session s;
  int status = session_open(&s, o);
  status = status == DONE ? check_all(&s, word) : status;
  session_close(&s);
  return status;
}
