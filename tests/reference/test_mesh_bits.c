// SPDX-License-Identifier: Apache-2.0
//
// Vertices, frame and hull of a mesh are those of the reference engine to the last bit: where a
// search among equally good corners ends, and so a contact of two meshes, goes by it.

#include "reference/pair.h"
#include "sinew/math.h"
#include "suite.h"

enum { RINGS = 7, AROUND = 9, NVERT = RINGS * AROUND + 2, NMODEL = 60 };

static double uniform(uint64_t *state) {   // splitmix64, in [-1, 1)
  uint64_t z = (*state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return (double)((z ^ (z >> 31)) >> 11) * 0x1p-52 - 1;
}

// A bumpy closed surface off the origin, with a flat side of many corners.
static void print_surface(FILE *f, uint64_t *state) {
  double at[3], size[3];
  for (int k = 0; k < 3; k++) {
    at[k] = uniform(state);
    size[k] = 0.1 + fabs(uniform(state));
  }
  fprintf(f, "vertex='%.9g %.9g %.9g", at[0], at[1], at[2] - size[2]);
  for (int i = 0; i < RINGS; i++) {
    const double up = SN_PI * (i + 1) / (RINGS + 1) - SN_PI / 2;
    for (int j = 0; j < AROUND; j++) {
      const double round = 2 * SN_PI * j / AROUND, out = cos(up) * (1 + 0.3 * uniform(state));
      fprintf(f, "  %.9g %.9g %.9g", at[0] + fmin(0.6, out * cos(round)) * size[0],
              at[1] + out * sin(round) * size[1], at[2] + sin(up) * size[2]);
    }
  }
  fprintf(f, "  %.9g %.9g %.9g' face='", at[0], at[1], at[2] + size[2]);
  for (int j = 0; j < AROUND; j++) {
    const int next = (j + 1) % AROUND, top = 1 + (RINGS - 1) * AROUND;
    fprintf(f, "0 %d %d  %d %d %d  ", 1 + next, 1 + j, NVERT - 1, top + j, top + next);
    for (int i = 0; i + 1 < RINGS; i++) {
      const int a = 1 + i * AROUND + j, b = 1 + i * AROUND + next;
      fprintf(f, "%d %d %d  %d %d %d  ", a, b, a + AROUND, b, b + AROUND, a + AROUND);
    }
  }
  fprintf(f, "'");
}

// Not with exactmeshinertia: the reference does not turn the faces over either, so its volume would
// be negative.
static int is_mirrored(int i) {
  return i % 4 == 2;
}

// One mesh by the way of the compiler, one placed and scaled, in bodies that overlap.
static void open_meshes(pair *p, int i) {
  char *text = NULL;
  size_t size;
  uint64_t state = (uint64_t)i;
  FILE *f = open_memstream(&text, &size);
  fprintf(f, "<mujoco><compiler exactmeshinertia='%s'/><asset><mesh name='a' ",
          i % 2 ? "true" : "false");
  print_surface(f, &state);
  fprintf(f,
          "/><mesh name='b' refpos='%.9g 0.2 -0.1' refquat='0.9 0.2 %.9g -0.1' "
          "scale='0.7 1.1 %.9g' ",
          uniform(&state), uniform(&state), is_mirrored(i) ? -0.9 : 0.9);
  print_surface(f, &state);
  fprintf(f,
          "/></asset><worldbody><body><freejoint/><geom type='mesh' mesh='a'/></body>"
          "<body pos='%.9g %.9g %.9g'><freejoint/><geom type='mesh' mesh='b' euler='0 0 %.9g'/>"
          "</body></worldbody></mujoco>",
          0.2 * uniform(&state), 0.2 * uniform(&state), 0.2 * uniform(&state),
          180 * uniform(&state));
  fclose(f);
  open_text(p, text);
  free(text);
}

static void same_bits(const char *what, const double *ours, const double *theirs, int n) {
  for (int i = 0; i < n; i++) {
    ck_assert_msg(ours[i] == theirs[i], "%s[%d]: %.17g instead of %.17g", what, i, ours[i],
                  theirs[i]);
  }
}

START_TEST(meshes_agree_to_the_last_bit) {
  pair p;
  open_meshes(&p, _i);
  const mjModel *m = p.m;
  ck_assert_int_eq(snm_nmeshvert(p.model), m->nmeshvert);
  for (int i = 0; i < 3 * m->nmeshvert; i++) {
    ck_assert_msg(snm_mesh_vert(p.model)[i] == (double)m->mesh_vert[i],
                  "mesh_vert[%d]: %.17g instead of %.9g", i, snm_mesh_vert(p.model)[i],
                  (double)m->mesh_vert[i]);
  }
  same_bits("geom_pos", snm_geom_pos(p.model), m->geom_pos, 3 * m->ngeom);
  same_bits("geom_quat", snm_geom_quat(p.model), m->geom_quat, 4 * m->ngeom);
  ck_assert_int_eq(snm_nmeshgraph(p.model), m->nmeshgraph);
  for (int k = 0; k < m->nmesh; k++) {
    const int *graph = m->mesh_graph + m->mesh_graphadr[k];
    // the reference does not turn the facets of a mirrored hull over
    const int facets = is_mirrored(_i) && k == 1 ? 0 : 3 * graph[1];
    for (int j = 0; j < 2 + 3 * graph[0] + 3 * graph[1] + facets; j++) {
      ck_assert_int_eq(snm_mesh_graph(p.model)[m->mesh_graphadr[k] + j], graph[j]);
    }
  }
  close_pair(&p);
}
END_TEST

// With ccd, which is the default of two meshes. Where their centers are nearer to each other than
// they are deep, it has a lesser depth than the reference.
START_TEST(meshes_touch_where_they_do) {
  pair p;
  open_meshes(&p, _i);
  ck_assert_int_ge(sn_forward(p.model, p.data), 0);
  mj_forward(p.m, p.d);
  ck_assert_int_eq(snd_ncon(p.data), p.d->ncon);
  for (int i = 0; i < p.d->ncon; i++) {
    const mjContact *c = &p.d->contact[i];
    const double *pos = p.d->geom_xpos;
    if (sn_dist3(pos + 3 * c->geom1, pos + 3 * c->geom2) < -c->dist) {
      ck_assert_double_ge(snd_contact_dist(p.data)[i], c->dist);
      continue;
    }
    ck_assert_msg(fabs(snd_contact_dist(p.data)[i] - c->dist) < 1e-12, "%.17g %.17g",
                  snd_contact_dist(p.data)[i], c->dist);
    for (int k = 0; k < 3; k++) {
      ck_assert_double_eq_tol(snd_contact_pos(p.data)[3 * i + k], c->pos[k], 1e-12);
      ck_assert_double_eq_tol(snd_contact_frame(p.data)[9 * i + k], c->frame[k], 1e-12);
    }
  }
  close_pair(&p);
}
END_TEST

TESTS() {
  EACH(meshes_agree_to_the_last_bit, 0, NMODEL);
  EACH(meshes_touch_where_they_do, 0, NMODEL);
}
