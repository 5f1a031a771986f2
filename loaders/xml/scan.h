// SPDX-License-Identifier: Apache-2.0
//
// A scanner over the text of a document that knows the line and the column where it is. It finds
// tags; it does not judge them.

#ifndef LOADERS_XML_SCAN_H
#define LOADERS_XML_SCAN_H

#include <cstdint>
#include <cstring>

namespace xml {

inline bool blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
}

struct position {
  int32_t line, column;
};

struct scanner {
  const char *p, *end;
  position at = { 1, 1 };
  bool lost = false;

  scanner(const char *bytes, int64_t count) : p(bytes), end(bytes + count) {
    if (count >= 3 && memcmp(bytes, "\xef\xbb\xbf", 3) == 0) {
      p += 3;
    }
  }

  void to(const char *q) {
    for (; p < q; p++) {
      if (*p == '\n') {
        at = { at.line + 1, 1 };
      } else if ((*p & 0xc0) != 0x80) {
        at.column++;
      }
    }
  }

  const char *find(const char *from, const char *text) const {
    return static_cast<const char *>(
        memmem(from, static_cast<size_t>(end - from), text, strlen(text)));
  }

  void skip_blank() {
    const char *q = p;
    while (q < end && blank(*q)) {
      q++;
    }
    to(q);
  }

  // moves behind the next `text`
  bool pass(const char *text) {
    const char *q = find(p, text);
    if (!q) {
      lost = true;
      return false;
    }
    to(q + strlen(text));
    return true;
  }

  // moves behind a document type, with its declarations in brackets if it has such
  void pass_doctype() {
    const char *bracket = find(p, "["), *close = find(p, ">");
    if (bracket && close && bracket < close) {
      pass("]");
    }
    pass(">");
  }

  bool starts(const char *text) const {
    size_t n = strlen(text);
    return static_cast<size_t>(end - p) >= n && memcmp(p, text, n) == 0;
  }

  // is here an end tag? tinyxml2 takes blanks before its slash
  bool at_end_tag() const {
    const char *q = p + 1;
    while (q < end && blank(*q)) {
      q++;
    }
    return q < end && *q == '/';
  }

  // moves behind what is not a start tag; false: here is none of that
  bool pass_other() {
    static const char *const others[][2] = {
      { "<!--", "-->" }, { "<![CDATA[", "]]>" }, { "<!", ">" }, { "<?", "?>" }
    };
    for (const auto &pair : others) {
      if (starts(pair[0])) {
        to(p + strlen(pair[0]));
        pass(pair[1]);
        return true;
      }
    }
    return at_end_tag() && (pass(">"), true);
  }

  // moves to the next start tag; false: there is none
  bool next_tag() {
    while (!lost) {
      const char *q = find(p, "<");
      if (!q) {
        lost = true;
        break;
      }
      to(q);
      if (!pass_other()) {
        return true;
      }
    }
    return false;
  }

  // moves behind the name of the next start tag, which must be `name`; the place of its '<'
  position element(const char *name) {
    if (!next_tag()) {
      return { 0, 0 };
    }
    position place = at;
    to(p + 1);
    skip_blank();
    if (!starts(name)) {
      lost = true;
      return { 0, 0 };
    }
    to(p + strlen(name));
    return place;
  }

  // moves behind the next attribute, whatever its name; false: there is none, or it is broken
  bool any_attribute(position *place, const char **name, size_t *length) {
    skip_blank();
    *place = at;
    *name = p;
    const char *q = p;
    while (q < end && !blank(*q) && !strchr("=/><\"'", *q)) {
      q++;
    }
    *length = static_cast<size_t>(q - p);
    to(q);
    skip_blank();
    if (*length == 0 || !starts("=")) {
      return false;
    }
    to(p + 1);
    skip_blank();
    if (!starts("\"") && !starts("'")) {
      return false;
    }
    const char quote[2] = { *p, 0 };
    to(p + 1);
    return pass(quote);
  }

  // moves behind a start tag; how many attributes it seems to have
  int64_t count_attributes() {
    int64_t n = 0;
    char quote = 0;
    const char *q = p;
    for (; q < end && (quote || *q != '>'); q++) {
      if (quote) {
        quote = *q == quote ? '\0' : quote;
      } else if (*q == '"' || *q == '\'') {
        quote = *q;
        n++;
      }
    }
    to(q);
    return n;
  }

  // moves behind the next attribute, which must be `name`
  position attribute(const char *name) {
    skip_blank();
    if (lost || !starts(name)) {
      lost = true;
      return { 0, 0 };
    }
    position place = at;
    to(p + strlen(name));
    skip_blank();
    if (!starts("=")) {
      lost = true;
      return place;
    }
    to(p + 1);
    skip_blank();
    const char quote[2] = { p < end ? *p : '"', 0 };
    if (p < end) {
      to(p + 1);
    }
    pass(quote);
    return place;
  }
};

}   // namespace xml

#endif
