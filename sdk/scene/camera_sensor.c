// SPDX-License-Identifier: Apache-2.0
//
// Draws camera sensors. Each thread that draws takes a studio: a scene, a canvas and arrays for the
// pixels; there are as many as threads have drawn at the same time.

#include "sinew/camera_sensor.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "parts.h"

typedef struct studio {
  struct studio *next;
  const sn_model *model;
  sn_scene *scene;
  void *canvas;
  void *pixels;   // of the largest image
} studio;

struct sn_camera_sensors {
  const sn_model *model;
  const sn_renderer_ops *ops;
  const void *self;
  sn_scene_options options;
  size_t pixels;   // of the largest image
  pthread_mutex_t lock;
  studio *idle;
};

// ------------------------------------------------------------------ sensors

// The attribute of a sensor, in lines "key=value"; NULL: it is not set.
static const char *attribute(const sn_model *m, int32_t sensor, const char *key) {
  const size_t n = strlen(key);
  for (const char *line = snm_names(m) + snm_sensor_attradr(m)[sensor]; *line;) {
    if (strncmp(line, key, n) == 0 && line[n] == '=') {
      return line + n + 1;
    }
    line += strcspn(line, "\n");
    line += *line == '\n';
  }
  return NULL;
}

static int is_camera(const sn_model *m, int32_t sensor) {
  return sensor >= 0 && sensor < snm_nsensor(m) &&
         strcmp(snm_names(m) + snm_sensor_typename(m)[sensor], "camera") == 0;
}

int32_t sn_camera_sensor_next(const sn_model *model, int32_t after) {
  for (int32_t i = after + 1; i < snm_nsensor(model); i++) {
    if (is_camera(model, i)) {
      return i;
    }
  }
  return -1;
}

static int has_output(const sn_model *m, int32_t sensor, const char *output) {
  const char *set = attribute(m, sensor, "output");
  return strncmp(set ? set : "rgb", output, strlen(output)) == 0;
}

sn_status sn_camera_sensor_shape(const sn_model *model, int32_t sensor, int32_t *height,
                                 int32_t *width, int32_t *channels) {
  if (!is_camera(model, sensor)) {
    return SN_EINVAL;
  }
  const char *set = attribute(model, sensor, "resolution");
  char *end = (char *)(uintptr_t)(set ? set : "64 48");
  *width = (int32_t)strtod(end, &end);
  *height = (int32_t)strtod(end, &end);
  *channels = has_output(model, sensor, "rgb") ? 3 : 1;
  return SN_OK;
}

// ------------------------------------------------------------------ studios

static void free_studio(const sn_camera_sensors *c, studio *s) {
  if (s->canvas) {
    c->ops->close(c->self, s->canvas);
  }
  sn_scene_free(s->scene);
  free(s->pixels);
  free(s);
}

static studio *new_studio(const sn_camera_sensors *c, const sn_model *m, sn_error *error) {
  studio *s = calloc(1, sizeof *s);
  if (s) {
    s->model = m;
    s->pixels = calloc(c->pixels, sizeof(int32_t));
  }
  if (!s || !s->pixels) {
    free(s);
    scene_fail(c->model, error, SN_ENOMEM, "out of memory for images of camera sensors");
    return NULL;
  }
  s->scene = sn_scene_new(m, error);
  if (!s->scene || c->ops->open(c->self, SN_CANVAS_OFFSCREEN, &s->canvas, error) < 0) {
    free_studio(c, s);
    return NULL;
  }
  return s;
}

static studio *take_studio(sn_camera_sensors *c, const sn_model *m, sn_error *error) {
  pthread_mutex_lock(&c->lock);
  studio **at = &c->idle;
  while (*at && (*at)->model != m) {
    at = &(*at)->next;
  }
  studio *s = *at;
  if (s) {
    *at = s->next;
  }
  pthread_mutex_unlock(&c->lock);
  return s ? s : new_studio(c, m, error);
}

static void put_studio(sn_camera_sensors *c, studio *s) {
  pthread_mutex_lock(&c->lock);
  s->next = c->idle;
  c->idle = s;
  pthread_mutex_unlock(&c->lock);
}

sn_camera_sensors *sn_camera_sensors_new(const sn_model *model, sn_error *error) {
  const void *ops = NULL, *self = NULL;
  if (sn_engine_use(sn_model_engine(model), SN_KIND_RENDERER, NULL, &ops, &self, error) < 0) {
    return NULL;
  }
  if (!((const sn_renderer_ops *)ops)->render) {
    scene_fail(model, error, SN_EUNSUPPORTED,
               "the selected renderer makes no pixels; camera sensors need another one");
    return NULL;
  }
  sn_camera_sensors *c = calloc(1, sizeof *c);
  if (!c) {
    scene_fail(model, error, SN_ENOMEM, "out of memory for camera sensors");
    return NULL;
  }
  *c = (sn_camera_sensors){ .model = model,
                            .ops = ops,
                            .self = self,
                            .options = sn_scene_default_options(),
                            .pixels = 1,
                            .lock = PTHREAD_MUTEX_INITIALIZER };
  for (int32_t i = -1, h, w, n; (i = sn_camera_sensor_next(model, i)) >= 0;) {
    sn_camera_sensor_shape(model, i, &h, &w, &n);
    c->pixels = (size_t)h * (size_t)w > c->pixels ? (size_t)h * (size_t)w : c->pixels;
  }
  c->idle = new_studio(c, model, error);   // tells at once where nothing can be drawn
  if (!c->idle) {
    sn_camera_sensors_free(c);
    return NULL;
  }
  return c;
}

