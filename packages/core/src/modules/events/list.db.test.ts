// Risk: a reader of the feed misses an event that committed late, or sees one twice.

import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import type pg from 'pg';
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../test/core-fixture.ts';
import { insertEvent as insertEventSql } from '../../../test/insert-event.ts';
import { openRawClient, useRawClient, waitForBlocked } from '../../../test/raw-client.ts';
import { readAll, readFeed } from '../../../test/read-all.ts';
import { encodeCursor } from '../../lists/keyset.ts';
import type { Context } from '../../verbs/context.ts';
import { createCompany } from '../companies/create.ts';
import { updateCompany } from '../companies/update.ts';
import { readPosition } from './feed-position.ts';
import { getEvent, listEventHeads, listEvents } from './read.ts';

const fixture = useFixture();
const raw = useRawClient(fixture);
let context: Context;
beforeEach(async () => {
  context = (await fixture.otherAccount()).context;
});

const page = (after?: string | null, limit = 200) =>
  listEvents(context, { limit, order: 'asc', ...(after ? { after } : {}) });
const namesOf = (events: { data: Record<string, unknown> }[]) => events.map(({ data }) => String(data['name']));

async function insertEvent(client: pg.Client, name: string): Promise<string> {
  const id = context.newId('evt');
  const body = {
    id,
    type: 'company.created',
    created_at: new Date().toISOString(),
    account_id: context.accountId,
    data: { name },
  };
  await client.query(insertEventSql, [id, context.accountId, body.type, body.created_at, JSON.stringify(body)]);
  return id;
}

const positions = async () => {
  const { rows } = await raw.query<{ position: string }>(
    'SELECT position FROM event WHERE account_id = $1 ORDER BY position',
    [context.accountId],
  );
  return rows.map(({ position }) => Number(position));
};

/** One writer's transactions: the number of events, the wait before the commit, and whether it commits. */
const writerSteps = fc.array(
  fc.record({ events: fc.integer({ min: 1, max: 4 }), waitMs: fc.nat(4), commits: fc.boolean() }),
  { maxLength: 12 },
);

async function write(
  client: pg.Client,
  steps: readonly { events: number; waitMs: number; commits: boolean }[],
  committed: string[],
): Promise<void> {
  for (const { events, waitMs, commits } of steps) {
    await client.query('BEGIN');
    const mine: string[] = [];
    for (let i = 0; i < events; i++) mine.push(await insertEvent(client, `${i}`));
    await delay(waitMs);
    await client.query(commits ? 'COMMIT' : 'ROLLBACK');
    if (commits) committed.push(...mine);
  }
}

test('an account is read up to a commit of its own, whatever is open elsewhere', async () => {
  const start = (await page()).next_cursor;
  const other = (await fixture.otherAccount()).context;
  await raw.query('BEGIN');
  await raw.query(insertEventSql, [context.newId('evt'), other.accountId, 'company.created', new Date(), '{}']);
  await createCompany(context, { name: 'early' });
  expect(namesOf((await page(start)).data)).toEqual(['early']);
  await raw.query('COMMIT');
});

test('an event that is about to commit takes its position before those that wait for it', async () => {
  const start = (await page()).next_cursor;
  await raw.query('BEGIN');
  const late = await insertEvent(raw, 'late');
  const waiting = createCompany(context, { name: 'waits' });
  await waitForBlocked(raw);
  expect((await page(start)).data).toEqual([]);
  await raw.query('COMMIT');
  await waiting;
  const found = await page(start);
  expect(namesOf(found.data)).toEqual(['late', 'waits']);
  expect(found.data[0]?.id).toBe(late);
  expect((await page(found.next_cursor)).data).toEqual([]);
});

test('a transaction that rolls back leaves no gap', async () => {
  await raw.query('BEGIN');
  await insertEvent(raw, 'gone');
  await raw.query('ROLLBACK');
  await createCompany(context, { name: 'stays' });
  expect(namesOf(await readFeed(context)).at(-1)).toBe('stays');
  expect(await positions()).toEqual(Array.from({ length: (await positions()).length }, (_, i) => i + 1));
});

