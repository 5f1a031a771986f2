#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# docs/index.md leads to every page, every link between pages leads somewhere, also the part behind
# its #, the library has the names that pages use, the tests that docs/abi.md names exist, and the
# site builds without a warning, where its tools are installed. Each table of a benchmark has rows.
#
#   documents.sh SOURCE_TREE [BUILD_TREE]

set -euo pipefail
cd "$1"
bad=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mapfile -t pages < <(find docs samples sdk -name '*.md' | sort; ls ./*.md | sed 's|^./||')

# PAGE TARGET, of each link that is not to another site and not in code
links() {
  local page
  for page in "$@"; do
    awk '/^ *```/ { code = !code } !code && !/^    / { gsub(/`[^`]*`/, ""); print }' "$page" |
      { grep -oE '\]\([^) ]+\)' || true; } | sed 's/^](//; s/)$//' | grep -v '^[a-z]*:' |
      sed "s|^|$page |" || true
  done
}
# the names of the headings of a page, as they are in links
anchors() {
  awk '/^```/ { code = !code } !code && /^#+ / { sub(/^#+ +/, ""); print tolower($0) }' "$1" |
    sed -E 's/\[([^]]*)\]\([^)]*\)/\1/g; s/[^a-z0-9 _-]//g; s/ /-/g'
}

links "${pages[@]}" > "$work/links"
while read -r page target; do
  path=${target%%#*} anchor=
  [[ $target == *'#'* ]] && anchor=${target#*'#'}
  file=$page
  if [[ $path ]]; then file=$(realpath -m --relative-to=. "$(dirname "$page")/$path"); fi
  if [[ ! -e $file ]]; then
    echo "$page: the link to $target leads nowhere"
    bad=1
  elif [[ $anchor && $file == *.md ]] && ! anchors "$file" | grep -qxF "$anchor"; then
    echo "$page: $file has no heading #$anchor"
    bad=1
  fi
  if [[ $page == docs/index.md || $page == docs/plugins/shipped.md ]]; then
    echo "$file" >> "$work/listed"
  fi
done < "$work/links"

# the index leads to each page, or to the list of the plugins that does
while read -r page; do
  if [[ $page != docs/index.md ]] && ! grep -qxF "$page" "$work/listed"; then
    echo "$page is not in docs/index.md: add a line '- [Title](${page#docs/}): what it is about'"
    bad=1
  fi
done < <(find docs -name '*.md')

# the functions, types and accessors that pages name are in the headers or, where macros make them,
# in the list of the interface; an accessor's name is that of its field
{ find sdk/include -name '*.h' -exec cat {} +; cat tests/abi/interface.txt; } |
  grep -oE '[A-Za-z0-9_]+' | sort -u > "$work/words"
sed 's/^/snm_/; p; s/^snm_/snd_/' "$work/words" | sort -u - "$work/words" > "$work/known"
{ grep -oE '\bsn[md]?_[a-z0-9_]*[a-z0-9]\b' "${pages[@]}" /dev/null || true; } | sort -u |
  while IFS=: read -r page name; do
    [[ $name == sn_noun_verb ]] || grep -qxF "$name" "$work/known" ||
      echo "$page: no header has '$name'"
  done > "$work/unknown"
if [[ -s $work/unknown ]]; then
  cat "$work/unknown"
  bad=1
fi

# the last column: FOLDER/SUBJECT/CASE, or the name of a test of CMake
has_test() {
  local subject=${1%/*}
  case $1 in
    */*) grep -q "^START_TEST(${1##*/})" "tests/${subject%/*}/test_${subject##*/}.c" ;;
    house_*) ls "tests/house/${1#house_}".* ;;
    *) grep -rqF --include=CMakeLists.txt --include='*.cmake' \
      "add_test(NAME ${1/1.0-rc/\$\{version\}} " tests ;;
  esac > "$work/log" 2>&1
}
while read -r name; do
  has_test "$name" || { echo "docs/abi.md: there is no test '$name'"; bad=1; }
done < <(sed -n 's/^| .* | \(`.*\) |$/\1/p' docs/abi.md | grep -oE '`[^`]+`' | tr -d '`' | sort -u)

# a table that a benchmark writes: at least one row below the line of dashes
awk '
  function end_table() {
    if (marker && rows < 3) { print FILENAME ": no rows below " marker; bad = 1 }
  }
  FNR == 1 || /^#/ || /^<!-- bench / { end_table(); marker = "" }
  /^<!-- bench / { marker = $0; rows = 0 }
  /^\|/ { rows++ }
  END { end_table(); exit bad }' docs/performance.md docs/accuracy.md || bad=1

if command -v doxygen mkdocs > "$work/log" && [[ $(wc -l < "$work/log") == 2 ]]; then
  if ! docs/site/make.sh "$work/site" > "$work/log" 2>&1; then
    cat "$work/log"
    bad=1
  fi
fi
exit $bad
