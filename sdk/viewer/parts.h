// SPDX-License-Identifier: Apache-2.0
//
// The viewer and its parts. One loop (viewer.c) draws frame after frame; between frames as many
// steps are made as the clock needs (clock.c). What the user does comes from window.c, or from a
// test, to input.c, and from there to the panels (gui.h), the keys (keys.c) or the mouse (mouse.c).

#ifndef SINEW_VIEWER_PARTS_H
#define SINEW_VIEWER_PARTS_H

#include <limits.h>
#include <sys/stat.h>

#include "gui.h"
#include "sinew/renderer.h"
#include "sinew/viewer.h"
#include "tools/render/encoder.h"

struct GLFWwindow;

enum { PLOT_LENGTH = 400, MAX_SERIES = 8, MAX_CHOICES = 64, MESSAGE = 2048, MAX_WATCHED = 8 };

// ------------------------------------------------------------------ parts

typedef struct window {
  struct GLFWwindow *glfw;
  int width, height;                     // in screen coordinates
  float pixels;                          // of the framebuffer for each of them
  int is_full, place[4];                 // full screen, and where the window was before
  double refresh;                        // s between images of the screen
} window;

// The renderer and what it draws.
typedef struct image {
  const sn_renderer_ops *ops;
  const void *self;
  void *canvas;
  sn_scene *scene;
  sn_scene_options options;
  sn_scene_camera camera;
  sn_perturbation pull;
  float x, y, width, height;   // where it is in the window
  int64_t frames;
} image;

typedef struct mouse {
  double x, y;
  int down[3], mods;
  int on_image;            // the button was pressed there
  double pressed_at;         // time of the last press, for double clicks
  double pressed_x, pressed_y;
  int pressed_button;
} mouse;

typedef struct pace {
  int paused, single;        // single: steps to make although paused
  int speed;                 // index of pace_speed
  double backlog;            // s of the simulation that are to be simulated
  double last, draw;         // time of the last frame; s that drawing takes
  double wall, simulated;    // since the factor was measured
  double factor;             // simulated seconds for each second
  double step;               // s for each step, measured
} pace;

// States of the last seconds, in a ring.
typedef struct history {
  double *state;
  int64_t size;
  int capacity, first, count;
  int at;   // the one that is shown, from the oldest on; count: the present
} history;

// Numbers of the last frames, in rings with a common position.
typedef struct plots {
  float energy[3][PLOT_LENGTH], solver[3][PLOT_LENGTH], sensor[MAX_SERIES][PLOT_LENGTH];
  int32_t sensor_of;   // the sensor that is drawn
  int first, count;
  double time;         // of the last numbers
  int timed;           // stages are measured
  sn_data *twin;       // for what is evaluated apart, so that the run does not depend on it
} plots;

// A file that is watched for changes.
typedef struct stamp {
  char *path;
  struct timespec modified;
  off_t size;
} stamp;

typedef struct files {
  stamp *stamp;
  int64_t n;
  double checked;
  int changed;   // checks since something changed: it is loaded when it stays the same
} files;

// The profiles that there are, found once for each engine.
typedef struct profiles {
  const sn_engine *engine;   // NULL: not yet
  char name[MAX_CHOICES][64], current[64];
  int n;
} profiles;

// A keyframe of the session.
typedef struct saved_key {
  double *state;
} saved_key;

typedef struct video {
  encoder encoder;   // it runs while a video is recorded
  int width, height, frames;
  double next;     // time of the next frame
  char path[64];
} video;

struct sn_viewer {
  sn_viewer_request ask;     // its strings are copies
  int is_passive;
  sn_error *error;

  // what is simulated; those of the caller, or the viewer's own after something was loaded
  sn_model *m;
  sn_data *d;
  sn_engine *own_engine;
  int owns_model;
  char *path;                // NULL: it was not read from a file
  double *start;             // the state that `reset` goes to

  window window;
  gui *gui;
  image image;
  mouse mouse;
  pace pace;
  history history;
  plots plots;
  files files;
  profiles profiles;
  video video;
  saved_key *key;
  int nkey, next_key;

  // what is open
  int show_help, show_info, show_left, show_right, show_plots;
  char watched[MAX_WATCHED][48];
  int nwatched;
  char entry[64];

  char message[MESSAGE];     // below the image
  int is_wrong;              // it is an error
  double message_until;
  char broken[MESSAGE];      // why the file of the model cannot be loaded; "": it can
  int wants_image, wants_reload, wants_rebuild;   // in the next frame
  char wants_profile[64];
  int closing;
};

// ------------------------------------------------------------------ functions

double viewer_now(void);   // s, of a clock that only goes forward
// Opens a window; the simulation is the viewer's to step, unless it is passive. NULL: it failed.
sn_viewer *viewer_open(sn_model *model, sn_data *data, const sn_viewer_request *request,
                       int is_passive, sn_error *error);
