// SPDX-License-Identifier: Apache-2.0
//
// The checking mode: what belongs to the host is copied before each operation of a plugin in a
// step, and compared after it. A change outside of the outputs of the operation is an error that
// names plugin, operation, field and element, and is taken back.
//
//   si_worker_output(w, "qfrc", qfrc, bytes)   what the operation may write, each
//   si_worker_enter -> si_checker_begin        copies all else
//   si_worker_leave -> si_checker_end          compares
//
// Looked at are the arrays of the simulation with the gaps between them, the contacts and rows of
// the step, the temporary memory of the host with guard bytes behind it, the model, the guard bytes
// behind temporary memory that the plugin took, pointers and sizes in the structs that it gets, and
// what the process and the thread are besides (platform/process.h). Operations nest, where an
// integrator requests evaluations.
//
// The process is noted at the first operation of a call. The comparison after an operation serves
// as the note before the next one, since nothing but the host runs between them; an operation
// within another has a note of its own.

#ifndef SI_DATA_CHECKING_H
#define SI_DATA_CHECKING_H

#include "host/calling.h"

typedef struct si_checker si_checker;
typedef struct si_checked si_checked;   // an operation that runs
struct si_worker;

// NULL: no memory.
si_checker *si_checker_new(struct si_worker *worker);
void si_checker_free(si_checker *checker);
// At the beginning of a guarded call, which catches exhausted memory.
void si_checker_start(struct si_worker *worker);
// At its end, however it is left.
void si_checker_stop(si_checker *checker);
void si_checker_output(struct si_worker *worker, const char *name, void *output, int64_t bytes);
// A copy of an array beside which other outputs may lie, in the scratch memory, with guard bytes
// behind it; the copy is an output.
void *si_checker_output_apart(struct si_worker *worker, const char *name, const void *array,
                              int64_t bytes);
// Memory that it may only read, to be named if it is written.
void si_checker_input(struct si_worker *worker, const char *name, const void *input, int64_t bytes);
// Pointers and sizes in a struct of its arguments that is not constant, anywhere in memory.
void si_checker_struct(struct si_worker *worker, const char *type, const void *member,
                       int64_t bytes);
// The operation requests evaluations: all that they compute changes.
void si_checker_evaluates(struct si_worker *worker);
void si_checker_begin(struct si_worker *worker);
// What the plugin did wrong, as the rest of a sentence about the operation; NULL: nothing.
const char *si_checker_end(struct si_worker *worker);
// The innermost operation that runs; back to it, when those within it were left.
si_checked *si_checker_running(const si_checker *checker);
void si_checker_unwind(si_checker *checker, si_checked *running);
// The text of the first fault.
const char *si_checker_text(const si_checker *checker);

#endif
