#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Makes the site of the documents, FOLDER/site, with the reference of the public headers in it. The
# list in docs/index.md is the navigation. Any warning of doxygen and mkdocs is an error.
#
#   docs/site/make.sh FOLDER

set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
mkdir -p "$1"
out=$(cd "$1" && pwd)
pages=$out/pages
rm -rf "$pages" "$out/site"
mkdir -p "$pages/reference" "$pages/sdk" "$pages/samples"

# The pages as they are in the site: those of docs/ and those beside it in one folder. A link that
# leaves docs/ is one level shorter then
for page in $(find docs -name '*.md' | sort); do
  name=${page#docs/}
  up=$(sed 's|[^/]*$||; s|[^/]*/|../|g' <<< "$name")
  mkdir -p "$(dirname "$pages/$name")"
  sed "s|](${up}../README\.md|](${up}overview.md|g; s|](${up}../|](${up}|g" "$page" > "$pages/$name"
done
# their plots and images
find docs -name '*.svg' -o -name '*.png' | while read -r image; do
  mkdir -p "$(dirname "$pages/${image#docs/}")"
  cp "$image" "$pages/${image#docs/}"
done
for page in README.md PLUGIN_API.md CONTRIBUTING.md CHANGELOG.md; do
  name=${page/README/overview}
  sed 's|](docs/|](|g' "$page" > "$pages/$name"
done
# a header is its page in the reference, whose names double underscores
for header in sdk/include/sinew/*.h; do
  name=$(basename "$header" .h)
  find "$pages" -name '*.md' -exec \
    sed -i "s|](\([./]*\)$header)|](\1reference/${name//_/__}_8h.html)|g" {} +
done

# the files and folders that they link to, and the pages among those
copy_targets() {
  local page target path
  find "$pages" -name '*.md' | while read -r page; do
    { grep -oE '\]\([^):#]+' "$page" || true; } | sed 's/^](//' | while read -r target; do
      path=$(realpath -m --relative-to="$pages" "$(dirname "$page")/$target")
      if [[ ! -e $pages/$path && -e $path && $path != docs* ]]; then
        mkdir -p "$(dirname "$pages/$path")"
        cp -r "$path" "$pages/$path"
      fi
    done
  done
}
copy_targets
find "$pages/samples" "$pages/sdk" -name '*.md' -exec \
  sed -i 's|\.\./docs/|../|g; s|\.\./README\.md|../overview.md|g' {} +
copy_targets

# the reference of the headers
{
  cat docs/site/Doxyfile
  echo "OUTPUT_DIRECTORY = $pages/reference"
  echo "WARN_LOGFILE = $out/doxygen.log"
} | doxygen - > /dev/null
if [[ -s $out/doxygen.log ]]; then
  cat "$out/doxygen.log"
  exit 1
fi

# the site
{
  cat docs/site/mkdocs.yml
  echo "docs_dir: $pages"
  echo "site_dir: $out/site"
  echo "nav:"
  echo "  - Documents: index.md"
  sed -nE 's|^## (.*)|  - "\1":|p
           s|^- \[([^]]*)\]\(([^)#]*)\).*|    - "\1": \2|p' "$pages/index.md" |
    awk -v list="$pages/plugins/shipped.md" '
      { print }
      / plugins\/shipped\.md$/ {   # the pages that this one lists
        while ((getline line < list) > 0) {
          if (match(line, /\(shipped\/[a-z0-9_]+/)) {
            name = substr(line, RSTART + 9, RLENGTH - 9)
            print "    - \"" name "\": plugins/shipped/" name ".md"
          }
        }
      }'
} > "$out/mkdocs.yml"
if ! mkdocs build --strict --config-file "$out/mkdocs.yml" > "$out/mkdocs.log" 2>&1; then
  cat "$out/mkdocs.log"
  exit 1
fi
