// SPDX-License-Identifier: Apache-2.0
//
// tinyxml2 reads tags and text; nesting is kept from it (flat.h), since it rejects what is nested
// deeper than 100. It knows the lines of elements and attributes, not their columns. So while its
// list is made into our tree, a scanner walks over the source text in step with it: elements in
// document order are the start tags in the order of the text. What tinyxml2 accepted the scanner
// finds again; should they ever disagree, lines remain and columns are 0.

#include "sinew/xml/xml.h"

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>
#include <vector>

#include <tinyxml2.h>

#include "xml/flat.h"

namespace {

using tinyxml2::XMLAttribute;
using tinyxml2::XMLDocument;
using tinyxml2::XMLElement;
using tinyxml2::XMLNode;
using xml::position;
using xml::scanner;

const int64_t max_bytes = INT64_C(1) << 30;

// ------------------------------------------------------------------ characters

const uint32_t most_codepoint = 0x10ffff;

bool surrogate(uint32_t c) {
  return c >= 0xd800 && c <= 0xdfff;
}

// Char of XML 1.0, section 2.2.
bool xml_char(uint32_t c) {
  return c == 0x9 || c == 0xa || c == 0xd ||
         (c >= 0x20 && c <= most_codepoint && !surrogate(c) && c != 0xfffe && c != 0xffff);
}

// Is here the number of a character as XML 1.0, section 4.1, writes it: "#65;", "#x41;"?
bool char_number(const char *p, const char *end) {
  const bool hex = end - p > 1 && p[1] == 'x';
  const char *const digits = hex ? "0123456789abcdef" : "0123456789";
  const uint32_t base = hex ? 16 : 10;
  const char *const first = p + (hex ? 2 : 1);
  uint32_t c = 0;
  for (p = first; p < end && *p != ';'; p++) {
    const int lower = *p >= 'A' && *p <= 'F' ? *p - 'A' + 'a' : *p;
    const auto *digit = static_cast<const char *>(memchr(digits, lower, static_cast<size_t>(base)));
    if (!digit || c > most_codepoint) {
      return false;
    }
    c = c * base + static_cast<uint32_t>(digit - digits);
  }
  return p > first && p < end && xml_char(c);
}

// The first ampersand of a value that begins neither a character's number nor an entity of XML
// itself, or null: tinyxml2 passes such, and may lose it.
const char *stray_ampersand(const char *p, const char *end) {
  static const char *const known[] = { "lt;", "gt;", "amp;", "quot;", "apos;" };
  for (; (p = static_cast<const char *>(memchr(p, '&', static_cast<size_t>(end - p)))); p++) {
    bool found = end - p > 1 && p[1] == '#' && char_number(p + 1, end);
    for (const char *word : known) {
      const size_t n = strlen(word);
      found = found || (static_cast<size_t>(end - p) > n && memcmp(p + 1, word, n) == 0);
    }
    if (!found) {
      return p;
    }
  }
  return nullptr;
}

// The bytes of the character at `p`, which ends with a zero, in UTF-8: 1 to 4; 0: it is none, as
// forms that are longer than needed and numbers that no character has are not.
int utf8_length(const char *p) {
  static const uint32_t least[] = { 0, 0, 0x80, 0x800, 0x10000 };
  const auto first = static_cast<unsigned char>(*p);
  const int n = first < 0x80             ? 1
                : (first & 0xe0) == 0xc0 ? 2
                : (first & 0xf0) == 0xe0 ? 3
                : (first & 0xf8) == 0xf0 ? 4
                                         : 0;
  uint32_t c = n > 1 ? first & (0x7fU >> n) : first;
  for (int i = 1; i < n; i++) {
    if ((p[i] & 0xc0) != 0x80) {
      return 0;
    }
    c = c << 6 | (static_cast<unsigned char>(p[i]) & 0x3fU);
  }
  return c >= least[n] && c <= most_codepoint && !surrogate(c) ? n : 0;
}

// ------------------------------------------------------------------ the copy

bool says_something(const XMLNode *text) {
  return text->Value()[strspn(text->Value(), " \t\r\n")] != 0;
}

struct copier {
  xml_document *doc;
  const char *file;
  scanner source;
  sn_error *error;

