import type { Obligation } from '../obligation.ts';

/** Florida. The annual report's day is fixed: the late fee is charged from May 2 on, whatever the weekday. */
export const usFl: readonly Obligation[] = [
  {
    key: 'us-fl.annual_report',
    title: 'Annual report',
    type: 'annual_report',
    jurisdiction: 'US-FL',
    entityTypes: ['c_corp', 's_corp', 'llc', 'lp', 'nonprofit'],
    frequency: 'annual',
    due: { kind: 'calendar', days: ['05-01'], covers: 'same_year' },
    dayOff: 'stays',
    source: {
      url: 'https://dos.fl.gov/sunbiz/manage-business/efile/annual-report/',
      basis: 'official_page',
    },
    note: 'To be filed from January 1 on, from the year after the formation. Nonprofit corporations pay no late fee.',
  },
  {
    key: 'us-fl.form_f_1120',
    title: 'Form F-1120, corporate income tax return',
    type: 'income_tax',
    jurisdiction: 'US-FL',
    entityTypes: ['c_corp'],
    frequency: 'annual',
    due: { kind: 'after_fiscal_year', monthsAfter: 5, day: 1 },
    dayOff: 'next_business_day',
    source: {
      url: 'https://floridarevenue.com/taxes/taxesfees/Pages/corporate.aspx',
      basis: 'general_knowledge',
    },
    note: 'For a year that ends on June 30 it may be due a month earlier.',
  },
];
