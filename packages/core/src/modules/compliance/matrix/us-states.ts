import type { Rule } from '../obligation.ts';

const corporations = { url: 'https://delcode.delaware.gov/title8/c005/index.html', basis: 'statute' as const };

/** Delaware. Dates don't move from weekends: no source says that they do. */
export const usDe: readonly Rule[] = [
  {
    key: 'us-de.corporation_annual_report',
    title: 'Annual report and franchise tax of a corporation',
    type: 'annual_report',
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
    entityTypes: ['llc', 'lp'],
    frequency: 'annual',
    due: { kind: 'calendar', days: ['06-01'], covers: 'previous_year' },
    dayOff: 'stays',
    source: { url: 'https://corp.delaware.gov/paytaxes/', basis: 'general_knowledge' },
    note: 'A flat $300; there is no annual report.',
  },
];

/** Florida. The annual report's day is fixed: the late fee is charged from May 2 on, whatever the weekday. */
export const usFl: readonly Rule[] = [
  {
    key: 'us-fl.annual_report',
    title: 'Annual report',
    type: 'annual_report',
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

// The available calendar was that of 2017; the days of the month are the same since.
const taxCalendar = {
  url: 'https://www.tax.ny.gov/help/calendar/general_taxcalendar_2017.htm',
  basis: 'official_page' as const,
};

/** New York: statements go to the Department of State, taxes to the Department of Taxation and Finance. */
export const usNy: readonly Rule[] = [
  {
    key: 'us-ny.biennial_statement',
    title: 'Biennial statement',
    type: 'annual_report',
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
    entityTypes: ['llc'],
    frequency: 'annual',
    due: { kind: 'after_fiscal_year', monthsAfter: 3, day: 15 },
    dayOff: 'next_business_day',
    source: taxCalendar,
    note: 'Only with income, gain, loss or deduction from New York sources.',
  },
];

const source = { url: 'https://comptroller.texas.gov/taxes/franchise/', basis: 'official_page' as const };
const due = { kind: 'calendar' as const, days: ['05-15'] };

/** Texas. Franchise tax and information reports go to the Comptroller together. */
export const usTx: readonly Rule[] = [
  {
    key: 'us-tx.franchise_tax_report',
    title: 'Franchise tax report',
    type: 'franchise_tax',
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
    entityTypes: ['c_corp', 's_corp', 'llc', 'lp'],
    frequency: 'annual',
    due,
    dayOff: 'next_business_day',
    source,
  },
];

/** Wyoming: one report a year, with a license tax on the assets in the state. */
export const usWy: readonly Rule[] = [
  {
    key: 'us-wy.llc_annual_report',
    title: 'Annual report and license tax of an LLC',
    type: 'annual_report',
    entityTypes: ['llc'],
    frequency: 'annual',
    due: { kind: 'anniversary_month', day: 'first', everyYears: 1 },
    dayOff: 'stays',
    source: { url: 'https://wyoleg.gov/statutes/compress/title17.pdf', basis: 'statute' },
    note: 'The license tax is at least $60.',
  },
  {
    key: 'us-wy.annual_report',
    title: 'Annual report and license tax',
    type: 'annual_report',
    entityTypes: ['c_corp', 's_corp', 'lp', 'nonprofit'],
    frequency: 'annual',
    due: { kind: 'anniversary_month', day: 'first', everyYears: 1 },
    dayOff: 'stays',
    source: { url: 'https://sos.wyo.gov/Business/', basis: 'general_knowledge' },
  },
];
