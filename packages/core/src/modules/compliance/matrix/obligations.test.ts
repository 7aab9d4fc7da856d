// Risk: a rule applies to no company, repeats a key, or has a source that nobody can check.

import { complianceItem, entityType } from '@finhook/contracts';
import { expect, test } from 'vitest';
import { textsOf } from '../matrix.ts';
import { type CompanyFacts, factWarnings, isOwed, obligations, selectObligations } from '../select-obligations.ts';

const facts: CompanyFacts = {
  entityType: 'c_corp',
  country: 'US',
  jurisdiction: 'US-DE',
  fiscalYearEnd: '12-31',
  formedOn: '2021-02-28',
};
const keysOf = (some: Partial<CompanyFacts>) => selectObligations({ ...facts, ...some }).map(({ key }) => key);

test('keys are unique and begin with their jurisdiction', () => {
  expect(new Set(obligations.map(({ key }) => key)).size).toBe(obligations.length);
  for (const { key, jurisdiction } of obligations) expect(key).toMatch(new RegExp(`^${jurisdiction.toLowerCase()}\\.`));
});

test.each(obligations)('$key is owed by some company and names its source', (obligation) => {
  const { jurisdiction, source } = obligation;
  const somebody = entityType.options.some((kind) =>
    isOwed(obligation, { ...facts, country: jurisdiction.slice(0, 2), jurisdiction, entityType: kind }),
  );
  expect(somebody).toBe(true);
  // Florida's Department of Revenue has its own domain.
  expect(source.url).toMatch(/^https:\/\/([\w.-]+\.(gov|gov\.uk)|floridarevenue\.com)\/\S*$/);
  const texts = textsOf(obligation);
  expect(complianceItem.pick({ title: true, source: true, note: true }).safeParse(texts).success).toBe(true);
  expect(texts.note?.length ?? 0).toBeLessThan(500);
});

test.each([
  [
    { entityType: 'c_corp', jurisdiction: 'US-DE' },
    ['us.form_1120', 'us.corporation_estimated_tax', 'us-de.corporation_annual_report'],
  ],
  [{ entityType: 's_corp', jurisdiction: 'US-DE' }, ['us.form_1120_s', 'us-de.corporation_annual_report']],
  [{ entityType: 'llc', jurisdiction: 'US-DE' }, ['us.form_1065', 'us-de.alternative_entity_tax']],
  [{ entityType: 'nonprofit', jurisdiction: 'US-DE' }, ['us.form_990', 'us-de.exempt_annual_report']],
  [{ entityType: 'sole_prop', jurisdiction: 'US-CA' }, ['us.form_1040_schedule_c', 'us.individual_estimated_tax']],
  [{ entityType: 'lp', jurisdiction: 'US-CA' }, ['us.form_1065', 'us-ca.limited_partnership_tax']],
  [
    { entityType: 'llc', jurisdiction: 'US-CA' },
    ['us.form_1065', 'us-ca.biennial_statement_of_information', 'us-ca.llc_annual_tax', 'us-ca.llc_estimated_fee'],
  ],
  [{ entityType: 'llc', jurisdiction: 'US-NY' }, ['us.form_1065', 'us-ny.biennial_statement', 'us-ny.form_it_204_ll']],
  [{ entityType: 'llc', jurisdiction: 'US-WY' }, ['us.form_1065', 'us-wy.llc_annual_report']],
  [
    { entityType: 'llc', jurisdiction: 'US-TX' },
    ['us.form_1065', 'us-tx.franchise_tax_report', 'us-tx.public_information_report'],
  ],
  [{ entityType: 'llc', jurisdiction: 'US-FL' }, ['us.form_1065', 'us-fl.annual_report']],
  [{ entityType: null, jurisdiction: 'US-DE' }, []],
  [{ entityType: 'other', jurisdiction: null }, []],
] as const)('%j owes, beside what every employer owes, %j', (some, expected) => {
  const employer = ['us.form_941', 'us.form_940', 'us.form_w2', 'us.form_1099_nec', 'us.information_returns'];
  expect(keysOf(some).sort()).toEqual([...expected, ...employer].sort());
});

test('a British company owes nothing to the United States', () => {
  expect(keysOf({ country: 'GB', jurisdiction: 'GB-ENG' })).toEqual([
    'gb.confirmation_statement',
    'gb.annual_accounts',
    'gb.corporation_tax_payment',
    'gb.company_tax_return',
  ]);
});

test('no company formed in the United States has to report its owners (90 FR 13688)', () => {
  expect(obligations.filter(({ type }) => type === 'boi_report')).toEqual([]);
});

test.each([
  [{}, []],
  [{ country: 'GB', jurisdiction: null }, []],
  [{ entityType: null }, ['/entity_type']],
  [{ jurisdiction: null }, ['/jurisdiction']],
  [{ entityType: null, jurisdiction: null }, ['/entity_type', '/jurisdiction']],
  [{ jurisdiction: 'US-NV' }, [undefined]],
  [{ country: 'DE', jurisdiction: 'DE-BE' }, [undefined]],
  [{ country: 'DE', jurisdiction: null, entityType: null }, ['/entity_type', undefined]],
])('what is missing in %j is told with the field to set: %j', (some, pointers) => {
  expect(factWarnings({ ...facts, ...some }).map(({ pointer }) => pointer)).toEqual(pointers);
});

test.each([
  [{ jurisdiction: 'US-NV' }, 'US-NV'],
  [{ country: 'DE', jurisdiction: null }, 'DE'],
  [{ country: 'DE', jurisdiction: 'DE-BE' }, 'DE'],
  // Delaware's obligations are listed; Germany's are not.
  [{ country: 'DE', jurisdiction: 'US-DE' }, 'DE'],
])('the warning about %j names the place whose rules are not known, %s', (some, place) => {
  expect(factWarnings({ ...facts, ...some }).map(({ message }) => message)).toEqual([
    `The service has no rules for ${place}, so obligations there are not listed.`,
  ]);
});
