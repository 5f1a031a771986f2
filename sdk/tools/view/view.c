// SPDX-License-Identifier: Apache-2.0
//
// sinew view: in a window, see window.c, or with --web in browsers on this machine: simulates a
// model at the speed of the clock, and serves it to them. The simulation has the main thread;
// requests of browsers come from threads of the server and are left in an inbox, which is emptied
// between steps.

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "page_folder.h"
#include "sinew/number.h"
#include "web/server/server.h"
#include "web/web.h"
#include "window.h"

enum { FPS = 60, NOTHING = -2, START = -1 };

typedef struct inbox {
  pthread_mutex_t lock;
  int paused, steps;
  int32_t reset;            // a keyframe, START or NOTHING
  double *ctrl;             // nu; NaN: not changed
  int64_t nu;
} inbox;

typedef struct view {
  const options *o;
  session s;
  sn_data *shown;           // what browsers see: evaluated apart, so the run does not depend on it
  double *state;
  inbox in;
  web_frames frames;
  web_bytes chunk;
  void *object;             // the shared object of the server
  const web_server_table *table;
  web_server *server;
  char *page;
  size_t npage;
} view;

// ------------------------------------------------------------------ requests

// Values that are not valid are ignored: they come from a page that knows the model.
static void act(void *context, const web_action *a) {
  inbox *in = context;
  double index, value;
  pthread_mutex_lock(&in->lock);
  if (a->pause) {
    in->paused = !in->paused;
  }
  if (a->step) {
    in->paused = 1;
    in->steps++;
  }
  if (a->reset && strcmp(a->reset, "start") == 0) {
    in->reset = START;
  } else if (a->reset && !*sn_read_number(a->reset, &index) && index >= 0 && index < INT32_MAX) {
    in->reset = (int32_t)index;
  }
  if (a->ctrl && a->value && !*sn_read_number(a->ctrl, &index) && index >= 0 &&
      index < (double)in->nu && !*sn_read_number(a->value, &value) && isfinite(value)) {
    in->ctrl[(int64_t)index] = value;
  }
  pthread_mutex_unlock(&in->lock);
}

// Takes what has come, between two steps. Returns whether the simulation runs; *steps: single ones.
static int take_requests(view *v, int *steps) {
  inbox *in = &v->in;
  pthread_mutex_lock(&in->lock);
  const int runs = !in->paused;
  const int32_t reset = in->reset;
  *steps = in->steps;
  in->steps = 0;
  in->reset = NOTHING;
  if (reset == START || (reset >= 0 && sn_reset_key(v->s.model, v->s.data, reset) < 0)) {
    session_start(&v->s);
  }
  for (int64_t i = 0; i < in->nu; i++) {
    if (!isnan(in->ctrl[i])) {
      snd_ctrl(v->s.data)[i] = in->ctrl[i];
      in->ctrl[i] = NAN;
    }
  }
  pthread_mutex_unlock(&in->lock);
  return runs;
}

// ------------------------------------------------------------------ the simulation

static int step(view *v) {
  const sn_status status = sn_step(v->s.model, v->s.data);
  return status < 0 && status != SN_EDIVERGED ? report_data(v->o, v->s.data, status) : DONE;
}

static int show(view *v) {
  const sn_model *m = v->s.model;
  sn_state_get(m, v->s.data, SN_STATE_INTEGRATION, v->state);
  sn_state_set(m, v->shown, SN_STATE_INTEGRATION, v->state);
  sn_status status = sn_forward(m, v->shown);
  status = status < 0 ? status : sn_compute_energy(m, v->shown);
  if (status < 0 && status != SN_EDIVERGED) {
    return report_data(v->o, v->shown, status);
  }
  v->chunk.n = 0;
  web_frames_add(&v->frames, m, v->shown);
  web_frames_take(&v->frames, m, &v->chunk);
  if (v->chunk.failed) {
    return report_text(v->o, NULL, 0, 0, "out of memory for a frame");
  }
  v->table->show(v->server, v->chunk.p, v->chunk.n);
  return DONE;
}

