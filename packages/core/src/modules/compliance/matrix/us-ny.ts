import type { Obligation } from '../obligation.ts';

// The available calendar was that of 2017; the days of the month are the same since.
const taxCalendar = {
  url: 'https://www.tax.ny.gov/help/calendar/general_taxcalendar_2017.htm',
  basis: 'official_page' as const,
};

/** New York: statements go to the Department of State, taxes to the Department of Taxation and Finance. */
export const usNy: readonly Obligation[] = [
  {
    key: 'us-ny.biennial_statement',
    title: 'Biennial statement',
    type: 'annual_report',
    jurisdiction: 'US-NY',
    entityTypes: ['c_corp', 's_corp', 'llc'],
    frequency: 'biennial',
    due: { kind: 'anniversary_month', day: 'last', everyYears: 2 },
    dayOff: 'stays',
    source: {
      url: 'https://dos.ny.gov/biennial-statements-business-corporations-and-limited-liability-companies',
      basis: 'official_page',
    },
    note: 'To be filed within the calendar month of the formation, not before.',
  },
  {
    key: 'us-ny.form_ct_3',
    title: 'Form CT-3, general business corporation franchise tax return',
    type: 'franchise_tax',
    jurisdiction: 'US-NY',
    entityTypes: ['c_corp'],
    frequency: 'annual',
    due: { kind: 'after_fiscal_year', monthsAfter: 4, day: 15 },
    dayOff: 'next_business_day',
    source: taxCalendar,
  },
  {
    key: 'us-ny.form_ct_3_s',
    title: 'Form CT-3-S, New York S corporation franchise tax return',
    type: 'franchise_tax',
    jurisdiction: 'US-NY',
    entityTypes: ['s_corp'],
    frequency: 'annual',
    due: { kind: 'after_fiscal_year', monthsAfter: 3, day: 15 },
    dayOff: 'next_business_day',
    source: taxCalendar,
  },
  {
    key: 'us-ny.form_it_204_ll',
    title: 'Form IT-204-LL, filing fee of an LLC',
    type: 'franchise_tax',
    jurisdiction: 'US-NY',
    entityTypes: ['llc'],
    frequency: 'annual',
    due: { kind: 'after_fiscal_year', monthsAfter: 3, day: 15 },
    dayOff: 'next_business_day',
    source: taxCalendar,
    note: 'Only with income, gain, loss or deduction from New York sources.',
  },
];
