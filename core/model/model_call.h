// SPDX-License-Identifier: Apache-2.0
//
// A call of an operation of a plugin that reads a model while it is compiled or bound. In the
// checking mode the model must be the same after it.
//
//   si_watch call;
//   si_model_enter(&call, m, provider, "reset");
//   double *lent = si_watch_lend(&call, "state", state, bytes);   each array that it may write
//   status = si_watch_end(&call, ops->reset(..., lent), error);

#ifndef SI_MODEL_MODEL_CALL_H
#define SI_MODEL_MODEL_CALL_H

#include "host/watching.h"
#include "model/model.h"

void si_model_enter(si_watch *call, const sn_model *m, const si_provider *provider,
                    const char *operation);

#endif
