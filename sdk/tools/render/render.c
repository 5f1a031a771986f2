// SPDX-License-Identifier: Apache-2.0
//
// sinew render: images without a screen. The state is found as by `sinew state`; a renderer, a
// plugin, draws it.

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "image_file.h"
#include "shown.h"
#include "tools/runs/recorded_run.h"
#include "tools/runs/replay.h"
#include "tools/runs/simulate.h"
#include "video.h"

// ------------------------------------------------------------------ files

// What one file of the command holds.
typedef struct content {
  shown *x;
  sn_status (*write)(const struct content *c, sn_sink *sink, sn_error *error);
  const char *extension;
} content;

static sn_status write_png(const content *c, sn_sink *sink, sn_error *error) {
  (void)error;
  return png_write(sink, c->x->image.rgb, c->x->image.width, c->x->image.height);
}

static sn_status write_depth(const content *c, sn_sink *sink, sn_error *error) {
  (void)error;
  return npy_write(sink, "<f4", c->x->image.depth, c->x->image.width, c->x->image.height);
}

static sn_status write_segment(const content *c, sn_sink *sink, sn_error *error) {
  (void)error;
  return npy_write(sink, "<i4", c->x->image.segment, c->x->image.width, c->x->image.height);
}

static sn_status write_format(const content *c, sn_sink *sink, sn_error *error) {
  const shown *x = c->x;
  return x->ops->write(x->self, x->canvas, x->scene, x->image.width, x->image.height, c->extension,
                       sink, error);
}

static int save(session *s, const char *path, const content *c) {
  sn_output *out = sn_output_open(strcmp(path, "-") == 0 ? "/dev/stdout" : path, s->error);
  if (!out) {
    return report(s->o, s->error);
  }
  sn_status status = c->write(c, sn_output_sink(out), s->error);
  status = sn_output_close(out, status, s->error);
  if (status < 0) {
    return report(s->o, s->error);
  }
  if (strcmp(path, "-") != 0) {
    fprintf(report_stream(s->o), "%s: %d x %d pixels\n", path, c->x->image.width,
            c->x->image.height);
  }
  return DONE;
}

// ------------------------------------------------------------------ images

static int alloc_image(shown *x, int with_rgb) {
  const options *o = x->o;
  const size_t n = (size_t)x->image.width * (size_t)x->image.height;
  x->image.rgb = with_rgb ? calloc(n, 3) : NULL;
  x->image.depth = o->depth ? calloc(n, sizeof(float)) : NULL;
  x->image.segment = o->segment ? calloc(n, sizeof(int32_t)) : NULL;
  if ((with_rgb && !x->image.rgb) || (o->depth && !x->image.depth) ||
      (o->segment && !x->image.segment)) {
    return report_text(o, NULL, 0, 0, "out of memory for an image of %d x %d pixels",
                       x->image.width, x->image.height);
  }
  return DONE;
}

enum { LONGEST_EXTENSION = 32 };

// Does the renderer write files with this extension itself? own: NULL, or the extension as the
// renderer spells it, LONGEST_EXTENSION bytes.
static int writes_format(const sn_renderer_ops *ops, const char *extension, char *own) {
  const char *list = ops->extensions ? ops->extensions : "";
  const size_t n = strlen(extension);
  for (const char *p = list; ops->write && *p; p += strcspn(p, "|"), p += *p == '|') {
    if (strcspn(p, "|") == n && n < LONGEST_EXTENSION && strncasecmp(p, extension, n) == 0) {
      snprintf(own, own ? LONGEST_EXTENSION : 0, "%.*s", (int)n, p);
      return 1;
    }
  }
  return 0;
}

static int draw_file(shown *x, session *s, const char *extension) {
  const content own = { x, write_format, extension };
  if (sn_scene_update(x->scene, s->model, s->data, &x->options, &x->camera, NULL, s->error) < 0) {
    return report(s->o, s->error);
  }
  return save(s, s->o->out, &own);
}

static int draw_images(shown *x, session *s) {
  const content png = { x, write_png, NULL }, depth = { x, write_depth, NULL };
  const content segment = { x, write_segment, NULL };
  char extension[LONGEST_EXTENSION];
  const int own = s->o->out && writes_format(x->ops, extension_of(s->o->out), extension);
  int status = alloc_image(x, s->o->out && !own);
  if (status == DONE && own) {
    status = draw_file(x, s, extension);
  }
  if (status == DONE && (x->image.rgb || x->image.depth || x->image.segment)) {
    status = shown_draw(x, s->model, s->data);
  }
  if (status == DONE && x->image.segment) {
    sn_scene_name_segment(x->scene, x->image.segment, (int64_t)x->image.width * x->image.height);
  }
  status = status == DONE && x->image.rgb ? save(s, s->o->out, &png) : status;
  status = status == DONE && x->image.depth ? save(s, s->o->depth, &depth) : status;
  return status == DONE && x->image.segment ? save(s, s->o->segment, &segment) : status;
}

// ------------------------------------------------------------------ the subcommand

// The steps before an image, and the forward dynamics of its state.
static int advance(session *s) {
  summary sum = { 0 };
  if (s->o->steps > 0 || s->o->time > 0) {
    int status = session_steps(s, -1, -1, &sum.planned);
    status = status == DONE ? simulate(s, &sum, &(plan){ 0 }) : status;
    if (status != DONE) {
      return status;
    }
  }
  const sn_status status = sn_forward(s->model, s->data);
  return status < 0 ? report_data(s->o, s->data, status) : DONE;
}

static int is_same(const char *a, const char *b) {
  return a && b && strcmp(a, b) == 0;
}

