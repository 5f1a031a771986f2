#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Plugins and an application that were built with the headers of an earlier version, with the
# library of today or another one: every plugin loads, passes `sinew plugins check`, and runs a
# model without a warning about it; the application prints what it prints with today's library.
#
#   museum.sh VERSION_FOLDER OBJECTS BUILD_TREE [LIBRARY_FOLDER]

set -euo pipefail
version=$1 objects=$2 build=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022
sinew=$build/sinew

fail() { echo "$*"; exit 1; }
quietly() { "$@" > "$work/log" 2>&1 || { cat "$work/log"; fail "failed: $*"; }; }

quietly "$objects/application" "$build/sinew.ini"
cp "$work/log" "$work/today"
if [[ ${4:-} ]]; then export LD_LIBRARY_PATH=$4; fi
quietly "$objects/application" "$build/sinew.ini"
cmp "$work/today" "$work/log" || { diff "$work/today" "$work/log"; fail "the application differs"; }

for folder in "$version"/plugins/*/; do
  name=$(basename "$folder") object=$objects/$(basename "$folder").so
  model=("$folder"model.*)
  ini=$work/$name.ini
  printf 'root = true\ninclude = %s\n' "$build/sinew.ini" > "$ini"
  if [[ -e ${folder}my_plugin.ini ]]; then
    sed "/^include/d; s|build/my_plugin.so|$object|" "${folder}my_plugin.ini" >> "$ini"
  else
    printf '[plugins]\nmy_plugin = %s\n' "$object" >> "$ini"
  fi

  quietly "$sinew" plugins check "$object"
  quietly "$sinew" plugins list --config "$ini"
  grep -q '^sinew\..* my_plugin ' "$work/log" || { cat "$work/log"; fail "$name: not loaded"; }
  quietly "$sinew" run "${model[0]}" --steps 200 --config "$ini"
  grep -q '^warnings  *none' "$work/log" || { cat "$work/log"; fail "$name: a run with warnings"; }
  echo "$name: accepted and run"
done
