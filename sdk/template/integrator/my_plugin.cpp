// SPDX-License-Identifier: Apache-2.0
//
// A template for integrators in C++: a two-step method of order 2, which evaluates the forces once
// in a step. From the acceleration a at the start of the step, and a_past at the start of the
// previous one, of length h_past, it extrapolates the mean acceleration of the step (Adams and
// Bashforth):
//
//   mean = a + h / (2 h_past) (a - a_past)      v <- v + h mean      q <- q + h (v + h/2 mean)
//
// The same is done with activations. What the method remembers is part of the state of the
// simulation, so that copies and saved states continue with the same bits:
//
//   state[PAST]              h_past, s; 0: there was no earlier step
//   state[ACC ...]           a_past, of each dof
//   state[layout.rate ...]   the rate of each activation
//
// sinew/plugin.hpp makes operations of the member functions of `two_step`, and errors of the
// exceptions that leave them. Replace the method by your own, and declare its order, its number of
// evaluations and its states.

#include <memory>

#include "sinew/integrator.h"
#include "sinew/plugin.hpp"

namespace {

enum { PAST, ACC };   // in the state

// What the steps of one model need.
struct layout {
  int64_t rate, size;   // in the state
};

class two_step : public sn_instance {
public:
  two_step(const sn_instance &base, const sn_value *) : sn_instance(base) {}

  int64_t states(const sn_model_view *model) const {
    return find_layout(model).size;
  }

  // Types and addresses of joints would be looked up here as well, with the functions sn_lookup_*.
  std::unique_ptr<layout> bind(sn_lookup &lookup) const {
    return std::make_unique<layout>(find_layout(lookup.model));
  }

  sn_status step(sn_stepper *s, sn_scratch *scratch) const {
    const layout &l = *static_cast<const layout *>(s->bound);
    const double h = s->h, weight = s->state[PAST] > 0 ? h / (2 * s->state[PAST]) : 0;
    // the mean rate of the step; the rate becomes that of the past
    const auto extrapolate = [weight](double rate, double &past) {
      const double mean = rate + weight * (rate - past);
      past = rate;
      return mean;
    };
    double *middle;   // velocity
    SN_ALLOC(middle, scratch, s->nv);
    for (int64_t i = 0; i < s->nv; i++) {
      const double mean = extrapolate(s->qacc[i], s->state[ACC + i]);
      middle[i] = s->qvel[i] + 0.5 * h * mean;
      s->qvel[i] += h * mean;
    }
    s->advance_position(s, middle, h);
    for (int64_t i = 0; i < s->na; i++) {
      s->act[i] += h * extrapolate(s->act_dot[i], s->state[l.rate + i]);
    }
    s->clamp_activation(s);
    s->state[PAST] = h;
    *s->time += h;
    return SN_OK;
  }

private:
  layout find_layout(const sn_model_view *model) const {
    const int64_t rate = ACC + fields->size_of(model, "nv");
    return { rate, rate + fields->size_of(model, "na") };
  }
};

const sn_integrator_ops ops = {
  .head = { .size = sizeof(sn_integrator_ops),
            .summary = "two-step method of Adams and Bashforth",
            .create = sinew::create<two_step>,
            .destroy = sinew::destroy<two_step> },
  .order = 2,
  .evaluations = 1,
  .step = sinew::operation<&two_step::step>,
  .states = sinew::operation<&two_step::states>,
  .bind = sinew::bind<&two_step::bind>,
  .unbind = sinew::unbind<layout>,
};

const sn_provide provides[] = {
  SN_PROVIDE_INTEGRATOR("my_plugin", &ops),
  {},
};

}   // namespace

SN_PLUGIN(.name = "org.example.my_plugin", .version = "1.0", .license = "Apache-2.0",
          .summary = "an integrator", .provides = provides)
