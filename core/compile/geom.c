// SPDX-License-Identifier: Apache-2.0
//
// Geoms: frames, sizes and their checks, bounding spheres, contact and fluid parameters.

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "assets/mesh.h"
#include "base/text.h"
#include "compile/compile.h"
#include "sinew/math.h"

// ------------------------------------------------------------------ what a type needs

// The radius of the bounding sphere. Planes and height fields have none.
static double sphere_bound(const double *s) {
  return s[0];
}
static double capsule_bound(const double *s) {
  return s[0] + s[1];
}
static double ellipsoid_bound(const double *s) {
  return fmax(s[0], fmax(s[1], s[2]));
}
static double cylinder_bound(const double *s) {
  return sqrt(s[0] * s[0] + s[1] * s[1]);
}
static double box_bound(const double *s) {
  return sn_norm3(s);
}

typedef struct geom_type {
  const char *name;
  double (*bound)(const double *size);
  int32_t is_static;   // only in bodies that do not move
  const char *sizes[3];   // what they are, for messages
} geom_type;

static const geom_type types[SN_NGEOMTYPES] = {
  [SN_GEOM_PLANE] = { "plane",
                      NULL,
                      1,
                      { "half x (0: infinite)", "half y (0: infinite)", "spacing of the grid" } },
  [SN_GEOM_HFIELD] = { "height field", NULL, 1, { NULL } },
  [SN_GEOM_SPHERE] = { "sphere", sphere_bound, 0, { "radius" } },
  [SN_GEOM_CAPSULE] = { "capsule", capsule_bound, 0, { "radius", "half length" } },
  [SN_GEOM_ELLIPSOID] = { "ellipsoid",
                          ellipsoid_bound,
                          0,
                          { "radius along x", "radius along y", "radius along z" } },
  [SN_GEOM_CYLINDER] = { "cylinder", cylinder_bound, 0, { "radius", "half length" } },
  [SN_GEOM_BOX] = { "box", box_bound, 0, { "half size x", "half size y", "half size z" } },
  [SN_GEOM_MESH] = { "mesh", box_bound, 0, { NULL } },
  [SN_GEOM_USER] = { "shape of a plugin", box_bound, 0, { NULL } },
};

