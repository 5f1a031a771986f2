// SPDX-License-Identifier: Apache-2.0
//
// What the Python package needs in C beside the library: a simulation with its owner's flag, so
// that two Python threads cannot use one simulation at the same time, a loop of steps without the
// interpreter, the conformance kit, and the page that shows a simulation in a browser. Included in
// the module that generate.py makes with cffi, which releases the interpreter's lock during every
// call.

#include <stdlib.h>
#include <time.h>

#include "conformance/kit.h"
#include "web/web.h"

// for Python
typedef struct py_simulation {
  const sn_model *model;
  sn_data *data;
  int64_t nwarning;    // warnings that Python has reported
  int64_t done;        // steps that were made, of the latest py_step
  int64_t diverged;    // steps after which the state was reset, since it diverged
  int32_t news;        // 1: warnings that Python has not reported
  void *user;          // what stands for the thread that uses it; NULL: none does
} py_simulation;
enum { PY_BUSY = -100, PY_NESTED = -101, PY_REFRESH = -102 };

// 0: the simulation belongs to the caller until py_leave. PY_BUSY: another thread uses it.
// PY_NESTED: this thread uses it already, in a call that has led to a plugin. PY_REFRESH: its model
// is being refreshed, for which py_enter_refresh has reserved it until py_leave.
int32_t py_enter(py_simulation *s);
int32_t py_enter_refresh(py_simulation *s);
void py_leave(py_simulation *s);
// Makes n steps; ends at the first that fails, and after a tenth of a second, so that Python sees
// signals: then `done` is less than n. SN_OK also after divergences, which are warnings.
sn_status py_step(py_simulation *s, int64_t n);
// One step, the shortest way. 0: nothing to report.
sn_status py_step_one(py_simulation *s);
// Says whether an exception waits that Python code raised in a callback on the calling thread:
// py_step and py_step_one then do not return 0.
void py_set_raised(int raised);
// The number of the rollouts for which the calling thread makes steps; 0: none. py_before_step is
// sn_rollout_request.before_step; its context is the number.
void py_set_request(intptr_t number);
intptr_t py_request(void);
sn_status py_before_step(void *context, const sn_model *model, sn_data *data, int64_t rollout,
                         int64_t step);
// Judges a provider with the conformance kit: the number of requirements that it does not meet.
typedef void py_finding(void *context, const char *requirement, int result, const char *detail);
int py_check(sn_engine *engine, const sn_provider_info *provider, py_finding *report,
             void *context);

// Frames for the page (sdk/web/web.h), and bytes that were made of them.
typedef struct py_page py_page;
py_page *py_page_new(void);   // NULL: no memory
void py_page_free(py_page *p);
// Appends the present state of a simulation, after sn_forward.
sn_status py_page_add(py_page *p, const sn_model *model, sn_data *data);
// All frames as one chunk, for a page that shows a running simulation. *bytes is valid until the
// next call with this page.
sn_status py_page_chunk(py_page *p, const sn_model *model, const uint8_t **bytes, int64_t *n);
// The page, with all frames, or of a running simulation at the address `live`. On failure, message
// is the reason, or empty.
sn_status py_page_write(py_page *p, const char *folder, const sn_model *model, sn_data *data,
                        const char *title, const char *live, double fps, const uint8_t **bytes,
                        int64_t *n, char message[1024]);
// end

static _Thread_local char thread_mark;
static char refresh_mark;

static int32_t enter(py_simulation *s, void *user) {
  void *present = NULL;
  if (__atomic_compare_exchange_n(&s->user, &present, user, 0, __ATOMIC_ACQUIRE,
                                  __ATOMIC_RELAXED)) {
    return 0;
  }
  return present == &thread_mark ? PY_NESTED : present == &refresh_mark ? PY_REFRESH : PY_BUSY;
}

int32_t py_enter(py_simulation *s) {
  return enter(s, &thread_mark);
}

