// Risk: a client that sends null for what it does not know is rejected for it.
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { Operation } from '../operation.ts';
import { operationList } from './index.ts';

/** Fields that a change may omit but not clear, so that null is rejected (docs/records.md). */
const neverEmpty = new Set(
  [
    'agents.update: name provider',
    'cases.update: title priority status',
    'companies.update: name country base_currency timezone wire_approval_threshold_cents status',
    'webhookEndpoints.update: url status',
  ].flatMap((line) => {
    const [id = '', fields = ''] = line.split(': ');
    return fields.split(' ').map((field) => `${id} /${field}`);
  }),
);

function inside(schema: unknown): unknown {
  const isWrapped =
    schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
  return isWrapped ? inside(schema.unwrap()) : schema;
}

/** Optional fields at any depth that reject null. */
function rejectingNull(schema: unknown, place = ''): string[] {
  const inner = inside(schema);
  if (inner instanceof z.ZodArray) return rejectingNull(inner.element, `${place}/0`);
  if (inner instanceof z.ZodUnion) return inner.options.flatMap((option) => rejectingNull(option, place));
  if (!(inner instanceof z.ZodObject)) return [];
  const shape: Readonly<Record<string, z.ZodType>> = inner.shape;
  return Object.entries(shape).flatMap(([name, field]) => {
    const rejects = field.safeParse(undefined).success && !field.safeParse(null).success;
    return [...(rejects ? [`${place}/${name}`] : []), ...rejectingNull(field, `${place}/${name}`)];
  });
}

function ofBody({ input, http }: Operation): string[] {
  const outside = new Set(http.query?.map((name) => `/${name}`));
  return rejectingNull(input).filter((place) => !outside.has(place));
}

test('null is the same as absent in every optional field of a body, but for what a change cannot empty', () => {
  const rejected = operationList
    .filter(({ http }) => http.method !== 'GET')
    .flatMap((operation) => ofBody(operation).map((place) => `${operation.id} ${place}`));
  expect(new Set(rejected)).toEqual(neverEmpty);
});
