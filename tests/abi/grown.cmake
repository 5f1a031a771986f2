# SPDX-License-Identifier: Apache-2.0
#
# grow_spec(FROM TO): a copy of spec.h as a later version may have it, with an element `planted` and
# settings `planted_settings`, each added in the way that spec.h describes.

function(grow_spec from to)
  file(READ "${from}" text)
  set(planted "#define SN_SPEC_FIELDS_planted(X) X(planted, NAME, name, names, NAME, FREE, EMPTY)
typedef struct sn_planted_def { SN_DEF_HEAD; const char *name; } sn_planted_def;
typedef struct sn_planted_settings { uint32_t def_size; int32_t reserved0; } sn_planted_settings;
static inline void sn_default_planted_settings(sn_planted_settings *s) { s->reserved0 = 0; }
")
  foreach(list "ELEMENTS;planted" "SETTINGS;planted_settings")
    list(GET list 0 name)
    list(GET list 1 kind)
    string(REPLACE "#define SN_${name}_1_1(X)\n" "${planted}#define SN_${name}_1_1(X) X(${kind})\n"
      grown "${text}")
    if(grown STREQUAL text)
      message(FATAL_ERROR "${from} has no empty list SN_${name}_1_1")
    endif()
    set(text "${grown}")
    set(planted "")
  endforeach()
  file(WRITE "${to}" "${text}")
endfunction()
