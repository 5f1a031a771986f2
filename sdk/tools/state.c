// SPDX-License-Identifier: Apache-2.0
//
// sinew state: evaluates the dynamics at one state, or after steps, and shows the result. As
// text: a summary, or the arrays asked for. As JSON: everything.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fields.h"
#include "runs/simulate.h"

// ------------------------------------------------------------------ dense matrices

typedef void full_matrix(const sn_model *m, const sn_data *d, double *out);

// fields that are stored sparsely and shown in full, with their rows
static const struct {
  const char *field, *rows;
  full_matrix *make;
} matrices[] = {
  { "qM", "nv", sn_full_inertia },
  { "ten_J", "ntendon", sn_full_tendon_jacobian },
  { "actuator_moment", "nu", sn_full_actuator_moment },
  { "efc_J", "nefc", sn_full_constraint_jacobian },
};
enum { NMATRICES = sizeof matrices / sizeof matrices[0] };

// Replaces the view of such a field by a full matrix, in memory to be freed: NULL when the field is
// none, or has no numbers. large: set when it has too many.
static double *make_full(const session *s, sn_view *view, int *large) {
  for (int i = 0; i < NMATRICES; i++) {
    if (strcmp(view->name, matrices[i].field) != 0) {
      continue;
    }
    int64_t n = sn_size(s->model, matrices[i].rows), nv = snm_nv(s->model);
    n = n < 0 ? sn_count(s->data, matrices[i].rows) : n;
    view->rows = n;
    view->cols = nv;
    *large = n * nv > LARGEST_ARRAY;
    double *full = *large || n * nv == 0 ? NULL : calloc((size_t)(n * nv), sizeof(double));
    if (full) {
      matrices[i].make(s->model, s->data, full);
    }
    view->p = full;
    return full;
  }
  return NULL;
}

// the points of tendon paths are rows of two elements: show them flat, one element after another
static void flatten_path(sn_view *view) {
  if (strcmp(view->name, "wrap_obj") == 0 || strcmp(view->name, "wrap_xpos") == 0) {
    view->rows *= view->cols;
    view->cols = 1;
  }
}

// --inverse, or the field is asked for.
static int wants_inverse(const options *o) {
  return o->inverse || (o->noperand > 1 && wanted(o, 1, "qfrc_inverse"));
}

// ------------------------------------------------------------------ JSON

static void print_contacts(json *j, const session *s) {
  const sn_model *m = s->model;
  sn_data *d = s->data;
  json_list(j, "contact");
  for (int64_t i = 0; i < snd_ncon(d); i++) {
    double force[6] = { 0 };
    sn_contact_force(m, d, i, force);
    json_object(j, NULL);
    json_integer(j, "geom1", snd_contact_geom1(d)[i]);
    json_integer(j, "geom2", snd_contact_geom2(d)[i]);
    json_integer(j, "dim", snd_contact_dim(d)[i]);
    json_integer(j, "feature", snd_contact_feature(d)[i]);
    json_integer(j, "exclude", snd_contact_exclude(d)[i]);
    json_integer(j, "efc_address", snd_contact_efc_address(d)[i]);
    json_real(j, "dist", snd_contact_dist(d)[i]);
    json_vector(j, "pos", snd_contact_pos(d) + 3 * i, 3);
    json_vector(j, "frame", snd_contact_frame(d) + 9 * i, 9);
    json_real(j, "includemargin", snd_contact_includemargin(d)[i]);
    json_vector(j, "friction", snd_contact_friction(d) + 5 * i, 5);
    json_vector(j, "solref", snd_contact_solref(d) + 2 * i, 2);
    json_vector(j, "solimp", snd_contact_solimp(d) + 5 * i, 5);
    json_real(j, "mu", snd_contact_mu(d)[i]);
    json_vector(j, "force", force, 6);
    json_end(j);
  }
  json_end(j);
}

