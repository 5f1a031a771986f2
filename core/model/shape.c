// SPDX-License-Identifier: Apache-2.0
//
// A shape of a plugin from its attributes: its data, and its bounds, volume and inertia, which must
// be those of a solid.

#include <stdlib.h>

#include "base/finite.h"
#include "host/calling.h"
#include "model/model.h"

static int is_solid(const sn_shape_info *info) {
  const double *h = info->half, *I = info->inertia;
  return si_all_finite(h, 3) && si_all_finite(I, 3) && isfinite(info->volume) && h[0] > 0 &&
         h[1] > 0 && h[2] > 0 && info->volume > 0 && I[0] > 0 && I[1] > 0 && I[2] > 0 &&
         info->volume <= 8 * h[0] * h[1] * h[2] * (1 + 1e-9);
}

sn_status si_shape_make(const si_provider *p, const char *lines, sn_shape_info *info, void **data,
                        sn_error *error) {
  const sn_shape_ops *ops = p->ops;
  sn_value *values = NULL;
  *info = (sn_shape_info){ .size = sizeof *info };
  *data = NULL;
  SN_TRY(si_attributes_check(&ops->attributes, 1, lines, error));
  SN_TRY(si_attributes_read(ops->attributes, lines, &values, NULL, error));
  const si_call call = si_call_enter(p, "make");
  const sn_status status = si_call_leave(&call, ops->make(p->self, values, info, data, error),
                                         error);
  free(values);
  SN_TRY(status);
  if (is_solid(info)) {
    return SN_OK;
  }
  si_shape_drop(p, *data);
  *data = NULL;
  return si_fail(error, SN_EPLUGIN,
                 "the shape '%s' needs positive, finite bounds, volume and moments of inertia, and "
                 "a volume that is not above that of its box",
                 p->name);
}

void si_shape_drop(const si_provider *p, void *data) {
  if (data) {
    const si_call call = si_call_enter(p, "drop");
    ((const sn_shape_ops *)p->ops)->drop(p->self, data);
    si_call_end(&call);
  }
}
