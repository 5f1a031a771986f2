// SPDX-License-Identifier: Apache-2.0
//
// sinew share: one web page that replays a run in any browser.

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "page_folder.h"
#include "tools/runs/replay.h"
#include "web/web.h"

static int take_frame(void *context, const sn_model *m, sn_data *d) {
  web_frames_add(context, m, d);
  return DONE;
}

// A name for people: --title, that of the model, or the file without its folder.
static const char *title_of(const options *o, const sn_model *m) {
  const char *slash = strrchr(o->operand[0], '/');
  return o->title            ? o->title
         : *sn_model_name(m) ? sn_model_name(m)
         : slash             ? slash + 1
                             : o->operand[0];
}

static int write_page(replay *p, const char *folder, double fps, web_frames *frames) {
  const options *o = p->o;
  char message[WEB_MESSAGE];
  const web_request request = { .title = title_of(o, p->s.model), .fps = fps };
  sn_output *output = sn_output_open(out_path(o), p->s.error);
  if (!output) {
    return report(o, p->s.error);
  }
  const sn_status status = web_page(sn_output_sink(output), folder, p->s.model, p->shown, &request,
                                    frames, message);
  const sn_status written = sn_output_close(output, status, p->s.error);
  return status < 0 && *message ? report_text(o, NULL, 0, 0, "%s", message)
         : written < 0          ? report(o, p->s.error)
                                : DONE;
}

static int print(const replay *p, int64_t frames, double fps) {
  const options *o = p->o;
  if (o->json) {
    json j;
    json_start(&j, stdout);
    json_bool(&j, "ok", 1);
    json_text(&j, "written", o->out);
    json_integer(&j, "frames", frames);
    json_real(&j, "fps", fps);
    json_bool(&j, "interrupted", signals_came());
    return json_finish(&j) ? DONE : FAILED;
  }
  fprintf(report_stream(o), "written     %s: %lld frame%s, %g a second\n", o->out,
          (long long)frames, frames == 1 ? "" : "s", fps);
  return DONE;
}

static int share_run(const options *o) {
  const double fps = o->fps > 0 ? (double)o->fps : 60;
  char folder[PATH_MAX];
  replay p = { .s = { .o = o } };
  web_frames frames = { 0 };
  if (!o->out) {
    return usage_error(o->command, "--out is missing: the page to write, such as page.html");
  }
  int status = check_extension(o, "out", o->out, ".html or .htm");
  status = status == DONE ? page_folder(o, folder) : status;
  status = status == DONE ? replay_open(&p, o, 10) : status;
  status = status == DONE ? replay_run(&p, fps, &frames, take_frame) : status;
  const int64_t n = frames.n;
  const double rate = status == DONE ? replay_rate(&p, fps) : fps;
  status = status == DONE ? write_page(&p, folder, rate, &frames) : status;
  status = status == DONE ? print(&p, n, rate) : status;
  web_frames_free(&frames);
  replay_close(&p);
  return signals_status(status);
}

const command share_command = {
  .name = "share",
  .operands = "RUN [STATES.csv]",
  .summary = "writes a web page that replays a run",
  .accepts = "time steps key input fps title out check-plugins strict json",
  .story =
      "RUN is a model, which is simulated for 10 s if neither --time nor --steps is given; or the\n"
      "record of a run, which `sinew run --record RUN.json` wrote, and which is made again; or a\n"
      "model with the states that `sinew run --out STATES.csv` wrote.\n"
      "\n"
      "The page is one file that needs no network and no other file. It opens in any browser with\n"
      "WebGL: play, scrub, speed, orbit and follow with the mouse, charts of energy, sensors and\n"
      "controls, contact forces.\n",
  .examples = "sinew share figure --time 2 --out figure.html\n"
              "sinew run arm -q --time 1 --out - | sinew share arm - --fps 30 --out arm.html\n",
  .min = 1,
  .max = 2,
  .takes_model = 1,
  .run = share_run,
};
