// SPDX-License-Identifier: Apache-2.0
//
// Shapes of a link. A collision shape is a geom that collides and whose density counts where the
// link has no inertial; a visual shape is one of group 1 that does neither. With the compiler's
// discardvisual, the default here, only the color of a visual shape is read: its geometry and its
// files are not looked at. One that is kept and cannot be shown is left out with a note.
//
// Visual shapes have materials. A shape without one has the color of the shape before it in the
// link.

#include <stdio.h>
#include <string.h>

#include "sinew/math.h"
#include "sinew/xml/file.h"
#include "urdf/urdf.h"

// ------------------------------------------------------------------ materials

// The first material of that name that has a color: at the top or in any link.
static const xml_node *find_color(const xml_node *node, const char *name) {
  for (const xml_node *n = node->first; n; n = n->next) {
    const xml_node *found = NULL;
    if (strcmp(n->name, "material") == 0) {
      const xml_attr *a = xml_find_attr(n, "name");
      found = a && strcmp(a->value, name) == 0 ? xml_find_child(n, "color") : NULL;
    } else if (strcmp(n->name, "link") == 0 || strcmp(n->name, "visual") == 0) {
      found = find_color(n, name);
    }
    if (found) {
      return found;
    }
  }
  return NULL;
}

// A color is changed only when the shape says one.
static sn_status read_color(urdf_reader *r, const xml_node *shape, double *rgba) {
  const xml_node *material, *color;
  SN_TRY(urdf_only(r, shape, "material", &material));
  if (!material) {
    return SN_OK;
  }
  const xml_attr *name = xml_find_attr(material, "name");
  SN_TRY(urdf_only(r, material, "color", &color));
  if (!color && name) {
    color = find_color(r->robot, name->value);
  }
  if (!color) {
    return urdf_note_that(r, material, NULL, "material \"%.80s\" has no color in this file",
                          name ? name->value : "");
  }
  double read[4];
  sn_error *error = r->xml.error;
  r->xml.error = NULL;   // a color that cannot be read is no reason to reject a robot
  sn_status status = urdf_reals(r, color, "rgba", 1, 4, read);
  r->xml.error = error;
  if (status < 0) {
    return status == SN_ENOMEM ? urdf_no_memory(r, color)
                               : urdf_note_that(r, color, NULL,
                                                "a color must have four numbers; this one is "
                                                "ignored");
  }
  memcpy(rgba, read, sizeof read);
  return SN_OK;
}

// ------------------------------------------------------------------ meshes

// The mesh of that file and scale, if the spec has it.
static int32_t find_mesh(urdf_reader *r, const sn_mesh_def *mesh) {
  int64_t n = r->b->count(r->b->spec, "mesh");
  for (int32_t i = 0; i < n; i++) {
    sn_mesh_def other;
    other.def_size = sizeof other;
    if (r->b->get_mesh(r->b->spec, i, &other, NULL) >= 0 && other.file &&
        strcmp(other.file, mesh->file) == 0 &&
        memcmp(other.scale, mesh->scale, sizeof other.scale) == 0) {
      return i;
    }
  }
  return -1;
}

// Named like its file, with a number where another one has that name.
static void name_mesh(urdf_reader *r, const char *file, char *name, size_t size) {
  const char *base = urdf_base_name(file), *dot = strrchr(base, '.');
  int n = dot && dot > base ? (int)(dot - base) : (int)strlen(base);
  n = n < 200 ? n : 200;
  snprintf(name, size, "%.*s", n, base);
  for (int k = 1; r->b->find(r->b->spec, "mesh", name) >= 0; k++) {
    snprintf(name, size, "%.*s%d", n, base, k);
  }
}

// geom->mesh stays NULL where the file is missing and may be.
static sn_status read_mesh(urdf_reader *r, const xml_node *node, int visual, sn_geom_def *geom,
                           char *name, size_t size) {
  const xml_attr *attr;
  sn_mesh_def mesh;
  sn_source *file = NULL;
  sn_default_mesh(&mesh);
  SN_TRY(urdf_need(r, node, "filename", &attr));
  SN_TRY(urdf_reals(r, node, "scale", 0, 3, mesh.scale));
  SN_TRY(urdf_open_mesh(r, node, attr, visual, &file));
  if (!file) {
    return SN_OK;
  }
  mesh.file = xml_file_name(&r->doc.arena, file->name);
  if (!mesh.file) {
    r->source->close(file);
    return urdf_no_memory(r, node);
  }
  sn_status status = SN_OK;
  int32_t id = find_mesh(r, &mesh);
  if (id < 0) {
    const sn_location location = xml_location(node);
    name_mesh(r, attr->value, name, size);
    mesh.name = name;
    mesh.bytes = file->bytes;
    mesh.nbytes = file->count;
    status = r->b->add_mesh(r->b->spec, &mesh, &location, &id, r->xml.error);
  } else {
    sn_mesh_def same;
    same.def_size = sizeof same;
    status = r->b->get_mesh(r->b->spec, id, &same, r->xml.error);
    snprintf(name, size, "%s", status < 0 ? "" : same.name);
  }
  r->source->close(file);
  geom->mesh = name;
  return status;
}

// ------------------------------------------------------------------ shapes