  sn_status fail(sn_status code, position at, const char *format, ...)
      __attribute__((format(printf, 4, 5))) {
    char text[512];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    const sn_host *host = doc->arena.host;
    return host->error(host, error, code, file, at.line, at.column, text);
  }

  // a copy of text that must be UTF-8
  sn_status text(const char *from, position at, const char *what, const char **to) {
    for (const char *p = from; *p;) {
      const int n = utf8_length(p);
      if (n == 0) {
        return fail(SN_EPARSE, at, "%s is not UTF-8; save the file in that encoding", what);
      }
      p += n;
    }
    *to = xml_copy(&doc->arena, from, strlen(from));
    return *to ? SN_OK : fail(SN_ENOMEM, at, "out of memory");
  }

  sn_status attributes(const XMLElement *element, xml_node *node) {
    xml_attr **tail = &node->attrs;
    for (const XMLAttribute *a = element->FirstAttribute(); a; a = a->Next()) {
      auto *attr = static_cast<xml_attr *>(xml_alloc(&doc->arena, sizeof(xml_attr)));
      if (!attr) {
        return fail(SN_ENOMEM, { node->line, node->column }, "out of memory");
      }
      const char *raw = source.p;
      position at = source.attribute(a->Name());
      if (source.lost) {
        at = { a->GetLineNum(), 0 };
      } else if (const char *stray = stray_ampersand(raw, source.p)) {
        const size_t length = strcspn(stray, ";\"'");
        return fail(SN_EPARSE, at,
                    "\"%.*s\" does not begin an entity of XML; write &amp; for an ampersand "
                    "(entities of a document type are not expanded)",
                    static_cast<int>(length < 80 ? length : 80), stray);
      }
      attr->line = at.line;
      attr->column = at.column;
      *tail = attr;
      tail = &attr->next;
      sn_status status = text(a->Name(), at, "the name of an attribute", &attr->name);
      if (status >= 0) {
        status = text(a->Value(), at, a->Name(), &attr->value);
      }
      if (status < 0) {
        return status;
      }
    }
    return SN_OK;
  }

  sn_status element(const XMLElement *from, xml_node *parent, xml_node **to) {
    auto *node = static_cast<xml_node *>(xml_alloc(&doc->arena, sizeof(xml_node)));
    if (!node) {
      return fail(SN_ENOMEM, { from->GetLineNum(), 0 }, "out of memory");
    }
    position at = source.element(from->Name());
    if (source.lost) {
      at = { from->GetLineNum(), 0 };
    }
    node->file = file;
    node->parent = parent;
    node->line = at.line;
    node->column = at.column;
    *to = node;
    sn_status status = text(from->Name(), at, "the name of an element", &node->name);
    return status < 0 ? status : attributes(from, node);
  }

  // what follows the root: only its place is kept
  sn_status behind(int32_t line) {
    doc->rest = static_cast<xml_node *>(xml_alloc(&doc->arena, sizeof(xml_node)));
    if (!doc->rest) {
      return fail(SN_ENOMEM, { line, 0 }, "out of memory");
    }
    doc->rest->name = "";
    doc->rest->file = file;
    doc->rest->line = line;
    return SN_OK;
  }

