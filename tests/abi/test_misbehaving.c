// SPDX-License-Identifier: Apache-2.0
//
// Plugins that end the process, jump, or return what the interface does not have: each is named.

#include <setjmp.h>
#include <sys/stat.h>

#include "abi/objects.h"
#include "default_engine.h"
#include "platform/clock.h"
#include "sanitized.h"
#include "suite.h"
#include "tools/calling.h"
#include "toy_plugin.h"

#define WHO "'misbehaves' (sinew.passive/1) of plugin 'misbehaving'"

static void set_up(void) {
  umask(022);
  open_folder();
  open_engine();
}

static void tear_down(void) {
  close_engine();
  close_folder();
}

static const char hinge[] = "<mujoco><worldbody><body><joint axis='0 1 0'/>"
                            "<geom size='.1' pos='.1 0 0'/></body></worldbody></mujoco>";

// The command with a plugin of this fault; its arguments come after the configuration.
static output call_with(const char *fault, const char *operation, const char *arguments) {
  char ini[1024];
  snprintf(ini, sizeof ini,
           "[plugins]\nmisbehaving = %smisbehaving.so\n"
           "[plugin.misbehaves]\nfault = %s\noperation = %s\ncall = 1\n",
           OBJECTS, fault, operation);
  put_text("sinew.ini", ini);
  put_text("hinge.xml", hinge);
  return call("run %s --steps 3 --config %s %s 2>&1; echo status $?", in_folder("hinge.xml"),
              in_folder("sinew.ini"), arguments);
}

static void expect_words(const output *o, const char *words) {
  ck_assert_msg(strstr(o->text, words) != NULL, "no \"%s\" in: %.600s", words, o->text);
}

// ------------------------------------------------------------------ the end of the process

static const char *const operations[] = { "create", "bind", "apply", "destroy" };

START_TEST(exit_is_a_failure) {
  char words[128];
  output o = call_with("exit", operations[_i], "");
  snprintf(words, sizeof words, "exit was called in the operation '%s' of " WHO, operations[_i]);
  expect_words(&o, words);
  expect_words(&o, "status 1\n");
  done(&o);
}
END_TEST

// Functions of the C library that call no handlers of atexit.
START_TEST(other_exits) {
  static const char *const functions[] = { "_exit", "_Exit", "quick_exit" };
  const char *function = functions[_i / 4], *operation = operations[_i % 4];
  char words[128];
  output o = call_with(function, operation, "");
  snprintf(words, sizeof words, "%s was called in the operation '%s' of " WHO, function, operation);
  expect_words(&o, words);
  expect_words(&o, "status 1\n");
  done(&o);
}
END_TEST

// The thread of an operation runs none itself.
START_TEST(exit_of_a_thread) {
  output o = call_with("thread_exit", operations[_i], "");
  expect_words(&o, "exit was called in a thread of a plugin; a plugin must return a status");
  expect_words(&o, "status 1\n");
  done(&o);
}
END_TEST

// A process that a plugin forks ends as it wants to.
START_TEST(exit_of_a_child) {
  output o = call_with("fork", "apply", "");
  expect_words(&o, "warnings    none");
  expect_words(&o, "status 0\n");
  done(&o);
}
END_TEST

START_TEST(exit_in_json) {
  output o = call_with("exit", "apply", "--json > out.json");
  expect_words(&o, "status 1\n");
  done(&o);
  o = call("--version > /dev/null; cat out.json; rm out.json");
  const json_node *r = root(&o);
  ck_assert_ptr_nonnull(strstr(member(&o, r, "error")->text, WHO));
  done(&o);
}
END_TEST

// exit before there is a provider
START_TEST(exit_in_init) {
  char ini[512];
  snprintf(ini, sizeof ini, "[plugins]\nvictim = %sinit_exits.so\n", OBJECTS);
  put_text("sinew.ini", ini);
  output o = call("plugins list --config %s 2>&1; echo status $?", in_folder("sinew.ini"));
  expect_words(&o, "exit was called in the operation 'init' of plugin 'victim'");
  expect_words(&o, "status 1\n");
  done(&o);
}
END_TEST

