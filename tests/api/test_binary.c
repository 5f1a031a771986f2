// SPDX-License-Identifier: Apache-2.0
//
// The model's binary file when it is not what was written: each word of a small model that has a
// bit of everything is altered, and the checksum made to fit. What is read either is rejected with
// a reason or simulates a few steps; the sanitizers see to it that neither leaves its arrays.

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/binary.h"
#include "api/load.h"
#include "base/hash.h"
#include "model/model.h"
#include "model_file.h"
#include "suite.h"

static sn_engine *engine;
static sn_error *error;
static uint8_t *image;   // of the file
static int64_t size;
enum { HEADER = 32, HASH_AT = 24 };   // bytes of the header, and where it keeps the hash

static sn_status grow(sn_sink *sink, const void *bytes, int64_t count) {
  (void)sink;
  image = realloc(image, (size_t)(size + count));
  memcpy(image + size, bytes, (size_t)count);
  size += count;
  return SN_OK;
}

static void setup(void) {
  error = sn_error_new();
  engine = sn_engine_open(SN_TEST_BUILD "/sinew.ini", error);
  ck_assert_msg(engine != NULL, "%s", sn_error_text(error));
  sn_engine_set_log(engine, NULL, NULL);
  sn_model *m = sn_load(engine, MODEL("model/small"), error);
  ck_assert_msg(m != NULL, "%s", sn_error_text(error));
  sn_sink sink = { .size = sizeof sink, .write = grow };
  ck_assert_int_eq(si_model_write(m, &sink, error), SN_OK);
  sn_model_free(m);
}

static void teardown(void) {
  free(image);
  image = NULL;
  size = 0;
  sn_engine_close(engine);
  sn_error_free(error);
}

static void seal(void) {
  uint64_t hash = si_hash_words(SI_HASH_START, image + HEADER, (size_t)(size - HEADER));
  memcpy(image + HASH_AT, &hash, sizeof hash);
}

// Reads the image, steps what was read. True: it was read.
static int try_image(void) {
  si_error_clear(error);
  sn_model *m = si_model_load(engine, image, size, "altered", error);
  if (!m) {
    ck_assert_int_lt(sn_error_code(error), 0);
    ck_assert_uint_gt(strlen(sn_error_message(error)), 0);
    return 0;
  }
  sn_data *d = sn_data_new(m, NULL);
  if (d) {
    for (int64_t i = 0; i < snm_nu(m); i++) {
      snd_ctrl(d)[i] = 0.1;
    }
    sn_step(m, d);
    sn_step(m, d);
    sn_body_forces(m, d);
    sn_data_free(d);
  }
  sn_model_free(m);
  return 1;
}

START_TEST(intact) {
  ck_assert_msg(try_image(), "%s", sn_error_text(error));
}
END_TEST

START_TEST(checksum) {
  for (int64_t at = HEADER; at < size; at += 97) {
    image[at] ^= 1;
    ck_assert(!try_image());
    ck_assert_ptr_nonnull(strstr(sn_error_message(error), "its checksum does not match"));
    image[at] ^= 1;
  }
}
END_TEST

// each word is turned round; some are altered in other ways
static const struct {
  uint32_t bits;
  int64_t stride;   // words
} flips[] = { { 0xffffffffu, 1 }, { 0x00000001u, 7 }, { 0x80000000u, 7 }, { 0x00100004u, 7 } };

START_TEST(each_word) {
  int64_t rejected = 0, read = 0;
  for (int64_t at = HEADER; at + 4 <= size; at += 4 * flips[_i].stride) {
    uint32_t word, altered;
    memcpy(&word, image + at, sizeof word);
    altered = word ^ flips[_i].bits;
    memcpy(image + at, &altered, sizeof word);
    seal();
    *(try_image() ? &read : &rejected) += 1;
    memcpy(image + at, &word, sizeof word);
  }
  seal();
  ck_assert(try_image());
  ck_assert_int_gt(rejected, 1000 / flips[_i].stride);
  ck_assert_int_gt(read, 100 / flips[_i].stride);
}
END_TEST

// Sizes that no array of the file backs are what its elements need, no more and no less.
START_TEST(derived_sizes) {
  static const char *const names[] = { "nmoment",     "ntenJ", "nsensorstate",
                                       "nsensordata", "na",    "nmocap" };
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    char entry[32] = { 0 };
    strcpy(entry, names[i]);
    uint8_t *at = memmem(image, (size_t)size, entry, sizeof entry);
    ck_assert_ptr_nonnull(at);
    int64_t value;
    memcpy(&value, at + 32, sizeof value);
    for (int64_t change = -1; change <= 1; change += 2) {
      int64_t other = value + change;
      memcpy(at + 32, &other, sizeof other);
      seal();
      ck_assert_msg(!try_image(), "%s = %lld was read", names[i], (long long)other);
      ck_assert_ptr_nonnull(strstr(sn_error_message(error), "model"));
    }
    memcpy(at + 32, &value, sizeof value);
  }
}
END_TEST

// The size of something that has no array in the file is limited, or a short file could ask for any
// amount of memory.
START_TEST(huge_size) {
  char entry[32] = "nuserdata";
  uint8_t *at = memmem(image, (size_t)size, entry, sizeof entry);
  ck_assert_ptr_nonnull(at);
  memcpy(at + 32, &(int64_t){ 100000001 }, sizeof(int64_t));
  seal();
  ck_assert(!try_image());
  ck_assert_ptr_nonnull(strstr(sn_error_message(error), "a size is out of range"));
}
END_TEST

TESTS() {
  FIXTURE(setup, teardown);
  TEST(intact);
  TEST(checksum);
  TEST(derived_sizes);
  TEST(huge_size);
  EACH(each_word, 0, sizeof flips / sizeof flips[0]);
}
