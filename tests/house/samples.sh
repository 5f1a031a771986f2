#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The sample plugins as the build makes them, under its sanitizers: each passes `sinew plugins
# check`, and does what its README.md ends with, with the configuration that is shown there.
# install.sh builds them by themselves.
#
#   samples.sh SOURCE_TREE BUILD_TREE

set -euo pipefail
source=$1 build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022
unset SINEW_CONFIG
export HOME=$work

for folder in "$source"/samples/plugins/*/; do
  page=$folder/README.md
  cd "$folder"
  ini=$work/$(basename "$folder").ini
  awk '/^    cat > .*\.ini << END/ { on = 1; next }
       /^    END/ { on = 0 }
       on { print substr($0, 5) }' "$page" | sed "s|build/|$build/samples/|" > "$ini"
  mapfile -t plugins < <(grep -oE '/[^ ]*\.so' "$ini")
  # shellcheck disable=SC2016
  mapfile -t commands < <(sed -nE 's|^    "\$prefix/bin/sinew" (.*) --config .*|\1|p' "$page")
  ((${#plugins[@]} && ${#commands[@]})) ||
    { echo "$page has no configuration or no command"; exit 1; }
  "$build/sinew" plugins check "${plugins[@]}"
  for command in "${commands[@]}"; do
    read -ra words <<< "$command"
    "$build/sinew" "${words[@]}" --config "$ini"
  done
done
