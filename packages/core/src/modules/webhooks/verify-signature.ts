import {
  type operations,
  type SchemeVerification,
  type VerificationReason,
  verificationHints,
} from '@finhook/contracts';
import {
  type DiagnosisInput,
  diagnoseServiceSignature,
  diagnoseStandardWebhook,
  type SignatureDiagnosis,
} from '@finhook/signing';
import { accessibleCompanies, companyAccessSql, readableEventSql, readerOf } from '../../access/access.ts';
import { statement } from '../../db/queryable.ts';
import type { Context } from '../../verbs/context.ts';
import type { InputOf, OutputOf } from '../../verbs/verb.ts';
import { findEndpoint } from './read.ts';
import { secretAad, type WebhookEndpoint } from './webhook-endpoint.entity.ts';

type Op = typeof operations.webhookEndpoints.verifySignature;

const toleranceSeconds = 300;

interface Sent {
  event_id: string | null;
  body: string | null;
  delivery_id: string | null;
  endpoint_id: string | null;
}

// Only what the caller may read: the response reveals a sent body. By default the event's newest delivery.
const findSent = statement(
  'find_sent_delivery',
  `SELECT ev.id AS event_id, d.id AS delivery_id, d.endpoint_id, CASE WHEN ev.id IS NOT NULL THEN coalesce(
     (SELECT s.thin_body FROM delivery s
      WHERE s.event_id = ev.id AND s.account_id = $3 AND s.endpoint_id = $7 AND s.id = coalesce(d.id, s.id)
      ORDER BY s.id DESC LIMIT 1), ev.body) END AS body
   FROM (SELECT 1) one
   LEFT JOIN LATERAL (
     SELECT id, endpoint_id, event_id FROM delivery
     WHERE id = $2 AND account_id = $3 AND ${companyAccessSql('$4')} LIMIT 1
   ) d ON true
   LEFT JOIN LATERAL (
     SELECT id, body FROM event WHERE id = coalesce($1, d.event_id) AND account_id = $3
       AND ${companyAccessSql('$4')} AND ${readableEventSql(5)} LIMIT 1
   ) ev ON true`,
);

export async function verifySignature(context: Context, input: InputOf<Op>): Promise<OutputOf<Op>> {
  const endpoint = await findEndpoint(context, input.endpoint_id);
  const headers = readHeaders(input.headers);
  const [sent] = await context.database.query<Sent>(findSent, [
    headers.get('webhook-id') ?? null,
    headers.get('x-service-delivery') ?? null,
    context.accountId,
    accessibleCompanies(context),
    ...readerOf(context),
    endpoint.id,
  ]);
  const at = input.at == null ? context.clock.now() : new Date(input.at);
  const given: DiagnosisInput = {
    headers: {
      service: headers.get('x-service-signature'),
      id: headers.get('webhook-id'),
      timestamp: headers.get('webhook-timestamp'),
      signature: headers.get('webhook-signature'),
    },
    body: Buffer.from(input.body),
    sentBody: sent?.body == null ? undefined : Buffer.from(sent.body),
    secret: decrypt(context, endpoint, endpoint.secret) ?? '',
    previousSecret: decrypt(context, endpoint, endpoint.previous_secret),
    publicKey: endpoint.public_key ?? undefined,
  };
  const elsewhere = sent?.endpoint_id != null && sent.endpoint_id !== endpoint.id;
  const request = { at, previousUntil: endpoint.previous_secret_until ?? undefined, elsewhere };
  const schemes = [
    judge('x-service-signature', await diagnoseServiceSignature(given), serviceSeconds(given.headers.service), request),
    judge('webhook-signature', await diagnoseStandardWebhook(given), given.headers.timestamp ?? undefined, request),
  ];
  // A missing header counts only if both are missing, because receivers check one of the two.
  const wrong = schemes.find(({ reason }) => reason !== null && reason !== 'missing_header');
  const verdict = wrong ?? schemes.find(({ valid }) => valid) ?? schemes[0];
  return {
    object: 'signature_verification',
    endpoint_id: endpoint.id,
    valid: verdict?.valid ?? false,
    reason: verdict?.reason ?? null,
    hint: verdict?.hint ?? null,
    at: at.toISOString(),
    tolerance_seconds: toleranceSeconds,
    schemes,
    event_id: sent?.event_id ?? null,
    delivery_id: sent?.delivery_id ?? null,
    sent_to_endpoint_id: sent?.endpoint_id ?? null,
  };
}

/** By lower-case name; repeated headers are joined (RFC 9110 section 5.3). */
function readHeaders(given: InputOf<Op>['headers']): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(given).map(([name, value]) => [
      name.trim().toLowerCase(),
      (typeof value === 'string' ? value : value.join(', ')).trim(),
    ]),
  );
}

function decrypt(context: Context, endpoint: WebhookEndpoint, sealed: string | null | undefined): string | undefined {
  return sealed == null ? undefined : context.secrets.decrypt(sealed, secretAad(endpoint.id));
}

function serviceSeconds(header: string | null | undefined): string | undefined {
  return /^t=(\d+),/.exec(header ?? '')?.[1];
}

interface SignatureRequest {
  readonly at: Date;
  readonly previousUntil: Date | undefined;
  readonly elsewhere: boolean;
}

function judge(
  header: SchemeVerification['header'],
  diagnosis: SignatureDiagnosis,
  seconds: string | undefined,
  { at, previousUntil, elsewhere }: SignatureRequest,
): SchemeVerification {
  const signedAt = seconds === undefined || !/^\d{1,11}$/.test(seconds) ? undefined : new Date(Number(seconds) * 1000);
  const age = signedAt === undefined ? undefined : (at.getTime() - signedAt.getTime()) / 1000;
  const reason = reasonOf();
  return {
    header,
    valid: reason === null,
    reason,
    hint: reason && hintOf(reason, age),
    signed_at: signedAt?.toISOString() ?? null,
    age_seconds: age === undefined ? null : Math.round(age),
    secret: diagnosis.ok ? diagnosis.secret : null,
  };

  function reasonOf(): VerificationReason | null {
    if (!diagnosis.ok)
      return elsewhere && diagnosis.reason === 'no_matching_signature' ? 'other_endpoint' : diagnosis.reason;
    const ended = previousUntil === undefined || signedAt === undefined || signedAt > previousUntil;
    if (diagnosis.secret === 'previous' && ended) return 'previous_secret';
    if (age !== undefined && age > toleranceSeconds) return 'timestamp_too_old';
    return age !== undefined && age < -toleranceSeconds ? 'timestamp_in_future' : null;
  }
}

function hintOf(reason: VerificationReason, age: number | undefined): string {
  const hint = verificationHints[reason];
  if (age === undefined || (reason !== 'timestamp_too_old' && reason !== 'timestamp_in_future')) return hint;
  const far = Math.ceil(Math.abs(age) - toleranceSeconds);
  return `${hint} It is ${far} s ${age > 0 ? 'too old' : 'too far ahead'}: ${toleranceSeconds} s are allowed.`;
}
