// SPDX-License-Identifier: Apache-2.0
//
// What `sinew plugins doctor` and sn_engine_plugin say of plugins that cannot be loaded is what
// sn_engine_open says of each alone, and one that fails does not hide the next.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sinew/sinew.h"
#include "sinew/solver.h"
#include "suite.h"

#define OBJECTS SN_TEST_BUILD "/tests/abi/plugins/"

static const char *const wrong[] = {
  "magic",       "short_descriptor", "major",      "minor",    "real",  "license", "short_table",
  "headless",    "operation",        "kind",       "bad_name", "twice", "default", "init",
  "init_silent", "init_rounding",    "null_entry", "no_entry"
};
enum { NWRONG = sizeof wrong / sizeof wrong[0] };

static char folder[64], ini[128];
static sn_error *error;

static void set_up(void) {
  umask(022);
  strcpy(folder, "/tmp/sinew-doctor-XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(folder));
  ck_assert_int_eq(chmod(folder, 0755), 0);
  snprintf(ini, sizeof ini, "%s/doctor.ini", folder);
  error = sn_error_new();
}

static void tear_down(void) {
  char command[128];
  snprintf(command, sizeof command, "rm -rf %s", folder);
  ck_assert_int_eq(system(command), 0);
  sn_error_free(error);
}

static void write_ini(const char *text) {
  FILE *f = fopen(ini, "w");
  ck_assert_ptr_nonnull(f);
  fputs(text, f);
  fclose(f);
}

// What the command prints; *status: its exit status.
static char *output_of(const char *subcommand, const char *arguments, int *status) {
  static char told[1 << 17];
  char command[512];
  snprintf(command, sizeof command, "LD_LIBRARY_PATH=%s %s/sinew %s %s 2>&1", SN_TEST_BUILD,
           SN_TEST_BUILD, subcommand, arguments);
  FILE *output = popen(command, "r");
  ck_assert_ptr_nonnull(output);
  told[fread(told, 1, sizeof told - 1, output)] = '\0';
  const int ended = pclose(output);
  *status = WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
  return told;
}

static char *doctor(const char *arguments, int *status) {
  return output_of("plugins doctor", arguments, status);
}

static void contains(const char *text, const char *part) {
  ck_assert_msg(strstr(text, part) != NULL, "wanted '%s' in: ...%s", part,
                strlen(text) > 2000 ? text + strlen(text) - 2000 : text);
}

// The message of sn_engine_open for this object alone.
static const char *reason_of(const char *object) {
  char text[512];
  snprintf(text, sizeof text, "[plugins]\n%s = " OBJECTS "%s.so\n", object, object);
  write_ini(text);
  ck_assert_msg(sn_engine_open(ini, error) == NULL, "%s was accepted", object);
  return sn_error_message(error);
}

START_TEST(each_failure_has_its_reason) {
  static char reason[NWRONG][1024], text[1 << 14];
  size_t n = (size_t)snprintf(text, sizeof text, "[plugins]\n");
  for (int i = 0; i < NWRONG; i++) {
    snprintf(reason[i], sizeof reason[i], "%s", reason_of(wrong[i]));
    n += (size_t)snprintf(text + n, sizeof text - n, "%s = " OBJECTS "%s.so\n", wrong[i], wrong[i]);
  }
  snprintf(text + n, sizeof text - n, "good = " OBJECTS "good.so\n");
  write_ini(text);

  // the library
  const sn_engine_request request = { .size = sizeof request,
                                      .flags = SN_ENGINE_TOLERANT,
                                      .config = ini };
  sn_engine *engine = sn_engine_open_with(&request, error);
  ck_assert_msg(engine != NULL, "%s", sn_error_text(error));
  sn_plugin_info p = { .size = sizeof p };
  for (int i = 0; i < NWRONG; i++) {
    char origin[256];
    snprintf(origin, sizeof origin, "%s:%d", ini, i + 2);
    ck_assert_int_eq(sn_engine_plugin(engine, i, &p), 1);
    ck_assert_str_eq(p.key, wrong[i]);
    ck_assert_str_eq(p.origin, origin);
    ck_assert_str_eq(p.reason, reason[i]);
    ck_assert_int_eq(p.status, SN_EPLUGIN);
    ck_assert_ptr_null(p.name);
  }
  ck_assert_int_eq(sn_engine_plugin(engine, NWRONG, &p), 1);
  ck_assert_ptr_null(p.reason);
  ck_assert_int_eq(p.status, SN_OK);
  ck_assert_str_eq(p.name, "org.example.hostile");
  ck_assert_uint_eq(p.abi_major, SN_ABI_MAJOR);
  ck_assert_int_eq(sn_engine_plugin(engine, NWRONG + 1, &p), 0);
  sn_engine_close(engine);

  // the command
  char arguments[256];
  int status;
  snprintf(arguments, sizeof arguments, "--config %s", ini);
  const char *told = doctor(arguments, &status);
  ck_assert_int_eq(status, 1);
  for (int i = 0; i < NWRONG; i++) {
    contains(told, reason[i]);
  }
  contains(told, "loaded       good: " OBJECTS "good.so");
  contains(told, "provides solver alpha");
}
END_TEST

START_TEST(paths_rights_and_libraries) {
  char arguments[512];
  int status;
  write_ini("[plugins]\nfar = nowhere/far.so\nbrings = brings.so\n");
  snprintf(arguments, sizeof arguments, "cp " OBJECTS "brings.so %s/brings.so", folder);
  ck_assert_int_eq(system(arguments), 0);
  snprintf(arguments, sizeof arguments, "--config %s", ini);
  const char *told = doctor(arguments, &status);
  ck_assert_int_eq(status, 1);
  contains(told, "far.so: No such file or directory; correct the path");
  contains(told, "missing                      /tmp/sinew-doctor-");
  contains(told, "libbrought.so: cannot open shared object file");
  contains(told, "install the package with this library, or link");

  // rights of the folder, and of a file alone
  snprintf(arguments, sizeof arguments, "%s/brings.so", folder);
  ck_assert_int_eq(chmod(folder, 0777), 0);
  told = doctor(arguments, &status);
  ck_assert_int_eq(status, 1);
  contains(told, "use: chmod go-w '/tmp/sinew-doctor-");
  contains(told, "drwxrwxrwx");
  contains(told, "drwxrwxrwt");
  told = doctor(OBJECTS "good.so", &status);
  ck_assert_int_eq(status, 0);
  contains(told, "needs ABI 1.0; provides solver alpha");
}
END_TEST

// An optional plugin may need a library that is not installed: no word of it, until something that
// the plugin provides is selected.
START_TEST(optional_plugin_without_its_library) {
  char arguments[512];
  int status;
  write_ini("[plugins]\nmixed = mixed.so\nbrings = brings.so optional\n");
  snprintf(arguments, sizeof arguments, "cp " OBJECTS "mixed.so %s/ && cp " OBJECTS "brings.so %s/",
           folder, folder);
  ck_assert_int_eq(system(arguments), 0);
  snprintf(arguments, sizeof arguments, "pendulum --steps 1 --config %s", ini);
  const char *told = output_of("run", arguments, &status);
  ck_assert_int_eq(status, 0);
  ck_assert_msg(!strstr(told, "libbrought"), "%s", told);

  snprintf(arguments, sizeof arguments, "--config %s", ini);
  told = doctor(arguments, &status);
  ck_assert_msg(status == 0, "%s", told);
  contains(told, "absent       brings: ");
  contains(
      told,
      "doctor.ini:3: it is optional and left out: plugin 'brings' cannot be loaded: libbrought.so");
  contains(told, "plugins loaded, 0 failed");

  snprintf(arguments, sizeof arguments, "pendulum --steps 1 --set solver=alpha --config %s", ini);
  told = output_of("run", arguments, &status);
  ck_assert_int_ne(status, 0);
  contains(told, "no solver is named 'alpha' among the plugins that are loaded; plugin 'brings' "
                 "cannot be loaded: libbrought.so: cannot open shared object file");
  ck_assert_msg(!strstr(told, "add it to section"), "%s", told);
}
END_TEST

// A file that is missing is what `optional` allows; one that cannot be used is a failure.
START_TEST(optional_plugin_is_absent_or_wrong) {
  char arguments[256];
  int status;
  snprintf(arguments, sizeof arguments, "--config %s", ini);
  write_ini("[plugins]\nfar = nowhere/far.so optional\n");
  const char *told = doctor(arguments, &status);
  ck_assert_msg(status == 0, "%s", told);
  contains(told, "doctor.ini:2: it is optional and left out: ");
  contains(told, "No such file or directory");
  snprintf(arguments, sizeof arguments, "--json --config %s", ini);
  told = doctor(arguments, &status);
  ck_assert_int_eq(status, 0);
  contains(told, "\"absent\":true");

  write_ini("[plugins]\nmagic = " OBJECTS "magic.so optional\n");
  snprintf(arguments, sizeof arguments, "--config %s", ini);
  told = doctor(arguments, &status);
  ck_assert_int_eq(status, 1);
  contains(told, "NOT LOADED   magic: ");
}
END_TEST

START_TEST(names_and_instances_are_tried) {
  char arguments[256];
  int status;
  snprintf(arguments, sizeof arguments, "--config %s", ini);
  write_ini("[select]\nsolver = newtn\n");
  const char *told = doctor(arguments, &status);
  ck_assert_int_eq(status, 1);
  contains(told,
           "doctor.ini:2: [select] solver: no solver is named 'newtn'; did you mean 'newton'?");
  contains(told, "plugins loaded, 1 failed");

  write_ini("[plugins]\ncreate = " OBJECTS "create.so\n");
  told = doctor(arguments, &status);
  ck_assert_int_eq(status, 1);
  contains(told, "create does not feel like it");
  contains(told, "plugins loaded, 1 failed");

  // two plugins with the same provider
  write_ini("[plugins]\ngood = " OBJECTS "good.so\nrival = " OBJECTS "rival.so\n");
  told = doctor(arguments, &status);
  ck_assert_int_eq(status, 1);
  contains(told, "loaded       good: ");
  contains(told, "NOT LOADED   rival: ");
  contains(told,
           "plugins 'good' and 'rival' both provide the solver 'alpha'; select one in section "
           "[override]: solver.alpha = rival");

  // of which one is chosen
  write_ini("[plugins]\ngood = " OBJECTS "good.so\nrival = " OBJECTS
            "rival.so\n[override]\nsolver.alpha = rival\n");
  told = doctor(arguments, &status);
  ck_assert_int_eq(status, 0);
  contains(told, "override     solver.alpha is that of plugin 'rival'");
  contains(told, "provides nothing: other plugins replace all of it");

  // a plugin for newer engines, which has a kind that this one does not know
  write_ini("[plugins]\nmixed = " OBJECTS "mixed.so\n");
  told = doctor(arguments, &status);
  ck_assert_int_eq(status, 0);
  contains(told,
           "left out     'alpha' of plugin 'mixed': unknown kind 'sinew.solver/2'; this engine "
           "supports 'sinew.solver/1'");

  // a kind that is misspelled, alone and beside one that is known
  write_ini("[plugins]\nslip = " OBJECTS "slip.so\nslips = " OBJECTS "slips.so\n");
  told = doctor(arguments, &status);
  ck_assert_int_eq(status, 1);
  contains(told, "'alpha' of slip: unknown kind 'sinew.solvr/1'; did you mean 'sinew.solver/1'?");
  contains(told,
           "left out     'alpha' of plugin 'slips': unknown kind 'sinew.solvr/1'; did you mean "
           "'sinew.solver/1'?");
  ck_assert_msg(!strstr(told, "sinew: "), "%s", told);   // each finding once
  snprintf(arguments, sizeof arguments, "--json --config %s", ini);
  told = doctor(arguments, &status);
  contains(told, "\"reason\":\"unknown kind 'sinew.solvr/1'; did you mean 'sinew.solver/1'?\"");

  // --plugin and --set count as for other commands
  told = doctor("--plugin " OBJECTS "good.so", &status);
  ck_assert_int_eq(status, 0);
  contains(told, "loaded       good: ");
  told = doctor("--set solver=nwton", &status);
  ck_assert_int_eq(status, 1);
  contains(told, "no solver is named 'nwton'; did you mean 'newton'?");
}
END_TEST

// A plugin whose instances cannot be created is found by its name and as a file as well.
START_TEST(instances_of_one_are_tried) {
  char arguments[512];
  static const struct {
    const char *arguments;
    int configured;
  } calls[] = {
    { "create", 1 },
    { OBJECTS "create.so", 1 },
    { OBJECTS "create.so", 0 },
    { "--json " OBJECTS "create.so", 0 },
  };
  write_ini("[plugins]\ncreate = " OBJECTS "create.so\n");
  for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
    int status;
    snprintf(arguments, sizeof arguments, "%s%s%s", calls[i].arguments,
             calls[i].configured ? " --config " : "", calls[i].configured ? ini : "");
    const char *told = doctor(arguments, &status);
    ck_assert_msg(status == 1, "%s: %s", arguments, told);
    contains(told, "the solver 'alpha' of create cannot be created: create does not feel like it");
    contains(told, strstr(arguments, "--json") ? "\"failed\":1" : "1 plugin loaded, 1 failed");
  }
}
END_TEST

