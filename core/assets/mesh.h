// SPDX-License-Identifier: Apache-2.0
//
// Meshes on their way into a model.
//
//   pieces   instead of concave meshes that collide, if they are selected     compile_pieces.c
//   decode   file or definition to vertices and triangles           mesh_result.c, compile_mesh.c
//   hull     by a plugin, where there are no triangles or a geom collides
//   place    reference frame, scale                                  compile_mesh.c
//   normals  where there are none                                    mesh_normal.c
//   inertia  volume, center of mass, tensor                          mesh_inertia.c
//   align    the mesh's own frame: origin at the center of mass, axes along the principal axes (to
//            a microradian: its exact inertia is kept beside it)
//
// Vertices are rounded to single precision, which files have them in, when they are read, placed,
// moved to the center and turned. The corner at which a convex contact ends, and the axes of a mesh
// that is nearly symmetric, go by the last bit; so they are where other engines of this format have
// them.
//
// A geom that shows the mesh is posed at the mesh's own frame, so that the mesh lies where it was
// written.

#ifndef SN_ASSETS_MESH_H
#define SN_ASSETS_MESH_H

#include "compile/compile.h"

// To single precision. Through memory: gcc 12 leaves such conversions out where it makes a vector
// of two.
static inline double sn_single(double x) {
  volatile float rounded = (float)x;
  return rounded;
}

// What a plugin gives through its sink. sn_mesh_result_init before, sn_mesh_result_free after.
typedef struct sn_mesh_result {
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
  const struct sn_build *build;   // whose limits hold; NULL: none
} sn_mesh_result;

void sn_mesh_result_init(sn_mesh_result *result);
void sn_mesh_result_free(sn_mesh_result *result);

// Triangles, or pixels of 1 or 3 channels, of an asset's file: by the first plugin that reads its
// extension. Errors name the file and the element. mesh_result.c
sn_status sn_mesh_decode(sn_build *b, int32_t kind, int64_t id, const char *file,
                         const uint8_t *bytes, int64_t count, sn_mesh_result *result);
sn_status sn_mesh_image(sn_build *b, int32_t kind, int64_t id, const char *file,
                        const uint8_t *bytes, int64_t count, int64_t channels,
                        sn_mesh_result *result);
// Is a file an image, by its name: png, or what a plugin reads as one?
int sn_mesh_is_image(const sn_build *b, const char *file);

// The pixels of a texture that is not built in, as the model has them. texture_file.c
sn_status sn_texture_read(sn_build *b, int64_t id, sn_mesh_result *out);

// Triangles and graph of the convex hull of the vertices that the result has. limit: most of them
// that it has; 0: all.
sn_status sn_mesh_hull(sn_build *b, int64_t id, int64_t limit, sn_mesh_result *result);
// Is it the vertex graph of a hull, in the layout of sinew/mesh.h, as far as climbing needs it?
int sn_is_hull_graph(int64_t nvert, int64_t ngraph, const int32_t *graph);

// Vertices and triangles of a mesh, in its reference frame and scaled. compile_mesh.c
sn_status sn_mesh_read(sn_build *b, int64_t id, sn_mesh_result *result);
// Its convex pieces, by the plugin that is selected for them: vertices and where each piece starts.
sn_status sn_mesh_pieces(sn_build *b, int64_t id, const sn_provider *p, const sn_mesh_result *mesh,
                         sn_mesh_result *out);

// One normal a vertex, in result->normal: the mean of the triangles' normals, weighted by area;
// not smooth: without triangles that are far from that mean. mesh_normal.c
sn_status sn_mesh_normals(sn_mesh_result *result, int smooth);

// The mass of density one and how it is distributed: center of mass, principal axes, principal
// moments of a unit mass in descending order; in some frame.
typedef struct sn_solid {
  double volume;   // or area
  double pos[3], quat[4];
  double inertia[3];
  double frame[4];   // the axes, as sn_frame_axes finds them
} sn_solid;

// mesh_inertia.c. The body that the triangles enclose: exact, where parts that are seen from
// behind count negative; or positive, where all count positive; or boxed, where moreover the volume
// is that of the box with the same inertia.
enum { SN_SOLID_BOXED, SN_SOLID_EXACT, SN_SOLID_POSITIVE };
void sn_mesh_solid(const sn_mesh_result *mesh, int how, sn_solid *out);
// That of the convex hull, of which the result has the graph.
void sn_mesh_solid_of_hull(const sn_mesh_result *mesh, sn_solid *out);
// The surface, as a thin shell.
void sn_mesh_shell(const sn_mesh_result *mesh, sn_solid *out);
// Half sizes of the box that has the same inertia: h_x^2 = 3/2 (I_y + I_z - I_x) a unit mass.
void sn_inertia_box(const double *inertia, double *half);

// Why a mesh has no volume.
enum { SN_MESH_SOUND, SN_MESH_INSIDE_OUT, SN_MESH_HOLLOW };

// A mesh of the model.
typedef struct sn_mesh_part {
  sn_mesh_result data;      // in the mesh's own frame
  double pos[3], quat[4];   // of that frame, in the one that the mesh is written in
  double low[3], high[3];   // bounding box
  sn_solid solid, shell;    // in the mesh's own frame; volume 0: none
  int32_t fault;            // why there is no volume: SN_MESH_*
  int32_t told;             // is there a warning about its faces?
} sn_mesh_part;

// Edges that neighbors run through in the same direction, so that one of them is turned inside out;
// and two faces at the first of them, or -1 -1. mesh_orientation.c
typedef struct sn_mesh_opposed {
  int64_t edges, face[2];
} sn_mesh_opposed;
sn_status sn_mesh_find_opposed(const sn_mesh_result *mesh, sn_mesh_opposed *out);

// The size of a primitive that stands for a mesh, and its position in the geom's frame: about the
// bounding box, or with the same inertia. NULL, or what is wrong. mesh_fit.c
const char *sn_mesh_fit(const sn_mesh_part *mesh, int32_t type, int aabb, double *size,
                        double *pos);

void sn_assets_free(sn_assets *assets);

#endif
