#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Every public function is called by a test or a sample. Those that the tables of elements,
# settings and fields make count when some test goes through the same tables.
#
#   usage.sh SOURCE_TREE BUILD_TREE [SANITIZERS]

set -euo pipefail
cd "$1"
bad=0
# copies of the public headers (tests/abi) are declarations, no calls
used=$(grep -rhoE --include='*.c' --include='*.h' --exclude-dir=include \
  '\bsn_[a-zA-Z0-9_]+' tests samples | sort -u)

for table in SN_MODEL_SIZES SN_MODEL_FIELDS SN_DATA_COUNTS SN_DATA_FIELDS SN_STEP_FIELDS \
             SN_ELEMENTS SN_SETTINGS; do
  if ! grep -rqE --include='*.c' "^ *$table\(" tests; then
    echo "no test goes through $table"
    bad=1
  fi
done

exported=$(nm -D --defined-only "$2/libsinew.so" | awk '{ sub("@.*", "", $NF); print $NF }' |
  grep '^sn_')
declared=$(cat sdk/include/sinew/*.h | grep -oE '\bsn_[a-zA-Z0-9_]+\(' | tr -d '(' | sort -u)
while read -r name; do
  if grep -qxF "$name" <<< "$declared" && ! grep -qxF "$name" <<< "$used"; then
    echo "$name: exported, and called neither by a test nor by a sample"
    bad=1
  fi
done <<< "$exported"
exit $bad
