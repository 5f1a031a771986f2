// SPDX-License-Identifier: Apache-2.0
//
// Numbers in texts: what sn_read_number and sn_write_number do is what strtod and printf of the C
// library do in the C locale, for random bits, halfway cases, subnormal numbers and odd texts; and
// the shortest text of a number is the shortest one, and the nearest of these.

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sanitized.h"
#include "sinew/number.h"
#include "suite.h"

enum { NRANDOM = SOME(5000), LONG = 1200 };

static uint64_t state;

// splitmix64
static uint64_t bits64(void) {
  uint64_t z = state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static double from_bits(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

static double random_finite(void) {
  double x = from_bits(bits64());
  return isfinite(x) ? x : 1;
}

static void same_reading(const char *text) {
  char *expected_end;
  double found;
  const double expected = strtod(text, &expected_end);
  const char *end = sn_read_number(text, &found);
  ck_assert_msg(end == expected_end, "\"%.60s\" ends after %d, not %d", text, (int)(end - text),
                (int)(expected_end - text));
  ck_assert_msg(memcmp(&found, &expected, sizeof found) == 0, "\"%.60s\" is %a, not %a", text,
                found, expected);
}

static void same_writing(double x) {
  for (int digits = 1; digits <= 17; digits++) {
    char expected[64], found[SN_NUMBER_ROOM];
    const int n = snprintf(expected, sizeof expected, "%.*g", digits, x);
    ck_assert_int_eq(sn_write_number(found, x, digits), n);
    ck_assert_str_eq(found, expected);
  }
}

// How many digits a text has, without those of the exponent and zeros at both ends.
static int count_digits(const char *text) {
  int n = 0, significant = 0;
  for (; *text && *text != 'e'; text++) {
    n += *text >= '0' && *text <= '9' && (n > 0 || *text != '0');
    significant = *text >= '1' && *text <= '9' ? n : significant;
  }
  return significant;
}

// x is read back; with one digit less it is not, rounded up or down; nothing as short is nearer.
static void is_shortest(double x) {
  char text[SN_NUMBER_ROOM], other[64];
  ck_assert_int_eq(sn_write_number(text, x, 0), (int)strlen(text));
  const double back = strtod(text, NULL);
  ck_assert_msg(memcmp(&back, &x, sizeof x) == 0, "%a is written as %s", x, text);
  const int n = count_digits(text);
  if (n > 1) {
    snprintf(other, sizeof other, "%.*e", n - 2, x);
    ck_assert_msg(strtod(other, NULL) != x, "%s is written as %s", other, text);
    snprintf(other, sizeof other, "%.*e", n - 1, x);
    if (strtod(other, NULL) == x) {   // the nearest of this length
      ck_assert_msg(fabsl(strtold(text, NULL) - (long double)x) <=
                        fabsl(strtold(other, NULL) - (long double)x),
                    "%s is nearer than %s", other, text);
    }
  }
}

START_TEST(random_bits) {
  state = 1;
  for (int i = 0; i < NRANDOM; i++) {
    const double x = random_finite();
    char text[LONG];
    same_writing(x);
    is_shortest(x);
    snprintf(text, sizeof text, "%.*e", (int)(bits64() % 25), x);
    same_reading(text);
    snprintf(text, sizeof text, "%.*f", (int)(bits64() % 30), x * pow(2, -(double)(i % 60)));
    same_reading(text);
  }
}
END_TEST

// Numbers as people write them.
START_TEST(short_decimals) {
  state = 2;
  for (int i = 0; i < NRANDOM; i++) {
    char text[64], found[SN_NUMBER_ROOM];
    const int digits = 1 + (int)(bits64() % 15);
    snprintf(text, sizeof text, "%.*g", digits, (double)(int64_t)bits64() * 1e-18);
    same_reading(text);
    sn_write_number(found, strtod(text, NULL), 0);
    ck_assert_str_eq(found, text);
  }
}
END_TEST

// Halfway between two doubles, and a little above and below.
START_TEST(halfway) {
  state = 3;
  for (int i = 0; i < NRANDOM; i++) {
    const double x = i % 4 ? fabs(random_finite()) : from_bits(bits64() >> (12 + i % 40));
    const double next = nextafter(x, INFINITY);
    char text[LONG];
    if (!isfinite(next)) {
      continue;
    }
    snprintf(text, sizeof text, "%.800Le", ((long double)x + next) / 2);
    same_reading(text);
    char *e = strchr(text, 'e');
    e[-1] = '1';   // above, by less than the 768th digit can say
    same_reading(text);
    char *last = e - 2;
    while (*last == '0') {
      last--;
    }
    if (*last != '.') {
      *last = (char)(*last - 1);
      memset(last + 1, '9', (size_t)(e - last - 1));
      same_reading(text);
    }
  }
}
END_TEST

START_TEST(powers_and_limits) {
  for (int e = -1074; e < 1024; e++) {
    const double x = ldexp(1, e);
    same_writing(x);
    is_shortest(x);
    is_shortest(nextafter(x, 0));
    is_shortest(nextafter(x, 2 * x));
  }
  for (int e = -345; e < 312; e++) {
    char text[32];
    for (int digit = 1; digit < 10; digit++) {
      snprintf(text, sizeof text, "%de%d", digit, e);
      same_reading(text);
    }
  }
}
END_TEST

START_TEST(odd_texts) {
  static const char *const texts[] = {
    "",
    "-",
    "+",
    ".",
    "-.",
    "e5",
    "1e",
    "1e+",
    "1e-",
    "1.e5",
    ".5",
    "5.",
    "-0",
    "0e9999999999999",
    "1e999999999999999999999",
    "-1e99999999999",
    "1e-99999999999999999999999",
    "0.0e-5",
    "1,5",
    "inf",
    "INFINITY",
    "infinit",
    "-inf",
    "nan",
    "NaNx",
    "  \t\n\v\f\r7",
    "1.5.2",
    "--1",
    "1 2",
    "179769313486231580793e289",
    "1.7976931348623158e308",
    "1.7976931348623159e308",
    "2.4703282292062327e-324",
    "2.4703282292062328e-324",
    "4.9e-324",
    "2.2250738585072011e-308",
    "9007199254740993",
    "9007199254740992.9999999999999999999999999999999",
    "9007199254740993.00000000000000000000000000000000000000001",
    "000000000000000000000000001",
    "0.00000000000000000000000000000000000000000000000000000000000001e62",
  };
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    same_reading(texts[i]);
  }
  double x = 1;
  const char *const hexadecimal = "0x1p3";
  ck_assert_ptr_eq(sn_read_number(hexadecimal, &x), hexadecimal + 1);
  ck_assert(x == 0);
  static char text[5000];
  memset(text, '0', 4000);
  text[1] = '.';
  strcpy(text + 3000, "123e2999");
  same_reading(text);
  memset(text, '9', 4000);
  strcpy(text + 4000, "e-3990");
  same_reading(text);
}
END_TEST

START_TEST(forms) {
  static const struct {
    double value;
    int32_t digits;
    const char *text;
  } rows[] = {
    { 0, 0, "0" },
    { -0.0, 0, "-0" },
    { 0.1, 0, "0.1" },
    { -250, 0, "-250" },
    { 1e15, 0, "1000000000000000" },
    { 1e-5, 0, "1e-05" },
    { 1e-4, 0, "0.0001" },
    { 1.5e300, 0, "1.5e+300" },
    { 5e-324, 0, "5e-324" },
    { 1e16, 0, "1e+16" },
    { INFINITY, 0, "inf" },
    { -INFINITY, 3, "-inf" },
    { NAN, 0, "nan" },
    { 9.996, 3, "10" },
    { 999999.5, 6, "1e+06" },
    { 2.5, 1, "2" },
    { 3.5, 1, "4" },
    { 0x1p-44, 0, "5.684341886080802e-14" },
    { 0.3, 17, "0.29999999999999999" },
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    char text[SN_NUMBER_ROOM];
    sn_write_number(text, rows[i].value, rows[i].digits);
    ck_assert_str_eq(text, rows[i].text);
  }
}
END_TEST

TESTS() {
  TEST(random_bits);
  TEST(short_decimals);
  TEST(halfway);
  TEST(powers_and_limits);
  TEST(odd_texts);
  TEST(forms);
}
