// SPDX-License-Identifier: Apache-2.0
//
// The command line that is completed, and candidates for its last word; see complete.c.

#ifndef SINEW_TOOLS_COMPLETE_H
#define SINEW_TOOLS_COMPLETE_H

#include "tools/command.h"

// The command line, taken apart.
typedef struct line {
  const command *c;
  const char **operand;   // before the last word
  int noperand;
  const char *word;       // what is to be completed, from the start of a value on
  const char *prefix;     // of each candidate, before that: "--solver="
  int nprefix;
  options o;              // --profile alone, for the engine
  sn_error *error;
  sn_engine *engine;      // NULL: not opened yet, or it cannot be
} line;

// A candidate that the last word is the start of. head: what comes before it in that word.
void offer(const line *l, const char *head, const char *candidate, const char *meaning);
// Opened when it is needed first. NULL: it cannot be.
sn_engine *engine_of(line *l);
// Providers, whose names follow `head`: of a kind, and of solvers those that run after another.
void offer_some(line *l, const char *head, const char *kind, int post_solver);
// The kind of what an option or a setting of this name selects. NULL: it selects nothing.
const char *kind_selected(const char *name);

// complete_set.c: NAME=VALUE of --set.
void offer_settings(line *l);

#endif
