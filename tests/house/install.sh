#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# An installation is complete, also after its folder was moved: the command runs, an application and
# the template plugin build through the CMake package and through pkg-config, and the command
# accepts that plugin. What README.md and the sample plugins say of that is done word by word.
# Nothing of the source tree is used but sdk/template and samples.
#
#   install.sh SOURCE_TREE BUILD_TREE

set -euo pipefail
source=$1 build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022

flags=(-Wall -Wextra -Wpedantic -Werror)
cc=$(sed -n 's/^CMAKE_C_COMPILER:[^=]*=//p' "$build/CMakeCache.txt")

# install, and move: nothing remembers the first place
cmake --install "$build" --prefix "$work/first" > "$work/log" || { cat "$work/log"; exit 1; }
mv "$work/first" "$work/usr"
if grep -rIlF "$work/first" "$work/usr"; then
  echo "these files name the folder that they were installed to"
  exit 1
fi
lib=$(dirname "$(find "$work/usr" -name libsinew.so)")
home=$lib/sinew
doc=$work/usr/share/doc/sinew
for file in "$home/sinew.ini" "$home/profiles/mujoco-2.2.ini" "$home/profiles/robust.ini" \
  "$lib/pkgconfig/sinew.pc" \
  "$work/usr/include/sinew/abi.h" "$doc/LICENSE" "$doc/CHANGELOG.md" \
  "$doc/samples/plugins/solver_admm/admm.c" "$doc/docs/notation.md"; do
  [[ -e $file ]] || { echo "not installed: $file"; exit 1; }
done