static int print_json(const session *s) {
  const int inverse = wants_inverse(s->o);
  json j;
  json_start(&j, stdout);
  json_bool(&j, "ok", 1);
  json_bool(&j, "interrupted", signals_came());
#define PRINT_COUNT(name, stage, meaning) json_integer(&j, #name, snd_##name(s->data));
  SN_DATA_COUNTS(PRINT_COUNT)
#undef PRINT_COUNT
  sn_view view = { .size = sizeof view };
  for (int64_t i = 0; sn_data_field_at(s->model, s->data, i, &view); i++) {
    if (!wanted(s->o, 1, view.name) || (!inverse && strcmp(view.name, "qfrc_inverse") == 0)) {
      continue;
    }
    int large = 0;
    double *full = make_full(s, &view, &large);
    flatten_path(&view);
    if (!large) {
      field_json(&j, &view);
    }
    free(full);
  }
  if (wanted(s->o, 1, "contact")) {
    print_contacts(&j, s);
  }
  counts_json(&j, s->data);
  loading_json(&j, "load_", s->model);
  return json_finish(&j) ? DONE : FAILED;
}

// ------------------------------------------------------------------ text

// Velocity, acceleration and forces of the degrees of freedom.
static void print_dofs(const session *s) {
  static const char *const names[] = {
    "qvel",          "qacc",         "qfrc_bias",       "qfrc_passive",
    "qfrc_actuator", "qfrc_applied", "qfrc_constraint", "qfrc_inverse"
  };
  const int n = (int)(sizeof names / sizeof names[0]) - !s->o->inverse;
  const sn_model *m = s->model;
  printf("dofs                  ");
  for (int k = 0; k < n; k++) {
    printf(" %10s", names[k] + (strncmp(names[k], "qfrc_", 5) == 0 ? 5 : 0));
  }
  putchar('\n');
  for (int32_t i = 0; i < snm_nv(m); i++) {
    const int32_t j = snm_dof_jntid(m)[i];
    printf("  %4d  %-14s", i, sn_name(m, "joint", j));
    for (int k = 0; k < n; k++) {
      sn_view view = { .size = sizeof view };
      sn_data_field(m, s->data, names[k], &view);
      printf(" %10.4g", ((const double *)view.p)[i]);
    }
    putchar('\n');
  }
}

static void print_joints(const session *s) {
  const sn_model *m = s->model;
  printf("joints                    qpos ...\n");
  for (int32_t j = 0; j < snm_njnt(m); j++) {
    const char *name = sn_name(m, "joint", j);
    int32_t type = snm_jnt_type(m)[j], adr = snm_jnt_qposadr(m)[j];
    printf("  %4d  %-16s", j, name);
    for (int k = 0; k < sn_joint_positions(type); k++) {
      printf(" %10.5g", snd_qpos(s->data)[adr + k]);
    }
    putchar('\n');
  }
}

static void print_contact_lines(const session *s) {
  const sn_model *m = s->model;
  sn_data *d = s->data;
  for (int64_t i = 0; i < snd_ncon(d); i++) {
    double force[6] = { 0 };
    int32_t g1 = snd_contact_geom1(d)[i], g2 = snd_contact_geom2(d)[i];
    const double *p = snd_contact_pos(d) + 3 * i;
    sn_contact_force(m, d, i, force);
    const char *name1 = sn_name(m, "geom", g1), *name2 = sn_name(m, "geom", g2);
    printf("  geoms %d%s%s and %d%s%s: distance %.4g at %.4g %.4g %.4g, normal force %.5g\n", g1,
           *name1 ? " " : "", name1, g2, *name2 ? " " : "", name2, snd_contact_dist(d)[i], p[0],
           p[1], p[2], force[0]);
  }
}

