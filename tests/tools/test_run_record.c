// SPDX-License-Identifier: Apache-2.0
//
// sinew run --record FILE.json and --verify: a record of an unchanged run is confirmed, and each
// change that is planted is the first difference that is named. And the hash behind it.

#include <stdlib.h>
#include <string.h>

#include "sinew/sinew.h"
#include "suite.h"
#include "temporary_folder.h"
#include "tools/calling.h"
#include "tools/runs/sha256.h"

// A body with a mesh, made of three files, that falls on a plane and tumbles.
static const char model[] =
    "<mujoco><include file='part.xml'/><worldbody><geom type='plane' size='5 5 .1'/>"
    "<body pos='0 0 .4' euler='20 30 0'><freejoint/><geom type='mesh' mesh='rock'/></body>"
    "</worldbody></mujoco>";
static const char part[] = "<mujoco><asset><mesh name='rock' file='rock.obj'/></asset></mujoco>";
static const char mesh[] = "v 0 0 0\nv .3 0 0\nv 0 .2 0\nv 0 0 .25\n"
                           "f 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

static void record_rock(void) {
  char line[512];
  open_folder();
  put_text("rock.xml", model);
  put_text("part.xml", part);
  put_text("rock.obj", mesh);
  // a plugin and a configuration of its own, which tests may change
  snprintf(line, sizeof line,
           "cd %s && cp " SN_TEST_BUILD "/plugins/newton.so " SN_TEST_BUILD "/plugins/qhull.so . "
           "&& mkdir parts && cp " SN_TEST_BUILD "/plugins/parts/qhull.so parts",
           in_folder(""));
  ck_assert_int_eq(system(line), 0);
  put_text("own.ini", "[plugins]\nnewton = newton.so\nqhull = qhull.so\n");
  output o = call("run %s/rock.xml --steps 400 --config %s/own.ini --record %s/run.json 2>&1",
                  in_folder(""), in_folder(""), in_folder(""));
  expect(&o, 0);
  done(&o);
}

static output verify(const char *arguments) {
  return call("run --verify %s/run.json %s", in_folder(""), arguments);
}

static const char *first_difference(const output *o, const char *key) {
  const json_node *list = member(o, &o->doc.node[0], "differences");
  ck_assert_int_gt(list->count, 0);
  return member(o, &o->doc.node[list->first], key)->text;
}

// ------------------------------------------------------------------ records

START_TEST(unchanged_run_is_confirmed) {
  output o = verify("--json");
  expect(&o, 0);
  const json_node *r = root(&o);
  ck_assert(member(&o, r, "ok")->number != 0);
  ck_assert(member(&o, r, "same_state")->number != 0);
  ck_assert_int_eq(member(&o, r, "differences")->count, 0);
  ck_assert(number(&o, r, "steps") == 400);
  done(&o);
}
END_TEST

// The values of a record are those of `sha256sum`, and of all three files.
START_TEST(record_has_hashes_of_all_files) {
  char cat[600];
  snprintf(cat, sizeof cat, "cat %s", in_folder("run.json"));
  output o = run_line(cat);
  const json_node *files = member(&o, root(&o), "files");
  static const char *const names[] = { "rock.xml", "part.xml", "rock.obj" };
  ck_assert_int_eq(files->count, 3);
  for (int i = 0; i < 3; i++) {
    char line[512], hash[80] = "sha256:", path[400];
    ck_assert_ptr_nonnull(realpath(in_folder(names[i]), path));
    snprintf(line, sizeof line, "sha256sum %s", path);
    FILE *pipe = popen(line, "r");
    ck_assert(pipe && fscanf(pipe, "%64s", hash + 7) == 1);
    pclose(pipe);
    ck_assert_str_eq(member(&o, files, path)->text, hash);
  }
  const json_node *state = member(&o, member(&o, &o.doc.node[0], "result"), "state");
  ck_assert_int_eq(member(&o, state, "qpos")->count, 7);
  done(&o);
}
END_TEST

static const struct {
  const char *change;   // a line of a shell, in the folder
  const char *what;     // the group of the first difference
  const char *text;     // part of its text
  int same_state;
} changes[] = {
  { "sed -i 's/v .3 0 0/v .31 0 0/' rock.obj", "files", "rock.obj: its hash is sha256:", 0 },
  { "echo '# a comment' >> rock.obj", "files", "rock.obj: its hash is sha256:", 1 },
  { "sed -i \"s/name='rock'/name='rock' scale='1 1 2'/\" part.xml", "files", "part.xml: its hash",
    0 },
  { "echo ' ' >> rock.xml", "files", "rock.xml: its hash", 1 },
  { "echo x >> newton.so", "plugins", "newton: '", 1 },
  { "echo x >> parts/qhull.so", "plugins", "qhull: '", 1 },
  { "printf '[select]\\nsolver = pgs\\n' >> own.ini", "configuration",
    "select.solver: 'pgs' instead of '(the model", 0 },
  { "sed -i '/\"result\"/,$s/\"qvel\":\\[/\"qvel\":[1/' run.json", "state", "qvel: 1 of 6 numbers",
    0 },
  { "sed -i 's/\"engine\":{\"version\":\"[^\"]*/\"engine\":{\"version\":\"0.0.1/' run.json",
    "engine", "instead of '0.0.1'", 1 },
  { "sed -i 's/\"cg\":\"/\"gone\":\"1 sha256:0\",\\n\"cg\":\"/' run.json", "plugins",
    "gone: now missing", 1 },
};
enum { NCHANGES = sizeof changes / sizeof changes[0] };

