// SPDX-License-Identifier: Apache-2.0
//
// Skins of composite objects. A bone is a body and moves the vertices that are near it.
//
// Nets (grid, cloth) have two sides with the same vertices, front first, closed at the borders;
// with a subgrid of n there are n more vertices between two bodies, in both directions. Their
// weights are those of bicubic interpolation: along each direction cubic Hermite polynomials whose
// slopes are central differences, at the borders one-sided ones (Catmull, Rom, A class of local
// interpolating splines, 1974), which is linear in the bodies:
//
//   p(t) = h00 p0 + h10 (p1 - p_-1)/2 + h01 p1 + h11 (p2 - p0)/2      between bodies 0 and 1
//
// Shells (box, cylinder, ellipsoid) have six sides, each a grid of vertices. Where the surface is
// smooth across an edge, the sides have the vertices of the edge in common, and as many bones as
// sides move such a vertex, with equal weights. Round types list their round sides first.

#include <math.h>
#include <string.h>

#include "mjcf/composite/composite.h"

// Triangles of a cell with the corners a b c d in a circle.
typedef enum winding { AS_GIVEN, REVERSED, REVERSED_LATE } winding;

static void add_cell(int32_t **face, winding order, int32_t a, int32_t b, int32_t c, int32_t d) {
  const int32_t cell[3][6] = { [AS_GIVEN] = { a, b, c, a, c, d },
                               [REVERSED] = { a, c, b, a, d, c },
                               [REVERSED_LATE] = { a, d, c, a, c, b } };
  memcpy(*face, cell[order], sizeof cell[order]);
  *face += 6;
}

// The definition with memory for its arrays.
static sn_status new_skin(mjcf_reader *r, const mjcf_composite *c, int64_t nvert, int64_t ncell,
                          int64_t nbone, sn_skin_def *def, double **vert, double **texcoord,
                          int32_t **face, sn_bone_def **bone) {
  xml_arena *arena = &r->doc.arena;
  *def = c->skin.def;
  def->name = composite_name(r, c, "Skin", 0, NULL);
  *vert = xml_alloc(arena, (size_t)(3 * nvert) * sizeof(double));
  *texcoord = xml_alloc(arena, (size_t)(2 * nvert) * sizeof(double));
  *face = xml_alloc(arena, (size_t)(6 * ncell) * sizeof(int32_t));
  *bone = xml_alloc(arena, (size_t)nbone * sizeof(sn_bone_def));
  if (!def->name || !*vert || !*texcoord || !*face || !*bone) {
    return mjcf_no_memory(r, c->node);
  }
  def->vert = (sn_reals){ *vert, 3 * nvert };
  def->texcoord = (sn_reals){ *texcoord, c->skin.texcoord ? 2 * nvert : 0 };
  def->face = (sn_ints){ *face, 6 * ncell };
  def->bone = *bone;
  def->nbone = nbone;
  return SN_OK;
}

static sn_status add_skin(mjcf_reader *r, const mjcf_composite *c, const sn_skin_def *def) {
  int32_t id;
  return r->builder->add_skin(r->spec, def, &c->location, &id, r->error);
}

// ------------------------------------------------------------------ nets

// The weight at vertex v of a row of n bodies with `fine` steps between two of them, for body k.
static double row_weight(int32_t v, int32_t fine, int32_t n, int32_t k) {
  int32_t cell = v / fine < n - 1 ? v / fine : n - 2;
  if (k < cell - 1 || k > cell + 2) {
    return 0;
  }
  double t = (double)(v - cell * fine) / fine, t2 = t * t, t3 = t2 * t;
  double h00 = 1 - 3 * t2 + 2 * t3, h10 = t - 2 * t2 + t3, h01 = 3 * t2 - 2 * t3, h11 = t3 - t2;

  // slopes at both ends: (p[right] - p[left]) / (right - left)
  int32_t l0 = cell > 0 ? cell - 1 : cell, r0 = cell + 1;
  int32_t l1 = cell, r1 = cell + 2 < n ? cell + 2 : cell + 1;
  double slope0 = (double)((k == r0) - (k == l0)) / (r0 - l0);
  double slope1 = (double)((k == r1) - (k == l1)) / (r1 - l1);
  return h00 * (k == cell) + h10 * slope0 + h01 * (k == cell + 1) + h11 * slope1;
}

