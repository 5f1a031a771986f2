// SPDX-License-Identifier: Apache-2.0
//
// Skins of the asset section: their numbers stand in the element, or in a binary file, which is
// decoded here, so that to a spec both are the same. All numbers of the file are of 4 bytes, in
// the order of the machine:
//
//   int    nvertex, ntexcoord, nface, nbone
//   float  vertices, 3 each; texture coordinates, 2 each
//   int    faces, 3 each
//   and for each bone:
//     char  name of the body, 40 with zeros behind
//     float bind position 3, bind quaternion 4
//     int   number of vertices, their ids
//     float their weights

#include <math.h>
#include <string.h>

#include "mjcf/read/read.h"

enum { BODY_NAME = 40 };

// The rest of the file, and the reader and node for messages.
typedef struct cursor {
  mjcf_reader *r;
  const xml_node *node;
  const uint8_t *bytes;
  int64_t left;
} cursor;

static sn_status bad_file(const cursor *in, const char *why) {
  return xml_fail(&in->r->xml, SN_EPARSE, in->node, xml_find_attr(in->node, "file"),
                  "skin: the file %s", why);
}

// ------------------------------------------------------------------ numbers

static sn_status take(cursor *in, void *out, int64_t size) {
  if (size > in->left) {
    return bad_file(in, "ends too early");
  }
  memcpy(out, in->bytes, (size_t)size);
  in->bytes += size;
  in->left -= size;
  return SN_OK;
}

// n numbers of 4 bytes are left; so what is allocated for them is in proportion to the file
static sn_status check_left(const cursor *in, int64_t n) {
  return n >= 0 && n <= in->left / 4 ? SN_OK
                                     : bad_file(in, "is truncated, or its counts are invalid");
}

static sn_status take_reals(cursor *in, double *out, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    float value;
    SN_TRY(take(in, &value, sizeof value));
    if (!isfinite(value)) {
      return bad_file(in, "has a number that is not finite");
    }
    out[i] = value;
  }
  return SN_OK;
}

static sn_status new_reals(cursor *in, int64_t n, sn_reals *out) {
  SN_TRY(check_left(in, n));
  double *p = xml_alloc(&in->r->doc.arena, (size_t)n * sizeof(double));
  if (!p) {
    return mjcf_no_memory(in->r, in->node);
  }
  *out = (sn_reals){ p, n };
  return take_reals(in, p, n);
}

static sn_status new_ints(cursor *in, int64_t n, sn_ints *out) {
  SN_TRY(check_left(in, n));
  int32_t *p = xml_alloc(&in->r->doc.arena, (size_t)n * sizeof(int32_t));
  if (!p) {
    return mjcf_no_memory(in->r, in->node);
  }
  *out = (sn_ints){ p, n };
  return take(in, p, n * 4);
}

// ------------------------------------------------------------------ the file

static sn_status take_bone(cursor *in, sn_bone_def *bone) {
  char *name = xml_alloc(&in->r->doc.arena, BODY_NAME + 1);
  if (!name) {
    return mjcf_no_memory(in->r, in->node);
  }
  int32_t n = 0;
  bone->body = name;
  SN_TRY(take(in, name, BODY_NAME));
  SN_TRY(take_reals(in, bone->bindpos, 3));
  SN_TRY(take_reals(in, bone->bindquat, 4));
  SN_TRY(take(in, &n, sizeof n));
  SN_TRY(new_ints(in, n, &bone->vertid));
  return new_reals(in, n, &bone->vertweight);
}

static sn_status decode(cursor *in, sn_skin_def *def) {
  enum { BONE = BODY_NAME + 8 * 4 };   // bytes, at least
  int32_t count[4];
  SN_TRY(take(in, count, sizeof count));
  SN_TRY(new_reals(in, 3 * (int64_t)count[0], &def->vert));
  SN_TRY(new_reals(in, 2 * (int64_t)count[1], &def->texcoord));
  SN_TRY(new_ints(in, 3 * (int64_t)count[2], &def->face));
  if (count[3] < 0 || count[3] > in->left / BONE) {
    return bad_file(in, "is truncated, or its counts are invalid");
  }
  sn_bone_def *bone = xml_alloc(&in->r->doc.arena, (size_t)count[3] * sizeof *bone);
  if (!bone) {
    return mjcf_no_memory(in->r, in->node);
  }
  def->bone = bone;
  def->nbone = count[3];
  for (int32_t i = 0; i < count[3]; i++) {
    SN_TRY(take_bone(in, &bone[i]));
  }
  return in->left == 0 ? SN_OK : bad_file(in, "has data after its last bone");
}

static sn_status read_file(mjcf_reader *r, const xml_node *node, sn_skin_def *def) {
  const xml_attr *a = xml_find_attr(node, "file");
  const char *dot = strrchr(def->file, '.');
  if (!dot || strcmp(dot, ".skn") != 0) {
    return xml_fail(&r->xml, SN_EPARSE, node, a, "skin: the file name must end in .skn");
  }
  if (def->vert.p || def->texcoord.p || def->face.p || node->first) {
    return xml_fail(&r->xml, SN_EPARSE, node, a,
                    "skin: both a file and vertex data are specified; remove one");
  }
  sn_source *child;
  SN_TRY(mjcf_open_file(r, node, a, r->settings.meshdir, &child));
  cursor in = { r, node, child->bytes, child->count };
  sn_status status = decode(&in, def);
  r->source->close(child);
  def->file = NULL;   // the numbers are here now
  return status;
}

// ------------------------------------------------------------------ elements

sn_status mjcf_read_bone(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  return mjcf_fill(r, e, node, &r->bone[r->nbone++]);
}

sn_status mjcf_read_skin(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  sn_skin_def def;
  sn_default_skin(&def);
  SN_TRY(mjcf_fill(r, e, node, &def));
  if (def.group < 0 || def.group > 5) {
    return xml_fail(&r->xml, SN_EPARSE, node, xml_find_attr(node, "group"),
                    "skin: group must be from 0 to 5");
  }
  if (def.file) {
    SN_TRY(mjcf_name_of_file(r, node, def.file, &def.name));
    SN_TRY(read_file(r, node, &def));
  } else {
    size_t n = 0;
    for (const xml_node *child = node->first; child; child = child->next) {
      n++;
    }
    r->nbone = 0;
    r->bone = xml_alloc(&r->doc.arena, n * sizeof(sn_bone_def));
    if (!r->bone) {
      return mjcf_no_memory(r, node);
    }
    SN_TRY(mjcf_read_children(r, e, node));
    def.bone = r->bone;
    def.nbone = r->nbone;
  }
  sn_location location = xml_location(node);
  int32_t id;
  return r->builder->add_skin(r->spec, &def, &location, &id, r->error);
}
