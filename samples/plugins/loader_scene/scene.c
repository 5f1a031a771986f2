// SPDX-License-Identifier: Apache-2.0
//
// A sample plugin: a loader of scenes, XML files that put models of other formats together.
//
//   <scene name="two arms" timestep="0.001">
//     <floor size="5"/>
//     <part file="arm.urdf" prefix="left_" pos="0 0.5 0"/>
//     <part file="arm.xml" prefix="right_" name="stand" pos="0 -0.5 0" euler="0 0 90"/>
//     <part file="hand.xml" prefix="hand_" body="left_wrist"/>
//   </scene>
//
// A part is any file that Sinew reads, or another scene. It is attached to a body of a part above
// it, or to the world; pos is in meters, euler in degrees about x, y, z. The reader of XML,
// sinew/xml.h, knows where everything was written, so that each error has file, line and column.

#include <string.h>

#include "sinew/loader.h"
#include "sinew/xml.h"

typedef struct scene {
  xml_reader r;
  sn_source *source;
  const sn_builder *b;
} scene;

// ------------------------------------------------------------------ elements

static sn_status read_size(const scene *s, const xml_node *node, double *size) {
  const xml_attr *a = xml_find_attr(node, "size");
  SN_TRY(a ? xml_read_reals(&s->r, node, a, 1, 1, size, NULL) : SN_OK);
  return *size > 0 ? SN_OK : xml_fail(&s->r, SN_EPARSE, node, a, "size must be positive");
}

static sn_status add_floor(const scene *s, const xml_node *node) {
  const sn_location location = xml_location(node);
  sn_geom_def geom;
  sn_default_geom(&geom);
  geom.type = SN_GEOM_PLANE;
  geom.size[0] = 5;
  geom.size[2] = 0.1;
  SN_TRY(read_size(s, node, &geom.size[0]));
  geom.size[1] = geom.size[0];
  return s->b->add_geom(s->b->spec, &geom, &location, NULL, s->r.error);
}

static sn_status find_body(const scene *s, const xml_node *node, int32_t *body) {
  const xml_attr *a = xml_find_attr(node, "body");
  if (!a) {
    return SN_OK;   // the world
  }
  *body = s->b->find(s->b->spec, "body", a->value);
  return *body >= 0 ? SN_OK
                    : xml_fail(&s->r, SN_EPARSE, node, a, "no part above this one has a body '%s'",
                               a->value);
}

static sn_status add_part(const scene *s, const xml_node *node) {
  const sn_location location = xml_location(node);
  const double degree = 3.14159265358979323846 / 180;
  const xml_attr *file = xml_find_attr(node, "file"), *prefix = xml_find_attr(node, "prefix"),
                 *name = xml_find_attr(node, "name"), *pos = xml_find_attr(node, "pos"),
                 *euler = xml_find_attr(node, "euler");
  sn_include_def part;
  sn_default_include(&part);
  if (!file) {
    return xml_fail(&s->r, SN_EPARSE, node, NULL, "part: the attribute 'file' is required");
  }
  part.file = file->value;
  part.prefix = prefix ? prefix->value : NULL;
  part.name = name ? name->value : NULL;
  SN_TRY(find_body(s, node, &part.body));
  SN_TRY(pos ? xml_read_reals(&s->r, node, pos, 3, 3, part.pos, NULL) : SN_OK);
  if (euler) {
    SN_TRY(xml_read_reals(&s->r, node, euler, 3, 3, part.orient.euler, NULL));
    for (int i = 0; i < 3; i++) {
      part.orient.euler[i] *= degree;   // the unit of a spec, unless its settings differ
    }
  }
  return s->b->include(s->b->spec, s->source, &part, &location, s->r.error);
}

// ------------------------------------------------------------------ the document

typedef struct element {
  const char *name;
  const char *attributes[7];
  sn_status (*add)(const scene *s, const xml_node *node);
} element;

static const element elements[] = {
  { "floor", { "size" }, add_floor },
  { "part", { "file", "prefix", "name", "body", "pos", "euler" }, add_part },
};
enum { NELEMENT = sizeof elements / sizeof elements[0] };
static const element root_element = { "scene", { "name", "timestep" }, NULL };

