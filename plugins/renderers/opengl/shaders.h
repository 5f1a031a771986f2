// SPDX-License-Identifier: Apache-2.0
//
// The programs of the card, in GLSL 3.30. They are compiled with
//
//   TEXTURE   0: none, 1: flat, 2: cube
//   SHADOW    how many lights have shadow maps
//   COARSE    whether lighting is evaluated at the vertices, not in each pixel
//
// Lighting is that of OpenGL's fixed functions, which the models' lights and materials are made
// for: emission, and for each light, weakened by the distance and by its cone, ambient + diffuse
// max(0, n l) + specular max(0, n h)^(128 shininess). The sum is limited to 1 and then multiplied
// by the texture; each light that has shadows is limited apart, as MuJoCo adds it later. Fixed
// functions evaluate it at the vertices. In each pixel it looks better, but for large planes models
// rely on the vertices: there the light of a cone is spread.

#ifndef OPENGL_SHADERS_H
#define OPENGL_SHADERS_H

// light[6 i ...]: position and whether it has a direction alone; direction and the exponent;
// ambient and the cosine of the cone; diffuse and the shadow map; specular; attenuation. The sum
// has the light of all that is not in a shadow map, shown[k] that of map k.
static const char lighting[] =
    "uniform vec4 eye;\n"
    "uniform vec4 light[6 * MAX_LIGHTS];\n"
    "uniform int nlight;\n"
    "#if SHADOW\n"
    "#define SHOWN , out vec3 shown[SHADOW]\n"
    "#else\n"
    "#define SHOWN\n"
    "#endif\n"
    "void shade(vec3 place, vec3 n, vec4 base, vec4 shine, out vec3 sum SHOWN) {\n"
    "  vec3 toward = normalize(eye.xyz - place);\n"
    "  sum = (nlight > 0 ? shine.x : UNLIT) * base.rgb;\n"
    "#if SHADOW\n"
    "  for (int k = 0; k < SHADOW; k++) shown[k] = vec3(0.0);\n"
    "#endif\n"
    "  for (int i = 0; i < nlight; i++) {\n"
    "    vec4 at = light[6 * i], dir = light[6 * i + 1], ambient = light[6 * i + 2];\n"
    "    vec4 diffuse = light[6 * i + 3], specular = light[6 * i + 4];\n"
    "    vec3 l = -dir.xyz;\n"
    "    float strength = 1.0;\n"
    "    if (at.w < 0.5) {\n"
    "      vec3 away = at.xyz - place;\n"
    "      float r = length(away);\n"
    "      l = away / max(r, 1e-6);\n"
    "      vec3 a = light[6 * i + 5].xyz;\n"
    "      float c = dot(-l, dir.xyz);\n"
    "      strength = 1.0 / max(a.x + (a.y + a.z * r) * r, 1e-6);\n"
    "      if (ambient.w > -1.0) {\n"
    "        strength *= c < ambient.w ? 0.0 : dir.w > 0.0 ? pow(max(c, 1e-6), dir.w) : 1.0;\n"
    "      }\n"
    "    }\n"
    "    float nl = dot(n, l);\n"
    "    sum += strength * ambient.rgb * base.rgb;\n"
    "    if (nl > 0.0 && strength > 0.0) {\n"
    "      vec3 part = diffuse.rgb * base.rgb * nl;\n"
    "      if (shine.y > 0.0) {\n"
    "        float nh = max(dot(n, normalize(l + toward)), 0.0);\n"
    "        part += specular.rgb * shine.y * (nh > 0.0 ? pow(nh, shine.z * 128.0) : 0.0);\n"
    "      }\n"
    "#if SHADOW\n"
    "      if (diffuse.w >= 0.0) {\n"
    "        shown[int(diffuse.w)] += strength * part;\n"
    "        continue;\n"
    "      }\n"
    "#endif\n"
    "      sum += strength * part;\n"
    "    }\n"
    "  }\n"
    "}\n";

