// SPDX-License-Identifier: Apache-2.0
//
// Definition structs by their table (correspondence.h): one walk copies what they point to, one
// checks their numbers; no kind has code of its own.

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/sized.h"
#include "spec/spec.h"

int32_t si_element_of(const char *kind) {
  if (!kind) {
    return -1;
  }
  if (strcmp(kind, "xbody") == 0) {
    return SI_ELEMENT_body;
  }
  for (int32_t i = 0; i < SI_NELEMENTS; i++) {
    if (strcmp(si_element_shape[i].kind, kind) == 0) {
      return i;
    }
  }
  return -1;
}

// ------------------------------------------------------------------ reading members

static const void *pointer_at(const void *def, size_t offset) {
  const void *p;
  memcpy(&p, (const char *)def + offset, sizeof p);
  return p;
}

static void set_pointer(void *def, size_t offset, const void *p) {
  memcpy((char *)def + offset, &p, sizeof p);
}

static int64_t count_at(const void *def, size_t offset) {
  int64_t n;
  memcpy(&n, (const char *)def + offset, sizeof n);
  return n;
}

static int is_text(const si_def_member *member) {
  return member->type == SI_DEF_TEXT || member->type == SI_DEF_NAME;
}

// Bytes of one entry of an array.
static size_t entry_bytes(const si_def_member *member) {
  static const size_t bytes[] = { [SI_DEF_REALS] = sizeof(double),
                                  [SI_DEF_INTS] = sizeof(int32_t),
                                  [SI_DEF_BYTES] = 1,
                                  [SI_DEF_ITEMS] = 0 };
  return member->type == SI_DEF_ITEMS ? member->item->size : bytes[member->type];
}

static size_t rounded(size_t bytes) {
  return (bytes + 7) / 8 * 8;
}

// ------------------------------------------------------------------ copying

// The bytes that an array or string needs behind the struct; a following zero for bytes, which
// parsers like to see.
static size_t payload(const si_def_member *member, const void *def) {
  int64_t n = count_at(def, member->count);
  if (!pointer_at(def, member->offset) || n <= 0) {
    return 0;
  }
  return rounded((size_t)n * entry_bytes(member) + (member->type == SI_DEF_BYTES));
}

static size_t behind(const si_struct_shape *shape, const void *def) {
  size_t sum = 0;
  for (const si_def_member *member = shape->members; member->type; member++) {
    if (is_text(member)) {
      for (size_t i = 0; i < member->count; i++) {
        const char *text = pointer_at(def, member->offset + i * sizeof text);
        sum += text ? rounded(strlen(text) + 1) : 0;
      }
    } else if (member->type >= SI_DEF_REALS) {
      sum += payload(member, def);
    }
    if (member->type == SI_DEF_ITEMS) {
      const char *items = pointer_at(def, member->offset);
      for (int64_t i = 0; items && i < count_at(def, member->count); i++) {
        sum += behind(member->item, items + (size_t)i * member->item->size);
      }
    }
  }
  return sum;
}

size_t si_shape_bytes(const si_struct_shape *shape, const void *def) {
  return rounded(shape->size) + behind(shape, def);
}

// Moves what `def` (already in its place) points to behind it; returns the end.
static char *take_over(const si_struct_shape *shape, void *def, char *end) {
  for (const si_def_member *member = shape->members; member->type; member++) {
    if (is_text(member)) {
      for (size_t i = 0; i < member->count; i++) {
        size_t offset = member->offset + i * sizeof(char *);
        const char *text = pointer_at(def, offset);
        if (text) {
          set_pointer(def, offset, memcpy(end, text, strlen(text) + 1));
          end += rounded(strlen(text) + 1);
        }
      }
    } else if (member->type >= SI_DEF_REALS) {
      size_t bytes = payload(member, def);
      int64_t n = count_at(def, member->count);
      const void *from = pointer_at(def, member->offset);
      set_pointer(def, member->offset, bytes ? end : NULL);
      if (!bytes) {
        n = 0;
        memcpy((char *)def + member->count, &n, sizeof n);
        continue;
      }
      char *to = memcpy(end, from, (size_t)n * entry_bytes(member));
      end += bytes;
      for (int64_t i = 0; member->type == SI_DEF_ITEMS && i < n; i++) {
        end = take_over(member->item, to + (size_t)i * member->item->size, end);
      }
    }
  }
  return end;
}

