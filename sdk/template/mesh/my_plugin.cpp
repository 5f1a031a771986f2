// SPDX-License-Identifier: Apache-2.0
//
// A template for mesh formats in C++: text files *.xyz with the three coordinates of one point in
// each line. The mesh is the convex hull of the points.
//
// sinew/plugin.hpp makes operations of the member functions of `points`, and errors of the
// exceptions that leave them. Replace the extension and the format by your own; the other
// operations of sinew/mesh.h make hulls, convex pieces and images.

#include <array>
#include <cmath>
#include <string>
#include <string_view>

#include "sinew/mesh.h"
#include "sinew/number.h"
#include "sinew/plugin.hpp"

namespace {

constexpr std::string_view blank = " \t\r";

class points : public sn_instance {
public:
  points(const sn_instance &base, const sn_value *) : sn_instance(base) {}

  sn_status decode(const void *bytes, int64_t count, const char *name, sn_mesh_sink *sink,
                   const sn_host *, sn_error *) const {
    std::string_view text(static_cast<const char *>(bytes), static_cast<size_t>(count));
    int32_t line = 0;
    int64_t n = 0;
    while (!text.empty()) {
      const size_t end = text.find('\n');
      const std::string current(text.substr(0, end));
      text.remove_prefix(end == text.npos ? text.size() : end + 1);
      line++;
      if (current.find_first_not_of(blank) == current.npos) {
        continue;   // an empty line
      }
      const char *wrong = nullptr;
      const std::array<double, 3> point = read_point(current, &wrong);
      if (wrong) {
        throw sinew::failure(SN_EPARSE, wrong, name, line);
      }
      SN_TRY(sink->vertices(sink, 1, point.data()));
      n++;
    }
    if (n < 4) {
      throw sinew::failure(SN_EPARSE, "a mesh requires at least four points", name, line);
    }
    return SN_OK;
  }

private:
  // Three finite numbers and nothing else, with a decimal point in every locale.
  static std::array<double, 3> read_point(const std::string &line, const char **wrong) {
    std::array<double, 3> point = {};
    const char *at = line.c_str(), *end = at + line.size();
    for (double &x : point) {
      const char *after = sn_read_number(at, &x);
      if (after == at || !std::isfinite(x)) {
        *wrong = "expected three finite coordinates";
        return point;
      }
      at = after;
    }
    const std::string_view rest(at, static_cast<size_t>(end - at));
    if (rest.find_first_not_of(blank) != rest.npos) {
      *wrong = "the line has more than three coordinates";
    }
    return point;
  }
};

const sn_mesh_ops ops = {
  .head = { .size = sizeof(sn_mesh_ops),
            .summary = "points in text files, *.xyz",
            .create = sinew::create<points>,
            .destroy = sinew::destroy<points> },
  .extensions = "xyz",
  .decode = sinew::operation<&points::decode>,
};

const sn_provide provides[] = {
  SN_PROVIDE_MESH("my_plugin", &ops),
  {},
};

}   // namespace

SN_PLUGIN(.name = "org.example.my_plugin", .version = "1.0", .license = "Apache-2.0",
          .summary = "a mesh format", .provides = provides)
