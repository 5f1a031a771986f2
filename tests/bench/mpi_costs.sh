#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# What the executor mpi costs rank 0: the start with the broadcast of the job, the dispatch of a
# rollout, and the gathering of a megabyte of results. Two ranks; rank 0 only dispatches.
#
#   mpi_costs.sh [BUILD_TREE]     build/release

set -euo pipefail
here=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "${1:-$here/build/release}" && pwd)
model=$here/samples/models/cart_pole.xml

# the least of 5 runs, seconds; arguments: those of `sinew rollout`
seconds() {
  for _ in 1 2 3 4 5; do
    mpirun --oversubscribe --allow-run-as-root -n 2 "$build/sinew" rollout "$model" --json \
      --executor mpi --set plugin.mpi.dispatch=2 "$@" | sed -n 's/^"seconds":\(.*\),$/\1/p'
  done | sort -g | head -1
}

job=$(seconds --n 2 --steps 1 --record time)
many=$(seconds --n 20002 --steps 1 --record time)
small=$(seconds --n 200 --steps 2000 --every 2000 --record qpos,qvel)
large=$(seconds --n 200 --steps 2000 --every 1 --record qpos,qvel)
awk -v job="$job" -v many="$many" -v small="$small" -v large="$large" 'BEGIN {
  printf "job: %.2f ms\n", 1e3 * job
  printf "dispatch and result of a rollout: %.1f us\n", 1e6 * (many - job) / 20000
  printf "results: %.2f ms a megabyte\n", 1e3 * (large - small) / (200 * 2000 * 4 * 8 / 1e6)
}'