static sn_status check_size(si_build *b, int64_t g, const double *size) {
  static const char *const nth[] = { "first", "second", "third" };
  const sn_geom_def *geom = SI_DEF(b, geom, g);
  const geom_type *type = &types[geom->type];
  const int is_plane = geom->type == SN_GEOM_PLANE, n = is_plane ? 3 : sn_geom_sizes(geom->type);
  const char *article = strchr("aeiou", type->name[0]) ? "an" : "a";
  char list[96];
  for (int k = is_plane ? 2 : 0; k < n; k++) {
    if (size[k] <= 0 && si_fromto_given(geom->fromto)) {
      return SI_FAIL(b, geom, g, "the %s of %s %s with fromto, the %s number of size, is %s",
                     type->sizes[k], article, type->name, nth[k],
                     size[k] == 0 ? "missing or 0" : "negative");
    }
    if (size[k] <= 0 && sn_dot3(geom->size, geom->size) == 0) {
      return SI_FAIL(b, geom, g, "size is missing or 0; the size of %s %s is: %s", article,
                     type->name, si_join(list, sizeof list, type->sizes, n));
    }
    if (size[k] == 0) {
      return SI_FAIL(b, geom, g, "the %s of %s %s, the %s number of size, is missing or 0",
                     type->sizes[k], article, type->name, nth[k]);
    }
    if (size[k] < 0) {
      return SI_FAIL(b, geom, g, "the %s of %s %s, the %s number of size, must be positive, not %g",
                     type->sizes[k], article, type->name, nth[k], size[k]);
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ checks

static int is_given(const char *name) {
  return name && name[0];
}

static sn_status check_assets(si_build *b, int64_t g) {
  const sn_geom_def *geom = SI_DEF(b, geom, g);
  const geom_type *type = &types[geom->type];
  int mesh = is_given(geom->mesh), hfield = is_given(geom->hfield);
  if (geom->type == SN_GEOM_MESH && !mesh) {
    return SI_FAIL(b, geom, g, "its type is mesh but no mesh is specified; set its mesh");
  }
  if ((geom->type == SN_GEOM_HFIELD) != hfield) {
    return SI_FAIL(b, geom, g,
                   hfield ? "it refers to a height field but its type is %s; set its type to hfield"
                          : "its type is %s but no height field is specified; set its hfield",
                   type->name);
  }
  if (mesh && type->is_static) {
    return SI_FAIL(b, geom, g, "a %s cannot be fitted to a mesh; remove its mesh", type->name);
  }
  if (mesh && si_fromto_given(geom->fromto)) {
    return SI_FAIL(b, geom, g, "both fromto and mesh are specified; remove one");
  }
  if (mesh && !(geom->fitscale > 0)) {
    return SI_FAIL(b, geom, g, "fitscale must be positive, not %g", geom->fitscale);
  }
  return SN_OK;
}

// Bounds, volume and inertia of a shape of a plugin.
static sn_status measure_shape(si_build *b, int64_t g) {
  const sn_geom_def *geom = SI_DEF(b, geom, g);
  const si_provider *p = si_engine_find(b->engine, SN_KIND_SHAPE, geom->shape, b->error);
  void *data = NULL;
  const sn_status status = p ? si_shape_make(p, geom->attributes, &b->shape[g], &data, b->error)
                             : SN_ENOTFOUND;
  if (status < 0) {
    return si_build_blame(b, status, SI_ELEMENT_geom, g);
  }
  si_shape_drop(p, data);
  return SN_OK;
}

static sn_status check_shape(si_build *b, int64_t g) {
  const sn_geom_def *geom = SI_DEF(b, geom, g);
  const int is_user = geom->type == SN_GEOM_USER;
  if (is_user != is_given(geom->shape)) {
    return SI_FAIL(b, geom, g,
                   is_user
                       ? "its type is user but no shape is specified; set its shape to the name "
                         "of one that a plugin provides"
                       : "it has a shape but its type is not user; set its type to user");
  }
  if (is_given(geom->attributes) && !is_user) {
    return SI_FAIL(b, geom, g, "attributes need a shape of a plugin; set its type to user");
  }
  if (is_user && (is_given(geom->mesh) || si_fromto_given(geom->fromto))) {
    return SI_FAIL(b, geom, g, "a shape of a plugin has no mesh and no fromto; remove them");
  }
  return is_user ? measure_shape(b, g) : SN_OK;
}

sn_status si_compile_geom_measure(si_build *b) {
  b->size.ngeom = b->number[SI_ELEMENT_geom].n;
  free(b->shape);
  b->shape = calloc((size_t)b->size.ngeom + 1, sizeof *b->shape);
  if (!b->shape) {
    return si_fail(b->error, SN_ENOMEM, "out of memory while compiling");
  }
  for (int64_t g = 0; g < b->size.ngeom; g++) {
    SN_TRY(check_assets(b, g));
    SN_TRY(check_shape(b, g));
  }
  return SN_OK;
}

// ------------------------------------------------------------------ filling

// A mesh is posed at its own frame, and bounded by a box about that frame's origin. A primitive is
// fitted to it along the axes of that frame.
static sn_status fill_mesh(si_build *b, int64_t g) {
  sn_model *m = b->m;
  const sn_geom_def *geom = SI_DEF(b, geom, g);
  double *pos = m->geom_pos + 3 * g, *quat = m->geom_quat + 4 * g, *size = m->geom_size + 3 * g;
  int32_t id;
  SN_TRY(SI_REFER(b, geom, g, mesh, geom->mesh, &id));
  const si_mesh_part *mesh = &b->assets.mesh[id];
  double offset[3], r[3], R[9];
  sn_copy3(offset, mesh->pos);
  if (geom->type == SN_GEOM_MESH) {
    m->geom_dataid[g] = id;
    for (int k = 0; k < 3; k++) {
      size[k] = fmax(fabs(mesh->low[k]), fabs(mesh->high[k]));
    }
  } else {
    const si_mesh_faces faces = si_mesh_faces_of(m, id);
    const char *wrong = si_mesh_fit(mesh, &faces, geom->type, b->spec->compiler.fitaabb != 0, size,
                                    offset);
    if (wrong) {
      return SI_FAIL(b, geom, g, "%s", wrong);
    }
    sn_scale3(size, size, geom->fitscale);
  }
  sn_quat_mat(R, quat);
  sn_mul_mat_vec3(r, R, offset);
  sn_add3(pos, pos, r);
  sn_mul_quat(quat, quat, mesh->quat);
  const double length = sqrt(quat[0] * quat[0] + quat[1] * quat[1] + quat[2] * quat[2] +
                             quat[3] * quat[3]);
  for (int k = 0; k < 4; k++) {   // divided, not multiplied by the inverse
    // Matches MuJoCo 2.2.2: mesh-pose-order
    quat[k] /= length;
  }
  return SN_OK;
}

// The size of a height field: half of its box.
static sn_status fill_hfield(si_build *b, int64_t g) {
  sn_model *m = b->m;
  int32_t id;
  SN_TRY(SI_REFER(b, geom, g, hfield, SI_DEF(b, geom, g)->hfield, &id));
  const double *extent = m->hfield_size + 4 * id;
  const double half[3] = { extent[0], extent[1], 0.5 * (extent[2] + extent[3]) };
  m->geom_dataid[g] = id;
  sn_copy3(m->geom_size + 3 * g, half);
  return SN_OK;
}

static sn_status fill_asset(si_build *b, int64_t g) {
  const sn_geom_def *geom = SI_DEF(b, geom, g);
  b->m->geom_dataid[g] = -1;
  if (geom->type == SN_GEOM_USER) {
    sn_copy3(b->m->geom_size + 3 * g, b->shape[g].half);
  }
  if (is_given(geom->mesh)) {
    return fill_mesh(b, g);
  }
  return is_given(geom->hfield) ? fill_hfield(b, g) : SN_OK;
}

static sn_status fill_frame(si_build *b, int64_t g) {
  sn_model *m = b->m;
  const sn_geom_def *geom = SI_DEF(b, geom, g);
  double *pos = m->geom_pos + 3 * g, *quat = m->geom_quat + 4 * g, *size = m->geom_size + 3 * g;
  const char *wrong;
  if (!si_fromto_given(geom->fromto)) {
    sn_copy3(pos, geom->pos);
    wrong = si_orient_quat(&geom->orient, &b->spec->compiler, quat);
  } else {
    if (geom->pos[0] != 0 || geom->pos[1] != 0 || geom->pos[2] != 0) {
      return SI_FAIL(b, geom, g, "both pos and fromto are specified; remove one");
    }
    wrong = si_orient_fromto(geom->fromto, geom->type, pos, quat, size);
  }
  if (wrong) {
    return SI_FAIL(b, geom, g, "%s", wrong);
  }
  SN_TRY(fill_asset(b, g));
  return check_size(b, g, size);
}

double si_geom_bound(int32_t type, const double *size) {
  return types[type].bound ? types[type].bound(size) : 0;
}

sn_status si_compile_geom_fill(si_build *b) {
  sn_model *m = b->m;
  for (int64_t g = 0; g < m->ngeom; g++) {
    const sn_geom_def *geom = SI_DEF(b, geom, g);
    if (types[geom->type].is_static && m->body_weldid[m->geom_bodyid[g]] != 0) {
      return SI_FAIL(b, geom, g, "a %s geom cannot move; attach it to a body without joints",
                     types[geom->type].name);
    }
    SN_TRY(fill_frame(b, g));
    SN_TRY(si_build_warn_friction(b, SI_ELEMENT_geom, g, geom->friction, 3));
    const double *size = m->geom_size + 3 * g;
    m->geom_rbound[g] = si_geom_bound(geom->type, size);
    if (geom->fluid) {
      si_fluid_numbers(geom->type, size, geom->fluidcoef, m->geom_fluid + 12 * g);
    }
  }
  return SN_OK;
}
