// SPDX-License-Identifier: Apache-2.0
//
// A reader of XML for loaders. It turns a file into a tree of elements and attributes that have
// their source locations, and reads values as numbers and words. Its errors have file, line and
// column. The loaders of MJCF, URDF and x_xy are built on it.
//
//   xml_document doc = { .arena = { .host = builder->host } };
//   xml_reader r = { builder->host, error };
//   sn_status status = xml_parse(&doc, source, error);
//   ... walk over doc.root ...
//   xml_arena_free(&doc.arena);
//
// It is not part of the ABI. A plugin links its own hidden copy from the static library sinew_xml
// (target sinew::xml in CMake, otherwise -lsinew_xml -ltinyxml2 -lstdc++) and has the function
// xml_init as `init` in its descriptor. Its names begin with xml_. A newer version of Sinew may
// change a function: then plugins must be adapted when they are compiled again, while compiled
// plugins keep their copy.

#ifndef SINEW_XML_H
#define SINEW_XML_H

#include "sinew/xml/arena.h"   // memory that is freed all at once
#include "sinew/xml/file.h"    // names of files that a model refers to
#include "sinew/xml/value.h"   // numbers and words
#include "sinew/xml/xml.h"     // the tree

#endif
