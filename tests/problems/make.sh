#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# Makes the saved problems of this folder again: make.sh BUILD, or `ninja problems` in a build tree.
# Only when the problem itself or its file changes; solvers are judged on what is committed.

set -eu
build=$(cd "$1" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
models="$here/../../samples/models"
export SINEW_CONFIG="$build/sinew.ini"

# save NAME MODEL STEPS EVERY [OPTION]...
save() {
  name=$1 model=$2 steps=$3 every=$4
  shift 4
  "$build/sinew" problem save "$models/$model.xml" -o "$here/$name.problems" \
    --steps "$steps" --every "$every" --set iterations=100 "$@"
}

# every kind of row: spinning and from rest; with friction stiffer than normal forces; refined
save rows_pyramidal rows 1000 140 --key spun --set cone=pyramidal
save rows_elliptic rows 1000 140 --key spun --set cone=elliptic
save rows_rest rows 600 150
save rows_impratio rows 600 150 --key spun --set cone=elliptic --set impratio=10
save rows_noslip rows 600 150 --key spun --set cone=elliptic --set noslip_iterations=20

# contacts of condim 4 and 6 that roll; boxes that rest on each other; a body on its limits
save tray_pyramidal tray 700 140 --set cone=pyramidal
save tray_elliptic tray 700 140 --set cone=elliptic
save stack_pyramidal stack 600 120 --set cone=pyramidal
save stack_elliptic stack 600 120 --set cone=elliptic
save figure_pyramidal figure 1000 200 --set cone=pyramidal
save figure_elliptic figure 1000 200 --set cone=elliptic
