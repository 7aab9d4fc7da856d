// Risk: an attempt can't be explained later, or its evidence survives a purge or is shown to other callers.
import type { AttemptEvidence } from '@finhook/delivery';
import { createSigner, generateWebhookSecret } from '@finhook/signing';
import { beforeEach, describe, expect, test } from 'vitest';
import { attemptOf, claimOne, type WholeClaim } from '../../../test/attempt-of.ts';
import { useFixture } from '../../../test/core-fixture.ts';
import { readAudits } from '../../../test/read-audits.ts';
import type { Context } from '../../verbs/context.ts';
import { createApiKey } from '../accounts/api-keys/create.ts';
import { purgeEvidence } from '../events/purge-evidence.ts';
import { getEvent } from '../events/read.ts';
import { createEndpoint } from '../webhooks/create.ts';
import { deleteEndpoint } from '../webhooks/delete.ts';
import { verifySignature } from '../webhooks/verify-signature.ts';
import { secretAad } from '../webhooks/webhook-endpoint.entity.ts';
import type { AttemptRecord } from './attempt.ts';
import { getCurl, getDelivery, listDeliveries } from './read.ts';
import { recordAttempts } from './record-attempts.ts';
import { retryDelivery } from './retry.ts';

const evidence: AttemptEvidence = {
  url: 'https://hooks.example.com/in?token=query-canary',
  requestHeaders: {
    'x-service-signature': `t=1,v1=${'a'.repeat(64)}`,
    'webhook-signature': 'v1,AAAA',
    'x-gate': '***',
  },
  responseHeaders: { server: 'nginx', 'retry-after': '5' },
  remoteAddress: '203.0.113.7',
  timings: { reused: false, dnsMs: 4, connectMs: 11, tlsMs: 23, firstByteMs: 40 },
};

const fixture = useFixture();
const { core } = fixture;
let context: Context;
let endpoint: string;
let secret: string;
beforeEach(async () => {
  context = (await fixture.otherAccount()).context;
  ({ id: endpoint, secret } = await createEndpoint(context, { url: 'http://127.0.0.1:4010/hook' }));
});

/** Creates an event, and an attempt with this result. */
async function attempted(over: Partial<AttemptRecord> = {}): Promise<WholeClaim> {
  await createApiKey(context, { name: "it's", scope: 'read' });
  const claim = await claimOne(core, endpoint);
  await recordAttempts(core, [{ ...attemptOf(claim, { kind: 'failed' }), evidence, ...over }]);
  return claim;
}

const firstAttempt = async (claim: WholeClaim, reader = context) =>
  (await getDelivery(reader, { delivery_id: claim.deliveryId })).attempts[0];

const auditsOf = (action: string) => readAudits(context, { action }, 'resource_id', 'after');

/** A caller without companies, and one that must not see internal events. */
const restricted = () => ({ ...context, access: { companyIds: ['co_other'] } });
const reader = (): Context => ({ ...context, scope: 'read' });

test('an attempt shows the request, the response, the connection and a hint', async () => {
  const claim = await attempted({ at: new Date('2026-01-15T12:00:00.500Z') });
  expect(await firstAttempt(claim)).toEqual({
    n: 1,
    at: '2026-01-15T12:00:00.500Z',
    trigger: 'automatic',
    status_code: 500,
    error: 'http_500',
    error_message: 'The receiver answered 500.',
    error_code: null,
    hint: 'Check your server’s log at the time of this attempt: the handler failed.',
    duration_ms: 12,
    url: evidence.url,
    remote_address: '203.0.113.7',
    connection_reused: false,
    timings: { dns_ms: 4, connect_ms: 11, tls_ms: 23, first_byte_ms: 40, total_ms: 12 },
    request_headers: {
      'content-type': 'application/json',
      'user-agent': 'finhook/1',
      'content-length': String(claim.body.byteLength),
      'webhook-id': claim.eventId,
      'webhook-timestamp': '1768478400',
      'x-service-event': claim.eventType,
      'x-service-delivery': claim.deliveryId,
      'x-service-attempt': '1',
      ...evidence.requestHeaders,
    },
    response_headers: evidence.responseHeaders,
    response_snippet: 'oops',
    response_truncated: false,
    evidence_purged_at: null,
  });
});

