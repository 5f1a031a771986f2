// SPDX-License-Identifier: Apache-2.0
//
// The operations that sinew/plugin.hpp makes of member functions: what a class throws becomes the
// error of the operation, with its text, or a warning in a step and one message that names the
// operation; objects are destroyed once; what a
// class does not find in the model is an error.

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>

#include "sinew/loader.h"
#include "sinew/passive.h"
#include "sinew/plugin.hpp"
#include "sinew/resource.h"
#include "sinew/sinew.h"

namespace {

std::string fault;   // where it throws, or what it does not find
int made = 0;        // objects

void throw_in(const char *place) {
  if (fault == place) {
    throw sinew::failure(SN_ECOMPILE, std::string("the coil is not connected in ") + place);
  }
}

class bound_coil {
 public:
  bound_coil(sn_lookup &lookup, double force)
      : force_(force),
        nv_(sn_lookup_size(&lookup, fault == "size" ? "nvv" : "nv")),
        qvel_(sn_lookup_data(&lookup, fault == "lookup" ? "qvell" : "qvel")) {
    throw_in("bind");
    made++;
  }
  bound_coil(const bound_coil &) = delete;
  ~bound_coil() { made--; }

  int64_t states() const {
    throw_in("states");
    return 0;
  }

  sn_status apply(const sn_data_view *data, const double *, double *qfrc, sn_scratch *) const {
    if (fault == "memory") {
      throw std::bad_alloc();
    }
    if (fault == "number") {
      throw 42;
    }
    throw_in("apply");
    for (int64_t i = 0; i < nv_; i++) {
      qfrc[i] += force_ - sn_field_reals(data->fields, qvel_)[i];
    }
    return SN_OK;
  }

 private:
  double force_;
  int64_t nv_;
  sn_field qvel_;
};

// not the first base: the pointer to the object is not that to its instance
struct tag {
  virtual ~tag() = default;
  double pi = 3;
};

class coil : public tag, public sn_instance {
 public:
  coil(const sn_instance &base, const sn_value *values)
      : sn_instance(base), force_(values[0].real) {
    if (fault == "create") {
      throw std::runtime_error("the coil is not connected in create");
    }
    made++;
  }
  coil(const coil &) = delete;
  ~coil() override { made--; }

  std::unique_ptr<bound_coil> bind(sn_lookup &lookup, const sn_value *) const {
    return fault == "nothing" ? nullptr : std::make_unique<bound_coil>(lookup, force_);
  }

 private:
  double force_;
};

const sn_param params[] = {
  { "force", "2", nullptr, "N m", 0, 9, SN_PARAM_REAL, 0, 0, 0, { nullptr, nullptr } },
  {},
};

sn_passive_ops make_ops() {
  sn_passive_ops ops = {};
  ops.head.size = sizeof ops;
  ops.head.params = params;
  ops.head.create = sinew::create<coil>;
  ops.head.destroy = sinew::destroy<coil>;
  ops.bind = sinew::bind<&coil::bind>;
  ops.unbind = sinew::unbind<bound_coil>;
  ops.states = sinew::bound_operation<&bound_coil::states>;
  ops.apply = sinew::bound_operation<&bound_coil::apply>;
  return ops;
}

// ------------------------------------------------------------------ files

const char model_text[] =
    "<mujoco><worldbody><body><joint axis='0 0 1'/><inertial pos='0 0 0' mass='1' "
    "diaginertia='1 1 1'/></body></worldbody></mujoco>";

class drawn_file {
 public:
  drawn_file() {
    throw_in("open");
    made++;
  }
  drawn_file(const drawn_file &) = delete;
  ~drawn_file() { made--; }

  // what `open` returned belongs to one thread, so its members may change
  sn_status read(uint8_t *bytes, sn_error *) {
    throw_in("read");
    std::memcpy(bytes, model_text, sizeof model_text - 1);
    bytes[0] = fault == "load" ? '-' : '<';   // then only `teller` reads it
    reads_++;
    return SN_OK;
  }

 private:
  int reads_ = 0;
};

// The model is its only file.
class drawer : public tag, public sn_instance {
 public:
  drawer(const sn_instance &base, const sn_value *) : sn_instance(base) {}

  std::unique_ptr<drawn_file> open(const sn_source *, const char *, int64_t *count) const {
    *count = sizeof model_text - 1;
    return fault == "null" ? nullptr : std::make_unique<drawn_file>();
  }
};

class teller : public sn_instance {
 public:
  teller(const sn_instance &base, const sn_value *) : sn_instance(base) {}

  int32_t probe(const uint8_t *, int64_t, const char *) const { return fault == "load" ? 100 : 0; }

