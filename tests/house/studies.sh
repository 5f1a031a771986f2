#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The samples of many simulations do what they say: the pole is swung up and stands, the coefficient
# of friction of a recorded run is found to 1 %, distances of the study are v^2 / (2 mu g), and the
# jobs of a cluster write the same file as one run.
#
#   studies.sh SOURCE_TREE BUILD_TREE

set -euo pipefail
source=$1 build=$2
export SINEW=$build/sinew
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0
fail() { echo "$*"; bad=1; }
cd "$work"

"$build/samples/swing_up" "$source/samples/models/cart_pole.xml" 4 > up ||
  fail "swing_up: $(tail -n 1 up)"

# the recorded run has a shorter timestep than the simulations that are compared with it
"$SINEW" rollout slider --n 1 --key push --vary geom_friction:box:0=0.37 --set timestep=0.00025 \
  --time 1.5 --every 40 --record qpos:free:0 --out run.csv -q
"$build/samples/identify" "$source/samples/models/slider.xml" run.csv geom_friction:box:0 0.05 1 |
  tee found | awk '{ exit !($3 > 0.3663 && $3 < 0.3737) }' || fail "identify: $(cat found)"

sh "$source/samples/studies/sliding.sh" . > /dev/null
awk -F , 'NR > 1 { n++; x = 4 / (2 * $6 * 9.81); if ($7 < 0.99 * x || $7 > 1.01 * x) exit 1 }
          END { exit n != 15 }' sliding.csv || fail "sliding.sh: $(cat sliding.csv)"
grep -q '</svg>' sliding.svg || fail "sliding.sh: no plot"

export MODEL=figure ROLLOUTS=20 STEPS=50 OUT=$work/jobs.npy
for job in 1 2; do
  SLURM_ARRAY_TASK_ID=$job SLURM_ARRAY_TASK_MIN=1 SLURM_ARRAY_TASK_MAX=2 \
    SLURM_ARRAY_TASK_STEP=1 bash "$source/samples/cluster/rollouts.slurm" > /dev/null
done
COLLECT=yes bash "$source/samples/cluster/rollouts.slurm" > collected
grep -q 'run *0, 20 were finished before' collected || fail "rollouts.slurm: $(cat collected)"

if [[ -e $build/plugins/mpi.so ]]; then
  LAUNCH=env OUT=$work/one.npy bash "$source/samples/cluster/mpi.slurm" > /dev/null
  cmp jobs.npy one.npy || fail "mpi.slurm writes another file than rollouts.slurm"
fi
exit "$bad"
