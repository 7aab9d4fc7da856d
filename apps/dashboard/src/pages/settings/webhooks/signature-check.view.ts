import { sentenceCase } from '../../../components/badge.tsx';
import { plural } from '../../../lib/text.ts';
import type { Outputs } from '../../../lib/trpc.ts';

type ReceivedHeaders = Record<string, string | string[]>;

function add(headers: ReceivedHeaders, name: string, value: string): void {
  const key = name.trim().toLowerCase();
  const before = headers[key];
  headers[key] = before === undefined ? value.trim() : [before, value.trim()].flat();
}

function readJson(text: string): ReceivedHeaders | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    const headers: ReceivedHeaders = {};
    for (const [name, given] of Object.entries(value)) {
      const values: readonly unknown[] = Array.isArray(given) ? given : [given];
      for (const part of values) add(headers, name, typeof part === 'string' ? part : JSON.stringify(part));
    }
    return headers;
  } catch {
    return undefined;
  }
}

/** Strips curl's `-H 'name: value' \` down to `name: value`; returns other lines unchanged. */
function bare(line: string): string {
  const [, , quoted] = /^\s*(?:-H|--header)\s+(['"])(.*)\1\s*\\?\s*$/.exec(line) ?? [];
  return quoted ?? line;
}

/** Parses `name: value` lines, curl options or a JSON object. `unread` lists invalid lines, from 1. */
export function readHeaderText(text: string): { headers: ReceivedHeaders; unread: number[] } {
  const json = text.trim().startsWith('{') ? readJson(text) : undefined;
  if (json) return { headers: json, unread: [] };
  const headers: ReceivedHeaders = {};
  const unread: number[] = [];
  for (const [i, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '' || /^(GET|POST|PUT) \S+ HTTP\//.test(line.trim())) continue;
    const [, name, value] = /^\s*([A-Za-z0-9!#$%&'*+.^_`|~-]+)\s*:\s?(.*)$/.exec(bare(line)) ?? [];
    if (name === undefined || value === undefined) unread.push(i + 1);
    else add(headers, name, value);
  }
  return { headers, unread };
}

const encoder = new TextEncoder();

export function describeBody(body: string): string {
  if (body === '') return 'Empty';
  const size = encoder.encode(body).length;
  const bytes = plural(size, 'byte');
  const end = body.endsWith('\n') ? 'trailing newline' : 'no trailing newline';
  return `${bytes}, ${end}${body.includes('\r\n') ? ', CRLF line endings' : ''}`;
}

export type Verification = Outputs['webhookEndpoints']['verifySignature'];

export interface Verdict {
  valid: boolean;
  title: string;
  hint: string;
}

/** Reasons for which the endpoint's own secret did sign exactly this body. */
const genuine = new Set(['timestamp_too_old', 'timestamp_in_future', 'previous_secret']);

const newline: Verdict = {
  valid: false,
  title: 'Trailing newline added',
  hint: 'The signature is valid without the newline at the end of the body. Editors and terminals often add one. If your server receives it too, something changes the body before verification.',
};

export function verdictOf({ valid, reason, hint, schemes }: Verification, onlyNewline = false): Verdict {
  if (onlyNewline) return newline;
  if (valid) {
    const good = schemes.filter((scheme) => scheme.valid).map(({ header }) => header);
    const secret = schemes.some((scheme) => scheme.secret === 'previous')
      ? ' with the previous secret (rotation in progress)'
      : '';
    return { valid, title: 'Valid signature', hint: `Verified ${good.join(' and ')}${secret}.` };
  }
  return { valid, title: sentenceCase(reason ?? 'Invalid signature'), hint: hint ?? '' };
}

export function isGenuine({ valid, reason }: Verification): boolean {
  return valid || genuine.has(reason ?? '');
}

export function withoutNewline({ reason }: Verification, body: string): string | undefined {
  return reason?.startsWith('body_') === true && body.endsWith('\n') ? body.replace(/\r?\n$/, '') : undefined;
}
