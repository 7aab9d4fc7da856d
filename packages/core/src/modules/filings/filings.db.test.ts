// Risk: a filing is told of twice or never, is late without anybody being told, or is undone after it was submitted.

import type { operations } from '@finhook/contracts';
import { createTestClock } from '@finhook/testing';
import { beforeEach, describe, expect, test } from 'vitest';
import { useFixture } from '../../../test/core-fixture.ts';
import { readAll, readFeed } from '../../../test/read-all.ts';
import { readAudits } from '../../../test/read-audits.ts';
import type { Context } from '../../kernel/context.ts';
import type { InputOf } from '../../kernel/verb.ts';
import { createCompany } from '../companies/create.ts';
import { dissolveCompany } from '../companies/dissolve.ts';
import { createFiling } from './create.ts';
import { getFiling, listFilings } from './filing.ts';
import { filingStates, submitFiling } from './submit.ts';

type NewFiling = InputOf<typeof operations.filings.create>;

const clock = createTestClock('2027-01-15T12:00:00.000Z');
const fixture = useFixture(clock);
let context: Context;
let company_id: string;
beforeEach(async () => {
  clock.set('2027-01-15T12:00:00.000Z');
  ({ context } = await fixture.otherAccount());
  company_id = (await createCompany(context, { name: 'Filer', timezone: 'America/New_York' })).id;
});

const open = (more: Partial<NewFiling> = {}) =>
  createFiling(context, { company_id, type: 'annual_report', due_date: '2027-03-01', ...more });
const traces = async () => {
  const [row] = await context.database.query<{ audits: number; events: number }>(
    `SELECT (SELECT count(*)::int FROM audit_log WHERE account_id = $1 AND action LIKE 'filings.%') AS audits,
            (SELECT count(*)::int FROM event WHERE account_id = $1 AND type LIKE 'filing.%') AS events`,
    [context.accountId],
  );
  return row;
};
const list = (more: Omit<Partial<InputOf<typeof operations.filings.list>>, 'company_id'> = {}) =>
  listFilings(context, { company_id, limit: 50, order: 'asc', ...more });

describe('opening', () => {
  test('a filing is answered, stored, told of and audited with the same fields', async () => {
    const record = await open({
      type: 'franchise_tax',
      title: 'Delaware franchise tax',
      jurisdiction: 'US-DE',
      period_start: '2026-01-01',
      period_end: '2026-12-31',
      fee_cents: 45_000,
      currency: 'usd',
      notes: 'Assumed par value method',
    });
    expect(record).toMatchObject({
      title: 'Delaware franchise tax',
      period_end: '2026-12-31',
      due_date: '2027-03-01',
      status: 'open',
      overdue: false,
      currency: 'USD',
      fee_cents: 45_000,
      submitted_at: null,
      obligation_key: null,
    });
    expect(await getFiling(context, { filing_id: record.id })).toEqual(record);
    expect((await list()).data).toEqual([record]);
    const [event] = await readFeed(context, 'filing.due');
    expect([event?.company_id, event?.data]).toEqual([company_id, record]);
    const audits = await readAudits(context, { action: 'filings.%' }, 'action', 'company_id', 'resource_id', 'after');
    expect(audits).toEqual([{ action: 'filings.create', company_id, resource_id: record.id, after: record }]);
  });

  test('filing.due is emitted whatever the due date, and a filing without a title is named after its type', async () => {
    const late = await open({ due_date: '2020-02-29' });
    const far = await open({ due_date: '2035-01-01', type: 'license' });
    expect([late.title, late.overdue, far.title, far.overdue]).toEqual(['Annual report', true, 'License', false]);
    expect(await readFeed(context, 'filing.due')).toHaveLength(2);
  });

  test.each([
    [{ due_date: '1969-12-31' }, '/due_date', 'date_out_of_range'],
    [{ due_date: '2090-01-01' }, '/due_date', 'date_out_of_range'],
    [{ period_start: '2026-02-01', period_end: '2026-01-31' }, '/period_start', 'out_of_range'],
    [{ period_start: '1900-01-01' }, '/period_start', 'date_out_of_range'],
    [{ fee_cents: 1 }, '/currency', 'required'],
  ])('%j is rejected at %s and leaves nothing', async (more, pointer, code) => {
    await expect(open(more)).rejects.toMatchObject({ code: 'validation_failed', fields: [{ pointer, code }] });
    expect(await traces()).toEqual({ audits: 0, events: 0 });
  });
});