test('a list shows the duration of the last attempt, and none before the first', async () => {
  await createApiKey(context, { name: 'waits', scope: 'read' });
  const listed = async () => (await listDeliveries(context, { limit: 50, order: 'asc' })).data[0];
  expect(await listed()).toMatchObject({ attempt_count: 0, last_duration_ms: null });
  const first = attemptOf(await claimOne(core, endpoint), { kind: 'retry', delayMs: 0 });
  await recordAttempts(core, [{ ...first, durationMs: 900 }]);
  await recordAttempts(core, [attemptOf(await claimOne(core, endpoint), { kind: 'failed' })]);
  expect(await listed()).toMatchObject({ attempt_count: 2, last_duration_ms: 12 });
});

test('an attempt without evidence has none to show, and a blocked one no answer', async () => {
  const bare = await attempted({ evidence: undefined });
  expect(await firstAttempt(bare)).toMatchObject({
    url: null,
    request_headers: null,
    response_headers: null,
    connection_reused: null,
    timings: { dns_ms: null, first_byte_ms: null, total_ms: 12 },
  });
  const none = { responseHeaders: undefined, remoteAddress: undefined, timings: undefined };
  const blocked = { evidence: { ...evidence, ...none }, statusCode: null, error: 'blocked_address' };
  expect(await firstAttempt(await attempted(blocked))).toMatchObject({
    hint: expect.stringContaining('public address'),
    remote_address: null,
    response_headers: null,
    request_headers: null,
  });
});

test('an attempt shows the code of the cause, and whether the response was truncated', async () => {
  const expired = { statusCode: null, error: 'tls', errorCode: 'CERT_HAS_EXPIRED', responseSnippet: null };
  expect(await firstAttempt(await attempted(expired))).toMatchObject({ error_code: 'CERT_HAS_EXPIRED' });
  const cutOff = { statusCode: 200, error: null, errorMessage: null, responseTruncated: true };
  expect(await firstAttempt(await attempted(cutOff))).toMatchObject({ response_truncated: true, error_code: null });
});

test('an attempt that failed in the TLS handshake shows no request headers, and its curl command still has them', async () => {
  const timings = { reused: null, dnsMs: 4, connectMs: 11, tlsMs: null, firstByteMs: null };
  const unsent = { evidence: { ...evidence, responseHeaders: undefined, timings }, statusCode: null, error: 'tls' };
  const claim = await attempted(unsent);
  expect(await firstAttempt(claim)).toMatchObject({ error: 'tls', url: evidence.url, request_headers: null });
  const { command } = await getCurl(context, { delivery_id: claim.deliveryId, attempt: '1' });
  expect(command).toContain(`'x-service-delivery: ${claim.deliveryId}'`);
});

test('who may not read the event is not shown a response that may repeat it, nor a url of another’s endpoint', async () => {
  const claim = await attempted();
  await core.database.query('UPDATE event SET internal = true WHERE id = $1', [claim.eventId]);
  expect(await firstAttempt(claim, reader())).toMatchObject({ response_headers: null, response_snippet: null });
  expect(await firstAttempt(claim)).toMatchObject({ response_snippet: 'oops' });
  const input = { delivery_id: claim.deliveryId, attempt: '1' };
  await expect(getCurl(reader(), input)).rejects.toMatchObject({ code: 'not_found' });
  await core.database.query("UPDATE delivery SET company_id = 'co_other' WHERE id = $1", [claim.deliveryId]);
  expect((await firstAttempt(claim, restricted()))?.url).toBe('https://hooks.example.com/[redacted]');
});

test('a key that may not write endpoints sees neither the query of a url nor a signature', async () => {
  const claim = await attempted();
  const input = { delivery_id: claim.deliveryId, attempt: '1' };
  const signatures = ['x-service-signature', 'webhook-signature'];
  for (const caller of [reader(), { ...context, access: { permissions: ['cash:write' as const] } }]) {
    const attempt = await firstAttempt(claim, caller);
    expect(attempt?.url).toBe('https://hooks.example.com/in');
    for (const name of signatures) expect(attempt?.request_headers?.[name]).toBe('***');
    const { command, masked_headers } = await getCurl(caller, input);
    expect(command).not.toMatch(/query-canary|v1=a|v1,AAAA/);
    expect(masked_headers).toEqual(expect.arrayContaining(signatures));
  }
  const writer: Context = { ...context, access: { permissions: ['webhooks:write'] } };
  expect(await firstAttempt(claim, writer)).toMatchObject({
    url: evidence.url,
    request_headers: evidence.requestHeaders,
  });
});

