// SPDX-License-Identifier: Apache-2.0
//
// Mesh processor `assimp`: triangles of the formats that the library assimp reads, such as the
// Collada files of many robot descriptions. All meshes of a file become one, each where the file's
// nodes place it; the unit of length that a file states counts, its upward axis does not: robot
// descriptions mean the axes as they are written.

#include <assimp/cimport.h>
#include <assimp/config.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <stdio.h>
#include <string.h>

#include "sinew/mesh.h"

// The plugins for STL and OBJ are stricter, and say where a file is wrong.
#define EXTENSIONS "dae|ply|off|3ds|fbx|gltf|glb|x3d|wrl|ac|lwo|blend"

static const struct aiScene *read_scene(const void *bytes, int64_t count, const char *name) {
  const char *dot = strrchr(name, '.');
  unsigned int steps = aiProcess_Triangulate | aiProcess_SortByPType |
                       aiProcess_PreTransformVertices | aiProcess_JoinIdenticalVertices;
  struct aiPropertyStore *properties = aiCreatePropertyStore();
  if (!properties || count > UINT32_MAX) {
    return NULL;
  }
  aiSetImportPropertyInteger(properties, AI_CONFIG_IMPORT_COLLADA_IGNORE_UP_DIRECTION, 1);
  // no lines and no points
  aiSetImportPropertyInteger(properties, AI_CONFIG_PP_SBP_REMOVE,
                             aiPrimitiveType_POINT | aiPrimitiveType_LINE);
  const struct aiScene *scene = aiImportFileFromMemoryWithProperties(
      bytes, (unsigned int)count, steps, dot ? dot + 1 : "", properties);
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

// The triangles of a mesh whose first vertex is number `first` of all.
static sn_status give_faces(const sn_host *host, sn_mesh_sink *sink, const struct aiMesh *mesh,
                            int64_t first) {
  int64_t n = 0;
  int32_t *face = host->alloc(host, (3 * (int64_t)mesh->mNumFaces + 1) * (int64_t)sizeof *face);
  if (!face) {
    return SN_ENOMEM;
  }
  for (unsigned int f = 0; f < mesh->mNumFaces; f++) {
    if (mesh->mFaces[f].mNumIndices == 3) {
      for (int k = 0; k < 3; k++) {
        face[3 * n + k] = (int32_t)(first + mesh->mFaces[f].mIndices[k]);
      }
      n++;
    }
  }
  sn_status status = sink->faces(sink, n, face);
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

static sn_status assimp_decode(const void *self, const void *bytes, int64_t count, const char *name,
                               sn_mesh_sink *sink, const sn_host *host, sn_error *error) {
  (void)self;
  const struct aiScene *scene = read_scene(bytes, count, name ? name : "");
  sn_status status = SN_EPARSE;
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
