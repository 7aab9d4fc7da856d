import type { Rule } from '../obligation.ts';

const dueDatesOfBusinesses = {
  url: 'https://www.ftb.ca.gov/file/when-to-file/due-dates-business.html',
  basis: 'official_page' as const,
};
const statements = {
  url: 'https://www.sos.ca.gov/business-programs/business-entities/statements',
  basis: 'general_knowledge' as const,
};
const firstStatement = 'The first statement is due 90 days after the formation.';

/** California: statements go to the Secretary of State, taxes to the Franchise Tax Board. */
export const usCa: readonly Rule[] = [
  {
    key: 'us-ca.corporation_statement_of_information',
    title: 'Statement of Information of a corporation',
    type: 'annual_report',
    entityTypes: ['c_corp', 's_corp'],
    frequency: 'annual',
    due: { kind: 'anniversary_month', day: 'last', everyYears: 1 },
    dayOff: 'stays',
    source: {
      url: 'https://leginfo.legislature.ca.gov/faces/codes_displaySection.xhtml?lawCode=CORP&sectionNum=1502',
      basis: 'statute',
    },
    note: firstStatement,
  },
  {
    key: 'us-ca.biennial_statement_of_information',
    title: 'Statement of Information of an LLC or nonprofit corporation',
    type: 'annual_report',
    entityTypes: ['llc', 'nonprofit'],
    frequency: 'biennial',
    due: { kind: 'anniversary_month', day: 'last', everyYears: 2 },
    dayOff: 'stays',
    source: statements,
    note: firstStatement,
  },
  {
    key: 'us-ca.form_100',
    title: 'Form 100, corporation franchise or income tax return',
    type: 'franchise_tax',
    entityTypes: ['c_corp'],
    frequency: 'annual',
    due: { kind: 'after_fiscal_year', monthsAfter: 4, day: 15 },
    dayOff: 'next_business_day',
    source: { ...dueDatesOfBusinesses, basis: 'general_knowledge' },
    note: 'At least the minimum franchise tax of $800, except for the first year.',
  },
  {
    key: 'us-ca.form_100_s',
    title: 'Form 100S, S corporation franchise or income tax return',
    type: 'franchise_tax',
    entityTypes: ['s_corp'],
    frequency: 'annual',
    due: { kind: 'after_fiscal_year', monthsAfter: 3, day: 15 },
    dayOff: 'next_business_day',
    source: dueDatesOfBusinesses,
    note: 'At least the minimum franchise tax of $800, except for the first year.',
  },
  {
    key: 'us-ca.corporation_estimated_tax',
    title: 'Form 100-ES, corporation estimated tax, installment',
    type: 'franchise_tax',
    entityTypes: ['c_corp', 's_corp'],
    frequency: 'quarterly',
    due: { kind: 'in_fiscal_year', months: [4, 6, 9, 12], day: 15 },
    dayOff: 'next_business_day',
    source: { ...dueDatesOfBusinesses, basis: 'general_knowledge' },
    note: 'The first installment is at least the minimum franchise tax of $800.',
  },
  {
    key: 'us-ca.llc_annual_tax',
    title: 'Form 3522, annual LLC tax',
    type: 'franchise_tax',
    entityTypes: ['llc'],
    frequency: 'annual',
    due: { kind: 'in_fiscal_year', months: [4], day: 15 },
    dayOff: 'next_business_day',
    source: {
      url: 'https://www.ftb.ca.gov/file/business/types/limited-liability-company/index.html',
      basis: 'general_knowledge',
    },
    note: 'A flat $800 for the year that runs.',
  },
  {
    key: 'us-ca.llc_estimated_fee',
    title: 'Form 3536, estimated LLC fee',
    type: 'franchise_tax',
    entityTypes: ['llc'],
    frequency: 'annual',
    due: { kind: 'in_fiscal_year', months: [6], day: 15 },
    dayOff: 'next_business_day',
    source: {
      url: 'https://ftb.ca.gov/professionals/taxnews/2010/June/Article_11.shtml',
      basis: 'official_page',
    },
    note: 'Only where total income from California is $250,000 or more.',
  },
  {
    key: 'us-ca.limited_partnership_tax',
    title: 'Form 565, partnership return, with the annual tax of a limited partnership',
    type: 'franchise_tax',
    entityTypes: ['lp'],
    frequency: 'annual',
    due: { kind: 'after_fiscal_year', monthsAfter: 3, day: 15 },
    dayOff: 'next_business_day',
    source: dueDatesOfBusinesses,
    note: 'The annual tax is $800.',
  },
];
