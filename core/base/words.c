// SPDX-License-Identifier: Apache-2.0

#include "base/words.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

int si_next_word(const char **list, si_word *word) {
  const char *text = *list;
  if (!text || !*text) {
    return 0;
  }
  word->n = strcspn(text, "|");
  const size_t n = word->n < SI_LONGEST_WORD ? word->n : SI_LONGEST_WORD;
  memcpy(word->text, text, n);
  word->text[n] = '\0';
  *list = text + word->n + (text[word->n] == '|');
  return 1;
}

int si_is_listed(const char *list, const char *text) {
  const size_t n = strlen(text);
  const char *at = list;
  for (si_word word; si_next_word(&list, &word); at = list) {
    if (word.n == n && memcmp(at, text, n) == 0) {
      return 1;
    }
  }
  return 0;
}

const char *si_suggest_listed(char *out, size_t size, const char *name, const char *list,
                              const char *words) {
  enum { MOST = 64 };
  si_word word[MOST];
  const char *names[MOST];
  int64_t n = 0;
  while (n < MOST && si_next_word(&words, &word[n])) {
    names[n] = word[n].text;
    n++;
  }
  return si_suggest(out, size, name, list, names, n);
}
