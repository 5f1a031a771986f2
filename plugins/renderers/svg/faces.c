// SPDX-License-Identifier: Apache-2.0
//
// From the geoms of a scene to faces: each shape is made of flat faces, which get one color each,
// are cut at the near plane, and are sorted for the painter's algorithm (Newell, Newell and Sancha,
// 1972, without their splitting): the farthest first.
//
// A round shape is a grid over two parameters u, v in 0 to 1, counterclockwise seen from outside
// where v goes up and u to the right. Light is OpenGL's fixed formula at the middle of a face, as
// in the renderer `opengl`, without shadows.

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/grow.h"
#include "svg.h"

static const float pi = 3.14159265F;

static float dot(const float *a, const float *b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static float normalize(float *a) {
  const float length = sqrtf(dot(a, a));
  for (int k = 0; k < 3 && length > 0; k++) {
    a[k] /= length;
  }
  return length;
}

// ------------------------------------------------------------------ light

// What one light adds to ambient and diffuse, and to specular, of a point with a normal.
static void add_light(const sn_scene_light *l, const float *eye, const float *point,
                      const float *normal, const sn_scene_geom *g, float *sum, float *shine) {
  float toward[3] = { -l->dir[0], -l->dir[1], -l->dir[2] }, strength = 1;
  if (!l->directional) {
    for (int k = 0; k < 3; k++) {
      toward[k] = l->pos[k] - point[k];
    }
    const float r = normalize(toward), c = -dot(toward, l->dir);
    strength = 1 /
               fmaxf(l->attenuation[0] + (l->attenuation[1] + l->attenuation[2] * r) * r, 1e-6F);
    if (l->cutoff < 180) {
      strength *= c < cosf(l->cutoff * pi / 180) ? 0
                  : l->exponent > 0              ? powf(fmaxf(c, 1e-6F), l->exponent)
                                                 : 1;
    }
  }
  const float nl = dot(normal, toward);
  float half[3] = { eye[0] - point[0], eye[1] - point[1], eye[2] - point[2] };
  normalize(half);
  for (int k = 0; k < 3; k++) {
    half[k] += toward[k];
    sum[k] += strength * (l->ambient[k] + l->diffuse[k] * fmaxf(nl, 0));
  }
  normalize(half);
  const float nh = dot(normal, half);
  for (int k = 0; k < 3 && nl > 0 && nh > 0 && g->specular > 0; k++) {
    shine[k] += strength * l->specular[k] * g->specular * powf(nh, 128 * g->shininess);
  }
}

static void light_face(const drawing *x, const sn_scene_geom *g, const float *point,
                       const float *normal, const float *texel, float *rgb) {
  const sn_scene *s = x->scene;
  float sum[3] = { g->emission, g->emission, g->emission }, shine[3] = { 0 };
  for (int64_t i = 0; i < s->nlight; i++) {
    add_light(&s->light[i], s->eye.pos, point, normal, g, sum, shine);
  }
  for (int k = 0; k < 3; k++) {
    rgb[k] = texel[k] * fminf(g->rgba[k] * sum[k] + shine[k], 1);
  }
}

// ------------------------------------------------------------------ faces

// A point in the frame of the camera: to the right, up, along the view.
static void to_camera(const drawing *x, const float *point, float *out) {
  const sn_scene_eye *eye = &x->scene->eye;
  const float d[3] = { point[0] - eye->pos[0], point[1] - eye->pos[1], point[2] - eye->pos[2] };
  out[0] = dot(d, x->right);
  out[1] = dot(d, eye->up);
  out[2] = dot(d, eye->forward);
}

static void to_image(const drawing *x, const float *p, float *corner) {
  corner[0] = (float)x->width / 2 + x->focal * p[0] / p[2];
  corner[1] = (float)x->height / 2 - x->focal * p[1] / p[2];
  corner[2] = p[2];
}

int drawing_project(const drawing *x, const float *point, float *corner) {
  float p[3];
  to_camera(x, point, p);
  if (p[2] < x->scene->eye.near) {
    return 0;
  }
  to_image(x, p, corner);
  return 1;
}

static face *new_face(drawing *x) {
  face *grown = grow(x->face, x->n + 1, &x->capacity, 1024, sizeof *grown);
  if (!grown) {
    x->failed = 1;
    return NULL;
  }
  x->face = grown;
  return memset(&x->face[x->n], 0, sizeof *x->face);
}

// The part of a polygon behind the near plane (Sutherland and Hodgman, 1974), in pixels.
static void set_corners(const drawing *x, face *f, float (*world)[3], int n) {
  const float near = x->scene->eye.near;
  float p[4][3];
  for (int i = 0; i < n; i++) {
    to_camera(x, world[i], p[i]);
  }
  for (int i = 0; i < n; i++) {
    const float *a = p[i], *b = p[(i + 1) % n];
    if (a[2] >= near) {
      to_image(x, a, f->corner[f->n++]);
    }
    if ((a[2] >= near) != (b[2] >= near)) {
      const float part = (near - a[2]) / (b[2] - a[2]);
      const float cut[3] = { a[0] + part * (b[0] - a[0]), a[1] + part * (b[1] - a[1]), near };
      to_image(x, cut, f->corner[f->n++]);
    }
  }
}

static int is_in_image(const drawing *x, const face *f) {
  int left = 0, right = 0, above = 0, below = 0;
  for (int i = 0; i < f->n; i++) {
    left += f->corner[i][0] < 0;
    right += f->corner[i][0] > (float)x->width;
    above += f->corner[i][1] < 0;
    below += f->corner[i][1] > (float)x->height;
  }
  return f->n > 2 && left < f->n && right < f->n && above < f->n && below < f->n;
}

// Adds a polygon of 3 or 4 points in the frame of a geom, with the color of its texture.
static void add_face(drawing *x, const sn_scene_geom *g, float (*local)[3], int n,
                     const float *texel) {
  const sn_scene_eye *eye = &x->scene->eye;
  const int is_plane = g->type == SN_DRAW_PLANE;
  float world[4][3], middle[3] = { 0 }, a[3], b[3], normal[3], toward[3];
  face *f = new_face(x);
  if (!f) {
    return;
  }
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < 3; k++) {
      world[i][k] = g->pos[k] + dot(g->mat + 3 * k, local[i]);
      middle[k] += world[i][k] / (float)n;
    }
  }
  for (int k = 0; k < 3; k++) {   // of the diagonals: at poles two corners are one
    a[k] = world[2][k] - world[0][k];
    b[k] = world[n - 1][k] - world[1][k];
    toward[k] = eye->pos[k] - middle[k];
  }
  for (int k = 0; k < 3; k++) {
    normal[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
  }
  normalize(normal);
  const int is_back = dot(normal, toward) <= 0;
  if (is_back && x->scene->around.cull && !is_plane && g->object != SN_OBJECT_SKIN) {
    return;
  }
  for (int k = 0; k < 3 && is_back; k++) {
    normal[k] = -normal[k];
  }
  set_corners(x, f, world, n);
  if (!is_in_image(x, f)) {
    return;
  }
  for (int i = 0; i < f->n; i++) {
    f->depth += f->corner[i][2] / (float)f->n;
  }
  f->geom = (int32_t)(g - x->scene->geom);
  f->alpha = 1 - (1 - g->rgba[3]) * (1 - g->rgba[3]);   // of the front and the back of a body
  f->is_ground = is_plane && !is_back;
  light_face(x, g, middle, normal, texel, f->rgb);
  x->n++;
}

