// SPDX-License-Identifier: Apache-2.0
//
// A primitive that stands for a mesh, with its axes along those of the mesh's own frame.
//
//            about the bounding box, center c, half sizes h,      with the box of the same inertia,
//            d = v - c for every vertex v, rho = |d_x, d_y|       half sizes h
//   sphere     r = max |d|                                        r = mean of h
//   capsule    r = max rho, half length max |d_z| - sqrt(r^2 -    r = (h_x + h_y) / 2, h_z - r / 2
//              rho^2), so that the caps hold every vertex
//   cylinder   r = max rho, h_z                                   r = (h_x + h_y) / 2, h_z
//   ellipsoid  h                                                  h
//   box        h                                                  h
//
// The position is that of the mesh's own frame for the box of the same inertia, and c for the
// bounding box. The coordinates of c are applied in the geom's frame although they are measured in
// the mesh's.
// Matches MuJoCo 2.2.2: mesh-fit-frame

#include <math.h>

#include "assets/mesh.h"
#include "sinew/math.h"

typedef struct extent {
  double half[3];
  double reach, radius;   // largest |d|, largest rho
  double stem;            // half length of a capsule of that radius
} extent;

static void box_extent(const si_mesh_part *mesh, const si_mesh_faces *faces, const double *center,
                       extent *e) {
  double across = 0;   // largest rho^2
  for (int k = 0; k < 3; k++) {
    e->half[k] = 0.5 * (mesh->high[k] - mesh->low[k]);
  }
  for (int64_t i = 0; i < faces->nvert; i++) {
    double d[3];
    sn_sub3(d, faces->vert + 3 * i, center);
    e->reach = fmax(e->reach, sn_norm3(d));
    across = fmax(across, d[0] * d[0] + d[1] * d[1]);
  }
  e->radius = sqrt(across);
  for (int64_t i = 0; i < faces->nvert; i++) {
    double d[3];
    sn_sub3(d, faces->vert + 3 * i, center);
    double cap = sqrt(across - (d[0] * d[0] + d[1] * d[1]));
    e->stem = fmax(e->stem, fabs(d[2]) - cap);
  }
}

static void inertia_extent(const si_mesh_part *mesh, extent *e) {
  si_inertia_box(mesh->solid.inertia, e->half);
  e->reach = (e->half[0] + e->half[1] + e->half[2]) / 3;
  e->radius = (e->half[0] + e->half[1]) / 2;
  e->stem = fmax(0, e->half[2] - e->radius / 2);
}

static void fit_sphere(const extent *e, double *size) {
  size[0] = e->reach;
}
static void fit_capsule(const extent *e, double *size) {
  size[0] = e->radius;
  size[1] = e->stem;
}
static void fit_cylinder(const extent *e, double *size) {
  size[0] = e->radius;
  size[1] = e->half[2];
}
static void fit_box(const extent *e, double *size) {
  sn_copy3(size, e->half);
}

static void (*const fits[SN_NGEOMTYPES])(const extent *e, double *size) = {
  [SN_GEOM_SPHERE] = fit_sphere, [SN_GEOM_CAPSULE] = fit_capsule, [SN_GEOM_CYLINDER] = fit_cylinder,
  [SN_GEOM_ELLIPSOID] = fit_box, [SN_GEOM_BOX] = fit_box,
};

const char *si_mesh_fit(const si_mesh_part *mesh, const si_mesh_faces *faces, int32_t type,
                        int aabb, double *size, double *pos) {
  if (!fits[type]) {
    return "only spheres, capsules, cylinders, ellipsoids and boxes can be fitted to a mesh";
  }
  extent e = { .reach = 0 };
  sn_copy3(pos, mesh->pos);
  if (aabb) {
    sn_add3(pos, mesh->low, mesh->high);
    sn_scale3(pos, pos, 0.5);
    box_extent(mesh, faces, pos, &e);
  } else if (mesh->solid.volume > 0) {
    inertia_extent(mesh, &e);
  } else {
    return "its mesh has no volume to fit an inertia box to; set the compiler's fitaabb";
  }
  fits[type](&e, size);
  return NULL;
}
