// SPDX-License-Identifier: Apache-2.0
//
// A C interface to tinyxml2. It turns the bytes of a file into a tree of elements and attributes
// that have their source locations, or reports one error with its source location.
//
//   node --first--> child --next--> child ...     node --attrs--> attr --next--> attr ...
//
// Functions that walk over the tree do not recurse: deep nesting would exhaust the stack. Names,
// values and nodes are stored in the arena of the document. Entities are resolved; comments and
// processing instructions are removed. Lines and columns are numbered from 1; columns count
// characters.

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
  const char *file;   // the file that contains it
  xml_attr *attrs;
  xml_node *parent, *first, *next;
  const void *rule;       // for the loader: the row of its schema for this node; NULL at first
  int32_t line, column;   // of its '<'; column 0: not known
};

// The warnings of loaders about content that they ignore.
#define XML_TEXT_IGNORED "text between elements has no meaning and is ignored"
#define XML_REST_IGNORED "content after the end of the root element is ignored"

// A document that was read.
typedef struct xml_document {
  xml_arena arena;
  xml_node *root;
  xml_node *rest;   // the first element or text after the root, without its content, or NULL
} xml_document;

// The `init` of the plugin of a loader. A thread's first C++ exception allocates memory, and the C
// library ends the process if that fails. The exception may be the one for exhausted memory, so
// this function allocates the memory in advance.
sn_status xml_init(const sn_host *host, sn_error *error);

// [load] Parses a source into `doc`, whose arena has its host; several documents may share an
// arena. SN_EPARSE, with the source location: the file is empty, not XML, not UTF-8, nested too
// deeply or too large. SN_ENOMEM: out of memory, or its elements need more than the limit of the
// engine.
sn_status xml_parse(xml_document *doc, sn_source *source, sn_error *error);

// [any] The name of the first element, without parsing the rest: `name` receives at most size - 1
// characters of it, or "" if the bytes do not start like XML.
void xml_root_name(const uint8_t *bytes, int64_t count, char *name, size_t size);

// [load] Replaces `node`, which must have a parent, by the children of `root`.
void xml_splice(xml_node *node, xml_node *root);

// A walk over a node and its descendants that visits each node twice: before its children, and
// after them. Loaders use it instead of recursion, for which trees may be too deep. Start with
// `top` set and the rest zero. Nodes that have not been visited yet may be changed between the
// steps.
typedef struct xml_walk {
  xml_node *top, *node;
  int32_t leaving;   // 1: the second visit, after the children
  int32_t depth;     // of the node; that of `top` is 1
  int32_t pass;      // set it to 1 at the first visit to skip the children
} xml_walk;
// [any] Goes to the next node; returns 0 if there is none.
int32_t xml_step(xml_walk *walk);

// [any] The attribute, or the first child, with this name; NULL if there is none.
const xml_attr *xml_find_attr(const xml_node *node, const char *name);
const xml_node *xml_find_child(const xml_node *node, const char *name);

// [any] The source location of an element.
static inline sn_location xml_location(const xml_node *node) {
  sn_location location = { node->file, node->line, node->column };
  return location;
}
// [any] The source location of an attribute.
static inline sn_location xml_attr_location(const xml_node *node, const xml_attr *attr) {
  sn_location location = { node->file, attr->line, attr->column };
  return location;
}

SN_END_DECLS

#endif
