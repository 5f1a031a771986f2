#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What `sinew plugins new` writes, for every kind that has a template, with an installation below a
# prefix of its own and nothing else: it builds with make and with CMake, without a warning, passes
# the check, and runs the model that comes with it.
#
#   new_plugins.sh SOURCE_TREE BUILD_TREE [SANITIZERS]

set -euo pipefail
build=$2 sanitizers=${3:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022
unset SINEW_CONFIG PKG_CONFIG_PATH CMAKE_PREFIX_PATH
CC=$(sed -n 's/^CMAKE_C_COMPILER:[^=]*=//p' "$build/CMakeCache.txt")
CFLAGS="-O1 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wvla -Werror"
if [[ $sanitizers ]]; then CFLAGS+=" -fsanitize=$sanitizers"; fi
CXX=$(sed -n 's/^CMAKE_CXX_COMPILER:[^=]*=//p' "$build/CMakeCache.txt")
CXXFLAGS="-O1 -Wall -Wextra -Wno-missing-field-initializers -Wshadow -Wconversion -Werror"
if [[ $sanitizers ]]; then CXXFLAGS+=" -fsanitize=$sanitizers"; fi
export CC CFLAGS CXX CXXFLAGS HOME=$work

fail() { echo "$*"; exit 1; }
quietly() { "$@" > "$work/log" 2>&1 || { cat "$work/log"; fail "failed: $*"; }; }
rejected() {   # PATTERN COMMAND...
  local pattern=$1
  shift
  if "$@" > "$work/log" 2>&1; then fail "accepted: $*"; fi
  grep -q -- "$pattern" "$work/log" || { cat "$work/log"; fail "wanted '$pattern' of: $*"; }
}

quietly cmake --install "$build" --prefix "$work/usr"
sinew=$work/usr/bin/sinew
templates=$work/usr/share/sinew/template
cd "$work"

# every kind that a plugin can provide has a template, as far as this engine provides that kind
"$sinew" plugins list | awk '/^sinew/ { sub(/^sinew\./, "", $1); sub(/\/.*/, "", $1); print $1 }' |
  sort -u > provided
find "$templates" -mindepth 1 -maxdepth 1 -type d ! -name common -printf '%f\n' | sort > kinds
missing=$(comm -23 provided kinds)
[[ ! $missing ]] || fail "no template of the kind: $missing"

recipes=
while read -r kind; do
  name=new_$kind
  quietly "$sinew" plugins new "$kind" "$name"
  if grep -rn 'my_plugin\|@[A-Z]*@' "$name"; then fail "placeholders were left in $name"; fi
  if find "$name" -name '*my_plugin*' | grep .; then fail "a file of $name has a placeholder"; fi
  model=$(cd "$name" && echo model.*)

  # make, in the folder as it is
  quietly make -C "$name"
  quietly make -C "$name" check
  quietly make -C "$name" run
  # a model with a keyframe shows from there what the plugin does
  from=$(grep -q '<keyframe>' "$name/$model" && echo ' --key 0' || true)
  case $kind in
    sensor) run="state $model$from sensordata" prints='^sensordata .*values$' ;;
    executor) run="rollout $model$from --n 8 --steps 100" prints='^rollouts *8,' ;;
    renderer) run="render $model$from -o build/image.png" prints='image.png: .* pixels' ;;
    *) run="run $model$from" prints='steps' ;;
  esac
  grep -q "$prints" "$work/log" || { cat "$work/log"; fail "$name: make run prints no $prints"; }
  for file in Makefile README.md CMakeLists.txt; do
    grep -q "$run --config $name.ini" "$name/$file" || fail "$name/$file does not $run"
  done
  quietly "$sinew" plugins list --config "$name/$name.ini"
  grep -qE "^sinew\.$kind/[a-z0-9]+ +$name +$name " "$work/log" ||
    { cat "$work/log"; fail "$name.ini does not load $name"; }

  # CMake, which builds the same: once for each CMakeLists.txt that differs in more than the name is
  # enough, without sanitizers
  [[ ! $sanitizers ]] || continue
  recipe=$(sed "s/$name/NAME/g; s/model\.[a-z_.]*/MODEL/" "$name/CMakeLists.txt" | sha256sum)
  [[ $recipes != *"$recipe"* ]] || continue
  recipes+=$recipe
  rm -r "$name/build"
  quietly cmake -S "$name" -B "$name/build" -G Ninja -DCMAKE_BUILD_TYPE=Debug
  quietly cmake --build "$name/build"
  quietly ctest --test-dir "$name/build" --output-on-failure
  echo "$kind: $name.c, $model"
