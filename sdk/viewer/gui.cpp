// SPDX-License-Identifier: Apache-2.0
//
// See gui.h. The window belongs to window.c, which passes on what the user does; Dear ImGui's own
// backend for GLFW is not used, so that tests can do the same without a mouse.

#include "gui.h"

#include <GLFW/glfw3.h>
#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <new>
#include <string>
#include <unistd.h>
#include <vector>

struct gui {
  ImGuiContext *context = nullptr;
  float scale = 1;
  bool down[3] = {}, pressed[3] = {};   // pressed: since the last frame, however short
  const char *(*paste)(void *) = nullptr;
  void (*copy)(void *, const char *) = nullptr;
  void *clipboard = nullptr;
  bool recording = false;
  std::vector<gui_widget> widgets;
  std::string reveal;
};

static gui *now;   // between gui_begin and gui_end
static std::string panel, section;

// ------------------------------------------------------------------ look

static void set_look(float scale) {
  ImGuiStyle &s = ImGui::GetStyle();
  ImGui::StyleColorsDark();
  s.WindowRounding = 0;
  s.FrameRounding = 3;
  s.GrabRounding = 3;
  s.ScrollbarSize = 11;
  s.WindowBorderSize = 0;
  s.ItemSpacing = ImVec2(6, 4);
  s.FramePadding = ImVec2(5, 2);
  s.Colors[ImGuiCol_WindowBg] = ImVec4(0.11f, 0.12f, 0.14f, 0.96f);
  s.Colors[ImGuiCol_Header] = ImVec4(0.18f, 0.22f, 0.28f, 1);
  s.Colors[ImGuiCol_HeaderHovered] = ImVec4(0.24f, 0.32f, 0.42f, 1);
  s.Colors[ImGuiCol_HeaderActive] = ImVec4(0.26f, 0.38f, 0.52f, 1);
  s.Colors[ImGuiCol_FrameBg] = ImVec4(0.19f, 0.21f, 0.25f, 1);
  s.Colors[ImGuiCol_Button] = ImVec4(0.22f, 0.28f, 0.36f, 1);
  s.Colors[ImGuiCol_ButtonHovered] = ImVec4(0.28f, 0.40f, 0.54f, 1);
  s.Colors[ImGuiCol_CheckMark] = ImVec4(0.45f, 0.75f, 1.0f, 1);
  s.Colors[ImGuiCol_SliderGrab] = ImVec4(0.38f, 0.60f, 0.86f, 1);
  s.ScaleAllSizes(scale);
}

// A font of the system that reads well, if there is one; else the small one of Dear ImGui.
static void set_font(float scale) {
  static const char *const files[] = {
    "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", "/usr/share/fonts/TTF/DejaVuSans.ttf",
    "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf",
    "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf"
  };
  ImFontAtlas *fonts = ImGui::GetIO().Fonts;
  for (const char *file : files) {
    if (access(file, R_OK) == 0 && fonts->AddFontFromFileTTF(file, 14 * scale)) {
      return;
    }
  }
  ImFontConfig config;
  config.SizePixels = 13 * scale;
  fonts->AddFontDefault(&config);
}

static const struct {
  int imgui, glfw;
} key_map[] = { { ImGuiKey_Tab, GLFW_KEY_TAB },
                { ImGuiKey_LeftArrow, GLFW_KEY_LEFT },
                { ImGuiKey_RightArrow, GLFW_KEY_RIGHT },
                { ImGuiKey_UpArrow, GLFW_KEY_UP },
                { ImGuiKey_DownArrow, GLFW_KEY_DOWN },
                { ImGuiKey_Home, GLFW_KEY_HOME },
                { ImGuiKey_End, GLFW_KEY_END },
                { ImGuiKey_Delete, GLFW_KEY_DELETE },
                { ImGuiKey_Backspace, GLFW_KEY_BACKSPACE },
                { ImGuiKey_Space, GLFW_KEY_SPACE },
                { ImGuiKey_Enter, GLFW_KEY_ENTER },
                { ImGuiKey_KeyPadEnter, GLFW_KEY_KP_ENTER },
                { ImGuiKey_Escape, GLFW_KEY_ESCAPE },
                { ImGuiKey_A, GLFW_KEY_A },
                { ImGuiKey_C, GLFW_KEY_C },
                { ImGuiKey_V, GLFW_KEY_V },
                { ImGuiKey_X, GLFW_KEY_X },
                { ImGuiKey_Y, GLFW_KEY_Y },
                { ImGuiKey_Z, GLFW_KEY_Z } };