// ------------------------------------------------------------------ textures

// u, v of a point on a flat texture, per meter and at the origin: as often as texrepeat over the
// object, or over each two meters, with the middle of the texture in the middle of the object.
static void map_flat(const sn_scene_geom *g, float *scale, float *shift) {
  for (int k = 0; k < 2; k++) {
    const int by_length = g->texuniform || g->size[k] <= 0;
    scale[k] = (k ? -1.0F : 1.0F) * g->texrepeat[k] / (by_length ? 2 : 2 * g->size[k]);
    shift[k] = 0.5F * (by_length ? 1 : g->texrepeat[k]);
  }
}

// The mean color of the texture on a quadrilateral or triangle in the frame of the geom.
static void find_texel(const drawing *x, const sn_scene_geom *g, float (*p)[3], int n, float *rgb) {
  enum { SAMPLES = 6 };
  const sn_scene_texture *t = g->texture >= 0 ? &x->scene->texture[g->texture] : NULL;
  float scale[2], shift[2];
  rgb[0] = rgb[1] = rgb[2] = t ? 0 : 1;
  if (!t) {
    return;
  }
  map_flat(g, scale, shift);
  for (int i = 0; i < SAMPLES * SAMPLES; i++) {
    const int column = i % SAMPLES, row = i / SAMPLES;
    const float u = ((float)column + 0.5F) / SAMPLES, v = ((float)row + 0.5F) / SAMPLES;
    float at[3], one[3];
    for (int k = 0; k < 3; k++) {
      at[k] = (1 - v) * ((1 - u) * p[0][k] + u * p[1][k]) +
              v * ((1 - u) * p[n - 1][k] + u * p[2][k]);
    }
    if (t->type == SN_TEXTURE_2D) {
      texture_flat(t, at[0] * scale[0] + shift[0], at[1] * scale[1] + shift[1], one);
    } else {
      for (int k = 0; k < 3 && g->type != SN_DRAW_MESH && !g->texuniform; k++) {
        at[k] /= g->size[k] > 0 ? g->size[k] : 1;
      }
      texture_cube(t, at, one);
    }
    for (int k = 0; k < 3; k++) {
      rgb[k] += one[k] / (SAMPLES * SAMPLES);
    }
  }
}

