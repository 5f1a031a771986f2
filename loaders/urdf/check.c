// SPDX-License-Identifier: Apache-2.0
//
// What may stand where in URDF. What the table does not know belongs to other programs, and is left
// out with a note; or it is misspelt, which is a warning. A template of URDF that xacro has not
// been run on is an error: much of the robot is missing in it.

#include <string.h>

#include "urdf/urdf.h"

typedef struct element {
  const char *name, *parents;   // parents: "a|b"
  const char *attributes;       // "a|b"; "*": its reader knows
} element;

// clang-format off
static const element elements[] = {
  { "robot", "", "name|version" },
  { "mujoco", "robot", "*" },
  { "link", "robot", "name" },
  { "inertial", "link", "" },
  { "mass", "inertial", "value" },
  { "inertia", "inertial", "ixx|ixy|ixz|iyy|iyz|izz|iyx|izx|izy" },
  { "visual", "link", "name" },
  { "collision", "link", "name" },
  { "origin", "inertial|visual|collision|joint", "xyz|rpy" },
  { "geometry", "visual|collision", "" },
  { "box", "geometry", "size" },
  { "cylinder", "geometry", "radius|length" },
  { "capsule", "geometry", "radius|length" },
  { "sphere", "geometry", "radius" },
  { "mesh", "geometry", "filename|scale" },
  { "material", "robot|visual", "name" },
  { "color", "material", "rgba" },
  { "joint", "robot", "name|type" },
  { "parent", "joint", "link" },
  { "child", "joint", "link" },
  { "axis", "joint", "xyz" },
  { "dynamics", "joint", "damping|friction" },
  { "limit", "joint", "lower|upper|effort|velocity" },
  { "mimic", "joint", "joint|multiplier|offset" },
  { "transmission", "robot", "*" },
};
// clang-format on
enum { NELEMENTS = sizeof elements / sizeof elements[0] };

static void offer_all(xml_nearest *nearest, const char *name, const char *list) {
  char word[32];
  for (const char *p = list; *p; p += strcspn(p, "|"), p += *p == '|') {
    size_t n = strcspn(p, "|");
    memcpy(word, p, n);
    word[n] = '\0';
    // the offer is kept, so it must point into the list: compare, then keep the piece
    xml_nearest one = *nearest;
    xml_offer(&one, name, word);
    if (one.best != nearest->best) {
      nearest->best = p;
      nearest->distance = one.distance;
    }
  }
}

static sn_status reject_xacro(urdf_reader *r, const xml_node *node, const xml_attr *attr,
                              const char *what) {
  return xml_fail(&r->xml, SN_EPARSE, node, attr,
                  "\"%.60s\" is part of xacro: this file is a template, from which xacro makes the "
                  "URDF; run: xacro FILE.xacro > robot.urdf",
                  what);
}

// What xacro itself reads; other names of its namespace call macros. A robot that xacro wrote may
// have calls of macros that it did not know.
static const char words_of_xacro[] =
    "arg|attribute|call|element|eval|if|include|insert_block|macro|property|unless";

static sn_status check_xacro(urdf_reader *r, const xml_node *node) {
  if (xml_in_list(words_of_xacro, node->name + strlen("xacro:"))) {
    return reject_xacro(r, node, NULL, node->name);
  }
  return urdf_leave(r, node, NULL,
                    "<%.60s> calls a macro that xacro left unexpanded; it is ignored", node->name);
}

// So like a known word that it must be meant.
enum { MISSPELT = 2 };
#define LEAVE(near) (*((near).best ? urdf_leave : urdf_note_that))

sn_status urdf_check_attributes(urdf_reader *r, const xml_node *node, const char *known) {
  for (const xml_attr *a = node->attrs; a; a = a->next) {
    if (strstr(a->value, "${") || strstr(a->value, "$(")) {
      return reject_xacro(r, node, a, a->value);
    }
    if (xml_in_list(known, a->name) || strncmp(a->name, "xmlns", 5) == 0) {
      continue;
    }
    xml_nearest near = { NULL, 0 };
    offer_all(&near, a->name, known);
    near.best = near.distance <= MISSPELT ? near.best : NULL;
    SN_TRY(LEAVE(near)(r, node, a,
                       "attribute \"%.60s\" of <%s> is not part of URDF and is ignored%s%.*s%s",
                       a->name, node->name, near.best ? "; did you mean \"" : "",
                       near.best ? (int)strcspn(near.best, "|") : 0, near.best ? near.best : "",
                       near.best ? "\"?" : ""));
  }
  return SN_OK;
}

static const element *find(const xml_node *node, const char *parent) {
  for (int i = 0; i < NELEMENTS; i++) {
    if (strcmp(elements[i].name, node->name) == 0 && xml_in_list(elements[i].parents, parent)) {
      return &elements[i];
    }
  }
  return NULL;
}

sn_status urdf_check_text(urdf_reader *r, const xml_node *node) {
  return node->text ? urdf_note_that(r, node, NULL, XML_TEXT_IGNORED) : SN_OK;
}

static sn_status check_children(urdf_reader *r, const xml_node *node) {
  SN_TRY(urdf_check_text(r, node));
  for (const xml_node *n = node->first; n; n = n->next) {
    const element *e = find(n, node->name);
    if (!e && strncmp(n->name, "xacro:", 6) == 0) {
      SN_TRY(check_xacro(r, n));
    } else if (!e) {
      xml_nearest near = { NULL, 0 };
      for (int i = 0; i < NELEMENTS; i++) {
        if (xml_in_list(elements[i].parents, node->name)) {
          xml_offer(&near, n->name, elements[i].name);
        }
      }
      near.best = near.distance <= MISSPELT ? near.best : NULL;
      SN_TRY(LEAVE(near)(r, n, NULL, "<%.60s> in <%s> is not simulated and is ignored%s%s%s",
                         n->name, node->name, near.best ? "; did you mean <" : "",
                         near.best ? near.best : "", near.best ? ">?" : ""));
    } else if (strcmp(e->attributes, "*") != 0) {
      SN_TRY(urdf_check_attributes(r, n, e->attributes));
      SN_TRY(check_children(r, n));
    }
  }
  return SN_OK;
}

sn_status urdf_check(urdf_reader *r, const xml_node *robot) {
  if (r->doc.rest) {
    SN_TRY(urdf_leave(r, r->doc.rest, NULL, XML_REST_IGNORED));
  }
  SN_TRY(urdf_check_attributes(r, robot, elements[0].attributes));
  return check_children(r, robot);
}
