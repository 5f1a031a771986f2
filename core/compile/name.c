// SPDX-License-Identifier: Apache-2.0
//
// The names of a model: one run of bytes, each name ended by a zero.
//
//   [ 0 | model 0 | world 0 | torso 0 | ... | none 0 | fixed 0 | ... ]
//     ^ offset 0: the empty name, of everything that has none
//
// The same walk counts the bytes before the arrays exist and writes them after.

#include <string.h>

#include "compile/compile.h"
#include "model/element.h"

// Where the walk is: a byte count, and the bytes once they exist.
typedef struct writer {
  int64_t n;
  char *bytes;
} writer;

// Writes a text, and its offset to offsets[i]; NULL offsets: only counts.
static void put(writer *w, const char *text, int32_t *offsets, int64_t i) {
  if (!text || !text[0]) {
    return;
  }
  size_t size = strlen(text) + 1;
  if (w->bytes) {
    memcpy(w->bytes + w->n, text, size);
  }
  if (offsets) {
    offsets[i] = (int32_t)w->n;
  }
  w->n += (int64_t)size;
}

static const int32_t kinds[] = {
#define SN_X(kind, size, prefix, also) SI_ELEMENT_##kind,
  SN_MODEL_ELEMENTS(SN_X)
#undef SN_X
};

static void walk_elements(const si_build *b, writer *w) {
  for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
    int32_t kind = kinds[k];
    const si_numbering *number = &b->number[kind];
    int64_t n = 0;
    int32_t *offsets = b->m ? si_model_names(b->m, si_element_shape[kind].kind, &n) : NULL;
    for (int64_t i = 0; i < number->n; i++) {
      put(w, si_element_name(&b->spec->list[kind].at[number->spec[i]]), offsets, i);
    }
  }
}

static sn_status walk_laws(si_build *b, writer *w) {
  sn_model *m = b->m;
  for (int64_t i = 0; i < b->number[SI_ELEMENT_actuator].n; i++) {
    const sn_actuator_def *a = SI_DEF(b, actuator, i);
    int given = a->gaintype && a->gaintype[0];
    put(w, a->dyntype && a->dyntype[0] ? a->dyntype : "none", m ? m->actuator_dynname : NULL, i);
    put(w, given ? a->gaintype : "fixed", m ? m->actuator_gainname : NULL, i);
    put(w, a->biastype && a->biastype[0] ? a->biastype : "none", m ? m->actuator_biasname : NULL,
        i);
    put(w, a->attributes, m ? m->actuator_attradr : NULL, i);
  }
  for (int64_t i = 0; i < b->number[SI_ELEMENT_geom].n; i++) {
    put(w, SI_DEF(b, geom, i)->shape, m ? m->geom_shapename : NULL, i);
    put(w, SI_DEF(b, geom, i)->attributes, m ? m->geom_attradr : NULL, i);
  }
  for (int64_t i = 0; i < b->number[SI_ELEMENT_sensor].n; i++) {
    const sn_sensor_def *sensor = SI_DEF(b, sensor, i);
    const char *object, *reference;
    SN_TRY(si_build_sensor_kinds(b, i, &object, &reference));
    put(w, sensor->type, m ? m->sensor_typename : NULL, i);
    put(w, object, m ? m->sensor_objtypename : NULL, i);
    put(w, reference, m ? m->sensor_reftypename : NULL, i);
    put(w, sensor->attributes, m ? m->sensor_attradr : NULL, i);
  }
  for (int64_t i = 0; i < b->number[SI_ELEMENT_equality].n; i++) {
    put(w, SI_DEF(b, equality, i)->plugin, m ? m->eq_typename : NULL, i);
    put(w, SI_DEF(b, equality, i)->attributes, m ? m->eq_attradr : NULL, i);
  }
  for (int64_t i = 0; i < b->number[SI_ELEMENT_force].n; i++) {
    put(w, SI_DEF(b, force, i)->type, m ? m->force_typename : NULL, i);
    put(w, SI_DEF(b, force, i)->attributes, m ? m->force_attradr : NULL, i);
  }
  return SN_OK;
}

static sn_status walk(si_build *b, writer *w) {
  w->n = 1;
  if (b->spec->name[0]) {
    put(w, b->spec->name, NULL, 0);
  } else {
    w->n++;   // the model's name is there even when it is empty
  }
  walk_elements(b, w);
  return walk_laws(b, w);
}

sn_status si_compile_name_measure(si_build *b) {
  writer w = { 0 };
  SN_TRY(walk(b, &w));
  if (w.n > INT32_MAX) {
    return si_fail(b->error, SN_ECOMPILE, "the names of the model need more than 2 GB");
  }
  b->size.nnames = w.n;
  return SN_OK;
}

sn_status si_compile_name_fill(si_build *b) {
  writer w = { .bytes = b->m->names };
  return walk(b, &w);
}
