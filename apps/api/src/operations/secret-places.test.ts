// Risk: a refusal repeats a credential, and with it every log and screen that shows the refusal.
import { type Operation, operationList } from '@finhook/contracts';
import { DomainError, parseJson } from '@finhook/core';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createInputParser } from './parse-input.ts';
import { createIsSecretPlace } from './secret-places.ts';
import { unwrapSchema } from './unknown-fields.ts';

type Path = (string | number)[];

function placesIn(schema: unknown): Path[] {
  const inner = unwrapSchema(schema);
  if (inner instanceof z.ZodArray) return placesIn(inner.element).map((path) => [0, ...path]);
  if (!(inner instanceof z.ZodObject)) return [[]];
  return Object.entries(inner.shape).flatMap(([name, field]) => placesIn(field).map((path) => [name, ...path]));
}

const secretPlaces = operationList.flatMap((operation) => {
  const schema = operation.variant?.(operation.example) ?? operation.input;
  const isSecret = createIsSecretPlace(schema);
  return placesIn(schema)
    .filter(isSecret)
    .map((path) => ({ operation, path }));
});

function messagesOf(operation: Operation, sent: object): string[] {
  const ids = Object.fromEntries([...operation.http.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, 'id']));
  const { value, inexact } = parseJson(JSON.stringify({ ...ids, ...operation.example, ...sent }));
  try {
    createInputParser(operation)(value, inexact);
  } catch (error) {
    if (error instanceof DomainError) return [error.message, ...error.fields.map(({ message }) => message)];
    throw error;
  }
  return [];
}

/** What may be sent by mistake in the place of a credential, each with the mark by which an echo is known. */
const MARK = '777777777777777777777';
const mistakes: unknown[] = [
  `${MARK} `,
  `${MARK}\0${'x'.repeat(70_000)}`,
  Number(MARK),
  true,
  [MARK],
  [[MARK, 5]],
  { [`a ${MARK}`]: MARK, b: 5, c: [MARK, 5] },
  JSON.parse(`{"__proto__":["${MARK}"]}`),
];

test('S20: every input that is a credential, or is often one, is marked', () => {
  const marked = secretPlaces.map(({ operation, path }) => `${operation.id} ${path.join('.')}`);
  expect(marked.toSorted()).toEqual([
    'agentActions.create input',
    'agentActions.create output',
    'agentActions.update output',
    'agentApprovals.decide edited_payload',
    'agentApprovals.request payload',
    'bank.connections.create config.url',
    'bank.connections.setSecret secret',
    'cases.comments.create attachments.0.url',
    'companies.formation.completeStep evidence_url',
    'runtimeSnapshots.put checkpoint',
    'webhookEndpoints.create headers',
    'webhookEndpoints.create url',
    'webhookEndpoints.update headers',
    'webhookEndpoints.update url',
    'webhookEndpoints.verifySignature headers',
  ]);
  const suspects = operationList.flatMap((operation) =>
    placesIn(operation.variant?.(operation.example) ?? operation.input)
      .map((path) => `${operation.id} ${path.join('.')}`)
      .filter((place) => /secret|password|credential|headers|url|(token|payload)$/.test(place.split(' ')[1] ?? '')),
  );
  expect(suspects.filter((place) => !marked.includes(place))).toEqual([]);
});

test.each(secretPlaces)(
  'S19: D16b: no refusal of $operation.id repeats what was sent at $path',
  ({ operation, path }) => {
    const refused = path.flatMap((_, i) =>
      mistakes.flatMap((mistake) => {
        const sent = path.slice(0, i + 1).reduceRight<unknown>((inner, part) => {
          return typeof part === 'number' ? [inner] : { [part]: inner };
        }, mistake);
        return messagesOf(operation, Object(sent));
      }),
    );
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.filter((message) => message.includes('7777') || message.includes('7.77'))).toEqual([]);
  },
);
