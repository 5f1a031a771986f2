// SPDX-License-Identifier: Apache-2.0
//
// An application that catches exceptions of a plugin: the simulation is back at the state from
// before the step, says which operation was left, and goes on.

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>
#include <string>

#include "sinew/sinew.h"

namespace {

void require(bool good, const char *what, const char *message) {
  if (!good) {
    std::fprintf(stderr, "not so: %s (%s)\n", what, message);
    std::exit(1);
  }
}
#define REQUIRE(condition, error) require((condition), #condition, sn_error_text(error))

const char model_text[] =
    "<mujoco><option integrator='RK4'/><worldbody><body><joint axis='0 1 0'/>"
    "<geom size='.1' pos='.1 0 0'/></body></worldbody></mujoco>";

// An engine whose plugin throws in this call of this operation.
sn_engine *open(const char *operation, int call, sn_error *error) {
  char path[] = "/tmp/sinew-catching-XXXXXX";
  const int descriptor = mkstemp(path);
  const std::string text = std::string("[plugins]\n") +
                           "misbehaving = " SN_TEST_BUILD "/tests/abi/plugins/misbehaving.so\n" +
                           "[plugin.misbehaves]\nfault = throw\noperation = " + operation +
                           "\ncall = " + std::to_string(call) + "\n";
  REQUIRE(write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size()), error);
  close(descriptor);
  sn_engine *engine = sn_engine_open(path, error);
  unlink(path);
  REQUIRE(engine, error);
  REQUIRE(sn_engine_add_resource(engine, "m.xml", model_text, sizeof model_text - 1, error) >= 0,
          error);
  return engine;
}

int running() {
  sn_operation_info info = {};
  info.size = sizeof info;
  return sn_running_operation(&info);
}

// call 1: in an evaluation of the step; call 3: in one that the integrator requested.
void throw_in_step(int call) {
  sn_error *error = sn_error_new();
  sn_engine *engine = open("apply", call, error);
  sn_model *model = sn_load(engine, "m.xml", error);
  REQUIRE(model, error);
  sn_data *data = sn_data_new(model, error);
  REQUIRE(data, error);
  snd_qvel(data)[0] = 0.5;
  std::string caught;
  try {
    sn_step(model, data);
  } catch (const std::runtime_error &e) {
    caught = e.what();
  }
  REQUIRE(caught == "the field coil is not connected", sn_data_error(data));
  const char *message = sn_error_message(sn_data_error(data));
  REQUIRE(std::strstr(message, "'misbehaves' (sinew.passive/1) of plugin 'misbehaving'"),
          sn_data_error(data));
  REQUIRE(std::strstr(message, "'apply' was left by an exception"), sn_data_error(data));
  REQUIRE(!running(), error);
  REQUIRE(snd_time(data)[0] == 0 && snd_qpos(data)[0] == 0 && snd_qvel(data)[0] == 0.5, error);

  // the same step as that of a simulation in which nothing was thrown
  sn_data *other = sn_data_new(model, error);
  snd_qvel(other)[0] = 0.5;
  REQUIRE(sn_step(model, data) == SN_OK, sn_data_error(data));
  REQUIRE(sn_step(model, other) == SN_OK, sn_data_error(other));
  REQUIRE(snd_qpos(data)[0] == snd_qpos(other)[0] && snd_qpos(data)[0] != 0, error);
  sn_data_free(other);
  sn_data_free(data);
  sn_model_free(model);
  sn_engine_close(engine);
  sn_error_free(error);
}

// While models are made there is no simulation to save: the engine can be closed. The locale of the
// thread is what it was.
void throw_while_loading(const char *operation) {
  sn_error *error = sn_error_new();
  sn_engine *engine = open(operation, 1, error);
  const locale_t before = uselocale(static_cast<locale_t>(nullptr));
  bool caught = false;
  try {
    sn_model_free(sn_load(engine, "m.xml", error));
  } catch (const std::runtime_error &) {
    caught = true;
  }
  REQUIRE(caught, error);
  REQUIRE(!running(), error);
  REQUIRE(uselocale(static_cast<locale_t>(nullptr)) == before, error);
  sn_engine_close(engine);
  sn_error_free(error);
}

}   // namespace

int main() {
  throw_in_step(1);
  throw_in_step(3);
  throw_while_loading("create");
  throw_while_loading("bind");
  return 0;
}
