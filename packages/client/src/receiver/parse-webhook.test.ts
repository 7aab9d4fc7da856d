// Risk removed: a receiver acts on a body that nobody signed, or breaks when the service adds an event type.
import { type AnyEventType, allEventTypes, eventDefinition, thinData, type WebhookEvent } from '@finhook/contracts';
import { createSigner } from '@finhook/signing';
import { describe, expect, expectTypeOf, test } from 'vitest';
import { isKnownEvent, isKnownThinEvent, parseWebhook, type UnknownWebhookEvent } from './parse-webhook.ts';

const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const timestamp = 1_772_355_600;
const now = () => timestamp * 1000;
const envelope = {
  id: 'evt_01kgw3q2m8v7d5n0r4t6x9zabc',
  type: 'bank.balance.updated',
  created_at: '2026-03-01T09:00:00.000Z',
  account_id: 'acct_01kgw3q2m8v7d5n0r4t6x9zabc',
  company_id: 'co_01kgw3q2m8v7d5n0r4t6x9zabc',
  data: { balance_cents: 1 },
};

function deliver(body: string | Uint8Array) {
  const signature = createSigner(secret).service(timestamp, Buffer.from(body));
  return parseWebhook({ body, headers: { 'x-service-signature': signature }, secret, now });
}

async function parsedEvent(body: object) {
  const result = await deliver(JSON.stringify(body));
  if (!result.ok) throw new Error(result.reason);
  return result.event;
}

describe('parseWebhook', () => {
  test.for(allEventTypes)('the sample of %s arrives whole and is known', async (type) => {
    const sent = { ...envelope, type, data: eventDefinition(type).sample };
    const event = await parsedEvent(sent);
    expect(event).toEqual(sent);
    expect(isKnownEvent(event)).toBe(true);
  });

  test('a type that this version does not know still parses', async () => {
    const sent = { ...envelope, type: 'bank.card.frozen', data: { card: { last4: '4242' } } };
    const event = await parsedEvent(sent);
    expect(event).toEqual(sent);
    expect(isKnownEvent(event)).toBe(false);
  });

  test.for(allEventTypes)('the thin form of %s arrives whole and is known', async (type) => {
    const sent = { ...envelope, type, data: thinData(type, eventDefinition(type).sample) };
    const event = await parsedEvent(sent);
    expect(event).toEqual(sent);
    expect(isKnownThinEvent(event)).toBe(true);
  });

  test('isKnownThinEvent leaves a union that the type narrows to the IDs', async () => {
    const event = await parsedEvent({
      ...envelope,
      type: 'bank.transaction.posted',
      data: { transaction_ids: ['txn_1'] },
    });
    if (!isKnownThinEvent(event) || event.type !== 'bank.transaction.posted') throw new Error('It is not known.');
    expectTypeOf(event.data.transaction_ids).toEqualTypeOf<string[]>();
    expect(event.data.transaction_ids).toEqual(['txn_1']);
  });

  test('isKnownEvent leaves a union that a switch over the type narrows to the data', async () => {
    const event = await parsedEvent(envelope);
    if (!isKnownEvent(event)) return expectTypeOf(event).toEqualTypeOf<UnknownWebhookEvent>();
    expectTypeOf(event).toEqualTypeOf<WebhookEvent>();
    expectTypeOf(event.type).toEqualTypeOf<AnyEventType>();
    if (event.type === 'bank.balance.updated') expectTypeOf(event.data.balance_cents).toEqualTypeOf<number>();
    if (event.type === 'webhook_endpoint.disabled') expectTypeOf(event.data.waiting).toEqualTypeOf<number>();
    return expect(event.type).toBe('bank.balance.updated');
  });

  test.for([
    ['nothing', '', 'malformed_json'],
    ['half a document', '{"id":', 'malformed_json'],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'malformed_json'],
    ['null', 'null', 'malformed_event'],
    ['a list', '[]', 'malformed_event'],
    ['an event without an id', JSON.stringify({ ...envelope, id: undefined }), 'malformed_event'],
    ['an event without a type', JSON.stringify({ ...envelope, type: undefined }), 'malformed_event'],
    ['an event without a time', JSON.stringify({ ...envelope, created_at: undefined }), 'malformed_event'],
    ['an event without an account', JSON.stringify({ ...envelope, account_id: 7 }), 'malformed_event'],
    ['a company that is not text', JSON.stringify({ ...envelope, company_id: null }), 'malformed_event'],
    ['data that is a list', JSON.stringify({ ...envelope, data: [] }), 'malformed_event'],
    ['data that is null', JSON.stringify({ ...envelope, data: null }), 'malformed_event'],
  ] as const)('a signed body that is %s is rejected', async ([, body, reason]) => {
    expect(await deliver(body)).toMatchObject({ ok: false, reason });
  });

  test('an unsigned body is rejected before it is parsed, so that a forger learns nothing of the parser', async () => {
    for (const body of [JSON.stringify(envelope), '{"id":', 'null']) {
      const headers = { 'x-service-signature': createSigner(secret).service(timestamp, Buffer.from('{}')) };
      expect(await parseWebhook({ body, headers, secret, now })).toMatchObject({ reason: 'no_matching_signature' });
    }
  });
});
