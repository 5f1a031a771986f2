// SPDX-License-Identifier: Apache-2.0
//
// The shapes of the definition structs: what each points to, and which numbers may be unset.
// One walk copies, one checks; no kind has code of its own.

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "spec/spec.h"

// ------------------------------------------------------------------ tables

#define NUMBERS(type, member) (sizeof(((type *)0)->member) / sizeof(double))
#define TEXT(type, member) \
  { SI_MEMBER_TEXT, #member, offsetof(type, member), 1, NULL }
#define TEXTS(type, member, n) \
  { SI_MEMBER_TEXT, #member, offsetof(type, member), n, NULL }
#define REAL(type, member) \
  { SI_MEMBER_REAL, #member, offsetof(type, member), NUMBERS(type, member), NULL }
#define UNSET(type, member) \
  { SI_MEMBER_UNSET, #member, offsetof(type, member), NUMBERS(type, member), NULL }
#define REALS(type, member) \
  { SI_MEMBER_REALS, #member, offsetof(type, member.p), offsetof(type, member.n), NULL }
#define INTS(type, member) \
  { SI_MEMBER_INTS, #member, offsetof(type, member.p), offsetof(type, member.n), NULL }
#define BYTES(type, member, count) \
  { SI_MEMBER_BYTES, #member, offsetof(type, member), offsetof(type, count), NULL }
#define ITEMS(type, member, count, shape) \
  { SI_MEMBER_ITEMS, #member, offsetof(type, member), offsetof(type, count), shape }
#define ORIENT(type, member)                                                         \
  REAL(type, member.quat), UNSET(type, member.axisangle), UNSET(type, member.euler), \
      UNSET(type, member.xyaxes), UNSET(type, member.zaxis)
#define END \
  { SI_MEMBER_END, NULL, 0, 0, NULL }

static const si_member bone_members[] = {
  TEXT(sn_bone_def, body),   REAL(sn_bone_def, bindpos),     REAL(sn_bone_def, bindquat),
  INTS(sn_bone_def, vertid), REALS(sn_bone_def, vertweight), END
};
static const si_struct_shape bone_shape = { "bone", sizeof(sn_bone_def), bone_members };

static const si_member wrap_members[] = { TEXT(sn_wrap_def, object), TEXT(sn_wrap_def, sidesite),
                                          REAL(sn_wrap_def, prm), END };
static const si_struct_shape wrap_shape = { "wrap", sizeof(sn_wrap_def), wrap_members };

static const si_member item_members[] = { TEXT(sn_tuple_item, objtype), TEXT(sn_tuple_item, object),
                                          REAL(sn_tuple_item, prm), END };
static const si_struct_shape item_shape = { "item", sizeof(sn_tuple_item), item_members };

#define NAMED(kind) TEXT(sn_##kind##_def, name)

static const si_member body_members[] = { NAMED(body),
                                          UNSET(sn_body_def, pos),
                                          ORIENT(sn_body_def, orient),
                                          REAL(sn_body_def, gravcomp),
                                          REAL(sn_body_def, ipos),
                                          ORIENT(sn_body_def, iorient),
                                          REAL(sn_body_def, mass),
                                          REAL(sn_body_def, diaginertia),
                                          UNSET(sn_body_def, fullinertia),
                                          REALS(sn_body_def, user),
                                          END };

static const si_member joint_members[] = { NAMED(joint),
                                           REAL(sn_joint_def, pos),
                                           REAL(sn_joint_def, axis),
                                           REAL(sn_joint_def, springdamper),
                                           REAL(sn_joint_def, range),
                                           REAL(sn_joint_def, margin),
                                           REAL(sn_joint_def, ref),
                                           REAL(sn_joint_def, springref),
                                           REAL(sn_joint_def, stiffness),
                                           REAL(sn_joint_def, damping),
                                           REAL(sn_joint_def, armature),
                                           REAL(sn_joint_def, frictionloss),
                                           REAL(sn_joint_def, solref_limit),
                                           REAL(sn_joint_def, solimp_limit),
                                           REAL(sn_joint_def, solref_friction),
                                           REAL(sn_joint_def, solimp_friction),
                                           REALS(sn_joint_def, user),
                                           UNSET(sn_joint_def, dof_stiffness),
                                           UNSET(sn_joint_def, dof_damping),
                                           UNSET(sn_joint_def, dof_armature),
                                           UNSET(sn_joint_def, dof_frictionloss),
                                           UNSET(sn_joint_def, springquat),
                                           REAL(sn_joint_def, actfrcrange),
                                           END };

static const si_member geom_members[] = { NAMED(geom),
                                          TEXT(sn_geom_def, material),
                                          TEXT(sn_geom_def, mesh),
                                          TEXT(sn_geom_def, hfield),
                                          REAL(sn_geom_def, size),
                                          REAL(sn_geom_def, pos),
                                          ORIENT(sn_geom_def, orient),
                                          UNSET(sn_geom_def, fromto),
                                          UNSET(sn_geom_def, mass),
                                          REAL(sn_geom_def, density),
                                          REAL(sn_geom_def, friction),
                                          REAL(sn_geom_def, solmix),
                                          REAL(sn_geom_def, solref),
                                          REAL(sn_geom_def, solimp),
                                          REAL(sn_geom_def, margin),
                                          REAL(sn_geom_def, gap),
                                          REAL(sn_geom_def, fitscale),
                                          REAL(sn_geom_def, fluidcoef),
                                          REAL(sn_geom_def, rgba),
                                          REALS(sn_geom_def, user),
                                          END };

static const si_member site_members[] = { NAMED(site),
                                          TEXT(sn_site_def, material),
                                          REAL(sn_site_def, size),
                                          REAL(sn_site_def, pos),
                                          ORIENT(sn_site_def, orient),
                                          UNSET(sn_site_def, fromto),
                                          REAL(sn_site_def, rgba),
                                          REALS(sn_site_def, user),
                                          END };

static const si_member camera_members[] = { NAMED(camera),
                                            TEXT(sn_camera_def, target),
                                            REAL(sn_camera_def, pos),
                                            ORIENT(sn_camera_def, orient),
                                            REAL(sn_camera_def, fovy),
                                            REAL(sn_camera_def, ipd),
                                            REALS(sn_camera_def, user),
                                            END };

static const si_member light_members[] = { NAMED(light),
                                           TEXT(sn_light_def, target),
                                           REAL(sn_light_def, pos),
                                           REAL(sn_light_def, dir),
                                           REAL(sn_light_def, attenuation),
                                           REAL(sn_light_def, cutoff),
                                           REAL(sn_light_def, exponent),
                                           REAL(sn_light_def, ambient),
                                           REAL(sn_light_def, diffuse),
                                           REAL(sn_light_def, specular),
                                           END };

static const si_member mesh_members[] = { NAMED(mesh),
                                          TEXT(sn_mesh_def, file),
                                          BYTES(sn_mesh_def, bytes, nbytes),
                                          REALS(sn_mesh_def, vert),
                                          REALS(sn_mesh_def, normal),
                                          REALS(sn_mesh_def, texcoord),
                                          INTS(sn_mesh_def, face),
                                          REAL(sn_mesh_def, refpos),
                                          REAL(sn_mesh_def, refquat),
                                          REAL(sn_mesh_def, scale),
                                          END };

static const si_member hfield_members[] = { NAMED(hfield),
                                            TEXT(sn_hfield_def, file),
                                            BYTES(sn_hfield_def, bytes, nbytes),
                                            REAL(sn_hfield_def, extent),
                                            REALS(sn_hfield_def, data),
                                            END };

static const si_member texture_members[] = { NAMED(texture),
                                             TEXT(sn_texture_def, file),
                                             TEXTS(sn_texture_def, cubefile, 6),
                                             BYTES(sn_texture_def, bytes, nbytes),
                                             BYTES(sn_texture_def, cubebytes[0], ncubebytes[0]),
                                             BYTES(sn_texture_def, cubebytes[1], ncubebytes[1]),
                                             BYTES(sn_texture_def, cubebytes[2], ncubebytes[2]),
                                             BYTES(sn_texture_def, cubebytes[3], ncubebytes[3]),
                                             BYTES(sn_texture_def, cubebytes[4], ncubebytes[4]),
                                             BYTES(sn_texture_def, cubebytes[5], ncubebytes[5]),
                                             TEXT(sn_texture_def, gridlayout),
                                             REAL(sn_texture_def, rgb1),
                                             REAL(sn_texture_def, rgb2),
                                             REAL(sn_texture_def, markrgb),
                                             REAL(sn_texture_def, random),
                                             END };

static const si_member material_members[] = { NAMED(material),
                                              TEXT(sn_material_def, texture),
                                              REAL(sn_material_def, texrepeat),
                                              REAL(sn_material_def, emission),
                                              REAL(sn_material_def, specular),
                                              REAL(sn_material_def, shininess),
                                              REAL(sn_material_def, reflectance),
                                              REAL(sn_material_def, rgba),
                                              END };

static const si_member skin_members[] = { NAMED(skin),
                                          TEXT(sn_skin_def, file),
                                          TEXT(sn_skin_def, material),
                                          BYTES(sn_skin_def, bytes, nbytes),
                                          REAL(sn_skin_def, inflate),
                                          REAL(sn_skin_def, rgba),
                                          REALS(sn_skin_def, vert),
                                          REALS(sn_skin_def, texcoord),
                                          INTS(sn_skin_def, face),
                                          ITEMS(sn_skin_def, bone, nbone, &bone_shape),
                                          END };

static const si_member pair_members[] = { NAMED(pair),
                                          TEXT(sn_pair_def, geom1),
                                          TEXT(sn_pair_def, geom2),
                                          UNSET(sn_pair_def, friction),
                                          UNSET(sn_pair_def, solref),
                                          UNSET(sn_pair_def, solimp),
                                          UNSET(sn_pair_def, margin),
                                          UNSET(sn_pair_def, gap),
                                          END };

static const si_member exclude_members[] = { NAMED(exclude), TEXT(sn_exclude_def, body1),
                                             TEXT(sn_exclude_def, body2), END };

static const si_member equality_members[] = { NAMED(equality),
                                              TEXT(sn_equality_def, obj1),
                                              TEXT(sn_equality_def, obj2),
                                              REAL(sn_equality_def, anchor),
                                              REAL(sn_equality_def, relpose),
                                              REAL(sn_equality_def, torquescale),
                                              REAL(sn_equality_def, polycoef),
                                              REAL(sn_equality_def, solref),
                                              REAL(sn_equality_def, solimp),
                                              END };

static const si_member tendon_members[] = { NAMED(tendon),
                                            TEXT(sn_tendon_def, material),
                                            REAL(sn_tendon_def, range),
                                            REAL(sn_tendon_def, margin),
                                            REAL(sn_tendon_def, stiffness),
                                            REAL(sn_tendon_def, damping),
                                            REAL(sn_tendon_def, frictionloss),
                                            REAL(sn_tendon_def, armature),
                                            UNSET(sn_tendon_def, springlength),
                                            REAL(sn_tendon_def, width),
                                            REAL(sn_tendon_def, solref_limit),
                                            REAL(sn_tendon_def, solimp_limit),
                                            REAL(sn_tendon_def, solref_friction),
                                            REAL(sn_tendon_def, solimp_friction),
                                            REAL(sn_tendon_def, rgba),
                                            ITEMS(sn_tendon_def, wrap, nwrap, &wrap_shape),
                                            REALS(sn_tendon_def, user),
                                            REAL(sn_tendon_def, actfrcrange),
                                            END };

static const si_member actuator_members[] = { NAMED(actuator),
                                              TEXT(sn_actuator_def, target),
                                              TEXT(sn_actuator_def, refsite),
                                              TEXT(sn_actuator_def, dyntype),
                                              TEXT(sn_actuator_def, gaintype),
                                              TEXT(sn_actuator_def, biastype),
                                              REAL(sn_actuator_def, dynprm),
                                              REAL(sn_actuator_def, gainprm),
                                              REAL(sn_actuator_def, biasprm),
                                              REAL(sn_actuator_def, ctrlrange),
                                              REAL(sn_actuator_def, forcerange),
                                              REAL(sn_actuator_def, actrange),
                                              REAL(sn_actuator_def, lengthrange),
                                              REAL(sn_actuator_def, gear),
                                              REAL(sn_actuator_def, cranklength),
                                              TEXT(sn_actuator_def, attributes),
                                              REALS(sn_actuator_def, user),
                                              REAL(sn_actuator_def, dampratio),
                                              REAL(sn_actuator_def, inheritctrl),
                                              REAL(sn_actuator_def, inheritact),
                                              END };

static const si_member sensor_members[] = { NAMED(sensor),
                                            TEXT(sn_sensor_def, type),
                                            TEXT(sn_sensor_def, objtype),
                                            TEXT(sn_sensor_def, object),
                                            TEXT(sn_sensor_def, reftype),
                                            TEXT(sn_sensor_def, refobject),
                                            REAL(sn_sensor_def, cutoff),
                                            REAL(sn_sensor_def, noise),
                                            TEXT(sn_sensor_def, attributes),
                                            REALS(sn_sensor_def, user),
                                            END };

static const si_member force_members[] = { NAMED(force), TEXT(sn_force_def, type),
                                           TEXT(sn_force_def, attributes), END };

static const si_member numeric_members[] = { NAMED(numeric), REALS(sn_numeric_def, data), END };
static const si_member text_members[] = { NAMED(text), TEXT(sn_text_def, data), END };
static const si_member tuple_members[] = { NAMED(tuple),
                                           ITEMS(sn_tuple_def, item, nitem, &item_shape), END };

static const si_member key_members[] = { NAMED(key),
                                         REAL(sn_key_def, time),
                                         REALS(sn_key_def, qpos),
                                         REALS(sn_key_def, qvel),
                                         REALS(sn_key_def, act),
                                         REALS(sn_key_def, ctrl),
                                         REALS(sn_key_def, mpos),
                                         REALS(sn_key_def, mquat),
                                         END };

const si_struct_shape si_element_shape[SI_NELEMENTS] = {
#define SN_X(kind) { #kind, sizeof(sn_##kind##_def), kind##_members },
  SN_ELEMENTS(SN_X)
#undef SN_X
};

int32_t si_element_of(const char *kind) {
  if (!kind) {
    return -1;
  }
  if (strcmp(kind, "xbody") == 0) {
    return SI_ELEMENT_body;
  }
  for (int32_t i = 0; i < SI_NELEMENTS; i++) {
    if (strcmp(si_element_shape[i].kind, kind) == 0) {
      return i;
    }
  }
  return -1;
}

// ------------------------------------------------------------------ reading members

static const void *pointer_at(const void *def, size_t offset) {
  const void *p;
  memcpy(&p, (const char *)def + offset, sizeof p);
  return p;
}

static void set_pointer(void *def, size_t offset, const void *p) {
  memcpy((char *)def + offset, &p, sizeof p);
}

static int64_t count_at(const void *def, size_t offset) {
  int64_t n;
  memcpy(&n, (const char *)def + offset, sizeof n);
  return n;
}

// Bytes of one entry of an array.
static size_t entry_bytes(const si_member *member) {
  static const size_t bytes[] = { [SI_MEMBER_REALS] = sizeof(double),
                                  [SI_MEMBER_INTS] = sizeof(int32_t),
                                  [SI_MEMBER_BYTES] = 1,
                                  [SI_MEMBER_ITEMS] = 0 };
  return member->type == SI_MEMBER_ITEMS ? member->item->size : bytes[member->type];
}

static size_t rounded(size_t bytes) {
  return (bytes + 7) / 8 * 8;
}

// ------------------------------------------------------------------ copying

// The bytes that an array or string needs behind the struct; a following zero for bytes, which
// parsers like to see.
static size_t payload(const si_member *member, const void *def) {
  int64_t n = count_at(def, member->count);
  if (!pointer_at(def, member->offset) || n <= 0) {
    return 0;
  }
  return rounded((size_t)n * entry_bytes(member) + (member->type == SI_MEMBER_BYTES));
}

static size_t behind(const si_struct_shape *shape, const void *def) {
  size_t sum = 0;
  for (const si_member *member = shape->members; member->type; member++) {
    if (member->type == SI_MEMBER_TEXT) {
      for (size_t i = 0; i < member->count; i++) {
        const char *text = pointer_at(def, member->offset + i * sizeof text);
        sum += text ? rounded(strlen(text) + 1) : 0;
      }
    } else if (member->type >= SI_MEMBER_REALS) {
      sum += payload(member, def);
    }
    if (member->type == SI_MEMBER_ITEMS) {
      const char *items = pointer_at(def, member->offset);
      for (int64_t i = 0; items && i < count_at(def, member->count); i++) {
        sum += behind(member->item, items + (size_t)i * member->item->size);
      }
    }
  }
  return sum;
}

size_t si_shape_bytes(const si_struct_shape *shape, const void *def) {
  return rounded(shape->size) + behind(shape, def);
}

// Moves what `def` (already in its place) points to behind it; returns the end.
static char *take_over(const si_struct_shape *shape, void *def, char *end) {
  for (const si_member *member = shape->members; member->type; member++) {
    if (member->type == SI_MEMBER_TEXT) {
      for (size_t i = 0; i < member->count; i++) {
        size_t offset = member->offset + i * sizeof(char *);
        const char *text = pointer_at(def, offset);
        if (text) {
          set_pointer(def, offset, memcpy(end, text, strlen(text) + 1));
          end += rounded(strlen(text) + 1);
        }
      }
    } else if (member->type >= SI_MEMBER_REALS) {
      size_t bytes = payload(member, def);
      int64_t n = count_at(def, member->count);
      const void *from = pointer_at(def, member->offset);
      set_pointer(def, member->offset, bytes ? end : NULL);
      if (!bytes) {
        n = 0;
        memcpy((char *)def + member->count, &n, sizeof n);
        continue;
      }
      char *to = memcpy(end, from, (size_t)n * entry_bytes(member));
      end += bytes;
      for (int64_t i = 0; member->type == SI_MEMBER_ITEMS && i < n; i++) {
        end = take_over(member->item, to + (size_t)i * member->item->size, end);
      }
    }
  }
  return end;
}

void si_shape_copy(const si_struct_shape *shape, const void *def, void *block) {
  memset(block, 0, si_shape_bytes(shape, def));
  memcpy(block, def, shape->size);
  take_over(shape, block, (char *)block + rounded(shape->size));
}

// ------------------------------------------------------------------ checking

static sn_status check_numbers(const si_member *member, const double *p, int64_t n,
                               const char *what, const sn_place *place, sn_error *error) {
  for (int64_t i = 0; i < n; i++) {
    if (!isfinite(p[i]) && !(member->type == SI_MEMBER_UNSET && isnan(p[i]))) {
      return si_fail_at(error, SN_EINVAL, place, "%s: %s[%lld] is not a finite number", what,
                        member->name, (long long)i);
    }
  }
  return SN_OK;
}

sn_status si_shape_check(const si_struct_shape *shape, const void *def, const char *what,
                         const sn_place *place, sn_error *error) {
  for (const si_member *member = shape->members; member->type; member++) {
    const void *at = (const char *)def + member->offset;
    if (member->type == SI_MEMBER_REAL || member->type == SI_MEMBER_UNSET) {
      SN_TRY(check_numbers(member, at, (int64_t)member->count, what, place, error));
    } else if (member->type >= SI_MEMBER_REALS) {
      const char *p = pointer_at(def, member->offset);
      int64_t n = count_at(def, member->count);
      if (n < 0 || (n > 0 && !p) || n > INT32_MAX) {
        return si_fail_at(error, SN_EINVAL, place, "%s: %s has a wrong count %lld", what,
                          member->name, (long long)n);
      }
      if (member->type == SI_MEMBER_REALS) {
        SN_TRY(check_numbers(member, (const double *)(const void *)p, n, what, place, error));
      }
      for (int64_t i = 0; member->type == SI_MEMBER_ITEMS && i < n; i++) {
        SN_TRY(
            si_shape_check(member->item, p + (size_t)i * member->item->size, what, place, error));
      }
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ other versions' structs

enum { SHORTEST = 16, LONGEST = 1 << 16 };   // bytes of a definition that anybody could mean

sn_status si_shape_import(void *ours, size_t size, const void *theirs, const char *what,
                          const sn_place *place, sn_error *error) {
  uint32_t length;
  if (!theirs) {
    return si_fail_at(error, SN_EINVAL, place,
                      "%s: there is no definition, only NULL; start from "
                      "sn_default_...()",
                      what);
  }
  memcpy(&length, theirs, sizeof length);
  if (length < SHORTEST || length > LONGEST) {
    return si_fail_at(error, SN_EINVAL, place, "%s: def_size is %u; start from sn_default_...()",
                      what, length);
  }
  const unsigned char *bytes = theirs;
  for (size_t i = size; i < length; i++) {
    if (bytes[i]) {
      return si_fail_at(error, SN_EUNSUPPORTED, place,
                        "%s: it was written for a newer version "
                        "of sinew and says things that this one does not know",
                        what);
    }
  }
  memset(ours, 0, size);
  memcpy(ours, theirs, length < size ? length : size);
  uint32_t own = (uint32_t)size;
  memcpy(ours, &own, sizeof own);
  return SN_OK;
}

sn_status si_shape_export(void *theirs, const void *ours, size_t size, const char *what,
                          sn_error *error) {
  uint32_t length;
  if (!theirs) {
    return si_fail(error, SN_EINVAL, "%s: there is no struct to write to, only NULL", what);
  }
  memcpy(&length, theirs, sizeof length);
  if (length < SHORTEST || length > LONGEST) {
    return si_fail(error, SN_EINVAL,
                   "%s: def_size is %u; set it to the size of the struct, as "
                   "sn_default_...() does",
                   what, length);
  }
  memset(theirs, 0, length);
  memcpy(theirs, ours, length < size ? length : size);
  memcpy(theirs, &length, sizeof length);
  return SN_OK;
}
