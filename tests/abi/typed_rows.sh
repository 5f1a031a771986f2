#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A table of another kind is an error of the compiler, in a list of providers and in SN_ENGINE_ADD:
# for the macro of each kind, SN_PROVIDE_*, its own table compiles, another and a void * do not, in
# C and in C++.
#
#   typed_rows.sh HEADERS CC CXX

set -euo pipefail
headers=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# compile CC LANGUAGE STANDARD: the file $work/row
compile() {
  "$1" -x "$2" -std="$3" -Werror -Wall -Wextra -fsyntax-only -I"$headers" "$work/row" \
    2> "$work/log"
}

# list HEADER MACRO TYPE
list() {
  cat > "$work/row" << END
#include "sinew/abi.h"
#include "sinew/filter.h"
#include "sinew/solver.h"
#include "$1"
extern const $3 *const constant;
extern $3 *const variable;
sn_provide row(void);
sn_provide row(void) {
  const sn_provide rows[] = { $2("a", constant), $2("b", variable), { 0, 0, 0 } };
  return rows[0];
}
END
}

# add HEADER MACRO TYPE
add() {
  cat > "$work/row" << END
#include "sinew/sinew.h"
#include "sinew/filter.h"
#include "$1"
sn_status add(sn_engine *engine, const $3 *ops, sn_error *error);
sn_status add(sn_engine *engine, const $3 *ops, sn_error *error) {
  return SN_ENGINE_ADD(engine, $2("a", ops), error);
}
END
}

n=0
while read -r header kind; do
  n=$((n + 1))
  macro=SN_PROVIDE_${kind#SN_KIND_}
  type=$(grep -A1 "^#define $macro(name, ops)" "$headers/$header" |
    sed -nE "s/.*SN_PROVIDE\($kind, name, (sn_\w+_ops), ops\)$/\1/p")
  [[ $type ]] || { echo "$header: $kind has no macro $macro"; exit 1; }
  other=sn_filter_ops
  [[ $kind == SN_KIND_FILTER ]] && other=sn_solver_ops
  for language in "$2 c c11" "$3 c++ c++11" "$3 c++ c++20"; do
    for use in list add; do
      $use "$header" "$macro" "$type"
      # shellcheck disable=SC2086
      compile $language || { echo "$macro rejects its own table:"; cat "$work/log"; exit 1; }
      for wrong in "$other" void; do
        $use "$header" "$macro" "$wrong"
        # shellcheck disable=SC2086
        ! compile $language || { echo "$macro accepts a table of type $wrong"; exit 1; }
        grep -q "$wrong" "$work/log" || { echo "$macro fails otherwise:"; cat "$work/log"; exit 1; }
      done
    done
  done
done < <(cd "$headers" && grep -oE '^#define SN_KIND_[A-Z]+' sinew/*.h | sed 's/:#define / /')
((n >= 18)) || { echo "only $n kinds were found in $headers"; exit 1; }
