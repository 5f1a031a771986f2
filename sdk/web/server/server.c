// SPDX-License-Identifier: Apache-2.0
//
// The server, by libmicrohttpd, with a thread for each connection; see server.h. The latest chunk
// has a number; a connection that streams frames waits until there is another one.

#include "server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <microhttpd.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

// A client may be silent for so long, in s, and needs the token in a request within that time: one
// that sends nothing, or one byte after another, does not hold one of the places forever.
enum { PLACES = 32, PATIENCE = 10 };

// A connection on which the token has not come yet.
typedef struct stranger {
  int is_used, socket;
  int64_t until;   // s of the clock, when it ends
} stranger;

struct web_server {
  struct MHD_Daemon *daemon;
  web_server_request request;
  char token[80];
  char *page;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  uint8_t *chunk;             // the latest one, behind its length
  int64_t nchunk, capacity;
  uint64_t number;            // of the latest chunk; 0: none yet
  int ending;
  stranger strangers[PLACES];
};

// A browser that gets frames.
typedef struct stream {
  web_server *s;
  uint64_t number;            // of its chunk
  uint8_t *bytes;
  int64_t n, at, capacity;
} stream;

// ------------------------------------------------------------------ frames

// Copies the next chunk, when there is one. False: the server ends, or there is no memory.
static int next_chunk(stream *t) {
  web_server *s = t->s;
  pthread_mutex_lock(&s->lock);
  while (!s->ending && s->number == t->number) {
    pthread_cond_wait(&s->changed, &s->lock);
  }
  int ok = !s->ending;
  if (ok && s->nchunk > t->capacity) {
    uint8_t *more = realloc(t->bytes, (size_t)s->nchunk);
    ok = more != NULL;
    t->bytes = more ? more : t->bytes;
    t->capacity = more ? s->nchunk : t->capacity;
  }
  if (ok) {
    memcpy(t->bytes, s->chunk, (size_t)s->nchunk);
    t->n = s->nchunk;
    t->at = 0;
    t->number = s->number;
  }
  pthread_mutex_unlock(&s->lock);
  return ok;
}

static ssize_t read_stream(void *context, uint64_t position, char *out, size_t most) {
  stream *t = context;
  (void)position;
  if (t->at == t->n && !next_chunk(t)) {
    return MHD_CONTENT_READER_END_OF_STREAM;
  }
  const int64_t left = t->n - t->at, n = left < (int64_t)most ? left : (int64_t)most;
  memcpy(out, t->bytes + t->at, (size_t)n);
  t->at += n;
  return (ssize_t)n;
}

static void free_stream(void *context) {
  stream *t = context;
  free(t->bytes);
  free(t);
}

static struct MHD_Response *stream_response(web_server *s) {
  stream *t = calloc(1, sizeof *t);
  if (!t) {
    return NULL;
  }
  t->s = s;
  struct MHD_Response *r = MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 1 << 16, read_stream,
                                                             t, free_stream);
  if (!r) {
    free_stream(t);
  }
  return r;
}

// ------------------------------------------------------------------ strangers

static int64_t clock_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec;
}

// A connection begins or ends; *place: its stranger, or NULL.
static void note_connection(void *context, struct MHD_Connection *c, void **place,
                            enum MHD_ConnectionNotificationCode code) {
  web_server *s = context;
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(c,
                                                                 MHD_CONNECTION_INFO_CONNECTION_FD);
  pthread_mutex_lock(&s->lock);
  if (code == MHD_CONNECTION_NOTIFY_CLOSED && *place) {
    ((stranger *)*place)->is_used = 0;
  }
  for (int i = 0; code == MHD_CONNECTION_NOTIFY_STARTED && info && !*place && i < PLACES; i++) {
    if (!s->strangers[i].is_used) {
      s->strangers[i] = (stranger){ 1, info->connect_fd, clock_seconds() + PATIENCE };
      *place = &s->strangers[i];
    }
  }
  pthread_mutex_unlock(&s->lock);
}

