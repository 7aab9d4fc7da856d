import { dateInZone } from '../../kernel/clock.ts';
import type { Company } from '../companies/company.entity.ts';
import type { EntityType } from './obligation.ts';

/** What the rules ask of a company. */
export interface CompanyFacts {
  entityType: EntityType | null;
  country: string;
  jurisdiction: string | null;
  /** `MM-DD`. */
  fiscalYearEnd: string;
  /** `YYYY-MM-DD`; see `factsOf` for where it comes from. */
  formedOn: string;
}

/** The calendar year is the tax year of whoever has chosen no other. */
const CALENDAR_YEAR_END = '12-31';

/**
 * The facts of a company record. The record has no day of formation, so the day on which the company was created here
 * stands for it; what depends on it says so.
 */
export function factsOf(company: Company): CompanyFacts {
  return {
    entityType: company.entity_type ?? null,
    country: company.country,
    jurisdiction: company.jurisdiction ?? null,
    fiscalYearEnd: company.fiscal_year_end ?? CALENDAR_YEAR_END,
    formedOn: dateInZone(company.created_at, company.timezone),
  };
}
