// SPDX-License-Identifier: Apache-2.0
//
// Programs of the card, compiled when they are needed first.

#include <stdio.h>
#include <stdlib.h>

#include "gl.h"
#include "shaders.h"

static const struct {
  const char *vertex, *fragment;
  int is_lit;
} sources[NPASSES] = {
  [PASS_COLOR] = { vertex_shader, color_shader, 1 },
  [PASS_ID] = { vertex_shader, id_shader, 0 },
  [PASS_DEPTH] = { vertex_shader, depth_shader, 0 },
  [PASS_SKY] = { sky_vertex_shader, sky_shader, 0 },
  [PASS_LABEL] = { label_vertex_shader, label_shader, 0 },
};

static GLuint compile(GLenum kind, const char *head, const char *common, const char *body,
                      char *log, int size) {
  const char *texts[3] = { head, common, body };
  GLint good = 0;
  const GLuint shader = glCreateShader(kind);
  glShaderSource(shader, 3, texts, NULL);
  glCompileShader(shader);
  glGetShaderiv(shader, GL_COMPILE_STATUS, &good);
  if (!good) {
    glGetShaderInfoLog(shader, size, NULL, log);
    glDeleteShader(shader);
    return 0;
  }
  return shader;
}

static GLuint link_program(GLuint vert, GLuint frag, char *log, int size) {
  GLint good = 0;
  const GLuint id = glCreateProgram();
  glAttachShader(id, vert);
  glAttachShader(id, frag);
  glLinkProgram(id);
  glGetProgramiv(id, GL_LINK_STATUS, &good);
  if (!good) {
    glGetProgramInfoLog(id, size, NULL, log);
    glDeleteProgram(id);
    return 0;
  }
  return id;
}

static void find_uniforms(program *p) {
  p->view = glGetUniformLocation(p->id, "view");
  p->eye = glGetUniformLocation(p->id, "eye");
  p->light = glGetUniformLocation(p->id, "light");
  p->nlight = glGetUniformLocation(p->id, "nlight");
  p->shadow_matrix = glGetUniformLocation(p->id, "shadow_matrix");
  p->around = glGetUniformLocation(p->id, "around");
  p->clip = glGetUniformLocation(p->id, "clip");
  p->strength = glGetUniformLocation(p->id, "strength");
  glUseProgram(p->id);
  glUniform1i(glGetUniformLocation(p->id, "image"), 0);
  glUniform1i(glGetUniformLocation(p->id, "shadows"), 1);
}

static int make(program *p, int pass, int texture, int shadow, int coarse, char *log, int size) {
  char head[320];
  snprintf(head, sizeof head,
           "#version 330\n#define TEXTURE %d\n#define SHADOW %d\n#define COARSE %d\n"
           "#define MAX_LIGHTS %d\n#define UNLIT 0.3\n#define BEHIND 0.3\n",
           texture, shadow, coarse, MAX_LIGHTS);
  const char *common = sources[pass].is_lit ? lighting : "";
  const GLuint vert = compile(GL_VERTEX_SHADER, head, common, sources[pass].vertex, log, size);
  const GLuint frag = vert ? compile(GL_FRAGMENT_SHADER, head, common, sources[pass].fragment, log,
                                     size)
                           : 0;
  p->id = frag ? link_program(vert, frag, log, size) : 0;
  if (vert) {
    glDeleteShader(vert);
  }
  if (frag) {
    glDeleteShader(frag);
  }
  if (p->id) {
    find_uniforms(p);
  }
  return p->id != 0;
}

const program *program_use(canvas *c, int pass, int texture, int shadow, int coarse,
                           sn_error *error) {
  char text[1024], log[896] = "";
  const int is_color = pass == PASS_COLOR;   // the others have no variants
  shadow = is_color && shadow ? c->nshadow : 0;
  program *p = &c->program[pass][is_color ? texture : 0][shadow][is_color && coarse];
  if (!p->id && !make(p, pass, texture, shadow, is_color && coarse, log, sizeof log)) {
    snprintf(text, sizeof text, "the driver rejects a program of this plugin: %s", log);
    renderer_fail(c->self, error, SN_EUNSUPPORTED, text);
    return NULL;
  }
  glUseProgram(p->id);
  return p;
}

void programs_free(canvas *c) {
  program *p = &c->program[0][0][0][0];
  for (size_t i = 0; i < sizeof c->program / sizeof *p; i++) {
    glDeleteProgram(p[i].id);
  }
}
