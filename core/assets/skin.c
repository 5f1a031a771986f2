// SPDX-License-Identifier: Apache-2.0
//
// Skins: surfaces that follow bodies. A vertex moves with its bones by their weights, which are
// brought to a sum of one:
//
//   vert, texcoord, face     as given, of all skins one after the other
//   bone                     body, its pose at binding, then its vertices and weights
//
// A skin changes nothing but looks; its numbers are checked all the same, since viewers follow
// them.

#include <stdlib.h>
#include <string.h>

#include "assets/assets.h"
#include "sinew/math.h"

// ------------------------------------------------------------------ checks

static sn_status check_arrays(si_build *b, int64_t i) {
  const sn_skin_def *s = SI_DEF(b, skin, i);
  if (s->nbytes > 0 && s->vert.n == 0) {
    return si_build_fail(b, SN_EUNSUPPORTED, SI_ELEMENT_skin, i,
                         "the file of a skin can only be read by the loader of the model; specify "
                         "the vertices, faces and bones instead");
  }
  if (s->vert.n == 0 || s->face.n == 0 || s->nbone == 0) {
    return SI_FAIL(b, skin, i, "it has no %s; a skin requires vertices, faces and bones",
                   s->vert.n == 0   ? "vertices"
                   : s->face.n == 0 ? "faces"
                                    : "bones");
  }
  if (s->vert.n % 3 || s->face.n % 3) {
    return SI_FAIL(b, skin, i, "its %s are %lld numbers, which is not a multiple of 3",
                   s->vert.n % 3 ? "vertices" : "faces",
                   (long long)(s->vert.n % 3 ? s->vert.n : s->face.n));
  }
  int64_t nvert = s->vert.n / 3;
  if (s->texcoord.n != 0 && s->texcoord.n != 2 * nvert) {
    return SI_FAIL(b, skin, i,
                   "it has %lld vertices and %lld numbers of texture coordinates; specify two for "
                   "each vertex, or none",
                   (long long)nvert, (long long)s->texcoord.n);
  }
  for (int64_t k = 0; k < s->face.n; k++) {
    if (s->face.p[k] < 0 || s->face.p[k] >= nvert) {
      return SI_FAIL(b, skin, i, "face %lld refers to vertex %d; the vertices are 0 to %lld",
                     (long long)(k / 3), s->face.p[k], (long long)nvert - 1);
    }
  }
  return SN_OK;
}

