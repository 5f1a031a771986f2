#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# An installation is complete: below a prefix of its own, the command runs, an application and the
# template plugin build through the CMake package and through pkg-config, and the command accepts
# that plugin. So do the sample plugins. Nothing of the source tree is used but sdk/template and
# samples.
#
#   install.sh SOURCE_TREE BUILD_TREE [SANITIZERS]

set -euo pipefail
source=$1 build=$2 sanitizers=${3:-}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022

flags=(-Wall -Wextra -Wpedantic -Werror)
whole=("-Wl,-z,defs")
if [[ $sanitizers ]]; then
  flags+=("-fsanitize=$sanitizers")
  whole=()   # the sanitizers' runtime may be in the program
fi
cc=$(sed -n 's/^CMAKE_C_COMPILER:[^=]*=//p' "$build/CMakeCache.txt")

# install
cmake --install "$build" --prefix "$work/usr" > "$work/log" || { cat "$work/log"; exit 1; }
lib=$(dirname "$(find "$work/usr" -name libsinew.so)")
home=$lib/sinew
for file in "$home/sinew.ini" "$lib/pkgconfig/sinew.pc" "$work/usr/include/sinew/abi.h"; do
  [[ -e $file ]] || { echo "not installed: $file"; exit 1; }
done
export SINEW_CONFIG=$home/sinew.ini
sinew=$work/usr/bin/sinew
model=$source/samples/models/pendulum.xml
if [[ -e $build/sinew ]]; then
  "$sinew" --version
  if [[ -e $model ]]; then "$sinew" run "$model"; fi
fi

# every plugin that the installed ini names is there
awk -F' *= *' '/^\[/ { on = ($0 == "[plugins]") } on && NF == 2 { print $2 }' "$home/sinew.ini" |
  while read -r plugin; do
    if [[ -e $build/$plugin && ! -e $home/$plugin ]]; then
      echo "not installed: $plugin"
      exit 1
    fi
  done

# pkg-config: an application that links, and each public header alone, as C and as C++
export PKG_CONFIG_PATH=$lib/pkgconfig
[[ $(pkg-config --variable=pluginabi sinew) =~ ^[0-9]+\.[0-9]+$ ]]
[[ -d $(pkg-config --variable=plugindir sinew) ]]
[[ -d $(pkg-config --variable=loaderdir sinew) ]]
echo 'int main(void) { return 0; }' > "$work/app.c"
for header in "$work"/usr/include/sinew/*.h; do
  name=sinew/$(basename "$header")
  sed -i "1i #include \"$name\"" "$work/app.c"
  for language in 'c -std=c17' 'c++ -std=c++17'; do
    # shellcheck disable=SC2046,SC2086
    printf '#include "%s"\nextern int something;\n' "$name" |
      "$cc" -x $language "${flags[@]}" -fsyntax-only \
      $(pkg-config --cflags sinew) - ||
      { echo "$name does not stand alone as ${language% *}"; exit 1; }
  done
done
# shellcheck disable=SC2046
"$cc" -std=c17 "${flags[@]}" "$work/app.c" -Wl,--no-as-needed $(pkg-config --cflags --libs sinew) \
  -o "$work/app"
LD_LIBRARY_PATH=$lib "$work/app"

[[ -e $source/sdk/template/my_plugin.c ]] || exit 0

# pkg-config: the template by hand
# shellcheck disable=SC2046
"$cc" -std=c17 "${flags[@]}" -shared -fPIC -fvisibility=hidden "${whole[@]}" \
  $(pkg-config --cflags sinew) "$source/sdk/template/my_plugin.c" -o "$work/by_hand.so" -lm
if [[ -e $sinew ]]; then "$sinew" plugins check "$work/by_hand.so"; fi

# CMake package: the template as its reader would
cp -r "$source/sdk/template" "$work/template"
cmake -S "$work/template" -B "$work/template/build" -G Ninja -DCMAKE_PREFIX_PATH="$work/usr" \
  -DCMAKE_C_COMPILER="$cc" -DCMAKE_C_FLAGS="${flags[*]}" > "$work/log" &&
  cmake --build "$work/template/build" >> "$work/log" || { cat "$work/log"; exit 1; }
ctest --test-dir "$work/template/build" --output-on-failure

# and the sample plugins, each a project of its own
for folder in "$source"/samples/plugins/*/; do
  [[ -e $folder/CMakeLists.txt ]] || continue
  sample=$work/$(basename "$folder")
  cp -r "$folder" "$sample"
  cmake -S "$sample" -B "$sample/build" -G Ninja -DCMAKE_PREFIX_PATH="$work/usr" \
    -DCMAKE_C_COMPILER="$cc" -DCMAKE_C_FLAGS="${flags[*]}" > "$work/log" &&
    cmake --build "$sample/build" >> "$work/log" || { cat "$work/log"; exit 1; }
  ctest --test-dir "$sample/build" --output-on-failure > "$work/log" || { cat "$work/log"; exit 1; }
done
