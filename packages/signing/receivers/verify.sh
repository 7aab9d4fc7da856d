#!/bin/sh
# Verifies x-service-signature. Each line of the input has four fields, separated by tabs:
# current unix time, secret, value of the header, path of a file with the raw body. Prints valid or invalid.
# Only for manual checks: a shell doesn't compare in constant time, and its clock has whole seconds.
tab=$(printf '\t')
while IFS=$tab read -r now secret header path; do
  t=${header%%,*}
  t=${t#*=}
  signature=${header#*,}
  signature=${signature#*=}
  expected=$({ printf '%s.' "$t" && cat "$path"; } | openssl dgst -sha256 -hmac "$secret" -r)
  if [ "${expected%% *}" = "$signature" ] && [ "$((now - t))" -le 300 ]; then echo valid; else echo invalid; fi
done
