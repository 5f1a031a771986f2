// SPDX-License-Identifier: Apache-2.0
//
// Puts the page together; see web.h. Its frame is page/index.html, in which {{NAME}} stands for a
// part: a file of the folder, or what belongs to the run.

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "web.h"

typedef struct parts {
  const char *folder;
  const sn_model *m;
  sn_data *d;
  const web_request *request;
  web_frames *frames;
  sn_sink *sink;
  char *message;
} parts;

__attribute__((format(printf, 3, 4))) static sn_status fail(const parts *p, sn_status status,
                                                            const char *format, ...) {
  va_list list;
  va_start(list, format);
  vsnprintf(p->message, WEB_MESSAGE, format, list);
  va_end(list);
  return status;
}

static sn_status put(const parts *p, const char *text, int64_t n) {
  return p->sink->write(p->sink, text, n);
}

// ------------------------------------------------------------------ parts

static char *read_part(const parts *p, const char *name) {
  char path[4096];
  web_bytes b = { 0 };
  char buffer[1 << 14];
  snprintf(path, sizeof path, "%s/%s", p->folder, name);
  FILE *file = fopen(path, "rb");
  if (!file) {
    fail(p, SN_EIO, "%s: a part of the page cannot be read: %s", path, strerror(errno));
    return NULL;
  }
  for (size_t n; (n = fread(buffer, 1, sizeof buffer, file)) > 0;) {
    web_put(&b, buffer, (int64_t)n);
  }
  fclose(file);
  web_put(&b, "", 1);
  if (b.failed) {
    fail(p, SN_ENOMEM, "out of memory for %s", path);
    web_bytes_free(&b);
  }
  return (char *)b.p;
}

static sn_status put_file(const parts *p, const char *name) {
  char *text = read_part(p, name);
  const sn_status status = text ? put(p, text, (int64_t)strlen(text)) : SN_EIO;
  free(text);
  return status;
}

// A text in HTML, or of JSON in a script, where a tag must not end it.
static sn_status put_escaped(const parts *p, const char *text, const char *special,
                             const char *const *instead) {
  sn_status status = SN_OK;
  while (*text && status >= 0) {
    const size_t n = strcspn(text, special);
    status = put(p, text, (int64_t)n);
    text += n;
    if (*text && status >= 0) {
      const char *escape = instead[strchr(special, *text++) - special];
      status = put(p, escape, (int64_t)strlen(escape));
    }
  }
  return status;
}

static sn_status put_title(const parts *p) {
  static const char *const entities[] = { "&amp;", "&lt;", "&gt;" };
  return put_escaped(p, p->request->title, "&<>", entities);
}

static sn_status put_model(const parts *p) {
  static const char *const escapes[] = { "\\u003c" };
  char *text = NULL;
  size_t size;
  FILE *file = open_memstream(&text, &size);
  int ok = file && web_model(file, p->m, p->d, p->request);
  ok = file && fclose(file) == 0 && ok;
  const sn_status status = ok ? put_escaped(p, text, "<", escapes)
                              : fail(p, SN_ENOMEM, "out of memory for the page");
  free(text);
  return status;
}

static sn_status put_frames(const parts *p) {
  web_bytes chunk = { 0 };
  if (!p->frames) {
    return SN_OK;
  }
  web_frames_take(p->frames, p->m, &chunk);
  char *text = chunk.failed ? NULL : web_base64(chunk.p, chunk.n);
  const sn_status status = text ? put(p, text, (int64_t)strlen(text))
                                : fail(p, SN_ENOMEM, "out of memory for the frames of the page");
  web_bytes_free(&chunk);
  free(text);
  return status;
}

// ------------------------------------------------------------------ the page

static sn_status put_part(const parts *p, const char *name, size_t n) {
  static const struct {
    const char *name, *file;
    sn_status (*put)(const parts *p);
  } all[] = {
    { "title", NULL, put_title },         { "model", NULL, put_model },
    { "frames", NULL, put_frames },       { "style", "page/style.css", NULL },
    { "three", "three.min.js", NULL },    { "shapes", "page/shapes.js", NULL },
    { "scene", "page/scene.js", NULL },   { "camera", "page/camera.js", NULL },
    { "charts", "page/charts.js", NULL }, { "live", "page/live.js", NULL },
    { "player", "page/player.js", NULL },
  };
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    if (strlen(all[i].name) == n && strncmp(all[i].name, name, n) == 0) {
      return all[i].put ? all[i].put(p) : put_file(p, all[i].file);
    }
  }
  return fail(p, SN_EIO, "%s/page/index.html has a part that this version does not know: %.*s",
              p->folder, (int)n, name);
}

sn_status web_page(sn_sink *sink, const char *folder, const sn_model *m, sn_data *d,
                   const web_request *request, web_frames *frames, char message[WEB_MESSAGE]) {
  const parts p = { .folder = folder,
                    .m = m,
                    .d = d,
                    .request = request,
                    .frames = frames,
                    .sink = sink,
                    .message = message };
  message[0] = '\0';
  char *frame = read_part(&p, "page/index.html");
  const char *at = frame;
  sn_status status = frame ? SN_OK : SN_EIO;
  while (frame && status >= 0 && *at) {
    const char *open = strstr(at, "{{"), *close = open ? strstr(open, "}}") : NULL;
    status = put(&p, at, close ? open - at : (int64_t)strlen(at));
    if (status >= 0 && close) {
      status = put_part(&p, open + 2, (size_t)(close - open - 2));
    }
    at = close ? close + 2 : "";
  }
  free(frame);
  return status;
}