void sn_camera_sensors_free(sn_camera_sensors *cameras) {
  if (!cameras) {
    return;
  }
  for (studio *s = cameras->idle, *next; s; s = next) {
    next = s->next;
    free_studio(cameras, s);
  }
  pthread_mutex_destroy(&cameras->lock);
  free(cameras);
}

// ------------------------------------------------------------------ drawing

// From the arrays of the image to the values of the sensor.
static void write_values(const sn_model *m, int32_t sensor, const sn_scene *scene,
                         const sn_image *image, double *to) {
  const double cutoff = snm_sensor_cutoff(m)[sensor];
  if (image->segment) {
    sn_scene_name_segment(scene, image->segment, snm_sensor_dim(m)[sensor]);
  }
  for (int32_t i = 0; i < snm_sensor_dim(m)[sensor]; i++) {
    const double x = image->rgb     ? image->rgb[i] / 255.0
                     : image->depth ? (double)image->depth[i]
                                    : image->segment[i];
    to[i] = cutoff > 0 ? sn_clamp(x, -cutoff, cutoff) : x;
  }
}

static sn_status draw(const sn_camera_sensors *c, studio *s, sn_data *d, int32_t sensor,
                      sn_error *error) {
  const sn_model *m = s->model;
  sn_scene_camera camera = sn_scene_default_camera(m);
  sn_image image = { .size = sizeof image };
  int32_t channels;
  camera.mode = SN_CAMERA_FIXED;
  camera.camera = snm_sensor_objid(m)[sensor];
  sn_camera_sensor_shape(m, sensor, &image.height, &image.width, &channels);
  if (channels == 3) {
    image.rgb = s->pixels;
  } else if (has_output(m, sensor, "depth")) {
    image.depth = s->pixels;
  } else {
    image.segment = s->pixels;
  }
  SN_TRY(sn_scene_update(s->scene, m, d, &c->options, &camera, NULL, error));
  SN_TRY(c->ops->render(c->self, s->canvas, s->scene, &image, error));
  write_values(m, sensor, s->scene, &image, snd_sensordata(d) + snm_sensor_adr(m)[sensor]);
  return SN_OK;
}

sn_status sn_camera_sensors_draw(sn_camera_sensors *cameras, const sn_model *model, sn_data *data,
                                 int32_t sensor, sn_error *error) {
  if (sensor != -1 && !is_camera(model, sensor)) {
    return scene_fail(model, error, SN_EINVAL, "the sensor is not a camera sensor");
  }
  studio *s = take_studio(cameras, model, error);
  if (!s) {
    return SN_EUNSUPPORTED;
  }
  sn_status status = SN_OK;
  for (int32_t i = sensor < 0 ? sn_camera_sensor_next(model, -1) : sensor; i >= 0 && status >= 0;) {
    status = draw(cameras, s, data, i, error);
    i = sensor < 0 ? sn_camera_sensor_next(model, i) : -1;
  }
  put_studio(cameras, s);
  return status;
}

sn_status sn_camera_sensors_sample(void *cameras, const sn_model *model, sn_data *data,
                                   int64_t rollout, int64_t step) {
  (void)rollout, (void)step;
  return sn_camera_sensors_draw(cameras, model, data, -1, NULL);
}

// ------------------------------------------------------------------ what rollouts record

// Whether the text goes on as a name of a quantity does after a part of it.
static int ends_part(const char *text) {
  return !*text || *text == ':';
}

// text: the name or the number of a sensor, also before a component: "eye", "eye:0", "3".
static int names_sensor(const sn_model *m, int32_t sensor, const char *text) {
  const char *name = sn_name(m, "sensor", sensor);
  const size_t n = strlen(name);
  char *end;
  const long number = strtol(text, &end, 10);
  return (n > 0 && strncmp(text, name, n) == 0 && ends_part(text + n)) ||
         (end > text && number == sensor && ends_part(end));
}

int32_t sn_camera_sensors_recorded(const sn_model *model, const sn_rollout_request *request) {
  static const char field[] = "sensordata";
  const size_t n = sizeof field - 1;
  for (int64_t k = 0; k < request->nrecord; k++) {
    const char *name = request->record[k].name;
    for (int32_t i = -1; (i = sn_camera_sensor_next(model, i)) >= 0;) {
      if (strncmp(name, field, n) == 0 &&
          (!name[n] || (name[n] == ':' && names_sensor(model, i, name + n + 1)))) {
        return 1;
      }
    }
  }
  return 0;
}