START_TEST(abort_is_named) {
  static const char *const faults[] = { "abort", "throw" };
  char words[192];
  output o = call_with(faults[_i / 4], operations[_i % 4], "");
  snprintf(words, sizeof words, "or an exception that left a plugin, in the operation '%s' of " WHO,
           operations[_i % 4]);
  expect_words(&o, words);
  expect_words(&o, "status 134\n");
  done(&o);
}
END_TEST

// The first signal waits for the end of a step, the second does not.
START_TEST(second_signal_ends_an_endless_operation) {
  char ini[512];
  snprintf(ini, sizeof ini,
           "[plugins]\nmisbehaving = %smisbehaving.so\n[plugin.misbehaves]\nfault = endless\n"
           "call = 500\n",
           OBJECTS);
  put_text("sinew.ini", ini);
  put_text("hinge.xml", hinge);
  output o = call("--version >/dev/null; cd %s; %s/sinew run hinge.xml --time 100 --config "
                  "sinew.ini %s & i=0; until [ $i -ge 1200 ] || "
                  "grep -q 'SigCgt:.*[2367abef]$' /proc/$!/status; do i=$((i + 1)); sleep 0.05; "
                  "done; sleep 1; kill -INT $!; sleep 0.5; kill -INT $!; wait $! 2>/dev/null",
                  folder, SN_TEST_BUILD, _i ? "--check-plugins" : "");
  expect(&o, 130);
  ck_assert_str_eq(o.text, "");
  done(&o);
}
END_TEST

#ifndef __SANITIZE_ADDRESS__

START_TEST(stack_overflow_is_named) {
  output o = call_with("recursion", "apply", "");
  expect_words(&o, "stack overflow, by a recursion without end or a large array, in the operation "
                   "'apply' of " WHO);
  expect_words(&o, "status 139\n");
  done(&o);
}
END_TEST

#endif

// ------------------------------------------------------------------ statuses

START_TEST(unknown_status_is_an_error) {
  char words[192];
  output o = call_with("status", operations[_i], "");
  snprintf(words, sizeof words,
           WHO ": its operation '%s' returned the status 12345, which is "
               "unknown",
           operations[_i]);
  expect_words(&o, words);
  expect_words(&o, "status 1\n");
  done(&o);
}
END_TEST

// ------------------------------------------------------------------ what is written

// A field that is not an output: noticed where plugins are checked.
START_TEST(written_field_is_named) {
  static const char *const commands[] = { "run %s --steps 3", "trace %s --steps 3", "state %s" };
  char arguments[512];
  output o = call_with("velocity", "apply", "--check-plugins");
  expect_words(&o, WHO ": its operation 'apply' wrote qvel[0] of joint 0");
  expect_words(&o, "status 1\n");
  done(&o);
  snprintf(arguments, sizeof arguments, commands[_i], in_folder("hinge.xml"));
  o = call("%s --config %s --check-plugins 2>&1", arguments, in_folder("sinew.ini"));
  expect(&o, 1);
  expect_words(&o, "wrote qvel[0]");
  done(&o);
  o = call("%s --config %s", arguments, in_folder("sinew.ini"));
  expect(&o, 0);
  done(&o);
}
END_TEST

// What changes the process, or leaves it: noticed where plugins are checked, in a step and while a
// model is loaded.
static const struct {
  const char *fault, *words;
} process_faults[] = {
  { "print", "wrote 16 bytes to standard output; messages are for 'log' of the host" },
#ifndef SANITIZED
  { "print_error", "wrote 17 bytes to standard output, a file or a pipe" },
  { "file", "wrote 21 bytes to standard output, a file or a pipe" },
#endif
  { "folder", "changed the working folder of the process" },
  { "fork", "started a process" },
  { "child", "started a process" },
  { "copy", "forked the process, and this is the copy" },
  { "handler", "changed the handler of signal 10 (" },
  { "mask", "changed whether its thread blocks signal 15 (" },
  { "thread_locale", "changed the locale" },
  { "umask", "changed the umask of the process" },
  { "close_input", "closed or replaced standard input" },
  { "close_output", "closed or replaced standard output" },
  { "replace_error", "closed or replaced standard error" },
  { "close_all", "closed file descriptors of the host" },
};
enum { NPROCESS = sizeof process_faults / sizeof process_faults[0] };

