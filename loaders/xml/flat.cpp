// SPDX-License-Identifier: Apache-2.0

#include "xml/flat.h"

#include <cstdio>
#include <vector>

#include "sinew/xml/xml.h"

namespace xml {
namespace {

struct open_tag {
  const char *name;
  size_t length;
  position at;
};

// What tinyxml2 takes for a part of a name.
bool in_name(char c) {
  const auto u = static_cast<unsigned char>(c);
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || u >= 128 ||
         (c && strchr("_:-.", c));
}

struct flattener {
  scanner s;
  flat_document *out;
  std::vector<open_tag> open;
  bool root = false;

  void keep(const char *from, const char *to) {
    out->text.append(from, static_cast<size_t>(to - from));
  }

  void keep_lines(const char *from, const char *to) {
    for (; from < to; from++) {
      if (*from == '\n') {
        out->text += '\n';
      }
    }
  }

  open_tag name_at(const char *p, position at) const {
    while (p < s.end && (blank(*p) || *p == '/')) {
      p++;
    }
    const char *q = p;
    while (q < s.end && in_name(*q)) {
      q++;
    }
    return { p, static_cast<size_t>(q - p), at };
  }

  // false, always: the document ends here
  bool fail(position at, const char *format, const open_tag &a, const open_tag &b) {
    char text[400];
    const auto shown = [](const open_tag &tag) {
      return static_cast<int>(tag.length < 80 ? tag.length : 80);
    };
    // cppcheck-suppress wrongPrintfScanfArgNum ; it takes the size for the format
    snprintf(text, sizeof text, format, shown(a), a.name, shown(b), b.name, b.at.line, b.at.column);
    out->fault = text;
    out->at = at;
    return false;
  }

  // what is too much for the parser, too
  bool reject(position at, const std::string &what) {
    out->fault = what;
    out->at = at;
    out->rejected = true;
    return false;
  }

  bool end_tag() {
    const char *const from = s.p;
    const open_tag tag = name_at(from + 1, s.at);
    if (open.empty()) {
      if (root) {
        out->rest = s.at;
        return false;
      }
      return fail(tag.at, "the end tag </%.*s> has no start tag", tag, tag);
    }
    const open_tag last = open.back();
    if (tag.length != last.length || memcmp(tag.name, last.name, tag.length) != 0) {
      return fail(tag.at,
                  "the end tag </%.*s> does not match the start tag <%.*s> in line %d, column %d",
                  tag, last);
    }
    if (!s.pass(">")) {
      return fail(tag.at, "the end tag </%.*s> lacks its '>'", tag, tag);
    }
    open.pop_back();
    out->text += "<!/>";
    keep_lines(from, s.p);
    return true;
  }

  bool start_tag() {
    const char *const from = s.p;
    const open_tag tag = name_at(from + 1, s.at);
    if (open.size() >= XML_MAX_DEPTH) {
      return reject(tag.at, "elements are nested more than " + std::to_string(XML_MAX_DEPTH) +
                                " levels deep, the limit");
    }
    const int64_t attributes = s.count_attributes();
    if (attributes > XML_MAX_ATTRIBUTES) {
      return reject(tag.at, "an element with more than " + std::to_string(XML_MAX_ATTRIBUTES) +
                                " attributes");
    }
    root = true;
    if (s.p == s.end) {   // tinyxml2 says what is wrong
      keep(from, s.p);
      return false;
    }
    const bool empty = s.p[-1] == '/';
    keep(from, s.p - empty);
    out->text += empty ? "/><!/>" : "/>";
    s.to(s.p + 1);
    if (!empty) {
      open.push_back(tag);
    }
    return true;
  }

  // comments, character data and declarations; false: that does not end. Old versions of xacro put
  // comments before the declaration of XML, which tinyxml2 takes at the very start only; it means
  // nothing here.
  bool other() {
    const bool left_out = (s.starts("<!") && !s.starts("<!--") && !s.starts("<![CDATA[")) ||
                          (s.starts("<?") && !root);
    const char *const from = s.p;
    s.pass_other();
    if (s.lost || !left_out) {
      keep(from, s.lost ? s.end : s.p);
    } else {
      keep_lines(from, s.p);
    }
    return !s.lost;
  }

  bool next() {
    const char *const from = s.p, *const tag = s.find(from, "<");
    keep(from, tag ? tag : s.end);
    if (!tag) {
      return false;
    }
    s.to(tag);
    return s.at_end_tag() ? end_tag() : s.starts("<!") || s.starts("<?") ? other() : start_tag();
  }
};

}   // namespace

void flatten(scanner source, flat_document *out) {
  flattener f = { source, out, {} };
  out->text.reserve(static_cast<size_t>(source.end - source.p) + 64);
  while (f.next()) {}
  if (out->fault.empty() && !f.s.lost && f.s.p <= f.s.end && !f.open.empty()) {
    const open_tag &last = f.open.back();
    f.fail(last.at, "the element <%.*s> has no end tag </%.*s>", last, last);
  }
}

}   // namespace xml