static const char vertex_shader[] =
    "layout(location = 0) in vec4 point;\n"
    "layout(location = 1) in vec3 normal;\n"
    "layout(location = 2) in vec2 uv;\n"
    "layout(location = 3) in vec4 row0;\n"
    "layout(location = 4) in vec4 row1;\n"
    "layout(location = 5) in vec4 row2;\n"
    "layout(location = 6) in vec4 scale;\n"
    "layout(location = 7) in vec4 rgba;\n"
    "layout(location = 8) in vec4 gloss;\n"
    "layout(location = 9) in vec4 mapping;\n"
    "layout(location = 10) in int id;\n"
    "layout(location = 11) in vec2 slide;\n"
    "uniform mat4 view;\n"
    "uniform vec4 clip;\n"
    "invariant gl_Position;\n"   // the same depths in all passes
    "out vec3 place;\n"
    "out vec3 outward;\n"
    "out vec3 texel;\n"
    "flat out vec4 color;\n"
    "flat out vec4 shine;\n"
    "flat out int number;\n"
    "#if COARSE\n"
    "out vec3 sum;\n"
    "#if SHADOW\n"
    "out vec3 shown[SHADOW];\n"
    "#endif\n"
    "#endif\n"
    "void main() {\n"
    "  vec3 local = point.xyz * scale.xyz + vec3(0.0, 0.0, point.w * scale.w);\n"
    "  vec4 p = vec4(local, 1.0);\n"
    "  place = vec3(dot(row0, p), dot(row1, p), dot(row2, p));\n"
    "  vec3 n = normal / scale.xyz;\n"
    "  outward = vec3(dot(row0.xyz, n), dot(row1.xyz, n), dot(row2.xyz, n));\n"
    "  texel = mapping.x < 0.5 ? vec3(uv * mapping.yz, 0.0)\n"
    "        : mapping.x < 1.5 ? vec3(local.xy * mapping.yz + slide, 0.0)\n"
    "        : local * mapping.yzw;\n"
    "  color = rgba;\n"
    "  shine = gloss;\n"
    "  number = id;\n"
    "#if COARSE\n"
    "#if SHADOW\n"
    "  vec3 each[SHADOW];\n"
    "  shade(place, normalize(outward), rgba, gloss, sum, each);\n"
    "  for (int k = 0; k < SHADOW; k++) shown[k] = each[k];\n"
    "#else\n"
    "  shade(place, normalize(outward), rgba, gloss, sum);\n"
    "#endif\n"
    "#endif\n"
    "  gl_Position = view * vec4(place, 1.0);\n"
    "  gl_ClipDistance[0] = dot(clip, vec4(place, 1.0));\n"
    "}\n";

static const char color_shader[] =
    "in vec3 place;\n"
    "in vec3 outward;\n"
    "in vec3 texel;\n"
    "flat in vec4 color;\n"
    "flat in vec4 shine;\n"
    "out vec4 result;\n"
    "uniform vec4 around[4];\n"
    "uniform float strength;\n"
    "#if COARSE\n"
    "in vec3 sum;\n"
    "#if SHADOW\n"
    "in vec3 shown[SHADOW];\n"
    "#endif\n"
    "#endif\n"
    "#if TEXTURE == 1\n"
    "uniform sampler2D image;\n"
    "#elif TEXTURE == 2\n"
    "uniform samplerCube image;\n"
    "#endif\n"
    "#if SHADOW\n"
    "uniform sampler2DArrayShadow shadows;\n"
    "uniform mat4 shadow_matrix[SHADOW];\n"
    "float lit(int layer) {\n"
    "  vec4 p = shadow_matrix[layer] * vec4(place, 1.0);\n"
    "  if (p.w <= 0.0) return 1.0;\n"
    "  vec3 q = p.xyz / p.w * 0.5 + 0.5;\n"
    "  if (any(lessThan(q, vec3(0.0))) || any(greaterThan(q, vec3(1.0)))) return 1.0;\n"
    "  return texture(shadows, vec4(q.xy, float(layer), q.z));\n"
    "}\n"
    "#endif\n"
    "void main() {\n"
    "  vec4 base = color;\n"
    "  if (shine.w > 0.5 && !gl_FrontFacing) base.a *= BEHIND;\n"
    "#if COARSE\n"
    "  vec3 rgb = sum;\n"
    "#else\n"
    "  vec3 n = normalize(gl_FrontFacing ? outward : -outward), rgb;\n"
    "#if SHADOW\n"
    "  vec3 shown[SHADOW];\n"
    "  shade(place, n, base, shine, rgb, shown);\n"
    "#else\n"
    "  shade(place, n, base, shine, rgb);\n"
    "#endif\n"
    "#endif\n"
    "  rgb = min(rgb, vec3(1.0));\n"
    "#if SHADOW\n"
    "  for (int k = 0; k < SHADOW; k++) {\n"
    "    if (shown[k] != vec3(0.0)) rgb += min(shown[k], vec3(1.0)) * lit(k);\n"
    "  }\n"
    "#endif\n"
    "#if TEXTURE == 1\n"
    "  rgb *= texture(image, texel.xy).rgb;\n"
    "#elif TEXTURE == 2\n"
    "  rgb *= textureGrad(image, texel, dFdx(texel), dFdy(texel)).rgb;\n"
    "#endif\n"
    // fog: around[0] its color, around[1] start, end; haze: around[2] its color, around[3] from, to
    "  if (around[0].a > 0.0) {\n"
    "    float far = distance(eye.xyz, place);\n"
    "    rgb = mix(rgb, around[0].rgb, around[0].a *\n"
    "              clamp((far - around[1].x) / (around[1].y - around[1].x), 0.0, 1.0));\n"
    "  }\n"
    "  if (shine.w > 1.5 && around[2].a > 0.0) {\n"
    "    float far = distance(eye.xyz, place);\n"
    "    if (far > around[3].y) discard;\n"
    "    rgb = mix(rgb, around[2].rgb, around[2].a *\n"
    "              clamp((far - around[3].x) / (around[3].y - around[3].x), 0.0, 1.0));\n"
    "  }\n"
    "  result = vec4(strength * rgb, base.a);\n"
    "}\n";

