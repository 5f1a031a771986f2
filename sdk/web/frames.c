// SPDX-License-Identifier: Apache-2.0
//
// The frames of a simulation; see web.h.

#include <math.h>
#include <string.h>

#include "sinew/math.h"
#include "sinew/scene.h"
#include "web.h"

// ------------------------------------------------------------------ nodes

static int body_moves(const sn_model *m, int32_t body) {
  return snm_body_weldid(m)[body] != 0 || snm_body_mocapid(m)[body] >= 0;
}

int web_moves(const sn_model *m, int32_t kind, int32_t id) {
  if (kind == SN_OBJECT_BODY) {
    return body_moves(m, id);
  }
  const int is_camera = kind == SN_OBJECT_CAMERA;
  const int32_t target = (is_camera ? snm_cam_targetbodyid(m) : snm_light_targetbodyid(m))[id];
  return body_moves(m, (is_camera ? snm_cam_bodyid(m) : snm_light_bodyid(m))[id]) ||
         (target >= 0 && body_moves(m, target));
}

void web_pose(sn_data *d, int32_t kind, int32_t id, double *pose) {
  if (kind == SN_OBJECT_BODY) {
    memcpy(pose, snd_xpos(d) + 3 * id, 3 * sizeof *pose);
    memcpy(pose + 3, snd_xquat(d) + 4 * id, 4 * sizeof *pose);
  } else if (kind == SN_OBJECT_CAMERA) {
    memcpy(pose, snd_cam_xpos(d) + 3 * id, 3 * sizeof *pose);
    sn_mat_quat(pose + 3, snd_cam_xmat(d) + 9 * id);
  } else {
    memcpy(pose, snd_light_xpos(d) + 3 * id, 3 * sizeof *pose);
    double back[3];   // lights shine along -z
    sn_scale3(back, snd_light_xdir(d) + 3 * id, -1);
    sn_z_to_quat(pose + 3, back);
  }
}

static int64_t count_nodes(const sn_model *m) {
  int64_t n = 0;
  for (int32_t i = 0; i < snm_nbody(m); i++) {
    n += web_moves(m, SN_OBJECT_BODY, i);
  }
  for (int32_t i = 0; i < snm_ncam(m); i++) {
    n += web_moves(m, SN_OBJECT_CAMERA, i);
  }
  for (int32_t i = 0; i < snm_nlight(m); i++) {
    n += web_moves(m, SN_OBJECT_LIGHT, i);
  }
  return n;
}

static void add_node(web_frames *f, const sn_model *m, sn_data *d, int32_t kind, int32_t id) {
  double pose[7];
  if (!web_moves(m, kind, id)) {
    return;
  }
  web_pose(d, kind, id, pose);
  for (int i = 0; i < 3; i++) {
    web_put_float(&f->positions, pose[i]);
  }
  for (int i = 3; i < 7; i++) {
    const int16_t part = (int16_t)lrint(32767 * fmax(-1, fmin(1, pose[i])));
    web_put(&f->rotations, &part, sizeof part);
  }
}

// ------------------------------------------------------------------ contacts, tendons

static uint32_t add_contacts(web_frames *f, const sn_model *m, sn_data *d) {
  uint32_t n = 0;
  for (int64_t i = 0; i < snd_ncon(d); i++) {
    double force[6], global[3];
    if (snd_contact_exclude(d)[i] != 0 || sn_contact_force(m, d, i, force) < 0) {
      continue;
    }
    // rows of the frame are its axes
    sn_mul_matT_vec3(global, snd_contact_frame(d) + 9 * i, force);
    for (int k = 0; k < 3; k++) {
      web_put_float(&f->contacts, snd_contact_pos(d)[3 * i + k]);
    }
    for (int k = 0; k < 3; k++) {
      web_put_float(&f->contacts, global[k]);
    }
    n++;
  }
  return n;
}

typedef struct segments {
  web_bytes *out;
  int32_t tendon;
  uint32_t n;
} segments;

static void add_segment(void *context, const double *from, const double *to) {
  segments *s = context;
  web_put_float(s->out, s->tendon);
  for (int i = 0; i < 6; i++) {
    web_put_float(s->out, i < 3 ? from[i] : to[i - 3]);
  }
  s->n++;
}

static uint32_t add_segments(web_frames *f, const sn_model *m, sn_data *d) {
  segments s = { .out = &f->segments };
  for (; s.tendon < snm_ntendon(m); s.tendon++) {
    sn_scene_trace_tendon(m, d, s.tendon, add_segment, &s);
  }
  return s.n;
}

// ------------------------------------------------------------------ frames

void web_frames_add(web_frames *f, const sn_model *m, sn_data *d) {
  web_put_float(&f->rows, snd_time(d)[0]);
  web_put_float(&f->rows, snd_energy(d)[0]);
  web_put_float(&f->rows, snd_energy(d)[1]);
  for (int64_t i = 0; i < snm_nsensordata(m); i++) {
    web_put_float(&f->rows, snd_sensordata(d)[i]);
  }
  for (int64_t i = 0; i < snm_nu(m); i++) {
    web_put_float(&f->rows, snd_ctrl(d)[i]);
  }
  for (int32_t i = 0; i < snm_nbody(m); i++) {
    add_node(f, m, d, SN_OBJECT_BODY, i);
  }
  for (int32_t i = 0; i < snm_ncam(m); i++) {
    add_node(f, m, d, SN_OBJECT_CAMERA, i);
  }
  for (int32_t i = 0; i < snm_nlight(m); i++) {
    add_node(f, m, d, SN_OBJECT_LIGHT, i);
  }
  const uint32_t ncontact = add_contacts(f, m, d), nsegment = add_segments(f, m, d);
  web_put_word(&f->counts, ncontact);
  web_put_word(&f->counts, nsegment);
  f->ncontact += ncontact;
  f->nsegment += nsegment;
  f->n++;
}

void web_frames_take(web_frames *f, const sn_model *m, web_bytes *chunk) {
  web_bytes *parts[] = { &f->rows,     &f->positions, &f->counts,
                         &f->contacts, &f->segments,  &f->rotations };
  web_put_word(chunk, (uint32_t)f->n);
  web_put_word(chunk, (uint32_t)(3 + snm_nsensordata(m) + snm_nu(m)));
  web_put_word(chunk, (uint32_t)count_nodes(m));
  web_put_word(chunk, (uint32_t)f->ncontact);
  web_put_word(chunk, (uint32_t)f->nsegment);
  web_put_word(chunk, 0);
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
    web_put(chunk, parts[i]->p, parts[i]->n);
    chunk->failed |= parts[i]->failed;
    parts[i]->n = 0;
  }
  f->n = f->ncontact = f->nsegment = 0;
}

void web_frames_free(web_frames *f) {
  web_bytes_free(&f->rows);
  web_bytes_free(&f->positions);
  web_bytes_free(&f->counts);
  web_bytes_free(&f->contacts);
  web_bytes_free(&f->segments);
  web_bytes_free(&f->rotations);
}
