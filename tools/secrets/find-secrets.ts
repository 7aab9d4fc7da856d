import { crc32 } from 'node:zlib';

export interface FoundSecret {
  /** From 1. */
  line: number;
  kind: string;
  /** The first characters: enough to find it, too few to use it. */
  start: string;
}

interface SecretForm {
  kind: string;
  pattern: RegExp;
  /** False for text that only looks like a secret. */
  holds?: (text: string) => boolean;
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The service's own keys end with the CRC-32 of the rest in six base62 digits. */
function hasKeyChecksum(key: string): boolean {
  let rest = crc32(key.slice(0, -6));
  let sum = '';
  for (let i = 0; i < 6; i++) {
    sum = BASE62.charAt(rest % 62) + sum;
    rest = Math.floor(rest / 62);
  }
  return sum === key.slice(-6);
}

/** False for made-up samples like `whsec_AAAA…`, which repeat characters. */
function looksRandom(text: string): boolean {
  return new Set(text.slice(text.indexOf('_') + 1)).size >= 16;
}

const forms: readonly SecretForm[] = [
  {
    kind: 'API key of finhook',
    pattern: /\bsk_(?:live|test)_(?:[a-z][a-z0-9]{0,11}_)?[0-9A-Za-z]{36}\b/g,
    holds: hasKeyChecksum,
  },
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
