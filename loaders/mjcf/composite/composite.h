// SPDX-License-Identifier: Apache-2.0
//
// Composite objects: one element of the file that generates many of the model, expanded while
// the file is read. The body around it is the parent; the parts are named by their coordinates in
// a grid of count[0] x count[1] x count[2] points:
//
//   body B2_3 (in 1D B2, in 3D B2_3_1), its geom G2_3, site S2_3, joints J0_2_3 ..., a tendon that
//   starts at it T2_3; all of them with the prefix of the object in front
//
//   composite.c  reads the element and its parts, checks them, picks the builder
//   part.c       what all builders add: joints, geoms, tendons, constraints
//   grid.c       particle, grid: free points, strings and nets of tendons
//   chain.c      rope, loop, cloth: trees of universal joints that start at the parent
//   cable.c      cable: a chain of ball joints along a curve, with names of its own
//   shell.c      box, cylinder, ellipsoid: a shell of points that slide from the parent
//   skin.c       skins of nets and shells
//
// Classes do not act on composite objects. Reference: the chapter "Composite objects" of the
// modelling guide of the format; what it leaves open is as in the engine it describes.

#ifndef LOADERS_MJCF_COMPOSITE_COMPOSITE_H
#define LOADERS_MJCF_COMPOSITE_COMPOSITE_H

#include "mjcf/read/read.h"

enum { COMPOSITE_MAIN = 0, COMPOSITE_TWIST = 1, COMPOSITE_STRETCH = 2, COMPOSITE_JOINTS = 3 };
enum { COMPOSITE_SHEAR = 1, COMPOSITE_TENDONS = 2 };   // after COMPOSITE_MAIN

enum {
  COMPOSITE_PARTICLE = 0,
  COMPOSITE_GRID = 1,
  COMPOSITE_ROPE = 2,
  COMPOSITE_LOOP = 3,
  COMPOSITE_CLOTH = 4,
  COMPOSITE_BOX = 5,
  COMPOSITE_CYLINDER = 6,
  COMPOSITE_ELLIPSOID = 7,
  COMPOSITE_CABLE = 8,
  COMPOSITE_TYPES = 9
};

// How the first point of a cable can move.
enum { COMPOSITE_BALL = 0, COMPOSITE_FREE = 1, COMPOSITE_FIXED = 2 };

// How soft an equality constraint is.
typedef struct composite_softness {
  double solref[2], solimp[5];
} composite_softness;

typedef struct composite_joint {
  int32_t kind;
  int32_t given;   // the object has joints of this kind
  sn_joint_def def;
  composite_softness fix;   // of the constraint that keeps it where it is
} composite_joint;

typedef struct composite_tendon {
  int32_t kind;
  int32_t given;
  sn_tendon_def def;
  composite_softness fix;   // of the constraint that keeps its length
} composite_tendon;

typedef struct composite_skin {
  int32_t given, texcoord, subgrid;
  int32_t reserved;
  sn_skin_def def;
} composite_skin;

typedef struct composite_pin composite_pin;
struct composite_pin {
  int32_t coord[2];
  composite_pin *next;
};

struct mjcf_composite {
  const xml_node *node;
  sn_location location;
  const char *prefix;
  int32_t type;
  int32_t count[3];
  double spacing, offset[3];
  double flatinertia;
  composite_softness smooth;
  composite_joint joint[COMPOSITE_JOINTS];
  composite_tendon tendon[COMPOSITE_TENDONS];
  composite_skin skin;
  sn_geom_def geom;
  sn_site_def site;
  composite_pin *pin;
  int32_t parent;   // body
  int32_t dim;      // coordinates in a name: 1, 2, 3

  // of cables
  const char *curve;
  double size[3];       // of the functions in `curve`
  sn_reals vertex;      // the points, three numbers each
  double quat[4];       // turns the points, before offset moves them
  double twist, bend;   // moduli of elasticity, Pa
  int32_t initial;
  int32_t flat;   // at rest the cable is straight
};

