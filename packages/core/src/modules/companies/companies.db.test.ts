// Risk: a company loses or changes fields on its way in, or a search text acts as a pattern.
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type CoreFixture, openFixture } from '../../../test/core-fixture.ts';
import { readAll, readFeed } from '../../../test/read-all.ts';
import { createCompany, getCompany, listCompanies } from '../../index.ts';

let fixture: CoreFixture;
beforeAll(async () => {
  fixture = await openFixture(inject('pgUrl'));
});
afterAll(() => fixture.close());

test('a company is answered, stored, told of and audited with the same fields', async () => {
  const { context } = fixture;
  const record = await createCompany(context, {
    name: 'Ünïcode 😀 Inc',
    legal_name: 'U, Inc.',
    entity_type: 'llc',
    country: 'DE',
    jurisdiction: 'DE-BE',
    tax_id_last4: '0042',
    base_currency: 'eur',
    timezone: 'Europe/Berlin',
    fiscal_year_end: '06-30',
    wire_approval_threshold_cents: Number.MAX_SAFE_INTEGER,
    metadata: { a: '1' },
  });
  expect(record).toMatchObject({
    base_currency: 'EUR',
    wire_approval_threshold_cents: Number.MAX_SAFE_INTEGER,
    status: 'active',
  });
  expect(await getCompany(context, { company_id: record.id })).toEqual(record);
  const event = (await readFeed(context, 'company.created')).find(({ company_id }) => company_id === record.id);
  expect(event?.data).toEqual(record);
  const audits = await context.database.query(
    'SELECT action, actor, ip, request_id, after FROM audit_log WHERE company_id = $1',
    [record.id],
  );
  expect(audits).toEqual([
    { action: 'companies.create', actor: context.actor, ip: '127.0.0.1', request_id: 'req_test', after: record },
  ]);
});

test('S32: metadata keys like __proto__ and constructor are data like any other, everywhere', async () => {
  const { context } = fixture;
  const sent = '{"__proto__":"a","constructor":"b","toString":"c","x":"d"}';
  const record = await createCompany(context, { name: 'Proto', metadata: JSON.parse(sent) });
  const read = await getCompany(context, { company_id: record.id });
  const listed = (await listCompanies(context, { limit: 1, order: 'desc' })).data[0];
  const event = (await readFeed(context, 'company.created')).find(({ company_id }) => company_id === record.id);
  // A jsonb column orders keys its own way, so entries are compared and not text.
  for (const metadata of [record.metadata, read.metadata, listed?.metadata, event?.data['metadata']]) {
    expect(new Map(Object.entries(Object(metadata)))).toEqual(new Map(Object.entries(JSON.parse(sent))));
  }
  expect(Reflect.get({}, 'x')).toBeUndefined();
});

test('S33: wildcards in q are plain characters', async () => {
  const { context } = await fixture.otherAccount();
  for (const name of ['50% Inc', '50 Inc', 'A_B', 'AxB', 'Back\\slash'])
    await createCompany(context, { name, legal_name: `${name} legal` });
  const found = async (q: string) =>
    (await listCompanies(context, { limit: 50, order: 'asc', q })).data.map(({ name }) => name);
  expect(await found('50%')).toEqual(['50% Inc']);
  expect(await found('a_b')).toEqual(['A_B']);
  expect(await found('\\')).toEqual(['Back\\slash']);
  expect(await found('LEGAL')).toHaveLength(5);
  expect(await found('%%')).toEqual([]);
});

test('C40: companies are listed newest first, each once, while others are created', async () => {
  const { context } = await fixture.otherAccount();
  const start: string[] = [];
  for (let i = 0; i < 20; i++) start.push((await createCompany(context, { name: `c${i}` })).id);
  const seen = await readAll(async (after) => {
    await createCompany(context, { name: 'later' });
    return listCompanies(context, { limit: 3, order: 'desc', ...(after === undefined ? {} : { after }) });
  });
  const ids = seen.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.filter((id) => start.includes(id))).toEqual(start.toReversed());
  expect(ids.toSorted().reverse()).toEqual(ids);
});
