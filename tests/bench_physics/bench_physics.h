// SPDX-License-Identifier: Apache-2.0
//
// What the sections of the benchmark of physics share: runs of models under different settings, and
// the tables and data files that they print.
//
// A section is a list of tables. A table has a name, by which docs/accuracy.md includes it, and its
// cells are the results of runs, each of a model from tests/models/physics or a scene that is
// written by code (scenes.h), with the settings of the row and then those of the column.

#ifndef SN_BENCH_PHYSICS_H
#define SN_BENCH_PHYSICS_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "sinew/sinew.h"

// ------------------------------------------------------------------ runs

// One run. Settings are "name=value;name=value": `profile` is a profile, a name with a dot is one
// of the configuration, `equality=stiff` gives equality constraints the shortest time constant that
// their time step allows, `contacts=A,B,C,D` sets solref and the first numbers of solimp of every
// geom, `restitution` that of every geom, and others are options of a model.
typedef struct trial {
  sn_engine *engine;
  sn_model *m;
  sn_data *d;
  sn_error *error;
  double parameter;   // of the row
  double h;           // time step
  int diverged;
} trial;

typedef double measure_fn(trial *t);
#define FELL (-HUGE_VAL)   // a measure: what should stand fell; the table has the word
// The text of a model, valid until the next one.
typedef const char *scene_fn(double parameter);

typedef struct row {
  const char *title;
  const char *model;   // tests/models/physics/NAME.xml, or NULL for
  scene_fn *scene;     // a scene of this parameter
  const char *settings;
  measure_fn *measure;
  double parameter;
  // the column "cure": what to set, and the words for it in the cell; NULL: an empty cell
  const char *cure, *by;
  const char *truth;   // the column of that name; NULL: 0
} row;

typedef struct column {
  const char *title;
  const char *settings;   // NULL: the cure of each row
} column;

// Opens the model of a row with the settings of a column; stops the program if that fails.
trial open_trial(const row *r, const char *settings);
void close_trial(trial *t);
void step(trial *t);
void simulate(trial *t, double time);   // until it diverges
double energy(trial *t);                // evaluates the state first
double cpu_clock(void);                 // seconds of this process
void set_option(trial *t, const char *name, const char *value);
double *edit_field(trial *t, const char *name);   // of the model
// The gravity of a floor that is inclined by this tangent along x.
void incline(trial *t, double tangent);
void quit(const sn_error *error);

// ------------------------------------------------------------------ tables

extern const char *data_folder;   // of data files; NULL: none are written

// Begins a table: the line by which pages include it, and its head.
void begin_table(const char *name, const char *corner, const column *columns, int ncolumn);
void print_number(double x);   // a cell
void print_text(const char *text);
void end_row(void);
// A table of rows by columns; a column of truths is added if a row has one.
void print_table(const char *name, const row *rows, int nrow, const column *columns, int ncolumn);
#define TABLE(name, rows, columns)                                          \
  print_table(name, rows, (int)(sizeof(rows) / sizeof((rows)[0])), columns, \
              (int)(sizeof(columns) / sizeof((columns)[0])))
// The result of a run; NAN if it diverged.
double run_row(const row *r, const char *settings);

// A file of comma-separated numbers with this first line; NULL without data folder.
FILE *open_data(const char *name, const char *head);
// A file of the errors of one row with several time steps: a line each, a column for each column.
void write_orders(const char *name, const row *r, const double *h, int nh, const column *columns,
                  int ncolumn);

// ------------------------------------------------------------------ sections

void mechanisms_section(void);
void motion_section(void);
void contacts_section(void);
void friction_section(void);
void forces_section(void);
void solvers_section(void);
void derivatives_section(void);
void cost_section(void);

#endif
