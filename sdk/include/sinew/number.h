// SPDX-License-Identifier: Apache-2.0
//
// Numbers in text: reads decimal numbers and writes them, the same way in every locale, on every
// system and in every rounding mode. Inline, so that plugins can use it without the host. [any]
//
//   sn_read_number   like strtod in the "C" locale, rounded to nearest, ties to even
//   sn_write_number  the fewest digits that are read back as the same double, or a given number of
//                    digits, like %.*g in the "C" locale
//
// Both are exact for every double: nearly all numbers are converted by 64-bit arithmetic with a
// known error bound, the rest by large integers. Digits are computed as in G. L. Steele, J. L.
// White, "How to print floating-point numbers accurately" (1990).
//
// Not read: hexadecimal numbers ("0x1p3" is the number 0, which ends at the x), a decimal comma,
// separators of thousands. inf and nan are read and written, infinity is read; upper and lower case
// are equal.

#ifndef SINEW_NUMBER_H
#define SINEW_NUMBER_H

#include <string.h>

#include "sinew/abi.h"
#include "sinew/numerics/large_integer.h"

SN_BEGIN_DECLS

enum {
  SN_NUMBER_ROOM = 32,     // bytes that hold any text of sn_write_number
  SN_NUMBER_DIGITS = 768   // of the digits after these it only matters whether one is not zero
};

// ------------------------------------------------------------------ reading

// A decimal number of a text, digits 10^exponent. digits: its first 19 significant digits.
// is_exact: there are no others, or they are zeros.
typedef struct sn_number_decimal {
  const char *first, *end;   // its digits, with a point among them; end: after the exponent
  uint64_t digits;
  int64_t exponent;
  int32_t is_exact, reserved;
} sn_number_decimal;

// Whether c is a digit, 0 to 9.
static inline int32_t sn_number_is_digit(char c) {
  return c >= '0' && c <= '9';
}

// Reads the digits with a point among them; 0: there is no digit.
static inline int32_t sn_number_scan(const char *p, sn_number_decimal *d) {
  int32_t any = 0, n = 0, is_fraction = 0;
  d->digits = 0;
  d->exponent = 0;
  d->is_exact = 1;
  d->first = p;
  for (; sn_number_is_digit(*p) || (*p == '.' && !is_fraction); p++) {
    if (*p == '.') {
      is_fraction = 1;
      continue;
    }
    any = 1;
    if (n < 19) {
      d->digits = 10 * d->digits + (uint64_t)(*p - '0');
      n += d->digits != 0;
      d->exponent -= is_fraction;
    } else {
      d->is_exact &= *p == '0';
      d->exponent += !is_fraction;
    }
  }
  d->end = p;
  return any;
}

// Adds the exponent e[+-]digits, if there is one.
static inline void sn_number_scan_exponent(sn_number_decimal *d) {
  const char *p = d->end;
  if (*p != 'e' && *p != 'E') {
    return;
  }
  const int32_t minus = p[1] == '-';
  p += minus || p[1] == '+' ? 2 : 1;
  int64_t value = 0;
  if (!sn_number_is_digit(*p)) {
    return;
  }
  for (; sn_number_is_digit(*p); p++) {
    value = value < INT64_C(1) << 56 ? 10 * value + (*p - '0') : value;
  }
  d->exponent += minus ? -value : value;
  d->end = p;
}

// Upper half of the product of a and b, whose highest bits must be set. The result is shifted so
// that its highest bit is set, too; `exponent` is increased by the exponent of the result.
static inline uint64_t sn_number_multiply(uint64_t a, uint64_t b, int32_t *exponent) {
  const uint64_t low = 0xffffffff, al = a & low, ah = a >> 32, bl = b & low, bh = b >> 32;
  const uint64_t x = ah * bl + (al * bl >> 32), y = al * bh + (x & low);
  const uint64_t high = ah * bh + (x >> 32) + (y >> 32), upper = high >> 63;
  *exponent += 63 + (int32_t)upper;
  return upper ? high : high << 1 | (y >> 31 & 1);
}