static int check_files(const options *o) {
  const int video = is_video(o->out);
  if (!o->out && !o->depth && !o->segment) {
    return usage_error(o->command, "nothing to write: --out, --depth or --segment is missing");
  }
  if (video && (o->depth || o->segment)) {
    return usage_error(o->command, "a video has no --depth and no --segment");
  }
  if (is_same(o->out, o->depth) || is_same(o->out, o->segment) || is_same(o->depth, o->segment)) {
    return usage_error(
        o->command, "--out, --depth and --segment need different files; two are '%s'",
        is_same(o->out, o->depth) || is_same(o->out, o->segment) ? o->out : o->depth);
  }
  const int status = check_extension(o, "depth", o->depth, ".npy");
  return status == DONE ? check_extension(o, "segment", o->segment, ".npy") : status;
}

// The renderer that writes a format; NULL: none.
static const char *renderer_of(const session *s, const char *extension) {
  sn_provider_info info = { .size = sizeof info };
  for (int64_t i = 0; sn_engine_provider(s->engine, i, &info); i++) {
    const void *ops, *self;
    if (strcmp(info.kind, SN_KIND_RENDERER) == 0 &&
        sn_engine_use(s->engine, info.kind, info.name, &ops, &self, NULL) >= 0 &&
        writes_format(ops, extension, NULL)) {
      return info.name;
    }
  }
  return NULL;
}

// Images are PNG files, unless the renderer has a format of that name. Without an extension, as
// for /dev/stdout, they are PNG.
static int check_format(const shown *x, const session *s) {
  const char *extension = extension_of(x->o->out), *own = x->ops->write ? x->ops->extensions : NULL;
  if (!*extension || strcasecmp(extension, ".png") == 0 || writes_format(x->ops, extension, NULL)) {
    return DONE;
  }
  const char *other = renderer_of(s, extension);
  if (other) {
    return usage_error(x->o->command, "'%s' is written by the renderer %s: add --set renderer=%s",
                       extension, other, other);
  }
  return usage_error(
      x->o->command,
      "images cannot be written as '%s'; formats: .png%s%s, and videos: .mp4, .webm, "
      ".mkv, .mov, .gif",
      extension, own && *own ? ", of the renderer: " : "", own ? own : "");
}

static int render_image(const options *o) {
  session s;
  shown x = { 0 };
  int status = session_open(&s, o);
  status = status == DONE ? session_load(&s, o->operand[0]) : status;
  status = status == DONE ? session_start(&s) : status;
  status = status == DONE ? input_apply(&s, o->input, NULL, NULL) : status;
  status = status == DONE ? shown_open(&x, o, &s) : status;
  status = status == DONE ? check_format(&x, &s) : status;
  status = status == DONE ? advance(&s) : status;
  status = status == DONE ? draw_images(&x, &s) : status;
  shown_close(&x);
  session_close(&s);
  return status;
}

// The last state of a recorded run.
typedef struct ending {
  shown x;
  replay p;
} ending;

static int draw_ending(void *context, const sn_model *m, sn_data *d) {
  ending *e = context;
  session s = e->p.s;
  (void)m;
  s.data = d;
  return draw_images(&e->x, &s);
}

static int render_recorded(const options *o) {
  ending e = { 0 };
  int status = replay_open(&e.p, o, -1);
  status = status == DONE ? shown_open(&e.x, o, &e.p.s) : status;
  status = status == DONE ? check_format(&e.x, &e.p.s) : status;
  if (status == DONE) {
    signals_catch();
    status = replay_run(&e.p, 0, &e, draw_ending);
  }
  shown_close(&e.x);
  replay_close(&e.p);
  return status;
}

static int render(const options *o) {
  int status = check_files(o);
  if (status == DONE) {
    const int is_recorded = o->noperand > 1 || recorded_run_is(o->operand[0]);
    status = is_video(o->out) ? video_make(o) : is_recorded ? render_recorded(o) : render_image(o);
  }
  return signals_status(status);
}

const command render_command = {
  .name = "render",
  .operands = "RUN [STATES.csv]",
  .summary = "renders images and videos, without a display",
  .accepts = "camera size out depth segment key input time steps fps show hide label frame groups "
             "strict",
  .story =
      "RUN is one of these: a model; the record of a run that `sinew run --record RUN.json`\n"
      "wrote; or a model followed by STATES.csv, which `sinew run --out` wrote. Of a model, an\n"
      "image shows the initial state, that of --key or --input, or what is reached after --time;\n"
      "a video shows --time seconds. Of a record or of STATES.csv, an image shows the last state.\n"
      "--out is a PNG, a format of the renderer, or a video: .mp4, .webm, .mkv, .mov, .gif, made\n"
      "by ffmpeg.\n"
      "--depth has meters along the viewing axis (NumPy, float32), the far plane where there is\n"
      "no surface. --segment has the id of the geom at each pixel (NumPy, int32), -1 where there\n"
      "is no surface, -2 for anything that is not a geom. --set renderer=NAME selects another\n"
      "renderer.\n"
      "--show and --hide take words, separated by commas. Each word is an option too: --contact\n"
      "or --contacts is --show contact, and --no-contact is --hide contact. docs/rendering.md\n"
      "lists the words, and those of --label and --frame.\n",
  .examples = "sinew render figure -o figure.png\n"
              "sinew render stack --time 1 --contacts --contact-force --no-shadow -o stack.png\n"
              "sinew render figure --time 1 --fps 10 --size 320x240 -o figure.mp4\n"
              "sinew render figure --size 320x240 --depth d.npy --segment s.npy\n",
  .min = 1,
  .max = 2,
  .takes_model = 1,
  .run = render,
};
