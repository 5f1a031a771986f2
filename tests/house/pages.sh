#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Parts of the pages that are made of something else are up to date. --fix writes them again.
#
#   <!-- sdk/template/KIND/my_plugin.c -->   that file follows as a block of code; new_plugins.sh
#                                            builds, checks and runs it. Each template has a page,
#                                            and PLUGIN_API.md names each page. Or my_plugin.cpp
#   <!-- samples/programs/NAME.c -->         likewise; the build makes the program
#   <!-- sinew ARGUMENTS -->                 the table that the command prints follows
#   docs/plugins/shipped.md, shipped/*.md    as `sinew plugins` prints them
#
#   pages.sh SOURCE_TREE [BUILD_TREE] [--fix]

set -euo pipefail
source=$(cd "$1" && pwd)
build=$source/build/release fix=
for argument in "${@:2}"; do
  if [[ $argument == --fix ]]; then fix=yes; elif [[ -d $argument ]]; then build=$argument; fi
done
build=$(cd "$build" && pwd)
cd "$source"
bad=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
PATH=$build:$PATH
export SINEW_CONFIG=$build/sinew.ini SINEW_PROFILE=none
[[ -x $build/sinew ]] || exit 77

# the page with its parts made again
filled() {
  awk '/^<!-- (sdk\/template|samples\/programs)\/.* -->$/ {
         print
         print $2 ~ /[.]cpp$/ ? "```cpp" : "```c"
         while ((getline line < $2) > 0) print line
         close($2)
         print "```"
         skip = "to code"
         next
       }
       skip == "to code" && /^```c(pp)?$/ { skip = "code"; next }
       skip == "to code" && NF { skip = "" }
       skip == "code" { if ($0 == "```") skip = ""; next }
       /^<!-- sinew .* -->$/ {
         print
         print ""
         command = $0
         gsub(/^<!-- | -->$/, "", command)
         while ((command | getline line) > 0) print line
         close(command)
         skip = "to output"
         next
       }
       skip == "to output" && !NF { next }
       skip == "to output" { skip = /^\|/ ? "output" : ""; if (!skip) print "" }
       skip == "output" { if (/^\|/) next; skip = "" }
       { print }' "$1"
}

# compare PAGE WANTED: the page is what WANTED is
compare() {
  cmp -s "$1" "$2" && return
  if [[ $fix ]]; then
    mkdir -p "$(dirname "$1")"
    cp "$2" "$1"
  else
    echo "$1 is not up to date (tests/house/pages.sh . BUILD_TREE --fix)"
    bad=1
  fi
}

find docs -name '*.md' ! -path '*/shipped*' | sort > "$work/pages"
while read -r page; do
  filled "$page" > "$work/page"
  compare "$page" "$work/page"
done < "$work/pages"

# with all optional libraries, so that all plugins are there
if ! grep -q '^; [a-z]* *= plugins/' "$SINEW_CONFIG"; then
  sinew plugins list --markdown > "$work/page"
  compare docs/plugins/shipped.md "$work/page"
  mkdir "$work/shipped"
  for name in $(grep -o 'shipped/[a-z0-9_]*' "$work/page" | sort -u); do
    sinew plugins inspect "${name#*/}" --markdown > "$work/$name.md"
    compare "docs/plugins/$name.md" "$work/$name.md"
  done
  for page in docs/plugins/shipped/*.md; do
    [[ -e $work/shipped/$(basename "$page") ]] || { echo "$page: no such plugin"; bad=1; }
  done
fi

for page in docs/plugins/*.md; do
  [[ $page == */shipped.md ]] || grep -q "](docs/plugins/$(basename "$page"))" PLUGIN_API.md ||
    { echo "PLUGIN_API.md does not name $page"; bad=1; }
done
for template in sdk/template/*/my_plugin.c; do
  kind=$(basename "$(dirname "$template")")
  grep -qsF "<!-- $template -->" "docs/plugins/$kind.md" ||
    { echo "docs/plugins/$kind.md does not show $template"; bad=1; }
done
exit $bad
