// SPDX-License-Identifier: Apache-2.0
//
// What the compiler calls of the assets: meshes, height fields, skins, textures. mesh.h is what the
// files of this folder share.

#ifndef SI_ASSETS_ASSETS_H
#define SI_ASSETS_ASSETS_H

#include "context/context.h"

si_build_part si_mesh_measure, si_mesh_fill;       // mesh.c
si_build_part si_hfield_measure, si_hfield_fill;   // hfield.c
si_build_part si_skin_measure, si_skin_fill;       // skin.c

// The spec with geoms for the convex pieces of meshes that collide; NULL: none are selected, or no
// mesh needs any. The caller frees it. pieces.c
sn_status si_mesh_split(si_build *b, sn_spec **split);
// texture.c. Pixels (3 bytes each, rows from the top) of a built-in texture.
void si_texture_builtin(const sn_texture_def *def, int32_t width, int32_t height, uint8_t *rgb);
// The operation decode_mesh of sn_builder. spec_mesh.c
sn_status si_spec_decode_mesh(const sn_spec *spec, int32_t id, sn_mesh_def *def, sn_error *error);
// mesh_result.c
void si_assets_free(si_assets *assets);

#endif
