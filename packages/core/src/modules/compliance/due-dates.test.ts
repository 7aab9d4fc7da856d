// Risk: a due date is wrong or missing, and the company pays a penalty.
import fc from 'fast-check';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { addDays, daysBetween } from '../../time/calendar.ts';
import { addYears, calendarDay, lastDay, monthOf, yearOf } from './business-days.ts';
import { dueDates } from './due-dates.ts';
import type { DayOffRule, DueRule } from './obligation.ts';
import { obligations } from './select-obligations.ts';

afterEach(() => vi.unstubAllEnvs());

const facts = { fiscalYearEnd: '12-31', formedOn: '2021-02-28' };
const rule = (due: DueRule, dayOff: DayOffRule = 'stays') => ({ due, dayOff });
const byKey = (key: string) => {
  const found = obligations.find((obligation) => obligation.key === key);
  if (!found) throw new Error(`There is no obligation ${key}.`);
  return found;
};

describe('known dates', () => {
  test.each([
    ['us.form_1120', '12-31', ['2027-04-15']],
    ['us.form_1120', '06-30', ['2027-10-15']],
    ['us.form_1120', '11-30', ['2027-03-15']],
    ['us.form_1120_s', '12-31', ['2027-03-15']],
    ['us.form_1065', '12-31', ['2027-03-15']],
    ['us.form_990', '12-31', ['2027-05-17']],
    ['us.form_990', '06-30', ['2027-11-15']],
    ['us.corporation_estimated_tax', '12-31', ['2027-04-15', '2027-06-15', '2027-09-15', '2027-12-15']],
    ['us.corporation_estimated_tax', '06-30', ['2027-03-15', '2027-06-15', '2027-10-15', '2027-12-15']],
    ['us.individual_estimated_tax', '12-31', ['2027-01-15', '2027-04-15', '2027-06-15', '2027-09-15']],
    ['us.form_941', '12-31', ['2027-02-01', '2027-04-30', '2027-08-02', '2027-11-01']],
    ['us.form_w2', '06-30', ['2027-02-01']],
    ['us.information_returns', '12-31', ['2027-03-31']],
    ['us-de.corporation_annual_report', '06-30', ['2027-03-01']],
    ['us-de.alternative_entity_tax', '12-31', ['2027-06-01']],
    ['us-ca.corporation_statement_of_information', '12-31', ['2027-02-28']],
    ['us-ca.biennial_statement_of_information', '12-31', ['2027-02-28']],
    ['us-ca.llc_annual_tax', '06-30', ['2027-10-15']],
    ['us-ca.llc_estimated_fee', '12-31', ['2027-06-15']],
    ['us-ny.biennial_statement', '12-31', ['2027-02-28']],
    ['us-wy.llc_annual_report', '12-31', ['2027-02-01']],
    ['us-tx.franchise_tax_report', '12-31', ['2027-05-17']],
    ['us-fl.annual_report', '12-31', ['2027-05-01']],
    ['gb.confirmation_statement', '12-31', ['2027-03-13']],
    ['gb.annual_accounts', '12-31', ['2027-09-30']],
    ['gb.annual_accounts', '03-31', ['2027-12-31']],
    ['gb.annual_accounts', '06-30', ['2027-03-31']],
    ['gb.annual_accounts', '04-05', ['2027-01-05']],
    ['gb.corporation_tax_payment', '12-31', ['2027-10-01']],
    ['gb.corporation_tax_payment', '03-31', ['2027-01-01']],
    ['gb.company_tax_return', '12-31', ['2027-12-31']],
  ])('%s with a year that ends on %s', (key, fiscalYearEnd, expected) => {
    const found = dueDates(byKey(key), { ...facts, fiscalYearEnd }, '2027-01-01', '2027-12-31');
    expect(found.map(({ due_date }) => due_date)).toEqual(expected);
  });

  test('a company incorporated on 1 January 2017 confirms by 14 January 2018, as Companies House requires', () => {
    const incorporated = { ...facts, formedOn: '2017-01-01' };
    expect(dueDates(byKey('gb.confirmation_statement'), incorporated, '2017-01-01', '2018-12-31')).toEqual([
      { due_date: '2018-01-14', period_start: '2017-01-01', period_end: '2017-12-31' },
    ]);
  });

  test('a due date has the period that it covers', () => {
    const [quarter] = dueDates(byKey('us.form_941'), facts, '2027-04-30', '2027-04-30');
    expect(quarter).toEqual({ due_date: '2027-04-30', period_start: '2027-01-01', period_end: '2027-03-31' });
    const june = { ...facts, fiscalYearEnd: '06-30' };
    const [year] = dueDates(byKey('us.form_1120_s'), june, '2027-09-15', '2027-09-15');
    expect(year).toEqual({ due_date: '2027-09-15', period_start: '2026-07-01', period_end: '2027-06-30' });
    const [report] = dueDates(byKey('us-de.corporation_annual_report'), june, '2027-03-01', '2027-03-01');
    expect(report).toEqual({ due_date: '2027-03-01', period_start: '2026-01-01', period_end: '2026-12-31' });
  });

  test.each(['02-29', '02-28'])('a year that ends on %s ends in every year', (fiscalYearEnd) => {
    const accounts = rule({ kind: 'after_fiscal_year', monthsAfter: 1, day: 15 });
    const found = dueDates(accounts, { ...facts, fiscalYearEnd }, '2027-01-01', '2029-12-31');
    expect(found.map(({ period_end }) => period_end)).toEqual([
      '2027-02-28',
      fiscalYearEnd === '02-29' ? '2028-02-29' : '2028-02-28',
      '2029-02-28',
    ]);
  });

  test.each([
    ['02-28', '2028-02-29', ['2028-06-15', '2028-08-15', '2028-11-15', '2029-02-15']],
    ['02-29', '2028-03-01', ['2028-06-15', '2028-08-15', '2028-11-15', '2029-02-15']],
    ['02-28', '2029-03-01', ['2029-06-15', '2029-08-15', '2029-11-15', '2030-02-15']],
  ])('estimated taxes of a year that ends on %s and starts on %s', (fiscalYearEnd, start, expected) => {
    const { due } = byKey('us.corporation_estimated_tax');
    const found = dueDates(rule(due), { ...facts, fiscalYearEnd }, '2028-03-01', '2030-02-28');
    expect(found.filter(({ period_start }) => period_start === start).map(({ due_date }) => due_date)).toEqual(
      expected,
    );
  });

  test('there is no anniversary before the first, and a biennial one follows the year of formation', () => {
    const biennial = byKey('us-ny.biennial_statement');
    const found = dueDates(biennial, { ...facts, formedOn: '2021-05-31' }, '2021-01-01', '2026-12-31');
    expect(found.map(({ due_date }) => due_date)).toEqual(['2023-05-31', '2025-05-31']);
  });
});

