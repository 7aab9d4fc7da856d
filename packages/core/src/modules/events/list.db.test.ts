// Risk: a reader of the feed misses an event that committed late, or sees one twice.

import { createTestRandom } from '@finhook/testing';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { type CoreFixture, openFixture } from '../../../test/core-fixture.ts';
import { openRawClient } from '../../../test/raw-client.ts';
import { readAll, readFeed, waitForSettledFeed } from '../../../test/read-all.ts';
import type { Context } from '../../kernel/context.ts';
import { encodeCursor } from '../../kernel/keyset.ts';
import { createCompany } from '../companies/create.ts';
import { updateCompany } from '../companies/update.ts';
import { getEvent, listEventHeads, listEvents } from './read.ts';

let fixture: CoreFixture;
let context: Context;
let raw: pg.Client;
beforeAll(async () => {
  fixture = await openFixture(inject('pgUrl'));
  raw = await openRawClient(fixture.database.url);
});
beforeEach(async () => {
  context = (await fixture.otherAccount()).context;
});
afterAll(async () => {
  await raw.end();
  await fixture.close();
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
  await client.query('INSERT INTO event (id, account_id, type, created_at, body) VALUES ($1, $2, $3, $4, $5)', [
    id,
    context.accountId,
    body.type,
    body.created_at,
    JSON.stringify(body),
  ]);
  return id;
}

test('C25: an event that commits late is not passed by, and writers of the account do not wait for it', async () => {
  await waitForSettledFeed(context);
  const start = (await page()).next_cursor;
  await raw.query('BEGIN');
  const late = await insertEvent(raw, 'late');
  // This one gets a later place and commits at once, beside the open transaction.
  await createCompany(context, { name: 'early' });
  const held = await page(start);
  expect(held.data).toEqual([]);
  expect(held.next_cursor).toBe(start);
  await raw.query('COMMIT');
  await waitForSettledFeed(context);
  const settled = await page(start);
  expect(namesOf(settled.data)).toEqual(['late', 'early']);
  expect(settled.data[0]?.id).toBe(late);
  expect((await page(settled.next_cursor)).data).toEqual([]);
});

test('C25: a transaction that rolls back leaves nothing and holds nothing back', async () => {
  await raw.query('BEGIN');
  await insertEvent(raw, 'gone');
  await createCompany(context, { name: 'stays' });
  await raw.query('ROLLBACK');
  expect(namesOf(await readFeed(context)).at(-1)).toBe('stays');
});

test('C25: a reader that pages while writers commit out of order misses nothing and sees nothing twice', async () => {
  const random = createTestRandom(25);
  const clients = await Promise.all(Array.from({ length: 10 }, () => openRawClient(fixture.database.url)));
  const committed: string[] = [];
  const seen: string[] = [];
  let cursor: string | null = null;
  const follow = async () => {
    const next = await page(cursor, 1 + random.integer(5));
    seen.push(...next.data.map(({ id }) => id));
    cursor = next.next_cursor;
    return next.has_more;
  };
  const open = new Map<pg.Client, string[]>();
  for (let step = 0; step < 400; step++) {
    const client = clients[random.integer(clients.length)];
    if (!client) throw new Error('There is no such writer.');
    const mine = open.get(client);
    if (!mine) {
      await client.query('BEGIN');
      open.set(client, []);
    } else if (mine.length > 0 && random.integer(3) === 0) {
      const commits = random.integer(6) > 0;
      await client.query(commits ? 'COMMIT' : 'ROLLBACK');
      if (commits) committed.push(...mine);
      open.delete(client);
    } else mine.push(await insertEvent(client, `${step}`));
    if (random.integer(3) === 0) await follow();
  }
  for (const [client, mine] of open) {
    await client.query('COMMIT');
    committed.push(...mine);
    await follow();
  }
  await waitForSettledFeed(context);
  while (await follow());
  // The account's first events, from its opening, are in the feed too.
  const expected = (await readFeed(context)).map(({ id }) => id);
  expect(seen).toEqual(expected);
  expect(new Set(seen).size).toBe(seen.length);
  expect(committed.filter((id) => !seen.includes(id))).toEqual([]);
  expect(committed.length).toBeGreaterThan(50);
  await Promise.all(clients.map((client) => client.end()));
});

test('C25: concurrent verbs appear once each, in an order that never changes', async () => {
  const names = Array.from({ length: 60 }, (_, i) => `v${i}`);
  const seen: string[] = [];
  let cursor: string | null = null;
  const writers = new AbortController();
  const reader = (async () => {
    for (let atEnd = false; !atEnd; ) {
      // A page that was empty before the last write says nothing of what came after it.
      const written = writers.signal.aborted;
      if (written) await waitForSettledFeed(context);
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

test('the feed is filtered by type, company and time, and read backwards too', async () => {
  const a = await createCompany(context, { name: 'A' });
  const b = await createCompany(context, { name: 'B' });
  const feed = await readFeed(context);
  const found = async (more: Partial<Parameters<typeof listEvents>[1]>) =>
    (await listEvents(context, { limit: 50, order: 'asc', ...more })).data;
  expect(namesOf(await found({ company_id: a.id }))).toEqual(['A']);
  expect(namesOf(await found({ type: 'company.created', order: 'desc', limit: 2 }))).toEqual(['B', 'A']);
  expect(await found({ created_from: b.created_at, company_id: a.id, created_to: a.created_at })).toEqual([]);
  expect((await found({ order: 'desc' })).toReversed()).toEqual(feed);
  const [first, last] = [a.created_at, b.created_at].map((at) => feed.filter(({ created_at }) => created_at >= at));
  expect(await found({ created_from: a.created_at })).toEqual(first);
  expect(await found({ created_from: b.created_at, created_to: '9999-12-31T23:59:59-12:00' })).toEqual(last);
  const before = feed.filter(({ created_at }) => created_at < b.created_at);
  expect(await found({ created_from: '0001-01-01T00:00:00Z', created_to: b.created_at })).toEqual(before);
  for (const event of feed) expect(await getEvent(context, { event_id: event.id })).toEqual(event);
});

test('D52: an envelope has exactly the fields of the interface, in bytes that are stored once', async () => {
  const company = await createCompany(context, { name: 'Envelope' });
  const event = (await readFeed(context)).at(-1);
  expect(Object.keys(event ?? {})).toEqual(['id', 'type', 'created_at', 'account_id', 'company_id', 'data']);
  expect(event?.company_id).toBe(company.id);
  const { rows } = await raw.query<{ body: string }>('SELECT body FROM event WHERE id = $1', [event?.id]);
  expect(rows[0]?.body).toBe(JSON.stringify(event));
  const [key] = (await readFeed(context)).filter(({ type }) => type === 'api_key.created');
  expect(Object.keys(key ?? {})).toEqual(['id', 'type', 'created_at', 'account_id', 'data']);
});

test('the heads of the feed are those of its events, in pages that large bodies do not cut', async () => {
  const { companyId, context: reader } = await fixture.otherAccount();
  await waitForSettledFeed(reader);
  const { next_cursor: start } = await listEvents(reader, { limit: 200, order: 'asc' });
  for (let i = 0; i < 6; i++) {
    await updateCompany(reader, { company_id: companyId, legal_name: `Name ${i}` });
  }
  const padding = JSON.stringify({ padding: 'x'.repeat(1024 * 1024) });
  await raw.query('UPDATE event SET body = (body::jsonb || $2)::text WHERE account_id = $1', [
    reader.accountId,
    padding,
  ]);
  await waitForSettledFeed(reader);
  const heads = await listEventHeads(reader, { after: start ?? '', limit: 200 });
  expect(heads.has_more).toBe(false);
  const events = await readAll((after = start ?? '') => listEvents(reader, { limit: 200, order: 'asc', after }));
  expect(heads.data).toEqual(
    events.map(({ id, type, company_id, created_at }) => ({ id, type, company_id, created_at })),
  );
  expect(heads.data).toHaveLength(6);
});

test('C25: a cursor of a state that was lost is rejected, until nothing new can stand before it', async () => {
  const { companyId, context: reader } = await fixture.otherAccount();
  const { rows } = await raw.query<{ ahead: string }>(
    'SELECT (pg_snapshot_xmax(pg_current_snapshot())::text::bigint + 50000)::text AS ahead',
  );
  const ahead = rows[0]?.ahead ?? '';
  const after = encodeCursor([ahead, 'evt_01kgw3q2m8v7d5n0r4t6x9zabc']);
  const next = () => listEvents(reader, { limit: 200, order: 'asc', after });
  await updateCompany(reader, { company_id: companyId, legal_name: 'Before' });
  await expect(next()).rejects.toMatchObject({ code: 'invalid_cursor', message: expect.stringContaining('restored') });
  await raw.query(`DO $$ BEGIN
    WHILE pg_snapshot_xmax(pg_current_snapshot()) <= '${ahead}'::xid8 LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP;
  END $$`);
  expect((await next()).data).toEqual([]);
  await updateCompany(reader, { company_id: companyId, legal_name: 'After' });
  await waitForSettledFeed(reader);
  expect((await next()).data.map(({ type }) => type)).toEqual(['company.updated']);
});
