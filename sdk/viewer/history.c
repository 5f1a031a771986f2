// SPDX-License-Identifier: Apache-2.0
//
// The states of the last frames, so that the user can go back.

#include <stdlib.h>

#include "parts.h"

enum { MOST = 2000, MEMORY = 64 << 20 };   // states, bytes

int history_open(sn_viewer *v) {
  history *h = &v->history;
  history_close(v);
  h->size = sn_state_size(v->m, SN_STATE_INTEGRATION);
  const int64_t bytes = h->size * (int64_t)sizeof(double);
  const int64_t fit = MEMORY / (bytes > 0 ? bytes : 1);
  h->capacity = fit > MOST ? MOST : fit < 2 ? 2 : (int)fit;
  h->state = malloc((size_t)h->capacity * (size_t)bytes + 1);
  history_add(v);
  return h->state != NULL;
}

void history_close(sn_viewer *v) {
  free(v->history.state);
  v->history = (history){ 0 };
}

static double *slot(const history *h, int i) {
  return h->state + (int64_t)((h->first + i) % h->capacity) * h->size;
}

// What follows a state of the past, from which the simulation went on, is gone.
void history_add(sn_viewer *v) {
  history *h = &v->history;
  if (!h->state) {
    return;
  }
  if (h->at + 1 < h->count) {
    h->count = h->at + 1;
  }
  if (h->count == h->capacity) {
    h->first = (h->first + 1) % h->capacity;
    h->count--;
  }
  viewer_get_state(v, slot(h, h->count));
  h->at = h->count++;
}

void history_go(sn_viewer *v, int at) {
  history *h = &v->history;
  at = at < 0 ? 0 : at >= h->count ? h->count - 1 : at;
  if (h->count > 0) {
    v->pace.paused = 1;
    h->at = at;
    sn_state_set(v->m, v->d, SN_STATE_INTEGRATION, slot(h, at));
  }
}
