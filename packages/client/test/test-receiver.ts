import type { ReceivedEvent } from '@finhook/client';
import { eventDefinition } from '@finhook/contracts';
import { afterEach, expect, test } from 'vitest';
import { abortRequest } from './abort-request.ts';
import type { Example } from './examples.ts';
import type { Listening } from './listen.ts';
import { post, secretOf, signedDelivery } from './signed-delivery.ts';

export const secret = secretOf(1);
export const event = {
  id: 'evt_01kgw3q2m8v7d5n0r4t6x9zabc',
  type: 'bank.transaction.posted',
  created_at: '2026-03-01T09:00:00.000Z',
  account_id: 'acct_01kgw3q2m8v7d5n0r4t6x9zabc',
  company_id: 'co_01kgw3q2m8v7d5n0r4t6x9zabc',
  data: eventDefinition('bank.transaction.posted').sample,
};

export function eventOfMegabytes(megabytes: number) {
  return { ...event, data: { ...event.data, filler: 'é'.repeat((megabytes * 1024 * 1024) / 2) } };
}

/** Tests of every receiver example, whatever its framework. */
export function testReceiver({ start }: Pick<Example, 'start'>): void {
  let running: Listening | undefined;
  let stored: ReceivedEvent[] = [];
  const open = async (key = secret, store?: () => Promise<void>) => {
    stored = [];
    running = await start(key, store ?? (async (received) => void stored.push(received)));
    return running.url;
  };
  afterEach(async () => {
    await running?.close();
    running = undefined;
  });

  test('a signed delivery is stored and gets 204', async () => {
    const url = await open();
    expect(await post(url, signedDelivery(event, { secrets: [secret] }))).toEqual({ status: 204, text: '' });
    expect(stored).toEqual([event]);
  });

  test('the content type of a proxy does not matter', async () => {
    const url = await open();
    const { body, headers } = signedDelivery(event, { secrets: [secret] });
    for (const type of ['application/json; charset=utf-8', 'text/plain', 'application/octet-stream']) {
      expect(await post(url, { body, headers: { ...headers, 'content-type': type } })).toMatchObject({ status: 204 });
    }
  });

  test('a proxy may send it in chunks, without its length', async () => {
    const url = await open();
    const { body, headers } = signedDelivery(event, { secrets: [secret] });
    const chunks = [body.subarray(0, 40), body.subarray(40)];
    const init = { method: 'POST', headers, body: ReadableStream.from(chunks), duplex: 'half' as const };
    expect((await fetch(`${url}/webhooks`, init)).status).toBe(204);
    expect(stored).toEqual([event]);
  });

  test('an event of 2.5 MB, more than the default limits of frameworks, is stored', async () => {
    const url = await open();
    const large = eventOfMegabytes(2.5);
    expect(await post(url, signedDelivery(large, { secrets: [secret] }))).toMatchObject({ status: 204 });
    expect(stored).toEqual([large]);
  });

  test('a delivery that is not genuine gets 400 with the reason, and is never stored', async () => {
    const url = await open();
    const genuine = signedDelivery(event, { secrets: [secret] });
    const now = Math.floor(Date.now() / 1000);
    const cases = {
      no_matching_signature: { ...genuine, body: Buffer.from(genuine.body.toString().replace('acct_01', 'acct_02')) },
      missing_header: { ...genuine, headers: { 'content-type': 'application/json' } },
      timestamp_too_old: signedDelivery(event, { secrets: [secret], timestamp: now - 400 }),
      timestamp_in_future: signedDelivery(event, { secrets: [secret], timestamp: now + 400 }),
    };
    for (const [reason, delivery] of Object.entries(cases)) {
      expect(await post(url, delivery)).toEqual({ status: 400, text: reason });
    }
    expect(stored).toEqual([]);
  });

  test('an event that could not be stored gets 500, so that it is sent again', async () => {
    const url = await open(secret, () => Promise.reject(new Error('The database is away.')));
    expect(await post(url, signedDelivery(event, { secrets: [secret] }))).toMatchObject({ status: 500 });
  });

  test('a sender that disconnects in the middle of a body stops nothing', async () => {
    const url = await open();
    await abortRequest(url);
    expect(await post(url, signedDelivery(event, { secrets: [secret] }))).toMatchObject({ status: 204 });
  });
}

/** Tests of the application around a receiver. */
export function testApplication({ start }: Pick<Example, 'start'>): void {
  test('its own JSON routes still get parsed bodies', async () => {
    const running = await start(secret, async () => undefined);
    const response = await fetch(`${running.url}/orders`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"a":[1]}',
    });
    expect(await response.json()).toEqual({ got: { a: [1] } });
    await running.close();
  });
}