// digits 10^k, -364 <= k < 336, as f 2^exponent with f >= 2^63. The number is in [f, f + 64).
static inline uint64_t sn_number_approximate(uint64_t digits, int32_t k, int32_t *exponent) {
  // 10^(28 (i - 13)) 2^-e, rounded down, e = floor(28 (i - 13) 217706 / 2^16) - 63
  static const uint64_t power[25] = {
    UINT64_C(0xe1afa13afbd14d6d), UINT64_C(0xe3e27a444d8d98b7), UINT64_C(0xe61acf033d1a45df),
    UINT64_C(0xe858ad248f5c22c9), UINT64_C(0xea9c227723ee8bcb), UINT64_C(0xece53cec4a314ebd),
    UINT64_C(0xef340a98172aace4), UINT64_C(0xf18899b1bc3f8ca1), UINT64_C(0xf3e2f893dec3f126),
    UINT64_C(0xf64335bcf065d37d), UINT64_C(0xf8a95fcf88747d94), UINT64_C(0xfb158592be068d2e),
    UINT64_C(0xfd87b5f28300ca0d), UINT64_C(0x8000000000000000), UINT64_C(0x813f3978f8940984),
    UINT64_C(0x82818f1281ed449f), UINT64_C(0x83c7088e1aab65db), UINT64_C(0x850fadc09923329e),
    UINT64_C(0x865b86925b9bc5c2), UINT64_C(0x87aa9aff79042286), UINT64_C(0x88fcf317f22241e2),
    UINT64_C(0x8a5296ffe33cc92f), UINT64_C(0x8bab8eefb6409c1a), UINT64_C(0x8d07e33455637eb2),
    UINT64_C(0x8e679c2f5e44ff8f),
  };
  const int32_t i = (k + 364) / 28;
  uint64_t f = digits, small = 1;
  for (int32_t j = 0; j < k + 364 - 28 * i; j++) {
    small *= 5;   // up to 5^27, which is smaller than 2^63
  }
  *exponent = 0;
  while (f < UINT64_C(1) << 63) {
    f <<= 1;
    *exponent -= 1;
  }
  if (i != 13) {
    f = sn_number_multiply(f, power[i], exponent);
    *exponent += ((28 * (i - 13) * 217706 + (1300 << 16)) >> 16) - 1363;
  }
  if (small > 1) {
    *exponent += k + 364 - 28 * i;
    while (small < UINT64_C(1) << 63) {
      small <<= 1;
      *exponent -= 1;
    }
    f = sn_number_multiply(f, small, exponent);
  }
  return f;
}

// The sign of d - half 2^exponent, exactly.
static inline int32_t sn_number_against(const sn_number_decimal *d, uint64_t half,
                                        int32_t exponent) {
  sn_number_big a, b;
  int64_t k = d->exponent;
  a.n = 0;
  if (d->is_exact) {
    sn_number_set(&a, d->digits);
  } else {
    int32_t n = 0, more = 0;
    for (const char *p = d->first; sn_number_is_digit(*p) || *p == '.'; p++) {
      if (*p == '.' || (n == 0 && *p == '0')) {
        continue;
      }
      if (n < SN_NUMBER_DIGITS) {
        sn_number_scale(&a, 10, (uint32_t)(*p - '0'));
        k -= n >= 19;
        n++;
      } else {
        more |= *p != '0';
      }
    }
    if (more) {
      sn_number_scale(&a, 10, 1);
      k--;
    }
  }
  sn_number_set(&b, half);
  sn_number_times5(k > 0 ? &a : &b, (int32_t)(k > 0 ? k : -k));
  const int64_t shift = k - exponent;
  sn_number_shift(shift > 0 ? &a : &b, (int32_t)(shift > 0 ? shift : -shift));
  return sn_number_compare(&a, &b);
}

// The bits of the double nearest to d, which is not 0, without the sign.
static inline uint64_t sn_number_bits(const sn_number_decimal *d) {
  const uint64_t infinite = UINT64_C(0x7ff) << 52;
  if (d->exponent > 310 || d->exponent < -345) {
    return d->exponent > 0 ? infinite : 0;
  }
  int32_t e;
  const uint64_t f = sn_number_approximate(d->digits, (int32_t)d->exponent, &e);
  const int32_t unit = e + 11 > -1074 ? e + 11 : -1074, drop = unit - e;
  uint64_t m = 0;
  int32_t is_up = 0, is_open = 1;
  if (drop < 64) {
    const uint64_t rest = f & ((UINT64_C(1) << drop) - 1), half = UINT64_C(1) << (drop - 1);
    m = f >> drop;
    is_up = rest > half;
    is_open = !is_up && rest + 64 > half;
  }
  if (is_open) {
    const int32_t sign = sn_number_against(d, 2 * m + 1, unit - 1);
    is_up = sign > 0 || (sign == 0 && (m & 1));
  }
  const uint64_t bits = ((uint64_t)(unit + 1074) << 52) + m + (uint64_t)is_up;
  return bits < infinite ? bits : infinite;
}