  // the tree of a flat document: elements, each followed by its content and a mark of its end
  sn_status tree(const XMLDocument &flat) {
    struct level {
      xml_node *node, **tail;
    };
    std::vector<level> open;
    sn_status status = SN_OK;
    for (const XMLNode *n = flat.FirstChild(); n && status >= 0; n = n->NextSibling()) {
      const XMLElement *element_of = n->ToElement();
      const bool says = n->ToText() && says_something(n);
      if (open.empty() && doc->root && (element_of || says)) {
        return behind(n->GetLineNum());
      }
      if (element_of) {
        xml_node **to = open.empty() ? &doc->root : open.back().tail;
        status = element(element_of, open.empty() ? nullptr : open.back().node, to);
        if (status >= 0) {
          if (!open.empty()) {
            open.back().tail = &(*to)->next;
          }
          open.push_back({ *to, &(*to)->first });
        }
      } else if (n->ToUnknown() && !open.empty()) {
        open.pop_back();
      } else if (says && !open.empty() && !open.back().node->text) {
        // the first text that says something
        xml_node *node = open.back().node;
        status = text(n->Value(), { node->line, node->column }, "text", &node->text);
      }
    }
    return status;
  }
};

const char *explain(tinyxml2::XMLError id) {
  switch (id) {
    case tinyxml2::XML_ERROR_EMPTY_DOCUMENT: return "there is no element in it";
    case tinyxml2::XML_ERROR_PARSING_ELEMENT: return "an element is not closed, or has no name";
    case tinyxml2::XML_ERROR_PARSING_ATTRIBUTE:
      return "an attribute is specified twice or "
             "malformed";
    case tinyxml2::XML_ERROR_PARSING_TEXT: return "text does not end";
    case tinyxml2::XML_ERROR_PARSING_CDATA: return "a CDATA section does not end";
    case tinyxml2::XML_ERROR_PARSING_COMMENT: return "a comment does not end";
    case tinyxml2::XML_ERROR_PARSING_DECLARATION: return "a declaration is malformed or misplaced";
    case tinyxml2::XML_ERROR_PARSING_UNKNOWN: return "a declaration does not end";
    default: return "cannot be parsed";
  }
}

// What is wrong with the attributes of an element in this line, with its exact place.
sn_status explain_attributes(copier *copy, int32_t line) {
  scanner tags = copy->source;
  while (tags.next_tag()) {
    scanner inside = tags;
    tags.count_attributes();
    if (tags.at.line < line) {
      continue;
    }
    const char *name = inside.p + 1;
    const int length = static_cast<int>(strcspn(name, " \t\r\n\f\v/>"));
    inside.to(name + length);
    const scanner start = inside;
    position at;
    const char *attr;
    size_t n = 0;
    int64_t count = 0;
    for (; inside.any_attribute(&at, &attr, &n); count++) {
      scanner before = start;
      for (int64_t i = 0; i < count; i++) {
        position other;
        const char *same;
        size_t m;
        before.any_attribute(&other, &same, &m);
        if (m == n && memcmp(attr, same, n) == 0) {
          return copy->fail(
              SN_EPARSE, at, "not well-formed XML: attribute \"%.*s\" of <%.*s> is specified twice",
              static_cast<int>(n < 80 ? n : 80), attr, length < 80 ? length : 80, name);
        }
      }
    }
    if (n > 0 || (!inside.starts(">") && !inside.starts("/>"))) {
      return copy->fail(SN_EPARSE, at,
                        "not well-formed XML: in <%.*s>, expected an attribute, name=\"value\"",
                        length < 80 ? length : 80, name);
    }
  }
  return copy->fail(SN_EPARSE, { line, 0 }, "not well-formed XML: %s",
                    explain(tinyxml2::XML_ERROR_PARSING_ATTRIBUTE));
}

// About the memory that the trees of tinyxml2 and of this file take together: the text is copied
// twice, and a tag of 4 bytes becomes a node of 200.
int64_t room_for(const char *text, int64_t count) {
  enum { NODE = 200, ATTRIBUTE = 100 };
  int64_t bytes = 2 * count;
  for (int64_t i = 0; i < count; i++) {
    bytes += text[i] == '<' ? NODE : text[i] == '=' ? ATTRIBUTE : 0;
  }
  return bytes;
}

sn_status parse(xml_document *doc, copier *copy, const char *text, int64_t count) {
  // what tinyxml2 would stop at or misread
  if (count > max_bytes) {
    return copy->fail(SN_EPARSE, { 0, 0 }, "larger than 1 GiB, the limit for XML");
  }
  if (count >= 2 && (memcmp(text, "\xff\xfe", 2) == 0 || memcmp(text, "\xfe\xff", 2) == 0)) {
    return copy->fail(SN_EPARSE, { 1, 1 }, "UTF-16; save the file as UTF-8");
  }
  if (const void *zero = memchr(text, 0, static_cast<size_t>(count))) {
    copy->source.to(static_cast<const char *>(zero));
    return copy->fail(SN_EPARSE, copy->source.at, "a zero byte: this is not XML");
  }

  // without its nesting; tinyxml2 compares each attribute of an element with all others, so it is
  // not asked where they are too many
  xml::flat_document flat;
  flatten(copy->source, &flat);
  if (flat.rejected) {
    return copy->fail(SN_EPARSE, flat.at, "%s", flat.fault.c_str());
  }

  XMLDocument tree;
  tree.Parse(flat.text.data(), flat.text.size());
  std::string().swap(flat.text);
  if (tree.ErrorID() == tinyxml2::XML_ERROR_PARSING_ATTRIBUTE) {
    return explain_attributes(copy, tree.ErrorLineNum());
  }
  const bool empty = tree.ErrorID() == tinyxml2::XML_ERROR_EMPTY_DOCUMENT;
  if (tree.Error() && !(empty && !flat.fault.empty())) {
    return copy->fail(SN_EPARSE, { tree.ErrorLineNum(), 0 }, "not well-formed XML: %s",
                      explain(tree.ErrorID()));
  }
  if (!flat.fault.empty()) {
    return copy->fail(SN_EPARSE, flat.at, "not well-formed XML: %s", flat.fault.c_str());
  }

  // the first element is the document
  doc->root = nullptr;
  doc->rest = nullptr;
  if (!tree.RootElement()) {
    return copy->fail(SN_EPARSE, { 1, 1 }, "not well-formed XML: there is no element in it");
  }
  const sn_status status = copy->tree(tree);
  return status < 0 || doc->rest || !flat.rest.line ? status : copy->behind(flat.rest.line);
}

}   // namespace

