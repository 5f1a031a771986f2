// SPDX-License-Identifier: Apache-2.0
//
// Lists of words in one text, "a|b|c", as operation tables have them.

#ifndef SI_BASE_WORDS_H
#define SI_BASE_WORDS_H

#include <stddef.h>

enum { SI_LONGEST_WORD = 63 };

typedef struct si_word {
  size_t n;                         // characters
  char text[SI_LONGEST_WORD + 1];   // the word, cut if it is longer
} si_word;

// The next word of a list, which is moved behind it; 0: there are no more. Before the first call
// *list is the whole list; NULL and "" have no words.
int si_next_word(const char **list, si_word *word);
// Is a text one of the words?
int si_is_listed(const char *list, const char *text);
// si_suggest, with the words of a list as names.
const char *si_suggest_listed(char *out, size_t size, const char *name, const char *list,
                              const char *words);

#endif
