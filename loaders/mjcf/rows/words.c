// SPDX-License-Identifier: Apache-2.0
//
// Words that rows of many elements take.

#include "mjcf/rows/rows.h"
#include "sinew/spec.h"

const xml_word mjcf_bool[] = { { "false", 0, 0 }, { "true", 1, 0 }, { NULL, 0, 0 } };
const xml_word mjcf_limited[] = {
  { "false", SN_FALSE, 0 }, { "true", SN_TRUE, 0 }, { "auto", SN_AUTO, 0 }, { NULL, 0, 0 }
};
