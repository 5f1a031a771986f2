// SPDX-License-Identifier: Apache-2.0
//
// Messages of the `sinew` command about its arguments and inputs: they name what would have been
// right.

#include "scenes.h"
#include "suite.h"
#include "temporary_folder.h"
#include "tools/calling.h"

// Arguments, the exit status, and a part of the message.
static const struct {
  const char *arguments;
  int status;
  const char *says;
} calls[] = {
  { "", 2, "usage" },
  { "rnu", 2, "did you mean 'run'" },
  { "run", 2, "MODEL is missing" },
  { "run a.xml b.xml", 2, "unexpected argument" },
  { "run --tme 3 a.xml", 2, "did you mean --time" },
  { "run a.xml --time", 2, "takes a value" },
  { "run a.xml --time x", 2, "number of seconds" },
  { "run a.xml --time 1e300", 2, "a number of seconds, from 0 to 1e+12, not '1e300'" },
  { "run a.xml --steps -1", 2, "--steps takes an integer, at least 0, not '-1'" },
  { "run a.xml --every 0", 2, "--every takes an integer, at least 1, not '0'" },
  { "--foo", 2, "unknown option '--foo'; options follow the command" },
  { "run a.xml --time 1 --steps 5", 2, "cannot be combined" },
  { "run a.xml --json=1", 2, "takes no value" },
  { "run a.xml --set timestep", 2, "NAME=VALUE" },
  { "run a.xml -x", 2, "unknown option -x" },
  { "run nothing.xml", 1, "nothing.xml" },
  { "run .", 1, "cannot read .: it is a folder" },
  { "run ./", 1, "cannot read .: it is a folder" },
  { "plugins doctor a.txt", 1, "a path with a slash, such as ./FILE" },
  { "plugins check a.txt", 1, "a path with a slash, such as ./FILE" },
  { "run " SAMPLE("arm") " --set tolerence=0", 1, "did you mean 'tolerance'" },
  { "run " SAMPLE("arm") " --set solver=newtom", 1, "newton" },
  { "run " SAMPLE("arm") " --key nokey", 1, "no keyframe 'nokey'" },
  { "run " SAMPLE("arm") " --config nothing.ini", 1, "nothing.ini" },
  { "run " SAMPLE("arm") " --out /nowhere/a.csv", 1, "/nowhere/a.csv" },
  { "run " SAMPLE("arm") " --set timestep=1e-12 --time 1e9", 1, "is too many steps" },
  { "inspect " SAMPLE("arm") " body_mas", 2, "did you mean 'body_mass'" },
  { "state " SAMPLE("arm") " --input nothing.json", 1, "nothing.json" },
  { "trace " SAMPLE("arm"), 2, "--steps is missing" },
  { "trace " SAMPLE("arm") " --steps 5 --record 1,9", 2, "the run has steps 0 to 5" },
  { "trace " SAMPLE("arm") " --steps 5 --record 3:2", 2, "the range is reversed; write 2:3" },
  { "compile " SAMPLE("arm"), 2, "--out FILE is missing" },
  { "plugins", 2, "sinew plugins inspect [NAME | FILE.so]" },
  { "plugins show", 2, "must be list, inspect, check, doctor or new" },
  { "plugins inspect newtn", 1, "did you mean 'newton'" },
  { "plugins check ./nothing.so", 1, "nothing.so" },
  { "run pendulm", 1, "did you mean the sample 'pendulum.xml'?" },
  { "run " SN_TEST_SOURCE "/samples/models/pendlum.xml", 1,
    "did you mean the sample 'pendulum.xml'?" },
  { "run x_xy/inv_pendulm", 1, "did you mean the sample 'x_xy/inv_pendulum.xml'?" },
  { "run nothing_similar", 1, "no sample of that name; samples are ant, arm, cart_pole," },
  { "run pendulum --output x", 2, "did you mean --out?" },
  { "run arm --key nope", 1,
    "there is no keyframe 'nope'; keyframes of the model: 'reach' (0), 'fall' (1)" },
  { "run chain --key nope", 1, "keyframes of the model: none" },
  { "run arm --set cone=eliptic", 1, "one of these: pyramidal, elliptic, not 'eliptic'" },
  { "run arm --set contact=of", 1, "--set contact=of: flag 'contact' takes on or off" },
  { "run arm --set fric=1", 1, "--set fric=1: models have no option or flag 'fric'" },
  { "run arm --set solver=newtn", 1, "--set solver=newtn: no solver is named 'newtn'" },
  { "compare arm --vary timestep=x", 1, "--vary timestep=x: option 'timestep' takes 1 number" },
  { "compare arm --solver newtn", 1, "--solver newtn: no solver is named 'newtn'" },
  { "rollout arm --n 1 --steps 1 --record foo", 1, "--record: 'foo' is not an array of the" },
  { "rollout arm --n 1 --steps 1 --vary foo=1", 1, "--vary: 'foo' is not an array of the model" },
  { "rollout arm --n 1 --steps 1 --stop foo=1:", 1, "--stop: 'foo' is not an array of the" },
  { "run arm --show contact", 2, "--show; it is an option of the command render" },
  { "run arm --fine 2", 2, "--fine; it is an option of the command compare" },
  { "run arm --set o_solref=0.01,1 --steps 1", 0, "no effect without --set override=on" },
  { "run arm --out - --json", 2, "both write to standard output" },
  { "run arm --every 3", 2, "require --out FILE" },
  { "run arm -oq -x", 2, "unknown option -x" },
  { "run arm -o", 2, "--out takes a value" },
  { "run - --steps 1 </dev/null", 1, "standard input: the file is empty" },
  { "compare stack --solver newton --solver cg", 2,
    "--solver is given twice; separate the values of a list by commas" },
  { "compare stack --vary timestep=.001 --vary timestep=.002", 2,
    "--vary timestep is given twice" },
  { "run arm --steps 1 --steps=2", 2, "--steps is given twice" },
  { "run arm -o a.csv --out b.csv", 2, "--out is given twice" },
  { "run arm --set profile=mine", 2, "use --profile NAME" },
  { "run arm --set plugins.x=x.so", 2, "use --plugin FILE.so" },
  { "run arm --set select=cg", 2, "write solver=NAME" },
  { "run arm --set include=a.ini", 2, "it belongs in a file that --config names" },
  { "run arm --set check_plugins=perhaps", 1, "'perhaps'" },
  { "run arm --profile nope --profile none", 2, "--profile is given twice" },
  { "run - --input - --steps 1 <" SAMPLE("pendulum"), 1, "can be read once only" },
  { "convert arm -o arm.robot", 2, "--format must name a format" },
  { "convert arm --format urdf -o arm.robot", 1, "'urdf' cannot write" },
  { "trace pendulum --steps 5 --record qpso", 2, "did you mean 'qpos'?" },
  { "trace pendulum --steps 5 --record efc_force", 2, "its size changes" },
  { "trace pendulum --steps 5 --record 2:1", 2, "reversed; write 1:2" },
  { "trace pendulum --steps 5 --record 1,,2", 2, "an item is empty" },
  { "trace pendulum --steps 5 --record 'every 0.0001s'", 2,
    "the interval must be at least one time step, 0.001 s" },
  { "trace pendulum --steps 5 --record 'every x'", 2, "a number of steps or seconds" },
  { "trace pendulum --steps 5 --record foo", 2,
    "'foo': neither an array nor a set of steps; `sinew fields MODEL` lists the arrays" },
  { "run arm --ctrl 1,2", 2, "unknown option --ctrl; controls and states are set with --input" },
  { "run arm --set ctrl=1", 2, "controls and states are set with --input FILE.json" },
  { "run arm --set ctrl_sequence=1", 2, "controls and states are set with --input FILE.json" },
  { "run arm --input '{\"ctrl\":[1]}'", 2, "--input takes the name of a JSON file" },
  { "run arm --plugin /bin/ls", 1, "it is a program, and a plugin is a shared object" },
  { "run arm --set limits.memory=1K", 1,
    "KiB of memory are needed, more than limits.memory, 1.0 KiB for one file; to allow it, raise "
    "limits.memory: with --set, or in section [limits]" },
  { "share arm -o y.pdf", 2, "--out 'y.pdf': the name must end in .html" },
  { "render arm --depth d.txt", 2, "--depth 'd.txt': the name must end in .npy" },
  { "plot " SAMPLE("arm") " -o h.svg", 1, "is not a number; expected CSV: a line of column names" },
  { "problem", 2, "sinew problem solve FILE" },
  { "problem solve cart_pole", 1, "`sinew problem save` writes such files" },
  { "problem solve nothing --solver newtn", 1, "did you mean 'newton'" },
  { "problem solve " SN_TEST_SOURCE "/tests/problems/stack_elliptic.problems --solver coulomb "
    "--set plugin.coulomb.normal=2",
    1, "normal" },
  { "problem solve " SN_TEST_SOURCE "/tests/problems/stack_elliptic.problems --solver coulomb "
    "--set plugin.coulomb.normal=1e-3 --set tolerance=1e-6",
    0, "" },
  { "inspect pendulum ncom", 2, "did you mean 'ncam'? `sinew fields` lists" },
  { "inspect pendulum ncon", 2, "it is a field of the state: sinew state pendulum ncon" },
  { "run pendulum --set mimic=true", 1, "set 'plugin.urdf.mimic'" },
  { "run pendulum --set urdf.mimic=true", 1, "did you mean 'plugin.urdf.mimic'?" },
  { "run pendulum --set gravity='0 0'", 1, "'gravity' takes three numbers, or on or off" },
  { "compare pendulum --steps 2 --collision box-box=gjk,nosuch", 1,
    "no collider is named 'nosuch'" },
  { "fields pendulum warp drive", 1,
    "no field matches 'warp' and 'drive'; `sinew fields pendulum`" },
  { "plugins list --sample a.xml", 2, "--sample belongs to plugins check" },
  { "plugins check --sample nothing.xml", 1, "nothing.xml" },
  { "plugins check newton --sample " SAMPLE("arm"), 1,
    "--sample is for loaders, and 'newton' has none" },
  { "-q run arm", 2, "'-q' must follow a command, as in: sinew run -q" },
  { "trace pendulum --steps 5 --record 'every 0'", 2, "'every 0'" },
  { "run arm --set decomposition=none", 1, "decomposes meshes; available: decompose" },
  { "fields pendulum nope", 1, "no field matches 'nope'; `sinew fields pendulum` lists all" },
  { "verison", 2, "did you mean 'version'" },
  { "run 'a\x1b[31m'", 1, "'a\\x1b[31m'" },
  { "run arm --profile '\x1b[31m'", 1, "'\\x1b[31m'" },
  { "run - <&-", 1, "standard input: cannot be read: Bad file descriptor" },
  { "plugins new sensor foo /dev/null/foo", 1, "/dev/null/foo: Not a directory" },
};
enum { NCALLS = sizeof calls / sizeof calls[0] };

