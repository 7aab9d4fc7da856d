// Risk: a step is reported twice or never, or a company is active before it is formed.
import { beforeEach, expect, test } from 'vitest';
import { useFixture } from '../../../../test/core-fixture.ts';
import { readFeed } from '../../../../test/read-all.ts';
import { readAudits } from '../../../../test/read-audits.ts';
import type { Context } from '../../../verbs/context.ts';
import { createCompany } from '../create.ts';
import { getCompany, listCompanies } from '../read.ts';
import { updateCompany } from '../update.ts';
import { completeFormationStep } from './steps.ts';

const fixture = useFixture();
let context: Context;
let company: string;
let required: string[];
beforeEach(async () => {
  ({ context } = await fixture.otherAccount());
  const made = await createCompany(context, { name: 'New Inc', entity_type: 'llc', status: 'forming' });
  company = made.id;
  required = made.formation.steps.filter((step) => step.required).map(({ key }) => key);
});

const complete = (step_key: string, more: { note?: string; evidence_url?: string } = {}) =>
  completeFormationStep(context, { company_id: company, step_key, ...more });
const eventsOf = async (id = company) => (await readFeed(context)).filter(({ company_id }) => company_id === id);
const typesOf = async () => (await eventsOf()).map(({ type }) => type);
const auditsOf = (id = company) => readAudits(context, { company_id: id }, 'action', 'before', 'after');

test('a forming company has the steps of its type, in every response and in its event', async () => {
  const record = await getCompany(context, { company_id: company });
  expect(record).toMatchObject({ status: 'forming', formation: { completed_steps: 0, total_steps: 6 } });
  expect(record.formation.steps.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6]);
  expect(record.formation.steps[2]).toMatchObject({
    object: 'formation_step',
    company_id: company,
    key: 'articles_filed',
    required: true,
    status: 'pending',
    completed_at: null,
    completed_by: null,
    evidence_url: null,
    note: null,
  });
  expect((await eventsOf())[0]?.data).toEqual(record);
  expect((await auditsOf())[0]).toMatchObject({ after: record });
});

test('a company that is created active has no steps; a list gives each company its own', async () => {
  const active = await createCompany(context, { name: 'Old Inc', entity_type: 'llc' });
  const other = await createCompany(context, { name: 'Third', entity_type: 'other', status: 'forming' });
  expect(active).toMatchObject({ status: 'active', formation: { completed_steps: 0, total_steps: 0, steps: [] } });
  const { data } = await listCompanies(context, { limit: 10, order: 'desc' });
  expect(data.slice(0, 3).map(({ formation }) => formation.total_steps)).toEqual([4, 0, 6]);
  expect(data[0]).toEqual(await getCompany(context, { company_id: other.id }));
});

test('a step is completed once, with who, when, note and evidence; a repeat changes nothing', async () => {
  const evidence_url = 'https://example.com/a.pdf';
  const step = await complete('name_reserved', { note: 'n', evidence_url });
  expect(step).toMatchObject({
    key: 'name_reserved',
    status: 'completed',
    completed_by: context.actor,
    note: 'n',
    evidence_url,
    formation: { completed_steps: 1, total_steps: 6 },
  });
  expect(step.completed_at).toBe(step.updated_at);
  const record = await getCompany(context, { company_id: company });
  expect(record).toMatchObject({ status: 'forming', formation: { completed_steps: 1 }, updated_at: step.updated_at });
  expect(await complete('name_reserved', { note: 'other' })).toEqual(step);
  const [created, reported, ...more] = await eventsOf();
  expect([reported?.type, reported?.data, more]).toEqual(['company.formation.step_completed', step, []]);
  const audits = await auditsOf();
  expect(audits.slice(1)).toEqual([
    { action: 'companies.formation.completeStep', before: created?.data, after: record },
  ]);
});

test('the last required step activates the company: the step’s event comes first, then the change, in one request', async () => {
  for (const key of required.slice(0, -1)) await complete(key);
  expect((await getCompany(context, { company_id: company })).status).toBe('forming');
  const last = await complete(required.at(-1) ?? '');
  expect(last.formation).toEqual({ completed_steps: required.length, total_steps: 6 });
  const record = await getCompany(context, { company_id: company });
  expect(record.status).toBe('active');
  const events = await eventsOf();
  expect(events.slice(-2).map(({ type }) => type)).toEqual(['company.formation.step_completed', 'company.updated']);
  expect(events.at(-1)?.data).toEqual({ ...record, changed: ['status'], previous: { status: 'forming' } });
  expect(await auditsOf()).toHaveLength(1 + required.length);
  await complete('bank_account_opened');
  expect((await typesOf()).at(-1)).toBe('company.formation.step_completed');
  expect(await typesOf()).toHaveLength(events.length + 1);
});

test('a company can be activated before its steps are completed, and a later step reports only itself', async () => {
  await updateCompany(context, { company_id: company, status: 'active' });
  for (const key of required) await complete(key);
  expect((await typesOf()).filter((type) => type === 'company.updated')).toHaveLength(1);
});

test('required steps completed concurrently activate the company once', async () => {
  const answers = await Promise.all(required.map((key) => complete(key)));
  const counts = answers.map(({ formation }) => formation.completed_steps).toSorted();
  expect(counts).toEqual(required.map((_, i) => i + 1));
  expect((await typesOf()).slice(1)).toEqual([
    ...required.map(() => 'company.formation.step_completed'),
    'company.updated',
  ]);
  expect((await getCompany(context, { company_id: company })).status).toBe('active');
});

test('unknown steps are 404, also those of other types and companies without steps', async () => {
  const active = await createCompany(context, { name: 'Old Inc' });
  for (const [company_id, step_key] of [
    [company, 'stock_issued'],
    [company, 'NAME_RESERVED'],
    [active.id, 'ein_issued'],
  ] as const) {
    const rejected = completeFormationStep(context, { company_id, step_key });
    await expect(rejected).rejects.toMatchObject({ code: 'not_found', message: expect.stringContaining('step') });
  }
  expect(await typesOf()).toHaveLength(1);
});
