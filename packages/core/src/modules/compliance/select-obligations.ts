import type { Warning } from '@finhook/contracts';
import { dateInZone } from '../../time/calendar.ts';
import type { Company } from '../companies/company.entity.ts';
import { gb } from './matrix/gb.ts';
import { usCa } from './matrix/us-ca.ts';
import { usFederal } from './matrix/us-federal.ts';
import { usDe, usFl, usNy, usTx, usWy } from './matrix/us-states.ts';
import type { EntityType, Obligation } from './obligation.ts';

const rules = [...usFederal, ...usCa, ...usDe, ...usFl, ...usNy, ...usTx, ...usWy, ...gb];

export const obligations: readonly Obligation[] = rules.map((rule) => ({
  ...rule,
  jurisdiction: rule.key.slice(0, rule.key.indexOf('.')).toUpperCase(),
}));

export interface CompanyFacts {
  entityType: EntityType | null;
  country: string;
  jurisdiction: string | null;
  /** `MM-DD`. */
  fiscalYearEnd: string;
  /** `YYYY-MM-DD`. */
  formedOn: string;
}

const CALENDAR_YEAR_END = '12-31';

/** The day of formation is unknown, so the company's creation here is used. */
export function factsOf(company: Company): CompanyFacts {
  return {
    entityType: company.entity_type ?? null,
    country: company.country,
    jurisdiction: company.jurisdiction ?? null,
    fiscalYearEnd: company.fiscal_year_end ?? CALENDAR_YEAR_END,
    formedOn: dateInZone(company.created_at, company.timezone),
  };
}

export function isOwed({ jurisdiction, entityTypes }: Obligation, facts: CompanyFacts): boolean {
  if (jurisdiction !== facts.country && jurisdiction !== facts.jurisdiction) return false;
  return entityTypes === 'any' || (facts.entityType !== null && entityTypes.includes(facts.entityType));
}

export function selectObligations(facts: CompanyFacts): Obligation[] {
  return obligations.filter((obligation) => isOwed(obligation, facts));
}

const covered: ReadonlySet<string> = new Set(obligations.map(({ jurisdiction }) => jurisdiction));
const dividedCountries: ReadonlySet<string> = new Set(
  [...covered].filter((code) => code.includes('-')).map((code) => code.slice(0, 2)),
);

export function factWarnings(facts: CompanyFacts): Warning[] {
  const found: Warning[] = [];
  if (facts.entityType === null) {
    found.push({
      code: 'company_fact_missing',
      pointer: '/entity_type',
      message:
        'The company has no entity_type, so only obligations of every entity type are listed. Set it and resync.',
    });
  }
  if (facts.jurisdiction === null && dividedCountries.has(facts.country)) {
    found.push({
      code: 'company_fact_missing',
      pointer: '/jurisdiction',
      message: `The company has no jurisdiction, so no obligations to a state of ${facts.country} are listed. Set it and resync.`,
    });
  }
  const jurisdiction = dividedCountries.has(facts.country) ? (facts.jurisdiction ?? facts.country) : facts.country;
  if (!covered.has(jurisdiction)) {
    found.push({
      code: 'jurisdiction_not_covered',
      message: `The service has no rules for ${jurisdiction}, so obligations there are not listed.`,
    });
  }
  return found;
}