// One frame: input, steps, image, panels. SN_OK, or what failed.
sn_status viewer_frame(sn_viewer *v, sn_error *error);
// Shows a line for some seconds.
void viewer_say(sn_viewer *v, const char *format, ...) __attribute__((format(printf, 2, 3)));
void viewer_complain(sn_viewer *v, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Of v->error, after a call that failed.
void viewer_complain_of(sn_viewer *v, const char *what);
// The state, SN_STATE_INTEGRATION, without the force of the mouse, which is gone when the user
// comes back to this state.
void viewer_get_state(sn_viewer *v, double *state);
// Something in the state was changed by hand: the past remains, quantities are computed again.
void viewer_moved(sn_viewer *v);
void viewer_reset(sn_viewer *v, int32_t key);   // -1: to the start; from nkey on: saved ones
const char *viewer_label(const sn_model *m, const char *kind, int32_t id, char *out, size_t n);

// window.c
sn_status window_open(sn_viewer *v, sn_error *error);
void window_close(sn_viewer *v);
void window_poll(sn_viewer *v);    // brings input, and the sizes up to date
void window_swap(sn_viewer *v);
void window_toggle_full(sn_viewer *v);
void window_copy(sn_viewer *v, const char *text);   // to the clipboard

// input.c: what the user does
void input_key(sn_viewer *v, int key, int down, int mods);
void input_char(sn_viewer *v, unsigned int codepoint);
void input_move(sn_viewer *v, double x, double y);
void input_button(sn_viewer *v, int button, int down, int mods);
void input_wheel(sn_viewer *v, double dx, double dy);
void input_drop(sn_viewer *v, const char *path);

// keys.c: rows of the table of keys, by index from 0; false: there are no more
typedef struct key_row {
  int key, mods;
  char name[24];         // "Ctrl+P"
  char word[32];         // of the action: "screenshot"
  char meaning[96];
  void (*act)(sn_viewer *v, int32_t value);
  int32_t value;
} key_row;
int key_at(int index, key_row *row);
int keys_press(sn_viewer *v, int key, int mods);   // false: no key of the table
// Rows of what the mouse does.
int mouse_help_at(int index, const char **gesture, const char **meaning);

// mouse.c
void mouse_pressed(sn_viewer *v, int button, int mods);
void mouse_moved(sn_viewer *v, double dx, double dy);
void mouse_released(sn_viewer *v, int button);
void mouse_wheel(sn_viewer *v, double dy);
void mouse_select(sn_viewer *v, int32_t body, int32_t geom);   // none: 0 and -1
void mouse_end_pull(sn_viewer *v);   // the body that is pulled, if any, feels no force any more

// image.c
sn_status image_open(sn_viewer *v, sn_error *error);   // for the model of v
void image_close(sn_viewer *v);
sn_status image_draw(sn_viewer *v, sn_error *error);
void image_free_camera(sn_viewer *v, int32_t unused);

// clock.c
extern const double pace_speed[];   // percent of the clock
int pace_speeds(void);
void pace_start(sn_viewer *v);
void pace_run(sn_viewer *v);        // the steps of a frame

// history.c
int history_open(sn_viewer *v);
void history_close(sn_viewer *v);
void history_add(sn_viewer *v);
void history_go(sn_viewer *v, int at);   // shows a state of the past

// load.c: other models
int load_is_offered(const sn_viewer *v);
void load_file(sn_viewer *v, const char *path);      // again, or another one
void load_profile(sn_viewer *v, const char *name);
void load_rebuild(sn_viewer *v);                     // with what the engine selects now
void load_check(sn_viewer *v);                       // what changed, and what is wanted
void load_watch(sn_viewer *v);                       // the files of the request
void load_close(sn_viewer *v);

// save.c
// A file name that is new: NAME-0001.png
void save_name(const sn_viewer *v, const char *ending, char *out, size_t n);
void save_wanted_image(sn_viewer *v);   // after the image is drawn
void save_image(sn_viewer *v, int32_t unused);
void save_key(sn_viewer *v, int32_t unused);
void save_copy_key(sn_viewer *v, int32_t unused);
// Kept states become those of the model that is shown. false: out of memory.
int save_transfer(sn_viewer *v, const sn_model *before);
void save_close(sn_viewer *v);
// The pixels of the image of this frame, the upper row first, to be freed. NULL: out of memory.
uint8_t *save_pixels(const sn_viewer *v, int *width, int *height);

// video.c
void video_toggle(sn_viewer *v, int32_t unused);
void video_add(sn_viewer *v);
void video_close(sn_viewer *v);

// panels.c and panel_*.c
void panels_show(sn_viewer *v);
float panels_left(const sn_viewer *v);     // widths
float panels_right(const sn_viewer *v);
float panels_bottom(const sn_viewer *v);   // height
void panel_simulation(sn_viewer *v);
void panel_physics(sn_viewer *v);
void panel_colliders(sn_viewer *v);
void panel_options(sn_viewer *v);
void panel_flags(sn_viewer *v);
void panel_scene(sn_viewer *v);
void panel_selection(sn_viewer *v);
void panel_controls(sn_viewer *v);
void panel_joints(sn_viewer *v);
void panel_keys(sn_viewer *v);
void panel_contacts(sn_viewer *v);
void panel_watch(sn_viewer *v);
void panel_plots(sn_viewer *v);
void plots_add(sn_viewer *v);

#endif