// The vertices of a row that a body may move, and their weights.
typedef struct row {
  int32_t first, last;
  double *weight;   // of first ... last
} row;

static sn_status new_row(mjcf_reader *r, const mjcf_composite *c, int32_t fine, row *out) {
  out->weight = xml_alloc(&r->doc.arena, (4 * (size_t)fine + 1) * sizeof(double));
  return out->weight ? SN_OK : mjcf_no_memory(r, c->node);
}

static void fill_row(int32_t n, int32_t fine, int32_t k, row *out) {
  const int32_t last = (n - 1) * fine;
  out->first = k;
  out->last = k;
  if (fine > 1) {
    out->first = k > 2 ? (k - 2) * fine : 0;
    out->last = (k + 2) * fine < last ? (k + 2) * fine : last;
  }
  for (int32_t v = out->first; v <= out->last; v++) {
    out->weight[v - out->first] = fine > 1 ? row_weight(v, fine, n, k) : 1;
  }
}

// The vertices of a body's bone, each on both sides of the net.
static sn_status fill_bone(mjcf_reader *r, const mjcf_composite *c, const row *across,
                           const row *down, const int32_t *nv, const int32_t *coord,
                           sn_bone_def *bone) {
  size_t most = 2 * (size_t)(across->last - across->first + 1) *
                (size_t)(down->last - down->first + 1);
  int32_t *id = xml_alloc(&r->doc.arena, most * sizeof *id);
  double *weight = xml_alloc(&r->doc.arena, most * sizeof *weight);
  bone->body = composite_name(r, c, "B", 2, coord);
  if (!id || !weight || !bone->body) {
    return mjcf_no_memory(r, c->node);
  }
  int64_t n = 0;
  for (int32_t x = across->first; x <= across->last; x++) {
    for (int32_t y = down->first; y <= down->last; y++) {
      double w = across->weight[x - across->first] * down->weight[y - down->first];
      for (int32_t back = 0; back < 2 && w != 0; back++) {
        id[n] = x * nv[1] + y + back * nv[0] * nv[1];
        weight[n++] = w;
      }
    }
  }
  bone->vertid = (sn_ints){ id, n };
  bone->vertweight = (sn_reals){ weight, n };
  SN_SET(bone->bindquat, 1, 0, 0, 0);
  return SN_OK;
}

static sn_status fill_bones(mjcf_reader *r, const mjcf_composite *c, const int32_t *nv,
                            int32_t fine, sn_bone_def *bone) {
  row across, down;
  SN_TRY(new_row(r, c, fine, &across));
  SN_TRY(new_row(r, c, fine, &down));
  int32_t p[2];
  for (p[0] = 0; p[0] < c->count[0]; p[0]++) {
    fill_row(c->count[0], fine, p[0], &across);
    for (p[1] = 0; p[1] < c->count[1]; p[1]++, bone++) {
      fill_row(c->count[1], fine, p[1], &down);
      SN_TRY(fill_bone(r, c, &across, &down, nv, p, bone));
      if (fine > 1) {   // vertices are where they are; otherwise all are at their body
        SN_SET(bone->bindpos, c->spacing * p[0], c->spacing * p[1], 0);
      }
    }
  }
  return SN_OK;
}

static void fill_net_vertices(const mjcf_composite *c, const int32_t *nv, int32_t fine,
                              double *vert, double *texcoord) {
  for (int32_t back = 0; back < 2; back++) {
    for (int32_t x = 0; x < nv[0]; x++) {
      for (int32_t y = 0; y < nv[1]; y++, vert += 3, texcoord += 2) {
        texcoord[0] = (double)x / (nv[0] - 1);
        texcoord[1] = (double)y / (nv[1] - 1);
        if (fine > 1) {
          vert[0] = c->spacing * x / fine;
          vert[1] = c->spacing * y / fine;
        }
      }
    }
  }
}

