// SPDX-License-Identifier: Apache-2.0
//
// The record of a run (run_record.h), read: its arguments, its start and its controls, with which
// the run can be made again.

#ifndef SINEW_TOOLS_RECORDED_RUN_H
#define SINEW_TOOLS_RECORDED_RUN_H

#include "tools/command.h"
#include "tools/json/json.h"

typedef struct recorded_run {
  const options *o;         // as the command was called
  const char *path;
  options arguments;        // those of the record, changed by what is given now
  json_document doc;
  char *bytes;
  double *controls;         // steps x nu; NULL: they stay
  int64_t steps;
} recorded_run;

// Whether a file is the record of a run, by the end of its name.
int recorded_run_is(const char *path);
// Reads a record. model: instead of that of the record; NULL: none. DONE, or FAILED after
// reporting. Free it in either case.
int recorded_run_read(recorded_run *r, const options *o, const char *path, const char *model);
void recorded_run_free(recorded_run *r);

// Reads the controls, of a model with the sizes of the record. DONE, or FAILED after reporting.
int recorded_controls(recorded_run *r, const sn_model *m);
// Sets the state that the run starts from. DONE, or FAILED after reporting: the model has other
// sizes.
int recorded_start(const recorded_run *r, const sn_model *m, sn_data *d);

// The whole document; children of a node, NULL at their end; a member of an object, NULL: there is
// none of this type.
const json_node *recorded_root(const recorded_run *r);
const json_node *recorded_child(const recorded_run *r, const json_node *node);
const json_node *recorded_sibling(const recorded_run *r, const json_node *node);
const json_node *recorded_member(const recorded_run *r, const json_node *object, const char *key,
                                 int type);
// The numbers of a list. False: one of them is none, or there are others than n.
int recorded_numbers(const recorded_run *r, const json_node *list, double *out, int64_t n);
// Reports that the record is not complete. FAILED.
int recorded_incomplete(const recorded_run *r, const char *what);

#endif
