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
mapfile -t pages < <(pick '\.md$')
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
forbid 'a merge conflict' '^(<<<<<<<|>>>>>>>) ' "${tagged[@]}" "${pages[@]}"
forbid 'never' '-ffast-math|-Ofast|-funsafe-math' "${build[@]}"
forbid 'the build says it; no feature macros in a file' \
  '^# *define +_(GNU|POSIX_C|XOPEN|DEFAULT)_SOURCE' "${code[@]}"
# structs grow: a newer reader must not take the size that it knows for that of the writer
mapfile -t readers < <(pick '^(core|plugins|loaders|sdk|samples)/.*\.([ch]|[ch]pp)$')
forbid 'SN_HAS' '->size (>=|<) (sizeof|offsetof)[^?]*$' "${readers[@]}"
forbid 'the library never prints, exits or aborts' \
  '^([^/"]|/[^/])*\b(printf|puts|putchar|perror|exit|_exit|abort)\b *[(,;)]' "${core[@]}"
# __fpending(stdout) only says how much is in the buffer
forbid 'the library never prints' \
  '^([^/"]|/[^/])*([^g]\(|[^(_[:alnum:]])std(out|err) *[,;)]' "${core[@]}"

# Headers of a system and of a processor are included in these rooms only. core/numerics is linked
# to plugins too, without the platform
mapfile -t portable < <(pick '^core/.*\.[ch]$' | grep -v '^core/platform/')
standard='ctype|errno|float|inttypes|limits|locale|math|setjmp|stdarg|stdatomic|stddef|stdint|stdio'
standard+='|stdlib|string|strings|threads'
while IFS= read -r line; do
  case $line in
    core/numerics/*'<immintrin.h>'* | core/numerics/*'<sys/platform/x86.h>'*) ;;
    core/host/config.c:*'<ini.h>'*) ;;
    *) echo "$line   <- code of a system is in core/platform"; bad=1 ;;
  esac
done < <(grep -HnE '^# *include <' "${portable[@]}" | grep -vE "<(sinew/.*|$standard)\.h>" || true)
forbid 'a table of functions by kind in its place' '\bswitch *\(' "${core[@]}"
mapfile -t read_first < <(
  pick '^(core|plugins|loaders|sdk|samples)/.*\.([ch]|[ch]pp)$|\.md$' | grep -v '/notation\.md$')
forbid 'plain words; see the glossary in docs/notation.md' \
  '\b([Nn]obody|[Ww]hoever|[Cc]ulprit|gives? way|is told)\b' "${read_first[@]}"
forbid 'what the code is, not what it was' \
  '\b([Ww]as renamed|[Uu]sed to be|[Nn]o longer needed)\b' \
  "${read_first[@]}"

# what exists only to match MuJoCo 2.2.2 is marked in the code and listed on one page, file by file
page=docs/mujoco_2_2.md
marked=$(grep -rhoE --include='*.[ch]' --include='*.cpp' 'Matches MuJoCo 2\.2\.2: [a-z0-9, -]+' \
  core plugins loaders sdk | sed 's/.*: //; s/, /\n/g' | sort -u)
listed=$(grep -oE '^\| `[a-z0-9-]+`' "$page" | tr -d '|` ' | sort -u)
for name in $(comm -3 <(echo "$marked") <(echo "$listed")); do
  echo "$page: '$name' stands only on the page, or only in the code (Matches MuJoCo 2.2.2: $name)"
  bad=1
done
while read -r name file; do
  if ! grep -qE "Matches MuJoCo 2\.2\.2:.*\b$name\b" "$file" 2> /dev/null; then
    echo "$page: $file has no comment 'Matches MuJoCo 2.2.2: $name'"
    bad=1
  fi
done < <(grep -E '^\| `[a-z0-9-]+`' "$page" | awk -F'|' '{
  gsub("[` ]", "", $2); n = split($3, file, ","); for (i = 1; i <= n; i++) {
    gsub("[` ]", "", file[i]); print $2, file[i] } }')
# the option that turns on more of it is asked only where there is such a comment
if awk 'FNR == 1 { mark = -9 } /Matches MuJoCo 2\.2\.2:/ { mark = FNR }
        /compatibility == SN_COMPATIBILITY_MUJOCO_2_2/ && FNR > mark + 5 {
          print FILENAME ":" FNR ": no comment \"Matches MuJoCo 2.2.2: NAME\" above"; bad = 1 }
        END { exit !bad }' "${core[@]}"; then bad=1; fi

# a page that says where things are names files that exist
while IFS=: read -r page path; do
  if [[ ! -e $path ]]; then
    echo "$page: there is no $path"
    bad=1
  fi
done < <(grep -oE '`(core|plugins|loaders|sdk|tests)/[a-zA-Z0-9_./]+`' docs/architecture.md \
  docs/computation.md | tr -d '`')
paths=$(printf '%s\n' "${files[@]}")
# also without their folders, with * in them; and macros, functions and fields of the sources
while read -r name; do
  pattern=${name//./\\.}
  if ! grep -qE "(^|/)${pattern//\*/[^/]*}\$" <<< "$paths"; then
    echo "docs/architecture.md: there is no file $name"
    bad=1
  fi
done < <(grep -oE '`[a-zA-Z0-9_./*-]+\.([ch]|[ch]pp|sh|py|md)`' docs/architecture.md | tr -d '`')
while read -r name; do
  if ! grep -qw "$name" "${code[@]}"; then
    echo "docs/architecture.md: no source has $name"
    bad=1
  fi
done < <(grep -oE '`[a-zA-Z]+_[a-zA-Z0-9_]*[a-zA-Z0-9]`' docs/architecture.md | tr -d '`')

# a hint, not an error
if ((${#code[@]})); then
  wc -l "${code[@]}" | awk '$2 != "total" && $1 > 600 { print $2 ": " $1 " lines, two subjects?" }'
fi
exit $bad
