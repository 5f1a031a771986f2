// SPDX-License-Identifier: Apache-2.0
//
// A sample plugin: files that are computed when they are opened. "sphere:N.obj" is the unit sphere
// as a mesh with N rings of triangles between its poles and 2 N around it, N from 2 to 256. A model
// names it as the file of a mesh, and scales it:
//
//   <mesh name="ball" file="sphere:16.obj" scale="0.1 0.1 0.1"/>
//
// Vertex 1 is the north pole, then come N - 1 circles of 2 N vertices from north to south, the last
// vertex is the south pole. Faces are counterclockwise, seen from outside.

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sinew/instance.h"
#include "sinew/resource.h"

static const char prefix[] = "sphere:";
enum { FEWEST = 2, MOST = 256, LONGEST_LINE = 80 };

// ------------------------------------------------------------------ the file

typedef struct text {
  const sn_host *host;
  char *at;
  int64_t count, capacity;
} text;

// printf behind the text. The host calls resources in the locale "C": numbers have decimal points.
#define PUT(t, ...) \
  ((t)->count += snprintf((t)->at + (t)->count, (size_t)((t)->capacity - (t)->count), __VA_ARGS__))

static void put_vertices(text *t, int n) {
  const double pi = 3.14159265358979323846;
  PUT(t, "v 0 0 1\n");
  for (int ring = 1; ring < n; ring++) {
    for (int k = 0; k < 2 * n; k++) {
      const double polar = pi * ring / n, around = pi * k / n;
      PUT(t, "v %.9f %.9f %.9f\n", sin(polar) * cos(around), sin(polar) * sin(around), cos(polar));
    }
  }
  PUT(t, "v 0 0 -1\n");
}

static void put_faces(text *t, int n) {
  const int around = 2 * n, south = (n - 1) * around + 2;
  for (int k = 0; k < around; k++) {
    const int next = (k + 1) % around, last = south - around;
    PUT(t, "f 1 %d %d\n", 2 + k, 2 + next);
    for (int ring = 0; ring < n - 2; ring++) {
      const int upper = 2 + ring * around, lower = upper + around;
      PUT(t, "f %d %d %d\n", upper + k, lower + k, lower + next);
      PUT(t, "f %d %d %d\n", upper + k, lower + next, upper + next);
    }
    PUT(t, "f %d %d %d\n", last + k, south, last + next);
  }
}

// ------------------------------------------------------------------ the operations

// The N of "sphere:N.obj"; 0: it is no such name.
static int rings_of(const char *name) {
  char *end;
  const char *number = name + sizeof prefix - 1;
  if (number[0] < '1' || number[0] > '9') {
    return 0;
  }
  const long n = strtol(number, &end, 10);
  return strcmp(end, ".obj") == 0 && n >= FEWEST && n <= MOST ? (int)n : 0;
}

static void sphere_close(const void *self, void *file) {
  text *t = file;
  (void)self;
  t->host->free(t->host, t->at);
  t->host->free(t->host, t);
}

static sn_status sphere_open(const void *self, const sn_source *archive, const char *name,
                             void **file, int64_t *count, sn_error *error) {
  const sn_host *host = ((const sn_instance *)self)->host;
  const int n = rings_of(name);
  (void)archive;   // it recognizes none
  if (n == 0) {
    return sn_instance_fail(self, error, SN_ENOTFOUND,
                            "there is no such file; spheres are named sphere:N.obj, with N from 2 "
                            "to 256");
  }
  text *t = sn_instance_alloc(self, sizeof *t, error);
  if (!t) {
    return SN_ENOMEM;
  }
  t->host = host;
  t->capacity = (int64_t)LONGEST_LINE * (6 * n * n + 2);   // a line for each vertex and each face
  t->at = sn_instance_alloc(self, (size_t)t->capacity, error);
  if (!t->at) {
    sphere_close(self, t);
    return SN_ENOMEM;
  }
  put_vertices(t, n);
  put_faces(t, n);
  *file = t;
  *count = t->count;
  return SN_OK;
}

static sn_status sphere_read(const void *self, void *file, uint8_t *bytes, sn_error *error) {
  const text *t = file;
  (void)self;
  (void)error;
  memcpy(bytes, t->at, (size_t)t->count);
  return SN_OK;
}

// ------------------------------------------------------------------ the plugin

static const sn_resource_ops sphere_ops = {
  .head = { .size = sizeof(sn_resource_ops),
            .summary = "spheres as meshes, sphere:16.obj",
            .create = sn_instance_create,
            .destroy = sn_instance_destroy },
  .prefixes = prefix,
  .open = sphere_open,
  .read = sphere_read,
  .close = sphere_close,
};

static const sn_provide provides[] = {
  SN_PROVIDE_RESOURCE("sphere", &sphere_ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "org.example.sphere", .version = "1.0", .license = "Apache-2.0",
          .summary = "computed meshes", .provides = provides)
