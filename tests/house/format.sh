#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The format of the C and C++ sources, as clang-format would have it, but for two things that are
# done by hand: the number of spaces inside a line, so that matrices, tables and comments may be
# aligned; and macros of several lines, which clang-format tends to spoil. With --fix, the lines
# that differ are formatted and the others left as they are. Copies of the headers of earlier
# versions (tests/abi) stay as they are.
#
# With a build tree, its file `formatted` lists what passed, by path and content, and the next call
# leaves that out. Other rules, or another clang-format, and all files are looked at again.
#
#   format.sh SOURCE_TREE [BUILD_TREE | --fix]

set -euo pipefail
cd "$1"
bad=0
passed=/dev/null
if [[ -d ${2:-} ]]; then passed=$2/formatted; fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
: > "$work/failed"

squeeze() { sed -E 's/([^ ]) +/\1 /g'; }

# differences FILE: the line ranges that are not as they should be, FIRST:LAST each
differences() {
  { diff <(squeeze < "$1") <(clang-format "$1" | squeeze) || true; } |
    sed -nE 's/^([0-9]+)(,([0-9]+))?[acd].*/\1 \3/p' |
    awk 'NR == FNR { macro[FNR] = inside || /\\$/; inside = /\\$/; next }
         !macro[$1] { print $1 ":" (NF > 1 ? $2 : $1) }' "$1" -
}

# lines "HASH  FILE"; HASH is of the content, the rules, and the tool
rules=$({ clang-format --version; cat .clang-format tests/house/format.sh; } | sha256sum)
git -c safe.directory='*' ls-files -co --exclude-standard -- \
  '*.c' '*.h' '*.cpp' '*.hpp' ':!tests/abi/[0-9]*/*' |
  while read -r file; do if [[ -f $file ]]; then echo "$file"; fi; done |
  xargs sha256sum | sed "s/^/${rules%% *}/" | sort > "$work/all"
if [[ -f $passed ]]; then sort "$passed" > "$work/passed"; else : > "$work/passed"; fi
comm -23 "$work/all" "$work/passed" > "$work/new"
mapfile -t files < <(sed 's/^[^ ]*  //' "$work/new" | sort)
if ((!${#files[@]})); then exit 0; fi

# most files are as clang-format writes them; only the others are looked at line by line
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
    echo "$file" >> "$work/failed"
    bad=1
  done
done < <(sed -nE 's/^([^ :]+):[0-9]+:[0-9]+: (warning|error): .*/\1/p' <<< "$found" | sort -u)

if [[ $passed != /dev/null ]]; then
  { grep -vFf "$work/failed" "$work/all" || true; } > "$passed"
fi
exit $bad
