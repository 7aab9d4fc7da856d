// Risk: a filing's event is sent twice or never, a late filing is not shown as overdue, or a submission is undone after its time.

import type { operations } from '@finhook/contracts';
import { createTestClock } from '@finhook/testing';
import { beforeEach, describe, expect, test } from 'vitest';
import { useFixture } from '../../../test/core-fixture.ts';
import { readFeed } from '../../../test/read-all.ts';
import type { Context } from '../../verbs/context.ts';
import type { InputOf } from '../../verbs/verb.ts';
import { createCompany } from '../companies/create.ts';
import { createFiling } from './create.ts';
import { getFiling, listFilings } from './filing.ts';
import { reopenFiling } from './reopen.ts';
import { submitFiling } from './submit.ts';

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
    const same = { ...first, warnings: [{ code: 'already_submitted', message: expect.any(String) }] };
    expect(await submitFiling(context, { filing_id: id })).toEqual(same);
    expect(await submitFiling(context, { filing_id: id, confirmation_number: 'A' })).toEqual(same);
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
    const { id } = await open({ currency: 'EUR', notes: 'Old' });
    const fee = { currency: 'EUR', fee_cents: 5, notes: 'Old' };
    expect(await submitFiling(context, { filing_id: id, fee_cents: 5 })).toMatchObject(fee);
  });
});

describe('reopening', () => {
  const submitted = async (more: Omit<InputOf<typeof operations.filings.submit>, 'filing_id'> = {}) => {
    const opened = await open();
    await submitFiling(context, { filing_id: opened.id, confirmation_number: 'A', ...more });
    return opened;
  };
  const reopen = (filing_id: string) => reopenFiling(context, { filing_id });

  test('takes back the submission and its number, keeps what else was sent, and emits filing.reopened', async () => {
    const opened = await submitted({ fee_cents: 5, currency: 'EUR', notes: 'Paid' });
    clock.advance(60_000);
    const after = await reopen(opened.id);
    const kept = { fee_cents: 5, currency: 'EUR', notes: 'Paid' };
    expect(after).toEqual({ ...opened, ...kept, updated_at: '2027-01-15T12:01:00.000Z' });
    expect(await getFiling(context, { filing_id: opened.id })).toEqual(after);
    const [event] = await readFeed(context, 'filing.reopened');
    expect(event).toMatchObject({ company_id, data: { ...after, previous_confirmation_number: 'A' } });
    expect(await submitFiling(context, { filing_id: opened.id })).toMatchObject({ confirmation_number: null });
  });

  test('is possible for ten minutes from the request that submitted it, whatever submitted_at and repeats say', async () => {
    const { id } = await submitted({ submitted_at: '2026-12-01T00:00:00Z' });
    clock.set('2027-01-15T12:09:00.000Z');
    await submitFiling(context, { filing_id: id });
    clock.set('2027-01-15T12:10:00.001Z');
    const before = await traces();
    await expect(reopen(id)).rejects.toMatchObject({
      code: 'invalid_state_transition',
      message: expect.stringContaining('until 2027-01-15T12:10:00.000Z'),
      extra: { current_status: 'submitted', allowed: [], reopenable_until: '2027-01-15T12:10:00.000Z' },
    });
    expect(await traces()).toEqual(before);
    clock.set('2027-01-15T12:10:00.000Z');
    expect(await reopen(id)).toMatchObject({ status: 'open', overdue: false });
  });

  test('the ten minutes begin again with another submission', async () => {
    const { id } = await submitted();
    await reopen(id);
    clock.advance(60 * 60_000);
    await submitFiling(context, { filing_id: id });
    clock.advance(10 * 60_000);
    expect(await reopen(id)).toMatchObject({ status: 'open' });
  });
});
