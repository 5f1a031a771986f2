// SPDX-License-Identifier: Apache-2.0
//
// A trajectory as comma-separated values; see csv.h.

#include "csv.h"

#include <string.h>

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
static void part_suffix(char *out, size_t room, int32_t n, int32_t k) {
  out[0] = '\0';
  if (n > 1) {
    snprintf(out, room, ".%d", k);
  }
}

void csv_names(FILE *file, const sn_model *m) {
  char suffix[24];
  fputs("time", file);
  put_joints(file, m, "qpos", 0);
  put_joints(file, m, "qvel", 1);
  for (int32_t i = 0; i < snm_nu(m); i++) {
    int32_t n = snm_actuator_actnum(m)[i];
    for (int32_t k = 0; k < n; k++) {
      part_suffix(suffix, sizeof suffix, n, k);
      put_name(file, "act", sn_name(m, "actuator", i), i, suffix);
    }
  }
  for (int32_t i = 0; i < snm_nsensor(m); i++) {
    int32_t n = snm_sensor_dim(m)[i];
    for (int32_t k = 0; k < n; k++) {
      part_suffix(suffix, sizeof suffix, n, k);
      put_name(file, "sensor", sn_name(m, "sensor", i), i, suffix);
    }
  }
  fputs("\n", file);
}

static void put_reals(FILE *file, const double *p, int64_t n) {
  for (int64_t i = 0; i < n; i++) {
    fprintf(file, ",%.17g", p[i]);
  }
}

void csv_row(FILE *file, const sn_model *m, sn_data *d) {
  fprintf(file, "%.17g", snd_time(d)[0]);
  put_reals(file, snd_qpos(d), snm_nq(m));
  put_reals(file, snd_qvel(d), snm_nv(m));
  put_reals(file, snd_act(d), snm_na(m));
  put_reals(file, snd_sensordata(d), snm_nsensordata(m));
  fputs("\n", file);
}
