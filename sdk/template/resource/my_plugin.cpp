// SPDX-License-Identifier: Apache-2.0
//
// A template for resources in C++: files whose content the plugin has itself, under names that
// begin with "my_plugin:".
//
// The class `table` is the provider, `file` one open file; sinew/plugin.hpp makes operations of
// their member functions, and errors of the exceptions that leave them. Replace the entries by the
// place that your files come from. The kind is a draft: a plugin that uses it must be compiled for
// the version of Sinew that loads it.

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>

#include "sinew/plugin.hpp"
#include "sinew/resource.h"

namespace {

constexpr char prefix[] = "my_plugin:";

struct entry {
  std::string_view name, text;
};

constexpr entry entries[] = {
  { "wheel.xml",
    "<mujoco><worldbody><body name='wheel' pos='0 0 0.5'><joint name='axle' axis='0 1 0'/>"
    "<geom type='mesh' mesh='wedge'/></body></worldbody>"
    "<asset><mesh name='wedge' file='my_plugin:mesh/wedge.obj'/></asset></mujoco>" },
  { "mesh/wedge.obj", "v 0 0 0\nv 0.3 0 0\nv 0 0.1 0\nv 0 0 0.4\n"
                      "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n" },
};

std::string_view behind_prefix(const char *name) {
  return std::string_view(name).substr(sizeof prefix - 1);
}

class file {
public:
  explicit file(std::string_view text) : text_(text) {}

  sn_status read(uint8_t *bytes, sn_error *) {
    std::copy(text_.begin(), text_.end(), bytes);
    return SN_OK;
  }

private:
  std::string_view text_;
};

class table : public sn_instance {
public:
  table(const sn_instance &base, const sn_value *) : sn_instance(base) {}

  std::unique_ptr<file> open(const sn_source *, const char *name, int64_t *count) const {
    std::string available;
    for (const entry &e : entries) {
      if (e.name == behind_prefix(name)) {
        *count = static_cast<int64_t>(e.text.size());
        return std::make_unique<file>(e.text);
      }
      available += (available.empty() ? "" : ", ") + std::string(prefix) + std::string(e.name);
    }
    throw sinew::failure(SN_ENOTFOUND, "there is no such file; available: " + available);
  }

  // The first part of each path below the folder: "mesh" of "mesh/wedge.obj" at the top.
  sn_status list(const sn_source *, const char *folder, void *context,
                 sn_status (*each)(void *context, const char *name, int32_t is_folder)) const {
    const std::string below(behind_prefix(folder));
    const std::string start = below.empty() ? "" : below + "/";
    sn_status result = below.empty() ? SN_OK : SN_ENOTFOUND;
    for (const entry &e : entries) {
      if (e.name.substr(0, start.size()) == start) {
        const std::string_view rest = e.name.substr(start.size());
        const std::string part(rest.substr(0, rest.find('/')));
        SN_TRY(each(context, part.c_str(), part.size() < rest.size()));
        result = SN_OK;
      }
    }
    return result;
  }
};

const sn_resource_ops ops = {
  .head = { .size = sizeof(sn_resource_ops),
            .summary = "files of my own",
            .create = sinew::create<table>,
            .destroy = sinew::destroy<table> },
  .prefixes = prefix,
  .open = sinew::open<&table::open>,
  .read = sinew::opened_operation<&file::read>,
  .close = sinew::close<file>,
  .list = sinew::operation<&table::list>,
};

const sn_provide provides[] = {
  SN_PROVIDE_RESOURCE("my_plugin", &ops),
  {},
};

}   // namespace

SN_PLUGIN(.name = "org.example.my_plugin", .version = "1.0", .license = "Apache-2.0",
          .summary = "a place where files come from", .provides = provides)
