// SPDX-License-Identifier: Apache-2.0
//
// Meshes: from definitions or files to the model's arrays. Everything is computed while measuring,
// since it says how large the arrays are; filling copies.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "assets/mesh.h"
#include "platform/pages.h"
#include "sinew/math.h"

// ------------------------------------------------------------------ triangles

static sn_status copy_inline(si_build *b, int64_t id, si_mesh_result *r) {
  const sn_mesh_def *def = SI_DEF(b, mesh, id);
  const struct {
    const char *name;
    int64_t n, cols;
  } lists[] = { { "vertex", def->vert.n, 3 },
                { "normal", def->normal.n, 3 },
                { "texcoord", def->texcoord.n, 2 },
                { "face", def->face.n, 3 } };
  for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
    if (lists[i].n % lists[i].cols) {
      return SI_FAIL(b, mesh, id, "%s has %lld numbers, which is not a multiple of %lld",
                     lists[i].name, (long long)lists[i].n, (long long)lists[i].cols);
    }
  }
  sn_mesh_sink *sink = &r->sink;
  if (sink->vertices(sink, def->vert.n / 3, def->vert.p) < 0 ||
      (def->normal.n && sink->normals(sink, def->normal.n / 3, def->normal.p) < 0) ||
      (def->texcoord.n && sink->texcoords(sink, def->texcoord.n / 2, def->texcoord.p) < 0) ||
      (def->face.n && sink->faces(sink, def->face.n / 3, def->face.p) < 0)) {
    return si_build_fail(b, SN_ENOMEM, SI_ELEMENT_mesh, id, "out of memory");
  }
  return SN_OK;
}

static sn_status to_single(si_build *b, int64_t id, si_mesh_result *r) {
  for (int64_t i = 0; i < 3 * r->nvert; i++) {
    r->vert[i] = si_single(r->vert[i]);
    if (!isfinite(r->vert[i])) {
      return SI_FAIL(b, mesh, id,
                     "vertex %lld is not finite, or beyond single precision, 3.4e38; use another "
                     "unit or scale",
                     (long long)(i / 3));
    }
  }
  return SN_OK;
}

static sn_status check_mesh(si_build *b, int64_t id, const si_mesh_result *r) {
  const int least = r->nface > 0 ? 3 : 4;   // a triangle can be shown, a hull has a volume
  if (r->nvert < least) {
    return SI_FAIL(b, mesh, id, "the number of its vertices is %lld; a mesh requires at least %d",
                   (long long)r->nvert, least);
  }
  if ((r->nnormal && r->nnormal != r->nvert) || (r->ntexcoord && r->ntexcoord != r->nvert)) {
    return SI_FAIL(b, mesh, id,
                   "it has %lld vertices, %lld normals and %lld texture coordinates; specify none, "
                   "or one for each vertex",
                   (long long)r->nvert, (long long)r->nnormal, (long long)r->ntexcoord);
  }
  for (int64_t i = 0; i < 3 * r->nnormal; i++) {
    if (!isfinite(r->normal[i])) {
      return SI_FAIL(b, mesh, id, "the normal of vertex %lld is not finite", (long long)(i / 3));
    }
  }
  for (int64_t i = 0; i < 3 * r->nface; i++) {
    if (r->face[i] < 0 || r->face[i] >= r->nvert) {
      return SI_FAIL(b, mesh, id, "face %lld refers to vertex %d; the vertices are 0 to %lld",
                     (long long)(i / 3), r->face[i], (long long)r->nvert - 1);
    }
  }
  return SN_OK;
}

static sn_status read_mesh(si_build *b, int64_t id, si_mesh_result *r) {
  const sn_mesh_def *def = SI_DEF(b, mesh, id);
  if (def->bytes) {
    SN_TRY(si_mesh_decode(b, SI_ELEMENT_mesh, id, def->file ? def->file : "", def->bytes,
                          def->nbytes, r));
  } else if (def->file && def->file[0]) {
    return SI_FAIL(b, mesh, id, "its file '%s' is empty, or was not read", def->file);
  } else {
    SN_TRY(copy_inline(b, id, r));
  }
  SN_TRY(to_single(b, id, r));
  return check_mesh(b, id, r);
}

// ------------------------------------------------------------------ place

static void turn_over(int64_t nface, int32_t *face) {
  for (int64_t f = 0; f < nface; f++) {
    int32_t swap = face[3 * f + 1];
    face[3 * f + 1] = face[3 * f + 2];
    face[3 * f + 2] = swap;
  }
}

