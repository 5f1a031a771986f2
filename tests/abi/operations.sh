#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# For every operation of every kind of plugin: an exception that leaves it ends the command with a
# message that names operation and plugin, and a status that the interface does not have is an error
# that does the same. Operations that no command calls in a run are called by `plugins check`, which
# names them too. An operation of the headers that is not tried here fails the test.
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
    "$sinew" "$@" --config "$work/plugin.ini" > "$work/log" 2>&1 || status=$?
  } 2> /dev/null
  n=$((n + 1))
}

# with FAULT OPERATION: calls it; what was tried is in $work/tried
with() {
  INSTEAD_FAULT=$1 INSTEAD_OPERATION=$kind.$2
  echo "$type $2 $1" >> "$work/tried"
  call "${arguments[@]}"
}

# what is expected of each operation with this fault
faults() {   # FAULT STATUS WORDS OPERATION...
  local fault=$1 wanted=$2 words=$3 operation
  shift 3
  for operation; do
    with "$fault" "$operation"
    { grep -F "$words" "$work/log" || true; } | grep -F "'$operation'" | grep -qF "'my_plugin'" ||
      fail "plugin and operation are not named"
    ((status == wanted)) || fail "exit status $status"
  done
}
# returns: of operations that return a status
throws() { faults throw 134 "exception that left a plugin, in the operation" "$@"; }
returns() { faults status 1 12345 "$@"; }
both() { throws "$@" && returns "$@"; }

# The check names an operation that throws, and one that returns an unknown status.
# checked_throw: of operations that return no status
checked_throw() {
  local operation
  arguments=(plugins check my_plugin -q --json)
  for operation; do
    with throw "$operation"
    grep -qF "the operation '$operation' ended the process by signal 6" "$work/log" ||
      fail "the operation is not named"
    ((status == 1)) || fail "exit status $status"
  done
}
checked() {
  local operation
  checked_throw "$@"
  for operation; do
    with status "$operation"
    ((status == 1)) || fail "exit status $status"
    grep -F -A1 '"result":"FAILED"' "$work/log" |
      grep -qF "\"detail\":\"$operation returns 12345, which is not a status" ||
      fail "the check does not name the status"
  done
}

kind() {   # KIND [FOLDER]: with the plugin in that folder, by default that of the kind
  kind=$1
  local plugin=${2-$1} folder
  case $kind in
    gain | bias) type=force ;;
    *) type=$kind ;;
  esac
  INSTEAD_PLUGIN=$objects/$plugin.so
  folder=$version/plugins/$plugin
  model=("$folder"/model.*)
  printf 'root = true\ninclude = %s\n' "$build/sinew.ini" > "$work/plugin.ini"
  if [[ -e $folder/my_plugin.ini ]]; then
    sed "/^include/d; s|build/my_plugin.so|$instead|" "$folder/my_plugin.ini" >> "$work/plugin.ini"
  else
    printf '[plugins]\nmy_plugin = %s\n' "$instead" >> "$work/plugin.ini"
  fi
  arguments=(run "${model[0]}" --steps 400)
}
by() {   # INTEGRATOR
  arguments+=(--set "integrator=$1")
}
command() { arguments=("$@"); }

kind solver && throws destroy && both create solve
kind collider && both collide && checked distance ray
kind integrator && throws states unbind && both step bind && checked_throw uses
kind dynamics && throws states unbind && both rate advance check reset bind
checked derivative
kind gain && both value check && by implicit && both dvelocity && by backward_euler && both dlength
kind bias && both value check && by implicit && both dvelocity && by backward_euler && both dlength
checked damp
kind gain actuator_propeller && throws unbind && both bind
kind sensor && throws unbind && both sizes bind evaluate check
kind sensor sensor_imu_drift && both reset
kind passive && throws unbind states && both bind couples apply && by implicit && both derivative
checked apply_lanes
kind passive passive_strut && both reset advance && by backward_euler && both stiffness
kind controller && throws unbind states && both bind control reset advance
kind contact && throws unbind && both bind modify
kind filter && throws unbind && both bind select
kind constraint && throws unbind rows dofs kinds && both bind evaluate
kind constraint constraint_rod && both velocity
kind shape && throws drop && both make
kind shape shape_superquadric && throws support && checked_throw ray
kind loader && throws probe && both load
command convert "${model[0]}" --format my_plugin --out "$work/saved" && both save
command schema my_plugin && both describe
kind mesh && both decode && checked hull decompose image
kind resource && throws close && both open read && checked list && checked_throw probe
kind executor && command rollout "${model[0]}" --n 4 --steps 5 && both run serve
checked_throw workers
kind renderer && command render "${model[0]}" --out "$work/image.png" && throws close
both open render && checked write
echo "$n operations with a fault"

# ---------------------------------------------------------------- operations that were not tried

# The renderer of the template has none; the kit calls it where there is one.
unreached="renderer.draw"

# operations HEADERS: "TYPE OPERATION", and "status" if it returns one
operations() {
  cat "$1"/sinew/*.h | sed 's|//.*||' | tr '\n' ' ' |
    grep -oE 'typedef struct sn_[a-z]+_ops \{[^}]*\} sn_[a-z]+_ops;' |
    while read -r table; do
      table=${table#typedef struct sn_}
      tr ';{' '\n' <<< "$table" | grep -oE '^ *[a-z0-9_]+( [a-z]+)? \*?\(\*[a-z_]+\)\(' |
        sed -E "s/^ *(sn_status)? *.*\(\*([a-z_]+)\)\($/${table%%_ops*} \2 \1/; s/sn_status/status/"
    done
}

missing=
while read -r type operation returned; do
  [[ " $unreached " == *" $type.$operation "* ]] && continue
  for fault in throw $returned; do
    grep -qxF "$type $operation $fault" "$work/tried" || missing+=" $type.$operation ($fault)"
  done
done < <(operations "$version/include")
[[ ! $missing ]] || { echo "not tried:$missing"; exit 1; }
count=$(operations "$version/include" | wc -l)
((count > 60)) || { echo "only $count operations were found"; exit 1; }