test('a reader that pages while writers commit and roll back misses nothing and sees nothing twice', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(writerSteps, { minLength: 2, maxLength: 8 }),
      fc.array(fc.integer({ min: 1, max: 6 })),
      async (scripts, limits) => {
        context = (await fixture.otherAccount()).context;
        const clients = await Promise.all(scripts.map(() => openRawClient(fixture.database.url)));
        const committed: string[] = [];
        const seen: string[] = [];
        let cursor: string | null = null;
        let over = false;
        const reader = (async () => {
          for (let round = 0; ; round++) {
            const last = over;
            const next = await page(cursor, limits[round % limits.length] ?? 7);
            seen.push(...next.data.map(({ id }) => id));
            cursor = next.next_cursor;
            if (last && next.data.length === 0) return;
          }
        })();
        await Promise.all(clients.map((client, i) => write(client, scripts[i] ?? [], committed)));
        over = true;
        await reader;
        await Promise.all(clients.map((client) => client.end()));
        expect(seen).toEqual((await readFeed(context)).map(({ id }) => id));
        expect(new Set(seen).size).toBe(seen.length);
        expect(committed.filter((id) => !seen.includes(id))).toEqual([]);
        expect(await positions()).toEqual(seen.map((_, i) => i + 1));
      },
    ),
    { numRuns: 12, endOnFailure: true },
  );
}, 60_000);

test('concurrent verbs appear once each, in an order that never changes', async () => {
  const names = Array.from({ length: 60 }, (_, i) => `v${i}`);
  const seen: string[] = [];
  let cursor: string | null = null;
  const writers = new AbortController();
  const reader = (async () => {
    for (let atEnd = false; !atEnd; ) {
      // A page that was empty before the last write says nothing about later events.
      const written = writers.signal.aborted;
      const next = await page(cursor, 7);
      atEnd = written && next.data.length === 0;
      cursor = next.next_cursor;
      seen.push(...next.data.map(({ id }) => id));
    }
  })();
  await Promise.all(names.map((name) => createCompany(context, { name })));
  writers.abort();
  await reader;
  const feed = await readFeed(context);
  expect(seen).toEqual(feed.map(({ id }) => id));
  expect(
    namesOf(feed)
      .filter((name) => names.includes(name))
      .toSorted(),
  ).toEqual(names.toSorted());
});

test('an envelope has exactly the fields of the interface, in bytes that are stored once', async () => {
  const company = await createCompany(context, { name: 'Envelope' });
  const event = (await readFeed(context)).at(-1);
  expect(Object.keys(event ?? {})).toEqual(['id', 'type', 'created_at', 'account_id', 'company_id', 'data']);
  expect(event?.company_id).toBe(company.id);
  expect(await getEvent(context, { event_id: event?.id ?? '' })).toEqual(event);
  const { rows } = await raw.query<{ body: string }>('SELECT body FROM event WHERE id = $1', [event?.id]);
  expect(rows[0]?.body).toBe(JSON.stringify(event));
  const [key] = (await readFeed(context)).filter(({ type }) => type === 'api_key.created');
  expect(Object.keys(key ?? {})).toEqual(['id', 'type', 'created_at', 'account_id', 'data']);
});

test('the heads of the feed match its events, in pages that large bodies do not shorten', async () => {
  const { companyId, context: reader } = await fixture.otherAccount();
  const { next_cursor: start } = await listEvents(reader, { limit: 200, order: 'asc' });
  for (let i = 0; i < 6; i++) {
    await updateCompany(reader, { company_id: companyId, legal_name: `Name ${i}` });
  }
  const padding = JSON.stringify({ padding: 'x'.repeat(1024 * 1024) });
  await raw.query('UPDATE event SET body = (body::jsonb || $2)::text WHERE account_id = $1', [
    reader.accountId,
    padding,
  ]);
  const heads = await listEventHeads(reader, { after: start ?? '', limit: 200 });
  expect(heads.has_more).toBe(false);
  const events = await readAll((after = start ?? '') => listEvents(reader, { limit: 200, order: 'asc', after }));
  expect(heads.data).toEqual(
    events.map(({ id, type, company_id, created_at }) => ({ id, type, company_id, created_at })),
  );
  expect(heads.data).toHaveLength(6);
});

test('a cursor of a lost state is rejected until events have passed it', async () => {
  const { companyId, context: reader } = await fixture.otherAccount();
  const ahead = Number(await readPosition(reader.database, reader.accountId)) + 2;
  const next = () => listEvents(reader, { limit: 200, order: 'asc', after: encodeCursor([String(ahead)]) });
  const rename = (legal_name: string) => updateCompany(reader, { company_id: companyId, legal_name });
  await rename('Before');
  await expect(next()).rejects.toMatchObject({ code: 'invalid_cursor', message: expect.stringContaining('restored') });
  await rename('At');
  expect((await next()).data).toEqual([]);
  await rename('After');
  expect((await next()).data.map(({ type }) => type)).toEqual(['company.updated']);
});
