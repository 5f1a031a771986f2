#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Who may include whom: the public headers each other; everyone the public headers and what lies
# in their own part of the tree; the sdk, loaders and plugins what is in sdk/common. Core is one
# such part; so are loaders/, sdk/tools, sdk/conformance, sdk/python, sdk/web and sdk/viewer
# together, each folder of plugins/ (its common/ is on the search path), and each other folder with
# sources. A sample program may register the tables of the sample plugin actuator_dcmotor. Which
# folder of core or of a loader may include which other one is checked by layers.sh.
#
#   includes.sh SOURCE_TREE

set -euo pipefail
cd "$1"

rooms=()
for room in sdk core loaders plugins samples; do
  if [[ -d $room ]]; then rooms+=("$room"); fi
done

find "${rooms[@]}" -name '*.[ch]' -o -name '*.[ch]pp' | sort |
  xargs awk '
    function exists(path,   line, status) {
      status = (getline line < path)
      close(path)
      return status >= 0
    }
    function reject(why) {
      printf "%s:%d: \"%s\": %s\n", FILENAME, FNR, header, why
      bad = 1
    }
    FNR == 1 {
      folder = FILENAME
      sub("/[^/]*$", "", folder)
      room = folder
      if (room ~ "^(core|loaders)/") { sub("/.*", "", room) }
      if (room ~ "^sdk/(tools|conformance|python|web|viewer)(/|$)") { room = "sdk" }
      if (room == "samples/programs") { room = "samples/plugins/actuator_dcmotor" }
      if (room ~ "^plugins/") { split(room, part, "/"); room = "plugins/" part[2] }
    }
    /^[ \t]*#[ \t]*include[ \t]*["<]/ {
      split($0, part, "[\"<>]")
      header = part[2]
      if (("/" header) ~ "/[.][.]/") {
        reject("leaves the room; only public headers are shared")
      } else if (header ~ "^common/" && room ~ "^(sdk|plugins|loaders)" &&
                 room !~ "^sdk/(include|template)" && exists("sdk/" header)) {
        next
      } else if (header ~ "^sinew/") {
        if (!exists("sdk/include/" header)) { reject("there is no such public header") }
      } else if ($0 ~ "include[ \t]*\"") {
        if (folder ~ "^sdk/include/sinew") {
          reject("public headers include only \"sinew/...\" and the standard library")
        } else if (!exists(folder "/" header) && !exists(room "/" header) &&
                   !(room ~ "^plugins/" && exists(room "/common/" header))) {
          reject("neither a public header nor in " room "/")
        }
      } else if (exists("core/" header)) {
        reject("a core header")
      }
    }
    END { exit bad }'

# and no build file opens the door
if grep -rnE --include=CMakeLists.txt '/core\b|sinew_objects' "${rooms[@]}" | grep -v '^core/'; then
  echo "core is private: only core/ and tests/ may name it in a build file"
  exit 1
fi