START_TEST(change_of_the_process_is_named) {
  static const char *const inner[] = { "create", "bind", "apply" };
  const char *operation = inner[_i / NPROCESS], *fault = process_faults[_i % NPROCESS].fault;
  char words[192];
  output o = call_with(fault, operation, "--check-plugins");
  snprintf(words, sizeof words, WHO ": its operation '%s' %s", operation,
           process_faults[_i % NPROCESS].words);
  expect_words(&o, words);
  expect_words(&o, "status 1\n");
  done(&o);
  o = call_with(fault, operation, "");
  // the command cannot write its results
  const int is_silenced = strcmp(fault, "close_output") == 0;
  expect_words(&o, is_silenced ? "status 1\n" : "status 0\n");
  done(&o);
}
END_TEST

// The end of an instance cannot fail: a warning.
START_TEST(change_at_the_end_is_a_warning) {
  char words[192];
  output o = call_with(process_faults[_i].fault, "destroy", "--check-plugins");
  snprintf(words, sizeof words, WHO ": its operation 'destroy' %s", process_faults[_i].words);
  expect_words(&o, words);
  expect_words(&o, "status 0\n");
  done(&o);
}
END_TEST

// What a plugin does before it has providers, and at its end.
START_TEST(change_by_a_whole_plugin_is_named) {
  static const struct {
    const char *object, *operation;
    int status;
  } whole[] = { { "signal_loading", "loading", 1 },
                { "signal_entry", "sn_plugin_entry", 1 },
                { "signal_init", "init", 1 },
                { "signal_fini", "fini", 0 } };
  char text[512];
  snprintf(text, sizeof text, "[plugins]\nvictim = %s%s.so\n", OBJECTS, whole[_i].object);
  put_text("sinew.ini", text);
  put_text("hinge.xml", hinge);
  output o = call("run %s --steps 3 --config %s --check-plugins 2>&1", in_folder("hinge.xml"),
                  in_folder("sinew.ini"));
  expect(&o, whole[_i].status);
  snprintf(text, sizeof text,
           "plugin 'victim': its operation '%s' changed the handler of signal 10 (",
           whole[_i].operation);
  expect_words(&o, text);
  done(&o);
  o = call("run %s --steps 3 --config %s", in_folder("hinge.xml"), in_folder("sinew.ini"));
  expect(&o, 0);
  done(&o);
}
END_TEST

// Messages by the host are written by the program.
START_TEST(message_is_no_output) {
  static const char *const inner[] = { "bind", "apply" };
  output o = call_with("log", inner[_i], "--check-plugins");
  expect_words(&o, "the coil is logged");
  expect_words(&o, "status 0\n");
  done(&o);
}
END_TEST

START_TEST(handler_put_back_is_no_change) {
  static const char *const inner[] = { "create", "bind", "apply", "destroy" };
  output o = call_with("put_back", inner[_i], "--check-plugins");
  expect_words(&o, "warnings    none");
  expect_words(&o, "status 0\n");
  done(&o);
}
END_TEST

// An error that is logged is shown as one, with the operation.
START_TEST(logged_error_is_named) {
  output o = call_with("log_error", "apply", "");
  expect_words(&o, "sinew: error: " WHO ": its operation 'apply': the coil is broken\n");
  expect_words(&o, "status 0\n");
  done(&o);
}
END_TEST

// In the configuration, before the first section.
START_TEST(checks_in_the_configuration) {
  static const struct {
    const char *line, *words;
    int status;
  } lines[] = { { "check_plugins = yes", "wrote qvel[0]", 1 },
                { "check_plugins = no", "warnings    none", 0 },
                { "check_plugins = often",
                  "sinew.ini:1: 'check_plugins' must be yes or no, not "
                  "'often'",
                  1 } };
  char ini[512];
  snprintf(ini, sizeof ini,
           "%s\n[plugins]\nmisbehaving = %smisbehaving.so\n[plugin.misbehaves]\nfault = velocity\n",
           lines[_i].line, OBJECTS);
  put_text("sinew.ini", ini);
  put_text("hinge.xml", hinge);
  output o = call("run %s --steps 3 --config %s 2>&1", in_folder("hinge.xml"),
                  in_folder("sinew.ini"));
  expect(&o, lines[_i].status);
  expect_words(&o, lines[_i].words);
  done(&o);
}
END_TEST

