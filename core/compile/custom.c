// SPDX-License-Identifier: Apache-2.0
//
// Custom numbers, texts and tuples: data that the engine keeps for its user.

#include <string.h>

#include "compile/compile.h"

static int64_t numeric_length(const sn_numeric_def *numeric) {
  return numeric->length < 0 ? numeric->data.n : numeric->length;
}

static sn_status measure_numeric(si_build *b, int64_t i) {
  const sn_numeric_def *numeric = SI_DEF(b, numeric, i);
  int64_t length = numeric_length(numeric);
  enum { LARGEST = 1000000 };   // numbers; more is a mistake
  if (length < 1 || length > LARGEST) {
    return SI_FAIL(b, numeric, i, "it requires data or a size from 1 to %d", LARGEST);
  }
  if (numeric->data.n > length) {
    return SI_FAIL(b, numeric, i, "it has %lld numbers, more than its size %lld",
                   (long long)numeric->data.n, (long long)length);
  }
  b->size.nnumericdata += length;
  return SN_OK;
}

sn_status si_compile_custom_measure(si_build *b) {
  sn_model *s = &b->size;
  s->nuserdata = b->spec->size_hint.nuserdata > 0 ? b->spec->size_hint.nuserdata : 0;
  s->nnumeric = b->number[SI_ELEMENT_numeric].n;
  s->ntext = b->number[SI_ELEMENT_text].n;
  s->ntuple = b->number[SI_ELEMENT_tuple].n;
  for (int64_t i = 0; i < s->nnumeric; i++) {
    SN_TRY(measure_numeric(b, i));
  }
  for (int64_t i = 0; i < s->ntext; i++) {
    const char *data = SI_DEF(b, text, i)->data;
    if (!data || !data[0]) {
      return SI_FAIL(b, text, i, "it is empty");
    }
    s->ntextdata += (int64_t)strlen(data) + 1;
  }
  for (int64_t i = 0; i < s->ntuple; i++) {
    if (SI_DEF(b, tuple, i)->nitem == 0) {
      return SI_FAIL(b, tuple, i, "it is empty");
    }
    s->ntupledata += SI_DEF(b, tuple, i)->nitem;
  }
  return SN_OK;
}

static sn_status fill_tuples(si_build *b) {
  sn_model *m = b->m;
  int32_t address = 0;
  for (int64_t i = 0; i < m->ntuple; i++) {
    const sn_tuple_def *tuple = SI_DEF(b, tuple, i);
    m->tuple_adr[i] = address;
    m->tuple_size[i] = (int32_t)tuple->nitem;
    for (int64_t k = 0; k < tuple->nitem; k++, address++) {
      const sn_tuple_item *item = &tuple->item[k];
      SN_TRY(si_build_refer_word(b, SI_ELEMENT_tuple, i, item->objtype, item->object,
                                 &m->tuple_objid[address]));
      m->tuple_objtype[address] = si_object_number(item->objtype);
      m->tuple_objprm[address] = item->prm;
    }
  }
  return SN_OK;
}

sn_status si_compile_custom_fill(si_build *b) {
  sn_model *m = b->m;
  int32_t address = 0;
  for (int64_t i = 0; i < m->nnumeric; i++) {
    const sn_numeric_def *numeric = SI_DEF(b, numeric, i);
    m->numeric_adr[i] = address;
    m->numeric_size[i] = (int32_t)numeric_length(numeric);
    if (numeric->data.n > 0) {
      memcpy(m->numeric_data + address, numeric->data.p, (size_t)numeric->data.n * sizeof(double));
    }
    address += m->numeric_size[i];
  }
  address = 0;
  for (int64_t i = 0; i < m->ntext; i++) {
    const char *data = SI_DEF(b, text, i)->data;
    m->text_adr[i] = address;
    m->text_size[i] = (int32_t)strlen(data) + 1;
    memcpy(m->text_data + address, data, (size_t)m->text_size[i]);
    address += m->text_size[i];
  }
  return fill_tuples(b);
}