# links between the documents hold
while read -r page; do
  for link in $(grep -oE '\]\([^):# ]+' "$page" | sed 's/^](//' | grep -vx 'https\?' || true); do
    [[ -e ${page%/*}/$link ]] || { echo "installed: $page: there is no $link"; exit 1; }
  done
done < <(find "$doc" -name '*.md')
share=$work/usr/share
for file in man/man1/sinew.1 man/man1/sinew-run.1 man/man5/sinew.ini.5 \
  bash-completion/completions/sinew zsh/site-functions/_sinew \
  fish/vendor_completions.d/sinew.fish; do
  [[ ! -e $build/sinew || -e $share/$file ]] || { echo "not installed: share/$file"; exit 1; }
done
unset SINEW_CONFIG SINEW_PROFILE   # the library finds the ini beside itself
export HOME=$work/home
mkdir "$HOME"
sinew=$work/usr/bin/sinew
model=$source/samples/models/pendulum.xml
if [[ -e $build/sinew ]]; then
  "$sinew" --version
  (cd / && "$sinew" run "$model" && "$sinew" run "$model" --profile mujoco-2.2)
  "$sinew" plugins list --json > "$work/list"
  grep -q "$home/plugins/newton.so" "$work/list" || { cat "$work/list"; exit 1; }
fi

# every plugin that the installed ini names is there
awk -F' *= *' '/^\[/ { on = ($0 == "[plugins]") } on && NF == 2 { print $2 }' "$home/sinew.ini" |
  while read -r plugin; do
    if [[ -e $build/$plugin && ! -e $home/$plugin ]]; then
      echo "not installed: $plugin"
      exit 1
    fi
  done

# pkg-config: an application that links all headers; each public header alone, as C; and all of them
# as C++, where they include the same, in the reverse order
export PKG_CONFIG_PATH=$lib/pkgconfig
[[ $(pkg-config --variable=pluginabi sinew) =~ ^[0-9]+\.[0-9]+$ ]]
[[ -d $(pkg-config --variable=plugindir sinew) ]]
[[ -d $(pkg-config --variable=loaderdir sinew) ]]
[[ -d $(pkg-config --variable=templatedir sinew)/common ]]
[[ -e $(pkg-config --variable=docdir sinew)/PLUGIN_API.md ]]
[[ -x $(pkg-config --variable=command sinew) ]]

# links between the documents hold where they are installed; those into the source tree, which
# README.md and the pages for contributors have, do not
for page in "$doc/PLUGIN_API.md" "$doc"/docs/plugins/*.md "$doc"/samples/plugins/*/README.md; do
  [[ -e $page ]] || continue
  { grep -oE '\]\([^)#]+' "$page" || true; } | sed 's/](//' | while read -r link; do
    [[ $link == http* ]] && continue
    [[ -e $(dirname "$page")/$link ]] || { echo "$page: broken link to $link"; exit 1; }
  done
done
echo 'int main(void) { return 0; }' > "$work/app.c"
for header in "$work"/usr/include/sinew/*.h "$work"/usr/include/sinew/*/*.h; do
  name=${header#"$work/usr/include/"}
  sed -i "1i #include \"$name\"" "$work/app.c"
  # shellcheck disable=SC2046
  printf '#include "%s"\nextern int something;\n' "$name" |
    "$cc" -x c -std=c17 "${flags[@]}" -fsyntax-only $(pkg-config --cflags sinew) - ||
    { echo "$name does not stand alone"; exit 1; }
done
# shellcheck disable=SC2046
"$cc" -x c++ -std=c++17 "${flags[@]}" -fsyntax-only $(pkg-config --cflags sinew) "$work/app.c"
# shellcheck disable=SC2046
"$cc" -std=c17 "${flags[@]}" "$work/app.c" -Wl,--no-as-needed $(pkg-config --cflags --libs sinew) \
  -o "$work/app"
LD_LIBRARY_PATH=$lib "$work/app"

[[ -e $source/sdk/template/passive/my_plugin.c ]] || exit 0

# pkg-config: the template by hand
# shellcheck disable=SC2046
"$cc" -std=c17 "${flags[@]}" -shared -fPIC -fvisibility=hidden -Wl,-z,defs \
  $(pkg-config --cflags sinew) "$source/sdk/template/passive/my_plugin.c" -o "$work/by_hand.so" -lm
if [[ -e $sinew ]]; then "$sinew" plugins check "$work/by_hand.so"; fi

# a plugin may link the numerical helpers: it gets a copy of its own, which others do not see
{
  cat "$source/sdk/template/passive/my_plugin.c"
  echo '#include "sinew/numerics.h"'
  echo 'void use(const sn_inertia *inertia, double *x);'
  echo 'void use(const sn_inertia *inertia, double *x) { sn_tree_solve(inertia, x); }'
} > "$work/with_numerics.c"
# shellcheck disable=SC2046
"$cc" -std=c17 "${flags[@]}" -shared -fPIC -fvisibility=hidden -Wl,-z,defs \
  $(pkg-config --cflags sinew) "$work/with_numerics.c" -o "$work/with_numerics.so" \
  -L"$lib" -lsinew_numerics -lm
if nm -D --defined-only "$work/with_numerics.so" | grep ' sn_tree'; then
  echo "the numerical helpers are visible outside of the plugin that links them"
  exit 1
fi

# a loader may link the reader of XML in the same way
# shellcheck disable=SC2046
"$cc" -std=c17 "${flags[@]}" -shared -fPIC -fvisibility=hidden -Wl,-z,defs \
  $(pkg-config --cflags sinew) "$source/samples/plugins/loader_scene/scene.c" \
  -o "$work/with_xml.so" -L"$lib" -lsinew_xml -ltinyxml2 -lstdc++ -lm
if [[ -e $sinew ]]; then "$sinew" plugins check "$work/with_xml.so"; fi

# The recipes of the documents, as they are written: the commands are the lines indented by four
# spaces. They run in a tree whose release build is this build.
commands() {   # FILE [HEADING]: of that chapter, or of the whole file
  awk -v from="${2:-}" '/^#/ { on = from == "" || index($0, from) }
                        on && /^    / { print substr($0, 5) }' "$1"
}
follow() {   # FOLDER FILE [HEADING]
  # shellcheck disable=SC2016
  { echo 'set -e; cc() { "$CC" $CFLAGS "$@"; }'; commands "${@:2}"; } > "$work/recipe"
  (
    cd "$1"
    unset PKG_CONFIG_PATH
    CC=$cc CFLAGS="${flags[*]}" CXXFLAGS="${flags[*]}" bash "$work/recipe"
  ) > "$work/log" 2>&1 ||
    { echo "the recipe of $2 fails:"; cat "$work/recipe" "$work/log"; exit 1; }
}
mkdir -p "$work/tree/build"
ln -s "$source/sdk" "$source/samples" "$work/tree"
ln -s "$build" "$work/tree/build/release"
follow "$work/tree" "$source/README.md" "A first plugin"
if [[ $(grep '^energy' "$work/log" | sort -u | wc -l) != 2 ]]; then
  echo "the plugin of README.md does nothing that is seen:"
  cat "$work/log"
  exit 1
fi
follow "$work/tree" "$source/README.md" "The library"
if [[ $(grep -c '^time 1 s' "$work/log") != 2 ]]; then
  echo "the program of README.md does not run twice, built with pkg-config and with CMake:"
  cat "$work/log"
  exit 1
fi
# a plugin in two files: as PLUGIN_API.md has it, with two plugins of the same name and a library
mkdir "$work/parts"
cp "$source/sdk/template/passive/my_plugin.c" "$work/parts/plugin.c"
cp "$source/sdk/template/passive/my_plugin.c" "$work/parts/read.c"
{
  echo 'cmake_minimum_required(VERSION 3.21)'
  echo 'project(parts LANGUAGES C)'
  echo 'find_package(sinew REQUIRED)'
  echo 'add_library(big INTERFACE)'
  commands "$source/PLUGIN_API.md" "A plugin in two files"
} > "$work/parts/CMakeLists.txt"
{
  cmake -S "$work/parts" -B "$work/parts/build" -DCMAKE_PREFIX_PATH="$work/usr" \
    -DCMAKE_C_COMPILER="$cc" && cmake --build "$work/parts/build" &&
    cmake --install "$work/parts/build" --prefix "$work/parts/usr"
} > "$work/log" 2>&1 || { echo "a plugin in two files does not build:"; cat "$work/log"; exit 1; }
for folder in "$work/parts/build" "$work/parts/usr${lib#"$work/usr"}/sinew/plugins"; do
  [[ -e $folder/reader.so && -e $folder/parts/reader.so ]] ||
    { echo "a plugin in two files: one is missing in $folder"; exit 1; }
done
"$build/samples/hello" "$model" > "$work/log"   # where it was built, too
examined=   # what CMake found out about the compiler, which takes most of its time
for folder in "$source"/samples/plugins/*/; do
  sample=$work/$(basename "$folder")
  cp -r "$folder" "$sample"
  if [[ $examined ]]; then
    mkdir -p "$sample/build/CMakeFiles"
    cp -r "$examined" "$sample/build/CMakeFiles"
  fi
  follow "$sample" "$folder/README.md"
  examined=$(echo "$sample"/build/CMakeFiles/[0-9]*)
done