static const char id_shader[] =
    "in vec3 place;\n"
    "flat in int number;\n"
    "uniform vec4 eye;\n"
    "uniform vec4 around[4];\n"
    "layout(location = 0) out int id;\n"
    "layout(location = 1) out float far;\n"
    "void main() {\n"
    "  id = number;\n"
    "  far = dot(place - eye.xyz, around[0].xyz);\n"   // around[0]: the direction of the view
    "}\n";

static const char depth_shader[] = "out vec4 result;\n"   // shadow maps have no color
                                   "void main() { result = vec4(0.0, 0.0, 0.0, 1.0); }\n";

// The sky: a triangle over the image; each pixel looks up its direction.
static const char sky_vertex_shader[] =
    "uniform mat4 view;\n"   // from the image to directions
    "out vec3 toward;\n"
    "void main() {\n"
    "  vec2 p = vec2(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0);\n"
    "  toward = mat3(view) * vec3(p, 1.0);\n"
    "  gl_Position = vec4(p, 1.0, 1.0);\n"
    "}\n";

static const char sky_shader[] =
    "in vec3 toward;\n"
    "out vec4 result;\n"
    "uniform samplerCube image;\n"
    "uniform vec4 around[4];\n"
    "void main() {\n"
    "  vec3 d = normalize(toward);\n"
    "  vec3 at = vec3(d.x, d.z, -d.y);\n"
    "  vec3 rgb = textureGrad(image, at, dFdx(at), dFdy(at)).rgb;\n"
    // haze: from the end of the plane around[1], which is around[3].y away, to the level of the eye
    "  float sink = -dot(d, around[1].xyz);\n"
    "  float level = sqrt(max(1.0 - sink * sink, 1e-12));\n"
    "  float h = clamp(sink / level * around[3].y / max(around[1].w, 1e-6), 0.0, 1.0);\n"
    "  result = vec4(mix(rgb, around[2].rgb, around[2].a * h), 1.0);\n"
    "}\n";

static const char label_vertex_shader[] =
    "layout(location = 0) in vec3 corner;\n"   // place in the image, shade
    "flat out float shade;\n"
    "void main() {\n"
    "  shade = corner.z;\n"
    "  gl_Position = vec4(corner.xy, 0.0, 1.0);\n"
    "}\n";

static const char label_shader[] = "flat in float shade;\n"
                                   "out vec4 result;\n"
                                   "void main() { result = vec4(vec3(shade), 1.0); }\n";

#endif
