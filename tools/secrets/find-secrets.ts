import { crc32 } from 'node:zlib';

export interface FoundSecret {
  /** From 1. */
  line: number;
  kind: string;
  /** The first characters, enough to find it by and too few to use it. */
  start: string;
}

interface SecretForm {
  kind: string;
  pattern: RegExp;
  /** Tells a secret from text that only looks like one. */
  holds?: (text: string) => boolean;
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Whether the last six characters are the CRC-32 of the rest in base62, as the service's own keys end. */
function hasKeyChecksum(key: string): boolean {
  let rest = crc32(key.slice(0, -6));
  let sum = '';
  for (let i = 0; i < 6; i++) {
    sum = BASE62.charAt(rest % 62) + sum;
    rest = Math.floor(rest / 62);
  }
  return sum === key.slice(-6);
}

/** Random text repeats itself little; a made-up sample like `whsec_AAAA…` does. */
function looksRandom(text: string): boolean {
  return new Set(text.slice(text.indexOf('_') + 1)).size >= 16;
}

const forms: readonly SecretForm[] = [
  { kind: 'API key of finhook', pattern: /\bsk_(?:live|test)_[0-9A-Za-z]{36}\b/g, holds: hasKeyChecksum },
  { kind: 'webhook secret', pattern: /\bwhsec_[A-Za-z0-9+/]{32,88}={0,2}/g, holds: looksRandom },
  { kind: 'private key', pattern: /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY-----/g },
  { kind: 'AWS access key', pattern: /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/g },
  { kind: 'GitHub token', pattern: /\b(?:gh[pousr]_[0-9A-Za-z]{36,}|github_pat_\w{22,})/g },
  { kind: 'npm token', pattern: /\bnpm_[0-9A-Za-z]{36}\b/g },
  { kind: 'Slack token', pattern: /\bxox[abeprs]-[0-9A-Za-z-]{10,}/g },
  { kind: 'Google API key', pattern: /\bAIza[0-9A-Za-z_-]{35}/g },
  { kind: 'Stripe key', pattern: /\b[rs]k_live_(?:[0-9A-Za-z]{24}|[0-9A-Za-z]{99,})\b/g },
  { kind: 'JSON web token', pattern: /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{20,}/g },
  {
    kind: 'password in a URL',
    pattern: /\b[a-z][a-z+]+:\/\/[\w.-]+:[^\s@/'"`${}<>]{12,}@[\w.-]+/g,
    holds: (text) => looksRandom(text.slice(text.lastIndexOf(':'))),
  },
];

/** Everything in a text that has the form of a secret. */
export function findSecrets(text: string): FoundSecret[] {
  return text
    .split('\n')
    .flatMap((content, index) =>
      forms.flatMap(({ kind, pattern, holds }) =>
        [...content.matchAll(pattern)]
          .filter(([match]) => holds?.(match) ?? true)
          .map(([match]) => ({ line: index + 1, kind, start: `${match.slice(0, 12)}…` })),
      ),
    );
}
