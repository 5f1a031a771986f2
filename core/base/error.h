// SPDX-License-Identifier: Apache-2.0
//
// Errors: what, where, the cure. Every function that can fail takes an sn_error that may be NULL
// and returns the status that si_fail returned.

#ifndef SI_BASE_ERROR_H
#define SI_BASE_ERROR_H

#include <stdarg.h>

#include "sinew/sinew.h"

enum { SI_ERROR_TEXT = 2048, SI_ERROR_FILE = 1024 };

struct sn_error {
  sn_status code;
  int32_t line, column;
  char file[SI_ERROR_FILE];   // "": not about a file
  char message[SI_ERROR_TEXT];
  char text[SI_ERROR_TEXT + SI_ERROR_FILE + 32];   // of sn_error_text
};

#define SN_PRINTF(text, first) __attribute__((format(printf, text, first)))

// Fills the error (if there is one) and returns `code`.
sn_status si_fail(sn_error *error, sn_status code, const char *format, ...) SN_PRINTF(3, 4);
// The same with a place; place may be NULL.
sn_status si_fail_at(sn_error *error, sn_status code, const sn_location *location,
                     const char *format, ...) SN_PRINTF(4, 5);
// The static analyzer sees one file at a time and cannot know that the call returns its code.
#ifdef __clang_analyzer__
#define si_fail(error, code, ...) ((void)si_fail(error, code, __VA_ARGS__), (code))
#endif
// At the end of a public function: a failure whose reason was not given gets one, so that no
// failing call leaves the error empty. Returns the status.
sn_status si_error_settle(sn_error *error, sn_status status);
// The same for a function that returns an object: NULL is a failure, for lack of memory where the
// error does not say otherwise.
void *si_error_settle_object(sn_error *error, void *object);
// Names the file that the error is about, where it names none yet; error may be NULL.
void si_error_in(sn_error *error, const char *file);
void si_error_clear(sn_error *error);
void si_error_assign(sn_error *to, const sn_error *from);   // both may be NULL

// Edit distance, for "did you mean": the candidate nearest to `name`, NULL when none is near.
const char *si_nearest(const char *name, const char *const *candidates, int64_t n);

#endif
