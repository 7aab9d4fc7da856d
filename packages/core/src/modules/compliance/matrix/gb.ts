import type { Rule } from '../obligation.ts';

const accounts = {
  url: 'https://www.gov.uk/prepare-file-annual-accounts-for-limited-company',
  basis: 'official_page' as const,
};

/**
 * United Kingdom. A private limited company is a `c_corp` or `llc` here, one limited by guarantee a `nonprofit`. Dates
 * don't move from weekends: Companies House does not move them, and HMRC expects payment on the working day before.
 */
export const gb: readonly Rule[] = [
  {
    key: 'gb.confirmation_statement',
    title: 'Confirmation statement',
    type: 'annual_report',
    entityTypes: ['c_corp', 'llc', 'nonprofit'],
    frequency: 'annual',
    due: { kind: 'after_anniversary_year', days: 14 },
    dayOff: 'stays',
    source: { url: 'https://www.gov.uk/guidance/confirmation-statement-guidance', basis: 'official_page' },
    note: 'An earlier statement begins a new review period of twelve months.',
  },
  {
    key: 'gb.annual_accounts',
    title: 'Annual accounts',
    type: 'annual_report',
    entityTypes: ['c_corp', 'llc', 'nonprofit'],
    frequency: 'annual',
    due: { kind: 'after_fiscal_year', monthsAfter: 9, day: 'same' },
    dayOff: 'stays',
    source: accounts,
    note: 'The first accounts are due 21 months after the incorporation.',
  },
  {
    key: 'gb.corporation_tax_payment',
    title: 'Corporation Tax, payment',
    type: 'income_tax',
    entityTypes: ['c_corp', 'llc'],
    frequency: 'annual',
    due: { kind: 'after_fiscal_year', monthsAfter: 9, day: 'same', plusDays: 1 },
    dayOff: 'stays',
    source: accounts,
    note: 'On a weekend or bank holiday the payment must arrive on the working day before. Large companies pay in installments.',
  },
  {
    key: 'gb.company_tax_return',
    title: 'Company Tax Return',
    type: 'income_tax',
    entityTypes: ['c_corp', 'llc'],
    frequency: 'annual',
    due: { kind: 'after_fiscal_year', monthsAfter: 12, day: 'same' },
    dayOff: 'stays',
    source: accounts,
  },
];
