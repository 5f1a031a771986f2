// SPDX-License-Identifier: Apache-2.0
//
// The files that mesh processor `assimp` reads.

#ifndef PLUGINS_MESH_ASSIMP_EXTENSIONS_H
#define PLUGINS_MESH_ASSIMP_EXTENSIONS_H

// The plugins for STL and OBJ are stricter, and say where a file is wrong.
#define EXTENSIONS "dae|ply|off|3ds|fbx|gltf|glb|x3d|wrl|ac|lwo"

#endif