typedef struct mjcf_composite mjcf_composite;

// What a type can be, and the function that builds it. A part that a type does not use causes a
// warning.
typedef sn_status composite_build(mjcf_reader *r, mjcf_composite *c);
typedef struct composite_type {
  int32_t dim_min, dim_max;   // counts larger than one
  int32_t count_min;
  uint32_t joints, tendons;   // bits 1 << kind
  int32_t skin, site, pin;    // it can have them
  uint32_t geoms;             // bits 1 << type of the geoms that it can have
  composite_build *begin;     // before the parts are read; NULL: checks count and spacing
  composite_build *build;
} composite_type;

// ------------------------------------------------------------------ composite.c, elastic.c

// Readers of the schema's rows.
mjcf_read_fn mjcf_read_composite, mjcf_read_composite_joint, mjcf_read_composite_tendon,
    mjcf_read_composite_part, mjcf_read_composite_pin, mjcf_read_composite_plugin, mjcf_read_plugin;

// ------------------------------------------------------------------ part.c

// A name of a part, in memory of the document: prefix, word, the first n of coord with underscores
// between them. NULL: no memory.
const char *composite_name(mjcf_reader *r, const mjcf_composite *c, const char *word, int32_t n,
                           const int32_t *coord);
// Volume of the geom. The types that a geom of an object may have are the three that are known.
double composite_volume(const sn_geom_def *geom);

sn_status composite_add_body(mjcf_reader *r, const mjcf_composite *c, const sn_body_def *def,
                             int32_t *id);
// A joint of a kind of the object. The word begins its name, with the coordinates behind it; NULL:
// it has none. name (may be NULL) gets its name.
sn_status composite_add_joint(mjcf_reader *r, const mjcf_composite *c, int32_t kind, int32_t body,
                              const char *word, const int32_t *coord, int32_t type,
                              const double *pos, const double *axis, const char **name);
// The object's geom, with another quaternion where quat is not NULL.
sn_status composite_add_geom(mjcf_reader *r, const mjcf_composite *c, int32_t body,
                             const int32_t *coord, const double *quat);
sn_status composite_add_site(mjcf_reader *r, const mjcf_composite *c, int32_t body,
                             const int32_t *coord);
// A tendon of a kind between the sites of two points, and the constraint of its length.
sn_status composite_add_string(mjcf_reader *r, const mjcf_composite *c, int32_t kind,
                               const char *name, const int32_t *from, const int32_t *to);
// joint2 NULL: constant.
sn_status composite_fix_joint(mjcf_reader *r, const mjcf_composite *c, const char *joint1,
                              const char *joint2, const composite_softness *softness);
sn_status composite_fix_tendon(mjcf_reader *r, const mjcf_composite *c, int32_t kind,
                               const char *name);

// ------------------------------------------------------------------ builders

composite_build composite_particle, composite_grid;                // grid.c
composite_build composite_rope, composite_loop, composite_cloth;   // chain.c
composite_build composite_shell;                                   // shell.c
composite_build composite_cable_points, composite_cable;           // cable.c

// skin.c. Both sides of a net of count[0] x count[1] bodies, finer where subgrid is set.
composite_build composite_net_skin;
// skin.c. The six sides of a shell; types that are round have vertices in common.
composite_build composite_shell_skin;

// Is a point of the grid on its surface?
static inline int composite_on_shell(const mjcf_composite *c, int32_t x, int32_t y, int32_t z) {
  return x == 0 || y == 0 || z == 0 || x == c->count[0] - 1 || y == c->count[1] - 1 ||
         z == c->count[2] - 1;
}

// ------------------------------------------------------------------ elastic.c

// Gives the ball joint of a link, whose orientation in the one before is quat, the spring that
// stands for `length` of the cable.
sn_status composite_elastic(mjcf_reader *r, const mjcf_composite *c, double length,
                            const double *quat, sn_joint_def *def);

#endif
