# SPDX-License-Identifier: Apache-2.0
#
# Completion of `sinew` for bash. Installed where bash-completion finds it; without that package,
# source this file in ~/.bashrc.

# bash splits words at = and :, and `sinew complete` needs them whole. What it answers is whole too;
# of it, bash wants what follows the last of these characters
_sinew() {
  local words=() word whole=0 line head

  for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
    if [[ ${#words[@]} -gt 0 && ( $word == [=:]* || $whole == 1 ) ]]; then
      words[-1]+=$word
    else
      words+=("$word")
    fi
    [[ $word == *[=:] ]] && whole=1 || whole=0
  done
  word=${words[-1]} head=
  [[ $word == *[=:]* ]] && head=${word%"${word##*[=:]}"}

  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :files) compopt -o filenames; mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "${word#"$head"}") ;;
      :folders) compopt -o filenames; mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "${word#"$head"}") ;;
      *)
        line=${line%%$'\t'*}
        [[ $line == *[=.] ]] && compopt -o nospace
        COMPREPLY+=("${line#"$head"}")
        ;;
    esac
  done < <("${COMP_WORDS[0]}" complete -- "${words[@]}" 2> /dev/null)
} && complete -F _sinew sinew