test('a command repeats the attempt', async () => {
  const claim = await attempted();
  const curl = await getCurl(context, { delivery_id: claim.deliveryId, attempt: '1' });
  expect(curl).toMatchObject({ object: 'attempt_curl', attempt: 1, masked_headers: ['x-gate'] });
  expect(curl.command).toContain(`--url '${evidence.url}'`);
  expect(curl.command).toContain(`'x-service-signature: t=1,v1=${'a'.repeat(64)}'`);
  expect(curl.command).toContain(`--data-raw '${claim.body.toString().replaceAll("'", String.raw`'\''`)}'`);
  for (const attempt of ['0', '2', '01', 'x', '']) {
    const rejected = getCurl(context, { delivery_id: claim.deliveryId, attempt });
    await expect(rejected, attempt).rejects.toMatchObject({ code: 'not_found' });
  }
});

describe('purging the evidence of an event', () => {
  const gone = {
    url: null,
    remote_address: null,
    request_headers: null,
    response_headers: null,
    response_snippet: null,
  };

  test('deletes it once, is audited, and leaves the outcome and other events unchanged', async () => {
    const [kept, claim] = [await attempted(), await attempted()];
    await purgeEvidence(context, { event_id: claim.eventId });
    const purged = await firstAttempt(claim);
    expect(purged).toMatchObject({
      ...gone,
      error: 'http_500',
      status_code: 500,
      evidence_purged_at: expect.any(String),
    });
    expect(await firstAttempt(kept)).toMatchObject({ url: evidence.url, evidence_purged_at: null });
    expect(await auditsOf('events.purgeEvidence')).toEqual([{ resource_id: claim.eventId, after: { attempts: 1 } }]);
    const rejected = getCurl(context, { delivery_id: claim.deliveryId, attempt: '1' });
    await expect(rejected).rejects.toMatchObject({ code: 'not_found' });

    await Promise.all([1, 2].map(() => purgeEvidence(context, { event_id: claim.eventId })));
    expect(await firstAttempt(claim)).toEqual(purged);
    expect(await auditsOf('events.purgeEvidence')).toHaveLength(1);
    expect(await getEvent(context, { event_id: claim.eventId })).toMatchObject({ id: claim.eventId });
    const stored = await core.database.query('SELECT * FROM attempt WHERE delivery_id = $1', [claim.deliveryId]);
    expect(JSON.stringify(stored)).not.toMatch(/query-canary|203\.0\.113|oops|nginx/);
  });

  test('does not reach an attempt that is made later, until it is asked for again', async () => {
    const claim = await attempted();
    await purgeEvidence(context, { event_id: claim.eventId });
    await retryDelivery(context, { delivery_id: claim.deliveryId });
    const again = await claimOne(core, endpoint);
    await recordAttempts(core, [{ ...attemptOf(again, { kind: 'failed' }), evidence }]);
    const read = async () => (await getDelivery(context, { delivery_id: claim.deliveryId })).attempts;
    expect((await read()).map(({ url }) => url)).toEqual([null, evidence.url]);
    await purgeEvidence(context, { event_id: claim.eventId });
    expect((await read()).map(({ url }) => url)).toEqual([null, null]);
  });
});