sn_status xml_init(const sn_host *, sn_error *) {
  volatile int asked = std::uncaught_exceptions();   // a pure function: unused, it is not called
  (void)asked;
  return SN_OK;
}

sn_status xml_parse(xml_document *doc, sn_source *source, sn_error *error) {
  xml_init(doc->arena.host, error);   // for this thread
  const char *const name = source->name;
  const int64_t count = source->count;
  const char *text = count > 0 ? reinterpret_cast<const char *>(source->bytes) : "";
  if (SN_HAS(source, reserve) && source->reserve) {
    const sn_status status = source->reserve(source, room_for(text, count), error);
    if (status < 0) {
      return status;
    }
  }
  copier copy = { doc, name, scanner(text, count), error };
  copy.file = xml_copy(&doc->arena, name ? name : "", name ? strlen(name) : 0);
  if (!copy.file) {
    return copy.fail(SN_ENOMEM, { 0, 0 }, "out of memory");
  }
  try {
    return parse(doc, &copy, text, count);
  } catch (const std::bad_alloc &) {
    return copy.fail(SN_ENOMEM, { 0, 0 }, "out of memory");
  }
}

void xml_splice(xml_node *node, xml_node *root) {
  xml_node **link = &node->parent->first;
  while (*link != node) {
    link = &(*link)->next;
  }
  *link = root->first;
  while (*link) {
    (*link)->parent = node->parent;
    link = &(*link)->next;
  }
  *link = node->next;
}

int32_t xml_step(xml_walk *w) {
  const int32_t pass = w->pass;
  w->pass = 0;
  if (!w->node) {
    w->node = w->top;
    w->depth = 1;
  } else if (!w->leaving && w->node->first && !pass) {
    w->node = w->node->first;
    w->depth++;
  } else if (!w->leaving) {
    w->leaving = 1;
  } else if (w->node == w->top) {
    return 0;
  } else if (w->node->next) {
    w->node = w->node->next;
    w->leaving = 0;
  } else {
    w->node = w->node->parent;
    w->depth--;
  }
  return 1;
}

const xml_attr *xml_find_attr(const xml_node *node, const char *name) {
  for (const xml_attr *a = node->attrs; a; a = a->next) {
    if (strcmp(a->name, name) == 0) {
      return a;
    }
  }
  return nullptr;
}

const xml_node *xml_find_child(const xml_node *node, const char *name) {
  for (const xml_node *n = node->first; n; n = n->next) {
    if (strcmp(n->name, name) == 0) {
      return n;
    }
  }
  return nullptr;
}
