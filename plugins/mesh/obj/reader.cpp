// SPDX-License-Identifier: Apache-2.0
//
// tinyobjloader does the syntax; here its indices are checked, and polygons cut into triangles.
// Materials are of no interest, so no other file is read.

#include "reader.h"

#define TINYOBJLOADER_USE_DOUBLE
#include <tiny_obj_loader.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

const std::size_t most_corners = 300000000;

// The numbers of one attribute at an index, checked.
const double *row(const std::vector<double> &numbers, int index, int cols, const char *what) {
  const std::size_t rows = numbers.size() / static_cast<std::size_t>(cols);
  if (index < 0 || static_cast<std::size_t>(index) >= rows) {
    throw std::runtime_error(std::string("a face names ") + what + " " +
                             std::to_string(index + 1LL) + ", which does not exist");
  }
  const double *at = numbers.data() +
                     static_cast<std::size_t>(index) * static_cast<std::size_t>(cols);
  for (int k = 0; k < cols; k++) {
    if (!std::isfinite(at[k])) {
      throw std::runtime_error(std::string(what) + " " + std::to_string(index + 1LL) +
                               " is not finite");
    }
  }
  return at;
}

// Corners of all triangles: each polygon as a fan.
std::vector<tinyobj::index_t> triangles(const std::vector<tinyobj::shape_t> &shapes) {
  std::vector<tinyobj::index_t> corners;
  for (const tinyobj::shape_t &shape : shapes) {
    const std::vector<tinyobj::index_t> &index = shape.mesh.indices;
    std::size_t first = 0;
    for (std::size_t n : shape.mesh.num_face_vertices) {
      if (n < 3 || first + n > index.size()) {
        throw std::runtime_error("a face has less than three corners");
      }
      for (std::size_t k = 2; k < n; k++) {
        corners.push_back(index[first]);
        corners.push_back(index[first + k - 1]);
        corners.push_back(index[first + k]);
      }
      if (corners.size() > most_corners) {
        throw std::runtime_error("more than 100 million triangles");
      }
      first += n;
    }
    if (first != index.size()) {   // the library counts corners in a byte
      throw std::runtime_error("a face has more than 255 vertices; split it into smaller faces");
    }
  }
  return corners;
}

// A file without faces: every vertex, once.
std::vector<tinyobj::index_t> all_vertices(const tinyobj::attrib_t &attribute) {
  const std::size_t n = attribute.vertices.size() / 3;
  if (n > most_corners) {
    throw std::runtime_error("more than 300 million vertices");
  }
  std::vector<tinyobj::index_t> corners(n, { -1, -1, -1 });
  for (std::size_t i = 0; i < n; i++) {
    corners[i].vertex_index = static_cast<int>(i);
  }
  return corners;
}

void fill(const tinyobj::attrib_t &attribute, const std::vector<tinyobj::index_t> &corners,
          obj_corners *out) {
  bool all_normals = !corners.empty(), any_texcoord = false;
  for (const tinyobj::index_t &c : corners) {
    all_normals = all_normals && c.normal_index >= 0;
    any_texcoord = any_texcoord || c.texcoord_index >= 0;
  }
  out->n = static_cast<int64_t>(corners.size());
  out->position = new double[3 * corners.size()];
  out->normal = all_normals ? new double[3 * corners.size()] : nullptr;
  out->texcoord = any_texcoord ? new double[2 * corners.size()]() : nullptr;
  for (std::size_t i = 0; i < corners.size(); i++) {
    const tinyobj::index_t &c = corners[i];
    std::copy_n(row(attribute.vertices, c.vertex_index, 3, "vertex"), 3, out->position + 3 * i);
    if (out->normal) {
      std::copy_n(row(attribute.normals, c.normal_index, 3, "normal"), 3, out->normal + 3 * i);
    }
    if (out->texcoord && c.texcoord_index >= 0) {
      std::copy_n(row(attribute.texcoords, c.texcoord_index, 2, "texture coordinate"), 2,
                  out->texcoord + 2 * i);
    }
  }
}

}  // namespace

void obj_ready(void) {
  volatile int asked = std::uncaught_exceptions();   // a pure function: unused, it is not called
  (void)asked;
}

int obj_read(const char *text, int64_t count, obj_corners *out, char *reason, int64_t size) {
  *out = obj_corners{};
  try {
    tinyobj::ObjReaderConfig config;
    config.triangulate = false;
    config.vertex_color = false;
    tinyobj::ObjReader reader;
    if (!reader.ParseFromString(std::string(text, static_cast<std::size_t>(count)), "", config)) {
      throw std::runtime_error(reader.Error().empty() ? "it cannot be read" : reader.Error());
    }
    const std::vector<tinyobj::index_t> corners = triangles(reader.GetShapes());
    out->faces = !corners.empty();
    fill(reader.GetAttrib(), out->faces ? corners : all_vertices(reader.GetAttrib()), out);
    return 0;
  } catch (const std::exception &e) {
    std::snprintf(reason, static_cast<std::size_t>(size), "%s", e.what());
  } catch (...) {
    std::snprintf(reason, static_cast<std::size_t>(size), "it cannot be read");
  }
  return 1;
}

void obj_free(obj_corners *corners) {
  delete[] corners->position;
  delete[] corners->normal;
  delete[] corners->texcoord;
  *corners = obj_corners{};
}