static void wait_until(double time) {
  const double left = time - wall_clock();
  if (left > 0) {
    const struct timespec t = { .tv_nsec = (long)(1e9 * fmin(left, 0.5)) };
    nanosleep(&t, NULL);
  }
}

// A frame: the steps up to it, as far as there is time for them, the image, and the wait.
static int run_frame(view *v, double *clock, double *frame) {
  const double h = model_options(v->s.model).timestep;
  int single, status = DONE;
  const int runs = take_requests(v, &single);
  *frame += 1.0 / FPS;
  for (; single > 0 && status == DONE; single--) {
    status = step(v);
  }
  *clock = runs ? *clock + 1.0 / FPS : 0;
  while (runs && *clock >= h && wall_clock() < *frame && status == DONE) {
    status = step(v);
    *clock -= h;
  }
  *clock = fmin(*clock, 2.0 / FPS + h);   // a model that is slower than the clock falls behind
  status = status == DONE ? show(v) : status;
  wait_until(*frame);
  *frame = fmax(*frame, wall_clock() - 1.0 / FPS);
  return status;
}

static int simulate_live(view *v) {
  double clock = 0, frame = wall_clock();
  int status = DONE;
  signals_catch();
  while (status == DONE && !signals_came() &&
         (v->o->time < 0 || snd_time(v->s.data)[0] < v->o->time)) {
    status = run_frame(v, &clock, &frame);
  }
  return status;
}

// ------------------------------------------------------------------ opening

static int load_server(view *v) {
  static const char *const places[] = { "web/server.so", SINEW_WEB_SERVER };
  char path[PATH_MAX];
  for (size_t i = 0; i < sizeof places / sizeof places[0] && !v->object; i++) {
    if (beside_program(path, sizeof path, places[i])) {
      v->object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    }
  }
  v->table = v->object ? dlsym(v->object, "sinew_web_server") : NULL;
  return v->table && v->table->size == sizeof *v->table
             ? DONE
             : report_text(v->o, NULL, 0, 0,
                           "the web server cannot be loaded; install libmicrohttpd-dev before "
                           "Sinew is built, and libmicrohttpd12 where it runs: %s",
                           v->object ? "its version differs" : dlerror());
}

static sn_status write_memory(sn_sink *sink, const void *bytes, int64_t n) {
  return fwrite(bytes, 1, (size_t)n, sink->context) == (size_t)n ? SN_OK : SN_EIO;
}

static int make_page(view *v, const char *folder) {
  char message[WEB_MESSAGE];
  FILE *file = open_memstream(&v->page, &v->npage);
  sn_sink sink = { .size = sizeof sink, .context = file, .write = write_memory };
  const char *name = sn_model_name(v->s.model);
  const web_request request = { .title = *name ? name : v->o->operand[0],
                                .live = "./",
                                .fps = FPS };
  sn_status status = file ? SN_OK : SN_ENOMEM;
  message[0] = '\0';
  if (file) {
    sn_forward(v->s.model, v->shown);
    status = web_page(&sink, folder, v->s.model, v->shown, &request, NULL, message);
    status = fclose(file) == 0 ? status : SN_ENOMEM;
  }
  return status < 0 ? report_text(v->o, NULL, 0, 0, "%s",
                                  *message ? message : "out of memory for the page")
                    : DONE;
}

