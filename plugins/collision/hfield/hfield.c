// SPDX-License-Identifier: Apache-2.0
//
// Collider `hfield`: a height field against every convex type, one contact point for each prism of
// the field in contact with the shape, by Minkowski portal refinement.
//
//   in    a batch of fields and shapes, with margins
//   out   contact points ordered by pair, and within a pair by row, column and half of the cell;
//         the first HFIELD_MAX of a pair. If there are more, sn_contact_list.dropped counts it
//
// Only cells below the box of the shape are considered, and of them the prisms whose highest corner
// reaches the bottom of the box.

#include "hfield.h"

#include "mpr.h"

enum { HFIELD_MAX = 50 };

// ------------------------------------------------------------------ one pair

typedef struct pair {
  int32_t index;   // in the batch
  const sn_shape *field;
  convex shape;             // in the frame of the field
  double low[3], high[3];   // its bounds
  double margin;
  const ccd_t *method;
  int n;   // contact points so far
} pair;

static void to_global(sn_contact_point *contact, const sn_shape *field) {
  sn_mul_mat_vec3(contact->pos, field->mat, contact->pos);
  sn_add3(contact->pos, contact->pos, field->pos);
  sn_mul_mat_vec3(contact->normal, field->mat, contact->normal);
}

// Finds the contact point of half a cell. Returns 0 when there is none.
static int collide_prism(pair *p, int64_t row, int64_t col, int half, sn_contact_point *contact) {
  const sn_hfield_view *f = p->field->hfield;
  double corner[3][3], point[18];
  convex prism;
  hfield_triangle(f, row, col, half, corner);
  if (p->low[2] > fmax(corner[0][2], fmax(corner[1][2], corner[2][2]))) {
    return 0;
  }
  hfield_prism(f, (const double(*)[3])corner, point, &prism);
  if (!mpr_contact(&prism, &p->shape, p->margin, p->method, contact)) {
    return 0;
  }
  to_global(contact, p->field);
  contact->pair = p->index;
  return 1;
}

// Adds the contact points of a cell. Returns 1 when there are more than HFIELD_MAX of the pair.
static uint32_t collide_cell(pair *p, int64_t row, int64_t col, sn_contact_list *out) {
  for (int half = 0; half < 2; half++) {
    sn_contact_point contact;
    if (!collide_prism(p, row, col, half, &contact)) {
      continue;
    }
    if (p->n++ == HFIELD_MAX) {
      return 1;
    }
    sn_contact_list_add(out, &contact);
  }
  return 0;
}

// Adds the contact points of a pair. Returns 1 when there are more than HFIELD_MAX: to count the
// rest would take as long as to find it.
static uint32_t collide_pair(pair *p, const sn_shape *shape, sn_contact_list *out) {
  const sn_hfield_view *f = p->field->hfield;
  hfield_local local;
  hfield_window window;
  hfield_to_local(&local, p->field, shape);
  if (!f || !convex_of_shape(&p->shape, &local.shape)) {
    return 0;
  }
  hfield_bounds(&p->shape, p->margin, p->low, p->high);
  if (!(p->low[2] <= f->extent[2] && p->high[2] >= -f->extent[3])) {
    return 0;
  }
  hfield_cells(f, p->low, p->high, &window);
  for (int64_t r = window.row; r < window.row_end; r++) {
    for (int64_t c = window.col; c < window.col_end; c++) {
      if (collide_cell(p, r, c, out)) {
        return 1;
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
    pair p = {
      .index = (int32_t)i, .field = &batch->first[i], .margin = batch->margin[i], .method = &method
    };
    out->dropped += collide_pair(&p, &batch->second[i], out);
  }
  return sn_contact_list_status(out);
}

static const sn_collider_pair pairs[] = {
  { "hfield", "convex" },
  { "hfield", "user" },
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
  SN_PROVIDE_COLLIDER("hfield", &hfield_ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "hfield", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "collision of height fields", .provides = provides)
