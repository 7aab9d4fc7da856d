import { headerOf, type ReceivedHeaders } from './header-text.view.ts';

/** What a pasted secret says of a delivery, found out in this browser: the secret is sent nowhere. */
export interface SecretCheck {
  valid: boolean;
  /** Says which mistake was made, or which headers are right. */
  title: string;
  hint: string;
  /** Whether the secret itself is what is wrong, or may be. */
  blames: 'nothing' | 'secret' | 'body' | 'headers' | 'clock' | 'unknown';
}

const TOLERANCE_SECONDS = 300;
const PREFIX = 'whsec_';
const encoder = new TextEncoder();

type Bytes = Uint8Array<ArrayBuffer>;

function decodeBase64(text: string): Bytes | undefined {
  try {
    return Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function toHex(bytes: Bytes): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

async function hmac(key: Bytes, content: string): Promise<Bytes> {
  // An empty key is refused by the browser, and no secret is one.
  if (key.length === 0) return new Uint8Array();
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, encoder.encode(content)));
}

/** One signature header: when it was signed, and whether a key and a body make it. */
interface Scheme {
  header: string;
  seconds: number;
  /** What stands before the body in what is signed. */
  start: string;
  /** The key as this scheme takes it from the secret. */
  keyOf: (secret: string) => Bytes | undefined;
  /** Keys that people take instead, with what to tell them. */
  mistakes: ReadonlyArray<readonly [keyOf: (secret: string) => Bytes | undefined, hint: string]>;
  matches: (signature: Bytes) => boolean;
}

const asText = (secret: string): Bytes => encoder.encode(secret);
const withoutPrefix = (secret: string): string => (secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : secret);
const decoded = (secret: string): Bytes | undefined => decodeBase64(withoutPrefix(secret));

function serviceScheme(headers: ReceivedHeaders): Scheme | string | undefined {
  const header = headerOf(headers, 'x-service-signature');
  if (header === undefined) return undefined;
  const [, seconds, hex] = /^t=(\d{1,11}),v1=([0-9a-f]{64})$/.exec(header) ?? [];
  if (seconds === undefined || hex === undefined) {
    return 'x-service-signature does not have the form t=<seconds>,v1=<64 hex digits>: copy it whole and unchanged.';
  }
  return {
    header: 'x-service-signature',
    seconds: Number(seconds),
    start: `${seconds}.`,
    keyOf: asText,
    mistakes: [
      [(secret) => asText(withoutPrefix(secret)), 'It was signed without whsec_: the key is the whole secret as text.'],
      [decoded, 'It was signed with the decoded secret: the key is the whole secret, whsec_ included, as text.'],
    ],
    matches: (signature) => toHex(signature) === hex,
  };
}

function standardScheme(headers: ReceivedHeaders): Scheme | string | undefined {
  const id = headerOf(headers, 'webhook-id');
  const seconds = headerOf(headers, 'webhook-timestamp');
  const list = headerOf(headers, 'webhook-signature');
  if (list === undefined) return undefined;
  if (id === undefined || seconds === undefined) {
    return 'webhook-signature needs webhook-id and webhook-timestamp of the same request: copy all three.';
  }
  if (!/^\d{1,11}$/.test(seconds)) return 'webhook-timestamp is not a whole number of seconds: copy it unchanged.';
  const signatures = list.split(' ').flatMap((entry) => (entry.startsWith('v1,') ? [entry.slice(3)] : []));
  if (signatures.length === 0) return 'webhook-signature has no entry of the form v1,<base64>: copy it whole.';
  return {
    header: 'webhook-signature',
    seconds: Number(seconds),
    start: `${id}.${seconds}.`,
    keyOf: decoded,
    mistakes: [
      [asText, 'It was signed with the secret as text: the key is the bytes that follow whsec_ in base64.'],
      [(secret) => asText(withoutPrefix(secret)), 'It was signed with the text after whsec_: decode it from base64.'],
    ],
    matches: (signature) => signatures.some((text) => text === btoa(String.fromCharCode(...signature))),
  };
}

async function made(scheme: Scheme, key: Bytes | undefined, content: string): Promise<boolean> {
  return key !== undefined && scheme.matches(await hmac(key, content));
}

function reserialised(body: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(body));
  } catch {
    return undefined;
  }
}

