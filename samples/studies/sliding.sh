#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
#
# A parameter study: how far a box slides, for several coefficients of friction, and its plot.
#
#   sh sliding.sh FOLDER            writes sliding.csv and sliding.svg there
#
# `sinew` is found on the PATH, or SINEW names it.

set -eu
sinew=${SINEW:-sinew}
mu=$(seq -s , 0.1 0.05 0.8)

"$sinew" rollout slider --key push --vary geom_friction:box:0="$mu" \
  --time 3 --every 3000 --record qpos:free:0 --executor threads --out "$1/sliding.csv" -q
"$sinew" plot "$1/sliding.csv" --x geom_friction:box:0 --y qpos:free:0 \
  --title 'Sliding distance of a box, in m, over the coefficient of friction' -o "$1/sliding.svg"