gui *gui_open(float scale) {
  gui *g = new (std::nothrow) gui;
  if (!g) {
    return nullptr;
  }
  g->scale = scale;
  g->context = ImGui::CreateContext();
  ImGui::SetCurrentContext(g->context);
  ImGuiIO &io = ImGui::GetIO();
  io.IniFilename = nullptr;   // writes no files
  io.LogFilename = nullptr;
  io.MousePos = ImVec2(-1, -1);
  for (const auto &k : key_map) {
    io.KeyMap[k.imgui] = k.glfw;
  }
  set_look(scale);
  set_font(scale);
  if (!ImGui_ImplOpenGL3_Init("#version 330")) {
    ImGui::DestroyContext(g->context);
    delete g;
    return nullptr;
  }
  return g;
}

void gui_close(gui *g) {
  if (g) {
    ImGui::SetCurrentContext(g->context);
    ImGui_ImplOpenGL3_Shutdown();
    ImGui::DestroyContext(g->context);
    delete g;
  }
}

float gui_line(const gui *g) {
  return 22 * g->scale;
}

// ------------------------------------------------------------------ what the user does

static ImGuiIO &io_of(gui *g) {
  ImGui::SetCurrentContext(g->context);
  return ImGui::GetIO();
}

void gui_mouse_move(gui *g, double x, double y) {
  io_of(g).MousePos = ImVec2((float)x, (float)y);
}

void gui_mouse_button(gui *g, int button, int down) {
  if (button >= 0 && button < 3) {
    g->down[button] = down != 0;
    g->pressed[button] |= down != 0;
  }
}

void gui_wheel(gui *g, double dx, double dy) {
  ImGuiIO &io = io_of(g);
  io.MouseWheelH += (float)dx;
  io.MouseWheel += (float)dy;
}

void gui_key(gui *g, int key, int down, int mods) {
  ImGuiIO &io = io_of(g);
  io.KeyCtrl = (mods & GLFW_MOD_CONTROL) != 0;
  io.KeyShift = (mods & GLFW_MOD_SHIFT) != 0;
  io.KeyAlt = (mods & GLFW_MOD_ALT) != 0;
  if (key >= 0 && key < 512) {
    io.KeysDown[key] = down != 0;
  }
}

void gui_char(gui *g, unsigned int codepoint) {
  io_of(g).AddInputCharacter(codepoint);
}

static const char *paste(void *of) {
  const gui *g = static_cast<gui *>(of);
  return g->paste(g->clipboard);
}

static void copy(void *of, const char *text) {
  const gui *g = static_cast<gui *>(of);
  g->copy(g->clipboard, text);
}

void gui_clipboard(gui *g, const char *(*get)(void *), void (*set)(void *, const char *),
                   void *context) {
  ImGuiIO &io = io_of(g);
  g->paste = get;
  g->copy = set;
  g->clipboard = context;
  io.ClipboardUserData = g;
  io.GetClipboardTextFn = paste;
  io.SetClipboardTextFn = copy;
}

int gui_wants_mouse(gui *g) {
  return io_of(g).WantCaptureMouse;
}

int gui_wants_keys(gui *g) {
  return io_of(g).WantTextInput;
}

// ------------------------------------------------------------------ a frame

void gui_begin(gui *g, int width, int height, float pixels, double dt) {
  ImGuiIO &io = io_of(g);
  now = g;
  g->widgets.clear();
  io.DisplaySize = ImVec2((float)width, (float)height);
  io.DisplayFramebufferScale = ImVec2(pixels, pixels);
  io.DeltaTime = dt > 1e-4 ? (float)dt : 1e-4f;
  for (int i = 0; i < 3; i++) {
    io.MouseDown[i] = g->down[i] || g->pressed[i];
    g->pressed[i] = false;
  }
  ImGui_ImplOpenGL3_NewFrame();
  ImGui::NewFrame();
}

void gui_end(gui *g) {
  ImGui::Render();
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
  g->reveal.clear();
  now = nullptr;
}

int gui_panel(const char *title, float x, float y, float width, float height) {
  panel = title;
  section.clear();
  ImGui::SetNextWindowPos(ImVec2(x, y));
  ImGui::SetNextWindowSize(ImVec2(width, height));
  ImGui::Begin(title, nullptr,
               ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                   ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoSavedSettings);
  ImGui::PushItemWidth(-0.42f * ImGui::GetContentRegionAvail().x);
  return 1;
}

void gui_panel_end(void) {
  ImGui::PopItemWidth();
  ImGui::End();
}

void gui_overlay(const char *name, float x, float y, float px, float py) {
  panel = name;
  section.clear();
  ImGui::SetNextWindowPos(ImVec2(x, y), ImGuiCond_Always, ImVec2(px, py));
  ImGui::SetNextWindowBgAlpha(0.72f);
  ImGui::Begin(name, nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_AlwaysAutoResize |
                   ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoInputs |
                   ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing);
}

void gui_overlay_end(void) {
  ImGui::End();
}

// ------------------------------------------------------------------ widgets

static std::string path_of(const char *label) {
  return panel + "/" + (section.empty() ? "" : section + "/") + label;
}