START_TEST(message) {
  output o = call("%s 2>&1 >/dev/null", calls[_i].arguments);
  expect(&o, calls[_i].status);
  ck_assert_msg(strstr(o.text, calls[_i].says) != NULL, "sinew %s says: %s", calls[_i].arguments,
                o.text);
  done(&o);
}
END_TEST

// Files on standard input.
static const struct {
  const char *arguments, *text, *says;
} inputs[] = {
  { "state cart_pole --input - qpos", "{\"qpos\":[0,1],\n\"qpos\":[0,2]}",
    "standard input:2:8: 'qpos' is given twice" },
  { "plot - -o h.svg", "time,x\"y\n1,2\n", "standard input:1: a quote in this line is not closed" },
  { "plot - -o h.svg", "time,x\n1,\"2\n", "standard input:2: a quote in this line is not closed" },
  { "plot - -o h.svg", "", "standard input: expected CSV: a line of column names" },
  { "run -", "garbage",
    "neither XML nor a binary model of Sinew; formats with a loader: mjcf, urdf, x_xy. Convert" },
  { "run -", "<sdf version='1.6'/>", "whose root element is <sdf>; formats with a loader: " },
  { "run -", "\xff\xfe<", "standard input: the file is in UTF-16; save it as UTF-8\n" },
  { "run -", "<mujoco><asset><texture type='2d' file='" SAMPLE("arm") "'/></asset></mujoco>",
    "arm.xml' cannot be read; images can have the extensions png; a file with any other extension "
    "must" },
  { "run -", "<mujoco><worldbody><geom colour='1'/></worldbody></mujoco>",
    "geom: unknown attribute \"colour\"; `sinew schema` lists the attributes" },
  { "run -",
    "<mujoco><worldbody><body><joint name='hip'/><geom size='.1'/></body></worldbody><actuator>"
    "<motor joint='knee'/></actuator></mujoco>",
    "there is no joint 'knee'; available: hip" },
  { "run pendulum --steps 1 --input -", "{\"qpos\":[1],}",
    "1:13: expected a name in double quotes after ','; remove the ',' if the object ends here" },
};
enum { NINPUTS = sizeof inputs / sizeof inputs[0] };

