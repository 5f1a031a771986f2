#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Copies today's public headers, the template of a plugin of every kind, and a few samples, to a
# folder that keeps them for good. While the ABI is a release candidate its folder is refreshed when
# an incompatible change is wanted; the folder of a released ABI never changes.
#
#   tests/abi/refresh.sh [VERSION]      1.0-rc

set -euo pipefail
cd "$(dirname "$0")/../.."
folder=tests/abi/${1:-1.0-rc}
rm -rf "$folder/include" "$folder/plugins"
mkdir -p "$folder/plugins"
cp -R sdk/include "$folder/include"
rm "$folder/include/sinew/plugin.hpp"   # no part of the ABI, and no use without C++ plugins

for template in sdk/template/*/; do
  kind=$(basename "$template")
  [[ $kind == common ]] && continue
  cp -R "$template" "$folder/plugins/$kind"
  rm -f "$folder/plugins/$kind/my_plugin.cpp"
  compgen -G "$template/model.*" > /dev/null ||
    cp sdk/template/common/model.xml "$folder/plugins/$kind"
done

# samples use more of the interface than templates: states, attributes, services
for sample in actuator_dcmotor actuator_propeller constraint_rod passive_strut sensor_imu_drift \
  shape_superquadric; do
  mkdir "$folder/plugins/$sample"
  cp samples/plugins/$sample/*.c "$folder/plugins/$sample/my_plugin.c"
  cp samples/plugins/$sample/*.xml "$folder/plugins/$sample/model.xml"
done