static sn_status check_attributes(const scene *s, const xml_node *node, const element *e) {
  for (const xml_attr *a = node->attrs; a; a = a->next) {
    xml_nearest nearest = { NULL, 0 };
    int known = 0;
    for (int i = 0; e->attributes[i]; i++) {
      known |= strcmp(a->name, e->attributes[i]) == 0;
      xml_offer(&nearest, a->name, e->attributes[i]);
    }
    if (!known) {
      return xml_fail(&s->r, SN_EPARSE, node, a, "'%s' has no attribute '%s'%s%s%s", node->name,
                      a->name, nearest.best ? "; did you mean '" : "",
                      nearest.best ? nearest.best : "", nearest.best ? "'?" : "");
    }
  }
  return SN_OK;
}

static sn_status add_element(const scene *s, const xml_node *node) {
  for (int i = 0; i < NELEMENT; i++) {
    if (strcmp(node->name, elements[i].name) == 0) {
      SN_TRY(check_attributes(s, node, &elements[i]));
      return node->first ? xml_fail(&s->r, SN_EPARSE, node->first, NULL,
                                    "'%s' has no elements inside of it", node->name)
                         : elements[i].add(s, node);
    }
  }
  return xml_fail(&s->r, SN_EPARSE, node, NULL, "a scene has no element '%s'; it has floor, part",
                  node->name);
}

static sn_status read_settings(const scene *s, const xml_node *root) {
  const xml_attr *name = xml_find_attr(root, "name"), *step = xml_find_attr(root, "timestep");
  sn_option option;
  sn_default_option(&option);
  SN_TRY(check_attributes(s, root, &root_element));
  SN_TRY(name ? xml_name_model(&s->r, s->b, root, name) : SN_OK);
  if (!step) {
    return SN_OK;
  }
  SN_TRY(s->b->get_option(s->b->spec, &option));
  SN_TRY(xml_read_reals(&s->r, root, step, 1, 1, &option.timestep, NULL));
  return option.timestep > 0
             ? s->b->set_option(s->b->spec, &option, s->r.error)
             : xml_fail(&s->r, SN_EPARSE, root, step, "the time step must be positive");
}

static sn_status read_scene(const scene *s, const xml_node *root) {
  if (strcmp(root->name, root_element.name) != 0) {
    return xml_fail(&s->r, SN_EPARSE, root, NULL, "the root element is '%s', not 'scene'",
                    root->name);
  }
  SN_TRY(read_settings(s, root));
  for (const xml_node *node = root->first; node; node = node->next) {
    SN_TRY(add_element(s, node));
  }
  return SN_OK;
}

// ------------------------------------------------------------------ the operations

static int32_t scene_probe(const void *self, const uint8_t *bytes, int64_t count,
                           const char *name) {
  (void)self;
  (void)name;
  char root[16];
  xml_root_name(bytes, count, root, sizeof root);
  return strcmp(root, root_element.name) == 0 ? 100 : 0;
}

static sn_status scene_load(const void *self, sn_source *source, const sn_builder *builder,
                            sn_error *error) {
  scene s = { .source = source, .b = builder, .r = { builder->host, error } };
  xml_document doc = { .arena = { .host = builder->host } };
  (void)self;
  sn_status status = xml_parse(&doc, source, error);
  status = status < 0 ? status : read_scene(&s, doc.root);
  xml_arena_free(&doc.arena);
  return status;
}

// ------------------------------------------------------------------ the plugin

static const sn_loader_ops scene_ops = {
  .head = { .size = sizeof(sn_loader_ops), .summary = "scenes of models in other formats" },
  .extensions = "xml",
  .probe = scene_probe,
  .load = scene_load,
};

static const sn_provide provides[] = {
  SN_PROVIDE_LOADER("scene", &scene_ops),
  { NULL, NULL, NULL },
};

SN_PLUGIN(.name = "org.example.scene", .version = "1.0", .license = "Apache-2.0",
          .summary = "scenes of models", .provides = provides, .init = xml_init)