describe('overdue', () => {
  test("begins with the day after the due date in the company's time zone, not the server's", async () => {
    const { id } = await open({ due_date: '2027-01-20' });
    const overdueAt = async (at: string) => {
      clock.set(at);
      const found = await getFiling(context, { filing_id: id });
      expect((await list()).data[0]?.overdue).toBe(found.overdue);
      expect((await list({ overdue: true })).data.length).toBe(found.overdue ? 1 : 0);
      expect((await list({ overdue: false })).data.length).toBe(found.overdue ? 0 : 1);
      return found.overdue;
    };
    expect(await overdueAt('2027-01-21T04:59:59.999Z')).toBe(false);
    expect(await overdueAt('2027-01-21T05:00:00.000Z')).toBe(true);
    await submitFiling(context, { filing_id: id });
    expect(await overdueAt('2027-02-01T00:00:00.000Z')).toBe(false);
  });
});

describe('submitting', () => {
  test('what was not known before is stored with it, told of once and audited once', async () => {
    const { id, ...opened } = await open({ notes: 'Old' });
    const record = await submitFiling(context, {
      filing_id: id,
      confirmation_number: 'DE-1',
      submitted_at: '2027-01-14T23:30:00-05:00',
      fee_cents: 17_500,
      currency: 'usd',
    });
    expect(record).toMatchObject({
      ...opened,
      status: 'submitted',
      submitted_at: '2027-01-15T04:30:00.000Z',
      submitted_by: context.actor,
      confirmation_number: 'DE-1',
      fee_cents: 17_500,
      currency: 'USD',
      notes: 'Old',
    });
    const events = await readFeed(context, 'filing.submitted');
    expect(events.map(({ data }) => data)).toEqual([{ ...record, days_before_due: 46 }]);
    expect(await traces()).toEqual({ audits: 2, events: 2 });
  });

  test.each([
    ['2027-03-01T04:59:00Z', 1, 'still 28 February in New York'],
    ['2027-03-01T05:00:00Z', 0, 'the due date itself'],
    ['2027-03-02T04:59:00Z', 0, 'still the due date'],
    ['2027-03-02T05:00:00Z', -1, 'a day late'],
    ['2027-03-15T05:00:00Z', -14, 'across the change to summer time'],
  ])('at %s there are %i days before the due date: %s', async (submitted_at, days) => {
    clock.set('2027-06-01T00:00:00Z');
    const { id } = await open();
    await submitFiling(context, { filing_id: id, submitted_at });
    const [event] = await readFeed(context, 'filing.submitted');
    expect(event?.data['days_before_due']).toBe(days);
  });

  test('a repeat answers the filing as it is, without event and audit row, and says what it did not store', async () => {
    const { id } = await open();
    const first = await submitFiling(context, { filing_id: id, confirmation_number: 'A' });
    const before = await traces();
    clock.advance(1000);
    expect(await submitFiling(context, { filing_id: id })).toEqual(first);
    expect(await submitFiling(context, { filing_id: id, confirmation_number: 'A' })).toEqual(first);
    const { warnings, ...again } = await submitFiling(context, {
      filing_id: id,
      confirmation_number: 'B',
      fee_cents: 1,
      currency: 'usd',
    });
    expect(again).toEqual(first);
    expect(warnings?.map(({ code, pointer }) => [code, pointer])).toEqual([
      ['already_submitted', '/confirmation_number'],
      ['already_submitted', '/fee_cents'],
      ['already_submitted', '/currency'],
    ]);
    expect(await traces()).toEqual(before);
  });

  test('C43: of many submissions at once one takes effect, and all answer it', async () => {
    const { id } = await open();
    // Opens the pool's connections, so that none of the submissions waits for one.
    await Promise.all(Array.from({ length: 12 }, () => getFiling(context, { filing_id: id })));
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, i) => submitFiling(context, { filing_id: id, confirmation_number: `n${i}` })),
    );
    expect(new Set(answers.map(({ confirmation_number }) => confirmation_number)).size).toBe(1);
    expect(await readFeed(context, 'filing.submitted')).toHaveLength(1);
    expect(await traces()).toEqual({ audits: 2, events: 2 });
  });

  test.each([
    [{ fee_cents: 5 }, '/currency', 'required'],
    [{ submitted_at: '2027-01-15T12:05:01Z' }, '/submitted_at', 'date_out_of_range'],
    [{ submitted_at: '1969-12-31T23:59:59Z' }, '/submitted_at', 'date_out_of_range'],
  ])('%j is rejected at %s and leaves the filing open', async (more, pointer, code) => {
    const { id } = await open();
    await expect(submitFiling(context, { filing_id: id, ...more })).rejects.toMatchObject({
      code: 'validation_failed',
      fields: [{ pointer, code }],
    });
    expect(await getFiling(context, { filing_id: id })).toMatchObject({ status: 'open' });
    expect(await traces()).toEqual({ audits: 1, events: 1 });
  });

  test('a fee may follow in the currency that the filing has', async () => {
    const { id } = await open({ currency: 'EUR' });
    expect(await submitFiling(context, { filing_id: id, fee_cents: 5 })).toMatchObject({
      currency: 'EUR',
      fee_cents: 5,
    });
  });
});