START_TEST(a_change_is_the_first_difference) {
  char line[1024];
  snprintf(line, sizeof line, "cd %s && %s", in_folder(""), changes[_i].change);
  ck_assert_int_eq(system(line), 0);
  output o = verify("--json");
  expect(&o, 1);
  ck_assert(member(&o, root(&o), "ok")->number == 0);
  ck_assert_str_eq(first_difference(&o, "what"), changes[_i].what);
  ck_assert_msg(strstr(first_difference(&o, "text"), changes[_i].text) != NULL, "%s",
                first_difference(&o, "text"));
  ck_assert_int_eq(member(&o, &o.doc.node[0], "same_state")->number != 0, changes[_i].same_state);
  done(&o);
  // as text: the same on standard error, with the same status
  o = verify("2>&1 > /dev/null");
  expect(&o, 1);
  ck_assert_ptr_nonnull(strstr(o.text, changes[_i].text));
  done(&o);
}
END_TEST

// The record does not depend on the folder that it is used from, nor on that of the model.
START_TEST(model_may_move) {
  char line[512];
  snprintf(line, sizeof line, "cd %s && mkdir moved && mv rock.xml part.xml rock.obj moved",
           in_folder(""));
  ck_assert_int_eq(system(line), 0);
  output o = verify("2> /dev/null");
  expect(&o, 1);   // the model is not found
  done(&o);
  snprintf(line, sizeof line, "%s/moved/rock.xml", in_folder(""));
  o = verify(line);
  expect(&o, 0);
  done(&o);
}
END_TEST

// What the run starts from is in the record: key and input are not needed again.
START_TEST(inputs_are_repeated) {
  put_text("in.json", "{\"qpos\":[0.1,0.2,0.3,0.4],\"ctrl_sequence\":[[1,0,0,0],[0,1,0,0],"
                      "[0,0,1,0],[0,0,0,-1]]}");
  output o = call("run arm --input %s/in.json --record %s/arm.json 2>&1", in_folder(""),
                  in_folder(""));
  expect(&o, 0);
  done(&o);
  ck_assert_int_eq(remove(in_folder("in.json")), 0);
  o = call("run --verify %s/arm.json", in_folder(""));
  expect(&o, 0);
  done(&o);
}
END_TEST

static const struct {
  const char *arguments, *says;
  int status;
} wrong_calls[] = {
  { "--verify own.ini", "own.ini:1", 1 },
  { "--verify nothing.json", "nothing.json", 1 },
  { "--verify run.json --steps 3", "cannot be combined", 2 },
  { "rock.xml --steps 1 --record no/such/folder.json", "no/such/folder.json", 1 },
  { "--verify empty.json", "not a record of a run", 1 },
  { "--verify part.json", "is missing", 1 },
};
enum { NWRONG_CALLS = sizeof wrong_calls / sizeof wrong_calls[0] };

START_TEST(wrong_calls_are_named) {
  put_text("empty.json", "{}");
  put_text("part.json", "{\"format\":\"sinew run record 1\",\"engine\":{},"
                        "\"arguments\":{\"model\":\"rock.xml\",\"steps\":1}}");
  char line[1024];
  snprintf(line, sizeof line, "cd %s; %s/sinew run %s 2>&1", folder, SN_TEST_BUILD,
           wrong_calls[_i].arguments);
  output o = run_line(line);
  expect(&o, wrong_calls[_i].status);
  ck_assert_msg(strstr(o.text, wrong_calls[_i].says) != NULL, "%s", o.text);
  done(&o);
}
END_TEST

// ------------------------------------------------------------------ the hash

// The examples of FIPS 180-4, and lengths around those of a block.
START_TEST(hash_is_sha256) {
  static const struct {
    const char *text, *hash;
  } known[] = {
    { "", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855" },
    { "abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" },
    { "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1" },
  };
  char hash[SHA256_TEXT], other[SHA256_TEXT], text[20001], line[512];
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    sha256_bytes(known[i].text, strlen(known[i].text), hash);
    ck_assert_str_eq(hash, known[i].hash);
  }
  static const int lengths[] = { 55, 56, 63, 64, 65, 127, 128, 16384, 16385, 20000 };
  for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
    memset(text, 'x', sizeof text);
    text[lengths[i]] = '\0';
    put_text("text", text);
    sha256_bytes(text, (size_t)lengths[i], hash);
    ck_assert(sha256_file(in_folder("text"), other));
    ck_assert_str_eq(hash, other);
    snprintf(line, sizeof line, "sha256sum %s", in_folder("text"));
    FILE *pipe = popen(line, "r");
    ck_assert(pipe && fscanf(pipe, "%64s", other) == 1);
    pclose(pipe);
    ck_assert_str_eq(hash, other);
  }
  ck_assert(!sha256_file(in_folder("nothing"), other));
}
END_TEST

TESTS() {
  FIXTURE(record_rock, close_folder);
  TEST(unchanged_run_is_confirmed);
  TEST(record_has_hashes_of_all_files);
  EACH(a_change_is_the_first_difference, 0, NCHANGES);
  TEST(model_may_move);
  TEST(inputs_are_repeated);
  EACH(wrong_calls_are_named, 0, NWRONG_CALLS);
  TEST(hash_is_sha256);
}
