// SPDX-License-Identifier: Apache-2.0
//
// What the tests of mesh plugins share: a sink that keeps what an operation writes, and examples of
// files.

#ifndef SINEW_CONFORMANCE_MESH_RESULT_H
#define SINEW_CONFORMANCE_MESH_RESULT_H

#include "conformance/kit.h"
#include "sinew/mesh.h"

enum { KIT_MOST_PIECES = 256 };

typedef struct mesh_result {
  sn_mesh_sink sink;
  double *vert;            // nvert x 3
  int32_t *face, *graph;   // nface x 3, ngraph
  int64_t nvert, nface, ngraph, nnormal, ntexcoord;
  int64_t npiece, first_vert[KIT_MOST_PIECES], first_face[KIT_MOST_PIECES];
  int64_t width, height, channels;
  uint8_t pixels[64];      // the first ones of an image
  int image_calls, not_finite;
  int64_t calls, fail_at;   // of the sink; the number of the call that fails, 0: none
  uint64_t hash;            // of all that was written
} mesh_result;

// Starts with an empty result. fail_at: as above.
void mesh_result_init(mesh_result *r, int64_t fail_at);
void mesh_result_free(mesh_result *r);

// An example of a file by its extension; *count bytes, to be freed. NULL: there is none.
uint8_t *mesh_example(const char *extension, int64_t *count);

// stl_files.c. Forms of an STL file, from 0 up: *copies tetrahedra of the example, each moved by
// multiples of MESH_SHIFT_X and MESH_SHIFT_Y. Files with an error, which is in line *line; 0: in no
// line. To be freed; NULL: there are no more.
enum { MESH_SHIFT_X = 2, MESH_SHIFT_Y = 200 };
uint8_t *mesh_stl_form(int form, const char **name, int64_t *count, int64_t *copies);
uint8_t *mesh_stl_wrong(int i, const char **what, int64_t *count, int32_t *line);

// hull.c. What is wrong with the triangles of a closed surface; NULL: nothing. Each edge has two
// triangles of opposite direction; the volume is positive. convex: all its vertices and the n given
// points (may be 0) are behind each triangle, up to `tolerance` of the size.
const char *mesh_surface_fault(const double *vert, int64_t nvert, const int32_t *face,
                               int64_t nface, int convex, const double *point, int64_t n,
                               double tolerance);
void kit_hull(kit *k);
void kit_decompose(kit *k);

#endif