// ------------------------------------------------------------------ shapes

typedef void place_at(float u, float v, const float *size, float *out);

static void add_grid(drawing *x, const sn_scene_geom *g, int across, int up, place_at *place,
                     const float *size) {
  for (int r = 0; r < up; r++) {
    for (int c = 0; c < across; c++) {
      float p[4][3], texel[3];
      for (int i = 0; i < 4; i++) {
        const int right = i == 1 || i == 2, upper = i >= 2;
        place((float)(c + right) / (float)across, (float)(r + upper) / (float)up, size, p[i]);
      }
      find_texel(x, g, p, 4, texel);
      add_face(x, g, p, 4, texel);
    }
  }
}

static void set(float *out, float a, float b, float c) {
  out[0] = a;
  out[1] = b;
  out[2] = c;
}

static void on_ellipsoid(float u, float v, const float *s, float *out) {
  const float e = (v - 0.5F) * pi;
  set(out, s[0] * cosf(e) * cosf(2 * pi * u), s[1] * cosf(e) * sinf(2 * pi * u), s[2] * sinf(e));
}

// The half of a ball above or below the cylinder of a capsule, whose half length is s[2].
static void on_cap(float u, float v, const float *s, float *out) {
  const float e = (s[2] > 0 ? v : v - 1) * pi / 2;
  set(out, s[0] * cosf(e) * cosf(2 * pi * u), s[0] * cosf(e) * sinf(2 * pi * u),
      s[2] + s[0] * sinf(e));
}

// A cylinder or cone of radius s[0] below and s[1] above, from height s[2] to s[3].
static void on_side(float u, float v, const float *s, float *out) {
  const float r = s[0] + v * (s[1] - s[0]);
  set(out, r * cosf(2 * pi * u), r * sinf(2 * pi * u), s[2] + v * (s[3] - s[2]));
}

// A disk of radius s[0] at height s[1], seen from the side of the sign s[2].
static void on_disk(float u, float v, const float *s, float *out) {
  const float r = (1 - v) * s[0];
  set(out, r * cosf(2 * pi * u), s[2] * r * sinf(2 * pi * u), s[1]);
}

// More facets where a shape is large in the image.
static int facets(const drawing *x, const sn_scene_geom *g, float radius) {
  float p[3];
  to_camera(x, g->pos, p);
  const float pixels = x->focal * radius / fmaxf(p[2], x->scene->eye.near);
  return pixels < 3 ? 8 : pixels < 12 ? 16 : pixels < 40 ? 24 : 36;
}

static void add_tube(drawing *x, const sn_scene_geom *g, float below, float above, float from,
                     float to) {
  const int n = facets(x, g, fmaxf(below, above));
  const float side[4] = { below, above, from, to };
  const float lower[3] = { below, from, -1 }, upper[3] = { above, to, 1 };
  const float parts = (to - from) / fmaxf(fmaxf(below, above), 1e-6F);
  add_grid(x, g, n, parts < 2 ? 1 : parts < 8 ? (int)parts : 8, on_side, side);
  add_grid(x, g, n, 1, on_disk, lower);
  add_grid(x, g, n, 1, on_disk, upper);
}

