// SPDX-License-Identifier: Apache-2.0
//
// The loader of MJCF, the part of its plugin that does the work. In: a source. Out: a filled spec,
// or one error with its place. The file is parsed, its includes are spliced in, all of it is
// checked against the schema; then the sections are read in passes, since settings and classes act
// on what comes before them too, and composite objects of the world add to the other sections,
// ahead of what stands there:
//
//   0 settings   1 classes   2 assets, custom data   3 the world   4 what refers to it
//
// Other files that the world attaches are added last.

#include "mjcf/load/load.h"
#include "mjcf/schema/schema.h"
#include "mjcf/write/write.h"

#include <string.h>

static sn_status read_pass(mjcf_reader *r, const xml_node *root, int32_t pass) {
  for (const xml_node *node = root->first; node; node = node->next) {
    const mjcf_element *e = mjcf_root.children;
    while (strcmp(e->name, node->name) != 0) {
      e++;
    }
    if (e->pass == pass) {
      SN_TRY(e->read(r, e, node));
    }
  }
  return SN_OK;
}

static sn_status read_model(mjcf_reader *r) {
  // the text
  sn_source *source = r->source;
  SN_TRY(xml_parse(&r->doc, source, r->error));
  xml_node *root = r->doc.root;
  if (strcmp(root->name, mjcf_root.name) != 0) {
    return xml_fail(&r->xml, SN_EPARSE, root, NULL, "the root element is <%.80s>, not <mujoco>",
                    root->name);
  }
  if (r->doc.rest) {
    sn_location location = xml_location(r->doc.rest);
    SN_TRY(r->builder->warn(r->spec, &location, XML_REST_IGNORED));
  }
  SN_TRY(mjcf_include_files(r));
  mjcf_collect_begin(r);
  SN_TRY(mjcf_check(r, &mjcf_root, root));

  // settings, classes, the rest
  const xml_attr *name = xml_find_attr(root, "model");
  if (name) {
    SN_TRY(xml_name_model(&r->xml, r->builder, root, name));
  }
  SN_TRY(mjcf_settings_begin(r, root));
  SN_TRY(read_pass(r, root, 0));
  SN_TRY(mjcf_settings_end(r));
  SN_TRY(mjcf_replicate(r));
  SN_TRY(mjcf_make_top_class(r, root));
  SN_TRY(read_pass(r, root, 1));
  for (int32_t pass = 2; pass < 5; pass++) {
    r->active = r->classes;
    SN_TRY(read_pass(r, root, pass));
  }
  return mjcf_attach_parts(r);
}

static int32_t mjcf_probe(const void *self, const uint8_t *bytes, int64_t count, const char *name) {
  (void)self;
  (void)name;
  char root[16];
  xml_root_name(bytes, count, root, sizeof root);
  return strcmp(root, mjcf_root.name) == 0 ? 100 : 0;
}

static sn_status mjcf_load(const void *self, sn_source *source, const sn_builder *builder,
                           sn_error *error) {
  (void)self;
  mjcf_reader r = { .builder = builder, .spec = builder->spec, .source = source, .error = error };
  r.doc.arena.host = builder->host;
  r.xml = (xml_reader){ builder->host, error };
  sn_status status = read_model(&r);
  if (status < 0 && r.collector.n > 0) {   // are there more?
    mjcf_check_values(&r, r.doc.root);
  }
  sn_status collected = mjcf_collect_end(&r);
  status = collected < 0 ? collected : status;
  xml_arena_free(&r.doc.arena);
  return status;
}

static const sn_loader_ops mjcf_ops = {
  .head = { .size = sizeof(sn_loader_ops), .summary = "reads and writes MJCF, version 2.2" },
  .extensions = "xml|mjcf",
  .probe = mjcf_probe,
  .load = mjcf_load,
  .save = mjcf_save,
  .describe = mjcf_describe,
};

static const sn_provide provides[] = {
  SN_PROVIDE_LOADER("mjcf", &mjcf_ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "mjcf", .version = SN_VERSION, .license = "Apache-2.0",
          .summary = "loader of MJCF models", .provides = provides, .init = xml_init)
