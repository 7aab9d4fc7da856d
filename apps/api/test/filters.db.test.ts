// Risk: a filter selects other rows than it says, and a report is made from them.

import { type Operation, operations } from '@finhook/contracts';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Input } from './api-client.ts';
import { useApi } from './api-fixture.ts';
import { readPage } from './read-pages.ts';

const fixture = useApi();
let filtered: string;
let endpointIds: string[];

beforeAll(async () => {
  const { client } = fixture;
  filtered = (await client.rest(operations.companies.create, { name: 'Filtered 100%', legal_name: 'Filtered Holding' }))
    .body.id;
  endpointIds = [];
  for (const events of [[], ['bank.balance.updated']]) {
    const made = await client.rest(operations.webhookEndpoints.create, { url: 'http://127.0.0.1:9/hook', events });
    endpointIds.push(made.body.id);
  }
  const transactions = [
    {
      external_id: 'a',
      posted_at: '2026-01-01T00:00:00Z',
      amount_cents: -500,
      category: 'rent',
      counterparty: 'Landlord',
      connection_id: 'one',
      source: 'sync',
      currency: 'USD',
      description: 'Rent 100%',
    },
    {
      external_id: 'b',
      posted_at: '2026-01-02T00:00:00Z',
      amount_cents: 700,
      category: 'sales',
      counterparty: 'Customer',
      connection_id: 'two',
      source: 'csv',
      currency: 'EUR',
      description: 'Invoice_7',
    },
    { external_id: 'c', posted_at: '2026-01-03T00:00:00Z', amount_cents: 0, description: 'Back\\slash' },
  ];
  await client.rest(operations.bank.transactions.ingest, { company_id: filtered, transactions });
  for (const [i, connection_id] of ['one', 'two', undefined].entries()) {
    for (const day of [1, 2]) {
      await client.rest(operations.cash.balances.upsert, {
        company_id: filtered,
        as_of: `2026-01-0${day}`,
        balance_cents: i * 10 + day,
        currency: i === 0 ? 'EUR' : 'USD',
        source: i === 0 ? 'sync' : 'csv',
        connection_id,
      });
    }
  }
  for (const [i, statement_type] of ['balance', 'income'].entries()) {
    await client.rest(operations.financials.snapshots.upsert, {
      company_id: filtered,
      statement_type,
      period_start: '2025-01-01',
      period_end: `2025-0${i + 1}-28`,
      currency: 'USD',
      totals: { cash: 1 },
      source: `source-${i}`,
    });
  }
});

