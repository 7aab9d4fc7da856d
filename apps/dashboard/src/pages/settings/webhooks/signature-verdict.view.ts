import type { Outputs } from '../../../lib/trpc.ts';

export type Verification = Outputs['webhookEndpoints']['verifySignature'];

export interface Verdict {
  valid: boolean;
  title: string;
  hint: string;
}

const titles: Readonly<Record<string, string>> = {
  invalid_secret: 'The endpoint’s secret cannot be read',
  missing_header: 'A signature header is missing',
  malformed_header: 'A signature header is malformed',
  malformed_id: 'The id header is malformed',
  malformed_timestamp: 'The timestamp is malformed',
  unsupported_version: 'No signature has a version of this endpoint',
  malformed_signature: 'A signature was cut off or changed',
  timestamp_too_old: 'The signature is too old',
  timestamp_in_future: 'The signature is from the future',
  timestamp_altered: 'The timestamp was changed',
  body_empty: 'The body is empty',
  body_reserialised: 'The body was parsed and written again',
  body_reencoded: 'The body was read with another character set',
  body_altered: 'The body was changed',
  other_event: 'Headers and body are of different deliveries',
  previous_secret: 'It is signed with the secret that was replaced',
  other_endpoint: 'The secret is another endpoint’s',
  key_without_prefix: 'The key was the secret without whsec_',
  key_decoded: 'The key was the decoded secret',
  key_not_decoded: 'The key was not decoded',
  timestamp_not_signed: 'The timestamp was not signed',
  no_matching_signature: 'No signature matches: wrong secret, or a changed body',
};

/** Reasons for which the endpoint's own secret did sign exactly this body. */
const genuine = new Set(['timestamp_too_old', 'timestamp_in_future', 'previous_secret']);

const newline: Verdict = {
  valid: false,
  title: 'The body has a newline at its end that was not sent',
  hint: 'Everything else is right. Many editors and terminals add one when a body is copied; if your server really has it, it changes the body before it verifies.',
};

export function verdictOf({ valid, reason, hint, schemes }: Verification, onlyNewline = false): Verdict {
  if (onlyNewline) return newline;
  if (valid) {
    const good = schemes.filter((scheme) => scheme.valid).map(({ header }) => header);
    const secret = schemes.some((scheme) => scheme.secret === 'previous')
      ? ' with the previous secret, during a rotation'
      : '';
    return { valid, title: 'The signature is right', hint: `Verified: ${good.join(' and ')}${secret}.` };
  }
  return { valid, title: titles[reason ?? ''] ?? String(reason).replaceAll('_', ' '), hint: hint ?? '' };
}

export function isGenuine({ valid, reason }: Verification): boolean {
  return valid || genuine.has(reason ?? '');
}

/** The body without its trailing newline, if that may be what invalidated the signature. */
export function withoutNewline({ reason }: Verification, body: string): string | undefined {
  return reason?.startsWith('body_') === true && body.endsWith('\n') ? body.replace(/\r?\n$/, '') : undefined;
}
