#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The pages of the kinds of plugins show the templates of `sinew plugins new`, which
# new_plugins.sh builds, checks and runs. After a line
#
#   <!-- sdk/template/KIND/my_plugin.c -->
#
# comes that file as a block of code. Every template has a page, and PLUGIN_API.md names every page.
# With --fix, blocks are written again.
#
#   pages.sh SOURCE_TREE [BUILD_TREE | --fix]

set -euo pipefail
cd "$1"
bad=0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# the page with its blocks replaced by the files
filled() {
  awk '/^<!-- sdk\/template\/.* -->$/ {
         print
         print "```c"
         while ((getline line < $2) > 0) print line
         close($2)
         print "```"
         skip = 1
         next
       }
       skip == 1 && /^```c$/ { skip = 2; next }
       skip == 1 && NF { skip = 0 }
       skip == 2 { if ($0 == "```") skip = 0; next }
       { print }' "$1"
}

for page in docs/plugins/*.md; do
  filled "$page" > "$work/page"
  if ! cmp -s "$page" "$work/page"; then
    if [[ ${2:-} == --fix ]]; then
      cp "$work/page" "$page"
    else
      echo "$page: a block of code is not what the file is (tests/house/pages.sh . --fix)"
      bad=1
    fi
  fi
  grep -q "](docs/plugins/$(basename "$page"))" PLUGIN_API.md ||
    { echo "PLUGIN_API.md does not name $page"; bad=1; }
done
for template in sdk/template/*/my_plugin.c; do
  kind=$(basename "$(dirname "$template")")
  grep -qsF "<!-- $template -->" "docs/plugins/$kind.md" ||
    { echo "docs/plugins/$kind.md does not show $template"; bad=1; }
done
exit $bad
