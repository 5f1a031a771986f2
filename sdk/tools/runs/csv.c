// SPDX-License-Identifier: Apache-2.0
//
// A trajectory as comma-separated values; see csv.h.

#include "csv.h"

#include <string.h>

#include "sinew/number.h"

static ssize_t write_sink(void *context, const char *bytes, size_t count) {
  sn_sink *sink = context;
  return sink->write(sink, bytes, (int64_t)count) < 0 ? 0 : (ssize_t)count;   // 0: an error
}

FILE *csv_open(sn_sink *sink) {
  return fopencookie(sink, "w", (cookie_io_functions_t){ .write = write_sink });
}

// coordinates and velocities of a joint, by type: free, ball, slide, hinge
static const char *const position_parts[SN_NJOINTTYPES][7] = {
  { ".x", ".y", ".z", ".qw", ".qx", ".qy", ".qz" }, { ".qw", ".qx", ".qy", ".qz" }, { "" }, { "" }
};
static const char *const velocity_parts[SN_NJOINTTYPES][6] = {
  { ".vx", ".vy", ".vz", ".wx", ".wy", ".wz" }, { ".wx", ".wy", ".wz" }, { "" }, { "" }
};

// ",PREFIX.NAME SUFFIX", quoted where the name requires it; elements without a name have a number
static void put_name(FILE *file, const char *prefix, const char *name, int32_t id,
                     const char *suffix) {
  int quote = strpbrk(name, ",\"\r\n") != NULL;
  fprintf(file, ",%s%s.", quote ? "\"" : "", prefix);
  if (!*name) {
    fprintf(file, "%d", id);
  }
  for (const char *p = name; *p; p++) {
    if (*p == '"') {
      fputc('"', file);
    }
    fputc(*p, file);
  }
  fprintf(file, "%s%s", suffix, quote ? "\"" : "");
}

static void put_joints(FILE *file, const sn_model *m, const char *prefix, int velocity) {
  for (int32_t j = 0; j < snm_njnt(m); j++) {
    const int32_t type = snm_jnt_type(m)[j] & (SN_NJOINTTYPES - 1);
    const int32_t n = velocity ? sn_joint_dofs(type) : sn_joint_positions(type);
    for (int k = 0; k < n; k++) {
      put_name(file, prefix, sn_name(m, "joint", j), j,
               velocity ? velocity_parts[type][k] : position_parts[type][k]);
    }
  }
}

// ".2" for the parts of what has several
static void part_suffix(char *out, size_t capacity, int32_t n, int32_t k) {
  out[0] = '\0';
  if (n > 1) {
    snprintf(out, capacity, ".%d", k);
  }
}

// states of actuators, numbers of sensors: several for one element
static void put_parts(FILE *file, const sn_model *m, const char *prefix, const char *kind,
                      const int32_t *parts, int64_t n) {
  char suffix[24];
  for (int32_t i = 0; i < n; i++) {
    for (int32_t k = 0; k < parts[i]; k++) {
      part_suffix(suffix, sizeof suffix, parts[i], k);
      put_name(file, prefix, sn_name(m, kind, i), i, suffix);
    }
  }
}

// The kind of elements of which each has one row of an array; NULL: none.
static const char *kind_of_rows(const char *name) {
  static const struct {
    const char *name, *rows;
  } fields[] = {
#define SN_X(type, name, rows, ...) { #name, #rows },
    SN_DATA_FIELDS(SN_X)
#undef SN_X
  };
  const char *rows = "";
  for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++) {
    rows = strcmp(fields[i].name, name) == 0 ? fields[i].rows : rows;
  }
#define SN_X(kind, size, ...)       \
  if (strcmp(rows, #size) == 0) {   \
    return #kind;                   \
  }
  SN_MODEL_ELEMENTS(SN_X)
#undef SN_X
  return NULL;
}

static void put_rows(FILE *file, const sn_model *m, const recorded *f) {
  char suffix[24];
  const char *kind = kind_of_rows(f->name);
  for (int32_t i = 0; i < f->view.rows; i++) {
    for (int32_t k = 0; k < f->view.cols; k++) {
      part_suffix(suffix, sizeof suffix, (int32_t)f->view.cols, k);
      put_name(file, f->name, kind ? sn_name(m, kind, i) : "", i, suffix);
    }
  }
}

static void put_field(FILE *file, const sn_model *m, const recorded *f) {
  if (!f->view.p && f->n) {
    fprintf(file, ",%s", f->name);
  } else if (strcmp(f->name, "qpos") == 0) {
    put_joints(file, m, "qpos", 0);
  } else if (f->name[0] == 'q' && f->view.cols == 1 && f->view.rows == snm_nv(m)) {
    put_joints(file, m, f->name, 1);
  } else if (strcmp(f->name, "act") == 0) {
    put_parts(file, m, "act", "actuator", snm_actuator_actnum(m), snm_nu(m));
  } else if (strcmp(f->name, "sensordata") == 0) {
    put_parts(file, m, "sensor", "sensor", snm_sensor_dim(m), snm_nsensor(m));
  } else if (strcmp(f->name, "time") == 0) {
    fputs(",time", file);
  } else {
    put_rows(file, m, f);
  }
}

void csv_names(FILE *file, const sn_model *m, const record *r) {
  fputs("time", file);
  for (int i = 0; i < r->nfield; i++) {
    put_field(file, m, &r->field[i]);
  }
  fputs("\n", file);
}

static void put_real(FILE *file, const char *before, double value) {
  char digits[SN_NUMBER_ROOM];
  sn_write_number(digits, value, 0);
  fputs(before, file);
  fputs(digits, file);
}

void csv_row(FILE *file, const record *r, sn_data *d) {
  put_real(file, "", snd_time(d)[0]);
  for (int i = 0; i < r->nfield; i++) {
    for (int64_t k = 0; k < r->field[i].n; k++) {
      put_real(file, ",", record_number(r, i, d, k));
    }
  }
  fputs("\n", file);
}
