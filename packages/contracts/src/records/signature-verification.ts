import { z } from 'zod';
import { id, openRecord, secret, text, timestamp } from '../scalars.ts';

/** Every reason for which a delivery that somebody received does not verify, with what to do about it. */
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

/** Headers as a server shows them, the endpoint's own among them; names in any case. */
export const receivedHeaders = secret(
  openRecord(text(1, 200), z.union([text(0, 8_000), z.array(text(0, 8_000)).max(20)]), 100, 'headers'),
);

// Object.keys doesn't tell that a constant has no other keys than its own.
function reasonsOf(hints: typeof verificationHints): VerificationReason[] {
  return Object.keys(hints) as VerificationReason[];
}

const reason = z.enum(reasonsOf(verificationHints));

const schemeVerification = z
  .object({
    header: z.enum(['x-service-signature', 'webhook-signature']),
    valid: z.boolean(),
    reason: reason.nullable(),
    hint: z.string().nullable(),
    signed_at: timestamp.nullable().meta({ description: 'The time that the header claims' }),
    age_seconds: z.int().nullable().meta({ description: 'How long before `at` that was; negative when after it' }),
    secret: z.enum(['current', 'previous']).nullable().meta({ description: 'The secret that it is signed with' }),
  })
  .meta({ id: 'SchemeVerification' });
export type SchemeVerification = z.output<typeof schemeVerification>;

export const signatureVerification = z
  .object({
    object: z.literal('signature_verification'),
    endpoint_id: id('we'),
    valid: z.boolean().meta({ description: 'One header is valid and none that is there is invalid' }),
    reason: reason.nullable(),
    hint: z.string().nullable(),
    at: timestamp,
    tolerance_seconds: z.int(),
    schemes: z.array(schemeVerification),
    event_id: id('evt').nullable().meta({ description: 'The event that the headers name, if it is known' }),
    delivery_id: id('dlv').nullable().meta({ description: 'The delivery that the headers name, if it is known' }),
    sent_to_endpoint_id: id('we').nullable().meta({ description: 'The endpoint that this delivery was sent to' }),
  })
  .meta({ id: 'SignatureVerification' });
