// SPDX-License-Identifier: Apache-2.0
//
// What cppcheck sees instead of sinew/defaults.h: the names, without the bodies. They are made from
// tables and stand in every file that includes sinew.h; to follow them again and again took half of
// its time. The header itself is analyzed once, by `./dev lint`.

#ifndef SINEW_DEFAULTS_H
#define SINEW_DEFAULTS_H

#include "sinew/fields_spec.h"
#include "sinew/spec.h"

#define SN_SET(array, ...) sn_set_reals(array, 0, NULL)
#define SN_SET_UNSET(array) sn_unset_reals(array, 0)
#define SN_DECLARE_DEFAULT(kind) void sn_default_##kind(sn_##kind##_def *def);
SN_ELEMENTS(SN_DECLARE_DEFAULT)

void sn_set_reals(double *out, int n, const double *in);
void sn_unset_reals(double *out, int n);
void sn_default_orient(sn_orient *orient);
void sn_default_option(sn_option *option);
void sn_default_compiler(sn_compiler *compiler);
void sn_default_size_hint(sn_size_hint *hint);
void sn_default_statistic(sn_statistic *statistic);
void sn_default_visual(sn_visual *visual);

#endif
