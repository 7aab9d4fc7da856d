import type { Company, FilingType, ObligationBasis, ObligationFrequency } from '@finhook/contracts';

/** Months count from 1; a day that a month does not have is its last. `monthsAfter: 1` of December is January. */
export type DueRule =
  /** On fixed days `MM-DD` of each year, for the calendar year before or the year itself where it covers one. */
  | { kind: 'calendar'; days: readonly string[]; covers?: 'previous_year' | 'same_year' }
  /** On a day of the nth month after the fiscal year's end; `same` is the day of the year's end, `last` stays last. */
  | { kind: 'after_fiscal_year'; monthsAfter: number; day: number | 'same'; plusDays?: number }
  /** On a day of these months of the fiscal year itself, the first being 1. */
  | { kind: 'in_fiscal_year'; months: readonly number[]; day: number }
  /** On the last day of the nth month after each calendar quarter. */
  | { kind: 'after_quarter'; monthsAfter: number }
  /** On the first or last day of the month in which the company was formed, every so many years after it. */
  | { kind: 'anniversary_month'; day: 'first' | 'last'; everyYears: number }
  /** So many days after the year that ends on the eve of each anniversary of the formation. */
  | { kind: 'after_anniversary_year'; days: number };

/** IRC §7503, or a similar rule of a state, moves a due date on a day off to the next business day. */
export type DayOffRule = 'next_business_day' | 'stays';

export type EntityType = NonNullable<Company['entity_type']>;

/** One rule: who has to file what with which authority, when, and the source of the rule. */
export interface Obligation {
  /** Unique and never reused: filings and matrix rows refer to it. */
  key: string;
  title: string;
  type: FilingType;
  /** A country (ISO 3166-1) or a part of one (ISO 3166-2), in which the company must have been formed. */
  jurisdiction: string;
  /** `any`: owed by every entity type, an unknown one included. */
  entityTypes: readonly EntityType[] | 'any';
  frequency: ObligationFrequency;
  due: DueRule;
  dayOff: DayOffRule;
  source: { url: string; basis: ObligationBasis };
  /** Exemptions, and what else the due date depends on. */
  note?: string;
}

/** When the sources were last read, in stored copies of the pages and laws. */
export const LOOKED_UP_ON = '2026-11-21';