static const struct {
  const char *name;
  int32_t type;
  struct {
    const char *name;
    int64_t count;
    double scale;   // full lengths to halves
  } attr[2];
} shapes[] = {
  { "box", SN_GEOM_BOX, { { "size", 3, 0.5 } } },
  { "sphere", SN_GEOM_SPHERE, { { "radius", 1, 1 } } },
  { "cylinder", SN_GEOM_CYLINDER, { { "radius", 1, 1 }, { "length", 1, 0.5 } } },
  { "capsule", SN_GEOM_CAPSULE, { { "radius", 1, 1 }, { "length", 1, 0.5 } } },
  { "mesh", SN_GEOM_MESH, { { NULL, 0, 0 } } },
};
enum { NSHAPES = sizeof shapes / sizeof shapes[0] };

// *none: a visual shape of no size, which shows nothing.
static sn_status read_sizes(urdf_reader *r, const xml_node *node, int which, int visual,
                            double *size, int *none) {
  double *to = size;
  for (int k = 0; k < 2 && shapes[which].attr[k].name; k++) {
    int64_t n = shapes[which].attr[k].count;
    SN_TRY(urdf_reals(r, node, shapes[which].attr[k].name, 1, n, to));
    for (int64_t i = 0; i < n; i++) {
      *none |= visual && to[i] <= 0;
      if (to[i] <= 0 && !visual) {
        return xml_fail(&r->xml, SN_EPARSE, node, xml_find_attr(node, shapes[which].attr[k].name),
                        "%s: %s must be positive, got %g", node->name, shapes[which].attr[k].name,
                        to[i]);
      }
      to[i] *= shapes[which].attr[k].scale;
    }
    to += n;
  }
  return SN_OK;
}

// The first known shape in `geometry`.
static sn_status find_shape(urdf_reader *r, const xml_node *geometry, const xml_node **node,
                            int *which) {
  for (const xml_node *n = geometry->first; n; n = n->next) {
    for (int k = 0; k < NSHAPES; k++) {
      if (strcmp(n->name, shapes[k].name) == 0) {
        *node = n;
        *which = k;
        return SN_OK;
      }
    }
  }
  return xml_fail(&r->xml, SN_EPARSE, geometry, NULL,
                  "geometry needs one of <box>, <cylinder>, "
                  "<sphere>, <capsule>, <mesh>%s%.60s%s",
                  geometry->first ? "; it has <" : "", geometry->first ? geometry->first->name : "",
                  geometry->first ? ">" : "");
}

static sn_status read_shape(urdf_reader *r, const xml_node *node, int visual, int32_t body,
                            double *rgba) {
  const xml_node *geometry, *shape = NULL;
  int which = 0, none = 0;
  char name[256];
  sn_geom_def geom;
  sn_default_geom(&geom);
  if (visual) {
    SN_TRY(read_color(r, node, rgba));
  }
  if (visual && r->compiler.discardvisual) {
    return SN_OK;
  }
  SN_TRY(urdf_only(r, node, "geometry", &geometry));
  if (visual && (!geometry || !geometry->first)) {
    return SN_OK;   // an empty visual shows nothing
  }
  if (!geometry) {
    return xml_fail(&r->xml, SN_EPARSE, node, NULL, "%s needs <geometry>", node->name);
  }
  SN_TRY(find_shape(r, geometry, &shape, &which));
  for (const xml_node *n = geometry->first; n; n = n->next) {
    if (n != shape) {
      SN_TRY(urdf_leave(r, n, NULL, "a geometry must have one shape; the others are ignored"));
    }
  }
  geom.type = shapes[which].type;
  SN_TRY(read_sizes(r, shape, which, visual, geom.size, &none));
  if (none) {
    return urdf_note_that(r, shape, NULL, "a visual shape of size 0 is invisible and is ignored");
  }
  SN_TRY(urdf_origin(r, node, geom.pos, geom.orient.quat));
  if (geom.type == SN_GEOM_MESH) {
    SN_TRY(read_mesh(r, shape, visual, &geom, name, sizeof name));
    if (!geom.mesh) {
      return SN_OK;
    }
  }
  if (xml_find_attr(node, "name")) {   // nor does the reference engine
    SN_TRY(urdf_note_that(r, node, xml_find_attr(node, "name"), "names of shapes are ignored"));
  }
  geom.body = body;
  memcpy(geom.rgba, rgba, sizeof geom.rgba);
  if (visual) {
    geom.contype = geom.conaffinity = 0;
    geom.group = 1;
    geom.density = 0;
  }
  const sn_location location = xml_location(node);
  int32_t id;
  return r->b->add_geom(r->b->spec, &geom, &location, &id, r->xml.error);
}

sn_status urdf_read_shapes(urdf_reader *r, urdf_link *link) {
  sn_geom_def plain;
  sn_default_geom(&plain);
  double rgba[4];
  memcpy(rgba, plain.rgba, sizeof rgba);
  for (const xml_node *n = link->node->first; n; n = n->next) {
    const int64_t before = r->b->count(r->b->spec, "geom");
    if (strcmp(n->name, "visual") == 0) {
      SN_TRY(read_shape(r, n, 1, link->body, rgba));
    } else if (strcmp(n->name, "collision") == 0) {
      SN_TRY(read_shape(r, n, 0, link->body, rgba));
      link->nsolid += r->b->count(r->b->spec, "geom") > before;
    }
  }
  return SN_OK;
}