static void fill_net_faces(int32_t nx, int32_t ny, int32_t *face) {
  const int32_t side = nx * ny, last = (nx - 1) * ny;
  for (int32_t back = 0; back < 2; back++) {
    for (int32_t x = 0; x + 1 < nx; x++) {
      for (int32_t y = 0; y + 1 < ny; y++) {
        int32_t a = x * ny + y + back * side;
        add_cell(&face, back ? REVERSED : AS_GIVEN, a, a + ny, a + ny + 1, a + 1);
      }
    }
  }

  // from border to border: y = 0, y = ny - 1, x = 0, x = nx - 1
  for (int32_t far = 0; far < 2; far++) {
    for (int32_t x = 0; x + 1 < nx; x++) {
      int32_t a = x * ny + far * (ny - 1);
      add_cell(&face, far ? AS_GIVEN : REVERSED, a, a + ny, a + ny + side, a + side);
    }
  }
  for (int32_t far = 0; far < 2; far++) {
    for (int32_t y = 0; y + 1 < ny; y++) {
      int32_t a = y + far * last;
      add_cell(&face, far ? REVERSED : AS_GIVEN, a, a + 1, a + 1 + side, a + side);
    }
  }
}

sn_status composite_net_skin(mjcf_reader *r, mjcf_composite *c) {
  const int32_t fine = c->skin.subgrid > 0 ? c->skin.subgrid + 1 : 1;
  const int32_t nv[2] = { (c->count[0] - 1) * fine + 1, (c->count[1] - 1) * fine + 1 };
  const int64_t cells = (int64_t)(nv[0] - 1) * (nv[1] - 1);
  const int64_t border = 2 * (int64_t)(nv[0] - 1 + nv[1] - 1);
  sn_skin_def def;
  double *vert, *texcoord;
  int32_t *face;
  sn_bone_def *bone;
  SN_TRY(new_skin(r, c, 2 * (int64_t)nv[0] * nv[1], 2 * cells + border,
                  (int64_t)c->count[0] * c->count[1], &def, &vert, &texcoord, &face, &bone));
  fill_net_vertices(c, nv, fine, vert, texcoord);
  fill_net_faces(nv[0], nv[1], face);
  SN_TRY(fill_bones(r, c, nv, fine, bone));
  return add_skin(r, c, &def);
}

// ------------------------------------------------------------------ shells

// A side: the axes of its rows and columns, and where it is on the third.
typedef struct side {
  int32_t row, col, axis;
  int32_t far;        // at the end of the axis
  int32_t mirrored;   // row x col points inwards
} side;

// clang-format off
static const side sides[6] = {
  { 0, 1, 2, 0, 1 }, { 0, 1, 2, 1, 0 }, { 0, 2, 1, 0, 0 },
  { 0, 2, 1, 1, 1 }, { 1, 2, 0, 0, 1 }, { 1, 2, 0, 1, 0 },
};
// clang-format on

// Which of the sides are smooth, by their axis, and in what order they come.
typedef struct roundness {
  int32_t axis[3];
  int32_t first;   // side
} roundness;

static const roundness roundnesses[COMPOSITE_TYPES] = {
  [COMPOSITE_BOX] = { { 0, 0, 0 }, 0 },
  [COMPOSITE_CYLINDER] = { { 1, 1, 0 }, 2 },
  [COMPOSITE_ELLIPSOID] = { { 1, 1, 1 }, 0 },
};

typedef struct shell {
  int32_t *common;   // vertex of a point of the grid on smooth sides; -1: none
  int32_t next;      // vertex that is not taken
  int32_t *count;    // bones of a vertex
  double *texcoord;
  int32_t *face;
  int32_t *id;   // vertex and weight of a bone
  double *weight;
  sn_bone_def *bone;
  int64_t n;   // bones that are done
} shell;

static int64_t point_index(const mjcf_composite *c, const int32_t *coord) {
  return ((int64_t)coord[0] * c->count[1] + coord[1]) * c->count[2] + coord[2];
}

