import { z } from 'zod';
import { id, objectType, openRecord, secret, text, timestamp } from '../scalars.ts';

export const verificationHints = {
  invalid_secret: 'The endpoint’s secret cannot be read: rotate it.',
  missing_header: 'The header is not among those given: check that no proxy drops it and that all were copied.',
  malformed_header: 'The header does not have the expected form, or it was sent more than once: copy it unchanged.',
  malformed_id: 'The webhook-id header is not a plain id: copy it unchanged.',
  malformed_timestamp: 'The timestamp is not a whole number of seconds since 1970 in plain digits.',
  unsupported_version: 'No signature in the header has a version that this endpoint uses.',
  malformed_signature: 'The signature has the wrong length or alphabet: check that the header arrives uncut.',
  timestamp_too_old:
    'Everything else is right: the delivery was signed too long ago, or the receiver’s clock is ahead.',
  timestamp_in_future: 'Everything else is right: the receiver’s clock is behind.',
  timestamp_altered: 'The signature belongs to another timestamp: take both from the same request, unchanged.',
  body_empty: 'The body is empty: something read the request’s stream before the handler; keep its raw bytes.',
  body_reserialised: 'The body was parsed and written again: verify the raw bytes as received, before any parsing.',
  body_reencoded: 'The body was decoded with another character set: read it as UTF-8, or keep it as bytes.',
  body_altered: 'The body is not the one that was sent: something between the service and the handler changed it.',
  other_event: 'Headers and body come from different deliveries: take both from the same request.',
  previous_secret: 'It is signed with the secret that was replaced: store the new secret, and complete the rotation.',
  other_endpoint: 'It was sent to another endpoint of this account: verify it with that endpoint’s secret.',
  key_without_prefix: 'The key was the secret without whsec_: x-service-signature takes the whole secret as the key.',
  key_decoded: 'The key was the decoded secret: x-service-signature takes the whole secret, whsec_ included, as text.',
  key_not_decoded: 'The key was the secret as text: webhook-signature takes the bytes that follow whsec_ in base64.',
  timestamp_not_signed: 'Only the body was signed: what is signed is the timestamp, a full stop and the raw body.',
  no_matching_signature: 'No signature matches: check that the secret is this endpoint’s and the body the raw bytes.',
} as const satisfies Record<string, string>;
export type VerificationReason = keyof typeof verificationHints;

/** May include the endpoint's own headers, which can be credentials. */
export const receivedHeaders = secret(
  openRecord(
    text(1, 200),
    z
      .union([text(0, 8_000), z.array(text(0, 8_000)).max(20)])
      .meta({ description: 'Value of the header, or a list of values if it was sent more than once.' }),
    100,
    'headers',
  ),
).describe('Headers of the request as it was received, in any case.');

function reasonsOf(hints: typeof verificationHints): VerificationReason[] {
  return Object.keys(hints) as VerificationReason[];
}

const reason = z.enum(reasonsOf(verificationHints));

const schemeVerification = z
  .object({
    header: z.enum(['x-service-signature', 'webhook-signature']).describe('Signature header that was checked.'),
    valid: z.boolean().describe('True if the header verifies.'),
    reason: reason.nullable().describe('Stable code of the reason that it does not verify; null if it does.'),
    hint: z.string().nullable().describe('What to do about it, in one sentence; null if it verifies.'),
    signed_at: timestamp.nullable().describe('Time that the header claims (UTC); null if it cannot be read.'),
    age_seconds: z
      .int()
      .nullable()
      .describe('Seconds between `signed_at` and `at`; negative if signed later. Null without a readable time.'),
    secret: z
      .enum(['current', 'previous'])
      .nullable()
      .describe("Which of the endpoint's secrets the signature was made with; null if none."),
  })
  .meta({ id: 'SchemeVerification', description: 'Result of checking one signature header.' });
export type SchemeVerification = z.output<typeof schemeVerification>;

export const signatureVerification = z
  .object({
    object: objectType('signature_verification'),
    endpoint_id: id('we'),
    valid: z.boolean().describe('True if one header is valid and none of those present is invalid.'),
    reason: reason
      .nullable()
      .describe('Stable code of the main reason that the request does not verify; null if it does.'),
    hint: z.string().nullable().describe('What to do about it, in one sentence; null if it verifies.'),
    at: timestamp.describe('Time against which the age was checked (UTC).'),
    tolerance_seconds: z.int().describe('Maximum age of a signature in seconds.'),
    schemes: z.array(schemeVerification).describe('Result per signature header.'),
    event_id: id('evt').nullable().describe('ID of the event that the headers name (`evt_…`); null if unknown.'),
    delivery_id: id('dlv').nullable().describe('ID of the delivery that the headers name (`dlv_…`); null if unknown.'),
    sent_to_endpoint_id: id('we')
      .nullable()
      .describe('ID of the endpoint that the delivery was sent to (`we_…`); null if unknown.'),
  })
  .meta({
    id: 'SignatureVerification',
    description: 'Whether the headers and body of a received delivery verify, and why not.',
  });
