// SPDX-License-Identifier: Apache-2.0
//
// Collider `hfield`: a height field against every convex type, one touch for each prism of the
// field that the shape meets, by Minkowski portal refinement.
//
//   in    a batch of fields and shapes, with margins
//   out   touches ordered by pair, and within a pair by row, column and half of the cell; of a pair
//         the first HFIELD_MAX, the number of others is told in sn_touches.dropped
//
// Only cells under the box around the shape are looked at, and of them prisms whose highest corner
// reaches its bottom.

#include "hfield.h"

#include "mpr.h"

enum { HFIELD_MAX = 50 };

// ------------------------------------------------------------------ in the frame of the field

static const double origin[3] = { 0, 0, 0 };
static const double identity[9] = { 1, 0, 0, 0, 1, 0, 0, 0, 1 };
static const sn_shape at_home = { .type = SN_GEOM_HFIELD, .pos = origin, .mat = identity };

// A shape as the field sees it.
typedef struct guest {
  sn_shape shape;
  double pos[3], mat[9];
} guest;

static void invite(guest *g, const sn_shape *field, const sn_shape *shape) {
  double to[3];
  g->shape = *shape;
  g->shape.pos = g->pos;
  g->shape.mat = g->mat;
  sn_sub3(to, shape->pos, field->pos);
  sn_mul_matT_vec3(g->pos, field->mat, to);
  sn_mul_matT_mat3(g->mat, field->mat, shape->mat);
}

static void send_home(sn_touch *touch, const sn_shape *field) {
  sn_mul_mat_vec3(touch->pos, field->mat, touch->pos);
  sn_add3(touch->pos, touch->pos, field->pos);
  sn_mul_mat_vec3(touch->normal, field->mat, touch->normal);
}

// The bounds of a shape, widened by the margin.
static void bounds_of(const convex *c, double margin, double *low, double *high) {
  for (int k = 0; k < 3; k++) {
    for (int side = -1; side <= 1; side += 2) {
      double axis[3] = { 0 }, point[3];
      axis[k] = side;
      convex_support(c, axis, point);
      *(side < 0 ? &low[k] : &high[k]) = point[k] + side * margin;
    }
  }
}

// The first cell that meets an interval along an axis, and the end of those that do. What ends at
// the border of a cell does not meet it.
static int64_t first_cell(double low, double half, int64_t n) {
  return (int64_t)sn_clamp(floor((low + half) / (2 * half) * (double)(n - 1)), 0, (double)(n - 2));
}

static int64_t end_cell(double high, double half, int64_t n) {
  return (int64_t)sn_clamp(ceil((high + half) / (2 * half) * (double)(n - 1)), 0, (double)(n - 1));
}

void hfield_cells(const sn_hfield_view *f, const double *low, const double *high,
                  hfield_window *out) {
  *out = (hfield_window){ 0 };
  if (f->nrow < 2 || f->ncol < 2 || !(low[0] <= f->size[0] && high[0] >= -f->size[0]) ||
      !(low[1] <= f->size[1] && high[1] >= -f->size[1])) {
    return;
  }
  out->col = first_cell(low[0], f->size[0], f->ncol);
  out->col_end = end_cell(high[0], f->size[0], f->ncol);
  out->row = first_cell(low[1], f->size[1], f->nrow);
  out->row_end = end_cell(high[1], f->size[1], f->nrow);
}

// ------------------------------------------------------------------ one pair

// The prism of a triangle, its top first, and a point inside.
static void make_prism(const sn_hfield_view *f, const double corner[3][3], double *point,
                       double *center) {
  sn_zero3(center);
  for (int i = 0; i < 3; i++) {
    double *top = point + 3 * i, *bottom = point + 9 + 3 * i;
    sn_copy3(top, corner[i]);
    sn_copy3(bottom, corner[i]);
    bottom[2] = -f->size[3];
    sn_add3(center, center, bottom);
  }
  for (int i = 0; i < 3; i++) {
    sn_add3(center, center, corner[i]);
  }
  sn_scale3(center, center, 1.0 / 6);
}

// Adds the touches of a pair; returns how many did not fit into HFIELD_MAX.
static uint32_t collide_pair(const sn_shape *field, const sn_shape *shape, double margin,
                             const ccd_t *method, int32_t pair, sn_touches *out) {
  const sn_hfield_view *f = field->hfield;
  guest g;
  convex second;
  double low[3], high[3];
  hfield_window window;
  invite(&g, field, shape);
  if (!f || !convex_of_shape(&second, &g.shape)) {
    return 0;
  }
  bounds_of(&second, margin, low, high);
  if (!(low[2] <= f->size[2] && high[2] >= -f->size[3])) {
    return 0;
  }
  hfield_cells(f, low, high, &window);
  int found = 0;
  uint32_t dropped = 0;
  for (int64_t r = window.row; r < window.row_end; r++) {
    for (int64_t c = window.col; c < window.col_end; c++) {
      for (int half = 0; half < 2; half++) {
        double corner[3][3], point[18], center[3];
        hfield_triangle(f, r, c, half, corner);
        if (low[2] > fmax(corner[0][2], fmax(corner[1][2], corner[2][2]))) {
          continue;
        }
        make_prism(f, (const double(*)[3])corner, point, center);
        convex prism;
        sn_touch touch;
        convex_of_prism(&prism, point, center, &at_home);
        if (!mpr_touch(&prism, &second, margin, method, &touch)) {
          continue;
        }
        if (found++ >= HFIELD_MAX) {
          dropped++;
          continue;
        }
        send_home(&touch, field);
        touch.pair = pair;
        if (out->count < out->capacity) {
          out->touch[out->count] = touch;
        }
        out->count++;
      }
    }
  }
  return dropped;
}

// ------------------------------------------------------------------ operations

static sn_status hfield_collide(const void *self, const sn_batch *batch, sn_touches *out,
                                sn_scratch *scratch) {
  (void)self;
  (void)scratch;
  ccd_t method;
  mpr_method(&method, batch->tolerance, batch->iterations);
  out->count = 0;
  out->dropped = 0;
  if (batch->n > 0 &&
      (batch->first[0].type != SN_GEOM_HFIELD || !convex_is(batch->second[0].type))) {
    return SN_EINVAL;
  }
  for (int64_t i = 0; i < batch->n; i++) {
    out->dropped += collide_pair(&batch->first[i], &batch->second[i], batch->margin[i], &method,
                                 (int32_t)i, out);
  }
  return out->count > out->capacity ? SN_MORE : SN_OK;
}

static const sn_collider_pair pairs[] = {
  { "hfield", "convex" },
  { NULL, NULL },
};

static const sn_collider_ops hfield_ops = {
  .head = {
    .size = sizeof(sn_collider_ops),
    .summary = "height fields against convex shapes, prism by prism",
  },
  .pairs = pairs,
  .max_points = HFIELD_MAX,
  .collide = hfield_collide,
  .ray = hfield_ray,
};

static const sn_provide provides[] = {
  { SN_KIND_COLLIDER, "hfield", &hfield_ops },
  { NULL, NULL, NULL },
};

static const sn_plugin plugin = {
  .magic = SN_PLUGIN_MAGIC,
  .size = sizeof(sn_plugin),
  .abi_major = SN_ABI_MAJOR,
  .abi_minor_needed = 0,
  .real_size = sizeof(double),
  .name = "hfield",
  .version = SN_VERSION,
  .license = "Apache-2.0",
  .summary = "collision of height fields",
  .provides = provides,
};

SN_PLUGIN_ENTRY {
  return &plugin;
}