static int start_server(view *v) {
  char token[33] = "", message[256];
  uint8_t random[16];
  if (getrandom(random, sizeof random, 0) != sizeof random) {
    return report_text(v->o, NULL, 0, 0,
                       "the system provides no random numbers for the address: %s",
                       strerror(errno));
  }
  for (size_t i = 0; i < sizeof random; i++) {
    snprintf(token + 2 * i, 3, "%02x", random[i]);
  }
  if (v->o->port > 65535) {
    return usage_error(v->o->command, "--port takes a number up to 65535, not %lld",
                       (long long)v->o->port);
  }
  const web_server_request request = { .port = (int32_t)v->o->port,
                                       .token = token,
                                       .page = v->page,
                                       .npage = (int64_t)v->npage,
                                       .context = &v->in,
                                       .act = act };
  v->server = v->table->start(&request, message, sizeof message);
  if (!v->server) {
    return report_text(v->o, NULL, 0, 0, "%s", message);
  }
  printf("http://127.0.0.1:%d/%s/\n", v->table->port(v->server), token);
  fflush(stdout);
  note(v->o, "open this address in a browser on this machine; Ctrl-C ends the simulation");
  return DONE;
}

static int open_view(view *v) {
  const sn_model *m = v->s.model;
  v->in.nu = snm_nu(m);
  v->in.reset = NOTHING;
  v->in.ctrl = malloc((size_t)(v->in.nu + 1) * sizeof *v->in.ctrl);
  v->state = malloc((size_t)sn_state_size(m, SN_STATE_INTEGRATION) * sizeof *v->state);
  v->shown = sn_data_new(m, v->s.error);
  if (!v->in.ctrl || !v->state || !v->shown) {
    return report(v->o, v->shown ? NULL : v->s.error);
  }
  for (int64_t i = 0; i < v->in.nu; i++) {
    v->in.ctrl[i] = NAN;
  }
  return DONE;
}

static void close_view(view *v) {
  if (v->server) {
    v->table->stop(v->server);
  }
  if (v->object) {
    dlclose(v->object);
  }
  pthread_mutex_destroy(&v->in.lock);
  web_frames_free(&v->frames);
  web_bytes_free(&v->chunk);
  free(v->in.ctrl);
  free(v->state);
  free(v->page);
  sn_data_free(v->shown);
  session_close(&v->s);
}

static int view_run(const options *o) {
  char folder[PATH_MAX];
  view v = { .o = o, .s = { .o = o } };
  if (!o->web) {
    return o->port ? usage_error(o->command, "--port needs --web") : view_in_window(o);
  }
  pthread_mutex_init(&v.in.lock, NULL);
  int status = page_folder(o, folder);
  status = status == DONE ? load_server(&v) : status;
  status = status == DONE ? session_open(&v.s, o) : status;
  status = status == DONE ? session_load(&v.s, o->operand[0]) : status;
  status = status == DONE ? session_start(&v.s) : status;
  status = status == DONE ? input_apply(&v.s, o->input, NULL, NULL) : status;
  status = status == DONE ? open_view(&v) : status;
  status = status == DONE ? make_page(&v, folder) : status;
  status = status == DONE ? start_server(&v) : status;
  status = status == DONE ? simulate_live(&v) : status;
  close_view(&v);
  return signals_status(status);
}

const command view_command = {
  .name = "view",
  .operands = "MODEL",
  .summary = "simulates a model and shows it in a window, or in a browser, while it runs",
  .accepts = "web port time key input check-plugins strict",
  .story =
      "Opens a window: pause, step, reset, keyframes, sliders of controls and joints, bodies that\n"
      "are pulled with the mouse; solver, integrator, colliders and profile chosen from lists. F1\n"
      "lists the keys, and docs/viewing.md describes the window. It needs a display.\n"
      "\n"
      "--web prints an address of this machine with a secret token, which a browser opens: pause,\n"
      "step, reset, keyframes, a slider for each control, and all that the page of `sinew share`\n"
      "shows. Only programs of this machine that know the address reach it. The simulation keeps\n"
      "to the clock, or falls behind it if the model is too slow. It ends after --time seconds of\n"
      "simulated time, or with Ctrl-C.\n",
  .examples = "sinew view arm --web --time 0.2\n"
              "sinew view figure --web --time 0.2 --set solver=cg\n",
  .min = 1,
  .max = 1,
  .takes_model = 1,
  .run = view_run,
};
