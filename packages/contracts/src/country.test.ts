// Risk: a country that does not exist is stored, and what is owed there is looked for in vain.
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { beneficiaryInput } from './records/bank-approval.ts';
import { companyChanges, companyFields } from './records/company.ts';
import { filingInput } from './records/filing.ts';
import { isCountry } from './scalars.ts';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('');
const pairs = letters.flatMap((first) => letters.map((second) => first + second));

test('there are 249 countries, none of them among the codes that users assign themselves', () => {
  expect(pairs.filter(isCountry)).toHaveLength(249);
  for (const code of pairs) if (/AA|Q[M-Z]|X.|ZZ/.test(code)) expect(isCountry(code), code).toBe(false);
});

test('a country in a request is one of ISO 3166-1, and a place begins with one', () => {
  const country = {
    company: companyFields.country,
    change: companyChanges.country,
    payee: beneficiaryInput.shape.country,
  };
  const place = { company: companyFields.jurisdiction, filing: filingInput.jurisdiction };
  const codes = (schema: z.ZodType, value: string) =>
    schema
      .safeParse(value)
      .error?.issues.map((issue) => (issue.code === 'custom' ? issue.params?.['code'] : issue.code));
  for (const schema of Object.values(country)) {
    expect(codes(schema, 'DE')).toBeUndefined();
    for (const code of ['XX', 'ZZ', 'UK', 'XK', 'us', 'USA', ''])
      expect(codes(schema, code)).toEqual(['country_unknown']);
  }
  for (const schema of Object.values(place)) {
    expect(codes(schema, 'US-DE')).toBeUndefined();
    expect(codes(schema, 'XX-DE')).toEqual(['country_unknown']);
    expect(codes(schema, 'us-de')).toEqual(['invalid_format']);
  }
});
