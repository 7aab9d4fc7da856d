// Risk: the receiver examples reject genuine deliveries of their framework, or break the application around them.
import type { ReceivedEvent } from '@finhook/client';
import { describe, expect, test } from 'vitest';
import { examples } from './examples.ts';
import { post, signedDelivery } from './signed-delivery.ts';
import { event, eventOfMegabytes, secret, testApplication, testReceiver } from './test-receiver.ts';

describe.each(examples)('the example for $name', testReceiver);

describe.each(examples.slice(0, 4))('the limit of the example for $name', ({ start }) => {
  test('a body of 5 MB is rejected before it is read to its end', async () => {
    const stored: ReceivedEvent[] = [];
    const running = await start(secret, async (received) => void stored.push(received));
    // The server may close before the client has read the response.
    const response = await post(running.url, signedDelivery(eventOfMegabytes(5), { secrets: [secret] })).catch(() => ({
      status: 413,
    }));
    expect(response).toMatchObject({ status: 413 });
    expect(await post(running.url, signedDelivery(event, { secrets: [secret] }))).toMatchObject({ status: 204 });
    expect(stored).toEqual([event]);
    await running.close();
  });
});

describe.each(examples.slice(1, 4))('the application around the example for $name', testApplication);
