// SPDX-License-Identifier: Apache-2.0

#include "platform/runpath.h"

#include <string.h>

#include "base/text.h"

char *si_runpath_expand(const char *path, const char *folder, size_t n, int *unknown) {
  const char *dollar = memchr(folder, '$', n), *slash = strrchr(path, '/');
  *unknown = 0;
  if (!dollar) {
    return si_text("%.*s", (int)n, folder);
  }
  static const char *const words[] = { "$ORIGIN", "${ORIGIN}" };
  for (int i = 0; i < 2; i++) {
    const size_t length = strlen(words[i]);
    const size_t before = (size_t)(dollar - folder), after = before + length;
    if (after <= n && strncmp(dollar, words[i], length) == 0 &&
        (after == n || folder[after] == '/' || words[i][1] == '{') &&
        !memchr(folder + after, '$', n - after)) {
      return si_text("%.*s%.*s%.*s", (int)before, folder, (int)(slash - path), path,
                     (int)(n - after), folder + after);
    }
  }
  *unknown = 1;
  return NULL;
}

const char *si_runpath_preferred(size_t index) {
  static const char *const names[] = { "glibc-hwcaps", "x86-64-v2", "x86-64-v3", "x86-64-v4",
                                       "tls",          "haswell",   "avx512_1",  "x86_64",
                                       "aarch64",      "atomics" };
  return index < sizeof names / sizeof names[0] ? names[index] : NULL;
}
