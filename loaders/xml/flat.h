// SPDX-License-Identifier: Apache-2.0
//
// A document without its nesting, so that a parser that limits nesting, or that recurses, reads it
// however deep it is. A start tag becomes an empty element; the end of every element is marked:
//
//   <a x="1">text<b/></a>     ->     <a x="1"/>text<b/><!/><!/>
//
// Declarations that begin with "<!" are left out, so "<!/>" is never one of the document. Lines
// stay lines. Whether end tags match their start tags is checked here.

#ifndef LOADERS_XML_FLAT_H
#define LOADERS_XML_FLAT_H

#include <string>

#include "xml/scan.h"

namespace xml {

struct flat_document {
  std::string text;
  std::string fault;          // what is wrong with the nesting, or empty
  position at = { 0, 0 };     // of that
  bool rejected = false;       // the text must not be parsed: that would take too long
  position rest = { 0, 0 };   // of an end tag behind the root, where the document ends
};

// Throws std::bad_alloc.
void flatten(scanner source, flat_document *out);

}   // namespace xml

#endif
