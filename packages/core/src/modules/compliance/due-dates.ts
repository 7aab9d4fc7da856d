import { addDays } from '../../kernel/clock.ts';
import { nextBusinessDay } from './business-days.ts';
import { addYears, calendarDay, dayOf, lastDay, monthOf, yearOf } from './calendar-day.ts';
import type { CompanyFacts } from './company-facts.ts';
import type { DayOffRule, DueRule } from './obligation.ts';

/** A day on which something is due, and the period that it is for where it has one; all `YYYY-MM-DD`. */
export interface DueDate {
  dueDate: string;
  periodStart: string | null;
  periodEnd: string | null;
}

type DateFacts = Pick<CompanyFacts, 'fiscalYearEnd' | 'formedOn'>;

const withoutPeriod = (dueDate: string): DueDate => ({ dueDate, periodStart: null, periodEnd: null });

/** The fiscal year that ends in a calendar year. */
function fiscalYear({ fiscalYearEnd }: DateFacts, year: number): { start: string; end: string } {
  const [month, day] = [Number(fiscalYearEnd.slice(0, 2)), Number(fiscalYearEnd.slice(3))];
  return { start: addDays(calendarDay(year - 1, month, day), 1), end: calendarDay(year, month, day) };
}

function calendarDates(rule: DueRule & { kind: 'calendar' }, year: number): DueDate[] {
  const covered = rule.covers === 'previous_year' ? year - 1 : year;
  return rule.days.map((day) => {
    const dueDate = calendarDay(year, Number(day.slice(0, 2)), Number(day.slice(3)));
    if (rule.covers === undefined) return withoutPeriod(dueDate);
    return { dueDate, periodStart: calendarDay(covered, 1, 1), periodEnd: calendarDay(covered, 12, 31) };
  });
}

function afterFiscalYear(rule: DueRule & { kind: 'after_fiscal_year' }, facts: DateFacts, year: number): DueDate[] {
  const { start, end } = fiscalYear(facts, year);
  const month = monthOf(end) + rule.monthsAfter;
  const endsMonth = end === lastDay(year, monthOf(end));
  const sameDay = endsMonth ? 31 : dayOf(end);
  const dueDate = calendarDay(year, month, rule.day === 'same' ? sameDay : rule.day);
  return [{ dueDate: addDays(dueDate, rule.plusDays ?? 0), periodStart: start, periodEnd: end }];
}

function inFiscalYear(rule: DueRule & { kind: 'in_fiscal_year' }, facts: DateFacts, year: number): DueDate[] {
  const { start, end } = fiscalYear(facts, year);
  // After a year that ends on 28 February the first month is March, also where 29 February comes between.
  const firstMonth = start.endsWith('-02-29') ? 3 : monthOf(start);
  return rule.months.map((month) => ({
    dueDate: calendarDay(yearOf(start), firstMonth + month - 1, rule.day),
    periodStart: start,
    periodEnd: end,
  }));
}

function afterQuarter(rule: DueRule & { kind: 'after_quarter' }, year: number): DueDate[] {
  return [3, 6, 9, 12].map((month) => ({
    dueDate: lastDay(year, month + rule.monthsAfter),
    periodStart: calendarDay(year, month - 2, 1),
    periodEnd: lastDay(year, month),
  }));
}

function anniversaryMonth(rule: DueRule & { kind: 'anniversary_month' }, { formedOn }: DateFacts, year: number) {
  const age = year - yearOf(formedOn);
  if (age <= 0 || age % rule.everyYears !== 0) return [];
  return [withoutPeriod(calendarDay(year, monthOf(formedOn), rule.day === 'first' ? 1 : 31))];
}

function afterAnniversaryYear(rule: DueRule & { kind: 'after_anniversary_year' }, facts: DateFacts, year: number) {
  const age = year - yearOf(facts.formedOn);
  if (age <= 0) return [];
  const periodEnd = addDays(addYears(facts.formedOn, age), -1);
  return [{ dueDate: addDays(periodEnd, rule.days), periodStart: addYears(facts.formedOn, age - 1), periodEnd }];
}

/** What a rule gives for the fiscal, calendar or anniversary year of this number, before days off are looked at. */
function datesOfYear(rule: DueRule, facts: DateFacts, year: number): DueDate[] {
  switch (rule.kind) {
    case 'calendar':
      return calendarDates(rule, year);
    case 'after_fiscal_year':
      return afterFiscalYear(rule, facts, year);
    case 'in_fiscal_year':
      return inFiscalYear(rule, facts, year);
    case 'after_quarter':
      return afterQuarter(rule, year);
    case 'anniversary_month':
      return anniversaryMonth(rule, facts, year);
    default:
      return afterAnniversaryYear(rule, facts, year);
  }
}

/**
 * Every due date of a rule from `from` to `to` (both inclusive, `YYYY-MM-DD`), in order. A pure function of its
 * arguments: neither the clock nor the server's time zone has a part in it.
 */
export function dueDates(
  { due, dayOff }: { due: DueRule; dayOff: DayOffRule },
  facts: DateFacts,
  from: string,
  to: string,
): DueDate[] {
  const dates: DueDate[] = [];
  // What is due in a year can be for the year before or the one before that (21 months on), or be moved into it.
  for (let year = yearOf(from) - 2; year <= yearOf(to) + 1; year++) {
    for (const date of datesOfYear(due, facts, year)) {
      const dueDate = dayOff === 'stays' ? date.dueDate : nextBusinessDay(date.dueDate);
      if (dueDate >= from && dueDate <= to) dates.push({ ...date, dueDate });
    }
  }
  return dates.sort((a, b) => (a.dueDate < b.dueDate ? -1 : 1));
}
