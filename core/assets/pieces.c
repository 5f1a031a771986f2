// SPDX-License-Identifier: Apache-2.0
//
// Concave meshes that collide as they look: where the configuration selects a plugin for pieces,
// each such mesh is cut into convex ones, and each geom that collides with it gets one geom more a
// piece, without mass, in the same frame.
//
//   geom "mug", mesh "mug", collides    ->    geom "mug", which keeps mass and looks
//                                             geom "mug#0", mesh "mug#0", collides
//                                             geom "mug#1", mesh "mug#1", collides ...
//
// Explicit pairs of the geom become pairs of its pieces. A mesh of one piece stays as it is. The
// result is a second spec; the first stays as it is. What is added comes after what was there.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "assets/mesh.h"

enum { PIECE_GROUP = 3, NAME_SIZE = 512 };   // the group of geoms that are not looked at

typedef struct splitting {
  si_build b;   // of the new spec, numbered
  const si_provider *provider;
  int64_t nmesh, ngeom, npair;   // before anything is added
  int32_t *asked, *pieces;       // by mesh: do geoms collide with it; how many pieces, 0 one
  int32_t *split;                // by geom: its number of pieces, 0 it stays
} splitting;

static si_element *element_of(const splitting *s, int32_t kind, int64_t id) {
  return &s->b.spec->list[kind].at[id];
}

static const char *piece_name(char *out, const char *name, int64_t k) {
  snprintf(out, NAME_SIZE, "%.480s#%lld", name, (long long)k);
  return out;
}

// ------------------------------------------------------------------ geoms that collide

static int is_paired(const splitting *s, const char *name) {
  for (int64_t i = 0; name && name[0] && i < s->npair; i++) {
    const sn_pair_def *pair = element_of(s, SI_ELEMENT_pair, i)->def;
    if ((pair->geom1 && strcmp(pair->geom1, name) == 0) ||
        (pair->geom2 && strcmp(pair->geom2, name) == 0)) {
      return 1;
    }
  }
  return 0;
}

// The mesh that a geom collides with; -1: none.
static sn_status mesh_of(splitting *s, int64_t g, int32_t *mesh) {
  const sn_geom_def *geom = element_of(s, SI_ELEMENT_geom, g)->def;
  *mesh = -1;
  if (geom->type != SN_GEOM_MESH ||
      !(geom->contype || geom->conaffinity || is_paired(s, geom->name))) {
    return SN_OK;
  }
  int32_t id;
  SN_TRY(si_build_refer(&s->b, SI_ELEMENT_geom, s->b.number[SI_ELEMENT_geom].model[g],
                        SI_ELEMENT_mesh, geom->mesh, &id));
  *mesh = s->b.number[SI_ELEMENT_mesh].spec[id];
  return SN_OK;
}

// ------------------------------------------------------------------ adding

static sn_status add_meshes(splitting *s, int64_t id, const si_mesh_result *r) {
  const si_element *mesh = element_of(s, SI_ELEMENT_mesh, id);
  const sn_location location = mesh->location;
  const int32_t limit = ((const sn_mesh_def *)mesh->def)->maxhullvert;   // additions move the list
  char from[NAME_SIZE], name[NAME_SIZE];
  snprintf(from, sizeof from, "%s", si_element_name(mesh));
  for (int64_t k = 0; k < r->npiece; k++) {
    int64_t end = k + 1 < r->npiece ? r->piece[k + 1] : r->nvert;
    sn_mesh_def def;
    sn_default_mesh(&def);
    def.name = piece_name(name, from, k);
    def.maxhullvert = limit;
    def.vert = (sn_reals){ r->vert + 3 * (int64_t)r->piece[k], 3 * (end - r->piece[k]) };
    SN_TRY(sn_spec_add_mesh(s->b.spec, &def, &location, NULL, s->b.error));
  }
  s->pieces[id] = (int32_t)r->npiece;
  return SN_OK;
}

static sn_status split_mesh(splitting *s, int64_t id) {
  si_mesh_result mesh, out;
  int64_t model_id = s->b.number[SI_ELEMENT_mesh].model[id];
  si_mesh_result_init(&mesh);
  si_mesh_result_init(&out);
  sn_status status = si_mesh_read(&s->b, model_id, &mesh);
  if (status >= 0 && mesh.nface > 0) {   // else it is the hull of its vertices
    status = si_mesh_pieces(&s->b, model_id, s->provider, &mesh, &out);
  }
  status = status < 0 ? status : si_limit_time(&s->b.deadline, 0, s->b.error);
  if (status >= 0 && out.npiece > 1) {
    status = add_meshes(s, id, &out);
  }
  si_mesh_result_free(&out);
  si_mesh_result_free(&mesh);
  return status;
}

