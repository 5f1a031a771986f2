#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The C snippets of PLUGIN_API.md, each a file of its own: they compile without a warning, and the
# one with an entry becomes a plugin that `sinew plugins check` accepts.
#
#   snippets.sh SOURCE_TREE BUILD_TREE

set -euo pipefail
source=$1 build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022
cc=$(sed -n 's/^CMAKE_C_COMPILER:[^=]*=//p' "$build/CMakeCache.txt")
flags=(-std=c17 -Wall -Wextra -Wpedantic -Werror -fPIC -fvisibility=hidden
       -I "$source/sdk/include")

awk -v out="$work" '
  /^```c$/ { file = out "/snippet" ++n ".c"; next }
  /^```$/ { file = "" }
  file { print > file }' "$source/PLUGIN_API.md"

checked=0
for snippet in "$work"/*.c; do
  "$cc" "${flags[@]}" -c "$snippet" -o "${snippet%.c}.o"
  if grep -q 'SN_PLUGIN(' "$snippet"; then
    "$cc" -shared -Wl,-z,defs "${snippet%.c}.o" -o "${snippet%.c}.so"
    if [[ -x $build/sinew ]]; then "$build/sinew" plugins check "${snippet%.c}.so"; fi
    checked=$((checked + 1))
  fi
done
((checked > 0)) || { echo "PLUGIN_API.md has no complete plugin"; exit 1; }
