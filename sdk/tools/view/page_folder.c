// SPDX-License-Identifier: Apache-2.0
//
// See page_folder.h.

#include "page_folder.h"

#include <limits.h>
#include <stdio.h>
#include <unistd.h>

// Of the build tree, else of the installation.
int page_folder(const options *o, char *out) {
  static const char *const places[] = { "web", SINEW_WEB };
  char path[PATH_MAX];
  for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
    if (beside_program(out, PATH_MAX, places[i]) &&
        snprintf(path, sizeof path, "%s/page/index.html", out) < PATH_MAX &&
        access(path, R_OK) == 0) {
      if (snprintf(path, sizeof path, "%s/three.min.js", out) < PATH_MAX &&
          access(path, R_OK) == 0) {
        return DONE;
      }
      return report_text(o, path, 0, 0,
                         "three.js, which draws the page, is missing; install the package "
                         "libjs-three of Debian and build again, or copy "
                         "/usr/share/javascript/three/three.min.js to this file");
    }
  }
  return report_text(o, NULL, 0, 0,
                     "the parts of the page are neither beside the program nor in '%s'; install "
                     "Sinew again",
                     SINEW_WEB);
}