static sn_status add_geoms(splitting *s, int64_t g, int32_t mesh) {
  const sn_location location = element_of(s, SI_ELEMENT_geom, g)->location;
  char mesh_name[NAME_SIZE], geom_name[NAME_SIZE];
  for (int32_t k = 0; k < s->pieces[mesh]; k++) {
    sn_geom_def def = *(const sn_geom_def *)element_of(s, SI_ELEMENT_geom, g)->def;
    def.mesh = piece_name(mesh_name, si_element_name(element_of(s, SI_ELEMENT_mesh, mesh)), k);
    def.name = def.name && def.name[0] ? piece_name(geom_name, def.name, k) : NULL;
    def.mass = 0;
    def.shellinertia = 0;
    def.fluid = 0;
    def.group = PIECE_GROUP;
    SN_TRY(sn_spec_add_geom(s->b.spec, &def, &location, NULL, s->b.error));
  }
  sn_geom_def *whole = element_of(s, SI_ELEMENT_geom, g)->def;
  whole->contype = whole->conaffinity = 0;
  s->split[g] = s->pieces[mesh];
  return SN_OK;
}

// How many pieces the geom of a pair has; 0: it is whole.
static int32_t pieces_named(const splitting *s, const char *name) {
  int32_t g = name ? sn_spec_find(s->b.spec, "geom", name) : -1;
  return g >= 0 && g < s->ngeom ? s->split[g] : 0;
}

// The first combination of pieces takes the place of the pair; the others are added.
static sn_status multiply_pair(splitting *s, int64_t i) {
  si_element *element = element_of(s, SI_ELEMENT_pair, i);
  const sn_location location = element->location;
  const sn_pair_def *pair = element->def;
  char whole1[NAME_SIZE], whole2[NAME_SIZE], name1[NAME_SIZE], name2[NAME_SIZE];
  int32_t n1 = pieces_named(s, pair->geom1), n2 = pieces_named(s, pair->geom2);
  if (!n1 && !n2) {
    return SN_OK;
  }
  snprintf(whole1, sizeof whole1, "%s", pair->geom1);
  snprintf(whole2, sizeof whole2, "%s", pair->geom2);
  for (int32_t k1 = 0; k1 < (n1 ? n1 : 1); k1++) {
    for (int32_t k2 = 0; k2 < (n2 ? n2 : 1); k2++) {
      sn_pair_def def = *(const sn_pair_def *)element_of(s, SI_ELEMENT_pair, i)->def;
      def.geom1 = n1 ? piece_name(name1, whole1, k1) : whole1;
      def.geom2 = n2 ? piece_name(name2, whole2, k2) : whole2;
      if (k1 == 0 && k2 == 0) {
        SN_TRY(sn_spec_set_pair(s->b.spec, (int32_t)i, &def, s->b.error));
      } else {
        def.name = NULL;
        SN_TRY(sn_spec_add_pair(s->b.spec, &def, &location, NULL, s->b.error));
      }
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ the whole

static sn_status split_all(splitting *s) {
  SN_TRY(si_spec_number(s->b.spec, s->b.number, s->b.error));
  for (int64_t g = 0; g < s->ngeom; g++) {
    int32_t mesh;
    SN_TRY(mesh_of(s, g, &mesh));
    if (mesh >= 0) {
      s->asked[mesh] = 1;
    }
  }
  for (int64_t id = 0; id < s->nmesh; id++) {
    if (s->asked[id]) {
      SN_TRY(split_mesh(s, id));
    }
  }
  for (int64_t g = 0; g < s->ngeom; g++) {
    int32_t mesh;
    SN_TRY(mesh_of(s, g, &mesh));
    if (mesh >= 0 && s->pieces[mesh] > 1) {
      SN_TRY(add_geoms(s, g, mesh));
    }
  }
  for (int64_t i = 0; i < s->npair; i++) {
    SN_TRY(multiply_pair(s, i));
  }
  return SN_OK;
}

sn_status si_mesh_split(si_build *b, sn_spec **split) {
  *split = NULL;
  const char *name = si_engine_selected(b->engine, "decomposition");
  if (!name || b->spec->list[SI_ELEMENT_mesh].n == 0) {
    return SN_OK;
  }
  splitting s = {
    .b = { .given = b->given, .engine = b->engine, .error = b->error, .deadline = b->deadline }
  };
  s.provider = si_engine_find(b->engine, SN_KIND_MESH, name, b->error);
  if (!s.provider) {
    return SN_ENOTFOUND;
  }
  s.b.spec = sn_spec_copy(b->spec, b->error);
  if (!s.b.spec) {
    return SN_ENOMEM;
  }
  s.nmesh = s.b.spec->list[SI_ELEMENT_mesh].n;
  s.ngeom = s.b.spec->list[SI_ELEMENT_geom].n;
  s.npair = s.b.spec->list[SI_ELEMENT_pair].n;
  s.asked = calloc((size_t)s.nmesh + 1, sizeof *s.asked);
  s.pieces = calloc((size_t)s.nmesh + 1, sizeof *s.pieces);
  s.split = calloc((size_t)s.ngeom + 1, sizeof *s.split);
  sn_status status = s.asked && s.pieces && s.split
                         ? split_all(&s)
                         : si_fail(b->error, SN_ENOMEM, "out of memory while compiling");
  free(s.asked);
  free(s.pieces);
  free(s.split);
  *split = s.b.spec;
  s.b.spec = NULL;
  si_numbering_free(s.b.number);
  if (status < 0) {
    sn_spec_free(*split);
    *split = NULL;
  }
  return status;
}