// Into the reference frame, then scaled. A normal is scaled by the inverse; a mirror turns the
// triangles inside out, so they are turned back.
static sn_status place(si_build *b, int64_t id, si_mesh_result *r) {
  const sn_mesh_def *def = SI_DEF(b, mesh, id);
  const double *s = def->scale;
  double quat[4], R[9], v[3];
  if (!(s[0] * s[1] * s[2] != 0) || !isfinite(s[0] * s[1] * s[2])) {
    return SI_FAIL(b, mesh, id, "scale must be three finite numbers that are not zero");
  }
  sn_copy4(quat, def->refquat);
  if (!(quat[0] * quat[0] + sn_dot3(quat + 1, quat + 1) > 0)) {
    return SI_FAIL(b, mesh, id, "refquat is zero, which is not a rotation; remove it");
  }
  sn_normalize4(quat);
  sn_quat_mat(R, quat);
  const double *at = def->refpos;
  const double refpos[3] = { si_single(at[0]), si_single(at[1]), si_single(at[2]) };
  for (int64_t i = 0; i < r->nvert; i++) {
    sn_sub3(r->vert + 3 * i, r->vert + 3 * i, refpos);
  }
  SN_TRY(to_single(b, id, r));
  for (int64_t i = 0; i < r->nvert; i++) {
    sn_copy3(v, r->vert + 3 * i);
    sn_mul_matT_vec3(r->vert + 3 * i, R, v);
  }
  SN_TRY(to_single(b, id, r));
  for (int64_t i = 0; i < 3 * r->nvert; i++) {
    r->vert[i] *= s[i % 3];
  }
  SN_TRY(to_single(b, id, r));
  for (int64_t i = 0; i < r->nnormal; i++) {
    sn_mul_matT_vec3(v, R, r->normal + 3 * i);
    const double n[3] = { v[0] / s[0], v[1] / s[1], v[2] / s[2] };
    double length = sn_norm3(n);
    sn_scale3(r->normal + 3 * i, n, length > 0 ? 1 / length : 0);
  }
  r->mirrored = s[0] * s[1] * s[2] < 0;
  if (r->mirrored) {
    turn_over(r->nface, r->face);
    if (r->ngraph) {
      turn_over(r->graph[1], r->graph + r->ngraph - 3 * (int64_t)r->graph[1]);
    }
  }
  return SN_OK;
}

sn_status si_mesh_read(si_build *b, int64_t id, si_mesh_result *result) {
  SN_TRY(read_mesh(b, id, result));
  return place(b, id, result);
}

// ------------------------------------------------------------------ what geoms ask of a mesh

enum { COLLIDES = 1, SHELL = 2, SOLID = 4 };

static int is_in_pair(const si_build *b, const char *name) {
  for (int64_t i = 0; name && name[0] && i < b->number[SI_ELEMENT_pair].n; i++) {
    const sn_pair_def *pair = SI_DEF(b, pair, i);
    if ((pair->geom1 && strcmp(pair->geom1, name) == 0) ||
        (pair->geom2 && strcmp(pair->geom2, name) == 0)) {
      return 1;
    }
  }
  return 0;
}

