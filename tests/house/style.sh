#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Rules of form that clang-format and the compiler do not know.
#
#   style.sh SOURCE_TREE

set -euo pipefail
cd "$1"
export LC_ALL=C.UTF-8
bad=0

mapfile -t files < <(git -c safe.directory='*' ls-files -co --exclude-standard | sort |
  while read -r file; do if [[ -f $file && ! -L $file ]]; then echo "$file"; fi; done)

# pick PATTERN: the files whose path matches
pick() { printf '%s\n' "${files[@]}" | grep -E "$1" || true; }

# forbid WHY PATTERN [FILE...]: no line of the files may match
forbid() {
  local why=$1 pattern=$2
  shift 2
  if (($#)) && grep -HnE -e "$pattern" "$@" /dev/null | sed "s|\$|   <- $why|"; then bad=1; fi
}

mapfile -t code < <(pick '\.([ch]|[ch]pp)$')
mapfile -t core < <(pick '^core/.*\.c$')
mapfile -t build < <(pick '(CMakeLists\.txt|\.cmake|CMakePresets\.json)$')
mapfile -t tagged < <(
  pick '(\.([ch]|[ch]pp|sh|cmake|in|map|py|ini)|CMakeLists\.txt|^dev|^\.ci/run)$')

for file in "${tagged[@]}"; do
  if ! head -n 2 "$file" | grep -q 'SPDX-License-Identifier: Apache-2.0'; then
    echo "$file:1: no SPDX line at the top"
    bad=1
  fi
done

# what is written in other formats, as texts of tests and tables of documents, is as wide as it is
mapfile -t texts < <(pick '^tests/.*\.c$|/describe\.c$')
mapfile -t narrow < <(comm -23 <(printf '%s\n' "${tagged[@]}" | sort) \
  <(printf '%s\n' "${texts[@]}" | sort))
forbid 'wider than 100 columns' '^.{101}' "${narrow[@]}"
forbid 'wider than 100 columns, and no text in quotes' '^[^"]{101}' "${texts[@]}"
forbid 'a tab, or white space at the end' $'\t|[ \t]+$' "${tagged[@]}"
forbid 'never' '-ffast-math|-Ofast|-funsafe-math' "${build[@]}"
forbid 'the build says it; no feature macros in a file' \
  '^# *define +_(GNU|POSIX_C|XOPEN|DEFAULT)_SOURCE' "${code[@]}"
forbid 'the library never prints, exits or aborts' \
  '^([^/"]|/[^/])*\b(printf|puts|putchar|perror|exit|_exit|abort|stdout|stderr)\b *[(,;)]' \
  "${core[@]}"

# a hint, not an error
if ((${#code[@]})); then
  wc -l "${code[@]}" | awk '$2 != "total" && $1 > 600 { print $2 ": " $1 " lines, two subjects?" }'
fi
exit $bad