// ------------------------------------------------------------------ jumps

static jmp_buf back;
static int jumps;

static sn_status apply(const void *self, const void *bound, const sn_data_view *data,
                       const double *state, double *qfrc, sn_scratch *scratch) {
  (void)self, (void)state, (void)bound, (void)data, (void)qfrc, (void)scratch;
  if (jumps-- == 1) {
    longjmp(back, 1);
  }
  return SN_OK;
}

static const sn_passive_ops jumping_force = TOY_FORCE(apply);

// A simulation that was left by a jump is not in the middle of a step for ever.
START_TEST(jump_out_of_a_step) {
  OK(sn_engine_add(engine, SN_KIND_PASSIVE, "jumper", &jumping_force, error));
  sn_model *m = model_of(hinge);
  sn_data *d = data_of(m), *other = data_of(m);
  jumps = 1;
  if (!setjmp(back)) {
    sn_step(m, d);
    ck_abort_msg("it did not jump");
  }
  sn_operation_info info = { .size = sizeof info };
  ck_assert_int_eq(sn_running_operation(&info), 0);
  ck_assert_int_eq(sn_step(m, d), SN_OK);
  ck_assert_int_eq(sn_step(m, other), SN_OK);
  ck_assert_double_eq(snd_qpos(d)[0], snd_qpos(other)[0]);
  sn_data_free(other);
  done_with(m, d);
}
END_TEST

// The same where the stack has grown again since, over what the jump left.
static sn_status step_below(sn_model *m, sn_data *d, int depth) {
  volatile char room[1024];
  room[0] = room[sizeof room - 1] = (char)depth;
  const sn_status status = depth > 0 ? step_below(m, d, depth - 1) : sn_step(m, d);
  return room[0] == (char)depth ? status : SN_EINVAL;
}

START_TEST(jump_and_a_deeper_call) {
  OK(sn_engine_add(engine, SN_KIND_PASSIVE, "jumper", &jumping_force, error));
  sn_model *m = model_of(hinge);
  sn_data *d = data_of(m), *other = data_of(m);
  jumps = 1;
  if (!setjmp(back)) {
    sn_step(m, d);
    ck_abort_msg("it did not jump");
  }
  ck_assert_int_eq(step_below(m, d, _i), SN_OK);
  ck_assert_int_eq(sn_step(m, other), SN_OK);
  ck_assert_double_eq(snd_qpos(d)[0], snd_qpos(other)[0]);
  sn_data_free(other);
  done_with(m, d);
}
END_TEST

// Within a step it still is.
static sn_model *inner_model;
static sn_data *inner_data;
static int inner_call;
static sn_status inner_status;
static char inner_operation[32];

// The calls that replace the state of a simulation.
enum { STEP, RESET, RESET_KEY, SET_STATE, COPY, NCALLS };
static sn_status replace_state(const sn_model *m, sn_data *d, const sn_data *other) {
  const double zeros[64] = { 0 };
  ck_assert_int_le(sn_state_size(m, SN_STATE_INTEGRATION), 64);
  switch (inner_call) {
    case RESET: return sn_reset(m, d);
    case RESET_KEY: return sn_reset_key(m, d, 0);
    case SET_STATE: return sn_state_set(m, d, SN_STATE_INTEGRATION, zeros);
    case COPY: return sn_data_copy(m, d, other);
    default: return sn_step(m, d);
  }
}
static sn_data *other_data;

static sn_status step_again(const void *self, const void *bound, const sn_data_view *data,
                            const double *state, double *qfrc, sn_scratch *scratch) {
  (void)self, (void)state, (void)bound, (void)data, (void)qfrc, (void)scratch;
  sn_operation_info info = { .size = sizeof info };
  if (inner_data && sn_running_operation(&info)) {
    snprintf(inner_operation, sizeof inner_operation, "%s of %s", info.operation, info.name);
    inner_status = replace_state(inner_model, inner_data, other_data);
  }
  return SN_OK;
}