/** Bodies that a received one may have been made of, with what happened to it. */
function otherBodies(body: string): ReadonlyArray<readonly [body: string | undefined, hint: string]> {
  return [
    [body.replace(/\r?\n$/, ''), 'The body has a newline at its end that was not sent: remove it.'],
    [body.trim(), 'The body has spaces or newlines around it that were not sent: remove them.'],
    [reserialised(body), 'The body was parsed and written again: verify the raw bytes, before any parsing.'],
  ];
}

type Fault = Omit<SecretCheck, 'valid'>;

async function findMistake(scheme: Scheme, secret: string, body: string): Promise<Fault> {
  const { start, keyOf, header } = scheme;
  const trimmed = secret.trim();
  if (trimmed !== secret && (await made(scheme, keyOf(trimmed), start + body))) {
    return { title: 'The secret has spaces or a newline around it', hint: 'Store it without them.', blames: 'secret' };
  }
  for (const [other, hint] of otherBodies(body)) {
    if (other === undefined || other === body || !(await made(scheme, keyOf(secret), start + other))) continue;
    return { title: 'The body was changed', hint, blames: 'body' };
  }
  for (const [otherKey, hint] of scheme.mistakes) {
    if (!(await made(scheme, otherKey(secret), start + body))) continue;
    return { title: `${header} was made with the wrong key`, hint, blames: 'headers' };
  }
  if (await made(scheme, keyOf(secret), body)) {
    const hint =
      'Only the body was signed: what is signed begins with the timestamp (and, for webhook-signature, the id).';
    return { title: `${header} does not cover the timestamp`, hint, blames: 'headers' };
  }
  return {
    title: 'The secret does not fit',
    hint: 'It is not the secret that signed this, or the body is not the raw bytes. Choose the endpoint to know which.',
    blames: 'unknown',
  };
}

function clockFault(seconds: number, at: number): Fault | undefined {
  const age = Math.round(at / 1000 - seconds);
  if (Math.abs(age) <= TOLERANCE_SECONDS) return undefined;
  const far = Math.abs(age) - TOLERANCE_SECONDS;
  const late = age > 0;
  return {
    title: late ? 'The signature is too old' : 'The signature is from the future',
    hint: `Secret and body are right, but it was signed ${far} s more than the allowed ${TOLERANCE_SECONDS} s ${
      late ? 'before' : 'after'
    } it was received. Say when it was received, or look at the clock of your server.`,
    blames: 'clock',
  };
}

/** Whether a pasted secret has the form of one; what is wrong with it otherwise. */
export function secretFault(secret: string): string | undefined {
  const text = secret.trim();
  if (text.startsWith('whpk_'))
    return 'That is a public key. Paste the secret (whsec_…), or choose the endpoint alone.';
  if (!text.startsWith(PREFIX)) return 'A secret begins with whsec_: copy the whole value.';
  const bytes = decoded(text);
  return bytes === undefined || bytes.length < 24 ? 'The secret is incomplete: copy the whole value.' : undefined;
}

/**
 * Verifies a delivery with a secret, and names the mistake when it doesn't verify. `at` is when it was received, in
 * milliseconds since the epoch. Needs a secure context, as every page of the dashboard has.
 */
export async function checkWithSecret(given: {
  headers: ReceivedHeaders;
  body: string;
  secret: string;
  at: number;
}): Promise<SecretCheck> {
  const { headers, body, secret, at } = given;
  const wrong = secretFault(secret);
  if (wrong !== undefined) return { valid: false, title: 'The secret is malformed', hint: wrong, blames: 'secret' };
  const schemes = [serviceScheme(headers), standardScheme(headers)].filter((scheme) => scheme !== undefined);
  if (schemes.length === 0) {
    const hint = 'Neither x-service-signature nor webhook-signature is there: check that no proxy drops them.';
    return { valid: false, title: 'The signature headers are missing', hint, blames: 'headers' };
  }
  const good: string[] = [];
  for (const scheme of schemes) {
    if (typeof scheme === 'string')
      return { valid: false, title: 'A header is malformed', hint: scheme, blames: 'headers' };
    if (!(await made(scheme, scheme.keyOf(secret), scheme.start + body))) {
      return { valid: false, ...(await findMistake(scheme, secret, body)) };
    }
    const late = clockFault(scheme.seconds, at);
    if (late) return { valid: false, ...late };
    good.push(scheme.header);
  }
  return { valid: true, title: 'The signature is right', hint: `Verified: ${good.join(' and ')}.`, blames: 'nothing' };
}