// Whether a text begins with a word. The word is in lower case, the text may be in any case.
static inline int32_t sn_number_begins(const char *text, const char *word) {
  for (; *word; text++, word++) {
    if (*text != *word && *text != *word - 'a' + 'A') {
      return 0;
    }
  }
  return 1;
}

// [any] Reads the number at the start of `text`, zero-terminated, after blanks: a sign, digits with
// a decimal point, e with an exponent; or inf, infinity, nan. Returns the first character after it;
// `text` itself, and the value 0, if there is no number. A number that is too large becomes
// infinite, and one that is too small becomes a subnormal number or 0; neither is an error.
static inline const char *sn_read_number(const char *text, double *value) {
  static const char *const words[3] = { "infinity", "inf", "nan" };
  const char *p = text;
  while (*p == ' ' || (*p >= '\t' && *p <= '\r')) {
    p++;
  }
  const int32_t minus = *p == '-';
  p += minus || *p == '+';
  uint64_t bits = 0;
  sn_number_decimal d;
  if (sn_number_scan(p, &d)) {
    sn_number_scan_exponent(&d);
    p = d.end;
    bits = d.digits ? sn_number_bits(&d) : 0;
  } else {
    int32_t i = 0;
    while (i < 3 && !sn_number_begins(p, words[i])) {
      i++;
    }
    if (i == 3) {
      *value = 0;
      return text;
    }
    p += strlen(words[i]);
    bits = (i == 2 ? UINT64_C(0xfff) << 51 : UINT64_C(0x7ff) << 52);
  }
  bits |= (uint64_t)minus << 63;
  memcpy(value, &bits, sizeof bits);
  return p;
}

// ------------------------------------------------------------------ writing

// The number r / s. All numbers from (r - below) / s to (r + above) / s are read as the same
// double.
typedef struct sn_number_ratio {
  sn_number_big r, s, below, above;
} sn_number_ratio;

// Divides m 2^x by a power of 10, so that the first digit is computed next, and returns the
// exponent of that power. With is_exact, below and above are 0.
static inline int32_t sn_number_divide(uint64_t m, int32_t x, int32_t is_exact,
                                       sn_number_ratio *q) {
  const int32_t is_power = m == UINT64_C(1) << 52 && x > -1074;   // its neighbor below is nearer
  sn_number_set(&q->r, m);
  sn_number_set(&q->s, 1);
  sn_number_set(&q->below, !is_exact);
  sn_number_shift(&q->r, 1 + is_power + (x > 0 ? x : 0));
  sn_number_shift(&q->s, 1 + is_power + (x < 0 ? -x : 0));
  sn_number_shift(&q->below, x > 0 ? x : 0);
  q->above = q->below;
  sn_number_shift(&q->above, is_power);
  int32_t bits = x, k;
  for (uint64_t rest = m; rest > 1; rest >>= 1) {
    bits++;
  }
  k = (int32_t)((bits * INT64_C(1292913986) + (INT64_C(400) << 32)) >> 32) - 399;   // log10(2)
  if (k > 0) {
    sn_number_times5(&q->s, k);
    sn_number_shift(&q->s, k);
    return k;
  }
  sn_number_big *const parts[] = { &q->r, &q->below, &q->above };
  for (int32_t i = 0; i < 3; i++) {
    sn_number_times5(parts[i], -k);
    sn_number_shift(parts[i], -k);
  }
  return k;
}

// Adds is_up to the last of n digits, and drops zeros at their end; returns how many are left.
static inline int32_t sn_number_round(char digit[17], int32_t n, int32_t is_up, int32_t *point) {
  for (; is_up && n > 0 && digit[n - 1] == 9; n--) {}
  if (n == 0) {
    digit[n++] = 0;
    ++*point;
  }
  digit[n - 1] = (char)(digit[n - 1] + is_up);
  for (; n > 1 && digit[n - 1] == 0; n--) {}
  return n;
}

