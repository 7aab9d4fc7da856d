// Risk: a client is told 2xx for something that is not yet, or never will be, visible to anyone.
import { operations } from '@finhook/contracts';
import { expect, test } from 'vitest';
import type { Input } from './api-client.ts';
import { countRows, useApi } from './api-fixture.ts';

const fixture = useApi();

const day = (i: number): string => new Date(Date.UTC(2025, 0, 1 + i)).toISOString().slice(0, 10);

test('C21: when the response’s first bytes arrive, event, rows and deliveries can be read by another connection', async () => {
  const { client, companyId: company_id } = fixture;
  await client.rest(operations.webhookEndpoints.create, { url: 'http://127.0.0.1:9/hook' });
  const { cash, bank, financials } = operations;
  for (let i = 0; i < 20; i++) {
    const responses = await Promise.all([
      client.rest(cash.balances.upsert, { company_id, ...cash.balances.upsert.example, as_of: day(i) }),
      client.rest(bank.transactions.ingest, {
        company_id,
        external_id: `t${i}`,
        posted_at: `${day(i)}T00:00:00Z`,
        amount_cents: i,
      }),
      client.rest(financials.snapshots.upsert, {
        company_id,
        ...financials.snapshots.upsert.example,
        period_start: day(i),
        period_end: day(i),
      }),
    ]);
    for (const { status, body } of responses) {
      expect(status).toBe(201);
      expect(await countRows(fixture, 'event', 'id = $1', [body.event_id])).toBe(1);
      expect(await countRows(fixture, 'delivery', 'event_id = $1', [body.event_id])).toBe(1);
      expect(await countRows(fixture, 'due', 'event_id = $1', [body.event_id])).toBe(1);
    }
  }
  expect(fixture.woken.length).toBeGreaterThan(0);
});

test('C39: a hundred times under load, cash on hand after the 2xx shows the post', async () => {
  const { client } = fixture;
  const second = await fixture.openSecondApi();
  const company_id = (await client.rest(operations.companies.create, { name: 'Tile' })).body.id;
  let running = true;
  const noise = async (stream: number): Promise<void> => {
    for (let i = 0; running; i++) {
      const input: Input = {
        company_id: fixture.companyId,
        as_of: day(i % 300),
        balance_cents: i,
        currency: 'USD',
        connection_id: `noise-${stream}`,
      };
      await client.rest(operations.cash.balances.upsert, input);
    }
  };
  const load = [noise(1), noise(2), noise(3), noise(4)];
  try {
    for (let i = 0; i < 100; i++) {
      const post = await client.rest(operations.cash.balances.upsert, {
        company_id,
        as_of: day(i),
        balance_cents: i * 100,
        currency: 'USD',
      });
      expect(post.status).toBe(201);
      const reader = i % 2 === 0 ? client : second.as(fixture.apiKey);
      const tile = await reader.rest(operations.cash.onHand, { company_id });
      expect(tile.body.lines).toMatchObject([{ currency: 'USD', balance_cents: i * 100, newest_as_of: day(i) }]);
    }
  } finally {
    running = false;
    await Promise.all(load);
  }
});

test('C2: concurrent identical posts all get 2xx and insert one row', async () => {
  const { client, companyId: company_id } = fixture;
  const input = { company_id, external_id: 'race', posted_at: '2026-01-01T00:00:00Z', amount_cents: 1 };
  const responses = await Promise.all(
    Array.from({ length: 30 }, () => client.rest(operations.bank.transactions.ingest, input)),
  );
  expect(responses.map(({ status }) => status).sort()).toEqual([...Array.from({ length: 29 }, () => 200), 201]);
  expect(responses.reduce((sum, { body }) => sum + body.inserted, 0)).toBe(1);
  expect(await countRows(fixture, 'bank_transaction', "external_id = 'race'")).toBe(1);
});

test('C13: C16: concurrent posts of one balance all succeed; the feed’s last value is the stored one', async () => {
  const { client } = fixture;
  const company_id = (await client.rest(operations.companies.create, { name: 'Contended' })).body.id;
  const responses = await Promise.all(
    Array.from({ length: 30 }, (_, i) =>
      client.rest(operations.cash.balances.upsert, {
        company_id,
        as_of: '2026-01-01',
        balance_cents: i,
        currency: 'USD',
      }),
    ),
  );
  expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(29);
  const stored = await client.rest(operations.cash.balances.list, { company_id });
  expect(stored.body.data).toHaveLength(1);
  const feed = await client.rest(operations.events.list, { company_id, type: 'bank.balance.updated', limit: 200 });
  expect(feed.body.data).toHaveLength(30);
  expect(feed.body.data.at(-1)?.data['balance_cents']).toBe(stored.body.data[0]?.balance_cents);
});