// Those counts among the operands.
static void print_counts(const session *s) {
#define PRINT_COUNT(name, stage, meaning)                                   \
  if (wanted(s->o, 1, #name)) {                                             \
    printf(#name "  %lld  " meaning "\n", (long long)snd_##name(s->data)); \
  }
  SN_DATA_COUNTS(PRINT_COUNT)
#undef PRINT_COUNT
}

static int print_text(const session *s) {
  sn_data *d = s->data;
  sn_view view = { .size = sizeof view };
  if (s->o->noperand > 1) {
    print_counts(s);
    if (wanted(s->o, 1, "contact")) {
      print_contact_lines(s);
    }
    for (int64_t i = 0; sn_data_field_at(s->model, d, i, &view); i++) {
      if (wanted(s->o, 1, view.name)) {
        int large = 0;
        double *full = make_full(s, &view, &large);
        if (!large) {
          field_text(&view);
        }
        free(full);
      }
    }
    return DONE;
  }
  printf("time      %g s\n", snd_time(d)[0]);
  printf("energy    %.8g J: potential %.8g, kinetic %.8g\n", snd_energy(d)[0] + snd_energy(d)[1],
         snd_energy(d)[0], snd_energy(d)[1]);
  printf("rows      %lld: %lld equality, %lld friction loss, %lld limit; %lld iterations\n",
         (long long)snd_nefc(d), (long long)snd_ne(d), (long long)snd_nf(d), (long long)snd_nl(d),
         (long long)snd_solver_iter(d));
  print_joints(s);
  print_dofs(s);
  printf("contacts  %lld\n", (long long)snd_ncon(d));
  print_contact_lines(s);
  return DONE;
}

// ------------------------------------------------------------------ evaluation

// the inverse dynamics of a twin, so that everything else stays what the forward dynamics said
static int evaluate_inverse(session *s) {
  size_t bytes = (size_t)snm_nv(s->model) * sizeof(double);
  sn_data *twin = session_twin(s);
  if (!twin) {
    return FAILED;
  }
  memcpy(snd_qacc(twin), snd_qacc(s->data), bytes);
  messages_of_twin(s->engine, s->o);
  sn_status status = sn_inverse(s->model, twin);
  messages_of(s->engine, s->o);
  int result = status < 0 ? report_data(s->o, twin, status) : DONE;
  memcpy(snd_qfrc_inverse(s->data), snd_qfrc_inverse(twin), bytes);
  sn_data_free(twin);
  return result;
}

static int evaluate(session *s) {
  sn_status status = sn_forward(s->model, s->data);
  status = status < 0 ? status : sn_body_forces(s->model, s->data);
  status = status < 0 ? status : sn_subtree_velocities(s->model, s->data);
  status = status < 0 ? status : sn_compute_energy(s->model, s->data);
  if (status < 0) {
    return report_data(s->o, s->data, status);
  }
  return wants_inverse(s->o) ? evaluate_inverse(s) : DONE;
}

// ------------------------------------------------------------------ the subcommand

static int32_t field_at(void *context, int64_t i, sn_view *view) {
  const session *s = context;
  static const char *const others[] = {
#define NAME(name, stage, meaning) #name,
    SN_DATA_COUNTS(NAME)
#undef NAME
        "contact",
  };
  int64_t n = 0;
  sn_view each = { .size = sizeof each };
  if (sn_data_field_at(s->model, s->data, i, view)) {
    return 1;
  }
  while (sn_data_field_at(s->model, s->data, n, &each)) {
    n++;
  }
  view->name = i - n < (int64_t)(sizeof others / sizeof others[0]) ? others[i - n] : NULL;
  return view->name != NULL;
}

// Simulates first, if a time or steps are given.
static int advance(session *s) {
  if (s->o->steps < 0 && s->o->time < 0) {
    return DONE;
  }
  summary sum = { 0 };
  const int status = session_steps(s, -1, -1, &sum.planned);
  return status == DONE ? simulate(s, &sum, &(plan){ 0 }) : status;
}

static int state(const options *o) {
  session s;
  int status = session_open(&s, o);
  status = status == DONE ? session_load(&s, o->operand[0]) : status;
  status = status == DONE ? fields_check(o, 1, field_at, &s) : status;
  status = status == DONE ? session_start(&s) : status;
  status = status == DONE ? input_apply(&s, o->input, NULL, NULL) : status;
  status = status == DONE ? advance(&s) : status;
  status = status == DONE ? evaluate(&s) : status;
  if (status == DONE) {
    status = o->json ? print_json(&s) : print_text(&s);
  }
  session_close(&s);
  return signals_status(status);
}

const command state_command = {
  .name = "state",
  .operands = "MODEL [FIELD]...",
  .summary = "evaluates the dynamics at one state",
  .accepts = "input key time steps inverse check-plugins strict json",
  .story =
      "The state is that of the model, a keyframe or an input, or, with --time or --steps, what\n"
      "the simulation reaches from there. With fields, those arrays and counts are printed. With\n"
      "--json, everything: every array, full matrices, contacts with their forces. `sinew fields`\n"
      "lists the fields.\n",
  .examples = "sinew state stack\n"
              "sinew state stack --time 1 contact\n"
              "echo '{\"qpos\":[0.5]}' | sinew state pendulum --input - qacc qfrc_bias\n",
  .min = 1,
  .max = -1,
  .takes_model = 1,
  .run = state,
};
