// SPDX-License-Identifier: Apache-2.0
//
// Collider `primitive`: pairs of simple shapes, in closed form.
//
//   in    a batch of posed pairs of one pair of types, with margins
//   out   contact points ordered by pair; at most PRIMITIVE_MAX a pair
//
// One file a family: plane.c, sphere.c, capsule.c, capsule_box.c, box.c, box_manifold.c.

#include "primitive.h"
#include "sinew/instance.h"

typedef struct primitive {
  const sn_host *host;
  int manifold;
} primitive;

static const sn_param params[] = {
  { .name = "manifold",
    .default_value = "true",
    .type = SN_PARAM_BOOL,
    .summary = "false: two boxes have up to eight contact points, most of them with half of their "
               "depth, a mesh on a plane at most three, and a sphere or the end of a capsule with "
               "its center in a box the depth of its radius, as MuJoCo 2.2.2" },
  { .name = NULL },
};

static sn_status primitive_create(const sn_host *host, const sn_value *values, void **self,
                                  sn_error *error) {
  primitive *p = sn_host_alloc(host, sizeof *p, error);
  if (!p) {
    return SN_ENOMEM;
  }
  *p = (primitive){ .host = host, .manifold = values[0].integer != 0 };
  *self = p;
  return SN_OK;
}

static void primitive_destroy(void *self) {
  primitive *p = self;
  p->host->free(p->host, p);
}

// ------------------------------------------------------------------ operations

static primitive_fn *const table[SN_NGEOMTYPES][SN_NGEOMTYPES] = {
  [SN_GEOM_PLANE] = {
    [SN_GEOM_SPHERE] = plane_sphere,
    [SN_GEOM_CAPSULE] = plane_capsule,
    [SN_GEOM_ELLIPSOID] = plane_ellipsoid,
    [SN_GEOM_CYLINDER] = plane_cylinder,
    [SN_GEOM_BOX] = plane_box,
    [SN_GEOM_MESH] = plane_mesh_manifold,
    [SN_GEOM_USER] = plane_user,
  },
  [SN_GEOM_SPHERE] = {
    [SN_GEOM_SPHERE] = sphere_sphere,
    [SN_GEOM_CAPSULE] = sphere_capsule,
    [SN_GEOM_CYLINDER] = sphere_cylinder,
    [SN_GEOM_BOX] = sphere_box,
  },
  [SN_GEOM_CAPSULE] = {
    [SN_GEOM_CAPSULE] = capsule_capsule,
    [SN_GEOM_BOX] = capsule_box,
  },
  [SN_GEOM_BOX] = {
    [SN_GEOM_BOX] = box_manifold,
  },
};

// With manifold = false.
static const struct {
  primitive_fn *pair, *instead;
} simple[] = {
  { plane_mesh_manifold, plane_mesh },
  { sphere_box, sphere_box_radius },
  { capsule_box, capsule_box_radius },
  { box_manifold, box_box },
};
enum { NSIMPLE = sizeof simple / sizeof simple[0] };

primitive_fn *primitive_pair(int32_t first, int32_t second, int manifold) {
  primitive_fn *pair = first >= 0 && first < SN_NGEOMTYPES && second >= 0 && second < SN_NGEOMTYPES
                           ? table[first][second]
                           : NULL;
  for (int i = 0; !manifold && i < NSIMPLE; i++) {
    if (simple[i].pair == pair) {
      return simple[i].instead;
    }
  }
  return pair;
}

static const sn_collider_pair pairs[] = {
  { "plane", "sphere" },    { "plane", "capsule" }, { "plane", "ellipsoid" },
  { "plane", "cylinder" },  { "plane", "box" },     { "plane", "mesh" },
  { "plane", "user" },      { "sphere", "sphere" }, { "sphere", "capsule" },
  { "sphere", "cylinder" }, { "sphere", "box" },    { "capsule", "capsule" },
  { "capsule", "box" },     { "box", "box" },       { NULL, NULL },
};

static sn_status primitive_collide(const void *self, const sn_batch *batch, sn_contact_list *out,
                                   sn_scratch *scratch) {
  (void)scratch;
  const primitive *p = self;
  out->count = 0;
  if (batch->n == 0) {
    return SN_OK;
  }
  primitive_fn *pair = primitive_pair(batch->first[0].type, batch->second[0].type, p->manifold);
  if (!pair) {
    return SN_EINVAL;
  }
  for (int64_t i = 0; i < batch->n; i++) {
    // directly into the output while its capacity suffices for any pair
    sn_contact_point spill[PRIMITIVE_MAX];
    int roomy = out->capacity - out->count >= PRIMITIVE_MAX;
    sn_contact_point *contact = roomy ? out->point + out->count : spill;
    int n = pair(&batch->first[i], &batch->second[i], batch->margin[i], contact);
    for (int k = 0; k < n; k++) {
      contact[k].pair = (int32_t)i;
      if (!roomy && out->count + k < out->capacity) {
        out->point[out->count + k] = contact[k];
      }
    }
    out->count += n;
  }
  return out->count > out->capacity ? SN_MORE : SN_OK;
}

static const sn_collider_ops primitive_ops = {
  .head = {
    .size = sizeof(sn_collider_ops),
    .summary = "pairs of primitives in closed form",
    .params = params,
    .create = primitive_create,
    .destroy = primitive_destroy,
  },
  .pairs = pairs,
  .max_points = PRIMITIVE_MAX,
  .collide = primitive_collide,
  .distance = primitive_distance,
  .ray = primitive_ray,
};

static const sn_provide provides[] = {
  SN_PROVIDE_COLLIDER("primitive", &primitive_ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "primitive", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "collision of pairs of primitives in closed form", .provides = provides)
