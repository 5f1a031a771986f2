// SPDX-License-Identifier: Apache-2.0
//
// The numbering of elements: which id in the model an element of a spec gets.

#include "spec/numbering.h"

#include <stdlib.h>
#include <string.h>

static sn_status no_memory(sn_error *error) {
  return si_fail(error, SN_ENOMEM, "out of memory while numbering the elements of a spec");
}

static sn_status number_as_added(int64_t n, si_numbering *number, sn_error *error) {
  number->n = n;
  number->spec = malloc((size_t)(n + 1) * sizeof(int32_t));
  number->model = malloc((size_t)(n + 1) * sizeof(int32_t));
  if (!number->spec || !number->model) {
    return no_memory(error);
  }
  for (int32_t i = 0; i < n; i++) {
    number->spec[i] = number->model[i] = i;
  }
  return SN_OK;
}

// Depth first with a stack; a body's children are pushed last to first.
static sn_status number_bodies(const sn_spec *spec, si_numbering *number, sn_error *error) {
  int64_t n = number->n;
  int32_t *first = malloc((size_t)n * 3 * sizeof *first);
  if (!first) {
    return no_memory(error);
  }
  int32_t *next = first + n, *stack = next + n;
  memset(first, -1, (size_t)n * 2 * sizeof *first);
  for (int32_t i = 1; i < n; i++) {
    int32_t parent = ((const sn_body_def *)spec->list[SI_ELEMENT_body].at[i].def)->parent;
    next[i] = first[parent];   // so the list runs from the last child to the first
    first[parent] = i;
  }
  int32_t top = 0, id = 0;
  stack[top++] = 0;
  while (top > 0) {
    int32_t i = stack[--top];
    number->spec[id] = i;
    number->model[i] = id++;
    for (int32_t child = first[i]; child >= 0; child = next[child]) {
      stack[top++] = child;
    }
  }
  free(first);
  return SN_OK;
}

// Sorts the elements of a kind by body, stable.
static sn_status number_owned(const sn_spec *spec, int32_t kind, const si_numbering *body,
                              si_numbering *number, sn_error *error) {
  const ptrdiff_t owner_offset = si_element_owner(kind);
  int32_t *start = calloc((size_t)body->n + 1, sizeof *start);
  if (!start) {
    return no_memory(error);
  }
  for (int pass = 0; pass < 2; pass++) {
    for (int32_t i = 0; i < number->n; i++) {
      int32_t owner;
      memcpy(&owner, (const char *)spec->list[kind].at[i].def + owner_offset, sizeof owner);
      owner = body->model[owner];
      if (pass == 0) {
        start[owner + 1]++;
      } else {
        int32_t id = start[owner]++;
        number->spec[id] = i;
        number->model[i] = id;
      }
    }
    for (int64_t k = 0; pass == 0 && k < body->n; k++) {
      start[k + 1] += start[k];
    }
  }
  free(start);
  return SN_OK;
}

sn_status si_spec_number(const sn_spec *spec, si_numbering *number, sn_error *error) {
  const si_numbering *body = &number[SI_ELEMENT_body];
  for (int32_t kind = 0; kind < SI_NELEMENTS; kind++) {
    SN_TRY(number_as_added(spec->list[kind].n, &number[kind], error));
  }
  SN_TRY(number_bodies(spec, &number[SI_ELEMENT_body], error));
  for (int32_t kind = 0; kind < SI_NELEMENTS; kind++) {
    if (kind != SI_ELEMENT_body && si_element_owner(kind) >= 0) {
      SN_TRY(number_owned(spec, kind, body, &number[kind], error));
    }
  }
  return SN_OK;
}

void si_numbering_free(si_numbering *number) {
  for (int32_t kind = 0; kind < SI_NELEMENTS; kind++) {
    free(number[kind].spec);
    free(number[kind].model);
    number[kind] = (si_numbering){ 0 };
  }
}
