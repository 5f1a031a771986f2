// SPDX-License-Identifier: Apache-2.0
//
// A plugin in C++, compiled as C++11, C++17 and C++20: a solver that ignores constraints and counts
// how often an object of its own was left without being destroyed.

#include <mutex>

#include "sinew/instance.h"
#include "sinew/solver.h"

namespace {

std::mutex lock;

sn_status solve(const void *, const sn_problem *problem, sn_solution *solution,
                sn_scratch *scratch) {
  // held while memory is requested: SN_ALLOC returns, so that it is released
  std::lock_guard<std::mutex> guard(lock);
  double *acceleration;
  SN_ALLOC(acceleration, scratch, problem->nv);
  for (int64_t i = 0; i < problem->nv; i++) {
    acceleration[i] = problem->qacc_smooth[i];
    solution->qacc[i] = acceleration[i];
  }
  for (int64_t i = 0; i < problem->nefc; i++) {
    solution->force[i] = 0;
    solution->state[i] = SN_ROWSTATE_SATISFIED;
  }
  solution->iterations = 0;
  return SN_OK;
}

const sn_solver_ops ops = { { sizeof(sn_solver_ops), 0, "ignores constraints", nullptr,
                              sn_instance_create, sn_instance_destroy },
                            solve };

const sn_provide provides[] = { SN_PROVIDE_SOLVER("cpp", &ops), { nullptr, nullptr, nullptr } };

}   // namespace

SN_PLUGIN_OF("org.example.cpp", "1.0", "Apache-2.0", "a solver in C++", provides, nullptr, nullptr)
