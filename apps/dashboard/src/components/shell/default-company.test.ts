// Risk: the first visit opens an empty company, while another one has all the data.
import { expect, test } from 'vitest';
import { partial } from '../../test/partial.ts';
import { defaultCompany } from './default-company.ts';

type Freshness = Parameters<typeof defaultCompany>[1][number];
type Stream = Freshness['streams'][number];

const companies = [{ id: 'co_newest' }, { id: 'co_middle' }, { id: 'co_oldest' }];
const stream = (balance: string | null, transactions: string | null) =>
  partial<Stream>({
    balance: partial<Stream['balance']>({ last_received_at: balance }),
    transactions: partial<Stream['transactions']>({ last_received_at: transactions }),
  });
const of = (company_id: string, ...streams: readonly Stream[]): Freshness => ({ company_id, streams: [...streams] });
const [march, april] = ['2026-03-01T10:00:00.000Z', '2026-04-01T10:00:00.000Z'];

test('the company whose balances or transactions arrived last is shown, wherever it stands in the list', () => {
  const read = [
    of('co_newest'),
    of('co_middle', stream(null, null), stream(null, april)),
    of('co_oldest', stream(march, null)),
  ];
  expect(defaultCompany(companies, read)?.id).toBe('co_middle');
  expect(defaultCompany(companies, [of('co_newest', stream(march, null))])?.id).toBe('co_newest');
});

test('without data it is the oldest, and none if there is no company', () => {
  expect(defaultCompany(companies, [])?.id).toBe('co_oldest');
  expect(defaultCompany(companies, [of('co_newest'), of('co_middle', stream(null, null))])?.id).toBe('co_oldest');
  expect(defaultCompany([], [])).toBe(undefined);
});
