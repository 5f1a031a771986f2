// SPDX-License-Identifier: Apache-2.0
//
// Meshes on their way into a model.
//
//   pieces   instead of concave meshes that collide, if they are selected             pieces.c
//   decode   file or definition to vertices and triangles           mesh_result.c, mesh.c
//   hull     by a plugin, where there are no triangles or a geom collides
//   place    reference frame, scale                                  mesh.c
//   normals  where there are none                                    mesh_normal.c
//   inertia  volume, center of mass, tensor                          mesh_inertia.c
//   align    the mesh's own frame: origin at the center of mass, axes along the principal axes (to
//            a microradian: its exact inertia is kept beside it)
//
// Vertices are rounded to single precision, which is how files store them, when they are read,
// placed, moved to the center and turned. The vertex at which a convex contact ends, and the axes
// of a mesh that is nearly symmetric, depend on the last bit.
// Matches MuJoCo 2.2.2: mesh-single-precision
//
// A geom that shows the mesh is posed at the mesh's own frame, so that the mesh lies where it was
// written.

#ifndef SI_ASSETS_MESH_H
#define SI_ASSETS_MESH_H

#include "assets/assets.h"

// To single precision. Through memory: gcc 12 leaves such conversions out where it makes a vector
// of two.
static inline double si_single(double x) {
  volatile float rounded = (float)x;
  return rounded;
}

// What a plugin gives through its sink. si_mesh_result_init before, si_mesh_result_free after.
typedef struct si_mesh_result {
  sn_mesh_sink sink;
  int64_t nvert, nnormal, ntexcoord, nface, ngraph;
  double *vert, *normal, *texcoord;   // 3, 3, 2 each
  int32_t *face, *graph;
  int64_t width, height, channels;
  uint8_t *pixels;
  int64_t npiece;
  int32_t *piece;   // the first vertex of each
  int32_t single;     // is its inertia computed in single precision? see mesh_inertia.c
  int32_t mirrored;   // a scale below zero has turned its faces over
  const struct si_build *build;   // whose limits hold; NULL: none
  sn_status status;               // of the first call of the sink that failed
  char reason[160];
} si_mesh_result;

// mesh_sink.c
void si_mesh_result_init(si_mesh_result *result);
void si_mesh_result_free(si_mesh_result *result);

// Triangles, or pixels of 1 or 3 channels, of an asset's file: by the first plugin that reads its
// extension. Errors name the file and the element. mesh_result.c
sn_status si_mesh_decode(si_build *b, int32_t kind, int64_t id, const char *file,
                         const uint8_t *bytes, int64_t count, si_mesh_result *result);
sn_status si_mesh_image(si_build *b, int32_t kind, int64_t id, const char *file,
                        const uint8_t *bytes, int64_t count, int64_t channels,
                        si_mesh_result *result);
// Is a file an image, by its name: png, or what a plugin reads as one?
int si_mesh_is_image(const si_build *b, const char *file);
// The extensions of images that plugins read, such as "png", for messages; never NULL.
const char *si_mesh_images(const si_build *b, char *known, size_t size);

// The pixels of a texture that is not built in, as the model has them. texture_file.c
sn_status si_texture_read(si_build *b, int64_t id, si_mesh_result *out);

// Triangles and graph of the convex hull of the vertices that the result has. limit: most of them
// that it has; 0: all.
sn_status si_mesh_hull(si_build *b, int64_t id, int64_t limit, si_mesh_result *result);

// Vertices and triangles of a mesh, in its reference frame and scaled. mesh.c
sn_status si_mesh_read(si_build *b, int64_t id, si_mesh_result *result);
// Its convex pieces, by the plugin that is selected for them: vertices and where each piece starts.
sn_status si_mesh_pieces(si_build *b, int64_t id, const si_provider *p, const si_mesh_result *mesh,
                         si_mesh_result *out);

// One normal a vertex, in result->normal: the mean of the triangles' normals, weighted by area;
// not smooth: without triangles that are far from that mean. mesh_normal.c
sn_status si_mesh_normals(si_mesh_result *result, int smooth);

// The mass of density one and how it is distributed: center of mass, principal axes, principal
// moments of a unit mass in descending order; in some frame.
typedef struct si_solid {
  double volume;   // or area
  double pos[3], quat[4];
  double inertia[3];
  double frame[4];   // the axes, as sn_frame_axes finds them
} si_solid;

// mesh_inertia.c. The body that the triangles enclose: exact, where parts that are seen from
// behind count negative; or positive, where all count positive; or boxed, where moreover the volume
// is that of the box with the same inertia, unless the body is convex, or always.
enum { SI_SOLID_BOXED, SI_SOLID_EXACT, SI_SOLID_POSITIVE, SI_SOLID_ALWAYS_BOXED };
void si_mesh_solid(const si_mesh_result *mesh, int how, si_solid *out);
// That of the convex hull, of which the result has the graph.
void si_mesh_solid_of_hull(const si_mesh_result *mesh, si_solid *out);
// The surface, as a thin shell.
void si_mesh_shell(const si_mesh_result *mesh, si_solid *out);
// Half sizes of the box that has the same inertia: h_x^2 = 3/2 (I_y + I_z - I_x) a unit mass.
void si_inertia_box(const double *inertia, double *half);

// Why a mesh has no volume.
enum { SI_MESH_SOUND, SI_MESH_INSIDE_OUT, SI_MESH_HOLLOW };

// A mesh of the model.
typedef struct si_mesh_part {
  si_mesh_result data;      // in the mesh's own frame; freed when the model has it
  double pos[3], quat[4];   // of that frame, in the one that the mesh is written in
  double low[3], high[3];   // bounding box
  si_solid solid, shell;    // in the mesh's own frame; volume 0: none
  int32_t fault;            // why there is no volume: SN_MESH_*
  int32_t warned;             // is there a warning about its faces?
} si_mesh_part;

// The surface of a mesh of the model, where it was copied to. mesh.c
typedef struct si_mesh_faces {
  int64_t nvert, nface;
  const double *vert;    // nvert x 3, finite
  const int32_t *face;   // nface x 3
} si_mesh_faces;
si_mesh_faces si_mesh_faces_of(const sn_model *m, int64_t id);

// Edges that neighbors run through in the same direction, so that one of them is turned inside out;
// and two faces at the first of them, or -1 -1. mesh_orientation.c
typedef struct si_mesh_opposed {
  int64_t edges, face[2];
} si_mesh_opposed;
sn_status si_mesh_find_opposed(const si_mesh_faces *mesh, si_mesh_opposed *out);

// The size of a primitive that stands for a mesh, and its position in the geom's frame: about the
// bounding box, or with the same inertia. NULL, or what is wrong. mesh_fit.c
const char *si_mesh_fit(const si_mesh_part *mesh, const si_mesh_faces *faces, int32_t type,
                        int aabb, double *size, double *pos);

#endif
