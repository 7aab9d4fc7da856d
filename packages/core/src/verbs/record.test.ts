// Risk: a record loses or gains a field, or has another order than its schema, which changes stored bytes.
import { company, filing } from '@finhook/contracts';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { type RowOf, record } from './record.ts';

const schema = z.object({
  id: z.string(),
  object: z.literal('thing'),
  at: z.string().meta({ format: 'date-time' }).describe('With a description of its own.'),
  ended_at: z.string().meta({ format: 'date-time' }).nullable(),
  day: z.string().meta({ format: 'date' }).nullable(),
  cents: z.int(),
  kind: z.enum(['a', 'b']),
  note: z.string().optional(),
  data: z.object({ at: z.string() }).nullable(),
});

const moment = '2026-03-01T09:30:00.123Z';
const whole = { object: 'thing', at: moment, ended_at: null, day: null, cents: 5, kind: 'a', data: null };

it('an entity and an SQL row give the same record, in the order of the schema', () => {
  const entity = { cents: 5, kind: 'a' as const, at: new Date(moment), id: 'x', account: 'not on the wire' };
  const row: RowOf<typeof schema, 'cents'> = {
    id: 'x',
    at: '2026-03-01 10:30:00.123+01',
    ended_at: null,
    day: null,
    cents: '5',
    kind: 'a',
    data: null,
  };
  expect(JSON.stringify(record(schema, entity))).toBe(JSON.stringify({ id: 'x', ...whole }));
  expect(JSON.stringify(record(schema, row))).toBe(JSON.stringify({ id: 'x', ...whole }));
});

it('timestamps become RFC 3339, calendar days and JSON stay as they are', () => {
  const data = { at: '2026-03-01 09:30:00+00' };
  const row = { id: 'x', at: '2026-03-01 09:30:00+00', ended_at: new Date(moment), day: '2026-03-31', cents: 0, data };
  expect(record(schema, { ...row, kind: 'b' as const })).toEqual({
    ...whole,
    ...row,
    at: '2026-03-01T09:30:00.000Z',
    ended_at: moment,
    kind: 'b',
  });
  expect(record(schema, { ...row, kind: 'b' as const }).data).toBe(data);
});

it('extra replaces a field in its place, and an optional field without a value is absent', () => {
  const row = { id: 'x', at: moment, cents: 1 };
  expect(JSON.stringify(record(schema, row, { kind: 'b', day: '2026-01-01' }))).toBe(
    JSON.stringify({ id: 'x', ...whole, day: '2026-01-01', cents: 1, kind: 'b' }),
  );
  expect(record(schema, { ...row, note: 'n' }, { kind: 'a' }).note).toBe('n');
  expect(record(schema, row, { kind: 'a' })).not.toHaveProperty('note');
});

it('a missing JSON field is null, and absent only if optional', () => {
  const free = z.object({
    input: z.unknown(),
    output: z.unknown().describe('With a text.'),
    more: z.unknown().optional(),
  });
  expect(record(free, { input: null })).toEqual({ input: null, output: null });
  expect(record(free, { input: 0, output: '', more: [] })).toEqual({ input: 0, output: '', more: [] });
});

it('a schema that extends another one, and fields with descriptions of their own, keep their formats', () => {
  const now = new Date(moment);
  const fields = {
    id: 'fil',
    account_id: 'a',
    company_id: 'c',
    type: 'other' as const,
    title: 't',
    due_date: '2026-03-31',
  };
  const made = record(
    filing.extend({ more: z.boolean() }),
    { ...fields, status: 'open' as const, created_at: now, updated_at: now },
    { overdue: false, more: true },
  );
  expect(made).toMatchObject({ object: 'filing', due_date: '2026-03-31', created_at: moment, submitted_at: null });
  expect(Object.keys(made)).toEqual([...Object.keys(filing.shape), 'more']);
});

it('a missing field does not compile', () => {
  const now = new Date(moment);
  // @ts-expect-error formation is no column of a company and is not given.
  expect(record(company, { id: 'co', created_at: now, updated_at: now }).formation).toBeUndefined();
});