// What a test presses: the widget that was just made.
static void note(char kind, const char *label) {
  if (!now->recording && now->reveal.empty()) {
    return;
  }
  const std::string path = path_of(label);
  if (path == now->reveal) {
    ImGui::SetScrollHereY(0.5f);
  }
  if (now->recording) {
    gui_widget w = {};
    const ImVec2 lo = ImGui::GetItemRectMin(), hi = ImGui::GetItemRectMax();
    snprintf(w.path, sizeof w.path, "%s", path.c_str());
    w.kind = kind;
    w.visible = ImGui::IsItemVisible();
    w.left = lo.x;
    w.right = hi.x;
    w.x = kind == 'c' || kind == 'h' ? lo.x + 0.5f * (hi.y - lo.y) : 0.5f * (lo.x + hi.x);
    if (kind == 's' || kind == 'n' || kind == 'l' || kind == 'e') {   // left of its label
      w.right = lo.x + ImGui::CalcItemWidth();
      w.x = lo.x + 0.5f * ImGui::CalcItemWidth();
    }
    w.y = 0.5f * (lo.y + hi.y);
    now->widgets.push_back(w);
  }
}

int gui_section(const char *label, int open) {
  section.clear();
  const bool is_open = ImGui::CollapsingHeader(label, open ? ImGuiTreeNodeFlags_DefaultOpen : 0);
  note('h', label);
  if (is_open) {
    section = label;
    ImGui::PushID(label);
  }
  return is_open;
}

void gui_section_end(void) {
  ImGui::PopID();
  section.clear();
}

void gui_text(const char *format, ...) {
  va_list list;
  va_start(list, format);
  ImGui::TextV(format, list);
  va_end(list);
}

void gui_dim(const char *format, ...) {
  va_list list;
  va_start(list, format);
  ImGui::TextDisabledV(format, list);
  va_end(list);
}

void gui_colored(uint32_t rgba, const char *text) {
  ImGui::PushStyleColor(ImGuiCol_Text, rgba);
  ImGui::PushTextWrapPos(ImGui::GetFontSize() * 50);
  ImGui::TextUnformatted(text);
  ImGui::PopTextWrapPos();
  ImGui::PopStyleColor();
}

void gui_tooltip(const char *text) {
  if (text && *text && ImGui::IsItemHovered()) {
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(ImGui::GetFontSize() * 30);
    ImGui::TextUnformatted(text);
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
  }
}

void gui_same_line(void) {
  ImGui::SameLine();
}

void gui_column(int column, int columns) {
  if (column > 0) {
    const float width = ImGui::GetWindowContentRegionMax().x;
    ImGui::SameLine(width * (float)column / (float)columns);
  }
}

void gui_separator(void) {
  ImGui::Separator();
}

int gui_button(const char *label) {
  const bool pressed = ImGui::Button(label);
  note('b', label);
  return pressed;
}

int gui_check(const char *label, int on) {
  bool value = on != 0;
  const bool changed = ImGui::Checkbox(label, &value);
  note('c', label);
  return changed;
}

int gui_slider(const char *label, double *value, double lo, double hi, const char *format) {
  const bool changed = ImGui::SliderScalar(label, ImGuiDataType_Double, value, &lo, &hi, format);
  note('s', label);
  return changed;
}

int gui_number(const char *label, double *value, const char *format) {
  const bool changed = ImGui::InputDouble(label, value, 0, 0, format,
                                          ImGuiInputTextFlags_EnterReturnsTrue);
  note('n', label);
  return changed;
}

int gui_choice(const char *label, const char *const *names, int n, int *index) {
  bool changed = false;
  const bool is_open = ImGui::BeginCombo(label, *index >= 0 && *index < n ? names[*index] : "");
  note('l', label);
  if (is_open) {
    for (int i = 0; i < n; i++) {
      if (ImGui::Selectable(names[i], i == *index)) {
        *index = i;
        changed = true;
      }
      note('r', (std::string(label) + "=" + names[i]).c_str());
    }
    ImGui::EndCombo();
  }
  return changed;
}

int gui_entry(const char *label, const char *hint, char *text, int capacity) {
  const bool entered = ImGui::InputTextWithHint(label, hint, text, (size_t)capacity,
                                                ImGuiInputTextFlags_EnterReturnsTrue);
  note('e', label);
  return entered;
}

int gui_row(const char *label, int selected) {
  const bool pressed = ImGui::Selectable(label, selected != 0, ImGuiSelectableFlags_SpanAllColumns);
  note('r', label);
  return pressed;
}

