/** Why a signature was refused, and one plain sentence for the person who has to mend it. Order = order of the checks. */
export const signatureRefusalHints = {
  invalid_secret:
    'A secret or public key is empty or incomplete: copy the whole value (whsec_… or whpk_…), without line breaks.',
  missing_header: 'A signature header is absent: check that the request is a webhook and that no proxy drops headers.',
  malformed_header: 'The signature header does not have the expected form, or it was sent more than once.',
  malformed_id: 'The webhook-id header is not a plain id of printable characters without a full stop.',
  malformed_timestamp: 'The timestamp is not a whole number of seconds since 1970 in plain digits.',
  unsupported_version:
    'No signature in the header can be checked with what was given: v1 needs the secret (whsec_), v1a the public key (whpk_).',
  malformed_signature: 'The signature has the wrong length or alphabet: check that the header arrives uncut.',
  timestamp_too_old: 'The delivery was signed too long ago: refuse it as a replay, or check this machine’s clock.',
  timestamp_in_future:
    'The delivery was signed in the future: check this machine’s clock, and that its time is given in the right unit.',
  no_matching_signature:
    'No signature matches: check that the secret is this endpoint’s, and that the body is the raw bytes as received.',
} as const satisfies Record<string, string>;

/** The closed list of reasons for which a signature is refused. */
export type SignatureRefusal = keyof typeof signatureRefusalHints;