// Computes the digits of m 2^x, m > 0, as 0.d0 d1 d2 ... 10^point, without zeros at the end, and
// returns their number. count = 0: as few digits as distinguish the double from its neighbors, and
// of these numbers the nearest; otherwise the first `count` digits, rounded to nearest.
static inline int32_t sn_number_digits(uint64_t m, int32_t x, int32_t count, char digit[17],
                                       int32_t *point) {
  sn_number_ratio q;
  const int32_t most = count ? count : 17, inclusive = count || m % 2 == 0;
  int32_t n = 0, low, high, is_first;
  *point = sn_number_divide(m, x, count != 0, &q);
  is_first = sn_number_compare_sum(&q.r, &q.above, &q.s) > -inclusive;
  *point += is_first;
  do {
    if (!is_first) {
      sn_number_scale(&q.r, 10, 0);
      sn_number_scale(&q.below, 10, 0);
      sn_number_scale(&q.above, 10, 0);
    }
    is_first = 0;
    for (digit[n] = 0; sn_number_compare(&q.r, &q.s) >= 0; digit[n]++) {
      sn_number_subtract(&q.r, &q.s);
    }
    n++;
    low = sn_number_compare(&q.r, &q.below) < inclusive;
    high = sn_number_compare_sum(&q.r, &q.above, &q.s) > -inclusive;
  } while (!low && !high && n < most);
  int32_t is_up = high;
  if (low == high) {   // the nearer one, or the even one
    const int32_t sign = sn_number_compare_sum(&q.r, &q.r, &q.s);
    is_up = sign > 0 || (sign == 0 && digit[n - 1] % 2);
  }
  return sn_number_round(digit, n, is_up, point);
}

// Writes `zeros` zeros and n digits, with a decimal point before position `at`; returns the end of
// the text.
static inline char *sn_number_put(char *p, const char *digit, int32_t n, int32_t zeros,
                                  int32_t at) {
  for (int32_t i = 0; i < zeros + n || i < at; i++) {
    if (i == at) {
      *p++ = '.';
    }
    *p++ = (char)('0' + (i < zeros || i >= zeros + n ? 0 : digit[i - zeros]));
  }
  return p;
}

// [any] Writes `value` and a zero, at most SN_NUMBER_ROOM bytes; returns the length without the
// zero. digits = 0: the fewest digits that are read back as the same double, and of these numbers
// the nearest to it; 1 to 17: rounded to that many significant digits. A fraction has no trailing
// zeros. The exponent e is written below 1e-4 and from 10^digits on (from 1e16 on if digits is 0),
// with a sign and at least two digits: "0.1", "-250", "1e-05", "1.5e+300", "-0", "inf", "-inf",
// "nan".
static inline int32_t sn_write_number(char *out, double value, int32_t digits) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  const int32_t biased = (int32_t)(bits >> 52 & 0x7ff), count = digits < 17 ? digits : 17;
  const uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1);
  char digit[17] = { 0 }, *p = out;
  int32_t n = 1, point = 1;
  if (bits >> 63 && (biased < 0x7ff || fraction == 0)) {
    *p++ = '-';
  }
  if (biased == 0x7ff) {
    memcpy(p, fraction ? "nan" : "inf", 4);
    return (int32_t)(p + 3 - out);
  }
  if (biased || fraction) {
    const uint64_t m = biased ? fraction | UINT64_C(1) << 52 : fraction;
    n = sn_number_digits(m, (biased ? biased : 1) - 1075, count, digit, &point);
  }
  if (point > -4 && point <= (count ? count : 16)) {
    p = sn_number_put(p, digit, n, point > 0 ? 0 : 1 - point, point > 0 ? point : 1);
  } else {
    const int32_t e = point > 0 ? point - 1 : 1 - point;
    p = sn_number_put(p, digit, n, 0, 1);
    *p++ = 'e';
    *p++ = point > 0 ? '+' : '-';
    if (e >= 100) {
      *p++ = (char)('0' + e / 100);
    }
    *p++ = (char)('0' + e / 10 % 10);
    *p++ = (char)('0' + e % 10);
  }
  *p = '\0';
  return (int32_t)(p - out);
}

SN_END_DECLS

#endif
