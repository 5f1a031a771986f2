// SPDX-License-Identifier: Apache-2.0
//
// Mesh processor `assimp`: triangles of the formats that the library assimp reads, such as the
// Collada files of many robot descriptions. All meshes of a file become one, each where the file's
// nodes place it; the unit of length that a file states counts, its upward axis does not: robot
// descriptions mean the axes as they are written.
//
// The library sees one file, the bytes that were given: what the file refers to, textures and
// buffers beside it, is not opened. Exceptions end in the library's own functions for C.

#include <assimp/cfileio.h>
#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "sinew/mesh.h"

// The plugins for STL and OBJ are stricter, and say where a file is wrong.
#define EXTENSIONS "dae|ply|off|3ds|fbx|gltf|glb|x3d|wrl|ac|lwo"

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

// One sink call for vectors of single precision.
static sn_status give_vectors(const sn_host *host, sn_mesh_sink *sink, int64_t n,
                              const struct aiVector3D *from,
                              sn_status (*call)(sn_mesh_sink *, int64_t, const double *)) {
  double *to = host->alloc(host, (3 * n + 1) * (int64_t)sizeof *to);
  if (!to) {
    return SN_ENOMEM;
  }
  for (int64_t i = 0; i < n; i++) {
    to[3 * i] = (double)from[i].x;
    to[3 * i + 1] = (double)from[i].y;
    to[3 * i + 2] = (double)from[i].z;
  }
  sn_status status = call(sink, n, to);
  host->free(host, to);
  return status;
}

// The triangles of a mesh whose first vertex is number `first` of all. A polygon is a fan of them,
// whose signed areas and volumes are right where it is not convex, too; points and lines are none.
static sn_status give_faces(const sn_host *host, sn_mesh_sink *sink, const struct aiMesh *mesh,
                            int64_t first) {
  int64_t most = 0, n = 0;
  for (unsigned int f = 0; f < mesh->mNumFaces; f++) {
    most += mesh->mFaces[f].mNumIndices;
  }
  int32_t *face = host->alloc(host, (3 * most + 1) * (int64_t)sizeof *face);
  if (!face) {
    return SN_ENOMEM;
  }
  for (unsigned int f = 0; f < mesh->mNumFaces; f++) {
    const unsigned int *index = mesh->mFaces[f].mIndices;
    for (unsigned int k = 2; k < mesh->mFaces[f].mNumIndices; k++) {
      face[3 * n] = (int32_t)(first + index[0]);
      face[3 * n + 1] = (int32_t)(first + index[k - 1]);
      face[3 * n + 2] = (int32_t)(first + index[k]);
      n++;
    }
  }
  sn_status status = n > 0 ? sink->faces(sink, n, face) : SN_OK;
  host->free(host, face);
  return status;
}

static sn_status give(const struct aiScene *scene, sn_mesh_sink *sink, const sn_host *host) {
  int all_normals = 1;
  int64_t first = 0;
  for (unsigned int i = 0; i < scene->mNumMeshes; i++) {
    all_normals = all_normals && scene->mMeshes[i]->mNormals;
  }
  for (unsigned int i = 0; i < scene->mNumMeshes; i++) {
    const struct aiMesh *mesh = scene->mMeshes[i];
    int64_t n = mesh->mNumVertices;
    if (first + n > INT32_MAX) {
      return SN_ENOMEM;
    }
    sn_status status = give_vectors(host, sink, n, mesh->mVertices, sink->vertices);
    if (status >= 0 && all_normals) {
      status = give_vectors(host, sink, n, mesh->mNormals, sink->normals);
    }
    status = status < 0 ? status : give_faces(host, sink, mesh, first);
    if (status < 0) {
      return status;
    }
    first += n;
  }
  return SN_OK;
}

// The library's reader of PLY looks for the end of the header for ever.
static int has_header_end(const void *bytes, int64_t count, const char *name) {
  static const char end[] = "end_header";
  const char *dot = strrchr(name, '.');
  return !dot || strcasecmp(dot, ".ply") != 0 || memmem(bytes, (size_t)count, end, sizeof end - 1);
}

static sn_status assimp_decode(const void *self, const void *bytes, int64_t count, const char *name,
                               sn_mesh_sink *sink, const sn_host *host, sn_error *error) {
  (void)self;
  sn_status status = SN_EPARSE;
  name = name ? name : "";
  if (!has_header_end(bytes, count, name)) {
    return host->error(host, error, status, name, 0, 0, "its header has no end_header");
  }
  const struct aiScene *scene = read_scene(bytes, count, name);
  if (!scene) {
    char reason[256];
    snprintf(reason, sizeof reason, "%s", aiGetErrorString());
    reason[strcspn(reason, "\n")] = '\0';
    host->error(host, error, status, name, 0, 0, reason[0] ? reason : "assimp cannot read it");
  } else if (scene->mNumMeshes == 0) {
    host->error(host, error, status, name, 0, 0, "it has no triangles");
  } else {
    status = give(scene, sink, host);
    if (status < 0) {
      host->error(host, error, status, name, 0, 0, "no memory for a mesh");
    }
  }
  aiReleaseImport(scene);
  return status;
}

static const sn_mesh_ops assimp_ops = {
  .head = { .size = sizeof(sn_mesh_ops), .summary = "triangles of many formats with assimp" },
  .extensions = EXTENSIONS,
  .decode = assimp_decode,
  .images = "",
};

static const sn_provide provides[] = {
  { SN_KIND_MESH, "assimp", &assimp_ops },
  { NULL, NULL, NULL },
};

static const sn_plugin plugin = {
  .magic = SN_PLUGIN_MAGIC,
  .size = sizeof(sn_plugin),
  .abi_major = SN_ABI_MAJOR,
  .abi_minor_needed = 0,
  .real_size = sizeof(double),
  .name = "assimp",
  .version = SN_VERSION,
  .license = "Apache-2.0",
  .summary = "meshes of many formats with assimp",
  .provides = provides,
};

SN_PLUGIN_ENTRY {
  return &plugin;
}
