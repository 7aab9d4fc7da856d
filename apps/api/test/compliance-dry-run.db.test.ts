// Risk: a trial of a resync opens filings or sends their events, or uses up the key of the request that follows.
import { operations } from '@finhook/contracts';
import { expect, test } from 'vitest';
import { useApi } from './api-fixture.ts';

const fixture = useApi();
const { companies, compliance, filings } = operations;
const path = (company_id: string) => `/api/v1/companies/${company_id}/compliance/resync`;
const newCompany = async () => {
  const company = { name: 'Trial Inc', entity_type: 'c_corp', jurisdiction: 'US-DE' };
  return (await fixture.client.rest(companies.create, company)).body.id;
};
const filingsOf = async (company_id: string) =>
  (await fixture.client.rest(filings.list, { company_id, limit: 200 })).body.data;

test.each(['rest', 'trpc'] as const)(
  'a dry run over %s says what the resync with the same key then does',
  async (protocol) => {
    const company_id = await newCompany();
    const options = { headers: { 'idempotency-key': `trial-${protocol}` } };
    const { body, status } = await fixture.client[protocol](compliance.resync, { company_id, dry_run: true }, options);
    expect([status, body.dry_run, await filingsOf(company_id)]).toEqual([200, true, []]);
    const done = (await fixture.client[protocol](compliance.resync, { company_id }, options)).body;
    expect(done).not.toHaveProperty('dry_run');
    expect(done.filings_opened).toBeGreaterThan(0);
    expect(body).toMatchObject({ items_added: done.items_added, filings_opened: done.filings_opened });
    expect(body.planned_filings).toHaveLength(done.filings_opened);
    expect(body.planned_changes).toHaveLength(done.items_added);
    expect(await filingsOf(company_id)).toHaveLength(done.filings_opened);
  },
);

test('dry_run in the body of a resync is an error: ignored, it would open the filings', async () => {
  const company_id = await newCompany();
  const { status, problem } = await fixture.client.send('POST', path(company_id), { body: { dry_run: true } });
  expect([status, problem.errors]).toMatchObject([422, [{ pointer: '/dry_run' }]]);
  expect(await filingsOf(company_id)).toEqual([]);
});
