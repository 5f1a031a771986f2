#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# For every kind of plugin: an exception that leaves one of its operations ends the command with a
# message that names operation and plugin, and a status that the interface does not have is an error
# that does the same.
#
#   operations.sh VERSION_FOLDER OBJECTS INSTEAD BUILD_TREE     INSTEAD: the object of instead.cc

set -euo pipefail
version=$1 objects=$2 build=$4
export INSTEAD_PLUGIN INSTEAD_OPERATION INSTEAD_FAULT
instead=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022
sinew=$build/sinew
ulimit -c 0
n=0

fail() {
  echo "$INSTEAD_OPERATION, $INSTEAD_FAULT: $1; it printed:"
  head -c 600 "$work/log"
  exit 1
}

# call ARGUMENT...: what the command prints is in $work/log, its exit status in $status
call() {
  status=0
  {   # without what the shell says of signals
    "$sinew" "$@" --config "$work/$kind.ini" > "$work/log" 2>&1 || status=$?
  } 2> /dev/null
  n=$((n + 1))
}

# what is expected of each operation with this fault
faults() {   # FAULT STATUS WORDS OPERATION...
  local wanted=$2 words=$3 operation
  INSTEAD_FAULT=$1
  shift 3
  for operation; do
    INSTEAD_OPERATION=$kind.$operation
    call "${arguments[@]}"
    { grep -F "$words" "$work/log" || true; } | grep -F "'$operation'" | grep -qF "'my_plugin'" ||
      fail "plugin and operation are not named"
    ((status == wanted)) || fail "exit status $status"
  done
}
# returns: of operations that return a status
throws() { faults throw 134 "exception that left a plugin, in the operation" "$@"; }
returns() { faults status 1 12345 "$@"; }

kind() {   # KIND
  kind=$1
  INSTEAD_PLUGIN=$objects/$kind.so
  local folder=$version/plugins/$kind
  model=("$folder"/model.*)
  printf 'root = true\ninclude = %s\n' "$build/sinew.ini" > "$work/$kind.ini"
  if [[ -e $folder/my_plugin.ini ]]; then
    sed "/^include/d; s|build/my_plugin.so|$instead|" "$folder/my_plugin.ini" >> "$work/$kind.ini"
  else
    printf '[plugins]\nmy_plugin = %s\n' "$instead" >> "$work/$kind.ini"
  fi
  arguments=(run "${model[0]}" --steps 400)
}
implicit() { arguments+=(--set integrator=implicit); }

kind solver && throws solve && returns solve
kind collider && throws collide && returns collide
kind integrator && throws step states && returns step
kind dynamics && throws states rate advance check && returns rate advance check
kind gain && throws value check && returns value check
kind bias && throws value check && returns value check
kind sensor && throws sizes bind unbind evaluate check && returns bind evaluate check
kind passive && throws bind unbind states couples apply && returns bind couples apply
implicit && throws derivative && returns derivative
kind controller && throws bind unbind control && returns bind control
kind contact && throws bind unbind modify && returns bind modify
kind filter && throws bind unbind select && returns bind select
kind constraint && throws bind unbind rows dofs kinds evaluate && returns bind evaluate
# (what a collider calls of a shape is not told from the collider)
kind shape && throws make drop && returns make
kind loader && throws probe load && returns load
kind mesh && throws decode && returns decode
kind resource && throws open read close && returns open read
echo "$n operations with a fault"
