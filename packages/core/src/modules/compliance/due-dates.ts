import { addDays } from '../../time/calendar.ts';
import { addYears, calendarDay, dayOf, lastDay, monthOf, nextBusinessDay, yearOf } from './business-days.ts';
import type { DayOffRule, DueRule } from './obligation.ts';
import type { CompanyFacts } from './select-obligations.ts';

/** All `YYYY-MM-DD`. */
export interface DueDate {
  due_date: string;
  period_start: string | null;
  period_end: string | null;
}

type DateFacts = Pick<CompanyFacts, 'fiscalYearEnd' | 'formedOn'>;

const withoutPeriod = (due_date: string): DueDate => ({ due_date, period_start: null, period_end: null });

function fiscalYear({ fiscalYearEnd }: DateFacts, year: number): { start: string; end: string } {
  const [month, day] = [Number(fiscalYearEnd.slice(0, 2)), Number(fiscalYearEnd.slice(3))];
  return { start: addDays(calendarDay(year - 1, month, day), 1), end: calendarDay(year, month, day) };
}

function calendarDates(rule: DueRule & { kind: 'calendar' }, year: number): DueDate[] {
  const covered = rule.covers === 'previous_year' ? year - 1 : year;
  return rule.days.map((day) => {
    const due_date = calendarDay(year, Number(day.slice(0, 2)), Number(day.slice(3)));
    if (rule.covers === undefined) return withoutPeriod(due_date);
    return { due_date, period_start: calendarDay(covered, 1, 1), period_end: calendarDay(covered, 12, 31) };
  });
}

function afterFiscalYear(rule: DueRule & { kind: 'after_fiscal_year' }, facts: DateFacts, year: number): DueDate[] {
  const { start, end } = fiscalYear(facts, year);
  const month = monthOf(end) + rule.monthsAfter;
  const endsMonth = end === lastDay(year, monthOf(end));
  const sameDay = endsMonth ? 31 : dayOf(end);
  const due_date = calendarDay(year, month, rule.day === 'same' ? sameDay : rule.day);
  return [{ due_date: addDays(due_date, rule.plusDays ?? 0), period_start: start, period_end: end }];
}

function inFiscalYear(rule: DueRule & { kind: 'in_fiscal_year' }, facts: DateFacts, year: number): DueDate[] {
  const { start, end } = fiscalYear(facts, year);
  // After a year that ends on 28 February the first month is March, even in a leap year.
  const firstMonth = start.endsWith('-02-29') ? 3 : monthOf(start);
  return rule.months.map((month) => ({
    due_date: calendarDay(yearOf(start), firstMonth + month - 1, rule.day),
    period_start: start,
    period_end: end,
  }));
}

function afterQuarter(rule: DueRule & { kind: 'after_quarter' }, year: number): DueDate[] {
  return [3, 6, 9, 12].map((month) => ({
    due_date: lastDay(year, month + rule.monthsAfter),
    period_start: calendarDay(year, month - 2, 1),
    period_end: lastDay(year, month),
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
  const period_end = addDays(addYears(facts.formedOn, age), -1);
  return [{ due_date: addDays(period_end, rule.days), period_start: addYears(facts.formedOn, age - 1), period_end }];
}

/** `year` is a fiscal, calendar or anniversary year. Days off are not considered. */
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

/** Due dates from `from` to `to`, both inclusive, in order. */
export function dueDates(
  { due, dayOff }: { due: DueRule; dayOff: DayOffRule },
  facts: DateFacts,
  from: string,
  to: string,
): DueDate[] {
  const dates: DueDate[] = [];
  // A due date may lie 21 months after its year, or move into the next one.
  for (let year = yearOf(from) - 2; year <= yearOf(to) + 1; year++) {
    for (const date of datesOfYear(due, facts, year)) {
      const due_date = dayOff === 'stays' ? date.due_date : nextBusinessDay(date.due_date);
      if (due_date >= from && due_date <= to) dates.push({ ...date, due_date });
    }
  }
  return dates.sort((a, b) => (a.due_date < b.due_date ? -1 : 1));
}
