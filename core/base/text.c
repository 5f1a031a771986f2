// SPDX-License-Identifier: Apache-2.0
//
// Strings, and what grows: arrays, bytes.

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "sinew/suggest.h"

// Of more than MANY names, messages list FEW.
enum { MANY = 48, FEW = 8 };

char *si_text(const char *format, ...) {
  va_list list;
  va_start(list, format);
  char *text = NULL;
  int n = vasprintf(&text, format, list);
  va_end(list);
  return n < 0 ? NULL : text;
}

void *si_more(void *array, int64_t n, size_t size) {
  return reallocarray(array, (size_t)n + 1, size);
}

void *si_grow(void *array, int64_t n, int64_t *capacity, size_t size) {
  if (n < *capacity) {
    return array;
  }
  const int64_t more = *capacity ? 2 * *capacity : 8;
  void *grown = reallocarray(array, (size_t)more, size);
  *capacity = grown ? more : *capacity;
  return grown;
}

static void grow(si_buffer *b, size_t capacity) {
  uint8_t *at = realloc(b->at, capacity);
  if (at) {
    b->at = at;
    b->capacity = capacity;
  } else {
    b->failed = 1;
  }
}

void si_buffer_add(si_buffer *b, const void *bytes, size_t n) {
  if (b->n + n > b->capacity && !b->failed) {
    grow(b, 2 * (b->n + n) + 4096);
  }
  if (!b->failed && n) {
    memcpy(b->at + b->n, bytes, n);
    b->n += n;
  }
}

const char *si_join(char *out, size_t size, const char *const *names, int64_t n) {
  size_t used = 0;
  out[0] = '\0';
  for (int64_t i = 0; i < n; i++) {
    const char *name = names[i] ? names[i] : "";
    if (used + strlen(name) + 8 > size) {
      snprintf(out + used, size - used, " ...");
      break;
    }
    used += (size_t)snprintf(out + used, size - used, "%s%s", i ? ", " : "", name);
  }
  return out;
}

// The names that are most similar to `name`, in the order of similarity, at most `capacity`.
static int64_t most_similar(const char *name, const char *const *names, int64_t n, const char **out,
                            int64_t capacity) {
  int64_t count = 0;
  int32_t far[FEW];
  for (int64_t i = 0; i < n; i++) {
    const int32_t distance = sn_suggest_distance(name, names[i] ? names[i] : "");
    int64_t k = count < capacity ? count++ : capacity;
    for (; k > 0 && distance < far[k - 1]; k--) {
      if (k < capacity) {
        far[k] = far[k - 1];
        out[k] = out[k - 1];
      }
    }
    if (k < capacity) {
      far[k] = distance;
      out[k] = names[i];
    }
  }
  return count;
}

// All names, or the most similar ones of many.
static void list_names(char *out, size_t size, const char *name, const char *const *names,
                       int64_t n) {
  const char *few[FEW];
  if (n <= MANY) {
    si_join(out, size, names, n);
    return;
  }
  const int64_t count = most_similar(name, names, n, few, FEW);
  si_join(out, size, few, count);
  const size_t used = strlen(out);
  snprintf(out + used, size - used, " and %lld others", (long long)(n - count));
}

const char *si_suggest(char *out, size_t size, const char *name, const char *list,
                       const char *const *names, int64_t n) {
  char all[768];
  list_names(all, sizeof all, name, names, n);
  const char *near = si_nearest(name, names, n);
  if (near && n > MANY) {
    snprintf(out, size, "; did you mean '%s'?", near);
  } else if (near) {
    snprintf(out, size, "; did you mean '%s'? %c%s: %s", near, toupper((unsigned char)list[0]),
             list + 1, all);
  } else {
    snprintf(out, size, "; %s: %s", list, all);
  }
  return out;
}

sn_status si_no_memory(sn_error *error) {
  return si_fail(error, SN_ENOMEM, "out of memory");
}
