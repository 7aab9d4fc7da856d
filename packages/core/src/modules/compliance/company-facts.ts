import { dateInZone } from '../../kernel/calendar.ts';
import type { Company } from '../companies/company.entity.ts';
import type { EntityType } from './obligation.ts';

/** The facts of a company that its obligations depend on. */
export interface CompanyFacts {
  entityType: EntityType | null;
  country: string;
  jurisdiction: string | null;
  /** `MM-DD`. */
  fiscalYearEnd: string;
  /** `YYYY-MM-DD`; see `factsOf` for where it comes from. */
  formedOn: string;
}

/** The tax year is the calendar year by default. */
const CALENDAR_YEAR_END = '12-31';

/** The record has no day of formation: that on which the company was created here is used instead (see `textsOf`). */
export function factsOf(company: Company): CompanyFacts {
  return {
    entityType: company.entity_type ?? null,
    country: company.country,
    jurisdiction: company.jurisdiction ?? null,
    fiscalYearEnd: company.fiscal_year_end ?? CALENDAR_YEAR_END,
    formedOn: dateInZone(company.created_at, company.timezone),
  };
}
