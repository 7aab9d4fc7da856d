// Risk: receivers that work with the deliveries of our tests do not work with those of the running finhook.
import { buffer } from 'node:stream/consumers';
import { parseWebhook, type ReceivedEvent } from '@finhook/client';
import { Webhook as StandardWebhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { examples } from './examples.ts';
import { type Listening, listen } from './listen.ts';
import { type Finhook, startFinhook } from './start-finhook.ts';

const running: Listening[] = [];
let finhook: Finhook;

beforeAll(async () => {
  finhook = await startFinhook();
  // A start waits up to a minute for the build of the dashboard, if its sources changed.
}, 120_000);
afterAll(async () => {
  await Promise.all(running.map((each) => each.close()));
  await finhook.stop();
});

/** Subscribes a receiver, which needs the endpoint's secret before it has an address. */
async function subscribe(start: (secret: string) => Promise<Listening>): Promise<string> {
  const { create, update } = finhook.client.webhookEndpoints;
  const events = ['bank.transaction.posted' as const];
  const { id, secret } = await create({ url: 'http://127.0.0.1:4000/not-yet', events });
  const receiver = await start(secret);
  running.push(receiver);
  await update({ endpoint_id: id, url: `${receiver.url}/webhooks` });
  return secret;
}

/** As many transactions as one request may carry: their event is larger than 1 MiB, Fastify's limit by default. */
function postTransactions() {
  const transactions = Array.from({ length: 500 }, (_, index) => ({
    external_id: `row-${index}`,
    posted_at: '2026-03-01T14:05:00Z',
    amount_cents: -100 - index,
    currency: 'USD',
    description: 'x'.repeat(2_000),
  }));
  return finhook.client.bank.transactions.ingest({ company_id: finhook.companyId, transactions });
}

test('the largest batch that can be posted arrives at every example, and both official libraries verify it', async () => {
  const stored = new Map<string, ReceivedEvent[]>();
  for (const { name, start } of examples) {
    const events: ReceivedEvent[] = [];
    stored.set(name, events);
    await subscribe((secret) => start(secret, async (event) => void events.push(event)));
  }
  const received: { body: Buffer; headers: Record<string, string | string[] | undefined> }[] = [];
  const secret = await subscribe(() =>
    listen((request, response) => {
      void buffer(request).then((body) => {
        received.push({ body, headers: request.headers });
        response.writeHead(204).end();
      });
    }),
  );

  const { event_id } = await postTransactions();
  await vi.waitFor(
    () => {
      expect([...stored].filter(([, events]) => events.length === 0).map(([name]) => name)).toEqual([]);
      expect(received).toHaveLength(1);
    },
    { timeout: 20_000 },
  );

  const [delivery] = received;
  if (delivery === undefined) throw new Error('Nothing was recorded.');
  expect(delivery.body.byteLength).toBeGreaterThan(1024 * 1024);
  const headers = asTexts(delivery.headers);
  for (const Webhook of [StandardWebhook, SvixWebhook]) {
    expect(() => new Webhook(secret).verify(delivery.body, headers)).not.toThrow();
  }
  const parsed = await parseWebhook({ ...delivery, secret });
  if (!parsed.ok) throw new Error(`${parsed.reason}: ${parsed.hint}`);
  expect(parsed.event.id).toBe(event_id);
  for (const [name, events] of stored) expect(events, name).toEqual([parsed.event]);
});

function asTexts(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return headers as Record<string, string>;
}