START_TEST(state_is_replaced_within_a_step) {
  const sn_passive_ops ops = TOY_FORCE(step_again);
  OK(sn_engine_add(engine, SN_KIND_PASSIVE, "again", &ops, error));
  inner_call = _i;
  inner_model = model_of("<mujoco><worldbody><body><joint/><geom size='.1' pos='.1 0 0'/></body>"
                         "</worldbody><keyframe><key qpos='1'/></keyframe></mujoco>");
  inner_data = NULL;
  sn_data *alone = data_of(inner_model), *d = data_of(inner_model);
  other_data = data_of(inner_model);
  for (int k = 0; k < 3; k++) {
    inner_data = NULL;
    ck_assert_int_eq(sn_step(inner_model, alone), SN_OK);
    inner_data = d;
    ck_assert_int_eq(sn_step(inner_model, d), SN_OK);
    ck_assert_int_eq(inner_status, SN_EINVAL);
    ck_assert_str_eq(inner_operation, "apply of again");
  }
  ck_assert(sn_state_hash(inner_model, d, SN_STATE_INTEGRATION) ==
            sn_state_hash(inner_model, alone, SN_STATE_INTEGRATION));
  // outside of the step it works
  inner_data = NULL;
  ck_assert_int_eq(replace_state(inner_model, d, other_data), SN_OK);
  sn_data_free(alone);
  sn_data_free(other_data);
  done_with(inner_model, d);
}
END_TEST

START_TEST(state_of_another_model_is_rejected) {
  sn_model *m = model_of(hinge), *another = model_of(hinge);
  sn_data *d = data_of(m);
  const double zeros[64] = { 0 };
  ck_assert_int_eq(sn_reset(another, d), SN_EINVAL);
  ck_assert_int_eq(sn_state_set(another, d, SN_STATE_QPOS, zeros), SN_EINVAL);
  ck_assert_ptr_nonnull(strstr(sn_error_message(sn_data_error(d)), "another model"));
  sn_model_free(another);
  done_with(m, d);
}
END_TEST

// ------------------------------------------------------------------ plugins check

static const struct {
  const char *fault, *operation, *says;
} endings[] = {
  { "exit", "apply", "the operation 'apply' ended the process with exit status" },
  { "abort", "bind", "the operation 'bind' ended the process " },
  { "pointer", "apply", "the operation 'apply' ended the process " },
  { "throw", "apply", "the operation 'apply' ended the process " },
  { "endless", "apply", "the operation 'apply' did not return within 1 s" },
  { "print", "apply", "an operation printed 'the coil is hot'" },
  { "print_error", "bind", "an operation printed 'the coil is cold'" },
  { "folder", "apply", "an operation changed the working folder" },
  { "child", "apply", "an operation started a process" },
  { "close_some", "apply", "apply closed file descriptors of the host" },
  { "close_all", "apply", "apply closed file descriptors of the host" },
  { "close_all", "bind", "bind closed file descriptors of the host" },
  { "close_range", "apply", "apply closed file descriptors of the host" },
  { "reopen", "apply", "apply closed file descriptors of the host" },
  { "twice", "bind", "an operation started a process" },
#ifndef __SANITIZE_ADDRESS__   // which has a handler of its own
  { "recursion", "apply", "signal 11 (Segmentation fault, stack overflow)" },
#endif
};
enum { NENDINGS = sizeof endings / sizeof endings[0] };