static sn_status ask_geoms(si_build *b, int32_t *asked) {
  for (int64_t g = 0; g < b->number[SI_ELEMENT_geom].n; g++) {
    const sn_geom_def *geom = SI_DEF(b, geom, g);
    int32_t id;
    if (!geom->mesh || !geom->mesh[0]) {
      continue;
    }
    SN_TRY(SI_REFER(b, geom, g, mesh, geom->mesh, &id));
    asked[id] |= geom->shellinertia ? SHELL : SOLID;
    if (geom->type == SN_GEOM_MESH &&
        (geom->contype || geom->conaffinity || is_in_pair(b, geom->name))) {
      asked[id] |= COLLIDES;
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ the mesh's own frame

// A solid as seen from a frame.
static void see_from(const double *pos, const double *quat, si_solid *solid) {
  double inverse[4], d[3];
  sn_conj_quat(inverse, quat);
  sn_sub3(d, solid->pos, pos);
  sn_rotate(solid->pos, d, inverse);
  sn_mul_quat(solid->quat, inverse, solid->quat);
}

// Moves vertices and normals to the center of mass and principal axes of the solid, or without a
// solid to those of the shell, if a geom requires it. Meshes that are only displayed stay in place.
static sn_status align(si_build *b, int64_t id, int shell, si_mesh_part *part) {
  si_mesh_result *r = &part->data;
  const si_solid still = { .frame = { 1, 0, 0, 0 } };
  const si_solid *chosen = part->solid.volume > 0 ? &part->solid : shell ? &part->shell : &still;
  sn_copy3(part->pos, chosen->pos);
  sn_copy4(part->quat, chosen->frame);
  double R[9], v[3];
  sn_quat_mat(R, part->quat);
  for (int64_t i = 0; i < r->nvert; i++) {
    sn_sub3(r->vert + 3 * i, r->vert + 3 * i, part->pos);
  }
  SN_TRY(to_single(b, id, r));
  for (int64_t i = 0; i < r->nvert; i++) {
    sn_copy3(v, r->vert + 3 * i);
    sn_mul_matT_vec3(r->vert + 3 * i, R, v);
    sn_copy3(v, r->normal + 3 * i);
    sn_mul_matT_vec3(r->normal + 3 * i, R, v);
  }
  SN_TRY(to_single(b, id, r));
  for (int64_t i = 0; i < r->nvert; i++) {
    for (int k = 0; k < 3; k++) {
      double x = r->vert[3 * i + k];
      part->low[k] = i == 0 ? x : fmin(part->low[k], x);
      part->high[k] = i == 0 ? x : fmax(part->high[k], x);
    }
  }
  see_from(part->pos, part->quat, &part->solid);
  see_from(part->pos, part->quat, &part->shell);
  return SN_OK;
}

// Matches MuJoCo 2.2.2: mesh-always-boxed
static int usual_way(const si_build *b) {
  if (b->spec->compiler.exactmeshinertia) {
    return SI_SOLID_EXACT;
  }
  return b->option.compatibility == SN_COMPATIBILITY_MUJOCO_2_2 ? SI_SOLID_ALWAYS_BOXED
                                                                : SI_SOLID_BOXED;
}

// What has no volume is a mistake only where mass is to come of it: see compile/inertia.c.
static sn_status weigh(si_build *b, int64_t id, si_mesh_part *part) {
  static const int ways[] = { [SN_MESH_EXACT] = SI_SOLID_EXACT,
                              [SN_MESH_LEGACY] = SI_SOLID_POSITIVE,
                              [SN_MESH_SHELL] = SI_SOLID_EXACT };
  const int32_t inertia = SI_DEF(b, mesh, id)->inertia;
  part->data.single = inertia == SN_MESH_AS_COMPILER;   // the others came with later engines
  si_mesh_shell(&part->data, &part->shell);
  if (inertia == SN_MESH_CONVEX) {
    si_mesh_solid_of_hull(&part->data, &part->solid);
  } else {
    si_mesh_solid(&part->data, inertia == SN_MESH_AS_COMPILER ? usual_way(b) : ways[inertia],
                  &part->solid);
  }
  if (inertia == SN_MESH_SHELL) {
    part->solid = part->shell;   // for all geoms
  }
  const int thin = part->solid.volume > 0 && !(part->solid.inertia[2] > 0);
  if (part->solid.volume <= 0 || thin) {
    part->fault = part->solid.volume < 0 ? SI_MESH_INSIDE_OUT : SI_MESH_HOLLOW;
    part->solid = (si_solid){ .quat = { 1, 0, 0, 0 }, .frame = { 1, 0, 0, 0 } };
  }
  if (!(part->shell.volume > 0)) {
    return SI_FAIL(
        b, mesh, id,
        "its faces have no area: all vertices lie on a line, or it is too small or large "
        "for single precision; correct the vertices, or use another unit or scale");
  }
  return SN_OK;
}

// ------------------------------------------------------------------ parts of the compiler

static sn_status measure_mesh(si_build *b, int64_t id, int32_t asked, si_mesh_part *part) {
  const sn_mesh_def *def = SI_DEF(b, mesh, id);
  si_mesh_result *r = &part->data;
  if (def->inertia < 0 || def->inertia >= SN_NMESHINERTIAS) {
    return SI_FAIL(b, mesh, id, "inertia is %d; it must be one of SN_MESH_*", def->inertia);
  }
  if (def->maxhullvert < -1 || (def->maxhullvert > 0 && def->maxhullvert < 4)) {
    return SI_FAIL(b, mesh, id, "maxhullvert is %d; it must be at least 4, or -1 for no limit",
                   def->maxhullvert);
  }
  SN_TRY(read_mesh(b, id, r));
  if (b->given->once) {
    si_pages_release((void *)(uintptr_t)def->bytes,
                     (size_t)def->nbytes);   // nothing reads it again
  }
  if (r->nface == 0 || def->inertia == SN_MESH_CONVEX ||
      ((asked & COLLIDES) && b->spec->compiler.convexhull)) {
    SN_TRY(si_mesh_hull(b, id, def->maxhullvert > 0 ? def->maxhullvert : 0, r));
  }
  SN_TRY(place(b, id, r));
  if (r->nnormal == 0 && si_mesh_normals(r, def->smoothnormal) < 0) {
    return si_build_fail(b, SN_ENOMEM, SI_ELEMENT_mesh, id, "out of memory");
  }
  SN_TRY(weigh(b, id, part));
  SN_TRY(align(b, id, (asked & SHELL) != 0, part));
  b->size.nmeshvert += r->nvert;
  b->size.nmeshtexvert += r->ntexcoord;
  b->size.nmeshface += r->nface;
  b->size.nmeshgraph += r->ngraph;
  if (b->size.nmeshvert > INT32_MAX / 3 || b->size.nmeshface > INT32_MAX / 3 ||
      b->size.nmeshgraph > INT32_MAX) {
    return SI_FAIL(b, mesh, id, "the meshes together are too large");
  }
  SN_TRY(si_limit_time(&b->deadline, 0, b->error));
  const int64_t reals = 3 * r->nvert + 3 * r->nnormal + 2 * r->ntexcoord;
  const double bytes = 8.0 * (double)reals + 4.0 * (double)(3 * r->nface + r->ngraph);
  return si_build_take(b, bytes, SI_ELEMENT_mesh, id);
}

sn_status si_mesh_measure(si_build *b) {
  int64_t n = b->number[SI_ELEMENT_mesh].n;
  b->size.nmesh = n;
  int32_t *asked = calloc((size_t)n + 1, sizeof *asked);
  b->assets.mesh = calloc((size_t)n + 1, sizeof *b->assets.mesh);
  if (!asked || !b->assets.mesh) {
    free(asked);
    return si_fail(b->error, SN_ENOMEM, "out of memory while compiling");
  }
  sn_status status = ask_geoms(b, asked);
  for (int64_t i = 0; i < n && status >= 0; i++) {
    si_mesh_result_init(&b->assets.mesh[i].data);
    b->assets.nmesh = i + 1;
    status = measure_mesh(b, i, asked[i], &b->assets.mesh[i]);
  }
  free(asked);
  return status;
}

si_mesh_faces si_mesh_faces_of(const sn_model *m, int64_t id) {
  return (si_mesh_faces){ .nvert = m->mesh_vertnum[id],
                          .nface = m->mesh_facenum[id],
                          .vert = m->mesh_vert + 3 * (int64_t)m->mesh_vertadr[id],
                          .face = m->mesh_face + 3 * (int64_t)m->mesh_faceadr[id] };
}

sn_status si_mesh_fill(si_build *b) {
  sn_model *m = b->m;
  int64_t vert = 0, texcoord = 0, face = 0, graph = 0;
#define COPY(to, from, count) memcpy(to, from, (size_t)(count) * sizeof *(from))
  for (int64_t i = 0; i < m->nmesh; i++) {
    si_mesh_result *r = &b->assets.mesh[i].data;
    m->mesh_vertadr[i] = (int32_t)vert;
    m->mesh_vertnum[i] = (int32_t)r->nvert;
    m->mesh_faceadr[i] = (int32_t)face;
    m->mesh_facenum[i] = (int32_t)r->nface;
    m->mesh_texcoordadr[i] = r->ntexcoord ? (int32_t)texcoord : -1;
    m->mesh_graphadr[i] = r->ngraph ? (int32_t)graph : -1;
    m->mesh_graphnum[i] = (int32_t)r->ngraph;
    COPY(m->mesh_vert + 3 * vert, r->vert, 3 * r->nvert);
    COPY(m->mesh_normal + 3 * vert, r->normal, 3 * r->nvert);
    COPY(m->mesh_face + 3 * face, r->face, 3 * r->nface);
    if (r->ntexcoord) {
      COPY(m->mesh_texcoord + 2 * texcoord, r->texcoord, 2 * r->ntexcoord);
    }
    if (r->ngraph) {
      COPY(m->mesh_graph + graph, r->graph, r->ngraph);
    }
    vert += r->nvert;
    texcoord += r->ntexcoord;
    face += r->nface;
    graph += r->ngraph;
    si_mesh_result_free(r);   // what follows may need as much memory
  }
#undef COPY
  return SN_OK;
}
