#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The pages of the manual: correct roff, one for each command, each option of --help in it, and
# sinew.ini(5) names what the engine accepts.
#
#   manual.sh SOURCE_TREE BUILD_TREE [SANITIZERS]

set -euo pipefail
build=$2
sinew=$build/sinew
[[ -x $sinew ]] || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
fail() { echo "$*"; bad=1; }

"$sinew" manual --out "$work"
"$sinew" manual > "$work/list"
[[ $(find "$work" -name '*.[15]' | wc -l) == $(wc -l < "$work/list") ]] || fail "pages are missing"

for page in "$work"/*.[15]; do
  # a page has no date, so that a build can be repeated; its version says what it documents
  if command -v mandoc > /dev/null; then
    mandoc -T lint -W warning "$page" | grep -v 'missing date, using ""' && fail "mandoc: see above"
  fi
  if man --version > /dev/null 2>&1 && command -v groff > /dev/null; then
    warnings=$(LC_ALL=C man --warnings -l "$page" 2>&1 > /dev/null) || true
    [[ -z $warnings ]] || fail "$warnings"
  fi
done

# the same commands and options as --help lists
while read -r command _; do
  page=$work/sinew-$command.1
  [[ -e $page ]] || { fail "no page of 'sinew $command'"; continue; }
  grep -q "sinew..$command..R(1)" "$work/sinew.1" || fail "sinew(1) does not name $command"
  while read -r option; do
    grep -qF -- "${option//-/\\-}" "$page" || fail "sinew-$command(1) has no $option"
  done < <("$sinew" "$command" --help | grep -oE '^  +(-[a-zA-Z], )?--[a-z-]+' |
    grep -oE -- '--[a-z-]+')
done < <("$sinew" --help | sed -nE 's/^  ([a-z]+) .*/\1/p')

# what sinew.ini(5) lists is accepted, and it lists every key that an engine has
cat > "$work/all.ini" << 'INI'
include       = installed
profile       = none
check_plugins = no
[select]
solver        = newton
integrator    = euler
executor      = serial
post_solver   = noslip
decomposition = decompose
; renderer    = opengl
[collision]
box-box       = gjk
convex        = gjk
[limits]
memory        = 1G
elements      = 1000
time          = none
[cache]
models        = no
folder        = /tmp/models
size          = 64M
[plugin.newton]
linesearch_iterations = 40
[plugin.solver.cg]
linesearch_iterations = 40
INI
if "$sinew" plugins list | grep -q '^sinew.renderer'; then   # where its libraries are
  sed -i 's/^; renderer/renderer/' "$work/all.ini"
fi
"$sinew" config --config "$work/all.ini" > "$work/config"
"$sinew" manual --markdown ini > "$work/table"
while read -r section key; do
  grep -qF "| \`$section\` | \`$key = " "$work/table" || fail "sinew.ini(5) has no $section $key"
done < <(awk '/^\[/ { section = $1; next }
              section ~ /^\[(select|limits|cache)\]$/ && NF {
                sub(/^; */, ""); print section, $1
              }' \
         "$work/config")
for key in $(grep -oE '^\| (`\[[a-z]+\]`)? \| `[a-z_]+ ' "$work/table" | grep -oE '[a-z_]+ $'); do
  [[ $key == root ]] || grep -qE "^(; )?$key *=" "$work/all.ini" ||
    fail "the key '$key' of sinew.ini(5) is not tried here"
done
exit $bad
