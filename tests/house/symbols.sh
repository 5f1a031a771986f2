#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What the shared objects export: a plugin one name, sn_plugin_entry, and it needs no sn_ name;
# libsinew.so nothing but names that begin with sn_, snm_ or snd_. The library and the command need
# no graphics library, and the viewer exports its functions alone.
#
#   symbols.sh SOURCE_TREE BUILD_TREE [SANITIZERS]

set -euo pipefail
cd "$2"
bad=0

# names OPTION FILE: dynamic symbols without version; the version itself is an absolute one
names() { nm -D "$1" "$2" | awk '$(NF - 1) != "A" { sub("@.*", "", $NF); print $NF }'; }

# the sanitizers of clang add names of their own
theirs=${3:+^_*(asan|ubsan|odr_asan|sanitizer)}
ours() { grep -vE "${theirs:-^$}" || true; }

for plugin in plugins/*.so plugins/parts/*.so loaders/*.so; do
  [[ -e $plugin ]] || continue
  defined=$(names --defined-only "$plugin" | ours)
  if [[ $defined != sn_plugin_entry ]]; then
    echo "$plugin: exports '${defined//$'\n'/ }' instead of sn_plugin_entry alone"
    bad=1
  fi
  wanted=$(names --undefined-only "$plugin" | grep '^sn[md]\?_' || true)
  if [[ $wanted ]]; then
    echo "$plugin: needs '${wanted//$'\n'/ }' of the host"
    bad=1
  fi
  if readelf -d "$plugin" | grep -q 'NEEDED.*libsinew'; then
    echo "$plugin: is linked with libsinew"
    bad=1
  fi
done

foreign=$(names --defined-only libsinew.so | ours | grep -v '^sn[md]\?_' || true)
if [[ $foreign ]]; then
  echo "libsinew.so: exports '${foreign//$'\n'/ }'"
  bad=1
fi

for file in libsinew.so sinew; do
  graphics=$(ldd "$file" | grep -iE 'libX|libGL|libEGL|glfw|imgui|epoxy|wayland' || true)
  if [[ $graphics ]]; then
    echo "$file: needs $graphics"
    bad=1
  fi
done
if [[ -e libsinew_viewer.so ]]; then
  foreign=$(names --defined-only libsinew_viewer.so | ours | grep -v '^sn_viewer_' || true)
  if [[ $foreign ]]; then
    echo "libsinew_viewer.so: exports '${foreign//$'\n'/ }'"
    bad=1
  fi
fi
exit $bad
