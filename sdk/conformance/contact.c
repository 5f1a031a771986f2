// SPDX-License-Identifier: Apache-2.0
//
// Tests a contact modifier with contacts between geoms of the kit's world: what it leaves is valid,
// and depends on positions and time alone. Without collision detection, so that every pair of geoms
// can have contacts.

#include "sinew/contact.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "calls.h"
#include "sinew/math.h"

enum { MOST = 96, STATES = 5 };

// The outputs, in the order of kit_call.output.
enum { MARGIN, FRICTION, SOLREF, SOLIMP, DIM, VELOCITY, KEEP, RESTITUTION, NOUTPUT };

typedef struct contacts {
  const void *self, *bound;
  int64_t n;
  int32_t geom1[MOST], geom2[MOST], dim[MOST], keep[MOST];
  double pos[3 * MOST], frame[9 * MOST], dist[MOST];
  double margin[MOST], friction[5 * MOST], solref[2 * MOST], solimp[5 * MOST], velocity[5 * MOST];
  double restitution[MOST];
} contacts;

// ------------------------------------------------------------------ contacts

static void draw_frame(kit *k, double *frame) {
  do {
    for (int i = 0; i < 6; i++) {
      frame[i] = kit_random(k);
    }
    sn_cross(frame + 6, frame, frame + 3);
  } while (sn_norm3(frame + 6) < 0.1 || sn_norm3(frame) < 0.1);
  sn_normalize3(frame);
  sn_normalize3(frame + 6);
  sn_cross(frame + 3, frame + 6, frame);
}

static void draw_contact(kit *k, contacts *c, int32_t geom1, int32_t geom2) {
  static const int32_t dims[] = { 1, 3, 4, 6 };
  static const double solref[] = { 0.02, 1 }, solimp[] = { 0.9, 0.95, 0.001, 0.5, 2 };
  const int64_t i = c->n++;
  c->geom1[i] = geom1;
  c->geom2[i] = geom2;
  c->keep[i] = 1;
  c->dim[i] = dims[i % 4];
  c->dist[i] = kit_between(k, -0.03, 0.005);
  c->margin[i] = 0.005;
  c->restitution[i] = 0;
  draw_frame(k, c->frame + 9 * i);
  for (int a = 0; a < 5; a++) {
    c->pos[3 * i + a % 3] = kit_random(k);
    c->friction[5 * i + a] = kit_between(k, 0.001, 1);
    c->velocity[5 * i + a] = 0;
  }
  memcpy(c->solref + 2 * i, solref, sizeof solref);
  memcpy(c->solimp + 5 * i, solimp, sizeof solimp);
}

// Geoms are numbered by body, so that this order is that of pairs of bodies, too.
static void draw_contacts(kit *k, const kit_world *w, contacts *c) {
  const int32_t n = (int32_t)snm_ngeom(w->model);
  c->n = 0;
  for (int32_t a = 0; a < n; a++) {
    for (int32_t b = a + 1; b < n; b++) {
      for (int many = (a + b) % 3; many >= 0 && c->n < MOST; many--) {
        draw_contact(k, c, a, b);
      }
    }
  }
}

// ------------------------------------------------------------------ what is left

// What is wrong with contact i; NULL: nothing.
static const char *fault_of(const kit_call *call, int64_t i) {
  const double *friction = (const double *)call->output[FRICTION].memory + 5 * i;
  const double restitution = ((const double *)call->output[RESTITUTION].memory)[i];
  const int32_t dim = ((const int32_t *)call->output[DIM].memory)[i];
  const int32_t keep = ((const int32_t *)call->output[KEEP].memory)[i];
  static const int reals[] = { MARGIN, FRICTION, SOLREF, SOLIMP, VELOCITY },
                   cols[] = { 1, 5, 2, 5, 5 };
  if (keep != 0 && keep != 1) {
    return "keep is neither 0 nor 1";
  }
  for (int f = 0; f < 5 && keep; f++) {
    if (!kit_finite((const double *)call->output[reals[f]].memory + cols[f] * i, cols[f])) {
      return call->output[reals[f]].name;
    }
  }
  for (int a = 0; a < 5 && keep; a++) {
    if (friction[a] < 0) {
      return "a friction coefficient is negative";
    }
  }
  if (keep && !(restitution >= 0 && restitution <= 1)) {
    return "restitution is not from 0 to 1";
  }
  return keep && dim != 1 && dim != 3 && dim != 4 && dim != 6 ? "dim is not 1, 3, 4 or 6" : NULL;
}

typedef struct findings {
  kit_calls calls;
  int64_t n, removed, invalid;
  const char *fault;
  char pair[2][32];
  int by_velocity;   // the result depends on velocities or controls
  const char *output;
} findings;

static void check_contacts(const kit_world *w, const contacts *c, const kit_call *call,
                           findings *f) {
  for (int64_t i = 0; i < c->n; i++) {
    const char *fault = fault_of(call, i);
    f->n++;
    f->removed += ((const int32_t *)call->output[KEEP].memory)[i] == 0;
    if (fault && f->invalid++ == 0) {
      f->fault = fault;
      strncpy(f->pair[0], sn_name(w->model, "geom", c->geom1[i]), sizeof f->pair[0] - 1);
      strncpy(f->pair[1], sn_name(w->model, "geom", c->geom2[i]), sizeof f->pair[1] - 1);
    }
  }
}

