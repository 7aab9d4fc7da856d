import type { Obligation } from '../obligation.ts';

const source = { url: 'https://comptroller.texas.gov/taxes/franchise/', basis: 'official_page' as const };
const due = { kind: 'calendar' as const, days: ['05-15'] };

/** Texas. Franchise tax and information reports go to the Comptroller together. */
export const usTx: readonly Obligation[] = [
  {
    key: 'us-tx.franchise_tax_report',
    title: 'Franchise tax report',
    type: 'franchise_tax',
    jurisdiction: 'US-TX',
    entityTypes: ['c_corp', 's_corp', 'llc', 'lp'],
    frequency: 'annual',
    due,
    dayOff: 'next_business_day',
    source,
    note: 'An entity at or below the no tax due threshold files the information report only.',
  },
  {
    key: 'us-tx.public_information_report',
    title: 'Public Information Report',
    type: 'annual_report',
    jurisdiction: 'US-TX',
    entityTypes: ['c_corp', 's_corp', 'llc', 'lp'],
    frequency: 'annual',
    due,
    dayOff: 'next_business_day',
    source,
  },
];
