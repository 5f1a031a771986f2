// SPDX-License-Identifier: Apache-2.0
//
// The part of mesh processor `assimp` that is linked with the library. All meshes of a file become
// one, each where the file's nodes place it; the unit of length that a file states counts, its
// upward axis does not: robot descriptions mean the axes as they are written.
//
// The library sees one file, the bytes that were given: what the file refers to, textures and
// buffers beside it, is not opened. It works in a process of its own (child_process.c): of damaged
// files it reads beyond its memory or ends the process. The result comes back as
//
//   header | vertices, 3 float each | normals, as many or none | faces, 3 int32 each

#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "assimp/child_process.h"
#include "assimp/extensions.h"
#include "sinew/mesh.h"

// ------------------------------------------------------------------ the one file

typedef struct memory {
  const uint8_t *bytes;
  size_t count, at;
  char name[32];   // "mesh.dae": the ending chooses the reader
} memory;

static size_t memory_read(struct aiFile *file, char *to, size_t size, size_t n) {
  memory *m = (memory *)(void *)file->UserData;
  const size_t most = size > 0 ? (m->count - m->at) / size : 0;
  n = n < most ? n : most;
  memcpy(to, m->bytes + m->at, n * size);
  m->at += n * size;
  return n;
}

static size_t memory_write(struct aiFile *file, const char *from, size_t size, size_t n) {
  (void)file;
  (void)from;
  (void)size;
  (void)n;
  return 0;
}

static size_t memory_tell(struct aiFile *file) {
  return ((memory *)(void *)file->UserData)->at;
}

static size_t memory_size(struct aiFile *file) {
  return ((memory *)(void *)file->UserData)->count;
}

static enum aiReturn memory_seek(struct aiFile *file, size_t offset, enum aiOrigin origin) {
  memory *m = (memory *)(void *)file->UserData;
  // from the end the library counts backwards
  const size_t from = origin == aiOrigin_CUR ? m->at : 0;
  const size_t to = origin == aiOrigin_END ? m->count - offset : from + offset;
  if (to > m->count || (origin == aiOrigin_END && offset > m->count)) {
    return aiReturn_FAILURE;
  }
  m->at = to;
  return aiReturn_SUCCESS;
}

static void memory_flush(struct aiFile *file) {
  (void)file;
}

static void close_file(struct aiFileIO *io, struct aiFile *file) {
  (void)io;
  free(file->UserData);
  free(file);
}

static struct aiFile *open_file(struct aiFileIO *io, const char *name, const char *mode) {
  const memory *given = (const memory *)(const void *)io->UserData;
  if (strcmp(name, given->name) != 0 || mode[0] != 'r') {
    return NULL;
  }
  struct aiFile *file = malloc(sizeof *file);
  memory *m = malloc(sizeof *m);
  if (!file || !m) {
    free(file);
    free(m);
    return NULL;
  }
  *m = *given;
  *file = (struct aiFile){ .ReadProc = memory_read,
                           .WriteProc = memory_write,
                           .TellProc = memory_tell,
                           .FileSizeProc = memory_size,
                           .SeekProc = memory_seek,
                           .FlushProc = memory_flush,
                           .UserData = (char *)m };
  return file;
}

// ------------------------------------------------------------------ reading

static const struct aiScene *read_scene(const void *bytes, int64_t count, const char *name) {
  const char *dot = strrchr(name, '.');
  // polygons are cut here: of damaged files the library's own step ends the process
  const unsigned int steps = aiProcess_PreTransformVertices | aiProcess_JoinIdenticalVertices |
                             aiProcess_ValidateDataStructure;
  struct aiPropertyStore *properties = aiCreatePropertyStore();
  if (!properties) {
    return NULL;
  }
  aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, 1);
  memory m = { .bytes = bytes, .count = (size_t)count };
  snprintf(m.name, sizeof m.name, "mesh%.20s", dot ? dot : "");
  struct aiFileIO io = { .OpenProc = open_file, .CloseProc = close_file, .UserData = (char *)&m };
  const struct aiScene *scene = aiImportFileExWithProperties(m.name, steps, &io, properties);
  aiReleasePropertyStore(properties);
  return scene;
}

// ------------------------------------------------------------------ in the process of its own

typedef struct header {
  int64_t nvertex, nface;
  int32_t has_normals;
  char reason[244];   // why there is nothing; "": there is
} header;

typedef struct job {
  const void *bytes;
  int64_t count;
  const char *name;
} job;

// Triangles of a polygon with n corners: a fan, whose signed areas and volumes are right where the
// polygon is not convex, too. Points and lines have none.
static int64_t triangles_of(const struct aiFace *face) {
  return face->mNumIndices < 3 ? 0 : face->mNumIndices - 2;
}

static header measure(const struct aiScene *scene) {
  header h = { .has_normals = 1 };
  for (unsigned int i = 0; i < scene->mNumMeshes; i++) {
    const struct aiMesh *mesh = scene->mMeshes[i];
    h.nvertex += mesh->mNumVertices;
    h.has_normals &= mesh->mNormals != NULL;
    for (unsigned int f = 0; f < mesh->mNumFaces; f++) {
      h.nface += triangles_of(&mesh->mFaces[f]);
    }
  }
  return h;
}

static void write_faces(const struct aiMesh *mesh, int64_t first, int file) {
  for (unsigned int f = 0; f < mesh->mNumFaces; f++) {
    const unsigned int *index = mesh->mFaces[f].mIndices;
    for (int64_t k = 0; k < triangles_of(&mesh->mFaces[f]); k++) {
      const int32_t triangle[3] = { (int32_t)(first + index[0]), (int32_t)(first + index[k + 1]),
                                    (int32_t)(first + index[k + 2]) };
      child_write(file, triangle, sizeof triangle);
    }
  }
}