// A file loads alone, but not with a configuration that has its name, or what it provides.
START_TEST(file_that_clashes) {
  char arguments[512];
  int status;
  write_ini("root = true\n[plugins]\ngood = " OBJECTS "good.so\n");
  snprintf(arguments, sizeof arguments, OBJECTS "rival.so --config %s", ini);
  const char *told = doctor(arguments, &status);
  ck_assert_int_eq(status, 1);
  contains(told, "loaded       rival: ");
  contains(told, "CLASH        it cannot be loaded with this configuration: plugins 'good' and "
                 "'rival' both provide the solver 'alpha'; select one in section [override]: "
                 "solver.alpha = rival");
  snprintf(arguments, sizeof arguments, "--json " OBJECTS "rival.so --config %s", ini);
  told = doctor(arguments, &status);
  contains(told, "\"clash\":\"plugins 'good' and 'rival' both provide");

  // a name of the configuration; the file that the configuration names
  write_ini("root = true\n[plugins]\nrival = " OBJECTS "newer.so\n");
  snprintf(arguments, sizeof arguments, OBJECTS "rival.so --config %s", ini);
  told = doctor(arguments, &status);
  ck_assert_int_eq(status, 1);
  contains(told, "a plugin named 'rival' is already loaded; choose another name");
  snprintf(arguments, sizeof arguments, OBJECTS "newer.so --config %s", ini);
  told = doctor(arguments, &status);
  ck_assert_msg(status == 0, "%s", told);

  // an unreadable configuration is no fault of the plugin file
  write_ini("nonsense\n");
  told = doctor(arguments, &status);
  ck_assert_msg(status == 0, "%s", told);
  contains(told, "the plugin was not tried with a configuration: ");
}
END_TEST