const day = fc.integer({ min: 0, max: 365 * 60 }).map((days) => addDays('2010-01-01', days));
const anyFacts = fc.record({
  fiscalYearEnd: day.map((date) => date.slice(5)),
  formedOn: day.map((date) => addYears(date, -72)),
});
const anyObligation = fc.constantFrom(...obligations);
const length = fc.integer({ min: 0, max: 1200 });

describe('every rule of the table', () => {
  test('has its dates within the window, in order, each once', () => {
    fc.assert(
      fc.property(anyObligation, anyFacts, day, length, (obligation, some, from, days) => {
        const to = addDays(from, days);
        const found = dueDates(obligation, some, from, to).map(({ due_date }) => due_date);
        for (const date of found) expect(date >= from && date <= to).toBe(true);
        expect(found).toEqual([...new Set(found)].sort());
      }),
    );
  });

  test('omits none: two adjacent windows have the dates of one over both', () => {
    fc.assert(
      fc.property(anyObligation, anyFacts, day, length, length, (obligation, some, from, first, second) => {
        const middle = addDays(from, first);
        const to = addDays(middle, second + 1);
        const parts = [
          ...dueDates(obligation, some, from, middle),
          ...dueDates(obligation, some, addDays(middle, 1), to),
        ];
        expect(dueDates(obligation, some, from, to)).toEqual(parts);
      }),
    );
  });

  test('recurs as often as its frequency', () => {
    const times = { monthly: 12, quarterly: 4, annual: 1, biennial: 0.5, once: 0 };
    fc.assert(
      fc.property(anyObligation, anyFacts, day, (obligation, some, from) => {
        const found = dueDates(obligation, some, from, addDays(addYears(from, 10), -1));
        // A day off can move one date over either edge.
        expect(Math.abs(found.length - 10 * times[obligation.frequency])).toBeLessThanOrEqual(1);
        if (obligation.frequency !== 'annual') return;
        for (const [i, { due_date }] of found.slice(1).entries()) {
          const gap = daysBetween(found[i]?.due_date ?? '', due_date);
          expect(gap).toBeGreaterThanOrEqual(361);
          expect(gap).toBeLessThanOrEqual(370);
        }
      }),
    );
  });

  test('within the fiscal year is due in the same months of every year, leap or not, whatever the end of the year', () => {
    const ends = Array.from({ length: 366 }, (_, i) => addDays('2028-01-01', i).slice(5));
    const rules = obligations.filter(({ due }) => due.kind === 'in_fiscal_year');
    expect(rules.length).toBeGreaterThan(0);
    for (const { due } of rules) {
      for (const fiscalYearEnd of ends) {
        const monthsOf = (year: number) =>
          dueDates(rule(due), { ...facts, fiscalYearEnd }, `${year}-01-01`, `${year}-12-31`).map(({ due_date }) =>
            due_date.slice(5, 7),
          );
        const years = [2027, 2028, 2029, 2030].map((year) => `${fiscalYearEnd} ${monthsOf(year).join()}`);
        expect(new Set(years).size, years.join(' ')).toBe(1);
      }
    }
  });

  test.each(Array.from({ length: 24 }, (_, i) => lastDay(2027, i + 1)))(
    'estimated taxes of the year after %s are due in the 4th, 6th, 9th and 12th month after it',
    (end) => {
      const { due } = byKey('us.corporation_estimated_tax');
      const year = { ...facts, fiscalYearEnd: end.slice(5) };
      const found = dueDates(rule(due), year, addDays(end, 1), addDays(addYears(end, 1), 1));
      expect(found.map(({ due_date }) => due_date)).toEqual(
        [4, 6, 9, 12].map((month) => calendarDay(yearOf(end), monthOf(end) + month, 15)),
      );
    },
  );

  test('a fixed annual day is found exactly once in any twelve months', () => {
    fc.assert(
      fc.property(day, day, (due, from) => {
        const annual = rule({ kind: 'calendar', days: [due.slice(5)] });
        expect(dueDates(annual, facts, from, addDays(addYears(from, 1), -1))).toHaveLength(1);
      }),
      { examples: [['2012-02-29', '2027-03-01']] },
    );
  });

  test('does not depend on the time zone of the server', () => {
    const all = () => obligations.map((obligation) => dueDates(obligation, facts, '2026-11-21', '2029-11-20'));
    const offsets = new Set<number>();
    const answers = ['UTC', 'Pacific/Kiritimati', 'Pacific/Pago_Pago', 'America/New_York'].map((zone) => {
      vi.stubEnv('TZ', zone);
      offsets.add(new Date('2027-01-01T00:00:00Z').getTimezoneOffset());
      return all();
    });
    expect(offsets.size).toBe(4);
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });
});

test('a date that a day off moves is in the window of its new day', () => {
  const april = rule({ kind: 'calendar', days: ['12-31'] }, 'next_business_day');
  const found = dueDates(april, facts, '2022-01-01', '2022-12-30');
  expect(found.map(({ due_date }) => due_date)).toEqual(['2022-01-03']);
  expect(yearOf(found[0]?.due_date ?? '')).toBe(2022);
});
