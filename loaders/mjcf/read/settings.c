// SPDX-License-Identifier: Apache-2.0
//
// Settings: they start as the spec has them, sections may repeat, and the last value wins.

#include "mjcf/read/read.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "sinew/number.h"

void mjcf_default_settings(mjcf_settings *s) {
  memset(s, 0, sizeof *s);
#define BEGIN(kind) sn_default_##kind(&s->kind);
  SN_SETTINGS(BEGIN)
#undef BEGIN

  // in this format angles are in degrees by default
  s->compiler.degree = 1;
}

sn_status mjcf_settings_begin(mjcf_reader *r, const xml_node *root) {
  (void)root;
  mjcf_settings *s = &r->settings;
  mjcf_default_settings(s);
#define BEGIN(kind) SN_TRY(r->builder->get_##kind(r->spec, &s->kind));
  SN_SETTINGS(BEGIN)
#undef BEGIN
  s->compiler.degree = 1;
  return SN_OK;
}

// a folder is kept in the compiler's settings as far as there is room; the loader uses its own
static void keep_folder(char *to, size_t size, const char *folder) {
  if (folder && strlen(folder) < size) {
    strcpy(to, folder);
  }
}

// Cameras see from znear to zfar, each times the extent. MuJoCo reads any numbers.
static sn_status check_view(mjcf_reader *r) {
  static const double nearest = 1e-30, farthest = 1e30;   // m; renderers have single precision
  static const double depths = 1 << 24;                   // that an image distinguishes
  const sn_visual *v = &r->settings.visual;
  const double extent = r->settings.statistic.extent;
  char text[256];
  if (!r->planes.file) {
    return SN_OK;
  }
  if (!(v->map_znear > 0 && v->map_znear < v->map_zfar)) {
    snprintf(
        text, sizeof text,
        "visual: cameras see from znear to zfar, which are %g and %g, so images are wrong; set 0 < "
        "znear < zfar",
        v->map_znear, v->map_zfar);
    return r->builder->warn(r->spec, &r->planes, text);
  }
  // an extent that is not given is the size of the model, about 1 m here
  const double size = isnan(extent) ? 1 : extent;
  const int is_far = size * v->map_znear < nearest || size * v->map_zfar > farthest;
  if (v->map_zfar > depths * v->map_znear || (is_far && isnan(extent))) {
    snprintf(
        text, sizeof text,
        "visual: cameras see from znear to zfar, which are %g and %g times the extent; a depth "
        "buffer of 24 bits cannot resolve this, so images are wrong; the usual values are 0.01 and "
        "50",
        v->map_znear, v->map_zfar);
    return r->builder->warn(r->spec, &r->planes, text);
  }
  if (is_far) {
    snprintf(
        text, sizeof text,
        "statistic: cameras see from znear to zfar times the extent, which is %g, so images are "
        "wrong; set it to the size of the model, m, or remove it",
        extent);
    return r->builder->warn(r->spec, &r->planes, text);
  }
  return SN_OK;
}

sn_status mjcf_settings_end(mjcf_reader *r) {
  mjcf_settings *s = &r->settings;
  keep_folder(s->compiler.meshdir, sizeof s->compiler.meshdir, s->meshdir);
  keep_folder(s->compiler.texturedir, sizeof s->compiler.texturedir, s->texturedir);
#define END(kind) SN_TRY(r->builder->set_##kind(r->spec, &s->kind, r->error));
  SN_SETTINGS(END)
#undef END
  SN_TRY(check_view(r));
  if (r->builder->locate_option) {
    SN_TRY(r->builder->locate_option(r->spec, "solver", &r->solver));
    SN_TRY(r->builder->locate_option(r->spec, "integrator", &r->integrator));
  }
  return SN_OK;
}

sn_status mjcf_read_setting(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  SN_TRY(mjcf_fill(r, e, node, (char *)&r->settings + e->target));
  return mjcf_read_children(r, e, node);
}

sn_status mjcf_read_compiler(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  SN_TRY(mjcf_read_setting(r, e, node));
  if (xml_find_attr(node, "assetdir")) {
    mjcf_settings *s = &r->settings;
    s->meshdir = xml_find_attr(node, "meshdir") ? s->meshdir : s->assetdir;
    s->texturedir = xml_find_attr(node, "texturedir") ? s->texturedir : s->assetdir;
  }
  const xml_attr *a = xml_find_attr(node, "eulerseq");
  if (a && (strlen(a->value) != 3 || strspn(a->value, "xyzXYZ") != 3)) {
    return xml_fail(&r->xml, SN_EPARSE, node, a,
                    "compiler: eulerseq is \"%.80s\", expected three letters of xyzXYZ", a->value);
  }
  return SN_OK;
}

// What names a plugin is found when the model is compiled; the place is for the message then.
sn_status mjcf_read_option(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  SN_TRY(mjcf_read_setting(r, e, node));
  const xml_attr *solver = xml_find_attr(node, "solver");
  const xml_attr *integrator = xml_find_attr(node, "integrator");
  r->solver = solver ? xml_attr_location(node, solver) : r->solver;
  r->integrator = integrator ? xml_attr_location(node, integrator) : r->integrator;
  return SN_OK;
}

// visual/map and statistic; the place is for the warning of check_view.
sn_status mjcf_read_view(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  static const char *const names[] = { "znear", "zfar", "extent" };
  SN_TRY(mjcf_read_setting(r, e, node));
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const xml_attr *a = xml_find_attr(node, names[i]);
    r->planes = a ? xml_attr_location(node, a) : r->planes;
  }
  return SN_OK;
}

// "1.5M": -1, or a positive number that may end with a unit
static int is_memory(const char *text) {
  double number;
  const char *unit = sn_read_number(text, &number);
  if (*unit && strchr("KMGTPEkmgtpe", *unit) && unit[1] == '\0') {
    return number > 0;
  }
  return *unit == '\0' && (number == -1 || (number >= 1 && number == rint(number)));
}

sn_status mjcf_read_size(mjcf_reader *r, const mjcf_element *e, const xml_node *node) {
  SN_TRY(mjcf_read_setting(r, e, node));
  const xml_attr *a = xml_find_attr(node, "memory");
  return !a || is_memory(a->value)
             ? SN_OK
             : xml_fail(&r->xml, SN_EPARSE, node, a,
                        "size: memory is \"%.80s\", expected -1 or a number of bytes such as 10M",
                        a->value);
}
