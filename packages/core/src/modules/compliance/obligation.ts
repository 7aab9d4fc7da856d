import type { Company, FilingType, ObligationBasis, ObligationFrequency } from '@finhook/contracts';

/** Months count from 1; a day that a month does not have is its last day. `monthsAfter: 1` of December is January. */
export type DueRule =
  /** On fixed days `MM-DD` of each year. */
  | { kind: 'calendar'; days: readonly string[]; covers?: 'previous_year' | 'same_year' }
  /** On a day of the nth month after the fiscal year's end; `same` is that end's day, or the last of the month. */
  | { kind: 'after_fiscal_year'; monthsAfter: number; day: number | 'same'; plusDays?: number }
  /** On a day of these months of the fiscal year itself; the first is 1. */
  | { kind: 'in_fiscal_year'; months: readonly number[]; day: number }
  /** On the last day of the nth month after each calendar quarter. */
  | { kind: 'after_quarter'; monthsAfter: number }
  /** On the first or last day of the month of formation, every `everyYears` years. */
  | { kind: 'anniversary_month'; day: 'first' | 'last'; everyYears: number }
  /** This many days after the year that ends on the eve of each anniversary of the formation. */
  | { kind: 'after_anniversary_year'; days: number };

/** IRC §7503, or a similar state rule, moves a due date on a day off to the next business day. */
export type DayOffRule = 'next_business_day' | 'stays';

export type EntityType = NonNullable<Company['entity_type']>;

export interface Rule {
  /**
   * Unique and never reused: filings and matrix rows refer to it. Begins with the country (ISO 3166-1) or subdivision
   * (ISO 3166-2) in which the company must have been formed, in lower case: `us-ca.form_100`.
   */
  key: string;
  title: string;
  type: FilingType;
  /** `any`: every entity type, including an unknown one. */
  entityTypes: readonly EntityType[] | 'any';
  frequency: ObligationFrequency;
  due: DueRule;
  dayOff: DayOffRule;
  source: { url: string; basis: ObligationBasis };
  note?: string;
}

export interface Obligation extends Rule {
  jurisdiction: string;
}

/** Date on which stored copies of the sources were last read. */
export const LOOKED_UP_ON = '2026-11-21';