describe('D10: each filter selects what it says', () => {
  const select = async (operation: Operation, filter: Input, field: string): Promise<unknown[]> =>
    (
      await readPage(fixture.client, operation, {
        ...(operation.http.path.includes('company_id') ? { company_id: filtered } : {}),
        order: 'asc',
        ...filter,
      })
    ).data.map((item) => item[field]);

  const transactionFilters: [Input, string[]][] = [
    [{ posted_from: '2026-01-02T00:00:00Z' }, ['b', 'c']],
    [{ posted_to: '2026-01-02T00:00:00Z' }, ['a']],
    [{ posted_from: '2026-01-02T02:00:00+02:00', posted_to: '2026-01-03T00:00:00Z' }, ['b']],
    [{ posted_from: '2026-01-02T00:00:00+23:00' }, ['b', 'c']],
    [{ posted_to: '2026-01-02T23:00:00+23:00' }, ['a']],
    [{ created_to: '2026-01-01T00:00:00Z' }, []],
    [{ created_from: '2026-01-01T00:00:00Z' }, ['a', 'b', 'c']],
    [{ connection_id: 'one' }, ['a']],
    [{ connection_id: 'none' }, ['c']],
    [{ external_id: 'b' }, ['b']],
    [{ external_id: 'B' }, []],
    [{ source: 'api' }, ['c']],
    [{ category: 'rent' }, ['a']],
    [{ counterparty: 'Customer' }, ['b']],
    [{ currency: 'eur' }, ['b']],
    [{ min_amount_cents: 0 }, ['b', 'c']],
    [{ max_amount_cents: 0 }, ['a', 'c']],
    [{ min_amount_cents: -500, max_amount_cents: -500 }, ['a']],
    [{ direction: 'in' }, ['b']],
    [{ direction: 'out' }, ['a']],
    [{ q: 'RENT' }, ['a']],
    [{ q: 'custom' }, ['b']],
    [{ direction: 'in', category: 'rent' }, []],
  ];

  test.each(transactionFilters)('transactions %o', async (filter, expected) => {
    expect(await select(operations.bank.transactions.list, filter, 'external_id')).toEqual(expected);
  });

  test('S33: wildcards of q are plain characters', async () => {
    const found = (q: string) => select(operations.bank.transactions.list, { q }, 'external_id');
    expect(await found('%')).toEqual(['a']);
    expect(await found('_')).toEqual(['b']);
    expect(await found('\\')).toEqual(['c']);
    expect(await found('100%')).toEqual(['a']);
    expect(await found('R%t')).toEqual([]);
    expect(await found('(a+)+$')).toEqual([]);
    expect(await found("' OR '1'='1")).toEqual([]);
    expect(await found('$1')).toEqual([]);
    expect(await found('?')).toEqual([]);
  });

  const balanceFilters: [Input, number[]][] = [
    [{ as_of_from: '2026-01-02' }, [2, 12, 22]],
    [{ as_of_to: '2026-01-01' }, [1, 11, 21]],
    [{ connection_id: 'none' }, [21, 22]],
    [{ connection_id: 'two' }, [11, 12]],
    [{ currency: 'EUR' }, [1, 2]],
    [{ source: 'sync' }, [1, 2]],
    [{ latest: true }, [2, 12, 22]],
    [{ latest: false }, [1, 2, 11, 12, 21, 22]],
    [{ updated_since: '2100-01-01T00:00:00Z' }, []],
    [{ updated_since: '2026-01-01T00:00:00-23:00' }, [1, 2, 11, 12, 21, 22]],
  ];

  test.each(balanceFilters)('balances %o', async (filter, expected) => {
    const found = await select(operations.cash.balances.list, filter, 'balance_cents');
    expect(found.map(Number).sort((a, b) => a - b)).toEqual(expected);
  });

  const snapshotFilters: [Input, string[]][] = [
    [{ statement_type: 'income' }, ['2025-02-28']],
    [{ statement_type: 'cashflow' }, []],
    [{ period_end_from: '2025-02-28' }, ['2025-02-28']],
    [{ period_end_to: '2025-02-27' }, ['2025-01-28']],
    [{ source: 'source-0' }, ['2025-01-28']],
    [{ updated_since: '2100-01-01T00:00:00Z' }, []],
    [{ updated_since: '2025-01-01T00:00:00Z' }, ['2025-01-28', '2025-02-28']],
  ];

  test.each(snapshotFilters)('snapshots %o', async (filter, expected) => {
    expect(await select(operations.financials.snapshots.list, filter, 'period_end')).toEqual(expected);
  });

  const companyFilters: [Input, string[]][] = [
    [{ q: 'filtered' }, ['Filtered 100%']],
    [{ q: 'HOLDING' }, ['Filtered 100%']],
    [{ q: '0%' }, ['Filtered 100%']],
    [{ q: '_' }, []],
    [{ status: 'active' }, ['Acme Inc', 'Filtered 100%']],
    [{ status: 'dissolved' }, []],
    [{ created_to: '2026-01-01T00:00:00Z' }, []],
    [{ created_from: '2026-01-01T00:00:00Z', updated_since: '2026-01-01T00:00:00Z' }, ['Acme Inc', 'Filtered 100%']],
  ];

  test.each(companyFilters)('companies %o', async (filter, expected) => {
    expect(await select(operations.companies.list, filter, 'name')).toEqual(expected);
  });

  test('keys by what they are now, endpoints by their status', async () => {
    const { client, elsewhere } = fixture;
    const revoked = await client.rest(operations.apiKeys.create, { name: 'Revoked', scope: 'read' });
    await client.rest(operations.apiKeys.revoke, { key_id: revoked.body.id });
    const expired = await client.rest(operations.apiKeys.create, {
      name: 'Expired',
      scope: 'read',
      expires_in_days: 1,
    });
    await elsewhere.database.query("UPDATE api_key SET expires_at = now() - interval '1 second' WHERE id = $1", [
      expired.body.id,
    ]);
    const keys = (status: string) => select(operations.apiKeys.list, { status }, 'name');
    expect(await keys('active')).toEqual(['First key']);
    expect(await keys('revoked')).toEqual(['Revoked']);
    expect(await keys('expired')).toEqual(['Expired']);
    const [, second] = endpointIds;
    await client.rest(operations.webhookEndpoints.update, { endpoint_id: second, status: 'paused' });
    const endpoints = (status: string) => select(operations.webhookEndpoints.list, { status }, 'id');
    expect(await endpoints('active')).toEqual([endpointIds[0]]);
    expect(await endpoints('paused')).toEqual([second]);
    expect(await endpoints('disabled')).toEqual([]);
  });

  test('events by type, company and time', async () => {
    const events = (filter: Input) => select(operations.events.list, filter, 'type');
    expect(await events({ company_id: filtered })).toHaveLength(10);
    expect(await events({ company_id: filtered, type: 'company.created' })).toEqual(['company.created']);
    expect(await events({ company_id: fixture.companyId })).toEqual(['company.created']);
    expect(new Set(await events({ type: 'bank.balance.updated' }))).toEqual(new Set(['bank.balance.updated']));
    expect(await events({ created_to: '2026-01-01T00:00:00+20:00' })).toEqual([]);
    expect(await events({ created_from: '2026-01-01T00:00:00Z', type: 'bank.transaction.posted' })).toHaveLength(1);
    expect(await events({ company_id: 'co_unknown' })).toEqual([]);
    for (const bad of [{ type: 'no.such' }, { created_from: '2026-01-01' }, { company_id: '\0' }]) {
      expect((await fixture.client.rest(operations.events.list, bad)).status).toBe(422);
    }
  });

  test('deliveries by endpoint, event, type, time and each status', async () => {
    const { client, elsewhere } = fixture;
    const all = await readPage(client, operations.deliveries.list, { limit: 200, order: 'asc' });
    const [one, two, three, four] = all.data;
    const set = (id: unknown, status: string, attempts: number) =>
      elsewhere.database.query('UPDATE delivery SET status = $2, attempt_count = $3 WHERE id = $1', [
        id,
        status,
        attempts,
      ]);
    await set(one?.id, 'succeeded', 1);
    await set(two?.id, 'failed', 10);
    await set(three?.id, 'cancelled', 0);
    await set(four?.id, 'pending', 2);
    const ids = (filter: Input) => select(operations.deliveries.list, { limit: 200, ...filter }, 'id');
    expect(await ids({ status: 'succeeded' })).toEqual([one?.id]);
    expect(await ids({ status: 'failed' })).toEqual([two?.id]);
    expect(await ids({ status: 'cancelled' })).toEqual([three?.id]);
    expect(await ids({ status: 'retrying' })).toEqual([four?.id]);
    expect(await ids({ status: 'pending' })).toEqual(all.data.slice(4).map(({ id }) => id));
    const [, balancesOnly] = endpointIds;
    const ofEndpoint = await readPage(client, operations.deliveries.list, { endpoint_id: balancesOnly });
    expect(new Set(ofEndpoint.data.map((item) => item['event_type']))).toEqual(new Set(['bank.balance.updated']));
    expect(await ids({ event_type: 'bank.balance.updated', endpoint_id: balancesOnly })).toHaveLength(6);
    expect(await ids({ event_type: 'bank.transaction.posted' })).toHaveLength(1);
    expect(await ids({ event_id: one?.['event_id'] })).toContain(one?.id);
    expect(await ids({ event_id: 'evt_unknown' })).toEqual([]);
    expect(await ids({ created_to: '2026-01-01T00:00:00Z' })).toEqual([]);
    const unknown = await client.rest(operations.deliveries.list, { endpoint_id: 'we_unknown' });
    expect([unknown.status, unknown.problem.code]).toEqual([404, 'not_found']);
  });
});
