#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The format of the C and C++ sources, as clang-format would have it, but for two things that are
# done by hand: the number of spaces inside a line, so that matrices, tables and comments may be
# aligned; and macros of several lines, which clang-format tends to spoil. With --fix, the lines
# that differ are formatted and the others left as they are. Copies of the headers of earlier
# versions (tests/abi) stay as they are.
#
#   format.sh SOURCE_TREE [--fix]

set -euo pipefail
cd "$1"
bad=0

squeeze() { sed -E 's/([^ ]) +/\1 /g'; }

# differences FILE: the line ranges that are not as they should be, FIRST:LAST each
differences() {
  { diff <(squeeze < "$1") <(clang-format "$1" | squeeze) || true; } |
    sed -nE 's/^([0-9]+)(,([0-9]+))?[acd].*/\1 \3/p' |
    awk 'NR == FNR { macro[FNR] = inside || /\\$/; inside = /\\$/; next }
         !macro[$1] { print $1 ":" (NF > 1 ? $2 : $1) }' "$1" -
}

# most files are as clang-format writes them; only the others are looked at line by line
mapfile -t files < <(git -c safe.directory='*' ls-files -co --exclude-standard -- \
  '*.c' '*.h' '*.cpp' '*.hpp' ':!tests/abi/[0-9]*/*' | sort |
  while read -r file; do if [[ -f $file ]]; then echo "$file"; fi; done)
found=$(clang-format --dry-run "${files[@]}" 2>&1)

while read -r file; do
  mapfile -t ranges < <(differences "$file")
  ((${#ranges[@]})) || continue
  if [[ ${2:-} == --fix ]]; then
    echo "$file: formatted"
    clang-format -i "${ranges[@]/#/-lines=}" "$file"
    mapfile -t ranges < <(differences "$file")
  fi
  for range in "${ranges[@]}"; do
    echo "$file:${range%:*}: not as clang-format would have it (./dev lint --fix)"
    bad=1
  done
done < <(sed -nE 's/^([^ :]+):[0-9]+:[0-9]+: (warning|error): .*/\1/p' <<< "$found" | sort -u)
exit $bad