// It has the token.
static void trust_connection(web_server *s, struct MHD_Connection *c) {
  const union MHD_ConnectionInfo *info = MHD_get_connection_info(
      c, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
  stranger *place = info ? info->socket_context : NULL;
  if (place) {
    pthread_mutex_lock(&s->lock);
    place->until = INT64_MAX;
    pthread_mutex_unlock(&s->lock);
  }
}

// With the lock held. A socket is not closed before note_connection has heard of it.
static void end_strangers(web_server *s) {
  const int64_t now = clock_seconds();
  for (int i = 0; i < PLACES; i++) {
    if (s->strangers[i].is_used && s->strangers[i].until < now) {
      shutdown(s->strangers[i].socket, SHUT_RDWR);
    }
  }
}

// ------------------------------------------------------------------ requests

static enum MHD_Result answer(struct MHD_Connection *c, unsigned status, struct MHD_Response *r,
                              const char *type) {
  if (!r) {
    return MHD_NO;
  }
  MHD_add_response_header(r, MHD_HTTP_HEADER_CONTENT_TYPE, type);
  MHD_add_response_header(r, MHD_HTTP_HEADER_CACHE_CONTROL, "no-store");
  MHD_add_response_header(r, "X-Content-Type-Options", "nosniff");
  MHD_add_response_header(r, "Referrer-Policy", "no-referrer");
  const enum MHD_Result result = MHD_queue_response(c, status, r);
  MHD_destroy_response(r);
  return result;
}

static struct MHD_Response *text(const char *p, size_t n) {
  return MHD_create_response_from_buffer(n, (void *)(uintptr_t)p, MHD_RESPMEM_PERSISTENT);
}

static enum MHD_Result act(web_server *s, struct MHD_Connection *c) {
  const web_action action = {
    .pause = MHD_lookup_connection_value(c, MHD_GET_ARGUMENT_KIND, "pause"),
    .step = MHD_lookup_connection_value(c, MHD_GET_ARGUMENT_KIND, "step"),
    .reset = MHD_lookup_connection_value(c, MHD_GET_ARGUMENT_KIND, "reset"),
    .ctrl = MHD_lookup_connection_value(c, MHD_GET_ARGUMENT_KIND, "ctrl"),
    .value = MHD_lookup_connection_value(c, MHD_GET_ARGUMENT_KIND, "value"),
  };
  s->request.act(s->request.context, &action);
  return answer(c, MHD_HTTP_OK, text("ok\n", 3), "text/plain");
}

// The rest of an address behind the token; NULL: it has another one. The time does not depend on
// where the first difference is.
static const char *behind_token(const web_server *s, const char *url) {
  const size_t n = strlen(s->token);
  unsigned char differ = 0;
  if (url[0] != '/' || strlen(url) < n + 2 || url[n + 1] != '/') {
    return NULL;
  }
  for (size_t i = 0; i < n; i++) {
    differ |= (unsigned char)(url[i + 1] ^ s->token[i]);
  }
  return differ ? NULL : url + n + 2;
}

static enum MHD_Result respond(void *context, struct MHD_Connection *c, const char *url,
                               const char *method, const char *version, const char *upload,
                               size_t *nupload, void **state) {
  static char begun;
  web_server *s = context;
  const char *what = behind_token(s, url);
  const int gets = strcmp(method, MHD_HTTP_METHOD_GET) == 0;
  (void)version;
  (void)upload;
  if (!*state) {   // the head alone has come
    *state = &begun;
    if (what) {
      trust_connection(s, c);
    }
    return MHD_YES;
  }
  if (*nupload) {
    *nupload = 0;
    return MHD_YES;
  }
  if (what && gets && !*what) {
    return answer(c, MHD_HTTP_OK, text(s->page, strlen(s->page)), "text/html; charset=utf-8");
  }
  if (what && gets && strcmp(what, "frames") == 0) {
    MHD_set_connection_option(c, MHD_CONNECTION_OPTION_TIMEOUT, 0u);   // pages may read slowly
    return answer(c, MHD_HTTP_OK, stream_response(s), "application/octet-stream");
  }
  if (what && strcmp(method, MHD_HTTP_METHOD_POST) == 0 && strcmp(what, "do") == 0) {
    return act(s, c);
  }
  return answer(c, MHD_HTTP_NOT_FOUND, text("not found\n", 10), "text/plain");
}

// ------------------------------------------------------------------ the table

static void stop(web_server *s) {
  pthread_mutex_lock(&s->lock);
  s->ending = 1;
  pthread_cond_broadcast(&s->changed);
  pthread_mutex_unlock(&s->lock);
  if (s->daemon) {
    MHD_stop_daemon(s->daemon);
  }
  pthread_cond_destroy(&s->changed);
  pthread_mutex_destroy(&s->lock);
  free(s->chunk);
  free(s->page);
  free(s);
}

static web_server *start(const web_server_request *request, char *message, size_t capacity) {
  struct sockaddr_in loopback = { .sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)request->port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
  web_server *s = calloc(1, sizeof *s);
  char *page = s ? strndup(request->page, (size_t)request->npage) : NULL;
  if (!page) {
    free(s);
    snprintf(message, capacity, "out of memory for the server");
    return NULL;
  }
  s->request = *request;
  s->page = page;
  snprintf(s->token, sizeof s->token, "%s", request->token);
  pthread_mutex_init(&s->lock, NULL);
  pthread_cond_init(&s->changed, NULL);
  errno = 0;
  s->daemon = MHD_start_daemon(MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_THREAD_PER_CONNECTION, 0,
                               NULL, NULL, respond, s, MHD_OPTION_SOCK_ADDR, &loopback,
                               MHD_OPTION_CONNECTION_LIMIT, (unsigned)PLACES,
                               MHD_OPTION_CONNECTION_TIMEOUT, (unsigned)PATIENCE,
                               MHD_OPTION_NOTIFY_CONNECTION, note_connection, s, MHD_OPTION_END);
  if (!s->daemon) {
    snprintf(message, capacity, "cannot listen on port %d of 127.0.0.1: %s", request->port,
             errno ? strerror(errno) : "the server does not start");
    stop(s);
    return NULL;
  }
  return s;
}

static int32_t port(const web_server *s) {
  const union MHD_DaemonInfo *info = MHD_get_daemon_info(s->daemon, MHD_DAEMON_INFO_BIND_PORT);
  return info ? info->port : s->request.port;
}

static void show(web_server *s, const void *chunk, int64_t n) {
  const uint32_t length = (uint32_t)n;
  pthread_mutex_lock(&s->lock);
  end_strangers(s);   // the program shows frames all the time, also while it is paused
  if (n + 4 > s->capacity) {
    uint8_t *more = realloc(s->chunk, (size_t)(n + 4));
    if (more) {
      s->chunk = more;
      s->capacity = n + 4;
    }
  }
  if (n + 4 <= s->capacity) {
    memcpy(s->chunk, &length, sizeof length);
    memcpy(s->chunk + sizeof length, chunk, (size_t)n);
    s->nchunk = n + 4;
    s->number++;
    pthread_cond_broadcast(&s->changed);
  }
  pthread_mutex_unlock(&s->lock);
}

extern const web_server_table sinew_web_server;
__attribute__((visibility("default"))) const web_server_table sinew_web_server = {
  .size = sizeof(web_server_table),
  .start = start,
  .port = port,
  .show = show,
  .stop = stop,
};
