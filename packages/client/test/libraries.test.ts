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

  test('passes over a v1a signature, which it does not know, to the v1 beside it', () => {
    const { privateKey } = generateSigningKeyPair();
    const { body, headers } = signedDelivery(event, { secrets: [secret], privateKey });
    expect(headers['webhook-signature']).toMatch(/^v1,\S+ v1a,\S+$/);
    expect(() => new Webhook(secret).verify(body, headers)).not.toThrow();
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
