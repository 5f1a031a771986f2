// SPDX-License-Identifier: Apache-2.0
//
// The C face over tinyobjloader: the text of an OBJ file to the corners of its triangles.

#ifndef OBJ_READER_H
#define OBJ_READER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct obj_corners {
  int64_t n;          // three a triangle; without faces, one a vertex
  int faces;          // are there any?
  double *position;    // 3 a corner
  double *normal;      // 3 a corner; NULL: not every corner has one
  double *texcoord;    // 2 a corner, 0 0 where a corner has none; NULL: no corner has one
} obj_corners;

// Takes what memory the C++ library needs for this thread's exceptions; without it the C library
// ends the process when the first exception is that there is no memory.
void obj_ready(void);

// Polygons are cut into fans about their first corner. Returns 0, or 1 with what is wrong in
// `reason`. Throws nothing; obj_free takes back what it made, also after a failure.
int obj_read(const char *text, int64_t count, obj_corners *out, char *reason, int64_t size);
void obj_free(obj_corners *corners);

#ifdef __cplusplus
}
#endif

#endif