void si_shape_copy(const si_struct_shape *shape, const void *def, void *block) {
  memset(block, 0, si_shape_bytes(shape, def));
  memcpy(block, def, shape->size);
  take_over(shape, block, (char *)block + rounded(shape->size));
}

// ------------------------------------------------------------------ checking

static sn_status check_numbers(const si_def_member *member, const double *p, int64_t n,
                               const char *what, const sn_location *location, sn_error *error) {
  for (int64_t i = 0; i < n; i++) {
    if (!isfinite(p[i]) && !(member->about & SI_CHECK_UNSET && isnan(p[i]))) {
      return si_fail_at(error, SN_EINVAL, location, "%s: %s[%lld] is not a finite number", what,
                        member->name, (long long)i);
    }
  }
  return SN_OK;
}

sn_status si_shape_check(const si_struct_shape *shape, const void *def, const char *what,
                         const sn_location *location, sn_error *error) {
  for (const si_def_member *member = shape->members; member->type; member++) {
    const void *at = (const char *)def + member->offset;
    if (member->type == SI_DEF_REAL) {
      SN_TRY(check_numbers(member, at, (int64_t)member->count, what, location, error));
    } else if (member->type >= SI_DEF_REALS) {
      const char *p = pointer_at(def, member->offset);
      int64_t n = count_at(def, member->count);
      if (n < 0 || (n > 0 && !p) || n > INT32_MAX) {
        return si_fail_at(error, SN_EINVAL, location, "%s: %s has a wrong count %lld", what,
                          member->name, (long long)n);
      }
      if (member->type == SI_DEF_REALS) {
        SN_TRY(check_numbers(member, (const double *)(const void *)p, n, what, location, error));
      }
      for (int64_t i = 0; member->type == SI_DEF_ITEMS && i < n; i++) {
        SN_TRY(si_shape_check(member->item, p + (size_t)i * member->item->size, what, location,
                              error));
      }
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ other versions' structs

sn_status si_shape_update(void *ours, size_t size, const void *theirs, const char *what,
                          const sn_location *location, sn_error *error) {
  uint32_t length;
  if (!theirs) {
    return si_fail_at(error, SN_EINVAL, location,
                      "%s: the definition is NULL; start from sn_default_...()", what);
  }
  memcpy(&length, theirs, sizeof length);
  if (length < SI_SHORTEST || length > SI_LONGEST) {
    return si_fail_at(error, SN_EINVAL, location, "%s: def_size is %u; start from sn_default_...()",
                      what, length);
  }
  const unsigned char *bytes = theirs;
  for (size_t i = size; i < length; i++) {
    if (bytes[i]) {
      return si_fail_at(error, SN_EUNSUPPORTED, location,
                        "%s: it was written for a newer version of Sinew and has members that this "
                        "version does not know",
                        what);
    }
  }
  memcpy(ours, theirs, length < size ? length : size);
  uint32_t own = (uint32_t)size;
  memcpy(ours, &own, sizeof own);
  return SN_OK;
}

sn_status si_shape_import(void *ours, size_t size, const void *theirs, const char *what,
                          const sn_location *location, sn_error *error) {
  memset(ours, 0, size);
  return si_shape_update(ours, size, theirs, what, location, error);
}

sn_status si_shape_export(void *theirs, const void *ours, size_t size, const char *what,
                          sn_error *error) {
  uint32_t length;
  if (!theirs) {
    return si_fail(error, SN_EINVAL, "%s: the struct to write to is NULL", what);
  }
  if (si_copy_out(theirs, ours, size) < 0) {
    memcpy(&length, theirs, sizeof length);
    return si_fail(error, SN_EINVAL,
                   "%s: def_size is %u; set it to the size of the struct, as "
                   "sn_default_...() does",
                   what, length);
  }
  return SN_OK;
}
