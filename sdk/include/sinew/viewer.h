// SPDX-License-Identifier: Apache-2.0
//
// A window in which a simulation is seen and changed while it runs: the camera and the bodies are
// moved with the mouse, controls with sliders, and solver, integrator, colliders and profile are
// chosen from lists. docs/viewing.md describes it.
//
//   sn_viewer_run(model, data, NULL, error);       simulates until the window is closed
//
//   sn_viewer *v = sn_viewer_open(model, data, NULL, error);      a program that steps itself
//   while (sn_viewer_draw(v, error) > 0) {
//     if (sn_viewer_runs(v)) { sn_step(model, data); }
//   }
//   sn_viewer_close(v);
//
// A shared library above libsinew, `libsinew_viewer.so` (CMake: sinew::viewer). It needs a display
// (X11 or Wayland), OpenGL 3.3, and the renderer `opengl`. All functions are called by the main
// thread of the program, and by no other one.
//
// This interface is a draft: it may change in every minor version.

#ifndef SINEW_VIEWER_H
#define SINEW_VIEWER_H

#include "sinew/sinew.h"

SN_BEGIN_DECLS

typedef struct sn_viewer sn_viewer;

enum {                        // sn_viewer_request.flags
  SN_VIEWER_PAUSED = 1 << 0   // the simulation starts paused
};

// The settings of a window, and the callbacks of a program. Set size and zero the rest; every
// member but size may be zero. The strings are copied, arrays and `context` must be valid as long
// as the window.
typedef struct sn_viewer_request {
  uint32_t size;       // sizeof(sn_viewer_request)
  uint32_t flags;      // SN_VIEWER_*
  const char *title;   // of the window; NULL: the name of the model
  // The file of the model. If it changes, it is loaded again, and the simulation goes on with the
  // new model. NULL: nothing is loaded again.
  const char *path;
  int64_t nfile;
  const char *const *file;   // nfile more files that are watched for changes, such as meshes
  int32_t width, height;     // of the window in screen coordinates; 0: a size that fits
  double time;               // sn_viewer_run returns at this simulation time, s; 0: no limit
  const char *config;        // configuration of engines that are opened for another profile, see
                             // sn_engine_open
  void *context;             // first argument of the functions below
  // Called before each step of sn_viewer_run; may write controls and applied forces. NULL: none.
  void (*control)(void *context, const sn_model *model, sn_data *data);
  // Called with each engine that the window opens for another profile, before it creates models,
  // for example to load plugins. NULL: none.
  sn_status (*prepare)(void *context, sn_engine *engine, sn_error *error);
  // Called with each model that the window loads, for example to set options. NULL: none.
  sn_status (*loaded)(void *context, sn_model *model, sn_error *error);
} sn_viewer_request;
SN_LAYOUT(sn_viewer_request, 96);

// Opens a window, simulates in real time until the user closes the window, and returns. model and
// data remain the caller's. If the window loads the model again, or with another profile, it goes
// on with a model and data of its own; `data` then has the state before that. request may be NULL.
// SN_EUNSUPPORTED: there is no display, no OpenGL 3.3 or no renderer `opengl`; the message says
// what to do. Otherwise the status of a renderer that failed.
SN_API sn_status sn_viewer_run(sn_model *model, sn_data *data, const sn_viewer_request *request,
                               sn_error *error);

// Passive mode: opens a window for a simulation that the program steps. It lacks the functions that
// need another model: selecting a profile or colliders, and loading the model again. NULL on
// failure; the codes are those of sn_viewer_run.
SN_API sn_viewer *sn_viewer_open(sn_model *model, sn_data *data, const sn_viewer_request *request,
                                 sn_error *error);
// Draws the state of the data and handles mouse and keyboard. In response to the user it may write
// the applied force of the selected body, the controls, or the state. Waits until the screen can
// show the image. 1: the window is open; 0: the user closed it; negative: drawing failed.
SN_API sn_status sn_viewer_draw(sn_viewer *viewer, sn_error *error);
// Whether the program should make a step: 1 while the simulation is not paused, and once for each
// single step that the user requests; else 0.
SN_API int32_t sn_viewer_runs(sn_viewer *viewer);
// Closes the window. model and data are not freed. viewer may be NULL.
SN_API void sn_viewer_close(sn_viewer *viewer);

SN_END_DECLS

#endif
