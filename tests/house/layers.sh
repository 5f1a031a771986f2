#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Folders belong to layers: a file includes and calls only files of its own folder and of lower
# layers. Calls are found from the symbols of the object files, so the address of a function in a
# table counts too. No folder or file may be too large.
#
#   layers.sh SOURCE_TREE BUILD_TREE

set -euo pipefail
cd "$1"
build=$2

# The lowest layer first. Folders with a comma between them share a layer; neither uses the other.
layers='
  core:    base < platform < numerics < host < files < spec < model < data
           < dynamics, contact < constraint < bind
           < step < lanes < context < assets < compile < edit < api
  loaders: xml < mjcf/rows < mjcf/read < mjcf/composite < mjcf/schema < mjcf/write < mjcf/load
           < mjcf/plugin
  loaders: xml < urdf, x_xy
'
most_folder=6000   # lines of the sources in one folder, but for the public headers: sinew/NAME.h
most_file=600

sources() { find "$@" -name '*.[ch]' -o -name '*.[ch]pp' | sort; }

# ---------------------------------------------------------------- sizes

sizes() {
  sources core plugins loaders sdk | xargs wc -l | awk -v most="$most_folder" -v file="$most_file" '
    function reject(path, n, what, limit) {
      printf "%s has %d lines; a %s has at most %d: split it by subject\n", path, n, what, limit
      bad = 1
    }
    $2 == "total" { next }
    $1 > file { reject($2, $1, "file", file) }
    {
      folder = $2
      if (folder ~ /^core\//) {   # a layer, with the folders in it
        match(folder, "^core/[^/]*")
        folder = substr(folder, 1, RLENGTH)
      } else {
        sub("/[^/]*$", "", folder)
      }
      lines[folder] += $1
    }
    END {
      for (folder in lines) {
        if (lines[folder] > most && folder != "sdk/include/sinew") {
          reject(folder, lines[folder], "folder", most)
        }
      }
      exit bad
    }'
}

# ---------------------------------------------------------------- who uses what

# lines "includes FILE FILE", and "is FILE" for each file
includes() {
  sources core loaders | xargs awk '
    function exists(path,   line, status) {
      status = (getline line < path)
      close(path)
      return status >= 0
    }
    FNR == 1 {
      tree = folder = FILENAME
      sub("/.*", "", tree)
      sub("/[^/]*$", "", folder)
      print "is", FILENAME
    }
    /^[ \t]*#[ \t]*include[ \t]*"/ {
      split($0, part, "\"")
      if (exists(tree "/" part[2])) {
        print "includes", FILENAME, tree "/" part[2]
      } else if (exists(folder "/" part[2])) {
        print "includes", FILENAME, folder "/" part[2]
      }
    }'
}

# lines "uses FILE FILE SYMBOL". An object is TREE/[FOLDER/]CMakeFiles/TARGET.dir/FILE.o; those
# whose source is gone are left over from an earlier build.
symbols() {
  (cd "$build" && find core loaders -name '*.o' -print0 | xargs -0 nm -A) |
    sed -E 's#CMakeFiles/[^/]*\.dir/##; s#\.o: *# #' | awk '
      function exists(path,   line, status) {
        if (!(path in there)) {
          status = (getline line < path)
          close(path)
          there[path] = status >= 0
        }
        return there[path]
      }
      !exists($1) { next }
      { tree = $1; sub("/.*", "", tree) }
      NF == 4 && $3 ~ /^[TRDBVWiu]$/ { defined[tree, $4] = $1 }
      NF == 3 && $2 ~ /^[Uvw]$/ { user[++n] = $1; name[n] = $3; of[n] = tree }
      END {
        for (i = 1; i <= n; i++) {
          if ((of[i], name[i]) in defined) {
            print "uses", user[i], defined[of[i], name[i]], name[i]
          }
        }
      }'
}

judge() {
  awk -v layers="$layers" '
    function layered_folder(path) {   # the longest folder in the list; "" when there is none
      while (sub("/[^/]*$", "", path)) {
        if (path in known) { return path }
      }
      return ""
    }
    function reject(text) {
      print text
      bad = 1
    }
    BEGIN {
      n = split(layers, word, /[ \t\n]+/)
      for (i = 1; i <= n; i++) {
        if (word[i] ~ /:$/) {
          tree = substr(word[i], 1, length(word[i]) - 1)
          lists++
          layer = 1
        } else if (word[i] == "<") {
          layer++
        } else if (word[i] != "") {
          name = tree "/" word[i]
          sub(",$", "", name)
          known[name] = 1
          level[lists, name] = layer
        }
      }
    }
    {
      seen[$1]++
      from = layered_folder($2)
      to = layered_folder($3)
      if (from == "" && $1 == "is") {
        reject($2 ": its folder belongs to no layer; add it in tests/house/layers.sh")
      }
      if (from == "" || to == "" || from == to) { next }
      for (l = 1; l <= lists; l++) {
        a = level[l, from]
        b = level[l, to]
        if (a && b && a <= b) {
          why = "a folder uses only lower layers"
          if (a == b) { why = "folders of one layer do not use each other" }
          what = $1 (NF > 3 ? " " $4 " of " : " ")
          reject(sprintf("%s (%s, layer %d) %s%s (%s, layer %d): %s", $2, from, a, what, $3, to, b,
                         why))
        }
      }
    }
    END {
      if (!seen["includes"] || !seen["uses"]) {
        reject("no includes or no symbols were found; is the build tree complete?")
      }
      exit bad
    }'
}

# docs/architecture.md has the same layers of core
page() {
  local listed here
  listed=$(sed -nE 's/^\| ([0-9]+) \| (`[^|]*`) \|.*/\1 \2/p' docs/architecture.md | sort -n |
    sed 's/^[0-9]* //; s/`//g' | paste -sd '<' | sed 's/</ < /g')
  here=$(echo "$layers" | tr -s '\n ' ' ' | sed 's/^ *core: //; s/ loaders:.*//')
  [[ $listed == "$here" ]] ||
    { printf 'docs/architecture.md has other layers than this file:\n%s\n%s\n' "$listed" "$here"
      return 1; }
}

bad=0
sizes || bad=1
page || bad=1
{ includes; symbols; } | judge || bad=1
exit $bad
