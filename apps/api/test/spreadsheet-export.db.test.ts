// Risk: a person opens an export and reads another day, amount or account than was stored, or runs a formula.
import { operations } from '@finhook/contracts';
import { beforeAll, expect, test } from 'vitest';
import { useApi } from './api-fixture.ts';
import { parseCsv } from './parse-csv.ts';

const fixture = useApi();
const { bank, companies } = operations;
let company_id: string;
let account: string;

beforeAll(async () => {
  const { client } = fixture;
  company_id = (await client.rest(companies.create, { name: 'Brightloom, Inc. “é”', timezone: 'America/New_York' }))
    .body.id;
  const given = {
    provider: 'ledger',
    institution_name: 'Example Bank',
    account_name: 'Operating',
    account_last4: '4411',
  };
  account = (await client.rest(bank.connections.create, { company_id, ...given })).body.id;
  const rows = [
    {
      posted_at: '2026-07-01T03:59:00Z',
      amount_cents: -5,
      currency: 'USD',
      connection_id: account,
      description: 'Fee',
    },
    { posted_at: '2026-07-01T04:00:00Z', amount_cents: -123_456, currency: 'USD', description: '=1+1', category: '@x' },
    {
      posted_at: '2026-09-30T23:00:00Z',
      amount_cents: 5_000,
      currency: 'JPY',
      counterparty: '-2+3',
      connection_id: 'yen',
    },
    { posted_at: '2026-10-01T03:59:59Z', amount_cents: 1_005, currency: 'KWD', description: 'two\r\nlines, "x"' },
  ];
  const transactions = rows.map((row, i) => ({ external_id: `t${i}`, ...row }));
  await client.rest(bank.transactions.ingest, { company_id, transactions });
  const voiding = { filter: { external_id: 't0' }, set: { voided: true }, expected_count: 1 };
  await client.rest(bank.transactions.bulk, { company_id, ...voiding });
});

const file = (filter: object = {}) =>
  fixture.client.rest(bank.transactions.list, { company_id, format: 'spreadsheet', order: 'asc', ...filter });
const nameOf = async (filter: object) =>
  /filename="(.*)"/.exec(String((await file(filter)).headers['content-disposition']))?.[1];

test('days are those of the company, amounts are decimals, accounts have names, and no text begins a formula', async () => {
  const { text, headers } = await file();
  expect(headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
  expect(text.startsWith('\uFEFFDate,')).toBe(true);
  const [header = [], ...rows] = parseCsv(text.slice(1));
  const titles = header.map((cell) => cell.text);
  const records = rows.map((row) => Object.fromEntries(titles.map((title, i) => [title, row[i]?.text])));
  expect(records).toMatchObject([
    {
      Date: '2026-06-30',
      'Time (America/New_York)': '23:59:00',
      Amount: '',
      'Voided amount': '-0.05',
      Account: 'Example Bank · Operating ····4411',
    },
    {
      Date: '2026-07-01',
      'Time (America/New_York)': '00:00:00',
      Amount: '-1234.56',
      Description: "'=1+1",
      Category: "'@x",
      Account: '',
    },
    { Date: '2026-09-30', Amount: '5000', Currency: 'JPY', Vendor: "'-2+3", Account: 'yen', 'Voided amount': '' },
    {
      Date: '2026-09-30',
      'Time (America/New_York)': '23:59:59',
      Amount: '1.005',
      Description: 'two\r\nlines, "x"',
      'External ID': 't3',
    },
  ]);
  // Numbers are not in quotes, so that they can be added up.
  expect(rows.map((row) => row[titles.indexOf('Amount')]?.quoted)).toEqual([false, false, false, false]);
});

test.each([
  [{ posted_from: '2026-07-01T04:00:00Z', posted_to: '2026-10-01T04:00:00Z' }, '2026-07-01-2026-09-30'],
  [{ posted_from: '2026-07-01T04:00:00Z' }, 'from-2026-07-01'],
  [{ posted_to: '2026-10-01T04:00:00Z' }, 'until-2026-09-30'],
  [{ month: '2026-09' }, '2026-09'],
])('the file is named by the company and the period: %j', async (filter, period) => {
  expect(await nameOf(filter)).toBe(`brightloom-inc-e-transactions-${period}.csv`);
});

test('filters select its rows, and what is invalid is rejected', async () => {
  const { text } = await file({ posted_from: '2026-07-01T04:00:00Z', connection_ids: ['yen', 'none'] });
  expect(parseCsv(text.slice(1))).toHaveLength(4);
  expect((await file({ posted_from: 'soon' })).problem.code).toBe('validation_failed');
  expect((await file({ include: 'totals' })).problem.code).toBe('unknown_parameter');
  expect((await file({ company_id: 'co_unknown' })).problem.code).toBe('company_not_found');
  const other = await fixture.client.rest(companies.list, { format: 'spreadsheet' });
  expect(other.problem).toMatchObject({ code: 'validation_failed' });
});
