#!/bin/sh
# Prints a key for BOOTSTRAP_API_KEY: `sh tools/bootstrap-key.sh` (or `… test`, or `… live eu` with CELL=eu). Needs no
# Node: a host that only runs containers has none. The checksum is CRC-32, which gzip writes into its last eight bytes, lowest byte first.
set -eu
alphabet=0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz
body="sk_${1:-live}_${2:+${2}_}$(LC_ALL=C tr -dc "$alphabet" </dev/urandom | head -c 30)"
set -- $(printf %s "$body" | gzip -c | tail -c 8 | head -c 4 | od -An -tu1)
rest=$(($1 + $2 * 256 + $3 * 65536 + $4 * 16777216))
check=
for _ in 1 2 3 4 5 6; do
  check=$(printf %s "$alphabet" | cut -c $((rest % 62 + 1)))$check
  rest=$((rest / 62))
done
echo "$body$check"
