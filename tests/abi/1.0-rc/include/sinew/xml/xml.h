// SPDX-License-Identifier: Apache-2.0
//
// The C face over tinyxml2: bytes to a tree of elements and attributes that know where they were
// written. In: a file's bytes. Out: the tree, or one error with its place.
//
//   node --first--> child --next--> child ...     node --attrs--> attr --next--> attr ...
//
// Functions that walk over the tree do not recurse: deep nesting would exhaust the stack.
// Names, values and nodes live in the arena of the document. Entities are resolved, comments and
// processing instructions gone. Lines and columns count from 1, columns in characters.

#ifndef SINEW_XML_XML_H
#define SINEW_XML_XML_H

#include "sinew/loader.h"
#include "sinew/spec.h"
#include "sinew/xml/arena.h"

SN_BEGIN_DECLS

enum { XML_MAX_DEPTH = 10000 };       // of nested elements, also after splicing
enum { XML_MAX_ATTRIBUTES = 1000 };   // of one element

// An attribute.
typedef struct xml_attr xml_attr;
struct xml_attr {
  const char *name, *value;
  xml_attr *next;
  int32_t line, column;   // of its name
};

// An element.
typedef struct xml_node xml_node;
struct xml_node {
  const char *name;
  const char *text;   // first piece of text that is not blank, or NULL
  const char *file;   // where it was written
  xml_attr *attrs;
  xml_node *parent, *first, *next;
  const void *rule;       // the loader's: what its schema says of the node; NULL at first
  int32_t line, column;   // of its '<'; column 0: not known
};

// How loaders say what they pass over.
#define XML_TEXT_IGNORED "text between elements has no meaning and is ignored"
#define XML_REST_IGNORED "content after the end of the root element is ignored"

// A document that was read.
typedef struct xml_document {
  xml_arena arena;
  xml_node *root;
  xml_node *rest;   // the first element or text behind the root, without its content, or NULL
} xml_document;

// The init of a loader's plugin. A C++ library that came with a plugin takes memory for a thread at
// its first exception, and the C library ends the process when there is none. Out of memory is such
// an exception: so the memory is taken before.
sn_status xml_init(const sn_host *host, sn_error *error);

// [load] Parses a source into `doc`, whose arena is ready; several files may share one. SN_EPARSE
// with a place: empty, not XML, not UTF-8, nested too deeply, too large; SN_ENOMEM, also where its
// elements would take more than the engine allows.
sn_status xml_parse(xml_document *doc, sn_source *source, sn_error *error);

// [any] The name of the first element without parsing the rest: `name` gets at most size - 1
// characters of it, "" when these bytes do not start like XML.
void xml_root_name(const uint8_t *bytes, int64_t count, char *name, size_t size);

// [load] Puts the children of `root` in the place of `node`, a child of node->parent.
void xml_splice(xml_node *node, xml_node *root);

// A walk over a node and all below it that meets each node twice: on the way in, before what is
// inside of it, and on the way out. Loaders walk in this way instead of by recursion, for which
// trees may be too deep. Start with { .top = node }; what is behind the present node may be changed
// between the steps.
typedef struct xml_walk {
  xml_node *top, *node;
  int32_t leaving;   // is this the way out of the node?
  int32_t depth;     // of the node; that of `top` is 1
  int32_t pass;      // set to 1 on the way in, the walk passes over what is inside
} xml_walk;
// [any] 0: there is no more.
int32_t xml_step(xml_walk *walk);

// [any] The attribute of that name, or NULL. The first child of that name, or NULL.
const xml_attr *xml_find_attr(const xml_node *node, const char *name);
const xml_node *xml_find_child(const xml_node *node, const char *name);

// [any] Where an element was written.
static inline sn_location xml_location(const xml_node *node) {
  sn_location location = { node->file, node->line, node->column };
  return location;
}
// [any] Where an attribute was written.
static inline sn_location xml_attr_location(const xml_node *node, const xml_attr *attr) {
  sn_location location = { node->file, attr->line, attr->column };
  return location;
}

SN_END_DECLS

#endif
