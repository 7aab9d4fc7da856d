// Risk: a company whose months are cut in another zone because a field was emptied, or one that can't be created.
import { type Company, timeZone } from '@finhook/contracts';
import { expect, test } from 'vitest';
import { dirtyFields } from '../../data/dirty-fields.ts';
import { offeredZone, readCompanyFields } from './company-fields.view.ts';

function filled(fields: Readonly<Record<string, string>>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return data;
}

const aCompany: Company = {
  id: 'co_01kgw3q2m8v7d5n0r4t6x9zabc',
  object: 'company',
  account_id: 'acct_01kgw3q2m8v7d5n0r4t6x9zabc',
  name: 'Acme Robotics',
  legal_name: null,
  entity_type: null,
  // A code that was taken once, and no longer is.
  country: 'XK',
  jurisdiction: null,
  tax_id_last4: '1234',
  base_currency: 'USD',
  timezone: 'Europe/Belgrade',
  fiscal_year_end: null,
  status: 'active',
  formation: { completed_steps: 0, total_steps: 0, steps: [] },
  wire_approval_threshold_cents: 1_000_000,
  metadata: {},
  dissolved_at: null,
  dissolution_reason: null,
  created_at: '2026-01-01T00:00:00.000Z',
  updated_at: '2026-01-01T00:00:00.000Z',
};

test('a new company gets the defaults where fields are empty', () => {
  expect(readCompanyFields(filled({ name: 'Acme', threshold: '10.50' }), true)).toMatchObject({
    country: 'US',
    base_currency: 'USD',
    timezone: 'UTC',
    legal_name: null,
    wire_approval_threshold_cents: 1_050,
  });
});

test('a company that is there gets no default: emptied fields are sent empty, for the service to refuse', () => {
  const fields = readCompanyFields(filled({ name: 'Acme', timezone: ' ', threshold: '10.50' }), false);
  expect(fields).toMatchObject({ country: '', base_currency: '', timezone: '', legal_name: null });
  expect(fields).not.toHaveProperty('wire_approval_threshold_cents');
});

test('an emptied threshold is told, not left as it was without a word; a new company may do without', () => {
  const data = filled({ name: 'Acme', base_currency: 'USD', threshold: ' ' });
  expect(readCompanyFields(data, false)).toEqual({ thresholdFault: expect.stringContaining('Enter an amount') });
  expect(readCompanyFields(data, true)).not.toHaveProperty('wire_approval_threshold_cents');
});

test('codes are sent in upper case, and a threshold that would be rounded is told', () => {
  const data = filled({ name: 'Acme', country: 'be', base_currency: 'kwd', threshold: '1.2345' });
  expect(readCompanyFields(data, false)).toEqual({
    thresholdFault: expect.stringContaining('3 digits after the point'),
  });
  data.set('threshold', '1.234');
  expect(readCompanyFields(data, false)).toMatchObject({ country: 'BE', base_currency: 'KWD' });
});

test('of a company that is there only what was changed is sent', () => {
  const typed = filled({
    name: 'Acme',
    country: 'xk',
    base_currency: 'EUR',
    timezone: 'Europe/Belgrade',
    threshold: '5',
  });
  const fields = readCompanyFields(typed, false);
  if ('thresholdFault' in fields) throw new Error(fields.thresholdFault);
  expect(dirtyFields(aCompany, fields)).toEqual({
    name: 'Acme',
    tax_id_last4: null,
    base_currency: 'EUR',
    wire_approval_threshold_cents: 500,
  });
});

test('a zone is offered only by a name that the service takes', () => {
  expect(offeredZone('Europe/Brussels')).toBe('Europe/Brussels');
  for (const zone of ['CET', 'IST', 'EST5EDT', 'Japan', ...Intl.supportedValuesOf('timeZone')])
    expect(timeZone.safeParse(offeredZone(zone)).success, zone).toBe(true);
});
