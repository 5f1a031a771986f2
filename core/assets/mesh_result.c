// SPDX-License-Identifier: Apache-2.0
//
// Calls plugins of the mesh kind. A file is read by the plugin that lists the extension of its
// name. What a plugin passes to the sink (mesh_sink.c) is checked as far as the rest of the
// compiler relies on it.

#include "assets/mesh.h"
#include "base/words.h"
#include "host/watching.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

void si_assets_free(si_assets *assets) {
  for (int64_t i = 0; i < assets->nmesh; i++) {
    si_mesh_result_free(&assets->mesh[i].data);
  }
  for (int64_t i = 0; i < assets->ntexture; i++) {
    si_mesh_result_free(&assets->texture[i]);
  }
  for (int64_t i = 0; i < assets->nhfield; i++) {
    si_mesh_result_free(&assets->hfield[i]);
  }
  free(assets->mesh);
  free(assets->texture);
  free(assets->hfield);
  *assets = (si_assets){ 0 };
}

// ------------------------------------------------------------------ the plugin that reads a file

static const char *extension_of(const char *file) {
  const char *dot = file ? strrchr(file, '.') : NULL;
  return dot ? dot + 1 : "";
}

// Upper and lower case are the same.
static int is_listed(const char *extensions, const char *extension) {
  for (si_word word; si_next_word(&extensions, &word);) {
    if (extension[0] && strcasecmp(word.text, extension) == 0) {
      return 1;
    }
  }
  return 0;
}

// The first provider that reads an extension, as triangles or as an image; NULL: `known` lists what
// can be read.
static const si_provider *find_reader(const sn_engine *engine, const char *extension, int image,
                                      char *known, size_t size) {
  const si_provider *p;
  size_t used = 0;
  known[0] = '\0';
  for (int64_t i = 0; (p = si_engine_each(engine, SN_KIND_MESH, i)); i++) {
    const sn_mesh_ops *ops = p->ops;
    const char *list = image ? ops->images : ops->extensions;
    if (!(image ? ops->image != NULL : ops->decode != NULL) || !list[0]) {
      continue;
    }
    if (is_listed(list, extension)) {
      return p;
    }
    for (si_word word; used < size && si_next_word(&list, &word);) {
      used += (size_t)snprintf(known + used, size - used, "%s%s", used ? ", " : "", word.text);
    }
  }
  return NULL;
}

int si_mesh_is_image(const si_build *b, const char *file) {
  char known[8];
  const char *extension = extension_of(file);
  return is_listed("png", extension) || find_reader(b->engine, extension, 1, known, sizeof known);
}

const char *si_mesh_images(const si_build *b, char *known, size_t size) {
  find_reader(b->engine, "", 1, known, size);
  return known[0] ? known : "none, because no plugin that reads images is loaded";
}

static sn_status no_reader(si_build *b, int32_t kind, int64_t id, const char *file,
                           const char *what, const char *known) {
  char *missing = si_engine_missing(b->engine, SN_KIND_MESH, NULL);
  sn_status status = si_build_fail(
      b, SN_EUNSUPPORTED, kind, id, "no plugin reads %s from '%s'; %s%s%s%s%s%s", what, file,
      known[0] ? "known extensions: " : "no plugin of the mesh kind is loaded", known,
      known[0] ? "; convert the file to one of these formats, or load a plugin that reads it" : "",
      missing ? "; plugins that are not loaded, but may read it: " : "", missing ? missing : "",
      missing ? "; add it to [plugins] of the configuration" : "");
  free(missing);
  return status;
}

// Adds the element, the file and the line to an error that a plugin has filled.
static sn_status blame_file(si_build *b, sn_status code, int32_t kind, int64_t id,
                            const char *file) {
  char text[SI_ERROR_TEXT], line[24] = "";
  const char *reason = b->error ? sn_error_message(b->error) : "";
  snprintf(text, sizeof text, "%s", reason[0] ? reason : "it was rejected");
  if (b->error && b->error->line > 0) {
    snprintf(line, sizeof line, ", line %d", b->error->line);
  }
  return si_build_fail(b, code, kind, id, "file '%s'%s: %s", file, line, text);
}

// Leaves an operation. It fails too if it has ignored a failure of the sink.
static sn_status end_call(si_build *b, si_watch *call, const si_provider *p,
                          const si_mesh_result *result, sn_status status) {
  char subject[SI_PROVIDER_TITLE];
  status = si_watch_end(call, status, b->error);
  const int is_explained = status < 0 && b->error && *sn_error_message(b->error);
  if (result->status >= 0 || is_explained) {
    return status;
  }
  return si_fail(b->error, result->status, "%s: %s", si_provider_title(p, subject), result->reason);
}

sn_status si_mesh_decode(si_build *b, int32_t kind, int64_t id, const char *file,
                         const uint8_t *bytes, int64_t count, si_mesh_result *result) {
  char known[256];
  const si_provider *p = find_reader(b->engine, extension_of(file), 0, known, sizeof known);
  if (!p) {
    return no_reader(b, kind, id, file, "triangles", known);
  }
  const sn_mesh_ops *ops = p->ops;
  result->build = b;
  si_watch call;
  si_watch_open(&call, si_engine_checks(b->engine));
  si_watch_keep(&call, bytes, count, si_watch_name, "the bytes of the file");
  si_watch_enter(&call, p, "decode");
  sn_status status = ops->decode(p->self, bytes, count, file, &result->sink,
                                 sn_engine_host(b->engine), b->error);
  status = end_call(b, &call, p, result, status);
  if (status < 0) {
    return blame_file(b, status, kind, id, file);
  }
  const int has_graph = result->ngraph > 0;
  if (result->npiece > 0 ||
      (has_graph && !si_is_hull_graph(result->nvert, result->ngraph, result->graph))) {
    return si_build_fail(b, SN_EPLUGIN, kind, id, "the plugin '%s' returned %s for '%s'", p->name,
                         result->npiece > 0 ? "convex pieces" : "an invalid vertex graph", file);
  }
  return SN_OK;
}

