// Risk: a company with very many connections requests a year of each, and the response exhausts the memory of the api.
import { beforeAll, expect, test } from 'vitest';
import { useFixture } from '../../../test/core-fixture.ts';
import { getCashHistory } from './history.ts';

const SERIES = 1_000;

const fixture = useFixture();
beforeAll(async () => {
  await fixture.core.database.query(
    `INSERT INTO cash_balance (id, account_id, company_id, connection_id, as_of, balance_cents, currency, source, version, created_at, updated_at)
     SELECT 'bal_' || i, $1, $2, 'series-' || i, now()::date - 400, i, 'USD', 'api', 1, now(), now()
     FROM generate_series(1, $3::int) AS i`,
    [fixture.context.accountId, fixture.companyId, SERIES],
  );
});

const history = (days: number) => getCashHistory(fixture.context, { company_id: fixture.companyId, days });

test('more days than a response can have for so many series are rejected with the limit', async () => {
  const full = await history(100);
  expect(full.streams.map(({ points }) => points.length)).toEqual(Array.from({ length: SERIES }, () => 100));
  const fault = {
    pointer: '/days',
    code: 'out_of_range',
    message: 'must be at most 100 days: the company has 1000 streams, and a response holds 100000 points',
  };
  await expect(history(101)).rejects.toMatchObject({ status: 422, fields: [fault] });
  await expect(history(366)).rejects.toMatchObject({ status: 422, fields: [fault] });
});
