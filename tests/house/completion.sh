#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The files for the shells complete what `sinew complete` answers: bash is asked as its user would,
# and so is fish where it is installed; zsh reads its file.
#
#   completion.sh SOURCE_TREE BUILD_TREE [SANITIZERS]

set -euo pipefail
source=$1 build=$2
bad=0
[[ -x $build/sinew ]] || exit 77
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
PATH=$build:$PATH
cd "$work"
printf 'time,qpos.a,qpos.b\n0,1,2\n' > run.csv
touch robot.xml 'a robot.xml' note.txt
mkdir models
cp "$source/samples/models/arm.xml" .

# LINE | CANDIDATE...: what the shell offers for a command line. A candidate that starts with ! must
# not be there. The word _ stands for a word that is not started yet
table() {
  cat << 'LINES'
sinew _ | run inspect plugins help !manual !complete
sinew pl | plugins !run
sinew help con | config convert !run
sinew run _ | robot.xml models !save
sinew run rob | robot.xml !note.txt
sinew run robot.xml -- | --time --out --set !--solver
sinew problem _ | save solve !robot.xml
sinew problem solve f --solver _ | newton cg pgs !noslip
sinew problem solve f --solver newton,p | newton,pgs
sinew run robot.xml --set con | contact= !run
sinew run robot.xml --set cone=e | cone=elliptic !cone=pyramidal
sinew run robot.xml --set plugin.urdf.mimic= | plugin.urdf.mimic=true
sinew run robot.xml --set=solver=n | --set=solver=newton !--set=solver=noslip
sinew config --set limits. | limits.memory=
sinew run --profile _ | mujoco-2.2 robust none
sinew run arm.xml --key _ | reach fall
sinew run arm --key _ | reach fall
sinew run pend | pendulum
sinew run arm.xml --record al | all
sinew run arm.xml --record qpos,qv | qpos,qvel
sinew run arm.xml -o no | note.txt
sinew convert arm.xml --format _ | mjcf x_xy binary !urdf
sinew fields arm.xml body_m | body_mass
sinew plot run.csv --y qpos.a,q | qpos.a,qpos.b
sinew compare arm.xml --vary cone=e | cone=elliptic
sinew inspect arm.xml body_m | body_mass !qpos
sinew state arm.xml qfrc_c | qfrc_constraint
sinew plugins _ | list inspect check doctor new
sinew plugins inspect newt | newton
sinew plugins check m | mjcf models
sinew plugins new _ | solver sensor !newton
sinew plugins new solver mine _ | models !robot.xml
sinew convert robot.xml --out=rob | --out=robot.xml
LINES
}

ask_bash() {
  bash -c 'source "$1"
    line=$2
    compopt() { :; }
    COMP_LINE=$line COMP_POINT=${#line}
    # split as readline does, at COMP_WORDBREAKS
    read -ra words <<< "$line"
    COMP_WORDS=()
    for word in "${words[@]}"; do
      while [[ $word =~ ^([^=:]*)([=:]+)(.*)$ ]]; do
        [[ ${BASH_REMATCH[1]} ]] && COMP_WORDS+=("${BASH_REMATCH[1]}")
        COMP_WORDS+=("${BASH_REMATCH[2]}")
        word=${BASH_REMATCH[3]}
      done
      [[ $word ]] && COMP_WORDS+=("$word")
    done
    [[ $line == *" " ]] && COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _sinew
    printf "%s\n" "${COMPREPLY[@]}"' bash "$source/sdk/completion/sinew.bash" "$1"
}
ask_fish() {
  HOME=$work XDG_CONFIG_HOME=$work XDG_DATA_HOME=$work \
    fish -c 'source $argv[1]; complete -C $argv[2]' "$source/sdk/completion/sinew.fish" "$1" |
    cut -f 1
}

judge() {   # SHELL LINE CANDIDATE...
  local shell=$1 line=$2 answer candidate
  shift 2
  if [[ $line == *' _' ]]; then line=${line%_}; fi
  answer=$("ask_$shell" "$line")
  for candidate in "$@"; do
    local wanted=${candidate#!} found=
    # bash repeats nothing of the line before its last = or :
    if [[ $shell == bash && $wanted != *= ]]; then wanted=${wanted##*[=:]}; fi
    # fish marks folders
    if grep -qxF -e "$wanted" -e "$wanted/" <<< "$answer"; then found=yes; fi
    if [[ $candidate == !* && $found ]] || [[ $candidate != !* && ! $found ]]; then
      echo "$shell, '$line': $candidate is wrong; it offers" $answer
      bad=1
    fi
  done
}

shells=(bash)
command -v fish > /dev/null && shells+=(fish)
while IFS='|' read -r line candidates; do
  read -ra list <<< "$candidates"
  for shell in "${shells[@]}"; do judge "$shell" "${line% }" "${list[@]}"; done
done < <(table)

# each value of an option is completed, but those that are free
while read -r command option value; do
  case $value in
    SECONDS | N | I,J,... | TEXT | TITLE) continue ;;
  esac
  [[ $(sinew complete -- "$command" save arm run.csv "--$option" '' 2> /dev/null) ]] ||
    { echo "sinew $command --$option: nothing completes $value"; bad=1; }
done < <(sinew help --json | python3 -c "
import json, sys
for c in json.load(sys.stdin)['commands']:
    for o in c['options']:
        if o['value']:
            print(c['name'], o['name'], o['value'])")

# names with spaces stay whole
ask_bash 'sinew run a' | grep -qx 'a robot.xml' || { echo "bash splits 'a robot.xml'"; bad=1; }
if command -v zsh > /dev/null; then zsh -n "$source/sdk/completion/_sinew" || bad=1; fi

# code that the line names does not run before the line does: a configuration is not opened
printf '[plugins]\nmine = nothing.so\n' > bad.ini
if ! ask_bash 'sinew run --config bad.ini --profile ' | grep -qx none; then
  echo "the configuration that the line names is read"
  bad=1
fi
exit $bad
