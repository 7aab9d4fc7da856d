import type { Obligation } from '../obligation.ts';

/** Wyoming: one report a year, with a license tax on the assets in the state. */
export const usWy: readonly Obligation[] = [
  {
    key: 'us-wy.llc_annual_report',
    title: 'Annual report and license tax of an LLC',
    type: 'annual_report',
    jurisdiction: 'US-WY',
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
    jurisdiction: 'US-WY',
    entityTypes: ['c_corp', 's_corp', 'lp', 'nonprofit'],
    frequency: 'annual',
    due: { kind: 'anniversary_month', day: 'first', everyYears: 1 },
    dayOff: 'stays',
    source: { url: 'https://sos.wyo.gov/Business/', basis: 'general_knowledge' },
  },
];
