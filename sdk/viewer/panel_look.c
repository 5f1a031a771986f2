// SPDX-License-Identifier: Apache-2.0
//
// Numbers: of what is selected, of the contacts, and of fields that are watched by name.

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "parts.h"

enum { MOST_CONTACTS = 200, MOST_ROWS = 40, MOST_COLUMNS = 9 };

// ------------------------------------------------------------------ the selection

static const char *geom_type_name(int32_t type) {
  static const char *const names[] = { "plane",    "height field", "sphere", "capsule", "ellipsoid",
                                       "cylinder", "box",          "mesh",   "shape" };
  return type >= 0 && type < (int32_t)(sizeof names / sizeof names[0]) ? names[type] : "";
}

static void show_vector(const char *name, const double *x, const char *unit) {
  gui_text("%s  %.4g  %.4g  %.4g %s", name, x[0], x[1], x[2], unit);
}

static void show_joints_of(const sn_viewer *v, int32_t body) {
  char name[64];
  for (int32_t i = 0; i < snm_njnt(v->m); i++) {
    if (snm_jnt_bodyid(v->m)[i] == body) {
      const int32_t type = snm_jnt_type(v->m)[i];
      viewer_label(v->m, "joint", i, name, sizeof name);
      if (type == SN_JOINT_HINGE || type == SN_JOINT_SLIDE) {
        gui_text("joint %s  %.4g, velocity %.4g", name, snd_qpos(v->d)[snm_jnt_qposadr(v->m)[i]],
                 snd_qvel(v->d)[snm_jnt_dofadr(v->m)[i]]);
      } else {
        gui_text("joint %s  %s", name, type == SN_JOINT_FREE ? "free" : "ball");
      }
    }
  }
}

static void show_body(sn_viewer *v, int32_t body) {
  char name[64];
  const int64_t b = body;
  gui_text("body %s (%d)", viewer_label(v->m, "body", body, name, sizeof name), body);
  if (v->image.pull.geom >= 0) {
    const int32_t geom = v->image.pull.geom;
    gui_text("geom %s (%d), %s", viewer_label(v->m, "geom", geom, name, sizeof name), geom,
             geom_type_name(snm_geom_type(v->m)[geom]));
  }
  gui_text("parent %s",
           viewer_label(v->m, "body", snm_body_parentid(v->m)[body], name, sizeof name));
  gui_text("mass  %.4g kg", snm_body_mass(v->m)[body]);
  show_vector("inertia", snm_body_inertia(v->m) + 3 * b, "kg m^2");
  show_vector("position", snd_xpos(v->d) + 3 * b, "m");
  const double *q = snd_xquat(v->d) + 4 * b;
  gui_text("quaternion  %.3f  %.3f  %.3f  %.3f", q[0], q[1], q[2], q[3]);
  show_vector("angular velocity", snd_cvel(v->d) + 6 * b, "rad/s");
  show_vector("applied force", snd_xfrc_applied(v->d) + 6 * b, "N");
  show_joints_of(v, body);
}

void panel_selection(sn_viewer *v) {
  const int32_t body = v->image.pull.body;
  if (!gui_section("selection", 1)) {
    return;
  }
  if (body >= 0 && (body > 0 || v->image.pull.geom >= 0)) {
    show_body(v, body);
    if (gui_button("follow")) {
      v->image.camera.mode = body > 0 ? SN_CAMERA_TRACK : SN_CAMERA_FREE;
      v->image.camera.body = body;
    }
    gui_same_line();
    if (gui_button("none")) {
      mouse_select(v, 0, -1);
    }
  } else {
    gui_dim("double-click on a body");
  }
  gui_section_end();
}

// ------------------------------------------------------------------ contacts

