// Risk: a form sends values other than the typed ones, clears unedited fields, or rounds an amount.
// Risk: a form overwrites fields that the user did not edit.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dirtyFields, editedFields, readMetadata, readValue, shownText } from './field-values.ts';
import { fields } from './fields.catalogue.ts';

function filled(entries: Readonly<Record<string, string>>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(entries)) data.set(name, value);
  return data;
}

function fieldOf(operation: string, name: string) {
  const field = fields[operation]?.[name];
  if (field === undefined) throw new Error(`${operation} has no ${name}.`);
  return field;
}

function read(operation: string, entries: Readonly<Record<string, string>>, name: string, currency = 'USD') {
  const isUpdate = operation.endsWith('.update');
  return readValue(fieldOf(operation, name), filled(entries), { zone: 'America/New_York', currency, isUpdate });
}

test('a new record omits empty fields', () => {
  for (const name of ['legal_name', 'entity_type', 'wire_approval_threshold_cents'])
    expect(read('companies.create', { [name]: ' ' }, name)).toEqual({ value: undefined });
});

test('an update sends null for an emptied nullable field, and other empty fields as they are', () => {
  expect(read('companies.update', { legal_name: ' ' }, 'legal_name')).toEqual({ value: null });
  expect(read('companies.update', { timezone: '' }, 'timezone')).toEqual({ value: '' });
});

test('codes are sent in upper case, and an amount that would be rounded is an error', () => {
  expect(read('companies.update', { country: 'be' }, 'country')).toEqual({ value: 'BE' });
  const threshold = (text: string, currency: string) =>
    read('companies.update', { wire_approval_threshold_cents: text }, 'wire_approval_threshold_cents', currency);
  expect(threshold('1.2345', 'KWD')).toEqual({ fault: expect.stringContaining('3 digits after the point') });
  expect(threshold('1.234', 'KWD')).toEqual({ value: 1_234 });
  expect(threshold('10.50', 'USD')).toEqual({ value: 1_050 });
});

test('an update sends only the changed fields, even if an unchanged code is no longer valid', () => {
  const company = { name: 'Acme Robotics', country: 'XK', tax_id_last4: '1234', wire_approval_threshold_cents: 500 };
  const typed = { name: 'Acme', country: 'xk', tax_id_last4: '', wire_approval_threshold_cents: '5' };
  const values = Object.keys(company).map((name) => {
    const value = read('companies.update', typed, name);
    return [name, 'value' in value ? value.value : value];
  });
  expect(dirtyFields(company, Object.fromEntries(values))).toEqual({ name: 'Acme', tax_id_last4: null });
});

test('a time is read and shown in the zone of the company', () => {
  const due = fieldOf('directives.create', 'due_at');
  expect(read('directives.create', { due_at: '2026-03-01T09:30' }, 'due_at')).toEqual({
    value: '2026-03-01T14:30:00.000Z',
  });
  expect(shownText(due, '2026-03-01T14:30:00.000Z', 'America/New_York')).toBe('2026-03-01T09:30');
});

test('a time with seconds is sent with them, and a stored one that nobody edited is not sent', () => {
  const readDue = (text: string) => read('directives.create', { due_at: text }, 'due_at');
  expect(readDue('2026-03-01T09:30:15')).toEqual({ value: '2026-03-01T14:30:15.000Z' });
  const stored = '2026-03-01T14:30:15.250Z';
  const valueOf = (text: string) => {
    const due = readDue(text);
    return { due_at: 'value' in due ? due.value : due };
  };
  const unedited = valueOf(shownText(fieldOf('directives.create', 'due_at'), stored, 'America/New_York'));
  expect(editedFields({ due_at: stored }, unedited, unedited)).toEqual({});
  expect(editedFields({ due_at: stored }, unedited, valueOf('2026-03-01T09:31'))).toEqual(valueOf('2026-03-01T09:31'));
});

test('a list has one item per line, and invalid JSON has an error', () => {
  expect(read('agentApprovals.request', { options: 'pay\n\n wait \npay' }, 'options')).toEqual({
    value: ['pay', 'wait'],
  });
  expect(read('agentActions.create', { input: '{"a":1}' }, 'input')).toEqual({ value: { a: 1 } });
  expect(read('agentActions.create', { input: '{' }, 'input')).toEqual({
    fault: expect.stringContaining('Invalid JSON'),
  });
});

