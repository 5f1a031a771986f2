#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A plugin and an application of the pretended ABI 1.1 (tests/abi/next) with the library of 1.1 and
# with today's.
#
#   next.sh FOLDER BUILD_TREE      FOLDER: libsinew.so, application, plugin0.so, plugin1.so of 1.1

set -euo pipefail
next=$1 build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
umask 022
sinew=$build/sinew

fail() { cat "$work/log"; echo "failed: $*"; exit 1; }
quietly() { "$@" > "$work/log" 2>&1 || fail "$*"; }
rejected() { if "$@" > "$work/log" 2>&1; then fail "accepted: $*"; fi; }
says() { grep -qF -- "$1" "$work/log" || fail "there is no '$1' in this"; }

for needs in 0 1; do
  printf 'root = true\ninclude = %s\n[plugins]\nnext = %s\n' \
    "$build/sinew.ini" "$next/plugin$needs.so" > "$work/$needs.ini"
done
echo 'next' > "$work/old.next"
echo 'next, bounce' > "$work/new.next"

# with its own library everything works, and with both plugins
for needs in 0 1; do
  LD_LIBRARY_PATH=$next quietly "$next/application" "$work/$needs.ini" "$work/new.next"
done

# The plugin that needs 1.0, with today's library: kinds that are not known are left out and listed,
# and the name that it has in two revisions is that of the known one.
quietly "$sinew" plugins list --config "$work/0.ini"
says "'steps' of plugin 'next' is left out: unknown kind 'sinew.observer/1'"
says "'twice' of plugin 'next' is left out: unknown kind 'sinew.solver/2'"
for solver in newton once twice; do
  quietly "$sinew" run "$work/old.next" --config "$work/0.ini" --set solver=$solver --steps 300
  says 'simulated'
done

# what a file asks for and today's library does not know is rejected
rejected "$sinew" run "$work/new.next" --config "$work/0.ini"
says 'it was written for a newer version of Sinew'

# the plugin that needs 1.1 is rejected, with both versions
rejected "$sinew" run "$work/old.next" --config "$work/1.ini"
says "plugin 'next' is rejected: it needs ABI 1.1, this engine has 1.0"
rejected "$sinew" plugins check "$next/plugin1.so"
says 'it needs ABI 1.1, this engine has 1.0'
quietly env LD_LIBRARY_PATH="$next" "$sinew" run "$work/old.next" --config "$work/1.ini"

# Plugins of today that were built with the headers of 1.1 need only 1.0. In today's library, whose
# structs are shorter than theirs, they do what they do when they are built with its own headers.
chain='<mujoco><option inertia="recursive"/><worldbody>'
link='<joint axis="0 1 0"/><geom type="capsule" fromto="0 0 0 .1 0 0" size=".02"/>'
for ((i = 0; i < 40; i++)); do chain+="<body pos='0.1 0 0'>$link"; done
for ((i = 0; i < 40; i++)); do chain+='</body>'; done
chain+='<geom type="plane" size="9 9 1" pos="0 0 -0.3"/></worldbody></mujoco>'
echo "$chain" > "$work/chain.xml"
printf 'root = true\ninclude = %s\n[plugins]\n' "$build/sinew.ini" > "$work/shipped.ini"
for name in newton threads lanes; do
  printf '%s = %s\n' "$name" "$next/shipped/$name.so" >> "$work/shipped.ini"
done
for ini in "$work/shipped.ini" "$build/sinew.ini"; do
  quietly "$sinew" run "$work/chain.xml" --config "$ini" --set solver=newton --steps 200 \
    --record qpos --out "$work/${ini##*/}.csv"
  for executor in threads lanes; do
    quietly "$sinew" rollout pendulum --config "$ini" --executor $executor --n 8 --steps 20 \
      --record qpos --out "$work/${ini##*/}.$executor.csv"
  done
done
for result in csv threads.csv lanes.csv; do
  quietly cmp "$work/shipped.ini.$result" "$work/sinew.ini.$result"
done

# an application that needs 1.1 is rejected by the dynamic linker
LD_LIBRARY_PATH=$build rejected "$next/application" "$work/0.ini" "$work/new.next"
says "version \`SINEW_1.1' not found"
echo "plugins and applications of ABI 1.1 with the libraries of 1.0 and 1.1"