// One that ends the process or does not return has its line, and so have the others.
START_TEST(plugins_that_do_not_return) {
  static const struct {
    const char *object, *shows;
  } objects[] = {
    { "load_exits", "its loading or 'init' ended the process with exit status 0" },
    { "init_exits", "its loading or 'init' ended the process with exit status 0" },
    { "load_endless", "its loading or 'init' did not return within 2 s" },
    { "init_endless", "its loading or 'init' did not return within 2 s" },
    { "create_endless", "its 'create' did not return within 2 s" },
  };
  enum { N = sizeof objects / sizeof objects[0] };
  char arguments[512], text[2048];
  size_t n = (size_t)snprintf(text, sizeof text, "root = true\n[limits]\ntime = 2\n[plugins]\n");
  for (int i = 0; i < N; i++) {
    n += (size_t)snprintf(text + n, sizeof text - n, "%s = " OBJECTS "%s.so optional\n",
                          objects[i].object, objects[i].object);
  }
  snprintf(text + n, sizeof text - n,
           "magic = " OBJECTS "magic.so\nfar = nowhere.so optional\nlast = " OBJECTS "good.so\n");
  write_ini(text);
  int status;
  snprintf(arguments, sizeof arguments, "--config %s", ini);
  const char *told = doctor(arguments, &status);
  ck_assert_int_eq(status, 1);
  for (int i = 0; i < N; i++) {
    snprintf(text, sizeof text, "NOT LOADED   %s: " OBJECTS "%s.so\n             %s:%d: %s; do not",
             objects[i].object, objects[i].object, ini, i + 5, objects[i].shows);
    contains(told, text);
  }
  contains(told, "NOT LOADED   magic: ");
  contains(told, "absent       far: ");
  contains(told, "loaded       last: " OBJECTS "good.so");
  contains(told, "provides solver alpha");
  contains(told, "1 plugin loaded, 6 failed");

  // as JSON; one by its name, and as a file
  write_ini("root = true\n[plugins]\nload_exits = " OBJECTS "load_exits.so\ngood = " OBJECTS
            "good.so\n");
  snprintf(arguments, sizeof arguments, "--json --config %s", ini);
  told = doctor(arguments, &status);
  ck_assert_int_eq(status, 1);
  contains(told, "\"reason\":\"its loading or 'init' ended the process with exit status 0;");
  snprintf(arguments, sizeof arguments, "load_exits --config %s", ini);
  told = doctor(arguments, &status);
  ck_assert_int_eq(status, 1);
  contains(told, "NOT LOADED   load_exits: ");
  contains(told, "0 plugins loaded, 1 failed");
  snprintf(arguments, sizeof arguments, OBJECTS "load_exits.so --config %s", ini);
  told = doctor(arguments, &status);
  ck_assert_int_eq(status, 1);
  contains(told, "NOT LOADED   load_exits: ");

  // with its own parameters it returns
  write_ini("root = true\n[limits]\ntime = 2\n[plugins]\nstuck = " OBJECTS "create_stuck.so\n"
            "[plugin.alpha]\ngain = 7\n");
  snprintf(arguments, sizeof arguments, "--config %s", ini);
  told = doctor(arguments, &status);
  ck_assert_int_eq(status, 1);
  contains(told, "loaded       stuck: ");
  contains(told, "FAILED       before the first model: a 'create' with the parameters of the "
                 "configuration did not return within 2 s");
  contains(told, "1 plugin loaded, 1 failed");
}
END_TEST