// numbers the vertices of the smooth sides, in the order of the points
static sn_status number_common(mjcf_reader *r, const mjcf_composite *c, shell *s) {
  int64_t n = (int64_t)c->count[0] * c->count[1] * c->count[2];
  s->common = xml_alloc(&r->doc.arena, (size_t)n * sizeof(int32_t));
  if (!s->common) {
    return mjcf_no_memory(r, c->node);
  }
  const roundness *round = &roundnesses[c->type];
  int32_t p[3];
  int64_t at = 0;
  for (p[0] = 0; p[0] < c->count[0]; p[0]++) {
    for (p[1] = 0; p[1] < c->count[1]; p[1]++) {
      for (p[2] = 0; p[2] < c->count[2]; p[2]++, at++) {
        int on = 0;
        for (int i = 0; i < 3; i++) {
          on |= round->axis[i] && (p[i] == 0 || p[i] == c->count[i] - 1);
        }
        s->common[at] = on ? s->next++ : -1;
      }
    }
  }
  return SN_OK;
}

static sn_status add_side(mjcf_reader *r, const mjcf_composite *c, const side *d, shell *s) {
  const int32_t nr = c->count[d->row], nc = c->count[d->col];
  const int is_round = roundnesses[c->type].axis[d->axis];
  const int32_t *id = s->id + s->n;

  // vertices, each with a bone
  int32_t p[3] = { 0, 0, 0 };
  p[d->axis] = d->far ? c->count[d->axis] - 1 : 0;
  for (p[d->row] = 0; p[d->row] < nr; p[d->row]++) {
    for (p[d->col] = 0; p[d->col] < nc; p[d->col]++, s->n++) {
      sn_bone_def *bone = &s->bone[s->n];
      int32_t v = is_round ? s->common[point_index(c, p)] : s->next++;
      s->id[s->n] = v;
      s->count[v]++;
      s->texcoord[2 * v] = (double)p[d->row] / (nr - 1);
      s->texcoord[2 * v + 1] = (double)p[d->col] / (nc - 1);
      bone->body = composite_name(r, c, "B", 3, p);
      if (!bone->body) {
        return SN_ENOMEM;
      }
      SN_SET(bone->bindquat, 1, 0, 0, 0);
      bone->vertid = (sn_ints){ &s->id[s->n], 1 };
      bone->vertweight = (sn_reals){ &s->weight[s->n], 1 };
    }
  }

  // triangles
  winding order = !d->mirrored ? AS_GIVEN : is_round ? REVERSED_LATE : REVERSED;
  for (int32_t i = 0; i + 1 < nr; i++) {
    for (int32_t j = 0; j + 1 < nc; j++) {
      const int32_t *a = &id[(int64_t)i * nc + j];
      add_cell(&s->face, order, a[0], a[nc], a[nc + 1], a[1]);
    }
  }
  return SN_OK;
}

sn_status composite_shell_skin(mjcf_reader *r, mjcf_composite *c) {
  int64_t nbone = 0, ncell = 0, nflat = 0;
  for (int i = 0; i < 6; i++) {
    int64_t nr = c->count[sides[i].row], nc = c->count[sides[i].col];
    nbone += nr * nc;
    ncell += (nr - 1) * (nc - 1);
    nflat += roundnesses[c->type].axis[sides[i].axis] ? 0 : nr * nc;
  }
  shell s = { .next = 0 };
  sn_skin_def def;
  double *vert;
  SN_TRY(number_common(r, c, &s));
  int64_t nvert = s.next + nflat;
  s.count = xml_alloc(&r->doc.arena, (size_t)nvert * sizeof *s.count);
  s.id = xml_alloc(&r->doc.arena, (size_t)nbone * sizeof *s.id);
  s.weight = xml_alloc(&r->doc.arena, (size_t)nbone * sizeof *s.weight);
  if (!s.count || !s.id || !s.weight) {
    return mjcf_no_memory(r, c->node);
  }
  SN_TRY(new_skin(r, c, nvert, ncell, nbone, &def, &vert, &s.texcoord, &s.face, &s.bone));
  for (int i = 0; i < 6; i++) {
    SN_TRY(add_side(r, c, &sides[(roundnesses[c->type].first + i) % 6], &s));
  }
  for (int64_t i = 0; i < nbone; i++) {
    s.weight[i] = 1.0 / s.count[s.id[i]];
  }
  return add_skin(r, c, &def);
}
