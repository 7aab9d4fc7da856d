#!/bin/sh
# Verifies x-service-signature as the interface describes. One line in: now, secret, header, path of the raw body.
# For looking at a delivery by hand: a shell compares in variable time, and its clock has whole seconds.
tab=$(printf '\t')
while IFS=$tab read -r now secret header path; do
  t=${header%%,*}
  t=${t#*=}
  signature=${header#*,}
  signature=${signature#*=}
  expected=$({ printf '%s.' "$t" && cat "$path"; } | openssl dgst -sha256 -hmac "$secret" -r)
  if [ "${expected%% *}" = "$signature" ] && [ "$((now - t))" -le 300 ]; then echo valid; else echo invalid; fi
done
