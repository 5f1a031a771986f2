// SPDX-License-Identifier: Apache-2.0
//
// A simulation in a browser: what the page of `sinew share` and of `sinew view --web` needs to
// know. The model comes once, as JSON; the frames come as binary chunks, one chunk with all frames
// of a run, or one for each moment of a simulation that goes on.
//
//   chunk      header: uint32 nframe, width, nnode, ncontact, nsegment, 0
//              rows      nframe x width float32: time, potential and kinetic energy, sensordata,
//                        ctrl
//              positions nframe x nnode x 3 float32, m
//              counts    nframe x 2 uint32: contacts, segments of tendons of the frame
//              contacts  ncontact x 6 float32: point, force on the second geom; global, m, N
//              segments  nsegment x 7 float32: tendon, two points
//              rotations nframe x nnode x 4 int16: unit quaternions times 32767
//
// Nodes are the frames that things are attached to: bodies, cameras, lights. A node that cannot
// move is not part of the chunks; its pose is in the JSON. All numbers are little endian.

#ifndef SINEW_WEB_H
#define SINEW_WEB_H

#include "sinew/sinew.h"
#include "tools/json/json.h"

// Bytes that grow. failed: there was no memory for some of them.
typedef struct web_bytes {
  uint8_t *p;
  int64_t n, capacity;
  int failed;
} web_bytes;

void web_put(web_bytes *b, const void *p, int64_t n);
void web_put_float(web_bytes *b, double value);
void web_put_word(web_bytes *b, uint32_t value);
void web_bytes_free(web_bytes *b);
// The bytes in base64 (RFC 4648), as a text to be freed. NULL: no memory.
char *web_base64(const uint8_t *p, int64_t n);

// Frames of one model.
typedef struct web_frames {
  int64_t n, ncontact, nsegment;
  web_bytes rows, positions, counts, contacts, segments, rotations;
} web_frames;

// Appends the present state, after sn_forward and sn_compute_energy.
void web_frames_add(web_frames *f, const sn_model *m, sn_data *d);
// Appends all of them, as one chunk, and empties them.
void web_frames_take(web_frames *f, const sn_model *m, web_bytes *chunk);
void web_frames_free(web_frames *f);
// Whether a node moves. kind: SN_OBJECT_BODY, SN_OBJECT_CAMERA, SN_OBJECT_LIGHT.
int web_moves(const sn_model *m, int32_t kind, int32_t id);
// The pose of a node: position and unit quaternion, 7 numbers.
void web_pose(sn_data *d, int32_t kind, int32_t id, double *pose);

// What the page is to show besides the model.
typedef struct web_request {
  const char *title;
  const char *live;        // address of a running simulation, relative to the page; NULL: none
  double fps;              // frames a second of the run
} web_request;

enum { WEB_MESSAGE = 1024 };

// The page, which needs no other file. folder: that of its parts (page/ and three.min.js). frames:
// all of a run; NULL: none yet. On failure, SN_EIO, SN_ENOMEM or the status of the sink, message is
// the reason; "": the sink failed.
sn_status web_page(sn_sink *sink, const char *folder, const sn_model *m, sn_data *d,
                   const web_request *request, web_frames *frames, char message[WEB_MESSAGE]);

// assets.c: members "meshes", "shapes", "hfields", "textures", "materials", "skins" of the JSON of
// a model. False: no memory, or a shape of a plugin failed.
int web_assets(json *j, const sn_model *m);
// model.c: the JSON of a model, on a file. False: no memory.
int web_model(FILE *file, const sn_model *m, sn_data *d, const web_request *request);
// A member with an array of bytes, in base64. False: no memory.
int web_blob(json *j, const char *key, const void *p, int64_t n);

#endif
