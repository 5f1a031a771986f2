// SPDX-License-Identifier: Apache-2.0
//
// A template for loaders in C++: a text format with one element in each line, for boxes on a floor,
//
//   # my_plugin
//   floor
//   box MASS  X Y Z  SIZEX SIZEY SIZEZ       kg, m; a free body at X Y Z, with its whole lengths
//
// The class `boxes` is the provider, `reader` a file that it reads; sinew/plugin.hpp makes
// operations of the member functions of `boxes`, and errors of the exceptions that leave them.
// Replace the format by your own.

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>

#include "sinew/loader.h"
#include "sinew/number.h"
#include "sinew/plugin.hpp"

namespace {

constexpr std::string_view mark = "# my_plugin";   // the first line of every file
constexpr std::string_view blank = " \t\r";

class reader {
public:
  reader(const sn_source *source, const sn_builder *builder, sn_error *error)
      : b_(builder), name_(source->name), error_(error) {}

  sn_status read(std::string_view text) {
    for (; !text.empty(); line_++) {
      const size_t n = text.find('\n');
      const std::string line(text.substr(0, n));
      if (line.find('\0') != std::string::npos) {
        fail("the line is not text");
      }
      SN_TRY(read_line(line));
      text.remove_prefix(n == text.npos ? text.size() : n + 1);
    }
    return SN_OK;
  }

private:
  [[noreturn]] void fail(const char *text) const {
    throw sinew::failure(SN_EPARSE, text, name_, line_);
  }

  sn_status read_line(const std::string &line) {
    const size_t n = std::min(line.find_first_of(blank), line.size());
    const std::string_view word(line.data(), n);
    const char *rest = line.c_str() + n;
    if (line[0] == '#' || is_blank(line)) {
      return SN_OK;   // a comment, or nothing
    }
    if (word == "floor") {
      if (!is_blank(rest)) {
        fail("floor has no numbers");
      }
      return add_floor();
    }
    if (word == "box") {
      return add_box(rest);
    }
    fail("unknown element; available: floor, box");
  }

  static bool is_blank(std::string_view text) {
    return text.find_first_not_of(blank) == text.npos;
  }

  // Finite numbers and nothing else, with a decimal point in every locale.
  template <size_t n> std::array<double, n> read_numbers(const char *text) const {
    std::array<double, n> out;
    for (double &x : out) {
      const char *end = sn_read_number(text, &x);
      if (end == text || !std::isfinite(x)) {
        fail("expected: box MASS X Y Z SIZEX SIZEY SIZEZ");
      }
      text = end;
    }
    if (!is_blank(text)) {
      fail("the line has more than 7 numbers");
    }
    return out;
  }

  sn_status add_floor() const {
    sn_geom_def geom;
    sn_default_geom(&geom);
    geom.type = SN_GEOM_PLANE;
    geom.size[0] = geom.size[1] = 10;
    geom.size[2] = 0.1;
    const sn_location location = { name_, line_, 1 };
    return b_->add_geom(b_->spec, &geom, &location, nullptr, error_);
  }

  sn_status add_box(const char *text) const {
    const auto x = read_numbers<7>(text);
    const sn_location location = { name_, line_, 1 };
    sn_body_def body;
    sn_joint_def joint;
    sn_geom_def geom;
    sn_default_body(&body);
    sn_default_joint(&joint);
    sn_default_geom(&geom);
    for (size_t i = 0; i < 3; i++) {
      body.pos[i] = x[1 + i];
      geom.size[i] = 0.5 * x[4 + i];
    }
    SN_TRY(b_->add_body(b_->spec, &body, &location, &joint.body, error_));
    joint.type = SN_JOINT_FREE;
    SN_TRY(b_->add_joint(b_->spec, &joint, &location, nullptr, error_));
    geom.body = joint.body;
    geom.type = SN_GEOM_BOX;
    geom.mass = x[0];
    return b_->add_geom(b_->spec, &geom, &location, nullptr, error_);
  }

  const sn_builder *b_;
  const char *name_;
  int32_t line_ = 1;
  sn_error *error_;   // of the builder
};

class boxes : public sn_instance {
public:
  boxes(const sn_instance &base, const sn_value *) : sn_instance(base) {}

  int32_t probe(const uint8_t *bytes, int64_t count, const char *) const {
    return text_of(bytes, count).substr(0, mark.size()) == mark ? 100 : 0;
  }

  sn_status load(sn_source *source, const sn_builder *builder, sn_error *error) const {
    if (probe(source->bytes, source->count, source->name) == 0) {
      throw sinew::failure(SN_EPARSE, "the first line is not '# my_plugin'", source->name, 1);
    }
    return reader(source, builder, error).read(text_of(source->bytes, source->count));
  }

private:
  static std::string_view text_of(const uint8_t *bytes, int64_t count) {
    return { reinterpret_cast<const char *>(bytes), static_cast<size_t>(count) };
  }
};

const sn_loader_ops ops = {
  .head = { .size = sizeof(sn_loader_ops),
            .summary = "boxes on a floor, as text",
            .create = sinew::create<boxes>,
            .destroy = sinew::destroy<boxes> },
  .extensions = "txt",
  .probe = sinew::operation<&boxes::probe>,
  .load = sinew::operation<&boxes::load>,
};

const sn_provide provides[] = {
  SN_PROVIDE_LOADER("my_plugin", &ops),
  {},
};

}   // namespace

SN_PLUGIN(.name = "org.example.my_plugin", .version = "1.0", .license = "Apache-2.0",
          .summary = "a file format", .provides = provides)