sn_status si_mesh_image(si_build *b, int32_t kind, int64_t id, const char *file,
                        const uint8_t *bytes, int64_t count, int64_t channels,
                        si_mesh_result *result) {
  char known[256];
  const si_provider *p = find_reader(b->engine, extension_of(file), 1, known, sizeof known);
  if (!p) {
    return no_reader(b, kind, id, file, "an image", known);
  }
  const sn_mesh_ops *ops = p->ops;
  result->build = b;
  si_watch call;
  si_watch_open(&call, si_engine_checks(b->engine));
  si_watch_keep(&call, bytes, count, si_watch_name, "the bytes of the file");
  si_watch_enter(&call, p, "image");
  sn_status status = ops->image(p->self, bytes, count, file, channels, &result->sink,
                                sn_engine_host(b->engine), b->error);
  status = end_call(b, &call, p, result, status);
  if (status < 0) {
    return blame_file(b, status, kind, id, file);
  }
  if (!result->pixels || result->channels != channels) {
    return si_build_fail(b, SN_EPLUGIN, kind, id, "the plugin '%s' returned no pixels for '%s'",
                         p->name, file);
  }
  return si_build_take(b, (double)(result->width * result->height * channels), kind, id);
}

// The inputs of an operation on a mesh.
static void watch_mesh(si_watch *call, const si_build *b, const si_mesh_result *mesh) {
  si_watch_open(call, si_engine_checks(b->engine));
  si_watch_keep(call, mesh->vert, 3 * mesh->nvert * (int64_t)sizeof *mesh->vert, si_watch_name,
                "the vertices of the mesh");
  si_watch_keep(call, mesh->face, 3 * mesh->nface * (int64_t)sizeof *mesh->face, si_watch_name,
                "the triangles of the mesh");
}

// ------------------------------------------------------------------ hull

sn_status si_mesh_hull(si_build *b, int64_t id, int64_t limit, si_mesh_result *result) {
  const si_provider *p;
  const sn_mesh_ops *ops = NULL;
  for (int64_t i = 0; (p = si_engine_each(b->engine, SN_KIND_MESH, i)); i++) {
    ops = p->ops;
    if (ops->hull) {
      break;
    }
  }
  if (!p) {
    return si_build_fail(
        b, SN_EUNSUPPORTED, SI_ELEMENT_mesh, id,
        "no loaded plugin computes convex hulls; add one to [plugins] of the configuration, or "
        "specify the faces of the mesh and set the compiler's convexhull to false");
  }
  si_mesh_result hull;
  si_mesh_result_init(&hull);
  hull.build = b;
  si_watch call;
  watch_mesh(&call, b, result);
  si_watch_enter(&call, p, "hull");
  sn_status status = ops->hull(p->self, result->nvert, result->vert, limit, &hull.sink,
                               sn_engine_host(b->engine), b->error);
  status = end_call(b, &call, p, &hull, status);
  if (status < 0) {
    si_mesh_result_free(&hull);
    return si_build_blame(b, status, SI_ELEMENT_mesh, id);
  }
  if (hull.nface == 0 || !si_is_hull_graph(result->nvert, hull.ngraph, hull.graph)) {
    si_mesh_result_free(&hull);
    return si_build_fail(b, SN_EPLUGIN, SI_ELEMENT_mesh, id,
                         "the plugin '%s' returned a hull without triangles or with an invalid "
                         "graph",
                         p->name);
  }
  free(result->graph);
  result->graph = hull.graph;
  result->ngraph = hull.ngraph;
  hull.graph = NULL;
  if (result->nface == 0) {
    free(result->face);
    result->face = hull.face;
    result->nface = hull.nface;
    hull.face = NULL;
  }
  si_mesh_result_free(&hull);
  return SN_OK;
}

// ------------------------------------------------------------------ pieces

sn_status si_mesh_pieces(si_build *b, int64_t id, const si_provider *p, const si_mesh_result *mesh,
                         si_mesh_result *out) {
  const sn_mesh_ops *ops = p->ops;
  if (!ops->decompose) {
    return si_build_fail(
        b, SN_EUNSUPPORTED, SI_ELEMENT_mesh, id,
        "'%s' is selected for convex decomposition, but does not provide it; select a plugin that "
        "does",
        p->name);
  }
  out->build = b;
  si_watch call;
  watch_mesh(&call, b, mesh);
  si_watch_enter(&call, p, "decompose");
  sn_status status = ops->decompose(p->self, mesh->nvert, mesh->vert, mesh->nface, mesh->face, 0,
                                    &out->sink, sn_engine_host(b->engine), b->error);
  status = end_call(b, &call, p, out, status);
  if (status < 0) {
    return si_build_blame(b, status, SI_ELEMENT_mesh, id);
  }
  for (int64_t k = 0; k < out->npiece; k++) {
    int64_t end = k + 1 < out->npiece ? out->piece[k + 1] : out->nvert;
    if (end - out->piece[k] < 4) {
      return si_build_fail(b, SN_EPLUGIN, SI_ELEMENT_mesh, id,
                           "the plugin '%s' returned a convex piece with less than 4 vertices",
                           p->name);
    }
  }
  return SN_OK;
}