test('the whole state machine: open can be submitted, submitted is final', () => {
  expect(filingStates.moves('open', 'submitted')).toBe(true);
  expect(filingStates.moves('open', 'open')).toBe(false);
  expect(filingStates.moves('submitted', 'submitted')).toBe(false);
  expect(() => filingStates.moves('submitted', 'open')).toThrow(
    expect.objectContaining({ code: 'invalid_state_transition', extra: { current_status: 'submitted', allowed: [] } }),
  );
});

describe('lists', () => {
  test('C40: filings come by due date, each once, and every filter selects what it says', async () => {
    const days = ['2027-01-31', '2027-02-28', '2027-02-28', '2026-12-31', '2027-04-15'];
    for (const due_date of days) await open({ due_date });
    const tax = await open({ type: 'income_tax', due_date: '2027-04-15' });
    await submitFiling(context, { filing_id: tax.id });
    const seen = await readAll((after) => list({ limit: 2, ...(after === undefined ? {} : { after }) }));
    expect(seen.map(({ due_date }) => due_date)).toEqual([...days, '2027-04-15'].sort());
    expect(new Set(seen.map(({ id }) => id)).size).toBe(6);
    const dates = async (filter: Parameters<typeof list>[0]) =>
      (await list(filter)).data.map(({ due_date }) => due_date);
    expect(await dates({ status: 'submitted' })).toEqual(['2027-04-15']);
    expect(await dates({ type: 'income_tax', status: 'open' })).toEqual([]);
    expect(await dates({ due_from: '2027-01-31', due_to: '2027-02-28' })).toHaveLength(3);
    expect(await dates({ overdue: true })).toEqual(['2026-12-31']);
    expect(await dates({ order: 'desc', limit: 1 })).toEqual(['2027-04-15']);
    expect((await list({ limit: 1, include: 'total_count' })).total_count).toBe(6);
  });
});

describe('reach', () => {
  test('S1, S3: a filing of another account or out of reach is unknown to every verb', async () => {
    const { id } = await open();
    const { context: stranger } = await fixture.otherAccount();
    const other = (await createCompany(context, { name: 'Elsewhere' })).id;
    const restricted: Context = { ...context, access: { companyIds: [other] } };
    const before = await traces();
    for (const who of [stranger, restricted]) {
      const unknown = { code: 'not_found', message: expect.stringContaining('No such filing') };
      await expect(getFiling(who, { filing_id: id })).rejects.toMatchObject(unknown);
      await expect(submitFiling(who, { filing_id: id })).rejects.toMatchObject(unknown);
      const noCompany = { code: 'company_not_found' };
      await expect(listFilings(who, { company_id, limit: 1, order: 'asc' })).rejects.toMatchObject(noCompany);
      await expect(createFiling(who, { company_id, type: 'other', due_date: '2027-01-01' })).rejects.toMatchObject(
        noCompany,
      );
    }
    expect(await traces()).toEqual(before);
    expect(await getFiling({ ...context, access: { companyIds: [company_id] } }, { filing_id: id })).toMatchObject({
      id,
    });
  });

  test('a dissolved company files nothing more; its filings can be read', async () => {
    const { id } = await open();
    await dissolveCompany(context, { company_id });
    const dissolved = { code: 'company_dissolved' };
    await expect(open()).rejects.toMatchObject(dissolved);
    await expect(submitFiling(context, { filing_id: id })).rejects.toMatchObject(dissolved);
    expect(await getFiling(context, { filing_id: id })).toMatchObject({ id, status: 'open' });
  });
});