static void add_capsule(drawing *x, const sn_scene_geom *g) {
  const float *s = g->size;
  const int n = facets(x, g, s[0]);
  const float half = fmaxf(s[2], 1e-6F * s[0]), side[4] = { s[0], s[0], -half, half };
  const float above[3] = { s[0], s[0], half }, below[3] = { s[0], s[0], -half };
  add_grid(x, g, n, (int)fminf(fmaxf(half / s[0], 1), 8), on_side, side);
  add_grid(x, g, n, n / 4, on_cap, above);
  add_grid(x, g, n, n / 4, on_cap, below);
}

static void add_box(drawing *x, const sn_scene_geom *g) {
  const int n = x->scene->around.quads > 1 ? x->scene->around.quads : 1;
  for (int i = 0; i < 6 * n * n; i++) {
    const int axis = i % 3, sign = i % 2 ? 1 : -1, column = i / 6 % n, row = i / 6 / n;
    float p[4][3], texel[3];
    for (int c = 0; c < 4; c++) {
      const int right = c == 1 || c == 2, upper = c >= 2;
      const int a = (axis + 1) % 3, b = (axis + 2) % 3;
      p[c][axis] = (float)sign * g->size[axis];
      p[c][a] = (float)sign * g->size[a] * (2 * (float)(column + right) / (float)n - 1);
      p[c][b] = g->size[b] * (2 * (float)(row + upper) / (float)n - 1);
    }
    find_texel(x, g, p, 4, texel);
    add_face(x, g, p, 4, texel);
  }
}

static void add_mesh(drawing *x, const sn_scene_geom *g) {
  const sn_scene_mesh *m = &x->scene->mesh[g->mesh];
  const sn_scene_texture *t = g->texture >= 0 ? &x->scene->texture[g->texture] : NULL;
  for (int64_t i = 0; i < m->nface; i++) {
    float p[3][3], texel[3], uv[2] = { 0 };
    for (int c = 0; c < 3; c++) {
      const int64_t v = m->face[3 * i + c];
      for (int k = 0; k < 3; k++) {
        p[c][k] = g->size[k] * m->vertex[3 * v + k];
      }
      for (int k = 0; k < 2 && m->texcoord; k++) {
        uv[k] += m->texcoord[2 * v + k] * g->texrepeat[k] / 3;
      }
    }
    find_texel(x, g, p, 3, texel);
    if (t && m->texcoord && t->type == SN_TEXTURE_2D) {
      texture_flat(t, uv[0], uv[1], texel);
    }
    add_face(x, g, p, 3, texel);
  }
}

// ------------------------------------------------------------------ planes

enum { LINES = 65 };

// Where faces of a plane end along an axis: at each half period of its texture around a point, so
// that the squares of a checkerboard are faces, and at the edges. How many.
static int plane_lines(const sn_scene_geom *g, int axis, float middle, float half, float *line) {
  float scale[2], shift[2];
  map_flat(g, scale, shift);
  const float step = 0.5F / fmaxf(fabsf(scale[axis]), 1e-6F), around = step * (LINES - 3) / 2;
  const float from = fmaxf(-half, middle - around), to = fminf(half, middle + around);
  int n = 0;
  line[n++] = -half;
  if (g->texture < 0) {
    for (int k = 1; k < 8; k++) {
      line[n++] = half * ((float)k / 4 - 1);
    }
  } else {
    const float first = (ceilf(2 * (from * scale[axis] + shift[axis])) / 2 - shift[axis]);
    for (int k = 0; k < LINES - 2; k++) {
      const float at = first / scale[axis] + (float)k * step;
      if (at > from && at < to && at > line[n - 1] + 0.01F * step) {
        line[n++] = at;
      }
    }
  }
  line[n++] = half;
  return n;
}

static void add_plane(drawing *x, const sn_scene_geom *g) {
  const sn_scene_eye *eye = &x->scene->eye;
  float line[2][LINES], texel[3];
  int n[2];
  for (int axis = 0; axis < 2; axis++) {
    const int is_infinite = g->size[axis] <= 0;
    float foot = 0;
    for (int k = 0; k < 3; k++) {
      foot += g->mat[3 * k + axis] * (eye->pos[k] - g->pos[k]);
    }
    n[axis] = plane_lines(g, axis, foot, is_infinite ? eye->far + fabsf(foot) : g->size[axis],
                          line[axis]);
  }
  for (int i = 0; i < (n[0] - 1) * (n[1] - 1); i++) {
    const float *a = &line[0][i % (n[0] - 1)], *b = &line[1][i / (n[0] - 1)];
    float p[4][3] = { { a[0], b[0], 0 }, { a[1], b[0], 0 }, { a[1], b[1], 0 }, { a[0], b[1], 0 } };
    find_texel(x, g, p, 4, texel);
    add_face(x, g, p, 4, texel);
  }
}

