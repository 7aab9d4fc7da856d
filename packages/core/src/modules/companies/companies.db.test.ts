// Risk: fields of a company are lost or changed when it is stored, or a search text is used as a pattern.
import { operations } from '@finhook/contracts';
import { expect, test } from 'vitest';
import { useFixture } from '../../../test/core-fixture.ts';
import { readFeed } from '../../../test/read-all.ts';
import { createCompany } from './create.ts';
import { getCompany, listCompanies } from './read.ts';
import { updateCompany } from './update.ts';

const fixture = useFixture();

const isAccepted = (timezone: string): boolean =>
  operations.companies.create.input.safeParse({ name: 'x', timezone }).success;

test('in every accepted time zone PostgreSQL and Node compute the same local time', async () => {
  const moments = ['2021-11-02T12:00:00Z', '2026-01-15T12:00:00Z', '2026-03-20T12:00:00Z', '2026-07-15T12:00:00Z'];
  const rows = await fixture.context.database.query<{ name: string; moment: string; local: string }>(
    `SELECT name, moment, to_char(moment::timestamptz AT TIME ZONE name, 'YYYY-MM-DD HH24:MI') AS local
     FROM pg_timezone_names CROSS JOIN unnest($1::text[]) AS moment`,
    [moments],
  );
  const accepted = rows.filter(({ name }) => isAccepted(name));
  expect(accepted.length).toBeGreaterThan(400 * moments.length);
  const inNode = accepted.map(({ name, moment }) => {
    const format = new Intl.DateTimeFormat('sv-SE', { timeZone: name, dateStyle: 'short', timeStyle: 'short' });
    return { name, moment, local: format.format(new Date(moment)) };
  });
  expect(accepted).toEqual(inNode);
});

test.each(['CET', 'IST', 'EST', 'ECT', 'cet', 'Mars/Olympus', ''])('the time zone %j is rejected', (timezone) => {
  expect(isAccepted(timezone)).toBe(false);
});

test('a time zone that only Node knows is rejected on create and update, and nothing is stored', async () => {
  const { context } = await fixture.otherAccount();
  const timezone = 'US/Pacific-New';
  expect(isAccepted(timezone)).toBe(true);
  const fault = { code: 'validation_failed', fields: [{ pointer: '/timezone', code: 'invalid_timezone' }] };
  await expect(createCompany(context, { name: 'a', timezone })).rejects.toMatchObject(fault);
  const { id: company_id } = await createCompany(context, { name: 'b', timezone: 'europe/Berlin' });
  await expect(updateCompany(context, { company_id, timezone })).rejects.toMatchObject(fault);
  const stored = (await listCompanies(context, { limit: 5, order: 'asc' })).data;
  expect(stored.map((company) => company.timezone)).toEqual(['UTC', 'europe/Berlin']);
});

test('a fiscal year ends on a day that its month has', () => {
  const isDay = (fiscal_year_end: string): boolean =>
    operations.companies.create.input.safeParse({ name: 'x', fiscal_year_end }).success;
  expect(['02-29', '04-30', '12-31', '01-01'].filter(isDay)).toHaveLength(4);
  expect(['02-30', '02-31', '04-31', '11-31', '00-10', '13-01', '06-00', '12-32'].filter(isDay)).toEqual([]);
});

test('metadata keys like __proto__ and constructor are data like any other, everywhere', async () => {
  const { context } = fixture;
  const sent = '{"__proto__":"a","constructor":"b","toString":"c","x":"d"}';
  const record = await createCompany(context, { name: 'Proto', metadata: JSON.parse(sent) });
  const read = await getCompany(context, { company_id: record.id });
  const listed = (await listCompanies(context, { limit: 1, order: 'desc' })).data[0];
  const event = (await readFeed(context, 'company.created')).find(({ company_id }) => company_id === record.id);
  // A jsonb column has its own order of keys, so entries are compared.
  for (const metadata of [record.metadata, read.metadata, listed?.metadata, event?.data['metadata']]) {
    expect(new Map(Object.entries(Object(metadata)))).toEqual(new Map(Object.entries(JSON.parse(sent))));
  }
  expect(Reflect.get({}, 'x')).toBeUndefined();
});
