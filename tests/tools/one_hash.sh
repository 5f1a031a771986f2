#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The same rollouts in every way that there is, which must give one hash: by each executor, with
# several numbers of threads and ranks, in shards that are merged, and after a rank was killed half
# way and the same command ran the rest. Not a test that runs by itself: with the numbers below it
# takes minutes.
#
#   one_hash.sh [BUILD_TREE] [ROLLOUTS] [STEPS] [MODEL]     build/release, 10000, 100, humanoid

set -euo pipefail
here=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "${1:-$here/build/release}" && pwd)
n=${2:-10000} steps=${3:-100} model=${4:-/usr/share/mujoco/model/humanoid/humanoid.xml}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

study=("$build/sinew" rollout "$model" --n "$n" --steps "$steps" --every "$steps"
  --record 'qpos,qvel' --vary 'gravity:2=uniform(-11,-9)' --seed 1)
mpirun=(mpirun --oversubscribe --allow-run-as-root)
first=

# NAME COMMAND...: runs it, prints its hash, and compares it with the first
check() {
  local name=$1 hash start=$SECONDS
  shift
  hash=$("$@" | awk '$1 == "hash" { print $2 }')
  first=${first:-$hash}
  printf '%-28s %s  %4d s\n' "$name" "$hash" $((SECONDS - start))
  [[ -n $hash && $hash == "$first" ]] || { echo "$name: another hash than $first" >&2; exit 1; }
}

check serial "${study[@]}" --executor serial
check lanes "${study[@]}" --executor lanes
check auto "${study[@]}" --executor auto
for threads in 1 2 4 16; do
  check "threads, $threads" "${study[@]}" --executor threads --set "plugin.threads.workers=$threads"
done

for shard in 1 2 3; do
  "${study[@]}" --executor threads --out shards.npy --shard "$shard/3" > /dev/null
done
check "3 shards, merged" "${study[@]}" --executor threads --out shards.npy

if ! command -v mpirun > /dev/null || [[ ! -e $build/plugins/mpi.so ]]; then
  echo "no MPI here: the rest is left out"
  exit 0
fi
for ranks in 1 2 4; do
  check "mpi, $ranks ranks" "${mpirun[@]}" -n "$ranks" "${study[@]}" --executor mpi
done

# rank 1 of 3 is killed when half of the file is written; mpirun then ends all of them
"${mpirun[@]}" -n 3 sh -c 'echo $$ > "pid.$OMPI_COMM_WORLD_RANK"; exec "$@"' sh "${study[@]}" \
  --executor mpi --out killed.npy > /dev/null 2>&1 &
job=$!
half() {   # are rollouts in the middle of the file finished? Before, there are zeros
  [[ -e killed.npy && -n $(tail -c "+$(($(stat -c %s killed.npy) / 2))" killed.npy |
    head -c 4096 | tr -d '\0' | head -c 1 | od -A n -t x1) ]]
}
until half || ! kill -0 "$job" 2> /dev/null; do sleep 0.01; done
kill -9 "$(cat pid.1)" 2> /dev/null || echo "the run ended before rank 1 could be killed" >&2
wait "$job" || true
"${mpirun[@]}" -n 2 "${study[@]}" --executor mpi --out killed.npy > report
awk '$1 == "run" || $1 == "finished" { print "after the kill:", $0 }' report
check "killed, the rest run again" cat report
echo "one hash"