int32_t py_enter_refresh(py_simulation *s) {
  return enter(s, &refresh_mark);
}

void py_leave(py_simulation *s) {
  __atomic_store_n(&s->user, NULL, __ATOMIC_RELEASE);
}

static _Thread_local int py_raised;

void py_set_raised(int raised) {
  py_raised = raised;
}

static _Thread_local intptr_t request_number;

void py_set_request(intptr_t number) {
  request_number = number;
}

intptr_t py_request(void) {
  return request_number;
}

sn_status py_before_step(void *context, const sn_model *model, sn_data *data, int64_t rollout,
                         int64_t step) {
  (void)model, (void)data, (void)rollout, (void)step;
  request_number = (intptr_t)context;
  return SN_OK;
}

sn_status py_step_one(py_simulation *s) {
  const int32_t entered = py_enter(s);
  if (entered < 0) {
    return entered;
  }
  const sn_status status = sn_step(s->model, s->data);
  s->news = py_raised || snd_nwarning(s->data) != s->nwarning;
  s->done = 1;
  s->diverged += status == SN_EDIVERGED;
  py_leave(s);
  return status < 0 ? status : s->news;
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

sn_status py_step(py_simulation *s, int64_t n) {
  if (n < 1) {
    return SN_OK;
  }
  const int32_t entered = py_enter(s);
  if (entered < 0) {
    return entered;
  }
  sn_status status;
  const double end = n > 1 ? seconds() + 0.1 : 0;
  s->done = 0;
  do {
    status = sn_step(s->model, s->data);
    if (status == SN_EDIVERGED) {   // reset, stepped and counted as a warning
      status = SN_OK;
      s->diverged++;
    }
    s->done += status >= 0;
  } while (status >= 0 && !py_raised && s->done < n && seconds() < end);
  s->news = py_raised || snd_nwarning(s->data) != s->nwarning;
  py_leave(s);
  return status < 0 ? status : s->news;
}

int py_check(sn_engine *engine, const sn_provider_info *provider, py_finding *report,
             void *context) {
  return kit_test(engine, provider, report, context);
}

// ------------------------------------------------------------------ pages

struct py_page {
  web_frames frames;
  web_bytes bytes;
};

py_page *py_page_new(void) {
  return calloc(1, sizeof(py_page));
}

void py_page_free(py_page *p) {
  web_frames_free(&p->frames);
  web_bytes_free(&p->bytes);
  free(p);
}

sn_status py_page_add(py_page *p, const sn_model *model, sn_data *data) {
  const sn_status status = sn_compute_energy(model, data);
  web_frames_add(&p->frames, model, data);
  return status;
}

static sn_status bytes_of(const py_page *p, const uint8_t **bytes, int64_t *n) {
  *bytes = p->bytes.p;
  *n = p->bytes.n;
  return p->bytes.failed ? SN_ENOMEM : SN_OK;
}

sn_status py_page_chunk(py_page *p, const sn_model *model, const uint8_t **bytes, int64_t *n) {
  p->bytes.n = 0;
  web_frames_take(&p->frames, model, &p->bytes);
  return bytes_of(p, bytes, n);
}

static sn_status put(sn_sink *sink, const void *bytes, int64_t n) {
  web_put(sink->context, bytes, n);
  return SN_OK;
}

sn_status py_page_write(py_page *p, const char *folder, const sn_model *model, sn_data *data,
                        const char *title, const char *live, double fps, const uint8_t **bytes,
                        int64_t *n, char message[WEB_MESSAGE]) {
  const web_request request = { .title = title, .live = live, .fps = fps };
  sn_sink sink = { .size = sizeof sink, .context = &p->bytes, .write = put };
  p->bytes.n = 0;
  message[0] = '\0';
  const sn_status status = web_page(&sink, folder, model, data, &request, live ? NULL : &p->frames,
                                    message);
  return status < 0 ? status : bytes_of(p, bytes, n);
}
