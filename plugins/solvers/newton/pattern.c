// SPDX-License-Identifier: Apache-2.0
//
// From an order of elimination to panels: the elimination tree (Liu, 1990) in postorder, so that
// what can be joined stands side by side; nodes, joined while that stores few zeros (relaxed
// supernodes, Ashcraft and Grimes, 1989); and where their rows are.

#include "pattern.h"

#include <string.h>

// ------------------------------------------------------------------ postorder

// Rearranges the order so that every subtree of the elimination tree is consecutive: the same
// fill-in. parent: n, by stretch; -1 at a root.
static sn_status postorder(int32_t n, elimination *e, int32_t *rank, int32_t *parent,
                           sn_scratch *mem) {
  int32_t *child, *next;
  SN_ALLOC(child, mem, n);
  SN_ALLOC(next, mem, n);
  for (int32_t k = 0; k < n; k++) {
    rank[e->order[k]] = k;
    child[k] = -1;
  }
  for (int32_t k = 0; k < n; k++) {
    parent[k] = -1;
    for (int32_t i = 0; i < e->nbelow[k]; i++) {
      int32_t b = e->below[k][i];
      parent[k] = parent[k] < 0 || rank[b] < rank[parent[k]] ? b : parent[k];
    }
  }
  // children in the order of elimination: the last of a list is the first that is put in
  int32_t root = -1;
  for (int32_t s = n - 1; s >= 0; s--) {
    int32_t k = e->order[s], *head = parent[k] < 0 ? &root : &child[parent[k]];
    next[k] = *head;
    *head = k;
  }
  int32_t done = 0;
  for (int32_t k = root; k >= 0;) {
    while (child[k] >= 0) {
      k = child[k];
    }
    for (;;) {
      rank[k] = done;
      e->order[done++] = k;
      if (next[k] >= 0) {
        k = next[k];
        break;
      }
      k = parent[k];
      if (k < 0) {
        break;
      }
      child[k] = -1;
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ nodes

// Whether a panel of that many columns may hold that part of zeros.
static int worth_joining(int32_t columns, double zeros, double numbers) {
  double limit = columns <= 8 ? 0.4 : columns <= 32 ? 0.2 : 0.05;
  return zeros <= limit * numbers;
}

// Joins stretches to nodes: a stretch goes with the one before it when that is its child. Fills
// node (n, by rank) and returns the number of nodes.
static int32_t join(const stretches *t, const elimination *e, const int32_t *parent,
                    int32_t *node_at) {
  int32_t n = 0, columns = 0, above = 0;   // of the node so far; rows below its last stretch
  double zeros = 0;
  for (int32_t r = 0; r < t->n; r++) {
    int32_t k = e->order[r], below = 0;
    for (int32_t i = 0; i < e->nbelow[k]; i++) {
      below += t->size[e->below[k][i]];
    }
    int32_t size = t->size[k], total = columns + size;
    double more = zeros + (double)columns * (size + below - above);
    double numbers = 0.5 * total * (total + 1.0) + (double)total * below;
    if (r > 0 && parent[e->order[r - 1]] == k && worth_joining(total, more, numbers)) {
      columns = total;
      zeros = more;
    } else {
      n++;
      columns = size;
      zeros = 0;
    }
    above = below;
    node_at[r] = n - 1;
  }
  return n;
}

static void sort(int32_t n, int32_t *a) {
  for (int32_t i = 1; i < n; i++) {
    int32_t x = a[i], j = i;
    for (; j > 0 && a[j - 1] > x; j--) {
      a[j] = a[j - 1];
    }
    a[j] = x;
  }
}

// ------------------------------------------------------------------ panels

// The rows below a node: those of its last stretch, as intervals of places within one node.
// list: their ranks, ascending.
static sn_status find_intervals(node *a, int32_t n, const int32_t *list, const int32_t *first_place,
                                const int32_t *node_at, sn_scratch *mem) {
  interval *below;
  SN_ALLOC(below, mem, n);
  a->below = below;
  a->m = a->size;
  for (int32_t i = 0; i < n; i++) {
    int32_t r = list[i], length = first_place[r + 1] - first_place[r];
    interval *last = a->nbelow ? &below[a->nbelow - 1] : NULL;
    if (last && last->node == node_at[r] && last->place + last->length == first_place[r]) {
      last->length += length;
    } else {
      below[a->nbelow++] = (interval){
        .place = first_place[r], .length = length, .row = a->m, .node = node_at[r]
      };
    }
    a->m += length;
  }
  a->ld = sn_kernel_pad(a->m);
  return SN_OK;
}

static int32_t larger(int32_t a, int32_t b) {
  return a > b ? a : b;
}

static sn_status lay_out(pattern *p, const stretches *t, const elimination *e, const int32_t *rank,
                         const int32_t *node_at, sn_scratch *mem) {
  // places
  int32_t *first_place, *list;
  SN_ALLOC(first_place, mem, t->n + 1);
  SN_ALLOC(list, mem, t->n);
  first_place[0] = 0;
  for (int32_t r = 0; r < t->n; r++) {
    int32_t k = e->order[r], last = t->first[k] + t->size[k] - 1;
    first_place[r + 1] = first_place[r] + t->size[k];
    for (int32_t dof = t->first[k]; dof <= last; dof++) {
      p->place[dof] = first_place[r] + last - dof;
      p->node_of[dof] = node_at[r];
      p->stretch[dof] = t->first[k];
    }
  }
  // nodes: each ends with the stretch that says what is below
  for (int32_t r = 0, begin = 0; r < t->n; r++) {
    if (r + 1 < t->n && node_at[r + 1] == node_at[r]) {
      continue;
    }
    node *a = &p->at[node_at[r]];
    *a = (node){ .place = first_place[begin], .size = first_place[r + 1] - first_place[begin] };
    int32_t k = e->order[r], n = e->nbelow[k];
    for (int32_t i = 0; i < n; i++) {
      list[i] = rank[e->below[k][i]];
    }
    sort(n, list);
    SN_TRY(find_intervals(a, n, list, first_place, node_at, mem));
    a->panel = p->size;
    p->size += (int64_t)a->ld * a->size;
    p->tallest = larger(p->tallest, a->ld);
    p->widest = larger(p->widest, a->size);
    p->most = larger(p->most, a->nbelow);
    begin = r + 1;
  }
  return SN_OK;
}

sn_status pattern_make(pattern *p, const sn_inertia *tree, const groups *g, int dense,
                       sn_scratch *mem) {
  stretches t;
  elimination e;
  SN_TRY(find_stretches(tree, &t, mem));
  SN_TRY(find_order(&t, g, &e, mem));
  int32_t *rank, *parent, *node_at;
  SN_ALLOC(rank, mem, t.n);
  SN_ALLOC(parent, mem, t.n);
  SN_ALLOC(node_at, mem, t.n);
  SN_TRY(postorder(t.n, &e, rank, parent, mem));
  int32_t nnode = dense ? 1 : join(&t, &e, parent, node_at);
  if (dense) {
    memset(node_at, 0, (size_t)t.n * sizeof *node_at);
  }

  *p = (pattern){ .nv = tree->nv, .nnode = nnode };
  SN_ALLOC(p->at, mem, nnode);
  SN_ALLOC(p->node_of, mem, tree->nv);
  SN_ALLOC(p->place, mem, tree->nv);
  SN_ALLOC(p->stretch, mem, tree->nv);
  return lay_out(p, &t, &e, rank, node_at, mem);
}

int32_t pattern_row(const pattern *p, int32_t k, int32_t place) {
  const node *a = &p->at[k];
  if (place < a->place + a->size) {
    return place - a->place;
  }
  int32_t low = 0, high = a->nbelow - 1;
  while (low < high) {
    int32_t middle = (low + high + 1) / 2;
    if (a->below[middle].place <= place) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return a->below[low].row + place - a->below[low].place;
}
