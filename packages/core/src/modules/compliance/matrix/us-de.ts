import type { Obligation } from '../obligation.ts';

const corporations = { url: 'https://delcode.delaware.gov/title8/c005/index.html', basis: 'statute' as const };

/** Delaware. Dates don't move from weekends: no source says that they do. */
export const usDe: readonly Obligation[] = [
  {
    key: 'us-de.corporation_annual_report',
    title: 'Annual report and franchise tax of a corporation',
    type: 'annual_report',
    jurisdiction: 'US-DE',
    entityTypes: ['c_corp', 's_corp'],
    frequency: 'annual',
    due: { kind: 'calendar', days: ['03-01'], covers: 'previous_year' },
    dayOff: 'stays',
    source: corporations,
    note: 'A corporation that owes $5,000 or more pays its franchise tax in installments from June on.',
  },
  {
    key: 'us-de.exempt_annual_report',
    title: 'Annual report of an exempt corporation',
    type: 'annual_report',
    jurisdiction: 'US-DE',
    entityTypes: ['nonprofit'],
    frequency: 'annual',
    due: { kind: 'calendar', days: ['03-01'], covers: 'previous_year' },
    dayOff: 'stays',
    source: corporations,
    note: 'An exempt corporation pays no franchise tax.',
  },
  {
    key: 'us-de.alternative_entity_tax',
    title: 'Annual tax of an LLC or partnership',
    type: 'franchise_tax',
    jurisdiction: 'US-DE',
    entityTypes: ['llc', 'lp'],
    frequency: 'annual',
    due: { kind: 'calendar', days: ['06-01'], covers: 'previous_year' },
    dayOff: 'stays',
    source: { url: 'https://corp.delaware.gov/paytaxes/', basis: 'general_knowledge' },
    note: 'A flat $300; there is no annual report.',
  },
];