// ------------------------------------------------------------------ the scene

static void add_arrow(drawing *x, const sn_scene_geom *g) {
  const float neck = 0.75F * g->size[2];
  add_tube(x, g, g->size[0], g->size[0], 0, neck);
  add_tube(x, g, 1.75F * g->size[0], 0, neck, g->size[2]);
}

static void add_geom(drawing *x, const sn_scene_geom *g) {
  const float *s = g->size;
  float p[3];
  switch (g->type) {
    case SN_DRAW_TEXT: break;
    case SN_DRAW_PLANE: add_plane(x, g); break;
    case SN_DRAW_CAPSULE: add_capsule(x, g); break;
    case SN_DRAW_CYLINDER: add_tube(x, g, s[0], s[0], -s[2], s[2]); break;
    case SN_DRAW_CONE: add_tube(x, g, s[0], 0, 0, s[2]); break;
    case SN_DRAW_ARROW: add_arrow(x, g); break;
    case SN_DRAW_BOX: add_box(x, g); break;
    case SN_DRAW_MESH: add_mesh(x, g); break;
    case SN_DRAW_LINE: {
      to_camera(x, g->pos, p);   // the width is in pixels
      const float radius = s[0] / 2 * fmaxf(p[2], x->scene->eye.near) / x->focal;
      add_tube(x, g, radius, radius, 0, s[2]);
      break;
    }
    default: {
      const int n = facets(x, g, fmaxf(s[0], fmaxf(s[1], s[2])));
      add_grid(x, g, n, n / 2, on_ellipsoid, s);
    }
  }
}

// Opaque ones first; among each, what nothing is behind, then the farthest.
static int by_depth(const void *a, const void *b) {
  const face *f = a, *g = b;
  const int clear = (f->alpha < 1) - (g->alpha < 1), ground = g->is_ground - f->is_ground;
  if (clear || ground) {
    return clear ? clear : ground;
  }
  if (f->depth < g->depth || f->depth > g->depth) {
    return f->depth < g->depth ? 1 : -1;
  }
  const int which = (f->geom > g->geom) - (f->geom < g->geom);
  return which ? which : memcmp(f->corner, g->corner, sizeof f->corner);
}

int drawing_make(drawing *x, const sn_scene *scene, int32_t width, int32_t height) {
  const float *f = scene->eye.forward, *u = scene->eye.up;
  *x = (drawing){ .scene = scene, .width = width, .height = height };
  x->focal = (float)height / 2 / tanf(scene->eye.fovy * pi / 360);
  for (int k = 0; k < 3; k++) {
    x->right[k] = f[(k + 1) % 3] * u[(k + 2) % 3] - f[(k + 2) % 3] * u[(k + 1) % 3];
  }
  for (int64_t i = 0; i < scene->ngeom && !x->failed; i++) {
    if (scene->geom[i].rgba[3] > 0) {
      add_geom(x, &scene->geom[i]);
    }
  }
  if (x->failed) {
    return 0;
  }
  if (x->n > 0) {
    qsort(x->face, (size_t)x->n, sizeof *x->face, by_depth);
  }
  while (x->nopaque < x->n && x->face[x->nopaque].alpha >= 1) {
    x->nopaque++;
  }
  return 1;
}

void drawing_free(drawing *x) {
  free(x->face);
}

void drawing_sky(const drawing *x, float row, float *rgb) {
  const sn_scene *s = x->scene;
  const float up = ((float)x->height / 2 - row) / x->focal;
  float d[3];
  rgb[0] = rgb[1] = rgb[2] = 0;
  if (s->around.skybox < 0 || s->around.skybox >= s->ntexture) {
    return;
  }
  for (int k = 0; k < 3; k++) {
    d[k] = s->eye.forward[k] + up * s->eye.up[k];
  }
  texture_cube(&s->texture[s->around.skybox], (float[3]){ d[0], d[2], -d[1] }, rgb);
}
