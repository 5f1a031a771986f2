// SPDX-License-Identifier: Apache-2.0
//
// The strokes. A letter is a list of lines that are separated by commas; a line is a list of
// points, two digits each, x and y:
//
//   8 . . . .    top of capital letters and digits
//   7 . . . .
//   6 . . . .    top of small letters            "0802,0535": from (0, 8) to (0, 2), and ...
//   5 . . . .
//   4 . . . .
//   3 . . . .
//   2 . . . .    base line
//   1 . . . .
//   0 1 2 3 4    below g, j, p, q, y

#include "stroke_font.h"

#include <stddef.h>

enum { BASE = 2, GAP = 2, SPACE = 2, FIRST = ' ', LAST = '~' };

static const char *const letters[LAST - FIRST + 1] = {
  ['!' - FIRST] = "0804,0202",
  ['"' - FIRST] = "0806,2826",
  ['#' - FIRST] = "1218,3238,0444,0646",
  ['$' - FIRST] = "473818070615354443321203,2921",
  ['%' - FIRST] = "0248,0818170708,3343423233",
  ['&' - FIRST] = "42071827260403122244",
  ['\'' - FIRST] = "0806",
  ['(' - FIRST] = "18070312",
  [')' - FIRST] = "08171302",
  ['*' - FIRST] = "0545,1337,1733",
  ['+' - FIRST] = "0545,2327",
  [',' - FIRST] = "1201",
  ['-' - FIRST] = "0535",
  ['.' - FIRST] = "0202",
  ['/' - FIRST] = "0248",
  ['0' - FIRST] = "120307183847433212,0347",
  ['1' - FIRST] = "071812,0222",
  ['2' - FIRST] = "07183847460242",
  ['3' - FIRST] = "07183847463525,354443321203",
  ['4' - FIRST] = "32380444",
  ['5' - FIRST] = "4808053544433202",
  ['6' - FIRST] = "4738180703123243443505",
  ['7' - FIRST] = "084812",
  ['8' - FIRST] = "15060718384746351504031232434435",
  ['9' - FIRST] = "0312324347381807061545",
  [':' - FIRST] = "0202,0505",
  [';' - FIRST] = "1515,1201",
  ['<' - FIRST] = "470543",
  ['=' - FIRST] = "0444,0646",
  ['>' - FIRST] = "074503",
  ['?' - FIRST] = "07183847462524,2222",
  ['@' - FIRST] = "3212030718384744242646",
  ['A' - FIRST] = "0206284642,0444",
  ['B' - FIRST] = "02083847463505,3544433202",
  ['C' - FIRST] = "4738180703123243",
  ['D' - FIRST] = "02082846442202",
  ['E' - FIRST] = "48080242,0535",
  ['F' - FIRST] = "480802,0535",
  ['G' - FIRST] = "47381807031232434525",
  ['H' - FIRST] = "0208,4248,0545",
  ['I' - FIRST] = "1218,0222,0828",
  ['J' - FIRST] = "4843321203",
  ['K' - FIRST] = "0208,4804,1542",
  ['L' - FIRST] = "080242",
  ['M' - FIRST] = "0208254842",
  ['N' - FIRST] = "02084248",
  ['O' - FIRST] = "120307183847433212",
  ['P' - FIRST] = "02083847463505",
  ['Q' - FIRST] = "120307183847433212,2442",
  ['R' - FIRST] = "02083847463505,2542",
  ['S' - FIRST] = "473818070615354443321203",
  ['T' - FIRST] = "0848,2822",
  ['U' - FIRST] = "080312324348",
  ['V' - FIRST] = "082248",
  ['W' - FIRST] = "0812263248",
  ['X' - FIRST] = "0248,0842",
  ['Y' - FIRST] = "082548,2522",
  ['Z' - FIRST] = "08480242",
  ['[' - FIRST] = "18080212",
  ['\\' - FIRST] = "0842",
  [']' - FIRST] = "08181202",
  ['^' - FIRST] = "062846",
  ['_' - FIRST] = "0141",
  ['`' - FIRST] = "0817",
  ['a' - FIRST] = "16364542,441403123243",
  ['b' - FIRST] = "0802,0516364543321203",
  ['c' - FIRST] = "4536160503123243",
  ['d' - FIRST] = "4842,4536160503123243",
  ['e' - FIRST] = "044445361605031242",
  ['f' - FIRST] = "38281712,0626",
  ['g' - FIRST] = "4536160503123243,4641301001",
  ['h' - FIRST] = "0802,0516364542",
  ['i' - FIRST] = "0206,0808",
  ['j' - FIRST] = "161100,1818",
  ['k' - FIRST] = "0802,3603,1432",
  ['l' - FIRST] = "080312",
  ['m' - FIRST] = "0206,05162522,25364542",
  ['n' - FIRST] = "0206,0516364542",
  ['o' - FIRST] = "120305163645433212",
  ['p' - FIRST] = "0006,0516364543321203",
  ['q' - FIRST] = "4046,4536160503123243",
  ['r' - FIRST] = "0206,042636",
  ['s' - FIRST] = "45361605143443321203",
  ['t' - FIRST] = "18132232,0636",
  ['u' - FIRST] = "0603123243,4642",
  ['v' - FIRST] = "062246",
  ['w' - FIRST] = "0612253246",
  ['x' - FIRST] = "0642,0246",
  ['y' - FIRST] = "0622,4610",
  ['z' - FIRST] = "06460242",
  ['{' - FIRST] = "28171605141322",
  ['|' - FIRST] = "0801",
  ['}' - FIRST] = "08171625141302",
  ['~' - FIRST] = "05163445",
};
static const char other[] = "0208484202";

// The width of a letter, whose strokes begin at x.
static float trace(const char *letter, float x, letter_stroke *stroke, void *context) {
  float from[2] = { 0 }, to[2], width = 0;
  int is_first = 1;
  for (const char *c = letter; *c; c += 2) {
    if (*c == ',') {
      is_first = 1;
      c--;
      continue;
    }
    to[0] = x + (float)(c[0] - '0');
    to[1] = (float)(c[1] - '0' - BASE);
    if (!is_first && stroke) {
      stroke(context, from, to);
    }
    from[0] = to[0];
    from[1] = to[1];
    is_first = 0;
    width = to[0] - x > width ? to[0] - x : width;
  }
  return width;
}

float letters_unit(int32_t height) {
  const float pixels = (float)height / 60;   // of a capital letter, 9 at least
  const int halves = (int)(2 * pixels / LETTER_HEIGHT + 0.5F);   // strokes in the middle of pixels
  return (float)(halves > 3 ? halves : 3) / 2;
}

float letters_width(float unit) {
  return unit > 1 ? unit : 1;
}

float letters_trace(const char *text, letter_stroke *stroke, void *context) {
  float x = 0;
  for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
    if ((*c & 0xc0) == 0x80) {   // of a character that is a box already
      continue;
    }
    const int is_known = *c >= FIRST && *c <= LAST;
    const char *letter = is_known ? letters[*c - FIRST] : other;
    x += GAP + (letter ? trace(letter, x, stroke, context) : SPACE);
  }
  return x > GAP ? x - GAP : 0;
}
