// SPDX-License-Identifier: Apache-2.0
//
// Settings that are numbers of a range. The compiler checks them too, for specs that come from
// code; here an error can say where the number stands.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mjcf/rows/reader.h"
#include "sinew/number.h"

typedef struct limits {
  const char *element, *attribute;
  double least, most;
} limits;

#define SIZE 1e6   // of arrays; more is a mistake; -1: as many as the longest list

static const limits table[] = {
  { "option", "timestep", 1e-12, 1e6 },     { "option", "impratio", 1e-10, 1e10 },
  { "option", "tolerance", 0, 1e10 },       { "option", "noslip_tolerance", 0, 1e10 },
  { "option", "mpr_tolerance", 0, 1e10 },   { "option", "ccd_tolerance", 0, 1e10 },
  { "option", "density", 0, 1e10 },         { "option", "viscosity", 0, 1e10 },
  { "option", "iterations", 0, 1e6 },       { "option", "noslip_iterations", 0, 1e6 },
  { "option", "mpr_iterations", 1, 1e6 },   { "option", "ccd_iterations", 1, 1e6 },
  { "option", "bouncespeed", 0, 1e10 },     { "geom", "restitution", 0, 1 },
  { "option", "sleep_tolerance", 0, 1e10 }, { "geom", "speculative", 0, 1e10 },
  { "pair", "restitution", 0, 1 },          { "option", "noise_seed", 0, INT32_MAX },
  { "size", "nuserdata", INT32_MIN, SIZE }, { "size", "nkey", INT32_MIN, SIZE },
  { "size", "nuser_body", -1, SIZE },       { "size", "nuser_jnt", -1, SIZE },
  { "size", "nuser_geom", -1, SIZE },       { "size", "nuser_site", -1, SIZE },
  { "size", "nuser_cam", -1, SIZE },        { "size", "nuser_tendon", -1, SIZE },
  { "size", "nuser_actuator", -1, SIZE },   { "size", "nuser_sensor", -1, SIZE },
};

sn_status mjcf_check_range(mjcf_reader *r, const xml_node *node, const xml_attr *a, double value) {
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    const limits *l = &table[i];
    if (strcmp(l->element, node->name) != 0 || strcmp(l->attribute, a->name) != 0 ||
        (value >= l->least && value <= l->most)) {
      continue;
    }
    char found[SN_NUMBER_ROOM];   // all its digits: what is barely too large must not look allowed
    sn_write_number(found, value, 0);
    if (l->least == INT32_MIN) {
      return xml_fail(&r->xml, SN_EPARSE, node, a, "%s: %s is too large: %s, the limit is %.10g",
                      node->name, a->name, found, l->most);
    }
    return xml_fail(&r->xml, SN_EPARSE, node, a, "%s: %s must be from %.10g to %.10g, not %s",
                    node->name, a->name, l->least, l->most, found);
  }
  return SN_OK;
}