static void read_in_child(void *context, int file) {
  const job *j = context;
  header h = { 0 };
  const struct aiScene *scene = read_scene(j->bytes, j->count, j->name);
  if (!scene) {
    snprintf(h.reason, sizeof h.reason, "%s", aiGetErrorString());
    h.reason[strcspn(h.reason, "\n")] = '\0';
    if (!h.reason[0]) {
      snprintf(h.reason, sizeof h.reason, "assimp cannot read it");
    }
  } else {
    h = measure(scene);
    if (h.nface == 0 || h.nvertex > INT32_MAX) {
      snprintf(h.reason, sizeof h.reason, h.nface == 0 ? "it has no triangles" : "it is too large");
    }
  }
  child_write(file, &h, sizeof h);
  if (h.reason[0] || !scene) {
    return;
  }
  for (unsigned int i = 0; i < scene->mNumMeshes; i++) {
    const struct aiMesh *mesh = scene->mMeshes[i];
    child_write(file, mesh->mVertices, mesh->mNumVertices * sizeof *mesh->mVertices);
  }
  for (unsigned int i = 0; i < scene->mNumMeshes && h.has_normals; i++) {
    const struct aiMesh *mesh = scene->mMeshes[i];
    child_write(file, mesh->mNormals, mesh->mNumVertices * sizeof *mesh->mNormals);
  }
  int64_t first = 0;
  for (unsigned int i = 0; i < scene->mNumMeshes; i++) {
    write_faces(scene->mMeshes[i], first, file);
    first += scene->mMeshes[i]->mNumVertices;
  }
}

// ------------------------------------------------------------------ here

// One sink call for vectors of single precision.
static sn_status give_vectors(const sn_host *host, sn_mesh_sink *sink, int64_t n, const float *from,
                              sn_status (*call)(sn_mesh_sink *, int64_t, const double *)) {
  double *to = host->alloc(host, (3 * n + 1) * (int64_t)sizeof *to);
  if (!to) {
    return SN_ENOMEM;
  }
  for (int64_t i = 0; i < 3 * n; i++) {
    to[i] = (double)from[i];
  }
  sn_status status = call(sink, n, to);
  host->free(host, to);
  return status;
}

static sn_status give(const header *h, const uint8_t *bytes, sn_mesh_sink *sink,
                      const sn_host *host) {
  const size_t nvector = (size_t)h->nvertex * 3 * sizeof(float);
  const uint8_t *const normal = bytes + nvector, *face = normal + (h->has_normals ? nvector : 0);
  sn_status status = give_vectors(host, sink, h->nvertex, (const float *)(const void *)bytes,
                                  sink->vertices);
  if (status >= 0 && h->has_normals) {
    status = give_vectors(host, sink, h->nvertex, (const float *)(const void *)normal,
                          sink->normals);
  }
  return status < 0 ? status : sink->faces(sink, h->nface, (const int32_t *)(const void *)face);
}

// The library's reader of PLY looks for the end of the header for ever.
static int has_header_end(const void *bytes, int64_t count, const char *name) {
  static const char end[] = "end_header";
  const char *dot = strrchr(name, '.');
  return !dot || strcasecmp(dot, ".ply") != 0 || memmem(bytes, (size_t)count, end, sizeof end - 1);
}

// Of some damaged files the library reads for ever. In a second it reads more bytes than these, in
// every format.
static int64_t most_seconds(int64_t count) {
  const int64_t start = 2, bytes_per_second = 200000;
  return start + count / bytes_per_second;
}

static sn_status assimp_decode(const void *self, const void *bytes, int64_t count, const char *name,
                               sn_mesh_sink *sink, const sn_host *host, sn_error *error) {
  (void)self;
  job j = { .bytes = bytes, .count = count, .name = name ? name : "" };
  uint8_t *result;
  size_t size = 0;
  const char *why;
  header h = { 0 };
  if (!has_header_end(bytes, count, j.name)) {
    return host->error(host, error, SN_EPARSE, name, 0, 0, "its header has no end_header");
  }
  if (child_run(read_in_child, &j, most_seconds(count), &result, &size, &why) < 0) {
    return host->error(host, error, SN_EPARSE, name, 0, 0, why);
  }
  if (size < sizeof h) {
    snprintf(h.reason, sizeof h.reason, "assimp cannot read it");
  } else {
    memcpy(&h, result, sizeof h);
    h.reason[sizeof h.reason - 1] = '\0';
  }
  const uint64_t want = sizeof h + (uint64_t)h.nvertex * 12 * (h.has_normals ? 2 : 1) +
                        (uint64_t)h.nface * 12;
  if (!h.reason[0] && size != want) {
    snprintf(h.reason, sizeof h.reason, "assimp did not finish");
  }
  sn_status status = SN_EPARSE;
  if (h.reason[0]) {
    host->error(host, error, status, name, 0, 0, h.reason);
  } else {
    status = give(&h, result + sizeof h, sink, host);
    if (status == SN_ENOMEM) {
      host->error(host, error, status, name, 0, 0, "out of memory for a mesh");
    }
  }
  free(result);
  return status;
}

static const sn_mesh_ops ops = {
  .head = { .size = sizeof(sn_mesh_ops), .summary = "triangles of many formats with assimp" },
  .extensions = EXTENSIONS,
  .decode = assimp_decode,
  .images = "",
};

static const sn_provide provides[] = {
  SN_PROVIDE_MESH("assimp", &ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "assimp", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "meshes of many formats with assimp", .provides = provides)
