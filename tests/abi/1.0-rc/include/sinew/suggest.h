// SPDX-License-Identifier: Apache-2.0
//
// Finds the existing name that is most similar to an unknown one, for "did you mean" messages of
// the core, the command and the loaders. Inline, so that plugins can use it without the host.

#ifndef SINEW_SUGGEST_H
#define SINEW_SUGGEST_H

#include <stdio.h>
#include <string.h>

#include "sinew/abi.h"

SN_BEGIN_DECLS

enum {
  SN_SUGGEST_LETTERS = 64,   // longer names are not compared
  SN_SUGGEST_FAR = 1 << 20   // the distance of names that are too long, empty or not similar
};

// A letter in lower case.
static inline int32_t sn_suggest_lower(char c) {
  return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

// [any] Restricted Damerau-Levenshtein distance of two names, zero-terminated: insertions,
// deletions, replacements and swaps of neighboring letters. Upper and lower case are equal.
static inline int32_t sn_suggest_distance(const char *a, const char *b) {
  const size_t na = strlen(a), nb = strlen(b);
  if (na == 0 || nb == 0 || na > SN_SUGGEST_LETTERS || nb > SN_SUGGEST_LETTERS) {
    return SN_SUGGEST_FAR;
  }
  // only three rows of the table are stored
  int32_t rows[3][SN_SUGGEST_LETTERS + 1];
  int32_t *before = rows[0], *above = rows[1], *row = rows[2];
  for (size_t j = 0; j <= nb; j++) {
    above[j] = (int32_t)j;
    before[j] = 0;
  }
  for (size_t i = 1; i <= na; i++) {
    row[0] = (int32_t)i;
    for (size_t j = 1; j <= nb; j++) {
      const int32_t x = sn_suggest_lower(a[i - 1]), y = sn_suggest_lower(b[j - 1]);
      int32_t best = above[j - 1] + (x != y);
      best = above[j] + 1 < best ? above[j] + 1 : best;
      best = row[j - 1] + 1 < best ? row[j - 1] + 1 : best;
      if (i > 1 && j > 1 && x == sn_suggest_lower(b[j - 2]) && sn_suggest_lower(a[i - 2]) == y &&
          before[j - 2] + 1 < best) {
        best = before[j - 2] + 1;
      }
      row[j] = best;
    }
    int32_t *oldest = before;
    before = above;
    above = row;
    row = oldest;
  }
  return above[nb];
}

// [any] The distance of a candidate if it is similar to the name, SN_SUGGEST_FAR otherwise: at most
// about a third of the letters may differ (one of up to four letters), but not all of them.
static inline int32_t sn_suggest_near(const char *name, const char *candidate) {
  const size_t n = strlen(name), m = strlen(candidate);
  const int32_t d = sn_suggest_distance(name, candidate), most = n < 3 ? 1 : (int32_t)(n + 1) / 3;
  return d <= most && d < (int32_t)(n > m ? n : m) ? d : (int32_t)SN_SUGGEST_FAR;
}

// [any] The most similar of n candidates, the first one if several are; NULL if none is similar.
// name and each candidate may be NULL. Returns one of the candidates' pointers.
static inline const char *sn_suggest_nearest(const char *name, const char *const *candidates,
                                             int64_t n) {
  const char *nearest = NULL;
  int32_t best = SN_SUGGEST_FAR;
  for (int64_t i = 0; name && i < n; i++) {
    const int32_t d = candidates[i] ? sn_suggest_near(name, candidates[i]) : SN_SUGGEST_FAR;
    if (d < best) {
      best = d;
      nearest = candidates[i];
    }
  }
  return nearest;
}

enum { SN_SUGGEST_TEXT = 256 };   // bytes that sn_suggest_text may need

// [any] Writes the end of a message about an unknown name, and returns `out`:
//
//   "; did you mean 'cg'? Solvers are newton, cg"   near "cg", rest "solvers are newton, cg"
//   "; did you mean 'cg'?"                          without rest
//   "; solvers are newton, cg"                      without near
//
// near and rest may be NULL. out has `size` bytes; what does not fit is left out.
static inline const char *sn_suggest_text(char *out, size_t size, const char *near,
                                          const char *rest) {
  const char first = rest ? rest[0] : '\0';
  const char upper = first >= 'a' && first <= 'z' ? (char)(first - 'a' + 'A') : first;
  if (near && rest) {
    snprintf(out, size, "; did you mean '%s'? %c%s", near, upper, rest + 1);
  } else if (near) {
    snprintf(out, size, "; did you mean '%s'?", near);
  } else {
    snprintf(out, size, "%s%s", rest ? "; " : "", rest ? rest : "");
  }
  return out;
}

SN_END_DECLS

#endif