// What --check-plugins rejects.
START_TEST(loading_is_checked) {
  static const char *const objects[] = { "signal_loading", "signal_init", "init_closes" };
  static const char *const shows[] = {
    "its operation 'loading' changed the handler of signal",
    "its operation 'init' changed the handler of signal",
    "its operation 'init' closed or replaced standard error",
  };
  char arguments[512];
  int status;
  snprintf(arguments, sizeof arguments, "root = true\n[plugins]\nvictim = " OBJECTS "%s.so\n",
           objects[_i]);
  write_ini(arguments);
  snprintf(arguments, sizeof arguments, "--config %s", ini);
  const char *told = doctor(arguments, &status);
  ck_assert_msg(status == 1, "%s", told);
  contains(told, "NOT LOADED   victim: ");
  contains(told, shows[_i]);
  snprintf(arguments, sizeof arguments, OBJECTS "%s.so", objects[_i]);
  told = doctor(arguments, &status);
  ck_assert_msg(status == 1, "%s", told);
  contains(told, shows[_i]);
}
END_TEST

START_TEST(one_plugin_by_its_name) {
  static const struct {
    const char *word, *shows;
    int status;
  } words[] = {
    { "good", "1 plugin loaded, 0 failed", 0 },
    { "org.example.hostile", "loaded       good: ", 0 },
    { "alpha", "provides solver alpha", 0 },   // a provider
    { "minor", "NOT LOADED   minor: ", 1 },
    { "mino", "the configuration has no plugin 'mino'; did you mean 'minor'?", 1 },
    { "newton", "the configuration has no plugin 'newton'; `sinew plugins doctor` shows all", 1 },
  };
  write_ini("root = true\n[plugins]\ngood = " OBJECTS "good.so\nminor = " OBJECTS "minor.so\n");
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    char arguments[256];
    int status;
    snprintf(arguments, sizeof arguments, "%s --config %s", words[i].word, ini);
    const char *told = doctor(arguments, &status);
    ck_assert_msg(status == words[i].status, "%s: %s", words[i].word, told);
    contains(told, words[i].shows);
    ck_assert_msg(!strstr(told, "good: ") || !strstr(told, "minor: "), "%s: %s", words[i].word,
                  told);
  }
}
END_TEST

TESTS() {
  FIXTURE(set_up, tear_down);
  TEST(each_failure_has_its_reason);
  TEST(paths_rights_and_libraries);
  TEST(optional_plugin_without_its_library);
  TEST(optional_plugin_is_absent_or_wrong);
  TEST(names_and_instances_are_tried);
  TEST(instances_of_one_are_tried);
  TEST(file_that_clashes);
  TEST(plugins_that_do_not_return);
  EACH(loading_is_checked, 0, 3);
  TEST(one_plugin_by_its_name);
}
