#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs bench_physics and writes its tables into docs/accuracy.md, each after the line
# `<!-- bench physics NAME -->`, and its plots into docs/accuracy. Without sections all of them.
#
#   write_page.sh SOURCE_TREE PROGRAM [SECTION...]

set -euo pipefail
source=$(cd "$1" && pwd)
program=$2
shift 2
page=$source/docs/accuracy.md
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$program" --data "$work" "$@" | tee "$work/tables"

# a table ends where no line begins with a bar
awk -v tables="$work/tables" '
  BEGIN {
    while ((getline line < tables) > 0) {
      if (line ~ /^<!-- bench physics .* -->$/) name = line
      else if (line ~ /^\|/) table[name] = table[name] line "\n"
    }
  }
  skip && (!NF || /^\|/) { next }
  skip { skip = 0; print "" }
  { print }
  $0 in table {
    printf "\n%s", table[$0]
    skip = 1
  }' "$page" > "$work/page"
cp "$work/page" "$page"

mkdir -p "$source/docs/accuracy"
solvers=$(head -n 1 "$work/profile0.csv" 2> /dev/null | cut -d , -f 2- | tr , ' ' || true)
gnuplot -e "data='$work'; out='$source/docs/accuracy'; solvers='$solvers'" "$here/plots.gp"