// ------------------------------------------------------------------ calls

static sn_status run_modify(const kit_call *call, sn_scratch *scratch) {
  const sn_contact_ops *ops = call->kit->provider->ops;
  const contacts *c = call->context;
  const kit_output *o = call->output;
  sn_contacts view = { .size = sizeof view,
                       .n = c->n,
                       .geom1 = c->geom1,
                       .geom2 = c->geom2,
                       .pos = c->pos,
                       .frame = c->frame,
                       .dist = c->dist,
                       .margin = o[MARGIN].memory,
                       .friction = o[FRICTION].memory,
                       .solref = o[SOLREF].memory,
                       .solimp = o[SOLIMP].memory,
                       .dim = o[DIM].memory,
                       .velocity = o[VELOCITY].memory,
                       .keep = o[KEEP].memory,
                       .restitution = o[RESTITUTION].memory };
  const sn_contacts before = view;
  const sn_status status = KIT_CALL(ops, modify)(c->self, c->bound, &call->world->data_view, &view,
                                                 scratch);
  return kit_same_struct(status, &view, &before, sizeof view);
}

static kit_call modify(const kit_world *w, const contacts *c) {
  const int64_t real = 8 * c->n;
  return (kit_call){ .operation = "modify",
                     .run = run_modify,
                     .context = c,
                     .world = w,
                     .noutput = NOUTPUT,
                     .output = { [MARGIN] = { "margin", real, c->margin, NULL },
                                 [FRICTION] = { "friction", 5 * real, c->friction, NULL },
                                 [SOLREF] = { "solref", 2 * real, c->solref, NULL },
                                 [SOLIMP] = { "solimp", 5 * real, c->solimp, NULL },
                                 [DIM] = { "dim", real / 2, c->dim, NULL },
                                 [VELOCITY] = { "velocity", 5 * real, c->velocity, NULL },
                                 [KEEP] = { "keep", real / 2, c->keep, NULL },
                                 [RESTITUTION] = { "restitution", real, c->restitution, NULL } } };
}

// The same contacts at other velocities and with other controls.
static void test_velocities(kit *k, kit_world *w, const contacts *c, const kit_call *first,
                            findings *f) {
  kit_call call = modify(w, c);
  kit_world_push(k, w);
  if (kit_calls_make(k, &f->calls, &call)) {
    for (int i = 0; i < NOUTPUT; i++) {
      const size_t bytes = (size_t)call.output[i].bytes;
      if (memcmp(call.output[i].memory, first->output[i].memory, bytes) != 0) {
        f->by_velocity = 1;
        f->output = call.output[i].name;
      }
    }
  }
  kit_call_free(&call);
}

// The arrays that are constant; geoms, positions, frames and distances lie one after another.
static int changed(const contacts *now, const contacts *before) {
  return memcmp(now->geom1, before->geom1, sizeof now->geom1) != 0 ||
         memcmp(now->geom2, before->geom2, sizeof now->geom2) != 0 ||
         memcmp(now->pos, before->pos, sizeof now->pos) != 0 ||
         memcmp(now->frame, before->frame, sizeof now->frame) != 0 ||
         memcmp(now->dist, before->dist, sizeof now->dist) != 0;
}

static void test_bound(kit *k, kit_world *w, const void *bound, const kit_attributes *attributes,
                       void *context) {
  findings *f = context;
  contacts *c = calloc(2, sizeof *c);
  (void)attributes;
  for (int i = 0; i < STATES && c; i++) {
    c->self = k->self;
    c->bound = bound;
    kit_world_move(k, w);
    draw_contacts(k, w, c);
    c[1] = c[0];
    kit_call call = modify(w, c);
    if (kit_calls_make(k, &f->calls, &call)) {
      check_contacts(w, c, &call, f);
      test_velocities(k, w, c, &call, f);
    }
    if (changed(&c[0], &c[1])) {
      strcpy(f->calls.failure[KIT_INPUTS],
             "modify changes geoms, pos, frame or dist of a contact, which it may only read");
    }
    kit_call_free(&call);
  }
  free(c);
}

void kit_contact(kit *k) {
  const sn_contact_ops *ops = k->provider->ops;
  const kit_binding binding = { ops->attributes, ops->bind, ops->unbind };
  findings f = { .n = 0 };
  if (kit_bind_each(k, &binding, test_bound, &f) == 0) {
    return;
  }
  if (f.invalid > 0) {
    kit_report(k, "contacts", KIT_FAILED, "%s%s, in %lld contacts, the first between %s and %s",
               f.fault, strchr(f.fault, ' ') ? "" : " is not finite", (long long)f.invalid,
               f.pair[0], f.pair[1]);
  } else {
    kit_report(k, "contacts", KIT_PASSED, "%lld contacts are valid, %lld of them were removed",
               (long long)f.n, (long long)f.removed);
  }
  if (f.by_velocity) {
    kit_report(k, "positions only", KIT_FAILED,
               "%s depends on velocities, activations or controls; it may depend on positions and "
               "time only",
               f.output);
  } else {
    kit_report(k, "positions only", KIT_PASSED,
               "with other velocities and controls, the same bits");
  }
  kit_calls_report(k, &f.calls);
}
