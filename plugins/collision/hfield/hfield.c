// SPDX-License-Identifier: Apache-2.0
//
// Collider `hfield`: a height field against every convex type, one touch for each prism of the
// field that the shape meets, by Minkowski portal refinement.
//
//   in    a batch of fields and shapes, with margins
//   out   touches ordered by pair, and within a pair by row, column and half of the cell; of a pair
//         the first HFIELD_MAX, that there are others is told in sn_contact_list.dropped
//
// Only cells under the box around the shape are looked at, and of them prisms whose highest corner
// reaches its bottom.

#include "hfield.h"

#include "mpr.h"

enum { HFIELD_MAX = 50 };

// ------------------------------------------------------------------ one pair

static void send_home(sn_contact_point *touch, const sn_shape *field) {
  sn_mul_mat_vec3(touch->pos, field->mat, touch->pos);
  sn_add3(touch->pos, touch->pos, field->pos);
  sn_mul_mat_vec3(touch->normal, field->mat, touch->normal);
}

// Adds the touches of a pair; returns whether there are more than HFIELD_MAX.
static uint32_t collide_pair(const sn_shape *field, const sn_shape *shape, double margin,
                             const ccd_t *method, int32_t pair, sn_contact_list *out) {
  const sn_hfield_view *f = field->hfield;
  hfield_guest g;
  convex second;
  double low[3], high[3];
  hfield_window window;
  hfield_invite(&g, field, shape);
  if (!f || !convex_of_shape(&second, &g.shape)) {
    return 0;
  }
  hfield_bounds(&second, margin, low, high);
  if (!(low[2] <= f->size[2] && high[2] >= -f->size[3])) {
    return 0;
  }
  hfield_cells(f, low, high, &window);
  int found = 0;
  for (int64_t r = window.row; r < window.row_end; r++) {
    for (int64_t c = window.col; c < window.col_end; c++) {
      for (int half = 0; half < 2; half++) {
        double corner[3][3], point[18];
        hfield_triangle(f, r, c, half, corner);
        if (low[2] > fmax(corner[0][2], fmax(corner[1][2], corner[2][2]))) {
          continue;
        }
        convex prism;
        sn_contact_point touch;
        hfield_prism(f, (const double(*)[3])corner, point, &prism);
        if (!mpr_touch(&prism, &second, margin, method, &touch)) {
          continue;
        }
        if (found++ == HFIELD_MAX) {
          return 1;   // to count the rest would take as long as to find it
        }
        send_home(&touch, field);
        touch.pair = pair;
        if (out->count < out->capacity) {
          out->point[out->count] = touch;
        }
        out->count++;
      }
    }
  }
  return 0;
}

// ------------------------------------------------------------------ operations

static sn_status hfield_collide(const void *self, const sn_batch *batch, sn_contact_list *out,
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
  .distance = hfield_distance,
  .ray = hfield_ray,
};

static const sn_provide provides[] = {
  { SN_KIND_COLLIDER, "hfield", &hfield_ops },
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "hfield", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "collision of height fields", .provides = provides)
