import { createHmac } from 'node:crypto';
import { decodeBase64 } from './key-text.ts';
import {
  matchesAny,
  type SignatureCheck,
  type SignatureRejection,
  type StandardWebhookHeaders,
  verifyServiceSignature,
  verifyStandardWebhook,
} from './verify.ts';

/** The signature was computed with the wrong key or over the wrong content. */
type SigningMistake =
  | 'timestamp_altered'
  | 'timestamp_not_signed'
  | 'key_without_prefix'
  | 'key_decoded'
  | 'key_not_decoded';

/** Timestamps are not compared with a clock. */
export type SignatureProblem = SignatureRejection | BodyProblem | SigningMistake;

/** The secret of a valid signature, or the problem of an invalid one. */
export type SignatureDiagnosis =
  | { readonly ok: true; readonly secret: 'current' | 'previous' }
  | { readonly ok: false; readonly reason: SignatureProblem };

export interface DiagnosisInput {
  /** Header values as received, of both schemes. */
  readonly headers: StandardWebhookHeaders & { readonly service: string | null | undefined };
  readonly body: Uint8Array;
  readonly sentBody?: Uint8Array | undefined;
  readonly secret: string;
  readonly previousSecret?: string | undefined;
  readonly publicKey?: string | undefined;
}

const anyTime = { now: 0, toleranceSeconds: Number.MAX_SAFE_INTEGER };

/** For debugging only: it accepts old requests. */
export async function diagnoseServiceSignature(input: DiagnosisInput): Promise<SignatureDiagnosis> {
  const { headers, body, secret } = input;
  const [, seconds = '', hex = ''] = /^t=([^,]*),v1=(.*)$/.exec(headers.service ?? '') ?? [];
  const verify = (bytes: Uint8Array, secrets: readonly string[], header = headers.service): Promise<SignatureCheck> =>
    verifyServiceSignature({ header, body: bytes, secrets, ...anyTime });
  const diagnosis = await diagnose(input, [secret], verify);
  if (diagnosis.ok || diagnosis.reason !== 'no_matching_signature') return diagnosis;
  if ((await verify(body, [secret], `t=${headers.timestamp},v1=${hex}`)).ok) return failed('timestamp_altered');
  const signature = Buffer.from(hex, 'hex');
  const made = (key: string | Uint8Array, start: string): boolean => isHmac([signature], key, start, body);
  const bare = secret.slice('whsec_'.length);
  if (made(secret, '')) return failed('timestamp_not_signed');
  if (made(bare, `${seconds}.`)) return failed('key_without_prefix');
  if (made(decodeBase64(bare) ?? '', `${seconds}.`)) return failed('key_decoded');
  return diagnosis;
}

/** For debugging only: it accepts old requests. */
export async function diagnoseStandardWebhook(input: DiagnosisInput): Promise<SignatureDiagnosis> {
  const { headers, body, secret, publicKey } = input;
  const keys = publicKey === undefined ? [secret] : [secret, publicKey];
  const verify = (
    bytes: Uint8Array,
    secrets: readonly string[],
    timestamp = headers.timestamp,
  ): Promise<SignatureCheck> =>
    verifyStandardWebhook({ headers: { ...headers, timestamp }, body: bytes, secrets, ...anyTime });
  const diagnosis = await diagnose(input, keys, verify);
  if (diagnosis.ok || diagnosis.reason !== 'no_matching_signature') return diagnosis;
  const [, seconds] = /^t=(\d+),/.exec(headers.service ?? '') ?? [];
  if ((await verify(body, keys, seconds)).ok) return failed('timestamp_altered');
  const entries = (headers.signature ?? '').split(' ').slice(0, 16);
  const signatures = entries.map((entry) => Buffer.from(entry.replace(/^v1,/, ''), 'base64'));
  const bare = secret.slice('whsec_'.length);
  const start = `${headers.id}.${headers.timestamp}.`;
  if (isHmac(signatures, decodeBase64(bare) ?? '', '', body)) return failed('timestamp_not_signed');
  if ([secret, bare].some((key) => isHmac(signatures, key, start, body))) return failed('key_not_decoded');
  return diagnosis;
}

type Verify = (body: Uint8Array, secrets: readonly string[]) => Promise<SignatureCheck>;

/** Tries each secret, then other bodies. */
async function diagnose(input: DiagnosisInput, keys: readonly string[], verify: Verify): Promise<SignatureDiagnosis> {
  const { headers, body, sentBody, previousSecret } = input;
  const check = await verify(body, keys);
  if (check.ok) return { ok: true, secret: 'current' };
  if (check.reason !== 'no_matching_signature') return failed(check.reason);
  const previous = previousSecret === undefined ? [] : [previousSecret];
  if (previous.length > 0 && (await verify(body, previous)).ok) return { ok: true, secret: 'previous' };
  const matches = async (bytes: Uint8Array) => (await verify(bytes, [...keys, ...previous])).ok;
  return failed((await diagnoseBody({ body, sentBody, eventId: headers.id }, matches)) ?? 'no_matching_signature');
}

function isHmac(signatures: readonly Uint8Array[], key: string | Uint8Array, start: string, body: Uint8Array): boolean {
  return matchesAny(signatures, [createHmac('sha256', key).update(start).update(body).digest()]);
}

function failed(reason: SignatureProblem): SignatureDiagnosis {
  return { ok: false, reason };
}

type BodyProblem = 'body_empty' | 'body_reserialised' | 'body_reencoded' | 'body_altered' | 'other_event';

interface Bodies {
  readonly body: Uint8Array;
  readonly sentBody?: Uint8Array | undefined;
  readonly eventId?: string | null | undefined;
}

/** Finds the body that was signed; without `sentBody` it tries the usual mistakes of receivers. */
async function diagnoseBody(
  bodies: Bodies,
  matches: (body: Uint8Array) => Promise<boolean>,
): Promise<BodyProblem | undefined> {
  const { body, sentBody, eventId } = bodies;
  if (body.length === 0) return 'body_empty';
  const unmangled = undoLatin1(body);
  const value = parseJson(body);
  const foreign = (expected: unknown): boolean => {
    const id = idOf(value);
    return typeof id === 'string' && typeof expected === 'string' && id !== expected;
  };
  if (sentBody !== undefined && (await matches(sentBody))) {
    if (Buffer.compare(unmangled, sentBody) === 0) return 'body_reencoded';
    const sent = parseJson(sentBody);
    if (value !== undefined && canonical(value) === canonical(sent)) return 'body_reserialised';
    return foreign(idOf(sent)) ? 'other_event' : 'body_altered';
  }
  if (await matches(unmangled)) return 'body_reencoded';
  if (value !== undefined && (await matches(Buffer.from(JSON.stringify(value))))) return 'body_reserialised';
  return foreign(eventId) ? 'other_event' : undefined;
}

/** Undoes decoding as Latin-1 followed by encoding as UTF-8. */
function undoLatin1(body: Uint8Array): Buffer {
  return Buffer.from(Buffer.from(body).toString('utf8'), 'latin1');
}

function parseJson(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body));
  } catch {
    return undefined;
  }
}

function idOf(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, 'id') : undefined;
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}
