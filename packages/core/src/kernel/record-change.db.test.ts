// Risk: a change is audited under another record or company than its event, or one of the two is lost.
import { events } from '@finhook/contracts';
import { expect, test } from 'vitest';
import { useFixture } from '../../test/core-fixture.ts';
import { readAudits } from '../../test/read-audits.ts';
import { recordChange } from './record-change.ts';
import { transaction } from './transaction.ts';

const fixture = useFixture();

const rows = (resource: string) =>
  readAudits(fixture.context, { resource_id: resource }, 'company_id', 'resource_id', 'action', 'before', 'after');

test('a change’s event is of the change’s company', async () => {
  const { context, companyId: company_id } = fixture;
  const after = { id: 'sr_1', company_id };
  const data = events['filing.due'].sample;
  await transaction(context, async (tx) =>
    recordChange(tx, context, { action: 'filings.create', after, event: { type: 'filing.due', data } }),
  );
  const stored = await fixture.core.database.query('SELECT company_id FROM event WHERE type = $1', ['filing.due']);
  expect(stored).toEqual([{ company_id }]);
});

test('a record names what its change is filed under, and what is given beside it goes before', async () => {
  const { context, companyId: company_id } = fixture;
  await transaction(context, async (tx) => {
    const before = { id: 'case_1', company_id, title: 'a' };
    recordChange(tx, context, { action: 'cases.update', before, after: { ...before, title: 'b' } });
    recordChange(tx, context, { action: 'cases.end', before });
    const after = { company_id: null };
    recordChange(tx, context, { action: 'agents.attach', resourceId: 'agent_1', companyId: company_id, after });
    const replay = { id: 'rpl_1', company_id };
    recordChange(tx, context, { action: 'replays.pause', companyId: null, after: replay });
  });
  const before = { id: 'case_1', company_id, title: 'a' };
  expect(await rows('case_1')).toEqual([
    { company_id, resource_id: 'case_1', action: 'cases.update', before, after: { ...before, title: 'b' } },
    { company_id, resource_id: 'case_1', action: 'cases.end', before, after: null },
  ]);
  expect(await rows('agent_1')).toMatchObject([{ company_id, action: 'agents.attach', before: null }]);
  expect(await rows('rpl_1')).toMatchObject([{ company_id: null, action: 'replays.pause' }]);
});
