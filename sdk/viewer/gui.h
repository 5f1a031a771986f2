// SPDX-License-Identifier: Apache-2.0
//
// The C face over Dear ImGui: panels and widgets, drawn by OpenGL into the framebuffer that is
// bound. The names of keys and buttons are those of GLFW. Coordinates are those of the window, from
// its upper left corner. Widgets are described anew in each frame, between gui_begin and gui_end;
// those that take a value return whether the user changed it.
//
// A label is unique in its section. What follows "##" in it is not shown.

#ifndef SINEW_VIEWER_GUI_H
#define SINEW_VIEWER_GUI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gui gui;

// Needs a current OpenGL context. scale: of texts, 1 on usual screens. NULL: out of memory, or no
// OpenGL 3.
gui *gui_open(float scale);
void gui_close(gui *g);
float gui_line(const gui *g);   // height of a line with its space, in pixels

// ------------------------------------------------------------------ what the user does

void gui_mouse_move(gui *g, double x, double y);
void gui_mouse_button(gui *g, int button, int down);
void gui_wheel(gui *g, double dx, double dy);
void gui_key(gui *g, int key, int down, int mods);
void gui_char(gui *g, unsigned int codepoint);
void gui_clipboard(gui *g, const char *(*get)(void *), void (*set)(void *, const char *), void *);
int gui_wants_mouse(gui *g);   // the mouse is on a panel
int gui_wants_keys(gui *g);    // a text is being edited

// ------------------------------------------------------------------ a frame

// width, height: of the window; pixels: of its framebuffer per unit; dt: s since the last frame.
void gui_begin(gui *g, int width, int height, float pixels, double dt);
void gui_end(gui *g);

int gui_panel(const char *title, float x, float y, float width, float height);
void gui_panel_end(void);
// A box of texts, through which the mouse reaches what is below. px, py: the part of its size that
// is left of and above x, y.
void gui_overlay(const char *name, float x, float y, float px, float py);
void gui_overlay_end(void);

// ------------------------------------------------------------------ widgets

int gui_section(const char *label, int open);   // whether it is open; then gui_section_end
void gui_section_end(void);
void gui_text(const char *format, ...) __attribute__((format(printf, 1, 2)));
void gui_dim(const char *format, ...) __attribute__((format(printf, 1, 2)));
void gui_colored(uint32_t rgba, const char *text);   // wrapped
void gui_tooltip(const char *text);                  // of the widget before it
void gui_same_line(void);
void gui_column(int column, int columns);   // the next widget is in this column of its line
void gui_separator(void);
int gui_button(const char *label);
int gui_check(const char *label, int on);   // true: it was pressed
int gui_slider(const char *label, double *value, double lo, double hi, const char *format);
int gui_number(const char *label, double *value, const char *format);
int gui_choice(const char *label, const char *const *names, int n, int *index);
int gui_entry(const char *label, const char *hint, char *text, int capacity);   // Enter was pressed
int gui_row(const char *label, int selected);   // a line of a list: it was pressed

int gui_table(const char *name, int columns, const char *const *heads, float height);
void gui_cell(const char *format, ...) __attribute__((format(printf, 1, 2)));
void gui_next_cell(void);   // for a widget
void gui_table_end(void);

// A line of a plot: count numbers in a ring of `capacity`, the oldest at `first`.
typedef struct gui_line_plot {
  const char *name;
  const float *y;
  int capacity, first, count;
} gui_line_plot;
void gui_plot(const char *label, const gui_line_plot *lines, int n, float height);
void gui_bar(const char *label, double part, const char *text);

// ------------------------------------------------------------------ for tests

// A widget of the last frame that takes the mouse.
typedef struct gui_widget {
  char path[160];   // PANEL/SECTION/LABEL
  char kind;        // b button, c check, s slider, n number, l list, e entry, r row, h section
  int visible;
  float x, y;       // its center
  float left, right;
} gui_widget;
void gui_record(gui *g, int on);
int gui_widget_at(const gui *g, int index, gui_widget *out);
void gui_reveal(gui *g, const char *path);   // scrolls to it in the next frame

#ifdef __cplusplus
}
#endif

#endif
