// SPDX-License-Identifier: Apache-2.0
//
// The name of a document's root element, found without parsing the document: for `probe`.

#include <string.h>

#include "sinew/xml/xml.h"

static int starts(const char *p, const char *end, const char *text) {
  const size_t n = strlen(text);
  return (size_t)(end - p) >= n && memcmp(p, text, n) == 0;
}

// Behind the next `text`; NULL: there is none, or `p` is NULL.
static const char *behind(const char *p, const char *end, const char *text) {
  const char *found = p ? memmem(p, (size_t)(end - p), text, strlen(text)) : NULL;
  return found ? found + strlen(text) : NULL;
}

static int blank(char c) {
  return c != '\0' && strchr(" \t\n\r\f\v", c) != NULL;
}

// Behind a document type, with its declarations in brackets if it has such.
static const char *behind_doctype(const char *p, const char *end) {
  const char *bracket = behind(p, end, "["), *close = behind(p, end, ">");
  if (bracket && close && bracket < close) {
    p = behind(p, end, "]");
  }
  return behind(p, end, ">");
}

// Behind blanks, comments, instructions and the document type; NULL: the text ends in one of them.
static const char *skip_prolog(const char *p, const char *end) {
  for (;;) {
    while (p && p < end && blank(*p)) {
      p++;
    }
    if (!p) {
      return NULL;
    }
    if (starts(p, end, "<!--")) {
      p = behind(p, end, "-->");
    } else if (starts(p, end, "<?")) {
      p = behind(p, end, "?>");
    } else if (starts(p, end, "<!")) {
      p = behind_doctype(p, end);
    } else {
      return p;
    }
  }
}

void xml_root_name(const uint8_t *bytes, int64_t count, char *name, size_t size) {
  const char *p = (const char *)bytes, *end = p + count;
  p = skip_prolog(starts(p, end, "\xef\xbb\xbf") ? p + 3 : p, end);
  size_t n = 0;
  if (p && starts(p, end, "<")) {
    for (p++; p < end && !blank(*p) && *p != '>' && *p != '/'; p++) {
      if (n + 1 < size) {
        name[n++] = *p;
      }
    }
  }
  name[n] = '\0';
}
