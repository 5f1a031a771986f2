// SPDX-License-Identifier: Apache-2.0
//
// Corners of triangles to shared vertices.

#ifndef STL_MERGE_H
#define STL_MERGE_H

#include "sinew/mesh.h"

// Moves the vertices (3 numbers each) to the front of `xyz`, in the order in which they come first,
// and writes to index[i] which of them corner i is. Corners share a vertex only when they are at
// the same place; see merge.c. Numbers are finite. Returns how many there are, -1: no memory.
// Linear in time.
int64_t stl_merge(const sn_host *host, int64_t n, double *xyz, int32_t *index);

#endif
