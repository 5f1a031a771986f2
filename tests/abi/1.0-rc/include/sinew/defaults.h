// SPDX-License-Identifier: Apache-2.0
//
// The documented defaults: sn_default_<element>(&def) initializes a definition struct of spec.h,
// sn_default_<settings>(&settings) a settings struct of options.h. All [any].
//
// The functions are inline: a plugin uses the defaults that it was compiled with. Members that
// later versions append to a struct are zero then, and zero means the default.

#ifndef SINEW_DEFAULTS_H
#define SINEW_DEFAULTS_H

#include "sinew/fields_spec.h"
#include "sinew/spec.h"

SN_BEGIN_DECLS

// out = in
static inline void sn_set_reals(double *out, int n, const double *in) {
  memcpy(out, in, (size_t)n * sizeof(double));
}

// Sets n numbers to SN_UNSET.
static inline void sn_unset_reals(double *out, int n) {
  for (int i = 0; i < n; i++) {
    out[i] = SN_UNSET;
  }
}

// Copies ngiven numbers to out (n); the last one is repeated up to the end.
static inline void sn_fill_reals(void *out, int n, const double *given, int ngiven) {
  for (int i = 0; i < n; i++) {
    memcpy((char *)out + (size_t)i * sizeof(double), given + (i < ngiven ? i : ngiven - 1),
           sizeof(double));
  }
}

#define SN_SET(array, ...)                                                  \
  do {                                                                      \
    const double set_values[] = { __VA_ARGS__ };                            \
    sn_set_reals(array, (int)(sizeof(array) / sizeof(double)), set_values); \
  } while (0)
#define SN_SET_UNSET(array) sn_unset_reals(array, (int)(sizeof(array) / sizeof(double)))
#define SN_DEFAULT_HEAD(def) \
  (memset((def), 0, sizeof *(def)), (void)((def)->def_size = sizeof *(def)))

// The orientation of the parent, and no alternative.
static inline void sn_default_orient(sn_orient *o) {
  SN_SET(o->quat, 1, 0, 0, 0);
  SN_SET_UNSET(o->axisangle);
  SN_SET_UNSET(o->euler);
  SN_SET_UNSET(o->xyaxes);
  SN_SET_UNSET(o->zaxis);
}

// The defaults of definitions, from the tables of fields_spec.h: sn_default_body(&body) ... Arrays
// and names of other elements are empty (NULL, 0) because the struct is cleared first.
#define SN_DEFAULT_MEMBER(kind, type, member, field, copy, about, ...) \
  SN_DEFAULT_OF_##type(member, __VA_ARGS__)
#define SN_DEFAULT_OF_REAL(member, ...)                                                          \
  do {                                                                                           \
    const double given[] = { __VA_ARGS__ };                                                      \
    sn_fill_reals(&d->member, (int)(sizeof(d->member) / sizeof(double)), given,                  \
                  (int)(sizeof(given) / sizeof(double)));                                        \
  } while (0);
#define SN_DEFAULT_OF_INT(member, value) d->member = value;
#define SN_DEFAULT_OF_FLAG(member, value) d->member = value;
#define SN_DEFAULT_OF_LIMITED(member, value) d->member = value;
#define SN_DEFAULT_OF_OWNER(member, value) d->member = value;
#define SN_DEFAULT_OF_TEXT(member, value) d->member = value;
#define SN_DEFAULT_OF_ORIENT(member, identity) sn_default_orient(&d->member);
#define SN_DEFAULT_OF_TEXTS(member, none)
#define SN_DEFAULT_OF_NAME(member, need)
#define SN_DEFAULT_OF_REALS(member, empty)
#define SN_DEFAULT_OF_INTS(member, empty)
#define SN_DEFAULT_OF_BYTES(member, empty)
#define SN_DEFAULT_OF_ITEMS(member, table)
#define SN_DEFAULT_DEF(kind)                                    \
  static inline void sn_default_##kind(sn_##kind##_def *d) {    \
    SN_DEFAULT_HEAD(d);                                         \
    SN_SPEC_FIELDS_##kind(SN_DEFAULT_MEMBER)                    \
  }
SN_ELEMENTS(SN_DEFAULT_DEF)

// As sn_default_<element>().
static inline void sn_default_include(sn_include_def *d) {
  SN_DEFAULT_HEAD(d);
  sn_default_orient(&d->orient);
}

// The defaults of settings, from the tables of options.h: sn_default_option(&option) ...
#define SN_DEFAULT_REAL(name, count, ...) SN_DEFAULT_OF_REAL(name, __VA_ARGS__)
#define SN_DEFAULT_INT(name, value) d->name = value;
#define SN_DEFAULT_TEXT(name, value) strcpy(d->name, value);
#define SN_DEFAULT_SETTINGS(type, TABLE)                    \
  static inline void sn_default_##type(sn_##type *d) {      \
    SN_DEFAULT_HEAD(d);                                     \
    TABLE(SN_DEFAULT_REAL, SN_DEFAULT_INT, SN_DEFAULT_TEXT) \
  }
SN_DEFAULT_SETTINGS(option, SN_OPTIONS)
SN_DEFAULT_SETTINGS(compiler, SN_COMPILER)
SN_DEFAULT_SETTINGS(size_hint, SN_SIZE_HINTS)
SN_DEFAULT_SETTINGS(statistic, SN_STATISTICS)
SN_DEFAULT_SETTINGS(visual, SN_VISUAL)

SN_END_DECLS

#endif
