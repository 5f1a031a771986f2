// SPDX-License-Identifier: Apache-2.0
//
// Letters as strokes, for labels in images of any size. ASCII; any other character is a box.

#ifndef RENDERERS_STROKE_FONT_H
#define RENDERERS_STROKE_FONT_H

#include <stdint.h>

enum { LETTER_HEIGHT = 6 };   // units from the base line to the top of a capital letter

// Pixels of a unit, and of the width of a stroke, in an image of that height.
float letters_unit(int32_t height);
float letters_width(float unit);
// A straight part of a stroke, in units: x to the right from the start of the text, y up from the
// base line. Both ends may be the same point: a dot.
typedef void letter_stroke(void *context, const float *from, const float *to);
// Calls `stroke` for each part of a text in UTF-8; NULL: for none. Its width, in units.
float letters_trace(const char *text, letter_stroke *stroke, void *context);

#endif
