#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What ./dev says to somebody who meets it first: words that it does not know, packages that are
# missing, and what to do after `./dev run`. It runs in a tree whose release build is this build,
# with programs of its own in place of apt-get and cmake, so that nothing is installed or built.
#
#   dev.sh SOURCE_TREE BUILD_TREE

set -euo pipefail
source=$1 build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022
unset SINEW_CONFIG
export HOME=$work
tree=$work/tree
mkdir -p "$tree/build" "$work/bin"
cp "$source/dev" "$tree"
ln -s "$source/samples" "$tree"
ln -s "$build" "$tree/build/release"
cd "$tree"

fail() { cat "$work/log"; echo "$*"; exit 1; }
# expect STATUS PATTERN COMMAND...: it ends with this status and prints a line like PATTERN
expect() {
  local status=0
  PATH=$work/bin "${@:3}" > "$work/log" 2>&1 || status=$?
  ((status == $1)) || fail "${*:3}: status $status, not $1"
  grep -qE -- "$2" "$work/log" || fail "${*:3}: nothing like '$2'"
}

# only what ./dev needs of the machine: no sudo
for program in bash awk cat cut dirname env find flock fmt grep head mkdir paste sed sort; do
  ln -s "$(command -v "$program")" "$work/bin"
done
program() { printf '#!/bin/bash\n%s\n' "$2" > "$work/bin/$1"; chmod +x "$work/bin/$1"; }
program apt-get 'exit 1'
program cmake 'exit 0'   # all is built

expect 2 "unknown command 'runn'; did you mean 'run'\?" ./dev runn
expect 2 "unknown command 'xyzzy'; available: run test build" ./dev xyzzy

# a user without rights gets the lines to type, and every package is in them
program dpkg-query 'exit 1'
if ((EUID == 0)); then
  chmod 755 "$work"
  user=("$(command -v setpriv)" --reuid=65534 --regid=65534 --clear-groups)
else
  user=()
fi
expect 1 '^  apt-get update$' "${user[@]}" ./dev run
grep -qE '^  apt-get install --no-install-recommends gcc g\+\+ cmake ninja-build make ' \
  "$work/log" || fail "the line that installs packages is not there"

# with all of them, a wrong model gets the names of others, and a run ends with what to do next;
# each of those commands works
# shellcheck disable=SC2016
program dpkg-query 'shift 2; for package; do echo "$package installed"; done'
expect 1 'did you mean.*pendulum' ./dev run pendulm
expect 1 'cart_pole.*tumbling_box' ./dev run xyzzy
expect 0 '^Next:$' ./dev run
[[ $(grep -c '^  build/release/' "$work/log") -ge 4 ]] || fail "too few commands come next"
if grep ninja "$work/log"; then fail "ninja is seen"; fi
sed -n '/^Next:$/,$ { s/^  \(build.*[^ ]\)   .*/\1/p }' "$work/log" > "$work/next"
rm -f build/states.csv
while read -r line; do
  expect 0 . bash -c "$line"
done < "$work/next"
[[ -s build/states.csv ]] || fail "build/states.csv was not written"
expect 0 steps ./dev run pendulum --steps 10
if grep Next "$work/log"; then fail "a run with options ends with its results"; fi
mkdir "$work/elsewhere"
cd "$work/elsewhere"
expect 0 "^Next, in $tree:" "$tree/dev" run stack
grep -q '  build.* run .*stack' "$work/log" || fail "the next commands have another model"