int gui_table(const char *name, int columns, const char *const *heads, float height) {
  const ImGuiTableFlags flags = ImGuiTableFlags_RowBg | ImGuiTableFlags_SizingStretchProp |
                                (height > 0 ? ImGuiTableFlags_ScrollY : 0);
  if (!ImGui::BeginTable(name, columns, flags, ImVec2(0, height))) {
    return 0;
  }
  for (int i = 0; heads && i < columns; i++) {
    ImGui::TableSetupColumn(heads[i]);
  }
  if (heads) {
    ImGui::TableSetupScrollFreeze(0, 1);
    ImGui::TableHeadersRow();
  }
  return 1;
}

void gui_cell(const char *format, ...) {
  va_list list;
  ImGui::TableNextColumn();
  va_start(list, format);
  ImGui::TextV(format, list);
  va_end(list);
}

void gui_next_cell(void) {
  ImGui::TableNextColumn();
}

void gui_table_end(void) {
  ImGui::EndTable();
}

// ------------------------------------------------------------------ plots

static const ImU32 plot_colors[] = { 0xffffb46e, 0xff66c2ff, 0xff7fd98a, 0xff7d7dff,
                                     0xffe089d0, 0xffd7d35a, 0xff9fb9c9, 0xff5aa7d7 };

static void plot_range(const gui_line_plot *lines, int n, float *lo, float *hi) {
  *lo = 1e30f;
  *hi = -1e30f;
  for (int k = 0; k < n; k++) {
    for (int i = 0; i < lines[k].count; i++) {
      const float y = lines[k].y[(lines[k].first + i) % lines[k].capacity];
      *lo = y < *lo ? y : *lo;
      *hi = y > *hi ? y : *hi;
    }
  }
  if (*lo > *hi) {
    *lo = 0;
    *hi = 1;
  }
  const float margin = *hi > *lo ? 0.05f * (*hi - *lo) : 0.5f + 0.1f * (*hi < 0 ? -*hi : *hi);
  *lo -= margin;
  *hi += margin;
}

void gui_plot(const char *label, const gui_line_plot *lines, int n, float height) {
  float lo, hi;
  char text[64];
  plot_range(lines, n, &lo, &hi);
  ImGui::TextDisabled("%s", label);
  for (int k = 0; k < n && n > 1; k++) {
    const ImU32 color = plot_colors[k % 8];
    ImGui::SameLine();
    ImGui::TextColored(ImGui::ColorConvertU32ToFloat4(color), "%s", lines[k].name);
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float w = ImGui::GetContentRegionAvail().x;
  ImDrawList *list = ImGui::GetWindowDrawList();
  list->AddRectFilled(at, ImVec2(at.x + w, at.y + height), 0xff1a1613, 3);
  list->PushClipRect(at, ImVec2(at.x + w, at.y + height), true);
  for (int k = 0; k < n; k++) {
    const gui_line_plot &p = lines[k];
    ImVec2 last;
    for (int i = 0; i < p.count; i++) {
      const float y = p.y[(p.first + i) % p.capacity];
      const int at_column = p.capacity - p.count + i;
      const float part = (float)at_column / (float)(p.capacity > 1 ? p.capacity - 1 : 1);
      const ImVec2 next(at.x + w * part, at.y + height * (hi - y) / (hi - lo));
      if (i) {
        list->AddLine(last, next, plot_colors[k % 8], 1.4f);
      }
      last = next;
    }
  }
  snprintf(text, sizeof text, "%.4g", (double)hi);
  list->AddText(ImVec2(at.x + 3, at.y + 1), 0xa0ffffff, text);
  snprintf(text, sizeof text, "%.4g", (double)lo);
  list->AddText(ImVec2(at.x + 3, at.y + height - ImGui::GetFontSize() - 1), 0xa0ffffff, text);
  list->PopClipRect();
  ImGui::Dummy(ImVec2(w, height + 2));
}

void gui_bar(const char *label, double part, const char *text) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float w = ImGui::GetContentRegionAvail().x, h = ImGui::GetTextLineHeight() + 1;
  ImDrawList *list = ImGui::GetWindowDrawList();
  const float clamped = part < 0 ? 0 : part > 1 ? 1 : (float)part;
  list->AddRectFilled(ImVec2(at.x + 0.4f * w, at.y),
                      ImVec2(at.x + (0.4f + 0.6f * clamped) * w, at.y + h), 0xff7a5a34, 2);
  list->AddText(at, 0xffd0d0d0, label);
  list->AddText(ImVec2(at.x + 0.42f * w, at.y), 0xffffffff, text);
  ImGui::Dummy(ImVec2(w, h));
}

// ------------------------------------------------------------------ for tests

void gui_record(gui *g, int on) {
  g->recording = on != 0;
}

int gui_widget_at(const gui *g, int index, gui_widget *out) {
  if (index < 0 || (size_t)index >= g->widgets.size()) {
    return 0;
  }
  *out = g->widgets[(size_t)index];
  return 1;
}

void gui_reveal(gui *g, const char *path) {
  g->reveal = path;
}
