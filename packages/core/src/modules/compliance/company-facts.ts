import { dateInZone } from '../../kernel/calendar.ts';
import type { Company } from '../companies/company.entity.ts';
import type { EntityType } from './obligation.ts';

export interface CompanyFacts {
  entityType: EntityType | null;
  country: string;
  jurisdiction: string | null;
  /** `MM-DD`. */
  fiscalYearEnd: string;
  /** `YYYY-MM-DD`; see `factsOf` for where it comes from. */
  formedOn: string;
}

const CALENDAR_YEAR_END = '12-31';

/** A record without a day of formation uses the day on which the company was created here (see `textsOf`). */
export function factsOf(company: Company): CompanyFacts {
  return {
    entityType: company.entity_type ?? null,
    country: company.country,
    jurisdiction: company.jurisdiction ?? null,
    fiscalYearEnd: company.fiscal_year_end ?? CALENDAR_YEAR_END,
    formedOn: dateInZone(company.created_at, company.timezone),
  };
}
