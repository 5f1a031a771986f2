// SPDX-License-Identifier: Apache-2.0
//
// The server of `sinew view --web`, a shared object of its own that the command loads when it is
// asked for, so that the command needs no library for it. It listens on the loopback interface
// only, and answers only to addresses that begin with a secret token:
//
//   GET  /TOKEN/          the page
//   GET  /TOKEN/frames    chunks of frames (web.h) as they come, each after its length in 4 bytes
//   POST /TOKEN/do?...    what was pressed in the page

#ifndef SINEW_WEB_SERVER_H
#define SINEW_WEB_SERVER_H

#include <stddef.h>
#include <stdint.h>

typedef struct web_server web_server;

// What was pressed; NULL: not this. Valid during the call.
typedef struct web_action {
  const char *pause, *step, *reset;
  const char *ctrl, *value;   // index of a control, its value
} web_action;

typedef struct web_server_request {
  int32_t port;               // 0: any that is free
  const char *token;          // letters and digits
  const char *page;           // copied
  int64_t npage;
  void *context;
  void (*act)(void *context, const web_action *action);   // from any thread
} web_server_request;

// The one symbol of the shared object is a table of this type, `sinew_web_server`.
typedef struct web_server_table {
  uint32_t size;
  // Starts to listen. NULL, with a message: the port is in use ...
  web_server *(*start)(const web_server_request *request, char *message, size_t capacity);
  int32_t (*port)(const web_server *s);
  // Sends a chunk to every browser that listens; one that is slow gets the next one.
  void (*show)(web_server *s, const void *chunk, int64_t n);
  void (*stop)(web_server *s);   // ends all connections
} web_server_table;

#endif