// The requirement 'process' fails, and the next provider is tested.
START_TEST(check_survives) {
  char words[64];
  snprintf(words, sizeof words, "%s %s", endings[_i].fault, endings[_i].operation);
  setenv("SN_TEST_MISBEHAVE", words, 1);
  output o = call("plugins check %smisbehaving.so --json --set limits.time=1 2> %s", OBJECTS,
                  in_folder("errors"));
  unsetenv("SN_TEST_MISBEHAVE");
  expect(&o, 1);
  // what a process prints that came to its end is a finding, and nothing else is printed
  if (!strstr(endings[_i].says, "the operation '") && !strstr(endings[_i].says, "signal")) {
    output errors = call("--version > /dev/null; cat %s", in_folder("errors"));
    ck_assert_str_eq(errors.text, "");
    done(&errors);
  }
  const json_node *list = member(&o, root(&o), "findings");
  int processes = 0, others = 0, second = 0;
  for (int32_t i = list->first; i; i = o.doc.node[i].next) {
    const json_node *f = &o.doc.node[i];
    const int failed = strcmp(member(&o, f, "result")->text, "FAILED") == 0;
    const int is_process = strcmp(member(&o, f, "requirement")->text, "process") == 0;
    second += strcmp(member(&o, f, "name")->text, "behaves") == 0;
    others += failed && !is_process;
    if (is_process) {
      processes++;
      ck_assert_str_eq(member(&o, f, "name")->text, "misbehaves");
      ck_assert_ptr_nonnull(strstr(member(&o, f, "detail")->text, endings[_i].says));
    }
  }
  ck_assert_int_eq(processes, 1);
  ck_assert_int_eq(others, 0);
  ck_assert_int_gt(second, 1);
  done(&o);
}
END_TEST

// The limit is that of one call, not of all calls between two findings.
START_TEST(slow_operation_is_waited_for) {
  setenv("SN_TEST_MISBEHAVE", "slow apply", 1);
  const double start = si_clock();
  output o = call("plugins check %smisbehaving.so --set limits.time=1 2>&1", OBJECTS);
  unsetenv("SN_TEST_MISBEHAVE");
  ck_assert_double_gt(si_clock() - start, 1);
  ck_assert_msg(o.status == 0, "%s", o.text);
  expect_words(&o, ", 0 failed");
  done(&o);
}
END_TEST

// The process that tests ends with the one that reads, however that ends.
START_TEST(killed_check_leaves_no_process) {
  setenv("SN_TEST_MISBEHAVE", "endless apply", 1);
  output o = call("--version > /dev/null; %s/sinew plugins check %smisbehaving.so > /dev/null 2>&1 "
                  "& i=0; until child=$(pgrep -P $!) || [ $i -ge 400 ]; do i=$((i + 1)); "
                  "sleep 0.05; done; sleep 0.5; kill -KILL $!; wait $! 2> /dev/null; i=0; "
                  "while [ $i -lt 200 ] && grep -qs '^State:.[^ZX]' /proc/$child/status; do "
                  "i=$((i + 1)); sleep 0.05; done; "
                  "if grep -qs '^State:.[^ZX]' /proc/$child/status; then kill -KILL $child; "
                  "echo it runs; elif [ $child ]; then echo it ended; fi",
                  SN_TEST_BUILD, OBJECTS);
  unsetenv("SN_TEST_MISBEHAVE");
  ck_assert_str_eq(o.text, "it ended\n");
  done(&o);
}
END_TEST

TESTS() {
  FIXTURE(set_up, tear_down);
  EACH(exit_is_a_failure, 0, 4);
  EACH(other_exits, 0, 12);
  EACH(exit_of_a_thread, 0, 4);
  TEST(exit_of_a_child);
  TEST(exit_in_json);
  TEST(exit_in_init);
  EACH(abort_is_named, 0, 7);   // destructors of C++ must not throw
  EACH(second_signal_ends_an_endless_operation, 0, 2);
#ifndef __SANITIZE_ADDRESS__
  TEST(stack_overflow_is_named);
#endif
  EACH(unknown_status_is_an_error, 0, 3);
  EACH(written_field_is_named, 0, 3);
  EACH(change_of_the_process_is_named, 0, 3 * NPROCESS);
  EACH(change_at_the_end_is_a_warning, 0, NPROCESS);
  EACH(change_by_a_whole_plugin_is_named, 0, 4);
  EACH(message_is_no_output, 0, 2);
  EACH(handler_put_back_is_no_change, 0, 4);
  TEST(logged_error_is_named);
  EACH(checks_in_the_configuration, 0, 3);
  TEST(jump_out_of_a_step);
  EACH(jump_and_a_deeper_call, 0, 12);
  EACH(state_is_replaced_within_a_step, 0, NCALLS);
  TEST(state_of_another_model_is_rejected);
  EACH(check_survives, 0, NENDINGS);
  TEST(slow_operation_is_waited_for);
  TEST(killed_check_leaves_no_process);
}
