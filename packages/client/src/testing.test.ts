// Risk: a receiver passes the tests of its author with deliveries that the service never sends.
import { Webhook } from 'standardwebhooks';
import { expect, expectTypeOf, test } from 'vitest';
import { webhookEventTypes } from './contracts.ts';
import { isKnownEvent, parseWebhook } from './receiver/parse-webhook.ts';
import { signSampleEvent } from './testing.ts';

const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
const service = 'x-service-signature';

test.for(webhookEventTypes)('a sample of %s passes both signatures', async (type) => {
  const { body, headers, event } = await signSampleEvent(type, { secret });
  const { [service]: _, ...standard } = headers;
  for (const sent of [headers, standard, { [service]: headers[service] }])
    expect(await parseWebhook({ body, headers: sent, secret })).toEqual({ ok: true, event });
  expect(isKnownEvent(event)).toBe(true);
  expect(() => new Webhook(secret).verify(body, headers)).not.toThrow();
});

test('its data, id and time can be chosen', async () => {
  const options = { secret, data: { balance_cents: 7 }, id: 'evt_1', timestamp: 1_772_355_600 };
  const { event, headers } = await signSampleEvent('bank.balance.updated', options);
  expectTypeOf(event.data.balance_cents).toEqualTypeOf<number>();
  expect(event).toMatchObject({
    id: 'evt_1',
    created_at: '2026-03-01T09:00:00.000Z',
    data: { balance_cents: 7, currency: 'USD' },
  });
  expect(headers['webhook-timestamp']).toBe('1772355600');
});

test('a sample in the thin form has the IDs in place of the record, and its types', async () => {
  const data = { transaction_ids: ['txn_1', 'txn_2'] };
  const { event, body, headers } = await signSampleEvent('bank.transaction.posted', { secret, payload: 'thin', data });
  expectTypeOf(event.data.transaction_ids).toEqualTypeOf<string[]>();
  expect(event.data).toMatchObject(data);
  expect(event.data).not.toHaveProperty('transactions');
  expect(await parseWebhook({ body, headers, secret })).toEqual({ ok: true, event });
});

test('two samples are two events, and a malformed secret is named', async () => {
  const [one, other] = await Promise.all([1, 2].map(() => signSampleEvent('company.created', { secret })));
  expect(one?.event.id).not.toBe(other?.event.id);
  await expect(signSampleEvent('company.created', { secret: 'x' })).rejects.toThrow('secret must be whsec_');
});