void panel_contacts(sn_viewer *v) {
  static const char *const heads[] = { "geom 1", "geom 2", "dist, mm", "force, N" };
  const int64_t n = snd_ncon(v->d);
  char a[64], b[64], row[160];
  double force[6];
  if (!gui_section("contacts", 0)) {
    return;
  }
  gui_text("%lld", (long long)n);
  if (n > 0 && gui_table("contacts", 4, heads, 9 * gui_line(v->gui))) {
    for (int64_t i = 0; i < n && i < MOST_CONTACTS; i++) {
      const int32_t g1 = snd_contact_geom1(v->d)[i], g2 = snd_contact_geom2(v->d)[i];
      viewer_label(v->m, "geom", g1, a, sizeof a);
      sn_contact_force(v->m, v->d, i, force);
      gui_next_cell();
      snprintf(row, sizeof row, "%s##%lld", a, (long long)i);
      if (gui_row(row, v->image.pull.geom == g1)) {
        mouse_select(v, snm_geom_bodyid(v->m)[g1], g1);
      }
      gui_cell("%s", viewer_label(v->m, "geom", g2, b, sizeof b));
      gui_cell("%.3f", 1000 * snd_contact_dist(v->d)[i]);
      gui_cell("%.4g", sqrt(force[0] * force[0] + force[1] * force[1] + force[2] * force[2]));
    }
    gui_table_end();
  }
  gui_section_end();
}

// ------------------------------------------------------------------ fields by name

static int find_field(sn_viewer *v, const char *name, sn_view *view) {
  *view = (sn_view){ .size = sizeof *view };
  return sn_data_field(v->m, v->d, name, view) >= 0 || sn_model_field(v->m, name, view) >= 0;
}

static void show_number(const sn_view *f, int64_t i) {
  if (f->type == SN_REAL) {
    gui_cell("%.5g", ((const double *)f->p)[i]);
  } else if (f->type == SN_INT) {
    gui_cell("%d", ((const int32_t *)f->p)[i]);
  } else {
    gui_cell("%d", ((const uint8_t *)f->p)[i]);
  }
}

static void show_field(const sn_view *f) {
  const int columns = f->cols < MOST_COLUMNS ? (int)f->cols : MOST_COLUMNS;
  gui_dim("%lld x %lld%s%s%s", (long long)f->rows, (long long)f->cols, *f->unit ? ", " : "",
          f->unit, f->rows > MOST_ROWS || f->cols > MOST_COLUMNS ? ", the first of them" : "");
  gui_tooltip(f->meaning);
  if (f->p && columns > 0 && gui_table(f->name, columns + 1, NULL, 0)) {
    for (int64_t i = 0; i < f->rows && i < MOST_ROWS; i++) {
      gui_cell("%lld", (long long)i);
      for (int64_t k = 0; k < columns; k++) {
        show_number(f, i * f->cols + k);
      }
    }
    gui_table_end();
  }
}

// Fields whose names begin as what is typed.
static void offer_fields(sn_viewer *v) {
  sn_view f = { .size = sizeof f };
  const size_t n = strlen(v->entry);
  int shown = 0;
  for (int64_t i = 0; n > 0 && shown < 8 && sn_data_field_at(v->m, v->d, i, &f); i++) {
    shown += strncmp(f.name, v->entry, n) == 0;
    if (strncmp(f.name, v->entry, n) == 0 && gui_row(f.name, 0)) {
      snprintf(v->watched[v->nwatched < MAX_WATCHED ? v->nwatched++ : MAX_WATCHED - 1],
               sizeof v->watched[0], "%s", f.name);
      v->entry[0] = '\0';
    }
  }
}

void panel_watch(sn_viewer *v) {
  char label[64];
  sn_view f;
  if (!gui_section("watch", 0)) {
    return;
  }
  if (gui_entry("##name", "a field, such as qpos", v->entry, sizeof v->entry)) {
    if (!find_field(v, v->entry, &f)) {
      viewer_complain(v, "there is no field '%s'; `sinew fields` lists all", v->entry);
    } else if (v->nwatched < MAX_WATCHED) {
      snprintf(v->watched[v->nwatched++], sizeof v->watched[0], "%s", f.name);
      v->entry[0] = '\0';
    }
  }
  offer_fields(v);
  for (int i = 0; i < v->nwatched; i++) {
    snprintf(label, sizeof label, "x##%d", i);
    const int gone = gui_button(label);
    gui_same_line();
    gui_text("%s", v->watched[i]);
    if (find_field(v, v->watched[i], &f)) {
      show_field(&f);
    } else {
      gui_dim("this model has no such field");
    }
    if (gone) {
      memmove(v->watched[i], v->watched[i + 1],
              sizeof v->watched[0] * (size_t)(MAX_WATCHED - 1 - i));
      v->nwatched--;
      i--;
    }
  }
  gui_section_end();
}
