// SPDX-License-Identifier: Apache-2.0
//
// Another plugin with a fault in place of one of its operations. From the environment:
//
//   INSTEAD_PLUGIN      the file of the other plugin
//   INSTEAD_OPERATION   KIND.OPERATION, such as solver.solve
//   INSTEAD_FAULT       throw: an exception leaves it; status: it returns 12345

#include <dlfcn.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>
#include <stdexcept>
#include <string>

#include "sinew/actuator.h"
#include "sinew/collider.h"
#include "sinew/constraint.h"
#include "sinew/contact.h"
#include "sinew/controller.h"
#include "sinew/executor.h"
#include "sinew/filter.h"
#include "sinew/integrator.h"
#include "sinew/loader.h"
#include "sinew/mesh.h"
#include "sinew/passive.h"
#include "sinew/renderer.h"
#include "sinew/resource.h"
#include "sinew/sensor.h"
#include "sinew/shape.h"
#include "sinew/solver.h"

namespace {

struct operation {
  const char *name;
  std::size_t offset;
};

#define OPERATION(kind, type, member) { kind "." #member, offsetof(type, member) }
#define FORCE(kind)                                                                        \
  OPERATION(kind, sn_force_ops, value), OPERATION(kind, sn_force_ops, dvelocity),          \
      OPERATION(kind, sn_force_ops, dlength), OPERATION(kind, sn_force_ops, check),        \
      OPERATION(kind, sn_force_ops, damp), OPERATION(kind, sn_force_ops, bind),            \
      OPERATION(kind, sn_force_ops, unbind)

const operation operations[] = {
  OPERATION("solver", sn_ops, create),
  OPERATION("solver", sn_ops, destroy),
  OPERATION("solver", sn_solver_ops, solve),
  OPERATION("collider", sn_collider_ops, collide),
  OPERATION("collider", sn_collider_ops, distance),
  OPERATION("collider", sn_collider_ops, ray),
  OPERATION("integrator", sn_integrator_ops, step),
  OPERATION("integrator", sn_integrator_ops, states),
  OPERATION("integrator", sn_integrator_ops, uses),
  OPERATION("integrator", sn_integrator_ops, bind),
  OPERATION("integrator", sn_integrator_ops, unbind),
  OPERATION("dynamics", sn_dynamics_ops, states),
  OPERATION("dynamics", sn_dynamics_ops, rate),
  OPERATION("dynamics", sn_dynamics_ops, advance),
  OPERATION("dynamics", sn_dynamics_ops, check),
  OPERATION("dynamics", sn_dynamics_ops, derivative),
  OPERATION("dynamics", sn_dynamics_ops, reset),
  OPERATION("dynamics", sn_dynamics_ops, bind),
  OPERATION("dynamics", sn_dynamics_ops, unbind),
  FORCE("gain"),
  FORCE("bias"),
  OPERATION("sensor", sn_sensor_ops, sizes),
  OPERATION("sensor", sn_sensor_ops, bind),
  OPERATION("sensor", sn_sensor_ops, unbind),
  OPERATION("sensor", sn_sensor_ops, evaluate),
  OPERATION("sensor", sn_sensor_ops, check),
  OPERATION("sensor", sn_sensor_ops, reset),
  OPERATION("passive", sn_passive_ops, bind),
  OPERATION("passive", sn_passive_ops, unbind),
  OPERATION("passive", sn_passive_ops, states),
  OPERATION("passive", sn_passive_ops, couples),
  OPERATION("passive", sn_passive_ops, apply),
  OPERATION("passive", sn_passive_ops, derivative),
  OPERATION("passive", sn_passive_ops, reset),
  OPERATION("passive", sn_passive_ops, advance),
  OPERATION("passive", sn_passive_ops, stiffness),
  OPERATION("passive", sn_passive_ops, apply_lanes),
  OPERATION("controller", sn_controller_ops, bind),
  OPERATION("controller", sn_controller_ops, unbind),
  OPERATION("controller", sn_controller_ops, states),
  OPERATION("controller", sn_controller_ops, reset),
  OPERATION("controller", sn_controller_ops, control),
  OPERATION("controller", sn_controller_ops, advance),
  OPERATION("contact", sn_contact_ops, bind),
  OPERATION("contact", sn_contact_ops, unbind),
  OPERATION("contact", sn_contact_ops, modify),
  OPERATION("filter", sn_filter_ops, bind),
  OPERATION("filter", sn_filter_ops, unbind),
  OPERATION("filter", sn_filter_ops, select),
  OPERATION("constraint", sn_constraint_ops, bind),
  OPERATION("constraint", sn_constraint_ops, unbind),
  OPERATION("constraint", sn_constraint_ops, rows),
  OPERATION("constraint", sn_constraint_ops, dofs),
  OPERATION("constraint", sn_constraint_ops, kinds),
  OPERATION("constraint", sn_constraint_ops, evaluate),
  OPERATION("constraint", sn_constraint_ops, velocity),
  OPERATION("shape", sn_shape_ops, make),
  OPERATION("shape", sn_shape_ops, drop),
  OPERATION("shape", sn_shape_ops, support),
  OPERATION("shape", sn_shape_ops, ray),
  OPERATION("loader", sn_loader_ops, probe),
  OPERATION("loader", sn_loader_ops, load),
  OPERATION("loader", sn_loader_ops, save),
  OPERATION("loader", sn_loader_ops, describe),
  OPERATION("mesh", sn_mesh_ops, decode),
  OPERATION("mesh", sn_mesh_ops, hull),
  OPERATION("mesh", sn_mesh_ops, decompose),
  OPERATION("mesh", sn_mesh_ops, image),
  OPERATION("resource", sn_resource_ops, open),
  OPERATION("resource", sn_resource_ops, read),
  OPERATION("resource", sn_resource_ops, close),
  OPERATION("resource", sn_resource_ops, probe),
  OPERATION("resource", sn_resource_ops, list),
  OPERATION("executor", sn_executor_ops, workers),
  OPERATION("executor", sn_executor_ops, run),
  OPERATION("executor", sn_executor_ops, serve),
  OPERATION("renderer", sn_renderer_ops, open),
  OPERATION("renderer", sn_renderer_ops, close),
  OPERATION("renderer", sn_renderer_ops, render),
  OPERATION("renderer", sn_renderer_ops, write),
  OPERATION("renderer", sn_renderer_ops, draw),
};

[[noreturn]] void thrown() {
  throw std::runtime_error("the field coil is not connected");
}

sn_status returned() {
  return 12345;
}

std::int64_t one_state(const void *, const void *) {
  return 1;
}

// Actuator functions that keep nothing are bound, for `bind` and `unbind`.
void add_binding(const std::string &wanted, void *table) {
  auto *ops = static_cast<sn_dynamics_ops *>(table);
  if (wanted == "dynamics.bind") {
    ops->unbind = [](const void *, void *) {};
  } else if (wanted == "dynamics.unbind") {
    ops->bind = [](const void *, const sn_model_view *, std::int64_t, const sn_actuator *,
                   void **bound, sn_error *) -> sn_status {
      static int kept;
      *bound = &kept;
      return SN_OK;
    };
  }
}

// A plugin for meshes reads images too.
void add_images(const std::string &wanted, void *table) {
  if (wanted == "mesh.image") {
    static_cast<sn_mesh_ops *>(table)->images = "png";
  }
}

// A controller without states is given one, for `reset` and `advance`.
void add_state(const std::string &wanted, void *table) {
  auto *ops = static_cast<sn_controller_ops *>(table);
  if ((wanted == "controller.reset" || wanted == "controller.advance") && !ops->states) {
    ops->states = one_state;
    if (!ops->advance) {
      ops->advance = [](const void *, const void *, const sn_data_view *, double, double *,
                        sn_scratch *) -> sn_status { return SN_OK; };
    }
  }
}

const char *setting(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

// The table of a row, with the fault in it where the row is of this kind.
const void *replace(const sn_provide &row, const operation &wanted) {
  const std::string name = wanted.name;
  const std::string id = "sinew." + name.substr(0, name.find('.')) + "/";
  if (std::strncmp(row.kind, id.c_str(), id.size()) != 0) {
    return row.ops;
  }
  const std::size_t size = static_cast<const sn_ops *>(row.ops)->size;
  auto *copy = static_cast<char *>(::operator new(size));   // as long as the process
  std::memcpy(copy, row.ops, size);
  void (*fault)() = std::strcmp(setting("INSTEAD_FAULT"), "status") == 0
                        ? reinterpret_cast<void (*)()>(returned)
                        : thrown;
  std::memcpy(copy + wanted.offset, &fault, sizeof fault);
  add_binding(name, copy);
  add_images(name, copy);
  add_state(name, copy);
  return copy;
}

}   // namespace

SN_PLUGIN_ENTRY {
  static sn_provide provides[8] = {};
  static sn_plugin plugin = {};
  void *object = dlopen(setting("INSTEAD_PLUGIN"), RTLD_NOW | RTLD_LOCAL);
  void *entry = object ? dlsym(object, "sn_plugin_entry") : nullptr;
  if (!entry) {
    return nullptr;
  }
  plugin = *reinterpret_cast<sn_plugin_entry_fn *>(entry)();
  for (const operation &wanted : operations) {
    if (std::strcmp(wanted.name, setting("INSTEAD_OPERATION")) == 0) {
      for (int i = 0; i < 7 && plugin.provides[i].kind; i++) {
        provides[i] = plugin.provides[i];
        provides[i].ops = replace(plugin.provides[i], wanted);
      }
    }
  }
  plugin.provides = provides;
  return &plugin;
}
