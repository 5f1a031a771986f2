#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A table of another kind is an error of the compiler, in a list of providers and in SN_ENGINE_ADD:
# for the macro of each kind, SN_PROVIDE_*, its own table compiles, another and a void * do not, in
# C and in C++. Each use that must compile is a file of its own. Those that must not are one file,
# so that the headers are read once; in messages each has the name that #line gives it.
#
#   typed_rows.sh HEADERS CC CXX

set -euo pipefail
headers=$(realpath "$1")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir right

# list NAME MACRO TYPE
list() {
  cat << END
extern const $3 *const constant_$1;
extern $3 *const variable_$1;
sn_provide $1(void);
sn_provide $1(void) {
  const sn_provide rows[] = { $2("a", constant_$1), $2("b", variable_$1), { 0, 0, 0 } };
  return rows[0];
}
END
}

# add NAME MACRO TYPE
add() {
  cat << END
sn_status $1(sn_engine *engine, const $3 *ops, sn_error *error);
sn_status $1(sn_engine *engine, const $3 *ops, sn_error *error) {
  return SN_ENGINE_ADD(engine, $2("a", ops), error);
}
END
}

include() { printf '#include "%s"\n' "$@"; }

n=0
while read -r header kind; do
  n=$((n + 1))
  macro=SN_PROVIDE_${kind#SN_KIND_}
  type=$(grep -A1 "^#define $macro(name, ops)" "$headers/$header" |
    sed -nE "s/.*SN_PROVIDE\($kind, name, (sn_\w+_ops), ops\)$/\1/p")
  [[ $type ]] || { echo "$header: $kind has no macro $macro"; exit 1; }
  other=sn_filter_ops
  [[ $kind == SN_KIND_FILTER ]] && other=sn_solver_ops
  include sinew/abi.h sinew/solver.h sinew/filter.h "$header" > "right/list_$macro"
  include sinew/sinew.h "$header" > "right/add_$macro"
  include "$header" >> headers_of_all
  for use in list add; do
    $use "${use}_$macro" "$macro" "$type" >> "right/${use}_$macro"
    for bad in "$other" void; do
      name=${use}_${bad}_$macro
      echo "$name" >> wrong
      { echo "#line 1 \"$name\""; $use "$name" "$macro" "$bad"; } >> uses
    done
  done
done < <(cd "$headers" && grep -oE '^#define SN_KIND_[A-Z]+' sinew/*.h | sed 's/:#define / /')
((n >= 18)) || { echo "only $n kinds were found in $headers"; exit 1; }

{ include sinew/sinew.h; cat headers_of_all uses; } > all_wrong

for language in "$2 c c11" "$3 c++ c++11" "$3 c++ c++20"; do
  read -r compiler name standard <<< "$language"
  all=$("$compiler" --version | grep -q clang && echo -ferror-limit=0 || echo -fmax-errors=0)
  compile() {
    "$compiler" -x "$name" -std="$standard" -Werror -Wall -Wextra -fsyntax-only "$all" \
      -I"$headers" "$@" 2> log
  }
  compile right/* || { echo "$standard: a macro rejects its own table:"; cat log; exit 1; }
  ! compile all_wrong || { echo "$standard: all tables of wrong types are accepted"; exit 1; }
  while read -r use; do
    type=${use#*_}
    type=${type%%_SN_*}
    grep "^$use:[0-9:]* error: " log | grep -q . || { echo "$standard: $use compiles"; exit 1; }
    grep "^$use:[0-9:]* " log | grep -q "$type" ||
      { echo "$standard: $use fails otherwise:"; grep "^$use:" log; exit 1; }
  done < wrong
done