START_TEST(message_of_input) {
  put_text("input", inputs[_i].text);
  output o = call("%s 2>&1 >/dev/null <%s", inputs[_i].arguments, in_folder("input"));
  expect(&o, 1);
  ck_assert_msg(strstr(o.text, inputs[_i].says) != NULL, "%s", o.text);
  done(&o);
}
END_TEST

// The energy at the start and at the end is that of a copy, whose warnings are not printed.
START_TEST(one_warning) {
  put_text("stiff.xml",
           "<mujoco><option timestep='.01'/><default><geom solref='-1e5 0'/></default><worldbody>"
           "<geom type='plane' size='5 5 1'/><body pos='0 0 .09'><freejoint/><geom size='.1'/>"
           "</body></worldbody></mujoco>");
  output o = call("run %s --steps 2 2>&1 >/dev/null", in_folder("stiff.xml"));
  const char *first = strstr(o.text, "gains energy at the timestep 0.01");
  ck_assert_msg(first && !strstr(first + 1, "gains energy"), "%s", o.text);
  done(&o);
}
END_TEST

// States are CSV, whatever the name of the file.
START_TEST(name_of_the_states) {
  output o = call("run arm --steps 1 -o %s 2>&1 >/dev/null", in_folder("a.foo"));
  expect(&o, 0);
  ck_assert_ptr_nonnull(strstr(o.text, "a.foo: comma-separated values (CSV) are written"));
  done(&o);
  o = call("run arm --steps 1 -o %s 2>&1 >/dev/null", in_folder("a.csv"));
  ck_assert_ptr_null(strstr(o.text, "warning"));
  done(&o);
}
END_TEST

// Words of people who know the field, in what is printed.
static const struct {
  const char *arguments, *says;
} prints[] = {
  { "render --help", "draw without back-face culling\n" },
  { "render --help", "draw with contact points\n" },
  { "run stack --steps 2", "\nconstraints mean " },
  { "compare stack --steps 2 --solver newton", " violation penetration\n" },
};
enum { NPRINTS = sizeof prints / sizeof prints[0] };

START_TEST(printed) {
  output o = call("%s", prints[_i].arguments);
  expect(&o, 0);
  ck_assert_msg(strstr(o.text, prints[_i].says) != NULL, "%s", o.text);
  done(&o);
}
END_TEST

TESTS() {
  FIXTURE(open_folder, close_folder);
  EACH(message, 0, NCALLS);
  EACH(message_of_input, 0, NINPUTS);
  TEST(one_warning);
  TEST(name_of_the_states);
  EACH(printed, 0, NPRINTS);
}