static sn_status check_bone(si_build *b, int64_t i, int64_t k) {
  const sn_skin_def *s = SI_DEF(b, skin, i);
  const sn_bone_def *bone = &s->bone[k];
  int64_t nvert = s->vert.n / 3;
  if (bone->vertid.n == 0 || bone->vertid.n != bone->vertweight.n) {
    return SI_FAIL(b, skin, i,
                   "bone %lld has %lld vertices and %lld weights; specify one weight for each "
                   "vertex, and at least one vertex",
                   (long long)k, (long long)bone->vertid.n, (long long)bone->vertweight.n);
  }
  for (int64_t v = 0; v < bone->vertid.n; v++) {
    if (bone->vertid.p[v] < 0 || bone->vertid.p[v] >= nvert) {
      return SI_FAIL(b, skin, i, "bone %lld refers to vertex %d; the vertices are 0 to %lld",
                     (long long)k, bone->vertid.p[v], (long long)nvert - 1);
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ measure

sn_status si_skin_measure(si_build *b) {
  sn_model *size = &b->size;
  size->nskin = b->number[SI_ELEMENT_skin].n;
  for (int64_t i = 0; i < size->nskin; i++) {
    const sn_skin_def *s = SI_DEF(b, skin, i);
    SN_TRY(check_arrays(b, i));
    for (int64_t k = 0; k < s->nbone; k++) {
      SN_TRY(check_bone(b, i, k));
      size->nskinbonevert += s->bone[k].vertid.n;
    }
    size->nskinvert += s->vert.n / 3;
    size->nskintexvert += s->texcoord.n / 2;
    size->nskinface += s->face.n / 3;
    size->nskinbone += s->nbone;
    if (size->nskinvert > INT32_MAX || size->nskinface > INT32_MAX ||
        size->nskinbonevert > INT32_MAX) {
      return SI_FAIL(b, skin, i, "the skins together are too large");
    }
  }
  return SN_OK;
}

// ------------------------------------------------------------------ fill

// Where the next skin's arrays begin.
typedef struct cursor {
  int64_t vert, texcoord, face, bone, bonevert;
} cursor;

static sn_status fill_bones(si_build *b, int64_t i, cursor *at) {
  const sn_skin_def *s = SI_DEF(b, skin, i);
  sn_model *m = b->m;
  for (int64_t k = 0; k < s->nbone; k++, at->bone++) {
    const sn_bone_def *bone = &s->bone[k];
    int64_t n = bone->vertid.n;
    SN_TRY(SI_REFER(b, skin, i, body, bone->body, &m->skin_bonebodyid[at->bone]));
    sn_copy3(m->skin_bonebindpos + 3 * at->bone, bone->bindpos);
    sn_copy4(m->skin_bonebindquat + 4 * at->bone, bone->bindquat);
    sn_normalize4(m->skin_bonebindquat + 4 * at->bone);
    m->skin_bonevertadr[at->bone] = (int32_t)at->bonevert;
    m->skin_bonevertnum[at->bone] = (int32_t)n;
    memcpy(m->skin_bonevertid + at->bonevert, bone->vertid.p, (size_t)n * sizeof(int32_t));
    memcpy(m->skin_bonevertweight + at->bonevert, bone->vertweight.p, (size_t)n * sizeof(double));
    at->bonevert += n;
  }
  return SN_OK;
}

// The weights of each vertex to a sum of one. first: of the skin's numbers of bones' vertices.
static sn_status normalize_weights(si_build *b, int64_t i, int64_t first, int64_t end) {
  const sn_model *m = b->m;
  int64_t nvert = m->skin_vertnum[i];
  double *sum = calloc((size_t)nvert, sizeof *sum);
  if (!sum) {
    return si_fail(b->error, SN_ENOMEM, "out of memory while compiling");
  }
  for (int64_t k = first; k < end; k++) {
    sum[m->skin_bonevertid[k]] += m->skin_bonevertweight[k];
  }
  sn_status status = SN_OK;
  for (int64_t v = 0; v < nvert && status >= 0; v++) {
    if (!(sum[v] > SN_TINY)) {
      status = SI_FAIL(b, skin, i,
                       "the weights of vertex %lld add up to %g, which must be positive; add it to "
                       "a bone",
                       (long long)v, sum[v]);
    }
  }
  for (int64_t k = first; k < end && status >= 0; k++) {
    m->skin_bonevertweight[k] /= sum[m->skin_bonevertid[k]];
  }
  free(sum);
  return status;
}

static sn_status fill_skin(si_build *b, int64_t i, cursor *at) {
  const sn_skin_def *s = SI_DEF(b, skin, i);
  sn_model *m = b->m;
  // addresses
  m->skin_vertadr[i] = (int32_t)at->vert;
  m->skin_vertnum[i] = (int32_t)(s->vert.n / 3);
  m->skin_texcoordadr[i] = s->texcoord.n > 0 ? (int32_t)at->texcoord : -1;
  m->skin_faceadr[i] = (int32_t)at->face;
  m->skin_facenum[i] = (int32_t)(s->face.n / 3);
  m->skin_boneadr[i] = (int32_t)at->bone;
  m->skin_bonenum[i] = (int32_t)s->nbone;

  // numbers
  memcpy(m->skin_vert + 3 * at->vert, s->vert.p, (size_t)s->vert.n * sizeof(double));
  memcpy(m->skin_face + 3 * at->face, s->face.p, (size_t)s->face.n * sizeof(int32_t));
  if (s->texcoord.n > 0) {
    memcpy(m->skin_texcoord + 2 * at->texcoord, s->texcoord.p,
           (size_t)s->texcoord.n * sizeof(double));
  }
  int64_t first = at->bonevert;
  SN_TRY(fill_bones(b, i, at));
  SN_TRY(normalize_weights(b, i, first, at->bonevert));
  at->vert += s->vert.n / 3;
  at->texcoord += s->texcoord.n / 2;
  at->face += s->face.n / 3;
  return SN_OK;
}

sn_status si_skin_fill(si_build *b) {
  cursor at = { 0 };
  for (int64_t i = 0; i < b->m->nskin; i++) {
    SN_TRY(fill_skin(b, i, &at));
  }
  return SN_OK;
}