describe('verifying a signature', () => {
  const at = new Date('2026-01-15T12:00:10.000Z');
  const t = at.getTime() / 1000 - 10;

  function received(claim: WholeClaim, key = secret): Record<string, string> {
    const signer = createSigner(key);
    return {
      'X-Service-Signature': signer.service(t, claim.body),
      'Webhook-Id': claim.eventId,
      'Webhook-Timestamp': String(t),
      'Webhook-Signature': signer.standard(claim.eventId, t, claim.body),
      'X-Service-Delivery': claim.deliveryId,
    };
  }

  const verify = (
    headers: Record<string, string>,
    body: string | Buffer,
    over: Partial<{ at: string; by: Context }> = {},
  ) =>
    verifySignature(over.by ?? context, {
      endpoint_id: endpoint,
      headers,
      body: body.toString(),
      at: over.at ?? at.toISOString(),
    });

  test('a valid signature is valid, and its event is named', async () => {
    const claim = await attempted();
    expect(await verify(received(claim), claim.body)).toEqual({
      object: 'signature_verification',
      endpoint_id: endpoint,
      valid: true,
      reason: null,
      hint: null,
      at: at.toISOString(),
      tolerance_seconds: 300,
      schemes: ['x-service-signature', 'webhook-signature'].map((header) => ({
        header,
        valid: true,
        reason: null,
        hint: null,
        signed_at: '2026-01-15T12:00:00.000Z',
        age_seconds: 10,
        secret: 'current',
      })),
      event_id: claim.eventId,
      delivery_id: claim.deliveryId,
      sent_to_endpoint_id: endpoint,
    });
  });

  test('one header is enough, and none is not', async () => {
    const claim = await attempted();
    const { 'X-Service-Signature': service = '' } = received(claim);
    const alone = await verify({ 'x-service-signature': service }, claim.body);
    expect(alone).toMatchObject({ valid: true, reason: null, event_id: null });
    expect(alone.schemes.map(({ reason }) => reason)).toEqual([null, 'missing_header']);
    expect(await verify({}, claim.body)).toMatchObject({ valid: false, reason: 'missing_header' });
    const half = { ...received(claim), 'X-Service-Signature': `t=${t},v1=${'0'.repeat(64)}` };
    expect(await verify(half, claim.body)).toMatchObject({ valid: false, reason: 'no_matching_signature' });
  });

  test('a reserialized body and a changed body have different reasons', async () => {
    const claim = await attempted();
    const pretty = JSON.stringify(JSON.parse(claim.body.toString()), null, 2);
    expect(await verify(received(claim), pretty)).toMatchObject({ valid: false, reason: 'body_reserialised' });
    const changed = claim.body.toString().replace("it's", 'its');
    expect(await verify(received(claim), changed)).toMatchObject({ valid: false, reason: 'body_altered' });
    // A caller that may not read the event does not see its body.
    await core.database.query('UPDATE event SET internal = true WHERE id = $1', [claim.eventId]);
    const reported = await verify(received(claim), changed, { by: reader() });
    expect(reported).toMatchObject({ reason: 'no_matching_signature', event_id: null });
  });

  test('a timestamp outside of the window is reported with its distance if all else is valid', async () => {
    const claim = await attempted();
    const late = await verify(received(claim), claim.body, { at: '2026-01-15T12:06:00.000Z' });
    expect(late).toMatchObject({ valid: false, reason: 'timestamp_too_old' });
    expect(late.hint).toContain('60 s too old');
    const early = await verify(received(claim), claim.body, { at: '2026-01-15T11:54:00.000Z' });
    expect(early).toMatchObject({ valid: false, reason: 'timestamp_in_future' });
    expect(await verify(received(claim), 'x', { at: '2026-01-16T00:00:00Z' })).toMatchObject({
      reason: 'body_altered',
    });
  });

  test('the secret that was replaced is reported, and holds while its rotation overlaps', async () => {
    const claim = await attempted();
    const previous = generateWebhookSecret();
    const rotate = (until: string) =>
      core.database.query(
        'UPDATE webhook_endpoint SET previous_secret = $2, previous_secret_until = $3 WHERE id = $1',
        [endpoint, core.secrets.encrypt(previous, secretAad(endpoint)), until],
      );
    await rotate('2026-01-16T00:00:00Z');
    const during = await verify(received(claim, previous), claim.body);
    expect(during).toMatchObject({ valid: true, schemes: [{ secret: 'previous' }, { secret: 'previous' }] });
    await rotate('2026-01-15T11:00:00Z');
    const after = await verify(received(claim, previous), claim.body);
    expect(after).toMatchObject({ valid: false, reason: 'previous_secret' });
    expect(JSON.stringify([during, after])).not.toContain(previous.slice(6));
  });

  test('a delivery of another endpoint is reported as such', async () => {
    const claim = await attempted();
    const other = await createEndpoint(context, { url: 'http://127.0.0.1:4010/other', events: ['company.created'] });
    const input = {
      endpoint_id: other.id,
      headers: received(claim),
      body: claim.body.toString(),
      at: at.toISOString(),
    };
    expect(await verifySignature(context, input)).toMatchObject({
      valid: false,
      reason: 'other_endpoint',
      sent_to_endpoint_id: endpoint,
    });
  });

  test('no response contains a secret, and only the owner of an endpoint verifies', async () => {
    const claim = await attempted();
    const headers = received(claim);
    const answers = [await verify(headers, claim.body), await verify(headers, 'x'), await verify({}, '')];
    expect(JSON.stringify(answers)).not.toContain(secret.slice(6));
    expect(await auditsOf('webhookEndpoints.verifySignature')).toEqual([]);
    const other = (await fixture.otherAccount()).context;
    await expect(verify(headers, '', { by: other })).rejects.toMatchObject({ code: 'not_found' });
    await deleteEndpoint(context, { endpoint_id: endpoint });
    await expect(verify(headers, '')).rejects.toMatchObject({ code: 'not_found' });
  });
});