  sn_status load(sn_source *source, const sn_builder *, sn_error *) const {
    throw sinew::failure(SN_EPARSE, "the coil is not connected in load", source->name, 3, 7);
  }
};

sn_resource_ops make_drawer() {
  sn_resource_ops ops = {};
  ops.head.size = sizeof ops;
  ops.head.create = sinew::create<drawer>;
  ops.head.destroy = sinew::destroy<drawer>;
  ops.prefixes = "drawer:";
  ops.open = sinew::open<&drawer::open>;
  ops.read = sinew::opened_operation<&drawn_file::read>;
  ops.close = sinew::close<drawn_file>;
  return ops;
}

sn_loader_ops make_teller() {
  sn_loader_ops ops = {};
  ops.head.size = sizeof ops;
  ops.head.create = sinew::create<teller>;
  ops.head.destroy = sinew::destroy<teller>;
  ops.extensions = "coil";
  ops.probe = sinew::operation<&teller::probe>;
  ops.load = sinew::operation<&teller::load>;
  return ops;
}

// ------------------------------------------------------------------ what is seen

struct seen {
  std::string error, log;
  int errors;         // in the log
  double qacc;        // NaN: there is no model
  int64_t warnings;   // of the step
};

void hear(void *context, int32_t level, const char *, const char *text) {
  seen *s = static_cast<seen *>(context);
  s->log += std::string(text) + "\n";
  s->errors += level == SN_LOG_ERROR;
}

seen try_fault(const char *name) {
  const sn_passive_ops ops = make_ops();
  const sn_resource_ops drawer_ops = make_drawer();
  const sn_loader_ops teller_ops = make_teller();
  seen out = { "", "", 0, NAN, 0 };
  fault = name;
  sn_error *error = sn_error_new();
  sn_engine *engine = sn_engine_open(SN_TEST_BUILD "/sinew.ini", error);
  if (engine) {
    sn_engine_set_log(engine, hear, &out);
    SN_ENGINE_ADD(engine, SN_PROVIDE_PASSIVE("coil", &ops), error);
    SN_ENGINE_ADD(engine, SN_PROVIDE_RESOURCE("drawer", &drawer_ops), error);
    SN_ENGINE_ADD(engine, SN_PROVIDE_LOADER("teller", &teller_ops), error);
  }
  sn_model *model = engine ? sn_load(engine, "drawer:m.xml", error) : nullptr;
  if (model) {
    sn_data *data = sn_data_new(model, error);
    sn_forward(model, data);
    out.qacc = snd_qacc(data)[0];
    out.warnings = sn_data_warning_count(data, SN_WARN_PLUGIN);
    sn_data_free(data);
  }
  sn_model_free(model);
  sn_engine_close(engine);
  out.error = sn_error_text(error);
  sn_error_free(error);
  return out;
}

int failures = 0;

void check(const char *name, bool good, const seen &s) {
  if (!good || made != 0) {
    std::fprintf(stderr, "%s: error '%s', log '%s', qacc %g, %lld warnings, %d objects left\n",
                 name, s.error.c_str(), s.log.c_str(), s.qacc, static_cast<long long>(s.warnings),
                 made);
    failures++;
  }
}

bool has(const std::string &text, const char *part) {
  return text.find(part) != std::string::npos;
}

void rejects(const char *name, const char *words) {
  const seen s = try_fault(name);
  check(name, std::isnan(s.qacc) && has(s.error, words), s);
}

// The force is left out, with a warning, and what was thrown is in the log, once, with its operation.
void warns(const char *name, const char *words, const char *status) {
  const seen s = try_fault(name);
  const std::string named = std::string("'coil' (sinew.passive/1): its operation 'apply': ") + words;
  check(name,
        s.qacc == 0 && s.warnings == 1 && s.errors == 1 && has(s.log, named.c_str()) &&
            has(s.log, status),
        s);
}

}   // namespace

int main() {
  const seen good = try_fault(""), idle = try_fault("nothing");
  check("without a fault", good.qacc == 2 && good.warnings == 0, good);
  check("without a bound object", idle.qacc == 0 && idle.warnings == 0, idle);
  rejects("create", "the coil is not connected in create");
  rejects("bind", "the coil is not connected in bind");
  rejects("size", "no size 'nvv'");
  rejects("lookup", "qvell");
  rejects("states", "-1");
  rejects("open", "the coil is not connected in open");
  rejects("null", "open returned a null pointer");
  rejects("read", "the coil is not connected in read");
  rejects("load", "drawer:m.xml:3:7: the coil is not connected in load");
  warns("apply", "the coil is not connected in apply", "SN_ECOMPILE");
  warns("memory", "out of memory", "SN_ENOMEM");
  warns("number", "an exception that is not a std::exception", "SN_EPLUGIN");
  return failures > 0;
}
