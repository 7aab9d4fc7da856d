// Risk: only our own receiver can verify our deliveries, and a user of a Standard Webhooks library gets none.
import { verifyWebhook } from '@finhook/client';
import { generateSigningKeyPair } from '@finhook/signing';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { describe, expect, test } from 'vitest';
import { secretOf, signedDelivery } from './signed-delivery.ts';

const event = { id: 'evt_01kgw3q2m8v7d5n0r4t6x9zabc', type: 'bank.balance.updated', label: 'Zürich, 12,50 €' };
const secret = secretOf(1);

describe.each([
  ['standardwebhooks', StandardWebhook],
  ['svix', SvixWebhook],
])('the official library %s', (_name, Webhook) => {
  test('accepts a delivery, as bytes and as text', () => {
    const { body, headers } = signedDelivery(event, { secrets: [secret] });
    for (const payload of [body, body.toString()]) {
      expect(() => new Webhook(secret).verify(payload, headers)).not.toThrow();
    }
  });

  test('D44: accepts either secret during a rotation', () => {
    const { body, headers } = signedDelivery(event, { secrets: [secret, secretOf(2)] });
    for (const each of [secret, secretOf(2)]) expect(() => new Webhook(each).verify(body, headers)).not.toThrow();
  });

  test('passes over a v1a signature, which it does not know, to the v1 beside it', () => {
    const { privateKey } = generateSigningKeyPair();
    const { body, headers } = signedDelivery(event, { secrets: [secret], privateKey });
    expect(headers['webhook-signature']).toMatch(/^v1,\S+ v1a,\S+$/);
    expect(() => new Webhook(secret).verify(body, headers)).not.toThrow();
  });

  test('S25: rejects another secret, another body, another id and an old delivery', () => {
    const { body, headers } = signedDelivery(event, { secrets: [secret] });
    const old = signedDelivery(event, { secrets: [secret], timestamp: Math.floor(Date.now() / 1000) - 400 });
    expect(() => new Webhook(secretOf(3)).verify(body, headers)).toThrow('No matching signature');
    expect(() => new Webhook(secret).verify(`${body.toString()} `, headers)).toThrow('No matching signature');
    expect(() => new Webhook(secret).verify(body, { ...headers, 'webhook-id': 'evt_2' })).toThrow('No matching');
    expect(() => new Webhook(secret).verify(old.body, old.headers)).toThrow('timestamp too old');
  });

  test('signs what our receiver accepts', async () => {
    const at = new Date();
    const body = JSON.stringify(event);
    const headers = {
      'webhook-id': event.id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(event.id, at, body),
    };
    expect(await verifyWebhook({ body, headers, secret })).toMatchObject({ ok: true, id: event.id });
  });
});