test('a list loses the spaces around its lines; chosen ids of connections keep theirs, because they are compared byte by byte', () => {
  const readList = (text: string | readonly string[], boxes: boolean) => {
    const data = new FormData();
    for (const value of [text].flat()) data.append('excluded_connections', value);
    const field = fieldOf('financials.settings.update', 'excluded_connections');
    return readValue(field, data, { zone: 'UTC', currency: 'USD', isUpdate: true, boxes });
  };
  expect(readList(' escrow \r\n\r\nPayroll\n', false)).toEqual({ value: ['escrow', 'Payroll'] });
  expect(readList([' escrow ', 'Payroll'], true)).toEqual({ value: [' escrow ', 'Payroll'] });
});

const ofAgent = fieldOf('agents.update', 'metadata');

test('an invalid line of metadata is named, and a typed line is split at its first colon', () => {
  expect(readMetadata('url: https://example.com:8080/x\nteam:a\nempty:')).toEqual({
    metadata: { url: 'https://example.com:8080/x', team: 'a', empty: '' },
  });
  expect(readMetadata('a:b: c')).toEqual({ metadata: { a: 'b: c' } });
  expect(readMetadata('note: one\u2028two')).toEqual({ metadata: { note: 'one\u2028two' } });
  expect(readMetadata('')).toEqual({ metadata: {} });
  expect(readMetadata('a: 1\nb')).toEqual({ fault: expect.stringContaining('Line 2') });
  expect(readMetadata('a: 1\n\na: 2')).toEqual({ fault: expect.stringContaining('Line 3') });
  expect(readMetadata(': 1')).toEqual({ fault: expect.stringContaining('Line 1') });
});

const parts = fc.array(fc.constantFrom('a', 'b', ':', ' ', '\n', '\r', '\u2028', '\u2029', '\t'), { maxLength: 6 });
const word = parts.map((list) => list.join(''));
const pairs = fc.dictionary(word, word, { noNullPrototype: true });

test('unchanged lines keep their pairs, and a changed line leaves the others', () => {
  fc.assert(
    fc.property(pairs, (stored) => {
      const shown = shownText(ofAgent, stored, 'UTC');
      expect(readMetadata(shown, stored)).toEqual({ metadata: stored });
      const [first, ...others] = Object.entries(stored);
      const shownLines = shown.split('\n').map((line) => line.trim());
      // Lines that look the same can't say which of their pairs they are.
      if (first === undefined || new Set(shownLines).size < shownLines.length) return;
      const lines = [`typed: x:y`, ...shown.split('\n').slice(1)].join('\n');
      expect(readMetadata(lines, stored)).toEqual({ metadata: { typed: 'x:y', ...Object.fromEntries(others) } });
    }),
  );
});

test('headers whose names differ only in case are reported before they are sent', () => {
  const headers = 'X-Team: a\nx-team: b';
  expect(read('webhookEndpoints.update', { headers }, 'headers')).toEqual({
    fault: 'Line 2 repeats the key "x-team".',
  });
  expect(read('webhookEndpoints.update', { metadata: headers }, 'metadata')).toEqual({
    value: { 'X-Team': 'a', 'x-team': 'b' },
  });
});

const record = {
  id: 'x_1',
  name: 'One',
  model: 'l-2',
  phone: null,
  metadata: { team: 'a', zone: 'b' },
  ids: ['1', '2'],
};
const { id: _, ...edited } = record;

test('an unchanged form sends no field, whatever the order of keys', () => {
  expect(dirtyFields(record, edited)).toEqual({});
  expect(dirtyFields(record, { ...edited, metadata: { zone: 'b', team: 'a' }, ids: ['1', '2'] })).toEqual({});
});

test('changed, emptied and reordered fields are sent', () => {
  expect(dirtyFields(record, { ...edited, model: null, phone: '+14155550123' })).toEqual({
    model: null,
    phone: '+14155550123',
  });
  expect(dirtyFields(record, { ...edited, metadata: {}, ids: ['2', '1'] })).toEqual({
    metadata: {},
    ids: ['2', '1'],
  });
});

test('a time limit is entered in seconds and sent in milliseconds, and an empty one is the default', () => {
  const limit = fieldOf('webhookEndpoints.update', 'timeout_ms');
  expect(shownText(limit, 2_500, 'UTC')).toBe('2.5');
  expect(read('webhookEndpoints.update', { timeout_ms: '2.5' }, 'timeout_ms')).toEqual({ value: 2_500 });
  expect(read('webhookEndpoints.update', { timeout_ms: '' }, 'timeout_ms')).toEqual({ value: null });
});