done < kinds

# data in place of data->fields does not compile, with the flags of the Makefile and of CMake
if [[ ! $sanitizers ]]; then
  cp -r new_passive mistaken
  sed -i 's/sn_field_reals(data->fields,/sn_field_reals(data,/' mistaken/new_passive.c
  (
    unset CFLAGS
    rejected 'error: .*incompatible' make -C mistaken
    quietly cmake -S mistaken -B mistaken/cmake -G Ninja
    rejected 'error: .*incompatible' cmake --build mistaken/cmake
  )
fi

# the same in C++, with make, and two with CMake. Without sanitizers
if [[ $sanitizers ]]; then : > kinds; fi
while read -r kind; do
  name=cpp_$kind
  quietly "$sinew" plugins new "$kind" "$name" --language c++
  if grep -rn 'my_plugin\|@[A-Z]*@' "$name"; then fail "placeholders were left in $name"; fi
  [[ -e $name/$name.cpp && ! -e $name/$name.c ]] || fail "$name has no source in C++"
  quietly make -C "$name"
  nm -D --defined-only "$name/build/$name.so" | grep -q ' T sn_plugin_entry$' ||
    fail "the entry of $name is not exported"
  quietly make -C "$name" check
  quietly make -C "$name" run
  [[ $kind == sensor || $kind == solver ]] || continue
  rm -r "$name/build"
  quietly cmake -S "$name" -B "$name/build" -G Ninja -DCMAKE_BUILD_TYPE=Debug
  quietly cmake --build "$name/build"
  quietly ctest --test-dir "$name/build" --output-on-failure
done < kinds

# a plugin in C++, with the flags of the Makefile alone: the entry is exported
if [[ ! $sanitizers ]]; then
  for hidden in '' -fvisibility=hidden; do
    # shellcheck disable=SC2086
    quietly "$CXX" -std=c++11 $hidden -I"$work/usr/include" -fPIC -shared -Wl,-z,defs \
      "$1/tests/abi/cplusplus.cc" -o cplusplus.so
    nm -D --defined-only cplusplus.so | grep -q ' T sn_plugin_entry$' ||
      fail "the entry of a plugin in C++ is not exported ($hidden)"
    quietly "$sinew" plugins doctor "$work/cplusplus.so"
  done
fi

# what the plugin does is seen: drag takes energy, the filter lets the balls overlap
energy() { "$sinew" run "$@" | grep '^energy'; }
drag=$(cd new_passive && energy model.xml --config new_passive.ini)
[[ $drag != "$(energy new_passive/model.xml)" ]] || fail "the passive force does nothing"
height() { "$sinew" trace "$@" --steps 2000 --record 2000 | tail -n 1; }
[[ $(height new_filter/model.xml --config new_filter/new_filter.ini) != \
  "$(height new_filter/model.xml)" ]] || fail "the filter does nothing"

# rejections
rejected "did you mean 'solver'? Available: .*sensor" "$sinew" plugins new solvr mine
rejected 'cannot be the name' "$sinew" plugins new solver My-Solver
rejected 'cannot be the name' "$sinew" plugins new solver test
rejected "already a provider of the kind solver named 'newton', of plugin 'newton'" \
  "$sinew" plugins new solver newton
rejected "is c or c++, not 'rust'" "$sinew" plugins new solver other --language rust
rejected 'belongs to plugins new' "$sinew" plugins list --language c
rejected 'not empty' "$sinew" plugins new solver other new_solver
rejected 'takes a KIND and a NAME' "$sinew" plugins new solver
mkdir empty
quietly "$sinew" plugins new solver other empty --json
[[ -e empty/other.c && -e empty/other.ini ]] || fail "an empty folder was not filled"
rm -r "$templates"
rejected 'templates of plugins are not installed' "$sinew" plugins new solver another
