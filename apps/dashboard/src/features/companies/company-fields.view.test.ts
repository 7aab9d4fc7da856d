// Risk: a company whose months are cut in another zone because a field was emptied, or one that can't be created.
import { timeZone } from '@finhook/contracts';
import { expect, test } from 'vitest';
import { offeredZone, readCompanyFields } from './company-fields.view.ts';

function filled(fields: Readonly<Record<string, string>>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return data;
}

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

test('codes are sent in upper case, and a threshold that would be rounded is told', () => {
  const data = filled({ name: 'Acme', country: 'be', base_currency: 'kwd', threshold: '1.2345' });
  expect(readCompanyFields(data, false)).toEqual({
    thresholdFault: expect.stringContaining('3 digits after the point'),
  });
  data.set('threshold', '1.234');
  expect(readCompanyFields(data, false)).toMatchObject({ country: 'BE', base_currency: 'KWD' });
});

test('a zone is offered only by a name that the service takes', () => {
  expect(offeredZone('Europe/Brussels')).toBe('Europe/Brussels');
  for (const zone of ['CET', 'IST', 'EST5EDT', 'Japan', ...Intl.supportedValuesOf('timeZone')])
    expect(timeZone.safeParse(offeredZone(zone)).success, zone).toBe(true);
});
