// Risk: a plan that was made while hardly anything was due reads the whole backlog for each batch once there is one.
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import {
  type Core,
  claimDeliveries,
  claimGated,
  createApiKey,
  createEndpoint,
  recordAttempts,
  releaseClaims,
  updateEndpoint,
} from '../src/index.ts';
import { attemptOf, claimAll } from './attempt-of.ts';
import { type CoreFixture, openFixture } from './core-fixture.ts';
import { openRawClient } from './raw-client.ts';

let fixture: CoreFixture;
beforeAll(async () => {
  fixture = await openFixture(inject('pgUrl'));
});
afterAll(() => fixture.close());

/** The core, and every text that is sent through it. */
function listening(): { core: Core; texts: Set<string> } {
  const { database, ...core } = fixture.core;
  const texts = new Set<string>();
  const query: Core['database']['query'] = (sql, values) => {
    texts.add(sql);
    return database.query(sql, values);
  };
  const transaction: Core['database']['transaction'] = (work) =>
    database.transaction((tx) =>
      work({
        ...tx,
        query: (sql, values) => {
          texts.add(sql);
          return tx.query(sql, values);
        },
      }),
    );
  return { core: { ...core, database: { ...database, query, transaction } }, texts };
}

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Cond'?: string;
  Plans?: Plan[];
}

/** Nodes that read `due` with no condition on an index. */
function wholeReads(plan: Plan): Plan[] {
  const mine =
    plan['Relation Name'] === 'due' && plan['Node Type'].includes('Scan') && plan['Index Cond'] === undefined;
  return [...(mine ? [plan] : []), ...(plan.Plans ?? []).flatMap(wholeReads)];
}

test('claims, records and releases reach rows by their keys, whatever the table held when they were planned', async () => {
  const { context } = fixture;
  const { core, texts } = listening();
  const { id } = await createEndpoint(context, { url: 'http://127.0.0.1:4010/hook' });
  for (let i = 0; i < 4; i++) await createApiKey(context, { name: 'k', scope: 'read' });
  const [a, b, c, d] = await claimAll(core, id);
  if (!a || !b || !c || !d) throw new Error('Four deliveries should have been due.');
  await recordAttempts(core, [attemptOf(a, { kind: 'succeeded' }), attemptOf(b, { kind: 'retry', delayMs: 1 })]);
  await releaseClaims(core, [c, d]);
  await updateEndpoint(context, { endpoint_id: id, max_concurrency: 2 });
  await claimDeliveries(core, [{ endpointId: id, limit: 1 }], 60_000);
  await claimGated(core, [{ endpointId: id, limit: 1 }], 60_000);

  const raw = await openRawClient(fixture.database.url);
  await raw.query('DELETE FROM due');
  await raw.query('ANALYZE due');
  await raw.query('SET enable_seqscan = off; SET enable_bitmapscan = off');
  const reads = [...texts].filter((text) => /\bdue\b/.test(text) && text.startsWith('/*'));
  expect(reads.length).toBeGreaterThanOrEqual(5);
  for (const text of reads) {
    const { rows } = await raw.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(`EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`);
    const found = rows.flatMap((row) => row['QUERY PLAN'].flatMap(({ Plan: plan }) => wholeReads(plan)));
    expect(found, text).toEqual([]);
  }
  await raw.end();
});
